//! A Splinterlands battle as a story.

mod reasons;

use serde_json::{Map, Value, json};

use super::Splinterlands;
use super::ability::{Ability, Infliction};
use super::board::board;
use super::cards::Stats;
use super::event::{Blow, Cause, Event};
use super::legal::{Illegal, faults_in_battle};
use super::rules::stats::{BUFFS, DEBUFFS, auras_of};
use super::setup::{LineUp, Setup};
use super::state::{Monster, Place, Places, State, TEAM};
use crate::game::{Outcome, Side};
use crate::story::{Board, Line, Story, Weight};

impl Story for Splinterlands {
    fn tell(setup: &Setup, state: &State, event: Event, lines: &mut Vec<Line>) {
        let teller = Teller { setup, state };
        let (weight, text, facts) = match event {
            Event::Begins => return teller.teams(lines),
            Event::Round(number) => (
                Weight::Heading,
                format!("Round {number}"),
                json!({ "event": "round", "number": number }),
            ),
            Event::Turn { who, tied } => teller.turn(who, tied),
            Event::Blow(blow) => teller.blow(blow),
            Event::Attacks { .. } | Event::AttackOver | Event::Tied(_) => return,
            Event::StrikesAgain(who) => {
                let says = format!("attacks again: {}", teller.named(who, Ability::DoubleStrike));
                let (_, text, facts) = teller.simple(who, &says, "strikes_again");
                (Weight::Consequence, text, facts)
            }
            Event::TramplesOn(who) => {
                teller.simple(who, "tramples on under Stampede", "tramples_on")
            }
            Event::Unshaken(who) => {
                let says = format!("is not shaken: {}", teller.named(who, Ability::Flying));
                let (_, text, facts) = teller.simple(who, &says, "unshaken");
                (Weight::Consequence, text, facts)
            }
            Event::AurasEnd(dead) => return teller.auras_end(dead, lines),
            Event::SkipsTurn(who) => {
                teller.simple(who, "is stunned and loses its turn", "skips_turn")
            }
            Event::Recovers(who) => teller.simple(who, "is no longer stunned", "recovers"),
            Event::Shielded(who) => {
                let shield = teller.named(who, Ability::DivineShield);
                teller.simple(who, &format!("is saved by its {shield}"), "divine_shield")
            }
            Event::StandsAlone(who) => {
                let monster = state.at(who);
                let stand = teller.named(who, Ability::LastStand);
                let says = format!("stands alone: {stand}, {}", numbers(monster));
                let (weight, text, mut facts) = teller.simple(who, &says, "last_stand");
                facts["state"] = facts_of(monster);
                (weight, text, facts)
            }
            Event::Dies(who) => teller.simple(who, "dies", "death"),
            Event::Inflicts { by, on, ability, percent } => {
                teller.inflicts(by, on, ability, percent)
            }
            Event::Mends { by, on, ability, amount } => teller.mends(by, on, ability, amount),
            Event::Gains { who, ability, amount } => {
                let monster = state.at(who);
                (
                    Weight::Detail,
                    format!(
                        "{}: {} gains {amount} health, {}",
                        teller.named(who, ability),
                        teller.name(who),
                        shape(monster)
                    ),
                    json!({ "event": "gain", "target": teller.uid(who), "ability": ability.to_string(),
                            "amount": amount, "state": facts_of(monster) }),
                )
            }
            Event::Cleanses { by, on, statuses, stunned, poisoned, weakeners } => {
                let taken = teller.taken_off(statuses, stunned, poisoned, weakeners);
                (
                    of_support(by),
                    format!(
                        "{} cleanses {} of {}, {}",
                        teller.who(by, on),
                        teller.name(on),
                        listed(&taken),
                        numbers(state.at(on))
                    ),
                    json!({ "event": "cleanse", "actor": teller.doer(by, on),
                            "target": teller.uid(on), "taken_off": taken,
                            "state": facts_of(state.at(on)) }),
                )
            }
            Event::Returns { who, by } => (
                Weight::Detail,
                format!(
                    "{} resurrects {}, {}",
                    teller.who(by, who),
                    teller.name(who),
                    numbers(state.at(who))
                ),
                json!({ "event": "resurrect", "actor": teller.doer(by, who),
                        "target": teller.uid(who), "state": facts_of(state.at(who)) }),
            ),
            Event::Quakes(side) => (
                Weight::Action,
                format!("The earth quakes, side {side} first"),
                json!({ "event": "earthquake", "first": side.to_string() }),
            ),
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
    /// `A1` is the monster that started in front of side A.
    fn uid(&self, place: Place) -> String {
        format!("{}{}", place.side(), place.index() % TEAM + 1)
    }

    fn name(&self, place: Place) -> String {
        let card = self.state.at(place).card;
        format!("{} {}", self.uid(place), self.setup.catalogue.card(card).name)
    }

    /// The name of the monster that does something, or of the summoner of the side of `on`.
    fn who(&self, by: Option<Place>, on: Place) -> String {
        match by {
            Some(by) => self.name(by),
            None => {
                let leader = self.state.leaders[on.side().index()].card;
                format!("{} (summoner {})", self.setup.catalogue.card(leader).name, on.side())
            }
        }
    }

    /// The id of the monster that does something, or of the summoner of the side of `on`: `A0` is that of side A.
    fn doer(&self, by: Option<Place>, on: Place) -> String {
        by.map_or_else(|| format!("{}0", on.side()), |by| self.uid(by))
    }

    fn simple(&self, who: Place, says: &str, event: &str) -> (Weight, String, Value) {
        let text = format!("{} {says}", self.name(who));
        (Weight::Detail, text, json!({ "event": event, "target": self.uid(who) }))
    }

    fn turn(&self, who: Place, tied: u8) -> (Weight, String, Value) {
        let drawn = if tied > 1 { format!(", drawn among {tied} equals") } else { String::new() };
        let speed = self.state.at(who).now.speed;
        let mut text = format!("{} (speed {speed}{drawn})", self.name(who));
        let mut facts =
            json!({ "event": "turn", "actor": self.uid(who), "speed": speed, "tied": tied });
        if let Some(why) = self.why_it_cannot_attack(who) {
            text.push_str(": ");
            text.push_str(why);
            facts["cannot_attack"] = why.into();
        }
        (Weight::Action, text, facts)
    }

    /// Why a monster whose turn begins will attack nobody, unless a stun is the reason: that is told by itself.
    fn why_it_cannot_attack(&self, who: Place) -> Option<&'static str> {
        let state = self.state;
        if state.stunned.has(who) || state.can_attack(who) {
            return None;
        }
        let Stats { melee, ranged, .. } = state.at(who).now;
        Some(if melee <= 0 && ranged <= 0 {
            "no attack"
        } else if state.team(who.side()).is_led_by(who) {
            "too close to shoot"
        } else {
            "too far back to attack"
        })
    }

    fn teams(&self, lines: &mut Vec<Line>) {
        let rulesets: Vec<String> = self.state.rulesets.iter().map(|r| r.to_string()).collect();
        lines.push(Line {
            weight: Weight::Heading,
            text: format!("Rulesets: {}; mana cap {}", rulesets.join(" + "), self.state.mana_cap),
            facts: json!({ "event": "begin", "rulesets": rulesets, "mana_cap": self.state.mana_cap }),
        });
        for side in [Side::A, Side::B] {
            let leader = self.state.leaders[side.index()].card;
            let card = self.setup.catalogue.card(leader);
            let parts = self.leads(side);
            let leads =
                if parts.is_empty() { String::new() } else { format!(": {}", parts.join("; ")) };
            lines.push(Line {
                weight: Weight::Action,
                text: format!("Side {side}: {} (level {}){leads}", card.name, leader.level),
                facts: json!({ "event": "summoner", "side": side.to_string(), "card": card.name,
                               "level": leader.level, "leads": parts }),
            });
            for place in self.state.fielded.and(Places::of(side)) {
                let monster = self.state.at(place);
                let abilities: Vec<String> =
                    monster.abilities.iter().map(|a| a.to_string()).collect();
                let able = if abilities.is_empty() {
                    String::new()
                } else {
                    let named = monster.abilities.iter().map(|of| self.named(place, of));
                    format!("; {}", named.collect::<Vec<_>>().join(", "))
                };
                let given: Map<String, Value> = monster
                    .abilities
                    .iter()
                    .filter_map(|of| Some((of.to_string(), self.giver(place, of)?.into())))
                    .collect();
                let level = monster.card.level;
                lines.push(Line {
                    weight: Weight::Consequence,
                    text: format!(
                        "{} (level {level}): {}{able}",
                        self.name(place),
                        numbers(monster)
                    ),
                    facts: json!({ "event": "monster", "target": self.uid(place),
                                   "card": self.setup.catalogue.card(monster.card).name,
                                   "level": level, "abilities": abilities, "given": given,
                                   "state": facts_of(monster) }),
                });
            }
        }
        self.why_not_fought(lines);
    }

    /// Tells why the battle is not fought, where it is not (decisions 3 and 7; SP-92).
    fn why_not_fought(&self, lines: &mut Vec<Line>) {
        let State { rulesets, mana_cap, .. } = *self.state;
        let forfeits = |side: &Side| self.state.forfeits & 1 << side.index() != 0;
        for side in [Side::A, Side::B].into_iter().filter(forfeits) {
            let monsters = self.state.fielded.and(Places::of(side));
            let team = LineUp {
                summoner: self.state.leaders[side.index()].card,
                monsters: monsters.map(|place| self.state.at(place).card).collect(),
            };
            let faults = faults_in_battle(&self.setup.catalogue, &team, rulesets, mana_cap);
            let because: Vec<String> = faults.iter().map(Illegal::to_string).collect();
            lines.push(Line {
                weight: Weight::Heading,
                text: format!(
                    "Side {side} forfeits, since its team is illegal: {}",
                    because.join("; ")
                ),
                facts: json!({ "event": "forfeit", "side": side.to_string(), "because": because }),
            });
        }
        if self.state.verdict == Some(Outcome::Draw) && self.state.forfeits == 0 {
            lines.push(Line {
                weight: Weight::Heading,
                text: "The battle is not fought, since both teams are identical".to_owned(),
                facts: json!({ "event": "identical_teams" }),
            });
        }
    }

    fn blow(&self, blow: Blow) -> (Weight, String, Value) {
        let Blow { cause, by, on, percent, hit, attack, power, force, to_armor, to_health, .. } =
            blow;
        let monster = self.state.at(on);
        let cause_name: &str = cause.into();
        let aim = self.aim(blow);
        let source = match by {
            Some(by) => {
                let named = cause.ability().map(|ability| self.named(by, ability));
                let cause = named.as_deref().unwrap_or(cause_name);
                format!("{cause}: {} on {}{}", self.name(by), self.name(on), by_means_of(&aim))
            }
            None => format!("{cause_name}: {}", self.name(on)),
        };
        let odds = self.odds(blow);
        let (changed, passed) = (self.changed(blow), self.passed(blow));
        let reasons: Vec<&str> =
            aim.iter().chain(&changed.names).chain(&passed).map(String::as_str).collect();
        let (changes, by_which) = (&changed.text, by_means_of(&passed));
        let result = match (hit, to_armor, to_health) {
            (false, ..) => " misses".to_owned(),
            (true, 0, 0) => format!(" for {power}{changes}: no harm done"),
            (true, 0, health) => {
                let rage = begins_to_rage(monster, health);
                format!(" for {power}{changes}: -{health} health, {}{rage}", shape(monster))
            }
            (true, armor, 0) => {
                format!(" for {power}{changes}: -{armor} armor{by_which}, {}", shape(monster))
            }
            (true, armor, health) => {
                let rage = begins_to_rage(monster, health);
                format!(
                    " for {power}{changes}: -{armor} armor, -{health} health{by_which}, {}{rage}",
                    shape(monster)
                )
            }
        };
        let facts = json!({
            "event": "blow", "cause": cause_name, "actor": by.map(|by| self.uid(by)),
            "target": self.uid(on), "hit_percent": percent, "miss_points": self.points(blow),
            "hit": hit, "strength": attack, "power": power, "force": force, "reasons": reasons,
            "armor_lost": to_armor, "health_lost": to_health, "state": facts_of(monster),
        });
        let weight = match cause {
            Cause::Melee | Cause::Ranged | Cause::Magic | Cause::Earthquake => Weight::Consequence,
            // They come at the start of a round, and nobody's turn or earthquake causes them.
            Cause::Poison | Cause::Fatigue => Weight::Action,
            Cause::Blast
            | Cause::Thorns
            | Cause::MagicReflect
            | Cause::ReturnFire
            | Cause::Retaliate
            | Cause::Trample
            | Cause::Redemption => Weight::Detail,
        };
        (weight, format!("{source}{odds}{result}"), facts)
    }

    fn inflicts(
        &self,
        by: Place,
        on: Place,
        ability: Ability,
        percent: u8,
    ) -> (Weight, String, Value) {
        let odds = if percent < 100 { format!(" ({percent}%)") } else { String::new() };
        let monster = self.state.at(on);
        let (becomes, left) = match ability.infliction() {
            None => ("suffers", None),
            Some(Infliction::Stun) => ("is stunned", None),
            Some(Infliction::Poison) => ("is poisoned", None),
            Some(Infliction::Affliction) => ("can no longer be healed", None),
            Some(Infliction::Snare) => ("can no longer fly", None),
            Some(Infliction::Halving) => ("has its attacks halved", Some(attacks(monster))),
            Some(Infliction::Shatter) => ("loses all armor", None),
            Some(Infliction::Dispel) => ("loses what its friends gave it", Some(numbers(monster))),
        };
        let left = left.map_or_else(String::new, |left| format!(", {left}"));
        (
            Weight::Detail,
            format!("{}{odds}: {} {becomes}{left}", self.named(by, ability), self.name(on)),
            json!({ "event": "inflict", "actor": self.uid(by), "target": self.uid(on),
                    "ability": ability.to_string(), "percent": percent,
                    "state": facts_of(monster) }),
        )
    }

    /// Tells which monsters the end of a dead monster's auras has changed, one line each, with the numbers that the
    /// auras were about.
    fn auras_end(&self, dead: Place, lines: &mut Vec<Line>) {
        let (own, abilities) = (dead.side(), self.state.at(dead).abilities);
        let parts = auras_of(abilities).into_iter().zip([BUFFS, DEBUFFS]);
        for (side, (part, among)) in [own, own.other()].into_iter().zip(parts) {
            let ended: Vec<String> = (abilities & among).iter().map(|of| of.to_string()).collect();
            for place in self.state.team(side) {
                let monster = self.state.at(place);
                // Dying monsters stay as they are.
                if monster.now.health <= 0 || !self.state.differed_by(place, part, dead) {
                    continue;
                }
                // Enrage comes and goes with health that is missing.
                let rages = monster.has(Ability::Enrage) && part.health != 0;
                let Monster { now, max_health, max_armor, .. } = monster;
                let mut told = Vec::new();
                if rages || (part.melee, part.ranged, part.magic) != (0, 0, 0) {
                    told.push(attacks(monster));
                }
                if part.health != 0 {
                    told.push(format!("health {}/{max_health}", now.health));
                }
                if part.armor != 0 {
                    told.push(format!("armor {}/{max_armor}", now.armor));
                }
                if rages || part.speed != 0 {
                    told.push(format!("speed {}", now.speed));
                }
                let ends = if ended.len() == 1 { "ends" } else { "end" };
                lines.push(Line {
                    weight: Weight::Detail,
                    text: format!(
                        "{} of {} {ends}: {}, {}",
                        ended.join(" and "),
                        self.name(dead),
                        self.name(place),
                        told.join(", ")
                    ),
                    facts: json!({ "event": "aura_end", "actor": self.uid(dead),
                                   "target": self.uid(place), "abilities": ended,
                                   "state": facts_of(monster) }),
                });
            }
        }
    }

    fn mends(
        &self,
        by: Option<Place>,
        on: Place,
        ability: Ability,
        amount: i8,
    ) -> (Weight, String, Value) {
        let monster = self.state.at(on);
        let (what, calm) = match ability {
            Ability::Repair => ("armor", String::new()),
            _ => ("health", no_longer_rages(monster)),
        };
        let named = by.map_or_else(|| ability.to_string(), |by| self.named(by, ability));
        (
            of_support(by),
            format!(
                "{named}: {} gives {} {amount} {what}, {}{calm}",
                self.who(by, on),
                self.name(on),
                shape(monster)
            ),
            json!({ "event": "mend", "actor": self.doer(by, on), "target": self.uid(on),
                    "ability": ability.to_string(), "amount": amount, "state": facts_of(monster) }),
        )
    }
}

/// Names with commas, and "and" before the last.
fn listed(names: &[String]) -> String {
    match names.split_last() {
        Some((last, [])) => last.clone(),
        Some((last, others)) => format!("{} and {last}", others.join(", ")),
        None => String::new(),
    }
}

/// What something is done by, where there is anything to name.
fn by_means_of(names: &[String]) -> String {
    if names.is_empty() { String::new() } else { format!(" by {}", listed(names)) }
}

/// What a monster does for others on its turn follows from the turn; a summoner does so at the start of a round.
fn of_support(by: Option<Place>) -> Weight {
    by.map_or(Weight::Action, |_| Weight::Consequence)
}

/// A monster's attacks in words.
fn attacks(monster: &Monster) -> String {
    let now = &monster.now;
    let parts: Vec<String> = [("melee", now.melee), ("ranged", now.ranged), ("magic", now.magic)]
        .into_iter()
        .filter(|&(_, power)| power > 0)
        .map(|(kind, power)| format!("{kind} {power}"))
        .collect();
    if parts.is_empty() { "no attack".to_owned() } else { parts.join(", ") }
}

/// A monster's attacks, the health and armor it has left, and its speed, in words.
fn numbers(monster: &Monster) -> String {
    format!("{}, {}, speed {}", attacks(monster), shape(monster), monster.now.speed)
}

/// The health and armor that a monster has left, in words.
fn shape(monster: &Monster) -> String {
    let Monster { now, max_health, max_armor, .. } = monster;
    if *max_armor > 0 {
        format!("health {}/{max_health}, armor {}/{max_armor}", now.health, now.armor)
    } else {
        format!("health {}/{max_health}", now.health)
    }
}

/// What Enrage makes of a monster that lost this much health, where it was unharmed before and lives.
fn begins_to_rage(monster: &Monster, lost: i8) -> String {
    let Monster { now, max_health, .. } = monster;
    if !monster.has(Ability::Enrage) || now.health <= 0 || now.health + lost < *max_health {
        return String::new();
    }
    format!(", enraged: {}, speed {}", attacks(monster), now.speed)
}

/// What is left of a monster's attacks and speed once nothing of its health is missing that Enrage was for.
fn no_longer_rages(monster: &Monster) -> String {
    if !monster.has(Ability::Enrage) || monster.is_wounded() {
        return String::new();
    }
    format!(", no longer enraged: {}, speed {}", attacks(monster), monster.now.speed)
}

fn facts_of(monster: &Monster) -> Value {
    let now = &monster.now;
    json!({
        "melee": now.melee, "ranged": now.ranged, "magic": now.magic, "speed": now.speed,
        "armor": now.armor, "max_armor": monster.max_armor,
        "health": now.health, "max_health": monster.max_health,
    })
}
