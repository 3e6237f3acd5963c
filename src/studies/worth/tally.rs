//! The tallies of a study of worth: whole numbers, the same whatever threads, shards or machines play.

use serde::{Deserialize, Serialize};

use super::design::{Design, MOST_SIDES, Target};
use super::fixed::ROUNDING;
use super::lines::{Lines, lead};
use crate::tally::{Clustered, Forfeits, Kept, Record, Sum};

/// The sums that the regression is computed from.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct FitTally {
    units: usize,
    /// The number of battles that were fought.
    pub(super) battles: u64,
    /// The forfeits among all battles that were played.
    pub(super) forfeits: Forfeits,
    /// By place and cell (`fixed.rs`): the number of rows, and the sum of their outcomes.
    pub(super) rows: Vec<(u64, i64)>,
    /// By place, level and unit: the sum of the leads.
    pub(super) sums: Vec<i64>,
    /// By two units, the one with the lower index first: the sum of the products of their leads.
    pub(super) products: Vec<i64>,
    /// By unit: the sum of the products of its lead and the outcome.
    pub(super) moments: Vec<i64>,
    /// The sum of the squared outcomes.
    pub(super) squares: u64,
    /// By unit: the results of the sides that brought it.
    pub(super) fared: Vec<Clustered>,
    /// By unit: how many copies of it were brought.
    pub(super) copies: Vec<u64>,
}

impl FitTally {
    /// A tally without battles.
    #[must_use]
    pub fn new(design: &Design<'_>) -> Self {
        let (units, places) = (design.layout.units.len(), design.places());
        Self {
            units,
            battles: 0,
            forfeits: Forfeits::new(design.layout.sides),
            rows: vec![(0, 0); places * design.fixed.cells()],
            sums: vec![0; places * design.fixed.count() * units],
            products: vec![0; units * units],
            moments: vec![0; units],
            squares: 0,
            fared: vec![Clustered::default(); units],
            copies: vec![0; units],
        }
    }

    /// The number of battles that were fought.
    #[must_use]
    pub fn battles(&self) -> u64 {
        self.battles
    }

    /// The sum of a unit's leads over the rows with a level of a place, counted through all places.
    pub(super) fn sum(&self, level: usize, unit: usize) -> i64 {
        self.sums[level * self.units + unit]
    }

    /// Whether all battles of each place had the same outcome.
    pub(super) fn all_alike(&self, design: &Design<'_>) -> bool {
        self.within_places(design) <= ROUNDING * self.squares as f64
    }

    /// About how many battles ended otherwise than most of their place: where a share p of them does, p (1 - p).
    pub(super) fn ended_otherwise(&self, design: &Design<'_>) -> f64 {
        let sides = design.layout.sides as f64;
        // Where each side has a row, a win that goes to another side changes two of them.
        let rows = if design.rows() > 1 { 2.0 } else { 1.0 };
        self.within_places(design) / (sides * sides * rows)
    }

    /// The sum of the squared deviations of the outcomes from the means of their places.
    fn within_places(&self, design: &Design<'_>) -> f64 {
        let of_places = self.rows.chunks(design.fixed.cells()).map(|cells| {
            let (rows, sum) = cells.iter().fold((0, 0), |sum, of| (sum.0 + of.0, sum.1 + of.1));
            (sum as f64).powi(2) / rows.max(1) as f64
        });
        self.squares as f64 - of_places.sum::<f64>()
    }

    /// How many sides of a battle bring a unit, on average.
    pub(super) fn presence(&self, unit: usize) -> f64 {
        self.fared[unit].times as f64 / self.battles.max(1) as f64
    }

    pub(super) fn add(&mut self, design: &Design<'_>, record: &Record, lines: &Lines) {
        self.forfeits.add(record.forfeits);
        if record.forfeits != 0 {
            return;
        }
        self.battles += 1;
        let (units, sides) = (self.units, design.layout.sides);
        let stratum = design.stratum(record.stratum.matchup);
        let cell = design.fixed.cell(record);
        for row in 0..design.rows() {
            let place = stratum * design.rows() + row;
            let outcome = lead(record.outcome, row, sides);
            let of_cell = &mut self.rows[place * design.fixed.cells() + cell];
            of_cell.0 += 1;
            of_cell.1 += outcome;
            self.squares += (outcome * outcome) as u64;
            for (at, line) in lines.units.iter().enumerate() {
                let own = line.lead(row, sides);
                if own == 0 {
                    continue;
                }
                let unit = usize::from(line.unit);
                design.fixed.of_cell(&design.layout, cell, |level| {
                    self.sums[(place * design.fixed.count() + level) * units + unit] += own;
                });
                self.moments[unit] += own * outcome;
                let products = &mut self.products[unit * units..(unit + 1) * units];
                for other in &lines.units[at..] {
                    products[usize::from(other.unit)] += own * other.lead(row, sides);
                }
            }
        }
        for line in &lines.units {
            let times = line.sides();
            let brings = (0..sides).filter(|&side| line.copies[side] > 0);
            let points: i64 = brings.map(|side| lead(record.outcome, side, sides) + 1).sum();
            let (fared, points) = (&mut self.fared[usize::from(line.unit)], points as u64);
            fared.times += times;
            fared.points += points;
            fared.times_squared += times * times;
            fared.times_by_points += times * points;
            fared.points_squared += points * points;
            self.copies[usize::from(line.unit)] += line.all() as u64;
        }
    }
}

impl Sum for FitTally {
    fn merge(&mut self, other: &Self) {
        self.battles += other.battles;
        self.forfeits.merge(&other.forfeits);
        for (mine, theirs) in self.rows.iter_mut().zip(&other.rows) {
            mine.0 += theirs.0;
            mine.1 += theirs.1;
        }
        add(&mut self.sums, &other.sums);
        add(&mut self.products, &other.products);
        add(&mut self.moments, &other.moments);
        self.squares += other.squares;
        for (mine, theirs) in self.fared.iter_mut().zip(&other.fared) {
            mine.times += theirs.times;
            mine.points += theirs.points;
            mine.times_squared += theirs.times_squared;
            mine.times_by_points += theirs.times_by_points;
            mine.points_squared += theirs.points_squared;
        }
        self.copies.iter_mut().zip(&other.copies).for_each(|(mine, theirs)| *mine += theirs);
    }
}

fn add(mine: &mut [i64], theirs: &[i64]) {
    mine.iter_mut().zip(theirs).for_each(|(mine, theirs)| *mine += theirs);
}

impl Kept for FitTally {
    type Form = Self;

    fn form(&self) -> Self {
        self.clone()
    }

    fn of_form(&self, form: Self) -> Option<Self> {
        let shape = |of: &Self| {
            let Self { units, rows, sums, products, fared, forfeits, .. } = of;
            let sides = forfeits.by_side.len();
            [*units, rows.len(), sums.len(), products.len(), fared.len(), sides]
        };
        (shape(self) == shape(&form)).then_some(form)
    }

    fn battles(&self) -> Option<u64> {
        Some(self.forfeits.battles)
    }
}

/// Errors of predictions are counted in units of this fraction of a win.
pub(super) const PARTS: f64 = 4_096.0;
/// Squared differences of squared errors are counted in units larger by this many bits.
pub(super) const LOSS_BITS: u32 = 8;

/// The counts of fresh battles, which test a model and the replacements made in them.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct FreshTally {
    pub(super) units: usize,
    pub(super) battles: u64,
    /// The forfeits among all battles that were played.
    pub(super) forfeits: Forfeits,
    /// The number of battles in each scope.
    pub(super) scoped: Vec<u64>,
    /// By scope and unit.
    pub(super) slopes: Vec<Slope>,
    /// By place and cell (`fixed.rs`); only where the effects of conditions are taken out.
    pub(super) sides: Vec<Sides>,
    /// By place, cell and unit; only where the effects of conditions are taken out.
    pub(super) leads: Vec<Leads>,
    /// By scope that is reported and two units, the one with the lower index first.
    pub(super) products: Vec<Products>,
    /// By two units of one side, the one with the lower index first.
    pub(super) pairs: Vec<Together>,
    /// How much of the outcomes the model explains.
    pub(super) loss: Loss,
    /// By target, then variant.
    pub(super) again: Vec<Vec<Again>>,
    /// By target: the mean of all its stand-ins, battle by battle.
    pub(super) mean: Vec<Mean>,
}

/// The sums from which a step along one coefficient is computed.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct Slope {
    /// How many sides bring the unit.
    pub times: u64,
    /// How many copies of the unit are brought.
    pub copies: u64,
    /// The sum of its gradients: of its leads times the errors.
    pub gradient: i64,
}

/// The joint sums of two units.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct Products {
    /// The sum over rows of the products of their leads.
    pub leads: i64,
    /// The sum over battles of the products of their gradients.
    pub gradients: i64,
}

/// A unit that leads in some row of a battle, and its gradient there.
#[derive(Clone, Copy, Debug)]
pub(super) struct Gradient {
    pub unit: u16,
    /// Its lead in each row.
    pub leads: [i64; MOST_SIDES],
    /// The sum over rows of its lead times the error.
    pub gradient: i64,
}

/// The errors of whole sides in one place and cell, whatever they brought.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct Sides {
    pub rows: u64,
    /// The sum of the row's errors.
    pub errors: i64,
    /// The sums of the products of the row's error with the error of each row of the battle.
    pub products: [i64; MOST_SIDES],
}

/// The leads of one unit in one place and cell.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct Leads {
    /// The sum of its leads in the row.
    pub sum: i64,
    /// The sum of its gradients times the row's errors.
    pub by_error: i64,
}

/// The errors of the sides that bring both of two units.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct Together {
    pub times: u64,
    pub errors: i64,
    pub squares: u64,
}

/// By how much the model's predictions are better than the means.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct Loss {
    pub battles: u64,
    /// The sum of squared errors of the means.
    pub of_means: u64,
    /// The sum of the squared error of the mean less that of the model.
    pub gain: i64,
    /// The sum of the squares of this gain.
    pub gain_squared: u64,
}

/// The same battles with a unit as it is and as one variant of it.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct Again {
    pub battles: u64,
    /// The side's points with the variant, and with the unit as it is.
    pub points: [u64; 2],
    pub squares: [u64; 2],
    pub products: u64,
}

/// The same battles with a unit as it is and as each of several stand-ins, where a battle counts the mean of the
/// stand-ins.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct Mean {
    pub battles: u64,
    /// In parts of a win: the sums of the unit's score less the mean of its stand-ins, and of the square of this
    /// difference.
    pub difference: i64,
    pub difference_squared: u64,
    /// The sums of the unit's score and its square; `others` is the same for the stand-ins.
    pub own: [u64; 2],
    pub others: [u64; 2],
}

impl FreshTally {
    /// A tally without battles.
    #[must_use]
    pub fn new(design: &Design<'_>, targets: &[Target]) -> Self {
        let units = design.layout.units.len();
        let again = |target: &Target| vec![Again::default(); target.variants.len()];
        let centred = match design.fixed.takes_conditions_out() {
            true => design.places() * design.fixed.cells(),
            false => 0,
        };
        Self {
            units,
            battles: 0,
            forfeits: Forfeits::new(design.layout.sides),
            scoped: vec![0; design.scopes()],
            slopes: vec![Slope::default(); design.scopes() * units],
            sides: vec![Sides::default(); centred],
            leads: vec![Leads::default(); centred * units],
            products: vec![Products::default(); design.told_scopes() * units * (units + 1) / 2],
            pairs: vec![Together::default(); units * units],
            loss: Loss::default(),
            again: targets.iter().map(again).collect(),
            mean: vec![Mean::default(); targets.len()],
        }
    }

    /// The number of battles that were fought.
    #[must_use]
    pub fn battles(&self) -> u64 {
        self.battles
    }

    /// Adds the errors of the rows of a battle, and the leads of its units, to the sums for whole sides.
    pub(super) fn centre(
        &mut self,
        design: &Design<'_>,
        (stratum, cell): (usize, usize),
        errors: &[i64; MOST_SIDES],
        gradients: &[Gradient],
    ) {
        let rows = design.rows();
        for row in 0..rows {
            let place = (stratum * rows + row) * design.fixed.cells() + cell;
            let of = &mut self.sides[place];
            of.rows += 1;
            of.errors += errors[row];
            for (product, error) in of.products.iter_mut().zip(errors) {
                *product += errors[row] * error;
            }
            for one in gradients {
                let of = &mut self.leads[place * self.units + usize::from(one.unit)];
                of.sum += one.leads[row];
                of.by_error += one.gradient * errors[row];
            }
        }
    }

    /// Adds every pair of units of a battle to each of its scopes that is reported.
    pub(super) fn join(&mut self, scopes: &[usize], gradients: &[Gradient]) {
        let in_scope = self.units * (self.units + 1) / 2;
        for (at, one) in gradients.iter().enumerate() {
            let row = first_pair(self.units, usize::from(one.unit));
            for other in &gradients[at..] {
                let leads: i64 = one.leads.iter().zip(&other.leads).map(|(a, b)| a * b).sum();
                let gradients = one.gradient * other.gradient;
                for &scope in scopes {
                    let pair = scope * in_scope + row + usize::from(other.unit - one.unit);
                    let of = &mut self.products[pair];
                    of.leads += leads;
                    of.gradients += gradients;
                }
            }
        }
    }

    /// The joint sums of two units in a scope that is reported.
    pub(super) fn products(&self, scope: usize, one: usize, other: usize) -> Products {
        let (low, high) = (one.min(other), one.max(other));
        let in_scope = self.units * (self.units + 1) / 2;
        self.products[scope * in_scope + first_pair(self.units, low) + high - low]
    }

    pub(super) fn slope(&self, scope: usize, unit: usize) -> Slope {
        self.slopes[scope * self.units + unit]
    }

    pub(super) fn slope_mut(&mut self, scope: usize, unit: usize) -> &mut Slope {
        &mut self.slopes[scope * self.units + unit]
    }

    pub(super) fn pair_mut(&mut self, low: u16, high: u16) -> &mut Together {
        &mut self.pairs[usize::from(low) * self.units + usize::from(high)]
    }

    pub(super) fn pairs(&self) -> impl Iterator<Item = (usize, usize, Together)> + '_ {
        let pairs = self.pairs.iter().enumerate().filter(|(_, pair)| pair.times > 0);
        pairs.map(|(at, pair)| (at / self.units, at % self.units, *pair))
    }
}

/// The index of a unit's first pair, with itself, in a list of all pairs of `units` units.
fn first_pair(units: usize, unit: usize) -> usize {
    unit * units - unit * unit.saturating_sub(1) / 2
}

impl Slope {
    fn merge(&mut self, other: &Self) {
        self.times += other.times;
        self.copies += other.copies;
        self.gradient += other.gradient;
    }
}

impl Sum for FreshTally {
    fn merge(&mut self, other: &Self) {
        self.battles += other.battles;
        self.forfeits.merge(&other.forfeits);
        self.scoped.iter_mut().zip(&other.scoped).for_each(|(mine, theirs)| *mine += theirs);
        self.slopes.iter_mut().zip(&other.slopes).for_each(|(mine, theirs)| mine.merge(theirs));
        for (mine, theirs) in self.sides.iter_mut().zip(&other.sides) {
            mine.rows += theirs.rows;
            mine.errors += theirs.errors;
            add(&mut mine.products, &theirs.products);
        }
        for (mine, theirs) in self.leads.iter_mut().zip(&other.leads) {
            mine.sum += theirs.sum;
            mine.by_error += theirs.by_error;
        }
        for (mine, theirs) in self.products.iter_mut().zip(&other.products) {
            mine.leads += theirs.leads;
            mine.gradients += theirs.gradients;
        }
        for (mine, theirs) in self.pairs.iter_mut().zip(&other.pairs) {
            mine.times += theirs.times;
            mine.errors += theirs.errors;
            mine.squares += theirs.squares;
        }
        self.loss.battles += other.loss.battles;
        self.loss.of_means += other.loss.of_means;
        self.loss.gain += other.loss.gain;
        self.loss.gain_squared += other.loss.gain_squared;
        let again = self.again.iter_mut().flatten().zip(other.again.iter().flatten());
        for (mine, theirs) in again {
            mine.battles += theirs.battles;
            mine.products += theirs.products;
            for arm in 0..2 {
                mine.points[arm] += theirs.points[arm];
                mine.squares[arm] += theirs.squares[arm];
            }
        }
        for (mine, theirs) in self.mean.iter_mut().zip(&other.mean) {
            mine.battles += theirs.battles;
            mine.difference += theirs.difference;
            mine.difference_squared += theirs.difference_squared;
            for at in 0..2 {
                mine.own[at] += theirs.own[at];
                mine.others[at] += theirs.others[at];
            }
        }
    }
}

impl Kept for FreshTally {
    type Form = Self;

    fn form(&self) -> Self {
        self.clone()
    }

    fn of_form(&self, form: Self) -> Option<Self> {
        let shape = |of: &Self| {
            let again: Vec<usize> = of.again.iter().map(Vec::len).collect();
            let again = (again, of.forfeits.by_side.len());
            let others = [of.sides.len(), of.leads.len(), of.products.len()];
            let lengths =
                [of.units, of.scoped.len(), of.slopes.len(), of.pairs.len(), of.mean.len()];
            (lengths, others, again)
        };
        (shape(self) == shape(&form)).then_some(form)
    }

    fn battles(&self) -> Option<u64> {
        Some(self.forfeits.battles)
    }
}
