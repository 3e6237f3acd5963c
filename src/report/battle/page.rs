//! The HTML page around the board of a battle.

use std::borrow::Cow;
use std::fmt::Write as _;

use super::data::data;
use super::story::story;
use crate::game::Outcome;
use crate::report::markup::escaped;
use crate::story::Step;

/// Styles and scripts, in the order in which they build on each other.
const STYLES: [&str; 2] = [include_str!("../html/theme.css"), include_str!("battle.css")];
const SCRIPTS: [&str; 4] = [
    include_str!("script/elements.js"),
    include_str!("script/board.js"),
    include_str!("script/timeline.js"),
    include_str!("script/viewer.js"),
];

/// One fact about a battle for its heading: `Seed`, `17`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Fact {
    /// The name of the fact.
    pub name: Cow<'static, str>,
    /// Its value.
    pub value: String,
}

impl Fact {
    /// A fact with this name and value.
    #[must_use]
    pub fn new(name: impl Into<Cow<'static, str>>, value: impl Into<String>) -> Self {
        Self { name: name.into(), value: value.into() }
    }
}

/// A battle to be shown, and everything that its page says of it.
#[derive(Clone, Copy, Debug)]
pub struct Shown<'s> {
    /// The name of the game.
    pub game: &'s str,
    /// The source of the battle: the scenario, or the file of a record.
    pub from: &'s str,
    /// The question of the scenario.
    pub question: Option<&'s str>,
    /// The names of the contenders, side A first.
    pub contenders: &'s [String],
    /// More facts about the battle, in order.
    pub facts: &'s [Fact],
    /// The command that makes the page again.
    pub command: &'s str,
    /// The outcome of the battle.
    pub outcome: Outcome,
    /// How many rounds were played.
    pub rounds: u32,
    /// What a round is called.
    pub round_noun: &'s str,
    /// The steps of the battle.
    pub steps: &'s [Step],
}

impl Shown<'_> {
    /// The outcome in a sentence without a full stop.
    fn end(&self) -> String {
        let Self { rounds, round_noun: noun, contenders, .. } = *self;
        let after = format!("after {rounds} {noun}{}", if rounds == 1 { "" } else { "s" });
        match self.outcome {
            Outcome::Win(side) => {
                let name = contenders.get(side.index()).map_or("", String::as_str);
                let who = if name.is_empty() || name.ends_with(&format!("side {side}")) {
                    format!("Side {side}")
                } else {
                    format!("{name} (side {side})")
                };
                format!("{who} wins {after}")
            }
            Outcome::Draw => format!("A draw {after}"),
            Outcome::Undecided => format!("Undecided {after}"),
        }
    }
}

/// The battle as one HTML file.
#[must_use]
pub fn page(shown: &Shown<'_>) -> String {
    let end = shown.end();
    let title = escaped(&shown.contenders.join(" vs "));
    let mut html = String::with_capacity(1 << 18);
    let _ = write!(
        html,
        "<!doctype html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n\
         <meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; style-src 'unsafe-inline'; \
         script-src 'unsafe-inline'; img-src data:; base-uri 'none'; form-action 'none'\">\n\
         <meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n\
         <meta name=\"referrer\" content=\"no-referrer\">\n\
         <meta name=\"generator\" content=\"evens {version}\">\n<link rel=\"icon\" href=\"data:,\">\n\
         <title>{title}: a battle step by step</title>\n<style>\n{styles}</style>\n</head>\n<body>\n",
        version = env!("CARGO_PKG_VERSION"),
        styles = STYLES.concat(),
    );
    heading(&mut html, shown, &title, &end);
    html.push_str(STAGE);
    html.push_str(
        "<section class=\"story\" id=\"story\" aria-labelledby=\"story-title\" tabindex=\"0\">\n\
         <h2 id=\"story-title\">The story</h2>\n",
    );
    story(&mut html, shown.steps, &end);
    html.push_str("</section>\n</main>\n");
    colophon(&mut html, shown);
    html.push_str(CONTROLS);
    let _ = write!(
        html,
        "<script type=\"application/json\" id=\"data\">{}</script>\n<script>\n(() => {{\n\"use strict\";\n{}}})();\n\
         </script>\n</body>\n</html>\n",
        data(shown, &end),
        SCRIPTS.concat()
    );
    html
}

/// Writes the contenders, the conditions and the outcome.
fn heading(html: &mut String, shown: &Shown<'_>, title: &str, end: &str) {
    let Shown { game, from, question, facts, .. } = *shown;
    let _ = write!(
        html,
        "<header class=\"top\">\n<p class=\"brand\"><b>evens</b> <span>{} · {}</span></p>\n\
         <button type=\"button\" id=\"theme\" class=\"not-in-print\" hidden>Dark</button>\n</header>\n<main>\n\
         <div class=\"heading\">\n<h1>{title}</h1>\n<p class=\"end\">{}</p>\n",
        escaped(game),
        escaped(from),
        escaped(end)
    );
    html.push_str("<dl class=\"facts\">\n");
    for Fact { name, value } in facts {
        let _ = writeln!(html, "<div><dt>{}</dt><dd>{}</dd></div>", escaped(name), escaped(value));
    }
    if let Some(question) = question {
        let question = escaped(question);
        let _ = writeln!(
            html,
            "<div class=\"question\"><dt>The scenario asks</dt><dd>{question}</dd></div>"
        );
    }
    html.push_str("</dl>\n</div>\n");
}

/// Where the scripts show a step and its board.
const STAGE: &str = "\
<noscript><p class=\"notice\">The board is shown by a script in this file, which is switched off. The story below is the same
 battle.</p></noscript>
<div class=\"stage not-in-print\" id=\"stage\" hidden>
<section class=\"now\" aria-labelledby=\"now-title\"><h2 id=\"now-title\" class=\"for-screen-readers\">This step</h2>
<div id=\"now\"></div></section>
<section class=\"board\" aria-labelledby=\"board-title\"><h2 id=\"board-title\" class=\"for-screen-readers\">The board</h2>
<div id=\"board\"></div></section>
</div>
";

/// The controls for going through the battle. The scripts show them.
const CONTROLS: &str = "\
<div class=\"controls not-in-print\" id=\"controls\" role=\"region\" aria-label=\"Steps\" hidden>
<div class=\"way\">
<div id=\"timeline\" class=\"timeline\"></div>
<input type=\"range\" id=\"scrubber\" min=\"1\" value=\"1\" aria-label=\"Step\">
<p class=\"below\"><span id=\"legend\" class=\"legend\" aria-hidden=\"true\"></span><output id=\"place\"></output></p>
</div>
<div class=\"buttons\">
<button type=\"button\" id=\"first\" title=\"First step (Home)\" aria-label=\"First step\">|◀</button>
<button type=\"button\" id=\"back-turn\" title=\"Turn back (Shift and ←)\" aria-label=\"Turn back\">◀◀</button>
<button type=\"button\" id=\"back\" title=\"Step back (←)\" aria-label=\"Step back\">◀</button>
<button type=\"button\" id=\"play\" class=\"primary\" title=\"Play or stop (space)\">Play</button>
<button type=\"button\" id=\"on\" title=\"Next step (→)\" aria-label=\"Next step\">▶</button>
<button type=\"button\" id=\"on-turn\" title=\"Next turn (Shift and →)\" aria-label=\"Next turn\">▶▶</button>
<button type=\"button\" id=\"last\" title=\"Last step (End)\" aria-label=\"Last step\">▶|</button>
<label class=\"speed\"><span class=\"for-screen-readers\">Speed</span><select id=\"speed\"><option value=\"1800\">slow</option>\
<option value=\"900\" selected>normal</option><option value=\"350\">fast</option></select></label>
<button type=\"button\" id=\"help\" title=\"Keys (?)\" aria-label=\"Keys\">?</button>
</div>
</div>
<p id=\"said\" class=\"for-screen-readers\" role=\"status\" aria-live=\"polite\"></p>
<dialog id=\"details\" class=\"details\" aria-labelledby=\"details-title\"></dialog>
<dialog id=\"keys\" class=\"details\" aria-labelledby=\"keys-title\"><h2 id=\"keys-title\">Keys</h2>
<dl><div><dt><kbd>←</kbd> <kbd>→</kbd></dt><dd>a step back, the next step</dd></div>
<div><dt><kbd>Shift</kbd> and <kbd>←</kbd> <kbd>→</kbd></dt><dd>a turn back, the next turn</dd></div>
<div><dt><kbd>Page Up</kbd> <kbd>Page Down</kbd></dt><dd>a round back, the next round</dd></div>
<div><dt><kbd>Home</kbd> <kbd>End</kbd></dt><dd>the first step, the last step</dd></div>
<div><dt><kbd>Space</kbd></dt><dd>play, stop</dd></div>
<div><dt><kbd>?</kbd></dt><dd>these keys</dd></div></dl>
<form method=\"dialog\"><button class=\"primary\">Close</button></form></dialog>
";

/// Writes where the battle comes from.
fn colophon(html: &mut String, shown: &Shown<'_>) {
    let command = escaped(shown.command);
    let _ = write!(
        html,
        "<footer class=\"colophon\">\n<section id=\"meanings\" hidden></section>\n<h2>Where this comes from</h2>\n\
         <p>Made again by</p>\n<p class=\"command\"><code>{command}</code><button type=\"button\" class=\"copy \
         not-in-print\" data-copy=\"{command}\" hidden>Copy</button></p>\n<p class=\"quiet\">evens {version}. The board of \
         every step is the program's own; the page works out no rule. The same scenario and seed give the same battle on \
         every machine.</p>\n</footer>\n",
        version = env!("CARGO_PKG_VERSION"),
    );
}
