//! Finds what an ability says but can never do: an effect on something that it cannot reach, an amount of nothing, an
//! ability that nothing can set off. Whoever writes such a thing meant something else.

use super::vocabulary::{Choosable, CopyOf, Kind, Place, Quantity, SideForm, Space, StaticWho};
use crate::games::solforge::ability::{
    Ability, Amount, Choice, Demand, Effect, Filter, Gain, Static, Trigger, Who,
};

/// What is wrong, and what to do.
pub(super) type Futile = (&'static str, &'static str);

/// The kind of card or creature that has an ability, which decides what the ability's words can mean.
#[derive(Clone, Copy)]
pub(super) struct Bearer {
    /// Whether a creature or a spell has it.
    pub kind: Kind,
    /// Whether it is given to a creature rather than printed on it.
    pub granted: bool,
    /// For an ability that is put off: whether there was a creature that it can remember.
    pub remembers: bool,
}

/// The bearer of an ability that another one puts off.
pub(super) fn bearer_of_later(trigger: Trigger, choice: Option<&Choice>, bearer: Bearer) -> Bearer {
    let remembers = match choice.map(|choice| choice.what) {
        Some(Choosable::Creature | Choosable::CreatureOrPlayer) => true,
        Some(Choosable::FreeSpace | Choosable::CardInHand) => false,
        None => subject(trigger, bearer) == Subject::There,
    };
    Bearer { remembers, ..bearer }
}

/// Whom an effect can reach.
#[derive(Clone, Copy)]
struct Reach {
    creatures: bool,
    players: bool,
}

const NOBODY: Reach = Reach { creatures: false, players: false };
const CREATURES: Reach = Reach { creatures: true, players: false };
const PLAYERS: Reach = Reach { creatures: false, players: true };

/// What a trigger says about the creature that set the ability off.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Subject {
    /// There is none.
    None,
    /// It has left the field: only its space can still be meant.
    Gone,
    /// It is on the field.
    There,
}

fn subject(trigger: Trigger, bearer: Bearer) -> Subject {
    match trigger {
        Trigger::Cast
        | Trigger::HitsPlayer(_)
        | Trigger::TurnStarts(_)
        | Trigger::TurnEnds(_)
        | Trigger::RankRises => Subject::None,
        Trigger::Vengeance | Trigger::Destroyed(_) => Subject::Gone,
        Trigger::Later(_) if !bearer.remembers => Subject::None,
        Trigger::Plays(of) if of.kind == Some(Kind::Spell) => Subject::None,
        // The subject of a spell is the creature that it was played on.
        Trigger::Forge
        | Trigger::Arrives
        | Trigger::Flank
        | Trigger::Enters(..)
        | Trigger::Moves(_)
        | Trigger::Plays(_)
        | Trigger::HitsCreature(_)
        | Trigger::IsDamaged
        | Trigger::Later(_) => Subject::There,
        Trigger::Activate(_) => match bearer.kind {
            Kind::Creature => Subject::There,
            Kind::Spell => Subject::None,
        },
    }
}

/// What is futile about a trigger: nothing can set it off where the ability is.
pub(super) fn trigger(of: Trigger, bearer: Bearer) -> Option<Futile> {
    if let Trigger::Plays(card) = of
        && card.level_at_most == 0
    {
        return Some(("no card has level 0 or less", "levels begin at 1"));
    }
    if !bearer.granted {
        return None;
    }
    match of {
        Trigger::Cast | Trigger::Forge | Trigger::Arrives => Some((
            "a creature that is given this is on the field already",
            "give it something that can still happen, or do it at once",
        )),
        Trigger::Activate(_) => {
            Some(("only printed activated abilities can be used", "print it on the card"))
        }
        Trigger::Vengeance
        | Trigger::Flank
        | Trigger::Enters(..)
        | Trigger::Destroyed(_)
        | Trigger::Moves(_)
        | Trigger::Plays(_)
        | Trigger::HitsPlayer(_)
        | Trigger::HitsCreature(_)
        | Trigger::IsDamaged
        | Trigger::TurnStarts(_)
        | Trigger::TurnEnds(_)
        | Trigger::RankRises
        | Trigger::Later(_) => None,
    }
}

/// What is futile about a demand: it can never be true, or never be false.
pub(super) fn demand(of: Demand, trigger: Trigger, bearer: Bearer) -> Option<Futile> {
    match of {
        Demand::Center(_) if bearer.kind == Kind::Spell => {
            Some(("a spell is in no lane", "take it out"))
        }
        Demand::SpaceFree if subject(trigger, bearer) == Subject::None => {
            Some(("no creature sets this off whose space could be free", "take it out"))
        }
        Demand::Exists(filter) => self::filter(&filter, bearer),
        Demand::Center(_) | Demand::SpaceFree | Demand::Allied(_) => None,
    }
}

/// What is futile about a filter: it can select no creature.
pub(super) fn filter(of: &Filter, bearer: Bearer) -> Option<Futile> {
    let away = |side| of.side == side;
    match of.place {
        Place::Anywhere => {}
        Place::Adjacent | Place::Opposite if bearer.kind == Kind::Spell => {
            return Some(("nobody is adjacent to a spell, nor opposite", "take out `place`"));
        }
        Place::Adjacent if away(SideForm::Enemy) => {
            return Some(("adjacent creatures are friends", "take out `side` or `place`"));
        }
        Place::Opposite if away(SideForm::Friend) => {
            return Some(("opposite creatures are enemies", "take out `side` or `place`"));
        }
        Place::Adjacent | Place::Opposite => {}
    }
    if of.attack_at_least > of.attack_at_most {
        return Some(("no attack is that high and that low", "give a range that is not empty"));
    }
    if of.level_at_most == 0 {
        return Some(("no creature has level 0 or less", "levels begin at 1"));
    }
    if of.faction.is_some() && of.faction == of.not_faction {
        return Some(("no creature is of a faction and is not", "take out one of the two"));
    }
    None
}

/// What is futile about an effect: it can never do anything, or never reaches a target that it can act on.
pub(super) fn effect(of: Effect, ability: &Ability, bearer: Bearer) -> Option<Futile> {
    match of {
        Effect::Gain(who, gain) => on_creatures(who, ability, bearer).or_else(|| self::gain(gain)),
        Effect::Swap(who) | Effect::Destroy(who) | Effect::Grant(who, ..) => {
            on_creatures(who, ability, bearer)
        }
        Effect::Damage(who, amount) => reached(who, ability, bearer, true, true)
            .or_else(|| is_positive(amount, ability.trigger)),
        Effect::Heal(who, amount) => {
            on_creatures(who, ability, bearer).or_else(|| is_positive(amount, ability.trigger))
        }
        Effect::Life(who, amount) => {
            on_players(who, ability, bearer).or_else(|| is_something(amount, ability.trigger))
        }
        Effect::Draw(who, amount) => {
            on_players(who, ability, bearer).or_else(|| is_positive(amount, ability.trigger))
        }
        Effect::DiscardDownTo(who, amount) => {
            let is_less_than_none = matches!(amount, Amount::Fixed(..0));
            on_players(who, ability, bearer).or_else(|| {
                is_less_than_none.then_some(("nobody holds fewer than 0 cards", "give 0 or more"))
            })
        }
        Effect::Spawn(spawned, to) => {
            let copy_of_spell =
                matches!(spawned, crate::games::solforge::ability::Spawned::Copy(CopyOf::Itself))
                    && bearer.kind == Kind::Spell;
            // Reported where it is written.
            if copy_of_spell { None } else { space(to, ability, bearer) }
        }
        Effect::Revive(of) => (of.count == 0 || of.level_at_most == 0)
            .then_some(("nobody is revived", "give a `count` and a level of 1 or more")),
        Effect::Move(who, to, _) => {
            on_creatures(who, ability, bearer).or_else(|| space(to, ability, bearer))
        }
        Effect::Lose(who, ..) | Effect::Replace(who, _) | Effect::ReturnToHand(who) => {
            on_creatures(who, ability, bearer)
        }
        // Its own effects are checked where they are compiled.
        Effect::Later(..) => None,
        Effect::Plays(who, amount) => {
            on_players(who, ability, bearer).or_else(|| is_something(amount, ability.trigger))
        }
        Effect::LevelChosen => match ability.choice.map(|choice| choice.what) {
            None | Some(Choosable::CardInHand) => None,
            Some(Choosable::Creature | Choosable::CreatureOrPlayer | Choosable::FreeSpace) => {
                Some(("what is chosen is no card in hand", "choose `what = \"card_in_hand\"`"))
            }
        },
        Effect::LookForBattles => None,
    }
}

/// What is futile about a static: it changes nothing, or nothing that a player has.
pub(super) fn constant(of: &Static) -> Option<Futile> {
    if !of.touches().is_empty() {
        return None;
    }
    Some(match of.who {
        StaticWho::You => ("a player has nothing of this", "a player can have `armor`"),
        StaticWho::Itself | StaticWho::Adjacent | StaticWho::Others | StaticWho::Friends => {
            ("this changes nothing", "give it a number that is not 0")
        }
    })
}

fn space(to: Space, ability: &Ability, bearer: Bearer) -> Option<Futile> {
    match to {
        Space::Here | Space::Adjacent if bearer.kind == Kind::Spell => {
            Some(("a spell is in no lane", "say `to = \"random\"` or `\"chosen\"`"))
        }
        Space::Subject if subject(ability.trigger, bearer) == Subject::None => {
            Some(("no creature sets this off whose space could be meant", "say another space"))
        }
        Space::Here | Space::Subject | Space::Random | Space::Adjacent | Space::Chosen => None,
    }
}

fn on_creatures(who: Who, ability: &Ability, bearer: Bearer) -> Option<Futile> {
    reached(who, ability, bearer, true, false)
}

fn on_players(who: Who, ability: &Ability, bearer: Bearer) -> Option<Futile> {
    reached(who, ability, bearer, false, true)
}

fn reached(
    who: Who,
    ability: &Ability,
    bearer: Bearer,
    creatures: bool,
    players: bool,
) -> Option<Futile> {
    let reach = match reach(who, ability, bearer) {
        Ok(reach) => reach,
        Err(futile) => return Some(futile),
    };
    if reach.creatures && creatures || reach.players && players {
        return None;
    }
    Some(match (reach.creatures, reach.players) {
        (false, false) => ("it reaches nobody", "say another `who`"),
        (true, _) => (
            "this is done to players, and it acts on creatures",
            "say `who = \"you\"` or `\"opponent\"`",
        ),
        (false, true) => (
            "this is done to creatures, and it acts on a player",
            "say a `who` that is a creature; for a player's life there is `life`",
        ),
    })
}

fn reach(who: Who, ability: &Ability, bearer: Bearer) -> Result<Reach, Futile> {
    const SPELL: Futile = ("a spell is no creature", "say `who`");
    let subject = subject(ability.trigger, bearer);
    match who {
        Who::Itself | Who::Opposite if bearer.kind == Kind::Spell => Err(SPELL),
        Who::Itself if ability.trigger == Trigger::Vengeance => {
            Err(("the creature has left the field by then", "say another `who`"))
        }
        Who::Itself | Who::Opposite => Ok(CREATURES),
        Who::Subject => match subject {
            Subject::None => Err(("no creature sets this off", "say another `who`")),
            Subject::Gone => {
                Err(("the creature that sets this off has left the field", "say another `who`"))
            }
            Subject::There => Ok(CREATURES),
        },
        Who::OppositeSubject => match subject {
            Subject::None => Err(("no creature sets this off", "say another `who`")),
            Subject::Gone | Subject::There => Ok(CREATURES),
        },
        Who::Chosen => Ok(match ability.choice.map(|choice| choice.what) {
            Some(Choosable::Creature) => CREATURES,
            // That nothing is chosen is reported where it is written.
            Some(Choosable::CreatureOrPlayer) | None => Reach { creatures: true, players: true },
            Some(Choosable::FreeSpace | Choosable::CardInHand) => NOBODY,
        }),
        Who::AlsoChosen => Ok(match ability.also.map(|choice| choice.what) {
            Some(Choosable::Creature) => CREATURES,
            Some(Choosable::CreatureOrPlayer) | None => Reach { creatures: true, players: true },
            Some(Choosable::FreeSpace | Choosable::CardInHand) => NOBODY,
        }),
        Who::You | Who::Opponent => Ok(PLAYERS),
        Who::Each(filter) | Who::Random(filter, _) | Who::LowestAttack(filter) => {
            self::filter(&filter, bearer).map_or(Ok(CREATURES), Err)
        }
    }
}

fn gain(of: Gain) -> Option<Futile> {
    let zero = Amount::Fixed(0);
    let numbers =
        [of.attack, of.health, of.armor, of.poison, of.regenerate, of.mobility, of.battles];
    let nothing = of.keywords.is_empty() && numbers.iter().all(|&number| number == zero);
    nothing.then_some(("nothing is gained", "give it a number that is not 0, or keywords"))
}

/// What is futile about an amount that must sometimes be above 0.
fn is_positive(amount: Amount, trigger: Trigger) -> Option<Futile> {
    let never = match amount {
        Amount::Fixed(number) => number <= 0,
        Amount::Random(_, high) => high <= 0,
        Amount::Read(..) => false,
    };
    let never = never.then_some(("an amount of 0 or less does nothing", "give more than 0"));
    never.or_else(|| is_something(amount, trigger))
}

/// What is futile about an amount that must sometimes differ from 0.
fn is_something(amount: Amount, trigger: Trigger) -> Option<Futile> {
    let nothing = match amount {
        Amount::Fixed(number) => number == 0,
        Amount::Random(low, high) => (low, high) == (0, 0),
        Amount::Read(_, _, 0) => true,
        Amount::Read(Quantity::Dealt, ..) => match trigger {
            Trigger::HitsPlayer(_) | Trigger::HitsCreature(_) | Trigger::IsDamaged => false,
            Trigger::Cast
            | Trigger::Forge
            | Trigger::Arrives
            | Trigger::Vengeance
            | Trigger::Activate(_)
            | Trigger::Enters(..)
            | Trigger::Destroyed(_)
            | Trigger::Flank
            | Trigger::Moves(_)
            | Trigger::Plays(_)
            | Trigger::TurnStarts(_)
            | Trigger::TurnEnds(_)
            | Trigger::RankRises
            | Trigger::Later(_) => {
                return Some(("no damage sets this off", "say another number"));
            }
        },
        Amount::Read(..) => false,
    };
    nothing.then_some(("an amount of 0 does nothing", "give another number"))
}
