//! Plays the same battles in many variants of a scenario and counts the scores in them.
//!
//! Battles are counted in blocks, each a small copy of the whole sample with every match-up in it as often as any
//! other. Blocks differ by chance alone, and two variants that played the same battles are compared block by block: so
//! the standard errors of scores and of differences need no other counts (batch means; P. Heidelberger and P. Lewis:
//! "Quantile estimation in dependent sequences", 1984, for the plain mean; here of ratios, linearised).

use serde::{Deserialize, Serialize};

use super::Goal;
use super::goals::Places;
use crate::batch::{Grouped, Keeper, Workers};
use crate::engine::{Battle, Dice, Engine, Look, Place};
use crate::game::{Outcome, Side};
use crate::statistics::distributions::student_quantile;
use crate::statistics::{Deviation, Level};
use crate::tally::{Assignment, Forfeits, Kept, OutcomeMeasure, Record, Sum};

/// The number of blocks that battles are counted in.
pub(super) const BLOCKS: usize = 64;

/// Which battles are played.
#[derive(Clone, Copy, Debug)]
pub struct Plan {
    /// The seed of their stream.
    pub seed: u64,
    /// The number of battles in every variant.
    pub battles: u64,
    /// The number of threads; 0 is one for every core.
    pub threads: usize,
    /// The source of their dice: keyed where variants are compared battle by battle; seeded where the battles are to be
    /// those that a run of the variant plays.
    pub dice: Dice,
    /// The measure that counts as the score.
    pub measure: OutcomeMeasure,
}

/// The results of all goals in the battles of one variant: by goal and block, the number of appearances and the points.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Fared {
    of: Vec<[u64; 2]>,
    /// By goal and contender: how often the goal's units fought for the contender.
    beside: Vec<u64>,
    sides: usize,
    /// How many of the battles were forfeited.
    pub(super) forfeits: Forfeits,
    /// How many were fought and nobody won.
    pub(super) unwon: u64,
}

impl Fared {
    /// Made-up results of one goal, by block.
    #[cfg(test)]
    pub(super) fn planted(of: Vec<[u64; 2]>, sides: usize) -> Self {
        Self { of, beside: Vec::new(), sides, forfeits: Forfeits::new(sides), unwon: 0 }
    }

    fn blocks(&self, goal: usize) -> &[[u64; 2]] {
        &self.of[goal * BLOCKS..(goal + 1) * BLOCKS]
    }

    fn sum(&self, goal: usize) -> [f64; 2] {
        let sum = |which: usize| self.blocks(goal).iter().map(|block| block[which]).sum::<u64>();
        [sum(0) as f64, sum(1) as f64 / self.sides as f64]
    }

    /// How often the goal's subject took part.
    #[must_use]
    pub fn times(&self, goal: usize) -> u64 {
        self.blocks(goal).iter().map(|block| block[0]).sum()
    }

    /// The influence of each block on the score (linearised, these sum to 0), and the score.
    fn influence(&self, goal: usize) -> ([f64; BLOCKS], f64) {
        let [times, points] = self.sum(goal);
        let score = points / times;
        let mut of = [0.0; BLOCKS];
        for (of, block) in of.iter_mut().zip(self.blocks(goal)) {
            *of = (block[1] as f64 / self.sides as f64 - score * block[0] as f64) / times;
        }
        (of, score)
    }

    /// A goal's score with its standard error, enlarged a little so that normal intervals become those of Student for
    /// this number of blocks. NaN where it never took part; the error is NaN also where it took part in one block only.
    #[must_use]
    pub fn score(&self, goal: usize) -> Deviation {
        let times = self.times(goal);
        if times == 0 {
            return Deviation { value: f64::NAN, error: f64::NAN };
        }
        let (of, value) = self.influence(goal);
        Deviation { value, error: near_the_ends(value, self.error(goal, &of), times as f64) }
    }

    /// By how much a goal's score is higher than in another variant (`before`) that played the same battles. NaN where
    /// it never took part in one of them; the error is NaN also where it took part in one block only.
    #[must_use]
    pub fn shift(&self, before: &Self, goal: usize) -> Deviation {
        self.beyond(before, goal, &[])
    }

    /// By how much a goal's score shifts beyond what it would if it shifted as much as the goals `own` do, with these
    /// weights, in the same battles: its own side's, say. The error is of paired differences, and so knows how far the
    /// two shifts go together. NaN as in [`shift`](Self::shift).
    #[must_use]
    pub fn beyond(&self, before: &Self, goal: usize, own: &[(usize, f64)]) -> Deviation {
        let shifts = |goal: usize| {
            let ((mut of, score), (was, old)) = (self.influence(goal), before.influence(goal));
            of.iter_mut().zip(was).for_each(|(of, was)| *of -= was);
            (of, score - old)
        };
        let all = std::iter::once(goal).chain(own.iter().map(|own| own.0));
        if all.into_iter().any(|goal| self.times(goal) == 0 || before.times(goal) == 0) {
            return Deviation { value: f64::NAN, error: f64::NAN };
        }
        let (mut of, mut value) = shifts(goal);
        for &(own, weight) in own {
            let (theirs, shift) = shifts(own);
            of.iter_mut().zip(theirs).for_each(|(of, theirs)| *of -= weight * theirs);
            value -= weight * shift;
        }
        // Even where all battles happened to end alike in both variants the error is not 0: one battle might go either
        // way.
        let least = 1.0 / (self.times(goal) as f64 + 1.0);
        let error = self.error(goal, &of);
        // The larger of the two would be `least` where the error is not known.
        Deviation { value, error: if error.is_nan() { error } else { error.max(least) } }
    }

    /// For each contender the share of the appearances of a goal's units in which they fought for it; None where it is no
    /// goal of units, or they never took part.
    #[must_use]
    pub fn fought_for(&self, before: &Self, goal: usize) -> Option<Vec<f64>> {
        let goals = self.of.len() / BLOCKS;
        let contenders = self.beside.len() / goals.max(1);
        let counts = |of: &Self| of.beside[goal * contenders..(goal + 1) * contenders].to_vec();
        let all = counts(self).into_iter().zip(counts(before));
        let all: Vec<u64> = all.map(|(one, other)| one + other).collect();
        let sum: u64 = all.iter().sum();
        (sum > 0).then(|| all.into_iter().map(|times| times as f64 / sum as f64).collect())
    }

    fn error(&self, goal: usize, of: &[f64; BLOCKS]) -> f64 {
        let blocks = self.blocks(goal).iter().filter(|block| block[0] > 0).count() as u32;
        if blocks < 2 {
            return f64::NAN;
        }
        let freedom = blocks - 1;
        let variance =
            of.iter().map(|of| of * of).sum::<f64>() * f64::from(blocks) / f64::from(freedom);
        variance.sqrt() * as_normal(freedom)
    }
}

/// The standard error of a score of so many battles, enlarged so that a normal interval around it reaches as far as the
/// longer half of E. B. Wilson's: where nearly all or nearly no battles are won, a sample hardly varies, because the
/// rare outcomes may not occur in it.
fn near_the_ends(score: f64, error: f64, battles: f64) -> f64 {
    let z = Level::P95.z();
    let towards_even = z * (0.5 - score).abs() / (battles + z * z);
    libm::hypot(error, z / (2.0 * battles)) + towards_even
}

/// The factor by which Student's 95% intervals are wider than normal ones.
fn as_normal(freedom: u32) -> f64 {
    student_quantile(0.975, freedom) / Level::P95.z()
}

/// The results of all goals in the same battles of several variants.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct VariantTally {
    goals: usize,
    /// By variant, goal and block: the number of appearances and the points.
    of: Vec<[u64; 2]>,
    /// By variant, goal and contender: how often the goal's units fought for the contender.
    beside: Vec<u64>,
    /// By variant: the forfeited battles.
    forfeits: Vec<Forfeits>,
    /// By variant: the battles that were fought and nobody won.
    unwon: Vec<u64>,
}

impl VariantTally {
    #[inline]
    fn add(&mut self, arm: usize, block: usize, goal: u16, points: Option<u32>) {
        let Some(points) = points else { return };
        let cell = &mut self.of[(arm * self.goals + usize::from(goal)) * BLOCKS + block];
        cell[0] += 1;
        cell[1] += u64::from(points);
    }
}

impl Sum for VariantTally {
    fn merge(&mut self, other: &Self) {
        for (mine, theirs) in self.of.iter_mut().zip(&other.of) {
            mine[0] += theirs[0];
            mine[1] += theirs[1];
        }
        for (mine, theirs) in self.beside.iter_mut().zip(&other.beside) {
            *mine += theirs;
        }
        for (mine, theirs) in self.forfeits.iter_mut().zip(&other.forfeits) {
            mine.merge(theirs);
        }
        for (mine, theirs) in self.unwon.iter_mut().zip(&other.unwon) {
            *mine += theirs;
        }
    }
}

impl Kept for VariantTally {
    type Form = Self;

    fn form(&self) -> Self {
        self.clone()
    }

    fn of_form(&self, form: Self) -> Option<Self> {
        let shape = |of: &Self| {
            let sides: Vec<usize> = of.forfeits.iter().map(|of| of.by_side.len()).collect();
            (of.goals, of.of.len(), of.beside.len(), sides, of.unwon.len())
        };
        // Every variant plays the same battles.
        let battles = form.battles();
        let are_equal = form.forfeits.iter().all(|of| Some(of.battles) == battles);
        (shape(self) == shape(&form) && are_equal).then_some(form)
    }

    fn battles(&self) -> Option<u64> {
        self.forfeits.first().map(|of| of.battles)
    }
}

/// A variant that is played, with its assignment of battles and its lookup of goals.
struct Arm<'e> {
    engine: &'e dyn Engine,
    assignment: Assignment,
    places: Places,
    /// By match-up and side: the contender.
    contenders: Vec<u16>,
}

/// Plays the same battles in all of these variants, resuming from what the keeper has stored. `go_on` receives the
/// number of battles played, all variants together, and stops the play by returning false: then the result is None.
#[must_use]
pub fn play(
    engines: &[&dyn Engine],
    goals: &[Goal],
    plan: Plan,
    keeper: &mut dyn Keeper<VariantTally>,
    go_on: &mut dyn FnMut(u64) -> bool,
) -> Option<Vec<Fared>> {
    let Some(first) = engines.first() else { return Some(Vec::new()) };
    let arms = engines.iter().map(|&engine| Arm {
        engine,
        assignment: Assignment::new(engine.layout()),
        places: Places::new(engine.layout(), goals),
        contenders: engine.layout().contenders().at,
    });
    let arms: Vec<Arm<'_>> = arms.collect();
    let look = Look {
        events: false,
        fighters: goals.iter().any(|goal| matches!(goal.who, super::Subject::Units(_))),
    };
    let sides = first.layout().sides;
    let contenders = first.layout().contenders().names.len();
    let empty = VariantTally {
        goals: goals.len(),
        of: vec![[0; 2]; arms.len() * goals.len() * BLOCKS],
        beside: vec![0; arms.len() * goals.len() * contenders],
        forfeits: vec![Forfeits::new(sides); arms.len()],
        unwon: vec![0; arms.len()],
    };
    let accumulator = || (empty.clone(), Record::new(first.layout()));
    let workers = Workers::new(plan.threads, u64::MAX / 2, accumulator);
    let many = arms.len() as u64;
    let mut workers = workers.of_heavy_battles(many).of_matchups(arms[0].assignment.in_turn());
    let (counts, played) = workers.count(
        plan.battles,
        empty.clone(),
        |(counts, _)| counts,
        keeper,
        |(counts, record), battles| chunk(&arms, plan, look, counts, record, battles),
        &mut |battles| go_on(battles * many),
    );
    let each = goals.len() * BLOCKS;
    let fared = |arm: usize| Fared {
        of: counts.of[arm * each..(arm + 1) * each].to_vec(),
        beside: counts.beside[arm * goals.len() * contenders..(arm + 1) * goals.len() * contenders]
            .to_vec(),
        sides,
        forfeits: counts.forfeits[arm].clone(),
        unwon: counts.unwon[arm],
    };
    (played == plan.battles).then(|| (0..arms.len()).map(fared).collect())
}

fn chunk(
    arms: &[Arm<'_>],
    plan: Plan,
    look: Look,
    counts: &mut VariantTally,
    record: &mut Record,
    battles: Grouped,
) {
    let contenders = counts.beside.len() / (arms.len() * counts.goals).max(1);
    for index in battles {
        for (at, arm) in arms.iter().enumerate() {
            let layout = arm.engine.layout();
            let place = Place::Assigned(&arm.assignment);
            let battle = Battle { seed: plan.seed, index, dice: plan.dice, place };
            arm.engine.play(battle, look, record);
            counts.forfeits[at].add(record.forfeits);
            let is_won = matches!(record.outcome, Outcome::Win(_));
            counts.unwon[at] += u64::from(record.forfeits == 0 && !is_won);
            let block = (index / layout.matchups.len() as u64) as usize % BLOCKS;
            let points = |side: Side| plan.measure.points(record.outcome, side, layout.sides);
            let first = record.stratum.matchup as usize * layout.sides;
            for places in arm.places.under(layout, record.stratum.condition as usize) {
                for (side, goals) in places.sides[first..first + layout.sides].iter().enumerate() {
                    for &goal in goals {
                        counts.add(at, block, goal, points(Side(side as u8)));
                    }
                }
                if record.forfeits != 0 {
                    continue;
                }
                for fighter in &record.fighters {
                    let side = first + usize::from(fighter.side.0);
                    let contender = usize::from(arm.contenders[side]);
                    for &goal in &places.units[usize::from(fighter.unit)] {
                        let cell = (at * counts.goals + usize::from(goal)) * contenders + contender;
                        counts.beside[cell] += u64::from(points(fighter.side).is_some());
                        counts.add(at, block, goal, points(fighter.side));
                    }
                }
            }
        }
    }
}

/// Who takes part in some battles.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Appearances {
    /// By unit: how often it takes part.
    pub units: Vec<u64>,
    /// By contender: the units that take part for it in at least half of the battles that it fights.
    pub own: Vec<Vec<usize>>,
}

/// Counts who takes part in the first battles of a stream.
#[must_use]
pub fn appearances(engine: &dyn Engine, seed: u64, battles: u64) -> Appearances {
    let layout = engine.layout();
    let (assignment, mut record) = (Assignment::new(layout), Record::new(layout));
    let contenders = layout.contenders();
    let mut units = vec![0; layout.units.len()];
    let mut fought = vec![0_u64; contenders.names.len()];
    let mut of_each = vec![vec![0_u64; layout.units.len()]; contenders.names.len()];
    for index in 0..battles {
        let place = Place::Assigned(&assignment);
        let look = Look { events: true, fighters: true };
        engine.play(Battle { seed, index, dice: Dice::Seeded, place }, look, &mut record);
        let first = record.stratum.matchup as usize * layout.sides;
        for team in record.teams() {
            let contender = usize::from(contenders.at[first + team[0].side.index()]);
            fought[contender] += 1;
            let mut taken: Vec<usize> = team.iter().map(|of| usize::from(of.unit)).collect();
            taken.iter().for_each(|&unit| units[unit] += 1);
            taken.sort_unstable();
            taken.dedup();
            taken.iter().for_each(|&unit| of_each[contender][unit] += 1);
        }
    }
    let own = fought.iter().zip(&of_each).map(|(&fought, times)| {
        (0..times.len()).filter(|&unit| times[unit] > 0 && 2 * times[unit] >= fought).collect()
    });
    Appearances { units, own: own.collect() }
}
