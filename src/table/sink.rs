//! What every file format can do.

use std::io::{self, Write};

use super::{Provenance, Table, csv, json, markdown};
use crate::table::Format;

/// Takes a table chunk by chunk and holds on to as little of it as its format allows.
pub trait Sink: Send {
    /// Adds the rows of `chunk`. All chunks of a sink have the same columns, and come from the same `run`, which formats
    /// for programs add as a column.
    ///
    /// # Errors
    /// Whatever keeps the rows from being written.
    fn write(&mut self, chunk: &Table, run: Option<&str>) -> io::Result<()>;

    /// Writes what is left. Formats with a place for it keep the provenance; the others leave that to
    /// the folder.
    ///
    /// # Errors
    /// Whatever keeps the rest from being written.
    fn finish(self: Box<Self>, provenance: &Provenance) -> io::Result<()>;
}

/// Where a sink's bytes go.
pub(super) type Out = Box<dyn Write + Send>;

/// A sink that writes `format` to `out`; None when this build leaves the format out.
#[must_use]
pub fn sink(format: Format, out: Box<dyn Write + Send>) -> Option<Box<dyn Sink>> {
    match format {
        #[cfg(feature = "parquet")]
        Format::Parquet => Some(Box::new(super::parquet::Parquet::new(out))),
        #[cfg(not(feature = "parquet"))]
        Format::Parquet => None,
        Format::Csv => Some(Box::new(csv::Csv::new(out))),
        Format::Json => Some(Box::new(json::Json::new(out))),
        Format::Markdown => Some(Box::new(markdown::Markdown::new(out))),
    }
}

/// A number as text formats write it: the shortest digits that read back as the same number, and
/// nothing when it is not known.
pub(super) fn number_text(number: f64) -> String {
    if number.is_finite() { format!("{number:?}") } else { String::new() }
}
