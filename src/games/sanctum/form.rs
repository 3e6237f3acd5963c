//! The form of a Sanctum scenario file, and the checks on it.

mod effects;
pub mod entries;
mod groups;
mod map;

use std::collections::BTreeMap;

use schemars::JsonSchema;
use serde::Deserialize;
use toml::de::DeTable;

use super::Sanctum;
use super::catalogue::{Catalogue, Complaint, MINIONS, SPELLS, recruits_as_minions};
use super::open_rules::OpenRules;
use super::setup::{Company, First, Setup};
use super::state::Player;
use crate::scenario::{Checker, Common, Form, Shelf, Spot, can_be_a_name, read_value};
use entries::{MinionForm, RecruitsForm, SpellForm};
use map::MapForm;

/// The game's part of a scenario.
#[derive(Clone, Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct File {
    /// What every nation's recruits have in common.
    #[serde(default)]
    recruits: RecruitsForm,
    /// How rules are read that the page leaves open.
    #[serde(default)]
    rules: OpenRules,
    /// Minions of this scenario's own; one with the name of a bundled minion takes its place.
    #[serde(default)]
    minions: Vec<MinionForm>,
    /// Spells of this scenario's own; one with the name of a bundled spell takes its place.
    #[serde(default)]
    spells: Vec<SpellForm>,
    /// Minions and spells that are other than the bundled ones, and recruits of single nations, by name:
    /// `[changes."Brimstone Dragon"]` with whatever is to stand in place of its own; a string with a sign is more (`"+1"`) or
    /// less (`"-1"`).
    #[serde(default, rename = "changes")]
    _changes: BTreeMap<String, BTreeMap<String, serde_json::Value>>,
    /// Groups of minions.
    #[schemars(length(min = 1))]
    groups: Vec<GroupForm>,
    /// Who fights whom, for single combats.
    #[serde(default)]
    sides: Option<SidesForm>,
    /// Where groups stand, for a whole combat phase.
    #[serde(default)]
    map: Option<MapForm>,
}

/// A group of minions.
#[derive(Clone, Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
struct GroupForm {
    /// Its name.
    name: String,
    /// Its minions, first to last, at most eight: `"Elf archer"`, several of them as `"3 Elf archer"`, at
    /// another level than their own as `"Elf archer@2"`, with spells on them as `"Elf archer + BloodLust"`.
    #[schemars(length(min = 1))]
    minions: Vec<String>,
    /// Spells on all of its minions that they can be on, or on the group as a whole.
    #[serde(default)]
    spells: Vec<String>,
}

/// Who fights whom, for single combats.
#[derive(Clone, Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
struct SidesForm {
    /// The groups on side A. Everybody on side A meets everybody on side B.
    #[schemars(length(min = 1))]
    a: Vec<String>,
    /// The groups on side B.
    #[schemars(length(min = 1))]
    b: Vec<String>,
    /// Which side's group has precedence.
    #[serde(default)]
    precedence: PrecedenceForm,
}

/// Which side's group has precedence.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
enum PrecedenceForm {
    /// Side A's.
    A,
    /// Side B's.
    B,
    /// Either, equally likely, drawn for each battle.
    #[default]
    Either,
}

impl PrecedenceForm {
    fn first(self) -> First {
        match self {
            Self::A => First::Always(Player::Blue),
            Self::B => First::Always(Player::Red),
            Self::Either => First::Either,
        }
    }
}

const MINIONS_LISTED: &str = "`evens list minions` names them all";
const SPELLS_LISTED: &str = "`evens list spells` names them all";

impl Form for Sanctum {
    type File = File;

    const CHANGEABLE: &'static [Shelf] = &[
        Shelf {
            list: "minions",
            noun: "minion",
            name: "name",
            bundled: MINIONS,
            file: None,
            listing: "evens list minions",
            tunable: &["hand", "missile", "attacks", "armor", "hit_points", "level", "amount"],
            made: Some(recruits_of),
        },
        Shelf {
            list: "spells",
            noun: "spell",
            name: "name",
            bundled: SPELLS,
            file: None,
            listing: "evens list spells",
            tunable: &["hand", "missile", "attacks", "armor", "hit_points", "level", "amount"],
            made: None,
        },
    ];

    fn can_come_up(setup: &Setup, name: &str) -> bool {
        setup.has(name)
    }

    fn check(file: File, _: &Common, checker: &mut Checker<'_>) -> Option<Setup> {
        let catalogue = catalogue(&file, checker);
        let (companies, bench) = groups::companies(&file, &catalogue, checker);
        let setup = match (&file.sides, &file.map) {
            (Some(sides), None) => duels(&file, sides, companies, &catalogue, checker),
            (None, Some(map)) => map::phase(&file, map, companies, &catalogue, checker),
            (Some(_), Some(_)) => {
                let message = "both `[sides]` and `[map]`";
                let remedy = "a scenario is either single combats or a combat phase on a map";
                checker.key_fault(&Spot::top().key("map"), message, remedy);
                None
            }
            (None, None) => {
                let message = "neither `[sides]` nor `[map]`: nobody fights";
                let remedy = "`[sides]` lists groups that meet in single combats, `[map]` places them for \
                              a combat phase";
                checker.key_fault(&Spot::top().key("groups"), message, remedy);
                None
            }
        };
        let setup = setup?.with_open_rules(file.rules).with_bench(bench);
        checker.is_clean().then_some(setup)
    }
}

/// The recruits of all nations as the text of a list of minions. Where the scenario's numbers for recruits are
/// faulty, which the check of the file's shape reports, the default numbers stand in: the names are the same.
fn recruits_of(scenario: &DeTable<'_>) -> String {
    let form: Option<RecruitsForm> =
        scenario.get("recruits").and_then(|recruits| read_value(recruits).ok());
    recruits_as_minions(&form.unwrap_or_default())
}

/// The catalogue of the bundled entries and the scenario's own.
fn catalogue(file: &File, checker: &mut Checker<'_>) -> Catalogue {
    for (key, form) in [("swordsman", &file.recruits.swordsman), ("archer", &file.recruits.archer)]
    {
        if form.is_unarmed() {
            let message = format!("a {key} without a weapon never attacks");
            let spot = Spot::top().key("recruits").key(key);
            checker.warn(&spot, message, "give it `hand` or `missile`");
        }
    }
    let mut catalogue = Catalogue::new(&file.recruits);
    let (minions, spells) = (Spot::top().key("minions"), Spot::top().key("spells"));
    let names = file.minions.iter().map(|minion| minion.name.as_str());
    check_names(names, &minions, "minion", checker);
    for (at, minion) in file.minions.iter().enumerate() {
        let spot = minions.index(at);
        if can_be_a_name(&minion.name) && !groups::can_list_minion(&minion.name) {
            let remedy = "a group would read a number in front as how many there are, `@` as a level and `+` as \
                          a spell";
            cannot_be_a_name(&minion.name, &spot, remedy, checker);
        }
        report(catalogue.add_minion(minion), &spot, checker);
    }
    let names = file.spells.iter().map(|spell| spell.name.as_str());
    check_names(names, &spells, "spell", checker);
    for (at, spell) in file.spells.iter().enumerate() {
        let spot = spells.index(at);
        if can_be_a_name(&spell.name) && !groups::can_list_spell(&spell.name) {
            let remedy = "a group reads `+` as the beginning of another spell";
            cannot_be_a_name(&spell.name, &spot, remedy, checker);
        }
        report(catalogue.add_spell(spell), &spot, checker);
    }
    catalogue
}

fn cannot_be_a_name(name: &str, spot: &Spot, remedy: &str, checker: &mut Checker<'_>) {
    let message = format!("`{name}` cannot be a name");
    let remedy = if name.trim() == name { remedy } else { "a name has no blank at either end" };
    checker.fault(&spot.key("name"), message, remedy);
}

fn report(complaints: Vec<Complaint>, spot: &Spot, checker: &mut Checker<'_>) {
    for Complaint { is_warning, key, entry, message, remedy } in complaints {
        let spot = spot.key(key);
        let spot = entry.map_or(spot.clone(), |entry| spot.index(entry));
        if is_warning {
            checker.warn(&spot, message, remedy);
        } else {
            checker.fault(&spot, message, remedy);
        }
    }
}

fn check_names<'n>(
    names: impl Iterator<Item = &'n str>,
    spot: &Spot,
    what: &str,
    checker: &mut Checker<'_>,
) {
    let placed = names.enumerate().map(|(at, name)| (name, spot.index(at).key("name")));
    checker.check_names(what, placed);
}

/// The index of the group with this name in the scenario's groups.
fn find_group(file: &File, name: &str, spot: &Spot, checker: &mut Checker<'_>) -> Option<usize> {
    let known: Vec<&str> = file.groups.iter().map(|group| group.name.as_str()).collect();
    checker.place_of(spot, "group", name, &known)
}

fn warn_of_idlers(file: &File, fights: impl Fn(usize) -> bool, checker: &mut Checker<'_>) {
    for (at, group) in file.groups.iter().enumerate() {
        if !fights(at) {
            let spot = Spot::top().key("groups").index(at).key("name");
            let remedy = "name it where groups fight, or take it out";
            checker.warn(&spot, format!("`{}` fights nobody", group.name), remedy);
        }
    }
}

/// Single combats: everybody on side A against everybody on side B.
fn duels(
    file: &File,
    sides: &SidesForm,
    companies: Vec<Option<Company>>,
    catalogue: &Catalogue,
    checker: &mut Checker<'_>,
) -> Option<Setup> {
    let spot = Spot::top().key("sides");
    let own: Vec<&str> = file.groups.iter().map(|group| group.name.as_str()).collect();
    let mut find = |names: &[String], side: &str| {
        checker.places_on_side(&spot.key(side), "group", names, &own)
    };
    let (a, b) = (find(&sides.a, "a"), find(&sides.b, "b"));
    warn_of_idlers(file, |group| a.contains(&group) || b.contains(&group), checker);
    if checker.has_too_many_matchups(&spot, &[a.len(), b.len()], false) {
        return None;
    }
    let mut matchups: Vec<[usize; 2]> = Vec::new();
    for pair in a.iter().flat_map(|&a| b.iter().map(move |&b| [a, b])) {
        if !matchups.contains(&pair) {
            matchups.push(pair);
        }
    }
    let companies = companies.into_iter().collect::<Option<Vec<_>>>()?;
    let first = sides.precedence.first();
    checker
        .is_clean()
        .then(|| Setup::of_duels(companies, catalogue.names.clone(), &matchups, first))
}
