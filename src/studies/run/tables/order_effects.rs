//! The table `order_effects`: where the order of things decides who wins.

use super::orders::{OrderRow, rows};
use crate::scenario::TableName;
use crate::statistics::{
    Association, Estimate, Level, association, benjamini_hochberg, difference, proportion,
};
use crate::table::{Column, Table};
use crate::tally::{Layout, Tally};

/// All orders of one population, compared with each other.
pub(crate) struct OrderEffect<'t> {
    /// The orders, most frequent first; at least two.
    pub orders: Vec<OrderRow<'t>>,
    /// How much they say about whether side A wins.
    pub association: Association,
    /// The p-value adjusted for how many populations were looked at.
    pub p_adjusted: f64,
}

impl OrderEffect<'_> {
    /// Of the orders that came up often enough to say anything, those with which side A wins most and least.
    pub(crate) fn extremes(&self) -> [&OrderRow<'_>; 2] {
        let rate = |row: &&OrderRow| row.count.wins[0] as f64 / row.count.battles as f64;
        let most = self.orders.iter().map(|row| row.count.battles).max().unwrap_or(0);
        let often = || self.orders.iter().filter(move |row| row.count.battles * 20 >= most);
        let by_rate = |a: &&OrderRow, b: &&OrderRow| rate(a).total_cmp(&rate(b));
        let best = often().max_by(by_rate).expect("the most frequent is frequent");
        [best, often().min_by(by_rate).expect("the most frequent is frequent")]
    }

    /// By how much side A wins more often with the best order than with the worst.
    pub(crate) fn gap(&self, level: Level) -> Estimate {
        let [best, worst] = self.extremes().map(|row| (row.count.wins[0], row.count.battles));
        difference(best, worst, level)
    }
}

/// Every population of at least two orders, those that explain most first. P-values are adjusted for the length of
/// the list (Benjamini-Hochberg).
pub(crate) fn order_effects<'t>(layout: &Layout, tally: &'t Tally) -> Vec<OrderEffect<'t>> {
    let mut populations: Vec<Vec<OrderRow<'t>>> = Vec::new();
    for row in rows(layout, tally) {
        match populations.last_mut() {
            Some(last) if (last[0].moment, &last[0].batch) == (row.moment, &row.batch) => {
                last.push(row);
            }
            _ => populations.push(vec![row]),
        }
    }
    populations.retain(|orders| orders.len() > 1);
    let seen: Vec<Association> = populations
        .iter()
        .map(|orders| association(orders.iter().map(|row| (row.count.wins[0], row.count.battles))))
        .collect();
    let p_values: Vec<f64> = seen.iter().map(|seen| seen.p_value).collect();
    let mut effects: Vec<OrderEffect> = populations
        .into_iter()
        .zip(seen)
        .zip(benjamini_hochberg(&p_values))
        .filter(|((_, seen), _)| !seen.p_value.is_nan())
        .map(|((orders, association), p_adjusted)| OrderEffect { orders, association, p_adjusted })
        .collect();
    effects.sort_by(|a, b| b.association.variance_share.total_cmp(&a.association.variance_share));
    effects
}

/// One row per population of orders that can be compared.
pub(super) fn table(layout: &Layout, tally: &Tally, level: Level) -> Table {
    let effects = order_effects(layout, tally);
    let text = |of: &dyn Fn(&OrderEffect) -> String| effects.iter().map(of).collect::<Vec<_>>();
    let count = |of: &dyn Fn(&OrderEffect) -> u64| effects.iter().map(of).collect::<Vec<_>>();
    let number = |of: &dyn Fn(&OrderEffect) -> f64| effects.iter().map(of).collect::<Vec<_>>();
    let rates = |which: usize| -> Vec<Estimate> {
        let rate = |effect: &OrderEffect| {
            let row = effect.extremes()[which];
            proportion(row.count.wins[0], row.count.battles, level)
        };
        effects.iter().map(rate).collect()
    };
    let mut columns = vec![
        Column::text(
            "moment",
            "when the orders were observed",
            text(&|effect| layout.moments[usize::from(effect.orders[0].moment)].name.clone()),
        ),
        Column::text(
            "batch",
            "what happened, in whatever order; empty where all orders of the moment are compared",
            text(&|effect| {
                let names = effect.orders[0].batch.iter();
                let name = |&item: &u16| layout.order_items[usize::from(item)].clone();
                names.map(name).collect::<Vec<_>>().join(" + ")
            }),
        ),
        Column::count(
            "orders",
            "how many orders came up",
            count(&|effect| effect.orders.len() as u64),
        ),
        Column::count(
            "battles",
            "battles with them; one that saw several orders counts for each",
            count(&|effect| effect.orders.iter().map(|row| row.count.battles).sum()),
        ),
        Column::number(
            "variance_share",
            "share of the variance of side A's winning that the order explains, 0 to 1",
            number(&|effect| effect.association.variance_share),
        ),
        Column::number(
            "chi_square",
            "Pearson's statistic of: every order has the same win rate",
            number(&|effect| effect.association.chi_square),
        ),
        Column::count(
            "degrees",
            "its degrees of freedom",
            count(&|effect| effect.association.degrees),
        ),
        Column::number(
            "p_adjusted",
            "its p-value, adjusted for the length of this list (Benjamini-Hochberg)",
            number(&|effect| effect.p_adjusted),
        ),
    ];
    for (which, name) in ["best_order", "worst_order"].into_iter().enumerate() {
        let (rank, rate) =
            if which == 0 { ("most", "best_win_rate") } else { ("least", "worst_win_rate") };
        columns.push(Column::text(
            name,
            format!("the order with which side A wins {rank}"),
            text(&|effect| layout.order_label(effect.extremes()[which].items)),
        ));
        columns.extend(Column::estimates(
            rate,
            "wins of side A per battle with it, 0 to 1",
            &rates(which),
        ));
    }
    let gaps: Vec<Estimate> = effects.iter().map(|effect| effect.gap(level)).collect();
    columns.extend(Column::estimates("gap", "the one win rate less the other, 0 to 1", &gaps));
    Table { name: TableName::OrderEffects.to_string(), columns }
}
