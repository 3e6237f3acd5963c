//! The rules, one file per idea, in the order of the rulebook:
//!
//! | file | what it rules |
//! |---|---|
//! | `play` | playing, levelling, activating, moving; a card resolves before anything it sets off |
//! | `trigger` | which abilities something sets off |
//! | `batch` | the order inside a batch, and one batch after another |
//! | `effect` | what abilities do |
//! | `select` | whom they do it to, and what players choose |
//! | `spawn` | entering the field, fixed and random spaces, moving, revival |
//! | `damage` | damage, armor, healing, changes of attack and health |
//! | `death` | the death check, sudden death |
//! | `turn` | the phases of a turn, drawing, ranks, the wearing off of effects |
//! | `statics` | what creatures' numbers are while statics hold |
//! | `combat` | a battle's three batches, and extra battles |

mod batch;
mod combat;
mod damage;
mod death;
mod effect;
mod play;
mod select;
mod spawn;
pub mod statics;
mod trigger;
mod turn;

use arrayvec::ArrayVec;

use super::SolForge;
use super::ability::{AbilityId, Pick};
use super::event::{Endless, Event, Ref};
use super::rolls::Roll;
use super::setup::{Cards, Setup};
use super::state::{Creature, LANES, PutOff, Spaces, State};
use crate::chance::Chance;
use crate::game::{Outcome, Side, Watch};

pub(super) use play::{Action, Actions, Runs};

/// Maximum number of abilities that wait at once. If ten creatures all die before ten that all listen, 110 wait.
const WAITING: usize = 256;
/// A game in which one thing sets off more batches than this never comes to rest, and is undecided.
const BATCHES: u16 = 1000;
/// Maximum number of creatures that lose their space between two death checks.
const DISPLACED: usize = 16;

/// Why an ability waits, which decides whether it still resolves when its creature is gone.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::games::solforge) enum Because {
    /// A living creature reacts to something: resolves only if the creature is still alive when the batch forms.
    Alive,
    /// Battle damage, a death, a spell, or a moment until which it was put off: resolves in any case.
    Anyway,
}

/// An ability that was set off and waits for its batch.
#[derive(Clone, Copy, Debug)]
pub(in crate::games::solforge) struct Waiting {
    ability: AbilityId,
    pub source: Ref,
    subject: Ref,
    amount: i16,
    because: Because,
}

/// Something that was chosen. A creature is remembered as it was.
#[derive(Clone, Copy, Debug)]
struct Chosen {
    pick: Pick,
    who: Ref,
    /// Whether it was chosen by the second of two choices.
    also: bool,
}

/// Everything that was chosen for an ability: up to four things by each of two choices.
type ManyChosen = ArrayVec<Chosen, 8>;

/// What was chosen by the first of two choices, or by the only one.
fn first_chosen(chosen: &[Chosen]) -> impl Iterator<Item = &Chosen> {
    chosen.iter().filter(|chosen| !chosen.also)
}

/// A creature that left its space before the death check, because something took it.
#[derive(Clone, Copy, Debug)]
struct Displaced {
    creature: Creature,
    side: Side,
    lane: u8,
}

/// A game being played: the setup, which never changes, the state, which does, the chance that is asked, and the watch
/// that is told.
pub(super) struct Battle<'a, C, W> {
    pub setup: &'a Setup,
    pub state: &'a mut State,
    pub chance: &'a mut C,
    watch: &'a mut W,
    /// Abilities that were set off and have not resolved yet; a batch is taken from the front.
    waiting: ArrayVec<Waiting, WAITING>,
    /// Destroyed creatures that have lost their space to another.
    displaced: ArrayVec<Displaced, DISPLACED>,
    /// Number of batches since the field was last at rest.
    batches: u16,
    /// The spaces whose creatures may need new ids, because they have entered, moved or been killed since the field was
    /// last at rest.
    pub stirred: Spaces,
    /// Whether this happens only in a player's head.
    pub thought: bool,
}

impl<'a, C: Chance<Roll>, W: Watch<SolForge>> Battle<'a, C, W> {
    pub fn new(
        setup: &'a Setup,
        state: &'a mut State,
        chance: &'a mut C,
        watch: &'a mut W,
    ) -> Self {
        Self {
            setup,
            state,
            chance,
            watch,
            waiting: ArrayVec::new(),
            displaced: ArrayVec::new(),
            batches: 0,
            stirred: Spaces::ALL,
            thought: false,
        }
    }

    /// A game that is played only in a player's head, on a state of its own.
    pub fn in_thought(
        setup: &'a Setup,
        state: &'a mut State,
        chance: &'a mut C,
        watch: &'a mut W,
    ) -> Self {
        Self { thought: true, ..Self::new(setup, state, chance, watch) }
    }

    #[inline(always)]
    pub(super) fn tell(&mut self, event: Event) {
        self.watch.see(self.setup, self.state, event);
    }

    #[inline]
    fn cards(&self) -> &'a Cards {
        &self.setup.cards
    }

    #[inline]
    fn locate(&self, who: Ref) -> Option<(Side, u8)> {
        self.state.locate(who)
    }

    /// Where a creature stands now, if it is not destroyed.
    fn alive(&self, who: Ref) -> Option<(Side, u8)> {
        self.locate(who).filter(|&(side, lane)| !self.state.at(side, lane).destroyed)
    }

    fn reference(&self, side: Side, lane: u8) -> Ref {
        Ref::new(self.state.at(side, lane), side, lane)
    }

    /// Leaves a game that does not come to rest undecided: more abilities wait, or more creatures enter or are
    /// displaced at once, than ever could otherwise.
    #[cold]
    pub fn give_up(&mut self, why: Endless) {
        let is_new = self.state.verdict != Some(Outcome::Undecided);
        self.state.verdict = Some(Outcome::Undecided);
        // The game does not stop at once, so another limit may be broken before it does.
        if is_new {
            self.tell(Event::GivesUp(why));
        }
    }

    /// Takes the next stamp: everything killed under one stamp is killed at the same moment. Stamps start anew after
    /// each death check.
    #[inline]
    fn next_stamp(&mut self) {
        self.state.kills = (self.state.kills + 1).min(u16::MAX - 1);
    }

    /// Gives creatures the ids of their spaces and forgets the order of killing, so that states that differ in nothing
    /// that matters are equal.
    #[inline]
    pub fn come_to_rest(&mut self) {
        if self.thought {
            return;
        }
        if !self.state.put_off.is_empty() {
            // This must come before any creature gets a new id.
            self.find_who_was_put_off();
        }
        for (side, lane) in std::mem::take(&mut self.stirred).and(self.state.occupied) {
            let creature = self.state.at_mut(side, lane);
            creature.id = at_rest(side, lane);
            creature.killed = 0;
        }
        self.state.next_id = 2 * LANES as u16 + 1;
        self.state.kills = 0;
        self.batches = 0;
    }

    /// Updates the creatures that put-off abilities refer to: their lanes, and the ids that they will have at rest.
    #[inline(never)]
    fn find_who_was_put_off(&mut self) {
        for at in 0..self.state.put_off.len() {
            let PutOff { source, subject, .. } = self.state.put_off[at];
            let [source, subject] = [source, subject].map(|who| match self.locate(who) {
                Some((side, lane)) => Ref { id: at_rest(side, lane), lane, ..who },
                None => Ref { id: 0, ..who },
            });
            let put_off = &mut self.state.put_off[at];
            (put_off.source, put_off.subject) = (source, subject);
        }
    }
}

/// The id of the creature in a space while the field is at rest.
fn at_rest(side: Side, lane: u8) -> u16 {
    1 + u16::from(side.0) * LANES as u16 + u16::from(lane)
}
