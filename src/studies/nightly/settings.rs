//! What a scenario's files said when its baseline was written: the numbers of the cards that take part, and the rest
//! of the scenario. So a later night can report what was changed in them.

use std::collections::{BTreeMap, BTreeSet};

use serde::{Deserialize, Serialize};
use toml::Value;

use crate::engine::{Engine, rules_of};
use crate::scenario::{Document, Faults, quoted};

/// Keys of a scenario that concern no card, or only how the scenario is run.
const LEFT_OUT: [&str; 7] = ["battles", "changes", "output", "question", "seed", "sweep", "watch"];
/// Keys under which a scenario defines cards of its own.
const OF_CARDS: [&str; 5] = ["cards", "minions", "monsters", "new_cards", "spells"];
/// The key for a card's abilities, which are kept beside its numbers.
const ABILITIES: &str = "abilities";

/// What the files of a scenario say.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
#[serde(expecting = "what the files of a scenario say, in braces")]
pub struct Settings {
    /// For each card that takes part: its numbers after the scenario's changes, one for each level where it has
    /// levels, and its abilities. A number that is 0 is left out.
    pub cards: Pairs<BTreeMap<String, String>>,
    /// Everything else that the scenario says, by path.
    pub scenario: Pairs<String>,
}

/// A map that is written as a list of pairs, one per line.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(transparent)]
pub struct Pairs<T>(#[serde(with = "as_pairs")] BTreeMap<String, T>)
where
    T: Serialize + for<'d> Deserialize<'d>;

impl<T: Serialize + for<'d> Deserialize<'d>> Default for Pairs<T> {
    fn default() -> Self {
        Self(BTreeMap::new())
    }
}

impl<T: Serialize + for<'d> Deserialize<'d>> Pairs<T> {
    /// All pairs, in the order of their names.
    pub fn iter(&self) -> impl Iterator<Item = (&String, &T)> {
        self.0.iter()
    }
}

mod as_pairs {
    use std::collections::BTreeMap;

    use serde::{Deserialize, Deserializer, Serialize, Serializer};

    pub(super) fn serialize<S: Serializer, T: Serialize>(
        map: &BTreeMap<String, T>,
        serializer: S,
    ) -> Result<S::Ok, S::Error> {
        serializer.collect_seq(map.iter())
    }

    pub(super) fn deserialize<'d, D: Deserializer<'d>, T: Deserialize<'d>>(
        deserializer: D,
    ) -> Result<BTreeMap<String, T>, D::Error> {
        Ok(Vec::<(String, T)>::deserialize(deserializer)?.into_iter().collect())
    }
}

/// One difference between what the files say now and what they said before.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FileChange {
    /// The card that changed; None where the change is not about a card.
    pub card: Option<String>,
    /// What changed, from what to what: `melee 1/1/2 → 2/2/3`.
    pub what: String,
}

impl FileChange {
    /// The change in one line: `Pit Ogre: health 6 → 7`.
    #[must_use]
    pub fn told(&self) -> String {
        match &self.card {
            Some(card) => format!("{card}: {}", self.what),
            None => self.what.clone(),
        }
    }
}

impl Settings {
    /// What a scenario says of the cards that take part, given by name, and of everything but cards.
    ///
    /// # Errors
    /// Every fault of the document.
    pub fn of(
        document: &Document,
        engine: &dyn Engine,
        taking_part: &BTreeSet<&str>,
    ) -> Result<Self, Faults> {
        let mut cards: BTreeMap<String, BTreeMap<String, String>> = BTreeMap::new();
        // The numbers of cards that a scenario defines itself are reported with the cards.
        let mut told_of_cards = BTreeSet::new();
        for number in rules_of(document)?.numbers(document)? {
            told_of_cards.insert(format!("{}.{}", quoted(&number.card), number.key));
            if taking_part.contains(number.card.as_str()) {
                let card = cards.entry(number.card).or_default();
                if number.values.iter().any(|&value| value != 0) {
                    card.insert(number.key, by_level(&number.values));
                }
            }
        }
        for (at, unit) in engine.layout().units.iter().enumerate() {
            if let Some(card) = cards.get_mut(&unit.name) {
                let abilities = engine.abilities(at as u16).join(", ");
                if !abilities.is_empty() {
                    card.insert(ABILITIES.to_owned(), abilities);
                }
            }
        }
        let mut scenario = BTreeMap::new();
        // The document has been read as TOML before, so this cannot fail.
        if let Ok(table) = document.source.inner().parse::<toml::Table>() {
            for (key, value) in table.iter().filter(|(key, _)| !LEFT_OUT.contains(&key.as_str())) {
                flatten(key, value, &mut scenario);
            }
        }
        let is_of_card = |path: &str| {
            path.split_once('.').is_some_and(|(_, below)| told_of_cards.contains(below))
        };
        scenario.retain(|path, _| !is_of_card(path));
        Ok(Self { cards: Pairs(cards), scenario: Pairs(scenario) })
    }

    /// What these files say that earlier ones did not, cards first.
    #[must_use]
    pub fn changes_since(&self, earlier: &Self) -> Vec<FileChange> {
        let mut found = Vec::new();
        let mut add = |card: Option<&String>, what: String| {
            found.push(FileChange { card: card.cloned(), what });
        };
        let names: BTreeSet<&String> = earlier.cards.0.keys().chain(self.cards.0.keys()).collect();
        for name in names {
            let (before, after) = match (earlier.cards.0.get(name), self.cards.0.get(name)) {
                (Some(before), Some(after)) => (before, after),
                (Some(_), None) => {
                    add(Some(name), "takes part no more".to_owned());
                    continue;
                }
                (None, _) => {
                    add(Some(name), "takes part since".to_owned());
                    continue;
                }
            };
            let keys: BTreeSet<&String> = before.keys().chain(after.keys()).collect();
            for key in keys {
                let absent = if key == ABILITIES { "none" } else { "0" };
                let [old, new] =
                    [before, after].map(|of| of.get(key).map_or(absent, String::as_str));
                if old != new {
                    add(Some(name), format!("{key} {old} → {new}"));
                }
            }
        }
        let otherwise_able = |card: &String| {
            let of = |settings: &Self| settings.cards.0.get(card)?.get(ABILITIES).cloned();
            of(self) != of(earlier)
        };
        let (before, after) = (&earlier.scenario.0, &self.scenario.0);
        let paths: BTreeSet<&String> = before.keys().chain(after.keys()).collect();
        for path in paths {
            let [old, new] = [before, after].map(|of| of.get(path).map_or("none", String::as_str));
            if old != new {
                let of_card = [self, earlier].into_iter().find_map(|of| of.card_at(path));
                match of_card {
                    // What its abilities say is told above.
                    Some((card, key)) if key.starts_with("effects.") && otherwise_able(card) => {}
                    Some((card, key)) => add(Some(card), format!("{key} {old} → {new}")),
                    None => add(None, format!("{path}: {old} → {new}")),
                }
            }
        }
        found
    }

    /// The card that a path of the scenario defines, and the rest of the path; None where it defines none that takes part.
    fn card_at<'p>(&self, path: &'p str) -> Option<(&String, &'p str)> {
        let (key, below) = path.split_once('.')?;
        let of = |card: &String| below.strip_prefix(&quoted(card))?.strip_prefix('.');
        OF_CARDS.contains(&key).then_some(())?;
        self.cards.0.keys().find_map(|card| Some((card, of(card)?)))
    }
}

/// One number where all levels have the same, otherwise one for each level.
fn by_level(values: &[i64]) -> String {
    match values {
        [first, rest @ ..] if rest.iter().all(|value| value == first) => first.to_string(),
        values => values.iter().map(i64::to_string).collect::<Vec<_>>().join("/"),
    }
}

/// Adds the leaves of a value by their paths. Tables in a list are identified by their names; other lists are leaves.
fn flatten(path: &str, value: &Value, to: &mut BTreeMap<String, String>) {
    match value {
        Value::Table(table) => {
            for (key, value) in table {
                flatten(&format!("{path}.{key}"), value, to);
            }
        }
        Value::Array(items) if items.iter().any(Value::is_table) => {
            for (at, item) in items.iter().enumerate() {
                let name = ["name", "title", "card"].iter().find_map(|key| item.get(key)?.as_str());
                let at = name.map_or_else(|| at.to_string(), quoted);
                flatten(&format!("{path}.{at}"), item, to);
            }
        }
        Value::String(_)
        | Value::Integer(_)
        | Value::Float(_)
        | Value::Boolean(_)
        | Value::Datetime(_)
        | Value::Array(_) => {
            to.insert(path.to_owned(), value.to_string());
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::engine::Scenario;
    use crate::scenario::Folder;

    const DUEL: &str = "game = \"splinterlands\"\nbattles = 10\nleague = \"silver\"\nmana_caps = [30]\n\
        [rulesets]\nfixed = [\"Standard\"]\n[[teams]]\nname = \"Fire\"\nsummoner = \"Malric Inferno\"\nmonsters = [\"Giant Roc\", \"Pit Ogre\"]\n\
        [[teams]]\nname = \"Water\"\nsummoner = \"Alric Stormbringer\"\nmonsters = [\"Sea Genie\"]\n\
        [sides]\na = [\"Fire\"]\nb = [\"Water\"]\n";

    fn settings(text: &str) -> Settings {
        let document = Document::new("x.toml", text.to_owned(), Folder::Disk("".into()));
        let scenario = Scenario::of(&document).expect("it can be played");
        let names = ["Giant Roc", "Pit Ogre", "Sea Genie", "Malric Inferno"];
        Settings::of(&document, scenario.engine(), &names.into_iter().collect()).expect("numbers")
    }

    fn told(earlier: &str, later: &str) -> Vec<String> {
        let changes = settings(later).changes_since(&settings(earlier));
        changes.iter().map(FileChange::told).collect()
    }

    #[test]
    fn cards_that_take_part_are_told_with_their_numbers() {
        assert!(told(DUEL, DUEL).is_empty());
        let changed = format!("{DUEL}[changes.\"Giant Roc\"]\nmelee = \"+1\"\nspeed = 9\n");
        let lines = told(DUEL, &changed);
        assert_eq!(lines.len(), 2, "{lines:?}");
        assert!(lines[0].starts_with("Giant Roc: melee ") && lines[0].contains(" → "), "{lines:?}");
        assert!(lines[1].ends_with("→ 9"), "{lines:?}");
        let elsewhere = format!("{DUEL}[changes.\"Furious Chicken\"]\nhealth = \"+1\"\n");
        assert!(told(DUEL, &elsewhere).is_empty(), "it takes no part");
    }

    #[test]
    fn the_rest_of_a_scenario_is_told_by_its_paths() {
        let changed = DUEL
            .replace("[30]", "[24, 30]")
            .replace("\"Giant Roc\", \"Pit Ogre\"", "\"Pit Ogre\", \"Giant Roc\"")
            .replace("battles = 10", "battles = 99 # more");
        assert_eq!(
            told(DUEL, &changed),
            [
                "mana_caps: [30] → [24, 30]",
                "teams.\"Fire\".monsters: [\"Giant Roc\", \"Pit Ogre\"] → [\"Pit Ogre\", \"Giant Roc\"]"
            ]
        );
    }

    #[test]
    fn abilities_are_told() {
        let changed = format!("{DUEL}[changes.\"Pit Ogre\"]\nabilities = [\"Thorns\"]\n");
        let told = told(DUEL, &changed);
        assert!(told.iter().any(|line| line.contains("Pit Ogre: abilities")), "{told:?}");
    }
}
