//! Runs every block of code in the guides and the README: commands on the real program, and scenarios through its
//! check.
//!
//! A block runs as it stands, in a folder that belongs to its guide; only the number of battles is made small. A block
//! of TOML whose first line names the file (three backticks, `toml my.toml`) is written there before. What cannot run
//! here is listed below with the reason. [`printed`] plays all battles of the commands whose output a guide shows, and
//! compares the two.

mod printed;
mod tables;

use std::collections::BTreeSet;
use std::ffi::OsString;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Output;

use assert_cmd::Command;
use tempfile::TempDir;

/// A fenced block of a guide.
struct Block {
    language: String,
    /// The word after the language: for TOML the name of the file, or [`printed::NO_TEST`].
    name: Option<String>,
    /// The number of the first line of its text, from 1.
    line: usize,
    /// How many headings come before it, so that blocks of one section have the same number.
    section: usize,
    text: String,
}

fn blocks(guide: &str) -> Vec<Block> {
    let mut blocks: Vec<Block> = Vec::new();
    let mut is_open = false;
    let mut section = 0;
    for (at, line) in guide.lines().enumerate() {
        match line.trim_start().strip_prefix("```") {
            Some(_) if is_open => is_open = false,
            Some(info) => {
                let mut words = info.split_whitespace();
                let language = words.next().unwrap_or_default().to_owned();
                let name = words.next().map(str::to_owned);
                blocks.push(Block { language, name, line: at + 2, section, text: String::new() });
                is_open = true;
            }
            None if is_open => {
                let block = blocks.last_mut().unwrap();
                block.text.push_str(line);
                block.text.push('\n');
            }
            None if line.starts_with('#') => section += 1,
            None => {}
        }
    }
    assert!(!is_open, "a block is never closed");
    blocks
}

/// Beginnings of commands that are left out: other programs than ours, and what needs the network, hours, or a machine
/// of one's own. They are few, and each is run elsewhere (`.ci/run`) or only by hand.
const OTHERS: [&str; 12] = [
    "export AWS_",
    "cargo",
    "scripts/",
    ".venv/",
    "python3",
    "pip",
    "man",
    "source",
    "just",
    "git",
    "time ",
    "diff",
];

fn is_run_elsewhere(command: &str) -> bool {
    OTHERS.iter().any(|other| command.starts_with(other))
        || needs_records(command)
        // Only `scripts/test-s3` starts a store for these.
        || command.contains("s3://")
}

/// The commands of a block, one per line; lines that end in a backslash are joined with the next.
fn commands(text: &str) -> Vec<String> {
    let joined = text.replace("\\\n", " ");
    let lines =
        joined.lines().map(str::trim).filter(|line| !line.is_empty() && !line.starts_with('#'));
    lines.map(str::to_owned).collect()
}

/// A command of a guide with so few battles that it takes a moment, and otherwise unchanged.
fn quick(command: &str) -> String {
    const FEW: &str = "300";
    // The tests also run in builds without Parquet.
    let writes_tables = command.contains(" -o ") && !command.starts_with("evens report");
    let command = match writes_tables && !command.contains("--format") {
        true => insert(command, " --format csv"),
        false => command.to_owned(),
    };
    let parts = command.split('|').map(|part| {
        let words: Vec<&str> = part.split_whitespace().collect();
        let Some(at) = words.iter().position(|word| *word == "evens") else {
            return part.to_owned();
        };
        let name = words.get(at + 1).copied().unwrap_or_default();
        let is_asked_for_help = words.iter().any(|word| ["--help", "--version"].contains(word));
        let flag = match name {
            _ if is_asked_for_help => return part.to_owned(),
            "run" | "sweep" | "effects" | "best" | "tune" | "nightly" | "worth" => "--battles",
            "plan" => "--pilot",
            "compare" if part.contains(".csv") => "--battles",
            "trace" if words.contains(&"--pick") => "--among",
            _ => return part.to_owned(),
        };
        let until = words.iter().position(|word| *word == "--until");
        let mut text = part.trim_end().to_owned();
        if let Some(until) = until {
            let is_time = words[until + 1].starts_with(|letter: char| letter.is_ascii_digit());
            return match is_time {
                true => text.replace(words[until + 1], "0.2s"),
                // A part of a run names its battles itself.
                false if words.contains(&"--shard") => text,
                false => insert(&text, " --max-battles 2000"),
            };
        }
        // A flag that is given twice would be an error, so the guide's value is replaced.
        let given = words.iter().position(|word| *word == flag);
        // A value that is wrong on purpose stays wrong.
        if given.is_some_and(|given| words[given + 1] == "0") {
            return text;
        }
        text = match given {
            Some(given) => {
                text.replacen(&format!("{flag} {}", words[given + 1]), &format!("{flag} {FEW}"), 1)
            }
            None => insert(&text, &format!(" {flag} {FEW}")),
        };
        // The seed of a night depends on the day, and one night in a hundred raises an alarm: tests use the same seed
        // every day.
        if name == "nightly" && !words.contains(&"--seed") && !words.contains(&"--write") {
            text = insert(&text, " --seed 1");
        }
        if let Some(given) = words.iter().position(|word| *word == "--confirm") {
            text = text.replacen(&format!("--confirm {}", words[given + 1]), "--confirm 300", 1);
        }
        text
    });
    parts.collect::<Vec<_>>().join("|")
}

/// Adds arguments to a command, before the comment that follows it.
fn insert(command: &str, more: &str) -> String {
    match command.find(" #") {
        Some(at) => format!("{}{more}{}", &command[..at], &command[at..]),
        None => format!("{command}{more}"),
    }
}

/// The exit code that the comment beside a command names; 0 if it names none.
fn expected(command: &str) -> i32 {
    let named = command.split("exit code ").nth(1).and_then(|rest| rest.split_whitespace().next());
    named
        .and_then(|code| code.trim_end_matches(|of: char| !of.is_ascii_digit()).parse().ok())
        .unwrap_or(0)
}

/// The scenario `my.toml` that guides take for granted, unless they need another.
const MINE: &str = "game = \"splinterlands\"\nbattles = 500\nleague = \"silver\"\nillegal_teams = \"lose\"\n\
    [rulesets]\nonly = [\"Standard\", \"Earthquake\", \"Weak Magic\"]\n\
    [[teams]]\nname = \"Fire\"\nsummoner = \"Malric Inferno\"\nmonsters = [\"Pit Ogre\", \"Fire Beetle\"]\n\
    [[teams]]\nname = \"Water\"\nsummoner = \"Alric Stormbringer\"\nmonsters = [\"Medusa\", \"Sea Genie\"]\n\
    [sides]\na = [\"Fire\"]\nb = [\"Water\"]\n";

/// A folder in which the commands of one guide run, one after the other.
struct Folder {
    folder: TempDir,
    /// The search path, with the program that is tested before any other of its name.
    path: OsString,
}

impl Folder {
    /// A folder with the files that a guide takes for granted.
    fn new(guide: &str) -> Self {
        let binary = crate::program();
        let path = std::env::join_paths(
            std::iter::once(binary.parent().unwrap().to_owned())
                .chain(std::env::split_paths(&std::env::var_os("PATH").unwrap())),
        );
        let folder = Self { folder: TempDir::new().unwrap(), path: path.unwrap() };
        let root = Path::new(env!("CARGO_MANIFEST_DIR"));
        let mine = match guide {
            "nightly.md" => {
                fs::read_to_string(root.join("scenarios/solforge/dryad-and-patriarch.toml"))
                    .unwrap()
            }
            _ => MINE.to_owned(),
        };
        folder.write("my.toml", &mine);
        fs::create_dir_all(folder.folder.path().join("cards")).unwrap();
        let cards = root.join("scenarios/splinterlands/cards/2020-05.csv");
        let old = fs::read_to_string(cards).unwrap();
        folder.write("cards/new.csv", &old.lines().map(other).collect::<String>());
        folder.write("cards/old.csv", &old);
        folder
    }

    fn write(&self, file: &str, text: &str) {
        fs::write(self.folder.path().join(file), text).unwrap();
    }

    /// Runs a command as a reader without colours does, on a screen of 80 columns.
    fn run(&self, command: &str) -> Output {
        let shell = Command::new("sh")
            .current_dir(self.folder.path())
            .env("PATH", &self.path)
            .env("COLUMNS", "80")
            .env("NO_COLOR", "1")
            .args(["-c", command])
            .output();
        shell.unwrap()
    }
}

/// A line of a card file as it is in the second of two versions.
fn other(line: &str) -> String {
    if line.starts_with("Elemental Phoenix,") {
        return format!("{}\n", line.replace(",8,5,", ",6,5,"));
    }
    match line.strip_suffix(",1,") {
        Some(giant) if line.starts_with("Peaceful Giant,") => format!("{giant},3,\n"),
        _ => format!("{line}\n"),
    }
}

/// Runs the blocks of a guide, and returns what went wrong.
fn run(guide: &Path) -> Vec<String> {
    let name = guide.file_name().unwrap().to_string_lossy().into_owned();
    let folder = Folder::new(&name);
    let mut wrong = Vec::new();
    for block in blocks(&fs::read_to_string(guide).unwrap()) {
        let place = format!("{name}, line {}", block.line);
        match (block.language.as_str(), &block.name) {
            ("toml", Some(file)) => {
                folder.write(file, &block.text);
                let checked = folder.run(&format!("evens check {file}"));
                if !checked.status.success() {
                    wrong.push(format!("{place}: {}", String::from_utf8_lossy(&checked.stderr)));
                }
            }
            ("sh", _) => {
                for command in commands(&block.text) {
                    if is_run_elsewhere(&command) {
                        continue;
                    }
                    let output = folder.run(&quick(&command));
                    if output.status.code() != Some(expected(&command)) {
                        let told = String::from_utf8_lossy(&output.stderr);
                        wrong.push(format!(
                            "{place}: `{}`: {:?}: {told}",
                            quick(&command),
                            output.status.code()
                        ));
                    }
                }
            }
            _ => {}
        }
    }
    wrong
}

/// Whether a command needs recorded battles of the official game, which are not ours to give away;
/// `reference::conformance` replays our own.
fn needs_records(command: &str) -> bool {
    ["evens replay", "evens score", "evens import"].iter().any(|of| command.starts_with(of))
}

fn guides() -> Vec<PathBuf> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let docs = fs::read_dir(root.join("docs")).unwrap().map(|entry| entry.unwrap().path());
    let mut guides: Vec<PathBuf> =
        docs.filter(|path| path.extension().is_some_and(|of| of == "md")).collect();
    guides.push(root.join("README.md"));
    guides.sort();
    guides
}

#[test]
fn every_command_of_the_guides_runs() {
    let wrong: Vec<String> = guides().iter().flat_map(|guide| run(guide)).collect();
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

/// Every block is in a language that these tests know how to handle.
#[test]
fn every_block_says_what_it_is() {
    let known = BTreeSet::from(["sh", "text", "toml", "python", "sql", "yaml", "json", "csv"]);
    for guide in guides() {
        for block in blocks(&fs::read_to_string(&guide).unwrap()) {
            let language = block.language.as_str();
            assert!(
                known.contains(language),
                "{}, line {}: `{language}`",
                guide.display(),
                block.line
            );
        }
    }
}

/// Links between the guides lead to files that exist.
#[test]
fn links_lead_to_what_is_there() {
    for guide in guides() {
        let text = fs::read_to_string(&guide).unwrap();
        for link in text.split("](").skip(1).filter_map(|rest| rest.split(')').next()) {
            let path = link.split('#').next().unwrap();
            if path.is_empty() || path.contains("://") || path.contains(char::is_whitespace) {
                continue;
            }
            let there = guide.parent().unwrap().join(path);
            assert!(there.exists(), "{}: {link}", guide.display());
        }
    }
}

/// The index links to every chapter.
#[test]
fn the_index_lists_every_chapter() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("docs");
    let index = fs::read_to_string(root.join("README.md")).unwrap();
    for guide in guides() {
        let name = guide.file_name().unwrap().to_string_lossy().into_owned();
        assert!(name == "README.md" || index.contains(&format!("({name})")), "{name}");
    }
}
