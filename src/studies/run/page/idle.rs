//! The section on abilities, effects and cards that never had an effect.

use crate::report::figures::{counted, whole};
use crate::report::page::Page;
use crate::scenario::TableName;
use crate::studies::run::{Activity, Analysis};

/// How many names are shown.
const SHOWN: usize = 12;
/// How many names are shown in the one-line form.
const FEW: usize = 3;

/// In one line without a full stop, what never had an effect: the names, or how many of how many. None where all had
/// one.
pub(super) fn in_short(activity: &Activity) -> Option<String> {
    let idle: Vec<&str> = activity.idle().collect();
    let all = whole(activity.times.len() as u64);
    // Something rare may still come up in the other battles.
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

/// Lists abilities, effects and cards that never had an effect in the watched battles; prints nothing where all had
/// one.
pub(super) fn section(page: &mut Page, analysis: &Analysis<'_>, activity: &Activity) {
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
        names += &format!(
            "; and {} more {}",
            idle.len() - SHOWN,
            analysis.see_table(TableName::Activity)
        );
    }
    page.line(&names);
}
