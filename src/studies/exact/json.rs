//! Exact odds as JSON.

use std::collections::BTreeMap;

use num_rational::BigRational;
use num_traits::{ToPrimitive, Zero};
use serde_json::{Map, Value, json};

use super::Exactly;
use super::score::score;
use super::tables::{may_still, outcome_text, outcomes as every_outcome};
use crate::game::{Outcome, Side};
use crate::walk::{ConditionOdds, Odds, OrderOdds, Stop};

impl Exactly<'_> {
    /// The exact odds as one JSON object, with every fraction in full.
    #[must_use]
    pub fn json(&self) -> String {
        let matchups: Vec<Value> = self
            .layout
            .matchups
            .iter()
            .zip(self.odds)
            .map(|(matchup, odds)| {
                json!({
                    "matchup": matchup.label(),
                    "contenders": matchup.contenders,
                    "complete": odds.stop.is_none(),
                    "stopped_by": odds.stop.map(|(_, stop)| stop_name(stop)),
                    "stopped_in_round": odds.stop.map(|(round, _)| round),
                    "ways": odds.ways,
                    "most_states": odds.states,
                    "open": number(&odds.open()),
                    "outcomes": self.outcomes_json(&|outcome| odds.of(outcome), &odds.open()),
                    self.measure.noun(): self.scores_json(&|outcome| odds.of(outcome), &odds.open()),
                    "conditions": self.conditions_json(odds),
                    "fought": at_most(&odds.fought(), &odds.open_fought()),
                    "any_other": bounded(&BigRational::zero(), &odds.open_result()),
                    "lengths": odds.lengths.iter().map(|(&rounds, of)| {
                            valued(rounds.into(), of, &odds.open_length(rounds))
                        })
                        .collect::<Vec<_>>(),
                    "results": self.results_json(odds),
                    "orders": if odds.stop.is_none() { self.orders_json(odds) } else { Value::Null },
                })
            })
            .collect();
        let whole = json!({
            "game": self.game, "scenario": self.scenario, "choices": self.layout.choices(), "complete": self.is_complete(),
            "ways": self.ways(), "most_states": self.states(), "matchups": matchups,
        });
        format!("{whole:#}\n")
    }

    fn outcomes_json(&self, odds: &dyn Fn(Outcome) -> BigRational, open: &BigRational) -> Value {
        let of = |outcome: Outcome| {
            let open = may_still(outcome, open, self.can_be_undecided);
            (outcome_text(outcome), bounded(&odds(outcome), &open))
        };
        Value::Object(every_outcome(self.layout.sides).map(of).collect::<Map<_, _>>())
    }

    /// The score of each side, side A first; null where the measure counts no battle.
    fn scores_json(&self, odds: &dyn Fn(Outcome) -> BigRational, open: &BigRational) -> Value {
        let sides = self.layout.sides;
        let of = |side: u8| match score(odds, open, self.measure, Side(side), sides) {
            Some([low, high]) => bounded(&low, &(high - &low)),
            None => Value::Null,
        };
        Value::Array((0..sides as u8).map(of).collect())
    }

    fn conditions_json(&self, odds: &Odds) -> Vec<Value> {
        let of = |under: &ConditionOdds| {
            let label = &self.layout.conditions[under.condition].label;
            let outcomes = self.outcomes_json(&|outcome| under.of(outcome), &under.open());
            let scores = self.scores_json(&|outcome| under.of(outcome), &under.open());
            json!({ "condition": label, "drawn": number(&under.drawn), "outcomes": outcomes,
                self.measure.noun(): scores })
        };
        odds.conditions.iter().map(of).collect()
    }

    fn results_json(&self, odds: &Odds) -> Value {
        let open = odds.open_result();
        let of = |(name, values): (&String, &BTreeMap<i64, BigRational>)| {
            let values: Vec<Value> =
                values.iter().map(|(value, of)| valued(*value, of, &open)).collect();
            (name.clone(), Value::Array(values))
        };
        Value::Object(self.layout.metrics.iter().zip(&odds.metrics).map(of).collect())
    }

    fn orders_json(&self, odds: &Odds) -> Value {
        let of = |((moment, items), order): (&(u16, Vec<u16>), &OrderOdds)| {
            let wins: Vec<Value> =
                order.wins.iter().map(|wins| number(&(wins / &order.once))).collect();
            json!({
                "moment": self.layout.moments[usize::from(*moment)].name,
                "order": items.iter().map(|&item| &self.layout.order_items[usize::from(item)])
                    .collect::<Vec<_>>(),
                "odds": number(&order.once), "times": number(&order.times), "wins_then": wins,
            })
        };
        Value::Array(odds.orders.iter().map(of).collect())
    }
}

fn stop_name(stop: Stop) -> &'static str {
    match stop {
        Stop::States => "states",
        Stop::Ways => "ways",
        Stop::Rounds => "rounds",
        Stop::Interrupted => "interruption",
    }
}

/// A number both as a float and as a fraction.
fn number(odds: &BigRational) -> Value {
    json!({ "decimal": odds.to_f64(), "exactly": odds.to_string() })
}

/// Odds of at least `of`, and at most `open` more.
fn bounded(of: &BigRational, open: &BigRational) -> Value {
    if open.is_zero() {
        return number(of);
    }
    json!({ "at_least": number(of), "at_most": number(&(of + open)) })
}

/// Odds of at most `of`, and at least `open` less.
fn at_most(of: &BigRational, open: &BigRational) -> Value {
    bounded(&(of - open), open)
}

fn valued(value: i64, of: &BigRational, open: &BigRational) -> Value {
    json!({ "value": value, "odds": bounded(of, open) })
}
