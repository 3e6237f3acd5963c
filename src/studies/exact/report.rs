//! The HTML report of exact odds: its sentences and figures.

use std::borrow::Cow;
use std::collections::BTreeSet;

use num_rational::BigRational;
use num_traits::{ToPrimitive, Zero};

use super::page::{Exactly, bounds, forfeits, is_decided, which};
use super::score::score;
use super::{ExactTable, orders_table, table};
use crate::game::Side;
use crate::report::figures::{capital, counted, named, whole};
use crate::report::html::{
    Across, Axis, Draft, Drawn, FORMAT, Figure, Kind, Mark, Notes, Said, Step, Trace, Unit, detail,
    one, room,
};
use crate::report::page::paragraphs;
use crate::shell::command_on;
use crate::statistics::Estimate;
use crate::table::{Column, Table};
use crate::tally::OutcomeMeasure;
use crate::walk::Odds;

/// The largest number of rows that a figure shows; the table has the rest.
const MOST_ROWS: usize = 60;
/// The largest number of orders, over all moments, that a figure shows; the table has the rest.
const MOST_ORDERS: usize = 60;
/// Up to this many match-ups have sentences of their own.
const FEW: usize = 6;

/// Drafts the HTML report of exact odds.
#[must_use]
pub fn report(exactly: &Exactly<'_>, seed: u64, command: String) -> Draft {
    let Exactly { layout, odds, measure, scenario, .. } = *exactly;
    let trace = Trace { scenario, seed };
    let mut notes = Notes {
        format: FORMAT,
        study: "exact".to_owned(),
        question: exactly.question.map(str::to_owned),
        intervals: match exactly.is_complete() {
            true => "These odds are exact: every outcome was walked, and nothing was sampled."
                .to_owned(),
            false => "Lines are bounds, not confidence intervals: nothing was sampled.".to_owned(),
        },
        command,
        ..Notes::default()
    };
    if !exactly.is_complete() {
        let lines = paragraphs(|page| bounds(page, exactly));
        notes.answer.extend(lines.into_iter().map(|line| Said::found(false, line)));
    }
    let mut rows = Vec::new();
    // Half each is no answer where nobody can win.
    let is_won = |of: &Odds| !of.open().is_zero() || is_decided(of);
    let nobody: Vec<String> = odds
        .iter()
        .zip(&layout.matchups)
        .filter(|(of, _)| !is_won(of))
        .map(|(_, matchup)| matchup.label())
        .collect();
    match nobody.len() {
        0 => {}
        1 if odds.len() == 1 => notes.answer.push(Said::plain("Nobody wins here.")),
        _ => notes.answer.push(Said::plain(format!("Nobody wins in {}.", named(&nobody, FEW)))),
    }
    for (at, of) in odds.iter().enumerate().filter(|(_, of)| is_won(of)) {
        for side in (0..layout.sides as u8).map(Side) {
            if let Some([low, high]) =
                score(&|outcome| of.of(outcome), &of.open(), measure, side, layout.sides)
            {
                rows.push(Score { matchup: at, side, low, high });
            }
        }
    }
    let sentences: Vec<String> = rows.iter().map(|row| row.in_words(exactly)).collect();
    let is_told = |row: &Score| row.side == Side::A || !measure.is_mirrored(layout.sides);
    if odds.len() <= FEW {
        let told = rows.iter().zip(&sentences).filter(|(row, _)| is_told(row));
        notes.answer.extend(told.map(|(_, sentence)| Said::plain(sentence.clone())));
        let forfeited = odds.iter().enumerate().filter_map(|(at, of)| {
            let said = forfeits(of, "the outcomes; lengths, metrics and orders are")?;
            let matchup = layout.matchups[at].label();
            Some(if odds.len() == 1 { said } else { format!("{matchup}: {said}") })
        });
        notes.answer.extend(forfeited.map(Said::plain));
    }
    let (ways, states) = (exactly.ways(), exactly.states() as u64);
    notes.answer.push(Said::plain(format!(
        "Walked: {} through a round, and at most {} at once.",
        counted(ways, "way"),
        counted(states, "state")
    )));
    notes.next.push(Step { text: "A battle, step by step".to_owned(), command: trace.battle(0) });
    notes.next.push(Step {
        text: "The same by sampling, with cards and orders".to_owned(),
        command: format!("{} --report run.html", command_on("run", scenario)),
    });
    let mut draft = Draft { notes, tables: Vec::new() };
    scores(&mut draft, exactly, &rows, &sentences, &trace);
    of_table(&mut draft, exactly);
    orders(&mut draft, exactly);
    draft
}

/// The score of one side in one match-up, exact (`low` equals `high`) or between bounds.
struct Score {
    matchup: usize,
    side: Side,
    low: BigRational,
    high: BigRational,
}

impl Score {
    fn in_words(&self, exactly: &Exactly<'_>) -> String {
        let matchup = &exactly.layout.matchups[self.matchup];
        let who = &matchup.contenders[self.side.index()];
        let against = match exactly.layout.sides {
            2 => format!(" against {}", matchup.contenders[1 - self.side.index()]),
            _ => format!(" in {}", matchup.label()),
        };
        let (verb, of_what) = (exactly.measure.verb(), exactly.measure.of_what());
        let open = &self.high - &self.low;
        let figure = super::fraction::percent(&self.low, &open);
        let exact = match super::fraction::exactly(&self.low) {
            _ if !open.is_zero() => String::new(),
            long if long.starts_with('≈') => format!(", {long}"),
            short => format!(", exactly {short}"),
        };
        let side = format!("side {}", self.side);
        let who = if *who == side { capital(&side) } else { format!("{who} as {side}") };
        format!("{who} {verb} {figure}{of_what}{against}{exact}.")
    }
}

fn float(of: &BigRational) -> f64 {
    of.to_f64().unwrap_or(f64::NAN)
}

fn scores(
    draft: &mut Draft,
    exactly: &Exactly<'_>,
    rows: &[Score],
    sentences: &[String],
    trace: &Trace<'_>,
) {
    let Exactly { layout, measure, .. } = *exactly;
    if rows.is_empty() {
        return;
    }
    let estimates: Vec<Estimate> = rows
        .iter()
        .map(|row| {
            let [low, high] = [&row.low, &row.high].map(float);
            Estimate { value: f64::midpoint(low, high), low, high }
        })
        .collect();
    let label = |row: &Score| layout.matchups[row.matchup].label();
    let mut columns = vec![
        Column::text("matchup", "who meets whom, side A first", rows.iter().map(label).collect()),
        Column::text("side", "the side", rows.iter().map(|row| row.side.to_string()).collect()),
    ];
    let named = ["", "_low", "_high"].into_iter().zip([
        "in the middle of its bounds; exact where these are the same",
        "at least",
        "at most",
    ]);
    let picks: [fn(&Estimate) -> f64; 3] = [|of| of.value, |of| of.low, |of| of.high];
    columns.extend(named.zip(picks).map(|((end, meaning), pick)| {
        Column::number(
            format!("{}{end}", measure.column()),
            format!("{}, 0 to 1: {meaning}", measure.meaning()),
            estimates.iter().map(pick).collect(),
        )
    }));
    columns.push(Column::text(
        "exactly",
        "the same as a fraction, at least",
        rows.iter().map(|row| row.low.to_string()).collect(),
    ));
    let table = Table { name: "exact_scores".to_owned(), columns };
    let is_mirrored = measure.is_mirrored(layout.sides);
    let marks = rows.iter().enumerate().filter(|(_, row)| !is_mirrored || row.side == Side::A);
    let marks = marks.map(|(at, row)| Mark {
        row: at,
        label: match is_mirrored {
            true => label(row),
            false => format!("{}, side {}", label(row), row.side),
        },
        trace: trace.battle(row.matchup),
        ..Mark::default()
    });
    let mut figure = Figure {
        id: "scores".to_owned(),
        name: "Scores".to_owned(),
        title: match exactly.odds.len() {
            1 => crate::report::html::title(&sentences[0]),
            count if exactly.is_complete() => {
                format!("Exact scores of {} match-ups", whole(count as u64))
            }
            count => format!("Bounds on the scores of {} match-ups", whole(count as u64)),
        },
        about: format!(
            "{}: {}. Exact where there is a dot alone, at least and at most where there is a line.",
            capital(measure.figure()),
            measure.meaning()
        ),
        table: table.name.clone(),
        series: one(measure.column(), measure.noun()),
        axis: Axis {
            label: measure.figure().to_owned(),
            even: (measure == OutcomeMeasure::Score).then(|| OutcomeMeasure::even(layout.sides)),
            ..Axis::default()
        },
        ..Figure::default()
    };
    room(&mut figure, marks.collect());
    draft.notes.figures.push(figure);
    draft.tables.push(Drawn::part(table));
}

/// The words that follow `a battle` in a figure over all match-ups that leaves forfeited battles out; empty if there
/// are none.
fn which_of_all(odds: &[Odds]) -> &'static str {
    odds.iter().map(which).find(|which| !which.is_empty()).unwrap_or_default()
}

/// Adds the figures from the table `exact` other than scores: outcomes, lengths and results.
fn of_table(draft: &mut Draft, exactly: &Exactly<'_>) {
    let Exactly { layout, odds, measure, .. } = *exactly;
    let table = table(layout, odds, measure, exactly.can_be_undecided);
    outcomes(draft, exactly, &table);
    lengths(draft, exactly, &table);
    results(draft, exactly, &table);
    draft.tables.push(Drawn::whole(table));
}

/// The text of a table's cell in a row of a column; empty without such a column.
fn shown<'t>(table: &'t Table, column: &str, row: usize) -> Cow<'t, str> {
    let found = table.columns.iter().find(|of| of.name == column);
    found.map_or_else(Cow::default, |column| column.values.shown(row))
}

/// The text of a table's cell, followed by the row's odds as a fraction where these are exact and the fraction is
/// short.
fn with_fraction(table: &Table, column: &str, row: usize) -> String {
    const SHORT: usize = 9;
    let [what, odds] = [column, "exactly"].map(|of| shown(table, of, row));
    // All games so far count whole numbers.
    let what = what.trim_end_matches(".0");
    let is_exact = shown(table, "odds", row) == shown(table, "odds_at_most", row);
    match is_exact && odds.contains('/') && odds.len() <= SHORT {
        true => format!("{what}, exactly {odds}"),
        false => what.to_owned(),
    }
}

/// The indices of the rows of the table `exact` with this text in its column `about`.
fn rows_about(table: &Table, about: &str) -> Vec<usize> {
    (0..table.rows()).filter(|&row| shown(table, "about", row) == about).collect()
}

/// A figure of odds in the table `exact`, one mark for each of these rows.
fn of_odds(id: &str, name: &str, title: String, about: String, marks: Vec<Mark>) -> Figure {
    let more = marks.len().saturating_sub(MOST_ROWS) as u64;
    Figure {
        id: id.to_owned(),
        name: name.to_owned(),
        title,
        about,
        table: ExactTable::Exact.to_string(),
        series: one("odds", "odds"),
        axis: Axis { label: "odds".to_owned(), ..Axis::default() },
        details: vec![detail("odds_at_most", "at most", Unit::Percent)],
        marks: marks.into_iter().take(MOST_ROWS).collect(),
        rest: match more {
            0 => String::new(),
            more => format!("The table has {} more.", whole(more)),
        },
        ..Figure::default()
    }
}

/// Adds the figure of how battles end, as a whole and under each condition.
fn outcomes(draft: &mut Draft, exactly: &Exactly<'_>, table: &Table) {
    let several = exactly.layout.matchups.len() > 1;
    let is_drawn = exactly.odds.iter().any(|of| !of.conditions.is_empty());
    let marks = rows_about(table, "outcome").into_iter().map(|row| {
        let [matchup, condition] = ["matchup", "condition"].map(|of| shown(table, of, row));
        let condition = match (condition.is_empty(), is_drawn) {
            (true, true) => Some(Cow::from("whatever is drawn")),
            (true, false) => None,
            (false, _) => Some(condition),
        };
        let parts = [several.then_some(matchup), condition];
        Mark {
            row,
            label: with_fraction(table, "item", row),
            group: parts.into_iter().flatten().collect::<Vec<_>>().join(", "),
            ..Mark::default()
        }
    });
    let mut figure = of_odds(
        "outcomes",
        "Outcomes",
        "How battles end".to_owned(),
        "How likely a battle ends so, as a whole and under each condition; at least, where not all is decided.".to_owned(),
        marks.collect(),
    );
    figure.group_noun = "match-up and condition".to_owned();
    draft.notes.figures.push(figure);
}

/// Adds the figure of the results that the game counts at the end of a battle, if it counts any.
fn results(draft: &mut Draft, exactly: &Exactly<'_>, table: &Table) {
    let Exactly { layout, odds, .. } = *exactly;
    let rows = rows_about(table, "result");
    if rows.is_empty() {
        return;
    }
    let items: BTreeSet<Cow<'_, str>> = rows.iter().map(|&row| shown(table, "item", row)).collect();
    let what = match items.first() {
        Some(item) if items.len() == 1 => item.replace('_', " "),
        _ => "What is counted".to_owned(),
    };
    let marks = rows.into_iter().map(|row| {
        let [matchup, item] = ["matchup", "item"].map(|of| shown(table, of, row));
        Mark {
            row,
            label: with_fraction(table, "value", row),
            group: match layout.matchups.len() {
                1 => item.into_owned(),
                _ => format!("{matchup}: {item}"),
            },
            ..Mark::default()
        }
    });
    let which = which_of_all(odds);
    let mut figure = of_odds(
        "results",
        "Results",
        format!("{} at the end of a battle{which}", capital(&what)),
        format!(
            "How likely a battle{which} ends with each number; at least, where not all is decided."
        ),
        marks.collect(),
    );
    figure.group_noun = "result".to_owned();
    draft.notes.figures.push(figure);
}

/// Adds the figure of how long battles last, unless there are no more lengths than match-ups.
fn lengths(draft: &mut Draft, exactly: &Exactly<'_>, table: &Table) {
    let Exactly { layout, odds, .. } = *exactly;
    let rows = rows_about(table, "length");
    if rows.len() <= odds.len() {
        return;
    }
    let noun = layout.round_noun;
    let length = |row: usize| shown(table, "value", row);
    let marks = rows.iter().map(|&row| Mark {
        row,
        label: length(row).trim_end_matches(".0").to_owned(),
        group: match odds.len() {
            1 => String::new(),
            _ => shown(table, "matchup", row).into_owned(),
        },
        ..Mark::default()
    });
    let mut all: Vec<f64> = rows.iter().filter_map(|&row| length(row).parse().ok()).collect();
    all.sort_by(f64::total_cmp);
    let [shortest, longest] = [all.first(), all.last()].map(|of| of.copied().unwrap_or(0.0));
    let which = which_of_all(odds);
    let mut figure = Figure {
        id: "lengths".to_owned(),
        name: "Lengths".to_owned(),
        kind: Kind::Columns,
        title: format!("A battle{which} lasts {shortest} to {longest} {noun}s"),
        about: format!(
            "How likely a battle{which} lasts so long; at least, where not all is decided."
        ),
        table: ExactTable::Exact.to_string(),
        series: one("odds", "odds"),
        axis: Axis { label: "odds".to_owned(), ..Axis::default() },
        across: Some(Across {
            column: "value".to_owned(),
            axis: Axis { label: format!("{noun}s"), unit: Unit::Count, ..Axis::default() },
        }),
        group_noun: "match-up".to_owned(),
        details: vec![detail("odds_at_most", "at most", Unit::Percent)],
        ..Figure::default()
    };
    room(&mut figure, marks.collect());
    draft.notes.figures.push(figure);
}

/// Adds the figure of the orders in which things happen, if there are any.
fn orders(draft: &mut Draft, exactly: &Exactly<'_>) {
    let Exactly { layout, odds, .. } = *exactly;
    let table = orders_table(layout, odds);
    let several = layout.matchups.len() > 1;
    let marks: Vec<Mark> = (0..table.rows())
        .take(MOST_ORDERS)
        .map(|row| Mark {
            row,
            label: shown(&table, "order", row).into_owned(),
            group: match several {
                true => {
                    format!("{}: {}", shown(&table, "matchup", row), shown(&table, "moment", row))
                }
                false => shown(&table, "moment", row).into_owned(),
            },
            ..Mark::default()
        })
        .collect();
    if marks.is_empty() {
        return;
    }
    let mut details = vec![detail("times", "times a battle", Unit::Number)];
    details.extend((0..layout.sides).map(|side| {
        let letter = Side(side as u8);
        let column = format!("win_odds_{}", crate::table::side_suffix(side));
        detail(&column, &format!("side {letter} wins then"), Unit::Percent)
    }));
    draft.notes.figures.push(Figure {
        id: "orders".to_owned(),
        name: "Orders".to_owned(),
        title: format!("{} of things were met", counted(table.rows() as u64, "order")),
        about: format!(
            "How likely each order comes up at least once in a battle{}, exactly.",
            which_of_all(odds)
        ),
        table: table.name.clone(),
        series: one("odds", "odds"),
        axis: Axis { label: "odds".to_owned(), ..Axis::default() },
        group_noun: "moment".to_owned(),
        details,
        rest: match table.rows().saturating_sub(MOST_ORDERS) {
            0 => String::new(),
            more => format!("The table has {} more.", whole(more as u64)),
        },
        marks,
        ..Figure::default()
    });
    draft.tables.push(Drawn::whole(table));
}
