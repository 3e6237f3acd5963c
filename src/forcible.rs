//! Orders that can be forced upon a battle, so that their effect can be told from what merely goes with them.

use crate::game::Side;

/// An order of two or more sides that can be forced upon a battle of a game: an intervention. The battle then has this
/// order whichever side would have been first without it, and every other rule stays as it is.
///
/// Only what the rules themselves choose can be forced: which side's turn it is, which side a die favours. What results
/// from a battle, such as the side that loses the first monster, is a symptom: only another battle could change it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Forcible {
    /// Its name: where it is also a moment of the layout, that moment's.
    pub name: &'static str,
    /// What is forced, in one sentence.
    pub meaning: &'static str,
    /// How many sides can be the first, from side A on; at least 2.
    pub sides: usize,
    /// Which side is the first where nothing is forced.
    pub otherwise: Otherwise,
}

/// Which side is the first where no order is forced.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Otherwise {
    /// The side that a moment of the layout (an index) names: the first item of its order is a side. Battles without
    /// that moment do not have the order.
    AsObserved(u16),
    /// The side that belongs to a battle's condition.
    AsDrawn(Vec<Side>),
    /// Always the same side.
    Always(Side),
}

impl Forcible {
    /// The name as it is written on the command line: `first-turn`.
    #[must_use]
    pub fn slug(&self) -> String {
        slug(self.name)
    }
}

/// The name of an order for the command line, from any way of writing it: `First turn` is `first-turn`.
#[must_use]
pub fn slug(order: &str) -> String {
    order.trim().to_lowercase().replace([' ', '_'], "-")
}
