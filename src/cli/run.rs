//! `evens run`: plays a scenario, prints a summary, writes tables.

use std::num::{NonZeroU64, NonZeroUsize};
use std::path::PathBuf;

use clap::Args;

use super::job::{self, interrupted, named};
use super::keeping::{self, Keep, Keeping, Part, Wanted};
use super::terminal::{Terminal, say};
use super::{Exit, Failure, flags};
use crate::batch::{Plan, Rows, Standing, StoppingRule, replay_rows, sample};
use crate::partial::{PartialError, Shard};
use crate::report::whole;
use crate::scenario::TableName;
use crate::studies::run::{self as study, BattleRows, Run, Section, Sections};
use crate::tally::memory;

const EXAMPLES: &str = "\
Examples:
  evens run splinterlands/drawn-teams
  evens run my.toml --battles 10000000 --threads 8 -o results
  evens run my.toml --until margin=0.2pp
  evens run my.toml --table outcomes --format csv -o -  | head";

#[derive(Args, Debug)]
#[command(after_help = EXAMPLES)]
pub(super) struct Arguments {
    /// A scenario file, or the name of a bundled scenario
    scenario: PathBuf,

    /// How many battles to play, instead of what the scenario says
    #[arg(long, value_name = "N", help_heading = "What to play")]
    battles: Option<NonZeroU64>,
    /// Play until there is evidence enough. `margin=0.2pp`: until the plain interval of every score reaches no farther
    /// than 0.2 percentage points, for about as many battles as if their number had been fixed in advance. `ci=0.2pp`:
    /// the same with intervals that hold all together at every look, for 3 to 6 times as many. `sprt(-1pp,1pp)`: until
    /// there is evidence whether side A scores 1 point less or 1 more than half, wrong in at most about 5% at either;
    /// in between either answer may come
    #[arg(
        long,
        value_name = "EVIDENCE",
        conflicts_with = "battles",
        help_heading = "What to play"
    )]
    until: Option<StoppingRule>,
    /// With --until: end after so many battles in any case
    #[arg(
        long,
        value_name = "N",
        default_value = "100000000",
        requires = "until",
        help_heading = "What to play"
    )]
    max_battles: NonZeroU64,
    #[command(flatten)]
    play: flags::Play,
    #[command(flatten)]
    part: Part,

    #[command(flatten)]
    measured: flags::Measured,

    #[command(flatten)]
    pub(super) output: flags::Output,
    /// A table to fill, instead of those the scenario names; may be given several times
    #[arg(long = "table", value_name = "TABLE", help_heading = "What to write")]
    tables: Vec<TableName>,

    #[command(flatten)]
    pub(super) keep: Keep,

    /// Print every section and not the answer alone
    #[arg(long, help_heading = "What to print")]
    pub(super) full: bool,
    /// Print this section after the answer; may be given several times
    #[arg(
        long,
        value_enum,
        value_name = "SECTION",
        conflicts_with = "full",
        help_heading = "What to print"
    )]
    pub(super) only: Vec<Section>,
    #[command(flatten)]
    pub(super) quiet: flags::Quiet,
}

/// How many of the next looks at the evidence are noted in a partial result.
const LOOKS: usize = 32;
/// Memory, in bytes, that is worth a word before a run.
const LARGE: u64 = 500_000_000;

pub(super) fn run(arguments: &Arguments, terminal: &Terminal) -> Result<Exit, Failure> {
    let scenario = job::read(&arguments.scenario, terminal)?;
    let (common, engine) = (&scenario.common, scenario.engine());
    let layout = engine.layout();
    let asked = if arguments.tables.is_empty() { &common.watch.tables } else { &arguments.tables };
    let tables = study::fillable(asked, layout);
    let battles = match arguments.until {
        Some(_) => arguments.max_battles,
        None => arguments.battles.unwrap_or(common.battles()),
    };
    if matches!(arguments.until, Some(StoppingRule::Test(_))) && layout.sides > 2 {
        let remedy = "a sequential test compares two sides; use `--until ci=...` with more";
        return Err(Failure::Usage(remedy.to_owned()));
    }
    let plan = Plan {
        seed: arguments.play.seed.unwrap_or(common.seed),
        battles,
        threads: arguments.play.threads.threads,
        detail: study::detail(&tables, layout, arguments.measured.measure),
    };
    let shard = arguments.part.shard;
    if arguments.until.is_some() && matches!(shard, Some(Shard::Part { .. })) {
        let remedy = "--until looks at the battles in order, so nobody knows how many an equal part has: name the battles, \
                      such as `--shard 0..100000`";
        return Err(Failure::Usage(remedy.to_owned()));
    }
    // Who begins later does not know what came before: whoever adds it up looks.
    let stop = arguments.until.filter(|_| shard.is_none_or(Shard::begins_the_job));
    let (keep, quiet) = (&arguments.keep, arguments.quiet.quiet);
    let (mut job, folder) = keeping::job(
        terminal,
        &arguments.output,
        &common.output,
        &named(&tables),
        quiet,
        (keep, arguments.part),
    )?;
    let asked =
        keeping::asked("run", &scenario, plan.seed, battles.get(), settings(arguments, &tables));
    let keeps_rows = tables.contains(&TableName::Battles);
    let wanted = Wanted {
        asked,
        sample: &|| sample(engine, plan.seed),
        grows: arguments.until.is_none(),
        has_several_plays: false,
        keeps_rows,
    };
    let keeping = Keeping::open(keep, arguments.part, folder.as_deref(), quiet, wanted)?;

    let threads = match plan.threads {
        0 => std::thread::available_parallelism().map_or(1, NonZeroUsize::get),
        threads => threads,
    };
    let memory = memory(layout, battles.get(), threads);
    if memory > LARGE && !job.is_silent() {
        say(&format!(
            "{} match-ups under {} conditions may take up to {:.1} GB of memory: fewer of them, or of battles or \
             threads, take less\n",
            layout.matchups.len(),
            layout.conditions.len(),
            memory as f64 / 1e9
        ));
    }
    let progress = job.progress(keeping.planned(battles.get()));
    let mut progress = progress.going_on_from(keeping.played_before());
    let mut write = |rows: &_| job.outlet.write(rows);
    if keeps_rows {
        let like = BattleRows::new(layout).take();
        let begin = || Box::new(BattleRows::new(layout)) as Box<dyn Rows>;
        let mut replay = |battles, keep: &mut keeping::RowsOut<'_>| {
            replay_rows(engine, plan, battles, &begin, keep, &mut || true).map(drop)
        };
        keeping.recall(&like, &mut replay, &mut write)?;
    }
    let note = keeping.rows();
    let mut write = |rows: &_| {
        note(rows);
        write(rows)
    };
    let rows = keeps_rows.then_some(&mut write as _);
    let mut go_on = |standing: &Standing| {
        progress.show(standing, layout);
        !interrupted() && !keeping.is_lost()
    };
    let mut stage = keeping.stage("battles", String::new());
    let mut run = Run::play_kept(&scenario, plan, stop, rows, &mut stage, &mut go_on)?;
    progress.finish();
    keeping.check()?;
    let most = battles.get();
    let next_looks = || -> Vec<u64> {
        let looks = StoppingRule::looks(layout.matchups.len()).take_while(|&look| look < most);
        let looks = looks.chain([most]).filter(|&look| look > run.played());
        looks.take(LOOKS).collect()
    };
    if keeping.is_all() {
        if stop.is_some() {
            keeping.looked(run.is_enough(), next_looks());
        }
        return keeping.finish();
    }
    if let Some(merged) = keep.merged.as_ref().filter(|merged| !merged.allow_missing)
        && stop.is_some()
        && !run.is_enough()
        && let Some(&next) = next_looks().first()
        && !merged.parts.is_empty()
    {
        let played = run.played();
        let what = format!(
            "after {} battles there is not evidence enough, and the next look is after {}",
            whole(played),
            whole(next)
        );
        let remedy = format!(
            "play `--shard {played}..{next}`, or let the results be partial with --allow-missing"
        );
        return Err(PartialError::Missing { what, remedy }.into());
    }

    if !job.is_silent() || tables.contains(&TableName::Activity) {
        run.watch_activity(plan.threads);
    }
    run.tables = tables;
    let analysis = run.analysis();
    let sections = if arguments.full { Sections::all() } else { Sections::only(&arguments.only) };
    let exit = job.finish(
        run.provenance(),
        |style| run.page_of(&analysis, &sections, style),
        run.tables_of(&analysis),
    )?;
    Ok(keeping.close(exit))
}

/// The flags that decide what is counted.
fn settings(arguments: &Arguments, tables: &[TableName]) -> Vec<(&'static str, String)> {
    let mut settings = vec![("--measure", flags::name_of(&arguments.measured.measure))];
    settings.extend(tables.iter().map(|table| ("--table", table.to_string())));
    settings.extend(arguments.until.map(|rule| ("--until", rule.to_string())));
    settings
}
