//! A minion before combat: its profile as a scenario gives it, and the kind that the rules use.

use enumset::EnumSet;

use super::effect::{Class, Classes, Effect, Harm, Stat, Trigger, Verb, Weapon};
use super::nation::House;
use super::state::{COUNTED, Kept, Stats, TOP_LEVEL};

/// The last combat round.
pub const LAST_ROUND: u8 = 10;
/// The round in which missiles are shot before anybody strikes by hand.
pub(super) const MISSILE_ROUND: u8 = 1;
/// "All missile attacks are at -1 damage in this round" (C2).
pub(super) const MISSILE_PENALTY: i8 = -1;

/// A minion as a scenario gives it, with the spells on it already applied.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Profile {
    /// Its name.
    pub name: String,
    /// Its house, if it has one.
    pub house: Option<House>,
    /// Whether it is a recruit; a monster otherwise.
    pub recruit: bool,
    /// Damage of its hand attack, if it has one.
    pub hand: Option<i8>,
    /// Damage of its missile attack, if it has one.
    pub missile: Option<i8>,
    /// How its attacks meet armor.
    pub harm: Harm,
    /// Attacks per round.
    pub attacks: u8,
    /// Maximum armor.
    pub armor: i8,
    /// Maximum hit points.
    pub hit_points: i16,
    /// How many of its hit points it has lost before the combat.
    pub wounds: i16,
    /// Level, 0 to 5.
    pub level: u8,
    /// Whether it already has an experience level.
    pub experienced: bool,
    /// What spells gave it of hand and missile damage and of armor beyond what these numbers can hold.
    pub beyond: [i16; 3],
    /// Its own effects and those of the spells on it.
    pub effects: Vec<Effect>,
}

impl Profile {
    /// A recruit without house, armor or effects: 7 hit points, level 1, one attack per round if any.
    #[must_use]
    pub fn recruit(name: &str, hand: Option<i8>, missile: Option<i8>) -> Self {
        Self {
            name: name.to_owned(),
            house: None,
            recruit: true,
            hand,
            missile,
            harm: Harm::Plain,
            attacks: u8::from(hand.is_some() || missile.is_some()),
            armor: 0,
            hit_points: 7,
            wounds: 0,
            level: 1,
            experienced: false,
            beyond: [0; 3],
            effects: Vec::new(),
        }
    }

    /// The classes it belongs to, for effects that are restricted to some.
    #[must_use]
    pub fn classes(&self) -> Classes {
        let mut classes = EnumSet::only(if self.recruit { Class::Recruit } else { Class::Monster });
        match (self.recruit, self.hand, self.missile) {
            (true, _, Some(_)) => classes |= Class::Archer,
            (true, Some(_), None) => classes |= Class::Swordsman,
            _ => {}
        }
        classes.extend(self.house.map(House::class));
        classes
    }

    /// Adds to one of its numbers, as spells cast before combat do. An attack that it does not have stays absent.
    pub fn add(&mut self, stat: Stat, amount: i8) {
        let [of_hand, of_missile, of_armor] = &mut self.beyond;
        let number = match stat {
            Stat::Hand => self.hand.as_mut().map(|hand| (hand, of_hand)),
            Stat::Missile => self.missile.as_mut().map(|missile| (missile, of_missile)),
            Stat::Armor => Some((&mut self.armor, of_armor)),
            Stat::Attacks | Stat::Level | Stat::HitPoints => None,
        };
        if let Some((number, beyond)) = number {
            let sum = (i16::from(*number) + i16::from(amount)).saturating_add(*beyond);
            *number = sum.clamp(i8::MIN.into(), i8::MAX.into()) as i8;
            *beyond = sum - i16::from(*number);
        }
        match stat {
            Stat::Hand | Stat::Missile | Stat::Armor => {}
            Stat::Attacks => self.attacks = self.attacks.saturating_add_signed(amount),
            Stat::Level => self.level = self.level.saturating_add_signed(amount).min(TOP_LEVEL),
            Stat::HitPoints => self.hit_points = self.hit_points.saturating_add(amount.into()),
        }
    }

    pub(super) fn kept(&self, kind: u16) -> Kept {
        let armed = self.hand.is_some() || self.missile.is_some();
        let stats = Stats {
            level: self.level,
            armor: self.armor,
            hand: self.hand.unwrap_or(0),
            missile: self.missile.unwrap_or(0),
            attacks: if armed { self.attacks } else { 0 },
            ..Stats::default()
        };
        let hit_points = self.hit_points - self.wounds;
        Kept { kind, hit_points, max_hit_points: self.hit_points, stats, ..Kept::NOBODY }
    }
}

/// The constant properties of a minion that the rules use.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Kind {
    /// Index into the layout's units.
    pub(super) unit: u16,
    /// The classes it belongs to.
    pub(super) classes: Classes,
    /// Whether it has a hand attack.
    pub(super) has_hand: bool,
    /// Whether it has a missile attack: a shooter. One with only hand attacks is a basher.
    pub(super) has_missile: bool,
    /// Whether wise attackers with non-magical missiles avoid it.
    pub(super) repels: bool,
    /// Whether it keeps its hand attacks in round 1.
    pub(super) strikes_early: bool,
    /// How its attacks meet armor.
    pub(super) harm: Harm,
    /// Whether it already has an experience level.
    pub(super) experienced: bool,
    /// The points of the pipelines at which it has an effect.
    pub(super) triggers: EnumSet<Trigger>,
    /// The damage that its attacks deal beyond its stats, by weapon and round: nation abilities, other flat
    /// bonuses and the penalty of the missile round.
    pub(super) bonus: [[i8; LAST_ROUND as usize + 1]; 2],
    /// The effects that are contained in `bonus`.
    pub(super) flat: Vec<Effect>,
    /// Its other effects, in the order in which they happen.
    pub(super) effects: Vec<Effect>,
}

impl Kind {
    /// The kind of a minion with this profile. `numbered` are its effects with their numbers.
    pub(super) fn of(profile: &Profile, unit: u16, numbered: &[Effect]) -> Self {
        let bare = Self {
            unit,
            classes: profile.classes(),
            has_hand: profile.hand.is_some(),
            has_missile: profile.missile.is_some(),
            repels: false,
            strikes_early: false,
            harm: profile.harm,
            experienced: profile.experienced,
            triggers: EnumSet::empty(),
            bonus: Default::default(),
            flat: Vec::new(),
            effects: Vec::new(),
        };
        bare.with(numbered)
    }

    /// Whether effects can change this number: damage with a weapon only where it has that weapon, attacks only
    /// where it has any.
    pub(super) fn has_stat(&self, stat: Stat) -> bool {
        match stat {
            Stat::Hand => self.has_hand,
            Stat::Missile => self.has_missile,
            Stat::Attacks => self.has_hand || self.has_missile,
            Stat::Armor | Stat::Level | Stat::HitPoints => true,
        }
    }

    /// Whether flat bonuses to an attack add up to more than a bonus can hold.
    pub(super) fn is_cut(effects: &[Effect]) -> bool {
        let flat = || effects.iter().filter(|effect| effect.is_flat_bonus());
        let sum = |weapon: Weapon, round: u8| -> i32 {
            let counts = |effect: &&Effect| {
                effect.is_for(weapon) && (effect.rounds.0..=effect.rounds.1).contains(&round)
            };
            flat().filter(counts).map(|effect| i32::from(effect.amount)).sum()
        };
        let weapons = [Weapon::Hand, Weapon::Missile].into_iter();
        let mut sums =
            weapons.flat_map(|weapon| (1..=LAST_ROUND).map(move |round| sum(weapon, round)));
        // The penalty of the missile round is part of the bonus.
        sums.any(|sum| {
            i8::try_from(sum + i32::from(MISSILE_PENALTY)).and(i8::try_from(sum)).is_err()
        })
    }

    /// All its effects.
    pub(super) fn all_effects(&self) -> impl Iterator<Item = Effect> + '_ {
        self.flat.iter().chain(&self.effects).copied()
    }

    /// This kind without the effect of this number.
    pub(super) fn without(&self, number: u16) -> Self {
        let left: Vec<Effect> =
            self.all_effects().filter(|effect| effect.number != number).collect();
        self.clone().with(&left)
    }

    /// This kind with these effects instead of its own.
    fn with(self, numbered: &[Effect]) -> Self {
        let mut bonus = [[0_i8; LAST_ROUND as usize + 1]; 2];
        bonus[Weapon::Missile as usize][usize::from(MISSILE_ROUND)] = MISSILE_PENALTY;
        let (mut effects, mut flat) = (Vec::new(), Vec::new());
        let mut counters = 0;
        for &effect in numbered {
            if !effect.is_flat_bonus() {
                effects.push(Effect { counter: counters, ..effect });
                counters += u8::from(effect.at_most > 0);
                continue;
            }
            flat.push(effect);
            for weapon in [Weapon::Hand, Weapon::Missile] {
                let last = effect.rounds.1.min(LAST_ROUND);
                for round in effect.rounds.0..=last {
                    if effect.is_for(weapon) {
                        let of_round = &mut bonus[weapon as usize][usize::from(round)];
                        *of_round = of_round.saturating_add(effect.amount);
                    }
                }
            }
        }
        assert!(usize::from(counters) <= COUNTED, "at most {COUNTED} effects with `at_most`");
        Self {
            repels: effects.iter().any(|effect| effect.does == Verb::Repel),
            strikes_early: effects.iter().any(|effect| effect.does == Verb::StrikeEarly),
            triggers: effects.iter().map(|effect| effect.when).collect(),
            bonus,
            flat,
            effects,
            ..self
        }
    }
}
