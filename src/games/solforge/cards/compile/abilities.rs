//! Compiles abilities: their triggers, filters, choices and amounts.

use super::Writer;
use super::effects::{
    can_be_copied, copies_choice, needs_one_choice, reads_choice, uses_also, uses_choice,
};
use crate::games::solforge::ability::{
    Ability, Amount, Choice, Demand, Filter, PlayedCard, Trigger,
};
use crate::games::solforge::cards::futile::{self, Bearer, Futile};
use crate::games::solforge::cards::vocabulary::{
    AbilityForm, AmountForm, ByLevel, ChooseForm, Condition, EffectForm, FilterForm, LaterForm,
    Quantity, When,
};
use crate::scenario::{Spot, suggestion};

/// Everything that an ability says besides its trigger.
#[derive(Clone, Copy)]
struct Parts<'a> {
    conditions: &'a [Condition],
    choose: Option<&'a ChooseForm>,
    also_choose: Option<&'a ChooseForm>,
    effects: &'a [EffectForm],
}

impl Writer<'_, '_> {
    /// Compiles an ability, and reports whatever in it can never do anything for its bearer.
    pub(super) fn ability(&mut self, of: &AbilityForm, bearer: Bearer, spot: &Spot) -> Ability {
        let before = self.findings.len();
        let trigger = self.trigger(&of.when, &spot.key("when"));
        let parts = Parts {
            conditions: &of.conditions,
            choose: of.choose.as_ref(),
            also_choose: of.also_choose.as_ref(),
            effects: &of.effects,
        };
        self.whole(trigger, parts, bearer, before, spot)
    }

    /// Compiles an ability that is put off, so that a moment sets it off.
    pub(super) fn later(&mut self, of: &LaterForm, bearer: Bearer, spot: &Spot) -> Ability {
        let before = self.findings.len();
        let parts = Parts {
            conditions: &of.conditions,
            choose: of.choose.as_ref(),
            also_choose: None,
            effects: &of.effects,
        };
        self.whole(Trigger::Later(of.at), parts, bearer, before, spot)
    }

    fn whole(
        &mut self,
        trigger: Trigger,
        of: Parts<'_>,
        bearer: Bearer,
        before: usize,
        spot: &Spot,
    ) -> Ability {
        let demands = of.conditions.iter().enumerate().map(|(index, condition)| {
            let spot = spot.key("if").index(index);
            match condition {
                Condition::InCenter => Demand::Center(true),
                Condition::NotInCenter => Demand::Center(false),
                Condition::SpaceFree => Demand::SpaceFree,
                Condition::Allied(faction) => Demand::Allied(*faction),
                Condition::Exists(filter) => {
                    Demand::Exists(self.filter(filter, &spot.key("exists")))
                }
            }
        });
        let demands = demands.collect();
        let choice = of.choose.map(|of| self.choice(of, &spot.key("choose")));
        let also = of.also_choose.map(|of| self.choice(of, &spot.key("also_choose")));
        if choice.is_none() && also.is_some() {
            let remedy = "a single choice is `choose`";
            self.report(&spot.key("also_choose"), "nothing else is chosen", remedy);
        }
        let within = futile::bearer_of_later(trigger, choice.as_ref(), bearer);
        let effects = of.effects.iter().enumerate().map(|(index, effect)| {
            let spot = spot.key("do").index(index);
            if choice.is_none() && uses_choice(effect) {
                let remedy = "say under `choose` what is chosen";
                self.report(&spot, "nothing is chosen that it could act on", remedy);
            }
            if also.is_none() && uses_also(effect) {
                let remedy = "say under `also_choose` what is chosen";
                self.report(&spot, "nothing is chosen besides that it could act on", remedy);
            }
            if choice.is_some_and(|choice| !can_be_copied(choice.what)) && copies_choice(effect) {
                let remedy = "choose a creature: `what = \"creature\"`";
                self.report(&spot, "what is chosen is no creature to copy", remedy);
            }
            let effect = self.effect(effect, within, &spot);
            if choice.is_none() && reads_choice(&effect) {
                let remedy = "say under `choose` what is chosen";
                self.report(&spot, "nothing is chosen whose number it could be", remedy);
            }
            if choice.is_some_and(|choice| choice.count > 1)
                && let Some((message, remedy)) = needs_one_choice(&effect)
            {
                self.report(&spot, message, remedy);
            }
            effect
        });
        let effects = effects.collect();
        let ability = Ability { form: self.form, trigger, demands, choice, also, effects };
        // An ability that is wrong in itself need not be looked at any further.
        if self.findings.len() == before {
            self.report_futile(&ability, bearer, spot);
        }
        ability
    }

    fn report_futile(&mut self, ability: &Ability, bearer: Bearer, spot: &Spot) {
        let mut report = |spot: Spot, found: Option<Futile>| {
            if let Some((message, remedy)) = found {
                self.report(&spot, message, remedy);
            }
        };
        report(spot.key("when"), futile::trigger(ability.trigger, bearer));
        for (at, &demand) in ability.demands.iter().enumerate() {
            let found = futile::demand(demand, ability.trigger, bearer);
            report(spot.key("if").index(at), found);
        }
        if let Some(choice) = &ability.choice {
            report(spot.key("choose"), futile::filter(&choice.from, bearer));
        }
        if let Some(also) = &ability.also {
            report(spot.key("also_choose"), futile::filter(&also.from, bearer));
        }
        for (at, &effect) in ability.effects.iter().enumerate() {
            report(spot.key("do").index(at), futile::effect(effect, ability, bearer));
        }
    }

    fn trigger(&mut self, when: &When, spot: &Spot) -> Trigger {
        match when {
            When::Cast => Trigger::Cast,
            When::Forge => Trigger::Forge,
            When::Arrives => Trigger::Arrives,
            When::Vengeance => Trigger::Vengeance,
            When::Flank => Trigger::Flank,
            When::RankRises => Trigger::RankRises,
            When::Activate => Trigger::Activate(1),
            When::ActivateTwice => Trigger::Activate(2),
            When::Enters(of) => {
                let filter = self.filter(&of.creature, &spot.key("enters").key("creature"));
                Trigger::Enters(filter, of.forged)
            }
            When::Destroyed(of) => Trigger::Destroyed(self.filter(of, &spot.key("destroyed"))),
            When::Moves(of) => Trigger::Moves(self.filter(of, &spot.key("moves"))),
            When::HitsCreature(of) => {
                Trigger::HitsCreature(self.filter(of, &spot.key("hits_creature")))
            }
            When::HitsPlayer(of) => Trigger::HitsPlayer(of.turn),
            When::IsDamaged => Trigger::IsDamaged,
            When::TurnStarts(of) => Trigger::TurnStarts(of.turn),
            When::TurnEnds(of) => Trigger::TurnEnds(of.turn),
            When::Plays(of) => {
                let level = of.level_at_most.as_ref().map_or(i16::MAX, |level| {
                    self.by_level(level, &spot.key("plays").key("level_at_most"))
                });
                Trigger::Plays(PlayedCard {
                    player: of.player,
                    kind: of.kind,
                    faction: of.faction,
                    level_at_most: level.clamp(0, 255) as u8,
                    nth: of.nth.unwrap_or(0),
                })
            }
        }
    }

    pub(super) fn filter(&mut self, of: &FilterForm, spot: &Spot) -> Filter {
        let mut at_most = |of: &Option<ByLevel>, key: &str| {
            of.as_ref().map_or(i16::MAX, |of| self.by_level(of, &spot.key(key)))
        };
        let attack_at_most = at_most(&of.attack_at_most, "attack_at_most");
        let level_at_most = at_most(&of.level_at_most, "level_at_most").clamp(0, 255) as u8;
        let at_least = of.attack_at_least.as_ref();
        let attack_at_least =
            at_least.map_or(i16::MIN, |of| self.by_level(of, &spot.key("attack_at_least")));
        let lanes = of.lanes.iter().fold(0, |lanes, lane| lanes | 1 << (lane - 1));
        Filter {
            side: of.side,
            other: of.other,
            not_chosen: of.not_chosen,
            place: of.place,
            attack_at_most,
            attack_at_least,
            lanes,
            level_at_most,
            faction: of.faction,
            not_faction: of.not_faction,
            tribes: self.tribe(of.tribe.as_deref(), &spot.key("tribe")),
            not_tribes: self.tribe(of.not_tribe.as_deref(), &spot.key("not_tribe")),
            keyword: of.keyword,
            poisoned: of.poisoned,
        }
    }

    pub(super) fn tribe(&mut self, name: Option<&str>, spot: &Spot) -> u64 {
        let Some(name) = name else { return 0 };
        self.names.tribe(name).unwrap_or_else(|| {
            let known: Vec<&str> = self.names.tribes.iter().map(String::as_str).collect();
            let listing = format!("creatures have these: {}", known.join(", "));
            let remedy = suggestion(name, known.iter().copied(), &listing);
            self.report(spot, format!("no creature is of the tribe `{name}`"), remedy);
            0
        })
    }

    fn choice(&mut self, of: &ChooseForm, spot: &Spot) -> Choice {
        let count = of.count.as_ref().map_or(1, |of| self.by_level(of, &spot.key("count")));
        if !(1..=4).contains(&count) {
            self.report(&spot.key("count"), "must lie between 1 and 4", "choose from 1 to 4");
        }
        Choice {
            what: of.what,
            from: self.filter(&of.from, &spot.key("from")),
            count: count.clamp(1, 4) as u8,
            may: of.may,
        }
    }

    pub(super) fn amount(&mut self, of: &AmountForm, spot: &Spot) -> Amount {
        match of {
            AmountForm::Same(number) => Amount::Fixed(*number),
            AmountForm::Each(list) => Amount::Fixed(self.of_list(list, spot)),
            AmountForm::Read(read) if read.of == Quantity::Random => {
                let (Some(low), Some(high)) = (&read.low, &read.high) else {
                    let remedy = "give both `low` and `high`";
                    self.report(spot, "a random number needs its bounds", remedy);
                    return Amount::Fixed(0);
                };
                let low = self.by_level(low, &spot.key("low"));
                let high = self.by_level(high, &spot.key("high"));
                if low > high {
                    let message = format!("`low` {low} is above `high` {high}");
                    self.report(spot, message, "swap them");
                    return Amount::Fixed(0);
                }
                Amount::Random(low, high)
            }
            AmountForm::Read(read) => Amount::Read(read.of, read.whose, read.times),
        }
    }
}
