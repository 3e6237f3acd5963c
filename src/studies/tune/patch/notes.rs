//! Patch notes for people, as Markdown.

use std::fmt::Write as _;

use super::Confirmed;
use super::page::{Patching, goal_names};
use crate::report::figures::{capital, plain_points, points, whole};
use crate::studies::tune::page::margin;
use crate::studies::tune::results::CONFIDENCE;
use crate::table::markdown_text;

/// With more goals than this their number is told instead of their names.
const NAMED: usize = 4;
/// The most side effects that are named.
pub(super) const NAMED_SIDE_EFFECTS: usize = 10;

/// Patch notes: the changes, card by card, and their expected effects.
#[must_use]
pub fn notes(patching: &Patching<'_>) -> String {
    let patch = &patching.patch().patch;
    let mut text = format!("# Patch notes: {}\n", markdown_text(patching.scenario));
    if patch.is_empty() {
        text.push_str("\nNothing changes.\n");
        return text;
    }
    let mut cards: Vec<&str> = Vec::new();
    for &(at, _) in patch {
        let card = patching.candidate(at).number.card.as_str();
        if !cards.contains(&card) {
            cards.push(card);
        }
    }
    for card in cards {
        let _ = write!(text, "\n## {}\n\n", markdown_text(card));
        for &(at, by) in patch.iter().filter(|of| patching.candidate(of.0).number.card == card) {
            let number = &patching.candidate(at).number;
            let (was, becomes) = (number.told(0), number.told(by));
            let levels = if number.ends().0 == number.ends().1 { "" } else { " at every level" };
            let key = capital(&number.words());
            let _ = writeln!(text, "- {}: {was} → {becomes} ({by:+}{levels})", markdown_text(&key));
        }
    }
    text.push_str("\n## What to expect\n\n");
    let who = match patching.task.goals {
        goals if goals.len() <= NAMED => goal_names(goals),
        goals => format!("{} {}s", goals.len(), patching.noun),
    };
    // As the page has it.
    let largest = |of: &Confirmed| {
        let leads = patching.task.deviations(&of.leads)?;
        Some(plain_points(&leads.of_largest(CONFIDENCE)))
    };
    if let Some(told) = patching.chosen().and_then(largest) {
        let _ = writeln!(
            text,
            "- The largest lead of {} is {told}, and without the patch {}; wanted: {}.",
            markdown_text(&who),
            patching.confirmed.first().and_then(largest).unwrap_or_else(|| "not known".to_owned()),
            margin(patching.task.within)
        );
    }
    for (of, difference) in patching.told_side_effects().into_iter().take(NAMED_SIDE_EFFECTS) {
        let interval = match difference.low.is_nan() {
            true => String::new(),
            false => {
                format!(", {}: {} beyond", markdown_text(&of.beside_its_own()), points(&difference))
            }
        };
        let _ = writeln!(
            text,
            "- {} ({}): {:.1}% → {:.1}%{interval}",
            markdown_text(&of.name),
            of.kind,
            100.0 * of.before,
            100.0 * of.after
        );
    }
    let (battles, seed) = patching.fresh;
    let _ = writeln!(
        text,
        "\nFrom {} fresh battles (seed {seed}); in parentheses 95% confidence intervals. Side effects: the \
         largest of those that move beyond their own side or contender by more than {:.1} pp in these battles and more than chance explains; their intervals allow for \
         that choice.",
        whole(battles),
        100.0 * patching.tell
    );
    text
}
