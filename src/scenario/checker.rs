//! Collects faults while a scenario is checked, and finds the place of each in the text.

use std::collections::{HashMap, HashSet};
use std::io::ErrorKind;
use std::ops::Range;
use std::sync::Arc;

use miette::NamedSource;
use sha2::{Digest, Sha256};
use toml::Spanned;
use toml::de::{DeArray, DeTable, DeValue};

use super::Document;
use super::fault::{Fault, Source};
use super::shape::written;
use super::suggest::suggestion;
use crate::digest::hexadecimal;
use crate::inputs::how_to_read;
use crate::numerals::whole;

/// After so many faults, further ones are only counted where their places would have to be found, which takes time.
const MOST_COLLECTED: usize = 1_000;

/// The most match-ups of a scenario: a round robin of 140.
pub const MOST_MATCHUPS: usize = 20_000;

/// The remedy for a name that is not empty and still [cannot be one](can_be_a_name).
pub(crate) const IN_ONE_LINE: &str =
    "a name stands in one line: take out line breaks and control characters";

/// Whether a text can be a name: names are not empty, and have no line breaks or other control characters.
#[must_use]
pub fn can_be_a_name(name: &str) -> bool {
    !name.trim().is_empty() && !name.contains(char::is_control)
}

/// A place in a scenario, as keys and list positions from the top.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Spot {
    steps: Vec<Step>,
}

#[derive(Clone, Debug, PartialEq, Eq)]
enum Step {
    Key(String),
    Index(usize),
}

impl Spot {
    /// The place of the whole file.
    #[must_use]
    pub fn top() -> Self {
        Self::default()
    }

    /// The place of the value of `key` in the table at this place.
    #[must_use]
    pub fn key(&self, key: impl Into<String>) -> Self {
        self.step(Step::Key(key.into()))
    }

    /// The place of an entry, counted from 0, of the list at this place.
    #[must_use]
    pub fn index(&self, index: usize) -> Self {
        self.step(Step::Index(index))
    }

    /// The keys and list positions, as they are written in a path.
    pub(super) fn steps(&self) -> impl Iterator<Item = String> + '_ {
        self.steps.iter().map(|step| match step {
            Step::Key(key) => key.clone(),
            Step::Index(index) => index.to_string(),
        })
    }

    /// The last key; None where the place ends with a list position.
    pub(super) fn last_key(&self) -> Option<&str> {
        match self.steps.last()? {
            Step::Key(key) => Some(key),
            Step::Index(_) => None,
        }
    }

    /// The header of the table at this place, as it is written in TOML, without list positions: tables of a list all
    /// have the same header.
    pub(super) fn header(&self) -> String {
        let keys = self.steps.iter().filter_map(|step| match step {
            Step::Key(key) => Some(written(key)),
            Step::Index(_) => None,
        });
        keys.collect::<Vec<_>>().join(".")
    }

    fn step(&self, step: Step) -> Self {
        let mut steps = self.steps.clone();
        steps.push(step);
        Self { steps }
    }
}

impl std::fmt::Display for Spot {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        for (at, step) in self.steps.iter().enumerate() {
            match step {
                Step::Key(key) if at == 0 => write!(f, "{key}")?,
                Step::Key(key) => write!(f, ".{key}")?,
                Step::Index(index) => write!(f, "[{index}]")?,
            }
        }
        Ok(())
    }
}

/// The remedy for something that a list of a set has twice.
pub(crate) const NAME_ONCE: &str = "name it once: a second time changes nothing";

/// The places in a list of what stands in it already.
pub(crate) fn repeats(listed: impl IntoIterator<Item = String>) -> Vec<(usize, String)> {
    let mut known = HashSet::new();
    let entries = listed.into_iter().enumerate();
    entries.filter(|(_, name)| !known.insert(name.clone())).collect()
}

/// A scenario that is being checked, with the faults and warnings so far.
#[derive(Debug)]
pub struct Checker<'t> {
    document: Document,
    tree: Spanned<DeTable<'t>>,
    faults: Vec<Fault>,
    /// Faults of parts that were removed before the check, which continues as if they had never been there.
    held: Vec<Fault>,
    /// The number of faults beyond those that were collected.
    omitted: usize,
    warnings: Vec<Fault>,
    /// The hash of every text that the results depend on.
    hash: Sha256,
    /// The places in the scenario that name files which were read.
    files: Vec<Spot>,
}

impl<'t> Checker<'t> {
    /// Checks `tree`, which is the document's or a variant of it.
    #[must_use]
    pub fn new(document: &Document, tree: Spanned<DeTable<'t>>) -> Self {
        let mut hash = Sha256::new().chain_update(document.source.inner());
        if let Some(arguments) = &document.arguments {
            hash.update(arguments.inner());
        }
        let document = document.clone();
        Self {
            document,
            tree,
            faults: Vec::new(),
            held: Vec::new(),
            omitted: 0,
            warnings: Vec::new(),
            hash,
            files: Vec::new(),
        }
    }

    /// The tree that is checked.
    #[must_use]
    pub fn tree(&self) -> &DeTable<'t> {
        self.tree.get_ref()
    }

    /// The settings of the command line, one in a line, if there are any. Their places are counted on from the end of the
    /// document.
    pub(super) fn settings(&self) -> Option<&Source> {
        self.document.arguments.as_ref()
    }

    /// Reads a file that the scenario names at `spot`; its path is relative to the scenario's folder.
    /// None, with a fault, when it cannot be read.
    pub fn read(&mut self, spot: &Spot, path: &str) -> Option<Source> {
        if path.trim().is_empty() {
            self.fault(
                spot,
                "the name of a file is empty",
                "name a file, seen from the scenario's folder, or leave the key out",
            );
            return None;
        }
        let full = self.document.folder.display(path);
        if !self.document.outside_is_allowed && !self.document.folder.holds(path) {
            self.fault(
                spot,
                format!("`{path}` leads out of the scenario's folder"),
                "put the file below it; for a scenario that you trust say --allow-outside",
            );
            return None;
        }
        match self.document.folder.read(path) {
            Ok(text) => {
                self.hash.update(&text);
                self.files.push(spot.clone());
                Some(Arc::new(NamedSource::new(full, text)))
            }
            Err(error) => {
                let remedy = match error.kind() {
                    ErrorKind::FileTooLarge
                    | ErrorKind::InvalidData
                    | ErrorKind::PermissionDenied => how_to_read(&error),
                    _ => "paths are relative to the scenario's folder",
                };
                self.fault(spot, format!("cannot read {full}: {error}"), remedy);
                None
            }
        }
    }

    /// The places in the scenario that name files which were read.
    pub(super) fn files(&self) -> &[Spot] {
        &self.files
    }

    /// A fingerprint (SHA-256, hexadecimal) of the scenario and every file it names.
    #[must_use]
    pub fn fingerprint(&self) -> String {
        hexadecimal(self.hash.clone())
    }

    /// Reports that the text at `span` is wrong.
    pub(super) fn fault_at(
        &mut self,
        span: Range<usize>,
        message: impl Into<String>,
        remedy: impl Into<String>,
    ) {
        self.faults.push(self.document.fault(span, message, remedy));
    }

    /// Whether no more faults are collected; a fault is then counted as omitted.
    fn is_full(&mut self) -> bool {
        let is_full = self.faults.len() >= MOST_COLLECTED;
        self.omitted += usize::from(is_full);
        is_full
    }

    /// Reports that the value at `spot` is wrong.
    pub fn fault(&mut self, spot: &Spot, message: impl Into<String>, remedy: impl Into<String>) {
        if self.is_full() {
            return;
        }
        self.fault_at(self.span(spot), message, remedy);
    }

    /// Reports that the key at `spot` is wrong.
    pub fn key_fault(
        &mut self,
        spot: &Spot,
        message: impl Into<String>,
        remedy: impl Into<String>,
    ) {
        if self.is_full() {
            return;
        }
        self.fault_at(self.key_span(spot), message, remedy);
    }

    /// Reports a name that is not among the known ones, and suggests the most similar one. `what` is what the name
    /// should be ("card"); `listing` tells where all of them are listed.
    pub fn unknown_name<'a>(
        &mut self,
        spot: &Spot,
        what: &str,
        name: &str,
        known: impl IntoIterator<Item = &'a str>,
        listing: &str,
    ) {
        let remedy = suggestion(name, known, listing);
        self.fault(spot, format!("unknown {what} `{name}`"), remedy);
    }

    /// Index of a name among the scenario's own names. Reports it and returns None where it is not among them. `what`
    /// is their noun ("deck").
    pub fn place_of(&mut self, spot: &Spot, what: &str, name: &str, own: &[&str]) -> Option<usize> {
        let found = own.iter().position(|known| *known == name);
        if found.is_none() {
            self.unknown_own_name(spot, what, name, own);
        }
        found
    }

    /// Indices, among the scenario's own names, of the names listed for a side, each once. Reports names that are not
    /// among them, and warns of those listed more than once; `what` is their noun ("deck").
    pub fn places_on_side(
        &mut self,
        spot: &Spot,
        what: &str,
        listed: &[String],
        own: &[&str],
    ) -> Vec<usize> {
        // The first of several equal names counts; the others are faults of their own.
        let mut places = HashMap::new();
        for (place, name) in own.iter().enumerate() {
            places.entry(*name).or_insert(place);
        }
        let mut found = Vec::new();
        let mut known = HashSet::new();
        for (at, name) in listed.iter().enumerate() {
            let spot = spot.index(at);
            match places.get(name.as_str()) {
                Some(&place) if known.insert(place) => found.push(place),
                Some(_) => {
                    let message = format!("`{name}` is on this side already");
                    self.warn(&spot, message, "name it once: it plays no more for it");
                }
                None => self.unknown_own_name(&spot, what, name, own),
            }
        }
        found
    }

    /// Warns of names that stand in a list already, where it lists a set: a second time changes nothing. Each comes as it is
    /// known and not as it is written, in the order of the list.
    pub fn warn_of_repeats(&mut self, spot: &Spot, listed: impl IntoIterator<Item = String>) {
        for (at, name) in repeats(listed) {
            self.warn(&spot.index(at), format!("`{name}` stands in this list already"), NAME_ONCE);
        }
    }

    /// Reports names that a scenario cannot give: empty ones, ones with a line break or another control character, and
    /// duplicates. `what` is the noun of what they name ("deck"); each name comes with its place.
    pub fn check_names<'n>(
        &mut self,
        what: &str,
        names: impl IntoIterator<Item = (&'n str, Spot)>,
    ) {
        let mut known: HashMap<&str, Spot> = HashMap::new();
        for (name, spot) in names {
            if !can_be_a_name(name) {
                let remedy = match name.trim().is_empty() {
                    true => "a name is not empty",
                    false => IN_ONE_LINE,
                };
                // A line break in the name would break the message's line, too.
                let message = format!("`{}` cannot be a name", name.escape_debug());
                self.fault(&spot, message, remedy);
            }
            if let Some(other) = known.get(name) {
                let message = format!("`{name}` is the name of two {what}s");
                let remedy = match self.line(other) {
                    Some(line) => format!("give each its own name: line {line} has it, too"),
                    None => "give each its own name".to_owned(),
                };
                self.fault(&spot, message, remedy);
            } else {
                known.insert(name, spot);
            }
        }
    }

    /// The line of the text, from 1, in which the value at `spot` stands; None where it comes from the command line.
    pub fn line(&self, spot: &Spot) -> Option<usize> {
        let before = self.document.source.inner().get(..self.span(spot).start)?;
        Some(before.matches('\n').count() + 1)
    }

    /// Reports a name that should be one of the scenario's own.
    pub fn unknown_own_name(&mut self, spot: &Spot, what: &str, name: &str, own: &[&str]) {
        // Duplicate names are faults of their own.
        let once: Vec<&str> =
            (0..own.len()).filter(|&at| !own[..at].contains(&own[at])).map(|at| own[at]).collect();
        let listing = match once.as_slice() {
            [] => {
                let lists: Vec<String> =
                    what.split(" or ").map(|what| format!("`[[{what}s]]`")).collect();
                format!("name one under {}", lists.join(" or "))
            }
            _ => format!("this scenario has: {}", once.join(", ")),
        };
        self.unknown_name(spot, what, name, own.iter().copied(), &listing);
    }

    /// Reports a name used as a key, like [`unknown_name`](Self::unknown_name).
    pub fn unknown_key<'a>(
        &mut self,
        spot: &Spot,
        what: &str,
        name: &str,
        known: impl IntoIterator<Item = &'a str>,
        listing: &str,
    ) {
        let remedy = suggestion(name, known, listing);
        self.key_fault(spot, format!("unknown {what} `{name}`"), remedy);
    }

    /// Reports something that is allowed but probably not meant.
    pub fn warn(&mut self, spot: &Spot, message: impl Into<String>, remedy: impl Into<String>) {
        let span = self.span(spot);
        self.warnings.push(self.document.fault(span, message, remedy));
    }

    /// Takes over faults found elsewhere, such as in a card catalogue.
    pub fn extend(&mut self, faults: impl IntoIterator<Item = Fault>) {
        self.faults.extend(faults);
    }

    /// Holds back faults of parts that were removed before the check until [`release`](Self::release): no part that is
    /// still to be checked depends on them.
    pub(super) fn hold(&mut self, faults: Vec<Fault>) {
        self.held.extend(faults);
    }

    /// Adds the faults that were held back. Other faults of the same text follow from them and are dropped.
    pub(super) fn release(&mut self) {
        let held = std::mem::take(&mut self.held);
        let span = |fault: &Fault| fault.place.as_ref().map(|(_, span)| span.clone());
        self.faults.retain(|fault| !held.iter().any(|held| span(held) == span(fault)));
        self.faults.extend(held);
    }

    /// The text that is checked.
    #[must_use]
    pub fn source(&self) -> &Source {
        &self.document.source
    }

    /// The number of faults beyond those that were collected.
    pub(super) fn omitted(&self) -> usize {
        self.omitted
    }

    /// Returns whether a scenario has too many match-ups, and reports that.
    pub fn has_too_many_matchups(&mut self, spot: &Spot, listed: &[usize], swap: bool) -> bool {
        let all = listed.iter().fold(1_usize, |all, &names| all.saturating_mul(names));
        let all = all.saturating_mul(if swap { listed.len() } else { 1 });
        if all > MOST_MATCHUPS {
            let remedy = format!(
                "at most {} are played in one run: list fewer on a side, or split the scenario",
                whole(MOST_MATCHUPS as u64)
            );
            self.fault(spot, format!("{} match-ups", whole(all as u64)), remedy);
        }
        all > MOST_MATCHUPS
    }

    /// Removes and returns the faults so far.
    pub fn take_faults(&mut self) -> Vec<Fault> {
        std::mem::take(&mut self.faults)
    }

    /// The number of faults so far, including those that were only counted, but not those that are held back.
    #[must_use]
    pub fn faults(&self) -> usize {
        self.faults.len() + self.omitted
    }

    /// Whether there are no faults so far, apart from those that are held back.
    #[must_use]
    pub fn is_clean(&self) -> bool {
        self.faults.is_empty()
    }

    /// Returns all faults and all warnings.
    #[must_use]
    pub fn finish(self) -> (Vec<Fault>, Vec<Fault>) {
        (self.faults, self.warnings)
    }

    /// The byte range of the value at `spot`, or of the innermost value around it that exists.
    pub(super) fn span(&self, spot: &Spot) -> Range<usize> {
        let mut span = 0..0;
        let mut here = Here::Table(self.tree.get_ref());
        for step in &spot.steps {
            let next = match (step, here) {
                (Step::Key(key), Here::Table(table)) => table.get(key.as_str()),
                (Step::Index(index), Here::Array(array)) => array.get(*index),
                _ => None,
            };
            let Some(value) = next else { return span };
            span = value.span();
            here = match value.get_ref() {
                DeValue::Table(table) => Here::Table(table),
                DeValue::Array(array) => Here::Array(array),
                _ => Here::Leaf,
            };
        }
        span
    }

    /// The byte range of the key at `spot`.
    fn key_span(&self, spot: &Spot) -> Range<usize> {
        let Some((Step::Key(last), parents)) = spot.steps.split_last() else {
            return self.span(spot);
        };
        let parent = Spot { steps: parents.to_vec() };
        self.table(&parent)
            .and_then(|table| table.keys().find(|key| key.get_ref().as_ref() == last))
            .map_or_else(|| self.span(spot), Spanned::span)
    }

    fn table(&self, spot: &Spot) -> Option<&DeTable<'t>> {
        let mut table = self.tree.get_ref();
        let mut value: Option<&DeValue<'t>> = None;
        for step in &spot.steps {
            let next = match (step, value) {
                (Step::Key(key), None) => table.get(key.as_str())?,
                (Step::Key(key), Some(DeValue::Table(inner))) => inner.get(key.as_str())?,
                (Step::Index(index), Some(DeValue::Array(array))) => array.get(*index)?,
                _ => return None,
            };
            value = Some(next.get_ref());
        }
        if let Some(value) = value {
            table = value.as_table()?;
        }
        Some(table)
    }
}

#[derive(Clone, Copy)]
enum Here<'a, 't> {
    Table(&'a DeTable<'t>),
    Array(&'a DeArray<'t>),
    Leaf,
}
