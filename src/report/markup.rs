//! Text inside of other text: HTML, the words of a command line.

use crate::visible::visible;

/// A word of a command line as a shell reads it back.
pub(crate) fn quoted(word: &str) -> String {
    let is_plain = |letter: char| letter.is_ascii_alphanumeric() || "-_./=:,+%@".contains(letter);
    if !word.is_empty() && word.chars().all(is_plain) {
        return word.to_owned();
    }
    format!("'{}'", word.replace('\'', "'\\''"))
}

/// Text as HTML shows it, and no browser acts on.
pub(crate) fn escaped(text: &str) -> String {
    let mut safe = String::with_capacity(text.len() + 8);
    for letter in visible(text).chars() {
        match letter {
            '&' => safe.push_str("&amp;"),
            '<' => safe.push_str("&lt;"),
            '>' => safe.push_str("&gt;"),
            '"' => safe.push_str("&quot;"),
            '\'' => safe.push_str("&#39;"),
            letter => safe.push(letter),
        }
    }
    safe
}

#[cfg(test)]
mod tests {
    use super::quoted;

    #[test]
    fn words_are_quoted_where_a_shell_would_read_them_otherwise() {
        assert_eq!(quoted("splinterlands/mirror"), "splinterlands/mirror");
        assert_eq!(quoted("Pit Ogre"), "'Pit Ogre'");
        assert_eq!(quoted("Malric's $(rm)"), "'Malric'\\''s $(rm)'");
        assert_eq!(quoted(""), "''");
    }
}
