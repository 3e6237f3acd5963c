//! Files of recorded battles and of cards.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use miette::NamedSource;

use super::Failure;
use crate::games::splinterlands::record::{self, CardFile, Record, Unknown};
use crate::scenario::{Fault, Faults, Source};

/// A file as it is.
pub(super) fn source(path: &Path) -> Result<Source, Failure> {
    let name = path.display().to_string();
    match std::fs::read_to_string(path) {
        Ok(text) => Ok(Arc::new(NamedSource::new(name, text))),
        Err(error) => {
            let fault = Fault::new(format!("cannot read the file: {error}"), "check the path");
            Err(Faults::one(name, fault).into())
        }
    }
}

/// The cards of a file, or the bundled ones.
pub(super) fn cards(file: Option<&Source>) -> Result<CardFile, Faults> {
    file.map_or_else(|| Ok(CardFile::bundled()), CardFile::read)
}

/// The records of several files, or all faults in all of them. With `known_only` battles that cannot be played are no
/// faults, but skipped and counted.
pub(super) fn known(
    files: &[Source],
    cards: &CardFile,
    known_only: bool,
) -> Result<(Vec<(usize, Record)>, u64), Failure> {
    let (mut known, mut left_out, mut faulty) = (Vec::new(), 0, Vec::new());
    for (at, file) in files.iter().enumerate() {
        let mut lacking = Vec::new();
        match record::read(file) {
            Ok(records) => {
                for record in records {
                    match record.unknown(cards) {
                        unknown if unknown.is_empty() => known.push((at, record)),
                        _ if known_only => left_out += 1,
                        unknown => lacking.extend(unknown),
                    }
                }
            }
            Err(in_file) => faulty.push(in_file),
        }
        if !lacking.is_empty() {
            faulty.push(Faults::new(file.name(), faults(&lacking)));
        }
    }
    if faulty.is_empty() { Ok((known, left_out)) } else { Err(Failure::Input(faulty)) }
}

/// Files as they are, or all that cannot be read.
pub(super) fn sources(paths: &[PathBuf]) -> Result<Vec<Source>, Failure> {
    let (mut sources, mut faulty) = (Vec::new(), Vec::new());
    for path in paths {
        match source(path) {
            Ok(source) => sources.push(source),
            Err(Failure::Input(faults)) => faulty.extend(faults),
            Err(other) => return Err(other),
        }
    }
    if faulty.is_empty() { Ok(sources) } else { Err(Failure::Input(faulty)) }
}

/// What is not known, as faults that say how to do without.
pub(super) fn faults(unknown: &[Unknown]) -> Vec<Fault> {
    let or_pass_over = |fault: Fault| {
        let remedy = format!("{}; `--known-only` skips such battles", fault.remedy);
        Fault { remedy, ..fault }
    };
    record::faults(unknown).into_iter().map(or_pass_over).collect()
}
