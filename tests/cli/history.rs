//! What nights say of what was changed, and what a history keeps of nights.

use super::{Desk, code, flat, stderr, stdout};

/// A duel in which every battle goes alike, so that a night with the same numbers has nothing to compare.
fn constant(health: u32) -> String {
    format!(
        "game = \"splinterlands\"\nseed = 1\nbattles = 1000\nmana_caps = [30]\nleague = \"silver\"\n\
         new_cards = [\n\
         {{ name = \"Hit\", faction = \"Neutral\", mana = 4, melee = 5, health = 5, speed = 5 }},\n\
         {{ name = \"Bag\", faction = \"Neutral\", mana = 4, health = {health}, speed = 1 }},\n\
         {{ name = \"Lead\", faction = \"Fire\", type = \"Summoner\", mana = 4, abilities = [] }},\n]\n\
         [rulesets]\nfixed = [\"Standard\"]\n\
         [[teams]]\nname = \"T\"\nsummoner = \"Lead\"\nmonsters = [\"Hit\"]\n\
         [[teams]]\nname = \"U\"\nsummoner = \"Lead\"\nmonsters = [\"Bag\"]\n\
         [sides]\na = [\"T\"]\nb = [\"U\"]\n"
    )
}

/// A night in which nothing could be compared is a night all the same: what counted before it does not any more.
#[test]
fn nights_without_anything_to_compare_are_kept() {
    let desk = Desk::new();
    desk.write("duel.toml", &constant(5));
    desk.page(&["nightly", "--write", "duel.toml", "--baseline", "base", "-q"]);
    for (seed, label, health, exit) in
        [("41", "bad", 12, 4), ("42", "mended", 5, 0), ("43", "calm", 5, 0)]
    {
        desk.write("duel.toml", &constant(health));
        let night = ["nightly", "duel.toml", "--baseline", "base", "--history", "h", "-q"];
        let output = desk.evens(&[&night[..], &["--seed", seed, "--label", label][..]].concat());
        assert_eq!(code(&output), exit, "{label}: {}{}", stdout(&output), stderr(&output));
    }
    let page = desk.page(&["trend", "h", "--report", "trend.html"]);
    let told = "3 nights of 1 scenario. Something counted in 1, and nothing does in the last.";
    assert!(page.starts_with(told), "{page}");
    for label in ["bad", "mended", "calm"] {
        assert!(page.lines().any(|line| line.starts_with(&format!("  {label} "))), "{page}");
    }
    assert!(flat(&page).contains("–: nothing could be compared"), "{page}");
    assert!(!page.contains("Nothing was compared of"), "{page}");
    assert!(desk.read("trend.html").contains(told));
}

/// A change of a card that is in every battle cannot be told from one of the map, so that it heads nothing.
#[test]
fn a_card_is_not_named_for_what_a_change_of_the_map_does() {
    let desk = Desk::new();
    let map = |percent: u32, cows: &str| {
        format!(
            "game = \"sanctum\"\nseed = 3\nbattles = 4000\n\
             [[minions]]\nname = 'Gate \"Troll\"'\nhand = 4\narmor = 2\nhit_points = 18\n\
             effects = [{{ when = \"round_start\", does = \"heal\", amount = 1 }}, \
             {{ when = \"hits\", does = \"gain\", stat = \"armor\", amount = -1, on = \"enemies\", percent = {percent} }}]\n\
             [[groups]]\nname = \"Tower\"\nminions = ['Gate \"Troll\"', \"3 Elf archer\"]\n\
             [[groups]]\nname = \"Wolves\"\nminions = [\"4 Human swordsman + BloodLust\"]\n\
             [[groups]]\nname = \"Cows\"\nminions = [\"2 Pacified Cow\"]\n\
             [map]\ninitiative = \"either\"\nseen_by = \"blue\"\ngroups = [\n\
             {{ group = \"Tower\", player = \"blue\", at = [5, 6] }},\n\
             {{ group = \"Wolves\", name = \"Wolves West\", player = \"red\", at = [4, 6] }},\n\
             {{ group = \"Wolves\", name = \"Wolves East\", player = \"red\", at = [6, 6] }},\n\
             {{ group = \"Cows\", player = \"neutral\", at = {cows} }},\n]\n"
        )
    };
    let night = |percent: u32, cows: &str| {
        desk.write("map.toml", &map(percent, cows));
        stdout(&desk.evens(&["nightly", "map.toml", "--baseline", "base"]))
    };
    desk.write("map.toml", &map(30, "[5, 7]"));
    desk.page(&["nightly", "--write", "map.toml", "--baseline", "base", "-q"]);
    let both = night(60, "[5, 8]");
    assert!(both.contains("Changes that count: map.toml"), "{both}");
    assert!(!flat(&both).contains("(changed):"), "{both}");
    let both = flat(&both);
    assert!(both.contains("Changed in its files: Gate \"Troll\": abilities"), "{both}");
    assert!(both.contains("(enemies, 60%); map.groups.3.at: [5, 7] → [5, 8]. "), "{both}");
    // Alone it heads what goes with it.
    let alone = night(100, "[5, 7]");
    assert!(flat(&alone).contains("(changed):"), "{alone}");
}

/// What baselines are compared with is written again where they are.
#[test]
fn compared_baselines_are_written_again_in_their_folder() {
    let desk = Desk::new();
    for (health, folder) in [(5, "old"), (12, "new")] {
        desk.write("duel.toml", &constant(health));
        desk.page(&["nightly", "--write", "duel.toml", "--baseline", folder, "-q"]);
    }
    let file = format!("old/{}", desk.files("old")[0]);
    for pair in [["old", "new"], [&file, &file.replace("old", "new")]] {
        let output = desk.evens(&[&["compare"], &pair[..]].concat());
        assert_eq!(code(&output), 4, "{}", stderr(&output));
        let page = flat(&stdout(&output));
        assert!(page.contains("`evens nightly --baseline old --write duel.toml`"), "{page}");
    }
    let again = ["nightly", "--baseline", "old", "--write", "duel.toml", "-q"];
    assert_eq!(code(&desk.evens(&again)), 0);
    assert_eq!(code(&desk.evens(&["compare", "old", "new"])), 0);
}

/// Battles of Elder Tale last turns, and those of Splinterlands rounds.
#[test]
fn lengths_are_not_all_told_in_rounds() {
    let desk = Desk::new();
    desk.page(&["new", "eldertale", "duel.toml"]);
    desk.page(&["nightly", "--write", "duel.toml", "--battles", "2000", "--baseline", "base"]);
    desk.write("duel.toml", &desk.read("duel.toml").replace("damage = 5", "damage = 9"));
    let page = stdout(&desk.evens(&["nightly", "duel.toml", "--baseline", "base", "--seed", "5"]));
    assert!(page.contains(" length, mean") && !page.contains("rounds, mean"), "{page}");
}

/// Results of one command are results, only not a history.
#[test]
fn results_of_one_command_are_no_history() {
    let desk = Desk::new();
    let run = ["run", "eldertale/duel", "--battles", "50", "-o", "whole", "--format", "csv", "-q"];
    assert_eq!(code(&desk.evens(&run)), 0);
    let output = desk.evens(&["trend", "whole"]);
    assert_eq!(code(&output), 3);
    let told = flat(&stderr(&output));
    assert!(
        told.contains("it holds the results of one command, and no history of nights"),
        "{told}"
    );
}
