//! `evens compare` of two versions of a card file: what is played of what differs.

use serde_json::Value;

use super::{Desk, code, flat, stderr, stdout};

const CARDS: &str = include_str!("../../scenarios/splinterlands/cards/2020-05.csv");

/// The bundled cards, and the same with a Goblin Shaman that is weaker at its last level alone.
fn desk() -> Desk {
    let (was, is) = ("Goblin Shaman,1,Fire,Monster,Common,3,10,0,0,1,0,6,", "3,10,0,0,1,0,1,");
    let is = format!("Goblin Shaman,1,Fire,Monster,Common,{is}");
    assert!(CARDS.contains(was));
    let desk = Desk::new();
    desk.write("old.csv", CARDS).write("new.csv", &CARDS.replace(was, &is));
    let drawn = include_str!("../../scenarios/splinterlands/drawn-teams.toml");
    assert!(drawn.contains("league = \"silver\""));
    desk.write("champion.toml", &drawn.replace("\"silver\"", "\"champion\""));
    desk
}

const COMPARE: [&str; 5] = ["compare", "old.csv", "new.csv", "--battles", "2000"];

fn with<'a>(more: &[&'a str]) -> Vec<&'a str> {
    COMPARE.into_iter().chain(more.iter().copied()).collect()
}

/// A change at a level that no battle has gets no all-clear: the page, its summaries and its JSON say that nothing is known
/// of it, and under which conditions the battles were played.
#[test]
fn a_change_that_was_not_played_gets_no_verdict() {
    let desk = desk();
    let output = desk.evens(&with(&[
        "--annotations",
        "github",
        "--summary",
        "told.md",
        "--junit",
        "cases.xml",
    ]));
    assert_eq!(code(&output), 0, "{}", stderr(&output));
    let page = flat(&stdout(&output));
    for told in [
        "Goblin Shaman: health 4/4/3/4/3/3/3/4/5/6 to 4/4/3/4/3/3/3/4/5/1",
        "not played at a level that changed: it differs at level 10, and the battles have it at",
        "No verdict: 1 changed card was not played at a level that changed; none of ",
        "1 changed card was not played at a level that changed: Goblin Shaman. Nothing here is about what was changed there",
        "Battles as in splinterlands/drawn-teams with the cards of each file. league: silver; levels of monsters: common ",
        "mana caps: 18, 22, 26, 30; rulesets: drawn from ",
    ] {
        assert!(page.contains(told), "{told}: {page}");
    }
    assert!(!page.contains("No balance change"), "{page}");
    assert!(!page.contains("a side with it scores"), "{page}");
    assert!(stderr(&output).contains("::warning title=Balance::No verdict"), "{}", stderr(&output));
    let cases = desk.read("cases.xml");
    let skipped = "<skipped message=\"not played at a level that changed\"/>";
    assert_eq!(cases.matches(skipped).count(), 1, "{cases}");
    assert_eq!(cases.matches(" skipped=\"1\"").count(), 2, "{cases}");
    assert!(flat(&desk.read("told.md")).contains("No verdict: 1 changed card"));
    let found: Value = serde_json::from_str(&stdout(&desk.evens(&with(&["--json"])))).unwrap();
    let card = &found["coverage"]["cards"][0];
    assert_eq!(card["card"], "Goblin Shaman");
    assert_eq!((&card["fate"], &card["played"]), (&"changed".into(), &false.into()));
    assert_eq!(card["changed_levels"], serde_json::json!([10]));
    assert_eq!(found["coverage"]["conditions"]["league"], "silver");
}

/// In a scenario that has the level that changed, the same two files get a verdict.
#[test]
fn a_scenario_decides_what_is_played() {
    let desk = desk();
    let output = desk.evens(&with(&["--scenario", "champion.toml"]));
    let page = flat(&stdout(&output));
    assert!(page.contains("Battles as in champion.toml with the cards of each file."), "{page}");
    assert!(page.contains("league: champion"), "{page}");
    assert!(!page.contains("No verdict") && !page.contains("not played"), "{page}");
    assert!(page.contains("a side with it scores"), "{page}");
    let same = ["compare", "old.csv", "old.csv", "--battles", "2000"];
    let same = flat(&desk.page(&same));
    assert!(same.starts_with("The two files hold the same cards."), "{same}");
    assert!(!same.contains("No verdict"), "{same}");
    let other = desk.evens(&with(&["--scenario", "solforge/cercee-and-oros"]));
    assert_eq!(code(&other), 3, "{}", stderr(&other));
}

/// The page of two card files has what the terminal says of them, the name of the command, a question about the files, and the
/// seed of the command.
#[test]
fn a_report_says_what_is_other_in_the_second_file() {
    let desk = desk();
    let more = ["--scenario", "champion.toml", "--seed", "5", "--report", "page.html"];
    let output = desk.evens(&with(&more));
    let page = flat(&stdout(&output));
    let held = super::report::data(&desk.read("page.html"));
    let notes = &held["notes"];
    assert_eq!(notes["study"], "compare");
    let question = "What do the cards of new.csv change, compared with those of old.csv?";
    assert_eq!(notes["question"], question);
    assert_eq!(held["provenance"]["seed"].to_string().replace('"', ""), "5");
    assert!(desk.read("page.html").contains("seed 5"));
    let said = "What is other in the second file: 1 card";
    let answer = notes["answer"].as_array().unwrap();
    assert!(answer.iter().any(|one| one["text"] == said), "{answer:?}");
    let card = notes["matters"][0].as_str().unwrap();
    assert!(
        card.starts_with("Goblin Shaman: ") && card.contains("a side with it scores"),
        "{card}"
    );
    for part in card.trim_end_matches('.').split("; ") {
        assert!(page.contains(part), "{part} is not in {page}");
    }
    let figure = &notes["figures"][0];
    assert_eq!(figure["colours"]["against"], "counts: less than with the first file");
}

/// A scenario's own changes are made in both files, and may hide what differs between them: the page names them, and does not
/// say that the files themselves are the same.
#[test]
fn a_scenarios_own_changes_are_made_in_both_and_named() {
    let desk = desk();
    let champion = desk.read("champion.toml");
    let with_changes = |changes: &str| {
        let (head, tables) = champion.split_at(champion.find("[watch]").unwrap());
        let imp = "new_cards = [{ name = \"Ash Imp\", faction = \"Fire\", mana = 4, melee = 3, health = 5, speed = 4 }]\n";
        desk.write("own.toml", &format!("{head}{imp}[changes]\n{changes}\n{tables}"));
        let output = desk.evens(&with(&["--scenario", "own.toml"]));
        (flat(&stdout(&output)), stderr(&output))
    };
    let (page, said) = with_changes("\"Pit Ogre\" = { health = \"+1\" }");
    let other = "What is other in the second file, once the scenario's own changes are made in both: 1 card";
    assert!(page.starts_with(other), "{page}{said}");
    let told = "; changed by the scenario in both files: Pit Ogre; added by the scenario to both files: Ash Imp.";
    assert!(page.contains(told), "{page}");
    let (page, said) = with_changes("\"Goblin Shaman\" = { health = 9 }");
    let same =
        "The two files hold the same cards once the scenario's own changes are made in both.";
    assert!(page.starts_with(same), "{page}{said}");
    assert!(page.contains("changed by the scenario in both files: Goblin Shaman"), "{page}");
}

/// A new card that no contender can bring was not played, and neither was one that is gone.
#[test]
fn new_cards_and_cards_that_are_gone_are_played_or_named() {
    let desk = desk();
    let team = |name: &str, monster: &str| {
        format!(
            "[[teams]]\nname = \"{name}\"\nsummoner = \"Malric Inferno\"\nmonsters = [\"{monster}\"]\n"
        )
    };
    let fixed = [
        "game = \"splinterlands\"\nbattles = 10\nleague = \"gold\"\n[rulesets]\nfixed = [\"Standard\"]\n"
            .to_owned(),
        team("One", "Pit Ogre"),
        team("Two", "Kobold Miner"),
        "[sides]\na = [\"One\"]\nb = [\"Two\"]\n".to_owned(),
    ];
    desk.write("fixed.toml", &fixed.concat());
    let without = CARDS.lines().filter(|line| !line.starts_with("Goblin Shaman,"));
    let without: String = without.map(|line| format!("{line}\n")).collect();
    desk.write("new.csv", &without);
    let page = flat(&desk.page(&with(&["--scenario", "fixed.toml"])));
    assert!(page.contains("- Goblin Shaman not played: no battle has it"), "{page}");
    assert!(page.contains("No verdict: 1 changed card was not played"), "{page}");
    assert!(page.contains("mana cap: 30; rulesets: always Standard"), "{page}");
}

/// The bundled scenario cannot be changed: what would mend it is said with how to copy it, and does mend it.
#[test]
fn card_files_of_the_later_edition_are_compared_in_a_copy() {
    let desk = desk();
    let was = "Serpent of the Flame,10,Fire,Monster,Epic,6,6,3,0,0,2,10,6,Piercing";
    assert!(CARDS.contains(was));
    let later = CARDS.replace(was, &was.replace("Piercing", "True Strike; Piercing"));
    desk.write("old.csv", &later).write("new.csv", &later);
    let said = flat(&desk.told(&COMPARE, 3));
    let remedy = "say `edition = \"2022\"` at the top: in a copy, which `evens new splinterlands/drawn-teams my.toml` writes, and \
                  with `--scenario my.toml`";
    assert!(said.contains(remedy), "{said}");
    desk.page(&["new", "splinterlands/drawn-teams", "my.toml"]);
    let copy = desk.read("my.toml");
    desk.write("my.toml", &format!("edition = \"2022\"\n{copy}"));
    let page = flat(&desk.page(&with(&["--scenario", "my.toml"])));
    assert!(page.starts_with("The two files hold the same cards."), "{page}");
}
