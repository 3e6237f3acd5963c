//! The narration of a Sanctum combat phase.

use serde_json::{Value, json};

use super::Sanctum;
use super::board::{board, label};
use super::effect::{Effect, Lasts, Stat, Trigger, Verb, Weapon};
use super::event::{Blow, Choice, DamageResult, Event, Happened};
use super::profile::{MISSILE_PENALTY, MISSILE_ROUND};
use super::setup::Setup;
use super::state::{Minion, Place, Player, Precedence, State};
use crate::story::{Board, Line, Story, Weight};

impl Story for Sanctum {
    fn tell(setup: &Setup, state: &State, event: Event, lines: &mut Vec<Line>) {
        let teller = Teller { setup, state };
        let (weight, text, facts) = match event {
            Event::Begins => return teller.groups(lines),
            Event::Combat => teller.combat(),
            Event::FallsAway => teller.falls_away(),
            Event::Round(number) => teller.round(number),
            Event::Chooses { who, victim, how, among } => teller.chooses(who, victim, how, among),
            Event::LeftOver(who) => (
                Weight::Action,
                format!("{} finds nobody to pair up with", teller.name(who)),
                json!({ "event": "left_over", "actor": teller.uid(who) }),
            ),
            Event::Forfeits(who) => (
                Weight::Action,
                format!("{} has nobody to strike back at and forfeits", teller.name(who)),
                json!({ "event": "forfeit", "actor": teller.uid(who) }),
            ),
            Event::Misses { by, on, misses } => teller.misses(by, on, misses),
            Event::Struck { by, on } => (
                Weight::Action,
                format!(
                    "{} strikes at {}{}",
                    teller.name(by),
                    teller.name(on),
                    teller.reckoning(by, on, None)
                ),
                json!({ "event": "strike", "actor": teller.uid(by), "target": teller.uid(on) }),
            ),
            Event::Blow(blow) => teller.blow(blow),
            Event::Effect(happened) => teller.effect(happened),
            Event::Compels { number, bearer, who } => teller.compels(number, bearer, who),
            // The damage that follows narrates it.
            Event::Attack { .. } => return,
            Event::Buried { who, blame } => teller.buried(who, blame),
            Event::Qualifies(who) => (
                Weight::Detail,
                format!("{} qualifies for an experience level", teller.name(who)),
                json!({ "event": "qualify", "target": teller.uid(who) }),
            ),
            Event::CombatOver => teller.over(),
        };
        lines.push(Line { weight, text, facts });
    }

    fn board(setup: &Setup, state: &State) -> Board {
        board(setup, state)
    }
}

/// The weight, the text and the facts of a line.
type LineParts = (Weight, String, Value);

struct Teller<'a> {
    setup: &'a Setup,
    state: &'a State,
}

impl Teller<'_> {
    fn label(&self, group: usize) -> String {
        label(self.setup, self.state, group)
    }

    /// A minion's id: `A1` is the first minion of side A's group, `North#1` that of the group North on a map.
    fn uid(&self, place: Place) -> String {
        let (group, nth) = self.state.home(place);
        format!("{}{}", self.label(group), nth + 1)
    }

    fn unit(&self, minion: &Minion) -> &str {
        &self.setup.unit_of(minion).name
    }

    fn name(&self, place: Place) -> String {
        format!("{} {}", self.uid(place), self.unit(self.state.at(place)))
    }

    fn groups(&self, lines: &mut Vec<Line>) {
        let stratum = self.state.stratum;
        for (at, group) in self.state.groups.iter().enumerate() {
            let (name, player) =
                (self.setup.group_name(stratum, at), self.setup.player(stratum, at));
            let side = self.setup.side(stratum, at);
            let (text, square) = match self.setup.board() {
                None => (format!("Side {side}: {name}"), Value::Null),
                Some(board) => {
                    let placed = board.groups[at];
                    let square = match board.seen_by {
                        Player::Red => placed.square.upside_down(),
                        Player::Blue | Player::Neutral => placed.square,
                    };
                    let text = format!(
                        "{name} ({player}) at column {}, row {}",
                        square.column, square.row
                    );
                    (text, json!([square.column, square.row]))
                }
            };
            let weight = if at == 0 { Weight::Heading } else { Weight::Action };
            // The first group is headed; all groups get the same weight.
            if at == 0 {
                lines.push(Line {
                    weight,
                    text: "The groups".to_owned(),
                    facts: json!({ "event": "begin" }),
                });
            }
            lines.push(Line {
                weight: Weight::Action,
                text,
                facts: json!({ "event": "group", "name": name, "side": side.to_string(),
                               "square": square }),
            });
            let size = self.setup.group_size(stratum, at);
            for (nth, kept) in group.minions[..size].iter().enumerate() {
                let minion = &kept.minion();
                let uid = format!("{}{}", self.label(at), nth + 1);
                lines.push(Line {
                    weight: Weight::Consequence,
                    text: format!("{uid} {}: {}", self.unit(minion), self.numbers(minion)),
                    facts: json!({ "event": "minion", "target": uid, "unit": self.unit(minion),
                                   "state": self.facts_of(minion) }),
                });
            }
        }
    }

    fn numbers(&self, minion: &Minion) -> String {
        let kind = self.setup.kind(minion.kind);
        let stats = &minion.stats;
        let mut parts = Vec::new();
        if kind.has_hand {
            parts.push(format!("hand {}", stats.hand));
        }
        if kind.has_missile {
            parts.push(format!("missile {}", stats.missile));
        }
        match stats.attacks {
            0 => parts.push("does not attack".to_owned()),
            1 => {}
            attacks => parts.push(format!("{attacks} attacks a round")),
        }
        parts.push(format!("armor {}", stats.armor));
        parts.push(match minion.hit_points == minion.max_hit_points {
            true => format!("{} hit points", minion.hit_points),
            false => format!("{} of {} hit points", minion.hit_points, minion.max_hit_points),
        });
        parts.push(format!("level {}", stats.level));
        parts.join(", ")
    }

    fn facts_of(&self, minion: &Minion) -> Value {
        let stats = &minion.stats;
        json!({
            "hand": stats.hand, "missile": stats.missile, "attacks": stats.attacks,
            "armor": minion.armor, "max_armor": stats.armor, "level": stats.level,
            "hit_points": minion.hit_points, "max_hit_points": minion.max_hit_points,
        })
    }

    /// The names of the two groups that fight, the one with precedence first; with their sides where they are alike.
    fn fighting(&self) -> [String; 2] {
        self.names(self.state.fighting)
    }

    /// The names of two groups; with their sides where they are alike.
    fn names(&self, groups: [u8; 2]) -> [String; 2] {
        let stratum = self.state.stratum;
        let groups = groups.map(usize::from);
        let [high, low] = groups.map(|group| self.setup.group_name(stratum, group));
        if high == low {
            return groups
                .map(|group| format!("{high} of side {}", self.setup.side(stratum, group)));
        }
        [high, low].map(str::to_owned)
    }

    fn round(&self, number: u8) -> LineParts {
        let strikes_early = |place: Place| self.setup.kind(self.state.at(place).kind).strikes_early;
        let is_early = || {
            Precedence::BOTH.iter().any(|&of| self.state.group(of).into_iter().any(strikes_early))
        };
        let what = match number {
            1 if is_early() => " (missiles, and those who strike early)",
            1 => " (missiles only)",
            _ => "",
        };
        let facts = json!({ "event": "round", "number": number });
        (Weight::Heading, format!("Round {number}{what}"), facts)
    }

    fn combat(&self) -> LineParts {
        let state = self.state;
        let [high, low] = self.fighting();
        let fight = self.setup.schedule(state.stratum)[usize::from(state.combats) - 1];
        let seen = self.setup.board().zip(fight.from);
        let direction = seen.map(|(board, from)| from.seen_by(board.seen_by).to_string());
        let text = match &direction {
            Some(direction) => {
                format!("Combat {}: {high} fights {low} to its {direction}", state.combats)
            }
            None => format!("Combat: {high} against {low}, {high} first"),
        };
        let facts = json!({ "event": "combat", "number": state.combats, "high": high, "low": low,
                            "direction": direction });
        (Weight::Heading, text, facts)
    }

    /// A combat of the schedule that is not fought, and which of its groups are gone how.
    fn falls_away(&self) -> LineParts {
        let number = self.state.combats;
        let fight = self.setup.schedule(self.state.stratum)[usize::from(number) - 1];
        let groups = [fight.high, fight.low];
        let [high, low] = self.names(groups);
        let gone: Vec<(&String, &str)> = groups
            .iter()
            .zip([&high, &low])
            .filter_map(|(&group, name)| {
                let group = &self.state.groups[usize::from(group)];
                let how = match (group.stands(), group.alive(), group.withdrawn) {
                    (true, ..) => return None,
                    (false, 0, _) => "fallen",
                    (false, _, true) => "withdrawn",
                    (false, _, false) => "left",
                };
                Some((name, how))
            })
            .collect();
        let because: Vec<String> =
            gone.iter().map(|(name, how)| format!("{name} has {how}")).collect();
        let gone: Vec<Value> =
            gone.iter().map(|(name, how)| json!({ "group": name, "how": how })).collect();
        (
            Weight::Heading,
            format!(
                "Combat {number} falls away: {high} does not fight {low}, since {}",
                because.join(" and ")
            ),
            json!({ "event": "falls_away", "number": number, "high": high, "low": low,
                    "gone": gone }),
        )
    }

    fn chooses(&self, who: Place, victim: Place, how: Choice, among: u8) -> LineParts {
        let (one, other) = (self.name(who), self.name(victim));
        let drawn = if among > 1 { format!(", drawn among {among}") } else { String::new() };
        let text = match how {
            Choice::PairsUp => format!("{one} and {other} pair up{drawn}"),
            Choice::Must => format!("{one} must attack {other}{drawn}"),
            Choice::Wisely => format!("{one} wisely chooses {other}{drawn}"),
            Choice::Retaliates => format!("{one} retaliates against {other}"),
            Choice::AtRandom => format!("{one} attacks again: {other}{drawn}"),
        };
        // What compels it was narrated before.
        let weight = if how == Choice::Must { Weight::Consequence } else { Weight::Action };
        let how: &str = how.into();
        let facts = json!({ "event": "choose", "actor": self.uid(who), "target": self.uid(victim),
                            "how": how, "among": among });
        (weight, text, facts)
    }

    fn compels(&self, number: u16, bearer: Place, who: Place) -> LineParts {
        let source = usize::from(self.setup.effects[usize::from(number)].source);
        let name = &self.setup.names[source];
        let text = format!("{name} of {} compels {}", self.uid(bearer), self.name(who));
        let facts = json!({ "event": "compel", "source": name, "actor": self.uid(bearer),
                            "target": self.uid(who) });
        (Weight::Action, text, facts)
    }

    fn misses(&self, by: Place, on: Place, misses: u8) -> LineParts {
        let levels = (self.state.at(by).stats.level, self.state.at(on).stats.level);
        let text = format!(
            "{} (level {}) misses {} (level {}), {misses} in a row",
            self.name(by),
            levels.0,
            self.name(on),
            levels.1
        );
        let facts = json!({ "event": "miss", "actor": self.uid(by), "target": self.uid(on),
                            "misses": misses });
        (Weight::Action, text, facts)
    }

    fn blow(&self, blow: Blow) -> LineParts {
        let Blow { by, on, attack, power, to_armor, to_hit_points, overkill, result } = blow;
        let minion = self.state.at(on);
        // Effects that answer a strike are narrated before its damage, and may have killed the attacker.
        let was_struck = attack && by.is_some() && self.state.is_answered(self.setup, on);
        // Damage that is left after armor may not be taken (D3).
        let annulled = power - to_armor - to_hit_points - overkill;
        let source = match (by, attack) {
            (Some(_), true) if was_struck && annulled > 0 => {
                format!("The strike at {} is for {power}", self.name(on))
            }
            (Some(_), true) if was_struck && power == 0 => {
                format!("The strike does nothing to {}", self.name(on))
            }
            (Some(_), true) if was_struck => {
                format!("The strike deals {power} to {}", self.name(on))
            }
            (Some(by), true) => {
                let reckoning = self.reckoning(by, on, Some(power));
                format!("{} hits {} for {power}{reckoning}", self.name(by), self.name(on))
            }
            (Some(by), false) => {
                format!("{} deals {power} to {}", self.name(by), self.name(on))
            }
            (None, _) => format!("{} takes {power}", self.name(on)),
        };
        let soaked = if to_armor > 0 { format!(", armor soaks {to_armor}") } else { String::new() };
        let left = format!("{} of {} hit points left", minion.hit_points, minion.max_hit_points);
        let came = match result {
            DamageResult::Bounced if annulled > 0 && to_armor > 0 => {
                format!(", and {annulled} annulled")
            }
            DamageResult::Bounced if annulled > 0 => ": it is annulled".to_owned(),
            DamageResult::Bounced if was_struck && power == 0 => String::new(),
            DamageResult::Bounced => ": it bounces".to_owned(),
            DamageResult::Damaged => format!(": -{to_hit_points}, {left}"),
            DamageResult::Killed if overkill > 0 => format!(": deadly, {overkill} too many"),
            DamageResult::Killed => ": deadly".to_owned(),
        };
        let result: &str = result.into();
        let facts = json!({
            "event": "damage", "actor": by.map(|by| self.uid(by)), "target": self.uid(on),
            "attack": attack, "power": power, "to_armor": to_armor,
            "to_hit_points": to_hit_points, "overkill": overkill, "annulled": annulled,
            "result": result,
            "state": self.facts_of(minion),
        });
        // All minions choose before any attacks, so an attack is not the consequence of a single choice.
        let weight = if attack && !was_struck { Weight::Action } else { Weight::Detail };
        (weight, format!("{source}{soaked}{came}"), facts)
    }

    /// How the damage of an attack comes about, where it is not just a number of the attacker: ` (missile 2, -1 in round
    /// 1)`. `power` is the damage itself, if it is told in the same line. What dice decide is told before, as effects.
    fn reckoning(&self, by: Place, on: Place, power: Option<i16>) -> String {
        let attacker = self.state.at(by);
        let weapon = self.state.weapon(self.setup, by);
        // That it deals nothing with this weapon was told when it came to be so.
        if attacker.stats.is_mute(weapon) {
            return String::new();
        }
        let number = match weapon {
            Weapon::Hand => attacker.stats.hand,
            Weapon::Missile => attacker.stats.missile,
        };
        let mut parts = vec![format!("{weapon} {number}")];
        let mut sum = i16::from(number);
        let mut add = |amount: i8, why: String| {
            sum = sum.saturating_add(amount.into());
            parts.push(format!("{amount:+} {why}"));
        };
        if weapon == Weapon::Missile && self.state.round == MISSILE_ROUND {
            add(MISSILE_PENALTY, format!("in round {MISSILE_ROUND}"));
        }
        let kind = self.setup.kind(attacker.kind);
        let certain =
            |effect: &Effect| self.state.is_certain_of_attack(self.setup, effect, weapon, on);
        let mut silenced = None;
        for effect in kind.all_effects().filter(certain) {
            if effect.does == Verb::DealNothing {
                silenced = Some(self.cause(&effect, by));
            } else if effect.does == Verb::DealMore {
                add(effect.amount, self.cause(&effect, by));
            }
        }
        if let Some(why) = silenced {
            parts.push(format!("but none {why}"));
            sum = 0;
        }
        if parts.len() == 1 {
            return String::new();
        }
        if sum < 0 {
            parts.push("never below 0".to_owned());
        }
        if power.is_some_and(|power| power != sum.max(0)) {
            parts.push("and as told above".to_owned());
        }
        format!(" ({})", parts.join(", "))
    }

    /// Where an effect of a minion comes from, as the end of a phrase: the minion itself or one of its spells.
    fn cause(&self, effect: &Effect, bearer: Place) -> String {
        let source = self.setup.names[usize::from(effect.source)].as_str();
        let rest = self.unit(self.state.at(bearer)).strip_prefix(source);
        let is_own = rest.is_some_and(|rest| rest.is_empty() || rest.starts_with(" + "));
        if is_own { format!("as {source}") } else { format!("by {source}") }
    }

    fn effect(&self, happened: Happened) -> LineParts {
        let Happened { source, bearer, when, does, stat, on, amount, number } = happened;
        let effect = &self.setup.effects[usize::from(number)];
        let name = &self.setup.names[usize::from(source)];
        let whose =
            bearer.map_or_else(|| name.clone(), |who| format!("{name} of {}", self.uid(who)));
        let whom = on.map_or_else(|| "nobody".to_owned(), |on| self.name(on));
        let is_one = amount.unsigned_abs() == 1;
        let told = stat.map(|stat| match stat {
            Stat::Attacks if is_one => "attack a round".to_owned(),
            Stat::Attacks => "attacks a round".to_owned(),
            Stat::HitPoints if is_one => "hit point".to_owned(),
            Stat::HitPoints => "hit points".to_owned(),
            Stat::Hand | Stat::Missile | Stat::Armor | Stat::Level => stat.to_string(),
        });
        let stat = stat.map(|stat| stat.to_string().replace('_', " "));
        let lasts = self.lasts(effect);
        let lasting = lasts.map_or("", |lasts| self.lasting(lasts));
        let what = match does {
            Verb::Gain => {
                format!("{whom} gets {amount:+} {}{lasting}", told.unwrap_or_default())
            }
            Verb::Damage => format!("{amount} damage to {whom}"),
            Verb::Heal => {
                let points = if is_one { "hit point" } else { "hit points" };
                format!("{whom} regains {amount} {points}")
            }
            Verb::Kill => format!("{whom} is to die"),
            Verb::StopAttacking if effect.lasts == Lasts::Round => {
                format!("{whom} does not attack{lasting}")
            }
            Verb::StopAttacking => format!("{whom} no longer attacks{lasting}"),
            Verb::Mark => {
                let marks = on.map_or(0, |on| self.state.at(on).marks);
                let plural = if marks == 1 { "mark" } else { "marks" };
                format!("{whom} is marked, {marks} {plural} now")
            }
            Verb::Leave => format!("{whom} leaves"),
            Verb::Withdraw => "the group withdraws".to_owned(),
            Verb::StopHostility => "the groups are no longer hostile".to_owned(),
            Verb::EndCombat => "the combat ends".to_owned(),
            Verb::KeepPeace => {
                let has = |at: &usize| {
                    let own = self.setup.group_effects(self.state.stratum, *at);
                    own.iter().any(|other| other.number == number)
                };
                let whose = (0..self.state.groups.len()).find(has).map(|at| self.label(at));
                format!("no group enters combat (it is on {})", whose.unwrap_or_default())
            }
            Verb::DealMore => format!("{amount:+} damage to {whom}"),
            // Here it is on an attack, elsewhere on an attacker.
            Verb::DealNothing if when == Trigger::Attacks => format!("no damage to {whom}"),
            Verb::DealNothing => {
                let weapon = match effect.weapon {
                    Some(Weapon::Hand) => " by hand",
                    Some(Weapon::Missile) => " with missiles",
                    None => "",
                };
                format!("{whom} deals no damage{weapon}{lasting}")
            }
            Verb::TakeMore => format!("{amount:+} damage by the hit of {whom}"),
            Verb::TakeNothing if when == Trigger::AfterArmor => {
                format!("what is left of the hit of {whom} is annulled")
            }
            Verb::TakeNothing => format!("the hit of {whom} is annulled"),
            Verb::DealBack => format!("the damage is dealt back to {whom}"),
            Verb::Guard => format!("takes the hit for {whom}"),
            Verb::Survive => {
                let left = bearer.map_or(0, |bearer| self.state.at(bearer).hit_points);
                let points = if left == 1 { "hit point" } else { "hit points" };
                format!("does not die, {left} {points} left")
            }
            Verb::Vanish if effect.dispels => {
                format!("vanishes, healed, instead of dying, and {name} is dispelled")
            }
            Verb::Vanish => "vanishes, healed, instead of dying".to_owned(),
            Verb::SeekOut | Verb::Taunt => format!("{whom} must be attacked"),
            Verb::Repel | Verb::StrikeEarly => "holds".to_owned(),
        };
        // Effects that open or close a round or combat belong to no attack, and those on an attack come before it.
        let weight = match when {
            Trigger::Attacks
            | Trigger::CombatStart
            | Trigger::RoundStart
            | Trigger::CombatEnd
            | Trigger::AfterCombat => Weight::Action,
            Trigger::Always => Weight::Heading,
            Trigger::MustAttack
            | Trigger::IsHit
            | Trigger::ComradeIsHit
            | Trigger::AfterArmor
            | Trigger::Lethal
            | Trigger::Hits
            | Trigger::Damages
            | Trigger::Dying
            | Trigger::Killed
            | Trigger::Dies
            | Trigger::ComradeDies
            | Trigger::Kills => Weight::Detail,
        };
        let (when, does): (&str, &str) = (when.into(), does.into());
        let facts = json!({
            "event": "effect", "source": name, "actor": bearer.map(|bearer| self.uid(bearer)),
            "when": when, "does": does, "stat": stat, "amount": amount, "lasts": lasts,
            "target": on.map(|on| self.uid(on)),
            "state": on.map(|on| self.facts_of(self.state.at(on))),
        });
        (weight, format!("{whose}: {what}"), facts)
    }

    /// How long what an effect has just changed stays changed; none where it changes nothing that lasts.
    fn lasts(&self, effect: &Effect) -> Option<&'static str> {
        if !effect.does.facts().lasts || effect.when == Trigger::Attacks {
            return None;
        }
        Some(match effect.lasts {
            // A change of hit points is permanent.
            _ if effect.does == Verb::Gain && effect.stat == Stat::HitPoints => "forever",
            Lasts::Round if self.state.is_to_come(effect) => "next_round",
            Lasts::Round => "round",
            Lasts::Combat => "combat",
            Lasts::Forever => "forever",
        })
    }

    /// How long it lasts, in words that follow what has changed. Where a single combat is fought, all that does not end
    /// with a round holds to its end.
    fn lasting(&self, lasts: &str) -> &'static str {
        let are_several = self.setup.schedule(self.state.stratum).len() > 1;
        match lasts {
            "round" => " for this round",
            "next_round" => " for the next round",
            "combat" if are_several => " for this combat",
            "forever" if are_several => " for good",
            _ => "",
        }
    }

    fn buried(&self, who: Place, blame: Option<Place>) -> LineParts {
        let text = match blame {
            Some(by) => format!("{} is killed by {}", self.name(who), self.name(by)),
            None => format!("{} dies", self.name(who)),
        };
        let facts = json!({ "event": "death", "target": self.uid(who),
                            "blame": blame.map(|by| self.uid(by)) });
        (Weight::Detail, text, facts)
    }

    fn over(&self) -> LineParts {
        let names = self.fighting();
        let left = Precedence::BOTH.map(|precedence| {
            let name = &names[precedence.index()];
            (name.clone(), self.state.group(precedence).len())
        });
        let told = left.clone().map(|(name, count)| format!("{name} {count}"));
        let facts = json!({ "event": "combat_over",
                            "left": left.map(|(name, count)| json!({ "group": name, "minions": count })) });
        (Weight::Heading, format!("The combat is over; left: {}", told.join(", ")), facts)
    }
}
