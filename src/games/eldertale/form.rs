//! The form of an Elder Tale scenario file, and the checks on it.

mod characters;
mod scripts;
mod sides;

use std::collections::BTreeMap;

use schemars::JsonSchema;
use serde::Deserialize;

use super::ElderTale;
use super::cards::{Card, Class};
use super::catalogue::{self, CardForm};
use super::open_rules::OpenRules;
use super::setup::Setup;
use crate::scenario::{Checker, Common, Form, Shelf, Spot};
pub(super) use characters::is_plain;

/// The game's part of a scenario.
#[derive(Clone, Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct File {
    /// The card catalogue, a TOML file seen from the scenario's folder. Left out: the bundled example set,
    /// which is our own and not the game's.
    #[serde(default)]
    catalogue: Option<String>,
    /// Cards of this scenario. One with a title of the catalogue takes its place.
    #[serde(default)]
    cards: Vec<CardForm>,
    /// Cards that are other than in the catalogue, by name: `[changes."Piercing Strike"]` with whatever is to stand in place of the
    /// card's own; a string with a sign is more (`"+1"`) or less (`"-1"`).
    #[serde(default, rename = "changes")]
    _changes: BTreeMap<String, BTreeMap<String, serde_json::Value>>,
    /// A session still open after this round is undecided. Left out: 100.
    #[serde(default = "default_last_round")]
    #[schemars(range(min = 1, max = 1000))]
    last_round: u16,
    /// How rules are read that the guide leaves open.
    #[serde(default)]
    rules: OpenRules,
    /// How All In goes.
    #[serde(default)]
    all_in: AllInForm,
    /// Who can take part.
    #[schemars(length(min = 1))]
    characters: Vec<CharacterForm>,
    /// Who fights whom, in joining order.
    sides: SidesForm,
}

fn default_last_round() -> u16 {
    100
}

/// How All In goes.
#[derive(Clone, Debug, Default, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
struct AllInForm {
    /// Percent chance that a drop in HP beyond 0 disables, by the level of the Memory, level 1 first; it never
    /// rises with the level. Left out: 1 in level + 1, which is 50, 33.3, 25, ... percent.
    #[serde(default)]
    #[schemars(inner(range(min = 0.01, max = 100.0)))]
    disable: Vec<f64>,
}

/// A character.
#[derive(Clone, Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
struct CharacterForm {
    /// Its name.
    name: String,
    /// Its primary class, and its secondary class if it has one.
    #[serde(default)]
    classes: Vec<Class>,
    /// Its hit points. Left out: 60.
    #[serde(default = "default_hp")]
    #[schemars(range(min = 1, max = 9999))]
    hp: i16,
    /// Its cards, with `*2` for two copies; at most 20 of a type. Left out: every card of the catalogue and the
    /// scenario that its classes may bring, once.
    #[serde(default)]
    deck: Option<Vec<String>>,
    /// Who decides what it plays. Left out: random.
    #[serde(default)]
    policy: PolicyName,
    /// With `scripted`: a list for each turn of what is played, such as `"Parry"` or `"Volley=Crow, Crow,
    /// Wren"`, with characters as targets. Nobody named: whoever is next in joining order. A target who is out is
    /// replaced by whoever is next; a card that is not in hand or cannot be paid for is left out. After the last turn
    /// the script starts again.
    #[serde(default)]
    script: Vec<Vec<String>>,
    /// The level of the Memory that it puts down to go All In. Left out: none, and 0 HP is out.
    #[serde(default)]
    #[schemars(range(min = 1, max = 50))]
    memory: Option<u8>,
    /// The Memory is put down at the first own turn that begins with at most this many HP. Left out: at the
    /// first turn.
    #[serde(default)]
    #[schemars(range(min = 1, max = 9999))]
    all_in_at: Option<i16>,
}

fn default_hp() -> i16 {
    60
}

/// Who decides what a character plays.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
enum PolicyName {
    /// Every legal play is equally likely.
    #[default]
    Random,
    /// What is worth most for its energy, with the incoming queue in view.
    Greedy,
    /// What `script` says.
    Scripted,
}

/// Who fights whom, in joining order: side A goes first. Everybody listed for a side meets everybody listed for
/// the others.
#[derive(Clone, Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
struct SidesForm {
    /// The characters on side A.
    #[schemars(length(min = 1))]
    a: Vec<String>,
    /// The characters on side B.
    #[schemars(length(min = 1))]
    b: Vec<String>,
    /// The characters on side C. Left out: two fight.
    #[serde(default)]
    c: Vec<String>,
    /// The characters on side D.
    #[serde(default)]
    d: Vec<String>,
    /// The characters on side E.
    #[serde(default)]
    e: Vec<String>,
    /// The characters on side F.
    #[serde(default)]
    f: Vec<String>,
    /// Whether every match-up is also played with the seats passed round, so that everybody sits everywhere.
    #[serde(default)]
    swap: bool,
}

impl Form for ElderTale {
    type File = File;

    const CHANGEABLE: &'static [Shelf] = &[Shelf {
        list: "cards",
        noun: "card",
        name: "title",
        bundled: catalogue::EXAMPLE,
        file: Some("catalogue"),
        listing: "evens list cards eldertale",
        tunable: &[
            "cost",
            "damage",
            "hits",
            "defense",
            "intensity",
            "hitduration",
            "roundduration",
        ],
        made: None,
    }];

    fn can_come_up(setup: &Setup, name: &str) -> bool {
        setup.cards.iter().any(|card| card.title == name)
    }

    fn check(file: File, _: &Common, checker: &mut Checker<'_>) -> Option<Setup> {
        let cards = cards(&file, checker);
        disable_never_rises(&file.all_in, checker);
        let matchups = sides::matchups(&file, checker);
        let all = cards?;
        let (cards, sheets) = characters::sheets(&file, &all, checker)?;
        let matchups = matchups?;
        checker.is_clean().then(|| {
            Setup::new(cards, sheets, matchups, file.last_round)
                .with_open_rules(file.rules)
                .with_catalogue(all)
        })
    }
}

/// All cards of the catalogue and of the scenario; the scenario's replace those with the same title. None where
/// the catalogue cannot be read, because decks cannot be checked then.
fn cards(file: &File, checker: &mut Checker<'_>) -> Option<Vec<Card>> {
    let own = catalogue::check_cards(&file.cards, checker);
    let mut cards = match &file.catalogue {
        None => catalogue::example().to_vec(),
        Some(path) => {
            let source = checker.read(&Spot::top().key("catalogue"), path)?;
            match catalogue::read(&source) {
                Ok(cards) => cards,
                Err(faults) => {
                    checker.extend(faults.faults);
                    return None;
                }
            }
        }
    };
    for card in own {
        match cards.iter_mut().find(|known| known.title == card.title) {
            Some(known) => *known = card,
            None => cards.push(card),
        }
    }
    Some(cards)
}

/// "The higher level a Memory is, the longer one will stay up" (All In; ET-37).
fn disable_never_rises(all_in: &AllInForm, checker: &mut Checker<'_>) {
    for (at, pair) in all_in.disable.windows(2).enumerate() {
        if pair[1] > pair[0] {
            let spot = Spot::top().key("all_in").key("disable").index(at + 1);
            let level = at + 2;
            let message =
                format!("a Memory of level {level} fails sooner than one of level {}", level - 1);
            checker.fault(&spot, message, "the chance must not rise with the level");
        }
    }
}
