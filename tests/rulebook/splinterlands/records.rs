//! SP-X cases of recorded battles: how they name units, what they contain, and which records are no battles.

use std::sync::Arc;

use evens::games::splinterlands::record::{
    CardFile, Collected, PATIENCE, PassedOver, Refight, Tolerance, Verdict, collect, read,
};
use evens::scenario::{Faults, Source};
use miette::NamedSource;
use serde_json::{Value, json};

fn state(stats: [i8; 6], base_health: i8) -> Value {
    json!({ "alive": stats[4] > 0, "stats": stats, "base_health": base_health, "other": [["Slow", 1]] })
}

/// A Goblin Sorcerer under Alric Stormbringer kills a Kobold Miner under Malric Inferno; Kron the Undying makes its Last
/// Stand and wins. No die is thrown. `who` names units: the summoners 0 and 3, then Miner, Kron and Sorcerer 1, 2, 4.
fn battle(who: [&str; 5], last_stand: &str) -> Value {
    let [malric, miner, kron, alric, sorcerer] = who;
    let magic = |by: &str, on: &str, damage: i8, state: Value| {
        json!({ "type": "magic attack", "initiator": by, "target": on, "result": "hit",
                "damage": damage, "state": state })
    };
    let card = |uid: &str, id: u32, level: u8| json!({ "uid": uid, "card_detail_id": id, "level": level, "state": {} });
    let stands = state([0, 0, 5, 0, 17, 3], 17);
    json!({ "battle_queue_id_1": "sl_1", "id": "sl_0", "ruleset": "Standard", "mana_cap": 30, "details": {
        "seed": "any", "winner": "team1",
        "team1": { "summoner": card(malric, 5, 1), "monsters": [card(miner, 3, 1), card(kron, 188, 3)] },
        "team2": { "summoner": card(alric, 16, 1), "monsters": [card(sorcerer, 24, 3)] },
        "pre_battle": [
            { "type": "buff", "initiator": malric, "details": { "name": "Summoner" },
              "group_state": [{ "monster": miner, "state": state([2, 0, 0, 0, 2, 2], 2) }] },
            { "type": "buff", "initiator": alric, "details": { "name": "Summoner" },
              "group_state": [{ "monster": sorcerer, "state": state([0, 0, 2, 0, 3, 3], 3) }] },
        ],
        "rounds": [{ "num": 1, "actions": [
            magic(sorcerer, miner, 2, state([2, 0, 0, 0, 0, 2], 2)),
            { "type": "death", "target": miner },
            { "type": last_stand, "target": kron, "state": stands },
            magic(kron, sorcerer, 5, state([0, 0, 2, 0, 0, 3], 3)),
            { "type": "death", "target": sorcerer },
        ] }],
    } })
}

const BY_PLACE: [&str; 5] = ["team1.summoner", "team1.0", "team1.1", "team2.summoner", "team2.0"];
const BY_UID: [&str; 5] = ["C1-5-A", "starter-3-10KJ0U", "C3-188-B", "C1-16-D", "G3-24-E"];

fn file(battles: &[Value]) -> Source {
    Arc::new(NamedSource::new("log.json", Value::from(battles).to_string()))
}

/// The verdicts of fighting a recorded battle again, from its actions and from its seed.
fn fought(battle: Value) -> [Verdict; 2] {
    let cards = CardFile::bundled();
    let mut battles = read(&file(&[battle])).unwrap().battles;
    let record = battles.pop().unwrap();
    [false, true]
        .map(|from_seed| Refight::of(record.clone(), &cards, from_seed).unwrap().fight(PATIENCE))
}

#[test]
fn sp_x_a_record_calls_units_by_their_place_or_by_their_uid() {
    for who in [BY_PLACE, BY_UID] {
        let [by_actions, from_seed] = fought(battle(who, "last stand"));
        assert_eq!((by_actions, from_seed), (Verdict::Reproduced, Verdict::Reproduced), "{who:?}");
    }
    let record = &read(&file(&[battle(BY_UID, "last stand")])).unwrap().battles[0];
    let first = &record.course.as_ref().unwrap().rounds[0][0];
    assert_eq!(first.initiator.unwrap().to_string(), "team2.0");
    assert_eq!(record.place(), "line 1, battle sl_0");
}

#[test]
fn sp_x_a_uid_that_is_not_in_the_teams_or_is_there_twice_is_a_fault() {
    let fault = |battle: Value| read(&file(&[battle])).unwrap_err().faults[0].to_string();
    let mut stranger = battle(BY_UID, "last stand");
    stranger["details"]["rounds"][0]["actions"][1]["target"] = "C9-1-X".into();
    assert!(fault(stranger).contains("in round 1: unknown unit `C9-1-X`"));
    let mut twice = battle(BY_UID, "last stand");
    twice["details"]["team1"]["monsters"][1]["uid"] = BY_UID[1].into();
    assert!(fault(twice).contains("two cards have the `uid` `starter-3-10KJ0U`"));
    let mut beyond = battle(BY_PLACE, "last stand");
    beyond["details"]["rounds"][0]["actions"][1]["target"] = "team2.1".into();
    assert!(fault(beyond).contains("unknown unit `team2.1`"));
}

#[test]
fn sp_x_last_stand_is_an_action_of_the_record() {
    let other = fought(battle(BY_PLACE, "scavenge"));
    for verdict in other {
        let Verdict::Differs(parting) = verdict else { panic!("{verdict:?}") };
        assert_eq!(parting.told(), "round 1, after 2 actions: another action");
    }
    let mut weaker = battle(BY_PLACE, "last stand");
    weaker["details"]["rounds"][0]["actions"][2]["state"]["stats"][2] = 4.into();
    let [Verdict::Differs(parting), _] = fought(weaker) else { panic!("it is weaker") };
    assert!(parting.told().ends_with("magic 5 here, 4 recorded"), "{}", parting.told());
    // The unit of a Last Stand may also be given as initiator, where other actions name their actor.
    let mut initiated = battle(BY_PLACE, "last stand");
    let action = &mut initiated["details"]["rounds"][0]["actions"][2];
    action["initiator"] = action["target"].take();
    assert_eq!(fought(initiated), [Verdict::Reproduced, Verdict::Reproduced]);
}

/// Three records that are no battles: the first side surrendered, the second team is missing, the first team has
/// nobody.
fn incomplete() -> [Value; 3] {
    let mut surrendered = battle(BY_PLACE, "last stand");
    surrendered["details"] =
        json!({ "type": "Surrender", "winner": "ann", "team1": null, "team2": null });
    let mut unsent = battle(BY_PLACE, "last stand");
    unsent["details"]["team2"] = json!({});
    let mut nobody = battle(BY_PLACE, "last stand");
    nobody["details"]["team1"] = json!({ "player": "ann", "summoner": null, "monsters": [] });
    [surrendered, unsent, nobody]
}

fn collected(strict: bool) -> Result<Vec<Collected<Refight>>, Vec<Faults>> {
    let [surrendered, unsent, nobody] = incomplete();
    let battles = [surrendered, battle(BY_PLACE, "last stand"), unsent, nobody];
    let cards = CardFile::bundled();
    let tolerance = Tolerance { known_only: false, strict };
    collect(&[file(&battles)], tolerance, |record| Refight::of(record, &cards, false))
}

#[test]
fn sp_x_a_surrendered_or_incomplete_battle_is_passed_over_and_told() {
    let told: Vec<Option<String>> = collected(false)
        .unwrap()
        .into_iter()
        .map(|battle| match battle.battle {
            Ok(_) => None,
            Err(PassedOver::Incomplete(why)) => Some(why),
            Err(other) => panic!("{other:?}"),
        })
        .collect();
    let expected = [Some("surrendered, no teams"), None, Some("no team 2"), Some("no team 1")];
    assert_eq!(told, expected.map(|why| why.map(str::to_owned)));
}

/// A recorded battle shows it: a summoner may be sent alone, and its side has lost before anybody acts.
#[test]
fn sp_x_a_team_of_a_summoner_alone_is_a_team_and_loses() {
    let mut alone = battle(BY_PLACE, "last stand");
    alone["details"]["team2"]["monsters"] = json!([]);
    alone["details"]["pre_battle"].as_array_mut().unwrap().truncate(1);
    alone["details"]["rounds"] = json!([{ "num": 1, "actions": [] }]);
    assert_eq!(fought(alone), [Verdict::Reproduced, Verdict::Reproduced]);
}

#[test]
fn sp_x_a_surrendered_or_incomplete_battle_is_a_fault_when_told_so() {
    let faults = collected(true).unwrap_err().remove(0).faults;
    let told: Vec<String> = faults.iter().map(ToString::to_string).collect();
    assert_eq!(
        told,
        [
            "line 1, battle sl_0: surrendered, no teams",
            "line 1, battle sl_0: no team 2",
            "line 1, battle sl_0: no team 1",
        ]
    );
    assert!(faults[0].remedy.contains("`--strict`"));
}
