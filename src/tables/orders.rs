//! The table `orders`: in which order things happened, how often, and who won then.

use super::{Column, LEVEL, Table, side_suffix, snake_case};
use crate::analysis::{Estimate, proportion};
use crate::scenario::TableName;
use crate::tally::{Layout, OrderCount, Tally};

/// An order as text: `Thorns > Return Fire`.
pub(crate) fn order_text(layout: &Layout, items: &[u16]) -> String {
    let names: Vec<&str> =
        items.iter().map(|&item| layout.order_items[usize::from(item)].as_str()).collect();
    names.join(" > ")
}

/// One row per moment and order that came up, by moment, most frequent first.
pub(super) fn table(layout: &Layout, tally: &Tally) -> Table {
    let rows = tally.orders.sorted();
    let mut in_moment = vec![0; layout.moments.len()];
    for &(moment, _, count) in &rows {
        in_moment[usize::from(moment)] += count.times;
    }
    let estimates = |of: &dyn Fn(u16, &OrderCount) -> Estimate| -> Vec<Estimate> {
        rows.iter().map(|&(moment, _, count)| of(moment, count)).collect()
    };
    let mut columns = vec![
        Column::text(
            "moment",
            "when the order was observed",
            rows.iter().map(|row| layout.moments[usize::from(row.0)].name.clone()).collect(),
        ),
        Column::text(
            "order",
            "what happened, first to last",
            rows.iter().map(|row| order_text(layout, row.1)).collect(),
        ),
        Column::count(
            "times",
            "how often it came up",
            rows.iter().map(|row| row.2.times).collect(),
        ),
    ];
    columns.extend(Column::estimates(
        "share",
        "share of all orders at this moment, 0 to 1",
        &estimates(&|moment, count| proportion(count.times, in_moment[usize::from(moment)], LEVEL)),
    ));
    columns.push(Column::count(
        "battles",
        "battles in which it came up at least once",
        rows.iter().map(|row| row.2.battles).collect(),
    ));
    for side in 0..layout.sides {
        let suffix = side_suffix(side);
        columns.extend(Column::estimates(
            &format!("win_rate_{suffix}"),
            &format!("wins of side {} per such battle, 0 to 1", suffix.to_ascii_uppercase()),
            &estimates(&|_, count| proportion(count.wins[side], count.battles, LEVEL)),
        ));
    }
    for (metric, name) in layout.metrics.iter().enumerate() {
        let mean = |count: &OrderCount| count.metrics[metric] as f64 / count.battles as f64;
        columns.push(Column::number(
            format!("{}_mean", snake_case(name)),
            format!("mean per such battle of: {name}"),
            rows.iter().map(|row| mean(row.2)).collect(),
        ));
    }
    Table { name: TableName::Orders.to_string(), columns }
}
