//! The JSON output of a patch.

use serde_json::{Value, json};

use super::tables::result;
use super::{Confirmed, Patching};
use crate::statistics::as_large;

/// A patch as one JSON object, without what the tables hold. Leads are from -1 to 1.
#[must_use]
pub fn json(patching: &Patching<'_>) -> String {
    let chosen = patching.chosen();
    let largest = chosen.and_then(|of| of.largest);
    let (battles, seed) = patching.fresh;
    let edit = |&(at, by): &(usize, i64)| -> Value {
        let number = &patching.candidate(at).number;
        json!({ "card": number.card, "number": number.key, "by": by,
                "was": number.values, "becomes": number.values.iter().map(|of| of + by).collect::<Vec<_>>() })
    };
    let name = |at: usize| patching.task.goals[at].name.as_str();
    let as_large_as = |at: usize| {
        let leads = chosen.map_or(&[][..], |of| &of.leads[..]);
        as_large(leads, at).into_iter().skip(1).map(name).collect::<Vec<_>>()
    };
    let whole = json!({
        "measure": patching.task.plan.measure.noun(),
        "objective": patching.task.objective.name(),
        "within": patching.task.within,
        "partial": chosen.is_none(),
        "as_it_is": result(Some(patching.found.verdict)),
        "result": result(chosen.map(|of| of.result)),
        "nobody_wins": chosen.map(Confirmed::unwon_share),
        "nobody_wins_without": patching.confirmed.first().map(Confirmed::unwon_share),
        "largest": largest.map(|of| json!({ "contender": name(of.at), "off_by_as_much": as_large_as(of.at), "value": of.value, "low": of.low, "high": of.high })),
        "edits": patching.patch().patch.iter().map(edit).collect::<Vec<_>>(),
        "price": patching.patch().price,
        "lines": patching.changes,
        "candidates": patching.task.candidates.len(),
        "variants": patching.found.variants,
        "screened": patching.found.screened,
        "battles_of_the_search": patching.found.battles,
        "confirmed_with": { "battles": battles, "seed": seed },
    });
    format!("{whole:#}\n")
}
