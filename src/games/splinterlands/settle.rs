//! Normalises the state between rounds, so that states that differ only in what can no longer matter are equal.

use super::state::{FIELD, Monster, Place, Places, State};

impl State {
    /// Between two rounds, clears what can no longer matter: the dead stay dead, and a monster that is not stunned has
    /// no stunner.
    pub(super) fn settle(&mut self) {
        let alive = self.alive;
        let dead = Places((1 << FIELD) - 1).without(alive);
        for place in alive {
            let is_stunned = self.stunned.has(place);
            let monster = self.at_mut(place);
            // Which dead monster stunned it does not matter, only that its stunner is dead.
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
