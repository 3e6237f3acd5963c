//! A fight of the toy game as a story.

use evens::game::Side;
use evens::story::{Line, Story, Weight};
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
}
