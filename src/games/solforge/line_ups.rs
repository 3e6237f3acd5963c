//! The decks that a contender could bring, for searches for better ones.
//!
//! A line-up is thirty cards in the order of their names, as a scenario lists a deck. For a contender with a pool, the
//! cards are those of the pool, in decks with as many factions as the pool's decks have; for a contender with a deck of
//! its own, they are all cards that can be in a deck, in decks of one or two factions. Decks are played by the
//! contender's policy.

use strum::IntoEnumIterator;

use super::cards::vocabulary::{Faction, Kind};
use super::legal::{fault_of_factions, fault_of_size, faults_of_copies};
use super::pool::{COPIES, Factions, Pool};
use super::setup::{Brings, Deck, Games, Play, Setup};
use super::state::{CARDS, Form};
use crate::chance::Seeded;
use crate::lineups::{
    Brought, Choice, Fields, LineUp, NoLineUps, Space, Stock, every_multiset, multisets,
};
use crate::sorting::Sorting;

/// The decks that a contender could bring.
#[derive(Debug)]
pub(super) struct Decks<'s> {
    setup: &'s Setup,
    games: &'s Games,
    /// Index of the contender among the decks and pools of the setup.
    contender: usize,
    stock: Stock,
    /// The card of each choice, with its form at level 1.
    cards: Vec<(u16, Form)>,
    pool: Pool,
}

impl<'s> Decks<'s> {
    /// The decks that a contender could bring. An error for a position, for an unknown contender, and if no deck is
    /// legal.
    pub(super) fn of(setup: &'s Setup, contender: &str) -> Result<Self, NoLineUps> {
        let Play::Games(games) = setup.play() else {
            let message = "a position is played as it is set up, and nobody brings a deck to it: name a scenario with \
                           `[[decks]]` or `[[pools]]`";
            return Err(NoLineUps::Scenario(message.to_owned()));
        };
        let Some(at) = games.decks.iter().position(|deck| deck.name == contender) else {
            let known: Vec<&str> = games.decks.iter().map(|deck| deck.name.as_str()).collect();
            return Err(NoLineUps::unknown(contender, known));
        };
        let pool = match &games.decks[at].brings {
            Brings::Drawn(pool) => pool.clone(),
            Brings::Fixed(_) => {
                let of = |faction: Faction| {
                    let cards = setup.cards().cards.iter();
                    let cards = cards.filter(|card| card.faction == faction && !card.token);
                    (faction, cards.filter_map(|card| card.at_level(1)).collect())
                };
                let cards = Faction::iter().map(of).collect();
                Pool::of_what_fills_decks(cards, Factions::OneOrTwo)
                    .ok_or_else(|| NoLineUps::Scenario(nothing_is_legal()))?
            }
        };
        Ok(Self::new(setup, games, at, pool))
    }

    fn new(setup: &'s Setup, games: &'s Games, contender: usize, pool: Pool) -> Self {
        let all = setup.cards().cards.iter().enumerate();
        let mut cards: Vec<(u16, Form)> = all
            .filter(|(_, card)| !card.token)
            .filter_map(|(at, card)| Some((at as u16, card.at_level(1)?)))
            .collect();
        // In the order in which a scenario lists a deck.
        cards.put_in_order_by_key(|&(at, _)| &setup.cards().cards[usize::from(at)].name);
        let choice = |&(at, _): &(u16, Form)| {
            let card = &setup.cards().cards[usize::from(at)];
            let kind = match card.kind {
                Kind::Creature => "creature",
                Kind::Spell => "spell",
            };
            let group = card.faction.to_string();
            Choice { name: card.name.clone(), kind, group, cost: None, most: COPIES }
        };
        let in_pool: Vec<Form> = pool.forms().collect();
        let stock = Stock {
            noun: "deck",
            cost_noun: None,
            choices: cards.iter().map(choice).collect(),
            allowed: cards.iter().map(|(_, form)| in_pool.contains(form)).collect(),
            is_ordered: false,
            sizes: CARDS..=CARDS,
        };
        Self { setup, games, contender, stock, cards, pool }
    }

    fn line_up(&self, forms: impl IntoIterator<Item = Form>) -> LineUp {
        let choice = |form: Form| self.cards.iter().position(|&(_, known)| known == form);
        let mut choices: Vec<u16> =
            forms.into_iter().filter_map(|form| choice(form).map(|at| at as u16)).collect();
        choices.sort_unstable();
        LineUp::new(choices)
    }

    /// Whether the pool can have decks of exactly these factions: whether one of its sets of factions contains them
    /// all.
    fn has_factions(&self, of: &[Faction]) -> bool {
        self.pool.choices().any(|choice| of.iter().all(|faction| choice.contains(faction)))
    }

    fn faction(&self, choice: u16) -> Faction {
        self.setup.cards().cards[usize::from(self.cards[usize::from(choice)].0)].faction
    }
}

fn nothing_is_legal() -> String {
    format!(
        "no deck of {CARDS} cards, up to {COPIES} of each, can be made of these: allow more cards"
    )
}

impl Space for Decks<'_> {
    fn stock(&self) -> &Stock {
        &self.stock
    }

    fn own(&self) -> Option<LineUp> {
        match &self.games.decks[self.contender].brings {
            Brings::Fixed(forms) => {
                let own = self.line_up(forms.iter().copied());
                self.legal(&own).is_ok().then_some(own)
            }
            Brings::Drawn(_) => None,
        }
    }

    /// Checks a line-up as a scenario's decks are checked (decision 27).
    fn legal(&self, line_up: &LineUp) -> Result<(), String> {
        let card = |choice: u16| self.cards[usize::from(choice)].0;
        let cards = self.setup.cards();
        if let Some(fault) = fault_of_size(line_up.choices().len()) {
            return Err(fault.to_string());
        }
        let mut factions = Vec::new();
        for run in line_up.choices().chunk_by(|one, next| one == next) {
            if let Some(fault) = faults_of_copies(cards, card(run[0]), run.len() as i64).next() {
                return Err(fault.to_string());
            }
            if !self.allows(run[0]) {
                let name = &self.choices()[usize::from(run[0])].name;
                return Err(format!("`{name}` is not among the cards to choose from"));
            }
            factions.push(self.faction(run[0]));
        }
        let each = line_up.choices().iter().map(|&choice| card(choice));
        if let Some(fault) = fault_of_factions(cards, each) {
            return Err(fault.to_string());
        }
        if !self.has_factions(&factions) {
            return Err("no deck of the pool is of these factions".to_owned());
        }
        Ok(())
    }

    fn draw(&self, random: &mut Seeded) -> LineUp {
        self.line_up(self.pool.draw(random).iter().copied())
    }

    fn count(&self) -> Option<u128> {
        let all: Vec<Faction> = Faction::iter().collect();
        let of = |factions: &[Faction]| {
            let each = self.all_allowed().into_iter();
            let cards = each.filter(|&choice| factions.contains(&self.faction(choice))).count();
            Some(multisets(cards, COPIES, CARDS)?[CARDS])
        };
        let mut count = 0_u128;
        for (at, &first) in all.iter().enumerate() {
            let alone = of(&[first])?;
            count = count.checked_add(if self.has_factions(&[first]) { alone } else { 0 })?;
            for &second in &all[at + 1..] {
                if self.has_factions(&[first, second]) {
                    // Decks of one of the two alone are not counted here, but as decks of one faction.
                    let both = of(&[first, second])? - alone - of(&[second])?;
                    count = count.checked_add(both)?;
                }
            }
        }
        Some(count)
    }

    fn all(&self) -> Vec<LineUp> {
        // By factions, as they are counted: most sets of all cards would be of more than two.
        let all: Vec<Faction> = Faction::iter().collect();
        let alone = all.iter().map(|&one| vec![one]);
        let pairs = all
            .iter()
            .enumerate()
            .flat_map(|(at, &first)| all[at + 1..].iter().map(move |&second| vec![first, second]));
        let sets = alone.chain(pairs).filter(|factions| self.has_factions(factions));
        let of = |factions: Vec<Faction>| {
            let is_of = |&choice: &u16| factions.contains(&self.faction(choice));
            let cards: Vec<u16> = self.all_allowed().into_iter().filter(is_of).collect();
            every_multiset(&cards, COPIES, &self.sizes(), &|line_up| {
                let has = |faction: &Faction| {
                    line_up.choices().iter().any(|&choice| self.faction(choice) == *faction)
                };
                factions.iter().all(has) && self.legal(line_up).is_ok()
            })
        };
        sets.flat_map(of).collect()
    }
}

impl Fields<Setup> for Decks<'_> {
    fn only(&self, allowed: &[bool]) -> Result<Box<dyn Fields<Setup> + '_>, String> {
        let wanted = |form: Form| {
            let choice = self.cards.iter().position(|&(_, known)| known == form);
            choice.is_some_and(|at| allowed[at])
        };
        let pool = self.pool.only(wanted).ok_or_else(nothing_is_legal)?;
        Ok(Box::new(Self::new(self.setup, self.games, self.contender, pool)))
    }

    fn setup(&self, brought: &[Brought<'_>], matchups: &[Vec<u16>]) -> Setup {
        let space: &dyn Space = self;
        let deck = |of: &Brought<'_>| match of {
            Brought::LineUp(line_up) => {
                assert!(self.legal(line_up).is_ok(), "a legal line-up");
                let form = |&choice: &u16| self.cards[usize::from(choice)].1;
                let forms = line_up.choices().iter().map(form).collect();
                let policy = self.games.decks[self.contender].policy.clone();
                Deck { name: space.told(line_up), brings: Brings::Fixed(forms), policy }
            }
            Brought::Contender(name) => {
                let known = self.games.decks.iter().find(|known| known.name == *name);
                known.expect("a contender of the scenario").clone()
            }
        };
        let matchups = matchups.iter().map(|pair| [pair[0], pair[1]]).collect();
        self.setup.with_decks(brought.iter().map(deck).collect(), matchups)
    }
}
