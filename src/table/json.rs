//! A JSON list with one object a row. Numbers that are not known are null.
//!
//! Counts are written as whole numbers with all their digits. Readers that keep numbers as 64-bit floats (JavaScript)
//! round those above 2^53; of our columns only seeds are ever that large, so they are text: hexadecimal, which no
//! reader turns into a number of its own accord. Lists are arrays.

use std::io::{self, Write};

use serde::ser::{Serialize, SerializeMap, Serializer};

use super::provenance::RUN;
use super::sink::{Out, Sink};
use super::values::seed_text;
use super::{Provenance, Table, Values};

/// Writes JSON.
pub(super) struct Json {
    out: Out,
    begun: bool,
}

impl Json {
    pub(super) fn new(out: Out) -> Self {
        Self { out, begun: false }
    }
}

impl Sink for Json {
    fn write(&mut self, chunk: &Table, run: Option<&str>) -> io::Result<()> {
        for row in 0..chunk.rows() {
            self.out.write_all(if self.begun { b",\n" } else { b"[\n" })?;
            self.begun = true;
            serde_json::to_writer(&mut self.out, &Row { table: chunk, row, run })?;
        }
        Ok(())
    }

    fn finish(mut self: Box<Self>, _: &Provenance) -> io::Result<()> {
        self.out.write_all(if self.begun { b"\n]\n" } else { b"[]\n" })?;
        self.out.flush()
    }
}

/// One row as an object whose keys keep the order of the columns.
struct Row<'a> {
    table: &'a Table,
    row: usize,
    run: Option<&'a str>,
}

impl Serialize for Row<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut map = serializer.serialize_map(None)?;
        for column in &self.table.columns {
            match &column.values {
                Values::Text(values) => map.serialize_entry(&column.name, &values[self.row])?,
                Values::Count(values) => map.serialize_entry(&column.name, &values[self.row])?,
                Values::Number(values) => map.serialize_entry(&column.name, &values[self.row])?,
                Values::Coded(values) => {
                    map.serialize_entry(&column.name, values.text(self.row))?
                }
                Values::TextList(values) => {
                    let items: Vec<&str> = values.items(self.row).collect();
                    map.serialize_entry(&column.name, &items)?;
                }
                Values::CountList(values) => {
                    map.serialize_entry(&column.name, values.items(self.row))?;
                }
                Values::Flag(values) => map.serialize_entry(&column.name, &values[self.row])?,
                Values::Seed(values) => {
                    map.serialize_entry(&column.name, &seed_text(values[self.row]))?;
                }
            }
        }
        if let Some(run) = self.run {
            map.serialize_entry(RUN.name, run)?;
        }
        map.end()
    }
}

/// Whole tables, each as a list of objects under its name.
#[cfg(feature = "cli")]
pub(crate) struct Tables<'t>(pub &'t [Table]);

#[cfg(feature = "cli")]
impl Serialize for Tables<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_map(self.0.iter().map(|table| (table.name.as_str(), Rows(table))))
    }
}

#[cfg(feature = "cli")]
struct Rows<'t>(&'t Table);

#[cfg(feature = "cli")]
impl Serialize for Rows<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let table = self.0;
        serializer.collect_seq((0..table.rows()).map(|row| Row { table, row, run: None }))
    }
}
