//! `evens sweep`: compares variants of a scenario.

use std::num::NonZeroU64;
use std::path::PathBuf;

use clap::{Args, ValueEnum};

use super::job::{self, Job, interrupted, watch_for_interruption};
use super::terminal::Terminal;
use super::{Exit, Failure, flags};
use crate::engine::variants_of;
use crate::scenario::{Fault, Faults, Variants};
use crate::studies::sweep::{
    self as study, Design, Setups, Swept, play, play_after_pilot, results,
};
use crate::table::LEVEL;
use crate::tally::OutcomeMeasure;

const EXAMPLES: &str = "\
Examples:
  evens sweep splinterlands/sweep-health
  evens sweep my.toml --set rulesets.weights.Earthquake=0,1,2,4
  evens sweep my.toml --set 'changes.\"Pit Ogre\".health=+0,+1' --set rulesets.two=0,75
  evens sweep my.toml --set mana_caps.0=24,30 -o results --format csv";

#[derive(Args, Debug)]
#[command(after_help = EXAMPLES)]
pub(super) struct Arguments {
    /// A scenario file, or the name of a bundled scenario
    scenario: PathBuf,

    /// An axis to vary: a path of keys joined by dots, and the values it takes. Added to the axes of the scenario's
    /// `[sweep]`, or replacing the one with the same path; may be given several times
    #[arg(long = "set", value_name = "PATH=VALUE,...", help_heading = "What to vary")]
    set: Vec<String>,
    /// Combine the first values of all axes, then the second values, and so on, instead of a full grid
    #[arg(long, help_heading = "What to vary")]
    zip: bool,

    /// How many battles to play per variant, instead of the scenario's number; variants that differ only in the odds of
    /// what is drawn share theirs
    #[arg(long, value_name = "N", help_heading = "What to play")]
    battles: Option<NonZeroU64>,
    /// How battles are allocated to strata (match-ups and rulesets)
    #[arg(long, value_name = "HOW", default_value = "proportional", help_heading = "What to play")]
    allocation: Allocation,
    #[command(flatten)]
    play: flags::Play,

    #[command(flatten)]
    measured: flags::Measured,

    #[command(flatten)]
    output: flags::Output,

    #[command(flatten)]
    quiet: flags::Quiet,
}

/// How a sweep allocates its battles to strata.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, ValueEnum)]
enum Allocation {
    /// In proportion to the odds: the root mean square of the stratum's weights over the variants
    #[default]
    Proportional,
    /// A pilot of a quarter like that; the rest also in proportion to the standard deviation within the stratum
    Neyman,
}

pub(super) fn run(arguments: &Arguments, terminal: &Terminal) -> Result<Exit, Failure> {
    watch_for_interruption();
    let document = job::document(&arguments.scenario)?.with_axes(&arguments.set);
    let mut setups = Setups::default();
    let Variants { mut scenario, axes, variants, fingerprint } =
        variants_of(&document, arguments.zip, &mut |engine| setups.add(engine))
            .map_err(Failure::Input)?;
    job::warn(&scenario.warnings, terminal);
    scenario.fingerprint = fingerprint;
    let common = &scenario.common;
    let battles = arguments.battles.unwrap_or(common.battles()).get();
    let seed = arguments.play.seed.unwrap_or(common.seed);
    let measure = arguments.measured.measure;
    if measure == OutcomeMeasure::Decided {
        let remedy =
            "a sweep compares the same battles, decided or not: take `--measure score` or `wins`";
        return Err(Failure::Usage(remedy.to_owned()));
    }
    let mut design = Design::new(&setups, battles).map_err(|uneven| {
        let remedy = "only the same match-ups can be compared: sweep what keeps them";
        let name = variants[uneven.variant].name.clone();
        Faults::one(name, Fault::new(uneven.to_string(), remedy))
    })?;
    design.measure = measure;
    let tables = ["sweep".to_owned()];
    let quiet = arguments.quiet.quiet;
    let job = Job::open(terminal, &arguments.output, &common.output, &tables, quiet)?;

    let mut progress = job.progress(design.battles());
    let mut go_on = |played: u64| {
        progress.step(played, String::new);
        !interrupted()
    };
    let threads = arguments.play.threads.threads;
    let played = match arguments.allocation {
        Allocation::Proportional => play(&design, seed, threads, &mut go_on),
        Allocation::Neyman => play_after_pilot(&design, seed, threads, &mut go_on),
    };
    progress.finish();

    let rows = results(&design, &played, LEVEL);
    let mut provenance = job::provenance(&scenario, seed, design.battles(), played.battles);
    let mut choices = design.arms.iter().map(|arm| arm.engine.layout().choices());
    let first = choices.next();
    if choices.any(|other| Some(other) != first) {
        provenance.choices = Some("Choices are made as each variant says.".to_owned());
    }
    let values: Vec<_> = variants.iter().map(|variant| variant.values.clone()).collect();
    let swept = Swept {
        axes: &axes,
        values: &values,
        members: &design.members,
        arms: design.arms.len(),
        rows: &rows,
        measure,
    };
    let question = common.question.as_deref();
    let table = study::table(&axes, &values, &design.members, &rows, measure);
    job.finish(&provenance, |style| study::page(&swept, &provenance, question, style), [table])
}
