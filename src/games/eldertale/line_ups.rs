//! The decks that a character could bring, for studies that look for better ones.
//!
//! A line-up is the cards of all three decks in the order of the catalogue: any cards that the character's classes
//! may bring, in any number of copies, at most twenty of a type. A line-up drawn at random has as many cards of
//! each type as the character's own deck. Class, hit points, Memory and policy stay the character's.

use arrayvec::ArrayVec;
use strum::IntoEnumIterator;

use super::cards::{Card, CardType};
use super::legal::{fault_of_card, faults_of_sizes};
use super::setup::{DECK, DECKS, Deck, Line, Policy, Setup, Sheet};
use crate::chance::Seeded;
use crate::lineups::{
    Brought, Choice, Fields, LineUp, NoLineUps, Space, Stock, every_multiset, multisets,
};

/// The decks that a character could bring.
#[derive(Debug)]
pub(super) struct Decks<'s> {
    setup: &'s Setup,
    sheet: &'s Sheet,
    /// The cards of the catalogue, in its order.
    stock: Stock,
}

impl<'s> Decks<'s> {
    /// The decks that the character of this name could bring.
    pub(super) fn of(setup: &'s Setup, character: &str) -> Result<Self, NoLineUps> {
        let Some(sheet) = setup.sheets().iter().find(|sheet| sheet.name == character) else {
            let known: Vec<&str> = setup.sheets().iter().map(|sheet| sheet.name.as_str()).collect();
            return Err(NoLineUps::unknown(character, known));
        };
        let choice = |card: &Card| Choice {
            name: card.title.clone(),
            kind: card.kind.of_unit(),
            group: card.class_label(),
            cost: None,
            most: DECK,
        };
        let choices = setup.catalogue.iter().map(choice).collect();
        let suits = |card: &Card| fault_of_card(card, &sheet.classes, &sheet.name).is_none();
        let allowed: Vec<bool> = setup.catalogue.iter().map(suits).collect();
        if !allowed.contains(&true) {
            let message = format!("`{character}` may bring none of the cards");
            return Err(NoLineUps::Scenario(message));
        }
        let stock = Stock {
            noun: "deck",
            cost_noun: None,
            choices,
            allowed,
            is_ordered: false,
            sizes: 1..=DECKS,
        };
        Ok(Self { setup, sheet, stock })
    }

    fn card(&self, choice: u16) -> &Card {
        &self.setup.catalogue[usize::from(choice)]
    }

    /// Index into the catalogue of a card of the setup.
    fn choice_of(&self, card: u16) -> u16 {
        let title = &self.setup.card(card).title;
        let at = self.setup.catalogue.iter().position(|known| known.title == *title);
        at.expect("cards in decks are in the catalogue") as u16
    }

    fn of_deck(&self, deck: &Deck) -> Vec<u16> {
        let mut choices: Vec<u16> = deck.iter().map(|(_, card)| self.choice_of(card)).collect();
        choices.sort_unstable();
        choices
    }

    /// The cards of this type that may be brought.
    fn of_type(&self, kind: CardType) -> Vec<u16> {
        let all = self.all_allowed().into_iter();
        all.filter(|&choice| self.card(choice).kind == kind).collect()
    }
}

impl Space for Decks<'_> {
    fn stock(&self) -> &Stock {
        &self.stock
    }

    fn own(&self) -> Option<LineUp> {
        let own = LineUp::new(self.of_deck(&self.sheet.deck));
        self.legal(&own).is_ok().then_some(own)
    }

    /// Applies the checks that a scenario's decks must pass.
    fn legal(&self, line_up: &LineUp) -> Result<(), String> {
        let name = &self.sheet.name;
        if line_up.choices().is_empty() {
            return Err("a deck holds some card".to_owned());
        }
        for run in line_up.choices().chunk_by(|one, next| one == next) {
            if let Some(fault) = fault_of_card(self.card(run[0]), &self.sheet.classes, name) {
                return Err(fault.to_string());
            }
            if !self.allows(run[0]) {
                let title = &self.card(run[0]).title;
                return Err(format!("`{title}` is not among the cards to choose from"));
            }
        }
        let types = line_up.choices().iter().map(|&choice| self.card(choice).kind);
        faults_of_sizes(types, name).next().map_or(Ok(()), |fault| Err(fault.to_string()))
    }

    fn draw(&self, random: &mut Seeded) -> LineUp {
        let mut choices = Vec::new();
        for kind in CardType::iter() {
            let cards = self.of_type(kind);
            let size = self.sheet.deck.of(kind).count_ones();
            for _ in 0..if cards.is_empty() { 0 } else { size } {
                choices.push(cards[random.below(cards.len() as u32) as usize]);
            }
        }
        if choices.is_empty() {
            let all = self.all_allowed();
            choices.push(all[random.below(all.len() as u32) as usize]);
        }
        choices.sort_unstable();
        LineUp::new(choices)
    }

    fn count(&self) -> Option<u128> {
        let mut count = 1_u128;
        for kind in CardType::iter() {
            let of_size = multisets(self.of_type(kind).len(), DECK, DECK)?;
            let all = of_size.iter().try_fold(0_u128, |sum, &ways| sum.checked_add(ways))?;
            count = count.checked_mul(all)?;
        }
        Some(count - 1)
    }

    fn all(&self) -> Vec<LineUp> {
        let mut found: Vec<Vec<u16>> = vec![Vec::new()];
        for kind in CardType::iter() {
            let of_type = every_multiset(&self.of_type(kind), DECK, &(0..=DECK), &|_| true);
            let longer = found
                .iter()
                .flat_map(|so_far| of_type.iter().map(|more| [so_far, more.choices()].concat()));
            found = longer.collect();
        }
        let sorted = found.into_iter().filter(|choices| !choices.is_empty()).map(|mut choices| {
            choices.sort_unstable();
            LineUp::new(choices)
        });
        let mut all: Vec<LineUp> = sorted.collect();
        all.sort_unstable();
        all
    }
}

impl Fields<Setup> for Decks<'_> {
    fn only(&self, allowed: &[bool]) -> Result<Box<dyn Fields<Setup> + '_>, String> {
        let stock = self.stock.only(allowed);
        if !stock.allowed.contains(&true) {
            return Err(format!("`{}` may bring none of these cards", self.sheet.name));
        }
        Ok(Box::new(Self { setup: self.setup, sheet: self.sheet, stock }))
    }

    fn setup(&self, brought: &[Brought<'_>], matchups: &[Vec<u16>]) -> Setup {
        let space: &dyn Space = self;
        // For each contender: the sheet it is modelled on, its name, and its cards in the order of the deck.
        let character = |of: &Brought<'_>| match of {
            Brought::LineUp(line_up) => {
                assert!(self.legal(line_up).is_ok(), "a legal line-up");
                (self.sheet, space.told(line_up), line_up.choices().to_vec())
            }
            Brought::Contender(name) => {
                let known = self.setup.sheets().iter().find(|known| known.name == *name);
                let sheet = known.expect("a contender of the scenario");
                let in_order = sheet.deck.iter().map(|(_, card)| self.choice_of(card)).collect();
                (sheet, sheet.name.clone(), in_order)
            }
        };
        let characters: Vec<(&Sheet, String, Vec<u16>)> = brought.iter().map(character).collect();
        let scripted = characters.iter().flat_map(|(sheet, ..)| match &sheet.policy {
            Policy::Scripted(turns) => {
                turns.iter().flatten().map(|line| self.choice_of(line.card)).collect()
            }
            Policy::Random | Policy::Greedy => Vec::new(),
        });
        let mut in_use: Vec<u16> = characters.iter().flat_map(|of| of.2.iter().copied()).collect();
        in_use.extend(scripted);
        in_use.sort_unstable();
        in_use.dedup();
        let place = |choice: u16| in_use.binary_search(&choice).expect("it is in use") as u16;
        let cards: Vec<Card> = in_use.iter().map(|&choice| self.card(choice).clone()).collect();
        let placed = |line: &Line| Line {
            card: place(self.choice_of(line.card)),
            // A script's targets stay the characters with the same names; a character that does not take part here
            // is dropped.
            named: line
                .named
                .iter()
                .filter_map(|&named| {
                    let name = &self.setup.sheets()[usize::from(named)].name;
                    characters.iter().position(|(_, known, _)| known == name)
                })
                .map(|at| at as u16)
                .collect(),
        };
        let sheets = characters.iter().map(|(sheet, name, deck)| Sheet {
            name: name.clone(),
            deck: Deck::new(&cards, deck.iter().map(|&choice| place(choice))),
            policy: match &sheet.policy {
                Policy::Random => Policy::Random,
                Policy::Greedy => Policy::Greedy,
                Policy::Scripted(turns) => {
                    let turn = |turn: &Vec<Line>| turn.iter().map(placed).collect();
                    Policy::Scripted(turns.iter().map(turn).collect())
                }
            },
            ..(*sheet).clone()
        });
        let sheets = sheets.collect();
        let seats = |seats: &Vec<u16>| seats.iter().copied().collect::<ArrayVec<_, _>>();
        self.setup.with_sheets(cards, sheets, matchups.iter().map(seats).collect())
    }
}
