//! Where a result comes from.

use std::collections::BTreeMap;
use std::path::Path;

use schemars::JsonSchema;
use serde::de::{Error as _, IgnoredAny};
use serde::{Deserialize, Deserializer, Serialize, Serializer};

use super::folder::{Staged, Wrong, bytes_of, hash_of, is_below};
use super::{ColumnKind, Table, Values};
use crate::digest::fingerprint;
use crate::json::of_json;

/// The version of the files that tables are written to. It rises where a program that reads the older ones would no longer
/// do: a column that goes, changes its name, its type or its meaning. More columns and tables may come at any time.
///
/// 1 (unnamed): text, counts and numbers alone. 2: lists, flags and seeds as such, and a column `run` in every table.
pub const FORMAT: u32 = 2;

/// Everything needed to make a result again, and to know whether it is whole. It holds no time and no
/// machine: the same scenario and seed give the same bytes.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(expecting = "where results come from, in braces")]
pub struct Provenance {
    /// What tells this run from any other: 16 hexadecimal digits of a fingerprint of program, version, command, scenario,
    /// seed, battles and settings. The column `run` of every table holds it. Empty in what older versions wrote.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub id: String,
    /// The program that wrote it.
    pub program: String,
    /// The program's version.
    pub version: String,
    /// The rule system.
    pub game: String,
    /// The scenario's name.
    pub scenario: String,
    /// A fingerprint of the scenario and of the files it reads.
    pub fingerprint: String,
    /// The master seed; in JSON as text where it is above 2^53, because many readers round such numbers.
    #[serde(serialize_with = "seed_to_json", deserialize_with = "seed_from_json")]
    #[schemars(with = "SeedInJson")]
    pub seed: u64,
    /// How many battles were asked for.
    pub battles_asked: u64,
    /// How many were played.
    pub battles_played: u64,
    /// Whether the run was ended before it was done.
    pub partial: bool,
    /// How the choices of players are made that results hold for; none where nobody has any.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub choices: Option<String>,
    /// The stopping rule that the run was played with; none where the number of battles was fixed in advance.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub stopping: Option<Stopping>,
}

/// A stopping rule, and what it means for intervals.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(expecting = "when a run ended, in braces")]
pub struct Stopping {
    /// As it is written on the command line.
    pub rule: String,
    /// What the intervals of the tables are valid for: `anytime-valid`, at the stop whatever caused it; `fixed number
    /// of battles`, plain ones.
    pub intervals: String,
}

impl Provenance {
    /// The provenance before the first battle.
    #[must_use]
    pub fn new(
        game: &str,
        scenario: &str,
        fingerprint: &str,
        seed: u64,
        battles_asked: u64,
    ) -> Self {
        Self {
            id: String::new(),
            program: env!("CARGO_PKG_NAME").to_owned(),
            version: env!("CARGO_PKG_VERSION").to_owned(),
            game: game.to_owned(),
            scenario: scenario.to_owned(),
            fingerprint: fingerprint.to_owned(),
            seed,
            battles_asked,
            battles_played: 0,
            partial: false,
            choices: None,
            stopping: None,
        }
    }

    /// This provenance with the [`id`](Self::id) of a run of this command with these settings.
    #[must_use]
    pub fn identified<'s>(
        self,
        command: &str,
        settings: impl IntoIterator<Item = &'s str>,
    ) -> Self {
        let (fingerprint, battles) = (&self.fingerprint, self.battles_asked);
        let id = run_id(command, fingerprint, self.seed, battles, settings);
        Self { id, ..self }
    }
}

/// Number of hexadecimal digits of a run's identity: among a billion runs, the probability that any two share theirs is
/// below 1 in 30.
const ID_DIGITS: usize = 16;

/// The identity of a run: a fingerprint of program, version, command, scenario, seed, battles and settings.
pub(crate) fn run_id<'s>(
    command: &str,
    scenario: &str,
    seed: u64,
    battles: u64,
    settings: impl IntoIterator<Item = &'s str>,
) -> String {
    let program = concat!(env!("CARGO_PKG_NAME"), " ", env!("CARGO_PKG_VERSION"));
    let head = format!("{program}\n{command}\n{scenario}\n{seed}\n{battles}");
    let text = settings.into_iter().fold(head, |text, setting| text + "\n" + setting);
    let mut id = fingerprint([text.as_str()]);
    id.truncate(ID_DIGITS);
    id
}

/// The column with the run's identity, which every table has in files for programs.
pub(super) struct RunColumn {
    pub(super) name: &'static str,
    pub(super) meaning: &'static str,
}

pub(super) const RUN: RunColumn = RunColumn {
    name: "run",
    meaning: "what tells this run from any other: `run.id` in provenance.json",
};

/// The largest whole number that every reader of JSON keeps exactly.
const LARGEST_SAFE: u64 = 1 << 53;

/// A seed as JSON has it.
#[derive(Deserialize, JsonSchema)]
#[serde(untagged)]
enum SeedInJson {
    /// Up to 2^53.
    Number(u64),
    /// Above: its digits.
    Text(String),
}

fn seed_to_json<S: Serializer>(seed: &u64, serializer: S) -> Result<S::Ok, S::Error> {
    match *seed {
        small @ ..=LARGEST_SAFE => serializer.serialize_u64(small),
        large => serializer.collect_str(&large),
    }
}

fn seed_from_json<'de, D: Deserializer<'de>>(deserializer: D) -> Result<u64, D::Error> {
    match SeedInJson::deserialize(deserializer)? {
        SeedInJson::Number(seed) => Ok(seed),
        SeedInJson::Text(digits) => digits.parse().map_err(D::Error::custom),
    }
}

/// A folder's `provenance.json`, as it is written.
#[derive(Serialize)]
pub(super) struct Sidecar<'a> {
    /// The version of the files, [`FORMAT`].
    pub(super) format: u32,
    /// The run behind the files.
    pub(super) run: &'a Provenance,
    /// The files it wrote.
    pub(super) files: Vec<FileNote>,
}

/// How the text of a `provenance.json` ends.
const END: &str = "\n}\n";

/// How it ends with its digest as the last key.
fn sealed_end(digest: &str) -> String {
    format!(",\n  \"sha256\": \"{digest}\"{END}")
}

impl Sidecar<'_> {
    /// The text of the file. Its last key, `sha256`, is the digest of the text as it is without that key, so that a change
    /// to any byte shows.
    pub(super) fn text(&self) -> serde_json::Result<String> {
        let text = serde_json::to_string_pretty(self)? + "\n";
        let digest = fingerprint([text.as_str()]);
        Ok(text.strip_suffix(END).unwrap_or(&text).to_owned() + &sealed_end(&digest))
    }
}

/// A folder's `provenance.json`, as it is read: the set of tables that is in the folder.
#[derive(Debug, Deserialize)]
pub(super) struct Manifest {
    /// The version of the files, [`FORMAT`]; None in version 1.
    pub(super) format: Option<u32>,
    pub(super) run: Provenance,
    pub(super) files: Vec<Listed>,
    /// The digest of the rest; none in what older versions wrote.
    sha256: Option<String>,
    /// Keys that this version does not know.
    #[serde(flatten)]
    others: BTreeMap<String, IgnoredAny>,
    /// Whether its text is not the one that was written.
    #[serde(skip)]
    pub(super) is_changed: bool,
}

/// A file of a set of tables.
#[derive(Debug, Deserialize)]
pub(super) struct Listed {
    pub(super) file: String,
    /// Its hash; none in what older versions wrote.
    pub(super) sha256: Option<String>,
    /// The table in it; none of a file that is no table.
    pub(super) table: Option<String>,
    #[serde(default)]
    pub(super) columns: Vec<ListedColumn>,
}

impl Listed {
    /// What is wrong with it in the folder of its set, if anything is.
    pub(super) fn wrong_in(&self, folder: &Path) -> Option<Wrong> {
        if !is_below(&self.file) {
            return Some(Wrong::Elsewhere);
        }
        let path = folder.join(&self.file);
        match (&self.sha256, hash_of(&path)) {
            (_, Err(_)) if !path.exists() => Some(Wrong::Missing),
            (_, Err(_)) => Some(Wrong::Unreadable),
            (Some(expected), Ok(found)) if *expected != found => Some(Wrong::Changed),
            _ => None,
        }
    }
}

/// A column, as a manifest lists it.
#[derive(Debug, Deserialize)]
pub(super) struct ListedColumn {
    pub(super) name: String,
    #[serde(default)]
    pub(super) meaning: String,
    /// None in what older versions wrote.
    pub(super) kind: Option<ColumnKind>,
    /// What stands between the items of a list where people read it.
    #[serde(default)]
    pub(super) joint: Option<String>,
}

impl Manifest {
    /// Reads a manifest; None when the file is missing or not ours.
    pub(super) fn read(path: &Path) -> Option<Self> {
        Self::of_bytes(&bytes_of(path).ok()?)
    }

    /// The manifest of these bytes; none where they are not one of ours.
    pub(super) fn of_bytes(bytes: &[u8]) -> Option<Self> {
        let mut manifest: Self = of_json(bytes)?;
        manifest.is_changed = match &manifest.sha256 {
            Some(digest) => !is_sealed(bytes, digest),
            // Older versions wrote no digest, nor any key that is unknown now: one that is was the digest's.
            None => !manifest.others.is_empty(),
        };
        (manifest.run.program == env!("CARGO_PKG_NAME")).then_some(manifest)
    }

    /// The version of its files, if only a later version of the program knows it.
    pub(super) fn later_format(&self) -> Option<u32> {
        self.format.filter(|&format| format > FORMAT)
    }

    /// Whether a file is one of the set and still as it was written.
    pub(super) fn holds(&self, name: &str, path: &Path) -> bool {
        self.lists(name, || hash_of(path).ok())
    }

    /// Whether a file with this hash is one of the set and still as it was written.
    pub(super) fn lists(&self, name: &str, hash: impl FnOnce() -> Option<String>) -> bool {
        let listed = self.files.iter().find(|listed| listed.file == name);
        listed.is_some_and(|listed| match &listed.sha256 {
            None => true,
            Some(expected) => hash().is_some_and(|found| found == *expected),
        })
    }

    /// Files of this set that a new set lacks, and which therefore have to go. Empty when the new files bring no
    /// manifest.
    pub(super) fn replaced_by<'m>(
        &'m self,
        staged: &'m [Staged],
        manifest: &str,
    ) -> impl Iterator<Item = &'m String> + 'm {
        let brings_tables = staged.iter().any(|file| file.name == manifest);
        let names = self.files.iter().map(|listed| &listed.file).filter(move |_| brings_tables);
        names.filter(|name| is_below(name) && staged.iter().all(|file| file.name != **name))
    }
}

/// Whether this is the text of a `provenance.json` with this digest.
fn is_sealed(bytes: &[u8], digest: &str) -> bool {
    let rest = bytes.strip_suffix(sealed_end(digest).as_bytes());
    let rest = rest.and_then(|rest| std::str::from_utf8(rest).ok());
    rest.is_some_and(|rest| fingerprint([rest, END]) == digest)
}

/// What `provenance.json` says of one file.
#[derive(Serialize)]
pub(super) struct FileNote {
    pub(super) file: String,
    /// SHA-256 of its bytes, in hexadecimal. A file with another one does not belong to this set.
    pub(super) sha256: String,
    /// What it holds, if that is a table.
    #[serde(flatten)]
    pub(super) table: Option<TableNote>,
}

/// What `provenance.json` says of a table.
#[derive(Serialize)]
pub(super) struct TableNote {
    pub(super) table: String,
    pub(super) rows: u64,
    pub(super) columns: Vec<ColumnNote>,
}

/// What `provenance.json` says of a column.
#[derive(Clone, Serialize)]
pub(super) struct ColumnNote {
    name: String,
    meaning: String,
    kind: ColumnKind,
    #[serde(skip_serializing_if = "Option::is_none")]
    joint: Option<String>,
}

/// The columns of a table as files for programs have them, with what they mean.
pub(super) fn column_notes(table: &Table, with_run: bool) -> Vec<ColumnNote> {
    let note = |column: &super::Column| ColumnNote {
        name: column.name.to_string(),
        meaning: column.meaning.to_string(),
        kind: column.values.kind(),
        joint: match &column.values {
            Values::TextList(of) => Some(of.joint.to_string()),
            _ => None,
        },
    };
    let run = with_run.then(|| ColumnNote {
        name: RUN.name.to_owned(),
        meaning: RUN.meaning.to_owned(),
        kind: ColumnKind::Text,
        joint: None,
    });
    table.columns.iter().map(note).chain(run).collect()
}

/// The metadata in a file whose format has room for it, as JSON.
#[cfg(feature = "parquet")]
pub(super) fn file_metadata(run: &Provenance, table: &Table) -> serde_json::Result<String> {
    #[derive(Serialize)]
    struct Metadata<'a> {
        format: u32,
        run: &'a Provenance,
        table: &'a str,
        columns: Vec<ColumnNote>,
    }
    serde_json::to_string(&Metadata {
        format: FORMAT,
        run,
        table: &table.name,
        columns: column_notes(table, true),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn seeds_survive_readers_that_round_large_numbers() {
        for (seed, written) in
            [(7, "7"), (LARGEST_SAFE, "9007199254740992"), (u64::MAX, "\"18446744073709551615\"")]
        {
            let run = Provenance::new("g", "s", "f", seed, 1);
            let text = serde_json::to_string(&run).expect("JSON");
            assert!(text.contains(&format!("\"seed\":{written},")), "{text}");
            assert_eq!(serde_json::from_str::<Provenance>(&text).expect("as written"), run);
        }
    }

    #[test]
    fn what_older_versions_wrote_is_read() {
        let old = r#"{"program": "evens", "version": "0.1.0", "game": "splinterlands", "scenario": "mirror",
            "fingerprint": "f", "seed": 18446744073709551615, "battles_asked": 1, "battles_played": 1, "partial": false}"#;
        let run: Provenance = serde_json::from_str(old).expect("an older one");
        assert_eq!((run.seed, run.id.as_str()), (u64::MAX, ""));
    }

    #[test]
    fn runs_are_told_apart_by_all_that_matters() {
        let id = |command, scenario, seed, battles, settings: &[&'static str]| {
            run_id(command, scenario, seed, battles, settings.iter().copied())
        };
        let one = id("run", "f", 1, 100, &["--measure", "score"]);
        assert_eq!(one.len(), ID_DIGITS);
        assert_eq!(one, id("run", "f", 1, 100, &["--measure", "score"]));
        for other in [
            id("sweep", "f", 1, 100, &["--measure", "score"]),
            id("run", "g", 1, 100, &["--measure", "score"]),
            id("run", "f", 2, 100, &["--measure", "score"]),
            id("run", "f", 1, 101, &["--measure", "score"]),
            id("run", "f", 1, 100, &["--measure", "wins"]),
        ] {
            assert_ne!(one, other);
        }
    }
}
