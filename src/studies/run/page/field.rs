//! The mixed equilibrium of a field of contenders.

use super::super::tables::{Field, field, lead_in_words};
use crate::report::figures::{counted, points, rate};
use crate::report::page::{Align, Page};
use crate::sorting::Sorting;
use crate::statistics::{Estimate, Level};
use crate::tally::{Layout, Tally};

/// A longer list says less.
const MOST: usize = 24;

pub(super) fn section(page: &mut Page, layout: &Layout, tally: &Tally, level: Level) {
    if layout.contenders().names.len() > MOST {
        return;
    }
    let Some(field) = field(layout, tally, level) else { return };
    page.heading("The field at equilibrium");
    page.line(&format!(
        "{} At equilibrium (mixed strategies) nobody gains by changing. A lead is {}.",
        best(&field),
        lead_in_words(tally.measure())
    ));
    let mut order: Vec<usize> = (0..field.names.len()).collect();
    order.put_in_order_by(|&a, &b| {
        let by = |of: usize| (field.shares[of].value, field.in_even_field[of].value);
        by(b).partial_cmp(&by(a)).unwrap_or(std::cmp::Ordering::Equal)
    });
    let row = |&own: &usize| {
        let worst = argmax(&field, |other| {
            if other == own { f64::NEG_INFINITY } else { -field.leads[own][other].value }
        });
        vec![
            field.names[own].clone(),
            rate(&field.shares[own]),
            points(&field.in_even_field[own]),
            field.names[worst].clone(),
        ]
    };
    page.table(
        &[
            ("Contender", Align::Left),
            ("equilibrium", Align::Right),
            ("lead in an even field", Align::Right),
            ("worst against", Align::Left),
        ],
        order.iter().map(row).collect(),
    );
}

/// Who does best in a field of equal parts.
pub(super) fn best(field: &Field) -> String {
    let best = argmax(field, |of| field.in_even_field[of].value);
    // The best of several: its interval is one of as many.
    let several = field.names.len() as u64;
    let wider = Level::P95.shared_by(several).z() / Level::P95.z();
    let Estimate { value, low, high } = field.in_even_field[best];
    let lead = Estimate {
        value,
        low: value - wider * (value - low),
        high: value + wider * (high - value),
    }
    .within(-1.0, 1.0);
    format!(
        "In a field of equal parts {} does best: it leads by {}, adjusted for {}.",
        field.names[best],
        points(&lead),
        counted(several, "contender")
    )
}

fn argmax(field: &Field, of: impl Fn(usize) -> f64) -> usize {
    (0..field.names.len()).max_by(|&a, &b| of(a).total_cmp(&of(b))).unwrap_or(0)
}
