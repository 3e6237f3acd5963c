//! Work shared among the threads of the current pool, with results in order. All of it uses one copy of rayon's
//! splitting: rayon's own iterators are compiled once for every work, in two forms, each more than the work itself.

use std::sync::{Mutex, MutexGuard, PoisonError};

use rayon::prelude::*;

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
    rayon::join(one, other);
}

#[expect(clippy::disallowed_methods, reason = "this is where it is compiled")]
#[inline(never)]
fn share(count: usize, work: &(dyn Fn(usize) + Sync)) {
    (0..count).into_par_iter().for_each(work);
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
        let pool = rayon::ThreadPoolBuilder::new().num_threads(4).build().expect("four threads");
        let squares: Vec<usize> = (0..1_000).map(|number| number * number).collect();
        assert_eq!(pool.install(|| map(1_000, |number| number * number)), squares);
        let mut list: Vec<usize> = (0..1_000).collect();
        pool.install(|| map_all(&mut list, |number: &mut usize| *number *= *number));
        assert_eq!(list, squares);
        assert!(map(0, |number| number).is_empty());
    }

    #[test]
    fn no_more_is_made_to_work_with_than_there_are_threads() {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(3).build().expect("three threads");
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

    #[test]
    #[should_panic(expected = "the seventh")]
    fn a_panic_comes_through() {
        map(20, |number| assert!(number != 7, "the seventh"));
    }
}
