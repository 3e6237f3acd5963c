//! A command at work on a scenario: where it writes, how far it is, whether it was interrupted.

use std::path::Path;
use std::sync::Once;
use std::sync::atomic::{AtomicBool, Ordering};

use super::output::{Outlet, announce};
use super::printed::{PAGE, note_warning, print_results};
use super::progress::Progress;
use super::report::{ReportFile, ReportTarget, notes_text};
use super::terminal::{Terminal, Warning, print, say};
use super::{Exit, Failure, flags};
use crate::engine::Scenario;
use crate::partial::Asked;
use crate::remote::{is_remote, remove_scratch_folders};
use crate::report::Style;
use crate::report::html::Draft;
use crate::scenario::{Document, Fault, Faults, Output, stays_below};
use crate::table::{Provenance, Table, remove_temporary_files};

/// Set by Ctrl-C, and by SIGTERM and SIGHUP.
static INTERRUPTED: AtomicBool = AtomicBool::new(false);

/// Whether the command should come to its end.
pub(super) fn interrupted() -> bool {
    INTERRUPTED.load(Ordering::Relaxed)
}

/// The same for whoever asks from other threads.
pub(super) fn interruption() -> &'static AtomicBool {
    &INTERRUPTED
}

/// The first Ctrl-C ends the command after the battles that are being played, the second ends the program. SIGTERM (a
/// scheduler that wants the machine back) and SIGHUP (a terminal that was closed) are no different.
pub(super) fn watch_for_interruption() {
    static WATCHING: Once = Once::new();
    WATCHING.call_once(watch);
}

fn watch() {
    let watching = ctrlc::set_handler(interrupt).map_err(|error| error.to_string());
    #[cfg(unix)]
    let watching = watching.and(watch_for_termination().map_err(|error| error.to_string()));
    if let Err(error) = watching {
        say(&format!("warning: Ctrl-C will end the program at once: {error}\n"));
    }
}

fn interrupt() {
    if INTERRUPTED.swap(true, Ordering::Relaxed) {
        remove_temporary_files();
        remove_scratch_folders();
        std::process::exit(i32::from(Exit::Interrupted as u8));
    }
}

#[cfg(unix)]
fn watch_for_termination() -> std::io::Result<()> {
    use signal_hook::consts::{SIGHUP, SIGTERM};
    let mut signals = signal_hook::iterator::Signals::new([SIGTERM])?;
    if !hangups_are_ignored() {
        signals.add_signal(SIGHUP)?;
    }
    let watch = move || signals.forever().for_each(|_| interrupt());
    std::thread::Builder::new().name("signals".to_owned()).spawn(watch).map(drop)
}

/// Whether the program was started so that it outlives its terminal (`nohup`).
#[cfg(unix)]
fn hangups_are_ignored() -> bool {
    use std::io::IsTerminal;
    let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    let ignored = status.lines().find_map(|line| line.strip_prefix("SigIgn:"));
    match ignored.and_then(|mask| u64::from_str_radix(mask.trim(), 16).ok()) {
        Some(mask) => mask & 1 == 1,
        // Where the system does not say it: `nohup` leaves no stream at a terminal.
        None => !std::io::stdout().is_terminal() && !std::io::stderr().is_terminal(),
    }
}

/// Whether scenarios may name what is outside their folders.
static OUTSIDE: AtomicBool = AtomicBool::new(false);

/// Sets it, once, before anything is read.
pub(super) fn allow_outside(allowed: bool) {
    OUTSIDE.store(allowed, Ordering::Relaxed);
}

/// Whether a folder that a scenario names for its results may be written to.
pub(super) fn may_write_to(folder: &str) -> bool {
    let folder = Path::new(folder);
    OUTSIDE.load(Ordering::Relaxed) || !is_remote(folder) && stays_below(Path::new(""), folder)
}

/// Reads a scenario's text.
pub(super) fn document(path: &Path) -> Result<Document, Faults> {
    Ok(Document::read(path)?.allowing_outside(OUTSIDE.load(Ordering::Relaxed)))
}

/// Reads and checks a scenario.
pub(super) fn scenario(path: &Path) -> Result<Scenario, Faults> {
    Scenario::of(&document(path)?)
}

/// Reads a scenario to be played and says what is probably not meant in it.
pub(super) fn read(path: &Path, terminal: &Terminal) -> Result<Scenario, Failure> {
    watch_for_interruption();
    let scenario = scenario(path)?;
    warn(&scenario.warnings, terminal);
    Ok(scenario)
}

/// Says what is allowed but probably not meant.
pub(super) fn warn(warnings: &[Fault], terminal: &Terminal) {
    for warning in warnings {
        note_warning(warning);
        say(&terminal.report(&Warning(warning)));
    }
}

/// A command at work. Its tables are opened before the first battle, so that a bad path fails at once.
pub(super) struct Job<'t> {
    pub terminal: &'t Terminal,
    pub outlet: Outlet,
    quiet: bool,
    /// Whether nothing is played, so that there is no speed to show.
    plays_nothing: bool,
    /// The command, where it is to print JSON instead of a page.
    json: Option<&'static str>,
    /// Where an HTML report goes, if anywhere.
    report: Option<ReportTarget>,
    /// What tells the run from any other, where it is known.
    run: Option<String>,
}

impl<'t> Job<'t> {
    /// Opens the tables and watches for Ctrl-C.
    pub(super) fn open(
        terminal: &'t Terminal,
        output: &flags::Output,
        scenario: &Output,
        tables: &[String],
        quiet: bool,
    ) -> Result<Self, Failure> {
        let outlet = Outlet::open(output, scenario, tables)?;
        watch_for_interruption();
        let (plays_nothing, json, report, run) = (false, None, None, None);
        Ok(Self { terminal, outlet, quiet, plays_nothing, json, report, run })
    }

    /// For a command that writes no tables.
    pub(super) fn without_tables(terminal: &'t Terminal, quiet: bool) -> Self {
        watch_for_interruption();
        let outlet = Outlet::nowhere();
        let (plays_nothing, json, report, run) = (false, None, None, None);
        Self { terminal, outlet, quiet, plays_nothing, json, report, run }
    }

    /// For a command that adds up what others have played.
    pub(super) fn adding_up(self, plays_nothing: bool) -> Self {
        Self { plays_nothing, ..self }
    }

    /// Prints JSON instead of a page, if that is asked for.
    pub(super) fn in_json(self, json: bool, command: &'static str) -> Result<Self, Failure> {
        if json && self.outlet.on_stdout {
            let remedy = "standard output takes the table or --json, not both";
            return Err(Failure::Usage(remedy.to_owned()));
        }
        Ok(Self { json: json.then_some(command), ..self })
    }

    /// Opens the file of an HTML report, so that a bad path fails at once; `inputs` are not written over.
    pub(super) fn reporting<'p>(
        mut self,
        report: &ReportFile,
        inputs: impl IntoIterator<Item = &'p Path>,
    ) -> Result<Self, Failure> {
        self.report = report.open(inputs)?;
        Ok(self)
    }

    /// Whether nothing but tables is wanted.
    pub(super) fn is_silent(&self) -> bool {
        self.quiet || self.outlet.on_stdout
    }

    /// Says which run the results are of.
    pub(super) fn identify(&mut self, asked: &Asked) -> Result<(), Failure> {
        let run = asked.run_id();
        self.outlet.identify(&run)?;
        self.run = Some(run);
        Ok(())
    }

    /// Progress towards so many battles.
    pub(super) fn progress(&self, battles: u64) -> Progress {
        Progress::new(self.terminal, self.is_silent() || self.plays_nothing, battles)
    }

    /// Fills and closes the tables, and only then prints a page: a reader who left costs no result. What the HTML report
    /// says goes beside the tables, and all of it to a file where one is asked for;
    /// not every command has one.
    pub(super) fn finish(
        mut self,
        provenance: &Provenance,
        page: impl FnOnce(Style) -> String,
        tables: impl IntoIterator<Item = Table>,
        report: Option<&mut dyn FnMut() -> Draft>,
    ) -> Result<Exit, Failure> {
        let id = self.run.take().unwrap_or_else(|| provenance.id.clone());
        let provenance = &Provenance { id, ..provenance.clone() };
        let (mut kept, mut names) = (Vec::new(), Vec::new());
        if self.outlet.takes_tables() || self.json.is_some() {
            for table in tables {
                self.outlet.write(&table)?;
                names.push(table.name.clone());
                kept.extend(self.json.map(|_| table));
            }
        }
        let is_wanted = self.outlet.folder.is_some() || self.report.is_some();
        let draft = report.filter(|_| is_wanted).map(|report| report());
        if let Some(draft) = &draft {
            self.outlet.note(notes_text(&draft.beside(&names)));
        }
        let silent = self.is_silent();
        let report = self.report.take().zip(draft);
        let written = self.outlet.finish(provenance)?;
        if let Some((target, draft)) = report {
            target.fill(provenance, draft, self.quiet || self.json.is_some())?;
        }
        if let Some(command) = self.json {
            let printed = print_results(command, provenance, &page(PAGE), &kept);
            announce(&written);
            printed?;
            return Ok(if provenance.partial { Exit::Interrupted } else { Exit::Success });
        }
        // What was written is told even where the page cannot be printed.
        let printed = if silent { Ok(()) } else { print(&page(self.terminal.style())) };
        if !self.quiet {
            announce(&written);
        }
        printed?;
        Ok(if provenance.partial { Exit::Interrupted } else { Exit::Success })
    }
}

/// The provenance of a run of `scenario`.
pub(super) fn provenance(scenario: &Scenario, seed: u64, asked: u64, played: u64) -> Provenance {
    let game = scenario.engine().game();
    let mut provenance = Provenance::new(game, &scenario.name, &scenario.fingerprint, seed, asked);
    provenance.choices = scenario.engine().layout().choices();
    provenance.battles_played = played;
    provenance.partial = played < asked;
    provenance
}

/// The names of tables as an outlet wants them.
pub(super) fn named<T: ToString>(tables: &[T]) -> Vec<String> {
    tables.iter().map(T::to_string).collect()
}
