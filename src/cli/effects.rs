//! `evens effects`: what each ruleset and each pair of them does.

use std::num::NonZeroU64;
use std::sync::atomic::Ordering;

use super::args::{Effects, EffectsTable};
use super::output::Outlet;
use super::progress::Progress;
use super::run::{INTERRUPTED, watch_for_interruption};
use super::terminal::{Terminal, print};
use super::{Exit, Failure, read};
use crate::games::Playable;
use crate::scenario::{Fault, Faults, Loaded, TableName, load};
use crate::studies::effects::{self as study, Design, NoEffects, play, results};
use crate::table::{LEVEL, Provenance};
use crate::tally::Layout;
use crate::with_game;

pub(super) fn run(arguments: &Effects, terminal: &Terminal) -> Result<Exit, Failure> {
    let (document, game) = read(&arguments.scenario)?;
    with_game!(game.as_str(), G => {
        let loaded = load::<G>(&document)?;
        effects(loaded, arguments, terminal)
    })
    .expect("the game is known")
}

fn effects<G: Playable>(
    loaded: Loaded<G>,
    arguments: &Effects,
    terminal: &Terminal,
) -> Result<Exit, Failure> {
    let Loaded { name, common, setup, fingerprint, warnings } = loaded;
    for warning in &warnings {
        eprint!("{}", terminal.report(warning));
    }
    let layout = G::layout(&setup);
    let wanted = wanted(arguments, &layout)?;
    let units = wanted.contains(&TableName::UnitEffects);
    let fault =
        |why: NoEffects| Faults::one(name.clone(), Fault::new(why.to_string(), remedy(&why)));
    let mut design = Design::new(&layout, 0, units).map_err(fault)?;
    let share = common.battles.div_ceil(design.cases.len() as u64);
    design.battles = arguments.battles.map_or(share, NonZeroU64::get);
    let seed = arguments.seed.unwrap_or(common.seed);
    let mut outlet =
        Outlet::open(arguments.output.as_deref(), arguments.format, &common.output, &wanted)?;

    watch_for_interruption();
    let silent = arguments.quiet || outlet.on_stdout;
    let mut progress = Progress::new(terminal, silent, design.total());
    let played = play::<G>(&setup, &design, seed, arguments.threads, |played| {
        progress.step(played, String::new);
        !INTERRUPTED.load(Ordering::Relaxed)
    });
    progress.finish();

    let effects = results(&design, &played, LEVEL);
    let mut provenance = Provenance::new(G::NAME, &name, &fingerprint, seed, design.total());
    provenance.battles_played = played.battles * design.cases.len() as u64;
    provenance.partial = played.battles < design.battles;
    if !silent {
        let question = common.question.as_deref();
        let style = terminal.style();
        print(&study::page(&design, &played, &effects, &provenance, question, style))?;
    }
    for table in wanted {
        outlet.write(&match table {
            TableName::UnitEffects => study::unit_effects(&design, &effects),
            _ => study::ruleset_effects(&design, &effects),
        })?;
    }
    outlet.finish(&provenance, arguments.quiet)?;
    Ok(if provenance.partial { Exit::Interrupted } else { Exit::Success })
}

/// The tables to fill.
fn wanted(arguments: &Effects, layout: &Layout) -> Result<Vec<TableName>, Failure> {
    match arguments.table {
        Some(EffectsTable::UnitEffects) if !layout.units_are_drawn => {
            let remedy = "teams are always the same here, so units fare as their sides do: see \
                          `--table ruleset_effects`";
            Err(Failure::Usage(remedy.to_owned()))
        }
        Some(EffectsTable::UnitEffects) => Ok(vec![TableName::UnitEffects]),
        None if layout.units_are_drawn => {
            Ok(vec![TableName::RulesetEffects, TableName::UnitEffects])
        }
        None | Some(EffectsTable::RulesetEffects) => Ok(vec![TableName::RulesetEffects]),
    }
}

fn remedy(why: &NoEffects) -> String {
    match why {
        NoEffects::NothingDrawn => {
            "let the scenario draw: leave out what is fixed, or let more be drawn".to_owned()
        }
        NoEffects::NoNeutral => "`evens sweep` compares any variants of a scenario".to_owned(),
        NoEffects::NeverNeutral(name) => format!(
            "give {name} a weight, and let not every battle have two: `evens list --odds SCENARIO` shows what is drawn"
        ),
    }
}
