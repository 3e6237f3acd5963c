//! The greedy player, implemented a second time from the description of how it decides ("Choices belong to policies",
//! and `policy/greedy.rs`).

use evens::game::Outcome;
use evens::games::solforge::ability::Choice;
use evens::games::solforge::cards::vocabulary::Kind;
use evens::games::solforge::keyword::Keyword;
use evens::games::solforge::state::Form;

use super::choose::Chosen;
use super::game::{Dice, Game, Mark, Waiting};
use super::table::{Space, side, spaces};
use super::whole::Action;

const WON: i32 = 1_000_000;

/// A creature as it counts when lanes alone are compared.
#[derive(Clone, Copy)]
struct Seen {
    attack: i32,
    health: i32,
    attacks: bool,
}

/// The index of the action that a player takes, and perhaps the card to play after it, for when this many cards are in
/// hand.
pub struct Plan {
    pub first: usize,
    pub next: Option<(Next, usize)>,
}

/// The second card of a plan.
#[derive(Clone, Copy)]
pub enum Next {
    Creature(usize, usize),
    Level(usize),
}

impl Next {
    pub fn is(self, action: &Action) -> bool {
        match (self, action) {
            (Next::Creature(at, lane), Action::Creature(of, to)) => (at, lane) == (*of, *to),
            (Next::Level(at), Action::Level(of)) => at == *of,
            _ => false,
        }
    }
}

/// Sorts a list by worth, best first; equals keep their order.
fn best_first<T>(mut of: Vec<(i32, T)>) -> Vec<(i32, T)> {
    of.sort_by_key(|&(worth, _)| -worth);
    of
}

impl Game<'_> {
    /// "Own life less the other's, and the attack and health of its creatures less those of the other's."
    fn worth(&self, own: usize) -> i32 {
        match self.table.verdict {
            Some(Outcome::Win(winner)) => return if winner == side(own) { WON } else { -WON },
            Some(Outcome::Draw | Outcome::Undecided) | None => {}
        }
        let life = self.table.players[own].life - self.table.players[1 - own].life;
        let field = spaces().into_iter().filter(|&space| self.table.standing(space).is_some());
        let sizes =
            field.map(|space| if space.0 == own { self.size(space) } else { -self.size(space) });
        life + sizes.sum::<i32>()
    }

    fn size(&self, space: Space) -> i32 {
        self.table.attack(self.cards, space) + self.table.health(self.cards, space)
    }

    /// The worth of levelling a card: "A card that leaves the hand comes back better, which is worth a quarter of what
    /// its next level has more, and at least a point; nothing if it leaves the game"; a level of a spell counts 16.
    fn levelling(&self, form: Form) -> i32 {
        let size = |form: Form| {
            let data = self.cards.form(form);
            match data.kind {
                Kind::Creature => i32::from(data.attack) + i32::from(data.health),
                Kind::Spell => 16 * i32::from(data.level),
            }
        };
        let next = self.cards.form(form).levels_to;
        next.map_or(0, |next| ((size(next) - size(form)) / 4).max(1))
    }

    fn levelled(&self, action: &Action) -> i32 {
        match action {
            Action::Creature(at, _) | Action::Spell(at, _) | Action::Level(at) => {
                self.levelling(self.table.players[self.table.active].hand[*at])
            }
            Action::Activate(..) | Action::Move(..) | Action::Battle | Action::End => 0,
        }
    }

    /// A copy of the game for a player's thoughts: nothing waits in it, and every die shows its middle face.
    fn in_the_head(&self) -> Self {
        let mut head = self.clone();
        head.head = true;
        head.dice = Dice::Middle;
        head.waiting.clear();
        head.table.displaced.clear();
        head
    }

    fn fight_on(&mut self) {
        if self.table.verdict.is_none() && self.table.battles_open > 0 {
            self.battle();
        }
    }

    /// The game after an action, "looked at by playing it in the head", with the turn's battle fought afterwards if it
    /// is still open.
    fn look(&self, action: Option<&Action>) -> Self {
        let mut head = self.in_the_head();
        if head.table.verdict.is_none() {
            if let Some(action) = action {
                head.take(action.clone());
            }
            head.fight_on();
        }
        head
    }

    /// The worth of a lane, after the turn's battle if it is still to come, by attack and health alone.
    fn lane_worth(&self, own: Option<Seen>, other: Option<Seen>, fights: bool) -> i32 {
        let attacks = |of: Option<Seen>| of.is_some_and(|of| of.attacks);
        let all = |of: Option<Seen>| of.map_or(0, |of| of.attack + of.health.max(0));
        if !fights || !attacks(own) && !attacks(other) {
            return all(own) - all(other);
        }
        let left = |of: Option<Seen>, by: Option<Seen>| {
            let Some(of) = of else { return 0 };
            let health = of.health - by.map_or(0, |by| by.attack.max(0));
            if health > 0 { of.attack + health } else { 0 }
        };
        let through = |of: Option<Seen>, by: Option<Seen>| match (of, by) {
            (None, Some(by)) if by.attacks => by.attack.max(0),
            _ => 0,
        };
        left(own, other) - left(other, own) + through(other, own) - through(own, other)
    }

    fn seen(&self, space: Space) -> Option<Seen> {
        let creature = self.table.standing(space)?;
        Some(Seen {
            attack: self.table.attack(self.cards, space),
            health: self.table.health(self.cards, space),
            attacks: creature.attacks(),
        })
    }

    /// The change in a lane's worth if this creature of the active player stands in it, or none.
    fn lane_gain(&self, lane: usize, with: Option<Seen>) -> i32 {
        let own = self.table.active;
        let fights = self.table.battles_open > 0 && !self.table.fought;
        let other = self.seen((1 - own, lane));
        self.lane_worth(with, other, fights)
            - self.lane_worth(self.seen((own, lane)), other, fights)
    }

    fn entering(&self, form: Form, lane: usize) -> i32 {
        let data = self.cards.form(form);
        let attacks = data.keywords.contains(Keyword::Aggressive)
            && !data.keywords.contains(Keyword::Defender);
        let (attack, health) = (data.attack.into(), data.health.into());
        self.lane_gain(lane, Some(Seen { attack, health, attacks }))
    }

    /// The actions that are looked at: "Of the creatures in hand up to two are looked at, each in one lane, and one
    /// move"; spells and abilities on the largest creature of each side, on the other player, and on spaces.
    fn candidates(&self, actions: &[Action]) -> Vec<usize> {
        let own = self.table.active;
        let hand = &self.table.players[own].hand;
        let mut found: Vec<usize> = Vec::new();
        let mut creatures: Vec<(i32, usize)> = Vec::new();
        let mut moves: Vec<(i32, usize)> = Vec::new();
        let mut done: Vec<usize> = Vec::new();
        for (at, action) in actions.iter().enumerate() {
            if done.contains(&at) {
                continue;
            }
            let ways: Vec<usize> = (at..actions.len())
                .filter(|&other| is_same_thing(action, &actions[other]))
                .collect();
            done.extend(&ways);
            match action {
                Action::Creature(at, _) => {
                    let form = hand[*at];
                    let lanes = ways.iter().map(|&way| match actions[way] {
                        Action::Creature(_, lane) => (self.entering(form, lane), way),
                        _ => panic!("ways to play a creature are lanes"),
                    });
                    let (promise, way) = best_first(lanes.collect()).remove(0);
                    creatures.push((promise + self.levelling(form), way));
                }
                Action::Move(from, _) => {
                    let seen = self.seen(*from);
                    let lanes = ways.iter().map(|&way| match actions[way] {
                        Action::Move(_, to) => {
                            (self.lane_gain(to, seen) + self.lane_gain(from.1, None), way)
                        }
                        _ => panic!("ways to move are lanes"),
                    });
                    moves.push(best_first(lanes.collect()).remove(0));
                }
                Action::Spell(..) | Action::Activate(..) => {
                    let mut largest: [Vec<(i32, usize)>; 2] = [vec![], vec![]];
                    for way in ways {
                        let (Action::Spell(_, on) | Action::Activate(_, _, on)) = &actions[way]
                        else {
                            panic!("ways to use an ability are targets")
                        };
                        match on.first() {
                            Some(Chosen::Creature(mark)) => {
                                largest[mark.space.0].push((self.size(mark.space), way));
                            }
                            Some(&Chosen::Player(of))
                                if of == own && matches!(actions[way], Action::Spell(..)) => {}
                            _ => found.push(way),
                        }
                    }
                    for of in largest {
                        found.extend(best_first(of).first().map(|&(_, way)| way));
                    }
                }
                Action::Level(_) | Action::Battle | Action::End => {}
            }
        }
        let creatures = best_first(creatures);
        let most = creatures.first().map_or(0, |&(promise, _)| promise);
        let near = creatures.iter().take(2).filter(|&&(promise, _)| promise + 6 >= most);
        found.extend(near.map(|&(_, way)| way));
        found.extend(best_first(moves).first().filter(|of| of.0 > 0).map(|&(_, way)| way));
        found
    }

    /// Chooses the action that leaves the active player best off after the turn's battle, or the battle first if that
    /// is better still.
    pub fn plan(&self, actions: &[Action]) -> Plan {
        let alone = |first| Plan { first, next: None };
        if actions.len() == 1 {
            return alone(0);
        }
        let own = self.table.active;
        let candidates = self.candidates(actions);
        let with_levelling = |at: usize| (self.levelled(&actions[at]), at);
        if candidates.is_empty() {
            return alone(best_first((0..actions.len()).map(with_levelling).collect())[0].1);
        }
        let fought = self.look(None);
        let idle = fought.worth(own);
        let mut best: Vec<(i32, usize)> = Vec::new();
        for at in candidates {
            let worth = self.look(Some(&actions[at])).worth(own);
            best.push((worth + self.levelled(&actions[at]), at));
        }
        for (at, action) in actions.iter().enumerate() {
            if matches!(action, Action::Level(_) | Action::Battle | Action::End) {
                best.push((idle + self.levelled(action), at));
            }
        }
        let mut best = best_first(best);
        best.truncate(4);
        let (worth, first) = best[0];
        let is_card = matches!(actions[first], Action::Creature(..) | Action::Spell(..));
        let falls =
            |space: &Space| self.table.at(*space).is_some() != fought.table.at(*space).is_some();
        if is_card && self.table.battles_open > 0 && spaces().iter().any(falls) {
            let after = fought.look(Some(&fought.aimed_anew(&actions[first]))).worth(own);
            if after + self.levelled(&actions[first]) > worth {
                let battle = |action: &Action| matches!(action, Action::Battle);
                return alone(actions.iter().position(battle).expect("a battle is open"));
            }
        }
        Plan { first, next: self.second(actions, &best) }
    }

    /// The same action on the creature that is now in its target's space, or on the empty space: an action that is put
    /// off names spaces.
    fn aimed_anew(&self, action: &Action) -> Action {
        let mut action = action.clone();
        if let Action::Spell(_, on) | Action::Activate(_, _, on) = &mut action {
            for target in on {
                if let Chosen::Creature(Mark { space, .. }) = *target {
                    *target = match self.table.standing(space) {
                        Some(_) => Chosen::Creature(self.mark(space)),
                        None => Chosen::Free(space),
                    };
                }
            }
        }
        action
    }

    /// The next best action that uses another card, provided that each of the two cards is a creature or is levelled,
    /// and not both are creatures in one lane.
    fn second(&self, actions: &[Action], best: &[(i32, usize)]) -> Option<(Next, usize)> {
        let card = |action: &Action| match *action {
            Action::Creature(at, lane) => Some((at, Some(lane))),
            Action::Level(at) => Some((at, None)),
            _ => None,
        };
        let (at, lane) = card(&actions[best[0].1])?;
        let other = |of: &&(i32, usize)| card(&actions[of.1]).is_none_or(|(of, _)| of != at);
        let (second, to) = card(&actions[best.iter().find(other)?.1])?;
        let moved = if second > at { second - 1 } else { second };
        let next = match to {
            Some(to) if lane == Some(to) => return None,
            Some(to) => Next::Creature(moved, to),
            None => Next::Level(moved),
        };
        Some((next, self.table.players[self.table.active].hand.len() - 1))
    }

    /// Makes a choice for an ability. In an imagined game: "Whatever has to be chosen on the way is the largest
    /// creature that can be", the other player's before its own; otherwise the option that leaves the player best off.
    pub fn greedy_choice(
        &self,
        choice: &Choice,
        of: &Waiting,
        options: &[Chosen],
        may_stop: bool,
        also: bool,
    ) -> Option<usize> {
        let own = of.source.space.0;
        let first_best = |rank: &dyn Fn(&Chosen) -> (bool, i32)| {
            let mut best = 0;
            for at in 1..options.len() {
                if rank(&options[at]) > rank(&options[best]) {
                    best = at;
                }
            }
            Some(best)
        };
        if self.head {
            return first_best(&|option| match option {
                Chosen::Creature(mark) => (mark.space.0 != own, self.size(mark.space)),
                Chosen::Player(of) => (*of != own, 0),
                Chosen::Free(_) | Chosen::Card(_) | Chosen::Also(..) => (false, 0),
            });
        }
        if matches!(options[0], Chosen::Card(_)) {
            return first_best(&|option| match option {
                Chosen::Card(at) => (true, self.levelling(self.table.players[own].hand[*at])),
                _ => (false, 0),
            });
        }
        assert!(choice.count > 0, "somebody chooses");
        // Looks at players and spaces, then at the largest creature of each side.
        let mut looked: Vec<usize> = (0..options.len())
            .filter(|&at| matches!(options[at], Chosen::Player(_) | Chosen::Free(_)))
            .collect();
        for side in 0..2 {
            let of_side = (0..options.len()).filter_map(|at| match options[at] {
                Chosen::Creature(mark) if mark.space.0 == side => Some((self.size(mark.space), at)),
                _ => None,
            });
            looked.extend(best_first(of_side.collect()).first().map(|&(_, at)| at));
        }
        let think = |pick: Option<Chosen>| {
            let mut head = self.in_the_head();
            if let Some(pick) = pick {
                let chosen = [if also { pick.also() } else { pick }];
                head.perform(self.ability(of.ability), of, &chosen);
            }
            head.waiting.clear();
            head.bury(false);
            head.waiting.clear();
            head.fight_on();
            head.worth(own)
        };
        let mut best = if may_stop { (think(None), None) } else { (i32::MIN, Some(0)) };
        for at in looked {
            let worth = think(Some(options[at]));
            if worth > best.0 {
                best = (worth, Some(at));
            }
        }
        best.1
    }
}

/// Whether two actions differ at most in the lane or the target.
fn is_same_thing(one: &Action, other: &Action) -> bool {
    match (one, other) {
        (Action::Creature(at, _), Action::Creature(of, _)) => at == of,
        (Action::Spell(at, _), Action::Spell(of, _)) => at == of,
        (Action::Level(at), Action::Level(of)) => at == of,
        (Action::Activate(at, ability, _), Action::Activate(of, other, _)) => {
            (at, ability) == (of, other)
        }
        (Action::Move(at, _), Action::Move(of, _)) => at == of,
        (Action::Battle, Action::Battle) | (Action::End, Action::End) => true,
        _ => false,
    }
}
