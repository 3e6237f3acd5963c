//! The greedy player, who does what leaves it best off by the end of the turn's battle, and the thoughtful one, who looks
//! one turn further.
//!
//! **Worth.** A state is worth own life less the other's, and the attack and health of its creatures less those of the
//! other's, with the turn's battle fought first if it is still open. A card that leaves the hand comes back better, which
//! is worth a quarter of what its next level has more, and at least a point.
//!
//! **Looking.** An action is looked at by playing it in the head, with all rules; every die shows its middle face there,
//! and whatever has to be chosen on the way is the largest creature that can be. Levelling leaves the field as it is. Of
//! the creatures in hand two are looked at, each in one lane, and one move: those that an [`Outlook`] on the lanes alone
//! finds most promising. A spell or an ability is looked at on the two largest creatures of each side that it can choose,
//! on players, on spaces and on cards. The play that looks best is looked at once more after the battle: if that is better,
//! the battle comes first.
//!
//! **One turn further.** The thoughtful player takes the actions that look best, plays the other player's next turn in its
//! head as far as it can be seen (what starts with it, and its battle), and does what leaves it best off then.

use arrayvec::ArrayVec;

use super::outlook::Outlook;
use crate::chance::{Chance, Odds};
use crate::game::{Outcome, Side, Unwatched, Watch};
use crate::games::solforge::SolForge;
use crate::games::solforge::ability::{Pick, Picks};
use crate::games::solforge::cards::vocabulary::Kind;
use crate::games::solforge::rolls::Roll;
use crate::games::solforge::rules::{Action, Actions, Battle, Waiting, statics};
use crate::games::solforge::setup::Setup;
use crate::games::solforge::state::{Form, State};

/// A game won or lost is worth more than anything on the field.
const WON: i32 = 1_000_000;
/// So many of the creatures in hand are looked at.
const LOOKS: usize = 2;
/// So many of the creatures on each side are looked at as the target of a spell or an ability.
const TARGETS: usize = 2;
/// So many of the actions that look best a thoughtful player plays one turn further.
const FURTHER: usize = 4;
/// A point for each card that leaves the hand, and this part of what its next level has more.
const LEVELLING: i32 = 4;

/// How far a player looks.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Depth {
    /// To the end of the turn's battle.
    Battle,
    /// To the end of the other player's next battle.
    Reply,
}

/// Every die shows its middle face.
struct Middling;

impl Chance<Roll> for Middling {
    fn draw(&mut self, _: Roll, odds: Odds<'_>) -> u32 {
        odds.faces() / 2
    }
}

/// Actions with what they are worth, best first; of equals the earlier ones.
struct Best<const N: usize>(ArrayVec<(i32, Action), N>);

impl<const N: usize> Best<N> {
    fn new() -> Self {
        Self(ArrayVec::new())
    }

    fn offer(&mut self, worth: i32, action: Action) {
        let at = self.0.iter().position(|&(other, _)| worth > other).unwrap_or(self.0.len());
        if at < N {
            if self.0.is_full() {
                self.0.pop();
            }
            self.0.insert(at, (worth, action));
        }
    }
}

impl<C: Chance<Roll>, W: Watch<SolForge>> Battle<'_, C, W> {
    /// The action that leaves the active player best off.
    pub(super) fn best_action(&self, actions: &Actions, depth: Depth) -> Action {
        if let [only] = actions[..] {
            return only;
        }
        let side = self.state.active;
        // The battle alone: what ending the turn is worth, and the state in which what comes after it is looked at.
        let mut fought = *self.state;
        let idle = self.look(&mut fought, None, side);
        let mut best = Best::<FURTHER>::new();
        let mut look = |action: Action| {
            let mut state = *self.state;
            best.offer(self.look(&mut state, Some(action), side) + self.levelled(action), action);
        };
        let outlook = Outlook::new(self.setup, self.state);
        let mut creatures = Best::<LOOKS>::new();
        let mut moves = Best::<1>::new();
        // Ways to do the same thing come one after another.
        let mut rest = &actions[..];
        while let Some(&first) = rest.first() {
            let ways = rest.iter().take_while(|&&other| is_same_thing(first, other)).count();
            let (ways, others) = rest.split_at(ways);
            rest = others;
            match first {
                Action::Creature { at, .. } => {
                    let form = self.state.player(side).hand[usize::from(at)];
                    let mut lanes = Best::<1>::new();
                    for &way in ways {
                        if let Action::Creature { lane, .. } = way {
                            lanes.offer(outlook.entering(form, lane), way);
                        }
                    }
                    for &(worth, way) in &lanes.0 {
                        creatures.offer(worth + self.levelled(way), way);
                    }
                }
                Action::Move { .. } => {
                    for &way in ways {
                        if let Action::Move { from, to } = way {
                            moves.offer(outlook.moving(from, to), way);
                        }
                    }
                }
                Action::Spell { .. } | Action::Activate { .. } => {
                    let mut largest = [Best::<TARGETS>::new(), Best::<TARGETS>::new()];
                    for &way in ways {
                        match way {
                            Action::Spell { pick: Pick::Creature(of, lane), .. }
                            | Action::Activate { pick: Pick::Creature(of, lane), .. } => {
                                let size = size(self.setup, self.state, of, lane);
                                largest[of.index()].offer(size, way);
                            }
                            _ => look(way),
                        }
                    }
                    for &(_, way) in largest.iter().flat_map(|of| &of.0) {
                        look(way);
                    }
                }
                Action::Level { .. } | Action::Battle | Action::End => {}
            }
        }
        let moves = moves.0.iter().filter(|&&(promise, _)| promise > 0);
        for &(_, action) in creatures.0.iter().chain(moves) {
            look(action);
        }
        // Nothing on the field changes by these.
        for &action in actions {
            if matches!(action, Action::Level { .. } | Action::Battle | Action::End) {
                best.offer(idle + self.levelled(action), action);
            }
        }
        match depth {
            Depth::Battle => {}
            Depth::Reply => best = self.further(&best, side),
        }
        let Some(&(worth, action)) = best.0.first() else { return Action::End };
        let plays = matches!(action, Action::Creature { .. } | Action::Spell { .. });
        if plays && depth == Depth::Battle && self.state.battles_open > 0 {
            let mut after = fought;
            if self.look(&mut after, Some(action), side) + self.levelled(action) > worth {
                return Action::Battle;
            }
        }
        action
    }

    /// The same actions, valued after the other player's next battle.
    fn further(&self, best: &Best<FURTHER>, side: Side) -> Best<FURTHER> {
        let mut further = Best::new();
        for &(_, action) in &best.0 {
            let mut state = *self.state;
            let (mut chance, mut nobody) = (Middling, Unwatched);
            let mut thought = Battle::in_thought(self.setup, &mut state, &mut chance, &mut nobody);
            thought.act(action);
            thought.fight_on();
            if thought.state.verdict.is_none() {
                thought.end_turn();
            }
            if thought.state.verdict.is_none() {
                thought.start_turn();
                thought.fight_on();
            }
            further.offer(thought.worth(side) + self.levelled(action), action);
        }
        further
    }

    /// What a state is worth to a player once an action is taken and the battle fought, both in the state that is given.
    fn look(&self, state: &mut State, action: Option<Action>, side: Side) -> i32 {
        if state.verdict.is_none() {
            let (mut chance, mut nobody) = (Middling, Unwatched);
            let mut thought = Battle::in_thought(self.setup, state, &mut chance, &mut nobody);
            if let Some(action) = action {
                thought.act(action);
            }
            thought.fight_on();
            return thought.worth(side);
        }
        worth(self.setup, state, side)
    }

    /// The choice that leaves the ability's player best off. In the head, where that would be a thought within a thought,
    /// it is the largest creature that can be chosen, the other player's before its own.
    pub(super) fn greedy_pick(&mut self, cause: &Waiting, options: &Picks, may_stop: bool) -> Pick {
        let side = cause.source.side();
        if self.thought {
            return self.largest(options, side);
        }
        let mut best = if may_stop {
            (self.think(cause, Pick::Nothing, side), Pick::Nothing)
        } else {
            (i32::MIN, options[0])
        };
        for &pick in options {
            let worth = self.think(cause, pick, side);
            if worth > best.0 {
                best = (worth, pick);
            }
        }
        best.1
    }

    fn largest(&self, options: &Picks, side: Side) -> Pick {
        let rank = |&pick: &Pick| match pick {
            Pick::Creature(of, lane) => (of != side, size(self.setup, self.state, of, lane)),
            Pick::Player(of) => (of != side, 0),
            Pick::Nothing | Pick::Space(..) | Pick::Card(_) => (false, 0),
        };
        // The first of equals.
        options.iter().rev().copied().max_by_key(rank).unwrap_or(Pick::Nothing)
    }

    /// What a state is worth in which this choice was made.
    fn think(&self, cause: &Waiting, pick: Pick, side: Side) -> i32 {
        let mut state = *self.state;
        let (mut chance, mut nobody) = (Middling, Unwatched);
        let mut thought = Battle::in_thought(self.setup, &mut state, &mut chance, &mut nobody);
        thought.imagine(cause, pick);
        thought.fight_on();
        thought.worth(side)
    }

    /// Fights the battle if one is open.
    fn fight_on(&mut self) {
        if self.state.verdict.is_none() && self.state.battles_open > 0 {
            self.fight();
        }
    }

    fn worth(&self, side: Side) -> i32 {
        worth(self.setup, self.state, side)
    }

    /// What it is worth that a card leaves the hand.
    fn levelled(&self, action: Action) -> i32 {
        let at = match action {
            Action::Creature { at, .. } | Action::Spell { at, .. } | Action::Level { at } => at,
            Action::Activate { .. } | Action::Move { .. } | Action::Battle | Action::End => {
                return 0;
            }
        };
        let form = self.state.player(self.state.active).hand[usize::from(at)];
        let size = |form: Form| {
            let data = self.setup.cards.form(form);
            match data.kind {
                Kind::Creature => i32::from(data.attack) + i32::from(data.health),
                Kind::Spell => 4 * LEVELLING * i32::from(data.level),
            }
        };
        let next = self.setup.cards.form(form).levels_to;
        next.map_or(0, |next| (size(next) - size(form)) / LEVELLING).max(1)
    }
}

/// Whether two actions are the same but for the lane or the target.
fn is_same_thing(one: Action, other: Action) -> bool {
    match (one, other) {
        (Action::Creature { at, .. }, Action::Creature { at: of, .. })
        | (Action::Spell { at, .. }, Action::Spell { at: of, .. })
        | (Action::Move { from: at, .. }, Action::Move { from: of, .. }) => at == of,
        (Action::Activate { lane, ability, .. }, Action::Activate { lane: at, ability: of, .. }) => {
            (lane, ability) == (at, of)
        }
        _ => one == other,
    }
}

/// A creature's attack and health.
fn size(setup: &Setup, state: &State, side: Side, lane: u8) -> i32 {
    i32::from(statics::attack(&setup.cards, state, side, lane))
        + i32::from(statics::health(&setup.cards, state, side, lane))
}

/// What a state is worth to a player.
fn worth(setup: &Setup, state: &State, side: Side) -> i32 {
    match state.verdict {
        Some(Outcome::Win(winner)) if winner == side => return WON,
        Some(Outcome::Win(_)) => return -WON,
        Some(Outcome::Draw | Outcome::Undecided) | None => {}
    }
    let own = i32::from(state.player(side).life) - i32::from(state.player(side.other()).life);
    let creatures = state.standing.map(|(of, lane)| {
        let size = size(setup, state, of, lane);
        if of == side { size } else { -size }
    });
    own + creatures.sum::<i32>()
}
