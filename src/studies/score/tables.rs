//! The tables of `evens score`.

use crate::statistics::{Estimate, Score};
use crate::studies::score::{Group, Known, Scored, Test};
use crate::table::{Column, Table};

/// A table that `evens score` fills.
#[derive(Clone, Copy, Debug, PartialEq, Eq, strum::Display)]
#[cfg_attr(feature = "cli", derive(clap::ValueEnum))]
#[strum(serialize_all = "snake_case")]
pub enum ScoreTable {
    /// Accuracy, Brier score and log loss, in all and by ruleset
    Scores,
    /// Tests of the forecasts: log loss, wins of team 1, draws and what was ruled out, in all and by ruleset
    Tests,
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
        ScoreTable::Tests => tests(scored),
        ScoreTable::Calibration => calibration(scored),
        ScoreTable::Forecasts => forecasts(known),
    };
    Table { name: name.to_string(), columns }
}

/// Something of all battles, if there are any, and of those under each factor: by the factor, which is empty for all.
fn rows<T>(
    scored: &Scored,
    all: impl FnOnce(&Scored) -> T,
    group: impl Fn(&Group) -> T,
) -> Vec<(String, T)> {
    let all = (scored.battles > 0).then(|| (String::new(), all(scored)));
    all.into_iter().chain(scored.groups.iter().map(|of| (of.factor.clone(), group(of)))).collect()
}

/// One row for all battles, and one per factor.
fn scores(scored: &Scored) -> Vec<Column> {
    let rows = rows(
        scored,
        |all| (all.decided, [all.fit.p(), f64::NAN]),
        |of| (of.score, [of.fit.p(), of.p_adjusted]),
    );
    let number = |of: &dyn Fn(&Score) -> f64| -> Vec<f64> {
        rows.iter().map(|(_, (score, _))| score.as_ref().map_or(f64::NAN, of)).collect()
    };
    let estimate = |of: &dyn Fn(&Score) -> Estimate| -> Vec<Estimate> {
        rows.iter().map(|(_, (score, _))| score.as_ref().map_or(Estimate::UNKNOWN, of)).collect()
    };
    let mut columns = vec![
        Column::text(
            "ruleset",
            "the ruleset; empty for all battles",
            rows.iter().map(|row| row.0.clone()).collect(),
        ),
        Column::count(
            "battles",
            "battles that somebody won",
            rows.iter().map(|row| row.1.0.map_or(0, |score| score.forecasts)).collect(),
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
            "p_value",
            "of all battles of the row, drawn ones included: how likely it is that they fit no better if reality has the odds of the simulations, by the smallest of their four p-values in `tests`, adjusted for the four (Holm)",
            rows.iter().map(|row| row.1.1[0]).collect(),
        ),
        Column::number(
            "p_adjusted",
            "of a ruleset, the same, adjusted for the number of rulesets (Benjamini-Hochberg)",
            rows.iter().map(|row| row.1.1[1]).collect(),
        ),
    ]);
    columns
}

/// One row per test of all battles, and of those under each factor.
fn tests(scored: &Scored) -> Vec<Column> {
    let rows: Vec<(String, Test)> = rows(scored, |all| all.fit, |of| of.fit)
        .into_iter()
        .flat_map(|(factor, fit)| fit.tests().map(|test| (factor.clone(), test)))
        .collect();
    let number = |of: fn(&Test) -> f64| rows.iter().map(|(_, test)| of(test)).collect::<Vec<_>>();
    let mut columns = vec![
        Column::text(
            "ruleset",
            "the ruleset; empty for all battles",
            rows.iter().map(|(factor, _)| factor.clone()).collect(),
        ),
        Column::text(
            "test",
            "what is compared: log loss, team 1 won (the team that each record calls so), drawn, ruled out (ended in a way that never came up, not even in a hundred times as many simulations)",
            rows.iter().map(|(_, test)| test.aspect.to_string()).collect(),
        ),
        Column::count(
            "battles",
            "battles that tell it: of the log loss those that somebody won, of team 1 those that somebody won in simulations as well, of the others all",
            rows.iter().map(|(_, test)| test.battles).collect(),
        ),
        Column::number(
            "observed",
            "the mean log loss, or how many of these battles ended so",
            number(|test| test.observed),
        ),
        Column::number(
            "expected",
            "the same on average if reality has the odds of the simulations; of what was ruled out, at most this",
            number(|test| test.expected),
        ),
    ];
    let differences: Vec<Estimate> = rows.iter().map(|(_, test)| test.difference).collect();
    columns.extend(Column::estimates(
        "difference",
        "the observed share of the battles minus the expected one, -1 to 1; empty for the log loss and what was ruled out",
        &differences,
    ));
    columns.extend([
        Column::number(
            "z",
            "how many standard errors the observed figure is above its expectation, allowing for forecasts from few runs; empty for what was ruled out",
            number(|test| test.z),
        ),
        Column::number(
            "p_value",
            "how likely a figure as far out, on either side, would be if reality had the odds of the simulations, by its own distribution; of what was ruled out, at most how likely as much or more would be",
            number(|test| test.p),
        ),
        Column::number(
            "p_adjusted",
            "the same, adjusted for the four tests (Holm)",
            number(|test| test.p_adjusted),
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
    columns.push(Column::number(
        "expected",
        "share that team 1 would win if reality had the odds of the simulations, 0 to 1",
        number(|bin| bin.expected),
    ));
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
