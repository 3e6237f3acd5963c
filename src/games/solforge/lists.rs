//! What `evens list` can list.

use super::cards::vocabulary::Kind;
use super::form::bundled;
use super::setup::Card;
use super::state::Form;
use crate::table::{Column, Table};

/// The cards of the bundled file, or the creatures that only cards put on the field.
pub(super) fn cards(tokens: bool) -> Table {
    let cards = bundled();
    let listed: Vec<&Card> = cards.cards.iter().filter(|card| card.token == tokens).collect();
    let text = |of: &dyn Fn(&Card) -> String| listed.iter().map(|card| of(card)).collect();
    let sizes = |card: &Card| {
        let size = |form: u16| {
            let form = cards.form(Form(form));
            format!("{}/{}", form.attack, form.health)
        };
        match card.kind {
            Kind::Creature => card.forms.clone().map(size).collect::<Vec<_>>().join(", "),
            Kind::Spell => String::new(),
        }
    };
    Table {
        name: if tokens { "tokens" } else { "cards" }.to_owned(),
        columns: vec![
            Column::text("card", "its name", text(&|card| card.name.clone())),
            Column::text("faction", "what it belongs to", text(&|card| card.faction.to_string())),
            Column::text("kind", "creature or spell", text(&|card| card.kind.to_string())),
            Column::count(
                "levels",
                "how many levels it has",
                listed.iter().map(|card| u64::from(card.levels())).collect(),
            ),
            Column::text("sizes", "attack/health, level 1 first", text(&sizes)),
        ],
    }
}
