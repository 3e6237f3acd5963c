//! A battle step by step: what was told, the dice thrown on the way to it, and the board after it.

use std::cell::RefCell;

use schemars::JsonSchema;
use serde::Serialize;

use super::{Board, Line, Story};
use crate::chance::{Chance, Odds, Roll};
use crate::game::{Outcome, Stratum, Watch};

/// Dice with more faces than this do not say how likely each of their faces was.
const FACES: usize = 24;

/// A die that was thrown.
#[derive(Clone, Debug, PartialEq, Serialize, JsonSchema)]
pub struct Die {
    /// The roll's name.
    pub name: &'static str,
    /// What came up: `yes`, `no`, or which of how many, from 1.
    pub came: String,
    /// The odds of that: `90%`, `2 in 7`, `about 1 in 105`.
    pub odds: String,
    /// The face that came up, from 0.
    pub face: u64,
    /// The probability of each face in order; left out where there are many.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub faces: Vec<f64>,
}

impl Die {
    /// A die with these odds that fell on this face.
    #[must_use]
    pub fn of(name: &'static str, odds: Odds<'_>, face: u32) -> Self {
        let count = odds.faces();
        let probability = |face| {
            let (numerator, denominator) = odds.probability(face);
            numerator as f64 / denominator as f64
        };
        let faces = if count as usize <= FACES {
            (0..count).map(probability)
        } else {
            (0..0).map(probability)
        };
        let faces = faces.collect();
        let (numerator, denominator) = odds.probability(face);
        let (came, odds) = match odds {
            Odds::Percent(_) => {
                let came = if face == 1 { "yes" } else { "no" };
                (came.to_owned(), format!("{numerator}%"))
            }
            Odds::Even(_) | Odds::Weighted(_) | Odds::Cumulative(_) => {
                (format!("{} of {count}", face + 1), told(numerator, denominator))
            }
        };
        Self { name, came, odds, face: u64::from(face), faces }
    }

    /// One of so many equally likely numbers, from 0, as a die.
    #[must_use]
    pub fn of_number(name: &'static str, number: u64, bound: u64) -> Self {
        let came = format!("{} of {bound}", number + 1);
        Self { name, came, odds: told(1, bound), face: number, faces: Vec::new() }
    }
}

/// A probability in words: a fraction where its denominator is at most 1000 or its numerator is 1, or else a rounded
/// percentage, or about one in so many.
fn told(numerator: u64, denominator: u64) -> String {
    const READABLE: u64 = 1000;
    let by = gcd(numerator, denominator);
    let (numerator, denominator) = (numerator / by, denominator / by);
    let probability = numerator as f64 / denominator as f64;
    if denominator <= READABLE || numerator == 1 {
        format!("{numerator} in {denominator}")
    } else if probability >= 0.01 {
        format!("{:.1}%", 100.0 * probability)
    } else {
        format!("about 1 in {:.0}", 1.0 / probability)
    }
}

fn gcd(one: u64, other: u64) -> u64 {
    if other == 0 { one.max(1) } else { gcd(other, one % other) }
}

/// One step of a battle.
#[derive(Clone, Debug, PartialEq)]
pub struct Step {
    /// The lines of one event, at least one; only the last step has none.
    pub lines: Vec<Line>,
    /// The dice thrown since the step before, first to last.
    pub dice: Vec<Die>,
    /// The board after it.
    pub board: Board,
}

/// A battle step by step.
#[derive(Clone, Debug, PartialEq)]
pub struct Stepped {
    /// The match-up and condition of the battle.
    pub stratum: Stratum,
    /// The steps; the last one is the end.
    pub steps: Vec<Step>,
    /// How it ended.
    pub outcome: Outcome,
    /// How many rounds were played.
    pub rounds: u32,
}

/// The dice thrown since the last step.
pub type Thrown = RefCell<Vec<Die>>;

/// Dice from another source, recorded as they fall.
pub struct Overheard<'a, R> {
    /// The source.
    pub dice: &'a mut dyn Chance<R>,
    /// Where dice are recorded.
    pub thrown: &'a Thrown,
}

impl<R: Roll> Overheard<'_, R> {
    fn note(&self, roll: R, odds: Odds<'_>, face: u32) {
        self.thrown.borrow_mut().push(Die::of(roll.name(), odds, face));
    }
}

impl<R: Roll> Chance<R> for Overheard<'_, R> {
    fn draw(&mut self, roll: R, odds: Odds<'_>) -> u32 {
        let face = self.dice.draw(roll, odds);
        self.note(roll, odds, face);
        face
    }

    fn round(&mut self, number: u32) {
        self.dice.round(number);
    }

    fn about(&mut self, unit: u32) {
        self.dice.about(unit);
    }

    fn number_below(&mut self, roll: R, bound: u64) -> Option<u64> {
        let number = self.dice.number_below(roll, bound)?;
        self.thrown.borrow_mut().push(Die::of_number(roll.name(), number, bound));
        Some(number)
    }

    // A source may have its own way of throwing these (the official generator takes a number for a certain die too), so
    // they are passed on unchanged.
    fn percent(&mut self, roll: R, percent: u32) -> bool {
        let happens = self.dice.percent(roll, percent);
        if (1..100).contains(&percent) {
            self.note(roll, Odds::Percent(percent), u32::from(happens));
        }
        happens
    }

    fn pick(&mut self, roll: R, count: usize) -> usize {
        let picked = self.dice.pick(roll, count);
        if count > 1 {
            self.note(roll, Odds::Even(count as u32), picked as u32);
        }
        picked
    }
}

/// A watch that writes down the steps.
pub struct Stepping<'a> {
    /// The steps so far.
    pub steps: Vec<Step>,
    /// The lines of all steps, since what is told may depend on what was told before.
    told: Vec<Line>,
    thrown: &'a Thrown,
}

impl<'a> Stepping<'a> {
    /// No steps yet; `thrown` is where the dice are [written down](Overheard).
    #[must_use]
    pub fn new(thrown: &'a Thrown) -> Self {
        Self { steps: Vec::new(), told: Vec::new(), thrown }
    }

    /// Ends the battle with a last step without lines, which has the final board.
    #[must_use]
    pub fn end<G: Story>(mut self, setup: &G::Setup, state: &G::State) -> Vec<Step> {
        let board = G::board(setup, state);
        self.steps.push(Step { lines: Vec::new(), dice: self.thrown.take(), board });
        self.steps
    }
}

impl<G: Story> Watch<G> for Stepping<'_> {
    fn see(&mut self, setup: &G::Setup, state: &G::State, event: G::Event) {
        let before = self.told.len();
        G::tell(setup, state, event, &mut self.told);
        let lines = self.told[before..].to_vec();
        let board = G::board(setup, state);
        if !lines.is_empty() {
            self.steps.push(Step { lines, dice: self.thrown.take(), board });
        } else if let Some(last) = self.steps.last_mut() {
            // An event without a line changes the board of the last step: an aura ends with its bearer's death.
            last.board = board;
        }
    }
}
