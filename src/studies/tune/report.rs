//! The HTML report of a tuning, and the tables that its figures are drawn from.

use super::page::{forfeits, matters_nothing, verdict};
use super::{How, Tuning, shares};
use crate::report::figures::capital;
use crate::report::html::{
    Axis, Draft, Drawn, FORMAT, Figure, Live, Mark, Notes, Preset, Said, ScenarioText, Series,
    Step, Trace, Unit, Whose, detail, one, room,
};
use crate::report::page::paragraphs;
use crate::shell::command_on;
use crate::sorting::Sorting;
use crate::statistics::{Equivalence, Estimate, Level};
use crate::studies::live;
use crate::table::{Column, Provenance, Table};

/// The names of the tables.
pub const TABLES: [&str; 3] = ["tuned_leads", "tuned_weights", "tuned_trade_off"];

/// The tables of a tuning.
#[must_use]
pub fn tables(tuning: &Tuning<'_>) -> [Table; 3] {
    [leads_table(tuning), weights_table(tuning), trade_off_table(tuning)]
}

fn leads_table(tuning: &Tuning<'_>) -> Table {
    let contenders = tuning.played.contenders;
    let leads = tuning.leads();
    let mut columns = vec![
        Column::text(
            tuning.contender_noun.replace('-', ""),
            "who should be even, or on target",
            contenders.iter().map(|of| of.name.clone()).collect(),
        ),
        Column::number(
            "target",
            "the score that it should have, 0 to 1",
            contenders.iter().map(|of| of.target).collect(),
        ),
    ];
    let estimates =
        |of: &dyn Fn(&super::Leads) -> Estimate| leads.iter().map(of).collect::<Vec<_>>();
    columns.extend(Column::estimates(
        "lead_before",
        "its score less its target with the scenario's weights, -1 to 1",
        &estimates(&|of| of.before),
    ));
    columns.extend(Column::estimates(
        "lead_predicted",
        "the same with the weights that were found, in the battles that they were fitted to",
        &estimates(&|of| of.predicted),
    ));
    columns.extend(Column::estimates(
        "lead_confirmed",
        "the same in fresh battles; empty where it ended early",
        &estimates(&|of| of.confirmed.unwrap_or(Estimate::UNKNOWN)),
    ));
    Table { name: TABLES[0].to_owned(), columns }
}

fn weights_table(tuning: &Tuning<'_>) -> Table {
    let model = tuning.played.model;
    let noun = tuning.played.layout.factor_noun;
    let [before, after] =
        [&tuning.odds_before(), &tuning.tuned.probabilities].map(|odds| shares(model, odds));
    let spread = tuning.tuned.spread.as_deref();
    let weights: Vec<Estimate> = tuning
        .tuned
        .weights
        .iter()
        .enumerate()
        .map(|(at, &value)| {
            let (low, high) = spread.map_or((f64::NAN, f64::NAN), |spread| spread[at]);
            Estimate { value, low, high }
        })
        .collect();
    let mut columns = vec![
        Column::text(noun, format!("the {noun}"), model.names().to_vec()),
        Column::number("weight_before", "the scenario's weight", model.weights().to_vec()),
    ];
    columns.extend(Column::estimates(
        "weight",
        "the weight that was found (bootstrap interval)",
        &weights,
    ));
    columns.push(Column::number(
        "share_before",
        "share of battles with it, 0 to 1, before",
        before,
    ));
    columns.push(Column::number(
        "share",
        "the same with the weights that were found",
        after.clone(),
    ));
    columns.push(Column::text(
        "limit",
        "what keeps the weight from going further",
        (0..after.len()).map(|at| tuning.limit(at, after[at])).collect(),
    ));
    Table { name: TABLES[1].to_owned(), columns }
}

fn trade_off_table(tuning: &Tuning<'_>) -> Table {
    let rows = tuning.trade_off;
    let number = |of: &dyn Fn(&super::Compromise) -> f64| rows.iter().map(of).collect::<Vec<_>>();
    let how = |row: &super::Compromise| super::page::how(row.how);
    Table {
        name: TABLES[2].to_owned(),
        columns: vec![
            Column::text("how", "how far weights may move", rows.iter().map(how).collect()),
            Column::number(
                "at_most",
                "the factor by which a weight may change at most; empty for bounds and prices",
                number(&|row| match row.how {
                    How::AtMost(factor) => factor,
                    How::Bounds | How::Price(_) => f64::NAN,
                }),
            ),
            Column::number(
                "largest_lead",
                "the largest lead that remains, 0 to 1, as predicted",
                number(&|row| row.largest),
            ),
            Column::number(
                "typical_lead",
                "the root of the mean square of the leads, 0 to 1; as they are, where nothing is fitted, less what chance adds to it",
                number(&|row| row.typical),
            ),
            Column::number(
                "draws_changed",
                "share of the battles that are drawn otherwise, 0 to 1",
                number(&|row| row.moved),
            ),
            Column::number(
                "most_moved",
                "the factor by which the weight changes that changes most",
                number(&|row| row.factor),
            ),
        ],
    }
}

/// Drafts the HTML report of a tuning.
#[must_use]
pub fn report(
    tuning: &Tuning<'_>,
    provenance: &Provenance,
    command: String,
    scenario: Option<ScenarioText>,
) -> Draft {
    let trace = Trace { scenario: &provenance.scenario, seed: provenance.seed };
    let is_shown = tuning.verdict().is_some_and(|found| found.result == Equivalence::Shown);
    let lines = paragraphs(|page| verdict(page, tuning)).into_iter().enumerate();
    let answer = lines
        .map(|(at, line)| if at == 0 { Said::found(is_shown, line) } else { Said::plain(line) });
    let noun = tuning.played.layout.factor_noun;
    let mut notes = Notes {
        format: FORMAT,
        study: "tune".to_owned(),
        question: tuning.question.map(str::to_owned),
        answer: answer.collect(),
        intervals: "In parentheses: 95% confidence intervals of each lead alone; of weights, bootstrap intervals. The verdict \
                    holds for all leads at once."
            .to_owned(),
        command,
        scenario,
        live: live(tuning),
        ..Notes::default()
    };
    let nothing = matters_nothing(tuning);
    notes.answer.extend(nothing.clone().map(Said::plain));
    notes.answer.extend(forfeits(tuning).map(Said::plain));
    notes.next.push(Step {
        text: "What each of the weights does by itself, from the same battles with and without"
            .to_owned(),
        command: format!("{} --report effects.html", command_on("effects", &provenance.scenario)),
    });
    notes.next.push(Step {
        text: "A typical battle, step by step".to_owned(),
        command: trace.pick("typical", &[]),
    });
    leads(&mut notes, tuning);
    weights(&mut notes, tuning, noun);
    trade_off(&mut notes, tuning);
    // Readers who look at a single figure are told as well.
    let of_weights = notes.figures.iter_mut().filter(|figure| figure.id != "leads");
    for (figure, nothing) in of_weights.zip(nothing.iter().cycle()) {
        figure.about = format!("{nothing} {}", figure.about);
    }
    Draft { notes, tables: tables(tuning).into_iter().map(Drawn::whole).collect() }
}

fn leads(notes: &mut Notes, tuning: &Tuning<'_>) {
    let leads = tuning.leads();
    let mut order: Vec<usize> =
        (0..leads.len()).filter(|&at| !leads[at].before.value.is_nan()).collect();
    order.put_in_order_by(|&a, &b| leads[b].before.value.total_cmp(&leads[a].before.value));
    let marks = order.into_iter().map(|row| Mark {
        row,
        label: tuning.played.contenders[row].name.clone(),
        ..Mark::default()
    });
    let series =
        |column: &str, name: &str| Series { column: column.to_owned(), name: name.to_owned() };
    let mut all = vec![series("lead_before", "with the scenario's weights")];
    all.push(series("lead_predicted", "predicted"));
    all.extend(tuning.confirmed.map(|_| series("lead_confirmed", "confirmed by fresh battles")));
    let mut figure = Figure {
        id: "leads".to_owned(),
        name: "Leads".to_owned(),
        title: notes.answer.get(1).or(notes.answer.first()).map_or_else(String::new, |said| {
            let end = said.text.find("; the typical").unwrap_or(said.text.len());
            let text = said.text[..end].replace(
                "With the scenario's weights it was",
                "With the scenario's weights the largest lead was",
            );
            crate::report::html::title(&text)
        }),
        about: format!(
            "A {}'s score less its target, with 95% confidence intervals of each lead alone. Predicted: from the battles that \
             the weights were fitted to, and optimistic. Confirmed: from fresh ones.",
            tuning.contender_noun
        ),
        table: TABLES[0].to_owned(),
        series: all,
        axis: Axis {
            label: "lead".to_owned(),
            unit: Unit::Points,
            even: Some(0.0),
            logarithmic: false,
        },
        details: vec![detail("target", "target", Unit::Percent)],
        ..Figure::default()
    };
    room(&mut figure, marks.collect());
    notes.figures.push(figure);
}

fn weights(notes: &mut Notes, tuning: &Tuning<'_>, noun: &str) {
    let model = tuning.played.model;
    let weight = |at: usize| tuning.tuned.weights[at];
    let mut order: Vec<usize> = (0..model.names().len()).filter(|&at| weight(at) > 0.0).collect();
    order.put_in_order_by(|&a, &b| weight(b).total_cmp(&weight(a)).then(a.cmp(&b)));
    let moved = order.iter().filter(|&&at| weight(at) != model.weights()[at]).count();
    let marks =
        order.iter().map(|&row| Mark { row, label: model.names()[row].clone(), ..Mark::default() });
    let mut figure = Figure {
        id: "found".to_owned(),
        name: "Weights".to_owned(),
        title: format!("{moved} of {} weights move", order.len()),
        about: format!(
            "The weight of each {noun} with its 95% bootstrap interval; a wide one says that many weights do nearly as well."
        ),
        table: TABLES[1].to_owned(),
        series: one("weight", "weight"),
        axis: Axis {
            label: "weight".to_owned(),
            unit: Unit::Number,
            even: None,
            logarithmic: true,
        },
        details: vec![
            detail("weight_before", "was", Unit::Number),
            detail("share_before", "share before", Unit::Percent),
            detail("share", "share now", Unit::Percent),
        ],
        ..Figure::default()
    };
    room(&mut figure, marks.collect());
    notes.figures.push(figure);
}

fn trade_off(notes: &mut Notes, tuning: &Tuning<'_>) {
    let marks = tuning.trade_off.iter().enumerate().map(|(row, of)| Mark {
        row,
        label: format!("{}{}", super::page::how(of.how), if of.chosen { " (chosen)" } else { "" }),
        ..Mark::default()
    });
    let chosen = tuning.trade_off.iter().find(|row| row.chosen);
    let mut figure = Figure {
        id: "trade-off".to_owned(),
        name: "Evenness against closeness".to_owned(),
        title: match chosen {
            Some(row) => format!(
                "{}: a largest lead of {:.2} points is predicted, with {:.1}% of the draws changed",
                capital(&super::page::how(row.how)),
                100.0 * row.largest,
                100.0 * row.moved
            ),
            None => "What other limits would give".to_owned(),
        },
        about: "The largest and the typical lead (root mean square) that remain within each limit, predicted from the battles \
                that the weights were fitted to, and so optimistic; without intervals. As they are, nothing is fitted: the typical lead is without what chance adds to it."
            .to_owned(),
        table: TABLES[2].to_owned(),
        series: vec![
            Series { column: "largest_lead".to_owned(), name: "largest lead".to_owned() },
            Series { column: "typical_lead".to_owned(), name: "typical lead".to_owned() },
        ],
        axis: Axis {
            label: "lead".to_owned(),
            unit: Unit::Points,
            even: Some(0.0),
            logarithmic: false,
        },
        details: vec![
            detail("draws_changed", "draws changed", Unit::Percent),
            detail("most_moved", "most moved, times", Unit::Number),
        ],
        ..Figure::default()
    };
    room(&mut figure, marks.collect());
    notes.figures.push(figure);
}

/// The data that lets readers change weights in the report itself; None where the draw model does not support that or
/// the data would be too large.
fn live(tuning: &Tuning<'_>) -> Option<Live> {
    let played = tuning.played;
    let (layout, model, tally) = (played.layout, played.model, played.tally);
    let frame = live::frame(model, layout)?;
    let contenders = live::live_contenders(played.contenders, layout, tally);
    let cells: usize = contenders.iter().flat_map(|of| &of.cells).map(Vec::len).sum();
    if live::is_too_large(layout.strata() + cells, layout.sides) {
        return None;
    }
    let preset = |name: &str, weights: &[f64]| Preset {
        name: name.to_owned(),
        arm: 0,
        weights: weights.to_vec(),
        two: frame.two,
        scenario: Whose::Own,
    };
    Some(Live {
        noun: layout.factor_noun.to_owned(),
        measure: played.measure.noun().to_owned(),
        sides: layout.sides,
        z: Level::P95.z(),
        confidence: Level::P95.confidence(),
        unwon: live::unwon(played.measure).to_owned(),
        arms: vec![live::arm(layout, tally, played.measure)],
        presets: vec![
            preset("as the scenario has them", model.weights()),
            preset("as found", &tuning.tuned.weights),
        ],
        scenarios: Vec::new(),
        contenders,
        aim: live::live_aim(model, tuning.limits, tuning.aim),
        frame,
    })
}
