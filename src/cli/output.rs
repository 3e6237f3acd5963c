//! Where a command writes its tables.

use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::AtomicBool;

use miette::Diagnostic as _;

use super::reading::may_write_to;
use super::terminal::{StandardOutput, say};
use super::{Failure, flags};
use crate::report::figures::counted;
use crate::scenario::{Checker, Output, Spot};
use crate::table::{Destination, Format, OutputError, Place, Provenance, Table, Written};

/// Where a command writes its tables, if anywhere.
pub(super) struct Outlet {
    destination: Option<Destination>,
    /// The folder that tables go to; None when they go nowhere, or to standard output.
    pub folder: Option<PathBuf>,
    /// What names that folder, for messages.
    named_by: String,
    /// Whether other runs write there too.
    pub is_shared: bool,
    /// Whether standard output takes a table, and so nothing else.
    pub on_stdout: bool,
}

impl Outlet {
    /// Opens the place that the command line names, or else the scenario.
    pub(super) fn open(
        flags: &flags::Output,
        scenario: &Output,
        tables: &[String],
    ) -> Result<Self, Failure> {
        let place = match (&flags.output, &scenario.folder) {
            (Some(place), _) => Some(Place::of(place)),
            (None, Some(folder)) => match refused(folder) {
                Some((why, remedy)) => return Err(Failure::Usage(format!("{why}: {remedy}"))),
                None => Some(Place::of(folder.as_ref())),
            },
            (None, None) if flags.format.is_some() => {
                let remedy = "--format needs -o FOLDER, or `-o -` for standard output";
                return Err(Failure::Usage(remedy.to_owned()));
            }
            (None, None) => None,
        };
        let place = match place {
            Some(Place::Folder(folder)) if flags.partition => Some(Place::Shared(folder)),
            None | Some(Place::Stdout) if flags.partition => {
                let remedy = "--partition needs the folder that runs share: -o FOLDER";
                return Err(Failure::Usage(remedy.to_owned()));
            }
            place => place,
        };
        let on_stdout = place == Some(Place::Stdout);
        let folder = match &place {
            Some(Place::Folder(folder) | Place::Shared(folder)) => Some(folder.clone()),
            Some(Place::Stdout) | None => None,
        };
        let named_by = match &flags.output {
            Some(place) => format!("`-o {}`", Path::new(place).display()),
            None => "the scenario's `output.folder`".to_owned(),
        };
        let is_shared = matches!(place, Some(Place::Shared(_)));
        if on_stdout && tables.len() != 1 {
            let remedy = "standard output takes one table: name it with --table, where the command has that, or write to a folder";
            return Err(Failure::Usage(remedy.to_owned()));
        }
        let usual = if on_stdout { Format::Csv } else { Format::OF_FILES };
        let format = flags.format.or(scenario.format).unwrap_or(usual);
        let tables: Vec<&str> = tables.iter().map(String::as_str).collect();
        let destination = match (&place, &tables[..]) {
            (None, _) => None,
            (Some(Place::Stdout), [table]) => Some(Destination::on(StandardOutput, format, table)?),
            (Some(place), _) => Some(Destination::open(place, format, &tables)?),
        };
        let replace = flags.replace_complete;
        let destination = destination.map(|destination| destination.replacing_complete(replace));
        Ok(Self { destination, folder, named_by, is_shared, on_stdout })
    }

    /// An outlet of a command that writes no tables.
    pub(super) fn nowhere() -> Self {
        Self {
            destination: None,
            folder: None,
            named_by: String::new(),
            is_shared: false,
            on_stdout: false,
        }
    }

    /// The folder that tables go to where no other run writes there: nobody could tell whose checkpoint is in another.
    pub(super) fn own_folder(&self) -> Option<&Path> {
        self.folder.as_deref().filter(|_| !self.is_shared)
    }

    /// Refuses files of other outputs that would be in the place of a table, or of the folder of all tables. Each comes with
    /// its flag.
    pub(super) fn spare<'p>(
        &self,
        files: impl IntoIterator<Item = (&'static str, &'p Path)>,
    ) -> Result<(), OutputError> {
        let Some(destination) = &self.destination else { return Ok(()) };
        for (option, file) in files {
            let path = file.to_owned();
            if destination.is_folder(file) {
                let folder = self.named_by.clone();
                return Err(OutputError::OfFolder { option, path, folder });
            }
            if destination.may_take(file) {
                return Err(OutputError::OfTables(path));
            }
        }
        Ok(())
    }

    /// Checks that tables of a scenario can be written there.
    pub(super) fn accepts(&self, scenario: &str) -> Result<(), OutputError> {
        self.destination.as_ref().map_or(Ok(()), |destination| destination.accepts(scenario))
    }

    /// Whether tables go anywhere: making them costs something.
    pub(super) fn takes_tables(&self) -> bool {
        self.destination.is_some()
    }

    /// Is true from when nobody reads standard output any more, if the tables go there.
    pub(super) fn abandoned(&self) -> Arc<AtomicBool> {
        self.destination.as_ref().map(Destination::abandoned).unwrap_or_default()
    }

    /// Sets the identity of the run that the tables belong to, if there are any.
    pub(super) fn identify(&mut self, run: &str) -> Result<(), OutputError> {
        self.destination.as_mut().map_or(Ok(()), |destination| destination.identify(run))
    }

    /// Writes rows of a table, if that is asked for.
    pub(super) fn write(&mut self, rows: &Table) -> Result<(), OutputError> {
        self.destination.as_mut().map_or(Ok(()), |destination| destination.write(rows))
    }

    /// Sets the report's notes (what a report says that no table holds), if tables go to a folder.
    pub(super) fn note(&mut self, notes: String) {
        if let Some(destination) = &mut self.destination {
            destination.note(notes);
        }
    }

    /// Moves everything into its place.
    pub(super) fn finish(self, provenance: &Provenance) -> Result<Vec<Written>, OutputError> {
        self.destination.map_or(Ok(Vec::new()), |destination| destination.finish(provenance))
    }
}

/// The fault of a folder that a scenario must not name for its results, and what to do about it; None for any other.
fn refused(folder: &str) -> Option<(String, &'static str)> {
    let what = "the scenario's `output.folder`";
    if folder.is_empty() {
        return Some((format!("{what} has no name"), "name a folder, or `.` for this one"));
    }
    let leads_out = format!("{what} ({folder}) leads out of this folder");
    (!may_write_to(folder)).then_some((leads_out, "say where with -o, or --allow-outside"))
}

/// Reports what is wrong with a scenario's own output, which commands refuse unless the command line says something
/// else.
pub(super) fn check(output: &Output, checker: &mut Checker<'_>) {
    let spot = |key| Spot::top().key("output").key(key);
    let folder = output.folder.as_ref();
    if let Some((why, remedy)) = folder.and_then(|folder| refused(folder)) {
        checker.fault(&spot("folder"), why, remedy);
    }
    if let Some(format) = output.format.filter(|format| !format.can_be_written()) {
        let error = OutputError::Format(format);
        let remedy = error.help().map(|help| help.to_string()).unwrap_or_default();
        let spot = spot("format");
        // Without a folder nothing is written unless the command line says so.
        match folder {
            Some(_) => checker.fault(&spot, error.to_string(), remedy),
            None => checker.warn(&spot, error.to_string(), remedy),
        }
    }
}

/// Announces the files that were written.
pub(super) fn announce(written: &[Written]) {
    for file in written {
        if let Some(path) = &file.path {
            let rows = counted(file.rows, "row");
            say(&format!("wrote {} ({rows})\n", path.display()));
        }
    }
    if written.iter().any(|file| file.aside) {
        say(
            "these are partial; the complete results beside them were kept (--replace-complete replaces them)\n",
        );
    }
}
