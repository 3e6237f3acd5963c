//! The visible board of a Sanctum combat phase: every group of every player, with the two that fight as they stand
//! in their combat.

use super::setup::Setup;
use super::state::{GROUP, INFINITE, Minion, Place, Player, Precedence, State};
use crate::game::Side;
use crate::story::{Board, Fate, Number, SideBoard, Tag, TagKind, Unit, Zone, ZoneKind};

/// The prefix of the ids of a group's minions: its side's letter in a single combat, its name and `#` on a map.
pub(super) fn label(setup: &Setup, state: &State, group: usize) -> String {
    if setup.board().is_some() {
        format!("{}#", setup.group_name(state.stratum, group))
    } else {
        setup.side(state.stratum, group).to_string()
    }
}

pub(super) fn board(setup: &Setup, state: &State) -> Board {
    let mut numbers = Vec::new();
    if setup.board().is_some() {
        numbers.push(Number::new("combat", state.combats));
    }
    numbers.push(Number::new("round", state.round));
    let sides = (0..setup.sides as u8).map(|side| player(setup, state, Side(side))).collect();
    Board { numbers, tags: Vec::new(), turn: None, sides }
}

fn player(setup: &Setup, state: &State, side: Side) -> SideBoard {
    let groups = 0..state.groups.len();
    let own = groups.filter(|&group| setup.side(state.stratum, group) == side);
    let first = setup.schedule(state.stratum).first().map(|fight| usize::from(fight.high));
    let has_precedence = first.is_some_and(|group| setup.side(state.stratum, group) == side);
    let mut tags = Vec::new();
    if setup.board().is_none() && has_precedence {
        let meaning = "Its group goes first where both would do something at once";
        tags.push(Tag::new(TagKind::Note, "precedence").meaning(meaning));
    }
    SideBoard {
        id: side.to_string(),
        numbers: Vec::new(),
        tags,
        zones: own.map(|group| zone(setup, state, group)).collect(),
        out: false,
    }
}

fn zone(setup: &Setup, state: &State, group: usize) -> Zone {
    let fights = Precedence::BOTH.into_iter().find(|&precedence| {
        state.in_combat && usize::from(state.fighting[precedence.index()]) == group
    });
    let mut name = setup.group_name(state.stratum, group).to_owned();
    if let Some(board) = setup.board() {
        let square = board.groups[group].square;
        let square = match board.seen_by {
            Player::Red => square.upside_down(),
            Player::Blue | Player::Neutral => square,
        };
        name += &format!(" at column {}, row {}", square.column, square.row);
    }
    let withdrawn = match fights {
        Some(precedence) => state.withdrawn[precedence.index()],
        None => state.groups[group].withdrawn,
    };
    name += match (fights, withdrawn) {
        (_, true) => ", withdrawn",
        (Some(Precedence::High), false) => ", with precedence",
        (Some(Precedence::Low), false) if setup.board().is_some() => ", fights",
        (Some(Precedence::Low), false) | (None, false) => "",
    };
    let size = setup.group_size(state.stratum, group);
    let minions = (0..size).map(|nth| Some(minion(setup, state, group, nth, fights)));
    Zone { name, kind: ZoneKind::Row, spaces: minions.collect() }
}

fn minion(
    setup: &Setup,
    state: &State,
    group: usize,
    nth: usize,
    fights: Option<Precedence>,
) -> Unit {
    let kept = &state.groups[group];
    let (minion, present, away) = match fights {
        Some(precedence) => {
            let place = Place::of(precedence, nth);
            let left = kept.away >> nth & 1 == 1 || state.away.has(place);
            (*state.at(place), state.present.has(place), left)
        }
        None => {
            (kept.minions[nth].minion(), kept.present >> nth & 1 == 1, kept.away >> nth & 1 == 1)
        }
    };
    let Minion { hit_points, max_hit_points, stats, for_good, .. } = minion;
    let kind = setup.kind(minion.kind);
    let mut numbers = vec![Number::new("hit points", hit_points).of(max_hit_points)];
    if stats.max_armor() > 0 {
        // Current armor exists in a combat only.
        let left = if fights.is_some() { minion.armor } else { stats.max_armor() };
        numbers.push(Number::new("armor", left).of(stats.max_armor()));
    }
    if kind.has_hand {
        numbers.push(Number::new("hand", stats.hand).usually(for_good.hand));
    }
    if kind.has_missile {
        numbers.push(Number::new("missile", stats.missile).usually(for_good.missile));
    }
    numbers.push(Number::new("attacks", stats.attacks).usually(for_good.attacks));
    Unit {
        id: format!("{}{}", label(setup, state, group), nth + 1),
        number: None,
        name: setup.unit_of(&minion).name.clone(),
        note: format!("level {}", stats.level),
        numbers,
        tags: tags(setup, state, &minion, fights.is_some()),
        fate: match (present, away) {
            (true, _) => Fate::There,
            (false, true) => Fate::Away,
            (false, false) => Fate::Dead,
        },
    }
}

fn tags(setup: &Setup, state: &State, minion: &Minion, fights: bool) -> Vec<Tag> {
    let mut tags = Vec::new();
    if fights && state.present.has(minion.victim) {
        let (group, nth) = state.home(minion.victim);
        let victim = format!("{}{}", label(setup, state, group), nth + 1);
        tags.push(Tag::new(TagKind::Note, format!("attacks {victim}")));
    }
    if minion.stats.stopped {
        tags.push(Tag::new(TagKind::Bad, "does not attack"));
    }
    // Where every attack hits, the number of misses says nothing.
    if fights && minion.misses > 0 && minion.misses != INFINITE {
        let misses = if minion.misses == 1 { "miss" } else { "misses" };
        let meaning = "Consecutive misses, which make its next attack more likely to hit";
        let text = format!("{} {misses}", minion.misses);
        tags.push(Tag::new(TagKind::Note, text).meaning(meaning));
    }
    if minion.marks > 0 {
        let marks = if minion.marks == 1 { "mark" } else { "marks" };
        let meaning = "Gazes, venom or the like, which effects ask for";
        tags.push(Tag::new(TagKind::Bad, format!("{} {marks}", minion.marks)).meaning(meaning));
    }
    if minion.qualified {
        tags.push(Tag::new(TagKind::Good, "qualifies for experience"));
    }
    let kind = setup.kind(minion.kind);
    let own = &setup.unit_of(minion).name;
    let mut spells: Vec<&str> = Vec::new();
    for effect in kind.flat.iter().chain(&kind.effects) {
        let source = &setup.names[usize::from(effect.source)];
        if source != own && !spells.contains(&source.as_str()) {
            spells.push(source);
        }
    }
    tags.extend(spells.into_iter().map(|spell| Tag::new(TagKind::Ability, spell)));
    tags
}

const _: () = assert!(GROUP < 10, "a minion's number in its group is one digit");
