//! Where a result comes from.

use std::fs;
use std::path::Path;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::Table;
use super::folder::{MANIFEST, Staged, hash_of, is_plain};

/// Everything needed to make a result again, and to know whether it is whole. It holds no time and no
/// machine: the same scenario and seed give the same bytes.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Provenance {
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
    /// The master seed.
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
pub struct Stopping {
    /// As it is written on the command line.
    pub rule: String,
    /// What the intervals of the tables are valid for: `anytime-valid`, at the stop whatever caused it; `fixed number
    /// of battles`, plain ones.
    pub intervals: String,
}

impl Provenance {
    /// Before the first battle: nothing is played yet.
    #[must_use]
    pub fn new(
        game: &str,
        scenario: &str,
        fingerprint: &str,
        seed: u64,
        battles_asked: u64,
    ) -> Self {
        Self {
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
}

/// What a folder's `provenance.json` says.
#[derive(Serialize)]
pub(super) struct Sidecar<'a> {
    /// The run behind the files.
    pub(super) run: &'a Provenance,
    /// The files it wrote.
    pub(super) files: Vec<FileNote>,
}

/// What is read of a folder's `provenance.json`: the set of tables that is in the folder.
#[derive(Debug, Deserialize)]
pub(super) struct Manifest {
    pub(super) run: Provenance,
    pub(super) files: Vec<Listed>,
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

/// A column as it is listed.
#[derive(Debug, Deserialize)]
pub(super) struct ListedColumn {
    pub(super) name: String,
    #[serde(default)]
    pub(super) meaning: String,
    /// None in what older versions wrote.
    pub(super) kind: Option<ColumnKind>,
}

impl Manifest {
    /// None where there is none, or it is not ours.
    pub(super) fn read(path: &Path) -> Option<Self> {
        Self::of_bytes(&fs::read(path).ok()?)
    }

    /// The same, of its bytes.
    pub(super) fn of_bytes(bytes: &[u8]) -> Option<Self> {
        let manifest: Self = serde_json::from_slice(bytes).ok()?;
        (manifest.run.program == env!("CARGO_PKG_NAME")).then_some(manifest)
    }

    /// Whether a file is one of the set and still as it was written.
    pub(super) fn holds(&self, name: &str, path: &Path) -> bool {
        self.lists(name, || hash_of(path).ok())
    }

    /// The same for a file with this hash.
    pub(super) fn lists(&self, name: &str, hash: impl FnOnce() -> Option<String>) -> bool {
        let listed = self.files.iter().find(|listed| listed.file == name);
        listed.is_some_and(|listed| match &listed.sha256 {
            None => true,
            Some(expected) => hash().is_some_and(|found| found == *expected),
        })
    }

    /// Its files that are not in a set which takes its place; none where the new files are no set.
    pub(super) fn replaced_by<'m>(
        &'m self,
        staged: &'m [Staged],
    ) -> impl Iterator<Item = &'m String> + 'm {
        let brings_tables = staged.iter().any(|file| file.name == MANIFEST);
        let names = self.files.iter().map(|listed| &listed.file).filter(move |_| brings_tables);
        names.filter(|name| is_plain(name) && staged.iter().all(|file| file.name != **name))
    }
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

/// What is said of a table.
#[derive(Serialize)]
pub(super) struct TableNote {
    pub(super) table: String,
    pub(super) rows: u64,
    pub(super) columns: Vec<ColumnNote>,
}

/// What is said of one column.
#[derive(Clone, Serialize)]
pub(super) struct ColumnNote {
    name: String,
    meaning: String,
    kind: ColumnKind,
}

/// What the values of a column are.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub(super) enum ColumnKind {
    Text,
    Count,
    Number,
}

/// The columns of a table, with what they mean.
pub(super) fn column_notes(table: &Table) -> Vec<ColumnNote> {
    let note = |column: &super::Column| ColumnNote {
        name: column.name.to_string(),
        meaning: column.meaning.to_string(),
        kind: match column.values {
            super::Values::Text(_) => ColumnKind::Text,
            super::Values::Count(_) => ColumnKind::Count,
            super::Values::Number(_) => ColumnKind::Number,
        },
    };
    table.columns.iter().map(note).collect()
}

/// What a file with room for it says of itself.
#[cfg(feature = "parquet")]
pub(super) fn file_metadata(run: &Provenance, table: &Table) -> serde_json::Result<String> {
    #[derive(Serialize)]
    struct Metadata<'a> {
        run: &'a Provenance,
        table: &'a str,
        columns: Vec<ColumnNote>,
    }
    serde_json::to_string(&Metadata { run, table: &table.name, columns: column_notes(table) })
}
