//! How battles ended for one side, and what a comparison makes of that.

use super::Count;
use crate::game::{Outcome, Side};

/// How a set of battles ended for one side.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Results {
    /// Battles that the side won.
    pub won: u64,
    /// Battles that nobody won: drawn or undecided.
    pub shared: u64,
    /// Battles that another side won.
    pub lost: u64,
    /// How many sides share a battle that nobody won; at least 2.
    pub sides: u32,
}

/// What a comparison counts.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[cfg_attr(feature = "cli", derive(clap::ValueEnum))]
pub enum OutcomeMeasure {
    /// Wins and an equal share of every battle that nobody won, per battle. The scores of all sides add up to 1, so that
    /// even is one half in a duel and a third among three, whatever the share of draws.
    #[default]
    Score,
    /// Wins per battle. Not even at one half where battles are drawn.
    Wins,
    /// Wins per decided battle.
    Decided,
}

impl Results {
    /// No battles between so many sides.
    #[must_use]
    pub const fn none(sides: u32) -> Self {
        Self { won: 0, shared: 0, lost: 0, sides }
    }

    /// How many battles.
    #[must_use]
    pub const fn battles(self) -> u64 {
        self.won + self.shared + self.lost
    }

    /// Both sets of battles.
    ///
    /// # Panics
    /// When they are between different numbers of sides (in debug builds).
    #[must_use]
    pub const fn with(self, other: Self) -> Self {
        debug_assert!(self.sides == other.sides, "results between different numbers of sides");
        Self {
            won: self.won + other.won,
            shared: self.shared + other.shared,
            lost: self.lost + other.lost,
            sides: self.sides,
        }
    }

    /// The battles of this set that are not in `part`, which must be part of it.
    #[must_use]
    pub const fn without(self, part: Self) -> Self {
        Self {
            won: self.won - part.won,
            shared: self.shared - part.shared,
            lost: self.lost - part.lost,
            sides: self.sides,
        }
    }

    /// The battles that a measure looks at, each as a win, a shared battle or a loss: only [`OutcomeMeasure::Score`] has shared
    /// ones.
    #[must_use]
    pub const fn measured(self, measure: OutcomeMeasure) -> Self {
        match measure {
            OutcomeMeasure::Score => self,
            OutcomeMeasure::Wins => Self { shared: 0, lost: self.lost + self.shared, ..self },
            OutcomeMeasure::Decided => Self { shared: 0, ..self },
        }
    }
}

impl OutcomeMeasure {
    /// What everybody has where nothing favours anybody, if no battle is drawn: one half in a duel.
    #[must_use]
    pub fn even(sides: usize) -> f64 {
        1.0 / sides as f64
    }

    /// What a side has of one battle, in parts of a win: as many as there are sides for a win, 1 of a battle that nobody
    /// won, as far as this measure looks at that; none where it does not.
    #[inline]
    #[must_use]
    pub fn points(self, outcome: Outcome, side: Side, sides: usize) -> Option<u32> {
        match (self, outcome) {
            (_, Outcome::Win(winner)) => Some(if winner == side { sides as u32 } else { 0 }),
            (OutcomeMeasure::Score, Outcome::Draw | Outcome::Undecided) => Some(1),
            (OutcomeMeasure::Wins, Outcome::Draw | Outcome::Undecided) => Some(0),
            (OutcomeMeasure::Decided, Outcome::Draw | Outcome::Undecided) => None,
        }
    }

    /// The measure by which somebody is ahead of even or not. Wins alone do not tell, where battles are drawn: whoever has
    /// more of them than the others has more than an even score.
    #[must_use]
    pub const fn judged_by(self) -> Self {
        match self {
            OutcomeMeasure::Score | OutcomeMeasure::Wins => OutcomeMeasure::Score,
            OutcomeMeasure::Decided => OutcomeMeasure::Decided,
        }
    }

    /// Whether one of so many sides has more just as far as the other has less, so that to compare one is to compare both.
    #[must_use]
    pub const fn is_mirrored(self, sides: usize) -> bool {
        match self {
            OutcomeMeasure::Score | OutcomeMeasure::Decided => sides == 2,
            OutcomeMeasure::Wins => false,
        }
    }

    /// What it is called beside a figure: `score`, `wins`, `decided`.
    #[must_use]
    pub const fn noun(self) -> &'static str {
        match self {
            OutcomeMeasure::Score => "score",
            OutcomeMeasure::Wins => "wins",
            OutcomeMeasure::Decided => "decided",
        }
    }

    /// What it is called in a sentence: `score`, `win rate`, `decided win rate`.
    #[must_use]
    pub const fn figure(self) -> &'static str {
        match self {
            OutcomeMeasure::Score => "score",
            OutcomeMeasure::Wins => "win rate",
            OutcomeMeasure::Decided => "win rate of decided battles",
        }
    }

    /// What it is, for whoever does not know it: `score (1 for a win, an equal share of what nobody wins)`.
    #[must_use]
    pub const fn in_full(self) -> &'static str {
        match self {
            OutcomeMeasure::Score => "score (1 for a win, an equal share of what nobody wins)",
            OutcomeMeasure::Wins => "share of battles won",
            OutcomeMeasure::Decided => "share of the decided battles won",
        }
    }

    /// What somebody does whose figure follows: `scores 52.1%`, `wins 52.1%`.
    #[must_use]
    pub const fn verb(self) -> &'static str {
        match self {
            OutcomeMeasure::Score => "scores",
            OutcomeMeasure::Wins | OutcomeMeasure::Decided => "wins",
        }
    }

    /// What the figure is a share of: `of the battles`, with draws shared or left out.
    #[must_use]
    pub const fn of_what(self) -> &'static str {
        match self {
            OutcomeMeasure::Score => "",
            OutcomeMeasure::Wins => " of the battles",
            OutcomeMeasure::Decided => " of the decided battles",
        }
    }

    /// The name of its columns: `score`, `win_rate`, `decided_win_rate`.
    #[must_use]
    pub const fn column(self) -> &'static str {
        match self {
            OutcomeMeasure::Score => "score",
            OutcomeMeasure::Wins => "win_rate",
            OutcomeMeasure::Decided => "decided_win_rate",
        }
    }

    /// What its columns mean.
    #[must_use]
    pub const fn meaning(self) -> &'static str {
        match self {
            OutcomeMeasure::Score => "wins and an equal share of what nobody won, per battle",
            OutcomeMeasure::Wins => "wins per battle",
            OutcomeMeasure::Decided => "wins per decided battle",
        }
    }
}

impl Count {
    /// How the battles ended for a side.
    #[must_use]
    pub fn results(&self, side: Side) -> Results {
        let won = self.wins[side.index()];
        Results {
            won,
            shared: self.draws + self.undecided,
            lost: self.wins.iter().sum::<u64>() - won,
            sides: self.wins.len() as u32,
        }
    }

    /// How the battles ended for a side, without those that were forfeited, which only happens in duels: what one side alone
    /// forfeits the other wins, and what both forfeit is drawn.
    #[must_use]
    pub fn results_fought(&self, side: Side) -> Results {
        let all = self.results(side);
        let &[a, b] = self.forfeits.as_slice() else { return all };
        let both = a + b - self.unfought;
        let (own, other) = if side == Side::A { (a, b) } else { (b, a) };
        Results {
            won: all.won - (other - both),
            shared: all.shared - both,
            lost: all.lost - (own - both),
            ..all
        }
    }
}
