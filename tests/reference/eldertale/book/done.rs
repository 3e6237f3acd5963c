//! What "Done" sets off (guide, Order of Operations).

use evens::chance::Chance;
use evens::games::eldertale::cards::{Bearer, CardType, Targets, Trigger};
use evens::games::eldertale::effect::Kind;
use evens::games::eldertale::rolls::Roll;

use super::play::distinct;
use super::{Book, ENERGY, Played, Waiting};

impl Book {
    pub fn done(&mut self, who: usize, plays: &[Played]) {
        self.players[who].energy_left += self.players[who].energy;
        self.effects_act(who);
        if self.players[who].out {
            return;
        }
        self.durations_fall(who);
        for played in self.of_type(who, plays, CardType::Utility) {
            self.activate(who, &played);
        }
        for played in self.of_type(who, plays, CardType::Defense) {
            self.activate(who, &played);
        }
        self.incoming(who);
        // A character that goes out at the incoming step sends no attacks (README).
        if self.players[who].out || self.is_over() {
            return;
        }
        for played in self.of_type(who, plays, CardType::Attack) {
            self.send(who, &played);
        }
        self.end_turn(who);
    }

    /// Activates a card. A Defense card's hits stand in front of the guards that its effects give.
    fn activate(&mut self, who: usize, played: &Played) {
        let card = self.card(who, played.place).clone();
        for _ in 0..card.hits {
            self.guards.push(card.defense.into());
        }
        self.apply(who, &card.effects, Trigger::Activation, &distinct(&played.named));
    }

    /// Lands the attacks that wait in a character's queue, in order.
    fn incoming(&mut self, who: usize) {
        while !self.players[who].out && !self.is_over() && !self.players[who].queue.is_empty() {
            let attack = self.players[who].queue.remove(0);
            self.land(who, &attack);
        }
    }

    /// Lands an attack: its effects come before its hits, and its effects on its own player come with its first target
    /// (README).
    fn land(&mut self, who: usize, attack: &Waiting) {
        let card = self.card(attack.by, attack.place).clone();
        let mut effects = card.effects.to_vec();
        effects.retain(|applies| attack.leads || applies.bearer == Bearer::Target);
        self.apply(attack.by, &effects, Trigger::Activation, &[who]);
        for _ in 0..attack.hits {
            if self.players[who].out || self.is_over() {
                return;
            }
            self.hit(who, attack.by, card.damage.into());
        }
    }

    /// Carries out one hit (README: Damage, Guard Up and Guard Down, Thorns).
    fn hit(&mut self, who: usize, by: usize, damage: i32) {
        let power = damage + self.strength_on_hit(by, Kind::Power);
        let mut guard = 0;
        if !self.guards.is_empty() {
            guard = self.guards.remove(0);
            guard += self.strength_on_hit(who, Kind::GuardUp);
            guard -= self.strength_on_hit(who, Kind::GuardDown);
        }
        // Who is out is not affected (README: Thorns).
        let thorns = match self.players[by].out {
            true => 0,
            false => self.strength_on_hit(who, Kind::Thorns),
        };
        self.lose(who, (power - guard.max(0)).max(0));
        self.lose(by, thorns);
    }

    /// Sends an attack: it joins the queue of each target (guide; README, Area and Random hits), even of one that no
    /// hit falls on, because of the card's effects. The target whose turn is next carries the effects on the attacker
    /// itself.
    fn send(&mut self, who: usize, played: &Played) {
        let card = self.card(who, played.place).clone();
        let named = &played.named;
        let mut hits = vec![0; self.players.len()];
        for hit in 0..usize::from(card.hits) {
            let target = match card.targets {
                // Where only one character is named, no die is thrown.
                Targets::Random if distinct(named).len() > 1 => {
                    named[self.dice.pick(Roll::HitTarget, named.len())]
                }
                _ => named[hit % named.len()],
            };
            hits[target] += 1;
        }
        // An attack at somebody who has gone out meanwhile is lost (README).
        let mut reached = distinct(named);
        reached.retain(|&target| !self.players[target].out);
        let first = reached.iter().copied().min_by_key(|&target| self.turns_until(who, target));
        for target in reached {
            let leads = Some(target) == first;
            let attack = Waiting { by: who, place: played.place, hits: hits[target], leads };
            self.players[target].queue.push(attack);
        }
    }

    /// How many seats after the attacker's a target has its turn.
    pub fn turns_until(&self, attacker: usize, target: usize) -> usize {
        (target + self.players.len() - attacker) % self.players.len()
    }

    /// Ends a turn: energy is reset, the hand discarded, a new one dealt (guide, Basic Gameplay Cycle).
    fn end_turn(&mut self, who: usize) {
        self.players[who].energy = ENERGY;
        self.deal(who);
    }
}
