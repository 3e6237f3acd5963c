//! Effects on characters (guide, Effects).

use evens::games::eldertale::effect::{Effect, Kind};

use super::Book;

/// The most effects that can be on one character (README).
const MOST: usize = 24;

impl Book {
    /// Starts an effect: Heal acts at once, Gain Defense without a duration stands for this turn (README), others are
    /// kept.
    pub fn start_effect(&mut self, who: usize, effect: Effect) {
        if self.players[who].out {
            return;
        }
        match effect.kind {
            Kind::Heal => self.heal(who, effect.intensity.into()),
            Kind::GainDefense if effect.rounds == 0 => self.guards.push(effect.intensity.into()),
            _ => {
                if self.makes_room(who, effect) {
                    self.players[who].effects.push(effect);
                }
            }
        }
    }

    /// Makes room for another effect where a character has as many as it can. It displaces the weakest of those that do
    /// not act, and of equally weak ones the oldest of the first kind; but a new effect that would not act and is no
    /// stronger is dropped (README). Returns whether the new effect is kept.
    fn makes_room(&mut self, who: usize, effect: Effect) -> bool {
        let effects = self.players[who].effects.clone();
        if effects.len() < MOST {
            return true;
        }
        let idle: Vec<usize> = (0..effects.len())
            .filter(|&at| self.acting(who, effects[at].kind) != Some(at))
            .collect();
        let weakest = idle.iter().map(|&at| effects[at].intensity).min().unwrap();
        let acts = i32::from(effect.intensity) > self.strength(who, effect.kind);
        if !acts && effect.intensity <= weakest {
            return false;
        }
        let lost =
            *idle.iter().min_by_key(|&&at| (effects[at].intensity, effects[at].kind)).unwrap();
        self.players[who].effects.remove(lost);
        true
    }

    /// The instance of an effect that acts: the one of the highest intensity (guide), the oldest of equals.
    fn acting(&self, who: usize, kind: Kind) -> Option<usize> {
        let effects = &self.players[who].effects;
        let highest =
            effects.iter().filter(|effect| effect.kind == kind).map(|one| one.intensity).max()?;
        effects.iter().position(|effect| effect.kind == kind && effect.intensity == highest)
    }

    /// The intensity with which an effect acts; 0 if there is none.
    pub fn strength(&self, who: usize, kind: Kind) -> i32 {
        let acting = self.acting(who, kind);
        acting.map_or(0, |at| self.players[who].effects[at].intensity.into())
    }

    /// The intensity for a hit that the effect acts on, which counts against its hit duration (guide, Effects).
    pub fn strength_on_hit(&mut self, who: usize, kind: Kind) -> i32 {
        let strength = self.strength(who, kind);
        if let Some(at) = self.acting(who, kind) {
            let effects = &mut self.players[who].effects;
            match effects[at].hits {
                0 => {}
                1 => {
                    effects.remove(at);
                }
                _ => effects[at].hits -= 1,
            }
        }
        strength
    }

    /// Lets all effects without a hit duration act (guide, Order of Operations).
    pub fn effects_act(&mut self, who: usize) {
        for kind in [Kind::GainDefense, Kind::StartGuard] {
            let guard = self.strength(who, kind);
            if guard > 0 {
                self.guards.push(guard);
            }
        }
        let healing = self.strength(who, Kind::HealOverTime);
        self.heal(who, healing);
        let poison = self.strength(who, Kind::Poison);
        self.lose(who, poison);
    }

    /// Lowers all round durations by 1, and with them the intensity of ticks (guide; README, Ticks). Effects that have
    /// run out end.
    pub fn durations_fall(&mut self, who: usize) {
        let mut left = Vec::new();
        for mut effect in self.players[who].effects.clone() {
            if effect.rounds == 1 {
                continue;
            }
            if effect.rounds > 1 {
                effect.rounds -= 1;
            }
            if [Kind::Poison, Kind::HealOverTime].contains(&effect.kind) {
                effect.intensity -= 1;
            }
            if effect.intensity > 0 {
                left.push(effect);
            }
        }
        self.players[who].effects = left;
    }
}
