//! Compiles effects: what abilities do, and to whom.

use super::{Writer, place};
use crate::games::solforge::ability::{AbilityId, Amount, Effect, Gain, Revival, Spawned, Who};
use crate::games::solforge::cards::futile::Bearer;
use crate::games::solforge::cards::names::LEVELS;
use crate::games::solforge::cards::vocabulary::{
    AmountForm, ByLevel, Choosable, Condition, CopyOf, EffectForm, Kind, Space, SpawnForm, Until,
    Who as WhoForm, Whose,
};
use crate::games::solforge::state::Form;
use crate::scenario::{Spot, suggestion};

impl Writer<'_, '_> {
    fn who(&mut self, of: &WhoForm, spot: &Spot) -> Who {
        match of {
            WhoForm::Itself => Who::Itself,
            WhoForm::Subject => Who::Subject,
            WhoForm::Opposite => Who::Opposite,
            WhoForm::OppositeSubject => Who::OppositeSubject,
            WhoForm::Chosen => Who::Chosen,
            WhoForm::AlsoChosen => Who::AlsoChosen,
            WhoForm::You => Who::You,
            WhoForm::Opponent => Who::Opponent,
            WhoForm::Each(of) => Who::Each(self.filter(of, &spot.key("each"))),
            WhoForm::Random(of) => Who::Random(self.filter(of, &spot.key("random")), 1),
            WhoForm::RandomTwo(of) => Who::Random(self.filter(of, &spot.key("random_two")), 2),
            WhoForm::LowestAttack(of) => {
                Who::LowestAttack(self.filter(of, &spot.key("lowest_attack")))
            }
        }
    }

    pub(super) fn effect(&mut self, of: &EffectForm, bearer: Bearer, spot: &Spot) -> Effect {
        match of {
            EffectForm::Gain(of) => {
                let spot = spot.key("gain");
                let lasting = of.poison.is_some() || of.regenerate.is_some();
                if lasting && of.until != Until::Forever {
                    let remedy = "give them in a `gain` of their own, without `until`";
                    self.report(&spot.key("until"), "Poison and Regenerate do not end", remedy);
                }
                let who = self.who(&of.who, &spot.key("who"));
                let mut amount = |of: &Option<AmountForm>, key: &str| {
                    of.as_ref().map_or(Amount::Fixed(0), |of| self.amount(of, &spot.key(key)))
                };
                let gain = Gain {
                    attack: amount(&of.attack, "attack"),
                    health: amount(&of.health, "health"),
                    armor: amount(&of.armor, "armor"),
                    poison: amount(&of.poison, "poison"),
                    regenerate: amount(&of.regenerate, "regenerate"),
                    mobility: amount(&of.mobility, "mobility"),
                    battles: amount(&of.battles, "battles"),
                    keywords: of.keywords.iter().copied().collect(),
                    until: of.until,
                };
                Effect::Gain(who, gain)
            }
            EffectForm::Swap(of) => Effect::Swap(self.who(&of.who, &spot.key("swap").key("who"))),
            EffectForm::Destroy(of) => {
                Effect::Destroy(self.who(&of.who, &spot.key("destroy").key("who")))
            }
            EffectForm::Damage(of) => {
                let (who, amount) = self.amount_on(&of.who, &of.amount, &spot.key("damage"));
                Effect::Damage(who, amount)
            }
            EffectForm::Heal(of) => {
                let (who, amount) = self.amount_on(&of.who, &of.amount, &spot.key("heal"));
                Effect::Heal(who, amount)
            }
            EffectForm::Life(of) => {
                let (who, amount) = self.amount_on(&of.who, &of.amount, &spot.key("life"));
                Effect::Life(who, amount)
            }
            EffectForm::Draw(of) => {
                let (who, amount) = self.amount_on(&of.who, &of.amount, &spot.key("draw"));
                Effect::Draw(who, amount)
            }
            EffectForm::DiscardDownTo(of) => {
                let spot = spot.key("discard_down_to");
                let (who, amount) = self.amount_on(&of.who, &of.amount, &spot);
                Effect::DiscardDownTo(who, amount)
            }
            EffectForm::Spawn(of) => {
                let spot = spot.key("spawn");
                Effect::Spawn(self.spawned(of, &spot), of.to)
            }
            EffectForm::Revive(of) => {
                self.cards.revives = true;
                let spot = spot.key("revive");
                let count = self.by_level(&of.count, &spot.key("count"));
                let level = of.level_at_most.as_ref();
                let level =
                    level.map_or(i16::MAX, |of| self.by_level(of, &spot.key("level_at_most")));
                Effect::Revive(Revival {
                    count: count.clamp(0, 5) as u8,
                    together: of.together,
                    level_at_most: level.clamp(0, 255) as u8,
                    faction: of.faction,
                    tribes: self.tribe(of.tribe.as_deref(), &spot.key("tribe")),
                })
            }
            EffectForm::Move(of) => {
                let who = self.who(&of.who, &spot.key("move").key("who"));
                Effect::Move(who, of.to, of.even_if_destroyed)
            }
            EffectForm::Lose(of) => {
                let spot = spot.key("lose");
                let who = self.who(&of.who, &spot.key("who"));
                if of.keywords.is_empty() && !of.abilities {
                    self.report(&spot, "nothing is lost", "give `keywords`, or `abilities = true`");
                }
                Effect::Lose(who, of.keywords.iter().copied().collect(), of.abilities)
            }
            EffectForm::Replace(of) => {
                let spot = spot.key("replace");
                let who = self.who(&of.who, &spot.key("who"));
                Effect::Replace(who, self.card_at(&of.card, of.level.as_ref(), &spot))
            }
            EffectForm::ReturnToHand(of) => {
                Effect::ReturnToHand(self.who(&of.who, &spot.key("return_to_hand").key("who")))
            }
            EffectForm::Later(of) => {
                let spot = spot.key("later");
                let ability = self.later(of, bearer, &spot);
                self.cards.abilities.push(ability);
                let id = AbilityId(place(self.cards.abilities.len() - 1));
                Effect::Later(id, speaks_of_subject(&of.conditions, &of.effects))
            }
            EffectForm::Plays(of) => {
                let (who, amount) = self.amount_on(&of.who, &of.amount, &spot.key("plays"));
                Effect::Plays(who, amount)
            }
            EffectForm::Grant(of) => {
                let spot = spot.key("grant");
                let who = self.who(&of.who, &spot.key("who"));
                let bearer = Bearer { kind: Kind::Creature, granted: true, remembers: false };
                let ability = self.ability(&of.ability, bearer, &spot.key("ability"));
                self.cards.abilities.push(ability);
                let id = AbilityId(place(self.cards.abilities.len() - 1));
                Effect::Grant(who, id, of.until)
            }
            EffectForm::LevelChosen => Effect::LevelChosen,
            EffectForm::LookForBattles => Effect::LookForBattles,
        }
    }

    fn amount_on(&mut self, who: &WhoForm, amount: &AmountForm, spot: &Spot) -> (Who, Amount) {
        (self.who(who, &spot.key("who")), self.amount(amount, &spot.key("amount")))
    }

    fn spawned(&mut self, of: &SpawnForm, spot: &Spot) -> Spawned {
        match (&of.card, of.copy) {
            (Some(card), None) => Spawned::Form(self.card_at(card, of.level.as_ref(), spot)),
            (None, Some(CopyOf::Itself)) if self.kind_here() == Kind::Spell => {
                let message = "a spell puts itself on the field";
                self.report(&spot.key("copy"), message, "only creatures stand on the field");
                Spawned::Form(Form(0))
            }
            (None, Some(copy)) => Spawned::Copy(copy),
            (card, _) => {
                let what = if card.is_some() {
                    "both a card and a copy"
                } else {
                    "neither a card nor a copy"
                };
                let remedy = "give either `card` or `copy`";
                self.report(spot, format!("{what} is put on the field"), remedy);
                Spawned::Form(Form(0))
            }
        }
    }
}

impl Writer<'_, '_> {
    /// The form of a creature that is put on the field; at the level of the card being compiled if none is given.
    fn card_at(&mut self, card: &str, level: Option<&ByLevel>, spot: &Spot) -> Form {
        let level = level.map(|of| self.by_level(of, &spot.key("level")));
        if let Some(level) = level.filter(|level| !(1..=i16::from(LEVELS)).contains(level)) {
            let remedy = format!("cards have levels 1 to {LEVELS}, most of them 1 to 3");
            self.report(&spot.key("level"), format!("there is no level {level}"), remedy);
        }
        let level = level.unwrap_or(i16::from(self.level)).clamp(1, LEVELS.into()) as u8;
        match self.names.form(card, level) {
            Some((form, Kind::Creature)) => form,
            Some((_, Kind::Spell)) => {
                let message = format!("`{card}` is a spell");
                self.report(&spot.key("card"), message, "only creatures stand on the field");
                Form(0)
            }
            None => {
                let listing = "a card of this name must be in the file";
                let remedy = suggestion(card, self.names.cards(), listing);
                self.report(&spot.key("card"), format!("unknown card `{card}`"), remedy);
                Form(0)
            }
        }
    }
}

/// Whether a choice can choose a creature, which an effect could copy.
pub(super) fn can_be_copied(what: Choosable) -> bool {
    matches!(what, Choosable::Creature | Choosable::CreatureOrPlayer)
}

/// Whether an effect makes a copy of what was chosen.
pub(super) fn copies_choice(effect: &EffectForm) -> bool {
    matches!(effect, EffectForm::Spawn(of) if of.copy == Some(CopyOf::Chosen))
}

/// Whether an effect acts on what was chosen.
pub(super) fn uses_choice(effect: &EffectForm) -> bool {
    let place = match effect {
        EffectForm::Spawn(of) => of.copy == Some(CopyOf::Chosen) || of.to == Space::Chosen,
        EffectForm::Move(of) => of.to == Space::Chosen,
        EffectForm::LevelChosen => true,
        EffectForm::Gain(_)
        | EffectForm::Grant(_)
        | EffectForm::Swap(_)
        | EffectForm::Destroy(_)
        | EffectForm::Damage(_)
        | EffectForm::Heal(_)
        | EffectForm::Life(_)
        | EffectForm::Draw(_)
        | EffectForm::Plays(_)
        | EffectForm::DiscardDownTo(_)
        | EffectForm::Lose(_)
        | EffectForm::Replace(_)
        | EffectForm::ReturnToHand(_)
        | EffectForm::Revive(_)
        | EffectForm::LookForBattles
        | EffectForm::Later(_) => false,
    };
    place || acts_on(effect) == Some(&WhoForm::Chosen)
}

/// Whether an effect acts on what the second of two choices chose.
pub(super) fn uses_also(effect: &EffectForm) -> bool {
    acts_on(effect) == Some(&WhoForm::AlsoChosen)
}

/// Whether an ability that is put off refers to the creature that it remembers.
fn speaks_of_subject(conditions: &[Condition], effects: &[EffectForm]) -> bool {
    conditions.contains(&Condition::SpaceFree)
        || effects.iter().any(|effect| match effect {
            EffectForm::Spawn(of) => of.to == Space::Subject,
            EffectForm::Move(of) if of.to == Space::Subject => true,
            EffectForm::Later(of) => speaks_of_subject(&of.conditions, &of.effects),
            other => matches!(acts_on(other), Some(WhoForm::Subject | WhoForm::OppositeSubject)),
        })
}

/// Why an effect needs a single thing to be chosen, with a remedy; None if it does not.
pub(super) fn needs_one_choice(effect: &Effect) -> Option<(&'static str, &'static str)> {
    if let Effect::Move(_, Space::Chosen, _) = effect {
        let message = "several spaces may be chosen, and a creature moves to one";
        return Some((message, "take out `count`"));
    }
    reads_choice(effect).then_some((
        "several creatures may be chosen, and the number is that of one",
        "say `whose = \"target\"`, or take out `count`",
    ))
}

/// Whether a number of an effect is read off what was chosen.
pub(super) fn reads_choice(effect: &Effect) -> bool {
    let reads = |amount: Amount| matches!(amount, Amount::Read(_, Whose::Chosen, _));
    match *effect {
        Effect::Gain(_, of) => {
            [of.attack, of.health, of.armor, of.poison, of.regenerate, of.mobility, of.battles]
                .into_iter()
                .any(reads)
        }
        Effect::Damage(_, amount)
        | Effect::Heal(_, amount)
        | Effect::Life(_, amount)
        | Effect::Plays(_, amount)
        | Effect::Draw(_, amount)
        | Effect::DiscardDownTo(_, amount) => reads(amount),
        Effect::Swap(_)
        | Effect::Destroy(_)
        | Effect::Spawn(..)
        | Effect::Revive(_)
        | Effect::Move(..)
        | Effect::Lose(..)
        | Effect::Replace(..)
        | Effect::ReturnToHand(_)
        | Effect::Later(..)
        | Effect::Grant(..)
        | Effect::LevelChosen
        | Effect::LookForBattles => false,
    }
}

fn acts_on(effect: &EffectForm) -> Option<&WhoForm> {
    match effect {
        EffectForm::Gain(of) => Some(&of.who),
        EffectForm::Grant(of) => Some(&of.who),
        EffectForm::Swap(of) | EffectForm::Destroy(of) | EffectForm::ReturnToHand(of) => {
            Some(&of.who)
        }
        EffectForm::Damage(of)
        | EffectForm::Heal(of)
        | EffectForm::Life(of)
        | EffectForm::Draw(of)
        | EffectForm::Plays(of)
        | EffectForm::DiscardDownTo(of) => Some(&of.who),
        EffectForm::Move(of) => Some(&of.who),
        EffectForm::Lose(of) => Some(&of.who),
        EffectForm::Replace(of) => Some(&of.who),
        EffectForm::Spawn(_)
        | EffectForm::LevelChosen
        | EffectForm::Revive(_)
        | EffectForm::LookForBattles
        | EffectForm::Later(_) => None,
    }
}
