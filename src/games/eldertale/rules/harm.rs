//! Hit points: losing, healing, going out, All In (ET-21, ET-22, ET-34 to ET-38).

use super::Session;
use crate::chance::Chance;
use crate::game::{Side, Watch};
use crate::games::eldertale::ElderTale;
use crate::games::eldertale::effect::Kind;
use crate::games::eldertale::event::{Cause, Event};
use crate::games::eldertale::rolls::Roll;
use crate::games::eldertale::state::{Incoming, Memory};

impl<C: Chance<Roll>, W: Watch<ElderTale>> Session<'_, C, W> {
    /// Takes hit points from a character. "If someone's HP drops to 0, they are out", unless its Memory is down:
    /// then it goes All In, and each further drop to 0 or below may disable it (Win Condition, All In; ET-21,
    /// ET-22, ET-35, ET-38; decision 14).
    #[inline(always)]
    pub(super) fn lose(&mut self, who: Side, amount: u16, cause: Cause) {
        if amount == 0 {
            return;
        }
        let bearer = self.state.at_mut(who);
        bearer.hp = bearer.hp.saturating_sub_unsigned(amount);
        let (hp, memory) = (bearer.hp, bearer.memory);
        self.tell(Event::Loses { who, amount, cause });
        if hp > 0 {
            return;
        }
        match memory {
            Memory::AllIn => self.drop_beyond(who),
            Memory::Down => {
                self.state.at_mut(who).memory = Memory::AllIn;
                self.tell(Event::GoesAllIn(who));
            }
            Memory::Kept | Memory::Erased => self.out(who),
        }
    }

    /// A drop in HP beyond 0 may disable the character, which then loses its Memory and is out (All In; ET-36,
    /// ET-37).
    #[inline(never)]
    fn drop_beyond(&mut self, who: Side) {
        let bearer = self.state.at_mut(who);
        bearer.drops = bearer.drops.saturating_add(1);
        let wager = self.setup.sheet(self.state, who).wager.expect("a Memory is down");
        if self.chance.weighted(Roll::Disable, &wager.odds) == 0 {
            return self.tell(Event::HoldsOn(who));
        }
        self.state.at_mut(who).memory = Memory::Erased;
        self.tell(Event::Disabled(who));
        self.out(who);
    }

    /// Takes a character out of the session; the attacks aimed at it are lost (Win Condition; ET-21, decision 15).
    #[inline(never)]
    fn out(&mut self, who: Side) {
        self.state.standing.remove(who);
        self.tell(Event::Out(who));
        for lost in std::mem::take(&mut self.state.at_mut(who).queue) {
            self.tell(Event::LostWith { on: who, attack: lost });
            if lost.leads {
                self.pass_lead(lost);
            }
        }
    }

    /// Passes the effects that a lost attack has on its own player to the same attack at the next target in the turn
    /// order that it has yet to reach, if there is one (decision 6). All turns until the attacker's next come after
    /// its own, so the next in time is the next from the attacker's seat on.
    fn pass_lead(&mut self, lost: Incoming) {
        let mut seat = lost.by;
        for _ in 0..self.state.standing.len() {
            seat = self.state.standing.after(seat).expect("somebody is not out");
            let queue = &mut self.state.at_mut(seat).queue;
            let is_the_same =
                |attack: &&mut Incoming| (attack.by, attack.place) == (lost.by, lost.place);
            if let Some(next) = queue.iter_mut().find(is_the_same) {
                next.leads = true;
                return;
            }
        }
    }

    /// Heals a character, up to its maximum; not at all under Doom (ET-15, ET-E3, ET-E4; decision 1).
    pub(super) fn heal(&mut self, who: Side, intensity: u8, through: Kind) {
        let most = self.setup.sheet(self.state, who).hp;
        let bearer = self.state.at_mut(who);
        let doomed = bearer.effects.has(Kind::Doom);
        let missing = most.saturating_sub(bearer.hp);
        let amount = if doomed { 0 } else { i16::from(intensity).min(missing) };
        bearer.hp += amount;
        self.tell(Event::Heals { who, amount: amount as u16, through, doomed });
    }

    /// Puts a character's Memory down if it has one and its HP have fallen to the threshold set for that (All In;
    /// ET-34, decision 14). A character whose turn it is has more than 0 HP or has put its Memory down already.
    pub(super) fn put_memory_down(&mut self, who: Side) {
        let wager = self.setup.sheet(self.state, who).wager;
        let bearer = self.state.at_mut(who);
        if bearer.memory == Memory::Kept && wager.is_some_and(|wager| bearer.hp <= wager.at) {
            bearer.memory = Memory::Down;
            self.tell(Event::PutsMemoryDown(who));
        }
    }
}
