//! The table `field`: contenders that all meet each other, and their mixed equilibrium.

use std::collections::{BTreeMap, BTreeSet};

use crate::chance::Seeded;
use crate::scenario::TableName;
use crate::statistics::{Estimate, Level, Seat, equilibrium, mean_of_leads, sum_of_leads};
use crate::table::{Column, Table};
use crate::tally::{Layout, OutcomeMeasure, Tally};

/// How many bootstrap replicates the intervals of the shares come from.
const REDRAWS: usize = 100;
/// With more contenders than this, shares have no intervals: they would take longer than many a run.
const MOST_REDRAWN: usize = 40;

/// A field of contenders in which every two meet, on whichever sides.
pub(crate) struct Field {
    /// The names of the contenders.
    pub names: Vec<String>,
    /// How far each contender leads over each other one, over both seats, -1 to 1. A lead is the score less the
    /// opponent's, which is wins less losses per battle, or per decided battle where only these are measured. One
    /// gains what the other loses, as an equilibrium requires; wins alone would not do where battles are drawn.
    pub leads: Vec<Vec<Estimate>>,
    /// The mean lead of each contender over all others, each weighted equally.
    pub in_even_field: Vec<Estimate>,
    /// The contenders that may truly have the largest mean lead over all others: the one that has it in these
    /// battles, and all that are not visibly behind it, by intervals that hold for all pairs of contenders at once
    /// (Bonferroni).
    pub foremost: Vec<usize>,
    /// By contender: whether in any seat its battles against another contender did not all end alike.
    pub varies: Vec<bool>,
    /// Each contender's share in the mixed equilibrium, in which nobody gains by changing.
    pub shares: Vec<Estimate>,
}

/// (wins, losses, battles) of one contender against another in each seat that was played; empty against itself.
type Score = Vec<Seat>;

/// The field of a duel's round robin; None unless at least three contenders all meet in both seats: else a lead would
/// hold the advantage of a seat.
pub(crate) fn field(layout: &Layout, tally: &Tally, level: Level) -> Option<Field> {
    if layout.sides != 2 {
        return None;
    }
    let mut scores: BTreeMap<(&str, &str), Score> = BTreeMap::new();
    let mut seated: BTreeSet<(&str, &str)> = BTreeSet::new();
    for (at, matchup) in layout.matchups.iter().enumerate() {
        let [a, b] = [&matchup.contenders[0], &matchup.contenders[1]];
        if a == b {
            continue;
        }
        seated.insert((a, b));
        let count = &tally.matchups[at];
        let battles = match tally.measure() {
            OutcomeMeasure::Score | OutcomeMeasure::Wins => count.battles,
            OutcomeMeasure::Decided => count.wins.iter().sum(),
        };
        for (side, (own, other)) in [(a, b), (b, a)].into_iter().enumerate() {
            let seat = (count.wins[side], count.wins[1 - side], battles);
            let seats = scores.entry((own, other)).or_default();
            // Nothing is known yet of a seat that was not played.
            seats.extend((battles > 0).then_some(seat));
        }
    }
    let mut names: Vec<&str> = scores.keys().map(|(own, _)| *own).collect();
    names.dedup();
    let size = names.len();
    let all_meet = seated.len() == size * size.saturating_sub(1);
    if size < 3 || !all_meet || scores.values().any(Vec::is_empty) {
        return None;
    }
    let scores: Vec<Vec<Score>> = names
        .iter()
        .map(|own| {
            let of = |other: &&str| scores.get(&(*own, *other)).cloned().unwrap_or_default();
            names.iter().map(of).collect()
        })
        .collect();
    let lead = |score: &Score| mean_of_leads(&[score], level);
    let leads: Vec<Vec<Estimate>> =
        scores.iter().map(|row| row.iter().map(lead).collect()).collect();
    let (middle, redrawn) = shares(&leads);
    let shares = (0..size).map(|at| {
        let mut of: Vec<f64> = redrawn.iter().map(|shares| shares[at]).collect();
        if of.is_empty() {
            return Estimate { value: middle[at], ..Estimate::UNKNOWN };
        }
        of.sort_by(f64::total_cmp);
        let cut = REDRAWS / 40;
        Estimate {
            value: middle[at],
            low: of[cut].min(middle[at]),
            high: of[REDRAWS - 1 - cut].max(middle[at]),
        }
    });
    let in_even_field: Vec<Estimate> = (0..size)
        .map(|own| {
            let others: Vec<&[Seat]> = (0..size)
                .filter(|&other| other != own)
                .map(|other| &scores[own][other][..])
                .collect();
            mean_of_leads(&others, level)
        })
        .collect();
    Some(Field {
        shares: shares.collect(),
        foremost: foremost(&scores, &in_even_field, level),
        varies: scores.iter().map(|row| row.iter().flatten().any(varies)).collect(),
        leads,
        in_even_field,
        names: names.into_iter().map(str::to_owned).collect(),
    })
}

/// Whether the battles in a seat did not all end alike.
fn varies(&(won, lost, battles): &Seat) -> bool {
    ![won, lost, battles - won - lost].contains(&battles)
}

/// The contender that leads farthest in an even field, and all that are not visibly behind it.
fn foremost(scores: &[Vec<Score>], in_even_field: &[Estimate], level: Level) -> Vec<usize> {
    let size = scores.len();
    let lead = |of: usize| in_even_field[of].value;
    let first = (0..size).max_by(|&a, &b| lead(a).total_cmp(&lead(b))).unwrap_or(0);
    let strict = level.shared_by((size * (size - 1) / 2) as u64);
    let is_behind = |of: usize| ahead(scores, first, of, strict).low > 0.0;
    (0..size).filter(|&of| of == first || !is_behind(of)).collect()
}

/// How much larger the mean lead of one contender is than another's. The battles between the two count for both.
fn ahead(scores: &[Vec<Score>], one: usize, other: usize, level: Level) -> Estimate {
    let weight = 1.0 / (scores.len() - 1) as f64;
    let mut parts: Vec<(f64, &[Seat])> = vec![(2.0 * weight, &scores[one][other])];
    for third in (0..scores.len()).filter(|&of| of != one && of != other) {
        parts.extend([(weight, &scores[one][third][..]), (-weight, &scores[other][third])]);
    }
    sum_of_leads(&parts, level)
}

/// The equilibrium, and its bootstrap replicates for 95% intervals.
fn shares(known: &[Vec<Estimate>]) -> (Vec<f64>, Vec<Vec<f64>>) {
    let size = known.len();
    let lead = |i: usize, j: usize| if i == j { 0.0 } else { known[i][j].value };
    let middle = equilibrium(size, lead);
    let mut random = Seeded::from_seed(1);
    let times = if size > MOST_REDRAWN { 0 } else { REDRAWS };
    let redrawn = (0..times).map(|_| {
        let mut leads = vec![vec![0.0; size]; size];
        for i in 0..size {
            for j in 0..i {
                let of = known[i][j];
                // After a stopping rule it is wider in proportion, as all other intervals are.
                let deviation = (of.high - of.low) / 2.0 / Level::P95.z();
                leads[i][j] = of.value + deviation * random.normal();
                leads[j][i] = -leads[i][j];
            }
        }
        equilibrium(size, |i, j| leads[i][j])
    });
    (middle, redrawn.collect())
}

/// Defines a lead for each measure.
pub(crate) fn lead_in_words(measure: OutcomeMeasure) -> &'static str {
    match measure {
        OutcomeMeasure::Score => {
            "the score less the opponent's, which is wins less losses per battle"
        }
        OutcomeMeasure::Wins => "wins less losses per battle",
        OutcomeMeasure::Decided => "wins less losses per decided battle",
    }
}

/// The table `field`: one row per contender and opponent.
pub(super) fn table(layout: &Layout, tally: &Tally, level: Level) -> Table {
    let field = field(layout, tally, level);
    let pairs: Vec<(usize, usize)> = field
        .iter()
        .flat_map(|field| {
            let size = field.names.len();
            (0..size * size)
                .map(move |at| (at / size, at % size))
                .filter(|(own, other)| own != other)
        })
        .collect();
    let name = |of: fn(&(usize, usize)) -> usize| {
        let name = |pair| field.as_ref().map(|field| field.names[of(pair)].clone());
        pairs.iter().filter_map(name).collect::<Vec<_>>()
    };
    let estimates = |of: &dyn Fn(&Field, usize, usize) -> Estimate| -> Vec<Estimate> {
        let estimate =
            |&(own, other): &(usize, usize)| field.as_ref().map(|field| of(field, own, other));
        pairs.iter().filter_map(estimate).collect()
    };
    let mut columns = vec![
        Column::text("contender", "who", name(|pair| pair.0)),
        Column::text("opponent", "against whom", name(|pair| pair.1)),
    ];
    columns.extend(Column::estimates(
        "lead",
        &format!("{}, the mean of both seats, -1 to 1", lead_in_words(tally.measure())),
        &estimates(&|field, own, other| field.leads[own][other]),
    ));
    columns.extend(Column::estimates(
        "lead_in_even_field",
        "the contender's lead over all others, each as often, -1 to 1",
        &estimates(&|field, own, _| field.in_even_field[own]),
    ));
    columns.extend(Column::estimates(
        "equilibrium_share",
        "the contender's share where nobody gains by changing, 0 to 1, with a rough interval (bootstrap): where several \
         mixes hold equally well a single share says little; without interval among more than 40",
        &estimates(&|field, own, _| field.shares[own]),
    ));
    Table { name: TableName::Field.to_string(), columns }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::table::LEVEL;

    /// Scores of four contenders that meet in either seat 100 times each. Of two equally strong contenders each wins
    /// half of the battles; otherwise the stronger one wins 70%.
    fn scores(strengths: [u32; 4], seed: u64) -> Vec<Vec<Score>> {
        let mut random = Seeded::from_seed(seed);
        let mut scores = vec![vec![Score::new(); 4]; 4];
        for one in 0..4 {
            for other in 0..one {
                let odds = match strengths[one].cmp(&strengths[other]) {
                    std::cmp::Ordering::Less => 0.3,
                    std::cmp::Ordering::Equal => 0.5,
                    std::cmp::Ordering::Greater => 0.7,
                };
                for _ in 0..2 {
                    let won = (0..100).filter(|_| random.unit() < odds).count() as u64;
                    scores[one][other].push((won, 100 - won, 100));
                    scores[other][one].push((100 - won, won, 100));
                }
            }
        }
        scores
    }

    /// In how many of 400 simulated fields exactly the expected contenders are the foremost.
    fn told(strengths: [u32; 4], expected: &[usize]) -> usize {
        let is_expected = |seed: &u64| {
            let scores = scores(strengths, *seed);
            let leads: Vec<Estimate> = (0..4)
                .map(|own| {
                    let others: Vec<&[Seat]> =
                        (0..4).filter(|&of| of != own).map(|of| &scores[own][of][..]).collect();
                    mean_of_leads(&others, LEVEL)
                })
                .collect();
            foremost(&scores, &leads, LEVEL) == expected
        };
        (0..400).filter(is_expected).count()
    }

    /// Equal contenders are told apart in one field of 20; a clearly best one is found, and two equal best ones are
    /// not told apart.
    #[test]
    fn the_best_of_a_field_is_told_where_it_is_visible() {
        let alike = told([1; 4], &[0, 1, 2, 3]);
        assert!(alike >= 368, "{alike}");
        let one = told([2, 1, 1, 1], &[0]);
        assert!(one >= 390, "{one}");
        let two = told([2, 2, 1, 1], &[0, 1]);
        assert!(two >= 368, "{two}");
    }

    /// How far one is ahead of another is the difference of their mean leads, and less precise than either.
    #[test]
    fn how_far_one_is_ahead_is_the_difference_of_leads() {
        let scores = scores([2, 1, 1, 1], 1);
        let mean = |own: usize| {
            let others: Vec<&[Seat]> =
                (0..4).filter(|&of| of != own).map(|of| &scores[own][of][..]).collect();
            mean_of_leads(&others, LEVEL)
        };
        let (one, other, found) = (mean(0), mean(1), ahead(&scores, 0, 1, LEVEL));
        assert!((found.value - (one.value - other.value)).abs() < 1e-12);
        assert!(found.high - found.low > one.high - one.low);
    }
}
