//! `evens sweep`: compares variants of a scenario.

use std::num::NonZeroU64;
use std::path::PathBuf;

use clap::{Args, ValueEnum};

use super::interruption::{interrupted, setting_up};
use super::job;
use super::keeping::{self, Earlier, Keep, Keeping, Part, Wanted, digest};
use super::reading;
use super::report::{Again, ReportFile, scenario_text};
use super::terminal::Terminal;
use super::{Exit, Failure, flags};
use crate::batch::Keeper;
use crate::batch::sample;
use crate::digest;
use crate::engine::variants_of;
use crate::report::html::ScenarioText;
use crate::scenario::{Fault, Faults, Variants};
use crate::studies::sweep::{
    self as study, Design, PairedTally, Setups, Swept, play_after_pilot_kept, play_kept, results,
};
use crate::table::LEVEL;

const EXAMPLES: &str = "\
Examples:
  evens sweep splinterlands/sweep-health
  evens sweep my.toml --set rulesets.weights.Earthquake=0,1,2,4
  evens sweep my.toml --set 'changes.\"Pit Ogre\".health=+0,+1' \\
    --set rulesets.two=0,75
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
    #[arg(long, value_parser = flags::count, value_name = "N", help_heading = "What to play")]
    battles: Option<NonZeroU64>,
    /// How battles are allocated to strata (match-ups and rulesets)
    #[arg(long, value_name = "HOW", default_value = "proportional", help_heading = "What to play")]
    allocation: Allocation,
    #[command(flatten)]
    play: flags::Play,
    #[command(flatten)]
    part: Part,
    #[command(flatten)]
    earlier: Earlier,

    #[command(flatten)]
    measured: flags::MeasuredInPairs,

    #[command(flatten)]
    pub(super) output: flags::Output,
    #[command(flatten)]
    pub(super) report: ReportFile,

    #[command(flatten)]
    pub(super) keep: Keep,

    #[command(flatten)]
    pub(super) quiet: flags::Quiet,
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

impl Allocation {
    /// The plays that it takes, each of which depends on those before it.
    fn plays(self) -> &'static [&'static str] {
        match self {
            Self::Proportional => &["battles"],
            Self::Neyman => &["pilot", "rest"],
        }
    }
}

pub(super) fn run(arguments: &Arguments, terminal: &Terminal) -> Result<Exit, Failure> {
    let setting_up = setting_up();
    let document = reading::document(&arguments.scenario)?.with_axes(&arguments.set);
    let mut setups = Setups::default();
    let Variants { mut scenario, axes, variants, fingerprint, settings: varied } =
        variants_of(&document, arguments.zip, &mut |engine| setups.add(engine))
            .map_err(Failure::Input)?;
    reading::warn(&scenario.all_warnings(), terminal);
    scenario.fingerprint = fingerprint;
    let common = &scenario.common;
    let battles = arguments.battles.unwrap_or(common.battles()).get();
    let seed = arguments.play.seed.unwrap_or(common.seed);
    let measure = arguments.measured.measure;
    let mut design = Design::new(&setups, battles).map_err(|uneven| {
        let remedy = "only the same match-ups can be compared: sweep what keeps them";
        let name = variants[uneven.variant].name.clone();
        Faults::one(name, Fault::new(uneven.to_string(), remedy))
    })?;
    design.measure = measure;
    drop(setting_up);
    let tables = ["sweep".to_owned()];
    let quiet = arguments.quiet.quiet;
    let keep = &arguments.keep;
    let (job, folder) = keeping::job(
        terminal,
        &arguments.output,
        &common.output,
        &tables,
        quiet,
        (keep, arguments.part),
    )?;
    arguments.report.refuse_shards(arguments.part)?;
    let job = job.in_json(arguments.quiet.json, "sweep")?;
    let mut job = job.reporting(&arguments.report)?;
    let asked = keeping::asked("sweep", &scenario, seed, battles, settings(arguments));
    job.identify(&asked)?;
    let wanted = Wanted {
        asked,
        sample: &|| {
            // All arms play by the same rules, so a few are enough.
            let few = design.arms.iter().take(4);
            let of_each: Vec<String> = few.map(|arm| sample(arm.engine, seed)).collect();
            digest::fingerprint(of_each.iter().map(String::as_str))
        },
        // Battles are allocated to strata beforehand: with another number of them battle `i` is another one.
        grows: false,
        has_several_plays: arguments.allocation == Allocation::Neyman,
        plays: arguments.allocation.plays(),
        from: arguments.earlier.from.as_deref(),
        keeps_rows: false,
    };
    let keeping = Keeping::open(keep, arguments.part, folder.as_deref(), quiet, wanted)?;

    // A shard is a part of one play, after all battles of the plays before it.
    let (before, of_play) = match (arguments.part.shard, arguments.allocation, keeping.shared()) {
        (Some(_), Allocation::Neyman, 0) => (0, design.pilot().battles()),
        (Some(_), Allocation::Neyman, _) => {
            let pilot = design.pilot().battles();
            (pilot, design.battles().saturating_sub(pilot))
        }
        (Some(_), Allocation::Proportional, _) | (None, ..) => (0, design.battles()),
    };
    let progress = job.progress(before + keeping.share(of_play)?);
    let mut progress = progress.besides(keeping.done_before());
    let mut go_on = |played: u64| {
        progress.step(played, String::new);
        !interrupted() && !keeping.is_lost()
    };
    let threads = arguments.play.threads.threads;
    let played = match arguments.allocation {
        Allocation::Proportional => {
            let mut stage = keeping.stage("battles", digest(design.allocation()));
            play_kept(&design, seed, threads, &mut stage, &mut go_on)
        }
        Allocation::Neyman => {
            let mut stage = |name: &str, part: &Design<'_>| {
                let stage = || keeping.stage(name, digest(part.allocation()));
                let is_next = !keeping.is_over();
                is_next.then(|| Box::new(stage()) as Box<dyn Keeper<PairedTally> + '_>)
            };
            play_after_pilot_kept(&design, seed, threads, &mut stage, &mut go_on)
        }
    };
    progress.finish();
    keeping.check()?;
    if keeping.is_all() {
        return keeping.finish();
    }

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
        asked: battles,
        planned: (design.battles(), design.wanted()),
        forfeits: played.tally.forfeits(),
    };
    let question = common.question.as_deref();
    let table = study::table(&axes, &values, &design.members, &rows, measure);
    let exit = job.finish(
        &provenance,
        |style| study::page(&swept, &provenance, question, style),
        [table],
        Some(&mut || {
            let text = scenario_text(&arguments.scenario);
            let of_variant = |variant: usize| {
                ScenarioText::of_table(document.source.name(), varied.scenario(&document, variant)?)
            };
            let texts = study::Texts { own: text.as_ref(), of_variant: &of_variant };
            let live = study::live(&setups, &design, &played, &values, &axes, LEVEL, &texts);
            let command = command(arguments, &scenario.name, seed, battles);
            study::report(&swept, &provenance, question, command, text, live)
        }),
    )?;
    Ok(keeping.close(exit))
}

/// The command that makes the same results again.
fn command(arguments: &Arguments, scenario: &str, seed: u64, battles: u64) -> String {
    let again = Again::new("sweep", scenario).flag("--seed", seed).flag("--battles", battles);
    again.flags(settings(arguments)).text()
}

/// The flags that decide what is counted.
fn settings(arguments: &Arguments) -> Vec<(&'static str, String)> {
    let mut settings: Vec<(&str, String)> =
        arguments.set.iter().map(|axis| ("--set", axis.clone())).collect();
    settings.extend(arguments.zip.then(|| ("--zip", String::new())));
    settings.push(("--allocation", flags::name_of(&arguments.allocation)));
    settings.push(("--measure", flags::name_of(&arguments.measured.measure)));
    settings
}
