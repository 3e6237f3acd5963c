//! The rules for groups: up to eight minions, all of them alive and with no more limited effects than can be
//! counted.

use super::profile::{Kind, Profile};
use super::state::{COUNTED, GROUP};

/// What is wrong with a group.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Illegal {
    /// Too many minions.
    #[error("{0} minions in a group")]
    Size(usize),
    /// Spells have killed a minion before the combat.
    #[error("`{0}` has no hit points left")]
    Dead(String),
    /// Spells give a minion more, or take more, than its numbers can hold.
    #[error("`{0}` has damage or armor outside -128 to 127")]
    TooMuch(String),
    /// More effects with a limit than a minion can count.
    #[error("`{minion}` has {counted} effects with `at_most`")]
    Counted {
        /// The minion.
        minion: String,
        /// How many of its effects have a limit.
        counted: usize,
    },
}

/// The fault in the number of minions of a group, if there are too many.
#[must_use]
pub fn fault_of_size(size: usize) -> Option<Illegal> {
    (size > GROUP).then_some(Illegal::Size(size))
}

/// The faults of a minion with the spells on it that keep it from fighting.
pub fn faults_of_minion(minion: &Profile) -> impl Iterator<Item = Illegal> + use<> {
    let dead = (minion.hit_points <= minion.wounds).then(|| Illegal::Dead(minion.name.clone()));
    let name = || minion.name.clone();
    let too_much = (minion.beyond != [0; 3] || Kind::is_cut(&minion.effects))
        .then(|| Illegal::TooMuch(name()));
    let counted = minion.effects.iter().filter(|effect| effect.at_most > 0).count();
    let many =
        (counted > COUNTED).then(|| Illegal::Counted { minion: minion.name.clone(), counted });
    dead.into_iter().chain(too_much).chain(many)
}
