//! Dealing a new hand (ET-18 to ET-20).

use enumset::EnumSet;

use super::Session;
use crate::chance::Chance;
use crate::game::{Side, Watch};
use crate::games::eldertale::ElderTale;
use crate::games::eldertale::cards::CardType;
use crate::games::eldertale::combinations::{Cards, chosen, numbered, ways};
use crate::games::eldertale::effect::{Acts, Kind};
use crate::games::eldertale::open_rules::Discards;
use crate::games::eldertale::rolls::Roll;
use crate::games::eldertale::setup::Deck;

/// The number of cards dealt from each deck, before Draw Up and Draw Down.
pub(in crate::games::eldertale) const DEALT: usize = 2;

const DECKS: [(CardType, Kind, Kind); 3] = [
    (CardType::Utility, Kind::DrawUpUtility, Kind::DrawDownUtility),
    (CardType::Defense, Kind::DrawUpDefense, Kind::DrawDownDefense),
    (CardType::Attack, Kind::DrawUpAttack, Kind::DrawDownAttack),
];

impl<C: Chance<Roll>, W: Watch<ElderTale>> Session<'_, C, W> {
    /// Discards the hand and deals a new one: "2 (+/- Draw Up and Draw Down) from each of the decks" (Order of
    /// Operations; ET-17, ET-18, ET-19; decision 10). No die is thrown where all cards of a deck are dealt, nor
    /// for Draw Up (Random) where all decks are dealt whole anyway and no Draw Down (Random) acts. Returns the effects
    /// that have changed how many cards are dealt.
    #[inline(always)]
    pub(super) fn deal(&mut self, who: Side) -> EnumSet<Kind> {
        let player = self.state.at(who);
        let is_plain = player.effects.kinds().is_disjoint(Acts::AtDeal.kinds());
        let is_reshuffled = self.setup.open.discards == Discards::Reshuffled;
        if is_plain && player.used_up == 0 && is_reshuffled {
            self.deal_from_whole_decks(who);
            EnumSet::empty()
        } else {
            self.deal_from_what_is_left(who, is_plain)
        }
    }

    /// Deals a hand where cards are used up or lie on a discard pile, or effects change the numbers of cards.
    #[inline(never)]
    fn deal_from_what_is_left(&mut self, who: Side, is_plain: bool) -> EnumSet<Kind> {
        let deck = &self.setup.sheet(self.state, who).deck;
        let effects = &self.state.at(who).effects;
        let used_up = self.state.at(who).used_up;
        let mut counts = [DEALT; 3];
        let mut changed = EnumSet::empty();
        if !is_plain {
            let left = DECKS.map(|(kind, ..)| deck.left(kind, used_up));
            for ((count, (_, up, down)), left) in counts.iter_mut().zip(DECKS).zip(left) {
                let more = usize::from(effects.intensity(up));
                let fewer = usize::from(effects.intensity(down));
                *count = (DEALT + more).saturating_sub(fewer);
                let dealt = left.min(*count);
                if dealt != left.min(DEALT.saturating_sub(fewer)) {
                    changed |= up;
                }
                if dealt != left.min(DEALT + more) {
                    changed |= down;
                }
            }
            let (up, down) =
                (effects.intensity(Kind::DrawUpRandom), effects.intensity(Kind::DrawDownRandom));
            let dealt = |counts: &[usize; 3]| -> usize {
                counts.iter().zip(left).map(|(&count, left)| count.min(left)).sum()
            };
            let before = dealt(&counts);
            let is_dealt_whole = counts.iter().zip(left).all(|(&count, left)| count >= left);
            for _ in 0..if is_dealt_whole && down == 0 { 0 } else { up } {
                counts[self.chance.pick(Roll::RandomDeck, 3)] += 1;
            }
            let raised = dealt(&counts);
            if raised != before {
                changed |= Kind::DrawUpRandom;
            }
            for _ in 0..down {
                // A deck without cards deals none, whatever is asked of it.
                let deals = |(count, left): &(&mut usize, usize)| **count > 0 && *left > 0;
                let decks = counts.iter_mut().zip(left).filter(deals).count();
                if decks > 0 {
                    let at = self.chance.pick(Roll::RandomDeck, decks);
                    let fewer = counts.iter_mut().zip(left).filter(deals).nth(at);
                    *fewer.expect("one of those that deal some").0 -= 1;
                }
            }
            if dealt(&counts) != raised {
                changed |= Kind::DrawDownRandom;
            }
        }
        let mut hand = 0;
        for (count, (kind, ..)) in counts.into_iter().zip(DECKS) {
            hand |= match self.setup.open.discards {
                Discards::Reshuffled => self.deal_from_all(who, kind, count),
                Discards::Pile => self.deal_from_the_rest(who, kind, count),
            };
        }
        self.state.at_mut(who).hand = hand;
        changed
    }

    /// Deals a hand while no card is used up and no effect changes the numbers of cards, which is nearly always.
    /// The number of possible sets is precomputed.
    #[inline(always)]
    fn deal_from_whole_decks(&mut self, who: Side) {
        let deck = &self.setup.sheet(self.state, who).deck;
        // Written out, so that the places of each type are known at compile time.
        let hand = self.dealt(deck, CardType::Utility)
            | self.dealt(deck, CardType::Defense)
            | self.dealt(deck, CardType::Attack);
        self.state.at_mut(who).hand = hand;
    }

    /// The usual number of cards from a whole deck, with no effect that changes it (Order of Operations; ET-18,
    /// ET-20).
    #[inline(always)]
    fn dealt(&mut self, deck: &Deck, kind: CardType) -> Cards {
        match deck.hands(kind) {
            0 => deck.of(kind),
            hands => {
                let number = self.chance.pick(Roll::Deal, hands as usize);
                deck.chosen(numbered(number as u32, DEALT), kind, 0)
            }
        }
    }

    /// Deals `count` cards from the whole deck of a type: every set of that size is equally likely (Order of
    /// Operations; ET-20, decision 10).
    #[inline]
    fn deal_from_all(&mut self, who: Side, kind: CardType, count: usize) -> Cards {
        let deck = &self.setup.sheet(self.state, who).deck;
        let used_up = self.state.at(who).used_up;
        let left = deck.left(kind, used_up);
        if count >= left {
            return deck.of(kind) & !used_up;
        }
        if count == 0 {
            return 0;
        }
        let number = self.chance.pick(Roll::Deal, ways(left, count) as usize);
        deck.chosen(numbered(number as u32, count), kind, used_up)
    }

    /// Deals `count` cards of a type from those not dealt yet. Where these are too few, all of them are dealt, and
    /// the rest of the hand comes from the discard pile, which is shuffled (Basic Gameplay Cycle; ET-17, decision
    /// 10).
    fn deal_from_the_rest(&mut self, who: Side, kind: CardType, count: usize) -> Cards {
        let player = self.state.at(who);
        let left = self.setup.sheet(self.state, who).deck.of(kind) & !player.used_up;
        let rest = left & !player.dealt;
        let missing = count.saturating_sub(rest.count_ones() as usize);
        let hand = if missing == 0 {
            self.some_of(rest, count)
        } else {
            rest | self.some_of(left & !rest, missing)
        };
        let player = self.state.at_mut(who);
        if missing > 0 {
            player.dealt &= !left;
        }
        player.dealt |= hand;
        hand
    }

    /// Draws `count` of these cards: every set of that size is equally likely, and no die is thrown where all are
    /// dealt (Basic Gameplay Cycle, Order of Operations; ET-20, decision 10).
    fn some_of(&mut self, cards: Cards, count: usize) -> Cards {
        let among = cards.count_ones() as usize;
        if count >= among {
            return cards;
        }
        let number = self.chance.pick(Roll::Deal, ways(among, count) as usize);
        chosen(numbered(number as u32, count), cards)
    }
}
