//! Random sessions: any cards that a catalogue may hold, in the hands of any characters.

use arrayvec::ArrayVec;
use evens::games::eldertale::cards::{Applies, Bearer, Card, CardType, Rarity, Targets, Trigger};
use evens::games::eldertale::effect::{Effect, Kind};
use evens::games::eldertale::open_rules::{Discards, EnergyBeyond3, OpenRules};
use evens::games::eldertale::setup::{Deck, Line, Policy, Setup, Sheet, Wager};
use proptest::collection::vec;
use proptest::option;
use proptest::prelude::*;
use proptest::sample::{Index, select};
use strum::IntoEnumIterator;

use super::book;

/// A number as cards have it, sometimes as large as a catalogue allows.
fn number(low: u8, high: u8) -> impl Strategy<Value = u8> {
    prop_oneof![40 => low..=high, 1 => low..=99u8]
}

/// An effect that a catalogue allows: hit durations only where hits are affected, and none that lasts for ever.
fn effect() -> impl Strategy<Value = Effect> {
    let kinds: Vec<Kind> = Kind::iter().collect();
    (select(kinds), number(1, 5), 0..=3u8, 0..=4u8).prop_map(|(kind, intensity, hits, rounds)| {
        let hits = if kind.affects_hits() { hits } else { 0 };
        let rounds = if kind == Kind::Heal { 0 } else { rounds };
        let mut effect = Effect { kind, intensity, hits, rounds };
        if !effect.is_instant() && !kind.ticks() && hits == 0 && rounds == 0 {
            effect.rounds = 2;
        }
        effect
    })
}

/// How a card applies an effect. A Gain Defense without a duration always goes to the card's own player, and on an
/// attack it comes on play.
fn applies(kind: CardType, targets: Targets) -> impl Strategy<Value = Applies> {
    (effect(), any::<bool>(), any::<bool>()).prop_map(move |(effect, on_play, to_target)| {
        let at_once = effect.kind == Kind::GainDefense && effect.is_instant();
        let to_target = to_target && targets != Targets::Player && !at_once;
        let on_play = on_play || (at_once && kind == CardType::Attack);
        Applies {
            trigger: if on_play { Trigger::Play } else { Trigger::Activation },
            bearer: if to_target { Bearer::Target } else { Bearer::Player },
            effect,
        }
    })
}

fn card() -> impl Strategy<Value = Card> {
    let shape = prop_oneof![
        2 => Just((CardType::Utility, Targets::Player)),
        2 => Just((CardType::Utility, Targets::One)),
        4 => Just((CardType::Defense, Targets::Player)),
        4 => Just((CardType::Attack, Targets::One)),
        2 => Just((CardType::Attack, Targets::Area)),
        2 => Just((CardType::Attack, Targets::Random)),
    ];
    shape.prop_flat_map(|(kind, targets)| {
        let effects = vec(applies(kind, targets), 0..=4);
        let numbers = (0..=2u8, number(1, 12), 1..=5u8, 1..=2u8, 0..=5u8);
        (numbers, effects).prop_map(move |((bare, strength, hits, cost, single), effects)| {
            // Some cards have effects only; cards that name several targets always have hits.
            let hitting = kind != CardType::Utility && (bare > 0 || targets.spreads());
            let strength = if hitting { strength } else { 0 };
            Card {
                title: String::new(),
                description: String::new(),
                kind,
                rarity: Rarity::Common,
                requires: Vec::new(),
                single_use: single == 0,
                cost,
                damage: if kind == CardType::Attack { strength } else { 0 },
                defense: if kind == CardType::Defense { strength } else { 0 },
                hits: if hitting { hits } else { 0 },
                targets,
                effects: effects.into_iter().collect(),
            }
        })
    })
}

/// What decides the plays of a character. A script names cards and characters at random.
#[derive(Clone, Debug)]
enum Decides {
    Random,
    Greedy,
    Script(Vec<Vec<(Index, Vec<Index>)>>),
}

#[derive(Clone, Debug)]
struct Joins {
    hp: i16,
    cards: Vec<Index>,
    decides: Decides,
    wager: Option<(u8, i16, [u64; 2])>,
}

fn joins() -> impl Strategy<Value = Joins> {
    let line = (any::<Index>(), vec(any::<Index>(), 0..=3));
    let script = vec(vec(line, 0..=3), 1..=4);
    let decides = prop_oneof![
        2 => Just(Decides::Random),
        2 => Just(Decides::Greedy),
        1 => script.prop_map(Decides::Script),
    ];
    let wager = (1..=4u8, 0..=40i16, (0..=5u64, 1..=5u64));
    let wager = wager.prop_map(|(level, at, (holds, fails))| (level, at, [holds, fails]));
    (1..=70i16, vec(any::<Index>(), 0..=16), decides, option::of(wager))
        .prop_map(|(hp, cards, decides, wager)| Joins { hp, cards, decides, wager })
}

/// A setup with a readable description for when a session fails.
#[derive(Clone)]
pub struct Session(pub Setup);

impl std::fmt::Debug for Session {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let (cards, sheets) = (self.0.cards(), self.0.sheets());
        let (last_round, open) = (self.0.last_round(), self.0.open_rules());
        writeln!(f, "a session of at most {last_round} rounds, {open:?}")?;
        for (at, card) in cards.iter().enumerate() {
            let Card { kind, targets, cost, damage, defense, hits, single_use, .. } = card;
            write!(f, "  {at}: {kind:?} at {targets:?}, cost {cost}, ")?;
            writeln!(f, "{hits} hits of {damage}/{defense}, single use {single_use}")?;
            for Applies { trigger, bearer, effect } in &card.effects {
                writeln!(f, "    {trigger:?} {bearer:?} {effect:?}")?;
            }
        }
        for Sheet { hp, deck, policy, wager, .. } in sheets {
            let held: Vec<u16> = deck.iter().map(|(_, card)| card).collect();
            writeln!(f, "  {hp} hp, cards {held:?}, {policy:?}, {wager:?}")?;
        }
        Ok(())
    }
}

/// Open rules in any of their readings.
fn open_rules() -> impl Strategy<Value = OpenRules> {
    let discards = select(vec![Discards::Reshuffled, Discards::Pile]);
    let energy =
        select(vec![EnergyBeyond3::Never, EnergyBeyond3::FirstTurn, EnergyBeyond3::Always]);
    (discards, energy)
        .prop_map(|(discards, energy_beyond_3)| OpenRules { discards, energy_beyond_3 })
}

/// Sessions of two to six characters with cards of their own.
pub fn sessions() -> impl Strategy<Value = Session> {
    (vec(card(), 1..=12), vec(joins(), 2..=6), 1..=30u16, open_rules()).prop_map(
        |(mut cards, joining, last_round, open)| {
            // The title tells cards apart.
            cards.iter_mut().enumerate().for_each(|(at, card)| card.title = at.to_string());
            let sides = joining.len();
            let sheets = joining.iter().enumerate();
            let sheets = sheets.map(|(seat, joins)| sheet(seat, joins, &cards, sides)).collect();
            let seated: ArrayVec<u16, 6> = (0..sides as u16).collect();
            Session(Setup::new(cards, sheets, vec![seated], last_round).with_open_rules(open))
        },
    )
}

/// A character with at most seven cards of each type, because the book counts sets of them one by one.
fn sheet(seat: usize, joins: &Joins, cards: &[Card], sides: usize) -> Sheet {
    let mut held = [0; 3];
    let mut deck = Vec::new();
    for index in &joins.cards {
        let at = index.index(cards.len());
        let count = &mut held[cards[at].kind as usize];
        if *count < 7 {
            *count += 1;
            deck.push(at as u16);
        }
    }
    let policy = match &joins.decides {
        Decides::Random => Policy::Random,
        Decides::Greedy => Policy::Greedy,
        Decides::Script(turns) => {
            let line = |(card, named): &(Index, Vec<Index>)| {
                let card = card.index(cards.len());
                let most = if cards[card].targets == Targets::Player { 0 } else { named.len() };
                let most = if cards[card].targets == Targets::One { most.min(1) } else { most };
                let most = most.min(usize::from(cards[card].hits).max(1));
                let others: Vec<u16> =
                    (0..sides as u16).filter(|&other| other != seat as u16).collect();
                let named = named.iter().take(most).map(|name| others[name.index(others.len())]);
                Line { card: card as u16, named: named.collect() }
            };
            Policy::Scripted(turns.iter().map(|turn| turn.iter().map(line).collect()).collect())
        }
    };
    Sheet {
        name: seat.to_string(),
        classes: ArrayVec::new(),
        hp: joins.hp,
        deck: Deck::new(cards, deck),
        policy,
        wager: joins.wager.map(|(level, at, odds)| Wager { level, at, odds }),
    }
}

/// The characters of a setup in the form that the book needs.
pub fn players(setup: &Setup) -> Vec<book::Player> {
    let player = |sheet: &Sheet| book::Player {
        full_hp: sheet.hp.into(),
        hp: sheet.hp.into(),
        deck: sheet
            .deck
            .iter()
            .map(|(place, card)| book::InDeck {
                place: place as u8,
                card: setup.cards()[usize::from(card)].clone(),
            })
            .collect(),
        wager: sheet.wager.map(|wager| book::Wager { at: wager.at.into(), odds: wager.odds }),
        energy: 0,
        hand: Vec::new(),
        used_up: Vec::new(),
        draw_piles: Default::default(),
        queue: Vec::new(),
        effects: Vec::new(),
        memory: book::Memory::Kept,
        drops: 0,
        energy_used: 0,
        energy_left: 0,
        out: false,
    };
    setup.sheets().iter().map(player).collect()
}
