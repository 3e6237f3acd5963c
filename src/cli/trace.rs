//! `evens trace`: prints one battle of a run as a story.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write as _;
use std::num::NonZeroU64;
use std::path::{Path, PathBuf};

use clap::{ArgGroup, Args, ValueEnum};
use serde_json::{Value, json};

use super::flags::MOST;
use super::page::PageFile;
use super::printed::print_written;
use super::terminal::{Terminal, print, print_json, say};
use super::{Exit, Failure, flags, reading};
use crate::chance::{battle_index, battle_seed};
use crate::engine::{Battle, Dice, Engine, Look, Place, Scenario, Told};
use crate::game::{Outcome, Side};
use crate::report::battle::{Fact, Shown, page};
use crate::report::figures::{counted, named};
use crate::report::wrap::lines_of;
use crate::scenario::suggestion;
use crate::shell::command_on;
use crate::story::{Line, Step, Stepped, Weight};
use crate::table::seed_text;
use crate::tally::{Assignment, Condition, Fighter, Layout, Matchup, Record};

/// As clap would write it, in two lines that fit into eighty columns.
const USAGE: &str = "\
evens trace [OPTIONS] <SCENARIO>
           <--battle <K>|--battle-seed <N>|--pick <KIND>>";

const EXAMPLES: &str = "\
Examples:
  evens trace my.toml --battle 17                        battle 17 as a story
  evens trace my.toml --pick typical --html battle.html  a page to step through
  evens trace my.toml --battle 17 --json --boards        the same for a program";

/// Flags that name a battle, so that there is nothing to pick. Each flag that only picking heeds excludes them itself:
/// clap does not demand `--pick` where that could not be given.
const NAMED: [&str; 2] = ["battle", "battle_seed"];

#[derive(Args, Debug)]
#[command(
    group(ArgGroup::new("which").required(true).args(["battle", "battle_seed", "pick"])),
    override_usage = USAGE,
    after_help = EXAMPLES
)]
pub(super) struct Arguments {
    /// A scenario file, or the name of a bundled scenario
    scenario: PathBuf,
    /// Which battle, counted from 0 as in the `battles` table
    #[arg(long, value_name = "K", value_parser = flags::number::<u64>)]
    battle: Option<u64>,
    /// The battle with this seed of its own, as in the `battles` table: a number, or hexadecimal after `0x`
    #[arg(long, value_name = "N", value_parser = flags::seed)]
    battle_seed: Option<u64>,
    /// A battle worth reading: one of middling length that the side wins or loses, or that is drawn; the most typical one; or
    /// the longest
    #[arg(long, value_enum, value_name = "KIND")]
    pick: Option<Kind>,
    /// With --pick: the side that wins or loses, and that has the card [default: with --with whichever has it, otherwise A]
    #[arg(long, value_name = "SIDE", requires = "pick", conflicts_with_all = NAMED)]
    side: Option<String>,
    /// With --pick: a battle in which the side has this card, summoner or minion; a card that is played counts where it is
    /// played
    #[arg(long, value_name = "UNIT", requires = "pick", conflicts_with_all = NAMED)]
    with: Option<String>,
    /// With --pick: a battle with this ruleset (or whatever else the game draws), or with all that the heading of a trace
    /// names, such as `Aim True + Equalizer`
    #[arg(long, value_name = "RULESET", requires = "pick", conflicts_with_all = NAMED)]
    ruleset: Option<String>,
    /// With --pick: a battle of this match-up, as the heading of a trace names it, such as `A vs B`
    #[arg(long, value_name = "MATCH-UP", requires = "pick", conflicts_with_all = NAMED)]
    matchup: Option<String>,
    /// With --pick: look at so many battles, the first of the run [default: 10000, and with --with, --ruleset or --matchup on
    /// to the first that is like that, at most 100000]
    #[arg(
        long,
        value_parser = flags::count,
        value_name = "N",
        requires = "pick",
        conflicts_with_all = NAMED
    )]
    among: Option<NonZeroU64>,
    /// The master seed, instead of the scenario's
    #[arg(long, value_name = "N", value_parser = flags::seed)]
    seed: Option<u64>,
    /// Print one JSON object per line, for machines; with --html, one object with the file that was written
    #[arg(long)]
    json: bool,
    /// With --json: the board after each event, and the dice with their odds
    #[arg(long, requires = "json", conflicts_with = "html")]
    boards: bool,
    /// Write a page that steps through the battle, with the board and the dice of each step; `-` for standard output
    #[arg(long, value_name = "FILE")]
    html: Option<PathBuf>,
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
    let scenario = reading::scenario(&arguments.scenario)?;
    let master = arguments.seed.unwrap_or(scenario.common.seed);
    let index = match (arguments.battle, arguments.battle_seed, arguments.pick) {
        (Some(index), ..) => index,
        (_, Some(seed), _) => of_seed(&scenario, master, seed)?,
        (.., Some(kind)) => pick(&scenario, master, kind, arguments)?,
        (None, None, None) => return Err(Failure::Usage("say which battle".to_owned())),
    };
    match &arguments.html {
        Some(file) if arguments.json && file == Path::new("-") => {
            let refusal = "the page goes to standard output, where --json prints: give it a file";
            return Err(Failure::Usage(refusal.to_owned()));
        }
        Some(file) => {
            show(&scenario, master, index, arguments, file)?;
            if arguments.json {
                print_written("trace", file)?;
            }
        }
        None if arguments.json => print_json(&json(&scenario, master, index, arguments.boards))?,
        None => print(&tell(&scenario, master, index, terminal.width))?,
    }
    Ok(Exit::Success)
}

/// The number of the battle that has this seed.
fn of_seed(scenario: &Scenario, master: u64, seed: u64) -> Result<u64, Failure> {
    let index = battle_index(master, seed);
    // A seed that leads beyond what any run plays belongs to another master seed.
    if index >= MOST && scenario.engine().layout().matchups.len() > 1 {
        return Err(Failure::Usage(format!(
            "no battle of master seed {master} has the seed {seed}; give the run's own with --seed (it is in provenance.json)"
        )));
    }
    Ok(index)
}

/// How many battles are looked at where nothing else is asked for.
const LOOKED_AT: u64 = 10_000;
/// How many are looked at in search of the first one with a card or a ruleset.
const MOST_LOOKED_AT: u64 = crate::report::html::LOOKED_AT;

/// What the battles to pick from have in common.
struct Wanted<'a> {
    /// The side that wins or loses, where one is named.
    side: Option<Side>,
    /// The unit that the side has.
    unit: Option<usize>,
    /// By condition: whether it is meant; None where any is.
    conditions: Option<Vec<bool>>,
    /// By match-up: whether it is meant; None where any is.
    matchups: Option<Vec<bool>>,
    kind: Kind,
    engine: &'a dyn Engine,
}

/// Battles of one sort, by whether the side won and how many rounds it took: how many, and the first of them.
type Found = BTreeMap<(bool, u32), (u64, u64)>;

/// What was found among the battles that were looked at.
#[derive(Default)]
struct Search {
    /// The number of battles that were looked at.
    looked_at: u64,
    /// Whether any of the match-up and ruleset that are wanted was fought.
    is_any_fought: bool,
    /// The first of these that was forfeited.
    forfeited: Option<u64>,
    /// The battles in which the side has the unit, or all battles where no unit is named.
    with: Found,
    /// The battles to which the side brings the unit, whether it comes into play or not.
    brought: Found,
    /// The sides that have the unit, or bring it, in any battle.
    having: BTreeSet<Side>,
}

/// Picks a battle worth reading, and returns its number.
fn pick(
    scenario: &Scenario,
    master: u64,
    kind: Kind,
    arguments: &Arguments,
) -> Result<u64, Failure> {
    let engine = scenario.engine();
    let layout = engine.layout();
    let side = arguments.side.as_ref().map(|name| {
        let mut sides = (0..layout.sides as u8).map(Side);
        sides.find(|side| side.to_string().eq_ignore_ascii_case(name)).ok_or_else(|| {
            let last = Side(layout.sides as u8 - 1);
            Failure::Usage(format!("there is no side {name}; sides are A to {last}"))
        })
    });
    let side = side.transpose()?;
    let known = |what: &str, name: &str, mut names: Vec<&str>| {
        names.sort_unstable();
        names.dedup();
        let remedy = suggestion(name, names.iter().copied(), "");
        let hint = if remedy.is_empty() { String::new() } else { format!("; {remedy}") };
        Failure::Usage(format!("there is no {what} `{name}` in this scenario{hint}"))
    };
    let conditions = arguments.ruleset.as_ref().map(|name| {
        let found = conditions_with(layout, name);
        let labels = layout.conditions.iter().map(|condition| &condition.label);
        let labels = labels.filter(|label| !label.is_empty());
        // Some factors of the game no condition of the scenario has.
        let factors = layout.conditions.iter().flat_map(|condition| &condition.factors);
        let factors = factors.map(|&factor| &layout.factors[usize::from(factor)]);
        let names = factors.chain(labels).map(String::as_str).collect();
        if found.contains(&true) { Ok(found) } else { Err(known(layout.factor_noun, name, names)) }
    });
    let conditions = conditions.transpose()?;
    let matchups = arguments.matchup.as_ref().map(|name| matchups_called(layout, name));
    let matchups = matchups.transpose()?;
    let unit = arguments.with.as_ref();
    let unit = unit.map(|name| flags::unit_of(name, layout));
    let unit = unit.transpose()?;
    let wanted = Wanted { side, unit, conditions, matchups, kind, engine };
    let search = wanted.search(master, arguments.among.map(NonZeroU64::get));
    let found = match search.with.is_empty() {
        true => &search.brought,
        false => &search.with,
    };
    if search.with.is_empty() && !found.is_empty() {
        let name = unit.map_or("", |unit| layout.units[unit].name.as_str());
        say(&format!(
            "none of the first {} in which {name} comes into play is like that: to this one its side only brings it",
            counted(search.looked_at, "battle")
        ));
    }
    middle(kind, found.clone()).ok_or_else(|| wanted.nothing(&search, arguments))
}

impl Wanted<'_> {
    /// Looks at so many battles; where no number is given, at as many as usual, and from there on to the first that is
    /// like that where this depends on who or what is drawn, or on which match-up it is.
    fn search(&self, master: u64, among: Option<u64>) -> Search {
        let layout = self.engine.layout();
        let assignment = Assignment::new(layout);
        let place = Place::Assigned(&assignment);
        // Of a card, that it was played is an event.
        let look = Look { events: self.unit.is_some(), fighters: self.unit.is_some() };
        let mut record = Record::new(layout);
        let brings = self.bringing();
        let mut search = Search::default();
        let goes_on = |search: &Search| match among {
            Some(among) => search.looked_at < among,
            None if search.looked_at < LOOKED_AT => true,
            None => {
                let may_come =
                    self.unit.is_some() || self.conditions.is_some() || self.matchups.is_some();
                let is_nothing = search.with.is_empty() && search.brought.is_empty();
                let is_narrow = self.conditions.is_some() || self.matchups.is_some();
                let is_hopeless = !is_narrow && !search.is_any_fought;
                may_come && is_nothing && !is_hopeless && search.looked_at < MOST_LOOKED_AT
            }
        };
        while goes_on(&search) {
            let index = search.looked_at;
            search.looked_at += 1;
            let battle = Battle { seed: master, index, dice: Dice::Seeded, place };
            self.engine.play(battle, look, &mut record);
            let condition = record.stratum.condition as usize;
            let matchup = record.stratum.matchup as usize;
            if self.conditions.as_ref().is_some_and(|meant| !meant[condition])
                || self.matchups.as_ref().is_some_and(|meant| !meant[matchup])
            {
                continue;
            }
            if record.forfeits != 0 {
                search.forfeited.get_or_insert(index);
                continue;
            }
            search.is_any_fought = true;
            for side in (0..layout.sides as u8).map(Side) {
                let (has, brings) = match self.unit {
                    None => (side == self.side.unwrap_or(Side::A), false),
                    Some(unit) => {
                        let is_it = |fighter: &Fighter| {
                            fighter.side == side && usize::from(fighter.unit) == unit
                        };
                        let at = matchup * layout.sides + side.index();
                        (record.fighters.iter().any(is_it), brings[at])
                    }
                };
                if self.unit.is_some() && (has || brings) {
                    search.having.insert(side);
                }
                if self.side.is_some_and(|named| named != side)
                    || !self.ends_so(record.outcome, side)
                {
                    continue;
                }
                let key = (record.outcome == Outcome::Win(side), record.rounds);
                if has {
                    search.with.entry(key).or_insert((0, index)).0 += 1;
                } else if brings {
                    search.brought.entry(key).or_insert((0, index)).0 += 1;
                }
            }
        }
        search
    }

    /// By match-up and side: whether the side is known to bring the unit to every battle.
    fn bringing(&self) -> Vec<bool> {
        let layout = self.engine.layout();
        let places = 0..layout.matchups.len() * layout.sides;
        let brings = |at: usize| {
            let side = Side((at % layout.sides) as u8);
            let brought = self.engine.brings(at / layout.sides, side).unwrap_or_default();
            brought.iter().any(|(unit, _)| Some(usize::from(*unit)) == self.unit)
        };
        places.map(brings).collect()
    }

    fn ends_so(&self, outcome: Outcome, side: Side) -> bool {
        let won = outcome == Outcome::Win(side);
        let decided = matches!(outcome, Outcome::Win(_));
        match self.kind {
            Kind::Win => won,
            Kind::Loss => decided && !won,
            Kind::Draw => !decided,
            Kind::Typical | Kind::Longest => true,
        }
    }

    /// Whether it is known that no contender can bring the unit to any battle.
    fn can_nobody_bring(&self) -> bool {
        // Where cards are played from decks, battles have tokens that no deck has.
        let Some(unit) = self.unit.filter(|_| self.engine.fighters_are_brought()) else {
            return false;
        };
        let layout = self.engine.layout();
        let meant = |at: usize| self.matchups.as_ref().is_none_or(|meant| meant[at]);
        let matchups = layout.matchups.iter().enumerate().filter(|(at, _)| meant(*at));
        let contenders: BTreeSet<&str> =
            matchups.flat_map(|(_, of)| of.contenders.iter().map(String::as_str)).collect();
        contenders.into_iter().all(|of| {
            let may = self.engine.may_bring(of);
            !may.is_empty() && may.iter().all(|&one| usize::from(one) != unit)
        })
    }

    /// Why there is no such battle.
    fn nothing(&self, search: &Search, arguments: &Arguments) -> Failure {
        let looked_at = counted(search.looked_at, "battle");
        let name = self.unit.map(|unit| &self.engine.layout().units[unit].name);
        Failure::Usage(match (name, self.side) {
            (Some(name), _) if search.having.is_empty() && self.can_nobody_bring() => {
                let place = if self.matchups.is_some() { "match-up" } else { "scenario" };
                format!(
                    "nobody in this {place} can have `{name}`: name a card that somebody brings"
                )
            }
            _ if !search.is_any_fought
                && let Some(first) = search.forfeited =>
            {
                let is_narrow = self.conditions.is_some() || self.matchups.is_some();
                let all = if is_narrow { "all that are like that" } else { "all" };
                format!(
                    "of the first {looked_at} {all} are forfeited before they begin; `--battle {first}` instead of --pick tells why"
                )
            }
            (Some(name), _)
                if search.having.is_empty()
                    && arguments.ruleset.is_none()
                    && arguments.matchup.is_none() =>
            {
                format!("nobody has `{name}` in the first {looked_at}; look at more with --among")
            }
            (Some(name), Some(side))
                if !search.having.is_empty() && !search.having.contains(&side) =>
            {
                let sides: Vec<String> =
                    search.having.iter().map(|side| format!("`--side {side}`")).collect();
                format!(
                    "side {side} has `{name}` in none of the first {looked_at}, but another has: say {}, or leave --side out",
                    sides.join(" or ")
                )
            }
            _ => format!("none of the first {looked_at} is like that; look at more with --among"),
        })
    }
}

/// The first battle of the middling length, or of the longest.
fn middle(kind: Kind, mut found: Found) -> Option<u64> {
    let several = |of_won: bool| -> u64 {
        found.iter().filter(|((won, _), _)| *won == of_won).map(|(_, of)| of.0).sum()
    };
    let [won, others] = [several(true), several(false)];
    if kind == Kind::Typical {
        let most_win = won >= others;
        found.retain(|(won, _), _| *won == most_win);
    }
    let mut by_rounds: BTreeMap<u32, (u64, u64)> = BTreeMap::new();
    for ((_, rounds), (times, first)) in found {
        let of = by_rounds.entry(rounds).or_insert((0, first));
        *of = (of.0 + times, of.1.min(first));
    }
    match kind {
        Kind::Longest => by_rounds.last_key_value().map(|(_, (_, first))| *first),
        Kind::Win | Kind::Loss | Kind::Draw | Kind::Typical => {
            let mut before = by_rounds.values().map(|(times, _)| times).sum::<u64>() / 2;
            let is_middle = |(times, _): &&(u64, u64)| {
                let is_here = before < *times;
                before = before.saturating_sub(*times);
                is_here
            };
            by_rounds.values().find(is_middle).map(|(_, first)| *first)
        }
    }
}

/// For every match-up, whether it has this label.
fn matchups_called(layout: &Layout, name: &str) -> Result<Vec<bool>, Failure> {
    /// How many match-ups are named where none has a similar name.
    const NAMED: usize = 4;
    let labels: Vec<String> = layout.matchups.iter().map(Matchup::label).collect();
    let found: Vec<bool> =
        labels.iter().map(|label| label.eq_ignore_ascii_case(name.trim())).collect();
    if found.contains(&true) {
        return Ok(found);
    }
    let mut known: Vec<&str> = labels.iter().map(String::as_str).collect();
    known.dedup();
    let listing = match known.len() {
        1 => format!("there is only {}", known[0]),
        _ => format!("there are {}", named(&known, NAMED)),
    };
    let remedy = suggestion(name, known.iter().copied(), &listing);
    Err(Failure::Usage(format!("there is no match-up `{name}` in this scenario; {remedy}")))
}

/// For every condition, whether it has this label, or a factor of this name or all of several that are joined by `+`.
fn conditions_with(layout: &Layout, name: &str) -> Vec<bool> {
    let number = |name: &str| {
        layout.factors.iter().position(|factor| factor.eq_ignore_ascii_case(name.trim()))
    };
    let factors: Option<Vec<usize>> =
        number(name).map(|one| vec![one]).or_else(|| name.split('+').map(number).collect());
    let is_meant = |condition: &Condition| {
        let has = |&factor: &usize| condition.factors.iter().any(|&of| usize::from(of) == factor);
        condition.label.eq_ignore_ascii_case(name)
            || factors.as_ref().is_some_and(|factors| factors.iter().all(has))
    };
    layout.conditions.iter().map(is_meant).collect()
}

/// The battle as one JSON object a line: the battle, each line of its story, and the end.
fn json(scenario: &Scenario, master: u64, index: u64, boards: bool) -> String {
    let layout = scenario.engine().layout();
    let assignment = Assignment::new(layout);
    let place = Place::Assigned(&assignment);
    let battle = Battle { seed: master, index, dice: Dice::Seeded, place };
    let (stratum, outcome, rounds, mut lines, end) = if boards {
        let Stepped { stratum, steps, outcome, rounds } = scenario.engine().step(battle);
        let (lines, end) = with_boards(steps);
        (stratum, outcome, rounds, lines, end)
    } else {
        let Told { stratum, lines, outcome, rounds } = scenario.engine().tell(battle);
        (stratum, outcome, rounds, lines.into_iter().map(|line| line.facts).collect(), json!({}))
    };
    let matchup = layout.matchups[stratum.matchup as usize].label();
    let condition = &layout.conditions[stratum.condition as usize].label;
    let head = json!({ "event": "battle", "battle": index, "seed": seed_text(battle_seed(master, index)),
                       "matchup": matchup, "condition": condition });
    let mut last = json!({ "event": "end", "outcome": ended(outcome), "rounds": rounds });
    if let (Some(last), Value::Object(end)) = (last.as_object_mut(), end) {
        last.extend(end);
    }
    lines.push(last);
    let mut text = format!("{head}\n");
    for facts in lines {
        let _ = writeln!(text, "{facts}");
    }
    text
}

/// The facts of all lines: the first line of each step has its dice, and the last one its board, if that has changed.
/// Also returns the dice and the board that belong to the end.
fn with_boards(steps: Vec<Step>) -> (Vec<Value>, Value) {
    let (mut all, mut end) = (Vec::new(), json!({}));
    let mut before = None;
    for Step { lines, dice, board } in steps {
        let from = all.len();
        all.extend(lines.into_iter().map(|line| line.facts));
        let lines = &mut all[from..];
        let first = lines.first_mut().unwrap_or(&mut end);
        if !dice.is_empty() {
            first["dice"] = json!(dice);
        }
        let last = lines.last_mut().unwrap_or(&mut end);
        if before.as_ref() != Some(&board) {
            last["board"] = json!(board);
            before = Some(board);
        }
    }
    (all, end)
}

fn ended(outcome: Outcome) -> String {
    match outcome {
        Outcome::Win(side) => format!("side {side} wins"),
        Outcome::Draw => "a draw".to_owned(),
        Outcome::Undecided => "undecided".to_owned(),
    }
}

fn tell(scenario: &Scenario, master: u64, index: u64, width: usize) -> String {
    let layout = scenario.engine().layout();
    let assignment = Assignment::new(layout);
    let place = Place::Assigned(&assignment);
    let told = scenario.engine().tell(Battle { seed: master, index, dice: Dice::Seeded, place });

    let matchup = layout.matchups[told.stratum.matchup as usize].label();
    let condition = &layout.conditions[told.stratum.condition as usize].label;
    let seed = seed_text(battle_seed(master, index));
    let (rounds, noun) = (told.rounds, layout.round_noun);
    let mut text = String::new();
    let under = if condition.is_empty() { String::new() } else { format!(", {condition}") };
    let mut wrapped = |line: String| {
        let options = lines_of(width).subsequent_indent("    ");
        for part in textwrap::wrap(&line, options) {
            let _ = writeln!(text, "{part}");
        }
    };
    wrapped(format!("Battle {index}: {matchup}{under}"));
    wrapped(format!("Seed {seed} (battle {index} of master seed {master})"));
    for line in &told.lines {
        set(&mut text, line, width);
    }
    let plural = if rounds == 1 { "" } else { "s" };
    let _ = writeln!(text, "\nThe end: {} after {rounds} {noun}{plural}", ended(told.outcome));
    text
}

/// Writes the page that steps through the battle.
fn show(
    scenario: &Scenario,
    master: u64,
    index: u64,
    arguments: &Arguments,
    file: &Path,
) -> Result<(), Failure> {
    let file = PageFile::open(file)?;
    let layout = scenario.engine().layout();
    let assignment = Assignment::new(layout);
    let place = Place::Assigned(&assignment);
    let Stepped { stratum, steps, outcome, rounds } =
        scenario.engine().step(Battle { seed: master, index, dice: Dice::Seeded, place });
    let condition = &layout.conditions[stratum.condition as usize].label;
    let mut facts = vec![
        Fact::new("Battle", format!("{index} of master seed {master}")),
        Fact::new("Seed", battle_seed(master, index).to_string()),
    ];
    if !condition.is_empty() {
        let mut noun = layout.factor_noun.to_owned();
        noun.get_mut(..1).into_iter().for_each(str::make_ascii_uppercase);
        facts.insert(0, Fact::new(noun, condition));
    }
    let from = arguments.scenario.display().to_string();
    let mut command = format!("{} --battle {index}", command_on("trace", &from));
    if let Some(seed) = arguments.seed {
        let _ = write!(command, " --seed {seed}");
    }
    command += " --html battle.html";
    let html = page(&Shown {
        game: scenario.engine().game(),
        from: &scenario.name,
        question: scenario.common.question.as_deref(),
        contenders: &layout.matchups[stratum.matchup as usize].contenders,
        facts: &facts,
        command: &command,
        outcome,
        rounds,
        round_noun: layout.round_noun,
        steps: &steps,
    });
    file.write(&html, &counted(steps.len() as u64, "step"))
}

/// Appends a line with its indent, wrapped so that its continuation is indented further.
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
    let options = lines_of(width).initial_indent(indent).subsequent_indent(&hanging);
    for wrapped in textwrap::wrap(&line.text, options) {
        let _ = writeln!(text, "{wrapped}");
    }
}
