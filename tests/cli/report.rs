//! `evens report`, and `--report` of the commands that make results.

use super::patch::RIVALS;
use super::{Desk, code, duel, flat, stderr, stdout};

/// The data that a page holds for its scripts.
pub(super) fn data(page: &str) -> serde_json::Value {
    let (_, rest) = page.split_once("<script type=\"application/json\" id=\"data\">").unwrap();
    let (text, _) = rest.split_once("</script>").unwrap();
    serde_json::from_str(text).unwrap()
}

fn figures(page: &str) -> Vec<String> {
    let data = data(page);
    let figures = data["notes"]["figures"].as_array().unwrap();
    figures.iter().map(|figure| figure["id"].as_str().unwrap().to_owned()).collect()
}

/// The words of a command as a shell splits it. None of them may contain a quote or a blank.
fn words(command: &str) -> Vec<&str> {
    let mut words = Vec::new();
    let mut rest = command;
    while !rest.is_empty() {
        let (word, more) = match rest.strip_prefix('\'') {
            Some(quoted) => quoted.split_once('\'').unwrap(),
            None => rest.split_once(' ').map_or((rest, ""), |(word, more)| (word, more)),
        };
        words.push(word);
        rest = more.trim_start();
    }
    words
}

/// Every command has a report, with the figures that belong to it.
#[test]
fn every_command_has_a_report() {
    let desk = Desk::new();
    desk.write("rivals.toml", RIVALS);
    let all: [(&str, &[&str], &[&str]); 11] = [
        (
            "archetypes",
            &["run", "splinterlands/archetypes", "--battles", "3000"],
            &["matchups", "rulesets", "units", "frequency", "lengths"],
        ),
        (
            "factions",
            &["run", "solforge/factions", "--battles", "1200"],
            &["matchups", "contenders", "seats", "field", "lengths"],
        ),
        ("sides", &["run", "eldertale/three-way", "--battles", "600"], &["matchups", "lengths"]),
        (
            "sweep",
            &["sweep", "splinterlands/sweep-health", "--battles", "1000"],
            &["variants", "changes"],
        ),
        ("effects", &["effects", "splinterlands/archetypes", "--battles", "100"], &["rulesets"]),
        (
            "order",
            &["effects", "sanctum/nations", "--order", "precedence", "--battles", "100"],
            &["order"],
        ),
        ("exact", &["exact", "solforge/zimus-and-fell-walker"], &["outcomes", "results", "orders"]),
        (
            "tune",
            &["tune", "splinterlands/archetypes", "--battles", "4000", "--confirm", "1000"],
            &["leads", "found", "trade-off"],
        ),
        ("patch", &["tune", "rivals.toml", "--stats", "--within", "8pp"], &["leads"]),
        (
            "best",
            &[
                "best",
                "splinterlands/drawn-teams",
                "--battles",
                "4000",
                "--set",
                "rulesets.fixed=[\"Standard\"]",
            ],
            &["line-ups"],
        ),
        (
            "worth",
            &["worth", "splinterlands/archetypes", "--battles", "2000", "--seed", "3"],
            &["worth"],
        ),
    ];
    for (name, arguments, wanted) in all {
        let file = format!("{name}.html");
        let folder = ["-o", name, "--format", "csv", "-q", "--report", &file];
        let output = desk.evens(&[arguments, &folder].concat());
        assert_eq!(code(&output), 0, "{name}: {}", stderr(&output));
        let page = desk.read(&file);
        let found = figures(&page);
        for id in wanted {
            assert!(found.iter().any(|found| found == id), "{name} has no {id}: {found:?}");
        }
        assert!(page.contains("default-src 'none'") && !page.contains("src=\"http"), "{name}");
        // A report of the folder is the same page.
        let again = desk.evens(&["report", name, "-o", "again.html", "-q"]);
        assert_eq!(code(&again), 0, "{name}: {}", stderr(&again));
        assert!(desk.read("again.html") == page, "{name}: the folder gives another page");
        // The command that the page prints makes the same tables.
        let command = data(&page)["notes"]["command"].as_str().unwrap().to_owned();
        let words = words(&command);
        let output =
            desk.evens(&[&words[1..], &["-o", "played", "--format", "csv", "-q"]].concat());
        assert_eq!(code(&output), 0, "{command}: {}", stderr(&output));
        let tables = |folder: &str| {
            let files = desk.files(folder).into_iter().filter(|file| file.ends_with(".csv"));
            files.map(|file| (desk.read(&format!("{folder}/{file}")), file)).collect::<Vec<_>>()
        };
        assert!(tables("played") == tables(name), "{command}");
        std::fs::remove_dir_all(desk.path().join("played")).unwrap();
    }
}

#[test]
fn a_night_has_a_report() {
    let desk = Desk::new();
    let base = ["nightly", "--baseline", "base", "-q"];
    let scenario = ["sanctum/surrounded", "--battles", "2000", "--seed", "1"];
    let output = desk.evens(&[&base[..], &["--write"], &scenario].concat());
    assert_eq!(code(&output), 0, "{}", stderr(&output));
    let ask = ["--seed", "2", "--report", "night.html", "-o", "night", "--format", "csv"];
    let output = desk.evens(&[&base[..], &ask].concat());
    assert_eq!(code(&output), 0, "{}{}", stdout(&output), stderr(&output));
    assert_eq!(figures(&desk.read("night.html")), ["changes"]);
    assert_eq!(desk.files("night"), ["changes.csv", "provenance.json", "report.json"]);
    let output = desk.evens(&["report", "night", "-o", "again.html"]);
    assert_eq!(code(&output), 0, "{}", stderr(&output));
    assert!(desk.read("again.html") == desk.read("night.html"));
}

/// The unit that leads has the same number on the page, in the title and in the figure, and it is said to be drawn
/// towards the mean.
#[test]
fn the_unit_that_leads_has_one_number() {
    let desk = Desk::new();
    let run = ["run", "splinterlands/drawn-teams", "--battles", "8000", "--report", "report.html"];
    let page = desk.prints(&run).split_whitespace().collect::<Vec<_>>().join(" ");
    let held = data(&desk.read("report.html"));
    let figures = held["notes"]["figures"].as_array().unwrap();
    let units = figures.iter().find(|figure| figure["id"] == "units").unwrap();
    let title = units["title"].as_str().unwrap();
    assert!(page.contains(title), "{title}\n{page}");
    let (_, number) = title.split_once("score ").unwrap();
    let (number, which) = number.split_once('%').unwrap();
    assert!(which.contains("once drawn towards the mean of its kind"), "{title}");
    let columns = held["tables"]["units"]["columns"].as_array().unwrap();
    let shrunken = columns.iter().find(|column| column["name"] == "shrunken").unwrap();
    let row = units["marks"][0]["row"].as_u64().unwrap() as usize;
    let drawn = format!("{:.1}", 100.0 * shrunken["values"][row].as_f64().unwrap());
    assert_eq!(number, drawn, "{title}");
}

/// Each contender that meets several others has a matrix and its table; where each meets only one, the figure of the
/// units shows it all.
#[test]
fn units_are_told_by_match_up_where_there_are_several() {
    let desk = Desk::new();
    desk.prints(&["run", "solforge/factions", "--battles", "3000", "--report", "many.html"]);
    let held = data(&desk.read("many.html"));
    let all = held["notes"]["figures"].as_array().unwrap();
    let figure = all.iter().find(|figure| figure["id"] == "units-by-matchup").expect("the figure");
    let marks = figure["marks"].as_array().unwrap();
    let table = &held["tables"]["units_by_matchup"];
    let column = |name: &str| {
        let columns = table["columns"].as_array().unwrap();
        columns.iter().find(|column| column["name"] == name).expect("the column").clone()
    };
    let text = |name: &str, row: usize| {
        let column = column(name);
        let at = column["values"][row].as_u64().unwrap() as usize;
        column["words"][at].as_str().unwrap().to_owned()
    };
    let groups: std::collections::BTreeSet<&str> =
        marks.iter().map(|mark| mark["group"].as_str().unwrap()).collect();
    assert_eq!(groups.len(), 4, "{groups:?}");
    for mark in marks {
        let row = mark["row"].as_u64().unwrap() as usize;
        assert_eq!(text("contender", row), mark["group"].as_str().unwrap());
        assert_eq!(text("against", row), mark["column"].as_str().unwrap());
        assert_eq!(text("unit", row), mark["label"].as_str().unwrap());
        let of = |name: &str| column(name)["values"][row].as_f64().unwrap();
        assert!(of("effect_low") < of("effect") && of("effect") < of("effect_high"));
        assert_eq!(mark.get("seen").is_some(), of("p_adjusted") < 0.05, "{mark}");
    }
    desk.prints(&["run", "splinterlands/archetypes", "--battles", "3000", "--report", "one.html"]);
    assert!(!figures(&desk.read("one.html")).contains(&"units-by-matchup".to_owned()));
}

/// The report answers in the sentences that the terminal shows.
#[test]
fn the_report_says_what_the_page_says() {
    let desk = Desk::new();
    let output =
        desk.evens(&["run", "solforge/factions", "--battles", "1200", "--report", "r.html"]);
    let data = data(&desk.read("r.html"));
    let printed = stdout(&output).replace('\n', " ");
    for said in data["notes"]["answer"].as_array().unwrap() {
        let text = said["text"].as_str().unwrap();
        assert!(printed.contains(text), "{text} is not in {printed}");
    }
    for text in data["notes"]["matters"].as_array().unwrap() {
        let printed = printed.replace("   ", " ").replace("  ", " ");
        assert!(printed.contains(text.as_str().unwrap()), "{text} is not in {printed}");
    }
}

#[test]
fn results_do_not_depend_on_threads() {
    let desk = Desk::new();
    for threads in ["1", "3"] {
        let folder = format!("r{threads}");
        let output = desk.evens(&[
            "run",
            "splinterlands/archetypes",
            "--battles",
            "2000",
            "--threads",
            threads,
            "-o",
            &folder,
            "-q",
            "--format",
            "csv",
        ]);
        assert_eq!(code(&output), 0, "{}", stderr(&output));
    }
    assert_eq!(desk.read("r1/report.json"), desk.read("r3/report.json"));
}

#[test]
fn what_is_no_folder_of_results_is_a_fault() {
    let desk = Desk::new();
    std::fs::create_dir(desk.path().join("empty")).unwrap();
    let written = desk.evens(&[
        "run",
        "solforge/factions",
        "--battles",
        "120",
        "-q",
        "-o",
        "results",
        "--format",
        "csv",
    ]);
    assert_eq!(code(&written), 0, "{}", stderr(&written));
    let markdown = desk.evens(&[
        "run",
        "solforge/factions",
        "--battles",
        "120",
        "-q",
        "-o",
        "text",
        "--format",
        "markdown",
    ]);
    assert_eq!(code(&markdown), 0, "{}", stderr(&markdown));
    let report = |folder: &str| desk.evens(&["report", folder, "-o", "page.html"]);
    for (folder, complaint) in [
        ("nowhere", "there is no such folder"),
        ("empty", "there are no results of evens in it"),
        ("text", "is in a format that is not read again"),
    ] {
        let output = report(folder);
        assert_eq!(code(&output), 3, "{folder}: {}", stderr(&output));
        assert!(stderr(&output).contains(complaint), "{}", stderr(&output));
        assert!(!desk.path().join("page.html").exists());
    }
    // A table that somebody has changed.
    let table = desk.read("results/outcomes.csv");
    desk.write("results/outcomes.csv", &table.replace("Uterra", "Nobody"));
    let output = report("results");
    assert_eq!(code(&output), 3, "{}", stderr(&output));
    assert!(stderr(&output).contains("outcomes.csv is not the file that was written"));
    desk.write("results/outcomes.csv", &table);
    assert_eq!(code(&report("results")), 0);
    // Notes that somebody has changed, and then notes of a future format with the right hash.
    let notes = desk.read("results/report.json");
    desk.write("results/report.json", &notes.replace("\"format\":1", "\"format\":9"));
    let output = report("results");
    assert_eq!(code(&output), 3, "{}", stderr(&output));
}

#[test]
fn a_path_that_cannot_be_written_fails_before_the_first_battle() {
    let desk = Desk::new();
    let output = desk.evens(&["run", "splinterlands/mirror", "--report", "no/such/page.html"]);
    assert_eq!(code(&output), 1, "{}", stderr(&output));
    assert!(stdout(&output).is_empty());
    desk.write("mine.toml", &duel(""));
    let output = desk.evens(&["run", "mine.toml", "--report", "mine.toml"]);
    assert_ne!(code(&output), 0);
    assert!(desk.read("mine.toml").starts_with("game"));
    let shard =
        desk.evens(&["run", "mine.toml", "--shard", "1/2", "-o", "s", "--report", "r.html"]);
    assert_eq!(code(&shard), 2, "{}", stderr(&shard));
    assert!(!desk.path().join("r.html").exists());
}

/// Merged shards give the same report as the whole run.
#[test]
fn merged_shards_have_the_report_of_the_whole() {
    let desk = Desk::new();
    let run = ["run", "splinterlands/archetypes", "--battles", "2000", "-q"];
    for shard in ["1/2", "2/2"] {
        let output = desk.evens(&[&run[..], &["--shard", shard, "-o", "shards"]].concat());
        assert_eq!(code(&output), 0, "{}", stderr(&output));
    }
    let merged = desk.evens(&["merge", "shards", "-q", "--report", "merged.html"]);
    assert_eq!(code(&merged), 0, "{}", stderr(&merged));
    let whole = desk.evens(&[&run[..], &["--report", "whole.html"]].concat());
    assert_eq!(code(&whole), 0, "{}", stderr(&whole));
    assert!(desk.read("merged.html") == desk.read("whole.html"));
}

/// Where sides are exchangeable, nothing is claimed of anybody.
#[test]
fn under_exchangeable_sides_nothing_is_claimed() {
    let desk = Desk::new();
    let output = desk.evens(&[
        "run",
        "splinterlands/mirror",
        "--battles",
        "4000",
        "--seed",
        "5",
        "-q",
        "--report",
        "r.html",
    ]);
    assert_eq!(code(&output), 0, "{}", stderr(&output));
    let data = data(&desk.read("r.html"));
    assert_eq!(data["notes"]["answer"][0]["tone"], "open");
    for figure in data["notes"]["figures"].as_array().unwrap() {
        if ["matchups", "rulesets", "seats", "contenders"].contains(&figure["id"].as_str().unwrap())
        {
            let marks = figure["marks"].as_array().unwrap();
            assert!(marks.iter().all(|mark| mark.get("seen").is_none()), "{}", figure["id"]);
        }
    }
}

/// Parquet keeps every bit, so the report of a folder in Parquet is that of the command.
#[cfg(feature = "parquet")]
#[test]
fn a_report_of_parquet_is_the_report_of_the_command() {
    let desk = Desk::new();
    let run = ["run", "solforge/factions", "--battles", "600", "-q", "-o", "results"];
    let output = desk.evens(&[&run[..], &["--report", "whole.html"]].concat());
    assert_eq!(code(&output), 0, "{}", stderr(&output));
    let again = desk.evens(&["report", "results", "-o", "again.html"]);
    assert_eq!(code(&again), 0, "{}", stderr(&again));
    assert!(desk.read("again.html") == desk.read("whole.html"));
}

#[test]
fn a_report_does_not_take_the_place_of_the_results_it_reads() {
    let desk = Desk::new();
    let run = ["run", "splinterlands/mirror", "--battles", "200", "-o", "out", "--format", "csv"];
    assert_eq!(code(&desk.evens(&run)), 0);
    for file in ["out/outcomes.csv", "out/provenance.json", "out/report.json"] {
        let before = desk.read(file);
        let output = desk.evens(&["report", "out", "-o", file]);
        assert_eq!(code(&output), 2, "{file}");
        assert!(stderr(&output).contains("is an input"), "{}", stderr(&output));
        assert_eq!(desk.read(file), before);
    }
}

/// `evens report` makes no report of a history, be it of one night or of several, and names the command that does.
#[test]
fn a_history_is_told_by_another_command() {
    let desk = Desk::new();
    desk.write("duel.toml", &duel(""));
    desk.page(&["nightly", "--write", "duel.toml", "--battles", "50", "--baseline", "base", "-q"]);
    for seed in ["1", "2"] {
        desk.page(&["nightly", "--baseline", "base", "--history", "nights", "--seed", seed, "-q"]);
        let output = desk.evens(&["report", "nights", "-o", "page.html"]);
        assert_eq!(code(&output), 3);
        let told = flat(&stderr(&output));
        assert!(
            told.contains("it is a history of nights") && told.contains("`evens trend`"),
            "{told}"
        );
    }
}

/// `evens report` makes no report of scores of forecasts, whichever of their tables there are.
#[test]
fn scores_of_forecasts_are_told_by_their_own_command() {
    let desk = Desk::new();
    desk.write("results.jsonl", &super::score::results());
    let score = ["score", "results.jsonl", "--runs", "20", "--format", "csv", "-q"];
    for (folder, flags) in [("all", &[][..]), ("one", &["--table", "calibration"])] {
        let output = desk.evens(&[&score[..], &["-o", folder], flags].concat());
        assert_eq!(code(&output), 0, "{}", stderr(&output));
        let output = desk.evens(&["report", folder, "-o", "page.html"]);
        let told = flat(&stderr(&output));
        assert_eq!(code(&output), 3, "{told}");
        assert!(told.contains("it holds scores of forecasts"), "{told}");
        assert!(told.contains("`evens score` prints what they say"), "{told}");
        assert!(!told.contains("run it again"), "{told}");
    }
}

/// Where contenders meet each other at several mana caps, pairs are significant even if the page may name none.
#[test]
fn a_report_says_how_many_pairs_are_significant() {
    let desk = Desk::new();
    let run = ["run", "splinterlands/drawn-teams", "--battles", "60000", "--table", "unit_pairs"];
    let output = desk.evens(&[&run[..], &["--report", "pairs.html", "-q", "-o", "pairs"]].concat());
    assert_eq!(code(&output), 0, "{}", stderr(&output));
    let data = data(&desk.read("pairs.html"));
    let figures = data["notes"]["figures"].as_array().unwrap();
    let pairs = figures.iter().find(|figure| figure["id"] == "pairs").expect("there are pairs");
    let (title, about) = (pairs["title"].as_str().unwrap(), pairs["about"].as_str().unwrap());
    assert!(!about.contains("significant, 0 of"), "{about}");
    assert!(!title.starts_with("None of"), "{title}");
}

/// Among three sides, too, blue is above even and orange below, and each row says first whose it is.
#[test]
fn scores_of_three_sides_are_coloured_by_what_they_show() {
    let desk = Desk::new();
    let three = ["run", "eldertale/three-way-greedy", "--battles", "3000", "-q"];
    desk.page(&[&three[..], &["--report", "three.html"]].concat());
    let data = data(&desk.read("three.html"));
    let figures = data["notes"]["figures"].as_array().unwrap();
    let figure = figures.iter().find(|of| of["id"] == "matchups").expect("there are match-ups");
    let table = &data["tables"]["outcomes"]["columns"];
    let column = |name: &str| {
        let found = table.as_array().unwrap().iter().find(|of| of["name"] == name).unwrap();
        found["values"].as_array().unwrap().clone()
    };
    let [low, high] = ["score_low", "score_high"].map(column);
    let (mut above, mut below) = (0, 0);
    for mark in figure["marks"].as_array().unwrap() {
        let row = mark["row"].as_u64().unwrap() as usize;
        let [low, high] = [&low, &high].map(|of| of[row].as_f64().unwrap());
        // Far enough that an interval for all of them excludes even.
        if low > 0.40 {
            above += 1;
            assert_eq!(mark["seen"], "favoured", "{mark}");
        } else if high < 0.27 {
            below += 1;
            assert_eq!(mark["seen"], "against", "{mark}");
        }
        let (whose, _) = mark["label"].as_str().unwrap().split_once(" (").unwrap();
        assert!(!whose.contains(" vs "), "{mark}");
    }
    assert!(above > 0 && below > above, "{above} {below}");
}

/// The largest change of a sweep is told with its match-up where there are several.
#[test]
fn the_largest_change_is_told_with_its_match_up() {
    let desk = Desk::new();
    desk.page(&["new", "sanctum", "own.toml"]);
    let sweep = ["sweep", "own.toml", "--battles", "3000", "-q", "--report", "s.html"];
    desk.page(&[&sweep[..], &["--set", "minions.\"Ember Hound\".armor=0,1,2"]].concat());
    let data = data(&desk.read("s.html"));
    let said = data["notes"]["matters"][0].as_str().unwrap_or_else(|| panic!("{}", data["notes"]));
    assert!(
        said.contains(" against ") && said.contains("compared with the first variant"),
        "{said}"
    );
    let next = data["notes"]["next"].to_string();
    assert!(next.contains("evens plan own.toml --comparison change --detect 1pp"), "{next}");
    // The figure below opens where that was seen.
    let figures = data["notes"]["figures"].as_array().unwrap();
    for id in ["variants", "changes"] {
        let figure = figures.iter().find(|figure| figure["id"] == id).unwrap();
        let marks = figure["marks"].as_array().unwrap();
        let opened = figure["group"].as_str().unwrap();
        assert!(marks.iter().any(|mark| mark["group"] == opened), "{id}: {opened}");
        let (one, _) = opened.split_once(" vs ").unwrap();
        assert!(said.contains(&format!(" {one} scores ")), "{opened}: {said}");
    }
    assert_ne!(figures[0]["group"], figures[0]["marks"][0]["group"], "{said}");
}

/// Where an axis makes contenders even is told of each match-up, as the page does.
#[test]
fn where_a_number_makes_match_ups_even_is_told_of_each() {
    let desk = Desk::new();
    let three = RIVALS.replace("a = [\"Ash's\", \"Bog's\", \"Clay's\"]", "a = [\"Ash's\"]");
    desk.write("rivals.toml", &three.replace("b = [\"Ash's\", ", "b = ["));
    let sweep = ["sweep", "rivals.toml", "--set", "minions.Ash.hand=3,4,5", "--report", "s.html"];
    let page = flat(&desk.page(&sweep));
    let data = data(&desk.read("s.html"));
    let said = data["notes"]["answer"].to_string();
    for other in ["Bog's", "Clay's"] {
        let begins = format!("Ash's vs {other}: Even (50%) lies between 3 with ");
        assert!(said.contains(&begins), "{said}");
        let end = said.split_once(&begins).unwrap().1;
        let sentence = &end[..end.find("if the score").unwrap()];
        assert!(page.contains(sentence), "{sentence}: {page}");
    }
}

/// The page of a command with a report, and the notes of the report.
fn reported(desk: &Desk, arguments: &[&str]) -> (String, serde_json::Value) {
    let page = desk.page(&[arguments, &["--report", "page.html"]].concat());
    let mut data = data(&desk.read("page.html"));
    (flat(&page), data["notes"].take())
}

fn answer(notes: &serde_json::Value) -> String {
    let said = notes["answer"].as_array().expect("sentences").iter();
    said.map(|of| of["text"].as_str().expect("text")).collect::<Vec<_>>().join(" ")
}

#[test]
fn a_report_has_the_verdict_of_a_stopping_rule() {
    let desk = Desk::new();
    desk.write("duel.toml", &duel(""));
    let (page, notes) = reported(&desk, &["run", "duel.toml", "--until", "margin=20pp"]);
    for said in ["Stopped by margin=20pp after", "Plain intervals: each holds in about 95%"] {
        assert!(page.contains(said) && answer(&notes).contains(said), "{said}: {notes}");
    }
    let few = ["run", "duel.toml", "--until", "margin=0.01pp", "--max-battles", "200"];
    let (_, notes) = reported(&desk, &few);
    assert!(answer(&notes).contains("Not enough evidence for margin=0.01pp"), "{notes}");
}

#[test]
fn where_nobody_wins_a_report_has_what_was_measured() {
    let desk = Desk::new();
    let zimus = "solforge/zimus-and-fell-walker";
    let (_, notes) = reported(&desk, &["run", zimus, "--battles", "500"]);
    let said = answer(&notes);
    assert!(said.contains("Every one of these battles lasts 1 step."), "{said}");
    assert!(said.contains("Measured, mean per battle: no Zombie 0."), "{said}");
    let ids: Vec<&str> = notes["figures"]
        .as_array()
        .expect("figures")
        .iter()
        .map(|figure| figure["id"].as_str().expect("a name"))
        .collect();
    assert!(ids.contains(&"measured") && ids.contains(&"orders"), "{ids:?}");
    // Half each is no answer where nobody can win.
    let (page, notes) = reported(&desk, &["exact", zimus]);
    assert!(page.contains("Nobody wins here."), "{page}");
    let said = answer(&notes);
    assert!(said.starts_with("Nobody wins here.") && !said.contains("1/2"), "{said}");
    let (_, notes) = reported(&desk, &["exact", "eldertale/all-in"]);
    assert!(!answer(&notes).contains("exactly ≈"), "{notes}");
}

/// The largest effect has one interval, whoever tells it.
#[test]
fn reports_and_pages_of_effects_have_the_same_intervals() {
    let desk = Desk::new();
    let effects = ["effects", "splinterlands/archetypes", "--battles", "300"];
    let (page, notes) = reported(&desk, &effects);
    let sentence = notes["matters"][0].as_str().expect("a sentence");
    let from = sentence.find("which is ").expect("an effect") + "which is ".len();
    let effect = &sentence[from..=from + sentence[from..].find(')').expect("an interval")];
    assert!(page.contains(&effect.replace(" pp", "")) || page.contains(effect), "{effect}: {page}");
}

#[test]
fn what_was_ended_early_is_not_made_again_by_its_command() {
    let desk = Desk::new();
    let run =
        ["run", "splinterlands/drawn-teams", "--battles", "100000000", "--report", "page.html"];
    let (code, _) = desk.interrupted(&run, "INT");
    assert_eq!(code, 5);
    let page = desk.read("page.html");
    assert!(page.contains("Ended early here, and made as a whole by"), "{}", page.len());
}

/// The figure of units opens at the list that its title is about, and no command leads to a battle in which somebody else
/// has the unit.
#[test]
fn figures_of_units_are_about_whom_they_name() {
    let desk = Desk::new();
    let (_, notes) = reported(&desk, &["run", "splinterlands/archetypes", "--battles", "20000"]);
    let figures = notes["figures"].as_array().expect("figures");
    let figure = |id: &str| figures.iter().find(|figure| figure["id"] == id).expect("a figure");
    let units = figure("units");
    let title = units["title"].as_str().expect("a title");
    let group = units["group"].as_str().expect("a group");
    let first = title.split(" goes with").next().and_then(|of| of.split(" is one of").next());
    let marks = units["marks"].as_array().expect("marks");
    let named =
        marks.iter().any(|mark| mark["label"] == first.unwrap_or("") && mark["group"] == group);
    assert!(named, "{title}: {group}");
    let traces = |of: &serde_json::Value| -> Vec<String> {
        let marks = of["marks"].as_array().expect("marks").iter();
        marks.filter_map(|mark| mark["trace"].as_str().map(str::to_owned)).collect()
    };
    assert!(traces(units).iter().any(|command| command.contains("--with")), "{units}");
    assert!(traces(figure("pairs")).is_empty(), "no battle is looked for by two units");

    // In a round robin a contender plays on either side, and others may have the unit.
    let both = "a = [\"Malric's melee\", \"Alric's magic\"]\nb = [\"Malric's melee\", \"Alric's magic\"]\n";
    let scenario = include_str!("../../scenarios/splinterlands/archetypes.toml");
    let (head, sides) = scenario.split_once("[sides]").expect("sides");
    let rest = sides.split_once("\n[").map_or(String::new(), |(_, rest)| format!("\n[{rest}"));
    desk.write("robin.toml", &format!("{head}[sides]\n{both}{rest}"));
    let (_, notes) = reported(&desk, &["run", "robin.toml", "--battles", "20000"]);
    let figures = notes["figures"].as_array().expect("figures");
    let units = figures.iter().find(|figure| figure["id"] == "units").expect("a figure");
    let of_both = |label: &serde_json::Value| {
        let marks = units["marks"].as_array().expect("marks").iter();
        marks.filter(|mark| mark["label"] == *label).count() > 1
    };
    for mark in units["marks"].as_array().expect("marks") {
        let has_command = mark["trace"].as_str().is_some_and(|command| !command.is_empty());
        assert!(!has_command || !of_both(&mark["label"]), "{mark}");
    }
}

/// A variant that is other in more than weights has a scenario of its own in the page; of weights alone the report's will do.
#[test]
fn a_variant_has_its_own_scenario() {
    let desk = Desk::new();
    let sweep = ["sweep", "splinterlands/archetypes", "--battles", "1000"];
    let weights = ["--set", "rulesets.weights.Earthquake=1,3"];
    let league = ["--set", "league=novice,champion", "--set", "cards.\"Pit Ogre\".health=+0,+1"];
    let (_, notes) = reported(&desk, &[&sweep[..], &league, &weights].concat());
    let live = &notes["live"];
    let presets = live["presets"].as_array().expect("presets");
    assert_eq!(presets.len(), 8);
    for preset in presets {
        let name = preset["name"].as_str().expect("a name");
        let at = preset["scenario"]["other"].as_u64().expect("another scenario") as usize;
        let head = live["scenarios"][at]["head"].as_str().expect("a text");
        let (league, health) = (name.contains("league champion"), name.contains("health +1"));
        assert_eq!(head.contains("league = \"champion\""), league, "{name}: {head}");
        assert!(!head.contains("league = \"silver\""), "{name}: {head}");
        assert_eq!(head.contains("health = \"+1\""), health, "{name}: {head}");
        desk.write("variant.toml", head);
        desk.prints(&["check", "variant.toml"]);
    }
    // Those that differ in weights share their scenario.
    assert_eq!(live["scenarios"].as_array().map(Vec::len), Some(4));

    let (_, notes) = reported(&desk, &[&sweep[..], &weights].concat());
    let live = &notes["live"];
    assert!(live.get("scenarios").is_none(), "{live}");
    let presets = live["presets"].as_array().expect("presets");
    assert!(presets.iter().all(|preset| preset.get("scenario").is_none()), "{presets:?}");
}

/// The figure of the variants says whose score it is, and does not say of the first that nothing is visible about it.
#[test]
fn the_first_variant_is_what_others_are_compared_with() {
    let desk = Desk::new();
    let sweep = ["sweep", "splinterlands/sweep-health", "--battles", "1000"];
    let (_, notes) = reported(&desk, &sweep);
    let figures = notes["figures"].as_array().expect("figures");
    let of = |id: &str| figures.iter().find(|figure| figure["id"] == id).expect("a figure");
    let seen = |id: &str| -> Vec<bool> {
        let marks = of(id)["marks"].as_array().expect("marks").iter();
        marks.map(|mark| mark["seen"] == "first").collect()
    };
    let first = seen("variants");
    assert!(first[0] && !first[1..].contains(&true), "{first:?}");
    assert!(!seen("changes").contains(&true));
    let label = of("variants")["axis"]["label"].as_str().expect("a label");
    assert!(label.contains(" as side A") || label.contains("side A's "), "{label}");
}

/// Names keep their backticks in the sentences of a page.
#[test]
fn a_name_keeps_its_backticks() {
    let desk = Desk::new();
    let scenario = include_str!("../../scenarios/splinterlands/archetypes.toml");
    let named = scenario.replace("Alric's magic", "`Alric`s` magic");
    desk.write("ticks.toml", &named);
    desk.prints(&["run", "ticks.toml", "--battles", "2000", "--report", "page.html"]);
    let page = desk.read("page.html");
    let (answer, _) = page.split_once("id=\"figures\"").expect("an answer");
    assert!(answer.contains("`Alric`s` magic"), "{answer}");
    assert!(!answer.contains("<code>Alric"), "{answer}");
}

/// Whatever a comparison is called by on the terminal it is called by in its page, with its own question and seed.
#[test]
fn a_comparison_of_baselines_is_no_night() {
    let desk = Desk::new();
    for (folder, seed) in [("old", "1"), ("new", "2")] {
        let write = ["nightly", "--baseline", folder, "-q", "--write", "sanctum/surrounded"];
        desk.page(&[&write[..], &["--battles", "2000", "--seed", seed]].concat());
    }
    let (_, notes) = reported(&desk, &["compare", "old", "new"]);
    assert_eq!(notes["study"], "compare");
    assert_eq!(notes["question"], "Has the balance changed from old to new?");
    assert_eq!(notes["of_several_runs"], true);
    let figure = &notes["figures"][0];
    assert_eq!(figure["colours"]["favoured"], "counts: more than in the baseline");
    assert!(figure["about"].as_str().expect("a text").contains("orange as less"), "{figure}");
}

#[test]
fn what_to_try_next_keeps_the_measure() {
    let desk = Desk::new();
    let run = ["run", "splinterlands/archetypes", "--battles", "4000", "--measure", "decided"];
    let (page, notes) = reported(&desk, &run);
    assert!(page.contains("effects splinterlands/archetypes --measure decided"), "{page}");
    let next = notes["next"].to_string();
    assert!(next.contains("effects splinterlands/archetypes --measure decided"), "{next}");
    assert!(next.contains("tune splinterlands/archetypes --measure decided"), "{next}");
}
