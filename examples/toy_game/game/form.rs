//! How a scenario of the toy game is written down, and what can be wrong with it.

use evens::scenario::{Checker, Common, Form, Spot};
use schemars::JsonSchema;
use serde::Deserialize;

use super::{Setup, Toy};

/// The game's part of a scenario. Names, types and ranges are checked before [`Form::check`], from the schema that is
/// made of this.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct File {
    /// Who fights: everybody meets everybody else, on either side.
    #[schemars(length(min = 2))]
    fighters: Vec<Fighter>,
}

/// A fighter.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Fighter {
    /// Its name.
    pub name: String,
    /// How many lives it has.
    #[schemars(range(min = 1, max = 20))]
    pub lives: u8,
    /// How many of 100 strikes hit.
    #[schemars(range(min = 0, max = 100))]
    pub skill: u8,
}

impl Form for Toy {
    type File = File;

    fn check(file: File, _: &Common, checker: &mut Checker<'_>) -> Option<Setup> {
        let fighters = file.fighters;
        for (at, fighter) in fighters.iter().enumerate() {
            if fighters[..at].iter().any(|other| other.name == fighter.name) {
                let spot = Spot::top().key("fighters").index(at).key("name");
                let message = format!("there are two fighters called `{}`", fighter.name);
                checker.fault(&spot, message, "give each a name of its own");
            }
        }
        let all = 0..fighters.len();
        let matchups = all.clone().flat_map(|a| all.clone().map(move |b| [a, b]));
        let matchups = matchups.filter(|[a, b]| a != b).collect();
        checker.is_clean().then_some(Setup { fighters, matchups })
    }
}
