//! The header of every page.

use super::figures::counted;
use super::page::{Page, Tone};
use crate::table::Provenance;

/// The scenario's question, and what was played.
pub(crate) fn header(page: &mut Page, provenance: &Provenance, question: Option<&str>) {
    if let Some(question) = question {
        page.toned(Tone::Bold, question);
    }
    let Provenance { game, scenario, seed, battles_played, .. } = provenance;
    let battles = counted(*battles_played, "battle");
    page.line(&format!("{game}: {scenario}, {battles}, seed {seed}"));
    if let Some(choices) = &provenance.choices {
        page.line(choices);
    }
    if let Some(early) = ended_early(provenance) {
        page.toned(Tone::Against, &early);
    }
}

/// A sentence on what is missing from results that were ended early; None where they are complete.
pub(super) fn ended_early(provenance: &Provenance) -> Option<String> {
    let Provenance { battles_played, battles_asked, partial, stopping, .. } = provenance;
    let battles = counted(*battles_asked, "battle");
    partial.then(|| match (battles_asked, stopping) {
        (0, _) => "Partial: not everything was worked out.".to_owned(),
        (asked, _) if asked == battles_played => "Ended before its time was over.".to_owned(),
        (_, Some(stopping)) => format!(
            "Ended early: it was to play until `{}`, and not more than {battles}.",
            stopping.rule
        ),
        (_, None) => format!("Ended early: {battles} were asked for."),
    })
}
