//! The HTML report of effects.

use std::collections::BTreeMap;

use super::page::{FEW, how, level_of_sides, level_of_units, never_fought};
use super::{Design, Effect, EffectsTable, Played, ruleset_effects, unit_effects};
use crate::game::Side;
use crate::report::ALARM;
use crate::report::figures::{are, capital, counted, points, rate, whole};
use crate::report::html::{
    Axis, Draft, Drawn, FORMAT, Figure, Kind, Mark, Notes, Said, Seen, Step, Trace, Unit, counts,
    detail, one, room, title,
};
use crate::report::page::paragraphs;
use crate::sorting::Sorting;
use crate::table::{LEVEL, Provenance};
use crate::tally::Condition;

/// The most units in a map of effects.
const MOST_UNITS: usize = 32;

/// Drafts the HTML report of effects.
#[must_use]
pub fn report(
    design: &Design<'_>,
    played: &Played,
    effects: &[Effect],
    provenance: &Provenance,
    question: Option<&str>,
    command: String,
    tables: &[EffectsTable],
) -> Draft {
    let noun = design.layout.factor_noun;
    let mut said = paragraphs(|page| super::page::legend(page, design, tables));
    let intervals = said.pop().unwrap_or_default();
    let legend = said.join(" ");
    let trace = Trace { scenario: &provenance.scenario, seed: provenance.seed };
    let mut notes = Notes {
        format: FORMAT,
        study: "effects".to_owned(),
        question: question.map(str::to_owned),
        intervals: format!("{legend} {intervals}"),
        command,
        ..Notes::default()
    };
    let (forfeited, sides): (Vec<usize>, Vec<usize>) = (0..effects.len())
        .filter(|&at| effects[at].subject < design.sides() && design.is_told(effects[at].subject))
        .partition(|&at| effects[at].is_never_fought);
    let units: Vec<usize> =
        (0..effects.len()).filter(|&at| effects[at].subject >= design.sides()).collect();
    let size = |at: usize| design.cases[effects[at].case].factors.len();
    let singles = |of: &[usize]| of.iter().copied().filter(|&at| size(at) == 1).collect::<Vec<_>>();
    let alone = singles(&sides);
    let headline = summed(effects, &alone, &format!("{noun}s"), plain);
    let found = alone.iter().any(|&at| plain(&effects[at]).1 < ALARM);
    notes.answer.push(Said::found(found, headline.clone()));
    notes.answer.extend(how(design, played).into_iter().map(Said::plain));
    let forfeited: Vec<&Effect> = singles(&forfeited).iter().map(|&at| &effects[at]).collect();
    let by_side: Vec<&[&Effect]> =
        forfeited.chunk_by(|one, other| one.subject == other.subject).collect();
    if by_side.len() > FEW {
        notes.answer.extend(never_fought(design, &forfeited, true).map(Said::plain));
    } else {
        notes.answer.extend(by_side.into_iter().filter_map(|rows| {
            let said = never_fought(design, rows, false)?;
            let is_alone = design.is_about_one_side();
            Some(Said::plain(match is_alone {
                true => said,
                false => format!("{}: {said}", name(design, rows[0])),
            }))
        }));
    }
    notes.matters.extend(largest(design, effects, &alone, plain).map(|(_, text)| text));
    let alone_units = singles(&units);
    notes.matters.extend(largest(design, effects, &alone_units, plain).map(|(_, text)| text));
    notes.next.push(Step {
        text: "A typical battle, step by step".to_owned(),
        command: trace.pick("typical", &[]),
    });
    let mut draft = Draft { notes, tables: Vec::new() };
    if tables.contains(&EffectsTable::RulesetEffects) {
        of_sides(&mut draft, design, effects, &sides, &trace, &headline);
        draft.tables.push(Drawn::whole(ruleset_effects(design, effects)));
    }
    if !units.is_empty() {
        of_units(&mut draft, design, effects, &units, &trace);
        draft.tables.push(Drawn::whole(unit_effects(design, effects)));
    }
    draft
}

type Of = fn(&Effect) -> (crate::statistics::Comparison, f64);

fn plain(row: &Effect) -> (crate::statistics::Comparison, f64) {
    (row.effect, row.p_adjusted)
}

fn beyond(row: &Effect) -> (crate::statistics::Comparison, f64) {
    row.interaction
        .as_ref()
        .map_or((crate::statistics::Comparison::UNKNOWN, f64::NAN), |of| (of.beyond, of.p_adjusted))
}

/// A sentence on how many of some effects are significant.
fn summed(effects: &[Effect], rows: &[usize], what: &str, of: Of) -> String {
    let tested = rows.iter().filter(|&&at| !of(&effects[at]).1.is_nan()).count() as u64;
    let found = rows.iter().filter(|&&at| of(&effects[at]).1 < ALARM).count() as u64;
    match found {
        // What none of is listed, because all battles then are forfeits, is told below.
        0 if rows.is_empty() => format!("No effect of {what} was tested."),
        0 if tested == 0 => format!("No effect of {what} was tested, for want of battles."),
        0 if tested == 1 => {
            format!("The only effect of {what} is not significant at this many battles.")
        }
        0 => format!(
            "None of {} effects of {what} is significant at this many battles.",
            whole(tested)
        ),
        found => {
            let verb = are(found);
            let all = counted(tested, "effect");
            format!("{} of {all} of {what} {verb} significant.", whole(found))
        }
    }
}

/// A sentence on the largest significant effect.
fn largest(
    design: &Design<'_>,
    effects: &[Effect],
    rows: &[usize],
    of: Of,
) -> Option<(usize, String)> {
    let size = |at: usize| of(&effects[at]).0.difference.value.abs();
    let tested = rows.iter().filter(|&&at| !of(&effects[at]).1.is_nan()).count();
    // That of the page's lists, which have the same effects with the same intervals.
    let effects_of: Vec<&Effect> = rows.iter().map(|&at| &effects[at]).collect();
    let are_units = effects_of.first().is_some_and(|row| row.subject >= design.sides());
    let (chosen, shown) = match are_units {
        true => level_of_units(design, &effects_of),
        false => level_of_sides(design, &effects_of),
    };
    let change =
        |at: usize| effects[at].effect.difference.at_level(LEVEL, chosen).within(-1.0, 1.0);
    let found = || rows.iter().copied().filter(|&at| of(&effects[at]).1 < ALARM);
    let larger = |&a: &usize, &b: &usize| size(a).total_cmp(&size(b));
    let at = found().filter(|&at| change(at).excludes(0.0)).max_by(larger)?;
    let which = if found().max_by(larger) == Some(at) { "the largest" } else { "one" };
    let row = &effects[at];
    Some((
        at,
        format!(
            "Under {} {} {} {}{}, which is {} against the same battles under {} ({which} of {}; intervals allow for \
             the choice{}).",
            design.label(row.case),
            name(design, row),
            design.measure.verb(),
            rate(&row.scores[1].at_level(LEVEL, chosen).within(0.0, 1.0)),
            design.measure.of_what(),
            points(&change(at)),
            design.label(0),
            counted(tested as u64, "effect"),
            if shown > 1 {
                format!(" of the {} largest", whole(shown as u64))
            } else {
                String::new()
            },
        ),
    ))
}

/// The name of a row's subject.
fn name(design: &Design<'_>, row: &Effect) -> String {
    let layout = design.layout;
    match row.subject.checked_sub(design.sides()) {
        Some(unit) => layout.units[unit].name.clone(),
        None => {
            let matchup = &layout.matchups[row.subject / layout.sides];
            let side = row.subject % layout.sides;
            match layout.sides {
                2 => {
                    format!("{} against {}", matchup.contenders[side], matchup.contenders[1 - side])
                }
                _ => format!("{}, side {}", matchup.label(), Side(side as u8)),
            }
        }
    }
}

fn details(design: &Design<'_>) -> Vec<crate::report::html::Detail> {
    let measure = design.measure;
    let mut details = counts(&[("played", "took part"), ("played_neutral", "without it")]);
    details.push(detail(measure.column(), &format!("{} with it", measure.noun()), Unit::Percent));
    details.push(detail(&format!("{}_neutral", measure.column()), "and without", Unit::Percent));
    details.push(detail("p_adjusted", "adjusted p", Unit::P));
    details.push(detail("variance_ratio", "variance reduction", Unit::Number));
    details
}

fn axis(label: String) -> Axis {
    Axis { label, unit: Unit::Points, even: Some(0.0), logarithmic: false }
}

/// In how many of how many battles of the scenario the only factor of this case is drawn in one match-up: the case itself has
/// it in every battle.
fn drawn(design: &Design<'_>, case: usize) -> (u64, u64) {
    const ALL: u64 = 1_000_000_000;
    let layout = &design.layout;
    let has = |of: &&Condition| of.factors.iter().any(|of| design.cases[case].factors.contains(of));
    let odds: f64 = layout.conditions.iter().filter(has).map(|of| of.probability).sum();
    ((odds * ALL as f64) as u64 / layout.matchups.len() as u64, ALL)
}

/// Figures of the effects of rulesets and pairs on sides.
fn of_sides(
    draft: &mut Draft,
    design: &Design<'_>,
    effects: &[Effect],
    sides: &[usize],
    trace: &Trace<'_>,
    headline: &str,
) {
    let (noun, measure, neutral) = (design.layout.factor_noun, design.measure, design.label(0));
    let (mut alone, pairs): (Vec<usize>, Vec<usize>) =
        sides.iter().copied().partition(|&at| design.cases[effects[at].case].factors.len() == 1);
    let value = |at: usize, of: Of| of(&effects[at]).0.difference.value;
    alone.put_in_order_by(|&a, &b| value(b, plain).total_cmp(&value(a, plain)));
    let several = sides.iter().any(|&at| effects[at].subject != effects[sides[0]].subject);
    let group = |at: usize| if several { name(design, &effects[at]) } else { String::new() };
    let marks = alone.iter().map(|&at| {
        let label = design.label(effects[at].case).to_owned();
        let matchups = &design.layout.matchups;
        let matchup = matchups[effects[at].subject / design.layout.sides].label();
        let matchup = (matchups.len() > 1).then_some(matchup.as_str());
        Mark {
            row: at,
            trace: trace.under(&label, matchup, drawn(design, effects[at].case)),
            label,
            group: group(at),
            seen: Seen::of(effects[at].p_adjusted < ALARM, value(at, plain)),
            ..Mark::default()
        }
    });
    let mut figure = Figure {
        id: "rulesets".to_owned(),
        judged: true,
        name: format!("{}s", capital(noun)),
        title: largest(design, effects, &alone, plain)
            .map_or_else(|| title(headline), |(_, text)| title(&text)),
        about: format!(
            "How much each {noun} changes the {}, against the same battles under {neutral}, with 95% confidence intervals. In \
             colour: significant, adjusted for all {noun}s{adjusted}.",
            measure.figure(),
            adjusted = if design.is_about_one_side() {
                " (Holm)"
            } else {
                " and match-ups, at a false discovery rate of 5% (Benjamini-Hochberg)"
            },
        ),
        table: "ruleset_effects".to_owned(),
        series: one("effect", "effect"),
        axis: axis(format!("effect on the {}", measure.figure())),
        group_noun: "match-up".to_owned(),
        group: largest(design, effects, &alone, plain)
            .map_or_else(String::new, |(at, _)| group(at)),
        details: details(design),
        ..Figure::default()
    };
    room(&mut figure, marks.collect());
    if !figure.marks.is_empty() {
        draft.notes.figures.push(figure);
    }
    let known: Vec<usize> =
        pairs.into_iter().filter(|&at| !beyond(&effects[at]).1.is_nan()).collect();
    if known.is_empty() {
        return;
    }
    let mut marks = Vec::new();
    for &at in &known {
        let [one, other] = design.cases[effects[at].case].factors[..] else { continue };
        let [one, other] = [one, other].map(|of| design.layout.factors[usize::from(of)].clone());
        let mark = Mark {
            row: at,
            label: one.clone(),
            column: other.clone(),
            group: group(at),
            seen: Seen::of(beyond(&effects[at]).1 < ALARM, value(at, beyond)),
            ..Mark::default()
        };
        marks.push(Mark { label: other, column: one, ..mark.clone() });
        marks.push(mark);
    }
    marks.put_in_order_by(|a, b| {
        (&a.group, &a.label, &a.column).cmp(&(&b.group, &b.label, &b.column))
    });
    let mut more = details(design);
    more.insert(0, detail("effect", "effect of both", Unit::Points));
    more.push(detail("interaction_p_adjusted", "adjusted p beyond the sum", Unit::P));
    draft.notes.figures.push(Figure {
        id: "pairs".to_owned(),
        judged: true,
        name: format!("Pairs of {noun}s"),
        kind: Kind::Heat,
        title: title(&summed(effects, &known, "pairs beyond the sum of both", beyond)),
        about: format!(
            "What a pair of {noun}s does to the {} beyond the sum of the effects of both, battle by battle, in percentage \
             points. Hatched: not visible, at a false discovery rate of 5% (Benjamini-Hochberg).",
            measure.figure()
        ),
        table: "ruleset_effects".to_owned(),
        series: one("interaction", "beyond the sum"),
        axis: axis("beyond the sum of both".to_owned()),
        group_noun: "match-up".to_owned(),
        details: more,
        marks,
        ..Figure::default()
    });
}

/// Figures of the effects of rulesets on units.
fn of_units(
    draft: &mut Draft,
    design: &Design<'_>,
    effects: &[Effect],
    units: &[usize],
    trace: &Trace<'_>,
) {
    let noun = design.layout.factor_noun;
    let first = units[0];
    let alone: Vec<usize> = units
        .iter()
        .copied()
        .filter(|&at| design.cases[effects[at].case].factors.len() == 1)
        .collect();
    // The units with the largest significant effects.
    let mut worth: BTreeMap<usize, f64> = BTreeMap::new();
    for &at in &alone {
        let row = &effects[at];
        if row.p_adjusted < ALARM {
            let most = worth.entry(row.subject).or_default();
            *most = most.max(row.effect.difference.value.abs());
        }
    }
    let mut shown: Vec<(usize, f64)> = worth.into_iter().collect();
    shown.put_in_order_by(|(_, a), (_, b)| b.total_cmp(a));
    let more = shown.len().saturating_sub(MOST_UNITS);
    shown.truncate(MOST_UNITS);
    let sentence = summed(effects, &alone, &format!("{noun}s on cards"), plain);
    let mut marks: Vec<Mark> = Vec::new();
    for (subject, _) in &shown {
        for &at in alone.iter().filter(|&&at| effects[at].subject == *subject) {
            let row = &effects[at];
            let (unit, factor) = (name(design, row), design.label(row.case).to_owned());
            marks.push(Mark {
                row: at - first,
                trace: trace.pick("typical", &[("--with", &unit), ("--ruleset", &factor)]),
                label: unit,
                column: factor,
                seen: Seen::of(row.p_adjusted < ALARM, row.effect.difference.value),
                ..Mark::default()
            });
        }
    }
    if marks.is_empty() {
        return;
    }
    draft.notes.figures.push(Figure {
        id: "units".to_owned(),
        judged: true,
        name: "Cards".to_owned(),
        kind: Kind::Heat,
        title: largest(design, effects, &alone, plain).map_or_else(|| title(&sentence), |(_, text)| title(&text)),
        about: format!(
            "{sentence} What each {noun} changes for teams with a card, against the same battles under {}, in percentage \
             points; the cards with the largest effects. Hatched: not visible, at a false discovery rate of 5% over all cards \
             and {noun}s (Benjamini-Hochberg).",
            design.label(0)
        ),
        table: "unit_effects".to_owned(),
        series: one("effect", "effect"),
        axis: axis("effect".to_owned()),
        details: details(design),
        marks,
        rest: match more {
            0 => String::new(),
            more => format!("The table has {} with visible effects.", counted(more as u64, "more card")),
        },
        ..Figure::default()
    });
}
