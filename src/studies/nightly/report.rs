//! The texts and figures of the HTML report of a comparison with baselines.

use super::page::{
    INTERVALS, advice, again, by_chance, conditions, head, headline, headlines, notes as warnings,
    rule, verdict, visible, what, with_command,
};
use super::{Change, Compared};
use crate::report::figures::whole;
use crate::report::html::Series;
use crate::report::html::{
    Axis, Colours, Draft, Drawn, FORMAT, Figure, Mark, Notes, Said, Seen, Step, Unit, detail, room,
    title,
};
use crate::shell::command_on;
use crate::sorting::Sorting;
use crate::table::{Column, Table};

/// The name of the table of all comparisons.
pub const CHANGES: &str = "changes";
/// The most changes of a scenario that are drawn.
const MOST: usize = 40;

/// The table of every comparison: one row per scenario and figure.
#[must_use]
pub fn table(compared: &Compared<'_>) -> Table {
    let comparison = compared.comparison;
    let changes = &comparison.changes;
    let text = |of: &dyn Fn(&Change) -> String| changes.iter().map(of).collect::<Vec<_>>();
    let number = |of: &dyn Fn(&Change) -> f64| changes.iter().map(of).collect::<Vec<_>>();
    let mut alarms = vec![String::new(); changes.len()];
    for alarm in &comparison.alarms {
        for &at in std::iter::once(&alarm.shown).chain(&alarm.with) {
            alarms[at] = headline(comparison, alarm);
        }
    }
    let mut columns = vec![
        Column::text(
            "scenario",
            "the scenario",
            text(&|change| comparison.pairs[change.pair].new.scenario.clone()),
        ),
        Column::text("what", "what was compared", text(&|change| what(change, comparison.limits))),
        Column::text(
            "unit",
            "rate: a probability, 0 to 1; mean: of a metric, in its own unit",
            text(&|change| if change.quantity.is_rate() { "rate" } else { "mean" }.to_owned()),
        ),
    ];
    let estimates =
        |of: fn(&Change) -> crate::statistics::Estimate| changes.iter().map(of).collect::<Vec<_>>();
    columns.extend(Column::estimates(
        "baseline",
        "what it was",
        &estimates(|change| change.baseline),
    ));
    columns.extend(Column::estimates("new", "what it is", &estimates(|change| change.new)));
    columns.extend(Column::estimates(
        "difference",
        "how much more it is now",
        &estimates(|change| change.difference),
    ));
    columns.extend([
        Column::number(
            "tolerance",
            "what it may move by without counting",
            number(&|change| change.tolerance),
        ),
        Column::number(
            "in_tolerances",
            "the difference in tolerances",
            number(&|change| change.difference.value / change.tolerance),
        ),
        Column::number(
            "in_tolerances_low",
            "lower end of its 95% interval",
            number(&|change| change.difference.low / change.tolerance),
        ),
        Column::number(
            "in_tolerances_high",
            "upper end of its 95% interval",
            number(&|change| change.difference.high / change.tolerance),
        ),
        Column::number(
            "p_value",
            "how likely a change as large would be if there were none",
            number(&|change| change.p_value),
        ),
        Column::number(
            "p_adjusted",
            "the same, adjusted for all comparisons (Holm)",
            number(&|change| change.adjusted),
        ),
        Column::flag(
            "counts",
            "whether it is significant and larger than its tolerance",
            changes.iter().map(|change| change.counts).collect(),
        ),
        Column::text("alarm", "where it counts: the change that it goes with, or itself", alarms),
        Column::count(
            "paired",
            "appearances in battles that were played in both with the same dice, which the difference is also made of",
            changes.iter().map(|change| change.paired).collect(),
        ),
    ]);
    Table { name: CHANGES.to_owned(), columns }
}

/// What a report of a comparison is about, which the comparison itself does not tell.
#[derive(Clone, Debug, Default)]
pub struct About {
    /// The command that compares, by its name.
    pub study: &'static str,
    /// The question that it answers.
    pub question: String,
    /// The command line that makes the comparison again.
    pub command: String,
    /// Whether the runs are of different seeds, none of which the command names.
    pub of_several_runs: bool,
    /// Of two card files: how the second differs, in a sentence.
    pub other: Option<String>,
    /// The cards that are other in it.
    pub cards: Vec<String>,
}

/// The report of a comparison.
#[must_use]
pub fn report(compared: &Compared<'_>, about: About) -> Draft {
    let comparison = compared.comparison;
    let counting = comparison.counting();
    let mut notes = Notes {
        format: FORMAT,
        study: about.study.to_owned(),
        question: Some(about.question),
        answer: vec![Said::found(!comparison.is_all_clear(), verdict(comparison))],
        intervals: INTERVALS.to_owned(),
        command: about.command,
        of_several_runs: about.of_several_runs,
        ..Notes::default()
    };
    notes.answer.extend(headlines(comparison).into_iter().map(Said::plain));
    notes.answer.extend(about.other.map(Said::plain));
    notes.matters = about.cards;
    notes.answer.extend(head(comparison).into_iter().map(Said::plain));
    notes.answer.extend(warnings(compared).into_iter().map(Said::plain));
    notes.answer.extend(again(comparison).into_iter().map(Said::plain));
    notes.answer.push(Said::plain(rule(comparison)));
    notes.answer.push(Said::plain(by_chance(comparison)));
    notes.answer.extend(
        visible(comparison).map(|(text, command)| Said::plain(with_command(text, command))),
    );
    notes.answer.extend(conditions(comparison).into_iter().map(Said::plain));
    notes.matters.extend(advice(compared));
    // What two card files were compared on is no scenario that could be run by its name.
    if let Some(change) = counting.first().filter(|_| comparison.coverage.is_none()) {
        let scenario = &comparison.pairs[change.pair].new.scenario;
        notes.next.push(Step {
            text: "What the scenario looks like now".to_owned(),
            command: format!("{} --report run.html", command_on("run", scenario)),
        });
    }
    let is_of_files = comparison.coverage.is_some();
    let (since, than) = match is_of_files {
        true => ("is from what it is with the first file", "with the first file"),
        false => ("moved since its baseline", "in the baseline"),
    };
    let mut marks = Vec::new();
    let mut hidden = 0;
    for (at, pair) in comparison.pairs.iter().enumerate() {
        let size = |row: usize| {
            let change = &comparison.changes[row];
            (change.difference.value / change.tolerance).abs()
        };
        let of_pair =
            (0..comparison.changes.len()).filter(|&row| comparison.changes[row].pair == at);
        // A change without a tolerance has no size in common with the others.
        let mut rows: Vec<usize> = of_pair.filter(|&row| size(row).is_finite()).collect();
        rows.put_in_order_by(|&a, &b| {
            let counts = |row: usize| comparison.changes[row].counts;
            counts(b).cmp(&counts(a)).then(size(b).total_cmp(&size(a)))
        });
        hidden += rows.len().saturating_sub(MOST);
        rows.truncate(MOST);
        marks.extend(rows.into_iter().map(|row| {
            let change = &comparison.changes[row];
            Mark {
                row,
                label: what(change, comparison.limits),
                group: if comparison.pairs.len() > 1 {
                    pair.new.scenario.clone()
                } else {
                    String::new()
                },
                seen: Seen::of(change.counts, change.difference.value),
                ..Mark::default()
            }
        }));
    }
    let mut figure = Figure {
        id: "changes".to_owned(),
        judged: true,
        name: "Changes".to_owned(),
        title: title(&notes.answer[0].text),
        about: format!(
            "How far each figure {since}, in tolerances, with 95% confidence intervals that are not adjusted. Blue where it \
             counts as more than {than}, orange as less; hollow where it does not count. {}",
            rule(comparison)
        ),
        table: CHANGES.to_owned(),
        series: vec![Series { column: "in_tolerances".to_owned(), name: "change".to_owned() }],
        axis: Axis {
            label: match is_of_files {
                true => "difference, in tolerances".to_owned(),
                false => "change, in tolerances".to_owned(),
            },
            unit: Unit::Number,
            even: Some(0.0),
            logarithmic: false,
        },
        group_noun: "scenario".to_owned(),
        colours: Some(Colours::of_changes(than)),
        details: vec![
            detail("baseline", if is_of_files { "first file" } else { "baseline" }, Unit::Number),
            detail("new", if is_of_files { "second file" } else { "now" }, Unit::Number),
            detail("difference", "difference", Unit::Number),
            detail("p_adjusted", "adjusted p", Unit::P),
        ],
        rest: match hidden {
            0 => String::new(),
            hidden => format!("The table has {} smaller ones.", whole(hidden as u64)),
        },
        ..Figure::default()
    };
    room(&mut figure, marks);
    if !figure.marks.is_empty() {
        notes.figures.push(figure);
    }
    Draft { notes, tables: vec![Drawn::whole(table(compared))] }
}
