//! The cards that records are about: an official card file, or a catalogue of ours.

use std::str::FromStr;

use super::{RecordedCard, Unknown};
use crate::games::splinterlands::ability::Ability;
use crate::games::splinterlands::cards::{CardKind, Catalogue};
use crate::games::splinterlands::import::{Gap, import_all};
use crate::games::splinterlands::setup::CardAt;
use crate::scenario::{Faults, Source};

/// The cards of a file, and which of their abilities we cannot play.
#[derive(Clone, Debug, Default)]
pub struct CardFile {
    /// The cards, without the abilities that are not known.
    pub catalogue: Catalogue,
    /// The abilities that were left out.
    gaps: Vec<Gap>,
}

/// Why a card of a record cannot be played.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Unplayable {
    /// The card file does not have it.
    #[error("no card has the number {0}")]
    Card(u32),
    /// It is a monster that leads, or a summoner that fights.
    #[error("`{0}` is no {1}")]
    Kind(String, CardKind),
    /// It has fewer levels.
    #[error("`{0}` has no level {1}")]
    Level(String, u8),
    /// It has an ability that we do not know.
    #[error("`{card}` has the unknown ability `{ability}`")]
    Ability {
        /// The card.
        card: String,
        /// The ability.
        ability: String,
    },
}

impl Unplayable {
    /// This fault in a place of a record, with a remedy.
    pub(super) fn at(&self, place: String) -> Unknown {
        let remedy = match self {
            Unplayable::Card(_) | Unplayable::Kind(..) | Unplayable::Level(..) => {
                "give the card file of the battle's time with `--cards`"
            }
            Unplayable::Ability { .. } => "`evens list abilities` names all that are known",
        };
        Unknown { place, what: self.to_string(), remedy: remedy.to_owned() }
    }
}

impl CardFile {
    /// The bundled cards of May 2020.
    #[must_use]
    pub fn bundled() -> Self {
        Self { catalogue: crate::games::splinterlands::bundled().clone(), gaps: Vec::new() }
    }

    /// Reads a card file: the official JSON list, or a catalogue of ours in CSV.
    ///
    /// # Errors
    /// When it is neither.
    pub fn read(source: &Source) -> Result<Self, Faults> {
        if source.inner().trim_start().starts_with('[') {
            let (imported, gaps) = import_all(source)?;
            return Ok(Self { catalogue: imported.catalogue, gaps });
        }
        match Catalogue::from_csv(source) {
            Ok(catalogue) => Ok(Self { catalogue, gaps: Vec::new() }),
            Err(faults) => Err(Faults::new(source.name(), faults)),
        }
    }

    /// The place in the catalogue, and the level, of a recorded card.
    ///
    /// # Errors
    /// When it cannot be played.
    pub fn card(&self, recorded: &RecordedCard, kind: CardKind) -> Result<CardAt, Unplayable> {
        let cards = &self.catalogue.cards;
        let at = cards.iter().position(|card| u32::from(card.id) == recorded.id);
        let at = at.ok_or(Unplayable::Card(recorded.id))?;
        let (card, level) = (&cards[at], recorded.level);
        let name = || card.name.clone();
        if card.kind != kind {
            return Err(Unplayable::Kind(name(), kind));
        }
        if !(1..=card.levels.len()).contains(&usize::from(level)) {
            return Err(Unplayable::Level(name(), level));
        }
        // The record may know of an ability that the card file does not list, and the other way round.
        let recorded = recorded.abilities.iter().find(|name| Ability::from_str(name).is_err());
        let missing = || {
            let lacks = |gap: &&Gap| usize::from(gap.card) == at && level >= gap.from_level;
            self.gaps.iter().find(lacks).map(|gap| &gap.ability)
        };
        match recorded.or_else(missing) {
            Some(ability) => Err(Unplayable::Ability { card: name(), ability: ability.clone() }),
            None => Ok(CardAt { card: at as u16, level }),
        }
    }
}
