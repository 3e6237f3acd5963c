//! What happens when the system tells a program to end.
#![cfg(unix)]

use std::io::{BufRead, BufReader, Read as _};
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

use super::{Desk, duel, signal, until_it_has_worked, until_it_plays};

impl Desk {
    /// Starts the program, sends it a signal while it plays, and returns its exit code and what it wrote to standard
    /// error.
    pub(super) fn interrupted(&self, arguments: &[&str], name: &str) -> (i32, String) {
        let errors = std::fs::File::create(self.path().join("said")).unwrap();
        let mut child = Command::new(crate::program())
            .args(arguments)
            .current_dir(self.path())
            .stdout(Stdio::null())
            .stderr(errors)
            .spawn()
            .unwrap();
        until_it_plays(&child);
        signal(&child, name);
        let deadline = Instant::now() + Duration::from_secs(60);
        while Instant::now() < deadline {
            if let Some(status) = child.try_wait().unwrap() {
                let said = self.read("said");
                std::fs::remove_file(self.path().join("said")).unwrap();
                return (status.code().unwrap_or(-1), said);
            }
            std::thread::sleep(Duration::from_millis(20));
        }
        child.kill().unwrap();
        child.wait().unwrap();
        panic!("{arguments:?} does not end on {name}");
    }
}

impl Desk {
    /// Starts the program, interrupts it once its progress reports this many battles, and returns its exit code and
    /// what it printed.
    pub(super) fn interrupted_after(&self, battles: u64, arguments: &[&str]) -> (i32, String) {
        let printed = std::fs::File::create(self.path().join("printed")).unwrap();
        let mut child = Command::new(crate::program())
            .args(arguments)
            .args(["--progress", "json"])
            .current_dir(self.path())
            .stdout(printed)
            .stderr(Stdio::piped())
            .spawn()
            .unwrap();
        let lines = BufReader::new(child.stderr.take().unwrap()).lines();
        let done = |line: String| {
            let told: serde_json::Value = serde_json::from_str(&line).ok()?;
            told["progress"]["done"].as_u64()
        };
        let mut is_told = false;
        for line in lines {
            // Only one signal: a second one would end the program without a word.
            if !is_told && done(line.unwrap()).is_some_and(|done| done >= battles) {
                signal(&child, "INT");
                is_told = true;
            }
        }
        let status = child.wait().unwrap();
        (status.code().unwrap_or(-1), self.read("printed"))
    }
}

#[test]
fn whatever_the_signal_what_is_complete_is_written_and_marked_partial() {
    for name in ["INT", "TERM", "HUP"] {
        let desk = Desk::new();
        let run = ["run", "splinterlands/mirror", "--battles", "100000000000", "-o", "results"];
        let run: Vec<&str> =
            run.into_iter().chain(["--format", "csv", "--table", "outcomes"]).collect();
        assert_eq!(desk.interrupted(&run, name).0, 5, "{name}");
        let text = desk.read("results/provenance.json");
        let provenance: serde_json::Value = serde_json::from_str(&text).unwrap();
        assert_eq!(provenance["run"]["partial"], true, "{name}");
        assert!(provenance["run"]["battles_played"].as_u64().unwrap() > 0);
        let files = ["checkpoint", "outcomes.csv", "provenance.json", "report.json"];
        assert_eq!(desk.files("results"), files);
    }
}

/// The page of an interrupted run says what it was to end by, not the cap on its battles.
#[test]
fn a_run_that_was_to_end_by_itself_says_what_it_was_to_end_by() {
    let desk = Desk::new();
    let run = ["run", "splinterlands/mirror", "--table", "outcomes", "--until"];
    for (until, told) in [
        ("10m", "Ended before its time was over."),
        (
            "margin=0.0001pp",
            "it was to play until `margin=0.0001pp`, and not more than 100,000,000",
        ),
    ] {
        let (exit, page) = desk.interrupted_after(1, &[&run[..], &[until]].concat());
        assert_eq!(exit, 5);
        assert!(page.replace('\n', " ").contains(told), "{page}");
    }
}

#[test]
fn every_long_command_ends_with_the_same_exit_code() {
    let desk = Desk::new();
    desk.write("duel.toml", &duel(""));
    let many = "100000000000";
    for arguments in [
        &["tune", "splinterlands/archetypes", "--battles", many][..],
        &[
            "sweep",
            "splinterlands/sweep-health",
            "--battles",
            many,
            "-o",
            "sweep",
            "--format",
            "csv",
        ],
        &[
            "effects",
            "splinterlands/archetypes",
            "--battles",
            many,
            "-o",
            "effects",
            "--format",
            "csv",
        ],
        &["exact", "sanctum/mixed-groups", "--ways", "100000000000", "--states", "100000000"],
        &["nightly", "--write", "duel.toml", "--battles", many],
    ] {
        let (exit, told) = desk.interrupted(arguments, "TERM");
        assert_eq!(exit, 5, "{arguments:?}: {told}");
    }
    // Each record is simulated this many times.
    desk.write("results.jsonl", &super::score::results());
    let (exit, told) = desk.interrupted(&["score", "results.jsonl", "--runs", many], "TERM");
    assert_eq!(exit, 5, "{told}");
    let files = ["checkpoint", "provenance.json", "report.json", "sweep.csv"];
    assert_eq!(desk.files("sweep"), files);
    assert!(!desk.path().join("reports").exists(), "nothing was written, so no folder is left");
}

/// `tune` can also be ended between two plays, while it fits weights to many resampled tallies, and while it plays
/// fresh battles.
#[test]
fn tuning_ends_at_any_time_with_exit_code_5() {
    let desk = Desk::new();
    let tune = ["tune", "splinterlands/drawn-teams", "--even", "summoner", "--battles", "20000"];
    // More fresh battles than any machine plays before the signal comes.
    let tune = [&tune[..], &["--confirm", "1000000000"]].concat();
    let (exit, told) = desk.interrupted(&tune, "INT");
    assert_eq!(exit, 5, "{told}");
    assert!(told.contains("ended early"), "{told}");
}

/// A play that was over before the signal is kept, also where the next one has not begun: the search for patches takes its time
/// in between.
#[test]
fn what_a_search_has_played_is_kept_between_two_plays() {
    let desk = Desk::new();
    desk.page(&["new", "splinterlands", "mine.toml"]);
    let tune = ["tune", "mine.toml", "--stats", "--edits", "1", "--battles", "3000", "-o", "found"];
    let (exit, _) = desk.interrupted_after(3000, &tune);
    assert_eq!(exit, 5);
    assert_eq!(desk.files("found"), ["checkpoint"]);
    let output = desk.evens(&[&tune[..], &["--format", "csv"]].concat());
    assert_eq!(super::code(&output), 0, "{}", super::stderr(&output));
    assert!(super::stderr(&output).contains("going on"), "{}", super::stderr(&output));
}

#[test]
fn a_second_signal_ends_at_once_and_leaves_nothing() {
    let desk = Desk::new();
    let mut child = Command::new(crate::program())
        .args(["run", "splinterlands/mirror", "--battles", "100000000000", "-q", "-o", "results"])
        .args(["--format", "csv"])
        .current_dir(desk.path())
        .spawn()
        .unwrap();
    until_it_plays(&child);
    signal(&child, "TERM");
    std::thread::sleep(Duration::from_millis(300));
    signal(&child, "HUP");
    assert_eq!(child.wait().unwrap().code(), Some(5));
    let files = desk.files("results");
    assert!(files.iter().all(|name| !name.starts_with('.')), "{files:?}");
}

/// Two signals in a row count as one: `timeout` sends one to the program and one to its group.
#[test]
fn a_signal_that_comes_twice_at_once_is_one() {
    let desk = Desk::new();
    let mut child = Command::new(crate::program())
        .args(["run", "splinterlands/mirror", "--battles", "100000000000", "-q", "-o", "results"])
        .args(["--format", "csv", "--table", "outcomes"])
        .current_dir(desk.path())
        .stdout(Stdio::null())
        .spawn()
        .unwrap();
    until_it_plays(&child);
    signal(&child, "TERM");
    signal(&child, "TERM");
    assert_eq!(child.wait().unwrap().code(), Some(5));
    let files = ["checkpoint", "outcomes.csv", "provenance.json", "report.json"];
    assert_eq!(desk.files("results"), files);
}

impl Desk {
    /// Starts a run that writes its tables and prints more than a pipe holds, and sends it Ctrl-C once it prints. Returns it
    /// with the byte that was read.
    fn interrupted_while_it_prints(&self) -> (Child, u8) {
        let run = ["run", "splinterlands/drawn-teams", "--battles", "2000", "--json"];
        let mut child = Command::new(crate::program())
            .args(run)
            .args(["--progress", "none", "-o", "results", "--format", "csv"])
            .current_dir(self.path())
            .stdout(Stdio::piped())
            .spawn()
            .unwrap();
        let mut first = [0];
        child.stdout.as_mut().unwrap().read_exact(&mut first).unwrap();
        signal(&child, "INT");
        (child, first[0])
    }

    fn is_whole(&self) -> bool {
        let provenance = self.read("results/provenance.json");
        let provenance: serde_json::Value = serde_json::from_str(&provenance).unwrap();
        provenance["run"]["partial"] == false
    }
}

impl Desk {
    /// Waits for the end of a command whose reader takes no more, and returns its exit code.
    fn ends_without_a_reader(mut child: Child) -> Option<i32> {
        let deadline = Instant::now() + Duration::from_secs(20);
        loop {
            if let Some(status) = child.try_wait().unwrap() {
                return status.code();
            }
            if Instant::now() > deadline {
                child.kill().unwrap();
                child.wait().unwrap();
                panic!("it waits for its reader");
            }
            std::thread::sleep(Duration::from_millis(20));
        }
    }
}

/// A pager that is left alone takes no more than a screen, and the write never returns.
#[test]
fn a_reader_that_waits_keeps_no_command_from_ending() {
    let desk = Desk::new();
    let (child, _) = desk.interrupted_while_it_prints();
    assert_eq!(Desk::ends_without_a_reader(child), Some(5));
    assert!(desk.is_whole(), "the tables were complete before");
}

/// The same holds of a table on standard output, whether it is written in the end or while battles are played.
#[test]
fn a_reader_of_a_table_that_waits_keeps_no_command_from_ending() {
    let desk = Desk::new();
    for table in ["unit_pairs", "battles"] {
        let run = ["run", "splinterlands/drawn-teams", "--battles", "20000", "-q", "-o", "-"];
        let mut child = Command::new(crate::program())
            .args(run)
            .args(["--table", table])
            .current_dir(desk.path())
            .stdout(Stdio::piped())
            .spawn()
            .unwrap();
        child.stdout.as_mut().unwrap().read_exact(&mut [0]).unwrap();
        // Until the pipe is full.
        std::thread::sleep(Duration::from_millis(500));
        signal(&child, "INT");
        assert_eq!(Desk::ends_without_a_reader(child), Some(5), "{table}");
    }
    assert!(desk.files(".").is_empty());
}

/// All battles are played by then, so that there is nothing for the signal to end early.
#[test]
fn a_slow_reader_gets_everything() {
    let desk = Desk::new();
    let (mut child, first) = desk.interrupted_while_it_prints();
    let mut printed = vec![first];
    let mut output = child.stdout.take().unwrap();
    let began = Instant::now();
    loop {
        // For three times as long as nothing may be taken.
        if began.elapsed() < Duration::from_secs(3) {
            std::thread::sleep(Duration::from_millis(250));
        }
        let mut piece = [0; 1 << 13];
        match output.read(&mut piece).unwrap() {
            0 => break,
            read => printed.extend_from_slice(&piece[..read]),
        }
    }
    assert_eq!(child.wait().unwrap().code(), Some(0));
    serde_json::from_slice::<serde_json::Value>(&printed).unwrap();
    assert!(desk.is_whole());
}

#[cfg(target_os = "linux")]
#[test]
fn a_run_under_nohup_outlives_its_terminal() {
    let desk = Desk::new();
    let mut child = Command::new("nohup")
        .arg(crate::program())
        .args(["run", "splinterlands/mirror", "--battles", "100000000000", "-q"])
        .current_dir(desk.path())
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .spawn()
        .unwrap();
    until_it_plays(&child);
    signal(&child, "HUP");
    until_it_has_worked(&child, Duration::from_millis(1500));
    assert!(child.try_wait().unwrap().is_none(), "a hangup is ignored");
    signal(&child, "TERM");
    assert_eq!(child.wait().unwrap().code(), Some(5));
}

/// Reading thousands of variants takes a while, and until then there is nothing to write.
#[cfg(target_os = "linux")]
#[test]
fn a_signal_before_the_first_battle_ends_the_command_and_writes_nothing() {
    let desk = Desk::new();
    desk.write("duel.toml", &duel("mana_caps = [30]"));
    let list = |from: u32, to: u32, sign: &str| {
        let values: Vec<String> = (from..to).map(|value| format!("{sign}{value}")).collect();
        values.join(",")
    };
    let caps = format!("mana_caps.0={}", list(15, 115, ""));
    let health = format!("changes.Medusa.health={}", list(0, 100, "+"));
    let errors = std::fs::File::create(desk.path().join("said")).unwrap();
    let mut child = Command::new(crate::program())
        .args(["sweep", "duel.toml", "--set", &caps, "--set", &health, "-o", "results"])
        .args(["--battles", "1", "--format", "csv"])
        .current_dir(desk.path())
        .stdout(Stdio::null())
        .stderr(errors)
        .spawn()
        .unwrap();
    while !is_watching(&child) {
        assert!(child.try_wait().unwrap().is_none(), "{}", desk.read("said"));
        std::thread::sleep(Duration::from_millis(1));
    }
    signal(&child, "INT");
    assert_eq!(child.wait().unwrap().code(), Some(5));
    assert!(desk.read("said").contains("nothing was played"), "{}", desk.read("said"));
    assert_eq!(desk.files("."), ["duel.toml", "said"]);
}

/// Whether a program has begun to watch for Ctrl-C.
#[cfg(target_os = "linux")]
fn is_watching(child: &Child) -> bool {
    const INT: u64 = 1 << 1;
    let status =
        std::fs::read_to_string(format!("/proc/{}/status", child.id())).unwrap_or_default();
    let caught = status.lines().find_map(|line| line.strip_prefix("SigCgt:"));
    caught.is_some_and(|mask| u64::from_str_radix(mask.trim(), 16).unwrap() & INT != 0)
}

/// A program that asked for JSON is told that there is nothing yet.
#[test]
fn what_is_ended_before_any_result_says_so_in_json() {
    let desk = Desk::new();
    let worth = ["worth", "splinterlands/drawn-teams", "--battles", "100000000", "--json"];
    let (code, printed) = desk.interrupted_after(1, &worth);
    assert_eq!(code, 5);
    let told: serde_json::Value = serde_json::from_str(&printed).expect("one object");
    assert_eq!(told["exit_code"], 5);
    assert!(
        told["faults"][0]["message"].as_str().is_some_and(|said| said.contains("no model yet"))
    );
}
