//! Writes the events of our battles as the official game would record them.

use std::borrow::Cow;

use super::{Action, MonsterState, Unit};
use crate::games::splinterlands::ability::Ability;
use crate::games::splinterlands::event::{Blow, Cause, Event};
use crate::games::splinterlands::ruleset::Ruleset;
use crate::games::splinterlands::state::{Monster, Place, State};

/// The official name of damage with this cause.
fn name_of(cause: Cause) -> &'static str {
    match cause {
        Cause::Melee | Cause::Retaliate => "melee attack",
        Cause::Ranged => "ranged attack",
        Cause::Magic => "magic attack",
        Cause::Blast => "blast",
        Cause::Thorns => "thorns",
        Cause::MagicReflect => "reflect",
        Cause::ReturnFire => "return fire",
        Cause::Trample => "trample",
        Cause::Redemption => "redemption",
        Cause::Earthquake => "earthquake",
        Cause::Poison => "poison",
        Cause::Fatigue => "fatigue",
    }
}

/// The name under which a return by Resurrect would be recorded. No record that we know has one, so it is compared only
/// where the record has it.
pub(super) const RESURRECT: &str = "resurrect";

/// The official action for an event; None where the official game records nothing.
pub(super) fn action(state: &State, event: Event) -> Option<Action> {
    let act = |kind: &'static str, by: Option<Place>, on: Place| Action {
        initiator: by.map(Unit::Monster),
        target: Some(Unit::Monster(on)),
        state: Some(shape(state.at(on))),
        ..Action::of(Cow::Borrowed(kind))
    };
    let given = |action: Action, amount: i8| Action { damage: Some(amount.into()), ..action };
    match event {
        Event::Blow(blow) => Some(attack(state, blow, act(name_of(blow.cause), blow.by, blow.on))),
        Event::Mends { by, on, ability, amount } => {
            let kind = if ability == Ability::Repair { "repair" } else { "heal" };
            Some(given(act(kind, by, on), amount))
        }
        Event::Gains { who, ability, amount } => {
            let kind = if ability == Ability::LifeLeech { "life leech" } else { "scavenge" };
            Some(given(act(kind, None, who), amount))
        }
        Event::Cleanses { by, on, .. } => Some(act("cleanse", by, on)),
        Event::Dies(who) => Some(Action { state: None, ..act("death", None, who) }),
        Event::StandsAlone(who) => Some(act("last stand", None, who)),
        Event::Returns { who, by } => Some(act(RESURRECT, by, who)),
        Event::Begins
        | Event::Round(_)
        | Event::Tied(_)
        | Event::Turn { .. }
        | Event::SkipsTurn(_)
        | Event::Attacks { .. }
        | Event::StrikesAgain(_)
        | Event::TramplesOn(_)
        | Event::Unshaken(_)
        | Event::AttackOver
        | Event::Inflicts { .. }
        | Event::Recovers(_)
        | Event::Shielded(_)
        | Event::AurasEnd(_)
        | Event::Quakes(_) => None,
    }
}

fn attack(state: &State, blow: Blow, action: Action) -> Action {
    let Blow { cause, by, on, percent, hit, force, .. } = blow;
    let can_miss =
        matches!(cause, Cause::Melee | Cause::Ranged | Cause::Retaliate | Cause::Trample);
    // Where every attack hits, the official game records the chance that it would have had.
    let is_sure = state.rules(Ruleset::AimTrue)
        || by.is_some_and(|by| {
            let by = state.at(by);
            by.has(Ability::TrueStrike) || by.has(Ability::Snare) && state.at(on).flies()
        });
    Action {
        result: Some(Cow::Borrowed(if hit { "hit" } else { "miss" })),
        hit_chance: (can_miss && !is_sure).then_some(f64::from(percent) / 100.0),
        damage: Some(if hit { force.into() } else { 0 }),
        ..action
    }
}

/// A monster's state in the form of the records.
pub(super) fn shape(monster: &Monster) -> MonsterState {
    let now = &monster.now;
    MonsterState {
        alive: now.health > 0,
        stats: [now.melee, now.ranged, now.magic, now.armor, now.health, now.speed],
        base_health: monster.max_health,
    }
}
