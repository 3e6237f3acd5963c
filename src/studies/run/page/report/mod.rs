//! The texts and figures of a run's HTML report: the same analysis as the page for the terminal, sentence by
//! sentence.

mod drawn;
mod measured;
mod sides;
mod units;
mod units_by_matchup;

use super::changes::any_is_fought;
use super::highlights::highlights;
use super::summary::{NOBODY_FIGHTS, Summary, how_long, intervals, patching};
use super::verdict::Verdict;
use crate::report::figures::capital;
use crate::report::html::{
    Draft, FORMAT, Live, Notes, Said, ScenarioText, Series, Step, Trace, one,
};
use crate::shell::{command_on, flag, forcing, measuring};
use crate::studies::run::Analysis;
use crate::tally::{Forfeits, OutcomeMeasure};

/// The data that a report of a run needs beyond that of its page.
#[derive(Clone, Debug, Default)]
pub struct ReportExtras {
    /// The command that reproduces the results.
    pub command: String,
    /// The scenario's text.
    pub scenario: Option<ScenarioText>,
    /// The data with which the page recomputes results for other weights.
    pub live: Option<Live>,
}

/// The report of a run.
#[must_use]
pub fn report(of: Summary<'_, '_>, extras: ReportExtras) -> Draft {
    let Summary { provenance, question, analysis, activity, .. } = of;
    let Analysis { layout, tally, level, .. } = *analysis;
    let mut notes = Notes {
        format: FORMAT,
        study: "run".to_owned(),
        question: question.map(str::to_owned),
        intervals: intervals(level).to_owned(),
        command: extras.command,
        scenario: extras.scenario,
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
    let verdict =
        Verdict::of(layout, tally, &tally.matchups, level).tested(layout, analysis.tested);
    let anybody_wins = all.wins.iter().sum::<u64>() > 0;
    if anybody_wins {
        for (at, line) in verdict.lines().into_iter().enumerate() {
            let said =
                if at == 0 { Said::found(verdict.is_visible(), line) } else { Said::plain(line) };
            notes.answer.push(said);
        }
        notes.live = extras.live;
    } else {
        notes.answer.push(Said::plain(
            "Nobody won any of these battles: each was drawn or ended undecided.",
        ));
        notes.answer.push(Said::plain(how_long(layout, &all, level)));
        notes.answer.extend(super::measured::in_short(layout, &all, level).map(Said::plain));
    }
    notes.matters = highlights(analysis, &all);
    if Forfeits::of(&tally.matchups).are_all() {
        notes.matters.push(format!("Next: {NOBODY_FIGHTS}"));
    }
    notes.next = next(of, verdict.favoured().next().is_some(), &trace);
    draft.notes = notes;
    if anybody_wins {
        sides::matchups(&mut draft, analysis, &verdict, &trace);
        sides::contenders(&mut draft, analysis, &verdict);
        drawn::factors(&mut draft, analysis, &trace);
        units::all(&mut draft, analysis, &trace);
        units::by_frequency(&mut draft, analysis, &trace);
        units_by_matchup::figure(&mut draft, analysis, &trace);
        units::pairs(&mut draft, analysis);
        drawn::orders(&mut draft, of);
        sides::seats(&mut draft, analysis, &verdict);
        sides::field(&mut draft, analysis);
    }
    sides::lengths(&mut draft, analysis, &all, &trace);
    measured::figure(&mut draft, analysis, &all);
    if !anybody_wins {
        measured::orders(&mut draft, analysis);
    }
    // Where nobody fights, nothing can have an effect.
    if let Some(activity) = activity.filter(|_| all.fought() > 0) {
        units::idle(&mut draft, activity);
    }
    draft
}

/// Suggests what to ask next.
fn next(of: Summary<'_, '_>, is_favoured: bool, trace: &Trace<'_>) -> Vec<Step> {
    if Forfeits::of(&of.analysis.tally.matchups).are_all() {
        return Vec::new();
    }
    let layout = of.analysis.layout;
    let measure = of.analysis.tally.measure();
    let of_scenario = |name: &str| measuring(command_on(name, &of.provenance.scenario), measure);
    let step = |text: String, command: String| Step { text, command };
    let mut next = Vec::new();
    if let Some(own) = of.own {
        let (question, command) = own.question(&of.provenance.scenario);
        let report = if own.has_report() { " --report worth.html" } else { "" };
        next.push(step(capital(&question), command + report));
    }
    if layout.has_effects() && any_is_fought(of.analysis) {
        let noun = layout.factor_noun;
        next.push(step(
            format!("What each {noun} does, from the same battles with and without it"),
            format!("{} --report effects.html", of_scenario("effects")),
        ));
    } else if let Some(order) = layout.forcible.first() {
        next.push(step(
            format!("What being the first is worth ({}), from the same battles", order.name),
            format!(
                "{} --report effects.html",
                measuring(forcing(order, &of.provenance.scenario), measure)
            ),
        ));
    }
    if layout.neutral.is_some() && layout.conditions.len() > 1 {
        let noun = layout.factor_noun;
        let contenders = layout.contenders().names.len();
        let kind = match contenders {
            1 if layout.units_are_drawn => layout.units.first().map(|unit| unit.kind),
            _ => None,
        };
        if contenders > 1 || kind.is_some() {
            let whom = kind.map_or_else(String::new, |kind| format!(" {}", flag("--even", kind)));
            next.push(step(
                format!(
                    "Which weights of the {noun}s make everybody even, confirmed on fresh battles"
                ),
                format!("{}{whom} --report tune.html", of_scenario("tune")),
            ));
        }
    }
    if is_favoured {
        let (command, how_long) = patching(of.provenance);
        next.push(step(
            format!(
                "Which changes of numbers make the contenders even, with as few as possible ({how_long})"
            ),
            format!("{} --report patch.html", measuring(command, measure)),
        ));
    }
    next.push(step("A typical battle, step by step".to_owned(), trace.pick("typical", &[])));
    next
}

/// The measure's column as the only series of a figure.
fn measured(measure: OutcomeMeasure) -> Vec<Series> {
    one(measure.column(), measure.noun())
}

/// What the measure means, for the about line of a figure.
fn what_is_measured(measure: OutcomeMeasure) -> String {
    format!("{}: {}.", capital(measure.figure()), measure.meaning())
}
