//! `evens trend`: what a history of nights says; and `--history` of `evens nightly`, which adds to one.

use std::path::{Path, PathBuf};

use clap::Args;

use super::clock::now;
use super::output::{Outlet, announce};
use super::printed::{PAGE, print_results};
use super::report::{Again, ReportFile};
use super::terminal::{Terminal, print};
use super::{Exit, Failure};
use crate::digest::fingerprint;
use crate::scenario::{Fault, Faults};
use crate::shell::argument;
use crate::studies::nightly::trend::{Played, Trend};
use crate::studies::nightly::{Comparison, HISTORY, Night, history};
use crate::table::{Destination, Format, Place, Provenance, ReadError, Results};

const EXAMPLES: &str = "\
Examples:
  evens nightly --history history --label \"$(git rev-parse --short HEAD)\"
  evens trend history                      nights and figures, first and last
  evens trend history --report trend.html  the same drawn, night by night";

#[derive(Args, Debug)]
#[command(after_help = EXAMPLES)]
pub(super) struct Arguments {
    /// A folder that `evens nightly --history` has added to
    history: PathBuf,
    #[command(flatten)]
    report: ReportFile,
    /// Print one JSON object instead of a page
    #[arg(long, help_heading = "What to print")]
    json: bool,
}

pub(super) fn run(arguments: &Arguments, terminal: &Terminal) -> Result<Exit, Failure> {
    let folder = &arguments.history;
    let report = arguments.report.open(&Outlet::nowhere())?;
    let (nights, nothing_compared) = nights(folder)?;
    let provenance = provenance(&nights);
    let trend = Trend::new(nights, nothing_compared);
    if let Some(report) = report {
        let command = Again::new("trend", &folder.display().to_string()).text();
        report.fill(&provenance, trend.report(command), arguments.json)?;
    }
    if arguments.json {
        print_results("trend", &provenance, &trend.page(PAGE), &[trend.table()], &[])?;
    } else {
        print(&trend.page(terminal.style()))?;
    }
    Ok(Exit::Success)
}

/// Every night of every scenario that a history holds, and the scenarios of which a night compared nothing.
fn nights(folder: &Path) -> Result<(Vec<Played>, Vec<String>), Faults> {
    let name = folder.display().to_string();
    let none_of = |why: &ReadError| match why {
        ReadError::Missing | ReadError::NoResults => {
            "name the folder that `evens nightly --history FOLDER` has added to".to_owned()
        }
        other => other.remedy(),
    };
    let none = |why: ReadError| {
        let remedy = none_of(&why);
        let message = match why {
            ReadError::Missing if folder.is_file() => {
                "it is a file, and a history of nights is a folder".to_owned()
            }
            why => why.to_string(),
        };
        Faults::one(name.clone(), Fault::new(message, remedy))
    };
    let (mut nights, mut nothing_compared) = (Vec::new(), Vec::new());
    let no_history = || {
        let message = "it holds the results of one command, and no history of nights";
        Faults::one(name.clone(), Fault::new(message, none_of(&ReadError::NoResults)))
    };
    let runs = Results::of_every_run(folder).map_err(|why| match why {
        ReadError::NoResults if Results::open(folder).is_ok() => no_history(),
        why => none(why),
    })?;
    let is_only_one = runs.len() == 1;
    for (run, results) in runs {
        let unread = |why| Faults::one(name.clone(), of_night(&run, &why, is_only_one));
        let results = results.map_err(unread)?;
        if let Some(table) = results.table(HISTORY).map_err(unread)? {
            match Played::of(results.provenance(), &table) {
                Some(night) => nights.push(night),
                None => nothing_compared.push(results.provenance().scenario.clone()),
            }
        }
    }
    if nights.is_empty() && nothing_compared.is_empty() {
        return Err(no_history());
    }
    Ok((nights, nothing_compared))
}

/// The fault of a night that cannot be read, by its file in `runs`. Nobody plays that night again.
fn of_night(run: &Path, why: &ReadError, is_only_one: bool) -> Fault {
    let file = run.display().to_string();
    let message = match why {
        ReadError::NoResults => format!("{file} is damaged"),
        why => format!("{file}: {why}"),
    };
    let remedy = match why {
        ReadError::Later(_) | ReadError::Format(_) => why.remedy(),
        _ if is_only_one => {
            "put it back from a copy, or begin a history in another folder".to_owned()
        }
        _ => format!(
            "put it back from a copy, or move {} away to leave that night out",
            argument(&file)
        ),
    };
    Fault::new(message, remedy)
}

/// The provenance of a trend: all of its nights together.
fn provenance(nights: &[Played]) -> Provenance {
    let runs = || nights.iter().map(|night| &night.run);
    let joined = |of: fn(&Provenance) -> &String| {
        let mut all: Vec<&str> = runs().map(|run| of(run).as_str()).collect();
        all.sort_unstable();
        all.dedup();
        match all.len() {
            ..=3 => all.join(", "),
            many => format!("{many} of them"),
        }
    };
    let mut ids: Vec<&str> = runs().map(|run| run.id.as_str()).collect();
    ids.sort_unstable();
    let battles = runs().map(|run| run.battles_played).sum();
    let (game, scenario) = (joined(|run| &run.game), joined(|run| &run.scenario));
    let mut provenance = Provenance::new(&game, &scenario, &fingerprint(ids), 0, battles);
    provenance.battles_played = battles;
    provenance.identified("trend", [])
}

/// A history that a night is to be added to.
pub(super) struct History {
    folder: PathBuf,
    night: Night,
}

impl History {
    /// Checks that the night can be added to a folder, so that a bad path fails before the night.
    pub(super) fn open<'s>(
        folder: &Path,
        label: Option<&str>,
        scenarios: impl IntoIterator<Item = &'s str>,
    ) -> Result<Self, Failure> {
        let folder = folder.to_owned();
        let time = humantime::format_rfc3339(now()?).to_string();
        let day = time.split('T').next().unwrap_or_default();
        let name = label.unwrap_or(day).to_owned();
        let history = Self { folder, night: Night { name, time } };
        let destination = history.destination()?;
        scenarios.into_iter().try_for_each(|scenario| destination.accepts(scenario))?;
        Ok(history)
    }

    fn destination(&self) -> Result<Destination, Failure> {
        let place = Place::Shared(self.folder.clone());
        Ok(Destination::open(&place, Format::OF_FILES, &[HISTORY])?)
    }

    /// Adds each scenario of the night in files of its own; all other files stay as they are.
    pub(super) fn add(&self, comparison: &Comparison, speeds: &[f64]) -> Result<(), Failure> {
        for (at, pair) in comparison.pairs.iter().enumerate() {
            let mut destination = self.destination()?;
            let rows = history(comparison, at, &self.night, speeds.get(at).copied());
            destination.write(&rows)?;
            let settings = [self.night.name.as_str(), pair.baseline.fingerprint.as_str()];
            let provenance = pair.new.clone().identified("nightly", settings);
            announce(&destination.finish(&provenance)?);
        }
        Ok(())
    }
}
