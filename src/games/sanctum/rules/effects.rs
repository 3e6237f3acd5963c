//! What effects do when a pipeline reaches their points. The page names the points; the effects themselves are
//! data, and the SA-X cases test them.

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

impl<'a, C: Chance<Roll>, W: Watch<Sanctum>> Battle<'a, C, W> {
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
        for (nth, effect) in self.effects_of_group(precedence) {
            if effect.when == when && !self.is_dispelled(precedence, nth) {
                self.apply(effect, None, precedence, None);
            }
        }
        for who in Places::of(precedence) {
            if self.state.present.has(who) && self.kind(who).triggers.contains(when) {
                self.happen_to(who, when, None, None);
            }
        }
    }

    /// The effects of the spells on a group as a whole, each with its place among them.
    pub(super) fn effects_of_group(
        &self,
        precedence: Precedence,
    ) -> impl Iterator<Item = (usize, &'a Effect)> + use<'a, C, W> {
        let group = usize::from(self.state.fighting[precedence.index()]);
        self.setup.group_effects(self.state.stratum, group).iter().enumerate()
    }

    /// Whether the spell of this effect on a group as a whole has been dispelled.
    pub(super) fn is_dispelled(&self, precedence: Precedence, nth: usize) -> bool {
        let group = usize::from(self.state.fighting[precedence.index()]);
        self.state.groups[group].dispelled >> nth & 1 == 1
    }

    /// Lets all effects of a minion at a point of a pipeline happen, in the order in which they are listed.
    /// `weapon` is the weapon of the current attack, if there is one (A4, A5, A8, Minion Death; SA-65, SA-66,
    /// SA-72, SA-X; decisions 16 and 19).
    #[inline(never)]
    pub(super) fn happen_to(
        &mut self,
        bearer: Place,
        when: Trigger,
        foe: Option<Place>,
        weapon: Option<Weapon>,
    ) {
        for effect in &self.kind(bearer).effects {
            // For `deal_nothing` the weapon is the one to be silenced, not a condition.
            let other_weapon = weapon.is_some()
                && effect.does != Verb::DealNothing
                && effect.weapon.is_some_and(|only| Some(only) != weapon);
            if effect.when == when && !other_weapon {
                self.apply(effect, Some(bearer), bearer.precedence(), foe);
            }
        }
    }

    /// Lets a minion's effects answer an attack on it and change its `amount` of damage (D1, D3). `attack` is the
    /// attack's weapon and how it meets immunities (SA-47, SA-X; decision 20).
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
                    // It is told by how much the damage changes, whatever the effect says.
                    let by_so_much = changed - *amount;
                    if by_so_much != 0 && self.answers(effect, by_so_much, on, by) {
                        *amount = changed;
                    }
                }
                // "Magical damage is not stopped by immunities."
                Verb::TakeNothing => {
                    let can = *amount > 0 && harm != Harm::Magical;
                    if can && self.answers(effect, 0, on, by) {
                        *amount = 0;
                    }
                }
                Verb::DealBack => {
                    // Damage that came through armor counts only up to the hit points that are left (D3).
                    let most = match when {
                        Trigger::AfterArmor => self.state.at(on).hit_points,
                        _ => i16::MAX,
                    };
                    let amount = most.min(*amount);
                    let can = amount > 0 && self.state.present.has(by);
                    if can && self.answers(effect, 0, on, by) {
                        let back = Damage { amount, harm: Harm::IgnoresArmor };
                        self.damage(by, back, Some(on));
                    }
                }
                // Other effects at these points do not concern the damage of the hit.
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
                | Verb::StrikeEarly
                | Verb::KeepPeace => self.apply(effect, Some(on), on.precedence(), Some(by)),
            }
        }
    }

    /// Whether an effect answers the hit of `by`; if so, it is reported, with the amount by which it changes the hit (SA-X).
    fn answers(&mut self, effect: &Effect, amount: i16, on: Place, by: Place) -> bool {
        let answers = self.comes_to_pass(effect, Some(on), Some(by));
        if answers {
            self.note_amount(effect, amount, Some(on), Some(by));
        }
        answers
    }

    /// The damage of an attack with the attacker's certain effects, before a negative amount rounds up to 0 (A2).
    /// None where the attack deals nothing, whatever is added (SA-61, SA-62; decision 10).
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

    /// The damage of an attack with all of the attacker's effects, including those with a chance or a limit (A2).
    /// No die is thrown where the attack deals nothing anyway (SA-61, SA-62, SA-X; decision 10).
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
            // A change of damage that is not positive leaves no damage either way, unless a later effect adds to
            // it.
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

    /// Compulsion: "idle minions check all must attack effects", first their own and then those of their enemies,
    /// first to last (R2, R3; SA-35, SA-40; decision 17).
    #[inline(never)]
    pub(super) fn compulsion(&mut self, who: Place) {
        for effect in &self.kind(who).effects {
            if effect.when == Trigger::MustAttack && effect.does == Verb::SeekOut {
                let wanted = self.those_that_suit(effect, self.state.enemies(who));
                if !wanted.is_empty() && self.comes_to_pass(effect, Some(who), None) {
                    self.tell(Event::Compels { number: effect.number, bearer: who, who });
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
                    self.tell(Event::Compels { number: effect.number, bearer: enemy, who });
                    return self.must_attack(who, Places::only(enemy));
                }
            }
        }
    }

    /// Makes one of the enemies in `wanted` the minion's victim (SA-40, SA-X).
    fn must_attack(&mut self, who: Place, wanted: Places) {
        let among = wanted.len();
        let victim = wanted.nth(self.chance.pick(Roll::Compulsion, among));
        self.state.at_mut(who).victim = victim;
        self.tell(Event::Chooses { who, victim, how: Choice::Must, among: among as u8 });
    }

    /// The places whose minions the effect is meant for (SA-X).
    fn those_that_suit(&self, effect: &Effect, places: Places) -> Places {
        let mut found = places;
        for place in places {
            if !self.state.suits(self.setup, effect, place) {
                found.remove(place);
            }
        }
        found
    }

    /// The enemies that are known to be immune to a minion's attacks: in every case, and without a die (tiebreaker
    /// 1; SA-47, decision 9).
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

    /// Whether an effect happens now, by its rounds, its limit and its chance, and by whether it is meant for
    /// `whom`, where given (SA-X).
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

    /// Reports an effect that has happened.
    pub(super) fn note_effect(
        &mut self,
        effect: &Effect,
        bearer: Option<Place>,
        on: Option<Place>,
    ) {
        self.note_amount(effect, effect.amount.into(), bearer, on);
    }

    /// Reports an effect that has happened, and by how much.
    fn note_amount(
        &mut self,
        effect: &Effect,
        amount: i16,
        bearer: Option<Place>,
        on: Option<Place>,
    ) {
        let &Effect { number, source, when, does, .. } = effect;
        let stat = (does == Verb::Gain).then_some(effect.stat);
        let happened = Happened { number, source, bearer, when, does, stat, on, amount };
        self.tell(Event::Effect(happened));
    }

    /// The minions that an effect is on: those that its target names, that are present, and that it is meant for
    /// (SA-X, decision 18).
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

    /// Lets an effect happen, if it comes to pass and has anything to change (SA-X).
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

    /// Whether an effect on the combat can still change anything. One that cannot throws no die and is not used up
    /// (SA-X, decision 20).
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
            | Verb::KeepPeace
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

    /// Whether an effect on a minion can still change anything. One that cannot throws no die and is not used up
    /// (SA-X, decision 20).
    fn can_change_minion(&self, effect: &Effect, bearer: Option<Place>, on: Place) -> bool {
        let minion = self.state.at(on);
        if self.is_left_to_a7(effect, bearer, on) {
            return false;
        }
        if matches!(effect.does, Verb::Damage | Verb::Kill | Verb::Leave) {
            return true;
        }
        let mut changed = *minion;
        change_of_minion(effect, self.state.is_to_come(effect), &mut changed);
        // The next reset may be set explicitly and still give the same numbers.
        let (before, after) = (minion.after_reset(), changed.after_reset());
        Minion { next_round: minion.next_round, ..changed } != *minion || before != after
    }

    /// Whether an effect concerns the hit points or the place of a minion that is dying of an attack, and
    /// therefore does nothing: A7 decides whether it dies, and before that only its own dying-cancel can change
    /// this (A7; SA-69, SA-70; decision 20). A `kill` buries it at once, as A4 and A5 say (SA-67).
    fn is_left_to_a7(&self, effect: &Effect, bearer: Option<Place>, on: Place) -> bool {
        let cancels = bearer == Some(on) && matches!(effect.when, Trigger::Lethal | Trigger::Dying);
        let is_about_that = matches!(effect.does, Verb::Damage | Verb::Heal | Verb::Leave)
            || effect.does == Verb::Gain && effect.stat == Stat::HitPoints;
        is_about_that && !cancels && self.state.at(on).hit_points <= 0
    }

    /// Applies an effect on the combat or on the bearer's own dying (C1, A7; SA-17, SA-18, SA-69, SA-70, SA-X).
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
            // Verbs that rules ask for where they matter, and verbs that are on minions.
            Verb::DealMore
            | Verb::TakeMore
            | Verb::TakeNothing
            | Verb::DealBack
            | Verb::Guard
            | Verb::SeekOut
            | Verb::Taunt
            | Verb::Repel
            | Verb::StrikeEarly
            | Verb::KeepPeace
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

    /// Applies an effect on a minion: changes its numbers, reports that if they have changed, and then carries out the
    /// consequences (SA-X; decisions 16, 20 and 22).
    fn change_minion(&mut self, effect: &Effect, bearer: Option<Place>, on: Place) {
        if self.is_left_to_a7(effect, bearer, on) {
            return;
        }
        // These have no amount that would tell whether anything has changed.
        if matches!(effect.does, Verb::StopAttacking | Verb::DealNothing)
            && !self.can_change_minion(effect, bearer, on)
        {
            return;
        }
        let amount = self.change_numbers(effect, on);
        if effect.does == Verb::Leave {
            self.leaves(on);
        }
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
            // Done above.
            Verb::Gain
            | Verb::Heal
            | Verb::StopAttacking
            | Verb::Mark
            | Verb::DealNothing
            | Verb::Leave => {}
            // Verbs that are not on minions.
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
            | Verb::StrikeEarly
            | Verb::KeepPeace => {}
        }
    }

    /// Changes the numbers of a minion as an effect says, and returns by how much (Minions' Combat Attributes, R1;
    /// SA-25, SA-26, SA-X; decisions 13, 14 and 28).
    fn change_numbers(&mut self, effect: &Effect, on: Place) -> i8 {
        let to_come = self.state.is_to_come(effect);
        self.known.forget_prospect(on);
        let changed = change_of_minion(effect, to_come, self.state.at_mut(on));
        self.work_out_strength(on);
        changed as i8
    }

    /// Deals the damage of an effect, with all its consequences (SA-X; decisions 20 and 22).
    fn damage(&mut self, on: Place, damage: Damage, blame: Option<Place>) {
        if self.state.present.has(on) {
            let result = self.takes_damage::<true>(on, damage, blame, None);
            self.bury_if_killed(on, blame, result);
        }
    }

    /// Makes a minion leave the combat alive (SA-28, SA-X; decisions 18 and 26).
    fn leaves(&mut self, who: Place) {
        self.state.remove(who);
        self.state.away.insert(who);
        self.state.at_mut(who).leave_combat();
    }
}

/// Changes the numbers of a minion as an effect says, and returns by how much: it gains or regains as much of the
/// effect's amount as its bounds allow. A change that lasts a round may be `to_come` (Minions' Combat Attributes,
/// R1; SA-25, SA-26, SA-X; decisions 13, 14 and 28).
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
            // A number at its bounds in this round may not be at them in the next.
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
        // Verbs that change no numbers, or are not on minions.
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
        | Verb::StrikeEarly
        | Verb::KeepPeace => {}
    }
    // Effects at the start of a round are part of its reset (R1).
    if effect.when == Trigger::RoundStart && minion.stats.attacks != attacks_before {
        minion.attacks = minion.stats.attacks;
    }
    changed
}

/// The damage of an attack after an effect at A2; none where the attack deals nothing (SA-61, SA-62).
fn change_of_attack(effect: &Effect, damage: i16) -> Option<i16> {
    match effect.does {
        Verb::DealMore => Some(damage.saturating_add(effect.amount.into())),
        Verb::DealNothing => None,
        // Verbs that do not happen at A2.
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
        | Verb::StrikeEarly
        | Verb::KeepPeace => Some(damage),
    }
}

impl State {
    /// Whether a change that lasts a round counts for the round to come. Before round 1 every such change does;
    /// after that only changes that take effect at a reset do: of armor, and of attacks unless made at the start
    /// of a round (R1; SA-26, decision 14).
    pub(in crate::games::sanctum) fn is_to_come(&self, effect: &Effect) -> bool {
        let is_of_attacks = effect.does == Verb::StopAttacking
            || effect.does == Verb::Gain && effect.stat == Stat::Attacks;
        let is_of_armor = effect.does == Verb::Gain && effect.stat == Stat::Armor;
        self.round == 0 || is_of_armor || is_of_attacks && effect.when != Trigger::RoundStart
    }

    /// Whether the current round is one of the effect's rounds. Before round 1 every effect is in season (SA-X,
    /// decision 16).
    pub(in crate::games::sanctum) fn is_in_season(&self, effect: &Effect) -> bool {
        self.round == 0 || (effect.rounds.0..=effect.rounds.1).contains(&self.round)
    }

    /// Whether the effect is meant for this minion, by its classes and marks (SA-X).
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

    /// Whether an effect at A2 is certain to change an attack with this weapon on this minion (SA-48, SA-62;
    /// decision 5).
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
