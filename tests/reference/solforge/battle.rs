//! A battle and its three batches, additional battles, damage and armor.

use evens::games::solforge::ability::Trigger;
use evens::games::solforge::cards::vocabulary::TurnOf;
use evens::games::solforge::keyword::Keyword;

use super::game::{Game, Happening, Mark, Waiting};
use super::table::{LANES, Space, spaces};

impl Game<'_> {
    /// A battle (SF-46 to SF-49).
    pub fn battle(&mut self) {
        // "Having a creature with extra battles on the field when you battle" (SF-50).
        let more = |&lane: &usize| {
            let space = (self.table.active, lane);
            self.table.at(space).is_some() && self.table.battles(self.cards, space) > 1
        };
        let looks = (0..LANES).any(|lane| more(&lane));
        let extra = self.table.fought;
        self.table.battles_open -= 1;
        self.table.fought = true;
        self.new_moment();
        // In an additional battle those fight who have battles left; the others strike back (Decisions).
        let fights = |space: Space| {
            self.table.at(space).is_some_and(|creature| {
                let left = self.table.battles(self.cards, space) - creature.battled;
                let may = if space.0 == self.table.active { left > 0 } else { !extra };
                creature.attacks() && may
            })
        };
        let fighting: Vec<Space> = spaces().into_iter().filter(|&space| fights(space)).collect();
        for &space in &fighting {
            if space.0 == self.table.active {
                self.table.at_mut(space).expect("it fights").battled += 1;
            }
        }
        let mut hits: Vec<(Mark, Option<Mark>, i32)> = Vec::new();
        for lane in 0..LANES {
            let there = [(0, lane), (1, lane)].map(|space| self.table.at(space).is_some());
            let healths = [(0, lane), (1, lane)].map(|space| self.table.health(self.cards, space));
            // "Damage is dealt in left to right order": the effects of earlier lanes count here.
            let attacks = [(0, lane), (1, lane)].map(|space| self.table.attack(self.cards, space));
            for own in [self.table.active, 1 - self.table.active] {
                let (space, other) = ((own, lane), (1 - own, lane));
                if !there[own] {
                    continue;
                }
                let by = self.mark(space);
                let fights = fighting.contains(&space);
                let strikes_back = there[1 - own] && fighting.contains(&other);
                if !fights && !strikes_back {
                    continue;
                }
                if !there[1 - own] {
                    let lost = self.damage_player(1 - own, attacks[own]);
                    if lost > 0 {
                        hits.push((by, None, lost));
                    }
                    continue;
                }
                let lost = self.damage_creature(other, attacks[own]);
                if lost > 0 {
                    hits.push((by, Some(self.mark(other)), lost));
                }
                let through = lost - healths[1 - own].max(0);
                let breaks = self.table.at(space).is_some_and(|c| c.has(Keyword::Breakthrough));
                if fights && breaks && through > 0 {
                    let lost = self.damage_player(1 - own, through);
                    if lost > 0 {
                        hits.push((by, None, lost));
                    }
                }
            }
        }
        self.note_kills();
        for (by, on, lost) in hits {
            self.hit(by, on, lost);
        }
        let damage_triggers = std::mem::take(&mut self.waiting);
        self.death_check();
        let deaths = std::mem::replace(&mut self.waiting, damage_triggers);
        if self.table.verdict.is_none() && !self.waiting.is_empty() {
            self.of_battle = true;
            self.batch();
            self.of_battle = false;
        }
        let later = std::mem::replace(&mut self.waiting, deaths);
        self.waiting.extend(later);
        self.come_to_rest();
        if looks && self.table.verdict.is_none() {
            self.look_for_battles(self.table.active);
        }
    }

    /// Triggers the abilities that battle damage sets off, which resolve even if their creature dies.
    fn hit(&mut self, by: Mark, on: Option<Mark>, dealt: i32) {
        let Some(creature) = self.table.at(by.space) else { return };
        for ability in self.abilities_of(creature) {
            let fits = match (self.ability(ability).trigger, on) {
                (Trigger::HitsPlayer(of), None) => match of {
                    TurnOf::Each => true,
                    TurnOf::Yours => by.space.0 == self.table.active,
                    TurnOf::Theirs => by.space.0 != self.table.active,
                },
                (Trigger::HitsCreature(filter), Some(on)) => {
                    self.is_meant(&filter, by, on, on.space)
                }
                _ => false,
            };
            if fits {
                self.waiting.push(Waiting { ability, source: by, subject: on, dealt });
            }
        }
    }

    /// "If there are no creatures that can battle additional times when this effect happens, you don't get any
    /// additional battles" (SF-51).
    pub fn look_for_battles(&mut self, side: usize) {
        // Before the turn's own battle there is nothing to look for, nor in the other player's turn.
        if side != self.table.active || !self.table.fought {
            return;
        }
        for lane in 0..LANES {
            let space = (self.table.active, lane);
            let Some(creature) = self.table.standing(space) else { continue };
            if creature.attacks() {
                let left = self.table.battles(self.cards, space) - creature.battled;
                self.table.battles_open = self.table.battles_open.max(left);
            }
        }
    }

    /// Damages a creature. Armor prevents the first damage of a turn. Returns the health that was lost.
    pub fn damage_creature(&mut self, space: Space, amount: i32) -> i32 {
        let armor = self.table.armor(self.cards, space);
        let Some(creature) = self.table.at_mut(space) else { return 0 };
        let prevented = (armor - creature.armor_used).clamp(0, amount.max(0));
        creature.armor_used += prevented;
        let lost = amount.max(0) - prevented;
        creature.damage += lost;
        self.was_damaged(space, lost);
        lost
    }

    /// Triggers the abilities that damage to a creature sets off.
    pub fn was_damaged(&mut self, space: Space, lost: i32) {
        if lost > 0 && self.table.standing(space).is_some() {
            let who = self.mark(space);
            let before = self.waiting.len();
            self.happens(Happening::Damaged { who });
            for waiting in &mut self.waiting[before..] {
                waiting.dealt = lost;
            }
        }
    }

    pub fn damage_player(&mut self, side: usize, amount: i32) -> i32 {
        let armor = self.table.player_armor(self.cards, side);
        let player = &mut self.table.players[side];
        let prevented = (armor - player.armor_used).clamp(0, amount.max(0));
        player.armor_used += prevented;
        let lost = amount.max(0) - prevented;
        player.life -= lost;
        lost
    }
}
