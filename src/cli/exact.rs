//! `evens exact`: works out the odds of a scenario by walking all outcomes.

use std::num::NonZeroU32;
use std::sync::atomic::Ordering;

use super::args::{Exact, ExactTable};
use super::output::Outlet;
use super::run::{INTERRUPTED, watch_for_interruption};
use super::terminal::{Terminal, print};
use super::{Exit, Failure, read};
use crate::games::Playable;
use crate::scenario::{Loaded, TableName, load};
use crate::studies::exact::{self as study, Exactly};
use crate::table::Provenance;
use crate::tally::Layout;
use crate::walk::{Budget, Odds, Stop, matchup};
use crate::with_game;

pub(super) fn run(arguments: &Exact, terminal: &Terminal) -> Result<Exit, Failure> {
    let (document, game) = read(&arguments.scenario)?;
    with_game!(game.as_str(), G => {
        let loaded = load::<G>(&document)?;
        walk(&loaded, arguments, terminal)
    })
    .expect("the game is known")
}

fn walk<G: Playable>(
    loaded: &Loaded<G>,
    arguments: &Exact,
    terminal: &Terminal,
) -> Result<Exit, Failure> {
    for warning in &loaded.warnings {
        eprint!("{}", terminal.report(warning));
    }
    let tables = wanted(&arguments.tables);
    let mut outlet = Outlet::open(
        arguments.output.as_deref(),
        arguments.format,
        &loaded.common.output,
        &tables,
    )?;
    if outlet.on_stdout && arguments.json {
        let remedy = "standard output takes the table or --json, not both";
        return Err(Failure::Usage(remedy.to_owned()));
    }
    let budget = Budget {
        states: arguments.states.get(),
        ways: arguments.ways.get(),
        rounds: arguments.rounds.map_or(u32::MAX, NonZeroU32::get),
    };
    let layout = G::layout(&loaded.setup);
    watch_for_interruption();
    let threads = rayon::ThreadPoolBuilder::new().num_threads(arguments.threads).build();
    let threads = threads.map_err(|error| Failure::System {
        what: "cannot start threads".to_owned(),
        error: std::io::Error::other(error),
    })?;
    let odds = threads.install(|| all_matchups::<G>(&loaded.setup, &layout, budget));

    let exactly = Exactly {
        game: G::NAME,
        scenario: &loaded.name,
        question: loaded.common.question.as_deref(),
        layout: &layout,
        odds: &odds,
        budget,
    };
    if arguments.json {
        print(&exactly.json())?;
    } else if !arguments.quiet && !outlet.on_stdout {
        print(&study::page(&exactly, terminal.style()))?;
    }
    outlet.write(&study::table(&layout, &odds))?;
    outlet.write(&study::orders_table(&layout, &odds))?;
    let mut provenance = Provenance::new(G::NAME, &loaded.name, &loaded.fingerprint, 0, 0);
    provenance.partial = !exactly.is_complete();
    outlet.finish(&provenance, arguments.quiet || arguments.json)?;
    let interrupted = odds.iter().any(|odds| matches!(odds.stop, Some((_, Stop::Interrupted))));
    Ok(if interrupted { Exit::Interrupted } else { Exit::Success })
}

fn wanted(asked: &[ExactTable]) -> Vec<TableName> {
    let name = |&table: &ExactTable| match table {
        ExactTable::Exact => TableName::Exact,
        ExactTable::ExactOrders => TableName::ExactOrders,
    };
    match asked {
        [] => vec![TableName::Exact, TableName::ExactOrders],
        asked => asked.iter().map(name).collect(),
    }
}

/// One match-up after the other, each with an equal share of the ways that are left.
fn all_matchups<G: Playable>(setup: &G::Setup, layout: &Layout, budget: Budget) -> Vec<Odds> {
    let drawn = G::drawn(setup);
    let count = layout.matchups.len();
    let mut left = budget.ways;
    let go_on = || !INTERRUPTED.load(Ordering::Relaxed);
    (0..count)
        .map(|at| {
            let budget = Budget { ways: left / (count - at) as u64, ..budget };
            let odds = matchup::<G>(setup, layout, at, &drawn, budget, go_on);
            left = left.saturating_sub(odds.ways);
            odds
        })
        .collect()
}
