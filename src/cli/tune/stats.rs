//! `evens tune --stats`: which few numbers of cards must change, and by how little.

use std::num::NonZeroU64;
use std::path::{Path, PathBuf};

use clap::Args;

use super::both::{Weighed, found_again, weighed};
use super::scenario::NewScenario;
use super::weights::refuse_too_few;
use super::whom::{Targets, Whom, nobody_to_even, whom};
use super::{
    Arguments, Price, again, bounds_of_numbers, keep_tables, percent, shared, told_points,
};
use crate::batch::{Keeper, sample};
use crate::chance::{Stream, stream_seed};
use crate::cli::exit::ended_early;
use crate::cli::flags::{self, file, number, points_from_0};
use crate::cli::interruption::{interrupted, watch_for_interruption};
use crate::cli::job::{self, named};
use crate::cli::keeping::{self, Keeping, Part, Wanted};
use crate::cli::output::Outlet;
use crate::cli::printed::{PAGE, print_object};
use crate::cli::progress::Progress;
use crate::cli::reading;
use crate::cli::report::ReportTarget;
use crate::cli::terminal::{Terminal, print, say};
use crate::cli::{Exit, Failure};
use crate::digest::fingerprint;
use crate::engine::{Dice, Engine, Scenario, rules_of};
use crate::report::figures::counted;
use crate::scenario::{Document, Number, Output, changes_text};
use crate::studies::tune::patch::{
    self as study, Appearances, Candidate, Found, Goal, Keepers, Limits, Patching, Plan, Subject,
    Task, VariantTally,
};
use crate::studies::tune::{Contender, Who};
use crate::table::{Content, Provenance, Target};
use crate::tally::{Layout, OutcomeMeasure};

/// How `--even` names the factions, nations or classes of drawn units.
const FACTIONS: &str = "factions";
/// How many battles each variant plays by default, at most.
const BATTLES: u64 = 50_000;
/// How many times as many fresh battles confirm a patch by default.
const CONFIRMING: u64 = 4;
/// How many battles are played to find out who takes part.
const LOOK: u64 = 2_000;
/// How many times larger or smaller a number may become by default.
const FACTOR: f64 = 2.0;

/// Numbers of cards instead of weights.
#[derive(Args, Debug)]
#[command(next_help_heading = "What cards may be (--stats)")]
pub(super) struct Edits {
    /// Find the fewest and smallest changes of numbers of cards (attack, health, cost, ...) instead of weights
    #[arg(long)]
    pub stats: bool,
    /// Change nothing but this: a card (`Pit Ogre`), a number of any card (`health`), or one of a card (`Pit Ogre.health`).
    /// May be given several times
    #[arg(long, value_name = "KEY", requires = "stats")]
    only: Vec<String>,
    /// A card that is not touched. May be given several times
    #[arg(long = "not", value_name = "CARD", requires = "stats")]
    not: Vec<String>,
    /// What a number may be, such as `health=2..9`; a number that a card has none of changes only where this or --only names
    /// it. May be given several times
    #[arg(long = "range", value_name = "KEY=LOW..HIGH", requires = "stats", value_parser = bounds_of_numbers)]
    ranges: Vec<(String, (i64, i64))>,
    /// How many numbers may be other at most
    #[arg(long = "edits", value_name = "N", requires = "stats", default_value = "10", value_parser = number::<usize>)]
    most: usize,
    /// Then find the weights that are best with the patch, as without --stats: within a factor of 4, by --objective
    #[arg(long, requires = "stats")]
    weights: bool,
    /// Tell what else moves by more than this
    #[arg(long, value_name = "POINTS", requires = "stats", default_value = "2pp", value_parser = points_from_0)]
    tell: f64,
    /// Write patch notes for people to this Markdown file
    #[arg(long, value_name = "FILE", requires = "stats", value_parser = file())]
    notes: Option<PathBuf>,
    /// Write the lines of `[changes]` to this file
    #[arg(long, value_name = "FILE", requires = "stats", value_parser = file())]
    changes: Option<PathBuf>,
}

/// What the command line asks for.
struct Question {
    document: Document,
    candidates: Vec<Candidate>,
    goals: Vec<Goal>,
    /// The contenders that the goals are about, as weights are tuned for them; empty for factions.
    contenders: Vec<Contender>,
    /// The noun for one of the goals, such as `contender`.
    noun: &'static str,
    seed: u64,
    /// How many battles each variant plays.
    battles: u64,
    /// How many fresh battles confirm a patch.
    confirming: u64,
}

impl Question {
    fn read(arguments: &Arguments, scenario: &Scenario) -> Result<Self, Failure> {
        let document = reading::document(&arguments.scenario)?;
        let (common, engine) = (&scenario.common, scenario.engine());
        let layout = engine.layout();
        let seed = arguments.play.seed.unwrap_or(common.seed);
        let seen = study::appearances(engine, stream_seed(seed, Stream::AfterPilot), LOOK);
        let takes_part = |card: &str| takes_part(layout, &seen.units, &document, card);
        let numbers = rules_of(&document)?.numbers(&document)?;
        let candidates =
            study::candidates(numbers, &limits(arguments), takes_part).map_err(Failure::Usage)?;
        if candidates.is_empty() {
            let edits = &arguments.edits;
            let remedy = match (edits.not.is_empty(), edits.only.is_empty()) {
                (false, _) => "--not leaves out every number that may change: leave out fewer",
                (true, false) => "--only names no number that can change: name others",
                (true, true) => "name some with --only or --range",
            };
            return Err(Failure::Usage(format!("no number may change: {remedy}")));
        }
        let (goals, contenders, noun) = goals(arguments, layout, &seen)?;
        if arguments.edits.weights && (engine.draw_model().is_none() || contenders.is_empty()) {
            let why = match engine.draw_model() {
                None => "this scenario draws nothing by weight, so there are no weights to find",
                Some(_) => "weights are not tuned for factions: say --even with a kind of unit",
            };
            return Err(Failure::Usage(format!("--weights: {why}")));
        }
        let usual = common.battles().get().min(BATTLES);
        let battles = arguments.battles.map_or(usual, NonZeroU64::get);
        let confirm = CONFIRMING.saturating_mul(battles);
        let confirming = arguments.confirm.map_or(confirm, NonZeroU64::get);
        refuse_too_few(confirming, layout)?;
        Ok(Self { document, candidates, goals, contenders, noun, seed, battles, confirming })
    }

    /// The flags that decide what is played, but for the battles that confirm a patch. Targets are written out, even if
    /// they come from a file.
    fn settings(&self, arguments: &Arguments) -> Vec<(&'static str, String)> {
        let wanted = &arguments.wanted;
        let mut settings = vec![
            ("--stats", String::new()),
            ("--edits", arguments.edits.most.to_string()),
            ("--within", told_points(wanted.within)),
            ("--measure", flags::name_of(&wanted.measure)),
            ("--objective", flags::name_of(&wanted.objective)),
        ];
        settings.extend(wanted.even.iter().map(|even| ("--even", even.clone())));
        settings.extend(bounds(arguments));
        let limits =
            shared(arguments).filter(|(flag, _)| !matches!(*flag, "--target" | "--targets"));
        settings.extend(limits);
        if !wanted.targets.is_empty() || wanted.target_file.is_some() {
            let target = |of: &Goal| ("--target", format!("{}={}%", of.name, percent(of.target)));
            settings.extend(self.goals.iter().map(target));
        }
        settings
    }

    /// A digest of which variants are played.
    fn told(&self, patches: &[&[(usize, i64)]]) -> String {
        let of_patch = |patch: &&[(usize, i64)]| {
            let step = |&(at, by): &(usize, i64)| {
                let Number { card, key, .. } = &self.candidates[at].number;
                format!("{card}.{key}{by:+}")
            };
            patch.iter().map(step).collect::<Vec<_>>().join(", ")
        };
        let texts: Vec<String> = patches.iter().map(of_patch).collect();
        fingerprint(texts.iter().map(String::as_str))
    }

    fn heading(&self, scenario: &Scenario) -> String {
        format!(
            "{}: {}, {} for each variant and {} for each patch, seed {}",
            scenario.engine().game(),
            scenario.name,
            counted(self.battles, "battle"),
            counted(self.confirming, "fresh one"),
            self.seed
        )
    }
}

pub(super) fn run(arguments: &Arguments, terminal: &Terminal) -> Result<Exit, Failure> {
    refuse_parts(arguments)?;
    let scenario = reading::read(&arguments.scenario, terminal)?;
    let question = Question::read(arguments, &scenario)?;
    let engine = scenario.engine();
    let places = Places::open(arguments)?;
    watch_for_interruption();
    let (seed, battles, settings) = (question.seed, question.battles, question.settings(arguments));
    let asked = keeping::asked("tune", &scenario, seed, battles, settings);
    let sample = || sample(engine, seed);
    let wanted = Wanted::of_plays_in_turn(asked, &sample);
    // In a folder that runs share nobody could tell whose checkpoint it is.
    let folder = places.outlet.folder.clone().filter(|_| !places.outlet.is_shared);
    let quiet = arguments.quiet.quiet || arguments.quiet.json;
    let (keep, part) = (&arguments.keep, Part::default());
    let keeping = Keeping::open(keep, part, folder.as_deref(), quiet, wanted)?;

    let build = |patch: &[(usize, i64)]| build(&question.document, &question.candidates, patch);
    let keepers = Plays { question: &question, keeping: &keeping };
    let measure = arguments.wanted.measure;
    let threads = arguments.play.threads.threads;
    let task = Task {
        candidates: &question.candidates,
        goals: &question.goals,
        build: &build,
        keepers: &keepers,
        plan: Plan { seed, battles, threads, dice: Dice::Keyed, measure },
        objective: arguments.wanted.objective,
        within: arguments.wanted.within,
        edits: arguments.edits.most,
        free: free(&question.goals, engine.layout(), measure),
    };
    let planned = planned_variants(question.candidates.len(), arguments.edits.most);
    let planned = battles.saturating_mul(planned);
    let progress = Progress::at_most(terminal, quiet, planned, "battles");
    let mut progress = progress.besides(keeping.done_before());
    let mut go_on = |what: &str, battles: u64| {
        progress.step(battles.min(planned), || what.to_owned());
        !interrupted()
    };
    let found = study::search(task, &mut go_on);
    progress.finish();
    keeping.check()?;
    let Ok(found) = found else {
        let what = "there is no patch yet; fewer `--battles` or `--edits` take less time";
        return Ok(keeping.close(ended_early(what)));
    };
    let fresh = Fresh::play(arguments, terminal, &question, engine, task, &found, &keeping);
    keeping.check()?;
    if let Some(chosen) = fresh.confirmed.get(found.chosen) {
        job::refuse_if_nobody_fought(&scenario.name, &chosen.forfeits)?;
    }
    let exit = tell(arguments, terminal, &scenario, &question, (task, &found, &fresh), places)?;
    Ok(keeping.close(exit))
}

/// Keeps each play of a search as a play of the command.
struct Plays<'p> {
    question: &'p Question,
    keeping: &'p Keeping<'p>,
}

impl Keepers for Plays<'_> {
    fn keeper<'s>(
        &'s self,
        what: &str,
        patches: &[&[(usize, i64)]],
    ) -> Box<dyn Keeper<VariantTally> + 's> {
        let stage = self.keeping.stage(what, self.question.told(patches));
        Box::new(stage.of_each(patches.len() as u64))
    }
}

/// What fresh battles say of the patches that were found.
struct Fresh {
    /// By patch of the frontier; empty when the confirmation was interrupted.
    confirmed: Vec<study::Confirmed>,
    /// The side effects of the patch that is chosen.
    side_effects: Option<Vec<study::SideEffect>>,
    weighed: Option<Weighed>,
    /// Whether some of the fresh battles were not played.
    is_partial: bool,
}

impl Fresh {
    fn play(
        arguments: &Arguments,
        terminal: &Terminal,
        question: &Question,
        engine: &dyn Engine,
        task: Task<'_>,
        found: &Found,
        keeping: &Keeping<'_>,
    ) -> Self {
        let (edits, confirming) = (&arguments.edits, question.confirming);
        let seed = stream_seed(question.seed, Stream::Confirmation);
        let plan = Plan { seed, battles: confirming, ..task.plan };
        let patches: Vec<&[(usize, i64)]> =
            found.frontier.iter().map(|point| &point.patch[..]).collect();
        let chosen = patches[found.chosen];
        let all = confirming.saturating_mul(patches.len() as u64 + 2);
        let quiet = arguments.quiet.quiet || arguments.quiet.json;
        let mut progress = Progress::new(terminal, quiet, all).besides(keeping.done_before());
        let mut go_on = |battles: u64| {
            progress.step(battles, || "fresh battles".to_owned());
            !interrupted()
        };
        let confirmed = study::confirm(task, &patches, plan, &mut go_on).unwrap_or_default();
        let with_patch =
            (task.build)(chosen).filter(|_| !chosen.is_empty() && !confirmed.is_empty());
        let mut is_partial = confirmed.is_empty();
        let side_effects = with_patch.as_deref().map(|after| {
            study::side_effects(task, [engine, after], chosen, plan, edits.tell, &mut go_on)
        });
        let side_effects = side_effects.transpose().unwrap_or_else(|_| {
            is_partial = true;
            None
        });
        progress.finish();
        let weighed = (edits.weights && !is_partial).then(|| {
            let after = with_patch.as_deref().unwrap_or(engine);
            let contenders = found_again(&question.contenders, engine.layout(), after.layout());
            let whom = (&contenders[..], question.noun);
            let document = &question.document.edited(&study::edits(&question.candidates, chosen));
            weighed(arguments, terminal, (document, after), whom, (seed, confirming), keeping)
        });
        // Weights whose search was interrupted are left out.
        is_partial |= matches!(weighed, Some(None));
        Self { confirmed, side_effects, weighed: weighed.flatten(), is_partial }
    }
}

/// Writes and prints the results.
fn tell(
    arguments: &Arguments,
    terminal: &Terminal,
    scenario: &Scenario,
    question: &Question,
    (task, found, fresh): (Task<'_>, &Found, &Fresh),
    places: Places<'_>,
) -> Result<Exit, Failure> {
    let Question { document, confirming, seed, .. } = question;
    let (edits, layout) = (&arguments.edits, scenario.engine().layout());
    let list = study::edits(&question.candidates, &found.frontier[found.chosen].patch);
    let changes = changes_text(document, &list);
    let choices = layout.choices();
    let again = command(arguments, &scenario.name, question);
    let written = arguments.write_scenario.as_ref().map(|file| file.display().to_string());
    let patching = Patching {
        question: scenario.common.question.as_deref(),
        heading: &question.heading(scenario),
        choices: choices.as_deref(),
        scenario: &scenario.name,
        noun: question.noun,
        sides: layout.sides,
        layout,
        task,
        found,
        confirmed: &fresh.confirmed,
        fresh: (*confirming, stream_seed(*seed, Stream::Confirmation)),
        side_effects: fresh.side_effects.as_deref().unwrap_or_default(),
        tell: edits.tell,
        changes: &changes,
        again: &again,
        written: written.as_deref(),
    };
    let provenance = provenance(arguments, scenario, question, found, fresh);
    let mut tables = study::tables(&patching).to_vec();
    tables.extend(fresh.weighed.iter().flat_map(|weighed| weighed.tables.iter().cloned()));
    let Places { outlet, report, files, new } = places;
    let draft = || study::report(&patching, &provenance, again.clone());
    let quiet = arguments.quiet.quiet;
    let tables_kept =
        keep_tables((outlet, report), &tables, &study::TABLES, &provenance, &draft, quiet);
    let kept = tables_kept.and_then(|()| {
        // An interrupted search has no patch to hand out.
        if fresh.is_partial {
            return Ok(());
        }
        files.fill(edits, [&study::notes(&patching), &changes], quiet)?;
        let Some(new) = new else { return Ok(()) };
        let mut found = document.edited(&list);
        if let Some(weighed) = &fresh.weighed {
            found = found.reweighted(weighed.moved.iter().map(|(name, by)| (&name[..], *by)));
        }
        new.fill(&found, &scenario.files, quiet)
    });
    let weighed = fresh.weighed.as_ref();
    if arguments.quiet.json {
        kept?;
        let mut page = study::page(&patching, PAGE);
        page.extend(weighed.map(|weighed| format!("\n{}", weighed.pages[1])));
        print_object("tune", &study::json(&patching), &page, Some((&provenance, &tables[..])))?;
    } else {
        let mut page = study::page(&patching, terminal.style());
        page.extend(weighed.map(|weighed| format!("\n{}", weighed.pages[0])));
        // The results are printed when they cannot be written, whatever was asked for, and why they cannot matters more
        // than that nobody reads them.
        let printed = if quiet && kept.is_ok() { Ok(()) } else { print(&page) };
        kept?;
        printed?;
    }
    if fresh.is_partial {
        say("ended early: not all fresh battles were played\n");
        return Ok(Exit::Interrupted);
    }
    Ok(Exit::Success)
}

fn provenance(
    arguments: &Arguments,
    scenario: &Scenario,
    question: &Question,
    found: &Found,
    fresh: &Fresh,
) -> Provenance {
    let confirming = question.confirming;
    let weighing = if arguments.edits.weights { 2 * confirming } else { 0 };
    let asked = found.battles + confirming * found.frontier.len() as u64 + weighing;
    let mut provenance = job::provenance(scenario, question.seed, asked, found.battles);
    provenance.battles_played += confirming * fresh.confirmed.len() as u64;
    provenance.battles_played += fresh.weighed.as_ref().map_or(0, |weighed| weighed.battles);
    provenance.partial = fresh.is_partial;
    let again = command(arguments, "", question);
    // What the file of targets says matters; its name in the command may soon mean another.
    let targets = question.goals.iter().map(|goal| format!("{}={}", goal.name, goal.target));
    let targets = fingerprint(targets.collect::<Vec<_>>().iter().map(String::as_str));
    provenance.identified("tune", [again.as_str(), targets.as_str()])
}

/// Where results go: all is opened before the first battle.
struct Places<'a> {
    outlet: Outlet,
    report: Option<ReportTarget>,
    files: Files,
    new: Option<NewScenario<'a>>,
}

impl<'a> Places<'a> {
    fn open(arguments: &'a Arguments) -> Result<Self, Failure> {
        let mut names = named(&study::TABLES);
        if arguments.edits.weights {
            names.extend(named(&crate::studies::tune::TABLES));
        }
        let outlet = Outlet::open(&arguments.output, &Output::default(), &names)?;
        if outlet.on_stdout {
            let remedy = "a search has several tables: name a folder, or say --json";
            return Err(Failure::Usage(remedy.to_owned()));
        }
        let report = arguments.report.open(&outlet)?;
        let files = Files::open(&arguments.edits, &outlet)?;
        let new = NewScenario::open(arguments, &outlet)?;
        Ok(Self { outlet, report, files, new })
    }
}

/// The files for people (patch notes and changes), which are written in the end.
struct Files([Option<Target>; 2]);

impl Files {
    fn places(edits: &Edits) -> [Option<&Path>; 2] {
        [&edits.notes, &edits.changes].map(Option::as_deref)
    }

    fn open(edits: &Edits, outlet: &Outlet) -> Result<Self, Failure> {
        let places = Self::places(edits);
        let named = ["--notes", "--changes"].into_iter().zip(places);
        outlet.spare(named.filter_map(|(option, place)| Some((option, place?))))?;
        let open = |place: Option<&Path>, content| {
            place.map(|place| Target::open(place, content)).transpose()
        };
        let [notes, changes] = places;
        Ok(Self([open(notes, Content::Notes)?, open(changes, Content::Changes)?]))
    }

    /// Writes the notes and the changes.
    fn fill(self, edits: &Edits, texts: [&str; 2], quiet: bool) -> Result<(), Failure> {
        for ((target, text), place) in self.0.into_iter().zip(texts).zip(Self::places(edits)) {
            let (Some(target), Some(place)) = (target, place) else { continue };
            target.fill(text)?;
            if !quiet {
                say(&format!("wrote {}\n", place.display()));
            }
        }
        Ok(())
    }
}

/// Refuses shards and merges, because what a search plays depends on what was played, and flags that are about weights.
fn refuse_parts(arguments: &Arguments) -> Result<(), Failure> {
    let keep = &arguments.keep;
    let refused = match () {
        () if arguments.part.shard.is_some() => "--shard",
        () if keep.merged.is_some() => "evens merge",
        () if arguments.allowed.bounds.is_some() => "--bounds",
        () if arguments.allowed.rarest > 0.0 => "--rarest",
        () => {
            let of_weights = |price: &Price| matches!(price, Price::OfWeights(_));
            match arguments.allowed.prices.iter().any(of_weights) {
                true => "--price POINTS",
                false => return Ok(()),
            }
        }
    };
    let remedy = match refused {
        "--bounds" => "it is about weights; numbers have --range",
        "--rarest" => "it is about weights",
        "--price POINTS" => {
            "it is about weights; write what a point of a number costs, such as `--price mana=3`"
        }
        _ => "what a search plays depends on all that it has played, so it is not shared out",
    };
    Err(Failure::Usage(format!("{refused} with --stats: {remedy}")))
}

fn limits(arguments: &Arguments) -> Limits {
    let (edits, allowed) = (&arguments.edits, &arguments.allowed);
    let price = |price: &Price| match price {
        Price::OfNumbers(key, number) => Some((key.clone(), *number)),
        Price::OfWeights(_) => None,
    };
    Limits {
        only: edits.only.clone(),
        pinned: edits.not.iter().chain(&allowed.pins).cloned().collect(),
        ranges: edits.ranges.clone(),
        prices: allowed.prices.iter().filter_map(price).collect(),
        factor: allowed.at_most.unwrap_or(FACTOR),
        edits: edits.most,
    }
}

/// Whether a card is in any battle, judged by who was seen to take part or, where cards of its kind are not counted or only
/// once they are played, by whether the scenario names it.
fn takes_part(layout: &Layout, seen: &[u64], document: &Document, card: &str) -> bool {
    let mut is_counted = false;
    for (unit, &seen) in layout.units.iter().zip(seen).filter(|(unit, _)| unit.name == card) {
        debug_assert_eq!(unit.name, card);
        is_counted = true;
        if seen > 0 {
            return true;
        }
    }
    !(is_counted && layout.units_are_brought) && document.source.inner().contains(card)
}

/// The engine of the variant with a patch; None when the rules do not allow it.
fn build(
    document: &Document,
    candidates: &[Candidate],
    patch: &[(usize, i64)],
) -> Option<Box<dyn Engine>> {
    let edited = document.edited(&study::edits(candidates, patch));
    Scenario::of(&edited).ok().map(|scenario| scenario.setup)
}

/// The goals (who should have which score), the contenders that they are about, and the noun for one of these.
fn goals(
    arguments: &Arguments,
    layout: &Layout,
    appearances: &Appearances,
) -> Result<(Vec<Goal>, Vec<Contender>, &'static str), Failure> {
    let seen = &appearances.units[..];
    let wanted = &arguments.wanted;
    let even = OutcomeMeasure::even(layout.sides);
    if wanted.even.as_deref() == Some(FACTIONS) {
        let mut goals: Vec<Goal> = study::groups(layout, even);
        goals.retain(
            |goal| matches!(&goal.who, Subject::Units(units) if is_seen(layout, seen, units)),
        );
        if !layout.units_are_drawn || goals.len() < 2 {
            let remedy =
                "the units of this scenario are not drawn from several, so say --even contenders";
            return Err(Failure::Usage(format!("--even {FACTIONS}: {remedy}")));
        }
        if !wanted.targets.is_empty() || wanted.target_file.is_some() {
            let remedy = format!("--even {FACTIONS}: all should be even, without --target");
            return Err(Failure::Usage(remedy));
        }
        return Ok((goals, Vec::new(), "faction"));
    }
    let targets = Targets::read(wanted)?;
    // A target for a contender says whom to make even as plainly as `--even` does.
    let alone = drawn_cards(arguments, layout, seen).filter(|_| !targets.name_contenders(layout));
    let whom = match &alone {
        Some((kind, _)) => Whom::Units(kind),
        None => whom(wanted.even(), layout)?,
    };
    let mut contenders = whom.candidates(layout);
    if contenders.is_empty() {
        return Err(Failure::Usage(nobody_to_even(layout)));
    }
    targets.assign(&mut contenders, whom, layout, None)?;
    if let Whom::Units(_) = whom {
        let times = |contender: &Contender| match contender.who {
            Who::Unit(unit) => seen[unit],
            Who::Sides(_) => 0,
        };
        contenders.retain(|contender| times(contender) > 0);
        let shares: Vec<f64> = contenders.iter().map(|of| times(of) as f64).collect();
        targets.assign(&mut contenders, whom, layout, Some(&shares))?;
    }
    if let Some((_, names)) = &alone {
        contenders.retain(|contender| names.contains(&contender.name.as_str()));
    }
    let goals =
        contenders.iter().map(|contender| Goal::of(contender, layout, appearances)).collect();
    Ok((goals, contenders, whom.noun()))
}

fn is_seen(layout: &Layout, seen: &[u64], units: &[(&'static str, String)]) -> bool {
    layout.units.iter().zip(seen).any(|(unit, &seen)| {
        seen > 0 && units.iter().any(|of| of.0 == unit.kind && of.1 == unit.name)
    })
}

/// The kind and the names of the drawn cards that should be even because `--only` names them and nothing else, and
/// `--even` is not given.
fn drawn_cards<'a>(
    arguments: &'a Arguments,
    layout: &Layout,
    seen: &[u64],
) -> Option<(&'static str, Vec<&'a str>)> {
    let only = &arguments.edits.only;
    if arguments.wanted.even.is_some() || !layout.units_are_drawn || only.is_empty() {
        return None;
    }
    let mut kinds = Vec::new();
    let mut names = Vec::new();
    for key in only {
        let unit = layout.units.iter().zip(seen).find(|(unit, seen)| {
            let is_it = key == &unit.name
                || key.strip_prefix(&unit.name).is_some_and(|rest| rest.starts_with('.'));
            **seen > 0 && is_it
        });
        let (unit, _) = unit?;
        kinds.push(unit.kind);
        names.push(&key[..unit.name.len()]);
    }
    kinds.dedup();
    match kinds[..] {
        [kind] => Some((kind, names)),
        _ => None,
    }
}

/// How many of the goals are independent: what one of two contenders wins the other loses.
fn free(goals: &[Goal], layout: &Layout, measure: OutcomeMeasure) -> usize {
    let are_sides = goals.iter().all(|goal| matches!(goal.who, Subject::Sides(_)));
    let opposite =
        goals.len() == 2 && layout.sides == 2 && are_sides && measure != OutcomeMeasure::Wins;
    if opposite { 1 } else { goals.len() }
}

/// About how many variants a search plays, for its progress.
fn planned_variants(candidates: usize, edits: usize) -> u64 {
    let alone = 2 * candidates.min(64) as u64;
    let screening = if candidates > 64 { 30 } else { 0 };
    let (patches, closer) = (4 * edits as u64, 40);
    1 + alone + screening + patches + closer
}

/// The flags that say which numbers may change, and what that costs.
fn bounds(arguments: &Arguments) -> Vec<(&'static str, String)> {
    let edits = &arguments.edits;
    let mut flags: Vec<(&str, String)> = Vec::new();
    flags.extend(edits.only.iter().map(|key| ("--only", key.clone())));
    flags.extend(edits.not.iter().map(|card| ("--not", card.clone())));
    for (key, (low, high)) in &edits.ranges {
        flags.push(("--range", format!("{key}={low}..{high}")));
    }
    for price in &arguments.allowed.prices {
        if let Price::OfNumbers(key, number) = price {
            flags.push(("--price", format!("{key}={number}")));
        }
    }
    flags
}

/// The command that makes the same results again.
fn command(arguments: &Arguments, scenario: &str, question: &Question) -> String {
    let (wanted, edits) = (&arguments.wanted, &arguments.edits);
    let Question { seed, battles, confirming, .. } = *question;
    let mut again = again(arguments, scenario, seed, battles, confirming)
        .alone("--stats")
        .flag("--objective", flags::name_of(&wanted.objective))
        .flag("--edits", edits.most)
        .flag("--tell", told_points(edits.tell));
    again = wanted.even.iter().fold(again, |again, even| again.flag("--even", even));
    again = if edits.weights { again.alone("--weights") } else { again };
    again.flags(bounds(arguments)).text()
}
