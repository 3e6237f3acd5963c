//! The visible board of a SolForge game: five lanes, and what each player has besides.

use super::keyword::Keyword;
use super::rules::statics;
use super::setup::{Play, Setup};
use super::state::{Creature, Form, LANES, Pile, State};
use crate::game::Side;
use crate::sorting::Sorting;
use crate::story::{Board, Fate, Number, SideBoard, Tag, TagKind, Unit, Zone, ZoneKind};

pub(super) fn board(setup: &Setup, state: &State) -> Board {
    let mut tags = Vec::new();
    if state.sudden_death {
        tags.push(Tag::new(TagKind::Bad, "sudden death"));
    }
    Board {
        numbers: vec![Number::new("turn", i64::from(state.turns_begun()))],
        tags,
        turn: Some(state.active.to_string()),
        sides: [Side::A, Side::B].map(|side| player(setup, state, side)).to_vec(),
    }
}

fn player(setup: &Setup, state: &State, side: Side) -> SideBoard {
    let player = state.player(side);
    let life = Number::new("life", player.life);
    let life = match &setup.play {
        // A position says how much life there is, not how much there was.
        Play::Position(_) => life,
        // Life can be gained beyond what a game begins with.
        Play::Games(games) => life.of(games.rules.life.max(player.life)),
    };
    let mut numbers = vec![life, Number::new("rank", player.rank)];
    let armor = statics::player_armor(&setup.cards, state, side);
    if armor > 0 {
        numbers.push(Number::new("armor", (armor - player.armor_used).max(0)).of(armor));
    }
    let is_active = side == state.active;
    numbers.push(Number::new("plays left", if is_active { player.plays } else { 0 }));
    numbers.push(Number::new("in deck", player.deck.len() as i64));
    numbers.push(Number::new("discarded", player.discard.len() as i64));
    let lanes = (0..LANES as u8).map(|lane| {
        let creature = state.at(side, lane);
        creature.is_somebody().then(|| unit(setup, state, side, lane, creature))
    });
    let mut zones =
        vec![Zone { name: "Lanes".to_owned(), kind: ZoneKind::Lanes, spaces: lanes.collect() }];
    if !player.hand.is_empty() {
        zones.push(hand(setup, &player.hand));
    }
    SideBoard { id: side.to_string(), numbers, tags: Vec::new(), zones, out: false }
}

/// The cards in hand, by name, since a hand has no order.
fn hand(setup: &Setup, hand: &Pile) -> Zone {
    let card = |&form: &Form| {
        let data = setup.cards.form(form);
        Some(Unit {
            name: setup.cards.label(form),
            note: format!("{} {}", data.faction, data.kind).to_lowercase(),
            ..Unit::default()
        })
    };
    let mut spaces: Vec<Option<Unit>> = hand.iter().map(card).collect();
    spaces.put_in_order_by(|one, other| {
        let name = |unit: &Option<Unit>| unit.as_ref().map(|unit| unit.name.clone());
        name(one).cmp(&name(other))
    });
    Zone { name: "Hand".to_owned(), kind: ZoneKind::Cards, spaces }
}

fn unit(setup: &Setup, state: &State, side: Side, lane: u8, creature: &Creature) -> Unit {
    let cards = &setup.cards;
    let form = cards.form(creature.form);
    let health = statics::health(cards, state, side, lane);
    let mut numbers = vec![
        Number::new("health", health).of(health.saturating_add(creature.damage)),
        Number::new("attack", statics::attack(cards, state, side, lane)).usually(form.attack),
    ];
    let armor = statics::armor(cards, state, side, lane);
    if armor > 0 {
        let left = armor.saturating_sub(creature.armor_used).max(0);
        numbers.push(Number::new("armor", left).of(armor));
    }
    let more = [
        ("poison", creature.poison),
        ("regenerate", statics::regenerate(cards, state, side, lane)),
        ("mobility", creature.mobility),
        ("extra battles", statics::extra_battles(cards, state, side, lane)),
    ];
    let more = more.into_iter().filter(|&(_, amount)| amount != 0);
    numbers.extend(more.map(|(name, amount)| Number::new(name, amount)));
    let tribes = cards.tribes.iter().enumerate();
    let tribes = tribes.filter(|&(at, _)| form.tribes >> at & 1 == 1).map(|(_, tribe)| &**tribe);
    let faction = form.faction.to_string();
    let note: Vec<&str> = std::iter::once(&*faction).chain(tribes).collect();
    Unit {
        id: format!("{side}{}", lane + 1),
        number: Some(creature.id.into()),
        name: cards.label(creature.form),
        note: note.join(" "),
        numbers,
        tags: tags(creature),
        fate: Fate::There,
    }
}

fn tags(creature: &Creature) -> Vec<Tag> {
    let mut tags = Vec::new();
    if creature.destroyed {
        tags.push(Tag::new(TagKind::Bad, "destroyed").meaning("It leaves at the next death check"));
    }
    if creature.is_offensive() {
        let meaning = if creature.attacks() {
            "On the offensive: it fights in the battle of every turn, its player's and the other's"
        } else {
            "On the offensive, but with Defender it starts no battle"
        };
        tags.push(Tag::new(TagKind::Note, "offensive").meaning(meaning));
    } else {
        let meaning = "On the defensive: new since its player's last turn, it starts no battle";
        tags.push(Tag::new(TagKind::Note, "defensive").meaning(meaning));
    }
    for keyword in [Keyword::Aggressive, Keyword::Defender, Keyword::Breakthrough] {
        if creature.has(keyword) {
            let meaning = match keyword {
                Keyword::Aggressive => "On the offensive from the moment it enters",
                Keyword::Defender => "Never starts a battle",
                Keyword::Breakthrough => {
                    "Battle damage beyond the blocker's health goes to the player, while it is on the offensive"
                }
            };
            tags.push(Tag::new(TagKind::Ability, keyword.to_string()).meaning(meaning));
        }
    }
    if creature.blank {
        tags.push(Tag::new(TagKind::Bad, "without its abilities"));
    }
    if creature.grants > 0 {
        let text = match creature.grants {
            1 => "1 more ability".to_owned(),
            more => format!("{more} more abilities"),
        };
        tags.push(Tag::new(TagKind::Good, text));
    }
    tags
}
