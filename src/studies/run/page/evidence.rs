//! The conclusions from a run with a stopping rule.

use crate::batch::{Finished, Inference, StoppingRule};
use crate::game::Side;
use crate::report::figures::{counted, rate, whole};
use crate::report::page::{Align, Page, Style};
use crate::statistics::{Estimate, SequentialTest, Verdict};
use crate::tally::Layout;

/// How many scores are shown.
const SHOWN: usize = 24;

/// Why the run ended, what holds about the scores that were looked at, and what the rule cost.
#[must_use]
pub fn evidence(stop: StoppingRule, finished: &Finished, layout: &Layout, style: Style) -> String {
    let mut page = Page::new(style);
    page.heading(&why_it_ended(stop, finished));
    if !matches!(stop, StoppingRule::Test(_)) {
        scores(&mut page, layout, &stop.known(&finished.tally.matchups));
    }
    let lines = concluded(stop, finished, ["all of these hold", "The intervals above are"]);
    lines.iter().for_each(|line| page.line(line));
    let mut text = page.into_text();
    text.insert(0, '\n');
    text
}

/// The same as sentences, for a report that shows scores in its figures.
pub(in super::super) fn sentences(stop: StoppingRule, finished: &Finished) -> Vec<String> {
    let why = format!("{}.", why_it_ended(stop, finished));
    let words = ["the intervals of all scores that it looked at hold", "Intervals are"];
    std::iter::once(why).chain(concluded(stop, finished, words)).collect()
}

fn why_it_ended(stop: StoppingRule, finished: &Finished) -> String {
    let played = counted(finished.played, "battle");
    match finished.enough {
        true => format!("Stopped by {stop} after {played}"),
        false => format!("Not enough evidence for {stop} after {played}"),
    }
}

/// The sentences on what holds, and on what the rule cost, with the words for the scores' intervals and for all of them.
fn concluded(
    stop: StoppingRule,
    finished: &Finished,
    [all_hold, intervals]: [&str; 2],
) -> Vec<String> {
    let counts = &finished.tally.matchups;
    let mut lines = match stop {
        StoppingRule::Interval(_) => vec![format!(
            "Confidence sequences: in 95% of such runs {all_hold}, at every look at once."
        )],
        StoppingRule::Margin(_) => vec![
            "Plain intervals: each holds in about 95% of such runs, because the rule looks at their width and not at who \
             wins. They hold at this stop, and not at every look at once (`ci=` does)."
                .to_owned(),
        ],
        StoppingRule::Test(test) => {
            let known = stop.known(counts);
            let verdict = stop.verdict(counts).unwrap_or(Verdict::Open);
            tested(test, verdict, known.first().map(|(_, _, score)| score))
        }
    };
    if let Some(fixed) = stop.fixed_number(counts).filter(|_| finished.enough) {
        lines.push(price(stop, finished.played, fixed, counts.len() > 1));
    }
    if stop.inference() == Inference::AnytimeValid {
        lines.push(format!(
            "{intervals} widened so that each holds at this stop, whatever caused it; p-values are not adjusted for the \
             stop."
        ));
    }
    lines
}

/// What a sequential test concludes, and what holds whatever its verdict.
fn tested(test: SequentialTest, verdict: Verdict, score: Option<&Estimate>) -> Vec<String> {
    let [lower, upper] =
        [test.lower, test.upper].map(|score| format!("{}%", (score * 1e6).round() / 1e4));
    let is_out = |bound: f64| score.is_some_and(|score| score.excludes(bound));
    let mut lines = vec![match verdict {
        Verdict::Open if score.is_some_and(|of| of.low > test.lower && of.high < test.upper) => {
            format!("Side A's score is neither {lower} or less nor {upper} or more.")
        }
        Verdict::Lower => {
            format!("Evidence for a score of side A of {lower} or less, against {upper} or more.")
        }
        Verdict::Upper => {
            format!("Evidence for a score of side A of {upper} or more, against {lower} or less.")
        }
        Verdict::Open => {
            format!("Whether side A's score is {lower} or less or {upper} or more is still open.")
        }
    }];
    let bound = match verdict {
        Verdict::Lower if is_out(test.lower) => Some(&lower),
        Verdict::Upper if is_out(test.upper) => Some(&upper),
        Verdict::Lower | Verdict::Upper | Verdict::Open => None,
    };
    if let Some(bound) = bound {
        lines.push(format!(
            "That says which of the two is nearer: by its interval the score is not {bound} either."
        ));
    }
    if let Some(score) = score {
        lines.push(format!(
            "Side A's score is {}: a 95% interval that holds whatever the test says.",
            rate(score)
        ));
        if verdict != Verdict::Open {
            lines.push(
                "A run that ends with the evidence ends more readily on a lead that is partly chance: the score itself leans \
                 towards the answer, and its interval allows for that."
                    .to_owned(),
            );
        }
    }
    let errors = (test.errors * 1e4).round() / 1e2;
    lines.push(format!(
        "Sequential probability ratio test. If the true score is {lower} or less, it says {upper} in at most about {errors}% \
         of such runs; if it is {upper} or more, {lower} in at most about {errors}%. In between, the indifference zone, either \
         answer may come."
    ));
    lines
}

/// What the rule cost, compared with a number of battles fixed in advance.
fn price(stop: StoppingRule, played: u64, fixed: u64, has_several_matchups: bool) -> String {
    let times = played as f64 / fixed as f64;
    let times = match times {
        times if times < 0.01 => "less than 0.01".to_owned(),
        times if times < 0.095 => format!("{times:.2}"),
        times if times < 9.95 => format!("{times:.1}"),
        times => format!("{times:.0}"),
    };
    let what = match stop {
        StoppingRule::Interval(_) | StoppingRule::Margin(_) => "plain intervals this narrow",
        // The test looks at the battles of all match-ups as at one lot.
        StoppingRule::Test(_) if has_several_matchups => {
            "a test with the same error rates that draws a match-up for each battle"
        }
        StoppingRule::Test(_) => "a test with the same error rates",
    };
    format!(
        "Had the number of battles been fixed in advance, {what} would have taken about {}: this run took {times} times as \
         many.",
        whole(fixed)
    )
}

fn scores(page: &mut Page, layout: &Layout, known: &[(Option<usize>, Side, Estimate)]) {
    let row = |(matchup, side, score): &(Option<usize>, Side, Estimate)| {
        let matchup = matchup.map_or_else(String::new, |at| layout.matchups[at].label());
        vec![matchup, side.to_string(), rate(score)]
    };
    page.table(
        &[("Match-up", Align::Left), ("side", Align::Left), ("score", Align::Right)],
        known.iter().take(SHOWN).map(row).collect(),
    );
    let rest = known.len().saturating_sub(SHOWN) as u64;
    if rest > 0 {
        page.line(&format!("{} more are known as well.", whole(rest)));
    }
    let duel = if layout.sides == 2 { " Side B's is the rest." } else { "" };
    page.line(&format!(
        "Score: a win is 1, and a battle that nobody wins is shared equally.{duel}"
    ));
}
