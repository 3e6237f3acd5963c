//! Cards of a scenario's own, a line each.

use std::str::FromStr;
use std::sync::Arc;

use schemars::JsonSchema;
use serde::Deserialize;
use strum::IntoEnumIterator;

use super::changes::{Amount, Bench, ChangeForm};
use super::{CARDS_LISTED, File};
use crate::games::splinterlands::cards::{Card, CardKind, Catalogue, Faction, Level, Rarity};
use crate::scenario::{Checker, Spot, can_be_a_name, suggestion};

/// A card of this scenario's own. A number holds for every level, a list has one for each.
#[derive(Clone, Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(super) struct NewCardForm {
    /// Its name, which no card of the catalogue has.
    name: String,
    /// A card that it is like, but for what is said here; signs are then more and less than that one has. It is taken without
    /// what `[changes]` changes of it.
    #[serde(default)]
    like: Option<String>,
    /// `Fire`, `Water`, `Earth`, `Life`, `Death`, `Dragon` or `Neutral`.
    #[serde(default)]
    faction: Option<String>,
    /// `Monster` or `Summoner`. Left out: a monster.
    #[serde(default, rename = "type")]
    kind: Option<String>,
    /// `Common`, `Rare`, `Epic` or `Legendary`, with 10, 8, 6 or 4 levels. Left out: common.
    #[serde(default)]
    rarity: Option<String>,
    /// What it costs.
    mana: Option<Amount>,
    /// Its melee attack; of a summoner what it gives to its own, or with a minus takes from the others, here and below.
    melee: Option<Amount>,
    /// Its ranged attack.
    ranged: Option<Amount>,
    /// Its magic attack.
    magic: Option<Amount>,
    /// Its armor.
    armor: Option<Amount>,
    /// Its health.
    health: Option<Amount>,
    /// Its speed.
    speed: Option<Amount>,
    /// Its abilities at all levels, such as `["Sneak", "Thorns@5"]` (from level 5 on); of a card that is like another one,
    /// also what it gains and loses: `["+Thorns", "-Sneak"]`.
    #[serde(default)]
    abilities: Option<Vec<String>>,
}

impl NewCardForm {
    /// Whether this is its name.
    pub(super) fn is_called(&self, name: &str) -> bool {
        self.name == name
    }
}

/// Adds the scenario's own cards to the catalogue.
pub(super) fn add(file: &File, catalogue: &mut Catalogue, spot: &Spot, checker: &mut Checker<'_>) {
    for (at, form) in file.new_cards.iter().enumerate() {
        let spot = spot.index(at);
        if let Some(like) = form.like.as_ref().filter(|like| file.changes.contains_key(*like)) {
            let message =
                format!("`{}` is like `{like}` without what `[changes]` changes of it", form.name);
            let remedy = "say it in this line as well, if both are to have it";
            checker.warn(&spot.key("like"), message, remedy);
        }
        if let Some(mut card) = base(form, catalogue, &spot, checker) {
            let NewCardForm { mana, melee, ranged, magic, armor, health, speed, abilities, .. } =
                form.clone();
            let change = ChangeForm { mana, melee, ranged, magic, armor, health, speed, abilities };
            if form.like.is_none() && adds_to_nothing(form, &change, &spot, checker) {
                continue;
            }
            Bench { card: &mut card, edition: file.edition, spot: &spot, checker }
                .change_all(&change);
            catalogue.cards.push(Arc::new(card));
        }
    }
}

/// Reports numbers with a sign of a card that is like no other one; returns whether there are any.
fn adds_to_nothing(
    form: &NewCardForm,
    change: &ChangeForm,
    spot: &Spot,
    checker: &mut Checker<'_>,
) -> bool {
    let name = &form.name;
    let before = checker.faults();
    for (key, amount) in change.amounts() {
        let Some(text) = amount.signed() else { continue };
        let message = format!("`{name}` is `like` no card to whose {key} `{text}` could be added");
        let remedy = format!(
            "write the number itself, or a card that it is `like`; a sweep adds to the number that is written with \
             `cards.\"{name}\".{key}=+0,+1`"
        );
        checker.fault(&spot.key(key), message, remedy);
    }
    checker.faults() > before
}

/// The card before the form's numbers are applied: a copy of the one that it is like, or one without any numbers.
fn base(
    form: &NewCardForm,
    catalogue: &Catalogue,
    spot: &Spot,
    checker: &mut Checker<'_>,
) -> Option<Card> {
    let before = checker.faults();
    if catalogue.find(&form.name).is_some() {
        let message = format!("there is a card `{}` already", form.name);
        let remedy = format!(
            "give yours another name, or change that one: `changes.\"{}\" = {{ ... }}`",
            form.name
        );
        checker.fault(&spot.key("name"), message, remedy);
    } else if form.name.trim() != form.name || !can_be_a_name(&form.name) || form.name.contains('@')
    {
        let message = format!("`{}` cannot be a name", form.name);
        checker.fault(
            &spot.key("name"),
            message,
            "a team reads `@` as a level; a name is not empty, stands in one line, and has no blank at either end",
        );
    }
    let like = form.like.as_ref().and_then(|like| {
        let found = catalogue.find(like);
        if found.is_none() {
            checker.unknown_name(
                &spot.key("like"),
                "card",
                like,
                catalogue.names(None),
                CARDS_LISTED,
            );
        }
        found.map(|at| &*catalogue.cards[usize::from(at)])
    });
    let faction: Option<Faction> =
        word(form.faction.as_deref(), &spot.key("faction"), "faction", checker);
    let kind: Option<CardKind> = word(form.kind.as_deref(), &spot.key("type"), "type", checker);
    let rarity: Option<Rarity> =
        word(form.rarity.as_deref(), &spot.key("rarity"), "rarity", checker);
    let id = catalogue.iter().map(|card| card.id).max().unwrap_or(0).saturating_add(1);
    if let Some(like) = like {
        for (key, said) in [("type", kind.is_some()), ("rarity", rarity.is_some())] {
            if said {
                let message = format!("the {key} is that of `{}`", like.name);
                checker.fault(
                    &spot.key(key),
                    message,
                    "leave it out, or leave out `like` and say all numbers",
                );
            }
        }
        let faction = faction.unwrap_or(like.faction);
        return Some(Card { id, name: form.name.clone(), faction, ..like.clone() });
    }
    let kind = kind.unwrap_or(CardKind::Monster);
    let mut missing: Vec<&str> = Vec::new();
    missing.extend((faction.is_none() && form.faction.is_none()).then_some("faction"));
    missing.extend(form.mana.is_none().then_some("mana"));
    missing.extend((kind == CardKind::Monster && form.health.is_none()).then_some("health"));
    if !missing.is_empty() && form.like.is_none() {
        let message = format!("`{}` has no {}", form.name, missing.join(", no "));
        checker.fault(&spot.key("name"), message, "say it, or name a card that it is `like`");
    }
    if checker.faults() > before {
        return None;
    }
    let rarity = rarity.unwrap_or(Rarity::Common);
    let levels = vec![Level::default(); usize::from(rarity.max_level())];
    Some(Card { id, name: form.name.clone(), faction: faction?, kind, rarity, mana: 0, levels })
}

/// Reads one of the words that the catalogue uses, in upper or lower case; reports a fault for any other.
fn word<T>(text: Option<&str>, spot: &Spot, what: &str, checker: &mut Checker<'_>) -> Option<T>
where
    T: FromStr + IntoEnumIterator + Into<&'static str>,
{
    let text = text?;
    let is_it = |name: &&str| name.eq_ignore_ascii_case(text);
    let name = T::iter().map(Into::into).find(is_it);
    let found = name.and_then(|name| T::from_str(name).ok());
    if found.is_none() {
        let known: Vec<&str> = T::iter().map(Into::into).collect();
        let listing = format!("one of: {}", known.join(", "));
        let remedy = suggestion(text, known.iter().copied(), &listing);
        checker.fault(spot, format!("unknown {what} `{text}`"), remedy);
    }
    found
}
