//! Files of recorded battles and of cards.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use miette::NamedSource;

use super::Failure;
use crate::games::splinterlands::record::CardFile;
use crate::inputs::how_to_read;
use crate::scenario::{Fault, Faults, Source, read_text};

/// Reads a file as it is.
pub(super) fn source(path: &Path) -> Result<Source, Failure> {
    let name = path.display().to_string();
    match read_text(path) {
        Ok(text) => Ok(Arc::new(NamedSource::new(name, text))),
        Err(error) => {
            let fault = Fault::new(format!("cannot read the file: {error}"), how_to_read(&error));
            Err(Faults::one(name, fault).into())
        }
    }
}

/// The cards of a file, or the bundled ones.
pub(super) fn cards(file: Option<&Source>) -> Result<CardFile, Faults> {
    file.map_or_else(|| Ok(CardFile::bundled()), CardFile::read)
}

/// Reads files as they are; the error names all that cannot be read.
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
