//! Where a command writes its tables.

use std::str::FromStr;

use super::Failure;
use crate::scenario::{Output, TableName};
use crate::table::Format;
use crate::table::{Destination, OutputError, Place, Provenance, Table};

/// Where a command writes its tables, if anywhere.
pub(super) struct Outlet {
    destination: Option<Destination>,
    /// Whether standard output takes a table, and so nothing else.
    pub on_stdout: bool,
}

impl Outlet {
    /// Opens what the command line says, or else the scenario.
    pub(super) fn open(
        output: Option<&str>,
        format: Option<Format>,
        scenario: &Output,
        tables: &[TableName],
    ) -> Result<Self, Failure> {
        let place = match output.or(scenario.folder.as_deref()) {
            Some(place) => Some(Place::from_str(place).expect("any text is a place")),
            None if format.is_some() => {
                let remedy = "--format needs -o FOLDER, or `-o -` for standard output";
                return Err(Failure::Usage(remedy.to_owned()));
            }
            None => None,
        };
        let on_stdout = place == Some(Place::Stdout);
        if on_stdout && tables.len() != 1 {
            let remedy = "standard output takes one table: name it with --table";
            return Err(Failure::Usage(remedy.to_owned()));
        }
        let usual = if on_stdout { Format::Csv } else { Format::Parquet };
        let format = format.or(scenario.format).unwrap_or(usual);
        let destination =
            place.map(|place| Destination::open(&place, format, tables)).transpose()?;
        Ok(Self { destination, on_stdout })
    }

    /// Writes rows of a table, if that is asked for.
    pub(super) fn write(&mut self, rows: &Table) -> Result<(), OutputError> {
        self.destination.as_mut().map_or(Ok(()), |destination| destination.write(rows))
    }

    /// Moves everything into its place, and says where unless that would disturb.
    pub(super) fn finish(self, provenance: &Provenance, quiet: bool) -> Result<(), OutputError> {
        let Some(destination) = self.destination else { return Ok(()) };
        let written = destination.finish(provenance)?;
        if !quiet && !self.on_stdout {
            for file in written {
                if let Some(path) = file.path {
                    eprintln!("wrote {} ({} rows)", path.display(), file.rows);
                }
            }
        }
        Ok(())
    }
}
