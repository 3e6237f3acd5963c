//! Long commands that go on where they were ended: checkpoints, shards, and what a merger hands over.

use std::cell::RefCell;
use std::ffi::OsString;
use std::ops::Range;
use std::path::{Path, PathBuf};
use std::rc::Rc;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};

use clap::Args;

use super::job::{Job, interrupted, may_write_to};
use super::terminal::{Terminal, say};
use super::{Exit, Failure, flags};
use crate::partial::{
    Asked, Begun, Found, Header, Keeper, Kept, PartialError, RESULT, Ranges, RowLog, RowSource,
    Segment, Shard, StageNote, Store,
};
use crate::report::whole;
use crate::scenario::{Output, fingerprint};
use crate::table::{OutputError, Table};

/// A command that nobody asked for a checkpoint writes the first one after so long.
const FIRST: Duration = Duration::from_secs(60);
/// Checkpoints take no more than one part in so many of the time.
const SHARE: u32 = 50;
/// The folder of checkpoints inside a folder of results.
const CHECKPOINT: &str = "checkpoint";

/// What is kept of a long command.
#[derive(Args, Clone, Debug, Default)]
#[command(next_help_heading = "What to keep")]
pub(super) struct Keep {
    /// Keep what was counted in this folder, so that the same command goes on where it was ended [default:
    /// `checkpoint` in the folder of the results, for commands that take over a minute]
    #[arg(long, value_name = "FOLDER", num_args = 0..=1, default_missing_value = "")]
    pub checkpoint: Option<OsString>,
    /// How many seconds to let pass between checkpoints, or more where writing one takes long
    #[arg(long, value_name = "SECONDS", default_value = "30", value_parser = seconds)]
    pub checkpoint_every: Seconds,
    /// Begin anew and forget what was kept
    #[arg(long)]
    pub fresh: bool,
    /// What a merger hands over.
    #[arg(skip)]
    pub merged: Option<Merged>,
}

impl Keep {
    /// The seed of what was kept where the command line says; none where nothing was, or it is to be forgotten.
    pub(super) fn kept_seed(&self) -> Option<u64> {
        let path = self.checkpoint.as_ref().filter(|path| !path.is_empty() && !self.fresh)?;
        let found = Found::read(Path::new(path)).ok()??;
        Some(found.header.asked.seed)
    }
}

/// The part of a command that is played.
#[derive(Args, Clone, Copy, Debug, Default)]
#[command(next_help_heading = "What to play")]
pub(super) struct Part {
    /// Play only this part of the battles, such as `2/8`, and keep what it counts in a folder below that of -o:
    /// `evens merge` adds all parts up to what one command would have written
    #[arg(long, value_name = "M/N")]
    pub shard: Option<Shard>,
}

/// A time that has a usual value.
#[derive(Clone, Copy, Debug)]
pub(super) struct Seconds(Duration);

impl Default for Seconds {
    fn default() -> Self {
        Self(Duration::from_secs(30))
    }
}

fn seconds(text: &str) -> Result<Seconds, String> {
    let seconds = text.parse().ok().and_then(|seconds| Duration::try_from_secs_f64(seconds).ok());
    seconds.map(Seconds).ok_or_else(|| "a number of seconds, such as 30 or 0.5".to_owned())
}

/// Partial results that are to be finished without playing anything.
#[derive(Clone, Debug)]
pub(super) struct Merged {
    /// What was found.
    pub parts: Vec<Found>,
    /// The folder of a partial result that takes their sum; none where its tables are wanted.
    pub into: Option<PathBuf>,
}

/// Where a partial result is kept, and why.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Why {
    /// Nowhere.
    Not,
    /// Beside the results, until these are written.
    Long,
    /// Where the command line says, for good.
    Asked,
    /// It is what the command is for.
    Shard(Shard),
    /// It comes from elsewhere and is complete.
    Merged,
}

/// A job that keeps what it counts.
pub(super) struct Keeping {
    inner: Rc<RefCell<Inner>>,
    rows: SharedRows,
}

/// The rows that are kept, once there are any to be.
type SharedRows = Arc<Mutex<Option<RowLog>>>;

struct Inner {
    why: Why,
    place: PathBuf,
    store: Option<Store>,
    header: Header,
    tallies: Vec<Vec<u8>>,
    parts: Vec<Found>,
    /// How many plays have begun.
    begun: usize,
    /// Whether one play follows another, so that those that are over have to be kept too.
    has_several_plays: bool,
    /// Whether `planned` may be larger than it was.
    grows: bool,
    keeps_rows: bool,
    rows: SharedRows,
    every: Duration,
    next: Instant,
    saved: bool,
    /// Why nothing more is kept.
    failure: Option<OutputError>,
    /// Whether something that was kept is not what it says.
    misfit: Option<PathBuf>,
    quiet: bool,
}

/// What there is to keep of a command.
pub(super) struct Wanted<'w> {
    /// The job.
    pub asked: Asked,
    /// How a few of its battles end.
    pub sample: &'w dyn Fn() -> String,
    /// Whether more battles add to those that were played, so that a command may ask for more than the last one.
    pub grows: bool,
    /// Whether one play follows another.
    pub has_several_plays: bool,
    /// Whether every battle has a row.
    pub keeps_rows: bool,
}

impl Keeping {
    /// Opens what an earlier command has kept, or makes ready to keep something. `folder` is that of the results.
    pub(super) fn open(
        keep: &Keep,
        part: Part,
        folder: Option<&Path>,
        quiet: bool,
        wanted: Wanted<'_>,
    ) -> Result<Self, Failure> {
        let (why, place) = place(keep, part, folder)?;
        let parts = keep.merged.as_ref().map(|merged| merged.parts.clone()).unwrap_or_default();
        let Wanted { asked, sample, grows, has_several_plays, keeps_rows } = wanted;
        let rows = SharedRows::default();
        let header = Header {
            program: env!("CARGO_PKG_NAME").to_owned(),
            version: env!("CARGO_PKG_VERSION").to_owned(),
            sample: if why == Why::Not { String::new() } else { sample() },
            asked,
            stages: Vec::new(),
            rows: Vec::new(),
        };
        let mut inner = Inner {
            why,
            place,
            store: None,
            header,
            tallies: Vec::new(),
            parts,
            begun: 0,
            has_several_plays,
            grows: grows && !matches!(why, Why::Shard(_) | Why::Merged),
            keeps_rows,
            rows: rows.clone(),
            every: keep.checkpoint_every.0,
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

    /// How many battles of the first play were played before.
    pub(super) fn played_before(&self) -> u64 {
        self.inner.borrow().header.stages.first().map_or(0, |stage| stage.done.len())
    }

    /// How many battles the command plays of so many.
    pub(super) fn planned(&self, all: u64) -> u64 {
        match self.inner.borrow().why {
            Why::Shard(shard) => {
                let Range { start, end } = shard.battles(all);
                end - start
            }
            Why::Not | Why::Long | Why::Asked | Why::Merged => all,
        }
    }

    /// What keeps the next play.
    pub(super) fn stage(&self, name: &str, allocation: String) -> Stage {
        Stage { inner: self.inner.clone(), name: name.to_owned(), allocation, start: 0, at: 0 }
    }

    /// Hands over the rows of the battles that were played before: those that were kept to `take`, those that were not as
    /// ranges of battles to `replay`.
    pub(super) fn recall(
        &self,
        like: &Table,
        replay: &mut dyn FnMut(Range<u64>, &mut RowsOut<'_>) -> Result<(), OutputError>,
        take: &mut RowsOut<'_>,
    ) -> Result<(), OutputError> {
        let inner = self.inner.borrow();
        let done = inner.header.stages.first().map(|stage| stage.done.clone()).unwrap_or_default();
        let sources = inner.row_sources();
        for range in done.iter() {
            let mut at = range.start;
            for source in &sources {
                let Segment { from, to, .. } = source.segment;
                if from < at || to > range.end {
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

    /// Where rows are kept, for the thread that writes them.
    pub(super) fn rows(&self) -> impl Fn(&Table) + Send + use<> {
        let rows = self.rows.clone();
        move |table| {
            if let Some(log) = &mut *rows.lock().unwrap_or_else(PoisonError::into_inner) {
                log.push(table);
            }
        }
    }

    /// Whether playing on is of no use, because what it counts cannot be kept.
    pub(super) fn is_lost(&self) -> bool {
        let inner = self.inner.borrow();
        inner.failure.is_some() && matches!(inner.why, Why::Shard(_))
    }

    /// Makes sure that what was taken up was what it says.
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

    /// Ends a command that only makes a partial result.
    pub(super) fn finish(self) -> Result<Exit, Failure> {
        let mut inner = self.inner.borrow_mut();
        if let Some(error) = inner.failure.take() {
            return Err(error.into());
        }
        let stage = &inner.header.stages[0];
        let (done, planned) = (stage.done.len(), stage.planned);
        let (what, of) = match inner.why {
            Why::Shard(shard) => {
                let Range { start, end } = shard.battles(planned);
                (format!("shard {shard}"), end - start)
            }
            Why::Not | Why::Long | Why::Asked | Why::Merged => ("they".to_owned(), done),
        };
        if done < of {
            let (done, of) = (whole(done), whole(of));
            say(&format!(
                "ended early: {what} has {done} of {of} battles, and the same command goes on\n"
            ));
            return Ok(Exit::Interrupted);
        }
        if !inner.quiet {
            let (done, planned, place) = (whole(done), whole(planned), inner.place.display());
            say(&format!("wrote {place} ({done} of {planned} battles)\n"));
        }
        Ok(Exit::Success)
    }

    /// The same for a command that is to play afresh the next time, wherever it was kept.
    pub(super) fn close_and_forget(self, exit: Exit) -> Exit {
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
    pub(super) fn close(self, exit: Exit) -> Exit {
        let mut inner = self.inner.borrow_mut();
        let is_over = exit != Exit::Interrupted;
        match (inner.why, inner.store.take()) {
            (Why::Long, Some(store)) if is_over => {
                if let Err(error) = store.remove() {
                    say(&format!("warning: {error}, which is no longer needed\n"));
                }
            }
            (Why::Long | Why::Asked, Some(_)) if !is_over && inner.saved && !inner.quiet => {
                let place = inner.place.display();
                say(&format!("kept in {place}: the same command goes on\n"));
            }
            _ => {}
        }
        // A merger that was allowed to miss battles has done what it should.
        match inner.why {
            Why::Merged if !interrupted() => Exit::Success,
            _ => exit,
        }
    }
}

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

/// Where a partial result is kept.
fn place(keep: &Keep, part: Part, folder: Option<&Path>) -> Result<(Why, PathBuf), Failure> {
    let inside = |name: &str| folder.map(|folder| folder.join(name));
    if let Some(merged) = &keep.merged {
        return Ok((Why::Merged, merged.into.clone().unwrap_or_default()));
    }
    if let Some(shard) = part.shard {
        let place = match (&keep.checkpoint, inside(&shard.folder())) {
            (Some(_), _) => {
                let remedy = "a shard is its own checkpoint: leave --checkpoint out";
                return Err(Failure::Usage(remedy.to_owned()));
            }
            (None, Some(place)) => place,
            (None, None) => {
                let remedy = "--shard needs -o FOLDER: what it counts is kept in a folder below";
                return Err(Failure::Usage(remedy.to_owned()));
            }
        };
        return Ok((Why::Shard(shard), place));
    }
    match &keep.checkpoint {
        Some(path) if !path.is_empty() => Ok((Why::Asked, path.into())),
        Some(_) => match inside(CHECKPOINT) {
            Some(place) => Ok((Why::Asked, place)),
            None => {
                let remedy = "--checkpoint needs a folder: `--checkpoint FOLDER`, or `-o FOLDER` for the results";
                Err(Failure::Usage(remedy.to_owned()))
            }
        },
        None => Ok(match inside(CHECKPOINT) {
            Some(place) => (Why::Long, place),
            None => (Why::Not, PathBuf::new()),
        }),
    }
}

/// The folder that a shard is kept below.
fn folder_of_shards(output: &flags::Output, scenario: &Output) -> Option<PathBuf> {
    let of_scenario = || scenario.folder.as_ref().filter(|folder| may_write_to(folder));
    match &output.output {
        Some(place) if place == "-" => None,
        Some(place) => Some(place.into()),
        None => of_scenario().map(PathBuf::from),
    }
}

/// A job, and the folder that partial results of it may go to. A job that only makes a partial result writes no tables.
pub(super) fn job<'t>(
    terminal: &'t Terminal,
    output: &flags::Output,
    scenario: &Output,
    tables: &[String],
    quiet: bool,
    (keep, part): (&Keep, Part),
) -> Result<(Job<'t>, Option<PathBuf>), Failure> {
    let is_partial = keep.merged.as_ref().is_some_and(|merged| merged.into.is_some());
    if part.shard.is_some() || is_partial {
        let folder = folder_of_shards(output, scenario);
        return Ok((Job::without_tables(terminal, quiet), folder));
    }
    let job = Job::open(terminal, output, scenario, tables, quiet)?;
    let folder = job.outlet.folder.clone();
    Ok((job, folder))
}

impl Inner {
    /// Takes up what an earlier command has kept.
    fn take_up(&mut self, fresh: bool) -> Result<(), Failure> {
        match self.why {
            Why::Not => return Ok(()),
            Why::Merged => {
                for part in &self.parts {
                    self.fits(part)?;
                }
                let of_parts = self.parts.iter().filter_map(|part| part.header.stages.first());
                let done = of_parts.clone().map(|stage| &stage.done);
                let done = done.fold(Ranges::default(), |all, done| all.with(done));
                let first = of_parts.clone().next().cloned();
                self.header.stages =
                    first.map(|stage| StageNote { done, ..stage }).into_iter().collect();
                if !self.place.as_os_str().is_empty() {
                    self.store = Some(Store::open(&self.place)?);
                }
                return Ok(());
            }
            Why::Asked | Why::Shard(_) => self.store = Some(Store::open(&self.place)?),
            Why::Long if self.place.join(RESULT).exists() => {
                self.store = Some(Store::open(&self.place)?);
            }
            Why::Long => return Ok(()),
        }
        if let Some(store) = self.store.as_ref().filter(|_| fresh) {
            store.clear()?;
        }
        let found = match Found::read(&self.place) {
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
            let played: u64 = header.stages.iter().map(|stage| stage.done.len()).sum();
            let (played, place) = (whole(played), self.place.display());
            say(&format!("going on from {played} battles in {place}\n"));
        }
        (self.header.stages, self.header.rows, self.tallies) =
            (header.stages, header.rows, tallies);
        self.saved = true;
        Ok(())
    }

    /// Checks that a partial result belongs to this job.
    fn fits(&self, found: &Found) -> Result<(), PartialError> {
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
        for stage in &found.header.stages {
            let start = match self.why {
                Why::Shard(shard) => shard.battles(stage.planned).start,
                Why::Not | Why::Long | Why::Asked | Why::Merged => 0,
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

    /// Where the rows of battles that were played before are, in the order of the battles.
    fn row_sources(&self) -> Vec<RowSource> {
        let mut sources: Vec<RowSource> = match self.why {
            Why::Merged => self.parts.iter().flat_map(Found::rows).collect(),
            _ => {
                Found { path: self.place.clone(), header: self.header.clone(), tallies: Vec::new() }
                    .rows()
            }
        };
        sources.sort_by_key(|source| source.segment.from);
        sources
    }

    /// Begins to keep rows, of the battles from this one on, if that is wanted yet.
    fn begin_rows(&mut self, from: u64) {
        if !self.keeps_rows || self.failure.is_some() || self.why == Why::Merged {
            return;
        }
        let Some(store) = &self.store else { return };
        // Where rows are not known up to this battle they are played again some time.
        let reached = self.header.rows.last().map_or(from, |segment| segment.to);
        if reached != from {
            self.header.rows.clear();
        }
        match store.rows(self.header.rows.clone(), from) {
            Ok(log) => *self.rows.lock().unwrap_or_else(PoisonError::into_inner) = Some(log),
            Err(error) => self.give_up(error),
        }
    }

    /// Nothing is kept any more; what was kept before stays.
    fn give_up(&mut self, error: OutputError) {
        if !matches!(self.why, Why::Shard(_) | Why::Merged) {
            use std::error::Error as _;
            let source = error.source().map(|source| format!(": {source}")).unwrap_or_default();
            say(&format!("warning: {error}{source}: nothing more is kept on the way\n"));
        }
        self.failure = Some(error);
        *self.rows.lock().unwrap_or_else(PoisonError::into_inner) = None;
    }

    fn save(&mut self) {
        let began = Instant::now();
        if let Err(error) = self.saved() {
            self.give_up(error);
        }
        let took = began.elapsed();
        self.next = Instant::now() + self.every.max(took * SHARE);
    }

    fn saved(&mut self) -> Result<(), OutputError> {
        if self.store.is_none() {
            self.store = Some(Store::open(&self.place)?);
        }
        let Some(store) = &self.store else { return Ok(()) };
        if let Some(log) = &mut *self.rows.lock().unwrap_or_else(PoisonError::into_inner) {
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

/// Checks that a partial result belongs to the job of a header; `grows` says that the number of battles may differ.
pub(super) fn same_job(found: &Found, here: &Header, grows: bool) -> Result<(), PartialError> {
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

/// Battles as people count them, the last one included.
pub(super) fn told(battles: &Ranges) -> String {
    let range = |range: Range<u64>| format!("{} to {}", whole(range.start), whole(range.end - 1));
    battles.iter().map(range).collect::<Vec<_>>().join(", ")
}

/// The first setting that is not the same, and what it is here and there.
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
pub(super) fn digest(allocation: &[u64]) -> String {
    let text: Vec<String> = allocation.iter().map(u64::to_string).collect();
    fingerprint([text.join(",").as_str()])
}

/// Keeps one play of a job.
pub(super) struct Stage {
    inner: Rc<RefCell<Inner>>,
    name: String,
    allocation: String,
    /// The first battle that is its own.
    start: u64,
    /// Its place among the stages.
    at: usize,
}

impl<T: Kept> Keeper<T> for Stage {
    fn begin(&mut self, planned: u64, empty: T) -> Begun<T> {
        let inner = &mut *self.inner.borrow_mut();
        self.at = inner.begun;
        inner.begun += 1;
        let all = match inner.why {
            Why::Shard(shard) => shard.battles(planned),
            Why::Not | Why::Long | Why::Asked | Why::Merged => 0..planned,
        };
        self.start = all.start;
        let note = StageNote {
            name: self.name.clone(),
            allocation: self.allocation.clone(),
            planned,
            done: Ranges::default(),
            bytes: 0,
        };
        let known = if inner.why == Why::Merged {
            merged(&inner.parts, &empty).map_err(|path| inner.misfit = Some(path)).ok()
        } else {
            known(inner, self.at, &note, &all, &empty)
        };
        inner.header.stages.truncate(self.at);
        if inner.header.stages.len() == self.at {
            inner.header.stages.push(note);
        }
        inner.tallies.resize_with(self.at, Vec::new);
        inner.tallies.push(Vec::new());
        let (sum, done) = known.unwrap_or((empty, Ranges::default()));
        let played = done.len();
        let end = if done.is_empty() { all.start } else { done.end() };
        inner.header.stages[self.at].done = done;
        let left = if inner.why == Why::Merged { end..end } else { end..all.end };
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
        if inner.failure.is_some() {
            return false;
        }
        match inner.why {
            Why::Not => false,
            Why::Merged => over && inner.store.is_some(),
            Why::Asked | Why::Shard(_) => over || Instant::now() >= inner.next,
            Why::Long if over => {
                let is_long = inner.saved || Instant::now() >= inner.next;
                inner.has_several_plays || interrupted() && is_long
            }
            Why::Long => Instant::now() >= inner.next,
        }
    }

    fn keep(&mut self, end: u64, sum: &T) {
        let inner = &mut *self.inner.borrow_mut();
        let form = postcard::to_allocvec(&sum.form()).expect("a tally is made of numbers");
        let stage = &mut inner.header.stages[self.at];
        stage.bytes = form.len() as u64;
        if inner.why == Why::Merged {
            let sources = inner.row_sources();
            let taken = inner.store.as_ref().map_or(Ok(()), |store| store.take_rows(&sources));
            inner.header.rows = sources.into_iter().map(|source| source.segment).collect();
            inner.tallies[self.at] = form;
            match taken {
                Ok(()) => inner.save(),
                Err(error) => inner.give_up(error),
            }
            return;
        }
        stage.done = Ranges::of(self.start..end);
        inner.tallies[self.at] = form;
        // A play that is over before anything is worth keeping is kept together with the next one.
        let is_time = Instant::now() >= inner.next || interrupted();
        if inner.why != Why::Long || inner.saved || is_time {
            inner.save();
            if inner.rows.lock().unwrap_or_else(PoisonError::into_inner).is_none() {
                inner.begin_rows(end);
            }
        }
    }
}

/// What was kept of a play, if it is the same one.
fn known<T: Kept>(
    inner: &mut Inner,
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
            say(&format!("what was kept of {name} is of other battles: playing it anew\n"));
            // Rows of these battles were handed over before.
            inner.misfit = inner.keeps_rows.then(|| inner.place.clone());
            None
        }
    }
}

/// A tally as it was written, if it is one of these battles.
fn read<T: Kept>(empty: &T, tally: &[u8], done: &Ranges) -> Option<T> {
    let sum = empty.of_form(postcard::from_bytes(tally).ok()?)?;
    sum.battles().is_none_or(|battles| battles == done.len()).then_some(sum)
}

/// The sum of all parts; the one that is no part of this job where there is one.
fn merged<T: Kept>(parts: &[Found], empty: &T) -> Result<(T, Ranges), PathBuf> {
    let mut all = (empty.clone(), Ranges::default());
    for part in parts {
        let first = part.header.stages.first().zip(part.tallies.first());
        let sum = first.and_then(|(stage, tally)| Some((read(empty, tally, &stage.done)?, stage)));
        let (sum, stage) = sum.ok_or_else(|| part.path.clone())?;
        all.0.merge(&sum);
        all.1 = all.1.with(&stage.done);
    }
    Ok(all)
}
