//! Suggested command lines, written so that a shell reads them back.

use std::sync::atomic::{AtomicBool, Ordering};

use crate::forcible::Forcible;
use crate::tally::OutcomeMeasure;
use crate::visible::acts;

/// The name of a scenario that was read from standard input.
pub(crate) const STANDARD_INPUT: &str = "standard input";

/// Whether scenarios of this program may name files outside of their folders.
static OUTSIDE: AtomicBool = AtomicBool::new(false);

/// Sets this for all suggested commands, once, before any is made.
#[cfg(feature = "cli")]
pub(crate) fn allow_outside(allowed: bool) {
    OUTSIDE.store(allowed, Ordering::Relaxed);
}

/// The beginning of a suggested command that reads a scenario, with the permissions of this program.
pub(crate) fn evens(command: &str) -> String {
    let allowed = if OUTSIDE.load(Ordering::Relaxed) { " --allow-outside" } else { "" };
    format!("evens {command}{allowed}")
}

/// The beginning of a command about a scenario.
pub(crate) fn command_on(command: &str, scenario: &str) -> String {
    // What was read once from standard input or a pipe is not there again.
    let was_piped = [STANDARD_INPUT, "/dev/stdin"].contains(&scenario)
        || ["/dev/fd/", "/proc/self/fd/"].iter().any(|folder| scenario.starts_with(folder));
    let scenario = if was_piped { "- < my.toml".to_owned() } else { argument(scenario) };
    format!("{} {scenario}", evens(command))
}

/// A command with the flag of a measure, where that is not the usual one.
pub(crate) fn measuring(command: String, measure: OutcomeMeasure) -> String {
    let name = match measure {
        OutcomeMeasure::Score => return command,
        OutcomeMeasure::Wins => "wins",
        OutcomeMeasure::Decided => "decided",
    };
    format!("{command} --measure {name}")
}

/// The command that measures the effect of an order in a scenario.
pub(crate) fn forcing(order: &Forcible, scenario: &str) -> String {
    format!("{} --order {}", command_on("effects", scenario), order.slug())
}

/// The command that measures the effect of an order, with what it does, as part of a sentence.
pub(crate) fn experiment(order: &Forcible, scenario: &str, measure: OutcomeMeasure) -> String {
    let command = measuring(forcing(order, scenario), measure);
    format!("`{command}` plays each battle with each side first")
}

/// A word of a command line, quoted where that is needed.
pub(crate) fn quoted(word: &str) -> String {
    let is_plain = |letter: char| letter.is_ascii_alphanumeric() || "-_./=:,+%@".contains(letter);
    if !word.is_empty() && word.chars().all(is_plain) {
        return word.to_owned();
    }
    if word.contains(is_invisible) {
        return quoted_with_escapes(word);
    }
    format!("'{}'", word.replace('\'', "'\\''"))
}

fn is_invisible(letter: char) -> bool {
    letter == '\n' || acts(letter)
}

/// Quotes a word that cannot be shown as it is, as `$'a\nb'`: that stays in its line, and shells read it back.
fn quoted_with_escapes(word: &str) -> String {
    let mut text = String::from("$'");
    for letter in word.chars() {
        match letter {
            '\n' => text.push_str("\\n"),
            '\\' => text.push_str("\\\\"),
            '\'' => text.push_str("\\x27"),
            _ if letter.is_ascii() && is_invisible(letter) => {
                text += &format!("\\x{:02x}", u32::from(letter));
            }
            _ if is_invisible(letter) => text += &format!("\\u{:04x}", u32::from(letter)),
            _ => text.push(letter),
        }
    }
    text + "'"
}

/// Whether a quote stands open at the end of this beginning of a command line: what follows is of the same argument.
pub(crate) fn is_quote_open(command: &str) -> bool {
    let mut letters = command.chars();
    // The quote that stands open, if any: `$'` reads escapes, `'` does not.
    let (mut open, mut before) = (None, ' ');
    while let Some(letter) = letters.next() {
        let reads_escapes = open != Some(false);
        match letter {
            '\\' if reads_escapes => {
                letters.next();
            }
            '\'' if open.is_some() => open = None,
            '\'' => open = Some(before == '$'),
            _ => {}
        }
        before = letter;
    }
    open.is_some()
}

/// A file, folder or bundled scenario as an argument: one that begins with a dash would be taken for a flag.
pub(crate) fn argument(name: &str) -> String {
    match name {
        STANDARD_INPUT | "-" => "-".to_owned(),
        _ if name.starts_with('-') => quoted(&format!("./{name}")),
        _ => quoted(name),
    }
}

/// A flag with its value.
pub(crate) fn flag(flag: &str, value: &str) -> String {
    let between = if value.starts_with('-') { '=' } else { ' ' };
    format!("{flag}{between}{}", quoted(value))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_are_quoted_where_a_shell_would_read_them_otherwise() {
        assert_eq!(quoted("splinterlands/mirror"), "splinterlands/mirror");
        assert_eq!(quoted("Pit Ogre"), "'Pit Ogre'");
        assert_eq!(quoted("Malric's $(rm)"), "'Malric'\\''s $(rm)'");
        assert_eq!(quoted(""), "''");
        assert_eq!(quoted("it's\n\u{1b}\\\u{9b}"), "$'it\\x27s\\n\\x1b\\\\\\u009b'");
    }

    #[test]
    fn a_quote_is_open_up_to_its_end() {
        for word in ["plain", "Pit Ogre", "it's", "a\\'b c", "'", "it's\n\\ '"] {
            let command = format!("evens run {} --full", quoted(word));
            let from = "evens run ".len();
            let until = command.len() - " --full".len();
            assert!(
                !is_quote_open(&command[..from]) && !is_quote_open(&command[..until]),
                "{word}"
            );
            for (at, _) in command.match_indices(' ') {
                assert_eq!(is_quote_open(&command[..at]), from < at && at < until, "{command}");
            }
        }
    }

    #[test]
    fn arguments_are_taken_for_no_flags() {
        assert_eq!(argument("-my duel.toml"), "'./-my duel.toml'");
        assert_eq!(argument(STANDARD_INPUT), "-");
        assert_eq!(argument("my.toml"), "my.toml");
        for piped in [STANDARD_INPUT, "/dev/stdin", "/dev/fd/63", "/proc/self/fd/63"] {
            assert_eq!(command_on("effects", piped), format!("{} - < my.toml", evens("effects")));
        }
        assert_eq!(flag("--unit", "-Imp"), "--unit=-Imp");
        assert_eq!(flag("--unit", "Pit Ogre"), "--unit 'Pit Ogre'");
    }
}
