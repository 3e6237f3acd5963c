//! The toy game: two fighters, some lives, three dice. Small enough to be read in one go, it uses every seam that a
//! game of `evens` has.
//!
//! 1. A die says who strikes first (T-1).
//! 2. In each round both strike, the first one first (T-2). A strike hits with the fighter's skill in percent (T-3).
//! 3. A hit costs one life; a six on a six-sided die makes it a heavy one, which costs two (T-4).
//! 4. Who has no life left strikes no more and has lost (T-5). After [`LAST_ROUND`] rounds nothing is decided (T-6).

mod form;
mod measure;
mod story;

use std::ops::ControlFlow;

use evens::chance::Chance;
use evens::game::{Game, Outcome, Side, Stratum, Watch};
use evens::games::Playable;
use evens::table::{Column, Table};

/// The game.
#[derive(Clone, Copy, Debug)]
pub struct Toy;

/// A fight that is still open after this round is undecided.
pub const LAST_ROUND: u8 = 30;

/// A checked scenario. Its fields are private: only the form makes one, and never an illegal one.
#[derive(Debug)]
pub struct Setup {
    fighters: Vec<form::Fighter>,
    /// Match-ups, as indices into the fighters, side A first.
    matchups: Vec<[usize; 2]>,
}

/// A fight between two rounds. When exact odds are worked out, equal states are followed only once.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct State {
    /// Indices into the setup's fighters, by side.
    fighters: [usize; 2],
    lives: [u8; 2],
    first: Side,
    rounds: u8,
}

/// The names of the dice. New ones are added at the end.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Roll {
    First,
    Hit,
    Heavy,
}

impl evens::chance::Roll for Roll {
    fn name(self) -> &'static str {
        match self {
            Roll::First => "First",
            Roll::Hit => "Hit",
            Roll::Heavy => "Heavy",
        }
    }

    fn number(self) -> u8 {
        self as u8
    }
}

/// What is told of a fight. Each event is told after it has been applied.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Event {
    First(Side),
    Round(u8),
    /// A strike by this side, and how many lives it cost: 0 is a miss.
    Strike(Side, u8),
}

impl Game for Toy {
    const NAME: &'static str = "toy";
    type Setup = Setup;
    type State = State;
    type Roll = Roll;
    type Event = Event;

    fn start<C: Chance<Roll>, W: Watch<Self>>(
        setup: &Setup,
        stratum: Stratum,
        chance: &mut C,
        watch: &mut W,
    ) -> State {
        let fighters = setup.matchups[stratum.matchup as usize];
        let lives = fighters.map(|fighter| setup.fighters[fighter].lives);
        let first = Side(chance.pick(Roll::First, 2) as u8);
        let state = State { fighters, lives, first, rounds: 0 };
        watch.see(setup, &state, Event::First(first));
        state
    }

    fn round<C: Chance<Roll>, W: Watch<Self>>(
        setup: &Setup,
        state: &mut State,
        chance: &mut C,
        watch: &mut W,
    ) -> ControlFlow<Outcome> {
        state.rounds += 1;
        watch.see(setup, state, Event::Round(state.rounds));
        for by in [state.first, state.first.other()] {
            // Which side these dice belong to, so that variants of a fight that are compared throw the same ones.
            chance.about(1 + u32::from(by.0));
            let skill = setup.fighters[state.fighters[by.index()]].skill;
            let hits = chance.percent(Roll::Hit, u32::from(skill));
            let lost = if !hits { 0 } else { 1 + u8::from(chance.pick(Roll::Heavy, 6) == 5) };
            let lives = &mut state.lives[by.other().index()];
            *lives = lives.saturating_sub(lost);
            watch.see(setup, state, Event::Strike(by, lost));
            if state.lives[by.other().index()] == 0 {
                return ControlFlow::Break(Outcome::Win(by));
            }
        }
        match state.rounds {
            LAST_ROUND => ControlFlow::Break(Outcome::Undecided),
            _ => ControlFlow::Continue(()),
        }
    }

    type Packed = Box<State>;

    fn pack(state: &State) -> Box<State> {
        Box::new(state.clone())
    }

    fn unpack(_: Stratum, packed: &Box<State>) -> State {
        (**packed).clone()
    }
}

impl Playable for Toy {
    const SUMMARY: &'static str = "two fighters, some lives, three dice";
    const TEMPLATE: &'static str = include_str!("../duel.toml");
    const SHELVES: &'static [&'static str] = &["dice"];

    fn shelf(name: &str) -> Option<Table> {
        let dice = ["who strikes first", "whether a strike hits", "whether a hit is a heavy one"];
        let column = Column::text("die", "what it decides", dice.map(str::to_owned).to_vec());
        (name == "dice").then(|| Table { name: name.to_owned(), columns: vec![column] })
    }

    fn odds(_: &Setup) -> Option<Table> {
        None
    }
}
