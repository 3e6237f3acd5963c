//! The tables `unit_pairs` and `unit_pairs_by_ruleset`: which cards do better together than each alone.

use std::cell::OnceCell;

use crate::game::Side;
use crate::scenario::TableName;
use crate::statistics::{
    Estimate, Level, Lift, Teams, added_odds, benjamini_hochberg, clustered, lift_among,
};
use crate::studies::run::Analysis;
use crate::table::{Column, Table};
use crate::tally::{Clustered, Layout, PairCount, Pairs, Results, Stratified, Tally};

/// Pairs in fewer teams than this are not tested: the normal approximation is too poor.
const ENOUGH: u64 = 100;

/// The results of one contender's teams that have both of two units.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct UnitPair {
    /// Index into the layout's contenders.
    pub(crate) contender: usize,
    /// Indices into the layout's units, the lower first.
    pub(crate) units: [usize; 2],
    /// The number of teams with both units, and their points.
    pub(crate) count: PairCount,
    /// The mean score of these teams.
    pub(crate) score: Estimate,
    /// The score compared with what the two units predict, within match-ups, and within conditions where pairs are
    /// counted by condition. No interval and no p-value where fewer than 100 teams had both.
    pub(crate) lift: Lift,
    /// The p-value, adjusted for all pairs of the same list (Benjamini-Hochberg).
    pub(crate) p_adjusted: f64,
}

/// Every pair of units that were in one team; empty where pairs were not counted.
pub(crate) fn unit_pairs(layout: &Layout, tally: &Tally, level: Level) -> Vec<UnitPair> {
    let Some(pairs) = &tally.pairs else { return Vec::new() };
    let contenders = layout.contenders().names.len();
    let found = (0..contenders).flat_map(|contender| {
        let of_pair = |units, _| pairs.by_matchup(tally, contender, units, layout.sides);
        let whole = pairs.whole(contender);
        if pairs.conditions_are_apart() {
            let scored = |of: &[PairCount]| -> Vec<(f64, u64)> {
                of.iter().map(|of| scored(&of.clustered(layout.sides), layout)).collect()
            };
            let of_unit = |unit: usize| scored(pairs.alone_by_stratum(contender, unit));
            let of_both = |units, _: &[_]| scored(pairs.by_stratum(contender, units));
            let by_condition: Vec<Vec<(f64, u64)>> = (0..layout.conditions.len())
                .map(|condition| teams(layout, tally, contender, |of| of == condition))
                .collect();
            let matchups = by_condition.first().map_or(0, Vec::len);
            let all: Vec<(f64, u64)> =
                (0..matchups).flat_map(|at| by_condition.iter().map(move |of| of[at])).collect();
            rows(layout, contender, whole, (of_unit, of_pair, of_both), &all, level)
        } else {
            let all = teams(layout, tally, contender, |_| true);
            let of_unit = |unit: usize| by_matchup(layout, &tally.fared(layout, contender, unit));
            let of_both = |_, fared: &[Stratified]| by_matchup(layout, fared);
            rows(layout, contender, whole, (of_unit, of_pair, of_both), &all, level)
        }
    });
    adjusted(found.collect())
}

fn by_matchup(layout: &Layout, fared: &[Stratified]) -> Vec<(f64, u64)> {
    fared.iter().map(|of| scored(&of.fared, layout)).collect()
}

/// Every pair of units that were in one team under a factor, for a tally that also counts units by factor. P-values
/// are not adjusted.
fn under(
    layout: &Layout,
    tally: &Tally,
    pairs: &Pairs,
    factor: usize,
    level: Level,
) -> Vec<UnitPair> {
    let has = |condition: usize| {
        layout.conditions[condition].factors.iter().any(|&of| usize::from(of) == factor)
    };
    let contenders = layout.contenders().names.len();
    let found = |contender| {
        let all = teams(layout, tally, contender, has);
        let of_unit =
            |unit: usize| by_matchup(layout, &tally.fared_in(layout, factor, contender, unit));
        let of_pair = |_, count: PairCount| vec![count.clustered(layout.sides).into()];
        let of_both = |_, fared: &[Stratified]| by_matchup(layout, fared);
        let part = pairs.part(factor, contender);
        rows(layout, contender, part, (of_unit, of_pair, of_both), &all, level)
    };
    (0..contenders).flat_map(found).collect()
}

/// The points of some appearances, as a share of a win each, and the number of appearances.
fn scored(fared: &Clustered, layout: &Layout) -> (f64, u64) {
    (fared.points as f64 / layout.sides as f64, fared.times)
}

fn sum(of: &[(f64, u64)]) -> (f64, u64) {
    of.iter().fold((0.0, 0), |sum, of| (sum.0 + of.0, sum.1 + of.1))
}

/// The total score and the number of a contender's teams, by each of its match-ups, in the fought battles of some
/// conditions. Counted in the same way as its units and pairs.
fn teams(
    layout: &Layout,
    tally: &Tally,
    contender: usize,
    has: impl Fn(usize) -> bool + Copy,
) -> Vec<(f64, u64)> {
    let contenders = layout.contenders().at;
    let mut by_matchup: Vec<(usize, (f64, u64))> = Vec::new();
    for (at, &of) in contenders.iter().enumerate() {
        if usize::from(of) != contender {
            continue;
        }
        let (matchup, side) = (at / layout.sides, Side((at % layout.sides) as u8));
        let conditions = layout.conditions.len();
        if by_matchup.last().is_none_or(|last| last.0 != matchup) {
            by_matchup.push((matchup, (0.0, 0)));
        }
        let (_, (sum, teams)) = by_matchup.last_mut().expect("there is one now");
        for condition in (0..conditions).filter(|&condition| has(condition)) {
            let count = &tally.strata[matchup * conditions + condition];
            let results: Results = count.results_fought(side).measured(tally.measure());
            *sum += results.won as f64 + results.shared as f64 / layout.sides as f64;
            *teams += results.battles();
        }
    }
    by_matchup.into_iter().map(|(_, teams)| teams).collect()
}

/// The results of the teams with one unit by match-up, and what the unit adds to their odds: with match-ups told
/// apart, and with all of them together.
struct Alone {
    fared: Vec<(f64, u64)>,
    adds: [OnceCell<f64>; 2],
}

impl Alone {
    fn adds(&self, all: &[(f64, u64)], are_apart: bool) -> f64 {
        *self.adds[usize::from(!are_apart)].get_or_init(|| match are_apart {
            true => added_odds(&self.fared, all),
            false => added_odds(&[sum(&self.fared)], &[sum(all)]),
        })
    }
}

fn rows(
    layout: &Layout,
    contender: usize,
    pairs: impl Iterator<Item = ([usize; 2], PairCount)>,
    (of_unit, of_pair, of_both): (
        impl Fn(usize) -> Vec<(f64, u64)>,
        impl Fn([usize; 2], PairCount) -> Vec<Stratified>,
        impl Fn([usize; 2], &[Stratified]) -> Vec<(f64, u64)>,
    ),
    all: &[(f64, u64)],
    level: Level,
) -> Vec<UnitPair> {
    // Computed once: a unit is in as many pairs as there are other units.
    let units: Vec<OnceCell<Alone>> = (0..layout.units.len()).map(|_| OnceCell::new()).collect();
    let of_unit = |unit: usize| {
        units[unit].get_or_init(|| Alone { fared: of_unit(unit), adds: Default::default() })
    };
    let row = |(units, count): ([usize; 2], PairCount)| {
        let fared = of_pair(units, count);
        let both = of_both(units, &fared);
        let alone = units.map(of_unit);
        let [first, second] = alone.map(|of| of.fared.as_slice());
        // If any of these were counted for all match-ups together, all of them are.
        let are_apart = [first, second, all].iter().all(|of| of.len() == both.len());
        let teams: Vec<Teams> = if are_apart {
            let at = |at: usize| Teams {
                both: both[at],
                first: first[at],
                second: second[at],
                all: all[at],
            };
            (0..both.len()).map(at).collect()
        } else {
            let [both, first, second, all] = [&both, first, second, all].map(sum);
            vec![Teams { both, first, second, all }]
        };
        let found = lift_among(&teams, alone.map(|of| of.adds(all, are_apart)), level);
        let score = clustered(&fared, layout.sides, level);
        let lift = match count.played < ENOUGH {
            true => Lift {
                lift: Estimate { value: found.lift.value, ..Estimate::UNKNOWN },
                p_value: f64::NAN,
                ..found
            },
            false => found,
        };
        UnitPair { contender, units, count, score, lift, p_adjusted: f64::NAN }
    };
    pairs.map(row).collect()
}

fn adjusted(mut rows: Vec<UnitPair>) -> Vec<UnitPair> {
    let adjusted = benjamini_hochberg(&rows.iter().map(|row| row.lift.p_value).collect::<Vec<_>>());
    for (row, adjusted) in rows.iter_mut().zip(adjusted) {
        row.p_adjusted = adjusted;
    }
    rows
}

/// The table `unit_pairs`: one row per pair; None when pairs were not counted.
pub(super) fn table(analysis: &Analysis<'_>) -> Option<Table> {
    analysis.tally.pairs.as_ref()?;
    Some(of_pairs(analysis, analysis.unit_pairs()))
}

/// The table `unit_pairs` with only these pairs.
pub(crate) fn of_pairs(analysis: &Analysis<'_>, pairs: &[UnitPair]) -> Table {
    let Analysis { layout, tally, .. } = *analysis;
    let columns = columns(layout, tally, pairs, "all pairs of the table");
    Table { name: TableName::UnitPairs.to_string(), columns }
}

/// The table `unit_pairs_by_ruleset`: one row per factor and pair that came up under it; None when pairs were not
/// counted, or there are no factors.
pub(super) fn by_factor_table(layout: &Layout, tally: &Tally, level: Level) -> Option<Table> {
    let pairs = tally.pairs.as_ref()?;
    if layout.factors.is_empty() || tally.appearances.is_empty() {
        return None;
    }
    let noun = layout.factor_noun;
    let (mut names, mut rows) = (Vec::new(), Vec::new());
    for (factor, name) in layout.factors.iter().enumerate() {
        let mut of_factor = under(layout, tally, pairs, factor, level);
        names.extend(std::iter::repeat_n(name.clone(), of_factor.len()));
        rows.append(&mut of_factor);
    }
    let rows = adjusted(rows);
    let mut whole = vec![Column::text(noun, format!("the {noun}"), names)];
    whole.extend(columns(layout, tally, &rows, "all rows of the table"));
    Some(Table { name: TableName::UnitPairsByFactor.to_string(), columns: whole })
}

fn columns(layout: &Layout, tally: &Tally, rows: &[UnitPair], family: &str) -> Vec<Column> {
    let (contenders, measure) = (layout.contenders().names, tally.measure());
    let name = |at: usize| -> Vec<String> {
        rows.iter().map(|row| layout.units[row.units[at]].name.clone()).collect()
    };
    let number = |of: fn(&UnitPair) -> f64| rows.iter().map(of).collect::<Vec<_>>();
    let mut columns = vec![
        Column::text(
            "contender",
            "whose teams",
            rows.iter().map(|row| contenders[row.contender].to_owned()).collect(),
        ),
        Column::text("unit", "one of the two", name(0)),
        Column::text("other", "the other", name(1)),
        Column::count(
            "played",
            "how often both were in one team",
            rows.iter().map(|row| row.count.played).collect(),
        ),
    ];
    let scores: Vec<Estimate> = rows.iter().map(|row| row.score).collect();
    columns.extend(Column::estimates(
        measure.column(),
        &format!("these teams: {}, 0 to 1", measure.meaning()),
        &scores,
    ));
    columns.push(Column::number(
        "expected",
        "what the two lead one to expect of it, 0 to 1: each multiplies the odds of winning by as much as it does in \
         all teams; empty where one of them is in all teams, or comes without the other in less than one of 20",
        number(|row| row.lift.expected),
    ));
    let lifts: Vec<Estimate> = rows.iter().map(|row| row.lift.lift).collect();
    columns.extend(Column::estimates(
        "lift",
        "that less the expected one, -1 to 1; its interval is empty below 100 teams",
        &lifts,
    ));
    columns.extend([
        Column::number(
            "p_value",
            "how likely a lift as large would be if there were none; empty below 100 teams",
            number(|row| row.lift.p_value),
        ),
        Column::number(
            "p_adjusted",
            format!("the same, adjusted for {family} (Benjamini-Hochberg)"),
            number(|row| row.p_adjusted),
        ),
    ]);
    columns
}
