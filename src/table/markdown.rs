//! A Markdown table, for pasting into a design document.

use std::borrow::Cow;
use std::io::{self, Write};

use super::sink::{Out, Sink, number_text};
use super::{Provenance, Table, Values};

/// Writes Markdown.
pub(super) struct Markdown {
    out: Out,
    begun: bool,
}

impl Markdown {
    pub(super) fn new(out: Out) -> Self {
        Self { out, begun: false }
    }

    fn head(&mut self, chunk: &Table) -> io::Result<()> {
        for column in &chunk.columns {
            write!(self.out, "| {} ", escaped(&column.name))?;
        }
        self.out.write_all(b"|\n")?;
        for column in &chunk.columns {
            let rule = if matches!(column.values, Values::Text(_)) { "| --- " } else { "| ---: " };
            self.out.write_all(rule.as_bytes())?;
        }
        self.out.write_all(b"|\n")
    }
}

impl Sink for Markdown {
    fn write(&mut self, chunk: &Table) -> io::Result<()> {
        if !self.begun {
            self.head(chunk)?;
            self.begun = true;
        }
        for row in 0..chunk.rows() {
            for column in &chunk.columns {
                match &column.values {
                    Values::Text(values) => write!(self.out, "| {} ", escaped(&values[row]))?,
                    Values::Count(values) => write!(self.out, "| {} ", values[row])?,
                    Values::Number(values) => {
                        write!(self.out, "| {} ", number_text(values[row]))?;
                    }
                }
            }
            self.out.write_all(b"|\n")?;
        }
        Ok(())
    }

    fn finish(mut self: Box<Self>, _: &Provenance) -> io::Result<()> {
        self.out.flush()
    }
}

/// Text that stays in its cell.
pub(crate) fn escaped(text: &str) -> Cow<'_, str> {
    if text.contains(['|', '\\', '\n', '\r']) {
        Cow::Owned(text.replace('\\', "\\\\").replace('|', "\\|").replace(['\n', '\r'], " "))
    } else {
        Cow::Borrowed(text)
    }
}
