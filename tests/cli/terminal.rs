//! Colour, progress, and the form of error messages.

use assert_cmd::Command;

use super::{Desk, code, duel, stderr, stdout};

/// The page of a run with these arguments and variables.
fn page(arguments: &[&str], variables: &[(&str, &str)]) -> String {
    let mut command = Command::new(crate::program());
    for name in ["NO_COLOR", "CLICOLOR", "CLICOLOR_FORCE"] {
        command.env_remove(name);
    }
    let run = ["run", "splinterlands/archetypes", "--battles", "2000", "--full"];
    let output = command.env("COLUMNS", "80").envs(variables.iter().copied());
    stdout(&output.args(run).args(arguments).output().unwrap())
}

#[test]
fn colour_is_there_when_it_is_asked_for() {
    let plain = page(&[], &[]);
    assert!(!plain.contains('\u{1b}'), "no colours in a pipe");
    let forced = ("CLICOLOR_FORCE", "1");
    let coloured = page(&["--color", "always"], &[("NO_COLOR", "1")]);
    assert!(coloured.contains("\u{1b}[38;5;30m") && coloured.contains("\u{1b}[38;5;130m"));
    assert_eq!(page(&[], &[forced]), coloured);
    for (arguments, variables) in [
        (&["--color", "never"][..], &[forced][..]),
        (&[], &[("NO_COLOR", "1"), forced]),
        (&[], &[("CLICOLOR_FORCE", "0")]),
        (&["--color=auto"], &[]),
    ] {
        assert_eq!(page(arguments, variables), plain, "{arguments:?} {variables:?}");
    }
    let mut stripped = String::new();
    for (at, part) in coloured.split('\u{1b}').enumerate() {
        stripped.push_str(if at == 0 { part } else { part.split_once('m').unwrap().1 });
    }
    assert_eq!(stripped, plain, "colour changes nothing but colour");
}

#[test]
fn messages_are_coloured_too_whoever_finds_the_fault() {
    let desk = Desk::new();
    desk.write("faulty.toml", &duel("leage = 1"));
    for arguments in [&["run", "faulty.toml"][..], &["run", "x", "--ful"], &["list", "cats"]] {
        let of = |colour: &str| stderr(&desk.evens(&[arguments, &["--color", colour]].concat()));
        assert!(of("always").contains("\u{1b}["), "{arguments:?}");
        assert!(!of("never").contains('\u{1b}'), "{arguments:?}");
    }
}

#[test]
fn what_is_wrong_is_said_once_and_in_one_style() {
    let desk = Desk::new();
    desk.write("faulty.toml", &duel("leage = \"gold\""));
    for (name, arguments, expected) in [
        ("flag", &["run", "splinterlands/mirror", "--ful"][..], 2),
        ("missing", &["run"], 2),
        ("choice", &["run", "splinterlands/mirror", "--measure", "points"], 2),
        ("command", &["rum"], 2),
        ("usage", &["run", "splinterlands/mirror", "--format", "csv"], 2),
        ("key", &["run", "faulty.toml"], 3),
        ("file", &["run", "nosuch.toml"], 3),
    ] {
        let output = desk.evens(arguments);
        assert_eq!(code(&output), expected, "{arguments:?}");
        let said = stderr(&output);
        assert_eq!(said.matches('×').count(), 1, "{said}");
        assert!(!said.contains("rror:"), "{said}");
        insta::assert_snapshot!(format!("one_style_{name}"), said);
    }
}

#[test]
fn progress_is_shown_or_not() {
    let desk = Desk::new();
    for how in ["auto", "bar", "plain", "none"] {
        let run = ["run", "splinterlands/mirror", "--battles", "2000", "--progress", how];
        let output = desk.evens(&[&run[..], &["--standings"]].concat());
        assert_eq!(code(&output), 0);
        assert_eq!(stderr(&output), "", "nothing to say within a moment");
    }
    assert_eq!(code(&desk.evens(&["list", "games", "--progress", "dots"])), 2);
}

/// A quick estimate says so, before the whole budget is spent.
#[test]
fn what_is_too_large_for_exact_odds_is_said_at_once() {
    let desk = Desk::new();
    // Some have too many ways to begin, and others too many in the first round.
    let too_large = [
        ("splinterlands/drawn-teams", "can begin in about 10^"),
        ("solforge/drawn-decks", "can begin in about 10^"),
        ("eldertale/classes", "can begin in about 70,000,000 ways"),
        ("eldertale/all-in-duel", "3,000,000 ways, and 200,000 states are kept for each draw"),
        ("splinterlands/official-ties", "20,000,000 ways are looked at of more than about"),
    ];
    for (scenario, why) in too_large {
        let said = desk.soon(&["exact", scenario, "-o", "results", "--format", "csv"], 3);
        let wanted = format!("{scenario} is too large for exact odds");
        assert!(said.contains(&wanted) && said.contains("`evens run"), "{said}");
        let words = said.replace("│", "").split_whitespace().collect::<Vec<_>>().join(" ");
        assert!(words.contains(why), "{said}");
        assert_eq!(desk.files("."), Vec::<String>::new());
    }
    let few = desk.evens(&["exact", "splinterlands/drawn-teams", "--ways", "2000"]);
    assert_eq!(code(&few), 0, "whoever asks for little gets the bounds that little gives");
    let begun =
        desk.evens(&["exact", "splinterlands/official-ties", "--rounds", "1", "--ways", "99999"]);
    assert_eq!(code(&begun), 0, "{}", stderr(&begun));
    let fits = [
        "splinterlands/mirror",
        "splinterlands/earthquake-weaken",
        "sanctum/surrounded",
        "sanctum/level-gaps",
        "sanctum/nations",
        "eldertale/all-in",
        "solforge/ghox-and-mutant",
    ];
    for scenario in fits {
        let fits = desk.evens(&["exact", scenario, "--json"]);
        assert_eq!(code(&fits), 0, "{}", stderr(&fits));
        assert!(stdout(&fits).contains("\"complete\": true"), "{scenario}");
    }
}

/// Like headlines, each tested figure has the colour of its result.
#[test]
fn figures_of_forced_orders_and_of_nights_have_colours() {
    const TEAL: &str = "\u{1b}[38;5;30m";
    const ORANGE: &str = "\u{1b}[38;5;130m";
    const GREY: &str = "\u{1b}[38;5;243m";
    let desk = Desk::new();
    let coloured = |scenario: &str, order: &str, battles: &str, when: &str| {
        let arguments = ["effects", scenario, "--order", order, "--battles", battles];
        desk.prints(&[&arguments[..], &["--color", when]].concat())
    };
    let archetypes = ["splinterlands/archetypes", "first-turn", "4000"];
    let [scenario, order, battles] = archetypes;
    let page = coloured(scenario, order, battles, "always");
    let list = page.split_once("By ruleset").expect("a list by ruleset").1;
    assert!(list.matches(GREY).count() >= 12, "{page}");
    let found = coloured("sanctum/nations", "precedence", "20000", "always");
    let list = found.split_once("By match-up").expect("a list by match-up").1;
    assert_eq!(list.matches(TEAL).count(), 12, "{found}");
    let few = coloured("sanctum/nations", "precedence", "1000", "never");
    let untested = "None was tested, for want of battles: `--battles` asks for more.";
    assert!(few.contains(untested), "{few}");
    let plain = coloured(scenario, order, battles, "never");
    let mut stripped = page.clone();
    while let Some(at) = stripped.find('\u{1b}') {
        let end = at + stripped[at..].find('m').expect("the end of a colour");
        stripped.replace_range(at..=end, "");
    }
    assert_eq!(stripped, plain);

    let nightly = ["nightly", "--baseline", "base"];
    let text = "game = \"sanctum\"\nbattles = 3000\n[[groups]]\nname = \"One\"\nminions = [\"Elf archer\"]\n\
                [[groups]]\nname = \"Other\"\nminions = [\"Elf archer\"]\n\
                [sides]\na = [\"One\"]\nb = [\"Other\"]\n";
    desk.write("my.toml", text);
    desk.prints(
        &[&nightly[..], &["--write", "my.toml", "--battles", "3000", "--seed", "1"]].concat(),
    );
    desk.write(
        "my.toml",
        &text.replace(
            "name = \"One\"\nminions = [\"Elf archer\"]",
            "name = \"One\"\nminions = [\"Firewyrm\"]",
        ),
    );
    let output = desk.evens(
        &[&nightly[..], &["--battles", "3000", "--seed", "2", "--color", "always"]].concat(),
    );
    let night = stdout(&output);
    let moved = night.split_once("Changes that count").expect("changes").1;
    assert!(moved.contains(TEAL) || moved.contains(ORANGE), "{night}");
}
