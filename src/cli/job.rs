//! A command at work on a scenario: where it writes, how far it is.

use super::interruption::watch_for_interruption;
use super::output::{Outlet, announce};
use super::printed::{PAGE, print_results};
use super::progress::Progress;
use super::report::{ReportFile, ReportTarget, notes_text};
use super::terminal::{Terminal, print};
use super::{Exit, Failure, flags};
use crate::engine::Scenario;
use crate::partial::Asked;
use crate::report::Style;
use crate::report::figures::counted;
use crate::report::html::Draft;
use crate::scenario::{Fault, Faults, Output};
use crate::table::{Provenance, Table, Written};
use crate::tally::Forfeits;

/// A command at work. Its tables are opened before the first battle, so that a bad path fails at once.
pub(super) struct Job<'t> {
    pub terminal: &'t Terminal,
    pub outlet: Outlet,
    quiet: bool,
    /// Whether nothing is played, so that there is no speed to show.
    plays_nothing: bool,
    /// Name of the command, if it is to print JSON instead of a page.
    json: Option<&'static str>,
    /// Where an HTML report goes, if anywhere.
    report: Option<ReportTarget>,
    /// The run's identity, once it is known.
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

    /// A job of a command that writes no tables.
    pub(super) fn without_tables(terminal: &'t Terminal, quiet: bool) -> Self {
        watch_for_interruption();
        let outlet = Outlet::nowhere();
        let (plays_nothing, json, report, run) = (false, None, None, None);
        Self { terminal, outlet, quiet, plays_nothing, json, report, run }
    }

    /// This job, for a command that adds up what others have played, if `plays_nothing`.
    pub(super) fn adding_up(self, plays_nothing: bool) -> Self {
        Self { plays_nothing, ..self }
    }

    /// Makes the job print JSON instead of a page, if that is asked for.
    pub(super) fn in_json(self, json: bool, command: &'static str) -> Result<Self, Failure> {
        if json && self.outlet.on_stdout {
            let remedy = "standard output takes the table or --json, not both";
            return Err(Failure::Usage(remedy.to_owned()));
        }
        Ok(Self { json: json.then_some(command), ..self })
    }

    /// Opens the file of an HTML report, so that a bad path fails at once.
    pub(super) fn reporting(mut self, report: &ReportFile) -> Result<Self, Failure> {
        self.report = report.open(&self.outlet)?;
        Ok(self)
    }

    /// Whether nothing but tables is wanted.
    pub(super) fn is_silent(&self) -> bool {
        self.quiet || self.outlet.on_stdout
    }

    /// Sets the identity of the run that the results belong to.
    pub(super) fn identify(&mut self, asked: &Asked) -> Result<(), Failure> {
        self.outlet.accepts(&asked.scenario)?;
        let run = asked.run_id();
        self.outlet.identify(&run)?;
        self.run = Some(run);
        Ok(())
    }

    /// Progress towards so many battles.
    pub(super) fn progress(&self, battles: u64) -> Progress {
        Progress::new(self.terminal, self.is_silent() || self.plays_nothing, battles)
    }

    /// Fills and closes the tables, and only then prints a page, so that no result is lost when the reader has left.
    /// The notes of the HTML report go beside the tables, and the whole report goes to a file if one is asked for; not
    /// every command has a report.
    pub(super) fn finish(
        self,
        provenance: &Provenance,
        page: impl FnOnce(Style) -> String,
        tables: impl IntoIterator<Item = Table>,
        report: Option<&mut dyn FnMut() -> Draft>,
    ) -> Result<Exit, Failure> {
        self.close(provenance, Box::new(page), &mut tables.into_iter(), report)
    }

    fn close(
        mut self,
        provenance: &Provenance,
        page: Box<dyn FnOnce(Style) -> String + '_>,
        tables: &mut dyn Iterator<Item = Table>,
        report: Option<&mut dyn FnMut() -> Draft>,
    ) -> Result<Exit, Failure> {
        let id = self.run.take().unwrap_or_else(|| provenance.id.clone());
        let provenance = &Provenance { id, ..provenance.clone() };
        let (silent, style) = (self.is_silent(), self.terminal.style());
        let is_kept = self.json.is_some();
        let is_told = !self.quiet && !is_kept;
        let is_wanted = self.outlet.folder.is_some() || self.report.is_some();
        let report = report.filter(|_| is_wanted);
        let written =
            write(self.outlet, self.report, (tables, is_kept), provenance, report, is_told);
        let (written, kept) = match written {
            Ok(written) => written,
            // The results are printed even when they cannot be written.
            Err(failure) => {
                if !silent && !is_kept {
                    // Why they cannot be written matters more than that nobody reads the page.
                    print(&page(style)).ok();
                }
                return Err(failure);
            }
        };
        if let Some(command) = self.json {
            let printed = print_results(command, provenance, &page(PAGE), &kept, &[]);
            announce(&written);
            printed?;
            return Ok(if provenance.partial { Exit::Interrupted } else { Exit::Success });
        }
        // The written files are announced even when the page cannot be printed.
        let printed = if silent { Ok(()) } else { print(&page(style)) };
        if !self.quiet {
            announce(&written);
        }
        printed?;
        Ok(if provenance.partial { Exit::Interrupted } else { Exit::Success })
    }
}

/// Fills and closes the tables, the notes beside them and the report. Returns the files of the tables and, if
/// `is_kept`, the tables themselves.
fn write(
    mut outlet: Outlet,
    target: Option<ReportTarget>,
    (tables, is_kept): (&mut dyn Iterator<Item = Table>, bool),
    provenance: &Provenance,
    report: Option<&mut dyn FnMut() -> Draft>,
    is_told: bool,
) -> Result<(Vec<Written>, Vec<Table>), Failure> {
    let (mut kept, mut names) = (Vec::new(), Vec::new());
    if outlet.takes_tables() || is_kept {
        for table in tables {
            outlet.write(&table)?;
            names.push(table.name.clone());
            kept.extend(is_kept.then_some(table));
        }
    }
    let draft = report.map(|report| report());
    if let Some(draft) = &draft {
        outlet.note(notes_text(&draft.beside(&names)));
    }
    let written = outlet.finish(provenance)?;
    if let Some((target, draft)) = target.zip(draft)
        && let Err(failure) = target.fill(provenance, draft, !is_told)
    {
        // The tables were written all the same.
        announce(&written);
        return Err(failure);
    }
    Ok((written, kept))
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

/// Refuses to answer from battles that were all forfeited: whatever is asked, nobody fought.
pub(super) fn refuse_if_nobody_fought(scenario: &str, forfeits: &Forfeits) -> Result<(), Faults> {
    if !forfeits.are_all() {
        return Ok(());
    }
    let message = match forfeits.battles {
        1 => "the one battle that was played was forfeited, because a team may not be brought"
            .to_owned(),
        battles => format!(
            "all of {} that were played were forfeited, because a team may not be brought",
            counted(battles, "battle")
        ),
    };
    let remedy =
        "let the teams be brought: change them, the mana caps, or the rulesets that can be drawn";
    Err(Faults::one(scenario, Fault::new(message, remedy)))
}

/// The names of tables as an outlet wants them.
pub(super) fn named<T: ToString>(tables: &[T]) -> Vec<String> {
    tables.iter().map(T::to_string).collect()
}
