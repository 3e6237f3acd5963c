//! Comma-separated values with a header line (RFC 4180, lines end in LF).
//!
//! Spreadsheets take a cell that begins with `=`, `+`, `-` or `@` for a formula, wherever its text comes from. Such text
//! is written with an apostrophe before it, and so is text that begins with an apostrophe: taking one apostrophe away
//! from every text that begins with one gives the text back.
//!
//! A list is a JSON array in its cell, so that items may contain anything; a flag is `true` or `false`; a seed is
//! hexadecimal, because most readers take a longer number for a rounded one.

use std::borrow::Cow;
use std::io;
use std::path::Path;

use super::provenance::RUN;
use super::sink::{Out, Sink, number_text};
use super::values::{seed_of_text, seed_text};
use super::{Column, ColumnKind, CountLists, Provenance, Table, TextLists, Values, Words};

/// Writes CSV.
pub(super) struct Csv {
    writer: csv::Writer<Out>,
    begun: bool,
}

impl Csv {
    pub(super) fn new(out: Out) -> Self {
        Self { writer: csv::Writer::from_writer(out), begun: false }
    }

    fn write_rows(&mut self, chunk: &Table, run: Option<&str>) -> csv::Result<()> {
        if !self.begun {
            let names = chunk.columns.iter().map(|column| guarded(&column.name));
            let names = names.chain(run.map(|_| Cow::Borrowed(RUN.name)));
            self.writer.write_record(names.map(Cow::into_owned).collect::<Vec<_>>())?;
            self.begun = true;
        }
        for row in 0..chunk.rows() {
            for column in &chunk.columns {
                match &column.values {
                    Values::Text(values) => {
                        self.writer.write_field(guarded(&values[row]).as_ref())?
                    }
                    Values::Coded(values) => {
                        self.writer.write_field(guarded(values.text(row)).as_ref())?
                    }
                    Values::Count(values) => self.writer.write_field(values[row].to_string())?,
                    Values::Number(values) => self.writer.write_field(number_text(values[row]))?,
                    Values::TextList(values) => {
                        let items: Vec<&str> = values.items(row).collect();
                        self.writer
                            .write_field(serde_json::to_vec(&items).map_err(io::Error::from)?)?;
                    }
                    Values::CountList(values) => {
                        self.writer.write_field(
                            serde_json::to_vec(values.items(row)).map_err(io::Error::from)?,
                        )?;
                    }
                    Values::Flag(values) => self.writer.write_field(values[row].to_string())?,
                    Values::Seed(values) => self.writer.write_field(seed_text(values[row]))?,
                }
            }
            if let Some(run) = run {
                self.writer.write_field(run)?;
            }
            self.writer.write_record(None::<&[u8]>)?;
        }
        Ok(())
    }
}

impl Sink for Csv {
    fn write(&mut self, chunk: &Table, run: Option<&str>) -> io::Result<()> {
        // The crate's own conversion keeps the message of a system error but not its kind, which tells a full disk from
        // others.
        self.write_rows(chunk, run).map_err(|error| match error.into_kind() {
            csv::ErrorKind::Io(error) => error,
            other => io::Error::other(format!("{other:?}")),
        })
    }

    fn finish(mut self: Box<Self>, _: &Provenance) -> io::Result<()> {
        self.writer.flush()
    }
}

/// Escapes text that a spreadsheet would take for a formula. Numbers, such as `+1`, are harmless.
fn guarded(text: &str) -> Cow<'_, str> {
    let is_formula = text.starts_with(['=', '+', '-', '@', '\t', '\r']);
    if text.starts_with('\'') || is_formula && text.parse::<f64>().is_err() {
        Cow::Owned(format!("'{text}"))
    } else {
        Cow::Borrowed(text)
    }
}

/// Reads the given columns of a file that [`Csv`] wrote, in the given order.
pub(super) fn read_csv(path: &Path, columns: &[(Column, ColumnKind)]) -> io::Result<Vec<Values>> {
    let wrong = |what: String| io::Error::new(io::ErrorKind::InvalidData, what);
    let mut reader = csv::Reader::from_path(path)?;
    let header: Vec<String> =
        reader.headers()?.iter().map(|name| unguarded(name).to_owned()).collect();
    let mut places = Vec::new();
    let mut values = Vec::new();
    for (column, kind) in columns {
        let place = header.iter().position(|name| *name == column.name);
        places.push(place.ok_or_else(|| wrong(format!("there is no column {}", column.name)))?);
        values.push(match kind {
            ColumnKind::Text => Values::Text(Vec::new()),
            ColumnKind::Count => Values::Count(Vec::new()),
            ColumnKind::Number => Values::Number(Vec::new()),
            ColumnKind::TextList => {
                let Values::TextList(TextLists { joint, .. }) = &column.values else {
                    return Err(wrong(format!("{} is no column of lists", column.name)));
                };
                Values::TextList(TextLists::new(Words::default(), joint.clone()))
            }
            ColumnKind::CountList => Values::CountList(CountLists::default()),
            ColumnKind::Flag => Values::Flag(Vec::new()),
            ColumnKind::Seed => Values::Seed(Vec::new()),
        });
    }
    for record in reader.records() {
        let record = record?;
        for (&place, values) in places.iter().zip(&mut values) {
            let text = record.get(place).unwrap_or_default();
            let is_no_number = || wrong(format!("{text} is no number"));
            match values {
                Values::Text(values) => values.push(unguarded(text).to_owned()),
                Values::Count(values) => values.push(text.parse().map_err(|_| is_no_number())?),
                Values::Number(values) if text.is_empty() => values.push(f64::NAN),
                Values::Number(values) => values.push(text.parse().map_err(|_| is_no_number())?),
                Values::Coded(_) => return Err(wrong("text is read as it is".to_owned())),
                Values::TextList(values) => {
                    let items: Vec<String> = serde_json::from_str(text)?;
                    values.push(items.iter().map(String::as_str));
                }
                Values::CountList(values) => {
                    values.items.extend(serde_json::from_str::<Vec<u32>>(text)?);
                    values.end_row();
                }
                Values::Flag(values) => {
                    let is_no_flag = |_| wrong(format!("{text} is neither true nor false"));
                    values.push(text.parse().map_err(is_no_flag)?);
                }
                Values::Seed(values) => {
                    let is_no_seed = || wrong(format!("{text} is no seed"));
                    values.push(seed_of_text(text).ok_or_else(is_no_seed)?);
                }
            }
        }
    }
    Ok(values)
}

/// The text as it was before it was escaped.
fn unguarded(text: &str) -> &str {
    text.strip_prefix('\'').unwrap_or(text)
}

#[cfg(test)]
mod tests {
    use super::guarded;

    #[test]
    fn formulas_are_text_and_can_be_had_back() {
        for text in [
            "=1+2",
            "@SUM(A1)",
            "+cmd|' /C calc'!A0",
            "-x",
            "\t=1",
            "'quoted",
            "plain",
            "+1",
            "-2.5",
            "",
        ] {
            let written = guarded(text);
            let is_formula = written.starts_with(['=', '+', '-', '@', '\t', '\r']);
            assert!(!is_formula || written.parse::<f64>().is_ok(), "{written}");
            assert_eq!(written.strip_prefix('\'').unwrap_or(&written), text);
        }
        assert_eq!(guarded("+1"), "+1");
    }
}
