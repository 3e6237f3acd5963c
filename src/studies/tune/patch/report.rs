//! The HTML report of a patch.

use super::Patching;
use super::headline::{headline, other_edits};
use super::notes::NAMED_SIDE_EFFECTS;
use super::page::{forfeits, verdict};
use super::tables::{TABLES, tables};
use crate::report::figures::{counted, points, whole};
use crate::report::html::{
    Axis, Draft, Drawn, FORMAT, Figure, Mark, Notes, Said, Series, Step, Trace, Unit, detail, room,
};
use crate::report::page::paragraphs;
use crate::sorting::Sorting;
use crate::statistics::Equivalence;
use crate::table::Provenance;

/// Drafts the HTML report of a search for the smallest patch.
#[must_use]
pub fn report(patching: &Patching<'_>, provenance: &Provenance, command: String) -> Draft {
    let is_shown = patching.chosen().is_some_and(|of| of.result == Equivalence::Shown);
    let verdict = paragraphs(|page| verdict(page, patching));
    let lines =
        headline(patching).into_iter().chain(other_edits(patching)).chain(verdict).enumerate();
    let answer = lines
        .map(|(at, line)| if at == 0 { Said::found(is_shown, line) } else { Said::plain(line) });
    let mut notes = Notes {
        format: FORMAT,
        study: "tune".to_owned(),
        question: patching.question.map(str::to_owned),
        answer: answer.collect(),
        intervals: "In parentheses: 95% confidence intervals of each lead alone. The verdict holds for all leads at once."
            .to_owned(),
        command,
        ..Notes::default()
    };
    notes.answer.extend(forfeits(patching).map(Said::plain));
    let told = patching.told_side_effects();
    let more = told.len().saturating_sub(NAMED_SIDE_EFFECTS) as u64;
    notes.matters.extend(told.into_iter().take(NAMED_SIDE_EFFECTS).map(|(of, difference)| {
        let gains = match difference.low.is_nan() {
            true => String::new(),
            false => {
                let own = of.beside_its_own();
                format!(
                    ", {own}: {} beyond, the interval allowing for that choice",
                    points(&difference)
                )
            }
        };
        format!(
            "Also moves: {} ({}) from {:.1}% to {:.1}%{gains}.",
            of.name,
            of.kind,
            100.0 * of.before,
            100.0 * of.after
        )
    }));
    notes.matters.extend((more > 0).then(|| {
        format!(
            "{} as visibly: table `side_effects`.",
            if more == 1 {
                "One more moves".to_owned()
            } else {
                format!("{} more move", whole(more))
            }
        )
    }));
    let trace = Trace { scenario: &provenance.scenario, seed: provenance.seed };
    notes.next.push(Step {
        text: "A typical battle as the scenario is, step by step".to_owned(),
        command: trace.pick("typical", &[]),
    });
    leads(&mut notes, patching);
    frontier(&mut notes, patching);
    Draft { notes, tables: tables(patching).into_iter().map(Drawn::whole).collect() }
}

fn axis() -> Axis {
    Axis { label: "lead".to_owned(), unit: Unit::Points, even: Some(0.0), logarithmic: false }
}

fn series(column: &str, name: &str) -> Series {
    Series { column: column.to_owned(), name: name.to_owned() }
}

fn leads(notes: &mut Notes, patching: &Patching<'_>) {
    let Some(before) = patching.confirmed.first() else { return };
    let mut order: Vec<usize> =
        (0..before.leads.len()).filter(|&at| !before.leads[at].value.is_nan()).collect();
    order.put_in_order_by(|&one, &other| {
        before.leads[other].value.total_cmp(&before.leads[one].value)
    });
    let mark =
        |row: usize| Mark { row, label: patching.task.goals[row].name.clone(), ..Mark::default() };
    let mut all = vec![series("lead_before", "as the scenario is")];
    if !patching.patch().patch.is_empty() {
        all.push(series("lead_after", "with the patch"));
    }
    let mut figure = Figure {
        id: "leads".to_owned(),
        name: "Leads".to_owned(),
        title: notes
            .answer
            .first()
            .map_or_else(String::new, |said| crate::report::html::title(&said.text)),
        about: format!(
            "A {}'s score less its target in fresh battles, with 95% confidence intervals of each lead alone.",
            patching.noun
        ),
        table: TABLES[2].to_owned(),
        series: all,
        axis: axis(),
        details: vec![detail("target", "target", Unit::Percent)],
        ..Figure::default()
    };
    room(&mut figure, order.into_iter().map(mark).collect());
    notes.figures.push(figure);
}

fn frontier(notes: &mut Notes, patching: &Patching<'_>) {
    if patching.confirmed.len() < 2 {
        return;
    }
    let marks = patching.found.frontier.iter().enumerate().map(|(row, point)| Mark {
        row,
        label: match point.patch.len() {
            _ if row == patching.found.chosen => format!("{} (chosen)", point.patch.len()),
            edits => edits.to_string(),
        },
        ..Mark::default()
    });
    let mut figure = Figure {
        id: "frontier".to_owned(),
        name: "Edits against evenness".to_owned(),
        title: format!(
            "{}, and what fewer would leave",
            counted(patching.patch().patch.len() as u64, "edit")
        ),
        about: "The largest lead in fresh battles with the best patch of so many edits, with bounds that hold for the truly \
                largest."
            .to_owned(),
        table: TABLES[0].to_owned(),
        series: vec![series("largest_lead", "largest lead")],
        axis: axis(),
        details: vec![detail("price", "price", Unit::Number)],
        ..Figure::default()
    };
    room(&mut figure, marks.collect());
    notes.figures.push(figure);
}
