//! Combats set up in a line or two.

use std::collections::BTreeMap;
use std::ops::ControlFlow;
use std::sync::LazyLock;

use evens::chance::{Chance, Every, Scripted};
use evens::game::{Game, Outcome, Side, Stratum, Watch};
use evens::games::sanctum::Sanctum;
use evens::games::sanctum::catalogue::Catalogue;
use evens::games::sanctum::effect::{Effect, Harm, Stat, Target, Trigger, Verb};
use evens::games::sanctum::event::{Blow, Choice, Event, Happened};
use evens::games::sanctum::open_rules::OpenRules;
use evens::games::sanctum::rolls::Roll;
use evens::games::sanctum::setup::{Company, First, Profile, Setup};
use evens::games::sanctum::state::{Minion, Place, Player, State};
use num_rational::BigRational;
use num_traits::Zero;

pub const A1: Place = Place(0);
pub const A2: Place = Place(1);
pub const A3: Place = Place(2);
pub const B1: Place = Place(8);
pub const B2: Place = Place(9);
pub const B3: Place = Place(10);

/// A minion made up for a case, or one of the catalogue.
#[derive(Clone)]
pub struct Piece(pub Profile);

/// A minion with only a hand attack: 7 hit points, no armor, level 1, one attack a round.
pub fn basher(hand: i8) -> Piece {
    Piece(Profile::recruit("Basher", Some(hand), None))
}

/// A minion with only a missile attack, otherwise the same.
pub fn shooter(missile: i8) -> Piece {
    Piece(Profile::recruit("Shooter", None, Some(missile)))
}

/// A minion without any attack: it only stands there.
pub fn dummy() -> Piece {
    Piece(Profile::recruit("Dummy", None, None))
}

pub fn catalogue() -> &'static Catalogue {
    static CATALOGUE: LazyLock<Catalogue> = LazyLock::new(|| Catalogue::new(&Default::default()));
    &CATALOGUE
}

/// A minion of the catalogue.
pub fn card(name: &str) -> Piece {
    Piece(catalogue().minion(name).unwrap_or_else(|| panic!("no minion {name}")).clone())
}

impl Piece {
    pub fn missile(mut self, missile: i8) -> Self {
        self.0.missile = Some(missile);
        self
    }
    pub fn hp(mut self, hit_points: i16) -> Self {
        self.0.hit_points = hit_points;
        self
    }
    pub fn armor(mut self, armor: i8) -> Self {
        self.0.armor = armor;
        self
    }
    pub fn level(mut self, level: u8) -> Self {
        self.0.level = level;
        self
    }
    pub fn attacks(mut self, attacks: u8) -> Self {
        self.0.attacks = attacks;
        self
    }
    pub fn harm(mut self, harm: Harm) -> Self {
        self.0.harm = harm;
        self
    }
    pub fn monster(mut self) -> Self {
        self.0.recruit = false;
        self
    }
    pub fn experienced(mut self) -> Self {
        self.0.experienced = true;
        self
    }
    pub fn with(mut self, effect: Effect) -> Self {
        self.0.effects.push(effect);
        self
    }
    pub fn under(mut self, spell: &str) -> Self {
        let spell = catalogue().spell(spell).unwrap_or_else(|| panic!("no spell {spell}"));
        assert!(spell.can_be_on(&self.0), "{} cannot be on {}", spell.name, self.0.name);
        spell.cast_on(&mut self.0);
        self
    }
}

/// An effect on the minion that bears it.
pub fn effect(when: Trigger, does: Verb) -> Effect {
    Effect::new(when, does)
}

/// An effect that deals damage.
pub fn damage(when: Trigger, amount: i8, on: Target) -> Effect {
    Effect { amount, on, ..effect(when, Verb::Damage) }
}

/// An effect that changes a number.
pub fn gain(when: Trigger, stat: Stat, amount: i8, on: Target) -> Effect {
    Effect { amount, stat, on, ..effect(when, Verb::Gain) }
}

/// Two groups; side A's has precedence.
#[derive(Clone)]
pub struct Arena {
    groups: [Vec<Piece>; 2],
    spells: [Vec<Effect>; 2],
    open: OpenRules,
}

/// Group `a`, with precedence, against group `b`, each first to last.
pub fn arena(a: impl Into<Vec<Piece>>, b: impl Into<Vec<Piece>>) -> Arena {
    let spells = [Vec::new(), Vec::new()];
    Arena { groups: [a.into(), b.into()], spells, open: OpenRules::default() }
}

pub const STRATUM: Stratum = Stratum { matchup: 0, condition: 0 };

impl Arena {
    /// Puts an effect on side A's group as a whole.
    pub fn on_group_a(mut self, effect: Effect) -> Self {
        self.spells[0].push(effect);
        self
    }

    /// Puts an effect on side B's group as a whole.
    pub fn on_group_b(mut self, effect: Effect) -> Self {
        self.spells[1].push(effect);
        self
    }

    /// Reads the open rules in this way.
    pub fn reading(mut self, open: OpenRules) -> Self {
        self.open = open;
        self
    }

    pub fn setup(&self) -> Setup {
        let company = |side: usize| Company {
            name: ["A", "B"][side].to_owned(),
            minions: self.groups[side].iter().map(|piece| piece.0.clone()).collect(),
            effects: self.spells[side].clone(),
        };
        let names = catalogue().names.clone();
        let companies = vec![company(0), company(1)];
        Setup::of_duels(companies, names, &[[0, 1]], First::Always(Player::Blue))
            .with_open_rules(self.open)
    }

    fn play<C: Chance<Roll>>(&self, rounds: u32, dice: &mut C) -> Fought {
        play(&self.setup(), rounds, dice)
    }

    /// Plays up to `rounds` combat rounds with these dice, no more and no fewer of them.
    pub fn rounds(&self, rounds: u32, dice: impl IntoIterator<Item = (Roll, u32)>) -> Fought {
        let mut dice = Scripted::new(dice);
        let fought = self.play(rounds, &mut dice);
        dice.finish();
        fought
    }

    /// Plays the start of combat, in which no die is thrown.
    pub fn begins(&self) -> Fought {
        self.rounds(0, [])
    }

    /// Plays a whole combat in which no die is thrown.
    pub fn combat(&self) -> Fought {
        self.rounds(10, [])
    }

    /// The exact odds of what `key` reads off the first `rounds` rounds.
    pub fn odds<K: Ord>(
        &self,
        rounds: u32,
        key: impl Fn(&Fought) -> K,
    ) -> BTreeMap<K, BigRational> {
        let mut every = Every::new();
        let mut odds = BTreeMap::new();
        loop {
            let fought = self.play(rounds, &mut every);
            *odds.entry(key(&fought)).or_insert_with(BigRational::zero) += every.probability();
            if !every.advance() {
                return odds;
            }
        }
    }
}

/// Plays up to `rounds` rounds of a setup.
pub fn play<C: Chance<Roll>>(setup: &Setup, rounds: u32, dice: &mut C) -> Fought {
    let mut seen = Seen::default();
    let mut state = Sanctum::start(setup, STRATUM, dice, &mut seen);
    let mut outcome = None;
    for _ in 0..rounds {
        if let ControlFlow::Break(end) = Sanctum::round(setup, &mut state, dice, &mut seen) {
            outcome = Some(end);
            break;
        }
    }
    Fought { events: seen.events, fights: seen.fights, state, outcome }
}

/// All events with their rounds, and in map cases which groups each combat was between.
#[derive(Default)]
struct Seen {
    events: Vec<(u8, Event)>,
    fights: Vec<[u8; 2]>,
}

impl Watch<Sanctum> for Seen {
    fn see(&mut self, _: &Setup, state: &State, event: Event) {
        self.events.push((state.round, event));
        if event == Event::Combat {
            self.fights.push(state.fighting);
        }
    }
}

/// The course and result of a combat.
pub struct Fought {
    /// Each event with its round.
    pub events: Vec<(u8, Event)>,
    pub fights: Vec<[u8; 2]>,
    pub state: State,
    pub outcome: Option<Outcome>,
}

impl Fought {
    pub fn at(&self, place: Place) -> &Minion {
        self.state.at(place)
    }
    pub fn hp(&self, place: Place) -> i16 {
        self.at(place).hit_points
    }
    pub fn lives(&self, place: Place) -> bool {
        self.state.present.has(place)
    }
    pub fn victim(&self, place: Place) -> Option<Place> {
        self.state.victim(place)
    }
    pub fn won_by(&self, side: Side) -> bool {
        self.outcome == Some(Outcome::Win(side))
    }
    /// The number of rounds begun in the last combat.
    pub fn round(&self) -> u8 {
        self.state.round
    }

    /// All blows, each with its round.
    pub fn blows(&self) -> Vec<(u8, Blow)> {
        let blow = |&(round, event): &(u8, Event)| match event {
            Event::Blow(blow) => Some((round, blow)),
            _ => None,
        };
        self.events.iter().filter_map(blow).collect()
    }

    /// The rounds in which a minion hit.
    pub fn hits_of(&self, by: Place) -> Vec<u8> {
        let own = |(round, blow): (u8, Blow)| (blow.attack && blow.by == Some(by)).then_some(round);
        self.blows().into_iter().filter_map(own).collect()
    }

    /// Attackers and victims, in order, whether the attack hit or missed.
    pub fn attacks(&self) -> Vec<(Place, Place)> {
        let attack = |&(_, event): &(u8, Event)| match event {
            Event::Blow(Blow { by: Some(by), on, attack: true, .. }) => Some((by, on)),
            Event::Misses { by, on, .. } => Some((by, on)),
            _ => None,
        };
        self.events.iter().filter_map(attack).collect()
    }

    /// Choices of victims in a round, in order: who chose, how, and whom.
    pub fn choices(&self, round: u8) -> Vec<(Place, Choice, Place)> {
        let choice = |&(at, event): &(u8, Event)| match event {
            Event::Chooses { who, victim, how, .. } if at == round => Some((who, how, victim)),
            _ => None,
        };
        self.events.iter().filter_map(choice).collect()
    }

    /// The minions that were buried, in order, each with the one to blame for it.
    pub fn deaths(&self) -> Vec<(Place, Option<Place>)> {
        let death = |&(_, event): &(u8, Event)| match event {
            Event::Buried { who, blame } => Some((who, blame)),
            _ => None,
        };
        self.events.iter().filter_map(death).collect()
    }

    /// The points at which effects happened, in order, each with the effect's bearer.
    pub fn effects(&self) -> Vec<(Trigger, Option<Place>)> {
        let happened = |&(_, event): &(u8, Event)| match event {
            Event::Effect(Happened { when, bearer, .. }) => Some((when, bearer)),
            _ => None,
        };
        self.events.iter().filter_map(happened).collect()
    }

    pub fn has(&self, wanted: impl Fn(&Event) -> bool) -> bool {
        self.events.iter().any(|(_, event)| wanted(event))
    }
}

/// A fraction.
pub fn fraction(numerator: i64, denominator: i64) -> BigRational {
    BigRational::new(numerator.into(), denominator.into())
}
