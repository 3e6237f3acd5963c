//! The cards of a scenario: a file of cards, and those that the scenario adds or changes.

use std::sync::{Arc, LazyLock};

use miette::NamedSource;

use super::File;
use crate::games::solforge::cards::vocabulary::CardFile;
use crate::games::solforge::cards::{Entry, compile};
use crate::games::solforge::setup::Cards;
use crate::scenario::{Checker, Fault, Source, Spot, part};

/// The bundled file of cards.
pub const BUNDLED: &str = include_str!("../../../../scenarios/solforge/cards/v5.0.toml");

fn bundled_source() -> Source {
    let text = BUNDLED.to_owned();
    Arc::new(
        NamedSource::new("scenarios/solforge/cards/v5.0.toml (bundled)", text)
            .with_language("TOML"),
    )
}

/// The bundled cards.
///
/// # Panics
/// Never: a test reads them.
#[must_use]
pub fn bundled() -> &'static Cards {
    static BUNDLED: LazyLock<Cards> = LazyLock::new(|| {
        let source = bundled_source();
        let (file, mut checker) =
            part::<CardFile>(&source).expect("the bundled cards are in shape");
        let entries = entries(file);
        check_names(&entries, &mut checker);
        let (cards, findings) = compile(&entries);
        assert!(findings.is_empty() && checker.is_clean(), "{findings:?}");
        cards
    });
    &BUNDLED
}

fn entries(file: CardFile) -> Vec<Entry> {
    let spot = Spot::top().key("cards");
    let entry = |(at, card)| Entry { card, spot: spot.index(at) };
    file.cards.into_iter().enumerate().map(entry).collect()
}

fn check_names(entries: &[Entry], checker: &mut Checker<'_>) {
    let names = entries.iter().map(|entry| (entry.card.name.as_str(), entry.spot.key("name")));
    checker.check_names("card", names);
}

/// All cards that a scenario can use. None, with faults, when something is wrong with them.
pub(super) fn cards(file: &File, checker: &mut Checker<'_>) -> Option<Cards> {
    if file.catalogue.is_none() && file.cards.is_empty() {
        return Some(bundled().clone());
    }
    let source = match &file.catalogue {
        None => bundled_source(),
        Some(path) => checker.read(&Spot::top().key("catalogue"), path)?,
    };
    let merged = match part::<CardFile>(&source) {
        Ok((of_file, of_file_checker)) => merged(of_file, of_file_checker, file, checker),
        Err(faults) => Err(faults.faults),
    };
    match merged {
        Ok(cards) => checker.is_clean().then_some(cards),
        Err(faults) => {
            checker.extend(faults);
            None
        }
    }
}

/// The cards of the file, with the scenario's own in place of those with the same name. Faults of the scenario go to
/// its checker, those of the file are returned.
fn merged(
    of_file: CardFile,
    mut file_checker: Checker<'_>,
    file: &File,
    checker: &mut Checker<'_>,
) -> Result<Cards, Vec<Fault>> {
    let mut entries = entries(of_file);
    check_names(&entries, &mut file_checker);
    let of_file = entries.len();
    let listed = file.cards.iter().enumerate();
    let listed = listed
        .map(|(at, card)| (card.name.as_str(), Spot::top().key("cards").index(at).key("name")));
    checker.check_names("card", listed);
    let mut own = Vec::new();
    for (at, card) in file.cards.iter().enumerate() {
        let entry = Entry { card: card.clone(), spot: Spot::top().key("cards").index(at) };
        match entries[..of_file].iter().position(|other| other.card.name == card.name) {
            Some(place) if !own.contains(&place) => {
                entries[place] = entry;
                own.push(place);
            }
            _ => {
                own.push(entries.len());
                entries.push(entry);
            }
        }
    }
    let (cards, findings) = compile(&entries);
    for finding in findings {
        if own.contains(&finding.entry) {
            checker.fault(&finding.spot, finding.message, finding.remedy);
        } else {
            file_checker.fault(&finding.spot, finding.message, finding.remedy);
        }
    }
    let of_file = file_checker.take_faults();
    if of_file.is_empty() { Ok(cards) } else { Err(of_file) }
}
