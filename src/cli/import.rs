//! `evens import`: turns an official card file into a card catalogue.

use std::sync::Arc;

use miette::NamedSource;

use super::args::Import;
use super::terminal::print;
use super::{Exit, Failure};
use crate::games::splinterlands::import::import;
use crate::scenario::Source;

pub(super) fn run(arguments: &Import) -> Result<Exit, Failure> {
    let name = arguments.cards.display().to_string();
    let text = std::fs::read_to_string(&arguments.cards)
        .map_err(|error| Failure::System { what: format!("cannot read {name}"), error })?;
    let source: Source = Arc::new(NamedSource::new(name, text).with_language("JSON"));
    let imported = import(&source)?;
    let catalogue = imported.catalogue.to_csv();
    match &arguments.output {
        None => print(&catalogue)?,
        Some(path) => write_whole(path, &catalogue).map_err(|error| Failure::System {
            what: format!("cannot write {}", path.display()),
            error,
        })?,
    }
    for (card, reason) in &imported.left_out {
        eprintln!("left out {card}: {reason}");
    }
    eprintln!("{} cards, {} left out", imported.catalogue.cards.len(), imported.left_out.len());
    Ok(Exit::Success)
}

/// Writes a file so that it is there whole or not at all.
fn write_whole(path: &std::path::Path, text: &str) -> std::io::Result<()> {
    use std::io::Write as _;
    let folder = path.parent().filter(|folder| !folder.as_os_str().is_empty());
    let mut file = tempfile::NamedTempFile::new_in(folder.unwrap_or(std::path::Path::new(".")))?;
    file.write_all(text.as_bytes())?;
    file.persist(path)?;
    Ok(())
}
