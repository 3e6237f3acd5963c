//! Recorded battles of the official game, fought again with the recorded luck and compared action for
//! action. The records are not part of the project: without them these tests say so and pass.

use std::path::{Path, PathBuf};
use std::str::FromStr;

use evens::chance::{Chance, Odds};
use evens::game::{Game, Outcome, Side, Stratum, Watch, play};
use evens::games::splinterlands::Splinterlands;
use evens::games::splinterlands::ability::{Abilities, Ability};
use evens::games::splinterlands::cards::{Card, CardKind, Catalogue, Faction, Level, Rarity, Stats};
use evens::games::splinterlands::event::{Cause, Event};
use evens::games::splinterlands::rolls::Roll;
use evens::games::splinterlands::ruleset::{Ruleset, Rulesets};
use evens::games::splinterlands::setup::{CardAt, LineUp, Setup};
use evens::games::splinterlands::state::{Place, State, TEAM};
use serde_json::Value;

fn data(name: &str) -> Option<String> {
    let path: PathBuf =
        Path::new(env!("CARGO_MANIFEST_DIR")).join("../shared/data/splinterlands").join(name);
    let text = std::fs::read_to_string(&path).ok();
    if text.is_none() {
        eprintln!("SKIPPED: {} is not there", path.display());
    }
    text
}

fn abilities(names: &Value) -> Option<Abilities> {
    names.as_array()?.iter().map(|name| Ability::from_str(name.as_str()?).ok()).collect()
}

/// The cards whose abilities are all known.
fn catalogue(text: &str) -> Catalogue {
    let cards: Value = serde_json::from_str(text).unwrap();
    let mut known = Catalogue::default();
    for card in cards.as_array().unwrap() {
        let number = |value: &Value, level: usize| -> i8 {
            let value = value.get(level).unwrap_or(value);
            value.as_i64().unwrap_or(0) as i8
        };
        let stats = &card["stats"];
        let levels = stats["mana"].as_array().map_or(1, Vec::len);
        let mut so_far = Some(Abilities::empty());
        let summoner = card["type"] == "Summoner";
        let levels = (0..levels)
            .map_while(|level| {
                let list = if summoner { &stats["abilities"] } else { &stats["abilities"][level] };
                let more = if list.is_null() { Some(Abilities::empty()) } else { abilities(list) };
                so_far = so_far.and_then(|abilities| Some(abilities | more?));
                Some(Level {
                    stats: Stats {
                        melee: number(&stats["attack"], level),
                        ranged: number(&stats["ranged"], level),
                        magic: number(&stats["magic"], level),
                        armor: number(&stats["armor"], level),
                        health: number(&stats["health"], level),
                        speed: number(&stats["speed"], level),
                    },
                    abilities: so_far?,
                })
            })
            .collect();
        known.cards.push(Card {
            id: card["id"].as_u64().unwrap() as u16,
            name: card["name"].as_str().unwrap().to_owned(),
            faction: Faction::Neutral,
            kind: if summoner { CardKind::Summoner } else { CardKind::Monster },
            rarity: [Rarity::Common, Rarity::Rare, Rarity::Epic, Rarity::Legendary]
                [card["rarity"].as_u64().unwrap() as usize - 1],
            mana: number(&stats["mana"], 0) as u8,
            levels,
        });
    }
    known
}

fn line_up(catalogue: &Catalogue, team: &Value) -> Option<LineUp> {
    let card_at = |value: &Value| -> Option<CardAt> {
        let id = value["card_detail_id"].as_u64()? as u16;
        let card = catalogue.cards.iter().position(|card| card.id == id)?;
        let levels = &catalogue.cards[card].levels;
        let summoner = catalogue.cards[card].kind == CardKind::Summoner;
        let level = if summoner { 1 } else { value["level"].as_u64()? as u8 };
        (usize::from(level) <= levels.len()).then_some(CardAt { card: card as u16, level })
    };
    Some(LineUp {
        summoner: card_at(&team["summoner"])?,
        monsters: team["monsters"].as_array()?.iter().map(card_at).collect::<Option<_>>()?,
    })
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

struct Diverged;

struct Luck<'a> {
    search: &'a mut Search,
    stop: &'a std::cell::Cell<bool>,
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
    stop: &'a std::cell::Cell<bool>,
}

fn place(uid: &str) -> Option<Place> {
    let (team, at) = uid.split_once('.')?;
    let side = team.strip_prefix("team")?.parse::<usize>().ok()? - 1;
    Some(Place((side * TEAM + at.parse::<usize>().ok()?) as u8))
}

impl Compare<'_> {
    fn check(&mut self, state: &State, what: &str, by: Option<Place>, on: Place, more: impl FnOnce(&Value) -> Result<(), String>) {
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
                let stats: Vec<i64> = [now.melee, now.ranged, now.magic, now.armor, now.health, now.speed].map(i64::from).to_vec();
                let recorded: Vec<i64> = action["state"]["stats"].as_array().unwrap().iter().map(|v| v.as_i64().unwrap()).collect();
                if stats != recorded || i64::from(monster.max_health) != action["state"]["base_health"].as_i64().unwrap() {
                    return Err(format!("{what} on {on:?} leaves {stats:?}/{}", monster.max_health));
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
                    let attack = matches!(blow.cause, Cause::Melee | Cause::Ranged | Cause::Trample);
                    match action["hit_chance"].as_f64() {
                        Some(chance) if attack && (chance * 100.0 - f64::from(blow.percent)).abs() > 0.01 && state.rulesets.is_disjoint(Ruleset::AimTrue | Ruleset::AimTrue) => {
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
        let stop = std::cell::Cell::new(false);
        let mut compare =
            Compare { actions: &actions, next: 0, furthest, why: String::new(), stop: &stop };
        let mut luck = Luck { search: &mut search, stop: &stop };
        let stratum = Stratum { matchup: 0, condition: 0 };
        let ended = play::<Splinterlands, _, _>(setup, stratum, &mut luck, &mut compare);
        if !stop.get() {
            let winner = match ended.outcome {
                Outcome::Win(Side::A) => "team1",
                Outcome::Win(_) => "team2",
                _ => "draw",
            };
            if compare.next != actions.len() {
                furthest = compare.next;
                why = format!("over after {} rounds: {winner}", ended.rounds);
            } else if record["details"]["winner"].as_str().unwrap_or("draw").to_lowercase() != winner {
                return Err((compare.next, format!("winner {winner}")));
            } else {
                return Ok(());
            }
        } else if compare.furthest >= furthest {
            furthest = compare.furthest;
            if !compare.why.is_empty() { why = compare.why.clone(); }
        }
        if !search.advance() {
            break;
        }
    }
    let around: Vec<String> = actions[furthest.saturating_sub(2)..(furthest + 2).min(actions.len())]
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
    let catalogue = catalogue(&cards);
    let (mut known, mut reproduced) = (0, 0);
    for (number, line) in records.lines().enumerate() {
        let record: Value = serde_json::from_str(line).unwrap();
        let rulesets: Option<Rulesets> = record["ruleset"]
            .as_str()
            .unwrap()
            .split('|')
            .map(|name| Ruleset::from_str(name).ok())
            .collect();
        let teams = [&record["details"]["team1"], &record["details"]["team2"]]
            .map(|team| line_up(&catalogue, team));
        let (Some(rulesets), [Some(a), Some(b)]) = (rulesets, teams) else { continue };
        known += 1;
        let setup = Setup {
            catalogue: catalogue.clone(),
            conditions: vec![rulesets],
            matchups: vec![[0, 1]],
            identical_teams_draw: true,
            teams: vec![a, b],
        };
        match replay(&setup, &record) {
            Ok(()) => reproduced += 1,
            Err((at, why)) => eprintln!("battle {number} ({rulesets}) differs at action {at}: {why}"),
        }
    }
    eprintln!("{reproduced} of {known} reproduced");
    assert_eq!(reproduced, known);
    let _ = Splinterlands::NAME;
    let _ = Diverged;
}
