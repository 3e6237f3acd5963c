//! Faults of inputs: what is wrong, where, and what to do about it.

use std::borrow::Cow;
use std::ops::Range;
use std::sync::{Arc, OnceLock};

use miette::{Diagnostic, LabeledSpan, NamedSource, SourceCode};

use super::window::Window;
use crate::numerals::counted;
use crate::shell::argument;
use crate::sorting::Sorting;
use crate::visible::{unbroken, visible};

/// A text that faults point into.
pub type Source = Arc<NamedSource<String>>;

/// One thing that is wrong.
#[derive(Clone, Debug, thiserror::Error)]
#[error("{message}")]
pub struct Fault {
    /// What is wrong, as a sentence fragment in lower case.
    pub message: String,
    /// What to do about it.
    pub remedy: String,
    /// The text and the offending bytes in it; None where no text is at fault.
    pub place: Option<(Source, Range<usize>)>,
    /// The label under the marked text; `here` where it is empty.
    pub label: String,
    /// The lines that are shown, extracted when they are first needed.
    window: OnceLock<Option<Window>>,
}

impl Fault {
    /// A fault without a place in a text.
    pub fn new(message: impl Into<String>, remedy: impl Into<String>) -> Self {
        let (message, remedy) = (quoted(message.into()), quoted(remedy.into()));
        Self { message, remedy, place: None, label: String::new(), window: OnceLock::new() }
    }

    /// A fault at `span` of `source`.
    pub fn at(
        source: &Source,
        span: Range<usize>,
        message: impl Into<String>,
        remedy: impl Into<String>,
    ) -> Self {
        Self { place: Some((source.clone(), span)), ..Self::new(message, remedy) }
    }

    /// Sets the label under the marked text.
    #[must_use]
    pub fn label(mut self, label: impl Into<String>) -> Self {
        self.label = quoted(label.into());
        self
    }

    fn window(&self) -> Option<&Window> {
        let cut = || {
            let (source, span) = self.place.as_ref()?;
            let name = visible(source.name());
            Some(Window::of(&unbroken(&name), source.inner(), span))
        };
        self.window.get_or_init(cut).as_ref()
    }
}

impl Diagnostic for Fault {
    fn help<'a>(&'a self) -> Option<Box<dyn std::fmt::Display + 'a>> {
        (!self.remedy.is_empty()).then(|| Box::new(&self.remedy) as _)
    }

    fn source_code(&self) -> Option<&dyn SourceCode> {
        self.window().map(|window| window as _)
    }

    fn labels(&self) -> Option<Box<dyn Iterator<Item = LabeledSpan> + '_>> {
        let span = self.window()?.mark.clone();
        let label = if self.label.is_empty() { "here" } else { &self.label };
        Some(Box::new(std::iter::once(LabeledSpan::at(span, label))))
    }
}

/// The most bytes of a message or a remedy: a key of ten megabytes is not quoted whole.
const LONGEST_TEXT: usize = 2_000;

/// Makes text that may quote an input safe for a terminal, and shortens it to a readable length.
fn quoted(mut text: String) -> String {
    if text.len() > LONGEST_TEXT {
        let left_out = text.len() - LONGEST_TEXT;
        let head = text.floor_char_boundary(LONGEST_TEXT * 3 / 4);
        let tail = text.floor_char_boundary(text.len() - LONGEST_TEXT / 4);
        text = format!("{} [... {left_out} bytes ...] {}", &text[..head], &text[tail..]);
    }
    match visible(&text) {
        Cow::Borrowed(_) => text,
        Cow::Owned(text) => text,
    }
}

/// All faults of one input; never empty.
#[derive(Debug, thiserror::Error)]
#[error("{}", headline(.name, .faults.len(), *.omitted))]
pub struct Faults {
    /// The input's name.
    pub name: String,
    /// The faults, in the order of the file.
    pub faults: Vec<Fault>,
    /// The number of further faults that are not among these.
    pub omitted: usize,
}

/// The most faults of one input that are shown; the others are only counted.
const MOST_SHOWN: usize = 100;

fn headline(name: &str, count: usize, omitted: usize) -> String {
    let name = visible(name);
    if omitted > 0 {
        let all = counted((count + omitted) as u64, "fault");
        let are = if count == 1 { "is" } else { "are" };
        return format!("{name} has {all}, of which {count} {are} shown");
    }
    format!("{name} has {}", counted(count as u64, "fault"))
}

impl Faults {
    /// These faults without quotations, for an input that was named by a file from elsewhere and not by the command
    /// line: it may be any file of the machine, so nothing of it is shown.
    #[must_use]
    pub fn unquoted(self) -> Self {
        if self.faults.iter().all(|fault| fault.place.is_none()) {
            return self;
        }
        let all = counted((self.faults.len() + self.omitted) as u64, "fault");
        let shown = argument(&self.name);
        let fault = Fault::new(
            format!("it is not as it was: it has {all}"),
            format!("`evens check {shown}` shows them"),
        );
        Self::one(self.name, fault)
    }

    /// The faults of the input called `name`, sorted by place.
    pub fn new(name: impl Into<String>, mut faults: Vec<Fault>) -> Self {
        faults.put_in_order_by_key(|fault| fault.place.as_ref().map_or(0, |(_, span)| span.start));
        let omitted = faults.len().saturating_sub(MOST_SHOWN);
        faults.truncate(MOST_SHOWN);
        Self { name: name.into(), faults, omitted }
    }

    /// Adds to the number of further faults.
    pub(super) fn and_more(self, omitted: usize) -> Self {
        Self { omitted: self.omitted + omitted, ..self }
    }

    /// The line above the faults: the input's name and the number of faults. None above a single fault that names the
    /// input itself.
    #[must_use]
    pub fn headline(&self) -> Option<String> {
        let names_it = |fault: &Fault| {
            fault.message.contains(&*visible(&self.name))
                || fault.place.as_ref().is_some_and(|(source, _)| source.name() == self.name)
        };
        let is_alone = self.omitted == 0 && self.faults.len() == 1;
        (!is_alone || !self.faults.iter().all(names_it)).then(|| self.to_string())
    }

    /// A single fault.
    pub fn one(name: impl Into<String>, fault: Fault) -> Self {
        Self::new(name, vec![fault])
    }
}

impl Diagnostic for Faults {
    fn related<'a>(&'a self) -> Option<Box<dyn Iterator<Item = &'a dyn Diagnostic> + 'a>> {
        Some(Box::new(self.faults.iter().map(|fault| fault as _)))
    }
}
