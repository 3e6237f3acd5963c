//! The arena: plays many candidate line-ups against one field, on the same battles.

use std::ops::Range;

use rustc_hash::FxHashMap;

use crate::chance::{Seeded, Stream, stream_seed};
use crate::engine::{Battle, Dice, LineUps, Look, Place};
use crate::game::{Side, Stratum};
use crate::lineups::{Brought, LineUp};
use crate::parallel::{self, Pool};
use crate::tally::{Forfeits, Layout, OutcomeMeasure, Record, Results, Sum as _};

/// The most match-ups of one engine, whose labels take memory.
const MOST_MATCHUPS: usize = 8_192;
/// Battles that a thread plays at a time.
const CHUNK: usize = 32;
/// Battles between two questions whether to go on.
const WAVE: usize = 1 << 15;
/// Separates the draw of the fixture and the condition from the dice of the battle.
const APART: u64 = 0x6669_6C65_6C64_5F31;
/// The fractional part of the golden ratio, times 2^64.
const GOLDEN: u64 = 0x9E37_79B9_7F4A_7C15;

/// An opponent of a candidate.
#[derive(Clone, Debug, PartialEq)]
pub enum Other {
    /// A contender of the scenario.
    Contender(String),
    /// This line-up.
    LineUp(LineUp),
}

/// The seat of a candidate, and its opponents in the other seats.
#[derive(Clone, Debug, PartialEq)]
pub struct Fixture {
    /// The candidate's side.
    pub seat: usize,
    /// The opponents by side, without the candidate's side.
    pub others: Vec<Other>,
}

/// The opponents that candidates are measured against.
#[derive(Clone, Debug, PartialEq)]
pub struct Field {
    fixtures: Vec<Fixture>,
    /// Cumulative weights of the fixtures; None where they take turns.
    bounds: Option<Vec<f64>>,
    /// Whether fixtures come as evenly as their weights allow instead of at random.
    is_spread: bool,
}

impl Field {
    /// A field of these fixtures in turn, all equally often.
    #[must_use]
    pub fn even(fixtures: Vec<Fixture>) -> Self {
        Self { fixtures, bounds: None, is_spread: false }
    }

    /// A field from which a fixture is drawn for each battle, in proportion to the weights.
    #[must_use]
    pub fn weighted(fixtures: Vec<(Fixture, f64)>) -> Self {
        let mut sum = 0.0;
        let add = |&(_, weight): &(Fixture, f64)| {
            sum += weight;
            sum
        };
        let bounds = Some(fixtures.iter().map(add).collect());
        let fixtures = fixtures.into_iter().map(|(fixture, _)| fixture).collect();
        Self { fixtures, bounds, is_spread: false }
    }

    /// The same field with fixtures in proportion to their weights in every stretch of battles, not only on average
    /// (the additive recurrence with the golden ratio). This leaves only the chance within battles, so that fewer of
    /// them tell candidates apart; intervals are valid only where fixtures are drawn.
    #[must_use]
    pub fn spread(self) -> Self {
        Self { is_spread: true, ..self }
    }

    /// The fixtures of the field.
    #[must_use]
    pub fn fixtures(&self) -> &[Fixture] {
        &self.fixtures
    }

    fn fixture(&self, index: u64, random: &mut Seeded) -> usize {
        match &self.bounds {
            None => (index % self.fixtures.len() as u64) as usize,
            Some(bounds) => {
                let drawn = random.unit();
                let unit = match self.is_spread {
                    true => index.wrapping_mul(GOLDEN) as f64 / 2.0_f64.powi(64),
                    false => drawn,
                };
                let at = unit * bounds.last().copied().unwrap_or(0.0);
                bounds.partition_point(|&bound| bound <= at).min(bounds.len() - 1)
            }
        }
    }
}

/// Whether candidates share their battles.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Sharing {
    /// All play the same battles: they are compared with common random numbers.
    Same,
    /// Each plays battles of its own.
    Own,
}

/// The points of a candidate in each of its battles, in their order ([`OutcomeMeasure::points`]).
pub type Points = Vec<u8>;

/// Counts wins, shared battles and losses from points.
#[must_use]
pub fn results(points: &[u8], sides: usize) -> Results {
    let mut results = Results { won: 0, shared: 0, lost: 0, sides: sides as u32 };
    for &of in points {
        match usize::from(of) {
            0 => results.lost += 1,
            of if of == sides => results.won += 1,
            _ => results.shared += 1,
        }
    }
    results
}

/// Receives the number of battles played and a description of the best line-up so far; ends the study by returning
/// false.
pub type GoOn<'g> = &'g mut dyn FnMut(u64, &str) -> bool;

/// Plays candidates against a field, in battles that are numbered on through streams.
pub struct Arena<'a> {
    /// The space of line-ups, which builds engines for battles between them.
    pub line_ups: &'a dyn LineUps,
    /// The threads.
    pub(super) pool: Pool,
    seed: u64,
    sides: usize,
    go_on: GoOn<'a>,
    /// Battles played in all.
    pub played: u64,
    /// The forfeited battles: by candidates (first) and by their opponents (second).
    pub forfeits: Forfeits,
    /// The index of the next battle, by a stream's seed.
    next: FxHashMap<u64, u64>,
    /// A description of the best line-up so far, for the progress display.
    pub best_so_far: String,
}

/// The error that the study was ended early.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Ended;

impl<'a> Arena<'a> {
    /// An arena for battles of `sides` sides.
    #[must_use]
    pub fn new(
        line_ups: &'a dyn LineUps,
        sides: usize,
        seed: u64,
        threads: usize,
        go_on: GoOn<'a>,
    ) -> Self {
        let (pool, next) = (Pool::new(threads), FxHashMap::default());
        let (forfeits, best_so_far) = (Forfeits::new(2), String::new());
        Self { line_ups, pool, seed, sides, go_on, played: 0, forfeits, next, best_so_far }
    }

    /// The number of sides in a battle.
    #[must_use]
    pub fn sides(&self) -> usize {
        self.sides
    }

    /// The seed of a stream.
    #[must_use]
    pub fn seed(&self, stream: Stream) -> u64 {
        stream_seed(self.seed, stream)
    }

    /// Plays `battles` new battles of a stream with each candidate.
    ///
    /// # Errors
    /// When the study is ended before they are played.
    pub fn play(
        &mut self,
        field: &Field,
        candidates: &[&LineUp],
        battles: u64,
        stream: Stream,
        sharing: Sharing,
    ) -> Result<Vec<Points>, Ended> {
        let each = vec![battles; candidates.len()];
        self.play_each(field, candidates, &each, stream, sharing)
    }

    /// Plays candidates as [`play`](Self::play) does, with a number of battles for each candidate; one that has fewer
    /// plays the first of the others' battles.
    ///
    /// # Errors
    /// When the study is ended before they are played.
    pub fn play_each(
        &mut self,
        field: &Field,
        candidates: &[&LineUp],
        battles: &[u64],
        stream: Stream,
        sharing: Sharing,
    ) -> Result<Vec<Points>, Ended> {
        let seed = self.seed(stream);
        let first = *self.next.entry(seed).or_insert(0);
        let longest = battles.iter().copied().max().unwrap_or(0);
        let needed = match sharing {
            Sharing::Same => longest,
            Sharing::Own => longest * candidates.len() as u64,
        };
        self.next.insert(seed, first + needed);
        let in_engine = (MOST_MATCHUPS / field.fixtures.len()).max(1);
        let mut all = Vec::with_capacity(candidates.len());
        for (part, some) in candidates.chunks(in_engine).enumerate() {
            let begins = |at: usize| match sharing {
                Sharing::Same => first,
                Sharing::Own => first + (part * in_engine + at) as u64 * longest,
            };
            let ranges = some.iter().enumerate().map(|(at, _)| {
                let begin = begins(at);
                begin..begin + battles[part * in_engine + at]
            });
            all.extend(self.play_in_one_engine(field, some, &ranges.collect::<Vec<_>>(), seed)?);
        }
        Ok(all)
    }

    fn play_in_one_engine(
        &mut self,
        field: &Field,
        candidates: &[&LineUp],
        ranges: &[Range<u64>],
        seed: u64,
    ) -> Result<Vec<Points>, Ended> {
        let mut brought: Vec<Brought<'_>> =
            candidates.iter().map(|line_up| Brought::LineUp(line_up)).collect();
        let mut known: Vec<(&Other, u16)> = Vec::new();
        let mut places: Vec<Vec<u16>> = Vec::new();
        for fixture in &field.fixtures {
            let mut seats = Vec::with_capacity(fixture.others.len());
            for other in &fixture.others {
                let found = known.iter().find(|(known, _)| *known == other);
                seats.push(found.map_or(brought.len() as u16, |&(_, at)| at));
                if found.is_none() {
                    known.push((other, brought.len() as u16));
                    brought.push(match other {
                        Other::Contender(name) => Brought::Contender(name),
                        Other::LineUp(line_up) => Brought::LineUp(line_up),
                    });
                }
            }
            places.push(seats);
        }
        let fixtures = field.fixtures.len();
        let matchup = |at: usize| {
            let (candidate, fixture) = (at / fixtures, at % fixtures);
            let mut seats = places[fixture].clone();
            seats.insert(field.fixtures[fixture].seat, candidate as u16);
            seats
        };
        let matchups: Vec<Vec<u16>> = (0..candidates.len() * fixtures).map(matchup).collect();
        let engine = self.line_ups.engine(&brought, &matchups);
        let layout = engine.layout();
        let conditions = Conditions::new(layout);
        let jobs = ranges.iter().enumerate().flat_map(|(candidate, range)| {
            let chunks = range.clone().step_by(CHUNK);
            chunks.map(move |begin| (candidate, begin..range.end.min(begin + CHUNK as u64)))
        });
        let jobs: Vec<(usize, Range<u64>)> = jobs.collect();
        let mut all: Vec<Points> = vec![Vec::new(); candidates.len()];
        for wave in jobs.chunks(WAVE / CHUNK) {
            let play = |record: &mut Record, (candidate, range): &(usize, Range<u64>)| {
                let mut forfeits = Forfeits::new(2);
                let play_one = |index: u64| {
                    let mut random = Seeded::of_battle(seed ^ APART, index);
                    let fixture = field.fixture(index, &mut random);
                    let condition = conditions.draw(&mut random);
                    let matchup = (candidate * fixtures + fixture) as u32;
                    let place = Place::Stratum(Stratum { matchup, condition });
                    let battle = Battle { seed, index, dice: Dice::Keyed, place };
                    engine.play(battle, Look::default(), record);
                    let side = Side(field.fixtures[fixture].seat as u8);
                    let own = record.forfeits & 1 << side.0;
                    let others = record.forfeits & !own;
                    forfeits.add(u8::from(own != 0) | u8::from(others != 0) << 1);
                    let points =
                        OutcomeMeasure::Score.points(record.outcome, side, self.sides).unwrap_or(0);
                    points as u8
                };
                let points: Points = range.clone().map(play_one).collect();
                (points, forfeits)
            };
            let records = parallel::Scratch::new(|| Record::new(layout));
            let played = self.pool.install(|| parallel::map_all_with(wave, &records, play));
            for ((candidate, _), (points, forfeits)) in wave.iter().zip(played) {
                self.forfeits.merge(&forfeits);
                self.played += points.len() as u64;
                all[*candidate].extend(points);
            }
            if !(self.go_on)(self.played, &self.best_so_far) {
                return Err(Ended);
            }
        }
        Ok(all)
    }

    /// The conditions of a range of a stream's battles, as [`play`](Self::play) draws them.
    #[must_use]
    pub fn conditions(
        &self,
        layout: &Layout,
        field: &Field,
        stream: Stream,
        battles: Range<u64>,
    ) -> Vec<u32> {
        let (seed, conditions) = (self.seed(stream), Conditions::new(layout));
        let condition = |index: u64| {
            let mut random = Seeded::of_battle(seed ^ APART, index);
            field.fixture(index, &mut random);
            conditions.draw(&mut random)
        };
        battles.map(condition).collect()
    }

    /// The fixtures of a range of a stream's battles, as indices into the field, as [`play`](Self::play) chooses them.
    #[must_use]
    pub fn fixtures(&self, field: &Field, stream: Stream, battles: Range<u64>) -> Vec<usize> {
        let seed = self.seed(stream);
        let fixture =
            |index: u64| field.fixture(index, &mut Seeded::of_battle(seed ^ APART, index));
        battles.map(fixture).collect()
    }

    /// The index of a stream's next battle.
    #[must_use]
    pub fn next(&self, stream: Stream) -> u64 {
        self.next.get(&self.seed(stream)).copied().unwrap_or(0)
    }
}

/// Cumulative probabilities from which the conditions of battles are drawn.
struct Conditions(Vec<f64>);

impl Conditions {
    fn new(layout: &Layout) -> Self {
        let bounds = layout.conditions.iter().scan(0.0, |sum, condition| {
            *sum += condition.probability;
            Some(*sum)
        });
        Self(bounds.collect())
    }

    fn draw(&self, random: &mut Seeded) -> u32 {
        let Self(bounds) = self;
        if bounds.len() == 1 {
            return 0;
        }
        let at = random.unit() * bounds[bounds.len() - 1];
        bounds.partition_point(|&bound| bound <= at).min(bounds.len() - 1) as u32
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// In every stretch of battles each fixture has its share, to within two battles or so; fixtures drawn at random
    /// are off by many more.
    #[test]
    fn fixtures_that_are_spread_have_their_shares_in_every_stretch() {
        let fixture = |seat| Fixture { seat, others: Vec::new() };
        let shares = [0.5, 0.3, 0.15, 0.05];
        let drawn = Field::weighted((0..4).map(fixture).zip(shares).collect());
        let farthest = |field: &Field| {
            let off = [0_u64, 12_345, 987_654_321].map(|first| {
                let mut counts = [0_u32; 4];
                for index in first..first + 1_000 {
                    counts[field.fixture(index, &mut Seeded::of_battle(1, index))] += 1;
                }
                let off = counts
                    .iter()
                    .zip(shares)
                    .map(|(&of, share)| (f64::from(of) - 1_000.0 * share).abs());
                off.fold(0.0, f64::max)
            });
            off.into_iter().fold(0.0, f64::max)
        };
        assert!(farthest(&drawn.clone().spread()) <= 3.0);
        assert!(farthest(&drawn) > 5.0);
    }
}
