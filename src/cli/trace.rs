//! `evens trace`: tells one battle of a run as a story.

use std::fmt::Write as _;

use serde_json::json;

use super::args::Trace;
use super::terminal::{Terminal, print};
use super::{Exit, Failure, read};
use crate::chance::{Seeded, battle_seed};
use crate::game::{Outcome, play};
use crate::games::Playable;
use crate::scenario::{Loaded, load};
use crate::story::{Line, Weight};
use crate::tally::Draw;
use crate::{story, with_game};

pub(super) fn run(arguments: &Trace, terminal: &Terminal) -> Result<Exit, Failure> {
    let (document, game) = read(&arguments.scenario)?;
    let text = with_game!(game.as_str(), G => {
        let loaded = load::<G>(&document)?;
        tell(&loaded, arguments, terminal.width)
    })
    .expect("the game is known");
    print(&text)?;
    Ok(Exit::Success)
}

fn tell<G: Playable>(loaded: &Loaded<G>, arguments: &Trace, width: usize) -> String {
    let master = arguments.seed.unwrap_or(loaded.common.seed);
    let index = arguments.battle;
    let layout = G::layout(&loaded.setup);
    let mut luck = Seeded::of_battle(master, index);
    let stratum = Draw::new(&layout).stratum(index, &mut luck);
    let mut trace = story::Trace::default();
    let ended = play::<G, _, _>(&loaded.setup, stratum, &mut luck, &mut trace);

    let matchup = layout.matchups[stratum.matchup as usize].label();
    let condition = &layout.conditions[stratum.condition as usize].label;
    let seed = battle_seed(master, index);
    let (rounds, noun) = (ended.rounds, layout.round_noun);
    let outcome = match ended.outcome {
        Outcome::Win(side) => format!("side {side} wins"),
        Outcome::Draw => "a draw".to_owned(),
        Outcome::Undecided => "undecided".to_owned(),
    };
    let mut text = String::new();
    if arguments.json {
        let head = json!({ "event": "battle", "battle": index, "seed": seed, "matchup": matchup,
                           "condition": condition });
        let end = json!({ "event": "end", "outcome": outcome, "rounds": rounds });
        let facts = trace.lines.iter().map(|line| &line.facts);
        for facts in std::iter::once(&head).chain(facts).chain([&end]) {
            let _ = writeln!(text, "{facts}");
        }
        return text;
    }
    let under = if condition.is_empty() { String::new() } else { format!(", {condition}") };
    let _ = writeln!(text, "Battle {index}: {matchup}{under}");
    let _ = writeln!(text, "Seed {seed} (battle {index} of master seed {master})");
    for line in &trace.lines {
        set(&mut text, line, width);
    }
    let plural = if rounds == 1 { "" } else { "s" };
    let _ = writeln!(text, "\nThe end: {outcome} after {rounds} {noun}{plural}");
    text
}

/// Sets a line with its indent, wrapped so that what follows is indented further.
fn set(text: &mut String, line: &Line, width: usize) {
    let indent = match line.weight {
        Weight::Heading => {
            text.push('\n');
            ""
        }
        Weight::Action => "  ",
        Weight::Consequence => "    ",
        Weight::Detail => "      ",
    };
    let hanging = format!("{indent}    ");
    let options = textwrap::Options::new(width).initial_indent(indent).subsequent_indent(&hanging);
    for wrapped in textwrap::wrap(&line.text, options) {
        let _ = writeln!(text, "{wrapped}");
    }
}
