//! The note of all that is to be done in a folder, from which a command that was ended is finished by the next one.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use super::{STAGED, is_below};

/// A commit note: what is to be done in a folder.
#[derive(Debug, Default, Deserialize, Serialize)]
pub(in crate::table) struct Note {
    /// Pairs of temporary and final names, in the order in which the files move.
    pub(in crate::table) moves: Vec<(String, String)>,
    /// SHA-256 of the new files, in hexadecimal, by final name.
    pub(in crate::table) sha256: BTreeMap<String, String>,
    /// SHA-256 of the files that are replaced or removed, by name.
    pub(in crate::table) before: BTreeMap<String, String>,
    /// Files of the old set that are to be removed.
    pub(in crate::table) removals: Vec<String>,
}

impl Note {
    /// Whether this can be a note of ours, judged by the names in it: a folder from elsewhere may hold anything.
    pub(in crate::table) fn is_ours(&self) -> bool {
        let moves = |(from, to): &(String, String)| {
            from.starts_with(STAGED) && is_below(from) && is_below(to) && !to.starts_with('.')
        };
        let removed = |name: &String| is_below(name) && !name.starts_with('.');
        self.moves.iter().all(moves) && self.removals.iter().all(removed)
    }

    /// A file that the note would change and that has none of the hashes in it: somebody has put it there since. `hash`
    /// returns the hash of a file, None when it is missing.
    ///
    /// # Errors
    /// What `hash` says.
    pub(in crate::table) fn other_than_known<E>(
        &self,
        hash: impl Fn(&str) -> Result<Option<String>, E>,
    ) -> Result<Option<&str>, E> {
        let names = self.moves.iter().map(|(_, to)| to).chain(&self.removals);
        for name in names {
            let Some(found) = hash(name)? else { continue };
            let known = [self.before.get(name), self.sha256.get(name)];
            if known.iter().flatten().all(|known| **known != found) {
                return Ok(Some(name));
            }
        }
        Ok(None)
    }

    /// Whether every file is there to be moved, or known to have its final name already. `is_there` is asked about
    /// temporary names, and `hash` about final ones: it returns None for a missing file.
    ///
    /// # Errors
    /// Those of `is_there` and `hash`.
    pub(in crate::table) fn is_possible<E>(
        &self,
        is_there: impl Fn(&str) -> Result<bool, E>,
        hash: impl Fn(&str) -> Result<Option<String>, E>,
    ) -> Result<bool, E> {
        let mut gone = Vec::new();
        for (from, to) in &self.moves {
            if !is_there(from)? {
                gone.push(to);
            }
        }
        for name in &gone {
            let found = hash(name)?;
            if found.is_none() || found.as_ref() != self.sha256.get(*name) {
                return Ok(false);
            }
        }
        Ok(true)
    }
}
