//! A folder in an object store whose files change as one act.
//!
//! Objects are uploaded under temporary names, listed in a commit note, and copied to their final names within the
//! store, the manifest last. A program that ends before the note is written has changed nothing; afterwards the next
//! command that writes there does what the note says, and a command that only reads takes the new files from where they
//! are.

use super::folder::{MANIFEST, NOTE, Note, STAGED, Staged, file_name};
use super::provenance::Manifest;
use crate::json::of_json;
use crate::remote::{Remote, RemoteError, Scratch};
use std::path::{Path, PathBuf};

/// Age, in seconds, after which a temporary object that no note mentions belongs to nobody.
const DAY: u64 = 24 * 3600;
/// Size, in bytes, of the largest objects that S3 copies.
const MOST_COPIED: u64 = 5 << 30;

/// A location in an object store, and the local folder for files on their way there.
#[derive(Debug)]
pub(crate) struct Away {
    pub(crate) remote: Remote,
    pub(crate) scratch: Scratch,
}

impl Away {
    pub(crate) fn open(place: &Path) -> Result<Self, RemoteError> {
        Ok(Self { remote: Remote::open(place)?, scratch: Scratch::new()? })
    }

    /// Finishes what an earlier command left unfinished, if anything, and gives the set of tables that is there.
    pub(super) fn recovered(&self) -> Result<Option<Manifest>, RemoteError> {
        if let Some(note) = self.note()? {
            // A note that can no longer be carried out changes no objects, so nothing is checked.
            if note.is_possible(|from| self.remote.has(from), |name| self.remote.hash(name))?
                && let Some(name) = note.other_than_known(|name| self.remote.hash(name))?
            {
                let why = "it was changed since a command was ended that was about to replace it";
                let (path, why) = (name.into(), why.to_owned());
                return Err(RemoteError::Failed { what: "replace", path, why });
            }
            self.carry_out(&note)?;
        }
        for entry in self.remote.list()?.files {
            if entry.name.starts_with(STAGED) && entry.age > DAY {
                self.remote.delete(&entry.name)?;
            }
        }
        self.manifest()
    }

    fn manifest(&self) -> Result<Option<Manifest>, RemoteError> {
        Ok(self.remote.get(MANIFEST)?.and_then(|bytes| Manifest::of_bytes(&bytes)))
    }

    /// The commit note that an unfinished command has left, if any.
    fn note(&self) -> Result<Option<Note>, RemoteError> {
        let Some(bytes) = self.remote.get(NOTE)? else { return Ok(None) };
        match of_json(&bytes).filter(Note::is_ours) {
            Some(note) => Ok(Some(note)),
            None => Err(RemoteError::Failed {
                what: "use",
                path: NOTE.into(),
                why: "it is no note of ours".to_owned(),
            }),
        }
    }

    /// Whether the name is free, or belongs to a file of the set that is as it was written.
    pub(super) fn is_free_or_of(
        &self,
        manifest: Option<&Manifest>,
        name: &str,
    ) -> Result<bool, RemoteError> {
        match manifest {
            Some(manifest) if name == MANIFEST => Ok(!manifest.is_changed),
            None => Ok(!self.remote.has(name)?),
            Some(manifest) => {
                let hash = self.remote.hash(name)?;
                Ok(hash.is_none() || manifest.lists(name, || hash))
            }
        }
    }

    /// Gives all these files their names, in this order, and deletes files of the old set that are not among them.
    pub(super) fn commit(
        &self,
        staged: &[Staged],
        manifest: Option<&Manifest>,
    ) -> Result<(), RemoteError> {
        let mut note = Note::default();
        for file in staged {
            let name = file_name(&file.temporary.path);
            let size = file.temporary.file.metadata().map_or(0, |found| found.len());
            if size > MOST_COPIED {
                self.remote.upload(&file.name, &file.temporary.path)?;
            } else {
                self.remote.upload(&name, &file.temporary.path)?;
                let path = file.temporary.path.to_path_buf();
                let hash = file.hash().map_err(|source| RemoteError::Scratch { path, source })?;
                note.sha256.insert(file.name.clone(), hash);
                note.moves.push((name, file.name.clone()));
            }
        }
        for (_, name) in &note.moves {
            let hash = self.remote.hash(name)?;
            note.before.extend(hash.map(|hash| (name.clone(), hash)));
        }
        if let Some(manifest) = manifest {
            for name in manifest.replaced_by(staged, MANIFEST) {
                let Some(hash) = self.remote.hash(name)? else { continue };
                if manifest.lists(name, || Some(hash.clone())) {
                    note.before.insert(name.clone(), hash);
                    note.removals.push(name.clone());
                }
            }
        }
        let bytes = serde_json::to_vec(&note).expect("a note is made of names");
        self.remote.put(NOTE, bytes)?;
        if self.carry_out(&note)? {
            return Ok(());
        }
        let why = "somebody removed the new objects".to_owned();
        Err(RemoteError::Failed { what: "write", path: NOTE.into(), why })
    }

    /// Carries out what is left to do of a note. Returns false, having changed nothing, when that is no longer
    /// possible. Either way the note is deleted.
    fn carry_out(&self, note: &Note) -> Result<bool, RemoteError> {
        let is_possible =
            note.is_possible(|from| self.remote.has(from), |name| self.remote.hash(name))?;
        if is_possible {
            for (temporary, name) in &note.moves {
                // An object that is gone was copied to its name already.
                self.remote.copy(temporary, name)?;
            }
            for name in &note.removals {
                self.remote.delete(name)?;
            }
        }
        self.remote.delete(NOTE)?;
        note.moves.iter().try_for_each(|(temporary, _)| self.remote.delete(temporary))?;
        Ok(is_possible)
    }
}

/// A folder in an object store that is only read.
#[derive(Debug)]
pub(super) struct Mirror {
    away: Away,
    /// The commit note of an unfinished command, whose new files are still under temporary names; empty without one.
    note: Note,
}

impl Mirror {
    pub(super) fn open(place: &Path) -> Result<Self, RemoteError> {
        let away = Away::open(place)?;
        let note = away.note()?.unwrap_or_default();
        Ok(Self { away, note })
    }

    /// The local folder that its files are copied to.
    pub(super) fn here(&self) -> &Path {
        self.away.scratch.path()
    }

    /// Copies a file, if it is there.
    pub(super) fn fetch(&self, name: &str) -> Result<Option<PathBuf>, RemoteError> {
        let to = self.here().join(name);
        let moved = self.note.moves.iter().find(|(_, to)| to == name);
        if let Some((temporary, _)) = moved
            && self.away.remote.fetch(temporary, &to)?
        {
            return Ok(Some(to));
        }
        Ok(self.away.remote.fetch(name, &to)?.then_some(to))
    }
}
