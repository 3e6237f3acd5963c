//! Spaces, entering and moving, revival, and cards that leave the hand.

use evens::games::solforge::ability::Revival;
use evens::games::solforge::cards::vocabulary::Space as Where;
use evens::games::solforge::rolls::Roll;
use evens::games::solforge::state::Form;

use super::choose::Chosen;
use super::game::{Game, Happening, Mark, Waiting};
use super::table::{Creature, Space};

impl Game<'_> {
    /// The lane to which an ability moves a creature; None if there is none.
    pub fn space_for(
        &mut self,
        to: Where,
        from: Space,
        of: &Waiting,
        chosen: &[Chosen],
    ) -> Option<usize> {
        match to {
            Where::Random => {
                let free = self.table.free_lanes(from.0);
                let free: Vec<usize> = free.into_iter().filter(|&lane| lane != from.1).collect();
                (!free.is_empty()).then(|| free[self.dice.pick(Roll::MoveSpace, free.len())])
            }
            Where::Adjacent => {
                // "To a free space of the same side", next to the ability's bearer.
                let (_, lane) = self.place_of(of.source);
                let mut free = self.table.free_lanes(from.0);
                free.retain(|other| other.abs_diff(lane) == 1);
                (!free.is_empty()).then(|| free[self.dice.pick(Roll::MoveSpace, free.len())])
            }
            Where::Here | Where::Subject | Where::Chosen => {
                let lane = self.lane(to, of, chosen)?;
                self.table.is_free((from.0, lane)).then_some(lane)
            }
        }
    }

    /// A lane of the ability's own side; None if none is free.
    pub fn space(
        &mut self,
        to: Where,
        roll: Roll,
        of: &Waiting,
        chosen: &[Chosen],
    ) -> Option<usize> {
        let own = of.source.space.0;
        let wanted = match to {
            Where::Here | Where::Subject | Where::Chosen => self.lane(to, of, chosen)?,
            Where::Adjacent => {
                let (side, lane) = self.place_of(of.source);
                let free = self.table.free_lanes(side);
                let free: Vec<usize> =
                    free.into_iter().filter(|other| other.abs_diff(lane) == 1).collect();
                return (!free.is_empty()).then(|| free[self.dice.pick(roll, free.len())]);
            }
            Where::Random => {
                let mut free = self.table.free_lanes(own);
                if roll == Roll::MoveSpace {
                    // A creature does not move to where it already is.
                    free.retain(|&lane| self.place_of(of.source) != (own, lane));
                }
                if free.is_empty() {
                    return None;
                }
                return Some(free[self.dice.pick(roll, free.len())]);
            }
        };
        self.table.is_free((own, wanted)).then_some(wanted)
    }

    /// A lane that is given without a die.
    fn lane(&self, to: Where, of: &Waiting, chosen: &[Chosen]) -> Option<usize> {
        match to {
            Where::Here => Some(self.place_of(of.source).1),
            Where::Subject => Some(of.subject?.space.1),
            Where::Chosen => chosen.iter().find_map(|of| match of {
                Chosen::Creature(mark) => Some(mark.space.1),
                Chosen::Free(space) => Some(space.1),
                _ => None,
            }),
            Where::Adjacent | Where::Random => None,
        }
    }

    /// Puts a creature into a space, on the defensive.
    pub fn enter(&mut self, form: Form, space: Space) -> Mark {
        let mut creature = Creature::new(self.cards, form, self.table.next_id);
        self.table.next_id += 1;
        // "A creature that wasn't on the field during the primary battle step doesn't get to" redo it (SF-55).
        creature.battled = i32::from(self.table.fought && self.table.active == space.0);
        self.make_room(space);
        self.table.field[space.0][space.1] = Some(creature);
        self.mark(space)
    }

    /// Clears a space. A destroyed creature whose space is taken still dies at the next check.
    pub fn make_room(&mut self, (side, lane): Space) {
        if let Some(creature) = self.table.field[side][lane].take()
            && creature.destroyed
        {
            self.table.displaced.push((creature, (side, lane)));
        }
    }

    /// Moves a creature to another lane of its side, where a destroyed creature makes room.
    pub fn walk(&mut self, from: Space, lane: usize) {
        let creature = self.table.field[from.0][from.1].take().expect("somebody moves");
        let alive = !creature.destroyed;
        self.make_room((from.0, lane));
        self.table.field[from.0][lane] = Some(creature);
        if alive {
            self.happens(Happening::Moves { who: self.mark((from.0, lane)) });
        }
    }

    /// Revives creatures: "Every time a creature dies another copy of that creature is added to the list"; Lyria's come
    /// one after another, the Pact's "simultaneously".
    pub fn revive(&mut self, own: usize, of: &Revival) {
        let mut entered = Vec::new();
        let meant = |form: &Form| {
            let data = self.cards.form(*form);
            data.level <= of.level_at_most
                && of.faction.is_none_or(|faction| data.faction == faction)
                && (of.tribes == 0 || data.tribes & of.tribes != 0)
        };
        let dead: Vec<Form> = self.table.dead.iter().copied().filter(meant).collect();
        for _ in 0..of.count {
            let free = self.table.free_lanes(own);
            if dead.is_empty() || free.is_empty() {
                break;
            }
            let form = dead[self.drawn(Roll::Revived, &dead)];
            let lane = free[self.dice.pick(Roll::SpawnSpace, free.len())];
            let who = self.enter(form, (own, lane));
            if of.together {
                entered.push(who);
            } else {
                self.happens(Happening::Enters { who, forged: false });
            }
        }
        for who in entered {
            self.happens(Happening::Enters { who, forged: false });
        }
    }

    pub fn discard_down_to(&mut self, side: usize, count: usize) {
        while self.table.players[side].hand.len() > count {
            let mut hand = std::mem::take(&mut self.table.players[side].hand);
            let at = if count == 0 { hand.len() - 1 } else { self.drawn(Roll::Discard, &hand) };
            let card = hand.remove(at);
            self.table.players[side].hand = hand;
            self.table.players[side].discard.push(card);
        }
    }

    /// Removes a card from the hand: "Playing a card puts the next-level version in the discard pile", and so does
    /// levelling it.
    pub fn level(&mut self, side: usize, at: usize) -> Form {
        let player = &mut self.table.players[side];
        let form = player.hand.remove(at);
        player.discard.extend(self.cards.form(form).levels_to);
        form
    }
}
