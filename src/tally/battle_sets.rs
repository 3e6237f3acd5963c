//! Teams of a stratum as sets of up to 64 battles: how often two units were in a team together is the size of what their sets have
//! in common, so that a team is noted unit by unit and not pair by pair.
//!
//! This pays where a contender has few units. Of many most pairs never meet, and all of them are looked at.

/// The points of a team in binary digits; those of more are not kept here.
const DIGITS: usize = 3;
/// What a stratum begins with: how many battles its sets have, and for each digit of the points the set of battles where it is 1.
const HEAD: usize = 1 + DIGITS;
/// As many battles as a set has room for.
const MOST: u64 = u64::BITS as u64;

/// No team has more points than this.
pub(super) const MOST_POINTS: u32 = (1 << DIGITS) - 1;

/// Sets of battles by stratum and place of a unit.
#[derive(Clone, Debug, Default)]
pub(super) struct BattleSets {
    words: Vec<u64>,
    /// How many places a stratum has.
    row: usize,
}

impl BattleSets {
    /// No battles, for so many strata and places of units in each.
    pub fn new(strata: usize, row: usize) -> Self {
        Self { words: vec![0; strata * (HEAD + row)], row }
    }

    /// Whether no set has a place.
    #[inline]
    pub fn is_nowhere(&self) -> bool {
        self.words.is_empty()
    }

    fn stratum(&mut self, stratum: usize) -> &mut [u64] {
        let row = HEAD + self.row;
        &mut self.words[stratum * row..][..row]
    }

    /// Notes a team of units in these places, with at most [`MOST_POINTS`], and says whether the sets of the stratum are full:
    /// they must be [taken](Self::take) then. None, and nothing is noted, where two of the team have the same place.
    #[inline]
    pub fn note(
        &mut self,
        stratum: usize,
        places: impl Iterator<Item = usize> + Clone,
        points: u32,
    ) -> Option<bool> {
        let (head, sets) = self.stratum(stratum).split_at_mut(HEAD);
        let nth = head[0];
        let mut has_copies = 0;
        for place in places.clone() {
            let set = &mut sets[place];
            has_copies |= *set >> nth & 1;
            *set |= 1 << nth;
        }
        if has_copies != 0 {
            places.for_each(|place| sets[place] &= !(1 << nth));
            return None;
        }
        for (digit, set) in head[1..].iter_mut().enumerate() {
            *set |= u64::from(points >> digit & 1) << nth;
        }
        head[0] += 1;
        Some(head[0] == MOST)
    }

    /// Adds the battles of a stratum to the numbers of units, by place, and of pairs, by the place of one and that of one before it:
    /// how many battles in the lower half, their points in the upper half. No battles are left.
    pub fn take(&mut self, stratum: usize, alone: Option<&mut [u64]>, pairs: &mut [u64]) {
        let row = self.row;
        let (head, sets) = self.stratum(stratum).split_at_mut(HEAD);
        if head[0] == 0 {
            return;
        }
        let digits: [u64; DIGITS] = head[1..].try_into().expect("one for each digit");
        for (number, &set) in alone.into_iter().flatten().zip(&*sets) {
            *number += sum(set, &digits);
        }
        for (second, &set) in sets.iter().enumerate() {
            if set == 0 {
                continue;
            }
            let digits = digits.map(|digit| digit & set);
            let numbers = pairs[second * row..][..second].iter_mut();
            // Without a look at which of them met, so that the compiler counts side by side.
            for (number, &first) in numbers.zip(&sets[..second]) {
                *number += sum(first & set, &digits);
            }
        }
        self.stratum(stratum).fill(0);
    }
}

/// The number of battles of a set: how many they are in the lower half, their points, given by digit, in the upper half.
#[inline(always)]
fn sum(set: u64, points: &[u64; DIGITS]) -> u64 {
    let size = |of: u64| u64::from(of.count_ones());
    let points = points.iter().enumerate().map(|(digit, of)| size(set & of) << digit);
    size(set) | points.sum::<u64>() << 32
}
