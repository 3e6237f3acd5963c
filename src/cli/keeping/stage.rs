//! One play of a job, as it is kept.

use std::cell::RefCell;
use std::ops::Range;
use std::path::PathBuf;
use std::rc::Rc;
use std::time::Instant;

use super::Why;
use super::inner::Inner;
use crate::batch::{Begun, Keeper};
use crate::cli::interruption::interrupted;
use crate::cli::terminal::say;
use crate::parallel::locked;
use crate::partial::{Found, Ranges, StageNote};
use crate::tally::Kept;

/// Keeps one play of a job.
pub(in crate::cli) struct Stage<'k> {
    inner: Rc<RefCell<Inner<'k>>>,
    name: String,
    allocation: String,
    /// How much work each of its battles is, as progress counts that.
    times: u64,
    /// The first battle that this command plays of it.
    start: u64,
    /// Its index among the stages of the job.
    at: usize,
}

impl<'k> Stage<'k> {
    pub(super) fn new(inner: Rc<RefCell<Inner<'k>>>, name: &str, allocation: String) -> Self {
        Self { inner, name: name.to_owned(), allocation, times: 1, start: 0, at: 0 }
    }

    /// The same play where progress counts each battle so many times.
    pub(in crate::cli) fn of_each(self, times: u64) -> Self {
        Self { times, ..self }
    }
}

impl<T: Kept> Keeper<T> for Stage<'_> {
    fn begin(&mut self, planned: u64, empty: T) -> Begun<T> {
        let inner = &mut *self.inner.borrow_mut();
        self.at = inner.begun;
        inner.begun += 1;
        // A play that is known already is not played, not even by a shard.
        let is_given = self.at < inner.shared;
        let all = match inner.why {
            Why::Shard(shard) if !is_given => shard.battles(planned),
            Why::Not | Why::Long | Why::Asked | Why::Shard(_) | Why::Merged => 0..planned,
        };
        self.start = all.start;
        let note = StageNote {
            name: self.name.clone(),
            allocation: self.allocation.clone(),
            planned,
            done: Ranges::default(),
            bytes: 0,
            look: None,
        };
        let is_added_up = match inner.why {
            Why::Merged => true,
            Why::Not | Why::Long | Why::Asked | Why::Shard(_) => is_given,
        };
        let known = if is_added_up {
            let parts =
                if is_given && inner.why != Why::Merged { &inner.given } else { &inner.parts };
            let added = added_up(parts, self.at, &note, &empty);
            added.map_err(|path| inner.misfit = Some(path)).ok()
        } else {
            known(inner, self.at, &note, &all, &empty)
        };
        // Plays after one that is played anew are of other battles, so what was kept of them is dropped.
        let is_as_kept = known.is_some() && inner.why != Why::Merged;
        if !is_as_kept {
            inner.header.stages.truncate(self.at);
            inner.tallies.truncate(self.at);
        }
        let (sum, done) = known.unwrap_or((empty, Ranges::default()));
        let played = done.len();
        inner.done_before.add(played.saturating_mul(self.times));
        let end = if done.is_empty() { all.start } else { done.end() };
        if inner.header.stages.len() == self.at {
            inner.header.stages.push(note);
            inner.tallies.push(Vec::new());
        }
        let stage = &mut inner.header.stages[self.at];
        (stage.planned, stage.done, stage.look) = (planned, done, None);
        if is_given {
            let form = formed(&sum);
            stage.bytes = form.len() as u64;
            inner.tallies[self.at] = form;
        }
        let left = if is_added_up { end..end } else { end..all.end };
        if self.at == 0 && played == 0 {
            inner.header.rows.clear();
            if inner.why != Why::Merged {
                inner.begin_rows(all.start);
            }
        }
        Begun { sum, played, left }
    }

    fn is_due(&mut self, over: bool) -> bool {
        let inner = self.inner.borrow();
        if inner.failure.is_some() || self.at < inner.shared {
            return false;
        }
        match inner.why {
            Why::Not => false,
            Why::Merged => over && inner.store.is_some(),
            Why::Asked | Why::Shard(_) => over || Instant::now() >= inner.next,
            Why::Long if over => inner.has_several_plays || interrupted(),
            Why::Long => Instant::now() >= inner.next,
        }
    }

    fn keep(&mut self, end: u64, sum: &T) {
        let inner = &mut *self.inner.borrow_mut();
        let form = formed(sum);
        let stage = &mut inner.header.stages[self.at];
        stage.bytes = form.len() as u64;
        if inner.why == Why::Merged {
            inner.tallies[self.at] = form;
            inner.save_sum();
            return;
        }
        stage.done = Ranges::of(self.start..end);
        inner.tallies[self.at] = form;
        // A play that is over before anything is worth keeping is kept together with the next one.
        let is_time = Instant::now() >= inner.next || interrupted();
        if inner.why != Why::Long || inner.saved || is_time {
            inner.save();
            if locked(&inner.rows).is_none() {
                inner.begin_rows(end);
            }
        }
    }
}

/// The tally and the battles that were kept of a play, if it is the same play.
fn known<T: Kept>(
    inner: &mut Inner<'_>,
    at: usize,
    note: &StageNote,
    all: &Range<u64>,
    empty: &T,
) -> Option<(T, Ranges)> {
    let (stage, tally) = inner.header.stages.get(at).zip(inner.tallies.get(at))?;
    let is_same = stage.name == note.name
        && stage.allocation == note.allocation
        && (stage.planned == note.planned || inner.grows);
    let sum = read(empty, tally, &stage.done).filter(|_| is_same);
    match sum {
        Some(sum) if stage.done.end() <= all.end => Some((sum, stage.done.clone())),
        _ => {
            let name = &stage.name;
            let place = inner.place.display();
            say(&format!(
                "what {place} keeps of {name} is damaged or of other battles: playing it anew\n"
            ));
            // Rows of these battles were handed over already, and cannot be taken back.
            inner.misfit = inner.keeps_rows.then(|| inner.place.clone());
            None
        }
    }
}

/// Reads a tally that was kept; None when it is not one of these battles.
fn read<T: Kept>(empty: &T, tally: &[u8], done: &Ranges) -> Option<T> {
    let sum = empty.of_form(postcard::from_bytes(tally).ok()?)?;
    sum.battles().is_none_or(|battles| battles == done.len()).then_some(sum)
}

/// The sum of all parts of a play, or the tally of an earlier play, which all parts hold alike. The error is the path
/// of a part that does not belong to this job.
fn added_up<T: Kept>(
    parts: &[Found],
    at: usize,
    note: &StageNote,
    empty: &T,
) -> Result<(T, Ranges), PathBuf> {
    let mut all = (empty.clone(), Ranges::default());
    for part in parts {
        let stages = &part.header.stages;
        let is_earlier = at + 1 < stages.len();
        let of_it = stages.get(at).zip(part.tallies.get(at)).filter(|(stage, _)| {
            (stage.planned, &stage.allocation) == (note.planned, &note.allocation)
                && stage.done.end() <= note.planned
        });
        let sum = of_it.and_then(|(stage, tally)| Some((read(empty, tally, &stage.done)?, stage)));
        let (sum, stage) = sum.ok_or_else(|| part.path.clone())?;
        all.0.merge(&sum);
        all.1 = all.1.with(&stage.done);
        if is_earlier {
            break;
        }
    }
    Ok(all)
}

/// A tally in the form in which it is kept.
fn formed<T: Kept>(sum: &T) -> Vec<u8> {
    postcard::to_allocvec(&sum.form()).expect("a tally is made of numbers")
}
