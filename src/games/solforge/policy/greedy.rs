//! The greedy player, who does what leaves it best off by the end of the turn's battle.
//!
//! **Worth.** A state is worth the player's life less the opponent's, plus the attack and health of its creatures less
//! those of the opponent's, with the turn's battle fought first if it is still open. A card that leaves the hand comes
//! back at its next level, which is worth a quarter of what that level has more, and at least a point; nothing if it
//! leaves the game (decision 33).
//!
//! **Looking.** An action is looked at by playing it in the head, with all rules; there, every die shows its middle
//! face, and whatever has to be chosen on the way is the largest creature that can be. Levelling leaves the field as it
//! is. Of the creatures in hand up to two are looked at, each in one lane, and one move: those that an [`Outlook`] on
//! the lanes alone finds most promising. A spell or an ability is looked at on the largest creature of each side that
//! it can choose, on the other player, and on spaces. The play that looks best is looked at once more after the battle:
//! if that is better, the battle comes first.
//!
//! **Batches.** Where the order of abilities is drawn, the middle face means that the one in the middle of those that
//! wait resolves first. They wait in the order in which they were asked: the creature that is played or dies, whatever
//! its lane, and then those that see it, from left to right.
//!
//! **Two at once.** The best action that plays a creature or levels a card is remembered with the next best one of
//! another card, which follows without a second look: two creatures for different lanes, a creature and a card that is
//! levelled, or two cards that are levelled. Copies of a card are one action, so that the second is another card, even
//! where a copy would be worth more.

use std::cmp::Reverse;

use arrayvec::ArrayVec;

use super::outlook::Outlook;
use crate::chance::{Chance, Odds};
use crate::game::{Outcome, Side, Unwatched, Watch};
use crate::games::solforge::SolForge;
use crate::games::solforge::ability::{Options, PICKS, Pick};
use crate::games::solforge::cards::vocabulary::Kind;
use crate::games::solforge::rolls::Roll;
use crate::games::solforge::rules::{Action, Actions, Battle, Waiting, statics};
use crate::games::solforge::setup::Setup;
use crate::games::solforge::state::{Form, State};

/// A game won or lost is worth more than anything on the field.
pub(super) const WON: i32 = 1_000_000;
/// How many of the creatures in hand are looked at.
const LOOKS: usize = 2;
/// A creature in hand that promises less than the best one by more than this is not looked at.
const MARGIN: i32 = 6;
/// How many of the actions that look best are remembered: one may be a second play.
const FURTHER: usize = 4;
/// Maximum number of actions that are looked at.
const CANDIDATES: usize = 40;
/// A card that leaves the hand is worth what its next level has more, divided by this, and at least a point.
const LEVELLING: i32 = 4;

/// A chance in which every die shows its middle face.
pub(super) struct Middling;

impl Chance<Roll> for Middling {
    fn draw(&mut self, _: Roll, odds: Odds<'_>) -> u32 {
        odds.faces() / 2
    }
}

/// The `N` best actions with what they are worth, best first; of equals the earlier one comes first.
pub(super) struct Best<const N: usize>(ArrayVec<(i32, Action), N>);

impl<const N: usize> Best<N> {
    pub(super) fn new() -> Self {
        Self(ArrayVec::new())
    }

    /// The actions, best first.
    pub(super) fn actions(&self) -> impl Iterator<Item = Action> + '_ {
        self.0.iter().map(|&(_, action)| action)
    }

    pub(super) fn offer(&mut self, worth: i32, action: Action) {
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
    /// Plans the action that leaves the active player best off, and the one after it where that is clear already.
    pub(super) fn best_action(&self, actions: &Actions) -> Plan {
        if let [only] = actions[..] {
            return Plan::of(only);
        }
        let mut candidates = Candidates::new();
        self.candidates::<LOOKS, 1>(actions, MARGIN, &mut candidates);
        if candidates.is_empty() {
            // Nothing changes the field: a card is levelled before the battle and the end of the turn.
            let mut best = Best::<1>::new();
            for &action in actions {
                best.offer(self.levelled(action), action);
            }
            return Plan::of(best.0.first().map_or(Action::End, |&(_, action)| action));
        }
        let side = self.state.active;
        // The battle alone: what every action that leaves the field as it is is worth, and the state after the battle.
        let mut fought = *self.state;
        let idle = self.look(&mut fought, None, side);
        let mut best = Best::<FURTHER>::new();
        for &action in &candidates {
            let mut state = *self.state;
            best.offer(self.look(&mut state, Some(action), side) + self.levelled(action), action);
        }
        for &action in actions {
            if matches!(action, Action::Level { .. } | Action::Battle | Action::End) {
                best.offer(idle + self.levelled(action), action);
            }
        }
        let first = self.or_after_the_battle(&best, &fought, side);
        Plan::new(self.state, first, &best)
    }

    /// Collects the actions that are worth looking at: `LOOKS` of the ways to play creatures in hand, and `WAYS` ways
    /// (lanes, targets on each side, moves) to do each thing.
    pub(super) fn candidates<const LOOKS: usize, const WAYS: usize>(
        &self,
        actions: &Actions,
        margin: i32,
        candidates: &mut Candidates,
    ) {
        let side = self.state.active;
        let outlook = Outlook::new(self.setup, self.state);
        let mut creatures = Best::<LOOKS>::new();
        let mut moves = Best::<WAYS>::new();
        // Ways to do the same thing come one after another.
        let mut rest = &actions[..];
        while let Some(&first) = rest.first() {
            let ways = rest.iter().take_while(|&&other| is_same_thing(first, other)).count();
            let (ways, others) = rest.split_at(ways);
            rest = others;
            match first {
                Action::Creature { at, .. } => {
                    let form = self.state.player(side).hand[usize::from(at)];
                    let mut lanes = Best::<WAYS>::new();
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
                    let mut largest = [Best::<WAYS>::new(), Best::<WAYS>::new()];
                    for &way in ways {
                        match way {
                            Action::Spell { pick: Pick::Creature(of, lane), .. }
                            | Action::Activate { pick: Pick::Creature(of, lane), .. } => {
                                let size = size(self.setup, self.state, of, lane);
                                largest[of.index()].offer(size, way);
                            }
                            // No player aims at itself.
                            Action::Spell { pick: Pick::Player(of), .. } if of == side => {}
                            _ => candidates.extend(room_for(candidates, way)),
                        }
                    }
                    for &(_, way) in largest.iter().flat_map(|of| &of.0) {
                        candidates.extend(room_for(candidates, way));
                    }
                }
                Action::Level { .. } | Action::Battle | Action::End => {}
            }
        }
        let most = creatures.0.first().map_or(0, |&(promise, _)| promise);
        let creatures = creatures.0.iter().filter(|&&(promise, _)| promise + margin >= most);
        let moves = moves.0.iter().filter(|&&(promise, _)| promise > 0);
        for &(_, action) in creatures.chain(moves) {
            candidates.extend(room_for(candidates, action));
        }
    }

    /// The best action, or the battle where the action is better after it. Where no creature falls in the battle,
    /// taking the action before it is not worse.
    fn or_after_the_battle(&self, best: &Best<FURTHER>, fought: &State, side: Side) -> Action {
        let Some(&(worth, action)) = best.0.first() else { return Action::End };
        let [held, left] = [self.state, fought].map(|state| &state.player(side).hand[..]);
        // Where the battle took a card from the hand, the places in the hand mean other cards.
        let may_wait =
            self.state.battles_open > 0 && fought.occupied != self.state.occupied && held == left;
        if may_wait && is_card(action) {
            let mut after = *fought;
            if self.look(&mut after, Some(action), side) + self.levelled(action) > worth {
                return Action::Battle;
            }
        }
        action
    }

    /// What a state is worth to a player once an action is taken and the battle fought; both happen in the state that
    /// is given.
    pub(super) fn look(&self, state: &mut State, action: Option<Action>, side: Side) -> i32 {
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

    /// The choice that leaves the ability's player best off. In the head, where finding it would be a thought within a
    /// thought, it is the largest creature that can be chosen, the other player's before its own.
    pub(super) fn greedy_pick(
        &mut self,
        cause: &Waiting,
        mut options: Options,
        may_stop: bool,
        also: bool,
    ) -> Pick {
        let side = cause.source.side();
        if self.thought {
            return self.largest(options, side);
        }
        let mut seen: ArrayVec<Pick, PICKS> = ArrayVec::new();
        let mut largest = [None::<(i32, Pick)>; 2];
        let mut card = None::<(i32, Pick)>;
        for pick in options {
            match pick {
                Pick::Creature(of, lane) => {
                    let size = size(self.setup, self.state, of, lane);
                    let so_far = &mut largest[of.index()];
                    if so_far.is_none_or(|(other, _)| size > other) {
                        *so_far = Some((size, pick));
                    }
                }
                // A card of the hand is chosen to level it.
                Pick::Card(at) => {
                    let form = self.state.player(side).hand[usize::from(at)];
                    let gained = self.next_level(form);
                    if card.is_none_or(|(other, _)| gained > other) {
                        card = Some((gained, pick));
                    }
                }
                Pick::Nothing | Pick::Player(_) | Pick::Space(..) => seen.push(pick),
            }
        }
        if let Some((_, pick)) = card {
            return pick;
        }
        seen.extend(largest.into_iter().flatten().map(|(_, pick)| pick));
        let mut best = if may_stop {
            (self.think(cause, Pick::Nothing, also, side), Pick::Nothing)
        } else {
            (i32::MIN, options.next().unwrap_or(Pick::Nothing))
        };
        for pick in seen {
            let worth = self.think(cause, pick, also, side);
            if worth > best.0 {
                best = (worth, pick);
            }
        }
        best.1
    }

    fn largest(&self, options: Options, side: Side) -> Pick {
        let rank = |&pick: &Pick| match pick {
            Pick::Creature(of, lane) => (of != side, size(self.setup, self.state, of, lane)),
            Pick::Player(of) => (of != side, 0),
            Pick::Nothing | Pick::Space(..) | Pick::Card(_) => (false, 0),
        };
        // The first of equals.
        options.min_by_key(|pick| Reverse(rank(pick))).unwrap_or(Pick::Nothing)
    }

    /// What the state is worth to a player after this choice and the battle.
    fn think(&self, cause: &Waiting, pick: Pick, also: bool, side: Side) -> i32 {
        let mut state = *self.state;
        let (mut chance, mut nobody) = (Middling, Unwatched);
        let mut thought = Battle::in_thought(self.setup, &mut state, &mut chance, &mut nobody);
        thought.imagine(cause, pick, also);
        thought.fight_on();
        thought.worth(side)
    }

    /// Fights the battle if one is open.
    fn fight_on(&mut self) {
        if self.state.verdict.is_none() && self.state.battles_open > 0 {
            self.fight();
        }
    }

    pub(super) fn worth(&self, side: Side) -> i32 {
        worth(self.setup, self.state, side)
    }

    /// What an action is worth because it takes a card from the hand; 0 if it takes none.
    pub(super) fn levelled(&self, action: Action) -> i32 {
        let at = match action {
            Action::Creature { at, .. } | Action::Spell { at, .. } | Action::Level { at } => at,
            Action::Activate { .. } | Action::Move { .. } | Action::Battle | Action::End => {
                return 0;
            }
        };
        self.next_level(self.state.player(self.state.active).hand[usize::from(at)])
    }

    /// What a card's next level is worth: a part of what it has more, and at least a point. A card that leaves the game
    /// has none, so nothing (decision 33).
    fn next_level(&self, form: Form) -> i32 {
        let size = |form: Form| {
            let data = self.setup.cards.form(form);
            match data.kind {
                Kind::Creature => i32::from(data.attack) + i32::from(data.health),
                Kind::Spell => 4 * LEVELLING * i32::from(data.level),
            }
        };
        let next = self.setup.cards.form(form).levels_to;
        next.map_or(0, |next| ((size(next) - size(form)) / LEVELLING).max(1))
    }
}

/// The actions that are worth looking at: a few of everything that can be done.
pub(super) type Candidates = ArrayVec<Action, CANDIDATES>;

/// The action, if there is room for it among the candidates.
fn room_for(candidates: &Candidates, action: Action) -> Option<Action> {
    (!candidates.is_full()).then_some(action)
}

/// Whether an action plays a card.
pub(super) fn is_card(action: Action) -> bool {
    matches!(action, Action::Creature { .. } | Action::Spell { .. })
}

/// What a player does now, and perhaps next.
pub(super) struct Plan {
    /// Now.
    pub first: Action,
    /// The next action, and the number of cards that the hand must then have: one less than now. Only a creature that
    /// is played or a card that is levelled, which looked good together with the first.
    next: Option<(Action, u8)>,
}

impl Plan {
    fn of(first: Action) -> Self {
        Self { first, next: None }
    }

    /// Plans `first` and the best action with another card, if each of the two plays a creature or levels a card, and
    /// not both are creatures for one lane: then a second look would see much of what the first has seen.
    fn new(state: &State, first: Action, best: &Best<FURTHER>) -> Self {
        let place = |action: Action| match action {
            Action::Creature { at, lane } => Some((at, Some(lane))),
            Action::Level { at } => Some((at, None)),
            Action::Spell { .. }
            | Action::Activate { .. }
            | Action::Move { .. }
            | Action::Battle
            | Action::End => None,
        };
        let Some((at, lane)) = place(first) else { return Self::of(first) };
        let other = |action: Action| place(action).is_none_or(|(other, _)| other != at);
        let second = best.0.iter().map(|&(_, action)| action).find(|&action| other(action));
        let next = second.and_then(|second| {
            let (second_at, second_lane) = place(second)?;
            let moved = second_at - u8::from(second_at > at);
            let apart = lane.is_none() || lane != second_lane;
            let action = match second_lane {
                Some(lane) => Action::Creature { at: moved, lane },
                None => Action::Level { at: moved },
            };
            apart.then(|| (action, state.player(state.active).hand.len() as u8 - 1))
        });
        Self { first, next }
    }

    /// The planned next action, if the hand is as expected and the action is still possible.
    pub(super) fn next(&self, state: &State, actions: &Actions) -> Option<Action> {
        let (action, hand) = self.next?;
        let as_seen = state.player(state.active).hand.len() == usize::from(hand);
        (as_seen && actions.contains(&action)).then_some(action)
    }
}

/// Whether two actions differ only in the lane or the target.
fn is_same_thing(one: Action, other: Action) -> bool {
    match (one, other) {
        (Action::Creature { at, .. }, Action::Creature { at: of, .. })
        | (Action::Spell { at, .. }, Action::Spell { at: of, .. })
        | (Action::Move { from: at, .. }, Action::Move { from: of, .. }) => at == of,
        (
            Action::Activate { lane, ability, .. },
            Action::Activate { lane: at, ability: of, .. },
        ) => (lane, ability) == (at, of),
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

#[cfg(test)]
mod tests {
    use crate::chance::Seeded;
    use crate::game::Unwatched;
    use crate::games::solforge::SolForge;
    use crate::games::solforge::rules::{Action, Battle};
    use crate::games::solforge::setup::Play;
    use crate::scenario::{Document, Folder, load};

    /// Levelling Burnout would take it out of the game; a card at its highest level comes back as it is.
    #[test]
    fn to_level_a_card_that_leaves_the_game_is_worth_nothing() {
        let text = "game = \"solforge\"\nbattles = 1\n[position]\nsteps = [\"battle\"]\n\
                    [position.a]\nhand = [\"Burnout\", \"Enrage@3\", \"Fell Walker@2\"]\n";
        let document = Document::new("case.toml", text.to_owned(), Folder::Disk("".into()));
        let setup = load::<SolForge>(&document).unwrap_or_else(|faults| panic!("{faults:?}")).setup;
        let Play::Position(position) = &setup.play else { panic!("a position") };
        let (mut state, mut chance) = (position.starts[0], Seeded::from_seed(1));
        let mut nobody = Unwatched;
        let battle = Battle::new(&setup, &mut state, &mut chance, &mut nobody);
        let worth = [0, 1, 2].map(|at| battle.levelled(Action::Level { at }));
        assert_eq!(worth[..2], [0, 1]);
        assert!(worth[2] > 1, "{worth:?}");
    }
}
