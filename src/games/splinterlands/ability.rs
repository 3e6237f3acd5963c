//! The 47 abilities of the May 2020 cards, Oppress, which the guide names, and those of the later edition, one row
//! each: everything else about an ability follows from its row, and the compiler names every phase that has to handle a
//! new one.

use enumset::EnumSetType;
use strum::{Display, EnumCount, EnumIter, EnumString, IntoStaticStr};

use super::edition::Edition;

/// What an ability affects, and so which file of `rules/` implements it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Works {
    /// Adds to the numbers of its own team (`stats.rs`).
    TeamBonus,
    /// Takes from the numbers of the other team (`stats.rs`).
    TeamPenalty,
    /// Changes its bearer's own numbers (`stats.rs`, `death.rs`).
    Numbers,
    /// Helps its team before its bearer attacks (`support.rs`).
    Support,
    /// Who can attack, and whom (`target.rs`).
    Target,
    /// The chance to hit (`hit.rs`).
    Hit,
    /// The damage of a blow (`damage.rs`).
    Damage,
    /// What an attack does, and what follows from it (`attack.rs`).
    Attack,
    /// An effect that a hit has on its target (`attack.rs`).
    Infliction,
    /// The target's reaction to its attacker (`attack.rs`).
    Answer,
    /// What a death sets off (`death.rs`).
    Death,
}

/// The facts about an ability: its row of the list below.
#[derive(Clone, Copy, Debug)]
pub struct Facts {
    /// Its name, as people write it.
    pub name: &'static str,
    /// The first edition that has it.
    pub edition: Edition,
    /// What it affects.
    pub works: Works,
    /// The acceptance cases of the guide that name it; what the guide leaves out is in the `SP-X` cases, the later
    /// edition in the `SP-L` cases.
    pub cases: &'static [&'static str],
    /// What it does, in one sentence without a full stop.
    pub text: &'static str,
}

macro_rules! abilities {
    ($($ability:ident = $name:tt, $edition:ident, works on $works:ident,
       $text:literal, cases [$($case:literal)*];)+) => {
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
        )]
        pub enum Ability {
            $(
                #[doc = $text]
                #[strum(serialize = $name)]
                $ability,
            )+
        }

        impl Ability {
            /// The facts about this ability.
            #[must_use]
            pub const fn facts(self) -> &'static Facts {
                match self {
                    $(Ability::$ability => &Facts {
                        name: $name,
                        edition: Edition::$edition,
                        works: Works::$works,
                        cases: &[$($case),*],
                        text: $text,
                    },)+
                }
            }
        }
    };
}

abilities! {
    Affliction = "Affliction", Guide, works on Infliction,
        "A hit may keep the target from healing by Heal, Tank Heal or Triage", cases ["SP-28" "SP-29" "SP-82"];
    Blast = "Blast", Guide, works on Attack,
        "A hit also hits the neighbours of the target with half the attack, rounded up", cases ["SP-31"];
    Blind = "Blind", Guide, works on Hit,
        "Enemy melee and ranged attacks miss 15 points more often", cases ["SP-16" "SP-17"];
    Cleanse = "Cleanse", Guide, works on Support,
        "Removes debuffs from the front ally, each turn", cases ["SP-72"];
    Demoralize = "Demoralize", Guide, works on TeamPenalty,
        "Enemy melee attacks are 1 weaker, but not below 1", cases [];
    DivineShield = "Divine Shield", Guide, works on Damage,
        "The first damage is ignored", cases [];
    Dodge = "Dodge", Guide, works on Hit,
        "Melee and ranged attackers miss it 25 points more often", cases ["SP-16"];
    DoubleStrike = "Double Strike", Guide, works on Attack,
        "Attacks twice a round", cases [];
    Enrage = "Enrage", Guide, works on Numbers,
        "While wounded, melee attack and speed are half as much again", cases [];
    Flying = "Flying", Guide, works on Hit,
        "Attackers that do not fly miss it 25 points more often", cases ["SP-16" "SP-18" "SP-69" "SP-73"];
    Halving = "Halving", Guide, works on Infliction,
        "A hit halves the target's attacks, rounded down but not below 1, and not again until Cleanse takes it off", cases [];
    Headwinds = "Headwinds", Guide, works on TeamPenalty,
        "Enemy ranged attacks are 1 weaker, but not below 1", cases [];
    Heal = "Heal", Guide, works on Support,
        "Heals itself each turn", cases ["SP-30" "SP-79"];
    Inspire = "Inspire", Guide, works on TeamBonus,
        "Friendly melee attacks are 1 stronger", cases [];
    KnockOut = "Knock Out", Guide, works on Attack,
        "Deals double damage to stunned targets", cases ["SP-83"];
    LastStand = "Last Stand", Guide, works on Numbers,
        "Alone on its team, its stats are half as much again", cases [];
    LifeLeech = "Life Leech", Guide, works on Attack,
        "Gains health for health damage done", cases ["SP-81"];
    MagicReflect = "Magic Reflect", Guide, works on Answer,
        "Magic attackers take half their attack back", cases [];
    Opportunity = "Opportunity", Guide, works on Target,
        "May attack from the back: the enemy with the least health", cases ["SP-34" "SP-53" "SP-101"];
    Oppress = "Oppress", Guide, works on Attack,
        "Deals double damage to targets without an attack (named by the guide; on no card of May 2020)", cases ["SP-84"];
    Piercing = "Piercing", Guide, works on Damage,
        "Damage beyond the armor goes on to health", cases ["SP-60" "SP-61" "SP-66"];
    Poison = "Poison", Guide, works on Infliction,
        "A hit may poison the target", cases [];
    Protect = "Protect", Guide, works on TeamBonus,
        "Friendly monsters have 2 more armor", cases ["SP-24" "SP-59"];
    Reach = "Reach", Guide, works on Target,
        "From the second position, attacks the enemy front with its melee attack", cases ["SP-34" "SP-36" "SP-43"];
    Redemption = "Redemption", Guide, works on Death,
        "When it dies every enemy takes 1", cases [];
    Repair = "Repair", Guide, works on Support,
        "Gives armor back to the friend that lost most, each turn", cases ["SP-25" "SP-31" "SP-60" "SP-80"];
    Resurrect = "Resurrect", Guide, works on Death,
        "The first friend to die comes back with 1 health", cases ["SP-31" "SP-74"];
    Retaliate = "Retaliate", Guide, works on Answer,
        "May strike back at a melee attacker", cases [];
    ReturnFire = "Return Fire", Guide, works on Answer,
        "Ranged attackers take half their attack back", cases [];
    Rust = "Rust", Guide, works on TeamPenalty,
        "Enemy monsters have 2 less armor", cases ["SP-24" "SP-60"];
    Scavenger = "Scavenger", Guide, works on Death,
        "Gains 1 health whenever a monster dies", cases [];
    Shatter = "Shatter", Guide, works on Infliction,
        "A hit destroys the target's armor", cases ["SP-60"];
    Shield = "Shield", Guide, works on Damage,
        "Melee and ranged damage is halved", cases ["SP-64" "SP-70"];
    Silence = "Silence", Guide, works on TeamPenalty,
        "Enemy magic attacks are 1 weaker, but not below 1", cases [];
    Slow = "Slow", Guide, works on TeamPenalty,
        "Enemies are 1 slower, but not below 1", cases [];
    Snare = "Snare", Guide, works on Infliction,
        "A hit takes Flying away", cases ["SP-72"];
    Sneak = "Sneak", Guide, works on Target,
        "Attacks the last enemy from the back", cases ["SP-33" "SP-41" "SP-43" "SP-52"];
    Snipe = "Snipe", Guide, works on Target,
        "From behind the front, attacks the first enemy behind its front that has a ranged, a magic or no attack", cases ["SP-33" "SP-47" "SP-48" "SP-49" "SP-50" "SP-52"];
    Strengthen = "Strengthen", Guide, works on TeamBonus,
        "Friendly monsters have 1 more health", cases ["SP-74" "SP-78"];
    Stun = "Stun", Guide, works on Infliction,
        "A hit may stun the target", cases ["SP-85" "SP-86"];
    Swiftness = "Swiftness", Guide, works on TeamBonus,
        "Friendly monsters are 1 faster", cases [];
    TankHeal = "Tank Heal", Guide, works on Support,
        "Heals the front ally, each turn", cases ["SP-79"];
    Taunt = "Taunt", Guide, works on Target,
        "Enemies who are able to attack it do", cases ["SP-36" "SP-42" "SP-51" "SP-100"];
    Thorns = "Thorns", Guide, works on Answer,
        "Melee attackers take 2", cases [];
    Trample = "Trample", Guide, works on Attack,
        "After a kill, attacks the next in line", cases [];
    Triage = "Triage", Guide, works on Support,
        "Heals the most wounded friend in the back, each turn", cases ["SP-29" "SP-31" "SP-32" "SP-79"];
    Void = "Void", Guide, works on Damage,
        "Magic damage is halved", cases ["SP-27" "SP-65" "SP-70"];
    Weaken = "Weaken", Guide, works on TeamPenalty,
        "Enemies have 1 less health, but not below 1", cases ["SP-76" "SP-78"];
    // The later edition. New abilities go to the end, so that the numbers of the others stay the same. No recorded
    // battle has Camouflage: it follows the publisher's text alone.
    Camouflage = "Camouflage", Later, works on Target,
        "Cannot be chosen as a target unless it is in front", cases [];
    CloseRange = "Close Range", Later, works on Target,
        "Its ranged attack works from the front", cases [];
    Dispel = "Dispel", Later, works on Infliction,
        "A hit takes off what the target's friends have given it", cases [];
    Forcefield = "Forcefield", Later, works on Attack,
        "Attacks of 5 or more do 1 damage", cases [];
    Scattershot = "Scattershot", Later, works on Target,
        "Its ranged and magic attacks hit an enemy at random", cases [];
    TrueStrike = "True Strike", Later, works on Hit,
        "Its attacks always hit", cases [];
}

/// A set of abilities.
pub type Abilities = enumset::EnumSet<Ability>;

/// An effect that a hit can have on its target.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Infliction {
    /// It cannot be healed.
    Affliction,
    /// Its attacks are halved.
    Halving,
    /// It loses health each round.
    Poison,
    /// Its armor is destroyed.
    Shatter,
    /// It cannot fly.
    Snare,
    /// It loses turns.
    Stun,
    /// It loses what its friends have given it.
    Dispel,
}

impl Ability {
    /// The first edition that has it.
    #[must_use]
    pub fn edition(self) -> Edition {
        self.facts().edition
    }

    /// What it does, in one sentence without a full stop.
    #[must_use]
    pub fn meaning(self) -> &'static str {
        self.facts().text
    }

    /// The effect that a hit with this ability has on the target; None for an ability without one.
    #[inline]
    pub(super) const fn infliction(self) -> Option<Infliction> {
        match self {
            Ability::Affliction => Some(Infliction::Affliction),
            Ability::Halving => Some(Infliction::Halving),
            Ability::Poison => Some(Infliction::Poison),
            Ability::Shatter => Some(Infliction::Shatter),
            Ability::Snare => Some(Infliction::Snare),
            Ability::Stun => Some(Infliction::Stun),
            Ability::Dispel => Some(Infliction::Dispel),
            Ability::Blast
            | Ability::Blind
            | Ability::Cleanse
            | Ability::Demoralize
            | Ability::DivineShield
            | Ability::Dodge
            | Ability::DoubleStrike
            | Ability::Enrage
            | Ability::Flying
            | Ability::Headwinds
            | Ability::Heal
            | Ability::Inspire
            | Ability::KnockOut
            | Ability::LastStand
            | Ability::LifeLeech
            | Ability::MagicReflect
            | Ability::Opportunity
            | Ability::Oppress
            | Ability::Piercing
            | Ability::Protect
            | Ability::Reach
            | Ability::Redemption
            | Ability::Repair
            | Ability::Resurrect
            | Ability::Retaliate
            | Ability::ReturnFire
            | Ability::Rust
            | Ability::Scavenger
            | Ability::Shield
            | Ability::Silence
            | Ability::Slow
            | Ability::Sneak
            | Ability::Snipe
            | Ability::Strengthen
            | Ability::Swiftness
            | Ability::TankHeal
            | Ability::Taunt
            | Ability::Thorns
            | Ability::Trample
            | Ability::Triage
            | Ability::Void
            | Ability::Weaken
            | Ability::Camouflage
            | Ability::CloseRange
            | Ability::Forcefield
            | Ability::Scattershot
            | Ability::TrueStrike => None,
        }
    }
}

#[cfg(test)]
mod tests {
    use strum::IntoEnumIterator;

    use super::*;

    #[test]
    fn what_a_hit_lays_on_is_said_in_the_row() {
        for ability in Ability::iter() {
            let is_one = ability.facts().works == Works::Infliction;
            assert_eq!(ability.infliction().is_some(), is_one, "{ability}");
        }
    }

    #[test]
    fn a_name_is_read_as_it_is_written() {
        for ability in Ability::iter() {
            assert_eq!(ability.facts().name.parse(), Ok(ability));
        }
    }
}
