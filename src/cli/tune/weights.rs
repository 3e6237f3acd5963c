//! Which weights make everybody even.

use std::num::NonZeroU64;

use super::scenario::NewScenario;
use super::whom::{Targets, Whom, nobody_to_even, whom};
use super::{Allowed, Arguments, Wishes, again, keep_tables, shared, told_points};
use crate::batch::{Detail, Standing, run_strata, sample};
use crate::chance::{Stream, stream_seed};
use crate::cli::exit::ended_early;
use crate::cli::interruption::{interrupted, watch_for_interruption};
use crate::cli::job::{self, named};
use crate::cli::keeping::{self, Keeping, Wanted, digest};
use crate::cli::output::Outlet;
use crate::cli::printed::{PAGE, print_object};
use crate::cli::progress::Progress;
use crate::cli::reading;
use crate::cli::report::{ReportTarget, scenario_text};
use crate::cli::terminal::{Terminal, print, say};
use crate::cli::{Exit, Failure, flags};
use crate::engine::{Engine, Scenario};
use crate::report::figures::{are, counted, whole};
use crate::scenario::{Output, suggestion};
use crate::shell::command_on;
use crate::statistics::{DrawModel, share_out};
use crate::studies::evenness::FACTOR;
use crate::studies::tune::{
    self as study, Aim, Confirmed, Contender, Limits, Played, Tuned, Tuning,
};
use crate::table::Provenance;
use crate::tally::{Breakdown, Forfeits, Layout, OutcomeMeasure, Tally};

/// One battle in so many belongs to the pilot that Neyman allocation is based on.
const PILOT: u64 = 4;

/// What the command line asks for.
struct Question<'q> {
    model: &'q dyn DrawModel,
    limits: Limits,
    whom: Whom,
    targets: Targets<'q>,
    contenders: Vec<Contender>,
    seed: u64,
    /// How many battles weights are fitted to.
    battles: u64,
    /// How many fresh battles confirm the weights.
    confirming: u64,
}

/// The complaint about a scenario that has no weights. It names `--stats` only where that finds somebody to even.
fn no_weights(scenario: &Scenario) -> String {
    let complaint = "this scenario draws nothing by weight, so there are no weights to find";
    let layout = scenario.engine().layout();
    if study::contenders(layout).is_empty() {
        return format!("{complaint}; and {}", nobody_to_even(layout));
    }
    let command = command_on("tune", &scenario.name);
    format!("{complaint}: `{command} --stats` looks for a patch of cards' numbers")
}

impl<'q> Question<'q> {
    fn read(arguments: &'q Arguments, scenario: &'q Scenario) -> Result<Self, Failure> {
        let (common, engine) = (&scenario.common, scenario.engine());
        let Some(model) = engine.draw_model() else {
            return Err(Failure::Usage(no_weights(scenario)));
        };
        let (wanted, layout) = (&arguments.wanted, engine.layout());
        let limits = limits(&arguments.allowed, model, layout.factor_noun)?;
        let whom = whom(wanted.even(), layout)?;
        let targets = Targets::read(wanted)?;
        let mut contenders = whom.candidates(layout);
        if contenders.is_empty() {
            return Err(Failure::Usage(nobody_to_even(layout)));
        }
        // What is wrong with the targets is said before the first battle, as far as it is known then.
        targets.assign(&mut contenders, whom, layout, None)?;
        let battles = arguments.battles.unwrap_or(common.battles()).get();
        let confirming = arguments.confirm.map_or(battles, NonZeroU64::get);
        refuse_too_few(confirming, layout)?;
        let seed = arguments.play.seed.unwrap_or(common.seed);
        Ok(Self { model, limits, whom, targets, contenders, seed, battles, confirming })
    }

    /// Makes the contenders those units that took part, where units are to be even, and gives them their targets.
    fn find_units(
        &mut self,
        layout: &Layout,
        tally: &Tally,
        measure: OutcomeMeasure,
    ) -> Result<(), Failure> {
        let Whom::Units(kind) = self.whom else { return Ok(()) };
        self.contenders = study::units(layout, tally, kind);
        let fared = study::Standings::new(layout, tally, &self.contenders, measure);
        let mut odds = vec![0.0; self.model.conditions()];
        self.model.probabilities(self.model.weights(), &mut odds);
        let all = 0..self.contenders.len();
        let shares: Vec<f64> = all.map(|at| fared.presence(at, &odds)).collect();
        self.targets.assign(&mut self.contenders, self.whom, layout, Some(&shares))
    }

    /// The heading of a page about so many battles and so many fresh ones: every match-up has as many as the others, so that
    /// these may be fewer than were asked for.
    fn heading(&self, scenario: &Scenario, battles: u64, fresh: u64) -> String {
        let fresh = match fresh == battles {
            true => "as many fresh ones".to_owned(),
            false => counted(fresh, "fresh one"),
        };
        format!(
            "{}: {}, {} and {fresh} to confirm, seed {}",
            scenario.engine().game(),
            scenario.name,
            counted(battles, "battle"),
            self.seed
        )
    }
}

pub(super) fn run(arguments: &Arguments, terminal: &Terminal) -> Result<Exit, Failure> {
    let scenario = reading::read(&arguments.scenario, terminal)?;
    let document = reading::document(&arguments.scenario)?;
    let (wanted, engine) = (&arguments.wanted, scenario.engine());
    let layout = engine.layout();
    let mut question = Question::read(arguments, &scenario)?;
    let Question { model, whom, seed, battles, confirming, .. } = question;
    watch_for_interruption();
    let mut asked = keeping::asked("tune", &scenario, seed, battles, settings(wanted));
    asked.besides = keeping::owned(besides(arguments, confirming));
    let mut identity = asked.clone();
    identity.settings.append(&mut identity.besides);
    // What the file of targets says matters, and not where it is.
    identity.settings.retain(|(flag, _)| flag != "--targets");
    identity.settings.extend(question.targets.digest().map(|text| ("--targets".to_owned(), text)));
    let to_keep = Wanted {
        asked,
        sample: &|| sample(engine, seed),
        grows: false,
        has_several_plays: true,
        plays: whom.plays(),
        from: arguments.earlier.from.as_deref(),
        keeps_rows: false,
    };
    let quiet = arguments.quiet.quiet || arguments.quiet.json;
    let is_partial = keeping::is_partial(&arguments.keep, arguments.part);
    let (outlet, report) = places(arguments, is_partial)?;
    let new = NewScenario::open(arguments, &outlet)?;
    let of_shards = keeping::folder_of_shards(&arguments.output, &Output::default());
    let folder = match is_partial {
        true => of_shards.as_deref(),
        false => arguments.keep.only_if_asked(outlet.own_folder()),
    };
    let keeping = Keeping::open(&arguments.keep, arguments.part, folder, quiet, to_keep)?;
    let player =
        Player { engine, arguments, terminal, breakdown: whom.breakdown(), keeping: &keeping };
    let tally = match player.explore(model, battles, seed) {
        Ok(tally) => tally,
        Err(Ended::AsPart) => {
            keeping.check()?;
            return keeping.finish();
        }
        Err(Ended::Refused(why)) => return Err(why),
        Err(Ended::Early) => {
            keeping.check()?;
            return Ok(keeping.close(ended_early("there are no weights yet")));
        }
    };
    keeping.check()?;
    if let Some(why) = too_few(&tally, model, layout, whom, battles) {
        return Err(Failure::Usage(why));
    }
    job::refuse_if_nobody_fought(&scenario.name, &Forfeits::of(&tally.matchups))?;
    question.find_units(layout, &tally, wanted.measure)?;
    let Question { limits, contenders, .. } = &question;
    let aim = Aim { objective: wanted.objective, price: arguments.allowed.price() };
    let played = Played { model, layout, tally: &tally, contenders, measure: wanted.measure };
    let mut tuned = played.tune(limits, aim);
    let fresh = stream_seed(seed, Stream::Confirmation);
    let confirm = |probabilities| {
        player.play("the confirmation", &dealt(layout, probabilities, confirming), fresh)
    };
    if is_partial {
        // The weights alone decide what is played next.
        if let Err(Ended::Refused(why)) = confirm(&tuned.probabilities) {
            return Err(why);
        }
        keeping.check()?;
        return keeping.finish();
    }
    let trade_off = played.trade_off(limits, aim);
    tuned.spread = player.spread(&played, &tuned, (limits, aim), seed);
    let confirmed = match interrupted() {
        true => None,
        false => confirm(&tuned.probabilities).ok(),
    };
    keeping.check()?;
    let to_confirm = dealt(layout, &tuned.probabilities, confirming).iter().sum();
    let confirmed = confirmed.map(|tally| Confirmed {
        battles: tally.battles(),
        standings: study::Standings::new(layout, &tally, contenders, wanted.measure),
    });
    let found = document.reweighted(tuned.moved(model));
    let tuning = Tuning {
        question: scenario.common.question.as_deref(),
        heading: &question.heading(&scenario, tally.battles(), to_confirm),
        contender_noun: whom.noun(),
        played,
        limits,
        aim,
        tuned: &tuned,
        trade_off: &trade_off,
        confirmed: confirmed.as_ref(),
        within: wanted.within,
        lines: &found.weights_text(),
    };
    let fresh = confirmed.as_ref().map_or(0, |fresh| fresh.battles);
    let total = battles + confirming;
    let mut provenance = job::provenance(&scenario, seed, total, tally.battles() + fresh);
    provenance.partial = confirmed.is_none();
    provenance.id = identity.run_id();
    let draft = || {
        let command = command(arguments, &scenario.name, seed, battles, confirming);
        study::report(&tuning, &provenance, command, scenario_text(&arguments.scenario))
    };
    let tables = study::tables(&tuning);
    let tables_kept = keep_tables(
        (outlet, report),
        &tables,
        &study::TABLES,
        &provenance,
        &draft,
        arguments.quiet.quiet,
    );
    let kept = tables_kept.and_then(|()| match (new, &confirmed) {
        // A scenario that no fresh battles confirm is not handed out.
        (Some(new), Some(_)) => new.fill(&found, &scenario.files, arguments.quiet.quiet),
        _ => Ok(()),
    });
    if let Err(failure) = kept {
        // The results are printed when they cannot be written, whatever was asked for.
        if !arguments.quiet.json {
            print(&study::page(&tuning, terminal.style())).ok();
        }
        return Err(failure);
    }
    let exit = tell(arguments, terminal, &tuning, &provenance)?;
    Ok(keeping.close(exit))
}

/// Opens the places of tables and report. Tables go where the command line says, and not to the folder for those of a
/// run; a partial result has none.
fn places(
    arguments: &Arguments,
    is_partial: bool,
) -> Result<(Outlet, Option<ReportTarget>), Failure> {
    arguments.report.refuse_shards(arguments.part)?;
    let outlet = match is_partial {
        true => Outlet::nowhere(),
        false => Outlet::open(&arguments.output, &Output::default(), &named(&study::TABLES))?,
    };
    if outlet.on_stdout {
        let remedy = "a tuning has several tables: name a folder, or say --json";
        return Err(Failure::Usage(remedy.to_owned()));
    }
    let report = arguments.report.open(&outlet)?;
    Ok((outlet, report))
}

/// Prints the results.
fn tell(
    arguments: &Arguments,
    terminal: &Terminal,
    tuning: &Tuning<'_>,
    provenance: &Provenance,
) -> Result<Exit, Failure> {
    if arguments.quiet.json {
        let made = (provenance, &study::tables(tuning)[..]);
        print_object("tune", &study::json(tuning), &study::page(tuning, PAGE), Some(made))?;
    } else if !arguments.quiet.quiet {
        print(&study::page(tuning, terminal.style()))?;
    }
    if tuning.confirmed.is_none() {
        say("ended early: no fresh battles confirm the weights\n");
        return Ok(Exit::Interrupted);
    }
    Ok(Exit::Success)
}

/// Why there are too few battles to fit weights to: some draws were never played. None when all were.
fn too_few(
    tally: &Tally,
    model: &dyn DrawModel,
    layout: &Layout,
    whom: Whom,
    battles: u64,
) -> Option<String> {
    let odds = model.odds();
    let strata = || tally.strata.iter().zip(odds.iter().cycle()).filter(|&(_, &odds)| odds > 0.0);
    let never = strata().filter(|(count, _)| count.battles == 0).count();
    if never == 0 {
        return None;
    }
    let exploration = study::exploration(model);
    // The battles that are played first are allocated by these odds alone.
    let share = if whom.breakdown() == Breakdown::Whole { PILOT } else { 1 };
    let plays_all = |battles: &u64| {
        let dealt = dealt(layout, &exploration, battles / share);
        dealt.iter().zip(odds.iter().cycle()).all(|(&battles, &odds)| battles > 0 || odds <= 0.0)
    };
    let enough = (1..64).map(|doublings| battles.saturating_mul(1 << doublings)).find(plays_all);
    let remedy = enough.map_or_else(
        || "draw among fewer".to_owned(),
        |enough| format!("say `--battles {enough}`, or more"),
    );
    let among = if layout.matchups.len() == 1 { "draws" } else { "draws and match-ups" };
    Some(format!(
        "{} {} too few to find weights by: {} of {} {among} were not played once, so that nothing is known of them; {remedy}",
        counted(battles, "battle"),
        are(battles),
        whole(never as u64),
        whole(strata().count() as u64),
    ))
}

/// The command that makes the same results again.
fn command(arguments: &Arguments, scenario: &str, seed: u64, battles: u64, confirm: u64) -> String {
    let (wanted, allowed) = (&arguments.wanted, &arguments.allowed);
    let mut again = again(arguments, scenario, seed, battles, confirm)
        .flag("--even", wanted.even())
        .flag("--objective", flags::name_of(&wanted.objective));
    again = allowed
        .bounds
        .iter()
        .fold(again, |again, (low, high)| again.flag("--bounds", format!("{low}..{high}")));
    if allowed.price() > 0.0 {
        again = again.flag("--price", told_points(allowed.price()));
    }
    if allowed.rarest > 0.0 {
        again = again.flag("--rarest", allowed.rarest);
    }
    again.text()
}

/// The flags that decide what is played first. What they leave open (limits, prices, targets) decides which fresh battles
/// are played to confirm the weights.
fn settings(wanted: &Wishes) -> Vec<(&'static str, String)> {
    let even = wanted.even().to_owned();
    vec![("--even", even), ("--measure", flags::name_of(&wanted.measure))]
}

/// The flags that decide the results, and which fresh battles are played.
fn besides(arguments: &Arguments, confirming: u64) -> Vec<(&'static str, String)> {
    let (wanted, allowed) = (&arguments.wanted, &arguments.allowed);
    let mut flags = vec![
        ("--confirm", confirming.to_string()),
        ("--within", told_points(wanted.within)),
        ("--objective", flags::name_of(&wanted.objective)),
        ("--price", told_points(allowed.price())),
        ("--rarest", allowed.rarest.to_string()),
    ];
    flags.extend(allowed.bounds.iter().map(|(low, high)| ("--bounds", format!("{low}..{high}"))));
    flags.extend(shared(arguments));
    flags
}

fn limits(allowed: &Allowed, model: &dyn DrawModel, noun: &str) -> Result<Limits, Failure> {
    let mut limits = Limits::none(model);
    limits.rarest = allowed.rarest / 100.0;
    limits.factor = allowed.at_most.or(allowed.bounds.is_none().then_some(FACTOR));
    if let Some(bounds) = allowed.bounds {
        limits.bounds.fill(bounds);
    }
    let weights = || model.names().iter().zip(model.weights());
    for pin in &allowed.pins {
        let Some(at) = model.names().iter().position(|name| name == pin) else {
            let known =
                weights().filter(|(_, weight)| **weight > 0.0).map(|(name, _)| name.as_str());
            let listing = format!("`evens list {noun}s` lists them all");
            let remedy = suggestion(pin, known, &listing);
            return Err(Failure::Usage(format!("--pin {pin}: no such {noun}: {remedy}")));
        };
        limits.bounds[at] = (model.weights()[at], model.weights()[at]);
    }
    if !(0..model.names().len()).any(|at| limits.is_free(model, at)) {
        let complaint = format!(
            "--pin: every {noun} that is drawn keeps its weight, so there are none to find: pin fewer"
        );
        return Err(Failure::Usage(complaint));
    }
    if let (Some(factor), Some((low, high))) = (allowed.at_most, allowed.bounds) {
        let is_apart = |&(_, &weight): &(&String, &f64)| {
            weight > 0.0 && (weight * factor < low || weight / factor > high)
        };
        if let Some((name, weight)) =
            weights().filter(|(name, _)| !allowed.pins.contains(name)).find(is_apart)
        {
            return Err(Failure::Usage(format!(
                "--at-most {factor} --bounds {low}..{high}: no weight of {name}, now {weight}, is within both: widen one, or \
                 pin it"
            )));
        }
    }
    Ok(limits)
}

/// Plays what tuning asks for.
struct Player<'p> {
    engine: &'p dyn Engine,
    arguments: &'p Arguments,
    terminal: &'p Terminal,
    breakdown: Breakdown,
    keeping: &'p Keeping<'p>,
}

/// Why a play has no tally.
#[derive(Debug)]
enum Ended {
    /// It cannot be played as it is asked for.
    Refused(Failure),
    /// It was interrupted.
    Early,
    /// Only this part was to be played, or added up.
    AsPart,
}

impl Player<'_> {
    /// Plays the given number of battles of each stratum.
    fn play(&self, name: &str, battles: &[u64], seed: u64) -> Result<Tally, Ended> {
        let Player { engine, arguments, breakdown, keeping, .. } = *self;
        let total = keeping.planned(battles.iter().sum()).map_err(Ended::Refused)?;
        let plays_nothing = arguments.keep.merged.is_some();
        let progress = Progress::new(self.terminal, arguments.quiet.quiet || plays_nothing, total);
        let mut progress = progress.besides(keeping.done_before());
        let measure = arguments.wanted.measure;
        let mut go_on = |standing: &Standing<'_>| {
            progress.show(standing, engine.layout(), measure);
            !interrupted() && !keeping.is_lost()
        };
        let threads = arguments.play.threads.threads;
        let mut stage = keeping.stage(name, digest(battles));
        let detail = Detail { breakdown, measure, ..Detail::default() };
        let tally = run_strata(engine, battles, seed, threads, detail, &mut stage, &mut go_on);
        progress.finish();
        if keeping.is_over() {
            return Err(Ended::AsPart);
        }
        tally.filter(|_| !interrupted()).ok_or(Ended::Early)
    }

    /// How far the weights would scatter from one such sample to the next.
    fn spread(
        &self,
        played: &Played<'_>,
        tuned: &Tuned,
        (limits, aim): (&Limits, Aim),
        seed: u64,
    ) -> Option<Vec<(f64, f64)>> {
        let Player { arguments, terminal, .. } = *self;
        let mut progress: Option<Progress> = None;
        let mut go_on = |done: usize, all: usize| {
            let begin = || {
                let what = "bootstrap replicates";
                Progress::counting(terminal, arguments.quiet.quiet, all as u64, what)
            };
            let message = || "how far the weights scatter".to_owned();
            progress.get_or_insert_with(begin).step(done as u64, message);
            !interrupted()
        };
        let threads = arguments.play.threads.threads;
        let spread = played.spread(tuned, limits, aim, seed, threads, &mut go_on);
        if let Some(progress) = progress {
            progress.finish();
        }
        spread
    }

    /// Plays every stratum. For contenders the first battles are a pilot, and the rest follows Neyman allocation; with many
    /// units no allocation is best for all.
    fn explore(&self, model: &dyn DrawModel, battles: u64, seed: u64) -> Result<Tally, Ended> {
        let layout = self.engine.layout();
        let odds = study::exploration(model);
        if self.breakdown != Breakdown::Whole {
            return self.play("the exploration", &dealt(layout, &odds, battles), seed);
        }
        let mut tally = self.play("the pilot", &dealt(layout, &odds, battles / PILOT), seed)?;
        let after = stream_seed(seed, Stream::AfterPilot);
        let measure = self.arguments.wanted.measure;
        let rest = study::remainder(layout, &tally, &odds, measure, battles - battles / PILOT);
        tally.merge(&self.play("the rest", &rest, after)?);
        Ok(tally)
    }
}

/// Refuses to confirm anything with fewer fresh battles than there are match-ups.
pub(super) fn refuse_too_few(confirming: u64, layout: &Layout) -> Result<(), Failure> {
    let matchups = layout.matchups.len() as u64;
    if confirming >= matchups {
        return Ok(());
    }
    Err(Failure::Usage(format!(
        "{} cannot confirm anything in {}: say `--confirm {matchups}`, or more",
        counted(confirming, "battle"),
        counted(matchups, "match-up"),
    )))
}

/// A number of battles allocated in proportion to the odds of the conditions, as many for every match-up.
pub(super) fn dealt(layout: &Layout, odds: &[f64], battles: u64) -> Vec<u64> {
    share_out(odds, battles / layout.matchups.len() as u64).repeat(layout.matchups.len())
}
