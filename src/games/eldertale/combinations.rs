//! Sets of cards as bits, and a numbering of all sets of a size, so that one die draws a whole set.

/// Cards as bits: bit `i` stands for the card in place `i` of a deck.
pub type Cards = u64;

/// The largest deck, and the largest set of its cards, for which sets are numbered.
const PLACES: usize = 64;
const SIZES: usize = 21;

/// Binomial coefficients: `WAYS[n][k]` is the number of sets of k cards among n. Numbers beyond 32 bits are cut
/// off; nothing asks for them.
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

/// The number of sets of `size` cards among `among`.
#[inline]
#[must_use]
pub fn ways(among: usize, size: usize) -> u32 {
    static TABLE: [[u32; SIZES]; PLACES + 1] = WAYS;
    TABLE[among][size]
}

/// A choice of cards split by cost: among the cards that cost 1, then among those that cost 2. Bits count the
/// cards of each cost from 0.
pub type ByCost = [Cards; 2];

/// The number of sets of cards that `energy` pays for, among `ones` cards that cost 1 and `twos` cards that cost 2
/// (ET-05).
#[must_use]
pub const fn affordable(energy: usize, [ones, twos]: [usize; 2]) -> u32 {
    let (mut sum, mut doubles) = (0, 0);
    while 2 * doubles <= energy {
        sum += WAYS[twos][doubles] * sets_up_to(ones, energy - 2 * doubles);
        doubles += 1;
    }
    sum
}

/// The affordable set with this number. Sets are ordered by how many of their cards cost 2, then by which these
/// are, then by how many cost 1, then by which; "which" always in the order of [`numbered`].
#[must_use]
pub const fn nth_affordable(number: u32, energy: usize, [ones, twos]: [usize; 2]) -> ByCost {
    let (mut number, mut doubles) = (number, 0);
    let mut beside = sets_up_to(ones, energy);
    let mut with = beside;
    while number >= with {
        number -= with;
        doubles += 1;
        beside = sets_up_to(ones, energy - 2 * doubles);
        with = WAYS[twos][doubles] * beside;
    }
    let (which, mut number) = (number / beside, number % beside);
    let mut singles = 0;
    while number >= WAYS[ones][singles] {
        number -= WAYS[ones][singles];
        singles += 1;
    }
    [unranked(number, singles), unranked(which, doubles)]
}

/// The number of sets of at most `size` cards among `among`.
const fn sets_up_to(among: usize, size: usize) -> u32 {
    let (mut sum, mut of) = (0, 0);
    while of <= size {
        sum += WAYS[among][of];
        of += 1;
    }
    sum
}

/// The largest energy and hand for which the affordable sets are listed in a table; nearly all queries are within
/// these limits.
const LISTED_ENERGY: usize = 3;
const LISTED_CARDS: usize = 7;

/// A hand card by card, small enough for its affordable sets to be listed.
#[derive(Clone, Copy, Debug)]
pub struct Hand {
    /// The deck places of its cards, one byte each, the lowest place in the lowest byte.
    places: u64,
    /// One bit for each card, set if it costs 2, and a 1 above them that marks the number of cards.
    costs: u8,
}

impl Hand {
    /// The hand with the cards in these places, of which those in `twos` cost 2 and all others 1. None for more
    /// than 7 cards.
    #[inline(always)]
    #[must_use]
    pub fn of(cards: Cards, twos: Cards) -> Option<Self> {
        let (mut places, mut costs, mut left, mut at) = (0, 0, cards, 0);
        while left != 0 && at < LISTED_CARDS {
            let place = left.trailing_zeros();
            places |= u64::from(place) << (8 * at);
            costs |= ((twos >> place & 1) as u8) << at;
            left &= left - 1;
            at += 1;
        }
        (left == 0).then_some(Self { places, costs: costs | 1 << at })
    }

    /// All sets that `energy` pays for, in the order of [`nth_affordable`]; bit i of a set stands for the ith card
    /// of the hand. None for an energy that is not listed.
    #[inline(always)]
    #[must_use]
    pub fn affordable(self, energy: usize) -> Option<&'static [u8]> {
        if energy > LISTED_ENERGY {
            return None;
        }
        let at = energy * HANDS + usize::from(self.costs);
        LISTS.get(usize::from(STARTS[at])..usize::from(STARTS[at + 1]))
    }

    /// The set of all cards of the hand.
    #[must_use]
    pub fn whole(self) -> u8 {
        (1 << self.costs.ilog2()) - 1
    }

    /// The deck places of a set of the hand's cards, lowest first.
    #[inline(always)]
    pub fn places(self, set: u8) -> impl Iterator<Item = usize> {
        places(set.into()).map(move |at| usize::from((self.places >> (8 * at)) as u8))
    }
}

/// The number of values that [`Hand::costs`] can take; 0 is no hand.
const HANDS: usize = 1 << (LISTED_CARDS + 1);

/// Splits a hand, given as its `costs`, into the cards that cost 1 and those that cost 2.
const fn by_cost(costs: usize) -> ByCost {
    let all = (1 << costs.ilog2()) - 1;
    [!costs as Cards & all, costs as Cards & all]
}

/// Where each list begins in `LISTS`, ordered by energy and then by costs; the last entry is the end of the last
/// list.
static STARTS: [u16; LISTS_IN_ALL + 1] = STARTS_OF_LISTS;
const LISTS_IN_ALL: usize = (LISTED_ENERGY + 1) * HANDS;
const STARTS_OF_LISTS: [u16; LISTS_IN_ALL + 1] = {
    let mut starts = [0; LISTS_IN_ALL + 1];
    let mut at = 0;
    while at < LISTS_IN_ALL {
        let (energy, costs) = (at / HANDS, at % HANDS);
        let sets = if costs == 0 {
            0
        } else {
            let [ones, twos] = by_cost(costs);
            affordable(energy, [ones.count_ones() as usize, twos.count_ones() as usize])
        };
        starts[at + 1] = starts[at] + sets as u16;
        at += 1;
    }
    starts
};

/// The lists of affordable sets, one after the other.
static LISTS: [u8; STARTS_OF_LISTS[LISTS_IN_ALL] as usize] = {
    let mut lists = [0; STARTS_OF_LISTS[LISTS_IN_ALL] as usize];
    let mut at = 0;
    while at < LISTS_IN_ALL {
        let (energy, costs) = (at / HANDS, at % HANDS);
        let (first, end) = (STARTS_OF_LISTS[at], STARTS_OF_LISTS[at + 1]);
        let mut of_list = first;
        while of_list < end {
            let [ones, twos] = by_cost(costs);
            let counts = [ones.count_ones() as usize, twos.count_ones() as usize];
            let [of_ones, of_twos] = nth_affordable((of_list - first) as u32, energy, counts);
            lists[of_list as usize] = (chosen(of_ones, ones) | chosen(of_twos, twos)) as u8;
            of_list += 1;
        }
        at += 1;
    }
    lists
};

/// The set of `size` cards with this number. Sets are numbered so that those among the first n cards come before
/// all others.
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

/// All sets of two and of three among the first 20 cards, by their numbers: nearly all that are ever asked for.
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
pub const fn chosen(mut places: Cards, among: Cards) -> Cards {
    let (mut set, mut left) = (0, among);
    while places != 0 {
        let skipped = places.trailing_zeros();
        let mut to_skip = skipped;
        while to_skip > 0 {
            left &= left.wrapping_sub(1);
            to_skip -= 1;
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
    use crate::games::eldertale::state::MOST_ENERGY;

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
                assert_eq!(sets_up_to(among, size), sum);
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

    /// Every small hand, spread over the places of a deck in several ways, and every energy.
    #[test]
    fn the_lists_hold_every_affordable_set_in_order() {
        for places in [0x7F, 0x0410_8421_0842 << 3, 0b11 << 58 | 0b1101_1001 << 19] {
            for [hand, twos] in (0..1 << LISTED_CARDS).flat_map(|hand| {
                (0..1 << LISTED_CARDS).map(move |twos| [hand, twos].map(|of| chosen(of, places)))
            }) {
                let of_costs = [hand & !twos, hand & twos];
                let of = of_costs.map(|cards| cards.count_ones() as usize);
                let listed = Hand::of(hand, twos).expect("small enough");
                assert!(listed.places(listed.whole()).eq(super::places(hand)));
                for energy in 0..=LISTED_ENERGY {
                    let sets = listed.affordable(energy).expect("little enough");
                    assert_eq!(sets.len() as u32, affordable(energy, of));
                    for (number, &set) in sets.iter().enumerate() {
                        let [ones, twos] = nth_affordable(number as u32, energy, of);
                        let plain = chosen(ones, of_costs[0]) | chosen(twos, of_costs[1]);
                        assert!(listed.places(set).eq(super::places(plain)), "{hand:b} {number}");
                    }
                }
                assert!(listed.affordable(LISTED_ENERGY + 1).is_none());
            }
        }
        assert!(Hand::of((1 << (LISTED_CARDS + 1)) - 1, 0).is_none());
    }

    #[test]
    fn the_largest_hands_are_numbered_too() {
        let energy = usize::from(MOST_ENERGY);
        for of in [[20, 0], [0, 20], [12, 9]] {
            let count = affordable(energy, of);
            for number in (0..count).step_by(7).chain([count - 1]) {
                let [ones, twos] = nth_affordable(number, energy, of);
                assert!((ones.count_ones() + 2 * twos.count_ones()) as usize <= energy);
                assert!(ones < 1 << of[0] && twos < 1 << of[1]);
            }
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
