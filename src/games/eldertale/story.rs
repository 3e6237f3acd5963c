//! The narration of an Elder Tale session.

use serde_json::{Value, json};

use super::ElderTale;
use super::board::board;
use super::cards::Card;
use super::combinations::places;
use super::effect::{Effect, Kind, MOST};
use super::event::{Cause, Event, Met};
use super::lists::describe;
use super::policy::{LeftOut, left_out};
use super::setup::{Policy, Setup};
use super::state::{Incoming, Memory, Play, State};
use crate::game::Side;
use crate::story::{Board, Line, Story, Weight};

impl Story for ElderTale {
    fn tell(setup: &Setup, state: &State, event: Event, lines: &mut Vec<Line>) {
        let teller = Teller { setup, state };
        let (weight, text, facts) = match event {
            Event::Begins => return teller.characters(lines),
            Event::Turn(who) => return teller.turn(who, lines),
            Event::PutsMemoryDown(who) => {
                let level = teller.level(who);
                (
                    Weight::Action,
                    format!("{} puts a Memory of level {level} down", teller.name(who)),
                    json!({ "event": "memory", "actor": letter(who), "level": level }),
                )
            }
            Event::Plays { who, play } => teller.plays(who, play),
            Event::Done(who) => (
                Weight::Action,
                format!("{} is done", teller.name(who)),
                json!({ "event": "done", "actor": letter(who) }),
            ),
            Event::Activates { who, play } => {
                let card = setup.card(play.card);
                (
                    Weight::Consequence,
                    format!("{}: {}", card.kind, card.title),
                    json!({ "event": "activate", "actor": letter(who), "card": card.title }),
                )
            }
            Event::Guards { who, guard, hits, through } => teller.guards(who, guard, hits, through),
            Event::Lands { on, attack } => (
                Weight::Consequence,
                format!("Incoming: {} of {}", teller.attack(attack), teller.name(attack.by)),
                json!({ "event": "land", "actor": letter(attack.by), "target": letter(on),
                        "card": setup.card(attack.card).title, "hits": attack.hits }),
            ),
            Event::Hit { on, attack, power, met, .. } => teller.hit(on, attack, power, met),
            Event::Loses { who, amount, cause } => teller.loses(who, amount, cause),
            Event::Heals { who, amount, through, doomed } => {
                teller.heals(who, amount, through, doomed)
            }
            Event::Starts { effect, .. } if effect.is_instant() => return,
            Event::Starts { who, effect } => {
                let on = teller.name(who);
                teller.of_effect(who, effect, format!("{} on {on}", describe(&effect)), "effect")
            }
            Event::Lost { who, effect } => {
                let (name, effects) = (teller.name(who), describe(&effect));
                let text = format!("{name} bears {MOST} effects, the most: {effects} is lost");
                teller.of_effect(who, effect, text, "effect_lost")
            }
            Event::Ends { who, kind, intensity } => (
                Weight::Detail,
                format!("{} {intensity} on {} ends with this hit", kind.name(), teller.name(who)),
                json!({ "event": "end_of_effect", "target": letter(who), "effect": kind.name(),
                        "intensity": intensity }),
            ),
            Event::GoesAllIn(who) => teller.simple(who, "has no HP left and goes All In", "all_in"),
            Event::HoldsOn(who) => teller.simple(who, "holds on", "holds_on"),
            Event::Disabled(who) => {
                teller.simple(who, "is disabled, and the Memory is erased", "memory_erased")
            }
            Event::Out(who) => teller.simple(who, "is out", "out"),
            Event::Queues { on, attack } => (
                Weight::Consequence,
                format!(
                    "Outgoing: {} joins the queue of {}",
                    teller.attack(attack),
                    teller.name(on)
                ),
                json!({ "event": "queue", "actor": letter(attack.by), "target": letter(on),
                        "card": setup.card(attack.card).title, "hits": attack.hits }),
            ),
            Event::LostOn { on, attack } => (
                Weight::Consequence,
                format!("Outgoing: {} is lost: {} is out", teller.attack(attack), teller.name(on)),
                json!({ "event": "lost_attack", "actor": letter(attack.by), "target": letter(on),
                        "card": setup.card(attack.card).title, "hits": attack.hits }),
            ),
            Event::LostWith { on, attack } => (
                Weight::Detail,
                format!("{} is lost with {}", teller.queued(attack), teller.name(on)),
                json!({ "event": "lost_attack", "actor": letter(attack.by), "target": letter(on),
                        "card": setup.card(attack.card).title, "hits": attack.hits }),
            ),
            Event::DurationsFall(who) => return teller.run_out(who, lines),
            Event::DurationsFell(_) | Event::TurnEnds(_) | Event::Deals { .. } => return,
        };
        lines.push(Line { weight, text, facts });
    }

    fn board(setup: &Setup, state: &State) -> Board {
        board(setup, state)
    }
}

/// The weight, the text and the facts of a line.
type LineParts = (Weight, String, Value);

fn letter(seat: Side) -> String {
    seat.to_string()
}

struct Teller<'a> {
    setup: &'a Setup,
    state: &'a State,
}

impl Teller<'_> {
    /// The seat and the name: `A Crow` is the character called Crow in the first seat.
    fn name(&self, seat: Side) -> String {
        format!("{seat} {}", self.setup.sheet(self.state, seat).name)
    }

    fn level(&self, seat: Side) -> u8 {
        self.setup.sheet(self.state, seat).wager.map_or(0, |wager| wager.level)
    }

    fn simple(&self, who: Side, says: &str, event: &str) -> LineParts {
        let text = format!("{} {says}", self.name(who));
        (Weight::Detail, text, json!({ "event": event, "target": letter(who) }))
    }

    fn characters(&self, lines: &mut Vec<Line>) {
        lines.push(Line {
            weight: Weight::Heading,
            text: "The session".to_owned(),
            facts: json!({ "event": "begin" }),
        });
        for seat in self.state.standing {
            let sheet = self.setup.sheet(self.state, seat);
            let classes = sheet.class_label();
            let memory = match sheet.wager {
                None => String::new(),
                Some(wager) => format!(", a Memory of level {}", wager.level),
            };
            lines.push(Line {
                weight: Weight::Action,
                text: format!("{}: {classes}, {} HP{memory}", self.name(seat), sheet.hp),
                facts: json!({ "event": "character", "side": letter(seat), "name": sheet.name,
                               "classes": classes, "hp": sheet.hp,
                               "memory": sheet.wager.map(|wager| wager.level) }),
            });
        }
    }

    /// What a player sees before it chooses: its energy, queue, effects and hand (ET-08).
    fn turn(&self, who: Side, lines: &mut Vec<Line>) {
        let character = self.state.at(who);
        let round = self.state.round;
        let deck = &self.setup.sheet(self.state, who).deck;
        let title = |card: u16| self.setup.card(card).title.clone();
        let hand: Vec<String> =
            places(character.hand).map(|place| title(deck.card(place))).collect();
        let queue: Vec<String> =
            character.queue.iter().map(|&attack| self.queued(attack)).collect();
        let effects: Vec<String> = character.effects.iter().map(describe).collect();
        let memory = match character.memory {
            Memory::Down => ", Memory down",
            Memory::AllIn => ", All In",
            Memory::Kept | Memory::Erased => "",
        };
        lines.push(Line {
            weight: Weight::Heading,
            text: format!(
                "Round {round}: {}, {} HP{memory}, {} energy",
                self.name(who),
                character.hp,
                character.energy
            ),
            facts: json!({ "event": "turn", "round": round, "actor": letter(who),
                           "hp": character.hp, "energy": character.energy, "hand": hand,
                           "queue": queue, "effects": effects }),
        });
        for (what, list) in [("Queue", queue), ("Effects", effects), ("Hand", hand)] {
            if !list.is_empty() {
                let told = list.join(", ");
                lines.push(Line {
                    weight: Weight::Action,
                    text: format!("{what}: {told}"),
                    facts: json!({ "event": "sees", "actor": letter(who),
                                   "what": what.to_lowercase(), "list": list }),
                });
            }
        }
        if let Policy::Scripted(script) = &self.setup.sheet(self.state, who).policy {
            let left_out = left_out(self.setup, self.state, who, script);
            lines.extend(left_out.map(|(card, why)| self.left_out(who, card, why)));
        }
    }

    /// A line of the script that is not played this turn, and why.
    fn left_out(&self, who: Side, card: u16, why: LeftOut) -> Line {
        let Card { title, cost, .. } = self.setup.card(card);
        let (told, why, energy) = match why {
            LeftOut::NotInHand => {
                let deck = &self.setup.sheet(self.state, who).deck;
                let is_held = places(self.state.at(who).hand).any(|place| deck.card(place) == card);
                let copy = if is_held { "no further copy is" } else { "it is not" };
                (format!("{copy} in hand"), "hand", None)
            }
            LeftOut::Unpaid { energy } => (
                format!("it costs {cost} energy, with {energy} left by then"),
                "energy",
                Some(energy),
            ),
        };
        Line {
            weight: Weight::Action,
            text: format!("{title} is left out: {told}"),
            facts: json!({ "event": "left_out", "actor": letter(who), "card": title, "cost": cost,
                           "why": why, "energy": energy }),
        }
    }

    /// Tells which effects are about to run out.
    fn run_out(&self, who: Side, lines: &mut Vec<Line>) {
        let effects = self.state.at(who).effects.iter();
        for effect in effects.filter(|effect| effect.is_in_its_last_round()) {
            let what = describe(&Effect { hits: 0, rounds: 0, ..*effect });
            let text = format!("{what} on {} runs out", self.name(who));
            let (_, text, facts) = self.of_effect(who, *effect, text, "run_out");
            lines.push(Line { weight: Weight::Consequence, text, facts });
        }
    }

    fn queued(&self, attack: Incoming) -> String {
        format!("{} of {}", self.attack(attack), self.name(attack.by))
    }

    /// An attack in short form: `Volley (2x4)`.
    fn attack(&self, attack: Incoming) -> String {
        let card = self.setup.card(attack.card);
        match attack.hits {
            0 => card.title.clone(),
            hits => format!("{} ({hits}x{})", card.title, card.damage),
        }
    }

    fn plays(&self, who: Side, play: Play) -> LineParts {
        let card = self.setup.card(play.card);
        let named: Vec<String> = play.named.iter().map(|seat| self.name(seat)).collect();
        let at = if named.is_empty() { String::new() } else { format!(" at {}", named.join(", ")) };
        let left = self.state.at(who).energy;
        (
            Weight::Action,
            format!(
                "{} plays {}{at} ({} of {} energy)",
                self.name(who),
                card.title,
                card.cost,
                card.cost + left
            ),
            json!({ "event": "play", "actor": letter(who), "card": card.title, "cost": card.cost,
                    "energy_left": left,
                    "targets": play.named.iter().map(letter).collect::<Vec<_>>() }),
        )
    }

    fn guards(&self, who: Side, guard: u8, hits: u8, through: Option<Kind>) -> LineParts {
        let cause = through.map_or(String::new(), |kind| format!("{}: ", kind.name()));
        let plural = if hits == 1 { "hit" } else { "hits" };
        (
            Weight::Detail,
            format!("{cause}{hits} defense {plural} of {guard} for {}", self.name(who)),
            json!({ "event": "guard", "target": letter(who), "guard": guard, "hits": hits,
                    "effect": through.map(Kind::name) }),
        )
    }

    fn hit(&self, on: Side, attack: Incoming, power: u8, met: Option<Met>) -> LineParts {
        let meets = match met {
            None => "meets no defense".to_owned(),
            Some(met) => format!("meets a guard of {}", met.power()),
        };
        (
            Weight::Detail,
            format!("A hit of {power} on {} {meets}", self.name(on)),
            json!({ "event": "hit", "actor": letter(attack.by), "target": letter(on),
                    "card": self.setup.card(attack.card).title, "power": power,
                    "guard": met.map(Met::power) }),
        )
    }

    fn loses(&self, who: Side, amount: u16, cause: Cause) -> LineParts {
        let (through, by) = match cause {
            Cause::Hit { by, .. } => (String::new(), Some(by)),
            Cause::Poison => (" to Poison".to_owned(), None),
            Cause::Thorns(of) => (format!(" to the Thorns of {}", self.name(of)), Some(of)),
        };
        let hp = self.state.at(who).hp;
        let left = if hp < 0 { "now" } else { "left" };
        (
            Weight::Detail,
            format!("{} loses {amount} HP{through}: {hp} {left}", self.name(who)),
            json!({ "event": "loss", "target": letter(who), "amount": amount, "hp": hp,
                    "actor": by.map(letter),
                    "cause": match cause {
                        Cause::Hit { .. } => "hit",
                        Cause::Poison => "poison",
                        Cause::Thorns(_) => "thorns",
                    } }),
        )
    }

    fn heals(&self, who: Side, amount: u16, through: Kind, doomed: bool) -> LineParts {
        let hp = self.state.at(who).hp;
        let what = match (doomed, amount) {
            (true, _) => "is doomed and gets nothing".to_owned(),
            (false, 0) => format!("lacks no HP: {hp} still"),
            (false, _) => format!("gets {amount} HP: {hp} now"),
        };
        (
            Weight::Detail,
            format!("{}: {} {what}", through.name(), self.name(who)),
            json!({ "event": "heal", "target": letter(who), "effect": through.name(),
                    "amount": amount, "doomed": doomed, "hp": hp }),
        )
    }

    fn of_effect(&self, who: Side, effect: Effect, text: String, event: &str) -> LineParts {
        (
            Weight::Detail,
            text,
            json!({ "event": event, "target": letter(who), "effect": effect.kind.name(),
                    "intensity": effect.intensity, "hits": effect.hits, "rounds": effect.rounds }),
        )
    }
}
