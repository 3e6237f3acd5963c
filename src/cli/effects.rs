//! `evens effects`: the effect of each ruleset, and the interaction of each pair.

use std::num::NonZeroU64;
use std::path::PathBuf;

use clap::Args;

use super::interruption::{interrupted, setting_up};
use super::job::{self, Job, named};
use super::keeping::{self, Keep, Keeping, Part, Stage, Wanted};
use super::reading;
use super::report::{Again, ReportFile};
use super::run::warn_of_memory;
use super::terminal::Terminal;
use super::{Exit, Failure, flags};
use crate::batch::sample;
use crate::engine::Scenario;
use crate::forcible::{Forcible, slug};
use crate::scenario::{Fault, Faults, suggestion};
use crate::shell::{argument, experiment};
use crate::studies::effects::order::CannotBeForced;
use crate::studies::effects::{
    self as study, Design, EffectsTable, NoEffects, order, play_kept, results,
};
use crate::table::LEVEL;
use crate::tally::{Layout, OutcomeMeasure};

const EXAMPLES: &str = "\
Examples:
  evens effects splinterlands/archetypes
  evens effects splinterlands/drawn-teams --battles 20000 -o results
  evens effects my.toml --table unit_effects -o - > unit_effects.csv
  evens effects splinterlands/drawn-teams --order first-turn";

#[derive(Args, Debug)]
#[command(after_help = EXAMPLES)]
pub(super) struct Arguments {
    /// A scenario file, or the name of a bundled scenario, that draws rulesets; with `--order` any
    scenario: PathBuf,

    /// How many battles to play under each ruleset and pair, instead of an equal share of the scenario's battles
    #[arg(long, value_parser = flags::count, value_name = "N", help_heading = "What to play")]
    battles: Option<NonZeroU64>,
    #[command(flatten)]
    play: flags::Play,
    #[command(flatten)]
    part: Part,

    /// Instead of rulesets: force this order, such as `first-turn`, and compare the same battles with each side as the first
    #[arg(long, value_name = "ORDER", conflicts_with = "table", help_heading = "What to compare")]
    order: Option<String>,
    #[command(flatten)]
    measured: flags::Measured,

    #[command(flatten)]
    pub(super) output: flags::Output,
    #[command(flatten)]
    pub(super) report: ReportFile,
    #[command(flatten)]
    pub(super) keep: Keep,
    /// Compute and report only this table instead of both; units are counted only where teams are drawn
    #[arg(long = "table", value_name = "TABLE", help_heading = "What to write")]
    table: Option<EffectsTable>,

    #[command(flatten)]
    pub(super) quiet: flags::Quiet,
}

pub(super) fn run(arguments: &Arguments, terminal: &Terminal) -> Result<Exit, Failure> {
    let scenario = reading::read(&arguments.scenario, terminal)?;
    match &arguments.order {
        Some(order) => of_order(arguments, order, &scenario, terminal),
        None => of_rulesets(arguments, &scenario, terminal),
    }
}

/// Measures the effect of each ruleset.
fn of_rulesets(
    arguments: &Arguments,
    scenario: &Scenario,
    terminal: &Terminal,
) -> Result<Exit, Failure> {
    let (common, engine) = (&scenario.common, scenario.engine());
    let layout = engine.layout();
    let tables = tables(arguments, layout)?;
    let units = tables.contains(&EffectsTable::UnitEffects);
    let fault = |why: NoEffects| {
        let remedy = remedy(&why, layout, &scenario.name, arguments.measured.measure);
        Faults::one(scenario.name.clone(), Fault::new(why.to_string(), remedy))
    };
    let setting_up = setting_up();
    let mut design = Design::new(layout, 0, units).map_err(fault)?;
    design.measure = arguments.measured.measure;
    let cases = design.cases.len() as u64;
    design.battles = battles(arguments, scenario, cases);
    let seed = arguments.play.seed.unwrap_or(common.seed);
    let threads = arguments.play.threads.threads;
    if !is_silent(arguments) {
        warn_of_memory(layout, threads, |threads| study::memory(&design, threads));
    }
    drop(setting_up);

    let experiment =
        Experiment { scenario, tables: named(&tables), battles: design.battles, cases };
    let play = |stage: &mut Stage<'_>, go_on: &mut dyn FnMut(u64) -> bool| {
        play_kept(engine, &design, seed, threads, stage, go_on)
    };
    experiment.carry_out(arguments, terminal, play, |job, played| {
        let effects = results(&design, &played, LEVEL);
        let provenance = job::provenance(scenario, seed, design.total(), played.battles * cases);
        let question = common.question.as_deref();
        job.finish(
            &provenance,
            |style| {
                let told = (&provenance, &tables[..]);
                study::page(&design, &played, &effects, told, question, style)
            },
            tables.iter().map(|table| match table {
                EffectsTable::UnitEffects => study::unit_effects(&design, &effects),
                EffectsTable::RulesetEffects => study::ruleset_effects(&design, &effects),
            }),
            Some(&mut || {
                let command = command(arguments, &scenario.name, seed, design.battles);
                study::report(&design, &played, &effects, &provenance, question, command, &tables)
            }),
        )
    })
}

/// Measures the effect of an order that is forced.
fn of_order(
    arguments: &Arguments,
    order: &str,
    scenario: &Scenario,
    terminal: &Terminal,
) -> Result<Exit, Failure> {
    let (common, engine) = (&scenario.common, scenario.engine());
    let setting_up = setting_up();
    let design = order::Design::new(engine, order, 0, arguments.measured.measure);
    drop(setting_up);
    let mut design = design.map_err(|why| {
        Failure::Usage(format!("{why}; {}", can_be_forced(&why, engine.layout())))
    })?;
    let sides = design.sides() as u64;
    design.battles = battles(arguments, scenario, sides);
    let seed = arguments.play.seed.unwrap_or(common.seed);
    let threads = arguments.play.threads.threads;
    if !is_silent(arguments) {
        warn_of_memory(engine.layout(), threads, |threads| order::memory(&design, threads));
    }

    let tables = named(&[order::ORDER_EXPERIMENT]);
    let experiment = Experiment { scenario, tables, battles: design.battles, cases: sides };
    let play = |stage: &mut Stage<'_>, go_on: &mut dyn FnMut(u64) -> bool| {
        order::play_kept(&design, seed, threads, stage, go_on)
    };
    experiment.carry_out(arguments, terminal, play, |job, played| {
        let effects = order::results(&design, &played, LEVEL);
        let provenance = job::provenance(scenario, seed, design.total(), played.battles * sides);
        let question = common.question.as_deref();
        job.finish(
            &provenance,
            |style| order::page(&design, &played, &effects, &provenance, question, style),
            [order::order_experiment(&design, &effects)],
            Some(&mut || {
                let command = command(arguments, &scenario.name, seed, design.battles);
                order::report(&design, &played, &effects, &provenance, question, command)
            }),
        )
    })
}

/// Whether nothing but a table is wanted, if that.
fn is_silent(arguments: &Arguments) -> bool {
    arguments.quiet.quiet || arguments.output.output.as_deref() == Some("-".as_ref())
}

/// How many battles to play of each case: what was asked for, or an equal share of the scenario's.
fn battles(arguments: &Arguments, scenario: &Scenario, cases: u64) -> u64 {
    arguments.battles.map_or(scenario.common.battles.div_ceil(cases), NonZeroU64::get)
}

/// Battles that are played once in each of several cases.
struct Experiment<'s> {
    scenario: &'s Scenario,
    tables: Vec<String>,
    /// How many battles to play in each case.
    battles: u64,
    cases: u64,
}

impl Experiment<'_> {
    /// Plays all cases, going on from what was kept, and concludes from all battles; a shard is only kept.
    fn carry_out<P>(
        &self,
        arguments: &Arguments,
        terminal: &Terminal,
        play: impl FnOnce(&mut Stage<'_>, &mut dyn FnMut(u64) -> bool) -> P,
        conclude: impl FnOnce(Job<'_>, P) -> Result<Exit, Failure>,
    ) -> Result<Exit, Failure> {
        let Self { scenario, tables, battles, cases } = self;
        let seed = arguments.play.seed.unwrap_or(scenario.common.seed);
        let (keep, quiet) = (&arguments.keep, arguments.quiet.quiet);
        let part = (keep, arguments.part);
        let output = &scenario.common.output;
        let (job, folder) = keeping::job(terminal, &arguments.output, output, tables, quiet, part)?;
        arguments.report.refuse_shards(arguments.part)?;
        let job = job.in_json(arguments.quiet.json, "effects")?;
        let mut job = job.reporting(&arguments.report)?;
        let asked = keeping::asked("effects", scenario, seed, *battles, settings(arguments));
        job.identify(&asked)?;
        let wanted = Wanted {
            asked,
            sample: &|| sample(scenario.engine(), seed),
            grows: true,
            has_several_plays: false,
            plays: &["battles"],
            from: None,
            keeps_rows: false,
        };
        let keeping = Keeping::open(keep, arguments.part, folder.as_deref(), quiet, wanted)?;

        let progress = job.progress(keeping.planned(*battles)? * cases);
        let mut progress = progress.besides(keeping.done_before());
        let mut stage = keeping.stage("battles", String::new()).of_each(*cases);
        let played = play(&mut stage, &mut |played| {
            progress.step(played, String::new);
            !interrupted() && !keeping.is_lost()
        });
        progress.finish();
        keeping.check()?;
        if keeping.is_all() {
            return keeping.finish();
        }
        let exit = conclude(job, played)?;
        Ok(keeping.close(exit))
    }
}

/// The command that makes the same results again.
fn command(arguments: &Arguments, scenario: &str, seed: u64, battles: u64) -> String {
    let again = Again::new("effects", scenario).flag("--seed", seed).flag("--battles", battles);
    again.flags(settings(arguments)).text()
}

/// The flags that decide what is counted.
fn settings(arguments: &Arguments) -> Vec<(&'static str, String)> {
    let mut settings = vec![("--measure", flags::name_of(&arguments.measured.measure))];
    settings.extend(arguments.order.iter().map(|order| ("--order", slug(order))));
    settings.extend(arguments.table.as_ref().map(|table| ("--table", flags::name_of(table))));
    settings
}

/// Advice on which orders can be forced instead.
fn can_be_forced(why: &CannotBeForced, layout: &Layout) -> String {
    let known: Vec<String> = layout.forcible.iter().map(Forcible::slug).collect();
    let all = match known.is_empty() {
        true => "no order of this scenario can be forced".to_owned(),
        false => format!("what can be forced here: {}", known.join(", ")),
    };
    match why {
        CannotBeForced::Symptom(_) => all,
        CannotBeForced::Unknown(order) => suggestion(order, known.iter().map(String::as_str), &all),
    }
}

/// The tables to fill.
fn tables(arguments: &Arguments, layout: &Layout) -> Result<Vec<EffectsTable>, Failure> {
    match arguments.table {
        Some(EffectsTable::UnitEffects) if !layout.units_are_drawn => {
            let remedy = "teams are always the same here, so units fare as their sides do: see \
                          `--table ruleset_effects`";
            Err(Failure::Usage(remedy.to_owned()))
        }
        Some(table) => Ok(vec![table]),
        None if layout.units_are_drawn => {
            Ok(vec![EffectsTable::RulesetEffects, EffectsTable::UnitEffects])
        }
        None => Ok(vec![EffectsTable::RulesetEffects]),
    }
}

fn remedy(why: &NoEffects, layout: &Layout, scenario: &str, measure: OutcomeMeasure) -> String {
    match why {
        NoEffects::NothingDrawn if layout.neutral.is_some() => {
            let draw = "let the scenario draw: leave out what is fixed, or let more be drawn";
            let orders = layout.forcible.first().map(|order| experiment(order, scenario, measure));
            orders.map_or_else(|| draw.to_owned(), |order| format!("{draw}; or, as it is, {order}"))
        }
        NoEffects::NothingDrawn | NoEffects::NoNeutral => layout.forcible.first().map_or_else(
            || "`evens sweep` compares any variants of a scenario".to_owned(),
            |order| experiment(order, scenario, measure),
        ),
        NoEffects::NeverNeutral(name) => format!(
            "give {name} a weight, and let not every battle have two: `evens list rulesets --odds {}` shows what is drawn",
            argument(scenario)
        ),
    }
}
