//! Column chunks of text that is kept as codes and of counts with few distinct values, put together from the encoders
//! of polars without looking at a value twice: the pages that polars makes of arrays go through each value of a list
//! three times.
//!
//! A chunk is a dictionary page, with the distinct values, and one data page: the levels that say where lists begin,
//! and for each value its index in the dictionary. Both are packed alike, one run of the same number or every number in
//! as few bits as the largest takes ([Parquet: RLE / bit-packing hybrid]); the compression that follows finds what
//! recurs.
//!
//! [Parquet: RLE / bit-packing hybrid]: https://parquet.apache.org/docs/file-format/data-pages/encodings/

use std::io;

use polars_arrow::array::{Array, DictionaryArray, PrimitiveArray, Utf8ViewArray};
use polars_arrow::datatypes::{ArrowDataType, IntegerType};
use polars_parquet::parquet::CowBuffer;
use polars_parquet::parquet::encoding::hybrid_rle::Encoder;
use polars_parquet::parquet::page::{DataPage, DataPageHeader, DataPageHeaderV1};
use polars_parquet::parquet::schema::types::PrimitiveType;
use polars_parquet::parquet::statistics::{ParquetStatistics, PrimitiveStatistics};
use polars_parquet::write::{
    Descriptor, Encoding, Nested, Page, ParquetType, WriteOptions, array_to_pages as polars_pages,
};

use super::fault;
use crate::table::Values;

/// Counts get no dictionary when the largest exceeds the least by this much.
const MOST_APART: u64 = 1 << 16;
/// Up to so many distinct counts are always worth a dictionary; more are if each comes up often enough.
const FEW: usize = 2_048;

/// The pages of a column; None when its values are not of a kind that is packed here.
pub(super) fn pages(
    values: &Values,
    of: &ParquetType,
    options: WriteOptions,
) -> Option<io::Result<Vec<Page>>> {
    Some(match values {
        Values::Coded(values) => {
            let (words, numbers) = used(&values.words, &values.codes);
            let codes = values.codes.iter().map(|&code| numbers[code as usize]);
            chunk(&words_of(&words), of, options, Rows::Flat(values.codes.len()), codes)
        }
        Values::TextList(values) => {
            let (words, numbers) = used(&values.words, &values.codes);
            let codes = values.codes.iter().map(|&code| numbers[code as usize]);
            chunk(&words_of(&words), of, options, Rows::Lists(&values.ends), codes)
        }
        Values::Count(values) => {
            let Numbered { different, numbers, least } =
                Numbered::of(values).filter(|of| of.is_worth_it(values.len()))?;
            let codes = values.iter().map(|&value| numbers[(value - least) as usize]);
            let different = PrimitiveArray::from_vec(different);
            chunk(&different, of, options, Rows::Flat(values.len()), codes)
        }
        Values::CountList(values) => {
            let Numbered { different, numbers, least } = Numbered::of(&values.items)?;
            let codes =
                values.items.iter().map(|&item| numbers[(u64::from(item) - least) as usize]);
            let different: Vec<u32> = different.into_iter().map(|of| of as u32).collect();
            let different = PrimitiveArray::from_vec(different);
            chunk(&different, of, options, Rows::Lists(&values.ends), codes)
        }
        Values::Text(_) | Values::Seed(_) | Values::Number(_) | Values::Flag(_) => return None,
    })
}

/// The pages of a column with the same text in every row.
pub(super) fn same_text(
    text: &str,
    rows: usize,
    of: &ParquetType,
    options: WriteOptions,
) -> io::Result<Vec<Page>> {
    let codes = std::iter::repeat_n(0, rows);
    chunk(&words_of(&[text]), of, options, Rows::Flat(rows), codes)
}

/// How the values of a chunk belong to rows.
enum Rows<'r> {
    /// One value each, in so many rows.
    Flat(usize),
    /// By row: where its values end.
    Lists(&'r [u32]),
}

/// The texts that occur, and by code the index of each among them. Others are left out, so that minimum and maximum are
/// those of these rows.
fn used<'w>(words: &'w [String], codes: &[u32]) -> (Vec<&'w str>, Vec<u32>) {
    const UNSEEN: u32 = u32::MAX;
    let mut numbers = vec![UNSEEN; words.len()];
    let mut used = Vec::new();
    for &code in codes {
        let number = &mut numbers[code as usize];
        if *number == UNSEEN {
            *number = used.len() as u32;
            used.push(words[code as usize].as_str());
        }
    }
    (used, numbers)
}

fn words_of(words: &[&str]) -> Utf8ViewArray {
    Utf8ViewArray::from_slice_values(words)
}

/// A dictionary of numbers with few distinct values.
struct Numbered {
    /// The distinct numbers, in ascending order.
    different: Vec<u64>,
    /// The index of a number in `different`, by its distance from the least.
    numbers: Vec<u32>,
    least: u64,
}

impl Numbered {
    /// Makes a dictionary of the items; None when they lie too far apart.
    fn of<N: Copy + Ord + Into<u64>>(items: &[N]) -> Option<Self> {
        let least = items.iter().copied().min().map_or(0, N::into);
        let greatest = items.iter().copied().max().map_or(0, N::into);
        if greatest - least >= MOST_APART {
            return None;
        }
        let mut is_there = vec![false; (greatest - least) as usize + 1];
        for &item in items {
            is_there[(item.into() - least) as usize] = true;
        }
        let mut different = Vec::new();
        let numbers = is_there.iter().zip(least..).map(|(&is_there, item)| {
            let number = different.len() as u32;
            if is_there {
                different.push(item);
            }
            number
        });
        let numbers = numbers.collect();
        Some(Self { different, numbers, least })
    }

    /// Whether so many items take less space with this dictionary than without.
    fn is_worth_it(&self, items: usize) -> bool {
        self.different.len() <= FEW || 4 * self.different.len() < 3 * items
    }
}

/// A dictionary page with these values, and a data page with these indices into it. The statistics of the values, such
/// as minimum and maximum, are left to polars, which is given each value once.
fn chunk(
    values: &dyn Array,
    of: &ParquetType,
    options: WriteOptions,
    rows: Rows<'_>,
    codes: impl ExactSizeIterator<Item = u32>,
) -> io::Result<Vec<Page>> {
    let (of, different) = (primitive(of), values.len() as u32);
    let once = PrimitiveArray::from_vec((0..different).collect());
    let dtype =
        ArrowDataType::Dictionary(IntegerType::UInt32, values.dtype().clone().into(), false);
    let once = DictionaryArray::try_new(dtype, once, values.to_boxed()).map_err(fault)?;
    let flat = [Nested::primitive(None, true, once.len())];
    let pages = polars_pages(&once, of.clone(), &flat, options, Encoding::RleDictionary);
    let pages = pages.map_err(fault)?.collect::<Result<Vec<Page>, _>>().map_err(fault)?;
    let mut pages = pages.into_iter();
    let dictionary = pages.next().ok_or_else(|| io::Error::other("a dictionary has a page"))?;
    let statistics = match pages.next() {
        Some(Page::Data(data)) => match data.header() {
            DataPageHeader::V1(header) => header.statistics.clone(),
            DataPageHeader::V2(header) => header.statistics.clone(),
        },
        // Without values there is no such page.
        Some(Page::Dict(_)) | None => Some(no_bounds(of)),
    };
    let mut buffer = Vec::new();
    let (of_rows, levels) = match rows {
        Rows::Flat(rows) => {
            with_length(&mut buffer, |buffer| run(buffer, rows, 1, 1))?;
            (rows, rows)
        }
        Rows::Lists(ends) => (ends.len(), list_levels(&mut buffer, ends)?),
    };
    let width = u32::BITS - different.saturating_sub(1).leading_zeros();
    buffer.push(width as u8);
    match different {
        0 => {}
        1 => run(&mut buffer, codes.len(), 0, width)?,
        _ => pack(&mut buffer, codes, width)?,
    }
    let data = data_page(buffer, Encoding::RleDictionary, statistics, of, levels, of_rows);
    Ok(vec![dictionary, data])
}

/// The statistics of a page without values: none is missing.
fn no_bounds(of: &PrimitiveType) -> ParquetStatistics {
    let statistics = PrimitiveStatistics::<i64> {
        primitive_type: of.clone(),
        null_count: Some(0),
        distinct_count: None,
        min_value: None,
        max_value: None,
    };
    statistics.serialize()
}

fn data_page(
    buffer: Vec<u8>,
    encoding: Encoding,
    statistics: Option<ParquetStatistics>,
    of: &PrimitiveType,
    levels: usize,
    rows: usize,
) -> Page {
    let header = DataPageHeader::V1(DataPageHeaderV1 {
        num_values: levels as i32,
        encoding: encoding.into(),
        definition_level_encoding: Encoding::Rle.into(),
        repetition_level_encoding: Encoding::Rle.into(),
        statistics,
    });
    let of = Descriptor { primitive_type: of.clone(), max_def_level: 0, max_rep_level: 0 };
    Page::Data(DataPage::new(header, CowBuffer::Owned(buffer), of, rows))
}

/// The type of the values themselves: a list is a group with one field.
fn primitive(of: &ParquetType) -> &PrimitiveType {
    match of {
        ParquetType::PrimitiveType(of) => of,
        ParquetType::GroupType { fields, .. } => primitive(&fields[0]),
    }
}

/// Width, in bits, of a repetition level, which is 1 where a value belongs to the list of the one before.
const REPETITION: u32 = 1;
/// Width, in bits, of a definition level.
const DEFINITION: u32 = 2;
/// The definition level of an empty list.
const EMPTY: u32 = 1;
/// The definition level of a value in a list.
const VALUE: u32 = 3;

/// Writes where lists begin and which ones are empty; returns the number of levels: one for each value and each empty
/// list.
fn list_levels(buffer: &mut Vec<u8>, ends: &[u32]) -> io::Result<usize> {
    let values = ends.last().map_or(0, |&end| end as usize);
    let lengths = || ends.iter().scan(0, |start, &end| Some(end - std::mem::replace(start, end)));
    let (mut empty, mut longest) = (0, 0);
    for length in lengths() {
        empty += usize::from(length == 0);
        longest = longest.max(length);
    }
    let levels = values + empty;
    let mut each = Vec::new();
    with_length(buffer, |buffer| match longest {
        0 | 1 => run(buffer, levels, 0, REPETITION),
        _ => {
            each.reserve(levels);
            for length in lengths() {
                each.push(0);
                each.extend(std::iter::repeat_n(1, length.saturating_sub(1) as usize));
            }
            pack(buffer, each.iter().copied(), REPETITION)
        }
    })?;
    with_length(buffer, |buffer| match (empty, values) {
        (0, _) => run(buffer, levels, VALUE, DEFINITION),
        (_, 0) => run(buffer, levels, EMPTY, DEFINITION),
        _ => {
            each.clear();
            for length in lengths() {
                let level = if length == 0 { EMPTY } else { VALUE };
                each.extend(std::iter::repeat_n(level, length.max(1) as usize));
            }
            pack(buffer, each.iter().copied(), DEFINITION)
        }
    })?;
    Ok(levels)
}

/// Writes what `write` writes, after its length in bytes.
fn with_length(
    buffer: &mut Vec<u8>,
    write: impl FnOnce(&mut Vec<u8>) -> io::Result<()>,
) -> io::Result<()> {
    let start = buffer.len() + 4;
    buffer.extend([0; 4]);
    write(buffer)?;
    let length = (buffer.len() - start) as u32;
    buffer[start - 4..start].copy_from_slice(&length.to_le_bytes());
    Ok(())
}

/// Writes a number below 2^`width`, repeated `times` times.
fn run(buffer: &mut Vec<u8>, times: usize, number: u32, width: u32) -> io::Result<()> {
    if times == 0 { Ok(()) } else { u32::run_length_encode(buffer, times, number, width) }
}

/// Writes numbers below 2^`width`, each in `width` bits.
fn pack(
    buffer: &mut Vec<u8>,
    numbers: impl ExactSizeIterator<Item = u32>,
    width: u32,
) -> io::Result<()> {
    u32::bitpacked_encode(buffer, numbers, width as usize)
}
