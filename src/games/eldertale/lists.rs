//! What `evens list` can list: the example cards, the classes, the effects.

use strum::IntoEnumIterator;

use super::cards::{Bearer, Card, Class, Trigger};
use super::catalogue::example;
use super::effect::{Effect, Kind};
use crate::tables::{Column, Table};

/// The bundled example set.
pub(super) fn cards() -> Table {
    let cards = example();
    let text = |of: &dyn Fn(&Card) -> String| cards.iter().map(of).collect::<Vec<_>>();
    let hits = |card: &Card| match (card.hits, card.damage.max(card.defense)) {
        (0, _) => String::new(),
        (hits, strength) => format!("{hits}x{strength}"),
    };
    Table {
        name: "cards".to_owned(),
        columns: vec![
            Column::text("card", "its title", text(&|card| card.title.clone())),
            Column::text("type", "its type and deck", text(&|card| card.kind.to_string())),
            Column::text("class", "who may bring it", text(&|card| card.class_label())),
            Column::text("rarity", "how rare it is", text(&|card| card.rarity.to_string())),
            Column::count("cost", "its energy", cards.iter().map(|c| u64::from(c.cost)).collect()),
            Column::text("hits", "hits x damage or guard of each", text(&hits)),
            Column::text("targets", "whom it is played at", text(&|card| card.targets.to_string())),
            Column::text("effects", "what it lays on whom", text(&effects_of)),
        ],
    }
}

fn effects_of(card: &Card) -> String {
    let told = card.effects.iter().map(|applies| {
        let play = if applies.trigger == Trigger::Play { " on play" } else { "" };
        let bearer = if applies.bearer == Bearer::Target { "" } else { " to self" };
        format!("{}{bearer}{play}", describe(&applies.effect))
    });
    let single_use = card.single_use.then(|| "single use".to_owned());
    told.chain(single_use).collect::<Vec<_>>().join("; ")
}

/// An effect in a few words: `Guard Down 1 (2 hits / 2 rounds)`.
pub(super) fn describe(effect: &Effect) -> String {
    let counted = |count: u8, noun: &str| match count {
        0 => None,
        1 => Some(format!("1 {noun}")),
        count => Some(format!("{count} {noun}s")),
    };
    let durations = [counted(effect.hits, "hit"), counted(effect.rounds, "round")];
    let durations: Vec<String> = durations.into_iter().flatten().collect();
    let name = effect.kind.name();
    let intensity = match effect.kind {
        Kind::Doom => String::new(),
        _ => format!(" {}", effect.intensity),
    };
    if durations.is_empty() {
        format!("{name}{intensity}")
    } else {
        format!("{name}{intensity} ({})", durations.join(" / "))
    }
}

/// The twelve classes, and how many example cards each may bring beside those for any.
pub(super) fn classes() -> Table {
    let cards = |class: Class| {
        let of_class = |card: &&Card| card.requires.iter().any(|&(required, _)| required == class);
        example().iter().filter(of_class).count() as u64
    };
    Table {
        name: "classes".to_owned(),
        columns: vec![
            Column::text("class", "its name", Class::iter().map(|c| c.to_string()).collect()),
            Column::count("cards", "example cards of its own", Class::iter().map(cards).collect()),
        ],
    }
}

/// All effects, and how many example cards apply them.
pub(super) fn effects() -> Table {
    let cards = |kind: Kind| {
        let applies = |card: &&Card| card.effects.iter().any(|a| a.effect.kind == kind);
        example().iter().filter(applies).count() as u64
    };
    Table {
        name: "effects".to_owned(),
        columns: vec![
            Column::text("effect", "its name", Kind::iter().map(|k| k.name().to_owned()).collect()),
            Column::text(
                "meaning",
                "what it does",
                Kind::iter().map(|kind| kind.meaning().to_owned()).collect(),
            ),
            Column::count(
                "cards",
                "example cards that apply it",
                Kind::iter().map(cards).collect(),
            ),
        ],
    }
}
