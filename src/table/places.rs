//! Where the files of a run go once they are written: into a folder of their own or one that runs share, and in place
//! of earlier results or beside them.

use std::io;

use sha2::{Digest, Sha256};

use super::destination::failed;
use super::folder::{Folder, MANIFEST, NOTES, Staged};
use super::partition::{Shared, check_name, manifest_name, notes_name, part};
use super::provenance::{FORMAT, FileNote, Sidecar};
use super::{OutputError, Provenance};
use crate::digest::hexadecimal;

/// Name of the folder, inside a folder of complete results, that takes partial ones.
pub(super) const ASIDE: &str = "partial";

/// The folders that a run's files go to and were made in.
pub(super) struct Places {
    /// The folder that the files end up in.
    pub(super) folder: Folder,
    /// The folder of complete results around it, if partial results go beside them; locked until they are in place.
    outer: Option<Folder>,
    /// The shared folder, and the run's own folder in it where the files were made, if runs share the folder.
    shared: Option<(Shared, Folder)>,
}

impl Places {
    /// The places of files that were made in `folder`; None without a folder.
    pub(super) fn of(
        folder: Option<Folder>,
        shared: Option<Shared>,
        replace_complete: bool,
        run: &Provenance,
    ) -> Result<Option<Self>, OutputError> {
        let Some(folder) = folder else { return Ok(None) };
        let (folder, shared) = match shared {
            None => (folder, None),
            Some(shared) => {
                check_name(&run.scenario)?;
                let root = shared.root()?.listed_by(manifest_name(&run.id));
                (root, Some((shared, folder)))
            }
        };
        let is_complete = folder.manifest.as_ref().is_some_and(|manifest| !manifest.run.partial);
        if !(run.partial && is_complete && !replace_complete) {
            return Ok(Some(Self { folder, outer: None, shared }));
        }
        let mut inner = folder.inner(ASIDE)?;
        if shared.is_some() {
            inner = inner.listed_by(manifest_name(&run.id));
        }
        Ok(Some(Self { folder: inner, outer: Some(folder), shared }))
    }

    /// Whether these are partial results that go beside complete ones.
    pub(super) fn is_aside(&self) -> bool {
        self.outer.is_some()
    }

    /// The name of a table's file, relative to the folder.
    pub(super) fn name_of_table(&self, table: &str, ending: &str, run: &Provenance) -> String {
        match &self.shared {
            None => format!("{table}.{ending}"),
            Some(_) => part(table, ending, run),
        }
    }

    /// Moves the files into place as one act, together with the report's notes and the manifest that lists them all.
    pub(super) fn put(
        self,
        staged: Vec<Staged>,
        mut files: Vec<FileNote>,
        notes: Option<String>,
        run: &Provenance,
    ) -> Result<(), OutputError> {
        let Self { folder, outer, shared } = &self;
        let is_shared = shared.is_some();
        let name = |alone: &str, of_many: fn(&str) -> String| match is_shared {
            true => of_many(&run.id),
            false => alone.to_owned(),
        };
        let (manifest, notes_file) = (name(MANIFEST, manifest_name), name(NOTES, notes_name));
        let mut all = staged;
        // Checked once more: hours may have passed since the folder was opened, and somebody may have changed a file.
        // In an object store, where each look is a request, that is left to whoever writes there.
        if outer.is_some() || is_shared || folder.away().is_none() {
            let into = |staged: Staged| {
                folder.claim(&staged.name)?;
                if outer.is_some() { staged.into(folder) } else { Ok(staged) }
            };
            all = all.into_iter().map(into).collect::<Result<_, _>>()?;
            folder.claim(&manifest)?;
        }
        if let Some(notes) = notes {
            folder.claim(&notes_file)?;
            let mut staged = folder.stage(&notes_file)?;
            staged.write(&notes)?;
            let sha256 = hexadecimal(Sha256::new_with_prefix(&notes));
            files.push(FileNote { file: notes_file, sha256, table: None });
            all.push(staged);
        }
        let mut staged = folder.stage(&manifest)?;
        let sidecar = Sidecar { format: FORMAT, run, files };
        let text = sidecar.text().map_err(io::Error::from);
        let text = text.map_err(|source| failed(Some(&staged), source))?;
        staged.write(&text)?;
        all.push(staged);
        let Self { folder, outer, shared } = self;
        let committed = folder.commit(all);
        if let (Err(_), Some((shared, _))) = (&committed, shared) {
            shared.leave();
        }
        // The outer folder is locked until all is done.
        drop(outer);
        committed
    }
}
