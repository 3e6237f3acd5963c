//! How often things happened in which order, and who won then.

use rustc_hash::FxHashMap;
use serde::{Deserialize, Serialize};

use super::{Layout, NotedOrder, Origin, Record};
use crate::game::Outcome;

/// How one order at one moment turned out.
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
    /// How the battles ended in which it was the first of its population. Every battle is in that of one order at most, and
    /// where orders are drawn, chance alone has decided in which.
    pub first: Endings,
}

/// How some battles ended.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Endings {
    /// How many there were.
    pub battles: u64,
    /// How many each side won.
    pub wins: Vec<u64>,
}

impl Endings {
    fn none(sides: usize) -> Self {
        Self { battles: 0, wins: vec![0; sides] }
    }

    #[inline]
    fn add(&mut self, outcome: Outcome) {
        self.battles += 1;
        if let Outcome::Win(side) = outcome {
            self.wins[side.index()] += 1;
        }
    }

    /// Adds the battles of another set.
    pub fn merge(&mut self, other: &Self) {
        self.battles += other.battles;
        add_all(&mut self.wins, &other.wins);
    }

    /// How they ended for a side.
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
    fn none(layout: &Layout) -> Self {
        Self {
            battles: Endings::none(layout.sides),
            first: Endings::none(layout.sides),
            metrics: vec![0; layout.metrics.len()],
            ..Self::default()
        }
    }

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

/// Where an order was observed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Observation<'o> {
    /// Index into the layout's moments.
    pub moment: u16,
    /// Index into the layout's match-ups.
    pub matchup: u32,
    /// Index into the layout's conditions; none where the order is not drawn, and conditions are taken together.
    pub condition: Option<u16>,
    /// What the order was drawn among, as the game numbers that.
    pub among: u16,
    /// What happened, first to last, as indices into the layout's order items.
    pub items: &'o [u16],
}

/// How many numbers of a key come before the items.
pub(super) const BEFORE_ITEMS: usize = 5;

/// What stands for no condition.
const ANY_CONDITION: u16 = u16::MAX;

/// Counts by order. Orders are kept apart by match-up, and drawn ones by condition too, because only battles that are alike
/// but for the order can be compared.
#[derive(Clone, Debug, Default)]
pub struct Orders {
    /// Keyed by moment, match-up (two numbers), condition, what it was drawn among, and items: the place of its count.
    places: FxHashMap<Box<[u16]>, usize>,
    counts: Vec<OrderCount>,
    /// The places of short orders once more, by what is read off at a glance.
    known: FxHashMap<u128, usize>,
    different: Different,
}

/// What tells orders of one battle apart without a look at their items, where these are few enough.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct AtAGlance {
    /// Moment and what it was drawn among.
    population: u32,
    /// How many items and which.
    items: Option<u64>,
}

impl AtAGlance {
    /// Items of so many bits each.
    #[inline]
    fn of(order: NotedOrder<'_>, bits: u32) -> Self {
        let items = order.items();
        let fits = items.len() < (u64::BITS / bits) as usize;
        let packed = |items: &[u16]| {
            items.iter().fold(items.len() as u64, |packed, &item| packed << bits | u64::from(item))
        };
        Self {
            population: u32::from(order.moment()) << 16 | u32::from(order.among()),
            items: fits.then(|| packed(items)),
        }
    }
}

/// An order among those of its battle.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct InBattle {
    /// How often it came up.
    times: u64,
    /// How often any order of its population did. Orders of a population are all those of its moment that were drawn among the
    /// same.
    all: u64,
    /// Whether it was the first of these.
    is_first: bool,
}

impl InBattle {
    /// By a look at all items: those are of a population that `is_alike` says. None where it has come up before.
    fn looked_up<'r>(
        at: usize,
        order: NotedOrder<'r>,
        record: &'r Record,
        is_alike: impl Fn(&NotedOrder<'r>) -> bool,
    ) -> Option<Self> {
        if record.orders().take(at).any(|earlier| earlier == order) {
            return None;
        }
        Some(Self {
            times: record.orders().skip(at).filter(|other| *other == order).count() as u64,
            all: record.orders().filter(&is_alike).count() as u64,
            is_first: !record.orders().take(at).any(|earlier| is_alike(&earlier)),
        })
    }
}

/// The different orders of one battle that are told apart at a glance, and nothing between battles.
#[derive(Clone, Debug, Default)]
struct Different {
    /// The populations that came up, and how often.
    populations: Vec<(u32, u64)>,
    orders: Vec<Seen>,
}

/// An order that came up in the battle.
#[derive(Clone, Copy, Debug)]
struct Seen {
    /// Which population.
    population: usize,
    items: u64,
    /// Its first place among the orders of the battle.
    at: usize,
    times: u64,
    is_first: bool,
}

impl Different {
    /// Takes the next order of the battle, of which nothing but the population matters if it has no items.
    #[inline]
    fn add(&mut self, at: usize, glance: AtAGlance) {
        let is_its = |(of, _): &(u32, u64)| *of == glance.population;
        let found = self.populations.iter().position(is_its);
        let population = found.unwrap_or(self.populations.len());
        match found {
            Some(_) => self.populations[population].1 += 1,
            None => self.populations.push((glance.population, 1)),
        }
        let Some(items) = glance.items else { return };
        let is_it = |seen: &&mut Seen| seen.items == items && seen.population == population;
        match self.orders.iter_mut().find(is_it) {
            Some(seen) => seen.times += 1,
            None => {
                let is_first = found.is_none();
                self.orders.push(Seen { population, items, at, times: 1, is_first });
            }
        }
    }

    fn clear(&mut self) {
        self.populations.clear();
        self.orders.clear();
    }
}

impl PartialEq for Orders {
    fn eq(&self, other: &Self) -> bool {
        let has = |(key, count): (&[u16], &OrderCount)| {
            other.places.get(key).is_some_and(|&place| other.counts[place] == *count)
        };
        self.places.len() == other.places.len() && self.iter().all(has)
    }
}

impl Eq for Orders {}

impl Orders {
    /// Adds the orders of one battle. Only an order that was never seen before allocates.
    pub fn add(&mut self, layout: &Layout, record: &Record) {
        let bits = if layout.order_items.len() <= 1 << 8 { 8 } else { 16 };
        for (at, order) in record.orders().enumerate() {
            let moment = &layout.moments[usize::from(order.moment())];
            let glance = AtAGlance::of(order, bits);
            let is_enough = glance.items.is_some() && !moment.compares_like_with_like;
            let items = glance.items.filter(|_| is_enough);
            self.different.add(at, AtAGlance { items, ..glance });
            if is_enough {
                continue;
            }
            let is_alike = |other: &NotedOrder<'_>| {
                other.moment() == order.moment()
                    && other.among() == order.among()
                    && (!moment.compares_like_with_like
                        || have_the_same(other.items(), order.items()))
            };
            if let Some(in_battle) = InBattle::looked_up(at, order, record, is_alike) {
                self.add_order(layout, record, at, glance, in_battle);
            }
        }
        let different = std::mem::take(&mut self.different);
        for &Seen { population, items, at, times, is_first } in &different.orders {
            let (population, all) = different.populations[population];
            let glance = AtAGlance { population, items: Some(items) };
            self.add_order(layout, record, at, glance, InBattle { times, all, is_first });
        }
        self.different = different;
        self.different.clear();
    }

    /// Adds one of the different orders of a battle, which is first at this place among all of them.
    #[inline]
    fn add_order(
        &mut self,
        layout: &Layout,
        record: &Record,
        at: usize,
        glance: AtAGlance,
        InBattle { times, all, is_first }: InBattle,
    ) {
        let place = self.place(layout, record, at, glance);
        let count = &mut self.counts[place];
        count.times += times;
        count.times_squared += times * times;
        count.times_by_all += times * all;
        count.battles.add(record.outcome);
        for (sum, &value) in count.metrics.iter_mut().zip(&record.metrics) {
            *sum += i128::from(value);
        }
        if is_first {
            count.first.add(record.outcome);
        }
    }

    /// Where the count of an order is.
    #[inline]
    fn place(&mut self, layout: &Layout, record: &Record, at: usize, glance: AtAGlance) -> usize {
        let matchup = record.stratum.matchup;
        let moment = &layout.moments[(glance.population >> 16) as usize];
        let condition = match moment.origin {
            Origin::Drawn => record.stratum.condition as u16,
            Origin::Observed | Origin::Ending => ANY_CONDITION,
        };
        // Match-ups beyond these are looked up by all that there is.
        let known = glance.items.filter(|_| matchup <= u32::from(u16::MAX)).map(|items| {
            let stratum = matchup << 16 | u32::from(condition);
            u128::from(items) << 64 | u128::from(stratum) << 32 | u128::from(glance.population)
        });
        if let Some(&place) = known.and_then(|known| self.known.get(&known)) {
            return place;
        }
        let order = record.orders().nth(at).expect("the order is one of the battle's");
        let place = self.look_up(layout, matchup, condition, order);
        if let Some(known) = known {
            self.known.insert(known, place);
        }
        place
    }

    /// The same by its whole key; an order that was never seen before gets a count.
    #[inline(never)]
    fn look_up(
        &mut self,
        layout: &Layout,
        matchup: u32,
        condition: u16,
        order: NotedOrder<'_>,
    ) -> usize {
        let mut key = arrayvec::ArrayVec::<u16, 64>::new();
        let place = [(matchup >> 16) as u16, matchup as u16, condition];
        key.push(order.moment());
        key.extend(place);
        key.push(order.among());
        // A longer order than that would be none that anybody reads.
        key.extend(order.items().iter().copied().take(key.remaining_capacity()));
        match self.places.get(&key[..]) {
            Some(&place) => place,
            None => self.begin(key[..].into(), OrderCount::none(layout)),
        }
    }

    /// Puts a count in; gives its place.
    fn begin(&mut self, key: Box<[u16]>, count: OrderCount) -> usize {
        self.counts.push(count);
        self.places.insert(key, self.counts.len() - 1);
        self.counts.len() - 1
    }

    /// Adds the counts of another batch.
    pub fn merge(&mut self, other: &Self) {
        for (key, count) in other.iter() {
            if let Some(&place) = self.places.get(key) {
                self.counts[place].merge(count);
            } else {
                self.begin(key.into(), count.clone());
            }
        }
    }

    /// All counts with their keys, in no order.
    fn iter(&self) -> impl Iterator<Item = (&[u16], &OrderCount)> {
        self.places.iter().map(|(key, &place)| (&key[..], &self.counts[place]))
    }

    /// All counts with their keys, in the order of these.
    pub(super) fn form(&self) -> Vec<(Vec<u16>, OrderCount)> {
        let all = self.iter().map(|(key, count)| (key.to_vec(), count.clone()));
        let mut all: Vec<_> = all.collect();
        all.sort_by(|(one, _), (other, _)| one.cmp(other));
        all
    }

    /// Puts a count in, as [`form`](Self::form) gives it.
    pub(super) fn put(&mut self, key: Vec<u16>, count: OrderCount) {
        match self.places.get(&key[..]) {
            Some(&place) => self.counts[place] = count,
            None => {
                self.begin(key.into(), count);
            }
        }
    }

    /// All orders, by moment, match-up, condition and what they were drawn among, most frequent first.
    #[must_use]
    pub fn sorted(&self) -> Vec<(Observation<'_>, &OrderCount)> {
        let mut rows: Vec<(Observation<'_>, &OrderCount)> =
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

fn observation(key: &[u16]) -> Observation<'_> {
    Observation {
        moment: key[0],
        matchup: u32::from(key[1]) << 16 | u32::from(key[2]),
        condition: (key[3] != ANY_CONDITION).then_some(key[3]),
        among: key[4],
        items: &key[BEFORE_ITEMS..],
    }
}

/// Whether two lists are the same but for their order.
fn have_the_same(one: &[u16], other: &[u16]) -> bool {
    let times = |list: &[u16], item: u16| list.iter().filter(|&&of| of == item).count();
    one.len() == other.len() && one.iter().all(|&item| times(one, item) == times(other, item))
}

/// Adds two lists of numbers, place by place.
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
    use crate::game::{Side, Stratum};
    use crate::tally::fixture::three_sides;
    use crate::tally::{Layout, Moment};

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

    /// What a battle's orders add, told as plainly as can be.
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
            let count = counts.entry(key).or_insert_with(|| OrderCount::none(layout));
            let times = orders.iter().filter(|other| *other == order).count() as u64;
            count.times += times;
            count.times_squared += times * times;
            count.times_by_all += times * orders.iter().filter(is_alike).count() as u64;
            count.battles.add(record.outcome);
            count.metrics[0] += i128::from(record.metrics[0]);
            if !orders[..at].iter().any(|earlier| is_alike(&earlier)) {
                count.first.add(record.outcome);
            }
        }
    }

    fn order() -> impl Strategy<Value = Noted> {
        let few = prop::collection::vec(0u16..3, 0..9);
        let many = prop::collection::vec(0u16..3, 55..70);
        (0u16..3, 0u16..2, prop_oneof![9 => few, 1 => many])
    }

    proptest! {
        /// Short orders are told apart at a glance, others by their items; what comes of it is the same.
        #[test]
        fn orders_are_counted_as_they_are_told(
            items in prop_oneof![Just(3usize), Just(300)],
            battles in prop::collection::vec(
                (0u32..2, 0u32..3, 0u8..4, prop::collection::vec(order(), 0..7)),
                0..20,
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
