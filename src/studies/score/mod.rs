//! Forecasts compared with what happened: how good are simulated win rates as probabilities?

mod page;
mod tables;

pub use crate::statistics::Known;
pub use page::score as page;
pub use tables::{ScoreTable, score as table};

use std::collections::BTreeMap;

use crate::sorting::Sorting;
use crate::statistics::{Bin, Forecast, Score, benjamini_hochberg, calibration};
use crate::table::LEVEL;

/// How many bins a calibration has.
const BINS: usize = 10;

/// The scores of the forecasts for the battles under one factor.
#[derive(Clone, Debug, PartialEq)]
pub struct Group {
    /// The factor.
    pub factor: String,
    /// How good forecasts were under it.
    pub score: Score,
    /// The p-value of the log loss if forecasts were true ([`Score::log_loss_p`]), adjusted for the number of groups
    /// (Benjamini-Hochberg). NaN where no forecast could have scored otherwise.
    pub p_adjusted: f64,
}

/// The assessment of forecasts for battles with known results.
#[derive(Clone, Debug, PartialEq)]
pub struct Scored {
    /// How many battles there are.
    pub battles: u64,
    /// The scores of the forecasts for battles that somebody won; None when there are none.
    pub decided: Option<Score>,
    /// How many battles nobody won.
    pub draws: u64,
    /// How many draws the simulations predict.
    pub expected_draws: f64,
    /// How many standard deviations the number of draws is above its expectation if reality has the odds of the
    /// simulations; NaN where no other number was possible.
    pub draws_z: f64,
    /// The battles whose result was forecast as impossible, as indices into the scored battles.
    pub held_impossible: Vec<usize>,
    /// The factors, sorted by how badly their forecasts fit, worst first; a battle with two factors is in both groups.
    pub groups: Vec<Group>,
    /// The calibration curve of the forecasts for side A.
    pub calibration: Vec<Bin>,
}

impl Scored {
    /// Scores the forecasts for these battles.
    #[must_use]
    pub fn of(known: &[Known]) -> Self {
        let expected_draws = known.iter().map(Known::draw).sum::<f64>();
        let draws = known.iter().filter(|battle| battle.first_won.is_none()).count() as u64;
        // As for the scores: if reality has the odds of the simulations, any of their runs may be the real one.
        let exchanged = || known.iter().map(Known::draw_with_reality);
        let draws_off = draws as f64 - exchanged().sum::<f64>();
        let variance = exchanged().map(|share| share * (1.0 - share)).sum::<f64>();
        let impossible = known.iter().enumerate().filter(|(_, battle)| battle.held_impossible);
        let forecasts = || known.iter().filter_map(Known::forecast);
        Self {
            battles: known.len() as u64,
            decided: Score::of(forecasts(), LEVEL),
            draws,
            expected_draws,
            draws_z: if variance > 0.0 { draws_off / variance.sqrt() } else { f64::NAN },
            held_impossible: impossible.map(|(at, _)| at).collect(),
            groups: groups(known),
            calibration: calibration(forecasts(), BINS, LEVEL),
        }
    }
}

fn groups(known: &[Known]) -> Vec<Group> {
    let mut by_factor: BTreeMap<&str, Vec<Forecast>> = BTreeMap::new();
    for battle in known {
        for factor in &battle.factors {
            by_factor.entry(factor).or_default().extend(battle.forecast());
        }
    }
    let scores: Vec<(&str, Score)> = by_factor
        .into_iter()
        .filter_map(|(factor, forecasts)| Some((factor, Score::of(forecasts, LEVEL)?)))
        .collect();
    let p_values: Vec<f64> = scores.iter().map(|(_, score)| score.log_loss_p).collect();
    let mut groups: Vec<Group> = scores
        .into_iter()
        .zip(benjamini_hochberg(&p_values))
        .map(|((factor, score), p_adjusted)| Group { factor: factor.to_owned(), score, p_adjusted })
        .collect();
    // Groups that could not have scored otherwise have NaN and come last.
    groups.put_in_order_by(|a, b| {
        let [a, b] = [a, b].map(|group| group.score);
        let farther = || b.log_loss_z.abs().total_cmp(&a.log_loss_z.abs());
        a.log_loss_p.total_cmp(&b.log_loss_p).then_with(farther)
    });
    groups
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::chance::Seeded;

    fn known(factors: &[&str], first_wins: f64, first_won: Option<bool>) -> Known {
        Known {
            place: "line 1".to_owned(),
            factors: factors.iter().map(|&factor| factor.to_owned()).collect(),
            wins: [first_wins, 1.0 - first_wins].map(|share| (share * 9_000.0).round() as u64),
            draws: if first_won.is_none() { 81_000 } else { 1_000 },
            first_won,
            held_impossible: false,
        }
    }

    #[test]
    fn draws_are_counted_apart_from_who_wins() {
        let scored = Scored::of(&[
            known(&["Standard"], 0.9, Some(true)),
            known(&["Standard"], 0.2, Some(false)),
            known(&["Earthquake"], 0.5, None),
        ]);
        assert_eq!((scored.battles, scored.draws), (3, 1));
        let decided = scored.decided.expect("two are decided");
        assert_eq!((decided.forecasts, decided.accuracy.value), (2, 1.0));
        assert!((scored.expected_draws - 1.1).abs() < 1e-12);
        // Of 10,001 runs twice 1,000 are draws, of 90,001 once 81,001.
        let shares = [1_000.0 / 10_001.0, 1_000.0 / 10_001.0, 81_001.0 / 90_001.0];
        let variance: f64 = shares.iter().map(|share| share * (1.0 - share)).sum();
        let z = (1.0 - shares.iter().sum::<f64>()) / variance.sqrt();
        assert!((scored.draws_z - z).abs() < 1e-9, "{}", scored.draws_z);
    }

    #[test]
    fn a_battle_of_two_factors_counts_for_both_and_misfits_come_first() {
        let mut battles = vec![known(&["Standard"], 0.6, Some(true)); 3];
        battles.extend(vec![known(&["Standard"], 0.6, Some(false)); 3]);
        battles.extend(vec![known(&["Earthquake", "Fog of War"], 0.9, Some(false)); 6]);
        battles.extend(vec![known(&["Fog of War"], 0.9, Some(true)); 60]);
        battles.push(known(&["Lost Magic"], 0.5, None));
        battles[3].held_impossible = true;
        let scored = Scored::of(&battles);
        let of = |group: &Group| (group.factor.clone(), group.score.forecasts);
        let mut order: Vec<(String, u64)> = scored.groups.iter().map(of).collect();
        assert!(scored.groups.is_sorted_by_key(|group| group.p_adjusted));
        // The other two fit, in whatever order.
        order[1..].sort();
        let wanted = [("Earthquake", 6), ("Fog of War", 66), ("Standard", 6)];
        assert_eq!(order, wanted.map(|(factor, battles)| (factor.to_owned(), battles)));
        // Six in a row that one in ten forecasts has wrong: twice that, for three groups.
        assert!(scored.groups[0].p_adjusted < 6.1e-6, "{:?}", scored.groups[0]);
        assert!(scored.groups[1].p_adjusted > 0.5, "{:?}", scored.groups[1]);
        assert_eq!(scored.held_impossible, [3]);
    }

    /// Lists of 20 rulesets with ten battles each, whose winners have the odds of the simulations: no more than about
    /// one list in 20 contains a significant ruleset.
    #[test]
    fn lists_of_true_forecasts_name_no_ruleset() {
        const LISTS: u64 = 300;
        let named = (0..LISTS).filter(|&list| {
            let mut random = Seeded::of_battle(90, list);
            let battles: Vec<Known> = (0..200)
                .map(|at| {
                    let p = (10.0 * random.unit() - 4.5).clamp(0.003, 0.997);
                    let won = (0..1_000).filter(|_| random.unit() < p).count() as u64;
                    Known {
                        place: String::new(),
                        factors: vec![format!("ruleset {}", at % 20)],
                        wins: [won, 1_000 - won],
                        draws: 0,
                        first_won: Some(random.unit() < p),
                        held_impossible: false,
                    }
                })
                .collect();
            Scored::of(&battles).groups.iter().any(|group| group.p_adjusted < 0.05)
        });
        let named = named.count();
        assert!(named <= 25, "{named} of {LISTS}");
    }

    #[test]
    fn nothing_scores_nothing() {
        let scored = Scored::of(&[]);
        assert_eq!((scored.battles, scored.decided, scored.groups.len()), (0, None, 0));
    }
}
