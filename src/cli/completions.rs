//! `evens completions`: prints a completion script for a shell.

use super::args::Completions;
use super::terminal::print;
use super::{Exit, Failure};

pub(super) fn run(arguments: &Completions) -> Result<Exit, Failure> {
    let mut script = Vec::new();
    clap_complete::generate(arguments.shell, &mut super::command(), "evens", &mut script);
    print(&String::from_utf8_lossy(&script))?;
    Ok(Exit::Success)
}
