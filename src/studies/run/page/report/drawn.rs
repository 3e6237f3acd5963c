//! Figures about what is drawn: factors such as rulesets, and orders.

use super::super::changes::{self, as_an_experiment};
use super::super::highlights;
use super::super::order_effects::{DRAWN, OBSERVED, Words, how_many, rather, significant};
use super::super::summary::Summary;
use super::what_is_measured;
use crate::report::figures::{capital, whole};
use crate::report::html::{
    Axis, Draft, Drawn, Figure, MOST_MARKS, Mark, Seen, Step, Trace, Unit, counts, detail, one,
    room,
};
use crate::scenario::TableName;
use crate::shell::argument;
use crate::sorting::Sorting;
use crate::studies::run::tables::{Change, OrderEffect, table_of_changes};
use crate::studies::run::{Analysis, build};
use crate::tally::Origin;

/// How many orders of one origin are shown.
const MOST_ORDERS: usize = 60;

/// The figure of the changes that go with each factor.
pub(super) fn factors(draft: &mut Draft, analysis: &Analysis<'_>, trace: &Trace<'_>) {
    let Analysis { layout, tally, .. } = *analysis;
    let known = changes::told(analysis);
    if known.is_empty() {
        return;
    }
    let noun = layout.factor_noun;
    let rows = analysis.changes();
    let first = rows.as_ptr();
    let row_of = |change: &Change| {
        // The reported changes are elements of the list whose rows the table has.
        (std::ptr::from_ref(change) as usize - first as usize) / size_of::<Change>()
    };
    let forfeited = changes::not_compared(analysis);
    let title = highlights::factor(analysis)
        .map_or_else(|| changes::how_many(&known, ""), |(_, sentence)| sentence);
    let mut shown: Vec<&Change> = known.clone();
    shown.truncate(MOST_MARKS);
    // The size of an effect decides whether it is shown, its sign the order.
    let effect = |change: &Change| change.effect_of(analysis.scores()).value;
    shown.put_in_order_by(|a, b| effect(b).total_cmp(&effect(a)));
    let marks: Vec<Mark> = shown
        .iter()
        .map(|change| {
            let name = &layout.factors[change.factor];
            let label = layout.matchups[change.matchup].label();
            let matchup = (layout.matchups.len() > 1).then_some(label.as_str());
            let times = (change.with.battles(), tally.battles());
            Mark {
                row: row_of(change),
                label: name.clone(),
                group: changes::place(layout, change).unwrap_or_default(),
                seen: Seen::of(changes::significant(change), effect(change)),
                trace: trace.under(name, matchup, times),
                ..Mark::default()
            }
        })
        .collect();
    let measure = tally.measure();
    let whose = if measure.is_mirrored(layout.sides) { "side A's " } else { "the side's " };
    let mut details = counts(&[("battles", "battles with it")]);
    details.push(detail(measure.column(), &format!("{} with it", measure.noun()), Unit::Percent));
    details.push(detail("share", "share of battles", Unit::Percent));
    details.push(detail("expected_share", "expected share", Unit::Percent));
    details.push(detail("p_adjusted", "adjusted p", Unit::P));
    let more = known.len().saturating_sub(shown.len());
    let mut figure = Figure {
        id: "rulesets".to_owned(),
        judged: true,
        name: format!("{}s", capital(noun)),
        title: title.trim_end_matches('.').to_owned(),
        about: format!(
            "How much {whose}{} changes in battles with each {noun} against battles without it, with 95% confidence \
             intervals. {} In colour: significant at a false discovery rate of 5% (Benjamini-Hochberg). These are different \
             battles.{}{}",
            measure.figure(),
            what_is_measured(measure),
            as_an_experiment(layout, trace.scenario, measure),
            forfeited.map_or_else(String::new, |sentence| format!(" {sentence}"))
        ),
        table: TableName::Factors.to_string(),
        series: one("effect", "change"),
        axis: Axis {
            label: format!("change of {whose}{}", measure.figure()),
            unit: Unit::Points,
            even: Some(0.0),
            logarithmic: false,
        },
        group_noun: "match-up".to_owned(),
        details,
        ..Figure::default()
    };
    room(&mut figure, marks);
    if more > 0 {
        figure.rest = format!(
            "{} {} smaller ones.",
            capital(&analysis.in_table(TableName::Factors, "has")),
            whole(more as u64)
        );
    }
    let drawn = Drawn::kept(rows.len(), &figure, |kept| match kept {
        None => table_of_changes(analysis, rows),
        Some(kept) => {
            table_of_changes(analysis, &kept.iter().map(|&row| rows[row]).collect::<Vec<_>>())
        }
    });
    draft.notes.figures.push(figure);
    draft.tables.push(drawn);
}

/// The figures of the orders that decide who wins, and of those that are only associated with it.
pub(super) fn orders(draft: &mut Draft, of: Summary<'_, '_>) {
    let analysis = of.analysis;
    let layout = analysis.layout;
    let effects = analysis.order_effects();
    if effects.is_empty() || layout.sides > 2 {
        return;
    }
    let Some(table) = build(TableName::OrderEffects, analysis) else { return };
    let (drawn, observed): (Vec<usize>, Vec<usize>) =
        (0..effects.len()).partition(|&at| effects[at].origin == Origin::Drawn);
    let mut kept = Vec::new();
    for (id, name, rows, words) in [
        ("drawn-orders", "Drawn orders", drawn, &DRAWN),
        ("observed-orders", "Observed orders", observed, &OBSERVED),
    ] {
        if !rows.is_empty() {
            let figure = of_origin(analysis, id, name, &rows, words, &mut kept);
            draft.notes.figures.push(figure);
        }
    }
    let forcible = layout.forcible.iter().find(|forcible| {
        let found: Vec<&OrderEffect> =
            effects.iter().filter(|effect| effect.origin == Origin::Observed).collect();
        significant(&found).iter().any(|effect| {
            layout.moments[usize::from(effect.population.moment)].name == forcible.name
        })
    });
    if let Some(forcible) = forcible {
        draft.notes.next.push(Step {
            text: format!(
                "Whether {} is a cause of winning, from the same battles with each side first",
                forcible.name
            ),
            command: format!(
                "evens effects {} --order {}",
                argument(&of.provenance.scenario),
                forcible.slug()
            ),
        });
    }
    draft.tables.push(Drawn::part(table.of_rows(&kept)));
}

fn of_origin(
    analysis: &Analysis<'_>,
    id: &str,
    name: &str,
    rows: &[usize],
    words: &Words,
    kept: &mut Vec<usize>,
) -> Figure {
    let Analysis { layout, tally, .. } = *analysis;
    let effects = analysis.order_effects();
    let all: Vec<&OrderEffect> = rows.iter().map(|&row| &effects[row]).collect();
    let is_drawn = all[0].origin == Origin::Drawn;
    let title = match is_drawn {
        true => highlights::order(analysis).map(|(_, sentence)| sentence),
        false => None,
    };
    let mut order: Vec<usize> = rows.to_vec();
    let found = |row: usize| !significant(&[&effects[row]]).is_empty();
    let gap = |row: usize| effects[row].gap().value;
    order.put_in_order_by(|&a, &b| found(b).cmp(&found(a)).then(gap(b).total_cmp(&gap(a))));
    let more = order.len().saturating_sub(MOST_ORDERS);
    order.truncate(MOST_ORDERS);
    let marks = order.iter().map(|&row| {
        kept.push(row);
        Mark {
            row: kept.len() - 1,
            label: rather(layout, &effects[row]),
            seen: Seen::of(found(row), gap(row)),
            ..Mark::default()
        }
    });
    let marks = marks.collect();
    let measure = tally.measure();
    Figure {
        id: id.to_owned(),
        judged: true,
        name: name.to_owned(),
        about: format!(
            "How much better side A does with the best order than with the worst {}, with an interval for the best and the \
             worst of all.{} {}",
            words.within,
            // The about text does not repeat what the title already says.
            title.as_ref().map_or_else(String::new, |_| format!(" {}", how_many(&all, words))),
            match is_drawn {
                true => "Dice choose these orders, so that a difference is caused by them.",
                false => "An order that is not drawn may be a cause of winning, or a symptom.",
            }
        ),
        title: title.unwrap_or_else(|| how_many(&all, words)).trim_end_matches('.').to_owned(),
        table: TableName::OrderEffects.to_string(),
        series: one("gap", "gap"),
        axis: Axis {
            label: format!("gap in side A's {}", measure.figure()),
            unit: Unit::Points,
            even: Some(0.0),
            logarithmic: false,
        },
        details: {
            let mut details = counts(&[("battles", "battles"), ("orders", "orders")]);
            details.push(detail(
                &format!("best_{}", measure.column()),
                "with the best",
                Unit::Percent,
            ));
            details.push(detail(
                &format!("worst_{}", measure.column()),
                "with the worst",
                Unit::Percent,
            ));
            details.push(detail("variance_share", "share of variance", Unit::Percent));
            details.push(detail("p_adjusted", "adjusted p", Unit::P));
            details
        },
        marks,
        rest: match more {
            0 => String::new(),
            more => format!(
                "{} {} more.",
                capital(&analysis.in_table(TableName::OrderEffects, "has")),
                whole(more as u64)
            ),
        },
        ..Figure::default()
    }
}
