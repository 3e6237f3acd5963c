//! `evens worth`.

use super::{Desk, code, duel, flat, stderr, stdout};

/// Teams drawn from the fire splinter at two mana caps under two rulesets, one monster of which is broken.
const BROKEN: &str = "game = \"splinterlands\"\nquestion = \"Which card is to blame?\"\nbattles = 2400\n\
    league = \"silver\"\nmana_caps = [20, 26]\n[rulesets]\nonly = [\"Standard\", \"Super Sneak\"]\ntwo = 0\n\
    [changes.\"Goblin Shaman\"]\nmagic = \"+3\"\n\
    [[pools]]\nname = \"Fire\"\nfactions = [\"Fire\"]\nsummoners = [\"Malric Inferno\"]\n[sides]\na = [\"Fire\"]\nb = [\"Fire\"]\n";

#[test]
fn a_broken_card_heads_the_page() {
    let desk = Desk::new();
    desk.write("my.toml", BROKEN);
    let output = desk.evens(&["worth", "my.toml", "--replace", "1"]);
    assert_eq!(code(&output), 0, "{}", stderr(&output));
    let page = stdout(&output);
    assert!(page.lines().all(|line| line.chars().count() <= 80), "{page}");
    insta::assert_snapshot!(page);
}

#[test]
fn units_and_kinds_are_named_in_letters_of_either_case() {
    let desk = Desk::new();
    desk.write("my.toml", BROKEN);
    let told = |flag: &str, name: &str| {
        let page = flat(&desk.page(&["worth", "my.toml", "--battles", "600", flag, name]));
        assert!(page.contains("Goblin Shaman"), "{page}");
        page.to_lowercase()
    };
    assert_eq!(told("--kind", "Monster"), told("--kind", "monster"));
    assert_eq!(told("--unit", "goblin shaman"), told("--unit", "Goblin Shaman"));
}

/// The tables have the same bytes for any number of threads; all tables are written in every format.
#[test]
fn tables_of_worth_are_the_same_for_any_number_of_threads() {
    let desk = Desk::new();
    desk.write("my.toml", BROKEN);
    for threads in ["1", "3"] {
        let output = desk.evens(&[
            "worth",
            "my.toml",
            "--battles",
            "1200",
            "--replace",
            "1",
            "--threads",
            threads,
            "-o",
            threads,
            "--format",
            "csv",
            "--report",
            &format!("{threads}.html"),
        ]);
        assert_eq!(code(&output), 0, "{}", stderr(&output));
    }
    for table in ["worth", "impact", "replacements"] {
        let of = |threads: &str| desk.read(&format!("{threads}/{table}.csv"));
        assert_eq!(of("1"), of("3"), "{table}");
        assert!(of("1").lines().count() > 2, "{table}");
    }
    assert!(desk.read("1.html").contains("Nerf first"));
}

/// Where too few battles ended otherwise to test anything, no unit is shown as the first to change, and none is said to
/// have scored alike.
#[test]
fn what_is_not_tested_heads_no_list_of_what_to_change() {
    let desk = Desk::new();
    desk.write("my.toml", BROKEN);
    let few = ["worth", "my.toml", "--battles", "600", "--replace", "1", "--report", "few.html"];
    let page = flat(&desk.page(&few));
    assert!(
        page.contains("No unit is tested: too few battles ended otherwise than most."),
        "{page}"
    );
    assert!(!page.contains("scored alike"), "{page}");
    assert!(!desk.read("few.html").contains("Nerf first"));
    // Nor is a worth told of a unit that is asked for.
    let asked =
        flat(&desk.page(&["worth", "my.toml", "--battles", "600", "--unit", "Goblin Shaman"]));
    let why = "Goblin Shaman: what it is worth is not tested, because too few battles ended otherwise than most.";
    assert!(asked.contains(why) && !asked.contains("Goblin Shaman is worth"), "{asked}");
    let rare = ["worth", "splinterlands/drawn-teams", "--battles", "3000", "--unit", "Gold Dragon"];
    let rare = flat(&desk.page(&rare));
    let why =
        "Gold Dragon: what it is worth is not tested, because it came up fewer than 100 times.";
    assert!(rare.contains(why) && !rare.contains("Gold Dragon is worth"), "{rare}");
}

#[test]
fn what_is_wrong_is_said_before_the_first_battle() {
    let desk = Desk::new();
    desk.write("my.toml", BROKEN);
    for (arguments, told) in [
        (&["--unit", "Goblin Shamen"][..], "did you mean `Goblin Shaman`"),
        (&["--kind", "sumoner"], "summoner"),
        (&["--battles", "1"], "at least 2"),
        (&["--unit", "Goblin Shaman", "--replace", "2"], "cannot be used with"),
    ] {
        let output = desk.evens(&[&["worth", "my.toml"][..], arguments].concat());
        assert_eq!(code(&output), 2, "{arguments:?}");
        let said = flat(&stderr(&output));
        assert!(said.contains(told), "{arguments:?}: {said}");
    }
    let output = desk.evens(&["worth", "solforge/drawn-decks", "--line-ups", "own"]);
    assert_eq!(code(&output), 3, "{}", stderr(&output));
    assert!(flat(&stderr(&output)).contains("leave `--line-ups own` out"));
}

/// At this seed the card at the head of the list has no ability and shares its splinter and mana cost with no other
/// card.
#[test]
fn a_head_that_nothing_can_stand_in_for_leaves_its_place_to_the_next() {
    let desk = Desk::new();
    let command = "worth splinterlands/drawn-teams --battles 3000 --replace 1 --table replacements -o - --format csv";
    let output = desk.evens(&command.split(' ').collect::<Vec<_>>());
    assert_eq!(code(&output), 0, "{}", stderr(&output));
    assert!(stdout(&output).lines().count() > 1, "{}", stdout(&output));
}

/// A handful of battles that were played again shows next to nothing: the page leaves such rows out and says how many,
/// and in the table their scores have intervals.
#[test]
fn a_handful_of_battles_is_left_out_of_the_page() {
    let desk = Desk::new();
    let worth = [
        "worth",
        "splinterlands/drawn-teams",
        "--battles",
        "1000",
        "--unit",
        "Gold Dragon",
        "--seed",
        "1",
    ];
    let page = flat(&desk.page(&worth));
    assert!(page.contains("Left out here: 5 rows of fewer than 10 battles"), "{page}");
    assert!(!page.contains("Hydra 3"), "{page}");
    let table = ["--table", "replacements", "-o", "-", "--format", "csv", "-q"];
    let table = stdout(&desk.evens(&[&worth[..], &table].concat()));
    let mut rows = csv::Reader::from_reader(table.as_bytes());
    let headers = rows.headers().unwrap().clone();
    let at = |name: &str| headers.iter().position(|of| of == name).unwrap();
    let mut few = 0;
    for row in rows.records().map(Result::unwrap) {
        let number = |name: &str| row[at(name)].parse::<f64>().unwrap();
        few += usize::from(number("battles") < 10.0);
        for of in ["score", "score_changed"] {
            let width = number(&format!("{of}_high")) - number(&format!("{of}_low"));
            assert!(width > 0.1 || number("battles") > 100.0, "{row:?}");
        }
    }
    assert!(few >= 5, "{table}");
}

/// For two fixed teams, the page says that nothing tells their cards apart, and still shows what the same battles are
/// without one card.
#[test]
fn fixed_teams_have_replacements_and_no_worths() {
    let desk = Desk::new();
    desk.write("my.toml", &duel(""));
    let output = desk.evens(&[
        "worth",
        "my.toml",
        "--line-ups",
        "own",
        "--unit",
        "Fire Beetle",
        "--battles",
        "400",
    ]);
    assert_eq!(code(&output), 0, "{}", stderr(&output));
    let page = stdout(&output);
    assert!(page.contains("Fire Beetle in the same battles"), "{page}");
    assert!(flat(&page).contains("no worth can be told"), "{page}");
}

/// Line-ups are drawn at random for a game without pools.
#[test]
fn line_ups_are_drawn_where_a_scenario_draws_none() {
    let desk = Desk::new();
    for (scenario, told) in [
        ("sanctum/mixed-groups", "Every battle is between two line-ups drawn at random"),
        ("eldertale/duel", "Every battle is between two line-ups drawn at random"),
        ("eldertale/three-way", "Every side of a battle has a line-up drawn at random"),
    ] {
        let output = desk.evens(&["worth", scenario, "--battles", "600", "--replace", "1"]);
        assert_eq!(code(&output), 0, "{}", stderr(&output));
        let page = stdout(&output);
        assert!(flat(&page).contains(told), "{page}");
        assert!(page.lines().all(|line| line.chars().count() <= 80), "{page}");
    }
}

/// A command that is begun again goes on from its checkpoint and prints the same bytes.
#[test]
fn a_checkpoint_goes_on() {
    let desk = Desk::new();
    desk.write("my.toml", BROKEN);
    let all = ["worth", "my.toml", "--battles", "800", "--replace", "1"];
    let first = desk.evens(&[&all[..], &["--checkpoint", "kept"]].concat());
    assert_eq!(code(&first), 0, "{}", stderr(&first));
    let again = desk.evens(&[&all[..], &["--checkpoint", "kept"]].concat());
    assert_eq!(code(&again), 0, "{}", stderr(&again));
    assert!(stderr(&again).contains("going on from"), "{}", stderr(&again));
    assert_eq!(stdout(&first), stdout(&again));
    let other = desk.evens(&["worth", "my.toml", "--battles", "900", "--checkpoint", "kept"]);
    assert_eq!(code(&other), 3, "{}", stderr(&other));
}

/// With so few battles no unit is tested, and the page claims nothing about worths.
#[test]
fn what_so_few_battles_cannot_tell_is_not_told() {
    let desk = Desk::new();
    for battles in ["2", "30"] {
        let page = desk.page(&["worth", "splinterlands/drawn-teams", "--battles", battles]);
        let page = flat(&page);
        assert!(page.contains("No unit came up often enough to be tested"), "{page}");
        assert!(!page.contains("never varies") && !page.contains("Worth of each"), "{page}");
    }
    for scenario in ["solforge/cercee-and-oros", "sanctum/surrounded", "splinterlands/mirror"] {
        let refused = desk.evens(&["worth", scenario, "--line-ups", "own", "--battles", "30"]);
        assert_eq!(code(&refused), 3, "{scenario}: {}", stdout(&refused));
        assert!(flat(&stderr(&refused)).contains("--unit CARD"), "{}", stderr(&refused));
    }
}

/// Where nothing that sides bring can be drawn, no remedy leads to another refusal.
#[test]
fn line_ups_that_cannot_be_drawn_are_no_remedy() {
    let desk = Desk::new();
    for (scenario, unit) in [
        ("sanctum/surrounded", "Ancient King"),
        ("solforge/cercee-and-oros", "Cercee, Hand of Varna"),
    ] {
        let refusal = |flags: &[&str]| {
            let refused =
                desk.evens(&[&["worth", scenario, "--battles", "30"][..], flags].concat());
            assert_eq!(code(&refused), 3, "{scenario}: {}", stdout(&refused));
            flat(&stderr(&refused))
        };
        for flags in [&[][..], &["--line-ups", "own"]] {
            let refused = refusal(flags);
            assert!(refused.contains("--unit CARD"), "{refused}");
            assert!(!refused.contains("--line-ups drawn"), "{refused}");
        }
        let drawn = refusal(&["--line-ups", "drawn"]);
        assert!(
            drawn.contains("leave `--line-ups` out") && drawn.contains("--unit CARD"),
            "{drawn}"
        );
        let page = desk.page(&["worth", scenario, "--battles", "30", "--unit", unit]);
        let page = flat(&page);
        assert!(page.contains("No unit is tested: what sides bring never varies."), "{page}");
        assert!(!page.contains("more battles"), "{page}");
    }
    let mirror = desk.evens(&["worth", "mirror", "--line-ups", "own", "--battles", "30"]);
    assert!(flat(&stderr(&mirror)).contains("--line-ups drawn"), "{}", stderr(&mirror));
}

/// A study that was ended early says how many battles its model was tested on.
#[cfg(unix)]
#[test]
fn a_study_that_is_ended_early_says_what_it_was_tested_on() {
    let desk = Desk::new();
    desk.write("my.toml", BROKEN);
    let command = ["worth", "my.toml", "--replace", "1", "--battles", "1000000", "--json"];
    let (exit, printed) = desk.interrupted_after(550_000, &command);
    assert_eq!(exit, 5);
    let printed: serde_json::Value = serde_json::from_str(&printed).unwrap();
    let page = flat(printed["page"].as_str().unwrap());
    assert!(page.contains("is fitted to 500,000 battles and tested on "), "{page}");
    assert!(page.contains(" fresh ones.") && !page.contains("as many fresh ones"), "{page}");
}

/// Two opponents take turns, and every second battle is played again: half of these are against either opponent.
#[test]
fn what_is_played_again_is_of_all_matchups() {
    let team = |name: &str, monsters: &str| {
        format!(
            "[[teams]]\nname = \"{name}\"\nsummoner = \"Malric Inferno\"\nmonsters = [{monsters}]\n"
        )
    };
    let text = [
        "game = \"splinterlands\"\nseed = 1\nbattles = 1000\nleague = \"silver\"\nmana_caps = [99]\n\
         [rulesets]\nfixed = [\"Standard\"]\n"
            .to_owned(),
        team("Us", "\"Living Lava\""),
        team("Weak", "\"Kobold Miner\""),
        team("Strong", "\"Giant Roc\", \"Molten Ogre\", \"Fire Elemental\""),
        "[sides]\na = [\"Us\"]\nb = [\"Weak\", \"Strong\"]\n".to_owned(),
    ];
    let desk = Desk::new();
    desk.write("my.toml", &text.concat());
    let scores = |battles: &str| -> Vec<(u64, f64)> {
        let worth = ["worth", "my.toml", "--line-ups", "own", "--unit", "Living Lava", "-o", "-"];
        let how = ["--battles", battles, "--format", "csv", "--table", "replacements", "-q"];
        let output = desk.evens(&[&worth[..], &how].concat());
        assert_eq!(code(&output), 0, "{}", stderr(&output));
        let table = stdout(&output);
        let mut rows = csv::Reader::from_reader(table.as_bytes());
        let headers = rows.headers().unwrap().clone();
        let at = |name: &str| headers.iter().position(|of| of == name).unwrap();
        let (again, own) = (at("battles"), at("score"));
        let figures = |row: csv::StringRecord| {
            (row[again].parse().unwrap(), row[own].parse::<f64>().unwrap())
        };
        rows.records().map(|row| figures(row.unwrap())).collect()
    };
    // Up to 20,000 of the battles that could be played again are all played again; of more, every second one.
    for (battles, again) in [("40000", 20_000), ("40004", 10_002)] {
        let scores = scores(battles);
        assert!(!scores.is_empty());
        for (battles, own) in scores {
            assert!((again - 2..=again).contains(&battles), "{battles} of {again}");
            assert!((0.48..0.52).contains(&own), "{own}");
        }
    }
}

/// A pair of a summoner and a monster is listed under both kinds.
#[test]
fn a_pair_of_two_kinds_is_of_both() {
    let desk = Desk::new();
    let two = "summoners = [\"Malric Inferno\", \"Alric Stormbringer\"]";
    desk.write(
        "my.toml",
        &BROKEN.replace("factions = [\"Fire\"]\nsummoners = [\"Malric Inferno\"]", two),
    );
    let pairs = |kind: &[&str]| {
        let worth = ["worth", "my.toml", "--battles", "10000", "-o", "-", "--format", "csv"];
        let worth = [&worth[..], &["--table", "impact", "-q"]].concat();
        let output = desk.evens(&[&worth[..], kind].concat());
        assert_eq!(code(&output), 0, "{}", stderr(&output));
        stdout(&output)
            .lines()
            .filter(|line| line.contains("Malric Inferno") && line.contains("partner"))
            .count()
    };
    let all = pairs(&[]);
    assert!(all > 5, "{all}");
    assert_eq!(pairs(&["--kind", "monster"]), all);
    assert_eq!(pairs(&["--kind", "summoner"]), all);
}

/// Of a card of which sides bring several copies, the share of the sides that bring it is told, and how many each of these
/// brings.
#[test]
fn copies_of_a_card_are_not_taken_for_sides() {
    let desk = Desk::new();
    let worth = ["worth", "solforge/drawn-decks", "--battles", "1200", "--replace", "0", "--json"];
    let output = desk.evens(&worth);
    assert_eq!(code(&output), 0, "{}", stderr(&output));
    let found: serde_json::Value = serde_json::from_str(&stdout(&output)).unwrap();
    let page = found["page"].as_str().unwrap();
    let mut shown = 0;
    for row in found["tables"]["worth"].as_array().unwrap() {
        let number = |column: &str| row[column].as_f64().unwrap();
        let [brought, copies] = ["brought", "share"].map(number);
        assert!((brought - number("played") / 1200.0).abs() < 1e-12, "{row}");
        assert!(brought <= copies, "{row}");
        // The last word is in the next line of a narrow column.
        let told = format!("{:.1}%, {:.2}", 100.0 * brought, copies / brought);
        let name = row["unit"].as_str().unwrap();
        let line = page.lines().find(|line| line.trim_start().starts_with(&format!("{name}  ")));
        if let Some(line) = line {
            assert!(line.contains(&told), "{told}: {line}");
            shown += 1;
        }
    }
    assert!(shown > 5, "{page}");
    assert!(flat(page).contains("how many each of these sides brings on average"), "{page}");
}

/// If two cards always come together, nobody can say which of them is the good one, and it would be false to say that
/// neither is.
#[test]
fn cards_that_always_come_together_are_said_not_to_be_tested() {
    let desk = Desk::new();
    let groups = [
        ("Bards", "\"Bard\", \"Imp swordsman\", \"2 Dwarf swordsman\""),
        ("Elves", "\"2 Elf swordsman\", \"2 Dwarf swordsman\""),
        ("Archers", "\"2 Elf archer\", \"2 Dwarf swordsman\""),
    ];
    let group = |(name, minions): (&str, &str)| {
        format!("[[groups]]\nname = \"{name}\"\nminions = [{minions}]\n")
    };
    let sides = "[sides]\na = [\"Bards\", \"Elves\", \"Archers\"]\nb = [\"Bards\", \"Elves\", \"Archers\"]\n";
    let scenario =
        format!("game = \"sanctum\"\nbattles = 10\n{}{sides}", groups.map(group).concat());
    desk.write("together.toml", &scenario);
    let worth = ["worth", "together.toml", "--line-ups", "own", "--battles", "4000"];
    let page = flat(&desk.page(&worth));
    assert!(
        page.contains("None of the 2 units that can be tested is visibly worth more"),
        "{page}"
    );
    assert!(page.contains("Not tested are Bard, Imp swordsman: in these line-ups"), "{page}");
    let advice = "What is played in place of them in the same battles does (`--unit NAME`).";
    assert!(page.contains(advice), "{page}");
    // No verdict on such a card, but for what the advice is about.
    let page = flat(&desk.page(&[&worth[..], &["--unit", "Bard"]].concat()));
    let unknown = "Bard: what it is worth is not known, since in these line-ups nothing tells it apart from what comes with it or \
                   from who brings it.";
    assert!(page.contains(unknown), "{page}");
    assert!(!page.contains("Bard is worth") && !page.contains("1 to 5 of 5"), "{page}");
    assert!(page.contains(" Bard 33.4% 83.3% ±1.7 not known "), "{page}");
    assert!(
        page.contains("What is played in place of Imp swordsman in the same battles"),
        "{page}"
    );
    assert!(page.contains("With others of its kind in its place (4 of them)"), "{page}");
    // Nor does the figure draw a worth where the page says that none is known.
    desk.page(&[&worth[..], &["-o", "results", "--format", "csv"]].concat());
    let notes: serde_json::Value = serde_json::from_str(&desk.read("results/report.json")).unwrap();
    let figures = notes["figures"].as_array().unwrap();
    let drawn = figures.iter().find(|figure| figure["id"] == "worth").expect("worths are drawn");
    let drawn = drawn["marks"].as_array().unwrap();
    let mut drawn: Vec<&str> = drawn.iter().map(|mark| mark["label"].as_str().unwrap()).collect();
    drawn.sort_unstable();
    assert_eq!(drawn, ["Elf archer", "Elf swordsman"]);
}

/// A card is advised to be replaced only where something can be: where one side alone brings it, and another card of its
/// mana that can be brought is not there already.
#[test]
fn what_cannot_be_replaced_is_not_advised_to_be() {
    let team = |name: &str, monsters: [&str; 2]| {
        let [first, second] = monsters;
        format!(
            "[[teams]]\nname = \"{name}\"\nsummoner = \"Malric Inferno\"\nmonsters = [\"{first}\", \"{second}\"]\n"
        )
    };
    // Of all these only the Giant Roc and the Fire Elemental cost the same, and the latter always comes with the former.
    let text = [
        "game = \"splinterlands\"\nbattles = 10\nleague = \"silver\"\nmana_caps = [99]\n[rulesets]\nfixed = [\"Standard\"]\n"
            .to_owned(),
        team("Pair", ["Pit Ogre", "Fire Beetle"]),
        team("Roc", ["Giant Roc", "Fire Elemental"]),
        team("Both", ["Giant Roc", "Molten Ogre"]),
        "[sides]\na = [\"Pair\", \"Roc\", \"Both\"]\nb = [\"Pair\", \"Roc\", \"Both\"]\n".to_owned(),
    ];
    let desk = Desk::new();
    desk.write("alone.toml", &text.concat());
    let worth = ["worth", "alone.toml", "--line-ups", "own", "--battles", "4000"];
    let page = |unit: &[&str]| flat(&desk.page(&[&worth[..], unit].concat()));
    let all = page(&[]);
    assert!(all.contains("Pit Ogre, Molten Ogre, Fire Elemental: in these line-ups"), "{all}");
    let advice = "What is played in place of Giant Roc in the same battles does (`--unit NAME`).";
    assert!(all.contains(advice), "{all}");
    let roc = page(&["--unit", "Giant Roc"]);
    assert!(roc.contains("With the only other of its kind and cost in its place"), "{roc}");
    assert!(!roc.contains("(`--unit NAME`)"), "{roc}");
    let elemental = page(&["--unit", "Fire Elemental"]);
    assert!(!elemental.contains("of its kind and cost in its place"), "{elemental}");
    let beetle = page(&["--unit", "Fire Beetle"]);
    assert!(beetle.contains("No other monster can stand in for it."), "{beetle}");
    let summoner = page(&["--unit", "Malric Inferno"]);
    let why = "Malric Inferno: what it is worth is not known from these battles. Nothing is played in its place: no other \
               summoner can stand in for it, and it has no ability to lose.";
    assert!(summoner.contains(why), "{summoner}");
}

/// Where nothing happens in any battle, nothing tells cards apart, whatever comes with them.
#[test]
fn battles_that_all_score_alike_are_said_to() {
    let desk = Desk::new();
    let minion = |name| format!("[[minions]]\nname = \"{name}\"\nhand = 0\nhit_points = 5\n");
    let group = |name, of: [&str; 2]| {
        format!("[[groups]]\nname = \"{name}\"\nminions = [\"{}\", \"{}\"]\n", of[0], of[1])
    };
    let groups = [("G", ["P", "Q"]), ("H", ["P", "R"]), ("I", ["Q", "R"])];
    let scenario = format!(
        "game = \"sanctum\"\nbattles = 10\n{}{}[sides]\na = [\"G\", \"H\", \"I\"]\nb = [\"G\", \"H\", \"I\"]\n",
        ["P", "Q", "R"].map(minion).concat(),
        groups.map(|(name, of)| group(name, of)).concat()
    );
    desk.write("still.toml", &scenario);
    let page = flat(&desk.page(&["worth", "still.toml", "--line-ups", "own", "--battles", "2000"]));
    assert!(page.contains("All battles scored alike, so that no worth can be told."), "{page}");
    assert!(page.contains("All battles scored alike, so that no unit can be tested."), "{page}");
    assert!(!page.contains("told apart") && !page.contains("never varies"), "{page}");
}

/// Places are numbered up to the number of cards, even where few battles leave some cards out of every comparison.
#[test]
fn places_are_no_more_than_there_are() {
    let desk = Desk::new();
    for battles in ["500", "3000"] {
        let output = desk.evens(&[
            "worth",
            "drawn-teams",
            "--battles",
            battles,
            "--replace",
            "0",
            "--table",
            "worth",
            "-o",
            "-",
            "-q",
        ]);
        assert_eq!(code(&output), 0, "{}", stderr(&output));
        let text = stdout(&output);
        let mut lines = text.lines().map(|line| line.split(',').collect::<Vec<_>>());
        let head = lines.next().expect("a head");
        let column = |name: &str| head.iter().position(|of| *of == name).expect("a column");
        let [first, last, of] = ["place_first", "place_last", "places"].map(column);
        for row in lines {
            let [first, last, of] =
                [first, last, of].map(|at| row[at].parse::<u64>().expect("a count"));
            assert!(1 <= first && first <= last && last <= of, "{row:?}");
        }
    }
}

/// A unit that is asked for comes first, on the page and in the report.
#[test]
fn a_unit_that_is_asked_for_is_told_first() {
    let desk = Desk::new();
    let worth =
        ["worth", "splinterlands/archetypes", "--battles", "4000", "--unit", "Goblin Shaman"];
    let page = flat(&desk.page(&[&worth[..], &["--report", "worth.html"]].concat()));
    let said = page.find("Goblin Shaman is worth").expect("it is told");
    assert!(said < page.find("a linear model is fitted").unwrap(), "{page}");
    let report = desk.read("worth.html");
    let first = report.find("Goblin Shaman is worth").expect("it is told");
    assert!(report.find("A typical battle with Goblin Shaman in it").is_some());
    assert!(first < report.find("a linear model is fitted").unwrap());
}

/// Teams spend all the mana there is, so hardly anything tells what a kind is worth by its cost: worths are shrunken
/// towards the line of their kind by cost, and not towards its mean.
#[test]
fn worths_of_dear_and_cheap_cards_are_drawn_to_no_mean() {
    let desk = Desk::new();
    let worths = |battles: &str, seed: &str| -> Vec<(String, u64, [Option<f64>; 3])> {
        let worth = ["worth", "splinterlands/drawn-teams", "--replace", "0", "--json"];
        let output = desk.evens(&[&worth[..], &["--battles", battles, "--seed", seed]].concat());
        assert_eq!(code(&output), 0, "{}", stderr(&output));
        let found: serde_json::Value = serde_json::from_str(&stdout(&output)).unwrap();
        let row = |of: &serde_json::Value| {
            let ends = ["worth", "worth_low", "worth_high"].map(|column| of[column].as_f64());
            (of["unit"].as_str().unwrap().to_owned(), of["played"].as_u64().unwrap(), ends)
        };
        found["tables"]["worth"].as_array().unwrap().iter().map(row).collect()
    };
    let truth = worths("150000", "77");
    let (mut told, mut missed) = (0, 0);
    for seed in ["1", "2"] {
        for (unit, played, [_, low, high]) in worths("8000", seed) {
            let known = truth.iter().find(|(name, ..)| *name == unit);
            let true_worth = known.and_then(|(_, _, [value, ..])| *value);
            let (Some(value), Some(low), Some(high)) = (true_worth, low, high) else { continue };
            if played >= 100 {
                told += 1;
                missed += u32::from(!(low..=high).contains(&value));
            }
        }
    }
    assert!(told > 200 && 100 * missed < 8 * told, "{missed} of {told}");
}

/// Where nearly all battles end alike, few of them carry information, however often cards take part.
#[test]
fn few_battles_that_end_otherwise_name_nobody() {
    let desk = Desk::new();
    for seed in 1..=10 {
        let seed = seed.to_string();
        let worth = ["worth", "eldertale/three-way-greedy", "--battles", "1000", "--seed", &seed];
        let page = flat(&desk.page(&worth));
        assert!(page.contains("No worth is told: about"), "{page}");
        assert!(!page.contains("comes first"), "{page}");
    }
}

/// Where the seat decides nearly all battles, cards that are alike have no places and no worths: errors that are estimated
/// from battles that ended alike are next to 0.
#[test]
fn cards_that_are_alike_have_no_places_where_battles_end_alike() {
    let desk = Desk::new();
    let card =
        |title: &str, rest: &str| format!("[[cards]]\ntitle = \"{title}\"\ncost = 1\n{rest}\n");
    let many = |letter: char, count: u32, rest: &str| {
        (1..=count).map(|number| card(&format!("{letter}{number}"), rest)).collect::<String>()
    };
    let heal = "type = \"Utility\"\neffects = [{ name = \"Heal\", intensity = 5 }]";
    let cards = [
        many('A', 5, "type = \"Attack\"\ndamage = 8"),
        card("Best", "type = \"Attack\"\ndamage = 9"),
        many('D', 4, "type = \"Defense\"\ndefense = 6"),
        many('U', 3, heal),
    ];
    desk.write("cards.toml", &cards.concat());
    let character = |name: &str, class: &str| {
        format!(
            "[[characters]]\nname = \"{name}\"\nclasses = [\"{class}\"]\npolicy = \"greedy\"\nhp = 60\n"
        )
    };
    desk.write(
        "alike.toml",
        &format!(
            "game = \"eldertale\"\nbattles = 3000\ncatalogue = \"cards.toml\"\n{}{}[sides]\na = [\"X\"]\nb = [\"Y\"]\nswap = true\n",
            character("X", "Bard"),
            character("Y", "Godhand")
        ),
    );
    for seed in 1..=8 {
        let seed = seed.to_string();
        let worth = [
            "worth",
            "alike.toml",
            "--replace",
            "0",
            "--seed",
            &seed,
            "-o",
            "t",
            "--format",
            "csv",
        ];
        let page = flat(&desk.page(&[&worth[..], &["--table", "worth"]].concat()));
        assert!(page.contains("No unit is tested") || page.contains("scored alike"), "{page}");
        assert!(!page.contains("pp ±") && !page.contains(" of 6"), "{page}");
        let table = desk.read("t/worth.csv");
        let mut rows = csv::Reader::from_reader(table.as_bytes());
        let headers = rows.headers().unwrap().clone();
        let column = |name: &str| headers.iter().position(|of| of == name).unwrap();
        let (first, last, worth) = (column("place_first"), column("place_last"), column("worth"));
        let mut count = 0;
        for row in rows.records() {
            let row = row.unwrap();
            let is_whole = row[first] == *"1" && ["3", "4", "6"].contains(&&row[last]);
            assert!(is_whole && row[worth].is_empty(), "{row:?}");
            count += 1;
        }
        assert_eq!(count, 13, "{table}");
        std::fs::remove_dir_all(desk.path().join("t")).unwrap();
    }
}

#[test]
fn a_unit_of_another_kind_than_is_asked_for_is_refused() {
    let arguments =
        ["worth", "splinterlands/drawn-teams", "--kind", "summoner", "--unit", "Pit Ogre"];
    let output = Desk::new().evens(&arguments);
    assert_eq!(code(&output), 2, "{}", stderr(&output));
    let told = flat(&stderr(&output));
    assert!(told.contains("--unit Pit Ogre is of the kind monster"), "{told}");
    assert!(told.contains("leave --kind out"), "{told}");
}

/// Who is said to be visibly worth more has an interval that says so, too.
#[test]
fn intervals_of_the_head_of_the_list_exclude_the_mean() {
    let desk = Desk::new();
    desk.write(
        "pool.toml",
        "game = \"splinterlands\"\nseed = 1\nbattles = 2000\nmana_caps = [22]\nleague = \"silver\"\n\
         [rulesets]\nweights = { Earthquake = 0, \"Heavy Hitters\" = 0 }\n\
         [[pools]]\nname = \"P\"\npolicy = \"fill\"\n[sides]\na = [\"P\"]\nb = [\"P\"]\n",
    );
    let mut listed = 0;
    for seed in ["1", "7"] {
        let worth = ["worth", "pool.toml", "--battles", "3000", "--replace", "1", "--seed", seed];
        let page = desk.page(&worth);
        let list = page.split("Nerf first").nth(1).unwrap_or_else(|| panic!("{page}"));
        for line in list.lines().take_while(|line| !line.contains("visibly worth more")) {
            if let Some((_, interval)) = line.split_once(" pp (") {
                listed += 1;
                assert!(interval.starts_with('+'), "seed {seed}: {line}");
            }
        }
    }
    assert!(listed > 0);
}
