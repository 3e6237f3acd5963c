//! Teams that are always the same.

use std::collections::BTreeMap;

use arrayvec::ArrayVec;

use super::{CARDS_LISTED, Desk, IllegalTeams, TeamForm};
use crate::games::splinterlands::cards::CardKind;
use crate::games::splinterlands::legal::{Illegal, faults_in_battle, faults_of_team, monster_cap};
use crate::games::splinterlands::ruleset::Ruleset;
use crate::games::splinterlands::setup::{Brings, CardAt, Contender, LineUp};
use crate::games::splinterlands::state::TEAM;
use crate::scenario::Spot;

const BRING_IT_ANYWAY: &str =
    "exclude the ruleset, change the team, or say `illegal_teams = \"lose\"`";

impl Desk<'_, '_, '_> {
    pub(super) fn teams(&mut self, spot: &Spot) -> Vec<Option<Contender>> {
        let file = self.file;
        file.teams.iter().enumerate().map(|(at, team)| self.team(team, &spot.index(at))).collect()
    }

    fn team(&mut self, form: &TeamForm, spot: &Spot) -> Option<Contender> {
        let team = self.line_up(form, spot)?;
        let mut is_legal = true;
        for (place, illegal) in faults_of_team(self.catalogue, &team, self.file.league) {
            let level = matches!(illegal, Illegal::Level { .. });
            if level && self.file.illegal_teams == IllegalTeams::Lose {
                let message = format!("{illegal}: the team loses every battle");
                self.checker.warn(&card_spot(spot, place), message, remedy_for(&illegal));
            } else {
                let spot = card_spot(spot, place);
                self.checker.fault(&spot, illegal.to_string(), remedy_for(&illegal));
            }
            is_legal = false;
        }
        let mut legal = self.legality(&team, spot);
        if !is_legal {
            legal.fill(false);
        }
        Some(Contender { name: form.name.clone(), brings: Brings::Fixed { team, legal } })
    }

    /// The team as written; a level that is not said is the highest that is allowed.
    fn line_up(&mut self, form: &TeamForm, spot: &Spot) -> Option<LineUp> {
        let summoner = self.card_at(&form.summoner, CardKind::Summoner, &spot.key("summoner"));
        let spot = spot.key("monsters");
        let monsters: Vec<_> = form
            .monsters
            .iter()
            .enumerate()
            .map(|(at, name)| self.card_at(name, CardKind::Monster, &spot.index(at)))
            .collect();
        if form.monsters.len() > TEAM {
            let message = format!("{} monsters in a team", form.monsters.len());
            self.checker.fault(&spot.index(TEAM), message, format!("a team has at most {TEAM}"));
            return None;
        }
        let (card, level) = summoner?;
        let leader = &self.catalogue.cards[usize::from(card)];
        let level = level.unwrap_or_else(|| self.file.league.summoner_cap(leader.rarity));
        let monster = |monster: Option<(u16, Option<u8>)>| {
            let (card, level_said) = monster?;
            let known = &self.catalogue.cards[usize::from(card)];
            let best = monster_cap(leader, level, known.rarity);
            Some(CardAt { card, level: level_said.unwrap_or(best) })
        };
        let monsters = monsters.into_iter().map(monster).collect::<Option<ArrayVec<_, TEAM>>>()?;
        Some(LineUp { summoner: CardAt { card, level }, monsters })
    }

    /// The card that `name` or `name@level` means, and the level if it is said.
    fn card_at(&mut self, written: &str, kind: CardKind, spot: &Spot) -> Option<(u16, Option<u8>)> {
        let (name, level) = match written.rsplit_once('@') {
            Some((name, level)) => (name.trim(), Some(level.trim())),
            None => (written, None),
        };
        let card = self.card(name, Some(kind), spot)?;
        let Some(text) = level else { return Some((card, None)) };
        let levels = self.catalogue.cards[usize::from(card)].levels.len();
        match text.parse::<u8>() {
            Ok(level) if (1..=levels).contains(&usize::from(level)) => Some((card, Some(level))),
            _ => {
                let message = format!("`{name}` has no level `{text}`");
                self.checker.fault(spot, message, format!("its levels go from 1 to {levels}"));
                None
            }
        }
    }

    /// Under which conditions and mana caps a team can be brought. Reports what forbids it, unless the
    /// scenario lets illegal teams lose (decision 7).
    fn legality(&mut self, team: &LineUp, spot: &Spot) -> Vec<bool> {
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
            self.report(team, &reasons, spot);
        }
        legal
    }

    /// Reports why a team cannot be brought: each ruleset once, with all the cards that it forbids.
    fn report(&mut self, team: &LineUp, reasons: &[Illegal], spot: &Spot) {
        let mut by_ruleset: BTreeMap<Ruleset, Vec<&str>> = BTreeMap::new();
        for reason in reasons {
            match reason {
                Illegal::Ruleset { card, ruleset } => {
                    by_ruleset.entry(*ruleset).or_default().push(card);
                }
                other => {
                    let message = other.to_string();
                    self.checker.fault(&spot.key("monsters"), message, remedy_for(other));
                }
            }
        }
        for (ruleset, cards) in by_ruleset {
            let spot = match cards.as_slice() {
                [only] if *only == self.catalogue.card(team.summoner).name => spot.key("summoner"),
                [only] => {
                    let is_only = |&monster: &CardAt| self.catalogue.card(monster).name == *only;
                    let at = team.monsters.iter().position(is_only).unwrap_or(0);
                    spot.key("monsters").index(at)
                }
                _ => spot.key("monsters"),
            };
            let names: Vec<String> = cards.iter().map(|name| format!("`{name}`")).collect();
            let message = format!("{ruleset} does not allow {}", names.join(", "));
            self.checker.fault(&spot, message, BRING_IT_ANYWAY);
        }
    }
}

/// Where a place in a team (0 the summoner, then the monsters) is written.
fn card_spot(team: &Spot, place: usize) -> Spot {
    match place {
        0 => team.key("summoner"),
        monster => team.key("monsters").index(monster - 1),
    }
}

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
        Illegal::Ruleset { .. } => BRING_IT_ANYWAY,
        Illegal::Mana { .. } => {
            "raise the mana cap, change the team, or say `illegal_teams = \"lose\"`"
        }
    }
}
