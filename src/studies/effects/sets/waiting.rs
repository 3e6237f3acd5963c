//! Battles of a subject that wait to be summed up: noted as sets of cases, read as sets of battles.

use super::IN_WORD;

/// A subject's appearances and points in up to [`IN_WORD`] battles, as `N` binary digits of either. For each battle and
/// digit there is the set of the cases where that digit is 1.
#[derive(Clone, Debug)]
pub(super) struct Waiting<const N: usize> {
    /// By battle and digit.
    sets: Vec<u64>,
    /// The number of battles.
    battles: usize,
}

/// A subject's appearances and points in battles, for each case as the sets of the battles where a digit is 1.
#[derive(Clone, Debug)]
pub(super) struct ByCase<const N: usize>([Vec<u64>; N]);

impl<const N: usize> Default for Waiting<N> {
    fn default() -> Self {
        Self { sets: Vec::new(), battles: 0 }
    }
}

impl<const N: usize> Waiting<N> {
    /// Adds a battle, given as a set of cases for each digit. Returns whether there is no room for another one.
    #[inline(always)]
    pub(super) fn add(&mut self, digits: [&[u64]; N]) -> bool {
        digits.into_iter().for_each(|digit| self.sets.extend_from_slice(digit));
        self.battles += 1;
        self.battles == IN_WORD
    }

    /// The number of battles.
    pub(super) fn battles(&self) -> usize {
        self.battles
    }

    /// Moves all battles into sets by case.
    pub(super) fn take(&mut self, into: &mut ByCase<N>) {
        let words = self.sets.len() / (self.battles * N);
        for (digit, by_case) in into.0.iter_mut().enumerate() {
            for (word, by_case) in by_case.chunks_exact_mut(IN_WORD).enumerate() {
                let block: &mut [u64; IN_WORD] = by_case.try_into().expect("a whole word of cases");
                block.fill(0);
                let sets = self.sets[digit * words + word..].iter().step_by(N * words);
                block.iter_mut().zip(sets).for_each(|(to, &from)| *to = from);
                transpose(block);
            }
        }
        self.sets.clear();
        self.battles = 0;
    }
}

impl<const N: usize> ByCase<N> {
    /// Scratch space for so many cases.
    pub(super) fn new(cases: usize) -> Self {
        Self(std::array::from_fn(|_| vec![0; cases.next_multiple_of(IN_WORD)]))
    }

    /// The sets of one case.
    #[inline]
    pub(super) fn of(&self, case: usize) -> [u64; N] {
        self.0.each_ref().map(|digit| digit[case])
    }

    /// The sets of some cases, by digit.
    #[inline]
    pub(super) fn range(&self, from: usize, many: usize) -> [&[u64]; N] {
        self.0.each_ref().map(|digit| &digit[from..from + many])
    }
}

/// Transposes a square matrix of bits: bit `j` of word `i` and bit `i` of word `j` change places (H. S. Warren:
/// "Hacker's Delight", 2002, section 7-3).
fn transpose(matrix: &mut [u64; 64]) {
    exchange(matrix, 32, u64::MAX >> 32);
    let (halves, _) = matrix.as_chunks_mut::<32>();
    // With few cases the second half is empty already.
    for half in halves.iter_mut().filter(|half| half.iter().fold(0, |any, row| any | row) != 0) {
        let (mut width, mut mask) = (16, u64::MAX / 0x1_0001);
        while width > 0 {
            exchange(half, width, mask);
            width /= 2;
            mask ^= mask << width;
        }
    }
}

/// Exchanges the blocks of this width on one side of the diagonal with those on the other. The mask has the bits of
/// every second block of a row, the lowest among them.
#[inline(always)]
fn exchange(rows: &mut [u64], width: usize, mask: u64) {
    for rows in rows.chunks_exact_mut(2 * width) {
        let (lower, upper) = rows.split_at_mut(width);
        for (one, other) in lower.iter_mut().zip(upper) {
            let swapped = (*one >> width ^ *other) & mask;
            *other ^= swapped;
            *one ^= swapped << width;
        }
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    proptest! {
        /// Whatever battles wait, each case has the battles whose set holds it, and no others that waited before.
        #[test]
        fn sets_of_cases_become_sets_of_battles(
            cases in 1usize..200,
            seeds in prop::collection::vec(prop::collection::vec(any::<[u64; 2]>(), 1..=IN_WORD), 1..3),
        ) {
            let mut waiting = Waiting::<2>::default();
            let mut by_case = ByCase::<2>::new(cases);
            for battles in seeds {
                let words = cases.div_ceil(IN_WORD);
                let set = |seed: u64, word: u64| seed.rotate_left(7 * word as u32) ^ word;
                for digits in &battles {
                    let [first, second]: [Vec<u64>; 2] =
                        digits.map(|seed| (0..words as u64).map(|word| set(seed, word)).collect());
                    waiting.add([&first, &second]);
                }
                prop_assert_eq!(waiting.battles(), battles.len());
                waiting.take(&mut by_case);
                prop_assert_eq!(waiting.battles(), 0);
                for case in 0..cases {
                    let found = by_case.of(case);
                    for digit in 0..2 {
                        let is_in = |battle: &[u64; 2]| {
                            set(battle[digit], (case / IN_WORD) as u64) >> (case % IN_WORD) & 1
                        };
                        let bits = battles.iter().enumerate().map(|(at, of)| is_in(of) << at);
                        prop_assert_eq!(found[digit], bits.sum::<u64>());
                    }
                }
            }
        }
    }
}
