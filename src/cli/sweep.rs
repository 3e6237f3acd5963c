//! `evens sweep`: plays variants of a scenario side by side.

use std::num::NonZeroU64;
use std::sync::atomic::Ordering;

use super::args::{Allocation, Sweep};
use super::output::Outlet;
use super::progress::Progress;
use super::run::{INTERRUPTED, watch_for_interruption};
use super::terminal::{Terminal, print};
use super::{Exit, Failure, read};
use crate::games::Playable;
use crate::scenario::{Fault, Faults, TableName, Variants, variants};
use crate::studies::sweep::{self as study, Design, Swept, play, play_after_pilot, results};
use crate::table::{LEVEL, Provenance};
use crate::with_game;

pub(super) fn run(arguments: &Sweep, terminal: &Terminal) -> Result<Exit, Failure> {
    let (document, game) = read(&arguments.scenario)?;
    let document = document.with_axes(&arguments.set);
    with_game!(game.as_str(), G => {
        let variants = variants::<G>(&document, arguments.zip).map_err(Failure::Input)?;
        sweep(variants, arguments, terminal)
    })
    .expect("the game is known")
}

fn sweep<G: Playable>(
    variants: Variants<G>,
    arguments: &Sweep,
    terminal: &Terminal,
) -> Result<Exit, Failure> {
    let Variants { scenario, axes, variants, fingerprint } = variants;
    for warning in &scenario.warnings {
        eprint!("{}", terminal.report(warning));
    }
    let (name, common) = (&scenario.name, &scenario.common);
    let battles = arguments.battles.map_or(common.battles, NonZeroU64::get);
    let seed = arguments.seed.unwrap_or(common.seed);
    let (mut names, mut values, mut setups) = (Vec::new(), Vec::new(), Vec::new());
    for variant in variants {
        names.push(variant.name);
        values.push(variant.values);
        setups.push(variant.setup);
    }
    let design = Design::new::<G>(&setups, battles).map_err(|uneven| {
        let remedy = "only the same match-ups can be compared: sweep what keeps them";
        Faults::one(names.swap_remove(uneven.variant), Fault::new(uneven.to_string(), remedy))
    })?;
    let mut outlet = Outlet::open(
        arguments.output.as_deref(),
        arguments.format,
        &common.output,
        &[TableName::Sweep],
    )?;

    watch_for_interruption();
    let silent = arguments.quiet || outlet.on_stdout;
    let mut progress = Progress::new(terminal, silent, design.battles());
    let go_on = |played: u64| {
        progress.step(played, String::new);
        !INTERRUPTED.load(Ordering::Relaxed)
    };
    let played = match arguments.allocation {
        Allocation::Proportional => play::<G>(&design, seed, arguments.threads, go_on),
        Allocation::Neyman => play_after_pilot::<G>(&design, seed, arguments.threads, go_on),
    };
    progress.finish();

    let rows = results(&design, &played, LEVEL);
    let mut provenance = Provenance::new(G::NAME, name, &fingerprint, seed, design.battles());
    provenance.battles_played = played.battles;
    provenance.partial = played.battles < design.battles();
    if !silent {
        let swept = Swept {
            axes: &axes,
            values: &values,
            members: &design.members,
            arms: design.arms.len(),
            rows: &rows,
        };
        let question = common.question.as_deref();
        print(&study::page(&swept, &provenance, question, terminal.style()))?;
    }
    outlet.write(&study::table(&axes, &values, &design.members, &rows))?;
    outlet.finish(&provenance, arguments.quiet)?;
    Ok(if provenance.partial { Exit::Interrupted } else { Exit::Success })
}
