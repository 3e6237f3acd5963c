//! A fight of the toy game as a story.

use evens::game::Side;
use evens::story::{Board, Fate, Line, Number, SideBoard, Story, Unit, Weight, Zone, ZoneKind};
use serde_json::json;

use super::{Event, Setup, State, Toy};

impl Story for Toy {
    fn tell(setup: &Setup, state: &State, event: Event, lines: &mut Vec<Line>) {
        let name = |side: Side| &setup.fighters[state.fighters[side.index()]].name;
        let (weight, text, facts) = match event {
            Event::First(side) => (
                Weight::Heading,
                format!("{} strikes first", name(side)),
                json!({ "event": "first", "side": side.to_string() }),
            ),
            Event::Round(round) => (
                Weight::Heading,
                format!("Round {round}"),
                json!({ "event": "round", "round": round }),
            ),
            Event::Strike(by, lost) => {
                let left = state.lives[by.other().index()];
                let text = match lost {
                    0 => format!("{} misses", name(by)),
                    _ => format!("{} takes {lost} of {}: {left} left", name(by), name(by.other())),
                };
                let facts = json!({ "event": "strike", "actor": by.to_string(), "lost": lost,
                                    "left": left });
                (Weight::Action, text, facts)
            }
        };
        lines.push(Line { weight, text, facts });
    }

    fn board(setup: &Setup, state: &State) -> Board {
        let side = |side: Side| {
            let fighter = &setup.fighters[state.fighters[side.index()]];
            let left = state.lives[side.index()];
            let unit = Unit {
                id: side.to_string(),
                name: fighter.name.clone(),
                numbers: vec![
                    Number::new("lives", left).of(fighter.lives),
                    Number::new("skill", fighter.skill),
                ],
                fate: if left > 0 { Fate::There } else { Fate::Dead },
                ..Unit::default()
            };
            let spaces = vec![Some(unit)];
            let zone = Zone { name: "Fighter".to_owned(), kind: ZoneKind::Row, spaces };
            SideBoard { id: side.to_string(), zones: vec![zone], ..SideBoard::default() }
        };
        Board {
            numbers: vec![Number::new("round", state.rounds)],
            sides: [Side::A, Side::B].map(side).to_vec(),
            ..Board::default()
        }
    }
}
