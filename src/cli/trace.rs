//! `evens trace`: prints one battle of a run as a story.

use std::fmt::Write as _;
use std::path::PathBuf;

use clap::{ArgGroup, Args, ValueEnum};
use serde_json::json;

use super::terminal::{Terminal, print, print_json};
use super::{Exit, Failure, job};
use crate::chance::{battle_index, battle_seed};
use crate::engine::{Battle, Dice, Look, Place, Scenario};
use crate::game::{Outcome, Side};
use crate::scenario::suggestion;
use crate::story::{Line, Weight};
use crate::tally::{Assignment, Fighter, Record};

#[derive(Args, Debug)]
#[command(group(ArgGroup::new("which").required(true).args(["battle", "battle_seed", "pick"])))]
pub(super) struct Arguments {
    /// A scenario file, or the name of a bundled scenario
    scenario: PathBuf,
    /// Which battle, counted from 0 as in the `battles` table
    #[arg(long, value_name = "K")]
    battle: Option<u64>,
    /// The battle with this seed of its own, as in the `battles` table
    #[arg(long, value_name = "N")]
    battle_seed: Option<u64>,
    /// A battle worth reading: one of middling length that side A wins or loses, or that is drawn; the most typical one; or
    /// the longest
    #[arg(long, value_enum, value_name = "KIND")]
    pick: Option<Kind>,
    /// With --pick: the side that wins or loses, and that has the card
    #[arg(long, value_name = "SIDE", default_value = "A", requires = "pick")]
    side: String,
    /// With --pick: a battle in which the side has this card, summoner or minion
    #[arg(long, value_name = "UNIT", requires = "pick")]
    with: Option<String>,
    /// With --pick: a battle with this ruleset (or whatever else the game draws)
    #[arg(long, value_name = "RULESET", requires = "pick")]
    ruleset: Option<String>,
    /// With --pick: look at so many battles, the first of the run
    #[arg(long, value_name = "N", default_value = "10000", requires = "pick")]
    among: u64,
    /// The master seed, instead of the scenario's
    #[arg(long, value_name = "N")]
    seed: Option<u64>,
    /// Print one JSON object per line, for machines
    #[arg(long)]
    json: bool,
}

/// What to pick.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum Kind {
    /// Won by the side.
    Win,
    /// Won by another side.
    Loss,
    /// Won by nobody.
    Draw,
    /// As long as most, and ending as most of those do.
    Typical,
    /// The longest.
    Longest,
}

pub(super) fn run(arguments: &Arguments, terminal: &Terminal) -> Result<Exit, Failure> {
    let scenario = job::scenario(&arguments.scenario)?;
    let master = arguments.seed.unwrap_or(scenario.common.seed);
    let index = match (arguments.battle, arguments.battle_seed, arguments.pick) {
        (Some(index), ..) => index,
        (_, Some(seed), _) => of_seed(&scenario, master, seed)?,
        (.., Some(kind)) => pick(&scenario, master, kind, arguments)?,
        (None, None, None) => return Err(Failure::Usage("say which battle".to_owned())),
    };
    let text = tell(&scenario, master, index, arguments.json, terminal.width);
    if arguments.json { print_json(&text) } else { print(&text) }?;
    Ok(Exit::Success)
}

/// Beyond this no run goes, so that a seed that leads there belongs to another master seed.
const BEYOND: u64 = 1 << 48;

/// The number of the battle with a seed of its own.
fn of_seed(scenario: &Scenario, master: u64, seed: u64) -> Result<u64, Failure> {
    let index = battle_index(master, seed);
    if index >= BEYOND && scenario.engine().layout().matchups.len() > 1 {
        return Err(Failure::Usage(format!(
            "no battle of master seed {master} has the seed {seed}; give the run's own with --seed (it is in provenance.json)"
        )));
    }
    Ok(index)
}

/// The number of a battle worth reading.
fn pick(
    scenario: &Scenario,
    master: u64,
    kind: Kind,
    arguments: &Arguments,
) -> Result<u64, Failure> {
    let engine = scenario.engine();
    let layout = engine.layout();
    let side = (0..layout.sides as u8)
        .map(Side)
        .find(|side| side.to_string().eq_ignore_ascii_case(&arguments.side))
        .ok_or_else(|| {
            let last = Side(layout.sides as u8 - 1);
            Failure::Usage(format!("there is no side {}; sides are A to {last}", arguments.side))
        })?;
    let known = |what: &str, name: &str, mut names: Vec<&str>| {
        names.sort_unstable();
        names.dedup();
        let remedy = suggestion(name, names.iter().copied(), "");
        let hint = if remedy.is_empty() { String::new() } else { format!("; {remedy}") };
        Failure::Usage(format!("there is no {what} `{name}` in this scenario{hint}"))
    };
    let factor = arguments.ruleset.as_ref().map(|name| {
        let found = layout.factors.iter().position(|of| of.eq_ignore_ascii_case(name));
        let names = layout.factors.iter().map(String::as_str).collect();
        found.ok_or_else(|| known(layout.factor_noun, name, names))
    });
    let factor = factor.transpose()?;
    let unit = arguments.with.as_ref().map(|name| {
        let found = layout.units.iter().position(|of| of.name.eq_ignore_ascii_case(name));
        let names = layout.units.iter().map(|unit| unit.name.as_str()).collect();
        found.ok_or_else(|| known("unit", name, names))
    });
    let unit = unit.transpose()?;

    let assignment = Assignment::new(layout);
    let place = Place::Assigned(&assignment);
    let look = Look { events: false, fighters: unit.is_some() };
    let mut record = Record::new(layout);
    let mut found: Vec<(u32, bool, u64)> = Vec::new();
    for index in 0..arguments.among {
        engine.play(Battle { seed: master, index, dice: Dice::Seeded, place }, look, &mut record);
        let factors = &layout.conditions[record.stratum.condition as usize].factors;
        let has_factor = factor.is_none_or(|of| factors.iter().any(|&at| usize::from(at) == of));
        let has_unit = unit.is_none_or(|of| {
            let is_it = |fighter: &Fighter| fighter.side == side && usize::from(fighter.unit) == of;
            record.fighters.iter().any(is_it)
        });
        let won = record.outcome == Outcome::Win(side);
        let decided = matches!(record.outcome, Outcome::Win(_));
        let ends_so = match kind {
            Kind::Win => won,
            Kind::Loss => decided && !won,
            Kind::Draw => !decided,
            Kind::Typical | Kind::Longest => true,
        };
        if has_factor && has_unit && ends_so && record.forfeits == 0 {
            found.push((record.rounds, won, index));
        }
    }
    if kind == Kind::Typical {
        let wins = found.iter().filter(|(_, won, _)| *won).count();
        let most_win = 2 * wins >= found.len();
        found.retain(|(_, won, _)| *won == most_win);
    }
    found.sort_unstable();
    let middle = found.get(found.len() / 2).map(|(rounds, ..)| *rounds);
    let wanted = match kind {
        Kind::Longest => found.last().map(|(rounds, ..)| *rounds),
        Kind::Win | Kind::Loss | Kind::Draw | Kind::Typical => middle,
    };
    let first =
        found.iter().filter(|(rounds, ..)| Some(*rounds) == wanted).map(|(.., at)| *at).min();
    first.ok_or_else(|| {
        Failure::Usage(format!(
            "none of the first {} battles is like that; look at more with --among",
            arguments.among
        ))
    })
}

fn tell(scenario: &Scenario, master: u64, index: u64, json: bool, width: usize) -> String {
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
    if json {
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
