//! A minion, its numbers and how they change.

use evens::games::sanctum::effect::{Class, Classes, Lasts, Stat, Trigger, Verb, Weapon};
use evens::games::sanctum::setup::Profile;

/// The numbers of a minion that can change. A minion has three sets of them, by how long a change lasts.
#[derive(Clone, Debug, PartialEq)]
pub struct Numbers {
    pub level: i32,
    pub armor: i32,
    pub hand: i32,
    pub missile: i32,
    pub attacks: i32,
    /// "Does not attack".
    pub stopped: bool,
    pub hand_deals_nothing: bool,
    pub missile_deals_nothing: bool,
}

/// Whether a minion is in the field.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Standing {
    There,
    Buried,
    /// Gone alive: it has left or vanished.
    Away,
}

/// "Each minion maintains these dynamic attributes for each combat" (Minions' Combat Attributes), and some more.
#[derive(Clone, Debug)]
pub struct Minion {
    pub card: Profile,
    pub hit_points: i32,
    pub max_hit_points: i32,
    /// The numbers in this round.
    pub now: Numbers,
    /// The numbers for the combat as they were at the last reset, and every change since then that counts in the next
    /// round, in the order in which they were received.
    at_reset: Numbers,
    since: Vec<Change>,
    /// The numbers in this combat.
    pub in_combat: Numbers,
    /// The numbers that outlast the combat.
    pub for_good: Numbers,
    /// "Current armor".
    pub armor: i32,
    /// "Remaining attacks".
    pub remaining: i32,
    /// "Misses"; None stands for infinitely many.
    pub misses: Option<i32>,
    /// "Victim": an enemy's index in its group.
    pub victim: Option<usize>,
    pub marks: i32,
    pub qualified: bool,
    /// How often each of its effects has happened in this combat.
    pub uses: Vec<i32>,
    pub standing: Standing,
}

impl Minion {
    pub fn new(card: &Profile) -> Self {
        let armed = card.hand.is_some() || card.missile.is_some();
        let numbers = Numbers {
            level: i32::from(card.level),
            armor: i32::from(card.armor),
            hand: i32::from(card.hand.unwrap_or(0)),
            missile: i32::from(card.missile.unwrap_or(0)),
            attacks: if armed { i32::from(card.attacks) } else { 0 },
            stopped: false,
            hand_deals_nothing: false,
            missile_deals_nothing: false,
        };
        Self {
            card: card.clone(),
            hit_points: i32::from(card.hit_points - card.wounds),
            max_hit_points: i32::from(card.hit_points),
            now: numbers.clone(),
            at_reset: numbers.clone(),
            since: Vec::new(),
            in_combat: numbers.clone(),
            for_good: numbers,
            armor: 0,
            remaining: 0,
            misses: Some(0),
            victim: None,
            marks: 0,
            qualified: false,
            uses: vec![0; card.effects.len()],
            standing: Standing::There,
        }
    }

    pub fn is_there(&self) -> bool {
        self.standing == Standing::There
    }

    /// "Shooters (minions with 1+ missile attacks)"; all others count as bashers.
    pub fn is_shooter(&self) -> bool {
        self.card.missile.is_some()
    }

    /// "A minion with no current victim and 1 or more attacks per round is said to be idle."
    pub fn is_idle(&self) -> bool {
        self.is_there() && self.victim.is_none() && self.now.attacks > 0
    }

    pub fn max_armor(&self) -> i32 {
        self.now.armor.max(0)
    }

    /// Whether it belongs to any of these classes; true if no class is named.
    pub fn is_any_of(&self, only: Classes) -> bool {
        let card = &self.card;
        let is = |class: Class| match class {
            Class::Recruit => card.recruit,
            Class::Monster => !card.recruit,
            Class::Archer => card.recruit && card.missile.is_some(),
            Class::Swordsman => card.recruit && card.hand.is_some() && card.missile.is_none(),
            house => card.house.is_some_and(|of| of.class() == house),
        };
        only.is_empty() || only.iter().any(is)
    }

    pub fn has(&self, when: Trigger, does: Verb) -> bool {
        self.card.effects.iter().any(|effect| effect.when == when && effect.does == does)
    }

    pub fn deals_nothing_with(&self, weapon: Weapon) -> bool {
        match weapon {
            Weapon::Hand => self.now.hand_deals_nothing,
            Weapon::Missile => self.now.missile_deals_nothing,
        }
    }

    /// Changes numbers for as long as the change lasts. A change for a round is over at the next reset, unless it is
    /// one that counts in the next round (README, Decisions).
    pub fn change(&mut self, lasts: Lasts, in_next_round: bool, change: Change) {
        self.now.make(change);
        if lasts != Lasts::Round || in_next_round {
            self.since.push(change);
        }
        if lasts != Lasts::Round {
            self.in_combat.make(change);
        }
        if lasts == Lasts::Forever {
            self.for_good.make(change);
        }
    }

    /// Whether it has the same numbers and state as another, in this round and in all later ones.
    pub fn is_as(&self, other: &Self) -> bool {
        let numbers = |of: &Self| {
            let mut next = of.clone();
            next.reset();
            [of.now.clone(), next.now, of.in_combat.clone(), of.for_good.clone()]
        };
        let rest = |of: &Self| (of.hit_points, of.max_hit_points, of.marks, of.remaining);
        numbers(self) == numbers(other) && rest(self) == rest(other)
    }

    /// "At the start of each round" (R1): armor and attacks are full again, and what lasted for a round is over.
    pub fn reset(&mut self) {
        self.now = self.at_reset.clone();
        for change in std::mem::take(&mut self.since) {
            self.now.make(change);
        }
        self.at_reset = self.in_combat.clone();
        self.armor = self.max_armor();
        self.remaining = self.now.attacks;
    }

    /// Undoes everything that lasts for one combat only.
    pub fn leave_combat(&mut self) {
        self.in_combat = self.for_good.clone();
        self.now = self.for_good.clone();
        self.at_reset = self.for_good.clone();
        self.since.clear();
        self.armor = 0;
        self.remaining = 0;
        self.misses = Some(0);
        self.victim = None;
        self.uses.fill(0);
    }
}

/// A change of numbers.
#[derive(Clone, Copy, Debug)]
pub enum Change {
    Add(Stat, i32),
    StopAttacking,
    DealNothing(Option<Weapon>),
}

impl Numbers {
    fn make(&mut self, change: Change) {
        match change {
            Change::Add(stat, amount) => self.add(stat, amount),
            Change::StopAttacking => (self.attacks, self.stopped) = (0, true),
            Change::DealNothing(weapon) => self.deal_nothing(weapon),
        }
    }

    /// Adds to a number. Levels stay between 0 and 5, and attacks do not fall below 0. All numbers are limited to the
    /// range of a byte, which only effects that grow with every attack ever reach.
    fn add(&mut self, stat: Stat, amount: i32) {
        match stat {
            Stat::Hand => self.hand = (self.hand + amount).clamp(-128, 127),
            Stat::Missile => self.missile = (self.missile + amount).clamp(-128, 127),
            Stat::Armor => self.armor = (self.armor + amount).clamp(-128, 127),
            // "Any does-not-attack effects will set a minion's attacks per round stat to 0" (R1).
            Stat::Attacks if self.stopped => {}
            Stat::Attacks => self.attacks = (self.attacks + amount).clamp(0, 255),
            Stat::Level => self.level = (self.level + amount).clamp(0, 5),
            Stat::HitPoints => {}
        }
    }

    fn deal_nothing(&mut self, weapon: Option<Weapon>) {
        self.hand_deals_nothing |= weapon != Some(Weapon::Missile);
        self.missile_deals_nothing |= weapon != Some(Weapon::Hand);
    }
}
