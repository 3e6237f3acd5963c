//! One HTML page with everything in it: the answer, the figures, the tables behind them, and weights that can be changed in
//! the page.
//!
//! A study drafts what its report says ([`Draft`]): its sentences and figures are those that its page for the terminal
//! has, from the same analysis. The numbers are in its tables. [`page`] puts both into one file without anything loaded from
//! elsewhere; SVG is drawn in the page by the scripts beside this file. Text from scenarios and folders is never taken for
//! HTML: it is escaped here, and set as text there.

mod data;
mod notes;
mod page;
mod parts;

pub use notes::{
    Across, Axis, Detail, Draft, Drawn, FORMAT, Figure, Kept, Kind, Live, LiveAim, LiveArm,
    LiveContender, Mark, Notes, Preset, Said, ScenarioText, Seen, Series, Step, Tone, Unit,
};
pub use page::{Report, page};

pub(crate) use parts::{MOST_MARKS, Trace, capital, counts, detail, one, room, title};

/// A word of a command line as a shell reads it back.
pub(crate) fn quoted(word: &str) -> String {
    let is_plain = |letter: char| letter.is_ascii_alphanumeric() || "-_./=:,+%@".contains(letter);
    if !word.is_empty() && word.chars().all(is_plain) {
        return word.to_owned();
    }
    format!("'{}'", word.replace('\'', "'\\''"))
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
