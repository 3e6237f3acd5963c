//! What scenarios can say, and what can be wrong with them.

mod catalogue;
mod eldertale;
mod idle;
mod sanctum;
mod solforge;
mod splinterlands;
mod sweep;

use std::path::PathBuf;

use evens::game::Game;
use evens::scenario::{Document, Faults, Folder, Form, load};
use miette::{Diagnostic, GraphicalReportHandler, GraphicalTheme};

/// A scenario of a game that passed every check.
type Loaded<G> = evens::scenario::Loaded<<G as Game>::Setup>;

fn read<G: Form>(text: &str) -> Result<Loaded<G>, Faults> {
    read_in::<G>(text, "".into())
}

/// Reads a scenario whose relative paths start in a folder.
fn read_in<G: Form>(text: &str, folder: PathBuf) -> Result<Loaded<G>, Faults> {
    let head = format!("game = \"{}\"\nbattles = 1\n", G::NAME);
    load::<G>(&Document::new("case.toml", format!("{head}{text}"), Folder::Disk(folder)))
}

fn setup<G: Form>(text: &str) -> G::Setup {
    match read::<G>(text) {
        Ok(loaded) => loaded.setup,
        Err(faults) => panic!("{}", rendered(&faults)),
    }
}

/// What is wrong with a scenario, in the order of the file: for each fault the marked text and the message.
fn faults<G: Form>(text: &str) -> Vec<String> {
    let Err(Faults { faults, .. }) = read::<G>(text) else { panic!("this scenario is at fault") };
    let told = faults.iter().map(|fault| {
        let (source, span) = fault.place.as_ref().expect("a fault of a scenario has a place");
        let marked = &source.inner()[span.clone()];
        format!("{}: {fault}", marked.lines().next().unwrap_or(""))
    });
    told.collect()
}

fn warnings<G: Form>(text: &str) -> Vec<String> {
    let loaded = read::<G>(text).unwrap_or_else(|faults| panic!("{}", rendered(&faults)));
    loaded.all_warnings().iter().map(ToString::to_string).collect()
}

fn rendered(diagnostic: &dyn Diagnostic) -> String {
    let mut text = String::new();
    GraphicalReportHandler::new_themed(GraphicalTheme::unicode_nocolor())
        .with_width(100)
        .with_links(false)
        .render_report(&mut text, diagnostic)
        .unwrap();
    text
}
