//! What is measured in a Splinterlands battle.

use strum::{EnumCount, IntoEnumIterator};

use super::Splinterlands;
use super::ability::Ability;
use super::cards::CardKind;
use super::event::{Cause, Event};
use super::forced::ForcedOrder;
use super::ruleset::Ruleset;
use super::setup::{Brings, Setup};
use super::state::{FIELD, Place, Places, State};
use crate::game::Side;
use crate::games::Playable;
use crate::tally::{FEW, Fact, Fighter, Fought, Layout, Measure, Moment, Origin, Record, Unit};

/// Moments at which an order is observed, in the order of [`MEANINGS`].
#[derive(Clone, Copy)]
pub(super) enum Observed {
    FirstTurn,
    TieForFirstTurn,
    FirstDeath,
    Earthquake,
    AfterHit,
}

const MEANINGS: [(&str, Origin, &str); 5] = [
    ("first turn", Origin::Observed, "the side that takes the first turn of the battle"),
    (
        "tie for the first turn",
        Origin::Drawn,
        "the side that a die gives the first turn, where monsters of both are tied for it",
    ),
    ("first death", Origin::Observed, "the side that loses the first monster"),
    ("earthquake", Origin::Drawn, "the side that the earthquake shakes first"),
    (
        "after a hit",
        Origin::Observed,
        "what one attack set off, in this order, where it set off at least two things",
    ),
];

/// Order items before the abilities: the sides.
const SIDES: u16 = 2;

fn item(ability: Ability) -> u16 {
    SIDES + ability as u16
}

impl Observed {
    pub(super) fn name(self) -> &'static str {
        MEANINGS[self as usize].0
    }

    fn note(self, record: &mut Record, side: Side) {
        record.order(self as u16, [u16::from(side.0)]);
    }
}

impl Measure for Splinterlands {
    fn layout(setup: &Setup) -> Layout {
        let unit = |card: &super::cards::Card| Unit {
            name: card.name.clone(),
            kind: match card.kind {
                CardKind::Monster => "monster",
                CardKind::Summoner => "summoner",
            },
            group: card.faction.to_string(),
        };
        let sides = ["A", "B"].into_iter().map(str::to_owned);
        Layout {
            matchups: setup.matchup_labels(),
            conditions: setup.condition_labels(),
            factors: rulesets_of(setup).map(|ruleset| ruleset.to_string()).collect(),
            factor_noun: "ruleset",
            neutral: Some(Ruleset::Standard as u16),
            brackets: match &setup.mana_caps[..] {
                [_] => Vec::new(),
                several => several.iter().map(ToString::to_string).collect(),
            },
            bracket_noun: "mana cap",
            units: setup.catalogue.iter().map(unit).collect(),
            units_are_brought: <Self as Playable>::FIGHTERS_ARE_BROUGHT,
            units_are_drawn: setup.contenders.iter().any(|c| matches!(c.brings, Brings::Drawn(_))),
            moments: MEANINGS.map(Moment::of).into(),
            forcible: ForcedOrder::of(setup).into_iter().map(ForcedOrder::forcible).collect(),
            order_items: sides.chain(Ability::iter().map(|ability| ability.to_string())).collect(),
            metrics: vec!["survivors_a".to_owned(), "survivors_b".to_owned()],
            are_counts: vec![true; 2],
            facts: vec![Fact {
                name: "mana_cap",
                meaning: "what a team's cards may cost together, in mana",
            }],
            longest: u32::from(super::rules::LAST_ROUND),
            round_noun: "round",
            sides: 2,
            deciders: setup.deciders(),
        }
    }

    #[inline(always)]
    fn note(_: &Setup, state: &State, event: Event, record: &mut Record) {
        match event {
            Event::Begins => {
                if state.verdict.is_none() && state.rules(Ruleset::Earthquake) {
                    Observed::Earthquake.note(record, state.shaken_first);
                }
            }
            Event::Tied(tied) if state.round == 1 && state.waiting == state.alive => {
                let [a, b] = [Side::A, Side::B].map(|side| tied.and(Places::of(side)).len() as u16);
                record.sequence.clear();
                record.sequence.extend([a, b]);
            }
            // After a death in the first turn, the next turn would look like the first.
            Event::Turn { who, .. }
                if !record.has_come(Observed::FirstTurn as u16) && state.is_first_turn(who) =>
            {
                record.order_once(Observed::FirstTurn as u16, [u16::from(who.side().0)]);
                if let Some([a, b]) = record.sequence.two()
                    && a > 0
                    && b > 0
                {
                    let moment = Observed::TieForFirstTurn as u16;
                    record.order_among(moment, a << 8 | b, [u16::from(who.side().0)]);
                }
                record.sequence.clear();
            }
            Event::Blow(blow) => {
                // Many blows miss, or end in a shield or in armor.
                if blow.to_health != 0 {
                    if let Some(by) = blow.by {
                        record.fought[by.index() % FEW].dealt += blow.to_health as u32;
                    }
                    record.fought[blow.on.index() % FEW].taken += blow.to_health as u32;
                }
                let set_off = match blow.cause {
                    Cause::Blast => Ability::Blast,
                    Cause::Thorns => Ability::Thorns,
                    Cause::MagicReflect => Ability::MagicReflect,
                    Cause::ReturnFire => Ability::ReturnFire,
                    Cause::Retaliate => Ability::Retaliate,
                    Cause::Trample => Ability::Trample,
                    Cause::Redemption => Ability::Redemption,
                    Cause::Melee
                    | Cause::Ranged
                    | Cause::Magic
                    | Cause::Earthquake
                    | Cause::Poison
                    | Cause::Fatigue => return,
                };
                record.sequence.push(item(set_off));
            }
            Event::Inflicts { ability, .. } | Event::Gains { ability, .. } => {
                record.sequence.push(item(ability));
            }
            Event::Shielded(_) => record.sequence.push(item(Ability::DivineShield)),
            Event::StandsAlone(_) => record.sequence.push(item(Ability::LastStand)),
            Event::Returns { .. } => record.sequence.push(item(Ability::Resurrect)),
            Event::AttackOver => {
                record.order_of_sequence(Observed::AfterHit as u16, 2);
            }
            Event::Dies(who) => {
                if state.fielded.without(state.alive).len() == 1 && state.resurrected == 0 {
                    Observed::FirstDeath.note(record, who.side());
                }
            }
            // Events between turns belong to no attack.
            Event::Round(_) | Event::Turn { .. } => record.sequence.clear(),
            Event::Tied(_) | Event::AurasEnd(_) => {}
            Event::Attacks { .. }
            | Event::StrikesAgain(_)
            | Event::TramplesOn(_)
            | Event::Unshaken(_)
            | Event::SkipsTurn(_)
            | Event::Recovers(_)
            | Event::Mends { .. }
            | Event::Cleanses { .. }
            | Event::Quakes(_) => {}
        }
    }

    fn metrics(_: &Setup, state: &State, metrics: &mut [i64]) {
        for side in [Side::A, Side::B] {
            metrics[side.index()] = i64::from(state.team(side).len());
        }
    }

    fn fighters(setup: &Setup, state: &State, record: &mut Record) {
        if let [mana_cap] = &mut record.facts[..] {
            *mana_cap = u64::from(state.mana_cap);
        }
        if let caps @ [_, _, ..] = &setup.mana_caps[..] {
            let drawn = caps.iter().position(|&cap| cap == state.mana_cap);
            record.bracket = drawn.unwrap_or(0) as u16;
        }
        let Record { fighters, fought, .. } = record;
        fighters.reserve(FIELD + 2);
        for side in [Side::A, Side::B] {
            let leader = state.leaders[side.index()].card;
            fighters.push(Fighter {
                unit: leader.card,
                level: leader.level,
                side,
                survived: true,
                dealt: 0,
                taken: 0,
            });
            for place in state.fielded.and(Places::of(side)) {
                let card = state.at(place).card;
                let Fought { dealt, taken } = fought[place.index() % FEW];
                fighters.push(Fighter {
                    unit: card.card,
                    level: card.level,
                    side,
                    survived: state.alive.has(place),
                    dealt,
                    taken,
                });
            }
        }
    }

    fn forget(_: &Setup, state: &mut State) {
        state.mana_cap = 0;
    }
}

impl State {
    /// Whether `who`, whose turn it is, is the first of the battle to have one.
    fn is_first_turn(&self, who: Place) -> bool {
        let mut others = self.alive;
        others.remove(who);
        self.round == 1 && self.waiting == others
    }
}

/// All rulesets of the earliest edition that has every ruleset of the setup.
fn rulesets_of(setup: &Setup) -> impl Iterator<Item = Ruleset> {
    let all = setup.conditions.iter().flat_map(|(rulesets, _)| rulesets.iter());
    let edition = all.map(Ruleset::edition).max().unwrap_or_default();
    Ruleset::iter().filter(move |ruleset| ruleset.edition() <= edition)
}

const _: () = assert!(FIELD <= FEW, "a record has room for every place");
const _: () = assert!(Ability::COUNT < 64, "an ability set is one machine word");
