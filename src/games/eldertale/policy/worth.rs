//! The worth of a card to a `greedy` player, in hit points.

use arrayvec::ArrayVec;
use strum::EnumCount;

use crate::game::Side;
use crate::games::eldertale::cards::{Applies, Bearer, Card, CardType};
use crate::games::eldertale::effect::{Effect, Kind};
use crate::games::eldertale::setup::Setup;
use crate::games::eldertale::state::State;

/// The assumed number of hits that an effect affects in a round.
const HITS_A_ROUND: u32 = 2;
/// The assumed worth of a card in hand.
const CARD: u32 = 2;
/// The assumed duration, in rounds, of an effect without a round duration.
const ROUNDS: u32 = 3;
/// The maximum number of hits in a queue that are looked at.
const FORESEEN: usize = 32;

/// What a player expects in its turn: the hits that will land on it, and the effects of the cards chosen so far.
pub(super) struct Prospects {
    /// The damage of each hit in the queue that meets no defense hit so far, first to last.
    unmet: ArrayVec<u8, FORESEEN>,
    /// What Guard Up and Guard Down add to the guard of each defense hit.
    guard_change: i16,
    /// The highest intensity of each kind of effect that the cards chosen this turn apply, by bearer: the player
    /// itself, then its target.
    applied: [[u8; Kind::COUNT]; 2],
}

impl Prospects {
    /// The prospects at the start of a turn: the queue (ET-08), less the hits met by the defense that the player's
    /// effects will put up.
    pub(super) fn of(setup: &Setup, state: &State, who: Side) -> Self {
        let player = state.at(who);
        let mut unmet = ArrayVec::new();
        for attack in &player.queue {
            let power = state.at(attack.by).effects.intensity(Kind::Power);
            let damage = setup.card(attack.card).damage + power;
            for _ in 0..attack.hits {
                let _ = unmet.try_push(damage);
            }
        }
        let intensity = |kind| i16::from(player.effects.intensity(kind));
        let guard_change = intensity(Kind::GuardUp) - intensity(Kind::GuardDown);
        let mut prospects = Self { unmet, guard_change, applied: [[0; Kind::COUNT]; 2] };
        for kind in [Kind::GainDefense, Kind::StartGuard] {
            if player.effects.has(kind) {
                prospects.meet(1);
            }
        }
        prospects
    }

    /// Counts a chosen Defense card's hits against the queue.
    pub(super) fn defend(&mut self, card: &Card) {
        self.meet(usize::from(card.hits));
    }

    /// Remembers the effects of a chosen card: a second instance would not act unless it is stronger (ET-29).
    pub(super) fn expect_effects(&mut self, card: &Card) {
        for Applies { bearer, effect, .. } in &card.effects {
            let strongest = &mut self.applied[*bearer as usize][effect.kind as usize];
            *strongest = effect.intensity.max(*strongest);
        }
    }

    fn meet(&mut self, hits: usize) {
        self.unmet.drain(..hits.min(self.unmet.len()));
    }

    /// The damage that this many further defense hits with this guard would keep off.
    fn kept_off(&self, guard: u8, hits: usize) -> u32 {
        let guard = (i16::from(guard) + self.guard_change).max(0) as u32;
        self.unmet.iter().take(hits).map(|&damage| u32::from(damage).min(guard)).sum()
    }
}

/// The worth of a card now: an attack's damage, the damage that defense keeps off, and the [`effect_worth`] of its
/// effects, which counts against the card where an effect harms its player or helps its target.
pub(super) fn worth(
    setup: &Setup,
    state: &State,
    who: Side,
    target: Side,
    card: &Card,
    prospects: &Prospects,
) -> i32 {
    let hits = usize::from(card.hits);
    let of_hits = match card.kind {
        CardType::Attack => {
            let power = state.at(who).effects.intensity(Kind::Power);
            u32::from(card.damage + power) * u32::from(card.hits)
        }
        CardType::Defense => prospects.kept_off(card.defense, hits),
        CardType::Utility => 0,
    };
    let of_effects = card.effects.iter().map(|applies| {
        let bearer = match applies.bearer {
            Bearer::Player => who,
            Bearer::Target => target,
        };
        let worth = effect_worth(setup, state, bearer, applies, prospects) as i32;
        if applies.effect.kind.helps_its_bearer() == (bearer == who) { worth } else { -worth }
    });
    of_hits as i32 + of_effects.sum::<i32>()
}

/// The hit points that an effect is likely to give, take or keep off; 0 where one as strong acts already.
fn effect_worth(
    setup: &Setup,
    state: &State,
    bearer: Side,
    applies: &Applies,
    prospects: &Prospects,
) -> u32 {
    let Effect { kind, intensity, hits, rounds } = applies.effect;
    let on = state.at(bearer);
    let applied = prospects.applied[applies.bearer as usize][kind as usize];
    if !applies.effect.is_instant() && on.effects.intensity(kind).max(applied) >= intensity {
        return 0;
    }
    let rounds = if rounds == 0 { ROUNDS } else { u32::from(rounds) };
    let missing = (i32::from(setup.sheet(state, bearer).hp) - i32::from(on.hp)).max(0) as u32;
    let healed = |amount: u32| if on.effects.has(Kind::Doom) { 0 } else { amount.min(missing) };
    let intensity = u32::from(intensity);
    // n, n - 1, ... for as many rounds as it lasts.
    let ticks = (0..rounds.min(intensity)).map(|tick| intensity - tick).sum();
    match kind {
        Kind::Heal => healed(intensity),
        Kind::HealOverTime => healed(ticks),
        Kind::Poison => ticks,
        Kind::GainDefense if applies.effect.is_instant() => {
            prospects.kept_off(applies.effect.intensity, 1)
        }
        Kind::GainDefense | Kind::StartGuard => intensity * rounds,
        Kind::GuardUp | Kind::GuardDown | Kind::Power | Kind::Thorns => {
            let affected = rounds * HITS_A_ROUND;
            intensity * if hits == 0 { affected } else { affected.min(u32::from(hits)) }
        }
        Kind::Doom => rounds,
        Kind::DrawUpUtility
        | Kind::DrawUpDefense
        | Kind::DrawUpAttack
        | Kind::DrawUpRandom
        | Kind::DrawDownUtility
        | Kind::DrawDownDefense
        | Kind::DrawDownAttack
        | Kind::DrawDownRandom => intensity * rounds * CARD,
    }
}
