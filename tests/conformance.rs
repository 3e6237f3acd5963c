//! Recorded battles of the official game, fought again with the recorded luck and compared action for
//! action. The records are not part of the project: without them these tests say so and pass.

use std::cell::Cell;
use std::path::Path;
use std::str::FromStr;
use std::sync::Arc;

use evens::chance::{Chance, Odds, Seeded};
use evens::game::{Outcome, Side, Stratum, Unwatched, Watch, play};
use evens::games::splinterlands::ability::Ability;
use evens::games::splinterlands::cards::Catalogue;
use evens::games::splinterlands::event::{Cause, Event};
use evens::games::splinterlands::import::{Imported, import};
use evens::games::splinterlands::record::{CardFile, read};
use evens::games::splinterlands::rolls::Roll;
use evens::games::splinterlands::ruleset::{Ruleset, Rulesets};
use evens::games::splinterlands::setup::{CardAt, LineUp, Setup};
use evens::games::splinterlands::state::{Place, State, TEAM};
use evens::games::splinterlands::{Splinterlands, bundled};
use evens::scenario::Source;
use miette::NamedSource;
use serde_json::Value;

const STRATUM: Stratum = Stratum { matchup: 0, condition: 0 };

/// The text of a data file; none, with a word about it, when it is not there.
fn data(name: &str) -> Option<String> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../shared/data/splinterlands");
    let text = std::fs::read_to_string(folder.join(name)).ok();
    if text.is_none() {
        eprintln!("SKIPPED: no {name} in ../shared/data/splinterlands");
    }
    text
}

/// A data file as a source; none, with a word about it, when it is not there.
fn file(name: &str) -> Option<Source> {
    data(name).map(|text| Arc::new(NamedSource::new(name, text)))
}

fn imported(text: &str) -> Imported {
    import(&Arc::new(NamedSource::new("cards", text.to_owned()))).expect("an official card file")
}

/// All cards, without the abilities that are not known: what a record lists as its monsters' abilities
/// tells which battles can be fought again.
fn all_cards(text: &str) -> Catalogue {
    let mut cards: Value = serde_json::from_str(text).unwrap();
    for card in cards.as_array_mut().unwrap() {
        let Some(lists) = card["stats"]["abilities"].as_array_mut() else { continue };
        lists.retain(|list| !list.is_string() || is_known(list));
        for list in lists.iter_mut().filter_map(Value::as_array_mut) {
            list.retain(is_known);
        }
    }
    imported(&cards.to_string()).catalogue
}

fn is_known(ability: &Value) -> bool {
    ability.as_str().is_some_and(|name| Ability::from_str(name).is_ok())
}

/// A recorded team; none when it has an ability that is not known.
fn line_up(catalogue: &Catalogue, team: &Value) -> Option<LineUp> {
    let card_at = |value: &Value| -> Option<CardAt> {
        let able = value["abilities"].as_array().into_iter().flatten().all(is_known);
        let summoner = value["state"]["abilities"].as_array();
        let able = able && summoner.into_iter().flatten().all(is_known);
        let id = value["card_detail_id"].as_u64()? as u16;
        let card = catalogue.cards.iter().position(|card| card.id == id)?;
        able.then_some(CardAt { card: card as u16, level: value["level"].as_u64()? as u8 })
    };
    Some(LineUp {
        summoner: card_at(&team["summoner"])?,
        monsters: team["monsters"].as_array()?.iter().map(card_at).collect::<Option<_>>()?,
    })
}

/// A record's rulesets; none when one is not known.
fn rulesets(record: &Value) -> Option<Rulesets> {
    record["ruleset"].as_str()?.split('|').map(|name| Ruleset::from_str(name).ok()).collect()
}

#[test]
fn the_bundled_cards_are_those_of_the_official_file() {
    let Some(text) = data("cards_2020-05.json") else { return };
    let Imported { catalogue, left_out } = imported(&text);
    assert_eq!(left_out, []);
    let beyond = ["Chanseus the Great", "Bila the Radiant"];
    let mut ours = bundled().clone();
    ours.cards.retain(|card| !beyond.contains(&card.name.as_str()));
    assert_eq!(catalogue, ours);
}

#[test]
fn cards_with_abilities_of_a_later_date_are_left_out_and_named() {
    let Some(text) = data("cards_2022-04.json") else { return };
    let Imported { catalogue, left_out } = imported(&text);
    assert_eq!((catalogue.cards.len(), left_out.len()), (335, 115));
    let reason = |name: &str| &left_out.iter().find(|(card, _)| card == name).unwrap().1;
    assert_eq!(reason("Djinn Biljka"), "unknown ability Camouflage");
    for name in ["Chanseus the Great", "Bila the Radiant"] {
        let of = |cards: &Catalogue| cards.cards[usize::from(cards.find(name).unwrap())].clone();
        assert_eq!(of(&catalogue), of(bundled()));
    }
}

/// Real line-ups with known winners: the simulated win rates must be good probabilities.
///
/// For comparison, a public simulator's figures on the same battles: Brier score 0.034, log loss 0.111.
#[test]
fn real_results_are_predicted() {
    let (Some(cards), Some(results)) = (file("cards_2022-04.json"), file("results_2021.jsonl"))
    else {
        return;
    };
    const RUNS: u64 = 400;
    let cards = CardFile::read(&cards).unwrap();
    let (mut battles, mut brier, mut log_loss, mut expected, mut variance) =
        (0.0, 0.0, 0.0, 0.0, 0.0);
    for record in read(&results).unwrap() {
        let first_won = match record.winner {
            Outcome::Win(Side::A) => 1.0,
            Outcome::Win(_) => 0.0,
            _ => continue,
        };
        let mut setup = record.setup(&cards).expect("cards, abilities and rulesets of the guide");
        setup.identical_teams_draw = false;
        let (mut won, mut lost) = (0.0, 0.0);
        for run in 0..RUNS {
            let mut luck = Seeded::of_battle(7, run);
            match play::<Splinterlands, _, _>(&setup, STRATUM, &mut luck, &mut Unwatched).outcome {
                Outcome::Win(Side::A) => won += 1.0,
                Outcome::Win(_) => lost += 1.0,
                Outcome::Draw | Outcome::Undecided => (won, lost) = (won + 0.5, lost + 0.5),
            }
        }
        assert!(
            if first_won == 1.0 { won > 0.0 } else { lost > 0.0 },
            "held impossible: line {}",
            record.line
        );
        let p: f64 = (won + 0.5) / (RUNS as f64 + 1.0);
        let [yes, no] = [p.ln(), (1.0 - p).ln()];
        battles += 1.0;
        brier += (p - first_won).powi(2);
        log_loss -= if first_won == 1.0 { yes } else { no };
        expected -= p * yes + (1.0 - p) * no;
        variance += p * (1.0 - p) * (yes - no).powi(2);
    }
    let z = (log_loss - expected) / f64::sqrt(variance);
    let (brier, log_loss) = (brier / battles, log_loss / battles);
    eprintln!("{battles} battles: Brier score {brier:.4}, log loss {log_loss:.4}, z {z:.2}");
    assert!(brier < 0.034 && log_loss < 0.111 && z.abs() < 2.0);
}

/// Tries the ways the dice can fall, each time keeping what agreed with the record.
#[derive(Default)]
struct Search {
    path: Vec<(u32, u32)>,
    depth: usize,
}

impl Search {
    fn advance(&mut self) -> bool {
        self.path.truncate(self.depth);
        self.depth = 0;
        while let Some((face, faces)) = self.path.pop() {
            if face + 1 < faces {
                self.path.push((face + 1, faces));
                return true;
            }
        }
        false
    }
}

struct Luck<'a> {
    search: &'a mut Search,
    stop: &'a Cell<bool>,
}

impl Chance<Roll> for Luck<'_> {
    fn draw(&mut self, _: Roll, odds: Odds<'_>) -> u32 {
        if self.stop.get() {
            return 0;
        }
        if self.search.depth == self.search.path.len() {
            self.search.path.push((0, odds.faces()));
        }
        self.search.depth += 1;
        self.search.path[self.search.depth - 1].0
    }
}

struct Compare<'a> {
    actions: &'a [(u64, Value)],
    next: usize,
    furthest: usize,
    why: String,
    stop: &'a Cell<bool>,
}

fn place(uid: &str) -> Option<Place> {
    let (team, at) = uid.split_once('.')?;
    let side = team.strip_prefix("team")?.parse::<usize>().ok()? - 1;
    Some(Place((side * TEAM + at.parse::<usize>().ok()?) as u8))
}

impl Compare<'_> {
    fn check(
        &mut self,
        state: &State,
        what: &str,
        by: Option<Place>,
        on: Place,
        more: impl FnOnce(&Value) -> Result<(), String>,
    ) {
        if self.stop.get() {
            return;
        }
        let result = (|| {
            let Some((round, action)) = self.actions.get(self.next) else {
                return Err("the record has no more actions".to_owned());
            };
            if *round != u64::from(state.round) || action["type"] != what {
                return Err(format!("round {} {what}", state.round));
            }
            if place(action["target"].as_str().unwrap_or("")) != Some(on) {
                return Err(format!("{what} on {on:?}"));
            }
            if let (Some(by), Some(recorded)) = (by, action["initiator"].as_str().and_then(place))
                && by != recorded
            {
                return Err(format!("{what} by {by:?}"));
            }
            if action["state"].is_object() {
                let monster = state.at(on);
                let now = &monster.now;
                let stats: Vec<i64> =
                    [now.melee, now.ranged, now.magic, now.armor, now.health, now.speed]
                        .map(i64::from)
                        .to_vec();
                let recorded: Vec<i64> = action["state"]["stats"]
                    .as_array()
                    .unwrap()
                    .iter()
                    .map(|v| v.as_i64().unwrap())
                    .collect();
                if stats != recorded
                    || i64::from(monster.max_health)
                        != action["state"]["base_health"].as_i64().unwrap()
                {
                    return Err(format!(
                        "{what} on {on:?} leaves {stats:?}/{}",
                        monster.max_health
                    ));
                }
            }
            more(action)
        })();
        match result {
            Ok(()) => self.next += 1,
            Err(why) => {
                if self.next >= self.furthest {
                    self.furthest = self.next;
                    self.why = why;
                }
                self.stop.set(true);
            }
        }
    }
}

impl Watch<Splinterlands> for Compare<'_> {
    fn see(&mut self, _: &Setup, state: &State, event: Event) {
        match event {
            Event::Blow(blow) => {
                let what = match blow.cause {
                    Cause::Melee | Cause::Retaliate => "melee attack",
                    Cause::Ranged => "ranged attack",
                    Cause::Magic => "magic attack",
                    Cause::Blast => "blast",
                    Cause::Thorns => "thorns",
                    Cause::MagicReflect => "reflect",
                    Cause::ReturnFire => "return fire",
                    Cause::Trample => "trample",
                    Cause::Redemption => "redemption",
                    Cause::Earthquake => "earthquake",
                    Cause::Poison => "poison",
                    Cause::Fatigue => "fatigue",
                };
                self.check(state, what, blow.by, blow.on, |action| {
                    if (action["result"] == "miss") == blow.hit {
                        return Err(format!("{what} hit: {}", blow.hit));
                    }
                    let attack =
                        matches!(blow.cause, Cause::Melee | Cause::Ranged | Cause::Trample);
                    match action["hit_chance"].as_f64() {
                        Some(chance)
                            if attack
                                && (chance * 100.0 - f64::from(blow.percent)).abs() > 0.01
                                && !state.rules(Ruleset::AimTrue) =>
                        {
                            Err(format!("{what} with {} percent", blow.percent))
                        }
                        _ => Ok(()),
                    }
                });
            }
            Event::Mends { by, on, ability, .. } => {
                let what = if ability == Ability::Repair { "repair" } else { "heal" };
                self.check(state, what, by, on, |_| Ok(()));
            }
            Event::Gains { who, ability, .. } => {
                let what = if ability == Ability::LifeLeech { "life leech" } else { "scavenge" };
                self.check(state, what, None, who, |_| Ok(()));
            }
            Event::Cleanses { by, on } => self.check(state, "cleanse", by, on, |_| Ok(())),
            Event::Dies(who) => self.check(state, "death", None, who, |_| Ok(())),
            _ => {}
        }
    }
}

fn replay(setup: &Setup, record: &Value) -> Result<(), (usize, String)> {
    let mut actions = Vec::new();
    for round in record["details"]["rounds"].as_array().unwrap() {
        for action in round["actions"].as_array().unwrap() {
            if action["type"] != "remove_buff" {
                actions.push((round["num"].as_u64().unwrap(), action.clone()));
            }
        }
    }
    let mut search = Search::default();
    let (mut furthest, mut why) = (0, String::new());
    for _ in 0..20_000 {
        let stop = Cell::new(false);
        let mut compare =
            Compare { actions: &actions, next: 0, furthest, why: String::new(), stop: &stop };
        let mut luck = Luck { search: &mut search, stop: &stop };
        let ended = play::<Splinterlands, _, _>(setup, STRATUM, &mut luck, &mut compare);
        if !stop.get() {
            let winner = match ended.outcome {
                Outcome::Win(Side::A) => "team1",
                Outcome::Win(_) => "team2",
                _ => "draw",
            };
            if compare.next != actions.len() {
                furthest = compare.next;
                why = format!("over after {} rounds: {winner}", ended.rounds);
            } else if record["details"]["winner"].as_str().unwrap_or("draw").to_lowercase()
                != winner
            {
                return Err((compare.next, format!("winner {winner}")));
            } else {
                return Ok(());
            }
        } else if compare.furthest >= furthest {
            furthest = compare.furthest;
            if !compare.why.is_empty() {
                why = compare.why.clone();
            }
        }
        if !search.advance() {
            break;
        }
    }
    let around: Vec<String> = actions
        [furthest.saturating_sub(2)..(furthest + 2).min(actions.len())]
        .iter()
        .map(|(round, action)| format!("   {round} {action}"))
        .collect();
    Err((furthest, format!("{why}\n{}", around.join("\n"))))
}

#[test]
fn recorded_battles_are_reproduced() {
    let (Some(cards), Some(records)) = (data("cards_2022-04.json"), data("logs_2022.jsonl")) else {
        return;
    };
    let catalogue = all_cards(&cards);
    let (mut known, mut reproduced) = (0, 0);
    for (number, line) in records.lines().enumerate() {
        let record: Value = serde_json::from_str(line).unwrap();
        let teams = [&record["details"]["team1"], &record["details"]["team2"]]
            .map(|team| line_up(&catalogue, team));
        let (Some(rulesets), [Some(a), Some(b)]) = (rulesets(&record), teams) else { continue };
        known += 1;
        let mut setup = Setup::of_teams(catalogue.clone(), rulesets, [a, b]);
        setup.identical_teams_draw = true;
        match replay(&setup, &record) {
            Ok(()) => reproduced += 1,
            Err((at, why)) => {
                eprintln!("battle {number} ({rulesets}) differs at action {at}: {why}")
            }
        }
    }
    eprintln!("{reproduced} of {known} reproduced");
    assert_eq!((reproduced, known), (known, 95));
}
