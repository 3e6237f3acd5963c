//! Sessions set up in a line or two.

use std::collections::BTreeMap;
use std::ops::ControlFlow;

use arrayvec::ArrayVec;
use evens::chance::Scripted;
use evens::game::{Ended, Game, Outcome, Side, Stratum, Watch};
use evens::games::eldertale::ElderTale;
use evens::games::eldertale::cards::{Applies, Bearer, Card, CardType, Rarity, Targets, Trigger};
use evens::games::eldertale::effect::{Effect, Kind};
use evens::games::eldertale::event::{Cause, Event};
use evens::games::eldertale::open_rules::OpenRules;
use evens::games::eldertale::rolls::Roll;
use evens::games::eldertale::setup::{Deck, Line, Policy, Setup, Sheet, Wager};
use evens::games::eldertale::state::{Character, State};
use evens::walk as exact;
use num_rational::BigRational;

pub const A: Side = Side(0);
pub const B: Side = Side(1);
pub const C: Side = Side(2);
pub const D: Side = Side(3);
pub const F: Side = Side(5);

/// A card made up for a case, and the characters at whom a script plays it.
#[derive(Clone)]
pub struct Piece {
    card: Card,
    named: Vec<Side>,
}

fn piece(kind: CardType, targets: Targets, title: String) -> Piece {
    let card = Card {
        title,
        description: String::new(),
        kind,
        rarity: Rarity::Common,
        requires: Vec::new(),
        single_use: false,
        cost: 1,
        damage: 0,
        defense: 0,
        hits: 0,
        targets,
        effects: ArrayVec::new(),
    };
    Piece { card, named: Vec::new() }
}

/// An Attack card with one hit, at the next character.
pub fn attack(damage: u8) -> Piece {
    let mut piece = piece(CardType::Attack, Targets::One, format!("Attack {damage}"));
    (piece.card.damage, piece.card.hits) = (damage, u8::from(damage > 0));
    piece
}

/// A Defense card with one hit.
pub fn defense(guard: u8) -> Piece {
    let mut piece = piece(CardType::Defense, Targets::Player, format!("Defense {guard}"));
    (piece.card.defense, piece.card.hits) = (guard, u8::from(guard > 0));
    piece
}

/// A Utility card for its own player.
pub fn utility() -> Piece {
    piece(CardType::Utility, Targets::Player, "Utility".to_owned())
}

/// A Utility card for one other character.
pub fn hindrance() -> Piece {
    piece(CardType::Utility, Targets::One, "Hindrance".to_owned())
}

impl Piece {
    pub fn called(mut self, title: &str) -> Self {
        self.card.title = title.to_owned();
        self
    }
    pub fn cost(mut self, cost: u8) -> Self {
        self.card.cost = cost;
        self
    }
    pub fn hits(mut self, hits: u8) -> Self {
        self.card.hits = hits;
        self
    }
    pub fn spread(mut self, targets: Targets) -> Self {
        self.card.targets = targets;
        self
    }
    pub fn single_use(mut self) -> Self {
        self.card.single_use = true;
        self
    }
    /// Sets the characters that a script names.
    pub fn at<const N: usize>(mut self, named: [Side; N]) -> Self {
        self.named = named.to_vec();
        self
    }
    fn with(mut self, trigger: Trigger, bearer: Bearer, effect: Effect) -> Self {
        self.card.effects.push(Applies { trigger, bearer, effect });
        self
    }
    fn usual_bearer(&self) -> Bearer {
        if self.card.targets == Targets::Player { Bearer::Player } else { Bearer::Target }
    }
    /// Applies an effect on activation: to the card's target if it has one, else to its player.
    pub fn applies(self, effect: Effect) -> Self {
        let bearer = self.usual_bearer();
        self.with(Trigger::Activation, bearer, effect)
    }
    /// Applies an effect on play: to the card's target if it has one, else to its player.
    pub fn applies_on_play(self, effect: Effect) -> Self {
        let bearer = self.usual_bearer();
        self.with(Trigger::Play, bearer, effect)
    }
    /// Applies an effect on activation to the card's player.
    pub fn applies_to_self(self, effect: Effect) -> Self {
        self.with(Trigger::Activation, Bearer::Player, effect)
    }
}

/// An effect without durations.
pub fn effect(kind: Kind, intensity: u8) -> Effect {
    Effect { kind, intensity, hits: 0, rounds: 0 }
}

pub trait Lasting {
    fn for_hits(self, hits: u8) -> Self;
    fn for_rounds(self, rounds: u8) -> Self;
}

impl Lasting for Effect {
    fn for_hits(mut self, hits: u8) -> Self {
        self.hits = hits;
        self
    }
    fn for_rounds(mut self, rounds: u8) -> Self {
        self.rounds = rounds;
        self
    }
}

/// A character made up for a case.
#[derive(Clone)]
pub struct Fighter {
    hp: i16,
    cards: Vec<Piece>,
    turns: Vec<Vec<Piece>>,
    policy: Option<Policy>,
    wager: Option<Wager>,
}

/// A character with 60 HP and no cards, which does nothing.
pub fn fighter() -> Fighter {
    Fighter { hp: 60, cards: Vec::new(), turns: Vec::new(), policy: None, wager: None }
}

impl Fighter {
    pub fn hp(mut self, hp: i16) -> Self {
        self.hp = hp;
        self
    }
    /// Gives it these cards in addition to those that it plays.
    pub fn holds(mut self, cards: impl IntoIterator<Item = Piece>) -> Self {
        self.cards.extend(cards);
        self
    }
    /// Plays these cards in the next turn of its script, which starts again after its last turn.
    pub fn plays(mut self, cards: impl IntoIterator<Item = Piece>) -> Self {
        self.turns.push(cards.into_iter().collect());
        self
    }
    /// Plays nothing for some turns.
    pub fn rests(mut self, turns: usize) -> Self {
        self.turns.extend(std::iter::repeat_n(Vec::new(), turns));
        self
    }
    pub fn random(mut self) -> Self {
        self.policy = Some(Policy::Random);
        self
    }
    pub fn greedy(mut self) -> Self {
        self.policy = Some(Policy::Greedy);
        self
    }
    /// Lets it put a Memory down at the first own turn with at most `at` HP; a further drop below 0 then disables it
    /// with a chance of `disables` in `of`.
    pub fn memory(mut self, at: i16, disables: u64, of: u64) -> Self {
        self.wager = Some(Wager { level: 1, at, odds: [of - disables, disables] });
        self
    }
}

/// Characters in joining order.
#[derive(Clone)]
pub struct Arena {
    fighters: Vec<Fighter>,
    last_round: u16,
    open: OpenRules,
}

pub fn arena(fighters: impl Into<Vec<Fighter>>) -> Arena {
    Arena { fighters: fighters.into(), last_round: 100, open: OpenRules::default() }
}

const STRATUM: Stratum = Stratum { matchup: 0, condition: 0 };

impl Arena {
    pub fn last_round(mut self, round: u16) -> Self {
        self.last_round = round;
        self
    }

    pub fn reading(mut self, open: OpenRules) -> Self {
        self.open = open;
        self
    }

    pub fn setup(&self) -> Setup {
        let mut cards: Vec<Card> = Vec::new();
        let mut place = |piece: &Piece| {
            let known = cards.iter().position(|card| *card == piece.card);
            known.unwrap_or_else(|| {
                cards.push(piece.card.clone());
                cards.len() - 1
            }) as u16
        };
        let mut drafts = Vec::new();
        for fighter in &self.fighters {
            let mut deck: Vec<u16> = fighter.cards.iter().map(&mut place).collect();
            let mut script = Vec::new();
            for turn in &fighter.turns {
                let mut lines = Vec::new();
                for piece in turn {
                    let card = place(piece);
                    let needed = turn.iter().filter(|other| other.card == piece.card).count();
                    while deck.iter().filter(|&&other| other == card).count() < needed {
                        deck.push(card);
                    }
                    let named = piece.named.iter().map(|seat| u16::from(seat.0)).collect();
                    lines.push(Line { card, named });
                }
                script.push(lines);
            }
            drafts.push((deck, script));
        }
        let sheet = |(fighter, (deck, script)): (&Fighter, (Vec<u16>, Vec<Vec<Line>>))| Sheet {
            name: "Fighter".to_owned(),
            classes: ArrayVec::new(),
            hp: fighter.hp,
            deck: Deck::new(&cards, deck),
            policy: fighter.policy.clone().unwrap_or(Policy::Scripted(script)),
            wager: fighter.wager,
        };
        let sheets = self.fighters.iter().zip(drafts).map(sheet).collect();
        let seats = (0..self.fighters.len() as u16).collect();
        Setup::new(cards, sheets, vec![seats], self.last_round).with_open_rules(self.open)
    }

    /// Deals everybody a hand with these dice, and plays no turn.
    pub fn begins(&self, dice: impl IntoIterator<Item = (Roll, u32)>) -> Fought {
        self.turns_with(0, dice)
    }

    /// Plays up to `turns` turns with these dice, no more and no fewer of them.
    pub fn turns_with(&self, turns: u32, dice: impl IntoIterator<Item = (Roll, u32)>) -> Fought {
        let setup = self.setup();
        let mut dice = Scripted::new(dice);
        let mut seen = Seen::default();
        let mut state = ElderTale::start(&setup, STRATUM, &mut dice, &mut seen);
        let mut outcome = None;
        for _ in 0..turns {
            let step = ElderTale::round(&setup, &mut state, &mut dice, &mut seen);
            if let ControlFlow::Break(end) = step {
                outcome = Some(end);
                break;
            }
        }
        dice.finish();
        Fought { setup, events: seen.events, energies: seen.energies, state, outcome }
    }

    /// Plays up to `turns` turns in which no die is thrown.
    pub fn turns(&self, turns: u32) -> Fought {
        self.turns_with(turns, [])
    }

    /// The exact odds of what `key` reads off an ended session.
    pub fn odds<K: Ord + Send + Sync>(
        &self,
        key: impl Fn(&Ended<State>) -> K + Sync,
    ) -> BTreeMap<K, BigRational> {
        exact::distribution::<ElderTale, _>(&self.setup(), STRATUM, 200_000, key).unwrap()
    }
}

#[derive(Default)]
struct Seen {
    events: Vec<Event>,
    energies: Vec<(Side, u8)>,
}

impl Watch<ElderTale> for Seen {
    fn see(&mut self, _: &Setup, state: &State, event: Event) {
        if let Event::Turn(who) = event {
            self.energies.push((who, state.at(who).energy));
        }
        self.events.push(event);
    }
}

/// The course and result of a session.
pub struct Fought {
    setup: Setup,
    pub events: Vec<Event>,
    /// The turns in order: the character, and the energy that it had.
    pub energies: Vec<(Side, u8)>,
    pub state: State,
    pub outcome: Option<Outcome>,
}

impl Fought {
    pub fn setup(&self) -> &Setup {
        &self.setup
    }
    pub fn at(&self, seat: Side) -> &Character {
        self.state.at(seat)
    }
    pub fn hp(&self, seat: Side) -> i16 {
        self.at(seat).hp
    }
    pub fn stands(&self, seat: Side) -> bool {
        self.state.standing.has(seat)
    }
    pub fn intensity(&self, seat: Side, kind: Kind) -> u8 {
        self.at(seat).effects.intensity(kind)
    }

    /// The cards in hand by type: Utility, Defense, Attack.
    pub fn hand(&self, seat: Side) -> [u32; 3] {
        let deck = &self.setup.sheet(&self.state, seat).deck;
        [CardType::Utility, CardType::Defense, CardType::Attack]
            .map(|kind| (self.at(seat).hand & deck.of(kind)).count_ones())
    }

    /// The HP that each hit on a seat cost, in order; 0 where the defense blocked all of it.
    pub fn blows(&self, seat: Side) -> Vec<u16> {
        let mut blows = Vec::new();
        for (at, event) in self.events.iter().enumerate() {
            if matches!(event, Event::Hit { on, .. } if *on == seat) {
                // Effects that end with the hit are told before what it costs.
                let mut then = self.events[at + 1..].iter();
                let lost = match then.find(|event| !matches!(event, Event::Ends { .. })) {
                    Some(Event::Loses { amount, cause: Cause::Hit { .. }, .. }) => *amount,
                    _ => 0,
                };
                blows.push(lost);
            }
        }
        blows
    }

    /// The HP that a seat lost for this cause, in order.
    pub fn losses(&self, seat: Side, wanted: Cause) -> Vec<u16> {
        let loss = |event: &Event| match event {
            Event::Loses { who, amount, cause } if *who == seat && *cause == wanted => {
                Some(*amount)
            }
            _ => None,
        };
        self.events.iter().filter_map(loss).collect()
    }

    pub fn heals(&self, seat: Side) -> Vec<u16> {
        let heal = |event: &Event| match event {
            Event::Heals { who, amount, .. } if *who == seat => Some(*amount),
            _ => None,
        };
        self.events.iter().filter_map(heal).collect()
    }

    /// The titles of the cards that a seat played, in order.
    pub fn played(&self, seat: Side) -> Vec<&str> {
        let played = |event: &Event| match event {
            Event::Plays { who, play } if *who == seat => {
                Some(self.setup.card(play.card).title.as_str())
            }
            _ => None,
        };
        self.events.iter().filter_map(played).collect()
    }

    /// The attacks that joined queues: in whose queue, and with how many hits.
    pub fn queued(&self) -> Vec<(Side, u8)> {
        let queued = |event: &Event| match event {
            Event::Queues { on, attack } => Some((*on, attack.hits)),
            _ => None,
        };
        self.events.iter().filter_map(queued).collect()
    }

    pub fn count(&self, wanted: impl Fn(&Event) -> bool) -> usize {
        self.events.iter().filter(|event| wanted(event)).count()
    }

    pub fn has(&self, wanted: impl Fn(&Event) -> bool) -> bool {
        self.events.iter().any(wanted)
    }

    /// The events that the last "done" set off, one word each.
    pub fn last_done(&self) -> Vec<&'static str> {
        let done = self.events.iter().rposition(|event| matches!(event, Event::Done(_)));
        self.events[done.expect("somebody is done")..].iter().filter_map(word).collect()
    }
}

fn word(event: &Event) -> Option<&'static str> {
    Some(match event {
        Event::Done(_) => "done",
        Event::Activates { .. } => "card",
        Event::Guards { through: None, .. } => "guard",
        Event::Guards { .. } => "guard by effect",
        Event::Lands { .. } => "lands",
        Event::Loses { cause: Cause::Poison, .. } => "poison",
        Event::Loses { cause: Cause::Hit { .. }, .. } => "blow",
        Event::Loses { cause: Cause::Thorns(_), .. } => "thorns",
        Event::Heals { through: Kind::Heal, .. } => "heal",
        Event::Heals { .. } => "heal over time",
        Event::Starts { .. } => "effect starts",
        Event::DurationsFell(_) => "durations fall",
        Event::Out(_) => "out",
        Event::Queues { .. } => "queued",
        Event::TurnEnds(_) => "end of turn",
        Event::Deals { .. } => "hand dealt",
        _ => return None,
    })
}

/// A fraction.
pub fn fraction(numerator: i64, denominator: i64) -> BigRational {
    BigRational::new(numerator.into(), denominator.into())
}
