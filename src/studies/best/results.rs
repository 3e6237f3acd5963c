//! Searches for the best line-ups and confirms them in fresh battles.

use super::arena::{Arena, Ended, Field, Points, Sharing, results};
use super::search::{Hunt, search};
use crate::chance::Stream;
use crate::lineups::{LineUp, Space};
use crate::sorting::Sorting;
use crate::statistics::{Estimate, Level, ScorePair, paired, score};
use crate::table::LEVEL;
use crate::tally::{OutcomeMeasure, Results};

/// The question for the best line-ups of a contender.
#[derive(Clone, Debug)]
pub struct Question {
    /// The contender whose line-ups are searched.
    pub contender: String,
    /// The field that line-ups are measured against.
    pub field: Field,
    /// Line-ups that take part in every comparison, so that the answer is no worse: the contender's own, and any others
    /// that are given.
    pub given: Vec<LineUp>,
    /// Choices that every line-up must contain.
    pub kept: Vec<u16>,
    /// How many line-ups to show.
    pub top: usize,
    /// How many battles to play, including those of the confirmation.
    pub battles: u64,
    /// How many further line-ups to return, of many kinds, for a metagame to start from.
    pub reserve: usize,
}

impl Question {
    /// The part of the battles that is for the confirmation.
    const CONFIRMING: f64 = 0.3;

    /// The number of fresh battles of each line-up that is shown.
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

/// A line-up with its results in fresh battles.
#[derive(Clone, Debug)]
pub struct Team {
    /// The line-up.
    pub line_up: LineUp,
    /// The line-up as text.
    pub told: String,
    /// Whether it was given.
    pub is_given: bool,
    /// The results of its fresh battles.
    pub results: Results,
    /// Its score against the field; the intervals of all line-ups that are shown hold simultaneously.
    pub score: Estimate,
    /// By how much its score is lower than the first line-up's, in the same battles; intervals for all pairs hold
    /// simultaneously. Unknown for the first itself.
    pub behind: Estimate,
}

/// The result of a search and its confirmation.
#[derive(Clone, Debug)]
pub struct Best {
    /// The line-ups, best first by their fresh battles.
    pub teams: Vec<Team>,
    /// Other line-ups that the search found promising, of many kinds; not confirmed in fresh battles.
    pub reserve: Vec<LineUp>,
    /// How many line-ups were played in the search.
    pub seen: usize,
    /// Whether these are all the line-ups there are.
    pub all: bool,
    /// How many line-ups there are; None where that cannot be counted.
    pub count: Option<u128>,
    /// Number of battles of the search.
    pub searching: u64,
    /// Fresh battles of each line-up that is shown.
    pub confirming: u64,
}

impl Best {
    /// Whether the first line-up is significantly better than every other that is shown.
    #[must_use]
    pub fn is_decided(&self) -> bool {
        self.teams.len() > 1 && self.teams[1..].iter().all(|team| team.behind.low > 0.0)
    }

    /// The best of the given line-ups; None where none was given.
    #[must_use]
    pub fn best_given(&self) -> Option<&Team> {
        self.teams.iter().find(|team| team.is_given)
    }
}

/// Searches for the best line-ups, and confirms them in fresh battles.
///
/// # Errors
/// When the study is ended early.
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

/// By how much the second score is higher than the first, in the same battles.
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
