//! Screening: which of many numbers matter, from variants in which many are changed at once.
//!
//! Each variant moves a random third of the numbers by one, up or down (a random balance design; F. E. Satterthwaite:
//! "Random balance experimentation", 1959), fewer variants than numbers (a supersaturated design; K. H. V. Booth and D.
//! R. Cox: "Some systematic supersaturated designs", 1962). The numbers that explain most of what the variants gained
//! or lost are found one after the other, each in what the ones before it leave over (forward selection, as D. K. J.
//! Lin: "A new class of supersaturated designs", 1993, analyses them): first for all goals that are off together, each
//! weighted by how far it is off, since a number that moves many of them a little is not visible in any single one;
//! then for each goal. No claims rest on this: every number that is kept is then played alone.

use super::candidates::Patch;
use super::goals::Subject;
use super::play::Plan;
use super::search::{MOST_SINGLE, Search};
use super::task::Interrupted;
use crate::chance::{Seeded, Stream, stream_seed};
use crate::sorting::Sorting;

/// The least and the most variants of a screening design.
const VARIANTS: (usize, usize) = (96, 192);
/// The factor by which screening plays fewer battles in each variant.
const FEWER: u64 = 4;
/// How many numbers are kept for all goals together, and for each goal.
const KEPT: (usize, usize) = (24, 4);
/// How many numbers of contenders' own cards are kept at most.
const MOST_OWN: usize = MOST_SINGLE - KEPT.0;
/// One number in this many moves in a variant.
const SHARE: f64 = 3.0;

/// Picks the candidates worth playing alone, in their order. The numbers of cards that are goals themselves, or of
/// contenders' own cards ([`MOST_OWN`] of these at most), come first where they are off target. `screened` is set to the number of variants played.
pub(super) fn screen(
    search: &mut Search<'_, '_>,
    screened: &mut usize,
) -> Result<Vec<usize>, Interrupted> {
    let candidates = search.task.candidates.len();
    let goals = search.task.goals;
    let is_off = |goal: &usize| search.base[*goal].value.abs() > search.aim;
    let mut off: Vec<usize> = (0..goals.len()).filter(is_off).collect();
    off.put_in_order_by(|&one, &other| {
        search.base[other].value.abs().total_cmp(&search.base[one].value.abs())
    });
    let own: Vec<Vec<usize>> = off.iter().map(|&goal| search.task.own(goal)).collect();
    let mut kept = Kept::default();
    if are_cards(search) {
        kept.add(own.iter().flatten(), MOST_SINGLE);
    }
    if kept.0.len() < MOST_SINGLE {
        let variants = (candidates / 4).clamp(VARIANTS.0, VARIANTS.1);
        let (rows, gained) = play(search, variants)?;
        *screened = rows.len();
        let response = |goal: usize| -> Vec<f64> { gained.iter().map(|of| of[goal]).collect() };
        let all: Vec<usize> = (0..candidates).collect();
        // Of more than there is room for, those are kept that explain most.
        let own_of_each: Vec<Vec<usize>> = off
            .iter()
            .zip(&own)
            .map(|(&goal, own)| match own.len() <= MOST_OWN {
                true => own.clone(),
                false => forward(&rows, response(goal), own, MOST_OWN),
            })
            .collect();
        kept.add(in_turns(&own_of_each), MOST_OWN.max(kept.0.len()));
        let excess = |goal: usize| {
            let lead = search.base[goal].value;
            lead.signum() * (lead.abs() - search.aim)
        };
        let together = |of: &Vec<f64>| off.iter().map(|&goal| excess(goal) * of[goal]).sum();
        let of_all = forward(&rows, gained.iter().map(together).collect(), &all, KEPT.0);
        kept.add(of_all.iter(), MOST_SINGLE);
        let of_each: Vec<Vec<usize>> =
            off.iter().map(|&goal| forward(&rows, response(goal), &all, KEPT.1)).collect();
        // Every goal's first pick comes before any second one.
        kept.add(in_turns(&of_each), MOST_SINGLE);
    }
    kept.0.sort_unstable();
    Ok(kept.0)
}

/// Whether the goals are about cards, whose own numbers are few.
fn are_cards(search: &Search<'_, '_>) -> bool {
    search.task.goals.iter().any(|goal| matches!(goal.who, Subject::Units(_)))
}

/// Candidates that are kept, each once.
#[derive(Default)]
struct Kept(Vec<usize>);

impl Kept {
    /// Adds these until there are so many in all.
    fn add<'p>(&mut self, picks: impl Iterator<Item = &'p usize>, most: usize) {
        for &pick in picks {
            if self.0.len() < most && !self.0.contains(&pick) {
                self.0.push(pick);
            }
        }
    }
}

/// The first of each list, then the second of each, and so on.
fn in_turns(lists: &[Vec<usize>]) -> impl Iterator<Item = &usize> {
    let longest = lists.iter().map(Vec::len).max().unwrap_or(0);
    (0..longest).flat_map(move |place| lists.iter().filter_map(move |list| list.get(place)))
}

/// Plays the variants of the design. Returns the patch of each, and by how much it raised each goal's score.
fn play(
    search: &mut Search<'_, '_>,
    variants: usize,
) -> Result<(Vec<Patch>, Vec<Vec<f64>>), Interrupted> {
    let seed = stream_seed(search.task.plan.seed, Stream::Screening);
    let variant = |number: usize| -> Patch {
        let mut random = Seeded::of_battle(seed, number as u64);
        let mut patch = Patch::new();
        for (at, &(low, high)) in search.by.iter().enumerate() {
            let drawn = random.unit() * SHARE;
            let by = if random.unit() < 0.5 { 1 } else { -1 };
            if drawn < 1.0 && (low..=high).contains(&by) {
                patch.push((at, by));
            }
        }
        patch
    };
    let drawn: Vec<Patch> = (0..variants).map(variant).collect();
    let mut patches = vec![Patch::new()];
    patches.extend(drawn.into_iter().filter_map(|patch| search.possible(patch)));
    let battles = (search.task.plan.battles / FEWER).max(1);
    let plan = Plan { battles, ..search.task.plan };
    let mut fared = search.measure("many numbers at a time", &patches, plan)?.into_iter();
    let base = fared.next().flatten().expect("the scenario itself was checked");
    let (mut rows, mut gained) = (Vec::new(), Vec::new());
    for (patch, fared) in patches.into_iter().skip(1).zip(fared) {
        let Some(fared) = fared else { continue };
        let of = |goal: usize| {
            let value = fared.shift(&base, goal).value;
            if value.is_nan() { 0.0 } else { value }
        };
        gained.push((0..search.task.goals.len()).map(of).collect());
        rows.push(patch);
    }
    Ok((rows, gained))
}

/// Forward selection: up to `most` of these candidates, each of which explains most of the response that those before it
/// leave unexplained.
fn forward(
    rows: &[Patch],
    mut response: Vec<f64>,
    candidates: &[usize],
    most: usize,
) -> Vec<usize> {
    let numbers = candidates.iter().max().map_or(0, |last| last + 1);
    let mut picks: Vec<usize> = Vec::new();
    let count = rows.len().max(1) as f64;
    for _ in 0..most {
        let mean = response.iter().sum::<f64>() / count;
        response.iter_mut().for_each(|of| *of -= mean);
        let (mut sums, mut squares) = (vec![0.0; numbers], vec![0.0; numbers]);
        for (row, response) in rows.iter().zip(&response) {
            for &(at, by) in row.iter().filter(|(at, _)| *at < numbers) {
                sums[at] += by as f64 * response;
                squares[at] += (by * by) as f64;
            }
        }
        let explained = |at: usize| {
            if squares[at] > 0.0 { sums[at] * sums[at] / squares[at] } else { 0.0 }
        };
        let best = candidates
            .iter()
            .copied()
            .filter(|at| !picks.contains(at))
            .max_by(|&one, &other| explained(one).total_cmp(&explained(other)));
        let Some(best) = best.filter(|&best| explained(best) > 0.0) else { break };
        let slope = sums[best] / squares[best];
        for (row, response) in rows.iter().zip(&mut response) {
            if let Some((_, by)) = row.iter().find(|of| of.0 == best) {
                *response -= slope * *by as f64;
            }
        }
        picks.push(best);
    }
    picks
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Three of 400 numbers matter; 120 variants are enough to find them.
    #[test]
    fn what_matters_is_found_among_many_more_than_there_are_variants() {
        let mut random = Seeded::from_seed(7);
        let effects = [(17, 0.05), (203, -0.04), (391, 0.03)];
        let (mut found, all) = (0, (0..400).collect::<Vec<usize>>());
        for _ in 0..20 {
            let (mut rows, mut response) = (Vec::new(), Vec::new());
            for _ in 0..120 {
                let row: Patch = (0..400)
                    .filter_map(|at| {
                        let drawn = random.unit() * SHARE;
                        (drawn < 1.0).then(|| (at, if random.unit() < 0.5 { 1 } else { -1 }))
                    })
                    .collect();
                let of = |at: usize| row.iter().find(|of| of.0 == at).map_or(0.0, |of| of.1 as f64);
                let sum: f64 = effects.iter().map(|&(at, effect)| effect * of(at)).sum();
                response.push(sum + 0.01 * random.normal());
                rows.push(row);
            }
            let picks = forward(&rows, response, &all, KEPT.1);
            found += effects.iter().filter(|(at, _)| picks.contains(at)).count();
        }
        assert!(found >= 57, "{found} of 60");
    }
}
