//! What makes states of a battle equal that differ in nothing that can still matter.

use super::state::{FIELD, Monster, Place, Places, State};

impl State {
    /// Between two rounds: who is dead stays dead, and whoever is not stunned is stunned by nobody.
    pub(super) fn settle(&mut self) {
        let alive = self.alive;
        let dead = Places((1 << FIELD) - 1).without(alive);
        for place in alive {
            let is_stunned = self.stunned.has(place);
            let monster = self.at_mut(place);
            // All that counts of a dead stunner is that it is dead.
            if !is_stunned {
                monster.stunned_by = Place(0);
            } else if let Some(first) = dead.first()
                && !alive.has(monster.stunned_by)
            {
                monster.stunned_by = first;
            }
            monster.cleansed = monster.cleansed.and(alive);
        }
        for place in dead {
            let monster = self.at_mut(place);
            let &mut Monster { card, rarity, base, abilities, .. } = monster;
            *monster = Monster { card, rarity, base, abilities, ..Monster::NOBODY };
            self.urgency[place.index()] = 0;
        }
        self.sort_order();
    }
}
