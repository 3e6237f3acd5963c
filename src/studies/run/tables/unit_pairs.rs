//! The tables `unit_pairs` and `unit_pairs_by_ruleset`: which cards do better together than each alone.

use crate::scenario::TableName;
use crate::statistics::{Estimate, Level, Lift, benjamini_hochberg, lift, proportion};
use crate::table::{Column, Table};
use crate::tally::{Layout, PairCount, Tally};

/// In fewer teams nothing is tested: the normal approximation is too poor.
const ENOUGH: u64 = 100;

/// How teams with two units fared.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct UnitPair {
    /// Indices into the layout's units, the lower first.
    pub(crate) units: [usize; 2],
    /// Teams with both, and how many of them won.
    pub(crate) count: PairCount,
    /// Compared with what each of them predicts. No p-value where fewer than 100 teams had both.
    pub(crate) lift: Lift,
    /// The p-value, adjusted for all pairs of the same list (Benjamini-Hochberg).
    pub(crate) p_adjusted: f64,
}

impl UnitPair {
    pub(crate) fn win_rate(&self, level: Level) -> Estimate {
        proportion(self.count.won, self.count.played, level)
    }
}

/// Every two units that were in one team; empty where pairs were not counted.
pub(crate) fn unit_pairs(layout: &Layout, tally: &Tally, level: Level) -> Vec<UnitPair> {
    let Some(pairs) = &tally.pairs else { return Vec::new() };
    let all = teams(layout, tally, |_| true);
    let of_unit = |unit: usize| (tally.units[unit].won, tally.units[unit].played);
    rows(pairs.whole(), of_unit, all, level)
}

/// The same under one factor, of a tally whose units are counted by factor, too.
fn under(layout: &Layout, tally: &Tally, factor: usize, level: Level) -> Vec<UnitPair> {
    let Some(pairs) = &tally.pairs else { return Vec::new() };
    let has = |condition: usize| {
        layout.conditions[condition].factors.iter().any(|&of| usize::from(of) == factor)
    };
    let all = teams(layout, tally, has);
    let of_unit = |unit: usize| {
        let count = tally.appearances[factor * layout.units.len() + unit];
        (count.won, count.played)
    };
    rows(pairs.part(factor), of_unit, all, level)
}

/// Wins and teams in the battles of some conditions.
fn teams(layout: &Layout, tally: &Tally, has: impl Fn(usize) -> bool) -> (u64, u64) {
    let count = tally.count(layout, |_, condition| has(condition));
    (count.wins.iter().sum(), count.battles * layout.sides as u64)
}

fn rows(
    pairs: impl Iterator<Item = ([usize; 2], PairCount)>,
    of_unit: impl Fn(usize) -> (u64, u64),
    all: (u64, u64),
    level: Level,
) -> Vec<UnitPair> {
    let row = |(units, count): ([usize; 2], PairCount)| {
        let both = (count.won, count.played);
        let [first, second] = units.map(&of_unit);
        let found = lift(both, first, second, all, level);
        let p_value = if count.played < ENOUGH { f64::NAN } else { found.p_value };
        UnitPair { units, count, lift: Lift { p_value, ..found }, p_adjusted: f64::NAN }
    };
    let mut rows: Vec<UnitPair> = pairs.map(row).collect();
    let adjusted = benjamini_hochberg(&rows.iter().map(|row| row.lift.p_value).collect::<Vec<_>>());
    for (row, adjusted) in rows.iter_mut().zip(adjusted) {
        row.p_adjusted = adjusted;
    }
    rows
}

/// One row per pair; None when pairs were not counted.
pub(super) fn table(layout: &Layout, tally: &Tally, level: Level) -> Option<Table> {
    tally.pairs.as_ref()?;
    let columns =
        columns(layout, &unit_pairs(layout, tally, level), "all pairs of the table", level);
    Some(Table { name: TableName::UnitPairs.to_string(), columns })
}

/// One row per factor and pair that met; None when pairs were not counted, or there are no factors.
pub(super) fn by_factor_table(layout: &Layout, tally: &Tally, level: Level) -> Option<Table> {
    tally.pairs.as_ref()?;
    if layout.factors.is_empty() || tally.appearances.is_empty() {
        return None;
    }
    let noun = layout.factor_noun;
    let (mut names, mut rows) = (Vec::new(), Vec::new());
    for (factor, name) in layout.factors.iter().enumerate() {
        let mut of_factor = under(layout, tally, factor, level);
        names.extend(std::iter::repeat_n(name.clone(), of_factor.len()));
        rows.append(&mut of_factor);
    }
    let mut whole = vec![Column::text(noun, format!("the {noun}"), names)];
    whole.extend(columns(layout, &rows, &format!("all pairs under the same {noun}"), level));
    Some(Table { name: TableName::UnitPairsByFactor.to_string(), columns: whole })
}

fn columns(layout: &Layout, rows: &[UnitPair], family: &str, level: Level) -> Vec<Column> {
    let name = |at: usize| -> Vec<String> {
        rows.iter().map(|row| layout.units[row.units[at]].name.clone()).collect()
    };
    let number = |of: fn(&UnitPair) -> f64| rows.iter().map(of).collect::<Vec<_>>();
    let mut columns = vec![
        Column::text("unit", "one of the two", name(0)),
        Column::text("other", "the other", name(1)),
        Column::count(
            "played",
            "how often both were in one team",
            rows.iter().map(|row| row.count.played).collect(),
        ),
        Column::count(
            "won",
            "how often that team won",
            rows.iter().map(|row| row.count.won).collect(),
        ),
    ];
    let win_rates: Vec<Estimate> = rows.iter().map(|row| row.win_rate(level)).collect();
    columns.extend(Column::estimates(
        "win_rate",
        "share of these teams that won, 0 to 1",
        &win_rates,
    ));
    columns.push(Column::number(
        "expected",
        "win rate that the two lead one to expect, 0 to 1: each multiplies the odds of winning by as much as it does in \
         all teams",
        number(|row| row.lift.expected),
    ));
    let lifts: Vec<Estimate> = rows.iter().map(|row| row.lift.lift).collect();
    columns.extend(Column::estimates("lift", "win rate less the expected one, -1 to 1", &lifts));
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
