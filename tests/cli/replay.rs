//! `evens replay`, on a battle of our own between bundled cards that is written down as the official game would.

use serde_json::{Value, json};

use super::*;

/// The state of a monster: melee, ranged, magic, armor, health and speed, and the health that it can be healed to.
fn state(stats: [i8; 6], base_health: i8) -> Value {
    json!({ "alive": stats[4] > 0, "stats": stats, "base_health": base_health, "other": [] })
}

fn card(id: u32, stats: [i8; 6], abilities: &[&str]) -> Value {
    json!({ "card_detail_id": id, "level": 1, "abilities": abilities,
            "state": state(stats, stats[4]) })
}

fn summoner(id: u32) -> Value {
    json!({ "card_detail_id": id, "level": 1,
            "state": { "stats": [0, 0, 0, 0, 0, 0], "abilities": [] } })
}

/// The record of one attack: who attacks with what and whom, the chance to hit, the result, the damage, and the target
/// afterwards.
fn attack(
    [by, kind, on]: [&str; 3],
    chance: f64,
    result: &str,
    damage: u8,
    (stats, base_health): ([i8; 6], i8),
) -> Value {
    json!({ "type": kind, "initiator": by, "target": on, "hit_chance": chance, "result": result,
            "damage": damage, "state": state(stats, base_health) })
}

fn death(of: &str) -> Value {
    json!({ "type": "death", "target": of })
}

const MINER: &str = "team1.0";
const PIXIES: &str = "team1.1";
const TURTLE: &str = "team2.0";
const CAPTAIN: &str = "team2.1";

/// Kobold Miner and Spark Pixies under Malric Inferno against Spineback Turtle and Pirate Captain under Alric
/// Stormbringer. The numbers of this seed make the same battle.
fn battle() -> Value {
    let turtle = |armor, health| ([1, 0, 0, armor, health, 1], 6);
    let captain = |health| ([0, 1, 0, 0, health, 2], 3);
    let miner = |health| ([2, 0, 0, 0, health, 2], 2);
    let pixies = |health| ([0, 2, 0, 0, health, 5], 1);
    let shot = "ranged attack";
    let blow = "melee attack";
    let details = json!({
        "seed": "duel 2",
        "team1": { "player": "ann", "summoner": summoner(5), "monsters": [
            card(3, [1, 0, 0, 0, 2, 2], &["Sneak"]), card(163, [0, 2, 0, 0, 1, 5], &["Flying"])] },
        "team2": { "player": "bob", "summoner": summoner(16), "monsters": [
            card(13, [1, 0, 0, 2, 6, 1], &[]), card(12, [0, 1, 0, 0, 3, 2], &["Snipe"])] },
        "pre_battle": [{ "type": "buff", "initiator": "team1.summoner",
            "details": { "name": "Summoner", "stats": { "attack": 1 } },
            "group_state": [{ "monster": MINER, "state": state([2, 0, 0, 0, 2, 2], 2) }] }],
        "rounds": [
            { "num": 1, "actions": [
                attack([PIXIES, shot, TURTLE], 1.0, "hit", 2, turtle(0, 6)),
                attack([CAPTAIN, shot, PIXIES], 0.45, "miss", 0, pixies(1)),
                attack([MINER, blow, TURTLE], 1.0, "hit", 2, turtle(0, 4)),
                attack([TURTLE, blow, MINER], 0.9, "hit", 1, miner(1)),
            ] },
            { "num": 2, "actions": [
                attack([PIXIES, shot, TURTLE], 1.0, "hit", 2, turtle(0, 2)),
                attack([CAPTAIN, shot, PIXIES], 0.45, "hit", 1, pixies(0)),
                death(PIXIES),
                attack([MINER, blow, TURTLE], 1.0, "hit", 2, turtle(0, 0)),
                death(TURTLE),
            ] },
            { "num": 3, "actions": [attack([MINER, blow, CAPTAIN], 1.0, "hit", 2, captain(1))] },
            { "num": 4, "actions": [
                attack([MINER, blow, CAPTAIN], 1.0, "hit", 2, captain(0)),
                death(CAPTAIN),
            ] },
        ],
        "winner": "ann",
    });
    json!({ "id": "own_1", "ruleset": "Standard", "mana_cap": 30, "winner": "ann", "details": details })
}

/// The battle with its details as JSON in a string, as `battle/result` has them.
fn official(mut battle: Value) -> String {
    battle["details"] = battle["details"].to_string().into();
    battle.to_string()
}

/// Runs `evens replay` on a file of these battles, and returns its exit code and what it prints.
fn replayed(battles: &[Value], arguments: &[&str]) -> (i32, String) {
    let desk = Desk::new();
    let lines: Vec<String> = battles.iter().map(Value::to_string).collect();
    desk.write("log.jsonl", &lines.join("\n"));
    let output = desk.evens(&[&["replay", "log.jsonl"], arguments].concat());
    let told = if code(&output) == 3 { stderr(&output) } else { stdout(&output) };
    (code(&output), told)
}

#[test]
fn a_recorded_battle_is_reproduced_from_its_actions_and_from_its_seed() {
    let desk = Desk::new();
    desk.write("battle.json", &official(battle()));
    for arguments in [&["replay", "battle.json"][..], &["replay", "battle.json", "--from-seed"]] {
        let output = desk.evens(arguments);
        assert_eq!(code(&output), 0, "{}{}", stdout(&output), stderr(&output));
        insta::assert_snapshot!("replay_reproduced", stdout(&output));
    }
}

/// Each change of the record is found and reported at its place.
#[test]
fn what_is_not_as_recorded_is_told_with_both_stories() {
    let changed = |pointer: &str, value: Value| {
        let mut battle = battle();
        *battle.pointer_mut(&format!("/details{pointer}")).expect(pointer) = value;
        battle
    };
    let battles = [
        battle(),
        changed("/rounds/1/actions/3/damage", json!(1)),
        changed("/rounds/0/actions/0/target", json!(CAPTAIN)),
        changed("/rounds/3/actions/0/state/base_health", json!(4)),
        changed("/rounds/2/actions", json!([])),
        changed("/rounds/0/actions/1/hit_chance", json!(0.55)),
        changed("/winner", json!("bob")),
        changed("/pre_battle/0/group_state/0/state/stats/0", json!(1)),
        changed("/team2/monsters/0/state/stats/3", json!(3)),
    ];
    let (exit, told) = replayed(&battles, &[]);
    assert_eq!(exit, 6, "{told}");
    insta::assert_snapshot!("replay_differs", told);
}

#[test]
fn another_seed_is_another_battle() {
    let mut battle = battle();
    battle["details"]["seed"] = "evens".into();
    let (exit, told) = replayed(&[battle], &["--from-seed"]);
    assert_eq!(exit, 6, "{told}");
    insta::assert_snapshot!("replay_another_seed", told);
}

#[test]
fn a_search_that_is_cut_short_is_undecided() {
    let (exit, told) = replayed(&[battle()], &["--patience", "3"]);
    assert_eq!(exit, 6, "{told}");
    insta::assert_snapshot!("replay_undecided", told);
}

#[test]
fn what_is_not_known_is_a_fault_with_its_line_or_passed_over() {
    let changed = |pointer: &str, value: Value| {
        let mut battle = battle();
        *battle.pointer_mut(pointer).expect(pointer) = value;
        battle
    };
    let battles = [
        battle(),
        changed("/details/team1/monsters/1/card_detail_id", json!(999)),
        changed("/ruleset", json!("Standard|Wands Out")),
        changed("/details/team2/monsters/1/abilities/0", json!("Bloodlust")),
        changed("/details/team2/monsters/0/level", json!(11)),
        changed("/details/team1/summoner/card_detail_id", json!(3)),
        changed("/details/rounds", Value::Null),
        changed("/details/team2/monsters/1/card_detail_id", json!(999)),
    ];
    let (exit, told) = replayed(&battles, &[]);
    assert_eq!(exit, 3, "{told}");
    insta::assert_snapshot!("replay_unknown", told);
    let (exit, told) = replayed(&battles, &["--known-only"]);
    assert_eq!(exit, 0, "{told}");
    insta::assert_snapshot!("replay_known_only", told);
    let mut seedless = battle();
    seedless["details"]["seed"] = Value::Null;
    let (exit, told) = replayed(&[seedless], &["--from-seed"]);
    assert_eq!(exit, 3);
    assert!(told.contains("it has no seed"), "{told}");
}

#[test]
fn a_recorded_battle_can_be_stepped_through() {
    let desk = Desk::new();
    let two = format!("{}\n{}", battle(), battle());
    desk.write("battle.json", &official(battle())).write("two.jsonl", &two);
    for arguments in [&["replay", "battle.json"][..], &["replay", "battle.json", "--from-seed"]] {
        let output = desk.evens(&[arguments, &["--html", "battle.html"]].concat());
        assert_eq!(code(&output), 0, "{}", stderr(&output));
        let page = desk.read("battle.html");
        assert!(page.contains("Team 1 (side A) wins after 4 rounds"));
        // A blow that missed, one that hit, and the last death: each with its board after it.
        for line in [
            "Ranged: B2 Pirate Captain on A2 Spark Pixies by Snipe (45% to hit: -30 speed, -25 Flying) misses",
            "Ranged: B2 Pirate Captain on A2 Spark Pixies by Snipe (45% to hit: -30 speed, -25 Flying) for 1: \
             -1 health, health 0/1",
            "B2 Pirate Captain dies",
            "Hit: no (55%)",
        ] {
            assert!(page.contains(line), "{line}");
        }
        desk.write("battle.html", "");
    }
    let output = desk.evens(&["replay", "two.jsonl", "--html", "battle.html"]);
    assert_eq!(code(&output), 2);
    assert!(stderr(&output).contains("2 battles: say which with --battle 1 to 2"));
    let output = desk.evens(&["replay", "two.jsonl", "--html", "battle.html", "--battle", "3"]);
    assert_eq!(code(&output), 2);
    assert_eq!(desk.read("battle.html"), "");
    let output = desk.evens(&["replay", "two.jsonl", "--html", "battle.html", "--battle", "2"]);
    assert_eq!(code(&output), 0);
    assert!(desk.read("battle.html").contains("--battle 2 --html battle.html"));
}

/// What the page was made with is in its command: without it the record would be refused, or the battle left undecided.
#[test]
fn a_page_names_the_command_that_makes_it_again() {
    let desk = Desk::new();
    let mut unknown = battle();
    unknown["details"]["team1"]["monsters"][0]["card_detail_id"] = 99_999.into();
    desk.write("two.jsonl", &format!("{unknown}\n{}", battle()));
    let asked = ["replay", "two.jsonl", "--known-only", "--patience", "2000", "--battle", "2"];
    let output = desk.evens(&[&asked[..], &["--html", "battle.html"]].concat());
    assert_eq!(code(&output), 0, "{}", stderr(&output));
    let page = desk.read("battle.html");
    let again = "evens replay two.jsonl --known-only --patience 2000 --battle 2 --html battle.html";
    assert!(page.contains(again), "{again}");
    let output = desk.shell(again);
    assert_eq!(code(&output), 0, "{}", stderr(&output));
    assert_eq!(desk.read("battle.html"), page);
}

/// Where no attempt plays as recorded, there is nothing to step through and no page; with `--from-seed`, the battle of
/// the seed gets a page even if it differs.
#[test]
fn a_battle_that_differs_has_a_page_only_from_its_seed() {
    let desk = Desk::new();
    let mut changed = battle();
    changed["details"]["winner"] = "bob".into();
    desk.write("battle.json", &changed.to_string());
    let output = desk.evens(&["replay", "battle.json", "--html", "battle.html"]);
    assert_eq!(code(&output), 6);
    assert!(stderr(&output).contains("no page was written"), "{}", stderr(&output));
    assert_eq!(desk.files("."), ["battle.json"]);
    let output = desk.evens(&["replay", "battle.json", "--html", "battle.html", "--from-seed"]);
    assert_eq!(code(&output), 6);
    assert!(desk.read("battle.html").contains("differs"));
}
