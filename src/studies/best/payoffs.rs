//! The line-ups of a metagame and the battles between them.

use std::collections::BTreeMap;

use super::arena::{Arena, Ended, Field, Fixture, Other, Sharing};
use crate::chance::Stream;
use crate::lineups::LineUp;
use crate::sorting::Sorting;
use crate::statistics::near_equilibrium;
use crate::tally::Layout;

/// The most rounds of playing more battles and computing the mix again.
const REFINEMENTS: usize = 3;
/// The fewest additional battles of a pair that are worth building an engine.
const LEAST_MORE: u64 = 8;
/// The most battles of a pair that are played merely for the reported scores.
const MOST_LEVEL: u64 = 500;
/// When there are more line-ups than the first of these, those that score least against the mix are removed until the
/// second number is left.
const MOST: usize = 400;
const LEFT: usize = 350;

/// The results of the battles between two line-ups, from the first one's point of view.
#[derive(Clone, Debug, Default)]
pub(super) struct Pair {
    pub won: u64,
    pub shared: u64,
    pub lost: u64,
    /// By factor: twice the score in points, and battles.
    pub under: Vec<(u64, u64)>,
}

impl Pair {
    pub(super) fn battles(&self) -> u64 {
        self.won + self.shared + self.lost
    }

    pub(super) fn score(&self) -> f64 {
        match self.battles() {
            0 => 0.5,
            battles => (2 * self.won + self.shared) as f64 / (2 * battles) as f64,
        }
    }

    pub(super) fn turned(&self) -> Self {
        let turn = |&(points, battles): &(u64, u64)| (2 * battles - points, battles);
        Self {
            won: self.lost,
            shared: self.shared,
            lost: self.won,
            under: self.under.iter().map(turn).collect(),
        }
    }

    pub(super) fn deviation(&self) -> f64 {
        let n = self.battles() as f64;
        if n == 0.0 {
            return 0.0;
        }
        // Agresti and Coull's two battles of either kind: nobody is certain to win after a few.
        let (n, won) = (n + 4.0, self.won as f64 + self.shared as f64 / 2.0 + 2.0);
        let squares = self.won as f64 + self.shared as f64 / 4.0 + 2.0;
        ((squares / n - (won / n).powi(2)) / n).max(0.0).sqrt()
    }
}

/// The line-ups so far and the battles between them.
#[derive(Default)]
pub(super) struct Table {
    pub line_ups: Vec<LineUp>,
    /// By row and column, the lower triangle.
    pub pairs: Vec<Vec<Pair>>,
}

impl Table {
    pub(super) fn pair(&self, one: usize, other: usize) -> Pair {
        match one.cmp(&other) {
            std::cmp::Ordering::Less => self.pairs[other][one].turned(),
            std::cmp::Ordering::Equal => Pair::default(),
            std::cmp::Ordering::Greater => self.pairs[one][other].clone(),
        }
    }

    /// The lead of each line-up over each, -1 to 1.
    pub(super) fn leads(&self) -> Vec<Vec<f64>> {
        let count = self.line_ups.len();
        let lead =
            |i: usize, j: usize| if i == j { 0.0 } else { 2.0 * self.pair(i, j).score() - 1.0 };
        (0..count).map(|i| (0..count).map(|j| lead(i, j)).collect()).collect()
    }

    pub(super) fn mix(&self) -> Vec<f64> {
        let leads = self.leads();
        near_equilibrium(self.line_ups.len(), |i, j| leads[i][j])
    }

    /// Plays `battles` more battles of one line-up against each of some before it, half of them on either side.
    fn play(
        &mut self,
        arena: &mut Arena<'_>,
        layout: &Layout,
        row: usize,
        with: &[usize],
        battles: u64,
    ) -> Result<(), Ended> {
        if with.is_empty() {
            return Ok(());
        }
        let fixtures = with.iter().flat_map(|&other| {
            [0, 1].map(|seat| Fixture {
                seat,
                others: vec![Other::LineUp(self.line_ups[other].clone())],
            })
        });
        let field = Field::even(fixtures.collect());
        let count = field.fixtures().len() as u64;
        let stream = Stream::Metagame;
        let first = arena.next(stream);
        let all = battles.div_ceil(2) * count;
        let candidate = self.line_ups[row].clone();
        let played = arena.play(&field, &[&candidate], all, stream, Sharing::Same)?;
        let conditions = match layout.conditions.len() {
            1 => Vec::new(),
            _ => arena.conditions(layout, &field, stream, first..first + all),
        };
        for (at, &points) in played[0].iter().enumerate() {
            let fixture = ((first + at as u64) % count) as usize;
            let pair = &mut self.pairs[row][with[fixture / 2]];
            match points {
                0 => pair.lost += 1,
                1 => pair.shared += 1,
                _ => pair.won += 1,
            }
            if let Some(&condition) = conditions.get(at) {
                pair.under.resize(layout.factors.len(), (0, 0));
                for &factor in &layout.conditions[condition as usize].factors {
                    let under = &mut pair.under[usize::from(factor)];
                    under.0 += u64::from(points);
                    under.1 += 1;
                }
            }
        }
        Ok(())
    }

    pub(super) fn add(
        &mut self,
        arena: &mut Arena<'_>,
        layout: &Layout,
        line_up: LineUp,
        battles: u64,
    ) -> Result<(), Ended> {
        let row = self.line_ups.len();
        self.line_ups.push(line_up);
        self.pairs.push(vec![Pair::default(); row]);
        let all: Vec<usize> = (0..row).collect();
        self.play(arena, layout, row, &all, battles)
    }

    /// Plays more battles between line-ups that are in the mix, or nearly even with it, until their scores against it
    /// are known well: a pair gets battles in proportion to the larger of its two shares, up to `rate` for the whole
    /// mix, and at most `at_most` battles in all. Returns the new mix.
    pub(super) fn refine(
        &mut self,
        arena: &mut Arena<'_>,
        layout: &Layout,
        (near, rate): (f64, f64),
        at_most: u64,
    ) -> Result<Vec<f64>, Ended> {
        let began = arena.played;
        let mut mix = self.mix();
        for _ in 0..REFINEMENTS {
            let leads = self.leads_over(&mix);
            let close: Vec<usize> =
                (0..mix.len()).filter(|&at| mix[at] > 0.0 || leads[at] > -near).collect();
            let mut has_played = false;
            for (at, &row) in close.iter().enumerate() {
                // Opponents by the number of missing battles, as a power of two.
                let mut missing: BTreeMap<u64, Vec<usize>> = BTreeMap::new();
                for &other in &close[..at] {
                    let wanted = (rate * mix[row].max(mix[other])) as u64;
                    let has = self.pairs[row][other].battles();
                    if wanted > has + has / 2 {
                        let more = (wanted - has).next_power_of_two().max(LEAST_MORE);
                        missing.entry(more).or_default().push(other);
                    }
                }
                for (more, with) in missing {
                    if arena.played - began + more * with.len() as u64 <= at_most {
                        self.play(arena, layout, row, &with, more)?;
                        has_played = true;
                    }
                }
            }
            if !has_played {
                break;
            }
            mix = self.mix();
        }
        Ok(mix)
    }

    /// The lead of each line-up over the mix, -1 to 1.
    pub(super) fn leads_over(&self, mix: &[f64]) -> Vec<f64> {
        let support: Vec<(usize, f64)> =
            mix.iter().copied().enumerate().filter(|(_, share)| *share > 0.0).collect();
        let lead = |row: usize| {
            let of = |&(at, share): &(usize, f64)| match row == at {
                true => 0.0,
                false => share * (2.0 * self.pair(row, at).score() - 1.0),
            };
            support.iter().map(of).sum()
        };
        (0..mix.len()).map(lead).collect()
    }

    /// The fewest battles of any pair of members of the mix; 0 where there is only one member.
    pub(super) fn least_in_mix(&self, mix: &[f64]) -> u64 {
        let members: Vec<usize> = (0..mix.len()).filter(|&at| mix[at] > 0.0).collect();
        let rows = members.iter().enumerate();
        let pairs = rows.flat_map(|(at, &row)| members[..at].iter().map(move |&of| (row, of)));
        pairs.map(|(row, other)| self.pairs[row][other].battles()).min().unwrap_or(0)
    }

    /// Where there are too many line-ups, removes those that score least against the mix: any that beats a later mix is
    /// found again.
    pub(super) fn prune(&mut self) {
        if self.line_ups.len() > MOST {
            let mix = self.mix();
            self.leave(&mix, LEFT);
        }
    }

    /// Keeps the mix and the line-ups that score highest against it, `left` in all unless the mix has more. Returns
    /// their shares.
    pub(super) fn leave(&mut self, mix: &[f64], left: usize) -> Vec<f64> {
        let leads = self.leads_over(mix);
        let mut order: Vec<usize> = (0..mix.len()).collect();
        order.put_in_order_by(|&a, &b| {
            let by_share = (mix[b] > 0.0).cmp(&(mix[a] > 0.0));
            by_share.then_with(|| leads[b].total_cmp(&leads[a])).then(a.cmp(&b))
        });
        let in_mix = mix.iter().filter(|share| **share > 0.0).count();
        order.truncate(left.max(in_mix));
        order.sort_unstable();
        let pairs = order
            .iter()
            .enumerate()
            .map(|(at, &row)| order[..at].iter().map(|&other| self.pair(row, other)).collect());
        self.pairs = pairs.collect();
        self.line_ups = order.iter().map(|&at| self.line_ups[at].clone()).collect();
        order.into_iter().map(|at| mix[at]).collect()
    }

    /// Plays up to `battles` more battles of the pairs that have the fewest, so that the reported score of each is
    /// informative.
    pub(super) fn level(
        &mut self,
        arena: &mut Arena<'_>,
        layout: &Layout,
        battles: u64,
    ) -> Result<(), Ended> {
        let has: Vec<u64> = self.pairs.iter().flatten().map(Pair::battles).collect();
        let missing = |level: u64| has.iter().map(|of| level.saturating_sub(*of)).sum::<u64>();
        let level = (0..=MOST_LEVEL).rev().find(|&level| missing(level) <= battles).unwrap_or(0);
        for row in 1..self.line_ups.len() {
            for other in 0..row {
                let more = level.saturating_sub(self.pairs[row][other].battles());
                if more >= LEAST_MORE {
                    self.play(arena, layout, row, &[other], more & !1)?;
                }
            }
        }
        Ok(())
    }

    /// The line-ups of the mix with their shares.
    pub(super) fn support(&self, mix: &[f64]) -> Vec<(LineUp, f64)> {
        let support = mix.iter().enumerate().filter(|(_, share)| **share > 0.0);
        support.map(|(at, &share)| (self.line_ups[at].clone(), share)).collect()
    }
}

/// A mix as a field: each of its members in either seat.
pub(super) fn field(support: &[(LineUp, f64)]) -> Field {
    let fixtures = support.iter().flat_map(|(line_up, share)| {
        [0, 1].map(|seat| (Fixture { seat, others: vec![Other::LineUp(line_up.clone())] }, *share))
    });
    Field::weighted(fixtures.collect())
}
