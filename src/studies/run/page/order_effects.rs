//! The section on where the order of events decides who wins, and where it is only associated with that.

use super::super::tables::{OrderEffect, one_order_prevails};
use crate::report::ALARM;
use crate::report::figures::{counted, points, whole};
use crate::report::page::{Align, Page};
use crate::scenario::TableName;
use crate::shell::{forcing, measuring};
use crate::studies::run::Analysis;
use crate::tally::{Layout, Origin};

/// How many effects are shown.
const SHOWN: usize = 5;

pub(super) fn section(page: &mut Page, scenario: &str, analysis: &Analysis<'_>) {
    let layout = analysis.layout;
    let effects = analysis.order_effects();
    if layout.sides > 2 {
        return;
    }
    if effects.is_empty() && one_order_prevails(layout, analysis.tally) {
        page.heading("What goes with winning");
        page.line(
            "No orders can be compared: where several came up in enough battles, all but one came up in less than a twentieth of its battles.",
        );
    }
    let (drawn, observed): (Vec<&OrderEffect>, Vec<&OrderEffect>) =
        effects.iter().partition(|effect| effect.origin == Origin::Drawn);
    if !drawn.is_empty() {
        page.heading("Does a drawn order decide?");
        list(page, analysis, &drawn, &DRAWN);
    }
    if !observed.is_empty() {
        page.heading("What goes with winning");
        list(page, analysis, &observed, &OBSERVED);
        experiment(page, scenario, analysis, &significant(&observed));
    }
}

/// Names the experiments that can tell which of these orders are causes.
fn experiment(page: &mut Page, scenario: &str, analysis: &Analysis<'_>, found: &[&OrderEffect]) {
    let (layout, measure) = (analysis.layout, analysis.tally.measure());
    let is_found = |name: &str| {
        found
            .iter()
            .any(|effect| layout.moments[usize::from(effect.population.moment)].name == name)
    };
    for forcible in layout.forcible.iter().filter(|forcible| is_found(forcible.name)) {
        page.line(&format!(
            "`{}` plays each battle with the other side first, too, and tells the effect.",
            measuring(forcing(forcible, scenario), measure)
        ));
    }
}

/// The wording for effects of orders of one origin.
pub(super) struct Words {
    /// What an order does that matters, after "does not".
    does: &'static str,
    some: &'static str,
    /// Which battles are compared with each other.
    pub(super) within: &'static str,
}

pub(super) const DRAWN: Words = Words {
    does: "significantly change who wins",
    some: "the order changes who wins: dice choose it, and only battles of one match-up and condition are compared",
    within: "within match-ups and conditions",
};
pub(super) const OBSERVED: Words = Words {
    does: "go significantly with who wins",
    some: "the order goes with who wins, as cause, as symptom or because the better side, or what the game draws, brings both about",
    within: "within match-ups",
};

/// The effects that are significant and so worth showing.
pub(super) fn significant<'e>(effects: &[&'e OrderEffect]) -> Vec<&'e OrderEffect> {
    effects.iter().copied().filter(|effect| effect.p_adjusted < ALARM).collect()
}

/// An effect in words: `earthquake: A rather than B`.
pub(super) fn rather(layout: &Layout, effect: &OrderEffect) -> String {
    let [best, worst] = effect.extremes();
    format!(
        "{}: {} rather than {}",
        layout.moments[usize::from(effect.population.moment)].name,
        layout.order_label(&best.items),
        layout.order_label(&worst.items)
    )
}

/// A sentence on how many of the comparisons are significant.
pub(super) fn how_many(effects: &[&OrderEffect], words: &Words) -> String {
    let all = counted(effects.len() as u64, "comparison");
    match (significant(effects).len(), effects.len()) {
        (0, 1) => format!("In the only comparison the order does not {}.", words.does),
        (0, _) => format!("In none of {all} does the order {}.", words.does),
        (1, 1) => format!("In the only comparison {}.", words.some),
        (found, _) => format!(
            "In {} of {all} {} (false discovery rate 5%, Benjamini-Hochberg).",
            whole(found as u64),
            words.some
        ),
    }
}

fn list(page: &mut Page, analysis: &Analysis<'_>, effects: &[&OrderEffect], words: &Words) {
    let layout = analysis.layout;
    page.line(&how_many(effects, words));
    let found = significant(effects);
    if found.is_empty() {
        return;
    }
    let row = |effect: &&OrderEffect| {
        let share = format!("{:.2}%", 100.0 * effect.association.variance_share);
        vec![rather(layout, effect), points(&effect.gap()), share]
    };
    page.table(
        &[("A does better with", Align::Left), ("by", Align::Right), ("explained", Align::Right)],
        found.iter().take(SHOWN).map(row).collect(),
    );
    let rest = match found.len().saturating_sub(SHOWN) {
        0 => String::new(),
        rest => {
            let table = analysis.see_table(TableName::OrderEffects);
            format!("{} more do {table}. ", whole(rest as u64))
        }
    };
    page.line(&format!(
        "{rest}by: {}, with an interval for the best and the worst of all orders; explained: the share of the \
         variance of the score.",
        words.within
    ));
}
