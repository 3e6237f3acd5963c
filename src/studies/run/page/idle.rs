//! What never had an effect.

use crate::report::figures::{counted, whole};
use crate::report::page::Page;
use crate::studies::run::Activity;

/// How many names are shown.
const SHOWN: usize = 12;
/// How many are named where there is one line.
const FEW: usize = 3;

/// Who never had an effect, without a full stop: by name, or how many of how many. None where all had.
pub(super) fn in_short(activity: &Activity) -> Option<String> {
    let idle: Vec<&str> = activity.idle().collect();
    let all = whole(activity.times.len() as u64);
    // What is rare may still come up in the others.
    let first = format!("in the first {}", counted(activity.battles, "battle"));
    match idle.len() {
        0 => None,
        1..=FEW => Some(format!("Without effect {first}: {}", idle.join("; "))),
        many => Some(format!(
            "{} of {all} abilities, effects and cards had no effect {first}",
            whole(many as u64)
        )),
    }
}

/// Says which abilities, effects and cards never had an effect in the battles that were watched; nothing where all had.
pub(super) fn section(page: &mut Page, activity: &Activity) {
    let idle: Vec<&str> = activity.idle().collect();
    if idle.is_empty() {
        return;
    }
    let count = whole(idle.len() as u64);
    page.heading(&format!("Without effect: {count} of {}", whole(activity.times.len() as u64)));
    page.line(&format!(
        "never in the first {}; what is rare may still come up",
        counted(activity.battles, "battle")
    ));
    let mut names = idle[..idle.len().min(SHOWN)].join("; ");
    if idle.len() > SHOWN {
        names += &format!("; and {} more (table `activity`)", idle.len() - SHOWN);
    }
    page.line(&names);
}
