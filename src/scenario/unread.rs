//! What to say where a scenario cannot be read: why, and which one may have been meant.

use std::io::{self, ErrorKind};
use std::path::Path;

use super::bundled;
use super::fault::Fault;
use super::suggest::did_you_mean;
use crate::inputs::how_to_read;
use crate::shell::argument;

/// Where the names of all bundled scenarios are found.
const LISTING: &str = "`evens list scenarios` names all bundled ones";

/// The fault of a name that several bundled scenarios end with.
pub(crate) fn ambiguous(name: &str, several: &[String]) -> Fault {
    let message = format!("`{name}` may be any of {} bundled scenarios", several.len());
    let several: Vec<String> = several.iter().map(|name| format!("`{name}`")).collect();
    Fault::new(message, format!("name one of {}", several.join(", ")))
}

/// The fault of a path at which no scenario can be read.
pub(super) fn unreadable(path: &Path, error: &io::Error) -> Fault {
    let name = path.display().to_string();
    if error.kind() == ErrorKind::IsADirectory {
        let remedy = match scenarios_in(path).as_slice() {
            [] => "name a scenario file, such as `my.toml`".to_owned(),
            [only] => format!("name the file in it: {only}"),
            [first, ..] => {
                let all = argument(&name);
                format!("name a file in it, such as {first}; `evens check {all}/*.toml` checks all")
            }
        };
        return Fault::new(format!("{name} is a folder, not a scenario"), remedy);
    }
    if error.kind() != ErrorKind::NotFound {
        return Fault::new(format!("cannot read {name}: {error}"), how_to_read(error));
    }
    let stem = name.strip_suffix(".toml");
    let message = match stem.map(namesakes).as_deref() {
        None => format!("there is no file {name}, and no bundled scenario of that name"),
        Some([]) => format!("there is no file {name}"),
        Some([only]) => format!("there is no file {name} (the bundled one is called {only})"),
        Some(several) => {
            let several = several.join(" and ");
            format!("there is no file {name} (the bundled ones are called {several})")
        }
    };
    let remedy = match meant(path, stem.unwrap_or(&name)) {
        Some(Meant::File(file)) => format!("did you mean `{file}`?"),
        Some(Meant::Bundled(near)) => {
            format!("did you mean the bundled `{near}`? {LISTING}")
        }
        // The message says what the bundled one is called.
        None if stem.is_some_and(|stem| !namesakes(stem).is_empty()) => "check the path".to_owned(),
        None if stem.is_some() => format!("check the path; {LISTING}"),
        None => LISTING.to_owned(),
    };
    Fault::new(message, remedy)
}

/// The bundled scenarios of a name, whole or its end.
fn namesakes(name: &str) -> Vec<String> {
    let whole = bundled::find(name).map(|_| name.to_owned());
    whole.into_iter().chain(bundled::ending(name)).collect()
}

/// What may have been meant by the name of a scenario that is not there.
enum Meant {
    /// A file in the folder that was named.
    File(String),
    /// A bundled scenario, by its whole name.
    Bundled(String),
}

/// What may have been meant by `path`, whose name without `.toml` is `name`: a file where it was looked for, or else a
/// bundled scenario.
fn meant(path: &Path, name: &str) -> Option<Meant> {
    let short = |name: &str| name.rsplit('/').next().unwrap_or_default().to_owned();
    let wanted = short(name);
    let files = scenarios_in(path.parent().unwrap_or(Path::new("")));
    let stems: Vec<String> =
        files.iter().map(|file| short(file.trim_end_matches(".toml"))).collect();
    if let Some(near) = did_you_mean(&wanted, &mut stems.iter().map(String::as_str)) {
        let at = stems.iter().position(|stem| stem == near)?;
        return Some(Meant::File(files[at].clone()));
    }
    if !namesakes(name).is_empty() {
        return None;
    }
    let known = bundled::names();
    let whole = || known.iter().map(String::as_str);
    // A path with a slash is compared with whole names only.
    let near = match name.contains('/') {
        true => did_you_mean(name, &mut whole())?,
        false => {
            let ends: Vec<String> = whole().map(short).collect();
            match did_you_mean(&wanted, &mut ends.iter().map(String::as_str)) {
                Some(near) => whole().find(|name| short(name) == near)?,
                None => did_you_mean(name, &mut whole())?,
            }
        }
    };
    Some(Meant::Bundled(near.to_owned()))
}

/// The scenario files in a folder, by name, as far as they can be listed.
fn scenarios_in(folder: &Path) -> Vec<String> {
    let here = if folder.as_os_str().is_empty() { Path::new(".") } else { folder };
    let entries = std::fs::read_dir(here).into_iter().flatten().flatten();
    let toml = entries
        .map(|entry| folder.join(entry.file_name()))
        .filter(|path| path.extension().is_some_and(|of| of == "toml"));
    let mut names: Vec<String> = toml.map(|path| path.display().to_string()).collect();
    names.sort();
    names
}

#[cfg(test)]
mod tests {
    use super::ambiguous;

    #[test]
    fn a_name_that_may_be_any_of_several_lists_them() {
        let fault = ambiguous("duel", &["a/duel".to_owned(), "b/duel".to_owned()]);
        assert_eq!(fault.message, "`duel` may be any of 2 bundled scenarios");
        assert_eq!(fault.remedy, "name one of `a/duel`, `b/duel`");
    }
}
