//! What is wrong with an input, where, and what to do about it.

use std::ops::Range;
use std::sync::Arc;

use miette::{Diagnostic, LabeledSpan, NamedSource, SourceCode};

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
    /// The file and the offending bytes in it; none where no text is to blame.
    pub place: Option<(Source, Range<usize>)>,
    /// What stands under the marked text.
    pub label: String,
}

impl Fault {
    /// A fault without a place in a text.
    pub fn new(message: impl Into<String>, remedy: impl Into<String>) -> Self {
        Self { message: message.into(), remedy: remedy.into(), place: None, label: String::new() }
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

    /// Says something under the marked text.
    #[must_use]
    pub fn label(mut self, label: impl Into<String>) -> Self {
        self.label = label.into();
        self
    }
}

impl Diagnostic for Fault {
    fn help<'a>(&'a self) -> Option<Box<dyn std::fmt::Display + 'a>> {
        (!self.remedy.is_empty()).then(|| Box::new(&self.remedy) as _)
    }

    fn source_code(&self) -> Option<&dyn SourceCode> {
        self.place.as_ref().map(|(source, _)| source.as_ref() as _)
    }

    fn labels(&self) -> Option<Box<dyn Iterator<Item = LabeledSpan> + '_>> {
        let (_, span) = self.place.as_ref()?;
        let label = if self.label.is_empty() { "here" } else { &self.label };
        Some(Box::new(std::iter::once(LabeledSpan::at(span.clone(), label))))
    }
}

/// Everything that is wrong with one input; never empty.
#[derive(Debug, thiserror::Error)]
#[error("{}", headline(.name, .faults.len()))]
pub struct Faults {
    /// The input's name.
    pub name: String,
    /// What is wrong with it, in the order of the file.
    pub faults: Vec<Fault>,
}

fn headline(name: &str, count: usize) -> String {
    format!("{name} has {count} {}", if count == 1 { "fault" } else { "faults" })
}

impl Faults {
    /// The faults of the input called `name`, sorted by place.
    pub fn new(name: impl Into<String>, mut faults: Vec<Fault>) -> Self {
        faults.sort_by_key(|fault| fault.place.as_ref().map_or(0, |(_, span)| span.start));
        Self { name: name.into(), faults }
    }

    /// A single fault.
    pub fn one(name: impl Into<String>, fault: Fault) -> Self {
        Self::new(name, vec![fault])
    }
}

impl Diagnostic for Faults {
    fn related<'a>(&'a self) -> Option<Box<dyn Iterator<Item = &'a dyn Diagnostic> + 'a>> {
        Some(Box::new(self.faults.iter().map(|fault| fault as &dyn Diagnostic)))
    }
}
