//! `evens nightly`: plays scenarios and holds them against their baselines, or writes the baselines.
//!
//! Whatever can be wrong with an input is found before the first battle, and nothing is written before the last.

use std::convert::Infallible;
use std::num::NonZeroU64;
use std::path::{Path, PathBuf};
use std::sync::atomic::Ordering;
use std::time::{Duration, Instant, SystemTime};

use super::args::Nightly;
use super::compare::{Page, comparable, files_in};
use super::progress::Progress;
use super::run::{INTERRUPTED, watch_for_interruption};
use super::terminal::Terminal;
use super::{Exit, Failure, read, target};
use crate::batch::{self, Detail, Plan};
use crate::games::Playable;
use crate::scenario::{Document, Fault, Faults, Loaded, load};
use crate::studies::nightly::{BUNDLED, Baseline, file_name};
use crate::table::{OutputError, Provenance};
use crate::with_game;

pub(super) fn run(arguments: &Nightly, terminal: &Terminal) -> Result<Exit, Failure> {
    let entries = entries(arguments, terminal)?;
    watch_for_interruption();
    if arguments.write {
        write(arguments, entries, terminal)
    } else {
        check(arguments, entries, terminal)
    }
}

/// A scenario of the night.
struct Entry {
    ready: Box<dyn Ready>,
    /// The file of its baseline.
    file: PathBuf,
    /// What is in it; nothing when there is none yet.
    baseline: Option<Baseline>,
    /// How many battles to play.
    battles: NonZeroU64,
}

/// Plays all and compares.
fn check(arguments: &Nightly, entries: Vec<Entry>, terminal: &Terminal) -> Result<Exit, Failure> {
    let page = Page::open(&arguments.judging)?;
    let seed = arguments.seed.unwrap_or_else(today);
    let mut pairs = Vec::new();
    let mut speeds = Vec::new();
    for Entry { ready, file, baseline, battles } in entries {
        let began = Instant::now();
        let Some(new) = ready.play(seed, battles, arguments, terminal) else {
            eprintln!("ended early: nothing was compared");
            return Ok(Exit::Interrupted);
        };
        speeds.push(
            battles.get() as f64 / began.elapsed().max(Duration::from_nanos(1)).as_secs_f64(),
        );
        let baseline = baseline.expect("a missing baseline is a fault");
        comparable(&baseline, &new, &file)?;
        pairs.push((baseline, new));
    }
    page.tell(&pairs, &speeds, &write_again(arguments), terminal)
}

/// Plays all and writes their baselines, every one or none.
fn write(arguments: &Nightly, entries: Vec<Entry>, terminal: &Terminal) -> Result<Exit, Failure> {
    let folder = &arguments.baseline;
    std::fs::create_dir_all(folder)
        .map_err(|source| OutputError::Open { path: folder.clone(), source })?;
    let mut files = Vec::new();
    for Entry { ready, file, battles, .. } in entries {
        let file = target(&file)?;
        let seed = arguments.seed.unwrap_or_else(|| ready.seed());
        let Some(new) = ready.play(seed, battles, arguments, terminal) else {
            eprintln!("ended early: nothing was written");
            return Ok(Exit::Interrupted);
        };
        files.push((file, new.to_json()));
    }
    for (file, text) in files {
        let path = file.path().display().to_string();
        file.fill(&text)?;
        eprintln!("wrote {path}");
    }
    Ok(Exit::Success)
}

/// The day, counted from 1 January 1970 (UTC).
fn today() -> u64 {
    const DAY: u64 = 24 * 60 * 60;
    SystemTime::now().duration_since(SystemTime::UNIX_EPOCH).map_or(0, |past| past.as_secs() / DAY)
}

/// The command that writes baselines to this folder.
fn write_again(arguments: &Nightly) -> String {
    let folder = &arguments.baseline;
    if folder == Path::new("reports/baseline") {
        return "evens nightly --write".to_owned();
    }
    format!("evens nightly --baseline {} --write", folder.display())
}

/// A scenario that is to be played, before it is read.
struct Wanted {
    scenario: String,
    /// The baseline that names it.
    known: Option<(PathBuf, Baseline)>,
    /// How many battles its first baseline shall hold, rather than what the scenario says.
    battles: Option<u64>,
}

/// Everything that is to be played, checked, or everything that is wrong with it.
fn entries(arguments: &Nightly, terminal: &Terminal) -> Result<Vec<Entry>, Failure> {
    let mut entries: Vec<Entry> = Vec::new();
    let mut faulty = Vec::new();
    for wanted in wanted(arguments)? {
        let scenario = wanted.scenario.clone();
        match entry(arguments, wanted, terminal) {
            Ok(entry) => {
                if let Some(other) = entries.iter().find(|other| other.file == entry.file) {
                    return Err(Failure::Usage(format!(
                        "{} and {scenario} have the same baseline, {}: rename one of them",
                        other.ready.name(),
                        entry.file.display()
                    )));
                }
                entries.push(entry);
            }
            Err(Failure::Input(inputs)) => faulty.extend(inputs),
            Err(other) => return Err(other),
        }
    }
    if faulty.is_empty() { Ok(entries) } else { Err(Failure::Input(faulty)) }
}

/// The scenarios to play: those given; else those that have a baseline; else, when baselines are to be written, the
/// bundled set with its numbers of battles.
fn wanted(arguments: &Nightly) -> Result<Vec<Wanted>, Failure> {
    let named =
        |scenario: &str, battles| Wanted { scenario: scenario.to_owned(), known: None, battles };
    if !arguments.scenarios.is_empty() {
        return Ok(arguments.scenarios.iter().map(|scenario| named(scenario, None)).collect());
    }
    let folder = &arguments.baseline;
    let files = if folder.is_dir() { files_in(folder)? } else { Default::default() };
    if files.is_empty() && arguments.write {
        return Ok(BUNDLED.iter().map(|&(name, battles)| named(name, Some(battles))).collect());
    }
    if files.is_empty() {
        let fault = format!("there is no baseline in {}", folder.display());
        let remedy = format!(
            "`{write}` writes those of the bundled scenarios, `{write} SCENARIO` that of your own",
            write = write_again(arguments)
        );
        return Err(Faults::one(folder.display().to_string(), Fault::new(fault, remedy)).into());
    }
    let mut wanted = Vec::new();
    let mut faulty = Vec::new();
    for path in files.into_values() {
        match Baseline::read(&path, &remedy(arguments, "SCENARIO")) {
            Ok(baseline) => wanted.push(Wanted {
                scenario: baseline.run.scenario.clone(),
                known: Some((path, baseline)),
                battles: None,
            }),
            Err(faults) => faulty.push(faults),
        }
    }
    if faulty.is_empty() { Ok(wanted) } else { Err(Failure::Input(faulty)) }
}

/// What to do about a baseline that is missing or spoilt.
fn remedy(arguments: &Nightly, scenario: &str) -> String {
    format!("write it with `{} {scenario}`", write_again(arguments))
}

fn entry(arguments: &Nightly, wanted: Wanted, terminal: &Terminal) -> Result<Entry, Failure> {
    let Wanted { scenario, known, battles } = wanted;
    let (document, game) = read(&scenario)?;
    let (file, baseline) = match known {
        Some((file, baseline)) => (file, Some(baseline)),
        None => {
            let file = arguments.baseline.join(file_name(&game, &scenario));
            // A file that is no baseline is not written over: it may be somebody's work.
            let is_new = arguments.write && !file.exists();
            let read = || Baseline::read(&file, &remedy(arguments, &scenario));
            let baseline = (!is_new).then(read).transpose()?;
            (file, baseline)
        }
    };
    let (ready, warnings) =
        with_game!(game.as_str(), G => ready::<G>(&document)).expect("the game is known")?;
    for warning in &warnings {
        eprint!("{}", terminal.report(warning));
    }
    let held = baseline.as_ref().map(|baseline| baseline.run.battles_played).or(battles);
    let battles =
        arguments.battles.or(held.and_then(NonZeroU64::new)).unwrap_or_else(|| ready.battles());
    Ok(Entry { ready, file, baseline, battles })
}

/// A scenario that can be played, whatever its game.
trait Ready {
    /// Its name as the user gave it.
    fn name(&self) -> &str;
    /// The master seed that it says.
    fn seed(&self) -> u64;
    /// The battles that it says.
    fn battles(&self) -> NonZeroU64;
    /// Plays so many battles; nothing when it was interrupted.
    fn play(
        &self,
        seed: u64,
        battles: NonZeroU64,
        arguments: &Nightly,
        terminal: &Terminal,
    ) -> Option<Baseline>;
}

/// A scenario that passed every check, and what is probably not meant in it.
fn ready<G: Playable>(document: &Document) -> Result<(Box<dyn Ready>, Vec<Fault>), Failure> {
    let mut loaded = load::<G>(document)?;
    let warnings = std::mem::take(&mut loaded.warnings);
    Ok((Box::new(loaded), warnings))
}

impl<G: Playable> Ready for Loaded<G> {
    fn name(&self) -> &str {
        &self.name
    }

    fn seed(&self) -> u64 {
        self.common.seed
    }

    fn battles(&self) -> NonZeroU64 {
        NonZeroU64::new(self.common.battles).expect("a scenario has at least one battle")
    }

    fn play(
        &self,
        seed: u64,
        battles: NonZeroU64,
        arguments: &Nightly,
        terminal: &Terminal,
    ) -> Option<Baseline> {
        let layout = G::layout(&self.setup);
        let detail = Detail { fighters: layout.units_are_drawn, ..Detail::default() };
        let plan = Plan { seed, battles, threads: arguments.threads, detail };
        if !arguments.quiet {
            eprintln!("playing {}, {battles} battles", self.name);
        }
        let mut progress = Progress::new(terminal, arguments.quiet, battles.get());
        let Ok(finished) = batch::run::<G, Infallible>(
            &self.setup,
            &layout,
            plan,
            |_| Ok(()),
            |standing| {
                progress.show(standing, &layout);
                !INTERRUPTED.load(Ordering::Relaxed)
            },
        );
        progress.finish();
        let mut run = Provenance::new(G::NAME, &self.name, &self.fingerprint, seed, battles.get());
        run.battles_played = finished.played;
        (finished.played == battles.get()).then(|| Baseline::new(run, &layout, &finished.tally))
    }
}
