//! `evens run`: plays a scenario, prints a summary, writes tables.

use std::num::NonZeroU64;
use std::sync::atomic::{AtomicBool, Ordering};

use super::args::Run;
use super::output::Outlet;
use super::progress::Progress;
use super::terminal::Terminal;
use super::{Exit, Failure, read};
use crate::batch::{self, Detail, Evidence, Plan};
use crate::games::Playable;
use crate::scenario::{Loaded, TableName, load};
use crate::studies::run::{self as study};
use crate::table::{OutputError, Provenance};
use crate::tally::{Breakdown, Layout};
use crate::with_game;

/// Set by Ctrl-C.
pub(super) static INTERRUPTED: AtomicBool = AtomicBool::new(false);

pub(super) fn run(arguments: &Run, terminal: &Terminal) -> Result<Exit, Failure> {
    let (document, game) = read(&arguments.scenario)?;
    with_game!(game.as_str(), G => {
        let loaded = load::<G>(&document)?;
        play(loaded, arguments, terminal)
    })
    .expect("the game is known")
}

fn play<G: Playable>(
    loaded: Loaded<G>,
    arguments: &Run,
    terminal: &Terminal,
) -> Result<Exit, Failure> {
    let Loaded { name, common, setup, fingerprint, warnings } = loaded;
    for warning in &warnings {
        eprint!("{}", terminal.report(warning));
    }
    let layout = G::layout(&setup);
    let tables = wanted(arguments, &common.watch.tables, &layout);
    let battles = match arguments.until {
        Some(_) => Some(arguments.max_battles),
        None => arguments.battles.or(NonZeroU64::new(common.battles)),
    };
    if matches!(arguments.until, Some(Evidence::Test(_))) && layout.sides > 2 {
        let remedy = "a sequential test compares two sides; use `--until ci=...` with more";
        return Err(Failure::Usage(remedy.to_owned()));
    }
    let plan = Plan {
        seed: arguments.seed.unwrap_or(common.seed),
        battles: battles.expect("a scenario has at least one battle"),
        threads: arguments.threads,
        detail: detail(&tables, &layout),
    };
    let mut outlet =
        Outlet::open(arguments.output.as_deref(), arguments.format, &common.output, &tables)?;
    let silent = arguments.quiet || outlet.on_stdout;

    watch_for_interruption();
    let mut progress = Progress::new(terminal, silent, plan.battles.get());
    let finished = batch::run_until::<G, OutputError>(
        &setup,
        &layout,
        plan,
        arguments.until,
        |rows| outlet.write(rows),
        |standing| {
            progress.show(standing, &layout);
            !INTERRUPTED.load(Ordering::Relaxed)
        },
    )?;
    progress.finish();

    let partial = finished.played < plan.battles.get() && !finished.enough;
    let mut provenance =
        Provenance::new(G::NAME, &name, &fingerprint, plan.seed, plan.battles.get());
    provenance.battles_played = finished.played;
    provenance.partial = partial;
    if !silent {
        let question = common.question.as_deref();
        let style = terminal.style();
        super::terminal::print(&study::summary(
            &provenance,
            question,
            &layout,
            &finished.tally,
            style,
        ))?;
        if let Some(evidence) = arguments.until {
            let text = study::evidence(evidence, &finished, &layout, style);
            super::terminal::print(&text)?;
        }
    }
    for &table in &tables {
        if let Some(table) = study::build(table, &layout, &finished.tally) {
            outlet.write(&table)?;
        }
    }
    outlet.finish(&provenance, arguments.quiet)?;
    Ok(if partial { Exit::Interrupted } else { Exit::Success })
}

/// The tables to fill: those asked for that this game can fill.
fn wanted(arguments: &Run, scenario: &[TableName], layout: &Layout) -> Vec<TableName> {
    let asked = if arguments.tables.is_empty() { scenario } else { &arguments.tables };
    let mut tables: Vec<TableName> = Vec::new();
    for &table in asked {
        let by_factor = matches!(
            table,
            TableName::Rulesets | TableName::UnitsByRuleset | TableName::UnitPairsByRuleset
        );
        let of_pairs = matches!(table, TableName::UnitPairs | TableName::UnitPairsByRuleset);
        let cannot_be_filled =
            by_factor && layout.factors.is_empty() || of_pairs && !layout.units_are_drawn;
        if !cannot_be_filled && !tables.contains(&table) {
            tables.push(table);
        }
    }
    tables
}

/// How closely the tables need battles to be watched.
fn detail(tables: &[TableName], layout: &Layout) -> Detail {
    let asked = |table| tables.contains(&table);
    let by_factor = |asked: bool| if asked { Breakdown::Factor } else { Breakdown::Whole };
    let pairs_by_factor = asked(TableName::UnitPairsByRuleset);
    // The summary tells of pairs wherever it tells of drawn units.
    let pairs = pairs_by_factor
        || asked(TableName::UnitPairs)
        || asked(TableName::Units) && layout.units_are_drawn;
    Detail {
        events: asked(TableName::Orders)
            || asked(TableName::OrderEffects)
            || asked(TableName::Units),
        fighters: asked(TableName::Units) || asked(TableName::UnitsByRuleset),
        breakdown: by_factor(asked(TableName::UnitsByRuleset) || pairs_by_factor),
        pairs: pairs.then(|| by_factor(pairs_by_factor)),
        rows: asked(TableName::Battles),
    }
}

/// The first Ctrl-C ends the run after the battles that are being played, the second ends the program.
pub(super) fn watch_for_interruption() {
    let watching = ctrlc::set_handler(|| {
        if INTERRUPTED.swap(true, Ordering::Relaxed) {
            std::process::exit(i32::from(Exit::Interrupted as u8));
        }
    });
    if let Err(error) = watching {
        eprintln!("warning: Ctrl-C will end the program at once: {error}");
    }
}
