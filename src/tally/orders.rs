//! Counts of the orders in which things happened, and of how those battles ended.

use rustc_hash::FxHashMap;
use serde::{Deserialize, Serialize};

use super::items::Short;
use super::order_counts::{More, OrderCounts};
use super::record::Entry;
use super::{Layout, Moment, NotedOrder, Origin, Record};
use crate::game::Stratum;

/// How often one order at one moment came up, and how those battles ended.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct OrderCount {
    /// How often it came up.
    pub times: u64,
    /// The sum over battles of how often it came up, squared.
    pub times_squared: u64,
    /// The sum over battles of how often it came up, times how often any order of its population did.
    pub times_by_all: u64,
    /// How the battles ended in which it came up at least once.
    pub battles: Endings,
    /// Of those battles, the sum of each metric.
    pub metrics: Vec<i128>,
    /// How the battles ended in which it was the first of its population. A battle counts for only one order of a
    /// population here, and where orders are drawn, chance alone has decided for which.
    pub first: Endings,
}

/// How many battles of a set each side won.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Endings {
    /// How many there were.
    pub battles: u64,
    /// How many each side won.
    pub wins: Vec<u64>,
}

impl Endings {
    /// Adds the battles of another set.
    pub fn merge(&mut self, other: &Self) {
        self.battles += other.battles;
        add_all(&mut self.wins, &other.wins);
    }

    /// Wins, shared battles and losses of this set, from one side's point of view.
    #[must_use]
    pub fn results(&self, side: crate::game::Side) -> super::Results {
        let decided: u64 = self.wins.iter().sum();
        let won = self.wins[side.index()];
        super::Results {
            won,
            shared: self.battles - decided,
            lost: decided - won,
            sides: self.wins.len() as u32,
        }
    }
}

impl OrderCount {
    /// Adds the counts of other battles.
    pub fn merge(&mut self, other: &Self) {
        self.times += other.times;
        self.times_squared += other.times_squared;
        self.times_by_all += other.times_by_all;
        self.battles.merge(&other.battles);
        self.first.merge(&other.first);
        add_all(&mut self.metrics, &other.metrics);
    }
}

/// An order with the moment, match-up and condition that it was observed in.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Observation<'o> {
    /// Index into the layout's moments.
    pub moment: u16,
    /// Index into the layout's match-ups.
    pub matchup: u32,
    /// Index into the layout's conditions; none where the order is not drawn: then conditions are taken together.
    pub condition: Option<u16>,
    /// What it was drawn among, as the game numbers that.
    pub among: u16,
    /// What happened, first to last, as indices into the layout's order items.
    pub items: &'o [u16],
}

/// How many numbers of a key come before the items.
pub(super) const BEFORE_ITEMS: usize = 5;

/// Stands for all conditions in a key.
const ANY_CONDITION: u16 = u16::MAX;

/// Counts by order. Orders are kept apart by match-up, and drawn ones by condition too, because only battles that are
/// alike but for the order can be compared.
#[derive(Clone, Debug, Default)]
pub struct Orders {
    /// Index into `counts` by key: moment, match-up (two numbers), condition, what it was drawn among, and items.
    places: FxHashMap<Box<[u16]>, usize>,
    counts: OrderCounts,
    /// Index into `counts` once more for short orders, by a key that is read off without looking at items.
    known: FxHashMap<AtAGlance, u32>,
    /// The orders that came up last, each in its slot by hash: nearly every order of a battle is one of them.
    recent: Vec<Recent>,
    /// By index into `counts`: what the battle that is being added has of the order.
    in_battle: Vec<InBattle>,
    /// Index of the population by moment and what orders were drawn among.
    populations: FxHashMap<u32, u32>,
    /// By population: how often any of its orders came up in that battle.
    all: Vec<u32>,
    /// Scratch for the different orders of that battle.
    seen: Vec<Seen>,
    /// The different populations of that battle; empty between battles.
    seen_populations: Vec<u32>,
    /// By moment: how its orders are looked up.
    kinds: Vec<Kind>,
}

/// How orders of a moment are looked up and kept apart.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Kind {
    /// By condition too.
    Drawn,
    /// Under all conditions together.
    Observed,
    /// By comparing items with all orders of the battle.
    ByItems,
}

impl Kind {
    /// All kinds, in the order of their numbers.
    const ALL: [Self; 3] = [Self::Drawn, Self::Observed, Self::ByItems];

    fn of(moment: &Moment) -> Self {
        match moment.origin {
            _ if moment.compares_like_with_like => Self::ByItems,
            Origin::Drawn => Self::Drawn,
            Origin::Observed | Origin::Ending => Self::Observed,
        }
    }

    /// The condition that orders are kept apart by.
    #[inline]
    fn condition(self, stratum: Stratum) -> u16 {
        if self == Self::Drawn { stratum.condition as u16 } else { ANY_CONDITION }
    }
}

/// How many slots there are for orders that came up last, which are looked for before all others.
const RECENT: usize = 1 << 8;

/// A key that tells short orders apart without looking at their items.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
struct AtAGlance {
    items: Short,
    /// Match-up and condition, and below them the population.
    place: u64,
}

impl AtAGlance {
    /// Fills slots in which nothing has come up yet: no order has such items.
    const NOTHING: Self = Self { items: Short::NO_LIST, place: 0 };
    /// The place of orders that have no such key, whatever their population.
    const NOWHERE: u64 = u64::MAX;

    /// The part of `place` that all orders of a kind share in a stratum.
    fn of_stratum(kind: Kind, stratum: Stratum) -> u64 {
        // Match-ups beyond these are looked up by the whole key.
        if kind == Kind::ByItems || stratum.matchup > u32::from(u16::MAX) {
            return Self::NOWHERE;
        }
        u64::from(stratum.matchup) << 48 | u64::from(kind.condition(stratum)) << 32
    }

    /// The slot of this order among those that came up last.
    #[inline]
    fn slot(self) -> usize {
        // Multiplying by an odd number without a pattern spreads all bits over the highest ones.
        const SPREADS: u64 = 0x9E37_79B9_7F4A_7C15;
        let bits = self.items.number() ^ self.place.rotate_left(56);
        (bits.wrapping_mul(SPREADS) >> (u64::BITS - RECENT.ilog2())) as usize
    }
}

/// By kind: the part of the orders' place that they share in a stratum.
type Places = [u64; Kind::ALL.len()];

/// An order that came up not long ago.
#[derive(Clone, Copy, Debug)]
struct Recent {
    order: AtAGlance,
    /// Index of its count.
    place: u32,
    /// Index of its population.
    population: u32,
}

impl Recent {
    const NOTHING: Self = Self { order: AtAGlance::NOTHING, place: 0, population: 0 };
}

/// What the battle being added has of an order; `times` is 0 between battles.
#[derive(Clone, Copy, Debug)]
struct InBattle {
    /// How often it came up.
    times: u32,
    /// Its population: all orders of its moment that were drawn among the same.
    population: u32,
}

/// An order that came up in the battle that is being added.
#[derive(Clone, Copy, Debug)]
struct Seen {
    /// Index of its count.
    place: u32,
    /// Whether it was the first of its population in the battle.
    is_first: bool,
}

impl More {
    /// Counts an order by comparing the items of all orders of the battle; `is_alike` says which are of its population.
    /// None where it has come up before.
    fn looked_up(
        at: usize,
        order: &NotedOrder<'_>,
        record: &Record,
        is_alike: impl Fn(&NotedOrder<'_>) -> bool,
    ) -> Option<Self> {
        if record.orders().take(at).any(|earlier| earlier == *order) {
            return None;
        }
        Some(Self {
            times: record.orders().skip(at).filter(|other| other == order).count() as u64,
            all: record.orders().filter(&is_alike).count() as u64,
            is_first: !record.orders().take(at).any(|earlier| is_alike(&earlier)),
        })
    }
}

/// The counters of the battle being added that noting an order changes.
struct OfBattle<'o> {
    in_battle: &'o mut [InBattle],
    all: &'o mut [u32],
    seen: &'o mut [Seen],
    /// How many different orders were seen so far.
    count: usize,
}

impl OfBattle<'_> {
    #[inline(always)]
    fn note(&mut self, place: u32, population: u32, seen_populations: &mut Vec<u32>) {
        let all = &mut self.all[population as usize];
        if *all == 0 {
            seen_populations.push(population);
        }
        let times = &mut self.in_battle[place as usize].times;
        // Whether an order is new to its battle is as good as random, so that nothing branches on it.
        self.seen[self.count] = Seen { place, is_first: *all == 0 };
        self.count += usize::from(*times == 0);
        *times += 1;
        *all += 1;
    }
}

impl PartialEq for Orders {
    fn eq(&self, other: &Self) -> bool {
        let has = |(key, count): (&[u16], OrderCount)| {
            other.places.get(key).is_some_and(|&place| other.counts.get(place) == count)
        };
        self.places.len() == other.places.len() && self.iter().all(has)
    }
}

impl Eq for Orders {}

impl Orders {
    /// Adds the orders of one battle. Only an order that was never seen before allocates.
    pub fn add(&mut self, layout: &Layout, record: &Record) {
        let entries = record.entries();
        if self.kinds.len() != layout.moments.len() || self.seen.len() < entries.len() {
            self.make_room(layout, entries.len());
        }
        let places = Kind::ALL.map(|kind| AtAGlance::of_stratum(kind, record.stratum));
        let (mut at, mut seen) = (0, 0);
        loop {
            at += self.note_recent(&places, &entries[at..], &mut seen);
            if at == entries.len() {
                break;
            }
            self.note_other(layout, &places, record, at, &mut seen);
            at += 1;
        }
        let mut rows = self.counts.rows();
        let (in_battle, all) = (&mut self.in_battle[..], &self.all[..]);
        for &Seen { place, is_first } in &self.seen[..seen] {
            let of_order = &mut in_battle[place as usize];
            let all = u64::from(all[of_order.population as usize]);
            let times = u64::from(std::mem::take(&mut of_order.times));
            let more = More { times, all, is_first };
            rows.add(place as usize, record.outcome, &record.metrics, more);
        }
        for &population in &self.seen_populations {
            self.all[population as usize] = 0;
        }
        self.seen_populations.clear();
    }

    /// Notes orders of a battle up to the first one that is not among those that came up last, and returns how many it
    /// noted.
    #[inline]
    fn note_recent(&mut self, places: &Places, entries: &[Entry], seen: &mut usize) -> usize {
        let Some(recent) = self.recent.first_chunk::<RECENT>() else { return 0 };
        let (kinds, seen_populations) = (&self.kinds[..], &mut self.seen_populations);
        let mut battle = OfBattle {
            in_battle: &mut self.in_battle,
            all: &mut self.all,
            seen: &mut self.seen,
            count: *seen,
        };
        let mut at = 0;
        for entry in entries {
            let population = u64::from(population(entry.moment, entry.among));
            let kind = kinds[usize::from(entry.moment)];
            let place = places[kind as usize] | population;
            let order = AtAGlance { items: entry.items, place };
            let recent = &recent[order.slot()];
            if recent.order != order {
                break;
            }
            battle.note(recent.place, recent.population, seen_populations);
            at += 1;
        }
        *seen = battle.count;
        at
    }

    /// Notes an order that is not among those that came up last.
    #[inline(never)]
    fn note_other(
        &mut self,
        layout: &Layout,
        places: &Places,
        record: &Record,
        at: usize,
        seen: &mut usize,
    ) {
        let entry = record.entries()[at];
        let kind = self.kinds[usize::from(entry.moment)];
        if entry.items == Short::LONG || kind == Kind::ByItems {
            self.add_by_items(layout, record, at);
            return;
        }
        let place = match places[kind as usize] {
            AtAGlance::NOWHERE => self.place_of(layout, record, at),
            of_stratum => {
                let place = of_stratum | u64::from(population(entry.moment, entry.among));
                self.place(layout, record, at, AtAGlance { items: entry.items, place })
            }
        };
        let population = self.in_battle[place as usize].population;
        let mut battle = OfBattle {
            in_battle: &mut self.in_battle,
            all: &mut self.all,
            seen: &mut self.seen,
            count: *seen,
        };
        battle.note(place, population, &mut self.seen_populations);
        *seen = battle.count;
    }

    /// Reads the layout's moments, and makes room for so many orders of one battle.
    #[cold]
    #[inline(never)]
    fn make_room(&mut self, layout: &Layout, orders: usize) {
        self.kinds = layout.moments.iter().map(Kind::of).collect();
        self.seen.resize(orders.max(self.seen.len()), Seen { place: 0, is_first: false });
        self.recent.resize(RECENT, Recent::NOTHING);
    }

    /// Adds an order whose items must be looked at: it is too long for one number, or compared with others that have
    /// the same items.
    #[inline(never)]
    fn add_by_items(&mut self, layout: &Layout, record: &Record, at: usize) {
        let order = record.orders().nth(at).expect("the order is one of the battle's");
        let moment = &layout.moments[usize::from(order.moment())];
        // Short orders of its population need to know how many there are.
        let population = self.population(order.moment(), order.among());
        let all = &mut self.all[population as usize];
        if *all == 0 {
            self.seen_populations.push(population);
        }
        *all += 1;
        let is_alike = |other: &NotedOrder<'_>| {
            other.moment() == order.moment()
                && other.among() == order.among()
                && (!moment.compares_like_with_like || have_the_same(other.items(), order.items()))
        };
        if let Some(more) = More::looked_up(at, &order, record, is_alike) {
            let place = self.place_of(layout, record, at);
            self.counts.rows().add(place as usize, record.outcome, &record.metrics, more);
        }
    }

    /// Index of the count of an order that is not among those that came up last; it is from now on.
    #[inline(never)]
    fn place(&mut self, layout: &Layout, record: &Record, at: usize, order: AtAGlance) -> u32 {
        let place = match self.known.get(&order) {
            Some(&place) => place,
            None => {
                let place = self.place_of(layout, record, at);
                self.known.insert(order, place);
                place
            }
        };
        let population = self.in_battle[place as usize].population;
        self.recent[order.slot()] = Recent { order, place, population };
        place
    }

    /// Index of the count of an order by its whole key; an order that was never seen before gets a count.
    #[inline(never)]
    fn place_of(&mut self, layout: &Layout, record: &Record, at: usize) -> u32 {
        let order = record.orders().nth(at).expect("the order is one of the battle's");
        let matchup = record.stratum.matchup;
        let condition = condition_of(&layout.moments[usize::from(order.moment())], record.stratum);
        let mut key = arrayvec::ArrayVec::<u16, 64>::new();
        let place = [(matchup >> 16) as u16, matchup as u16, condition];
        key.push(order.moment());
        key.extend(place);
        key.push(order.among());
        // Orders longer than that are cut: nobody would read them.
        key.extend(order.items().iter().copied().take(key.remaining_capacity()));
        let place = match self.places.get(&key[..]) {
            Some(&place) => place,
            None => {
                self.counts.push(layout.sides, layout.metrics.len());
                self.begin(key[..].into())
            }
        };
        place as u32
    }

    /// Enters the key of the order whose count was added last.
    fn begin(&mut self, key: Box<[u16]>) -> usize {
        let Observation { moment, among, .. } = observation(&key);
        let population = self.population(moment, among);
        self.in_battle.push(InBattle { times: 0, population });
        self.places.insert(key, self.counts.len() - 1);
        self.counts.len() - 1
    }

    /// Index of a population, which is added if it was never seen before.
    fn population(&mut self, moment: u16, among: u16) -> u32 {
        let places = self.all.len() as u32;
        let place = *self.populations.entry(population(moment, among)).or_insert(places);
        if place == places {
            self.all.push(0);
        }
        place
    }

    /// Adds the counts of another batch.
    pub fn merge(&mut self, other: &Self) {
        for (key, &of_other) in &other.places {
            if let Some(&place) = self.places.get(key) {
                self.counts.merge(place, &other.counts, of_other);
            } else {
                self.counts.push_from(&other.counts, of_other);
                self.begin(key.clone());
            }
        }
    }

    /// All counts with their keys, in no order.
    fn iter(&self) -> impl Iterator<Item = (&[u16], OrderCount)> {
        self.places.iter().map(|(key, &place)| (&key[..], self.counts.get(place)))
    }

    /// All counts with their keys, sorted by key.
    pub(super) fn form(&self) -> Vec<(Vec<u16>, OrderCount)> {
        let mut all: Vec<_> = self.iter().map(|(key, count)| (key.to_vec(), count)).collect();
        all.sort_by(|(one, _), (other, _)| one.cmp(other));
        all
    }

    /// Enters a count, as [`form`](Self::form) gives it.
    pub(super) fn put(&mut self, key: Vec<u16>, count: &OrderCount) {
        let place = match self.places.get(&key[..]) {
            Some(&place) => place,
            None => {
                self.counts.push(count.battles.wins.len(), count.metrics.len());
                self.begin(key.into())
            }
        };
        self.counts.set(place, count);
    }

    /// All orders, by moment, match-up, condition and what they were drawn among, most frequent first.
    #[must_use]
    pub fn sorted(&self) -> Vec<(Observation<'_>, OrderCount)> {
        let mut rows: Vec<(Observation<'_>, OrderCount)> =
            self.iter().map(|(key, count)| (observation(key), count)).collect();
        rows.sort_by(|(a, x), (b, y)| {
            (a.moment, a.matchup, a.condition, a.among, y.times, a.items).cmp(&(
                b.moment,
                b.matchup,
                b.condition,
                b.among,
                x.times,
                b.items,
            ))
        });
        rows
    }
}

/// A number for the population: the moment, and what its orders were drawn among.
#[inline]
fn population(moment: u16, among: u16) -> u32 {
    u32::from(among) << 16 | u32::from(moment)
}

/// The condition that orders of a moment are kept apart by, or the number for all.
#[inline]
fn condition_of(moment: &Moment, stratum: Stratum) -> u16 {
    match moment.origin {
        Origin::Drawn => stratum.condition as u16,
        Origin::Observed | Origin::Ending => ANY_CONDITION,
    }
}

fn observation(key: &[u16]) -> Observation<'_> {
    Observation {
        moment: key[0],
        matchup: u32::from(key[1]) << 16 | u32::from(key[2]),
        condition: (key[3] != ANY_CONDITION).then_some(key[3]),
        among: key[4],
        items: &key[BEFORE_ITEMS..],
    }
}

/// Whether two lists have the same items in any order.
fn have_the_same(one: &[u16], other: &[u16]) -> bool {
    let times = |list: &[u16], item: u16| list.iter().filter(|&&of| of == item).count();
    one.len() == other.len() && one.iter().all(|&item| times(one, item) == times(other, item))
}

/// Adds a list of numbers to another, element by element.
pub(super) fn add_all<T: Copy + std::ops::AddAssign>(to: &mut [T], from: &[T]) {
    debug_assert_eq!(to.len(), from.len(), "tallies of different layouts");
    for (sum, &value) in to.iter_mut().zip(from) {
        *sum += value;
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;

    use proptest::prelude::*;

    use super::*;
    use crate::game::{Outcome, Side};
    use crate::tally::fixture::three_sides;

    type Noted = (u16, u16, Vec<u16>);

    /// One drawn moment, one that is observed, and one whose orders are compared with others of the same items.
    fn layout(items: usize) -> Layout {
        let base = three_sides();
        let moment = |origin, compares_like_with_like| Moment {
            origin,
            compares_like_with_like,
            ..base.moments[0].clone()
        };
        let drawn = Origin::Drawn;
        Layout {
            moments: vec![
                moment(drawn, false),
                moment(Origin::Observed, false),
                moment(drawn, true),
            ],
            order_items: (0..items).map(|item| item.to_string()).collect(),
            ..base
        }
    }

    /// What a battle's orders add, counted in the plainest way.
    fn plainly(
        layout: &Layout,
        counts: &mut BTreeMap<Vec<u16>, OrderCount>,
        record: &Record,
        orders: &[Noted],
    ) {
        for (at, order) in orders.iter().enumerate() {
            let moment = &layout.moments[usize::from(order.0)];
            let sorted = |order: &Noted| {
                let mut items = order.2.clone();
                items.sort_unstable();
                items
            };
            let is_alike = |other: &&Noted| {
                (other.0, other.1) == (order.0, order.1)
                    && (!moment.compares_like_with_like || sorted(other) == sorted(order))
            };
            if orders[..at].contains(order) {
                continue;
            }
            let condition = match moment.origin {
                Origin::Drawn => record.stratum.condition as u16,
                Origin::Observed | Origin::Ending => ANY_CONDITION,
            };
            let matchup = record.stratum.matchup as u16;
            let mut key = vec![order.0, 0, matchup, condition, order.1];
            key.extend(&order.2);
            key.truncate(64);
            let none = || Endings { battles: 0, wins: vec![0; layout.sides] };
            let count = counts.entry(key).or_insert_with(|| OrderCount {
                battles: none(),
                first: none(),
                metrics: vec![0; layout.metrics.len()],
                ..OrderCount::default()
            });
            let add = |endings: &mut Endings| {
                endings.battles += 1;
                if let Outcome::Win(side) = record.outcome {
                    endings.wins[side.index()] += 1;
                }
            };
            let times = orders.iter().filter(|other| *other == order).count() as u64;
            count.times += times;
            count.times_squared += times * times;
            count.times_by_all += times * orders.iter().filter(is_alike).count() as u64;
            add(&mut count.battles);
            count.metrics[0] += i128::from(record.metrics[0]);
            if !orders[..at].iter().any(|earlier| is_alike(&earlier)) {
                add(&mut count.first);
            }
        }
    }

    fn order() -> impl Strategy<Value = Noted> {
        let few = prop::collection::vec(0u16..3, 0..9);
        let large = prop::collection::vec(prop_oneof![0u16..3, 254u16..258], 0..5);
        let many = prop::collection::vec(0u16..3, 55..70);
        (0u16..3, 0u16..2, prop_oneof![6 => few, 3 => large, 1 => many])
    }

    proptest! {
        /// Orders are counted the same whether they are short, and told apart without looking at items, or not.
        #[test]
        fn orders_are_counted_as_they_are_told(
            items in prop_oneof![Just(3usize), Just(300)],
            battles in prop::collection::vec(
                (0u32..2, 0u32..3, 0u8..4, prop::collection::vec(order(), 0..20)),
                0..60,
            ),
        ) {
            let layout = layout(items);
            let (mut counted, mut expected) = (Orders::default(), BTreeMap::new());
            for (matchup, condition, ending, orders) in &battles {
                let mut record = Record::new(&layout);
                record.clear(Stratum { matchup: *matchup, condition: *condition });
                record.outcome = match ending {
                    3 => Outcome::Draw,
                    side => Outcome::Win(Side(*side)),
                };
                record.metrics[0] = i64::from(*ending) - 1;
                for (moment, among, items) in orders {
                    record.order_among(*moment, *among, items.iter().copied());
                }
                counted.add(&layout, &record);
                plainly(&layout, &mut expected, &record, orders);
            }
            prop_assert_eq!(counted.form(), expected.into_iter().collect::<Vec<_>>());
        }
    }
}
