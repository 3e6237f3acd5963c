//! Searches for the line-ups that score highest against a field.
//!
//! 1. Drawn line-ups play a few battles each, and a model of choices and pairs is fitted to them.
//! 2. The best by the model are changed one choice at a time, as long as the model predicts a higher score.
//! 3. In generations the neighbours of the best are raced on shared battles: after each lap the better half continues
//!    (sequential halving: Z. Karnin, T. Koren and O. Somekh: "Almost optimal exploration in multi-armed bandits",
//!    2013). Their scores go into the model.
//! 4. A last race on new battles ranks the best that were seen, and those that were given.
//!
//! Scores of a search are biased upwards by selection: they tell which line-ups to examine, and no more.

use rustc_hash::FxHashMap;

use super::arena::{Arena, Ended, Field, Sharing};
use super::model::{Model, Seen};
use crate::chance::{Seeded, Stream};
use crate::lineups::{LineUp, Space};
use crate::parallel;
use crate::sorting::Sorting;

/// Battles of each drawn line-up.
const EACH_DRAWN: u64 = 4;
/// The most line-ups that are drawn.
const MOST_DRAWN: u64 = 30_000;
/// The number of best line-ups, by the model, that are climbed from, and the most steps of a climb.
const CLIMBERS: usize = 8;
const STEPS: usize = 6;
/// The number of generations; in each, the number of best line-ups whose neighbours are tried; and for each of these,
/// the neighbours picked by the model and those picked at random.
const GENERATIONS: u64 = 6;
const PARENTS: usize = 8;
const EXPECTED: usize = 14;
const AT_RANDOM: usize = 4;
/// Where several kinds of line-ups are searched for: fewer generations with more neighbours, one for this many battles
/// within limits, a quarter of which are picked at random.
const VARIED_GENERATIONS: u64 = 4;
const BATTLES_OF_NEIGHBOUR: u64 = 16;
const MOST_NEIGHBOURS: u64 = 32;
const LEAST_NEIGHBOURS: u64 = 4;
/// The number of battles that the model's prediction counts for.
const MODEL_BATTLES: f64 = 50.0;
/// The number of best line-ups from which the reserve is chosen, and the most of it that may be alike.
const MOST_RESERVED: usize = 8_000;
const RESERVED_OF_A_KIND: usize = 4;
/// Line-ups in the last race, for each one that is wanted.
const LAST_RACERS: usize = 4;
/// Up to this many line-ups in all, every one is played instead of a search.
pub(super) const MOST_ALL: u128 = 4_096;
/// The battles that each of them must then get on average.
pub(super) const LEAST_EACH: u128 = 16;

/// The task of one search.
#[derive(Clone, Debug)]
pub(super) struct Hunt<'h> {
    pub field: &'h Field,
    /// Line-ups that stay in every race to its end.
    pub given: &'h [LineUp],
    /// Line-ups to start from.
    pub starts: &'h [LineUp],
    /// The number of line-ups that are wanted.
    pub wanted: usize,
    /// The number of battles that the search may take.
    pub battles: u64,
    /// Earlier results of line-ups; where there are none, line-ups are drawn first.
    pub known: Vec<Seen>,
    /// Whether it searches for line-ups of several kinds, and counts battles by fixture.
    pub varied: bool,
    /// The number of further line-ups to return, of many kinds, for a later search to start from.
    pub reserve: usize,
    /// Whether line-ups that differ only in order count as one.
    pub distinct: bool,
    /// The number of the search, each of which has its own random draws.
    pub number: u64,
}

/// How the battles of a search are spent.
struct Effort {
    generations: u64,
    /// Neighbours of each parent that are picked by the model, and at random.
    by_model: usize,
    at_random: usize,
}

impl Hunt<'_> {
    fn effort(&self) -> Effort {
        if !self.varied {
            return Effort { generations: GENERATIONS, by_model: EXPECTED, at_random: AT_RANDOM };
        }
        let of_generation = self.battles / 2 / VARIED_GENERATIONS;
        let of_parent = of_generation / PARENTS as u64 / BATTLES_OF_NEIGHBOUR;
        let neighbours = of_parent.clamp(LEAST_NEIGHBOURS, MOST_NEIGHBOURS) as usize;
        let at_random = neighbours / 4;
        let by_model = neighbours - at_random;
        Effort { generations: VARIED_GENERATIONS, by_model, at_random }
    }
}

/// The result of a search.
#[derive(Clone, Debug)]
pub(super) struct Found {
    /// The best line-ups, best first; those given are among them, or after them.
    pub ranked: Vec<LineUp>,
    /// Every line-up that was played, or was known before.
    pub seen: Vec<Seen>,
    /// Whether all line-ups that there are were played.
    pub all: bool,
    /// Other promising line-ups, of many kinds.
    pub reserve: Vec<LineUp>,
}

/// Draws a line-up that contains all of `kept`; None where none was found.
#[must_use]
pub fn draw_keeping(space: &dyn Space, kept: &[u16], random: &mut Seeded) -> Option<LineUp> {
    const ATTEMPTS: usize = 400;
    for _ in 0..ATTEMPTS {
        if let Some(found) = with_all(space, space.draw(random), kept, random) {
            return Some(found);
        }
    }
    None
}

/// Whether a line-up contains all of `kept`, each choice as often as it is listed.
#[must_use]
pub fn keeps(line_up: &LineUp, kept: &[u16]) -> bool {
    kept.iter().all(|&choice| {
        line_up.copies(choice) >= kept.iter().filter(|&&other| other == choice).count()
    })
}

/// Puts all of `kept` into a drawn line-up, in the place of other choices or in addition, and drops a choice where that
/// makes it legal; None where it cannot be made legal.
fn with_all(space: &dyn Space, drawn: LineUp, kept: &[u16], random: &mut Seeded) -> Option<LineUp> {
    let mut line_up = drawn;
    let mut so_far: Vec<u16> = Vec::new();
    for &choice in kept {
        so_far.push(choice);
        if keeps(&line_up, &so_far) {
            continue;
        }
        let own = line_up.choices();
        let free = (0..own.len()).filter(|&at| {
            let mut without = own.to_vec();
            without.remove(at);
            keeps(&LineUp::new(without), &so_far[..so_far.len() - 1])
        });
        let mut free: Vec<usize> = free.collect();
        let mut options = Vec::new();
        while !free.is_empty() {
            let at = free.swap_remove(random.below(free.len() as u32) as usize);
            let mut replaced = own.to_vec();
            replaced[at] = choice;
            options.push(space.in_order(replaced));
        }
        for at in 0..=own.len() {
            let mut longer = own.to_vec();
            longer.insert(at, choice);
            options.push(space.in_order(longer));
        }
        // An option that costs too much may be legal without one of the others.
        let smaller: Vec<LineUp> = options
            .iter()
            .flat_map(|option| {
                (0..option.choices().len()).map(|at| {
                    let mut fewer = option.choices().to_vec();
                    fewer.remove(at);
                    LineUp::new(fewer)
                })
            })
            .filter(|option| keeps(option, &so_far))
            .collect();
        options.extend(smaller);
        line_up = options.into_iter().find(|option| space.legal(option).is_ok())?;
    }
    Some(line_up)
}

/// The state of a search.
struct Search<'s, 'a> {
    arena: &'s mut Arena<'a>,
    hunt: &'s Hunt<'s>,
    kept: &'s [u16],
    random: Seeded,
    seen: Vec<Seen>,
    place: FxHashMap<LineUp, usize>,
}

/// Searches for the best line-ups.
///
/// # Errors
/// When the study is ended early.
pub(super) fn search(arena: &mut Arena<'_>, hunt: &Hunt<'_>, kept: &[u16]) -> Result<Found, Ended> {
    let seed = crate::chance::battle_seed(arena.seed(Stream::LineUps), hunt.number);
    let random = Seeded::from_seed(seed);
    let seen = hunt.known.clone();
    let places = seen.iter().enumerate().map(|(at, of)| (of.line_up.clone(), at));
    let place = places.collect();
    let mut search = Search { arena, hunt, kept, random, seen, place };
    search.run()
}

impl Search<'_, '_> {
    fn space(&self) -> &dyn Space {
        self.arena.line_ups
    }

    fn run(&mut self) -> Result<Found, Ended> {
        let count = self.space().count();
        let few = count.is_some_and(|count| {
            count <= MOST_ALL && count * LEAST_EACH <= u128::from(self.hunt.battles)
        });
        if few {
            let mut all = self.space().all();
            all.retain(|line_up| keeps(line_up, self.kept));
            let ranked = self.race(all, self.hunt.wanted, self.hunt.battles)?;
            return Ok(self.found(ranked, true));
        }
        let battles = self.hunt.battles;
        if self.hunt.known.is_empty() {
            self.explore(battles / 4)?;
        }
        let climbed = self.climb();
        let mut candidates: Vec<LineUp> = self.hunt.starts.to_vec();
        candidates.extend(climbed);
        let Effort { generations, by_model, at_random } = self.hunt.effort();
        for _ in 0..generations {
            candidates.extend(self.neighbours_of_best(by_model, at_random));
            let each = battles / 2 / generations;
            self.race(std::mem::take(&mut candidates), PARENTS, each)?;
        }
        let last = self.best(&self.model(), LAST_RACERS * self.hunt.wanted);
        let ranked = self.race(last, self.hunt.wanted, battles / 4)?;
        Ok(self.found(ranked, false))
    }

    fn found(&mut self, ranked: Vec<LineUp>, all: bool) -> Found {
        let mut kept: Vec<LineUp> = Vec::new();
        for line_up in ranked {
            let is_new = !self.hunt.distinct || !kept.iter().any(|other| same(other, &line_up));
            // A given line-up is shown as it was given.
            if is_new || self.hunt.given.contains(&line_up) {
                kept.push(line_up);
            }
        }
        let reserve = match self.hunt.reserve {
            0 => Vec::new(),
            reserve => {
                let order = self.by_expectation(&self.model());
                varied(order.into_iter().take(MOST_RESERVED), reserve, RESERVED_OF_A_KIND)
            }
        };
        Found { ranked: kept, seen: std::mem::take(&mut self.seen), all, reserve }
    }

    /// Plays line-ups that are drawn at random.
    fn explore(&mut self, battles: u64) -> Result<(), Ended> {
        let wanted = (battles / EACH_DRAWN).clamp(1, MOST_DRAWN);
        let mut drawn = Vec::new();
        for _ in 0..wanted {
            let space: &dyn Space = self.arena.line_ups;
            drawn.extend(draw_keeping(space, self.kept, &mut self.random));
        }
        let refs: Vec<&LineUp> = drawn.iter().collect();
        let each = (battles / wanted).max(1);
        let field = self.hunt.field;
        let first = self.arena.next(Stream::Battles);
        let points = self.arena.play(field, &refs, each, Stream::Battles, Sharing::Own)?;
        for (at, (line_up, points)) in drawn.iter().zip(points).enumerate() {
            let fixtures = self.fixtures(first + at as u64 * each, each);
            self.note(line_up, &points, &fixtures);
        }
        Ok(())
    }

    /// The fixtures of a range of battles, as indices into the field; empty where battles are not counted by fixture.
    fn fixtures(&self, first: u64, battles: u64) -> Vec<usize> {
        match self.hunt.varied {
            true => self.arena.fixtures(self.hunt.field, Stream::Battles, first..first + battles),
            false => Vec::new(),
        }
    }

    fn note(&mut self, line_up: &LineUp, points: &[u8], fixtures: &[usize]) {
        let sides = self.arena.sides() as f64;
        let sum: u64 = points.iter().map(|&of| u64::from(of)).sum();
        let at = *self.place.entry(line_up.clone()).or_insert_with(|| {
            self.seen.push(Seen::new(line_up.clone()));
            self.seen.len() - 1
        });
        let seen = &mut self.seen[at];
        seen.score += sum as f64 / sides;
        seen.battles += points.len() as f64;
        if !fixtures.is_empty() {
            seen.against.resize(self.hunt.field.fixtures().len(), (0, 0));
        }
        for (&fixture, &points) in fixtures.iter().zip(points) {
            seen.against[fixture].0 += u32::from(points);
            seen.against[fixture].1 += 1;
        }
    }

    fn model(&self) -> Model {
        Model::fit(&self.seen, self.space().choices().len())
    }

    /// The most promising line-ups, by their battles and, as far as these are few, by the model.
    fn best(&self, model: &Model, count: usize) -> Vec<LineUp> {
        let all = self.by_expectation(model);
        // Where several kinds are searched for, no two of the first half are alike.
        let mut best: Vec<LineUp> = match self.hunt.varied {
            true => varied(all.iter().copied(), count.div_ceil(2), 1),
            false => Vec::new(),
        };
        for line_up in all {
            if best.len() >= count {
                break;
            }
            let is_new = match self.hunt.distinct {
                true => !best.iter().any(|other| same(other, line_up)),
                false => !best.contains(line_up),
            };
            if is_new {
                best.push(line_up.clone());
            }
        }
        best
    }

    /// All line-ups that were seen, the most promising first.
    fn by_expectation(&self, model: &Model) -> Vec<&LineUp> {
        let expected = |of: &Seen| {
            (of.score + MODEL_BATTLES * model.predict(&of.line_up)) / (of.battles + MODEL_BATTLES)
        };
        let mut all: Vec<(f64, &LineUp)> =
            self.seen.iter().map(|of| (expected(of), &of.line_up)).collect();
        all.put_in_order_by(|a, b| b.0.total_cmp(&a.0).then_with(|| a.1.cmp(b.1)));
        all.into_iter().map(|(_, line_up)| line_up).collect()
    }

    /// Climbs from the best line-ups by the model, changing one choice at a time as long as the model predicts a higher
    /// score; returns all line-ups on the way.
    fn climb(&mut self) -> Vec<LineUp> {
        let model = self.model();
        let mut by_model: Vec<(f64, &LineUp)> =
            self.seen.iter().map(|of| (model.predict(&of.line_up), &of.line_up)).collect();
        by_model.put_in_order_by(|a, b| b.0.total_cmp(&a.0).then_with(|| a.1.cmp(b.1)));
        let order = by_model.iter().map(|(_, line_up)| *line_up);
        let starts: Vec<LineUp> = match self.hunt.varied {
            true => varied(order, CLIMBERS, 1),
            false => order.take(CLIMBERS).cloned().collect(),
        };
        let (space, kept, model) = (self.space(), self.kept, &model);
        let climb = |start: &LineUp| {
            let mut way = vec![start.clone()];
            for _ in 0..STEPS {
                let at = &way[way.len() - 1];
                let near = space.neighbours(at).into_iter().filter(|near| keeps(near, kept));
                let near = near.map(|near| (model.predict(&near), near));
                let best = near.max_by(|a, b| a.0.total_cmp(&b.0).then_with(|| b.1.cmp(&a.1)));
                match best {
                    Some((expected, next)) if expected > model.predict(at) + 1e-9 => way.push(next),
                    Some(_) | None => break,
                }
            }
            way
        };
        let ways: Vec<Vec<LineUp>> = self.arena.pool.install(|| parallel::map_all(&starts, climb));
        ways.into_iter().flatten().collect()
    }

    /// The best line-ups so far with their most promising neighbours by the model, and some at random, since the model
    /// knows nothing about order.
    fn neighbours_of_best(&mut self, by_model: usize, at_random: usize) -> Vec<LineUp> {
        let model = self.model();
        let parents = self.best(&model, PARENTS);
        let (space, kept) = (self.space(), self.kept);
        let all: Vec<Vec<(f64, LineUp)>> = self.arena.pool.install(|| {
            let near = |parent: &LineUp| {
                let near = space.neighbours(parent).into_iter().filter(|near| keeps(near, kept));
                near.map(|near| (model.predict(&near), near)).collect()
            };
            parallel::map_all(&parents, near)
        });
        let mut found = parents;
        for mut near in all {
            near.put_in_order_by(|a, b| b.0.total_cmp(&a.0).then_with(|| a.1.cmp(&b.1)));
            let mut rest = near.split_off(by_model.min(near.len()));
            found.extend(near.into_iter().map(|(_, near)| near));
            for _ in 0..at_random.min(rest.len()) {
                let at = self.random.below(rest.len() as u32) as usize;
                found.push(rest.swap_remove(at).1);
            }
        }
        found
    }

    /// Races line-ups on shared battles until `wanted` are left, best first; those given stay to the end.
    fn race(
        &mut self,
        mut racers: Vec<LineUp>,
        wanted: usize,
        battles: u64,
    ) -> Result<Vec<LineUp>, Ended> {
        racers.extend(self.hunt.given.iter().cloned());
        racers.sort_unstable();
        racers.dedup();
        let laps = libm::log2(racers.len() as f64 / wanted.max(1) as f64).ceil().max(1.0) as u64;
        let mut sums: Vec<u64> = vec![0; racers.len()];
        let mut running: Vec<usize> = (0..racers.len()).collect();
        for _ in 0..laps {
            let each = (battles / laps / running.len() as u64).max(1);
            let refs: Vec<&LineUp> = running.iter().map(|&at| &racers[at]).collect();
            let field = self.hunt.field;
            let fixtures = self.fixtures(self.arena.next(Stream::Battles), each);
            let points = self.arena.play(field, &refs, each, Stream::Battles, Sharing::Same)?;
            for (&at, points) in running.iter().zip(&points) {
                sums[at] += points.iter().map(|&of| u64::from(of)).sum::<u64>();
                self.note(&racers[at], points, &fixtures);
            }
            // All that are still in the race have played the same battles.
            running.put_in_order_by(|&a, &b| sums[b].cmp(&sums[a]).then(a.cmp(&b)));
            let half = running.len().div_ceil(2).max(wanted);
            let (on, out) = running.split_at(half.min(running.len()));
            let given = |at: &&usize| self.hunt.given.contains(&racers[**at]);
            running = on.iter().chain(out.iter().filter(given)).copied().collect();
            if let Some(&first) = running.first() {
                let space: &dyn Space = self.arena.line_ups;
                self.arena.best_so_far = space.told(&racers[first]);
            }
        }
        Ok(running.into_iter().map(|at| racers[at].clone()).collect())
    }
}

/// The first `count` of these, but at most `of_a_kind` that are alike.
pub(super) fn varied<'l>(
    order: impl Iterator<Item = &'l LineUp>,
    count: usize,
    of_a_kind: usize,
) -> Vec<LineUp> {
    let mut found: Vec<LineUp> = Vec::new();
    for line_up in order {
        if found.len() >= count {
            break;
        }
        let is_like = |other: &&LineUp| line_up.is_like(other);
        if found.iter().filter(is_like).take(of_a_kind).count() < of_a_kind {
            found.push(line_up.clone());
        }
    }
    found
}

/// Whether two line-ups are the same up to order.
pub(super) fn same(one: &LineUp, other: &LineUp) -> bool {
    let sorted = |line_up: &LineUp| {
        let mut choices = line_up.choices().to_vec();
        choices.sort_unstable();
        choices
    };
    one.choices().len() == other.choices().len() && sorted(one) == sorted(other)
}
