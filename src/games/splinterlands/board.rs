//! The visible board of a Splinterlands battle: both teams in line-up order with their summoners.

use super::ability::{Abilities, Ability};
use super::setup::Setup;
use super::state::{Aura, Monster, Place, Places, State, Status, TEAM};
use crate::game::Side;
use crate::story::{Board, Fate, Number, SideBoard, Tag, TagKind, Unit, Zone, ZoneKind};

pub(super) fn board(setup: &Setup, state: &State) -> Board {
    let ruleset = |ruleset: super::ruleset::Ruleset| {
        Tag::new(TagKind::Ability, ruleset.to_string()).meaning(ruleset.facts().text)
    };
    Board {
        numbers: vec![Number::new("round", state.round), Number::new("mana cap", state.mana_cap)],
        tags: state.rulesets.iter().map(ruleset).collect(),
        turn: None,
        sides: [Side::A, Side::B].map(|side| team(setup, state, side)).to_vec(),
    }
}

fn team(setup: &Setup, state: &State, side: Side) -> SideBoard {
    let leader = &state.leaders[side.index()];
    let summoner = Unit {
        id: format!("{side}0"),
        name: setup.catalogue.card(leader.card).name.clone(),
        note: format!("summoner, level {}", leader.card.level),
        tags: abilities(leader.abilities),
        ..Unit::default()
    };
    let front = state.team(side).first();
    let monsters = state.fielded.and(Places::of(side));
    let monsters = monsters.map(|place| Some(monster(setup, state, place, front)));
    let mut tags = aura(&state.auras[side.index()]);
    if leader.cursed {
        tags.push(Tag::new(TagKind::Bad, "cannot be healed by its summoner's enemy"));
    }
    SideBoard {
        id: side.to_string(),
        numbers: Vec::new(),
        tags,
        zones: vec![
            Zone { name: "Line-up".to_owned(), kind: ZoneKind::Row, spaces: monsters.collect() },
            Zone {
                name: "Summoner".to_owned(),
                kind: ZoneKind::Cards,
                spaces: vec![Some(summoner)],
            },
        ],
        out: false,
    }
}

fn monster(setup: &Setup, state: &State, place: Place, front: Option<Place>) -> Unit {
    let Monster { card, base, now, max_health, max_armor, .. } = state.at(place);
    let mut numbers = vec![Number::new("health", now.health).of(*max_health)];
    if *max_armor > 0 || base.armor > 0 {
        numbers.push(Number::new("armor", now.armor).of(*max_armor));
    }
    let attacks = [
        ("melee", now.melee, base.melee),
        ("ranged", now.ranged, base.ranged),
        ("magic", now.magic, base.magic),
    ];
    for (name, now, base) in attacks.into_iter().filter(|&(_, now, base)| now != 0 || base != 0) {
        numbers.push(Number::new(name, now).usually(base));
    }
    numbers.push(Number::new("speed", now.speed).usually(base.speed));
    let alive = state.alive.has(place);
    Unit {
        id: format!("{}{}", place.side(), place.index() % TEAM + 1),
        number: None,
        name: setup.catalogue.card(*card).name.clone(),
        note: format!("level {}", card.level),
        numbers,
        tags: tags(state, place, front),
        fate: if alive { Fate::There } else { Fate::Dead },
    }
}

/// A monster's tags: its statuses first, then its abilities.
fn tags(state: &State, place: Place, front: Option<Place>) -> Vec<Tag> {
    let monster = state.at(place);
    let mut tags = Vec::new();
    if front == Some(place) {
        tags.push(Tag::new(TagKind::Note, "in front"));
    }
    if state.stunned.has(place) {
        tags.push(Tag::new(TagKind::Bad, "stunned").meaning("It skips its turns"));
    }
    if state.poisoned.has(place) {
        tags.push(Tag::new(TagKind::Bad, "poisoned").meaning("It loses health each round"));
    }
    for status in monster.statuses {
        let (kind, text, meaning) = match status {
            Status::Afflicted => (TagKind::Bad, "afflicted", "It cannot be healed"),
            Status::Snared => (TagKind::Bad, "snared", "It cannot fly"),
            Status::Halved => (TagKind::Bad, "halved", "Its attacks are halved"),
            Status::Unshielded => (TagKind::Bad, "shield used up", "Its Divine Shield is used up"),
            Status::LastStanding => (
                TagKind::Good,
                "stands alone",
                "It makes its Last Stand: all its numbers are half as high again",
            ),
        };
        tags.push(Tag::new(kind, text).meaning(meaning));
    }
    tags.extend(abilities(monster.abilities));
    tags
}

fn abilities(abilities: Abilities) -> Vec<Tag> {
    let tag = |ability: Ability| {
        Tag::new(TagKind::Ability, ability.to_string()).meaning(ability.facts().text)
    };
    abilities.iter().map(tag).collect()
}

/// Tags for what auras add to everybody in a team, or take away.
fn aura(aura: &Aura) -> Vec<Tag> {
    let parts = [
        ("melee", aura.melee),
        ("ranged", aura.ranged),
        ("magic", aura.magic),
        ("armor", aura.armor),
        ("health", aura.health),
        ("speed", aura.speed),
    ];
    let some = parts.into_iter().filter(|&(_, amount)| amount != 0);
    let tag = |(name, amount): (&str, i8)| {
        let kind = if amount > 0 { TagKind::Good } else { TagKind::Bad };
        Tag::new(kind, format!("{amount:+} {name}"))
            .meaning("What summoners and monsters add to everybody of the team, or take")
    };
    some.map(tag).collect()
}
