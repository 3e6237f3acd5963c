//! What is left of slopes once what whole sides do is out of them: a ruleset that favours a contender is no doing of its cards.

use super::design::Design;
use super::fixed::ROUNDING;
use super::tally::{FreshTally, Leads, Sides};

/// What a step along one coefficient is computed from, once what whole sides do is out of it.
#[derive(Clone, Copy, Debug)]
pub(super) struct Centred {
    /// How many sides bring the unit.
    pub times: u64,
    /// The sum of its leads by the errors.
    pub gradient: f64,
    /// The sum of its squared leads.
    pub squares: f64,
    /// The sum over battles of the squares of the first.
    pub variance: f64,
}

impl FreshTally {
    /// A scope's slope of a unit within places, and that of all other battles: what is the same for everything that a side brings
    /// there is no doing of the unit's.
    pub(super) fn centred(&self, design: &Design<'_>, scope: usize, unit: usize) -> [Centred; 2] {
        let (whole, part) = (self.slope(0, unit), self.slope(scope, unit));
        let slopes = [part, whole.without(&part)];
        let rows = design.rows();
        let at = |scope: usize, place: usize| {
            let at = scope * design.places() + place;
            (self.sides[at], self.leads[at * self.units + unit])
        };
        let of_places: Vec<[(Sides, Leads); 2]> = match self.sides.is_empty() {
            true => Vec::new(),
            false => (0..design.places())
                .map(|place| {
                    let (part, whole) = (at(scope, place), at(0, place));
                    [part, (whole.0.without(&part.0), whole.1.without(&part.1))]
                })
                .collect(),
        };
        let all = whole.squares as f64;
        std::array::from_fn(|which| {
            let slope = &slopes[which];
            let mut found = Centred {
                times: slope.times,
                gradient: slope.gradient as f64,
                squares: slope.squares as f64,
                variance: slope.gradient_squared as f64,
            };
            let mean = |place: usize| {
                let (sides, leads) = &of_places[place][which];
                leads.sum as f64 / sides.rows.max(1) as f64
            };
            for (place, of) in of_places.iter().enumerate() {
                let (sides, leads) = &of[which];
                let own = mean(place);
                found.gradient -= own * sides.errors as f64;
                found.squares -= own * leads.sum as f64;
                let first = place / rows * rows;
                let others = (0..rows).map(|row| mean(first + row) * sides.products[row] as f64);
                found.variance += own * (others.sum::<f64>() - 2.0 * leads.by_error as f64);
            }
            found.squares = if found.squares > ROUNDING * all { found.squares } else { 0.0 };
            found.variance = found.variance.max(0.0);
            found
        })
    }

    /// The sum over battles of the products of the gradients of two units, within places where whole sides are centred.
    pub(super) fn product(&self, design: &Design<'_>, one: usize, other: usize) -> f64 {
        let (low, high) = (one.min(other), one.max(other));
        let mut sum = self.products[low * self.units + high] as f64;
        if self.sides.is_empty() {
            return sum;
        }
        let rows = design.rows();
        let of = |place: usize, unit: usize| &self.leads[place * self.units + unit];
        let mean = |place: usize, unit: usize| {
            of(place, unit).sum as f64 / self.sides[place].rows.max(1) as f64
        };
        // The first scope is all battles.
        for place in 0..design.places() {
            let [own, of_other] = [one, other].map(|unit| mean(place, unit));
            if own == 0.0 && of_other == 0.0 {
                continue;
            }
            sum -=
                own * of(place, other).by_error as f64 + of_other * of(place, one).by_error as f64;
            let first = place / rows * rows;
            let products = &self.sides[place].products;
            let others = (0..rows).map(|row| mean(first + row, other) * products[row] as f64);
            sum += own * others.sum::<f64>();
        }
        sum
    }
}
