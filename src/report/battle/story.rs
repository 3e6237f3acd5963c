//! The whole story as nested lists, which can be read without scripts and on paper.

use std::fmt::Write as _;

use crate::report::markup::escaped;
use crate::story::{Die, Step, Weight};

/// More dice than this in one step are folded away.
const FEW: usize = 6;

/// The lists that are open, by the depth of their lines.
#[derive(Default)]
struct Lists {
    in_section: bool,
    open: Vec<u8>,
}

impl Lists {
    fn close(&mut self, html: &mut String) {
        while self.open.pop().is_some() {
            html.push_str("</li></ol>");
        }
    }

    fn section(&mut self, html: &mut String) {
        self.close(html);
        if std::mem::replace(&mut self.in_section, true) {
            html.push_str("</section>\n");
        }
        html.push_str("<section>");
    }

    fn item(&mut self, html: &mut String, depth: u8) {
        if !self.in_section {
            self.section(html);
        }
        while self.open.last().is_some_and(|&last| last > depth) {
            html.push_str("</li></ol>");
            self.open.pop();
        }
        if self.open.last() == Some(&depth) {
            html.push_str("</li>\n<li>");
        } else {
            html.push_str("<ol><li>");
            self.open.push(depth);
        }
    }
}

/// Writes every step, with its consequences nested inside; `end` is the text of the last step.
pub(super) fn story(html: &mut String, steps: &[Step], end: &str) {
    let mut lists = Lists::default();
    for (at, step) in steps.iter().enumerate() {
        let number = at + 1;
        let told = step.lines.iter().map(|line| (line.weight, line.text.as_str()));
        let last = step.lines.is_empty().then_some((Weight::Heading, end));
        for (nth, (weight, text)) in told.chain(last).enumerate() {
            let text = escaped(text);
            let line = match nth {
                0 => format!("<a id=\"line-{number}\" href=\"#{number}\">{text}</a>"),
                _ => format!("<span>{text}</span>"),
            };
            if weight == Weight::Heading {
                lists.section(html);
                let _ = write!(html, "<h3>{line}</h3>");
            } else {
                lists.item(html, weight as u8);
                html.push_str(&line);
            }
            if nth == 0 {
                dice(html, &step.dice);
            }
        }
    }
    lists.close(html);
    if lists.in_section {
        html.push_str("</section>\n");
    }
}

fn dice(html: &mut String, dice: &[Die]) {
    if dice.is_empty() {
        return;
    }
    let folded = dice.len() > FEW;
    if folded {
        let _ = write!(html, "<details><summary>{} dice</summary>", dice.len());
    }
    html.push_str("<ul class=\"thrown\">");
    // Several dice of one name, such as those that draw a hand, are one entry.
    for dice in dice.chunk_by(|one, other| one.name == other.name) {
        let came: Vec<String> = dice.iter().map(came).collect();
        let name = escaped(dice[0].name);
        let _ = write!(html, "<li>{name}: {}</li>", came.join(", "));
    }
    html.push_str("</ul>");
    if folded {
        html.push_str("</details>");
    }
}

/// What a die came up with, and its odds unless the result already tells them.
fn came(die: &Die) -> String {
    let came = escaped(&die.came);
    let of_even = die.came.split_once(" of ").map(|(_, count)| format!("1 in {count}"));
    if of_even.as_ref() == Some(&die.odds) {
        came
    } else {
        format!("{came} ({})", escaped(&die.odds))
    }
}
