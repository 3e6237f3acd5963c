//! The phases of a turn: drawing, ranks, and effects that wear off.

use evens::games::solforge::cards::vocabulary::Later;
use evens::games::solforge::rolls::Roll;
use evens::games::solforge::state::Form;

use super::game::{Game, Happening};
use super::table::spaces;

impl Game<'_> {
    /// Starts a turn: "Start of turn (a batch forms here with all start of turn effects)"; Poison first, then
    /// Regenerate.
    pub fn start_turn(&mut self) {
        let active = self.table.active;
        self.table.players[active].turns += 1;
        self.table.players[active].plays = 2;
        self.table.players[active].played = 0;
        self.table.battles_open = 1;
        self.table.fought = false;
        for player in &mut self.table.players {
            player.armor_used = 0;
        }
        for space in spaces() {
            let Some(creature) = self.table.at_mut(space) else { continue };
            creature.armor_used = 0;
            if space.0 == active {
                creature.battled = 0;
                creature.activated = 0;
                creature.moved = false;
                creature.defensive = false;
            }
        }
        self.new_moment();
        for space in spaces() {
            let poison = self.table.at(space).map_or(0, |creature| creature.poison);
            self.damage_creature(space, poison);
        }
        self.note_kills();
        self.new_moment();
        for space in spaces() {
            let regenerate = self.table.regenerate(self.cards, space).max(0);
            if let Some(creature) = self.table.at_mut(space) {
                creature.damage = (creature.damage - regenerate).max(0);
            }
        }
        self.note_kills();
        // "Triggered by the same event": abilities that the damage triggers are no start of turn effects.
        let set_off = std::mem::take(&mut self.waiting);
        self.happens(Happening::TurnStarts);
        self.come_due(Later::StartOfNextTurn);
        self.batch();
        self.waiting.splice(0..0, set_off);
        if !self.waiting.is_empty() {
            self.come_to_rest();
        }
    }

    /// Ends a turn: "Discard your hand and draw 5 new cards. If your rank has gone up, your discard pile is shuffled
    /// back into your deck", "end of turn and rank up effects", "effects that last until end of turn wear off".
    pub fn end_turn(&mut self) {
        let active = self.table.active;
        let hand = std::mem::take(&mut self.table.players[active].hand);
        self.table.players[active].discard.extend(hand);
        let turns = self.table.players[active].turns;
        let rises = turns > 0 && turns % 4 == 0;
        if rises {
            self.table.players[active].rank += 1;
        }
        self.draw(active, 5);
        if rises {
            self.reshuffle(active);
        }
        self.happens(Happening::TurnEnds);
        self.come_due(Later::EndOfTurn);
        if rises {
            self.happens(Happening::RankRises(active));
        }
        self.come_to_rest();
        if self.table.verdict.is_some() {
            return;
        }
        self.new_moment();
        for space in spaces() {
            if let Some(creature) = self.table.at_mut(space) {
                creature.end_of_turn();
            }
        }
        self.note_kills();
        self.come_to_rest();
        if self.table.sudden_death {
            self.lower_life_loses();
        }
        self.table.active = 1 - active;
    }

    /// Shuffles the discard pile back into the deck: "Cards of a level above your rank stay in the discard pile."
    pub fn reshuffle(&mut self, side: usize) {
        let rank = self.table.players[side].rank;
        let pile = std::mem::take(&mut self.table.players[side].discard);
        for form in pile {
            let player = &mut self.table.players[side];
            if i32::from(self.cards.form(form).level) <= rank {
                player.deck.push(form);
            } else {
                player.discard.push(form);
            }
        }
    }

    /// Draws cards: "Empty deck while drawing: draw what is left, reshuffle the discard, continue drawing."
    pub fn draw(&mut self, side: usize, count: i32) {
        for _ in 0..count.max(0) {
            if self.table.players[side].deck.is_empty() {
                self.reshuffle(side);
            }
            if self.table.players[side].deck.is_empty() {
                return;
            }
            let deck = self.table.players[side].deck.clone();
            // The order of a pile means nothing; the engine fills gaps from the end, and so does this.
            let at = self.drawn(Roll::Draw, &deck);
            let card = self.table.players[side].deck.swap_remove(at);
            self.table.players[side].hand.push(card);
        }
    }

    /// The index of a card drawn from a pile. No die is thrown when all its cards are copies of one.
    pub fn drawn(&mut self, roll: Roll, pile: &[Form]) -> usize {
        if pile.iter().all(|&form| form == pile[0]) { 0 } else { self.dice.pick(roll, pile.len()) }
    }
}
