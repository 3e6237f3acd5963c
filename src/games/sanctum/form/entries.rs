//! The form of minions and spells, in the bundled catalogue and in scenarios.

use schemars::JsonSchema;
use serde::Deserialize;

pub use super::effects::EffectForm;
use super::effects::{classes, effects};
use crate::games::sanctum::catalogue::{Complaint, Spell};
use crate::games::sanctum::effect::{Class, Harm, Stat};
use crate::games::sanctum::nation::House;
use crate::games::sanctum::setup::Profile;
use crate::scenario::{NAME_ONCE, repeats};

/// What every nation's recruits have in common.
#[derive(Clone, Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct RecruitsForm {
    /// Recruits with a sword. Left out: hand 2, armor 1, 7 hit points, level 1.
    #[serde(default = "RecruitForm::swordsman")]
    pub swordsman: RecruitForm,
    /// Recruits with a bow. Left out: missile 2, no armor, 7 hit points, level 1. (Their numbers are not
    /// known; these are a guess.)
    #[serde(default = "RecruitForm::archer")]
    pub archer: RecruitForm,
}

/// A recruit before its nation's ability.
#[derive(Clone, Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct RecruitForm {
    /// Damage of its hand attack. Left out: it has none.
    #[serde(default)]
    #[schemars(range(min = 0, max = 50))]
    pub hand: Option<i8>,
    /// Damage of its missile attack. Left out: it has none.
    #[serde(default)]
    #[schemars(range(min = 0, max = 50))]
    pub missile: Option<i8>,
    /// Armor.
    #[serde(default)]
    #[schemars(range(min = 0, max = 50))]
    pub armor: i8,
    /// Hit points. Left out: 7.
    #[serde(default = "seven")]
    #[schemars(range(min = 1, max = 500))]
    pub hit_points: i16,
    /// Level. Left out: 1.
    #[serde(default = "one")]
    #[schemars(range(min = 0, max = 5))]
    pub level: u8,
}

impl RecruitForm {
    pub(in crate::games::sanctum) fn is_unarmed(&self) -> bool {
        self.hand.is_none() && self.missile.is_none()
    }

    fn swordsman() -> Self {
        Self { hand: Some(2), missile: None, armor: 1, hit_points: 7, level: 1 }
    }

    fn archer() -> Self {
        Self { hand: None, missile: Some(2), armor: 0, hit_points: 7, level: 1 }
    }
}

impl Default for RecruitsForm {
    fn default() -> Self {
        Self { swordsman: RecruitForm::swordsman(), archer: RecruitForm::archer() }
    }
}

fn seven() -> i16 {
    7
}

fn one() -> u8 {
    1
}

/// Whether a minion is a recruit.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum Sort {
    /// A monster.
    #[default]
    Monster,
    /// A recruit, special ones included.
    Recruit,
}

/// A minion.
#[derive(Clone, Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct MinionForm {
    /// Its name.
    pub name: String,
    /// Whether it is a monster or a recruit.
    #[serde(default)]
    pub sort: Sort,
    /// Its house, which effects and spells may ask for and tables list. It brings no ability: that of the house's nation
    /// is only its own swordsmen's and archers'. Write a minion's own into its numbers and `effects`.
    #[serde(default)]
    pub house: Option<House>,
    /// Damage of its hand attack. Left out: it has none.
    #[serde(default)]
    #[schemars(range(min = 0, max = 50))]
    pub hand: Option<i8>,
    /// Damage of its missile attack. Left out: it has none.
    #[serde(default)]
    #[schemars(range(min = 0, max = 50))]
    pub missile: Option<i8>,
    /// How its attacks meet armor and immunities.
    #[serde(default)]
    pub harm: Harm,
    /// Attacks per round; 0 makes a non-combatant. Left out: 1.
    #[serde(default = "one")]
    #[schemars(range(min = 0, max = 20))]
    pub attacks: u8,
    /// Armor.
    #[serde(default)]
    #[schemars(range(min = 0, max = 50))]
    pub armor: i8,
    /// Hit points.
    #[schemars(range(min = 1, max = 500))]
    pub hit_points: i16,
    /// Level. Left out: 1.
    #[serde(default = "one")]
    #[schemars(range(min = 0, max = 5))]
    pub level: u8,
    /// Whether it already has an experience level.
    #[serde(default)]
    pub experienced: bool,
    /// What it does besides attacking, in the order in which it happens.
    #[serde(default)]
    pub effects: Vec<EffectForm>,
    /// Where its numbers come from.
    #[serde(default)]
    pub source: Option<String>,
}

/// A spell that has been cast before combat.
#[derive(Clone, Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct SpellForm {
    /// Its name.
    pub name: String,
    /// Its house, which is listed; it only matters where the spell is `own_house`.
    #[serde(default)]
    pub house: Option<House>,
    /// Whether it is on the group as a whole, so that its effects happen once and not once per minion.
    #[serde(default)]
    pub on_group: bool,
    /// Only on minions of any of these classes. Left out: on all.
    #[serde(default)]
    #[schemars(length(min = 1))]
    pub on: Vec<Class>,
    /// Whether it is only on minions of its house.
    #[serde(default)]
    pub own_house: bool,
    /// What it adds to their numbers before the combat.
    #[serde(default)]
    pub gives: GivesForm,
    /// What it does, in the order in which it happens.
    #[serde(default)]
    pub effects: Vec<EffectForm>,
    /// Where its words come from.
    #[serde(default)]
    pub source: Option<String>,
}

/// What a spell adds to the numbers of the minions it is on.
#[derive(Clone, Debug, Default, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct GivesForm {
    /// Hand damage, to those with a hand attack.
    #[serde(default)]
    #[schemars(range(min = -50, max = 50))]
    pub hand: i8,
    /// Missile damage, to those with a missile attack.
    #[serde(default)]
    #[schemars(range(min = -50, max = 50))]
    pub missile: i8,
    /// Maximum armor.
    #[serde(default)]
    #[schemars(range(min = -50, max = 50))]
    pub armor: i8,
    /// Attacks per round.
    #[serde(default)]
    #[schemars(range(min = -20, max = 20))]
    pub attacks: i8,
    /// Levels; a level stays between 0 and 5.
    #[serde(default)]
    #[schemars(range(min = -5, max = 5))]
    pub level: i8,
    /// Hit points.
    #[serde(default)]
    #[schemars(range(min = -100, max = 100))]
    pub hit_points: i8,
    /// Damage that it has dealt them before the combat, past armor: hit points that they lack.
    #[serde(default)]
    #[schemars(range(min = 0, max = 100))]
    pub damage: i8,
}

impl MinionForm {
    /// The minion's profile, and the complaints about the entry.
    pub(crate) fn profile(&self, source: u16) -> (Profile, Vec<Complaint>) {
        let mut complaints = Vec::new();
        if self.hand.is_none() && self.missile.is_none() && self.attacks > 0 {
            complaints.push(Complaint {
                is_warning: true,
                key: "name",
                entry: None,
                message: format!("`{}` has no weapon and never attacks", self.name),
                remedy: "give it `hand` or `missile`, or say `attacks = 0`".to_owned(),
            });
        }
        let profile = Profile {
            name: self.name.clone(),
            house: self.house,
            recruit: self.sort == Sort::Recruit,
            hand: self.hand,
            missile: self.missile,
            harm: self.harm,
            attacks: self.attacks,
            armor: self.armor,
            hit_points: self.hit_points,
            wounds: 0,
            level: self.level,
            experienced: self.experienced,
            beyond: [0; 3],
            effects: effects(&self.effects, source, false, &mut complaints),
        };
        (profile, complaints)
    }
}

impl SpellForm {
    /// The spell, and the complaints about the entry.
    pub(crate) fn spell(&self, source: u16) -> (Spell, Vec<Complaint>) {
        let mut complaints = Vec::new();
        let gives = &self.gives;
        let all = [
            (Stat::Hand, gives.hand),
            (Stat::Missile, gives.missile),
            (Stat::Armor, gives.armor),
            (Stat::Attacks, gives.attacks),
            (Stat::Level, gives.level),
            (Stat::HitPoints, gives.hit_points),
        ];
        let gives: Vec<(Stat, i8)> = all.into_iter().filter(|&(_, amount)| amount != 0).collect();
        let is_on_minions =
            !gives.is_empty() || self.gives.damage != 0 || !self.on.is_empty() || self.own_house;
        if self.on_group && is_on_minions {
            complaints.push(Complaint {
                is_warning: false,
                key: "on_group",
                entry: None,
                message: "a spell on a group as a whole is on none of its minions".to_owned(),
                remedy: "leave out `on_group`, or `on`, `own_house` and `gives`".to_owned(),
            });
        }
        if self.own_house && self.house.is_none() {
            complaints.push(Complaint {
                is_warning: false,
                key: "own_house",
                entry: None,
                message: format!("`{}` is on minions of its house, and has none", self.name),
                remedy: "name its `house`, or leave out `own_house`".to_owned(),
            });
        }
        for (at, class) in repeats(self.on.iter().map(Class::to_string)) {
            complaints.push(Complaint {
                is_warning: true,
                key: "on",
                entry: Some(at),
                message: format!("`{class}` stands in this list already"),
                remedy: NAME_ONCE.to_owned(),
            });
        }
        let spell = Spell {
            name: self.name.clone(),
            house: self.house,
            on_group: self.on_group,
            on: classes(&self.on),
            own_house: self.own_house,
            gives,
            damage: self.gives.damage,
            effects: effects(&self.effects, source, self.on_group, &mut complaints),
        };
        (spell, complaints)
    }
}
