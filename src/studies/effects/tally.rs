//! The sums over battles from which effects are estimated.

use serde::{Deserialize, Serialize};

use super::{Design, Pair, sets};
use crate::game::Side;
use crate::statistics::{Joint, JointPart};
use crate::tally::{ByMatchup, Clustered, Fighter, Forfeits, Kept, Place, Record, Stratified, Sum};

/// Sums over battles of a subject's appearances and points under one case, and of their products.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct Alone {
    pub played: u64,
    pub points: u64,
    pub played_played: u64,
    pub points_played: u64,
    pub points_points: u64,
}

/// Sums over the same battles of products of a subject's appearances and points under two cases, for covariances.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct Together {
    pub played_played: u64,
    pub points_played: u64,
    pub played_points: u64,
    pub points_points: u64,
}

/// A subject's appearances and points in one battle.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Fared {
    pub played: u16,
    pub points: u16,
}

impl Fared {
    pub(super) fn once(points: u32) -> Self {
        Self { played: 1, points: points as u16 }
    }

    /// The sum of two appearances in one battle.
    pub(super) fn and(self, other: Self) -> Self {
        Self { played: self.played + other.played, points: self.points + other.points }
    }

    fn products(self, other: Self) -> [u64; 4] {
        let of = |a: u16, b: u16| u64::from(a) * u64::from(b);
        [
            of(self.played, other.played),
            of(self.points, other.played),
            of(self.played, other.points),
            of(self.points, other.points),
        ]
    }
}

impl Alone {
    #[inline]
    pub(super) fn add(&mut self, fared: Fared) {
        self.add_times(fared, 1);
    }

    /// Adds `times` battles with the same appearances and points.
    #[inline]
    pub(super) fn add_times(&mut self, fared: Fared, times: u64) {
        let [played_played, points_played, _, points_points] = fared.products(fared);
        self.played += u64::from(fared.played) * times;
        self.points += u64::from(fared.points) * times;
        self.played_played += played_played * times;
        self.points_played += points_played * times;
        self.points_points += points_points * times;
    }

    pub(super) fn merge(&mut self, other: &Self) {
        self.played += other.played;
        self.points += other.points;
        self.played_played += other.played_played;
        self.points_played += other.points_played;
        self.points_points += other.points_points;
    }
}

impl Alone {
    /// Whether these sums are possible, if a win counts `most` points.
    pub(super) fn is_sound(&self, most: u32) -> bool {
        u128::from(self.points) <= u128::from(most) * u128::from(self.played)
            && self.played <= self.played_played
    }

    /// These sums in the form that a score is estimated from.
    pub(super) fn clustered(self) -> Clustered {
        Clustered {
            times: self.played,
            points: self.points,
            times_squared: self.played_played,
            times_by_points: self.points_played,
            points_squared: self.points_points,
        }
    }
}

impl Together {
    #[inline]
    pub(super) fn add(&mut self, first: Fared, second: Fared) {
        self.add_times(first, second, 1);
    }

    /// Adds `times` battles with the same appearances and points under both cases.
    #[inline]
    pub(super) fn add_times(&mut self, first: Fared, second: Fared, times: u64) {
        let [played_played, points_played, played_points, points_points] = first.products(second);
        self.played_played += played_played * times;
        self.points_played += points_played * times;
        self.played_points += played_points * times;
        self.points_points += points_points * times;
    }

    pub(super) fn merge(&mut self, other: &Self) {
        self.played_played += other.played_played;
        self.points_played += other.points_played;
        self.played_points += other.played_points;
        self.points_points += other.points_points;
    }
}

/// Bytes for a subject under a case, including the products with the neutral one.
const CASE: u64 = 72;
/// Bytes for a subject and a pair of cases.
const PAIR: u64 = 96;
/// Bytes for buffered battles, besides those that wait: for a subject under a case, and for a subject and a pair of
/// cases.
const WAITING: (u64, u64) = (25, 24);
/// Bytes for a unit under a case, and in each of its match-ups.
const UNIT: (u64, u64) = (16, 40);

/// Roughly the most memory, in bytes, that counting a design takes on `threads` threads, each with a tally of its own.
#[must_use]
pub fn memory(design: &Design<'_>, threads: usize) -> u64 {
    let [cases, pairs] = [design.cases.len(), design.pairs.len()].map(|number| number as u64);
    let (subjects, sides) = (design.subjects() as u64, design.sides() as u64);
    let matchups = design.layout.matchups.len() as u64;
    let of_units = match matchups {
        1 => 0,
        _ => (subjects - sides) * cases * (UNIT.0 + UNIT.1 * matchups),
    };
    let tally = subjects * (cases * CASE + pairs * PAIR) + of_units;
    let of_side = design.battles.div_ceil(matchups.max(1));
    let waiting = subjects * (cases * WAITING.0 + pairs * WAITING.1)
        + sides * sets::memory(cases, of_side)
        + (subjects - sides) * sets::memory(cases, design.battles);
    let threads = threads.max(1) as u64;
    tally.saturating_mul(threads + 1).saturating_add(waiting.saturating_mul(threads))
}

/// Sums over battles by subject and by the cases that are compared. Its size is known beforehand: 72 bytes for each
/// subject and case, 96 more for each subject and pair, and where there are several match-ups at most 16 for each unit
/// and case and 40 for each of its match-ups. Buffered battles take 25 bytes more for each subject and case and 24 for each
/// subject and pair, and those that wait at most 6 KiB more for each subject and 64 cases.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct EffectTally {
    subjects: usize,
    /// The points of a win, which are as many as there are sides.
    most: u32,
    /// Sums by case and subject.
    alone: Vec<Alone>,
    /// Sums of products with the neutral case, by case and subject; unused for the neutral case itself.
    with_neutral: Vec<Together>,
    /// By pair and subject: sums of products of the first factor with the second, of the first with both, and of the
    /// second with both.
    of_pairs: Vec<[Together; 3]>,
    /// By match-up: the number of its battles under each case. Empty where there is only one match-up.
    matchups: Vec<u64>,
    /// The number of subjects that are sides, each of which belongs to one match-up.
    sides: usize,
    /// Sums by case, unit and match-up, where there are several match-ups.
    by_matchup: ByMatchup,
    /// The forfeited battles of all cases together.
    forfeits: Forfeits,
    /// By case and match-up: the number of forfeited battles. Empty before the first one.
    unfought: Vec<u64>,
}

impl EffectTally {
    /// A tally without battles.
    #[must_use]
    pub fn new(design: &Design<'_>) -> Self {
        let subjects = design.subjects();
        let matchups = design.layout.matchups.len();
        let has_several = matchups > 1;
        let of_units = design.cases.len() * (subjects - design.sides());
        Self {
            subjects,
            matchups: vec![0; if has_several { matchups } else { 0 }],
            sides: design.sides(),
            by_matchup: ByMatchup::new(if has_several { of_units } else { 0 }),
            most: design.layout.sides as u32,
            alone: vec![Alone::default(); design.cases.len() * subjects],
            with_neutral: vec![Together::default(); design.cases.len() * subjects],
            of_pairs: vec![Default::default(); design.pairs.len() * subjects],
            forfeits: Forfeits::new(design.layout.sides),
            unfought: Vec::new(),
        }
    }

    /// Adds other battles of the same design.
    pub fn merge(&mut self, other: &Self) {
        for (mine, theirs) in self.alone.iter_mut().zip(&other.alone) {
            mine.merge(theirs);
        }
        for (mine, theirs) in self.with_neutral.iter_mut().zip(&other.with_neutral) {
            mine.merge(theirs);
        }
        for (mine, theirs) in self.matchups.iter_mut().zip(&other.matchups) {
            *mine += theirs;
        }
        self.by_matchup.merge(&other.by_matchup);
        self.forfeits.merge(&other.forfeits);
        if !other.unfought.is_empty() {
            self.unfought.resize(other.unfought.len(), 0);
            self.unfought
                .iter_mut()
                .zip(&other.unfought)
                .for_each(|(mine, theirs)| *mine += theirs);
        }
        let pairs = self.of_pairs.as_flattened_mut().iter_mut();
        for (mine, theirs) in pairs.zip(other.of_pairs.as_flattened()) {
            mine.merge(theirs);
        }
    }

    /// A subject's appearances and points under a case, in each match-up that it can be in.
    #[must_use]
    pub fn fared(&self, case: usize, subject: usize) -> Vec<Stratified> {
        if self.matchups.is_empty() || subject < self.sides {
            return vec![self.alone[case * self.subjects + subject].clustered().into()];
        }
        let cell = self.by_matchup.cell(self.cell(case, subject));
        let strata = self.matchups.iter().zip(cell);
        strata.map(|(&battles, &fared)| Stratified { battles, fared }).collect()
    }

    /// A subject's appearances and points under several cases, by match-up; empty where there is only one match-up, or
    /// the subject is a side.
    #[must_use]
    pub fn parts<const N: usize>(&self, cases: [usize; N], subject: usize) -> Vec<JointPart<N>> {
        if self.matchups.is_empty() || subject < self.sides {
            return Vec::new();
        }
        let cells = cases.map(|case| self.by_matchup.cell(self.cell(case, subject)));
        let part = |(at, &battles): (usize, &u64)| {
            let of = |sum: fn(&Clustered) -> u64| cells.map(|cell| cell.get(at).map_or(0, sum));
            JointPart { battles, played: of(|of| of.times), points: of(|of| of.points) }
        };
        self.matchups.iter().enumerate().map(part).collect()
    }

    /// The forfeited battles of all cases together.
    #[must_use]
    pub fn forfeits(&self) -> &Forfeits {
        &self.forfeits
    }

    /// Whether a side took part in battles of a case and all of them were forfeits: its score then only says who may
    /// bring what.
    #[must_use]
    pub fn is_never_fought(&self, case: usize, side: usize) -> bool {
        let played = self.alone[case * self.subjects + side].played;
        let unfought = self.unfought.get(self.place(case, side / self.most as usize));
        played > 0 && unfought.is_some_and(|&unfought| unfought == played)
    }

    /// Whether more battles of a match-up that a unit took part in are forfeited under one of these cases than under another:
    /// the unit then has other opponents there. A case forbids teams and allows none, so that as many are the same ones.
    #[must_use]
    pub(super) fn opponents_differ(&self, cases: &[usize], unit: usize) -> bool {
        let differ = |matchup: usize| {
            let unfought = |&case: &usize| self.unfought.get(self.place(case, matchup));
            let mut battles = cases.iter().map(unfought);
            let first = battles.next();
            battles.any(|battles| Some(battles) != first)
        };
        let took_part = |matchup: usize| {
            let cell = |&case: &usize| self.by_matchup.cell(self.cell(case, unit)).get(matchup);
            self.matchups.is_empty() || cases.iter().filter_map(cell).any(|of| of.times > 0)
        };
        !self.unfought.is_empty()
            && (0..self.places()).any(|matchup| differ(matchup) && took_part(matchup))
    }

    /// Counts a battle of one case and the sides that forfeited it, as bits.
    #[inline]
    pub(super) fn add_forfeits(&mut self, case: usize, matchup: u32, forfeits: u8) {
        self.forfeits.add(forfeits);
        if forfeits != 0 {
            self.unfought.resize(self.cases() * self.places(), 0);
            let place = self.place(case, matchup as usize);
            self.unfought[place] += 1;
        }
    }

    fn cases(&self) -> usize {
        self.alone.len() / self.subjects
    }

    /// The number of match-ups.
    fn places(&self) -> usize {
        self.sides / self.most as usize
    }

    fn place(&self, case: usize, matchup: usize) -> usize {
        case * self.places() + matchup
    }

    /// Counts a battle of a match-up, where there are several.
    #[inline]
    pub(super) fn begin_battle(&mut self, matchup: u32) {
        if let Some(battles) = self.matchups.get_mut(matchup as usize) {
            *battles += 1;
        }
    }

    /// Adds a subject's battle to the sums by match-up, which are kept for units alone.
    #[inline]
    pub(super) fn add_of_matchup(
        &mut self,
        matchup: u32,
        case: usize,
        subject: usize,
        fared: Fared,
    ) {
        let place = Place { at: matchup, of: self.matchups.len() as u32 };
        if place.of > 0 && subject >= self.sides {
            let mut alone = Alone::default();
            alone.add(fared);
            let cell = self.cell(case, subject);
            self.by_matchup.add(cell, place, &alone.clustered());
        }
    }

    /// Mutable access to the sums by case and subject, the products with the neutral case by case and subject, and the
    /// products of pairs by pair and subject.
    pub(super) fn sums_mut(&mut self) -> (&mut [Alone], &mut [Together], &mut [[Together; 3]]) {
        (&mut self.alone, &mut self.with_neutral, &mut self.of_pairs)
    }

    fn cell(&self, case: usize, subject: usize) -> usize {
        case * (self.subjects - self.sides) + subject - self.sides
    }

    /// A subject's joint sums under the neutral case and another one.
    #[must_use]
    pub fn effect(&self, case: usize, subject: usize) -> Joint<2> {
        let cases = [0, case].map(|case| self.alone[case * self.subjects + subject]);
        joint(self.most, cases, |_, _| self.with_neutral[case * self.subjects + subject])
    }

    /// A subject's joint sums under the neutral case, each of two factors alone, and both: pair number `pair` of the
    /// design.
    #[must_use]
    pub fn interaction(&self, pair: usize, parts: Pair, subject: usize) -> Joint<4> {
        let cases = [0, parts.first, parts.second, parts.both];
        let [first_second, first_both, second_both] = self.of_pairs[pair * self.subjects + subject];
        joint(
            self.most,
            cases.map(|case| self.alone[case * self.subjects + subject]),
            |i, j| match (i, j) {
                (0, other) => self.with_neutral[cases[other] * self.subjects + subject],
                (1, 2) => first_second,
                (1, _) => first_both,
                _ => second_both,
            },
        )
    }
}

impl Sum for EffectTally {
    fn merge(&mut self, other: &Self) {
        Self::merge(self, other);
    }
}

impl Kept for EffectTally {
    type Form = Self;

    fn form(&self) -> Self {
        self.clone()
    }

    fn of_form(&self, form: Self) -> Option<Self> {
        let shape = |tally: &Self| {
            let Self {
                subjects,
                most,
                alone,
                with_neutral,
                of_pairs,
                matchups,
                sides,
                by_matchup: _,
                forfeits,
                unfought: _,
            } = tally;
            let lengths = [alone.len(), with_neutral.len(), of_pairs.len(), matchups.len()];
            (*subjects, *most, *sides, lengths, forfeits.by_side.len())
        };
        let fits = shape(&form) == shape(self)
            && [0, form.cases() * form.places()].contains(&form.unfought.len())
            && form.by_matchup.has_shape_of(&self.by_matchup, self.matchups.len())
            && form.alone.iter().all(|of| of.is_sound(self.most));
        fits.then_some(form)
    }

    fn battles(&self) -> Option<u64> {
        // Each battle is played in every case.
        Some(self.forfeits.battles / (self.cases() as u64).max(1))
    }
}

/// Assembles the joint sums of several cases from the sums of each and from those of every two of them, the lower index
/// first.
pub(super) fn joint<const N: usize>(
    most: u32,
    alone: [Alone; N],
    together: impl Fn(usize, usize) -> Together,
) -> Joint<N> {
    let mut joint = Joint {
        played: alone.map(|of| of.played),
        points: alone.map(|of| of.points),
        most,
        played_played: [[0; N]; N],
        points_played: [[0; N]; N],
        points_points: [[0; N]; N],
    };
    for (i, of) in alone.iter().enumerate() {
        joint.played_played[i][i] = of.played_played;
        joint.points_played[i][i] = of.points_played;
        joint.points_points[i][i] = of.points_points;
        for j in i + 1..N {
            let of = together(i, j);
            joint.points_played[i][j] = of.points_played;
            joint.points_played[j][i] = of.played_points;
            for (i, j) in [(i, j), (j, i)] {
                joint.played_played[i][j] = of.played_played;
                joint.points_points[i][j] = of.points_points;
            }
        }
    }
    joint
}

/// The fighters whose battle counts: none where it was forfeited, since that says something about sides but nothing
/// about cards.
pub(super) fn fought(record: &Record) -> &[Fighter] {
    if record.forfeits == 0 { &record.fighters } else { &[] }
}

/// One battle under every case until it is added to a tally, subject by subject. Reused from battle to battle. Most
/// designs are counted by faster means ([`Noted`](super::noted::Noted)).
#[derive(Clone, Debug)]
pub(super) struct Group {
    subjects: usize,
    /// By case and subject; zero except for those in `present`.
    fared: Vec<Fared>,
    /// By case: the subjects that took part.
    present: Vec<Vec<u32>>,
    /// The match-up.
    matchup: u32,
}

impl Group {
    pub(super) fn new(design: &Design<'_>) -> Self {
        let (cases, subjects) = (design.cases.len(), design.subjects());
        Self {
            subjects,
            fared: vec![Fared::default(); cases * subjects],
            present: vec![Vec::new(); cases],
            matchup: 0,
        }
    }

    /// Notes the battle under a case.
    #[inline]
    pub(super) fn note(&mut self, design: &Design<'_>, case: usize, record: &Record) {
        let sides = design.layout.sides;
        self.matchup = record.stratum.matchup;
        let points = |side: Side| design.measure.points(record.outcome, side, sides);
        for side in 0..sides {
            if let Some(points) = points(Side(side as u8)) {
                self.appears(case, record.stratum.matchup as usize * sides + side, points);
            }
        }
        for fighter in fought(record) {
            if let Some(points) = points(fighter.side) {
                self.appears(case, design.sides() + usize::from(fighter.unit), points);
            }
        }
    }

    #[inline]
    fn appears(&mut self, case: usize, subject: usize, points: u32) {
        let fared = &mut self.fared[case * self.subjects + subject];
        if fared.played == 0 {
            self.present[case].push(subject as u32);
        }
        *fared = fared.and(Fared::once(points));
    }

    /// Adds the battle to a tally and clears it.
    pub(super) fn settle(&mut self, design: &Design<'_>, tally: &mut EffectTally) {
        let subjects = self.subjects;
        let at = |case: usize, subject: u32| case * subjects + subject as usize;
        tally.begin_battle(self.matchup);
        for (case, present) in self.present.iter().enumerate() {
            for &subject in present {
                let fared = self.fared[at(case, subject)];
                tally.alone[at(case, subject)].add(fared);
                tally.add_of_matchup(self.matchup, case, subject as usize, fared);
                let before = self.fared[at(0, subject)];
                if case > 0 && before.played > 0 {
                    tally.with_neutral[at(case, subject)].add(before, fared);
                }
            }
        }
        for (pair, parts) in design.pairs.iter().enumerate() {
            let compared = [
                (parts.first, parts.second),
                (parts.first, parts.both),
                (parts.second, parts.both),
            ];
            for (which, (one, other)) in compared.into_iter().enumerate() {
                for &subject in &self.present[one] {
                    let (first, second) =
                        (self.fared[at(one, subject)], self.fared[at(other, subject)]);
                    if second.played > 0 {
                        tally.of_pairs[at(pair, subject)][which].add(first, second);
                    }
                }
            }
        }
        for (case, present) in self.present.iter_mut().enumerate() {
            for subject in present.drain(..) {
                self.fared[at(case, subject)] = Fared::default();
            }
        }
    }
}
