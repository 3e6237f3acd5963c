//! The record of one battle: what a tally counts of it.

use std::marker::PhantomData;

use arrayvec::ArrayVec;

use super::Layout;
use super::items::{Sequence, Short};
use crate::game::{Game, Outcome, Side, Stratum, Watch};

/// What a game reports to the tally. The rules know nothing of it.
pub trait Measure: Game {
    /// Names everything that a batch of this setup can count.
    fn layout(setup: &Self::Setup) -> Layout;

    /// Notes one event: damage, an order, whatever the layout has a name for.
    fn note(setup: &Self::Setup, state: &Self::State, event: Self::Event, record: &mut Record);

    /// Reads the metrics off a battle that is over. They are read whether or not anybody watched, so they can
    /// come from the state alone.
    fn metrics(setup: &Self::Setup, state: &Self::State, metrics: &mut [i64]);

    /// Notes who took part, who survived and the layout's facts, once the battle is over. Damage that
    /// [`note`](Self::note) put into the record's scratch goes to the fighters here: the game decides which index is
    /// whose.
    fn fighters(setup: &Self::Setup, state: &Self::State, record: &mut Record);

    /// Removes from a state between rounds what it keeps only for its metrics or for [`fighters`](Self::fighters),
    /// above all sums over the whole battle, where that keeps many states apart that are otherwise equal. Orders are
    /// noted just as before. Metrics beyond the [`lasting`](Self::lasting) ones cannot be read off a state afterwards.
    fn forget(_setup: &Self::Setup, _state: &mut Self::State) {}

    /// How many of the metrics, counted from the first, [`forget`](Self::forget) leaves as they are.
    #[must_use]
    fn lasting(setup: &Self::Setup) -> usize {
        Self::layout(setup).metrics.len()
    }
}

/// One participant of one battle.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Fighter {
    /// Index into the layout's units.
    pub unit: u16,
    /// Its level, 1 where the game has none. 0 for units that are no fighters, such as a card that was played or an
    /// effect that was borne: the table `battles` leaves them out of teams and survivors.
    pub level: u8,
    /// The side it was on.
    pub side: Side,
    /// Whether it was still there at the end.
    pub survived: bool,
    /// Hit points it took from others.
    pub dealt: u32,
    /// Hit points it lost: to others, and to what nobody is credited with, such as a ruleset.
    pub taken: u32,
}

/// One battle as it was counted. Reused from battle to battle, so that counting allocates nothing once it is warm.
#[derive(Clone, Debug)]
pub struct Record {
    /// The match-up and condition of the battle.
    pub stratum: Stratum,
    /// How it ended.
    pub outcome: Outcome,
    /// How many rounds it lasted.
    pub rounds: u32,
    /// The sides that forfeited it before it began, as bits. A forfeited battle has no length, and nobody took part in
    /// it.
    pub forfeits: u8,
    /// Who took part, side A first, in line-up order.
    pub fighters: Vec<Fighter>,
    /// Index into the layout's brackets, written together with the fighters; 0 where there are none.
    pub bracket: u16,
    /// The metrics, in the layout's order.
    pub metrics: Vec<i64>,
    /// The layout's facts, in its order; [`Measure::fighters`] fills them.
    pub facts: Vec<u64>,
    /// Scratch for damage dealt, by the game's own unit index, until [`Measure::fighters`] writes the fighters.
    pub dealt: Vec<u32>,
    /// Scratch for damage taken, by the same index.
    pub taken: Vec<u32>,
    /// Scratch for damage dealt and taken by place, in a game of no more than [`FEW`] places.
    pub fought: [Fought; FEW],
    /// Scratch for the items of an order that is still being collected.
    pub sequence: Sequence,
    /// The moments that come at most once and have come, as bits.
    once: u32,
    /// The orders noted so far.
    orders: Vec<Entry>,
    /// The orders whose items are too long for one number, one after the other: number of items, what it was drawn
    /// among, moment, items.
    long_orders: Vec<u16>,
}

/// Damage that the unit in a place dealt and took.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Fought {
    /// Damage it dealt.
    pub dealt: u32,
    /// Damage it took.
    pub taken: u32,
}

/// Places that [`Record::fought`] has room for.
pub const FEW: usize = 16;

/// An order as a record keeps it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Entry {
    /// Index into the layout's moments.
    pub moment: u16,
    /// What it was drawn among, as the game numbers that.
    pub among: u16,
    /// Its items, where they are not too long for one number.
    pub items: Short,
}

impl Record {
    /// An empty record for battles of a setup with this layout.
    #[must_use]
    pub fn new(layout: &Layout) -> Self {
        Self {
            stratum: Stratum { matchup: 0, condition: 0 },
            outcome: Outcome::Undecided,
            rounds: 0,
            forfeits: 0,
            fighters: Vec::new(),
            bracket: 0,
            metrics: vec![0; layout.metrics.len()],
            facts: vec![0; layout.facts.len()],
            dealt: Vec::new(),
            taken: Vec::new(),
            fought: [Fought::default(); FEW],
            sequence: Sequence::default(),
            once: 0,
            orders: Vec::new(),
            long_orders: Vec::new(),
        }
    }

    /// Forgets the last battle and begins one in this stratum.
    #[inline]
    pub fn clear(&mut self, stratum: Stratum) {
        self.stratum = stratum;
        self.forfeits = 0;
        self.fighters.clear();
        self.metrics.fill(0);
        // Filling nothing is not free: with AVX-512 a masked store to the address of an empty list takes
        // longer than a small battle.
        for scratch in [&mut self.dealt, &mut self.taken] {
            if !scratch.is_empty() {
                scratch.fill(0);
            }
        }
        self.fought = [Fought::default(); FEW];
        self.sequence.clear();
        self.once = 0;
        self.orders.clear();
        self.long_orders.clear();
    }

    /// The fighters of each side that has any, side by side.
    #[inline]
    pub fn teams(&self) -> impl Iterator<Item = &[Fighter]> {
        teams(&self.fighters)
    }

    /// Becomes the record of a battle that is resumed from this memory.
    pub(crate) fn resume(&mut self, memory: &Memory) {
        self.clear(self.stratum);
        self.sequence.extend(memory.sequence.iter().copied());
        self.once = memory.once;
    }

    /// The part of this record that later orders of the battle depend on.
    pub(crate) fn memory(&self) -> Memory {
        Memory { sequence: self.sequence.items(), once: self.once }
    }

    /// Notes an order: what happened at `moment` (an index into the layout's moments), first to last, as indices into
    /// the layout's order items.
    #[inline]
    pub fn order(&mut self, moment: u16, items: impl IntoIterator<Item = u16>) {
        self.order_among(moment, 0, items);
    }

    /// Notes an order as [`order`](Self::order) does, with the game's number for what it was drawn among: only orders
    /// drawn among the same are compared with each other.
    #[inline]
    pub fn order_among(&mut self, moment: u16, among: u16, items: impl IntoIterator<Item = u16>) {
        let (mut short, start) = (Short::EMPTY, self.long_orders.len());
        for item in items {
            let with = short.with(item);
            if with == Short::LONG {
                if short != Short::LONG {
                    self.long_orders.extend([0, among, moment]);
                    self.long_orders.extend(short.items());
                }
                self.long_orders.push(item);
            }
            short = with;
        }
        if short == Short::LONG {
            self.long_orders[start] = (self.long_orders.len() - start - BEFORE_ITEMS) as u16;
        }
        self.orders.push(Entry { moment, among, items: short });
    }

    /// Notes an order as [`order`](Self::order) does, of a moment that comes once in a battle: only the first one is
    /// kept. The moment's index is below 32.
    #[inline]
    pub fn order_once(&mut self, moment: u16, items: impl IntoIterator<Item = u16>) {
        if !self.has_come(moment) {
            self.once |= 1 << moment;
            self.order(moment, items);
        }
    }

    /// Whether a moment that was noted by `order_once` has come.
    #[inline(always)]
    #[must_use]
    pub fn has_come(&self, moment: u16) -> bool {
        self.once >> moment & 1 == 1
    }

    /// Notes the items collected in `sequence` as an order, if there are at least `least` of them, 1 or more, and
    /// clears it.
    #[inline(always)]
    pub fn order_of_sequence(&mut self, moment: u16, least: usize) {
        // Mostly nothing was collected, or few items.
        if self.sequence.is_empty() {
            return;
        }
        let items = self.sequence.short();
        if items == Short::LONG {
            self.note_long_sequence(moment, least);
        } else if least <= 1 || items.len() >= least {
            self.orders.push(Entry { moment, among: 0, items });
        }
        self.sequence.clear();
    }

    #[cold]
    #[inline(never)]
    fn note_long_sequence(&mut self, moment: u16, least: usize) {
        let items = self.sequence.long();
        if items.len() >= least {
            self.long_orders.extend([items.len() as u16, 0, moment]);
            self.long_orders.extend_from_slice(items);
            self.orders.push(Entry { moment, among: 0, items: Short::LONG });
        }
    }

    /// The orders noted so far.
    pub fn orders(&self) -> impl Iterator<Item = NotedOrder<'_>> {
        let mut rest = self.long_orders.as_slice();
        self.orders.iter().map(move |&Entry { moment, among, items }| {
            if items == Short::LONG {
                let (order, tail) = rest.split_at(BEFORE_ITEMS + usize::from(rest[0]));
                rest = tail;
                return NotedOrder(Numbers::Long(&order[1..]));
            }
            NotedOrder(Numbers::Short([among, moment].into_iter().chain(items.items()).collect()))
        })
    }

    /// A key for each order noted so far: moment and items, without what it was drawn among.
    pub(crate) fn order_keys(&self) -> impl Iterator<Item = OrderKey> + '_ {
        let mut rest = self.long_orders.as_slice();
        self.orders.iter().map(move |&Entry { moment, items, .. }| {
            let long = (items == Short::LONG).then(|| {
                let (order, tail) = rest.split_at(BEFORE_ITEMS + usize::from(rest[0]));
                rest = tail;
                order[BEFORE_ITEMS..].into()
            });
            OrderKey { moment, items, long }
        })
    }

    /// The orders of the battle in their packed form.
    #[inline]
    pub(super) fn entries(&self) -> &[Entry] {
        &self.orders
    }
}

/// The moment and items of an order, which are mostly two numbers.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(crate) struct OrderKey {
    moment: u16,
    items: Short,
    /// The items, where they are too long for one number.
    long: Option<Box<[u16]>>,
}

impl OrderKey {
    /// The moment, and then the items.
    pub(crate) fn numbers(&self) -> Box<[u16]> {
        let moment = std::iter::once(self.moment);
        match &self.long {
            Some(items) => moment.chain(items.iter().copied()).collect(),
            None => moment.chain(self.items.items()).collect(),
        }
    }
}

/// How many numbers of a long order come before its items.
const BEFORE_ITEMS: usize = 3;

/// Splits fighters, which are ordered by side, into the teams of the sides.
#[inline]
pub(super) fn teams(fighters: &[Fighter]) -> impl Iterator<Item = &[Fighter]> {
    debug_assert!(fighters.is_sorted_by_key(|fighter| fighter.side), "one side after the other");
    let mut rest = fighters;
    std::iter::from_fn(move || {
        let side = rest.first()?.side;
        // Compares with one side, where `chunk_by` compares every fighter with the next.
        let count = rest.iter().position(|other| other.side != side).unwrap_or(rest.len());
        let (team, others) = rest.split_at(count);
        rest = others;
        Some(team)
    })
}

/// An order that was noted in a battle.
#[derive(Clone, Debug)]
pub struct NotedOrder<'r>(Numbers<'r>);

/// An order as numbers: what it was drawn among, its moment, its items.
#[derive(Clone, Debug)]
enum Numbers<'r> {
    Short(ArrayVec<u16, 9>),
    Long(&'r [u16]),
}

impl NotedOrder<'_> {
    fn numbers(&self) -> &[u16] {
        match &self.0 {
            Numbers::Short(numbers) => numbers,
            Numbers::Long(numbers) => numbers,
        }
    }

    /// What it was drawn among, as the game numbers that.
    #[must_use]
    pub fn among(&self) -> u16 {
        self.numbers()[0]
    }

    /// Index into the layout's moments.
    #[must_use]
    pub fn moment(&self) -> u16 {
        self.numbers()[1]
    }

    /// What happened, first to last, as indices into the layout's order items.
    #[must_use]
    pub fn items(&self) -> &[u16] {
        &self.numbers()[2..]
    }

    /// The moment, and then the items.
    pub(crate) fn at_its_moment(&self) -> &[u16] {
        &self.numbers()[1..]
    }
}

impl PartialEq for NotedOrder<'_> {
    fn eq(&self, other: &Self) -> bool {
        self.numbers() == other.numbers()
    }
}

impl Eq for NotedOrder<'_> {}

/// The part of a record that carries over from one round of a battle to the next.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub(crate) struct Memory {
    sequence: Box<[u16]>,
    once: u32,
}

/// A watch that fills a record.
#[derive(Debug)]
pub struct Recorder<'a, G> {
    record: &'a mut Record,
    game: PhantomData<G>,
}

impl<'a, G: Measure> Recorder<'a, G> {
    /// Watches on behalf of `record`.
    pub fn new(record: &'a mut Record) -> Self {
        Self { record, game: PhantomData }
    }
}

impl<G: Measure> Watch<G> for Recorder<'_, G> {
    /// Always inlined: the caller knows which event it reports, and most events mean nothing to a record.
    #[inline(always)]
    fn see(&mut self, setup: &G::Setup, state: &G::State, event: G::Event) {
        G::note(setup, state, event, self.record);
    }
}
