//! `evens import`: turns an official card file into a card catalogue.

use std::sync::Arc;

use miette::NamedSource;

use super::args::Import;
use super::terminal::print;
use super::{Exit, Failure, target};
use crate::games::splinterlands::import::import;
use crate::scenario::Source;

pub(super) fn run(arguments: &Import) -> Result<Exit, Failure> {
    let name = arguments.cards.display().to_string();
    let text = std::fs::read_to_string(&arguments.cards)
        .map_err(|error| Failure::System { what: format!("cannot read {name}"), error })?;
    let source: Source = Arc::new(NamedSource::new(name, text).with_language("JSON"));
    let imported = import(&source, arguments.edition)?;
    let catalogue = imported.catalogue.to_csv();
    match &arguments.output {
        None => print(&catalogue)?,
        Some(path) => target(path)?.fill(&catalogue)?,
    }
    for (card, reason) in &imported.left_out {
        eprintln!("left out {card}: {reason}");
    }
    eprintln!("{} cards, {} left out", imported.catalogue.cards.len(), imported.left_out.len());
    Ok(Exit::Success)
}
