//! `evens compare`: tests for changes between two baselines.

mod cards;

use std::collections::{BTreeMap, BTreeSet};
use std::ffi::{OsStr, OsString};
use std::io::ErrorKind;
use std::num::NonZeroU64;
use std::path::{Path, PathBuf};

use clap::Args;
use serde_json::json;

use super::output::{Outlet, announce};
use super::printed::{CardCovered, Changed, Covered, FileChanged, PAGE, Raised, print_results};
use super::report::{ReportFile, ReportTarget, notes_text};
use super::terminal::{Terminal, print, say_lines};
use super::{Exit, Failure, flags};
use crate::digest::fingerprint;
use crate::inputs::how_to_read;
use crate::scenario::{Fault, Faults, Output};
use crate::shell::argument;
use crate::studies::nightly::{
    self as study, About, Alarm, Baseline, CardChange, CardFate, Change, Compared, Comparison,
    Coverage, Leader, Limits, Quantity, Who,
};
use crate::table::{Content, Folder, Provenance, Table, Target};

const EXAMPLES: &str = "\
Examples:
  evens compare before/solforge-my.json after/solforge-my.json
  evens compare reports/baseline new --tolerance 1pp
  evens compare cards/old.csv cards/new.csv
  evens compare cards/old.csv cards/new.csv --scenario gold.toml

Two card files are played in the battles of `--scenario`. Those of
splinterlands/drawn-teams are of the silver league, where common monsters have
level 5, rare ones 4, epic ones 3 and legendary ones 2, with mana caps of 18,
22, 26 and 30 and drawn rulesets. A change at another level is not played there,
and the page says so. To ask about other levels, mana caps or rulesets, copy it
(`evens new drawn-teams gold.toml`), change `league`, `mana_caps` or
`[rulesets]` in the copy, and name that. `[changes]` of a scenario are made in
both files, and the page names them.";

#[derive(Args, Debug)]
#[command(after_help = EXAMPLES)]
pub(super) struct Arguments {
    /// The baseline: a file that `evens nightly --write` wrote, a folder of them, or a Splinterlands card file (`.csv`)
    baseline: PathBuf,
    /// What to compare with it: another such file, a folder with files of the same names, or another version of the card
    /// file: then teams are drawn from each, and what that changes for every card is told
    new: PathBuf,

    #[command(flatten)]
    judging: Judging,

    /// Of two card files: the scenario whose battles are played with the cards of each, a file or the name of a bundled one
    #[arg(long, value_name = "SCENARIO", default_value = cards::SCENARIO, help_heading = "What to play")]
    scenario: PathBuf,
    /// Of two card files: how many battles to play with each [default: 400000]
    #[arg(long, value_parser = flags::count, value_name = "N", help_heading = "What to play")]
    battles: Option<NonZeroU64>,
    /// Of two card files: the master seed
    #[arg(long, value_name = "N", value_parser = flags::seed, default_value = "1", help_heading = "What to play")]
    seed: u64,
    #[command(flatten)]
    threads: flags::Threads,

    /// Print one JSON object instead of a page
    #[arg(long, conflicts_with = "summary", help_heading = "What to print")]
    json: bool,
}

/// What counts, and where it is reported.
#[derive(Args, Debug)]
pub(super) struct Judging {
    /// The smallest change of a score that counts; for a metric the same part of its standard deviation, which is 1%
    /// at 0.5pp
    #[arg(
        long,
        value_name = "POINTS",
        default_value = "0.5pp",
        value_parser = flags::points_from_0,
        allow_hyphen_values = true,
        help_heading = "What counts"
    )]
    pub tolerance: f64,
    /// The family-wise error rate: the share of reports with any false alarm when nothing has changed, at most
    #[arg(
        long,
        value_name = "PERCENT",
        default_value = "1%",
        value_parser = percent,
        help_heading = "What counts"
    )]
    pub alarm_rate: f64,
    #[command(flatten)]
    pub measured: flags::Measured,
    #[command(flatten)]
    pub output: flags::Output,
    #[command(flatten)]
    pub report: ReportFile,
    /// Also write the report as Markdown, for the page of a CI job; `-` prints it instead of the usual report
    #[arg(long, value_name = "FILE", help_heading = "What to print")]
    pub summary: Option<PathBuf>,
    /// Also write the comparisons as JUnit XML, one test case each, which fails where it counts
    #[arg(long, value_name = "FILE", value_parser = flags::file(), help_heading = "What to print")]
    pub junit: Option<PathBuf>,
    /// Also print what counts on standard error in the form that this forge shows beside a change
    #[arg(long, value_enum, value_name = "FORGE", help_heading = "What to print")]
    pub annotations: Option<Forge>,
}

/// Whoever shows annotations.
#[derive(Clone, Copy, Debug, PartialEq, Eq, clap::ValueEnum)]
pub(super) enum Forge {
    /// GitHub's runners, and those of Gitea and Forgejo, which read the same.
    Github,
}

impl Judging {
    /// Adds the flags that say what counts to a command, where they differ from the defaults.
    pub(super) fn again(&self, command: &str) -> String {
        let mut text = command.to_owned();
        let usual = Limits::default();
        if (self.tolerance - usual.tolerance).abs() > 1e-12 {
            text += &format!(" --tolerance {}pp", (self.tolerance * 1e6).round() / 1e4);
        }
        if (self.alarm_rate - usual.alarm_rate).abs() > 1e-12 {
            text += &format!(" --alarm-rate {}%", (self.alarm_rate * 1e6).round() / 1e4);
        }
        if self.measured.measure != usual.measure {
            text += &format!(" --measure {}", flags::name_of(&self.measured.measure));
        }
        text
    }
}

/// Reads a percentage such as `1%` as a probability.
fn percent(text: &str) -> Result<f64, String> {
    flags::percent(text)
        .filter(|&share| 0.0 < share && share < 1.0)
        .ok_or_else(|| "write a percentage such as `1%`".to_owned())
}

/// Advice on how to get a baseline.
const REMEDY: &str = "write one with `evens nightly --write SCENARIO --baseline FOLDER`";

pub(super) fn run(arguments: &Arguments, terminal: &Terminal) -> Result<Exit, Failure> {
    let (old, new) = (&arguments.baseline, &arguments.new);
    if cards::are_cards(old, new) {
        return cards::run(arguments, terminal);
    }
    if let Some(cards) = [old, new].into_iter().find(|file| cards::is_card_file(file)) {
        return Err(Failure::Usage(format!(
            "{} is a card file, and the other is none: name two card files, or two baselines",
            cards.display()
        )));
    }
    let is_scenario = |file: &&PathBuf| file.extension().is_some_and(|of| of == "toml");
    if let Some(scenario) = [old, new].into_iter().find(is_scenario) {
        return Err(Failure::Usage(format!(
            "{} is a scenario: compare takes two baselines or two card files; `evens sweep` plays variants of a scenario side by \
             side",
            scenario.display()
        )));
    }
    let files = match (old.is_dir(), new.is_dir()) {
        (false, false) => vec![(old.clone(), new.clone())],
        (true, true) => paired(old, new)?,
        _ => {
            if let Some(missing) = [old, new].into_iter().find(|path| !path.exists()) {
                let fault = Fault::new("there is no such file or folder", REMEDY);
                return Err(Faults::one(missing.display().to_string(), fault).into());
            }
            let remedy = "name two files, or two folders";
            return Err(Failure::Usage(format!(
                "{} and {} are not of one kind: {remedy}",
                old.display(),
                new.display()
            )));
        }
    };
    let mut faulty = Vec::new();
    let mut pairs = Vec::new();
    for (old, new) in &files {
        match (Baseline::read(old, REMEDY), Baseline::read(new, REMEDY)) {
            (Ok(baseline), Ok(counts)) => match comparable(&baseline, &counts, old) {
                Ok(()) => pairs.push((baseline, counts)),
                Err(faults) => faulty.push(faults),
            },
            (old, new) => faulty.extend([old.err(), new.err()].into_iter().flatten()),
        }
    }
    if !faulty.is_empty() {
        return Err(Failure::Input(faulty));
    }
    let page = Page::open(&arguments.judging)?;
    let command = arguments.judging.again(&format!(
        "evens compare {} {}",
        argument(&old.display().to_string()),
        argument(&new.display().to_string())
    ));
    let reporting = Reporting {
        speeds: &[],
        write_again: &super::nightly::write_again(folder_of(old)),
        about: About {
            study: "compare",
            question: format!(
                "Has the balance changed from {} to {}?",
                old.display(),
                new.display()
            ),
            command,
            of_several_runs: true,
            ..About::default()
        },
        json: arguments.json.then_some("compare"),
        quiet: false,
        preface: None,
    };
    let comparison = page.compare(&pairs);
    page.tell(&comparison, reporting, terminal)
}

/// The folder of a baseline that was named by its file or by its folder.
fn folder_of(baseline: &Path) -> &Path {
    if baseline.is_dir() {
        return baseline;
    }
    match baseline.parent() {
        Some(parent) if parent != Path::new("") => parent,
        _ => Path::new("."),
    }
}

/// The baseline files in a folder, by name.
pub(super) fn files_in(folder: &Path) -> Result<BTreeMap<OsString, PathBuf>, Failure> {
    let unreadable = |error: std::io::Error| {
        let remedy = match error.kind() {
            ErrorKind::NotFound => REMEDY,
            _ => how_to_read(&error),
        };
        let fault = Fault::new(format!("cannot read {}: {error}", folder.display()), remedy);
        Failure::from(Faults::one(folder.display().to_string(), fault))
    };
    // Baselines that an ended command left under temporary names belong to the set.
    Folder::settle(folder)?;
    let mut files = BTreeMap::new();
    for entry in std::fs::read_dir(folder).map_err(unreadable)? {
        let path = entry.map_err(unreadable)?.path();
        let name = path.file_name().unwrap_or_default().to_owned();
        let is_hidden = name.to_string_lossy().starts_with('.');
        if path.extension().is_some_and(|ending| ending == "json") && !is_hidden {
            files.insert(name, path);
        }
    }
    Ok(files)
}

/// Pairs of files with the same name in two folders. A file without a counterpart is a fault: it would go unnoticed.
fn paired(old: &Path, new: &Path) -> Result<Vec<(PathBuf, PathBuf)>, Failure> {
    let (mut olds, mut news) = (files_in(old)?, files_in(new)?);
    let mut lonely = Vec::new();
    for (having, lacking, there) in [(&olds, &news, new), (&news, &olds, old)] {
        for (name, path) in having.iter().filter(|(name, _)| !lacking.contains_key(*name)) {
            let fault = format!("{} has no {} to compare it with", there.display(), name.display());
            let remedy = "put one there, or compare single files";
            lonely.push(Faults::one(path.display().to_string(), Fault::new(fault, remedy)));
        }
    }
    if !lonely.is_empty() {
        return Err(Failure::Input(lonely));
    }
    if olds.is_empty() {
        let fault = Fault::new(format!("there is no baseline in {}", old.display()), REMEDY);
        return Err(Faults::one(old.display().to_string(), fault).into());
    }
    let pair = |(name, old)| Some((old, news.remove(&name)?));
    Ok(std::mem::take(&mut olds).into_iter().filter_map(pair).collect())
}

/// Checks that two baselines are of the same game and have a match-up in common.
pub(super) fn comparable(baseline: &Baseline, new: &Baseline, file: &Path) -> Result<(), Faults> {
    let [old_game, new_game] = [baseline, new].map(|of| &of.run.game);
    let fault = if old_game != new_game {
        format!("the baseline is of {old_game}, and it is to be compared with {new_game}")
    } else if !baseline.shares_a_matchup(new) {
        format!("the baseline and {} have no match-up in common", new.run.scenario)
    } else {
        return Ok(());
    };
    let remedy = "compare runs of the same scenario; if it was changed on purpose, delete this file and \
                  write it again with `evens nightly --write`";
    Err(Faults::one(file.display().to_string(), Fault::new(fault, remedy)))
}

/// How a comparison is to be reported: what it cannot tell itself, and the output that is asked for.
#[derive(Clone)]
pub(super) struct Reporting<'t> {
    /// Battles a second, pair by pair; empty where nothing was played.
    pub speeds: &'t [f64],
    /// The command that writes baselines again, up to the names of their scenarios.
    pub write_again: &'t str,
    /// What the report is about.
    pub about: About,
    /// Name of the command, if it is to print JSON instead of a page.
    pub json: Option<&'static str>,
    /// Whether no page is wanted; a summary that is asked for is printed all the same.
    pub quiet: bool,
    /// Text that is printed before the page or the summary, and not before a table.
    pub preface: Option<&'t str>,
}

/// The provenance of a comparison: all of its new runs together.
fn provenance(comparison: &Comparison) -> Provenance {
    let runs = || comparison.pairs.iter().map(|pair| &pair.new);
    let games: BTreeSet<&str> = runs().map(|run| run.game.as_str()).collect();
    let names: Vec<&str> = runs().map(|run| run.scenario.as_str()).collect();
    let name = match names.len() {
        ..=3 => names.join(", "),
        many => format!("{many} scenarios"),
    };
    let prints = runs().map(|run| run.fingerprint.as_str());
    // Of two card files the first is played with the seed that was asked for, and the second with one of its own.
    let seed = comparison.pairs.first().map_or(0, |pair| match comparison.coverage {
        Some(_) => pair.baseline.seed,
        None => pair.new.seed,
    });
    let battles = runs().map(|run| run.battles_played).sum();
    let games = games.into_iter().collect::<Vec<_>>().join(", ");
    let mut provenance = Provenance::new(&games, &name, &fingerprint(prints), seed, battles);
    provenance.battles_played = battles;
    let of_baseline =
        |run: &Provenance| format!("{} {} {}", run.fingerprint, run.seed, run.battles_played);
    let mut settings: Vec<String> =
        comparison.pairs.iter().map(|pair| of_baseline(&pair.baseline)).collect();
    settings.push(format!("{:?}", comparison.limits));
    provenance.identified("compare", settings.iter().map(String::as_str))
}

/// Where a comparison is reported. Opened before anything is played, so that a bad path fails at once.
pub(super) struct Page {
    limits: Limits,
    summary: Summary,
    junit: Option<Target>,
    annotations: Option<Forge>,
    outlet: Outlet,
    report: Option<ReportTarget>,
}

enum Summary {
    /// None is asked for.
    None,
    /// It is printed instead of the usual report.
    Stdout,
    File(Target),
}

impl Page {
    /// The folder that tables go to, where no other run writes there.
    pub(super) fn own_folder(&self) -> Option<&Path> {
        self.outlet.own_folder()
    }

    /// Opens all files of the report.
    pub(super) fn open(judging: &Judging) -> Result<Self, Failure> {
        let is_printed = judging.summary.as_deref() == Some(Path::new("-"));
        if is_printed && judging.output.output.as_deref() == Some(OsStr::new("-")) {
            let refusal =
                "`-o -` and `--summary -` both go to standard output: give one of them a file";
            return Err(Failure::Usage(refusal.to_owned()));
        }
        let outlet =
            Outlet::open(&judging.output, &Output::default(), &[study::CHANGES.to_owned()])?;
        let report = judging.report.open(&outlet)?;
        let summary = judging.summary.as_deref().map(|path| ("--summary", path));
        let junit = judging.junit.as_deref().map(|path| ("--junit", path));
        outlet.spare(summary.into_iter().chain(junit))?;
        let measure = judging.measured.measure;
        let limits =
            Limits { tolerance: judging.tolerance, alarm_rate: judging.alarm_rate, measure };
        let summary = match judging.summary.as_deref() {
            None => Summary::None,
            Some(path) if path == Path::new("-") => Summary::Stdout,
            Some(path) => Summary::File(Target::open(path, Content::Summary)?),
        };
        let open = |path| Target::open(path, Content::TestCases);
        let junit = judging.junit.as_deref().map(open);
        let (junit, annotations) = (junit.transpose()?, judging.annotations);
        Ok(Self { limits, summary, junit, annotations, outlet, report })
    }

    /// Compares each baseline with its new run.
    pub(super) fn compare(&self, pairs: &[(Baseline, Baseline)]) -> Comparison {
        Comparison::new(pairs, self.limits)
    }

    /// Writes and prints the comparison. The exit code says whether any change counts.
    pub(super) fn tell(
        mut self,
        comparison: &Comparison,
        reporting: Reporting<'_>,
        terminal: &Terminal,
    ) -> Result<Exit, Failure> {
        let Reporting { speeds, write_again, about, json, quiet, preface } = reporting;
        let compared = Compared { comparison, speeds, write_again };
        let on_stdout = self.outlet.on_stdout;
        if self.outlet.takes_tables() || self.report.is_some() {
            let provenance = provenance(comparison);
            let draft = study::report(&compared, about);
            self.outlet.write(&study::table(&compared))?;
            self.outlet.note(notes_text(&draft.beside(&[study::CHANGES.to_owned()])));
            let written = self.outlet.finish(&provenance)?;
            if !quiet {
                announce(&written);
            }
            if let Some(report) = self.report.take() {
                report.fill(&provenance, draft, quiet || json.is_some())?;
            }
        }
        if let Some(junit) = self.junit {
            junit.fill(&study::junit(&compared))?;
        }
        match self.annotations {
            Some(Forge::Github) => say_lines(&study::github(&compared)),
            None => {}
        }
        let is_printed = matches!(self.summary, Summary::Stdout);
        if let Summary::File(file) = self.summary {
            file.fill(&study::markdown(&compared))?;
        }
        // Last, so that no file waits for the reader.
        if let Some(command) = json {
            let provenance = provenance(comparison);
            let results = (&provenance, &study::table(&compared));
            print_changes(command, comparison, &study::page(&compared, PAGE), results)?;
        } else {
            preface.filter(|_| !on_stdout).map_or(Ok(()), print)?;
            if is_printed {
                print(&study::markdown(&compared))?;
            } else if !on_stdout && !quiet {
                print(&study::page(&compared, terminal.style()))?;
            }
        }
        let regression = comparison.changes.iter().any(|change| change.counts);
        Ok(if regression { Exit::Regression } else { Exit::Success })
    }
}

/// What the battles with two card files cover, as JSON has it.
fn covered(coverage: &Coverage) -> Covered {
    let card = |card: &CardChange| CardCovered {
        card: card.name.clone(),
        fate: match card.fate {
            CardFate::New => "new",
            CardFate::Changed => "changed",
            CardFate::Gone => "gone",
        },
        what: card.what.clone(),
        changed_levels: card.changed_levels.clone(),
        played_levels: card.played_levels.clone(),
        played: !card.is_unplayed(),
    };
    let conditions = coverage.conditions.iter();
    Covered {
        scenario: coverage.scenario.clone(),
        conditions: conditions.map(|(name, what)| ((*name).to_owned(), what.clone())).collect(),
        cards: coverage.cards.iter().map(card).collect(),
    }
}

/// Prints all comparisons as JSON.
fn print_changes(
    command: &str,
    comparison: &Comparison,
    page: &str,
    (provenance, table): (&Provenance, &Table),
) -> Result<(), Failure> {
    let quantity = |quantity: &Quantity| match quantity {
        Quantity::Score(side) => format!("score {side}"),
        Quantity::Draws => "draws".to_owned(),
        Quantity::Undecided => "undecided".to_owned(),
        Quantity::ContenderScore | Quantity::UnitScore => "score".to_owned(),
        Quantity::Mean(metric) => metric.clone(),
        Quantity::Length => "rounds".to_owned(),
        Quantity::Order => "order".to_owned(),
    };
    let alarm = |at: usize| {
        let of_it = |alarm: &Alarm| alarm.shown == at || alarm.with.contains(&at);
        comparison.alarms.iter().position(of_it)
    };
    let leader = |leader: &Leader| match leader {
        Leader::Cards(names) => names.join(" and "),
        Leader::Figure(Who::Contender(name)) => name.clone(),
        Leader::Figure(Who::Unit(unit)) => unit.name.clone(),
        Leader::Figure(Who::Matchup(_) | Who::All) => String::new(),
    };
    let raised = |alarm: &Alarm| Raised {
        scenario: comparison.pairs[alarm.pair].new.scenario.clone(),
        leader: match leader(&alarm.leader) {
            name if name.is_empty() => comparison.changes[alarm.shown].subject.clone(),
            name => name,
        },
        is_changed_card: matches!(alarm.leader, Leader::Cards(_)),
        shown: alarm.shown,
        with: alarm.with.clone(),
    };
    let alarms: Vec<Raised> = comparison.alarms.iter().map(raised).collect();
    let changed = |(at, change): (usize, &Change)| Changed {
        scenario: comparison.pairs[change.pair].new.scenario.clone(),
        subject: change.subject.clone(),
        quantity: quantity(&change.quantity),
        baseline: change.baseline.value,
        new: change.new.value,
        difference: change.difference.value,
        difference_low: change.difference.low,
        difference_high: change.difference.high,
        p_adjusted: change.adjusted,
        counts: change.counts,
        alarm: alarm(at),
        paired: change.paired,
    };
    let changes: Vec<Changed> = comparison.changes.iter().enumerate().map(changed).collect();
    let files = comparison.pairs.iter().flat_map(|pair| {
        pair.files.iter().map(|change| FileChanged {
            scenario: pair.new.scenario.clone(),
            card: change.card.clone(),
            what: change.what.clone(),
        })
    });
    let files: Vec<FileChanged> = files.collect();
    let any = comparison.changes.iter().any(|change| change.counts);
    print_results(
        command,
        provenance,
        page,
        std::slice::from_ref(table),
        &[
            ("changes", json!(changes)),
            ("changed", json!(any)),
            ("alarms", json!(alarms)),
            ("file_changes", json!(files)),
            ("coverage", json!(comparison.coverage.as_ref().map(covered))),
        ],
    )
}
