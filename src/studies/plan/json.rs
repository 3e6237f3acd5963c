//! A plan as one JSON object.

use serde_json::{Value, json};

use super::{Goal, Plan, Planned};

impl Plan {
    /// The plan as one JSON object with a final line break; probabilities are from 0 to 1. It contains all comparisons,
    /// hardest first.
    #[must_use]
    pub fn json(&self) -> String {
        let [confidence, power] = self.asked;
        let (goal, size) = match self.goal {
            Goal::Detect(effect) => ("detect", json!(effect)),
            Goal::Margin(margin) => ("margin", json!(margin)),
            Goal::Battles(battles) => ("battles", json!(battles)),
        };
        let comparisons: Vec<Value> =
            self.hardest_first().into_iter().map(|of| self.planned_json(of)).collect();
        let battles = self.battles_for_all();
        let whole = json!({
            "pilot": self.pilot,
            "comparison": self.comparison.to_string(),
            "measure": self.measure.noun(),
            "goal": { goal: size },
            "confidence": confidence, "power": power, "adjusted_for": self.adjusted_for,
            "battles": battles,
            "seconds": battles.map(|battles| self.seconds(battles)),
            "battles_per_second": self.speed,
            "comparisons": comparisons,
            "not_in_the_pilot": self.unseen,
        });
        format!("{whole:#}\n")
    }

    fn planned_json(&self, of: &Planned) -> Value {
        let battles = self.battles(of);
        json!({
            "subject": of.subject,
            "share": of.share,
            "pilot": { "score": of.pilot.value, "low": of.pilot.low, "high": of.pilot.high,
                       "battles": of.seen,
                       "otherwise_at_most": of.alike.as_ref().map(|of| of.otherwise) },
            "deviation": of.design.deviation(),
            "battles": battles,
            "finds": battles.map(|n| self.found(of, n)),
            "margin": battles.map(|n| self.margin(of, n)),
        })
    }
}
