//! Text inside of HTML.

use crate::visible::visible;

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
