//! `evens trace`: prints one battle of a run as a story.

use std::fmt::Write as _;
use std::path::PathBuf;

use clap::Args;
use serde_json::json;

use super::terminal::{Terminal, print, print_json};
use super::{Exit, Failure, job};
use crate::chance::battle_seed;
use crate::engine::{Battle, Dice, Place, Scenario};
use crate::game::Outcome;
use crate::story::{Line, Weight};
use crate::tally::Assignment;

#[derive(Args, Debug)]
pub(super) struct Arguments {
    /// A scenario file, or the name of a bundled scenario
    scenario: PathBuf,
    /// Which battle, counted from 0 as in the `battles` table
    #[arg(long, value_name = "K")]
    battle: u64,
    /// The master seed, instead of the scenario's
    #[arg(long, value_name = "N")]
    seed: Option<u64>,
    /// Print one JSON object per line, for machines
    #[arg(long)]
    json: bool,
}

pub(super) fn run(arguments: &Arguments, terminal: &Terminal) -> Result<Exit, Failure> {
    let scenario = job::scenario(&arguments.scenario)?;
    let text = tell(&scenario, arguments, terminal.width);
    if arguments.json { print_json(&text) } else { print(&text) }?;
    Ok(Exit::Success)
}

fn tell(scenario: &Scenario, arguments: &Arguments, width: usize) -> String {
    let master = arguments.seed.unwrap_or(scenario.common.seed);
    let index = arguments.battle;
    let layout = scenario.engine().layout();
    let assignment = Assignment::new(layout);
    let place = Place::Assigned(&assignment);
    let told = scenario.engine().tell(Battle { seed: master, index, dice: Dice::Seeded, place });

    let matchup = layout.matchups[told.stratum.matchup as usize].label();
    let condition = &layout.conditions[told.stratum.condition as usize].label;
    let seed = battle_seed(master, index);
    let (rounds, noun) = (told.rounds, layout.round_noun);
    let outcome = match told.outcome {
        Outcome::Win(side) => format!("side {side} wins"),
        Outcome::Draw => "a draw".to_owned(),
        Outcome::Undecided => "undecided".to_owned(),
    };
    let mut text = String::new();
    if arguments.json {
        let head = json!({ "event": "battle", "battle": index, "seed": seed, "matchup": matchup,
                           "condition": condition });
        let end = json!({ "event": "end", "outcome": outcome, "rounds": rounds });
        let facts = told.lines.iter().map(|line| &line.facts);
        for facts in std::iter::once(&head).chain(facts).chain([&end]) {
            let _ = writeln!(text, "{facts}");
        }
        return text;
    }
    let under = if condition.is_empty() { String::new() } else { format!(", {condition}") };
    let _ = writeln!(text, "Battle {index}: {matchup}{under}");
    let _ = writeln!(text, "Seed {seed} (battle {index} of master seed {master})");
    for line in &told.lines {
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
