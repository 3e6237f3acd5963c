//! Two versions of a card file: how they differ, and what that changes when teams are drawn from each.

use std::num::NonZeroU64;
use std::path::Path;

use toml::Spanned;
use toml::de::DeValue;

use super::super::exit::ended_early;
use super::super::interruption::{interrupted, watch_for_interruption};
use super::super::progress::Progress;
use super::super::terminal::Terminal;
use super::super::{Exit, Failure};
use super::super::{job, reading};
use super::{Arguments, Page, Reporting};
use crate::batch::{self, Detail, Plan, Standing};
use crate::engine::{self, Scenario};
use crate::games::splinterlands::Splinterlands;
use crate::games::splinterlands::cards::{Card, CardKind, Catalogue, Level};
use crate::games::splinterlands::setup::Setup;
use crate::report::Style;
use crate::report::figures::{counted, named, points, rate};
use crate::report::page;
use crate::scenario::{Faults, Folder, Loaded, load_tree, tree};
use crate::shell::argument;
use crate::studies::nightly::{
    About, Baseline, CardChange, CardFate, Change, Comparison, Coverage, Quantity,
};

/// The scenario whose battles are played where none is named: teams drawn from the whole of each file.
pub(super) const SCENARIO: &str = "splinterlands/drawn-teams";

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
    let mut faulty: Vec<Faults> = Vec::new();
    for file in files {
        let source = super::super::records::source(file)?;
        if let Err(faults) = Catalogue::from_csv(&source) {
            faulty.push(Faults::new(source.name(), faults));
        }
    }
    if !faulty.is_empty() {
        return Err(Failure::Input(faulty));
    }
    let page = Page::open(&arguments.judging)?;
    reading::read(&arguments.scenario, terminal)?;
    let [old, new] = [scenario(arguments, files[0])?, scenario(arguments, files[1])?];
    let own = own_cards(&arguments.scenario)?;
    let is_changed = own.iter().any(|(what, _)| *what == CHANGED);
    let coverage = Coverage {
        scenario: old.name.clone(),
        conditions: [new.setup.conditions_in_words(), own].concat(),
        cards: changed_cards([&old.setup, &new.setup]),
    };
    watch_for_interruption();
    let battles = arguments.battles.or(NonZeroU64::new(BATTLES)).expect("more than none");
    let mut played = Vec::new();
    // Each version has a seed of its own: the comparison takes the two for independent.
    let seeds = [arguments.seed, arguments.seed.wrapping_add(1)];
    for ((file, scenario), seed) in files.into_iter().zip([old, new]).zip(seeds) {
        let scenario = playable(scenario);
        let Some(counts) = play(file, &scenario, seed, battles, arguments, terminal)? else {
            return Ok(ended_early("nothing was compared"));
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
    if is_other_than_usual(arguments) {
        command += &format!(" --scenario {}", argument(&arguments.scenario.display().to_string()));
    }
    command = arguments.judging.again(&command);
    let coverage = coverage.without_undrawn([&old, &new]);
    let mut comparison = page.compare(&[(old, new)]);
    // That the cards are others is the question, and no news.
    comparison.pairs.iter_mut().for_each(|pair| pair.is_of_files = true);
    let verb = arguments.judging.measured.measure.verb();
    let others = Others::of(&coverage, is_changed, (&comparison, verb));
    let preface = others.page(terminal.style());
    let question = format!(
        "What do the cards of {} change, compared with those of {}?",
        files[1].display(),
        files[0].display()
    );
    comparison.coverage = Some(coverage);
    let reporting = Reporting {
        speeds: &[],
        write_again: "",
        about: About {
            study: "compare",
            question,
            command,
            cards: others.sentences(),
            other: Some(others.said),
            ..About::default()
        },
        json: arguments.json.then_some("compare"),
        quiet: false,
        preface: Some(&preface),
    };
    page.tell(&comparison, reporting, terminal)
}

/// Whether another scenario is played than where none is named.
fn is_other_than_usual(arguments: &Arguments) -> bool {
    arguments.scenario != Path::new(SCENARIO)
}

/// The scenario that is played, with the cards of a file in place of its own.
fn scenario(arguments: &Arguments, file: &Path) -> Result<Loaded<Setup>, Faults> {
    // The path of the card file starts where the program does, not at the scenario, and its user named it.
    let mut document = reading::document(&arguments.scenario)?.allowing_outside(true);
    let is_bundled = document.is_bundled();
    document.folder = Folder::Disk("".into());
    let mut tree = tree(&document.source)?;
    let cards = DeValue::String(file.display().to_string().into());
    tree.get_mut().insert(Spanned::new(0..0, "cards".into()), Spanned::new(0..0, cards));
    load_tree::<Splinterlands>(&document, tree).map_err(|faults| match is_bundled {
        true => of_a_copy(faults, document.source.name()),
        false => faults,
    })
}

/// What a bundled scenario cannot have done to itself, a copy of it can.
fn of_a_copy(mut faults: Faults, scenario: &str) -> Faults {
    for fault in &mut faults.faults {
        fault.remedy = format!(
            "{}: in a copy, which `evens new {scenario} my.toml` writes, and with `--scenario my.toml`",
            fault.remedy
        );
    }
    faults
}

/// What the scenario's `[changes]` are called among the conditions of its battles.
const CHANGED: &str = "changed by the scenario in both files";
/// The same of its `new_cards`.
const ADDED: &str = "added by the scenario to both files";

/// The cards that the scenario itself changes or adds, whatever the file says: a difference between the files may be hidden by
/// that, so it is told among the conditions.
fn own_cards(scenario: &Path) -> Result<Vec<(&'static str, String)>, Faults> {
    const LISTED: usize = 10;
    let document = reading::document(scenario)?;
    let tree = tree(&document.source)?;
    let of = |key: &str| tree.get_ref().get(key).map(Spanned::get_ref);
    let changed: Vec<&str> = match of("changes") {
        Some(DeValue::Table(changes)) => changes.keys().map(|name| &**name.get_ref()).collect(),
        _ => Vec::new(),
    };
    let name = |card: &Spanned<DeValue<'_>>| {
        let name = card.get_ref().get("name")?;
        name.get_ref().as_str().map(str::to_owned)
    };
    let added: Vec<String> = match of("new_cards") {
        Some(DeValue::Array(cards)) => cards.iter().filter_map(name).collect(),
        _ => Vec::new(),
    };
    let added: Vec<&str> = added.iter().map(String::as_str).collect();
    let both = [(CHANGED, changed), (ADDED, added)].into_iter();
    let told = both.filter(|(_, names)| !names.is_empty());
    Ok(told.map(|(what, names)| (what, named(&names, LISTED))).collect())
}

/// A checked setup as a scenario that can be played.
fn playable(loaded: Loaded<Setup>) -> Scenario {
    let Loaded { name, common, setup, fingerprint, files, warnings, idle, own } = loaded;
    let setup = engine::of::<Splinterlands>(setup);
    Loaded { name, common, setup, fingerprint, files, warnings, idle, own }
}

/// Plays battles with the cards of a file; None when it was interrupted.
fn play(
    file: &Path,
    scenario: &Scenario,
    seed: u64,
    battles: NonZeroU64,
    arguments: &Arguments,
    terminal: &Terminal,
) -> Result<Option<Baseline>, Failure> {
    let (engine, layout) = (scenario.engine(), scenario.engine().layout());
    let detail = Detail { fighters: true, ..Detail::default() };
    let plan = Plan { seed, battles, threads: arguments.threads.threads, detail };
    let mut progress = Progress::new(terminal, false, battles.get());
    let finished = batch::run_whole(engine, plan, &mut |standing: &Standing<'_>| {
        progress.show(standing, layout, detail.measure);
        !interrupted()
    });
    progress.finish();
    let mut run = job::provenance(scenario, seed, battles.get(), finished.played);
    run.scenario = match is_other_than_usual(arguments) {
        false => format!("teams drawn from {}", file.display()),
        true => format!("{} with {}", scenario.name, file.display()),
    };
    Ok((!run.partial).then(|| Baseline::new(run, layout, &finished.tally)))
}

/// The cards that differ between two setups, and at which levels they differ and can be brought.
fn changed_cards([old, new]: [&Setup; 2]) -> Vec<CardChange> {
    let find = |catalogue: &'_ Catalogue, name: &str| catalogue.find(name).map(usize::from);
    let brought = [old, new].map(Setup::levels_by_card);
    let all_levels = |card: &Card| (1..).take(card.levels.len()).collect::<Vec<u8>>();
    let played = |which: usize, at: usize, card: &Card| {
        match (card.kind, brought[which].get(&(at as u16))) {
            (_, None) => Vec::new(),
            // A summoner is the same at all its levels.
            (CardKind::Summoner, Some(_)) => all_levels(card),
            (CardKind::Monster, Some(levels)) => levels.iter().copied().collect(),
        }
    };
    let alone = |fate: CardFate, which: usize, at: usize, card: &Card| CardChange {
        name: card.name.clone(),
        fate,
        what: Vec::new(),
        changed_levels: all_levels(card),
        played_levels: played(which, at, card),
    };
    let mut changes = Vec::new();
    for (at, card) in new.catalogue().iter().enumerate() {
        let Some(earlier) = find(old.catalogue(), &card.name) else {
            changes.push(alone(CardFate::New, 1, at, card));
            continue;
        };
        let earlier = &old.catalogue().cards[earlier];
        let what = differences(earlier, card);
        if !what.is_empty() {
            let is_other_as_a_whole = (earlier.faction, earlier.rarity, earlier.mana, earlier.kind)
                != (card.faction, card.rarity, card.mana, card.kind);
            let is_other = |level: &u8| {
                let at = usize::from(*level) - 1;
                is_other_as_a_whole || earlier.levels.get(at) != card.levels.get(at)
            };
            changes.push(CardChange {
                what,
                changed_levels: all_levels(card).into_iter().filter(is_other).collect(),
                ..alone(CardFate::Changed, 1, at, card)
            });
        }
    }
    for (at, card) in old.catalogue().iter().enumerate() {
        if find(new.catalogue(), &card.name).is_none() {
            changes.push(alone(CardFate::Gone, 0, at, card));
        }
    }
    changes
}

/// How the second file differs, and how sides with a changed card score with it.
struct Others {
    /// That, in a sentence.
    said: String,
    cards: Vec<Other>,
    /// How many cards are only counted.
    more: usize,
}

/// A card that is other in the second file.
struct Other {
    fate: CardFate,
    /// Its name, and what of it changed.
    what: String,
    /// The levels at which it is other, and how a side with it scores, each where there is something to say.
    notes: Vec<String>,
}

impl Others {
    /// `is_changed` says whether the scenario has changes of its own, which are made in both files. Scores are told where a
    /// level that changed was played.
    fn of(coverage: &Coverage, is_changed: bool, (comparison, verb): (&Comparison, &str)) -> Self {
        /// The most cards that are listed; more are only counted.
        const NAMED: usize = 20;
        let once =
            if is_changed { " once the scenario's own changes are made in both" } else { "" };
        if coverage.cards.is_empty() {
            let said = format!("The two files hold the same cards{once}.");
            return Self { said, cards: Vec::new(), more: 0 };
        }
        let cards = counted(coverage.cards.len() as u64, "card");
        let comma = if is_changed { "," } else { "" };
        let said = format!("What is other in the second file{comma}{once}: {cards}");
        let one = |card: &CardChange| Other {
            fate: card.fate,
            what: match card.fate {
                CardFate::New | CardFate::Gone => card.name.clone(),
                CardFate::Changed => format!("{}: {}", card.name, card.what.join(", ")),
            },
            notes: card
                .levels_in_words()
                .into_iter()
                .chain(scores(card, comparison, verb))
                .collect(),
        };
        Self {
            said,
            cards: coverage.cards.iter().take(NAMED).map(one).collect(),
            more: coverage.cards.len().saturating_sub(NAMED),
        }
    }

    /// As it is printed.
    fn page(&self, style: Style) -> String {
        let mut page = page::Page::new(style);
        page.line(&self.said);
        for card in &self.cards {
            let sign = match card.fate {
                CardFate::New => "+ ",
                CardFate::Gone => "- ",
                CardFate::Changed => "  ",
            };
            page.entry(sign, &card.what);
            card.notes.iter().for_each(|note| page.entry("      ", note));
        }
        if self.more > 0 {
            page.line(&format!("and {} more", self.more));
        }
        let mut text = page.into_text();
        text.push('\n');
        text
    }

    /// The cards in a sentence each, for a page that has no columns for signs.
    fn sentences(&self) -> Vec<String> {
        let one = |card: &Other| {
            let fate = match card.fate {
                CardFate::New => "New: ",
                CardFate::Gone => "Gone: ",
                CardFate::Changed => "",
            };
            let parts = std::iter::once(&card.what).chain(&card.notes);
            format!("{fate}{}.", parts.map(String::as_str).collect::<Vec<_>>().join("; "))
        };
        let more = (self.more > 0).then(|| format!("And {} more.", self.more));
        self.cards.iter().map(one).chain(more).collect()
    }
}

/// How a side with a changed card scores, where a level that changed was played.
fn scores(card: &CardChange, comparison: &Comparison, verb: &str) -> Vec<String> {
    if card.fate != CardFate::Changed || card.is_unplayed() {
        return Vec::new();
    }
    let is_its =
        |change: &&Change| change.quantity == Quantity::UnitScore && change.subject == card.name;
    let told = |change: &Change| {
        format!(
            "a side with it {verb} {} instead of {}: {}, with an interval of its own",
            rate(&change.new),
            rate(&change.baseline),
            points(&change.difference)
        )
    };
    comparison.changes.iter().filter(is_its).map(told).collect()
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
