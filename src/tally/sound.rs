//! Checks whether counts that were read can be sums over battles. Counts that contradict each other, or are larger than
//! so many battles can make them, are no tally, and adding them to others could overflow.

use super::orders::Endings;
use super::{Appearances, Clustered, Count, OrderCount, PairCount, UnitCount};

/// The most appearances, orders or points of one kind that a battle can have.
const IN_A_BATTLE: u64 = 1 << 20;
/// The most that a battle can add to a sum of squares or products, or of hit points.
const SQUARED: u64 = 1 << 40;
/// The bound of a battle's metric, a 64-bit number.
const METRIC: i128 = 1 << 63;

/// The sum; none where it exceeds 64 bits.
fn sum<'c>(counts: impl IntoIterator<Item = &'c u64>) -> Option<u64> {
    counts.into_iter().try_fold(0_u64, |sum, count| sum.checked_add(*count))
}

fn are_within<const N: usize>(counts: [u64; N], most: u64, battles: u64) -> bool {
    counts.into_iter().all(|count| u128::from(count) <= u128::from(most) * u128::from(battles))
}

impl Count {
    /// Whether outcomes, forfeits and lengths fit the number of battles.
    pub(super) fn is_sound(&self) -> bool {
        let Self { battles, wins, draws, undecided, forfeits, unfought, lengths, sums, squares } =
            self;
        let of_battle = |sum: &i128| sum.unsigned_abs() <= METRIC as u128 * u128::from(*battles);
        // No square of a metric is summed beyond this: battles of a job are far fewer than 64 bits say.
        let of_squares = |sum: &i128| (0..=i128::MAX >> 8).contains(sum);
        sum(wins.iter().chain([draws, undecided])) == Some(*battles)
            && unfought <= battles
            && forfeits.iter().all(|forfeited| forfeited <= unfought)
            && (lengths.is_empty() || sum(lengths) == Some(battles - unfought))
            && sums.iter().all(of_battle)
            && squares.iter().all(of_squares)
    }
}

impl Endings {
    fn is_sound(&self, battles: u64) -> bool {
        self.battles <= battles && sum(&self.wins).is_some_and(|won| won <= self.battles)
    }
}

impl UnitCount {
    /// Whether so many battles can have these appearances.
    pub(super) fn is_sound(&self, battles: u64) -> bool {
        let Self { played, won, shared, survived, dealt, taken } = self;
        are_within([*played], IN_A_BATTLE, battles)
            && sum([won, shared]).is_some_and(|ended| ended <= *played)
            && survived <= played
            && are_within([*dealt, *taken], SQUARED, battles)
    }
}

impl Appearances {
    /// Whether so many battles can have these appearances under a factor.
    pub(super) fn is_sound(&self, battles: u64) -> bool {
        are_within([self.played], IN_A_BATTLE, battles)
            && sum([&self.won, &self.lost]).is_some_and(|ended| ended <= self.played)
    }
}

impl Clustered {
    /// Whether so many battles between so many sides can have these sums.
    pub(super) fn is_sound(&self, battles: u64, sides: u64) -> bool {
        let Self { times, points, times_squared, times_by_points, points_squared } = *self;
        are_within([times], IN_A_BATTLE, battles)
            && are_within([points], sides, times)
            && times <= times_squared
            && are_within([times_squared, times_by_points, points_squared], SQUARED, battles)
    }
}

impl PairCount {
    /// Whether so many battles between so many sides can have these counts of two units.
    pub(super) fn is_sound(&self, battles: u64, sides: u64) -> bool {
        are_within([self.played], IN_A_BATTLE, battles)
            && are_within([self.points], sides, self.played)
    }
}

impl OrderCount {
    /// Whether so many battles can have had this order.
    pub(super) fn is_sound(&self, of: u64) -> bool {
        let Self { times, times_squared, times_by_all, battles, metrics, first } = self;
        let of_battle = |sum: &i128| sum.unsigned_abs() <= METRIC as u128 * u128::from(of);
        battles.is_sound(of)
            && first.is_sound(battles.battles)
            && are_within([*times], IN_A_BATTLE, of)
            && are_within([*times_squared, *times_by_all], SQUARED, of)
            && metrics.iter().all(of_battle)
    }
}
