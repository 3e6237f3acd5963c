//! Two versions of a card file: how they differ, and what that changes when teams are drawn from each.

use std::fmt::Write as _;
use std::num::NonZeroU64;
use std::path::Path;

use super::super::interruption::{interrupted, watch_for_interruption};
use super::super::job;
use super::super::progress::Progress;
use super::super::terminal::{Terminal, say};
use super::super::{Exit, Failure};
use super::{Arguments, Page, Reporting};
use crate::batch::{self, Detail, Plan, Standing};
use crate::engine::Scenario;
use crate::games::splinterlands::cards::{Card, Catalogue, Level};
use crate::report::figures::{counted, points, rate};
use crate::scenario::{Document, Faults, Folder, bundled};
use crate::shell::argument;
use crate::studies::nightly::{Baseline, Comparison, Quantity};

/// The scenario that is played: teams drawn from the whole of each file.
const SCENARIO: &str = "splinterlands/drawn-teams";

/// Battles that are played with each version by default.
const BATTLES: u64 = 400_000;

/// Whether both files are card files.
pub(super) fn are_cards(old: &Path, new: &Path) -> bool {
    [old, new].into_iter().all(is_card_file)
}

/// Whether a file is a card file.
pub(super) fn is_card_file(file: &Path) -> bool {
    file.extension().is_some_and(|of| of == "csv") && !file.is_dir()
}

pub(super) fn run(arguments: &Arguments, terminal: &Terminal) -> Result<Exit, Failure> {
    let files = [arguments.baseline.as_path(), arguments.new.as_path()];
    let mut catalogues = Vec::new();
    let mut faulty: Vec<Faults> = Vec::new();
    for file in files {
        let source = super::super::records::source(file)?;
        match Catalogue::from_csv(&source) {
            Ok(catalogue) => catalogues.push(catalogue),
            Err(faults) => faulty.push(Faults::new(source.name(), faults)),
        }
    }
    if !faulty.is_empty() {
        return Err(Failure::Input(faulty));
    }
    let page = Page::open(&arguments.judging)?;
    watch_for_interruption();
    let battles = arguments.battles.or(NonZeroU64::new(BATTLES)).expect("more than none");
    let mut played = Vec::new();
    // Each version has a seed of its own: the comparison takes the two for independent.
    for (file, seed) in files.into_iter().zip(arguments.seed..) {
        let Some(counts) = play(file, seed, battles, arguments, terminal)? else {
            say("ended early: nothing was compared\n");
            return Ok(Exit::Interrupted);
        };
        played.push(counts);
    }
    let [new, old] = [played.pop(), played.pop()].map(|counts| counts.expect("both were played"));
    let mut command = format!(
        "evens compare {} {} --battles {battles} --seed {}",
        argument(&arguments.baseline.display().to_string()),
        argument(&arguments.new.display().to_string()),
        arguments.seed
    );
    command = arguments.judging.again(&command);
    let comparison = page.compare(&[(old, new)]);
    let measure = arguments.judging.measured.measure;
    let preface = other(&catalogues[0], &catalogues[1], (&comparison, measure.verb()));
    let reporting = Reporting {
        speeds: &[],
        write_again: "",
        command: &command,
        json: arguments.json.then_some("compare"),
        quiet: false,
        preface: Some(&preface),
    };
    page.tell(&comparison, reporting, terminal)
}

/// Plays battles with the cards of a file; None when it was interrupted.
fn play(
    file: &Path,
    seed: u64,
    battles: NonZeroU64,
    arguments: &Arguments,
    terminal: &Terminal,
) -> Result<Option<Baseline>, Failure> {
    let scenario = scenario(file)?;
    let (engine, layout) = (scenario.engine(), scenario.engine().layout());
    let detail = Detail { fighters: true, ..Detail::default() };
    let plan = Plan { seed, battles, threads: arguments.threads.threads, detail };
    let mut progress = Progress::new(terminal, false, battles.get());
    let finished = batch::run_whole(engine, plan, &mut |standing: &Standing<'_>| {
        progress.show(standing, layout, detail.measure);
        !interrupted()
    });
    progress.finish();
    let mut run = job::provenance(&scenario, seed, battles.get(), finished.played);
    // The fingerprints differ because the cards do, which is the question and no news.
    run.fingerprint.clear();
    run.scenario = format!("teams drawn from {}", file.display());
    Ok((!run.partial).then(|| Baseline::new(run, layout, &finished.tally)))
}

/// The bundled scenario of drawn teams, with the cards of a file.
fn scenario(file: &Path) -> Result<Scenario, Faults> {
    let (text, _) = bundled::find(SCENARIO).expect("it is bundled");
    let name = file.file_name().unwrap_or_default().to_string_lossy();
    let text = format!("cards = {}\n{text}", toml::Value::String(name.into_owned()));
    let folder = file.parent().unwrap_or(Path::new("")).to_owned();
    Scenario::of(&Document::new(&file.display().to_string(), text, Folder::Disk(folder)))
}

/// Describes how the second file differs, and how sides with a changed card score with it.
fn other(old: &Catalogue, new: &Catalogue, (comparison, verb): (&Comparison, &str)) -> String {
    /// The most cards that are listed; more are only counted.
    const NAMED: usize = 20;
    let find = |catalogue: &'_ Catalogue, name: &str| catalogue.find(name).map(usize::from);
    let mut lines: Vec<String> = Vec::new();
    for card in new.iter() {
        match find(old, &card.name) {
            None => lines.push(format!("+ {}", card.name)),
            Some(at) => {
                let differs = differences(&old.cards[at], card);
                if !differs.is_empty() {
                    let scores = comparison.changes.iter().filter(|change| {
                        change.quantity == Quantity::UnitScore && change.subject == card.name
                    });
                    let scores = scores.map(|change| {
                        format!(
                            "\n      a side with it {verb} {} instead of {}: {}, with an interval of its own",
                            rate(&change.new),
                            rate(&change.baseline),
                            points(&change.difference)
                        )
                    });
                    let scores: String = scores.collect();
                    lines.push(format!("  {}: {}{scores}", card.name, differs.join(", ")));
                }
            }
        }
    }
    let gone = old.iter().filter(|card| find(new, &card.name).is_none());
    lines.extend(gone.map(|card| format!("- {}", card.name)));
    if lines.is_empty() {
        return "The two files hold the same cards.\n\n".to_owned();
    }
    let cards = counted(lines.len() as u64, "card");
    let mut text = format!("What is other in the second file: {cards}\n");
    for line in lines.iter().take(NAMED) {
        let _ = writeln!(text, "{line}");
    }
    if let more @ 1.. = lines.len().saturating_sub(NAMED) {
        let _ = writeln!(text, "and {more} more");
    }
    text.push('\n');
    text
}

/// The differences between two versions of a card, level by level where the levels differ.
fn differences(old: &Card, new: &Card) -> Vec<String> {
    let mut found = Vec::new();
    let mut differs = |what: &str, old: String, new: String| {
        if old != new {
            found.push(format!("{what} {old} to {new}"));
        }
    };
    differs("faction", old.faction.to_string(), new.faction.to_string());
    differs("rarity", old.rarity.to_string(), new.rarity.to_string());
    differs("mana", old.mana.to_string(), new.mana.to_string());
    type Number = fn(&Card, usize) -> i8;
    let numbers: [(&str, Number); 6] = [
        ("melee", |card, at| card.levels[at].stats.melee),
        ("ranged", |card, at| card.levels[at].stats.ranged),
        ("magic", |card, at| card.levels[at].stats.magic),
        ("armor", |card, at| card.levels[at].stats.armor),
        ("health", |card, at| card.levels[at].stats.health),
        ("speed", |card, at| card.levels[at].stats.speed),
    ];
    let levels = old.levels.len().min(new.levels.len());
    for (name, of) in numbers {
        let [was, is] = [old, new].map(|card| (0..levels).map(|at| of(card, at)).collect());
        differs(name, by_level(was), by_level(is));
    }
    let abilities = |card: &Card| -> Vec<Vec<String>> {
        let of_level = |level: &Level| level.abilities.iter().map(|of| of.to_string()).collect();
        card.levels.iter().map(of_level).collect()
    };
    let [was, is] = [old, new].map(abilities);
    let mut all: Vec<&String> = was.iter().chain(&is).flatten().collect();
    all.sort_unstable();
    all.dedup();
    for ability in all {
        let at = |of: &[Vec<String>]| -> Vec<bool> {
            of[..levels].iter().map(|level| level.contains(ability)).collect()
        };
        let [was, is] = [at(&was), at(&is)];
        if was != is {
            let [was, is] = [was, is].map(|of| from_level(&of));
            found.push(format!("{ability} {was} to {is}"));
        }
    }
    found
}

/// A number of a card at each of its levels: `7`, or `7/7/8/8`.
fn by_level(all: Vec<i8>) -> String {
    let is_same = all.windows(2).all(|two| two[0] == two[1]);
    let shown = if is_same { &all[..all.len().min(1)] } else { &all[..] };
    shown.iter().map(i8::to_string).collect::<Vec<_>>().join("/")
}

/// From which level on a card has an ability, given whether it has it at each level: `from level 3`, `never`.
fn from_level(has: &[bool]) -> String {
    let first = has.iter().position(|&has| has);
    match first {
        None => "never".to_owned(),
        Some(0) if has.iter().all(|&has| has) => "always".to_owned(),
        Some(first) if has[first..].iter().all(|&has| has) => format!("from level {}", first + 1),
        Some(_) => "at some levels".to_owned(),
    }
}
