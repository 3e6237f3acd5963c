//! The JSON output of a patch.

use serde_json::{Value, json};

use super::tables::result;
use super::{Confirmed, Patching};

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
    let whole = json!({
        "measure": patching.task.plan.measure.noun(),
        "within": patching.task.within,
        "partial": chosen.is_none(),
        "as_it_is": result(Some(patching.found.verdict)),
        "result": result(chosen.map(|of| of.result)),
        "largest": largest.map(|of| json!({ "contender": name(of.at), "value": of.value, "low": of.low, "high": of.high })),
        "nobody_wins": chosen.map(Confirmed::unwon_share),
        "nobody_wins_without": patching.confirmed.first().map(Confirmed::unwon_share),
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
