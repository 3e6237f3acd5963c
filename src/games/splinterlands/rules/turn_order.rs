//! Who acts next (SP-87 to SP-90).

use super::Battle;
use crate::chance::Chance;
use crate::game::Watch;
use crate::games::splinterlands::Splinterlands;
use crate::games::splinterlands::event::Event;
use crate::games::splinterlands::rolls::Roll;
use crate::games::splinterlands::ruleset::Ruleset;
use crate::games::splinterlands::state::{Monster, Place, Places, State};

/// A monster's rank in the turn order: speed, then magic before ranged before everything else, then
/// rarity, then level. Reverse Speed turns all four around (SP-89).
pub(super) fn urgency(monster: &Monster, rulesets: super::super::ruleset::Rulesets) -> u32 {
    let class = match monster {
        m if m.base.magic > 0 => 2,
        m if m.base.ranged > 0 => 1,
        _ => 0,
    };
    let rank = (monster.now.speed as u32) << 16
        | class << 12
        | u32::from(monster.rarity) << 8
        | u32::from(monster.card.level);
    if rulesets.contains(Ruleset::ReverseSpeed) { 0xFF_FFFF - rank } else { rank }
}

impl<C: Chance<Roll>, W: Watch<Splinterlands>> Battle<'_, C, W> {
    /// The most urgent of those who have yet to act, and among how many it was drawn. The order is looked
    /// at afresh for every turn, because speeds change within a round; drawing one of the tied each time
    /// makes every order of theirs equally likely (SP-88, decision 2).
    #[inline]
    pub(super) fn next_to_act(&mut self) -> Option<(Place, u8)> {
        let tied = most_urgent(self.state);
        let count = tied.len();
        match count {
            0 => None,
            1 => Some((tied.first()?, 1)),
            _ => {
                let chosen = self.chance.pick(Roll::TurnTie, count as usize);
                let mut tied = tied;
                Some((tied.nth(chosen)?, count as u8))
            }
        }
    }

    /// A stun lasts until just before the stunner's next turn (section 7).
    #[inline]
    pub(super) fn release_stunned_by(&mut self, stunner: Place) {
        for place in self.state.stunned {
            if self.state.at(place).stunned_by == stunner {
                self.state.stunned.remove(place);
                self.tell(Event::Recovers(place));
            }
        }
    }

    /// A stunned monster does nothing. A stunner that has died cannot release it, so then the lost turn
    /// does.
    pub(super) fn skip_turn(&mut self, who: Place) {
        self.tell(Event::SkipsTurn(who));
        if !self.state.alive.has(self.state.at(who).stunned_by) {
            self.state.stunned.remove(who);
            self.tell(Event::Recovers(who));
        }
    }
}

/// Everybody who shares the highest rank among those who have yet to act.
#[inline]
fn most_urgent(state: &State) -> Places {
    let mut highest = 0;
    let mut tied = Places::default();
    for place in state.waiting {
        let urgency = state.at(place).urgency;
        if urgency > highest {
            highest = urgency;
            tied = Places(1 << place.0);
        } else if urgency == highest {
            tied.insert(place);
        }
    }
    tied
}
