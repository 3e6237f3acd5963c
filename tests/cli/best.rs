//! `evens best`.

use super::{Desk, code, flat, stderr, stdout};

/// A duel with monsters of two mana at most, so that few teams are legal.
fn few(extra: &str) -> String {
    format!(
        "game = \"splinterlands\"\nquestion = \"Which team is best?\"\nbattles = 2000\nleague = \"novice\"\n\
         mana_caps = [9]\n{extra}\n\
         [rulesets]\nfixed = [\"Standard\"]\n\
         [[teams]]\nname = \"Fire\"\nsummoner = \"Malric Inferno\"\nmonsters = [\"Kobold Miner\"]\n\
         [[teams]]\nname = \"Water\"\nsummoner = \"Alric Stormbringer\"\nmonsters = [\"Spineback Turtle\"]\n\
         [sides]\na = [\"Fire\"]\nb = [\"Water\"]\n"
    )
}

#[test]
fn a_search_on_a_page() {
    let desk = Desk::new();
    desk.write("few.toml", &few(""));
    let arguments = ["best", "few.toml", "--keep", "Malric Inferno", "--top", "4"];
    let output = desk.evens(&arguments);
    assert_eq!(code(&output), 0, "{}", stderr(&output));
    insta::assert_snapshot!(stdout(&output));
}

#[test]
fn decks_and_groups_on_a_page() {
    let desk = Desk::new();
    for (name, arguments) in [
        ("decks", &["solforge/factions", "--for", "Uterra", "--battles", "400"][..]),
        ("groups", &["sanctum/mixed-groups", "--for", "4 swords, 4 bows", "--battles", "3000"]),
        ("characters", &["eldertale/three-way", "--battles", "3000", "--top", "3"]),
    ] {
        let output = desk.evens(&[&["best"], arguments].concat());
        assert_eq!(code(&output), 0, "{}", stderr(&output));
        insta::assert_snapshot!(format!("best_{name}"), stdout(&output));
    }
}

#[test]
fn a_metagame_on_a_page() {
    let desk = Desk::new();
    desk.write("few.toml", &few(""));
    let arguments =
        ["best", "few.toml", "--metagame", "--epsilon", "2pp", "--battles", "20000", "--top", "3"];
    let output = desk.evens(&arguments);
    assert_eq!(code(&output), 0, "{}", stderr(&output));
    insta::assert_snapshot!(stdout(&output));
}

/// A search that is ended early prints what it has found, says that nothing is known of the metagame, and writes no
/// tables of it.
#[cfg(unix)]
#[test]
fn a_metagame_that_is_ended_early_says_so() {
    let desk = Desk::new();
    desk.write("few.toml", &few(""));
    let command = ["best", "few.toml", "--metagame", "--epsilon", "0.01pp", "--battles", "4000000"];
    let command = [&command[..], &["--json", "-o", "results", "--format", "csv"]].concat();
    // One battle in eight goes into finding the line-ups that the metagame begins with.
    let (exit, printed) = desk.interrupted_after(600_000, &command);
    assert_eq!(exit, 5);
    let printed: serde_json::Value = serde_json::from_str(&printed).unwrap();
    let page = flat(printed["page"].as_str().unwrap());
    assert!(
        page.contains("ended early: nothing is known of what holds against these teams."),
        "{page}"
    );
    let files = ["best_choices.csv", "best_line_ups.csv", "provenance.json", "report.json"];
    assert_eq!(desk.files("results"), files);
}

/// Among teams of eight cards that differ in nothing but their names, under rulesets that do nothing to them, there is
/// nothing to find.
#[test]
fn nobody_is_said_to_beat_a_mix_of_what_is_alike() {
    let desk = Desk::new();
    let names: Vec<String> = (0..8).map(|at| format!("Cl{at}")).collect();
    let card = |name: &String| {
        format!(
            "{{ name = \"{name}\", faction = \"Fire\", mana = 4, magic = 2, health = 5, speed = 3 }}"
        )
    };
    let cards: Vec<String> = names.iter().map(card).collect();
    desk.write(
        "alike.toml",
        &format!(
            "game = \"splinterlands\"\nbattles = 4000\nmana_caps = [18]\nleague = \"silver\"\nnew_cards = [{}]\n\
             [rulesets]\nonly = [\"Standard\", \"Super Sneak\", \"Melee Mayhem\", \"Close Range\", \
             \"Fog of War\", \"Healed Out\", \"Rise of the Commons\"]\ntwo = 0\n\
             [[pools]]\nname = \"P\"\nsummoners = [\"Malric Inferno\"]\nmonsters = {names:?}\npolicy = \"fill\"\n\
             [sides]\na = [\"P\"]\nb = [\"P\"]\n",
            cards.join(", ")
        ),
    );
    let found = (1..=10).filter(|seed| {
        let best = ["best", "alike.toml", "--metagame", "--battles", "3000", "--seed"];
        let page = flat(&desk.page(&[&best[..], &[&seed.to_string()]].concat()));
        assert!(page.contains(" of 7 rulesets "), "{page}");
        page.contains("visibly beats the mix:")
    });
    assert!(found.count() <= 1);
}

/// An unknown name is answered with names that exist.
#[test]
fn an_unknown_choice_is_told_which_there_are() {
    let desk = Desk::new();
    desk.write("few.toml", &few(""));
    let output = desk.evens(&["best", "few.toml", "--keep", "Zzyzx"]);
    assert_eq!(code(&output), 2);
    assert!(flat(&stderr(&output)).contains("there are "), "{}", stderr(&output));
    assert!(!stderr(&output).contains("evens list"), "{}", stderr(&output));
}

/// Tables, JSON and the report are the same for any number of threads.
#[test]
fn tables_are_the_same_for_any_number_of_threads() {
    let desk = Desk::new();
    desk.write("few.toml", &few("identical_teams = \"fight\""));
    let tables = |threads: &str, folder: &str| {
        let output = desk.evens(&[
            "best",
            "few.toml",
            "--metagame",
            "--battles",
            "8000",
            "--threads",
            threads,
            "--quiet",
            "-o",
            folder,
            "--format",
            "csv",
            "--report",
            &format!("{folder}.html"),
        ]);
        assert_eq!(code(&output), 0, "{}", stderr(&output));
        let names =
            ["best_line_ups", "best_choices", "metagame", "metagame_matchups", "metagame_choices"];
        names.map(|name| desk.read(&format!("{folder}/{name}.csv")))
    };
    let one = tables("1", "one");
    assert_eq!(one, tables("3", "three"));
    assert!(one[0].starts_with("rank,line_up,given,battles,score,score_low,score_high,behind"));
    assert!(desk.read("one.html").contains("The strongest team for Fire scores"));
    let output = desk.evens(&["best", "few.toml", "--battles", "2000", "--json"]);
    let printed: serde_json::Value = serde_json::from_str(&stdout(&output)).unwrap();
    assert_eq!(printed["command"], "best");
    assert!(!printed["tables"]["best_line_ups"].as_array().unwrap().is_empty());
    assert_eq!(printed["provenance"]["partial"], false);
}

/// A given line-up never beats the answer, and line-ups are made of nothing but the cards that a file allows.
#[test]
fn given_line_ups_and_candidates_are_read_from_files() {
    let desk = Desk::new();
    desk.write("few.toml", &few(""));
    desk.write("cards.txt", "# owned\nMalric Inferno\nKobold Miner\n\nSpark Pixies\nFire Beetle\n");
    desk.write("given.txt", "Malric Inferno; Spark Pixies\n");
    let output = desk.evens(&[
        "best",
        "few.toml",
        "--candidates",
        "cards.txt",
        "--given",
        "given.txt",
        "--table",
        "best_line_ups",
        "-o",
        "-",
    ]);
    assert_eq!(code(&output), 0, "{}", stderr(&output));
    let table = stdout(&output);
    assert!(table.contains("\"[\"\"Malric Inferno\"\",\"\"Spark Pixies\"\"]\",given"), "{table}");
    for row in table.lines().skip(1) {
        assert!(row.contains("[\"\"Malric Inferno\"\","), "{row}");
    }
    // A line-up is read in the notation in which tables write it.
    desk.write("listed.txt", "[\"Malric Inferno\", \"Spark Pixies\"]\n");
    let listed = ["best", "few.toml", "--candidates", "cards.txt", "--given", "listed.txt"];
    let again = desk.evens(&[&listed[..], &["--table", "best_line_ups", "-o", "-"]].concat());
    assert_eq!(code(&again), 0, "{}", stderr(&again));
    // The last column identifies the run.
    let first =
        |table: &str| table.lines().nth(1).and_then(|row| Some(row.rsplit_once(',')?.0.to_owned()));
    assert!(
        first(&table).is_some() && first(&stdout(&again)) == first(&table),
        "{}",
        stdout(&again)
    );
}

/// A cell of the table is read back, whatever names cards have.
#[test]
fn a_listed_line_up_may_have_names_with_semicolons() {
    let desk = Desk::new();
    let imp = "new_cards = [{ name = \"Ash; Imp\", faction = \"Fire\", mana = 4, melee = 3, health = 5, speed = 4 }]";
    desk.write("few.toml", &few(imp));
    desk.write("listed.txt", "[\"Malric Inferno\", \"Ash; Imp\"]\n");
    desk.page(&["best", "few.toml", "--given", "listed.txt", "--battles", "2000"]);
}

#[test]
fn what_is_wrong_is_said_with_a_remedy() {
    let desk = Desk::new();
    desk.write("few.toml", &few(""));
    desk.write("given.txt", "Malric Inferno; Kobold Miner\nMalric Inferno; Kobald Miner\n");
    desk.write("listed.txt", "[\"Malric Inferno\", Kobold Miner]\n");
    for (arguments, exit, said) in [
        (&["few.toml", "--for", "Fyre"][..], 2, "nobody is called `Fyre`: did you mean `Fire`?"),
        (&["few.toml", "--against", "Nobody"], 2, "there are Fire, Water"),
        (&["few.toml", "--keep", "Kobald Miner"], 2, "did you mean `Kobold Miner`?"),
        (
            &["few.toml", "--keep", "Kobold Miner", "--keep", "Ice Pixie"],
            2,
            "no legal team was found",
        ),
        (&["few.toml", "--candidates", "Nothing"], 2, "there is no such file either"),
        (&["few.toml", "--candidates", "Kobold Miner"], 2, "needs a summoner, and none"),
        (&["few.toml", "--given", "given.txt"], 3, "line 2"),
        (&["few.toml", "--given", "listed.txt"], 3, "not a list of names in JSON"),
        (&["few.toml", "--given", "nowhere.txt"], 3, "cannot be read"),
        (&["few.toml", "--table", "metagame", "-o", "x"], 2, "say --metagame"),
        (&["few.toml", "--set", "mana_caps.0=8,9"], 2, "give each path one value"),
        (&["few.toml", "--until", "soon"], 2, "`soon` is no time: write a number with s, m or h"),
        (&["few.toml", "--top", "1000"], 2, "at most 200"),
        (&["few.toml", "--epsilon", "0pp"], 2, "percentage points above 0"),
        (&["eldertale/three-way", "--metagame"], 2, "3 sides"),
        (&["solforge/dryad-and-patriarch"], 3, "a position is played as it is set up"),
        (&["sanctum/surrounded"], 3, "groups of a map"),
        (&["splinterlands/drawn-teams"], 3, "--set illegal_teams=lose"),
    ] {
        let output = desk.evens(&[&["best"], arguments].concat());
        assert_eq!(code(&output), exit, "{arguments:?}: {}", stderr(&output));
        assert!(flat(&stderr(&output)).contains(said), "{arguments:?}: {}", stderr(&output));
    }
    assert_eq!(desk.files("."), ["few.toml", "given.txt", "listed.txt"]);
}

/// `--set` changes the scenario, and a time may be given in place of a number of battles.
#[test]
fn a_scenario_can_be_set_and_a_time_given() {
    let desk = Desk::new();
    desk.write("few.toml", &few(""));
    let set = ["--set", "mana_caps.0=7", "--until", "0.2s", "--json"];
    let output = desk.evens(&[&["best", "few.toml"], &set[..]].concat());
    assert_eq!(code(&output), 0, "{}", stderr(&output));
    let printed: serde_json::Value = serde_json::from_str(&stdout(&output)).unwrap();
    assert!(printed["provenance"]["battles_played"].as_u64().unwrap() > 0);
}

/// A pool that is drawn from as if no ruleset forbade cards has no team that the Little League allows.
#[test]
fn teams_that_may_be_brought_under_one_ruleset_alone_are_found() {
    let desk = Desk::new();
    desk.write(
        "little.toml",
        "game = \"splinterlands\"\nbattles = 200\nmana_caps = [30]\nillegal_teams = \"lose\"\n\
         sides = { a = [\"P\"], b = [\"Q\"] }\n[rulesets]\nfixed = [\"Little League\"]\n\
         [[teams]]\nname = \"P\"\nsummoner = \"Malric Inferno\"\nmonsters = [\"Fire Beetle\", \"Kobold Miner\"]\n\
         [[teams]]\nname = \"Q\"\nsummoner = \"Malric Inferno\"\nmonsters = [\"Kobold Miner\", \"Fire Beetle\"]\n",
    );
    for command in ["best", "worth"] {
        let output = desk.evens(&[command, "little.toml", "--battles", "400", "--threads", "1"]);
        assert_eq!(code(&output), 0, "{command}: {}", stderr(&output));
    }
    // The same where it was never possible: said, and no panic.
    desk.write(
        "never.toml",
        "game = \"splinterlands\"\nbattles = 200\nmana_caps = [30]\nillegal_teams = \"lose\"\n\
         sides = { a = [\"P\"], b = [\"P\"] }\n[rulesets]\nfixed = [\"Lost Magic\"]\n\
         [[teams]]\nname = \"P\"\nsummoner = \"Malric Inferno\"\nmonsters = [\"Fire Beetle\"]\n",
    );
    desk.write("few.txt", "Malric Inferno\nFlame Imp\n");
    let output = desk.evens(&["best", "never.toml", "--candidates", "few.txt", "--battles", "400"]);
    assert_eq!(code(&output), 2, "{}", stderr(&output));
    let told = flat(&stderr(&output));
    assert!(told.contains("no team of these cards is legal"), "{told}");
    assert!(!told.contains("illegal_teams=lose"), "they do already: {told}");
}

/// The outcome of every battle is kept, so a number of battles that cannot fit into memory is refused before anything
/// is played.
#[test]
fn more_battles_than_can_be_kept_are_refused() {
    let desk = Desk::new();
    desk.write("few.toml", &few(""));
    for battles in ["10000000001", "9e13"] {
        let output = desk.evens(&["best", "few.toml", "--battles", battles]);
        assert_eq!(code(&output), 2, "{}", stderr(&output));
        assert!(flat(&stderr(&output)).contains("10,000,000,000 at most"), "{}", stderr(&output));
    }
}

/// A scenario reads a deck as `best` prints it, and `best` reads a deck as a scenario has it.
#[test]
fn decks_are_read_in_either_notation() {
    let desk = Desk::new();
    let scenario = |deck: &str| {
        format!(
            "game = \"eldertale\"\nbattles = 200\n[[characters]]\nname = \"A\"\nclasses = [\"Blademaster\"]\npolicy = \"greedy\"\n\
             deck = [{deck}]\n[sides]\na = [\"A\"]\nb = [\"A\"]\n"
        )
    };
    let page = |deck: &str| {
        desk.write("deck.toml", &scenario(deck));
        desk.page(&["run", "deck.toml"])
    };
    let starred = page("\"Strike*3\", \"Heavy Swing*2\", \"Block\"");
    assert_eq!(starred, page("\"3 Strike\", \"2 Heavy Swing\", \"Block\""));
    let given = |deck: &str| {
        desk.write("given.txt", &format!("{deck}\n"));
        let output = desk.evens(&["best", "deck.toml", "--given", "given.txt", "--battles", "300"]);
        assert_eq!(code(&output), 0, "{}", stderr(&output));
        stdout(&output)
    };
    let told = given("3 Strike; 2 Heavy Swing; 2 Block; 2 Take Aim");
    assert_eq!(told, given("Strike*3; Heavy Swing*2; Block*2; Take Aim*2"));
}

/// The suggestion that is printed where no team is legal under all rulesets works as it stands, whatever the scenario
/// says of its draw.
#[test]
fn a_suggestion_where_nothing_is_legal_can_be_followed() {
    let desk = Desk::new();
    for scenario in ["splinterlands/archetypes", "splinterlands/drawn-teams"] {
        let output = desk.evens(&["best", scenario]);
        assert_eq!(code(&output), 3, "{}", stderr(&output));
        let said = flat(&stderr(&output)).replace(" │", "");
        let (_, suggested) = said.split_once("`--set '").expect("a suggestion");
        let (suggested, _) = suggested.split_once("'`").expect("its end");
        let followed = ["best", scenario, "--set", suggested, "--battles", "200", "--quiet"];
        let output = desk.evens(&followed);
        assert_eq!(code(&output), 0, "{suggested}: {}", stderr(&output));
    }
}

/// A search takes a few battles of each line-up that it compares, however few were asked for, and says so.
#[test]
fn a_search_that_plays_more_than_was_asked_for_says_how_many() {
    let desk = Desk::new();
    let best = ["best", "splinterlands/mirror", "--battles"];
    for (asked, is_exceeded) in [("10", true), ("2000", true), ("30000", false)] {
        let output = desk.evens(&[&best[..], &[asked, "--json"]].concat());
        assert_eq!(code(&output), 0, "{}", stderr(&output));
        let found: serde_json::Value = serde_json::from_str(&stdout(&output)).unwrap();
        let played = found["provenance"]["battles_played"].as_u64().unwrap();
        let page = flat(found["page"].as_str().unwrap());
        let says = "that were meant, because each team that is compared takes a few.";
        assert_eq!(played > asked.parse().unwrap(), is_exceeded, "{played}");
        assert_eq!(page.contains(says), is_exceeded, "{page}");
    }
}

/// What no battle of the scenario can have is told only where the search cannot choose it either.
#[test]
fn idle_cards_are_told_where_no_line_up_can_have_them() {
    let desk = Desk::new();
    let scenario = "game = \"splinterlands\"\nseed = 1\nbattles = 10\nmana_caps = [20]\nleague = \"silver\"\n\
        rulesets = { fixed = [\"Standard\"] }\n\
        new_cards = [{ name = \"Ash Imp\", faction = \"Fire\", mana = 4, melee = 3, health = 5, speed = 4 }]\n\
        [[teams]]\nname = \"Fire\"\nsummoner = \"Malric Inferno\"\nmonsters = [\"Pit Ogre\"]\n\
        [[teams]]\nname = \"Water\"\nsummoner = \"Alric Stormbringer\"\nmonsters = [\"Spineback Turtle\"]\n\
        [sides]\na = [\"Fire\"]\nb = [\"Water\"]\n";
    desk.write("team.toml", scenario);
    let pool = "[[pools]]\nname = \"Fire\"\nsummoners = [\"Malric Inferno\"]\nmonsters = [\"Pit Ogre\", \"Cerberus\"]\n";
    let team =
        "[[teams]]\nname = \"Fire\"\nsummoner = \"Malric Inferno\"\nmonsters = [\"Pit Ogre\"]\n";
    desk.write("pool.toml", &scenario.replace(team, pool));
    for (file, is_told) in [("team.toml", false), ("pool.toml", true)] {
        let output = desk.evens(&["best", file, "--for", "Fire", "--battles", "200", "--top", "1"]);
        assert_eq!(code(&output), 0, "{}", stderr(&output));
        let told = flat(&stderr(&output));
        assert_eq!(told.contains("no battle can have"), is_told, "{file}: {told}");
        assert!(flat(&stderr(&desk.evens(&["check", file]))).contains("no battle can have"));
    }
}

/// A line-up plays on either side, so that what side A has tells nothing of it.
#[test]
fn a_metagame_is_not_told_by_what_a_side_has() {
    let desk = Desk::new();
    desk.page(&["new", "sanctum", "mine.toml"]);
    let best =
        ["best", "mine.toml", "--metagame", "--battles", "2000", "--candidates", "Elf swordsman"];
    let output = desk.evens(&[&best[..], &["--candidates", "Dwarf swordsman", "--json"]].concat());
    assert_eq!(code(&output), 0, "{}", stderr(&output));
    let found: serde_json::Value = serde_json::from_str(&stdout(&output)).expect("an object");
    let page = found["page"].as_str().expect("a page");
    assert!(!page.contains("has precedence"), "{page}");
}
