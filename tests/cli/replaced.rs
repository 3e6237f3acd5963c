//! A single output replaces only what a command wrote, with the same kind of content.

use super::patch::RIVALS;
use super::{Desk, code, duel, flat, stderr};
use std::fs;

const TEAMS: &str = "# A deck that took all evening\nMalric Inferno; Pit Ogre\n";
const CARDS: &str = "[{\"id\":1,\"name\":\"Lord\",\"color\":\"Red\",\"type\":\"Summoner\",\"rarity\":4,\"stats\":\
    {\"mana\":3,\"attack\":1,\"ranged\":0,\"magic\":0,\"armor\":0,\"health\":0,\"speed\":0}}]";
const RUN: &str = "run duel.toml --battles 50 --quiet --report";
const TRACE: &str = "trace duel.toml --battle 1 --html";
const NIGHTLY: &str = "nightly --baseline base --seed 1 --quiet";
const TUNE: &str = "tune rivals.toml --stats --battles 60 --confirm 60 --edits 1 --quiet";

fn desk() -> Desk {
    let desk = Desk::new();
    desk.write("duel.toml", &duel("")).write("rivals.toml", RIVALS).write("cards.json", CARDS);
    desk.page(&words("run duel.toml --battles 50 -o results --format csv --quiet"));
    desk.page(&words("nightly --write duel.toml --battles 50 --baseline base --quiet"));
    desk
}

fn words(line: &str) -> Vec<&str> {
    line.split(' ').collect()
}

/// All commands with an output in a file of its own, without the file's name.
fn commands() -> Vec<String> {
    let mut all: Vec<String> =
        [RUN, TRACE, "report results --quiet -o", "import splinterlands cards.json -o"]
            .map(str::to_owned)
            .to_vec();
    all.extend(["--summary", "--junit", "--report"].map(|flag| format!("{NIGHTLY} {flag}")));
    let of_tune = ["--write-scenario", "--notes", "--changes", "--report"];
    all.extend(of_tune.map(|flag| format!("{TUNE} {flag}")));
    all
}

#[test]
fn what_no_command_wrote_is_not_replaced() {
    let desk = desk();
    let cards = include_str!("../../scenarios/splinterlands/cards/2020-05.csv");
    let page = "<!doctype html>\n<html><title>Our club</title>a page by evens fans</html>\n";
    for (name, text) in [
        ("mine.toml", RIVALS),
        ("set.csv", cards),
        ("deck.txt", TEAMS),
        ("mine.html", page),
        ("mine.md", "## What was compared\n\n# Patch notes: spring\n\nAll by hand.\n"),
    ] {
        for command in commands() {
            desk.write(name, text);
            let output = desk.evens(&words(&format!("{command} {name}")));
            assert_eq!(code(&output), 2, "{command} {name}: {}", stderr(&output));
            let told = flat(&stderr(&output));
            assert!(told.contains(&format!("{name} is there already and is not ")), "{told}");
            assert!(told.contains("name another file, or remove it first"), "{told}");
            assert_eq!(desk.read(name), text, "{command}");
        }
    }
    let hidden = desk.files(".").into_iter().filter(|name| name.starts_with(".evens"));
    assert_eq!(hidden.count(), 0);
    fs::create_dir(desk.path().join("man")).unwrap();
    desk.write("man/evens-run.1", "how we run\n");
    let output = desk.evens(&["man", "--folder", "man"]);
    assert_eq!(code(&output), 2, "{}", stderr(&output));
    assert_eq!(desk.files("man"), ["evens-run.1"], "no page is written");
    assert_eq!(desk.read("man/evens-run.1"), "how we run\n");
}

/// It is refused before the first battle, and not after hours.
#[test]
fn what_may_not_be_replaced_is_refused_before_the_first_battle() {
    let desk = desk();
    desk.write("deck.txt", TEAMS);
    for command in [
        "run duel.toml --battles 1000000000000 --report deck.txt",
        "tune rivals.toml --battles 1000000000 --stats --notes deck.txt",
    ] {
        let mut program = assert_cmd::Command::new(crate::program());
        let program = program.current_dir(desk.path()).args(words(command));
        // One that plays is ended.
        let output = program.timeout(std::time::Duration::from_secs(30)).output().unwrap();
        assert_eq!(output.status.code(), Some(2), "{command}");
    }
}

#[test]
fn what_a_command_wrote_is_replaced_and_an_empty_file_is_filled() {
    let desk = desk();
    for (at, command) in commands().iter().enumerate() {
        let name = format!("file-{at}");
        desk.write(&name, "");
        for _ in 0..2 {
            let output = desk.evens(&words(&format!("{command} {name}")));
            assert_eq!(code(&output), 0, "{command}: {}", stderr(&output));
            assert!(!desk.read(&name).is_empty(), "{command}");
        }
    }
    // A page takes the place of a page, whichever of the two it is.
    desk.page(&words(&format!("{TRACE} file-0")));
    desk.page(&words(&format!("{RUN} file-0")));
    desk.page(&words("man --folder man"));
    desk.page(&words("man --folder man"));
}

#[test]
fn what_was_changed_since_or_is_of_another_kind_is_not_replaced() {
    let desk = desk();
    let files = [("--write-scenario", "new.toml"), ("--changes", "few.toml"), ("--notes", "n.md")];
    for (flag, name) in files {
        desk.page(&words(&format!("{TUNE} {flag} {name}")));
    }
    for (flag, name) in files {
        for (_, other) in files.iter().filter(|(_, other)| *other != name) {
            let output = desk.evens(&words(&format!("{TUNE} {flag} {other}")));
            assert_eq!(code(&output), 2, "{flag} {other}: {}", stderr(&output));
        }
        let changed = format!("# From us\n{}", desk.read(name));
        desk.write(name, &changed);
        let output = desk.evens(&words(&format!("{TUNE} {flag} {name}")));
        assert_eq!(code(&output), 2, "{flag}: {}", stderr(&output));
        assert_eq!(desk.read(name), changed);
    }
    // An imported list is a file that people edit.
    desk.page(&words("import splinterlands cards.json -o set.csv"));
    let edited = desk.read("set.csv").replacen("Lord", "Lady", 1);
    desk.write("set.csv", &edited);
    let output = desk.evens(&words("import splinterlands cards.json -o set.csv"));
    assert_eq!(code(&output), 2, "{}", stderr(&output));
    assert_eq!(desk.read("set.csv"), edited);
}

/// A scenario that is written from one that was written has one mark, and plays.
#[test]
fn a_written_scenario_has_one_mark() {
    let desk = desk();
    desk.page(&words(&format!("{TUNE} --write-scenario new.toml")));
    let again = TUNE.replace("rivals.toml", "new.toml");
    desk.page(&words(&format!("{again} --write-scenario newer.toml")));
    for name in ["new.toml", "newer.toml"] {
        let text = desk.read(name);
        let marks = text.matches("# Scenario written by evens, fingerprint ").count();
        assert_eq!(marks, 1, "{text}");
        desk.page(&["check", name]);
    }
}

/// Devices and pipes hold nothing that could be lost, and nothing is added to what goes through them.
#[cfg(target_os = "linux")]
#[test]
fn streams_take_every_kind() {
    let desk = desk();
    let lines = [
        format!("evens {RUN} /dev/stdout | grep -c 'name=\"generator\"'"),
        format!("evens {RUN} >(grep -c 'name=\"generator\"' > seen) && sleep 1 && cat seen"),
        format!(
            "mkfifo pipe; (grep -c '^hand' < pipe) & evens {TUNE} --write-scenario pipe > page; wait"
        ),
        format!("! evens {TUNE} --write-scenario /dev/stdout | grep 'Scenario written' && echo 1"),
        format!("evens {NIGHTLY} --summary /dev/null && echo 1"),
    ];
    for line in lines {
        let output = desk.shell(&line);
        let told = String::from_utf8_lossy(&output.stdout).into_owned();
        let number = told.trim().parse::<u32>();
        assert!(number.is_ok_and(|lines| lines > 0), "{line}: {told} {}", stderr(&output));
    }
}
