//! A folder whose files change as one act.
//!
//! 1. Every file is written under a temporary name and synced to disk.
//! 2. A note of all that is to be done takes the name `.evens-commit.json`. From here on the new files are the valid
//!    ones.
//! 3. The files take their names; files of the old set that are not in the new one are removed, and then the note.
//!
//! A program that ends before step 2 has changed nothing. If it ends afterwards, the next command that opens the folder
//! makes that good: it does what the note says. From step 2 on, a second Ctrl-C waits until all is done. While a folder
//! is open it is locked, so that two commands cannot write to it at once.
//!
//! Before step 2 it is checked that the files can take their names, and a step 3 that fails before it has changed a
//! file of the old set is undone together with the note: a command that fails leaves the folder as it was, and locks
//! nobody out.
//!
//! Shortly before step 2 the new files stop being temporary, because a note must not promise files that are removed.
//! Should one be gone all the same, and the file with its final name not have the hash in the note, then nothing more
//! is done, and no file of the old set is removed.
//!
//! A location in an object store changes in the same three steps ([`away`](super::away)): files are made in a scratch
//! folder, sent under temporary names, noted, and given their names by copies within the store. There are no locks there,
//! and a second Ctrl-C waits for nothing.

mod note;
mod verify;

pub(super) use note::Note;
pub(super) use verify::{MOVE_AWAY, PUT_BACK};
pub use verify::{Wrong, verify};

use std::collections::BTreeSet;
use std::fs::{self, File, TryLockError};
use std::io::{self, Read as _, Write};
use std::path::{Path, PathBuf};

use sha2::{Digest, Sha256};

use super::OutputError;
use super::away::Away;
use super::claim::Claim;
use super::provenance::Manifest;
use super::target::{Temporary, naming};
use crate::json::of_json;
use crate::remote::is_remote;

/// Name of the file that lists a set of tables; it is written last.
pub(super) const MANIFEST: &str = "provenance.json";
/// Name of the file with the report's notes: what a report says that no table holds.
pub(super) const NOTES: &str = "report.json";
pub(super) const NOTE: &str = ".evens-commit.json";
pub(super) const STAGED: &str = ".evens-staged-";

/// An open folder, which nobody else writes to meanwhile.
#[derive(Debug)]
pub(crate) struct Folder {
    path: PathBuf,
    /// Its location in an object store; None for a local folder.
    away: Option<Away>,
    /// Keeps other outputs of this process away.
    _claim: Option<Claim>,
    /// Holds the lock; none where the system has no locks for folders.
    lock: Option<File>,
    /// Folders that were made for it, the outermost first: those that are still empty are removed with it.
    _made: Made,
    /// The manifest of the set of tables in it, if there is one.
    pub(super) manifest: Option<Manifest>,
    /// The name of the manifest's file.
    manifest_name: String,
}

/// Folders that were made, and are removed on drop unless there is something in them.
#[derive(Debug, Default)]
pub(super) struct Made(Vec<PathBuf>);

impl Made {
    /// Makes a folder, and those around it, where they are missing.
    ///
    /// # Errors
    /// When there is something else in their place, or what the system says.
    pub(super) fn at(path: &Path) -> Result<Self, OutputError> {
        if path.exists() && !path.is_dir() {
            return Err(OutputError::NoFolder(path.to_owned()));
        }
        let missing = path.ancestors().take_while(|folder| {
            !folder.as_os_str().is_empty() && fs::symlink_metadata(folder).is_err()
        });
        let mut missing: Vec<PathBuf> = missing.map(Path::to_owned).collect();
        missing.reverse();
        let made = Self(missing);
        let unopened = |source| OutputError::Open { path: path.to_owned(), source };
        fs::create_dir_all(path).map_err(unopened)?;
        Ok(made)
    }
}

impl Drop for Made {
    fn drop(&mut self) {
        for folder in self.0.iter().rev() {
            // One that holds something stays.
            let _ = fs::remove_dir(folder);
        }
    }
}

/// A new file under a temporary name, and the name that it is to have in the folder.
#[derive(Debug)]
pub(crate) struct Staged {
    pub(super) name: String,
    pub(super) temporary: Temporary,
    /// SHA-256 of its bytes, in hexadecimal, if the writer has computed it.
    pub(super) sha256: Option<String>,
}

/// Writes the contents of a file.
pub(crate) type Contents<'w> = &'w dyn Fn(&mut File) -> io::Result<()>;

/// A file that could not be given its name or removed, though a note promises it.
#[derive(Debug)]
struct Stuck {
    at: PathBuf,
    source: io::Error,
}

impl Folder {
    /// Opens a folder, which is made when it is missing, and finishes what an earlier command left unfinished there.
    ///
    /// # Errors
    /// When it cannot be written to, or another command is writing to it.
    pub(crate) fn open(path: &Path) -> Result<Self, OutputError> {
        Self::locked(path, |lock| match lock.try_lock() {
            Err(TryLockError::WouldBlock) => Err(OutputError::Busy(path.to_owned())),
            Ok(()) => Ok(true),
            Err(TryLockError::Error(_)) => Ok(false),
        })
    }

    /// Opens a folder as [`open`](Self::open) does, but waits for commands that lock it for a moment.
    ///
    /// # Errors
    /// When it cannot be written to.
    pub(super) fn open_waiting(path: &Path) -> Result<Self, OutputError> {
        Self::locked(path, |lock| Ok(lock.lock().is_ok()))
    }

    /// Opens a folder and lets `take` lock it; `take` returns false where the system has no locks for folders.
    fn locked(
        path: &Path,
        take: impl FnOnce(&File) -> Result<bool, OutputError>,
    ) -> Result<Self, OutputError> {
        if is_remote(path) {
            let away = Away::open(path)?;
            let manifest = away.recovered()?;
            let (path, made) = (path.to_owned(), Made::default());
            let manifest_name = MANIFEST.to_owned();
            let (away, lock, claim) = (Some(away), None, None);
            return Ok(Self {
                path,
                away,
                _claim: claim,
                lock,
                _made: made,
                manifest,
                manifest_name,
            });
        }
        let made = Made::at(path)?;
        let claim = fs::canonicalize(path).ok().map(Claim::on).transpose()?;
        let lock = match File::open(path) {
            Ok(lock) => take(&lock)?.then_some(lock),
            Err(_) => None,
        };
        let (path, manifest_name) = (path.to_owned(), MANIFEST.to_owned());
        let mut folder = Self {
            path,
            away: None,
            _claim: claim,
            lock,
            _made: made,
            manifest: None,
            manifest_name,
        };
        folder.recover()?;
        folder.manifest = Manifest::read(&folder.path.join(MANIFEST));
        Ok(folder)
    }

    /// This folder with another manifest: the one of the set of tables that is about to change.
    pub(super) fn listed_by(self, manifest_name: String) -> Self {
        let manifest = Manifest::read(&self.path.join(&manifest_name));
        Self { manifest, manifest_name, ..self }
    }

    /// Finishes what an earlier command left unfinished, if anything.
    ///
    /// # Errors
    /// As [`open`](Self::open) has them.
    #[cfg(feature = "cli")]
    pub(crate) fn settle(path: &Path) -> Result<(), OutputError> {
        if path.join(NOTE).exists() { Self::open(path).map(drop) } else { Ok(()) }
    }

    /// Finishes what an earlier command left unfinished of the file of this name. Whatever else is unfinished in the
    /// folder, or in its note, is left to those who write there.
    ///
    /// # Errors
    /// As [`open`](Self::open) has them.
    #[cfg(feature = "cli")]
    pub(crate) fn settle_file(path: &Path, name: &str) -> Result<(), OutputError> {
        let note = bytes_of(&path.join(NOTE)).ok().and_then(|bytes| of_json::<Note>(&bytes));
        let promised = note.filter(Note::is_ours);
        match promised.is_some_and(|note| note.moves.iter().any(|(_, to)| to == name)) {
            true => Self::open(path).map(drop),
            false => Ok(()),
        }
    }

    fn recover(&self) -> Result<(), OutputError> {
        let unopened = |source| OutputError::Open { path: self.path.clone(), source };
        match bytes_of(&self.path.join(NOTE)) {
            Ok(bytes) => match of_json::<Note>(&bytes) {
                Some(note) if note.is_ours() => {
                    let is_there = |from: &str| self.path.join(from).try_exists().map_err(unopened);
                    let hash = |name: &str| self.hash_of(name).map_err(unopened);
                    if let Some((at, kind)) = self.in_the_way_of(&note) {
                        let (path, source) = (self.path.clone(), io::Error::from(kind));
                        return Err(OutputError::HalfDone { path, at, source });
                    }
                    // A note that can no longer be carried out changes no files, so nothing is checked.
                    if note.is_possible(is_there, hash)?
                        && let Some(name) = note.other_than_known(hash)?
                    {
                        return Err(OutputError::Foreign(self.path.join(name)));
                    }
                    // If the note can no longer be carried out, the ended command has no results, as if it had ended
                    // sooner.
                    if let Err(stuck) = self.carry_out(&note)
                        // Nothing that a user does would let a file have a name that is too long.
                        && !(stuck.source.kind() == io::ErrorKind::InvalidFilename
                            && self.take_back(&note))
                    {
                        return Err(self.half_done(stuck));
                    }
                }
                _ => return Err(OutputError::Note(self.path.join(NOTE))),
            },
            Err(error) if error.kind() == io::ErrorKind::NotFound => {}
            Err(error) => return Err(unopened(error)),
        }
        if self.lock.is_some() {
            // Nobody else is at work here, so these belong to nobody.
            for entry in fs::read_dir(&self.path).map_err(unopened)?.flatten() {
                if entry.file_name().to_string_lossy().starts_with(STAGED) {
                    let _ = fs::remove_file(entry.path());
                }
            }
        }
        Ok(())
    }

    /// Checks that a file of this name is missing, or is one of ours that nobody has changed since.
    ///
    /// # Errors
    /// When it is anything else, or of a later version of the program: neither is ever written over.
    pub(super) fn claim(&self, name: &str) -> Result<(), OutputError> {
        let path = self.path.join(name);
        if let Some(format) = self.manifest.as_ref().and_then(Manifest::later_format) {
            let path = self.path.join(&self.manifest_name);
            return Err(OutputError::Later { path, format });
        }
        if let Some(away) = &self.away {
            let is_ours = away.is_free_or_of(self.manifest.as_ref(), name)?;
            return if is_ours { Ok(()) } else { Err(OutputError::Foreign(path)) };
        }
        let Ok(found) = fs::symlink_metadata(&path) else { return Ok(()) };
        if found.is_dir() {
            return Err(OutputError::Occupied(path));
        }
        let is_ours = found.is_file()
            && match &self.manifest {
                Some(manifest) if name == self.manifest_name => !manifest.is_changed,
                Some(manifest) => manifest.holds(name, &path),
                None => false,
            };
        if is_ours {
            return Ok(());
        }
        // What lists the files, or the file itself, may be ours and only unreadable.
        let list = self.path.join(&self.manifest_name);
        for path in [&list, &path] {
            if let Err(source) = bytes_of(path)
                && source.kind() == io::ErrorKind::PermissionDenied
            {
                return Err(OutputError::Unread { path: path.clone(), source });
            }
        }
        Err(OutputError::Foreign(if self.manifest.is_none() && list.exists() {
            list
        } else {
            path
        }))
    }

    /// Creates a temporary file that is to be called `name`.
    ///
    /// # Errors
    /// When it cannot be written.
    pub(crate) fn stage(&self, name: &str) -> Result<Staged, OutputError> {
        let path = self.path.join(name);
        if path.is_dir() {
            return Err(OutputError::Occupied(path));
        }
        let mode = fs::metadata(&path).ok().map(|found| found.permissions());
        let here = self.here();
        let temporary = Temporary::new(here, STAGED, mode)
            .map_err(|source| OutputError::Open { path: here.to_owned(), source })?;
        Ok(Staged { name: name.to_owned(), temporary, sha256: None })
    }

    /// Writes these bytes to the file of this name, replacing the old file atomically: one of the two is there at any
    /// time.
    ///
    /// # Errors
    /// What the system says, with the file's name.
    pub(crate) fn put(&self, name: &str, bytes: &[u8]) -> Result<(), OutputError> {
        if let Some(away) = &self.away {
            return Ok(away.remote.put(name, bytes.to_vec())?);
        }
        let put = || {
            let mut temporary = Temporary::new(&self.path, STAGED, None)?;
            temporary.file.write_all(bytes)?;
            temporary.file.sync_all()?;
            temporary.persist(&self.path.join(name))?;
            self.sync()
        };
        put().map_err(|source| self.failed(name, source))
    }

    /// The local folder that its files are made in: itself, or a scratch folder for an object store.
    pub(crate) fn here(&self) -> &Path {
        self.away.as_ref().map_or(&self.path, |away| away.scratch.path())
    }

    /// Its location in an object store; None for a local folder.
    pub(crate) fn away(&self) -> Option<&Away> {
        self.away.as_ref()
    }

    /// The path of the folder.
    #[cfg(feature = "cli")]
    pub(super) fn path(&self) -> &Path {
        &self.path
    }

    /// The path of a file in it.
    pub(super) fn path_of(&self, name: &str) -> PathBuf {
        self.path.join(name)
    }

    /// Opens a folder inside this one.
    pub(super) fn inner(&self, name: &str) -> Result<Self, OutputError> {
        Self::open(&self.path.join(name))
    }

    /// Writes these files anew, in this order and as one act, where [`put`](Self::put) replaces a single one.
    ///
    /// # Errors
    /// As [`commit`](Self::commit).
    pub(crate) fn put_all(&self, files: &[(&str, Contents<'_>)]) -> Result<(), OutputError> {
        let stage = |&(name, write): &(&str, Contents<'_>)| {
            let staged = Temporary::new(self.here(), STAGED, None).and_then(|mut temporary| {
                write(&mut temporary.file)?;
                Ok(Staged { name: name.to_owned(), temporary, sha256: None })
            });
            staged.map_err(|source| self.failed(name, source))
        };
        self.replace(files.iter().map(stage).collect::<Result<_, _>>()?, Vec::new())
    }

    /// Gives all these files their names, in this order, and removes files of the old set that are not among them, as
    /// one act.
    ///
    /// # Errors
    /// What stands in the way, or what the system says, with the file's name. Nothing has changed, or the next command on
    /// this folder finishes it.
    pub(crate) fn commit(self, staged: Vec<Staged>) -> Result<(), OutputError> {
        let removals = self.outdated(&staged);
        self.replace(staged, removals)
    }

    /// Gives these files their names and removes those of `removals`, as one act.
    fn replace(&self, staged: Vec<Staged>, removals: Vec<String>) -> Result<(), OutputError> {
        for file in &staged {
            let synced = file.temporary.file.sync_all();
            synced.map_err(|source| self.failed(&file.name, source))?;
        }
        if let Some(away) = &self.away {
            return Ok(away.commit(&staged, self.manifest.as_ref())?);
        }
        let _made = self.make_room(&staged)?;
        let mut note = Note { removals, ..Note::default() };
        for file in &staged {
            note.moves.push(self.in_note(file)?);
            let hash = file.hash().map_err(|source| self.failed(&file.name, source))?;
            note.sha256.insert(file.name.clone(), hash);
        }
        let replaced = staged.iter().map(|file| &file.name);
        for name in replaced.chain(&note.removals) {
            let hash = self.hash_of(name).map_err(|source| self.failed(name, source))?;
            note.before.extend(hash.map(|hash| (name.clone(), hash)));
        }
        let _whole = naming();
        self.promise(&note, staged).map_err(|source| self.failed(NOTE, source))?;
        match self.carry_out(&note) {
            Ok(true) => Ok(()),
            Ok(false) => Err(self.failed("", io::Error::other("somebody removed the new files"))),
            Err(Stuck { at, source }) if self.take_back(&note) => {
                Err(OutputError::Write { what: at.display().to_string(), source })
            }
            Err(stuck) => Err(self.half_done(stuck)),
        }
    }

    /// Makes the folders that the files go into, and checks that they can be written to. Folders that stay empty are
    /// removed when the returned values are dropped.
    fn make_room(&self, staged: &[Staged]) -> Result<Vec<Made>, OutputError> {
        let mut made = Vec::new();
        let mut inner = BTreeSet::new();
        for file in staged {
            match self.in_the_way(&file.name) {
                Some((at, io::ErrorKind::IsADirectory)) => return Err(OutputError::Occupied(at)),
                Some((at, _)) => return Err(OutputError::InTheWay(at)),
                None => inner.extend(Path::new(&file.name).parent()),
            }
        }
        for inner in inner.into_iter().filter(|inner| !inner.as_os_str().is_empty()) {
            let path = self.path.join(inner);
            made.push(Made::at(&path)?);
            if let Err(source) = Temporary::new(&path, STAGED, None) {
                return Err(OutputError::Open { path, source });
            }
        }
        Ok(made)
    }

    /// What keeps a file from having this name: a folder that has it, or something else in the place of a folder around it.
    fn in_the_way(&self, name: &str) -> Option<(PathBuf, io::ErrorKind)> {
        let path = self.path.join(name);
        if path.is_dir() {
            return Some((path, io::ErrorKind::IsADirectory));
        }
        let around = path.ancestors().skip(1).take_while(|around| **around != self.path);
        let is_no_folder = |path: &&Path| fs::symlink_metadata(path).is_ok() && !path.is_dir();
        let at = around.filter(is_no_folder).last()?;
        Some((at.to_owned(), io::ErrorKind::NotADirectory))
    }

    /// What keeps a file from having a name that a note promises, if anything.
    fn in_the_way_of(&self, note: &Note) -> Option<(PathBuf, io::ErrorKind)> {
        note.moves.iter().find_map(|(_, name)| self.in_the_way(name))
    }

    fn half_done(&self, stuck: Stuck) -> OutputError {
        let Stuck { at, source } = stuck;
        OutputError::HalfDone { path: self.path.clone(), at, source }
    }

    /// Undoes a note that could not be carried out, and removes its new files, if no old file is gone yet; returns
    /// whether it did. A program that ends on the way leaves a note that can still be carried out.
    fn take_back(&self, note: &Note) -> bool {
        let is_missing = |name: &String| !matches!(self.path.join(name).try_exists(), Ok(true));
        let moved = || note.moves.iter().filter(|(from, _)| is_missing(from));
        if note.removals.iter().any(is_missing)
            || moved().any(|(_, name)| note.before.contains_key(name))
        {
            return false;
        }
        let back = |(from, name): &(String, String)| {
            fs::rename(self.path.join(name), self.path.join(from))
        };
        let taken_back = moved()
            .try_for_each(back)
            .and_then(|()| fs::remove_file(self.path.join(NOTE)))
            .and_then(|()| self.sync());
        if taken_back.is_ok() {
            for (from, _) in &note.moves {
                let _ = fs::remove_file(self.path.join(from));
            }
        }
        taken_back.is_ok()
    }

    /// Writes the commit note and hands these files over to it: they are no longer temporary.
    ///
    /// # Errors
    /// What the system says. The files are gone, unless a note is there that promises them.
    fn promise(&self, note: &Note, staged: Vec<Staged>) -> io::Result<()> {
        let mut kept = Vec::new();
        let mut keep = |file: Staged| file.temporary.keep().map(|path| kept.push(path));
        // Before the note is written: once it is there, nobody may remove the files it promises.
        let promised =
            staged.into_iter().try_for_each(&mut keep).and_then(|()| self.write_note(note));
        if promised.is_err() && matches!(self.path.join(NOTE).try_exists(), Ok(false)) {
            for path in kept {
                let _ = fs::remove_file(path);
            }
        }
        promised
    }

    /// The entry of a file in a note: its temporary name relative to this folder, and its final name.
    fn in_note(&self, file: &Staged) -> Result<(String, String), OutputError> {
        // The temporary path may be absolute where the path of this folder is relative.
        let at = std::path::absolute(&*file.temporary.path);
        let here = std::path::absolute(&self.path);
        let (at, here) = at.and_then(|at| Ok((at, here?))).map_err(|e| self.failed(NOTE, e))?;
        let from = at.strip_prefix(here).map_err(|_| {
            self.failed(&file.name, io::Error::other("it was made in another folder"))
        })?;
        Ok((from.to_string_lossy().replace('\\', "/"), file.name.clone()))
    }

    /// Files that the manifest lists, that nobody has changed, and that are not among the new ones.
    fn outdated(&self, staged: &[Staged]) -> Vec<String> {
        let Some(manifest) = &self.manifest else { return Vec::new() };
        let names = manifest.replaced_by(staged, &self.manifest_name);
        names.filter(|name| manifest.holds(name, &self.path.join(name))).cloned().collect()
    }

    fn write_note(&self, note: &Note) -> io::Result<()> {
        let mut temporary = Temporary::new(&self.path, STAGED, None)?;
        temporary.file.write_all(&serde_json::to_vec(note)?)?;
        temporary.file.sync_all()?;
        let path = self.path.join(NOTE);
        temporary.persist(&path)?;
        // A command that fails changes nothing, so the note must go: the next command would carry it out.
        self.sync().inspect_err(|_| drop(fs::remove_file(path)))
    }

    /// Carries out what is left to do of a note. Returns false, having changed nothing, when that is no longer
    /// possible. Either way the note is removed.
    fn carry_out(&self, note: &Note) -> Result<bool, Stuck> {
        let stuck = |at: &Path| {
            let at = at.to_owned();
            move |source| Stuck { at, source }
        };
        let done = |at: &Path, result: io::Result<()>| match result {
            Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(()),
            result => result.map_err(stuck(at)),
        };
        let is_there = |from: &str| self.path.join(from).try_exists();
        let possible = note.is_possible(is_there, |name| self.hash_of(name));
        let the_note = self.path.join(NOTE);
        if !possible.map_err(stuck(&self.path))? {
            done(&the_note, fs::remove_file(&the_note))?;
            return Ok(false);
        }
        for (temporary, name) in &note.moves {
            let to = self.path.join(name);
            if let Some(parent) = to.parent().filter(|parent| *parent != self.path) {
                fs::create_dir_all(parent).map_err(stuck(parent))?;
            }
            done(&to, fs::rename(self.path.join(temporary), &to))?;
        }
        let inner = note.moves.iter().filter_map(|(_, name)| Path::new(name).parent());
        for inner in inner.collect::<BTreeSet<_>>() {
            if self.lock.is_some() && cfg!(unix) {
                let inner = self.path.join(inner);
                let synced = File::open(&inner).and_then(|inner| inner.sync_all());
                synced.map_err(stuck(&inner))?;
            }
        }
        for name in &note.removals {
            let old = self.path.join(name);
            done(&old, fs::remove_file(&old))?;
        }
        self.sync().map_err(stuck(&self.path))?;
        done(&the_note, fs::remove_file(&the_note))?;
        Ok(true)
    }

    /// SHA-256 of a file in the folder, in hexadecimal; None when there is no such file.
    fn hash_of(&self, name: &str) -> io::Result<Option<String>> {
        use io::ErrorKind::{InvalidFilename, NotADirectory, NotFound};
        match hash_of(&self.path.join(name)) {
            Err(error) if matches!(error.kind(), NotFound | NotADirectory | InvalidFilename) => {
                Ok(None)
            }
            hash => hash.map(Some),
        }
    }

    /// Checks that nobody has changed a listed file: it would be removed with its set, or stay beside another one.
    ///
    /// # Errors
    /// As [`claim`](Self::claim) has them.
    pub(super) fn claim_listed(&self) -> Result<(), OutputError> {
        let listed = self.manifest.iter().flat_map(|manifest| &manifest.files);
        let mut below = listed.map(|listed| &listed.file).filter(|name| is_below(name));
        below.try_for_each(|name| self.claim(name))
    }

    /// Syncs the folder, so that the names are on disk.
    fn sync(&self) -> io::Result<()> {
        match &self.lock {
            Some(folder) if cfg!(unix) => folder.sync_all(),
            _ => Ok(()),
        }
    }

    fn failed(&self, name: &str, source: io::Error) -> OutputError {
        OutputError::Write { what: self.path.join(name).display().to_string(), source }
    }
}

impl Staged {
    /// Another handle on the open file, for a writer.
    pub(super) fn handle(&self) -> Result<File, OutputError> {
        let file = self.temporary.file.try_clone();
        file.map_err(|source| OutputError::Open { path: self.temporary.path.to_path_buf(), source })
    }

    /// SHA-256 of its bytes, in hexadecimal.
    pub(super) fn hash(&self) -> io::Result<String> {
        match &self.sha256 {
            Some(known) => Ok(known.clone()),
            None => hash_of(&self.temporary.path),
        }
    }

    /// Writes text to it.
    ///
    /// # Errors
    /// What the system says, with the file's name.
    pub(crate) fn write(&mut self, text: &str) -> Result<(), OutputError> {
        let written = self.temporary.file.write_all(text.as_bytes());
        written.map_err(|source| OutputError::Write { what: self.place(), source })
    }

    /// Its folder and final name, for messages.
    pub(super) fn place(&self) -> String {
        let made_in = self.temporary.path.parent().unwrap_or(Path::new(""));
        // A run that shares a folder makes its files in one of its own inside.
        let is_own = file_name(made_in).starts_with(STAGED);
        let folder = if is_own { made_in.parent().unwrap_or(made_in) } else { made_in };
        folder.join(&self.name).display().to_string()
    }

    /// Moves it, under a temporary name still, to another folder.
    pub(super) fn into(self, folder: &Folder) -> Result<Self, OutputError> {
        let mut staged = folder.stage(&self.name)?;
        let Self { name, temporary, sha256 } = self;
        staged.sha256 = sha256;
        let moved = temporary.replace(&mut staged.temporary);
        moved.map_err(|source| folder.failed(&name, source))?;
        Ok(staged)
    }
}

/// Whether a name leads to a file in its folder or in one below it.
pub(super) fn is_below(name: &str) -> bool {
    let mut parts = Path::new(name).components();
    !name.is_empty() && parts.all(|part| matches!(part, std::path::Component::Normal(_)))
}

pub(super) fn file_name(path: &Path) -> String {
    path.file_name().unwrap_or_default().to_string_lossy().into_owned()
}

/// Opens a regular file to read it. A pipe is refused, because nobody may ever write to it.
///
/// # Errors
/// What the system says, or that it is no regular file.
fn regular(path: &Path) -> io::Result<File> {
    if fs::metadata(path)?.is_file() {
        File::open(path)
    } else {
        Err(io::Error::other("it is no regular file"))
    }
}

/// Whether there is a note on unfinished results in a folder that cannot be used.
pub(super) fn has_bad_note(folder: &Path) -> bool {
    bytes_of(&folder.join(NOTE))
        .is_ok_and(|bytes| !of_json::<Note>(&bytes).is_some_and(|note| note.is_ours()))
}

/// All bytes of a regular file.
///
/// # Errors
/// As [`regular`] has them.
pub(crate) fn bytes_of(path: &Path) -> io::Result<Vec<u8>> {
    let mut bytes = Vec::new();
    regular(path)?.read_to_end(&mut bytes)?;
    Ok(bytes)
}

/// SHA-256 of a file, in hexadecimal.
pub(super) fn hash_of(path: &Path) -> io::Result<String> {
    let mut hash = Sha256::new();
    io::copy(&mut regular(path)?, &mut hash)?;
    Ok(crate::digest::hexadecimal(hash))
}

#[cfg(test)]
mod tests;
