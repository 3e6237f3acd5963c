//! Reads records from a file.

use rustc_hash::FxHashMap;
use serde_json::Value;

use super::form::{
    Action, ActionForm, BattleForm, CardForm, CompleteTeam, DetailsForm, GroupState,
    GroupStateForm, RoundForm, TeamForm, stats,
};
use super::{Course, Record, RecordedCard, RecordedTeam, Unit};
use crate::game::{Outcome, Side};
use crate::games::splinterlands::state::{Place, TEAM};
use crate::scenario::{Fault, Faults, Source};

const SHAPES: &str =
    "records have the shape of the official battle/result: one, a list, or one on each line";

/// What a file of recorded battles holds.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Records {
    /// The battles with both teams and a winner, in the order of the file.
    pub battles: Vec<Record>,
    /// The incomplete battles, in the order of the file.
    pub incomplete: Vec<Incomplete>,
}

/// A battle that was recorded without both teams: nobody fought.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Incomplete {
    /// Its number in the file, from 1.
    pub number: usize,
    /// The line of the file in which it begins, from 1.
    pub line: usize,
    /// Its name in the official game, where the record has one.
    pub id: Option<String>,
    /// What is missing: `surrendered, no teams`.
    pub why: String,
}

impl Incomplete {
    /// The battle as people find it again: `line 12`.
    #[must_use]
    pub fn place(&self) -> String {
        place_of(self.line, self.id.as_deref())
    }
}

/// Reads all battles of a file: one JSON object, a list, an object with a list `battles`, or one object on each line.
/// Actions may call units by their `uid` (`starter-169-10KJ0U`) or by their place (`team1.0`, `team2.summoner`).
///
/// # Errors
/// Everything in it that is no record, each with its line. A surrendered or otherwise incomplete battle is no fault.
pub fn read(source: &Source) -> Result<Records, Faults> {
    let text = source.inner();
    let mut values = serde_json::Deserializer::from_str(text).into_iter::<Value>();
    let mut lines = Lines { text, at: 0, line: 1 };
    let mut reading = Reading { number: 0, records: Records::default(), faults: Vec::new() };
    loop {
        let line = lines.of_next_value(values.byte_offset());
        match values.next() {
            None => break,
            Some(Ok(value)) => reading.take(value, line),
            Some(Err(error)) => {
                let message = format!("line {line} is no JSON: {error}");
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

/// Where a battle is, as people find it again: `line 12, battle sl_1`.
pub(super) fn place_of(line: usize, id: Option<&str>) -> String {
    match id {
        Some(id) => format!("line {line}, battle {id}"),
        None => format!("line {line}"),
    }
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
    records: Records,
    faults: Vec<Fault>,
}

impl Reading {
    /// Takes in a value: a record, or a list of records.
    fn take(&mut self, value: Value, line: usize) {
        match value {
            Value::Array(values) => values.into_iter().for_each(|value| self.take(value, line)),
            Value::Object(mut object) if object.contains_key("battles") => {
                self.take(object.remove("battles").unwrap_or_default(), line);
            }
            value => {
                self.number += 1;
                match understood(value, self.number, line) {
                    Ok(Read::Battle(record)) => self.records.battles.push(*record),
                    Ok(Read::Incomplete(incomplete)) => self.records.incomplete.push(incomplete),
                    Err(why) => {
                        let message = format!("line {line}: battle {}: {why}", self.number);
                        self.faults.push(Fault::new(message, SHAPES));
                    }
                }
            }
        }
    }
}

/// What one object of a file turns out to be.
enum Read {
    Battle(Box<Record>),
    Incomplete(Incomplete),
}

fn understood(value: Value, number: usize, line: usize) -> Result<Read, String> {
    let form: BattleForm = serde_json::from_value(value).map_err(|error| error.to_string())?;
    let BattleForm { id, battle_queue_id_1, ruleset, mana_cap, winner, team1, team2, details } =
        form;
    let id = id.or(battle_queue_id_1);
    let mut details = details.unwrap_or_default();
    let teams = [details.team1.take().or(team1), details.team2.take().or(team2)];
    let surrendered = details.kind.as_deref() == Some("Surrender");
    let [one, two] = match teams.map(|team| team.and_then(TeamForm::complete)) {
        [Some(one), Some(two)] => [one, two],
        [one, two] => {
            let which = match (one, two) {
                (None, None) => "no teams".to_owned(),
                (Some(_), _) => "no team 2".to_owned(),
                (_, Some(_)) => "no team 1".to_owned(),
            };
            let why = if surrendered { format!("surrendered, {which}") } else { which };
            return Ok(Read::Incomplete(Incomplete { number, line, id, why }));
        }
    };
    let units = Units::of([&one, &two])?;
    let course = course(&mut details, &units)?;
    let winner = details.winner.or(winner).ok_or("it has no `winner`")?;
    let winner = outcome(&winner, [&one, &two])?;
    let teams = [team(one)?, team(two)?];
    let record = Record { number, line, id, ruleset, mana_cap, teams, winner, course };
    Ok(Read::Battle(Box::new(record)))
}

/// How it was fought, where that was kept.
fn course(details: &mut DetailsForm, units: &Units) -> Result<Option<Course>, String> {
    let Some(rounds) = details.rounds.take() else { return Ok(None) };
    let in_round = |(at, round): (usize, RoundForm)| {
        if round.num as usize != at + 1 {
            return Err(format!("round {} stands where round {} belongs", round.num, at + 1));
        }
        let of_round = |why: String| format!("in round {}: {why}", round.num);
        round.actions.into_iter().map(|action| units.known(action).map_err(of_round)).collect()
    };
    let rounds = rounds.into_iter().enumerate().map(in_round).collect::<Result<_, String>>()?;
    let before = std::mem::take(&mut details.pre_battle);
    let before = before.into_iter().map(|action| units.known(action));
    let before =
        before.collect::<Result<_, String>>().map_err(|why| format!("before round 1: {why}"))?;
    Ok(Some(Course { seed: details.seed.take(), before, rounds }))
}

/// The units of a battle by the names that its file has for them.
struct Units {
    by_uid: FxHashMap<String, Unit>,
    /// How many monsters each team has.
    monsters: [usize; 2],
}

impl Units {
    fn of(teams: [&CompleteTeam; 2]) -> Result<Self, String> {
        let mut by_uid = FxHashMap::default();
        for (side, team) in [Side::A, Side::B].into_iter().zip(teams) {
            let monster = |at| Unit::Monster(Place((side.index() * TEAM + at) as u8));
            let monsters = team.monsters.iter().take(TEAM).enumerate();
            let monsters = monsters.map(|(at, card)| (card, monster(at)));
            for (card, unit) in [(&team.summoner, Unit::Summoner(side))].into_iter().chain(monsters)
            {
                if let Some(uid) = &card.uid
                    && by_uid.insert(uid.clone(), unit).is_some()
                {
                    return Err(format!("two cards have the `uid` `{uid}`"));
                }
            }
        }
        Ok(Self { by_uid, monsters: teams.map(|team| team.monsters.len()) })
    }

    /// The unit that a file means by a `uid` or a place.
    fn unit(&self, written: &str) -> Result<Unit, String> {
        let unit = match self.by_uid.get(written) {
            Some(&unit) => unit,
            None => written.parse()?,
        };
        match unit {
            Unit::Monster(place) if place.index() % TEAM >= self.monsters[place.side().index()] => {
                Err(format!("unknown unit `{written}`"))
            }
            known => Ok(known),
        }
    }

    fn known(&self, form: ActionForm) -> Result<Action, String> {
        let unit = |written: Option<String>| written.map(|name| self.unit(&name)).transpose();
        let of_group = |GroupStateForm { monster, state }| {
            Ok::<_, String>(GroupState { monster: self.unit(&monster)?, state })
        };
        let group_state = form.group_state.map(|group| group.into_iter().map(of_group).collect());
        Ok(Action {
            kind: form.kind.into(),
            initiator: unit(form.initiator)?,
            target: unit(form.target)?,
            result: form.result.map(Into::into),
            hit_chance: form.hit_chance,
            damage: form.damage,
            state: form.state,
            details: form.details,
            group_state: group_state.transpose()?,
        })
    }
}

fn outcome(winner: &str, teams: [&CompleteTeam; 2]) -> Result<Outcome, String> {
    let is = |team: &CompleteTeam| team.player.as_deref() == Some(winner);
    match winner {
        "team1" => Ok(Outcome::Win(Side::A)),
        "team2" => Ok(Outcome::Win(Side::B)),
        draw if draw.eq_ignore_ascii_case("draw") => Ok(Outcome::Draw),
        _ if is(teams[0]) => Ok(Outcome::Win(Side::A)),
        _ if is(teams[1]) => Ok(Outcome::Win(Side::B)),
        other => Err(format!("the winner `{other}` is neither team1, team2, draw nor a player")),
    }
}

fn team(form: CompleteTeam) -> Result<RecordedTeam, String> {
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
    let CardForm { card_detail_id: id, level, stats: numbers, mut abilities, state, uid: _ } = form;
    let numbers = numbers.or(state.as_ref().and_then(|state| state.stats)).map(stats);
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
        "team2": {"player": "bob", "summoner": {"card_detail_id": 1, "level": 2}, "monsters":
        [{"card_detail_id": 4, "level": 1}]}"#;

    fn result_line() -> String {
        format!(r#"{{"ruleset": "Standard", "mana_cap": 20, {TEAMS}, "winner": "team2"}}"#)
            .replace('\n', "")
    }

    #[test]
    fn one_record_a_list_and_lines_are_read_alike() {
        let one = result_line();
        let numbered = |text: &str| -> Vec<(usize, usize)> {
            let records = read(&source(text)).unwrap().battles;
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
        let records = read(&source(&result.to_string())).unwrap().battles;
        let [record] = records.as_slice() else { panic!("{records:?}") };
        assert_eq!(record.winner, Outcome::Win(Side::A));
        assert_eq!(record.place(), "line 1, battle sl_1");
        let monster = &record.teams[0].monsters[0];
        assert_eq!(monster.stats, Some(stats([1, 0, 0, 2, 3, 4])));
        assert_eq!(monster.abilities, ["Reach"]);
        let course = record.course.as_ref().unwrap();
        assert_eq!(course.seed.as_deref(), Some("ab"));
        assert_eq!(course.rounds[0][0].target, Some(Unit::Monster(Place(6))));
    }

    #[test]
    fn every_record_at_fault_is_named_with_its_line() {
        let good = result_line();
        let winner = good.replace("\"team2\"}", "\"cat\"}");
        let stranger = good.replace(
            "\"winner\"",
            r#""details": {"rounds": [{"num": 1, "actions": [{"type": "death", "target": "C3-1"}]}]}, "winner""#,
        );
        let capless = good.replace("\"mana_cap\": 20,", "");
        let text = format!("{good}\n{winner}\n{stranger}\n{capless}\n[1");
        assert_eq!(
            messages(&text),
            [
                "line 2: battle 2: the winner `cat` is neither team1, team2, draw nor a player",
                "line 3: battle 3: in round 1: unknown unit `C3-1`",
                "line 4: battle 4: missing field `mana_cap`",
                "line 5 is no JSON: EOF while parsing a list at line 5 column 2",
            ]
        );
        assert_eq!(messages("\n"), ["no records"]);
    }
}
