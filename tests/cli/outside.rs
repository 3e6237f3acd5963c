//! Scenarios from elsewhere read and write nothing outside their folder, and files may have any name.

use std::fs;

use super::{Desk, code, duel, flat, stderr, stdout};

const CARDS: &str = include_str!("../../scenarios/splinterlands/cards/2020-05.csv");

#[test]
fn a_scenario_reads_only_below_its_folder() {
    let desk = Desk::new();
    fs::create_dir_all(desk.path().join("game/cards")).unwrap();
    desk.write("game/cards/own.csv", CARDS).write("cards.csv", CARDS);
    desk.write("game/below.toml", &duel("cards = \"cards/../cards/own.csv\""));
    assert_eq!(code(&desk.evens(&["check", "game/below.toml"])), 0);
    #[cfg(unix)]
    std::os::unix::fs::symlink("../../cards.csv", desk.path().join("game/cards/link.csv")).unwrap();

    let absolute = desk.path().join("cards.csv").display().to_string();
    let mut outside =
        vec!["../cards.csv", "cards/../../cards.csv", &absolute, "/proc/self/environ"];
    if cfg!(unix) {
        outside.push("cards/link.csv");
    }
    for path in outside {
        desk.write("game/outside.toml", &duel(&format!("cards = '{path}'")));
        for command in [
            &["check", "game/outside.toml"][..],
            &["run", "game/outside.toml", "-q"],
            &["list", "rulesets", "--odds", "game/outside.toml"],
        ] {
            let output = desk.evens(command);
            assert_eq!(code(&output), 3, "{path}");
            assert!(
                stderr(&output).contains("leads out of the scenario's folder"),
                "{}",
                stderr(&output)
            );
            assert!(!stderr(&output).contains("PATH="), "{}", stderr(&output));
        }
        if path.ends_with("csv") {
            let trusted = desk.evens(&["check", "game/outside.toml", "--allow-outside"]);
            assert_eq!(code(&trusted), 0, "{path}: {}", stderr(&trusted));
        }
    }
}

#[test]
fn a_scenario_writes_only_below_where_the_program_is_started() {
    let desk = Desk::new();
    fs::create_dir_all(desk.path().join("here")).unwrap();
    let evens = |arguments: &[&str]| {
        let mut command = assert_cmd::Command::new(crate::program());
        command.current_dir(desk.path().join("here")).args(arguments).output().unwrap()
    };
    let with = |folder: &str| {
        let output = format!("[output]\nfolder = '{folder}'\nformat = \"csv\"\n[rulesets]");
        desk.write("here/duel.toml", &duel("").replace("[rulesets]", &output));
    };
    let absolute = desk.path().join("absolute").display().to_string();
    for folder in ["../there", "a/../../there", &absolute] {
        with(folder);
        let output = evens(&["run", "duel.toml", "-q"]);
        assert_eq!(code(&output), 2, "{}", stderr(&output));
        assert!(stderr(&output).contains("--allow-outside"));
        // For `check`, what `run` refuses is a fault of the scenario, with its line.
        let checked = evens(&["check", "duel.toml"]);
        assert_eq!(code(&checked), 3, "{}", stderr(&checked));
        assert!(stderr(&checked).contains("duel.toml:6:10"), "{}", stderr(&checked));
        assert!(stderr(&checked).contains("--allow-outside"));
        assert_eq!(code(&evens(&["check", "duel.toml", "--allow-outside"])), 0);
    }
    // Nothing is played for a folder that cannot be named.
    with("");
    for (command, exit) in [("run", 2), ("check", 3)] {
        let output = evens(&[command, "duel.toml", "--allow-outside"]);
        assert_eq!((code(&output), &*stdout(&output)), (exit, ""), "{}", stderr(&output));
        assert!(flat(&stderr(&output)).contains("or `.` for this one"), "{}", stderr(&output));
    }
    with(&absolute);
    assert_eq!(desk.files("."), ["here"]);
    assert_eq!(code(&evens(&["run", "duel.toml", "-q", "--allow-outside"])), 0);
    assert!(desk.path().join("absolute/outcomes.csv").exists());
    with("results/today");
    assert_eq!(code(&evens(&["check", "duel.toml"])), 0);
    assert_eq!(code(&evens(&["run", "duel.toml", "-q"])), 0);
    assert!(desk.path().join("here/results/today/outcomes.csv").exists());
}

#[test]
fn every_bundled_scenario_can_be_copied_and_checked() {
    let desk = Desk::new();
    for game in evens::engine::names() {
        let from = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("scenarios").join(game);
        let copied = std::process::Command::new("cp").arg("-r").arg(from).arg(desk.path()).status();
        assert!(copied.unwrap().success());
    }
    for name in evens::scenario::bundled::names() {
        let output = desk.evens(&["check", &format!("{name}.toml")]);
        assert_eq!(code(&output), 0, "{name}: {}", stderr(&output));
    }
}

#[cfg(target_os = "linux")]
#[test]
fn names_of_files_need_not_be_utf_8() {
    use std::ffi::OsStr;
    use std::os::unix::ffi::OsStrExt;
    let desk = Desk::new();
    let name = OsStr::from_bytes(b"d\xfcl.toml");
    fs::write(desk.path().join(name), duel("")).unwrap();
    let evens = |arguments: &[&OsStr]| {
        let mut command = assert_cmd::Command::new(crate::program());
        command.current_dir(desk.path()).args(arguments).output().unwrap()
    };
    let words = |text: &'static str| text.split(' ').map(OsStr::new);
    let folder = OsStr::from_bytes(b"f\xfcr");
    for (command, rest) in [
        ("run", vec![OsStr::new("-o"), folder, OsStr::new("--format"), OsStr::new("csv")]),
        ("check", vec![]),
        ("trace", words("--battle 1").collect()),
        ("sweep", words("--set league=silver,gold").collect()),
        ("exact", words("--ways 100").collect()),
    ] {
        let all: Vec<&OsStr> = [OsStr::new(command), name].into_iter().chain(rest).collect();
        let output = evens(&all);
        assert_eq!(code(&output), 0, "{command}: {}", stderr(&output));
    }
    assert!(desk.path().join(folder).join("outcomes.csv").exists());
    let output = evens(&[OsStr::new("nightly"), OsStr::new("--write"), name]);
    assert_eq!(code(&output), 2, "{}", stderr(&output));
    assert!(
        flat(&stderr(&output)).contains("rename the file"),
        "{}{}",
        stdout(&output),
        stderr(&output)
    );
}

/// Commands that pages and reports suggest may read whatever this command was allowed to read.
#[test]
fn suggested_commands_may_read_what_this_one_did() {
    let desk = Desk::new();
    fs::create_dir_all(desk.path().join("game")).unwrap();
    desk.write("cards.csv", CARDS);
    desk.write("game/own.toml", &duel("cards = '../cards.csv'"));
    let run = ["run", "game/own.toml", "--allow-outside", "--report", "run.html"];
    let output = desk.evens(&run);
    assert_eq!(code(&output), 0, "{}", stderr(&output));
    let page = flat(&stdout(&output));
    assert!(
        page.contains("`evens effects --allow-outside game/own.toml --order first-turn`"),
        "{page}"
    );
    let report = desk.read("run.html");
    for command in
        ["evens run --allow-outside game/own.toml", "evens trace --allow-outside game/own.toml"]
    {
        assert!(report.contains(command), "{command}");
    }
}
