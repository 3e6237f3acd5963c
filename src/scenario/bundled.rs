//! The scenarios that come with the program, and the folder in which a scenario's paths start.

use std::io;
use std::path::{Path, PathBuf};

use include_dir::{Dir, DirEntry, include_dir};

use super::{read_text, stays_below};

static BUNDLED: Dir<'_> = include_dir!("$CARGO_MANIFEST_DIR/scenarios");

/// The folder in which a scenario's paths start.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Folder {
    /// A folder on disk.
    Disk(PathBuf),
    /// A folder among the bundled scenarios, as a path from their top.
    Bundled(PathBuf),
}

impl Folder {
    /// The path of a file in this folder, for display.
    #[must_use]
    pub fn display(&self, path: &str) -> String {
        match self {
            Folder::Disk(folder) => folder.join(path).display().to_string(),
            Folder::Bundled(folder) => format!("{} (bundled)", folder.join(path).display()),
        }
    }

    /// Whether a path stays below this folder.
    #[must_use]
    pub fn holds(&self, path: &str) -> bool {
        match self {
            Folder::Disk(folder) => stays_below(folder, Path::new(path)),
            // A path can lead to no file that is not bundled.
            Folder::Bundled(_) => true,
        }
    }

    /// Reads the text of a file in this folder.
    ///
    /// # Errors
    /// When the file does not exist or is not text.
    pub fn read(&self, path: &str) -> io::Result<String> {
        match self {
            Folder::Disk(folder) => read_text(&folder.join(path)),
            Folder::Bundled(folder) => bundled_text(&folder.join(path))
                .ok_or_else(|| io::Error::new(io::ErrorKind::NotFound, "no such bundled file")),
        }
    }
}

fn bundled_text(path: &Path) -> Option<String> {
    BUNDLED.get_file(path)?.contents_utf8().map(str::to_owned)
}

/// The names of all bundled scenarios, such as `splinterlands/mirror`, sorted.
#[must_use]
pub fn names() -> Vec<String> {
    fn collect(dir: &Dir<'_>, names: &mut Vec<String>) {
        for entry in dir.entries() {
            match entry {
                DirEntry::Dir(dir) if dir.path().ends_with("cards") => {}
                DirEntry::Dir(dir) => collect(dir, names),
                DirEntry::File(file) => {
                    if file.path().extension().is_some_and(|ending| ending == "toml") {
                        names.push(file.path().with_extension("").display().to_string());
                    }
                }
            }
        }
    }
    let mut names = Vec::new();
    collect(&BUNDLED, &mut names);
    names.sort();
    names
}

/// The names of the bundled scenarios that end with a name: `drawn-teams` finds `splinterlands/drawn-teams`.
#[must_use]
pub fn ending(name: &str) -> Vec<String> {
    matching(name, names())
}

fn matching(name: &str, mut names: Vec<String>) -> Vec<String> {
    let end = format!("/{name}");
    names.retain(|known| !name.is_empty() && known.ends_with(&end));
    names
}

/// The text of a bundled scenario and the folder its paths start in. The name is one that `names` gives: a path with an
/// ending means a file.
#[must_use]
pub fn find(name: &str) -> Option<(String, Folder)> {
    if !names().iter().any(|known| known == name) {
        return None;
    }
    let path = PathBuf::from(format!("{name}.toml"));
    let text = bundled_text(&path)?;
    Some((text, Folder::Bundled(path.parent()?.to_owned())))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_end_of_a_name_is_enough() {
        assert_eq!(ending("drawn-teams"), ["splinterlands/drawn-teams"]);
        assert_eq!(ending("drawn-teams.toml"), Vec::<String>::new());
        assert_eq!(ending("teams"), Vec::<String>::new());
        let names = ["a/duel", "b/duel", "b/other-duel"].map(str::to_owned).to_vec();
        assert_eq!(matching("duel", names), ["a/duel", "b/duel"]);
    }

    #[test]
    fn only_a_whole_name_is_found_and_no_path() {
        assert!(find("splinterlands/mirror").is_some());
        for path in [
            "splinterlands/mirror.toml",
            "splinterlands/mirror.csv",
            "./splinterlands/mirror",
            "scenarios/splinterlands/mirror",
            "eldertale/cards/example",
            "mirror",
        ] {
            assert!(find(path).is_none(), "{path}");
        }
    }
}
