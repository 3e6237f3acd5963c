//! The first line of a patch's page: the patch, and what it does in fresh battles.

use super::Patching;
use super::confirm::{Confirmed, Nearer};
use super::task::Task;
use crate::statistics::{Deviation, Equivalence, Largest, Level, Sample, as_large, pooled_z};
use crate::studies::tune::page::{bound, margin, whose};

/// With more edits than this the rest are counted.
const NAMED_EDITS: usize = 3;

/// Edits in words.
fn told(patching: &Patching<'_>, edits: &[(usize, i64)]) -> String {
    let edits = edits.iter().map(|&(at, by)| {
        let number = &patching.candidate(at).number;
        format!("{} {} {} → {}", number.card, number.words(), number.told(0), number.told(by))
    });
    edits.collect::<Vec<_>>().join("; ")
}

/// The edits that the headline only counts, in one sentence; None where it names all.
#[must_use]
pub(super) fn other_edits(patching: &Patching<'_>) -> Option<String> {
    let others = patching.patch().patch.get(NAMED_EDITS..).filter(|edits| !edits.is_empty())?;
    Some(format!("The other edits: {}.", told(patching, others)))
}

/// The patch and what it does, in one sentence. All its figures are of fresh battles. None where nothing is changed: then
/// the verdict says so.
#[must_use]
pub(super) fn headline(patching: &Patching<'_>) -> Option<String> {
    let patch = &patching.patch().patch;
    if patch.is_empty() {
        return None;
    }
    let mut edits = told(patching, &patch[..patch.len().min(NAMED_EDITS)]);
    match patch.len().saturating_sub(NAMED_EDITS) {
        0 => {}
        1 => edits.push_str("; and one more edit"),
        more => edits.push_str(&format!("; and {more} more edits")),
    }
    let fresh = [patching.confirmed.first(), patching.chosen()];
    let known = fresh.map(|of| of.and_then(|of| Some((&of.leads[..], of.largest?, of.result))));
    let [Some((before, first, _)), Some((after, largest, result))] = known else {
        return Some(format!("{edits}: not confirmed, since no fresh battles tell what it does."));
    };
    let task = &patching.task;
    let moved = moves(patching, (before, first), (after, largest));
    let (state, within) = (patching.state(), margin(task.within));
    let each = if task.goals.len() > 1 { "all " } else { "" };
    let shown = match result {
        Equivalence::Shown => format!(
            "{each}shown {state} within {within} (at most {} off; 95% confidence)",
            bound(largest.high, task.within)
        ),
        Equivalence::Open => format!(
            "not yet shown {state} within {within} (may be {} off; 95% confidence)",
            bound(largest.high, task.within)
        ),
        Equivalence::Refuted => format!(
            "not {state} within {within} (at least {} off; 95% confidence)",
            bound(largest.low, task.within)
        ),
    };
    let nearer = patching.chosen().and_then(|of| of.nearer).filter(Nearer::is_open);
    let open = nearer.map_or_else(String::new, |nearer| {
        // Of two rivals that is told of whom the scores are.
        let at = if task.free == 1 && task.goals.len() == 2 { lower(before) } else { nearer.goal };
        let goal = &task.goals[at].name;
        let place = if state == "even" { "even" } else { "its target" };
        format!(" These battles do not show that it brings {goal} nearer to {place}.")
    });
    let unwon = more_unwon(fresh).unwrap_or_default();
    Some(format!("{edits}: in fresh battles {moved}; {shown}.{open}{unwon}"))
}

/// A sentence on the battles that nobody wins without the patch and with it; None where they are not visibly more. Where nobody
/// wins scores are even, too.
fn more_unwon(fresh: [Option<&Confirmed>; 2]) -> Option<String> {
    let [before, after] = [fresh[0]?, fresh[1]?];
    let sample = |of: &Confirmed| Sample::of_trials(of.unwon, of.forfeits.battles);
    let is_seen = pooled_z(sample(after), sample(before)) > Level::P95.z();
    is_seen.then(|| {
        format!(
            " Nobody wins {:.1}% of these battles with the patch, and {:.1}% without it.",
            100.0 * after.unwon_share(),
            100.0 * before.unwon_share()
        )
    })
}

/// Of two rivals the one with the lower score.
fn lower(leads: &[Deviation]) -> usize {
    usize::from(leads[1].value < leads[0].value)
}

/// What the scores were without the patch, and are with it: the score of one of two rivals, or the largest lead.
fn moves(
    patching: &Patching<'_>,
    (before, first): (&[Deviation], Largest),
    (after, largest): (&[Deviation], Largest),
) -> String {
    let Task { goals, free, .. } = patching.task;
    let score = |at: usize, leads: &[Deviation]| 100.0 * (goals[at].target + leads[at].value);
    let goes = |at: usize| {
        let (was, is) = (score(at, before), score(at, after));
        format!("{} goes from {was:.1}% to {is:.1}%", goals[at].name)
    };
    match goals.len() {
        1 => goes(0),
        2 if free == 1 => {
            let lower = lower(before);
            format!("{} against {}", goes(lower), goals[1 - lower].name)
        }
        _ => {
            let lead = |of: Largest, leads: &[Deviation]| {
                let tied = as_large(leads, of.at).into_iter();
                let names: Vec<&str> = tied.map(|at| goals[at].name.as_str()).collect();
                format!("{:+.1} points ({})", 100.0 * leads[of.at].value, whose(&names))
            };
            format!(
                "the largest lead goes from {} to {}",
                lead(first, before),
                lead(largest, after)
            )
        }
    }
}
