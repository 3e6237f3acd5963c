//! Teams that are always the same.

use std::collections::{BTreeMap, BTreeSet};
use std::iter;

use arrayvec::ArrayVec;

use super::{CARDS_LISTED, IllegalTeams, TeamChecker, TeamForm};
use crate::games::splinterlands::cards::CardKind;
use crate::games::splinterlands::legal::{Illegal, faults_in_battle, faults_of_team, monster_cap};
use crate::games::splinterlands::ruleset::Ruleset;
use crate::games::splinterlands::setup::{Brings, CardAt, Contender, LineUp};
use crate::games::splinterlands::state::TEAM;
use crate::scenario::Spot;

/// A team with the places of its cards in the file, the summoner first.
struct Written {
    team: LineUp,
    spots: Vec<Spot>,
    /// Whether all its cards are known; what is known of it is checked all the same.
    is_whole: bool,
}

impl TeamChecker<'_, '_, '_> {
    pub(super) fn teams(&mut self, spot: &Spot) -> Vec<Option<Contender>> {
        let file = self.file;
        let teams = file.teams.iter().enumerate();
        let teams = teams.map(|(at, team)| self.team(team, &spot.index(at))).collect();
        self.report_forbidden();
        teams
    }

    fn team(&mut self, form: &TeamForm, spot: &Spot) -> Option<Contender> {
        let Written { team, spots, is_whole } = self.line_up(form, spot)?;
        let mut is_legal = true;
        for (place, illegal) in faults_of_team(self.catalogue, &team, self.file.league) {
            let level = matches!(illegal, Illegal::Level { .. });
            if level && self.file.illegal_teams == IllegalTeams::Lose {
                let message = format!("{illegal}: {FORFEITS_ALL}");
                self.checker.warn(&spots[place], message, remedy_for(&illegal));
            } else {
                self.checker.fault(&spots[place], illegal.to_string(), remedy_for(&illegal));
            }
            is_legal = false;
        }
        let mut legal = self.legality(&team, &spots, spot);
        if !is_legal {
            legal.fill(false);
        } else if self.file.illegal_teams == IllegalTeams::Lose {
            self.warn_if_never_legal(&team, &legal, &spot.key("monsters"));
        }
        let brings = Brings::Fixed { team, legal };
        is_whole.then(|| Contender { name: form.name.clone(), brings })
    }

    /// The team as written; a level that is not said is the highest that is allowed. None when nobody leads.
    fn line_up(&mut self, form: &TeamForm, spot: &Spot) -> Option<Written> {
        let summoner_spot = spot.key("summoner");
        let summoner = self.card_at(&form.summoner, CardKind::Summoner, &summoner_spot);
        let spot = spot.key("monsters");
        let monsters: Vec<_> = form
            .monsters
            .iter()
            .enumerate()
            .map(|(at, name)| self.card_at(name, CardKind::Monster, &spot.index(at)))
            .collect();
        if monsters.len() > TEAM {
            let message = format!("{} monsters in a team", monsters.len());
            self.checker.fault(&spot.index(TEAM), message, format!("a team has at most {TEAM}"));
        }
        let (card, level) = summoner?;
        let leader = &self.catalogue.cards[usize::from(card)];
        let level = level.unwrap_or_else(|| self.file.league.summoner_cap(leader.rarity));
        let summoner = CardAt { card, level };
        let is_whole = monsters.len() <= TEAM && monsters.iter().all(Option::is_some);
        let mut written = Written {
            team: LineUp { summoner, monsters: ArrayVec::new() },
            spots: vec![summoner_spot],
            is_whole,
        };
        for (at, monster) in monsters.into_iter().enumerate().take(TEAM) {
            let Some((card, level_said)) = monster else { continue };
            let rarity = self.catalogue.cards[usize::from(card)].rarity;
            let level = level_said.unwrap_or_else(|| monster_cap(leader, level, rarity));
            written.team.monsters.push(CardAt { card, level });
            written.spots.push(spot.index(at));
        }
        Some(written)
    }

    /// The card that `name` or `name@level` means, and the level if it is said.
    fn card_at(&mut self, written: &str, kind: CardKind, spot: &Spot) -> Option<(u16, Option<u8>)> {
        let (name, level) = match written.rsplit_once('@') {
            Some((name, level)) => (name.trim(), Some(level.trim())),
            None => (written, None),
        };
        let card = self.card(name, Some(kind), spot)?;
        let levels = self.catalogue.cards[usize::from(card)].levels.len();
        let said = level.map(|text| (text, text.parse::<u8>().unwrap_or(0)));
        match said {
            Some((text, level)) if !(1..=levels).contains(&usize::from(level)) => {
                let message = format!("`{name}` has no level `{text}`");
                self.checker.fault(spot, message, format!("its levels go from 1 to {levels}"));
                Some((card, None))
            }
            _ => Some((card, said.map(|(_, level)| level))),
        }
    }

    /// Whether a team can be brought, by condition and then mana cap. Reports what forbids it, unless the scenario lets
    /// illegal teams lose (decision 7).
    fn legality(&mut self, team: &LineUp, spots: &[Spot], spot: &Spot) -> Vec<bool> {
        let mut legal = Vec::new();
        let mut reasons: Vec<Illegal> = Vec::new();
        for (rulesets, _) in self.conditions {
            for &cap in &self.file.mana_caps {
                let faults = faults_in_battle(self.catalogue, team, *rulesets, cap);
                legal.push(faults.is_empty());
                for fault in faults {
                    if !reasons.contains(&fault) {
                        reasons.push(fault);
                    }
                }
            }
        }
        if self.file.illegal_teams == IllegalTeams::Error {
            self.report(team, &reasons, spots, &spot.key("monsters"));
        }
        legal
    }

    /// Warns of a team that no mana cap and no ruleset allows: it forfeits every battle, which nobody means.
    fn warn_if_never_legal(&mut self, team: &LineUp, legal: &[bool], monsters: &Spot) {
        let Some(cap) = self.file.mana_caps.iter().copied().max() else { return };
        let Some((rulesets, _)) = self.conditions.first() else { return };
        if legal.iter().any(|&legal| legal) {
            return;
        }
        let faults = faults_in_battle(self.catalogue, team, *rulesets, cap);
        // Checked under the highest cap: what is too expensive there is so under all of them.
        let mana = faults.iter().find(|fault| matches!(fault, Illegal::Mana { .. }));
        let (why, remedy) = match mana {
            Some(mana) => (mana.to_string(), "raise the mana cap, or change the team"),
            None => (
                "no ruleset that can be drawn allows this team".to_owned(),
                "exclude rulesets, or change the team",
            ),
        };
        self.checker.warn(monsters, format!("{why}: {FORFEITS_ALL}"), remedy);
    }

    /// Reports why a team cannot be brought, except for the rulesets that do not allow it: these are noted, each once
    /// with all the cards that it forbids, for [`report_forbidden`](Self::report_forbidden).
    fn report(&mut self, team: &LineUp, reasons: &[Illegal], spots: &[Spot], monsters: &Spot) {
        let mut by_ruleset: BTreeMap<Ruleset, Vec<String>> = BTreeMap::new();
        for reason in reasons {
            match reason {
                Illegal::Ruleset { card, ruleset } => {
                    by_ruleset.entry(*ruleset).or_default().push(card.clone());
                }
                other => self.checker.fault(monsters, other.to_string(), remedy_for(other)),
            }
        }
        let mut places = iter::once(team.summoner).chain(team.monsters.iter().copied());
        let card = match by_ruleset.values().next() {
            Some(cards) if by_ruleset.len() == 1 && cards.len() == 1 => {
                places.position(|place| self.catalogue.card(place).name == cards[0])
            }
            _ => None,
        };
        if !by_ruleset.is_empty() {
            let spot = card.map_or(monsters, |at| &spots[at]);
            self.forbidden.push((spot.clone(), by_ruleset));
        }
    }

    /// Reports the rulesets that fixed teams cannot be brought under, as one fault for each team. The remedy is the
    /// same for all teams, so that one line mends them all.
    fn report_forbidden(&mut self) {
        let forbidden = std::mem::take(&mut self.forbidden);
        let all: BTreeSet<Ruleset> =
            forbidden.iter().flat_map(|(_, by_ruleset)| by_ruleset.keys().copied()).collect();
        let is_fixed = !self.file.rulesets.fixed.is_empty();
        for (spot, by_ruleset) in &forbidden {
            let told: Vec<String> = by_ruleset
                .iter()
                .map(|(ruleset, cards)| format!("{ruleset} ({})", quoted(cards, '`')))
                .collect();
            let message = match by_ruleset.first_key_value() {
                Some((ruleset, cards)) if by_ruleset.len() == 1 => {
                    format!("{ruleset} does not allow {}", quoted(cards, '`'))
                }
                _ => {
                    let which =
                        if is_fixed { "fixed rulesets" } else { "rulesets that can be drawn" };
                    format!("{} {which} do not allow this team: {}", told.len(), told.join("; "))
                }
            };
            let whom = if by_ruleset.len() == all.len() { "" } else { " for all teams" };
            let remedy = format!(
                "say `illegal_teams = \"lose\"` at the top, or {}{whom}, or change the team",
                self.leaving_out(&all)
            );
            self.checker.fault(spot, message, remedy);
        }
    }

    /// How a scenario leaves out rulesets that it has, as a part of a sentence.
    fn leaving_out(&self, rulesets: &BTreeSet<Ruleset>) -> String {
        let form = &self.file.rulesets;
        let names: Vec<String> = rulesets.iter().map(Ruleset::to_string).collect();
        for (key, given) in [("fixed", &form.fixed), ("only", &form.only)] {
            if given.is_empty() {
                continue;
            }
            // Nothing must not be left, since an empty list allows all rulesets.
            let is_left =
                |given: &String| !names.iter().any(|name| name.eq_ignore_ascii_case(given));
            return match given.iter().any(is_left) {
                true => format!("take {} out of `{key}`", quoted(&names, '"')),
                false => format!("name other rulesets in `{key}`"),
            };
        }
        let (all, place) = match form.exclude.is_empty() {
            true => (names, "under `[rulesets]`"),
            false => ([form.exclude.clone(), names].concat(), "in place of yours"),
        };
        format!("`exclude = [{}]` {place}", quoted(&all, '"'))
    }
}

/// Names in a row, each between two of these marks.
fn quoted(names: &[String], mark: char) -> String {
    let names: Vec<String> = names.iter().map(|name| format!("{mark}{name}{mark}")).collect();
    names.join(", ")
}

/// The consequence for a team that may never be brought.
const FORFEITS_ALL: &str =
    "the team forfeits every battle: it loses, or draws where the other side forfeits, too";

fn remedy_for(illegal: &Illegal) -> &'static str {
    match illegal {
        Illegal::NotASummoner(_) | Illegal::NotAMonster(_) => CARDS_LISTED,
        Illegal::Twice(_) => "a team has each card at most once",
        Illegal::Faction { .. } => {
            "a summoner leads its own faction and neutrals; a dragon summoner also dragons and one \
             other faction"
        }
        Illegal::Level { .. } => {
            "the league caps the summoner, and the summoner's level caps the monsters"
        }
        Illegal::Ruleset { .. } => "change the team, or say `illegal_teams = \"lose\"`",
        Illegal::Mana { .. } => {
            "raise the mana cap, change the team, or say `illegal_teams = \"lose\"`"
        }
    }
}
