//! The tables of `evens score`.

use crate::statistics::{Estimate, Score};
use crate::studies::score::{Known, Scored};
use crate::table::{Column, Table};

/// A table that `evens score` fills.
#[derive(Clone, Copy, Debug, PartialEq, Eq, strum::Display)]
#[cfg_attr(feature = "cli", derive(clap::ValueEnum))]
#[strum(serialize_all = "snake_case")]
pub enum ScoreTable {
    /// Accuracy, Brier score and log loss, in all and by ruleset
    Scores,
    /// The calibration curve: forecasts by tenths, and how often they came true
    Calibration,
    /// One row per battle
    Forecasts,
}

/// One of the tables of scored forecasts.
#[must_use]
pub fn score(name: ScoreTable, known: &[Known], scored: &Scored) -> Table {
    let columns = match name {
        ScoreTable::Scores => scores(scored),
        ScoreTable::Calibration => calibration(scored),
        ScoreTable::Forecasts => forecasts(known),
    };
    Table { name: name.to_string(), columns }
}

/// One row for all decided battles, and one per factor.
fn scores(scored: &Scored) -> Vec<Column> {
    let all = scored.decided.iter().map(|score| (String::new(), *score, f64::NAN));
    let groups = scored.groups.iter().map(|of| (of.factor.clone(), of.score, of.p_adjusted));
    let rows: Vec<(String, Score, f64)> = all.chain(groups).collect();
    let number = |of: &dyn Fn(&Score) -> f64| rows.iter().map(|row| of(&row.1)).collect::<Vec<_>>();
    let estimate =
        |of: &dyn Fn(&Score) -> Estimate| rows.iter().map(|row| of(&row.1)).collect::<Vec<_>>();
    let mut columns = vec![
        Column::text(
            "ruleset",
            "the ruleset; empty for all battles",
            rows.iter().map(|row| row.0.clone()).collect(),
        ),
        Column::count(
            "battles",
            "battles that somebody won",
            rows.iter().map(|row| row.1.forecasts).collect(),
        ),
    ];
    columns.extend(Column::estimates(
        "accuracy",
        "share of the battles whose winner had more than one half, 0 to 1",
        &estimate(&|score| score.accuracy),
    ));
    columns.push(Column::number(
        "accuracy_expected",
        "the same on average if reality had the odds of the simulations",
        number(&|score| score.expected_accuracy),
    ));
    columns.extend(Column::estimates(
        "brier_score",
        "mean squared distance of the forecast from what happened, 0 to 1",
        &estimate(&|score| score.brier),
    ));
    columns.extend([
        Column::number(
            "brier_score_expected",
            "the same on average if reality had the odds of the simulations",
            number(&|score| score.expected_brier),
        ),
        Column::number(
            "brier_score_z",
            "how many standard deviations the one is above the other (Spiegelhalter, allowing for forecasts from few runs)",
            number(&|score| score.brier_z),
        ),
        Column::number(
            "brier_score_excess",
            "how much of it is due to forecasts being estimated from few runs, on average",
            number(&|score| score.brier_excess),
        ),
    ]);
    columns.extend(Column::estimates(
        "log_loss",
        "mean of minus the natural logarithm of the probability given to the winner",
        &estimate(&|score| score.log_loss),
    ));
    columns.extend([
        Column::number(
            "log_loss_expected",
            "the same on average if reality had the odds of the simulations",
            number(&|score| score.expected_log_loss),
        ),
        Column::number(
            "log_loss_z",
            "how many standard deviations the one is above the other",
            number(&|score| score.log_loss_z),
        ),
        Column::number(
            "log_loss_excess",
            "how much of it is due to forecasts being estimated from few runs, on average",
            number(&|score| score.log_loss_excess),
        ),
        Column::number(
            "p_adjusted",
            "how likely a log loss as far out would be if reality had the odds of the simulations, by its own distribution, adjusted for the number of rulesets (Benjamini-Hochberg)",
            rows.iter().map(|row| row.2).collect(),
        ),
    ]);
    columns
}

/// One row per bin of forecasts.
fn calibration(scored: &Scored) -> Vec<Column> {
    let bins = &scored.calibration;
    let number = |of: fn(&crate::statistics::Bin) -> f64| bins.iter().map(of).collect::<Vec<f64>>();
    let mut columns = vec![
        Column::number("from", "forecasts for team 1 from this", number(|bin| bin.from)),
        Column::number("to", "to this", number(|bin| bin.to)),
        Column::count("battles", "how many", bins.iter().map(|bin| bin.forecasts).collect()),
        Column::number("forecast", "their mean, 0 to 1", number(|bin| bin.mean)),
    ];
    let happened: Vec<Estimate> = bins.iter().map(|bin| bin.happened).collect();
    columns.extend(Column::estimates("won", "share of them that team 1 won, 0 to 1", &happened));
    columns
}

/// One row per battle.
fn forecasts(known: &[Known]) -> Vec<Column> {
    let text = |of: &dyn Fn(&Known) -> String| known.iter().map(of).collect::<Vec<_>>();
    let number = |of: fn(&Known) -> f64| known.iter().map(of).collect::<Vec<f64>>();
    let winner = |battle: &Known| match battle.first_won {
        Some(true) => "team1",
        Some(false) => "team2",
        None => "draw",
    };
    vec![
        Column::text("battle", "where it stands", text(&|battle| battle.place.clone())),
        Column::text_lists(
            "rulesets",
            "its rulesets",
            " + ",
            known.iter().map(|battle| &battle.factors),
        ),
        Column::number(
            "team1_wins",
            "probability that team 1 wins if anybody does, 0 to 1",
            number(Known::first_wins),
        ),
        Column::number("draw", "probability that nobody wins, 0 to 1", number(Known::draw)),
        Column::text(
            "winner",
            "who won: team1, team2, draw",
            text(&|battle| winner(battle).to_owned()),
        ),
        Column::flag(
            "held_impossible",
            "whether what happened never came up in the simulations",
            known.iter().map(|battle| battle.held_impossible).collect(),
        ),
    ]
}
