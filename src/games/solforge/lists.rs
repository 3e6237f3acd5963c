//! The tables that `evens list` prints for SolForge.

use super::cards::vocabulary::{EffectForm, Kind, When};
use super::form::bundled;
use super::setup::Card;
use super::state::Form;
use crate::table::{Column, Table};

/// Table of the effects that abilities can have.
pub(super) fn effects() -> Table {
    words("effects", "the word under `do`", "what it does", schemars::schema_for!(EffectForm))
}

/// Table of the triggers that can set abilities off.
pub(super) fn triggers() -> Table {
    words("triggers", "the word for `when`", "when that is", schemars::schema_for!(When))
}

/// Table of the words that a schema allows, each with its description there.
fn words(name: &str, word: &'static str, meaning: &'static str, schema: schemars::Schema) -> Table {
    let all = schema.get("oneOf").and_then(|of| of.as_array()).cloned().unwrap_or_default();
    let mut found: Vec<(String, String)> = Vec::new();
    for of in &all {
        let text = |key: &str| of[key].as_str().map(str::to_owned);
        let meaning = text("description").unwrap_or_default();
        let meaning = meaning.split_whitespace().collect::<Vec<_>>().join(" ").replace('`', "");
        let several = of["enum"].as_array().into_iter().flatten();
        let several = several.filter_map(|word| word.as_str().map(str::to_owned));
        let keys = of["required"].as_array().into_iter().flatten();
        let keys = keys.filter_map(|word| word.as_str().map(str::to_owned));
        found.extend(
            text("const")
                .into_iter()
                .chain(several)
                .chain(keys)
                .map(|word| (word, meaning.clone())),
        );
    }
    let (names, meanings) = found.into_iter().unzip();
    Table {
        name: name.to_owned(),
        columns: vec![
            Column::text("word", word, names),
            Column::text("meaning", meaning, meanings),
        ],
    }
}

/// Table of the bundled cards: only the tokens, which other cards put on the field, or all cards but those.
pub(super) fn cards(tokens: bool) -> Table {
    let cards = bundled();
    let listed: Vec<&Card> = cards.cards.iter().filter(|card| card.token == tokens).collect();
    let text = |of: &dyn Fn(&Card) -> String| listed.iter().map(|card| of(card)).collect();
    let sizes = |card: &Card| {
        let size = |form: u16| {
            let form = cards.form(Form(form));
            match form.kind {
                Kind::Creature => format!("{}/{}", form.attack, form.health),
                Kind::Spell => form.kind.to_string(),
            }
        };
        match cards.kinds(card).all(|kind| kind == Kind::Spell) {
            true => String::new(),
            false => card.forms.clone().map(size).collect::<Vec<_>>().join(", "),
        }
    };
    let kinds = |card: &Card| {
        let mut kinds: Vec<String> = cards.kinds(card).map(|kind| kind.to_string()).collect();
        if kinds.windows(2).all(|two| two[0] == two[1]) {
            kinds.truncate(1);
        }
        kinds.join(", ")
    };
    Table {
        name: if tokens { "tokens" } else { "cards" }.to_owned(),
        columns: vec![
            Column::text("card", "its name", text(&|card| card.name.clone())),
            Column::text("faction", "what it belongs to", text(&|card| card.faction.to_string())),
            Column::text(
                "kind",
                "creature or spell; where that depends on the level, of each, level 1 first",
                text(&kinds),
            ),
            Column::count(
                "levels",
                "how many levels it has",
                listed.iter().map(|card| u64::from(card.levels())).collect(),
            ),
            Column::text("sizes", "attack/health, level 1 first", text(&sizes)),
        ],
    }
}
