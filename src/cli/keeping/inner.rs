//! What is known and kept of a job.

use std::ops::Range;
use std::path::PathBuf;
use std::time::{Duration, Instant};

use super::{SharedRows, Why};
use crate::cli::Failure;
use crate::cli::progress::DoneBefore;
use crate::cli::terminal::say;
use crate::digest::fingerprint;
use crate::parallel::locked;
use crate::partial::{Asked, Found, Header, PartialError, Ranges, RowSource, StageNote, Store};
use crate::report::figures::{counted, whole};
use crate::sorting::Sorting;
use crate::table::OutputError;

/// Checkpoints take at most one part in so many of the time.
const SHARE: u32 = 50;

pub(super) struct Inner<'k> {
    pub(super) why: Why,
    pub(super) place: PathBuf,
    pub(super) store: Option<Store>,
    /// Its `sample` is empty until it is needed: some battles take long.
    pub(super) header: Header,
    pub(super) sample: &'k dyn Fn() -> String,
    pub(super) tallies: Vec<Vec<u8>>,
    pub(super) parts: Vec<Found>,
    /// Partial results of the plays before the one that is shared out.
    pub(super) given: Vec<Found>,
    /// Index of the play that is shared out or added up: all plays before it are known.
    pub(super) shared: usize,
    /// How many plays have begun.
    pub(super) begun: usize,
    /// The battles of these plays that were played before.
    pub(super) done_before: DoneBefore,
    /// Whether one play follows another, so that those that are over have to be kept too.
    pub(super) has_several_plays: bool,
    /// Whether the number of planned battles may be larger than in an earlier command.
    pub(super) grows: bool,
    pub(super) keeps_rows: bool,
    pub(super) rows: SharedRows,
    pub(super) every: Duration,
    pub(super) next: Instant,
    pub(super) saved: bool,
    /// The error since which nothing more is kept, if there was one.
    pub(super) failure: Option<OutputError>,
    /// Path of a partial result whose counts are not of this job, if one was found.
    pub(super) misfit: Option<PathBuf>,
    pub(super) quiet: bool,
}

impl Inner<'_> {
    /// Takes up what an earlier command has kept.
    pub(super) fn take_up(&mut self, fresh: bool) -> Result<(), Failure> {
        for part in self.given.clone() {
            self.fits(&part).map_err(PartialError::of_earlier)?;
        }
        match self.why {
            Why::Not => return Ok(()),
            Why::Merged => {
                for part in self.parts.clone() {
                    self.fits(&part)?;
                }
                let last = self.parts.iter().filter_map(|part| part.header.stages.last());
                let done = last.fold(Ranges::default(), |all, stage| all.with(&stage.done));
                let first = self.parts.first();
                self.header.stages =
                    first.map(|part| part.header.stages.clone()).unwrap_or_default();
                if let Some(stage) = self.header.stages.last_mut() {
                    stage.done = done;
                }
                if !self.place.as_os_str().is_empty() {
                    self.store = Some(Store::open(&self.place)?);
                }
                return Ok(());
            }
            Why::Asked | Why::Shard(_) => self.store = Some(Store::open(&self.place)?),
            Why::Long if Found::is_at(&self.place)? => {
                self.store = Some(Store::open(&self.place)?);
            }
            Why::Long => return Ok(()),
        }
        if let Some(store) = self.store.as_ref().filter(|_| fresh) {
            if let Err(error @ (PartialError::NotOurs(_) | PartialError::Unread { .. })) =
                store.found()
            {
                return Err(error.into());
            }
            store.clear()?;
        }
        let found = match self.store.as_ref().map_or(Ok(None), Store::found) {
            Ok(None) => return Ok(()),
            Ok(Some(found)) => found,
            Err(error @ PartialError::Damaged { .. }) => {
                say(&format!("{error}: starting over\n"));
                return Ok(());
            }
            Err(other) => return Err(other.into()),
        };
        self.fits(&found)?;
        self.begins_where_this_does(&found)?;
        let Found { header, tallies, .. } = found;
        if !self.quiet {
            let own = header.stages.iter().skip(self.shared);
            let played: u64 = own.map(|stage| stage.done.len()).sum();
            let (played, place) = (counted(played, "battle"), self.place.display());
            say(&format!("going on from {played} in {place}\n"));
        }
        (self.header.stages, self.header.rows, self.tallies) =
            (header.stages, header.rows, tallies);
        self.saved = true;
        let is_whole = |stage: &StageNote| {
            stage.done.len() >= stage.planned || stage.look.as_ref().is_some_and(|look| look.enough)
        };
        let has_all_plays = self.header.stages.len() >= self.header.plays.len();
        if self.why == Why::Long && has_all_plays && self.header.stages.iter().all(is_whole) {
            // A checkpoint that nobody asked for is removed when it is whole, so somebody asked for this one.
            self.why = Why::Asked;
        }
        Ok(())
    }

    /// How many of `all` battles the command plays; an error when its shard begins after the last one.
    pub(super) fn share(&self, all: u64) -> Result<u64, Failure> {
        match self.why {
            Why::Shard(shard) if shard.is_beyond(all) => {
                let battles = counted(all, "battle");
                Err(Failure::Usage(format!(
                    "--shard {shard} begins after the last of {battles}: the first of them is battle 0"
                )))
            }
            Why::Shard(shard) => {
                let Range { start, end } = shard.battles(all);
                Ok(end - start)
            }
            Why::Not | Why::Long | Why::Asked | Why::Merged => Ok(all),
        }
    }

    fn be_sure_of_sample(&mut self) {
        if self.header.sample.is_empty() {
            self.header.sample = (self.sample)();
        }
    }

    /// Checks that a partial result belongs to this job.
    fn fits(&mut self, found: &Found) -> Result<(), PartialError> {
        self.be_sure_of_sample();
        let (there, here) = (&found.header, &self.header);
        same_job(found, here, self.grows)?;
        let played = there.stages.first().map_or(0, |stage| stage.done.end());
        if self.grows && !self.has_several_plays && played > here.asked.battles {
            let (path, here) = (found.path.clone(), here.asked.battles);
            return Err(PartialError::Longer { path, there: played, here });
        }
        Ok(())
    }

    /// Checks that a partial result has the first of the battles that are to be played, without a gap.
    fn begins_where_this_does(&self, found: &Found) -> Result<(), PartialError> {
        for (at, stage) in found.header.stages.iter().enumerate() {
            let start = match self.why {
                Why::Shard(shard) if at >= self.shared => shard.battles(stage.planned).start,
                Why::Not | Why::Long | Why::Asked | Why::Shard(_) | Why::Merged => 0,
            };
            let ranges: Vec<Range<u64>> = stage.done.iter().collect();
            if ranges.iter().any(|range| range.start != start) {
                let what = format!(
                    "{} has battles {}, and this command plays them in order from {start}",
                    found.path.display(),
                    told(&stage.done)
                );
                let remedy = "`evens merge` adds parts up; choose another folder, or start over with --fresh";
                return Err(PartialError::Missing { what, remedy: remedy.to_owned() });
            }
        }
        Ok(())
    }

    /// Sources of the rows of battles that were played before, in the order of the battles.
    pub(super) fn row_sources(&self) -> Vec<RowSource> {
        let mut sources: Vec<RowSource> = match self.why {
            Why::Merged => self.parts.iter().flat_map(Found::rows).collect(),
            Why::Not | Why::Long | Why::Asked | Why::Shard(_) => {
                let store = self.store.as_ref();
                store.map_or_else(Vec::new, |store| store.row_sources(&self.header.rows))
            }
        };
        sources.put_in_order_by_key(|source| source.segment.from);
        sources
    }

    /// Begins to keep rows of the battles from this one on, if rows are wanted and there is a place for them yet.
    pub(super) fn begin_rows(&mut self, from: u64) {
        if !self.keeps_rows || self.failure.is_some() || self.why == Why::Merged {
            return;
        }
        let Some(store) = &self.store else { return };
        // Rows that do not reach up to this battle are dropped: their battles are played again when the rows are
        // needed.
        let reached = self.header.rows.last().map_or(from, |segment| segment.to);
        if reached != from {
            self.header.rows.clear();
        }
        match store.rows(self.header.rows.clone(), from) {
            Ok(log) => *locked(&self.rows) = Some(log),
            Err(error) => self.give_up(error),
        }
    }

    /// Stops keeping because of an error; what was kept before stays.
    pub(super) fn give_up(&mut self, error: OutputError) {
        if !matches!(self.why, Why::Shard(_) | Why::Merged) {
            let error = with_source(&error);
            say(&format!("warning: {error}: nothing more is kept on the way\n"));
        }
        self.failure = Some(error);
        *locked(&self.rows) = None;
    }

    pub(super) fn save(&mut self) {
        let began = Instant::now();
        if let Err(error) = self.saved() {
            self.give_up(error);
        }
        let took = began.elapsed();
        self.next = Instant::now() + self.every.max(took * SHARE);
    }

    /// Saves the sum of parts, with their rows.
    pub(super) fn save_sum(&mut self) {
        let rows = self.row_sources();
        self.header.rows = rows.iter().map(|source| source.segment.clone()).collect();
        self.be_sure_of_sample();
        let store = self.store.as_ref();
        match store.map_or(Ok(()), |store| store.save_sum(&self.header, &self.tallies, &rows)) {
            Ok(()) => self.saved = true,
            Err(error) => self.give_up(error),
        }
    }

    fn saved(&mut self) -> Result<(), OutputError> {
        self.be_sure_of_sample();
        if self.store.is_none() {
            self.store = Some(Store::open(&self.place)?);
        }
        let Some(store) = &self.store else { return Ok(()) };
        if let Some(log) = &mut *locked(&self.rows) {
            let what = || self.place.display().to_string();
            let settled = log.settle();
            self.header.rows =
                settled.map_err(|source| OutputError::Write { what: what(), source })?;
        }
        store.save(&self.header, &self.tallies)?;
        self.saved = true;
        Ok(())
    }
}

/// An error in one line, with what the system says.
pub(super) fn with_source(error: &OutputError) -> String {
    use std::error::Error as _;
    let source = error.source().map(|source| format!(": {source}")).unwrap_or_default();
    format!("{error}{source}")
}

/// Checks that a partial result belongs to the job of a header; `grows` says that the number of battles may differ.
pub(in crate::cli) fn same_job(
    found: &Found,
    here: &Header,
    grows: bool,
) -> Result<(), PartialError> {
    let there = &found.header;
    let path = || found.path.clone();
    let foreign = |what: &str, there: &str, here: &str| {
        let (what, there, here) = (what.to_owned(), there.to_owned(), here.to_owned());
        Err(PartialError::Foreign { path: path(), what, there, here })
    };
    let texts = [
        ("the command", &there.asked.command, &here.asked.command),
        ("the version of the program", &there.version, &here.version),
    ];
    for (what, there, here) in texts {
        if there != here {
            return foreign(what, there, here);
        }
    }
    if there.asked.fingerprint != here.asked.fingerprint {
        let short = |text: &str| text.chars().take(12).collect::<String>();
        let told = |asked: &Asked| format!("{} ({})", asked.scenario, short(&asked.fingerprint));
        return foreign("the scenario", &told(&there.asked), &told(&here.asked));
    }
    if there.asked.seed != here.asked.seed {
        let [there, here] = [there, here].map(|of| of.asked.seed.to_string());
        return foreign("the seed", &there, &here);
    }
    if there.asked.settings != here.asked.settings {
        let (what, there, here) = difference(&there.asked.settings, &here.asked.settings);
        return foreign(&what, &there, &here);
    }
    if there.asked.battles != here.asked.battles && !grows {
        let [there, here] = [there, here].map(|of| whole(of.asked.battles));
        return foreign("the number of battles", &there, &here);
    }
    if there.sample != here.sample {
        return Err(PartialError::Rules { path: path() });
    }
    Ok(())
}

/// Ranges of battles as text, the last battle of each included.
pub(in crate::cli) fn told(battles: &Ranges) -> String {
    let range = |range: Range<u64>| format!("{} to {}", whole(range.start), whole(range.end - 1));
    battles.iter().map(range).collect::<Vec<_>>().join(", ")
}

/// The name of the first setting that differs, and its values there and here.
fn difference(there: &[(String, String)], here: &[(String, String)]) -> (String, String, String) {
    let all = |settings: &[(String, String)], name: &str| {
        let values = settings.iter().filter(|(of, _)| of == name);
        let values: Vec<&str> = values
            .map(|(_, value)| if value.is_empty() { "given" } else { value.as_str() })
            .collect();
        if values.is_empty() { "not given".to_owned() } else { values.join(", ") }
    };
    let names = there.iter().chain(here).map(|(name, _)| name);
    let different = names.clone().find(|name| all(there, name) != all(here, name));
    let name = different.or(names.clone().next()).cloned().unwrap_or_default();
    (format!("`{name}`"), all(there, &name), all(here, &name))
}

/// A digest of how battles are allocated.
pub(in crate::cli) fn digest(allocation: &[u64]) -> String {
    let text: Vec<String> = allocation.iter().map(u64::to_string).collect();
    fingerprint([text.join(",").as_str()])
}
