//! `evens effects`.

use super::{Desk, code, duel, flat, stderr, stdout};

/// Drawn teams under six rulesets.
fn scenario(sides: &str) -> String {
    let life = "[[pools]]\nname = \"Life\"\nfactions = [\"Life\"]\n";
    let life = if sides.contains("Life") { life } else { "" };
    format!(
        "game = \"splinterlands\"\nquestion = \"What do they do?\"\nbattles = 2600\nleague = \"silver\"\n\
         [rulesets]\nonly = [\"Standard\", \"Super Sneak\", \"Silenced Summoners\", \"Reverse Speed\", \
         \"Lost Magic\", \"Up Close & Personal\"]\n\
         [[pools]]\nname = \"Melee\"\nsummoners = [\"Malric Inferno\"]\npolicy = \"fill\"\n\
         [[pools]]\nname = \"Magic\"\nsummoners = [\"Alric Stormbringer\"]\npolicy = \"fill\"\n\
         {life}[sides]\n{sides}\n"
    )
}

#[test]
fn effects_of_rulesets_and_pairs_on_a_page() {
    let desk = Desk::new();
    desk.write("my.toml", &scenario("a = [\"Melee\"]\nb = [\"Magic\"]"));
    let output = desk.evens(&["effects", "my.toml", "--battles", "1500"]);
    assert_eq!(code(&output), 0, "{}", stderr(&output));
    let page = stdout(&output);
    assert!(page.lines().all(|line| line.chars().count() <= 80), "{page}");
    insta::assert_snapshot!(page);
}

/// Where battles may be drawn, the wins of one side do not follow from those of the other, so both sides are listed;
/// scores do.
#[test]
fn both_sides_are_told_where_wins_are_compared() {
    let desk = Desk::new();
    desk.write("my.toml", &scenario("a = [\"Melee\"]\nb = [\"Magic\"]"));
    let told = |command: &str, measure: &str| {
        let mut arguments = vec![command, "my.toml", "--battles", "1500", "--measure", measure];
        arguments.extend(["--report", "report.html"]);
        arguments.extend((command == "run").then_some("--full"));
        let output = desk.evens(&arguments);
        assert_eq!(code(&output), 0, "{}", stderr(&output));
        (stdout(&output), desk.read("report.html"))
    };
    let (page, report) = told("effects", "wins");
    assert!(page.contains("Melee as side A against Magic"), "{page}");
    assert!(page.contains("Magic as side B against Melee"), "{page}");
    assert!(report.contains("Melee against Magic") && report.contains("Magic against Melee"));
    for measure in ["score", "decided"] {
        let (page, report) = told("effects", measure);
        assert!(page.contains("as side A against") && !page.contains("as side B"), "{page}");
        assert!(!report.contains("Magic against Melee"));
    }
    let compared = |page: &str| {
        let words: Vec<&str> = page.split_whitespace().collect();
        let at = words.windows(3).position(|of| of[1] == "comparisons" && of[2] == "are");
        let at = at.unwrap_or_else(|| panic!("no comparisons: {page}"));
        words[at].parse::<u64>().unwrap()
    };
    let (page, _) = told("run", "wins");
    assert!(page.contains("side B"), "{page}");
    assert_eq!(compared(&page), 2 * compared(&told("run", "score").0));
}

/// The answer comes before the tables, and says what the first row of the first table does.
#[test]
fn how_many_rulesets_change_a_score_is_told_first() {
    let desk = Desk::new();
    let sides = "a = [\"Melee\"]\nb = [\"Magic\"]";
    let told = |text: &str, battles: &str| {
        desk.write("my.toml", text);
        let output = desk.evens(&["effects", "my.toml", "--battles", battles]);
        assert_eq!(code(&output), 0, "{}", stderr(&output));
        flat(&stdout(&output))
    };
    let page = told(&scenario(sides), "1500");
    let answer =
        page.find("All 5 rulesets are seen to change that; the largest change is that of Up Close");
    let table = page.find("What a ruleset changes");
    assert!(answer.is_some() && answer < table, "{page}");

    let itself = scenario("a = [\"Melee\"]\nb = [\"Melee\"]");
    let page = told(&itself, "300");
    assert!(page.contains("No ruleset is seen to change that."), "{page}");

    let one =
        scenario(sides).replace("\"Super Sneak\", \"Silenced Summoners\", \"Reverse Speed\", ", "");
    let two = told(&one, "100");
    assert!(
        two.contains("Of 2 rulesets one is seen to change that, Up Close & Personal: +"),
        "{two}"
    );
    let page = told(&one.replace("\"Lost Magic\", ", ""), "300");
    assert!(page.contains("Up Close & Personal is seen to change that: +"), "{page}");
}

#[test]
fn the_largest_effects_of_many_match_ups() {
    let desk = Desk::new();
    let everybody = "[\"Melee\", \"Magic\", \"Life\"]";
    desk.write("my.toml", &scenario(&format!("a = {everybody}\nb = {everybody}")));
    let output =
        desk.evens(&["effects", "my.toml", "--battles", "2700", "--table", "ruleset_effects"]);
    assert_eq!(code(&output), 0, "{}", stderr(&output));
    let page = stdout(&output);
    assert!(page.lines().all(|line| line.chars().count() <= 80), "{page}");
    insta::assert_snapshot!(page);
}

/// Each condition gets an equal share of the scenario's battles, and the tables have the same bytes for any number of
/// threads.
#[test]
fn tables_of_effects_are_the_same_for_any_number_of_threads() {
    let desk = Desk::new();
    desk.write("my.toml", &scenario("a = [\"Melee\"]\nb = [\"Magic\"]"));
    let tables = |threads: &str| {
        let output = desk.evens(&[
            "effects",
            "my.toml",
            "--threads",
            threads,
            "--quiet",
            "-o",
            threads,
            "--format",
            "csv",
        ]);
        assert_eq!(code(&output), 0, "{}", stderr(&output));
        assert!(stdout(&output).is_empty() && stderr(&output).is_empty());
        let files = desk.files(threads);
        assert_eq!(
            files,
            ["provenance.json", "report.json", "ruleset_effects.csv", "unit_effects.csv"]
        );
        files.into_iter().map(|file| desk.read(&format!("{threads}/{file}"))).collect::<Vec<_>>()
    };
    let one = tables("1");
    for threads in ["2", "3", "16"] {
        assert!(one == tables(threads), "{threads} threads");
    }
    insta::assert_snapshot!("ruleset_effects_csv", one[2]);
    let first: Vec<&str> = one[3].lines().take(6).collect();
    insta::assert_snapshot!("unit_effects_csv", first.join("\n"));
    let notes: serde_json::Value = serde_json::from_str(&one[0]).unwrap();
    // 2,600 battles in equal shares over Standard, five rulesets and eight pairs of them, rounded up for each.
    assert_eq!(notes["run"]["battles_played"], 14 * 186);
    let piped = desk.evens(&["effects", "my.toml", "--table", "ruleset_effects", "-o", "-"]);
    assert_eq!(stdout(&piped), one[2]);
}

#[test]
fn where_there_are_no_effects_it_says_why() {
    let desk = Desk::new();
    desk.write("fixed.toml", &duel(""));
    let pairs =
        scenario("a = [\"Melee\"]\nb = [\"Magic\"]").replacen("only =", "two = 100\nonly =", 1);
    desk.write("never.toml", &pairs);
    for name in ["fixed.toml", "never.toml", "solforge/factions"] {
        let output = desk.evens(&["effects", name]);
        assert_eq!(code(&output), 3, "{}", stdout(&output));
        let file = name.replace(['/', '.'], "_");
        insta::assert_snapshot!(format!("faults_effects_{file}"), stderr(&output));
    }
    let drawn = duel("")
        .replace("fixed = [\"Standard\"]", "only = [\"Standard\", \"Armored Up\"]\ntwo = 0");
    desk.write("teams.toml", &drawn);
    let output = desk.evens(&["effects", "teams.toml", "--table", "unit_effects"]);
    assert_eq!(code(&output), 2);
    assert!(stderr(&output).contains("--table ruleset_effects"), "{}", stderr(&output));
    assert_eq!(code(&desk.evens(&["effects", "teams.toml", "-o", "-"])), 0);
}

/// The match-up of equal ogres shows the advantage of going first; the page says which figure is which.
#[test]
fn the_effect_of_an_order_that_is_forced() {
    let desk = Desk::new();
    let ogres = "game = \"splinterlands\"\nquestion = \"Is going first worth anything?\"\nbattles = 4000\n\
                 [rulesets]\nfixed = [\"Standard\"]\n\
                 [[teams]]\nname = \"One\"\nsummoner = \"Malric Inferno\"\nmonsters = [\"Pit Ogre\"]\n\
                 [[teams]]\nname = \"Fast\"\nsummoner = \"Malric Inferno\"\nmonsters = [\"Serpentine Soldier\"]\n\
                 [sides]\na = [\"One\", \"Fast\"]\nb = [\"One\", \"Fast\"]\n";
    desk.write("ogres.toml", ogres);
    let output = desk.evens(&["effects", "ogres.toml", "--order", "first-turn"]);
    assert_eq!(code(&output), 0, "{}", stderr(&output));
    let page = stdout(&output);
    assert!(page.lines().all(|line| line.chars().count() <= 80), "{page}");
    insta::assert_snapshot!(page);
    let csv = desk.evens(&[
        "effects",
        "ogres.toml",
        "--order",
        "First Turn",
        "--measure",
        "wins",
        "-o",
        "-",
    ]);
    insta::assert_snapshot!("order_experiment_csv", stdout(&csv));
    let written = desk.evens(&[
        "effects",
        "ogres.toml",
        "--order",
        "first_turn",
        "-o",
        "out",
        "--format",
        "json",
        "-q",
    ]);
    assert_eq!(code(&written), 0, "{}", stderr(&written));
    assert_eq!(desk.files("out"), ["order_experiment.json", "provenance.json", "report.json"]);
    let several = desk.evens(&[
        "effects",
        "eldertale/three-way",
        "--order",
        "first-turn",
        "--battles",
        "600",
    ]);
    insta::assert_snapshot!("forced_among_three", stdout(&several));
    // Where the page of a run shows an association with an order, it suggests the experiment that forces that order.
    let run = desk.evens(&["run", "ogres.toml", "--only", "orders"]);
    assert!(
        stdout(&run).contains("evens effects ogres.toml --order first-turn"),
        "{}",
        stdout(&run)
    );
}

#[test]
fn what_cannot_be_forced_says_why_and_what_can() {
    let desk = Desk::new();
    let told = |scenario: &str, order: &str| {
        let output = desk.evens(&["effects", scenario, "--order", order]);
        assert_eq!(code(&output), 2, "{}", stdout(&output));
        stderr(&output)
    };
    let all = [
        told("splinterlands/mirror", "first-death"),
        told("splinterlands/drawn-teams", "after a hit"),
        told("splinterlands/drawn-teams", "frist-turn"),
        told("sanctum/precedence", "wise-choice"),
        told("sanctum/surrounded", "combats"),
        told("eldertale/three-way", "first-blood"),
        told("solforge/dryad-and-patriarch", "first-turn"),
    ];
    insta::assert_snapshot!("faults_forced", all.join(""));
}

/// A page says nothing that a handful of battles cannot show.
#[test]
fn an_order_that_hardly_came_up_has_no_effect_in_numbers() {
    let desk = Desk::new();
    for (order, battles) in [("first-turn", "1"), ("earthquake", "40"), ("earthquake", "400")] {
        let page = desk.page(&["effects", "drawn-teams", "--order", order, "--battles", battles]);
        assert!(!page.contains("NaN"), "{page}");
        assert!(page.contains("for want of battles"), "{page}");
    }
}

/// Where a drawn condition is the order that is forced, it is no condition under which its effect could be another.
#[test]
fn an_order_that_is_the_condition_is_not_told_by_condition() {
    let forced = ["effects", "sanctum/surrounded", "--order", "initiative", "--battles", "300"];
    let page = Desk::new().page(&forced);
    assert!(page.contains("Being the first changes who wins"), "{page}");
    assert!(!page.contains("By initiative") && !page.contains("Blue has initiative"), "{page}");
}

/// A coin that decides who comes first does not decide which teams are brought, and no ruleset leaves such a battle as
/// it is: the command that is recommended works.
#[test]
fn what_tells_the_effect_of_a_drawn_order_is_a_command_that_plays() {
    let desk = Desk::new();
    for (scenario, order) in [("precedence", "precedence"), ("surrounded", "initiative")] {
        let scenario = format!("sanctum/{scenario}");
        let page = flat(&desk.page(&["run", &scenario, "--battles", "4000", "--only", "rulesets"]));
        assert!(!page.contains("which teams can be brought"), "{page}");
        let command = format!("`evens effects {scenario} --order {order}` plays each battle with");
        assert!(page.contains(&command), "{page}");
        let output =
            desk.evens(&["effects", &scenario, "--order", order, "--battles", "50", "--quiet"]);
        assert_eq!(code(&output), 0, "{}", stderr(&output));
    }
}

/// Precedence wins every battle between these equal groups: the side that has it gains, and neither contender does.
#[test]
fn where_both_sides_bring_the_same_a_side_may_gain_and_no_contender() {
    let desk = Desk::new();
    let scenario = "game = \"sanctum\"\nseed = 2\nbattles = 2_000\n\n[sides]\na = [\"Elves\"]\nb = [\"Elves\"]\n\
                    precedence = \"either\"\n\n[[groups]]\nname = \"Elves\"\nminions = [\"5 Elf swordsman\", \"3 Elf archer\"]\n";
    desk.write("elves.toml", scenario);
    let page = flat(&desk.page(&["run", "elves.toml", "--only", "rulesets"]));
    assert!(page.contains("no precedence favours either contender:"), "{page}");
    assert!(page.contains("1 of 1 comparison is significant"), "{page}");
    assert!(page.contains("Where A has precedence, Elves against Elves scores 100.0%"), "{page}");
}

/// A team that one of two rulesets forbids loses by forfeit, which is no effect of a card of either side.
#[test]
fn forfeits_are_no_effects_on_cards() {
    let desk = Desk::new();
    desk.write(
        "ba.toml",
        "game = \"splinterlands\"\nseed = 1\nbattles = 2000\nmana_caps = [24]\nleague = \"silver\"\n\
         illegal_teams = \"lose\"\n[rulesets]\nonly = [\"Standard\", \"Broken Arrows\"]\ntwo = 0\n\
         [[teams]]\nname = \"Ranged\"\nsummoner = \"Malric Inferno\"\n\
         monsters = [\"Pit Ogre\", \"Serpentine Soldier\", \"Fire Beetle\"]\n\
         [[pools]]\nname = \"Anybody\"\npolicy = \"fill\"\n[sides]\na = [\"Ranged\"]\nb = [\"Anybody\"]\n",
    );
    let effects = ["effects", "ba.toml", "--battles", "2000", "--format", "csv", "-o", "-", "-q"];
    let table = |name: &str| {
        let output = desk.evens(&[&effects[..], &["--table", name]].concat());
        assert_eq!(code(&output), 0, "{}", stderr(&output));
        stdout(&output)
    };
    let sides = table("ruleset_effects");
    assert!(sides.contains("Broken Arrows"), "{sides}");
    let units = table("unit_effects");
    assert_eq!(units.lines().count(), 1, "no battle is fought under the ruleset: {units}");
}

/// A ruleset that changes no battle which is fought forbids one of two opponents: the melee monsters then meet the other one
/// alone, which is no effect on them.
#[test]
fn whom_a_card_meets_is_no_effect_on_it() {
    let desk = Desk::new();
    desk.write(
        "null.toml",
        "game = \"splinterlands\"\nseed = 1\nbattles = 3000\nmana_caps = [24]\nleague = \"silver\"\n\
         illegal_teams = \"lose\"\n[rulesets]\nonly = [\"Standard\", \"Broken Arrows\"]\ntwo = 0\n\
         [[pools]]\nname = \"Melee\"\nsummoners = [\"Malric Inferno\"]\n\
         monsters = [\"Pit Ogre\", \"Serpentine Soldier\", \"Kobold Miner\", \"Cerberus\", \"Giant Roc\"]\n\
         [[teams]]\nname = \"Archers\"\nsummoner = \"Malric Inferno\"\nmonsters = [\"Spark Pixies\", \"Fire Beetle\"]\n\
         [sides]\na = [\"Melee\"]\nb = [\"Archers\", \"Melee\"]\n",
    );
    let page = flat(&desk.page(&["effects", "null.toml", "--report", "null.html"]));
    let told = "Effects on cards leave out those of match-ups in which battles are forfeited under Broken Arrows: ";
    assert!(page.contains(told) && !page.contains("for want of battles"), "{page}");
    assert!(desk.read("null.html").contains(told));
    let list = "--table=unit_effects";
    let output = desk.evens(&["effects", "null.toml", list, "--format", "csv", "-o", "-", "-q"]);
    assert_eq!(stdout(&output).lines().count(), 1, "{}", stdout(&output));
    // Where both opponents can be met, their cards are compared.
    let both = desk.read("null.toml").replace("\"Spark Pixies\"", "\"Pit Ogre\"");
    desk.write("both.toml", &both.replace("b = [\"Archers\", ", "b = ["));
    let page = flat(&desk.page(&["effects", "both.toml"]));
    assert!(!page.contains("leave out"), "{page}");
    let output = desk.evens(&["effects", "both.toml", list, "--format", "csv", "-o", "-", "-q"]);
    assert!(stdout(&output).lines().count() > 3, "{}", stdout(&output));
    // A team that is too dear for one of two mana caps forfeits the same battles under every ruleset.
    let dear = desk.read("null.toml").replace("mana_caps = [24]", "mana_caps = [9, 30]");
    desk.write("dear.toml", &dear.replace("Broken Arrows", "Earthquake"));
    let page = flat(&desk.page(&["effects", "dear.toml"]));
    assert!(page.contains("are forfeits") && !page.contains("leave out"), "{page}");
    let output = desk.evens(&["effects", "dear.toml", list, "--format", "csv", "-o", "-", "-q"]);
    assert!(stdout(&output).lines().count() > 3, "{}", stdout(&output));
}

/// With fewer than 100 battles nothing is tested, and an untested order is not said to make no difference.
#[test]
fn an_order_that_was_not_tested_is_not_told_as_no_difference() {
    let desk = Desk::new();
    desk.write(
        "humans.toml",
        "game = \"sanctum\"\nbattles = 20\n[sides]\na = [\"One\", \"Two\"]\nb = [\"One\", \"Two\"]\n\
         [[groups]]\nname = \"One\"\nminions = [\"3 Human swordsman\"]\n\
         [[groups]]\nname = \"Two\"\nminions = [\"3 Human swordsman\"]\n",
    );
    for (battles, told) in [
        ("40", "Too few battles to test whether being the first makes a difference"),
        ("400", "Being the first changes who wins"),
    ] {
        let page = flat(&desk.page(&[
            "effects",
            "humans.toml",
            "--order",
            "precedence",
            "--battles",
            battles,
        ]));
        assert!(page.contains(told), "{page}");
        assert!(!page.contains("no visible difference"), "{page}");
    }
}

/// Effects force each ruleset; a battle of the scenario that has it may be too rare to be found in a match-up.
#[test]
fn only_battles_that_can_be_found_have_commands() {
    let desk = Desk::new();
    let pool = |name: &str, summoner: &str| {
        format!("[[pools]]\nname = \"{name}\"\nsummoners = [\"{summoner}\"]\n")
    };
    let scenario = |weight: &str| {
        format!(
            "game = \"splinterlands\"\nbattles = 200\nmana_caps = [20]\nleague = \"silver\"\n\
             [rulesets]\ntwo = 0\nweights = {{ \"Super Sneak\" = {weight} }}\n{}{}\
             [sides]\na = [\"Fire\", \"Water\"]\nb = [\"Fire\", \"Water\"]\n",
            pool("Fire", "Malric Inferno"),
            pool("Water", "Alric Stormbringer"),
        )
    };
    for (weight, has) in [("0.0002", false), ("1", true)] {
        desk.write("rare.toml", &scenario(weight));
        desk.page(&["effects", "rare.toml", "--battles", "60", "--report", "rare.html"]);
        let page = desk.read("rare.html");
        assert!(page.contains("--ruleset Earthquake"), "{weight}");
        assert_eq!(page.contains("--ruleset 'Super Sneak'"), has, "{weight}");
    }
}
