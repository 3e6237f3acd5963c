//! Losing and regaining hit points.

use evens::chance::Chance;
use evens::games::eldertale::effect::Kind;
use evens::games::eldertale::rolls::Roll;

use super::{Book, Memory, Waiting};

impl Book {
    /// Heals up to the character's full hit points; Doom forbids it (README).
    pub fn heal(&mut self, who: usize, amount: i32) {
        if self.strength(who, Kind::Doom) > 0 {
            return;
        }
        let player = &mut self.players[who];
        player.hp = (player.hp + amount).min(player.full_hp);
    }

    /// Takes hit points. At 0 a character is out (guide, Win Condition), or goes All In: its first drop to 0 or below
    /// is free, and each further drop that ends there may disable it and erase the Memory, wherever the drop begins
    /// (guide, All In; README).
    pub fn lose(&mut self, who: usize, amount: i32) {
        if amount <= 0 || self.players[who].out {
            return;
        }
        self.players[who].hp -= amount;
        if self.players[who].hp > 0 {
            return;
        }
        if self.players[who].memory == Memory::Down {
            self.players[who].memory = Memory::AllIn;
        } else if self.players[who].memory != Memory::AllIn {
            self.goes_out(who);
        } else {
            self.players[who].drops += 1;
            let odds = self.players[who].wager.unwrap().odds;
            if self.dice.weighted(Roll::Disable, &odds) == 1 {
                self.players[who].memory = Memory::Erased;
                self.goes_out(who);
            }
        }
    }

    /// Takes a character out. Attacks aimed at it are lost, but what they do to the attackers themselves comes where the
    /// same attack arrives next (README).
    fn goes_out(&mut self, who: usize) {
        self.players[who].out = true;
        for lost in std::mem::take(&mut self.players[who].queue) {
            let is_the_same = |of: &Waiting| (of.by, of.place) == (lost.by, lost.place);
            let next = (0..self.players.len())
                .filter(|&seat| self.players[seat].queue.iter().any(is_the_same))
                .min_by_key(|&seat| self.turns_until(lost.by, seat));
            if let Some(seat) = next.filter(|_| lost.leads) {
                let mut queue = self.players[seat].queue.iter_mut();
                queue.find(|of| is_the_same(of)).unwrap().leads = true;
            }
        }
    }
}
