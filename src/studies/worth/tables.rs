//! The tables `worth`, `impact` and `replacements`.

use super::design::Design;
use super::results::{Impact, Of, Replacement, Results, UnitWorth};
use crate::recast::Recast;
use crate::statistics::Estimate;
use crate::table::{Column, Table};

/// A table of worth.
#[derive(Clone, Copy, Debug, PartialEq, Eq, strum::Display)]
#[cfg_attr(feature = "cli", derive(clap::ValueEnum), clap(rename_all = "snake_case"))]
#[strum(serialize_all = "snake_case")]
pub enum WorthTable {
    /// What every unit is worth.
    Worth,
    /// What hangs on it, and under what.
    Impact,
    /// The same battles without it.
    Replacements,
}

impl WorthTable {
    /// All of them.
    pub const ALL: [Self; 3] = [Self::Worth, Self::Impact, Self::Replacements];
}

fn names(design: &Design<'_>, units: &[usize]) -> Vec<Column> {
    let of = |of: &dyn Fn(&crate::tally::Unit) -> String| {
        units.iter().map(|&unit| of(&design.layout.units[unit])).collect()
    };
    vec![
        Column::text("unit", "its name", of(&|unit| unit.name.clone())),
        Column::text("kind", "what kind of unit it is", of(&|unit| unit.kind.to_owned())),
        Column::text("group", "what it belongs to", of(&|unit| unit.group.clone())),
    ]
}

/// Limits a difference of scores, or an impact, to -1 to 1, however far the model's interval reaches.
fn of_scores(estimate: Estimate) -> Estimate {
    estimate.within(-1.0, 1.0)
}

/// The table `worth`: one row per unit that somebody brought.
#[must_use]
pub fn worth(design: &Design<'_>, results: &Results) -> Table {
    let rows = &results.worths;
    let estimates =
        |of: &dyn Fn(&UnitWorth) -> Estimate| rows.iter().map(of).collect::<Vec<Estimate>>();
    let number = |of: &dyn Fn(&UnitWorth) -> f64| rows.iter().map(of).collect::<Vec<f64>>();
    let count = |of: &dyn Fn(&UnitWorth) -> u64| rows.iter().map(of).collect::<Vec<u64>>();
    let cost = |row: &UnitWorth| row.cost.map_or(f64::NAN, f64::from);
    let mut columns = names(design, &rows.iter().map(|row| row.unit).collect::<Vec<_>>());
    columns.extend([
        Column::number(
            "cost",
            "what it costs to bring it (mana); empty where the game has no price",
            number(&cost),
        ),
        Column::count("played", "how many sides brought it", count(&|row| row.played)),
        Column::number(
            "brought",
            "share of the sides that brought it, 0 to 1",
            number(&|row| row.brought),
        ),
        Column::number(
            "share",
            "how many copies of it a side brings on average, those that bring none among them: more than brought where any side brings \
             several",
            number(&|row| row.share),
        ),
    ]);
    columns.extend(Column::estimates(
        "score",
        "the score of the sides that brought it, 0 to 1, whatever else they brought",
        &estimates(&|row| row.raw),
    ));
    columns.extend(Column::estimates(
        "worth",
        "what it adds to the score beside its team-mates and opponents, less the mean of its kind, -1 to 1, each copy where a side brings \
         several; shrunken: drawn towards \
         that mean, or where the game has prices towards the line through the worths of its kind by cost, as far as its kind is alike",
        &estimates(&|row| of_scores(row.worth)),
    ));
    columns.push(Column::number(
        "worth_per_cost",
        "worth divided by cost; empty where there is no cost",
        number(&|row| row.worth.value / cost(row)),
    ));
    columns.extend(Column::estimates(
        "for_cost",
        "the same less what its kind is worth at its cost (the line through the worths of its kind by cost), -1 to 1; where the game has no \
         price, or one price for all, its worth",
        &estimates(&|row| of_scores(row.for_cost)),
    ));
    columns.extend(Column::estimates(
        "plain",
        "for_cost not shrunken, by least squares; empty below 100 appearances, and where it cannot be told apart from what goes \
         with it",
        &estimates(&|row| of_scores(row.plain)),
    ));
    columns.extend([
        Column::number(
            "p_value",
            "how likely a plain worth as far from 0 would be if it were worth what its kind is at its cost",
            number(&|row| row.p_value),
        ),
        Column::number(
            "p_adjusted",
            "the same, adjusted for all units (Benjamini-Hochberg)",
            number(&|row| row.p_adjusted),
        ),
        Column::count(
            "place_first",
            "the best place among its kind that it may have by for_cost, from 1; all places of a kind hold at once with 95% confidence; where nothing is known of it, any",
            count(&|row| row.places[0] as u64),
        ),
        Column::count(
            "place_last",
            "the worst place that it may have",
            count(&|row| row.places[1] as u64),
        ),
        Column::count("places", "how many of its kind take part", count(&|row| row.of as u64)),
    ]);
    Table { name: WorthTable::Worth.to_string(), columns }
}

impl Of {
    fn by(self, design: &Design<'_>) -> &'static str {
        match self {
            Of::All => "all",
            Of::Factor(_) => design.layout.factor_noun,
            Of::Bracket(_) => design.layout.bracket_noun,
            Of::Partner(_) => "partner",
        }
    }

    /// The name of the factor, bracket or partner; empty for all battles.
    pub(super) fn name(self, design: &Design<'_>) -> String {
        let layout = &design.layout;
        match self {
            Of::All => String::new(),
            Of::Factor(at) => layout.factors[at].clone(),
            Of::Bracket(at) => layout.brackets[at].clone(),
            Of::Partner(at) => layout.units[at].name.clone(),
        }
    }
}

/// The table `impact`: one row per unit, and one for each ruleset, mana cap and partner that it was brought with.
#[must_use]
pub fn impact(design: &Design<'_>, results: &Results) -> Table {
    let rows = &results.impacts;
    let estimates =
        |of: &dyn Fn(&Impact) -> Estimate| rows.iter().map(of).collect::<Vec<Estimate>>();
    let number = |of: &dyn Fn(&Impact) -> f64| rows.iter().map(of).collect::<Vec<f64>>();
    let text = |of: &dyn Fn(&Impact) -> String| rows.iter().map(of).collect::<Vec<String>>();
    let mut columns = names(design, &rows.iter().map(|row| row.unit).collect::<Vec<_>>());
    columns.extend([
        Column::text(
            "by",
            "what the battles have in common: `all`, or what is drawn for them (a ruleset, a mana cap), or a partner on the unit's side",
            text(&|row| row.of.by(design).to_owned()),
        ),
        Column::text("of", "which one", text(&|row| row.of.name(design))),
        Column::count(
            "played",
            "how many sides brought it to these battles",
            rows.iter().map(|row| row.played).collect(),
        ),
        Column::number(
            "brought",
            "share of the sides that brought it to them, 0 to 1; with a partner, that brought both",
            number(&|row| row.brought),
        ),
        Column::number(
            "share",
            "how many copies of it a side brings to them on average; with a partner, the share of the sides that bring both",
            number(&|row| row.share),
        ),
    ]);
    columns.extend(Column::estimates(
        "worth",
        "its worth in these battles (for its cost, where bringing it has a price), -1 to 1: of all battles the shrunken one, of others as fresh battles correct it, once what whole sides have more there is out of it",
        &estimates(&|row| of_scores(row.worth)),
    ));
    columns.extend(Column::estimates(
        "impact",
        "worth times share: how much of the scores in these battles hangs on it",
        &estimates(&|row| of_scores(row.impact)),
    ));
    columns.extend(Column::estimates(
        "difference",
        "how much more it is worth in these battles than in all others; with a partner, what a side with both has beyond the sum of \
         what it brings; from fresh battles; empty for all",
        &estimates(&|row| row.difference),
    ));
    columns.extend([
        Column::number(
            "p_value",
            "of all battles, how likely a worth as far from 0 would be if there were none; else the same of the difference",
            number(&|row| row.p_value),
        ),
        Column::number(
            "p_adjusted",
            "the same, adjusted for its list: all units; all units under all that is drawn; all partners (Benjamini-Hochberg)",
            number(&|row| row.p_adjusted),
        ),
    ]);
    Table { name: WorthTable::Impact.to_string(), columns }
}

impl Replacement {
    /// The kind of replacement, as the table names it.
    pub(super) fn change(&self) -> &'static str {
        match &self.by {
            None => "mean",
            Some((Recast::As(_), _)) => "stand-in",
            Some((Recast::Without(_), _)) => "without ability",
        }
    }

    /// The name of the stand-in or of the lost ability; empty for the mean.
    pub(super) fn name(&self) -> &str {
        self.by.as_ref().map_or("", |(_, name)| name)
    }
}

/// The table `replacements`: one row per unit and replacement.
#[must_use]
pub fn replacements(design: &Design<'_>, results: &Results) -> Table {
    let rows = &results.replacements;
    let estimates =
        |of: &dyn Fn(&Replacement) -> Estimate| rows.iter().map(of).collect::<Vec<Estimate>>();
    let number = |of: &dyn Fn(&Replacement) -> f64| rows.iter().map(of).collect::<Vec<f64>>();
    let text = |of: &dyn Fn(&Replacement) -> String| rows.iter().map(of).collect::<Vec<String>>();
    let mut columns = names(design, &rows.iter().map(|row| row.unit).collect::<Vec<_>>());
    columns.extend([
        Column::text(
            "change",
            "`stand-in`: another unit does all that it did; `mean`: the mean of all stand-ins, battle by battle; `without ability`: it \
             has lost one",
            text(&|row| row.change().to_owned()),
        ),
        Column::text(
            "by",
            "the unit that stood in, or the ability that it had lost; empty for the mean",
            text(&|row| row.name().to_owned()),
        ),
        Column::count(
            "battles",
            "how many battles were played again: such as one side alone brought it to",
            rows.iter().map(|row| row.battles).collect(),
        ),
    ]);
    columns.extend(Column::estimates(
        "score",
        "the score of its side as it is, 0 to 1",
        &estimates(&|row| row.own),
    ));
    columns.extend(Column::estimates(
        "score_changed",
        "the score of the same side in the same battles with the change, 0 to 1",
        &estimates(&|row| row.other),
    ));
    columns.extend(Column::estimates(
        "worth",
        "the first less the second, -1 to 1, battle by battle: what the unit, or its ability, does in the place of the other",
        &estimates(&|row| row.worth.difference),
    ));
    columns.extend([
        Column::number(
            "p_value",
            "how likely a difference as large would be if there were none",
            number(&|row| row.worth.p_value),
        ),
        Column::number(
            "p_adjusted",
            "the same, adjusted for all that this unit was replaced by (Holm); empty below 100 battles",
            number(&|row| row.p_adjusted),
        ),
        Column::number(
            "variance_ratio",
            "variance reduction: how many times as many independent battles would be as precise",
            number(&|row| row.worth.variance_ratio),
        ),
    ]);
    Table { name: WorthTable::Replacements.to_string(), columns }
}
