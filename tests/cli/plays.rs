//! Commands whose plays depend on each other are shared out one play at a time; and what remains where a merge comes to
//! nothing.

use std::fs;
use std::process::{Command, Stdio};

use super::{Desk, code, stderr, stdout};

const CSV: &[&str] = &["--format", "csv"];
const TUNE: &[&str] = &[
    "tune",
    "splinterlands/archetypes",
    "--battles",
    "4000",
    "--at-most",
    "2",
    "--price",
    "0.07pp",
];
const UNITS: &[&str] =
    &["tune", "splinterlands/drawn-teams", "--battles", "400", "--even", "summoner"];
const NEYMAN: &[&str] =
    &["sweep", "splinterlands/sweep-health", "--battles", "1000", "--allocation", "neyman"];

fn well(desk: &Desk, arguments: &[&str]) -> String {
    let output = desk.evens(arguments);
    assert_eq!(code(&output), 0, "{arguments:?}: {}", stderr(&output));
    stdout(&output)
}

fn refused(desk: &Desk, arguments: &[&str], with: i32) -> String {
    let output = desk.evens(arguments);
    assert_eq!(code(&output), with, "{arguments:?}: {}", stderr(&output));
    // As one line, without the breaks of a terminal.
    stderr(&output).replace('│', " ").split_whitespace().collect::<Vec<_>>().join(" ")
}

fn files(desk: &Desk, folder: &str) -> Vec<(String, Vec<u8>)> {
    let of = |entry: fs::DirEntry| {
        (entry.file_name().to_string_lossy().into_owned(), fs::read(entry.path()).unwrap())
    };
    let mut all: Vec<_> =
        fs::read_dir(desk.path().join(folder)).unwrap().flatten().map(of).collect();
    all.sort();
    all
}

/// Plays all parts of every play, and returns the folder of the last play's parts.
fn shared_out(desk: &Desk, command: &[&str], plays: usize, of: usize) -> String {
    for play in 1..=plays {
        let (from, to) = (format!("play-{}", play - 1), format!("play-{play}"));
        // In any order.
        for at in (1..=of).rev() {
            let part = format!("{at}/{of}");
            let mut words = [command, &["--shard", &part, "-o", &to, "-q"]].concat();
            words.extend((play > 1).then_some(["--from", &from]).iter().flatten());
            well(desk, &words);
        }
    }
    format!("play-{plays}")
}

#[test]
fn plays_that_follow_each_other_are_the_bytes_of_the_single_command() {
    for (command, plays, of) in [(TUNE, 3, 2), (UNITS, 2, 2), (NEYMAN, 2, 3)] {
        let desk = Desk::new();
        let page = well(&desk, &[command, &["-o", "single"], CSV].concat());
        let last = shared_out(&desk, command, plays, of);
        assert_eq!(well(&desk, &[&["merge", &last, "-o", "merged"], CSV].concat()), page);
        assert_eq!(files(&desk, "merged"), files(&desk, "single"), "{command:?}");
        // The sum of a play can replace its parts, in the middle and at the end.
        well(&desk, &["merge", "play-1", "--into", "sum", "-q"]);
        let again = [command, &["--shard", "1/1", "--from", "sum", "-o", "again", "-q"]].concat();
        well(&desk, &again);
        well(&desk, &["merge", &last, "--into", "all", "-q"]);
        assert_eq!(well(&desk, &[&["merge", "all", "-o", "all-merged"], CSV].concat()), page);
        assert_eq!(files(&desk, "all-merged"), files(&desk, "single"), "{command:?}");
    }
}

#[test]
fn a_play_is_only_shared_out_after_all_of_those_before_it() {
    let desk = Desk::new();
    fn part<'p>(which: &'p str, more: &[&'p str]) -> Vec<&'p str> {
        [NEYMAN, &["--shard", which, "-q"], more].concat()
    }
    well(&desk, &part("1/2", &["-o", "pilot"]));
    let told = refused(&desk, &part("1/2", &["--from", "pilot", "-o", "rest"]), 3);
    assert!(told.contains("pilot has not all of pilot: battles 125 to 249 are missing"), "{told}");
    let told = refused(&desk, &["merge", "pilot", "--allow-missing", "-o", "merged"], 3);
    assert!(told.contains("125 of 250 battles of pilot are missing"), "{told}");
    well(&desk, &part("2/2", &["-o", "pilot"]));
    let told = refused(&desk, &[&["merge", "pilot", "-o", "merged"], CSV].concat(), 3);
    assert!(told.contains("after pilot comes rest, and nobody has played it"), "{told}");
    assert!(told.contains("--from pilot"), "{told}");
    assert!(!desk.path().join("merged").exists(), "no folder is left of what came to nothing");
    let told = refused(&desk, &part("1/2", &["--from", "pilot", "-o", "pilot"]), 2);
    assert!(told.contains("a folder of their own"), "{told}");
    well(&desk, &part("1/1", &["--from", "pilot", "-o", "rest"]));
    let told = refused(&desk, &part("1/1", &["--from", "rest", "-o", "more"]), 2);
    assert!(told.contains("`evens merge rest` ends the command"), "{told}");
    // Parts of two plays, of another job, or with other limits are refused.
    let told = refused(&desk, &["merge", "pilot", "rest", "-o", "merged"], 3);
    assert!(told.contains("the play is rest there and pilot here"), "{told}");
    let other = ["--seed", "77", "--from", "pilot", "-o", "other"];
    let told = refused(&desk, &part("1/1", &other), 3);
    assert!(told.contains("the seed is"), "{told}");
    assert!(told.contains("name with --from") && !told.contains("--fresh"), "{told}");
    let one = ["run", "splinterlands/mirror", "--shard", "1/1", "--from", "pilot", "-o", "x"];
    refused(&desk, &one, 2);
    let proportional =
        ["sweep", "splinterlands/sweep-health", "--shard", "1/2", "--from", "pilot", "-o", "x"];
    let told = refused(&desk, &proportional, 2);
    assert!(told.contains("here there is only one"), "{told}");
    refused(&desk, &[NEYMAN, &["--from", "pilot", "-o", "x"]].concat(), 2);
}

#[test]
fn parts_of_a_tuning_are_of_one_set_of_limits() {
    let desk = Desk::new();
    well(&desk, &[UNITS, &["--shard", "1/1", "-o", "first", "-q"]].concat());
    let confirm = ["--from", "first", "-o", "second", "-q", "--shard"];
    well(&desk, &[UNITS, &confirm, &["1/2"]].concat());
    well(&desk, &[UNITS, &confirm, &["2/2", "--within", "0.3pp"]].concat());
    let told = refused(&desk, &[&["merge", "second", "-o", "merged"], CSV].concat(), 3);
    assert!(told.contains("what is asked for is") && told.contains("--within 0.3pp"), "{told}");
}

#[test]
fn a_shard_of_a_later_play_goes_on_where_it_was_ended() {
    let desk = Desk::new();
    well(&desk, &[NEYMAN, &["--shard", "1/1", "-o", "pilot", "-q"]].concat());
    let rest = [NEYMAN, &["--shard", "1/2", "--from", "pilot", "-o", "rest"]].concat();
    well(&desk, &rest);
    let told = refused(&desk, &["merge", "rest", "-o", "merged"], 3);
    assert!(told.contains("play `--shard 2/2`, with the same `--from` as the others"), "{told}");
    let whole = files(&desk, "rest/shard-1-of-2");
    let output = desk.evens(&rest);
    assert!(stderr(&output).contains("going on from 375 battles"), "{}", stderr(&output));
    assert_eq!(files(&desk, "rest/shard-1-of-2"), whole);
}

#[test]
fn what_is_kept_of_a_later_play_is_never_forgotten() {
    let desk = Desk::new();
    let command =
        [&TUNE[..3], &["800", "--confirm", "6000", "--checkpoint", "kept", "--json"]].concat();
    well(&desk, &command);
    let kept = desk.path().join("kept/result.partial");
    let mut child = Command::new(crate::program())
        .current_dir(desk.path())
        .args(&command)
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .spawn()
        .unwrap();
    // Whenever this command is ended, the next one can go on from all that was played.
    while child.try_wait().unwrap().is_none() {
        let bytes = fs::read(&kept).unwrap();
        let text = String::from_utf8_lossy(&bytes);
        assert!(text.contains(r#""name":"the confirmation""#), "{}", text.lines().nth(1).unwrap());
    }
}

#[test]
fn adding_up_shows_no_speed_of_battles_that_nobody_plays() {
    let desk = Desk::new();
    let part = ["run", "splinterlands/mirror", "--battles", "400", "--shard", "1/1", "-o", "parts"];
    well(&desk, &part);
    let merge = ["merge", "parts", "-o", "merged", "--format", "csv", "--progress", "bar"];
    let output = desk.evens(&merge);
    assert_eq!(code(&output), 0);
    assert!(!stderr(&output).contains("/s"), "{}", stderr(&output));
}

#[test]
fn a_merge_that_has_to_wait_for_evidence_leaves_no_folder() {
    let desk = Desk::new();
    let until = ["run", "splinterlands/mirror", "--until", "ci=1pp"];
    well(&desk, &[&until[..], &["--shard", "0..300", "-o", "parts", "-q"]].concat());
    let into = "results/of/mine";
    refused(&desk, &[&["merge", "parts", "-o", into], CSV].concat(), 3);
    assert!(!desk.path().join("results").exists(), "neither the folder nor those around it");
    // A folder that was there before stays.
    fs::create_dir(desk.path().join("results")).unwrap();
    refused(&desk, &[&["merge", "parts", "-o", into], CSV].concat(), 3);
    assert!(desk.path().join("results").exists() && !desk.path().join("results/of").exists());
}

#[cfg(not(feature = "s3"))]
#[test]
fn without_object_stores_a_location_is_refused_with_the_remedy() {
    let desk = Desk::new();
    let place = "s3://bucket/key";
    for words in [
        &["run", "splinterlands/mirror", "--battles", "10", "-o", place][..],
        &["run", "splinterlands/mirror", "--battles", "10", "--shard", "1/2", "-o", place],
        &["run", "splinterlands/mirror", "--battles", "10", "--report", "s3://bucket/page.html"],
        &["merge", place, "-o", "merged"],
        &["report", place, "-o", "page.html"],
    ] {
        let told = refused(&desk, words, 2);
        assert!(
            told.contains("was built without them") && told.contains("--features s3"),
            "{told}"
        );
    }
    assert_eq!(fs::read_dir(desk.path()).unwrap().count(), 0, "no folder called `s3:`");
}

/// Every command that shares its battles out refuses such a shard before anything is played.
#[test]
fn a_shard_beyond_the_last_battle_is_refused() {
    let desk = Desk::new();
    desk.write("duel.toml", &super::duel(""));
    for command in [
        "run duel.toml --battles 50",
        "effects splinterlands/drawn-teams --battles 50",
        "sweep splinterlands/sweep-health --battles 50",
        "tune splinterlands/archetypes --battles 50",
    ] {
        let words: Vec<&str> = command.split(' ').collect();
        let beyond = [&words[..], &["--shard", "1000..2000", "-o", "parts", "-q"]].concat();
        let told = refused(&desk, &beyond, 2);
        assert!(told.contains("--shard 1000..2000 begins after the last of"), "{command}: {told}");
        assert!(!desk.path().join("parts").exists(), "{command}");
    }
    // A shard that reaches beyond the last battle is played as far as there are battles, and one of many equal parts
    // may have none.
    for (part, told) in [("40..2000", "(10 of 50 battles)"), ("1/99", "(0 of 50 battles)")] {
        let output =
            desk.evens(&["run", "duel.toml", "--battles", "50", "-o", "parts", "--shard", part]);
        assert_eq!(code(&output), 0);
        assert!(stderr(&output).contains(told), "{}", stderr(&output));
    }
}

/// After a stopping rule, every interval of the page is wider than with the same number of battles fixed in advance; so
/// are the intervals of shares of the equilibrium.
#[test]
fn shares_of_the_equilibrium_are_as_wide_as_the_stopping_rule_makes_them() {
    let desk = Desk::new();
    let share = |more: &[&str]| -> [f64; 2] {
        let run = ["run", "sanctum/mixed-groups", "--json", "--table", "field"];
        let output = desk.evens(&[&run[..], more].concat());
        assert_eq!(code(&output), 0, "{}", stderr(&output));
        let found: serde_json::Value = serde_json::from_str(&stdout(&output)).unwrap();
        let rows = found["tables"]["field"].as_array().unwrap();
        let row = rows.iter().find(|row| row["contender"] == "4 swords, 4 bows").unwrap();
        ["equilibrium_share", "equilibrium_share_high"].map(|column| row[column].as_f64().unwrap())
    };
    let stopped = share(&["--until", "ci=8pp", "--max-battles", "60000"]);
    let fixed = share(&["--battles", "18000"]);
    assert!((stopped[0] - fixed[0]).abs() < 1e-9, "{stopped:?} {fixed:?}: as many battles");
    assert!(stopped[1] > 1.2 * fixed[1] && fixed[1] > 0.0, "{stopped:?} {fixed:?}");
}
