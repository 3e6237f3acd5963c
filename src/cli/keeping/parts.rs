//! Partial results that are added up: which ones there are, and whether they go together.

use std::collections::BTreeSet;
use std::fs;
use std::io::ErrorKind;
use std::path::{Path, PathBuf};

use super::inner::{same_job, told};
use crate::cli::Failure;
use crate::cli::terminal::say;
use crate::inputs::how_to_read;
use crate::parallel;
use crate::partial::{Found, PartialError, PlacesError, RESULT, Ranges};
use crate::remote::is_remote;
use crate::report::figures::counted;
use crate::scenario::{Fault, Faults};
use crate::shell::argument;
use crate::table::{Folder, OutputError};

/// Reads all partial results in these folders, each of them once.
pub(in crate::cli) fn gathered(
    folders: &[PathBuf],
    allow_missing: bool,
) -> Result<Vec<Found>, Failure> {
    let (mut parts, mut named) = (Vec::new(), BTreeSet::new());
    let full = |path: &Path| fs::canonicalize(path).unwrap_or_else(|_| path.to_owned());
    for folder in folders {
        finish(folder)?;
        let paths = Found::places(folder).map_err(|error| match error {
            PlacesError::Remote(error) => Failure::from(PartialError::from(error)),
            PlacesError::System(error) => {
                let of_a_shard =
                    "name the folder that was given to `-o` of the command with `--shard`";
                let fault = match error.kind() {
                    ErrorKind::NotFound => Fault::new("there is no such folder", of_a_shard),
                    ErrorKind::NotADirectory => Fault::new("it is no folder", of_a_shard),
                    _ => {
                        let message = format!("cannot read the folder: {error}");
                        Fault::new(message, how_to_read(&error))
                    }
                };
                Faults::one(folder.display().to_string(), fault).into()
            }
        })?;
        // A partial result that is named twice is counted once.
        let (fresh, again): (Vec<PathBuf>, Vec<PathBuf>) =
            paths.into_iter().partition(|path| named.insert(full(path)));
        let before = parts.len();
        // Object stores answer late, and many requests at a time.
        let found = parallel::map_all(&fresh, |path| Found::read(path));
        for found in found {
            match found {
                Ok(found) => parts.extend(found),
                Err(error @ PartialError::Damaged { .. }) if allow_missing => {
                    say(&format!("{error}: left out\n"));
                }
                Err(error) => return Err(error.into()),
            }
        }
        if parts.len() == before && again.is_empty() {
            return Err(PartialError::Nothing(folder.clone()).into());
        }
    }
    Ok(parts)
}

/// Finishes what a command left half done of a sum in this folder or right below it.
fn finish(folder: &Path) -> Result<(), OutputError> {
    if is_remote(folder) {
        return Ok(());
    }
    let below = fs::read_dir(folder).into_iter().flatten().flatten().map(|entry| entry.path());
    let mut all = [folder.to_owned()].into_iter().chain(below.filter(|path| path.is_dir()));
    all.try_for_each(|path| Folder::settle_file(&path, RESULT))
}

/// Checks that all of them are parts of one play, after the same earlier plays; returns the play's number of battles.
pub(in crate::cli) fn of_one_play(parts: &[Found]) -> Result<u64, Failure> {
    let first = &parts[0];
    let Some((last, earlier)) = first.header.stages.split_last() else {
        return Err(PartialError::Nothing(first.path.clone()).into());
    };
    for part in parts {
        let different = |what: &str, there: String, here: String| {
            let (path, what) = (part.path.clone(), what.to_owned());
            Err(PartialError::Foreign { path, what, there, here }.into())
        };
        let stages = &part.header.stages;
        if stages.len() != first.header.stages.len() {
            let name = |part: &Found| part.header.stages.last().map(|stage| stage.name.clone());
            let [there, here] = [part, first].map(|part| name(part).unwrap_or_default());
            return different("the play", there, here);
        }
        let of = &stages[stages.len() - 1];
        if (of.planned, &of.allocation) != (last.planned, &last.allocation) {
            let told = |planned: u64| format!("{} of {}", counted(planned, "battle"), last.name);
            return different("what is played", told(of.planned), told(last.planned));
        }
        for at in 0..earlier.len() {
            if stages[at] != earlier[at] || part.tallies[at] != first.tallies[at] {
                let what = format!("what came of {}", earlier[at].name);
                return different(&what, "another".to_owned(), "one".to_owned());
            }
        }
        // Limits and targets decide what is played after the first play.
        let flags = |part: &Found| {
            let flags = part.header.asked.besides.iter().filter(|(name, _)| !is_file(name));
            flags.cloned().collect::<Vec<_>>()
        };
        if part.header.plays.len() > 1 && flags(part) != flags(first) {
            let [there, here] = [part, first].map(|part| listed(&flags(part)));
            return different("what is asked for", there, here);
        }
    }
    Ok(last.planned)
}

/// Whether a flag names a file, which may have another name elsewhere.
fn is_file(flag: &str) -> bool {
    matches!(flag, "" | "--cards" | "--targets")
}

fn listed(flags: &[(String, String)]) -> String {
    let told = |(name, value): &(String, String)| match value.is_empty() {
        true => name.clone(),
        false => format!("{name} {value}"),
    };
    flags.iter().map(told).collect::<Vec<_>>().join(" ")
}

/// The battles of the last play that all parts hold together; an error when two parts hold the same battle.
pub(in crate::cli) fn apart(parts: &[Found]) -> Result<Ranges, PartialError> {
    let of = |part: &Found| part.header.stages.last().map(|stage| stage.done.clone());
    let mut all = Ranges::default();
    for (at, part) in parts.iter().enumerate() {
        let done = of(part).unwrap_or_default();
        if all.overlap(&done).is_some() {
            for other in &parts[..at] {
                if let Some(both) = of(other).unwrap_or_default().overlap(&done) {
                    let (one, other) = (other.path.clone(), part.path.clone());
                    let (from, to) = (both.start, both.end - 1);
                    return Err(PartialError::Doubled { one, other, from, to });
                }
            }
        }
        all = all.with(&done);
    }
    Ok(all)
}

/// Reads the parts of the plays before the one that is shared out, and checks that none of their battles is missing.
pub(super) fn earlier(
    from: &Path,
    place: &Path,
    plays: &[&'static str],
) -> Result<Vec<Found>, Failure> {
    if plays.len() < 2 {
        let remedy =
            "--from names the plays before the one that is shared out, and here there is only one";
        return Err(Failure::Usage(remedy.to_owned()));
    }
    if place.parent() == Some(from) {
        let remedy =
            "--from and -o name one folder: the parts of each play need a folder of their own";
        return Err(Failure::Usage(remedy.to_owned()));
    }
    let parts = gathered(&[from.to_owned()], false)?;
    let planned = of_one_play(&parts)?;
    let missing = apart(&parts)?.missing(0..planned);
    let (known, folder) = (parts[0].header.stages.len(), from.display());
    let name = &parts[0].header.stages[known - 1].name;
    if !missing.is_empty() {
        let what =
            format!("{folder} has not all of {name}: battles {} are missing", told(&missing));
        let remedy = "play their shards first: what comes next depends on all of them".to_owned();
        return Err(PartialError::Missing { what, remedy }.into());
    }
    if known >= plays.len() {
        let remedy = format!(
            "{name} is the last play: `evens merge {}` ends the command",
            argument(&folder.to_string())
        );
        return Err(Failure::Usage(remedy));
    }
    Ok(parts)
}

/// Checks that these are the parts of one job, and that their job has no play after theirs.
pub(super) fn are_all_plays(parts: &[Found], plays: &[&'static str]) -> Result<(), PartialError> {
    let Some(first) = parts.first() else { return Ok(()) };
    for part in parts {
        same_job(part, &first.header, false)?;
    }
    let known = first.header.stages.len();
    if known >= plays.len() {
        return Ok(());
    }
    let what =
        format!("after {} comes {}, and nobody has played it", plays[known - 1], plays[known]);
    let folder = first.path.parent().unwrap_or(&first.path).display();
    let remedy = format!(
        "play its shards: the same command with `--shard M/N --from {folder}` and a folder of their own"
    );
    Err(PartialError::Missing { what, remedy })
}
