//! What it takes for a game to be even: who should have which score, how far weights may move for it, and what is made
//! small. [`tune`](super::tune) searches by these terms, and [`live`](super::live) hands them to HTML reports, whose
//! readers can search in the page.

use std::collections::BTreeMap;

use crate::statistics::{DrawModel, WEIGHTS};
use crate::tally::{Layout, OutcomeMeasure, Tally};

/// The factor by which a weight may grow or shrink unless the command says otherwise.
pub(crate) const FACTOR: f64 = 4.0;

/// A contender who should reach a target score: a team, a match-up or a unit.
#[derive(Clone, Debug, PartialEq)]
pub struct Contender {
    /// Its name.
    pub name: String,
    /// Its place in a tally.
    pub who: Who,
    /// The score that it should have, 0 to 1.
    pub target: f64,
}

/// A contender's place in a tally.
#[derive(Clone, Debug, PartialEq)]
pub enum Who {
    /// These sides, as pairs of a match-up's index and a side's index.
    Sides(Vec<(usize, usize)>),
    /// The unit of this index in the layout, which takes part in the battles in which it is drawn.
    Unit(usize),
}

/// Everybody who takes part in a match-up against somebody else, in the order of their names, with even targets.
#[must_use]
pub fn contenders(layout: &Layout) -> Vec<Contender> {
    let mut places: BTreeMap<&str, Vec<(usize, usize)>> = BTreeMap::new();
    for (at, matchup) in layout.matchups.iter().enumerate() {
        if matchup.contenders.windows(2).all(|pair| pair[0] == pair[1]) {
            continue;
        }
        for (side, name) in matchup.contenders.iter().enumerate() {
            places.entry(name).or_default().push((at, side));
        }
    }
    let contender = |(name, places): (&str, Vec<_>)| Contender {
        name: name.to_owned(),
        who: Who::Sides(places),
        target: OutcomeMeasure::even(layout.sides),
    };
    places.into_iter().map(contender).collect()
}

/// Every pair of contenders that meet in duels, both seats together: `Fire vs Water`, with the score of the first.
/// Empty where more than two sides fight.
#[must_use]
pub fn matchups(layout: &Layout) -> Vec<Contender> {
    let mut found: Vec<Contender> = Vec::new();
    for (at, matchup) in layout.matchups.iter().enumerate() {
        let [one, other] = matchup.contenders.as_slice() else { return Vec::new() };
        if one == other {
            continue;
        }
        let swapped = format!("{other} vs {one}");
        let name = matchup.label();
        match found.iter_mut().find(|pair| pair.name == name || pair.name == swapped) {
            Some(Contender { name: known, who: Who::Sides(places), .. }) => {
                places.push((at, usize::from(*known == swapped)));
            }
            Some(Contender { who: Who::Unit(_), .. }) | None => {
                found.push(Contender { name, who: Who::Sides(vec![(at, 0)]), target: 0.5 });
            }
        }
    }
    found
}

/// The units of a kind (in Splinterlands `summoner` or `monster`) that were drawn at least once, with even targets.
#[must_use]
pub fn units(layout: &Layout, tally: &Tally, kind: &str) -> Vec<Contender> {
    let were_drawn = |&(at, _): &(usize, _)| tally.unit_of_all(layout, at).played > 0;
    layout
        .units
        .iter()
        .enumerate()
        .filter(|(_, unit)| unit.kind == kind)
        .filter(were_drawn)
        .map(|(at, unit)| Contender {
            name: unit.name.clone(),
            who: Who::Unit(at),
            target: OutcomeMeasure::even(layout.sides),
        })
        .collect()
}

/// The constraints on the weights.
#[derive(Clone, Debug, PartialEq)]
pub struct Limits {
    /// The lower and the upper bound of each weight, in the order of the model's names. Both equal the present weight
    /// where it is pinned; a weight of 0 stays 0 whatever its bounds.
    pub bounds: Vec<(f64, f64)>,
    /// The factor by which a weight may grow or shrink at most, within its bounds; None is without such a limit.
    pub factor: Option<f64>,
    /// No ruleset may be in a smaller share of battles than this, 0 to 1, if the other limits allow it.
    pub rarest: f64,
}

impl Limits {
    /// No limits on any weight but those of scenarios.
    #[must_use]
    pub fn none(model: &dyn DrawModel) -> Self {
        let bounds = vec![(*WEIGHTS.start(), *WEIGHTS.end()); model.names().len()];
        Self { bounds, factor: None, rarest: 0.0 }
    }

    /// The limits unless a command says otherwise: no weight becomes more than four times larger or smaller.
    #[must_use]
    pub fn usual(model: &dyn DrawModel) -> Self {
        Self { factor: Some(FACTOR), ..Self::none(model) }
    }

    /// The lowest and the highest value that the bounds and the factor together allow a weight to take.
    #[must_use]
    pub fn range(&self, model: &dyn DrawModel, at: usize) -> (f64, f64) {
        let ((low, high), weight) = (self.bounds[at], model.weights()[at]);
        let nearer =
            |factor: f64| ((weight / factor).clamp(low, high), (weight * factor).clamp(low, high));
        self.factor.map_or((low, high), nearer)
    }

    /// Whether a weight may change.
    #[must_use]
    pub fn is_free(&self, model: &dyn DrawModel, at: usize) -> bool {
        let weight = model.weights()[at];
        weight > 0.0 && self.range(model, at) != (weight, weight)
    }

    /// The smallest share that the search aims at, a little above `rarest`, so that neither rounding nor the last
    /// digits of the search break the limit.
    pub(crate) fn aim(&self) -> f64 {
        if self.rarest > 0.0 { self.rarest * 1.002 + 2e-4 } else { 0.0 }
    }

    /// Whether a share is at the limit `rarest`, up to rounding.
    #[must_use]
    pub fn is_at_rarest(&self, share: f64) -> bool {
        share < self.rarest * 1.002 + 4e-4 && self.rarest > 0.0
    }
}

/// What the leads are made small by.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[cfg_attr(feature = "cli", derive(clap::ValueEnum))]
pub enum Objective {
    /// The sum of their squares: everybody a little nearer to even.
    #[default]
    Squares,
    /// The largest of them: whoever is worst off comes first.
    Largest,
}

impl Objective {
    /// Its name for programs, which is that of `--objective`.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Squares => "squares",
            Self::Largest => "largest",
        }
    }
}

/// The objective of a tuning, and the price of moving weights.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Aim {
    /// The measure of unevenness that is minimised.
    pub objective: Objective,
    /// The price of moving: doubling or halving one weight counts as much as a lead of this size, 0 to 1.
    pub price: f64,
}
