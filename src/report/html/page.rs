//! The page around the figures: what can be read without any script.

use std::fmt::Write as _;

use super::data::data;
use super::notes::{Figure, Kind, Notes, Tone};
use crate::report::ended_early;
use crate::report::figures::counted;
use crate::report::markup::escaped;
use crate::table::{Provenance, Table};

/// Styles and scripts, in the order in which they build on each other.
const STYLES: [&str; 2] = [include_str!("theme.css"), include_str!("report.css")];
const SCRIPTS: [&str; 7] = [
    include_str!("script/data.js"),
    include_str!("script/elements.js"),
    include_str!("script/charts.js"),
    include_str!("script/reweight.js"),
    include_str!("script/solve.js"),
    include_str!("script/live.js"),
    include_str!("script/page.js"),
];

/// The inputs of a report.
#[derive(Clone, Copy, Debug)]
pub struct Report<'r> {
    /// Where the results come from.
    pub provenance: &'r Provenance,
    /// The sentences and figures of the report.
    pub notes: &'r Notes,
    /// The tables that the figures draw; others are ignored.
    pub tables: &'r [Table],
}

/// The report as one HTML file.
#[must_use]
pub fn page(report: &Report<'_>) -> String {
    let Report { provenance, notes, tables } = *report;
    let title = notes.question.as_deref().unwrap_or(&provenance.scenario);
    let drawn = |figure: &&Figure| tables.iter().any(|table| table.name == figure.table);
    let figures: Vec<Figure> = notes.figures.iter().filter(drawn).cloned().collect();
    let notes = &Notes { figures, ..notes.clone() };
    let mut html = String::with_capacity(1 << 18);
    let styles = STYLES.concat();
    let _ = write!(
        html,
        "<!doctype html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n\
         <meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; style-src 'unsafe-inline'; \
         script-src 'unsafe-inline'; base-uri 'none'; form-action 'none'\">\n\
         <meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n\
         <meta name=\"referrer\" content=\"no-referrer\">\n\
         <meta name=\"generator\" content=\"{} {}\">\n<title>{}</title>\n<style>\n{styles}</style>\n</head>\n<body>\n",
        escaped(&provenance.program),
        escaped(&provenance.version),
        escaped(title),
    );
    answer(&mut html, provenance, notes, title);
    contents(&mut html, notes);
    html.push_str("<div id=\"figures\" class=\"figures\">\n");
    html.push_str(
        "<noscript><p class=\"card notice\">The figures are drawn by a script in this file, which is switched off. The \
         answer above stands without them.</p></noscript>\n",
    );
    for (at, figure) in notes.figures.iter().enumerate() {
        one_figure(&mut html, at, figure);
        if at == 0 && notes.live.is_some() {
            live(&mut html, notes);
        }
    }
    if notes.figures.is_empty() && notes.live.is_some() {
        live(&mut html, notes);
    }
    html.push_str("</div>\n");
    colophon(&mut html, provenance, notes);
    html.push_str("</main>\n<div id=\"tip\" class=\"tip\" role=\"tooltip\" hidden></div>\n");
    html.push_str("<p id=\"said\" class=\"for-screen-readers\" role=\"status\"></p>\n");
    let _ = write!(
        html,
        "<script type=\"application/json\" id=\"data\">{}</script>\n<script>\n(() => {{\n\"use strict\";\n{}}})();\n\
         </script>\n</body>\n</html>\n",
        data(provenance, notes, tables),
        SCRIPTS.concat()
    );
    html
}

/// Writes the question, the answer, what matters most and what to try next.
fn answer(html: &mut String, provenance: &Provenance, notes: &Notes, title: &str) {
    let Provenance { game, scenario, seed, battles_played, .. } = provenance;
    let mut played = format!("{game} · {scenario}");
    if *battles_played > 0 {
        let _ = write!(played, " · {}", counted(*battles_played, "battle"));
        if !notes.of_several_runs {
            let _ = write!(played, " · seed {seed}");
        }
    }
    let _ = write!(
        html,
        "<a class=\"skip\" href=\"#figures\">Skip to the figures</a>\n<header class=\"top\">\n\
         <p class=\"brand\"><b>evens</b> <span>{}</span></p>\n\
         <button type=\"button\" id=\"theme\" class=\"not-in-print\" hidden>Dark</button>\n</header>\n<main>\n\
         <section class=\"answer\" aria-label=\"The answer\">\n<p class=\"eyebrow\">{}</p>\n<h1>{}</h1>\n",
        escaped(&notes.study),
        escaped(&played),
        escaped(title)
    );
    if let Some(early) = ended_early(provenance) {
        let _ = writeln!(html, "<p class=\"partial\">{}</p>", prose(&early));
    }
    for (at, said) in notes.answer.iter().enumerate() {
        let class = match (at, said.tone) {
            (0, Tone::Found) => "headline found",
            (0, Tone::Open) => "headline open",
            (0, Tone::Plain) => "headline",
            (_, Tone::Found | Tone::Open | Tone::Plain) => "more",
        };
        let _ = writeln!(html, "<p class=\"{class}\">{}</p>", prose(&said.text));
    }
    let (matters, next) = (!notes.matters.is_empty(), !notes.next.is_empty());
    if matters || next {
        html.push_str("<div class=\"beside\">\n");
    }
    if matters {
        html.push_str("<div><h2>What matters most</h2>\n<ul>\n");
        for sentence in &notes.matters {
            let _ = writeln!(html, "<li>{}</li>", prose(sentence));
        }
        html.push_str("</ul></div>\n");
    }
    if next {
        html.push_str("<div><h2>What to try next</h2>\n<ul>\n");
        for step in &notes.next {
            let _ = writeln!(html, "<li>{}{}</li>", prose(&step.text), command_line(&step.command));
        }
        html.push_str("</ul></div>\n");
    }
    if matters || next {
        html.push_str("</div>\n");
    }
    let _ = writeln!(html, "<p class=\"quiet\">{}</p>\n</section>", prose(&notes.intervals));
}

/// Writes links to the figures.
fn contents(html: &mut String, notes: &Notes) {
    let live = notes.live.is_some();
    if notes.figures.len() + usize::from(live) < 2 {
        return;
    }
    html.push_str("<nav class=\"contents not-in-print\" aria-label=\"Figures\">\n<ul>\n");
    for (at, figure) in notes.figures.iter().enumerate() {
        let (id, name) = (escaped(&figure.id), escaped(&figure.name));
        let _ = writeln!(html, "<li><a href=\"#{id}\">{name}</a></li>");
        if at == 0 && live {
            html.push_str("<li><a href=\"#weights\">Live weights</a></li>\n");
        }
    }
    html.push_str("</ul>\n</nav>\n");
}

fn one_figure(html: &mut String, at: usize, figure: &Figure) {
    let Figure { id, name, title, about, rest, .. } = figure;
    let [id, name] = [id, name].map(|text| escaped(text));
    let [title, about, rest] = [title, about, rest].map(|text| prose(text));
    let _ = write!(
        html,
        "<section class=\"figure card\" id=\"{id}\" aria-labelledby=\"{id}-title\">\n<p class=\"eyebrow\">{name}</p>\n\
         <h2 id=\"{id}-title\">{title}</h2>\n"
    );
    if figure.kind != Kind::Table {
        let _ = writeln!(html, "<div class=\"chart\" data-figure=\"{at}\"></div>");
    }
    let _ = writeln!(html, "<p class=\"about\">{about}</p>");
    if !rest.is_empty() {
        let _ = writeln!(html, "<p class=\"about\">{rest}</p>");
    }
    let _ = writeln!(html, "<div class=\"behind\" data-behind=\"{at}\"></div>\n</section>");
}

/// Writes the place for weights that can be changed; the script fills it.
fn live(html: &mut String, notes: &Notes) {
    let noun = notes.live.as_ref().map_or("", |live| live.noun.as_str());
    let _ = write!(
        html,
        "<section class=\"figure card live\" id=\"weights\" aria-labelledby=\"weights-title\">\n\
         <p class=\"eyebrow\">Live weights</p>\n<h2 id=\"weights-title\">What if some {noun}s came up more often?</h2>\n\
         <div id=\"live\"></div>\n</section>\n",
        noun = escaped(noun)
    );
}

/// Writes where the results come from.
fn colophon(html: &mut String, provenance: &Provenance, notes: &Notes) {
    let (of, again) = if notes.of_several_runs {
        ("runs", "Each is kept with its seed.")
    } else {
        ("scenario", "The same scenario and seed give the same numbers on every machine.")
    };
    let made = match provenance.partial {
        true => "Ended early here, and made as a whole by",
        false => "Made again by",
    };
    let _ = write!(
        html,
        "<footer class=\"colophon\">\n<h2>Where this comes from</h2>\n<p>{made}{}</p>\n<p class=\"quiet\">{} {}, fingerprint of the {of} {}. {again}{}</p>\n</footer>\n",
        command_line(&notes.command),
        escaped(&provenance.program),
        escaped(&provenance.version),
        escaped(provenance.fingerprint.get(..12).unwrap_or(&provenance.fingerprint)),
        provenance.choices.as_ref().map_or(String::new(), |choices| format!(" {}", prose(choices))),
    );
}

/// A sentence as HTML; text between backticks is code.
fn prose(text: &str) -> String {
    let mut html = String::new();
    for (at, part) in escaped(text).split('`').enumerate() {
        let tag = match at {
            0 => "",
            at if at % 2 == 1 => "<code>",
            _ => "</code>",
        };
        html.push_str(tag);
        html.push_str(part);
    }
    if text.matches('`').count() % 2 == 1 {
        html.push_str("</code>");
    }
    html
}

/// A command with a button that copies it. Words of the command are not broken at their hyphens.
fn command_line(command: &str) -> String {
    let words: Vec<String> =
        command.split(' ').map(|word| format!("<span>{}</span>", escaped(word))).collect();
    format!(
        "<span class=\"command\"><code>{}</code><button type=\"button\" class=\"copy not-in-print\" data-copy=\"{}\" \
         hidden>Copy</button></span>",
        words.join(" "),
        escaped(command)
    )
}
