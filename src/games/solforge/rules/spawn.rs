//! Entering the field, moving on it, and coming back to it ("Batching", "Revival Effects").

use arrayvec::ArrayVec;

use crate::chance::Chance;
use crate::game::{Side, Watch};
use crate::games::solforge::SolForge;
use crate::games::solforge::ability::{Hook, Revival};
use crate::games::solforge::event::{Agent, Endless, Entry, Event, Ref};
use crate::games::solforge::rolls::Roll;
use crate::games::solforge::rules::trigger::News;
use crate::games::solforge::rules::turn::any_of;
use crate::games::solforge::rules::{Battle, Displaced, statics};
use crate::games::solforge::setup::Cards;
use crate::games::solforge::state::{Creature, DEATHS, Form, LANES, State};

/// Puts a fresh creature into a space, and nothing more. It starts on the defensive; one that enters after the
/// turn's own battle has missed it (SF-55).
pub(in crate::games::solforge) fn put(
    cards: &Cards,
    state: &mut State,
    side: Side,
    lane: u8,
    form: Form,
) {
    let data = cards.form(form);
    let id = state.next_id;
    state.next_id = state.next_id.saturating_add(1);
    *state.at_mut(side, lane) = Creature {
        id,
        form,
        attack: data.attack,
        health: data.health,
        armor: data.armor,
        regenerate: data.regenerate,
        mobility: data.mobility,
        battles: data.battles,
        keywords: data.keywords,
        defensive: true,
        battled: u16::from(state.fought && state.active == side),
        ..Creature::NOBODY
    };
    state.seen[side.index()].insert(form);
    statics::note_fresh(cards, state, side, lane);
}

impl<C: Chance<Roll>, W: Watch<SolForge>> Battle<'_, C, W> {
    /// Puts a creature into a space, without setting off anything yet. A creature that is still there leaves: if it is
    /// destroyed it waits elsewhere for the death check, otherwise it is replaced, which is no death ("Suruzal,
    /// Emissary of Varna"; SF-37, SF-79; decisions 16 and 24). The health that it lent goes, and what the new one lends
    /// comes (SF-44, decision 31).
    pub(super) fn place(&mut self, side: Side, lane: u8, form: Form, entry: Entry) -> Ref {
        let mut replaced = None;
        if self.state.standing.has(side, lane) {
            replaced = Some(self.reference(side, lane)).filter(|_| self.has_statics(side, lane));
            let by = if entry == Entry::Forged { Agent::Player } else { Agent::Ability };
            self.tell(Event::Replaced(self.reference(side, lane), by));
        } else if self.state.occupied.has(side, lane) {
            self.displace(*self.state.at(side, lane), side, lane);
        }
        put(self.cards(), self.state, side, lane, form);
        self.stirred.set(side, lane, true);
        self.statics_changed(side);
        if self.state.next_id == u16::MAX {
            self.give_up(Endless::Entering);
        }
        let who = self.reference(side, lane);
        self.tell(Event::Enters(who, entry));
        match (replaced, self.has_statics(side, lane)) {
            (Some(replaced), true) => self.tell(Event::StaticsChange(replaced, who)),
            (Some(replaced), false) => self.tell(Event::Statics(replaced, Some(lane), None)),
            (None, true) => self.tell(Event::Statics(who, None, Some(lane))),
            (None, false) => {}
        }
        who
    }

    /// Whether anything holds because of the creature in a space.
    pub(super) fn has_statics(&self, side: Side, lane: u8) -> bool {
        let creature = self.state.at(side, lane);
        let is_able = !creature.destroyed && !creature.blank;
        is_able && !self.cards().form(creature.form).touches.is_empty()
    }

    /// Sets a destroyed creature aside whose space was taken before the death check.
    fn displace(&mut self, creature: Creature, side: Side, lane: u8) {
        if self.displaced.try_push(Displaced { creature, side, lane }).is_err() {
            self.give_up(Endless::Displaced);
        }
    }

    /// Lets all creatures react to a creature that entered.
    pub(super) fn announce_entry(&mut self, who: Ref, forged: bool) {
        self.announce(News { forged, ..News::of(Hook::Enters, who) });
    }

    /// Puts a creature into a given space of a side, or into a random free one, without setting off anything yet. None
    /// where there is no room: then nothing happens (SF-25, SF-26, SF-27, SF-28, SF-79, SF-80).
    pub(super) fn enter(&mut self, side: Side, lane: Option<u8>, form: Form) -> Option<Ref> {
        let free = match lane {
            Some(lane) => self.state.is_free(side, lane).then_some(lane),
            None => self.free_lane(side, None, Roll::SpawnSpace),
        };
        let Some(lane) = free else {
            self.tell(Event::NoRoom { side, lane, form });
            return None;
        };
        Some(self.place(side, lane, form, Entry::Spawned))
    }

    /// Draws a free lane of a side other than `but`, all equally likely; None if there is none (SF-39).
    pub(super) fn free_lane(&mut self, side: Side, but: Option<u8>, roll: Roll) -> Option<u8> {
        let free: ArrayVec<u8, LANES> = (0..LANES as u8)
            .filter(|&lane| Some(lane) != but && self.state.is_free(side, lane))
            .collect();
        (!free.is_empty()).then(|| free[self.chance.pick(roll, free.len())])
    }

    /// Moves a creature to a free space of its side (SF-29).
    pub(super) fn move_to(&mut self, side: Side, from: u8, to: u8, by: Agent) {
        if from == to {
            return;
        }
        if !self.state.is_free(side, to) {
            return self.tell(Event::Stays(self.reference(side, from)));
        }
        if self.state.occupied.has(side, to) {
            self.displace(*self.state.at(side, to), side, to);
        }
        *self.state.at_mut(side, to) = *self.state.at(side, from);
        *self.state.at_mut(side, from) = Creature::NOBODY;
        self.stirred.set(side, to, true);
        statics::note(self.cards(), self.state, side, from);
        statics::note(self.cards(), self.state, side, to);
        self.note_killing(side, to);
        self.statics_changed(side);
        let who = self.reference(side, to);
        self.tell(Event::Moves(who, from, by));
        if !self.state.at(side, to).destroyed {
            self.tell(Event::Statics(who, Some(from), Some(to)));
        }
        // One that moves while it is destroyed sets nothing off: it will not see the next batch form.
        self.announce(News::of(Hook::Moves, who));
    }

    /// Whether a destroyed creature has lost its space to another.
    pub(super) fn is_displaced(&self, who: Ref) -> bool {
        self.displaced.iter().any(|displaced| displaced.creature.id == who.id)
    }

    /// Moves a destroyed creature that has lost its space to a free one, where it waits for the death check (SF-37)
    /// (decision 16).
    pub(super) fn move_displaced(&mut self, who: Ref, to: u8) {
        let side = who.side();
        if !self.state.is_free(side, to) {
            return;
        }
        let at = self.displaced.iter().position(|displaced| displaced.creature.id == who.id);
        let Some(Displaced { creature, lane, .. }) = at.map(|at| self.displaced.remove(at)) else {
            return;
        };
        if self.state.occupied.has(side, to) {
            self.displace(*self.state.at(side, to), side, to);
        }
        *self.state.at_mut(side, to) = creature;
        self.stirred.set(side, to, true);
        statics::note(self.cards(), self.state, side, to);
        let who = self.reference(side, to);
        self.tell(Event::Moves(who, lane, Agent::Ability));
    }

    /// Puts copies of dead creatures into random free spaces of a side. Each is drawn from all deaths of the game,
    /// whoever's they were, so what died often comes often (SF-73), and again and again (SF-75). Those that enter
    /// together all see each other enter (SF-76, SF-77, SF-78); otherwise only the earlier see the later (SF-74)
    /// ("Lyria, Muse of Varna", "Varna's Pact", decision 25).
    pub(super) fn revive(&mut self, side: Side, of: &Revival) {
        let meant = |form: &Form| {
            let data = self.setup.cards.form(*form);
            data.level <= of.level_at_most
                && of.faction.is_none_or(|faction| faction == data.faction)
                && (of.tribes == 0 || of.tribes & data.tribes != 0)
        };
        let dead: ArrayVec<Form, DEATHS> = self.state.dead.iter().copied().filter(meant).collect();
        let mut entered: ArrayVec<Ref, LANES> = ArrayVec::new();
        for _ in 0..of.count {
            if dead.is_empty() {
                self.tell(Event::NoRevival(side, false));
                break;
            }
            let Some(lane) = self.free_lane(side, None, Roll::SpawnSpace) else {
                self.tell(Event::NoRevival(side, true));
                break;
            };
            let form = dead[any_of(self.chance, Roll::Revived, &dead)];
            let who = self.place(side, lane, form, Entry::Revived);
            if of.together {
                entered.push(who);
            } else {
                self.announce_entry(who, false);
            }
        }
        for &who in &entered {
            self.announce_entry(who, false);
        }
    }
}
