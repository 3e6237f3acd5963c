//! The visible board of an Elder Tale session: every character with its hand and its queue.

use super::combinations::places;
use super::effect::Effect;
use super::lists::describe;
use super::setup::Setup;
use super::state::{ENERGY, Incoming, Memory, State};
use crate::game::Side;
use crate::story::{Board, Fate, Number, SideBoard, Tag, TagKind, Unit, Zone, ZoneKind};

pub(super) fn board(setup: &Setup, state: &State) -> Board {
    Board {
        numbers: vec![Number::new("round", i64::from(state.round))],
        tags: Vec::new(),
        turn: state.standing.has(state.active).then(|| state.active.to_string()),
        sides: (0..setup.sides as u8).map(|seat| character(setup, state, Side(seat))).collect(),
    }
}

fn character(setup: &Setup, state: &State, seat: Side) -> SideBoard {
    let (sheet, character) = (setup.sheet(state, seat), state.at(seat));
    let stands = state.standing.has(seat);
    let mut tags: Vec<Tag> = character.effects.iter().map(effect).collect();
    match (sheet.wager, character.memory) {
        (None, _) => {}
        (Some(wager), Memory::Kept) => {
            let text = format!("Memory of level {}", wager.level);
            tags.push(
                Tag::new(TagKind::Ability, text)
                    .meaning("It can be put down to fight on beyond 0 HP"),
            );
        }
        (Some(_), Memory::Down) => {
            tags.push(Tag::new(TagKind::Good, "Memory down").meaning("It fights on beyond 0 HP"));
        }
        (Some(_), Memory::AllIn) => {
            let meaning = "It fights on beyond 0 HP, and each further drop there may disable it";
            tags.push(Tag::new(TagKind::Good, "All In").meaning(meaning));
        }
        (Some(_), Memory::Erased) => tags.push(Tag::new(TagKind::Bad, "Memory erased")),
    }
    let unit = Unit {
        id: seat.to_string(),
        number: None,
        name: sheet.name.clone(),
        note: sheet.class_label(),
        numbers: vec![
            Number::new("HP", character.hp).of(sheet.hp),
            Number::new("energy", character.energy).usually(ENERGY),
        ],
        tags,
        fate: if stands { Fate::There } else { Fate::Dead },
    };
    let row = |name: &str, kind, spaces| Zone { name: name.to_owned(), kind, spaces };
    let mut zones = vec![row("Character", ZoneKind::Row, vec![Some(unit)])];
    let queue: Vec<_> =
        character.queue.iter().map(|&attack| incoming(setup, state, attack)).collect();
    if !queue.is_empty() {
        zones.push(row("Queue", ZoneKind::Cards, queue));
    }
    let hand: Vec<_> =
        places(character.hand).map(|place| card(setup, sheet.deck.card(place))).collect();
    if stands && !hand.is_empty() {
        zones.push(row("Hand", ZoneKind::Cards, hand));
    }
    SideBoard { id: seat.to_string(), numbers: Vec::new(), tags: Vec::new(), zones, out: !stands }
}

fn card(setup: &Setup, card: u16) -> Option<Unit> {
    let card = setup.card(card);
    let note = format!("{}, {} energy", card.kind, card.cost);
    Some(Unit { name: card.title.clone(), note, ..Unit::default() })
}

fn incoming(setup: &Setup, state: &State, attack: Incoming) -> Option<Unit> {
    let card = setup.card(attack.card);
    let by = format!("of {} {}", attack.by, setup.sheet(state, attack.by).name);
    let note = match attack.hits {
        0 => by,
        hits => format!("{hits}x{} {by}", card.damage),
    };
    Some(Unit { name: card.title.clone(), note, ..Unit::default() })
}

fn effect(effect: &Effect) -> Tag {
    let kind = if effect.kind.helps_its_bearer() { TagKind::Good } else { TagKind::Bad };
    Tag::new(kind, describe(effect)).meaning(effect.kind.meaning())
}
