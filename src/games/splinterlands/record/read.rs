//! From a file to records.

use serde_json::Value;

use super::form::{BattleForm, CardForm, TeamForm, stats};
use super::{Course, Record, RecordedCard, RecordedTeam};
use crate::game::{Outcome, Side};
use crate::games::splinterlands::state::TEAM;
use crate::scenario::{Fault, Faults, Source};

const SHAPES: &str =
    "records have the shape of the official battle/result: one, a list, or one on each line";

/// All records of a file.
///
/// # Errors
/// Everything in it that is no record, each with its line.
pub fn read(source: &Source) -> Result<Vec<Record>, Faults> {
    let text = source.inner();
    let mut values = serde_json::Deserializer::from_str(text).into_iter::<Value>();
    let mut lines = Lines { text, at: 0, line: 1 };
    let mut reading = Reading { number: 0, records: Vec::new(), faults: Vec::new() };
    loop {
        let line = lines.of_next_value(values.byte_offset());
        match values.next() {
            None => break,
            Some(Ok(value)) => reading.take(value, line),
            Some(Err(error)) => {
                let message = format!("{} is no JSON: {error}", place(line));
                reading.faults.push(Fault::new(message, SHAPES));
                break;
            }
        }
    }
    if reading.number == 0 && reading.faults.is_empty() {
        reading.faults.push(Fault::new("no records", SHAPES));
    }
    if reading.faults.is_empty() {
        Ok(reading.records)
    } else {
        Err(Faults::new(source.name(), reading.faults))
    }
}

fn place(line: usize) -> String {
    format!("line {line}")
}

/// Counts lines up to where values begin.
struct Lines<'a> {
    text: &'a str,
    at: usize,
    line: usize,
}

impl Lines<'_> {
    /// The line of the first thing at or after `offset` that is no space.
    fn of_next_value(&mut self, offset: usize) -> usize {
        let rest = &self.text[offset..];
        let begin = offset + rest.len() - rest.trim_start().len();
        self.line += self.text[self.at..begin].matches('\n').count();
        self.at = begin;
        self.line
    }
}

struct Reading {
    number: usize,
    records: Vec<Record>,
    faults: Vec<Fault>,
}

impl Reading {
    /// Takes a value in: a record, or a list of them.
    fn take(&mut self, value: Value, line: usize) {
        match value {
            Value::Array(values) => values.into_iter().for_each(|value| self.take(value, line)),
            Value::Object(mut object) if object.contains_key("battles") => {
                self.take(object.remove("battles").unwrap_or_default(), line);
            }
            value => {
                self.number += 1;
                match understood(value, self.number, line) {
                    Ok(record) => self.records.push(record),
                    Err(why) => {
                        let message = format!("{}: battle {}: {why}", place(line), self.number);
                        self.faults.push(Fault::new(message, SHAPES));
                    }
                }
            }
        }
    }
}

fn understood(value: Value, number: usize, line: usize) -> Result<Record, String> {
    let form: BattleForm = serde_json::from_value(value).map_err(|error| error.to_string())?;
    let BattleForm { id, ruleset, mana_cap, winner, team1, team2, details } = form;
    let (mut course, mut told_winner, mut teams) = (None, None, [team1, team2]);
    if let Some(details) = details {
        told_winner = details.winner;
        let [one, two] = teams;
        teams = [details.team1.or(one), details.team2.or(two)];
        if let Some(rounds) = details.rounds {
            for (at, round) in rounds.iter().enumerate() {
                if round.num as usize != at + 1 {
                    return Err(format!(
                        "round {} stands where round {} belongs",
                        round.num,
                        at + 1
                    ));
                }
            }
            let rounds = rounds.into_iter().map(|round| round.actions).collect();
            course = Some(Course { seed: details.seed, before: details.pre_battle, rounds });
        }
    }
    let [Some(one), Some(two)] = teams else {
        return Err("it has no teams (one side may have surrendered)".to_owned());
    };
    let winner = told_winner.or(winner).ok_or("it has no `winner`")?;
    let winner = outcome(&winner, [&one, &two])?;
    let teams = [team(one)?, team(two)?];
    Ok(Record { number, line, id, ruleset, mana_cap, teams, winner, course })
}

fn outcome(winner: &str, teams: [&TeamForm; 2]) -> Result<Outcome, String> {
    let is = |team: &TeamForm| team.player.as_deref() == Some(winner);
    match winner {
        "team1" => Ok(Outcome::Win(Side::A)),
        "team2" => Ok(Outcome::Win(Side::B)),
        draw if draw.eq_ignore_ascii_case("draw") => Ok(Outcome::Draw),
        _ if is(teams[0]) => Ok(Outcome::Win(Side::A)),
        _ if is(teams[1]) => Ok(Outcome::Win(Side::B)),
        other => Err(format!("the winner `{other}` is neither team1, team2, draw nor a player")),
    }
}

fn team(form: TeamForm) -> Result<RecordedTeam, String> {
    if form.monsters.len() > TEAM {
        return Err(format!(
            "{} monsters in a team, which has at most {TEAM}",
            form.monsters.len()
        ));
    }
    let monsters = form.monsters.into_iter().map(card).collect();
    Ok(RecordedTeam { summoner: card(form.summoner), monsters })
}

fn card(form: CardForm) -> RecordedCard {
    let CardForm { card_detail_id: id, level, stats: numbers, mut abilities, state } = form;
    let numbers = numbers.or(state.as_ref().map(|state| state.stats)).map(stats);
    abilities.extend(state.into_iter().flat_map(|state| state.abilities));
    RecordedCard { id, level, stats: numbers, abilities }
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use miette::NamedSource;

    use super::*;

    fn source(text: &str) -> Source {
        Arc::new(NamedSource::new("battles.json", text.to_owned()))
    }

    fn messages(text: &str) -> Vec<String> {
        let faults = read(&source(text)).expect_err("it has faults").faults;
        faults.into_iter().map(|fault| fault.message).collect()
    }

    const TEAMS: &str = r#""team1": {"player": "ann", "summoner": {"card_detail_id": 1, "level": 2}, "monsters":
        [{"card_detail_id": 3, "level": 1, "abilities": ["Reach"],
          "state": {"alive": true, "stats": [1, 0, 0, 2, 3, 4], "base_health": 3, "other": []}}]},
        "team2": {"player": "bob", "summoner": {"card_detail_id": 1, "level": 2}, "monsters": []}"#;

    fn result_line() -> String {
        format!(r#"{{"ruleset": "Standard", "mana_cap": 20, {TEAMS}, "winner": "team2"}}"#)
            .replace('\n', "")
    }

    #[test]
    fn one_record_a_list_and_lines_are_read_alike() {
        let one = result_line();
        let numbered = |text: &str| -> Vec<(usize, usize)> {
            let records = read(&source(text)).unwrap();
            assert!(records.iter().all(|record| record.winner == Outcome::Win(Side::B)));
            records.iter().map(|record| (record.number, record.line)).collect()
        };
        assert_eq!(numbered(&one), [(1, 1)]);
        assert_eq!(numbered(&format!("{one}\n\n  {one}\n")), [(1, 1), (2, 3)]);
        assert_eq!(numbered(&format!("[{one},\n{one}]")), [(1, 1), (2, 1)]);
        assert_eq!(
            numbered(&format!(r#"{{"player": "x", "battles": [{one}, {one}]}}"#)),
            [(1, 1), (2, 1)]
        );
    }

    #[test]
    fn a_battle_result_has_its_details_in_a_string_and_its_winner_by_name() {
        let action = r#"{"type": "death", "target": "team2.0"}"#;
        let details = format!(
            r#"{{"seed": "ab", {TEAMS}, "pre_battle": [], "winner": "ann",
                "rounds": [{{"num": 1, "actions": [{action}]}}]}}"#
        );
        let result = serde_json::json!({
            "id": "sl_1", "player_1": "ann", "player_2": "bob", "winner": "ann", "ruleset": "Standard",
            "mana_cap": 20, "details": details,
        });
        let records = read(&source(&result.to_string())).unwrap();
        let [record] = records.as_slice() else { panic!("{records:?}") };
        assert_eq!(record.winner, Outcome::Win(Side::A));
        assert_eq!(record.place(), "line 1, battle sl_1");
        let monster = &record.teams[0].monsters[0];
        assert_eq!(monster.stats, Some(stats([1, 0, 0, 2, 3, 4])));
        assert_eq!(monster.abilities, ["Reach"]);
        let course = record.course.as_ref().unwrap();
        assert_eq!(course.seed.as_deref(), Some("ab"));
        assert_eq!(course.rounds[0][0].target.as_deref(), Some("team2.0"));
    }

    #[test]
    fn every_record_at_fault_is_named_with_its_line() {
        let good = result_line();
        let winner = good.replace("\"team2\"}", "\"cat\"}");
        let teamless = r#"{"ruleset": "Standard", "mana_cap": 20, "winner": "team1", "details": "{\"type\": \"Surrender\"}"}"#;
        let capless = good.replace("\"mana_cap\": 20,", "");
        let text = format!("{good}\n{winner}\n{teamless}\n{capless}\n[1");
        assert_eq!(
            messages(&text),
            [
                "line 2: battle 2: the winner `cat` is neither team1, team2, draw nor a player",
                "line 3: battle 3: it has no teams (one side may have surrendered)",
                "line 4: battle 4: missing field `mana_cap`",
                "line 5 is no JSON: EOF while parsing a list at line 5 column 2",
            ]
        );
        assert_eq!(messages("\n"), ["no records"]);
    }
}
