//! `evens plan`, and what `evens run --until` says and writes.

use super::{Desk, code, duel, flat, rows, stderr, stdout};

fn json(desk: &Desk, arguments: &[&str]) -> serde_json::Value {
    let output = desk.evens(&[&["plan", "duel.toml", "--json"], arguments].concat());
    assert_eq!(code(&output), 0, "{}", stderr(&output));
    serde_json::from_str(&stdout(&output)).unwrap()
}

#[test]
fn a_plan_tells_battles_and_the_smallest_effect() {
    let desk = Desk::new();
    desk.write("duel.toml", &duel("question = \"Is it fair?\""));
    let output = desk.evens(&["plan", "duel.toml", "--detect", "2pp", "--pilot", "2000"]);
    assert_eq!(code(&output), 0, "{}", stderr(&output));
    let page = stdout(&output);
    assert!(page.lines().all(|line| line.chars().count() <= 80), "{page}");
    for said in [
        "Is it fair?",
        "2,000 battles",
        "80% power",
        "95% confidence",
        "500 battles find",
        "battles a second",
    ] {
        let flat = page.split_whitespace().collect::<Vec<_>>().join(" ");
        assert!(flat.contains(said), "{said}: {page}");
    }
    assert_eq!(desk.files("."), ["duel.toml"], "nothing is written");

    // The pilot plays the same battles whatever is asked: half the effect takes four times as many, and 90% power or
    // 99% confidence takes more.
    let battles = |arguments: &[&str]| json(&desk, arguments)["battles"].as_u64().unwrap();
    let [two, one] = ["2pp", "1pp"].map(|points| battles(&["--detect", points]));
    assert!((one as f64 / two as f64 - 4.0).abs() < 0.01, "{one} {two}");
    assert!(battles(&["--detect", "2pp", "--power", "90%"]) > two);
    assert!(battles(&["--detect", "2pp", "--confidence", "99%"]) > two);
    assert!(battles(&["--margin", "2pp"]) < two);
    // The other way round: the effect that this many battles find.
    let back = json(&desk, &["--battles", &two.to_string()]);
    let found = back["comparisons"][0]["finds"].as_f64().unwrap();
    assert!((found - 0.02).abs() < 1e-5, "{found}");
    let own = json(&desk, &[]);
    assert_eq!(own["goal"]["battles"], 500);
    assert_eq!(own["pilot"]["battles_played"], 20_000);
}

/// The summoner is on both sides of every battle, so that its score is even by itself. A plan for 2,000 battles from a pilot of
/// 20,000 promised a third of the width that the run of 2,000 then had.
#[test]
fn a_unit_that_is_always_on_both_sides_has_the_planned_width() {
    let desk = Desk::new();
    let mirror = "game = \"splinterlands\"\nbattles = 2000\nmana_caps = [24]\n\
        [[pools]]\nname = \"Fire\"\npolicy = \"fill\"\nsummoners = [\"Malric Inferno\"]\n\
        [sides]\na = [\"Fire\"]\nb = [\"Fire\"]\n";
    desk.write("duel.toml", mirror);
    let planned = json(&desk, &["--comparison", "units"]);
    let comparisons = planned["comparisons"].as_array().unwrap();
    let of = comparisons.iter().find(|of| of["subject"] == "Malric Inferno").unwrap();
    let margin = of["margin"].as_f64().unwrap();
    let table = ["run", "duel.toml", "--table", "units", "-o", "-", "-q"];
    let table = stdout(&desk.evens(&table));
    let row = rows(&table).into_iter().find(|row| row["unit"] == "Malric Inferno").unwrap();
    let [low, high] = ["score_low", "score_high"].map(|end| row[end].parse::<f64>().unwrap());
    let half = (high - low) / 2.0;
    assert!((margin / half - 1.0).abs() < 0.01, "{margin} {half}");
}

#[test]
fn what_cannot_be_planned_is_said() {
    let desk = Desk::new();
    desk.write("duel.toml", &duel(""));
    for (arguments, said) in [
        (&["--detect", "1"][..], "1pp"),
        (&["--detect", "0pp"], "from 0.0001 to below 50"),
        (&["--detect", "60pp"], "below 50"),
        (&["--power", "0.8"], "such as `95%`"),
        (&["--power", "100%"], "99.9999%"),
        (&["--confidence", "nearly"], "95%"),
        (&["--detect", "1pp", "--margin", "1pp"], "cannot be used with"),
        (&["--battles", "0"], "0"),
        (&["--comparison", "rulesets"], "the same rulesets"),
        (&["--comparison", "units"], "[[pools]]"),
        (&["--comparison", "cards"], "possible values"),
    ] {
        let output = desk.evens(&[&["plan", "duel.toml", "--pilot", "200"], arguments].concat());
        assert_eq!(code(&output), 2, "{arguments:?}: {}", stderr(&output));
        assert!(flat(&stderr(&output)).contains(said), "{arguments:?}: {}", stderr(&output));
        assert!(stdout(&output).is_empty());
    }
    let output = desk.evens(&["plan", "missing.toml", "--detect", "1pp"]);
    assert_eq!(code(&output), 3);
    assert!(stderr(&output).contains("missing.toml"), "{}", stderr(&output));
}

/// The part of a page that is about the stopping rule.
fn stopped(page: &str) -> &str {
    let at = page.find("Stopped by").or_else(|| page.find("Not enough evidence"));
    &page[at.unwrap_or_else(|| panic!("{page}"))..]
}

#[test]
fn a_run_that_a_rule_ended_says_what_holds_and_what_it_cost() {
    let desk = Desk::new();
    desk.write("duel.toml", &duel(""));
    for (name, rule, most) in [
        ("ci", "ci=4pp", "20000"),
        ("margin", "margin=4pp", "20000"),
        ("sprt", "sprt(-4pp,4pp)", "20000"),
        ("open", "sprt(23.5pp,23.6pp)", "2000"),
    ] {
        let output = desk.evens(&["run", "duel.toml", "--until", rule, "--max-battles", most]);
        assert_eq!(code(&output), 0, "{rule}: {}", stderr(&output));
        let page = stdout(&output);
        assert!(page.lines().all(|line| line.chars().count() <= 80), "{page}");
        insta::assert_snapshot!(format!("until_{name}"), stopped(&page));
    }
    let output = desk.evens(&["run", "duel.toml", "--until", "nonsense"]);
    assert_eq!(code(&output), 2);
    assert!(stderr(&output).contains("margin=0.2pp"), "{}", stderr(&output));
}

/// Two scores differ by less than 100 points.
#[test]
fn a_difference_that_cannot_be_is_not_found() {
    let desk = Desk::new();
    desk.write("duel.toml", &duel(""));
    let page = desk.page(&["plan", "duel.toml", "--battles", "1", "--pilot", "400"]);
    assert!(page.contains("1 battle finds no difference, however large"), "{page}");
}

/// After a stopping rule, tables have intervals that allow for it, and their provenance says so; other tables are as
/// before.
#[test]
fn tables_of_a_stopped_run_hold_at_the_stop() {
    let desk = Desk::new();
    desk.write("duel.toml", &duel(""));
    let outcomes = |folder: &str, arguments: &[&str]| {
        let tables = ["--table", "outcomes", "--format", "csv", "-o", folder];
        let output = desk.evens(&[&["run", "duel.toml", "-q"], arguments, &tables].concat());
        assert_eq!(code(&output), 0, "{}", stderr(&output));
        let table = desk.read(&format!("{folder}/outcomes.csv"));
        let row = rows(&table).remove(0);
        let cell = |name: &str| row[name].parse::<f64>().unwrap();
        let width = cell("win_rate_high") - cell("win_rate_low");
        (cell("battles") as u64, width, desk.read(&format!("{folder}/provenance.json")))
    };
    let (battles, stopped, provenance) = outcomes("stopped", &["--until", "sprt(-4pp,4pp)"]);
    assert!(provenance.contains("\"rule\": \"sprt(-4pp,4pp)\""), "{provenance}");
    assert!(provenance.contains("\"intervals\": \"anytime-valid\""), "{provenance}");
    let (same, plain, provenance) = outcomes("fixed", &["--battles", &battles.to_string()]);
    assert_eq!(same, battles);
    assert!(!provenance.contains("stopping"), "{provenance}");
    assert!(stopped > 1.4 * plain, "{stopped} {plain}");
    let (_, _, provenance) = outcomes("margin", &["--until", "margin=4pp"]);
    assert!(provenance.contains("\"intervals\": \"fixed number of battles\""), "{provenance}");
}

/// If all battles of a pilot ended alike, it is still unknown how often they end otherwise, so the interval has a
/// length.
#[test]
fn a_pilot_that_never_varied_does_not_pass_for_certain() {
    let desk = Desk::new();
    let monsters = "monsters = [\"Pit Ogre\", \"Fire Beetle\"]";
    let strong =
        "monsters = [\"Pit Ogre\", \"Fire Beetle\", \"Serpentine Soldier\", \"Giant Roc\"]";
    let weak = duel("").replace("[\"Medusa\", \"Sea Genie\"]", "[\"Crustacean King\"]");
    desk.write("duel.toml", &weak.replace(monsters, strong));
    for (pilot, told) in [
        ("3000", "all 3,000 battles of the pilot ended alike"),
        ("1", "the pilot has a single battle"),
    ] {
        let page = flat(&desk.page(&["plan", "duel.toml", "--margin", "1pp", "--pilot", pilot]));
        assert!(page.contains(told), "{page}");
        assert!(page.contains("(95% confidence); a longer pilot (`--pilot`) tells more"), "{page}");
        let planned = json(&desk, &["--margin", "1pp", "--pilot", pilot]);
        // z² (1 / 0.01 - 1): the number of battles that Wilson's interval takes where nothing varies.
        assert!(planned["battles"].as_u64().unwrap() >= 381, "{planned}");
        assert!(planned["comparisons"][0]["pilot"]["otherwise_at_most"].is_number(), "{planned}");
    }
    let found = json(&desk, &["--detect", "1pp", "--pilot", "3000"])["battles"].as_u64().unwrap();
    assert!(found > 700, "{found}: what is a point from certain varies");
    desk.write("duel.toml", &duel(""));
    let page = flat(&desk.page(&["plan", "duel.toml", "--detect", "1pp", "--pilot", "20"]));
    assert!(page.contains("the pilot has 20 battles: how much they vary"), "{page}");
    let page = flat(&desk.page(&["plan", "duel.toml", "--detect", "1pp", "--pilot", "2000"]));
    assert!(!page.contains("--pilot"), "{page}");
}

/// A score differs from an even one by at most a half, so no larger difference can be found.
#[test]
fn no_difference_is_found_that_there_cannot_be() {
    let desk = Desk::new();
    desk.write("duel.toml", &duel(""));
    let page = flat(&desk.page(&["plan", "duel.toml", "--battles", "5"]));
    assert!(page.contains("no difference, however large"), "{page}");
}

/// Where the battles without a ruleset are those that all ended alike, the page says so.
#[test]
fn what_ended_alike_is_called_what_it_is() {
    let desk = Desk::new();
    let group = |name: &str, minions: &str| {
        format!("[[groups]]\nname = \"{name}\"\nminions = [{minions}]\n")
    };
    let scenario = "game = \"sanctum\"\nbattles = 2500\nseed = 2\n\
                    [sides]\na = [\"Few\", \"Many\"]\nb = [\"Few\", \"Many\"]\n";
    let groups = [
        group("Few", "\"2 Elf swordsman\", \"4 Elf archer\""),
        group("Many", "\"4 Elf swordsman\", \"2 Elf archer\""),
    ];
    desk.write("duel.toml", &[scenario, &groups.concat()].concat());
    let plan = ["plan", "duel.toml", "--comparison", "rulesets", "--detect", "5pp"];
    let found = json(&desk, &plan[2..]);
    let page = flat(&desk.page(&plan));
    let (_, said) = page.split_once("Of ").expect("something never varied");
    let (subject, _) = said.split_once(" all ").expect("it says how many");
    let of = subject.strip_prefix("what is without ").unwrap_or(subject);
    let comparisons = found["comparisons"].as_array().unwrap();
    let named = comparisons.iter().find(|one| one["subject"] == of).expect("it is a comparison");
    let score = named["pilot"]["score"].as_f64().unwrap();
    // A score strictly between 0 and 1 has battles that did not all end alike.
    assert_eq!(subject != of, score > 0.0 && score < 1.0, "{page}");
}

/// Of cards outside the pools a longer pilot tells nothing, and of contenders that meet only themselves none does.
#[test]
fn a_longer_pilot_is_promised_nothing_that_cannot_come_up() {
    let desk = Desk::new();
    let pools = "game = \"splinterlands\"\nbattles = 2000\nseed = 1\nmana_caps = [28, 30]\nleague = \"silver\"\n\
                 [[pools]]\nname = \"P\"\nsummoners = [\"Malric Inferno\"]\npolicy = \"fill\"\nmonsters = [\
                 \"Pit Ogre\", \"Serpentine Soldier\", \"Giant Roc\", \"Fire Beetle\", \"Living Lava\", \
                 \"Kobold Miner\", \"Fire Elemental\", \"Fire Demon\"]\n[sides]\na = [\"P\"]\nb = [\"P\"]\n";
    desk.write("duel.toml", pools);
    let units = ["--comparison", "units"];
    let planned = json(&desk, &units);
    let names: Vec<&str> = planned["comparisons"]
        .as_array()
        .unwrap()
        .iter()
        .map(|of| of["subject"].as_str().unwrap())
        .collect();
    assert_eq!((names.len(), planned["not_in_the_pilot"].as_u64()), (9, Some(0)), "{names:?}");
    let page = flat(&desk.page(&[&["plan", "duel.toml"][..], &units].concat()));
    assert!(!page.contains("did not come up"), "{page}");
    for of in planned["comparisons"].as_array().unwrap() {
        assert!(of["share"].as_f64().unwrap() <= 1.0, "{of}");
    }
    // In a single battle most of what may come up does not.
    let short = json(&desk, &["--comparison", "units", "--pilot", "1"]);
    let seen = short["comparisons"].as_array().unwrap().len() as u64;
    assert_eq!(seen + short["not_in_the_pilot"].as_u64().unwrap(), 9, "{short}");

    let alone = ["plan", "eldertale/three-way", "--comparison", "contenders", "--pilot", "200"];
    let output = desk.evens(&alone);
    assert_eq!(code(&output), 2, "{}", stdout(&output));
    let said = flat(&stderr(&output));
    assert!(said.contains("every match-up is of one contender with itself"), "{said}");
}

/// Where no battle is won an interval soon excludes both scores that a test tells apart.
#[test]
fn a_score_between_the_two_of_a_test_is_said_to_be_neither() {
    let desk = Desk::new();
    desk.write(
        "drawn.toml",
        "game = \"splinterlands\"\nbattles = 500\nmana_caps = [30]\nidentical_teams = \"draw\"\n\
         [rulesets]\nonly = [\"Earthquake\"]\ntwo = 0\n\
         [[teams]]\nname = \"One\"\nsummoner = \"Malric Inferno\"\nmonsters = [\"Fire Beetle\"]\n\
         [[teams]]\nname = \"Two\"\nsummoner = \"Malric Inferno\"\nmonsters = [\"Fire Beetle\"]\n\
         [sides]\na = [\"One\"]\nb = [\"Two\"]\n",
    );
    let rule = ["run", "drawn.toml", "--until", "sprt(-1pp,1pp)", "--max-battles", "20000"];
    let page = flat(&desk.page(&rule));
    assert!(page.contains("Side A's score is neither 49% or less nor 51% or more."), "{page}");
    assert!(!page.contains("still open"), "{page}");
    // SP-75, SP-92: no earthquake shakes a battle that is not fought.
    let page = flat(&desk.page(&["run", "drawn.toml", "--battles", "500", "--full"]));
    assert!(!page.contains("the side that the earthquake shakes first"), "{page}");
}

/// Where a battle mostly has no winner a test can end although the score is neither of its two.
#[test]
fn a_test_that_ends_on_a_score_between_its_two_says_that_the_nearer_is_excluded() {
    let desk = Desk::new();
    desk.write(
        "long.toml",
        "game = \"eldertale\"\nbattles = 500\nlast_round = 8\n[sides]\na = [\"One\"]\nb = [\"Two\"]\nswap = true\n\
         [[characters]]\nname = \"One\"\nhp = 60\nclasses = [\"Blademaster\"]\n\
         [[characters]]\nname = \"Two\"\nhp = 60\nclasses = [\"Blademaster\"]\n",
    );
    let rule = ["run", "long.toml", "--until", "sprt(-10pp,10pp)", "--max-battles", "20000"];
    let page = flat(&desk.page(&rule));
    assert!(page.contains("Evidence for a score of side A of"), "{page}");
    assert!(page.contains("by its interval the score is not"), "{page}");
}

/// What `run` compares with nothing is not planned.
#[test]
fn rulesets_under_which_all_battles_are_forfeits_are_not_planned() {
    const HALF: &str = "game = \"splinterlands\"\nseed = 3\nbattles = 4_000\nmana_caps = [24]\n\
        illegal_teams = \"lose\"\n[rulesets]\nonly = [\"Little League\", \"Standard\"]\n\
        [[teams]]\nname = \"Big\"\nsummoner = \"Malric Inferno\"\nmonsters = [\"Pit Ogre\", \"Serpentine Soldier\"]\n\
        [[teams]]\nname = \"Small\"\nsummoner = \"Malric Inferno\"\nmonsters = [\"Fire Beetle\"]\n\
        [sides]\na = [\"Big\"]\nb = [\"Small\"]\n";
    let desk = Desk::new();
    desk.write("half.toml", HALF);
    let told = desk.told(&["plan", "half.toml", "--detect", "1pp", "--comparison", "rulesets"], 2);
    assert!(told.contains("all battles under some ruleset are forfeits"), "{told}");
    let page = flat(&desk.page(&["run", "half.toml", "--full"]));
    assert!(page.contains("Not compared: with Little League all battles are forfeits"), "{page}");
    assert!(!page.contains("`evens effects half.toml`"), "it would list nothing: {page}");
}
