//! The section on the mixed equilibrium of a field of contenders.

use super::super::tables::{Field, field, lead_in_words};
use crate::report::figures::{brief_points, counted, points, rate, whole};
use crate::report::page::{Align, Page};
use crate::sorting::Sorting;
use crate::statistics::Level;
use crate::tally::{Layout, Tally};

/// The most contenders for which the section is shown: a longer list says less.
const MOST: usize = 24;
/// Leads that differ by no more than this count as equal: the difference is rounding.
const ROUNDING: f64 = 1e-9;
/// How many contenders that do equally well are named.
const NAMED: usize = 4;

pub(super) fn section(page: &mut Page, layout: &Layout, tally: &Tally, level: Level) {
    if layout.contenders().names.len() > MOST {
        return;
    }
    let Some(field) = field(layout, tally, level) else { return };
    page.heading("The field at equilibrium");
    page.line(&format!(
        "{} At equilibrium (mixed strategies) nobody gains by changing. A lead is {}.",
        best(&field, level),
        lead_in_words(tally.measure())
    ));
    let mut order: Vec<usize> = (0..field.names.len()).collect();
    order.put_in_order_by(|&a, &b| {
        let by = |of: usize| (field.shares[of].value, field.in_even_field[of].value);
        by(b).partial_cmp(&by(a)).unwrap_or(std::cmp::Ordering::Equal)
    });
    // The lowest lead of several is chosen among them, so its interval is widened for that many.
    let chosen = level.shared_by(field.names.len() as u64 - 1);
    let row = |&own: &usize| {
        let worst = argmax(&field, |other| {
            if other == own { f64::NEG_INFINITY } else { -field.leads[own][other].value }
        });
        let lowest = field.leads[own][worst].at_level(level, chosen).within(-1.0, 1.0);
        vec![
            field.names[own].clone(),
            rate(&field.shares[own]),
            brief_points(&field.in_even_field[own]),
            brief_points(&lowest),
            field.names[worst].clone(),
        ]
    };
    page.table(
        &[
            ("Contender", Align::Left),
            ("equilibrium", Align::Right),
            ("lead in an even field", Align::Right),
            ("lowest lead", Align::Right),
            ("against", Align::Left),
        ],
        order.iter().map(row).collect(),
    );
    page.line(&format!(
        "Intervals of equilibrium shares are rough, and where several mixes hold equally well one share says little. The \
         interval of a lowest lead is adjusted for the {} opponents that it is chosen among.",
        whole(field.names.len() as u64 - 1)
    ));
}

/// A sentence on who does best against all others equally often, as far as the battles tell contenders apart.
pub(super) fn best(field: &Field, level: Level) -> String {
    let several = field.names.len() as u64;
    let first: Vec<&str> = field.foremost.iter().map(|&of| field.names[of].as_str()).collect();
    let best = argmax(field, |of| field.in_even_field[of].value);
    // The best of several is chosen among them, so its interval is widened for that many.
    let lead =
        field.in_even_field[best].at_level(level, level.shared_by(several)).within(-1.0, 1.0);
    // Where battles vary, two estimates that happen to agree do not show that the true values do.
    let is_as_good =
        |&of: &usize| !field.varies[of] && field.in_even_field[of].value >= lead.value - ROUNDING;
    let are_alike = field.foremost.iter().all(is_as_good);
    let by = || format!("by {}, adjusted for {}", points(&lead), counted(several, "contender"));
    let told = match &first[..] {
        all if all.len() == field.names.len() => "nobody visibly does best".to_owned(),
        [only] => format!("{only} does best: it leads {}", by()),
        [.., _] if are_alike => {
            format!("{} do best, and equally well: each leads {}", named(&first, "and"), by())
        }
        _ => format!(
            "the best is {}: which of them is not visible (adjusted for {})",
            named(&first, "or"),
            counted(several, "contender")
        ),
    };
    format!("Against all others in equal parts {told}.")
}

/// Several contenders by name, or only their number where the list would be long.
fn named(all: &[&str], last: &str) -> String {
    match all {
        [others @ .., end] if all.len() <= NAMED => format!("{} {last} {end}", others.join(", ")),
        _ if last == "or" => format!("one of {} contenders", whole(all.len() as u64)),
        _ => format!("{} contenders", whole(all.len() as u64)),
    }
}

fn argmax(field: &Field, of: impl Fn(usize) -> f64) -> usize {
    (0..field.names.len()).max_by(|&a, &b| of(a).total_cmp(&of(b))).unwrap_or(0)
}
