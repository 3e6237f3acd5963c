//! The rulebook of Splinterlands as one plain program. "Guide" is Byzantinist's guide to rulesets, cited by section;
//! "README" is the game's own page of decisions.

mod attack;
mod before;
mod death;
mod numbers;
mod round;
mod support;
mod target;

use evens::games::splinterlands::ability::Ability;
use evens::games::splinterlands::cards::Stats;
use evens::games::splinterlands::ruleset::Ruleset;

use crate::reference::recorded::Recorded;

/// A card as it stands in the catalogue, at its level.
#[derive(Clone, Debug)]
pub struct Printed {
    pub melee: i32,
    pub ranged: i32,
    pub magic: i32,
    pub armor: i32,
    pub health: i32,
    pub speed: i32,
    pub rarity: i32,
    pub level: i32,
    pub abilities: Vec<Ability>,
}

impl Printed {
    pub fn new(stats: Stats, rarity: i32, level: i32, abilities: Vec<Ability>) -> Self {
        Self {
            melee: stats.melee.into(),
            ranged: stats.ranged.into(),
            magic: stats.magic.into(),
            armor: stats.armor.into(),
            health: stats.health.into(),
            speed: stats.speed.into(),
            rarity,
            level,
            abilities,
        }
    }
}

/// A monster in battle. Everything that can be derived is worked out when it is asked for.
#[derive(Clone, Debug)]
pub struct Unit {
    /// 0 or 1.
    pub team: usize,
    /// Its place in the line-up, which it keeps; the living close up.
    pub place: usize,
    /// Its card, as changed by the rulesets.
    pub card: Printed,
    /// The card's abilities, as changed by the rulesets, and those that its summoner gave it.
    pub abilities: Vec<Ability>,
    pub alive: bool,
    pub health: i32,
    pub armor: i32,
    /// Maximum health gained for the rest of the battle.
    pub gained: i32,
    pub poisoned: bool,
    /// The unit that stunned it.
    pub stunned_by: Option<usize>,
    pub afflicted: bool,
    pub snared: bool,
    pub halved: bool,
    pub shield_used: bool,
    pub stands_last: bool,
    /// Enemies from whose team-wide abilities it was cleansed.
    pub cleansed_of: Vec<usize>,
    /// Friends whose team-wide abilities were dispelled from it.
    pub dispelled_of: Vec<usize>,
    pub acted: bool,
    pub resurrect_used: bool,
}

/// A summoner in battle.
#[derive(Clone, Debug)]
pub struct Summoner {
    pub card: Printed,
    pub resurrect_used: bool,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum End {
    Won(usize),
    Drawn,
}

/// Kinds of attack, in the order in which a monster with several uses them (README, step 10).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Attack {
    Magic,
    Ranged,
    Melee,
}

/// A battle.
#[derive(Clone, Debug)]
pub struct Book {
    pub rulesets: Vec<Ruleset>,
    /// Team 0 front to back, then team 1 front to back.
    pub units: Vec<Unit>,
    pub summoners: Vec<Summoner>,
    pub round: u32,
    pub shaken_first: usize,
    /// Whether a round goes on when the last enemy has died (README, decision 18).
    pub plays_rounds_out: bool,
    /// The result of a battle that is decided before it begins.
    pub verdict: Option<End>,
    pub dice: Recorded,
}

impl Book {
    pub fn rules(&self, ruleset: Ruleset) -> bool {
        self.rulesets.contains(&ruleset)
    }

    pub fn has(&self, unit: usize, ability: Ability) -> bool {
        self.units[unit].abilities.contains(&ability)
    }

    pub fn living(&self, team: usize) -> Vec<usize> {
        (0..self.units.len())
            .filter(|&unit| self.units[unit].alive && self.units[unit].team == team)
            .collect()
    }

    pub fn all_living(&self) -> Vec<usize> {
        [self.living(0), self.living(1)].concat()
    }

    pub fn enemy_team(&self, unit: usize) -> usize {
        1 - self.units[unit].team
    }

    /// Its place among the living; 0 is the front. Positions close up after a death (README, step 11).
    pub fn position(&self, unit: usize) -> usize {
        self.living(self.units[unit].team).iter().position(|&other| other == unit).unwrap()
    }

    pub fn front(&self, team: usize) -> usize {
        self.living(team)[0]
    }

    /// The number of a unit in the addresses of dice: 1 to 6 for the places of the first team, 7 to 12 for the second.
    pub fn number(&self, unit: usize) -> u32 {
        (self.units[unit].team * 6 + self.units[unit].place + 1) as u32
    }

    /// The result, if a side has nobody left; a draw if neither has (README, step 12).
    pub fn end(&self) -> Option<End> {
        match (self.living(0).is_empty(), self.living(1).is_empty()) {
            (true, true) => Some(End::Drawn),
            (true, false) => Some(End::Won(1)),
            (false, true) => Some(End::Won(0)),
            (false, false) => None,
        }
    }
}
