//! Cutting paragraphs into lines.

use textwrap::core::{Word, display_width};

use super::page::NARROWEST;
use crate::shell::is_quote_open;

/// How a paragraph is cut into lines of this width: between words, but not at hyphens or slashes, nor within a
/// command; where a command is longer than the narrowest line, between its arguments. Names and commands are there to be
/// copied.
pub(crate) fn lines_of<'a>(width: usize) -> textwrap::Options<'a> {
    textwrap::Options::new(width)
        .word_separator(WORDS)
        .word_splitter(textwrap::WordSplitter::NoHyphenation)
}

/// What is not cut in a line: words, and commands between backticks or their arguments.
pub(crate) const WORDS: textwrap::WordSeparator = textwrap::WordSeparator::Custom(words);

/// The words of a line; text between backticks is one word, or has a word for each argument where it is long.
fn words(line: &str) -> Box<dyn Iterator<Item = Word<'_>> + '_> {
    let opens_or_closes = |word: &Word<'_>| word.matches('`').count() % 2 == 1;
    let length = |word: &Word<'_>| word.len() + word.whitespace.len();
    let plain: Vec<Word<'_>> = textwrap::WordSeparator::AsciiSpace.find_words(line).collect();
    let mut words = Vec::with_capacity(plain.len());
    let (mut at, mut from) = (0, 0);
    while at < plain.len() {
        let rest = &plain[at..];
        let closes =
            opens_or_closes(&rest[0]).then(|| rest[1..].iter().position(opens_or_closes)).flatten();
        let count = closes.map_or(1, |more| more + 2);
        let until = from + rest[..count].iter().map(length).sum::<usize>();
        let whole = Word::from(&line[from..until]);
        if display_width(&whole) <= NARROWEST {
            words.push(whole);
        } else {
            words.extend(arguments(&line[from..until], &rest[..count]));
        }
        (at, from) = (at + count, until);
    }
    Box::new(words.into_iter())
}

/// The words of a command, of which `plain` are those between spaces, with each quoted argument in one piece. Where a quote
/// is never closed, the text is no command.
fn arguments<'l>(command: &'l str, plain: &[Word<'l>]) -> Vec<Word<'l>> {
    let mut words = Vec::with_capacity(plain.len());
    let (mut from, mut until) = (0, 0);
    for word in plain {
        until += word.len() + word.whitespace.len();
        if !is_quote_open(&command[..until]) {
            words.push(Word::from(&command[from..until]));
            from = until;
        }
    }
    if from < until { plain.to_vec() } else { words }
}

#[cfg(test)]
mod tests {
    use crate::report::page::{Page, Style};

    /// A quoted argument stays in one line, with an apostrophe in it too, however long its command is.
    #[test]
    fn a_command_in_a_sentence_is_broken_between_arguments() {
        let lair = "'the dragon'\\''s lair.toml'";
        let long = "'the lair of a dragon that sleeps on gold.toml'";
        for file in [lair, long] {
            let mut page = Page::new(Style { width: 80, colour: false });
            let command = format!("`evens tune {file} --stats --battles 5000 --seed 77`");
            page.line(&format!(
                "Whatever it is that goes before it in its line: {command} tunes it."
            ));
            let text = page.into_text();
            assert!(text.contains(file) && text.lines().count() > 1, "{text}");
            assert_eq!(text.split_whitespace().filter(|word| *word == "--stats").count(), 1);
        }
        // An apostrophe alone between backticks quotes nothing.
        let mut page = Page::new(Style { width: 60, colour: false });
        page.line(&format!("`it's {}`", "long ".repeat(20).trim_end()));
        assert!(page.into_text().lines().all(|line| line.len() <= 60));
    }
}
