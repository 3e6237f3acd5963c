//! `evens completions`: prints a completion script for a shell.

use clap::Args;

use super::terminal::print_data;
use super::{Exit, Failure};

#[derive(Args, Debug)]
pub(super) struct Arguments {
    /// The shell
    shell: clap_complete::Shell,
}

pub(super) fn run(arguments: &Arguments) -> Result<Exit, Failure> {
    let mut script = Vec::new();
    clap_complete::generate(arguments.shell, &mut super::command(), "evens", &mut script);
    print_data(&String::from_utf8_lossy(&script))?;
    Ok(Exit::Success)
}
