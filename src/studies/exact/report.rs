//! What the HTML report of exact odds says and draws.

use num_rational::BigRational;
use num_traits::{ToPrimitive, Zero};

use super::page::{Exactly, bounds, which};
use super::score::score;
use super::{ExactTable, orders_table, table};
use crate::game::Side;
use crate::report::figures::{capital, counted, whole};
use crate::report::html::{
    Across, Axis, Draft, Drawn, FORMAT, Figure, Kind, Mark, Notes, Said, Step, Trace, Unit, detail,
    one, room,
};
use crate::report::page::paragraphs;
use crate::shell::command_on;
use crate::statistics::Estimate;
use crate::table::{Column, Table, Values};
use crate::tally::OutcomeMeasure;
use crate::walk::Odds;

/// More orders of all moments are left to the table.
const MOST_ORDERS: usize = 60;
/// As many match-ups have sentences of their own.
const FEW: usize = 6;

/// The report of exact odds.
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
    for (at, of) in odds.iter().enumerate() {
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
    lengths(&mut draft, exactly);
    orders(&mut draft, exactly);
    draft
}

/// What a side scores, exactly or between bounds.
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
        let exact = if open.is_zero() {
            format!(", exactly {}", super::fraction::exactly(&self.low))
        } else {
            String::new()
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

/// Which battles a figure is of that leaves forfeits out, after `a battle`.
fn which_of_all(odds: &[Odds]) -> &'static str {
    odds.iter().map(which).find(|which| !which.is_empty()).unwrap_or_default()
}

/// The rows of the table `exact` that are about lengths.
fn lengths(draft: &mut Draft, exactly: &Exactly<'_>) {
    let Exactly { layout, odds, measure, .. } = *exactly;
    let whole_table = table(layout, odds, measure);
    let text = |name: &str| {
        whole_table.columns.iter().find(|column| column.name == name).map(|column| &column.values)
    };
    let (Some(Values::Text(about)), Some(Values::Text(matchup)), Some(Values::Number(value))) =
        (text("about"), text("matchup"), text("value"))
    else {
        return;
    };
    let rows: Vec<usize> = (0..whole_table.rows()).filter(|&row| about[row] == "length").collect();
    let noun = layout.round_noun;
    let marks: Vec<Mark> = rows
        .iter()
        .map(|&row| Mark {
            row,
            label: value[row].to_string(),
            group: if odds.len() > 1 { matchup[row].clone() } else { String::new() },
            ..Mark::default()
        })
        .collect();
    if rows.len() > odds.len() {
        let longest = rows.iter().map(|&row| value[row]).fold(0.0, f64::max);
        let shortest = rows.iter().map(|&row| value[row]).fold(f64::INFINITY, f64::min);
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
        room(&mut figure, marks);
        draft.notes.figures.push(figure);
        draft.tables.push(Drawn::whole(whole_table));
    }
}

/// In which order things happen.
fn orders(draft: &mut Draft, exactly: &Exactly<'_>) {
    let Exactly { layout, odds, .. } = *exactly;
    let table = orders_table(layout, odds);
    let column = |name: &str| {
        table.columns.iter().find(|column| column.name == name).map(|column| &column.values)
    };
    let (Some(Values::Text(matchup)), Some(Values::Text(moment)), Some(Values::Text(order))) =
        (column("matchup"), column("moment"), column("order"))
    else {
        return;
    };
    let several = layout.matchups.len() > 1;
    let marks: Vec<Mark> = (0..table.rows())
        .take(MOST_ORDERS)
        .map(|row| Mark {
            row,
            label: order[row].clone(),
            group: match several {
                true => format!("{}: {}", matchup[row], moment[row]),
                false => moment[row].clone(),
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
