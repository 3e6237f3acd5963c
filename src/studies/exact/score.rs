//! Exact scores, as fractions.

use num_rational::BigRational;
use num_traits::Zero;

use super::tables::outcomes;
use crate::game::{Outcome, Side};
use crate::tally::OutcomeMeasure;

/// The lower and the upper bound of a side's score in battles that end with these odds, where a share `open` of them is
/// not decided yet. None where the measure counts no battle.
pub(super) fn score(
    odds: &dyn Fn(Outcome) -> BigRational,
    open: &BigRational,
    measure: OutcomeMeasure,
    side: Side,
    sides: usize,
) -> Option<[BigRational; 2]> {
    let zero = BigRational::zero;
    let (mut looked_at, mut points) = (zero(), zero());
    for outcome in outcomes(sides) {
        if let Some(of) = measure.points(outcome, side, sides) {
            let part = BigRational::new(of.into(), sides.into());
            points += odds(outcome) * part;
            looked_at += odds(outcome);
        }
    }
    // The measure may count all open battles, and the side may win all or none of them.
    let most = looked_at + open;
    (!most.is_zero()).then(|| [&points / &most, (points + open) / most])
}

#[cfg(test)]
mod tests {
    use super::*;

    fn fraction(numerator: i64, denominator: i64) -> BigRational {
        BigRational::new(numerator.into(), denominator.into())
    }

    /// A wins 1/2, B 1/6, 1/12 is drawn and 1/12 undecided; 1/6 is open.
    fn odds(outcome: Outcome) -> BigRational {
        match outcome {
            Outcome::Win(Side::A) => fraction(1, 2),
            Outcome::Win(_) => fraction(1, 6),
            Outcome::Draw | Outcome::Undecided => fraction(1, 12),
        }
    }

    #[test]
    fn scores_are_those_of_the_battles() {
        let of = |measure, open: i64| {
            // Where nothing is open, B wins the rest, too.
            let odds = |outcome| match (outcome, open) {
                (Outcome::Win(Side::B), 0) => fraction(1, 3),
                _ => odds(outcome),
            };
            score(&odds, &fraction(open, 6), measure, Side::A, 2).unwrap()
        };
        let known = |measure| {
            let [low, high] = of(measure, 0);
            assert_eq!(low, high);
            low
        };
        assert_eq!(known(OutcomeMeasure::Score), fraction(7, 12));
        assert_eq!(known(OutcomeMeasure::Wins), fraction(1, 2));
        assert_eq!(known(OutcomeMeasure::Decided), fraction(3, 5));
        assert_eq!(of(OutcomeMeasure::Score, 1), [fraction(7, 12), fraction(9, 12)]);
        assert_eq!(of(OutcomeMeasure::Wins, 1), [fraction(1, 2), fraction(2, 3)]);
        assert_eq!(of(OutcomeMeasure::Decided, 1), [fraction(3, 5), fraction(4, 5)]);
        let undecided = |outcome| match outcome {
            Outcome::Undecided => fraction(1, 1),
            Outcome::Win(_) | Outcome::Draw => fraction(0, 1),
        };
        let nobody = |measure| score(&undecided, &fraction(0, 1), measure, Side(2), 3);
        assert_eq!(nobody(OutcomeMeasure::Decided), None);
        assert_eq!(nobody(OutcomeMeasure::Score), Some([fraction(1, 3), fraction(1, 3)]));
    }
}
