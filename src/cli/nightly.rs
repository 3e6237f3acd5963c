//! `evens nightly`: plays scenarios and tests them for changes against their baselines, or writes the baselines.
//!
//! Whatever can be wrong with an input is found before the first battle, and nothing is written before the last.

use std::num::NonZeroU64;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use clap::Args;

use super::clock::today;
use super::compare::{Judging, Page, Reporting, comparable, files_in};
use super::exit::ended_early;
use super::interruption::{interrupted, setting_up};
use super::job;
use super::keeping::{Keep, Keeping, Part, Wanted as ToKeep};
use super::progress::Progress;
use super::reading;
use super::terminal::{Terminal, say};
use super::trend::History;
use super::until;
use super::{Exit, Failure, flags};
use crate::batch::{self, Detail, Forgetful, Keeper, Plan, Standing};
use crate::digest::fingerprint;
use crate::engine::Scenario;
use crate::partial::Asked;
use crate::report::figures::counted;
use crate::scenario::{Document, Fault, Faults};
use crate::shell::{argument, evens, flag};
use crate::studies::nightly::{
    About, BUNDLED, Baseline, PAIRED, PairedBattles, Settings, file_name,
};
use crate::table::Folder;
use crate::tally::Tally;

const EXAMPLES: &str = "\
Examples:
  evens nightly                        every baseline in the folder
  evens nightly --summary balance.md   and a page for a CI job
  evens nightly --seed 20778           that night again
  evens nightly --until 5m             in five minutes, whatever the machine
  evens nightly --write my.toml        write or renew a baseline

Exit code 4 says that a change counts.";

/// Flags that only a comparison heeds: they go neither with `--write` nor with flags that need it.
const COMPARING: [&str; 10] = [
    "tolerance",
    "alarm_rate",
    "measure",
    "summary",
    "junit",
    "annotations",
    "output",
    "report",
    "until",
    "history",
];

#[derive(Args, Debug)]
#[command(after_help = EXAMPLES)]
pub(super) struct Arguments {
    /// Scenario files, or names of bundled scenarios [default: all that have a baseline in the folder]
    scenarios: Vec<PathBuf>,

    /// The folder of the baselines, one file per scenario, named GAME-SCENARIO.json
    #[arg(
        long,
        value_name = "FOLDER",
        default_value = "reports/baseline",
        help_heading = "What to play"
    )]
    baseline: PathBuf,
    /// Write the baselines instead of comparing with them; into an empty folder, those of the bundled set
    #[arg(
        long,
        conflicts_with_all = COMPARING,
        help_heading = "What to play"
    )]
    write: bool,
    /// How many battles of each scenario to play [default: as many as its baseline holds; for a new baseline the
    /// scenario's number]
    #[arg(long, value_parser = flags::count, value_name = "N", help_heading = "What to play")]
    battles: Option<NonZeroU64>,
    /// The master seed of every scenario [default: the day, counted from 1 January 1970, so that every night has
    /// fresh random numbers; for a new baseline the scenario's]
    #[arg(long, value_name = "N", value_parser = flags::seed, help_heading = "What to play")]
    seed: Option<u64>,
    /// How many battles a baseline keeps one by one, to be played again every night with the same dice; 0 for none
    #[arg(
        long,
        value_name = "N",
        value_parser = flags::number::<u64>,
        default_value_t = PAIRED,
        requires = "write",
        conflicts_with_all = COMPARING,
        help_heading = "What to play"
    )]
    paired: u64,
    /// Play at most for so long, such as `5m`, every scenario an equal share of it
    #[arg(
        long,
        value_name = "TIME",
        value_parser = until::time,
        help_heading = "What to play"
    )]
    until: Option<Duration>,
    #[command(flatten)]
    threads: flags::Threads,

    #[command(flatten)]
    judging: Judging,

    /// Also add the night to the history in this folder, which `evens trend` reads: a file for each scenario and night
    #[arg(long, value_name = "FOLDER", help_heading = "What to write")]
    history: Option<PathBuf>,
    /// What the night is called there, such as the commit [default: the day]
    #[arg(
        long,
        value_name = "NAME",
        requires = "history",
        conflicts_with = "write",
        value_parser = label,
        help_heading = "What to write"
    )]
    label: Option<String>,

    #[command(flatten)]
    keep: Keep,

    #[command(flatten)]
    quiet: flags::Quiet,
}

pub(super) fn run(arguments: &Arguments, terminal: &Terminal) -> Result<Exit, Failure> {
    if arguments.quiet.json && arguments.judging.summary.as_deref() == Some(Path::new("-")) {
        let refusal =
            "--json and `--summary -` both go to standard output: give the summary a file";
        return Err(Failure::Usage(refusal.to_owned()));
    }
    if arguments.quiet.json && arguments.write {
        let refusal =
            "--json is for what a night finds, and --write compares nothing: leave out one of them";
        return Err(Failure::Usage(refusal.to_owned()));
    }
    let setting_up = setting_up();
    let entries = entries(arguments, terminal)?;
    drop(setting_up);
    if arguments.write {
        write(arguments, entries, terminal)
    } else {
        check(arguments, entries, terminal)
    }
}

/// A scenario of the night.
struct Entry {
    document: Document,
    scenario: Scenario,
    /// The file of its baseline.
    file: PathBuf,
    /// The baseline in it; None when there is none yet.
    baseline: Option<Baseline>,
    /// How many battles to play.
    battles: NonZeroU64,
}

/// Plays all scenarios and compares them with their baselines.
fn check(arguments: &Arguments, entries: Vec<Entry>, terminal: &Terminal) -> Result<Exit, Failure> {
    let page = Page::open(&arguments.judging)?;
    let label = arguments.label.as_deref();
    let names = || entries.iter().map(|entry| entry.scenario.name.as_str());
    let history = arguments.history.as_deref().map(|folder| History::open(folder, label, names()));
    let history = history.transpose()?;
    // A night that is resumed keeps its seed, whatever day it has become.
    let folder = page.own_folder();
    let kept = || arguments.keep.kept_seed(folder);
    let seed = arguments.seed.or_else(kept).map_or_else(today, Ok)?;
    let sample = || sample(&entries, seed);
    let keeping = keeping(arguments, folder, asked(arguments, &entries, seed), &sample)?;
    let goes_on = keeping.played_before() > 0;
    let mut pairs = Vec::new();
    let mut speeds = Vec::new();
    let night = Night { arguments, terminal, keeping: &keeping };
    let end = arguments.until.map(|time| Instant::now() + time);
    for (at, entry) in entries.iter().enumerate() {
        let Entry { file, baseline, .. } = entry;
        let baseline = baseline.clone().expect("a missing baseline is a fault");
        // What one scenario leaves of its share is shared by the others.
        let left = (entries.len() - at) as u32;
        let share = end.map(|end| end.saturating_duration_since(Instant::now()) / left);
        let kept = baseline.paired.as_ref().map(|kept| (kept.seed, kept.results.len() as u64));
        let Some((new, speed)) = night.play(entry, seed, kept, share)? else {
            return Ok(keeping.close(ended_early("nothing was compared")));
        };
        speeds.push(speed);
        comparable(&baseline, &new, file)?;
        pairs.push((baseline, new));
    }
    // The speed of battles that were played before is not known.
    let speeds = if goes_on { &[] } else { &speeds[..] };
    let command = again(arguments, seed);
    let reporting = Reporting {
        speeds,
        write_again: &write_again(&arguments.baseline),
        about: About {
            study: "nightly",
            question: "Has the balance changed since the baseline?".to_owned(),
            command,
            ..About::default()
        },
        json: arguments.quiet.json.then_some("nightly"),
        quiet: arguments.quiet.quiet,
        preface: None,
    };
    let comparison = page.compare(&pairs);
    if let Some(history) = history {
        history.add(&comparison, reporting.speeds)?;
    }
    Ok(keeping.close_and_forget(page.tell(&comparison, reporting, terminal)?))
}

/// The command that makes the same comparison again.
fn again(arguments: &Arguments, seed: u64) -> String {
    let mut text = format!("{} --seed {seed}", evens("nightly"));
    if arguments.baseline != Path::new("reports/baseline") {
        text += " ";
        text += &flag("--baseline", &arguments.baseline.display().to_string());
    }
    if let Some(battles) = arguments.battles {
        text += &format!(" --battles {battles}");
    }
    if let Some(time) = arguments.until {
        text += &format!(" --until {}s", time.as_secs_f64());
    }
    let mut text = arguments.judging.again(&text);
    for scenario in &arguments.scenarios {
        text += &format!(" {}", argument(&scenario.display().to_string()));
    }
    text
}

/// The job of a night, or of writing baselines. Where each scenario has its own seed, `seed` is 0, which is a seed like any
/// other: what is written says which it was.
fn asked(arguments: &Arguments, entries: &[Entry], seed: u64) -> Asked {
    let name = |entry: &Entry| {
        let Entry { scenario, battles, .. } = entry;
        ("scenario".to_owned(), format!("{}, {battles} battles", scenario.name))
    };
    let seeds = match arguments.seed {
        Some(_) => "with one seed for all scenarios",
        None => "with a seed of its own for each scenario",
    };
    let of_write = arguments.write.then(|| ("--write".to_owned(), seeds.to_owned()));
    let all = entries.iter().map(|entry| entry.scenario.fingerprint.as_str());
    Asked {
        command: "nightly".to_owned(),
        scenario: arguments.baseline.display().to_string(),
        fingerprint: fingerprint(all),
        seed,
        battles: entries.iter().map(|entry| entry.battles.get()).sum(),
        settings: of_write.into_iter().chain(entries.iter().map(name)).collect(),
        besides: Vec::new(),
    }
}

/// A digest of how a few battles of every scenario end.
fn sample(entries: &[Entry], seed: u64) -> String {
    let of_each = entries.iter().map(|entry| batch::sample(entry.scenario.engine(), seed));
    let of_each: Vec<String> = of_each.collect();
    fingerprint(of_each.iter().map(String::as_str))
}

/// Opens what keeps the plays of all scenarios.
fn keeping<'k>(
    arguments: &Arguments,
    folder: Option<&Path>,
    asked: Asked,
    sample: &'k dyn Fn() -> String,
) -> Result<Keeping<'k>, Failure> {
    let wanted = ToKeep::of_plays_in_turn(asked, sample);
    let folder = arguments.keep.only_if_asked(folder);
    Keeping::open(&arguments.keep, Part::default(), folder, arguments.quiet.quiet, wanted)
}

/// Plays all scenarios and writes their baselines, every one or none.
fn write(arguments: &Arguments, entries: Vec<Entry>, terminal: &Terminal) -> Result<Exit, Failure> {
    let folder = Folder::open(&arguments.baseline)?;
    let seed = arguments.seed.unwrap_or(0);
    let sample = || sample(&entries, seed);
    let keeping = keeping(arguments, None, asked(arguments, &entries, seed), &sample)?;
    let mut files = Vec::new();
    let mut paths = Vec::new();
    let night = Night { arguments, terminal, keeping: &keeping };
    for entry in &entries {
        let Entry { scenario, file, battles, .. } = entry;
        let mut staged = folder.stage(&file.file_name().unwrap_or_default().to_string_lossy())?;
        let seed = arguments.seed.unwrap_or(scenario.common.seed);
        // The battles that are kept one by one have the scenario's own seed, whatever seed its counts are of, so that
        // two baselines have them in common.
        let kept = (scenario.common.seed, arguments.paired.min(battles.get()));
        let Some((new, _)) = night.play(entry, seed, Some(kept), None)? else {
            return Ok(keeping.close(ended_early("nothing was written")));
        };
        staged.write(&new.to_json())?;
        files.push(staged);
        paths.push(file);
    }
    folder.commit(files)?;
    for path in &paths {
        say(&format!("wrote {}\n", path.display()));
    }
    // This is only a remark: it must not fail what was written.
    for path in files_in(&arguments.baseline).unwrap_or_default().into_values() {
        if !paths.contains(&&path) && Baseline::read(&path, "").is_err() {
            let path = path.display();
            say(&format!(
                "{path} cannot be read as a baseline, so a night of all baselines in the folder stops at it: move it elsewhere, or \
                 write it again\n"
            ));
        }
    }
    Ok(keeping.close_and_forget(Exit::Success))
}

/// The command that writes baselines to this folder.
pub(super) fn write_again(folder: &Path) -> String {
    if folder == Path::new("reports/baseline") {
        return format!("{} --write", evens("nightly"));
    }
    format!("{} --baseline {} --write", evens("nightly"), argument(&folder.to_string_lossy()))
}

/// A scenario that is to be played, before it is read.
struct Wanted {
    scenario: String,
    /// The baseline that names it, and its file.
    known: Option<(PathBuf, Baseline)>,
    /// How many battles its first baseline is to hold, if not the scenario's number.
    battles: Option<u64>,
}

/// Reads and checks all scenarios that are to be played; the error holds everything that is wrong with them.
fn entries(arguments: &Arguments, terminal: &Terminal) -> Result<Vec<Entry>, Failure> {
    let mut entries: Vec<Entry> = Vec::new();
    let mut faulty = Vec::new();
    for wanted in wanted(arguments)? {
        let scenario = wanted.scenario.clone();
        match entry(arguments, wanted, terminal) {
            Ok(entry) => {
                if let Some(other) = entries.iter().find(|other| other.file == entry.file) {
                    return Err(one_file(&entry.file, &other.scenario.name, &scenario));
                }
                let is_same = |other: &&Entry| is_one(&other.scenario.name, &entry.scenario.name);
                if let Some(other) = entries.iter().find(is_same) {
                    return Err(two_files([&other.file, &entry.file], &scenario));
                }
                entries.push(entry);
            }
            Err(Failure::Input(inputs)) => faulty.extend(inputs),
            Err(other) => return Err(other),
        }
    }
    if faulty.is_empty() { Ok(entries) } else { Err(Failure::Input(faulty)) }
}

/// The failure when two scenarios would have their baselines in one file.
fn one_file(file: &Path, one: &str, other: &str) -> Failure {
    let file = file.display();
    Failure::Usage(match is_one(one, other) {
        true => format!("{one} is named twice, and has one baseline, {file}: name it once"),
        false => format!(
            "{one} and {other} would both have the baseline {file}: rename one of the two scenarios, or give one another \
             folder with --baseline"
        ),
    })
}

/// The failure when two baselines are of one scenario, which would be played and judged twice.
fn two_files(files: [&Path; 2], scenario: &str) -> Failure {
    let [one, other] = files.map(Path::display);
    Failure::Usage(format!(
        "{one} and {other} are both baselines of {scenario}: move away the one that is no longer wanted"
    ))
}

/// Reads the label of a night: one line of a table.
fn label(text: &str) -> Result<String, &'static str> {
    match text.trim().is_empty() || text.chars().any(char::is_control) {
        true => Err("a night's name is one line that is not empty; without --label it is the day"),
        false => Ok(text.to_owned()),
    }
}

/// Whether two names of scenarios mean the same one.
fn is_one(one: &str, other: &str) -> bool {
    let place = |name: &str| std::fs::canonicalize(name).ok();
    one == other || place(one).is_some_and(|one| place(other) == Some(one))
}

/// The scenarios to play: those given; else those that have a baseline; else, when baselines are to be written, the
/// bundled set with its numbers of battles.
fn wanted(arguments: &Arguments) -> Result<Vec<Wanted>, Failure> {
    let named =
        |scenario: &str, battles| Wanted { scenario: scenario.to_owned(), known: None, battles };
    if !arguments.scenarios.is_empty() {
        let name = |path: &PathBuf| match path.to_str() {
            Some("-") if arguments.write => Err(Failure::Usage(
                "a later night could not read standard input again: name the file of the scenario"
                    .to_owned(),
            )),
            Some(scenario) => Ok(named(scenario, None)),
            None => Err(Failure::Usage(format!(
                "{}: a baseline names its scenario, and this name is no UTF-8: rename the file",
                path.display()
            ))),
        };
        return arguments.scenarios.iter().map(name).collect();
    }
    let folder = &arguments.baseline;
    let files = if folder.is_dir() { files_in(folder)? } else { Default::default() };
    if files.is_empty() && arguments.write {
        return Ok(BUNDLED.iter().map(|&(name, battles)| named(name, Some(battles))).collect());
    }
    if files.is_empty() {
        let fault = format!("there is no baseline in {}", folder.display());
        let remedy = format!(
            "`{write}` writes those of the bundled scenarios, `{write} SCENARIO` that of your own",
            write = write_again(&arguments.baseline)
        );
        return Err(Faults::one(folder.display().to_string(), Fault::new(fault, remedy)).into());
    }
    let mut wanted = Vec::new();
    let mut faulty = Vec::new();
    for path in files.into_values() {
        match Baseline::read(&path, &remedy(arguments, "SCENARIO")) {
            Ok(baseline) => wanted.push(Wanted {
                scenario: baseline.run.scenario.clone(),
                known: Some((path, baseline)),
                battles: None,
            }),
            Err(faults) => faulty.push(faults),
        }
    }
    if faulty.is_empty() { Ok(wanted) } else { Err(Failure::Input(faulty)) }
}

/// What to do about a baseline that is missing or spoilt.
fn remedy(arguments: &Arguments, scenario: &str) -> String {
    format!("write it with `{} {}`", write_again(&arguments.baseline), argument(scenario))
}

/// The fault of a baseline whose scenario cannot be read: most often it was renamed.
fn without_scenario(arguments: &Arguments, baseline: &Path, faults: Faults) -> Faults {
    let faults = faults.unquoted();
    let file = baseline.display().to_string();
    let why = faults.faults.iter().map(|fault| fault.message.as_str()).collect::<Vec<_>>();
    let fault = Fault::new(
        format!(
            "{file} is the baseline of {}, which cannot be read: {}",
            faults.name,
            why.join("; ")
        ),
        format!(
            "start it in the folder where the baseline was written, from which its scenario is named; where the scenario was \
             renamed, write another baseline with `{} SCENARIO`, and remove {file}",
            write_again(&arguments.baseline)
        ),
    );
    Faults::one(file, fault)
}

fn entry(arguments: &Arguments, wanted: Wanted, terminal: &Terminal) -> Result<Entry, Failure> {
    let Wanted { scenario, known, battles } = wanted;
    let path = Path::new(&scenario);
    let document = match &known {
        Some((file, _)) => {
            reading::noted(path).map_err(|faults| without_scenario(arguments, file, faults))
        }
        None => reading::document(path),
    }?;
    let loaded = Scenario::of(&document).map_err(|faults| match &known {
        Some(_) => faults.unquoted(),
        None => faults,
    })?;
    let game = loaded.engine().game();
    let (file, baseline) = match known {
        Some((file, baseline)) => (file, Some(baseline)),
        None => {
            let file = arguments.baseline.join(file_name(game, &scenario));
            // A file that is no baseline is not written over: it may be somebody's work.
            let is_new = arguments.write && !file.exists();
            let read = || Baseline::read(&file, &remedy(arguments, &scenario));
            let baseline = (!is_new).then(read).transpose()?;
            let owner = baseline.as_ref().map(|baseline| baseline.run.scenario.as_str());
            if let Some(owner) = owner.filter(|owner| !is_one(owner, &loaded.name)) {
                let (file, name) = (file.display(), &loaded.name);
                // The baseline of another scenario is somebody's work as well.
                if arguments.write {
                    return Err(Failure::Usage(format!(
                        "{file} is the baseline of {owner}, and {name} would take its place: rename one of the two scenarios, \
                         give one another folder with --baseline, or remove the file if it is no longer wanted"
                    )));
                }
                // A file may have moved, or be the next version; a bundled scenario is neither.
                if document.is_bundled() {
                    return Err(Failure::Usage(format!(
                        "{file} is the baseline of {owner}, and {name} is another scenario, a bundled one: name {owner}, or \
                         say with --baseline where that of {name} is"
                    )));
                }
            }
            (file, baseline)
        }
    };
    reading::warn(&loaded.all_warnings(), terminal);
    let scenario = loaded;
    let held = baseline.as_ref().map(|baseline| baseline.run.battles_played).or(battles);
    let battles = arguments
        .battles
        .or(held.and_then(NonZeroU64::new))
        .unwrap_or_else(|| scenario.common.battles());
    Ok(Entry { document, scenario, file, baseline, battles })
}

/// What is needed to play a scenario of the night.
struct Night<'n, 'k> {
    arguments: &'n Arguments,
    terminal: &'n Terminal,
    keeping: &'n Keeping<'k>,
}

impl Night<'_, '_> {
    /// Plays a scenario's battles: first those that are kept one by one, if any (`kept` is their seed and number), then
    /// those that are counted. Returns the counts, and how many battles a second were counted; None when it was
    /// interrupted. A share of time ends it sooner; the battles kept one by one take at most half of it.
    fn play(
        &self,
        entry: &Entry,
        seed: u64,
        kept: Option<(u64, u64)>,
        share: Option<Duration>,
    ) -> Result<Option<(Baseline, f64)>, Failure> {
        let Entry { document, scenario, battles, .. } = entry;
        let (arguments, engine) = (self.arguments, scenario.engine());
        let threads = arguments.threads.threads;
        if !arguments.quiet.quiet {
            say(&format!("playing {}, {}\n", scenario.name, counted(battles.get(), "battle")));
        }
        let end = share.map(|share| Instant::now() + share);
        let middle = share.map(|share| Instant::now() + share / 2);
        let is_over = |end: Option<Instant>| end.is_some_and(|end| Instant::now() >= end);
        let paired = kept.filter(|&(_, battles)| battles > 0).map(|(seed, battles)| {
            let mut go_on = |_| !interrupted() && !is_over(middle);
            PairedBattles::play(engine, seed, battles, threads, &mut go_on)
        });
        if interrupted() {
            return Ok(None);
        }
        let began = Instant::now();
        let Some((tally, played)) = self.count(scenario, seed, *battles, end) else {
            return Ok(None);
        };
        let took = began.elapsed().max(Duration::from_nanos(1)).as_secs_f64();
        if played < battles.get() && !arguments.quiet.quiet {
            let played = counted(played, "battle");
            say(&format!("{}: the time is over after {played}\n", scenario.name));
        }
        let run = job::provenance(scenario, seed, played, played);
        let mut counts = Baseline::new(run, engine.layout(), &tally);
        let took_part = paired.as_ref().and_then(|paired| paired.took_part.as_ref());
        let names = match took_part {
            Some(took_part) => took_part.names(),
            None => engine.layout().units.iter().map(|unit| unit.name.as_str()).collect(),
        };
        counts.settings = Some(Settings::of(document, engine, &names)?);
        counts.paired = paired;
        Ok(Some((counts, played as f64 / took)))
    }

    /// Plays so many battles, or as many as there is time for; None when it was interrupted.
    fn count(
        &self,
        scenario: &Scenario,
        seed: u64,
        battles: NonZeroU64,
        end: Option<Instant>,
    ) -> Option<(Tally, u64)> {
        let (arguments, engine) = (self.arguments, scenario.engine());
        let layout = engine.layout();
        let detail = Detail { fighters: layout.units_are_drawn, ..Detail::default() };
        let plan = Plan { seed, battles, threads: arguments.threads.threads, detail };
        let progress = Progress::new(self.terminal, arguments.quiet.quiet, battles.get());
        let mut progress = progress.besides(self.keeping.done_before());
        let mut stage = self.keeping.stage(&scenario.name, String::new());
        let mut go_on = |standing: &Standing<'_>| {
            progress.show(standing, layout, detail.measure);
            !interrupted() && end.is_none_or(|end| Instant::now() < end)
        };
        // When a time ends the battles, their number is not known beforehand, so there is nothing to resume.
        let keeper: &mut dyn Keeper<Tally> =
            if end.is_some() { &mut Forgetful } else { &mut stage };
        let finished = batch::run_kept(engine, plan, None, None, keeper, &mut go_on);
        let finished = finished.expect("only rows can fail");
        progress.finish();
        let is_whole = finished.played == battles.get() || end.is_some() && !interrupted();
        is_whole.then_some((finished.tally, finished.played))
    }
}
