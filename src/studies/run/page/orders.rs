//! The section on the order in which things happened.

use super::super::tables::{OrderRow, Population, populations};
use crate::game::Side;
use crate::report::figures::{rate, whole};
use crate::report::page::{Align, Page};
use crate::scenario::TableName;
use crate::sorting::Sorting;
use crate::statistics::{Level, score};
use crate::studies::run::Analysis;
use crate::tally::{Layout, Origin, OutcomeMeasure};

/// How many orders of a moment are shown.
const SHOWN: usize = 5;
/// How many are shown of each moment where there are more moments than `MANY`.
const SHOWN_OF_MANY: usize = 2;
const MANY: usize = 3;
/// How many metrics are shown beside an order.
const RESULTS: usize = 2;

pub(super) fn section(page: &mut Page, analysis: &Analysis<'_>) {
    let Analysis { layout, tally, level, .. } = *analysis;
    let all = populations(layout, tally);
    let moments: Vec<&[Population]> =
        all.chunk_by(|one, other| one.moment == other.moment).collect();
    let shown = if moments.len() > MANY { SHOWN_OF_MANY } else { SHOWN };
    let mut meaning = "";
    for populations in moments {
        let moment = &layout.moments[usize::from(populations[0].moment)];
        page.heading(&format!("Order: {}", moment.name));
        if moment.meaning != meaning {
            meaning = &moment.meaning;
            page.line(meaning);
        }
        let rows: Vec<(&Population, &OrderRow)> = populations
            .iter()
            .flat_map(|of| of.orders.iter().map(move |order| (of, order)))
            .collect();
        let results = |row: &OrderRow| row.results(moment.origin, Side::A);
        let decided = rows.iter().any(|(_, row)| results(row).shared < results(row).battles());
        let telling = if decided { Vec::new() } else { telling(layout, &rows) };
        let share = if moment.compares_like_with_like { "of this batch" } else { "of all orders" };
        let mut columns = vec![("order", Align::Left), (share, Align::Right)];
        let then = match layout.sides {
            2 => format!("A's {} then", tally.measure().noun()),
            _ => "best then".to_owned(),
        };
        if decided {
            columns.push((&then, Align::Right));
        }
        columns.extend(telling.iter().map(|&of| (layout.metrics[of].as_str(), Align::Right)));
        let cells = |(of, row): &(&Population, &OrderRow)| {
            let mut cells = vec![layout.order_label(&row.items), rate(&of.share(row, level))];
            if decided {
                cells.push(best(layout, tally.measure(), moment.origin, row, level));
            }
            cells.extend(telling.iter().map(|&of| format!("{:.3}", mean(row, of))));
            cells
        };
        page.table(&columns, rows.iter().take(shown).map(cells).collect());
        let recur = |row: &OrderRow| row.count.battles.battles > row.count.first.battles;
        if decided && moment.origin == Origin::Drawn && rows.iter().any(|(_, row)| recur(row)) {
            page.line(
                "A battle in which several of these orders came up counts for the first of them.",
            );
        }
        if let Some(rest) = rows.len().checked_sub(shown).filter(|&rest| rest > 0) {
            page.line(&format!(
                "{} more came up {}.",
                whole(rest as u64),
                analysis.see_table(TableName::Orders)
            ));
        }
    }
}

/// The metrics whose means differ most between these orders, if any differ at all.
fn telling(layout: &Layout, rows: &[(&Population, &OrderRow)]) -> Vec<usize> {
    let spread = |&metric: &usize| {
        let means = rows.iter().map(|(_, row)| mean(row, metric));
        let (low, high) = means.fold((f64::INFINITY, f64::NEG_INFINITY), |(low, high), mean| {
            (low.min(mean), high.max(mean))
        });
        high - low
    };
    let mut metrics: Vec<usize> =
        (0..layout.metrics.len()).filter(|metric| spread(metric) > 0.0).collect();
    metrics.put_in_order_by(|a, b| spread(b).total_cmp(&spread(a)));
    metrics.truncate(RESULTS);
    metrics.sort_unstable();
    metrics
}

fn mean(row: &OrderRow, metric: usize) -> f64 {
    row.count.metrics[metric] as f64 / row.count.battles.battles as f64
}

/// Side A's score in a duel; with more sides, the best score of any side.
fn best(
    layout: &Layout,
    measure: OutcomeMeasure,
    origin: Origin,
    row: &OrderRow,
    level: Level,
) -> String {
    let of = |side: usize| score(row.results(origin, Side(side as u8)), measure, level);
    if layout.sides == 2 {
        return rate(&of(0));
    }
    // The best of several scores is partly chance.
    let level = level.of_chosen(1, layout.sides);
    let of = |side: usize| score(row.results(origin, Side(side as u8)), measure, level);
    let most =
        (0..layout.sides).max_by(|&a, &b| of(a).value.total_cmp(&of(b).value).then(b.cmp(&a)));
    most.map_or_else(String::new, |side| format!("{} {}", Side(side as u8), rate(&of(side))))
}
