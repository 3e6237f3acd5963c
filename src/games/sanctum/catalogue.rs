//! Minions and spells by name: the bundled ones, a scenario's own, and the recruits of the twelve nations.

use std::fmt::Write as _;
use std::sync::LazyLock;

use serde::Deserialize;
use strum::IntoEnumIterator;

use super::effect::{Classes, Effect, Stat, Weapon};
use super::form::entries::{MinionForm, RecruitsForm, SpellForm};
use super::nation::{Ability, House, TOUGHNESS};
use super::setup::Profile;
use crate::scenario::read_toml;

pub(super) const MINIONS: &str = include_str!("../../../scenarios/sanctum/cards/minions.toml");
pub(super) const SPELLS: &str = include_str!("../../../scenarios/sanctum/cards/spells.toml");

/// A spell that has been cast before combat.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Spell {
    /// Its name.
    pub name: String,
    /// Its house, if it has one.
    pub house: Option<House>,
    /// Whether it is on the group as a whole; on each of its minions otherwise.
    pub on_group: bool,
    /// The classes of minions that it can be on; empty for all minions.
    pub on: Classes,
    /// Whether it can be only on minions of its house.
    pub own_house: bool,
    /// The amounts that it adds to their numbers.
    pub gives: Vec<(Stat, i8)>,
    /// How much damage it deals them before the combat.
    pub damage: i8,
    /// Its effects in combat.
    pub effects: Vec<Effect>,
}

impl Spell {
    /// Whether it can be on a minion.
    #[must_use]
    pub fn can_be_on(&self, minion: &Profile) -> bool {
        let is_of_house = !self.own_house || self.house == minion.house;
        is_of_house && (self.on.is_empty() || !minion.classes().is_disjoint(self.on))
    }

    /// What it can be on, in words.
    #[must_use]
    pub fn can_be_on_in_words(&self) -> String {
        let classes: Vec<&str> = self.on.iter().map(Into::into).collect();
        let house = self.house.filter(|_| self.own_house);
        match (classes.is_empty(), house) {
            (true, None) => "any minion".to_owned(),
            (true, Some(house)) => format!("minions of {house}"),
            (false, None) => classes.join(", "),
            (false, Some(house)) => format!("{} of {house}", classes.join(", ")),
        }
    }

    /// Casts it on a minion, with all that it gives.
    pub fn cast_on(&self, minion: &mut Profile) {
        for &(stat, amount) in &self.gives {
            minion.add(stat, amount);
        }
        minion.wounds = minion.wounds.saturating_add(self.damage.into());
        minion.effects.extend(&self.effects);
    }
}

/// Minions and spells by name.
#[derive(Clone, Debug, Default)]
pub struct Catalogue {
    /// All minions.
    pub minions: Vec<Profile>,
    /// All spells.
    pub spells: Vec<Spell>,
    /// The names of the sources of effects, indexed by [`Effect::source`].
    pub names: Vec<String>,
}

/// A fault of an entry, or a warning about something that is probably not meant.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Complaint {
    /// Whether it is only a warning: the entry can be played as it is.
    pub is_warning: bool,
    /// The key at fault.
    pub key: &'static str,
    /// Index of the faulty entry in the list under that key; none for the whole value.
    pub entry: Option<usize>,
    /// What is wrong.
    pub message: String,
    /// What to do about it.
    pub remedy: String,
}

impl Catalogue {
    /// The recruits of all nations and the bundled entries.
    ///
    /// # Panics
    /// Never: a test reads the bundled entries.
    #[must_use]
    pub fn new(recruits: &RecruitsForm) -> Self {
        let mut catalogue = Self::default();
        for house in House::iter() {
            catalogue.add_recruits(house, recruits);
        }
        for minion in &bundled_minions().minions {
            let complaints = catalogue.add_minion(minion);
            assert!(complaints.is_empty(), "{}: {complaints:?}", minion.name);
        }
        for spell in &bundled_spells().spells {
            let complaints = catalogue.add_spell(spell);
            assert!(complaints.is_empty(), "{}: {complaints:?}", spell.name);
        }
        catalogue
    }

    fn add_recruits(&mut self, house: House, recruits: &RecruitsForm) {
        for (what, form) in [("swordsman", &recruits.swordsman), ("archer", &recruits.archer)] {
            let name = format!("{} {what}", house.nation());
            let mut profile = Profile {
                house: Some(house),
                armor: form.armor,
                hit_points: form.hit_points,
                level: form.level,
                ..Profile::recruit(&name, form.hand, form.missile)
            };
            match house.ability() {
                Ability::Tough => profile.hit_points += TOUGHNESS,
                other => {
                    let source = self.source(&name);
                    let has = |weapon: Weapon| match weapon {
                        Weapon::Hand => form.hand.is_some(),
                        Weapon::Missile => form.missile.is_some(),
                    };
                    // A recruit without the weapon of its nation's ability has no use of it.
                    let effect = other.effect().filter(|effect| effect.weapon.is_none_or(has));
                    profile.effects.extend(effect.map(|effect| Effect { source, ..effect }));
                }
            }
            self.minions.push(profile);
        }
    }

    /// Adds a minion, which replaces one of the same name; returns the complaints about it.
    pub fn add_minion(&mut self, form: &MinionForm) -> Vec<Complaint> {
        let source = self.source(&form.name);
        let (profile, complaints) = form.profile(source);
        match self.minions.iter_mut().find(|minion| minion.name == profile.name) {
            Some(known) => *known = profile,
            None => self.minions.push(profile),
        }
        complaints
    }

    /// Adds a spell, which replaces one of the same name; returns the complaints about it.
    pub fn add_spell(&mut self, form: &SpellForm) -> Vec<Complaint> {
        let source = self.source(&form.name);
        let (spell, complaints) = form.spell(source);
        match self.spells.iter_mut().find(|known| known.name == spell.name) {
            Some(known) => *known = spell,
            None => self.spells.push(spell),
        }
        complaints
    }

    fn source(&mut self, name: &str) -> u16 {
        let known = self.names.iter().position(|known| known == name);
        let source = known.unwrap_or_else(|| {
            self.names.push(name.to_owned());
            self.names.len() - 1
        });
        source as u16
    }

    /// The minion of this name.
    #[must_use]
    pub fn minion(&self, name: &str) -> Option<&Profile> {
        self.minions.iter().find(|minion| minion.name == name)
    }

    /// The spell of this name.
    #[must_use]
    pub fn spell(&self, name: &str) -> Option<&Spell> {
        self.spells.iter().find(|spell| spell.name == name)
    }
}

/// The recruits of all nations as the text of a list of minions, for scenarios that change one of them.
pub(super) fn recruits_as_minions(recruits: &RecruitsForm) -> String {
    let mut text = String::new();
    for house in House::iter() {
        for (what, form) in [("swordsman", &recruits.swordsman), ("archer", &recruits.archer)] {
            let (nation, ability) = (house.nation(), house.ability());
            let toughness = if ability == Ability::Tough { TOUGHNESS } else { 0 };
            let _ = writeln!(text, "[[minions]]\nname = \"{nation} {what}\"\nsort = \"recruit\"");
            let _ = writeln!(text, "house = \"{}\"", house.to_string().to_lowercase());
            for (weapon, damage) in [("hand", form.hand), ("missile", form.missile)] {
                if let Some(damage) = damage {
                    let _ = writeln!(text, "{weapon} = {damage}");
                }
            }
            let _ = writeln!(text, "attacks = {}", u8::from(!form.is_unarmed()));
            let _ = writeln!(text, "armor = {}\nlevel = {}", form.armor, form.level);
            let _ = writeln!(text, "hit_points = {}", form.hit_points.saturating_add(toughness));
            let of = match ability {
                Ability::Fierce if form.hand.is_some() => Some(("hand", 2)),
                Ability::Keen if form.missile.is_some() => Some(("missile", 1)),
                Ability::Fierce
                | Ability::Keen
                | Ability::Tough
                | Ability::Mountainwalk
                | Ability::Waterwalk => None,
            };
            if let Some((weapon, round)) = of {
                let _ = writeln!(
                    text,
                    "effects = [{{ when = \"attacks\", does = \"deal_more\", amount = 1, weapon = \"{weapon}\", \
                     rounds = [{round}, {round}] }}]"
                );
            }
        }
    }
    text
}

/// The file of the bundled minions.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct MinionsFile {
    pub(super) minions: Vec<MinionForm>,
}

/// The file of the bundled spells.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct SpellsFile {
    pub(super) spells: Vec<SpellForm>,
}

pub(super) fn bundled_minions() -> &'static MinionsFile {
    static READ: LazyLock<MinionsFile> =
        LazyLock::new(|| read_toml(MINIONS).expect("the bundled minions are well-formed"));
    &READ
}

pub(super) fn bundled_spells() -> &'static SpellsFile {
    static READ: LazyLock<SpellsFile> =
        LazyLock::new(|| read_toml(SPELLS).expect("the bundled spells are well-formed"));
    &READ
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn recruits_written_as_minions_are_the_recruits() {
        let numbers = "swordsman = { hand = 3, armor = 2, hit_points = 8, level = 2 }\n\
                       archer = { armor = 1, hit_points = 4 }";
        for recruits in [RecruitsForm::default(), read_toml(numbers).unwrap()] {
            let mut catalogue = Catalogue::default();
            House::iter().for_each(|house| catalogue.add_recruits(house, &recruits));
            let known = catalogue.clone();
            let file: MinionsFile = read_toml(&recruits_as_minions(&recruits)).unwrap();
            assert_eq!(file.minions.len(), 24);
            for form in &file.minions {
                catalogue.add_minion(form);
            }
            assert_eq!(catalogue.minions, known.minions);
        }
    }
}
