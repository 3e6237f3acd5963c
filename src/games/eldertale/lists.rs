//! The lists that `evens list` can show: the example cards, the classes, the effects.

use strum::IntoEnumIterator;

use super::cards::{Bearer, Card, Class, Targets, Trigger};
use super::catalogue::{self, example};
use super::effect::{Effect, Kind};
use crate::numerals::counted;
use crate::table::{Column, Table};

/// The bundled example set.
pub(super) fn cards() -> Table {
    let cards = example();
    let text = |of: &dyn Fn(&Card) -> String| cards.iter().map(of).collect::<Vec<_>>();
    Table {
        name: "cards".to_owned(),
        columns: vec![
            Column::text("card", "its title", text(&|card| card.title.clone())),
            Column::text("type", "its type and deck", text(&|card| card.kind.to_string())),
            Column::text("class", "who may bring it", text(&|card| card.class_label())),
            Column::count("cost", "its energy", cards.iter().map(|c| u64::from(c.cost)).collect()),
            Column::text("does", "its hits, whom it is played at, its effects", text(&told)),
        ],
    }
}

/// What a card does, in one line: `2x8 at one; Guard Down 1 (2 hits / 2 rounds)`.
fn told(card: &Card) -> String {
    let at = match card.targets {
        Targets::Player => String::new(),
        Targets::One => " at one".to_owned(),
        Targets::Area => format!(" at up to {} in turn", card.hits),
        Targets::Random => format!(" at up to {} at random", card.hits),
    };
    let hits = match card.hits {
        0 => String::new(),
        hits => format!("{hits}x{}", card.damage.max(card.defense)),
    };
    let effects = card.effects.iter().map(|applies| {
        let play = if applies.trigger == Trigger::Play { " on play" } else { "" };
        let elsewhere = applies.bearer == Bearer::Player && card.targets != Targets::Player;
        let bearer = if elsewhere { " to self" } else { "" };
        format!("{}{bearer}{play}", describe(&applies.effect))
    });
    let single_use = card.single_use.then(|| "single use".to_owned());
    let first = format!("{hits}{at}").trim_start().to_owned();
    std::iter::once(first)
        .filter(|first| !first.is_empty())
        .chain(effects)
        .chain(single_use)
        .collect::<Vec<_>>()
        .join("; ")
}

/// An effect in short form: `Guard Down 1 (2 hits / 2 rounds)`.
pub(super) fn describe(effect: &Effect) -> String {
    let durations = [(effect.hits, "hit"), (effect.rounds, "round")].into_iter();
    let durations = durations.filter(|(count, _)| *count > 0);
    let durations: Vec<String> =
        durations.map(|(count, noun)| counted(count.into(), noun)).collect();
    let name = effect.kind.name();
    let has_degrees = effect.kind != Kind::Doom;
    let intensity = if has_degrees { format!(" {}", effect.intensity) } else { String::new() };
    if durations.is_empty() {
        format!("{name}{intensity}")
    } else {
        format!("{name}{intensity} ({})", durations.join(" / "))
    }
}

/// The twelve classes, with the number of example cards that require each.
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

/// What an effect does, and how a card writes it where its name alone is not enough.
fn meaning(kind: Kind) -> String {
    match catalogue::name_and_deck(kind) {
        (_, None) => kind.meaning().to_owned(),
        (name, Some(deck)) => {
            format!("{}: name = \"{name}\", deck = \"{deck}\"", kind.meaning())
        }
    }
}

/// All effects, with the number of example cards that apply each.
pub(super) fn effects() -> Table {
    let cards = |kind: Kind| {
        let applies = |card: &&Card| card.effects.iter().any(|a| a.effect.kind == kind);
        example().iter().filter(applies).count() as u64
    };
    Table {
        name: "effects".to_owned(),
        columns: vec![
            Column::text("effect", "its name", Kind::iter().map(|k| k.name().to_owned()).collect()),
            Column::text("meaning", "what it does", Kind::iter().map(meaning).collect()),
            Column::count(
                "cards",
                "example cards that apply it",
                Kind::iter().map(cards).collect(),
            ),
        ],
    }
}
