//! Which decks are legal: thirty cards, up to three copies of each, up to two factions.

use super::cards::vocabulary::Faction;
use super::pool::COPIES;
use super::setup::Cards;
use super::state::CARDS;
use crate::numerals::counted;

/// Maximum number of factions in a deck.
pub const FACTIONS: usize = 2;

/// A reason why a deck is illegal.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Illegal {
    /// A card that only other cards put on the field.
    #[error("`{0}` can be in no deck")]
    Token(String),
    /// No copy of a card, or too many.
    #[error("{copies} copies of `{card}`")]
    Copies {
        /// The card.
        card: String,
        /// How many.
        copies: i64,
    },
    /// Cards of too many factions.
    #[error("the deck has cards of {0}")]
    Factions(String),
    /// Too few or too many cards.
    #[error("the deck has {}", counted(*.0 as u64, "card"))]
    Size(usize),
}

/// What is wrong with a deck that has so many copies of a card.
pub fn faults_of_copies(
    cards: &Cards,
    card: u16,
    copies: i64,
) -> impl Iterator<Item = Illegal> + use<> {
    let of = &cards.cards[usize::from(card)];
    let token = of.token.then(|| Illegal::Token(of.name.clone()));
    let copies = (!(1..=COPIES as i64).contains(&copies))
        .then(|| Illegal::Copies { card: of.name.clone(), copies });
    token.into_iter().chain(copies)
}

/// The fault of a deck with cards of too many factions; None if there is none. The cards are given once each; the fault
/// names factions in their order.
#[must_use]
pub fn fault_of_factions(cards: &Cards, of: impl IntoIterator<Item = u16>) -> Option<Illegal> {
    let mut factions: Vec<Faction> = Vec::new();
    for card in of {
        let faction = cards.cards[usize::from(card)].faction;
        if !factions.contains(&faction) {
            factions.push(faction);
        }
    }
    (factions.len() > FACTIONS).then(|| {
        let names: Vec<String> = factions.iter().map(Faction::to_string).collect();
        Illegal::Factions(names.join(", "))
    })
}

/// The fault of a deck with the wrong number of cards; None if there is none.
#[must_use]
pub fn fault_of_size(size: usize) -> Option<Illegal> {
    (size != CARDS).then_some(Illegal::Size(size))
}
