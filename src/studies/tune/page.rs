//! What a tuning found.

use std::fmt::Write;

use serde_json::json;

use crate::report::figures::brief_points;
use crate::report::page::{Align, Page, Style, Tone};
use crate::statistics::{DrawModel, Estimate};
use crate::studies::tune::{Contender, Limits, Standings, Tuned, shares};

/// No more than so many contenders have a line each.
const MOST_CONTENDERS: usize = 12;

/// A tuning with everything that its page needs.
#[derive(Clone)]
pub struct Tuning<'t> {
    /// The scenario's question.
    pub question: Option<&'t str>,
    /// What was played.
    pub heading: String,
    /// What is weighted, in the singular.
    pub factor_noun: &'static str,
    /// How odds follow from weights.
    pub model: &'t dyn DrawModel,
    /// What those are called who should be even, in the singular.
    pub contender_noun: &'static str,
    /// Who should be even.
    pub contenders: &'t [Contender],
    /// The constraints on the weights.
    pub limits: Limits,
    /// The battles that the answer comes from.
    pub played: &'t Standings,
    /// Fresh battles under the answer.
    pub confirmed: &'t Standings,
    /// The answer.
    pub tuned: &'t Tuned,
}

/// One contender's leads.
struct Leads {
    before: Estimate,
    predicted: Estimate,
    confirmed: Estimate,
}

impl Tuning<'_> {
    fn odds_before(&self) -> Vec<f64> {
        let mut odds = vec![0.0; self.model.conditions()];
        self.model.probabilities(self.model.weights(), &mut odds);
        odds
    }

    /// The leads of all contenders, in their order.
    fn leads(&self) -> Vec<Leads> {
        let (before, after) = (self.odds_before(), &self.tuned.probabilities);
        (0..self.contenders.len())
            .map(|at| Leads {
                before: self.played.lead(at, &before),
                predicted: self.played.lead(at, after),
                confirmed: self.confirmed.lead(at, after),
            })
            .collect()
    }

    /// What keeps a weight from going further, in a word; nothing when nothing does.
    fn limit(&self, at: usize, share: f64) -> &'static str {
        let weight = self.tuned.weights[at];
        if self.model.weights()[at] == 0.0 {
            "never drawn"
        } else if weight <= self.limits.lowest * 1.001 {
            "lowest"
        } else if weight >= self.limits.highest * 0.999 {
            "highest"
        } else if self.limits.is_at_rarest(share) {
            "rarest"
        } else {
            ""
        }
    }

    /// The same for machines.
    #[must_use]
    pub fn json(&self) -> String {
        let estimate = |of: Estimate| json!({ "value": of.value, "low": of.low, "high": of.high });
        let contenders: Vec<_> = self
            .contenders
            .iter()
            .zip(self.leads())
            .map(|(contender, leads)| {
                json!({ "contender": contender.name, "lead_before": estimate(leads.before),
                        "lead_predicted": estimate(leads.predicted),
                        "lead_confirmed": estimate(leads.confirmed) })
            })
            .collect();
        let before = shares(self.model, &self.odds_before());
        let after = shares(self.model, &self.tuned.probabilities);
        let weights: Vec<_> = (0..before.len())
            .map(|at| {
                let (low, high) = self.tuned.spread[at];
                json!({ self.factor_noun: self.model.names()[at],
                        "weight_before": self.model.weights()[at],
                        "weight": self.tuned.weights[at], "weight_low": low, "weight_high": high,
                        "share_before": before[at], "share": after[at],
                        "limit": self.limit(at, after[at]) })
            })
            .collect();
        let whole = json!({ "contenders": contenders, "weights": weights });
        format!("{whole:#}\n")
    }
}

/// A tuning on a page: how uneven it was, how even it is now by prediction and by fresh battles, and the weights that
/// do it.
#[must_use]
pub fn tuning(tuning: &Tuning<'_>, style: Style) -> String {
    let mut page = Page::new(style);
    if let Some(question) = tuning.question {
        page.toned(Tone::Bold, question);
    }
    page.line(&tuning.heading);
    leads(&mut page, tuning);
    weights(&mut page, tuning);
    page.into_text()
}

fn leads(page: &mut Page, tuning: &Tuning<'_>) {
    let mut leads: Vec<(&Contender, Leads)> =
        tuning.contenders.iter().zip(tuning.leads()).collect();
    let largest = |of: fn(&Leads) -> &Estimate| {
        let by_size = |a: &&Estimate, b: &&Estimate| a.value.abs().total_cmp(&b.value.abs());
        let known = leads.iter().map(|(_, leads)| of(leads)).filter(|lead| !lead.value.is_nan());
        known.max_by(by_size).copied().unwrap_or(Estimate::UNKNOWN)
    };
    let (before, after) = (largest(|leads| &leads.before), largest(|leads| &leads.confirmed));
    let even = !after.excludes(0.0);
    page.gap();
    let mut found = format!(
        "The largest lead goes from {:.1} points to {:.1} in fresh battles",
        100.0 * before.value.abs(),
        100.0 * after.value.abs()
    );
    if even {
        found.push_str(", not significantly different from none");
    } else if leads.len() > 2 {
        let typical = |of: fn(&Leads) -> &Estimate| {
            let values = leads.iter().map(|(_, leads)| of(leads).value);
            let known: Vec<f64> = values.filter(|value| !value.is_nan()).collect();
            100.0 * (known.iter().map(|v| v * v).sum::<f64>() / known.len() as f64).sqrt()
        };
        let (before, after) = (typical(|leads| &leads.before), typical(|leads| &leads.confirmed));
        let _ =
            write!(found, ", the typical one (root mean square) from {before:.1} to {after:.1}");
    }
    found.push('.');
    page.toned(if even { Tone::Found } else { Tone::NotFound }, &found);
    let noun = tuning.contender_noun;
    page.line(&format!(
        "A lead is a {noun}'s win rate less that of those it meets, in points; 0 is even. Predicted: from the battles that \
         the weights were fitted to. Confirmed: from as many fresh ones. After ±: 95% confidence intervals.",
    ));
    page.gap();
    if leads.len() > MOST_CONTENDERS {
        page.line(&format!(
            "The {MOST_CONTENDERS} of {} that were furthest from even (`--json` has all):",
            leads.len()
        ));
        leads.sort_by(|(_, a), (_, b)| b.before.value.abs().total_cmp(&a.before.value.abs()));
        leads.truncate(MOST_CONTENDERS);
    }
    let row = |(contender, leads): &(&Contender, Leads)| {
        vec![
            contender.name.clone(),
            bare(&leads.before),
            bare(&leads.predicted),
            bare(&leads.confirmed),
        ]
    };
    page.table(
        &[
            (noun, Align::Left),
            ("lead before", Align::Right),
            ("predicted", Align::Right),
            ("confirmed", Align::Right),
        ],
        leads.iter().map(row).collect(),
    );
}

/// Points without saying so: `+5.6 ±0.2`.
fn bare(lead: &Estimate) -> String {
    if lead.value.is_nan() { "not known".to_owned() } else { brief_points(lead).replace(" pp", "") }
}

fn weights(page: &mut Page, tuning: &Tuning<'_>) {
    let before = shares(tuning.model, &tuning.odds_before());
    let after = shares(tuning.model, &tuning.tuned.probabilities);
    page.heading(&format!("Weights of each {}", tuning.factor_noun));
    let mut order: Vec<usize> =
        (0..before.len()).filter(|&at| tuning.model.weights()[at] > 0.0).collect();
    order.sort_by(|&a, &b| {
        tuning.tuned.weights[b].total_cmp(&tuning.tuned.weights[a]).then(a.cmp(&b))
    });
    let limited = order.iter().any(|&at| !tuning.limit(at, after[at]).is_empty());
    let rows = order.iter().map(|&at| {
        let (low, high) = tuning.tuned.spread[at];
        let mut row = vec![
            tuning.model.names()[at].clone(),
            format!("{}", tuning.model.weights()[at]),
            format!("{:.3} ({low:.2} to {high:.2})", tuning.tuned.weights[at]),
            format!("{:.1}% to {:.1}%", 100.0 * before[at], 100.0 * after[at]),
        ];
        row.extend(limited.then(|| tuning.limit(at, after[at]).to_owned()));
        row
    });
    let mut columns = vec![
        (tuning.factor_noun, Align::Left),
        ("was", Align::Right),
        ("weight", Align::Right),
        ("share", Align::Right),
    ];
    columns.extend(limited.then_some(("limit", Align::Left)));
    page.table(&columns, rows.collect());
    page.line(
        "In parentheses: 95% bootstrap intervals. A wide one says that many weights do nearly as well.",
    );
    page.heading("For the scenario");
    let entries: Vec<String> = (0..before.len())
        .filter(|&at| tuning.tuned.weights[at] != 1.0 && tuning.model.weights()[at] > 0.0)
        .map(|at| format!("\"{}\" = {}", tuning.model.names()[at], tuning.tuned.weights[at]))
        .collect();
    page.verbatim("[rulesets.weights]");
    for entry in entries {
        page.verbatim(&entry);
    }
}
