//! The sum of many battles.

use super::by_matchup::{ByMatchup, Own, Place};
use super::counts::Deeds;
use super::form::KeyBounds;
use super::pairs::Among;
use super::record::teams;
use super::waiting::Waiting;
use super::{
    Appearances, Breakdown, Clustered, Count, Fighter, Layout, Orders, OutcomeMeasure, Pairs,
    Record, Strata, Stratified, UnitCount,
};
use crate::game::{Outcome, Side, Stratum};

/// The place where a unit of a contender is counted in one match-up.
pub(super) struct Cell {
    /// Index by contender and unit.
    at: usize,
    place: Place,
}

/// The sum of many battles of one setup.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Tally {
    /// Counts by match-up.
    pub matchups: Vec<Count>,
    /// Outcomes by stratum, without lengths and metrics.
    pub strata: Strata,
    /// By contender and then unit: contender `c` and unit `u` are at `c * units + u`.
    pub units: Vec<UnitCount>,
    /// By factor, where that was asked for, then by contender and unit: see [`appearances_of`](Self::appearances_of).
    pub appearances: Vec<Appearances>,
    /// Sums of points by contender and unit.
    pub(super) fared: ByMatchup,
    /// Sums of points in each part of the breakdown: by factor, contender and unit, or by condition and unit.
    pub(crate) fared_in_part: ByMatchup,
    breakdown: Breakdown,
    measure: OutcomeMeasure,
    /// By match-up and side: index of the contender.
    contender_at: Vec<u16>,
    pub(super) own: Own,
    /// By contender and unit: appearances and points in the battle that is being added; zero in between.
    in_battle: Vec<(u32, u32)>,
    /// Counts by pair of units in one team, where asked for.
    pub pairs: Option<Pairs>,
    /// Counts by moment and order.
    pub orders: Orders,
    /// The bounds that the keys of orders must keep to.
    pub(super) key_bounds: KeyBounds,
}

impl Tally {
    /// An empty sum. Comparisons count the score.
    #[must_use]
    pub fn new(layout: &Layout, breakdown: Breakdown) -> Self {
        let contenders = layout.contenders();
        let cells = contenders.names.len() * layout.units.len();
        let parts = breakdown.parts(layout);
        let (appearances, fared) = match breakdown {
            Breakdown::Whole | Breakdown::Factor => (parts * cells, parts * cells),
            Breakdown::Condition => (0, parts * layout.units.len()),
        };
        let own = Own::of(layout);
        let kept = |cells: usize, are_apart: bool| {
            if are_apart { ByMatchup::new(cells) } else { ByMatchup::together(cells) }
        };
        // Weights that are tuned are told match-up by match-up.
        let parts_are_apart =
            breakdown == Breakdown::Condition || own.are_apart(parts * layout.units.len());
        Self {
            matchups: vec![Count::new(layout); layout.matchups.len()],
            strata: Strata::new(layout.strata(), layout.sides),
            units: vec![UnitCount::default(); cells],
            appearances: vec![Appearances::default(); appearances],
            fared: kept(cells, own.are_apart(layout.units.len())),
            fared_in_part: kept(fared, parts_are_apart),
            breakdown,
            measure: OutcomeMeasure::default(),
            contender_at: contenders.at,
            own,
            in_battle: vec![(0, 0); cells],
            pairs: None,
            orders: Orders::default(),
            key_bounds: KeyBounds::of(layout),
        }
    }

    /// This sum, with another measure than the score for comparisons.
    #[must_use]
    pub fn with_measure(self, measure: OutcomeMeasure) -> Self {
        Self { measure, ..self }
    }

    /// This sum, which is empty, with counts of pairs of units as well.
    #[must_use]
    pub fn with_pairs(self, layout: &Layout, breakdown: Breakdown) -> Self {
        Self { pairs: Some(Pairs::new(layout, breakdown)), ..self }
    }

    /// The measure that comparisons count.
    #[must_use]
    pub fn measure(&self) -> OutcomeMeasure {
        self.measure
    }

    /// The counts of a unit of a contender.
    #[must_use]
    pub fn unit(&self, layout: &Layout, contender: usize, unit: usize) -> &UnitCount {
        &self.units[contender * layout.units.len() + unit]
    }

    /// The counts of a unit over all contenders.
    #[must_use]
    pub fn unit_of_all(&self, layout: &Layout, unit: usize) -> UnitCount {
        let mut sum = UnitCount::default();
        for of_one in self.units[unit..].iter().step_by(layout.units.len().max(1)) {
            sum.merge(of_one);
        }
        sum
    }

    /// What units are counted by.
    #[must_use]
    pub fn breakdown(&self) -> Breakdown {
        self.breakdown
    }

    /// How often a unit of a contender took part, won and lost under a factor, in a tally by factor.
    #[must_use]
    pub fn appearances_of(
        &self,
        layout: &Layout,
        factor: usize,
        contender: usize,
        unit: usize,
    ) -> &Appearances {
        &self.appearances[self.cell(layout, factor, contender, unit)]
    }

    /// The sums, by the measure, of a unit of a contender in each of the contender's match-ups; one sum for all of them
    /// where there are too many ([`memory`](super::memory)); empty where the unit never appeared in a battle that the
    /// measure looks at.
    #[must_use]
    pub fn fared(&self, layout: &Layout, contender: usize, unit: usize) -> Vec<Stratified> {
        self.stratified(contender, self.fared.cell(contender * layout.units.len() + unit))
    }

    /// The sums, by the measure, of a unit of a contender under a factor, by match-up as in [`fared`](Self::fared()),
    /// in a tally by factor.
    #[must_use]
    pub fn fared_in(
        &self,
        layout: &Layout,
        factor: usize,
        contender: usize,
        unit: usize,
    ) -> Vec<Stratified> {
        let cell = self.cell(layout, factor, contender, unit);
        self.stratified(contender, self.fared_in_part.cell(cell))
    }

    fn stratified(&self, contender: usize, cell: &[Clustered]) -> Vec<Stratified> {
        let own = self.own.matchups[contender].iter();
        let mut battles = own.map(|&matchup| self.matchups[matchup as usize].battles);
        match cell {
            // One sum for all match-ups, however many there are.
            &[fared] => vec![Stratified { battles: battles.sum(), fared }],
            cell => {
                let of = |&fared| Stratified { battles: battles.next().unwrap_or(0), fared };
                cell.iter().map(of).collect()
            }
        }
    }

    fn cell(&self, layout: &Layout, factor: usize, contender: usize, unit: usize) -> usize {
        factor * self.units.len() + contender * layout.units.len() + unit
    }

    /// The sums, by the measure, of a unit under a condition over all contenders, by match-up, in a tally by condition.
    #[must_use]
    pub fn fared_under(&self, layout: &Layout, condition: usize, unit: usize) -> Vec<Stratified> {
        let cell = self.fared_in_part.cell(condition * layout.units.len() + unit);
        let of_matchup = |matchup: usize| Stratified {
            battles: self.strata[matchup * layout.conditions.len() + condition].battles,
            fared: cell.get(matchup).copied().unwrap_or_default(),
        };
        (0..layout.matchups.len()).map(of_matchup).collect()
    }

    /// Adds how one battle ended, but nothing of what happened in it.
    #[inline]
    pub fn add_ending(&mut self, layout: &Layout, record: &Record) {
        self.matchups[record.stratum.matchup as usize].add(record);
        self.strata[layout.index(record.stratum)].add_outcome(record.outcome, record.forfeits);
    }

    /// Adds one battle.
    pub fn add(&mut self, layout: &Layout, record: &Record) {
        self.add_ending(layout, record);
        if record.forfeits != 0 {
            return;
        }
        if !record.fighters.is_empty() {
            self.add_who(layout, record);
        }
        self.orders.add(layout, record);
    }

    /// Adds the units and pairs that took part in a battle.
    pub(super) fn add_who(&mut self, layout: &Layout, record: &Record) {
        let Record { stratum, outcome, fighters, .. } = record;
        self.add_fighters(layout, *stratum, *outcome, fighters, 1, Deeds::of);
        self.add_pairs(layout, *stratum, *outcome, fighters, 1);
    }

    /// Adds one battle. Its fighters may stay in `waiting` until they are [settled](Waiting::settle).
    pub fn add_to(&mut self, waiting: &mut Waiting, layout: &Layout, record: &Record) {
        self.add_ending(layout, record);
        if record.forfeits != 0 {
            return;
        }
        if !record.fighters.is_empty() {
            waiting.add(self, layout, record);
        }
        self.orders.add(layout, record);
    }

    /// Adds what a fighter did in some battles.
    #[inline]
    fn add_deeds(&mut self, layout: &Layout, stratum: Stratum, fighter: &Fighter, deeds: &Deeds) {
        let at = stratum.matchup as usize * layout.sides + fighter.side.index();
        let first = usize::from(self.contender_at[at]) * layout.units.len();
        self.units[first + usize::from(fighter.unit)].add_deeds(deeds);
    }

    /// Adds the fighters of so many battles with the same fighters and outcome, and what they did there. For a single
    /// battle, inlining removes the multiplications.
    #[inline(always)]
    pub(super) fn add_fighters(
        &mut self,
        layout: &Layout,
        stratum: Stratum,
        outcome: Outcome,
        fighters: &[Fighter],
        battles: u64,
        deeds: impl Fn(&Fighter) -> Deeds,
    ) {
        let (units, cells) = (layout.units.len(), self.units.len());
        let at = stratum.matchup as usize * layout.sides;
        let contenders = &self.contender_at[at..at + layout.sides];
        let places = &self.own.places[at..at + layout.sides];
        let meets_itself =
            contenders.iter().enumerate().any(|(at, of)| contenders[..at].contains(of));
        let recur = meets_itself || !layout.units_are_drawn;
        let factors = match self.breakdown {
            Breakdown::Factor => &layout.conditions[stratum.condition as usize].factors[..],
            Breakdown::Whole | Breakdown::Condition => &[],
        };
        for team in teams(fighters) {
            let side = team[0].side;
            let first = usize::from(contenders[side.index()]) * units;
            let place = places[side.index()];
            let [won, lost, shared] = match outcome {
                Outcome::Win(winner) if winner == side => [battles, 0, 0],
                Outcome::Win(_) => [0, battles, 0],
                Outcome::Draw | Outcome::Undecided => [0, 0, battles],
            };
            let points = self.measure.points(outcome, side, layout.sides);
            let once = Clustered::step((0, 0), points.unwrap_or(0)).of(battles);
            for fighter in team {
                let cell = first + usize::from(fighter.unit);
                let unit = &mut self.units[cell];
                unit.played += battles;
                unit.won += won;
                unit.shared += shared;
                unit.add_deeds(&deeds(fighter));
                let mut step = once;
                if let Some(points) = points {
                    if recur {
                        let before = &mut self.in_battle[cell];
                        if before.0 > 0 {
                            step = Clustered::step(*before, points).of(battles);
                        }
                        *before = (before.0 + 1, before.1 + points);
                    }
                    self.fared.add(cell, place, &step);
                }
                for &factor in factors {
                    let in_part = usize::from(factor) * cells + cell;
                    self.appearances[in_part].merge(&Appearances { played: battles, won, lost });
                    if points.is_some() {
                        self.fared_in_part.add(in_part, place, &step);
                    }
                }
            }
        }
        if recur {
            for fighter in fighters {
                let contender = usize::from(contenders[fighter.side.index()]);
                self.in_battle[contender * units + usize::from(fighter.unit)] = (0, 0);
            }
        }
        if self.breakdown == Breakdown::Condition {
            self.add_under(layout, stratum, outcome, fighters, battles);
        }
    }

    /// Adds the pairs in each team of so many battles with the same fighters and outcome.
    #[inline]
    pub(super) fn add_pairs(
        &mut self,
        layout: &Layout,
        stratum: Stratum,
        outcome: Outcome,
        fighters: &[Fighter],
        battles: u64,
    ) {
        if let Some(pairs) = &mut self.pairs {
            let at = stratum.matchup as usize * layout.sides;
            let contenders = &self.contender_at[at..at + layout.sides];
            let places = &self.own.places[at..at + layout.sides];
            let among = Among { stratum, contenders, places, measure: self.measure };
            pairs.add(layout, &among, outcome, fighters, battles);
        }
    }

    /// Adds battles in which the same units took part: how many had each outcome, and what each unit did in all of
    /// them.
    pub(super) fn add_alike(
        &mut self,
        layout: &Layout,
        stratum: Stratum,
        fighters: &[Fighter],
        endings: impl Iterator<Item = (Outcome, u64)>,
        deeds: &[Deeds],
    ) {
        for (outcome, battles) in endings {
            if battles > 0 {
                self.add_fighters(layout, stratum, outcome, fighters, battles, |_| Deeds::NONE);
                self.add_pairs(layout, stratum, outcome, fighters, battles);
            }
        }
        for (fighter, deeds) in fighters.iter().zip(deeds) {
            self.add_deeds(layout, stratum, fighter, deeds);
        }
    }

    /// The place where a unit of a side is counted.
    pub(super) fn unit_in(&self, layout: &Layout, matchup: u32, side: Side, unit: usize) -> Cell {
        let at = matchup as usize * layout.sides + side.index();
        let first = usize::from(self.contender_at[at]) * layout.units.len();
        Cell { at: first + unit, place: self.own.places[at] }
    }

    /// Adds what a unit did in some battles.
    pub(super) fn add_deeds_to(&mut self, to: &Cell, deeds: &Deeds) {
        self.units[to.at].add_deeds(deeds);
    }

    /// Adds how often a unit's side won, another side won, and no side won, as a whole or under a factor.
    pub(super) fn add_endings(
        &mut self,
        to: &Cell,
        factor: Option<usize>,
        [won, lost, shared]: [u64; 3],
    ) {
        let played = won + lost + shared;
        match factor {
            None => {
                let unit = UnitCount { played, won, shared, ..UnitCount::default() };
                self.units[to.at].merge(&unit);
            }
            Some(factor) => {
                let at = factor * self.units.len() + to.at;
                self.appearances[at].merge(&Appearances { played, won, lost });
            }
        }
    }

    /// Adds to the sums of a unit by the measure, as a whole or under a factor.
    pub(super) fn add_fared(&mut self, to: &Cell, factor: Option<usize>, more: &Clustered) {
        match factor {
            None => self.fared.add(to.at, to.place, more),
            Some(factor) => {
                self.fared_in_part.add(factor * self.units.len() + to.at, to.place, more);
            }
        }
    }

    fn add_under(
        &mut self,
        layout: &Layout,
        stratum: Stratum,
        outcome: Outcome,
        fighters: &[Fighter],
        battles: u64,
    ) {
        let first = stratum.condition as usize * layout.units.len();
        let place = Place { at: stratum.matchup, of: layout.matchups.len() as u32 };
        for fighter in fighters {
            let unit = usize::from(fighter.unit);
            if let Some(points) = self.measure.points(outcome, fighter.side, layout.sides) {
                let before = self.in_battle[unit];
                let step = Clustered::step(before, points).of(battles);
                self.fared_in_part.add(first + unit, place, &step);
                self.in_battle[unit] = (before.0 + 1, before.1 + points);
            }
        }
        for fighter in fighters {
            self.in_battle[usize::from(fighter.unit)] = (0, 0);
        }
    }

    /// Adds the battles of another batch of the same setup.
    pub fn merge(&mut self, other: &Self) {
        for (mine, theirs) in self.matchups.iter_mut().zip(&other.matchups) {
            mine.merge(theirs);
        }
        self.strata.merge(&other.strata);
        for (mine, theirs) in self.units.iter_mut().zip(&other.units) {
            mine.merge(theirs);
        }
        for (mine, theirs) in self.appearances.iter_mut().zip(&other.appearances) {
            mine.merge(theirs);
        }
        self.fared.merge(&other.fared);
        self.fared_in_part.merge(&other.fared_in_part);
        if let (Some(mine), Some(theirs)) = (&mut self.pairs, &other.pairs) {
            mine.merge(theirs);
        }
        self.orders.merge(&other.orders);
    }

    /// How many battles were added.
    #[must_use]
    pub fn battles(&self) -> u64 {
        self.strata.met().map(|(_, count)| count.battles).sum()
    }

    /// The sum over the strata that `keep` selects by (match-up, condition). Lengths and metrics are not counted by
    /// condition: they are included only of match-ups that are selected under every condition.
    #[must_use]
    pub fn count(&self, layout: &Layout, keep: impl Fn(usize, usize) -> bool) -> Count {
        let mut sum = Count::new(layout);
        for (matchup, count) in self.matchups.iter().enumerate() {
            if (0..layout.conditions.len()).all(|condition| keep(matchup, condition)) {
                sum.merge(count);
                continue;
            }
            let start = matchup * layout.conditions.len();
            for (condition, count) in
                self.strata.range(start..start + layout.conditions.len()).enumerate()
            {
                if count.battles > 0 && keep(matchup, condition) {
                    sum.merge(count);
                }
            }
        }
        sum
    }
    /// The factors with which all battles of a match-up are forfeits, where there are enough battles to tell. A side's
    /// score with such a factor only shows who may bring what, and so does part of its score without any other factor:
    /// nothing is compared there.
    #[must_use]
    pub fn never_fought(&self, layout: &Layout, matchup: usize) -> Vec<usize> {
        /// If all of at least this many battles are forfeits, every battle with the factor is taken to be one.
        const ENOUGH: u64 = 20;
        let conditions = layout.conditions.len();
        let counts = self.strata.range(matchup * conditions..(matchup + 1) * conditions);
        let mut by_factor = vec![(0, 0); layout.factors.len()];
        for (condition, count) in layout.conditions.iter().zip(counts) {
            for &factor in &condition.factors {
                let (battles, unfought) = &mut by_factor[usize::from(factor)];
                *battles += count.battles;
                *unfought += count.unfought;
            }
        }
        let is_never = |&factor: &usize| {
            let (battles, unfought) = by_factor[factor];
            battles >= ENOUGH && battles == unfought
        };
        (0..layout.factors.len()).filter(is_never).collect()
    }
}
