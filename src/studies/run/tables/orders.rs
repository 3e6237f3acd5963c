//! The table `orders`: in which order things happened, how often, and who won then.

use std::collections::BTreeMap;

use crate::scenario::TableName;
use crate::statistics::{Estimate, Level, proportion};
use crate::table::{Column, Table, side_suffix, snake_case};
use crate::tally::{Layout, OrderCount, Tally};

/// One order, and the population of orders that it is a share of.
pub(crate) struct OrderRow<'t> {
    /// Index into the layout's moments.
    pub moment: u16,
    /// What happened, first to last.
    pub items: &'t [u16],
    /// How often, and what came of it.
    pub count: &'t OrderCount,
    /// The same items whatever their order, where the moment compares like with like; otherwise nothing.
    pub batch: Vec<u16>,
    /// How often orders of this population came up in all.
    pub population: u64,
}

/// All orders by moment; populations and the orders in them with the most frequent first.
pub(crate) fn rows<'t>(layout: &Layout, tally: &'t Tally) -> Vec<OrderRow<'t>> {
    let mut rows: Vec<OrderRow<'t>> = tally
        .orders
        .sorted()
        .into_iter()
        .map(|(moment, items, count)| {
            let mut batch = Vec::new();
            if layout.moments[usize::from(moment)].compares_like_with_like {
                batch.extend_from_slice(items);
                batch.sort_unstable();
            }
            OrderRow { moment, items, count, batch, population: 0 }
        })
        .collect();
    let mut populations: BTreeMap<(u16, Vec<u16>), u64> = BTreeMap::new();
    for row in &rows {
        *populations.entry((row.moment, row.batch.clone())).or_default() += row.count.times;
    }
    for row in &mut rows {
        row.population = populations[&(row.moment, row.batch.clone())];
    }
    // Stable: inside a population the most frequent order stays first.
    rows.sort_by(|a, b| {
        (a.moment, b.population, &a.batch).cmp(&(b.moment, a.population, &b.batch))
    });
    rows
}

/// One row per moment and order that came up, by moment, most frequent first.
pub(super) fn table(layout: &Layout, tally: &Tally, level: Level) -> Table {
    let rows = rows(layout, tally);
    let estimates =
        |of: &dyn Fn(&OrderRow) -> Estimate| -> Vec<Estimate> { rows.iter().map(of).collect() };
    let together = |row: &OrderRow| {
        let names = row.batch.iter().map(|&item| layout.order_items[usize::from(item)].as_str());
        names.collect::<Vec<_>>().join(" + ")
    };
    let mut columns = vec![
        Column::text(
            "moment",
            "when the order was observed",
            rows.iter().map(|row| layout.moments[usize::from(row.moment)].name.clone()).collect(),
        ),
        Column::text(
            "batch",
            "what happened, in whatever order, where orders of the same things are compared",
            rows.iter().map(together).collect(),
        ),
        Column::text(
            "order",
            "what happened, first to last",
            rows.iter().map(|row| layout.order_label(row.items)).collect(),
        ),
        Column::count(
            "times",
            "how often it came up",
            rows.iter().map(|row| row.count.times).collect(),
        ),
    ];
    columns.extend(Column::estimates(
        "share",
        "share of all orders at this moment, or of this batch, 0 to 1",
        &estimates(&|row| proportion(row.count.times, row.population, level)),
    ));
    columns.push(Column::count(
        "battles",
        "battles in which it came up at least once",
        rows.iter().map(|row| row.count.battles).collect(),
    ));
    for side in 0..layout.sides {
        let suffix = side_suffix(side);
        columns.extend(Column::estimates(
            &format!("win_rate_{suffix}"),
            &format!("wins of side {} per such battle, 0 to 1", suffix.to_ascii_uppercase()),
            &estimates(&|row| proportion(row.count.wins[side], row.count.battles, level)),
        ));
    }
    for (metric, name) in layout.metrics.iter().enumerate() {
        let mean = |count: &OrderCount| count.metrics[metric] as f64 / count.battles as f64;
        columns.push(Column::number(
            format!("{}_mean", snake_case(name)),
            format!("mean per such battle of: {name}"),
            rows.iter().map(|row| mean(row.count)).collect(),
        ));
    }
    Table { name: TableName::Orders.to_string(), columns }
}
