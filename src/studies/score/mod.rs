//! Forecasts compared with what happened: how good are simulated win rates as probabilities?

mod fit;
mod page;
mod tables;

pub use crate::statistics::Known;
pub use fit::{Aspect, Fit, Test};
pub use page::score as page;
pub use tables::{ScoreTable, score as table};

use std::collections::BTreeMap;

use crate::sorting::Sorting;
use crate::statistics::{Bin, Score, benjamini_hochberg, calibration};
use crate::table::LEVEL;
use fit::by_misfit;

/// How many bins a calibration has.
const BINS: usize = 10;

/// The forecasts for the battles under one factor.
#[derive(Clone, Debug, PartialEq)]
pub struct Group {
    /// The factor.
    pub factor: String,
    /// How many battles there are under it.
    pub battles: u64,
    /// How good forecasts were for those that somebody won; None when there are none.
    pub score: Option<Score>,
    /// How well they fit what happened.
    pub fit: Fit,
    /// The p-value of the four tests together ([`Fit::p`]), adjusted for the number of groups (Benjamini-Hochberg).
    pub p_adjusted: f64,
}

/// The assessment of forecasts for battles with known results.
#[derive(Clone, Debug, PartialEq)]
pub struct Scored {
    /// How many battles there are.
    pub battles: u64,
    /// The scores of the forecasts for battles that somebody won; None when there are none.
    pub decided: Option<Score>,
    /// How well the forecasts fit what happened.
    pub fit: Fit,
    /// The battles whose result was forecast as impossible, as indices into the scored battles.
    pub held_impossible: Vec<usize>,
    /// The factors, sorted by how badly their forecasts fit, worst first; a battle with two factors is in both groups.
    pub groups: Vec<Group>,
    /// The calibration curve of the forecasts for side A.
    pub calibration: Vec<Bin>,
    /// How many of the battles are known to be the same as another one before them: they count as independent of it.
    pub repeated: u64,
}

impl Scored {
    /// Scores the forecasts for these battles.
    #[must_use]
    pub fn of(known: &[Known]) -> Self {
        let impossible = known.iter().enumerate().filter(|(_, battle)| battle.held_impossible);
        let forecasts = || known.iter().filter_map(Known::forecast);
        let decided = Score::of(forecasts(), LEVEL);
        let all: Vec<&Known> = known.iter().collect();
        Self {
            battles: known.len() as u64,
            fit: Fit::of(&all, decided.as_ref()),
            decided,
            held_impossible: impossible.map(|(at, _)| at).collect(),
            groups: groups(known),
            calibration: calibration(forecasts(), BINS, LEVEL),
            repeated: 0,
        }
    }

    /// This assessment where so many of the battles are the same as another one before them.
    #[must_use]
    pub fn with_repeated(self, repeated: u64) -> Self {
        Self { repeated, ..self }
    }
}

fn groups(known: &[Known]) -> Vec<Group> {
    let mut by_factor: BTreeMap<&str, Vec<&Known>> = BTreeMap::new();
    for battle in known {
        for factor in &battle.factors {
            by_factor.entry(factor).or_default().push(battle);
        }
    }
    let group = |(factor, battles): (&str, Vec<&Known>)| {
        let score = Score::of(battles.iter().filter_map(|battle| battle.forecast()), LEVEL);
        Group {
            factor: factor.to_owned(),
            battles: battles.len() as u64,
            fit: Fit::of(&battles, score.as_ref()),
            score,
            p_adjusted: f64::NAN,
        }
    };
    let mut groups: Vec<Group> = by_factor.into_iter().map(group).collect();
    let p_values: Vec<f64> = groups.iter().map(|group| group.fit.p()).collect();
    for (group, p_adjusted) in groups.iter_mut().zip(benjamini_hochberg(&p_values)) {
        group.p_adjusted = p_adjusted;
    }
    groups.put_in_order_by(|a, b| {
        a.fit.p().total_cmp(&b.fit.p()).then_with(|| by_misfit(a.fit.worst(), b.fit.worst()))
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
        let draws = scored.fit.test(Aspect::Draws);
        assert_eq!((scored.battles, draws.observed), (3, 1.0));
        let decided = scored.decided.expect("two are decided");
        assert_eq!((decided.forecasts, decided.accuracy.value), (2, 1.0));
        assert!((draws.expected - 1.1).abs() < 1e-12);
        // Of 10,001 runs twice 1,000 are draws, of 90,001 once 81,001.
        let shares = [1_000.0 / 10_001.0, 1_000.0 / 10_001.0, 81_001.0 / 90_001.0];
        let variance: f64 = shares.iter().map(|share| share * (1.0 - share)).sum();
        let z = (1.0 - shares.iter().sum::<f64>()) / variance.sqrt();
        assert!((draws.z - z).abs() < 1e-9, "{}", draws.z);
    }

    #[test]
    fn a_battle_of_two_factors_counts_for_both_and_misfits_come_first() {
        let mut battles = vec![known(&["Standard"], 0.6, Some(true)); 3];
        battles.extend(vec![known(&["Standard"], 0.6, Some(false)); 3]);
        battles.extend(vec![known(&["Earthquake", "Fog of War"], 0.9, Some(false)); 6]);
        let undrawn = Known { draws: 0, ..known(&["Fog of War"], 0.9, Some(true)) };
        battles.extend(vec![undrawn; 60]);
        battles.push(known(&["Lost Magic"], 0.5, None));
        battles[3].held_impossible = true;
        let scored = Scored::of(&battles);
        let of = |group: &Group| (group.factor.clone(), group.battles);
        let mut order: Vec<(String, u64)> = scored.groups.iter().map(of).collect();
        assert!(scored.groups.is_sorted_by_key(|group| group.p_adjusted));
        // One battle under Standard was ruled out; the others fit, in whatever order.
        order[2..].sort();
        let wanted = [("Earthquake", 6), ("Standard", 6), ("Fog of War", 66), ("Lost Magic", 1)];
        let decided = |group: &Group| group.score.map(|score| score.forecasts);
        assert_eq!(order, wanted.map(|(factor, battles)| (factor.to_owned(), battles)));
        assert!(
            scored.groups.iter().all(|of| decided(of).is_some() == (of.factor != "Lost Magic"))
        );
        // Six in a row that one in ten forecasts has wrong: twice that, for four tests and four groups.
        let p = scored.groups[0].p_adjusted;
        assert!(p < 16.0 * 2.04e-6 && p > 16.0 * 2e-6, "{:?}", scored.groups[0]);
        assert_eq!(scored.groups[1].fit.worst().aspect, Aspect::RuledOut);
        assert!(scored.groups[1].p_adjusted < 1e-4, "{:?}", scored.groups[1]);
        assert!(scored.groups[2].p_adjusted > 0.5, "{:?}", scored.groups[2]);
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
        println!("{named} of {LISTS} lists name a ruleset");
        assert!(named <= 25, "{named} of {LISTS}");
    }

    #[test]
    fn nothing_scores_nothing() {
        let scored = Scored::of(&[]);
        assert_eq!((scored.battles, scored.decided, scored.groups.len()), (0, None, 0));
    }
}
