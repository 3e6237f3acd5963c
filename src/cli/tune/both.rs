//! `evens tune --stats --weights`: the weights of the rulesets, found again with the patch in place.

use super::Arguments;
use super::weights::dealt;
use crate::batch::{Detail, Standing, run_strata};
use crate::chance::{Stream, stream_seed};
use crate::cli::interruption::interrupted;
use crate::cli::keeping::{Keeping, digest};
use crate::cli::printed::PAGE;
use crate::cli::progress::Progress;
use crate::cli::terminal::Terminal;
use crate::engine::Engine;
use crate::report::figures::counted;
use crate::scenario::Document;
use crate::studies::tune::{
    self as study, Aim, Confirmed, Contender, Limits, Played, Standings, Tuning, Who,
};
use crate::table::Table;
use crate::tally::{Breakdown, Layout, Tally};

/// The weights that were found.
pub(super) struct Weighed {
    /// Their page as the terminal shows it, and 80 columns wide.
    pub pages: [String; 2],
    /// Their tables.
    pub tables: [Table; 3],
    /// The weights that have changed, by name.
    pub moved: Vec<(String, f64)>,
    /// How many battles they took, those that confirm them included.
    pub battles: u64,
}

/// Solves the weights of a document's engine for these contenders, and confirms them on fresh battles. None when it was
/// interrupted, or when nothing is drawn by weight.
pub(super) fn weighed(
    arguments: &Arguments,
    terminal: &Terminal,
    (document, engine): (&Document, &dyn Engine),
    (contenders, noun): (&[Contender], &'static str),
    (seed, battles): (u64, u64),
    keeping: &Keeping<'_>,
) -> Option<Weighed> {
    let model = engine.draw_model()?;
    let layout = engine.layout();
    let is_of_units = contenders.iter().any(|of| matches!(of.who, Who::Unit(_)));
    let measure = arguments.wanted.measure;
    let breakdown = if is_of_units { Breakdown::Condition } else { Breakdown::Whole };
    let detail = Detail { breakdown, measure, ..Detail::default() };
    let quiet = arguments.quiet.quiet || arguments.quiet.json;
    let play = |name: &str, odds: &[f64], seed: u64| -> Option<Tally> {
        let dealt = dealt(layout, odds, battles);
        let progress = Progress::new(terminal, quiet, dealt.iter().sum());
        let mut progress = progress.besides(keeping.done_before());
        let mut go_on = |standing: &Standing<'_>| {
            progress.show(standing, layout, measure);
            !interrupted()
        };
        let threads = arguments.play.threads.threads;
        let mut stage = keeping.stage(name, digest(&dealt));
        let tally = run_strata(engine, &dealt, seed, threads, detail, &mut stage, &mut go_on);
        progress.finish();
        tally
    };
    let to_fit = stream_seed(seed, Stream::AfterPilot);
    let tally = play("the battles that weights are fitted to", &study::exploration(model), to_fit)?;
    let drawn = |of: &Contender| match of.who {
        Who::Unit(unit) => tally.unit_of_all(layout, unit).played > 0,
        Who::Sides(_) => true,
    };
    let contenders: Vec<Contender> = contenders.iter().filter(|of| drawn(of)).cloned().collect();
    let limits = Limits::usual(model);
    let aim = Aim { objective: arguments.wanted.objective, price: 0.0 };
    let played = Played { model, layout, tally: &tally, contenders: &contenders, measure };
    let tuned = played.tune(&limits, aim);
    let trade_off = played.trade_off(&limits, aim);
    let moved: Vec<(&str, f64)> = tuned.moved(model).collect();
    let lines = document.reweighted(moved.iter().copied()).weights_text();
    let to_confirm = stream_seed(seed, Stream::Confirmation);
    let fresh = play("the battles that confirm weights", &tuned.probabilities, to_confirm)?;
    let confirmed = Confirmed {
        battles: fresh.battles(),
        standings: Standings::new(layout, &fresh, &contenders, measure),
    };
    let tuning = Tuning {
        question: None,
        heading: &format!(
            "With the patch, {} to fit weights to and as many fresh ones to confirm them",
            counted(tally.battles(), "battle")
        ),
        contender_noun: noun,
        played,
        limits: &limits,
        aim,
        tuned: &tuned,
        trade_off: &trade_off,
        confirmed: Some(&confirmed),
        within: arguments.wanted.within,
        lines: &lines,
    };
    let pages = [terminal.style(), PAGE].map(|style| study::page(&tuning, style));
    let moved = moved.iter().map(|&(name, weight)| (name.to_owned(), weight)).collect();
    let battles = tally.battles() + confirmed.battles;
    Some(Weighed { pages, tables: study::tables(&tuning), moved, battles })
}

/// The contenders of a scenario in the layout of a variant, found by name and kind where they are units.
pub(super) fn found_again(
    contenders: &[Contender],
    before: &Layout,
    after: &Layout,
) -> Vec<Contender> {
    let again = |of: &Contender| {
        let Who::Unit(unit) = of.who else { return Some(of.clone()) };
        let was = &before.units[unit];
        let is_it = |one: &crate::tally::Unit| one.name == was.name && one.kind == was.kind;
        let at = after.units.iter().position(is_it)?;
        Some(Contender { who: Who::Unit(at), ..of.clone() })
    };
    contenders.iter().filter_map(again).collect()
}
