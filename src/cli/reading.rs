//! How a command reads its scenario, and what a scenario may name.

use std::path::{Path, PathBuf};
use std::sync::Mutex;
use std::sync::atomic::{AtomicBool, Ordering};

use super::Failure;
use super::interruption::setting_up;
use super::printed::note_warning;
use super::terminal::{Terminal, Warning, say_report};
use crate::engine::Scenario;
use crate::parallel::locked;
use crate::remote::is_remote;
use crate::scenario::{Document, Fault, Faults, stays_below};

/// Whether scenarios may name what is outside their folders.
static OUTSIDE: AtomicBool = AtomicBool::new(false);

/// Sets whether scenarios may name what is outside their folders; called once, before anything is read.
pub(super) fn allow_outside(allowed: bool) {
    OUTSIDE.store(allowed, Ordering::Relaxed);
}

/// Whether a folder that a scenario names for its results may be written to.
pub(super) fn may_write_to(folder: &str) -> bool {
    let folder = Path::new(folder);
    OUTSIDE.load(Ordering::Relaxed) || !is_remote(folder) && stays_below(Path::new(""), folder)
}

/// Documents that came through a pipe, by path: a pipe can be read once only, and commands read their scenario more
/// than once.
static PIPED: Mutex<Vec<(PathBuf, Document)>> = Mutex::new(Vec::new());

/// Reads a scenario's text.
pub(super) fn document(path: &Path) -> Result<Document, Faults> {
    let allowed = OUTSIDE.load(Ordering::Relaxed);
    if path.is_file() {
        return Ok(Document::read(path)?.allowing_outside(allowed));
    }
    let mut piped = locked(&PIPED);
    if let Some((_, document)) = piped.iter().find(|(of, _)| of == path) {
        return Ok(document.clone().allowing_outside(allowed));
    }
    let document = Document::read(path)?;
    piped.push((path.to_owned(), document.clone()));
    Ok(document.allowing_outside(allowed))
}

/// Reads the text of a scenario that a baseline has noted.
pub(super) fn noted(path: &Path) -> Result<Document, Faults> {
    Ok(Document::read_noted(path)?.allowing_outside(OUTSIDE.load(Ordering::Relaxed)))
}

/// Reads and checks a scenario.
pub(super) fn scenario(path: &Path) -> Result<Scenario, Faults> {
    Scenario::of(&document(path)?)
}

/// Reads a scenario to be played, and prints its warnings.
pub(super) fn read(path: &Path, terminal: &Terminal) -> Result<Scenario, Failure> {
    let _setting_up = setting_up();
    let scenario = scenario(path)?;
    warn(&scenario.all_warnings(), terminal);
    Ok(scenario)
}

/// Prints warnings: what is allowed but probably not meant.
pub(super) fn warn(warnings: &[Fault], terminal: &Terminal) {
    for warning in warnings {
        note_warning(warning);
        say_report(&terminal.report(&Warning(warning)));
    }
}
