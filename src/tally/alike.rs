//! Battles in which the same units took part, collected so that they are added to a tally together.
//!
//! Where teams are given, a battle of a stratum has the same units as the one before. What it adds to how units fared
//! depends on its outcome alone, so it is enough to count outcomes, and to add up what each unit did.

use super::counts::Deeds;
use super::{Fighter, Layout, Record, Tally};
use crate::game::{Outcome, Side, Stratum};

/// A stratum whose units change after fewer battles than this is taken to have other units in every battle.
const FEW: u64 = 4;

/// Battles that have not been added to their tally yet, by stratum.
#[derive(Clone, Debug)]
pub(crate) struct Alike {
    strata: Vec<OfStratum>,
}

/// The battles of one stratum that have not been added to the tally yet.
#[derive(Clone, Debug)]
enum OfStratum {
    /// None yet.
    Nothing,
    /// Battles of the same units.
    Group(Box<Group>),
    /// None ever, since its units change.
    Never,
}

/// Battles of the same units in the same places.
#[derive(Clone, Debug)]
struct Group {
    /// Who took part in the first of them; what they did there is not used.
    fighters: Vec<Fighter>,
    /// By fighter: what it did in all of them.
    deeds: Vec<Deeds>,
    battles: u64,
    /// By side: how many it won.
    wins: Vec<u64>,
    draws: u64,
    undecided: u64,
}

impl Group {
    fn new(layout: &Layout, fighters: &[Fighter]) -> Self {
        Self {
            fighters: fighters.to_vec(),
            deeds: vec![Deeds::default(); fighters.len()],
            battles: 0,
            wins: vec![0; layout.sides],
            draws: 0,
            undecided: 0,
        }
    }

    #[inline]
    fn has(&self, fighters: &[Fighter]) -> bool {
        let are_the_same =
            |(one, other): (&Fighter, &Fighter)| (one.unit, one.side) == (other.unit, other.side);
        self.fighters.len() == fighters.len()
            && self.fighters.iter().zip(fighters).all(are_the_same)
    }

    #[inline]
    fn add(&mut self, record: &Record) {
        self.battles += 1;
        match record.outcome {
            Outcome::Win(side) => self.wins[side.index()] += 1,
            Outcome::Draw => self.draws += 1,
            Outcome::Undecided => self.undecided += 1,
        }
        for (deeds, fighter) in self.deeds.iter_mut().zip(&record.fighters) {
            deeds.merge(&Deeds::of(fighter));
        }
    }

    fn settle(&self, tally: &mut Tally, layout: &Layout, stratum: Stratum) {
        let wins = self.wins.iter().enumerate();
        let wins = wins.map(|(side, &battles)| (Outcome::Win(Side(side as u8)), battles));
        let endings =
            wins.chain([(Outcome::Draw, self.draws), (Outcome::Undecided, self.undecided)]);
        tally.add_alike(layout, stratum, &self.fighters, endings, &self.deeds);
    }
}

impl Alike {
    /// Empty.
    pub(super) fn new(layout: &Layout) -> Self {
        Self { strata: vec![OfStratum::Nothing; layout.strata()] }
    }

    /// Adds the units that took part in a battle to the group of its stratum, or begins a new one; returns false where
    /// battles of the stratum do not wait.
    #[inline]
    pub(super) fn add(&mut self, tally: &mut Tally, layout: &Layout, record: &Record) -> bool {
        let waiting = &mut self.strata[layout.index(record.stratum)];
        match waiting {
            OfStratum::Group(group) if group.has(&record.fighters) => {
                group.add(record);
                true
            }
            OfStratum::Never => false,
            OfStratum::Nothing | OfStratum::Group(_) => renew(waiting, tally, layout, record),
        }
    }

    /// Adds everything that waits to the tally.
    pub(super) fn settle(&mut self, tally: &mut Tally, layout: &Layout) {
        for (at, waiting) in self.strata.iter_mut().enumerate() {
            if let OfStratum::Group(group) = waiting {
                group.settle(tally, layout, layout.stratum(at));
                *waiting = OfStratum::Nothing;
            }
        }
    }
}

/// Begins a group with a battle whose units differ from those of the group before, or gives up and returns false.
#[cold]
#[inline(never)]
fn renew(waiting: &mut OfStratum, tally: &mut Tally, layout: &Layout, record: &Record) -> bool {
    if let OfStratum::Group(group) = waiting {
        group.settle(tally, layout, record.stratum);
        if group.battles < FEW {
            *waiting = OfStratum::Never;
            return false;
        }
    }
    let mut group = Group::new(layout, &record.fighters);
    group.add(record);
    *waiting = OfStratum::Group(Box::new(group));
    true
}
