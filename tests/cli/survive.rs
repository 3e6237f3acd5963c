//! Long commands that go on from where they were ended, and commands that are played in parts.

use std::fs;
use std::process::{Command, Stdio};
use std::time::Duration;

use super::{Desk, code, duel, stderr, stdout};

/// Pseudorandom numbers that are the same in every run of the tests.
struct Dice(u64);

impl Dice {
    fn below(&mut self, most: u64) -> u64 {
        self.0 =
            self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 33) % most
    }
}

/// A run small enough to be repeated often, with tables of orders and pairs and a row for every battle.
const RUN: &[&str] = &[
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
const SWEEP: &[&str] = &["sweep", "splinterlands/sweep-health", "--battles", "300"];
const EFFECTS: &[&str] = &["effects", "splinterlands/archetypes", "--battles", "5"];

const ORDER: &[&str] =
    &["effects", "splinterlands/archetypes", "--order", "first-turn", "--battles", "600"];

impl Desk {
    /// Every file in a folder, with its bytes.
    fn bytes(&self, folder: &str) -> Vec<(String, Vec<u8>)> {
        let read = |name: String| {
            let bytes = fs::read(self.path().join(folder).join(&name)).unwrap();
            (name, bytes)
        };
        self.files(folder).into_iter().map(read).collect()
    }

    fn same(&self, one: &str, other: &str) {
        assert_eq!(self.files(one), self.files(other));
        for ((name, mine), (_, theirs)) in self.bytes(one).into_iter().zip(self.bytes(other)) {
            assert!(mine == theirs, "{name} differs between {one} and {other}");
        }
    }

    /// Runs a command that must be refused, and returns the reason.
    fn refused(&self, arguments: &[&str]) -> String {
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

fn with<'a>(command: &[&'a str], more: &[&'a str]) -> Vec<&'a str> {
    [command, more].concat()
}

const CSV: &[&str] = &["--format", "csv"];

#[test]
fn shards_in_any_number_and_grouping_are_the_bytes_of_the_single_command() {
    let mut dice = Dice(15);
    for command in [RUN, SWEEP, EFFECTS, ORDER] {
        let desk = Desk::new();
        let page = desk.page(&with(command, &with(CSV, &["-o", "single"])));
        for round in 0..3 {
            let of = 1 + dice.below(6);
            let shards = format!("shards{round}");
            // The last part first, and one of them twice.
            for number in (1..=of).rev().chain([1 + dice.below(of)]) {
                let shard = format!("{number}/{of}");
                let play = with(command, &["--shard", &shard, "-o", &shards, "-q"]);
                assert_eq!(desk.page(&play), "");
            }
            // Merges random groups of parts, and then the sums with others, until two are left.
            let mut parts: Vec<String> =
                (1..=of).map(|number| format!("{shards}/shard-{number}-of-{of}")).collect();
            while parts.len() > 2 {
                let take = 2 + dice.below(parts.len() as u64 - 2) as usize;
                let group: Vec<String> = (0..take)
                    .map(|_| parts.remove(dice.below(parts.len() as u64) as usize))
                    .collect();
                let into = format!("{shards}-{}", parts.len());
                let mut merge = vec!["merge", "-q", "--into", &into];
                merge.extend(group.iter().map(String::as_str));
                desk.page(&merge);
                parts.push(into);
            }
            let mut merge = with(&["merge", "-o", "merged"], CSV);
            merge.extend(parts.iter().map(String::as_str));
            assert_eq!(desk.page(&merge), page, "{command:?} in {of} parts");
            desk.same("single", "merged");
        }
    }
}

#[test]
fn shards_of_a_run_that_says_more_of_units_add_up_too() {
    let desk = Desk::new();
    let command = [
        "run",
        "solforge/factions",
        "--battles",
        "40",
        "--unit",
        "Enrage",
        "--unit",
        "Spring Dryad",
    ];
    let page = desk.page(&with(&command, &with(CSV, &["-o", "single"])));
    assert!(page.contains("Enrage") && page.contains("Spring Dryad"));
    for shard in ["1/2", "2/2"] {
        desk.page(&with(&command, &["--shard", shard, "-o", "shards", "-q"]));
    }
    assert_eq!(desk.page(&with(&["merge", "shards", "-o", "merged"], CSV)), page);
    desk.same("single", "merged");
}

#[test]
fn partial_results_that_are_not_there_are_a_fault_of_the_input() {
    let desk = Desk::new();
    let output = desk.evens(&["merge", "nowhere", "-o", "merged"]);
    assert_eq!(code(&output), 3, "{}", stderr(&output));
    assert!(stderr(&output).contains("there is no such folder"), "{}", stderr(&output));
}

#[test]
fn a_shard_is_the_same_bytes_whenever_it_is_played() {
    let desk = Desk::new();
    for (folder, threads) in [("one", "1"), ("two", "3")] {
        desk.page(&with(RUN, &["--shard", "2/3", "-o", folder, "--threads", threads]));
    }
    desk.same("one/shard-2-of-3", "two/shard-2-of-3");
    let before = desk.bytes("one/shard-2-of-3");
    desk.page(&with(RUN, &["--shard", "2/3", "-o", "one"]));
    assert!(desk.bytes("one/shard-2-of-3") == before, "once more changes nothing");
}

#[test]
fn what_does_not_belong_together_is_not_added_up() {
    let desk = Desk::new();
    desk.write("duel.toml", &duel(""));
    let shard = |folder: &str, shard: &str, more: &[&str]| {
        let run = ["run", "duel.toml", "--table", "outcomes", "--shard", shard, "-o", folder];
        desk.page(&with(&run, more));
    };
    shard("shards", "1/3", &[]);
    shard("shards", "3/3", &[]);
    let merge = with(&["merge", "shards", "-o", "merged"], CSV);
    let told = desk.refused(&merge);
    assert!(told.contains("167 of 500 battles are missing: 166 to 332"), "{told}");
    assert!(told.contains("`--shard 2/3`"), "{told}");
    assert!(!desk.path().join("merged").exists(), "nothing was written");

    desk.page(&with(&merge, &["--allow-missing"]));
    assert_eq!(desk.manifest("merged")["run"]["partial"], true);
    assert_eq!(desk.manifest("merged")["run"]["battles_played"], 333);

    for (more, told) in [
        (&["--seed", "9"][..], "the seed is"),
        (&["--battles", "600"], "the number of battles is"),
        (&["--measure", "wins"], "`--measure` is"),
        (&["--table", "units"], "`--table` is"),
    ] {
        shard("foreign", "2/3", &with(more, &["--fresh"]));
        let output = desk.refused(&with(&merge, &["foreign"]));
        assert!(output.contains(told) && !output.contains("--fresh"), "{output}");
        assert!(output.contains("only parts of one job add up"), "{output}");
        // Nor does a shard go on from the checkpoint of another one.
        let output = desk.refused(&[
            "run",
            "duel.toml",
            "--table",
            "outcomes",
            "--shard",
            "2/3",
            "-o",
            "foreign",
        ]);
        assert!(output.contains(told), "{output}");
    }
    desk.write("duel.toml", &duel("mana_caps = [30]"));
    let output = desk.refused(&with(&merge, &["--allow-missing"]));
    assert!(output.contains("the scenario is") && !output.contains("--fresh"), "{output}");
    fs::remove_file(desk.path().join("duel.toml")).unwrap();
    let output = desk.refused(&with(&merge, &["--allow-missing"]));
    assert!(output.contains("is not where it was when the parts were played"), "{output}");
    assert!(output.contains("`--scenario FILE`"), "{output}");
    desk.write("moved.toml", &duel(""));
    desk.page(&with(&merge, &["--allow-missing", "--scenario", "moved.toml"]));
    desk.write("duel.toml", &duel(""));
    // A part that is named twice counts once.
    desk.page(&with(&merge, &["shards", "shards/shard-1-of-3", "--allow-missing"]));

    shard("halves", "1/2", &[]);
    let output = desk.refused(&with(&merge, &["halves"]));
    assert!(output.contains("both hold battles 0 to 165"), "{output}");

    shard("shards", "2/3", &[]);
    let result = "shards/shard-2-of-3/result.partial";
    let bytes = fs::read(desk.path().join(result)).unwrap();
    let mut spoilt = bytes.clone();
    *spoilt.last_mut().unwrap() ^= 1;
    fs::write(desk.path().join(result), &spoilt).unwrap();
    let output = desk.refused(&merge);
    assert!(output.contains("is damaged: its checksum does not fit"), "{output}");
    // The command that wrote it starts over, and says so.
    let again =
        desk.evens(&["run", "duel.toml", "--table", "outcomes", "--shard", "2/3", "-o", "shards"]);
    assert!(stderr(&again).contains("starting over"), "{}", stderr(&again));
    assert!(fs::read(desk.path().join(result)).unwrap() == bytes);
    desk.page(&merge);

    for other in ["format 2", "format 4"] {
        let bytes = String::from_utf8_lossy(&bytes).replacen("format 3", other, 1);
        fs::write(desk.path().join(result), bytes.as_bytes()).unwrap();
        let output = desk.refused(&merge);
        assert!(output.contains(&format!("has {other}")), "{output}");
    }
    assert_eq!(code(&desk.evens(&["merge", "."])), 3, "there is no partial result here");
    for wrong in ["0/3", "4/3", "1", "1/0"] {
        let output = desk.evens(&["run", "duel.toml", "--shard", wrong, "-o", "shards"]);
        assert_eq!(code(&output), 2, "{wrong}");
    }
    let until = ["run", "duel.toml", "--until", "margin=1pp", "--shard", "1/2", "-o", "shards"];
    assert_eq!(code(&desk.evens(&until)), 2);
    assert_eq!(code(&desk.evens(&["run", "duel.toml", "--shard", "1/2"])), 2, "where to?");
}

/// The state of a stopping rule in a partial result: whether there is evidence enough, and after how many battles the
/// next looks are.
fn look(desk: &Desk, folder: &str) -> (bool, Vec<u64>) {
    let bytes = fs::read(desk.path().join(folder).join("result.partial")).unwrap();
    let json = bytes.split(|&byte| byte == b'\n').nth(1).unwrap();
    let header: serde_json::Value = serde_json::from_slice(json).unwrap();
    let look = &header["stages"][0]["look"];
    let next = look["next"].as_array().unwrap().iter().map(|next| next.as_u64().unwrap());
    (look["enough"].as_bool().unwrap(), next.collect())
}

#[test]
fn a_run_with_a_stopping_rule_is_shared_out_in_ranges_and_ends_at_the_same_look() {
    for rule in ["margin=4pp", "ci=8pp"] {
        let desk = Desk::new();
        let until = ["run", "splinterlands/archetypes", "--until", rule, "--table", "outcomes"];
        let page = desk.page(&with(&until, &with(CSV, &["-o", "single"])));
        let battles = |from: u64, to: u64| {
            let range = format!("{from}..{to}");
            desk.page(&with(&until, &["--shard", &range, "-o", "parts", "-q"]));
            format!("parts/battles-{from}-to-{}", to - 1)
        };
        let (mut sum, mut at) = (battles(0, 250), 250);
        let told = desk.refused(&with(&["merge", &sum, "-o", "early"], CSV));
        assert!(told.contains("after 250 battles there is not evidence enough"), "{told}");
        assert!(!desk.path().join("early").exists(), "nothing was written");
        let mut looks = 0;
        while let (false, next) = look(&desk, &sum) {
            let middle = at + (next[0] - at) / 2;
            let mut parts = vec![sum.clone()];
            parts.push(battles(middle, next[0]));
            if middle > at {
                parts.push(battles(at, middle));
            }
            if looks == 0 {
                // A merge may neither reach beyond a look nor leave battles out.
                let later = battles(next[0], next[1]);
                let mut merge = vec!["merge", "--into", "refused", &later];
                merge.extend(parts.iter().map(String::as_str));
                let told = desk.refused(&merge);
                assert!(told.contains("has to be looked at after"), "{told}");
                let gap = desk.refused(&["merge", "--into", "refused", &sum, &later]);
                assert!(gap.contains("are missing between others"), "{gap}");
                let late = desk.refused(&with(&["merge", "-o", "refused", &later], CSV));
                assert!(late.contains("the first battles are missing"), "{late}");
            }
            let into = format!("sum-{}", next[0]);
            let mut merge = vec!["merge", "-q", "--into", &into];
            merge.extend(parts.iter().map(String::as_str));
            desk.page(&merge);
            (sum, at) = (into, next[0]);
            looks += 1;
        }
        assert!(looks > 1, "{rule}: {looks} looks");
        assert_eq!(desk.page(&with(&["merge", &sum, "-o", "merged"], CSV)), page, "{rule}");
        desk.same("single", "merged");
        // Battles after the decisive look do not count, and a first range that is long enough ends by itself.
        let later = battles(at, at + 100);
        let told = desk.refused(&["merge", &sum, &later, "--into", "refused"]);
        assert!(told.contains("there was evidence enough after"), "{told}");
        let all = battles(0, 10 * at);
        assert_eq!(desk.page(&with(&["merge", &all, "-o", "whole"], CSV)), page, "{rule}");
        desk.same("single", "whole");
    }
}

#[test]
fn shards_of_a_scoring_are_the_bytes_of_the_single_command() {
    let desk = Desk::new();
    desk.write("records.jsonl", &vec![super::score::results(); 5].join("\n"));
    let score = ["score", "records.jsonl", "--runs", "50", "--table", "forecasts"];
    let page = desk.page(&with(&score, &with(CSV, &["-o", "single"])));
    for number in ["3/4", "1/4", "4/4", "2/4"] {
        desk.page(&with(&score, &["--shard", number, "-o", "shards", "-q"]));
    }
    let part = |number: u64| format!("shards/shard-{number}-of-4");
    desk.page(&["merge", "-q", &part(4), &part(2), "--into", "even"]);
    desk.page(&["merge", "-q", &part(3), &part(1), "--into", "odd"]);
    assert_eq!(desk.page(&with(&["merge", "odd", "even", "-o", "merged"], CSV)), page);
    desk.same("single", "merged");
    let told = desk.refused(&["merge", "odd", "-o", "some"]);
    assert!(told.contains("battles are missing"), "{told}");
    // The records have moved to another file.
    fs::rename(desk.path().join("records.jsonl"), desk.path().join("moved.jsonl")).unwrap();
    assert_eq!(code(&desk.evens(&["merge", "odd", "even", "-o", "lost"])), 3);
    desk.page(&with(&["merge", "odd", "even", "--scenario", "moved.jsonl", "-o", "there"], CSV));
    let forecasts =
        |folder: &str| fs::read(desk.path().join(folder).join("forecasts.csv")).unwrap();
    assert!(forecasts("single") == forecasts("there"));
}

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
        let sizes = [within, "--edits", "3", "--battles", "4000", "--confirm", confirm];
        [&search[..], &sizes].concat()
    }
    let search = of("1pp", "4000");
    let page = desk.page(&with(&with(&search, CSV), &["-o", "single", "--notes", "single.md"]));
    let keep = ["--checkpoint", "kept", "--checkpoint-every", "0"];
    let again =
        with(&with(&search, CSV), &with(&keep, &["-o", "results", "--notes", "results.md"]));
    assert_eq!(persevered(&desk, &again, &mut dice), page);
    desk.same("single", "results");
    assert_eq!(desk.read("single.md"), desk.read("results.md"));

    // If the number of confirming battles changes, only these are played again.
    let fewer = of("1pp", "3000");
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
    let told = desk.refused(&with(&of("3pp", "4000"), &keep));
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
        let told = super::flat(&stderr(&output));
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
