//! No output takes the place of what a command keeps, nor of another output of the same command.

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

/// A desk with a folder of results, shards, a history and a shared folder.
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
    // A page of its own beside the tables takes the place of nothing.
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

/// Of several nights the one is named that cannot be read.
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
}
