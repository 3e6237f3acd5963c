//! What the battles of a comparison of two card files cover: the conditions they were played under, and which of the
//! changed cards they show at a level that changed.

use super::Baseline;
use super::page::NAMED;
use crate::report::figures::{counted, named};

/// What the battles with two card files cover.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Coverage {
    /// The scenario whose battles were played with either file.
    pub scenario: String,
    /// What its battles have, each with a name: the league, the levels of monsters, the mana caps, the rulesets, and the cards
    /// that the scenario itself changes or adds.
    pub conditions: Vec<(&'static str, String)>,
    /// The cards that are other in the second file, in its order; then those that it no longer has.
    pub cards: Vec<CardChange>,
}

/// A card that is other in the second file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CardChange {
    /// Its name.
    pub name: String,
    /// What happened to it.
    pub fate: CardFate,
    /// What of it changed, from what to what: `health 7/7/8 to 8/8/9`. Empty where the card is new or gone.
    pub what: Vec<String>,
    /// The levels at which it is other, from 1, in order.
    pub changed_levels: Vec<u8>,
    /// The levels at which the battles have it, from 1, in order; those with the first file where it is gone from the
    /// second. Empty where no battle has it.
    pub played_levels: Vec<u8>,
}

/// What happened to a card.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum CardFate {
    /// Only the second file has it.
    New,
    /// Both have it, and it differs.
    Changed,
    /// Only the first file has it.
    Gone,
}

impl CardChange {
    /// Whether no battle has it at a level that changed, so that nothing played can show what the change does.
    #[must_use]
    pub fn is_unplayed(&self) -> bool {
        !self.changed_levels.iter().any(|level| self.played_levels.contains(level))
    }

    /// Whether both files have it, and battles have it at a level that changed but not at all such levels.
    #[must_use]
    pub fn is_played_in_part(&self) -> bool {
        self.fate == CardFate::Changed
            && !self.is_unplayed()
            && !self.changed_levels.iter().all(|level| self.played_levels.contains(level))
    }

    /// The levels that are other beside those that were played, in words; None where all that are other were played.
    #[must_use]
    pub fn levels_in_words(&self) -> Option<String> {
        let have = match self.played_levels.as_slice() {
            [] => "no battle has it".to_owned(),
            levels => format!("the battles have it at {} only", numbered(levels)),
        };
        let differs = format!("it differs at {}", numbered(&self.changed_levels));
        match self.fate {
            CardFate::Changed if self.is_unplayed() => {
                Some(format!("not played at a level that changed: {differs}, and {have}"))
            }
            CardFate::Changed if self.is_played_in_part() => Some(format!("{differs}, and {have}")),
            CardFate::New | CardFate::Gone if self.is_unplayed() => {
                Some(format!("not played: {have}"))
            }
            CardFate::Changed | CardFate::New | CardFate::Gone => None,
        }
    }
}

impl Coverage {
    /// This coverage without the cards that chance left out: a card that none of the battles with its file had was not
    /// played, though it could have been.
    #[must_use]
    pub fn without_undrawn(mut self, [old, new]: [&Baseline; 2]) -> Self {
        for card in &mut self.cards {
            let run = if card.fate == CardFate::Gone { old } else { new };
            // Where teams are fixed, no units are counted: all that can be brought was played.
            let is_played =
                run.units.is_empty() || run.units.iter().any(|unit| unit.name == card.name);
            if !is_played {
                card.played_levels.clear();
            }
        }
        self
    }

    /// The conditions of the battles in a sentence.
    #[must_use]
    pub fn in_words(&self) -> String {
        let conditions: Vec<String> =
            self.conditions.iter().map(|(name, value)| format!("{name}: {value}")).collect();
        format!(
            "Battles as in {} with the cards of each file. {}.",
            self.scenario,
            conditions.join("; ")
        )
    }

    /// The cards that changed only where no battle has them.
    #[must_use]
    pub fn unplayed(&self) -> Vec<&str> {
        self.cards.iter().filter(|card| card.is_unplayed()).map(|card| &*card.name).collect()
    }

    /// The unplayed cards as the subject of a sentence and its verb: `1 changed card was not played at a level that
    /// changed`. None where there are none.
    pub(super) fn unplayed_in_words(&self) -> Option<String> {
        let unplayed = self.unplayed().len() as u64;
        let were = if unplayed == 1 { "was" } else { "were" };
        (unplayed > 0).then(|| {
            format!(
                "{} {were} not played at a level that changed",
                counted(unplayed, "changed card")
            )
        })
    }

    /// Sentences on the changed cards of which the battles show nothing, or only a part.
    pub(super) fn notes(&self) -> Vec<String> {
        let in_part: Vec<&str> = self
            .cards
            .iter()
            .filter(|card| card.is_played_in_part())
            .map(|card| &*card.name)
            .collect();
        let mut notes = Vec::new();
        if let Some(unplayed) = self.unplayed_in_words() {
            notes.push(format!(
                "{unplayed}: {}. Nothing here is about what was changed there; `--scenario` plays other battles.",
                named(&self.unplayed(), NAMED)
            ));
        }
        if !in_part.is_empty() {
            let were = if in_part.len() == 1 { "was" } else { "were" };
            notes.push(format!(
                "{} {were} played at only some of the levels that changed: {}. What is said holds for the levels that were \
                 played.",
                counted(in_part.len() as u64, "changed card"),
                named(&in_part, NAMED)
            ));
        }
        notes
    }
}

/// Levels as people name them: `level 4`, `levels 1 to 5`, `levels 2, 4 and 5`.
fn numbered(levels: &[u8]) -> String {
    let listed: Vec<String> = levels.iter().map(u8::to_string).collect();
    let is_range = levels.windows(2).all(|two| two[0] + 1 == two[1]);
    match listed.as_slice() {
        [] => "no level".to_owned(),
        [only] => format!("level {only}"),
        [first, .., last] if is_range && listed.len() > 2 => format!("levels {first} to {last}"),
        [rest @ .., last] => format!("levels {} and {last}", rest.join(", ")),
    }
}
