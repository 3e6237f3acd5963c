//! Orders that can be forced upon a battle, so that their effect can be told from what merely goes with them.

use crate::game::Side;
use crate::shell::command_on;

/// An order of two or more sides that a game lets one force: an intervention. The battle then has it whoever would have been
/// first by itself, and every other rule stays as it is.
///
/// Only what the rules themselves choose can be forced: whose turn it is, whom a die favours. What comes of a battle, such as
/// the side that loses the first monster, is a symptom. Nothing but another battle could change it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Forcible {
    /// Its name: where it is also a moment of the layout, that moment's.
    pub name: &'static str,
    /// What is forced, in one sentence.
    pub meaning: &'static str,
    /// How many sides can be the first, from side A on; at least 2.
    pub sides: usize,
    /// Who is the first where nobody forces anything.
    pub otherwise: Otherwise,
}

/// Who is the first where nobody forces an order.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Otherwise {
    /// Whoever a moment of the layout (an index) names: the first item of its order is a side. Battles without that moment do
    /// not have the order.
    AsObserved(u16),
    /// The side that belongs to a battle's condition.
    AsDrawn(Vec<Side>),
    /// Always the same side.
    Always(Side),
}

impl Forcible {
    /// The command that tells what this order is worth in a scenario.
    pub(crate) fn command(&self, scenario: &str) -> String {
        format!("{} --order {}", command_on("effects", scenario), self.slug())
    }

    /// That command, and what it does.
    pub(crate) fn experiment(&self, scenario: &str) -> String {
        format!("`{}` plays the same battles with each side first", self.command(scenario))
    }

    /// The name as it is written on the command line: `first-turn`.
    #[must_use]
    pub fn slug(&self) -> String {
        slug(self.name)
    }
}

/// The name of an order as the command line has it, from any way of writing it: `First turn` is `first-turn`.
#[must_use]
pub fn slug(order: &str) -> String {
    order.trim().to_lowercase().replace([' ', '_'], "-")
}
