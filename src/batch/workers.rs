//! Threads that share battles, each with an accumulator of its own.

use std::ops::Range;
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use super::keeper::{Begun, Keeper};
use crate::parallel::{self, Pool, locked};
use crate::tally::Sum;

/// Battles in a chunk. Small enough for an even load, large enough that handing it over costs nothing.
const CHUNK: u64 = 256;
/// How long a wave should take.
const WAVE: Duration = Duration::from_millis(250);

/// Threads that play battles in waves of about a quarter of a second, each thread with an accumulator of its own.
///
/// Which thread plays which battle depends on the machine, so what the accumulators add up to must not.
pub(crate) struct Workers<A> {
    pool: Pool,
    accumulators: Vec<Mutex<A>>,
    /// Battles in a chunk.
    chunk: u64,
    /// Chunks of the next wave.
    chunks: u64,
    most_chunks: u64,
    /// How many match-ups take turns.
    matchups: u64,
}

impl<A: Send> Workers<A> {
    /// Starts so many threads, 0 for one for every core. No wave has more than `most` battles, or one chunk if that is
    /// more.
    pub(crate) fn new(threads: usize, most: u64, accumulator: impl Fn() -> A) -> Self {
        let pool = Pool::new(threads);
        let accumulators: Vec<Mutex<A>> =
            (0..pool.threads()).map(|_| Mutex::new(accumulator())).collect();
        let most_chunks = (most / CHUNK).max(1);
        let chunks = (4 * accumulators.len() as u64).min(most_chunks);
        Self { pool, accumulators, chunk: CHUNK, chunks, most_chunks, matchups: 1 }
    }

    /// Sets how many match-ups take turns. Where the order of battles does not matter, those of a match-up are then
    /// played one after the other: what is known of it stays in the caches.
    pub(crate) fn of_matchups(self, matchups: u64) -> Self {
        Self { matchups, ..self }
    }

    /// Uses smaller chunks, for battles each of which is `times` as much work as usual.
    pub(crate) fn of_heavy_battles(self, times: u64) -> Self {
        Self { chunk: (CHUNK / times.max(1)).max(1), ..self }
    }

    /// Plays the next wave of the battles that are left. Returns where it ended, and what `play` returned for each
    /// chunk, in the order of the battles.
    pub(crate) fn wave<T: Send>(
        &mut self,
        left: Range<u64>,
        play: impl Fn(&mut A, Range<u64>) -> T + Sync,
    ) -> (u64, Vec<T>) {
        self.wave_of_chunks(left, |accumulator, _, battles| play(accumulator, battles))
    }

    /// Plays the next wave, as [`wave`](Self::wave) does, of battles whose order does not matter: each chunk has
    /// battles of as few match-ups as possible. Returns where it ended.
    pub(crate) fn grouped_wave(
        &mut self,
        left: Range<u64>,
        play: impl Fn(&mut A, Grouped) + Sync,
    ) -> u64 {
        let matchups = self.matchups;
        let grouped = |accumulator: &mut A, wave: &Range<u64>, chunk: Range<u64>| {
            play(accumulator, Grouped::new(wave.clone(), matchups, chunk));
        };
        self.wave_of_chunks(left, grouped).0
    }

    /// Plays a wave; `play` is given the wave and each of its chunks.
    fn wave_of_chunks<T: Send>(
        &mut self,
        left: Range<u64>,
        play: impl Fn(&mut A, &Range<u64>, Range<u64>) -> T + Sync,
    ) -> (u64, Vec<T>) {
        let whole = left.start.saturating_add(self.chunks * self.chunk);
        let end = left.end.min(whole);
        let wave = left.start..end;
        let started = Instant::now();
        let accumulators = &self.accumulators;
        let played = self.pool.install(|| {
            parallel::map_all(chunked(wave.clone(), self.chunk), |chunk| {
                let index = rayon::current_thread_index().unwrap_or(0);
                play(&mut locked(&accumulators[index]), &wave, chunk)
            })
        });
        let took = started.elapsed();
        // How quickly few battles are over does not tell how long many would take.
        if end == whole || took > WAVE {
            let chunks = (end - left.start).div_ceil(self.chunk);
            self.chunks = next_wave(chunks, took).min(self.most_chunks);
        }
        (end, played)
    }

    /// Plays the battles of a stream of `planned`, or what is left of them after those that the keeper knows, and adds
    /// up what the threads have counted, each in the `part` of its accumulator. `go_on` is told how many battles are
    /// played and ends the play by returning false. Returns the sum, and how many battles it has.
    pub(crate) fn count<T: Sum>(
        &mut self,
        planned: u64,
        empty: T,
        part: fn(&mut A) -> &mut T,
        keeper: &mut dyn Keeper<T>,
        play: impl Fn(&mut A, Grouped) + Sync,
        go_on: &mut dyn FnMut(u64) -> bool,
    ) -> (T, u64) {
        let Begun { sum, played, left } = keeper.begin(planned, empty.clone());
        *part(&mut self.accumulators().next().expect("there is a thread")) = sum;
        let sum = |workers: &Self| {
            let mut sum = empty.clone();
            workers.accumulators().for_each(|mut of| sum.merge(part(&mut of)));
            sum
        };
        let mut at = left.start;
        while at < left.end {
            at = self.grouped_wave(at..left.end, &play);
            if !go_on(played + (at - left.start)) {
                break;
            }
            if at < left.end && keeper.is_due(false) {
                keeper.keep(at, &sum(self));
            }
        }
        let sum = sum(self);
        if keeper.is_due(true) {
            keeper.keep(at, &sum);
        }
        (sum, played + (at - left.start))
    }

    /// The accumulators themselves, after the last wave.
    pub(crate) fn into_accumulators(self) -> impl Iterator<Item = A> {
        let inner = |one: Mutex<A>| one.into_inner().unwrap_or_else(PoisonError::into_inner);
        self.accumulators.into_iter().map(inner)
    }

    /// The accumulator of each thread, between waves.
    pub(crate) fn accumulators(&self) -> impl Iterator<Item = MutexGuard<'_, A>> {
        self.accumulators.iter().map(locked)
    }
}

/// Iterates over battles of a wave grouped by match-up: all of the wave's first match-up, then the next.
pub(crate) struct Grouped {
    wave: Range<u64>,
    /// How many match-ups take turns in the wave.
    matchups: u64,
    next: u64,
    /// How many battles are left, the next one included.
    left: u64,
}

impl Grouped {
    /// The battles at the positions of `chunk` when the wave is grouped by match-up.
    fn new(wave: Range<u64>, matchups: u64, chunk: Range<u64>) -> Self {
        let (battles, place) = (wave.end - wave.start, chunk.start - wave.start);
        // The first match-ups may have one battle more than the others.
        let (each, longer) = (battles / matchups, battles % matchups);
        let of_longer = longer * (each + 1);
        let (matchup, nth) = if place < of_longer {
            (place / (each + 1), place % (each + 1))
        } else {
            let rest = place - of_longer;
            (longer + rest / each, rest % each)
        };
        let next = wave.start + nth * matchups + matchup;
        Self { wave, matchups, next, left: chunk.end - chunk.start }
    }
}

impl Iterator for Grouped {
    type Item = u64;

    #[inline]
    fn next(&mut self) -> Option<u64> {
        self.left = self.left.checked_sub(1)?;
        let battle = self.next;
        self.next += self.matchups;
        if self.next >= self.wave.end {
            self.next = self.wave.start + (battle - self.wave.start) % self.matchups + 1;
        }
        Some(battle)
    }
}

/// Splits a wave into chunks of this size, the last of which may be smaller.
fn chunked(wave: Range<u64>, chunk: u64) -> impl Iterator<Item = Range<u64>> {
    let end = wave.end;
    wave.step_by(chunk as usize).map(move |start| start..end.min(start + chunk))
}

/// How many chunks the next wave should have, going by how long this one took.
fn next_wave(chunks: u64, took: Duration) -> u64 {
    let ideal = chunks as f64 * WAVE.as_secs_f64() / took.as_secs_f64().max(1e-6);
    (ideal as u64).clamp(chunks.div_ceil(2), chunks * 4).max(1)
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    /// Rows of a wave are held in memory, so that the first one must not have more than the others either.
    #[test]
    fn no_wave_has_more_battles_than_it_may() {
        let most = 3 * CHUNK;
        let mut workers = Workers::new(2, most, || ());
        let mut at = 0;
        for _ in 0..4 {
            let (end, _) = workers.wave(at..u64::MAX, |(), _| ());
            assert!((at + 1..=at + most).contains(&end), "{at}..{end}");
            at = end;
        }
    }

    /// Where evidence is looked at often at first, waves are cut short; that they are over soon does not make the later ones
    /// long.
    #[test]
    fn waves_that_were_cut_short_do_not_make_others_long() {
        let mut workers = Workers::new(2, 1 << 24, || ());
        for at in 0..20 {
            assert_eq!(workers.wave(at..at + 1, |(), _| ()).0, at + 1);
        }
        let (end, _) = workers.wave(20..u64::MAX, |(), _| ());
        assert!(end - 20 <= 8 * CHUNK, "{end}");
    }

    proptest! {
        /// Whatever the wave and its chunks, every battle is played once, and no match-up is left before all its
        /// battles are played.
        #[test]
        fn grouped_battles_are_those_of_the_wave(
            start in 0u64..1_000,
            battles in 1u64..500,
            matchups in 1u64..60,
            chunk in 1u64..100,
        ) {
            let wave = start..start + battles;
            let in_order: Vec<u64> = chunked(wave.clone(), chunk)
                .flat_map(|chunk| Grouped::new(wave.clone(), matchups, chunk))
                .collect();
            let changes = in_order.windows(2).filter(|two| two[0] % matchups != two[1] % matchups);
            prop_assert_eq!(changes.count() as u64 + 1, matchups.min(battles));
            let mut sorted = in_order;
            sorted.sort_unstable();
            prop_assert_eq!(sorted, wave.collect::<Vec<_>>());
        }
    }
}
