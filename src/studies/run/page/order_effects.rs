//! Where the order of things decides who wins.

use super::super::tables::{OrderEffect, order_effects};
use crate::report::figures::{points, whole};
use crate::report::page::{Align, Page};
use crate::statistics::Level;
use crate::tally::{Layout, Tally};

/// How many are shown.
const SHOWN: usize = 5;
/// Adjusted p-values below this are worth showing.
const ALARM: f64 = 0.05;

pub(super) fn section(page: &mut Page, layout: &Layout, tally: &Tally, level: Level) {
    let effects = order_effects(layout, tally);
    if effects.is_empty() || layout.sides > 2 {
        return;
    }
    page.heading("Does the order decide?");
    let significant: Vec<&OrderEffect> =
        effects.iter().filter(|effect| effect.p_adjusted < ALARM).collect();
    if significant.is_empty() {
        page.line(&format!(
            "In none of {} comparisons of orders does the order significantly change who wins.",
            whole(effects.len() as u64)
        ));
        return;
    }
    page.line(&format!(
        "In {} of {} comparisons the order significantly changes who wins (false discovery rate 5%, Benjamini-Hochberg). \
         Explained: the share of the variance of winning that the order accounts for.",
        whole(significant.len() as u64),
        whole(effects.len() as u64)
    ));
    let row = |effect: &&OrderEffect| {
        let [best, worst] = effect.extremes();
        vec![
            format!(
                "{}: {} rather than {}",
                layout.moments[usize::from(effect.orders[0].moment)].name,
                layout.order_label(best.items),
                layout.order_label(worst.items)
            ),
            points(&effect.gap(level)),
            format!("{:.2}%", 100.0 * effect.association.variance_share),
        ]
    };
    page.table(
        &[("A wins more with", Align::Left), ("by", Align::Right), ("explained", Align::Right)],
        significant.iter().take(SHOWN).map(row).collect(),
    );
    if let Some(rest) = significant.len().checked_sub(SHOWN).filter(|&rest| rest > 0) {
        page.line(&format!("{} more do. The table `order_effects` holds all.", whole(rest as u64)));
    }
}
