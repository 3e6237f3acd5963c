//! From written cards to what a battle reads: names looked up, numbers settled level by level, and everything
//! reported that makes no sense.

use std::collections::BTreeSet;

use enumset::EnumSet;

use super::names::{LEVELS, Names, kind_at, levels};
use super::vocabulary::{
    AbilityForm, AmountForm, ByLevel, CardForm, Choosable, ChooseForm, Condition, CopyOf,
    EffectForm, FilterForm, Kind, Quantity, SpawnForm, StaticForm, Until, When, Who as WhoForm,
};
use crate::games::solforge::ability::{
    ACTIVATED, Ability, AbilityId, Amount, Choice, Demand, Effect, Filter, Gain, Hook, PlayedCard,
    Spawned, Static, TRIBES, Trigger, Who,
};
use crate::games::solforge::setup::{Card, Cards, FormData};
use crate::games::solforge::state::{FORMS, Form};
use crate::scenario::{Spot, suggestion};

/// A written card and where it stands in its file.
#[derive(Clone, Debug)]
pub struct Entry {
    /// The card.
    pub card: CardForm,
    /// Where it stands.
    pub spot: Spot,
}

/// Something that makes no sense.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Finding {
    /// Which entry.
    pub entry: usize,
    /// Where in its file.
    pub spot: Spot,
    /// What is wrong.
    pub message: String,
    /// What to do.
    pub remedy: String,
}

/// What a battle reads of all written cards, and everything that is wrong with them.
#[must_use]
pub fn compile(entries: &[Entry]) -> (Cards, Vec<Finding>) {
    if let Some(finding) = too_many(entries) {
        return (Cards::default(), vec![finding]);
    }
    let names = Names::new(entries.iter().map(|entry| &entry.card));
    let mut cards = Cards { tribes: names.tribes.clone(), ..Cards::default() };
    let mut findings = Vec::new();
    let mut first = 0;
    for (at, entry) in entries.iter().enumerate() {
        let mut writer = Writer {
            names: &names,
            cards: &mut cards,
            findings: &mut findings,
            at,
            card: &entry.card,
            levels: levels(&entry.card),
            level: 1,
            form: Form(first),
        };
        if entries[..at].iter().any(|other| other.card.name == entry.card.name) {
            let message = format!("`{}` is the name of two cards", entry.card.name);
            writer.report(&entry.spot.key("name"), message, "give each its own name");
        }
        writer.card(&entry.spot);
        first += u16::from(levels(&entry.card));
    }
    // The same thing wrong at three levels is one thing wrong.
    let mut once: Vec<Finding> = Vec::new();
    for finding in findings {
        if !once.contains(&finding) {
            once.push(finding);
        }
    }
    (cards, once)
}

/// More cards or tribes than a battle can tell apart.
fn too_many(entries: &[Entry]) -> Option<Finding> {
    let last = entries.last()?;
    let forms: usize = entries.iter().map(|entry| usize::from(levels(&entry.card))).sum();
    let tribes: BTreeSet<&String> = entries.iter().flat_map(|entry| &entry.card.tribes).collect();
    let message = if forms > FORMS {
        format!("{forms} cards and levels are more than {FORMS}")
    } else if tribes.len() > TRIBES {
        format!("{} tribes are more than {TRIBES}", tribes.len())
    } else {
        return None;
    };
    let (entry, spot) = (entries.len() - 1, last.spot.clone());
    Some(Finding { entry, spot, message, remedy: "leave out cards that nobody plays".to_owned() })
}

/// Writes one card, level by level.
struct Writer<'w, 'f> {
    names: &'w Names<'f>,
    cards: &'w mut Cards,
    findings: &'w mut Vec<Finding>,
    at: usize,
    card: &'w CardForm,
    levels: u8,
    level: u8,
    form: Form,
}

impl Writer<'_, '_> {
    fn report(&mut self, spot: &Spot, message: impl Into<String>, remedy: impl Into<String>) {
        self.findings.push(Finding {
            entry: self.at,
            spot: spot.clone(),
            message: message.into(),
            remedy: remedy.into(),
        });
    }

    fn card(&mut self, spot: &Spot) {
        let card = self.card;
        let kind = self.kind(spot);
        self.level_list(&card.spell_at, &spot.key("spell_at"));
        let start = self.form.0;
        self.cards.cards.push(Card {
            name: card.name.clone(),
            faction: card.faction,
            kind,
            token: card.token,
            forms: start..start + u16::from(self.levels),
        });
        self.level_list(&card.free, &spot.key("free"));
        for level in 1..=self.levels {
            self.level = level;
            self.form = Form(start + u16::from(level) - 1);
            self.form_data(self.kind_here(), spot);
        }
    }

    /// Creature or spell, at the level that is being written.
    fn kind_here(&self) -> Kind {
        kind_at(self.card, self.level)
    }

    fn kind(&mut self, spot: &Spot) -> Kind {
        let card = self.card;
        let (attack, health) = (card.attack.len(), card.health.len());
        if attack != health {
            let message = format!("{attack} numbers for attack, {health} for health");
            self.report(&spot.key("health"), message, "give one of each for every level");
        }
        if attack > usize::from(LEVELS) {
            let message = format!("{attack} levels");
            self.report(&spot.key("attack"), message, format!("a card has at most {LEVELS}"));
        }
        if attack == 0 && health == 0 { Kind::Spell } else { Kind::Creature }
    }

    fn form_data(&mut self, kind: Kind, spot: &Spot) {
        let card = self.card;
        let at = usize::from(self.level) - 1;
        if kind == Kind::Creature && card.levels.is_some() {
            let remedy = "the list of attacks says how many levels a creature has; take it out";
            self.report(&spot.key("levels"), "only a spell says how many levels it has", remedy);
        }
        let first = self.cards.abilities.len() as u16;
        let mut hooks = EnumSet::empty();
        let mut own = Vec::new();
        for (index, ability) in card.abilities.iter().enumerate() {
            let spot = spot.key("abilities").index(index);
            self.level_list(&ability.levels, &spot.key("levels"));
            if ability.levels.is_empty() || ability.levels.contains(&self.level) {
                self.fits_kind(ability, kind, &spot);
                let ability = self.ability(ability, &spot);
                hooks |= ability.trigger.hook();
                own.push(ability);
            }
        }
        let activated = own.iter().filter(|of| of.trigger.hook() == Hook::Activate).count();
        if activated > ACTIVATED {
            let message = format!("{activated} activated abilities");
            let remedy = format!("a creature has at most {ACTIVATED} at a level");
            self.report(&spot.key("abilities"), message, remedy);
        }
        // What cards grant was written while they were; their own abilities must stand together.
        let start = self.cards.abilities.len() as u16;
        debug_assert!(start >= first);
        self.cards.abilities.extend(own);
        let statics = self.cards.statics.len() as u16;
        for (index, of) in card.statics.iter().enumerate() {
            let spot = spot.key("statics").index(index);
            self.level_list(&of.levels, &spot.key("levels"));
            if of.levels.is_empty() || of.levels.contains(&self.level) {
                let of = self.constant(of, &spot);
                self.cards.statics.push(of);
            }
        }
        let mut number = |of: &Option<ByLevel>, key: &str| {
            of.as_ref().map_or(0, |of| self.by_level(of, &spot.key(key)))
        };
        let (armor, mobility) = (number(&card.armor, "armor"), number(&card.mobility, "mobility"));
        let regenerate = number(&card.regenerate, "regenerate");
        let battles = number(&card.battles, "battles");
        let tribes = card.tribes.iter().filter_map(|tribe| self.names.tribe(tribe));
        let tribes = tribes.fold(0, |all, tribe| all | tribe);
        let next = if self.level < self.levels { Form(self.form.0 + 1) } else { self.form };
        self.cards.forms.push(FormData {
            card: self.at as u16,
            level: self.level,
            kind,
            faction: card.faction,
            tribes,
            attack: card.attack.get(at).copied().unwrap_or(0),
            health: card.health.get(at).copied().unwrap_or(0),
            armor,
            mobility,
            regenerate,
            battles,
            keywords: card.keywords.iter().copied().collect(),
            free: card.free.contains(&self.level),
            levels_to: (!card.overload && !card.token).then_some(next),
            hooks,
            abilities: start..self.cards.abilities.len() as u16,
            statics: statics..self.cards.statics.len() as u16,
        });
    }

    fn fits_kind(&mut self, ability: &AbilityForm, kind: Kind, spot: &Spot) {
        let is_cast = ability.when == When::Cast;
        if is_cast && kind == Kind::Creature {
            let remedy = "`forge` is when a creature is played from the hand";
            self.report(&spot.key("when"), "only a spell has `cast`", remedy);
        }
        let of_spell = is_cast || ability.when == When::Forge;
        if !of_spell && kind == Kind::Spell {
            let remedy = "a spell has `cast`, and `forge` for what follows; give a creature attack and health";
            self.report(&spot.key("when"), "a spell does nothing but when it is played", remedy);
        }
    }

    fn level_list(&mut self, list: &[u8], spot: &Spot) {
        for (index, &level) in list.iter().enumerate() {
            if level == 0 || level > self.levels {
                let message = format!("there is no level {level}");
                let remedy = format!("`{}` has levels 1 to {}", self.card.name, self.levels);
                self.report(&spot.index(index), message, remedy);
            }
        }
    }

    /// The number that holds at this level.
    fn by_level(&mut self, of: &ByLevel, spot: &Spot) -> i16 {
        match of {
            ByLevel::Same(number) => *number,
            ByLevel::Each(list) => self.of_list(list, spot),
        }
    }

    fn of_list(&mut self, list: &[i16], spot: &Spot) -> i16 {
        if list.len() != usize::from(self.levels) {
            let message = format!("{} numbers for {} levels", list.len(), self.levels);
            self.report(spot, message, "give one number for every level, or a single one for all");
        }
        list.get(usize::from(self.level) - 1).copied().unwrap_or(0)
    }

    fn ability(&mut self, of: &AbilityForm, spot: &Spot) -> Ability {
        let trigger = self.trigger(&of.when, &spot.key("when"));
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
        let choice = of.choose.as_ref().map(|of| self.choice(of, &spot.key("choose")));
        let effects = of.effects.iter().enumerate().map(|(index, effect)| {
            let spot = spot.key("do").index(index);
            if choice.is_none() && uses_choice(effect) {
                let remedy = "say under `choose` what is chosen";
                self.report(&spot, "nothing is chosen that it could act on", remedy);
            }
            if choice.is_some_and(|choice| !can_be_copied(choice.what)) && copies_choice(effect) {
                let remedy = "choose a creature: `what = \"creature\"`";
                self.report(&spot, "what is chosen is no creature to copy", remedy);
            }
            self.effect(effect, &spot)
        });
        let effects = effects.collect();
        Ability { form: self.form, trigger, demands, choice, effects }
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

    fn filter(&mut self, of: &FilterForm, spot: &Spot) -> Filter {
        let mut at_most = |of: &Option<ByLevel>, key: &str| {
            of.as_ref().map_or(i16::MAX, |of| self.by_level(of, &spot.key(key)))
        };
        let attack_at_most = at_most(&of.attack_at_most, "attack_at_most");
        let level_at_most = at_most(&of.level_at_most, "level_at_most").clamp(0, 255) as u8;
        Filter {
            side: of.side,
            other: of.other,
            not_chosen: of.not_chosen,
            place: of.place,
            attack_at_most,
            level_at_most,
            faction: of.faction,
            not_faction: of.not_faction,
            tribes: self.tribe(of.tribe.as_deref(), &spot.key("tribe")),
            not_tribes: self.tribe(of.not_tribe.as_deref(), &spot.key("not_tribe")),
            keyword: of.keyword,
            poisoned: of.poisoned,
        }
    }

    fn tribe(&mut self, name: Option<&str>, spot: &Spot) -> u64 {
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

    fn amount(&mut self, of: &AmountForm, spot: &Spot) -> Amount {
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

    fn who(&mut self, of: &WhoForm, spot: &Spot) -> Who {
        match of {
            WhoForm::Itself => Who::Itself,
            WhoForm::Subject => Who::Subject,
            WhoForm::Opposite => Who::Opposite,
            WhoForm::OppositeSubject => Who::OppositeSubject,
            WhoForm::Chosen => Who::Chosen,
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

    fn effect(&mut self, of: &EffectForm, spot: &Spot) -> Effect {
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
                let count = self.by_level(&of.count, &spot.key("revive").key("count"));
                Effect::Revive(count.clamp(0, 5) as u8, of.together)
            }
            EffectForm::Move(of) => Effect::Move(of.to, of.even_if_destroyed),
            EffectForm::Grant(of) => {
                let spot = spot.key("grant");
                let who = self.who(&of.who, &spot.key("who"));
                let ability = self.ability(&of.ability, &spot.key("ability"));
                self.cards.abilities.push(ability);
                let id = AbilityId(self.cards.abilities.len() as u16 - 1);
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
        let level = of.level.as_ref().map(|of| self.by_level(of, &spot.key("level")));
        let level = level.unwrap_or(i16::from(self.level)).clamp(1, 4) as u8;
        match (&of.card, of.copy) {
            (Some(card), None) => match self.names.form(card, level) {
                Some((form, Kind::Creature)) => Spawned::Form(form),
                Some((_, Kind::Spell)) => {
                    let message = format!("`{card}` is a spell");
                    self.report(&spot.key("card"), message, "only creatures stand on the field");
                    Spawned::Form(Form(0))
                }
                None => {
                    let listing = "a card of this name must be in the file";
                    let remedy = suggestion(card, self.names.cards(), listing);
                    self.report(&spot.key("card"), format!("unknown card `{card}`"), remedy);
                    Spawned::Form(Form(0))
                }
            },
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

    fn constant(&mut self, of: &StaticForm, spot: &Spot) -> Static {
        let mut number = |of: &Option<ByLevel>, key: &str| {
            of.as_ref().map_or(0, |of| self.by_level(of, &spot.key(key)))
        };
        Static {
            who: of.who,
            in_center: of.in_center,
            attack: number(&of.attack, "attack"),
            armor: number(&of.armor, "armor"),
            battles: number(&of.battles, "battles"),
            attack_is_health: of.attack_is_health,
            plus_life: of.plus_life,
        }
    }
}

/// Whether a choice can be of a creature.
fn can_be_copied(what: Choosable) -> bool {
    matches!(what, Choosable::Creature | Choosable::CreatureOrPlayer)
}

/// Whether an effect makes a copy of what was chosen.
fn copies_choice(effect: &EffectForm) -> bool {
    matches!(effect, EffectForm::Spawn(of) if of.copy == Some(CopyOf::Chosen))
}

/// Whether an effect acts on what was chosen.
fn uses_choice(effect: &EffectForm) -> bool {
    use super::vocabulary::Space;
    let chosen = |who: &WhoForm| *who == WhoForm::Chosen;
    match effect {
        EffectForm::Gain(of) => chosen(&of.who),
        EffectForm::Grant(of) => chosen(&of.who),
        EffectForm::Swap(of) | EffectForm::Destroy(of) => chosen(&of.who),
        EffectForm::Damage(of)
        | EffectForm::Heal(of)
        | EffectForm::Life(of)
        | EffectForm::Draw(of)
        | EffectForm::DiscardDownTo(of) => chosen(&of.who),
        EffectForm::Spawn(of) => of.copy == Some(CopyOf::Chosen) || of.to == Space::Chosen,
        EffectForm::Move(of) => of.to == Space::Chosen,
        EffectForm::LevelChosen => true,
        EffectForm::Revive(_) | EffectForm::LookForBattles => false,
    }
}
