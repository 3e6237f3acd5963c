//! Battles as seen from one side, and the measures that comparisons count.

use super::Count;
use crate::game::{Outcome, Side};

/// Wins, shared battles and losses of a set of battles, from one side's point of view.
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
    /// No battles, in a game with so many sides.
    #[must_use]
    pub const fn none(sides: u32) -> Self {
        Self { won: 0, shared: 0, lost: 0, sides }
    }

    /// How many battles there are.
    #[must_use]
    pub const fn battles(self) -> u64 {
        self.won + self.shared + self.lost
    }

    /// The results of both sets of battles together.
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

    /// Results of so many battles in the same proportions, rounded down.
    #[must_use]
    pub fn of_battles(self, battles: u64) -> Self {
        let all = u128::from(self.battles()).max(1);
        let scaled = |of: u64| (u128::from(of) * u128::from(battles) / all) as u64;
        let [won, shared, lost] = [self.won, self.shared, self.lost].map(scaled);
        Self { won, shared, lost, sides: self.sides }
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

    /// These battles as the measure sees them: each a win, a shared battle or a loss. Only [`OutcomeMeasure::Score`]
    /// has shared ones.
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
    /// The value of the measure for every side in an even battle without draws: one half in a duel.
    #[must_use]
    pub fn even(sides: usize) -> f64 {
        1.0 / sides as f64
    }

    /// A side's points for one battle: the number of sides for a win, 0 for a loss; 1 for a battle that nobody won, or
    /// 0 or none as the measure has it. None means that the measure leaves the battle out.
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

    /// The measure that tells whether a side is ahead of even. Wins alone do not tell where battles are drawn: whoever
    /// has more of them than the others has more than an even score.
    #[must_use]
    pub const fn judged_by(self) -> Self {
        match self {
            OutcomeMeasure::Score | OutcomeMeasure::Wins => OutcomeMeasure::Score,
            OutcomeMeasure::Decided => OutcomeMeasure::Decided,
        }
    }

    /// Whether, among so many sides, one side's lead is exactly the other's deficit, so that comparing one compares
    /// both.
    #[must_use]
    pub const fn is_mirrored(self, sides: usize) -> bool {
        match self {
            OutcomeMeasure::Score | OutcomeMeasure::Decided => sides == 2,
            OutcomeMeasure::Wins => false,
        }
    }

    /// Its name beside a figure: `score`, `wins`, `decided`.
    #[must_use]
    pub const fn noun(self) -> &'static str {
        match self {
            OutcomeMeasure::Score => "score",
            OutcomeMeasure::Wins => "wins",
            OutcomeMeasure::Decided => "decided",
        }
    }

    /// Its name in a sentence: `score`, `win rate`, `win rate of decided battles`.
    #[must_use]
    pub const fn figure(self) -> &'static str {
        match self {
            OutcomeMeasure::Score => "score",
            OutcomeMeasure::Wins => "win rate",
            OutcomeMeasure::Decided => "win rate of decided battles",
        }
    }

    /// Its name with an explanation: `score (1 for a win, an equal share of what nobody wins)`.
    #[must_use]
    pub const fn in_full(self) -> &'static str {
        match self {
            OutcomeMeasure::Score => "score (1 for a win, an equal share of what nobody wins)",
            OutcomeMeasure::Wins => "share of battles won",
            OutcomeMeasure::Decided => "share of the decided battles won",
        }
    }

    /// The verb before a figure: `scores 52.1%`, `wins 52.1%`.
    #[must_use]
    pub const fn verb(self) -> &'static str {
        match self {
            OutcomeMeasure::Score => "scores",
            OutcomeMeasure::Wins | OutcomeMeasure::Decided => "wins",
        }
    }

    /// What a figure is a share of: `of the battles`, `of the decided battles`; empty for the score.
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

    /// The meaning of its columns.
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
    /// Wins, shared battles and losses, from one side's point of view.
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

    /// Wins, shared battles and losses, from one side's point of view, without forfeited battles. Forfeits only happen
    /// in duels: what one side alone forfeits the other wins, and what both forfeit is drawn.
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
