//! Which units head the impact list, which are left out of it, and why others are looked at.

use super::design::Design;
use super::page::FIRST;
use super::results::{Impact, Of, Results, UnitWorth};
use crate::report::ALARM;
use crate::report::figures::{named, rate};
use crate::sorting::Sorting;

/// The head of the impact list: units that are visibly worth more than the mean of their kind, those with the largest
/// impact first. A worth is seen where both the test of the plain one and the interval of the shrunken one, which is shown, say
/// so.
///
/// Left out are units that the scenario brings to every battle of a contender while others are drawn: how often they are
/// brought says nothing about them.
pub(super) fn leading<'r>(design: &Design<'_>, results: &'r Results) -> Vec<&'r Impact> {
    let mut all: Vec<&Impact> = results
        .impacts
        .iter()
        .filter(|row| row.of == Of::All && row.p_adjusted < ALARM && row.worth.low > 0.0)
        .filter(|row| !design.is_given(row.unit))
        .collect();
    all.put_in_order_by(|a, b| b.impact.value.total_cmp(&a.impact.value));
    all
}

/// Sentences on the units that are left out of the impact list because the scenario brings them to every battle of a
/// contender, with what the sides that bring them score.
pub(super) fn given(design: &Design<'_>, results: &Results) -> Vec<String> {
    /// With more names than this, the others are only counted.
    const NAMED: usize = 5;
    let of_contender = |(contender, units): &(String, Vec<u16>)| {
        let is_theirs = |row: &&UnitWorth| units.iter().any(|&unit| usize::from(unit) == row.unit);
        let rows: Vec<&UnitWorth> = results.worths.iter().filter(is_theirs).collect();
        let name = |row: &UnitWorth| design.layout.units[row.unit].name.as_str();
        // Of these, the one that others bring least says most about the contender itself.
        let own = rows.iter().min_by_key(|row| row.played)?;
        let names: Vec<&str> = rows.iter().map(|row| name(row)).collect();
        Some(format!(
            "Not listed, because {contender} brings {} to every battle whatever {} worth: {}. Sides with {} score {}.",
            if names.len() == 1 { "it" } else { "them" },
            if names.len() == 1 { "it is" } else { "they are" },
            named(&names, NAMED),
            if names.len() == 1 { "it" } else { name(own) },
            rate(&own.raw)
        ))
    };
    design.given.iter().filter_map(of_contender).collect()
}

/// Why a unit is looked at that is not at the head of the impact list; empty where it is, or was asked for.
pub(super) fn standing(design: &Design<'_>, results: &Results, unit: usize) -> String {
    if results.asked.contains(&unit) {
        return String::new();
    }
    match leading(design, results).iter().position(|row| row.unit == unit) {
        Some(at) if at < FIRST => String::new(),
        Some(at) => format!("place {} of the list", at + 1),
        None => {
            let found = results.worths.iter().find(|row| row.unit == unit);
            match found.is_some_and(|row| !row.p_adjusted.is_nan()) {
                true => {
                    "not visibly worth more, but of the largest impact of the others".to_owned()
                }
                false if results.worths.iter().all(|row| row.p_adjusted.is_nan()) => {
                    "of the largest impact, where no unit is tested".to_owned()
                }
                false => "not tested, but of the largest impact of the others".to_owned(),
            }
        }
    }
}
