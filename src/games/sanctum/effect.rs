//! Effects as data: at which point of a pipeline and on what condition something happens, what, and to whom.
//!
//! Monsters, special recruits and spells are lists of effects; nothing else distinguishes a Brimstone Dragon from
//! a plain recruit. Designers may write the combinations that [`fits`] allows.

use enumset::{EnumSet, EnumSetType};
use schemars::JsonSchema;
use serde::Deserialize;
use strum::{Display, EnumIter, EnumMessage, IntoEnumIterator, IntoStaticStr};

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

/// The properties of a point of a pipeline.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Point {
    /// Whether the bearer has an opponent here: its victim or its attacker.
    pub has_foe: bool,
    /// Whether an attack is being made, so that its weapon matters.
    pub has_weapon: bool,
    /// Whether all effects that are not part of a rule can happen here. Otherwise the point is a step of a rule
    /// that asks for effects of its own.
    pub is_moment: bool,
}

impl Trigger {
    /// The properties of this point.
    #[must_use]
    pub const fn point(self) -> Point {
        const RULE: Point = Point { has_foe: false, has_weapon: false, is_moment: false };
        const MOMENT: Point = Point { is_moment: true, ..RULE };
        const OF_ATTACK: Point = Point { has_foe: true, has_weapon: true, is_moment: true };
        match self {
            Trigger::Always => RULE,
            Trigger::CombatStart => MOMENT,
            Trigger::RoundStart => MOMENT,
            Trigger::MustAttack => RULE,
            Trigger::Attacks => Point { is_moment: false, ..OF_ATTACK },
            Trigger::IsHit => OF_ATTACK,
            Trigger::ComradeIsHit => RULE,
            Trigger::AfterArmor => OF_ATTACK,
            Trigger::Lethal => RULE,
            Trigger::Hits => OF_ATTACK,
            Trigger::Damages => OF_ATTACK,
            Trigger::Dying => RULE,
            Trigger::Killed => Point { has_foe: true, ..MOMENT },
            Trigger::Dies => MOMENT,
            Trigger::ComradeDies => MOMENT,
            Trigger::Kills => OF_ATTACK,
            Trigger::CombatEnd => MOMENT,
            Trigger::AfterCombat => MOMENT,
        }
    }

    /// Whether the bearer has an opponent at this point: its victim or its attacker.
    #[must_use]
    pub const fn has_foe(self) -> bool {
        self.point().has_foe
    }

    /// Whether an attack is being made at this point, so that its weapon matters.
    #[must_use]
    pub const fn has_weapon(self) -> bool {
        self.point().has_weapon
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
    /// The bearer's group withdraws from its square, which it has lost; the combat is over.
    Withdraw,
    /// The two groups are no longer hostile: they fight no longer.
    StopHostility,
    /// The combat ends early.
    EndCombat,
    /// No group enters combat: nobody fights in this phase, whosever group has the spell.
    KeepPeace,
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

/// The thing that a verb changes or decides.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Reach {
    /// The minions that the effect's `on` names.
    Minions,
    /// The combat, or the bearer's group in it.
    Combat,
    /// The bearer's attack (A2).
    Attack,
    /// A hit on the bearer or a comrade (A3).
    Hit,
    /// The bearer's dying.
    Dying,
    /// The victim that an idle minion attacks (R2, R3, R4).
    Choice,
    /// No single event: a trait that holds throughout.
    Trait,
}

/// Which `amount` a verb takes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Amount {
    /// None at all.
    None,
    /// Any number; it must be given.
    Any,
    /// At least 1; it must be given.
    Positive,
    /// At least 1; 1 where it is not given.
    OneOrMore,
}

/// The properties of a verb.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct VerbFacts {
    /// The points at which it can happen; none if it can at every point that is a moment.
    pub points: Option<EnumSet<Trigger>>,
    /// The thing that it changes or decides.
    pub reach: Reach,
    /// Which `amount` it takes.
    pub amount: Amount,
    /// Whether the change it makes lasts for a time.
    pub lasts: bool,
}

impl Verb {
    /// The properties of this verb.
    #[inline]
    #[must_use]
    pub fn facts(self) -> VerbFacts {
        use Trigger as T;
        let at_any_moment =
            VerbFacts { points: None, reach: Reach::Minions, amount: Amount::None, lasts: false };
        let on_combat = VerbFacts { reach: Reach::Combat, ..at_any_moment };
        let rule = |points: EnumSet<Trigger>, reach, amount| VerbFacts {
            points: Some(points),
            reach,
            amount,
            lasts: false,
        };
        let dying = T::Lethal | T::Dying;
        match self {
            Verb::Gain => VerbFacts { amount: Amount::Any, lasts: true, ..at_any_moment },
            Verb::Damage => VerbFacts { amount: Amount::Positive, ..at_any_moment },
            Verb::Heal => VerbFacts { amount: Amount::Positive, ..at_any_moment },
            Verb::Kill => at_any_moment,
            Verb::StopAttacking => VerbFacts { lasts: true, ..at_any_moment },
            Verb::Mark => VerbFacts { amount: Amount::OneOrMore, ..at_any_moment },
            Verb::Leave => at_any_moment,
            Verb::Withdraw => on_combat,
            Verb::StopHostility => on_combat,
            Verb::EndCombat => on_combat,
            Verb::KeepPeace => rule(T::Always.into(), Reach::Trait, Amount::None),
            Verb::DealMore => rule(T::Attacks.into(), Reach::Attack, Amount::Any),
            Verb::DealNothing => {
                let points = T::Attacks | T::CombatStart | T::RoundStart | T::Hits | T::Damages;
                VerbFacts { lasts: true, ..rule(points, Reach::Minions, Amount::None) }
            }
            Verb::TakeMore => rule(T::IsHit.into(), Reach::Hit, Amount::Any),
            Verb::TakeNothing => rule(T::IsHit | T::AfterArmor, Reach::Hit, Amount::None),
            Verb::DealBack => rule(T::AfterArmor.into(), Reach::Hit, Amount::None),
            Verb::Guard => rule(T::ComradeIsHit.into(), Reach::Hit, Amount::None),
            Verb::Survive => rule(dying, Reach::Dying, Amount::Positive),
            Verb::Vanish => rule(dying, Reach::Dying, Amount::None),
            Verb::SeekOut => rule(T::MustAttack.into(), Reach::Choice, Amount::None),
            Verb::Taunt => rule(T::MustAttack.into(), Reach::Choice, Amount::None),
            Verb::Repel => rule(T::Always.into(), Reach::Trait, Amount::None),
            Verb::StrikeEarly => rule(T::Always.into(), Reach::Trait, Amount::None),
        }
    }

    /// The points at which it can happen.
    #[must_use]
    pub fn triggers(self) -> EnumSet<Trigger> {
        let moments = || Trigger::iter().filter(|trigger| trigger.point().is_moment).collect();
        self.facts().points.unwrap_or_else(moments)
    }

    /// Whether it can happen at every point that is a moment, rather than only at steps of a rule.
    #[must_use]
    pub fn is_at_any_moment(self) -> bool {
        self.facts().points.is_none()
    }

    /// Whether its `amount` must be at least 1.
    #[must_use]
    pub fn needs_positive(self) -> bool {
        match self.facts().amount {
            Amount::Positive | Amount::OneOrMore => true,
            Amount::None | Amount::Any => false,
        }
    }

    /// Whether it can be restricted to some classes with `only`.
    #[must_use]
    pub fn can_single_out(self) -> bool {
        match self.facts().reach {
            Reach::Minions | Reach::Attack | Reach::Hit | Reach::Choice => true,
            Reach::Combat | Reach::Dying | Reach::Trait => false,
        }
    }

    /// Whether it happens to the minions that `on` names, rather than to the current attack or combat.
    #[inline]
    #[must_use]
    pub fn has_target(self) -> bool {
        self.facts().reach == Reach::Minions
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

/// One effect, as the rules use it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Effect {
    /// Index into the setup's names: the minion or spell it comes from.
    pub source: u16,
    /// The point at which it happens.
    pub when: Trigger,
    /// What it does.
    pub does: Verb,
    /// The amount of the change.
    pub amount: i8,
    /// The number it changes, for [`Verb::Gain`].
    pub stat: Stat,
    /// The minions it is on.
    pub on: Target,
    /// A restriction to minions of any of these classes; empty for all minions.
    pub only: Classes,
    /// A restriction to attacks with this weapon.
    pub weapon: Option<Weapon>,
    /// A restriction to these rounds, first and last.
    pub rounds: (u8, u8),
    /// Its probability, in percent.
    pub percent: u8,
    /// A restriction to minions with at least this number of marks.
    pub if_marks: u8,
    /// The maximum number of times it can happen in one combat; 0 for no limit.
    pub at_most: u8,
    /// How long it lasts.
    pub lasts: Lasts,
    /// How the damage it deals meets armor.
    pub harm: Harm,
    /// Whether `amount` is multiplied by the bearer's maximum armor.
    pub per_armor: bool,
    /// Whether the spell it comes from, which is on a group as a whole, is dispelled once it has happened.
    pub dispels: bool,
    /// Index of its bearer's counter for it, where `at_most` is set; assigned when a minion is set up.
    pub counter: u8,
    /// Index into the setup's effects; assigned when a setup is made.
    pub number: u16,
}

impl Effect {
    /// An effect on its bearer that always happens, without a limit, and lasts until the combat is over.
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
            dispels: false,
            counter: 0,
            number: 0,
        }
    }

    /// Whether it happens without a die and without a limit.
    #[inline]
    #[must_use]
    pub(super) fn is_certain(&self) -> bool {
        self.percent >= 100 && self.at_most == 0
    }

    /// Whether it applies to attacks with this weapon.
    #[inline]
    #[must_use]
    pub(super) fn is_for(&self, weapon: Weapon) -> bool {
        self.weapon.is_none_or(|only| only == weapon)
    }

    /// Whether it adds the same to every attack of a round, whoever the victim is, and throws no die. Then it
    /// becomes a number in a table of bonuses and is no longer treated as an effect.
    #[must_use]
    pub(super) fn is_flat_bonus(&self) -> bool {
        self.does == Verb::DealMore
            && self.only.is_empty()
            && self.if_marks == 0
            && self.is_certain()
    }
}

/// Whether a verb can happen at a trigger.
#[must_use]
pub fn fits(when: Trigger, does: Verb) -> bool {
    does.triggers().contains(when)
}
