//! The names behind the numbers in a tally.

use std::collections::BTreeMap;

use rustc_hash::FxHashMap;

use crate::chance::{Chance, Odds, Roll};
use crate::forcible::Forcible;
use crate::game::Stratum;

/// Everything that a batch of one setup can count, with its labels.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Layout {
    /// The match-ups. Battle `i` belongs to match-up `i mod n`, so every match-up gets its equal share.
    pub matchups: Vec<Matchup>,
    /// The conditions that may be drawn for a battle, with their probabilities; a game without draws has one condition.
    pub conditions: Vec<Condition>,
    /// The factors that conditions are made of (in Splinterlands the rulesets).
    pub factors: Vec<String>,
    /// What `factors` are called, in the singular, for headings.
    pub factor_noun: &'static str,
    /// Index of the factor that changes nothing, where there is one (in Splinterlands Standard). The effects of others
    /// are reported as the difference to it.
    pub neutral: Option<u16>,
    /// What is drawn for a battle besides its condition, all equally likely and the same for every side (in
    /// Splinterlands the mana cap); empty where there is no choice.
    pub brackets: Vec<String>,
    /// What one of `brackets` is called, in the singular, for headings.
    pub bracket_noun: &'static str,
    /// The cards, summoners or minions that can take part.
    pub units: Vec<Unit>,
    /// Whether units take part because their side brings them. Others are played in the course of a battle, as cards
    /// from a deck are, so that how often they take part depends on how the battle goes.
    pub units_are_brought: bool,
    /// Whether a side's units are drawn afresh for each battle, none of them twice. Only then does the win rate of a
    /// unit say more than the win rates of the match-ups, and only then is each of its appearances an independent
    /// trial.
    pub units_are_drawn: bool,
    /// The moments at which an order is observed.
    pub moments: Vec<Moment>,
    /// The orders that can be forced upon a battle.
    pub forcible: Vec<Forcible>,
    /// The names that the numbers in an order stand for.
    pub order_items: Vec<String>,
    /// Whole numbers measured in every battle, besides its length.
    pub metrics: Vec<String>,
    /// By metric: whether it is a count, so that neither it nor its mean is ever below 0. Metrics that are not listed
    /// may be anything.
    pub are_counts: Vec<bool>,
    /// Whole numbers that a battle is fought under, such as a cap on what teams cost: reported for each battle, never
    /// summed.
    pub facts: Vec<Fact>,
    /// The most rounds that a battle can last.
    pub longest: u32,
    /// What a round is called in this game (`round`, `turn`).
    pub round_noun: &'static str,
    /// How many sides fight in a battle; at least 2.
    pub sides: usize,
    /// How contenders make their choices (what to play, or which teams to bring), for those that have any.
    pub deciders: Vec<Decider>,
}

/// A whole number that a battle is fought under.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Fact {
    /// Its name, as used for a column.
    pub name: &'static str,
    /// What it says, with its unit.
    pub meaning: &'static str,
}

/// How a contender's choices are made.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Decider {
    /// The contender that makes the choices.
    pub contender: String,
    /// What makes them, in a few words: `greedy players`.
    pub policy: String,
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
    /// Its label for people to read.
    pub label: String,
    /// Its parts, as indices into the layout's factors.
    pub factors: Vec<u16>,
    /// How likely it is, in [0, 1].
    pub probability: f64,
}

/// A card, summoner, minion or anything else that can take part in a battle.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Unit {
    /// Its name.
    pub name: String,
    /// Its kind as the game says it (`monster`, `summoner`, `creature`, `minion`).
    pub kind: &'static str,
    /// What it belongs to (faction, nation, class).
    pub group: String,
}

/// The contenders of a layout, each once.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Contenders<'l> {
    /// Their names, in the order in which match-ups name them.
    pub names: Vec<&'l str>,
    /// By match-up and then side: index into `names`.
    pub at: Vec<u16>,
}

/// What decides an order that is observed at a moment.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Origin {
    /// The rules' own dice, whatever else has happened: battles of one match-up and condition with different orders
    /// differ by chance alone, so that a difference in who wins is caused by the order.
    Drawn,
    /// What happened before. The order may be correlated with winning without being its cause.
    Observed,
    /// The order names how the battle ended, so that comparing who wins says nothing.
    Ending,
}

/// A moment at which several things happen in an order that dice or position decide.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Moment {
    /// Its name.
    pub name: String,
    /// What the order lists, in one sentence.
    pub meaning: String,
    /// What decides the order.
    pub origin: Origin,
    /// Whether an order is only compared with other orders of the same things, such as one batch of abilities
    /// with the same batch another time. Otherwise all orders of the moment are one population.
    pub compares_like_with_like: bool,
}

impl Moment {
    /// A moment whose orders are all one population, from its name, its origin and its meaning.
    #[must_use]
    pub fn of((name, origin, meaning): (&str, Origin, &str)) -> Self {
        let (name, meaning) = (name.to_owned(), meaning.to_owned());
        Self { name, meaning, origin, compares_like_with_like: false }
    }
}

impl Layout {
    /// An order as text, from the items' indices: `Thorns > Return Fire`.
    #[must_use]
    pub fn order_label(&self, items: &[u16]) -> String {
        self.order_names(items).collect::<Vec<_>>().join(" > ")
    }

    /// The names of an order's items, from their indices.
    pub fn order_names<'l>(&'l self, items: &'l [u16]) -> impl Iterator<Item = &'l str> {
        items.iter().map(|&item| self.order_items[usize::from(item)].as_str())
    }

    /// The contenders, and which of them is on each side of each match-up.
    #[must_use]
    pub fn contenders(&self) -> Contenders<'_> {
        let mut names: Vec<&str> = Vec::new();
        let mut known: FxHashMap<&str, u16> = FxHashMap::default();
        let all = self.matchups.iter().flat_map(|matchup| &matchup.contenders);
        let at = all.map(|name| {
            *known.entry(name).or_insert_with(|| {
                names.push(name);
                names.len() as u16 - 1
            })
        });
        let at = at.collect();
        Contenders { names, at }
    }

    /// Whether every contender takes every seat equally often. Otherwise the advantage of a seat is part of the scores of
    /// those who take it more often.
    #[must_use]
    pub fn has_balanced_seats(&self) -> bool {
        let Contenders { names, at } = self.contenders();
        let mut times = vec![0u32; names.len() * self.sides];
        for (place, &of) in at.iter().enumerate() {
            times[usize::from(of) * self.sides + place % self.sides] += 1;
        }
        times.chunks(self.sides).all(|seats| seats.iter().all(|seat| *seat == seats[0]))
    }

    /// Whether every two of those contenders that meet others meet equally often: then all have the same opponents, but
    /// for themselves. Otherwise the strength of opponents is part of scores.
    #[must_use]
    pub fn has_balanced_opponents(&self) -> bool {
        let mut times: BTreeMap<(u16, u16), u32> = BTreeMap::new();
        for matchup in self.contenders().at.chunks(self.sides) {
            for (place, one) in matchup.iter().enumerate() {
                for other in matchup[..place].iter().filter(|other| *other != one) {
                    *times.entry((*one.min(other), *one.max(other))).or_default() += 1;
                }
            }
        }
        let mut met: Vec<u16> = times.keys().flat_map(|(one, other)| [*one, *other]).collect();
        met.sort_unstable();
        met.dedup();
        let first = times.values().next();
        times.len() == met.len() * met.len().saturating_sub(1) / 2
            && times.values().all(|many| Some(many) == first)
    }

    /// How choices are made, in one sentence; none where no contender has any. Results hold for battles between such
    /// players, who need not play best.
    #[must_use]
    pub fn choices(&self) -> Option<String> {
        /// Where more contenders than this share a policy, they are counted instead of named.
        const NAMED: usize = 3;
        let mut policies: Vec<(&str, Vec<&str>)> = Vec::new();
        for Decider { contender, policy } in &self.deciders {
            match policies.iter_mut().find(|(known, _)| known == policy) {
                Some((_, whose)) if whose.contains(&contender.as_str()) => {}
                Some((_, whose)) => whose.push(contender),
                None => policies.push((policy, vec![contender])),
            }
        }
        let decide = |contender: &&str| self.deciders.iter().any(|of| of.contender == **contender);
        let all_decide = self.contenders().names.iter().all(decide);
        let told: Vec<String> = match &policies[..] {
            [] => return None,
            [(policy, _)] if all_decide => vec![(*policy).to_owned()],
            several => several
                .iter()
                .map(|(policy, whose)| match whose.len() {
                    ..=NAMED => format!("{policy} ({})", whose.join(", ")),
                    many => format!("{policy} ({many} contenders)"),
                })
                .collect(),
        };
        Some(format!(
            "Choices are made by {}; results hold for such choices, not for best play.",
            told.join(", ")
        ))
    }

    /// Index of the condition that has the neutral factor alone, if it can be drawn: other conditions are compared with
    /// it.
    #[must_use]
    pub fn neutral_condition(&self) -> Option<usize> {
        let neutral = self.neutral?;
        let is_neutral = |of: &Condition| of.probability > 0.0 && of.factors == [neutral];
        self.conditions.iter().position(is_neutral)
    }

    /// Whether the effects of factors can be measured: both the neutral condition and one without the neutral factor
    /// can be drawn.
    #[must_use]
    pub fn has_effects(&self) -> bool {
        let is_other = |of: &Condition| {
            of.probability > 0.0
                && self.neutral.is_none_or(|neutral| !of.factors.contains(&neutral))
        };
        self.neutral_condition().is_some() && self.conditions.iter().any(is_other)
    }

    /// How many strata there are.
    #[must_use]
    pub fn strata(&self) -> usize {
        self.matchups.len() * self.conditions.len()
    }

    /// A stratum's index in per-stratum arrays.
    #[inline]
    #[must_use]
    pub fn index(&self, stratum: Stratum) -> usize {
        stratum.matchup as usize * self.conditions.len() + stratum.condition as usize
    }

    /// The stratum at an index in per-stratum arrays.
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

/// How battles get their conditions.
#[derive(Clone, Debug)]
enum Conditions {
    /// No other condition can be drawn.
    Certain(u32),
    /// Conditions are drawn: cumulative weights by condition, in parts of 2^53.
    Drawn(Vec<u64>),
    /// Conditions are dealt out: how many battles there are up to and including each stratum.
    Dealt(Vec<u64>),
}

impl Assignment {
    /// Match-ups take turns, and each battle draws its condition with the layout's probabilities.
    #[must_use]
    pub fn new(layout: &Layout) -> Self {
        const WHOLE: u64 = 1 << 53;
        let weights = layout.conditions.iter().map(|condition| {
            // A condition that can be drawn at all keeps at least one part.
            let weight = (condition.probability * WHOLE as f64).round() as u64;
            weight.max(u64::from(condition.probability > 0.0))
        });
        let mut bounds: Vec<u64> = weights
            .scan(0, |sum, weight| {
                *sum += weight;
                Some(*sum)
            })
            .collect();
        // What rounding leaves over goes to the last condition that can be drawn.
        let sum = bounds.last().copied().unwrap_or(0);
        for bound in bounds.iter_mut().rev().take_while(|bound| **bound == sum && sum > 0) {
            *bound = WHOLE;
        }
        let whole = bounds.last().copied().unwrap_or(0);
        let first = bounds.partition_point(|&bound| bound == 0);
        let conditions = match bounds.get(first) {
            Some(&bound) if bound < whole => Conditions::Drawn(bounds),
            Some(_) => Conditions::Certain(first as u32),
            None => Conditions::Certain(0),
        };
        Self { matchups: layout.matchups.len() as u64, conditions }
    }

    /// Nothing is drawn: each stratum gets the given number of battles, one stratum after the other.
    #[must_use]
    pub fn dealt(layout: &Layout, battles: &[u64]) -> Self {
        let sums = battles.iter().scan(0, |sum, &battles| {
            *sum += battles;
            Some(*sum)
        });
        let conditions = Conditions::Dealt(sums.collect());
        Self { matchups: layout.matchups.len() as u64, conditions }
    }

    /// How many match-ups take turns from battle to battle; 1 where the battles of a match-up follow each other.
    #[must_use]
    pub fn in_turn(&self) -> u64 {
        match self.conditions {
            Conditions::Certain(_) | Conditions::Drawn(_) => self.matchups,
            Conditions::Dealt(_) => 1,
        }
    }

    /// The stratum of battle `index`. Where conditions are drawn, match-ups take turns and the condition is drawn with
    /// `roll`: the first die of the battle.
    ///
    /// # Panics
    /// When conditions are drawn and there is no roll, because the game does not say which die draws them.
    #[inline]
    pub fn stratum<R: Roll>(
        &self,
        index: u64,
        roll: Option<R>,
        chance: &mut impl Chance<R>,
    ) -> Stratum {
        let matchup = (index % self.matchups) as u32;
        match &self.conditions {
            Conditions::Certain(condition) => Stratum { matchup, condition: *condition },
            Conditions::Drawn(bounds) => {
                let roll = roll.expect("a game that draws conditions names the die");
                Stratum { matchup, condition: chance.draw(roll, Odds::Cumulative(bounds)) }
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::chance::{Every, Scripted, Seeded};
    use crate::tally::fixture::{Die, duel};

    #[test]
    fn all_have_the_same_opponents_in_round_robins_only() {
        let alike = |matchups: &[[&str; 2]]| {
            let of = |names: &[&str; 2]| Matchup { contenders: names.map(str::to_owned).to_vec() };
            Layout { matchups: matchups.iter().map(of).collect(), ..duel() }
                .has_balanced_opponents()
        };
        let [a, b, c] = ["A", "B", "C"];
        assert!(alike(&[[a, b]]) && alike(&[[a, a]]) && alike(&[[a, b], [a, c], [b, c]]));
        assert!(alike(&[[a, a], [a, b], [b, a], [b, b]]));
        assert!(!alike(&[[a, b], [a, c]]), "the others do not meet");
        assert!(!alike(&[[a, b], [b, a], [a, c], [b, c]]));
    }

    #[test]
    fn conditions_are_drawn_as_often_as_the_layout_says() {
        let mut layout = duel();
        let of = |layout: &Layout| {
            let mut counts = vec![0u32; layout.conditions.len()];
            let assignment = Assignment::new(layout);
            for index in 0..40_000 {
                let mut dice = Seeded::of_battle(1, index);
                let at = assignment.stratum(index, Some(Die::Condition), &mut dice).condition;
                counts[at as usize] += 1;
            }
            counts
        };
        let counts = of(&layout);
        for (count, condition) in counts.iter().zip(&layout.conditions) {
            let mean = 40_000.0 * condition.probability;
            assert!((f64::from(*count) - mean).abs() < 4.0 * mean.sqrt(), "{counts:?}");
        }
        // A condition of probability 0 is never drawn, and a certain one throws no die.
        layout.conditions[1].probability = 0.0;
        assert_eq!(of(&layout)[1], 0);
        (layout.conditions[0].probability, layout.conditions[2].probability) = (0.0, 1.0);
        let mut nothing = Scripted::<Die>::nothing();
        let certain = Assignment::new(&layout).stratum(0, None, &mut nothing);
        assert_eq!(certain.condition, 2);
    }

    #[test]
    fn the_die_of_the_conditions_can_be_scripted_and_walked() {
        let assignment = Assignment::new(&duel());
        let mut script = Scripted::new([(Die::Condition, 2)]);
        assert_eq!(assignment.stratum(0, Some(Die::Condition), &mut script).condition, 2);
        script.finish();
        let mut every = Every::new();
        let mut odds = Vec::new();
        loop {
            let at = assignment.stratum(0, Some(Die::Condition), &mut every).condition;
            odds.push((at, every.probability()));
            if !every.advance() {
                break;
            }
        }
        assert_eq!(odds.iter().map(|(at, _)| *at).collect::<Vec<_>>(), [0, 1, 2]);
        assert_eq!(odds[0].1.to_string(), "1/2");
    }

    #[test]
    fn choices_are_told_in_one_sentence() {
        let decider = |contender: &str, policy: &str| Decider {
            contender: contender.to_owned(),
            policy: policy.to_owned(),
        };
        let told = |deciders: Vec<Decider>| Layout { deciders, ..duel() }.choices();
        assert_eq!(told(Vec::new()), None);
        let greedy = |who| decider(who, "greedy players");
        let end = "; results hold for such choices, not for best play.";
        let all = told(vec![greedy("Fire"), greedy("Water")]).unwrap();
        assert_eq!(all, format!("Choices are made by greedy players{end}"));
        let one = told(vec![greedy("Water")]).unwrap();
        assert_eq!(one, format!("Choices are made by greedy players (Water){end}"));
        let two = told(vec![greedy("Fire"), decider("Water", "random players")]).unwrap();
        assert_eq!(
            two,
            format!("Choices are made by greedy players (Fire), random players (Water){end}")
        );
        let many = ["Earth", "Life", "Death", "Dragon"].map(greedy).into_iter();
        let many = told(many.chain([decider("Fire", "random players")]).collect()).unwrap();
        let expected = "Choices are made by greedy players (4 contenders), random players (Fire)";
        assert_eq!(many, format!("{expected}{end}"));
    }
}
