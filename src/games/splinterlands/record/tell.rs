//! Tells where a battle and its record part, as both stories side by side.

use super::compare::{Divergence, Here};
use super::{Action, Course, MonsterState, Record, Unit};
use crate::game::{Outcome, Side};
use crate::games::splinterlands::cards::CardKind;
use crate::games::splinterlands::record::CardFile;
use crate::games::splinterlands::state::TEAM;

/// How many recorded actions are told before the parting, and how many after it.
const AROUND: usize = 3;

/// One line of both stories.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Both {
    /// The round; 0 before the first.
    pub round: u32,
    /// What the record tells; empty when it tells nothing there.
    pub recorded: String,
    /// What happens here; empty after the parting.
    pub here: String,
}

/// The last actions that agree, those that do not, and how the record goes on.
#[must_use]
pub fn side_by_side(
    cards: &CardFile,
    record: &Record,
    course: &Course,
    parting: &Divergence,
) -> Vec<Both> {
    let teller = Teller { cards, record };
    let rounds = course.rounds.iter().enumerate();
    let actions: Vec<(u32, &Action)> =
        rounds.flat_map(|(at, actions)| actions.iter().map(move |a| (at as u32 + 1, a))).collect();
    let mut lines = Vec::new();
    for &(round, action) in &actions[parting.at.saturating_sub(AROUND)..parting.at] {
        let told = teller.action(action);
        lines.push(Both { round, recorded: told.clone(), here: told });
    }
    let here = match &parting.here {
        Here::Acts(action) => teller.action(action),
        Here::RoundEnds => format!("round {} ends", parting.round),
        Here::Ends(outcome) => over(*outcome),
        Here::Stands => parting.why.clone(),
        Here::GivesUp => String::new(),
    };
    let after = &actions[parting.at..];
    let (round, recorded) = match (after.first(), &parting.here) {
        (_, Here::Stands) if parting.round == 0 => (0, "the teams stand".to_owned()),
        (Some(&(round, action)), _) => (round, teller.action(action)),
        (None, _) => (parting.round, over(record.winner)),
    };
    lines.push(Both { round, recorded, here });
    let told = usize::from(parting.round > 0);
    for &(round, action) in after.iter().skip(told).take(AROUND) {
        lines.push(Both { round, recorded: teller.action(action), here: String::new() });
    }
    lines
}

fn over(outcome: Outcome) -> String {
    match outcome {
        Outcome::Win(side) => format!("the end: team {} wins", side.0 + 1),
        Outcome::Draw | Outcome::Undecided => "the end: a draw".to_owned(),
    }
}

struct Teller<'a> {
    cards: &'a CardFile,
    record: &'a Record,
}

impl Teller<'_> {
    /// A unit with the name of its card: `team1.0 Medusa`.
    fn name(&self, unit: Unit) -> String {
        let (card, kind) = match unit {
            Unit::Summoner(side) => {
                (Some(&self.record.teams[side.index()].summoner), CardKind::Summoner)
            }
            Unit::Monster(place) => {
                let team = &self.record.teams[place.side().index()];
                (team.monsters.get(place.index() % TEAM), CardKind::Monster)
            }
        };
        let known = card.and_then(|card| self.cards.card(card, kind).ok());
        match known {
            Some(at) => format!("{unit} {}", self.cards.catalogue.card(at).name),
            None => unit.to_string(),
        }
    }

    fn action(&self, action: &Action) -> String {
        let mut text = action.kind.to_string();
        if let Some(change) = &action.details {
            text += &format!(" {}", change.name);
        }
        match (action.initiator, action.target) {
            (Some(by), Some(on)) => text += &format!(": {} on {}", self.name(by), self.name(on)),
            (Some(unit), None) | (None, Some(unit)) => text += &format!(": {}", self.name(unit)),
            (None, None) => {}
        }
        if let Some(chance) = action.hit_chance.filter(|&chance| chance < 1.0) {
            text += &format!(" ({:.0}%)", 100.0 * chance);
        }
        match (action.result.as_deref(), action.damage) {
            (Some("miss"), _) => text += " misses",
            (_, Some(damage)) => text += &format!(" for {damage}"),
            _ => {}
        }
        if let Some(state) = &action.state {
            text += &format!("; {}", shape(state));
        }
        text
    }
}

/// A monster's numbers in words; attacks and armor only where there are any.
fn shape(state: &MonsterState) -> String {
    let [melee, ranged, magic, armor, health, speed] = state.stats;
    let some = [("melee", melee), ("ranged", ranged), ("magic", magic), ("armor", armor)];
    let mut parts: Vec<String> = some
        .into_iter()
        .filter(|&(_, value)| value != 0)
        .map(|(name, value)| format!("{name} {value}"))
        .collect();
    parts.push(format!("health {health}/{}", state.base_health));
    parts.push(format!("speed {speed}"));
    parts.join(", ")
}

/// A winner as the records name it.
#[must_use]
pub fn winner(outcome: Outcome) -> &'static str {
    match outcome {
        Outcome::Win(Side::A) => "team 1 won",
        Outcome::Win(_) => "team 2 won",
        Outcome::Draw | Outcome::Undecided => "a draw",
    }
}
