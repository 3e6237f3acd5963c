//! A SolForge game as a story.

use serde_json::{Value, json};

use super::SolForge;
use super::board::board;
use super::cards::vocabulary::{Later, Until};
use super::event::{Entry, Event, Gained, Ref, Source, Target};
use super::rules::statics;
use super::setup::Setup;
use super::state::{LANES, State};
use crate::game::Side;
use crate::story::{Board, Line, Story, Weight};

impl Story for SolForge {
    fn tell(setup: &Setup, state: &State, event: Event, lines: &mut Vec<Line>) {
        let teller = Teller { setup, state };
        let (weight, text, facts) = match event {
            Event::Begins => return teller.field(lines),
            Event::Turn(side) => {
                let player = state.player(side);
                let text = format!(
                    "Turn {}: side {side}, {} life, rank {}",
                    state.turn, player.life, player.rank
                );
                let facts = json!({ "event": "turn", "number": state.turn, "side": side.to_string(),
                    "actor": side.to_string(), "life": player.life, "rank": player.rank });
                (Weight::Heading, text, facts)
            }
            Event::Battle { extra } => {
                let text = if extra { "An additional battle" } else { "Battle" };
                (Weight::Action, text.to_owned(), json!({ "event": "fight", "extra": extra }))
            }
            Event::Plays(side, form) => teller.of_card(side, form, "plays", "play"),
            Event::Levels(side, form) => teller.of_card(side, form, "levels", "level"),
            Event::Activates(who, _) => {
                teller.acts(Weight::Action, who, "is activated", "activate")
            }
            Event::Enters(who, entry) => {
                let how = match entry {
                    Entry::Forged => "enters",
                    Entry::Spawned => "is put on the field",
                    Entry::Revived => "is revived",
                };
                let text = format!("{} {how}: {}", teller.name(who), teller.size(who));
                (Weight::Consequence, text, teller.facts("enter", who))
            }
            Event::Replaced(who) => {
                teller.simple(Weight::Consequence, who, "is replaced", "replaced")
            }
            Event::NoRoom { side, lane, form } => {
                let name = setup.cards.label(form);
                let space = lane.map(|lane| format!("{side}{}", lane + 1));
                let there = lane.map(|lane| setup.cards.label(state.at(side, lane).form));
                let text = match (&space, &there) {
                    (Some(space), Some(there)) => format!("{there} is in {space}: no {name} comes"),
                    _ => format!("Side {side} has no free space: no {name} comes"),
                };
                let facts = json!({ "event": "no_room", "side": side.to_string(), "card": name,
                    "space": space, "there": there, "target": side.to_string() });
                (Weight::Detail, text, facts)
            }
            Event::Batch { source, size, drawn } => {
                let of: &str = match source {
                    // Also of an ability that was activated, and of a move.
                    Source::Play => "a player acts",
                    // It may follow deaths alone, without a batch before it.
                    Source::Aftermath => "what this set off",
                    other => other.into(),
                };
                let set_off_by = if source == Source::Aftermath { "of" } else { "when" };
                let order = if drawn { ", in a drawn order" } else { "" };
                let abilities = if size == 1 { "ability" } else { "abilities" };
                let text = format!("Batch {set_off_by} {of}: {size} {abilities}{order}");
                let facts = json!({ "event": "batch", "of": of, "size": size, "drawn": drawn });
                (Weight::Action, text, facts)
            }
            Event::Resolves { by, .. } => {
                teller.acts(Weight::Consequence, by, "resolves", "resolve")
            }
            Event::BatchOver(_) | Event::Fizzles(..) => return,
            Event::Damage { by, on, lost, prevented } => teller.damage(by, on, lost, prevented),
            Event::Changes { who, gained } => teller.change(who, gained),
            Event::Loses { who, keywords, abilities } => {
                let mut names: Vec<String> = keywords.iter().map(|of| of.to_string()).collect();
                let mut facts = teller.facts("lose", who);
                facts["keywords"] = names.clone().into();
                facts["abilities"] = abilities.into();
                names.extend(abilities.then(|| "all abilities".to_owned()));
                let text = format!("{} loses {}", teller.name(who), names.join(", "));
                (Weight::Detail, text, facts)
            }
            Event::Returns(who) => {
                let hand = if setup.cards.card(who.form).token { "the field" } else { "hand" };
                let verb = if hand == "hand" { "returns to" } else { "is a token and leaves" };
                teller.simple(Weight::Consequence, who, &format!("{verb} {hand}"), "return")
            }
            Event::PutsOff(who, at) => {
                let (name, when) = match at {
                    Later::EndOfTurn => ("end_of_turn", "the end of the turn"),
                    Later::StartOfNextTurn => {
                        ("start_of_next_turn", "the start of its player's next turn")
                    }
                    Later::EndOfNextTurn => {
                        ("end_of_next_turn", "the end of its player's next turn")
                    }
                };
                let does = format!("puts something off until {when}");
                let (weight, text, mut facts) = teller.acts(Weight::Detail, who, &does, "put_off");
                facts["at"] = name.into();
                (weight, text, facts)
            }
            Event::MayPlay(side, more) => {
                let facts = json!({ "event": "plays", "side": side.to_string(), "more": more,
                    "target": side.to_string() });
                let than = if more < 0 { "fewer" } else { "more" };
                let count = more.unsigned_abs();
                let cards = if count == 1 { "card" } else { "cards" };
                let text = format!("Side {side} may play {count} {than} {cards} this turn");
                (Weight::Detail, text, facts)
            }
            Event::Granted(who, _) => {
                teller.simple(Weight::Detail, who, "gets another ability", "grant")
            }
            Event::Heals(who, amount) => {
                let text =
                    format!("{} is healed by {amount}: {}", teller.name(who), teller.size(who));
                let mut facts = teller.facts("heal", who);
                facts["amount"] = amount.into();
                (Weight::Detail, text, facts)
            }
            Event::Life(side, change) => {
                let life = state.player(side).life;
                let verb = if change < 0 { "loses" } else { "gains" };
                let text = format!("Side {side} {verb} {}: {life} life", change.abs());
                let facts = json!({ "event": "life", "side": side.to_string(),
                    "target": side.to_string(), "change": change, "life": life });
                (Weight::Detail, text, facts)
            }
            Event::Destroyed(who) => {
                teller.simple(Weight::Detail, who, "is destroyed", "destroyed")
            }
            Event::Dies(who) => teller.dies(who),
            Event::Moves(who, from) => {
                let to = teller.space(who);
                let from = format!("{}{}", who.side(), from + 1);
                let name = setup.cards.label(who.form);
                let facts = json!({ "event": "move", "card": name, "from": from, "to": to,
                    "target": to });
                (Weight::Consequence, format!("{name} moves from {from} to {to}"), facts)
            }
            Event::Draws(side, count) => teller.cards(side, count, "draws", "draw"),
            Event::Discards(side, count) => teller.cards(side, count, "discards", "discard"),
            Event::Rank(side, rank) => {
                let facts = json!({ "event": "rank", "side": side.to_string(), "rank": rank,
                    "target": side.to_string() });
                (Weight::Action, format!("Side {side} rises to rank {rank}"), facts)
            }
            Event::SuddenDeath => {
                let life = state.player(Side::A).life;
                let text = format!("Sudden death: both sides have {life} life");
                (Weight::Action, text, json!({ "event": "sudden_death", "life": life }))
            }
            Event::Refused { step, why } => {
                let why: &str = why.into();
                let facts = json!({ "event": "refused", "step": step, "why": why });
                (Weight::Action, format!("Step {step} is left out: {why}"), facts)
            }
            Event::Asked { possible: true, .. } => return,
            Event::Asked { by, possible: false } => {
                let (side, card) = (by.side(), setup.cards.label(by.form));
                let text =
                    format!("None of side {side}'s answers for {card} can be chosen: any is drawn");
                let facts =
                    json!({ "event": "unanswered", "side": side.to_string(), "card": card });
                (Weight::Detail, text, facts)
            }
            Event::Fades => {
                let text = "What lasts until the end of the turn ends".to_owned();
                (Weight::Action, text, json!({ "event": "fade" }))
            }
            Event::GivesUp(why) => {
                let why: &str = why.into();
                let text = format!("It would never end, and is left undecided: {why}");
                (Weight::Action, text, json!({ "event": "give_up", "why": why }))
            }
        };
        lines.push(Line { weight, text, facts });
    }

    fn board(setup: &Setup, state: &State) -> Board {
        board(setup, state)
    }
}

struct Teller<'a> {
    setup: &'a Setup,
    state: &'a State,
}

impl Teller<'_> {
    /// Where a creature stands now, as `A2` for lane 2 of side A; once it is gone, where it last stood.
    fn space(&self, who: Ref) -> String {
        let lane = self.state.locate(who).map_or(who.lane, |(_, lane)| lane);
        format!("{}{}", who.side(), lane + 1)
    }

    fn name(&self, who: Ref) -> String {
        format!("{} {}", self.space(who), self.setup.cards.label(who.form))
    }

    /// Attack and health as they are now; None if the creature has left its space.
    fn now(&self, who: Ref) -> Option<(i16, i16)> {
        self.state.locate(who).map(|(side, lane)| {
            let cards = &self.setup.cards;
            (
                statics::attack(cards, self.state, side, lane),
                statics::health(cards, self.state, side, lane),
            )
        })
    }

    fn size(&self, who: Ref) -> String {
        self.now(who)
            .map_or_else(|| "gone".to_owned(), |(attack, health)| format!("{attack}/{health}"))
    }

    fn facts(&self, event: &str, who: Ref) -> Value {
        let mut facts = json!({ "event": event, "space": self.space(who),
            "card": self.setup.cards.label(who.form) });
        if who.id != 0 {
            facts["target"] = self.space(who).into();
        }
        if let Some((attack, health)) = self.now(who) {
            facts["attack"] = attack.into();
            facts["health"] = health.into();
        }
        facts
    }

    fn simple(&self, weight: Weight, who: Ref, does: &str, event: &str) -> (Weight, String, Value) {
        // A spell stands nowhere.
        let name = if who.id == 0 { self.setup.cards.label(who.form) } else { self.name(who) };
        (weight, format!("{name} {does}"), self.facts(event, who))
    }

    /// Tells that a creature dies. It may have been destroyed before another took its space, which alone stands there.
    fn dies(&self, who: Ref) -> (Weight, String, Value) {
        if !self.state.at(who.side(), who.lane).is_somebody() {
            return self.simple(Weight::Consequence, who, "dies", "death");
        }
        let text = format!("{}, destroyed before its space was taken, dies", self.name(who));
        let facts = json!({ "event": "death", "space": self.space(who), "displaced": true,
            "card": self.setup.cards.label(who.form) });
        (Weight::Consequence, text, facts)
    }

    /// Tells what somebody does to others: whoever it is about is the `actor` of the facts and not, as with
    /// [`simple`](Self::simple), the `target`.
    fn acts(&self, weight: Weight, who: Ref, does: &str, event: &str) -> (Weight, String, Value) {
        let (weight, text, mut facts) = self.simple(weight, who, does, event);
        if let Some(actor) = facts.as_object_mut().and_then(|facts| facts.remove("target")) {
            facts["actor"] = actor;
        }
        (weight, text, facts)
    }

    fn of_card(
        &self,
        side: Side,
        form: super::state::Form,
        does: &str,
        event: &str,
    ) -> (Weight, String, Value) {
        let card = self.setup.cards.label(form);
        let facts = json!({ "event": event, "side": side.to_string(), "card": card,
            "actor": side.to_string() });
        (Weight::Action, format!("Side {side} {does} {card}"), facts)
    }

    fn cards(&self, side: Side, count: u8, does: &str, event: &str) -> (Weight, String, Value) {
        let cards = if count == 1 { "card" } else { "cards" };
        let hand = self.state.player(side).hand.len();
        let facts = json!({ "event": event, "side": side.to_string(), "count": count, "hand": hand,
                "target": side.to_string() });
        (Weight::Consequence, format!("Side {side} {does} {count} {cards}, {hand} in hand"), facts)
    }

    fn damage(
        &self,
        by: Option<Ref>,
        on: Target,
        lost: i16,
        prevented: i16,
    ) -> (Weight, String, Value) {
        let who = match by {
            None => "Poison".to_owned(),
            Some(by) if by.id == 0 => self.setup.cards.label(by.form),
            Some(by) => self.name(by),
        };
        let (whom, left) = match on {
            Target::Creature(on) => (self.name(on), self.size(on)),
            Target::Player(side) => {
                (format!("side {side}"), format!("{} life", self.state.player(side).life))
            }
        };
        let armor =
            if prevented > 0 { format!(" ({prevented} more prevented)") } else { String::new() };
        let text = format!("{who} deals {lost} to {whom}{armor}: {left}");
        let mut facts = json!({ "event": "damage", "by": who, "on": whom, "lost": lost,
            "prevented": prevented });
        facts["target"] = match on {
            Target::Creature(on) => self.space(on).into(),
            Target::Player(side) => side.to_string().into(),
        };
        if let Some(by) = by.filter(|by| by.id != 0) {
            facts["actor"] = self.space(by).into();
        }
        match on {
            Target::Creature(on) => facts["state"] = self.facts("state", on),
            Target::Player(side) => facts["life"] = self.state.player(side).life.into(),
        }
        (Weight::Detail, text, facts)
    }

    /// What a creature gained: `+2/+2, Armor +1, Defender until the end of the next turn`.
    fn change(&self, who: Ref, gained: Gained) -> (Weight, String, Value) {
        let Gained { attack, health, armor, poison, regenerate, mobility, battles, .. } = gained;
        let numbers = [
            ("armor", "Armor", armor),
            ("poison", "Poison", poison),
            ("regenerate", "Regenerate", regenerate),
            ("mobility", "Mobility", mobility),
            ("battles", "Battles", battles),
        ];
        let mut facts = self.facts("change", who);
        let mut parts: Vec<String> = Vec::new();
        for (key, name, number) in numbers.into_iter().filter(|&(.., number)| number != 0) {
            parts.push(format!("{name} {number:+}"));
            facts[format!("{key}_change")] = number.into();
        }
        let keywords: Vec<String> = gained.keywords.iter().map(|of| of.to_string()).collect();
        if !keywords.is_empty() {
            facts["keywords"] = keywords.clone().into();
            parts.extend(keywords);
        }
        if (attack, health) != (0, 0) || parts.is_empty() {
            parts.insert(0, format!("{attack:+}/{health:+}"));
        }
        facts["attack_change"] = attack.into();
        facts["health_change"] = health.into();
        let until = match gained.until {
            Until::Forever => "",
            Until::EndOfTurn => " until the end of the turn",
            Until::EndOfNextTurn => " until the end of the next turn",
        };
        let text =
            format!("{} gets {}{until}: {}", self.name(who), parts.join(", "), self.size(who));
        (Weight::Detail, text, facts)
    }

    /// Tells which creatures stand where at the beginning, with each side's life and hand.
    fn field(&self, lines: &mut Vec<Line>) {
        for side in [Side::A, Side::B] {
            let player = self.state.player(side);
            let creatures: Vec<Ref> = (0..LANES as u8)
                .filter(|&lane| self.state.at(side, lane).is_somebody())
                .map(|lane| Ref::new(self.state.at(side, lane), side, lane))
                .collect();
            let names: Vec<String> = creatures
                .iter()
                .map(|&who| format!("{} {}", self.name(who), self.size(who)))
                .collect();
            let hand: Vec<String> =
                player.hand.iter().map(|&form| self.setup.cards.label(form)).collect();
            let mut text = format!("Side {side}: {} life", player.life);
            if !names.is_empty() {
                text += &format!("; {}", names.join(", "));
            }
            if !hand.is_empty() {
                text += &format!("; in hand {}", hand.join(", "));
            }
            let creatures: Vec<Value> =
                creatures.iter().map(|&who| self.facts("creature", who)).collect();
            let facts = json!({ "event": "begin", "side": side.to_string(), "life": player.life,
                "creatures": creatures, "hand": hand });
            lines.push(Line { weight: Weight::Heading, text, facts });
        }
    }
}

const _: () = assert!(Source::Aftermath as u16 == 5, "moments are numbered as sources are");
