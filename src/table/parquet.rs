//! Apache Parquet through the writer of polars, which no file but this one and [`pages`] knows of.
//!
//! Rows are gathered into row groups of a fixed size, so that the bytes of a file depend on its rows and not on the
//! chunks they came in, and memory on neither. Text that is kept as codes is written as codes: nothing is hashed,
//! compared or copied. Every column chunk states its minimum and maximum, and `ARROW:schema` the meaning of every
//! column (`description`). The provenance is only known at the end; it is written into the footer under the key
//! `evens`, as JSON.

mod pages;

use std::fs;
use std::io::{self, Cursor, Write};
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicI32, Ordering};

use polars_arrow::array::{Array, BooleanArray, ListArray, PrimitiveArray, Utf8ViewArray};
use polars_arrow::bitmap::Bitmap;
use polars_arrow::datatypes::{ArrowDataType, ArrowSchema, Field};
use polars_arrow::offset::{Offsets, OffsetsBuffer};
use polars_arrow::types::NativeType;
use polars_parquet::read::{
    BasicDecompressor, column_iter_to_arrays, get_page_iterator, infer_schema, read_metadata,
};
use polars_parquet::write::{
    CompressedPage, CompressionOptions, DynIter, DynStreamingIterator, Encoding, FileWriter,
    KeyValue, Page, ParquetType, StatisticsOptions, Version, WriteOptions, ZstdLevel,
    array_to_columns, compress, fallible_streaming_iterator, schema_to_metadata_key,
};

use super::provenance::RUN;
use super::sink::{Out, Sink};
use super::{ColumnKind, CountLists, Provenance, Table, TextLists, Values, Words, provenance};
use crate::parallel;

/// How many rows a row group has.
const GROUP: usize = 1 << 16;
/// Level of compression. Codes of text are as short already as a higher level makes them.
const LEVEL: i32 = 1;
/// Metadata key of a column's meaning, as pyarrow and others use it.
const DESCRIPTION: &str = "description";

/// Writes Parquet.
pub(super) struct Parquet {
    stage: Stage,
    /// Rows of the row group that is being filled.
    pending: Table,
    run: Option<String>,
    options: WriteOptions,
    /// The system's error code of the last write that failed; 0 when none has.
    failure: Arc<AtomicI32>,
}

/// A file that remembers why it could not be written: the writer of polars passes system errors on while rows are
/// written, but not at the end.
struct Remembering {
    out: Out,
    failure: Arc<AtomicI32>,
}

enum Stage {
    /// Nothing was written: the columns are not known yet.
    Fresh(Remembering),
    Writing(Box<FileWriter<Remembering>>),
    /// Opening the writer failed.
    Broken,
}

impl Parquet {
    pub(super) fn new(out: Out) -> Self {
        let level = ZstdLevel::try_new(LEVEL).expect("it is one of the levels");
        let options = WriteOptions {
            statistics: StatisticsOptions::default(),
            version: Version::V1,
            compression: CompressionOptions::Zstd(Some(level)),
            data_page_size: None,
        };
        let failure = Arc::new(AtomicI32::new(0));
        let out = Remembering { out, failure: failure.clone() };
        Self { stage: Stage::Fresh(out), pending: Table::default(), run: None, options, failure }
    }

    /// Writes the pending rows as one row group. Without rows it only fixes the columns.
    fn flush(&mut self) -> io::Result<()> {
        let rows = self.pending.rows();
        let (options, failure) = (self.options, self.failure.clone());
        let unwritten = |error| why(&failure, error);
        let writer = match std::mem::replace(&mut self.stage, Stage::Broken) {
            Stage::Fresh(out) => {
                let schema = schema(&self.pending, self.run.is_some());
                Box::new(FileWriter::try_new(out, schema, options).map_err(unwritten)?)
            }
            Stage::Writing(writer) => writer,
            Stage::Broken => return Err(io::Error::other("the file could not be begun")),
        };
        let Stage::Writing(writer) = self.stage.insert(writer) else {
            return Err(io::Error::other("the file could not be begun"));
        };
        if rows == 0 {
            return Ok(());
        }
        let mut columns: Vec<Option<&Values>> = Vec::new();
        columns.extend(self.pending.columns.iter().map(|column| Some(&column.values)));
        columns.extend(self.run.iter().map(|_| None));
        let (types, run) = (writer.parquet_schema().fields().to_vec(), self.run.as_deref());
        let encoded = parallel::map_all(columns.into_iter().zip(types), |(values, of)| {
            let pages = match values {
                Some(values) => pages_of(values, of, options),
                None => pages::same_text(run.unwrap_or_default(), rows, &of, options),
            };
            let compressed = |page| compress(page, Vec::new(), options.compression).map_err(fault);
            pages?.into_iter().map(compressed).collect::<io::Result<Vec<CompressedPage>>>()
        });
        let columns = encoded.into_iter().collect::<io::Result<Vec<Vec<CompressedPage>>>>()?;
        let columns = columns.iter().map(|pages| {
            Ok(DynStreamingIterator::new(fallible_streaming_iterator::convert(
                pages.iter().map(Ok),
            )))
        });
        writer.write(rows as u64, DynIter::new(columns)).map_err(unwritten)?;
        self.pending.columns.iter_mut().for_each(|column| column.values.clear());
        Ok(())
    }
}

impl Remembering {
    fn noted<T>(&self, written: io::Result<T>) -> io::Result<T> {
        written.inspect_err(|error| {
            if let Some(code) = error.raw_os_error() {
                self.failure.store(code, Ordering::Relaxed);
            }
        })
    }
}

impl Write for Remembering {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        let written = self.out.write(bytes);
        self.noted(written)
    }

    fn flush(&mut self) -> io::Result<()> {
        let flushed = self.out.flush();
        self.noted(flushed)
    }
}

impl Stage {
    /// Becomes the stage with this writer, and returns it.
    fn insert(&mut self, writer: Box<FileWriter<Remembering>>) -> &mut Self {
        *self = Stage::Writing(writer);
        self
    }
}

impl Sink for Parquet {
    fn write(&mut self, chunk: &Table, run: Option<&str>) -> io::Result<()> {
        if self.pending.columns.is_empty() {
            self.pending = chunk.of_rows(&[]);
            self.run = run.map(str::to_owned);
        }
        let mut rows = 0..chunk.rows();
        while !rows.is_empty() {
            let fit = (rows.start + GROUP - self.pending.rows()).min(rows.end);
            for (mine, more) in self.pending.columns.iter_mut().zip(&chunk.columns) {
                mine.values.append(&more.values, rows.start..fit);
            }
            rows.start = fit;
            if self.pending.rows() == GROUP {
                self.flush()?;
            }
        }
        Ok(())
    }

    fn finish(mut self: Box<Self>, provenance: &Provenance) -> io::Result<()> {
        let metadata = provenance::file_metadata(provenance, &self.pending)?;
        self.flush()?;
        let Stage::Writing(mut writer) = self.stage else {
            return Err(io::Error::other("the file could not be begun"));
        };
        let ours = KeyValue { key: "evens".to_owned(), value: Some(metadata) };
        let arrow = schema_to_metadata_key(writer.schema());
        writer.end(Some(vec![arrow, ours])).map_err(|error| why(&self.failure, error))?;
        Ok(())
    }
}

/// The Arrow schema of a table's columns. Text and lists are of the plainest type, which every reader knows.
fn schema(table: &Table, with_run: bool) -> ArrowSchema {
    let described = |name: &str, kind: ColumnKind, meaning: &str| {
        let metadata = [(DESCRIPTION.into(), meaning.into())].into_iter().collect();
        Field::new(name.into(), data_type(kind), true).with_metadata(metadata)
    };
    let columns = table
        .columns
        .iter()
        .map(|column| described(&column.name, column.values.kind(), &column.meaning));
    let run = with_run.then(|| described(RUN.name, ColumnKind::Text, RUN.meaning));
    columns.chain(run).map(|field| (field.name.clone(), field)).collect()
}

fn data_type(kind: ColumnKind) -> ArrowDataType {
    match kind {
        ColumnKind::Text => ArrowDataType::Utf8,
        ColumnKind::Count | ColumnKind::Seed => ArrowDataType::UInt64,
        ColumnKind::Number => ArrowDataType::Float64,
        ColumnKind::Flag => ArrowDataType::Boolean,
        ColumnKind::TextList => list_of(ArrowDataType::Utf8),
        ColumnKind::CountList => list_of(ArrowDataType::UInt32),
    }
}

fn list_of(items: ArrowDataType) -> ArrowDataType {
    ArrowDataType::List(Box::new(Field::new("element".into(), items, true)))
}

/// The pages of a column chunk.
fn pages_of(values: &Values, of: ParquetType, options: WriteOptions) -> io::Result<Vec<Page>> {
    if let Some(pages) = pages::pages(values, &of, options) {
        return pages;
    }
    let (array, encoding) = array_of(values.clone());
    let pages = array_to_columns(array, of, options, &[encoding]).map_err(fault)?;
    pages.into_iter().flatten().map(|page| page.map_err(fault)).collect()
}

/// The values of a column as an array of polars, and the encoding to write them in.
fn array_of(values: Values) -> (Box<dyn Array>, Encoding) {
    match values {
        Values::Text(values) => {
            (Box::new(Utf8ViewArray::from_slice_values(values)), Encoding::RleDictionary)
        }
        // Consecutive numbers, such as those of battles.
        Values::Count(values)
            if values.windows(2).all(|pair| pair[1].wrapping_sub(pair[0]) == 1) =>
        {
            (Box::new(PrimitiveArray::from_vec(values)), Encoding::DeltaBinaryPacked)
        }
        Values::Count(values) | Values::Seed(values) => {
            (Box::new(PrimitiveArray::from_vec(values)), Encoding::Plain)
        }
        Values::Number(values) => {
            let known: Bitmap = values.iter().map(|number| number.is_finite()).collect();
            let array = PrimitiveArray::from_vec(values);
            let array =
                if known.unset_bits() == 0 { array } else { array.with_validity(Some(known)) };
            (Box::new(array), Encoding::Plain)
        }
        Values::Flag(values) => (Box::new(BooleanArray::from_slice(values)), Encoding::Plain),
        Values::CountList(of) => {
            let items = Box::new(PrimitiveArray::from_vec(of.items));
            (lists(items, &of.ends), Encoding::Plain)
        }
        Values::Coded(_) | Values::TextList(_) => {
            panic!("what is kept as codes is written as codes")
        }
    }
}

fn lists(items: Box<dyn Array>, ends: &[u32]) -> Box<dyn Array> {
    let offsets: Vec<i32> = [0].into_iter().chain(ends.iter().map(|&end| end as i32)).collect();
    let offsets: Offsets<i32> = offsets.try_into().expect("ends only grow");
    let of = list_of(items.dtype().clone());
    Box::new(ListArray::new(of, OffsetsBuffer::from(offsets), items, None))
}

/// Reads the given columns of a file that [`Parquet`] wrote, in the given order.
pub(super) fn read_parquet(
    path: &Path,
    columns: &[(super::Column, ColumnKind)],
) -> io::Result<Vec<Values>> {
    let bytes = fs::read(path)?;
    let metadata = read_metadata(&mut Cursor::new(&bytes)).map_err(fault)?;
    let schema = infer_schema(&metadata).map_err(fault)?;
    let bytes: polars_buffer::Buffer<u8> = bytes.into();
    let read = |(column, kind): &(super::Column, ColumnKind)| {
        let name = &*column.name;
        let missing = || io::Error::other(format!("there is no column {name}"));
        let field = schema.get(name).ok_or_else(missing)?;
        let field = Field { dtype: readable(*kind), ..field.clone() };
        let mut values = empty(column, *kind);
        for group in &metadata.row_groups {
            let parts = group.columns_under_root_iter(name).ok_or_else(missing)?;
            let part = parts.into_iter().next().ok_or_else(missing)?;
            let pages = get_page_iterator(part, Cursor::new(bytes.clone()), Vec::new(), usize::MAX);
            let pages = BasicDecompressor::new(pages.map_err(fault)?, Vec::new());
            let of = &part.descriptor().descriptor.primitive_type;
            let (arrays, _) =
                column_iter_to_arrays(vec![pages], vec![of], field.clone(), None).map_err(fault)?;
            for array in arrays {
                let is_other = || io::Error::other(format!("{name} is not what it should be"));
                add(&mut values, array.as_ref()).ok_or_else(is_other)?;
            }
        }
        Ok(values)
    };
    columns.iter().map(read).collect()
}

/// The Arrow type that values of a kind are read as.
fn readable(kind: ColumnKind) -> ArrowDataType {
    match kind {
        ColumnKind::Text => ArrowDataType::Utf8View,
        ColumnKind::TextList => list_of(ArrowDataType::Utf8View),
        ColumnKind::Count
        | ColumnKind::Number
        | ColumnKind::CountList
        | ColumnKind::Flag
        | ColumnKind::Seed => data_type(kind),
    }
}

/// Values without rows, for a column that is about to be read.
fn empty(column: &super::Column, kind: ColumnKind) -> Values {
    match kind {
        ColumnKind::Text => Values::Text(Vec::new()),
        ColumnKind::Count => Values::Count(Vec::new()),
        ColumnKind::Number => Values::Number(Vec::new()),
        ColumnKind::Flag => Values::Flag(Vec::new()),
        ColumnKind::Seed => Values::Seed(Vec::new()),
        ColumnKind::CountList => Values::CountList(CountLists::default()),
        ColumnKind::TextList => Values::TextList(match &column.values {
            Values::TextList(of) => TextLists::new(Words::default(), of.joint.clone()),
            _ => TextLists::new(Words::default(), ", "),
        }),
    }
}

/// Appends an array that was read; None when it has another type.
fn add(values: &mut Values, array: &dyn Array) -> Option<()> {
    fn primitive<T: NativeType>(array: &dyn Array) -> Option<&PrimitiveArray<T>> {
        array.as_any().downcast_ref()
    }
    let list = || array.as_any().downcast_ref::<ListArray<i32>>();
    match values {
        Values::Text(values) => {
            let array: &Utf8ViewArray = array.as_any().downcast_ref()?;
            values.extend(array.values_iter().map(str::to_owned));
        }
        Values::Count(values) | Values::Seed(values) => {
            values.extend(primitive::<u64>(array)?.values_iter());
        }
        Values::Number(values) => {
            let known = primitive::<f64>(array)?.iter();
            values.extend(known.map(|number| number.copied().unwrap_or(f64::NAN)));
        }
        Values::Flag(values) => {
            let array: &BooleanArray = array.as_any().downcast_ref()?;
            values.extend(array.values_iter());
        }
        Values::TextList(values) => {
            for items in list()?.values_iter() {
                let items: &Utf8ViewArray = items.as_any().downcast_ref()?;
                values.push(items.values_iter());
            }
        }
        Values::CountList(values) => {
            for items in list()?.values_iter() {
                values.items.extend(primitive::<u32>(items.as_ref())?.values_iter());
                values.end_row();
            }
        }
        Values::Coded(_) => return None,
    }
    Some(())
}

/// The system's error of a write that failed, if one did, or else the given error.
fn why(failure: &AtomicI32, error: impl std::error::Error + Send + Sync + 'static) -> io::Error {
    match failure.load(Ordering::Relaxed) {
        0 => fault(error),
        code => io::Error::from_raw_os_error(code),
    }
}

fn fault(fault: impl std::error::Error + Send + Sync + 'static) -> io::Error {
    io::Error::other(fault)
}

#[cfg(test)]
mod tests {
    use polars_parquet::read::FileMetadata;
    use proptest::prelude::*;

    use super::*;
    use crate::table::tests::{awkward, provenance, written};
    use crate::table::{Coded, Column, Format};

    fn metadata(bytes: &[u8]) -> FileMetadata {
        read_metadata(&mut Cursor::new(bytes)).expect("a footer")
    }

    /// Reads back a file with these bytes.
    fn read(bytes: &[u8], like: &Table) -> Vec<Values> {
        let folder = tempfile::tempdir().expect("a folder");
        let path = folder.path().join("table.parquet");
        fs::write(&path, bytes).expect("written");
        let columns: Vec<_> =
            like.columns.iter().map(|column| (column.clone(), column.values.kind())).collect();
        read_parquet(&path, &columns).expect("what was written")
    }

    #[test]
    fn values_read_back() {
        let [first, second] = awkward();
        let read = read(&written(Format::Parquet, &awkward()), &first);
        for ((read, first), second) in read.iter().zip(&first.columns).zip(&second.columns) {
            let mut all = first.values.clone();
            all.append(&second.values, 0..second.values.len());
            assert_eq!(read.len(), all.len());
            for row in 0..all.len() {
                assert_eq!(read.shown(row), all.shown(row), "{}", first.name);
            }
            assert_eq!(read.kind(), all.kind());
        }
        let Values::Number(numbers) = &read[2] else { panic!("numbers") };
        assert!(numbers[1].is_nan() && numbers[0] == 0.1 + 0.2, "{numbers:?}");
    }

    proptest! {
        /// Whatever is packed is unpacked by a reader that knows nothing of how: lists that are empty, short or long, one
        /// value or many, near or far apart, cut into chunks or not.
        #[test]
        fn what_is_packed_reads_back(
            rows in prop::collection::vec(prop::collection::vec(0u32..40, 0..4), 1..200),
            longer in prop::collection::vec(prop::collection::vec(0u32..40, 30..140), 0..4),
            spread in prop_oneof![Just(0u64), Just(1), Just(900), Just(1 << 40)],
            first in prop_oneof![Just(0u64), Just(u64::from(u32::MAX)), Just(1 << 63)],
            cut in any::<prop::sample::Index>(),
        ) {
            let lists: Vec<Vec<u32>> = rows.into_iter().chain(longer).collect();
            let word = |code: &u32| format!("word {code}");
            let counts = lists.iter().map(|list| first + spread * list.len() as u64).collect();
            let items: Vec<Vec<u32>> = lists
                .iter()
                .map(|list| list.iter().map(|item| item * spread.min(50_000_000) as u32).collect())
                .collect();
            let mut ends = CountLists::default();
            for list in &items {
                ends.items.extend(list);
                ends.end_row();
            }
            let coded = Coded {
                words: Words::new((0..500).map(|code| word(&code)).collect()),
                codes: lists.iter().map(|list| list.iter().sum::<u32>() % 500).collect(),
            };
            let texts = lists.iter().map(|list| list.iter().map(word));
            let columns = [
                Values::Count(counts),
                Values::Count((first..).take(lists.len()).collect()),
                Values::CountList(ends),
                Values::TextList(TextLists::of(", ", texts)),
                Values::Coded(coded),
                Values::Seed(lists.iter().map(|list| u64::MAX - list.len() as u64).collect()),
                Values::Flag(lists.iter().map(Vec::is_empty).collect()),
            ];
            let columns = columns.into_iter().enumerate().map(|(at, values)| Column {
                name: format!("column_{at}").into(),
                meaning: "a column".into(),
                values,
            });
            let table = Table { name: "packed".to_owned(), columns: columns.collect() };
            let cut = cut.index(lists.len() + 1);
            let chunks = [0..cut, cut..lists.len()]
                .map(|rows| table.of_rows(&rows.collect::<Vec<usize>>()));
            let bytes = written(Format::Parquet, &chunks);
            prop_assert_eq!(&bytes, &written(Format::Parquet, std::slice::from_ref(&table)));
            for (read, column) in read(&bytes, &table).iter().zip(&table.columns) {
                prop_assert_eq!(read.len(), lists.len());
                for row in 0..lists.len() {
                    prop_assert_eq!(read.shown(row), column.values.shown(row), "{}", column.name);
                }
            }
        }
    }

    #[test]
    fn the_footer_says_where_the_rows_come_from() {
        let bytes = written(Format::Parquet, &awkward());
        let pairs = metadata(&bytes).key_value_metadata().clone().expect("metadata");
        let ours = pairs.iter().find(|pair| pair.key == "evens").expect("our key");
        let value: serde_json::Value =
            serde_json::from_str(ours.value.as_deref().expect("a value")).expect("JSON");
        let run: Provenance = serde_json::from_value(value["run"].clone()).expect("a provenance");
        assert_eq!(run, provenance());
        assert_eq!(value["format"], provenance::FORMAT);
        assert_eq!(value["table"], "awkward");
        assert_eq!(value["columns"][1]["meaning"], "a count");
    }

    #[test]
    fn every_column_has_its_meaning_in_the_schema() {
        let schema = infer_schema(&metadata(&written(Format::Parquet, &awkward()))).expect("one");
        for column in &awkward()[0].columns {
            let field = schema.get(&column.name).expect("a field");
            let described = field.metadata.as_ref().expect("metadata")[DESCRIPTION].as_str();
            assert_eq!(described, column.meaning);
        }
        assert_eq!(schema.get(RUN.name).expect("the run").dtype, ArrowDataType::Utf8View);
        // Polars reads every list as a `LargeList`.
        let ArrowDataType::LargeList(items) = &schema.get("list").expect("the list").dtype else {
            panic!("a list")
        };
        assert_eq!(items.dtype, ArrowDataType::Utf8View);
    }

    fn long(rows: usize) -> Table {
        let numbers = (0..rows as u64).collect();
        Table { name: "long".to_owned(), columns: vec![Column::count("n", "a number", numbers)] }
    }

    #[test]
    fn rows_are_cut_into_groups_of_one_size_that_say_their_least_and_greatest() {
        let bytes = written(Format::Parquet, &[long(GROUP + 10)]);
        let metadata = metadata(&bytes);
        let sizes: Vec<usize> = metadata.row_groups.iter().map(|group| group.num_rows()).collect();
        assert_eq!(sizes, [GROUP, 10]);
        let bounds = |group: usize| {
            let columns = metadata.row_groups[group].parquet_columns();
            let of = columns[0]
                .statistics(&metadata.footer_buf)
                .expect("statistics")
                .expect("readable ones");
            let of = of.expect_as_int64();
            (of.min_value.expect("a least"), of.max_value.expect("a greatest"))
        };
        assert_eq!([bounds(0), bounds(1)], [(0, 65_535), (65_536, 65_545)]);
    }

    #[test]
    fn a_table_without_rows_keeps_its_columns() {
        let [empty, _] = awkward().map(|table| table.of_rows(&[]));
        let bytes = written(Format::Parquet, std::slice::from_ref(&empty));
        assert_eq!(metadata(&bytes).num_rows, 0);
        let read = read(&bytes, &empty);
        assert_eq!(read.len(), empty.columns.len());
        assert!(read.iter().all(Values::is_empty));
    }
}
