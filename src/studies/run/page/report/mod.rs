//! What the HTML report of a run says and draws: the same analysis as the page for the terminal, sentence by sentence.

mod drawn;
mod sides;
mod units;

use super::highlights::highlights;
use super::summary::{Summary, has_effects, intervals};
use super::verdict::Verdict;
use crate::report::html::{
    Draft, FORMAT, Figure, Live, Mark, Notes, Said, ScenarioText, Step, Unit, quoted,
};
use crate::report::html::{Detail, Series};
use crate::studies::run::Analysis;
use crate::tally::OutcomeMeasure;

/// The most marks that a figure holds.
const MOST_MARKS: usize = 1_200;

/// What a report of a run is made of, beside what its page is made of.
#[derive(Clone, Debug, Default)]
pub struct Told {
    /// The command that makes the results again.
    pub command: String,
    /// The scenario's text.
    pub scenario: Option<ScenarioText>,
    /// What changing weights in the page needs.
    pub live: Option<Live>,
}

/// The report of a run.
#[must_use]
pub fn report(of: Summary<'_, '_>, told: Told) -> Draft {
    let Summary { provenance, question, analysis, activity } = of;
    let Analysis { layout, tally, level, .. } = *analysis;
    let mut notes = Notes {
        format: FORMAT,
        study: "run".to_owned(),
        question: question.map(str::to_owned),
        intervals: intervals(level).to_owned(),
        command: told.command,
        scenario: told.scenario,
        ..Notes::default()
    };
    let mut draft = Draft::default();
    let all = tally.count(layout, |_, _| true);
    let trace = Trace { scenario: &provenance.scenario, seed: provenance.seed };
    if all.battles == 0 {
        notes.answer.push(Said::plain("No battle was played."));
        draft.notes = notes;
        return draft;
    }
    let verdict = Verdict::of(layout, tally, &tally.matchups, level);
    let anybody_wins = all.wins.iter().sum::<u64>() > 0;
    if anybody_wins {
        for (at, line) in verdict.lines().into_iter().enumerate() {
            let said = if at == 0 { Said::found(verdict.is_visible(), line) } else { Said::plain(line) };
            notes.answer.push(said);
        }
        notes.live = told.live;
    } else {
        notes
            .answer
            .push(Said::plain("Nobody wins here: every battle is drawn or ends undecided."));
    }
    notes.matters = highlights(analysis, &all);
    notes.next = next(of, &trace);
    draft.notes = notes;
    if anybody_wins {
        sides::matchups(&mut draft, analysis, &trace);
        sides::contenders(&mut draft, analysis, &verdict);
        drawn::factors(&mut draft, analysis, &trace);
        units::all(&mut draft, analysis, &trace);
        units::by_frequency(&mut draft, analysis, &trace);
        units::pairs(&mut draft, analysis, &trace);
        drawn::orders(&mut draft, of);
        sides::seats(&mut draft, analysis, &verdict);
        sides::field(&mut draft, analysis);
    }
    sides::lengths(&mut draft, analysis, &all, &trace);
    if let Some(activity) = activity {
        units::idle(&mut draft, activity);
    }
    draft
}

/// What to ask next.
fn next(of: Summary<'_, '_>, trace: &Trace<'_>) -> Vec<Step> {
    let layout = of.analysis.layout;
    let name = quoted(&of.provenance.scenario);
    let step = |text: String, command: String| Step { text, command };
    let mut next = Vec::new();
    if has_effects(layout) {
        let noun = layout.factor_noun;
        next.push(step(
            format!("What each {noun} does, from the same battles with and without it"),
            format!("evens effects {name} --report effects.html"),
        ));
        let contenders = layout.contenders().names.len();
        let kind = match contenders {
            1 if layout.units_are_drawn => layout.units.first().map(|unit| unit.kind),
            _ => None,
        };
        if contenders > 1 || kind.is_some() {
            let whom = kind.map_or_else(String::new, |kind| format!(" --even {}", quoted(kind)));
            next.push(step(
                format!("Which weights of the {noun}s make everybody even, confirmed on fresh battles"),
                format!("evens tune {name}{whom} --report tune.html"),
            ));
        }
    }
    next.push(step("A typical battle, step by step".to_owned(), trace.pick("typical", &[])));
    next
}

/// Commands that tell a battle of the run.
pub(super) struct Trace<'p> {
    scenario: &'p str,
    seed: u64,
}

impl Trace<'_> {
    fn command(&self, which: &str) -> String {
        let scenario = quoted(self.scenario);
        format!("evens trace {scenario} --seed {} {which} --html battle.html", self.seed)
    }

    /// A battle by its number.
    pub(super) fn battle(&self, number: usize) -> String {
        self.command(&format!("--battle {number}"))
    }

    /// A battle of a kind.
    pub(super) fn pick(&self, kind: &str, more: &[(&str, &str)]) -> String {
        let more: String =
            more.iter().map(|(flag, value)| format!(" {flag} {}", quoted(value))).collect();
        self.command(&format!("--pick {kind}{more}"))
    }
}

/// The column of a measure as the one series of a figure.
fn measured(measure: OutcomeMeasure) -> Vec<Series> {
    one(measure.column(), measure.noun())
}

fn one(column: &str, name: &str) -> Vec<Series> {
    vec![Series { column: column.to_owned(), name: name.to_owned() }]
}

fn detail(column: &str, label: &str, unit: Unit) -> Detail {
    Detail { column: column.to_owned(), label: label.to_owned(), unit }
}

fn counts(of: &[(&str, &str)]) -> Vec<Detail> {
    of.iter().map(|(column, label)| detail(column, label, Unit::Count)).collect()
}

/// What a score is, in the about line of a figure.
fn what_is_measured(measure: OutcomeMeasure) -> String {
    let noun = measure.figure();
    let (first, rest) = noun.split_at(1);
    format!("{}{rest}: {}.", first.to_uppercase(), measure.meaning())
}

/// Marks that there is room for, and what is said of the others.
fn room(figure: &mut Figure, mut marks: Vec<Mark>) {
    let more = marks.len().saturating_sub(MOST_MARKS);
    marks.truncate(MOST_MARKS);
    figure.marks = marks;
    if more > 0 {
        let more = crate::report::figures::whole(more as u64);
        figure.rest = format!("{more} more are in the table `{}`.", figure.table);
    }
}
