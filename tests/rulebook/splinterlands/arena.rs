//! Battles set up in a line or two.

use std::collections::BTreeMap;
use std::ops::ControlFlow;

use evens::chance::Scripted;
use evens::game::{Game, Outcome, Side, Stratum, Watch};
use evens::games::splinterlands::ability::Ability;
use evens::games::splinterlands::cards::{Card, CardKind, Catalogue, Faction, Level, Rarity};
use evens::games::splinterlands::event::{Attack, Blow, Cause, Event};
use evens::games::splinterlands::rolls::Roll;
use evens::games::splinterlands::ruleset::{Ruleset, Rulesets};
use evens::games::splinterlands::setup::{CardAt, LineUp, Setup, TurnTies};
use evens::games::splinterlands::state::{Monster, Place, State};
use evens::games::splinterlands::{Splinterlands, bundled};
use evens::walk as exact;
use num_rational::BigRational;

pub const A1: Place = Place(0);
pub const A2: Place = Place(1);
pub const A3: Place = Place(2);
pub const A4: Place = Place(3);
pub const B1: Place = Place(6);
pub const B2: Place = Place(7);
pub const B3: Place = Place(8);
pub const B4: Place = Place(9);

pub const YES: u32 = 1;
pub const NO: u32 = 0;

/// A monster or summoner made up for a case, or a real card.
#[derive(Clone)]
pub struct Piece {
    card: Card,
    level: u8,
}

/// A monster with 10 health, speed 3 and nothing else.
pub fn monster() -> Piece {
    let card = Card {
        id: 0,
        name: "Monster".to_owned(),
        faction: Faction::Neutral,
        kind: CardKind::Monster,
        rarity: Rarity::Common,
        mana: 5,
        levels: vec![Level::default(); 10],
    };
    Piece { card, level: 1 }.health(10).speed(3)
}

pub fn melee(power: i8) -> Piece {
    monster().change(|level| level.stats.melee = power)
}

pub fn ranged(power: i8) -> Piece {
    monster().change(|level| level.stats.ranged = power)
}

pub fn magic(power: i8) -> Piece {
    monster().change(|level| level.stats.magic = power)
}

/// A summoner that does nothing.
pub fn summoner() -> Piece {
    let nothing = Level::default();
    let mut piece = monster().change(|level| *level = nothing);
    piece.card.kind = CardKind::Summoner;
    piece
}

/// A card of May 2020.
pub fn card(name: &str, level: u8) -> Piece {
    let at = bundled().find(name).unwrap_or_else(|| panic!("no card {name}"));
    Piece { card: Card::clone(&bundled().cards[usize::from(at)]), level }
}

impl Piece {
    fn change(mut self, change: impl Fn(&mut Level)) -> Self {
        self.card.levels.iter_mut().for_each(change);
        self
    }
    pub fn melee(self, power: i8) -> Self {
        self.change(|level| level.stats.melee = power)
    }
    pub fn ranged(self, power: i8) -> Self {
        self.change(|level| level.stats.ranged = power)
    }
    pub fn magic(self, power: i8) -> Self {
        self.change(|level| level.stats.magic = power)
    }
    pub fn health(self, health: i8) -> Self {
        self.change(|level| level.stats.health = health)
    }
    pub fn armor(self, armor: i8) -> Self {
        self.change(|level| level.stats.armor = armor)
    }
    pub fn speed(self, speed: i8) -> Self {
        self.change(|level| level.stats.speed = speed)
    }
    pub fn with(self, ability: Ability) -> Self {
        self.change(|level| level.abilities |= ability)
    }
    pub fn level(mut self, level: u8) -> Self {
        self.level = level;
        self
    }
    pub fn rarity(mut self, rarity: Rarity) -> Self {
        self.card.rarity = rarity;
        self
    }
}

/// Two teams and the rules under which they fight.
#[derive(Clone)]
pub struct Arena {
    rulesets: Rulesets,
    summoners: [Piece; 2],
    teams: [Vec<Piece>; 2],
    identical_draw: bool,
    turn_ties: TurnTies,
    played_out: bool,
}

/// `a` against `b`, front first, under Standard and summoners that do nothing.
pub fn arena(a: impl Into<Vec<Piece>>, b: impl Into<Vec<Piece>>) -> Arena {
    Arena {
        rulesets: Ruleset::Standard.into(),
        summoners: [summoner(), summoner()],
        teams: [a.into(), b.into()],
        identical_draw: false,
        turn_ties: TurnTies::Even,
        played_out: false,
    }
}

impl Arena {
    pub fn under(mut self, rulesets: impl Into<Rulesets>) -> Self {
        self.rulesets = rulesets.into();
        self
    }
    pub fn led_by(mut self, summoner: Piece) -> Self {
        self.summoners[0] = summoner;
        self
    }
    pub fn enemy_led_by(mut self, summoner: Piece) -> Self {
        self.summoners[1] = summoner;
        self
    }
    pub fn identical_teams_draw(mut self) -> Self {
        self.identical_draw = true;
        self
    }

    pub fn official_ties(mut self) -> Self {
        self.turn_ties = TurnTies::Official;
        self
    }
    pub fn played_out(mut self) -> Self {
        self.played_out = true;
        self
    }

    pub fn setup(&self) -> Setup {
        let mut catalogue = Catalogue::default();
        let mut add = |piece: &Piece| {
            let known = catalogue.iter().position(|card| *card == piece.card);
            let card = known.unwrap_or_else(|| {
                catalogue.cards.push(piece.card.clone().into());
                catalogue.cards.len() - 1
            });
            CardAt { card: card as u16, level: piece.level }
        };
        let teams = [0, 1].map(|side| LineUp {
            summoner: add(&self.summoners[side]),
            monsters: self.teams[side].iter().map(&mut add).collect(),
        });
        Setup::of_teams(catalogue, self.rulesets, teams)
            .with_identical_teams_drawing(self.identical_draw)
            .with_turn_ties(self.turn_ties)
            .with_rounds_played_out(self.played_out)
    }

    /// The field before round 1.
    pub fn begins(&self) -> Fought {
        self.rounds(0, [])
    }

    /// Plays up to `rounds` rounds with these dice, no more and no fewer of them.
    pub fn rounds(&self, rounds: u32, dice: impl IntoIterator<Item = (Roll, u32)>) -> Fought {
        let setup = self.setup();
        let mut chance = Scripted::new(dice);
        let mut seen = Seen::default();
        let mut state = Splinterlands::start(&setup, STRATUM, &mut chance, &mut seen);
        let mut outcome = None;
        for _ in 0..rounds {
            if let ControlFlow::Break(end) =
                Splinterlands::round(&setup, &mut state, &mut chance, &mut seen)
            {
                outcome = Some(end);
                break;
            }
        }
        chance.finish();
        Fought { events: seen.events, state, outcome }
    }

    /// Plays one round in which no die is thrown.
    pub fn round(&self) -> Fought {
        self.rounds(1, [])
    }

    /// Plays to the end without a die.
    pub fn battle(&self) -> Fought {
        let fought = self.rounds(100, []);
        assert!(fought.outcome.is_some());
        fought
    }

    /// The exact odds of the outcomes.
    pub fn odds(&self) -> BTreeMap<Outcome, BigRational> {
        exact::outcomes::<Splinterlands>(&self.setup(), STRATUM, 100_000).unwrap()
    }

    /// The chance, in percent, that a monster's attack hits.
    pub fn percent(&self, by: Place, on: Place, kind: Attack) -> u8 {
        self.begins().state.chance_to_hit(by, on, kind)
    }

    /// The target of a monster at the beginning of the battle.
    pub fn target(&self, by: Place, kind: Attack) -> Option<Place> {
        self.begins().state.target(by, kind)
    }
}

pub const STRATUM: Stratum = Stratum { matchup: 0, condition: 0 };

#[derive(Default)]
pub struct Seen {
    pub events: Vec<Event>,
}

impl Watch<Splinterlands> for Seen {
    fn see(&mut self, _: &Setup, _: &State, event: Event) {
        self.events.push(event);
    }
}

/// The course and result of a battle.
pub struct Fought {
    pub events: Vec<Event>,
    pub state: State,
    pub outcome: Option<Outcome>,
}

impl Fought {
    pub fn at(&self, place: Place) -> &Monster {
        self.state.at(place)
    }
    pub fn health(&self, place: Place) -> i8 {
        self.at(place).now.health
    }
    pub fn armor(&self, place: Place) -> i8 {
        self.at(place).now.armor
    }
    pub fn lives(&self, place: Place) -> bool {
        self.state.alive.has(place)
    }
    pub fn won_by(&self, side: Side) -> bool {
        self.outcome == Some(Outcome::Win(side))
    }

    pub fn blows(&self) -> Vec<Blow> {
        let blow = |event: &Event| match event {
            Event::Blow(blow) => Some(*blow),
            _ => None,
        };
        self.events.iter().filter_map(blow).collect()
    }

    /// The attacks, in order: attacker, kind of attack and target.
    pub fn attacks(&self) -> Vec<(Place, Cause, Place)> {
        let attacks = self.blows().into_iter().filter_map(|blow| {
            matches!(blow.cause, Cause::Melee | Cause::Ranged | Cause::Magic)
                .then_some((blow.by?, blow.cause, blow.on))
        });
        attacks.collect()
    }

    /// The consequences of `cause`: the monsters affected, and how much health each lost.
    pub fn because_of(&self, cause: Cause) -> Vec<(Place, i8)> {
        let blows = self.blows().into_iter().filter(|blow| blow.cause == cause);
        blows.map(|blow| (blow.on, blow.to_health)).collect()
    }

    /// The monsters whose turns came, in order.
    pub fn turns(&self) -> Vec<Place> {
        let turn = |event: &Event| match event {
            Event::Turn { who, .. } => Some(*who),
            _ => None,
        };
        self.events.iter().filter_map(turn).collect()
    }

    /// The monsters that died, in order.
    pub fn deaths(&self) -> Vec<Place> {
        let death = |event: &Event| match event {
            Event::Dies(who) => Some(*who),
            _ => None,
        };
        self.events.iter().filter_map(death).collect()
    }

    pub fn has(&self, wanted: impl Fn(&Event) -> bool) -> bool {
        self.events.iter().any(wanted)
    }
}

/// A fraction.
pub fn fraction(numerator: i64, denominator: i64) -> BigRational {
    BigRational::new(numerator.into(), denominator.into())
}
