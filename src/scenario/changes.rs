//! `[changes]`: changes that a scenario makes to cards and minions of a card file.
//!
//! Changes are made before the scenario is checked: the entry is copied into the scenario's own list, with the values
//! of the change in place of its own. So everything that a scenario's own card can say can be changed for any card, the
//! same faults are found, and a sweep reaches the card by its name.

use std::collections::HashMap;
use std::ops::Range;
use std::sync::{LazyLock, Mutex};

use toml::Spanned;
use toml::de::{DeArray, DeTable, DeValue};

use super::deserialize::whole_of;
use super::fault::Fault;
use super::path::{NEW_CARDS, at_place};
use super::{Document, Number, suggestion};
use crate::parallel::locked;

/// The scenario's key for changes.
pub(super) const CHANGES: &str = "changes";

/// A kind of entries (cards, minions) that `[changes]` can change, and the files that they come from.
#[derive(Clone, Copy, Debug)]
pub struct Shelf {
    /// The scenario's own list of them, such as `cards`, which is also the list of their file.
    pub list: &'static str,
    /// The singular noun for an entry.
    pub noun: &'static str,
    /// The key of an entry's name.
    pub name: &'static str,
    /// The text of the bundled file.
    pub bundled: &'static str,
    /// The scenario's key for a file to use instead, if there is one.
    pub file: Option<&'static str>,
    /// The command that lists all names, for remedies.
    pub listing: &'static str,
    /// The keys, at any depth of an entry, whose whole numbers are a card's strength and costs, which a search for
    /// better balance may change.
    pub tunable: &'static [&'static str],
    /// Makes entries that are in no file because they follow from the scenario itself: the TOML text of their list,
    /// given the scenario.
    pub made: Option<fn(&DeTable<'_>) -> String>,
}

/// The keys under which `"+1"` means one more: in `new_cards`, one more than the card that `like` names.
pub(super) const RELATIVE: [&str; 2] = [CHANGES, NEW_CARDS];

/// Makes the changes of a scenario. Returns the tree with them, and the faults of the changes. A faulty change is left
/// out, so that everything else can still be checked. A `[changes]` that is not a table is left to the check of the
/// shape.
pub(super) fn apply<'t>(
    document: &Document,
    mut tree: Spanned<DeTable<'t>>,
    shelves: &[Shelf],
) -> (Spanned<DeTable<'t>>, Vec<Fault>) {
    let mut faults = Vec::new();
    for key in RELATIVE {
        if let Some(value) = tree.get_mut().get_mut(key) {
            refuse_amounts(document, value, key == CHANGES, &mut faults);
        }
    }
    let is_table = tree.get_ref().get(CHANGES).is_some_and(|value| value.get_ref().is_table());
    if shelves.is_empty() || !is_table {
        return (tree, faults);
    }
    let table = tree.get_mut();
    let Some(DeValue::Table(changes)) = table.remove(CHANGES).map(Spanned::into_inner) else {
        return (tree, faults);
    };
    let texts: Vec<Texts> = shelves
        .iter()
        .map(|shelf| {
            let made = shelf.made.and_then(|make| parsed(kept(&make(table))));
            [entries_of(document, table, shelf), made]
        })
        .collect();
    // Changes put entries of files into the same lists.
    let own = shelves.iter().flat_map(|shelf| own_names(table, shelf));
    let own: Vec<String> = own.map(str::to_owned).collect();
    let mut wrong = Vec::new();
    for (name, change) in changes {
        let span = name.span();
        let name = name.into_inner();
        if !change.get_ref().is_table() {
            wrong.push(Wrong {
                span: change.span(),
                message: format!("the change of `{name}` is no table"),
                remedy: format!(
                    "write what is other about it, such as `[changes.\"{name}\"]` with a line for each number"
                ),
            });
            continue;
        }
        let known = shelves.iter().zip(&texts);
        let is_changed = known.clone().any(|(shelf, texts)| {
            change_one(table, shelf, *texts, &name, &span, &change, &mut wrong)
        });
        // A file that cannot be read may contain any name.
        if !is_changed && known.clone().all(|(shelf, texts)| is_read(*texts, shelf)) {
            let bundled: Vec<&str> =
                known.flat_map(|(shelf, texts)| names(*texts, shelf)).collect();
            let what: Vec<&str> = shelves.iter().map(|shelf| shelf.noun).collect();
            let listings: Vec<String> =
                shelves.iter().map(|shelf| format!("`{}`", shelf.listing)).collect();
            let whom = if own.is_empty() { "them all" } else { "all but the scenario's own" };
            let listing = format!("{} names {whom}", listings.join(" or "));
            let message = format!("unknown {} `{name}`", what.join(" or "));
            let names = own.iter().map(String::as_str).chain(bundled);
            let remedy = suggestion(&name, names, &listing);
            wrong.push(Wrong { span, message, remedy });
        }
    }
    let found = wrong.into_iter().map(|of| document.fault(of.span, of.message, of.remedy));
    faults.extend(found);
    (tree, faults)
}

/// The names of what a scenario changes, each with its place in bytes.
pub(super) fn changed(scenario: &DeTable<'_>) -> Vec<(String, Range<usize>)> {
    let changes = scenario.get(CHANGES).and_then(|changes| changes.get_ref().as_table());
    let names = changes.into_iter().flat_map(|changes| changes.keys());
    names.map(|name| (name.get_ref().to_string(), name.span())).collect()
}

/// A fault of a change, with its place in bytes.
struct Wrong {
    span: Range<usize>,
    message: String,
    remedy: String,
}

/// The tunable numbers of all entries of these shelves, in a scenario whose changes have been made.
pub(super) fn numbers(
    document: &Document,
    scenario: &DeTable<'_>,
    shelves: &[Shelf],
) -> Vec<Number> {
    let mut found = Vec::new();
    for shelf in shelves {
        let own = scenario.get(shelf.list).and_then(|own| own.get_ref().as_array());
        let own = || own.into_iter().flat_map(|own| own.iter());
        let made = shelf.made.and_then(|make| parsed(kept(&make(scenario))));
        let texts = [entries_of(document, scenario, shelf), made];
        let is_own = |name: &str| own().any(|entry| name_of(entry, shelf.name) == Some(name));
        let mut add = |entry: &Spanned<DeValue<'_>>| {
            let (Some(name), Some(table)) =
                (name_of(entry, shelf.name), entry.get_ref().as_table())
            else {
                return;
            };
            for (key, value) in table {
                collect(shelf, name, key.get_ref().to_string(), value, &mut found);
            }
        };
        own().for_each(&mut add);
        list(texts, shelf)
            .filter(|entry| name_of(entry, shelf.name).is_some_and(|name| !is_own(name)))
            .for_each(&mut add);
    }
    found
}

/// Collects the tunable numbers at and below a key of an entry.
fn collect(
    shelf: &Shelf,
    card: &str,
    key: String,
    value: &Spanned<DeValue<'_>>,
    found: &mut Vec<Number>,
) {
    let last = key.rsplit('.').next().unwrap_or_default();
    let is_tunable = shelf.tunable.contains(&last);
    let mut add = |values: Vec<i64>| {
        let (card, key) = (card.to_owned(), key.clone());
        found.push(Number { card, noun: shelf.noun, key, values, possible: None });
    };
    match value.get_ref() {
        DeValue::Integer(_) if is_tunable => add(integer(value).into_iter().collect()),
        DeValue::Array(entries) if entries.iter().all(|entry| entry.get_ref().is_integer()) => {
            let values: Vec<i64> = entries.iter().filter_map(integer).collect();
            if is_tunable && !values.is_empty() {
                add(values);
            }
        }
        DeValue::Array(entries) => {
            for (at, entry) in entries.iter().enumerate() {
                collect(shelf, card, format!("{key}.{at}"), entry, found);
            }
        }
        DeValue::Table(table) => {
            for (below, value) in table {
                collect(shelf, card, format!("{key}.{}", below.get_ref()), value, found);
            }
        }
        DeValue::Integer(_)
        | DeValue::String(_)
        | DeValue::Float(_)
        | DeValue::Boolean(_)
        | DeValue::Datetime(_) => {}
    }
}

fn integer(value: &Spanned<DeValue<'_>>) -> Option<i64> {
    let DeValue::Integer(number) = value.get_ref() else { return None };
    i64::try_from(whole_of(number)?).ok()
}

/// The tables that entries of a shelf come from: its file, and the list made for the scenario.
type Texts = [Option<&'static DeTable<'static>>; 2];

/// Reports numbers with a plus sign but without quotes, and texts that begin like a relative amount and are none. Returns whether
/// this value itself is free of such a fault. With `take_out`, faulty lines are removed from their tables.
fn refuse_amounts(
    document: &Document,
    value: &mut Spanned<DeValue<'_>>,
    take_out: bool,
    faults: &mut Vec<Fault>,
) -> bool {
    if let Some(fault) = fault_of_amount(document, value) {
        faults.push(fault);
        return false;
    }
    match value.get_mut() {
        DeValue::Array(entries) => {
            for entry in entries.as_mut() {
                refuse_amounts(document, entry, take_out, faults);
            }
        }
        DeValue::Table(table) => {
            let mut refused = Vec::new();
            for (key, entry) in table.iter_mut() {
                if !refuse_amounts(document, entry, take_out, faults) && take_out {
                    refused.push(key.get_ref().to_string());
                }
            }
            for key in refused {
                table.remove(key.as_str());
            }
        }
        DeValue::Integer(_)
        | DeValue::Float(_)
        | DeValue::String(_)
        | DeValue::Boolean(_)
        | DeValue::Datetime(_) => {}
    }
    true
}

/// The fault of a single value as a change, if it has one. TOML reads `+1` as the number 1, which is hardly ever meant
/// where `"+1"` is one more. On the command line signs have no quotes.
fn fault_of_amount(document: &Document, value: &Spanned<DeValue<'_>>) -> Option<Fault> {
    match value.get_ref() {
        DeValue::Integer(_) | DeValue::Float(_) => {
            let text = document.source.inner().get(value.span())?;
            let number = text.strip_prefix('+')?;
            let message = format!("`{text}` without quotes is the number {number}");
            let remedy = format!(
                "write `\"{text}\"` for {number} more than there is, or `{number}` for exactly that"
            );
            Some(document.fault(value.span(), message, remedy))
        }
        DeValue::String(text)
            if looks_like_an_amount(text) && amount(value.get_ref()).is_none() =>
        {
            let message = format!("`{text}` is no change of a number");
            let remedy = "write `\"+4\"` for 4 more than there is, `\"-4\"` for 4 less, or `4` for exactly that";
            Some(document.fault(value.span(), message, remedy))
        }
        DeValue::String(_)
        | DeValue::Boolean(_)
        | DeValue::Datetime(_)
        | DeValue::Array(_)
        | DeValue::Table(_) => None,
    }
}

/// Whether a text begins like a relative amount: a sign, then a digit or another sign.
fn looks_like_an_amount(text: &str) -> bool {
    let rest = text.strip_prefix(['+', '-']);
    rest.is_some_and(|rest| {
        rest.starts_with(|of: char| of.is_ascii_digit() || matches!(of, '+' | '-'))
    })
}

/// Changes an entry of a shelf; returns false when there is none of this name.
fn change_one<'t>(
    table: &mut DeTable<'t>,
    shelf: &Shelf,
    texts: Texts,
    name: &str,
    span: &Range<usize>,
    change: &Spanned<DeValue<'t>>,
    wrong: &mut Vec<Wrong>,
) -> bool {
    let is_it = |entry: &Spanned<DeValue<'_>>| name_of(entry, shelf.name) == Some(name);
    if let Some(DeValue::Array(own)) = table.get_mut(shelf.list).map(Spanned::get_mut)
        && let Some(entry) = own.as_mut().iter_mut().find(|entry| is_it(entry))
    {
        merge(entry, &without_name(change, shelf, name, wrong), CHANGES, wrong);
        return true;
    }
    let Some(known) = list(texts, shelf).find(|entry| is_it(entry)) else { return false };
    let mut entry: Spanned<DeValue<'t>> = at_place(known.get_ref().clone(), span);
    merge(&mut entry, &without_name(change, shelf, name, wrong), CHANGES, wrong);
    let own = table
        .entry(Spanned::new(span.clone(), shelf.list.into()))
        .or_insert_with(|| Spanned::new(span.clone(), DeValue::Array(DeArray::new())));
    // Anything but a list here is a fault of the scenario's shape.
    if let DeValue::Array(own) = own.get_mut() {
        own.push(entry);
    }
    true
}

/// Removes a name from a change, and reports one that differs: a card cannot be renamed, since decks and sides would
/// still use the old name.
fn without_name<'t>(
    change: &Spanned<DeValue<'t>>,
    shelf: &Shelf,
    name: &str,
    wrong: &mut Vec<Wrong>,
) -> Spanned<DeValue<'t>> {
    let mut change = change.clone();
    if let DeValue::Table(table) = change.get_mut()
        && let Some(renamed) = table.remove(shelf.name)
        && renamed.get_ref().as_str() != Some(name)
    {
        let Shelf { list, noun, name: key, .. } = shelf;
        wrong.push(Wrong {
            span: renamed.span(),
            message: format!("a change does not rename the {noun} `{name}`"),
            remedy: format!(
                "take `{key}` out; a {noun} of another name is one of your own, under `[[{list}]]`"
            ),
        });
    }
    change
}

/// Merges a change into a value. A part that makes no sense is reported and left out. `key` is the value's own key.
fn merge<'t>(
    base: &mut Spanned<DeValue<'t>>,
    change: &Spanned<DeValue<'t>>,
    key: &str,
    wrong: &mut Vec<Wrong>,
) {
    let by = amount(change.get_ref());
    match (base.get_mut(), change.get_ref()) {
        (DeValue::Table(table), DeValue::Table(changes)) => {
            for (key, change) in changes {
                match table.get_mut(key.get_ref().as_ref()) {
                    Some(known) => merge(known, change, key.get_ref(), wrong),
                    None => {
                        table.insert(key.clone(), change.clone());
                    }
                }
            }
        }
        // An entry of a list is named by its index, as in a path of a sweep.
        (DeValue::Array(entries), DeValue::Table(changes))
            if changes.keys().all(|key| place(key.get_ref(), entries.len()).is_some()) =>
        {
            for (key, change) in changes {
                let at = place(key.get_ref(), entries.len()).expect("all are places");
                merge(&mut entries.as_mut()[at], change, key.get_ref(), wrong);
            }
        }
        (DeValue::Integer(number), DeValue::String(_)) if by.is_some() => {
            let known = whole_of(number).and_then(|number| i64::try_from(number).ok());
            match known.zip(by).and_then(|(a, b)| a.checked_add(b)) {
                Some(sum) => *base = at_place(whole(sum), &change.span()),
                None => wrong.push(Wrong {
                    span: change.span(),
                    message: format!("`{key}` cannot be changed by so much"),
                    remedy: "write the number that it should be".to_owned(),
                }),
            }
        }
        // A list with a number for each level: all of them change.
        (DeValue::Array(entries), DeValue::String(_)) if by.is_some() && are_numbers(entries) => {
            let each = entries.as_mut().iter_mut();
            each.for_each(|entry| merge(entry, change, key, wrong));
        }
        (DeValue::Array(entries), DeValue::Integer(number)) if are_numbers(entries) => {
            let there: Vec<String> =
                entries.iter().filter_map(integer).map(|number| number.to_string()).collect();
            let each =
                whole_of(number).map_or_else(|| number.as_str().to_owned(), |of| of.to_string());
            let instead = vec![each; there.len()].join(", ");
            wrong.push(Wrong {
                span: change.span(),
                message: format!("`{key}` is a list here: [{}]", there.join(", ")),
                remedy: format!(
                    "write all of it, such as `{key} = [{instead}]`, or `\"+1\"` for 1 more of each"
                ),
            });
        }
        _ => *base = change.clone(),
    }
}

/// Whether a list is not empty and holds only whole numbers.
fn are_numbers(entries: &DeArray<'_>) -> bool {
    !entries.is_empty() && entries.iter().all(|entry| entry.get_ref().is_integer())
}

/// Parses a relative amount such as `"+1"` or `"-1"`; None for anything else.
pub(super) fn amount(change: &DeValue<'_>) -> Option<i64> {
    let text = change.as_str()?;
    text.starts_with(['+', '-']).then(|| text.parse().ok()).flatten()
}

fn place(key: &str, length: usize) -> Option<usize> {
    key.parse().ok().filter(|&at| at < length)
}

fn whole(number: i64) -> DeValue<'static> {
    DeValue::parse(kept(&number.to_string())).expect("a whole number is TOML").into_inner()
}

/// The name of an entry.
fn name_of<'e>(entry: &'e Spanned<DeValue<'_>>, key: &str) -> Option<&'e str> {
    entry.get_ref().as_table()?.get(key)?.get_ref().as_str()
}

fn list(texts: Texts, shelf: &Shelf) -> impl Iterator<Item = &'static Spanned<DeValue<'static>>> {
    let key = shelf.list;
    let list = move |table: &'static DeTable<'static>| table.get(key)?.get_ref().as_array();
    texts.into_iter().flatten().filter_map(list).flat_map(|list| list.iter())
}

fn names(texts: Texts, shelf: &Shelf) -> impl Iterator<Item = &'static str> {
    let key = shelf.name;
    list(texts, shelf).filter_map(move |entry| name_of(entry, key))
}

/// The names of the entries in a scenario's own list.
fn own_names<'s>(scenario: &'s DeTable<'_>, shelf: &Shelf) -> impl Iterator<Item = &'s str> {
    let own = scenario.get(shelf.list).and_then(|own| own.get_ref().as_array());
    let key = shelf.name;
    own.into_iter().flat_map(|own| own.iter()).filter_map(move |entry| name_of(entry, key))
}

/// Whether a shelf's file could be read.
fn is_read(texts: Texts, shelf: &Shelf) -> bool {
    let [file, _] = texts;
    file.and_then(|table| table.get(shelf.list)).is_some_and(|list| list.get_ref().is_array())
}

/// A shelf's file as a table. None where it cannot be read or has faults, which the regular reading of the file
/// reports.
fn entries_of(
    document: &Document,
    scenario: &DeTable<'_>,
    shelf: &Shelf,
) -> Option<&'static DeTable<'static>> {
    let file = shelf.file.and_then(|key| scenario.get(key)?.get_ref().as_str());
    let Some(path) = file else { return parsed(shelf.bundled) };
    if !document.outside_is_allowed && !document.folder.holds(path) {
        return None;
    }
    parsed(kept(&document.folder.read(path).ok()?))
}

/// Keeps a text until the program ends. Each text is kept once: these are a few files and numbers, which a sweep then
/// reads once.
fn kept(text: &str) -> &'static str {
    static KEPT: LazyLock<Mutex<HashMap<String, &'static str>>> = LazyLock::new(Mutex::default);
    let mut kept = locked(&KEPT);
    if let Some(known) = kept.get(text) {
        return known;
    }
    let leaked: &'static str = Box::leak(text.to_owned().into_boxed_str());
    kept.insert(text.to_owned(), leaked);
    leaked
}

fn parsed(text: &'static str) -> Option<&'static DeTable<'static>> {
    type Parsed = HashMap<&'static str, Option<&'static DeTable<'static>>>;
    static PARSED: LazyLock<Mutex<Parsed>> = LazyLock::new(Mutex::default);
    let mut parsed = locked(&PARSED);
    *parsed.entry(text).or_insert_with(|| {
        let table: &'static Spanned<DeTable<'static>> =
            Box::leak(Box::new(DeTable::parse(text).ok()?));
        Some(table.get_ref())
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn merged(base: &'static str, change: &'static str) -> String {
        let mut base = DeValue::parse(base).expect("TOML");
        let mut wrong = Vec::new();
        merge(&mut base, &DeValue::parse(change).expect("TOML"), "x", &mut wrong);
        if let [wrong] = &wrong[..] {
            return wrong.message.clone();
        }
        let table = DeTable::from_iter([(Spanned::new(0..0, "x".into()), base)]);
        let value: toml::Table = serde::Deserialize::deserialize(toml::de::Deserializer::from(
            Spanned::new(0..0, table),
        ))
        .expect("a table");
        value["x"].to_string()
    }

    #[test]
    fn what_a_change_says_takes_the_place_of_what_there_is() {
        assert_eq!(merged("4", "6"), "6");
        assert_eq!(merged("4", "\"+2\""), "6");
        assert_eq!(merged("[1, 5, 9]", "\"-1\""), "[0, 4, 8]");
        assert_eq!(merged("[1, 5, 9]", "{ 1 = 6 }"), "[1, 6, 9]");
        assert_eq!(merged("[1, 5, 9]", "[2, 2, 2]"), "[2, 2, 2]");
        assert_eq!(merged("[1, 5, 9]", "2"), "`x` is a list here: [1, 5, 9]");
        assert_eq!(merged("{ a = 1, b = 2 }", "{ b = \"+1\", c = 4 }"), "{ a = 1, b = 3, c = 4 }");
        assert_eq!(merged("\"Attack\"", "\"+1\""), "\"+1\"");
    }
}
