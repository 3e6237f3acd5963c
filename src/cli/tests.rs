//! What holds for the flags of every command.

use clap::error::{ContextKind, ContextValue, ErrorKind};
use clap::{Arg, Command};

/// A value of every sort that a flag takes.
const VALUES: [&str; 13] = [
    "1",
    "x",
    "1pp",
    "95%",
    "5m",
    "1/2",
    "x=55%",
    "x=1..2",
    "1..2",
    "A",
    "margin=1pp",
    "2",
    "x.csv",
];

/// The words that give an argument a value that it takes.
fn given(command: &Command, argument: &Arg) -> Vec<String> {
    if argument.is_positional() {
        return vec!["x".to_owned()];
    }
    let flag = format!("--{}", argument.get_long().expect("every flag has a name"));
    if !argument.get_action().takes_values() {
        return vec![flag];
    }
    let possible = argument.get_possible_values();
    let possible: Vec<&str> = possible.iter().map(|value| value.get_name()).collect();
    let is_taken = |value: &&str| {
        let words = ["evens", &flag, value];
        let error = command.clone().try_get_matches_from(words).err().map(|error| error.kind());
        !matches!(error, Some(ErrorKind::ValueValidation | ErrorKind::InvalidValue))
    };
    let value = possible.into_iter().chain(VALUES).find(is_taken);
    let value = value.unwrap_or_else(|| panic!("no value for {flag}"));
    vec![flag, value.to_owned()]
}

/// Clap demands what a flag needs only where that could be given: beside a rival of what it needs, a flag would be
/// accepted and change nothing.
#[test]
fn what_a_flag_needs_and_what_excludes_that_go_with_none_of_it() {
    let mut all = super::command();
    all.build();
    let mut needing = 0;
    for command in all.get_subcommands() {
        let words = |arguments: &[&Arg]| {
            let positional = command.get_positionals().filter(|of| of.is_required_set());
            let all = positional.chain(arguments.iter().copied());
            let words = all.flat_map(|argument| given(command, argument));
            let words: Vec<String> = ["evens".to_owned()].into_iter().chain(words).collect();
            command.clone().try_get_matches_from(words).err()
        };
        for flag in command.get_opts().chain(
            command
                .get_arguments()
                .filter(|of| of.get_long().is_some() && !of.get_action().takes_values()),
        ) {
            let Some(error) = words(&[flag]) else { continue };
            if error.kind() != ErrorKind::MissingRequiredArgument {
                continue;
            }
            let Some(ContextValue::Strings(missing)) = error.get(ContextKind::InvalidArg) else {
                continue;
            };
            let is_missing = |argument: &&Arg| missing.contains(&argument.to_string());
            for needed in command.get_arguments().filter(is_missing) {
                needing += 1;
                for rival in command.get_arg_conflicts_with(needed) {
                    assert!(
                        words(&[flag, rival]).is_some(),
                        "{}: {flag} needs {needed}, and goes through with {rival}",
                        command.get_name()
                    );
                }
            }
        }
    }
    assert!(needing > 10, "{needing} flags need another");
}
