//! The tables `ruleset_effects` and `unit_effects`: the effect of each ruleset and each pair, from paired battles.

use crate::game::Side;
use crate::statistics::{Comparison, Estimate};
use crate::studies::effects::{Design, Effect};
use crate::table::{Column, Table};

/// A table of effects.
#[derive(Clone, Copy, Debug, PartialEq, Eq, strum::Display)]
#[cfg_attr(feature = "cli", derive(clap::ValueEnum), clap(rename_all = "snake_case"))]
#[strum(serialize_all = "snake_case")]
pub enum EffectsTable {
    /// Win rates of sides.
    RulesetEffects,
    /// Win rates of cards and summoners.
    UnitEffects,
}

/// One row per ruleset or pair, match-up and side.
#[must_use]
pub fn ruleset_effects(design: &Design<'_>, effects: &[Effect]) -> Table {
    let rows: Vec<&Effect> = effects.iter().filter(|row| row.subject < design.sides()).collect();
    let layout = design.layout;
    let matchup = |row: &Effect| &layout.matchups[row.subject / layout.sides];
    let side = |row: &Effect| row.subject % layout.sides;
    let text = |of: &dyn Fn(&Effect) -> String| rows.iter().map(|row| of(row)).collect();
    let subject = vec![
        Column::text("matchup", "who meets whom, side A first", text(&|row| matchup(row).label())),
        Column::text(
            "side",
            "the side this row is about",
            text(&|row| Side(side(row) as u8).to_string()),
        ),
        Column::text(
            "contender",
            "who plays this side",
            text(&|row| matchup(row).contenders[side(row)].clone()),
        ),
    ];
    let families = Families {
        singles: "for all single ones of all match-ups and sides (Benjamini-Hochberg; Holm where there is one match-up of \
                  which one side loses what the other gains)",
        pairs: "for all pairs of all match-ups and sides (Benjamini-Hochberg)",
    };
    table(EffectsTable::RulesetEffects, design, &rows, subject, &families)
}

/// One row per ruleset or pair and unit, for units that took part both with and without it.
#[must_use]
pub fn unit_effects(design: &Design<'_>, effects: &[Effect]) -> Table {
    let rows: Vec<&Effect> = effects.iter().filter(|row| row.subject >= design.sides()).collect();
    let unit = |row: &Effect| &design.layout.units[row.subject - design.sides()];
    let text = |of: &dyn Fn(&Effect) -> String| rows.iter().map(|row| of(row)).collect();
    let subject = vec![
        Column::text("unit", "its name", text(&|row| unit(row).name.clone())),
        Column::text("kind", "what kind of unit it is", text(&|row| unit(row).kind.to_owned())),
        Column::text("group", "what it belongs to", text(&|row| unit(row).group.clone())),
    ];
    let families = Families {
        singles: "for all units and single ones (Benjamini-Hochberg)",
        pairs: "for all units and pairs (Benjamini-Hochberg)",
    };
    table(EffectsTable::UnitEffects, design, &rows, subject, &families)
}

/// Descriptions of the families for which p-values are adjusted.
struct Families {
    singles: &'static str,
    pairs: &'static str,
}

fn table(
    name: EffectsTable,
    design: &Design<'_>,
    rows: &[&Effect],
    subject: Vec<Column>,
    families: &Families,
) -> Table {
    let (noun, neutral) = (design.layout.factor_noun, design.label(0));
    let count = |of: &dyn Fn(&Effect) -> u64| rows.iter().map(|row| of(row)).collect();
    let number = |of: &dyn Fn(&Effect) -> f64| rows.iter().map(|row| of(row)).collect();
    let mut columns = vec![
        Column::text_lists(
            format!("{noun}s"),
            format!("the {noun}, or the {noun}s of a pair"),
            " + ",
            rows.iter().map(|row| {
                let factors = design.cases[row.case].factors.iter();
                factors.map(|&factor| &design.layout.factors[usize::from(factor)])
            }),
        ),
        Column::count(
            "size",
            format!("how many {noun}s these are"),
            count(&|row| design.cases[row.case].factors.len() as u64),
        ),
    ];
    columns.extend(subject);
    columns.extend([
        Column::count(
            "played_neutral",
            format!("how often it took part under {neutral}"),
            count(&|row| row.played[0]),
        ),
        Column::count(
            "played",
            format!("how often it took part in the same battles under these {noun}s"),
            count(&|row| row.played[1]),
        ),
    ]);
    let estimates = |of: &dyn Fn(&Effect) -> Estimate| -> Vec<Estimate> {
        rows.iter().map(|row| of(row)).collect()
    };
    columns.extend(Column::estimates(
        &format!("{}_neutral", design.measure.column()),
        &format!("{} under {neutral}, 0 to 1", design.measure.meaning()),
        &estimates(&|row| row.scores[0]),
    ));
    columns.extend(Column::estimates(
        design.measure.column(),
        &format!("{} under these {noun}s, 0 to 1", design.measure.meaning()),
        &estimates(&|row| row.scores[1]),
    ));
    columns.extend(Column::estimates(
        "effect",
        "that less the neutral one, -1 to 1, from the same battles",
        &estimates(&|row| row.effect.difference),
    ));
    columns.extend([
        Column::number(
            "p_value",
            "how likely an effect as large would be if there were none; empty below 100 appearances under either",
            number(&|row| row.effect.p_value),
        ),
        Column::number(
            "p_adjusted",
            format!("the same, adjusted: {}; {}", families.singles, families.pairs),
            number(&|row| row.p_adjusted),
        ),
        Column::number(
            "variance_ratio",
            "variance reduction: how many times as many independent battles would be as precise",
            number(&|row| row.effect.variance_ratio),
        ),
    ]);
    let beyond =
        |row: &Effect| row.interaction.as_ref().map_or(Comparison::UNKNOWN, |of| of.beyond);
    columns.extend(Column::estimates(
        "interaction",
        "effect of a pair less the effects of both alone, -2 to 2, battle by battle; empty for single ones",
        &estimates(&|row| beyond(row).difference),
    ));
    let adjusted = |row: &Effect| row.interaction.as_ref().map_or(f64::NAN, |of| of.p_adjusted);
    columns.extend([
        Column::number(
            "interaction_p_value",
            "how likely an interaction as large would be if there were none; empty below 100 appearances under any",
            number(&|row| beyond(row).p_value),
        ),
        Column::number(
            "interaction_p_adjusted",
            format!("the same, adjusted {}", families.pairs),
            number(&adjusted),
        ),
    ]);
    Table { name: name.to_string(), columns }
}
