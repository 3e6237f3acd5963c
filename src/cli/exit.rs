//! How the program ends. The numbers are part of its interface.

use std::process::ExitCode;

use super::printed::{PrintedFault, print_failure};
use super::terminal::{Terminal, say, say_report};
use crate::partial::PartialError;
use crate::scenario::{Fault, Faults};
use crate::table::OutputError;

/// Why the program ended, as a number for scripts.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(u8)]
pub enum Exit {
    /// All is well.
    Success = 0,
    /// Something that no input explains, such as a full disk.
    Unexpected = 1,
    /// The command line is wrong (clap uses the same number).
    Usage = 2,
    /// An input file has faults, or a partial result belongs to another job; nothing was written.
    Faulty = 3,
    /// The balance is not what it was: a change counts.
    Regression = 4,
    /// Ended early by Ctrl-C, SIGTERM or SIGHUP; an answer so far is written and marked partial, but for comparisons.
    Interrupted = 5,
    /// A recorded battle was not reproduced.
    NotReproduced = 6,
}

impl From<Exit> for ExitCode {
    fn from(exit: Exit) -> Self {
        ExitCode::from(exit as u8)
    }
}

/// Why a command could not do what it was asked.
#[derive(Debug, thiserror::Error)]
pub enum Failure {
    /// Inputs with faults.
    #[error("inputs have faults")]
    Input(Vec<Faults>),
    /// A command line that makes no sense, and what to say instead.
    #[error("{0}")]
    Usage(String),
    /// Results that cannot be written.
    #[error(transparent)]
    Output(#[from] OutputError),
    /// Partial results that cannot be used.
    #[error(transparent)]
    Partial(#[from] PartialError),
    /// Any other error of the operating system.
    #[error("{what}: {error}")]
    System {
        /// What was being done.
        what: String,
        /// What went wrong.
        error: std::io::Error,
    },
}

impl From<Faults> for Failure {
    fn from(faults: Faults) -> Self {
        Failure::Input(vec![faults])
    }
}

impl Failure {
    /// The exit code that stands for it.
    #[must_use]
    pub fn exit(&self) -> Exit {
        match self {
            Failure::Output(OutputError::Remote(error))
            | Failure::Partial(PartialError::Remote(error)) => match error.is_of_command_line() {
                true => Exit::Usage,
                false => Exit::Unexpected,
            },
            Failure::Output(error) if error.is_of_command_line() => Exit::Usage,
            Failure::Partial(PartialError::Unread { .. }) => Exit::Unexpected,
            Failure::Input(_) | Failure::Partial(_) => Exit::Faulty,
            Failure::Usage(_) => Exit::Usage,
            Failure::Output(_) | Failure::System { .. } => Exit::Unexpected,
        }
    }

    /// Its faults as JSON reports them, and how many more there are.
    fn printed_faults(&self) -> (Vec<PrintedFault>, usize) {
        let faults = match self {
            Failure::Input(inputs) => {
                let printed = inputs.iter().flat_map(PrintedFault::of_input).collect();
                return (printed, inputs.iter().map(|faults| faults.omitted).sum());
            }
            Failure::Output(error) => PrintedFault::of_error(error),
            Failure::Partial(error) => PrintedFault::of_error(error),
            Failure::Usage(what) => PrintedFault::of(&Fault::new(what, more_help())),
            Failure::System { .. } => PrintedFault::of(&Fault::new(self.to_string(), "")),
        };
        (vec![faults], 0)
    }

    /// Reports the failure on standard error, and in JSON on standard output if that was asked for.
    pub(super) fn print(&self, terminal: &Terminal) {
        if asked_for_json() {
            let (faults, omitted) = self.printed_faults();
            print_failure(command().trim_end(), self.exit(), &faults, omitted);
        }
        self.say(terminal);
    }

    fn say(&self, terminal: &Terminal) {
        match self {
            Failure::Input(inputs) => {
                let mut texts = Vec::new();
                for faults in inputs {
                    let headline = faults.headline().map(|text| Fault::new(text, ""));
                    texts.extend(
                        headline.iter().chain(&faults.faults).map(|fault| terminal.report(fault)),
                    );
                }
                say_report(&texts.join("\n"));
            }
            Failure::Output(error) => say_report(&terminal.report(error)),
            Failure::Partial(error) => say_report(&terminal.report(error)),
            Failure::Usage(what) => {
                say_report(&terminal.report(&Fault::new(what, more_help())));
            }
            Failure::System { .. } => {
                say_report(&terminal.report(&Fault::new(self.to_string(), "")))
            }
        }
    }
}

/// Says that a command was ended before it had any answer, and what there is none of: on standard error, and in JSON on
/// standard output if that was asked for.
pub(super) fn ended_early(what: &str) -> Exit {
    let exit = Exit::Interrupted;
    if asked_for_json() {
        let fault = Fault::new(format!("ended early: {what}"), "");
        print_failure(command().trim_end(), exit, &[PrintedFault::of(&fault)], 0);
    }
    say(&format!("ended early: {what}\n"));
    exit
}

/// The name of the command that runs, followed by a blank; empty when there is none.
fn command() -> String {
    let known = super::command();
    let words = std::env::args_os().skip(1).take_while(|word| word != "--");
    let given = words.filter_map(|word| word.into_string().ok());
    // Flags that all commands share may come before it.
    let mut commands = given.filter(|word| known.find_subcommand(word).is_some());
    commands.next().map_or_else(String::new, |command| format!("{command} "))
}

fn more_help() -> String {
    format!("`evens {}--help` tells more", command())
}

/// Whether the command line contains `--json`, whatever is wrong with the rest of it.
fn asked_for_json() -> bool {
    std::env::args_os().skip(1).take_while(|word| word != "--").any(|word| word == "--json")
}

/// Prints clap's error about a command line in the form of all other failures: what is wrong, and then what to do about
/// it.
pub(super) fn print_misunderstood(error: &clap::Error, terminal: &Terminal) {
    let fault = misunderstood(&error.render().to_string());
    if asked_for_json() {
        print_failure(command().trim_end(), Exit::Usage, &[PrintedFault::of(&fault)], 0);
    }
    say_report(&terminal.report(&fault));
}

/// Splits clap's own message into what is wrong and what to do about it.
pub(super) fn misunderstood(text: &str) -> Fault {
    let text = text.trim().strip_prefix("error: ").unwrap_or(text.trim());
    let mut lines = text.lines().map(str::trim).filter(|line| !line.is_empty()).peekable();
    let mut message = lines.next().unwrap_or_default().to_owned();
    let is_advice = |line: &str| {
        ["tip:", "[possible", "Usage:", "For more"].iter().any(|of| line.starts_with(of))
    };
    // Missing arguments are listed under the message.
    while let Some(line) = lines.next_if(|line| !is_advice(line)) {
        message = format!("{message} {line}");
    }
    // No argument takes a word that begins like a flag, so this advice would not help.
    let is_of_no_use =
        |line: &str| line.starts_with("For more") || line.contains("as a value, use '-- ");
    let advice = lines.filter(|line| !is_of_no_use(line));
    let mut help: Vec<&str> = advice.map(|line| line.trim_start_matches("tip:").trim()).collect();
    if message.contains("--battles") && message.contains("cannot be used with '--until") {
        // Only `run` takes a cap besides.
        let has_cap = help.iter().any(|line| line.starts_with("Usage: evens run "));
        let remedy = match has_cap {
            true => "with `--until` the most battles to play are `--max-battles`",
            false => "leave one of the two out",
        };
        help.insert(0, remedy);
    }
    let more = more_help();
    help.push(&more);
    Fault::new(message, help.join("\n"))
}

#[cfg(test)]
mod tests {
    use super::misunderstood;

    #[test]
    fn what_clap_says_is_told_as_everything_else_is() {
        let error = crate::cli::command().try_get_matches_from(["evens", "run", "x", "--ful"]);
        let fault = misunderstood(&error.expect_err("no such flag").render().to_string());
        assert_eq!(fault.message, "unexpected argument '--ful' found");
        assert_eq!(
            fault.remedy,
            "a similar argument exists: '--full'\nUsage: evens run --full <SCENARIO>\n`evens --help` tells more"
        );
        let error = crate::cli::command().try_get_matches_from(["evens", "run"]);
        let fault = misunderstood(&error.expect_err("no scenario").render().to_string());
        assert!(fault.message.ends_with("were not provided: <SCENARIO>"), "{}", fault.message);
    }
}
