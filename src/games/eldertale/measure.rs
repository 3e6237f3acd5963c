//! What an Elder Tale session reports to the tally.

use enumset::EnumSet;
use strum::{EnumCount, IntoEnumIterator};

use super::ElderTale;
use super::cards::{Card, CardType, Class};
use super::combinations::{Cards, places};
use super::effect::Kind;
use super::event::{Cause, Event, Met};
use super::setup::{DECKS, Setup, Sheet};
use super::state::{SEATS, State};
use crate::game::Side;
use crate::games::Playable;
use crate::tally::{Condition, Fighter, Layout, Measure, Moment, Origin, Record, Unit};

/// Moments whose orders are observed, in the order of [`MEANINGS`].
#[derive(Clone, Copy)]
enum Observed {
    Done,
    FirstBlood,
    FirstOut,
    AllIn,
}

const MEANINGS: [(&str, Origin, &str); 4] = [
    ("done", Origin::Observed, "what one \"done\" set off, in the order of operations"),
    (
        "first blood",
        Origin::Observed,
        "the side that is the first to cost another one hit points by a hit or Thorns",
    ),
    (
        "first out",
        Origin::Observed,
        "the side that is the first to go out, where more than two fight",
    ),
    (
        "all in",
        Origin::Observed,
        "the level of the Memory, and the drop in HP beyond 0 that disabled its owner",
    ),
];

/// Steps of the order of operations, which are order items that follow the sides.
#[derive(Clone, Copy)]
enum Step {
    Effects,
    Utility,
    Defense,
    Incoming,
    Out,
    Outgoing,
}

const STEPS: [&str; 6] =
    ["effects act", "utility", "defense", "incoming attacks", "out", "outgoing attacks"];

/// The highest drop beyond 0 HP that has an order item of its own.
const DROPS: u16 = 20;

impl Step {
    /// Notes that this step has begun, unless it is noted already.
    #[inline]
    fn note(self, record: &mut Record) {
        record.sequence.push_new(SEATS as u16 + self as u16);
    }
}

/// The order item of a Memory of this level; levels count from 1.
fn level_item(level: u8) -> u16 {
    (SEATS + STEPS.len()) as u16 + DROPS + u16::from(level)
}

/// The order item of this drop beyond 0 HP; drops count from 1.
fn drop_item(drop: u16) -> u16 {
    (SEATS + STEPS.len()) as u16 + drop.min(DROPS + 1) - 1
}

fn order_items(setup: &Setup) -> Vec<String> {
    let sides = (0..SEATS as u8).map(|side| Side(side).to_string());
    let drops = (1..=DROPS).map(|drop| format!("drop {drop}"));
    let highest = setup.sheets.iter().filter_map(|sheet| Some(sheet.wager?.level)).max();
    let levels = (1..=highest.unwrap_or(0)).map(|level| format!("Memory {level}"));
    sides
        .chain(STEPS.map(str::to_owned))
        .chain(drops)
        .chain([format!("after drop {DROPS}")])
        .chain(levels)
        .collect()
}

/// A side's slots in the record's scratch for damage dealt: its cards by place, the effects it bears by kind, then
/// the character itself.
const EFFECT_SLOTS: usize = DECKS;
const OWN_SLOT: usize = EFFECT_SLOTS + Kind::COUNT;
const SLOTS: usize = OWN_SLOT + 1;

/// A side's slots in the record's scratch for damage taken: the character itself, then the places of the cards it
/// has played as bits, 32 in each of two slots, then the kinds of effects that have started on it as bits.
const PLAYED: usize = 1;
const STARTED: usize = PLAYED + DECKS.div_ceil(PLACES_A_SLOT);
const TAKEN_SLOTS: usize = STARTED + 1;
const PLACES_A_SLOT: usize = u32::BITS as usize;

fn card_slot(side: Side, place: usize) -> usize {
    SLOTS * side.index() + place
}

fn effect_slot(side: Side, kind: Kind) -> usize {
    SLOTS * side.index() + EFFECT_SLOTS + kind as usize
}

fn own_slot(side: Side) -> usize {
    SLOTS * side.index() + OWN_SLOT
}

fn taken_slot(side: Side) -> usize {
    TAKEN_SLOTS * side.index()
}

/// Where each sort of unit begins in the layout's units: cards first, then characters, classes, effects.
struct Units {
    characters: u16,
    classes: u16,
    effects: u16,
}

impl Units {
    fn of(setup: &Setup) -> Self {
        let characters = setup.cards.len() as u16;
        let classes = characters + setup.sheets.len() as u16;
        Self { characters, classes, effects: classes + Class::COUNT as u16 }
    }
}

fn units(setup: &Setup) -> Vec<Unit> {
    let card = |card: &Card| Unit {
        name: card.title.clone(),
        kind: card.kind.of_unit(),
        group: card.class_label(),
    };
    let character = |sheet: &Sheet| Unit {
        name: sheet.name.clone(),
        kind: "character",
        group: sheet.class_label(),
    };
    let named =
        |name: &str, kind: &'static str| Unit { name: name.to_owned(), kind, group: String::new() };
    let cards = setup.cards.iter().map(card);
    cards
        .chain(setup.sheets.iter().map(character))
        .chain(Class::iter().map(|class| named(class.into(), "class")))
        .chain(Kind::iter().map(|kind| named(kind.name(), "borne effect")))
        .collect()
}

/// The names of the metrics, in the layout's order: the first metric of every side, the second of every side, ...
fn metrics(setup: &Setup) -> Vec<String> {
    let mut names = vec!["energy used", "energy left"];
    if setup.sheets.iter().any(|sheet| sheet.wager.is_some()) {
        names.push("drops beyond 0 HP");
    }
    let of_sides = |name| (0..setup.sides as u8).map(move |side| format!("{name} {}", Side(side)));
    names.into_iter().flat_map(of_sides).collect()
}

impl Measure for ElderTale {
    fn layout(setup: &Setup) -> Layout {
        let always = Condition { label: String::new(), factors: Vec::new(), probability: 1.0 };
        Layout {
            matchups: setup.matchup_labels(),
            conditions: vec![always],
            factors: Vec::new(),
            factor_noun: "condition",
            neutral: None,
            brackets: Vec::new(),
            bracket_noun: "",
            units: units(setup),
            moments: MEANINGS.map(Moment::of).into(),
            forcible: vec![setup.forcible()],
            order_items: order_items(setup),
            are_counts: vec![true; metrics(setup).len()],
            metrics: metrics(setup),
            facts: Vec::new(),
            units_are_brought: <Self as Playable>::FIGHTERS_ARE_BROUGHT,
            units_are_drawn: false,
            longest: u32::from(setup.last_round) * setup.sides as u32,
            round_noun: "turn",
            sides: setup.sides,
            deciders: setup.deciders(),
        }
    }

    #[inline(always)]
    fn note(setup: &Setup, state: &State, event: Event, record: &mut Record) {
        match event {
            Event::Begins => {
                record.dealt.resize(SLOTS * setup.sides, 0);
                record.taken.resize(TAKEN_SLOTS * setup.sides, 0);
            }
            Event::Plays { who, play } => {
                let place = usize::from(play.place);
                let played = taken_slot(who) + PLAYED + place / PLACES_A_SLOT;
                record.taken[played] |= 1 << (place % PLACES_A_SLOT);
            }
            Event::Starts { who, effect } => {
                record.taken[taken_slot(who) + STARTED] |= EnumSet::only(effect.kind).as_u32();
            }
            // What cards do "on play" belongs to no step.
            Event::Done(_) => record.sequence.clear(),
            Event::Activates { play, .. } => match setup.brief(play.card).kind {
                CardType::Utility => Step::Utility.note(record),
                CardType::Defense | CardType::Attack => Step::Defense.note(record),
            },
            Event::Guards { who, guard, through: Some(kind), .. } => {
                record.dealt[effect_slot(who, kind)] += u32::from(guard);
                if record.sequence.is_empty() {
                    Step::Effects.note(record);
                }
            }
            Event::Heals { who, amount, through, .. } => {
                record.dealt[effect_slot(who, through)] += u32::from(amount);
                if record.sequence.is_empty() {
                    Step::Effects.note(record);
                }
            }
            Event::Lands { .. } => Step::Incoming.note(record),
            Event::Hit { on, attack, power, raised, met } => {
                let lost = |power: u8, met: Option<Met>| {
                    u32::from(power.saturating_sub(met.map_or(0, Met::power)))
                };
                let now = lost(power, met);
                // No effect changes most hits.
                if raised > 0 {
                    record.dealt[effect_slot(attack.by, Kind::Power)] +=
                        now - lost(power - raised, met);
                }
                if let Some(met) = met {
                    if met.lifted > 0 {
                        let unlifted = lost(power, Some(Met { lifted: 0, ..met }));
                        record.dealt[effect_slot(on, Kind::GuardUp)] += unlifted - now;
                    }
                    if met.lowered > 0 {
                        let unlowered = lost(power, Some(Met { lowered: 0, ..met }));
                        record.dealt[effect_slot(on, Kind::GuardDown)] += now - unlowered;
                    }
                }
            }
            Event::Loses { who, amount, cause } => note_loss(who, amount, cause, record),
            Event::Disabled(who) => {
                let level = setup.sheet(state, who).wager.map_or(0, |wager| wager.level);
                let drop = drop_item(state.at(who).drops);
                record.order(Observed::AllIn as u16, [level_item(level), drop]);
            }
            Event::Out(who) => {
                if setup.sides > 2 && state.standing.len() == setup.sides - 1 {
                    record.order(Observed::FirstOut as u16, [u16::from(who.0)]);
                }
                // Whoever goes out did so in some step; with none noted, this "done" is recorded already.
                if record.sequence.is_empty() {
                    return;
                }
                Step::Out.note(record);
                if who == state.active || state.standing.len() < 2 {
                    record.order_of_sequence(Observed::Done as u16, 1);
                }
            }
            Event::Queues { .. } => Step::Outgoing.note(record),
            Event::TurnEnds(_) => record.order_of_sequence(Observed::Done as u16, 1),
            Event::Turn(_)
            | Event::PutsMemoryDown(_)
            | Event::Guards { through: None, .. }
            | Event::Ends { .. }
            | Event::Lost { .. }
            | Event::DurationsFall(_)
            | Event::DurationsFell(_)
            | Event::LostOn { .. }
            | Event::LostWith { .. }
            | Event::GoesAllIn(_)
            | Event::HoldsOn(_)
            | Event::Deals { .. } => {}
        }
    }

    fn metrics(setup: &Setup, state: &State, metrics: &mut [i64]) {
        let sides = setup.sides;
        for side in (0..sides as u8).map(Side) {
            let character = state.at(side);
            let of_side = [character.energy_used, character.energy_left, character.drops];
            for (metric, value) in of_side.into_iter().enumerate() {
                // Drops have a metric only where some character brings a Memory.
                if let Some(place) = metrics.get_mut(metric * sides + side.index()) {
                    *place = i64::from(value);
                }
            }
        }
    }

    fn fighters(setup: &Setup, state: &State, record: &mut Record) {
        let units = Units::of(setup);
        for side in (0..setup.sides as u8).map(Side) {
            let character = state.at(side);
            let sheet = setup.sheet(state, side);
            let scratch = |of: &[u32], slot: usize| of.get(slot).copied().unwrap_or(0);
            // Empty where no record was kept during the session.
            let taken = |slot: usize| scratch(&record.taken, taken_slot(side) + slot);
            let played = u64::from(taken(PLAYED)) | u64::from(taken(PLAYED + 1)) << PLACES_A_SLOT;
            let started = EnumSet::<Kind>::from_u32_truncated(taken(STARTED));
            let whole = Fighter {
                unit: units.characters + character.sheet,
                level: 1,
                side,
                survived: state.standing.has(side),
                dealt: scratch(&record.dealt, own_slot(side)),
                taken: taken(0),
            };
            record.fighters.push(whole);
            for (at, &class) in sheet.classes.iter().enumerate() {
                if !sheet.classes[..at].contains(&class) {
                    let unit = units.classes + class as u16;
                    record.fighters.push(Fighter { unit, level: 0, ..whole });
                }
            }
            note_cards(setup, state, side, played, record);
            for kind in started {
                record.fighters.push(Fighter {
                    unit: units.effects + kind as u16,
                    level: 0,
                    side,
                    survived: character.effects.has(kind),
                    dealt: record.dealt[effect_slot(side, kind)],
                    taken: 0,
                });
            }
        }
    }

    fn forget(setup: &Setup, state: &mut State) {
        for side in (0..setup.sides as u8).map(Side) {
            let is_out = !state.standing.has(side);
            let character = state.at_mut(side);
            character.energy_used = 0;
            character.energy_left = 0;
            // All later drops share one order item.
            character.drops = character.drops.min(DROPS + 1);
            if is_out {
                character.hp = 0;
                character.used_up = 0;
            }
        }
    }

    fn lasting(_: &Setup) -> usize {
        0
    }
}

/// Records a loss of hit points, and credits it to the card, the Thorns or the Poison that caused it. Poison does not
/// tell whose it was, so that no character is credited with what it takes.
#[inline]
fn note_loss(who: Side, amount: u16, cause: Cause, record: &mut Record) {
    let amount = u32::from(amount);
    record.taken[taken_slot(who)] += amount;
    let (by, slot) = match cause {
        Cause::Hit { by, place } => (by, card_slot(by, usize::from(place))),
        Cause::Thorns(of) => (of, effect_slot(of, Kind::Thorns)),
        Cause::Poison => {
            record.dealt[effect_slot(who, Kind::Poison)] += amount;
            return Step::Effects.note(record);
        }
    };
    record.order_once(Observed::FirstBlood as u16, [u16::from(by.0)]);
    record.dealt[slot] += amount;
    record.dealt[own_slot(by)] += amount;
}

/// Records a fighter for each card that a side has played; copies of a card count as one.
fn note_cards(setup: &Setup, state: &State, side: Side, played: Cards, record: &mut Record) {
    let deck = &setup.sheet(state, side).deck;
    let used_up = state.at(side).used_up;
    let mut last = None;
    for place in places(played) {
        let unit = deck.card(place);
        let dealt = record.dealt[card_slot(side, place)];
        let left = used_up >> place & 1 == 0;
        if last == Some(unit) {
            let fighter = record.fighters.last_mut().expect("its first copy");
            fighter.dealt += dealt;
            fighter.survived |= left;
        } else {
            let (level, survived) = (0, left);
            record.fighters.push(Fighter { unit, level, side, survived, dealt, taken: 0 });
        }
        last = Some(unit);
    }
}
