//! The JSON output of a tuning.

use serde_json::{Value, json};

use super::results::{CONFIDENCE, Premise};
use super::{How, Tuning, shares};
use crate::statistics::{Equivalence, Estimate, as_large};

/// A tuning as one JSON object. Scores, leads and shares are from 0 to 1, or -1 to 1.
#[must_use]
pub fn json(tuning: &Tuning<'_>) -> String {
    let whole = json!({
        "measure": tuning.played.measure.noun(),
        "choices": tuning.played.layout.choices(),
        "objective": tuning.aim.objective.name(),
        "price": tuning.aim.price,
        "partial": tuning.confirmed.is_none(),
        "verdict": verdict(tuning),
        "contenders": contenders(tuning),
        "weights": weights(tuning),
        "trade_off": trade_off(tuning),
    });
    format!("{whole:#}\n")
}

fn verdict(tuning: &Tuning<'_>) -> Value {
    let Some(found) = tuning.verdict() else {
        return json!({ "within": tuning.within, "confidence": CONFIDENCE, "result": "unknown" });
    };
    let name = |at: usize| tuning.played.contenders[at].name.as_str();
    json!({
        "within": tuning.within,
        "confidence": CONFIDENCE,
        "result": match found.result {
            Equivalence::Shown => "shown",
            Equivalence::Open => "open",
            Equivalence::Refuted => "refuted",
        },
        "largest": { "contender": name(found.largest.at),
                     "off_by_as_much": as_large(found.leads.all(), found.largest.at).into_iter().skip(1).map(name).collect::<Vec<_>>(),
                     "value": found.largest.value,
                     "low": found.largest.low, "high": found.largest.high,
                     "by_chance": found.largest.by_chance },
        "typical": found.typical,
        "battles": tuning.confirmed.map(|confirmed| confirmed.battles),
        "battles_needed": found.battles_needed,
        "battles_needed_if": found.battles_needed.map(|_| match found.premise {
            Premise::NoLeads => "no_leads",
            Premise::AsTheySeem => "as_they_seem",
        }),
    })
}

fn contenders(tuning: &Tuning<'_>) -> Vec<Value> {
    let estimate = |of: Estimate| json!({ "value": of.value, "low": of.low, "high": of.high });
    let all = tuning.played.contenders.iter().zip(tuning.leads());
    all.map(|(contender, leads)| {
        json!({ "contender": contender.name, "target": contender.target,
                "lead_before": estimate(leads.before),
                "lead_predicted": estimate(leads.predicted),
                "lead_confirmed": leads.confirmed.map(estimate) })
    })
    .collect()
}

fn weights(tuning: &Tuning<'_>) -> Vec<Value> {
    let model = tuning.played.model;
    let before = shares(model, &tuning.odds_before());
    let after = shares(model, &tuning.tuned.probabilities);
    let weight = |at: usize| {
        let spread = tuning.tuned.spread.as_ref().map(|spread| spread[at]);
        json!({ tuning.played.layout.factor_noun: model.names()[at],
                "weight_before": model.weights()[at],
                "weight": tuning.tuned.weights[at],
                "weight_low": spread.map(|(low, _)| low), "weight_high": spread.map(|(_, high)| high),
                "share_before": before[at], "share": after[at],
                "limit": tuning.limit(at, after[at]) })
    };
    (0..before.len()).map(weight).collect()
}

fn trade_off(tuning: &Tuning<'_>) -> Vec<Value> {
    let row = |row: &super::Compromise| {
        let (at_most, price) = match row.how {
            How::AtMost(factor) => (Some(factor), None),
            How::Bounds => (None, None),
            How::Price(price) => (None, Some(price)),
        };
        json!({ "at_most": at_most, "price": price, "chosen": row.chosen, "largest_lead": row.largest,
                "typical_lead": row.typical, "draws_changed": row.moved, "largest_factor": row.factor })
    };
    tuning.trade_off.iter().map(row).collect()
}
