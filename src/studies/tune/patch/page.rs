//! The text page of a patch.

use super::candidates::price;
use super::confirm::Nearer;
use super::headline::headline;
use super::search::CLOSER;
use super::task::{CONFIDENCE, Found, Point, Task, estimate};
use super::{Candidate, Confirmed, Goal, SideEffect};
use crate::report::figures::{
    brief_points, capital, counted, p_value, plain_points, signed, whole,
};
use crate::report::page::{Align, Page, Style, Tone, Toned};
use crate::report::{Treatment, forfeited, share_of_battles, treated};
use crate::shell::argument;
use crate::sorting::Sorting;
use crate::statistics::{Deviation, Equivalence, Estimate, Largest, Level, as_sure};
use crate::studies::evenness::Objective;
use crate::studies::tune::page::{
    besides_strength, bound, confidence, known_size, margin, size, whose,
};
use crate::tally::{Forfeits, Layout, OutcomeMeasure};

/// The most goals that have a line each.
const MOST_GOALS: usize = 12;
/// The most side effects that have a line each.
const MOST_SIDE_EFFECTS: usize = 15;
/// The name that is suggested for the file of the scenario with the patch.
const PATCHED: &str = "patched.toml";
/// With at most this many candidates the page lists the leads at every value.
const FEW: usize = 2;

/// A search for the smallest patch with everything that its page, its tables and its notes need.
#[derive(Clone, Copy)]
pub struct Patching<'t> {
    /// The scenario's question.
    pub question: Option<&'t str>,
    /// The line under the question that describes what was played.
    pub heading: &'t str,
    /// How choices are made in battles; None where there are none.
    pub choices: Option<&'t str>,
    /// The scenario's name.
    pub scenario: &'t str,
    /// The singular noun for those who should be even, such as `contender`.
    pub noun: &'static str,
    /// How many sides fight.
    pub sides: usize,
    /// The layout of the scenario as it is.
    pub layout: &'t Layout,
    /// The task of the search.
    pub task: Task<'t>,
    /// The result of the search.
    pub found: &'t Found,
    /// The confirmation of every point of the frontier in fresh battles; empty when the search ended early.
    pub confirmed: &'t [Confirmed],
    /// The number of fresh battles that each point played, and the seed of their stream.
    pub fresh: (u64, u64),
    /// The other scores that the patch moves.
    pub side_effects: &'t [SideEffect],
    /// The threshold above which side effects are reported, 0 to 1.
    pub tell: f64,
    /// The lines of `[changes]` that put the patch into the scenario.
    pub changes: &'t str,
    /// The whole command that finds the patch again.
    pub again: &'t str,
    /// The file that the scenario with the patch is written to, if it is.
    pub written: Option<&'t str>,
}

impl Patching<'_> {
    /// The patch that was chosen.
    #[must_use]
    pub fn patch(&self) -> &Point {
        &self.found.frontier[self.found.chosen]
    }

    /// The confirmation of the chosen patch in fresh battles; None when the search ended early.
    #[must_use]
    pub fn chosen(&self) -> Option<&Confirmed> {
        self.confirmed.get(self.found.chosen)
    }

    /// The tone of what fresh battles say of the patch.
    fn tone(&self) -> Tone {
        let is_shown = self.chosen().is_some_and(|of| of.result == Equivalence::Shown);
        if is_shown { Tone::Favoured } else { Tone::Against }
    }

    pub(super) fn candidate(&self, at: usize) -> &Candidate {
        &self.task.candidates[at]
    }

    /// A patch in words: `Pit Ogre.health +1, Fire Beetle.mana -1`.
    pub(super) fn told(&self, patch: &[(usize, i64)]) -> String {
        let edits =
            patch.iter().map(|&(at, by)| format!("{} {by:+}", self.candidate(at).number.path()));
        edits.collect::<Vec<_>>().join(", ")
    }

    /// The reported side effects, tested ones before others and larger ones before smaller, each with what it moves beyond
    /// what it is compared with; the interval of that allows for the selection.
    pub(super) fn told_side_effects(&self) -> Vec<(&SideEffect, Estimate)> {
        let mut told: Vec<&SideEffect> = self.side_effects.iter().filter(|of| of.told).collect();
        let tested = |of: &&SideEffect| !of.p_value.is_nan();
        let size = |of: &&SideEffect| of.beyond.value.abs();
        told.put_in_order_by(|one, other| {
            (tested(other).cmp(&tested(one))).then(size(other).total_cmp(&size(one)))
        });
        let all = self.side_effects.iter().filter(tested).count();
        let chosen = Level::P95.of_chosen(told.iter().copied().filter(tested).count(), all);
        let allowing = |of: &SideEffect| of.beyond.at_level(Level::P95, chosen).within(-2.0, 2.0);
        told.into_iter().map(|of| (of, allowing(of))).collect()
    }

    /// Whether any goal's target differs from an even score.
    fn has_targets(&self) -> bool {
        let even = OutcomeMeasure::even(self.sides);
        self.task.goals.iter().any(|goal| (goal.target - even).abs() > 1e-12)
    }

    /// Whose the lead is that is surest to be large in the fresh battles of a point, and who else is off by as much.
    fn surest(&self, point: Option<&Confirmed>, largest: Largest) -> String {
        let name = |at: usize| self.task.goals[at].name.as_str();
        let tied = point.map_or(vec![largest.surest], |of| as_sure(&of.leads, largest.surest));
        whose(&tied.into_iter().map(name).collect::<Vec<_>>())
    }

    pub(super) fn state(&self) -> &'static str {
        if self.has_targets() { "on target" } else { "even" }
    }
}

/// Writes the page of a patch: whether fresh battles confirm it; its edits; what fewer edits would give; and what else
/// it moves.
#[must_use]
pub fn patching(patching: &Patching<'_>, style: Style) -> String {
    let mut page = Page::new(style);
    if let Some(headline) = headline(patching) {
        page.toned(patching.tone(), &headline);
        page.gap();
    }
    if let Some(question) = patching.question {
        page.toned(Tone::Bold, question);
    }
    page.line(patching.heading);
    if let Some(choices) = patching.choices {
        page.line(choices);
    }
    page.gap();
    verdict(&mut page, patching);
    forfeits(patching).iter().for_each(|line| page.line(line));
    effort(&mut page, patching);
    the_patch(&mut page, patching);
    frontier(&mut page, patching);
    every_value(&mut page, patching);
    leads(&mut page, patching);
    side_effects(&mut page, patching);
    for_the_scenario(&mut page, patching);
    page.into_text()
}

/// How many of the fresh battles were forfeited, if any were. Where the patch changes that, leads are smaller or larger for
/// being fought out.
pub(super) fn forfeits(patching: &Patching<'_>) -> Option<String> {
    let after = &patching.chosen()?.forfeits;
    let before = &patching.confirmed.first()?.forfeits;
    let share = |of: &Forfeits| share_of_battles(of.unfought as f64 / of.battles.max(1) as f64);
    let [without, with] = [before, after].map(share);
    if without == with {
        return forfeited(after, Treatment::Scored, None);
    }
    let most = if before.unfought > after.unfought { before } else { after };
    Some(format!(
        "{without} of the fresh battles are forfeits without the patch and {} with it, because a team may not be brought. {}",
        with.to_lowercase(),
        treated(most, Treatment::Scored)
    ))
}

/// Advice where no patch is good enough: which limits bound the search, and what it may have missed.
fn more(patching: &Patching<'_>) -> String {
    let Patching { task, found, .. } = patching;
    let longest = found.frontier.iter().map(|point| point.patch.len()).max().unwrap_or(0);
    let edits = if longest >= task.edits { "`--edits`, " } else { "" };
    let nobody_wins_some = patching.confirmed.iter().any(|of| of.unwon > 0);
    let or = match task.plan.measure {
        OutcomeMeasure::Wins if nobody_wins_some => {
            ", or share the battles that nobody wins (`--measure score`)"
        }
        OutcomeMeasure::Wins | OutcomeMeasure::Score | OutcomeMeasure::Decided => "",
    };
    let mut text = format!(" Allow more ({edits}`--range`, `--at-most`){or}.");
    if found.screened > 0 {
        let alone = found.effects.iter().filter(|effects| !effects.is_empty()).count() as u64;
        text.push_str(&format!(
            " Of {} only {} were tried one by one: name the cards to change (`--only CARD`), or play more battles in each \
             variant (`--battles`), so that nothing is missed.",
            counted(task.candidates.len() as u64, "number"),
            whole(alone)
        ));
    }
    text
}

pub(super) fn verdict(page: &mut Page, patching: &Patching<'_>) {
    let Patching { found, task, .. } = patching;
    let (state, margin) = (patching.state(), margin(task.within));
    let all = confidence(task.goals.len());
    let edits = counted(patching.patch().patch.len() as u64, "edit");
    if found.verdict != Equivalence::Refuted {
        // Whether it was right not to search is judged by fresh battles, not by those on which that was decided.
        let fresh = patching.chosen().and_then(|of| of.largest.map(|largest| (of.result, largest)));
        let first =
            || task.deviations(&found.base).map(|leads| (found.verdict, leads.largest(CONFIDENCE)));
        let which = if fresh.is_some() { "in fresh battles" } else { "in these battles" };
        let said = fresh.or_else(first);
        let (result, largest) =
            said.map_or((found.verdict, None), |(result, of)| (result, Some(of)));
        let told = largest.map_or_else(String::new, |of| {
            let (value, high) = (size(of.value), bound(of.high, task.within));
            format!(" The largest is {value} points {which}, and may be as large as {high}.")
        });
        let battles = counted(task.plan.battles, "battle");
        let (tone, text) = match (result, largest) {
            (Equivalence::Shown, _) => (
                Tone::Favoured,
                format!(
                    "Nothing to change: as it is, all are {state} within {margin} ({all}).{told}"
                ),
            ),
            (Equivalence::Refuted, Some(of)) => (
                Tone::Against,
                format!(
                    "Nothing was changed, since {battles} did not show any lead to be larger than {margin} ({all}). Fresh \
                     battles do: the largest lead is at least {} points, that of {}. Search with more battles (`--battles`).",
                    bound(of.low, task.within),
                    patching.surest(patching.chosen(), of)
                ),
            ),
            _ => (
                Tone::Favoured,
                format!(
                    "Nothing is changed: in {battles} no lead shows to be larger than {margin} ({all}).{told} More battles \
                     (`--battles`) may show one."
                ),
            ),
        };
        return page.toned(tone, &text);
    }
    if patching.patch().patch.is_empty() {
        let (why, more) = match task.edits {
            0 => ("nothing may change (`--edits 0`)", String::new()),
            _ => ("nothing that was tried was seen to make it better", more(patching)),
        };
        // The battles of the search showed a lead; only fresh ones tell whether it is real.
        let searched = format!(
            "Nothing is changed: {} showed a lead larger than {margin} ({all}), and {why}.",
            counted(task.plan.battles, "battle")
        );
        let text = match patching.confirmed.first() {
            Some(Confirmed { largest: Some(largest), result: Equivalence::Refuted, .. }) => {
                format!(
                    "Not {state} within {margin} ({all}), and {why}: in fresh battles the largest lead is at least {} points, that of \
                 {}.{more}",
                    bound(largest.low, task.within),
                    patching.surest(patching.confirmed.first(), *largest)
                )
            }
            Some(Confirmed { largest: Some(largest), result: Equivalence::Shown, .. }) => format!(
                "{searched} In fresh battles all are {state} within {margin}: the largest lead is {} points; the true one is at most \
                 {}.",
                size(largest.value),
                bound(largest.high, task.within)
            ),
            Some(Confirmed { largest: Some(largest), .. }) => format!(
                "{searched} Fresh battles do not tell: in them the largest lead is {} points, and may be as large as {}.{more}",
                size(largest.value),
                bound(largest.high, task.within)
            ),
            Some(_) => format!(
                "{searched} Fresh battles do not tell: in them no battle of some {} counts, so that its lead is not known.",
                patching.noun
            ),
            None => format!("{searched} No fresh battles were played to confirm it.{more}"),
        };
        return page.toned(Tone::Against, &text);
    }
    let (largest, result) = match patching.chosen() {
        Some(Confirmed { largest: Some(largest), result, .. }) => (largest, result),
        Some(_) => {
            let unknown = format!(
                "Not shown {state} within {margin} after {edits} ({all}): in fresh battles no battle of some {} counts, so that its \
                 lead is not known.",
                patching.noun
            );
            return page.toned(Tone::Against, &unknown);
        }
        None => {
            return page.toned(
                Tone::Against,
                "Ended early, before fresh battles could confirm anything. What is below comes from the battles of the search, \
                 and is too good.",
            );
        }
    };
    let (tone, text) = match result {
        Equivalence::Shown => (
            Tone::Favoured,
            format!(
                "{} within {margin} after {edits} ({all}): in fresh battles the largest lead is {} points; the true one is at \
                 most {}.",
                capital(state),
                size(largest.value),
                bound(largest.high, task.within)
            ),
        ),
        Equivalence::Open => (
            Tone::Against,
            format!(
                "Not shown {state} within {margin} after {edits}: in fresh battles the largest lead is {} points, and may be as \
                 large as {} ({all}).",
                size(largest.value),
                bound(largest.high, task.within)
            ),
        ),
        Equivalence::Refuted => (
            Tone::Against,
            format!(
                "Not {state} within {margin} after {edits} ({all}): the largest lead is at least {} points, that of {}.{}",
                bound(largest.low, task.within),
                patching.surest(patching.chosen(), *largest),
                more(patching)
            ),
        ),
    };
    page.toned(tone, &text);
    let known = |of: Option<&Confirmed>| task.deviations(&of?.leads);
    let (Some(before), Some(after)) = (known(patching.confirmed.first()), known(patching.chosen()))
    else {
        return;
    };
    let mut text = format!(
        "In as many fresh battles without them the largest lead is {} points, with them {}",
        known_size(&before.of_largest(CONFIDENCE)),
        known_size(&after.of_largest(CONFIDENCE))
    );
    if task.goals.len() > 2 {
        text.push_str(&format!(
            "; the typical lead (root mean square) is {} without and {} with them",
            known_size(&before.of_typical(CONFIDENCE)),
            known_size(&after.of_typical(CONFIDENCE))
        ));
    }
    if let Some(Nearer { goal, by }) = patching.chosen().and_then(|of| of.nearer) {
        // The same battles with and without: their difference is known better than either.
        text.push_str(&format!(
            "; they bring {} {} nearer",
            task.goals[goal].name,
            plain_points(&by)
        ));
    }
    page.line(&format!("{text}. In parentheses: 95% confidence intervals."));
}

/// A line on the effort of the search: candidates, variants and battles.
fn effort(page: &mut Page, patching: &Patching<'_>) {
    let Found { variants, battles, screened, closer, effects, .. } = patching.found;
    if *variants <= 1 {
        return;
    }
    let candidates = counted(patching.task.candidates.len() as u64, "number");
    let mut line = format!("Searched: {candidates} that may change");
    if *screened > 0 {
        let alone = effects.iter().filter(|effects| !effects.is_empty()).count() as u64;
        line.push_str(&format!(
            ", {} of them one by one after {} that change many at once",
            whole(alone),
            counted(*screened as u64, "variant")
        ));
    }
    if *closer > 0 {
        let each = patching.task.plan.battles.saturating_mul(CLOSER);
        let patches = if *closer == 1 { "patch" } else { "patches" };
        let closer = whole(*closer);
        line.push_str(&format!(
            ", the best {closer} {patches} in {} each",
            counted(each, "battle")
        ));
    }
    let (variants, battles) = (counted(*variants, "variant"), counted(*battles, "battle"));
    page.line(&format!("{line}; {variants} and {battles} in all."));
}

fn the_patch(page: &mut Page, patching: &Patching<'_>) {
    let patch = &patching.patch().patch;
    if patch.is_empty() {
        return;
    }
    page.heading("The patch");
    let row = |&(at, by): &(usize, i64)| {
        let number = &patching.candidate(at).number;
        vec![
            number.card.clone(),
            number.words(),
            number.told(0),
            number.told(by),
            format!("{by:+}"),
        ]
    };
    page.table(
        &[
            ("card", Align::Left),
            ("number", Align::Left),
            ("was", Align::Right),
            ("becomes", Align::Right),
            ("by", Align::Right),
        ],
        patch.iter().map(row).collect(),
    );
    let levelled = patch.iter().any(|&(at, _)| {
        let (low, high) = patching.candidate(at).number.ends();
        low != high
    });
    if levelled {
        page.line("Where a number differs between levels, every level changes by as much.");
    }
}

fn frontier(page: &mut Page, patching: &Patching<'_>) {
    let points = &patching.found.frontier;
    if points.len() < 2 {
        return;
    }
    page.heading("Edits against evenness");
    // Separated by blanks, so that a narrow column can wrap the words.
    let told = |&(at, by): &(usize, i64)| {
        let number = &patching.candidate(at).number;
        format!("{} {} {by:+}", number.card, number.words())
    };
    let rows = points.iter().enumerate().map(|(at, point)| {
        let chosen = if at == patching.found.chosen { " (chosen)" } else { "" };
        let confirmed = patching.confirmed.get(at);
        let of = |of: &dyn Fn(&Confirmed) -> f64| {
            confirmed.map_or_else(String::new, |one| format!("{:.2}", 100.0 * of(one)))
        };
        let largest =
            |which: fn(&Largest) -> f64| of(&|one| one.largest.as_ref().map_or(f64::NAN, which));
        let new = point.patch.iter().filter(|edit| at == 0 || !points[at - 1].patch.contains(edit));
        vec![
            format!("{}{chosen}", point.patch.len()),
            format!("{}", price(patching.task.candidates, &point.patch)),
            format!("{:.2}", 100.0 * point.largest()),
            largest(|of| of.value),
            largest(|of| of.high),
            of(&|one| one.typical),
            new.map(told).collect::<Vec<_>>().join(", "),
        ]
    });
    page.table(
        &[
            ("edits", Align::Left),
            ("price", Align::Right),
            ("search", Align::Right),
            ("fresh", Align::Right),
            ("at most", Align::Right),
            ("typical", Align::Right),
            ("new", Align::Left),
        ],
        rows.collect(),
    );
    page.line(
        "The largest lead, in points. Search: in the battles that the patch was found in; the other figures are of fresh ones. At \
         most: its 95% upper confidence bound. Typical: the root of the mean square of all leads, less what \
         chance adds to it. New: edits that the line above has not.",
    );
    if patching.task.goals.len() > 2 {
        page.line(match patching.task.objective {
            Objective::Squares => {
                "Of as many edits the search looked for those with which the squares of what leads have beyond the margin add up to \
                 least; `--objective largest` goes by the largest lead."
            }
            Objective::Largest => {
                "Of as many edits the search looked for those with which the largest lead is smallest (`--objective largest`)."
            }
        });
    }
}

/// Tables of the leads at every value of a number, where there are few numbers and goals.
fn every_value(page: &mut Page, patching: &Patching<'_>) {
    let Task { candidates, goals, .. } = patching.task;
    if candidates.len() > FEW || goals.len() > 2 {
        return;
    }
    for (candidate, effects) in candidates.iter().zip(&patching.found.effects) {
        if effects.is_empty() {
            continue;
        }
        page.heading(&format!(
            "What every {} of {} gives",
            candidate.number.words(),
            candidate.number.card
        ));
        let key = candidate.number.words();
        let mut columns = vec![(key.as_str(), Align::Right)];
        columns.extend(goals.iter().map(|goal| (goal.name.as_str(), Align::Right)));
        let mut steps: Vec<i64> = effects.keys().copied().chain([0]).collect();
        steps.sort_unstable();
        let rows = steps.into_iter().map(|by| {
            let mut row = vec![candidate.number.told(by)];
            row.extend((0..goals.len()).map(|goal| match effects.get(&by) {
                Some(of) => {
                    let lead = patching.found.base[goal].value + of[goal].value;
                    format!(
                        "{} ({})",
                        signed(100.0 * lead, 1),
                        brief(of[goal], &estimate(of[goal]).within(-1.0, 1.0))
                    )
                }
                None => signed(100.0 * patching.found.base[goal].value, 1),
            }));
            row
        });
        page.table(&columns, rows.collect());
        page.line(
            "The lead in points, in the battles of the search; in parentheses what the change of the number adds to it, with the \
             95% confidence interval of the same battles with and without.",
        );
    }
}

/// A difference in points with its interval: `+2.1 ±0.3`. There is none where all of its battles are in one block.
fn brief(of: Deviation, interval: &Estimate) -> String {
    if of.error.is_nan() {
        return format!("{}, too few battles", signed(100.0 * of.value, 1));
    }
    brief_points(interval).replace(" pp", "")
}

fn leads(page: &mut Page, patching: &Patching<'_>) {
    let goals = patching.task.goals;
    let after = patching.chosen().filter(|_| !patching.patch().patch.is_empty());
    let before = patching.confirmed.first().map_or(&patching.found.base[..], |of| &of.leads);
    let mut order: Vec<usize> = (0..goals.len()).collect();
    let known = |at: usize| if before[at].value.is_nan() { -1.0 } else { before[at].value.abs() };
    order.put_in_order_by(|&one, &other| known(other).total_cmp(&known(one)).then(one.cmp(&other)));
    page.heading("Leads");
    if order.len() > MOST_GOALS {
        page.line(&format!(
            "The {MOST_GOALS} of {} that are furthest off (`--json` has all):",
            order.len()
        ));
        order.truncate(MOST_GOALS);
    }
    let targets = patching.has_targets();
    let interval = |at: usize, lead: Deviation| patching.task.interval(at, lead);
    let row = |&at: &usize| {
        let mut row = vec![goals[at].name.clone()];
        row.extend(targets.then(|| format!("{:.1}%", 100.0 * goals[at].target)));
        row.push(told(before[at], &interval(at, before[at])));
        row.extend(after.map(|of| told(of.leads[at], &interval(at, of.leads[at]))));
        row
    };
    let mut columns = vec![(patching.noun, Align::Left)];
    columns.extend(targets.then_some(("target", Align::Right)));
    columns.push(("lead before", Align::Right));
    columns.extend(after.map(|_| ("lead after", Align::Right)));
    let last = columns.len() - 1;
    let tone = |&at: &usize| {
        let lead = after.map_or(before[at], |of| of.leads[at]);
        Some((last, Tone::of(&estimate(lead), 0.0)))
    };
    let tones: Vec<Toned> = order.iter().map(tone).collect();
    page.toned_table(&columns, order.iter().map(row).collect(), &tones);
    let measured = patching.task.plan.measure.in_full();
    let above = match targets {
        true => "its target".to_owned(),
        false => {
            format!("even, {}%", (1000.0 * OutcomeMeasure::even(patching.sides)).round() / 10.0)
        }
    };
    let whose =
        if patching.confirmed.is_empty() { "the battles of the search" } else { "fresh battles" };
    page.line(&format!(
        "A lead is a {}'s {measured} less {above}, in points, in {whose}. After ± or by - and +: 95% confidence intervals of each lead alone.{}{}",
        patching.noun,
        besides_strength(patching.noun, patching.layout, patching.task.plan.measure),
        match patching.task.plan.measure {
            OutcomeMeasure::Decided => " Match-ups of which no battle is decided are left out.",
            OutcomeMeasure::Score | OutcomeMeasure::Wins => "",
        }
    ));
}

fn told(lead: Deviation, interval: &Estimate) -> String {
    if lead.value.is_nan() { "not known".to_owned() } else { brief(lead, interval) }
}

fn side_effects(page: &mut Page, patching: &Patching<'_>) {
    if patching.patch().patch.is_empty() || patching.side_effects.is_empty() {
        return;
    }
    page.heading("What else moves");
    let mut told = patching.told_side_effects();
    let all = patching.side_effects.iter().filter(|of| !of.p_value.is_nan()).count() as u64;
    let more = size(patching.tell);
    let shares = told.split_off(told.partition_point(|(of, _)| !of.p_value.is_nan()));
    let count = told.len();
    told.truncate(MOST_SIDE_EFFECTS);
    let rows: Vec<Vec<String>> = told.iter().chain(&shares).map(row_of).collect();
    if !rows.is_empty() {
        page.table(
            &[
                ("kind", Align::Left),
                ("who", Align::Left),
                ("before", Align::Right),
                ("after", Align::Right),
                ("its own", Align::Right),
                ("beyond", Align::Right),
                ("p", Align::Right),
            ],
            rows,
        );
    }
    if told.is_empty() {
        page.line(&format!(
            "None of {} moves visibly by more than {more} points beyond what its own side or contender does.",
            counted(all, "other score")
        ));
    } else {
        let which = if count > told.len() {
            format!("The {} largest of {count} (`--json` has all)", told.len())
        } else {
            format!("All {count}")
        };
        page.line(&format!(
            "{which} that visibly move beyond what is their own, and by more than {more} points as these battles have it, of {} scores \
             besides the leads (under a single ruleset only those that move away from their target); from other fresh battles \
             than the leads, the same ones with and without the patch. Its own: by how many points the score of the contender \
             that it fights for moves (of several by how often it fights for each), of a match-up's first contender, or over all \
             rulesets. Beyond: by how many points more it moves itself. p is adjusted for their number (Benjamini and Hochberg). The largest of many are \
             partly chance: intervals allow for the choice (Benjamini and Yekutieli).",
            whole(all)
        ));
    }
    if !shares.is_empty() {
        page.line(
            "Shares of an equilibrium are not tested. Leads that chance explains count as none there, and between equals it is the \
             even mix.",
        );
    }
}

/// A side effect as a line of the table on the page.
fn row_of((of, difference): &(&SideEffect, Estimate)) -> Vec<String> {
    vec![
        of.kind.clone(),
        of.name.clone(),
        format!("{:.1}%", 100.0 * of.before),
        format!("{:.1}%", 100.0 * of.after),
        of.own.as_ref().map_or_else(String::new, |own| signed(100.0 * own.1, 1)),
        match difference.low.is_nan() {
            true => signed(100.0 * difference.value, 1),
            false => brief_points(difference).replace(" pp", ""),
        },
        p_value(of.p_adjusted),
    ]
}

fn for_the_scenario(page: &mut Page, patching: &Patching<'_>) {
    if patching.patch().patch.is_empty() {
        return;
    }
    page.heading("For the scenario");
    for line in patching.changes.lines() {
        page.verbatim(line);
    }
    if !patching.confirmed.is_empty() {
        let (battles, seed) = patching.fresh;
        page.gap();
        page.line(
            "These lines stand in the place of what the scenario says of the same numbers now (in its own entry where it has one \
             for the same card).",
        );
        let file = patching.written.map_or_else(|| PATCHED.to_owned(), argument);
        if patching.written.is_none() {
            page.line("To write the scenario with them to a file:");
            page.command(&format!("{} --write-scenario {file}", patching.again));
        }
        page.line("To play the fresh battles with them again:");
        page.command(&format!("evens run {file} --battles {battles} --seed {seed}"));
    }
}

/// The names of goals, joined by commas, for notes.
pub(super) fn goal_names(goals: &[Goal]) -> String {
    goals.iter().map(|goal| goal.name.as_str()).collect::<Vec<_>>().join(", ")
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A change of which all battles are in one block has a size, and nobody knows how sure it is.
    #[test]
    fn a_difference_without_an_error_is_told_without_an_interval() {
        let of = |error| Deviation { value: 0.214, error };
        let brief = |lead: Deviation| brief(lead, &estimate(lead));
        let told = |lead: Deviation| told(lead, &estimate(lead));
        assert_eq!(brief(of(f64::NAN)), "+21.4, too few battles");
        assert_eq!(told(of(f64::NAN)), "+21.4, too few battles");
        assert_eq!(brief(of(0.01)), "+21.4 ±2.0");
        assert_eq!(told(Deviation { value: f64::NAN, error: f64::NAN }), "not known");
    }
}
