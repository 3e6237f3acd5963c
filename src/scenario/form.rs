//! Reading a scenario of a given game.

use std::io::{self, ErrorKind, IsTerminal};
use std::ops::Range;
use std::path::Path;
use std::sync::Arc;

use miette::NamedSource;
use schemars::JsonSchema;
use serde::de::DeserializeOwned;
use serde_json::Value;
use toml::Spanned;
use toml::de::{DeTable, DeValue};

use super::common::is_common;
use super::deserialize::deserialize;
use super::fault::{Fault, Faults, Source};
use super::path::own_entries;
use super::syntax::tree;
use super::text::{MARK, read_marked, read_marked_stream, with_line_ends_of};
use super::unread::{ambiguous, unreadable};
use super::{Checker, Common, Folder, Number, Shelf, Spot, bundled, changes, shape};
use crate::game::Game;
use crate::inputs::how_to_read;
use crate::shell::STANDARD_INPUT;

/// The form of a game's scenarios: how they are written and checked.
pub trait Form: Game {
    /// The game's part of the file. Its keys stand beside those of [`Common`].
    type File: DeserializeOwned + JsonSchema;

    /// The entries that `[changes]` can change. Empty where the game reads its changes itself.
    const CHANGEABLE: &'static [Shelf] = &[];

    /// The whole numbers that `[changes]` can change, for a game that reads its changes itself. For other games they
    /// are found on the shelves of [`CHANGEABLE`](Self::CHANGEABLE).
    fn numbers(_file: &Self::File, _checker: &mut Checker<'_>) -> Vec<Number> {
        Vec::new()
    }

    /// Turns the file form into a setup that cannot be illegal, or reports every reason why it cannot.
    /// None exactly when the checker has faults.
    fn check(file: Self::File, common: &Common, checker: &mut Checker<'_>) -> Option<Self::Setup>;

    /// Whether a card, minion or spell of this name can come up in any battle of a setup.
    fn can_come_up(_setup: &Self::Setup, _name: &str) -> bool {
        true
    }
}

/// A scenario that passed every check.
#[derive(Debug)]
pub struct Loaded<S> {
    /// The file's name as the user gave it.
    pub name: String,
    /// The keys that all games share.
    pub common: Common,
    /// The setup to play.
    pub setup: S,
    /// A fingerprint of the scenario and every file it names.
    pub fingerprint: String,
    /// The places that name files, such as card catalogues.
    pub files: Vec<Spot>,
    /// Warnings: things that are allowed but probably not meant.
    pub warnings: Vec<Fault>,
    /// Warnings of cards and the like that no battle can have, and are the scenario's own or changed by it, each with all
    /// their names. A search for line-ups may choose them all the same.
    pub idle: Vec<(Vec<String>, Fault)>,
    /// The names of the cards, minions and spells that it defines itself, beside those of files.
    pub own: Vec<String>,
}

impl<S> Loaded<S> {
    /// All warnings, for whoever plays the scenario as it is.
    #[must_use]
    pub fn all_warnings(&self) -> Vec<Fault> {
        let idle = self.idle.iter().map(|(_, warning)| warning.clone());
        self.warnings.iter().cloned().chain(idle).collect()
    }
}

/// A scenario as it is written: its text, and the folder in which its paths start.
#[derive(Clone, Debug)]
pub struct Document {
    /// The text, under the name that messages use.
    pub source: Source,
    /// The folder in which its paths start.
    pub folder: Folder,
    /// Axes from the command line. Their spans are counted on from the end of the text.
    pub(super) arguments: Option<Source>,
    /// Whether files outside the folder may be read.
    pub(super) outside_is_allowed: bool,
    /// Whether its file begins with a byte order mark, which is no part of the text.
    is_marked: bool,
}

impl Document {
    /// A document with another text instead, of the same name and folder, with the same permission to read outside it and
    /// the same beginning of its file.
    pub(super) fn with_text(&self, text: String) -> Self {
        let text = with_line_ends_of(self.source.inner(), text);
        let other = Self::new(self.source.name(), text, self.folder.clone());
        let Self { outside_is_allowed, is_marked, .. } = *self;
        Self { outside_is_allowed, is_marked, ..other }
    }

    /// A text as a file of its own: it begins with a byte order mark if the document's file does, because the editor that
    /// wrote the mark may not know the encoding of a file without one.
    pub(super) fn as_file(&self, text: String) -> String {
        if self.is_marked { format!("{MARK}{text}") } else { text }
    }

    /// A scenario's text under a name.
    #[must_use]
    pub fn new(name: &str, text: String, folder: Folder) -> Self {
        let source = Arc::new(NamedSource::new(name, text).with_language("TOML"));
        Self::of(source, folder)
    }

    fn of(source: Source, folder: Folder) -> Self {
        Self { source, folder, arguments: None, outside_is_allowed: false, is_marked: false }
    }

    /// A fault at `span` of the text, or of the axes from the command line.
    pub(super) fn fault(
        &self,
        span: Range<usize>,
        message: impl Into<String>,
        remedy: impl Into<String>,
    ) -> Fault {
        let end = self.source.inner().len();
        match &self.arguments {
            Some(arguments) if span.start >= end => {
                let span = span.start - end..span.end - end;
                Fault::at(arguments, span, message, remedy)
            }
            _ => Fault::at(&self.source, span, message, remedy),
        }
    }

    /// Reads the scenario at a path. Where nothing has that path, it may be the name of a bundled scenario, or the end
    /// of one; `-` is standard input.
    ///
    /// # Errors
    /// One fault that says why it cannot be read.
    pub fn read(path: impl AsRef<Path>) -> Result<Self, Faults> {
        Self::find(path.as_ref(), true)
    }

    /// Reads the scenario that a baseline has noted: the file at that path, or the bundled scenario of exactly that
    /// name. Another one must not take the place of a file that is gone.
    ///
    /// # Errors
    /// One fault that says why it cannot be read.
    pub fn read_noted(path: impl AsRef<Path>) -> Result<Self, Faults> {
        Self::find(path.as_ref(), false)
    }

    fn find(path: &Path, an_end_will_do: bool) -> Result<Self, Faults> {
        let name = path.display().to_string();
        if path == Path::new("-") {
            return from_standard_input();
        }
        let error = match read_marked(path) {
            Ok((text, is_marked)) => {
                let folder = path.parent().unwrap_or(Path::new("")).to_owned();
                // Whatever notes this name must not find the bundled scenario by it when the file is gone.
                let name = if bundled::find(&name).is_some() { format!("./{name}") } else { name };
                return Ok(Self { is_marked, ..Self::new(&name, text, Folder::Disk(folder)) });
            }
            Err(error) => error,
        };
        // What exists but cannot be read does not stand for a bundled scenario, unless it is a folder.
        let is_there = path.symlink_metadata().is_ok_and(|found| !found.is_dir());
        let given = path.to_str().filter(|_| !is_there);
        if let Some((text, folder)) = given.and_then(bundled::find) {
            return Ok(Self::new(&name, text, folder));
        }
        let given = given.filter(|_| an_end_will_do && error.kind() == ErrorKind::NotFound);
        let fault = match given.map(bundled::ending).unwrap_or_default().as_slice() {
            [] => unreadable(path, &error),
            [whole] => {
                let (text, folder) = bundled::find(whole).expect("its name is listed");
                return Ok(Self::new(whole, text, folder));
            }
            several => ambiguous(&name, several),
        };
        Err(Faults::one(&*name, fault))
    }

    /// Whether this is a bundled scenario and no file.
    #[must_use]
    pub fn is_bundled(&self) -> bool {
        matches!(self.folder, Folder::Bundled(_))
    }

    /// Sets whether the scenario may name files outside its folder, as a trusted one may.
    #[must_use]
    pub fn allowing_outside(self, outside_is_allowed: bool) -> Self {
        Self { outside_is_allowed, ..self }
    }
}

/// Reads a scenario from standard input; its paths start in the folder that the program was started in.
fn from_standard_input() -> Result<Document, Faults> {
    if io::stdin().is_terminal() {
        let fault = Fault::new(
            "`-` reads a scenario from standard input, and nothing is piped there",
            "pipe one in, such as `evens run - < my.toml`, or name a file",
        );
        return Err(Faults::one(STANDARD_INPUT, fault));
    }
    match read_marked_stream(&mut io::stdin().lock()) {
        Ok((text, _)) if text.trim().is_empty() => {
            let remedy = "pipe a scenario in, such as `evens run - < my.toml`, or name a file";
            Err(Faults::one(STANDARD_INPUT, Fault::new("nothing came from standard input", remedy)))
        }
        Ok((text, is_marked)) => {
            let document = Document::new(STANDARD_INPUT, text, Folder::Disk("".into()));
            Ok(Document { is_marked, ..document })
        }
        Err(error) => {
            let fault =
                Fault::new(format!("cannot read {STANDARD_INPUT}: {error}"), how_to_read(&error));
            Err(Faults::one(STANDARD_INPUT, fault))
        }
    }
}

/// Reads and checks a scenario of a game.
///
/// # Errors
/// Every fault of the first stage that finds any.
pub fn load<G: Form>(document: &Document) -> Result<Loaded<G::Setup>, Faults> {
    load_tree::<G>(document, tree(&document.source)?)
}

/// Reads and checks a document's tree, or that of a variant.
///
/// # Errors
/// Every fault of the first stage that finds any.
pub fn load_tree<'t, G: Form>(
    document: &'t Document,
    tree: Spanned<DeTable<'t>>,
) -> Result<Loaded<G::Setup>, Faults> {
    // Changes put entries of files into the scenario's lists.
    let defined = own_entries(tree.get_ref());
    let changed = changes::changed(tree.get_ref());
    let mut reading = Reading::new(document, tree, G::CHANGEABLE, &schema::<G>())?;
    let own = read_form::<G::File>(&mut reading.checker, reading.own, Some(G::NAME));
    let mut checker = reading.checker;
    stop_if_faulty(reading.name, &mut checker)?;
    let common = reading.common.expect("no fault");
    let tables = common.watch.tables.iter().map(ToString::to_string);
    checker.warn_of_repeats(&Spot::top().key("watch").key("tables"), tables);
    let setup = G::check(own.expect("no fault"), &common, &mut checker);
    let mut loaded = finish(reading.name, common, setup, checker)?;
    let is_idle = |name: &str| !G::can_come_up(&loaded.setup, name);
    let idle = [
        unused(document, &changed, &is_idle, |names, them| {
            format!("no battle can have {names}: what is changed of {them} changes nothing")
        }),
        unused(document, &defined, &is_idle, |names, _| {
            format!("no battle can have the scenario's own {names}")
        }),
    ];
    loaded.idle = idle.into_iter().flatten().collect();
    Ok(Loaded { own: defined.into_iter().map(|(name, _)| name).collect(), ..loaded })
}

/// Those among named entries that no battle can have, with a warning at the first of them; None where all come up.
fn unused(
    document: &Document,
    entries: &[(String, Range<usize>)],
    is_idle: &dyn Fn(&str) -> bool,
    message: impl FnOnce(&str, &str) -> String,
) -> Option<(Vec<String>, Fault)> {
    /// How many are named.
    const NAMED: usize = 3;
    let idle: Vec<&(String, Range<usize>)> =
        entries.iter().filter(|(name, _)| is_idle(name)).collect();
    let (_, place) = idle.first()?;
    let all = idle.iter().map(|(name, _)| name.clone()).collect();
    let mut names: Vec<String> =
        idle.iter().take(NAMED).map(|(name, _)| format!("`{name}`")).collect();
    if idle.len() > NAMED {
        names.push(format!("{} more", idle.len() - NAMED));
    }
    let last = names.pop().unwrap_or_default();
    let (names, them) = match names.is_empty() {
        true => (last, "it"),
        false => (format!("{} and {last}", names.join(", ")), "them"),
    };
    let remedy = format!("give {them} to somebody who fights, or take {them} out");
    Some((all, document.fault(place.clone(), message(&names, them), remedy)))
}

/// The whole numbers of cards that a scenario's `[changes]` can change, with its present changes made.
///
/// # Errors
/// Every fault of the first stage that finds any.
pub fn numbers<G: Form>(document: &Document) -> Result<Vec<Number>, Faults> {
    let tree = tree(&document.source)?;
    if !G::CHANGEABLE.is_empty() {
        let (tree, faults) = changes::apply(document, tree, G::CHANGEABLE);
        return match faults.is_empty() {
            true => Ok(changes::numbers(document, tree.get_ref(), G::CHANGEABLE)),
            false => Err(Faults::new(document.source.name(), faults)),
        };
    }
    let mut reading = Reading::new(document, tree, G::CHANGEABLE, &schema::<G>())?;
    let own = read_form::<G::File>(&mut reading.checker, reading.own, Some(G::NAME));
    stop_if_faulty(reading.name, &mut reading.checker)?;
    let found = G::numbers(&own.expect("no fault"), &mut reading.checker);
    reading.checker.release();
    stop_if_faulty(reading.name, &mut reading.checker)?;
    Ok(found)
}

/// A scenario whose shape has been checked, before its meaning is.
struct Reading<'t> {
    name: &'t str,
    checker: Checker<'t>,
    common: Option<Common>,
    /// The game's keys.
    own: Spanned<DeTable<'t>>,
}

impl<'t> Reading<'t> {
    fn new(
        document: &'t Document,
        tree: Spanned<DeTable<'t>>,
        shelves: &[Shelf],
        schema: &Value,
    ) -> Result<Self, Faults> {
        let name = document.source.name();
        let (tree, of_changes) = changes::apply(document, tree, shelves);
        let mut checker = Checker::new(document, tree.clone());
        checker.hold(of_changes);
        shape::check(schema, &mut checker);
        stop_if_faulty(name, &mut checker)?;
        let (common, own) = split(tree);
        let game = schema["properties"]["game"]["const"].as_str();
        let common = read_form::<Common>(&mut checker, common, game);
        Ok(Self { name, checker, common, own })
    }
}

fn finish<S>(
    name: &str,
    common: Common,
    setup: Option<S>,
    mut checker: Checker<'_>,
) -> Result<Loaded<S>, Faults> {
    checker.release();
    stop_if_faulty(name, &mut checker)?;
    let fingerprint = checker.fingerprint();
    let files = checker.files().to_vec();
    let (_, warnings) = checker.finish();
    Ok(Loaded {
        name: name.to_owned(),
        common,
        setup: setup.expect("a check without a fault gives a setup"),
        fingerprint,
        files,
        warnings,
        idle: Vec::new(),
        own: Vec::new(),
    })
}

/// Reads a file that a scenario names, such as a card catalogue in TOML: validates it against the schema of `T`
/// and gives its value, with a checker for whatever else may be wrong with it.
///
/// # Errors
/// Every fault of the first stage that finds any.
pub fn part<T: DeserializeOwned + JsonSchema>(source: &Source) -> Result<(T, Checker<'_>), Faults> {
    let name = source.name();
    let tree = tree(source)?;
    let document = Document::of(source.clone(), Folder::Disk("".into()));
    let mut checker = Checker::new(&document, tree.clone());
    let schema = schemars::SchemaGenerator::default().root_schema_for::<T>().to_value();
    shape::check(&schema, &mut checker);
    stop_if_faulty(name, &mut checker)?;
    let value = read_form::<T>(&mut checker, tree, None);
    stop_if_faulty(name, &mut checker)?;
    Ok((value.expect("no fault"), checker))
}

/// The game that a scenario names, whatever else is in it, and the bytes that name it.
///
/// # Errors
/// When the text is not TOML or names no game.
pub fn game_of(source: &Source) -> Result<(String, Range<usize>), Faults> {
    let tree = tree(source)?;
    let game = tree.get_ref().get("game");
    match game.and_then(|game| Some((game.get_ref().as_str()?.to_owned(), game.span()))) {
        Some(named) => Ok(named),
        None => {
            let is_list = |key: &str, value: &DeValue<'_>| key == "cards" && value.is_array();
            let mut keys = tree.get_ref().iter();
            let fault = match keys.all(|(key, value)| is_list(key.get_ref(), value.get_ref())) {
                // A file without any key was meant to be a scenario.
                true if !tree.get_ref().is_empty() => {
                    let path = Path::new(source.name());
                    let name = path.file_name().unwrap_or_default().to_string_lossy();
                    let remedy = format!(
                        "put the line `catalogue = {}` before the first table of a scenario for the game of these cards in the \
                         same folder: `evens check` of that scenario checks the list as well",
                        shape::quoted(&name)
                    );
                    Fault::at(source, 0..0, "this is a list of cards and no scenario", remedy)
                }
                _ => Fault::at(
                    source,
                    game.map_or(0..0, Spanned::span),
                    "the scenario does not say which game it is for",
                    "start it with a line such as `game = \"splinterlands\"`",
                ),
            };
            Err(Faults::one(source.name(), fault))
        }
    }
}

/// The JSON Schema of a game's scenarios: the common keys and the game's own side by side.
#[must_use]
pub fn schema<G: Form>() -> Value {
    let mut own = schemars::SchemaGenerator::default().root_schema_for::<G::File>().to_value();
    without_empty_defaults(&mut own);
    with_common_keys(own, G::NAME)
}

/// Removes empty defaults of lists that may be left out but not be empty: an editor that fills in the default would
/// write a fault.
fn without_empty_defaults(schema: &mut Value) {
    match schema {
        Value::Object(entries) => {
            let is_empty = |list: &Value| list.as_array().is_some_and(Vec::is_empty);
            if entries.contains_key("minItems") && entries.get("default").is_some_and(is_empty) {
                entries.remove("default");
            }
            entries.values_mut().for_each(without_empty_defaults);
        }
        Value::Array(items) => items.iter_mut().for_each(without_empty_defaults),
        Value::Null | Value::Bool(_) | Value::Number(_) | Value::String(_) => {}
    }
}

fn with_common_keys(own: Value, game: &str) -> Value {
    let mut common = schemars::SchemaGenerator::default().root_schema_for::<Common>().to_value();
    for part in ["properties", "$defs"] {
        if let Some(Value::Object(entries)) = own.get(part) {
            let target = common
                .as_object_mut()
                .expect("a struct's schema is an object")
                .entry(part)
                .or_insert_with(|| Value::Object(serde_json::Map::new()));
            target.as_object_mut().expect("parts are objects").extend(entries.clone());
        }
    }
    if let Some(Value::Array(required)) = own.get("required") {
        let target = common["required"].as_array_mut().expect("common keys are required");
        target.extend(required.clone());
    }
    common["title"] = Value::String(format!("evens scenario for {game}"));
    common["properties"]["game"]["const"] = Value::String(game.to_owned());
    common
}

/// Splits a tree into the keys of [`Common`] and all others.
fn split(tree: Spanned<DeTable<'_>>) -> (Spanned<DeTable<'_>>, Spanned<DeTable<'_>>) {
    let span = tree.span();
    let (mut common, mut own) = (DeTable::new(), DeTable::new());
    for (key, value) in tree.into_inner() {
        let part = if is_common(key.get_ref().as_ref()) { &mut common } else { &mut own };
        part.insert(key, value);
    }
    (Spanned::new(span.clone(), common), Spanned::new(span, own))
}

/// Reads a value from a table of the right shape, or reports why it cannot be. With `game` the remedy refers to the
/// game's schema.
fn read_form<T: DeserializeOwned>(
    checker: &mut Checker<'_>,
    table: Spanned<DeTable<'_>>,
    game: Option<&str>,
) -> Option<T> {
    match deserialize(table) {
        Ok(value) => Some(value),
        Err(misread) => {
            // The shape check has passed, so this is a value that only the type itself can judge.
            let remedy = game.map_or_else(String::new, |game| {
                format!("`evens schema {game}` says what goes here")
            });
            checker.fault_at(misread.span(), misread.message(), remedy);
            None
        }
    }
}

fn stop_if_faulty(name: &str, checker: &mut Checker<'_>) -> Result<(), Faults> {
    if checker.is_clean() {
        return Ok(());
    }
    checker.release();
    let omitted = checker.omitted();
    Err(Faults::new(name, checker.take_faults()).and_more(omitted))
}
