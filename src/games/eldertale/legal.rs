//! Which cards a deck may hold: what its classes bring, and not too many of a type.

use strum::IntoEnumIterator;

use super::cards::{Card, CardType, Class};
use super::setup::DECK;

/// What is wrong with a deck.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Illegal {
    /// A card that the character's classes may not bring.
    #[error("`{character}` cannot bring `{card}`")]
    Class {
        /// Whose deck it is.
        character: String,
        /// The card.
        card: String,
    },
    /// Too many cards of a type.
    #[error("{count} {kind} cards in the deck of `{character}`")]
    TooMany {
        /// Whose deck it is.
        character: String,
        /// The type.
        kind: CardType,
        /// How many there are.
        count: usize,
    },
}

/// What is wrong with a card in the deck of a character.
#[must_use]
pub fn fault_of_card(card: &Card, classes: &[Class], character: &str) -> Option<Illegal> {
    (!card.suits(classes))
        .then(|| Illegal::Class { character: character.to_owned(), card: card.title.clone() })
}

/// What is wrong with the numbers of cards in the deck of a character.
pub fn faults_of_sizes(
    types: impl Iterator<Item = CardType> + Clone,
    character: &str,
) -> impl Iterator<Item = Illegal> {
    CardType::iter().filter_map(move |kind| {
        let count = types.clone().filter(|&of| of == kind).count();
        let character = || character.to_owned();
        (count > DECK).then(|| Illegal::TooMany { character: character(), kind, count })
    })
}
