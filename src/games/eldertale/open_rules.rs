//! Rules that the guide leaves open and that a scenario can switch, so that a designer sees whether a conclusion
//! depends on how they are read. The guide's own reading, as far as it has one, is the default.

use schemars::JsonSchema;
use serde::Deserialize;

use super::state::{ENERGY, MOST_ENERGY};

/// How open rules are read.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, default)]
pub struct OpenRules {
    /// What becomes of discarded cards.
    pub discards: Discards,
    /// Whether attacks can give their target more than 3 energy, up to 6.
    pub energy_beyond_3: EnergyBeyond3,
}

impl OpenRules {
    /// The maximum energy that a character can have under these rules.
    #[must_use]
    pub fn most_energy(self) -> u8 {
        match self.energy_beyond_3 {
            EnergyBeyond3::Never => ENERGY,
            EnergyBeyond3::FirstTurn | EnergyBeyond3::Always => MOST_ENERGY,
        }
    }
}

/// What becomes of discarded cards (ET-17, ET-20; decision 10).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Discards {
    /// They are shuffled back at once: each hand is dealt from the whole deck.
    #[default]
    Reshuffled,
    /// They lie on a pile for each deck, and are shuffled only when that deck has too few cards left for a hand.
    Pile,
}

/// Whether attacks can give their target more than 3 energy, 1 each, up to 6 (ET-02 to ET-04; decision 2).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum EnergyBeyond3 {
    /// Never: "for the standard total of three".
    #[default]
    Never,
    /// For a first turn; "starting in round 2 the game keeps the 3 energy max going".
    FirstTurn,
    /// For any turn.
    Always,
}
