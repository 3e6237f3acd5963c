//! Values that make no sense are refused, with values that do.

use super::{Desk, code, duel, flat, stderr, stdout};

/// What the program says to a wrong command line.
fn refused(arguments: &[&str]) -> String {
    let desk = Desk::new();
    desk.write("duel.toml", &duel(""));
    let output = desk.evens(arguments);
    assert_eq!(code(&output), 2, "{arguments:?}: {}", stderr(&output));
    flat(&stderr(&output))
}

#[test]
fn a_negative_number_is_a_wrong_value_and_no_flag() {
    let told = refused(&["run", "duel.toml", "--battles", "-1"]);
    assert!(told.contains("`-1` is no count"), "{told}");
    let told = refused(&["run", "duel.toml", "--seed", "-1"]);
    assert!(told.contains("`-1` is no seed"), "{told}");
    let told = refused(&["trace", "duel.toml", "--battle", "-1"]);
    assert!(told.contains("invalid value '-1'"), "{told}");
    let mirror = "splinterlands/mirror";
    for (command, told) in [
        (["compare", "a.json", "--tolerance", "-1pp"], "write percentage points such as"),
        (["plan", mirror, "--detect", "-1pp"], "write percentage points from 0.0001 to below 50"),
        (["plan", mirror, "--power", "-80%"], "write a percentage from 50%"),
        (["run", mirror, "--battles", "-1k"], "`-1k` is no count"),
        (["run", mirror, "--shard", "-1/8"], "for the second of eight parts"),
        (["run", mirror, "--seed", "-0x1"], "`-0x1` is no seed"),
        (["best", mirror, "--until", "-30s"], "`-30s` is no time"),
        (["run", mirror, "--until", "margin=50pp"], "50pp is not from 0.0001pp to below 50pp"),
        (["run", mirror, "--until", "1e18s"], "`1e18s` is more than a year"),
        (["tune", mirror, "--rarest", "-.5"], "from 0% to below 100%"),
        (["worth", mirror, "--replace", "-1"], "`-1` is no whole number"),
        (["run", mirror, "--quiet", "-5"], "unexpected value '-5'"),
    ] {
        let refused = refused(&command);
        assert!(refused.contains(told), "{command:?}: {refused}");
    }
    let told = refused(&["run", mirror, "-z"]);
    assert!(!told.contains("-- -z"), "{told}");
}

/// All counts are accepted in every notation in which people write numbers.
#[test]
fn small_numbers_are_written_as_large_ones_are() {
    let desk = Desk::new();
    desk.write("duel.toml", &duel(""));
    let page = |battle| desk.page(&["trace", "duel.toml", "--battle", battle]);
    assert_eq!(page("2e2"), page("200"));
    assert_eq!(page("0"), page("00"));
    // A comma is no decimal point, and it is never dropped where it might be one.
    for wrong in ["2,5k", "1,5", "1,,000"] {
        let told = refused(&["run", "duel.toml", "--battles", wrong]);
        assert!(told.contains("is no count"), "{told}");
    }
    for (command, told) in [
        (["trace", "duel.toml", "--battle", "ten"], "`ten` is no whole number"),
        (["nightly", "--write", "--paired", "ten"], "`ten` is no whole number"),
        (["replay", "log.jsonl", "--patience", "1e12"], "is larger than anything here can be"),
        (["exact", "duel.toml", "--rounds", "0"], "is no count"),
        (["run", "duel.toml", "--report", "-"], "name a file"),
        (["run", "duel.toml", "-o", ""], "it has no name"),
    ] {
        let refused = refused(&command);
        assert!(refused.contains(told), "{command:?}: {refused}");
    }
}

#[test]
fn seeds_are_written_in_one_way_everywhere() {
    let desk = Desk::new();
    desk.write("duel.toml", &duel(""));
    let page = |seed| desk.page(&["run", "duel.toml", "--battles", "10", "--seed", seed]);
    assert_eq!(page("0xff"), page("255"));
    assert_eq!(page("1e3"), page("1000"));
    assert_eq!(page("20_000"), page("20k"));
    for command in [
        &["run", "duel.toml", "--seed"][..],
        &["trace", "duel.toml", "--battle", "1", "--seed"],
        &["trace", "duel.toml", "--battle-seed"],
        &["nightly", "duel.toml", "--seed"],
        &["score", "log.jsonl", "--seed"],
        &["compare", "a.csv", "b.csv", "--seed"],
    ] {
        let told = refused(&[command, &["18446744073709551616"]].concat());
        assert!(told.contains("write a whole number below 2^64, or hexadecimal"), "{told}");
    }
}

/// This holds for threads and shards, too.
#[test]
fn whole_numbers_are_written_in_one_way_everywhere() {
    let desk = Desk::new();
    desk.write("duel.toml", &duel(""));
    let run = ["run", "duel.toml", "--battles", "3k", "-q", "--threads", "0.1e1"];
    desk.page(&[&run[..], &["--shard", "1e3..2_000", "-o", "parts"]].concat());
    desk.page(&[&run[..], &["--shard", "1_0/1e1", "-o", "parts"]].concat());
    assert_eq!(desk.files("parts"), ["battles-1000-to-1999", "shard-10-of-10"]);
    let told = refused(&["run", "duel.toml", "--threads", "2k"]);
    assert!(told.contains("write a number from 0 to 1024"), "{told}");
}

/// A flag that would change nothing is refused.
#[test]
fn what_picks_a_battle_does_not_go_with_one_that_is_named() {
    for more in
        [["--with", "Pit Ogre"], ["--ruleset", "Standard"], ["--among", "10"], ["--side", "B"]]
    {
        for which in [["--battle", "1"], ["--battle-seed", "7"]] {
            let told = refused(&[&["trace", "duel.toml"], &which[..], &more[..]].concat());
            assert!(told.contains(&format!("the argument '{}", which[0])), "{told}");
            assert!(told.contains("cannot be used with"), "{told}");
        }
    }
    for command in [
        "trace duel.toml --battle 1 --html page.html --boards",
        "run duel.toml --battles 5 --max-battles 9",
        "nightly --paired 5 --tolerance 1pp",
        "nightly --write --label one",
    ] {
        let told = refused(&command.split(' ').collect::<Vec<_>>());
        assert!(told.contains("cannot be used with"), "{command}: {told}");
    }
}

/// A description of a battle's conditions, as the heading of a trace prints it, picks a battle with these conditions.
#[test]
fn conditions_are_taken_as_they_are_printed() {
    let desk = Desk::new();
    for scenario in ["sanctum/precedence", "splinterlands/drawn-teams", "sanctum/level-gaps"] {
        for battle in ["3", "4", "5"] {
            let page = desk.page(&["trace", scenario, "--battle", battle]);
            let (_, printed) = page.lines().next().unwrap().split_once(", ").unwrap();
            let pick = ["trace", scenario, "--pick", "typical", "--ruleset", printed];
            let picked = desk.page(&pick);
            assert!(picked.lines().next().unwrap().ends_with(&format!(", {printed}")), "{picked}");
        }
    }
    let b = ["trace", "sanctum/precedence", "--pick", "win", "--ruleset", "b has precedence"];
    assert!(desk.page(&b).contains("B has precedence"));
    let told =
        refused(&["trace", "sanctum/precedence", "--pick", "win", "--ruleset", "B has precedense"]);
    assert!(told.contains("did you mean `B has precedence`?"), "{told}");

    let both = ["trace", "splinterlands/drawn-teams", "--pick", "typical", "--ruleset"];
    let page = |name| desk.page(&[&both[..], &[name]].concat());
    let first = page("Reverse Speed + Earthquake");
    assert!(first.contains("Rulesets: Earthquake + Reverse Speed"), "{first}");
    assert_eq!(first, page("earthquake+reverse speed"));

    desk.write(
        "my.toml",
        "game = \"splinterlands\"\nbattles = 10\nleague = \"silver\"\n[rulesets]\nonly = [\"Standard\", \"Super Sneak\"]\ntwo = 0\n\
         [[pools]]\nname = \"All\"\n[sides]\na = [\"All\"]\nb = [\"All\"]\n",
    );
    for unknown in ["Earthquake", "Earthquak", "Super Sneak + Earthquake"] {
        let trace = ["trace", "my.toml", "--pick", "win", "--ruleset", unknown];
        let told = flat(&stderr(&desk.evens(&trace)));
        assert!(told.contains("there is no ruleset") && !told.contains("`Earthquake`?"), "{told}");
    }
}

#[test]
fn an_empty_variable_is_not_set_and_a_wrong_one_is_named() {
    let run = |threads: &str| {
        let mut command = assert_cmd::Command::new(crate::program());
        command.env("EVENS_THREADS", threads).args(["run", "mirror", "--battles", "10"]);
        command.output().unwrap()
    };
    assert_eq!(code(&run("")), 0);
    let output = run("many");
    assert_eq!(code(&output), 2);
    assert!(stderr(&output).contains("the variable EVENS_THREADS"), "{}", stderr(&output));
}

#[test]
fn card_files_are_compared_with_card_files() {
    let told = refused(&["compare", "old.csv", "baseline.json"]);
    assert!(told.contains("old.csv is a card file, and the other is none"), "{told}");
}

#[test]
fn odds_are_of_what_is_drawn() {
    let told = refused(&["list", "games", "--odds", "splinterlands/mirror"]);
    assert!(told.contains("`evens list rulesets --odds SCENARIO`"), "{told}");
    let told = refused(&["list", "rulesets", "sanctum", "--odds", "splinterlands/mirror"]);
    assert!(told.contains("is of splinterlands, and not of sanctum"), "{told}");
    let desk = Desk::new();
    assert!(
        desk.page(&["list", "rulesets", "--odds", "splinterlands/mirror"]).contains("Standard")
    );
}

#[test]
fn cards_of_which_none_can_be_used_are_no_catalogue() {
    let desk = Desk::new();
    desk.write("cards.json", "[]");
    let output = desk.evens(&["import", "splinterlands", "cards.json", "-o", "cards.csv"]);
    assert_eq!(code(&output), 3);
    assert!(stderr(&output).contains("there is no card in it"), "{}", stderr(&output));
    assert_eq!(desk.files("."), ["cards.json"]);
}

#[test]
fn who_is_named_twice_is_told() {
    let desk = Desk::new();
    desk.write("duel.toml", &duel("").replace("a = [\"Fire\"]", "a = [\"Fire\", \"Fire\"]"));
    let output = desk.evens(&["check", "duel.toml"]);
    assert_eq!(code(&output), 0);
    assert!(stderr(&output).contains("`Fire` is on this side already"), "{}", stderr(&output));
    desk.write("duel.toml", &duel("").replace("name = \"Water\"", "name = \"Fire\""));
    let told = flat(&stderr(&desk.evens(&["check", "duel.toml"])));
    assert!(!told.contains("this scenario has: Fire, Fire"), "{told}");
}

#[cfg(target_os = "linux")]
#[test]
fn help_that_cannot_be_printed_is_no_success() {
    for asked in ["--help", "--version", "help"] {
        let full = std::fs::OpenOptions::new().write(true).open("/dev/full").unwrap();
        let mut program = std::process::Command::new(crate::program());
        let output = program.arg(asked).stdout(full).output().unwrap();
        assert_eq!(code(&output), 1, "{asked}");
        assert!(stderr(&output).contains("cannot print"), "{asked}: {}", stderr(&output));
    }
    let desk = Desk::new();
    assert!(stdout(&desk.evens(&["--version"])).starts_with("evens "));
}

/// A command that would leave standard output empty refuses `--json`.
#[test]
fn a_shard_has_no_results_to_print_as_json() {
    let desk = Desk::new();
    let shard = ["run", "splinterlands/mirror", "--battles", "5", "-o", "parts", "--shard", "1/2"];
    let refused = desk.evens(&[&shard[..], &["--json"]].concat());
    assert_eq!(code(&refused), 2, "{}", stdout(&refused));
    assert_eq!(code(&desk.evens(&shard)), 0);
    let refused = desk.evens(&["merge", "parts", "--into", "sum", "--json"]);
    assert_eq!(code(&refused), 2, "{}", stdout(&refused));
}

/// Each of these once got a misleading message, or none.
#[test]
fn what_is_not_there_is_named() {
    let desk = Desk::new();
    desk.write("nobody.txt", "# none yet\n");
    let told = |command: &[&str]| {
        let output = desk.evens(command);
        format!("{} {}", code(&output), flat(&stderr(&output)))
    };
    let nobody = told(&["best", "sanctum/monsters", "--candidates", "nobody.txt"]);
    assert!(nobody.contains("it names nobody"), "{nobody}");
    let missing = told(&["compare", ".", "nonexistent"]);
    assert!(
        missing.contains("nonexistent") && missing.contains("there is no such file"),
        "{missing}"
    );
    let alone = told(&["best", "splinterlands/drawn-teams", "--epsilon", "2pp"]);
    assert!(alone.starts_with('2') && alone.contains("--metagame"), "{alone}");
}

/// Products with the number of battles must not overflow, and no time limit may be endless.
#[test]
fn numbers_that_nothing_can_be_are_refused() {
    let mirror = "splinterlands/mirror";
    for command in ["run", "sweep", "effects", "plan", "worth"] {
        let told = refused(&[command, mirror, "--battles", "18446744073709551615"]);
        assert!(told.contains("write a whole number from 1 to 1e14"), "{told}");
    }
    let told = refused(&["run", mirror, "--checkpoint-every", "1e19"]);
    assert!(told.contains("write seconds up to a year"), "{told}");
    let desk = Desk::new();
    desk.write("duel.toml", &duel("").replace("battles = 500", "battles = 200_000_000_000_000"));
    let output = desk.evens(&["run", "duel.toml"]);
    assert_eq!(code(&output), 3, "{}", stderr(&output));
    assert!(
        flat(&stderr(&output)).contains("must lie between 1 and 100000000000000"),
        "{}",
        stderr(&output)
    );
}

/// An error message is about the given command, wherever flags stand; an argument that is no UTF-8 does not crash the
/// program.
#[test]
fn the_command_is_known_behind_flags_of_all_commands() {
    let desk = Desk::new();
    let output = desk.evens(&["--color", "never", "run", "--bogus"]);
    assert_eq!(code(&output), 2);
    assert!(stderr(&output).contains("evens run --help"), "{}", stderr(&output));
    #[cfg(unix)]
    {
        use std::os::unix::ffi::OsStrExt as _;
        let mut command = assert_cmd::Command::new(crate::program());
        let output = command.arg(std::ffi::OsStr::from_bytes(b"\xff")).output().unwrap();
        assert_eq!(code(&output), 2, "{}", stderr(&output));
    }
}

/// An error message says what was probably meant.
#[test]
fn what_was_meant_is_said() {
    let desk = Desk::new();
    desk.write("mine.toml", &duel(""));
    let told = |arguments: &[&str]| {
        let output = desk.evens(arguments);
        assert!([2, 3].contains(&code(&output)), "{arguments:?}: {}", stderr(&output));
        flat(&stderr(&output))
    };
    assert!(told(&["run", "mine"]).contains("did you mean `mine.toml`?"));
    assert!(told(&["compare", "mine.toml", "mine.toml"]).contains("`evens sweep` plays variants"));
    let both = told(&["run", "mine.toml", "--battles", "10", "--until", "1m"]);
    assert!(both.contains("with `--until` the most battles to play are `--max-battles`"), "{both}");
    let file = told(&["run", "mine.toml", "-o", "out.csv"]);
    let single =
        "write a single one with `-o - > FILE` (of several tables, `--table NAME` says which)";
    assert!(file.contains(single), "{file}");
    let file = told(&["sweep", "mine.toml", "-o", "out.json"]);
    assert!(file.contains(single), "{file}");
    let both = told(&["best", "mine.toml", "--battles", "10", "--until", "1m"]);
    assert!(both.contains("leave one of the two out") && !both.contains("--max-battles"), "{both}");
    let fixed = told(&["effects", "mine.toml"]);
    assert!(
        fixed.contains("or, as it is, `evens effects mine.toml --order first-turn`"),
        "{fixed}"
    );
}
