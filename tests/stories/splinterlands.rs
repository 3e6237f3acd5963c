//! How a Splinterlands battle is told.

use std::collections::BTreeMap;

use evens::Scenario;
use evens::engine::{Battle, Dice, Place};
use evens::scenario::{Document, Folder};
use evens::story::{Fate, Step};
use evens::tally::Assignment;
use serde_json::Value;

/// Two small teams whose front may fall first, which leaves the monster behind it to its Last Stand.
const LAST_STAND: &str = r#"game = "splinterlands"
battles = 60
league = "gold"
[rulesets]
fixed = ["Standard"]
[[teams]]
name = "Fire"
summoner = "Malric Inferno"
monsters = ["Pit Ogre", "Fire Beetle"]
[[teams]]
name = "Water"
summoner = "Alric Stormbringer"
monsters = ["Sea Genie", "Torhilo the Frozen"]
[sides]
a = ["Fire"]
b = ["Water"]
"#;

fn steps(scenario: &Scenario, index: u64) -> Vec<Step> {
    let engine = scenario.engine();
    let assignment = Assignment::new(engine.layout());
    let place = Place::Assigned(&assignment);
    engine.step(Battle { seed: scenario.common.seed, index, dice: Dice::Seeded, place }).steps
}

/// Whoever keeps the state that was last told of each unit has the numbers that are on the board, at every step.
#[test]
fn every_change_of_a_number_is_told() {
    let mut by_death = BTreeMap::new();
    let bundled = ["drawn-teams", "earthquake-weaken", "archetypes", "official-ties"];
    let mut scenarios: Vec<Scenario> = bundled
        .iter()
        .map(|name| Scenario::read(format!("splinterlands/{name}")).unwrap())
        .collect();
    let last_stand = Document::new("last.toml", LAST_STAND.to_owned(), Folder::Disk("".into()));
    scenarios.push(Scenario::of(&last_stand).unwrap());
    for scenario in scenarios {
        let name = &scenario.name;
        for index in 0..60 {
            let mut told: BTreeMap<String, Value> = BTreeMap::new();
            for step in steps(&scenario, index) {
                for line in &step.lines {
                    let (facts, event) = (&line.facts, line.facts["event"].as_str().unwrap());
                    if let (Some(target), Some(_)) =
                        (facts["target"].as_str(), facts["state"].as_object())
                    {
                        told.insert(target.to_owned(), facts["state"].clone());
                    }
                    if ["aura_end", "last_stand"].contains(&event) {
                        *by_death.entry(event.to_owned()).or_insert(0) += 1;
                    }
                }
                let zones = step.board.sides.iter().flat_map(|side| &side.zones);
                let units = zones.flat_map(|zone| zone.spaces.iter().flatten());
                let fighting =
                    units.filter(|unit| unit.fate == Fate::There && !unit.numbers.is_empty());
                for unit in fighting {
                    for number in &unit.numbers {
                        let known = &told[&unit.id][number.name];
                        let lines: Vec<&str> = step.lines.iter().map(|line| &*line.text).collect();
                        assert_eq!(
                            *known, number.value,
                            "{name} {index}: {} of {} after {lines:?}",
                            number.name, unit.id
                        );
                    }
                }
            }
        }
    }
    assert!(by_death["aura_end"] > 20 && by_death["last_stand"] > 0, "{by_death:?}");
}

/// Whoever attacks nobody on a turn of its own is stunned, or it is told why: nobody else is told to be unable to.
#[test]
fn a_turn_without_an_attack_says_why() {
    let mut seen = BTreeMap::new();
    for name in ["drawn-teams", "archetypes", "official-ties", "heavy-hitters-novice"] {
        let scenario = Scenario::read(format!("splinterlands/{name}")).unwrap();
        for index in 0..60 {
            let lines: Vec<_> =
                steps(&scenario, index).into_iter().flat_map(|step| step.lines).collect();
            let mut turns: Vec<&[evens::story::Line]> =
                lines.split_inclusive(|line| line.facts["event"] == "round").collect();
            turns = turns
                .iter()
                .flat_map(|round| round.chunk_by(|_, next| next.facts["event"] != "turn"))
                .filter(|turn| turn[0].facts["event"] == "turn")
                .collect();
            // The last turn may find nobody left to attack.
            for turn in turns.iter().rev().skip(1) {
                let actor = &turn[0].facts["actor"];
                let of_actor = |event: &str, as_whom: &str| {
                    let is_it = |line: &&evens::story::Line| {
                        line.facts["event"] == event && line.facts[as_whom] == *actor
                    };
                    turn.iter().filter(is_it).count()
                };
                let own = ["Melee", "Ranged", "Magic"];
                let attacks = turn.iter().any(|line| {
                    line.facts["actor"] == *actor
                        && own.iter().any(|cause| line.facts["cause"] == *cause)
                });
                let stunned = of_actor("skips_turn", "target") > 0;
                let why = turn[0].facts["cannot_attack"].as_str();
                assert_eq!(why.is_none(), attacks || stunned, "{name} {index}: {}", turn[0].text);
                if let Some(why) = why {
                    assert!(turn[0].text.ends_with(&format!("): {why}")), "{}", turn[0].text);
                    *seen.entry(why.to_owned()).or_insert(0) += 1;
                }
            }
        }
    }
    let reasons: Vec<&str> = seen.keys().map(String::as_str).collect();
    assert_eq!(reasons, ["no attack", "too close to shoot", "too far back to attack"]);
}

/// The end of an aura is told with the numbers that it concerns, and with what they are now.
#[test]
fn what_a_death_gives_back_is_told_in_words() {
    let scenario = Scenario::read("splinterlands/earthquake-weaken").unwrap();
    let ends = |line: &&evens::story::Line| line.facts["event"] == "aura_end";
    let steps = (0..20).flat_map(|index| steps(&scenario, index));
    let lines: Vec<_> = steps.flat_map(|step| step.lines).collect();
    let told = lines.iter().find(ends).map(|line| &*line.text);
    let expected = "Weaken of B1 Undead Priest ends: A1 Undead Priest, health 3/3";
    assert_eq!(told, Some(expected));
}

/// Enrage begins with the first wound and ends with the last one that is healed; both change attacks and speed.
#[test]
fn enrage_is_told_when_it_begins_and_when_it_ends() {
    let text = LAST_STAND
        .replace("\"Fire Beetle\"", "\"Goblin Shaman\"")
        .replace("\"Pit Ogre\"", "\"Living Lava\"")
        .replace("\"Sea Genie\"", "\"The Kraken\", \"Crustacean King\"")
        .replace("\"Torhilo the Frozen\"", "\"Albatross\"");
    let document = Document::new("rage.toml", text, Folder::Disk("".into()));
    let scenario = Scenario::of(&document).unwrap();
    let steps = (0..20).flat_map(|index| steps(&scenario, index));
    let lines: Vec<_> = steps.flat_map(|step| step.lines).collect();
    let told = |says: &str| lines.iter().any(|line| line.text.contains(says));
    assert!(told("for 1: -1 health, health 12/13, armor 0/3, enraged: melee 6, speed 5"));
    assert!(!told("health 11/13, armor 0/3, enraged"), "only the first wound begins it");
    let healed =
        "The Kraken 1 health, health 13/13, armor 0/3, no longer enraged: melee 4, speed 3";
    assert!(told(healed));
}

/// The lines of some battles of the two small teams under a ruleset, with changes to their cards.
fn told_with(ruleset: &str, changes: &str) -> Vec<String> {
    let edition = "battles = 60\nedition = \"2022\"";
    let text = LAST_STAND.replace("\"Standard\"", &format!("\"{ruleset}\""));
    let text = text.replace("battles = 60", edition) + changes;
    let document = Document::new("changes.toml", text, Folder::Disk("".into()));
    let scenario = Scenario::of(&document).unwrap_or_else(|faults| panic!("{faults:?}"));
    let steps = (0..30).flat_map(|index| steps(&scenario, index));
    steps.flat_map(|step| step.lines).map(|line| line.text).collect()
}

fn assert_some(told: &[String], parts: &[&str]) {
    let is_told = told.iter().any(|line| parts.iter().all(|part| line.contains(part)));
    assert!(is_told, "{parts:?}\n{}", told[..told.len().min(60)].join("\n"));
}

/// Whatever makes a blow stronger or weaker is named, with where its bearer has it from.
#[test]
fn what_changes_a_blow_is_named() {
    const OGRE: &str = "[changes.\"Pit Ogre\"]\nmelee = 5\nspeed = 9\nhealth = 30\n";
    const GENIE: &str = "[changes.\"Sea Genie\"]\nmagic = 2\nspeed = 1\nhealth = 30\n";
    let with = |ruleset: &str, ogre: &str, genie: &str, more: &str| {
        let ogre = format!("{OGRE}{ogre}\n");
        told_with(ruleset, &format!("{ogre}{GENIE}{genie}\n{more}"))
    };
    let bare = "abilities = []";
    let shield = "[changes.\"Alric Stormbringer\"]\nabilities = [\"Shield\"]\n";
    let told = with("Standard", "abilities = [\"Void\", \"Double Strike\"]", bare, shield);
    assert_some(&told, &["Side B: Alric Stormbringer", "+1 magic for its monsters; gives Shield"]);
    assert_some(&told, &["B1 Sea Genie", "; Shield (summoner B)"]);
    let halved = "B1 Sea Genie for 6, halved to 3 by Shield (summoner B): -3 health";
    assert_some(&told, &["Melee: A1 Pit Ogre on ", halved]);
    assert_some(&told, &["A1 Pit Ogre for 3, halved to 2 by Void: -2 health"]);
    assert_some(&told, &["A1 Pit Ogre attacks again: Double Strike"]);
    let sneak = "abilities = [\"Void\"]\n[changes.\"Fire Beetle\"]\nmelee = 1\nranged = 0\n\
                 abilities = [\"Sneak\"]";
    let told = with("Silenced Summoners", sneak, "abilities = [\"Flying\"]", "");
    assert_some(&told, &["Side A: Malric Inferno", ": silenced by Silenced Summoners"]);
    assert_some(&told, &["Melee: A2 Fire Beetle on B2 Torhilo the Frozen by Sneak"]);
    assert_some(&told, &["Melee: A1 Pit Ogre on B1 Sea Genie (75% to hit: -25 Flying)"]);
    let told = with("Standard", "abilities = [\"Oppress\"]", bare, "");
    assert!(!told.iter().any(|line| line.contains("raised from")), "its targets attack");
    let told = told_with(
        "Standard",
        &format!(
            "{OGRE}abilities = [\"Oppress\", \"Piercing\"]\n{}armor = 2\n{bare}\n",
            GENIE.replace("magic = 2", "magic = 0")
        ),
    );
    let pierced = "for 12, raised from 6 by Oppress: -2 armor, -10 health by Piercing, ";
    assert_some(&told, &["A1 Pit Ogre on B1 Sea Genie", pierced]);
    let told = with("Heavy Hitters", "abilities = [\"Stun\"]", bare, "");
    assert_some(&told, &["A1 Pit Ogre", "; Knock Out (Heavy Hitters), Stun"]);
    assert_some(
        &told,
        &["B1 Sea Genie for 6, raised from 3 by Knock Out (Heavy Hitters): -6 health"],
    );
    let told = with("Standard", bare, "abilities = [\"Forcefield\"]", "");
    assert_some(&told, &["B1 Sea Genie for 1, cut from 6 by Forcefield: -1 health"]);
    let told = with("Weak Magic", "armor = 5\nabilities = []", bare, "");
    assert_some(&told, &["A1 Pit Ogre for 3: -3 armor by Weak Magic, "]);
    let weak = GENIE.replace("magic = 2", "magic = 1");
    let told = told_with(
        "Silenced Summoners",
        &format!("{OGRE}abilities = [\"Void\"]\n{weak}abilities = []\n"),
    );
    assert_some(&told, &["A1 Pit Ogre for 1, stopped by Void: no harm done"]);
}

/// Cleanse says what it took off: what hits have laid on, and the penalties of which enemies.
#[test]
fn what_is_cleansed_is_named() {
    let told = told_with(
        "Standard",
        "[changes.\"Pit Ogre\"]\nspeed = 9\nhealth = 30\nabilities = [\"Poison\"]\n\
         [changes.\"Fire Beetle\"]\nspeed = 1\nabilities = [\"Slow\", \"Blind\"]\n\
         [changes.\"Sea Genie\"]\nspeed = 4\nhealth = 30\nabilities = []\n\
         [changes.\"Torhilo the Frozen\"]\nspeed = 3\nabilities = [\"Cleanse\"]\n",
    );
    let cleanses = "B2 Torhilo the Frozen cleanses B1 Sea Genie of ";
    let weakened = "Blind of A2 Fire Beetle and Slow of A2 Fire Beetle, ";
    assert_some(&told, &[&format!("{cleanses}Poison, {weakened}")]);
    assert_some(&told, &[&format!("{cleanses}{weakened}")]);
    assert_some(&told, &[&format!("{cleanses}Poison, magic ")]);
    assert!(!told.iter().any(|line| line.contains(" of , ")));
}
