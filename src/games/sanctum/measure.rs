//! What a Sanctum combat phase reports to the tally.

use super::Sanctum;
use super::event::{Choice, Event};
use super::setup::Setup;
use super::state::{GROUP, GROUPS, Place, Precedence, State};
use crate::game::Side;
use crate::games::Playable;
use crate::tally::{Fighter, Layout, Measure, Moment, Origin, Record};

/// Moments whose orders are observed, in the order of [`MEANINGS`].
#[derive(Clone, Copy)]
enum Observed {
    FirstDeath,
    Pairing,
    LeftOver,
    WiseChoice,
    ExtraAttack,
    Combats,
}

const MEANINGS: [(&str, Origin, &str); 6] = [
    ("first death", Origin::Observed, "the side that loses the first minion"),
    (
        "pairing",
        Origin::Drawn,
        "two bashers that pair up in round 2, the one of the earlier side first",
    ),
    (
        "left over",
        Origin::Drawn,
        "a basher for whom round 2 has no opponent of its own to pair up with",
    ),
    (
        "wise choice",
        Origin::Observed,
        "a shooter that chooses wisely in round 1, or a basher in round 2, then whom it chooses",
    ),
    (
        "extra attack",
        Origin::Observed,
        "who attacks more than once in rounds 1 and 2, then on whom a further attack falls",
    ),
    (
        "combats",
        Origin::Ending,
        "the combats of the phase in the order in which they were fought, and how each ended",
    ),
];

/// The number of sides. The order items are the sides, then the units, then on a map the ways in which a combat
/// between any two groups can end.
const SIDES: u16 = 3;
/// The number of ways in which a combat can end.
const ENDINGS: usize = 4;

impl Setup {
    fn unit_item(&self, state: &State, place: Place) -> u16 {
        SIDES + self.kind(state.at(place).kind).unit
    }

    fn ending_item(&self, state: &State) -> u16 {
        let [high, low] = state.fighting.map(usize::from);
        let [high_stands, low_stands] = Precedence::BOTH.map(|of| !state.group(of).is_empty());
        let ending = usize::from(high_stands) << 1 | usize::from(low_stands);
        let pair = high * state.groups.len() + low;
        SIDES + (self.units().len() + pair * ENDINGS + ending) as u16
    }

    fn order_items(&self) -> Vec<String> {
        let sides = (0..SIDES as u8).map(|side| Side(side).to_string());
        let units = self.units().iter().map(|unit| unit.name.clone());
        let mut items: Vec<String> = sides.chain(units).collect();
        if self.board().is_some() {
            let names: Vec<&str> = self.group_names().collect();
            for high in &names {
                for low in &names {
                    items.extend([
                        format!("{high} and {low} both fall"),
                        format!("{low} beats {high}"),
                        format!("{high} beats {low}"),
                        format!("{high} and {low} both stand"),
                    ]);
                }
            }
        }
        items
    }

    fn side_of(&self, state: &State, place: Place) -> Side {
        self.side(state.stratum, state.home(place).0)
    }
}

fn note_two(
    observed: Observed,
    setup: &Setup,
    state: &State,
    two: [Place; 2],
    record: &mut Record,
) {
    let bashers = state.present.without(state.shooters).0;
    let among = if matches!(observed, Observed::Pairing) { bashers } else { 0 };
    record.order_among(observed as u16, among, two.map(|place| setup.unit_item(state, place)));
}

fn note_choice(
    setup: &Setup,
    state: &State,
    who: Place,
    victim: Place,
    how: Choice,
    record: &mut Record,
) {
    match how {
        Choice::PairsUp if state.round == 2 => {
            let mut two = [who, victim];
            two.sort_by_key(|&place| setup.side_of(state, place));
            note_two(Observed::Pairing, setup, state, two, record);
        }
        // Shooters choose first in round 1, bashers in round 2.
        Choice::Wisely if state.round <= 2 && state.shooters.has(who) == (state.round == 1) => {
            note_two(Observed::WiseChoice, setup, state, [who, victim], record);
        }
        Choice::AtRandom if state.round <= 2 => {
            note_two(Observed::ExtraAttack, setup, state, [who, victim], record);
        }
        Choice::PairsUp | Choice::Must | Choice::Wisely | Choice::Retaliates | Choice::AtRandom => {
        }
    }
}

impl Measure for Sanctum {
    fn layout(setup: &Setup) -> Layout {
        let sides = ["a", "b", "c"];
        let per_side = |what: &str| {
            sides[..setup.sides].iter().map(|side| format!("{what}_{side}")).collect::<Vec<_>>()
        };
        Layout {
            matchups: setup.matchup_labels(),
            conditions: setup.condition_labels(),
            factors: setup.factors(),
            factor_noun: if setup.board().is_some() { "initiative" } else { "precedence" },
            neutral: None,
            brackets: Vec::new(),
            bracket_noun: "",
            units: setup.units().to_vec(),
            moments: MEANINGS.map(Moment::of).into(),
            forcible: vec![setup.forcible()],
            order_items: setup.order_items(),
            metrics: [per_side("survivors"), per_side("overkill")].concat(),
            are_counts: vec![true; 2 * setup.sides],
            facts: Vec::new(),
            units_are_brought: <Self as Playable>::FIGHTERS_ARE_BROUGHT,
            units_are_drawn: false,
            longest: setup.longest(),
            round_noun: "round",
            sides: setup.sides,
            // Minions choose by the rules: no policy decides for them.
            deciders: Vec::new(),
        }
    }

    #[inline(always)]
    fn note(setup: &Setup, state: &State, event: Event, record: &mut Record) {
        match event {
            Event::Begins => {
                record.dealt.resize(GROUPS * GROUP, 0);
                record.taken.resize(GROUPS * GROUP, 0);
            }
            Event::CombatOver if setup.board().is_some() => {
                record.sequence.push(setup.ending_item(state));
            }
            // Nobody deals damage to itself: neither number counts it.
            Event::Blow(blow) if blow.by == Some(blow.on) => {}
            Event::Blow(blow) => {
                if let Some(by) = blow.by {
                    record.dealt[state.number(by)] += blow.to_hit_points as u32;
                }
                record.taken[state.number(blow.on)] += blow.to_hit_points as u32;
            }
            Event::Buried { who, .. } if state.buried == 1 => {
                let side = setup.side_of(state, who);
                record.order(Observed::FirstDeath as u16, [u16::from(side.0)]);
            }
            Event::Chooses { who, victim, how, .. } => {
                note_choice(setup, state, who, victim, how, record);
            }
            Event::LeftOver(who) if state.round == 2 => {
                let bashers = state.present.without(state.shooters).0;
                let left = setup.unit_item(state, who);
                record.order_among(Observed::LeftOver as u16, bashers, [left]);
            }
            Event::Combat
            | Event::Round(_)
            | Event::LeftOver(_)
            | Event::Forfeits(_)
            | Event::Misses { .. }
            | Event::Attack { .. }
            | Event::Struck { .. }
            | Event::Effect(_)
            | Event::Compels { .. }
            | Event::Buried { .. }
            | Event::Qualifies(_)
            | Event::FallsAway
            | Event::CombatOver => {}
        }
    }

    fn metrics(setup: &Setup, state: &State, metrics: &mut [i64]) {
        let (survivors, overkill) = metrics.split_at_mut(setup.sides);
        survivors.fill(0);
        for (at, group) in state.groups.iter().enumerate() {
            let side = setup.side(state.stratum, at).index();
            survivors[side] += i64::from(group.alive().count_ones());
        }
        for (metric, &damage) in overkill.iter_mut().zip(&state.overkill) {
            *metric = i64::from(damage);
        }
    }

    fn fighters(setup: &Setup, state: &State, record: &mut Record) {
        // Only now is it known that no further combat follows.
        record.order_of_sequence(Observed::Combats as u16, 1);
        for side in (0..setup.sides).map(|side| Side(side as u8)) {
            for (at, group) in state.groups.iter().enumerate() {
                if setup.side(state.stratum, at) != side {
                    continue;
                }
                let alive = group.alive();
                let size = setup.group_size(state.stratum, at);
                for (nth, minion) in group.minions[..size].iter().enumerate() {
                    let scratch = |of: &[u32]| of.get(at * GROUP + nth).copied().unwrap_or(0);
                    record.fighters.push(Fighter {
                        unit: setup.kind(minion.kind).unit,
                        level: minion.stats.level,
                        side,
                        survived: alive >> nth & 1 == 1,
                        dealt: scratch(&record.dealt),
                        taken: scratch(&record.taken),
                    });
                }
            }
        }
    }

    fn forget(_: &Setup, state: &mut State) {
        state.overkill = [0; 3];
        // Only the first burial is part of an order.
        state.buried = state.buried.min(1);
        let kept = state.groups.iter_mut().flat_map(|group| &mut group.minions);
        kept.for_each(|minion| minion.qualified = false);
        state.field.iter_mut().for_each(|minion| minion.qualified = false);
    }

    fn lasting(setup: &Setup) -> usize {
        setup.sides
    }
}
