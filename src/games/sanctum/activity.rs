//! Counts how often each effect of a scenario does something, so that a run can report those that never did.

use super::effect::{Effect, Harm, Lasts, Stat, Target, Verb, Weapon};
use super::event::{Choice, Event};
use super::setup::{LAST_ROUND, Setup};
use super::state::{Place, State};
use crate::numerals::counted;

/// The labels of all different effects of the minions, spells and nations in the scenario's groups, one line each,
/// in the order in which [`note`] counts them. Numbers that spells give before combat always count and are not
/// among them.
#[must_use]
pub fn labels(setup: &Setup) -> Vec<String> {
    setup.effects.iter().map(|effect| label(setup, effect)).collect()
}

/// An effect in one line: `Cockatrice: gain hand -1 at hits (foe, forever)`.
pub(super) fn label(setup: &Setup, effect: &Effect) -> String {
    let source = &setup.names[usize::from(effect.source)];
    let stat = if effect.does == Verb::Gain { format!(" {}", effect.stat) } else { String::new() };
    let amount = if effect.amount == 0 { String::new() } else { format!(" {:+}", effect.amount) };
    let details = details(effect);
    let details =
        if details.is_empty() { String::new() } else { format!(" ({})", details.join(", ")) };
    format!("{source}: {}{stat}{amount} at {}{details}", effect.does, effect.when)
}

/// The remaining properties that distinguish an effect from others, where they are not the default.
fn details(effect: &Effect) -> Vec<String> {
    let mut details = Vec::new();
    if effect.on != Target::Bearer {
        details.push(effect.on.to_string());
    }
    details.extend(effect.only.iter().map(|class| format!("only {class}")));
    details.extend(effect.weapon.map(|weapon| weapon.to_string()));
    let (first, last) = effect.rounds;
    if (first, last) != (1, u8::MAX) {
        let last = last.min(LAST_ROUND);
        let one = first == last;
        details.push(if one {
            format!("round {first}")
        } else {
            format!("rounds {first} to {last}")
        });
    }
    if effect.percent < 100 {
        details.push(format!("{}%", effect.percent));
    }
    if effect.if_marks > 0 {
        details.push(format!("if {} marks", effect.if_marks));
    }
    if effect.at_most > 0 {
        details.push(format!("at most {}", counted(effect.at_most.into(), "time")));
    }
    if effect.per_armor {
        details.push("per armor".to_owned());
    }
    match effect.lasts {
        Lasts::Round => details.push("for a round".to_owned()),
        Lasts::Combat => {}
        Lasts::Forever if effect.does == Verb::Gain && effect.stat == Stat::HitPoints => {}
        Lasts::Forever => details.push("forever".to_owned()),
    }
    match effect.harm {
        Harm::Plain => {}
        Harm::IgnoresArmor => details.push("ignores armor".to_owned()),
        Harm::Magical => details.push("magical".to_owned()),
    }
    details
}

/// Counts an event in `counts`, which has one number for each of [`labels`]: an effect on several minions counts
/// once for each minion that it changes; extra damage of an attack once for each hit; a trait where it decided
/// something, which is for `repel` a shot at somebody else and for `strike_early` an attack by hand in round 1.
pub fn note(setup: &Setup, state: &State, event: Event, counts: &mut [u64]) {
    match event {
        Event::Effect(happened) => counts[usize::from(happened.number)] += 1,
        Event::Compels { number, .. } => counts[usize::from(number)] += 1,
        Event::Attack { by, on, weapon } => note_attack(setup, state, by, on, weapon, counts),
        Event::Chooses { who, victim, how: Choice::Wisely, .. } => {
            note_avoided(setup, state, who, victim, counts);
        }
        Event::Chooses { .. }
        | Event::Begins
        | Event::Combat
        | Event::FallsAway
        | Event::Round(_)
        | Event::LeftOver(_)
        | Event::Forfeits(_)
        | Event::Misses { .. }
        | Event::Struck { .. }
        | Event::Blow(_)
        | Event::Buried { .. }
        | Event::Qualifies(_)
        | Event::CombatOver => {}
    }
}

/// Counts the certain effects of an attack that has hit (A2), which no event of their own reports.
fn note_attack(
    setup: &Setup,
    state: &State,
    by: Place,
    on: Place,
    weapon: Weapon,
    counts: &mut [u64],
) {
    let attacker = state.at(by);
    let kind = setup.kind(attacker.kind);
    let strikes_early = state.round == 1 && weapon == Weapon::Hand;
    for effect in kind.effects.iter().filter(|effect| effect.does == Verb::StrikeEarly) {
        counts[usize::from(effect.number)] += u64::from(strikes_early);
    }
    // An attack that deals nothing deals nothing, whatever is added.
    if attacker.stats.is_mute(weapon) {
        return;
    }
    let certain = |effect: &&Effect| state.is_certain_of_attack(setup, effect, weapon, on);
    let silences = |effect: &&Effect| effect.does == Verb::DealNothing;
    if let Some(effect) = kind.effects.iter().filter(certain).find(silences) {
        counts[usize::from(effect.number)] += 1;
        return;
    }
    for effect in kind.flat.iter().chain(&kind.effects).filter(certain) {
        counts[usize::from(effect.number)] += 1;
    }
}

/// Counts the enemies that a wise shooter has avoided (Choose Victims Wisely, 1).
fn note_avoided(setup: &Setup, state: &State, who: Place, victim: Place, counts: &mut [u64]) {
    let shoots = state.weapon(setup, who) == Weapon::Missile
        && setup.kind(state.at(who).kind).harm != Harm::Magical;
    if !shoots || state.repelling.has(victim) {
        return;
    }
    for enemy in state.enemies(who).and(state.repelling) {
        let effects = &setup.kind(state.at(enemy).kind).effects;
        for effect in effects.iter().filter(|effect| effect.does == Verb::Repel) {
            counts[usize::from(effect.number)] += 1;
        }
    }
}
