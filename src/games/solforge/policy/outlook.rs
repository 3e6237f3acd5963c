//! A quick estimate from the lanes: what one more creature, or a creature in another lane, changes in the turn's
//! battle, by attack and health alone. It sorts actions by promise; what they are worth is found by playing them
//! ([`greedy`](super::greedy)).

use crate::game::Side;
use crate::games::solforge::keyword::Keyword;
use crate::games::solforge::rules::statics;
use crate::games::solforge::setup::Setup;
use crate::games::solforge::state::{Form, LANES, State};

/// One side of a lane.
#[derive(Clone, Copy, Default)]
struct Half {
    there: bool,
    attack: i32,
    health: i32,
    attacks: bool,
}

/// All lanes, the active player's half first, and what each is worth as it is.
pub(super) struct Outlook<'a> {
    setup: &'a Setup,
    lanes: [[Half; 2]; LANES],
    worths: [i32; LANES],
    fights: bool,
}

impl Half {
    /// A side of a lane as it is.
    #[inline(always)]
    fn of(setup: &Setup, state: &State, side: Side, lane: u8) -> Self {
        if !state.standing.has(side, lane) {
            return Self::default();
        }
        Self {
            there: true,
            attack: statics::attack(&setup.cards, state, side, lane).into(),
            health: statics::health(&setup.cards, state, side, lane).into(),
            attacks: state.at(side, lane).attacks(),
        }
    }
}

impl<'a> Outlook<'a> {
    pub(super) fn new(setup: &'a Setup, state: &State) -> Self {
        let sides = [state.active, state.active.other()];
        // The closure of a `map` over the sides was called and not inlined, for a hundredth of a game.
        let mut lanes = [[Half::default(); 2]; LANES];
        for (lane, halves) in lanes.iter_mut().enumerate() {
            for (half, side) in halves.iter_mut().zip(sides) {
                *half = Half::of(setup, state, side, lane as u8);
            }
        }
        // Only the turn's own battle: in an additional one few fight.
        let fights = state.battles_open > 0 && !state.fought;
        let worths = lanes.map(|[own, other]| worth(own, other, fights));
        Self { setup, lanes, worths, fights }
    }

    /// How much a creature of this form changes the worth of a lane by entering it. It attacks only if it is
    /// Aggressive.
    pub(super) fn entering(&self, form: Form, lane: u8) -> i32 {
        let data = self.setup.cards.form(form);
        let attacks = data.keywords.contains(Keyword::Aggressive)
            && !data.keywords.contains(Keyword::Defender);
        let own =
            Half { there: true, attack: data.attack.into(), health: data.health.into(), attacks };
        self.with(own, lane)
    }

    /// How much a creature of the active player changes the worth of two lanes by moving.
    pub(super) fn moving(&self, from: u8, to: u8) -> i32 {
        let own = self.lanes[usize::from(from)][0];
        self.with(own, to) + self.with(Half::default(), from)
    }

    fn with(&self, own: Half, lane: u8) -> i32 {
        let at = usize::from(lane);
        worth(own, self.lanes[at][1], self.fights) - self.worths[at]
    }
}

/// What a lane is worth to the active player after the battle, if one is fought.
fn worth(own: Half, other: Half, fights: bool) -> i32 {
    if !fights || !own.attacks && !other.attacks {
        return own.attack + own.health.max(0) - other.attack - other.health.max(0);
    }
    let left = |of: Half, by: Half| {
        if !of.there {
            return 0;
        }
        let health = of.health - if by.there { by.attack.max(0) } else { 0 };
        if health > 0 { of.attack + health } else { 0 }
    };
    let through = |of: Half, by: Half| {
        if by.attacks && !of.there { by.attack.max(0) } else { 0 }
    };
    left(own, other) - left(other, own) + through(other, own) - through(own, other)
}
