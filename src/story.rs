//! A battle told as a story that a designer can follow, and step by step with the board.

mod board;
mod steps;

pub use board::{Board, Fate, Number, SideBoard, Tag, TagKind, Unit, Zone, ZoneKind};
pub use steps::{Die, Overheard, Step, Stepped, Stepping, Thrown};

use serde_json::Value;

use crate::game::{Game, Watch};

/// How much a line weighs in the story; deeper ones are indented further.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Weight {
    /// A new round, turn or phase.
    Heading,
    /// Somebody acts.
    Action,
    /// What it does.
    Consequence,
    /// What follows from that: a reaction, a death, an effect.
    Detail,
}

/// One line of a story.
#[derive(Clone, Debug, PartialEq)]
pub struct Line {
    /// How much it weighs.
    pub weight: Weight,
    /// What a person reads, without a line break.
    pub text: String,
    /// The line for machines: an object with an `event` key and what belongs to it. The unit that acts is its `actor`;
    /// the one it is about is its `target`, or `targets` where there may be several: ids of units or sides of the
    /// [`Board`].
    pub facts: Value,
}

/// How a game describes its events.
pub trait Story: Game {
    /// Describes one event, in as many lines as it takes (none when it is not worth a line), and adds them to the lines
    /// of the events before it.
    fn tell(setup: &Self::Setup, state: &Self::State, event: Self::Event, lines: &mut Vec<Line>);

    /// The board as it stands. Its numbers are those that the rules go by, for every number that a player would see.
    fn board(setup: &Self::Setup, state: &Self::State) -> Board;
}

/// A watch that writes the story down.
#[derive(Clone, Debug, Default)]
pub struct Trace {
    /// The story so far.
    pub lines: Vec<Line>,
}

impl<G: Story> Watch<G> for Trace {
    fn see(&mut self, setup: &G::Setup, state: &G::State, event: G::Event) {
        G::tell(setup, state, event, &mut self.lines);
    }
}
