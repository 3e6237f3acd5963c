//! Why a SolForge game goes as it does: what sets an ability off, what creatures have besides attack and health, and
//! whom they have it from.

use strum::IntoEnumIterator;

use super::Teller;
use crate::game::Side;
use crate::games::solforge::ability::{AbilityId, Number, Trigger};
use crate::games::solforge::event::Ref;
use crate::games::solforge::keyword::Keyword;
use crate::games::solforge::rules::statics;

/// What is said of a creature that starts no battle before its player's next turn.
pub(super) const ON_THE_DEFENSIVE: &str = "on the defensive";

impl Teller<'_> {
    /// What set an ability off, where the batch that it is in does not say so; `subject` is the creature that it
    /// happened to.
    pub(super) fn set_off_by(&self, ability: AbilityId, subject: Ref) -> Option<String> {
        let by = |what: &str| Some(what.to_owned());
        let somebody = |what: &str| Some(format!("{} {what}", self.name(subject)));
        match self.setup.cards.ability(ability).trigger {
            Trigger::Cast | Trigger::TurnStarts(_) | Trigger::TurnEnds(_) => None,
            Trigger::Forge => by("Forge"),
            Trigger::Arrives => by("it has entered"),
            Trigger::Vengeance => by("Vengeance"),
            Trigger::Activate(_) => by("it was activated"),
            Trigger::Enters(..) => somebody("has entered"),
            Trigger::Destroyed(_) => somebody("died"),
            Trigger::Flank => by("it has moved"),
            Trigger::Moves(_) => somebody("has moved"),
            Trigger::Plays(_) => by("a card was played"),
            Trigger::HitsPlayer(_) => by("it damaged the other player"),
            Trigger::HitsCreature(_) => Some(format!("it damaged {}", self.name(subject))),
            Trigger::IsDamaged => by("it was damaged"),
            Trigger::RankRises => by("its player's rank rose"),
            Trigger::Later(_) => by("it was put off until now"),
        }
    }

    /// What a creature has besides attack and health, and whether it has to wait for its next turn.
    pub(super) fn traits(&self, who: Ref) -> Vec<String> {
        let Some((side, lane)) = self.state.locate(who) else { return Vec::new() };
        let (cards, creature) = (&self.setup.cards, self.state.at(side, lane));
        let numbers = [
            ("Armor", statics::armor(cards, self.state, side, lane)),
            ("Poison", creature.poison),
            ("Regenerate", statics::regenerate(cards, self.state, side, lane)),
            ("Mobility", creature.mobility),
            ("Battles", statics::extra_battles(cards, self.state, side, lane)),
        ];
        let numbers = numbers.into_iter().filter(|&(_, number)| number != 0);
        let mut told: Vec<String> = numbers
            .map(|(name, number)| match name {
                "Battles" => format!("Battles {number:+}"),
                _ => format!("{name} {number}"),
            })
            .collect();
        let keywords = Keyword::iter().filter(|&keyword| creature.has(keyword));
        told.extend(keywords.map(|keyword| keyword.to_string()));
        if !creature.is_offensive() {
            told.push(ON_THE_DEFENSIVE.to_owned());
        }
        told
    }

    /// The creatures, besides one itself, whose statics change one of its numbers, or of its player's for None.
    pub(super) fn lenders(&self, number: Number, side: Side, lane: Option<u8>) -> Vec<String> {
        statics::lenders(&self.setup.cards, self.state, number, side, lane)
            .into_iter()
            .map(|source| self.name(Ref::new(self.state.at(side, source), side, source)))
            .collect()
    }

    /// The creatures of a side whose numbers are its player's life, or more by it, as they are now: told where that life
    /// changes.
    pub(super) fn living_on(&self, side: Side) -> String {
        statics::living_on(&self.setup.cards, self.state, side)
            .into_iter()
            .map(|lane| {
                let who = Ref::new(self.state.at(side, lane), side, lane);
                format!("; {} {}", self.name(who), self.size(who))
            })
            .collect()
    }

    /// The creatures that fight in an additional battle which is about to begin, and whose statics let them.
    pub(super) fn fights_again(&self) -> Vec<(Ref, Vec<String>)> {
        let (cards, side) = (&self.setup.cards, self.state.active);
        let fights = |&(side, lane): &(Side, u8)| {
            let creature = self.state.at(side, lane);
            let more = statics::extra_battles(cards, self.state, side, lane);
            creature.attacks() && i32::from(more) >= i32::from(creature.battled)
        };
        let fighting = self.state.standing.of(side).filter(fights);
        let told = fighting.map(|(side, lane)| {
            let who = Ref::new(self.state.at(side, lane), side, lane);
            (who, self.lenders(Number::Battles, side, Some(lane)))
        });
        told.collect()
    }
}

/// Names in brackets, with what comes before them; empty where there are none.
pub(super) fn bracketed(before: &str, names: &[String]) -> String {
    if names.is_empty() { String::new() } else { format!(" ({before}{})", names.join(", ")) }
}
