//! A battle ("Combat"): damage, a death check, what damage set off, a death check, what deaths set off (SF-49). Also,
//! when a player may battle again.

use crate::chance::Chance;
use crate::game::{Side, Watch};
use crate::games::solforge::SolForge;
use crate::games::solforge::ability::Hook;
use crate::games::solforge::event::{Event, Ref, Source};
use crate::games::solforge::keyword::Keyword;
use crate::games::solforge::rolls::Roll;
use crate::games::solforge::rules::trigger::News;
use crate::games::solforge::rules::{Battle, Because, statics};
use crate::games::solforge::state::Spaces;

/// The attack of one creature in a fight on the other, read before either deals damage.
#[derive(Clone, Copy)]
struct Blow {
    by: Ref,
    power: i16,
    /// How much of the damage stops at the other creature. The rest goes through to its player, which happens only for
    /// attackers with Breakthrough.
    stops: i16,
}

impl<C: Chance<Roll>, W: Watch<SolForge>> Battle<'_, C, W> {
    /// Fights a battle: three batches, with a death check after each (SF-49, SF-56, SF-57, SF-58, SF-59, SF-62). In the
    /// turn's own battle everybody on the offensive fights, on both sides; in an additional one only those of the
    /// active player who have battles left (decisions 3 and 12).
    pub(in crate::games::solforge) fn fight(&mut self) {
        let extra = self.state.fought;
        self.state.battles_open -= 1;
        self.tell(Event::Battle { extra });
        let active = self.state.active;
        let (attackers, looks) = self.attackers(extra);
        self.state.fought = true;
        // All battle damage is dealt at the same time, so all it kills die at the same time (SF-64).
        self.next_stamp();
        for lane in attackers.lanes() {
            self.exchange(lane, attackers);
        }
        let of_damage = self.waiting.len();
        self.death_check();
        if self.state.verdict.is_some() {
            self.waiting.clear();
            return;
        }
        self.batch(of_damage, Some(Source::Damage));
        self.death_check();
        if self.state.verdict.is_some() {
            self.waiting.clear();
            return;
        }
        self.resolve(Source::Deaths);
        if self.state.verdict.is_none() && looks {
            self.look_for_battles(active);
        }
    }

    /// The spaces of the creatures that start a battle now, after noting that the active player's did; and whether any
    /// creature of the active player, attacking or not, has additional battles ("Mechanics of Battle", "Extra Battles";
    /// SF-46, SF-50, SF-54; decision 12).
    fn attackers(&mut self, extra: bool) -> (Spaces, bool) {
        let active = self.state.active;
        let mut attackers = Spaces::default();
        let mut looks = false;
        // Without branches that depend on a creature: too many would be mispredicted.
        for (side, lane) in self.state.standing.of(active) {
            let more = statics::extra_battles(self.cards(), self.state, side, lane);
            looks |= more > 0;
            let creature = self.state.at_mut(side, lane);
            let is_left = i32::from(more) >= i32::from(creature.battled);
            let attacks = creature.attacks() & is_left;
            creature.battled += u16::from(attacks);
            attackers.set(side, lane, attacks);
        }
        if !extra {
            for (side, lane) in self.state.standing.of(active.other()) {
                attackers.set(side, lane, self.state.at(side, lane).attacks());
            }
        }
        (attackers, looks)
    }

    /// Fights in a lane with an attacker, after the lanes to its left (SF-46, SF-47). Both attacks are read before
    /// either lands ("Mechanics of Battle", decision 13).
    fn exchange(&mut self, lane: u8, attackers: Spaces) {
        let order = [self.state.active, self.state.active.other()];
        if !order.iter().all(|&side| self.state.occupied.has(side, lane)) {
            for side in order {
                if attackers.has(side, lane) {
                    let power = statics::attack(self.cards(), self.state, side, lane);
                    self.hit_player(self.reference(side, lane), side.other(), power);
                }
            }
            return;
        }
        // Whoever is attacked strikes back, on the defensive or not (SF-46).
        let blows = [
            self.blow(order[0], lane, attackers.has(order[0], lane)),
            self.blow(order[1], lane, attackers.has(order[1], lane)),
        ];
        for at in 0..2 {
            let Blow { by, power, stops } = blows[at];
            let (side, other) = (order[at], order[1 - at]);
            let lost = self.damage_creature(Some(by), other, lane, power, Because::Anyway);
            if lost > 0 {
                let news = News { amount: lost, ..News::of(Hook::HitsCreature, blows[1 - at].by) };
                self.ask_at(side, lane, news, Because::Anyway);
            }
            if lost > stops {
                self.hit_player(by, other, lost - stops);
            }
        }
    }

    /// The attack of a creature on the one across from it.
    #[inline]
    fn blow(&self, side: Side, lane: u8, attacks: bool) -> Blow {
        let through = attacks && self.state.at(side, lane).has(Keyword::Breakthrough);
        let stops = if through {
            statics::health(self.cards(), self.state, side.other(), lane).max(0)
        } else {
            i16::MAX
        };
        let power = statics::attack(self.cards(), self.state, side, lane);
        Blow { by: self.reference(side, lane), power, stops }
    }

    /// Battle damage to a player; what it sets off resolves even if the creature dies (SF-49).
    fn hit_player(&mut self, by: Ref, player: Side, power: i16) {
        let lost = self.damage_player(Some(by), player, power);
        if lost > 0 {
            let news = News { amount: lost, ..News::of(Hook::HitsPlayer, Ref::default()) };
            self.ask_at(by.side(), by.lane, news, Because::Anyway);
        }
    }

    /// How many more battles a creature has this turn. One that missed the turn's own battle on the defensive
    /// still has that one (SF-54); one that was not there has not (SF-55).
    fn battles_left(&self, side: Side, lane: u8) -> i32 {
        let extra = statics::extra_battles(self.cards(), self.state, side, lane);
        1 + i32::from(extra) - i32::from(self.state.at(side, lane).battled)
    }

    /// Checks whether creatures can battle again, and lets the player battle as often as the creature with the most
    /// battles left ("Extra Battles", SF-50, SF-51, SF-52, SF-53). Before the turn's own battle there is nothing to
    /// check (decision 12).
    pub(super) fn look_for_battles(&mut self, side: Side) {
        if side != self.state.active || !self.state.fought {
            return;
        }
        let most = (self.state.standing.of(side))
            .filter(|&(side, lane)| self.state.at(side, lane).attacks())
            .map(|(side, lane)| self.battles_left(side, lane))
            .max();
        let most = most.unwrap_or(0).max(0) as u16;
        self.state.battles_open = self.state.battles_open.max(most);
    }
}
