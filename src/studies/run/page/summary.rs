//! The page that a run prints when it is over.

use super::super::tables::mean_length;
use super::highlights::highlights;
use super::verdict::Verdict;
use super::{
    Section, Sections, changes, field, idle, matchups, measured, one_unit, order_effects, orders,
    unit_pairs, units,
};
use crate::report::figures::{amount, counted, rate, whole};
use crate::report::header;
use crate::report::page::{Page, Style, Tone};
use crate::shell::{command_on, experiment, measuring};
use crate::statistics::{Level, proportion, quantile};
use crate::studies::run::{Activity, Analysis, Own};
use crate::table::{LEVEL, Provenance};
use crate::tally::{Count, Forfeits, Layout};

/// The data that the page of a run is made from.
#[derive(Clone, Copy, Debug)]
pub struct Summary<'s, 't> {
    /// Where the results come from.
    pub provenance: &'s Provenance,
    /// The question that the scenario asks.
    pub question: Option<&'s str>,
    /// The counts, and the conclusions from them.
    pub analysis: &'s Analysis<'t>,
    /// How often each ability, effect, card and condition had an effect, if that was watched.
    pub activity: Option<&'s Activity>,
    /// What the scenario defines itself, if that took part.
    pub own: Option<&'s Own>,
}

/// The results of a run on a page. It begins with the answer, how sure that is, what matters most, and what to ask
/// next; the wanted sections follow. The tables hold everything. Every estimate comes with its 95% confidence
/// interval.
#[must_use]
pub fn summary(of: Summary<'_, '_>, sections: &Sections, style: Style) -> String {
    let Summary { provenance, question, analysis, activity, .. } = of;
    let Analysis { layout, tally, level, .. } = *analysis;
    let mut page = Page::new(style);
    header(&mut page, provenance, question);
    let all = tally.count(layout, |_, _| true);
    if all.battles == 0 {
        page.gap();
        page.line("No battle was played.");
        return page.into_text();
    }
    let counts = &tally.matchups[..];
    let verdict = Verdict::of(layout, tally, counts, level).tested(layout, analysis.tested);
    let anybody_wins = all.wins.iter().sum::<u64>() > 0;
    page.gap();
    if anybody_wins {
        let tone = if verdict.is_visible() { Tone::Favoured } else { Tone::NotVisible };
        for (at, line) in verdict.lines().iter().enumerate() {
            if at == 0 { page.toned(tone, line) } else { page.line(line) }
        }
        if sections.is_empty() {
            matchups::in_short(&mut page, layout, counts, tally.measure(), level);
        }
    } else {
        page.line("Nobody won any of these battles: each was drawn or ended undecided.");
    }
    let most = highlights(analysis, &all);
    if !most.is_empty() {
        page.heading("What matters most");
        for sentence in most {
            page.item(&sentence);
        }
    }
    let wants = |section| sections.has(section);
    let before = page.length();
    if wants(Section::Matchups) && anybody_wins {
        matchups::section(&mut page, analysis, &verdict);
    }
    if wants(Section::Measured) || !anybody_wins {
        length(&mut page, layout, &all, level);
        measured::section(&mut page, analysis, &all);
    }
    if anybody_wins {
        if wants(Section::Field) {
            field::section(&mut page, layout, tally, level);
        }
        if wants(Section::Rulesets) {
            changes::section(&mut page, &provenance.scenario, analysis);
        }
        if wants(Section::Units) {
            units::section(&mut page, analysis);
        }
        if wants(Section::Pairs) {
            unit_pairs::section(&mut page, analysis);
        }
    }
    if wants(Section::Orders) || !anybody_wins {
        orders::section(&mut page, analysis);
        order_effects::section(&mut page, &provenance.scenario, analysis);
    }
    if let Some(activity) = activity.filter(|_| wants(Section::Activity)) {
        idle::section(&mut page, analysis, activity);
    }
    for &unit in sections.units() {
        one_unit::section(&mut page, analysis, unit);
    }
    page.gap();
    if sections.is_empty() {
        next(&mut page, of, verdict.favoured().next().is_some());
    } else if page.length() == before + 1 {
        page.line(
            "Of what was asked for there is nothing to show: it does not differ from battle to battle here, came up in too few of them, \
             or was not counted.",
        );
    }
    page.toned(Tone::Quiet, intervals(level));
    page.into_text()
}

/// What is next where every battle is forfeited.
pub(super) const NOBODY_FIGHTS: &str =
    "let the teams be brought; where nobody fights there is nothing else to ask.";

/// Suggests what to ask next.
fn next(page: &mut Page, of: Summary<'_, '_>, is_favoured: bool) {
    let Summary { provenance, analysis, activity, own, .. } = of;
    if Forfeits::of(&analysis.tally.matchups).are_all() {
        return page.line(&format!("Next: {NOBODY_FIGHTS} `--full` shows every section here."));
    }
    let layout = analysis.layout;
    let measure = analysis.tally.measure();
    let of_scenario = |name: &str| measuring(command_on(name, &provenance.scenario), measure);
    let has_effects = layout.has_effects() && changes::any_is_fought(analysis);
    let ask = match (has_effects, layout.forcible.first()) {
        (true, _) => format!(
            "`{}` plays each battle with and without each {}",
            of_scenario("effects"),
            layout.factor_noun
        ),
        (false, Some(order)) => experiment(order, &provenance.scenario, measure),
        (false, None) => {
            let trace = command_on("trace", &provenance.scenario);
            format!("`{trace} --battle 0` tells a battle step by step")
        }
    };
    let section = match units::are_ranked(analysis) {
        true => Section::Units,
        false if changes::told(analysis).is_empty() => Section::Measured,
        false => Section::Rulesets,
    };
    let fairer = match is_favoured {
        true => {
            let (command, how_long) = patching(provenance);
            let command = measuring(command, measure);
            format!(
                " `{command}` looks for the fewest changes of numbers that make the contenders even ({how_long});"
            )
        }
        false => String::new(),
    };
    let judge = own.map_or_else(String::new, |own| {
        let (question, command) = own.question(&provenance.scenario);
        format!("`{command}` tells {question}; ")
    });
    page.line(&format!(
        "Next: {judge}{ask};{fairer} `--full` shows every section here, `--only {section}` one."
    ));
    if let Some(idle) = activity.and_then(idle::in_short) {
        page.line(&format!("{idle} (`--only activity`)."));
    }
}

/// The command that looks for the fewest changes of numbers, and about how long it takes at most. How fast a game is played differs a
/// hundredfold and is no part of a page, so the search is measured against the run: it plays some hundred variants, and each
/// a fraction of the run's battles.
pub(super) fn patching(run: &Provenance) -> (String, String) {
    /// How many battles a variant plays at least, so that there is something to see, and at most, as without a number.
    const EACH: [u64; 2] = [5_000, 50_000];
    const PARTS: u64 = 40;
    /// How many times as many battles as a variant a search plays at most, or nearly so: 50 where 6 numbers may change, 230 for
    /// the decks of SolForge, 590 for all cards of Splinterlands.
    const VARIANTS: u64 = 600;
    let played = run.battles_played.max(1);
    let [least, most] = EACH;
    let each = two_digits((played / PARTS).clamp(least, most));
    let command = format!("{} --stats --battles {each}", command_on("tune", &run.scenario));
    let times = (VARIANTS * each + played / 2) / played;
    let how_long = match times {
        0 => "it takes less time than this run".to_owned(),
        1 => "it takes at most about as long as this run".to_owned(),
        times => {
            let times = whole(two_digits(times));
            format!("it takes at most about {times} times as long as this run")
        }
    };
    (command, how_long)
}

/// A number cut to its first two digits.
fn two_digits(number: u64) -> u64 {
    let unit = 10_u64.pow(number.max(1).ilog10().saturating_sub(1));
    number / unit * unit
}

/// A sentence on how long battles last.
pub(super) fn how_long(layout: &Layout, all: &Count, level: Level) -> String {
    if all.fought() == 0 {
        return "No battle was fought.".to_owned();
    }
    let noun = layout.round_noun;
    let mean_length = amount(&mean_length(all, level));
    let at = |share| quantile(&all.lengths, share).unwrap_or(0);
    let [shortest, longest] = [at(0.0), at(1.0)];
    let which = if all.fought() < all.battles { " that was fought" } else { "" };
    if shortest == longest {
        format!("Every one of these battles{which} lasts {}.", counted(shortest, noun))
    } else {
        // Nobody has fought in them, though nobody forfeited: both sides brought the same, say.
        let at_once = match all.lengths.first() {
            Some(&at_once) if 2_000 * at_once >= all.fought() => format!(
                " {:.1}% end before the first {noun}, with a length of 0.",
                100.0 * at_once as f64 / all.fought() as f64
            ),
            Some(_) | None => String::new(),
        };
        format!(
            "A battle{which} lasts {mean_length} {noun}s on average; at least 80% of these last {} to {}.{at_once}",
            at(0.1),
            at(0.9)
        )
    }
}

/// What the parentheses after an estimate mean.
pub(super) fn intervals(level: Level) -> &'static str {
    match level == LEVEL {
        true => "In parentheses: 95% confidence intervals; about one in 20 misses the true value.",
        false => {
            "In parentheses: 95% confidence intervals that hold at the stop; at most about one in 20 misses the true value."
        }
    }
}

fn length(page: &mut Page, layout: &Layout, all: &Count, level: Level) {
    page.gap();
    page.line(&how_long(layout, all, level));
    for (count, what) in [(all.draws, "drawn"), (all.undecided, "undecided")] {
        if count > 0 {
            let share = rate(&proportion(count, all.battles, level));
            page.line(&format!("{share} of the battles are {what}."));
        }
    }
}
