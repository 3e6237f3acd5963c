//! Input as people write it (counts, times, names, cards of their own), and output for other programs.

use std::io::Write;
use std::process::Stdio;

use serde_json::Value;

use super::{Desk, code, duel, flat, stderr, stdout};

const GAMES: [&str; 4] = ["splinterlands", "solforge", "sanctum", "eldertale"];

impl Desk {
    /// Runs a command that must succeed, and returns what it prints.
    pub(super) fn prints(&self, arguments: &[&str]) -> String {
        let output = self.evens(arguments);
        assert_eq!(code(&output), 0, "{arguments:?}: {}", stderr(&output));
        stdout(&output)
    }

    fn json(&self, arguments: &[&str]) -> Value {
        let text = self.prints(arguments);
        serde_json::from_str(&text).unwrap_or_else(|why| panic!("{arguments:?}: {why}: {text}"))
    }

    /// Runs a command that must fail with this exit code, and returns its error message as one line.
    pub(super) fn told(&self, arguments: &[&str], expected: i32) -> String {
        let output = self.evens(arguments);
        assert_eq!(code(&output), expected, "{arguments:?}: {}", stderr(&output));
        flat(&stderr(&output))
    }
}

#[test]
fn counts_are_taken_as_they_are_written() {
    let desk = Desk::new();
    let run = |battles| desk.prints(&["run", "splinterlands/mirror", "--battles", battles]);
    let page = run("2000");
    for battles in ["2_000", "2e3", "2k", "0.002M", "2,000"] {
        assert_eq!(run(battles), page, "{battles}");
    }
    for battles in ["0", "-1", "2.5", "many", "1e40"] {
        let told = desk.told(&["run", "splinterlands/mirror", &format!("--battles={battles}")], 2);
        assert!(told.contains("is no count: write a whole number from 1"), "{told}");
    }
}

/// A time budget decides how many battles are played, and changes nothing else.
#[test]
fn a_run_ends_with_its_time_and_can_be_repeated() {
    let desk = Desk::new();
    let arguments =
        ["run", "splinterlands/mirror", "--until", "0.5s", "-o", "timed", "--format", "csv"];
    let output = desk.evens(&arguments);
    assert_eq!(code(&output), 0, "{}", stderr(&output));
    let told = stderr(&output);
    let battles = told.split("--battles ").nth(1).unwrap().split(' ').next().unwrap().to_owned();
    assert!(told.contains(" --seed 1 plays the same battles again"), "{told}");
    let again =
        ["run", "splinterlands/mirror", "--battles", &battles, "-o", "again", "--format", "csv"];
    let again = desk.evens(&again);
    assert_eq!(stdout(&again), stdout(&output));
    let files = desk.files("timed");
    assert_eq!(files, desk.files("again"));
    for file in files {
        let of = |folder: &str| desk.read(&format!("{folder}/{file}"));
        assert!(of("timed") == of("again"), "{file}");
    }
    let told = desk.told(&["run", "splinterlands/mirror", "--until", "soon"], 2);
    assert!(told.contains("or a time such as `30s`"), "{told}");
    desk.told(&["run", "splinterlands/mirror", "--until", "1s", "--shard", "1/2", "-o", "s"], 2);
}

#[test]
fn the_end_of_a_bundled_name_is_enough() {
    let desk = Desk::new();
    let short = desk.prints(&["run", "mirror", "--battles", "500"]);
    assert_eq!(short, desk.prints(&["run", "splinterlands/mirror", "--battles", "500"]));
    desk.write("mirror", &duel(""));
    let own = desk.prints(&["run", "mirror", "--battles", "500"]);
    assert!(own.contains("splinterlands: mirror,"), "a file goes before what is bundled: {own}");
    let told = desk.told(&["run", "miror"], 3);
    assert!(told.contains("did you mean the bundled `splinterlands/mirror`?"), "{told}");
}

#[test]
fn a_new_scenario_runs_as_it_is_and_is_not_overwritten() {
    let desk = Desk::new();
    for game in GAMES {
        let output = desk.evens(&["new", game]);
        assert_eq!(code(&output), 0, "{}", stderr(&output));
        let file = format!("{game}.toml");
        let checked = desk.evens(&["check", &file]);
        assert_eq!((stdout(&checked), stderr(&checked)), (format!("{file}: ok\n"), String::new()));
        let battles = if game == "solforge" { "20" } else { "300" };
        let page = desk.prints(&["run", &file, "--battles", battles]);
        assert!(page.contains(&format!("{game}: {file}, {battles} battles")), "{page}");
        desk.write(&file, "mine");
        let told = desk.told(&["new", game], 3);
        assert!(told.contains("is there already, and is not overwritten"), "{told}");
        assert_eq!(desk.read(&file), "mine");
    }
    let told = desk.told(&["new", "chess"], 2);
    assert!(told.contains("no game or bundled scenario is called `chess`"), "{told}");
    let told = desk.told(&["new", "sanctum/level-gap"], 2);
    assert!(told.contains("did you mean `sanctum/level-gaps`?"), "{told}");
    desk.page(&["new", "level-gaps"]);
    assert_eq!(desk.prints(&["new", "sanctum/level-gaps", "-"]), desk.read("level-gaps.toml"));
    let told = desk.told(&["new", "sanctum/level-gaps"], 3);
    assert!(told.contains("is there already, and is not overwritten"), "{told}");
    desk.told(&["new", "sanctum", "no/such/folder.toml"], 3);
    assert_eq!(
        desk.prints(&["new", "sanctum", "-"]),
        include_str!("../../src/games/sanctum/template.toml")
    );
}

#[test]
fn a_scenario_can_come_from_another_program() {
    let desk = Desk::new();
    let mut child = std::process::Command::new(crate::program())
        .args(["run", "-", "--battles", "300"])
        .current_dir(desk.path())
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .unwrap();
    child.stdin.take().unwrap().write_all(duel("").as_bytes()).unwrap();
    let output = child.wait_with_output().unwrap();
    assert_eq!(code(&output), 0);
    assert!(stdout(&output).contains("splinterlands: standard input, 300 battles"));
}

/// In every game, cards that are not the scenario's own are reached by name or title.
#[test]
fn a_sweep_reaches_what_is_bundled_by_its_name() {
    let desk = Desk::new();
    for (scenario, axis, label) in [
        ("splinterlands/sweep-health", "cards.\"Pit Ogre\".melee=+0,+1", "melee"),
        (
            "splinterlands/sweep-health",
            "changes.\"Pit Ogre\".abilities=[],[\"+Thorns\"]",
            "abilities",
        ),
        ("solforge/factions", "cards.\"Spring Dryad\".health=+0,+1", "health"),
        ("solforge/factions", "cards.Spring Dryad.attack.0=1,9", "0"),
        ("sanctum/monsters", "minions.\"Brimstone Dragon\".hit_points=+0,+4", "points"),
        ("sanctum/monsters", "spells.Barkskin.gives.armor=1,2", "armor"),
        ("eldertale/duel", "cards.\"Heavy Swing\".damage=17,+3", "damage"),
    ] {
        let battles = if scenario.starts_with("solforge") { "16" } else { "200" };
        let arguments = ["sweep", scenario, "--set", axis, "--battles", battles, "--json"];
        let found = desk.json(&arguments);
        let rows = found["tables"]["sweep"].as_array().unwrap();
        let key = rows[0].as_object().unwrap().keys().find(|key| key.contains(label));
        assert!(key.is_some(), "{axis}: {:?}", rows[0]);
    }
    // An axis on the command line replaces the scenario's own axis of the same path, however either is written.
    let same = [
        "sweep",
        "sweep-health",
        "--set",
        "cards.\"Pit Ogre\".health=+0,+9",
        "--battles",
        "200",
        "--json",
    ];
    assert_eq!(desk.json(&same)["tables"]["sweep"].as_array().unwrap().len(), 4);
    let told = desk.told(&["sweep", "eldertale/duel", "--set", "cards.Heavy Swign.damage=1,2"], 3);
    assert!(
        told.contains("unknown card `Heavy Swign`") && told.contains("did you mean `Heavy Swing`?"),
        "{told}"
    );
}

#[test]
fn lists_keep_their_words_whole_at_any_width() {
    let desk = Desk::new();
    for width in ["44", "80", "160"] {
        let mut command = assert_cmd::Command::new(crate::program());
        let output = command.current_dir(desk.path()).env("COLUMNS", width);
        let output = output.args(["list", "cards", "splinterlands"]).output().unwrap();
        let text = stdout(&output);
        let columns: usize = width.parse().unwrap();
        assert!(text.lines().all(|line| line.chars().count() <= columns), "{width}: {text}");
        for word in ["Serpentine", "Inferno", "Trample", "Demoralize"] {
            assert!(text.contains(word), "{width}: {word}");
        }
        insta::assert_snapshot!(
            format!("list_{width}"),
            text.lines().take(9).collect::<Vec<_>>().join("\n")
        );
    }
}

#[test]
fn a_unit_that_is_asked_for_is_told_of() {
    let desk = Desk::new();
    let run = ["run", "drawn-teams", "--battles", "20000", "--unit", "gelatinous cube"];
    insta::assert_snapshot!("unit", desk.prints(&run));
    // Beside what goes with a card stands what goes with whoever has it.
    desk.page(&["new", "eldertale", "blow.toml"]);
    let page = flat(&desk.prints(&["run", "blow.toml", "--unit", "Glancing Blow"]));
    let of = |whose: &str| {
        let (_, told) = page.split_once(&format!("Glancing Blow of {whose} attack")).unwrap();
        told.split_once(&format!("{whose} scores ")).unwrap().1[..5].to_owned()
    };
    let headline = page.split_once("Guard is favoured: it scores ").unwrap().1[..5].to_owned();
    assert_eq!(of("Guard"), headline, "{page}");
    assert!(page.contains(" against others, with it and without. Among the 6 attacks"), "{page}");
    assert_eq!(of("Duellist"), "41.9%", "{page}");
    let told = desk.told(&["run", "drawn-teams", "--unit", "Gelatinos Cube"], 2);
    assert!(told.contains("did you mean `Gelatinous Cube`?"), "{told}");
}

#[test]
fn every_command_prints_json_with_one_head() {
    let desk = Desk::new();
    desk.write("duel.toml", &duel(""));
    desk.write("faulty.toml", &duel("leage = 1"));
    let nightly = ["nightly", "duel.toml", "--battles", "400", "--write"];
    assert_eq!(code(&desk.evens(&nightly)), 0);
    let few = ["--battles", "400"];
    let schema: Value = serde_json::from_str(&desk.prints(&["schema", "results"])).unwrap();
    let known = schema["properties"].as_object().unwrap();
    for (command, arguments, keys) in [
        (
            "run",
            &[&["run", "duel.toml"], &few[..]].concat()[..],
            &["provenance", "page", "tables"][..],
        ),
        (
            "sweep",
            &[&["sweep", "sweep-health"], &few[..]].concat(),
            &["provenance", "page", "tables"],
        ),
        (
            "effects",
            &[&["effects", "archetypes"], &few[..]].concat(),
            &["provenance", "page", "tables"],
        ),
        (
            "effects",
            &[&["effects", "archetypes", "--order", "first-turn"], &few[..]].concat(),
            &["tables"],
        ),
        ("exact", &["exact", "mirror"], &["matchups", "provenance", "page", "tables"]),
        ("plan", &["plan", "duel.toml", "--pilot", "400"], &["goal", "page"]),
        (
            "tune",
            &[&["tune", "archetypes"], &few[..]].concat(),
            &["verdict", "provenance", "page", "tables"],
        ),
        ("check", &["check", "duel.toml"], &["inputs"]),
        ("list", &["list", "games"], &["tables"]),
        ("nightly", &["nightly"], &["alarms", "changes", "changed", "file_changes", "page"]),
        (
            "compare",
            &["compare", "reports/baseline", "reports/baseline"],
            &["changes", "changed", "page"],
        ),
    ] {
        let found = desk.json(&[arguments, &["--json"]].concat());
        assert_eq!(
            (&found["format"], &found["command"]),
            (&1.into(), &command.into()),
            "{command}"
        );
        for key in ["version"].iter().chain(keys) {
            assert!(!found[key].is_null(), "{command}: {key}");
            let is_own = ["matchups", "goal", "verdict"].contains(key);
            assert!(is_own || known.contains_key(*key), "{command}: {key} is not in the schema");
        }
        for (key, value) in found.as_object().unwrap() {
            let Some(described) = known.get(key) else { continue };
            assert!(is_of_kind(value, described, &schema), "{command}: {key} is not {described}");
        }
    }
    let found = desk.evens(&["check", "duel.toml", "faulty.toml", "--json"]);
    assert_eq!(code(&found), 3);
    let found: Value = serde_json::from_str(&stdout(&found)).unwrap();
    let fault = &found["inputs"][1]["faults"][0];
    assert_eq!((&found["inputs"][0]["ok"], &fault["line"]), (&true.into(), &4.into()), "{found}");
    assert_eq!(fault["message"], "unknown key `leage`");
    let rows =
        &desk.json(&["run", "duel.toml", "--battles", "400", "--json"])["tables"]["outcomes"];
    assert_eq!((&rows[0]["side"], &rows[0]["battles"]), (&"A".into(), &400.into()));
}

/// Commands that a page suggests can be pasted, whatever the scenario is called.
#[test]
fn suggested_commands_can_be_pasted() {
    let desk = Desk::new();
    desk.write("-my $(duel).toml", &duel(""));
    let page = desk.page(&["run", "./-my $(duel).toml", "--battles", "40"]);
    assert!(
        flat(&page).contains("`evens effects './-my $(duel).toml' --order first-turn`"),
        "{page}"
    );
    let mut command = assert_cmd::Command::new(crate::program());
    let output = command.args(["run", "-", "--battles", "40"]).write_stdin(duel("")).output();
    let page = flat(&stdout(&output.unwrap()));
    assert!(page.contains("`evens effects - < my.toml --order first-turn`"), "{page}");
}

/// Whether a value has a type that its description allows; its contents are not checked.
fn is_of_kind(value: &Value, described: &Value, schema: &Value) -> bool {
    if let Some(name) = described["$ref"].as_str() {
        return is_of_kind(value, schema.pointer(&name[1..]).unwrap(), schema);
    }
    if let Some(several) = described["anyOf"].as_array() {
        return several.iter().any(|one| is_of_kind(value, one, schema));
    }
    let kind = match value {
        Value::Null => "null",
        Value::Bool(_) => "boolean",
        Value::Number(number) if number.is_u64() => "integer",
        Value::Number(_) => "number",
        Value::String(_) => "string",
        Value::Array(_) => "array",
        Value::Object(_) => "object",
    };
    match &described["type"] {
        Value::Array(kinds) => kinds.iter().any(|known| known == kind),
        known => known == kind,
    }
}

/// An error is printed as JSON where a program would have read the answer, and as text where people look.
#[test]
fn what_is_wrong_is_printed_in_json_too() {
    let desk = Desk::new();
    desk.write("duel.toml", &duel(""));
    desk.write("faulty.toml", &duel("leage = 1"));
    let schema: Value = serde_json::from_str(&desk.prints(&["schema", "results"])).unwrap();
    for (arguments, exit, message, file, line) in [
        (&["run", "faulty.toml"][..], 3, "unknown key `leage`", Some("faulty.toml"), Some(4)),
        (
            &["trace", "faulty.toml", "--battle", "1"],
            3,
            "unknown key",
            Some("faulty.toml"),
            Some(4),
        ),
        (
            &["exact", "drawn-teams"],
            3,
            "is too large for exact odds",
            Some("splinterlands/drawn-teams"),
            None,
        ),
        (&["run", "duel.toml", "--batles", "7"], 2, "unexpected argument '--batles'", None, None),
        (&["run", "duel.toml", "--unit", "Nobody"], 2, "there is no unit `Nobody`", None, None),
        (&["run", "duel.toml", "-o", "duel.toml"], 2, "duel.toml is a file", None, None),
        (&["run", "duel.toml", "-o", "duel.toml/inner"], 1, "duel.toml", None, None),
    ] {
        let output = desk.evens(&[arguments, &["--json"]].concat());
        assert_eq!(code(&output), exit, "{arguments:?}");
        let text = stdout(&output);
        assert_eq!(text.matches('\n').count(), 1, "{text}");
        let found: Value = serde_json::from_str(&text).unwrap();
        for key in found.as_object().unwrap().keys() {
            assert!(!schema["properties"][key].is_null(), "{key} is not in the schema");
        }
        assert_eq!((&found["command"], &found["exit_code"]), (&arguments[0].into(), &exit.into()));
        let fault = &found["faults"][0];
        assert!(fault["message"].as_str().unwrap().contains(message), "{found}");
        assert!(!fault["remedy"].as_str().unwrap().is_empty(), "{found}");
        assert_eq!((fault["file"].as_str(), fault["line"].as_u64()), (file, line), "{found}");
        let told = flat(&stderr(&output));
        assert!(told.contains(message.split(" `").next().unwrap()), "{told}");
    }
    assert_eq!(stdout(&desk.evens(&["run", "faulty.toml"])), "", "nobody asked for JSON");
}

#[test]
fn progress_is_told_to_a_program_line_by_line() {
    let desk = Desk::new();
    desk.write("duel.toml", &duel(""));
    let output = desk.evens(&["run", "duel.toml", "--until", "0.9s", "--progress", "json"]);
    assert_eq!(code(&output), 0, "{}", stderr(&output));
    let told = stderr(&output);
    let lines = told.lines().filter_map(|line| serde_json::from_str::<Value>(line).ok());
    let done: Vec<u64> =
        lines.map(|line| line["progress"]["done"].as_u64().expect("a count")).collect();
    assert!(done.len() >= 2, "{told}");
    assert!(done.is_sorted(), "{told}");
    let quiet = ["run", "duel.toml", "--until", "0.3s", "--progress", "json", "--quiet"];
    assert_eq!(stderr(&desk.evens(&quiet)), "");
}

#[test]
fn two_versions_of_a_card_file_are_compared() {
    let desk = Desk::new();
    let cards = include_str!("../../scenarios/splinterlands/cards/2020-05.csv");
    let weaker =
        cards.lines().map(|line| match line.split(',').collect::<Vec<_>>().as_mut_slice() {
            [name, .., health, _, _] if *name == "Elemental Phoenix" => {
                *health = "1";
                line.replace(",8,5,", ",1,5,") + "\n"
            }
            _ => format!("{line}\n"),
        });
    desk.write("old.csv", cards).write("new.csv", &weaker.collect::<String>());
    let few = ["--battles", "20000"];
    let output = desk.evens(&[&["compare", "old.csv", "new.csv"], &few[..]].concat());
    assert_eq!(code(&output), 4, "{}", stderr(&output));
    let page = stdout(&output);
    assert!(
        page.starts_with(
            "What is other in the second file: 1 card\n  Elemental Phoenix: health 8 to 1\n"
        ),
        "{page}"
    );
    assert!(page.contains("Changes that count: teams drawn from new.csv"), "{page}");
    let same = desk.prints(&["compare", "old.csv", "old.csv", "--battles", "2000"]);
    assert!(same.starts_with("The two files hold the same cards."), "{same}");
    let few = ["--battles", "300", "-o", "-", "--format", "csv"];
    let table = desk.prints(&[&["compare", "old.csv", "old.csv"], &few[..]].concat());
    assert!(table.starts_with("scenario,what,"), "no words stand before the table: {table}");
    // A card that chance left out of one of the two plays is still in both files.
    let same = same.replace('\n', " ");
    let first_alone = "took part in battles with the first file alone, by chance or because nothing brings them to those with the second.";
    assert!(same.contains(first_alone), "{same}");
    let other = desk.prints(&["compare", "old.csv", "old.csv", "--battles", "2000", "--seed", "2"]);
    let second_alone = "took part in battles with the second file alone, by chance or because nothing brought them to those with the first.";
    assert!(other.replace('\n', " ").contains(second_alone), "{other}");
    let told = same
        .replace("took part in battles with the first file alone", "")
        .replace("took part in battles with the second file alone", "");
    assert!(!told.contains(" first file alone") && !told.contains(" second file alone"), "{same}");
    desk.write("bad.csv", "name\n");
    assert!(
        desk.told(&["compare", "old.csv", "bad.csv"], 3)
            .contains("not the columns of a card catalogue")
    );
}

#[test]
fn manual_pages_are_printed_and_written() {
    let desk = Desk::new();
    let page = desk.prints(&["man", "run"]);
    assert!(
        page.contains(".TH") && page.contains("evens-run") && page.contains("\\-\\-battles"),
        "{page}"
    );
    desk.prints(&["man", "--folder", "man1"]);
    let files = desk.files("man1");
    assert!(
        files.contains(&"evens.1".to_owned()) && files.contains(&"evens-sweep.1".to_owned()),
        "{files:?}"
    );
    desk.told(&["man", "rum"], 2);
}

#[test]
fn a_battle_is_looked_for_among_as_many_as_people_write() {
    let desk = Desk::new();
    let among = |count: &str| {
        desk.prints(&["trace", "splinterlands/archetypes", "--pick", "loss", "--among", count])
    };
    assert_eq!(among("1e3"), among("1,000"));
    desk.told(&["trace", "splinterlands/archetypes", "--pick", "loss", "--among", "0"], 2);
    let few = ["trace", "splinterlands/archetypes", "--pick", "draw", "--among", "1"];
    assert!(desk.told(&few, 2).contains("none of the first 1 battle is like that"));
}

#[test]
fn a_folder_of_scenarios_is_checked_by_file() {
    let desk = Desk::new();
    desk.write("my.toml", "game = \"sanctum\"\n");
    assert!(desk.told(&["check", "."], 3).contains("`evens check ./*.toml`"));
    std::fs::create_dir(desk.path().join("empty")).unwrap();
    assert!(desk.told(&["check", "empty"], 3).contains("name the folder that a command wrote"));
}

/// An empty section says that it is empty, and no page recommends one.
#[test]
fn a_section_without_anything_says_so() {
    let desk = Desk::new();
    let run = ["run", "splinterlands/mirror", "--battles", "300"];
    let page = desk.page(&run);
    assert!(flat(&page).contains("`--only measured` one."), "{page}");
    let page = desk.page(&[&run[..], &["--only", "units"]].concat());
    assert!(page.contains("there is nothing to show"), "{page}");
    let page = desk.page(&[&run[..], &["--only", "measured"]].concat());
    assert!(!page.contains("there is nothing to show"), "{page}");
}

/// Staff of Vaerus is a spell until its third level, and is listed and replaced as that.
#[test]
fn a_card_that_becomes_a_creature_is_listed_as_both() {
    let desk = Desk::new();
    let list = stdout(&desk.evens(&["list", "cards", "solforge", "--format", "csv"]));
    let staff =
        list.lines().find(|line| line.starts_with("Staff of Vaerus,")).expect("it is bundled");
    assert_eq!(
        staff,
        "Staff of Vaerus,Tempys,\"spell, spell, creature\",3,\"spell, spell, 15/12\""
    );
}
