//! Words of command lines that are suggested, as a shell reads them back.

/// What a scenario is called that was read from standard input.
pub(crate) const STANDARD_INPUT: &str = "standard input";

/// A word of a command line.
pub(crate) fn quoted(word: &str) -> String {
    let is_plain = |letter: char| letter.is_ascii_alphanumeric() || "-_./=:,+%@".contains(letter);
    if !word.is_empty() && word.chars().all(is_plain) {
        return word.to_owned();
    }
    format!("'{}'", word.replace('\'', "'\\''"))
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
    }

    #[test]
    fn arguments_are_taken_for_no_flags() {
        assert_eq!(argument("-my duel.toml"), "'./-my duel.toml'");
        assert_eq!(argument(STANDARD_INPUT), "-");
        assert_eq!(argument("my.toml"), "my.toml");
        assert_eq!(flag("--unit", "-Imp"), "--unit=-Imp");
        assert_eq!(flag("--unit", "Pit Ogre"), "--unit 'Pit Ogre'");
    }
}
