//! Paths into a scenario, and setting the value at the end of one.

use std::ops::Range;

use toml::Spanned;
use toml::de::{DeTable, DeValue};

use super::changes::CHANGES;
use super::common::is_common;
use super::sweep::{Axis, Setting};

/// Why a path is not valid.
pub(super) struct Unsteppable {
    pub message: String,
    pub remedy: String,
}

/// Splits a path into its keys. Keys that all games share cannot be varied.
pub(super) fn steps_of(path: &str) -> Result<Vec<String>, Unsteppable> {
    let unsteppable =
        |message: String, remedy: &str| Err(Unsteppable { message, remedy: remedy.to_owned() });
    let mut steps = Vec::new();
    let mut rest = path.trim();
    loop {
        let (step, after) = match rest.chars().next() {
            Some(quote @ ('"' | '\'')) => match rest[1..].split_once(quote) {
                Some((step, after)) => (step, after.trim_start()),
                None => return unsteppable(format!("`{path}` has an open quote"), "close it"),
            },
            _ => {
                let end = rest.find('.').unwrap_or(rest.len());
                (rest[..end].trim(), &rest[end..])
            }
        };
        if step.is_empty() {
            let remedy = "a path is keys joined by dots, such as `rulesets.two`";
            return unsteppable(format!("`{path}` is not a path"), remedy);
        }
        steps.push(step.to_owned());
        match after.strip_prefix('.') {
            Some(after) => rest = after,
            None if after.is_empty() => break,
            None => {
                let remedy = "a path is keys joined by dots, such as `rulesets.two`";
                return unsteppable(format!("`{path}` is not a path"), remedy);
            }
        }
    }
    if is_common(&steps[0]) {
        let message = format!("`{}` is the same for all variants", steps[0]);
        return unsteppable(message, "vary something of the game");
    }
    Ok(steps)
}

/// Why a value cannot be set at a path.
pub(super) struct Unset {
    pub message: String,
    pub remedy: String,
}

/// The name or the title of an entry of a list.
fn called<'e>(entry: &'e Spanned<DeValue<'_>>) -> Option<&'e str> {
    let table = entry.get_ref().as_table()?;
    table.get("name").or_else(|| table.get("title"))?.get_ref().as_str()
}

/// The list of cards that a scenario adds to those of a file.
pub(super) const NEW_CARDS: &str = "new_cards";

/// The lists whose entries may come from a file: a path that names an entry which the scenario itself does not have is
/// a change of the file's entry.
const FROM_FILES: [&str; 3] = ["cards", "minions", "spells"];

/// The names of the entries that a scenario defines itself, beside those of files, in the order of the lists, each with
/// the place of its entry.
pub(super) fn own_entries(table: &DeTable<'_>) -> Vec<(String, Range<usize>)> {
    let lists = FROM_FILES.into_iter().chain([NEW_CARDS]);
    let entries = lists.filter_map(|list| table.get(list)?.get_ref().as_array()).flatten();
    entries.filter_map(|entry| Some((called(entry)?.to_owned(), place_of_name(entry)?))).collect()
}

/// Where an entry of a list has its name or title.
fn place_of_name(entry: &Spanned<DeValue<'_>>) -> Option<Range<usize>> {
    let table = entry.get_ref().as_table()?;
    table.get("name").or_else(|| table.get("title")).map(Spanned::span)
}

/// Whether entries of this list may come from a file.
pub(super) fn is_from_files(list: &str) -> bool {
    FROM_FILES.contains(&list)
}

/// Redirects a path to `[changes]` where it means a file's entry: `cards."Pit Ogre".health` means `changes."Pit
/// Ogre".health`, unless the scenario has such a card of its own. It does so of the scenario's own, too, where something is
/// to be added to what is written of it.
pub(super) fn reroute(table: &DeTable<'_>, axis: &mut Axis) {
    let [list, name, _, ..] = &axis.steps[..] else { return };
    if !is_from_files(list) {
        return;
    }
    let own = table.get(list.as_str()).and_then(|own| own.get_ref().as_array());
    let at = name.parse::<usize>();
    let is_it = |(place, entry): &(usize, &Spanned<DeValue<'_>>)| match &at {
        Ok(at) => at == place,
        Err(_) => called(entry) == Some(name.as_str()),
    };
    let found = own.into_iter().flat_map(|own| own.iter()).enumerate().find(is_it);
    let renamed = match found {
        Some((_, entry)) if axis.values.iter().any(Setting::is_amount) => called(entry),
        Some(_) => None,
        None => at.is_err().then_some(name.as_str()),
    };
    if let Some(name) = renamed.map(str::to_owned) {
        CHANGES.clone_into(&mut axis.steps[0]);
        axis.steps[1] = name;
    }
}

/// Sets the value at a path of the document, and makes tables that are missing on the way; whether the game knows them
/// is checked by its schema.
pub(super) fn set<'t>(
    table: &mut DeTable<'t>,
    axis: &'t Axis,
    steps: &'t [String],
    value: Spanned<DeValue<'t>>,
) -> Result<(), Unset> {
    let (key, rest) = steps.split_first().expect("a path has steps");
    if table.get(key.as_str()).is_none() {
        // In a change, an index is a key of the change's own table, so that the list need not exist.
        let is_change = axis.steps[0] == CHANGES;
        let is_place = |step: &&String| step.parse::<usize>().is_ok() && !is_change;
        if let Some(entry) = rest.first().filter(is_place) {
            return Err(Unset {
                message: format!(
                    "the scenario has no `{key}`, so there is no entry `{entry}` in it"
                ),
                remedy: format!(
                    "write `{key}` in the scenario, or end the path there and set the whole list"
                ),
            });
        }
        let empty = Spanned::new(axis.span.clone(), DeValue::Table(DeTable::new()));
        table.insert(Spanned::new(axis.span.clone(), key.into()), empty);
    }
    let entry = table.get_mut(key.as_str()).expect("it was just put there");
    step_into(entry, axis, key, rest, value)
}

fn step_into<'t>(
    entry: &mut Spanned<DeValue<'t>>,
    axis: &'t Axis,
    key: &str,
    rest: &'t [String],
    value: Spanned<DeValue<'t>>,
) -> Result<(), Unset> {
    let Some((next, after)) = rest.split_first() else {
        *entry = value;
        return Ok(());
    };
    match entry.get_mut() {
        DeValue::Table(table) => set(table, axis, rest, value),
        DeValue::Array(entries) => {
            let name = |entry: &Spanned<DeValue<'t>>| called(entry).map(str::to_owned);
            let names: Vec<Option<String>> = entries.iter().map(name).collect();
            let at = next.parse().ok().filter(|&at| at < entries.len()).or_else(|| {
                names.iter().position(|name| name.as_ref().is_some_and(|name| name == next))
            });
            let Some(at) = at else {
                let listing = match entries.len() {
                    0 => "the list is empty".to_owned(),
                    length => format!("its entries are counted from 0 to {}", length - 1),
                };
                let known = names.iter().flatten().map(String::as_str);
                return Err(Unset {
                    message: format!("`{key}` has no entry `{next}`"),
                    remedy: super::suggestion(next, known, &listing),
                });
            };
            step_into(&mut entries.as_mut()[at], axis, next, after, value)
        }
        _ => {
            // Whether the card has one number or a list of them is known only when the change is made.
            let is_level = axis.steps[0] == CHANGES && next.parse::<usize>().is_ok();
            let remedy = match is_level {
                true => format!(
                    "end the path there; or, where there is a number for each level, let `[changes]` list them all \
                     (`{key} = [...]`), and the path leads to one of them"
                ),
                false => "end the path there".to_owned(),
            };
            let message = format!("`{key}` is a single value and has no `{next}` in it");
            Err(Unset { message, remedy })
        }
    }
}

/// A value whose parts all have the same span.
pub(super) fn at_place<'t>(value: DeValue<'t>, span: &Range<usize>) -> Spanned<DeValue<'t>> {
    let moved = match value {
        DeValue::Array(entries) => DeValue::Array(
            entries.into_iter().map(|entry| at_place(entry.into_inner(), span)).collect(),
        ),
        DeValue::Table(table) => DeValue::Table(
            table
                .into_iter()
                .map(|(key, value)| {
                    let key = Spanned::new(span.clone(), key.into_inner());
                    (key, at_place(value.into_inner(), span))
                })
                .collect(),
        ),
        single => single,
    };
    Spanned::new(span.clone(), moved)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn steps(path: &str) -> Option<Vec<String>> {
        steps_of(path).ok()
    }

    #[test]
    fn paths() {
        let of = |steps: &[&str]| Some(steps.iter().map(|&step| step.to_owned()).collect());
        assert_eq!(steps("rulesets.two"), of(&["rulesets", "two"]));
        assert_eq!(steps("characters.0.hp"), of(&["characters", "0", "hp"]));
        assert_eq!(steps("changes.\"Dr. No\".health"), of(&["changes", "Dr. No", "health"]));
        assert_eq!(steps("changes.'Pit Ogre'"), of(&["changes", "Pit Ogre"]));
        assert_eq!(steps("changes.Pit Ogre.mana"), of(&["changes", "Pit Ogre", "mana"]));
        for wrong in ["", ".", "a..b", "a.", "a.\"b", "a.\"b\"c", "seed", "watch.tables"] {
            assert_eq!(steps(wrong), None, "{wrong}");
        }
    }
}
