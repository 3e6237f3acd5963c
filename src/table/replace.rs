//! Whether a file that exists may be replaced by a single file that is to be written: the one place that decides.
//!
//! A file is replaced only if a command wrote it, with the same kind of content. Whatever a program reads again or people
//! look at is recognised by what stands in it anyway. What people go on writing in carries a mark with a fingerprint of the
//! text, so that it is no longer replaced once it has been changed.

use std::borrow::Cow;
use std::fs::{self, File};
use std::io::Read as _;
use std::path::Path;

use crate::digest::fingerprint;

/// How much of a file is read to recognise it by its beginning, in bytes.
const BEGINNING: u64 = 4 << 10;
/// How much of a file is read at most, in bytes: nothing that a command writes with a mark is nearly as long.
const MOST: u64 = 64 << 20;
/// How many digits of a fingerprint a mark has.
const DIGITS: usize = 16;
/// What stands between the beginning of a mark and its fingerprint.
const WRITTEN: &str = " by evens, fingerprint ";

/// The content of a single file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Content {
    /// An HTML page: a report, or a battle to step through.
    Page,
    /// A comparison with baselines, as Markdown.
    Summary,
    /// A comparison with baselines, as JUnit XML.
    TestCases,
    /// A manual page.
    Manual,
    /// Patch notes, as Markdown.
    Notes,
    /// The lines of `[changes]`, as TOML.
    Changes,
    /// A scenario, as TOML.
    Scenario,
    /// A card catalogue of this text, as CSV: it has no place for a mark, and is written by hand as well.
    Catalogue(String),
    /// A file to start from, which replaces nothing.
    Start,
}

impl Content {
    /// The text as it is written to a file: with a mark at its end where the content has one, instead of an earlier mark.
    pub(super) fn marked<'t>(&self, text: &'t str) -> Cow<'t, str> {
        let Some((begin, end)) = self.mark() else { return Cow::Borrowed(text) };
        let begin = format!("{begin}{WRITTEN}");
        let mut marked: String =
            text.split_inclusive('\n').filter(|line| !line.starts_with(&begin)).collect();
        let line_end = if marked.contains("\r\n") { "\r\n" } else { "\n" };
        if !marked.is_empty() && !marked.ends_with('\n') {
            marked.push_str(line_end);
        }
        let digest = fingerprint([marked.as_str()]);
        for part in [&begin, &digest[..DIGITS], end, line_end] {
            marked.push_str(part);
        }
        Cow::Owned(marked)
    }

    /// The beginning and the end of its mark, between which the fingerprint stands.
    fn mark(&self) -> Option<(&'static str, &'static str)> {
        match self {
            Self::Notes => Some(("<!-- Notes written", " -->")),
            Self::Changes => Some(("# Changes written", "")),
            Self::Scenario => Some(("# Scenario written", "")),
            Self::Page
            | Self::Summary
            | Self::TestCases
            | Self::Manual
            | Self::Catalogue(_)
            | Self::Start => None,
        }
    }

    /// Whether the file at this path, if there is one, may be replaced by this content.
    pub(super) fn may_replace(&self, path: &Path) -> bool {
        match fs::metadata(path) {
            Err(_) => true,
            // Nothing is lost with an empty file, such as one that a runner made for a summary.
            Ok(found) if found.len() == 0 => *self != Self::Start,
            Ok(_) => self.is_in(path),
        }
    }

    /// Whether a file is recognisably of this content, as a command wrote it.
    fn is_in(&self, path: &Path) -> bool {
        let most = match self {
            Self::Page | Self::TestCases | Self::Manual => BEGINNING,
            Self::Summary | Self::Notes | Self::Changes | Self::Scenario | Self::Catalogue(_) => {
                MOST
            }
            Self::Start => return false,
        };
        let mut bytes = Vec::new();
        let read = File::open(path).and_then(|file| file.take(most).read_to_end(&mut bytes));
        read.is_ok() && self.is_text(&String::from_utf8_lossy(&bytes))
    }

    /// Whether a text is of this content: of pages, test cases and manual pages the beginning is enough.
    fn is_text(&self, text: &str) -> bool {
        match self {
            Self::Page => {
                text.starts_with("<!doctype html>\n")
                    && text.contains("<meta name=\"generator\" content=\"evens ")
            }
            Self::Summary => {
                text.starts_with("## ")
                    && text.contains("\n### What was compared\n\n| scenario | battles | seed |")
            }
            Self::TestCases => text.contains("<testsuites name=\"evens\" "),
            Self::Manual => text.contains("\n.TH evens"),
            Self::Notes | Self::Changes | Self::Scenario => self.marked(text) == text,
            Self::Catalogue(new) => text == new,
            Self::Start => false,
        }
    }

    /// A noun for a file of this content that may be replaced.
    pub(super) fn noun(&self) -> &'static str {
        match self {
            Self::Page => "an HTML page that evens wrote",
            Self::Summary => "a summary that evens wrote",
            Self::TestCases => "JUnit XML that evens wrote",
            Self::Manual => "a manual page of evens",
            Self::Notes => "notes as evens wrote them",
            Self::Changes => "a file of changes as evens wrote it",
            Self::Scenario => "a scenario as evens wrote it",
            Self::Catalogue(_) => "the same catalogue",
            Self::Start => "a file that may be replaced",
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_mark_holds_until_the_text_is_changed() {
        for content in [Content::Scenario, Content::Changes, Content::Notes] {
            for text in ["", "a = 1", "a = 1\n", "a = 1\r\nb = 2\r\n"] {
                let marked = content.marked(text).into_owned();
                assert!(content.is_text(&marked), "{marked}");
                assert_eq!(content.marked(&marked), marked, "one mark is enough");
                assert!(!content.is_text(text), "{text}");
                for changed in [format!("{marked}b = 3\n"), format!("b = 3\n{marked}")] {
                    assert!(!content.is_text(&changed), "{changed}");
                    assert!(content.is_text(&content.marked(&changed)));
                }
            }
        }
        let scenario = Content::Scenario.marked("a = 1\n").into_owned();
        assert!(!Content::Changes.is_text(&scenario), "a scenario is no file of changes");
        assert_eq!(scenario.lines().count(), 2);
        assert!(scenario.parse::<toml::Table>().is_ok());
        assert!(Content::Scenario.marked("a = 1\r\n").lines().count() == 2);
        assert!(!Content::Scenario.marked("a = 1\r\n").replace("\r\n", "").contains('\n'));
    }

    #[test]
    fn contents_without_a_mark_are_written_as_they_are() {
        let catalogue = Content::Catalogue("name\n".to_owned());
        for content in [Content::Page, Content::Summary, Content::Start, catalogue.clone()] {
            assert_eq!(content.marked("text"), "text");
        }
        assert!(catalogue.is_text("name\n") && !catalogue.is_text("name\nImp\n"));
    }
}
