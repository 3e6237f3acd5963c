//! What every page begins with.

use super::figures::counted;
use super::page::{Page, Tone};
use crate::table::Provenance;

/// The question, and what was played.
pub(crate) fn header(page: &mut Page, provenance: &Provenance, question: Option<&str>) {
    if let Some(question) = question {
        page.toned(Tone::Bold, question);
    }
    let Provenance { game, scenario, seed, battles_played, battles_asked, .. } = provenance;
    let battles = counted(*battles_played, "battle");
    page.line(&format!("{game}: {scenario}, {battles}, seed {seed}"));
    if let Some(choices) = &provenance.choices {
        page.line(choices);
    }
    if provenance.partial {
        page.toned(
            Tone::Against,
            &format!("Ended early: {} were asked for.", counted(*battles_asked, "battle")),
        );
    }
}
