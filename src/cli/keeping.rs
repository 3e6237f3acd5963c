//! Long commands that can be resumed where they were ended: checkpoints, shards, and the partial results of a merge.

mod inner;
mod parts;
mod place;
mod stage;

use std::cell::RefCell;
use std::ops::Range;
use std::path::Path;
use std::rc::Rc;
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

pub(super) use inner::{digest, same_job, told};
pub(super) use parts::{apart, gathered, of_one_play};
pub(super) use place::{Earlier, Keep, Merged, Part, folder_of_shards, is_partial, job};
pub(super) use stage::Stage;

use super::interruption::interrupted;
use super::progress::DoneBefore;
use super::terminal::say;
use super::{Exit, Failure};
use crate::engine::Scenario;
use crate::parallel::locked;
use crate::partial::{
    Asked, Found, Header, LookNote, PartialError, Ranges, RowLog, Segment, Shard,
};
use crate::report::figures::{counted, whole};
use crate::table::{OutputError, Table};
use inner::{Inner, with_source};
use place::place;

/// Time after which a command writes its first checkpoint when nobody asked for one.
const FIRST: Duration = Duration::from_secs(60);

/// Where a partial result is kept, and why.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Why {
    /// Nothing is kept.
    Not,
    /// A checkpoint beside the results, kept until these are written.
    Long,
    /// A checkpoint where the command line says, kept for good.
    Asked,
    /// A shard, which is all that the command makes.
    Shard(Shard),
    /// Parts that were played elsewhere and are merged here: nothing is played.
    Merged,
}

/// Keeps the partial results of a job.
pub(super) struct Keeping<'k> {
    inner: Rc<RefCell<Inner<'k>>>,
    rows: SharedRows,
}

/// The log of the rows that are kept; None until keeping them begins.
type SharedRows = Arc<Mutex<Option<RowLog>>>;

/// The job that a command has on a scenario, with the flags that decide what is counted.
pub(super) fn asked(
    command: &str,
    scenario: &Scenario,
    seed: u64,
    battles: u64,
    settings: Vec<(&str, String)>,
) -> Asked {
    Asked {
        command: command.to_owned(),
        scenario: scenario.name.clone(),
        fingerprint: scenario.fingerprint.clone(),
        seed,
        battles,
        settings: owned(settings),
        besides: Vec::new(),
    }
}

/// Flags with their values as owned text, as they are kept.
pub(super) fn owned(settings: Vec<(&str, String)>) -> Vec<(String, String)> {
    settings.into_iter().map(|(name, value)| (name.to_owned(), value)).collect()
}

/// What is to be kept of a command.
pub(super) struct Wanted<'w> {
    /// The job, which partial results have to be of.
    pub asked: Asked,
    /// Returns how a few of its battles end, which tells whether the rules are still the same.
    pub sample: &'w dyn Fn() -> String,
    /// Whether more battles add to those that were played, so that a command may ask for more than the last one.
    pub grows: bool,
    /// Whether the command has several plays, one after the other.
    pub has_several_plays: bool,
    /// The names of the plays that may be shared out, in order; empty when none may.
    pub plays: &'w [&'static str],
    /// The folder of the plays before the one that is shared out.
    pub from: Option<&'w Path>,
    /// Whether a row is kept of every battle.
    pub keeps_rows: bool,
}

impl<'w> Wanted<'w> {
    /// What is to be kept of a command whose plays depend on those before them, and are not shared out.
    pub(super) fn of_plays_in_turn(asked: Asked, sample: &'w dyn Fn() -> String) -> Self {
        Self {
            asked,
            sample,
            grows: false,
            has_several_plays: true,
            plays: &[],
            from: None,
            keeps_rows: false,
        }
    }
}

impl<'k> Keeping<'k> {
    /// Opens what an earlier command has kept, or prepares to keep something. `folder` is the folder of the results.
    pub(super) fn open(
        keep: &Keep,
        part: Part,
        folder: Option<&Path>,
        quiet: bool,
        wanted: Wanted<'k>,
    ) -> Result<Self, Failure> {
        let (why, place) = place(keep, part, folder)?;
        let parts = keep.merged.as_ref().map(|merged| merged.parts.clone()).unwrap_or_default();
        let Wanted { asked, sample, grows, has_several_plays, plays, from, keeps_rows } = wanted;
        let given = match from {
            Some(from) => parts::earlier(from, &place, plays)?,
            None => Vec::new(),
        };
        let last_of = |parts: &[Found]| parts.first().map_or(0, |part| part.header.stages.len());
        let shared = match why {
            Why::Merged => last_of(&parts).saturating_sub(1),
            Why::Not | Why::Long | Why::Asked | Why::Shard(_) => last_of(&given),
        };
        if why == Why::Merged && place.as_os_str().is_empty() {
            parts::are_all_plays(&parts, plays)?;
        }
        let several = plays.iter().filter(|_| plays.len() > 1);
        let rows = SharedRows::default();
        let header = Header {
            program: env!("CARGO_PKG_NAME").to_owned(),
            version: env!("CARGO_PKG_VERSION").to_owned(),
            sample: String::new(),
            asked,
            stages: Vec::new(),
            plays: several.map(|name| (*name).to_owned()).collect(),
            rows: Vec::new(),
        };
        let mut inner = Inner {
            why,
            place,
            store: None,
            header,
            sample,
            tallies: Vec::new(),
            parts,
            given,
            shared,
            begun: 0,
            done_before: DoneBefore::default(),
            has_several_plays,
            grows: grows && !matches!(why, Why::Shard(_) | Why::Merged),
            keeps_rows,
            rows: rows.clone(),
            every: keep.every(),
            next: Instant::now(),
            saved: false,
            failure: None,
            misfit: None,
            quiet,
        };
        if why == Why::Long {
            inner.next += FIRST;
        } else {
            inner.next += inner.every;
        }
        inner.take_up(keep.fresh)?;
        Ok(Self { inner: Rc::new(RefCell::new(inner)), rows })
    }

    /// How many battles of the first play, or of the one that is shared out, were played before.
    pub(super) fn played_before(&self) -> u64 {
        let inner = self.inner.borrow();
        inner.header.stages.get(inner.shared).map_or(0, |stage| stage.done.len())
    }

    /// The battles of all plays that were played before, which grow as plays begin.
    pub(super) fn done_before(&self) -> DoneBefore {
        self.inner.borrow().done_before.clone()
    }

    /// How many of `all` battles of a play the command plays: all of them, or those of its shard. A shard that begins
    /// after the last battle is an error.
    pub(super) fn planned(&self, all: u64) -> Result<u64, Failure> {
        let inner = self.inner.borrow();
        match inner.begun < inner.shared {
            true => Ok(all),
            false => inner.share(all),
        }
    }

    /// How many battles the command plays of the play that is shared out, which has `all` battles.
    pub(super) fn share(&self, all: u64) -> Result<u64, Failure> {
        self.inner.borrow().share(all)
    }

    /// Returns the keeper of the next play.
    pub(super) fn stage(&self, name: &str, allocation: String) -> Stage<'k> {
        Stage::new(self.inner.clone(), name, allocation)
    }

    /// Hands over the rows of the battles that were played before: those that were kept to `take`, those that were not as
    /// ranges of battles to `replay`.
    pub(super) fn recall(
        &self,
        like: &Table,
        replay: &mut Replay<'_>,
        take: &mut RowsOut<'_>,
    ) -> Result<(), OutputError> {
        let inner = self.inner.borrow();
        let done = inner.header.stages.first().map(|stage| stage.done.clone()).unwrap_or_default();
        let sources = inner.row_sources();
        for range in done.iter() {
            let mut at = range.start;
            for source in &sources {
                let Segment { from, to, .. } = source.segment;
                // Battles whose rows another build of this version kept with other columns are played again.
                if from < at || to > range.end || !source.fits(like) {
                    continue;
                }
                if at < from {
                    replay(at..from, take)?;
                }
                let what = || source.path.display().to_string();
                source
                    .read(like, |rows| take(rows).map_err(Recalled::Out))
                    .map_err(|error| error.into_output(what()))?;
                at = to;
            }
            if at < range.end {
                replay(at..range.end, take)?;
            }
        }
        drop(inner);
        self.inner.borrow_mut().begin_rows(done.end());
        Ok(())
    }

    /// Returns a function that keeps rows, for the thread that writes them.
    pub(super) fn rows(&self) -> impl Fn(&Table) + Send + use<> {
        let rows = self.rows.clone();
        move |table| {
            if let Some(log) = &mut *locked(&rows) {
                log.push(table);
            }
        }
    }

    /// Whether playing on is of no use, because what it counts cannot be kept.
    pub(super) fn is_lost(&self) -> bool {
        let inner = self.inner.borrow();
        inner.failure.is_some() && matches!(inner.why, Why::Shard(_))
    }

    /// Checks that the partial results that were taken up hold counts of this job.
    pub(super) fn check(&self) -> Result<(), PartialError> {
        match &self.inner.borrow().misfit {
            None => Ok(()),
            Some(path) => Err(PartialError::Damaged {
                path: path.clone(),
                why: "its counts are not those of this job".to_owned(),
            }),
        }
    }

    /// Whether the command ends here, because all that is wanted is a partial result.
    pub(super) fn is_all(&self) -> bool {
        let inner = self.inner.borrow();
        matches!(inner.why, Why::Shard(_)) || inner.why == Why::Merged && inner.store.is_some()
    }

    /// Whether only a partial result is wanted, and the play that it is of has begun.
    pub(super) fn is_over(&self) -> bool {
        let inner = self.inner.borrow();
        self.is_all() && inner.begun > inner.shared
    }

    /// How many plays are known already: those before the one that is shared out.
    pub(super) fn shared(&self) -> usize {
        self.inner.borrow().shared
    }

    /// Notes the state of a stopping rule after the battles that were counted, if these are the first battles without a
    /// gap.
    pub(super) fn looked(&self, enough: bool, next: Vec<u64>) {
        let mut inner = self.inner.borrow_mut();
        let stage = &mut inner.header.stages[0];
        if !stage.done.is_empty() && stage.done == Ranges::of(0..stage.done.end()) {
            stage.look = Some(LookNote { enough, next });
            inner.save();
        }
    }

    /// Ends a command that only makes a partial result.
    pub(super) fn finish(&self) -> Result<Exit, Failure> {
        let mut inner = self.inner.borrow_mut();
        if let Some(error) = inner.failure.take() {
            return Err(error.into());
        }
        let inner = &mut *inner;
        let Some(stage) = inner.header.stages.get(inner.shared) else {
            say("ended early: nothing was played\n");
            return Ok(Exit::Interrupted);
        };
        let of_play = match inner.header.plays.len() {
            0 => String::new(),
            _ => format!(" of {}", stage.name),
        };
        let (done, planned) = (stage.done.len(), stage.planned);
        let is_enough = stage.look.as_ref().is_some_and(|look| look.enough);
        if let Why::Shard(shard) = inner.why {
            let Range { start, end } = shard.battles(planned);
            let of = end - start;
            if done < of && !is_enough {
                let (done, of) = (whole(done), counted(of, "battle"));
                say(&format!(
                    "ended early: shard {shard} has {done} of {of}{of_play}, and the same command goes on\n"
                ));
                return Ok(Exit::Interrupted);
            }
        }
        if !inner.quiet {
            let (done, planned) = (whole(done), counted(planned, "battle"));
            say(&format!("wrote {} ({done} of {planned}{of_play})\n", inner.place.display()));
        }
        Ok(Exit::Success)
    }

    /// Ends a command that is to play afresh the next time: what was kept is forgotten even where it was asked for, unless the
    /// command was interrupted.
    pub(super) fn close_and_forget(&self, exit: Exit) -> Exit {
        {
            let mut inner = self.inner.borrow_mut();
            if inner.why == Why::Asked && exit != Exit::Interrupted {
                inner.why = Why::Long;
            }
        }
        self.close(exit)
    }

    /// Ends a command that has written its results: what was kept on the way there is no longer needed, unless it was
    /// asked for.
    pub(super) fn close(&self, exit: Exit) -> Exit {
        let mut inner = self.inner.borrow_mut();
        let is_over = exit != Exit::Interrupted;
        // A play that was over before anything was worth keeping waits for the next one, which may not have begun.
        let has_unsaved = inner.why == Why::Long
            && !inner.saved
            && inner.failure.is_none()
            && inner.header.stages.iter().any(|stage| !stage.done.is_empty());
        if !is_over && has_unsaved {
            inner.save();
        }
        match (inner.why, inner.store.take()) {
            (Why::Long, Some(store)) if is_over => {
                if let Err(error) = store.remove() {
                    let error = with_source(&error);
                    say(&format!("warning: {error}: nothing goes on from it any more\n"));
                }
            }
            (Why::Long | Why::Asked, Some(_)) if !is_over && inner.saved && !inner.quiet => {
                let place = inner.place.display();
                say(&format!("kept in {place}: the same command goes on\n"));
            }
            // Where it could not be kept, a warning has said so.
            (Why::Long, _) if !is_over && inner.failure.is_none() && !inner.quiet => {
                say("nothing was kept to go on from: no battle was played to its end\n");
            }
            // Some battles are played before those that are counted, and are not kept.
            (Why::Asked, Some(_)) if !is_over && inner.failure.is_none() && !inner.quiet => {
                say("nothing was kept to go on from: no battles had been counted yet\n");
            }
            (Why::Not, None) if !is_over && !inner.quiet => {
                say("nothing was kept to go on from: `--checkpoint FOLDER` keeps it\n");
            }
            _ => {}
        }
        // A merge that was allowed to miss battles has done what it should.
        match inner.why {
            Why::Merged if !interrupted() => Exit::Success,
            _ => exit,
        }
    }
}

/// Plays a range of battles again and hands over their rows.
pub(super) type Replay<'r> =
    dyn FnMut(Range<u64>, &mut RowsOut<'_>) -> Result<(), OutputError> + 'r;

/// Takes rows.
pub(super) type RowsOut<'o> = dyn FnMut(&Table) -> Result<(), OutputError> + Send + 'o;

/// Why rows that were kept could not be handed over.
enum Recalled {
    Read(std::io::Error),
    Out(OutputError),
}

impl From<std::io::Error> for Recalled {
    fn from(error: std::io::Error) -> Self {
        Self::Read(error)
    }
}

impl Recalled {
    fn into_output(self, what: String) -> OutputError {
        match self {
            Self::Out(error) => error,
            Self::Read(source) => OutputError::Write { what, source },
        }
    }
}
