//! The texts and figures of the HTML report of worth.

use super::design::{Design, Target, unit_of};
use super::page::{asked, compared_with, drivers, has_prices, how, inseparable, legend};
use super::results::{FEWEST, Impact, Of, Results, UnitWorth};
use super::standing::{given, leading, standing};
use super::tables::{impact, replacements, worth};
use crate::engine::Engine;
use crate::game::Side;
use crate::report::ALARM;
use crate::report::figures::{capital, counted, part, plain_points};
use crate::report::html::{
    Axis, Draft, Drawn, FORMAT, Figure, Mark, Notes, Said, Seen, Step, Trace, Unit, counts, detail,
    one, room, title,
};
use crate::report::page::paragraphs;
use crate::sorting::Sorting;
use crate::table::Provenance;

/// The most units of each kind in a figure of worths.
const MOST_UNITS: usize = 40;

/// The report of a study of worth.
#[must_use]
pub fn report(
    design: &Design<'_>,
    targets: &[Target],
    results: &Results,
    provenance: &Provenance,
    question: Option<&str>,
    command: String,
) -> Draft {
    let mut said = paragraphs(|page| legend(page, design, results));
    let intervals = said.pop().unwrap_or_default();
    let trace = Trace { scenario: &provenance.scenario, seed: provenance.seed };
    let mut notes = Notes {
        format: FORMAT,
        study: "worth".to_owned(),
        question: question.map(str::to_owned),
        intervals: format!("{} {intervals}", said.join(" ")),
        command,
        ..Notes::default()
    };
    let leading = leading(design, results);
    let name = |unit: usize| design.layout.units[unit].name.as_str();
    let headline = match leading.first() {
        None => {
            let which = match (inseparable(results).is_empty(), design.given.is_empty()) {
                (true, true) => "",
                (false, true) => " that can be tested",
                (_, false) => " that is drawn and can be tested",
            };
            let compared = compared_with(design, results, "its");
            format!("No unit{which} is visibly worth more than {compared}.")
        }
        Some(first) => format!(
            "{}{} comes first: it is worth {} more than {}, and {} of all scores hang on it.",
            if design.given.is_empty() { "" } else { "Of the units that are drawn, " },
            name(first.unit),
            plain_points(&first.worth),
            compared_with(design, results, "its"),
            plain_points(&first.impact),
        ),
    };
    notes
        .answer
        .extend(asked(design, targets, results).into_iter().map(|line| Said::found(true, line)));
    notes.answer.push(Said::found(!leading.is_empty(), headline.clone()));
    notes.answer.extend(given(design, results).into_iter().map(Said::plain));
    notes.answer.extend(how(design, results).into_iter().map(Said::plain));
    for target in targets {
        let unit = usize::from(target.unit);
        let about = match standing(design, results, unit) {
            standing if standing.is_empty() => name(unit).to_owned(),
            standing => format!("{} ({standing})", name(unit)),
        };
        for line in drivers(design, results, unit).into_iter().take(2) {
            notes.matters.push(format!("{about}: {line}."));
        }
    }
    let traces = Traces { design, results, trace };
    let mut first = results.asked.iter().copied().chain(leading.iter().map(|first| first.unit));
    if let Some((unit, command)) = first.find_map(|unit| Some((unit, traces.with(unit)?))) {
        notes.next.push(Step {
            text: format!("A typical battle with {} in it, step by step", name(unit)),
            command,
        });
    }
    let mut draft = Draft { notes, tables: Vec::new() };
    of_impacts(&mut draft, design, results, &headline, &traces);
    of_worths(&mut draft, design, results, &traces);
    of_replacements(&mut draft, design, results);
    draft.tables.push(Drawn::whole(impact(design, results)));
    draft.tables.push(Drawn::whole(worth(design, results)));
    draft.tables.push(Drawn::whole(replacements(design, results)));
    draft
}

/// Makes commands that trace a battle with a unit.
struct Traces<'r> {
    design: &'r Design<'r>,
    results: &'r Results,
    trace: Trace<'r>,
}

impl Traces<'_> {
    /// The command for a typical battle with a unit; None where the scenario's own battles have none, or hardly any: line-ups
    /// that are drawn for the study also have units that nobody brings to the scenario.
    fn with(&self, unit: usize) -> Option<String> {
        let name = self.design.layout.units[unit].name.as_str();
        let command = match self.design.draws_line_ups() {
            true if is_brought(self.design.engine, name) => self.trace.with(name, 1, 1, None),
            true => String::new(),
            false => {
                let row = self.results.worths.iter().find(|row| row.unit == unit)?;
                // A deck is brought as a whole: `trace` takes a card that never comes into play for one that is there.
                let of_sides = |sides: f64| (1e9 * sides) as u64;
                self.trace.with(name, of_sides(row.brought), of_sides(1.0), None)
            }
        };
        (!command.is_empty()).then_some(command)
    }
}

/// Whether any side of a scenario may bring a unit to a battle.
fn is_brought(engine: &dyn Engine, name: &str) -> bool {
    let layout = engine.layout();
    let Some(unit) = unit_of(engine, name) else { return false };
    layout.matchups.iter().enumerate().any(|(matchup, of)| {
        of.contenders.iter().enumerate().any(|(side, contender)| {
            match engine.brings(matchup, Side(side as u8)) {
                Some(brought) => brought.iter().any(|&(known, _)| known == unit),
                // Where nothing is drawn, and battles show what is brought, the units are those that take part.
                None => {
                    let may_bring = engine.may_bring(contender);
                    may_bring.is_empty() || may_bring.contains(&unit)
                }
            }
        })
    })
}

fn axis(label: &str) -> Axis {
    Axis { label: label.to_owned(), unit: Unit::Points, even: Some(0.0), logarithmic: false }
}

/// The figure of each unit's impact.
fn of_impacts(
    draft: &mut Draft,
    design: &Design<'_>,
    results: &Results,
    headline: &str,
    traces: &Traces<'_>,
) {
    let rows = &results.impacts;
    // Units too rare to be tested would be far out by chance.
    let is_tested =
        |row: &Impact| row.of == Of::All && !row.p_adjusted.is_nan() && !design.is_given(row.unit);
    let mut all: Vec<usize> = (0..rows.len()).filter(|&at| is_tested(&rows[at])).collect();
    all.put_in_order_by(|&a, &b| rows[b].impact.value.total_cmp(&rows[a].impact.value));
    let hidden = all.len().saturating_sub(MOST_UNITS);
    all.truncate(MOST_UNITS);
    let marks = all.iter().map(|&at| {
        let label = design.layout.units[rows[at].unit].name.clone();
        Mark {
            row: at,
            trace: traces.with(rows[at].unit).unwrap_or_default(),
            label,
            seen: Seen::of(rows[at].p_adjusted < ALARM, rows[at].impact.value),
            ..Mark::default()
        }
    });
    let mut figure = Figure {
        id: "impact".to_owned(),
        judged: true,
        name: "Nerf first".to_owned(),
        title: title(headline),
        about: format!(
            "How much of all scores hangs on a unit: how much more it is worth than {}, times how many of it a side brings on \
             average, with 95% confidence intervals. In colour: visibly worth more or less (Benjamini-Hochberg over all units).",
            compared_with(design, results, "its")
        ),
        table: "impact".to_owned(),
        series: one("impact", "impact"),
        axis: axis("impact on the score"),
        details: {
            let mut details = counts(&[("played", "brought")]);
            details.push(detail("worth", "worth", Unit::Points));
            details.push(detail("p_adjusted", "adjusted p", Unit::P));
            details
        },
        ..Figure::default()
    };
    room(&mut figure, marks.collect());
    if hidden > 0 {
        figure.rest = format!("The table has {}.", counted(hidden as u64, "more unit"));
    }
    if !figure.marks.is_empty() {
        draft.notes.figures.push(figure);
    }
}

/// The figure of each unit's worth, kind by kind.
fn of_worths(draft: &mut Draft, design: &Design<'_>, results: &Results, traces: &Traces<'_>) {
    let rows = &results.worths;
    let kind = |at: usize| design.layout.units[rows[at].unit].kind;
    // Of a unit that nothing tells apart from what comes with it, the page says that its worth is not known.
    let is_known = |row: &UnitWorth| row.is_told_apart && !row.for_cost.value.is_nan();
    let mut known: Vec<usize> = (0..rows.len()).filter(|&at| is_known(&rows[at])).collect();
    known.put_in_order_by(|&a, &b| rows[b].for_cost.value.total_cmp(&rows[a].for_cost.value));
    let mut kinds: Vec<&str> = known.iter().map(|&at| kind(at)).collect();
    kinds.sort_unstable();
    kinds.dedup();
    let marks = known.iter().map(|&at| {
        let label = design.layout.units[rows[at].unit].name.clone();
        Mark {
            row: at,
            trace: traces.with(rows[at].unit).unwrap_or_default(),
            label,
            group: if kinds.len() > 1 { capital(kind(at)) } else { String::new() },
            seen: Seen::of(rows[at].p_adjusted < ALARM, rows[at].for_cost.value),
            ..Mark::default()
        }
    });
    let seen = rows.iter().filter(|row| row.p_adjusted < ALARM).count() as u64;
    let tested = rows.iter().filter(|row| !row.p_adjusted.is_nan()).count() as u64;
    let whose = if seen == 1 { "its" } else { "their" };
    let has_prices = has_prices(results);
    let measured = match has_prices {
        true => format!("worth for its {}", design.cost_noun()),
        false => "worth".to_owned(),
    };
    let mut figure = Figure {
        id: "worth".to_owned(),
        judged: true,
        name: "Worth".to_owned(),
        title: match tested {
            0 => "No unit is tested".to_owned(),
            tested => format!(
                "{} visibly worth more or less than {}",
                part(seen, tested, "tested unit"),
                compared_with(design, results, whose)
            ),
        },
        about: format!(
            "How much more a side with a unit scores than one with {}, all else that both sides bring being equal, drawn towards \
             that the more, the less is known, with 95% confidence intervals. Places hold with 95% for all units of a kind at once.",
            compared_with(design, results, "its")
        ),
        table: "worth".to_owned(),
        series: one("for_cost", &measured),
        axis: axis(&measured),
        group_noun: if kinds.len() > 1 { "kind".to_owned() } else { String::new() },
        details: {
            let mut details = counts(&[
                ("played", "brought"),
                ("place_first", "place from"),
                ("place_last", "to"),
            ]);
            details.push(detail("score", "raw score", Unit::Percent));
            details.push(detail("for_cost", &measured, Unit::Points));
            details.push(detail("p_adjusted", "adjusted p", Unit::P));
            details
        },
        ..Figure::default()
    };
    room(&mut figure, marks.collect());
    if !figure.marks.is_empty() {
        draft.notes.figures.push(figure);
    }
}

/// The figure of how the same battles ended with something else in place of a unit.
fn of_replacements(draft: &mut Draft, design: &Design<'_>, results: &Results) {
    let rows = &results.replacements;
    // As on the page: a handful of battles says next to nothing.
    let mut order: Vec<usize> = (0..rows.len()).filter(|&at| rows[at].battles >= FEWEST).collect();
    order.put_in_order_by(|&a, &b| {
        rows[b].worth.difference.value.total_cmp(&rows[a].worth.difference.value)
    });
    let label = |at: usize| match rows[at].change() {
        "mean" => "the mean of all that stood in".to_owned(),
        "stand-in" => rows[at].name().to_owned(),
        _ => format!("without {}", rows[at].name()),
    };
    let marks = order.iter().map(|&at| Mark {
        row: at,
        label: label(at),
        group: design.layout.units[rows[at].unit].name.clone(),
        seen: Seen::of(rows[at].p_adjusted < ALARM, rows[at].worth.difference.value),
        ..Mark::default()
    });
    let alike = rows.first().map_or_else(String::new, |row| design.alike(row.unit as u16));
    let mut figure = Figure {
        id: "replacements".to_owned(),
        judged: true,
        name: "Replaced".to_owned(),
        title: "What a unit adds in the same battles over whatever stands in for it".to_owned(),
        about: format!(
            "The score of a side with a unit less that of the same side in the same battles, with the same dice, where another of its {alike} \
             stood in its place or it had lost an ability; with 95% confidence intervals. In colour: significant, adjusted for \
             everything that a unit was replaced by (Holm)."
        ),
        table: "replacements".to_owned(),
        series: one("worth", "worth of it"),
        axis: axis("worth of it"),
        group_noun: "unit".to_owned(),
        details: {
            let mut details = counts(&[("battles", "battles")]);
            details.push(detail("score", "as it is", Unit::Percent));
            details.push(detail("score_changed", "with the change", Unit::Percent));
            details.push(detail("p_adjusted", "adjusted p", Unit::P));
            details.push(detail("variance_ratio", "variance reduction", Unit::Number));
            details
        },
        ..Figure::default()
    };
    room(&mut figure, marks.collect());
    if !figure.marks.is_empty() {
        draft.notes.figures.push(figure);
    }
}
