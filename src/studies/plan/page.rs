//! The page of a plan.

use super::{Goal, Plan, PlanComparison, Planned};
use crate::report::figures::{counted, rate, whole};
use crate::report::page::{Align, Page, Style, Tone};
use crate::report::{Treatment, forfeited, header};
use crate::tally::OutcomeMeasure;

/// The largest number of comparisons that is shown.
const SHOWN: usize = 10;
/// With fewer pilot battles than this, their variance is known only roughly.
const FEW: u64 = 100;

/// The page that a plan prints: the answer, the comparisons that need most battles, and what the scenario's own number
/// of battles detects.
#[must_use]
pub fn plan(plan: &Plan, question: Option<&str>, style: Style) -> String {
    let mut page = Page::new(style);
    header(&mut page, &plan.pilot, question);
    page.gap();
    let order = plan.hardest_first();
    if order.is_empty() {
        page.line(&format!(
            "Of {} none came up in the pilot: a longer one (`--pilot`) may see some.",
            counted(plan.unseen as u64, "comparison")
        ));
        return page.into_text();
    }
    page.toned(Tone::Bold, &answer(plan));
    page.gap();
    comparisons(&mut page, plan, &order);
    if plan.forfeited > 0 {
        page.line(&format!(
            "Nothing is planned in {}: all battles there under some ruleset are forfeits, so that nothing can be told from battles \
             with and without one.",
            counted(plan.forfeited as u64, "match-up")
        ));
    }
    if plan.unseen > 0 {
        let or_undecided = match plan.measure {
            OutcomeMeasure::Decided => ", or nobody won a battle of some match-up there",
            OutcomeMeasure::Score | OutcomeMeasure::Wins => "",
        };
        page.line(&format!(
            "{} did not come up in the pilot{or_undecided}: a longer one (`--pilot`) may see {}.",
            counted(plan.unseen as u64, "more comparison"),
            if plan.unseen == 1 { "it" } else { "them" }
        ));
    }
    pilot(&mut page, &order, plan.goal);
    if let Some(forfeits) = forfeited(&plan.forfeits, Treatment::Scored, None) {
        page.line(&format!("In the pilot: {forfeits}"));
    }
    page.gap();
    if !matches!(plan.goal, Goal::Battles(_)) {
        let [find, give] = match plan.own_battles {
            1 => ["finds", "gives"],
            _ => ["find", "give"],
        };
        let [effect, margin] = seen(plan, plan.own_battles);
        page.line(&format!(
            "The scenario's own {} {find} {}, and {give} intervals of ±{}.",
            counted(plan.own_battles, "battle"),
            difference(effect),
            points(margin)
        ));
    }
    page.line(&method(plan));
    page.into_text()
}

/// The difference that this many battles detect in every comparison, and the largest half-width of an interval.
fn seen(plan: &Plan, battles: u64) -> [f64; 2] {
    let largest =
        |each: &dyn Fn(&Planned) -> f64| plan.planned.iter().map(each).fold(0.0, f64::max);
    [largest(&|of| plan.found(of, battles)), largest(&|of| plan.margin(of, battles))]
}

fn answer(plan: &Plan) -> String {
    let [confidence, power] = plan.asked.map(percent);
    let all = match plan.planned.len() {
        1 => String::new(),
        several => format!(" for each of {} comparisons", whole(several as u64)),
    };
    let sure = format!("{power} power, {confidence} confidence");
    match plan.goal {
        Goal::Battles(battles) => {
            let [effect, margin] = seen(plan, battles);
            let [find, give, they_take] = match battles {
                1 => ["finds", "gives", "It takes"],
                _ => ["find", "give", "They take"],
            };
            format!(
                "{} {find} {} ({sure}){all}, and {give} intervals of ±{}. {they_take} {} here.",
                counted(battles, "battle"),
                difference(effect),
                points(margin),
                duration(plan.seconds(battles))
            )
        }
        Goal::Detect(effect) => {
            needed(plan, &format!("find a difference of {} ({sure})", points(effect)), &all)
        }
        Goal::Margin(margin) => needed(
            plan,
            &format!("get intervals of ±{} ({confidence} confidence)", points(margin)),
            &all,
        ),
    }
}

/// A detectable difference between scores in words; one of 100 points or more is impossible.
fn difference(effect: f64) -> String {
    match effect < 1.0 {
        true => format!("a difference of {}", points(effect)),
        false => "no difference, however large".to_owned(),
    }
}

fn needed(plan: &Plan, what: &str, all: &str) -> String {
    let Some(battles) = plan.battles_for_all() else {
        return format!("No number of battles is enough to {what}{all}.");
    };
    let runs = if plan.comparison == PlanComparison::Change { "two runs of " } else { "" };
    format!(
        "To {what}{all}: {runs}{}, which take {} here.",
        counted(battles, "battle"),
        duration(plan.seconds(battles))
    )
}

fn comparisons(page: &mut Page, plan: &Plan, order: &[&Planned]) {
    let row = |of: &&Planned| {
        let mut row =
            vec![of.subject.clone(), rate(&of.pilot), format!("{:.1}%", 100.0 * of.share)];
        match plan.goal {
            Goal::Battles(battles) => row.extend([
                match plan.found(of, battles) {
                    effect if effect < 1.0 => points(effect),
                    _ => "none".to_owned(),
                },
                format!("±{}", points(plan.margin(of, battles))),
            ]),
            Goal::Detect(_) | Goal::Margin(_) => {
                let battles = plan.battles(of);
                row.push(battles.map_or_else(|| "no number".to_owned(), whole));
                row.push(battles.map_or_else(String::new, |of| duration(plan.seconds(of))));
            }
        }
        row
    };
    let what = match plan.comparison {
        PlanComparison::Score | PlanComparison::Change => "match-up",
        PlanComparison::Contenders => "contender",
        PlanComparison::Rulesets => "score with it",
        PlanComparison::Units => "unit",
    };
    let in_the_pilot = format!("{} in the pilot", plan.measure.noun());
    let [first, second] = match plan.goal {
        Goal::Battles(_) => ["finds", "interval"],
        Goal::Detect(_) | Goal::Margin(_) => ["battles", "time"],
    };
    page.table(
        &[
            (what, Align::Left),
            (&in_the_pilot, Align::Right),
            ("share", Align::Right),
            (first, Align::Right),
            (second, Align::Right),
        ],
        order.iter().take(SHOWN).map(row).collect(),
    );
    let rest = order.len().saturating_sub(SHOWN) as u64;
    if rest > 0 {
        let need = match (plan.goal, rest) {
            (Goal::Battles(_), 1) => "finds no larger one",
            (Goal::Battles(_), _) => "find no larger ones",
            (_, 1) => "needs no more",
            _ => "need no more",
        };
        page.line(&format!("{} more {need}. `--json` lists all.", whole(rest)));
    }
}

/// Whether the plan assumes scores near even whatever the pilot showed, because battles vary more there.
fn is_for_even(of: &Planned, goal: Goal) -> bool {
    let finds = matches!(goal, Goal::Detect(_) | Goal::Battles(_));
    finds && of.design.tested_deviation() > of.design.deviation()
}

/// Writes what the pilot is too short to tell.
fn pilot(page: &mut Page, order: &[&Planned], goal: Goal) {
    let longer = "a longer pilot (`--pilot`) tells more";
    let unvaried = || order.iter().filter_map(|of| Some((of, of.alike.as_ref()?)));
    if let Some((of, alike)) =
        unvaried().max_by(|(_, a), (_, b)| a.otherwise.total_cmp(&b.otherwise))
    {
        let others = match unvaried().count() {
            1 => String::new(),
            several => format!(" (and those of {} more)", whole(several as u64 - 1)),
        };
        let ended = match alike.battles {
            1 => "the pilot has a single battle".to_owned(),
            battles => format!("all {} battles of the pilot ended alike", whole(battles)),
        };
        page.toned(
            Tone::Against,
            &format!(
                "Of {} {ended}{others}, which does not tell how much they vary. {}; {longer}.",
                alike.subject,
                match is_for_even(of, goal) {
                    true => "What it takes to find a difference is for scores near even, where battles vary most".to_owned(),
                    false => format!(
                        "The plan is for as much as that leaves possible: up to {}% that end otherwise (95% confidence)",
                        significant(100.0 * alike.otherwise.min(0.5))
                    ),
                }
            ),
        );
    }
    let few = order.iter().filter(|of| of.alike.is_none() && of.seen < FEW);
    if let Some(of) = few.clone().min_by_key(|of| of.seen) {
        let others = match few.count() {
            1 => String::new(),
            several => format!(", and of {} more fewer than {FEW}", whole(several as u64 - 1)),
        };
        page.toned(
            Tone::Against,
            &format!(
                "Of {} the pilot has {}{others}: how much they vary is known only roughly, and with it what is planned; {longer}.",
                of.subject,
                counted(of.seen, "battle")
            ),
        );
    }
}

/// The text on what the figures mean and assume.
fn method(plan: &Plan) -> String {
    let figure = plan.measure.figure();
    let compared = match plan.comparison {
        PlanComparison::Score if plan.sides == 2 && plan.measure == OutcomeMeasure::Wins => {
            &format!("Side A's {figure} is compared with an even one.")
        }
        PlanComparison::Score if plan.sides == 2 => {
            &format!("Side A's {figure} is compared with an even one; side B's is the rest.")
        }
        PlanComparison::Score => &format!("Each side's {figure} is compared with an even one."),
        PlanComparison::Contenders => &format!(
            "The {figure} of each contender over all its match-ups is compared with an even one."
        ),
        PlanComparison::Rulesets => &format!(
            "The {figure} of side A in battles that have it is compared with that in battles that do not{}.",
            match plan.has_effects {
                true => "; `evens effects` compares paired battles, which takes fewer",
                false => "",
            }
        ),
        PlanComparison::Units => &format!(
            "The {figure} of each unit's side is compared with an even one, as in the table `units`: several appearances in one \
             battle are not taken for independent."
        ),
        PlanComparison::Change => {
            "Two runs of so many battles each are compared, match-up by match-up. `evens nightly` and `evens compare` test more figures \
             at once, for an error rate of 1% over all of them and a tolerance, and find less with as many battles: each says what."
        }
    };
    let even = match plan.comparison {
        PlanComparison::Rulesets | PlanComparison::Change => String::new(),
        _ if plan.measure != OutcomeMeasure::Wins => String::new(),
        _ => format!(
            " Even is {} of the battles that somebody wins, and a lead over it takes as many battles as the same lead in scores.",
            match plan.sides {
                2 => "half".to_owned(),
                sides => format!("one in {sides}"),
            }
        ),
    };
    let adjusted = match plan.adjusted_for {
        1 if plan.planned.len() == 1 => String::new(),
        1 => " Each comparison stands for itself, without adjustment for their number.".to_owned(),
        tests => format!(
            " The level is adjusted for {} comparisons (Bonferroni, the first step of Holm's method).",
            whole(tests)
        ),
    };
    let found = match plan.comparison {
        PlanComparison::Score | PlanComparison::Contenders | PlanComparison::Units => {
            " A difference from even is planned for where it is to be found: with the variance of nearly even battles that are as often \
             drawn as the pilot's."
        }
        PlanComparison::Rulesets | PlanComparison::Change => {
            " A difference is planned for in the direction that takes more battles, with the variance that battles have so far away."
        }
    };
    format!(
        "{compared}{even}{adjusted} Share: the part of the run's battles that count for it. Battles are those of the whole run, whose \
         variance is taken from the pilot ({} battles a second here).{found}",
        whole(plan.speed.round() as u64)
    )
}

fn percent(share: f64) -> String {
    format!("{}%", (share * 1e6).round() / 1e4)
}

/// A difference of probabilities with two significant digits or more: `0.25 pp`.
pub(super) fn points(difference: f64) -> String {
    format!("{} pp", significant(100.0 * difference))
}

/// A number above 0 with two significant digits or more.
fn significant(number: f64) -> String {
    let digits = if number >= 9.95 {
        1
    } else {
        (1.0 - libm::log10(number).floor()).clamp(1.0, 5.0) as usize
    };
    let text = format!("{number:.digits$}");
    text.trim_end_matches('0').trim_end_matches('.').to_owned()
}

/// A duration in words, in the unit that suits it.
fn duration(seconds: f64) -> String {
    match seconds {
        s if !s.is_finite() => "an unknown time".to_owned(),
        s if s < 1.0 => "under a second".to_owned(),
        s if s < 90.0 => format!("{s:.0} s"),
        s if s < 5_400.0 => format!("{:.0} min", s / 60.0),
        s if s < 172_800.0 => format!("{:.1} h", s / 3_600.0),
        s => format!("{:.1} days", s / 86_400.0),
    }
}
