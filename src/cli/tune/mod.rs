//! `evens tune`: finds what makes everybody even, and tells from fresh battles whether it does.

mod both;
mod scenario;
mod stats;
mod weights;
mod whom;

use std::num::NonZeroU64;
use std::path::PathBuf;

use clap::Args;

use super::flags;
use super::job::named;
use super::keeping::{Earlier, Keep, Part};
use super::output::{Outlet, announce};
use super::report::{Again, ReportFile, ReportTarget, notes_text};
use super::terminal::Terminal;
use super::{Exit, Failure};
use crate::numerals::read;
use crate::report::html::Draft;
use crate::statistics::WEIGHTS;
use crate::studies::tune::{Objective, Target};
use crate::table::{Provenance, Table};
use crate::tally::OutcomeMeasure;
use whom::CONTENDERS;

const EXAMPLES: &str = "\
Examples:
  evens tune splinterlands/archetypes
  evens tune splinterlands/drawn-teams --even summoner --objective largest
  evens tune my.toml --target \"Fire=55%\" --pin Earthquake --at-most 2
  evens tune my.toml --bounds 0.5..2 --rarest 2% --battles 2000000 \\
    --within 0.5pp
  evens tune solforge/factions --stats --battles 5000 --within 5pp --edits 4 \\
    --notes notes.md
  evens tune splinterlands/drawn-teams --stats --only \"Pit Ogre.health\"";

#[derive(Args, Debug)]
#[command(after_help = EXAMPLES)]
pub(super) struct Arguments {
    /// A scenario file, or the name of a bundled scenario, that draws rulesets by weight; with --stats any
    scenario: PathBuf,

    #[command(flatten)]
    wanted: Wishes,
    #[command(flatten)]
    allowed: Allowed,
    #[command(flatten)]
    edits: stats::Edits,

    /// How many battles to fit the weights to, instead of the scenario's number; with --stats how many each variant plays
    /// [default: 50000, or the scenario's number if that is less]
    #[arg(long, value_parser = flags::count, value_name = "N", help_heading = "What to play")]
    battles: Option<NonZeroU64>,
    /// How many fresh battles to confirm the weights with [default: as many as they are fitted to]; with --stats each patch
    /// [default: four times as many as a variant plays]
    #[arg(long, value_parser = flags::count, value_name = "N", help_heading = "What to play")]
    confirm: Option<NonZeroU64>,
    #[command(flatten)]
    play: flags::Play,
    #[command(flatten)]
    part: Part,
    #[command(flatten)]
    earlier: Earlier,

    #[command(flatten)]
    pub(super) output: flags::Output,
    #[command(flatten)]
    pub(super) report: ReportFile,
    /// Write the scenario with the weights that were found in it to this file; with --stats with the patch, and with --weights
    /// with both
    #[arg(long, value_name = "FILE", value_parser = flags::file(), help_heading = "What to write")]
    write_scenario: Option<PathBuf>,
    #[command(flatten)]
    pub(super) keep: Keep,

    #[command(flatten)]
    pub(super) quiet: flags::Quiet,
}

/// What to make even.
#[derive(Args, Debug)]
#[command(next_help_heading = "What to make even")]
struct Wishes {
    /// Who should be even: `contenders`, each against all that it meets; `matchups`, every two of them; or a kind of unit
    /// that teams are drawn from, such as `summoner`; with --stats also `factions`, all units of each [default: contenders;
    /// with --stats the drawn cards that --only names]
    #[arg(long, value_name = "WHOM")]
    even: Option<String>,
    /// A score other than even, such as `Fire=55%` or, with `--even matchups`, `Fire vs Water=60%`. Those without one share
    /// what the others leave. May be given several times
    #[arg(long = "target", value_name = "WHO=PERCENT")]
    targets: Vec<Target>,
    /// Such scores from a TOML file: `"Fire" = "55%"`, or a row of match-ups, `Water = "60%"` under `[Fire]`
    #[arg(long = "targets", value_name = "FILE")]
    target_file: Option<PathBuf>,
    /// What counts: wins and an equal share of what nobody wins, wins alone, or wins of the decided battles
    #[arg(long, value_name = "WHAT", default_value = "score")]
    measure: OutcomeMeasure,
    /// What to make small: the sum of all squared leads, or the largest lead; with --stats of what leads have beyond the margin
    #[arg(long, value_name = "WHAT", default_value = "squares")]
    objective: Objective,
    /// How near to its target is even: the verdict says whether fresh battles show every score to be so near
    #[arg(long, value_name = "POINTS", default_value = "1pp", value_parser = margin)]
    within: f64,
}

/// What weights may be.
#[derive(Args, Debug)]
#[command(next_help_heading = "What weights may be")]
struct Allowed {
    /// How many times larger or smaller than it is a weight may become [default: 4, or any number with `--bounds`]; with
    /// --stats a number of a card, which may always change by one [default: 2]
    #[arg(long, value_name = "FACTOR", value_parser = factor)]
    at_most: Option<f64>,
    /// The lowest and the highest weight; weights of 0 stay 0
    #[arg(long, value_name = "LOW..HIGH", value_parser = bounds)]
    bounds: Option<(f64, f64)>,
    /// Something that keeps its weight; with --stats a card or a number that stays as it is, such as `Pit Ogre.health`. May
    /// be given several times
    #[arg(long = "pin", value_name = "NAME")]
    pins: Vec<String>,
    /// What moving costs: doubling or halving one weight is as bad as a lead of so many points [default: 0pp]; with --stats
    /// what a point of a number costs instead of 1, such as `mana=3`. May then be given several times
    #[arg(long = "price", value_name = "POINTS", value_parser = price)]
    prices: Vec<Price>,
    /// The smallest share of the battles, in percent, for anything whose weight is not 0
    #[arg(long, value_name = "PERCENT", default_value = "0%", value_parser = rarest)]
    rarest: f64,
}

impl Wishes {
    /// Who should be even.
    fn even(&self) -> &str {
        self.even.as_deref().unwrap_or(CONTENDERS)
    }
}

impl Allowed {
    /// The price of moving weights: the last one that was given, or 0.
    fn price(&self) -> f64 {
        let points = |price: &Price| match price {
            Price::OfWeights(points) => Some(*points),
            Price::OfNumbers(..) => None,
        };
        self.prices.iter().rev().find_map(points).unwrap_or(0.0)
    }
}

/// What moving a weight or a number costs.
#[derive(Clone, Debug, PartialEq)]
enum Price {
    /// Doubling or halving a weight.
    OfWeights(f64),
    /// A point of the numbers that a key names.
    OfNumbers(String, f64),
}

fn price(text: &str) -> Result<Price, String> {
    let Some((key, number)) = text.rsplit_once('=') else {
        let hint = |why| {
            format!("{why}, or with --stats what a point of a number costs, such as `mana=3`")
        };
        return flags::points_from_0(text).map(Price::OfWeights).map_err(hint);
    };
    match number.trim().parse::<f64>() {
        Ok(number) if number >= 0.0 && number.is_finite() => {
            Ok(Price::OfNumbers(key.trim().to_owned(), number))
        }
        _ => Err(format!("`{number}` is no price: write a number from 0, such as `mana=3`")),
    }
}

/// A share in percent, as a number that is read back as exactly this share.
fn percent(share: f64) -> f64 {
    let near = 100.0 * share;
    let rounded = (share * 1e6).round() / 1e4;
    let all = [rounded, near, near.next_up(), near.next_down()];
    all.into_iter().find(|percent| percent / 100.0 == share).unwrap_or(near)
}

/// A share as percentage points, in the form in which they are read.
fn told_points(of: f64) -> String {
    format!("{}pp", percent(of))
}

/// The flags of targets and limits that weights and numbers of cards share.
fn shared(arguments: &Arguments) -> impl Iterator<Item = (&'static str, String)> {
    let (wanted, allowed) = (&arguments.wanted, &arguments.allowed);
    let target = |of: &Target| ("--target", format!("{}={}%", of.name, percent(of.score)));
    let targets = wanted.targets.iter().map(target);
    let files = wanted.target_file.iter().map(|file| ("--targets", file.display().to_string()));
    let factors = allowed.at_most.iter().map(|factor| ("--at-most", factor.to_string()));
    let pins = allowed.pins.iter().map(|pin| ("--pin", pin.clone()));
    targets.chain(files).chain(factors).chain(pins)
}

/// The beginning of the command that makes the same results again.
fn again(arguments: &Arguments, scenario: &str, seed: u64, battles: u64, confirm: u64) -> Again {
    let head = Again::new("tune", scenario)
        .flag("--seed", seed)
        .flag("--battles", battles)
        .flag("--confirm", confirm)
        .flag("--within", told_points(arguments.wanted.within))
        .flag("--measure", flags::name_of(&arguments.wanted.measure));
    shared(arguments).fold(head, |again, (flag, value)| again.flag(flag, value))
}

/// Reads percentage points such as `0.5pp` as a probability above 0.
fn margin(text: &str) -> Result<f64, String> {
    flags::points_from_0(text).and_then(|margin| match margin > 0.0 {
        true => Ok(margin),
        false => {
            Err("nothing can be shown to be even to the last digit: write `0.5pp`, say".to_owned())
        }
    })
}

/// Reads a share such as `2%` or `2`, in percent.
fn rarest(text: &str) -> Result<f64, String> {
    let text = text.trim();
    let percent = text.strip_suffix('%').unwrap_or(text).trim_end().parse::<f64>().ok();
    percent.filter(|percent| (0.0..100.0).contains(percent)).ok_or_else(|| {
        "write a share of the battles from 0% to below 100%, such as `2%`".to_owned()
    })
}

fn factor(text: &str) -> Result<f64, String> {
    match text.parse::<f64>() {
        Ok(factor) if factor > *WEIGHTS.end() => {
            Err(format!("no weight is above {}: write a number up to that", WEIGHTS.end()))
        }
        Ok(factor) if factor > 1.0 => Ok(factor),
        _ => Err("write a number above 1: with 2, weights may be doubled and halved".to_owned()),
    }
}

fn bounds(text: &str) -> Result<(f64, f64), String> {
    let ends = text.split_once("..").and_then(|(low, high)| {
        Some((low.trim().parse::<f64>().ok()?, high.trim().parse::<f64>().ok()?))
    });
    match ends.filter(|&(low, high)| low > 0.0 && high > 0.0) {
        Some((low, high)) if !WEIGHTS.contains(&low) || !WEIGHTS.contains(&high) => {
            let (least, most) = WEIGHTS.into_inner();
            Err(format!("weights are from {least} to {most}: write bounds within these"))
        }
        Some((low, high)) if low < high => Ok((low, high)),
        Some((low, high)) => Err(no_range((low, high), "--pin NAME holds a weight as it is")),
        None => {
            Err("write the lowest, above 0, and the highest weight, such as `0.25..4`".to_owned())
        }
    }
}

/// Why two numbers are no range, and what may have been meant.
fn no_range<T: PartialEq + std::fmt::Display>((low, high): (T, T), to_hold: &str) -> String {
    match low == high {
        true => format!("{low}..{high} is a single value, and a range has two; {to_hold}"),
        false => format!("{low}..{high} is backwards: write {high}..{low}, the lowest value first"),
    }
}

/// Reads the least and the most that a number may be, such as `health=2..9`.
fn bounds_of_numbers(text: &str) -> Result<(String, (i64, i64)), String> {
    let end = |text: &str| match text.trim().strip_prefix('-') {
        Some(below_0) => 0_i64.checked_sub_unsigned(read(below_0)?),
        None => read(text.trim())?.try_into().ok(),
    };
    let parts = text.rsplit_once('=').and_then(|(key, ends)| {
        let (low, high) = ends.split_once("..")?;
        Some((key.trim().to_owned(), (end(low)?, end(high)?)))
    });
    match parts {
        Some((_, (low, high))) if low >= high => {
            Err(no_range((low, high), "--pin CARD leaves a card as it is"))
        }
        Some(range) => Ok(range),
        None => Err(
            "write a card or a number, and the lowest and the highest value, such as `health=2..9`"
                .to_owned(),
        ),
    }
}

/// Writes the tables and the report, as far as they are asked for; `names` are the tables that the report speaks of.
fn keep_tables(
    (mut outlet, report): (Outlet, Option<ReportTarget>),
    tables: &[Table],
    names: &[impl ToString],
    provenance: &Provenance,
    draft: &dyn Fn() -> Draft,
    quiet: bool,
) -> Result<(), Failure> {
    let draft = (outlet.takes_tables() || report.is_some()).then(draft);
    let Some(draft) = draft else { return Ok(()) };
    if outlet.takes_tables() {
        for table in tables {
            outlet.write(table)?;
        }
        outlet.note(notes_text(&draft.beside(&named(names))));
    }
    let written = outlet.finish(provenance)?;
    let filled = report.map_or(Ok(()), |report| report.fill(provenance, draft, quiet));
    // The tables are there whether the report can be written or not.
    if !quiet || filled.is_err() {
        announce(&written);
    }
    filled
}

pub(super) fn run(arguments: &Arguments, terminal: &Terminal) -> Result<Exit, Failure> {
    if arguments.edits.stats {
        return stats::run(arguments, terminal);
    }
    let of_numbers = |price: &Price| matches!(price, Price::OfNumbers(..));
    if arguments.allowed.prices.iter().any(of_numbers) {
        let remedy = "--price: numbers of cards have prices with --stats; that of moving weights is a lead, such as `0.5pp`";
        return Err(Failure::Usage(remedy.to_owned()));
    }
    weights::run(arguments, terminal)
}
