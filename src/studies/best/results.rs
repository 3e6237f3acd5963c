//! The best line-ups, confirmed.

use super::arena::{Arena, Ended, Field, Points, Sharing, results};
use super::search::{Hunt, search};
use crate::chance::Stream;
use crate::lineups::{LineUp, Space};
use crate::sorting::Sorting;
use crate::statistics::{Estimate, Level, ScorePair, paired, score};
use crate::table::LEVEL;
use crate::tally::{OutcomeMeasure, Results};

/// What is asked.
#[derive(Clone, Debug)]
pub struct Question {
    /// Whose line-ups.
    pub contender: String,
    /// What they are measured against.
    pub field: Field,
    /// Line-ups that the answer is never worse than: the contender's own, and whatever else is given.
    pub given: Vec<LineUp>,
    /// What every line-up must have.
    pub kept: Vec<u16>,
    /// How many line-ups to show.
    pub top: usize,
    /// How many battles to play, the confirmation's among them.
    pub battles: u64,
    /// How many more to name, of many kinds, for a metagame that begins with them.
    pub reserve: usize,
}

impl Question {
    /// Of the battles, this part is for the confirmation.
    const CONFIRMING: f64 = 0.3;

    /// How many fresh battles each line-up that is shown has.
    #[must_use]
    pub fn confirming(&self) -> u64 {
        let shown = (self.top + self.given.len()).max(1);
        ((self.battles as f64 * Self::CONFIRMING) as u64 / shown as u64).max(1)
    }

    fn searching(&self) -> u64 {
        let confirming = self.confirming() * (self.top + self.given.len()) as u64;
        self.battles.saturating_sub(confirming).max(1)
    }
}

/// A line-up with its fresh battles.
#[derive(Clone, Debug)]
pub struct Team {
    /// What it is.
    pub line_up: LineUp,
    /// As it is written.
    pub told: String,
    /// Whether it was given.
    pub is_given: bool,
    /// How its fresh battles ended.
    pub results: Results,
    /// Its score against the field; the intervals of all that are shown hold together.
    pub score: Estimate,
    /// How much lower that is than the first one's, in the same battles; intervals between any two hold together. Unknown of the
    /// first itself.
    pub behind: Estimate,
}

/// What came of a search.
#[derive(Clone, Debug)]
pub struct Best {
    /// The line-ups, best first by their fresh battles.
    pub teams: Vec<Team>,
    /// Others of which the search expects much, of many kinds; no fresh battles say anything of them.
    pub reserve: Vec<LineUp>,
    /// How many line-ups were played in the search.
    pub seen: usize,
    /// Whether these were all there are.
    pub all: bool,
    /// How many there are, where that can be told.
    pub count: Option<u128>,
    /// Battles of the search.
    pub searching: u64,
    /// Fresh battles of each line-up that is shown.
    pub confirming: u64,
}

impl Best {
    /// Whether the first is visibly better than every other that is shown.
    #[must_use]
    pub fn is_decided(&self) -> bool {
        self.teams.len() > 1 && self.teams[1..].iter().all(|team| team.behind.low > 0.0)
    }

    /// The best of those that were given, where the first is not.
    #[must_use]
    pub fn best_given(&self) -> Option<&Team> {
        self.teams.iter().find(|team| team.is_given)
    }
}

/// Searches, and confirms what was found with fresh battles.
///
/// # Errors
/// When the study is ended before.
pub fn best(arena: &mut Arena<'_>, question: &Question) -> Result<Best, Ended> {
    let space: &dyn Space = arena.line_ups;
    let (count, is_ordered) = (space.count(), space.is_ordered());
    let hunt = Hunt {
        field: &question.field,
        given: &question.given,
        starts: &[],
        wanted: question.top,
        battles: question.searching(),
        known: Vec::new(),
        varied: false,
        reserve: question.reserve,
        distinct: is_ordered,
        number: 0,
    };
    let found = search(arena, &hunt, &question.kept)?;
    let searching = arena.played;
    let mut shown = found.ranked;
    let rest = shown.split_off(question.top.min(shown.len()));
    shown.extend(rest.into_iter().filter(|line_up| question.given.contains(line_up)));
    let confirming = question.confirming();
    let refs: Vec<&LineUp> = shown.iter().collect();
    let stream = Stream::Confirmation;
    let points = arena.play(&question.field, &refs, confirming, stream, Sharing::Same)?;
    let sides = arena.sides();
    let space: &dyn Space = arena.line_ups;
    let teams = teams(space, &shown, &points, &question.given, sides);
    let (reserve, seen) = (found.reserve, found.seen.len());
    Ok(Best { teams, reserve, seen, all: found.all, count, searching, confirming })
}

fn teams(
    space: &dyn Space,
    shown: &[LineUp],
    points: &[Points],
    given: &[LineUp],
    sides: usize,
) -> Vec<Team> {
    let sum = |of: &Points| of.iter().map(|&of| u64::from(of)).sum::<u64>();
    let mut order: Vec<usize> = (0..shown.len()).collect();
    order.put_in_order_by(|&a, &b| sum(&points[b]).cmp(&sum(&points[a])).then(a.cmp(&b)));
    let together = LEVEL.shared_by(shown.len() as u64);
    let pairs = (shown.len() * shown.len().saturating_sub(1) / 2).max(1);
    let between = LEVEL.shared_by(pairs as u64);
    let first = order.first().copied();
    let team = |at: usize| {
        let results = results(&points[at], sides);
        let behind = match first {
            Some(first) if first != at => difference(&points[at], &points[first], sides, between),
            Some(_) | None => Estimate::UNKNOWN,
        };
        Team {
            line_up: shown[at].clone(),
            told: space.told(&shown[at]),
            is_given: given.contains(&shown[at]),
            results,
            score: score(results, OutcomeMeasure::Score, together),
            behind,
        }
    };
    order.into_iter().map(team).collect()
}

/// How much higher the second's score is than the first one's in the same battles.
pub(super) fn difference(one: &[u8], other: &[u8], sides: usize, level: Level) -> Estimate {
    let sum = |of: &dyn Fn(u64, u64) -> u64| {
        one.iter().zip(other).map(|(&a, &b)| of(u64::from(a), u64::from(b))).sum::<u64>()
    };
    let pair = ScorePair {
        weights: [1.0, 1.0],
        battles: one.len() as u64,
        points: [sum(&|a, _| a), sum(&|_, b| b)],
        squares: [sum(&|a, _| a * a), sum(&|_, b| b * b)],
        products: sum(&|a, b| a * b),
        most: sides as u32,
    };
    paired([pair], level).difference
}
