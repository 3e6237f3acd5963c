//! `evens tune --stats`: which few numbers of cards must change, and by how little.

use std::num::NonZeroU64;
use std::path::{Path, PathBuf};

use clap::Args;

use super::both::{found_again, weighed};
use super::whom::{Targets, Whom, nobody_to_even, whom};
use super::{Arguments, Price, again, bounds_of_numbers, told_points};
use crate::chance::{Stream, stream_seed};
use crate::cli::flags::{file, number, points_from_0};
use crate::cli::interruption::interrupted;
use crate::cli::job::{self, named};
use crate::cli::output::{Outlet, announce};
use crate::cli::printed::{PAGE, print_object};
use crate::cli::progress::Progress;
use crate::cli::reading;
use crate::cli::report::{ReportTarget, notes_text};
use crate::cli::terminal::{Terminal, print, say};
use crate::cli::{Exit, Failure};
use crate::engine::{Dice, Engine, Scenario, rules_of};
use crate::report::figures::counted;
use crate::scenario::{Document, Output, Spot, changes_text};
use crate::shell::argument;
use crate::studies::tune::patch::{
    self as study, Candidate, Goal, Limits, Patching, Plan, Subject, Task,
};
use crate::studies::tune::{Contender, Who};
use crate::table::{Provenance, Table, Target};
use crate::tally::{Layout, OutcomeMeasure};

/// How `--even` names the factions, nations or classes of drawn units.
const FACTIONS: &str = "factions";
/// How many battles each variant plays where nothing else is said, at most.
const BATTLES: u64 = 50_000;
/// So many times as many fresh battles confirm a patch.
const CONFIRMING: u64 = 4;
/// How many battles tell who takes part.
const LOOK: u64 = 2_000;
/// How many times larger or smaller a number may become.
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
    /// Write the whole scenario with the patch in it to this file
    #[arg(long, value_name = "FILE", requires = "stats", value_parser = file())]
    write_scenario: Option<PathBuf>,
}

pub(super) fn run(arguments: &Arguments, terminal: &Terminal) -> Result<Exit, Failure> {
    refuse_parts(arguments)?;
    let document = reading::document(&arguments.scenario)?;
    let scenario = reading::read(&arguments.scenario, terminal)?;
    let (common, engine) = (&scenario.common, scenario.engine());
    let layout = engine.layout();
    let seed = arguments.play.seed.unwrap_or(common.seed);
    let limits = limits(arguments);
    let seen = study::appearances(engine, stream_seed(seed, Stream::AfterPilot), LOOK);
    let takes_part = |card: &str| takes_part(layout, &seen, &document, card);
    let numbers = rules_of(&document)?.numbers(&document)?;
    let candidates = study::candidates(numbers, &limits, takes_part).map_err(Failure::Usage)?;
    if candidates.is_empty() {
        let remedy = "no number may change: pin fewer, or name some with --only or --range";
        return Err(Failure::Usage(remedy.to_owned()));
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
    let confirming = arguments.confirm.map_or(CONFIRMING.saturating_mul(battles), NonZeroU64::get);
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
    let edits = &arguments.edits;
    let edited = [&edits.notes, &edits.changes, &edits.write_scenario];
    outlet.spare(edited.into_iter().flatten().map(PathBuf::as_path))?;
    let open = |path: &Option<PathBuf>| path.as_deref().map(Target::open).transpose();
    let files = [open(&edits.notes)?, open(&edits.changes)?, open(&edits.write_scenario)?];

    let build = |patch: &[(usize, i64)]| build(&document, &candidates, patch);
    let measure = arguments.wanted.measure;
    let threads = arguments.play.threads.threads;
    let plan = Plan { seed, battles, threads, dice: Dice::Keyed, measure };
    let within = arguments.wanted.within;
    let free = free(&goals, layout, measure);
    let task = Task {
        candidates: &candidates,
        goals: &goals,
        build: &build,
        plan,
        within,
        edits: edits.most,
        free,
    };
    let quiet = arguments.quiet || arguments.json;
    let planned = battles.saturating_mul(planned_variants(candidates.len(), edits.most));
    let mut progress = Progress::new(terminal, quiet, planned);
    let mut go_on = |what: &str, battles: u64| {
        progress.step(battles.min(planned), || what.to_owned());
        !interrupted()
    };
    let found = study::search(task, &mut go_on);
    progress.finish();
    let Ok(found) = found else {
        say(
            "ended early: there is no patch yet, and nothing of the search is kept; fewer `--battles` or `--edits` take less time\n",
        );
        return Ok(Exit::Interrupted);
    };

    let fresh = stream_seed(seed, Stream::Confirmation);
    let fresh_plan = Plan { seed: fresh, battles: confirming, ..plan };
    let patches: Vec<&[(usize, i64)]> =
        found.frontier.iter().map(|point| &point.patch[..]).collect();
    let chosen = &found.frontier[found.chosen].patch;
    let all = confirming.saturating_mul(patches.len() as u64 + 2);
    let mut progress = Progress::new(terminal, quiet, all);
    let mut go_on = |battles: u64| {
        progress.step(battles, || "fresh battles".to_owned());
        !interrupted()
    };
    let confirmed = study::confirm(task, &patches, fresh_plan, &mut go_on).unwrap_or_default();
    let with_patch = build(chosen).filter(|_| !chosen.is_empty() && !confirmed.is_empty());
    let mut is_partial = confirmed.is_empty();
    let side_effects = with_patch.as_deref().map(|after| {
        let arms = [engine, after];
        study::side_effects(task, arms, fresh_plan, edits.tell, &mut go_on)
    });
    let side_effects = side_effects.transpose().unwrap_or_else(|_| {
        is_partial = true;
        None
    });
    progress.finish();
    let weighed = (edits.weights && !is_partial).then(|| {
        let after = with_patch.as_deref().unwrap_or(engine);
        let contenders = found_again(&contenders, layout, after.layout());
        weighed(arguments, terminal, after, (&contenders, noun), (fresh, confirming))
    });
    // Weights that were not found to the end are none.
    is_partial |= matches!(weighed, Some(None));
    let weighed = weighed.flatten();

    let list = study::edits(&candidates, chosen);
    let changes = changes_text(&document, &list);
    let heading = format!(
        "{}: {}, {} for each variant and {} for each patch, seed {seed}",
        engine.game(),
        scenario.name,
        counted(battles, "battle"),
        counted(confirming, "fresh one")
    );
    let choices = layout.choices();
    let patching = Patching {
        question: common.question.as_deref(),
        heading: &heading,
        choices: choices.as_deref(),
        scenario: &scenario.name,
        noun,
        sides: layout.sides,
        task,
        found: &found,
        confirmed: &confirmed,
        fresh: (confirming, fresh),
        side_effects: side_effects.as_deref().unwrap_or_default(),
        tell: edits.tell,
        changes: &changes,
    };
    let weighing = if edits.weights { 2 * confirming } else { 0 };
    let asked = found.battles + confirming * patches.len() as u64 + weighing;
    let mut provenance = job::provenance(&scenario, seed, asked, found.battles);
    provenance.battles_played += confirming * confirmed.len() as u64;
    provenance.battles_played += if weighed.is_some() { weighing } else { 0 };
    provenance.partial = is_partial;
    let again = command(arguments, "", seed, plan, confirming);
    let provenance = provenance.identified("tune", [again.as_str()]);
    let place = edits.write_scenario.as_deref();
    let written = documents(&patching, &document, &list, place, &scenario.files);
    let mut tables = study::tables(&patching).to_vec();
    tables.extend(weighed.iter().flat_map(|weighed| weighed.tables.iter().cloned()));
    write_all(arguments, outlet, report, &tables, &provenance, &|| {
        study::report(
            &patching,
            &provenance,
            command(arguments, &scenario.name, seed, plan, confirming),
        )
    })?;
    // Half a search is no patch to hand out.
    if !is_partial {
        for ((target, text), path) in files.into_iter().zip(written).zip([
            &edits.notes,
            &edits.changes,
            &edits.write_scenario,
        ]) {
            if let (Some(target), Some(path)) = (target, path) {
                target.fill(&text)?;
                if !arguments.quiet {
                    say(&format!("wrote {}\n", path.display()));
                }
            }
        }
        if let (Some(place), false) = (place, arguments.quiet) {
            say_what_is_outside(place);
        }
    }
    if arguments.json {
        let mut page = study::page(&patching, PAGE);
        page.extend(weighed.iter().map(|weighed| format!("\n{}", weighed.pages[1])));
        print_object("tune", &study::json(&patching), &page, Some((&provenance, &tables[..])))?;
    } else {
        print(&study::page(&patching, terminal.style()))?;
        if let Some(weighed) = &weighed {
            print(&format!("\n{}", weighed.pages[0]))?;
        }
    }
    if is_partial {
        say("ended early: not all fresh battles were played\n");
    }
    Ok(if is_partial { Exit::Interrupted } else { Exit::Success })
}

/// A search is done in one go: what is played depends on what was played.
fn refuse_parts(arguments: &Arguments) -> Result<(), Failure> {
    let keep = &arguments.keep;
    let refused = match () {
        () if arguments.part.shard.is_some() => "--shard",
        () if keep.merged.is_some() => "evens merge",
        () if keep.checkpoint.is_some() => "--checkpoint",
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
        _ => "what a search plays depends on all that it has played, so it is done in one go",
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

/// Whether a card is in any battle: by who was seen to take part, or, where cards of its kind are not counted, by whether the
/// scenario names it.
fn takes_part(layout: &Layout, seen: &[u64], document: &Document, card: &str) -> bool {
    let mut is_counted = false;
    for (unit, &seen) in layout.units.iter().zip(seen).filter(|(unit, _)| unit.name == card) {
        debug_assert_eq!(unit.name, card);
        is_counted = true;
        if seen > 0 {
            return true;
        }
    }
    !is_counted && document.source.inner().contains(card)
}

/// The variant with a patch; none where the rules do not allow it.
fn build(
    document: &Document,
    candidates: &[Candidate],
    patch: &[(usize, i64)],
) -> Option<Box<dyn Engine>> {
    let edited = document.edited(&study::edits(candidates, patch));
    Scenario::of(&edited).ok().map(|scenario| scenario.setup)
}

/// Who should have which score, and what such a one is called.
fn goals(
    arguments: &Arguments,
    layout: &Layout,
    seen: &[u64],
) -> Result<(Vec<Goal>, Vec<Contender>, &'static str), Failure> {
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
    let alone = drawn_cards(arguments, layout, seen);
    let whom = match &alone {
        Some((kind, _)) => Whom::Units(kind),
        None => whom(wanted.even(), layout)?,
    };
    let mut contenders = whom.candidates(layout);
    if contenders.is_empty() {
        return Err(Failure::Usage(nobody_to_even(layout)));
    }
    let targets = Targets::read(wanted)?;
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
    let goals = contenders.iter().map(|contender| Goal::of(contender, layout)).collect();
    Ok((goals, contenders, whom.noun()))
}

fn is_seen(layout: &Layout, seen: &[u64], units: &[(&'static str, String)]) -> bool {
    layout.units.iter().zip(seen).any(|(unit, &seen)| {
        seen > 0 && units.iter().any(|of| of.0 == unit.kind && of.1 == unit.name)
    })
}

/// The drawn cards that `--only` names, where it names nothing else and nobody says who should be even: then they should.
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

/// How many of the goals are free: what one of two contenders wins the other loses.
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

/// The notes, the changes and the scenario.
fn documents(
    patching: &Patching<'_>,
    document: &Document,
    edits: &[crate::scenario::Edit],
    place: Option<&Path>,
    files: &[Spot],
) -> [String; 3] {
    let edited = document.edited(edits);
    // What a pipe or a terminal is given is in no folder yet.
    let folder = place.filter(|place| place.is_file() || !place.exists()).and_then(Path::parent);
    let scenario = match folder {
        Some(folder) => edited.text_in(folder, files),
        None => edited.source.inner().clone(),
    };
    [study::notes(patching), patching.changes.to_owned(), scenario]
}

/// Says how the written scenario is read where it names files that are not below its folder.
fn say_what_is_outside(place: &Path) {
    let Ok(document) = Document::read(place) else { return };
    if Scenario::of(&document).is_err() && Scenario::of(&document.allowing_outside(true)).is_ok() {
        say(&format!(
            "it names files outside of its folder: `evens check {} --allow-outside`\n",
            argument(&place.display().to_string())
        ));
    }
}

/// Writes the tables and the report that are asked for.
fn write_all(
    arguments: &Arguments,
    mut outlet: Outlet,
    report: Option<ReportTarget>,
    tables: &[Table],
    provenance: &Provenance,
    draft: &dyn Fn() -> crate::report::html::Draft,
) -> Result<(), Failure> {
    let draft = (outlet.takes_tables() || report.is_some()).then(draft);
    let Some(draft) = draft else { return Ok(()) };
    if outlet.takes_tables() {
        for table in tables {
            outlet.write(table)?;
        }
        outlet.note(notes_text(&draft.beside(&named(&study::TABLES))));
    }
    let written = outlet.finish(provenance)?;
    if let Some(report) = report {
        report.fill(provenance, draft, arguments.quiet)?;
    }
    if !arguments.quiet {
        announce(&written);
    }
    Ok(())
}

/// The command that makes the same results again.
fn command(arguments: &Arguments, scenario: &str, seed: u64, plan: Plan, confirm: u64) -> String {
    let (wanted, allowed, edits) = (&arguments.wanted, &arguments.allowed, &arguments.edits);
    let mut again = again(arguments, scenario, seed, plan.battles, confirm)
        .alone("--stats")
        .flag("--edits", edits.most)
        .flag("--tell", told_points(edits.tell));
    again = wanted.even.iter().fold(again, |again, even| again.flag("--even", even));
    again = if edits.weights { again.alone("--weights") } else { again };
    again = edits.only.iter().fold(again, |again, key| again.flag("--only", key));
    again = edits.not.iter().fold(again, |again, card| again.flag("--not", card));
    for (key, (low, high)) in &edits.ranges {
        again = again.flag("--range", format!("{key}={low}..{high}"));
    }
    for price in &allowed.prices {
        if let Price::OfNumbers(key, number) = price {
            again = again.flag("--price", format!("{key}={number}"));
        }
    }
    again.text()
}
