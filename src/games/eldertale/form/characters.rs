//! Characters: classes, decks, Memories.

use arrayvec::ArrayVec;

use super::{CharacterForm, File, PolicyName, scripts};
use crate::games::eldertale::cards::{Applies, Bearer, Card, CardType};
use crate::games::eldertale::effect::Kind;
use crate::games::eldertale::legal::{fault_of_card, faults_of_sizes};
use crate::games::eldertale::setup::{DECK, Deck, Policy, Sheet, Wager};
use crate::numerals::counted;
use crate::scenario::{Checker, Spot, can_be_a_name};

const CARDS_LISTED: &str = "`evens list cards eldertale` names those of the example set";

/// A character whose deck has been looked up.
struct Written<'f> {
    form: &'f CharacterForm,
    spot: Spot,
    /// Its cards as indices into the list of all cards, copies next to each other.
    deck: Vec<u16>,
}

/// The cards that are in at least one deck, and the characters. None if and only if there are faults.
pub(super) fn sheets(
    file: &File,
    cards: &[Card],
    checker: &mut Checker<'_>,
) -> Option<(Vec<Card>, Vec<Sheet>)> {
    let spot = Spot::top().key("characters");
    let names = file.characters.iter().enumerate();
    let names = names.map(|(at, form)| (form.name.as_str(), spot.index(at).key("name")));
    checker.check_names("character", names);
    let mut written = Vec::new();
    for (at, form) in file.characters.iter().enumerate() {
        let spot = spot.index(at);
        if can_be_a_name(&form.name) && !is_plain(&form.name, &[',', '=']) {
            let message = format!("`{}` cannot be a name", form.name);
            let remedy =
                "scripts need a name without `,` and `=`, and without a blank at either end";
            checker.fault(&spot.key("name"), message, remedy);
        }
        if form.classes.len() > 2 {
            let message = format!("{} classes", form.classes.len());
            let remedy = "a character has a primary and a secondary class";
            checker.fault(&spot.key("classes").index(2), message, remedy);
        }
        let deck = deck(form, cards, &spot, checker);
        written.push(Written { form, spot, deck });
    }
    let in_use: Vec<u16> = (0..cards.len() as u16)
        .filter(|card| written.iter().any(|character| character.deck.contains(card)))
        .collect();
    let used: Vec<Card> = in_use.iter().map(|&at| cards[usize::from(at)].clone()).collect();
    let place = |card: &u16| in_use.binary_search(card).expect("cards in decks are in use") as u16;
    let mut sheets = Vec::new();
    for Written { form, spot, deck } in written {
        let deck: Vec<u16> = deck.iter().map(place).collect();
        let wager = wager(file, form, &spot, checker);
        let policy = match form.policy {
            PolicyName::Random => Policy::Random,
            PolicyName::Greedy => Policy::Greedy,
            PolicyName::Scripted => {
                Policy::Scripted(scripts::script(file, form, &used, &deck, &spot, checker))
            }
        };
        if form.policy != PolicyName::Scripted && !form.script.is_empty() {
            let remedy = "say `policy = \"scripted\"`, or take the script out";
            checker.warn(&spot.key("script"), "`script` has no effect", remedy);
        }
        if !checker.is_clean() {
            continue; // Decks that are too large cannot be built.
        }
        sheets.push(Sheet {
            name: form.name.clone(),
            classes: form.classes.iter().copied().collect::<ArrayVec<_, 2>>(),
            hp: form.hp,
            deck: Deck::new(&used, deck),
            policy,
            wager,
        });
    }
    checker.is_clean().then_some((used, sheets))
}

/// Whether a name can be written in decks and scripts: not empty, without the characters of `without`, and without
/// blanks at its ends, which are dropped when it is read.
pub(in crate::games::eldertale) fn is_plain(name: &str, without: &[char]) -> bool {
    !name.is_empty() && name.trim() == name && !name.contains(without)
}

/// The cards of a character's deck, as indices into `cards`.
fn deck(form: &CharacterForm, cards: &[Card], spot: &Spot, checker: &mut Checker<'_>) -> Vec<u16> {
    let written = form.deck.as_deref().unwrap_or_default();
    if form.deck.is_some() && written.is_empty() {
        let message = format!("the empty deck of `{}` counts as left out", form.name);
        let remedy =
            "it holds every card that its classes may bring: list cards, or leave `deck` out";
        checker.warn(&spot.key("deck"), message, remedy);
    }
    let deck = if written.is_empty() {
        let all = 0..cards.len() as u16;
        all.filter(|&card| cards[usize::from(card)].suits(&form.classes)).collect()
    } else {
        listed(form, written, cards, spot, checker)
    };
    let types = deck.iter().map(|&card: &u16| cards[usize::from(card)].kind);
    for illegal in faults_of_sizes(types, &form.name) {
        let remedy = format!("a deck has at most {DECK} cards of a type");
        checker.fault(&spot.key("deck"), illegal.to_string(), remedy);
    }
    let poisons =
        |applies: &Applies| applies.bearer == Bearer::Target && applies.effect.kind == Kind::Poison;
    let harms = |card: &Card| card.kind == CardType::Attack || card.effects.iter().any(poisons);
    if !deck.iter().any(|&card| harms(&cards[usize::from(card)])) {
        let message = format!("`{}` has no Attack card, and none that poisons", form.name);
        checker.warn(&spot.key("deck"), message, "it can win only through what others do");
    }
    deck
}

/// The cards that a deck lists, as `Title` or `Title*2`. `2 Title`, the notation of printed line-ups, means the
/// same.
fn listed(
    form: &CharacterForm,
    written: &[String],
    cards: &[Card],
    spot: &Spot,
    checker: &mut Checker<'_>,
) -> Vec<u16> {
    let mut deck: Vec<u16> = Vec::new();
    for (at, entry) in written.iter().enumerate() {
        let spot = spot.key("deck").index(at);
        let is_known = |title: &str| cards.iter().any(|card| card.title == title);
        let told = entry.trim().split_once(' ').filter(|(copies, title)| {
            copies.parse::<usize>().is_ok() && is_known(title.trim()) && !is_known(entry.trim())
        });
        let of = told.map(|(copies, title)| (title, copies)).or(entry.rsplit_once('*'));
        let (title, copies) = match of {
            None => (entry.trim(), Some(1)),
            Some((title, copies)) => {
                let copies: Option<usize> = copies.trim().parse().ok();
                (title.trim(), copies.filter(|copies| (1..=DECK).contains(copies)))
            }
        };
        let Some(card) = cards.iter().position(|card| card.title == title) else {
            let titles = cards.iter().map(|card| card.title.as_str());
            checker.unknown_name(&spot, "card", title, titles, CARDS_LISTED);
            continue;
        };
        let Some(copies) = copies else {
            let remedy = format!("write `{title}*2` for two copies, {DECK} at most");
            checker.fault(&spot, format!("`{entry}` is no number of copies"), remedy);
            continue;
        };
        if deck.contains(&(card as u16)) {
            let message = format!("`{title}` stands in the deck twice");
            checker.fault(&spot, message, format!("for two copies write `{title}*2`"));
            continue;
        }
        if let Some(illegal) = fault_of_card(&cards[card], &form.classes, &form.name) {
            let remedy = format!("it is a card for: {}", cards[card].class_label());
            checker.fault(&spot, illegal.to_string(), remedy);
        }
        deck.extend(std::iter::repeat_n(card as u16, copies));
    }
    deck
}

/// The Memory that a character brings.
fn wager(
    file: &File,
    form: &CharacterForm,
    spot: &Spot,
    checker: &mut Checker<'_>,
) -> Option<Wager> {
    let Some(level) = form.memory else {
        if form.all_in_at.is_some() {
            let message = "`all_in_at` has no effect";
            checker.warn(&spot.key("all_in_at"), message, "say the level of its `memory`");
        }
        return None;
    };
    let disable = &file.all_in.disable;
    let odds = if disable.is_empty() {
        [u64::from(level), 1]
    } else if let Some(percent) = disable.get(usize::from(level) - 1) {
        // A percentage is exact to six decimals.
        const WHOLE: u64 = 100_000_000;
        let disables = (percent * 1_000_000.0).round() as u64;
        [WHOLE - disables, disables]
    } else {
        let message = format!("there is no chance for a Memory of level {level}");
        let remedy = format!(
            "`disable` under `[all_in]` has {}: add to it",
            counted(disable.len() as u64, "level")
        );
        checker.fault(&spot.key("memory"), message, remedy);
        return None;
    };
    Some(Wager { level, at: form.all_in_at.unwrap_or(i16::MAX), odds })
}
