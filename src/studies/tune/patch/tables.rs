//! The tables of a search for the smallest patch.

use super::task::estimate;
use super::{Confirmed, Patching};
use crate::statistics::{Equivalence, Estimate, Largest};
use crate::table::{Column, Table};

/// The names of the tables.
pub const TABLES: [&str; 5] =
    ["patch_frontier", "patch_edits", "patch_leads", "patch_effects", "side_effects"];

/// The tables of a patch, in the order of their names.
#[must_use]
pub fn tables(patching: &Patching<'_>) -> [Table; 5] {
    [
        frontier(patching),
        edits(patching),
        leads(patching),
        effects(patching),
        side_effects(patching),
    ]
}

fn table(at: usize, columns: Vec<Column>) -> Table {
    Table { name: TABLES[at].to_owned(), columns }
}

fn frontier(patching: &Patching<'_>) -> Table {
    let points = &patching.found.frontier;
    let number = |of: &dyn Fn(usize) -> f64| (0..points.len()).map(of).collect::<Vec<f64>>();
    let text = |of: &dyn Fn(usize) -> String| (0..points.len()).map(of).collect::<Vec<String>>();
    let largest = |of: fn(&Largest) -> f64| {
        number(&|at| {
            let largest = patching.confirmed.get(at).and_then(|of| of.largest.as_ref());
            largest.map_or(f64::NAN, of)
        })
    };
    let mut columns = vec![
        Column::count(
            "edits",
            "how many numbers are other",
            points.iter().map(|point| point.patch.len() as u64).collect(),
        ),
        Column::number("price", "what they cost", number(&|at| points[at].price)),
        Column::number(
            "largest_in_search",
            "the largest lead in the battles of the search, 0 to 1: too good",
            number(&|at| points[at].largest()),
        ),
    ];
    columns.extend([
        Column::number(
            "largest_lead",
            "the largest lead in fresh battles, 0 to 1; empty where it ended early",
            largest(|of| of.value),
        ),
        Column::number(
            "largest_lead_low",
            "the truly largest is at least so large, with 95% confidence",
            largest(|of| of.low),
        ),
        Column::number(
            "largest_lead_high",
            "the truly largest, and with it every lead, is at most so large, with 95% confidence",
            largest(|of| of.high),
        ),
        Column::number(
            "typical_lead",
            "the root of the mean square of the leads in fresh battles, less what chance adds to it",
            number(&|at| patching.confirmed.get(at).map_or(f64::NAN, |of| of.typical)),
        ),
        Column::number(
            "nobody_wins",
            "the share of the fresh battles that were fought and nobody won, 0 to 1",
            number(&|at| patching.confirmed.get(at).map_or(f64::NAN, Confirmed::unwon_share)),
        ),
        Column::text(
            "result",
            "whether fresh battles show all leads to be within the margin: `shown`, `open` or `refuted`; `unknown` where it \
             ended early",
            text(&|at| result(patching.confirmed.get(at).map(|of| of.result)).to_owned()),
        ),
        Column::text(
            "chosen",
            "whether it is the patch: `yes` or `no`; chosen before the fresh battles were played",
            text(&|at| yes(at == patching.found.chosen)),
        ),
        Column::text("patch", "the edits", text(&|at| patching.told(&points[at].patch))),
    ]);
    table(0, columns)
}

pub(super) fn result(of: Option<Equivalence>) -> &'static str {
    match of {
        Some(Equivalence::Shown) => "shown",
        Some(Equivalence::Open) => "open",
        Some(Equivalence::Refuted) => "refuted",
        None => "unknown",
    }
}

fn yes(is_so: bool) -> String {
    if is_so { "yes" } else { "no" }.to_owned()
}

fn edits(patching: &Patching<'_>) -> Table {
    let points = patching.found.frontier.iter().enumerate();
    let rows: Vec<(usize, usize, usize, i64)> = points
        .flat_map(|(place, point)| {
            point.patch.iter().map(move |&(at, by)| (place, point.patch.len(), at, by))
        })
        .collect();
    let text = |of: &dyn Fn(usize, i64) -> String| {
        rows.iter().map(|&(_, _, at, by)| of(at, by)).collect::<Vec<_>>()
    };
    let number = |at: usize| &patching.candidate(at).number;
    let columns = vec![
        Column::count(
            "edits",
            "how many edits the patch has",
            rows.iter().map(|of| of.1 as u64).collect(),
        ),
        Column::text("card", "whose number it is", text(&|at, _| number(at).card.clone())),
        Column::text(
            "number",
            "the number, as a change of the card has it",
            text(&|at, _| number(at).key.clone()),
        ),
        Column::text("was", "what it was, over its levels", text(&|at, _| number(at).told(0))),
        Column::text("becomes", "what it becomes", text(&|at, by| number(at).told(by))),
        Column::number("by", "how much more that is", rows.iter().map(|of| of.3 as f64).collect()),
        Column::number(
            "price",
            "what that costs",
            rows.iter()
                .map(|&(_, _, at, by)| patching.candidate(at).price * by.unsigned_abs() as f64)
                .collect(),
        ),
        Column::text(
            "chosen",
            "whether it is an edit of the patch that was chosen: `yes` or `no`",
            rows.iter().map(|of| yes(of.0 == patching.found.chosen)).collect(),
        ),
    ];
    table(1, columns)
}

fn leads(patching: &Patching<'_>) -> Table {
    let goals = patching.task.goals;
    let fresh = |of: Option<&Confirmed>| -> Vec<Estimate> {
        (0..goals.len())
            .map(|at| of.map_or(Estimate::UNKNOWN, |of| patching.task.interval(at, of.leads[at])))
            .collect()
    };
    let search: Vec<f64> = patching.patch().leads.clone();
    let mut columns = vec![
        Column::text(
            patching.noun.replace('-', ""),
            "who should be even, or on target",
            goals.iter().map(|goal| goal.name.clone()).collect(),
        ),
        Column::number(
            "target",
            "the score that it should have, 0 to 1",
            goals.iter().map(|goal| goal.target).collect(),
        ),
    ];
    columns.extend(Column::estimates(
        "lead_before",
        "its score less its target as the scenario is, -1 to 1, in fresh battles; empty where it ended early",
        &fresh(patching.confirmed.first()),
    ));
    columns.push(Column::number(
        "lead_in_search",
        "the same with the patch, in the battles of the search: too good",
        search,
    ));
    columns.extend(Column::estimates(
        "lead_after",
        "the same with the patch, in fresh battles; empty where it ended early",
        &fresh(patching.chosen()),
    ));
    table(2, columns)
}

fn effects(patching: &Patching<'_>) -> Table {
    let goals = patching.task.goals;
    let mut rows: Vec<(usize, i64, usize)> = Vec::new();
    for (at, effects) in patching.found.effects.iter().enumerate() {
        for &by in effects.keys() {
            rows.extend((0..goals.len()).map(|goal| (at, by, goal)));
        }
    }
    let text =
        |of: &dyn Fn(usize, usize) -> String| rows.iter().map(|row| of(row.0, row.2)).collect();
    let number = |at: usize| &patching.candidate(at).number;
    let mut columns = vec![
        Column::text("card", "whose number it is", text(&|at, _| number(at).card.clone())),
        Column::text(
            "number",
            "the number, as a change of the card has it",
            text(&|at, _| number(at).key.clone()),
        ),
        Column::number(
            "by",
            "how much more it is, with nothing else changed",
            rows.iter().map(|row| row.1 as f64).collect(),
        ),
        Column::text(
            patching.noun.replace('-', ""),
            "whose score is looked at",
            text(&|_, goal| goals[goal].name.clone()),
        ),
    ];
    let effects: Vec<Estimate> = rows
        .iter()
        .map(|&(at, by, goal)| estimate(patching.found.effects[at][&by][goal]))
        .collect();
    columns.extend(Column::estimates(
        "effect",
        "what its score gains, -1 to 1, from the same battles with and without",
        &effects,
    ));
    table(3, columns)
}

fn side_effects(patching: &Patching<'_>) -> Table {
    let rows = patching.side_effects;
    let number = |of: &dyn Fn(&super::SideEffect) -> f64| rows.iter().map(of).collect::<Vec<f64>>();
    let differences: Vec<Estimate> = rows.iter().map(|of| of.difference).collect();
    let mut columns = vec![
        Column::text(
            "kind",
            "`match-up`, a kind of unit, `under a` ruleset, or `equilibrium`",
            rows.iter().map(|of| of.kind.clone()).collect(),
        ),
        Column::text("name", "whose score it is", rows.iter().map(|of| of.name.clone()).collect()),
        Column::number(
            "before",
            "the score as the scenario is, 0 to 1 (of a match-up that of side A, of an equilibrium the share)",
            number(&|of| of.before),
        ),
        Column::number("after", "the same with the patch", number(&|of| of.after)),
    ];
    columns.extend(Column::estimates(
        "difference",
        "how much more that is, from fresh battles, the same ones with and without the patch; shares of an equilibrium have no interval",
        &differences,
    ));
    columns.extend([
        Column::text(
            "own",
            "what it is compared with: the contender that it fights for, a match-up's first contender, or the same under all rulesets; empty where there is nothing",
            rows.iter().map(|of| of.own.as_ref().map_or_else(String::new, |own| own.0.clone())).collect(),
        ),
        Column::number(
            "own_difference",
            "the difference of what it is compared with, from the same battles, weighted by how often it fought for whom",
            number(&|of| of.own.as_ref().map_or(f64::NAN, |own| own.1)),
        ),
    ]);
    let beyond: Vec<Estimate> = rows.iter().map(|of| of.beyond).collect();
    columns.extend(Column::estimates(
        "beyond",
        "the difference less that of what it is compared with, from the same battles; the difference itself where there is nothing",
        &beyond,
    ));
    columns.extend([
        Column::number(
            "p_value",
            "how likely so much beyond what it is compared with would be if it moved alike",
            number(&|of| of.p_value),
        ),
        Column::number(
            "p_adjusted",
            "the same, adjusted for all of the table (Benjamini and Hochberg)",
            number(&|of| of.p_adjusted),
        ),
        Column::text(
            "told",
            "whether what is beyond is visible, larger than what is to be told, and not nearer to a target: `yes` or `no`",
            rows.iter().map(|of| yes(of.told)).collect(),
        ),
    ]);
    table(4, columns)
}
