//! The games. Each folder has the same inner names; no game imports another. They are listed in
//! [`engine`](crate::engine::GAMES).

pub mod eldertale;
pub mod sanctum;
pub mod solforge;
pub mod splinterlands;

use num_rational::BigRational;

use crate::game::Side;
use crate::lineups::{Fields, NoLineUps};
use crate::scenario::Form;
use crate::statistics::DrawModel;
use crate::story::Story;
use crate::table::Table;
use crate::tally::Measure;

/// What a game tells of itself beside its rules.
pub trait Playable: Form + Measure + Story {
    /// The game in one line, for lists and help.
    const SUMMARY: &'static str;

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

    /// The same setup with one of the layout's [`forcible`](crate::tally::Layout::forcible) orders (an index) forced, so that
    /// this side is the first; none where there is no such order, or the side cannot be its first.
    #[must_use]
    fn forcing(_setup: &Self::Setup, _order: usize, _first: Side) -> Option<Self::Setup> {
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
