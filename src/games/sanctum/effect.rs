//! Effects as data: at which point of a pipeline, on what condition, what happens, and to whom.
//!
//! Monsters, special recruits and spells are lists of these; nothing else tells a Brimstone Dragon from a
//! plain recruit. What a designer may write is what [`fits`] allows.

use enumset::{EnumSet, EnumSetType};
use schemars::JsonSchema;
use serde::Deserialize;
use strum::{Display, EnumIter, EnumMessage, IntoStaticStr};

/// A point of a pipeline at which effects happen.
#[derive(
    EnumSetType, Debug, Hash, Deserialize, JsonSchema, EnumIter, EnumMessage, Display, IntoStaticStr,
)]
#[serde(rename_all = "snake_case")]
#[strum(serialize_all = "snake_case")]
pub enum Trigger {
    /// No moment but a trait: it holds as long as its bearer is there.
    Always,
    /// The start of combat (C1).
    CombatStart,
    /// The start of each combat round, after the reset (R1).
    RoundStart,
    /// When an idle minion checks what it must attack (R2, R3, R4).
    MustAttack,
    /// When the bearer's damage is calculated (A2).
    Attacks,
    /// When an attack has hit the bearer, before armor (A3, D1).
    IsHit,
    /// When an attack has hit a comrade of the bearer, before armor (A3, D1).
    ComradeIsHit,
    /// When damage of an attack on the bearer is left after armor (A3, D3).
    AfterArmor,
    /// When damage would kill the bearer, within Takes Damage (D3).
    Lethal,
    /// When the bearer hits, even if the hit bounces (A4).
    Hits,
    /// When the bearer damages its victim (A5).
    Damages,
    /// When the bearer is about to be buried: the dying-cancels of Minion Death.
    Dying,
    /// When the bearer is buried and an enemy is to blame.
    Killed,
    /// When the bearer is buried, whoever is to blame.
    Dies,
    /// When a comrade of the bearer is buried.
    ComradeDies,
    /// When the bearer has killed an opponent by combat damage (A8).
    Kills,
    /// The end of combat (C4).
    CombatEnd,
    /// After combat (C4).
    AfterCombat,
}

impl Trigger {
    /// Whether somebody stands opposite the bearer at this point: its victim, or its attacker.
    #[must_use]
    pub fn has_foe(self) -> bool {
        use Trigger::{AfterArmor, Attacks, Damages, Hits, IsHit, Killed, Kills};
        matches!(self, Attacks | IsHit | AfterArmor | Hits | Damages | Killed | Kills)
    }
}

impl Trigger {
    /// Whether an attack is made at this point, so that it matters with which weapon.
    #[must_use]
    pub fn has_weapon(self) -> bool {
        self.has_foe() && self != Trigger::Killed
    }

    /// Whether the attack at this point is the bearer's own.
    #[must_use]
    pub fn is_own_attack(self) -> bool {
        matches!(self, Trigger::Attacks | Trigger::Hits | Trigger::Damages | Trigger::Kills)
    }
}

/// What an effect does.
#[derive(
    Clone,
    Copy,
    Debug,
    PartialEq,
    Eq,
    Hash,
    Deserialize,
    JsonSchema,
    EnumIter,
    EnumMessage,
    Display,
    IntoStaticStr,
)]
#[serde(rename_all = "snake_case")]
#[strum(serialize_all = "snake_case")]
pub enum Verb {
    /// Changes a `stat` by `amount`.
    Gain,
    /// Deals `amount` damage of the kind `harm`.
    Damage,
    /// Gives back `amount` hit points.
    Heal,
    /// Kills.
    Kill,
    /// Sets attacks per round to 0, from the next reset on: a non-combatant.
    StopAttacking,
    /// Counts gazes, venom or the like on a minion; `if_marks` asks for them.
    Mark,
    /// Leaves the combat alive.
    Leave,
    /// The bearer's group withdraws from its square; the combat is over.
    Withdraw,
    /// The two groups are no longer hostile: they fight no longer.
    StopHostility,
    /// The combat ends early.
    EndCombat,
    /// The attack deals `amount` more.
    DealMore,
    /// The attack deals nothing, or the minions it is on deal nothing with `weapon`.
    DealNothing,
    /// The hit has `amount` added to its damage, or with `per_armor` so many times the bearer's maximum
    /// armor.
    TakeMore,
    /// Damage that is left is not taken.
    TakeNothing,
    /// Damage left after armor is also dealt to the attacker, ignoring armor.
    DealBack,
    /// Takes the hit in the comrade's stead, ignoring armor.
    Guard,
    /// Does not die: stands with `amount` hit points.
    Survive,
    /// Does not die: leaves the combat fully healed.
    Vanish,
    /// The bearer must attack an enemy out of `only`.
    SeekOut,
    /// Idle enemies out of `only` must attack the bearer.
    Taunt,
    /// Wise attackers with non-magical missiles choose anybody else first (quasi-immunity).
    Repel,
    /// Keeps its hand attacks in round 1: against an enemy that has chosen it, or that it must attack. Bashers choose
    /// nobody in that round, so between bashers it does nothing.
    StrikeEarly,
}

impl Verb {
    /// What a pipeline point can hold besides what happens at any moment.
    fn points(self) -> Option<EnumSet<Trigger>> {
        use Trigger as T;
        Some(match self {
            Verb::DealMore => T::Attacks.into(),
            Verb::DealNothing => T::Attacks | T::CombatStart | T::RoundStart | T::Hits | T::Damages,
            Verb::TakeMore => T::IsHit.into(),
            Verb::TakeNothing => T::IsHit | T::AfterArmor,
            Verb::DealBack => T::AfterArmor.into(),
            Verb::Guard => T::ComradeIsHit.into(),
            Verb::Survive | Verb::Vanish => T::Lethal | T::Dying,
            Verb::SeekOut | Verb::Taunt => T::MustAttack.into(),
            Verb::Repel | Verb::StrikeEarly => T::Always.into(),
            _ => return None,
        })
    }

    /// The points at which this can happen.
    #[must_use]
    pub fn triggers(self) -> EnumSet<Trigger> {
        use Trigger as T;
        let rules = T::Always | T::MustAttack | T::Attacks | T::ComradeIsHit | T::Lethal | T::Dying;
        self.points().unwrap_or(EnumSet::all() - rules)
    }

    /// Whether it can happen at every point that is a moment and not a rule.
    #[must_use]
    pub fn is_at_any_moment(self) -> bool {
        self.points().is_none()
    }

    /// Whether the verb needs an `amount`.
    #[must_use]
    pub fn needs_amount(self) -> bool {
        matches!(
            self,
            Verb::Gain
                | Verb::Damage
                | Verb::Heal
                | Verb::DealMore
                | Verb::TakeMore
                | Verb::Survive
        )
    }

    /// Whether its `amount` must be at least 1.
    #[must_use]
    pub fn needs_positive(self) -> bool {
        matches!(self, Verb::Damage | Verb::Heal | Verb::Survive | Verb::Mark)
    }

    /// Whether it can be meant for some classes `only`.
    #[must_use]
    pub fn can_single_out(self) -> bool {
        self.has_target()
            || matches!(
                self,
                Verb::DealMore
                    | Verb::TakeMore
                    | Verb::TakeNothing
                    | Verb::DealBack
                    | Verb::Guard
                    | Verb::SeekOut
                    | Verb::Taunt
            )
    }

    /// Whether it happens to minions that `on` names, rather than to the attack or combat at hand.
    #[must_use]
    pub fn has_target(self) -> bool {
        matches!(
            self,
            Verb::Gain
                | Verb::Damage
                | Verb::Heal
                | Verb::Kill
                | Verb::StopAttacking
                | Verb::Mark
                | Verb::Leave
                | Verb::DealNothing
        )
    }
}

/// Whom an effect is on.
#[derive(
    Clone,
    Copy,
    Debug,
    Default,
    PartialEq,
    Eq,
    Hash,
    Deserialize,
    JsonSchema,
    Display,
    IntoStaticStr,
)]
#[serde(rename_all = "snake_case")]
#[strum(serialize_all = "snake_case")]
pub enum Target {
    /// Its bearer.
    #[default]
    Bearer,
    /// Who stands opposite: the victim of the bearer's attack, or its attacker.
    Foe,
    /// The others in the bearer's group.
    Comrades,
    /// The bearer's whole group.
    Group,
    /// The opposing group.
    Enemies,
    /// Both groups.
    Everybody,
}

/// A number of a minion.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Deserialize, JsonSchema, Display)]
#[serde(rename_all = "snake_case")]
#[strum(serialize_all = "snake_case")]
pub enum Stat {
    /// Damage of its hand attack.
    Hand,
    /// Damage of its missile attack.
    Missile,
    /// Maximum armor; current armor follows at the next reset.
    Armor,
    /// Attacks per round.
    Attacks,
    /// Level, 0 to 5.
    Level,
    /// Maximum and current hit points.
    HitPoints,
}

/// How long a change lasts.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Lasts {
    /// Until the next round's reset; armor, attacks given or taken in mid-round, and what happens before round 1 count
    /// from that reset on, and last until the one after it.
    Round,
    /// Until the combat is over.
    #[default]
    Combat,
    /// For good.
    Forever,
}

/// What an attack is made with.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Deserialize, JsonSchema, Display)]
#[serde(rename_all = "snake_case")]
#[strum(serialize_all = "snake_case")]
pub enum Weapon {
    /// A hand attack.
    Hand,
    /// A missile attack.
    Missile,
}

/// How damage meets armor and immunities.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, Deserialize, JsonSchema, Display)]
#[serde(rename_all = "snake_case")]
#[strum(serialize_all = "title_case")]
pub enum Harm {
    /// Armor soaks it one for one.
    #[default]
    Plain,
    /// Armor does not soak it.
    IgnoresArmor,
    /// Neither armor nor immunities stop it.
    Magical,
}

/// What a minion is, for effects that single out some.
#[derive(EnumSetType, Debug, Hash, Deserialize, JsonSchema, EnumIter, Display, IntoStaticStr)]
#[serde(rename_all = "snake_case")]
#[strum(serialize_all = "snake_case")]
pub enum Class {
    /// A recruit, special ones included.
    Recruit,
    /// A monster.
    Monster,
    /// A recruit with a hand attack and no missile attack.
    Swordsman,
    /// A recruit with a missile attack.
    Archer,
    /// Of the house of Abomination.
    Abomination,
    /// Of the house of Body.
    Body,
    /// Of the house of Death.
    Death,
    /// Of the house of Despair.
    Despair,
    /// Of the house of Hope.
    Hope,
    /// Of the house of Justice.
    Justice,
    /// Of the house of Life.
    Life,
    /// Of the house of Making.
    Making,
    /// Of the house of Mind.
    Mind,
    /// Of the house of Nature.
    Nature,
    /// Of the house of Unmaking.
    Unmaking,
    /// Of the house of War.
    War,
}

/// A set of classes.
pub type Classes = EnumSet<Class>;

/// One effect, ready to happen.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Effect {
    /// The minion or spell it comes from, as a place in the setup's list of names.
    pub source: u16,
    /// At which point.
    pub when: Trigger,
    /// What happens.
    pub does: Verb,
    /// How much.
    pub amount: i8,
    /// Of which number, for [`Verb::Gain`].
    pub stat: Stat,
    /// To whom.
    pub on: Target,
    /// To whom of these: minions of any of these classes; empty for all.
    pub only: Classes,
    /// Only for attacks with this weapon.
    pub weapon: Option<Weapon>,
    /// Only in these rounds, first and last.
    pub rounds: (u8, u8),
    /// How likely it is, in percent.
    pub percent: u8,
    /// Only to those with at least so many marks.
    pub if_marks: u8,
    /// How often it can happen in one combat; 0 for any number.
    pub at_most: u8,
    /// How long it lasts.
    pub lasts: Lasts,
    /// How its damage meets armor.
    pub harm: Harm,
    /// Whether `amount` is per point of maximum armor.
    pub per_armor: bool,
    /// Which of its bearer's counters it uses, where `at_most` is set; dealt out when a minion is set up.
    pub counter: u8,
}

impl Effect {
    /// An effect on its bearer that always happens, any number of times, until the combat is over.
    #[must_use]
    pub fn new(when: Trigger, does: Verb) -> Self {
        Self {
            source: 0,
            when,
            does,
            amount: 0,
            stat: Stat::Hand,
            on: Target::Bearer,
            only: EnumSet::empty(),
            weapon: None,
            rounds: (1, u8::MAX),
            percent: 100,
            if_marks: 0,
            at_most: 0,
            lasts: Lasts::Combat,
            harm: Harm::Plain,
            per_armor: false,
            counter: 0,
        }
    }

    /// Whether it is the same for every attack of a round, whoever the victim is, and no die is thrown for
    /// it: then it is a number in a table and no effect any more.
    #[must_use]
    pub(super) fn is_flat_bonus(&self) -> bool {
        self.does == Verb::DealMore
            && self.only.is_empty()
            && self.percent >= 100
            && self.if_marks == 0
            && self.at_most == 0
    }
}

/// Whether a verb can stand at a trigger.
#[must_use]
pub fn fits(when: Trigger, does: Verb) -> bool {
    does.triggers().contains(when)
}
