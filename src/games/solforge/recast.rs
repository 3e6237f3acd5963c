//! Setups in which a card acts as another one or has lost an ability, while decks are drawn and shuffled as before.

use enumset::EnumSet;
use strum::IntoEnumIterator;

use super::ability::{Ability, AbilityId, Hook};
use super::keyword::Keyword;
use super::setup::{Brings, Cards, FormData, Play, Setup};
use crate::game::Side;
use crate::recast::Recast;

/// Something that a card can lose.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Part {
    Keyword(Keyword),
    Armor,
    Mobility,
    Regenerate,
    Battles,
    /// All its abilities with this hook.
    Hook(Hook),
    Statics,
}

impl Part {
    fn name(self) -> String {
        match self {
            Part::Keyword(keyword) => keyword.to_string(),
            Part::Armor => "Armor".to_owned(),
            Part::Mobility => "Mobility".to_owned(),
            Part::Regenerate => "Regenerate".to_owned(),
            Part::Battles => "further battles".to_owned(),
            Part::Hook(hook) => format!("its abilities at `{}`", hook.name()),
            Part::Statics => "its lasting effect".to_owned(),
        }
    }

    fn is_of(self, cards: &Cards, form: &FormData) -> bool {
        match self {
            Part::Keyword(keyword) => form.keywords.contains(keyword),
            Part::Armor => form.armor > 0,
            Part::Mobility => form.mobility > 0,
            Part::Regenerate => form.regenerate > 0,
            Part::Battles => form.battles > 0,
            Part::Hook(hook) => own(cards, form).any(|ability| ability.trigger.hook() == hook),
            Part::Statics => !form.statics.is_empty(),
        }
    }
}

fn own<'c>(cards: &'c Cards, form: &FormData) -> impl Iterator<Item = &'c Ability> {
    form.abilities.clone().map(|id| cards.ability(AbilityId(id)))
}

/// Everything that a card has at any of its levels and can lose.
fn parts(setup: &Setup, unit: u16) -> Vec<Part> {
    let cards = &setup.cards;
    let Some(card) = cards.cards.get(usize::from(unit)) else { return Vec::new() };
    let forms = &cards.forms[usize::from(card.forms.start)..usize::from(card.forms.end)];
    let keywords = Keyword::iter().map(Part::Keyword);
    let numbers = [Part::Armor, Part::Mobility, Part::Regenerate, Part::Battles];
    let hooks = EnumSet::<Hook>::all().iter().map(Part::Hook);
    let all = keywords.chain(numbers).chain(hooks).chain([Part::Statics]);
    all.filter(|part| forms.iter().any(|form| part.is_of(cards, form))).collect()
}

/// The names of a card's [`parts`].
pub(super) fn abilities(setup: &Setup, unit: u16) -> Vec<String> {
    parts(setup, unit).into_iter().map(Part::name).collect()
}

/// The cards of a side's fixed deck, with their numbers of copies. None in a position, and where any deck is drawn:
/// there, the cards recorded in each game show them.
pub(super) fn brings(setup: &Setup, matchup: usize, side: Side) -> Option<Vec<(u16, u32)>> {
    let Play::Games(games) = &setup.play else { return None };
    let Brings::Fixed(deck) =
        &games.decks[usize::from(games.matchups[matchup][side.index()])].brings
    else {
        return None;
    };
    if games.draws_decks() {
        return None;
    }
    let mut copies: Vec<(u16, u32)> = Vec::new();
    for &form in deck {
        let card = setup.cards.form(form).card;
        match copies.iter_mut().find(|(known, _)| *known == card) {
            Some((_, count)) => *count += 1,
            None => copies.push((card, 1)),
        }
    }
    Some(copies)
}

/// The cards that can act as a card: of the same faction, of the same kind at every level, with as many levels, and no
/// tokens.
pub(super) fn stand_ins(setup: &Setup, unit: u16) -> Vec<u16> {
    let cards = &setup.cards.cards;
    let Some(card) = cards.get(usize::from(unit)) else { return Vec::new() };
    let Play::Games(_) = &setup.play else { return Vec::new() };
    let is_like = |at: &usize| {
        let other = &cards[*at];
        *at != usize::from(unit)
            && !other.token
            && other.faction == card.faction
            && setup.cards.kinds(other).eq(setup.cards.kinds(card))
    };
    (0..cards.len()).filter(is_like).map(|at| at as u16).collect()
}

/// The setup in which a card is recast; None where that is impossible. A card that acts as another one keeps its own
/// forms, and so what it levels to, and does what the other card does at the same level.
pub(super) fn recast(setup: &Setup, unit: u16, recast: Recast) -> Option<Setup> {
    let mut other = setup.clone();
    let card = setup.cards.cards.get(usize::from(unit))?;
    match recast {
        Recast::As(by) => {
            let by = setup.cards.cards.get(usize::from(by))?;
            if !setup.cards.kinds(by).eq(setup.cards.kinds(card)) {
                return None;
            }
            for (own, taken) in card.forms.clone().zip(by.forms.clone()) {
                let kept = &setup.cards.forms[usize::from(own)];
                let taken = setup.cards.forms[usize::from(taken)].clone();
                // With Overload, its own or the other card's, it levels to nothing.
                let levels_to = taken.levels_to.and(kept.levels_to);
                other.cards.forms[usize::from(own)] =
                    FormData { card: kept.card, level: kept.level, levels_to, ..taken };
            }
        }
        Recast::Without(at) => {
            let lost = *parts(setup, unit).get(at)?;
            for form in card.forms.clone() {
                lose(&mut other.cards, usize::from(form), lost);
            }
        }
    }
    Some(other)
}

fn lose(cards: &mut Cards, form: usize, lost: Part) {
    let data = &mut cards.forms[form];
    match lost {
        Part::Keyword(keyword) => _ = data.keywords.remove(keyword),
        Part::Armor => data.armor = 0,
        Part::Mobility => data.mobility = 0,
        Part::Regenerate => data.regenerate = 0,
        Part::Battles => data.battles = 0,
        Part::Statics => {
            data.statics = 0..0;
            data.touches = EnumSet::empty();
        }
        Part::Hook(hook) => {
            // A form's abilities must be contiguous, so those that are left are appended once more at the end.
            let kept: Vec<Ability> = own(cards, &cards.forms[form])
                .filter(|ability| ability.trigger.hook() != hook)
                .cloned()
                .collect();
            let start = cards.abilities.len() as u16;
            cards.abilities.extend(kept);
            let end = cards.abilities.len() as u16;
            let data = &mut cards.forms[form];
            data.abilities = start..end;
            data.hooks.remove(hook);
        }
    }
}
