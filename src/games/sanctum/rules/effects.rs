//! What effects do where a pipeline comes to them. The page names the points; what effects say is data, held in place by
//! the SA-X cases.

use super::Battle;
use super::takes_damage::Damage;
use crate::chance::Chance;
use crate::game::Watch;
use crate::games::sanctum::Sanctum;
use crate::games::sanctum::effect::{Effect, Harm, Stat, Target, Trigger, Verb, Weapon};
use crate::games::sanctum::event::{Choice, Event, Happened};
use crate::games::sanctum::rolls::Roll;
use crate::games::sanctum::setup::Setup;
use crate::games::sanctum::state::{Minion, Place, Places, Precedence, State, Stats};

impl<C: Chance<Roll>, W: Watch<Sanctum>> Battle<'_, C, W> {
    /// All effects of a moment, "in group precedence order": the group's own, then its minions', first to last (C1, R1, C4;
    /// SA-18, SA-24, SA-27; decision 16).
    #[inline]
    pub(super) fn happen(&mut self, when: Trigger) {
        for precedence in Precedence::BOTH {
            if self.state.triggers[precedence.index()].contains(when) {
                self.happen_in_group(precedence, when);
            }
        }
    }

    /// All effects of a moment in one group: its own, then its minions', first to last (C1, R1, C4; SA-18, SA-24, SA-27;
    /// decision 16).
    fn happen_in_group(&mut self, precedence: Precedence, when: Trigger) {
        let group = usize::from(self.state.fighting[precedence.index()]);
        let own = self.setup.group_effects(self.state.stratum, group);
        for effect in own.iter().filter(|effect| effect.when == when) {
            self.apply(effect, None, precedence, None);
        }
        for who in Places::of(precedence) {
            if self.state.present.has(who) && self.kind(who).triggers.contains(when) {
                self.happen_to(who, when, None, None);
            }
        }
    }

    /// All effects of a minion at a point of a pipeline, in the order in which they are written down. `weapon` is
    /// what the attack at hand is made with, where one is (A4, A5, A8, Minion Death; SA-65, SA-66, SA-72, SA-X; decisions
    /// 16 and 19).
    #[inline(never)]
    pub(super) fn happen_to(
        &mut self,
        bearer: Place,
        when: Trigger,
        foe: Option<Place>,
        weapon: Option<Weapon>,
    ) {
        for effect in &self.kind(bearer).effects {
            // With `deal_nothing` the weapon is what is silenced.
            let other_weapon = weapon.is_some()
                && effect.does != Verb::DealNothing
                && effect.weapon.is_some_and(|only| Some(only) != weapon);
            if effect.when == when && !other_weapon {
                self.apply(effect, Some(bearer), bearer.precedence(), foe);
            }
        }
    }

    /// What the bearer's effects make of an attack on it (D1, D3). `attack` is what it is made with and how it
    /// meets immunities (SA-47, SA-X; decision 20).
    #[inline(never)]
    pub(super) fn answer_hit(
        &mut self,
        on: Place,
        by: Place,
        when: Trigger,
        attack: (Weapon, Harm),
        amount: &mut i16,
    ) {
        let (weapon, harm) = attack;
        for effect in self.kind(on).effects.iter().filter(|effect| effect.when == when) {
            if !effect.is_for(weapon) {
                continue;
            }
            match effect.does {
                Verb::TakeMore => {
                    let armor = self.state.at(on).stats.max_armor();
                    let times = if effect.per_armor { armor } else { 1 };
                    let more = i16::from(effect.amount).saturating_mul(times);
                    let changed = amount.saturating_add(more).max(0);
                    if changed != *amount && self.answers(effect, on, by) {
                        *amount = changed;
                    }
                }
                // "Magical damage is not stopped by immunities."
                Verb::TakeNothing => {
                    if *amount > 0 && harm != Harm::Magical && self.answers(effect, on, by) {
                        *amount = 0;
                    }
                }
                Verb::DealBack => {
                    // What has come through armor is no more than the hit points that are left (D3).
                    let most = match when {
                        Trigger::AfterArmor => self.state.at(on).hit_points,
                        _ => i16::MAX,
                    };
                    let amount = most.min(*amount);
                    let can = amount > 0 && self.state.present.has(by);
                    if can && self.answers(effect, on, by) {
                        let back = Damage { amount, harm: Harm::IgnoresArmor };
                        self.damage(by, back, Some(on));
                    }
                }
                // What else can happen here is not about the damage of the hit.
                Verb::Gain
                | Verb::Damage
                | Verb::Heal
                | Verb::Kill
                | Verb::StopAttacking
                | Verb::Mark
                | Verb::Leave
                | Verb::Withdraw
                | Verb::StopHostility
                | Verb::EndCombat
                | Verb::DealMore
                | Verb::DealNothing
                | Verb::Guard
                | Verb::Survive
                | Verb::Vanish
                | Verb::SeekOut
                | Verb::Taunt
                | Verb::Repel
                | Verb::StrikeEarly => self.apply(effect, Some(on), on.precedence(), Some(by)),
            }
        }
    }

    /// Whether an effect answers the hit of `by`, and tells of it if so (SA-X).
    fn answers(&mut self, effect: &Effect, on: Place, by: Place) -> bool {
        let answers = self.comes_to_pass(effect, Some(on), Some(by));
        if answers {
            self.note_effect(effect, Some(on), Some(by));
        }
        answers
    }

    /// What an attack deals with the bearer's certain effects, before it rounds up to 0 (A2). None where it deals
    /// nothing, whatever is added (SA-61, SA-62; decision 10).
    #[inline(never)]
    pub(super) fn with_certainties_of_attack(&self, by: Place, on: Place) -> Option<i16> {
        let weapon = self.weapon(by);
        let mut amount = self.strength_with(by, weapon)?;
        for effect in &self.kind(by).effects {
            if self.state.is_certain_of_attack(self.setup, effect, weapon, on) {
                amount = change_of_attack(effect, amount)?;
            }
        }
        Some(amount)
    }

    /// What an attack deals with all of the bearer's effects, those with a chance or a limit too (A2). No die is thrown
    /// where it deals nothing anyway (SA-61, SA-62, SA-X; decision 10).
    #[inline(never)]
    pub(super) fn with_chances_of_attack(&mut self, by: Place, on: Place) -> i16 {
        let weapon = self.weapon(by);
        let Some(mut amount) = self.with_certainties_of_attack(by, on) else { return 0 };
        let may_change = |effect: &&Effect| {
            effect.when == Trigger::Attacks && !effect.is_certain() && effect.is_for(weapon)
        };
        let mut effects = self.kind(by).effects.iter().filter(may_change);
        while let Some(effect) = effects.next() {
            let changed = change_of_attack(effect, amount);
            // Less than nothing is more of nothing, unless something may be added to it yet.
            let adds = |later: &Effect| later.does == Verb::DealMore && later.amount > 0;
            let stays_nothing = amount.max(changed.unwrap_or(0)) <= 0 && !effects.clone().any(adds);
            if !stays_nothing && self.comes_to_pass(effect, Some(by), Some(on)) {
                self.note_effect(effect, Some(by), Some(on));
                match changed {
                    Some(changed) => amount = changed,
                    None => return 0,
                }
            }
        }
        amount.max(0)
    }

    /// Compulsion: "idle minions check all must attack effects", their own before those of their enemies, first to last
    /// (R2, R3; SA-35, SA-40; decision 17).
    #[inline(never)]
    pub(super) fn compulsion(&mut self, who: Place) {
        for effect in &self.kind(who).effects {
            if effect.when == Trigger::MustAttack && effect.does == Verb::SeekOut {
                let wanted = self.those_that_suit(effect, self.state.enemies(who));
                if !wanted.is_empty() && self.comes_to_pass(effect, Some(who), None) {
                    self.tell(Event::Compels { number: effect.number });
                    return self.must_attack(who, wanted);
                }
            }
        }
        for enemy in self.state.enemies(who) {
            for effect in &self.kind(enemy).effects {
                if effect.when == Trigger::MustAttack
                    && effect.does == Verb::Taunt
                    && self.state.suits(self.setup, effect, who)
                    && self.comes_to_pass(effect, Some(enemy), None)
                {
                    self.tell(Event::Compels { number: effect.number });
                    return self.must_attack(who, Places::only(enemy));
                }
            }
        }
    }

    /// One of those wanted becomes its victim (SA-40, SA-X).
    fn must_attack(&mut self, who: Place, wanted: Places) {
        let among = wanted.len();
        let victim = wanted.nth(self.chance.pick(Roll::Compulsion, among));
        self.state.at_mut(who).victim = victim;
        self.tell(Event::Chooses { who, victim, how: Choice::Must, among: among as u8 });
    }

    /// Those of a set that the effect is meant for (SA-X).
    fn those_that_suit(&self, effect: &Effect, places: Places) -> Places {
        let mut found = places;
        for place in places {
            if !self.state.suits(self.setup, effect, place) {
                found.remove(place);
            }
        }
        found
    }

    /// The enemies that are immune to a minion's attacks, as far as one can tell: always, and without a die
    /// (tiebreaker 1; SA-47, decision 9).
    #[inline(never)]
    pub(super) fn immune_to(&self, who: Place, weapon: Weapon) -> Places {
        let spares = |effect: &Effect| {
            effect.does == Verb::TakeNothing
                && effect.is_certain()
                && effect.is_for(weapon)
                && self.state.is_in_season(effect)
                && self.state.suits(self.setup, effect, who)
        };
        let mut immune = Places::default();
        for enemy in self.state.enemies(who) {
            if self.kind(enemy).effects.iter().any(spares) {
                immune.insert(enemy);
            }
        }
        immune
    }

    /// Whether an effect on nobody but `whom` happens now: its round, its limit and its chance (SA-X).
    pub(super) fn comes_to_pass(
        &mut self,
        effect: &Effect,
        bearer: Option<Place>,
        whom: Option<Place>,
    ) -> bool {
        let suits = |whom| self.state.suits(self.setup, effect, whom);
        if !self.state.is_in_season(effect) || !whom.is_none_or(suits) {
            return false;
        }
        let counter = usize::from(effect.counter);
        if effect.at_most > 0
            && let Some(bearer) = bearer
            && self.state.at(bearer).uses[counter] >= effect.at_most
        {
            return false;
        }
        if !self.chance.percent(Roll::Effect, u32::from(effect.percent)) {
            return false;
        }
        if effect.at_most > 0
            && let Some(bearer) = bearer
        {
            self.state.at_mut(bearer).uses[counter] += 1;
        }
        true
    }

    /// Tells of an effect that has happened.
    pub(super) fn note_effect(
        &mut self,
        effect: &Effect,
        bearer: Option<Place>,
        on: Option<Place>,
    ) {
        let &Effect { number, source, when, does, amount, .. } = effect;
        let stat = (does == Verb::Gain).then_some(effect.stat);
        let happened = Happened { number, source, bearer, when, does, stat, on, amount };
        self.tell(Event::Effect(happened));
    }

    /// Whom an effect is on: those it names who are there and are meant (SA-X, decision 18).
    fn targets(
        &self,
        effect: &Effect,
        bearer: Option<Place>,
        group: Precedence,
        foe: Option<Place>,
    ) -> Places {
        let one = |place: Option<Place>| place.map_or(Places::default(), Places::only);
        let own = self.state.group(group);
        let named = match effect.on {
            Target::Bearer => one(bearer),
            Target::Foe => one(foe),
            Target::Comrades => own.without(one(bearer)),
            Target::Group => own,
            Target::Enemies => self.state.group(group.other()),
            Target::Everybody => self.state.present,
        };
        let mut found = self.those_that_suit(effect, named.and(self.state.present));
        if effect.does == Verb::Gain {
            for place in found {
                if !self.kind(place).has_stat(effect.stat) {
                    found.remove(place);
                }
            }
        }
        found
    }

    /// Lets an effect happen (SA-X).
    pub(super) fn apply(
        &mut self,
        effect: &Effect,
        bearer: Option<Place>,
        group: Precedence,
        foe: Option<Place>,
    ) {
        if !effect.does.has_target() {
            if self.can_change_combat(effect, group) && self.comes_to_pass(effect, bearer, None) {
                self.change_combat(effect, bearer, group);
            }
            return;
        }
        let targets = self.targets(effect, bearer, group, foe);
        let can_change = |on| self.can_change_minion(effect, bearer, on);
        if !effect.is_certain() && !targets.into_iter().any(can_change) {
            return;
        }
        if targets.is_empty() || !self.comes_to_pass(effect, bearer, None) {
            return;
        }
        for on in targets {
            if self.state.present.has(on) {
                self.change_minion(effect, bearer, on);
            }
        }
    }

    /// Whether an effect on the combat can change anything any more: what cannot throws no die and is not used up (SA-X,
    /// decision 20).
    fn can_change_combat(&self, effect: &Effect, group: Precedence) -> bool {
        match effect.does {
            Verb::StopHostility => self.state.hostile,
            Verb::EndCombat => !self.state.ended,
            Verb::Withdraw => !self.state.withdrawn[group.index()],
            Verb::Survive
            | Verb::Vanish
            | Verb::DealMore
            | Verb::TakeMore
            | Verb::TakeNothing
            | Verb::DealBack
            | Verb::Guard
            | Verb::SeekOut
            | Verb::Taunt
            | Verb::Repel
            | Verb::StrikeEarly
            | Verb::Gain
            | Verb::Damage
            | Verb::Heal
            | Verb::Kill
            | Verb::StopAttacking
            | Verb::Mark
            | Verb::Leave
            | Verb::DealNothing => true,
        }
    }

    /// Whether an effect on a minion can change anything any more: what cannot throws no die and is not used up (SA-X, decision
    /// 20).
    fn can_change_minion(&self, effect: &Effect, bearer: Option<Place>, on: Place) -> bool {
        let minion = self.state.at(on);
        if self.is_left_to_a7(effect, bearer, on) {
            return false;
        }
        if matches!(effect.does, Verb::Damage | Verb::Kill | Verb::Leave) {
            return true;
        }
        let mut changed = *minion;
        change_of_minion(effect, self.is_to_come(effect), &mut changed);
        // The next reset may be written down anew and be what it was.
        let (before, after) = (minion.after_reset(), changed.after_reset());
        Minion { next_round: minion.next_round, ..changed } != *minion || before != after
    }

    /// Whether an effect is on the hit points or the place of who is dying of an attack, and so does nothing: A7 is about whether
    /// it dies, and but for that only a dying-cancel of its own (A7; SA-69, SA-70; decision 20).
    fn is_left_to_a7(&self, effect: &Effect, bearer: Option<Place>, on: Place) -> bool {
        let cancels = bearer == Some(on) && matches!(effect.when, Trigger::Lethal | Trigger::Dying);
        let is_about_that = matches!(effect.does, Verb::Damage | Verb::Heal | Verb::Leave)
            || effect.does == Verb::Gain && effect.stat == Stat::HitPoints;
        is_about_that && !cancels && self.state.at(on).hit_points <= 0
    }

    /// Effects on the combat or on the bearer's own dying (C1, A7; SA-17, SA-18, SA-69, SA-70, SA-X).
    fn change_combat(&mut self, effect: &Effect, bearer: Option<Place>, group: Precedence) {
        match effect.does {
            Verb::StopHostility => self.state.hostile = false,
            Verb::EndCombat => self.state.ended = true,
            Verb::Withdraw => self.state.withdrawn[group.index()] = true,
            Verb::Survive => {
                if let Some(who) = bearer {
                    self.known.forget_prospect(who);
                    let minion = self.state.at_mut(who);
                    minion.hit_points = i16::from(effect.amount).clamp(1, minion.max_hit_points);
                }
            }
            Verb::Vanish => {
                if let Some(who) = bearer {
                    self.known.forget_prospect(who);
                    let minion = self.state.at_mut(who);
                    minion.hit_points = minion.max_hit_points;
                    self.leaves(who);
                }
            }
            // Parts of rules that ask for them where they matter, and effects on minions.
            Verb::DealMore
            | Verb::TakeMore
            | Verb::TakeNothing
            | Verb::DealBack
            | Verb::Guard
            | Verb::SeekOut
            | Verb::Taunt
            | Verb::Repel
            | Verb::StrikeEarly
            | Verb::Gain
            | Verb::Damage
            | Verb::Heal
            | Verb::Kill
            | Verb::StopAttacking
            | Verb::Mark
            | Verb::Leave
            | Verb::DealNothing => return,
        }
        self.note_effect(effect, bearer, None);
    }

    /// Effects on minions: what changes of the minion, then that it is told, then what comes of it (SA-X; decisions 16 and 22).
    fn change_minion(&mut self, effect: &Effect, bearer: Option<Place>, on: Place) {
        if self.is_left_to_a7(effect, bearer, on) {
            return;
        }
        let amount = self.change_numbers(effect, on);
        if amount != 0 || !matches!(effect.does, Verb::Gain | Verb::Heal) {
            self.note_effect(&Effect { amount, ..*effect }, bearer, Some(on));
        }
        match effect.does {
            Verb::Damage => {
                let amount = i16::from(effect.amount.max(0));
                self.damage(on, Damage { amount, harm: effect.harm }, bearer);
            }
            Verb::Kill => {
                self.state.at_mut(on).hit_points = 0;
                self.known.forget_prospect(on);
                self.minion_death::<true>(on, bearer);
            }
            Verb::Leave => self.leaves(on),
            // All is done.
            Verb::Gain | Verb::Heal | Verb::StopAttacking | Verb::Mark | Verb::DealNothing => {}
            // Not on minions.
            Verb::Withdraw
            | Verb::StopHostility
            | Verb::EndCombat
            | Verb::DealMore
            | Verb::TakeMore
            | Verb::TakeNothing
            | Verb::DealBack
            | Verb::Guard
            | Verb::Survive
            | Verb::Vanish
            | Verb::SeekOut
            | Verb::Taunt
            | Verb::Repel
            | Verb::StrikeEarly => {}
        }
    }

    /// The numbers of a minion that an effect changes, and by how much (Minions' Combat Attributes, R1; SA-25, SA-26, SA-X;
    /// decisions 13, 14 and 28).
    fn change_numbers(&mut self, effect: &Effect, on: Place) -> i8 {
        let to_come = self.is_to_come(effect);
        self.known.forget_prospect(on);
        let changed = change_of_minion(effect, to_come, self.state.at_mut(on));
        self.work_out_strength(on);
        changed as i8
    }

    /// Whether a change that lasts a round counts in the round to come: before round 1 all do; after that what only a
    /// reset makes count, which is armor, and attacks but for those at the start of a round (R1; SA-26, decision 14).
    fn is_to_come(&self, effect: &Effect) -> bool {
        let is_of_attacks = effect.does == Verb::StopAttacking
            || effect.does == Verb::Gain && effect.stat == Stat::Attacks;
        let is_of_armor = effect.does == Verb::Gain && effect.stat == Stat::Armor;
        self.state.round == 0 || is_of_armor || is_of_attacks && effect.when != Trigger::RoundStart
    }

    /// Damage of an effect, with what comes of it (SA-X; decisions 20 and 22).
    fn damage(&mut self, on: Place, damage: Damage, blame: Option<Place>) {
        if self.state.present.has(on) {
            let result = self.takes_damage::<true>(on, damage, blame, None);
            self.bury_if_killed(on, blame, result);
        }
    }

    /// A minion leaves the combat alive (SA-28, SA-X; decisions 18 and 26).
    fn leaves(&mut self, who: Place) {
        self.state.remove(who);
        self.state.away.insert(who);
        self.state.at_mut(who).leave_combat();
    }
}

/// What an effect makes of the numbers of a minion, and by how much: it gains or regains what its bounds leave of the effect's
/// amount. A change that lasts a round may be `to_come` (Minions' Combat Attributes, R1; SA-25, SA-26, SA-X; decisions 13, 14 and
/// 28).
fn change_of_minion(effect: &Effect, to_come: bool, minion: &mut Minion) -> i16 {
    let amount = effect.amount;
    let mut changed = i16::from(amount);
    let attacks_before = minion.stats.attacks;
    match effect.does {
        Verb::Gain if effect.stat == Stat::HitPoints => {
            let before = minion.max_hit_points;
            minion.max_hit_points = before.saturating_add(i16::from(amount)).max(1);
            changed = minion.max_hit_points - before;
            let gained = minion.hit_points.saturating_add(i16::from(amount.max(0)));
            minion.hit_points = gained.min(minion.max_hit_points);
        }
        Verb::Gain => {
            let numbers = |minion: &Minion| {
                [minion.stats, minion.after_reset()].map(|stats| stats.get(effect.stat))
            };
            let [now, next] = numbers(minion);
            minion.change(effect.lasts, to_come, |stats| stats.change(effect.stat, amount));
            let [now, next] = [(0, now), (1, next)].map(|(at, was)| numbers(minion)[at] - was);
            // What is at its bounds in this round may not be in the next.
            changed = if now == 0 { next } else { now };
        }
        Verb::Heal => {
            let before = minion.hit_points;
            let healed = before.saturating_add(i16::from(amount));
            minion.hit_points = healed.min(minion.max_hit_points);
            changed = minion.hit_points - before;
        }
        Verb::StopAttacking => minion.change(effect.lasts, to_come, Stats::stop),
        Verb::DealNothing => {
            let weapons = match effect.weapon {
                Some(weapon) => 1 << weapon as u8,
                None => 1 << Weapon::Hand as u8 | 1 << Weapon::Missile as u8,
            };
            minion.change(effect.lasts, to_come, |stats| stats.mute |= weapons);
        }
        Verb::Mark => minion.marks = minion.marks.saturating_add_signed(amount.max(1)),
        // No numbers, or not on minions.
        Verb::Damage
        | Verb::Kill
        | Verb::Leave
        | Verb::Withdraw
        | Verb::StopHostility
        | Verb::EndCombat
        | Verb::DealMore
        | Verb::TakeMore
        | Verb::TakeNothing
        | Verb::DealBack
        | Verb::Guard
        | Verb::Survive
        | Verb::Vanish
        | Verb::SeekOut
        | Verb::Taunt
        | Verb::Repel
        | Verb::StrikeEarly => {}
    }
    // Effects at the start of a round are part of its reset (R1).
    if effect.when == Trigger::RoundStart && minion.stats.attacks != attacks_before {
        minion.attacks = minion.stats.attacks;
    }
    changed
}

/// What an effect at A2 makes of the damage of an attack; none where the attack deals nothing (SA-61, SA-62).
fn change_of_attack(effect: &Effect, damage: i16) -> Option<i16> {
    match effect.does {
        Verb::DealMore => Some(damage.saturating_add(effect.amount.into())),
        Verb::DealNothing => None,
        // Not at A2.
        Verb::Gain
        | Verb::Damage
        | Verb::Heal
        | Verb::Kill
        | Verb::StopAttacking
        | Verb::Mark
        | Verb::Leave
        | Verb::Withdraw
        | Verb::StopHostility
        | Verb::EndCombat
        | Verb::TakeMore
        | Verb::TakeNothing
        | Verb::DealBack
        | Verb::Guard
        | Verb::Survive
        | Verb::Vanish
        | Verb::SeekOut
        | Verb::Taunt
        | Verb::Repel
        | Verb::StrikeEarly => Some(damage),
    }
}

impl State {
    /// Whether this is one of the effect's rounds. Before round 1 every effect is in season (SA-X, decision 16).
    pub(in crate::games::sanctum) fn is_in_season(&self, effect: &Effect) -> bool {
        self.round == 0 || (effect.rounds.0..=effect.rounds.1).contains(&self.round)
    }

    /// Whether a minion is one that the effect is meant for (SA-X).
    pub(in crate::games::sanctum) fn suits(
        &self,
        setup: &Setup,
        effect: &Effect,
        who: Place,
    ) -> bool {
        let minion = self.at(who);
        (effect.only.is_empty() || !setup.kind(minion.kind).classes.is_disjoint(effect.only))
            && minion.marks >= effect.if_marks
    }

    /// Whether an effect at A2 is sure to change an attack with this weapon on somebody (SA-48, SA-62; decision 5).
    pub(in crate::games::sanctum) fn is_certain_of_attack(
        &self,
        setup: &Setup,
        effect: &Effect,
        weapon: Weapon,
        on: Place,
    ) -> bool {
        effect.when == Trigger::Attacks
            && effect.is_certain()
            && effect.is_for(weapon)
            && self.is_in_season(effect)
            && self.suits(setup, effect, on)
    }
}
