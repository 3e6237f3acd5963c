//! The table `orders`: in which order things happened, how often, and who won then.

use std::cmp::Reverse;

use crate::game::Side;
use crate::scenario::TableName;
use crate::statistics::{
    Estimate, Level, Sample, ShareCounts, clustered_share, score, score_sample,
};
use crate::table::{Column, Table, side_suffix, snake_case};
use crate::tally::{Layout, Observation, OrderCount, Origin, OutcomeMeasure, Results, Tally};

/// One order of a population, summed over all match-ups and conditions.
#[derive(Debug)]
pub(crate) struct OrderRow {
    /// What happened, first to last, as item numbers.
    pub items: Vec<u16>,
    /// How often the order came up and how battles with it ended, over all strata.
    pub count: OrderCount,
}

impl OrderRow {
    /// The results of one side in the battles that say most about this order: where orders are drawn, the battles in
    /// which it was the first order of its population; otherwise all battles in which it came up.
    pub(crate) fn results(&self, origin: Origin, side: Side) -> Results {
        match origin {
            Origin::Drawn => self.count.first.results(side),
            Origin::Observed | Origin::Ending => self.count.battles.results(side),
        }
    }
}

/// Orders that can be compared with each other, within strata: within one match-up and, where orders are drawn,
/// within one condition and among the same candidates.
#[derive(Debug)]
pub(crate) struct Population {
    /// Index into the layout's moments.
    pub moment: u16,
    /// The items of its orders, sorted, where the moment compares like with like; otherwise empty.
    pub batch: Vec<u16>,
    /// Its orders, most frequent first.
    pub orders: Vec<OrderRow>,
}

impl Population {
    /// Builds a population from all its rows.
    pub(super) fn of(rows: &[Row<'_>]) -> Self {
        let order = |same: &[Row<'_>]| {
            let mut count = same[0].2.clone();
            same[1..].iter().for_each(|(.., other)| count.merge(other));
            OrderRow { items: same[0].1.items.to_vec(), count }
        };
        let mut orders: Vec<OrderRow> =
            rows.chunk_by(|(_, a, _), (_, b, _)| a.items == b.items).map(order).collect();
        orders.sort_by(|a, b| (b.count.times, &a.items).cmp(&(a.count.times, &b.items)));
        Self { moment: rows[0].1.moment, batch: rows[0].0.clone(), orders }
    }

    /// Side A's points by stratum, then order, in the battles in which the order was the first. `rows` are the rows
    /// that the population is made from.
    pub(super) fn samples(&self, rows: &[Row<'_>], measure: OutcomeMeasure) -> Vec<Vec<Sample>> {
        let stratum =
            |seen: &Observation<'_>| -> Stratum { (seen.matchup, seen.condition, seen.among) };
        let mut strata: Vec<Stratum> = rows.iter().map(|(_, seen, _)| stratum(seen)).collect();
        strata.sort_unstable();
        strata.dedup();
        let none = Sample { count: 0, sum: 0, squares: 0 };
        let mut samples = vec![vec![none; self.orders.len()]; strata.len()];
        let mut by_items: Vec<usize> = (0..self.orders.len()).collect();
        by_items.sort_by_key(|&order| &self.orders[order].items);
        let same = rows.chunk_by(|(_, a, _), (_, b, _)| a.items == b.items);
        for (order, same) in by_items.into_iter().zip(same) {
            for (_, seen, count) in same {
                let at = strata.binary_search(&stratum(seen)).expect("it was put in");
                let sample = &mut samples[at][order];
                *sample = sample.with(score_sample(count.first.results(Side::A), measure));
            }
        }
        samples
    }

    /// How often any order of the population came up.
    pub(crate) fn times(&self) -> u64 {
        self.orders.iter().map(|order| order.count.times).sum()
    }

    /// The share of this order among all orders of the population.
    pub(crate) fn share(&self, order: &OrderRow, level: Level) -> Estimate {
        let of = ShareCounts {
            times: order.count.times,
            all: self.times(),
            times_squared: order.count.times_squared,
            times_by_all: order.count.times_by_all,
            all_squared: self.orders.iter().map(|order| order.count.times_by_all).sum(),
        };
        clustered_share(of, level)
    }
}

/// Match-up, condition, and the candidates of a draw: within it, orders differ in nothing but their order.
type Stratum = (u32, Option<u16>, u16);

/// One order in one stratum, preceded by its items in ascending order where its moment compares like with like.
pub(super) type Row<'t> = (Vec<u16>, Observation<'t>, OrderCount);

/// All orders of all strata: those of one population together, and within it those of one order.
pub(super) fn rows<'t>(layout: &Layout, tally: &'t Tally) -> Vec<Row<'t>> {
    let mut rows: Vec<Row<'t>> = Vec::new();
    for (seen, count) in tally.orders.sorted() {
        let mut batch = Vec::new();
        if layout.moments[usize::from(seen.moment)].compares_like_with_like {
            batch.extend_from_slice(seen.items);
            batch.sort_unstable();
        }
        rows.push((batch, seen, count));
    }
    rows.sort_by(|(a, x, _), (b, y, _)| (x.moment, a, x.items).cmp(&(y.moment, b, y.items)));
    rows
}

/// The rows of each population: by moment, the most frequent population first.
pub(super) fn by_population<'r, 't>(rows: &'r [Row<'t>]) -> Vec<&'r [Row<'t>]> {
    let is_same = |(a, x, _): &Row<'t>, (b, y, _): &Row<'t>| x.moment == y.moment && a == b;
    let mut populations: Vec<&[Row<'t>]> = rows.chunk_by(is_same).collect();
    populations.sort_by_cached_key(|rows| {
        let times: u64 = rows.iter().map(|(.., count)| count.times).sum();
        (rows[0].1.moment, Reverse(times), &rows[0].0)
    });
    populations
}

/// All populations: by moment, the most frequent first.
pub(crate) fn populations(layout: &Layout, tally: &Tally) -> Vec<Population> {
    by_population(&rows(layout, tally)).into_iter().map(Population::of).collect()
}

/// The table `orders`: one row per order that came up, by moment, the most frequent first.
pub(super) fn table(layout: &Layout, tally: &Tally, level: Level) -> Table {
    let populations = populations(layout, tally);
    let rows: Vec<(&Population, &OrderRow)> =
        populations.iter().flat_map(|of| of.orders.iter().map(move |order| (of, order))).collect();
    let origin = |of: &Population| layout.moments[usize::from(of.moment)].origin;
    let measure = tally.measure();
    let text = |of: &dyn Fn(&Population, &OrderRow) -> String| -> Vec<String> {
        rows.iter().map(|(population, order)| of(population, order)).collect()
    };
    let estimates = |of: &dyn Fn(&Population, &OrderRow) -> Estimate| -> Vec<Estimate> {
        rows.iter().map(|(population, order)| of(population, order)).collect()
    };
    let mut columns = vec![
        Column::text(
            "moment",
            "when the order was observed",
            text(&|of, _| layout.moments[usize::from(of.moment)].name.clone()),
        ),
        Column::text(
            "origin",
            "what decides the order: drawn by the rules' own dice, observed as it came, or an ending, which names who won",
            text(&|of, _| origin_name(origin(of)).to_owned()),
        ),
        Column::text_lists(
            "batch",
            "what happened, in whatever order, where orders of the same things are compared; none elsewhere",
            " + ",
            rows.iter().map(|(of, _)| layout.order_names(&of.batch)),
        ),
        Column::text_lists(
            "order",
            "what happened, first to last",
            " > ",
            rows.iter().map(|(_, order)| layout.order_names(&order.items)),
        ),
        Column::count(
            "times",
            "how often it came up",
            rows.iter().map(|(_, order)| order.count.times).collect(),
        ),
    ];
    columns.extend(Column::estimates(
        "share",
        "share of all orders at this moment, or of this batch, 0 to 1; several of one battle are not taken for independent. Rows \
         are of orders that came up: intervals of shares that are expected fewer than three times hold in about 78% of their rows",
        &estimates(&|of, order| of.share(order, level)),
    ));
    columns.push(Column::count(
        "battles",
        "battles of the next columns: with it as the first order where orders are drawn, with it at least once elsewhere",
        rows.iter().map(|(of, order)| order.results(origin(of), Side::A).battles()).collect(),
    ));
    for side in 0..layout.sides {
        let suffix = side_suffix(side);
        columns.extend(Column::estimates(
            &format!("{}_{suffix}", measure.column()),
            &format!(
                "side {} in these battles: {}, 0 to 1",
                suffix.to_ascii_uppercase(),
                measure.meaning()
            ),
            &estimates(&|of, order| {
                score(order.results(origin(of), Side(side as u8)), measure, level)
            }),
        ));
    }
    for (metric, name) in layout.metrics.iter().enumerate() {
        let mean = |count: &OrderCount| count.metrics[metric] as f64 / count.battles.battles as f64;
        columns.push(Column::number(
            format!("{}_mean", snake_case(name)),
            format!("mean per battle with it of: {name}"),
            rows.iter().map(|(_, order)| mean(&order.count)).collect(),
        ));
    }
    Table { name: TableName::Orders.to_string(), columns }
}

/// The name of an origin in tables.
pub(super) fn origin_name(origin: Origin) -> &'static str {
    match origin {
        Origin::Drawn => "drawn",
        Origin::Observed => "observed",
        Origin::Ending => "ending",
    }
}
