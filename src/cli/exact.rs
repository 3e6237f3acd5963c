//! `evens exact`: computes the exact odds of a scenario by enumerating all outcomes.

use std::num::{NonZeroU32, NonZeroU64, NonZeroUsize};
use std::path::PathBuf;

use clap::Args;

use super::interruption::interrupted;
use super::job::{Job, named};
use super::printed::{PAGE, print_object};
use super::progress::Progress;
use super::reading;
use super::report::{Again, ReportFile};
use super::terminal::Terminal;
use super::{Exit, Failure, flags};
use crate::engine::{Engine, Scenario};
use crate::parallel::Pool;
use crate::report::whole;
use crate::scenario::{Fault, Faults};
use crate::shell::command_on;
use crate::studies::exact::{self as study, ExactTable, Exactly};
use crate::table::{Provenance, Table};
use crate::walk::{Budget, Odds, Stop};

const EXAMPLES: &str = "\
Examples:
  evens exact solforge/dryad-and-patriarch
  evens exact my.toml --states 1000000 --ways 500000000
  evens exact my.toml --json
  evens exact my.toml --table exact_orders --format csv -o -

Where the budget is passed the answer is bounds: what was decided by then, and
what the rest may add. That is no failure (exit code 0): the page says so, and
with --json `complete` is false. What is too large by far is refused at once
(exit code 3).";

#[derive(Args, Debug)]
#[command(after_help = EXAMPLES)]
pub(super) struct Arguments {
    /// A scenario file, or the name of a bundled scenario
    scenario: PathBuf,

    /// The most distinct states at once, in each match-up under each condition: bounds memory
    #[arg(long, value_parser = flags::size, value_name = "N", default_value = "200000", help_heading = "How far to go")]
    states: NonZeroUsize,
    /// The most ways through a round in all, merged or not: bounds time
    #[arg(long, value_parser = flags::count, value_name = "N", default_value = "20000000", help_heading = "How far to go")]
    ways: NonZeroU64,
    /// The most rounds of a battle [default: all]
    #[arg(long, value_name = "N", value_parser = rounds, help_heading = "How far to go")]
    rounds: Option<NonZeroU32>,
    #[command(flatten)]
    threads: flags::Threads,
    #[command(flatten)]
    measured: flags::Measured,

    #[command(flatten)]
    output: flags::Output,
    #[command(flatten)]
    report: ReportFile,
    /// Write only this table instead of both; may be given several times
    #[arg(long = "table", value_name = "TABLE", help_heading = "What to write")]
    tables: Vec<ExactTable>,

    /// Print one JSON object instead of a page, with every fraction in full
    #[arg(long, help_heading = "What to print")]
    json: bool,
    /// Print no page
    #[arg(short, long, conflicts_with = "json", help_heading = "What to print")]
    quiet: bool,
}

fn rounds(text: &str) -> Result<NonZeroU32, String> {
    let rounds = NonZeroU32::try_from(flags::count(text)?);
    rounds.map_err(|_| format!("`{text}` is more rounds than any battle has"))
}

pub(super) fn run(arguments: &Arguments, terminal: &Terminal) -> Result<Exit, Failure> {
    let scenario = reading::read(&arguments.scenario, terminal)?;
    let tables = match &arguments.tables[..] {
        [] => vec![ExactTable::Exact, ExactTable::ExactOrders],
        asked => asked.to_vec(),
    };
    let budget = Budget {
        states: arguments.states.get(),
        ways: arguments.ways.get(),
        rounds: arguments.rounds.map_or(u32::MAX, NonZeroU32::get),
    };
    refuse_the_hopeless(&scenario, budget)?;
    let quiet = arguments.quiet || arguments.json;
    let output = &scenario.common.output;
    let job = Job::open(terminal, &arguments.output, output, &named(&tables), quiet)?;
    let job = job.reporting(&arguments.report)?;
    job.outlet.accepts(&scenario.name)?;
    if job.outlet.on_stdout && arguments.json {
        let remedy = "standard output takes the table or --json, not both";
        return Err(Failure::Usage(remedy.to_owned()));
    }
    let engine = scenario.engine();
    let mut progress = Progress::at_most(terminal, arguments.quiet, budget.ways, "ways");
    let threads = Pool::new(arguments.threads.threads);
    let odds = threads.install(|| all_matchups(engine, budget, &mut progress));
    progress.finish();

    let (layout, measure) = (engine.layout(), arguments.measured.measure);
    let exactly = Exactly {
        game: engine.game(),
        scenario: &scenario.name,
        question: scenario.common.question.as_deref(),
        layout,
        odds: &odds,
        can_be_undecided: engine.can_be_undecided(),
        budget,
        measure,
        tables: &tables,
    };
    let mut provenance =
        Provenance::new(engine.game(), &scenario.name, &scenario.fingerprint, 0, 0);
    provenance.choices = layout.choices();
    provenance.partial = !exactly.is_complete();
    let again = command(arguments, "");
    let provenance = provenance.identified("exact", [again.as_str()]);
    let filled = [
        study::table(layout, &odds, measure, exactly.can_be_undecided),
        study::orders_table(layout, &odds),
    ];
    // Bounds are an answer: only Ctrl-C makes the command end early.
    let mut report =
        || study::report(&exactly, scenario.common.seed, command(arguments, &scenario.name));
    let asked = filled.iter().filter(|table| tables.iter().any(|of| of.to_string() == table.name));
    let asked: Vec<Table> = asked.filter(|_| arguments.json).cloned().collect();
    job.finish(&provenance, |style| study::page(&exactly, style), filled, Some(&mut report))?;
    if arguments.json {
        let page = study::page(&exactly, PAGE);
        print_object("exact", &exactly.json(), &page, Some((&provenance, &asked)))?;
    }
    let interrupted = odds.iter().any(|odds| matches!(odds.stop, Some((_, Stop::Interrupted))));
    Ok(if interrupted { Exit::Interrupted } else { Exit::Success })
}

/// The least that a walk has to be expected to decide to be worth its time, as a probability.
const LITTLE: f64 = 0.01;
/// A budget of fewer ways than this is meant to be passed.
const SMALL_BUDGET: u64 = 100_000;

/// Refuses at once what is too large to be enumerated, rather than after the whole budget.
fn refuse_the_hopeless(scenario: &Scenario, budget: Budget) -> Result<(), Faults> {
    if budget.ways < SMALL_BUDGET {
        return Ok(());
    }
    let expected = study::expected(scenario.engine(), budget);
    if expected.decided >= LITTLE {
        return Ok(());
    }
    let (name, looked) = (&scenario.name, whole(budget.ways));
    let ways = about(expected.ways);
    let too_many_states = expected.at_start && expected.ways < budget.ways as f64;
    let too_many = if too_many_states {
        let states = whole(budget.states as u64);
        format!(
            "its battles can begin in about {ways} ways, and {states} states are kept for each draw"
        )
    } else if expected.at_start {
        format!("its battles can begin in about {ways} ways, and {looked} are looked at")
    } else {
        format!(
            "{looked} ways are looked at of more than about {ways}, which would decide next to nothing"
        )
    };
    let message = format!("{name} is too large for exact odds: {too_many}");
    let more = if too_many_states { "--states N keeps more" } else { "--ways N looks at more" };
    let remedy = format!(
        "`{}` estimates the odds instead. Exact ones need fixed teams or decks, and few rulesets; {more}",
        command_on("run", name)
    );
    Err(Faults::one(name.as_str(), Fault::new(message, remedy)))
}

/// A large number in as many digits as an estimate justifies: one, or from 10^9 on only its order of magnitude.
fn about(number: f64) -> String {
    const WRITTEN_OUT: f64 = 1e9;
    if number >= WRITTEN_OUT {
        return format!("10^{:.0}", libm::log10(number));
    }
    let digit = libm::pow(10.0, libm::floor(libm::log10(number.max(1.0))));
    whole((libm::round(number / digit) * digit) as u64)
}

/// The command that makes the same results again.
fn command(arguments: &Arguments, scenario: &str) -> String {
    let again = Again::new("exact", scenario)
        .flag("--states", arguments.states)
        .flag("--ways", arguments.ways);
    let again = arguments.rounds.iter().fold(again, |again, rounds| again.flag("--rounds", rounds));
    again.flag("--measure", flags::name_of(&arguments.measured.measure)).text()
}

/// Walks one match-up after the other, each with an equal share of the ways that are left.
fn all_matchups(engine: &dyn Engine, budget: Budget, progress: &mut Progress) -> Vec<Odds> {
    let count = engine.layout().matchups.len();
    let mut left = budget.ways;
    let all = budget.ways;
    (0..count)
        .map(|at| {
            let budget = Budget { ways: left / (count - at) as u64, ..budget };
            let before = all - left;
            let odds = engine.walk(at, budget, &mut |ways| {
                let told = if count > 1 {
                    format!("match-up {} of {count}", at + 1)
                } else {
                    String::new()
                };
                progress.step(before + ways, || told.clone());
                !interrupted()
            });
            left = left.saturating_sub(odds.ways);
            odds
        })
        .collect()
}
