//! `evens tune`: finds the weights that make everybody even, and confirms them on fresh battles.

use std::num::NonZeroU64;
use std::path::PathBuf;

use clap::Args;

use super::job::{self, interrupted, watch_for_interruption};
use super::progress::Progress;
use super::terminal::{Terminal, print, print_json, say};
use super::{Exit, Failure, flags};
use crate::batch::{Standing, run_strata};
use crate::chance::{Stream, stream_seed};
use crate::engine::Engine;
use crate::report;
use crate::scenario::suggestion;
use crate::statistics::{DrawModel, Part, neyman, share_out};
use crate::studies::tune::{self as study, Limits, Standings, Tuning, contenders, tune, units};
use crate::tally::{Breakdown, Layout, Tally};

/// How `--even` names those who meet each other as sides.
const CONTENDERS: &str = "contenders";

const EXAMPLES: &str = "\
Examples:
  evens tune splinterlands/archetypes
  evens tune splinterlands/drawn-teams --even summoner
  evens tune my.toml --lowest 0.5 --highest 2 --rarest 2 --battles 2000000";

#[derive(Args, Debug)]
#[command(after_help = EXAMPLES)]
pub(super) struct Arguments {
    /// A scenario file, or the name of a bundled scenario, that draws rulesets by weight
    scenario: PathBuf,

    /// What to make even: `contenders`, or a kind of unit that teams are drawn from, such as `summoner`
    #[arg(long, value_name = "WHOM", default_value = CONTENDERS, help_heading = "What to make even")]
    even: String,

    /// The lowest weight; weights of 0 stay 0
    #[arg(
        long,
        value_name = "WEIGHT",
        default_value_t = 0.25,
        help_heading = "What weights may be"
    )]
    lowest: f64,
    /// The highest weight
    #[arg(
        long,
        value_name = "WEIGHT",
        default_value_t = 4.0,
        help_heading = "What weights may be"
    )]
    highest: f64,
    /// The smallest share of the battles, in percent, for anything whose weight is not 0
    #[arg(
        long,
        value_name = "PERCENT",
        default_value_t = 0.0,
        help_heading = "What weights may be"
    )]
    rarest: f64,

    /// How many battles to fit the weights to, instead of the scenario's number; as many fresh ones confirm them
    #[arg(long, value_name = "N", help_heading = "What to play")]
    battles: Option<NonZeroU64>,
    #[command(flatten)]
    play: flags::Play,

    /// Print one JSON object instead of a page
    #[arg(long, help_heading = "What to print")]
    json: bool,
    #[command(flatten)]
    quiet: flags::Quiet,
}

/// One battle in so many belongs to the pilot that Neyman allocation goes by.
const PILOT: u64 = 4;

pub(super) fn run(arguments: &Arguments, terminal: &Terminal) -> Result<Exit, Failure> {
    let scenario = job::read(&arguments.scenario, terminal)?;
    let (common, engine) = (&scenario.common, scenario.engine());
    let Some(model) = engine.draw_model() else {
        let remedy = "this scenario draws nothing by weight, so there are no weights to find";
        return Err(Failure::Usage(remedy.to_owned()));
    };
    let limits = limits(arguments)?;
    let layout = engine.layout();
    let kind = kind_of_unit(&arguments.even, layout)?;
    let mut contenders = contenders(layout);
    if kind.is_none() && contenders.is_empty() {
        return Err(Failure::Usage(nobody_to_even(layout)));
    }
    watch_for_interruption();
    let battles = arguments.battles.unwrap_or(common.battles()).get();
    let seed = arguments.play.seed.unwrap_or(common.seed);
    let breakdown = if kind.is_some() { Breakdown::Condition } else { Breakdown::Whole };
    let player = Player { engine, arguments, terminal, breakdown };
    let Some(tally) = player.explore(model, battles, seed) else {
        return Ok(ended_early());
    };
    if let Some(kind) = kind {
        contenders = units(layout, &tally, kind);
    }
    let mut go_on = || !interrupted();
    let tuned = tune(model, layout, &tally, &contenders, limits, seed, &mut go_on);
    let Some(tuned) = tuned else {
        return Ok(ended_early());
    };
    let fresh = stream_seed(seed, Stream::Confirmation);
    let Some(confirming) = player.play(&dealt(layout, &tuned.probabilities, battles), fresh) else {
        return Ok(ended_early());
    };
    let tuning = Tuning {
        question: common.question.as_deref(),
        heading: format!(
            "{}: {}, {} battles and as many to confirm, seed {seed}",
            engine.game(),
            scenario.name,
            report::whole(battles)
        ),
        factor_noun: layout.factor_noun,
        model,
        contender_noun: kind.unwrap_or("contender"),
        contenders: &contenders,
        limits,
        played: &Standings::new(layout, &tally, &contenders),
        confirmed: &Standings::new(layout, &confirming, &contenders),
        tuned: &tuned,
    };
    if arguments.json {
        print_json(&tuning.json())?;
    } else {
        print(&study::page(&tuning, terminal.style()))?;
    }
    Ok(Exit::Success)
}

/// Weights that were not confirmed are no answer.
fn ended_early() -> Exit {
    say("ended early: there is no answer\n");
    Exit::Interrupted
}

/// The kind of unit that should be even; none when it is the contenders.
fn kind_of_unit(even: &str, layout: &Layout) -> Result<Option<&'static str>, Failure> {
    if even == CONTENDERS {
        return Ok(None);
    }
    let kinds = kinds(layout);
    if let Some(&kind) = kinds.iter().find(|&&kind| kind == even) {
        return Ok(Some(kind));
    }
    let mut known = vec![CONTENDERS];
    known.extend(&kinds);
    let fallback = if kinds.is_empty() {
        "the units of this scenario are not drawn, so only contenders can be made even".to_owned()
    } else {
        format!("one of {}", known.join(", "))
    };
    let remedy = suggestion(even, known.iter().copied(), &fallback);
    Err(Failure::Usage(format!("--even {even}: {remedy}")))
}

/// The kinds of unit that are drawn.
fn kinds(layout: &Layout) -> Vec<&'static str> {
    let mut kinds: Vec<&str> = Vec::new();
    for unit in layout.units.iter().filter(|_| layout.units_are_drawn) {
        if !kinds.contains(&unit.kind) {
            kinds.push(unit.kind);
        }
    }
    kinds
}

fn nobody_to_even(layout: &Layout) -> String {
    let remedy = match kinds(layout).as_slice() {
        [] => "give the sides different contenders".to_owned(),
        kinds => {
            let options: Vec<String> = kinds.iter().map(|kind| format!("--even {kind}")).collect();
            format!("give the sides different contenders, or say {}", options.join(" or "))
        }
    };
    format!("nobody meets anybody else here: {remedy}")
}

fn limits(arguments: &Arguments) -> Result<Limits, Failure> {
    let Arguments { lowest, highest, rarest, .. } = *arguments;
    let complaint = if !(lowest > 0.0 && highest >= lowest && highest.is_finite()) {
        format!(
            "--lowest {lowest} and --highest {highest}: the lowest must be above 0 and not above the highest"
        )
    } else if !(0.0..100.0).contains(&rarest) {
        format!("--rarest {rarest}: a share of the battles in percent, from 0 to below 100")
    } else {
        return Ok(Limits { lowest, highest, rarest: rarest / 100.0 });
    };
    Err(Failure::Usage(complaint))
}

/// Plays what tuning asks for.
struct Player<'p> {
    engine: &'p dyn Engine,
    arguments: &'p Arguments,
    terminal: &'p Terminal,
    breakdown: Breakdown,
}

impl Player<'_> {
    /// Plays so many battles of each stratum; None when interrupted.
    fn play(&self, battles: &[u64], seed: u64) -> Option<Tally> {
        let Player { engine, arguments, breakdown, .. } = *self;
        let total = battles.iter().sum();
        let mut progress = Progress::new(self.terminal, arguments.quiet.quiet, total);
        let mut go_on = |standing: &Standing| {
            progress.show(standing, engine.layout());
            !interrupted()
        };
        let threads = arguments.play.threads.threads;
        let tally = run_strata(engine, battles, seed, threads, breakdown, &mut go_on);
        progress.finish();
        tally.filter(|_| !interrupted())
    }

    /// Plays every stratum. Half of every share is the same for all conditions, because the best odds may be far from
    /// the present ones (a defensive mixture). For contenders these shares are those of a pilot, and the rest follows
    /// Neyman allocation; with many units no allocation is best for all.
    fn explore(&self, model: &dyn DrawModel, battles: u64, seed: u64) -> Option<Tally> {
        let layout = self.engine.layout();
        let conditions = model.conditions() as f64;
        let mut odds = vec![0.0; model.conditions()];
        model.probabilities(model.weights(), &mut odds);
        for odds in &mut odds {
            *odds = f64::midpoint(*odds, 1.0 / conditions);
        }
        if self.breakdown != Breakdown::Whole {
            return self.play(&dealt(layout, &odds, battles), seed);
        }
        let mut tally = self.play(&dealt(layout, &odds, battles / PILOT), seed)?;
        let parts: Vec<Part> = tally
            .strata
            .iter()
            .zip(odds.iter().cycle())
            .map(|(count, &weight)| Part {
                weight,
                successes: count.wins[0],
                trials: count.battles,
            })
            .collect();
        let after = stream_seed(seed, Stream::AfterPilot);
        let rest = self.play(&neyman(&parts, battles - battles / PILOT), after)?;
        tally.merge(&rest);
        Some(tally)
    }
}

/// A number of battles allocated in proportion to the odds of the conditions, as many for every match-up.
fn dealt(layout: &Layout, odds: &[f64], battles: u64) -> Vec<u64> {
    share_out(odds, battles / layout.matchups.len() as u64).repeat(layout.matchups.len())
}
