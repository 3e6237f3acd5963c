//! Why a Splinterlands battle goes as it does: which abilities and rulesets are behind what is told.

use enumset::EnumSet;
use serde_json::{Value, json};

use super::Teller;
use crate::game::Side;
use crate::games::splinterlands::ability::{Abilities, Ability};
use crate::games::splinterlands::cards::Stats;
use crate::games::splinterlands::event::{Attack, Blow, Cause};
use crate::games::splinterlands::rules::hit::MissPoints;
use crate::games::splinterlands::rules::prebattle::{
    USED_BY_SUMMONER, given_by, own_abilities, summoner_under,
};
use crate::games::splinterlands::rules::stats::DEBUFFS;
use crate::games::splinterlands::ruleset::Ruleset;
use crate::games::splinterlands::state::{Place, Places, Status};

/// What changed the damage of a blow on its way: the words, and the abilities in them.
#[derive(Default)]
pub(super) struct Changed {
    pub text: String,
    pub names: Vec<String>,
}

impl Teller<'_> {
    /// Where a monster has an ability from, if not from its card: from its summoner, else from a ruleset.
    pub(super) fn giver(&self, who: Place, ability: Ability) -> Option<String> {
        let rulesets = self.state.rulesets;
        let level = self.setup.catalogue.level(self.state.at(who).card);
        if own_abilities(rulesets, level).contains(ability) {
            return None;
        }
        let leader = self.state.leaders[who.side().index()].card;
        let leader = summoner_under(rulesets, &self.setup.catalogue, leader);
        if leader.abilities.contains(ability) {
            return Some(format!("summoner {}", who.side()));
        }
        let gives = |ruleset: &Ruleset| given_by(*ruleset, &level.stats).contains(ability);
        rulesets.iter().find(gives).map(|ruleset| ruleset.to_string())
    }

    /// A monster's ability by its name, with where it has it from, if not from its card.
    pub(super) fn named(&self, who: Place, ability: Ability) -> String {
        match self.giver(who, ability) {
            Some(giver) => format!("{ability} ({giver})"),
            None => ability.to_string(),
        }
    }

    /// What a summoner brings: numbers for both teams, what it gives to its monsters, and its other abilities.
    pub(super) fn leads(&self, side: Side) -> Vec<String> {
        let rulesets = self.state.rulesets;
        if rulesets.contains(Ruleset::SilencedSummoners) {
            return vec![format!("silenced by {}", Ruleset::SilencedSummoners)];
        }
        let leader = self.state.leaders[side.index()].card;
        let level = summoner_under(rulesets, &self.setup.catalogue, leader);
        let Stats { melee, ranged, magic, armor, health, speed } = level.stats;
        // Nobody has armor under Unprotected.
        let armor = if rulesets.contains(Ruleset::Unprotected) { 0 } else { armor };
        let numbers = [
            ("melee", melee),
            ("ranged", ranged),
            ("magic", magic),
            ("armor", armor),
            ("health", health),
            ("speed", speed),
        ];
        let those = |wanted: fn(i8) -> bool| {
            let some = numbers.iter().filter(|&&(_, amount)| wanted(amount));
            some.map(|(name, amount)| format!("{amount:+} {name}")).collect::<Vec<_>>().join(", ")
        };
        let names = |abilities: Abilities| {
            abilities.iter().map(|of| of.to_string()).collect::<Vec<_>>().join(", ")
        };
        let given = level.abilities - USED_BY_SUMMONER - Ability::Affliction - Ability::Blind;
        let parts = [
            (those(|amount| amount > 0), "", " for its monsters"),
            (those(|amount| amount < 0), "", " for its enemies"),
            (names(level.abilities - given), "", ""),
            (names(given), "gives ", ""),
        ];
        let told = parts.into_iter().filter(|(part, ..)| !part.is_empty());
        told.map(|(part, before, after)| format!("{before}{part}{after}")).collect()
    }

    /// What Cleanse has taken off a monster, by the abilities that had laid it on.
    pub(super) fn taken_off(
        &self,
        statuses: EnumSet<Status>,
        stunned: bool,
        poisoned: bool,
        weakeners: Places,
    ) -> Vec<String> {
        let of_status = |status: Status| match status {
            Status::Afflicted => Some(Ability::Affliction),
            Status::Snared => Some(Ability::Snare),
            Status::Halved => Some(Ability::Halving),
            Status::Unshielded | Status::LastStanding => None,
        };
        let own = [(stunned, Ability::Stun), (poisoned, Ability::Poison)];
        let own = own.into_iter().filter_map(|(is_so, ability)| is_so.then_some(ability));
        let names = own.chain(statuses.iter().filter_map(of_status)).map(|of| of.to_string());
        let of_enemies = weakeners.flat_map(|enemy| {
            let weakening = self.state.at(enemy).abilities & (DEBUFFS | Ability::Blind);
            weakening.iter().map(move |of| format!("{of} of {}", self.name(enemy)))
        });
        names.chain(of_enemies).collect()
    }

    /// Which abilities and rulesets let a monster attack this target on its own turn. The attack itself has changed
    /// nothing that they depend on, except that it has made the chosen target weaker.
    pub(super) fn aim(&self, blow: Blow) -> Vec<String> {
        let Blow { cause, by: Some(by), on, .. } = blow else { return Vec::new() };
        let kind = match cause {
            Cause::Melee => Attack::Melee,
            Cause::Ranged => Attack::Ranged,
            Cause::Magic => Attack::Magic,
            _ => return Vec::new(),
        };
        let (state, monster) = (self.state, self.state.at(by));
        let enemies = state.team(on.side());
        let Some(front) = enemies.first() else { return Vec::new() };
        if state.team(by.side()).is_led_by(by) {
            let Attack::Ranged = kind else { return Vec::new() };
            return vec![if monster.has(Ability::CloseRange) {
                self.named(by, Ability::CloseRange)
            } else {
                Ruleset::CloseRange.to_string()
            }];
        }
        if kind != Attack::Melee && monster.has(Ability::Scattershot) {
            return vec![self.named(by, Ability::Scattershot)];
        }
        if state.reaches_for_the_front(by, kind) {
            return vec![self.named(by, Ability::Reach)];
        }
        let chooser = [Ability::Sneak, Ability::Snipe, Ability::Opportunity]
            .into_iter()
            .find(|&ability| monster.has(ability));
        let mut told = Vec::new();
        // From behind the front, a melee attack is possible only by one of these.
        if kind == Attack::Melee {
            let lets = [Ability::Sneak, Ability::Opportunity]
                .into_iter()
                .find(|&ability| monster.has(ability));
            told.push(match lets {
                Some(ability) => self.named(by, ability),
                None => Ruleset::MeleeMayhem.to_string(),
            });
        }
        let mut seen = enemies.without(state.hidden);
        seen.insert(front);
        if state.taunters.and(seen).first() == Some(on) {
            if state.chosen_target(monster, front, seen, Places::default()) != on {
                told.push(format!("{} of the target", self.named(on, Ability::Taunt)));
            }
        } else if on != front
            && let Some(ability) = chooser
        {
            let name = self.named(by, ability);
            if !told.contains(&name) {
                told.push(name);
            }
        }
        told
    }

    /// What the chance to miss of a blow is made of, as it was before the blow; None where it could not miss.
    fn miss_points(&self, blow: Blow) -> Option<MissPoints> {
        let Blow { by: Some(by), on, percent, hit, .. } = blow else { return None };
        if percent >= 100 {
            return None;
        }
        let mut points = self.state.miss_points(by, on);
        if hit {
            // The target may have been enraged by the blow, which changes its speed but nothing else of this.
            points.speed = 0;
            points.speed = 100 - i32::from(percent) - points.sum();
        }
        Some(points)
    }

    /// The chance to miss of a blow for machines.
    pub(super) fn points(&self, blow: Blow) -> Value {
        let Some(MissPoints { speed, dodge, flying, blind }) = self.miss_points(blow) else {
            return Value::Null;
        };
        json!({ "speed": speed, "dodge": dodge, "flying": flying, "blind": blind })
    }

    /// The chance to hit, and what makes it less than certain.
    pub(super) fn odds(&self, blow: Blow) -> String {
        let Some(MissPoints { speed, dodge, flying, blind }) = self.miss_points(blow) else {
            return String::new();
        };
        let parts = [
            (speed, "speed".to_owned()),
            (dodge, self.named(blow.on, Ability::Dodge)),
            (flying, self.named(blow.on, Ability::Flying)),
            (blind, Ability::Blind.to_string()),
        ];
        let some = parts.into_iter().filter(|&(points, _)| points > 0);
        let told: Vec<String> = some.map(|(points, name)| format!("-{points} {name}")).collect();
        format!(" ({}% to hit: {})", blow.percent, told.join(", "))
    }

    /// What changed the damage of a blow before it came to armor and health.
    pub(super) fn changed(&self, blow: Blow) -> Changed {
        let Blow { by, on, hit, attack, power, magic, shielded, force, .. } = blow;
        let mut changed = Changed::default();
        if !hit {
            return changed;
        }
        let target = self.state.at(on);
        if power < attack {
            let name = self.named(on, Ability::Forcefield);
            changed.text = format!(", cut from {attack} by {name}");
            changed.names.push(name);
        } else if power > attack
            && let Some(by) = by
        {
            let has = |ability| self.state.at(by).has(ability);
            if has(Ability::KnockOut) && self.state.stunned.has(on) {
                changed.names.push(self.named(by, Ability::KnockOut));
            }
            if has(Ability::Oppress) && !target.attacks() {
                changed.names.push(self.named(by, Ability::Oppress));
            }
            changed.text = format!(", raised from {attack} by {}", super::listed(&changed.names));
        }
        if force < power && !shielded {
            let name = self.named(on, if magic { Ability::Void } else { Ability::Shield });
            changed.text += &match force {
                0 => format!(", stopped by {name}"),
                left => format!(", halved to {left} by {name}"),
            };
            changed.names.push(name);
        }
        changed
    }

    /// What let a blow through armor, or made armor take magic.
    pub(super) fn passed(&self, blow: Blow) -> Vec<String> {
        let Blow { by, magic, to_armor, to_health, .. } = blow;
        match by {
            _ if magic && to_armor > 0 => vec![Ruleset::WeakMagic.to_string()],
            Some(by) if to_armor > 0 && to_health > 0 => vec![self.named(by, Ability::Piercing)],
            _ => Vec::new(),
        }
    }
}
