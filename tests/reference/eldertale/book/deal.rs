//! Dealing a new hand (guide, Order of Operations).

use evens::chance::Chance;
use evens::games::eldertale::cards::CardType;
use evens::games::eldertale::effect::Kind;
use evens::games::eldertale::open_rules::Discards;
use evens::games::eldertale::rolls::Roll;

use super::Book;

pub const TYPES: [CardType; 3] = [CardType::Utility, CardType::Defense, CardType::Attack];
const UP: [Kind; 3] = [Kind::DrawUpUtility, Kind::DrawUpDefense, Kind::DrawUpAttack];
const DOWN: [Kind; 3] = [Kind::DrawDownUtility, Kind::DrawDownDefense, Kind::DrawDownAttack];

impl Book {
    /// Deals 2 cards from each deck, more with Draw Up and fewer with Draw Down; decks are whole except for the cards
    /// that are used up (README).
    pub fn deal(&mut self, who: usize) {
        let mut counts = [2; 3];
        for deck in 0..3 {
            counts[deck] += self.strength(who, UP[deck]) - self.strength(who, DOWN[deck]);
            counts[deck] = counts[deck].max(0);
        }
        // Random effects come last: more from any deck, fewer only from a deck that still deals some (README).
        let fewer = self.strength(who, Kind::DrawDownRandom);
        let all_whole = (0..3).all(|deck| counts[deck] >= self.left(who, TYPES[deck]).len() as i32);
        if fewer > 0 || !all_whole {
            for _ in 0..self.strength(who, Kind::DrawUpRandom) {
                counts[self.dice.pick(Roll::RandomDeck, 3)] += 1;
            }
        }
        for _ in 0..fewer {
            let deals = |&deck: &usize| counts[deck] > 0 && !self.left(who, TYPES[deck]).is_empty();
            let dealing: Vec<usize> = (0..3).filter(deals).collect();
            if !dealing.is_empty() {
                counts[dealing[self.dice.pick(Roll::RandomDeck, dealing.len())]] -= 1;
            }
        }
        self.players[who].hand.clear();
        for deck in 0..3 {
            let left = self.left(who, TYPES[deck]);
            let count = (counts[deck] as usize).min(left.len());
            let dealt = match self.open_rules.discards {
                Discards::Reshuffled => self.draw(left, count).0,
                Discards::Pile => self.draw_from_pile(who, deck, left, count),
            };
            self.players[who].hand.extend(dealt);
        }
        self.players[who].hand.sort();
    }

    /// Draws from the draw pile of a deck. When it runs out, the discards, which by then are all other cards, become
    /// the new draw pile (README, Decisions).
    fn draw_from_pile(&mut self, who: usize, deck: usize, left: Vec<u8>, count: usize) -> Vec<u8> {
        let pile = std::mem::take(&mut self.players[who].draw_piles[deck]);
        let discards: Vec<u8> = left.into_iter().filter(|card| !pile.contains(card)).collect();
        let missing = count.saturating_sub(pile.len());
        let (mut dealt, rest) = self.draw(pile, count - missing);
        self.players[who].draw_piles[deck] = rest;
        if missing > 0 {
            let (more, rest) = self.draw(discards, missing);
            dealt.extend(more);
            self.players[who].draw_piles[deck] = rest;
        }
        dealt
    }

    /// Draws `count` of these cards. Returns those and the ones that are not drawn.
    fn draw(&mut self, cards: Vec<u8>, count: usize) -> (Vec<u8>, Vec<u8>) {
        let sets = sets_of(count, cards.len());
        let drawn = &sets[self.dice.pick(Roll::Deal, sets.len())];
        let dealt: Vec<u8> = drawn.iter().map(|&number| cards[number]).collect();
        let rest = cards.into_iter().filter(|card| !dealt.contains(card)).collect();
        (dealt, rest)
    }

    pub fn left(&self, who: usize, kind: CardType) -> Vec<u8> {
        let player = &self.players[who];
        let here = player.deck.iter().filter(|in_deck| in_deck.card.kind == kind);
        here.map(|in_deck| in_deck.place).filter(|place| !player.used_up.contains(place)).collect()
    }
}

/// All sets of `count` numbers below `among`, with sets of the first few numbers before all others: the order in which
/// the die's faces stand for them.
fn sets_of(count: usize, among: usize) -> Vec<Vec<usize>> {
    if count == 0 {
        return vec![Vec::new()];
    }
    let mut sets = Vec::new();
    for highest in count - 1..among {
        for mut set in sets_of(count - 1, highest) {
            set.push(highest);
            sets.push(set);
        }
    }
    sets
}
