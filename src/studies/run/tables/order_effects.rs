//! The table `order_effects`: where the order of events is associated with who wins, and where it decides that.

use super::orders::{OrderRow, Population, by_population, origin_name, populations, rows};
use crate::game::Side;
use crate::scenario::TableName;
use crate::sorting::Sorting;
use crate::statistics::{
    Association, Estimate, Level, Sample, association, benjamini_hochberg, difference_within, score,
};
use crate::studies::run::Analysis;
use crate::table::{Column, Table};
use crate::tally::{Layout, Origin, OutcomeMeasure, Tally};

/// A population with fewer battles is not tested.
const ENOUGH: u64 = 100;
/// An order counts as frequent, and can be an extreme, with at least one battle for this many of the most frequent
/// order.
const FREQUENT: u64 = 20;

/// The comparison of all orders of one population with each other.
#[derive(Debug)]
pub(crate) struct OrderEffect {
    /// The population of orders; at least two of them are frequent.
    pub population: Population,
    /// How the orders come about: whether they are drawn or follow from the battle.
    pub origin: Origin,
    /// How much of side A's score the orders account for.
    pub association: Association,
    /// The p-value, adjusted for the number of populations tested.
    pub p_adjusted: f64,
    measure: OutcomeMeasure,
    /// Indices of the best and the worst of the frequent orders.
    extremes: [usize; 2],
    gap: Estimate,
}

impl OrderEffect {
    /// The frequent orders with which side A does best and worst.
    pub(crate) fn extremes(&self) -> [&OrderRow; 2] {
        self.extremes.map(|at| &self.population.orders[at])
    }

    /// By how much side A does better with the best order than with the worst, compared within strata. The interval
    /// is wide enough for the two to have been chosen from all pairs (Bonferroni).
    pub(crate) fn gap(&self) -> Estimate {
        self.gap
    }
}

/// Indices of the orders that came up often enough to be the best or the worst. A single frequent order cannot be
/// compared.
fn frequent(population: &Population) -> Vec<usize> {
    let battles = |row: &OrderRow| row.count.first.battles;
    let most = population.orders.iter().map(battles).max().unwrap_or(0);
    let is_frequent = |&at: &usize| battles(&population.orders[at]) * FREQUENT >= most;
    (0..population.orders.len()).filter(is_frequent).collect()
}

/// Whether a population would be compared if only enough of its orders were frequent.
fn is_wanted(layout: &Layout, population: &Population) -> bool {
    let battles: u64 = population.orders.iter().map(|row| row.count.first.battles).sum();
    population.orders.len() >= 2
        && battles >= ENOUGH
        && layout.moments[usize::from(population.moment)].origin != Origin::Ending
}

/// Whether there are populations that would be compared, but each has only one frequent order.
pub(crate) fn one_order_prevails(layout: &Layout, tally: &Tally) -> bool {
    let mut wanted = populations(layout, tally);
    wanted.retain(|population| is_wanted(layout, population));
    !wanted.is_empty() && wanted.iter().all(|population| frequent(population).len() < 2)
}

/// The best and the worst of the frequent orders, and the gap between them.
fn gap(
    samples: &[Vec<Sample>],
    frequent: &[usize],
    sides: usize,
    level: Level,
) -> ([usize; 2], Estimate) {
    let battles = |at: usize| samples.iter().map(|stratum| stratum[at].count).sum::<u64>();
    // How far an order's points are above the mean of its strata.
    let beyond = |at: usize| {
        let sum: f64 = samples
            .iter()
            .map(|stratum| {
                let all =
                    stratum.iter().fold(Sample { count: 0, sum: 0, squares: 0 }, |a, b| a.with(*b));
                let mean = if all.count == 0 { 0.0 } else { all.sum as f64 / all.count as f64 };
                stratum[at].sum as f64 - stratum[at].count as f64 * mean
            })
            .sum();
        sum / battles(at) as f64
    };
    let by = |a: &&usize, b: &&usize| beyond(**a).total_cmp(&beyond(**b));
    let best = *frequent.iter().max_by(by).expect("the most frequent is frequent");
    let worst = *frequent.iter().min_by(by).expect("the most frequent is frequent");
    let pairs = (frequent.len() * frequent.len().saturating_sub(1) / 2).max(1) as u64;
    let strict = level.shared_by(pairs);
    let both = samples.iter().map(|stratum| [stratum[best], stratum[worst]]);
    let points = difference_within(both, sides as f64, strict);
    let scale = 1.0 / sides as f64;
    let gap = Estimate {
        value: scale * points.value,
        low: scale * points.low,
        high: scale * points.high,
    };
    ([best, worst], gap)
}

/// The effect of every population with at least two frequent orders and enough battles: drawn ones first, and among
/// these and the others those that explain most first. P-values are adjusted for the length of the list
/// (Benjamini-Hochberg).
pub(crate) fn order_effects(layout: &Layout, tally: &Tally, level: Level) -> Vec<OrderEffect> {
    let measure = tally.measure();
    let rows = rows(layout, tally);
    // Most populations are not tested, and have many strata: one is built at a time.
    let tested = by_population(&rows).into_iter().filter_map(|rows| {
        let population = Population::of(rows);
        let origin = layout.moments[usize::from(population.moment)].origin;
        let frequent = frequent(&population);
        if frequent.len() < 2 || !is_wanted(layout, &population) {
            return None;
        }
        let samples = population.samples(rows, measure);
        let association = association(&samples);
        let (extremes, gap) = gap(&samples, &frequent, layout.sides, level);
        let p_adjusted = f64::NAN;
        (!association.p_value.is_nan()).then_some(OrderEffect {
            population,
            origin,
            association,
            p_adjusted,
            measure,
            extremes,
            gap,
        })
    });
    let mut effects: Vec<OrderEffect> = tested.collect();
    let p_values: Vec<f64> = effects.iter().map(|effect| effect.association.p_value).collect();
    for (effect, p_adjusted) in effects.iter_mut().zip(benjamini_hochberg(&p_values)) {
        effect.p_adjusted = p_adjusted;
    }
    effects.put_in_order_by(|a, b| {
        let is_observed = |effect: &OrderEffect| effect.origin != Origin::Drawn;
        let share = |effect: &OrderEffect| effect.association.variance_share;
        is_observed(a).cmp(&is_observed(b)).then(share(b).total_cmp(&share(a)))
    });
    effects
}

/// One row per population whose orders can be compared.
pub(super) fn table(analysis: &Analysis<'_>) -> Table {
    let Analysis { layout, tally, level, .. } = *analysis;
    let effects = analysis.order_effects();
    let measure = tally.measure();
    let text = |of: &dyn Fn(&OrderEffect) -> String| effects.iter().map(of).collect::<Vec<_>>();
    let count = |of: &dyn Fn(&OrderEffect) -> u64| effects.iter().map(of).collect::<Vec<_>>();
    let number = |of: &dyn Fn(&OrderEffect) -> f64| effects.iter().map(of).collect::<Vec<_>>();
    let rates = |which: usize| -> Vec<Estimate> {
        let rate = |effect: &OrderEffect| {
            score(effect.extremes()[which].count.first.results(Side::A), effect.measure, level)
        };
        effects.iter().map(rate).collect()
    };
    let mut columns = vec![
        Column::text(
            "moment",
            "when the orders were observed",
            text(&|effect| layout.moments[usize::from(effect.population.moment)].name.clone()),
        ),
        Column::text(
            "origin",
            "drawn: the rules' own dice choose the order, so that a difference is caused by it; observed: it goes with it",
            text(&|effect| origin_name(effect.origin).to_owned()),
        ),
        Column::text_lists(
            "batch",
            "what happened, in whatever order; none where all orders of the moment are compared",
            " + ",
            effects.iter().map(|effect| layout.order_names(&effect.population.batch)),
        ),
        Column::count(
            "orders",
            "how many orders came up",
            count(&|effect| effect.population.orders.len() as u64),
        ),
        Column::count(
            "battles",
            "battles with them, each counted for the order that came first in it",
            count(&|effect| {
                effect.population.orders.iter().map(|row| row.count.first.battles).sum()
            }),
        ),
        Column::number(
            "variance_share",
            "share of the variance of side A's score that the order explains within match-ups, 0 to 1",
            number(&|effect| effect.association.variance_share),
        ),
        Column::number(
            "chi_square",
            "Cochran-Mantel-Haenszel statistic of: within a match-up, and within a condition where the order is drawn, every order has \
             the same score",
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
        let (rank, prefix) = if which == 0 { ("best", "best") } else { ("worst", "worst") };
        columns.push(Column::text_lists(
            name,
            format!("the order with which side A does {rank} within match-ups, and within conditions where the order is drawn"),
            " > ",
            effects.iter().map(|effect| layout.order_names(&effect.extremes()[which].items)),
        ));
        columns.extend(Column::estimates(
            &format!("{prefix}_{}", measure.column()),
            &format!(
                "side A in the battles with it: {}, 0 to 1; it was chosen because it does {rank}, which its interval does not \
                 allow for (that of gap does)",
                measure.meaning()
            ),
            &rates(which),
        ));
    }
    let gaps: Vec<Estimate> = effects.iter().map(OrderEffect::gap).collect();
    columns.extend(Column::estimates(
        "gap",
        "the best less the worst within match-ups, and within conditions where the order is drawn, 0 to 1, with an interval for the \
         best and worst of all orders",
        &gaps,
    ));
    Table { name: TableName::OrderEffects.to_string(), columns }
}
