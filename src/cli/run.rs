//! `evens run`: plays a scenario, prints a summary, writes tables.

use std::num::{NonZeroU64, NonZeroUsize};
use std::path::{Path, PathBuf};
use std::sync::atomic::Ordering;
use std::time::Instant;

use clap::Args;

use super::interruption::interrupted;
use super::job::named;
use super::keeping::{self, Keep, Keeping, Part, Wanted};
use super::reading;
use super::report::{Again, ReportFile, scenario_text};
use super::terminal::{Terminal, say};
use super::until::Until;
use super::{Exit, Failure, flags};
use crate::batch::{Detail, Plan, Rows, Standing, StoppingRule, replay_rows, sample};
use crate::partial::{PartialError, Shard};
use crate::report::figures::{counted, whole};
use crate::scenario::TableName;
use crate::studies::run::{
    self as study, BattleRows, BattleTexts, ReportExtras, Run, Section, Sections,
};
use crate::table::Provenance;
use crate::tally::{Layout, OutcomeMeasure, memory};

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
    #[arg(long, value_parser = flags::count, value_name = "N", help_heading = "What to play")]
    battles: Option<NonZeroU64>,
    /// Play until there is evidence enough. `margin=0.2pp`: until the plain interval of every score reaches no farther
    /// than 0.2 percentage points, for about as many battles as if their number had been fixed in advance. `ci=0.2pp`:
    /// the same with intervals that hold all together at every look, for 3 to 6 times as many. `sprt(-1pp,1pp)`: until
    /// there is evidence whether side A scores 1 point less or 1 more than half, wrong in at most about 5% at either;
    /// in between either answer may come. `30s`, `5m`, `2h`: for so long; how many battles that are is told, and `--battles`
    /// with that number gives the same bytes again
    #[arg(long, value_name = "WHEN", conflicts_with = "battles", help_heading = "What to play")]
    until: Option<Until>,
    /// With --until: end after so many battles in any case
    #[arg(
        long,
        value_parser = flags::count,
        value_name = "N",
        default_value = "100000000",
        requires = "until",
        conflicts_with = "battles",
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
    #[command(flatten)]
    pub(super) report: ReportFile,
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
    /// Print everything that is known of this card, summoner or minion after the answer: its score and place, how it fares
    /// under each ruleset, and beside whom; may be given several times
    #[arg(long = "unit", value_name = "NAME", help_heading = "What to print")]
    units: Vec<String>,
    /// Show how every contender stands while battles are played. To stop by what is seen there makes the answer wrong more
    /// often than it says; `--until` stops so that it does not
    #[arg(long, help_heading = "What to print")]
    standings: bool,
    #[command(flatten)]
    pub(super) quiet: flags::Quiet,
}

/// How many of the next looks at the evidence are noted in a partial result.
const LOOKS: usize = 32;
/// Memory, in bytes, above which a command warns beforehand.
const LARGE: u64 = 500_000_000;

pub(super) fn run(arguments: &Arguments, terminal: &Terminal) -> Result<Exit, Failure> {
    let scenario = reading::read(&arguments.scenario, terminal)?;
    let (common, engine) = (&scenario.common, scenario.engine());
    let layout = engine.layout();
    let asked = if arguments.tables.is_empty() { &common.watch.tables } else { &arguments.tables };
    let tables = study::fillable(asked, layout);
    let asked_tables = tables != study::fillable(&common.watch.tables, layout);
    let battles = match arguments.until {
        Some(_) => arguments.max_battles,
        None => arguments.battles.unwrap_or(common.battles()),
    };
    let evidence = arguments.until.and_then(Until::evidence);
    let shard = arguments.part.shard;
    refuse_what_cannot_stop(arguments.until, shard, layout)?;
    let units = flags::units_of(&arguments.units, layout)?;
    let plan = Plan {
        seed: arguments.play.seed.unwrap_or(common.seed),
        battles,
        threads: arguments.play.threads.threads,
        detail: study::detail(
            &watched(arguments, &tables, layout),
            layout,
            arguments.measured.measure,
        ),
    };
    // A shard that begins later does not know what came before: the evidence is looked at when the shards are merged.
    let stop = evidence.filter(|_| shard.is_none_or(Shard::begins_the_job));
    let (keep, quiet) = (&arguments.keep, arguments.quiet.quiet);
    let (job, folder) = keeping::job(
        terminal,
        &arguments.output,
        &common.output,
        &named(&tables),
        quiet,
        (keep, arguments.part),
    )?;
    arguments.report.refuse_shards(arguments.part)?;
    let job = job.in_json(arguments.quiet.json, "run")?;
    let mut job = job.reporting(&arguments.report)?;
    let settings = settings(arguments, &tables);
    let mut asked = keeping::asked("run", &scenario, plan.seed, battles.get(), settings);
    asked.besides.extend(arguments.units.iter().map(|name| ("--unit".to_owned(), name.clone())));
    let time = arguments.until.and_then(Until::time);
    let mut identity = asked.clone();
    match time {
        None => job.identify(&identity)?,
        Some(_) => job.outlet.accepts(&scenario.name)?,
    }
    let keeps_rows = tables.contains(&TableName::Battles);
    let wanted = Wanted {
        asked,
        sample: &|| sample(engine, plan.seed),
        grows: evidence.is_none(),
        has_several_plays: false,
        plays: &["battles"],
        from: None,
        keeps_rows,
    };
    let keeping = Keeping::open(keep, arguments.part, folder.as_deref(), quiet, wanted)?;

    if !job.is_silent() {
        let Detail { breakdown, pairs, .. } = plan.detail;
        warn_of_memory(layout, plan.threads, |threads| {
            memory(layout, (breakdown, pairs), plan.battles.get(), threads)
        });
    }
    let progress = job.progress(keeping.planned(battles.get())?);
    let mut progress = progress.besides(keeping.done_before());
    let abandoned = job.outlet.abandoned();
    let mut write = |rows: &_| job.outlet.write(rows);
    if keeps_rows {
        let texts = BattleTexts::new(layout);
        let like = BattleRows::new(&texts).take();
        let begin = || Box::new(BattleRows::new(&texts)) as Box<dyn Rows>;
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
    let began = Instant::now();
    let mut is_over = false;
    let is_reported = arguments.report.is_wanted();
    let has_no_reader = || !is_reported && abandoned.load(Ordering::Relaxed);
    let mut go_on = |standing: &Standing<'_>| {
        is_over = time.is_some_and(|time| began.elapsed() >= time);
        match arguments.standings {
            true => progress.show_all(standing, layout, arguments.measured.measure),
            false => progress.show(standing, layout, arguments.measured.measure),
        }
        !is_over && !interrupted() && !keeping.is_lost() && !has_no_reader()
    };
    let mut stage = keeping.stage("battles", String::new());
    let mut run = Run::play_kept(&scenario, plan, stop, rows, &mut stage, &mut go_on)?;
    progress.finish();
    if is_over && !interrupted() {
        run.was_asked_for_so_many();
        if !quiet {
            let (played, seed) = (run.played(), plan.seed);
            say(&format!(
                "the time is over: --battles {played} --seed {seed} plays the same battles again\n"
            ));
        }
    } else if time.is_some() {
        run.was_ended_before_its_time();
    }
    keeping.check()?;
    if has_no_reader() {
        return Ok(keeping.close(Exit::Success));
    }
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
            "after {} there is not evidence enough, and the next look is after {}",
            counted(played, "battle"),
            whole(next)
        );
        let remedy = format!(
            "play `--shard {played}..{next}`, or let the results be partial with --allow-missing"
        );
        return Err(PartialError::Missing { what, remedy }.into());
    }

    if time.is_some() {
        // The run is identified by as many battles as there was time for.
        identity.battles = run.provenance().battles_asked;
        job.identify(&identity)?;
    }
    let reported = arguments.report.is_wanted() || job.outlet.folder.is_some();
    if !job.is_silent() || reported || tables.contains(&TableName::Activity) {
        run.watch_activity(plan.threads);
    }
    let command = command(arguments, &scenario.name, run.provenance(), &tables, asked_tables);
    run.tables = tables;
    let analysis = run.analysis();
    let sections = if arguments.full { Sections::all() } else { Sections::only(&arguments.only) };
    let sections = sections.and_units(units);
    let exit = job.finish(
        run.provenance(),
        |style| run.page_of(&analysis, &sections, style),
        run.tables_of(&analysis),
        Some(&mut || run.report_of(&analysis, extras(&arguments.scenario, command.clone(), &run))),
    )?;
    Ok(keeping.close(exit))
}

/// Refuses stopping rules that cannot be kept to with the scenario's number of sides, or with this shard.
fn refuse_what_cannot_stop(
    until: Option<Until>,
    shard: Option<Shard>,
    layout: &Layout,
) -> Result<(), Failure> {
    let evidence = until.and_then(Until::evidence);
    let remedy = if matches!(evidence, Some(StoppingRule::Test(_))) && layout.sides > 2 {
        "a sequential test compares two sides; use `--until ci=...` with more"
    } else if matches!(until, Some(Until::Time(_))) && shard.is_some() {
        "after a time nobody knows how many battles there are to share out: leave --shard or --until out"
    } else if until.is_some() && matches!(shard, Some(Shard::Part { .. })) {
        "--until looks at the battles in order, so nobody knows how many an equal part has: name the battles, such as `--shard \
         0..100000`"
    } else {
        return Ok(());
    };
    Err(Failure::Usage(remedy.to_owned()))
}

/// Warns of a command that takes much memory, by the memory that so many threads need; 0 threads stand for all there
/// are.
pub(super) fn warn_of_memory(layout: &Layout, threads: usize, memory: impl Fn(usize) -> u64) {
    let threads = match threads {
        0 => std::thread::available_parallelism().map_or(1, NonZeroUsize::get),
        threads => threads,
    };
    let memory = memory(threads);
    if memory > LARGE {
        say(&format!(
            "{} match-ups under {} conditions may take up to {:.1} GB of memory: fewer of them, or of battles or threads, take \
             less\n",
            whole(layout.matchups.len() as u64),
            whole(layout.conditions.len() as u64),
            memory as f64 / 1e9
        ));
    }
}

/// The tables that have to be counted: those that are written, and those that say more of the units that are asked for.
fn watched(arguments: &Arguments, tables: &[TableName], layout: &Layout) -> Vec<TableName> {
    let of_units = [TableName::Units, TableName::UnitsByFactor, TableName::UnitPairs];
    let more = if arguments.units.is_empty() { &[][..] } else { &of_units };
    study::fillable(&[tables, more].concat(), layout)
}

/// The command that makes the same results again.
fn command(
    arguments: &Arguments,
    scenario: &str,
    provenance: &Provenance,
    tables: &[TableName],
    has_own_tables: bool,
) -> String {
    let mut again = Again::new("run", scenario).flag("--seed", provenance.seed);
    // After a time budget it is the number of battles that gives the same results.
    again = match (arguments.until.and_then(Until::evidence), arguments.until) {
        (Some(rule), _) => again.flag("--until", rule).flag("--max-battles", arguments.max_battles),
        (None, Some(_)) => again.flag("--battles", provenance.battles_played),
        (None, None) => again.flag("--battles", provenance.battles_asked),
    };
    if arguments.measured.measure != OutcomeMeasure::default() {
        again = again.flag("--measure", flags::name_of(&arguments.measured.measure));
    }
    if has_own_tables {
        again = tables.iter().fold(again, |again, table| again.flag("--table", table));
    }
    again.text()
}

/// The parts of the report that are not counted.
fn extras(path: &Path, command: String, run: &Run<'_>) -> ReportExtras {
    ReportExtras { command, scenario: scenario_text(path), live: run.live() }
}

/// The flags that decide what is counted.
fn settings(arguments: &Arguments, tables: &[TableName]) -> Vec<(&'static str, String)> {
    let mut settings = vec![("--measure", flags::name_of(&arguments.measured.measure))];
    settings.extend(tables.iter().map(|table| ("--table", table.to_string())));
    settings.extend((!arguments.units.is_empty()).then(|| ("--unit", String::new())));
    let evidence = arguments.until.and_then(Until::evidence);
    settings.extend(evidence.map(|rule| ("--until", rule.to_string())));
    settings
}
