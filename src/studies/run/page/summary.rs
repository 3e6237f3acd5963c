//! What a run prints when it is over.

use super::super::tables::mean_length;
use super::{changes, field, idle, matchups, measured, order_effects, orders, unit_pairs, units};
use crate::report::figures::{amount, counted, rate};
use crate::report::header;
use crate::report::page::{Page, Style, Tone};
use crate::statistics::{Level, proportion, quantile};
use crate::studies::run::Activity;
use crate::table::{LEVEL, Provenance};
use crate::tally::{Count, Layout, Tally};

/// The results of a run on a page: who wins, with what uncertainty, and what seems to decide it. The
/// tables hold everything; this shows the highlights. Every estimate comes with its interval of the given level: the
/// usual [`LEVEL`], or that of the [rule](crate::batch::StoppingRule::level) that ended the run.
#[must_use]
pub fn summary(
    provenance: &Provenance,
    question: Option<&str>,
    layout: &Layout,
    tally: &Tally,
    activity: Option<&Activity>,
    level: Level,
    style: Style,
) -> String {
    let mut page = Page::new(style);
    header(&mut page, provenance, question);
    let all = tally.count(layout, |_, _| true);
    if all.battles == 0 {
        page.gap();
        page.line("No battle was played.");
        return page.into_text();
    }
    if all.wins.iter().sum::<u64>() > 0 {
        matchups::section(&mut page, layout, tally, &all, level);
        length(&mut page, layout, &all, level);
        field::section(&mut page, layout, tally, level);
        measured::section(&mut page, layout, tally, &all, level);
        changes::section(&mut page, layout, tally, level);
        units::section(&mut page, layout, tally, level);
        unit_pairs::section(&mut page, layout, tally, level);
    } else {
        page.gap();
        page.line("Nobody wins here: every battle is drawn or ends undecided.");
        measured::section(&mut page, layout, tally, &all, level);
    }
    orders::section(&mut page, layout, tally, level);
    order_effects::section(&mut page, layout, tally, level);
    if let Some(activity) = activity {
        idle::section(&mut page, activity);
    }
    page.gap();
    page.toned(
        Tone::Quiet,
        match level == LEVEL {
            true => "In parentheses: 95% confidence intervals; about one in 20 misses the true value.",
            false => "In parentheses: 95% confidence intervals that hold at the stop; at most about one in 20 misses the true \
                      value.",
        },
    );
    page.into_text()
}

fn length(page: &mut Page, layout: &Layout, all: &Count, level: Level) {
    let noun = layout.round_noun;
    page.gap();
    let mean_length = amount(&mean_length(all, level));
    let at = |share| quantile(&all.lengths, share).unwrap_or(0);
    let [shortest, longest] = [at(0.0), at(1.0)];
    if shortest == longest {
        page.line(&format!("Every battle lasts {}.", counted(shortest, noun)));
    } else {
        page.line(&format!(
            "A battle lasts {mean_length} {noun}s on average; 80% last {} to {}.",
            at(0.1),
            at(0.9)
        ));
    }
    for (count, what) in [(all.draws, "drawn"), (all.undecided, "undecided")] {
        if count > 0 {
            let share = rate(&proportion(count, all.battles, level));
            page.line(&format!("{share} of the battles are {what}."));
        }
    }
}
