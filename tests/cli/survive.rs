//! Long commands that go on from where they were ended.

use std::fs;
use std::io::{BufRead as _, BufReader};
use std::process::{Command, Stdio};
use std::time::Duration;

use super::{Desk, code, duel, flat, stderr, stdout};

/// Pseudorandom numbers that are the same in every run of the tests.
pub(super) struct Dice(pub(super) u64);

impl Dice {
    pub(super) fn below(&mut self, most: u64) -> u64 {
        self.0 =
            self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 33) % most
    }
}

/// A run small enough to be repeated often, with tables of orders and pairs and a row for every battle.
pub(super) const RUN: &[&str] = &[
    "run",
    "splinterlands/drawn-teams",
    "--battles",
    "1000",
    "--table",
    "outcomes",
    "--table",
    "orders",
    "--table",
    "order_effects",
    "--table",
    "units",
    "--table",
    "unit_pairs",
    "--table",
    "battles",
    "--table",
    "activity",
];
pub(super) const SWEEP: &[&str] = &["sweep", "splinterlands/sweep-health", "--battles", "300"];
pub(super) const ORDER: &[&str] =
    &["effects", "splinterlands/archetypes", "--order", "first-turn", "--battles", "600"];

impl Desk {
    /// Every file in a folder, with its bytes.
    pub(super) fn bytes(&self, folder: &str) -> Vec<(String, Vec<u8>)> {
        let read = |name: String| {
            let bytes = fs::read(self.path().join(folder).join(&name)).unwrap();
            (name, bytes)
        };
        self.files(folder).into_iter().map(read).collect()
    }

    pub(super) fn same(&self, one: &str, other: &str) {
        assert_eq!(self.files(one), self.files(other));
        for ((name, mine), (_, theirs)) in self.bytes(one).into_iter().zip(self.bytes(other)) {
            assert!(mine == theirs, "{name} differs between {one} and {other}");
        }
    }

    /// Runs a command that must be refused, and returns the reason.
    pub(super) fn refused(&self, arguments: &[&str]) -> String {
        let output = self.evens(arguments);
        assert_eq!(code(&output), 3, "{arguments:?}: {}", stderr(&output));
        assert_eq!(stdout(&output), "");
        // The message as one line again.
        let told = stderr(&output).replace('│', " ");
        told.split_whitespace().collect::<Vec<_>>().join(" ")
    }

    /// Starts the program and kills it after this time; returns true if it was done before.
    fn killed(&self, arguments: &[&str], after: Duration) -> bool {
        let mut child = Command::new(crate::program())
            .args(arguments)
            .current_dir(self.path())
            .env("COLUMNS", "80")
            .stdout(Stdio::null())
            .stderr(Stdio::null())
            .spawn()
            .unwrap();
        std::thread::sleep(after);
        let done = child.try_wait().unwrap().is_some_and(|status| status.success());
        child.kill().ok();
        child.wait().unwrap();
        done
    }
}

pub(super) fn with<'a>(command: &[&'a str], more: &[&'a str]) -> Vec<&'a str> {
    [command, more].concat()
}

pub(super) const CSV: &[&str] = &["--format", "csv"];

/// Kills a command again and again until it is done, and returns the page of the last time.
fn persevered(desk: &Desk, command: &[&str], dice: &mut Dice) -> String {
    let mut tries = 0;
    loop {
        // Each try gets more time, so that slow machines make progress, too.
        tries += 1;
        let after = Duration::from_millis(100 + 100 * tries + dice.below(900));
        if desk.killed(command, after) || tries == 5 {
            return desk.page(command);
        }
    }
}

#[test]
fn a_command_that_was_killed_goes_on_and_ends_with_the_same_bytes() {
    let mut dice = Dice(9);
    let keep = ["--checkpoint", "kept", "--checkpoint-every", "0"];
    let run = with(&RUN[..3], &with(&["12000"], &RUN[4..]));
    let sweep =
        &["sweep", "splinterlands/sweep-health", "--battles", "6000", "--allocation", "neyman"];
    let effects = &["effects", "splinterlands/archetypes", "--battles", "40"];
    let until = &["run", "splinterlands/archetypes", "--until", "ci=1pp", "--table", "outcomes"];
    let order = with(&ORDER[..4], &["--battles", "6000"]);
    for command in [&run[..], sweep, effects, &order, until] {
        let desk = Desk::new();
        let page = desk.page(&with(command, &with(CSV, &["-o", "single"])));
        let again = with(&with(command, &keep), &with(CSV, &["-o", "results"]));
        assert_eq!(persevered(&desk, &again, &mut dice), page, "{command:?}");
        desk.same("single", "results");
        // Nothing is left to play, and the bytes are the same again.
        let output = desk.evens(&again);
        assert!(stderr(&output).contains("going on from"), "{}", stderr(&output));
        assert_eq!(stdout(&output), page);
        desk.same("single", "results");
    }
}

#[test]
fn a_scoring_that_was_killed_goes_on_and_ends_with_the_same_bytes() {
    let mut dice = Dice(23);
    let desk = Desk::new();
    desk.write("records.jsonl", &vec![super::score::results(); 60].join("\n"));
    let score = [&["score", "records.jsonl", "--runs", "600"][..], CSV].concat();
    let page = desk.page(&with(&score, &["-o", "single"]));
    let keep = ["-o", "results", "--checkpoint", "kept", "--checkpoint-every", "0"];
    let again = with(&score, &keep);
    assert_eq!(persevered(&desk, &again, &mut dice), page);
    desk.same("single", "results");
}

#[test]
fn a_search_for_a_patch_that_was_killed_goes_on_and_ends_with_the_same_bytes() {
    let mut dice = Dice(31);
    let desk = Desk::new();
    fn of<'a>(within: &'a str, confirm: &'a str) -> Vec<&'a str> {
        let search = ["tune", "splinterlands/archetypes", "--stats", "--weights", "--within"];
        let sizes = [within, "--edits", "3", "--battles", "1500", "--confirm", confirm];
        [&search[..], &sizes].concat()
    }
    let search = of("1pp", "1500");
    let page = desk.page(&with(&with(&search, CSV), &["-o", "single", "--notes", "single.md"]));
    let keep = ["--checkpoint", "kept", "--checkpoint-every", "0"];
    let again =
        with(&with(&search, CSV), &with(&keep, &["-o", "results", "--notes", "results.md"]));
    assert_eq!(persevered(&desk, &again, &mut dice), page);
    desk.same("single", "results");
    assert_eq!(desk.read("single.md"), desk.read("results.md"));

    // If the number of confirming battles changes, only these are played again.
    let fewer = of("1pp", "1000");
    let output = desk.evens(&with(&fewer, &keep));
    assert!(
        stderr(&output).contains("what kept keeps of the fresh battles"),
        "{}",
        stderr(&output)
    );
    assert!(!stderr(&output).contains("one number at a time"), "{}", stderr(&output));
    assert_eq!(stdout(&output), desk.page(&fewer));

    // A search with other options is another job; it is refused, and what was kept of this one stays.
    let kept = desk.bytes("kept");
    let told = desk.refused(&with(&of("3pp", "1500"), &keep));
    assert!(told.contains("`--within` is 1pp there and 3pp here"), "{told}");
    assert!(desk.bytes("kept") == kept);
    let output = desk.evens(&["merge", "kept"]);
    assert_eq!(code(&output), 2);
    assert!(stderr(&output).contains("is not shared out"), "{}", stderr(&output));
}

#[test]
fn commands_of_several_plays_go_on_too() {
    let mut dice = Dice(4);
    let desk = Desk::new();
    desk.write("duel.toml", &duel(""));
    let keep = ["--checkpoint", "kept", "--checkpoint-every", "0"];
    let tune = ["tune", "splinterlands/archetypes", "--battles", "20000", "--json"];
    let page = desk.page(&tune);
    assert_eq!(persevered(&desk, &with(&tune, &keep), &mut dice), page);
    // Other limits on weights use the same battles to find the weights, but other battles to confirm them.
    let nearer = with(&tune, &["--at-most", "2"]);
    let output = desk.evens(&with(&nearer, &keep[..2]));
    assert_eq!(stdout(&output), desk.page(&nearer), "{}", stderr(&output));

    let nightly = [
        "nightly",
        "--write",
        "duel.toml",
        "splinterlands/mirror",
        "--battles",
        "20000",
        "-q",
        "--seed",
        "5",
    ];
    desk.page(&with(&nightly, &["--baseline", "single"]));
    let again = ["--baseline", "results", "--checkpoint", "night", "--checkpoint-every", "0"];
    persevered(&desk, &with(&nightly, &again), &mut dice);
    desk.same("single", "results");
    assert!(!desk.path().join("night").exists(), "the next night plays afresh");
}

#[test]
fn more_battles_play_only_what_is_missing_and_fewer_are_refused() {
    let desk = Desk::new();
    let run = |battles: &str, folder: &str, more: &[&str]| {
        let run = with(&RUN[..3], &with(&[battles], &RUN[4..]));
        let output = desk.evens(&with(&run, &with(&with(CSV, &["-o", folder]), more)));
        (code(&output), stdout(&output), stderr(&output))
    };
    let (_, single, _) = run("1700", "single", &[]);
    assert_eq!(run("1000", "results", &["--checkpoint"]).0, 0);
    assert_eq!(desk.files("results/checkpoint"), ["result.partial", "rows.partial"]);
    let (exit, page, told) = run("1700", "results", &["--checkpoint"]);
    assert_eq!((exit, page), (0, single));
    assert!(told.contains("going on from 1,000 battles"), "{told}");
    for (name, bytes) in desk.bytes("single") {
        assert!(fs::read(desk.path().join("results").join(&name)).unwrap() == bytes, "{name}");
    }
    let (exit, _, told) = run("1000", "results", &[]);
    assert_eq!(exit, 3);
    assert!(told.contains("holds 1,700 battles already"), "{told}");
    let (exit, _, told) = run("1000", "results", &["--checkpoint", "--fresh"]);
    assert_eq!(exit, 0, "{told}");
    assert!(!told.contains("going on"), "{told}");
    // A sweep allocates its battles to strata beforehand, so it cannot be extended.
    desk.page(&with(SWEEP, &["--checkpoint", "sweep", "-q"]));
    let more = ["sweep", SWEEP[1], "--battles", "400", "--checkpoint", "sweep"];
    let told = desk.refused(&more);
    assert!(told.contains("the number of battles is 300 there and 400 here"), "{told}");
}

#[test]
fn what_somebody_asked_to_keep_stays_when_the_command_comes_again_without_the_flag() {
    let desk = Desk::new();
    let command = with(RUN, &with(CSV, &["-o", "results"]));
    desk.page(&with(&command, &["--checkpoint"]));
    let kept = desk.bytes("results/checkpoint");
    desk.page(&command);
    assert!(desk.bytes("results/checkpoint") == kept);
}

#[test]
fn what_is_damaged_is_found_said_and_played_again() {
    let desk = Desk::new();
    let mut dice = Dice(77);
    let command = with(RUN, &with(CSV, &["-o", "results", "--checkpoint", "kept"]));
    let page = desk.page(&with(RUN, &with(CSV, &["-o", "single"])));
    desk.page(&command);
    for file in ["kept/result.partial", "kept/rows.partial"] {
        let path = desk.path().join(file);
        let whole = fs::read(&path).unwrap();
        for round in 0..6 {
            let at = dice.below(whole.len() as u64) as usize;
            let mut bytes = whole.clone();
            match round {
                0 => bytes.truncate(at),
                1 => bytes.clear(),
                _ => bytes[at] ^= 1 << dice.below(8),
            }
            fs::write(&path, &bytes).unwrap();
            let output = desk.evens(&command);
            let told = stderr(&output);
            // A file that is no longer recognised as ours could be of a later version.
            assert!(
                told.contains("damaged") && told.contains("starting over"),
                "byte {at}: {told}"
            );
            assert_eq!((code(&output), stdout(&output)), (0, page.clone()));
            desk.same("single", "results");
            assert!(fs::read(&path).unwrap() == whole, "{file} is whole again");
        }
    }
}

#[cfg(unix)]
#[test]
fn a_signal_ends_a_command_that_the_same_command_goes_on_with() {
    for name in ["INT", "TERM", "HUP"] {
        let desk = Desk::new();
        let endless = ["run", "splinterlands/mirror", "--battles", "100000000000", "--checkpoint"];
        let endless = with(&with(&endless, CSV), &["-o", "results", "--table", "outcomes"]);
        let (exit, told) = desk.interrupted(&endless, name);
        assert_eq!(exit, 5, "{told}");
        assert!(told.contains("kept in results/checkpoint: the same command goes on"), "{told}");
        let played =
            |desk: &Desk| desk.manifest("results")["run"]["battles_played"].as_u64().unwrap();
        let before = played(&desk);
        let (exit, told) = desk.interrupted(&endless, name);
        assert_eq!(exit, 5, "{told}");
        assert!(told.contains("going on from"), "{told}");
        assert!(played(&desk) > before, "{name}");
        // The resumed run ends as if it had never been interrupted.
        let battles = (played(&desk) + 1000).to_string();
        let whole = |more: &[&str]| {
            let run = ["run", "splinterlands/mirror", "--battles", &battles, "--table", "outcomes"];
            desk.page(&with(&with(&run, CSV), more))
        };
        assert_eq!(whole(&["-o", "results", "--checkpoint"]), whole(&["-o", "single"]));
        assert_eq!(desk.read("results/outcomes.csv"), desk.read("single/outcomes.csv"));
    }
}

/// Even without `--checkpoint`, and before the first checkpoint would be due.
#[cfg(unix)]
#[test]
fn a_command_that_is_ended_in_its_first_minute_goes_on_and_takes_no_fewer_battles() {
    for name in ["INT", "TERM", "HUP"] {
        let desk = Desk::new();
        fn run<'a>(battles: &'a str, folder: &'a str) -> Vec<&'a str> {
            let run = ["run", "splinterlands/mirror", "--table", "outcomes", "--battles"];
            [&run[..], &[battles, "-o", folder], CSV].concat()
        }
        let (exit, told) = desk.interrupted(&run("100000000000", "results"), name);
        assert_eq!(exit, 5, "{told}");
        assert!(told.contains("kept in results/checkpoint: the same command goes on"), "{told}");
        let before = desk.manifest("results")["run"]["battles_played"].as_u64().unwrap();

        let outcomes = desk.read("results/outcomes.csv");
        let kept = desk.bytes("results/checkpoint");
        let told = desk.refused(&run(&(before - 1).to_string(), "results"));
        assert!(told.contains("already, and"), "{told}");
        assert_eq!(desk.read("results/outcomes.csv"), outcomes);
        assert!(desk.bytes("results/checkpoint") == kept);

        let battles = (before + 1000).to_string();
        let [goes_on, single] =
            ["results", "single"].map(|folder| desk.evens(&run(&battles, folder)));
        assert!(stderr(&goes_on).contains("going on from"), "{}", stderr(&goes_on));
        assert_eq!(stdout(&goes_on), stdout(&single), "{name}");
        desk.same("single", "results");
    }
}

/// Without a folder there is no place to keep a checkpoint in, and the command says so.
#[cfg(unix)]
#[test]
fn a_command_without_a_folder_says_that_nothing_was_kept() {
    let desk = Desk::new();
    let endless = ["run", "splinterlands/mirror", "--battles", "100000000000"];
    let (exit, told) = desk.interrupted(&endless, "INT");
    assert_eq!(exit, 5, "{told}");
    assert!(told.contains("nothing was kept to go on from"), "{told}");
}

#[cfg(unix)]
#[test]
fn two_commands_cannot_keep_in_one_folder() {
    let desk = Desk::new();
    let run = ["run", "splinterlands/mirror", "--checkpoint", "kept", "-q"];
    let mut child = Command::new(crate::program())
        .args(run)
        .args(["--battles", "100000000000"])
        .current_dir(desk.path())
        .spawn()
        .unwrap();
    super::until_it_plays(&child);
    let output = desk.evens(&with(&run, &["--battles", "1000"]));
    child.kill().unwrap();
    child.wait().unwrap();
    assert_eq!(code(&output), 1);
    assert!(stderr(&output).contains("another evens is writing to kept"), "{}", stderr(&output));
}

/// Without a name a checkpoint is kept in the folder of the results, as the guide says, where it is asked for.
#[test]
fn a_checkpoint_without_a_name_is_beside_the_results() {
    let desk = Desk::new();
    let tune = ["tune", "splinterlands/archetypes", "--battles", "1000", "-o", "tuned"];
    desk.page(&tune);
    assert!(!desk.path().join("tuned/checkpoint").exists());
    desk.page(&[&tune[..], &["--checkpoint"]].concat());
    assert!(desk.path().join("tuned/checkpoint").exists());
    desk.page(&["nightly", "--write", "mirror", "--baseline", "base", "--battles", "1000"]);
    let night = ["nightly", "mirror", "--baseline", "base", "-o", "night", "--seed", "7"];
    desk.page(&[&night[..], &["--checkpoint"]].concat());
    // A night that is done is forgotten.
    assert!(
        desk.path().join("night/provenance.json").exists()
            && !desk.path().join("night/checkpoint").exists()
    );
    let shared = ["run", "mirror", "--battles", "100", "-o", "all", "--partition", "--checkpoint"];
    let refused = desk.evens(&shared);
    assert_eq!(code(&refused), 2);
    assert!(flat(&stderr(&refused)).contains("of this run alone"), "{}", stderr(&refused));
}

/// Nothing can be written to `/dev/full`. As on a disk that is full, the run keeps no checkpoint and plays on.
#[cfg(target_os = "linux")]
#[test]
fn a_checkpoint_that_cannot_be_written_costs_no_result() {
    let desk = Desk::new();
    fs::create_dir(desk.path().join("kept")).unwrap();
    std::os::unix::fs::symlink("/dev/full", desk.path().join("kept/rows.partial")).unwrap();
    let page = desk.page(&with(RUN, &with(CSV, &["-o", "single"])));
    let output = desk.evens(&with(RUN, &with(CSV, &["-o", "results", "--checkpoint", "kept"])));
    assert_eq!((code(&output), stdout(&output)), (0, page), "{}", stderr(&output));
    assert!(stderr(&output).contains("nothing more is kept"), "{}", stderr(&output));
    desk.same("single", "results");
}

/// The battles have been played and the results are written, so that a checkpoint which stays costs nothing but its room.
#[cfg(unix)]
#[test]
fn a_checkpoint_that_cannot_be_removed_is_told_and_costs_no_result() {
    let desk = Desk::new();
    let run =
        [&["run", "splinterlands/mirror", "--battles", "600000", "--threads", "1"], CSV].concat();
    desk.page(&with(&run, &["-o", "single", "-q"]));
    let run = with(&run, &["-o", "results"]);
    assert_eq!(desk.interrupted_after(1, &run).0, 5);
    let kept = desk.path().join("results/checkpoint/result.partial");
    let mut child = Command::new(crate::program())
        .args(with(&run, &["--progress", "json", "--checkpoint-every", "3600"]))
        .current_dir(desk.path())
        .stderr(Stdio::piped())
        .stdout(Stdio::null())
        .spawn()
        .unwrap();
    let mut told = String::new();
    let mut lines = BufReader::new(child.stderr.take().unwrap()).lines();
    // It plays: what was kept is read by now.
    told += &lines.next().unwrap().unwrap();
    fs::remove_file(&kept).unwrap();
    fs::create_dir(&kept).unwrap();
    told.extend(lines.map(Result::unwrap));
    assert_eq!(child.wait().unwrap().code(), Some(0), "{told}");
    assert!(told.contains("warning: cannot remove results/checkpoint/result.partial: "), "{told}");
    assert!(told.contains(": nothing goes on from it any more"), "{told}");
    assert_eq!(desk.read("single/outcomes.csv"), desk.read("results/outcomes.csv"));
}

/// Nobody knows what is in such a checkpoint, so it is neither called damaged nor overwritten.
#[cfg(unix)]
#[test]
fn a_checkpoint_that_cannot_be_read_stays_as_it_is() {
    let desk = Desk::new();
    let run = ["run", "splinterlands/mirror", "--battles", "1000", "--checkpoint", "kept", "-q"];
    desk.page(&run);
    let kept = desk.path().join("kept/result.partial");
    fs::remove_file(&kept).unwrap();
    // The system refuses to follow a link that leads to itself, even for root.
    std::os::unix::fs::symlink("result.partial", &kept).unwrap();
    for more in [&[][..], &["--fresh"]] {
        let output = desk.evens(&with(&run, more));
        assert_eq!(code(&output), 1, "{more:?}: {}", stderr(&output));
        let told = flat(&stderr(&output));
        assert!(told.contains("cannot read kept/result.partial"), "{told}");
        assert!(told.contains("move it away to begin anew"), "{told}");
        assert!(kept.is_symlink(), "{more:?}");
    }
}

/// Nobody could go on from rows without the counts that belong to them.
#[cfg(unix)]
#[test]
fn rows_without_counts_are_not_left_behind() {
    let desk = Desk::new();
    desk.write("duel.toml", &duel(""));
    let program = crate::program();
    let line = format!(
        "ulimit -f 4 && exec '{}' run duel.toml --battles 20000 -q --format csv --table battles -o results \
         --checkpoint kept --checkpoint-every 3600",
        program.display()
    );
    let mut bash = assert_cmd::Command::new("bash");
    let output = bash.current_dir(desk.path()).args(["-c", &line]).output().unwrap();
    assert_eq!(code(&output), 1, "{}", stderr(&output));
    assert!(!desk.path().join("kept/rows.partial").exists());
}

/// The page is printed even if the results cannot be written.
#[cfg(target_os = "linux")]
#[test]
fn a_page_is_printed_where_there_is_no_room_for_tables() {
    let desk = Desk::new();
    let run = "run splinterlands/drawn-teams --battles 3000 --format csv --table units -o results";
    let output = desk.shell(&format!("ulimit -f 4 && evens {run}"));
    assert_eq!(code(&output), 1, "{}", stderr(&output));
    assert!(stdout(&output).contains("splinterlands/drawn-teams, 3,000 battles"), "{output:?}");
    assert!(!desk.path().join("results/units.csv").exists());
    for more in
        [&["--confirm", "500"][..], &["--stats", "--only", "Malric Inferno", "--confirm", "60"]]
    {
        let tune = ["tune", "splinterlands/archetypes", "--write-scenario", "/dev/full", "--quiet"];
        let few = if more.len() == 2 { "3000" } else { "60" };
        let output = desk.evens(&[&tune, more, &["--battles", few]].concat());
        assert_eq!(code(&output), 1, "{}", stderr(&output));
        assert!(stderr(&output).contains("cannot write /dev/full"), "{}", stderr(&output));
        assert!(stdout(&output).contains("splinterlands: splinterlands/archetypes"), "{output:?}");
    }
}

/// A note that a crash has left empty is named, by whoever looks and by whoever writes.
#[test]
fn a_damaged_note_is_to_be_removed() {
    let desk = Desk::new();
    desk.write("duel.toml", &duel(""));
    let run = ["run", "duel.toml", "-o", "results", "--quiet"];
    desk.page(&run);
    desk.write("results/.evens-commit.json", "");
    for (arguments, exit) in [(&run[..], 1), (&["check", "results"][..], 3)] {
        let output = desk.evens(arguments);
        assert_eq!(code(&output), exit);
        let said = flat(&format!("{}{}", stdout(&output), stderr(&output)));
        assert!(said.contains(".evens-commit.json") && said.contains("remove this file"), "{said}");
    }
    fs::remove_file(desk.path().join("results/.evens-commit.json")).expect("it is there");
    desk.page(&["check", "results"]);
    desk.page(&run);
}

/// What is kept beside tables has its place before there is any.
#[test]
fn no_page_takes_the_place_of_what_will_be_kept() {
    let desk = Desk::new();
    desk.write("duel.toml", &duel(""));
    for name in ["results/checkpoint", "results/partial"] {
        let output = desk.evens(&["run", "duel.toml", "-o", "results", "--report", name]);
        assert_eq!(code(&output), 2, "{name}: {}", stderr(&output));
    }
}

/// A list of files that is spoilt is what is named, and not the tables, of which nothing is wrong.
#[test]
fn a_spoilt_list_of_files_is_named() {
    let desk = Desk::new();
    desk.write("duel.toml", &duel(""));
    let run = ["run", "duel.toml", "-o", "results", "--quiet"];
    desk.page(&run);
    let list = desk.read("results/provenance.json");
    desk.write("results/provenance.json", &list[..list.len() / 2]);
    let output = desk.evens(&run);
    assert_eq!(code(&output), 1);
    assert!(
        flat(&stderr(&output)).contains("results/provenance.json is no result"),
        "{}",
        stderr(&output)
    );
}
