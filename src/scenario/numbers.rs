//! Whole numbers of cards that `[changes]` can change, and edited documents in which some of them differ.
//!
//! An edited document is a text again and keeps everything that was in it, comments too. So every variant that is tried
//! can be written down, and the written one plays just as the one that was tried.

use std::path::{Component, Path, PathBuf};

use toml_edit::{DocumentMut, InlineTable, Item, Table, Value};

use super::changes::CHANGES;
use super::{Document, Folder, Spot, with_line_ends_of};

/// A whole number of a card, or one for each of its levels.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Number {
    /// The name of the card, minion or spell.
    pub card: String,
    /// The singular noun for a card.
    pub noun: &'static str,
    /// Its key in a change of the card, joined by dots: `health`, `effects.0.amount`.
    pub key: String,
    /// Its value, or one value for each level.
    pub values: Vec<i64>,
    /// The least and the greatest allowed value, where the game states them; None where only the check of the scenario
    /// finds out.
    pub possible: Option<(i64, i64)>,
}

impl Number {
    /// The number as people write it: `Pit Ogre.health`.
    #[must_use]
    pub fn path(&self) -> String {
        format!("{}.{}", self.card, self.key)
    }

    /// Its key in words for people: `discard down to: amount` for `abilities.0.do.0.discard_down_to.amount`. Where it is
    /// not in the first entry of a list, the entry is named, counted from 1: `damage: amount (abilities 2)`.
    #[must_use]
    pub fn words(&self) -> String {
        let steps: Vec<&str> = self.key.split('.').collect();
        let is_entry = |step: &str| step.parse::<usize>().is_ok();
        let named: Vec<&str> =
            steps.iter().copied().filter(|step| !is_entry(step) && *step != "do").collect();
        let last = named[named.len().saturating_sub(2)..].join(": ").replace('_', " ");
        let entries = steps.windows(2).filter_map(|pair| {
            let entry: usize = pair[1].parse().ok().filter(|&entry| entry > 0)?;
            Some(format!("{} {}", pair[0].replace('_', " "), entry + 1))
        });
        let entries: Vec<String> = entries.collect();
        match entries[..] {
            [] => last,
            _ => format!("{last} ({})", entries.join(", ")),
        }
    }

    /// The value after adding `by`, in words: `4`, or `2 to 5` where levels differ.
    #[must_use]
    pub fn told(&self, by: i64) -> String {
        let (low, high) = self.ends();
        if low == high { (low + by).to_string() } else { format!("{} to {}", low + by, high + by) }
    }

    /// The least and the greatest value over its levels.
    #[must_use]
    pub fn ends(&self) -> (i64, i64) {
        let low = self.values.iter().copied().min().unwrap_or(0);
        (low, self.values.iter().copied().max().unwrap_or(0))
    }
}

/// An edit of a number: adds an amount at every level.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Edit {
    /// The name of the card.
    pub card: String,
    /// The key in a change of the card.
    pub key: String,
    /// The amount that is added.
    pub by: i64,
}

impl Edit {
    fn steps(&self) -> Vec<&str> {
        [CHANGES, &self.card].into_iter().chain(self.key.split('.')).collect()
    }
}

impl Document {
    /// This document with edits, which are added to its `[changes]`.
    ///
    /// # Panics
    /// When the text is not TOML: it has been read before.
    #[must_use]
    pub fn edited(&self, edits: &[Edit]) -> Self {
        self.with_text(written(self.source.inner(), edits).to_string())
    }
}

impl Document {
    /// The text for storing the document in another folder: the relative paths at the places `files` are rewritten to
    /// start there. Absolute paths stay as they are, and so do all paths where the other folder is the same one or does
    /// not exist. It begins with a byte order mark if the document's own file does.
    ///
    /// # Panics
    /// When the text is not TOML: it has been read before.
    #[must_use]
    pub fn text_in(&self, folder: &Path, files: &[Spot]) -> String {
        let text = self.source.inner();
        // A bundled scenario is in no folder on disk.
        let Folder::Disk(old) = &self.folder else { return self.as_it_is() };
        let (Ok(old), Ok(new)) = (there(old), there(folder)) else { return self.as_it_is() };
        if old == new || files.is_empty() {
            return self.as_it_is();
        }
        let mut document: DocumentMut = text.parse().expect("it was read as TOML before");
        for spot in files {
            let steps: Vec<String> = spot.steps().collect();
            let found =
                steps.iter().try_fold(document.as_item_mut(), |item, step| item.get_mut(step));
            let Some(value) = found.and_then(Item::as_value_mut) else { continue };
            let Some(path) = value.as_str().map(PathBuf::from) else { continue };
            if path.is_absolute() {
                continue;
            }
            let decor = value.decor().clone();
            *value = seen_from(&new, &old, &path).display().to_string().into();
            *value.decor_mut() = decor;
        }
        self.as_file(with_line_ends_of(text, document.to_string()))
    }

    /// The text for storing the document as it is, with the byte order mark that its file begins with, if any.
    #[must_use]
    pub fn as_it_is(&self) -> String {
        self.as_file(self.source.inner().clone())
    }
}

fn there(folder: &Path) -> std::io::Result<PathBuf> {
    let here = Path::new(".");
    if folder.as_os_str().is_empty() { here.canonicalize() } else { folder.canonicalize() }
}

/// Rewrites a path from the folder `old` as a path from the folder `new`; as an absolute one where no relative path
/// leads there, as between two drives.
fn seen_from(new: &Path, old: &Path, path: &Path) -> PathBuf {
    let whole = old.join(path);
    // A symbolic link to the file itself is kept, since the scenario names the link; links to folders on the way are
    // resolved.
    let parent = whole.parent().and_then(|parent| parent.canonicalize().ok());
    let file = match (parent, whole.file_name()) {
        (Some(parent), Some(name)) => parent.join(name),
        _ => whole,
    };
    let (from, to): (Vec<Component<'_>>, Vec<Component<'_>>) =
        (new.components().collect(), file.components().collect());
    let shared = from.iter().zip(&to).take_while(|(from, to)| from == to).count();
    if shared == 0 {
        return file;
    }
    let up = from[shared..].iter().map(|_| Component::ParentDir);
    up.chain(to[shared..].iter().copied()).collect()
}

fn written(text: &str, edits: &[Edit]) -> DocumentMut {
    let mut document: DocumentMut = text.parse().expect("it was read as TOML before");
    for edit in edits {
        add(document.as_item_mut(), &edit.steps(), 0, edit.by);
    }
    document
}

/// The lines of `[changes]` for these edits, combined with the document's own changes of the same numbers.
///
/// # Panics
/// When the text is not TOML: it has been read before.
#[must_use]
pub fn changes_text(document: &Document, edits: &[Edit]) -> String {
    let whole = written(document.source.inner(), edits);
    let mut alone = DocumentMut::new();
    for edit in edits {
        let steps = edit.steps();
        let (item, depth) = reached(whole.as_item(), &steps);
        let Ok(mut value) = item.clone().into_value() else { continue };
        value.decor_mut().clear();
        put(alone.as_item_mut(), &steps[..depth], 0, value);
    }
    alone.to_string().trim_start().to_owned()
}

/// The item at the end of a path, the first list on the way, or the last item that exists; and the number of steps that
/// lead to it.
fn reached<'i>(mut item: &'i Item, steps: &[&str]) -> (&'i Item, usize) {
    for (depth, step) in steps.iter().enumerate() {
        match item.get(step) {
            Some(below) if !item.is_array() && !item.is_array_of_tables() => item = below,
            Some(_) | None => return (item, depth),
        }
    }
    (item, steps.len())
}

/// Adds to the number at the end of a path; where there is none, writes a relative amount such as `"+1"`.
fn add(item: &mut Item, steps: &[&str], depth: usize, by: i64) {
    let Some((step, rest)) = steps.split_first() else {
        if let Some(value) = item.as_value_mut() {
            more(value, by);
        }
        return;
    };
    match item {
        Item::Value(value) => add_in_value(value, steps, by),
        Item::ArrayOfTables(tables) => {
            if let Some(table) = step.parse().ok().and_then(|at: usize| tables.get_mut(at)) {
                let mut inner = Item::Table(std::mem::take(table));
                add(&mut inner, rest, depth + 1, by);
                if let Item::Table(changed) = inner {
                    *table = changed;
                }
            }
        }
        Item::Table(table) => match table.get_mut(step) {
            Some(known) => add(known, rest, depth + 1, by),
            None => put(item, steps, depth, signed(by)),
        },
        Item::None => {}
    }
}

fn add_in_value(value: &mut Value, steps: &[&str], by: i64) {
    let Some((step, rest)) = steps.split_first() else { return more(value, by) };
    match value {
        Value::InlineTable(table) => match table.get_mut(step) {
            Some(known) => add_in_value(known, rest, by),
            None => {
                table.insert(*step, inline(rest, signed(by)));
            }
        },
        Value::Array(entries) => {
            if let Some(entry) = step.parse().ok().and_then(|at: usize| entries.get_mut(at)) {
                add_in_value(entry, rest, by);
            }
        }
        // The check of the scenario reports this.
        Value::String(_)
        | Value::Integer(_)
        | Value::Float(_)
        | Value::Boolean(_)
        | Value::Datetime(_) => {}
    }
}

/// Nested inline tables with a value in the innermost.
fn inline(steps: &[&str], value: Value) -> Value {
    steps.iter().rev().fold(value, |value, step| {
        let mut table = InlineTable::new();
        table.insert(*step, value);
        Value::InlineTable(table)
    })
}

/// Sets a value at the end of a path of tables, and makes missing tables: `[changes."Card"]` with a line for each
/// number.
fn put(item: &mut Item, steps: &[&str], depth: usize, value: Value) {
    let (Some((step, rest)), Some(table)) = (steps.split_first(), item.as_table_mut()) else {
        return;
    };
    if rest.is_empty() {
        table.insert(step, Item::Value(value));
        return;
    }
    if !table.contains_key(step) {
        let mut made = Table::new();
        made.set_implicit(depth == 0);
        made.set_dotted(depth > 1);
        table.insert(step, Item::Table(made));
    }
    if let Some(below) = table.get_mut(step) {
        put(below, rest, depth + 1, value);
    }
}

fn more(value: &mut Value, by: i64) {
    let decor = value.decor().clone();
    match value {
        Value::Integer(number) => *value = (number.value() + by).into(),
        Value::String(text) => {
            if let Ok(number) = text.value().parse::<i64>() {
                *value = signed(number + by);
            }
        }
        Value::Array(entries) => entries.iter_mut().for_each(|entry| more(entry, by)),
        Value::Float(_) | Value::Boolean(_) | Value::Datetime(_) | Value::InlineTable(_) => {}
    }
    *value.decor_mut() = decor;
}

fn signed(by: i64) -> Value {
    format!("{by:+}").into()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::scenario::Folder;

    fn edit(card: &str, key: &str, by: i64) -> Edit {
        Edit { card: card.to_owned(), key: key.to_owned(), by }
    }

    fn edited(text: &str, edits: &[Edit]) -> String {
        let document = Document::new("x", text.to_owned(), Folder::Disk("".into()));
        let written = document.edited(edits);
        // The lines of changes alone contain the same numbers.
        let alone: DocumentMut = changes_text(&document, edits).parse().unwrap();
        for edit in edits {
            let steps = edit.steps();
            let (item, depth) = reached(alone.as_item(), &steps);
            let whole: DocumentMut = written.source.inner().parse().unwrap();
            let (other, deep) = reached(whole.as_item(), &steps);
            // The scenario's own comment stays with it.
            let text = |item: &Item| {
                let mut value = item.as_value().expect("an edit is a value").clone();
                value.decor_mut().clear();
                value.to_string()
            };
            assert_eq!((text(item), depth), (text(other), deep), "{}", edit.key);
        }
        written.source.inner().clone()
    }

    /// The mark is no part of the text that is read, so that it has to be put back.
    #[test]
    fn a_copy_begins_with_a_byte_order_mark_where_the_scenario_does() {
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("own.toml");
        for mark in ["", "\u{feff}"] {
            std::fs::write(&file, format!("{mark}cards = \"own.csv\"\n")).unwrap();
            let document = Document::read(&file).unwrap();
            let edited = document.edited(&[edit("Imp", "health", 1)]);
            let changed = "cards = \"own.csv\"\n\n[changes.Imp]\nhealth = \"+1\"\n";
            assert_eq!(edited.source.inner(), changed);
            assert_eq!(edited.as_it_is(), format!("{mark}{changed}"));
            let here = edited.text_in(folder.path(), &[Spot::top().key("cards")]);
            assert_eq!(here, format!("{mark}{changed}"));
            std::fs::create_dir_all(folder.path().join("new")).unwrap();
            let there = edited.text_in(&folder.path().join("new"), &[Spot::top().key("cards")]);
            assert_eq!(there, format!("{mark}{}", changed.replace("own.csv", "../own.csv")));
        }
    }

    #[test]
    fn edits_come_below_what_is_there() {
        let text = "game = \"x\" # which\n\n[sides]\na = [\"A\"]\n";
        let edits =
            [edit("Pit Ogre", "health", 1), edit("Pit Ogre", "mana", -2), edit("Imp", "a.0.b", 3)];
        let added = "\n[changes.\"Pit Ogre\"]\nhealth = \"+1\"\nmana = \"-2\"\n\n[changes.Imp]\na.0.b = \"+3\"\n";
        assert_eq!(edited(text, &edits), format!("{text}{added}"));
    }

    #[test]
    fn edits_add_to_the_changes_that_there_are() {
        let text = "[changes]\n\"Pit Ogre\" = { health = \"+1\", mana = 6, speed = [1, 2] } # ours\n\n[changes.Imp]\n# why\nhealth = 4 # four\neffects = [{ amount = 2 }]\n";
        let edits = [
            edit("Pit Ogre", "health", 1),
            edit("Pit Ogre", "mana", -2),
            edit("Pit Ogre", "speed", 1),
            edit("Pit Ogre", "armor", 1),
            edit("Imp", "health", -1),
            edit("Imp", "effects.0.amount", 2),
        ];
        let wanted = "[changes]\n\"Pit Ogre\" = { health = \"+2\", mana = 4, speed = [2, 3] , armor = \"+1\" } # ours\n\n[changes.Imp]\n# why\nhealth = 3 # four\neffects = [{ amount = 4 }]\n";
        let found = edited(text, &edits);
        let plain = |text: &str| text.replace(" ,", ",").replace("  ", " ");
        assert_eq!(plain(&found), plain(wanted));
    }

    #[test]
    fn a_number_is_named_in_words_that_tell_it_from_others() {
        let words = |key: &str| {
            let (card, key) = ("Imp".to_owned(), key.to_owned());
            Number { card, noun: "card", key, values: vec![1], possible: None }.words()
        };
        assert_eq!(words("melee"), "melee");
        assert_eq!(words("hit_points"), "hit points");
        assert_eq!(words("effects.0.amount"), "effects: amount");
        assert_eq!(words("effects.1.amount"), "effects: amount (effects 2)");
        let long = "abilities.0.do.0.discard_down_to.amount";
        assert_eq!(words(long), "discard down to: amount");
        let other = "abilities.2.do.1.discard_down_to.amount";
        assert_eq!(words(other), "discard down to: amount (abilities 3, do 2)");
    }

    #[test]
    fn numbers_are_told_by_their_ends() {
        let values = vec![2, 2, 5];
        let number = Number {
            card: "Imp".to_owned(),
            noun: "card",
            key: "attack".to_owned(),
            values,
            possible: None,
        };
        assert_eq!((number.told(0), number.told(-1)), ("2 to 5".to_owned(), "1 to 4".to_owned()));
        assert_eq!(number.path(), "Imp.attack");
    }
}
