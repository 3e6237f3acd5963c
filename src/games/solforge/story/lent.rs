//! What holds while creatures are on the field, as a story.

use serde_json::{Value, json};

use super::Teller;
use crate::game::Side;
use crate::games::solforge::ability::Number;
use crate::games::solforge::event::Ref;
use crate::games::solforge::rules::statics;
use crate::games::solforge::state::LANES;
use crate::story::Weight;

impl Teller<'_> {
    /// Tells whose numbers are others because of what holds while a creature is in a lane, in place of what held because
    /// of the one that it replaced there; None if nobody's.
    pub(super) fn statics(
        &self,
        who: Ref,
        from: Option<u8>,
        to: Option<u8>,
        replaced: Option<Ref>,
    ) -> Option<(Weight, String, Value)> {
        let (cards, side) = (&self.setup.cards, who.side());
        // Nothing holds because of one that has lost its abilities, wherever it moves.
        let is_able = !to.is_some_and(|lane| self.state.at(side, lane).blank);
        let reach = |form, lane: Option<u8>| match lane {
            Some(lane) if is_able => statics::reach(cards, form, lane),
            _ => [0; LANES + 1],
        };
        let after = reach(who.form, to);
        let before = replaced.map_or_else(|| reach(who.form, from), |of| reach(of.form, to));
        // Another form may give other numbers to the same creatures.
        let gives_otherwise = replaced.is_some_and(|of| of.form != who.form);
        // Whoever has lost its abilities is still there.
        let is_itself = |lane: u8| {
            self.state.standing.has(side, lane) && self.state.at(side, lane).id == who.id
        };
        // What holds for others is about their lanes, so it may hold for one that moves, or no more.
        let holds_for_mover = |lane: u8| {
            let others = self.state.standing.of(side).filter(|&(_, other)| Some(other) != to);
            let reach = others.map(|(side, other)| {
                let creature = self.state.at(side, other);
                let reach = statics::reach(cards, creature.form, other)[usize::from(lane)];
                (other, if creature.blank { 0 } else { reach })
            });
            reach.filter(|&(_, bits)| bits != 0).collect::<Vec<_>>()
        };
        let changes = |lane: u8| {
            let at = usize::from(lane);
            match (from, to) {
                (Some(from), Some(to)) if lane == to => {
                    before[usize::from(from)] != after[at]
                        || holds_for_mover(from) != holds_for_mover(to)
                }
                (None, Some(to)) if lane == to => false,
                (Some(from), None) if lane == from && !is_itself(lane) => false,
                _ if gives_otherwise => before[at] | after[at] != 0,
                _ => before[at] != after[at],
            }
        };
        let changed: Vec<(Side, u8)> =
            self.state.standing.of(side).filter(|&(_, lane)| changes(lane)).collect();
        let touches = cards.form(who.form).touches;
        let armor = |armor: i16| format!(", Armor {armor}");
        let also = |number: Number, name: &str, now: i16| match now {
            0 if !touches.contains(number) => String::new(),
            now => format!(", {name} {now}"),
        };
        let mut told: Vec<String> = Vec::new();
        for &(side, lane) in &changed {
            let of = Ref::new(self.state.at(side, lane), side, lane);
            let shield = match statics::armor(cards, self.state, side, lane) {
                0 if !touches.contains(Number::Armor) => String::new(),
                number => armor(number),
            };
            let regenerate = statics::regenerate(cards, self.state, side, lane);
            let battles = statics::extra_battles(cards, self.state, side, lane);
            let regenerates = also(Number::Regenerate, "Regenerate", regenerate);
            let fights = also(Number::Battles, "extra battles", battles);
            told.push(format!("{} {}{shield}{regenerates}{fights}", self.name(of), self.size(of)));
        }
        if before[LANES] != after[LANES] || gives_otherwise && after[LANES] != 0 {
            let number = statics::player_armor(cards, self.state, side);
            told.push(format!("side {side}{}", armor(number).replacen(',', "", 1)));
        }
        if told.is_empty() {
            return None;
        }
        let name = format!("{side}{} {}", to.or(from)? + 1, cards.label(who.form));
        let when = match (from, to) {
            (None, _) => match replaced {
                Some(of) => format!("With {name} in place of {}", cards.label(of.form)),
                None => format!("With {name}"),
            },
            (Some(from), None) if is_itself(from) => format!("Without the abilities of {name}"),
            (_, None) => format!("Without {name}"),
            _ => format!("With {name} in its new space"),
        };
        let targets: Vec<String> =
            changed.iter().map(|(side, lane)| format!("{side}{}", lane + 1)).collect();
        let facts = json!({ "event": "statics", "card": cards.label(who.form), "targets": targets,
            "now": told });
        Some((Weight::Detail, format!("{when}: {}", told.join("; ")), facts))
    }
}
