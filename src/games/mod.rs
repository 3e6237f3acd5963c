//! The games. Each folder has the same inner names; no game imports another. They are listed in
//! [`engine`](crate::engine::GAMES).

pub mod eldertale;
pub mod sanctum;
pub mod solforge;
pub mod splinterlands;

use enumset::{EnumSet, EnumSetType};
use num_rational::BigRational;

use crate::game::Side;
use crate::lineups::{Fields, NoLineUps};
use crate::recast::Recast;
use crate::scenario::Form;
use crate::statistics::DrawModel;
use crate::story::Story;
use crate::table::Table;
use crate::tally::Measure;

/// What a game provides beside its rules: texts, lists, and what studies ask of its setups.
pub trait Playable: Form + Measure + Story {
    /// One line about the game, for lists and help.
    const SUMMARY: &'static str;
    /// A commented scenario to start from, which runs as it is.
    const TEMPLATE: &'static str;

    /// The names of the lists that `evens list` can show for this game (`cards`, `abilities`, `rulesets`, ...).
    const SHELVES: &'static [&'static str];

    /// The list with this name, one of [`SHELVES`](Self::SHELVES), as a table; none for an unknown name.
    fn shelf(name: &str) -> Option<Table>;

    /// The exact probability of everything that is drawn before a battle of this setup (in Splinterlands of every
    /// ruleset and every pair of rulesets). None in a game that draws nothing.
    fn odds(setup: &Self::Setup) -> Option<Table>;

    /// Whether `one` plays every condition of `other` exactly as `other` does, so that the two setups differ only
    /// in how likely their conditions are. Battles of `one` then answer for both. Always false in a game without
    /// draws.
    #[must_use]
    fn plays_alike(_one: &Self::Setup, _other: &Self::Setup) -> bool {
        false
    }

    /// Makes a setup share the memory of everything that is equal in `other`, so that thousands of variants of one
    /// scenario fit into memory. The setup stays equal to what it was.
    fn share(_setup: &mut Self::Setup, _other: &Self::Setup) {}

    /// The exact probability of each of the layout's conditions, in their order.
    #[must_use]
    fn drawn(setup: &Self::Setup) -> Vec<BigRational> {
        // Where nothing is weighted, all conditions are equally likely.
        let conditions = Self::layout(setup).conditions.len();
        let one = BigRational::new(1.into(), conditions.into());
        vec![one; conditions]
    }

    /// How the probabilities of the conditions follow from weights. None where a game does not draw conditions by
    /// weight.
    fn draw_model(_: &Self::Setup) -> Option<&dyn DrawModel> {
        None
    }

    /// This setup with an order forced: `order` is an index into the layout's
    /// [`forcible`](crate::tally::Layout::forcible) orders, and `first` the side that becomes its first. None
    /// where there is no such order, or this side cannot be its first.
    #[must_use]
    fn forcing(_setup: &Self::Setup, _order: usize, _first: Side) -> Option<Self::Setup> {
        None
    }

    /// The units that a side of a match-up brings to every battle, with their numbers of copies, where the
    /// fighters recorded in a battle do not show them (cards of a deck that are never dealt, for example). None
    /// where the fighters do.
    #[must_use]
    fn brings(_setup: &Self::Setup, _matchup: usize, _side: Side) -> Option<Vec<(u16, u32)>> {
        None
    }

    /// Whether every unit that takes part in a battle was brought to it, so that the recorded fighters show what a
    /// side whose units are drawn has brought. False where cards are made, taken or copied in the course of a
    /// battle.
    const FIGHTERS_ARE_BROUGHT: bool = true;

    /// The units that a contender may bring to a battle, each once: those that are drawn for it under some condition,
    /// or that it always brings. None in games where nothing is drawn for anybody.
    #[must_use]
    fn may_bring(_setup: &Self::Setup, _contender: &str) -> Vec<u16> {
        Vec::new()
    }

    /// The units that a contender brings to every battle, each once, because its line-up is given and not drawn.
    #[must_use]
    fn always_brings(_setup: &Self::Setup, _contender: &str) -> Vec<u16> {
        Vec::new()
    }

    /// What playing a unit is paid with where bringing it costs nothing. None where playing costs nothing either.
    const PLAYED_FOR: Option<&'static str> = None;

    /// The cost of bringing a unit, in the game's own currency (mana). None where the game has no costs.
    #[must_use]
    fn cost(_setup: &Self::Setup, _unit: u16) -> Option<u32> {
        None
    }

    /// The units that could be brought instead of this one: those of the same kind and cost.
    #[must_use]
    fn stand_ins(_setup: &Self::Setup, _unit: u16) -> Vec<u16> {
        Vec::new()
    }

    /// Whether a unit may be brought under a condition.
    #[must_use]
    fn is_allowed(_setup: &Self::Setup, _condition: u32, _unit: u16) -> bool {
        true
    }

    /// Whether a side may bring a stand-in for a unit when it already brings a copy of that stand-in.
    const REPEATS: bool = false;

    /// The names of a unit's abilities, as far as they can matter in this setup.
    #[must_use]
    fn abilities(_setup: &Self::Setup, _unit: u16) -> Vec<String> {
        Vec::new()
    }

    /// This setup with a unit recast: once everything is drawn, it acts as another unit or without one of its
    /// abilities. None where that is not possible.
    #[must_use]
    fn recast(_setup: &Self::Setup, _unit: u16, _recast: Recast) -> Option<Self::Setup> {
        None
    }

    /// The line-ups that a contender of this setup may bring under the setup's rules.
    ///
    /// # Errors
    /// When there is no such contender, or its line-up cannot be varied.
    fn line_ups<'s>(
        _setup: &'s Self::Setup,
        _contender: &str,
    ) -> Result<Box<dyn Fields<Self::Setup> + 's>, NoLineUps> {
        Err(NoLineUps::Game(Self::NAME))
    }

    /// The names of everything in this setup that can have an effect in a battle: abilities, effects, cards,
    /// conditions.
    #[must_use]
    fn activities(_setup: &Self::Setup) -> Vec<String> {
        Vec::new()
    }

    /// Counts what an event shows to have acted; `acts` has one number for each of
    /// [`activities`](Self::activities).
    fn note_activity(
        _setup: &Self::Setup,
        _state: &Self::State,
        _event: Self::Event,
        _acts: &mut Acts<'_>,
    ) {
    }
}

/// How often each of a setup's [`activities`](Playable::activities) has acted, counted event by event.
#[derive(Debug)]
pub struct Acts<'c> {
    /// How often: one number for each of them.
    pub times: &'c mut [u64],
    /// The index of what begins to act, which counts only once an event shows that it changes something. Games in
    /// which one event tells both leave it alone.
    pub acting: Option<usize>,
}

impl<'c> Acts<'c> {
    /// What acts in a battle is added to these numbers.
    #[must_use]
    pub fn added_to(times: &'c mut [u64]) -> Self {
        Self { times, acting: None }
    }

    /// Counts what acts now, if anything does and has not been counted yet.
    #[inline]
    pub fn count_once(&mut self) {
        if let Some(at) = self.acting.take() {
            self.times[at] += 1;
        }
    }
}

/// Counts the members of a set that come before `of` in the order of the enum, which has at most 64 variants.
#[inline]
fn before<T: EnumSetType>(set: EnumSet<T>, of: T) -> usize {
    (set.as_u64() & (EnumSet::only(of).as_u64() - 1)).count_ones() as usize
}

#[cfg(test)]
mod tests {
    use enumset::EnumSet;
    use proptest::prelude::*;

    use super::before;
    use super::splinterlands::ability::Ability;

    proptest! {
        #[test]
        fn those_before_a_member_are_those_that_come_first(bits in any::<u64>()) {
            let set = EnumSet::<Ability>::from_u64_truncated(bits);
            for (place, of) in set.iter().enumerate() {
                prop_assert_eq!(before(set, of), place);
            }
        }
    }
}
