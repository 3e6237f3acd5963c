//! The data that the scripts of a page read. Consecutive boards differ little, so each distinct unit, zone and side
//! is written once and referred to by its number from then on.

use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::hash::Hash;

use rustc_hash::FxHashMap;
use serde::Serialize;
use serde_json::Value;

use super::page::Shown;
use crate::story::{Board, Die, Line, Number, SideBoard, Step, Tag, Unit, Zone, ZoneKind};
use crate::visible::acts;

#[derive(Serialize)]
struct Data<'s> {
    contenders: &'s [String],
    units: Vec<&'s Unit>,
    zones: Vec<ZoneData<'s>>,
    sides: Vec<SideData<'s>>,
    boards: Vec<BoardData<'s>>,
    steps: Vec<StepData<'s>>,
    /// The meaning of each tag.
    meanings: BTreeMap<&'s str, &'static str>,
}

#[derive(Serialize, PartialEq, Eq, Hash, Clone)]
struct SideData<'s> {
    id: &'s str,
    #[serde(skip_serializing_if = "<[Number]>::is_empty")]
    numbers: &'s [Number],
    #[serde(skip_serializing_if = "<[Tag]>::is_empty")]
    tags: &'s [Tag],
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    out: bool,
    /// The zones of the side, by number.
    zones: Vec<usize>,
}

#[derive(Serialize, PartialEq, Eq, Hash, Clone)]
struct ZoneData<'s> {
    name: &'s str,
    kind: ZoneKind,
    /// The units of the zone, by number; None is an empty space.
    units: Vec<Option<usize>>,
}

#[derive(Serialize, PartialEq, Eq, Hash, Clone)]
struct BoardData<'s> {
    #[serde(skip_serializing_if = "<[Number]>::is_empty")]
    numbers: &'s [Number],
    #[serde(skip_serializing_if = "<[Tag]>::is_empty")]
    tags: &'s [Tag],
    #[serde(skip_serializing_if = "Option::is_none")]
    turn: Option<&'s str>,
    /// The sides of the board, by number.
    sides: Vec<usize>,
}

#[derive(Serialize)]
struct StepData<'s> {
    board: usize,
    lines: Vec<LineData<'s>>,
    #[serde(skip_serializing_if = "<[Die]>::is_empty")]
    dice: &'s [Die],
}

#[derive(Serialize)]
struct LineData<'s> {
    weight: u8,
    text: &'s str,
    #[serde(skip_serializing_if = "Option::is_none")]
    actor: Option<&'s str>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    targets: Vec<&'s str>,
}

/// Distinct items, each kept once, by number.
struct Pool<T> {
    list: Vec<T>,
    known: FxHashMap<T, usize>,
}

impl<T> Default for Pool<T> {
    fn default() -> Self {
        Self { list: Vec::new(), known: FxHashMap::default() }
    }
}

impl<T: Clone + Eq + Hash> Pool<T> {
    fn number(&mut self, it: T) -> usize {
        let Self { list, known } = self;
        *known.entry(it).or_insert_with_key(|it| {
            list.push(it.clone());
            list.len() - 1
        })
    }
}

/// The data of a page, as JSON that is safe inside of a `script` element.
pub(super) fn data(shown: &Shown<'_>, end: &str) -> String {
    let mut pools = Pools::default();
    let mut boards = Pool::default();
    let mut meanings = BTreeMap::new();
    let steps = shown.steps.iter().map(|step| {
        note_meanings(&step.board, &mut meanings);
        StepData {
            board: boards.number(pools.board(&step.board)),
            lines: lines(step, end),
            dice: &step.dice,
        }
    });
    let steps = steps.collect();
    let data = Data {
        contenders: shown.contenders,
        units: pools.units.list,
        zones: pools.zones.list,
        sides: pools.sides.list,
        boards: boards.list,
        steps,
        meanings,
    };
    safe(&serde_json::to_string(&data).expect("numbers and texts can be written as JSON"))
}

/// The items that boards are made of.
#[derive(Default)]
struct Pools<'s> {
    units: Pool<&'s Unit>,
    zones: Pool<ZoneData<'s>>,
    sides: Pool<SideData<'s>>,
}

impl<'s> Pools<'s> {
    fn board(&mut self, board: &'s Board) -> BoardData<'s> {
        let sides = board.sides.iter().map(|side| self.side(side)).collect();
        let Board { numbers, tags, turn, .. } = board;
        BoardData { numbers, tags, turn: turn.as_deref(), sides }
    }

    fn side(&mut self, side: &'s SideBoard) -> usize {
        let zones = side.zones.iter().map(|zone| self.zone(zone)).collect();
        let SideBoard { id, numbers, tags, out, .. } = side;
        self.sides.number(SideData { id, numbers, tags, out: *out, zones })
    }

    fn zone(&mut self, zone: &'s Zone) -> usize {
        let Zone { name, kind, spaces } = zone;
        let spaces = spaces.iter().map(Option::as_ref);
        let units = spaces.map(|unit| unit.map(|unit| self.units.number(unit))).collect();
        self.zones.number(ZoneData { name, kind: *kind, units })
    }
}

fn lines<'s>(step: &'s Step, end: &'s str) -> Vec<LineData<'s>> {
    let told = step.lines.iter().map(|line: &Line| {
        let ids = |key: &str| match &line.facts[key] {
            Value::String(id) => vec![id.as_str()],
            Value::Array(ids) => ids.iter().filter_map(Value::as_str).collect(),
            _ => Vec::new(),
        };
        LineData {
            weight: line.weight as u8,
            text: &line.text,
            actor: line.facts["actor"].as_str(),
            targets: [ids("target"), ids("targets")].concat(),
        }
    });
    let mut told: Vec<LineData<'_>> = told.collect();
    if told.is_empty() {
        told.push(LineData { weight: 0, text: end, actor: None, targets: Vec::new() });
    }
    told
}

fn note_meanings<'s>(board: &'s Board, meanings: &mut BTreeMap<&'s str, &'static str>) {
    let mut note = |tags: &'s [Tag]| {
        for tag in tags {
            meanings.extend(tag.meaning.map(|meaning| (tag.text.as_str(), meaning)));
        }
    };
    note(&board.tags);
    for side in &board.sides {
        note(&side.tags);
        side.zones
            .iter()
            .flat_map(|zone| zone.spaces.iter().flatten())
            .for_each(|unit| note(&unit.tags));
    }
}

/// JSON in which no character ends a `script` element or turns the direction of writing.
fn safe(json: &str) -> String {
    let mut safe = String::with_capacity(json.len());
    for letter in json.chars() {
        match letter {
            '<' => safe.push_str("\\u003c"),
            letter if acts(letter) => {
                // Inside a JSON string this is plain text: the page shows the character's code.
                let _ = write!(safe, "\\\\u{{{:x}}}", u32::from(letter));
            }
            letter => safe.push(letter),
        }
    }
    safe
}
