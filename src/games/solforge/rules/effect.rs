//! What abilities do, one kind of effect after the other.

use arrayvec::ArrayVec;
use enumset::EnumSet;

use crate::chance::Chance;
use crate::game::{Side, Watch};
use crate::games::solforge::SolForge;
use crate::games::solforge::ability::{
    AbilityId, Amount, Effect, Gain, Pick, Spawned, Trigger, Who,
};
use crate::games::solforge::cards::vocabulary::{CopyOf, Space, Until, Whose};
use crate::games::solforge::event::{Agent, Endless, Entry, Event, Gained, Ref};
use crate::games::solforge::keyword::Keyword;
use crate::games::solforge::rolls::Roll;
use crate::games::solforge::rules::select::TARGETS;
use crate::games::solforge::rules::{Battle, Because, Chosen, Waiting, first_chosen};
use crate::games::solforge::state::{Creature, LANES, PILE, PutOff};

impl<C: Chance<Roll>, W: Watch<SolForge>> Battle<'_, C, W> {
    /// Carries out one effect. Everything that it kills is killed at the same time ("Batching: Death Check"; SF-11,
    /// SF-12; decision 3).
    pub(super) fn take_effect(&mut self, effect: &Effect, cause: &Waiting, chosen: &[Chosen]) {
        self.next_stamp();
        let owner = cause.source.side();
        match *effect {
            Effect::Gain(ref who, ref gain) => {
                let targets = self.targets(who, cause, chosen);
                let of_all;
                let gain = if targets.len() > 1 {
                    of_all = self.gain_for_all(gain, cause, chosen);
                    &of_all
                } else {
                    gain
                };
                for target in targets {
                    if let Pick::Creature(side, lane) = target {
                        let mut settle = |amount| self.amount(amount, cause, chosen, target);
                        let gained = Gained {
                            attack: settle(gain.attack),
                            health: settle(gain.health),
                            armor: settle(gain.armor),
                            poison: settle(gain.poison),
                            regenerate: settle(gain.regenerate),
                            mobility: settle(gain.mobility),
                            battles: settle(gain.battles),
                            keywords: gain.keywords,
                            until: gain.until,
                        };
                        self.gain(side, lane, gained);
                    }
                }
            }
            Effect::Swap(ref who) => {
                self.on_creatures(who, cause, chosen, |battle, side, lane| {
                    battle.swap(cause.source, side, lane);
                });
            }
            Effect::Damage(ref who, amount) => {
                let by = Some(cause.source);
                self.on_each(who, amount, cause, chosen, |battle, target, amount| match target {
                    Pick::Creature(side, lane) => {
                        battle.damage_creature(by, side, lane, amount, Because::Alive);
                    }
                    Pick::Player(side) => {
                        battle.damage_player(by, side, amount);
                    }
                    Pick::Nothing | Pick::Space(..) | Pick::Card(_) => {}
                });
            }
            Effect::Heal(ref who, amount) => {
                self.on_each(who, amount, cause, chosen, |battle, target, amount| {
                    if let Pick::Creature(side, lane) = target {
                        battle.heal(Some(cause.source), side, lane, amount);
                    }
                });
            }
            Effect::Life(ref who, amount) => {
                self.on_players(who, amount, cause, chosen, Self::change_life)
            }
            Effect::Destroy(ref who) => {
                self.on_creatures(who, cause, chosen, |battle, side, lane| {
                    battle.destroy(side, lane);
                });
            }
            Effect::Spawn(spawned, to) => self.put_on_field(spawned, to, cause, chosen),
            Effect::Revive(ref of) => self.revive(owner, of),
            Effect::Move(Who::Itself, to, even_if_destroyed) => {
                self.move_itself(to, even_if_destroyed, cause, chosen);
            }
            Effect::Move(ref who, to, _) => {
                for target in self.targets(who, cause, chosen) {
                    if let Pick::Creature(side, from) = target {
                        match self.space_to_move(to, side, Some(from), cause, chosen) {
                            Some(to) => self.move_to(side, from, to, Agent::Ability),
                            None => self.tell(Event::Stays(self.reference(side, from))),
                        }
                    }
                }
            }
            Effect::Lose(ref who, keywords, abilities) => {
                self.on_creatures(who, cause, chosen, |battle, side, lane| {
                    battle.lose(side, lane, keywords, abilities);
                });
            }
            Effect::Replace(ref who, form) => {
                let mut entered: ArrayVec<Ref, { 2 * LANES }> = ArrayVec::new();
                for target in self.targets(who, cause, chosen) {
                    if let Pick::Creature(side, lane) = target {
                        entered.push(self.place(side, lane, form, Entry::Spawned));
                    }
                }
                // All of them see each other enter.
                for &who in &entered {
                    self.announce_entry(who, false);
                }
            }
            Effect::ReturnToHand(ref who) => {
                self.on_creatures(who, cause, chosen, |battle, side, lane| {
                    battle.return_to_hand(side, lane);
                });
            }
            Effect::Later(ability, remembers) => self.put_off(ability, remembers, cause, chosen),
            Effect::Plays(ref who, amount) => {
                self.on_players(who, amount, cause, chosen, |battle, side, amount| {
                    let before = i16::from(battle.state.player(side).plays);
                    let plays = before.saturating_add(amount).clamp(0, u8::MAX.into());
                    battle.state.player_mut(side).plays = plays as u8;
                    battle.tell(Event::MayPlay(side, plays - before));
                });
            }
            Effect::Grant(ref who, ability, until) => {
                self.on_creatures(who, cause, chosen, |battle, side, lane| {
                    battle.grant(side, lane, ability, until);
                });
            }
            Effect::Draw(ref who, amount) => {
                self.on_players(who, amount, cause, chosen, |battle, side, amount| {
                    battle.draw(side, amount.max(0) as usize, Agent::Ability);
                })
            }
            Effect::DiscardDownTo(ref who, amount) => {
                self.on_players(who, amount, cause, chosen, |battle, side, amount| {
                    battle.discard_down_to(side, amount.max(0) as usize);
                });
            }
            Effect::LevelChosen => {
                for &Chosen { pick, who, .. } in first_chosen(chosen) {
                    // It may have left the hand since it was chosen.
                    let hand = &self.state.player(owner).hand;
                    if matches!(pick, Pick::Card(_))
                        && let Some(at) = hand.iter().position(|&card| card == who.form)
                    {
                        self.level(owner, at, Agent::Ability);
                    }
                }
            }
            Effect::LookForBattles => self.look_for_battles(owner),
        }
    }

    /// Puts a creature into a space of the ability's player. Where the space, or the creature that is copied, is
    /// chosen, it puts one there for each that was chosen; several see each other enter (decisions 28 and 32).
    fn put_on_field(&mut self, spawned: Spawned, to: Space, cause: &Waiting, chosen: &[Chosen]) {
        if to != Space::Chosen && spawned != Spawned::Copy(CopyOf::Chosen) {
            if let Some(who) = self.put_one_on_field(spawned, to, cause, None) {
                self.announce_entry(who, false);
            }
            return;
        }
        let mut entered: ArrayVec<Ref, LANES> = ArrayVec::new();
        for of in first_chosen(chosen) {
            entered.extend(self.put_one_on_field(spawned, to, cause, Some(of)));
        }
        for &who in &entered {
            self.announce_entry(who, false);
        }
    }

    fn put_one_on_field(
        &mut self,
        spawned: Spawned,
        to: Space,
        cause: &Waiting,
        chosen: Option<&Chosen>,
    ) -> Option<Ref> {
        let form = match spawned {
            Spawned::Form(form) => form,
            Spawned::Copy(CopyOf::Itself) => cause.source.form,
            Spawned::Copy(CopyOf::Chosen) => chosen.filter(|of| of.who.id != 0)?.who.form,
        };
        let side = cause.source.side();
        let lane = match to {
            Space::Random => None,
            Space::Adjacent => {
                let free = self.adjacent_lane(side, cause, Roll::SpawnSpace);
                if free.is_none() {
                    self.tell(Event::NoRoomBeside(cause.source, form));
                }
                Some(free?)
            }
            Space::Here | Space::Subject | Space::Chosen => Some(self.space(to, cause, chosen)?),
        };
        self.enter(side, lane, form)
    }

    /// Moves the creature that has the ability. It may be destroyed and out of its space by now ("Storm Bringer and
    /// Poison", SF-36, SF-37): it then moves only with `even_if_destroyed` ("Grimgaunt Doomrider", SF-66, SF-68,
    /// SF-70).
    fn move_itself(
        &mut self,
        to: Space,
        even_if_destroyed: bool,
        cause: &Waiting,
        chosen: &[Chosen],
    ) {
        let owner = cause.source.side();
        let place = self.locate(cause.source);
        let may_move =
            |&(side, lane): &(Side, u8)| even_if_destroyed || !self.state.at(side, lane).destroyed;
        let from = place.filter(may_move).map(|(_, lane)| lane);
        if from.is_none() && !(even_if_destroyed && self.is_displaced(cause.source)) {
            return;
        }
        match (from, self.space_to_move(to, owner, from, cause, chosen)) {
            (Some(from), Some(to)) => self.move_to(owner, from, to, Agent::Ability),
            (None, Some(to)) => self.move_displaced(cause.source, to),
            (_, None) => self.tell(Event::Stays(cause.source)),
        }
    }

    /// The lane that a creature of a side moves to ("Storm Bringer and Poison", "Grimgaunt Doomrider"; SF-29, SF-36,
    /// SF-39, SF-66).
    fn space_to_move(
        &mut self,
        to: Space,
        side: Side,
        from: Option<u8>,
        cause: &Waiting,
        chosen: &[Chosen],
    ) -> Option<u8> {
        match to {
            Space::Random => self.free_lane(side, from, Roll::MoveSpace),
            Space::Adjacent => self.adjacent_lane(side, cause, Roll::MoveSpace),
            Space::Here | Space::Subject | Space::Chosen => {
                self.space(to, cause, first_chosen(chosen).next())
            }
        }
    }

    /// Draws a lane of a side that is free and next to the creature that has the ability, all equally likely; None if
    /// there is none (SF-X).
    fn adjacent_lane(&mut self, side: Side, cause: &Waiting, roll: Roll) -> Option<u8> {
        let lane = self.locate(cause.source).map_or(cause.source.lane, |(_, lane)| lane);
        let next = [lane.checked_sub(1), Some(lane + 1).filter(|&next| next < LANES as u8)];
        let free: ArrayVec<u8, 2> =
            next.into_iter().flatten().filter(|&next| self.state.is_free(side, next)).collect();
        (!free.is_empty()).then(|| free[self.chance.pick(roll, free.len())])
    }

    /// Takes keywords from a creature and, if `abilities`, also its abilities, printed or granted, and its statics
    /// (decision 28).
    fn lose(&mut self, side: Side, lane: u8, keywords: EnumSet<Keyword>, abilities: bool) {
        let had_statics = self.has_statics(side, lane);
        let creature = self.state.at(side, lane);
        let [now, next] = &creature.fading;
        let had = creature.keywords | now.keywords | next.keywords;
        let printed = self.cards().form(creature.form);
        let has_printed = !(printed.abilities.is_empty() && printed.statics.is_empty());
        let had_abilities = creature.grants > 0 || has_printed && !creature.blank;
        let creature = self.state.at_mut(side, lane);
        creature.keywords -= keywords;
        for fading in &mut creature.fading {
            fading.keywords -= keywords;
        }
        if abilities {
            creature.lose_abilities();
            super::statics::note(self.cards(), self.state, side, lane);
            self.note_killing(side, lane);
            self.statics_changed(side);
        } else {
            let fades = creature.fades();
            self.state.fading.set(side, lane, fades);
        }
        let who = self.reference(side, lane);
        self.tell(Event::Loses {
            who,
            keywords: keywords & had,
            abilities: abilities && had_abilities,
        });
        if abilities && had_statics {
            self.tell(Event::Statics(who, Some(lane), None));
        }
    }

    /// Returns a creature to its player's hand, at its level and as it is printed. It leaves without dying. A token is
    /// gone (decision 28), and so is a card for which there is no room.
    fn return_to_hand(&mut self, side: Side, lane: u8) {
        let (who, had_statics) = (self.reference(side, lane), self.has_statics(side, lane));
        *self.state.at_mut(side, lane) = Creature::NOBODY;
        super::statics::note(self.cards(), self.state, side, lane);
        self.statics_changed(side);
        let player = self.state.player_mut(side);
        let cards = player.hand.len() + player.deck.len() + player.discard.len();
        let returns = !self.setup.cards.card(who.form).token && cards < PILE;
        if returns {
            player.hand.push(who.form);
        }
        self.tell(Event::Returns(who, returns));
        if had_statics {
            self.tell(Event::Statics(who, Some(lane), None));
        }
    }

    /// Puts an ability off. If it `remembers` a creature, it is put off once for each that was chosen or, without a
    /// choice, for the one that set this ability off (decision 29).
    fn put_off(&mut self, ability: AbilityId, remembers: bool, cause: &Waiting, chosen: &[Chosen]) {
        if !remembers {
            self.put_off_with(ability, cause, Ref::default());
        } else if first_chosen(chosen).next().is_none() {
            self.put_off_with(ability, cause, cause.subject);
        }
        for chosen in first_chosen(chosen).filter(|_| remembers) {
            self.put_off_with(ability, cause, chosen.who);
        }
    }

    fn put_off_with(&mut self, ability: AbilityId, cause: &Waiting, remembered: Ref) {
        let Trigger::Later(at) = self.cards().ability(ability).trigger else { return };
        let who = |who: Ref| match self.locate(who) {
            Some((side, lane)) => self.reference(side, lane),
            None => Ref { id: 0, ..who },
        };
        let (source, subject) = (who(cause.source), who(remembered));
        self.tell(Event::PutsOff(cause.source, at));
        if !self.state.put_off.try_push(PutOff { ability, at, source, subject }) {
            self.give_up(Endless::PutOff);
        }
    }

    fn on_creatures(
        &mut self,
        who: &Who,
        cause: &Waiting,
        chosen: &[Chosen],
        act: impl Fn(&mut Self, Side, u8),
    ) {
        for target in self.targets(who, cause, chosen) {
            if let Pick::Creature(side, lane) = target {
                act(self, side, lane);
            }
        }
    }

    fn on_players(
        &mut self,
        who: &Who,
        amount: Amount,
        cause: &Waiting,
        chosen: &[Chosen],
        act: impl Fn(&mut Self, Side, i16),
    ) {
        self.on_each(who, amount, cause, chosen, |battle, target, amount| {
            if let Pick::Player(side) = target {
                act(battle, side, amount);
            }
        });
    }

    /// Calls `act` with each target of an effect and what the amount is for it. Amounts are read before any target
    /// changes, because the effect happens to all at the same time (decision 3).
    #[inline(always)]
    fn on_each(
        &mut self,
        who: &Who,
        amount: Amount,
        cause: &Waiting,
        chosen: &[Chosen],
        act: impl Fn(&mut Self, Pick, i16),
    ) {
        let targets = self.targets(who, cause, chosen);
        if let Amount::Read(..) = amount
            && targets.len() > 1
        {
            let read = |&target: &Pick| (target, self.amount(amount, cause, chosen, target));
            let amounts: ArrayVec<(Pick, i16), TARGETS> = targets.iter().map(read).collect();
            for (target, amount) in amounts {
                act(self, target, amount);
            }
            return;
        }
        for target in targets {
            let amount = self.amount(amount, cause, chosen, target);
            act(self, target, amount);
        }
    }

    /// The gain of several creatures, with every number read that is the same for all of them. Numbers that are read
    /// off each target stay as they are, since the gains of others do not change them (decision 3).
    #[inline(never)]
    fn gain_for_all(&mut self, gain: &Gain, cause: &Waiting, chosen: &[Chosen]) -> Gain {
        let mut settle = |amount| self.amount_for_all(amount, cause, chosen);
        Gain {
            attack: settle(gain.attack),
            health: settle(gain.health),
            armor: settle(gain.armor),
            poison: settle(gain.poison),
            regenerate: settle(gain.regenerate),
            mobility: settle(gain.mobility),
            battles: settle(gain.battles),
            ..*gain
        }
    }

    /// An amount, read now if it is the same for all targets.
    fn amount_for_all(&mut self, amount: Amount, cause: &Waiting, chosen: &[Chosen]) -> Amount {
        match amount {
            Amount::Fixed(_) | Amount::Random(..) | Amount::Read(_, Whose::Target, _) => amount,
            Amount::Read(_, Whose::Itself | Whose::Chosen | Whose::You | Whose::Opponent, _) => {
                Amount::Fixed(self.amount(amount, cause, chosen, Pick::Nothing))
            }
        }
    }

    /// Changes a player's life, up or down, without dealing damage ("Player Death During Combat"; SF-57, SF-60;
    /// decision 11).
    fn change_life(&mut self, side: Side, change: i16) {
        let player = self.state.player_mut(side);
        player.life = player.life.saturating_add(change);
        self.note_killing_by_life(side);
        self.tell(Event::Life(side, change));
    }

    /// Grants a creature another ability. A creature that has as many as it can hold takes no more.
    fn grant(&mut self, side: Side, lane: u8, ability: AbilityId, until: Until) {
        if self.state.at_mut(side, lane).grant(ability, until) {
            super::statics::note(self.cards(), self.state, side, lane);
            let who = self.reference(side, lane);
            self.tell(Event::Granted(who, ability, until));
        }
    }

    /// Destroys a creature: it does nothing more, its space is free, and it leaves at the next death check (SF-79)
    /// (decision 16).
    fn destroy(&mut self, side: Side, lane: u8) {
        let (stamp, had_statics) = (self.state.kills, self.has_statics(side, lane));
        let creature = self.state.at_mut(side, lane);
        creature.destroyed = true;
        if creature.killed == 0 {
            creature.killed = stamp;
        }
        self.stirred.set(side, lane, true);
        super::statics::note(self.cards(), self.state, side, lane);
        self.statics_changed(side);
        let who = self.reference(side, lane);
        self.tell(Event::Destroyed(who));
        if had_statics {
            self.tell(Event::Statics(who, Some(lane), None));
        }
    }

    /// The lane of a space that takes no dice; None for random spaces, or if no space or creature was chosen
    /// ("Batching", "Grimgaunt Doomrider"; SF-25, SF-28, SF-29, SF-66).
    fn space(&self, space: Space, cause: &Waiting, chosen: Option<&Chosen>) -> Option<u8> {
        match space {
            Space::Here => {
                Some(self.locate(cause.source).map_or(cause.source.lane, |(_, lane)| lane))
            }
            Space::Subject => Some(cause.subject.lane),
            Space::Random | Space::Adjacent => None,
            Space::Chosen => match chosen?.pick {
                Pick::Space(_, lane) | Pick::Creature(_, lane) => Some(lane),
                Pick::Nothing | Pick::Player(_) | Pick::Card(_) => None,
            },
        }
    }
}
