//! In which pairings of contenders a seat is better.

use std::collections::BTreeMap;

use crate::report::figures::whole;
use crate::statistics::{Estimate, Level};
use crate::tally::Layout;

/// Pairings of contenders, or of one with itself, in which both take either seat equally often.
pub(super) struct Pairings {
    /// How many there are.
    known: usize,
    /// In how many side A is visibly better, and side B, by intervals that hold for all pairings at once (Bonferroni).
    better: [usize; 2],
}

impl Pairings {
    /// Judges the pairings of a duel; there are none with more sides. `advantage` has that of side A over these match-ups.
    pub(super) fn of(
        layout: &Layout,
        at: &[u16],
        level: Level,
        advantage: impl Fn(&[usize], Level) -> Estimate,
    ) -> Self {
        let mut pairings: BTreeMap<(u16, u16), [Vec<usize>; 2]> = BTreeMap::new();
        for (matchup, seats) in at.chunks(layout.sides).enumerate() {
            if let &[a, b] = seats {
                pairings.entry((a.min(b), a.max(b))).or_default()[usize::from(a > b)].push(matchup);
            }
        }
        let both = pairings.into_iter().filter_map(|((one, other), [first, second])| {
            (one == other || first.len() == second.len()).then(|| [first, second].concat())
        });
        let both: Vec<Vec<usize>> = both.collect();
        let level = level.shared_by(both.len().max(1) as u64);
        let advantages: Vec<Estimate> =
            both.iter().map(|matchups| advantage(matchups, level)).collect();
        let count =
            |is_so: &dyn Fn(&Estimate) -> bool| advantages.iter().filter(|of| is_so(of)).count();
        Self { known: both.len(), better: [count(&|of| of.low > 0.0), count(&|of| of.high < 0.0)] }
    }

    /// What is visible in single pairings and cannot be seen from side A's advantage over all of them: a sentence after a
    /// space, or nothing.
    pub(super) fn against(&self, overall: &Estimate) -> String {
        let [a, b] = self.better;
        let (many, what) = match (overall.low > 0.0, overall.high < 0.0) {
            (true, _) => (b, "side B visibly has more"),
            (_, true) => (a, "side A visibly has more"),
            _ => (a + b, "a seat is visibly better"),
        };
        match many {
            0 => String::new(),
            many => format!(
                " In {} of {} pairings {what}.",
                whole(many as u64),
                whole(self.known as u64)
            ),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tally::fixture::duel;

    /// A duel's layout with these match-ups of contenders, and the contender of each seat.
    fn of(matchups: &[[u16; 2]]) -> (Layout, Vec<u16>) {
        let base = duel();
        let layout = Layout { matchups: vec![base.matchups[0].clone(); matchups.len()], ..base };
        (layout, matchups.concat())
    }

    /// Two pairings in which opposite seats are better, one with itself that is even, and one whose seats cannot be judged.
    #[test]
    fn seats_are_judged_in_pairings_that_swap_them() {
        let (layout, at) = of(&[[0, 1], [1, 0], [1, 2], [2, 1], [2, 2], [0, 2]]);
        let pairings = Pairings::of(&layout, &at, Level::P95, |matchups, _| {
            let value = match matchups {
                [0, 1] => 0.4,
                [2, 3] => -0.4,
                [4] => 0.0,
                other => panic!("{other:?} are no pairing"),
            };
            Estimate { value, low: value - 0.1, high: value + 0.1 }
        });
        let overall = |value: f64| Estimate { value, low: value - 0.01, high: value + 0.01 };
        assert_eq!(
            pairings.against(&overall(0.0)),
            " In 2 of 3 pairings a seat is visibly better."
        );
        assert_eq!(pairings.against(&overall(0.2)), " In 1 of 3 pairings side B visibly has more.");
        assert_eq!(
            pairings.against(&overall(-0.2)),
            " In 1 of 3 pairings side A visibly has more."
        );
    }
}
