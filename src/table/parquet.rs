//! Apache Parquet through polars, the only file that knows of polars.
//!
//! Rows are gathered into row groups of a fixed size, so that the bytes of a file depend on its rows and
//! not on the chunks they came in, and memory on neither. The provenance is only known at the end; it is
//! written into the footer under the key `evens`, as JSON.

use std::fs::File;
use std::io;
use std::path::Path;

use polars::prelude::{
    BatchedWriter, Column, DataFrame, IntoColumn, KeyValueMetadata, NamedFrom, ParquetCompression,
    ParquetMetadataContext, ParquetReader, ParquetWriter, PolarsError, SerReader, Series,
};

use super::provenance::ColumnKind;
use super::sink::{Out, Sink};
use super::{Provenance, Table, Values, provenance};

/// How many rows a row group has.
const GROUP: usize = 1 << 16;

/// Writes Parquet.
pub(super) struct Parquet {
    stage: Stage,
    /// The rows of the row group in the making.
    pending: Table,
}

enum Stage {
    /// Nothing was written: the columns are not known yet.
    Fresh(Out),
    Writing(Box<BatchedWriter<Out>>),
    /// Opening the writer failed.
    Broken,
}

impl Parquet {
    pub(super) fn new(out: Out) -> Self {
        Self { stage: Stage::Fresh(out), pending: Table::default() }
    }

    /// Writes the first `rows` pending rows as one row group. Without rows it only fixes the columns.
    fn flush(&mut self, rows: usize) -> io::Result<()> {
        let columns = self.pending.columns.iter_mut();
        let columns =
            columns.map(|column| drained(&column.name, &mut column.values, rows)).collect();
        let frame = DataFrame::new(rows, columns).map_err(fault)?;
        match std::mem::replace(&mut self.stage, Stage::Broken) {
            Stage::Fresh(out) => {
                let writer = ParquetWriter::new(out)
                    .with_compression(ParquetCompression::Zstd(None))
                    .batched(frame.schema())
                    .map_err(fault)?;
                self.stage = Stage::Writing(Box::new(writer));
            }
            stage => self.stage = stage,
        }
        let Stage::Writing(writer) = &mut self.stage else {
            return Err(io::Error::other("the file could not be begun"));
        };
        writer.write_batch(&frame).map_err(fault)
    }
}

impl Sink for Parquet {
    fn write(&mut self, chunk: &Table) -> io::Result<()> {
        if self.pending.columns.is_empty() {
            self.pending = chunk.clone();
        } else {
            for (mine, more) in self.pending.columns.iter_mut().zip(&chunk.columns) {
                append(&mut mine.values, &more.values);
            }
        }
        while self.pending.rows() >= GROUP {
            self.flush(GROUP)?;
        }
        Ok(())
    }

    fn finish(mut self: Box<Self>, provenance: &Provenance) -> io::Result<()> {
        let metadata = provenance::file_metadata(provenance, &self.pending)?;
        self.flush(self.pending.rows())?;
        let Stage::Writing(writer) = self.stage else {
            return Err(io::Error::other("the file could not be begun"));
        };
        let pairs = KeyValueMetadata::from_static(vec![("evens".to_owned(), metadata)]);
        let pairs = pairs.collect(ParquetMetadataContext { arrow_schema: "" }).map_err(fault)?;
        let mut file = writer.get_writer().lock().expect("no other thread writes");
        file.end(Some(pairs)).map_err(fault)?;
        Ok(())
    }
}

/// The columns of a file that [`Parquet`] wrote, in the order that they are asked for.
pub(super) fn read_parquet(
    path: &Path,
    columns: &[(super::Column, ColumnKind)],
) -> io::Result<Vec<Values>> {
    let names = columns.iter().map(|(column, _)| column.name.to_string()).collect();
    let frame = ParquetReader::new(File::open(path)?).with_columns(Some(names)).finish();
    let frame = frame.map_err(fault)?;
    let values = |(column, kind): &(super::Column, ColumnKind)| -> Result<Values, PolarsError> {
        let series = frame.column(&column.name)?.as_materialized_series();
        Ok(match kind {
            ColumnKind::Text => {
                let all = series.str()?.iter();
                Values::Text(all.map(|text| text.unwrap_or_default().to_owned()).collect())
            }
            ColumnKind::Count => {
                Values::Count(series.u64()?.iter().map(Option::unwrap_or_default).collect())
            }
            ColumnKind::Number => {
                let known = |number: Option<f64>| number.unwrap_or(f64::NAN);
                Values::Number(series.f64()?.iter().map(known).collect())
            }
        })
    };
    columns.iter().map(values).collect::<Result<_, _>>().map_err(fault)
}

/// The first `rows` values of a column as polars has them, taken out of ours.
fn drained(name: &str, values: &mut Values, rows: usize) -> Column {
    let series = match values {
        Values::Text(values) => {
            Series::new(name.into(), values.drain(..rows).collect::<Vec<String>>())
        }
        Values::Count(values) => {
            Series::new(name.into(), values.drain(..rows).collect::<Vec<u64>>())
        }
        Values::Number(values) => {
            let known = |number: f64| number.is_finite().then_some(number);
            Series::new(name.into(), values.drain(..rows).map(known).collect::<Vec<Option<f64>>>())
        }
    };
    series.into_column()
}

fn append(to: &mut Values, from: &Values) {
    match (to, from) {
        (Values::Text(to), Values::Text(from)) => to.extend_from_slice(from),
        (Values::Count(to), Values::Count(from)) => to.extend_from_slice(from),
        (Values::Number(to), Values::Number(from)) => to.extend_from_slice(from),
        _ => panic!("all chunks of a table have the same columns"),
    }
}

fn fault(fault: PolarsError) -> io::Error {
    io::Error::other(fault)
}

#[cfg(test)]
mod tests {
    use std::io::Cursor;

    use polars::prelude::{AnyValue, ParquetReader, SerReader};

    use super::*;
    use crate::table::Format;
    use crate::table::tests::{awkward, provenance, written};

    #[test]
    fn values_read_back() {
        let bytes = written(Format::Parquet, &awkward());
        let frame = ParquetReader::new(Cursor::new(bytes)).finish().expect("Parquet");
        assert_eq!(frame.get_column_names(), ["name", "count", "number"]);
        assert_eq!(frame.height(), 4);
        let cell = |column: &str, row| {
            frame
                .column(column)
                .and_then(|c| c.get(row).map(AnyValue::into_static))
                .expect("a cell")
        };
        assert_eq!(cell("name", 1), AnyValue::StringOwned("a, \"b\" | c\\d".into()));
        assert_eq!(cell("count", 1), AnyValue::UInt64(u64::MAX));
        assert_eq!(cell("number", 0), AnyValue::Float64(0.1 + 0.2));
        assert_eq!(cell("number", 1), AnyValue::Null);
        assert_eq!(cell("number", 3), AnyValue::Float64(-1e-7));
    }

    #[test]
    fn the_footer_says_where_the_rows_come_from() {
        let bytes = written(Format::Parquet, &awkward());
        let mut reader = ParquetReader::new(Cursor::new(bytes));
        let metadata = reader.get_metadata().expect("a footer").clone();
        let pairs = metadata.key_value_metadata().clone().expect("metadata");
        let ours = pairs.iter().find(|pair| pair.key == "evens").expect("our key");
        let value: serde_json::Value =
            serde_json::from_str(ours.value.as_deref().expect("a value")).expect("JSON");
        let run: Provenance = serde_json::from_value(value["run"].clone()).expect("a provenance");
        assert_eq!(run, provenance());
        assert_eq!(value["table"], "awkward");
        assert_eq!(value["columns"][1]["meaning"], "a count");
    }

    #[test]
    fn rows_are_cut_into_groups_of_one_size() {
        let rows = GROUP + 10;
        let chunk = Table {
            name: "long".to_owned(),
            columns: vec![crate::table::Column::count("n", "a number", (0..rows as u64).collect())],
        };
        let bytes = written(Format::Parquet, &[chunk]);
        let mut reader = ParquetReader::new(Cursor::new(bytes));
        let metadata = reader.get_metadata().expect("a footer").clone();
        let sizes: Vec<usize> = metadata.row_groups.iter().map(|group| group.num_rows()).collect();
        assert_eq!(sizes, [GROUP, 10]);
    }

    #[test]
    fn a_table_without_rows_keeps_its_columns() {
        let [mut empty, _] = awkward();
        for column in &mut empty.columns {
            column.values = match column.values {
                Values::Text(_) => Values::Text(Vec::new()),
                Values::Count(_) => Values::Count(Vec::new()),
                Values::Number(_) => Values::Number(Vec::new()),
            };
        }
        let bytes = written(Format::Parquet, &[empty]);
        let frame = ParquetReader::new(Cursor::new(bytes)).finish().expect("Parquet");
        assert_eq!(frame.shape(), (0, 3));
    }
}
