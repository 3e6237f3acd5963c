//! The effect of an order that can be forced: the experiment behind "goes with".
//!
//! 1. Every battle is played unforced, which tells which side comes first by itself, and again with each other side
//!    forced to be first, on common random numbers ([`play`]). Conditions are drawn with the scenario's own odds.
//! 2. A side's score when it is first minus its score when another one is, in the same battles, is the effect of the
//!    order ([`results`]): the difference of two potential outcomes of the same battle (D. B. Rubin: "Estimating causal
//!    effects of treatments in randomized and nonrandomized studies", 1974; J. Pearl: "Causality", 2000, chapter 3).
//! 3. Beside it stands the association: a side's score in battles in which it is first by itself minus its score in the
//!    others, which is what a run observes. Where the two differ, something else causes both.
//!
//! Battles in which the order does not come up by itself, such as forfeits, count in neither.

mod observed;
mod page;
mod play;
mod report;
mod results;
mod table;

pub use page::page;
pub use play::{OrderTally, OrderTallyForm, Played, memory, play, play_kept};
pub use report::report;
pub use results::{CausalEffect, results};
pub use table::{ORDER_EXPERIMENT, order_experiment};

use crate::engine::Engine;
use crate::forcible::{Forcible, slug};
use crate::game::Side;
use crate::tally::{Layout, Origin, OutcomeMeasure};

/// The design of an experiment that estimates the effect of an order.
#[derive(Debug)]
pub struct Design<'e> {
    /// The engine that plays battles unforced.
    pub engine: &'e dyn Engine,
    /// The order that is forced.
    pub forcible: &'e Forcible,
    /// Engines that force each side to be first, in the order of the sides.
    pub forced: Vec<Box<dyn Engine>>,
    /// How many battles are played unforced; match-ups take turns.
    pub battles: u64,
    /// The measure whose values are compared.
    pub measure: OutcomeMeasure,
}

/// A selection of the battles in which an order came up.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Battles {
    /// All of them.
    All,
    /// The battles of one match-up: an index into the layout's match-ups.
    OfMatchup(usize),
    /// The battles under a factor, alone or with others: an index into the layout's factors.
    WithFactor(usize),
}

/// Why an order cannot be forced.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum CannotBeForced {
    /// It results from what happens in the battle.
    #[error(
        "`{0}` comes of what happens in a battle, so nothing can force it and leave the rules as they are"
    )]
    Symptom(String),
    /// There is no such order.
    #[error("there is no order `{0}`")]
    Unknown(String),
}

impl<'e> Design<'e> {
    /// Plans an experiment of `battles` battles on the order of this name, as the command line spells it.
    ///
    /// # Errors
    /// When there is no such order, or it cannot be forced.
    pub fn new(
        engine: &'e dyn Engine,
        order: &str,
        battles: u64,
        measure: OutcomeMeasure,
    ) -> Result<Self, CannotBeForced> {
        let layout = engine.layout();
        let wanted = slug(order);
        let place = layout.forcible.iter().position(|forcible| forcible.slug() == wanted);
        let Some(place) = place else {
            let moment = layout
                .moments
                .iter()
                .find(|moment| moment.name.replace(' ', "-").to_lowercase() == wanted);
            return Err(match moment {
                Some(moment) => CannotBeForced::Symptom(moment.name.clone()),
                None => CannotBeForced::Unknown(order.to_owned()),
            });
        };
        let forcible = &layout.forcible[place];
        let forced = (0..forcible.sides).filter_map(|side| engine.forcing(place, Side(side as u8)));
        let forced: Vec<Box<dyn Engine>> = forced.collect();
        assert!(forced.len() == forcible.sides, "every side of a forcible order can be its first");
        Ok(Self { engine, forcible, forced, battles, measure })
    }

    /// The names of match-ups, conditions and factors.
    #[must_use]
    pub fn layout(&self) -> &'e Layout {
        self.engine.layout()
    }

    /// The number of sides that can be first.
    #[must_use]
    pub fn sides(&self) -> usize {
        self.forcible.sides
    }

    /// The largest number of battles that are played, forced ones included.
    #[must_use]
    pub fn total(&self) -> u64 {
        self.battles * self.sides() as u64
    }

    /// Whether the association compares only battles under the same condition, as it does where the order is drawn
    /// within each condition. Where the condition itself decides who is first, battles under different conditions are
    /// compared.
    #[must_use]
    pub fn is_compared_within_conditions(&self) -> bool {
        use crate::forcible::Otherwise;
        match &self.forcible.otherwise {
            Otherwise::AsObserved(_) => self.is_drawn(),
            Otherwise::AsDrawn(_) | Otherwise::Always(_) => false,
        }
    }

    /// Whether chance alone decides who is the first, so that the association is the effect, too.
    #[must_use]
    pub fn is_drawn(&self) -> bool {
        use crate::forcible::Otherwise;
        match &self.forcible.otherwise {
            Otherwise::AsObserved(moment) => {
                self.layout().moments[usize::from(*moment)].origin == Origin::Drawn
            }
            Otherwise::AsDrawn(_) => true,
            Otherwise::Always(_) => false,
        }
    }
}
