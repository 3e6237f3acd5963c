//! Comma-separated values with a header line (RFC 4180, lines end in LF).

use std::io;

use super::sink::{Out, Sink, number_text};
use super::{Provenance, Table, Values};

/// Writes CSV.
pub(super) struct Csv {
    writer: csv::Writer<Out>,
    begun: bool,
}

impl Csv {
    pub(super) fn new(out: Out) -> Self {
        Self { writer: csv::Writer::from_writer(out), begun: false }
    }
}

impl Sink for Csv {
    fn write(&mut self, chunk: &Table) -> io::Result<()> {
        if !self.begun {
            self.writer.write_record(chunk.columns.iter().map(|column| column.name.as_ref()))?;
            self.begun = true;
        }
        for row in 0..chunk.rows() {
            for column in &chunk.columns {
                match &column.values {
                    Values::Text(values) => self.writer.write_field(&values[row])?,
                    Values::Count(values) => self.writer.write_field(values[row].to_string())?,
                    Values::Number(values) => self.writer.write_field(number_text(values[row]))?,
                }
            }
            self.writer.write_record(None::<&[u8]>)?;
        }
        Ok(())
    }

    fn finish(mut self: Box<Self>, _: &Provenance) -> io::Result<()> {
        self.writer.flush()
    }
}
