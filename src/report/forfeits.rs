//! How many battles were forfeited, in one sentence for all pages.

use super::figures::rate;
use crate::game::Side;
use crate::statistics::{Level, proportion};
use crate::tally::Forfeits;

/// How forfeited battles enter the figures of a page.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Treatment {
    /// They count as results like others.
    Scored,
    /// They are left out of all figures.
    LeftOut,
}

/// A sentence on the share of battles that are forfeits, who forfeited where this is known, and how forfeits count;
/// None where there are none. Shares have an interval if a level is given. Battles that are played several times with
/// the same dice have none.
pub(crate) fn forfeited(
    forfeits: &Forfeits,
    treatment: Treatment,
    level: Option<Level>,
) -> Option<String> {
    forfeited_by(forfeits, treatment, level, |side| format!("side {}", Side(side as u8)))
}

/// The sentence of [`forfeited`], with other names for those who forfeit than the sides'.
pub(crate) fn forfeited_by(
    forfeits: &Forfeits,
    treatment: Treatment,
    level: Option<Level>,
    name: impl Fn(usize) -> String,
) -> Option<String> {
    let Forfeits { battles, unfought, by_side } = forfeits;
    if *unfought == 0 {
        return None;
    }
    let share = |count: u64| match level {
        Some(level) => rate(&proportion(count, *battles, level)),
        None => part(count, *battles),
    };
    // A battle that both sides forfeit is counted for each of them.
    let both = by_side.iter().sum::<u64>().saturating_sub(*unfought);
    let by_both = both > 0;
    let (alone, several) = match (by_both, by_side.len()) {
        (true, 2) => (both, " alone"),
        (true, _) => (0, ", alone or with others"),
        (false, _) => (0, ""),
    };
    let by = |count: u64, whom: &str| {
        (count > 0).then(|| format!("{} by {whom}", share(count).to_lowercase()))
    };
    let of_side =
        |(side, &count): (usize, &u64)| by(count - alone, &format!("{}{several}", name(side)));
    let sides: Vec<String> =
        by_side.iter().enumerate().filter_map(of_side).chain(by(alone, "both")).collect();
    let by_whom = match sides.is_empty() {
        true => String::new(),
        false => format!(": {}", sides.join(", ")),
    };
    Some(format!(
        "{} of the battles{} are forfeits, because a team may not be brought{by_whom}. {}",
        share(*unfought),
        if level.is_some() { "" } else { " that were played" },
        treated(forfeits, treatment)
    ))
}

/// A sentence on how these forfeits count.
pub(crate) fn treated(forfeits: &Forfeits, treatment: Treatment) -> String {
    let Forfeits { unfought, by_side, .. } = forfeits;
    let by_both = by_side.is_empty() || by_side.iter().sum::<u64>() > *unfought;
    match treatment {
        Treatment::Scored => format!(
            "They count as won and lost{}, in all results of sides and in no other figure.",
            if by_both { ", or as drawn where neither may be" } else { "" }
        ),
        Treatment::LeftOut => "They are left out of all figures.".to_owned(),
    }
}

/// So many of these battles, in percent.
fn part(count: u64, battles: u64) -> String {
    share_of_battles(count as f64 / battles as f64)
}

/// A share of battles in percent, as a sentence begins with it. One that rounds to 0% is shown as small, and one that
/// rounds to 100% as incomplete.
pub(crate) fn share_of_battles(share: f64) -> String {
    match 100.0 * share {
        0.0 => "None".to_owned(),
        100.0 => "All".to_owned(),
        percent if percent < 0.05 => "Less than 0.1%".to_owned(),
        percent if percent > 99.95 => "More than 99.9%".to_owned(),
        percent => format!("{percent:.1}%"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn told(unfought: u64, by_side: &[u64], treatment: Treatment) -> Option<String> {
        let forfeits = Forfeits { battles: 10_000, unfought, by_side: by_side.to_vec() };
        forfeited(&forfeits, treatment, None)
    }

    #[test]
    fn one_sentence_says_how_many_by_whom_and_how_they_count() {
        assert_eq!(told(0, &[0, 0], Treatment::Scored), None);
        for (unfought, by_side, treatment, sentence) in [
            (
                1_230,
                &[1_230, 0][..],
                Treatment::Scored,
                "12.3% of the battles that were played are forfeits, because a team may not be brought: 12.3% by side A. They \
                 count as won and lost, in all results of sides and in no other figure.",
            ),
            (
                5_000,
                &[5_000, 2_500],
                Treatment::Scored,
                "50.0% of the battles that were played are forfeits, because a team may not be brought: 25.0% by side A alone, \
                 25.0% by both. They count as won and lost, or as drawn where neither may be, in all results of sides \
                 and in no other figure.",
            ),
            (
                10_000,
                &[10_000, 1],
                Treatment::LeftOut,
                "All of the battles that were played are forfeits, because a team may not be brought: more than 99.9% by side \
                 A alone, less than 0.1% by both. They are left out of all figures.",
            ),
            (
                4,
                &[],
                Treatment::LeftOut,
                "Less than 0.1% of the battles that were played are forfeits, because a team may not be brought. They are left \
                 out of all figures.",
            ),
        ] {
            assert_eq!(told(unfought, by_side, treatment).as_deref(), Some(sentence));
        }
    }

    #[test]
    fn a_share_is_not_rounded_to_none_or_all() {
        let shares = [0, 1, 9_996, 10_000].map(|count| part(count, 10_000));
        assert_eq!(shares, ["None", "Less than 0.1%", "More than 99.9%", "All"]);
    }
}
