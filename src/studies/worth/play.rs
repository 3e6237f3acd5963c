//! Plays the battles of a design.

use super::design::{Design, MOST_SIDES, Target};
use super::field::Player;
use super::lines::{Lines, lead};
use super::model::Model;
use super::tally::{FitTally, FreshTally, Gradient, LOSS_BITS, PARTS};
use crate::batch::{Forgetful, Grouped, Keeper, Workers};
use crate::chance::{Stream, stream_seed};
use crate::engine::Dice;
use crate::recast::Recast;
use crate::tally::{OutcomeMeasure, Record};

/// The results of playing one half of the battles.
#[derive(Clone, Debug)]
pub struct Played<T> {
    /// The sums over these battles.
    pub tally: T,
    /// How many battles were played: the first ones of the half.
    pub battles: u64,
}

/// Plays the half that a model is fitted to. `go_on` is called with the number of battles played, and ends the play
/// by returning false.
pub fn fit(
    design: &Design<'_>,
    seed: u64,
    threads: usize,
    go_on: &mut dyn FnMut(u64) -> bool,
) -> Played<FitTally> {
    fit_kept(design, seed, threads, &mut Forgetful, go_on)
}

/// Plays the half that a model is fitted to, as [`fit`] does, but goes on from earlier counts if the keeper has any.
pub fn fit_kept(
    design: &Design<'_>,
    seed: u64,
    threads: usize,
    keeper: &mut dyn Keeper<FitTally>,
    go_on: &mut dyn FnMut(u64) -> bool,
) -> Played<FitTally> {
    let accumulator = || Fitting {
        tally: FitTally::new(design),
        player: Player::new(design, seed, Dice::Seeded),
        record: Record::new(&design.layout),
        lines: Lines::default(),
    };
    let workers = Workers::new(threads, u64::MAX / 2, accumulator);
    let mut workers = workers.of_matchups(design.in_turn());
    let (tally, battles) = workers.count(
        design.battles,
        FitTally::new(design),
        |worker| &mut worker.tally,
        keeper,
        |Fitting { tally, player, record, lines }, battles: Grouped| {
            for index in battles {
                player.play(index, record, lines);
                tally.add(design, record, lines);
            }
        },
        go_on,
    );
    Played { tally, battles }
}

/// Plays the fresh half, which tests a model and replaces the targets. `go_on` is called with the number of battles
/// played, and ends the play by returning false.
pub fn test(
    design: &Design<'_>,
    model: Option<&Model>,
    targets: &[Target],
    seed: u64,
    threads: usize,
    go_on: &mut dyn FnMut(u64) -> bool,
) -> Played<FreshTally> {
    test_kept(design, model, targets, seed, threads, &mut Forgetful, go_on)
}

/// Plays the fresh half as [`test`](test()) does, but goes on from earlier counts if the keeper has any.
pub fn test_kept(
    design: &Design<'_>,
    model: Option<&Model>,
    targets: &[Target],
    seed: u64,
    threads: usize,
    keeper: &mut dyn Keeper<FreshTally>,
    go_on: &mut dyn FnMut(u64) -> bool,
) -> Played<FreshTally> {
    let fresh = Fresh { design, model, targets };
    let confirming = stream_seed(seed, Stream::Confirmation);
    let worker = || Worker {
        player: Player::new(design, confirming, Dice::Keyed),
        tally: FreshTally::new(design, targets),
        record: Record::new(&design.layout),
        again: Record::new(&design.layout),
        lines: Lines::default(),
        gradients: Vec::new(),
        scopes: Vec::new(),
    };
    let workers = Workers::new(threads, u64::MAX / 2, worker);
    let mut workers = workers.of_matchups(design.in_turn());
    let (tally, battles) = workers.count(
        design.battles,
        FreshTally::new(design, targets),
        |worker| &mut worker.tally,
        keeper,
        |worker, battles: Grouped| battles.for_each(|index| worker.play(&fresh, index)),
        go_on,
    );
    Played { tally, battles }
}

/// The state of one thread that plays the fitted half.
struct Fitting<'d> {
    tally: FitTally,
    player: Player<'d>,
    record: Record,
    lines: Lines,
}

/// The inputs of the fresh half, shared by all threads.
struct Fresh<'f> {
    design: &'f Design<'f>,
    model: Option<&'f Model>,
    targets: &'f [Target],
}

/// The state of one thread that plays the fresh half.
struct Worker<'d> {
    player: Player<'d>,
    tally: FreshTally,
    record: Record,
    again: Record,
    lines: Lines,
    /// One for each unit of the battle that leads in any row.
    gradients: Vec<Gradient>,
    /// The scopes that the battle is in.
    scopes: Vec<usize>,
}

impl Worker<'_> {
    fn play(&mut self, fresh: &Fresh<'_>, index: u64) {
        self.player.play(index, &mut self.record, &mut self.lines);
        self.tally.forfeits.add(self.record.forfeits);
        if self.record.forfeits != 0 {
            return;
        }
        self.tally.battles += 1;
        if let Some(model) = fresh.model {
            self.compare(fresh.design, model);
        }
        for at in 0..fresh.targets.len() {
            self.replace(fresh, at, index);
        }
    }

    /// Compares the battle with the model's prediction.
    fn compare(&mut self, design: &Design<'_>, model: &Model) {
        let Self { tally, record, lines, gradients, scopes, .. } = self;
        let sides = design.layout.sides;
        let stratum = design.stratum(record.stratum.matchup);
        let fixed = design.fixed.cell(record);
        let mut errors = [0_i64; MOST_SIDES];
        let mut gain = 0;
        for (row, error) in errors.iter_mut().enumerate().take(design.rows()) {
            let place = stratum * design.rows() + row;
            let outcome = lead(record.outcome, row, sides);
            let [of_mean, of_model] = model.errors(lines, (place, fixed), row, outcome);
            *error = of_model;
            tally.loss.of_means += (of_mean * of_mean) as u64;
            gain += of_mean * of_mean - of_model * of_model;
        }
        tally.loss.battles += 1;
        tally.loss.gain += gain;
        tally.loss.gain_squared += (gain >> LOSS_BITS).pow(2) as u64;
        gradients.clear();
        for line in &lines.units {
            let mut leads = [0; MOST_SIDES];
            for (row, lead) in leads.iter_mut().enumerate().take(design.rows()) {
                *lead = line.lead(row, sides);
            }
            if leads.iter().any(|&lead| lead != 0) {
                let gradient = leads.iter().zip(&errors).map(|(lead, error)| lead * error).sum();
                gradients.push(Gradient { unit: line.unit, leads, gradient });
            }
        }
        let of_rows = errors;
        if design.rows() < sides {
            errors[1] = -errors[0];
        }
        let layout = &design.layout;
        let factors = &layout.conditions[record.stratum.condition as usize].factors;
        scopes.clear();
        scopes.push(0);
        scopes.extend(factors.iter().map(|&factor| 1 + usize::from(factor)));
        if !layout.brackets.is_empty() {
            scopes.push(1 + layout.factors.len() + usize::from(record.bracket));
        }
        for &scope in &*scopes {
            tally.scoped[scope] += 1;
            for line in &lines.units {
                let slope = tally.slope_mut(scope, usize::from(line.unit));
                slope.times += line.sides();
                slope.copies += line.all() as u64;
            }
            for of in &*gradients {
                tally.slope_mut(scope, usize::from(of.unit)).gradient += of.gradient;
            }
        }
        if design.fixed.takes_conditions_out() {
            tally.centre(design, (stratum, fixed), &of_rows, gradients);
        }
        if design.told_scopes() == 1 {
            scopes.truncate(1);
        }
        tally.join(scopes, gradients);
        for (side, &error) in errors.iter().enumerate().take(sides) {
            for (at, one) in lines.units.iter().enumerate() {
                if one.copies[side] == 0 {
                    continue;
                }
                for other in lines.units[at + 1..].iter().filter(|other| other.copies[side] > 0) {
                    let pair = tally.pair_mut(one.unit, other.unit);
                    pair.times += 1;
                    pair.errors += error;
                    pair.squares += (error * error) as u64;
                }
            }
        }
    }

    /// Plays the battle again with each variant of a target, if only one side brings it.
    fn replace(&mut self, fresh: &Fresh<'_>, at: usize, index: u64) {
        let Self { player, tally, record, again, lines, .. } = self;
        let target = &fresh.targets[at];
        if !fresh.design.in_matchup(index).is_multiple_of(target.stride) {
            return;
        }
        let Some(line) = lines.units.iter().find(|line| line.unit == target.unit) else { return };
        if line.sides() != 1 {
            return;
        }
        let sides = fresh.design.layout.sides;
        let side = line.copies.iter().position(|&copies| copies > 0).unwrap_or(0);
        let is_there =
            |unit: u16| lines.units.iter().any(|line| line.unit == unit && line.copies[side] > 0);
        let points = |record: &Record| {
            let of = crate::game::Side(side as u8);
            u64::from(OutcomeMeasure::Score.points(record.outcome, of, sides).unwrap_or(0))
        };
        let own = points(record);
        let (mut stand_ins, mut sum) = (0_u64, 0_u64);
        for (number, variant) in target.variants.iter().enumerate() {
            let is_brought = match variant.recast {
                Recast::As(other) => is_there(other),
                Recast::Without(_) => false,
            };
            let which = (at, number);
            if !player.again(index, which, fresh.targets, (record, is_brought), again) {
                continue;
            }
            let other = points(again);
            let counted = &mut tally.again[at][number];
            counted.battles += 1;
            counted.products += own * other;
            for (arm, of) in [other, own].into_iter().enumerate() {
                counted.points[arm] += of;
                counted.squares[arm] += of * of;
            }
            if matches!(variant.recast, Recast::As(_)) {
                (stand_ins, sum) = (stand_ins + 1, sum + other);
            }
        }
        if stand_ins > 0 {
            let win = PARTS / sides as f64;
            let own = (own as f64 * win).round() as i64;
            let others = (sum as f64 / stand_ins as f64 * win).round() as i64;
            let mean = &mut tally.mean[at];
            mean.battles += 1;
            mean.difference += own - others;
            mean.difference_squared += (own - others).pow(2) as u64;
            for (sums, of) in [(&mut mean.own, own), (&mut mean.others, others)] {
                sums[0] += of as u64;
                sums[1] += (of * of) as u64;
            }
        }
    }
}
