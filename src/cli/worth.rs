//! `evens worth`: what a card is worth, and which to change first.

use std::num::NonZeroU64;
use std::path::PathBuf;

use clap::Args;

use super::exit::ended_early;
use super::interruption::{interrupted, setting_up};
use super::job::{self, named};
use super::keeping::{self, Keep, Keeping, Part, Wanted};
use super::reading;
use super::report::{Again, ReportFile};
use super::terminal::Terminal;
use super::{Exit, Failure, flags};
use crate::batch::sample;
use crate::digest;
use crate::engine::Engine;
use crate::scenario::{Fault, Faults, suggestion};
use crate::studies::worth::{
    self as study, Design, Model, NoWorth, Source, Target, WorthTable, fit_kept, results, test_kept,
};
use crate::table::LEVEL;
use crate::tally::Layout;

const EXAMPLES: &str = "\
Examples:
  evens worth splinterlands/drawn-teams
  evens worth my.toml --unit 'Pit Ogre'
  evens worth solforge/drawn-decks --kind spell --replace 5 -o results
  evens worth my.toml --table worth -o - > worth.csv";

/// The fewest battles: one for each half.
const LEAST: u64 = 2;

#[derive(Args, Debug)]
#[command(after_help = EXAMPLES)]
pub(super) struct Arguments {
    /// A scenario file, or the name of a bundled scenario
    scenario: PathBuf,

    /// How many battles to play, instead of the scenario's number: a model is fitted to one half and tested on the other.
    /// What is played again with a card replaced comes on top
    #[arg(long, value_parser = flags::count, value_name = "N", help_heading = "What to play")]
    battles: Option<NonZeroU64>,
    /// Where line-ups come from: `own` are those of the scenario, `drawn` are drawn at random for each battle, such as its
    /// contenders could bring [default: drawn, unless the scenario draws them itself and its
    /// battles say what]
    #[arg(long, value_enum, value_name = "SOURCE", help_heading = "What to play")]
    line_ups: Option<Source>,
    #[command(flatten)]
    play: flags::Play,

    /// Replace this unit in the same battles, instead of those that head the impact list; may be given several times
    #[arg(long, value_name = "NAME", help_heading = "What to compare")]
    unit: Vec<String>,
    /// Replace so many units that head the impact list
    #[arg(
        long,
        value_name = "N",
        value_parser = flags::number::<usize>,
        default_value_t = 3,
        conflicts_with = "unit",
        help_heading = "What to compare"
    )]
    replace: usize,
    /// Tell of units of this kind alone, such as `summoner`
    #[arg(long, value_name = "KIND", help_heading = "What to compare")]
    kind: Option<String>,

    #[command(flatten)]
    pub(super) output: flags::Output,
    #[command(flatten)]
    pub(super) report: ReportFile,
    #[command(flatten)]
    pub(super) keep: Keep,
    /// Write only this table instead of all three
    #[arg(long = "table", value_name = "TABLE", help_heading = "What to write")]
    table: Option<WorthTable>,

    #[command(flatten)]
    pub(super) quiet: flags::Quiet,
}

pub(super) fn run(arguments: &Arguments, terminal: &Terminal) -> Result<Exit, Failure> {
    let scenario = reading::read(&arguments.scenario, terminal)?;
    let (common, engine) = (&scenario.common, scenario.engine());
    let battles = arguments.battles.unwrap_or(common.battles()).get();
    if battles < LEAST {
        return Err(Failure::Usage(format!("--battles is at least {LEAST}: one for each half")));
    }
    let fault = |why: NoWorth| {
        Faults::one(scenario.name.clone(), Fault::new(why.to_string(), remedy(&why, engine)))
    };
    let setting_up = setting_up();
    let design = Design::new(engine, arguments.line_ups, battles / 2).map_err(fault)?;
    drop(setting_up);
    let layout = &design.layout;
    let units: Vec<u16> =
        flags::units_of(&arguments.unit, layout)?.into_iter().map(|unit| unit as u16).collect();
    if units.is_empty() && !design.varies() {
        return Err(fault(NoWorth::NeverVaries).into());
    }
    let kind = arguments.kind.as_deref().map(|kind| kind_of(kind, layout)).transpose()?;
    if let Some(kind) = kind {
        for unit in units.iter().map(|&unit| &layout.units[usize::from(unit)]) {
            if unit.kind != kind {
                let (name, own) = (&unit.name, unit.kind);
                return Err(Failure::Usage(format!(
                    "--unit {name} is of the kind {own}, and --kind {kind} tells of that kind alone: leave --kind out"
                )));
            }
        }
    }
    let seed = arguments.play.seed.unwrap_or(common.seed);
    let threads = arguments.play.threads.threads;
    let tables: Vec<WorthTable> = match arguments.table {
        Some(table) => vec![table],
        None => WorthTable::ALL.to_vec(),
    };
    let quiet = arguments.quiet.quiet;
    let (job, folder) = keeping::job(
        terminal,
        &arguments.output,
        &common.output,
        &named(&tables),
        quiet,
        (&arguments.keep, Part::default()),
    )?;
    let job = job.in_json(arguments.quiet.json, "worth")?;
    let mut job = job.reporting(&arguments.report)?;
    let asked = keeping::asked("worth", &scenario, seed, design.total(), settings(arguments));
    job.identify(&asked)?;
    let sample = || sample(engine, seed);
    let wanted = Wanted::of_plays_in_turn(asked, &sample);
    let keeping =
        Keeping::open(&arguments.keep, Part::default(), folder.as_deref(), quiet, wanted)?;

    let mut progress = job.progress(design.total()).besides(keeping.done_before());
    // What is kept of line-ups that were drawn for contenders in blocks is of other battles.
    let allocation = if design.draws_line_ups() { "contenders in turn" } else { "" };
    let mut stage = keeping.stage("the fit", allocation.to_owned());
    let fitted = fit_kept(&design, seed, threads, &mut stage, &mut |played| {
        progress.step(played, String::new);
        !interrupted()
    });
    keeping.check()?;
    if fitted.battles < design.battles {
        progress.finish();
        return Ok(keeping.close(ended_early("there is no model yet")));
    }
    let model = Model::fit(&design, &fitted.tally);
    let targets =
        design.targets(&fitted.tally, model.as_ref(), &units, (arguments.replace, kind), seed);
    let allocation = format!("{}{allocation}", digest_of(&targets));
    let mut stage = keeping.stage("the test", allocation);
    let fresh =
        test_kept(&design, model.as_ref(), &targets, seed, threads, &mut stage, &mut |played| {
            progress.step(design.battles + played, String::new);
            !interrupted()
        });
    progress.finish();
    keeping.check()?;

    let mut found = results(&design, model.as_ref(), &targets, &fitted, &fresh, LEVEL);
    found.asked = units.iter().map(|&unit| usize::from(unit)).collect();
    found.tables.clone_from(&tables);
    if let Some(kind) = kind {
        found.retain_kind(layout, kind);
    }
    let played = fitted.battles + fresh.battles;
    let provenance = job::provenance(&scenario, seed, design.total(), played);
    let question = common.question.as_deref();
    let exit = job.finish(
        &provenance,
        |style| study::page(&design, &targets, &found, &provenance, question, style),
        tables.iter().map(|table| match table {
            WorthTable::Worth => study::worth(&design, &found),
            WorthTable::Impact => study::impact(&design, &found),
            WorthTable::Replacements => study::replacements(&design, &found),
        }),
        Some(&mut || {
            let command = command(arguments, &scenario.name, seed, battles);
            study::report(&design, &targets, &found, &provenance, question, command)
        }),
    )?;
    Ok(keeping.close(exit))
}

/// The kind of this name.
fn kind_of(name: &str, layout: &Layout) -> Result<&'static str, Failure> {
    let mut kinds: Vec<&'static str> = layout.units.iter().map(|unit| unit.kind).collect();
    kinds.sort_unstable();
    kinds.dedup();
    kinds.iter().copied().find(|kind| kind.eq_ignore_ascii_case(name)).ok_or_else(|| {
        let all = format!("one of {}", kinds.join(", "));
        let remedy = suggestion(name, kinds.iter().copied(), &all);
        Failure::Usage(format!("--kind {name}: there is no such kind; {remedy}"))
    })
}

/// A digest of what the second half plays again.
fn digest_of(targets: &[Target]) -> String {
    let told = targets.iter().map(|target| {
        let variants: Vec<String> =
            target.variants.iter().map(|variant| format!("{:?}", variant.recast)).collect();
        format!("{} {} {}", target.unit, target.stride, variants.join(","))
    });
    let told: Vec<String> = told.collect();
    digest::fingerprint(told.iter().map(String::as_str))
}

/// The command that makes the same results again.
fn command(arguments: &Arguments, scenario: &str, seed: u64, battles: u64) -> String {
    let again = Again::new("worth", scenario).flag("--seed", seed).flag("--battles", battles);
    again.flags(settings(arguments)).text()
}

/// The flags that decide what is counted.
fn settings(arguments: &Arguments) -> Vec<(&'static str, String)> {
    let mut settings: Vec<(&str, String)> =
        arguments.unit.iter().map(|unit| ("--unit", unit.clone())).collect();
    if arguments.unit.is_empty() {
        settings.push(("--replace", arguments.replace.to_string()));
    }
    settings.extend(arguments.line_ups.iter().map(|of| ("--line-ups", flags::name_of(of))));
    settings.extend(arguments.kind.iter().map(|kind| ("--kind", kind.clone())));
    settings
}

/// What to do where no worths can be told. It names only line-ups that there are.
fn remedy(why: &NoWorth, engine: &dyn Engine) -> String {
    const REPLACE: &str =
        "name cards to be played again with others in their place (`--unit CARD`)";
    const DRAWN: &str = "a scenario whose sides bring cards that are drawn";
    let can_be_drawn =
        || engine.layout().contenders().names.iter().all(|name| engine.line_ups(name).is_ok());
    match why {
        NoWorth::NoUnits => "let sides bring cards: decks, teams or groups".to_owned(),
        NoWorth::NoLineUps(_) => match Design::new(engine, Some(Source::Own), LEAST) {
            Ok(own) if own.varies() => {
                "say `--line-ups own`, which takes those of the scenario".to_owned()
            }
            _ => format!("leave `--line-ups` out and {REPLACE}, or name {DRAWN}"),
        },
        NoWorth::NotNoted => {
            "leave `--line-ups own` out: line-ups are drawn as the scenario draws them".to_owned()
        }
        NoWorth::NeverVaries if can_be_drawn() => {
            format!("{REPLACE}, or let line-ups be drawn (`--line-ups drawn`)")
        }
        NoWorth::NeverVaries => format!("{REPLACE}, or take {DRAWN}"),
        NoWorth::TooMany(_) => "leave out cards that nobody brings".to_owned(),
    }
}
