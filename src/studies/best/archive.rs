//! Line-ups that the searches of a metagame found, with their results against each opponent.
//!
//! A line-up that lost to an earlier mix may beat the present one. Its results against each opponent show that without
//! another battle: a search against a new mix starts from all that is known, not from nothing.

use rustc_hash::FxHashMap;

use super::arena::{Arena, Ended, Field, Fixture, Other, Sharing};
use super::model::Seen;
use super::search::varied;
use crate::chance::Stream;
use crate::lineups::LineUp;
use crate::sorting::Sorting;

/// Battles of a line-up against each new member of the mix, half from either seat.
const EACH: u64 = 2;
/// The most line-ups that play these: those with the highest scores against the other members of the mix.
const LIKELY: usize = 500;
/// The most line-ups of a search that are kept, and the most of these that may be alike.
const KEPT: usize = 48;
const OF_A_KIND: usize = 8;
/// The least battles, and the lowest score, with which a line-up is kept.
const LEAST_BATTLES: f64 = 12.0;
const LEAST_SCORE: f64 = 0.2;
/// A line-up's worth against an earlier mix decreases by this much with each later one.
const FADING: f64 = 0.01;

/// A line-up with its points and battles against each opponent.
struct Row {
    line_up: LineUp,
    against: Vec<(u32, u32)>,
    /// The highest score against any mix so far, where earlier mixes count less.
    worth: f64,
}

/// All line-ups that are remembered, and the opponents that they met.
#[derive(Default)]
pub(super) struct Archive {
    rows: Vec<Row>,
    place: FxHashMap<LineUp, usize>,
    opponents: FxHashMap<LineUp, usize>,
}

impl Archive {
    pub(super) fn line_ups(&self) -> impl Iterator<Item = &LineUp> {
        self.rows.iter().map(|row| &row.line_up)
    }

    /// Index of a line-up's row, which is added where there is none.
    pub(super) fn row(&mut self, line_up: &LineUp) -> usize {
        *self.place.entry(line_up.clone()).or_insert_with(|| {
            self.rows.push(Row { line_up: line_up.clone(), against: Vec::new(), worth: 0.5 });
            self.rows.len() - 1
        })
    }

    fn opponents(&mut self, mix: &[(LineUp, f64)]) -> Vec<(usize, f64)> {
        let place = |(line_up, share): &(LineUp, f64)| {
            let next = self.opponents.len();
            (*self.opponents.entry(line_up.clone()).or_insert(next), *share)
        };
        mix.iter().map(place).collect()
    }

    /// Lets the most promising line-ups play the members of the mix that they have not met.
    pub(super) fn fill(
        &mut self,
        arena: &mut Arena<'_>,
        mix: &[(LineUp, f64)],
    ) -> Result<(), Ended> {
        let opponents = self.opponents(mix);
        let mut order: Vec<(f64, usize)> = self
            .rows
            .iter()
            .enumerate()
            .map(|(row, of)| (expected(&of.against, &opponents).0, row))
            .collect();
        order.put_in_order_by(|a, b| b.0.total_cmp(&a.0).then(a.1.cmp(&b.1)));
        order.truncate(LIKELY);
        let mut likely: Vec<usize> = order.into_iter().map(|(_, row)| row).collect();
        likely.sort_unstable();
        for (&(at, _), (line_up, _)) in opponents.iter().zip(mix) {
            let is_missing = |row: &usize| {
                self.rows[*row].against.get(at).is_none_or(|&(_, battles)| battles == 0)
            };
            let missing: Vec<usize> = likely.iter().copied().filter(is_missing).collect();
            if missing.is_empty() {
                continue;
            }
            let fixture = |seat| Fixture { seat, others: vec![Other::LineUp(line_up.clone())] };
            let field = Field::even([0, 1].map(fixture).to_vec());
            let line_ups: Vec<&LineUp> =
                missing.iter().map(|&row| &self.rows[row].line_up).collect();
            let points = arena.play(&field, &line_ups, EACH, Stream::Battles, Sharing::Same)?;
            for (row, points) in missing.into_iter().zip(points) {
                let sum = points.iter().map(|&of| u32::from(of)).sum();
                self.note(row, at, (sum, points.len() as u32));
            }
        }
        Ok(())
    }

    fn note(&mut self, row: usize, opponent: usize, (points, battles): (u32, u32)) {
        let against = &mut self.rows[row].against;
        if against.len() <= opponent {
            against.resize(opponent + 1, (0, 0));
        }
        against[opponent].0 += points;
        against[opponent].1 += battles;
    }

    /// The expected score of every line-up against the mix, with the number of battles that this is worth.
    pub(super) fn expected(&mut self, mix: &[(LineUp, f64)]) -> Vec<Seen> {
        let opponents = self.opponents(mix);
        let of = |row: &mut Row| {
            let (score, battles) = expected(&row.against, &opponents);
            row.worth = score.max(row.worth - FADING);
            Seen { score: score * battles, battles, ..Seen::new(row.line_up.clone()) }
        };
        self.rows.iter_mut().map(of).collect()
    }

    /// Takes over the results of a search against the mix, and adds the best line-ups that it found.
    pub(super) fn learn(&mut self, mix: &[(LineUp, f64)], seen: &[Seen]) {
        let opponents = self.opponents(mix);
        let battles = |of: &Seen| of.against.iter().map(|&(_, battles)| battles).sum::<u32>();
        let is_new = |of: &&Seen| {
            !self.place.contains_key(&of.line_up)
                && f64::from(battles(of)) >= LEAST_BATTLES
                && of.mean() >= LEAST_SCORE
        };
        let mut new: Vec<&Seen> = seen.iter().filter(is_new).collect();
        new.put_in_order_by(|a, b| {
            b.mean().total_cmp(&a.mean()).then_with(|| a.line_up.cmp(&b.line_up))
        });
        for line_up in varied(new.iter().map(|of| &of.line_up), KEPT, OF_A_KIND) {
            self.row(&line_up);
        }
        for of in seen {
            if let Some(&row) = self.place.get(&of.line_up) {
                for (fixture, &cell) in of.against.iter().enumerate() {
                    self.note(row, opponents[fixture / 2].0, cell);
                }
            }
        }
    }

    /// Where there are more than `most` line-ups, removes those of least worth until nine tenths of `most` are left.
    pub(super) fn trim(&mut self, most: usize) {
        if self.rows.len() <= most {
            return;
        }
        self.rows.put_in_order_by(|a, b| {
            b.worth.total_cmp(&a.worth).then_with(|| a.line_up.cmp(&b.line_up))
        });
        self.rows.truncate(most - most / 10);
        let places = self.rows.iter().enumerate().map(|(at, row)| (row.line_up.clone(), at));
        self.place = places.collect();
    }
}

/// The expected score against a mix from the results against its members, and the number of battles against the whole
/// mix that would be as informative.
fn expected(against: &[(u32, u32)], mix: &[(usize, f64)]) -> (f64, f64) {
    /// The number of battles that the mean score against the other members counts for in the score against one.
    const OF_OTHERS: f64 = 0.5;
    let of = |at: usize| {
        let (points, battles) = against.get(at).copied().unwrap_or((0, 0));
        (f64::from(points) / 2.0, f64::from(battles))
    };
    let (mut sum, mut shares) = (0.05, 0.1);
    for &(at, share) in mix {
        let (score, battles) = of(at);
        if battles > 0.0 {
            sum += share * score / battles;
            shares += share;
        }
    }
    let mean = sum / shares;
    let (mut score, mut variance) = (0.0, 0.0);
    for &(at, share) in mix {
        let (points, battles) = of(at);
        score += share * (points + OF_OTHERS * mean) / (battles + OF_OTHERS);
        variance += share * share / (battles + OF_OTHERS);
    }
    (score, 1.0 / variance)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn line_up(choice: u16) -> LineUp {
        LineUp::new([choice])
    }

    /// Two opponents with a quarter and three quarters of the mix, 100 battles against each: the score is their
    /// weighted mean, and its certainty depends mostly on the battles against the larger share.
    #[test]
    fn the_score_against_a_mix_is_that_against_its_members() {
        let (score, battles) = expected(&[(160, 100), (40, 100)], &[(0, 0.25), (1, 0.75)]);
        assert!((score - (0.25 * 0.8 + 0.75 * 0.2)).abs() < 0.005, "{score}");
        assert!((battles - 100.5 / (0.0625 + 0.5625)).abs() < 1e-9, "{battles}");
        // Against opponents that it has not played it is assumed to score as against the others.
        let (score, fewer) = expected(&[(160, 100)], &[(0, 0.25), (1, 0.75)]);
        assert!((score - 0.75).abs() < 0.06, "{score}");
        assert!(fewer < 1.0, "{fewer}");
    }

    /// Results of a search are remembered by opponent, also when the mix changes, and the best line-ups that it found
    /// are kept.
    #[test]
    fn what_was_learned_against_one_mix_is_known_against_the_next() {
        let mut archive = Archive::default();
        let [one, other] = [(line_up(1), 0.5), (line_up(2), 0.5)];
        let seen = |choice, against: Vec<(u32, u32)>| {
            let score = against.iter().map(|&(points, _)| f64::from(points) / 2.0).sum();
            let battles = against.iter().map(|&(_, battles)| f64::from(battles)).sum();
            Seen { score, battles, against, ..Seen::new(line_up(choice)) }
        };
        // Four fixtures: either seat against either opponent.
        let strong = seen(7, vec![(40, 20), (40, 20), (0, 20), (0, 20)]);
        let weak = seen(8, vec![(0, 20), (0, 20), (0, 20), (0, 20)]);
        let brief = seen(9, vec![(4, 2), (4, 2), (4, 2), (4, 2)]);
        archive.learn(&[one.clone(), other.clone()], &[strong, weak, brief]);
        assert_eq!(archive.line_ups().collect::<Vec<_>>(), [&line_up(7)]);
        let against =
            |mix: &[(LineUp, f64)], archive: &mut Archive| archive.expected(mix)[0].mean();
        assert!((against(&[one.clone(), other.clone()], &mut archive) - 0.5).abs() < 0.01);
        assert!(against(&[(one.0, 1.0)], &mut archive) > 0.98);
        assert!(against(&[(other.0, 1.0)], &mut archive) < 0.02);
    }

    /// Where there are too many line-ups, those of least worth are removed.
    #[test]
    fn what_was_worth_least_is_forgotten() {
        let mut archive = Archive::default();
        for choice in 0..30 {
            let row = archive.row(&line_up(choice));
            archive.rows[row].worth = f64::from(choice);
        }
        archive.trim(20);
        let kept: Vec<u16> = archive.line_ups().map(|of| of.choices()[0]).collect();
        assert_eq!(kept, (12..30).rev().collect::<Vec<u16>>());
        assert_eq!(archive.row(&line_up(29)), 0);
        assert_eq!(archive.row(&line_up(3)), 18);
    }
}
