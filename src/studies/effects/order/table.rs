//! The table `order_experiment`: the effect of being first, beside the association.

use super::{Battles, CausalEffect, Design};
use crate::game::Side;
use crate::statistics::Estimate;
use crate::table::{Column, Table};

/// The name of the table.
pub const ORDER_EXPERIMENT: &str = "order_experiment";

/// One row per side that can be the first: for all battles together, for each match-up and under each factor.
#[must_use]
pub fn order_experiment(design: &Design<'_>, effects: &[CausalEffect]) -> Table {
    let layout = design.layout();
    let measure = design.measure;
    let text = |of: &dyn Fn(&CausalEffect) -> String| effects.iter().map(of).collect();
    let number = |of: &dyn Fn(&CausalEffect) -> f64| effects.iter().map(of).collect();
    let estimates = |name: &str, meaning: &str, of: &dyn Fn(&CausalEffect) -> Estimate| {
        Column::estimates(name, meaning, &effects.iter().map(of).collect::<Vec<_>>())
    };
    let noun = layout.factor_noun;
    let matchup = |row: &CausalEffect| match (row.of, &layout.matchups[..]) {
        (Battles::OfMatchup(at), matchups) => Some(&matchups[at]),
        (Battles::All, [only]) => Some(only),
        (Battles::All | Battles::WithFactor(_), _) => None,
    };
    let factor = |row: &CausalEffect| match row.of {
        Battles::WithFactor(at) => layout.factors[at].clone(),
        Battles::All | Battles::OfMatchup(_) => String::new(),
    };
    let mut columns = vec![
        Column::text("order", "what is forced", text(&|_| design.forcible.name.to_owned())),
        Column::text(
            "matchup",
            "who meets whom, side A first; empty for all together",
            text(&|row| matchup(row).map_or_else(String::new, |of| of.label())),
        ),
        Column::text(
            noun,
            format!("only the battles under this {noun}, alone or with others; empty for all"),
            text(&factor),
        ),
        Column::text(
            "side",
            "the side this row is about",
            text(&|row| Side(row.side as u8).to_string()),
        ),
        Column::text(
            "contender",
            "who plays this side; empty for all together",
            text(&|row| {
                matchup(row).map_or_else(String::new, |of| of.contenders[row.side].clone())
            }),
        ),
        Column::count(
            "battles",
            "battles in which the order comes up; the other columns are about these",
            effects.iter().map(|row| row.battles).collect(),
        ),
    ];
    columns.extend(estimates(
        "share_first",
        "share of them in which this side is the first where nobody forces it, 0 to 1",
        &|row| row.share,
    ));
    let names = ["", "_first", "_not_first"];
    let when = [
        "as they come",
        "with this side forced to be the first",
        "with another side forced to be the first",
    ];
    for (at, (suffix, when)) in names.into_iter().zip(when).enumerate() {
        columns.extend(estimates(
            &format!("{}{suffix}", measure.column()),
            &format!("{} in the battles {when}, 0 to 1", measure.meaning()),
            &|row| row.scores[at],
        ));
    }
    columns.extend(estimates(
        "effect",
        "what being the first is worth: the score with it less that with another side, from the same battles, -1 to 1",
        &|row| row.effect.difference,
    ));
    columns.extend([
        Column::number(
            "p_value",
            "how likely an effect as large would be if there were none; empty below 100 battles",
            number(&|row| row.effect.p_value),
        ),
        Column::number(
            "p_adjusted",
            format!(
                "the same, adjusted (Holm): all battles together for the sides, match-ups for all match-ups and sides, {noun}s \
                 for all {noun}s and sides"
            ),
            number(&|row| row.p_adjusted),
        ),
        Column::number(
            "variance_ratio",
            "variance reduction: how many times as many independent battles would be as precise",
            number(&|row| row.effect.variance_ratio),
        ),
    ]);
    columns.extend(estimates(
        "association",
        "what goes with being the first where nobody forces it: the score of those battles less that of the others, -1 to 1",
        &|row| row.association,
    ));
    Table { name: ORDER_EXPERIMENT.to_owned(), columns }
}
