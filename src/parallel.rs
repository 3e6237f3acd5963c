//! Work shared among the threads of the current pool, with results in order. All of it uses one copy of rayon's
//! splitting: rayon's own iterators are compiled once for every work, in two forms, each more than the work itself.

use std::cell::Cell;
use std::num::NonZeroUsize;
use std::sync::{Mutex, MutexGuard, OnceLock, PoisonError};
use std::time::Duration;

use rayon::ThreadPool;
use rayon::prelude::*;

/// The most threads that are started, however many are asked for.
pub const MOST_THREADS: usize = 1_024;

/// Up to so many threads are started if they are asked for, however few cores there are.
const LEAST_USEFUL: usize = 16;

/// How often starting a pool is tried, each time with half as many threads.
const ATTEMPTS: u32 = 30;

thread_local! {
    /// Whether this thread does alone what would be shared.
    static IS_ALONE: Cell<bool> = const { Cell::new(false) };
}

/// Threads that share work. Where the operating system gives none, whoever hands over work does all of it.
pub(crate) struct Pool(Option<ThreadPool>);

impl Pool {
    /// Starts so many threads, 0 for one for every core, or as many as the operating system gives: results do not
    /// depend on their number.
    pub(crate) fn new(threads: usize) -> Self {
        let cores = std::thread::available_parallelism().map_or(1, NonZeroUsize::get);
        // More than a few for each core only cost memory, and near its end a thread that begins can end the program.
        let most = (4 * cores).clamp(LEAST_USEFUL, MOST_THREADS);
        let mut threads = if threads == 0 { cores } else { threads }.min(most);
        for _ in 0..ATTEMPTS {
            if let Ok(pool) = rayon::ThreadPoolBuilder::new().num_threads(threads).build() {
                return Self(Some(pool));
            }
            // The threads of an attempt that failed take a moment to go.
            std::thread::sleep(Duration::from_millis(20));
            threads = (threads / 2).max(1);
        }
        Self::ALONE
    }

    const ALONE: Self = Self(None);

    /// How many threads do what is handed over.
    pub(crate) fn threads(&self) -> usize {
        self.0.as_ref().map_or(1, ThreadPool::current_num_threads)
    }

    /// Does some work, of which these threads share what can be shared.
    pub(crate) fn install<T: Send>(&self, work: impl FnOnce() -> T + Send) -> T {
        match &self.0 {
            Some(pool) => pool.install(work),
            None => {
                let was_alone = IS_ALONE.replace(true);
                let result = work();
                IS_ALONE.set(was_alone);
                result
            }
        }
    }
}

/// The threads that share work which no pool was given for, one for every core.
fn everybody() -> &'static Pool {
    static EVERYBODY: OnceLock<Pool> = OnceLock::new();
    EVERYBODY.get_or_init(|| Pool::new(0))
}

/// The results of `of` for every number below `count`, in order.
pub(crate) fn map<T: Send>(count: usize, of: impl Fn(usize) -> T + Sync) -> Vec<T> {
    let results: Vec<Mutex<Option<T>>> = (0..count).map(|_| Mutex::new(None)).collect();
    share(count, &|at| put(&results[at], of(at)));
    results.into_iter().map(taken_out).collect()
}

/// The results of `of` for every item, in order.
pub(crate) fn map_all<I: Send, T: Send>(
    items: impl IntoIterator<Item = I>,
    of: impl Fn(I) -> T + Sync,
) -> Vec<T> {
    let items: Vec<Mutex<Option<I>>> =
        items.into_iter().map(|item| Mutex::new(Some(item))).collect();
    map(items.len(), |at| of(take(&items[at]).expect("each is taken once")))
}

/// Scratch values, as many as threads are at work at once: each is made when it is first needed, and used again. They
/// may be large, and are never moved.
pub(crate) struct Scratch<S, M> {
    idle: Mutex<Vec<Box<S>>>,
    make: M,
}

impl<S, M: Fn() -> S> Scratch<S, M> {
    pub(crate) fn new(make: M) -> Self {
        Self { idle: Mutex::new(Vec::new()), make }
    }
}

/// The results of `of` for every item, in order, each made with a scratch value.
pub(crate) fn map_all_with<S: Send, M: Fn() -> S + Sync, I: Send, T: Send>(
    items: impl IntoIterator<Item = I>,
    scratch: &Scratch<S, M>,
    of: impl Fn(&mut S, I) -> T + Sync,
) -> Vec<T> {
    map_all(items, |item| {
        let known = locked(&scratch.idle).pop();
        let mut with = known.unwrap_or_else(|| Box::new((scratch.make)()));
        let result = of(&mut with, item);
        locked(&scratch.idle).push(with);
        result
    })
}

/// Runs both, at the same time where threads are free.
pub(crate) fn both(one: Box<dyn FnOnce() + Send + '_>, other: Box<dyn FnOnce() + Send + '_>) {
    if IS_ALONE.get() {
        one();
        other();
    } else if rayon::current_thread_index().is_some() {
        rayon::join(one, other);
    } else {
        everybody().install(|| both(one, other));
    }
}

#[expect(clippy::disallowed_methods, reason = "this is where it is compiled")]
#[inline(never)]
fn share(count: usize, work: &(dyn Fn(usize) + Sync)) {
    if IS_ALONE.get() {
        (0..count).for_each(work);
    } else if rayon::current_thread_index().is_some() {
        (0..count).into_par_iter().for_each(work);
    } else {
        everybody().install(|| share(count, work));
    }
}

/// Locks a mutex. If a thread panicked while it held the lock, the value is still whole: no change here panics halfway.
pub(crate) fn locked<T: ?Sized>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

fn put<T>(place: &Mutex<Option<T>>, value: T) {
    *locked(place) = Some(value);
}

fn take<T>(place: &Mutex<Option<T>>) -> Option<T> {
    locked(place).take()
}

fn taken_out<T>(place: Mutex<Option<T>>) -> T {
    let inner = place.into_inner().unwrap_or_else(PoisonError::into_inner);
    inner.expect("every number has its result")
}

#[cfg(test)]
mod tests {
    use std::sync::atomic::{AtomicUsize, Ordering};

    use super::*;

    #[test]
    fn results_come_in_the_order_of_what_they_are_of() {
        let squares: Vec<usize> = (0..1_000).map(|number| number * number).collect();
        for pool in [Pool::new(4), Pool::ALONE] {
            assert_eq!(pool.install(|| map(1_000, |number| number * number)), squares);
            let mut list: Vec<usize> = (0..1_000).collect();
            pool.install(|| map_all(&mut list, |number: &mut usize| *number *= *number));
            assert_eq!(list, squares);
        }
        assert_eq!(map(1_000, |number| number * number), squares);
        assert!(map(0, |number| number).is_empty());
    }

    #[test]
    fn no_more_is_made_to_work_with_than_there_are_threads() {
        let pool = Pool::new(3);
        let made = AtomicUsize::new(0);
        let scratch = Scratch::new(|| {
            made.fetch_add(1, Ordering::Relaxed);
            Vec::new()
        });
        let sums = |seen: &mut Vec<u32>, number: u32| {
            seen.push(number);
            number + 1
        };
        for _ in 0..2 {
            let found = pool.install(|| map_all_with(0..500_u32, &scratch, sums));
            assert_eq!(found, (1..=500).collect::<Vec<u32>>());
        }
        assert!((1..=3).contains(&made.into_inner()));
    }

    /// A thread that has no other to share with does both works, and all that these would share.
    #[test]
    fn whoever_is_alone_does_everything() {
        let here = std::thread::current().id();
        let done = AtomicUsize::new(0);
        let work = || {
            Box::new(|| {
                let where_done = map(8, |_| std::thread::current().id());
                assert!(where_done.iter().all(|&on| on == here));
                done.fetch_add(1, Ordering::Relaxed);
            })
        };
        assert_eq!(Pool::ALONE.threads(), 1);
        Pool::ALONE.install(|| both(work(), work()));
        assert_eq!(done.into_inner(), 2);
        // Afterwards work is shared again.
        assert!(!IS_ALONE.get());
    }

    #[test]
    #[should_panic(expected = "the seventh")]
    fn a_panic_comes_through() {
        map(20, |number| assert!(number != 7, "the seventh"));
    }
}
