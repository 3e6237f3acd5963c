//! What variants have in common with the first one: which battles, and by how many comparisons are known.

use super::page::Swept;
use super::results::is_told;
use super::{Member, Row};
use crate::report::ALARM;
use crate::report::figures::{counted, whole};

/// How many of the other variants share their draws (conditions that can come up) with the first one, and so battles.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Common {
    /// Those that have a part of theirs in common, or that lack some of the first's.
    part: usize,
    /// Those that have none in common.
    nothing: usize,
    /// All others than the first.
    others: usize,
}

impl Common {
    pub(super) fn of(members: &[Member]) -> Self {
        let [first, others @ ..] = members else { return Self { part: 0, nothing: 0, others: 0 } };
        let mut common = Self { part: 0, nothing: 0, others: others.len() };
        for other in others {
            let pairs = || first.weights.iter().zip(&other.weights);
            let is_whole = pairs().all(|(one, other)| (*one > 0.0) == (*other > 0.0));
            let is_part = pairs().any(|(one, other)| *one > 0.0 && *other > 0.0);
            common.part += usize::from(is_part && !is_whole);
            common.nothing += usize::from(!is_part);
        }
        common
    }

    /// Whether every variant has the draws of the first, and no others.
    fn is_whole(self) -> bool {
        self.part + self.nothing == 0
    }

    /// Which battles a difference is estimated from, in words, given the number of arms. Battles of several arms have
    /// the same dice, but need not have the same teams: an axis may vary what is drawn.
    pub(super) fn battles(self, arms: usize) -> &'static str {
        match arms {
            1 if self.is_whole() => "the same battles",
            _ if self.is_whole() => "battles with common random numbers",
            _ if self.nothing == self.others => "different battles",
            1 => "the same battles where their draws are the same",
            _ => "battles with common random numbers where their draws are the same",
        }
    }

    /// The sentence on those that share no battle with the first, where others do; empty without any.
    fn apart(self) -> String {
        match self.nothing {
            0 => String::new(),
            all if all == self.others => {
                " No other has a draw in common with the first, and so no battle.".to_owned()
            }
            some => format!(
                " {} of the others {} no draw in common with the first, and so no battle.",
                whole(some as u64),
                if some == 1 { "has" } else { "have" }
            ),
        }
    }
}

/// The sentences on which battles the variants rest on.
pub(super) fn played(swept: &Swept<'_>, battles: u64) -> String {
    let variants = counted(swept.values.len() as u64, "variant");
    let once = counted(battles, "battle");
    let common = Common::of(swept.members);
    match swept.arms {
        _ if swept.values.len() == 1 => format!("{variants}, which was played once."),
        1 if swept.members.iter().all(|of| of.weights == swept.members[0].weights) => {
            format!(
                "{variants}, estimated from the same {once}: none differs from the first in anything that is drawn or played."
            )
        }
        1 if common.is_whole() => format!(
            "{variants}, all estimated from the same {once} by reweighting: they differ only in the odds of what is drawn."
        ),
        1 => format!(
            "{variants}, estimated from one set of {once} by reweighting: they differ only in the odds of what is drawn. Each \
             rests on those whose draw it can have: {}.{}",
            rests_on(swept),
            common.apart()
        ),
        arms if arms == swept.values.len() => match common {
            _ if common.is_whole() => {
                format!("{variants}, played battle by battle with common random numbers.")
            }
            _ if common.nothing == common.others => format!(
                "{variants}, not paired: no other has a draw in common with the first, so that different battles are compared."
            ),
            _ => format!(
                "{variants}, played battle by battle with common random numbers where their draws are the same.{}",
                common.apart()
            ),
        },
        arms => format!(
            "{variants} from {arms} sets of battles with common random numbers{}: variants that differ only in the odds of \
             what is drawn share a set, reweighted.{}",
            if common.is_whole() { "" } else { " where their draws are the same" },
            common.apart()
        ),
    }
}

/// The smallest and the largest number of battles that a variant rests on, in words.
fn rests_on(swept: &Swept<'_>) -> String {
    let mut battles = vec![0; swept.values.len()];
    for row in swept.rows.iter().filter(|row| row.side == 0) {
        battles[row.variant] += row.battles;
    }
    let (least, most) = (battles.iter().min(), battles.iter().max());
    match (least.copied().unwrap_or(0), most.copied().unwrap_or(0)) {
        (least, most) if least == most => counted(most, "battle"),
        (least, most) => format!("{} to {}", whole(least), counted(most, "battle")),
    }
}

/// How many comparisons with the first variant there are, and what is known of them.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Compared {
    /// Those that can be made.
    pub(super) made: usize,
    /// Those that cannot be made yet: a stratum that has weight in either variant has no battle. Only a part of a sweep
    /// has such strata.
    pub(super) unknown: usize,
    /// Those that are significant.
    pub(super) significant: usize,
}

impl Compared {
    pub(super) fn of(swept: &Swept<'_>) -> Self {
        let sides = swept.members[0].matchups[0].contenders.len();
        let is_compared =
            |row: &&Row| row.comparison.is_some() && is_told(row.side, sides, swept.measure);
        let compared = || swept.rows.iter().filter(is_compared);
        let unknown = compared().filter(|row| row.adjusted.is_nan()).count();
        Self {
            made: compared().count() - unknown,
            unknown,
            significant: compared().filter(|row| row.adjusted < ALARM).count(),
        }
    }

    /// How many there are, whether they can be made or not.
    pub(super) fn all(self) -> usize {
        self.made + self.unknown
    }

    /// What there is to say where no change is significant, without a full stop.
    pub(super) fn none_is_significant(self) -> &'static str {
        match self {
            Self { made: 0, unknown: 1.., .. } => "No change is known yet",
            Self { unknown: 1.., .. } => {
                "No change that is known so far is significant at this many battles"
            }
            _ => "No change is significant at this many battles",
        }
    }

    /// The sentence on how many are significant.
    pub(super) fn sentence(self, all_sides: bool) -> String {
        let with =
            format!("with the first variant{}", if all_sides { ", all sides counted" } else { "" });
        let comparisons = counted(self.all() as u64, "comparison");
        let significant = match self.significant {
            0 => "none is".to_owned(),
            1 => "1 is".to_owned(),
            more => format!("{} are", whole(more as u64)),
        };
        let why = |they: &str| {
            format!("strata (match-up and draw) that {they} without any battle so far")
        };
        match (self.made, self.unknown) {
            (_, 0) => format!("Of {comparisons} {with}, {significant} significant."),
            (0, 1) => format!("The comparison {with} cannot be made yet: {}.", why("it needs are")),
            (0, _) => {
                format!("Of {comparisons} {with}, none can be made yet: {}.", why("they need are"))
            }
            (made, unknown) => format!(
                "Of {comparisons} {with}, {} cannot be made yet: {}. Of the other {}, {significant} significant.",
                whole(unknown as u64),
                why(if unknown == 1 { "it needs are" } else { "they need are" }),
                whole(made as u64),
            ),
        }
    }
}
