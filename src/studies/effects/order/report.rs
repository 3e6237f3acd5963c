//! The HTML report of a forced order.

use super::page::{Lists, headline, in_words, label};
use super::results::is_told;
use super::{Battles, CausalEffect, Design, ORDER_EXPERIMENT, Played, order_experiment};
use crate::report::figures::{capital, counted, part};
use crate::report::html::{
    Axis, Draft, Drawn, FORMAT, Figure, Mark, Notes, Said, Seen, Series, Step, Trace, Unit, counts,
    detail, room, title,
};
use crate::report::page::paragraphs;
use crate::report::{ALARM, Treatment, forfeited};
use crate::table::Provenance;

/// Drafts the HTML report of a forced order.
#[must_use]
pub fn report(
    design: &Design<'_>,
    played: &Played,
    effects: &[CausalEffect],
    provenance: &Provenance,
    question: Option<&str>,
    command: String,
) -> Draft {
    let mut notes = Notes {
        format: FORMAT,
        study: "effects".to_owned(),
        question: question.map(str::to_owned),
        intervals:
            "In parentheses: 95% confidence intervals; about one in 20 misses the true value."
                .to_owned(),
        command,
        ..Notes::default()
    };
    let trace = Trace { scenario: &provenance.scenario, seed: provenance.seed };
    notes.next.push(Step {
        text: "A typical battle, step by step".to_owned(),
        command: trace.pick("typical", &[]),
    });
    let forced = format!("Forced: {}, {}.", design.forcible.name, design.forcible.meaning);
    if effects.first().map_or(0, |row| row.battles) == 0 {
        let battles = counted(played.battles, "battle");
        notes.answer.push(Said::plain(format!(
            "It never came up in {battles}, so there is nothing to force."
        )));
        notes.answer.push(Said::plain(forced));
        return Draft { notes, tables: Vec::new() };
    }
    let told: Vec<&CausalEffect> = effects.iter().filter(|row| is_told(design, row.side)).collect();
    let Lists { whole_rows, by_matchup, by_factor } = Lists::of(&told);
    let noun = design.layout().factor_noun;
    let is_found = told.iter().any(|row| row.p_adjusted < ALARM);
    let parts: [(&str, &[&CausalEffect]); 2] = [("match-up", &by_matchup), (noun, &by_factor)];
    let lines = paragraphs(|page| headline(page, design, &whole_rows, &parts));
    notes.answer.extend(lines.into_iter().map(|line| Said::found(is_found, line)));
    if let [row] = whole_rows[..] {
        notes
            .answer
            .extend(paragraphs(|page| in_words(page, design, row)).into_iter().map(Said::plain));
    }
    notes.answer.push(Said::plain(forced));
    let forfeits = forfeited(played.tally.forfeits(), Treatment::LeftOut, None);
    notes.answer.extend(forfeits.map(Said::plain));
    let shown = &told;
    let rows = effects.iter().enumerate().filter(|(_, row)| is_told(design, row.side));
    let marks = rows.map(|(at, row)| {
        let group = match row.of {
            Battles::All => "all battles".to_owned(),
            Battles::OfMatchup(_) => "by match-up".to_owned(),
            Battles::WithFactor(_) => format!("by {noun}"),
        };
        Mark {
            row: at,
            label: label(design, row),
            group,
            seen: Seen::of(row.p_adjusted < ALARM, row.effect.difference.value),
            ..Mark::default()
        }
    });
    let marks: Vec<Mark> = marks.collect();
    let measure = design.measure;
    let series =
        |column: &str, name: &str| Series { column: column.to_owned(), name: name.to_owned() };
    let mut lists = vec![series("effect", "effect: what being the first does")];
    if shown.iter().any(|row| !row.association.value.is_nan()) {
        lists.push(series("association", "what goes with being the first by itself"));
    }
    let mut details = counts(&[("battles", "battles")]);
    details.push(detail(
        &format!("{}_first", measure.column()),
        "when it is the first",
        Unit::Percent,
    ));
    details.push(detail(
        &format!("{}_not_first", measure.column()),
        "when it is not",
        Unit::Percent,
    ));
    details.push(detail("share_first", "first by itself in", Unit::Percent));
    details.push(detail("p_adjusted", "adjusted p", Unit::P));
    let found = shown.iter().filter(|row| row.p_adjusted < ALARM).count() as u64;
    let untested = match shown.iter().filter(|row| row.p_adjusted.is_nan()).count() as u64 {
        0 => String::new(),
        some => format!(" {} not tested, for want of battles.", part(some, shown.len() as u64, "")),
    };
    let mut figure = Figure {
        id: "order".to_owned(),
        judged: true,
        name: capital(design.forcible.name),
        title: title(&notes.answer[0].text),
        about: format!(
            "{} significant (family-wise error rate at most 5%, Holm). Effect: the {} as the first less that as not \
             the first, from the same battles on common random numbers, with 95% confidence intervals.{untested}",
            part(found, shown.iter().filter(|row| !row.p_adjusted.is_nan()).count() as u64, ""),
            measure.figure()
        ),
        table: ORDER_EXPERIMENT.to_owned(),
        series: lists,
        axis: Axis {
            label: format!("difference in the {}", measure.figure()),
            unit: Unit::Points,
            even: Some(0.0),
            logarithmic: false,
        },
        group_noun: "battles".to_owned(),
        details,
        ..Figure::default()
    };
    room(&mut figure, marks);
    notes.figures.push(figure);
    Draft { notes, tables: vec![Drawn::whole(order_experiment(design, effects))] }
}
