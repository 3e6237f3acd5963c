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
                self.players[who].effects.push(effect);
                self.lose_one_too_many(who);
            }
        }
    }

    /// Loses one effect where a character has one too many, of which the last is the new one (README, An effect without
    /// any duration).
    fn lose_one_too_many(&mut self, who: usize) {
        let effects = self.players[who].effects.clone();
        if effects.len() <= MOST {
            return;
        }
        let new = effects.len() - 1;
        let every: Vec<usize> = (0..effects.len()).collect();
        // Whether an effect has a match of its kind: as strong, and as long by rounds and, if asked, by hits.
        let long = |duration: u8| if duration == 0 { u32::MAX } else { duration.into() };
        let matched = |at: usize, by_hits: bool| {
            every.iter().any(|&of| {
                let (one, other) = (effects[at], effects[of]);
                of != at
                    && other.kind == one.kind
                    && other.intensity >= one.intensity
                    && long(other.rounds) >= long(one.rounds)
                    && if by_hits { long(other.hits) >= long(one.hits) } else { other.hits == 0 }
            })
        };
        let useless: Vec<usize> = every.iter().copied().filter(|&at| matched(at, false)).collect();
        let equalled: Vec<usize> = every.iter().copied().filter(|&at| matched(at, true)).collect();
        let idle: Vec<usize> = (every.iter().copied())
            .filter(|&at| self.acting(who, effects[at].kind) != Some(at))
            .collect();
        let losable = [useless, equalled, idle].into_iter().find(|some| !some.is_empty()).unwrap();
        let weakest = losable.iter().map(|&at| effects[at].intensity).min().unwrap();
        let weak: Vec<usize> =
            losable.into_iter().filter(|&at| effects[at].intensity == weakest).collect();
        let lost = match weak.contains(&new) {
            true => new,
            false => *weak.iter().min_by_key(|&&at| (effects[at].kind, at)).unwrap(),
        };
        self.players[who].effects.remove(lost);
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
