//! The names behind the numbers of a tally.

use crate::chance::Seeded;
use crate::game::Stratum;

/// Everything that a batch of one setup can count, with its labels.
#[derive(Clone, Debug, Default)]
pub struct Layout {
    /// Who meets whom. Battle `i` belongs to match-up `i mod n`, so every match-up gets its equal share.
    pub matchups: Vec<Matchup>,
    /// What is drawn for each battle, with its probability; a game without draws has one condition.
    pub conditions: Vec<Condition>,
    /// The parts that conditions are made of (in Splinterlands the rulesets).
    pub factors: Vec<String>,
    /// What `factors` are called, in the singular, for headings.
    pub factor_noun: &'static str,
    /// The factor that changes nothing, as an index, where there is one (in Splinterlands Standard). What the others
    /// do is reported as the difference to it.
    pub neutral: Option<u16>,
    /// The cards, summoners or minions that can take part.
    pub units: Vec<Unit>,
    /// Whether a side's units are drawn afresh for each battle, none of them twice. Only then does the win rate
    /// of a unit say more than those of the match-ups, and only then is each of its appearances a trial of its own.
    pub units_are_drawn: bool,
    /// The moments at which an order is observed.
    pub moments: Vec<Moment>,
    /// The names that the numbers in an order stand for.
    pub order_items: Vec<String>,
    /// Whole numbers measured in every battle, besides its length.
    pub metrics: Vec<String>,
    /// No battle lasts longer than this many rounds.
    pub longest: u32,
    /// What a round is called in this game (`round`, `turn`).
    pub round_noun: &'static str,
    /// How many sides fight in a battle; at least 2.
    pub sides: usize,
}

/// The contenders of a battle, by side.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Matchup {
    /// The name of the contender on each side, side A first.
    pub contenders: Vec<String>,
}

impl Matchup {
    /// The match-up in one line.
    #[must_use]
    pub fn label(&self) -> String {
        self.contenders.join(" vs ")
    }
}

/// One way the conditions of a battle can be drawn.
#[derive(Clone, Debug, PartialEq)]
pub struct Condition {
    /// As people read it.
    pub label: String,
    /// Its parts, as indices into the layout's factors.
    pub factors: Vec<u16>,
    /// How likely it is, in [0, 1].
    pub probability: f64,
}

/// Something that can take part in a battle.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Unit {
    /// Its name.
    pub name: String,
    /// Its kind as the game says it (`monster`, `summoner`, `creature`, `minion`).
    pub kind: &'static str,
    /// What it belongs to (faction, nation, class).
    pub group: String,
}

/// A moment at which several things happen in an order that dice or position decide.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Moment {
    /// Its name.
    pub name: String,
    /// What the order lists, in one sentence.
    pub meaning: String,
    /// Whether an order is only compared with other orders of the same things, such as one batch of abilities
    /// with the same batch another time. Otherwise all orders of the moment are one population.
    pub compares_like_with_like: bool,
}

impl Layout {
    /// An order as text, from the items' indices: `Thorns > Return Fire`.
    #[must_use]
    pub fn order_label(&self, items: &[u16]) -> String {
        let names: Vec<&str> =
            items.iter().map(|&item| self.order_items[usize::from(item)].as_str()).collect();
        names.join(" > ")
    }

    /// How many strata there are.
    #[must_use]
    pub fn strata(&self) -> usize {
        self.matchups.len() * self.conditions.len()
    }

    /// A stratum's place in per-stratum arrays.
    #[inline]
    #[must_use]
    pub fn index(&self, stratum: Stratum) -> usize {
        stratum.matchup as usize * self.conditions.len() + stratum.condition as usize
    }

    /// The stratum at a place in per-stratum arrays.
    #[must_use]
    pub fn stratum(&self, index: usize) -> Stratum {
        Stratum {
            matchup: (index / self.conditions.len()) as u32,
            condition: (index % self.conditions.len()) as u32,
        }
    }
}

/// Which stratum each battle of a batch belongs to.
#[derive(Clone, Debug)]
pub struct Assignment {
    matchups: u64,
    conditions: Conditions,
}

/// Where conditions come from.
#[derive(Clone, Debug)]
enum Conditions {
    /// Drawn: cumulative probability up to and including each condition; the last is at least 1.
    Drawn(Vec<f64>),
    /// Dealt out: how many battles there are up to and including each stratum.
    Dealt(Vec<u64>),
}

impl Assignment {
    /// Prepares drawing from a layout.
    #[must_use]
    pub fn new(layout: &Layout) -> Self {
        let mut sum = 0.0;
        let mut cumulative: Vec<f64> = layout
            .conditions
            .iter()
            .map(|condition| {
                sum += condition.probability;
                sum
            })
            .collect();
        let last_possible = layout.conditions.iter().rposition(|c| c.probability > 0.0);
        for bound in &mut cumulative[last_possible.unwrap_or(0)..] {
            *bound = f64::INFINITY;
        }
        let matchups = layout.matchups.len() as u64;
        Self { matchups, conditions: Conditions::Drawn(cumulative) }
    }

    /// Nothing is drawn: every stratum has so many battles, one stratum after the other.
    #[must_use]
    pub fn dealt(layout: &Layout, battles: &[u64]) -> Self {
        let sums = battles.iter().scan(0, |sum, &battles| {
            *sum += battles;
            Some(*sum)
        });
        let conditions = Conditions::Dealt(sums.collect());
        Self { matchups: layout.matchups.len() as u64, conditions }
    }

    /// The stratum of battle `index`. Where conditions are drawn, match-ups take turns and the condition comes from
    /// the battle's dice.
    #[inline]
    pub fn stratum(&self, index: u64, dice: &mut Seeded) -> Stratum {
        match &self.conditions {
            Conditions::Drawn(cumulative) => {
                let condition = if cumulative.len() < 2 {
                    0
                } else {
                    let unit = dice.unit();
                    cumulative.partition_point(|&bound| bound <= unit) as u32
                };
                Stratum { matchup: (index % self.matchups) as u32, condition }
            }
            Conditions::Dealt(sums) => {
                let stratum = sums.partition_point(|&sum| sum <= index) as u64;
                let conditions = sums.len() as u64 / self.matchups;
                Stratum {
                    matchup: (stratum / conditions) as u32,
                    condition: (stratum % conditions) as u32,
                }
            }
        }
    }
}
