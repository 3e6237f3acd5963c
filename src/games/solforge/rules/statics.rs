//! The numbers of creatures while statics hold ("Static and Stat-Altering Effects"). Statics act from the leftmost lane
//! to the rightmost (SF-40, SF-41), and what they add is never stored: a static whose creature leaves its lane stops
//! counting (SF-44).

use crate::game::Side;
use crate::games::solforge::ability::{Number, Static};
use crate::games::solforge::cards::vocabulary::StaticWho;
use crate::games::solforge::setup::Cards;
use crate::games::solforge::state::{CENTER, Form, LANES, Spaces, State};

/// A creature's attack as it is now, however it came about (SF-40, SF-41, SF-42).
#[inline]
#[must_use]
pub fn attack(cards: &Cards, state: &State, side: Side, lane: u8) -> i16 {
    if is_own(state, Number::Attack, side) {
        return state.at(side, lane).attack;
    }
    attack_with_statics(cards, state, side, lane)
}

#[inline(never)]
fn attack_with_statics(cards: &Cards, state: &State, side: Side, lane: u8) -> i16 {
    let mut attack = state.at(side, lane).attack;
    for_each_from(cards, state, Number::Attack, side, lane, |of, source| {
        attack = attack.saturating_add(of.attack);
        if of.attack_is_health {
            // Health that creatures further to the right lend comes later.
            attack = health_up_to(cards, state, side, lane, source);
        }
        if of.plus_life {
            attack = attack.saturating_add(state.player(side).life);
        }
    });
    attack
}

/// A creature's health as it is now. With 0 or less it dies at the next death check ("Static and Stat-Altering
/// Effects"; SF-42; decision 11).
#[inline]
#[must_use]
pub fn health(cards: &Cards, state: &State, side: Side, lane: u8) -> i16 {
    if is_own(state, Number::Health, side) {
        let creature = state.at(side, lane);
        return creature.health.saturating_sub(creature.damage);
    }
    health_up_to(cards, state, side, lane, u8::MAX)
}

/// Whether no static changes a number of a side's creatures, so that it can be read off them directly, as is mostly so.
#[inline]
fn is_own(state: &State, number: Number, side: Side) -> bool {
    state.statics[number as usize].of(side).is_empty()
}

/// A creature's health with only the statics of the creatures up to the lane `last`.
#[inline(never)]
fn health_up_to(cards: &Cards, state: &State, side: Side, lane: u8, last: u8) -> i16 {
    let creature = state.at(side, lane);
    let mut health = creature.health.saturating_sub(creature.damage);
    for_each_from(cards, state, Number::Health, side, lane, |of, source| {
        if source > last {
            return;
        }
        health = health.saturating_add(of.health);
        if of.plus_life {
            health = health.saturating_add(state.player(side).life);
        }
    });
    health
}

/// Whether a static on the field changes health, so that a creature's health can change without anything happening to
/// it.
#[inline]
pub(in crate::games::solforge) fn lend_health(state: &State) -> bool {
    !state.statics[Number::Health as usize].is_empty()
}

/// A creature's armor, used or not (SF-33).
#[inline]
#[must_use]
pub fn armor(cards: &Cards, state: &State, side: Side, lane: u8) -> i16 {
    let mut armor = state.at(side, lane).armor;
    if is_own(state, Number::Armor, side) {
        return armor;
    }
    for_each(cards, state, Number::Armor, side, lane, |of| armor = armor.saturating_add(of.armor));
    armor
}

/// How much a creature heals at the start of each turn (SF-35).
#[inline]
#[must_use]
pub fn regenerate(cards: &Cards, state: &State, side: Side, lane: u8) -> i16 {
    let mut regenerate = state.at(side, lane).regenerate;
    if is_own(state, Number::Regenerate, side) {
        return regenerate;
    }
    for_each(cards, state, Number::Regenerate, side, lane, |of| {
        regenerate = regenerate.saturating_add(of.regenerate);
    });
    regenerate
}

/// How many battles beyond the first a creature has in a turn ("Extra Battles", SF-50).
#[inline]
#[must_use]
pub fn extra_battles(cards: &Cards, state: &State, side: Side, lane: u8) -> i16 {
    let mut battles = state.at(side, lane).battles;
    if is_own(state, Number::Battles, side) {
        return battles;
    }
    for_each(cards, state, Number::Battles, side, lane, |of| {
        battles = battles.saturating_add(of.battles);
    });
    battles
}

/// A player's armor, used or not ("Mechanics of Battle"; SF-47, SF-48).
#[inline]
#[must_use]
pub fn player_armor(cards: &Cards, state: &State, side: Side) -> i16 {
    let mut armor = state.player(side).armor;
    for (_, lane) in state.statics[Number::PlayerArmor as usize].of(side) {
        for of in of(cards, state, side, lane) {
            if of.who == StaticWho::You && holds_at(of, lane) {
                armor = armor.saturating_add(of.armor);
            }
        }
    }
    armor
}

/// Calls `act` with every static that changes a number of a creature, leftmost source first ("Static and Stat-Altering
/// Effects"; SF-40, SF-41, SF-44).
#[inline(never)]
fn for_each(
    cards: &Cards,
    state: &State,
    number: Number,
    side: Side,
    lane: u8,
    mut act: impl FnMut(&Static),
) {
    for_each_from(cards, state, number, side, lane, |of, _| act(of));
}

/// Calls `act` with every static that changes a number of a creature, as [`for_each`] does, and with the lane of its
/// source.
#[inline]
fn for_each_from(
    cards: &Cards,
    state: &State,
    number: Number,
    side: Side,
    lane: u8,
    mut act: impl FnMut(&Static, u8),
) {
    for (_, source) in state.statics[number as usize].of(side) {
        for of in of(cards, state, side, source) {
            if is_meant(of, source, lane) && holds_at(of, source) {
                act(of, source);
            }
        }
    }
}

/// Whether a static of a creature in the lane `source` is about the creature in a lane of its side.
#[inline(always)]
fn is_meant(of: &Static, source: u8, lane: u8) -> bool {
    match of.who {
        StaticWho::Itself => source == lane,
        StaticWho::Adjacent => source.abs_diff(lane) == 1,
        StaticWho::Others => source != lane,
        StaticWho::Friends => true,
        StaticWho::You => false,
    }
}

/// For each lane of a side, which statics of a card are about a creature there while the card's creature is in the lane
/// `source`: a bit for each static. The last entry is about the player.
#[must_use]
pub fn reach(cards: &Cards, form: Form, source: u8) -> [u32; LANES + 1] {
    let range = &cards.form(form).statics;
    let all = &cards.statics[usize::from(range.start)..usize::from(range.end)];
    let mut reach = [0; LANES + 1];
    for (at, of) in all.iter().enumerate().filter(|(_, of)| holds_at(of, source)) {
        for (lane, bits) in (0..LANES as u8).zip(&mut reach) {
            *bits |= u32::from(is_meant(of, source, lane)) << at;
        }
        reach[LANES] |= u32::from(of.who == StaticWho::You) << at;
    }
    reach
}

/// The lanes of the creatures, except for the one in `lane`, whose statics are about a number of the creature there, or
/// of the player for None.
#[cold]
#[must_use]
pub fn lenders(
    cards: &Cards,
    state: &State,
    number: Number,
    side: Side,
    lane: Option<u8>,
) -> Vec<u8> {
    let lends = |source: u8| {
        of(cards, state, side, source).iter().any(|of| {
            of.touches().contains(number)
                && holds_at(of, source)
                && lane.is_none_or(|lane| is_meant(of, source, lane))
        })
    };
    let sources = state.statics[number as usize].of(side).map(|(_, source)| source);
    sources.filter(|&source| Some(source) != lane && lends(source)).collect()
}

/// The lanes of the creatures of a side to whose numbers its player's life is added.
#[cold]
#[must_use]
pub fn living_on(cards: &Cards, state: &State, side: Side) -> Vec<u8> {
    let lives_on = |lane: u8| {
        let mut sources = state.statics[Number::Attack as usize].of(side);
        sources.any(|(_, source)| {
            of(cards, state, side, source)
                .iter()
                .any(|of| of.plus_life && is_meant(of, source, lane) && holds_at(of, source))
        })
    };
    state.standing.of(side).map(|(_, lane)| lane).filter(|&lane| lives_on(lane)).collect()
}

#[inline(always)]
fn holds_at(of: &Static, lane: u8) -> bool {
    of.in_center.is_none_or(|center| center == (lane == CENTER))
}

#[inline(always)]
fn of<'c>(cards: &'c Cards, state: &State, side: Side, lane: u8) -> &'c [Static] {
    let range = &cards.form(state.at(side, lane).form).statics;
    &cards.statics[usize::from(range.start)..usize::from(range.end)]
}

/// Brings the state's sets of spaces up to date for a space, after something there has changed.
#[inline]
pub(in crate::games::solforge) fn note(cards: &Cards, state: &mut State, side: Side, lane: u8) {
    let creature = state.at(side, lane);
    let fading = creature.is_somebody() && creature.fades();
    note_fading(cards, state, side, lane, fading);
}

/// Brings the state's sets of spaces up to date for a creature that has just entered, and so has gained nothing yet
/// that ends.
#[inline]
pub(in crate::games::solforge) fn note_fresh(
    cards: &Cards,
    state: &mut State,
    side: Side,
    lane: u8,
) {
    note_fading(cards, state, side, lane, false);
}

#[inline(always)]
fn note_fading(cards: &Cards, state: &mut State, side: Side, lane: u8, fading: bool) {
    let creature = state.at(side, lane);
    let here = creature.is_somebody();
    let stands = here && !creature.destroyed;
    let granted = stands && creature.grants > 0;
    let mobile = stands && creature.mobility > 0;
    let doomed = here && (!stands || creature.killed > 0 || creature.health <= creature.damage);
    let has_abilities = stands && !creature.blank;
    let data = cards.form(creature.form);
    state.occupied.set(side, lane, here);
    state.standing.set(side, lane, stands);
    state.granted.set(side, lane, granted);
    state.mobile.set(side, lane, mobile);
    state.fading.set(side, lane, fading);
    state.doomed.set(side, lane, doomed);
    let (touches, hooks) =
        if has_abilities { (data.touches.as_u16(), data.hooks.as_u16()) } else { (0, 0) };
    Spaces::set_all(&mut state.statics, side, lane, touches);
    Spaces::set_all(&mut state.listening, side, lane, hooks);
}
