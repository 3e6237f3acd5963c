//! The rules for decks: a deck holds only cards that its character's classes may bring, and not too many of a
//! type.

use strum::IntoEnumIterator;

use super::cards::{Card, CardType, Class};
use super::setup::DECK;

/// What is wrong with a deck.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Illegal {
    /// A card that the character's classes may not bring.
    #[error("`{character}` cannot bring `{card}`")]
    Class {
        /// The character whose deck it is.
        character: String,
        /// The card.
        card: String,
    },
    /// Too many cards of a type.
    #[error("{count} {kind} cards in the deck of `{character}`")]
    TooMany {
        /// The character whose deck it is.
        character: String,
        /// The type.
        kind: CardType,
        /// The number of cards of this type.
        count: usize,
    },
}

/// The fault of a card in a character's deck, if its classes may not bring it.
#[must_use]
pub fn fault_of_card(card: &Card, classes: &[Class], character: &str) -> Option<Illegal> {
    (!card.suits(classes))
        .then(|| Illegal::Class { character: character.to_owned(), card: card.title.clone() })
}

/// The faults in the numbers of cards in a character's deck, one for each type with too many.
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
