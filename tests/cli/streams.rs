//! Standard output and standard error that are full or that nobody reads.
#![cfg(target_os = "linux")]

use super::{Desk, code, duel, stderr, stdout};

/// Redirections after which nobody reads a command's standard error.
const DEAF: [&str; 3] = ["2>/dev/full", "2>&-", "2> >(exec true)"];

#[test]
fn a_dead_standard_error_changes_no_exit_code() {
    let desk = Desk::new();
    desk.write("duel.toml", &duel("")).write("faulty.toml", "game = \"splinterlands\"\n");
    desk.write("cards.json", "[{\"id\": }]");
    let commands = [
        (0, "run duel.toml -o {n} --format csv"),
        (0, "sweep splinterlands/sweep-rulesets --battles 300 -o {n} --format csv"),
        (0, "effects duel.toml --battles 10 || test $? = 3"),
        (0, "exact solforge/dryad-and-patriarch -o {n} --format csv"),
        (0, "tune splinterlands/archetypes --battles 20000"),
        (0, "check duel.toml"),
        (3, "check faulty.toml"),
        (0, "trace duel.toml --battle 1"),
        (0, "list games"),
        (0, "nightly --write duel.toml --baseline {n}"),
        (0, "schema sanctum"),
        (3, "import splinterlands cards.json"),
        (2, "list dragons"),
    ];
    for (at, deaf) in DEAF.iter().enumerate() {
        for (number, (expected, command)) in commands.iter().enumerate() {
            let command = command.replace("{n}", &format!("folder-{at}-{number}"));
            let (command, rest) = command.split_once("||").unwrap_or((&command, ""));
            let rest = if rest.is_empty() { String::new() } else { format!("||{rest}") };
            let output = desk.shell(&format!("sleep 0.05; evens {command} {deaf} {rest}"));
            assert_eq!(code(&output), *expected, "{command} {deaf}: {}", stderr(&output));
        }
        let tables = desk.files(&format!("folder-{at}-0"));
        assert_eq!(tables.len(), 6, "{tables:?}");
    }
}

/// Where standard error is no terminal, progress is a line now and then: the first after five seconds.
#[test]
fn a_dead_standard_error_does_not_end_a_long_run() {
    let desk = Desk::new();
    let full = std::fs::File::create("/dev/full").unwrap();
    let mut child = std::process::Command::new(crate::program())
        .args(["run", "splinterlands/mirror", "--battles", "100000000000", "-o", "results"])
        .args(["--format", "csv", "--table", "outcomes"])
        .current_dir(desk.path())
        .stdout(std::process::Stdio::null())
        .stderr(full)
        .spawn()
        .unwrap();
    super::until_it_plays(&child);
    std::thread::sleep(std::time::Duration::from_millis(6500));
    super::signal(&child, "INT");
    assert_eq!(child.wait().unwrap().code(), Some(5));
    let files = ["checkpoint", "outcomes.csv", "provenance.json", "report.json"];
    assert_eq!(desk.files("results"), files);
}

#[test]
fn a_full_standard_output_costs_no_table() {
    let desk = Desk::new();
    desk.write("duel.toml", &duel(""));
    let output = desk.shell("evens run duel.toml -o results --format csv > /dev/full");
    assert_eq!(code(&output), 1, "{}", stderr(&output));
    assert!(stderr(&output).contains("wrote results/outcomes.csv"), "{}", stderr(&output));
    assert!(stderr(&output).contains("cannot print"), "{}", stderr(&output));
    assert_eq!(desk.files("results").len(), 6);

    let exact = "evens exact solforge/dryad-and-patriarch --json -o exact --format csv";
    let output = desk.shell(&format!("{exact} > /dev/full"));
    assert_eq!(code(&output), 1, "{}", stderr(&output));
    assert!(desk.files("exact").contains(&"provenance.json".to_owned()), "tables come first");

    assert_eq!(code(&desk.shell("evens nightly --write duel.toml -q")), 0);
    let output = desk.shell("evens nightly --summary page.md > /dev/full");
    assert_eq!(code(&output), 1, "{}", stderr(&output));
    assert!(desk.read("page.md").contains("duel.toml"));
}

#[test]
fn a_reader_that_left_is_no_failure() {
    let desk = Desk::new();
    desk.write("duel.toml", &duel(""));
    for command in [
        "run duel.toml -o results --format csv",
        "list cards splinterlands",
        "list cards splinterlands --format csv",
        "schema splinterlands",
        "completions bash",
        "trace duel.toml --battle 3",
        "check duel.toml",
    ] {
        let output = desk.shell(&format!("(sleep 0.05; evens {command}; echo $? >&2) | true"));
        assert!(
            stderr(&output).ends_with("0\n"),
            "{command}: {}{}",
            stdout(&output),
            stderr(&output)
        );
    }
    assert_eq!(desk.files("results").len(), 6);
}

/// A row for every battle is written while battles are played: once nobody reads them, no more are played.
#[test]
fn nothing_is_played_for_a_reader_that_left() {
    let desk = Desk::new();
    desk.write("duel.toml", &duel(""));
    let rows = "evens run duel.toml --battles 100000000000 --table battles -o -";
    let output = desk.shell(&format!("({rows}; echo $? >&2) | head -n 2 | wc -l"));
    assert_eq!(stdout(&output).trim(), "2");
    assert_eq!(stderr(&output), "0\n");

    // Somebody will read the page.
    let rows = rows.replace("100000000000", "30000");
    let output = desk.shell(&format!("({rows} --report page.html; echo $? >&2) | head -n 2"));
    assert!(stderr(&output).ends_with("0\n"), "{}", stderr(&output));
    assert!(desk.read("page.html").contains("30,000 battles"));
}
