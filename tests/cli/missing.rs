//! A scenario file that is not there: nothing else is played in its place, and the message says what may have been meant.

use super::{Desk, code, duel, flat, stderr, stdout};
use std::fs;

/// Runs a line of words that must be refused with this exit code, and returns what it says on one line.
fn refused(desk: &Desk, line: &str, exit: i32) -> String {
    let output = desk.evens(&line.split(' ').collect::<Vec<_>>());
    assert_eq!(code(&output), exit, "{line}: {}{}", stdout(&output), stderr(&output));
    assert_eq!(stdout(&output), "", "{line}");
    // Lines are broken after slashes, too.
    flat(&stderr(&output)).replace("/ ", "/")
}

#[test]
fn no_bundled_scenario_is_played_for_a_file_that_is_not_there() {
    let desk = Desk::new();
    for command in [
        "check classes.toml",
        "run classes.toml --battles 20",
        "sweep classes.toml --battles 20 --set battles=20,30",
        "trace classes.toml --battle 1",
        "exact classes.toml",
        "nightly classes.toml --battles 20",
        "nightly --write classes.toml --battles 20 --baseline base",
    ] {
        let told = refused(&desk, command, 3);
        let expected =
            "there is no file classes.toml (the bundled one is called eldertale/classes)";
        assert!(told.contains(expected), "{command}: {told}");
        assert!(!told.contains("did you mean"), "{command}: {told}");
    }
    assert_eq!(desk.files("."), Vec::<String>::new());
    for path in [
        "eldertale/classes.toml",
        "./eldertale/classes",
        "eldertale/classes.csv",
        "scenarios/eldertale/classes",
        "eldertale/cards/example",
    ] {
        let told = refused(&desk, &format!("run {path} --battles 20"), 3);
        assert!(told.contains(&format!("there is no file {path}")), "{path}: {told}");
    }
    for name in ["classes", "eldertale/classes"] {
        desk.page(&["check", name]);
    }
}

/// A file that is there but cannot be read is no reason to play another scenario, either.
#[cfg(unix)]
#[test]
fn no_bundled_scenario_is_played_for_a_file_that_cannot_be_read() {
    let desk = Desk::new();
    fs::create_dir(desk.path().join("eldertale")).unwrap();
    std::os::unix::fs::symlink("gone", desk.path().join("eldertale/classes")).unwrap();
    std::os::unix::fs::symlink("gone", desk.path().join("classes")).unwrap();
    for name in ["eldertale/classes", "classes"] {
        refused(&desk, &format!("run {name} --battles 20"), 3);
    }
    fs::remove_file(desk.path().join("eldertale/classes")).unwrap();
    fs::write(desk.path().join("eldertale/classes"), b"question = \"\xe9\"").unwrap();
    let told = refused(&desk, "run eldertale/classes --battles 20", 3);
    assert!(told.contains("is not UTF-8"), "{told}");
}

/// Otherwise a night would be green because the file that it watches is gone.
#[test]
fn the_baseline_of_a_file_is_never_compared_with_a_bundled_scenario() {
    let desk = Desk::new();
    desk.page(&["new", "eldertale", "all-in.toml"]);
    // A name without an ending, and one that is the whole name of a bundled scenario.
    fs::create_dir(desk.path().join("eldertale")).unwrap();
    desk.write("classes", &desk.read("all-in.toml"));
    desk.write("eldertale/duel", &desk.read("all-in.toml"));
    for (name, bundled) in [
        ("all-in.toml", "eldertale/all-in"),
        ("classes", "eldertale/classes"),
        ("eldertale/duel", "eldertale/duel"),
    ] {
        let write = ["nightly", "--write", name, "--battles", "50", "--quiet"];
        desk.page(&[&write[..], &["--baseline", "base"]].concat());
        let file = format!("base/{}", desk.files("base")[0]);
        let baseline = desk.read(&file);
        let text = desk.read(name);
        fs::remove_file(desk.path().join(name)).unwrap();
        for command in ["nightly --baseline base", "nightly --baseline base --write"] {
            let told = refused(&desk, command, 3);
            assert!(
                told.contains("is the baseline of") && told.contains("there is no file"),
                "{told}"
            );
            assert!(told.contains(name), "{told}");
        }
        // Who names the bundled scenario does not mean this baseline.
        let told = refused(&desk, &format!("nightly {bundled} --baseline base"), 2);
        assert!(told.contains("is another scenario, a bundled one"), "{told}");
        assert_eq!(desk.read(&file), baseline, "{name}");
        desk.write(name, &text);
        fs::remove_dir_all(desk.path().join("base")).unwrap();
    }
}

#[test]
fn shards_of_a_file_that_is_gone_are_not_added_up_for_a_bundled_scenario() {
    let desk = Desk::new();
    fs::create_dir(desk.path().join("eldertale")).unwrap();
    desk.write("eldertale/duel.toml", &duel(""));
    for shard in ["1/2", "2/2"] {
        let play = ["run", "eldertale/duel.toml", "--battles", "60", "-q"];
        desk.page(&[&play[..], &["-o", "parts", "--shard", shard]].concat());
    }
    fs::remove_file(desk.path().join("eldertale/duel.toml")).unwrap();
    let told = refused(&desk, "merge parts", 3);
    assert!(told.contains("it is not where it was when the parts were played"), "{told}");
}

#[test]
fn a_slip_finds_the_files_beside_it_first() {
    let desk = Desk::new();
    fs::create_dir(desk.path().join("sub")).unwrap();
    for name in ["classes.toml", "mine.toml", "sub/duel.toml"] {
        desk.write(name, &duel(""));
    }
    for (line, expected) in [
        ("run mnie.toml", "there is no file mnie.toml"),
        ("run mnie.toml", "did you mean `mine.toml`?"),
        ("run mine", "did you mean `mine.toml`?"),
        ("run clases", "did you mean `classes.toml`?"),
        ("nightly --write clases.toml", "did you mean `classes.toml`?"),
        ("run sub/deul.toml", "did you mean `sub/duel.toml`?"),
        // The files of another folder were not meant; a bundled scenario may be, and is called one.
        ("run deul.toml", "did you mean the bundled `eldertale/duel`?"),
        ("run deul", "did you mean the bundled `eldertale/duel`?"),
        ("run eldertale/deul", "did you mean the bundled `eldertale/duel`?"),
        ("run qqq.toml", "check the path; `evens list scenarios` names all bundled ones"),
        ("run qqq", "there is no file qqq, and no bundled scenario of that name"),
    ] {
        let told = refused(&desk, line, 3);
        assert!(told.contains(expected), "{line}: {told}");
    }
}
