//! `evens plan`: how many battles a question takes, and what so many battles can see.

use std::num::NonZeroU64;
use std::path::PathBuf;
use std::time::Instant;

use clap::Args;

use super::interruption::{interrupted, watch_for_interruption};
use super::job;
use super::printed::{PAGE, print_object};
use super::progress::Progress;
use super::reading;
use super::terminal::{Terminal, print};
use super::{Exit, Failure, flags};
use crate::batch::{self, Standing};
use crate::statistics::{Level, Power};
use crate::studies::plan::{self as study, Goal, NothingToCompare, Pilot, PlanComparison};
use crate::studies::run;
use crate::tally::Forfeits;

/// The least battles of a pilot by default, in all and for each match-up.
const PILOT: u64 = 20_000;
const PILOT_OF_EACH: u64 = 500;

const EXAMPLES: &str = "\
Examples:
  evens plan splinterlands/mirror --detect 1pp
  evens plan my.toml --detect 0.5pp --power 90% --comparison rulesets
  evens plan my.toml --margin 0.2pp
  evens plan my.toml --battles 100000 --comparison units --json";

#[derive(Args, Debug)]
#[command(after_help = EXAMPLES)]
pub(super) struct Arguments {
    /// A scenario file, or the name of a bundled scenario
    scenario: PathBuf,

    /// How many battles it takes to find a difference of this size, in percentage points: `1pp`
    #[arg(long, value_name = "POINTS", value_parser = points, group = "goal", help_heading = "What is wanted")]
    detect: Option<f64>,
    /// How many battles it takes until intervals reach this far to either side, in percentage points: `0.2pp`
    #[arg(long, value_name = "POINTS", value_parser = points, group = "goal", help_heading = "What is wanted")]
    margin: Option<f64>,
    /// What so many battles can see [default: the scenario's]
    #[arg(long, value_parser = flags::count, value_name = "N", group = "goal", help_heading = "What is wanted")]
    battles: Option<NonZeroU64>,
    /// What is compared
    #[arg(long, value_name = "WHAT", default_value = "score", help_heading = "What is wanted")]
    comparison: PlanComparison,
    #[command(flatten)]
    measured: flags::Measured,
    /// How often a difference of that size shall be found
    #[arg(long, value_name = "PERCENT", default_value = "80%", value_parser = share, help_heading = "How surely")]
    power: f64,
    /// The confidence of the intervals; a test at this level raises a false alarm in the rest
    #[arg(long, value_name = "PERCENT", default_value = "95%", value_parser = share, help_heading = "How surely")]
    confidence: f64,

    /// How many battles to play in order to learn how much they vary [default: 20000, and 500 of each match-up]
    #[arg(long, value_parser = flags::count, value_name = "N", help_heading = "What to play")]
    pilot: Option<NonZeroU64>,
    #[command(flatten)]
    play: flags::Play,

    /// Print one JSON object instead of a page
    #[arg(long, help_heading = "What to print")]
    json: bool,
}

pub(super) fn run(arguments: &Arguments, terminal: &Terminal) -> Result<Exit, Failure> {
    let scenario = reading::read(&arguments.scenario, terminal)?;
    let (common, engine) = (&scenario.common, scenario.engine());
    let layout = engine.layout();
    let goal = match (arguments.detect, arguments.margin, arguments.battles) {
        (Some(effect), _, _) => Goal::Detect(effect),
        (_, Some(margin), _) => Goal::Margin(margin),
        (_, _, Some(battles)) => Goal::Battles(battles.get()),
        (None, None, None) => Goal::Battles(common.battles().get()),
    };
    let level = Level::new(arguments.confidence).expect("a share between 0 and 1");
    let usual = PILOT.max(PILOT_OF_EACH.saturating_mul(layout.matchups.len() as u64));
    let battles = arguments.pilot.or(NonZeroU64::new(usual)).expect("more than none");
    // The pilot counts in as much detail as a run, because it is to tell how long a run takes.
    let tables = run::fillable(&common.watch.tables, layout);
    let mut detail = run::detail(&tables, layout, arguments.measured.measure);
    detail.fighters |= arguments.comparison == PlanComparison::Units;
    let seed = arguments.play.seed.unwrap_or(common.seed);
    let plan = batch::Plan { seed, battles, threads: arguments.play.threads.threads, detail };

    watch_for_interruption();
    let mut progress = Progress::new(terminal, false, battles.get());
    let began = Instant::now();
    let finished = batch::run_whole(engine, plan, &mut |standing: &Standing<'_>| {
        progress.show(standing, layout, arguments.measured.measure);
        !interrupted()
    });
    let seconds = began.elapsed().as_secs_f64();
    progress.finish();

    let forfeits = Forfeits::of(&finished.tally.matchups);
    job::refuse_if_nobody_fought(&scenario.name, &forfeits)?;
    let pilot = job::provenance(&scenario, seed, battles.get(), finished.played);
    let partial = pilot.partial;
    let power = Power::new(level, arguments.power);
    let asked = [arguments.confidence, arguments.power];
    let played = Pilot {
        layout,
        tally: &finished.tally,
        may_bring: &|contender| engine.may_bring(contender),
    };
    let planned = study::Plan::new(played, pilot, arguments.comparison, goal, power, asked);
    let mut planned = planned.map_err(|why| Failure::Usage(format!("{why}; {}", remedy(why))))?;
    planned.own_battles = common.battles().get();
    planned.speed = finished.played as f64 / seconds;
    if arguments.json {
        let page = study::page(&planned, common.question.as_deref(), PAGE);
        print_object("plan", &planned.json(), &page, None)?;
    } else {
        print(&study::page(&planned, common.question.as_deref(), terminal.style()))?;
    }
    Ok(if partial { Exit::Interrupted } else { Exit::Success })
}

fn remedy(why: NothingToCompare) -> &'static str {
    match why {
        NothingToCompare::NoFactors => {
            "let the scenario draw some, or compare `--comparison score`"
        }
        NothingToCompare::Forfeited => {
            "let the scenario draw others (`exclude`), or compare `--comparison score`"
        }
        NothingToCompare::FixedUnits => {
            "draw them from `[[pools]]`, or compare `--comparison score`"
        }
        NothingToCompare::OneContender => {
            "let it meet another one, or compare seats: `--comparison score`"
        }
    }
}

/// Reads percentage points such as `1pp` as a probability.
fn points(text: &str) -> Result<f64, String> {
    flags::points(text)
        .filter(|share| (1e-6..0.5).contains(share))
        .ok_or_else(|| "write percentage points from 0.0001 to below 50, such as `1pp`".to_owned())
}

/// Reads a percentage such as `80%` as a probability.
fn share(text: &str) -> Result<f64, String> {
    flags::percent(text)
        .filter(|share| (0.5..0.999_999).contains(share))
        .ok_or_else(|| "write a percentage from 50% to 99.9999%, such as `95%`".to_owned())
}
