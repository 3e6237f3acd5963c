//! What can be concluded from a run with a stopping rule.

use crate::batch::{Finished, StoppingRule, verdict, win_rates};
use crate::game::Side;
use crate::report::figures::{rate, whole};
use crate::report::page::{Align, Page, Style};
use crate::statistics::Verdict;
use crate::tally::{Count, Layout};

/// How many win rates are shown.
const SHOWN: usize = 24;

/// Why the run ended, with estimates that stay valid under optional stopping. The intervals of the summary assume a
/// number of battles that was fixed in advance.
#[must_use]
pub fn evidence(stop: StoppingRule, finished: &Finished, layout: &Layout, style: Style) -> String {
    let counts: Vec<Count> = (0..layout.matchups.len())
        .map(|matchup| finished.tally.matchups[matchup].clone())
        .collect();
    let mut page = Page::new(style);
    let played = whole(finished.played);
    page.heading(&match finished.enough {
        true => format!("Stopped: evidence enough after {played} battles"),
        false => format!("Not enough evidence after {played} battles"),
    });
    match stop {
        StoppingRule::Interval(_) => intervals(&mut page, layout, &counts),
        StoppingRule::Test(test) => {
            let [lower, upper] = [test.lower, test.upper]
                .map(|score| format!("{:+}", ((score - 0.5) * 1e4).round() / 100.0));
            page.line(&match verdict(test, &counts) {
                Verdict::Lower => {
                    format!("Side A's score is nearer to {lower} points from half than to {upper}.")
                }
                Verdict::Upper => {
                    format!("Side A's score is nearer to {upper} points from half than to {lower}.")
                }
                Verdict::Open => format!(
                    "Whether side A's score is {lower} or {upper} points from half is still open."
                ),
            });
            page.line("Sequential probability ratio test: wrong in at most about 5% of such runs. A draw scores half.");
        }
    }
    let mut text = page.into_text();
    text.insert(0, '\n');
    text
}

fn intervals(page: &mut Page, layout: &Layout, counts: &[Count]) {
    let mut rows = Vec::new();
    for (matchup, rates) in layout.matchups.iter().zip(win_rates(counts)) {
        for (side, known) in rates.iter().enumerate() {
            rows.push(vec![matchup.label(), Side(side as u8).to_string(), rate(known)]);
        }
    }
    let rest = rows.len().saturating_sub(SHOWN) as u64;
    rows.truncate(SHOWN);
    page.table(&[("Match-up", Align::Left), ("side", Align::Left), ("wins", Align::Right)], rows);
    if rest > 0 {
        page.line(&format!("{} more are known as well.", whole(rest)));
    }
    page.line(
        "Confidence sequences: in 95% of such runs all of these hold at every look. The intervals above assume a number \
         of battles that was fixed in advance.",
    );
}
