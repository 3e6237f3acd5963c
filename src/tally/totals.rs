//! The sum of many battles.

use serde::{Deserialize, Serialize};

use super::by_matchup::{ByMatchup, Own, Place};
use super::form::KeyBounds;
use super::orders::add_all;
use super::pairs::Among;
use super::record::teams;
use super::waiting::Waiting;
use super::{Fighter, Layout, Orders, OutcomeMeasure, Pairs, Record, Strata};
use crate::game::{Outcome, Side, Stratum};

/// Where a unit is counted in one match-up.
pub(super) struct Cell {
    /// By contender and unit.
    at: usize,
    place: Place,
}

/// How a set of battles ended.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Count {
    /// How many battles.
    pub battles: u64,
    /// How many of them each side won.
    pub wins: Vec<u64>,
    /// How many were drawn.
    pub draws: u64,
    /// How many ended with nothing decided.
    pub undecided: u64,
    /// By side: how many it forfeited before they began. They count as won and lost, and for nothing else.
    pub forfeits: Vec<u64>,
    /// How many of them were forfeited by anybody.
    pub unfought: u64,
    /// How many of those that were fought lasted 0, 1, 2, ... rounds.
    pub lengths: Vec<u64>,
    /// The sum of each metric over the battles that were fought.
    pub sums: Vec<i128>,
    /// The sum of each metric's squares.
    pub squares: Vec<i128>,
}

impl Count {
    /// No battles yet.
    #[must_use]
    pub fn new(layout: &Layout) -> Self {
        Self {
            lengths: vec![0; layout.longest as usize + 1],
            sums: vec![0; layout.metrics.len()],
            squares: vec![0; layout.metrics.len()],
            ..Self::of_sides(layout.sides)
        }
    }

    /// No battles yet, and no place for lengths and metrics.
    pub(crate) fn of_sides(sides: usize) -> Self {
        Self { wins: vec![0; sides], forfeits: vec![0; sides], ..Self::default() }
    }

    #[inline]
    fn add_outcome(&mut self, outcome: Outcome, forfeits: u8) {
        self.battles += 1;
        match outcome {
            Outcome::Win(side) => self.wins[side.index()] += 1,
            Outcome::Draw => self.draws += 1,
            Outcome::Undecided => self.undecided += 1,
        }
        if forfeits != 0 {
            self.unfought += 1;
            for (side, count) in self.forfeits.iter_mut().enumerate() {
                *count += u64::from(forfeits >> side & 1);
            }
        }
    }

    #[inline]
    fn add(&mut self, record: &Record) {
        self.add_outcome(record.outcome, record.forfeits);
        if record.forfeits != 0 {
            return;
        }
        self.lengths[record.rounds as usize] += 1;
        for (metric, &value) in record.metrics.iter().enumerate() {
            self.sums[metric] += i128::from(value);
            self.squares[metric] += i128::from(value) * i128::from(value);
        }
    }

    /// How many were fought: all that nobody forfeited.
    #[must_use]
    pub fn fought(&self) -> u64 {
        self.battles - self.unfought
    }

    /// Adds the battles of another set.
    pub fn merge(&mut self, other: &Self) {
        self.battles += other.battles;
        add_all(&mut self.wins, &other.wins);
        self.draws += other.draws;
        self.undecided += other.undecided;
        add_all(&mut self.forfeits, &other.forfeits);
        self.unfought += other.unfought;
        // A stratum has no lengths and no metrics.
        if !other.lengths.is_empty() && !self.lengths.is_empty() {
            add_all(&mut self.lengths, &other.lengths);
            add_all(&mut self.sums, &other.sums);
            add_all(&mut self.squares, &other.squares);
        }
    }
}

/// How often one unit of one contender was in battle, and what it did there. A unit can be in a battle several times: in
/// copies, or on both sides where a contender meets itself. What that says of its score is in [`Tally::fared`].
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct UnitCount {
    /// How often it took part.
    pub played: u64,
    /// How often its side won.
    pub won: u64,
    /// How often nobody won.
    pub shared: u64,
    /// How often it was still there at the end.
    pub survived: u64,
    /// Hit points it took from others in all.
    pub dealt: u64,
    /// Hit points it lost to others in all.
    pub taken: u64,
}

/// What a fighter did in some battles.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Deeds {
    survived: u64,
    dealt: u64,
    taken: u64,
}

impl Deeds {
    /// Nothing at all.
    pub(super) const NONE: Self = Self { survived: 0, dealt: 0, taken: 0 };

    /// Adds what a fighter did in one battle more.
    #[inline]
    pub(super) fn add(&mut self, fighter: &Fighter) {
        self.merge(&Self::of(fighter));
    }

    #[inline]
    pub(super) fn of(fighter: &Fighter) -> Self {
        Self {
            survived: u64::from(fighter.survived),
            dealt: u64::from(fighter.dealt),
            taken: u64::from(fighter.taken),
        }
    }

    #[inline]
    pub(super) fn merge(&mut self, other: &Self) {
        self.survived += other.survived;
        self.dealt += other.dealt;
        self.taken += other.taken;
    }
}

impl UnitCount {
    #[inline]
    fn add_deeds(&mut self, deeds: &Deeds) {
        self.survived += deeds.survived;
        self.dealt += deeds.dealt;
        self.taken += deeds.taken;
    }

    /// Both together.
    pub fn merge(&mut self, other: &Self) {
        self.played += other.played;
        self.won += other.won;
        self.shared += other.shared;
        self.survived += other.survived;
        self.dealt += other.dealt;
        self.taken += other.taken;
    }
}

/// Points of several appearances in each battle, with what the variance of their mean needs: the appearances of one battle
/// are not independent of each other, battles are.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Clustered {
    /// How many appearances the measure looks at.
    pub times: u64,
    /// Their points ([`OutcomeMeasure::points`]).
    pub points: u64,
    /// The sum over battles of appearances squared.
    pub times_squared: u64,
    /// The sum over battles of appearances times points.
    pub times_by_points: u64,
    /// The sum over battles of points squared.
    pub points_squared: u64,
}

/// What appearances add up to in the battles of one match-up.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Stratified {
    /// How many battles the match-up has, with it or without.
    pub battles: u64,
    /// The appearances in them.
    pub fared: Clustered,
}

impl From<Clustered> for Stratified {
    /// All that there is, in one stratum.
    fn from(fared: Clustered) -> Self {
        Self { battles: fared.times, fared }
    }
}

impl Clustered {
    /// The sums over several strata.
    #[must_use]
    pub fn sum_of(strata: &[Stratified]) -> Self {
        let mut sum = Self::default();
        strata.iter().for_each(|of| sum.merge(&of.fared));
        sum
    }

    /// What one appearance more in a battle adds, after so many with so many points.
    #[inline]
    fn step((times, had): (u32, u32), points: u32) -> Self {
        let (times, had, points) = (u64::from(times), u64::from(had), u64::from(points));
        Self {
            times: 1,
            points,
            times_squared: 2 * times + 1,
            times_by_points: times * points + had + points,
            points_squared: (2 * had + points) * points,
        }
    }

    /// What one battle adds in which a unit appears so often, with so many points each time.
    pub(super) fn of_appearances(points: &[u32]) -> Self {
        let mut sum = Self::default();
        for (times, &points) in points.iter().enumerate() {
            sum.merge(&Self::step((times as u32, sum.points as u32), points));
        }
        sum
    }

    /// The same in so many battles.
    #[inline]
    pub(super) fn of(self, battles: u64) -> Self {
        Self {
            times: self.times * battles,
            points: self.points * battles,
            times_squared: self.times_squared * battles,
            times_by_points: self.times_by_points * battles,
            points_squared: self.points_squared * battles,
        }
    }

    /// Both together, of different battles or what an appearance more adds.
    #[inline]
    pub fn merge(&mut self, other: &Self) {
        self.times += other.times;
        self.points += other.points;
        self.times_squared += other.times_squared;
        self.times_by_points += other.times_by_points;
        self.points_squared += other.points_squared;
    }
}

/// What units are counted by, besides as a whole.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Breakdown {
    /// Nothing else.
    #[default]
    Whole,
    /// Each factor by itself: in a battle of two factors a unit counts for both.
    Factor,
    /// Each condition. Units are counted whoever brings them then.
    Condition,
}

impl Breakdown {
    /// How many parts there are.
    pub(super) fn parts(self, layout: &Layout) -> usize {
        match self {
            Breakdown::Whole => 0,
            Breakdown::Factor => layout.factors.len(),
            Breakdown::Condition => layout.conditions.len(),
        }
    }
}

/// How a unit fared under a factor.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Appearances {
    /// How often it took part.
    pub played: u64,
    /// How often its side won.
    pub won: u64,
    /// How often another side won.
    pub lost: u64,
}

impl Appearances {
    #[inline]
    fn add(&mut self, side: Side, outcome: Outcome, battles: u64) {
        self.played += battles;
        if let Outcome::Win(winner) = outcome {
            let count = if winner == side { &mut self.won } else { &mut self.lost };
            *count += battles;
        }
    }

    /// How often nobody won.
    #[must_use]
    pub fn shared(&self) -> u64 {
        self.played - self.won - self.lost
    }

    fn merge(&mut self, other: &Self) {
        self.played += other.played;
        self.won += other.won;
        self.lost += other.lost;
    }
}

/// The sum of many battles of one setup.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Tally {
    /// By match-up.
    pub matchups: Vec<Count>,
    /// By stratum: how its battles ended, without lengths and metrics.
    pub strata: Strata,
    /// By contender and then unit: that of contender `c` and unit `u` is at `c * units + u`.
    pub units: Vec<UnitCount>,
    /// By factor, where that was asked for, then by contender and unit: see [`appearances_of`](Self::appearances_of).
    pub appearances: Vec<Appearances>,
    /// By the measure: by contender and unit.
    pub(super) fared: ByMatchup,
    /// By the measure: by factor, contender and unit, or by condition and unit.
    pub(crate) fared_in_part: ByMatchup,
    breakdown: Breakdown,
    measure: OutcomeMeasure,
    /// By match-up and side: which contender.
    contender_at: Vec<u16>,
    pub(super) own: Own,
    /// By contender and unit: appearances and points in the battle that is being added; nothing in between.
    in_battle: Vec<(u32, u32)>,
    /// What each fighter of that battle adds, and where.
    steps: Vec<(usize, Clustered)>,
    /// By two units of one team, where that was asked for.
    pub pairs: Option<Pairs>,
    /// By moment and order.
    pub orders: Orders,
    /// What orders can be of.
    pub(super) key_bounds: KeyBounds,
}

impl Tally {
    /// An empty sum. Comparisons will count scores.
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
            steps: Vec::new(),
            pairs: None,
            orders: Orders::default(),
            key_bounds: KeyBounds::of(layout),
        }
    }

    /// The same where comparisons will count something else.
    #[must_use]
    pub fn with_measure(self, measure: OutcomeMeasure) -> Self {
        Self { measure, ..self }
    }

    /// An empty sum that also counts pairs of units.
    #[must_use]
    pub fn with_pairs(self, layout: &Layout, breakdown: Breakdown) -> Self {
        Self { pairs: Some(Pairs::new(layout, breakdown)), ..self }
    }

    /// What comparisons count.
    #[must_use]
    pub fn measure(&self) -> OutcomeMeasure {
        self.measure
    }

    /// How a unit of a contender fared.
    #[must_use]
    pub fn unit(&self, layout: &Layout, contender: usize, unit: usize) -> &UnitCount {
        &self.units[contender * layout.units.len() + unit]
    }

    /// How a unit fared, whoever brought it.
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

    /// How a unit of a contender fared under a factor, in a tally by factor.
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

    /// How the appearances of a unit of a contender fared by the measure, in each of the contender's match-ups; in all of them
    /// together where there are too many ([`memory`](super::memory)); nothing where there are none.
    #[must_use]
    pub fn fared(&self, layout: &Layout, contender: usize, unit: usize) -> Vec<Stratified> {
        self.stratified(contender, self.fared.cell(contender * layout.units.len() + unit))
    }

    /// The same under a factor, in a tally by factor.
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
            // One for all match-ups, however many there are.
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

    /// How a unit fared under a condition by the measure, whoever brought it, in each match-up, in a tally by condition.
    #[must_use]
    pub fn fared_under(&self, layout: &Layout, condition: usize, unit: usize) -> Vec<Stratified> {
        let cell = self.fared_in_part.cell(condition * layout.units.len() + unit);
        let of_matchup = |matchup: usize| Stratified {
            battles: self.strata[matchup * layout.conditions.len() + condition].battles,
            fared: cell.get(matchup).copied().unwrap_or_default(),
        };
        (0..layout.matchups.len()).map(of_matchup).collect()
    }

    /// Adds how one battle ended, and nothing of what happened in it.
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

    /// Adds those who took part in a battle.
    pub(super) fn add_who(&mut self, layout: &Layout, record: &Record) {
        let Record { stratum, outcome, fighters, .. } = record;
        self.add_fighters(layout, *stratum, *outcome, fighters, 1);
        for fighter in fighters {
            self.add_deeds(layout, *stratum, fighter, &Deeds::of(fighter));
        }
        self.add_pairs(layout, *stratum, *outcome, fighters, 1);
    }

    /// Adds one battle, of which some may wait among those until they are [settled](Waiting::settle).
    pub(crate) fn add_to(&mut self, waiting: &mut Waiting, layout: &Layout, record: &Record) {
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

    /// Adds how those fared who took part in so many battles that ended alike, and not what they did there.
    pub(super) fn add_fighters(
        &mut self,
        layout: &Layout,
        stratum: Stratum,
        outcome: Outcome,
        fighters: &[Fighter],
        battles: u64,
    ) {
        let units = layout.units.len();
        let at = stratum.matchup as usize * layout.sides;
        let contenders = &self.contender_at[at..at + layout.sides];
        let places = &self.own.places[at..at + layout.sides];
        let meets_itself =
            contenders.iter().enumerate().any(|(at, of)| contenders[..at].contains(of));
        let recur = meets_itself || !layout.units_are_drawn;
        for team in teams(fighters) {
            let side = team[0].side;
            let first = usize::from(contenders[side.index()]) * units;
            let (won, shared) = match outcome {
                Outcome::Win(winner) => (if winner == side { battles } else { 0 }, 0),
                Outcome::Draw | Outcome::Undecided => (0, battles),
            };
            let counts = &mut self.units[first..first + units];
            for fighter in team {
                let unit = &mut counts[usize::from(fighter.unit)];
                unit.played += battles;
                unit.won += won;
                unit.shared += shared;
            }
            let place = places[side.index()];
            let points = self.measure.points(outcome, side, layout.sides);
            match points {
                Some(points) if recur => {
                    for fighter in team {
                        let cell = first + usize::from(fighter.unit);
                        let before = &mut self.in_battle[cell];
                        let step = Clustered::step(*before, points).of(battles);
                        *before = (before.0 + 1, before.1 + points);
                        self.fared.add(cell, place, &step);
                        if self.breakdown == Breakdown::Factor {
                            self.steps.push((cell, step));
                        }
                    }
                }
                Some(points) => {
                    let step = Clustered::step((0, 0), points).of(battles);
                    for fighter in team {
                        self.fared.add(first + usize::from(fighter.unit), place, &step);
                    }
                    if self.breakdown == Breakdown::Factor {
                        let cell = |fighter: &Fighter| first + usize::from(fighter.unit);
                        self.steps.extend(team.iter().map(|fighter| (cell(fighter), step)));
                    }
                }
                None => {
                    let cell = |fighter: &Fighter| first + usize::from(fighter.unit);
                    let nothing = Clustered::default();
                    self.steps.extend(team.iter().map(|fighter| (cell(fighter), nothing)));
                }
            }
        }
        if recur {
            for fighter in fighters {
                let contender = usize::from(contenders[fighter.side.index()]);
                self.in_battle[contender * units + usize::from(fighter.unit)] = (0, 0);
            }
        }
        let condition = stratum.condition as usize;
        match self.breakdown {
            Breakdown::Whole => {}
            Breakdown::Factor => {
                for &factor in &layout.conditions[condition].factors {
                    self.add_appearances(usize::from(factor), at, outcome, fighters, battles);
                }
            }
            Breakdown::Condition => self.add_under(layout, stratum, outcome, fighters, battles),
        }
        self.steps.clear();
    }

    /// Adds those who were in one team in so many battles that ended alike.
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

    /// Adds battles in which the same units took part: how many ended in each way, and what each unit did in all of them.
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
                self.add_fighters(layout, stratum, outcome, fighters, battles);
                self.add_pairs(layout, stratum, outcome, fighters, battles);
            }
        }
        for (fighter, deeds) in fighters.iter().zip(deeds) {
            self.add_deeds(layout, stratum, fighter, deeds);
        }
    }

    /// Where a unit of a side is counted.
    pub(super) fn unit_in(&self, layout: &Layout, matchup: u32, side: Side, unit: usize) -> Cell {
        let at = matchup as usize * layout.sides + side.index();
        let first = usize::from(self.contender_at[at]) * layout.units.len();
        Cell { at: first + unit, place: self.own.places[at] }
    }

    /// Adds what a unit did in some battles.
    pub(super) fn add_deeds_to(&mut self, to: &Cell, deeds: &Deeds) {
        self.units[to.at].add_deeds(deeds);
    }

    /// Adds how often a unit's side won, another one did, and nobody, as a whole or under a factor.
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

    /// Adds how a unit fared by the measure, as a whole or under a factor.
    pub(super) fn add_fared(&mut self, to: &Cell, factor: Option<usize>, more: &Clustered) {
        match factor {
            None => self.fared.add(to.at, to.place, more),
            Some(factor) => {
                self.fared_in_part.add(factor * self.units.len() + to.at, to.place, more);
            }
        }
    }

    #[inline]
    fn add_appearances(
        &mut self,
        factor: usize,
        sides: usize,
        outcome: Outcome,
        fighters: &[Fighter],
        battles: u64,
    ) {
        let first = factor * self.units.len();
        for (fighter, (cell, step)) in fighters.iter().zip(&self.steps) {
            self.appearances[first + cell].add(fighter.side, outcome, battles);
            if step.times > 0 {
                let place = self.own.places[sides + fighter.side.index()];
                self.fared_in_part.add(first + cell, place, step);
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

    /// The sum over the strata that `keep` selects by (match-up, condition). Lengths and metrics are those of the
    /// match-ups that are selected under every condition: they are not counted by condition.
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
}
