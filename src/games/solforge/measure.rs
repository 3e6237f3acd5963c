//! What is measured in a SolForge game.

use strum::IntoEnumIterator;

use super::SolForge;
use super::cards::vocabulary::Kind;
use super::event::{Event, Ref, Source, Target};
use super::rules::statics;
use super::setup::{Likeness, Play, Reading, Setup, active_label};
use super::state::State;
use crate::game::Side;
use crate::games::Playable;
use crate::tally::{Fighter, Layout, Measure, Moment, Origin, Record, Unit};

/// In whole games, orders of batches with more abilities than this are not counted: there are too many of them to say
/// anything about any single one. A position counts all.
const LONGEST_IN_GAMES: usize = 4;

/// The number of the moment for batches that come from a source.
const fn moment(source: Source) -> u16 {
    source as u16
}

impl Measure for SolForge {
    fn layout(setup: &Setup) -> Layout {
        let unit = |card: &super::setup::Card| Unit {
            name: card.name.clone(),
            kind: match card.kind {
                Kind::Creature => "creature",
                Kind::Spell => "spell",
            },
            group: card.faction.to_string(),
        };
        let of = |source: Source| {
            let name: &str = source.into();
            Moment {
                name: format!("when {name}"),
                meaning: match source {
                    Source::Several => {
                        "the drawn order of the abilities that creatures set off by more than one of entering, moving, \
                         dying and being damaged, batch by batch"
                    }
                    Source::Play
                    | Source::TurnStart
                    | Source::Damage
                    | Source::Deaths
                    | Source::TurnEnd
                    | Source::Activation
                    | Source::Entry
                    | Source::Motion
                    | Source::Dying
                    | Source::Harm => {
                        "the drawn order of the abilities that this set off, batch by batch"
                    }
                }
                .to_owned(),
                origin: Origin::Drawn,
                compares_like_with_like: true,
            }
        };
        // An item is a card and the side that has it: 2 x card + side.
        let item = |card: &super::setup::Card| {
            [Side::A, Side::B].map(|side| format!("{side} {}", card.name))
        };
        let (factors, noun, longest) = match &setup.play {
            Play::Position(position) => {
                let starts = if position.starts.len() > 1 { &position.starts[..] } else { &[] };
                let labels = starts.iter().map(|start| active_label(start.active)).collect();
                (labels, "step", position.steps.len() as u32)
            }
            Play::Games(games) => (Vec::new(), "turn", u32::from(games.rules.last_turn)),
        };
        Layout {
            matchups: setup.matchup_labels(),
            conditions: setup.condition_labels(),
            factors,
            factor_noun: "active side",
            neutral: None,
            brackets: Vec::new(),
            bracket_noun: "",
            units: setup.cards.cards.iter().map(unit).collect(),
            moments: Source::iter().map(of).collect(),
            forcible: setup.forcible().into_iter().collect(),
            order_items: setup.cards.cards.iter().flat_map(item).collect(),
            metrics: metric_names(setup),
            are_counts: are_counts(setup),
            facts: Vec::new(),
            units_are_brought: <Self as Playable>::FIGHTERS_ARE_BROUGHT,
            units_are_drawn: match &setup.play {
                Play::Position(_) => false,
                Play::Games(games) => games.draws_decks(),
            },
            longest,
            round_noun: noun,
            sides: 2,
            deciders: setup.deciders(),
        }
    }

    #[inline(always)]
    fn note(setup: &Setup, state: &State, event: Event, record: &mut Record) {
        match event {
            Event::Begins => {
                let units = 2 * setup.cards.cards.len();
                record.dealt.resize(units, 0);
                record.taken.resize(units, 0);
            }
            Event::Resolves { by, between_cards: true, .. } => {
                record.sequence.push(item(setup, by.form, by.side()));
            }
            Event::BatchOver(source) => {
                let in_games = matches!(setup.play, Play::Games(_));
                let too_long = in_games && record.sequence.len() > LONGEST_IN_GAMES;
                if too_long {
                    record.sequence.clear();
                }
                record.order_of_sequence(moment(source), 2);
            }
            Event::Damage { by, on, lost, .. } => {
                let taken = match on {
                    Target::Creature(on) => {
                        let taken = health_taken(setup, state, on, lost);
                        record.taken[usize::from(item(setup, on.form, on.side()))] += taken;
                        taken
                    }
                    // A player's life counts on below 0, where the one with less of it loses.
                    Target::Player(_) => lost as u32,
                };
                if let Some(by) = by {
                    record.dealt[usize::from(item(setup, by.form, by.side()))] += taken;
                }
            }
            _ => {}
        }
    }

    fn metrics(setup: &Setup, state: &State, metrics: &mut [i64]) {
        match &setup.play {
            Play::Games(_) => {
                for side in [Side::A, Side::B] {
                    metrics[side.index()] = i64::from(state.player(side).life);
                }
            }
            Play::Position(position) => {
                for (metric, (_, reading)) in metrics.iter_mut().zip(&position.results) {
                    *metric = read(setup, state, reading);
                }
            }
        }
    }

    fn fighters(setup: &Setup, state: &State, record: &mut Record) {
        for side in [Side::A, Side::B] {
            let first = record.fighters.len();
            for form in state.seen[side.index()].iter() {
                let data = setup.cards.form(form);
                let at = usize::from(data.card);
                // Forms of a card come one after another; the highest level says how far it got.
                if let Some(last) = record.fighters[first..].last_mut()
                    && usize::from(last.unit) == at
                {
                    last.level = data.level;
                    continue;
                }
                let scratch = |of: &[u32]| of.get(2 * at + side.index()).copied().unwrap_or(0);
                let stands = state.standing.of(side).any(|(side, lane)| {
                    usize::from(setup.cards.form(state.at(side, lane).form).card) == at
                });
                record.fighters.push(Fighter {
                    unit: at as u16,
                    level: data.level,
                    side,
                    survived: stands,
                    dealt: scratch(&record.dealt),
                    taken: scratch(&record.taken),
                });
            }
        }
    }

    fn forget(_: &Setup, state: &mut State) {
        state.seen = Default::default();
    }
}

fn metric_names(setup: &Setup) -> Vec<String> {
    match &setup.play {
        Play::Games(_) => vec!["life_a".to_owned(), "life_b".to_owned()],
        Play::Position(position) => position.results.iter().map(|(name, _)| name.clone()).collect(),
    }
}

/// For each metric, whether it is a count, which is never negative. A life can fall below 0, and so can attack and
/// health, because of what changes them.
fn are_counts(setup: &Setup) -> Vec<bool> {
    let is_count = |reading: &Reading| match reading {
        Reading::Hand(_) | Reading::Count(_) => true,
        Reading::Attack(..) | Reading::Health(..) | Reading::Life(_) => false,
    };
    match &setup.play {
        Play::Games(_) => vec![false; 2],
        Play::Position(position) => position.results.iter().map(|(_, of)| is_count(of)).collect(),
    }
}

/// How much health damage has just taken from a creature: not more than it had left. What goes through to its player
/// by Breakthrough is counted there.
#[inline]
fn health_taken(setup: &Setup, state: &State, on: Ref, lost: i16) -> u32 {
    let now = statics::health(&setup.cards, state, on.side(), on.lane);
    (lost + now.min(0)).max(0) as u32
}

#[inline]
fn item(setup: &Setup, form: super::state::Form, side: Side) -> u16 {
    2 * setup.cards.form(form).card + u16::from(side.0)
}

/// Reads a number off a position.
#[must_use]
pub fn read(setup: &Setup, state: &State, reading: &Reading) -> i64 {
    let cards = &setup.cards;
    let somebody = |side: Side, lane: u8| state.at(side, lane).is_somebody();
    let number = match reading {
        Reading::Attack(side, lane) if somebody(*side, *lane) => {
            statics::attack(cards, state, *side, *lane)
        }
        Reading::Health(side, lane) if somebody(*side, *lane) => {
            statics::health(cards, state, *side, *lane)
        }
        Reading::Attack(..) | Reading::Health(..) => 0,
        Reading::Life(side) => state.player(*side).life,
        Reading::Hand(side) => state.player(*side).hand.len() as i16,
        Reading::Count(likeness) => {
            let alike = |&(side, lane): &(Side, u8)| is_alike(setup, state, likeness, side, lane);
            state.standing.filter(alike).count() as i16
        }
    };
    i64::from(number)
}

fn is_alike(setup: &Setup, state: &State, likeness: &Likeness, side: Side, lane: u8) -> bool {
    let cards = &setup.cards;
    let card = cards.form(state.at(side, lane).form).card;
    likeness.side.is_none_or(|wanted| wanted == side)
        && likeness.lane.is_none_or(|wanted| wanted == lane)
        && likeness.card.is_none_or(|wanted| wanted == card)
        && likeness.attack.is_none_or(|wanted| wanted == statics::attack(cards, state, side, lane))
        && likeness.health.is_none_or(|wanted| wanted == statics::health(cards, state, side, lane))
}
