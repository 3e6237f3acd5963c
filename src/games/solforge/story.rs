//! A SolForge game as a story.

mod lent;
mod reasons;

use serde_json::{Value, json};

use self::reasons::{ON_THE_DEFENSIVE, bracketed};
use super::SolForge;
use super::ability::{AbilityId, Number};
use super::board::board;
use super::cards::vocabulary::{Later, Until};
use super::event::{Agent, Entry, Event, Gained, Ref, Source, Target};
use super::rules::statics;
use super::setup::{Play, Setup, Step};
use super::state::{Form, LANES, PILE, State};
use crate::game::Side;
use crate::story::{Board, Line, Story, Weight};

impl Story for SolForge {
    fn tell(setup: &Setup, state: &State, event: Event, lines: &mut Vec<Line>) {
        let teller = Teller { setup, state };
        let (weight, text, facts) = match event {
            Event::Begins => return teller.field(lines),
            Event::Turn(side) => {
                let player = state.player(side);
                let number = state.turns_begun();
                let text = format!(
                    "Turn {number}: side {side}, {} life, rank {}",
                    player.life, player.rank
                );
                let facts = json!({ "event": "turn", "number": number, "side": side.to_string(),
                    "actor": side.to_string(), "life": player.life, "rank": player.rank });
                (Weight::Heading, text, facts)
            }
            Event::Battle { extra } => {
                let fighting = if extra { teller.fights_again() } else { Vec::new() };
                let told: Vec<String> = fighting
                    .iter()
                    .map(|(who, by)| format!("{}{}", teller.name(*who), bracketed("with ", by)))
                    .collect();
                let text = match (extra, told.is_empty()) {
                    (false, _) => "Battle".to_owned(),
                    (true, true) => "An additional battle".to_owned(),
                    (true, false) => format!("An additional battle of {}", told.join(", ")),
                };
                let mut facts = json!({ "event": "fight", "extra": extra });
                if extra {
                    let spaces = fighting.iter().map(|&(who, _)| teller.space(who));
                    facts["targets"] = spaces.collect();
                }
                (Weight::Action, text, facts)
            }
            Event::Plays(side, form) => teller.of_card(side, form, "plays", "play"),
            Event::Levels(side, form, by) => {
                let (_, mut text, mut facts) = teller.of_card(side, form, "levels", "level");
                let leaves = setup.cards.form(form).levels_to.is_none();
                if leaves {
                    text += ", which leaves the game";
                }
                facts["gone"] = leaves.into();
                (by.weight(Weight::Action), text, facts)
            }
            Event::Activates(who, _) => {
                teller.acts(Weight::Action, who, "is activated", "activate")
            }
            Event::Enters(who, entry) => {
                let (weight, how) = match entry {
                    Entry::Forged => (Weight::Consequence, "enters"),
                    Entry::Spawned => (Weight::Detail, "is put on the field"),
                    Entry::Revived => (Weight::Detail, "is revived"),
                };
                // That it is on the defensive goes without saying.
                let mut traits = teller.traits(who);
                traits.retain(|of| of != ON_THE_DEFENSIVE);
                let (name, size) = (teller.name(who), teller.size(who));
                let text = format!("{name} {how}: {size}{}", bracketed("", &traits));
                let mut facts = teller.facts("enter", who);
                facts["traits"] = traits.into();
                (weight, text, facts)
            }
            Event::Replaced(who, by) => {
                teller.simple(by.weight(Weight::Consequence), who, "is replaced", "replaced")
            }
            Event::NoRoomBeside(who, form) => {
                let (side, card) = (who.side().to_string(), setup.cards.label(form));
                let text =
                    format!("No space next to {} is free: no {card} comes", teller.name(who));
                let facts =
                    json!({ "event": "no_room", "side": side, "card": card, "target": side });
                (Weight::Detail, text, facts)
            }
            Event::Stays(who) => {
                let says = "stays where it is: it has no free space to move to";
                teller.simple(Weight::Detail, who, says, "stay")
            }
            Event::NoRevival(side, is_full) => {
                let text = if is_full {
                    format!("Side {side} has no free space: no other creature is revived")
                } else {
                    "No creature that died can be revived".to_owned()
                };
                let facts = json!({ "event": "no_revival", "side": side.to_string(),
                    "full": is_full, "target": side.to_string() });
                (Weight::Detail, text, facts)
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
                let of: &str = source.into();
                let order = if drawn { ", in a drawn order" } else { "" };
                let abilities = if size == 1 { "ability" } else { "abilities" };
                let text = format!("Batch when {of}: {size} {abilities}{order}");
                let facts = json!({ "event": "batch", "of": of, "size": size, "drawn": drawn });
                (Weight::Action, text, facts)
            }
            Event::Resolves { by, ability, subject, .. } => {
                let because = teller.set_off_by(ability, subject);
                let why = because.as_ref().map_or_else(String::new, |why| format!(": {why}"));
                let does = format!("resolves{why}");
                let (weight, text, mut facts) =
                    teller.acts(Weight::Consequence, by, &does, "resolve");
                facts["because"] = because.into();
                (weight, text, facts)
            }
            Event::Resolved(by, ability) => {
                // To look for battles is the only effect that changes something without a line.
                let begins = ["resolve", "play", "activate"];
                let said_nothing = lines
                    .last()
                    .is_some_and(|line| begins.iter().any(|&begins| line.facts["event"] == begins));
                if !said_nothing || setup.cards.ability(ability).looks_for_battles() {
                    return;
                }
                let (weight, _, facts) = teller.acts(Weight::Detail, by, "", "no_change");
                (weight, "It changes nothing".to_owned(), facts)
            }
            Event::BatchOver(_) => return,
            Event::Fizzles(who, ability, is_met) => teller.fizzles(who, ability, is_met),
            Event::Damage { by, on, lost, prevented } => teller.damage(by, on, lost, prevented),
            // An amount that is read may be 0, and there may be nothing to lose.
            Event::Changes { .. } | Event::Loses { .. } | Event::MayPlay(..) | Event::Life(..)
                if !event.is_change() =>
            {
                return;
            }
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
            Event::Returns(who, returns) => teller.returns(who, returns),
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
            Event::Granted(who, _, until) => {
                let says = format!("gets another ability{}", lasting(until));
                teller.simple(Weight::Detail, who, &says, "grant")
            }
            Event::Heals { by, on, amount } => {
                let how = if by.is_some() { "is healed by" } else { "regenerates" };
                let lenders = match (by, state.locate(on)) {
                    (None, Some((side, lane))) => {
                        teller.lenders(Number::Regenerate, side, Some(lane))
                    }
                    _ => Vec::new(),
                };
                let with = bracketed("with ", &lenders);
                let (name, size) = (teller.name(on), teller.size(on));
                let text = format!("{name} {how} {amount}{with}: {size}");
                let mut facts = teller.facts("heal", on);
                facts["amount"] = amount.into();
                (of_effect(by), text, facts)
            }
            Event::Life(side, change) => {
                let life = state.player(side).life;
                let verb = if change < 0 { "loses" } else { "gains" };
                let others = teller.living_on(side);
                let text = format!("Side {side} {verb} {}: {life} life{others}", change.abs());
                let facts = json!({ "event": "life", "side": side.to_string(),
                    "target": side.to_string(), "change": change, "life": life });
                (Weight::Detail, text, facts)
            }
            Event::Statics(who, from, to) => {
                let Some(told) = teller.statics(who, from, to, None) else { return };
                told
            }
            Event::StaticsChange(replaced, who) => {
                let to = state.locate(who).map(|(_, lane)| lane);
                let Some(told) = teller.statics(who, None, to, Some(replaced)) else { return };
                told
            }
            Event::Destroyed(who) => {
                teller.simple(Weight::Detail, who, "is destroyed", "destroyed")
            }
            Event::Dies(who) => teller.dies(who),
            Event::Moves(who, from, by) => teller.moves(who, from, by),
            Event::EndsTurn(side) => {
                let facts = json!({ "event": "turn_end", "side": side.to_string(),
                    "actor": side.to_string() });
                (Weight::Action, format!("Side {side} ends its turn"), facts)
            }
            Event::Draws(side, count, by) => {
                teller.cards(side, &state.player(side).hand, count, "draw", by)
            }
            Event::Discards(side, count, by) => {
                teller.cards(side, &state.player(side).discard, count, "discard", by)
            }
            Event::Reshuffles(side, count, by) => {
                let go = if count == 1 { "card goes" } else { "cards go" };
                let text =
                    format!("{count} {go} from side {side}'s discard pile back into its deck");
                let facts = json!({ "event": "reshuffle", "side": side.to_string(),
                    "count": count, "target": side.to_string() });
                (by.weight(Weight::Consequence), text, facts)
            }
            Event::Rank(side, rank) => {
                let facts = json!({ "event": "rank", "side": side.to_string(), "rank": rank,
                    "target": side.to_string() });
                (Weight::Consequence, format!("Side {side} rises to rank {rank}"), facts)
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
            Event::Faded { who, gained, abilities } => {
                let Some(told) = teller.faded(who, gained, abilities) else { return };
                told
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

    /// Says of a creature that acts that it has left the field; another may stand in its space by now.
    fn gone(&self, who: Ref) -> &'static str {
        if who.id != 0 && self.state.locate(who).is_none() { "(gone) " } else { "" }
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
        let does = format!("{}{does}", self.gone(who));
        let (weight, text, mut facts) = self.simple(weight, who, &does, event);
        if let Some(actor) = facts.as_object_mut().and_then(|facts| facts.remove("target")) {
            facts["actor"] = actor;
        }
        (weight, text, facts)
    }

    /// Tells why an ability that resolved does nothing.
    fn fizzles(&self, who: Ref, ability: AbilityId, is_met: bool) -> (Weight, String, Value) {
        let of = self.setup.cards.ability(ability);
        let may_decline = of.choice.iter().chain(&of.also).any(|choice| choice.may);
        let (text, because) = match (is_met, may_decline) {
            (false, _) => ("Its condition does not hold: nothing happens", "condition"),
            (true, true) => ("Nothing is chosen: nothing happens", "choice"),
            (true, false) => ("Nothing can be chosen: nothing happens", "choice"),
        };
        let (weight, _, mut facts) = self.acts(Weight::Detail, who, "", "fizzle");
        facts["because"] = because.into();
        (weight, text.to_owned(), facts)
    }

    /// Tells that a creature returns to hand, or why it does not.
    fn returns(&self, who: Ref, returns: bool) -> (Weight, String, Value) {
        let says = if returns {
            "returns to hand".to_owned()
        } else if self.setup.cards.card(who.form).token {
            "is a token and leaves the field".to_owned()
        } else {
            let side = who.side();
            format!("leaves the field and is gone: side {side} has {PILE} cards, the most")
        };
        let (weight, text, mut facts) = self.simple(Weight::Detail, who, &says, "return");
        facts["gone"] = (!returns).into();
        (weight, text, facts)
    }

    fn moves(&self, who: Ref, from: u8, by: Agent) -> (Weight, String, Value) {
        let (side, to, name) = (who.side(), self.space(who), self.setup.cards.label(who.form));
        let from = format!("{side}{}", from + 1);
        let mut facts =
            json!({ "event": "move", "card": name, "from": from, "to": to, "target": to });
        let text = match by {
            Agent::Ability => format!("{name} moves from {from} to {to}"),
            Agent::Player => {
                facts["actor"] = side.to_string().into();
                format!("Side {side} moves {name} from {from} to {to}")
            }
        };
        (by.weight(Weight::Action), text, facts)
    }

    fn of_card(&self, side: Side, form: Form, does: &str, event: &str) -> (Weight, String, Value) {
        let card = self.setup.cards.label(form);
        let facts = json!({ "event": event, "side": side.to_string(), "card": card,
            "actor": side.to_string() });
        (Weight::Action, format!("Side {side} {does} {card}"), facts)
    }

    /// Tells that the last cards of a pile have come there.
    fn cards(
        &self,
        side: Side,
        pile: &[Form],
        count: u8,
        event: &str,
        by: Agent,
    ) -> (Weight, String, Value) {
        let cards = if count == 1 { "card" } else { "cards" };
        let hand = self.state.player(side).hand.len();
        let last = pile.iter().skip(pile.len().saturating_sub(count.into()));
        let names: Vec<String> = last.map(|&form| self.setup.cards.label(form)).collect();
        let text =
            format!("Side {side} {event}s {count} {cards}, {hand} in hand: {}", names.join("; "));
        let facts = json!({ "event": event, "side": side.to_string(), "count": count,
            "cards": names, "hand": hand, "target": side.to_string() });
        (by.weight(Weight::Consequence), text, facts)
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
                let (life, others) = (self.state.player(side).life, self.living_on(side));
                (format!("side {side}"), format!("{life} life{others}"))
            }
        };
        let lenders = match on {
            Target::Creature(on) => self.state.locate(on).map_or_else(Vec::new, |(side, lane)| {
                self.lenders(Number::Armor, side, Some(lane))
            }),
            Target::Player(side) => self.lenders(Number::PlayerArmor, side, None),
        };
        let with = if lenders.is_empty() {
            String::new()
        } else {
            format!(", with {}", lenders.join(", "))
        };
        let armor = match (lost, prevented) {
            (_, 0) => String::new(),
            (0, _) => format!(" (all {prevented} prevented{with})"),
            _ => format!(" ({prevented} more prevented{with})"),
        };
        let gone = by.map_or("", |by| self.gone(by));
        let text = format!("{who} {gone}deals {lost} to {whom}{armor}: {left}");
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
        (of_effect(by), text, facts)
    }

    /// Tells what a creature gained: `A1 Fell Walker gets +2/+2, Defender until the end of the next turn: 5/5`.
    fn change(&self, who: Ref, gained: Gained) -> (Weight, String, Value) {
        let (parts, facts) = self.parts("change", who, gained);
        let (name, size) = (self.name(who), self.size(who));
        let text = format!("{name} gets {}{}: {size}", parts.join(", "), lasting(gained.until));
        (Weight::Detail, text, facts)
    }

    /// What a creature gained, part by part, and the facts of it.
    fn parts(&self, event: &str, who: Ref, gained: Gained) -> (Vec<String>, Value) {
        let Gained { attack, health, armor, poison, regenerate, mobility, battles, .. } = gained;
        let numbers = [
            ("armor", "Armor", armor),
            ("poison", "Poison", poison),
            ("regenerate", "Regenerate", regenerate),
            ("mobility", "Mobility", mobility),
            ("battles", "Battles", battles),
        ];
        let mut facts = self.facts(event, who);
        let mut parts: Vec<String> = Vec::new();
        if (attack, health) != (0, 0) {
            parts.push(format!("{attack:+}/{health:+}"));
        }
        for (key, name, number) in numbers.into_iter().filter(|&(.., number)| number != 0) {
            parts.push(format!("{name} {number:+}"));
            facts[format!("{key}_change")] = number.into();
        }
        let keywords: Vec<String> = gained.keywords.iter().map(|of| of.to_string()).collect();
        if !keywords.is_empty() {
            facts["keywords"] = keywords.clone().into();
            parts.extend(keywords);
        }
        facts["attack_change"] = attack.into();
        facts["health_change"] = health.into();
        (parts, facts)
    }

    /// Tells what has worn off: `A1 Fell Walker no longer has +4/+0, Aggressive: 3/3`; None if it has all of it otherwise.
    fn faded(&self, who: Ref, gained: Gained, abilities: u8) -> Option<(Weight, String, Value)> {
        // It may have a keyword otherwise, or for longer.
        let still = |keyword| {
            let place = self.state.locate(who);
            place.is_some_and(|(side, lane)| self.state.at(side, lane).has(keyword))
        };
        let keywords = gained.keywords.iter().filter(|&keyword| !still(keyword)).collect();
        let (mut parts, mut facts) = self.parts("faded", who, Gained { keywords, ..gained });
        facts["abilities"] = abilities.into();
        match abilities {
            0 => {}
            1 => parts.push("an ability that it was given".to_owned()),
            more => parts.push(format!("{more} abilities that it was given")),
        }
        if parts.is_empty() {
            return None;
        }
        let (name, size) = (self.name(who), self.size(who));
        let text = format!("{name} no longer has {}: {size}", parts.join(", "));
        Some((Weight::Consequence, text, facts))
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
                .map(|&who| {
                    let traits = bracketed("", &self.traits(who));
                    format!("{} {}{traits}", self.name(who), self.size(who))
                })
                .collect();
            let hand: Vec<String> =
                player.hand.iter().map(|&form| self.setup.cards.label(form)).collect();
            // A position may begin within a turn.
            let active = match &self.setup.play {
                Play::Position(position) => {
                    side == self.state.active
                        && !matches!(position.steps.first(), Some(Step::StartTurn))
                }
                Play::Games(_) => false,
            };
            let is_active = if active { " (active)" } else { "" };
            let armor = match statics::player_armor(&self.setup.cards, self.state, side) {
                0 => String::new(),
                armor => format!(", Armor {armor}"),
            };
            let mut text = format!("Side {side}{is_active}: {} life{armor}", player.life);
            if !names.is_empty() {
                text += &format!("; {}", names.join(", "));
            }
            if !hand.is_empty() {
                text += &format!("; in hand {}", hand.join(", "));
            }
            let creature = |&who: &Ref| {
                let mut facts = self.facts("creature", who);
                facts["traits"] = self.traits(who).into();
                facts
            };
            let creatures: Vec<Value> = creatures.iter().map(creature).collect();
            let facts = json!({ "event": "begin", "side": side.to_string(), "life": player.life,
                "active": active, "creatures": creatures, "hand": hand });
            lines.push(Line { weight: Weight::Heading, text, facts });
        }
    }
}

/// What a creature or spell does is told below what it does it in; Poison and Regenerate belong to the turn.
fn of_effect(by: Option<Ref>) -> Weight {
    by.map_or(Weight::Action, |_| Weight::Detail)
}

/// For how long something is gained.
fn lasting(until: Until) -> &'static str {
    match until {
        Until::Forever => "",
        Until::EndOfTurn => " until the end of the turn",
        Until::EndOfNextTurn => " until the end of the next turn",
    }
}

impl Agent {
    /// What an ability does is told below the ability; what a player does has this weight.
    fn weight(self, of_player: Weight) -> Weight {
        match self {
            Self::Player => of_player,
            Self::Ability => Weight::Detail,
        }
    }
}

const _: () = assert!(Source::Several as u16 == 10, "moments are numbered as sources are");
