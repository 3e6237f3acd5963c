//! Single files that are written whole or not at all, and the temporary files behind all outputs.

use std::collections::BTreeSet;
use std::fs::{self, File, Permissions};
use std::io;
use std::path::{Path, PathBuf};
use std::sync::Mutex;

use tempfile::TempPath;

#[cfg(feature = "cli")]
use super::baselines::{holds_baselines, is_json};
#[cfg(feature = "cli")]
use super::kept::is_kept;
#[cfg(feature = "cli")]
use super::replace::Content;
#[cfg(feature = "cli")]
use super::{OutputError, claim::Claim};
#[cfg(feature = "cli")]
use crate::inputs;
use crate::parallel::locked;
#[cfg(feature = "cli")]
use crate::remote::{Remote, RemoteError, is_remote};

/// Temporary files of this process. They are removed first when the process is ended at once.
static TEMPORARY: Mutex<BTreeSet<PathBuf>> = Mutex::new(BTreeSet::new());

/// Held while a set of files takes the names that a commit note promises.
static NAMING: Mutex<()> = Mutex::new(());

/// A file under a temporary name, removed unless it is kept.
#[derive(Debug)]
pub(super) struct Temporary {
    pub(super) path: TempPath,
    pub(super) file: File,
}

impl Temporary {
    /// Creates a file in `folder` whose name begins with `prefix`. It becomes as readable as any other file, or gets
    /// the mode of the file that it is to replace.
    pub(super) fn new(folder: &Path, prefix: &str, mode: Option<Permissions>) -> io::Result<Self> {
        let mut builder = tempfile::Builder::new();
        builder.prefix(prefix);
        #[cfg(unix)]
        {
            use std::os::unix::fs::PermissionsExt;
            builder.permissions(Permissions::from_mode(0o666));
        }
        // Locked before the file exists: otherwise a program that ends at once would not know of it.
        let mut registered = registered();
        let (file, path) = builder.tempfile_in(folder)?.into_parts();
        registered.insert(path.to_path_buf());
        if let Some(mode) = mode {
            file.set_permissions(mode)?;
        }
        Ok(Self { path, file })
    }

    /// Keeps the file under its temporary name, even when the program is ended at once.
    pub(super) fn keep(self) -> io::Result<PathBuf> {
        registered().remove(&*self.path);
        self.path.keep().map_err(|fault| fault.error)
    }

    /// Moves the file, still under a temporary name, into the place of another temporary file.
    pub(super) fn replace(self, other: &mut Self) -> io::Result<()> {
        let mut registered = registered();
        fs::rename(&self.path, &other.path)?;
        registered.remove(&*self.path);
        other.file = self.file;
        Ok(())
    }

    /// Gives the file its final name, replacing any file that has it.
    pub(super) fn persist(self, to: &Path) -> io::Result<()> {
        self.named_by(|path| path.persist(to))
    }

    /// Gives the file its final name if nothing has that name yet; otherwise returns an error that says so.
    #[cfg(feature = "cli")]
    fn persist_anew(self, to: &Path) -> io::Result<()> {
        self.named_by(|path| path.persist_noclobber(to))
    }

    fn named_by(
        self,
        name: impl FnOnce(TempPath) -> Result<(), tempfile::PathPersistError>,
    ) -> io::Result<()> {
        let Self { path, file } = self;
        // Windows renames no open file. Elsewhere it is held until it has its name.
        let held = (!cfg!(windows)).then_some(file);
        let temporary = path.to_path_buf();
        name(path).map_err(|fault| fault.error)?;
        drop(held);
        registered().remove(&temporary);
        Ok(())
    }
}

pub(super) fn registered() -> std::sync::MutexGuard<'static, BTreeSet<PathBuf>> {
    locked(&TEMPORARY)
}

/// Locks the naming of files: a program that is to end at once waits until a set of files has taken all its names,
/// which is a moment's work.
pub(super) fn naming() -> std::sync::MutexGuard<'static, ()> {
    locked(&NAMING)
}

/// Removes every temporary file, for a program that ends at once. Until it has ended, no temporary file is made or
/// kept: a thread that tries to waits, and so promises nobody a file that was removed.
#[cfg(feature = "cli")]
pub(crate) fn remove_temporary_files() {
    std::mem::forget(naming());
    let registered = registered();
    for path in registered.iter() {
        // A file that has taken its name in the meantime is no longer there.
        let _ = fs::remove_file(path);
    }
    std::mem::forget(registered);
}

/// A single file to be written: whole or not at all, or straight to a pipe or a device.
#[cfg(feature = "cli")]
#[derive(Debug)]
pub(crate) struct Target {
    path: PathBuf,
    way: Way,
    content: Content,
}

#[cfg(feature = "cli")]
#[derive(Debug)]
enum Way {
    /// A regular file, perhaps at the end of a symbolic link.
    Renamed { temporary: Temporary, to: PathBuf, _claim: Option<Claim> },
    /// A pipe or a device.
    Through,
    /// An object in an object store.
    Away { remote: Remote, name: String },
}

#[cfg(feature = "cli")]
impl Target {
    /// Opens the file at `path`, which must not be one of the inputs that were read ([`inputs`]). Symbolic links are
    /// followed; an existing file keeps its mode, and must be one that this content may replace. What lies in an object
    /// store is not looked at.
    ///
    /// # Errors
    /// When it cannot be written there.
    pub(crate) fn open(path: &Path, content: Content) -> Result<Self, OutputError> {
        let unopened = |source| OutputError::Open { path: path.to_owned(), source };
        if is_remote(path) {
            let malformed = || RemoteError::Malformed(path.to_owned());
            let name = path.file_name().and_then(|name| name.to_str()).ok_or_else(malformed)?;
            let folder = path.parent().ok_or_else(malformed)?;
            let way = Way::Away { remote: Remote::open(folder)?, name: name.to_owned() };
            return Ok(Self { path: path.to_owned(), way, content });
        }
        if inputs::all().iter().any(|input| is_same(input, path)) {
            return Err(OutputError::Input(path.to_owned()));
        }
        let is_stream = ["/dev/stdout", "/dev/stderr", "/dev/fd", "/proc"]
            .iter()
            .any(|system| path.starts_with(system));
        let (to, mode) = match fs::metadata(path) {
            // Otherwise the file that standard output leads to would be replaced under it, or cut off.
            Ok(found) if found.is_file() && is_stream => {
                return Err(OutputError::Stream(path.to_owned()));
            }
            Ok(found) if found.is_dir() => return Err(OutputError::Folder(path.to_owned())),
            Ok(found) if !found.is_file() => {
                return Ok(Self { path: path.to_owned(), way: Way::Through, content });
            }
            Ok(found) => (fs::canonicalize(path).map_err(unopened)?, Some(found.permissions())),
            Err(_) => (end_of_links(path), None),
        };
        let place = place_of(path);
        if is_kept(place.as_deref().unwrap_or(&to)) {
            return Err(OutputError::Kept(path.to_owned()));
        }
        let claim = place.map(Claim::on).transpose()?;
        let folder = to.parent().filter(|folder| !folder.as_os_str().is_empty());
        let folder = folder.unwrap_or(Path::new("."));
        if is_json(&to) && holds_baselines(folder) {
            return Err(OutputError::Baselines(folder.to_owned()));
        }
        if !content.may_replace(&to) {
            return Err(OutputError::NotReplaced { path: path.to_owned(), noun: content.noun() });
        }
        remove_left_over(folder);
        let temporary = Temporary::new(folder, TEMPORARY_FILE, mode).map_err(unopened)?;
        // Tells other commands that the file is in use.
        let _ = temporary.file.try_lock();
        let way = Way::Renamed { temporary, to, _claim: claim };
        Ok(Self { path: path.to_owned(), way, content })
    }

    /// Opens a local file that does not exist yet, and never replaces one.
    ///
    /// # Errors
    /// When something is there, or it cannot be written there.
    pub(crate) fn open_new(path: &Path) -> Result<Self, OutputError> {
        // A link that leads nowhere counts as well.
        if is_remote(path) || fs::symlink_metadata(path).is_ok() {
            return Err(OutputError::Exists(path.to_owned()));
        }
        Self::open(path, Content::Start)
    }

    /// Writes the whole text, with a mark where its content has one, and moves the file into place.
    ///
    /// # Errors
    /// What the system says, with the file's name.
    pub(crate) fn fill(self, text: &str) -> Result<(), OutputError> {
        use std::io::Write as _;
        // Checked again: some inputs are read only once it is known what is to be told of them.
        if inputs::all().iter().any(|input| is_same(input, &self.path)) {
            return Err(OutputError::Input(self.path));
        }
        let marked = self.content.marked(text);
        let is_new = self.content == Content::Start;
        let written = match self.way {
            Way::Away { remote, name } => {
                return Ok(remote.put(&name, marked.into_owned().into_bytes())?);
            }
            Way::Through => fs::OpenOptions::new()
                .write(true)
                .open(&self.path)
                .and_then(|mut file| file.write_all(text.as_bytes()))
                .or_else(|error| match error.kind() {
                    // Whoever reads it may leave at any time.
                    io::ErrorKind::BrokenPipe => Ok(()),
                    _ => Err(error),
                }),
            // Checked again, too: somebody may have put a file there since the first battle.
            Way::Renamed { to, .. } if !is_new && !self.content.may_replace(&to) => {
                let noun = self.content.noun();
                return Err(OutputError::NotReplaced { path: self.path, noun });
            }
            Way::Renamed { mut temporary, to, _claim } => temporary
                .file
                .write_all(marked.as_bytes())
                .and_then(|()| temporary.file.sync_all())
                .and_then(|()| match is_new {
                    true => temporary.persist_anew(&to),
                    false => temporary.persist(&to),
                }),
        };
        written.map_err(|source| match source.kind() {
            io::ErrorKind::AlreadyExists if is_new => OutputError::Exists(self.path),
            _ => OutputError::WriteFile { path: self.path, source },
        })
    }
}

/// Prefix of the temporary names of single files.
#[cfg(feature = "cli")]
const TEMPORARY_FILE: &str = ".evens-file-";

/// Removes the files that killed commands have left in a folder: those with temporary names that nobody has locked.
#[cfg(feature = "cli")]
fn remove_left_over(folder: &Path) {
    /// A file is locked only a moment after it is made, so younger ones are left alone.
    const MOMENT: std::time::Duration = std::time::Duration::from_secs(60);
    let Ok(entries) = fs::read_dir(folder) else { return };
    for entry in entries.flatten() {
        let is_ours = entry.file_name().to_string_lossy().starts_with(TEMPORARY_FILE);
        let found = if is_ours { entry.metadata().ok() } else { None };
        let age = found.filter(|of| of.is_file()).and_then(|of| of.modified().ok()?.elapsed().ok());
        if age.is_some_and(|age| age > MOMENT)
            && File::open(entry.path()).is_ok_and(|file| file.try_lock().is_ok())
        {
            let _ = fs::remove_file(entry.path());
        }
    }
}

/// Whether two paths lead to one file.
#[cfg(feature = "cli")]
fn is_same(one: &Path, other: &Path) -> bool {
    #[cfg(unix)]
    {
        use std::os::unix::fs::MetadataExt;
        if let (Ok(one), Ok(other)) = (fs::metadata(one), fs::metadata(other)) {
            return one.is_file() && (one.dev(), one.ino()) == (other.dev(), other.ino());
        }
    }
    matches!((fs::canonicalize(one), fs::canonicalize(other)), (Ok(one), Ok(other)) if one == other)
}

/// The full path of a file that need not exist yet, with symbolic links followed. None when its folder does not exist.
#[cfg(feature = "cli")]
pub(super) fn place_of(path: &Path) -> Option<PathBuf> {
    if is_remote(path) {
        return Some(path.to_owned());
    }
    let end = end_of_links(path);
    let folder = end.parent().filter(|folder| !folder.as_os_str().is_empty());
    Some(full(folder.unwrap_or(Path::new(".")))?.join(end.file_name()?))
}

/// The full path of a folder. None when it does not exist.
#[cfg(feature = "cli")]
pub(super) fn full(folder: &Path) -> Option<PathBuf> {
    if is_remote(folder) { Some(folder.to_owned()) } else { fs::canonicalize(folder).ok() }
}

/// Follows symbolic links to their end, even when nothing is there yet.
#[cfg(feature = "cli")]
fn end_of_links(path: &Path) -> PathBuf {
    /// As many links as Linux follows.
    const MOST_LINKS: usize = 40;
    let mut path = path.to_owned();
    for _ in 0..MOST_LINKS {
        let Ok(next) = fs::read_link(&path) else { break };
        path = path.parent().unwrap_or(Path::new("")).join(next);
    }
    path
}
