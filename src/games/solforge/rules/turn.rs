//! The phases of a turn ("Phases in a turn", SF-30).

use crate::chance::Chance;
use crate::game::{Side, Watch};
use crate::games::solforge::SolForge;
use crate::games::solforge::ability::{Hook, Number};
use crate::games::solforge::cards::vocabulary::Later;
use crate::games::solforge::event::{Agent, Event, Ref, Source};
use crate::games::solforge::rolls::Roll;
use crate::games::solforge::rules::trigger::News;
use crate::games::solforge::rules::{Battle, Because, Waiting, statics};
use crate::games::solforge::setup::Reshuffle;
use crate::games::solforge::state::{Form, PutOff, Spaces};

impl<C: Chance<Roll>, W: Watch<SolForge>> Battle<'_, C, W> {
    /// Start of turn: the active player's creatures go on the offensive, armor is whole again, and one batch holds
    /// Poison, then Regenerate (SF-35), then everything that starts with the turn ("Phases in a turn", phase 1; SF-30,
    /// decision 2).
    pub(in crate::games::solforge) fn start_turn(&mut self) {
        let rules = self.setup.rules();
        let active = self.state.active;
        self.state.turn += 1;
        self.state.battles_open = 1;
        self.state.fought = false;
        let first = self.state.turn == 1;
        for player in &mut self.state.players {
            player.armor_used = 0;
        }
        let player = self.state.player_mut(active);
        player.turns += 1;
        player.plays = if first { rules.first_plays } else { rules.plays };
        player.played = 0;
        // All spaces alike, since the numbers of an empty one are 0 anyway. This also finds out who has Poison or
        // Regenerate: most have neither.
        let (mut poisoned, mut regenerating) = (Spaces::default(), Spaces::default());
        for (side, creatures) in [Side::A, Side::B].into_iter().zip(&mut self.state.field) {
            for (lane, creature) in (0..).zip(creatures) {
                poisoned.set(side, lane, creature.poison > 0);
                regenerating.set(side, lane, creature.regenerate != 0);
                creature.armor_used = 0;
            }
        }
        for creature in &mut self.state.field[active.index()] {
            creature.defensive = false;
            creature.battled = 0;
            creature.activated = 0;
            creature.moved = false;
        }
        self.tell(Event::Turn(active));
        self.announce(News::of(Hook::TurnStarts, Ref::default()));
        self.come_due(Later::StartOfNextTurn);
        for put_off in self.state.put_off.iter_mut() {
            if put_off.at == Later::EndOfNextTurn && put_off.source.side() == active {
                put_off.at = Later::EndOfTurn;
            }
        }
        // What Poison and Regenerate set off waits for the next batch, like whatever else this batch sets off.
        let starts = self.waiting.len();
        // All Poison damage is dealt at the same time.
        self.next_stamp();
        for (side, lane) in self.state.standing.and(poisoned) {
            let poison = self.state.at(side, lane).poison;
            self.damage_creature(None, side, lane, poison, Because::Alive);
        }
        if !self.state.statics[Number::Regenerate as usize].is_empty() {
            regenerating = Spaces::ALL;
        }
        for (side, lane) in self.state.standing.and(regenerating) {
            let regenerate = statics::regenerate(self.cards(), self.state, side, lane);
            if regenerate > 0 {
                self.heal(None, side, lane, regenerate);
            }
        }
        self.resolve_first(starts, Source::TurnStart);
        self.come_to_rest();
    }

    /// End of turn: everything from the discarding of the hand to the wearing off of effects (SF-30, phases 5 to 7).
    /// What the end of the turn and a new rank set off is one batch (SF-32, SF-33) (decision 17).
    pub(in crate::games::solforge) fn end_turn(&mut self) {
        let rules = self.setup.rules();
        let active = self.state.active;
        self.tell(Event::EndsTurn(active));
        let player = self.state.player_mut(active);
        let discarded = player.hand.len() as u8;
        player.discard.extend(player.hand.iter().copied());
        player.hand.clear();
        if discarded > 0 {
            self.tell(Event::Discards(active, discarded, Agent::Player));
        }
        let player = self.state.player_mut(active);
        let rises = player.turns > 0 && player.turns.is_multiple_of(rules.rank_every.into());
        if rises {
            player.rank = player.rank.saturating_add(1);
            let rank = player.rank;
            self.tell(Event::Rank(active, rank));
        }
        if rises && rules.reshuffle == Reshuffle::BeforeDrawing {
            self.reshuffle(active, Agent::Player);
        }
        self.draw(active, rules.hand.into(), Agent::Player);
        if rises && rules.reshuffle == Reshuffle::AfterDrawing {
            self.reshuffle(active, Agent::Player);
        }
        self.announce(News::of(Hook::TurnEnds, Ref::default()));
        self.come_due(Later::EndOfTurn);
        if rises {
            self.announce(News::of(Hook::RankRises, Ref::default()));
        }
        self.resolve(Source::TurnEnd);
        if self.state.verdict.is_none() {
            self.wear_off();
        }
        if self.state.verdict.is_none() {
            self.check_sudden_death();
        }
        self.come_to_rest();
        self.state.active = active.other();
    }

    /// Lets abilities that were put off until now wait for the batch of the turn's start or end, like abilities that
    /// are set off by the turn's start or end (decision 29).
    fn come_due(&mut self, moment: Later) {
        if self.state.put_off.is_empty() {
            return;
        }
        let active = self.state.active;
        let put_off = std::mem::take(&mut self.state.put_off);
        for &of in &put_off {
            let is_now = match of.at {
                Later::EndOfTurn => moment == Later::EndOfTurn,
                Later::StartOfNextTurn => {
                    moment == Later::StartOfNextTurn && of.source.side() == active
                }
                Later::EndOfNextTurn => false,
            };
            if is_now {
                let PutOff { ability, source, subject, .. } = of;
                let because = Because::Anyway;
                self.wait(Waiting { ability, source, subject, amount: 0, because });
            } else {
                self.state.put_off.push(of);
            }
        }
    }

    /// Ends everything that lasts until the end of the turn, after the batch of the end of the turn (SF-34).
    fn wear_off(&mut self) {
        let fading = self.state.fading;
        if fading.is_empty() {
            return;
        }
        self.next_stamp();
        // What lasts until the end of the next turn stays.
        if { fading }.any(|(side, lane)| self.state.at(side, lane).fades_now()) {
            self.tell(Event::Fades);
        }
        for (side, lane) in fading {
            let (gained, abilities) = self.state.at_mut(side, lane).fade();
            self.note_killing(side, lane);
            statics::note(self.cards(), self.state, side, lane);
            if !gained.is_nothing() || abilities > 0 {
                let who = self.reference(side, lane);
                self.tell(Event::Faded { who, gained, abilities });
            }
        }
        self.resolve(Source::TurnEnd);
    }

    /// Draws cards, each at random from the whole deck. When the deck runs out the discard pile is reshuffled ("Phases
    /// in a turn", phase 5; SF-30; decision 17).
    pub(in crate::games::solforge) fn draw(&mut self, side: Side, count: usize, by: Agent) {
        let drawn = self.draw_in_silence(side, count, by);
        if drawn > 0 {
            self.tell(Event::Draws(side, drawn, by));
        }
    }

    /// Draws cards, as [`draw`](Self::draw) does, and returns how many without telling it.
    pub(in crate::games::solforge) fn draw_in_silence(
        &mut self,
        side: Side,
        count: usize,
        by: Agent,
    ) -> u8 {
        let mut drawn = 0;
        for _ in 0..count {
            if self.state.player(side).deck.is_empty() {
                self.reshuffle(side, by);
            }
            let player = self.state.player_mut(side);
            if player.deck.is_empty() {
                break;
            }
            let at = any_of(self.chance, Roll::Draw, &player.deck);
            let card = player.deck.swap_remove(at);
            player.hand.push(card);
            drawn += 1;
        }
        drawn
    }

    /// Puts the discard pile back into the deck, but for cards above the player's rank ("Phases in a turn", phase 5;
    /// SF-30; decision 17).
    fn reshuffle(&mut self, side: Side, by: Agent) {
        let setup = self.setup;
        let player = self.state.player_mut(side);
        let (rank, deck) = (player.rank, &mut player.deck);
        let before = deck.len();
        player.discard.retain(|form| {
            let stays = setup.cards.form(*form).level > rank;
            if !stays {
                deck.push(*form);
            }
            stays
        });
        let back = (deck.len() - before) as u8;
        if back > 0 {
            self.tell(Event::Reshuffles(side, back, by));
        }
    }

    /// Discards cards at random until so many are left ("Phases in a turn", phase 1; SF-15, SF-31).
    pub(super) fn discard_down_to(&mut self, side: Side, left: usize) {
        let mut discarded = 0;
        while self.state.player(side).hand.len() > left {
            let hand = &self.state.player(side).hand;
            // Which cards go does not matter when all do.
            let at =
                if left == 0 { hand.len() - 1 } else { any_of(self.chance, Roll::Discard, hand) };
            let player = self.state.player_mut(side);
            let card = player.hand.remove(at);
            player.discard.push(card);
            discarded += 1;
        }
        if discarded > 0 {
            self.tell(Event::Discards(side, discarded, Agent::Ability));
        }
    }

    /// Discards a card of the hand and levels it (SF-15); with Overload it leaves the game (decision 33).
    pub(super) fn level(&mut self, side: Side, at: usize, by: Agent) {
        let card = self.take_from_hand(side, at);
        self.tell(Event::Levels(side, card, by));
    }

    /// Takes a card out of the hand; what it levels to is put into the discard pile.
    pub(super) fn take_from_hand(&mut self, side: Side, at: usize) -> Form {
        let setup = self.setup;
        let player = self.state.player_mut(side);
        let card = player.hand.remove(at);
        player.discard.extend(setup.cards.form(card).levels_to);
        card
    }
}

/// Index of a card drawn from a pile, all equally likely; no die is thrown if all of them are copies of one card.
#[inline]
pub(super) fn any_of<C: Chance<Roll>>(chance: &mut C, roll: Roll, pile: &[Form]) -> usize {
    // Where the first and the last differ, as is mostly so, nothing else has to be looked at.
    let is_one_card = pile.first() == pile.last() && pile.windows(2).all(|pair| pair[0] == pair[1]);
    if is_one_card { 0 } else { chance.pick(roll, pile.len()) }
}
