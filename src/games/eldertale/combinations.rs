//! Sets of cards as bits, and the numbering of all sets of a size, so that one die draws a whole set.

use super::state::MOST_ENERGY;

/// Cards as bits: bit `i` stands for the card in place `i` of a deck.
pub type Cards = u64;

/// The largest deck that sets are numbered for, and the largest set where a deck is that large.
const PLACES: usize = 64;
const SIZES: usize = 21;

/// How many sets of k there are among n, by n and then k. Numbers beyond 32 bits are cut off; nothing asks for
/// them.
const WAYS: [[u32; SIZES]; PLACES + 1] = {
    let mut ways = [[0u32; SIZES]; PLACES + 1];
    let mut n = 0;
    while n <= PLACES {
        ways[n][0] = 1;
        let mut k = 1;
        while n > 0 && k < SIZES {
            ways[n][k] = ways[n - 1][k - 1].saturating_add(ways[n - 1][k]);
            k += 1;
        }
        n += 1;
    }
    ways
};

/// How many sets of `size` there are among `among`.
#[inline]
#[must_use]
pub fn ways(among: usize, size: usize) -> u32 {
    static TABLE: [[u32; SIZES]; PLACES + 1] = WAYS;
    TABLE[among][size]
}

/// How many sets of at most `size` there are among `among`; `size` is what energy pays for.
#[inline]
#[must_use]
pub fn ways_up_to(among: usize, size: usize) -> u32 {
    static TABLE: [[u32; MOST_ENERGY as usize + 1]; PLACES + 1] = {
        let mut sums = [[0u32; MOST_ENERGY as usize + 1]; PLACES + 1];
        let mut n = 0;
        while n <= PLACES {
            let (mut k, mut sum) = (0, 0);
            while k <= MOST_ENERGY as usize {
                sum += WAYS[n][k];
                sums[n][k] = sum;
                k += 1;
            }
            n += 1;
        }
        sums
    };
    TABLE[among][size]
}

/// The set of `size` with this number, in the order in which the sets of the first n come before all others.
#[inline]
#[must_use]
pub fn numbered(number: u32, size: usize) -> Cards {
    match (size, number as usize) {
        (0, _) => 0,
        (1, place) => 1 << place,
        (2, at) if at < PAIRS.len() => PAIRS[at].into(),
        (3, at) if at < TRIPLES.len() => TRIPLES[at].into(),
        _ => unranked(number, size),
    }
}

/// The sets of two and of three among the first 20, which are nearly all that are ever asked for.
static PAIRS: [u32; WAYS[20][2] as usize] = sets(2);
static TRIPLES: [u32; WAYS[20][3] as usize] = sets(3);

const fn sets<const N: usize>(size: usize) -> [u32; N] {
    let mut sets = [0; N];
    let mut at = 0;
    while at < N {
        sets[at] = unranked(at as u32, size) as u32;
        at += 1;
    }
    sets
}

const fn unranked(mut number: u32, mut size: usize) -> Cards {
    let mut set = 0;
    while size > 0 {
        let mut top = size - 1;
        while WAYS[top + 1][size] <= number {
            top += 1;
        }
        number -= WAYS[top][size];
        set |= 1 << top;
        size -= 1;
    }
    set
}

/// The cards of `among` whose numbers, counted from 0 among themselves, are in `places`.
#[inline]
#[must_use]
pub fn chosen(mut places: Cards, among: Cards) -> Cards {
    let (mut set, mut left) = (0, among);
    while places != 0 {
        let skipped = places.trailing_zeros();
        for _ in 0..skipped {
            left &= left.wrapping_sub(1);
        }
        let taken = left & left.wrapping_neg();
        set |= taken;
        left ^= taken;
        places = places >> skipped >> 1;
    }
    set
}

/// The places of the cards, lowest first.
#[inline]
pub fn places(mut cards: Cards) -> impl Iterator<Item = usize> {
    std::iter::from_fn(move || {
        (cards != 0).then(|| {
            let place = cards.trailing_zeros() as usize;
            cards &= cards - 1;
            place
        })
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_set_has_one_number() {
        for among in 0..=9 {
            for size in 0..=among {
                let mut sets: Vec<Cards> =
                    (0..ways(among, size)).map(|n| numbered(n, size)).collect();
                assert!(
                    sets.iter().all(|set| set.count_ones() as usize == size && *set < 1 << among)
                );
                sets.sort_unstable();
                sets.dedup();
                assert_eq!(sets.len() as u32, ways(among, size));
            }
        }
    }

    #[test]
    fn sets_of_at_most_a_size_are_all_the_smaller_ones() {
        for among in 0..=PLACES {
            for size in 0..=usize::from(MOST_ENERGY) {
                let sum: u32 = (0..=size).map(|size| ways(among, size)).sum();
                assert_eq!(ways_up_to(among, size), sum);
            }
        }
    }

    #[test]
    fn the_tables_hold_what_is_computed() {
        for number in 0..5_000 {
            for size in [1, 2, 3] {
                assert_eq!(numbered(number % 60, size), unranked(number % 60, size));
            }
            assert_eq!(numbered(number, 3), unranked(number, 3));
        }
    }

    #[test]
    fn places_are_counted_among_the_cards() {
        assert_eq!(chosen(0b101, 0b1101_0010), 0b0100_0010);
        assert_eq!(chosen(0b110, 0b0111_0000), 0b0110_0000);
        assert_eq!(chosen(0, 0), 0);
        assert_eq!(places(0b1001_0010).collect::<Vec<_>>(), [1, 4, 7]);
    }
}
