//! The battles that a baseline keeps one by one, paired with the same battles played again.

use super::{PlayedAgain, Quantity, Who};
use crate::game::{Outcome, Side};
use crate::statistics::PairedSums;
use crate::studies::nightly::{Baseline, PairedBattles, TookPart, Unit};
use crate::tally::OutcomeMeasure;

/// The same battles before and after.
pub(in crate::studies::nightly) struct Both<'a> {
    old: &'a PairedBattles,
    new: &'a PairedBattles,
    /// By match-up: the names of the contenders.
    matchups: Vec<&'a [String]>,
    sides: usize,
}

impl<'a> Both<'a> {
    /// Pairs the battles that both have; None where either has none, or where battles of the same number have other
    /// dice or belong to other match-ups.
    pub(in crate::studies::nightly) fn of(
        baseline: &'a Baseline,
        counts: &'a Baseline,
    ) -> Option<Self> {
        let (old, new) = baseline.paired.as_ref().zip(counts.paired.as_ref())?;
        let names = |of: &'a Baseline| -> Vec<&'a [String]> {
            of.matchups.iter().map(|count| &count.contenders[..]).collect()
        };
        let matchups = names(baseline);
        let is_any = !old.results.is_empty() && !new.results.is_empty();
        let are_same = old.seed == new.seed && matchups == names(counts);
        let sides = baseline.sides() as usize;
        (is_any && are_same).then_some(Self { old, new, matchups, sides })
    }

    /// How many battles both have.
    pub(in crate::studies::nightly) fn battles(&self) -> usize {
        self.old.results.len().min(self.new.results.len())
    }

    /// The match-up of a battle: match-ups take turns.
    pub(in crate::studies::nightly) fn matchup(&self, battle: usize) -> usize {
        battle % self.matchups.len()
    }

    /// Whether the battle differs in anything that is measured, as far as a digest tells.
    pub(in crate::studies::nightly) fn is_otherwise(&self, battle: usize) -> bool {
        self.old.results[battle] != self.new.results[battle]
    }

    fn outcomes(&self, battle: usize) -> [Outcome; 2] {
        [self.old, self.new].map(|of| of.results[battle].outcome(self.sides))
    }

    /// Whether the same teams fought all battles, as far as that is known.
    fn same_teams(&self) -> bool {
        self.old.results.len() == self.new.results.len() && self.old.teams == self.new.teams
    }

    /// Counts the battles that were played again, and those that differ.
    pub(super) fn played_again(&self) -> PlayedAgain {
        let battles = || 0..self.battles();
        let ended_otherwise = |battle: &usize| {
            let [old, new] = self.outcomes(*battle);
            old != new
        };
        PlayedAgain {
            battles: self.battles() as u64,
            ended_otherwise: battles().filter(ended_otherwise).count() as u64,
            otherwise: battles().filter(|&battle| self.is_otherwise(battle)).count() as u64,
            same_teams: self.same_teams(),
        }
    }

    /// The units that took part in the battles as played again; None where this is not remembered.
    pub(in crate::studies::nightly) fn took_part(&self) -> Option<&'a TookPart> {
        self.new.took_part.as_ref()
    }

    /// By battle: whether the subject takes part.
    pub(in crate::studies::nightly) fn with(&self, who: &Who) -> Vec<bool> {
        let by_matchup = |is_it: &dyn Fn(usize) -> bool| {
            (0..self.battles()).map(|battle| is_it(self.matchup(battle))).collect()
        };
        match who {
            Who::Matchup(at) => by_matchup(&|matchup| matchup == *at),
            Who::Contender(name) => by_matchup(&|matchup| self.matchups[matchup].contains(name)),
            Who::Unit(unit) => self.with_unit(&|of| of == unit),
            Who::All => vec![true; self.battles()],
        }
    }

    /// By battle: whether a card of this name takes part, whatever its kind.
    pub(in crate::studies::nightly) fn with_card(&self, name: &str) -> Vec<bool> {
        self.with_unit(&|of| of.name == name)
    }

    fn with_unit(&self, is_it: &dyn Fn(&Unit) -> bool) -> Vec<bool> {
        let mut battles = vec![false; self.battles()];
        for &(battle, _) in self.took_part().map_or(&[][..], |of| of.of(is_it)) {
            if let Some(takes_part) = battles.get_mut(battle as usize) {
                *takes_part = true;
            }
        }
        battles
    }

    /// The most points that a battle can add to a figure.
    pub(in crate::studies::nightly) fn most(&self, quantity: &Quantity) -> f64 {
        match quantity {
            Quantity::Score(_) | Quantity::ContenderScore | Quantity::UnitScore => {
                self.sides as f64
            }
            Quantity::Draws
            | Quantity::Undecided
            | Quantity::Mean(_)
            | Quantity::Length
            | Quantity::Order => 1.0,
        }
    }

    /// The points behind a figure before and after, over all battles or some of them. Empty where the figure is not
    /// known by battle.
    pub(in crate::studies::nightly) fn sums(
        &self,
        who: &Who,
        quantity: &Quantity,
        measure: OutcomeMeasure,
        only: Option<&[bool]>,
    ) -> PairedSums {
        let is_meant = |battle: usize| only.is_none_or(|only| only[battle]);
        let mut sums = PairedSums::default();
        match (quantity, who) {
            (Quantity::Draws, Who::Matchup(at)) => {
                self.count(*at, Outcome::Draw, &is_meant, &mut sums);
            }
            (Quantity::Undecided, Who::Matchup(at)) => {
                self.count(*at, Outcome::Undecided, &is_meant, &mut sums);
            }
            // Not the same battles need be decided before and after, so shares of decided battles cannot be paired.
            _ if measure == OutcomeMeasure::Decided => {}
            (Quantity::Score(side), Who::Matchup(at)) => {
                for battle in (*at..self.battles()).step_by(self.matchups.len()) {
                    if is_meant(battle) {
                        let [old, new] = self.points(battle, *side, measure);
                        sums.add(1, old, new);
                    }
                }
            }
            (Quantity::ContenderScore, Who::Contender(name)) => {
                for battle in (0..self.battles()).filter(|&battle| is_meant(battle)) {
                    let fighting = self.matchups[self.matchup(battle)];
                    if fighting.windows(2).any(|pair| pair[0] != pair[1]) {
                        let its = (0..self.sides).filter(|&side| fighting[side] == *name);
                        self.add(battle, its.map(|side| side as u8), measure, &mut sums);
                    }
                }
            }
            (Quantity::UnitScore, Who::Unit(unit)) if self.same_teams() => {
                let appearances = self.took_part().map_or(&[][..], |of| of.of(|of| of == unit));
                for of_battle in appearances.chunk_by(|one, next| one.0 == next.0) {
                    let battle = of_battle[0].0 as usize;
                    if battle < self.battles() && is_meant(battle) {
                        let sides = of_battle.iter().map(|&(_, side)| side);
                        self.add(battle, sides, measure, &mut sums);
                    }
                }
            }
            (
                Quantity::Score(_)
                | Quantity::Draws
                | Quantity::Undecided
                | Quantity::ContenderScore
                | Quantity::UnitScore
                | Quantity::Mean(_)
                | Quantity::Length
                | Quantity::Order,
                _,
            ) => {}
        }
        sums
    }

    /// Adds one battle with its points before and after, summed over these sides.
    fn add(
        &self,
        battle: usize,
        sides: impl Iterator<Item = u8>,
        measure: OutcomeMeasure,
        sums: &mut PairedSums,
    ) {
        let (mut times, mut points) = (0, [0, 0]);
        for side in sides {
            times += 1;
            for (sum, more) in points.iter_mut().zip(self.points(battle, Side(side), measure)) {
                *sum += more;
            }
        }
        if times > 0 {
            sums.add(times, points[0], points[1]);
        }
    }

    fn points(&self, battle: usize, side: Side, measure: OutcomeMeasure) -> [u32; 2] {
        self.outcomes(battle)
            .map(|outcome| measure.points(outcome, side, self.sides).unwrap_or_default())
    }

    fn count(
        &self,
        matchup: usize,
        end: Outcome,
        is_meant: &dyn Fn(usize) -> bool,
        sums: &mut PairedSums,
    ) {
        for battle in (matchup..self.battles()).step_by(self.matchups.len()) {
            if is_meant(battle) {
                let [old, new] = self.outcomes(battle).map(|outcome| u32::from(outcome == end));
                sums.add(1, old, new);
            }
        }
    }
}
