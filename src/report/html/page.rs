//! The page around the figures: what can be read without any script.

use std::fmt::Write as _;

use super::data::data;
use super::notes::{Figure, Kind, Notes, Tone};
use crate::report::ended_early;
use crate::report::figures::counted;
use crate::report::markup::escaped;
use crate::sorting::Sorting;
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
    let names = &Names::of(provenance, notes, tables);
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
    answer(&mut html, provenance, notes, title, names);
    contents(&mut html, notes);
    html.push_str("<div id=\"figures\" class=\"figures\">\n");
    if has_figures(notes) {
        html.push_str(
            "<noscript><p class=\"card notice\">The figures are drawn by a script in this file, which is switched off. The \
             answer above stands without them.</p></noscript>\n",
        );
    }
    for (at, figure) in notes.figures.iter().enumerate() {
        one_figure(&mut html, at, figure, names);
        if at == 0 && notes.live.is_some() {
            live(&mut html, notes);
        }
    }
    if notes.figures.is_empty() && notes.live.is_some() {
        live(&mut html, notes);
    }
    html.push_str("</div>\n");
    colophon(&mut html, provenance, notes, names);
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

fn has_figures(notes: &Notes) -> bool {
    !notes.figures.is_empty() || notes.live.is_some()
}

/// Writes the question, the answer, what matters most and what to try next.
fn answer(html: &mut String, provenance: &Provenance, notes: &Notes, title: &str, names: &Names) {
    let Provenance { game, scenario, seed, battles_played, .. } = provenance;
    let mut played = format!("{game} · {scenario}");
    if *battles_played > 0 {
        let _ = write!(played, " · {}", counted(*battles_played, "battle"));
        if !notes.of_several_runs {
            let _ = write!(played, " · seed {seed}");
        }
    }
    if has_figures(notes) {
        html.push_str("<a class=\"skip\" href=\"#figures\">Skip to the figures</a>\n");
    }
    let _ = write!(
        html,
        "<header class=\"top\">\n<p class=\"brand\"><b>evens</b> <span>{}</span></p>\n\
         <button type=\"button\" id=\"theme\" class=\"not-in-print\" hidden>Dark</button>\n</header>\n<main>\n\
         <section class=\"answer\" aria-label=\"The answer\">\n<p class=\"eyebrow\">{}</p>\n<h1>{}</h1>\n",
        escaped(&notes.study),
        escaped(&played),
        escaped(title)
    );
    if let Some(early) = ended_early(provenance) {
        let _ = writeln!(html, "<p class=\"partial\">{}</p>", prose(&early, names));
    }
    for (at, said) in notes.answer.iter().enumerate() {
        let class = match (at, said.tone) {
            (0, Tone::Found) => "headline found",
            (0, Tone::Open) => "headline open",
            (0, Tone::Plain) => "headline",
            (_, Tone::Found | Tone::Open | Tone::Plain) => "more",
        };
        let _ = writeln!(html, "<p class=\"{class}\">{}</p>", prose(&said.text, names));
    }
    let (matters, next) = (!notes.matters.is_empty(), !notes.next.is_empty());
    if matters || next {
        html.push_str("<div class=\"beside\">\n");
    }
    if matters {
        html.push_str("<div><h2>What matters most</h2>\n<ul>\n");
        for sentence in &notes.matters {
            let _ = writeln!(html, "<li>{}</li>", prose(sentence, names));
        }
        html.push_str("</ul></div>\n");
    }
    if next {
        html.push_str("<div><h2>What to try next</h2>\n<ul>\n");
        for step in &notes.next {
            let _ = writeln!(
                html,
                "<li>{}{}</li>",
                prose(&step.text, names),
                command_line(&step.command)
            );
        }
        html.push_str("</ul></div>\n");
    }
    if matters || next {
        html.push_str("</div>\n");
    }
    let _ = writeln!(html, "<p class=\"quiet\">{}</p>\n</section>", prose(&notes.intervals, names));
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

fn one_figure(html: &mut String, at: usize, figure: &Figure, names: &Names) {
    let Figure { id, name, title, about, rest, .. } = figure;
    let [id, name] = [id, name].map(|text| escaped(text));
    let [title, about, rest] = [title, about, rest].map(|text| prose(text, names));
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
fn colophon(html: &mut String, provenance: &Provenance, notes: &Notes, names: &Names) {
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
        provenance
            .choices
            .as_ref()
            .map_or(String::new(), |choices| format!(" {}", prose(choices, names))),
    );
}

/// The names from files that hold a backtick themselves, the longest first: it is a part of them, and begins no code.
#[derive(Debug, Default)]
struct Names(Vec<String>);

impl Names {
    /// All that a report knows of: what its tables and figures name, and its scenario.
    fn of(provenance: &Provenance, notes: &Notes, tables: &[Table]) -> Self {
        let marks = notes.figures.iter().flat_map(|figure| &figure.marks);
        let of_marks = marks.flat_map(|mark| [&mark.label, &mark.column, &mark.group]);
        let live = notes.live.iter().flat_map(|live| &live.contenders).map(|of| &of.name);
        let mut all: Vec<String> = of_marks
            .chain(live)
            .chain([&provenance.scenario])
            .flat_map(|text| parts(text))
            .collect();
        let columns = tables.iter().flat_map(|table| &table.columns);
        for values in columns.map(|column| &column.values).filter(|values| !values.is_numeric()) {
            all.extend((0..values.len()).flat_map(|row| parts(&values.shown(row))));
        }
        all.put_in_order_by(|a, b| b.len().cmp(&a.len()).then_with(|| a.cmp(b)));
        all.dedup();
        Self(all)
    }
}

/// A text and the names that it may be put together from, as far as they hold a backtick.
fn parts(text: &str) -> Vec<String> {
    if !text.contains('`') {
        return Vec::new();
    }
    let mut parts = vec![text];
    for between in [" vs ", " + ", " and ", ", ", ": ", " (", ")"] {
        parts = parts.into_iter().flat_map(|part| part.split(between).chain([part])).collect();
    }
    // A name of backticks alone cannot be told from what begins code.
    let is_name = |part: &&str| part.contains('`') && part.chars().any(char::is_alphanumeric);
    parts.into_iter().filter(is_name).map(str::to_owned).collect()
}

/// A sentence as HTML; text between backticks is code, but for those of names.
fn prose(text: &str, names: &Names) -> String {
    let mut html = String::new();
    let mut rest = 0;
    let mut signs = signs(text, names).into_iter().peekable();
    while let Some(opens) = signs.next() {
        let is_in_word = |letter: Option<char>| letter.is_some_and(char::is_alphanumeric);
        // Code stands between words; a backtick within one belongs to a name that is not known here.
        if is_in_word(text[..opens].chars().next_back()) {
            continue;
        }
        let mut further = signs.clone();
        let Some(closes) = further.find(|&at| !is_in_word(text[at + 1..].chars().next())) else {
            continue;
        };
        signs = further;
        let (before, code) = (&text[rest..opens], &text[opens + 1..closes]);
        let _ = write!(html, "{}<code>{}</code>", escaped(before), escaped(code));
        rest = closes + 1;
    }
    html + &escaped(&text[rest..])
}

/// The places of the backticks in a text that are no part of a name.
fn signs(text: &str, names: &Names) -> Vec<usize> {
    let mut named = vec![false; text.len()];
    for name in &names.0 {
        for (at, name) in text.match_indices(name.as_str()) {
            named[at..at + name.len()].fill(true);
        }
    }
    text.match_indices('`').map(|(at, _)| at).filter(|&at| !named[at]).collect()
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

#[cfg(test)]
mod tests {
    use super::*;

    /// Names keep their backticks, and what the program puts between backticks is code, with such a name in it too.
    #[test]
    fn a_backtick_of_a_name_is_no_sign_of_code() {
        let names = ["Gu`ard vs `Ro`gue", "`quoted`", "a ` b"];
        let mut names = Names(names.iter().flat_map(|name| parts(name)).collect());
        names.0.sort_by_key(|name| std::cmp::Reverse(name.len()));
        for (text, html) in [
            ("Gu`ard beats `Ro`gue.", "Gu`ard beats `Ro`gue."),
            ("`evens run` plays Gu`ard.", "<code>evens run</code> plays Gu`ard."),
            ("`quoted` wins; `--full` tells.", "`quoted` wins; <code>--full</code> tells."),
            (
                "`--with 'Gu`ard'` and `--with`",
                "<code>--with &#39;Gu`ard&#39;</code> and <code>--with</code>",
            ),
            ("nobody knows Kn`ight or `Kn", "nobody knows Kn`ight or `Kn"),
            ("an open `end", "an open `end"),
        ] {
            assert_eq!(prose(text, &names), html);
        }
    }
}
