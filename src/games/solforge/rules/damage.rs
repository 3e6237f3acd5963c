//! Damage, armor, healing, and changes of attack and health ("Static and Stat-Altering Effects", "Turnabout").

use crate::chance::Chance;
use crate::game::{Side, Watch};
use crate::games::solforge::SolForge;
use crate::games::solforge::ability::{Hook, Number};
use crate::games::solforge::cards::vocabulary::Until;
use crate::games::solforge::event::{Event, Gained, Ref, Target};
use crate::games::solforge::rolls::Roll;
use crate::games::solforge::rules::trigger::News;
use crate::games::solforge::rules::{Battle, Because, statics};

impl<C: Chance<Roll>, W: Watch<SolForge>> Battle<'_, C, W> {
    /// Deals damage to a creature, of which the rest of its armor prevents some, and returns the health lost. Abilities
    /// set off by being damaged resolve even if the creature dies of battle damage ("Mechanics of Battle", "Phases in a
    /// turn"; SF-33, SF-46, SF-49; decision 19).
    pub(super) fn damage_creature(
        &mut self,
        by: Option<Ref>,
        side: Side,
        lane: u8,
        amount: i16,
        because: Because,
    ) -> i16 {
        if amount <= 0 {
            return 0;
        }
        let armor = statics::armor(self.cards(), self.state, side, lane);
        let creature = self.state.at_mut(side, lane);
        let prevented = armor.saturating_sub(creature.armor_used).clamp(0, amount);
        let lost = amount - prevented;
        creature.armor_used = creature.armor_used.saturating_add(prevented);
        creature.damage = creature.damage.saturating_add(lost);
        let on = Target::Creature(Ref::new(creature, side, lane));
        self.note_killing(side, lane);
        self.tell(Event::Damage { by, on, lost, prevented });
        if lost > 0 {
            let who = self.reference(side, lane);
            let news = News { amount: lost, ..News::of(Hook::IsDamaged, who) };
            self.ask_at(side, lane, news, because);
        }
        lost
    }

    /// Deals damage to a player, whose armor prevents the first of it (SF-47, SF-48), and returns the life lost.
    pub(super) fn damage_player(&mut self, by: Option<Ref>, side: Side, amount: i16) -> i16 {
        if amount <= 0 {
            return 0;
        }
        let armor = statics::player_armor(self.cards(), self.state, side);
        let player = self.state.player_mut(side);
        let prevented = armor.saturating_sub(player.armor_used).clamp(0, amount);
        let lost = amount - prevented;
        player.armor_used = player.armor_used.saturating_add(prevented);
        player.life = player.life.saturating_sub(lost);
        self.note_killing_by_life(side);
        self.tell(Event::Damage { by, on: Target::Player(side), lost, prevented });
        lost
    }

    /// Heals damage on a creature ("Poison and Regeneration", "Turnabout"; SF-35, SF-45; decision 21).
    pub(super) fn heal(&mut self, by: Option<Ref>, side: Side, lane: u8, amount: i16) {
        let creature = self.state.at_mut(side, lane);
        let healed = amount.clamp(0, creature.damage);
        if healed == 0 {
            return;
        }
        creature.damage -= healed;
        self.note_killing(side, lane);
        let on = self.reference(side, lane);
        self.tell(Event::Heals { by, on, amount: healed });
    }

    /// Changes a creature's numbers and keywords. What does not last is noted, so that it can be subtracted again
    /// (SF-43).
    pub(super) fn gain(&mut self, side: Side, lane: u8, gained: Gained) {
        let creature = self.state.at_mut(side, lane);
        creature.attack = creature.attack.saturating_add(gained.attack);
        creature.health = creature.health.saturating_add(gained.health);
        creature.armor = creature.armor.saturating_add(gained.armor);
        creature.poison = creature.poison.saturating_add(gained.poison);
        creature.regenerate = creature.regenerate.saturating_add(gained.regenerate);
        creature.mobility = creature.mobility.saturating_add(gained.mobility);
        creature.battles = creature.battles.saturating_add(gained.battles);
        let fading = match gained.until {
            Until::Forever => None,
            Until::EndOfTurn => Some(0),
            Until::EndOfNextTurn => Some(1),
        };
        match fading {
            None => creature.keywords |= gained.keywords,
            Some(when) => {
                let fading = &mut creature.fading[when];
                fading.attack = fading.attack.saturating_add(gained.attack);
                fading.health = fading.health.saturating_add(gained.health);
                fading.armor = fading.armor.saturating_add(gained.armor);
                fading.mobility = fading.mobility.saturating_add(gained.mobility);
                fading.battles = fading.battles.saturating_add(gained.battles);
                fading.keywords |= gained.keywords;
                let fades = creature.fades();
                self.state.fading.set(side, lane, fades);
            }
        }
        if gained.mobility != 0 {
            statics::note(self.cards(), self.state, side, lane);
        }
        self.note_killing(side, lane);
        let who = self.reference(side, lane);
        self.tell(Event::Changes { who, gained });
    }

    /// Swaps a creature's attack and health. Where that lowers its health, the loss is damage that nothing prevents, so
    /// it can be healed; where it raises it, its maximum rises with it, and the damage on it stays (SF-45, decision 4).
    pub(super) fn swap(&mut self, by: Ref, side: Side, lane: u8) {
        let attack = statics::attack(self.cards(), self.state, side, lane);
        let health = statics::health(self.cards(), self.state, side, lane);
        let more_attack = health.saturating_sub(attack);
        let more_health = attack.saturating_sub(health);
        if more_attack == 0 {
            return;
        }
        let creature = self.state.at_mut(side, lane);
        creature.attack = creature.attack.saturating_add(more_attack);
        let health = more_health.max(0);
        creature.health = creature.health.saturating_add(health);
        self.note_killing(side, lane);
        let who = self.reference(side, lane);
        let gained = Gained { attack: more_attack, health, ..Gained::default() };
        self.tell(Event::Changes { who, gained });
        let lost = more_attack.max(0);
        if lost > 0 {
            let creature = self.state.at_mut(side, lane);
            creature.damage = creature.damage.saturating_add(lost);
            self.note_killing(side, lane);
            let on = Target::Creature(who);
            self.tell(Event::Damage { by: Some(by), on, lost, prevented: 0 });
            let news = News { amount: lost, ..News::of(Hook::IsDamaged, who) };
            self.ask_at(side, lane, news, Because::Alive);
        }
    }

    /// Notes when a creature falls to 0 health, because the dead leave in that order (SF-11), or that it is above 0
    /// again (decision 3).
    pub(super) fn note_killing(&mut self, side: Side, lane: u8) {
        let dead = statics::health(self.cards(), self.state, side, lane) <= 0;
        let stamp = self.state.kills;
        let creature = self.state.at_mut(side, lane);
        if creature.destroyed {
            return;
        }
        self.state.doomed.set(side, lane, dead);
        let creature = self.state.at_mut(side, lane);
        match (dead, creature.killed) {
            (true, 0) => {
                creature.killed = stamp;
                self.stirred.set(side, lane, true);
            }
            (false, _) => creature.killed = 0,
            _ => {}
        }
    }

    /// Notes which creatures of a side fall to 0 health, or are above 0 again, after a creature there has begun or
    /// ceased to lend health (SF-44, decision 31).
    pub(super) fn statics_changed(&mut self, side: Side) {
        if !self.cards().lends_health {
            return;
        }
        for (side, lane) in self.state.standing.of(side) {
            self.note_killing(side, lane);
        }
    }

    /// Notes which creatures fall to 0 health, or are above 0 again, because their health depends on their player's
    /// life and that has changed (SF-64, decision 11).
    pub(super) fn note_killing_by_life(&mut self, side: Side) {
        for (side, lane) in self.state.statics[Number::Health as usize].of(side) {
            self.note_killing(side, lane);
        }
    }
}
