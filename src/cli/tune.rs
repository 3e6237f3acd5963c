//! `evens tune`: finds the weights that make everybody even, and confirms them.

use std::sync::atomic::Ordering;

use super::args::Tune;
use super::progress::Progress;
use super::run::{INTERRUPTED, watch_for_interruption};
use super::terminal::{Terminal, print};
use super::{Exit, Failure, read};
use crate::analysis::{DrawModel, Part, Reweighting, neyman, share_out};
use crate::batch::run_strata;
use crate::games::Playable;
use crate::report::{self, Tuning};
use crate::scenario::{Loaded, load};
use crate::tally::{Layout, Tally};
use crate::tune::{Limits, contenders, tune};
use crate::with_game;

/// The share of the battles that find out where the others are needed most.
const PILOT: u64 = 4;

pub(super) fn run(arguments: &Tune, terminal: &Terminal) -> Result<Exit, Failure> {
    let (document, game) = read(&arguments.scenario)?;
    with_game!(game.as_str(), G => {
        let loaded = load::<G>(&document)?;
        tune_game(&loaded, arguments, terminal)
    })
    .expect("the game is known")
}

fn tune_game<G: Playable>(
    loaded: &Loaded<G>,
    arguments: &Tune,
    terminal: &Terminal,
) -> Result<Exit, Failure> {
    let setup = &loaded.setup;
    let Some(model) = G::draw_model(setup) else {
        let remedy = "this scenario draws nothing by weight, so there are no weights to find";
        return Err(Failure::Usage(remedy.to_owned()));
    };
    let limits = limits(arguments)?;
    let layout = G::layout(setup);
    let contenders = contenders(&layout);
    if contenders.is_empty() {
        let remedy = "nobody meets anybody else here: give the sides different contenders";
        return Err(Failure::Usage(remedy.to_owned()));
    }
    watch_for_interruption();
    let battles = arguments.battles.map_or(loaded.common.battles, std::num::NonZeroU64::get);
    let seed = arguments.seed.unwrap_or(loaded.common.seed);
    let desk = Desk::<G> { setup, layout: &layout, arguments, terminal };
    let Some(tally) = explore(&desk, model, battles, seed) else {
        return Ok(Exit::Interrupted);
    };
    let played = Reweighting::new(&layout, &tally);
    let tuned = tune(model, &contenders, layout.sides, &played, limits, seed);
    // The other seed is one that nobody is likely to ask for, so that no battle is played twice.
    let fresh = seed ^ 0x5eed_c0f1_2e57_0000;
    let shares = per_matchup(&layout, &tuned.probabilities);
    let Some(tally) = desk.play(&share_out(&shares, battles), fresh) else {
        return Ok(Exit::Interrupted);
    };
    let confirmed = Reweighting::new(&layout, &tally);
    let tuning = Tuning {
        question: loaded.common.question.as_deref(),
        heading: format!(
            "{}: {}, {} battles and as many to confirm, seed {seed}",
            G::NAME,
            loaded.name,
            report::whole(battles)
        ),
        factor_noun: layout.factor_noun,
        model,
        contenders: &contenders,
        sides: layout.sides,
        limits,
        played: &played,
        confirmed: &confirmed,
        tuned: &tuned,
    };
    print(&if arguments.json { tuning.json() } else { report::tuning(&tuning, terminal.style()) })?;
    Ok(Exit::Success)
}

fn limits(arguments: &Tune) -> Result<Limits, Failure> {
    let Tune { lowest, highest, rarest, .. } = *arguments;
    let complaint = if !(lowest > 0.0 && highest >= lowest && highest.is_finite()) {
        format!(
            "--lowest {lowest} and --highest {highest}: the lowest must be above 0 and not above the highest"
        )
    } else if !(0.0..100.0).contains(&rarest) {
        format!("--rarest {rarest}: a share of the battles in percent, from 0 to below 100")
    } else {
        return Ok(Limits { lowest, highest, rarest: rarest / 100.0 });
    };
    Err(Failure::Usage(complaint))
}

struct Desk<'d, G: Playable> {
    setup: &'d G::Setup,
    layout: &'d Layout,
    arguments: &'d Tune,
    terminal: &'d Terminal,
}

impl<G: Playable> Desk<'_, G> {
    /// Plays so many battles of each stratum; None when interrupted.
    fn play(&self, battles: &[u64], seed: u64) -> Option<Tally> {
        let total = battles.iter().sum();
        let mut progress = Progress::new(self.terminal, self.arguments.quiet, total);
        let threads = self.arguments.threads;
        let tally = run_strata::<G>(self.setup, self.layout, battles, seed, threads, |standing| {
            progress.show(standing, self.layout);
            !INTERRUPTED.load(Ordering::Relaxed)
        });
        progress.finish();
        tally
    }
}

/// Plays every stratum: a pilot in proportion to its odds, the rest where it narrows the answer most. Half of every
/// share is the same for all conditions, because the best odds may be far from the present ones.
fn explore<G: Playable>(
    desk: &Desk<'_, G>,
    model: &dyn DrawModel,
    battles: u64,
    seed: u64,
) -> Option<Tally> {
    let conditions = model.conditions() as f64;
    let mut odds = vec![0.0; model.conditions()];
    model.probabilities(model.weights(), &mut odds);
    for odds in &mut odds {
        *odds = f64::midpoint(*odds, 1.0 / conditions);
    }
    let scores = per_matchup(desk.layout, &odds);
    let mut tally = desk.play(&share_out(&scores, battles / PILOT), seed)?;
    let parts: Vec<Part> = scores
        .iter()
        .zip(&tally.strata)
        .map(|(&weight, count)| Part { weight, successes: count.wins[0], trials: count.battles })
        .collect();
    // Another seed: battles are numbered from 0 again.
    let rest = desk.play(&neyman(&parts, battles - battles / PILOT), seed ^ 0x9e37_79b9)?;
    tally.merge(&rest);
    Some(tally)
}

/// The odds of every stratum, if match-ups have equal shares.
fn per_matchup(layout: &Layout, odds: &[f64]) -> Vec<f64> {
    layout.matchups.iter().flat_map(|_| odds.iter().copied()).collect()
}
