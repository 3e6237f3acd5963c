//! No output replaces what a command keeps, or another output of the same command.

use super::{Desk, code, duel, flat, stderr};
use std::collections::BTreeMap;
use std::fs;
use std::path::Path;

/// All files below a folder with their bytes.
fn everything(folder: &Path) -> BTreeMap<String, Vec<u8>> {
    let mut all = BTreeMap::new();
    for entry in fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() {
            all.extend(everything(&path));
        } else {
            all.insert(path.display().to_string(), fs::read(&path).unwrap());
        }
    }
    all
}

/// A desk with a folder of results, shards, baselines, a history and a folder that runs share.
fn desk() -> Desk {
    let desk = Desk::new();
    desk.write("duel.toml", &duel(""));
    for command in [
        "run duel.toml --battles 50 -o results --format csv --quiet",
        "run duel.toml --battles 50 -o shared --partition --format csv --quiet",
        "run duel.toml --battles 60 --shard 1/2 -o shards --quiet",
        "run duel.toml --battles 60 --shard 2/2 -o shards --quiet",
        "nightly --write duel.toml --battles 50 --baseline base --quiet",
        "nightly --baseline base --history history --seed 1 --label one --quiet",
    ] {
        desk.page(&command.split(' ').collect::<Vec<_>>());
    }
    desk
}

#[test]
fn what_is_kept_is_not_written_over() {
    let desk = desk();
    let before = everything(desk.path());
    let part = before.keys().find(|name| name.contains("/shared/outcomes/")).unwrap();
    let run = before.keys().find(|name| name.contains("/history/runs/")).unwrap();
    let (part, run) = (Path::new(part), Path::new(run));
    let inside = |path: &Path| path.strip_prefix(desk.path()).unwrap().display().to_string();
    let play = "run duel.toml --battles 50 --quiet --report";
    let nightly = "nightly --baseline base --seed 1 --quiet --summary";
    for command in [
        format!("{play} results/outcomes.csv"),
        format!("{play} results/provenance.json"),
        format!("{play} results/report.json"),
        format!("{play} results/partial"),
        format!("{play} results/checkpoint"),
        format!("{play} results/.evens-commit.json"),
        format!("{play} {}", inside(part)),
        format!("{nightly} {}", inside(run)),
        "merge shards --quiet --report shards/shard-1-of-2/result.partial".to_owned(),
        "run duel.toml --battles 50 --quiet --checkpoint kept --report kept/result.partial"
            .to_owned(),
        format!("{nightly} history/runs/new.json"),
    ] {
        let output = desk.evens(&command.split(' ').collect::<Vec<_>>());
        assert_eq!(code(&output), 2, "{command}: {}", stderr(&output));
        let told = flat(&stderr(&output));
        assert!(told.contains("evens keeps in that folder"), "{command}: {told}");
        assert_eq!(everything(desk.path()), before, "{command}");
    }
    // A page beside the tables under a name of its own replaces nothing.
    for command in
        ["report results -o results/report.html", "report results -o results/report.html"]
    {
        desk.page(&command.split(' ').collect::<Vec<_>>());
    }
}

#[test]
fn no_two_outputs_go_to_one_place() {
    let desk = desk();
    let before = everything(desk.path());
    let nightly = "nightly --baseline base --seed 1 --quiet";
    for command in [
        format!("{nightly} --summary page --junit page"),
        format!("{nightly} --summary page --report ./page"),
        format!("{nightly} --history new -o new"),
        format!("{nightly} --history new -o ./new"),
        "run duel.toml --battles 50 --quiet --checkpoint new -o new".to_owned(),
    ] {
        let output = desk.evens(&command.split(' ').collect::<Vec<_>>());
        assert_eq!(code(&output), 2, "{command}: {}", stderr(&output));
        let told = flat(&stderr(&output));
        assert!(told.contains("where another output of this command goes"), "{command}: {told}");
        assert_eq!(everything(desk.path()), before, "{command}");
    }
}

/// The files that a scenario names are inputs too, and so is the scenario whose results are reported.
#[test]
fn what_was_read_is_not_written_over() {
    let desk = Desk::new();
    desk.page(&["new", "eldertale", "my.toml"]);
    fs::create_dir(desk.path().join("cards")).unwrap();
    let cards = include_str!("../../scenarios/eldertale/cards/example.toml");
    desk.write("cards/own.toml", cards);
    let text =
        desk.read("my.toml").replacen("battles", "catalogue = \"cards/own.toml\"\nbattles", 1);
    desk.write("my.toml", &text);
    desk.page(&[
        "run",
        "my.toml",
        "--battles",
        "20",
        "-o",
        "results",
        "--quiet",
        "--format",
        "csv",
    ]);
    let before = everything(desk.path());
    for command in [
        "run my.toml --battles 20 --quiet --report cards/own.toml",
        "run my.toml --battles 20 --quiet --report results/../cards/own.toml",
        "trace my.toml --battle 1 --html cards/own.toml",
        "sweep my.toml --battles 20 --quiet --report cards/own.toml --set characters.Guard.hp=50,60",
        "tune my.toml --stats --battles 20 --quiet --changes cards/own.toml",
        "report results -o my.toml",
    ] {
        let output = desk.evens(&command.split(' ').collect::<Vec<_>>());
        assert_eq!(code(&output), 2, "{command}: {}", stderr(&output));
        assert!(flat(&stderr(&output)).contains("is an input"), "{command}: {}", stderr(&output));
        assert_eq!(everything(desk.path()), before, "{command}");
    }
}

#[cfg(target_os = "linux")]
#[test]
fn what_standard_output_was_sent_to_is_not_cut_off() {
    let desk = Desk::new();
    desk.write("duel.toml", &duel(""));
    let file = fs::File::create(desk.path().join("all")).unwrap();
    let mut program = std::process::Command::new(crate::program());
    let command = "run duel.toml --battles 20 --quiet -o - --table outcomes --report /dev/stdout";
    program.args(command.split(' ')).current_dir(desk.path()).stdout(file);
    let output = program.output().unwrap();
    assert_eq!(code(&output), 2, "{}", stderr(&output));
    assert!(stderr(&output).contains("is open already"), "{}", stderr(&output));
}

#[test]
fn results_do_not_go_to_a_folder_that_is_a_file() {
    let desk = desk();
    let before = everything(desk.path());
    for command in [
        "run duel.toml --battles 20 --quiet -o duel.toml",
        "run duel.toml --battles 20 --quiet --checkpoint duel.toml",
        "nightly --baseline base --quiet --history duel.toml",
        "nightly --baseline base --quiet --history new/night --report new/night",
        "merge shards --into shards",
        "merge shards/shard-1-of-2 --allow-missing --into shards",
    ] {
        fs::create_dir_all(desk.path().join("new")).unwrap();
        let output = desk.evens(&command.split(' ').collect::<Vec<_>>());
        assert_eq!(code(&output), 2, "{command}: {}", stderr(&output));
        assert!(!stderr(&output).contains("playing"), "{command}: {}", stderr(&output));
        assert_eq!(everything(desk.path()), before, "{command}");
    }
}

#[test]
fn shards_are_checked_by_their_folder() {
    let desk = desk();
    assert_eq!(desk.page(&["check", "shards"]), "shards: ok\n");
    let file = desk.path().join("shards/shard-2-of-2/result.partial");
    let mut bytes = fs::read(&file).unwrap();
    let middle = bytes.len() / 2;
    bytes[middle] ^= 1;
    fs::write(&file, bytes).unwrap();
    let output = desk.evens(&["check", "shards"]);
    assert_eq!(code(&output), 3);
    assert!(flat(&stderr(&output)).contains("shard-2-of-2"), "{}", stderr(&output));
}

/// Of several nights, the one that cannot be read is named.
#[test]
fn the_night_that_is_damaged_is_named() {
    let desk = desk();
    let night = "nightly --baseline base --history history --seed 2 --label two --quiet";
    desk.page(&night.split(' ').collect::<Vec<_>>());
    let runs = desk.files("history/runs");
    let named =
        format!("history/runs/{}", runs.iter().find(|name| !name.contains("report")).unwrap());
    let text = desk.read(&named);
    for (spoilt, told) in [
        (text[..text.len() / 2].to_owned(), "is damaged"),
        (text.replacen("\"format\": 2", "\"format\": 99", 1), "format 99"),
    ] {
        assert_ne!(spoilt, text);
        desk.write(&named, &spoilt);
        let output = desk.evens(&["trend", "history"]);
        assert_eq!(code(&output), 3);
        let all = stderr(&output).split_whitespace().collect::<String>();
        assert!(
            all.contains(&named) && flat(&stderr(&output)).contains(told),
            "{}",
            stderr(&output)
        );
    }
}

#[cfg(unix)]
#[test]
fn a_pipe_is_no_file_of_ours() {
    let desk = desk();
    let pipe = |name: &str| {
        let path = desk.path().join(name);
        let _ = fs::remove_file(&path);
        assert!(std::process::Command::new("mkfifo").arg(&path).status().unwrap().success());
    };
    pipe("results/outcomes.csv");
    for command in [&["check", "results"][..], &["report", "results", "-o", "page.html"]] {
        assert_eq!(code(&desk.evens(command)), 3, "{command:?}");
    }
    pipe("results/provenance.json");
    pipe("shards/shard-1-of-2/result.partial");
    for command in [&["check", "results"][..], &["merge", "shards"]] {
        assert_eq!(code(&desk.evens(command)), 3, "{command:?}");
    }
    // The program does not wait for a writer that may never come.
    fs::create_dir(desk.path().join("new")).unwrap();
    pipe("new/.evens-commit.json");
    assert_eq!(code(&desk.evens(&["run", "duel.toml", "--battles", "50", "-q", "-o", "new"])), 1);
}

/// A changed table of an earlier run stops the new one: it would stay beside tables of another run, in a folder that
/// would be reported as whole.
#[test]
fn a_table_that_somebody_changed_is_not_left_among_new_ones() {
    let desk = desk();
    let changed = desk.read("results/orders.csv") + "# mine\n";
    desk.write("results/orders.csv", &changed);
    let before = everything(desk.path());
    let command = "run duel.toml --battles 60 -o results --format csv --table outcomes --quiet";
    let output = desk.evens(&command.split(' ').collect::<Vec<_>>());
    assert_eq!(code(&output), 1, "{}", stderr(&output));
    assert!(
        flat(&stderr(&output))
            .contains("orders.csv is no result of an earlier run, or it was changed")
    );
    assert_eq!(everything(desk.path()), before);
}

#[cfg(target_os = "linux")]
#[test]
fn where_only_the_report_cannot_be_written_the_tables_are_told() {
    let desk = desk();
    let command = "run duel.toml --battles 60 -o results --format csv --report /dev/full";
    let output = desk.evens(&command.split(' ').collect::<Vec<_>>());
    assert_eq!(code(&output), 1);
    let told = flat(&stderr(&output));
    assert!(
        told.contains("cannot write /dev/full") && told.contains("wrote results/outcomes.csv"),
        "{told}"
    );
    assert!(!told.contains("earlier runs"), "{told}");
    assert!(desk.read("results/provenance.json").contains("\"battles_played\": 60"));
}

#[test]
fn what_evens_has_not_kept_is_no_checkpoint() {
    let desk = desk();
    fs::create_dir(desk.path().join("mine")).unwrap();
    desk.write("mine/result.partial", "my own notes\n");
    for more in [&[][..], &["--fresh"]] {
        let command = ["run", "duel.toml", "--battles", "50", "--quiet", "--checkpoint", "mine"];
        let output = desk.evens(&[&command[..], more].concat());
        assert_eq!(code(&output), 3, "{}", stderr(&output));
        assert!(flat(&stderr(&output)).contains("is nothing that evens has kept"));
        assert_eq!(desk.read("mine/result.partial"), "my own notes\n");
    }
}

/// A command that is killed leaves behind a temporary file that it had not renamed yet.
#[cfg(unix)]
#[test]
fn what_a_killed_command_left_goes_and_what_another_holds_stays() {
    let desk = desk();
    let (left, held) = (".evens-file-left", ".evens-file-held");
    for name in [left, held] {
        desk.write(name, "");
        let of = fs::File::options().write(true).open(desk.path().join(name)).unwrap();
        let long_ago = std::time::SystemTime::now() - std::time::Duration::from_secs(3600);
        of.set_modified(long_ago).unwrap();
    }
    let holding = fs::File::open(desk.path().join(held)).unwrap();
    holding.try_lock().unwrap();
    desk.page(&["run", "duel.toml", "--battles", "50", "--quiet", "--report", "page.html"]);
    let files = desk.files(".");
    assert!(!files.iter().any(|file| file == left), "{files:?}");
    assert!(files.iter().any(|file| file == held), "{files:?}");
}

/// A baseline or a shard may come from somebody else and name any file of this machine: no contents of such a file are
/// printed.
#[test]
fn what_a_file_from_elsewhere_names_is_not_quoted() {
    let desk = desk();
    let baseline = desk.files("base").pop().unwrap();
    let at = format!("base/{baseline}");
    let of_duel = desk.read(&at);
    for secret in ["token = \"hunter2\"\n", "hunter2:x:0\n"] {
        desk.write("secret", secret);
        desk.write(&at, &of_duel.replace("duel.toml", "secret"));
        let output = desk.evens(&["nightly", "--baseline", "base", "--seed", "1"]);
        assert_eq!(code(&output), 3, "{}", stderr(&output));
        let told = flat(&stderr(&output));
        assert!(
            told.contains("`evens check secret` shows them") && !told.contains("hunter2"),
            "{told}"
        );
    }
    // Shards are treated alike: their scenario has become another file.
    desk.write("duel.toml", "hunter2 = 1\n");
    let output = desk.evens(&["merge", "shards"]);
    assert_eq!(code(&output), 3);
    let told = flat(&stderr(&output));
    assert!(
        told.contains("`evens check duel.toml` shows them") && !told.contains("hunter2"),
        "{told}"
    );
}

/// A new scenario and manual pages are whole or not there, and what stands in the way is told with a remedy.
#[cfg(unix)]
#[test]
fn what_does_not_fit_leaves_no_part_of_a_file() {
    let desk = Desk::new();
    fs::create_dir(desk.path().join("man")).unwrap();
    let earlier = ".ie \\n(.g .ds Aq \\(aq\n.TH evens 1  \"evens 0.0.9\" evens\n";
    desk.write("man/evens.1", earlier);
    let program = crate::program();
    for command in ["new splinterlands my.toml", "man --folder man"] {
        let line = format!("ulimit -f 0 && exec '{}' {command}", program.display());
        let mut shell = std::process::Command::new("sh");
        let output = shell.args(["-c", &line]).current_dir(desk.path()).output().unwrap();
        let told = flat(&stderr(&output));
        assert_eq!(code(&output), 1, "{command}: {told}");
        assert!(told.contains("raise the limit of a file's size"), "{command}: {told}");
    }
    assert_eq!(desk.files("."), ["man"]);
    assert_eq!(desk.files("man"), ["evens.1"]);
    assert_eq!(desk.read("man/evens.1"), earlier);
    desk.page(&["man", "--folder", "man"]);
    assert_ne!(desk.read("man/evens.1"), earlier);
    assert!(desk.read("man/evens.1").contains(".TH"));
    desk.page(&["new", "splinterlands", "my.toml"]);
    let first = desk.read("my.toml");
    std::os::unix::fs::symlink("nowhere", desk.path().join("link.toml")).unwrap();
    for there in ["my.toml", "link.toml"] {
        let output = desk.evens(&["new", "sanctum", there]);
        assert_eq!(code(&output), 3, "{there}");
        assert!(stderr(&output).contains("is there already"), "{}", stderr(&output));
    }
    assert_eq!(desk.read("my.toml"), first);
}

#[test]
fn a_folder_is_no_file_to_write_a_report_to() {
    let desk = Desk::new();
    desk.write("duel.toml", &duel(""));
    fs::create_dir(desk.path().join("page")).unwrap();
    let output = desk.evens(&["run", "duel.toml", "--report", "page"]);
    let told = flat(&stderr(&output));
    assert_eq!(code(&output), 1, "{told}");
    assert!(told.contains("page is a folder, and a file is to be written there"), "{told}");
    assert!(told.contains("name a file") && !told.contains("results"), "{told}");
}
