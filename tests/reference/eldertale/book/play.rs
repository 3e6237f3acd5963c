//! Before "Done": putting down Memories and playing cards.

use evens::games::eldertale::cards::{Applies, Bearer, CardType, Targets, Trigger};
use evens::games::eldertale::open_rules::EnergyBeyond3;

use super::{Book, ENERGY, MOST_ENERGY, Memory, Played};

impl Book {
    /// Puts the Memory down at the first own turn that begins with few enough hit points (README, All In).
    pub fn put_memory_down(&mut self, who: usize) {
        let player = &mut self.players[who];
        if let Some(wager) = player.wager
            && player.memory == Memory::Kept
            && player.hp <= wager.at
        {
            player.memory = Memory::Down;
        }
    }

    pub fn play(&mut self, who: usize, played: &Played) {
        self.check_legal(who, played);
        let card = self.card(who, played.place).clone();
        let player = &mut self.players[who];
        player.hand.retain(|&place| place != played.place);
        player.energy -= u32::from(card.cost);
        player.energy_used += u32::from(card.cost);
        if card.single_use {
            player.used_up.push(played.place);
            player.used_up.sort();
        }
        if card.kind == CardType::Attack {
            for target in distinct(&played.named) {
                // Being targeted by an attack gives 1 energy, up to the standard total of three (guide, Gameplay
                // Setup), or beyond it for a first turn or for all (README, Decisions).
                let has_had_a_turn = self.round > 1 || target < who;
                let most = match self.open_rules.energy_beyond_3 {
                    EnergyBeyond3::Never => ENERGY,
                    EnergyBeyond3::FirstTurn if has_had_a_turn => ENERGY,
                    EnergyBeyond3::FirstTurn | EnergyBeyond3::Always => MOST_ENERGY,
                };
                let energy = &mut self.players[target].energy;
                *energy = (*energy + 1).min(most);
            }
        }
        self.apply(who, &card.effects, Trigger::Play, &distinct(&played.named));
    }

    /// Checks that a card is in hand, can be paid for, and names only others that are not out, no more of them than it
    /// has hits (guide; README).
    fn check_legal(&self, who: usize, played: &Played) {
        let card = self.card(who, played.place);
        let player = &self.players[who];
        assert!(player.hand.contains(&played.place), "the card is in hand");
        assert!(player.energy >= u32::from(card.cost), "there is energy for it");
        let most = match card.targets {
            Targets::Player => 0,
            Targets::One => 1,
            Targets::Area | Targets::Random => usize::from(card.hits),
        };
        let least = most.min(1);
        assert!((least..=most).contains(&played.named.len()), "as many are named as may be");
        for &target in &played.named {
            assert!(target != who && !self.players[target].out, "others that are not out");
        }
    }

    /// Starts the effects of a card that are due now, in the order in which they stand on it (guide, Effects).
    pub fn apply(&mut self, who: usize, effects: &[Applies], now: Trigger, targets: &[usize]) {
        for applies in effects.iter().filter(|applies| applies.trigger == now) {
            match applies.bearer {
                Bearer::Player => self.start_effect(who, applies.effect),
                Bearer::Target => {
                    for &target in targets {
                        self.start_effect(target, applies.effect);
                    }
                }
            }
        }
    }
}

/// The characters that are named, each once, in joining order.
pub fn distinct(named: &[usize]) -> Vec<usize> {
    let mut distinct = named.to_vec();
    distinct.sort();
    distinct.dedup();
    distinct
}
