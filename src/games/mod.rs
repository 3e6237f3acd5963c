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

/// What a game tells of itself beside its rules.
pub trait Playable: Form + Measure + Story {
    /// The game in one line, for lists and help.
    const SUMMARY: &'static str;
    /// The scenario to begin with, commented: it runs as it is.
    const TEMPLATE: &'static str;

    /// What `evens list` can list for this game (`cards`, `abilities`, `rulesets`, ...).
    const SHELVES: &'static [&'static str];

    /// One of [`SHELVES`](Self::SHELVES) as a table.
    fn shelf(name: &str) -> Option<Table>;

    /// The exact probability of everything that is drawn before a battle of this setup, where anything is
    /// (in Splinterlands of every ruleset and every pair).
    fn odds(setup: &Self::Setup) -> Option<Table>;

    /// Whether `one` plays every condition of `other` just as that does, so that the two differ in nothing but how
    /// likely their conditions are: then battles of `one` answer for both. A game without draws has no such setups.
    #[must_use]
    fn plays_alike(_one: &Self::Setup, _other: &Self::Setup) -> bool {
        false
    }

    /// Lets go of what another setup has just like this one, in favour of that, so that thousands of variants of one
    /// scenario fit into memory. Nothing that can be seen changes.
    fn share(_setup: &mut Self::Setup, _other: &Self::Setup) {}

    /// The exact odds of each of the layout's conditions.
    #[must_use]
    fn drawn(setup: &Self::Setup) -> Vec<BigRational> {
        // Where nothing is weighted, all conditions are equally likely.
        let conditions = Self::layout(setup).conditions.len();
        let one = BigRational::new(1.into(), conditions.into());
        vec![one; conditions]
    }

    /// How the odds of the conditions follow from weights, where a game draws conditions by weight.
    fn draw_model(_: &Self::Setup) -> Option<&dyn DrawModel> {
        None
    }

    /// This setup with one of the layout's [`forcible`](crate::tally::Layout::forcible) orders (an index) forced, so that this
    /// side is the first; none where there is no such order, or the side cannot be its first.
    #[must_use]
    fn forcing(_setup: &Self::Setup, _order: usize, _first: Side) -> Option<Self::Setup> {
        None
    }

    /// What a side of a match-up always brings, where that is not what takes part in every battle of it: units with their number of
    /// copies. None where the fighters of a battle say it.
    #[must_use]
    fn brings(_setup: &Self::Setup, _matchup: usize, _side: Side) -> Option<Vec<(u16, u32)>> {
        None
    }

    /// Whether whoever takes part in a battle was brought to it, so that fighters say what drawn sides bring: not where cards are
    /// made, taken or copied in its course.
    const FIGHTERS_ARE_BROUGHT: bool = true;

    /// What it costs to bring a unit, in the game's own coin (mana); none where the game has none.
    #[must_use]
    fn cost(_setup: &Self::Setup, _unit: u16) -> Option<u32> {
        None
    }

    /// The other units that could be brought in the place of one wherever that is: of the same kind and cost.
    #[must_use]
    fn stand_ins(_setup: &Self::Setup, _unit: u16) -> Vec<u16> {
        Vec::new()
    }

    /// Whether a condition lets a unit be brought.
    #[must_use]
    fn is_allowed(_setup: &Self::Setup, _condition: u32, _unit: u16) -> bool {
        true
    }

    /// Whether a side may bring a unit in the place of another one when it brings one of it already.
    const REPEATS: bool = false;

    /// The abilities of a unit, as far as they can matter in this setup.
    #[must_use]
    fn abilities(_setup: &Self::Setup, _unit: u16) -> Vec<String> {
        Vec::new()
    }

    /// This setup with a unit that is something else in all that it does once everything is drawn; none where that cannot be.
    #[must_use]
    fn recast(_setup: &Self::Setup, _unit: u16, _recast: Recast) -> Option<Self::Setup> {
        None
    }

    /// The line-ups that a contender of a setup may bring, under the rules of the setup.
    ///
    /// # Errors
    /// When there is no such contender, or it brings nothing that could be another.
    fn line_ups<'s>(
        _setup: &'s Self::Setup,
        _contender: &str,
    ) -> Result<Box<dyn Fields<Self::Setup> + 's>, NoLineUps> {
        Err(NoLineUps::Game(Self::NAME))
    }

    /// The names of everything in a setup that could have an effect in a battle: abilities, effects, cards, conditions.
    #[must_use]
    fn activities(_setup: &Self::Setup) -> Vec<String> {
        Vec::new()
    }

    /// Counts what an event tells of them; `counts` has one number for each of [`activities`](Self::activities).
    fn note_activity(
        _setup: &Self::Setup,
        _state: &Self::State,
        _event: Self::Event,
        _counts: &mut [u64],
    ) {
    }
}

/// How many members of a set come before one of them, in the order of the enum; of an enum of at most 64.
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
