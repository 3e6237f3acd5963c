//! The 47 abilities of the May 2020 cards, Oppress, which the guide names, and those of the later edition.

use super::edition::Edition;
use enumset::EnumSetType;
use strum::{Display, EnumCount, EnumIter, EnumMessage, EnumString, IntoStaticStr};

/// What a monster, or a summoner for its team, can do beyond its stats.
#[derive(
    EnumSetType,
    Debug,
    Hash,
    PartialOrd,
    Ord,
    Display,
    EnumString,
    EnumIter,
    EnumCount,
    IntoStaticStr,
    EnumMessage,
)]
#[strum(serialize_all = "title_case")]
pub enum Ability {
    /// A hit may keep the target from healing by Heal, Tank Heal or Triage.
    Affliction,
    /// A hit also hits the neighbours of the target with half the attack, rounded up.
    Blast,
    /// Enemy melee and ranged attacks miss 15 points more often.
    Blind,
    /// Removes debuffs from the front ally, each turn.
    Cleanse,
    /// Enemy melee attacks are 1 weaker, but not below 1.
    Demoralize,
    /// The first damage is ignored.
    DivineShield,
    /// Melee and ranged attackers miss it 25 points more often.
    Dodge,
    /// Attacks twice a round.
    DoubleStrike,
    /// While wounded, melee attack and speed are half as much again.
    Enrage,
    /// Attackers that do not fly miss it 25 points more often.
    Flying,
    /// A hit halves the target's attacks, once.
    Halving,
    /// Enemy ranged attacks are 1 weaker, but not below 1.
    Headwinds,
    /// Heals itself each turn.
    Heal,
    /// Friendly melee attacks are 1 stronger.
    Inspire,
    /// Deals double damage to stunned targets.
    KnockOut,
    /// Alone on its team, its stats are half as much again.
    LastStand,
    /// Gains health for health damage done.
    LifeLeech,
    /// Magic attackers take half their attack back.
    MagicReflect,
    /// May attack from the back: the enemy with the least health.
    Opportunity,
    /// Deals double damage to targets without an attack (named by the guide; on no card of May 2020).
    Oppress,
    /// Damage beyond the armor goes on to health.
    Piercing,
    /// A hit may poison the target.
    Poison,
    /// Friendly monsters have 2 more armor.
    Protect,
    /// Melee from the second position.
    Reach,
    /// When it dies every enemy takes 1.
    Redemption,
    /// Gives armor back to the friend that lost most, each turn.
    Repair,
    /// The first friend to die comes back with 1 health.
    Resurrect,
    /// May strike back at a melee attacker.
    Retaliate,
    /// Ranged attackers take half their attack back.
    ReturnFire,
    /// Enemy monsters have 2 less armor.
    Rust,
    /// Gains 1 health whenever a monster dies.
    Scavenger,
    /// A hit destroys the target's armor.
    Shatter,
    /// Melee and ranged damage is halved.
    Shield,
    /// Enemy magic attacks are 1 weaker, but not below 1.
    Silence,
    /// Enemies are 1 slower, but not below 1.
    Slow,
    /// A hit takes Flying away.
    Snare,
    /// Attacks the last enemy from the back.
    Sneak,
    /// Attacks the first enemy in the back that is not melee, from the back.
    Snipe,
    /// Friendly monsters have 1 more health.
    Strengthen,
    /// A hit may stun the target.
    Stun,
    /// Friendly monsters are 1 faster.
    Swiftness,
    /// Heals the front ally, each turn.
    TankHeal,
    /// Draws the attacks that could choose a target.
    Taunt,
    /// Melee attackers take 2.
    Thorns,
    /// After a kill, attacks the next in line.
    Trample,
    /// Heals the most wounded friend in the back, each turn.
    Triage,
    /// Magic damage is halved.
    Void,
    /// Enemies have 1 less health, but not below 1.
    Weaken,

    // The later edition; new ones go to the end, where they change no number of the others.
    /// Cannot be chosen as a target unless it is in front.
    Camouflage,
    /// Its ranged attack works from the front.
    CloseRange,
    /// A hit takes off what the target's friends have given it.
    Dispel,
    /// Attacks of 5 or more do 1 damage.
    Forcefield,
    /// Its ranged and magic attacks hit an enemy at random.
    Scattershot,
    /// Its attacks always hit.
    TrueStrike,
}

/// A set of abilities.
pub type Abilities = enumset::EnumSet<Ability>;

impl Ability {
    /// From which edition on the game has it.
    #[must_use]
    pub fn edition(self) -> Edition {
        if self < Ability::Camouflage { Edition::Guide } else { Edition::Later }
    }

    /// What it does, in one sentence: its own documentation, without the cases it cites.
    #[must_use]
    pub fn meaning(self) -> &'static str {
        let text = self.get_documentation().unwrap_or_default();
        text.split(" (SP-").next().unwrap_or(text).trim_end_matches('.')
    }
}
