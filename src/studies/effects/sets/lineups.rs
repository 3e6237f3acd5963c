//! One battle under every case, noted by line-up. Under common random numbers most cases leave both teams as they are,
//! so that what a case is for its fighters is one bit in the set of the cases with the same line-up.

use super::super::Design;
use super::super::tally::fought;
use super::IN_WORD;
use crate::game::{Outcome, Side};
use crate::tally::{Fighter, Record};

/// No line-up: nobody fought.
const NOBODY: u32 = u32::MAX;

/// A battle under the cases noted so far.
#[derive(Clone, Debug)]
pub(super) struct Battle {
    /// The points of either side for a battle that nobody won: 0 or 1, or none where the measure leaves it out.
    shared: Option<u32>,
    cases: Vec<Case>,
    /// By word of a set of cases: those under which side A won, side B won, and nobody.
    ended: Vec<[u64; 3]>,
    /// The line-ups that came up, and after them those of earlier battles.
    lineups: Vec<Lineup>,
    /// How many of them came up.
    many: usize,
}

#[derive(Clone, Copy, Debug)]
struct Case {
    /// Earlier cases whose line-up it may well have; itself where there is none.
    alike: [u32; 2],
    lineup: u32,
}

/// Two teams, and the cases under which they met.
#[derive(Clone, Debug)]
pub(super) struct Lineup {
    /// Who took part, as noted under the first of the cases.
    fighters: Vec<Fighter>,
    /// The set of cases.
    cases: Vec<u64>,
}

impl Lineup {
    /// Whether these fighters are the line-up's, two of them at a time.
    #[inline]
    fn is_of(&self, fighters: &[Fighter]) -> bool {
        let (known, last_known) = self.fighters.as_chunks::<2>();
        let (twos, last) = fighters.as_chunks::<2>();
        let others = |one: &Fighter, other: &Fighter| who(one) ^ who(other);
        self.fighters.len() == fighters.len()
            && known.iter().zip(twos).all(|([a, b], [c, d])| others(a, c) | others(b, d) == 0)
            && last_known.iter().zip(last).all(|(a, b)| others(a, b) == 0)
    }

    /// The units and their sides.
    pub(super) fn fighters(&self) -> impl Iterator<Item = (usize, usize)> + '_ {
        self.fighters.iter().map(|of| (usize::from(of.unit), of.side.index()))
    }

    /// The set of cases, of so many words, without empty words at its ends, and the index of the first word that is left.
    #[inline(always)]
    pub(super) fn cases(&self, words: usize) -> (usize, &[u64]) {
        let cases = &self.cases[..words];
        if words == 1 {
            return (0, cases);
        }
        let is_used = |word: &u64| *word != 0;
        let first = cases.iter().position(is_used).unwrap_or(0);
        let end = cases.iter().rposition(is_used).map_or(first, |last| last + 1);
        (first, &cases[first..end])
    }
}

/// Unit and side as one number; with the level, which lies between the two in memory, so that they are read at once.
#[inline]
fn who(of: &Fighter) -> u32 {
    u32::from(of.unit) | u32::from(of.level) << 16 | u32::from(of.side.0) << 24
}

impl Battle {
    pub(super) fn new(design: &Design<'_>) -> Self {
        let cases = design.cases.len();
        let mut alike: Vec<[u32; 2]> = (0..cases as u32).map(|case| [0, case]).collect();
        for pair in &design.pairs {
            // Conditions need not be listed before those that they are parts of.
            let part = |of: usize| of.min(pair.both) as u32;
            alike[pair.both] = [part(pair.first), part(pair.second)];
        }
        Self {
            shared: design.measure.points(Outcome::Draw, Side::A, 2),
            cases: alike.into_iter().map(|alike| Case { alike, lineup: NOBODY }).collect(),
            ended: vec![[0; 3]; cases.div_ceil(IN_WORD)],
            lineups: Vec::new(),
            many: 0,
        }
    }

    /// Notes the battle under a case.
    #[inline]
    pub(super) fn note(&mut self, case: usize, record: &Record) {
        let (word, bit) = (case / IN_WORD, 1 << (case % IN_WORD));
        let end = match record.outcome {
            Outcome::Win(Side::A) => 0,
            Outcome::Win(_) => 1,
            Outcome::Draw | Outcome::Undecided if self.shared.is_none() => return,
            Outcome::Draw | Outcome::Undecided => 2,
        };
        self.ended[word][end] |= bit;
        let fighters = fought(record);
        if !fighters.is_empty() {
            let lineup = self.find(case, fighters);
            self.cases[case].lineup = lineup as u32;
            self.lineups[lineup].cases[word] |= bit;
        }
    }

    /// The line-up of these fighters: that of a case that is alike, or a new one.
    #[inline]
    fn find(&mut self, case: usize, fighters: &[Fighter]) -> usize {
        for alike in self.cases[case].alike {
            let lineup = self.cases[alike as usize].lineup as usize;
            if lineup < self.many && self.lineups[lineup].is_of(fighters) {
                return lineup;
            }
        }
        self.new_lineup(fighters)
    }

    #[inline(never)]
    fn new_lineup(&mut self, fighters: &[Fighter]) -> usize {
        let at = self.many;
        self.many += 1;
        if at == self.lineups.len() {
            let cases = vec![0; self.ended.len()];
            self.lineups.push(Lineup { fighters: Vec::new(), cases });
        }
        let known = &mut self.lineups[at].fighters;
        known.clear();
        known.extend_from_slice(fighters);
        at
    }

    /// The line-ups that came up.
    pub(super) fn lineups(&self) -> &[Lineup] {
        &self.lineups[..self.many]
    }

    /// By word of a set of cases: those under which the battle counts.
    pub(super) fn counted(&self) -> impl Iterator<Item = u64> + '_ {
        self.ended.iter().map(|[a, b, nobody]| a | b | nobody)
    }

    /// By word of a set of cases: those under which side A has two points, side B has two, and either has one.
    #[inline]
    pub(super) fn points(&self) -> impl Iterator<Item = [u64; 3]> + '_ {
        let is_shared = if self.shared == Some(1) { u64::MAX } else { 0 };
        self.ended.iter().map(move |&[a, b, nobody]| [a, b, nobody & is_shared])
    }

    /// Forgets the battle.
    pub(super) fn clear(&mut self) {
        self.lineups[..self.many].iter_mut().for_each(|of| of.cases.fill(0));
        self.many = 0;
        self.ended.fill([0; 3]);
    }
}
