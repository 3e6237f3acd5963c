//! Scripts: what a character plays, turn by turn, in the words of the game's own command
//! (`+card/play Card=Target, Target`).

use super::sides::find;
use super::{CharacterForm, File};
use crate::games::eldertale::cards::{Card, Targets};
use crate::games::eldertale::setup::Line;
use crate::scenario::{Checker, Spot};

/// The script of a character whose deck holds `deck`, which are indices into `cards`.
pub(super) fn script(
    file: &File,
    form: &CharacterForm,
    cards: &[Card],
    deck: &[u16],
    spot: &Spot,
    checker: &mut Checker<'_>,
) -> Vec<Vec<Line>> {
    if form.script.is_empty() {
        let remedy = "write `script`, a list for each turn of what is played";
        checker.fault(spot, format!("`{}` is scripted and has no script", form.name), remedy);
    }
    let spot = spot.key("script");
    let mut turns = Vec::new();
    for (at, entries) in form.script.iter().enumerate() {
        let spot = spot.index(at);
        let mut turn: Vec<Line> = Vec::new();
        for (at, entry) in entries.iter().enumerate() {
            let mut check = LineCheck { file, form, cards, deck, spot: spot.index(at), checker };
            turn.extend(check.line(entry));
        }
        let cost: u32 = turn.iter().map(|line| u32::from(cards[usize::from(line.card)].cost)).sum();
        let most = file.rules.most_energy();
        if cost > u32::from(most) {
            let message = format!("this turn costs {cost} energy");
            checker.fault(&spot, message, format!("a turn has at most {most}"));
        }
        warn_of_missing_copies(&turn, cards, deck, &spot, checker);
        turns.push(turn);
    }
    turns
}

/// Warns where a turn plays a card more often than the deck holds it: it plays it as often as the deck does.
fn warn_of_missing_copies(
    turn: &[Line],
    cards: &[Card],
    deck: &[u16],
    spot: &Spot,
    checker: &mut Checker<'_>,
) {
    for (at, line) in turn.iter().enumerate() {
        let is_same = |other: &&Line| other.card == line.card;
        let held = deck.iter().filter(|&&card| card == line.card).count();
        // Reported once, at the first copy that is missing.
        if turn[..=at].iter().filter(is_same).count() == held + 1 {
            let title = &cards[usize::from(line.card)].title;
            let copies = if held == 1 { "one copy".to_owned() } else { format!("{held} copies") };
            let message = format!("the deck holds {copies} of `{title}`");
            let remedy = "more than that cannot be played in a turn: put more copies into the deck";
            checker.warn(spot, message, remedy);
        }
    }
}

/// One card of a script that is being checked.
struct LineCheck<'a, 'c, 't> {
    file: &'a File,
    form: &'a CharacterForm,
    cards: &'a [Card],
    deck: &'a [u16],
    spot: Spot,
    checker: &'c mut Checker<'t>,
}

impl LineCheck<'_, '_, '_> {
    fn line(&mut self, entry: &str) -> Option<Line> {
        let (title, names) = entry.split_once('=').unwrap_or((entry, ""));
        let title = title.trim();
        let named: Vec<&str> =
            names.split(',').map(str::trim).filter(|name| !name.is_empty()).collect();
        let in_deck = |card: &&u16| self.cards[usize::from(**card)].title == title;
        let Some(&card) = self.deck.iter().find(in_deck) else {
            let titles = self.deck.iter().map(|&card| self.cards[usize::from(card)].title.as_str());
            let listing = format!("the deck of `{}` does not hold it", self.form.name);
            self.checker.unknown_name(&self.spot, "card", title, titles, &listing);
            return None;
        };
        self.may_name(&self.cards[usize::from(card)], named.len());
        let found = named.into_iter().filter_map(|name| {
            let found = find(self.file, name, &self.spot, self.checker)?;
            self.warn_if_never_met(name);
            Some(found)
        });
        let named = found.collect();
        Some(Line { card, named })
    }

    /// Warns where a line aims at the character itself or at one it never meets: the next character is the target
    /// then.
    fn warn_if_never_met(&mut self, name: &str) {
        if self.file.sides.meet(&self.form.name, name) {
            return;
        }
        let own = &self.form.name;
        let message = if name == own {
            format!("`{own}` cannot aim at itself")
        } else {
            format!("`{own}` never meets `{name}`")
        };
        self.checker.warn(&self.spot, message, "whoever is next is the target instead");
    }

    fn may_name(&mut self, card: &Card, count: usize) {
        let (most, remedy) = match card.targets {
            Targets::Player => (0, "write the card alone: it is for its player".to_owned()),
            Targets::One => (1, "name one".to_owned()),
            // A card without hits is reported as a fault of the card.
            Targets::Area | Targets::Random if card.hits == 0 => return,
            Targets::Area | Targets::Random => {
                let hits = usize::from(card.hits);
                (hits, format!("name at most {hits}, as many as it has hits"))
            }
        };
        if count > most {
            let plural = if count == 1 { "" } else { "s" };
            let message = format!("`{}` names {count} target{plural}", card.title);
            self.checker.fault(&self.spot, message, remedy);
        }
    }
}
