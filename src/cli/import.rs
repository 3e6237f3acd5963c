//! `evens import`: turns an official card file into a card catalogue.

use std::path::PathBuf;

use clap::Args;
use clap::builder::{PossibleValuesParser, TypedValueParser};
use strum::IntoEnumIterator;

use super::terminal::{print_data, say};
use super::{Exit, Failure, flags, records};
use crate::games::splinterlands::edition::Edition;
use crate::games::splinterlands::import::import;
use crate::report::figures::counted;
use crate::scenario::{Fault, Faults};
use crate::table::{Content, Target};

#[derive(Args, Debug)]
pub(super) struct Arguments {
    /// The game the cards are for; only `splinterlands` has an official card file
    #[arg(value_parser = ["splinterlands"])]
    game: String,
    /// The card file, in the format of the official `cards/get_details`
    cards: PathBuf,
    /// The edition the catalogue is for: 2020, or 2022 with more abilities
    #[arg(
        long,
        value_name = "YEAR",
        default_value_t,
        value_parser = PossibleValuesParser::new(Edition::iter().map(<&str>::from))
            .try_map(|year| year.parse::<Edition>())
    )]
    edition: Edition,
    /// The catalogue to write [default: standard output]
    #[arg(short, long, value_name = "FILE", value_parser = flags::file())]
    output: Option<PathBuf>,
}

pub(super) fn run(arguments: &Arguments) -> Result<Exit, Failure> {
    let source = records::source(&arguments.cards)?;
    let imported = import(&source, arguments.edition)?;
    if imported.catalogue.cards.is_empty() {
        let unusable = |(card, reason): &(String, String)| {
            Fault::new(format!("{card} is of no use: {reason}"), "leave it out, or mend it")
        };
        let mut faults: Vec<Fault> = imported.left_out.iter().map(unusable).collect();
        let remedy = "name a file in the format of the official `cards/get_details`";
        faults.push(Fault::new("there is no card in it to make a catalogue of", remedy));
        return Err(Faults::new(source.name(), faults).into());
    }
    let catalogue = imported.catalogue.to_csv();
    match &arguments.output {
        None => print_data(&catalogue)?,
        Some(path) => {
            Target::open(path, Content::Catalogue(catalogue.clone()))?.fill(&catalogue)?;
        }
    }
    for (card, reason) in &imported.left_out {
        say(&format!("left out {card}: {reason}\n"));
    }
    let (cards, left_out) = (imported.catalogue.cards.len(), imported.left_out.len());
    let more = match later(arguments.edition) {
        Some(later) => {
            let more = import(&source, later)?.catalogue.cards.len() - cards;
            (more > 0).then(|| format!("; {more} more with `--edition {later}`"))
        }
        None => None,
    };
    let more = more.unwrap_or_default();
    say(&format!("{}, {left_out} left out{more}\n", counted(cards as u64, "card")));
    Ok(Exit::Success)
}

/// The last edition, if it is later than this one. It has whatever earlier ones have.
fn later(than: Edition) -> Option<Edition> {
    Edition::iter().next_back().filter(|last| *last > than)
}
