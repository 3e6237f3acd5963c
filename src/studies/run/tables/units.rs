//! The tables `units` and `units_by_ruleset`: how each card, summoner or minion fared.

use crate::scenario::TableName;
use crate::statistics::{Estimate, Level, proportion};
use crate::table::{Column, Table};
use crate::tally::{Layout, Tally, Unit, UnitCount};

/// One row per unit, in the layout's order.
pub(super) fn table(layout: &Layout, tally: &Tally, level: Level) -> Table {
    let text = |of: fn(&Unit) -> String| layout.units.iter().map(of).collect::<Vec<_>>();
    let count = |of: fn(&UnitCount) -> u64| tally.units.iter().map(of).collect::<Vec<_>>();
    let per_play = |of: fn(&UnitCount) -> u64| -> Vec<f64> {
        tally.units.iter().map(|unit| of(unit) as f64 / unit.played as f64).collect()
    };
    let win_rates: Vec<Estimate> =
        tally.units.iter().map(|unit| proportion(unit.won, unit.played, level)).collect();
    let mut columns = vec![
        Column::text("unit", "its name", text(|unit| unit.name.clone())),
        Column::text("kind", "what kind of unit it is", text(|unit| unit.kind.to_owned())),
        Column::text("group", "what it belongs to", text(|unit| unit.group.clone())),
        Column::count(
            "played",
            "how often it took part; more than once a battle when several sides brought it",
            count(|unit| unit.played),
        ),
        Column::count("won", "how often its side won", count(|unit| unit.won)),
    ];
    columns.extend(Column::estimates(
        "win_rate",
        "share of its appearances that its side won, 0 to 1",
        &win_rates,
    ));
    columns.push(Column::number(
        "survival",
        "share of its appearances in which it was there at the end, 0 to 1",
        per_play(|unit| unit.survived),
    ));
    columns.push(Column::number(
        "damage_dealt",
        "mean hit points it took from others per appearance",
        per_play(|unit| unit.dealt),
    ));
    columns.push(Column::number(
        "damage_taken",
        "mean hit points it lost to others per appearance",
        per_play(|unit| unit.taken),
    ));
    Table { name: TableName::Units.to_string(), columns }
}

/// One row per factor and unit that met; None when the layout has no factors.
pub(super) fn by_factor_table(layout: &Layout, tally: &Tally, level: Level) -> Option<Table> {
    if layout.factors.is_empty() {
        return None;
    }
    let noun = layout.factor_noun;
    let rows: Vec<(usize, usize, u64, u64)> = tally
        .appearances
        .iter()
        .enumerate()
        .filter(|(_, count)| count.played > 0)
        .map(|(at, count)| {
            let (factor, unit) = (at / layout.units.len(), at % layout.units.len());
            (factor, unit, count.played, count.won)
        })
        .collect();
    let win_rates: Vec<Estimate> =
        rows.iter().map(|&(_, _, played, won)| proportion(won, played, level)).collect();
    let mut columns = vec![
        Column::text(
            noun,
            format!("the {noun}"),
            rows.iter().map(|row| layout.factors[row.0].clone()).collect(),
        ),
        Column::text(
            "unit",
            "its name",
            rows.iter().map(|row| layout.units[row.1].name.clone()).collect(),
        ),
        Column::count(
            "played",
            format!("how often it took part under the {noun}"),
            rows.iter().map(|row| row.2).collect(),
        ),
        Column::count("won", "how often its side won then", rows.iter().map(|row| row.3).collect()),
    ];
    columns.extend(Column::estimates(
        "win_rate",
        "share of these appearances that its side won, 0 to 1",
        &win_rates,
    ));
    Some(Table { name: TableName::UnitsByFactor.to_string(), columns })
}
