//! Creatures, players and the table between them, and the effect of statics on numbers.

use enumset::EnumSet;
use evens::game::{Outcome, Side};
use evens::games::solforge::ability::{AbilityId, Static};
use evens::games::solforge::cards::vocabulary::{Later, StaticWho};
use evens::games::solforge::keyword::Keyword;
use evens::games::solforge::setup::Cards;
use evens::games::solforge::state::Form;

pub const LANES: usize = 5;

/// A space: a side (0 is A) and a lane from the left.
pub type Space = (usize, usize);

/// The numbers of a creature that can change for a while.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Numbers {
    pub attack: i32,
    pub health: i32,
    pub armor: i32,
    pub mobility: i32,
    pub battles: i32,
    pub keywords: EnumSet<Keyword>,
}

/// A creature on the field.
#[derive(Clone, Debug, PartialEq)]
pub struct Creature {
    pub id: u16,
    pub form: Form,
    pub own: Numbers,
    pub damage: i32,
    pub armor_used: i32,
    pub poison: i32,
    pub regenerate: i32,
    pub destroyed: bool,
    pub defensive: bool,
    pub battled: i32,
    pub activated: i32,
    pub moved: bool,
    /// Whether it has lost the abilities printed on it.
    pub blank: bool,
    /// The changes that end with this turn, and those that end with the next.
    pub ends: [Numbers; 2],
    /// Abilities that it was given, and for how many more ends of turns; 0 is for ever.
    pub granted: Vec<(AbilityId, u8)>,
    /// The moment at which it was killed; None while it is alive.
    pub killed: Option<u32>,
}

impl Creature {
    pub fn new(cards: &Cards, form: Form, id: u16) -> Self {
        let data = cards.form(form);
        Self {
            id,
            form,
            own: Numbers {
                attack: data.attack.into(),
                health: data.health.into(),
                armor: data.armor.into(),
                mobility: data.mobility.into(),
                battles: data.battles.into(),
                keywords: data.keywords,
            },
            damage: 0,
            armor_used: 0,
            poison: 0,
            regenerate: data.regenerate.into(),
            destroyed: false,
            defensive: true,
            battled: 0,
            activated: 0,
            moved: false,
            blank: false,
            ends: [Numbers::default(), Numbers::default()],
            granted: Vec::new(),
            killed: None,
        }
    }

    pub fn has(&self, keyword: Keyword) -> bool {
        let all = [self.own.keywords, self.ends[0].keywords, self.ends[1].keywords];
        all.iter().any(|keywords| keywords.contains(keyword))
    }

    /// "Aggressive = always on the offensive."
    pub fn is_offensive(&self) -> bool {
        !self.defensive || self.has(Keyword::Aggressive)
    }

    /// "Defender = never starts a battle."
    pub fn attacks(&self) -> bool {
        self.is_offensive() && !self.has(Keyword::Defender)
    }

    /// Ends the changes that lasted until the end of the turn: each "causes the inverse effect, whether or not that
    /// stat boost is still present" (SF-43).
    pub fn end_of_turn(&mut self) {
        let ended = self.ends[0].clone();
        self.ends = [self.ends[1].clone(), Numbers::default()];
        self.own.attack -= ended.attack;
        self.own.health -= ended.health;
        self.own.armor -= ended.armor;
        self.own.mobility -= ended.mobility;
        self.own.battles -= ended.battles;
        self.granted.retain(|&(_, turns)| turns != 1);
        for (_, turns) in &mut self.granted {
            *turns = turns.saturating_sub(1);
        }
    }
}

/// An effect that was put off.
#[derive(Clone, Debug, PartialEq)]
pub struct PutOff {
    pub ability: AbilityId,
    pub at: Later,
    pub owner: usize,
    /// The creatures that put it off and that it is about, by number; None once they have left the field.
    pub source: Option<u16>,
    pub subject: Option<u16>,
}

/// A player.
#[derive(Clone, Debug, PartialEq)]
pub struct Player {
    pub life: i32,
    pub armor: i32,
    pub armor_used: i32,
    pub rank: i32,
    pub turns: i32,
    /// Cards that may still be played this turn.
    pub plays: i32,
    pub played: i32,
    pub hand: Vec<Form>,
    pub deck: Vec<Form>,
    pub discard: Vec<Form>,
}

/// The state of a whole game.
#[derive(Clone, Debug)]
pub struct Table {
    pub field: [[Option<Creature>; LANES]; 2],
    pub players: [Player; 2],
    pub active: usize,
    pub battles_open: i32,
    pub fought: bool,
    pub sudden_death: bool,
    pub verdict: Option<Outcome>,
    pub dead: Vec<Form>,
    pub put_off: Vec<PutOff>,
    pub next_id: u16,
    /// Destroyed creatures whose space was taken by another one, with that space.
    pub displaced: Vec<(Creature, Space)>,
}

/// All spaces, side A's from left to right, then side B's.
pub fn spaces() -> Vec<Space> {
    (0..2).flat_map(|side| (0..LANES).map(move |lane| (side, lane))).collect()
}

pub fn side(of: usize) -> Side {
    Side(of as u8)
}

impl Table {
    pub fn at(&self, (side, lane): Space) -> Option<&Creature> {
        self.field[side][lane].as_ref()
    }

    pub fn at_mut(&mut self, (side, lane): Space) -> Option<&mut Creature> {
        self.field[side][lane].as_mut()
    }

    /// The creature in a space, unless it is destroyed: "a destroyed creature's space is free at once".
    pub fn standing(&self, space: Space) -> Option<&Creature> {
        self.at(space).filter(|creature| !creature.destroyed)
    }

    pub fn is_free(&self, space: Space) -> bool {
        self.standing(space).is_none()
    }

    pub fn free_lanes(&self, side: usize) -> Vec<usize> {
        (0..LANES).filter(|&lane| self.is_free((side, lane))).collect()
    }

    /// Numbers creatures by their space once nothing is waiting, and sorts the piles, which have no order.
    pub fn tidy(&mut self) {
        self.number();
        for player in &mut self.players {
            player.deck.sort_unstable();
            player.discard.sort_unstable();
        }
        self.dead.sort_unstable();
    }

    /// Numbers creatures by their space.
    pub fn number(&mut self) {
        for at in 0..self.put_off.len() {
            let who = [self.put_off[at].source, self.put_off[at].subject];
            let [source, subject] = who.map(|id| {
                let (side, lane) = id.and_then(|id| self.find(id))?;
                Some((side * LANES + lane + 1) as u16)
            });
            (self.put_off[at].source, self.put_off[at].subject) = (source, subject);
        }
        for (side, lane) in spaces() {
            if let Some(creature) = self.at_mut((side, lane)) {
                creature.id = (side * LANES + lane + 1) as u16;
            }
        }
        self.next_id = 2 * LANES as u16 + 1;
    }

    /// The space of a creature, destroyed or not.
    pub fn find(&self, id: u16) -> Option<Space> {
        spaces().into_iter().find(|&space| id != 0 && self.at(space).is_some_and(|c| c.id == id))
    }

    /// The statics that act on a space, "in left to right order" (SF-40).
    fn statics_on(&self, cards: &Cards, space: Space) -> Vec<Static> {
        let (side, lane) = space;
        let mut found = Vec::new();
        for from in 0..LANES {
            let source = self.standing((side, from)).filter(|creature| !creature.blank);
            let Some(source) = source else { continue };
            for at in cards.form(source.form).statics.clone() {
                let of = cards.statics[usize::from(at)];
                let reaches = match of.who {
                    StaticWho::Itself => from == lane,
                    StaticWho::Adjacent => from.abs_diff(lane) == 1,
                    StaticWho::Others => from != lane,
                    StaticWho::Friends => true,
                    StaticWho::You => false,
                };
                if reaches && of.in_center.is_none_or(|center| center == (from == 2)) {
                    found.push(of);
                }
            }
        }
        found
    }

    /// Current attack and health.
    fn size(&self, cards: &Cards, space: Space) -> (i32, i32) {
        let Some(creature) = self.at(space) else { return (0, 0) };
        let mut attack = creature.own.attack;
        let mut health = creature.own.health - creature.damage;
        for of in self.statics_on(cards, space) {
            attack += i32::from(of.attack);
            health += i32::from(of.health);
            if of.attack_is_health {
                attack = health;
            }
            if of.plus_life {
                attack += self.players[space.0].life;
                health += self.players[space.0].life;
            }
        }
        (attack, health)
    }

    pub fn attack(&self, cards: &Cards, space: Space) -> i32 {
        self.size(cards, space).0
    }

    pub fn health(&self, cards: &Cards, space: Space) -> i32 {
        self.size(cards, space).1
    }

    pub fn armor(&self, cards: &Cards, space: Space) -> i32 {
        let own = self.at(space).map_or(0, |creature| creature.own.armor);
        own + self.statics_on(cards, space).iter().map(|of| i32::from(of.armor)).sum::<i32>()
    }

    pub fn regenerate(&self, cards: &Cards, space: Space) -> i32 {
        let own = self.at(space).map_or(0, |creature| creature.regenerate);
        own + self.statics_on(cards, space).iter().map(|of| i32::from(of.regenerate)).sum::<i32>()
    }

    /// How often it may battle in this turn: once, and in its owner's turn additionally as often as effects allow.
    pub fn battles(&self, cards: &Cards, space: Space) -> i32 {
        let own = self.at(space).map_or(0, |creature| creature.own.battles);
        let more =
            self.statics_on(cards, space).iter().map(|of| i32::from(of.battles)).sum::<i32>();
        if space.0 == self.active { 1 + own + more } else { 1 }
    }

    pub fn player_armor(&self, cards: &Cards, side: usize) -> i32 {
        let mut armor = self.players[side].armor;
        for lane in 0..LANES {
            let source = self.standing((side, lane)).filter(|creature| !creature.blank);
            let Some(source) = source else { continue };
            for at in cards.form(source.form).statics.clone() {
                let of = cards.statics[usize::from(at)];
                if of.who == StaticWho::You && of.in_center.is_none_or(|c| c == (lane == 2)) {
                    armor += i32::from(of.armor);
                }
            }
        }
        armor
    }
}
