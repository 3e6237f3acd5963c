//! `evens tune`: finds the weights that make everybody even, and tells from fresh battles whether they do.

use std::num::NonZeroU64;
use std::path::PathBuf;

use clap::Args;

use super::job::{self, interrupted, named, watch_for_interruption};
use super::keeping::{self, Earlier, Keep, Keeping, Part, Wanted, digest};
use super::output::{Outlet, announce};
use super::printed::{PAGE, print_object};
use super::progress::Progress;
use super::report::{Again, ReportFile, ReportTarget, notes_text, scenario_text};
use super::terminal::{Terminal, print, say};
use super::{Exit, Failure, flags, records};
use crate::batch::{Detail, Standing, run_strata_kept, sample};
use crate::chance::{Stream, stream_seed};
use crate::engine::Engine;
use crate::report;
use crate::report::html::Draft;
use crate::scenario::{Fault, Faults, Output, Source, suggestion};
use crate::statistics::{DrawModel, share_out};
use crate::studies::tune::{
    self as study, Aim, Confirmed, Contender, Limits, Objective, Played, Target, Tuning, Who,
};
use crate::table::Provenance;
use crate::tally::{Breakdown, Layout, OutcomeMeasure, Tally};

/// How `--even` names those who meet each other as sides.
const CONTENDERS: &str = "contenders";
/// How it names every two of them.
const MATCHUPS: &str = "matchups";
/// How many times larger or smaller a weight may become where nothing else is said.
const FACTOR: f64 = 4.0;

const EXAMPLES: &str = "\
Examples:
  evens tune splinterlands/archetypes
  evens tune splinterlands/drawn-teams --even summoner --objective largest
  evens tune my.toml --target \"Fire=55%\" --pin Earthquake --at-most 2
  evens tune my.toml --bounds 0.5..2 --rarest 2 --battles 2000000 --within 0.5pp";

#[derive(Args, Debug)]
#[command(after_help = EXAMPLES)]
pub(super) struct Arguments {
    /// A scenario file, or the name of a bundled scenario, that draws rulesets by weight
    scenario: PathBuf,

    #[command(flatten)]
    wanted: Wishes,
    #[command(flatten)]
    allowed: Allowed,

    /// How many battles to fit the weights to, instead of the scenario's number
    #[arg(long, value_parser = flags::count, value_name = "N", help_heading = "What to play")]
    battles: Option<NonZeroU64>,
    /// How many fresh battles to confirm the weights with [default: as many as they are fitted to]
    #[arg(long, value_parser = flags::count, value_name = "N", help_heading = "What to play")]
    confirm: Option<NonZeroU64>,
    #[command(flatten)]
    play: flags::Play,
    #[command(flatten)]
    part: Part,
    #[command(flatten)]
    earlier: Earlier,

    #[command(flatten)]
    pub(super) output: flags::Output,
    #[command(flatten)]
    pub(super) report: ReportFile,
    #[command(flatten)]
    pub(super) keep: Keep,

    /// Print one JSON object instead of a page
    #[arg(long, help_heading = "What to print")]
    pub(super) json: bool,
    /// No progress
    #[arg(short, long, help_heading = "What to print")]
    pub(super) quiet: bool,
}

/// What to make even.
#[derive(Args, Debug)]
#[command(next_help_heading = "What to make even")]
struct Wishes {
    /// Who should be even: `contenders`, each against all that it meets; `matchups`, every two of them; or a kind of unit
    /// that teams are drawn from, such as `summoner`
    #[arg(long, value_name = "WHOM", default_value = CONTENDERS)]
    even: String,
    /// A score other than even, such as `Fire=55%` or, with `--even matchups`, `Fire vs Water=60%`. Those without one share
    /// what the others leave. May be given several times
    #[arg(long = "target", value_name = "WHO=PERCENT")]
    targets: Vec<Target>,
    /// Such scores from a TOML file: `"Fire" = "55%"`, or a row of match-ups, `Water = "60%"` under `[Fire]`
    #[arg(long = "targets", value_name = "FILE")]
    target_file: Option<PathBuf>,
    /// What counts: wins and an equal share of what nobody wins, wins alone, or wins of the decided battles
    #[arg(long, value_name = "WHAT", default_value = "score")]
    measure: OutcomeMeasure,
    /// What to make small: the sum of all squared leads, or the largest lead
    #[arg(long, value_name = "WHAT", default_value = "squares")]
    objective: Objective,
    /// How near to its target is even: the verdict says whether fresh battles show every score to be so near
    #[arg(long, value_name = "POINTS", default_value = "1pp", value_parser = margin)]
    within: f64,
}

/// What weights may be.
#[derive(Args, Debug)]
#[command(next_help_heading = "What weights may be")]
struct Allowed {
    /// How many times larger or smaller than it is a weight may become [default: 4, or any number with `--bounds`]
    #[arg(long, value_name = "FACTOR", value_parser = factor)]
    at_most: Option<f64>,
    /// The lowest and the highest weight; weights of 0 stay 0
    #[arg(long, value_name = "LOW..HIGH", value_parser = bounds)]
    bounds: Option<(f64, f64)>,
    /// Something that keeps its weight. May be given several times
    #[arg(long = "pin", value_name = "NAME")]
    pins: Vec<String>,
    /// What moving costs: doubling or halving one weight is as bad as a lead of so many points
    #[arg(long, value_name = "POINTS", default_value = "0pp", value_parser = points)]
    price: f64,
    /// The smallest share of the battles, in percent, for anything whose weight is not 0
    #[arg(long, value_name = "PERCENT", default_value_t = 0.0)]
    rarest: f64,
}

/// `0.5pp` as a probability.
fn points(text: &str) -> Result<f64, String> {
    let points = text.strip_suffix("pp").and_then(|number| number.trim().parse::<f64>().ok());
    match points.filter(|points| (0.0..100.0).contains(points)) {
        Some(points) => Ok(points / 100.0),
        None => Err("write percentage points such as `0.5pp`".to_owned()),
    }
}

/// The same, but for nothing.
fn margin(text: &str) -> Result<f64, String> {
    points(text).and_then(|margin| match margin > 0.0 {
        true => Ok(margin),
        false => {
            Err("nothing can be shown to be even to the last digit: write `0.5pp`, say".to_owned())
        }
    })
}

fn factor(text: &str) -> Result<f64, String> {
    match text.parse::<f64>() {
        Ok(factor) if factor > 1.0 && factor.is_finite() => Ok(factor),
        _ => Err("write a number above 1: with 2, weights may be doubled and halved".to_owned()),
    }
}

fn bounds(text: &str) -> Result<(f64, f64), String> {
    let ends = text.split_once("..").and_then(|(low, high)| {
        Some((low.trim().parse::<f64>().ok()?, high.trim().parse::<f64>().ok()?))
    });
    match ends.filter(|&(low, high)| low > 0.0 && low < high && high.is_finite()) {
        Some(ends) => Ok(ends),
        None => {
            Err("write the lowest, above 0, and the highest weight, such as `0.25..4`".to_owned())
        }
    }
}

/// One battle in so many belongs to the pilot that Neyman allocation goes by.
const PILOT: u64 = 4;

pub(super) fn run(arguments: &Arguments, terminal: &Terminal) -> Result<Exit, Failure> {
    let scenario = job::read(&arguments.scenario, terminal)?;
    let (common, engine) = (&scenario.common, scenario.engine());
    let Some(model) = engine.draw_model() else {
        let remedy = "this scenario draws nothing by weight, so there are no weights to find";
        return Err(Failure::Usage(remedy.to_owned()));
    };
    let (wanted, layout) = (&arguments.wanted, engine.layout());
    let limits = limits(&arguments.allowed, model, layout.factor_noun)?;
    let whom = whom(&wanted.even, layout)?;
    let targets = Targets::read(wanted)?;
    let mut contenders = whom.candidates(layout);
    if contenders.is_empty() {
        return Err(Failure::Usage(nobody_to_even(layout)));
    }
    // What is wrong with the targets is said before the first battle, as far as it is known then.
    targets.assign(&mut contenders, whom, layout, None)?;
    watch_for_interruption();
    let battles = arguments.battles.unwrap_or(common.battles()).get();
    let confirming = arguments.confirm.map_or(battles, NonZeroU64::get);
    let seed = arguments.play.seed.unwrap_or(common.seed);
    let mut asked = keeping::asked("tune", &scenario, seed, battles, settings(wanted));
    asked.besides = keeping::owned(besides(arguments, confirming));
    let mut identity = asked.clone();
    identity.settings.push(("--confirm".to_owned(), confirming.to_string()));
    let to_keep = Wanted {
        asked,
        sample: &|| sample(engine, seed),
        grows: false,
        has_several_plays: true,
        plays: whom.plays(),
        from: arguments.earlier.from.as_deref(),
        keeps_rows: false,
    };
    let quiet = arguments.quiet || arguments.json;
    let is_partial = keeping::is_partial(&arguments.keep, arguments.part);
    arguments.report.refuse_shards(arguments.part)?;
    // Its tables go where the command line says, and not to the folder for those of a run.
    let outlet = match is_partial {
        true => Outlet::nowhere(),
        false => Outlet::open(&arguments.output, &Output::default(), &named(&study::TABLES))?,
    };
    if outlet.on_stdout {
        let remedy = "a tuning has several tables: name a folder, or say --json";
        return Err(Failure::Usage(remedy.to_owned()));
    }
    let report = arguments.report.open([arguments.scenario.as_path()])?;
    let folder = keeping::folder_of_shards(&arguments.output, &Output::default());
    // What is kept on the way is kept only where that is asked for.
    let folder = folder.filter(|_| is_partial);
    let keeping =
        Keeping::open(&arguments.keep, arguments.part, folder.as_deref(), quiet, to_keep)?;
    let player =
        Player { engine, arguments, terminal, breakdown: whom.breakdown(), keeping: &keeping };
    let tally = match player.explore(model, battles, seed) {
        Ok(tally) => tally,
        Err(Ended::AsPart) => {
            keeping.check()?;
            return keeping.finish();
        }
        Err(Ended::Early) => {
            keeping.check()?;
            say("ended early: there are no weights yet\n");
            return Ok(keeping.close(Exit::Interrupted));
        }
    };
    keeping.check()?;
    if let Whom::Units(kind) = whom {
        contenders = study::units(layout, &tally, kind);
        let fared = study::Standings::new(layout, &tally, &contenders, wanted.measure);
        let mut odds = vec![0.0; model.conditions()];
        model.probabilities(model.weights(), &mut odds);
        let shares: Vec<f64> = (0..contenders.len()).map(|at| fared.presence(at, &odds)).collect();
        targets.assign(&mut contenders, whom, layout, Some(&shares))?;
    }
    let aim = Aim { objective: wanted.objective, price: arguments.allowed.price };
    let played =
        Played { model, layout, tally: &tally, contenders: &contenders, measure: wanted.measure };
    let mut tuned = played.tune(&limits, aim);
    let fresh = stream_seed(seed, Stream::Confirmation);
    let confirm = |probabilities| {
        player.play("the confirmation", &dealt(layout, probabilities, confirming), fresh)
    };
    if is_partial {
        // Nothing but the weights decides what is played.
        let _ = confirm(&tuned.probabilities);
        keeping.check()?;
        return keeping.finish();
    }
    let trade_off = played.trade_off(&limits, aim);
    let mut progress: Option<Progress> = None;
    tuned.spread = played.spread(
        &tuned,
        &limits,
        aim,
        seed,
        arguments.play.threads.threads,
        &mut |done, all| {
            let count = |_| {
                Progress::counting(terminal, arguments.quiet, all as u64, "bootstrap replicates")
            };
            let message = || "how far the weights scatter".to_owned();
            progress.get_or_insert_with(|| count(())).step(done as u64, message);
            !interrupted()
        },
    );
    if let Some(progress) = progress {
        progress.finish();
    }
    let confirmed = match interrupted() {
        true => None,
        false => confirm(&tuned.probabilities).ok(),
    };
    keeping.check()?;
    let confirmed = confirmed.map(|tally| Confirmed {
        battles: tally.battles(),
        standings: study::Standings::new(layout, &tally, &contenders, wanted.measure),
    });
    let as_many =
        if confirming == battles { "as many".to_owned() } else { report::whole(confirming) };
    let tuning = Tuning {
        question: common.question.as_deref(),
        heading: &format!(
            "{}: {}, {} battles and {as_many} fresh ones to confirm, seed {seed}",
            engine.game(),
            scenario.name,
            report::whole(battles)
        ),
        contender_noun: whom.noun(),
        played,
        limits: &limits,
        aim,
        tuned: &tuned,
        trade_off: &trade_off,
        confirmed: confirmed.as_ref(),
        within: wanted.within,
    };
    let mut provenance = job::provenance(&scenario, seed, battles + confirming, battles);
    provenance.battles_played += confirmed.as_ref().map_or(0, |fresh| fresh.battles);
    provenance.partial = confirmed.is_none();
    provenance.id = identity.run_id();
    let draft = || {
        let command = command(arguments, &scenario.name, seed, battles, confirming);
        study::report(&tuning, &provenance, command, scenario_text(&arguments.scenario))
    };
    keep_tables(outlet, report, &tuning, &provenance, &draft, arguments.quiet)?;
    if arguments.json {
        let page = study::page(&tuning, PAGE);
        let made = (&provenance, &study::tables(&tuning)[..]);
        print_object("tune", &study::json(&tuning), &page, Some(made))?;
    } else {
        print(&study::page(&tuning, terminal.style()))?;
    }
    if confirmed.is_none() {
        say("ended early: no fresh battles confirm the weights\n");
    }
    Ok(keeping.close(if confirmed.is_some() { Exit::Success } else { Exit::Interrupted }))
}

/// Writes the tables and the report that are asked for.
fn keep_tables(
    mut outlet: Outlet,
    report: Option<ReportTarget>,
    tuning: &Tuning<'_>,
    provenance: &Provenance,
    draft: &dyn Fn() -> Draft,
    quiet: bool,
) -> Result<(), Failure> {
    let draft = (outlet.takes_tables() || report.is_some()).then(draft);
    let Some(draft) = draft else { return Ok(()) };
    if outlet.takes_tables() {
        for table in study::tables(tuning) {
            outlet.write(&table)?;
        }
        outlet.note(notes_text(&draft.beside(&named(&study::TABLES))));
    }
    let written = outlet.finish(provenance)?;
    if let Some(report) = report {
        report.fill(provenance, draft, quiet)?;
    }
    if !quiet {
        announce(&written);
    }
    Ok(())
}

/// The command that makes the same results again.
fn command(arguments: &Arguments, scenario: &str, seed: u64, battles: u64, confirm: u64) -> String {
    let (wanted, allowed) = (&arguments.wanted, &arguments.allowed);
    let points = |of: f64| format!("{}pp", (of * 1e6).round() / 1e4);
    let mut again = Again::new("tune", scenario)
        .flag("--seed", seed)
        .flag("--battles", battles)
        .flag("--confirm", confirm)
        .flag("--within", points(wanted.within));
    for (flag, value) in settings(wanted) {
        again = again.flag(flag, value);
    }
    again = again.flag("--objective", flags::name_of(&wanted.objective));
    for target in &wanted.targets {
        again = again.flag("--target", format!("{}={}%", target.name, target.score * 100.0));
    }
    again = wanted
        .target_file
        .iter()
        .fold(again, |again, file| again.flag("--targets", file.display()));
    again = allowed.at_most.iter().fold(again, |again, factor| again.flag("--at-most", factor));
    again = allowed
        .bounds
        .iter()
        .fold(again, |again, (low, high)| again.flag("--bounds", format!("{low}..{high}")));
    again = allowed.pins.iter().fold(again, |again, pin| again.flag("--pin", pin));
    if allowed.price > 0.0 {
        again = again.flag("--price", points(allowed.price));
    }
    if allowed.rarest > 0.0 {
        again = again.flag("--rarest", allowed.rarest);
    }
    again.text()
}

/// The flags that decide what is played first. What they leave open (limits, prices, targets) decides which fresh battles
/// are played to confirm the weights.
fn settings(wanted: &Wishes) -> Vec<(&'static str, String)> {
    let Wishes { even, measure, .. } = wanted;
    vec![("--even", even.clone()), ("--measure", flags::name_of(measure))]
}

/// The flags that decide what comes of it, and which fresh battles are played.
fn besides(arguments: &Arguments, confirming: u64) -> Vec<(&'static str, String)> {
    let (wanted, allowed) = (&arguments.wanted, &arguments.allowed);
    let points = |of: f64| format!("{}pp", percent(of));
    let mut flags = vec![
        ("--confirm", confirming.to_string()),
        ("--within", points(wanted.within)),
        ("--objective", flags::name_of(&wanted.objective)),
        ("--price", points(allowed.price)),
        ("--rarest", allowed.rarest.to_string()),
    ];
    let target = |of: &Target| ("--target", format!("{}={}%", of.name, percent(of.score)));
    flags.extend(wanted.targets.iter().map(target));
    flags.extend(wanted.target_file.iter().map(|file| ("--targets", file.display().to_string())));
    flags.extend(allowed.at_most.iter().map(|factor| ("--at-most", factor.to_string())));
    flags.extend(allowed.bounds.iter().map(|(low, high)| ("--bounds", format!("{low}..{high}"))));
    flags.extend(allowed.pins.iter().map(|pin| ("--pin", pin.clone())));
    flags
}

/// The number that is read back as just this share when it is written in percent.
fn percent(share: f64) -> f64 {
    let near = 100.0 * share;
    let rounded = (share * 1e6).round() / 1e4;
    let all = [rounded, near, near.next_up(), near.next_down()];
    all.into_iter().find(|percent| percent / 100.0 == share).unwrap_or(near)
}

/// Whose scores are to be even.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Whom {
    /// Sides, each against all that it meets.
    Contenders,
    /// Every two of them.
    Matchups,
    /// Units of this kind.
    Units(&'static str),
}

impl Whom {
    fn noun(self) -> &'static str {
        match self {
            Whom::Contenders => "contender",
            Whom::Matchups => "match-up",
            Whom::Units(kind) => kind,
        }
    }

    /// The plays, each of which depends on those before it.
    fn plays(self) -> &'static [&'static str] {
        match self {
            Whom::Contenders | Whom::Matchups => &["the pilot", "the rest", "the confirmation"],
            Whom::Units(_) => &["the exploration", "the confirmation"],
        }
    }

    fn breakdown(self) -> Breakdown {
        match self {
            Whom::Contenders | Whom::Matchups => Breakdown::Whole,
            Whom::Units(_) => Breakdown::Condition,
        }
    }

    /// Everybody, as far as that is known before a battle is played.
    fn candidates(self, layout: &Layout) -> Vec<Contender> {
        match self {
            Whom::Contenders => study::contenders(layout),
            Whom::Matchups => study::matchups(layout),
            Whom::Units(kind) => {
                let units = layout.units.iter().enumerate().filter(|(_, unit)| unit.kind == kind);
                let candidate = |(at, unit): (usize, &crate::tally::Unit)| Contender {
                    name: unit.name.clone(),
                    who: Who::Unit(at),
                    target: OutcomeMeasure::even(layout.sides),
                };
                units.map(candidate).collect()
            }
        }
    }
}

fn whom(even: &str, layout: &Layout) -> Result<Whom, Failure> {
    let kinds = kinds(layout);
    match even {
        CONTENDERS => return Ok(Whom::Contenders),
        MATCHUPS if layout.sides == 2 => return Ok(Whom::Matchups),
        MATCHUPS => {
            let complaint =
                format!("--even {MATCHUPS}: battles of this scenario have {} sides", layout.sides);
            return Err(Failure::Usage(format!("{complaint}, say --even {CONTENDERS}")));
        }
        _ => {}
    }
    if let Some(&kind) = kinds.iter().find(|&&kind| kind == even) {
        return Ok(Whom::Units(kind));
    }
    let mut known = vec![CONTENDERS, MATCHUPS];
    known.extend(&kinds);
    let fallback = if kinds.is_empty() {
        "the units of this scenario are not drawn, so only contenders and match-ups can be made even".to_owned()
    } else {
        format!("one of {}", known.join(", "))
    };
    let remedy = suggestion(even, known.iter().copied(), &fallback);
    Err(Failure::Usage(format!("--even {even}: {remedy}")))
}

/// Targets, and the file that they are from; none where they are from the command line.
struct Targets<'w> {
    targets: Vec<Target>,
    from_arguments: &'w [Target],
    file: Option<Source>,
}

impl<'w> Targets<'w> {
    fn read(wanted: &'w Wishes) -> Result<Self, Failure> {
        let mut targets = wanted.targets.clone();
        let file = wanted.target_file.as_deref().map(records::source).transpose()?;
        if let Some(file) = &file {
            targets.extend(study::read_targets(file)?);
        }
        Ok(Self { targets, from_arguments: &wanted.targets, file })
    }

    /// Gives contenders their targets. Units are without shares before battles are played.
    fn assign(
        &self,
        contenders: &mut [Contender],
        whom: Whom,
        layout: &Layout,
        shares: Option<&[f64]>,
    ) -> Result<(), Failure> {
        let places = |contender: &Contender| match &contender.who {
            Who::Sides(places) => places.len() as f64,
            Who::Unit(_) => 1.0,
        };
        let of_sides: Vec<f64> = contenders.iter().map(places).collect();
        let shares = match whom {
            Whom::Contenders => Some(of_sides.as_slice()),
            Whom::Matchups => None,
            Whom::Units(_) => shares,
        };
        let Err(fault) = study::assign(contenders, &self.targets, shares, layout.sides) else {
            return Ok(());
        };
        let of_file = self.file.as_ref().filter(|_| fault.which >= self.from_arguments.len());
        let target = &self.targets[fault.which];
        Err(match of_file {
            Some(file) => {
                let at = Fault::at(file, target.span.clone(), fault.message, fault.remedy);
                Faults::one(file.name(), at).into()
            }
            None => Failure::Usage(format!(
                "--target {}: {}: {}",
                target.name, fault.message, fault.remedy
            )),
        })
    }
}

/// The kinds of unit that are drawn.
fn kinds(layout: &Layout) -> Vec<&'static str> {
    let mut kinds: Vec<&str> = Vec::new();
    for unit in layout.units.iter().filter(|_| layout.units_are_drawn) {
        if !kinds.contains(&unit.kind) {
            kinds.push(unit.kind);
        }
    }
    kinds
}

fn nobody_to_even(layout: &Layout) -> String {
    let remedy = match kinds(layout).as_slice() {
        [] => "give the sides different contenders".to_owned(),
        kinds => {
            let options: Vec<String> = kinds.iter().map(|kind| format!("--even {kind}")).collect();
            format!("give the sides different contenders, or say {}", options.join(" or "))
        }
    };
    format!("nobody meets anybody else here: {remedy}")
}

fn limits(allowed: &Allowed, model: &dyn DrawModel, noun: &str) -> Result<Limits, Failure> {
    let mut limits = Limits::none(model);
    if !(0.0..100.0).contains(&allowed.rarest) {
        let complaint = format!(
            "--rarest {}: a share of the battles in percent, from 0 to below 100",
            allowed.rarest
        );
        return Err(Failure::Usage(complaint));
    }
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

/// Why there is no sum of a play.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Ended {
    /// It was interrupted.
    Early,
    /// It was all that was to be played, or added up.
    AsPart,
}

impl Player<'_> {
    /// Plays so many battles of each stratum.
    fn play(&self, name: &str, battles: &[u64], seed: u64) -> Result<Tally, Ended> {
        let Player { engine, arguments, breakdown, keeping, .. } = *self;
        let total = keeping.planned(battles.iter().sum());
        let plays_nothing = arguments.keep.merged.is_some();
        let mut progress = Progress::new(self.terminal, arguments.quiet || plays_nothing, total);
        let measure = arguments.wanted.measure;
        let mut go_on = |standing: &Standing<'_>| {
            progress.show(standing, engine.layout(), measure);
            !interrupted() && !keeping.is_lost()
        };
        let threads = arguments.play.threads.threads;
        let mut stage = keeping.stage(name, digest(battles));
        let detail = Detail { breakdown, measure, ..Detail::default() };
        let tally = run_strata_kept(engine, battles, seed, threads, detail, &mut stage, &mut go_on);
        progress.finish();
        if keeping.is_over() {
            return Err(Ended::AsPart);
        }
        tally.filter(|_| !interrupted()).ok_or(Ended::Early)
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

/// A number of battles allocated in proportion to the odds of the conditions, as many for every match-up.
fn dealt(layout: &Layout, odds: &[f64], battles: u64) -> Vec<u64> {
    share_out(odds, battles / layout.matchups.len() as u64).repeat(layout.matchups.len())
}
