//! How the presence of a card, summoner or minion is associated with its contender's score in each match-up: the
//! table behind a figure of the report.

use std::cmp::Reverse;

use super::units::{ENOUGH, differs, fought};
use crate::game::Side;
use crate::statistics::{
    Estimate, Level, benjamini_hochberg, clustered, clustered_mean, two_sided,
};
use crate::studies::run::Analysis;
use crate::table::{Column, Table};
use crate::tally::{Clustered, Count, Layout, OutcomeMeasure, Results, Stratified, Tally};

/// A unit of a contender against one of several opponents, in whichever seats.
#[derive(Clone, Debug)]
pub(crate) struct MatchupUnit {
    /// Index into the layout's contenders.
    pub(crate) contender: usize,
    /// The opponent, by name.
    pub(crate) against: String,
    /// Index into the layout's units.
    pub(crate) unit: usize,
    /// How often the unit took part in battles that the measure counts.
    pub(crate) played: u64,
    /// The match-up of these, as an index into the layout's, in which it took part most often, and how often it did there.
    pub(crate) mostly: (usize, u64),
    /// The score of its side in these battles.
    pub(crate) score: Estimate,
    /// This score less the contender's score in the same match-ups and seats, with or without the unit.
    pub(crate) effect: Estimate,
    /// The two-sided p-value of no effect, adjusted for all effects of the list (Benjamini-Hochberg).
    pub(crate) p_adjusted: f64,
    p_value: f64,
}

/// The rows of every unit that differs from battle to battle and took part at least 100 times against an opponent,
/// for contenders that meet several opponents. For a contender with a single opponent the table `units` says it all.
pub(crate) fn units_by_matchup(layout: &Layout, tally: &Tally, level: Level) -> Vec<MatchupUnit> {
    let contenders = layout.contenders();
    let fought = fought(layout, tally);
    let mut rows = Vec::new();
    for (contender, name) in contenders.names.iter().enumerate() {
        let own = own_matchups(layout, name);
        let mut opponents: Vec<&str> = Vec::new();
        for (_, against) in &own {
            if !opponents.contains(&against.as_str()) {
                opponents.push(against);
            }
        }
        if opponents.len() < 2 {
            continue;
        }
        let is_told =
            |&unit: &usize| differs(tally.unit(layout, contender, unit).played, fought[contender]);
        for unit in (0..layout.units.len()).filter(is_told) {
            let fared = tally.fared(layout, contender, unit);
            // Where match-ups are too many they are counted together, and none is known by itself.
            if fared.len() < own.len() {
                continue;
            }
            for against in &opponents {
                let met: Vec<(usize, Stratified)> = own
                    .iter()
                    .zip(&fared)
                    .filter(|((_, who), of)| who == against && of.fared.times > 0)
                    .map(|((matchup, _), of)| (*matchup, *of))
                    .collect();
                rows.extend(row(layout, tally, level, (contender, unit, against), &met));
            }
        }
    }
    let adjusted = benjamini_hochberg(&rows.iter().map(|row| row.p_value).collect::<Vec<_>>());
    for (row, adjusted) in rows.iter_mut().zip(adjusted) {
        row.p_adjusted = adjusted;
    }
    rows
}

/// The match-ups of a contender, in order, each with the names of the others in it.
fn own_matchups(layout: &Layout, name: &str) -> Vec<(usize, String)> {
    let others = |contenders: &[String]| {
        let mut others: Vec<&str> = contenders.iter().map(String::as_str).collect();
        others.remove(contenders.iter().position(|of| of == name)?);
        others.sort_unstable();
        Some(others.join(" and "))
    };
    let matchups = layout.matchups.iter().enumerate();
    matchups.filter_map(|(at, matchup)| Some((at, others(&matchup.contenders)?))).collect()
}

fn row(
    layout: &Layout,
    tally: &Tally,
    level: Level,
    (contender, unit, against): (usize, usize, &str),
    met: &[(usize, Stratified)],
) -> Option<MatchupUnit> {
    let strata: Vec<Stratified> = met.iter().map(|(_, of)| *of).collect();
    let played = Clustered::sum_of(&strata).times;
    if played < ENOUGH {
        return None;
    }
    let times = |(matchup, of): &(usize, Stratified)| (*matchup, of.fared.times);
    let mostly = met.iter().map(times).max_by_key(|&(matchup, times)| (times, Reverse(matchup)))?;
    let name = layout.contenders().names[contender];
    let (mut effect, mut variance) = (0.0, 0.0);
    for (matchup, of) in met {
        let contenders = &layout.matchups[*matchup].contenders;
        let sides: Vec<usize> =
            (0..layout.sides).filter(|&side| contenders[side] == name).collect();
        let whole = overall(&tally.matchups[*matchup], &sides, tally.measure())?;
        let [one, its_variance] = against_the_whole(of, whole, layout.sides, sides.len() > 1)?;
        // Each seat is weighted by how often the unit was in it: a seat's worth is no effect of a card.
        let share = of.fared.times as f64 / played as f64;
        effect += share * one;
        variance += share * share * its_variance;
    }
    if variance < 1e-12 {
        return None;
    }
    let error = variance.sqrt();
    let half = level.z() * error;
    Some(MatchupUnit {
        contender,
        against: against.to_owned(),
        unit,
        played,
        mostly,
        score: clustered(&strata, layout.sides, level),
        effect: Estimate { value: effect, low: effect - half, high: effect + half },
        p_adjusted: f64::NAN,
        p_value: two_sided(effect / error),
    })
}

/// The results of these sides in the fought battles of a match-up, by the measure. None where some battles of more
/// than two sides were not fought.
fn overall(count: &Count, sides: &[usize], measure: OutcomeMeasure) -> Option<Results> {
    if count.unfought > 0 && count.wins.len() != 2 {
        return None;
    }
    let of = |&side: &usize| count.results_fought(Side(side as u8)).measured(measure);
    sides.iter().map(of).reduce(Results::with)
}

/// The score of a unit's appearances in a match-up less its contender's score there, and the variance of this
/// difference.
///
/// With t appearances in a battle that scored y, the first score is the ratio R of the sums of ty and of t, the
/// second the mean M of y; their covariance over n battles is (sum of ty^2 less R times sum of ty) / (n sum of t), by
/// linearisation as in [`clustered_mean`]. The sum of ty^2 is equal to the sum of ty where no battle is shared, and
/// to the sum of t^2y^2 where nothing comes in copies; between the two it is taken in proportion.
fn against_the_whole(
    of: &Stratified,
    whole: Results,
    sides: usize,
    is_both: bool,
) -> Option<[f64; 2]> {
    let mean = clustered_mean(std::slice::from_ref(of), sides)?;
    let (n, part) = (whole.battles() as f64, 1.0 / sides as f64);
    let overall = (whole.won as f64 + whole.shared as f64 * part) / n;
    let effect = mean.value - overall;
    if is_both {
        // What one side wins the other loses: the contender's own score is fixed.
        return Some([effect, mean.variance]);
    }
    let squares = (whole.won as f64 + whole.shared as f64 * part * part) / n;
    let Clustered { times, points, times_by_points, points_squared, .. } = of.fared;
    let scored = points as f64 * part;
    let alike = match times_by_points {
        0 => 1.0,
        of => points_squared as f64 * part / of as f64,
    };
    let together = (scored * alike - mean.value * scored) / (n * times as f64);
    let variance = mean.variance + (squares - overall * overall) / n - 2.0 * together;
    Some([effect, variance.max(0.0)])
}

/// The table: one row for each unit and opponent.
pub(crate) fn table(analysis: &Analysis<'_>) -> Table {
    let Analysis { layout, tally, .. } = *analysis;
    let rows = analysis.units_by_matchup();
    let contenders = layout.contenders().names;
    let measure = tally.measure();
    fn text<'r>(rows: &'r [MatchupUnit], of: impl Fn(&'r MatchupUnit) -> &'r str) -> Vec<String> {
        rows.iter().map(|row| of(row).to_owned()).collect()
    }
    let mut columns = vec![
        Column::text(
            "contender",
            "who brought it, or bears it",
            text(rows, |row| contenders[row.contender]),
        ),
        Column::text("against", "whom it met, in whichever seats", text(rows, |row| &row.against)),
        Column::text("unit", "its name", text(rows, |row| &layout.units[row.unit].name)),
        Column::text(
            "kind",
            "what kind of unit it is",
            text(rows, |row| layout.units[row.unit].kind),
        ),
        Column::count(
            "played",
            "how often it took part; at least 100 times, fewer are left out",
            rows.iter().map(|row| row.played).collect(),
        ),
    ];
    let scores: Vec<Estimate> = rows.iter().map(|row| row.score).collect();
    columns.extend(Column::estimates(
        measure.column(),
        &format!("its side then: {}, 0 to 1", measure.meaning()),
        &scores,
    ));
    let effects: Vec<Estimate> = rows.iter().map(|row| row.effect).collect();
    columns.extend(Column::estimates(
        "effect",
        "that less the same of its contender in the same match-ups and seats, with it or without, -1 to 1",
        &effects,
    ));
    columns.push(Column::number(
        "p_value",
        "two-sided p-value of no effect",
        rows.iter().map(|row| row.p_value).collect(),
    ));
    columns.push(Column::number(
        "p_adjusted",
        "the same, adjusted for all rows (Benjamini-Hochberg)",
        rows.iter().map(|row| row.p_adjusted).collect(),
    ));
    Table { name: "units_by_matchup".to_owned(), columns }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::chance::Seeded;
    use crate::tally::Breakdown;
    use crate::tally::fixture::{record, round_robin};

    /// Where match-ups are too many to be kept apart, their sum is not reported as the first one's.
    #[test]
    fn nothing_is_said_of_match_ups_that_are_taken_together() {
        let told = |more: usize| {
            let mut layout = round_robin(60);
            let one = layout.units[0].clone();
            let records: Vec<_> = (0..60_000).map(|index| record(&layout, index)).collect();
            layout.units.extend(std::iter::repeat_n(one, more));
            let mut tally = Tally::new(&layout, Breakdown::Whole);
            records.iter().for_each(|record| tally.add(&layout, record));
            let strata = tally.fared(&layout, 0, 5);
            (strata.len(), units_by_matchup(&layout, &tally, Level::P95).len())
        };
        // In none of the 119 match-ups of a contender did a unit take part a hundred times.
        assert_eq!(told(0), (119, 0));
        assert_eq!(told(280), (1, 0));
    }

    /// How often the interval of a unit's effect holds the true value, for battles of which a share has the unit in
    /// this many copies.
    fn coverage(copies: u64, draws: f64) -> f64 {
        let sets = 800;
        let covered = (0..sets).filter(|&set| {
            let mut random = Seeded::of_battle(81 + copies, set);
            let mut uniform = || random.unit();
            let (mut fared, mut whole) = (Clustered::default(), Results::none(2));
            let (with, without) = (0.62, 0.47);
            for _ in 0..600 {
                let times =
                    if uniform() < 0.3 { 1 + u64::from(uniform() < 0.5) * (copies - 1) } else { 0 };
                let chance = if times > 0 { with } else { without };
                let points = match uniform() {
                    of if of < draws => 1,
                    _ if uniform() < chance => 2,
                    _ => 0,
                };
                match points {
                    2 => whole.won += 1,
                    1 => whole.shared += 1,
                    _ => whole.lost += 1,
                }
                fared.times += times;
                fared.points += times * points;
                fared.times_squared += times * times;
                fared.times_by_points += times * times * points;
                fared.points_squared += times * times * points * points;
            }
            let of = Stratified { battles: 600, fared };
            let [effect, variance] = against_the_whole(&of, whole, 2, false).unwrap();
            let score = |chance: f64| (1.0 - draws) * chance + 0.5 * draws;
            let truth = score(with) - (0.3 * score(with) + 0.7 * score(without));
            (effect - truth).abs() < Level::P95.z() * variance.sqrt()
        });
        covered.count() as f64 / f64::from(sets as u32)
    }

    #[test]
    fn intervals_of_effects_cover() {
        for (copies, draws) in [(1, 0.0), (1, 0.2), (3, 0.0), (3, 0.2)] {
            let found = coverage(copies, draws);
            assert!((0.93..0.97).contains(&found), "{copies} copies, {draws} drawn: {found}");
        }
    }

    #[test]
    fn forfeits_are_not_counted() {
        let mut count = Count { wins: vec![0; 2], forfeits: vec![0; 2], ..Count::default() };
        (count.battles, count.wins, count.draws) = (100, vec![50, 35], 15);
        // 20 battles that A forfeited, 8 that B did; in 5 of these both did.
        (count.forfeits, count.unfought) = (vec![20, 8], 23);
        let of_a = overall(&count, &[0], OutcomeMeasure::Score).unwrap();
        assert_eq!((of_a.won, of_a.shared, of_a.lost), (47, 10, 20));
        assert_eq!(of_a.battles(), count.fought());
        let both = overall(&count, &[0, 1], OutcomeMeasure::Score).unwrap();
        assert_eq!((both.won, both.lost, both.shared), (67, 67, 20));
    }
}
