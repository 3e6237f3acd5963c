//! How a Splinterlands scenario is written down, and what can be wrong with it.

mod changes;
mod new_cards;
mod pools;
mod rulesets;
mod sides;
mod teams;

use std::collections::BTreeMap;
use std::ops::RangeInclusive;
use std::sync::{Arc, OnceLock};

use num_rational::BigRational;
use schemars::JsonSchema;
use serde::Deserialize;

use changes::ChangeForm;
use new_cards::NewCardForm;

use super::Splinterlands;
use super::ability::Ability;
use super::cards::{Card, CardKind, Catalogue, Faction};
use super::draw::Redraw;
use super::edition::Edition;
use super::legal::{League, leads};
use super::pool::{Policy, Positions};
use super::ruleset::{Ruleset, Rulesets};
use super::setup::{Contender, Setup, TurnTies};
use crate::numerals::plain;
use crate::scenario::{Checker, Common, Form, Number, Spot};

/// The game's part of a scenario.
#[derive(Clone, Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct File {
    /// Which rulesets and abilities there are. Left out: those of the guide, of May 2020.
    #[serde(default)]
    edition: Edition,
    /// The card catalogue, a CSV file seen from the scenario's folder. Left out: the cards of May 2020.
    #[serde(default)]
    cards: Option<String>,
    /// Cards of this scenario's own, one line each, such as
    /// `{ name = "Ash Imp", faction = "Fire", mana = 4, melee = 2, health = 5, speed = 4, abilities = ["Sneak"] }`, or
    /// `{ name = "Ash Ogre", like = "Pit Ogre", health = "+1" }`.
    #[serde(default)]
    new_cards: Vec<NewCardForm>,
    /// Cards that are other than in the catalogue, such as `"Pit Ogre" = { health = "+1" }`.
    #[serde(default)]
    changes: BTreeMap<String, ChangeForm>,
    /// The mana caps, one of which is drawn for each battle, all equally likely. Left out: 30.
    #[serde(default = "default_mana_caps")]
    #[schemars(length(min = 1), inner(range(min = 1, max = 99)))]
    mana_caps: Vec<u8>,
    /// The league, which caps the levels of summoners and through them those of monsters.
    #[serde(default)]
    league: League,
    /// What happens when both teams are the same.
    #[serde(default)]
    identical_teams: IdenticalTeams,
    /// How monsters are put in order that nothing else tells apart: every order is equally likely, or as the
    /// official program does it, which favours side A.
    #[serde(default)]
    turn_ties: TurnTies,
    /// What happens when a fixed team breaks a ruleset, the mana cap or a level cap.
    #[serde(default)]
    illegal_teams: IllegalTeams,
    /// Which rulesets battles have. Left out: drawn as the guide says, all weights 1.
    #[serde(default)]
    rulesets: DrawForm,
    /// Line-ups that are always the same.
    #[serde(default)]
    teams: Vec<TeamForm>,
    /// Sets of cards from which a team is drawn for each battle.
    #[serde(default)]
    pools: Vec<PoolForm>,
    /// Who fights whom.
    sides: SidesForm,
}

fn default_mana_caps() -> Vec<u8> {
    vec![30]
}

/// What happens when both teams are the same.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
enum IdenticalTeams {
    /// They fight.
    #[default]
    Fight,
    /// The battle is a draw at once, as in the official game.
    Draw,
}

/// What happens when a fixed team breaks a ruleset, the mana cap or a level cap.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
enum IllegalTeams {
    /// The scenario has a fault.
    #[default]
    Error,
    /// It loses that battle at once, or draws it where the other side's team may not be brought either.
    Lose,
}

/// Which rulesets battles have.
#[derive(Clone, Debug, Default, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
struct DrawForm {
    /// Every battle has exactly these, and nothing is drawn. Left out: they are drawn.
    #[serde(default)]
    #[schemars(length(min = 1))]
    fixed: Vec<String>,
    /// Percent of battles with two rulesets; all others have one. Left out: 75.
    #[serde(default)]
    #[schemars(range(min = 0.0, max = 100.0))]
    two: Option<f64>,
    /// What happens to a pair that is not allowed.
    #[serde(default)]
    redraw: Redraw,
    /// Weights by ruleset; 2 is drawn twice as often. Left out: 1.
    #[serde(default)]
    weights: BTreeMap<String, f64>,
    /// Nothing but these is drawn. Left out: all of the edition.
    #[serde(default)]
    #[schemars(length(min = 1))]
    only: Vec<String>,
    /// Rulesets that are never drawn.
    #[serde(default)]
    exclude: Vec<String>,
}

/// A line-up that is always the same.
#[derive(Clone, Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
struct TeamForm {
    /// Its name.
    name: String,
    /// Who leads: a card, with `@level` where it is not the highest that the league allows.
    summoner: String,
    /// Who fights, front first: up to six cards, with `@level` where it is not the highest that the summoner
    /// allows.
    #[schemars(length(min = 1))]
    monsters: Vec<String>,
}

/// A set of cards from which a team is drawn for each battle.
#[derive(Clone, Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
struct PoolForm {
    /// Its name.
    name: String,
    /// Which sets of monsters are drawn.
    #[serde(default)]
    policy: Policy,
    /// With `fill`: how many mana below the highest possible cost a set may be.
    #[serde(default)]
    fill_within: u8,
    /// How a drawn set is lined up.
    #[serde(default)]
    positions: Positions,
    /// Only summoners of these factions; monsters follow. Left out: all.
    #[serde(default)]
    #[schemars(length(min = 1))]
    factions: Vec<String>,
    /// Only these summoners. Left out: all.
    #[serde(default)]
    #[schemars(length(min = 1))]
    summoners: Vec<String>,
    /// Only these monsters. Left out: all.
    #[serde(default)]
    #[schemars(length(min = 1))]
    monsters: Vec<String>,
    /// Cards that are never drawn.
    #[serde(default)]
    exclude: Vec<String>,
    /// Weights by card, 0 or from 0.001 to 1000, for `weighted` and `fill`; summoners' count under every
    /// policy. Left out: 1.
    #[serde(default)]
    weights: BTreeMap<String, f64>,
}

/// Who fights whom.
#[derive(Clone, Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
struct SidesForm {
    /// The teams and pools on side A. Everybody on side A meets everybody on side B.
    #[schemars(length(min = 1))]
    a: Vec<String>,
    /// The teams and pools on side B.
    #[schemars(length(min = 1))]
    b: Vec<String>,
    /// Whether every match-up is also played with seats exchanged.
    #[serde(default)]
    swap: bool,
}

const CARDS_LISTED: &str = "`evens list cards splinterlands` names them all";
const RULESETS_LISTED: &str = "`evens list rulesets` names them all";

impl Form for Splinterlands {
    type File = File;

    fn numbers(file: &File, checker: &mut Checker<'_>) -> Vec<Number> {
        let top = Spot::top();
        let Some(mut catalogue) = catalogue(file, &top.key("cards"), checker) else {
            return Vec::new();
        };
        new_cards::add(file, &mut catalogue, &top.key("new_cards"), checker);
        changes::apply(&file.changes, file.edition, &mut catalogue, &top.key("changes"), checker);
        changes::numbers(&catalogue)
    }

    fn can_come_up(setup: &Setup, name: &str) -> bool {
        let is_brought =
            |card: u16| setup.cards_that_can_be_brought().iter().any(|at| at.card == card);
        setup.catalogue.find(name).is_some_and(is_brought)
    }

    fn check(file: File, _: &Common, checker: &mut Checker<'_>) -> Option<Setup> {
        let top = Spot::top();
        let catalogue = catalogue(&file, &top.key("cards"), checker);
        let drawn =
            rulesets::conditions(&file.rulesets, file.edition, &top.key("rulesets"), checker);
        let matchups = sides::matchups(&file, checker);
        let mut catalogue = catalogue?;
        new_cards::add(&file, &mut catalogue, &top.key("new_cards"), checker);
        changes::apply(&file.changes, file.edition, &mut catalogue, &top.key("changes"), checker);
        mana_caps(&file, &catalogue, &top.key("mana_caps"), checker);
        // Teams and pools are checked even where the rulesets are at fault.
        let known = drawn.as_ref().map_or(&[][..], |drawn| &drawn.conditions);
        let mut teams_and_pools = TeamChecker {
            file: &file,
            catalogue: &catalogue,
            conditions: known,
            checker,
            forbidden: Vec::new(),
        };
        let teams = teams_and_pools.teams(&top.key("teams"));
        let pools = teams_and_pools.pools(&top.key("pools"));
        if !checker.is_clean() {
            return None;
        }
        let drawn = drawn?;
        Some(Setup {
            conditions: drawn.conditions.into(),
            draw: drawn.draw.map(Arc::new),
            mana_caps: file.mana_caps,
            contenders: teams.into_iter().chain(pools).collect::<Option<Vec<Contender>>>()?,
            matchups,
            turn_ties: file.turn_ties,
            plays_rounds_out: false,
            league: file.league,
            illegal_teams_lose: file.illegal_teams == IllegalTeams::Lose,
            identical_teams_draw: file.identical_teams == IdenticalTeams::Draw,
            catalogue,
            forced: None,
            slots: OnceLock::new(),
            starts: OnceLock::new(),
        })
    }
}

fn catalogue(file: &File, spot: &Spot, checker: &mut Checker<'_>) -> Option<Catalogue> {
    let Some(path) = &file.cards else { return Some(super::bundled().clone()) };
    let source = checker.read(spot, path)?;
    match Catalogue::from_csv(&source) {
        Ok(catalogue) => {
            let too_late = later_ability(&catalogue, file.edition);
            if let Some((card, ability)) = too_late {
                let message =
                    format!("`{card}` has {ability}, of the edition of {}", ability.edition());
                checker.fault(spot, message, say_edition(ability.edition()));
            }
            too_late.is_none().then_some(catalogue)
        }
        Err(faults) => {
            checker.extend(faults);
            None
        }
    }
}

/// A card with an ability that the edition does not have yet.
fn later_ability<'c>(catalogue: &'c Catalogue, edition: Edition) -> Option<(&'c str, Ability)> {
    let later = |card: &'c Card| Some((card.name.as_str(), card.later_ability(edition)?));
    catalogue.iter().find_map(later)
}

/// Whether a weight is allowed: 0, or one within the range. Reports a fault otherwise.
fn is_weight(
    name: &str,
    weight: f64,
    range: RangeInclusive<f64>,
    spot: &Spot,
    checker: &mut Checker<'_>,
) -> bool {
    if weight == 0.0 || range.contains(&weight) {
        return true;
    }
    let (least, most) = range.into_inner();
    let message = format!("`{name}` cannot have the weight {}", plain(weight));
    let remedy = format!("0 is never drawn, 1 is usual; all others are from {least} to {most}");
    checker.fault(spot, message, remedy);
    false
}

/// The remedy where the scenario's edition does not have something yet.
fn say_edition(edition: Edition) -> String {
    format!("say `edition = \"{edition}\"` at the top")
}

/// Reports mana caps within which nobody can field a single monster.
fn mana_caps(file: &File, catalogue: &Catalogue, spot: &Spot, checker: &mut Checker<'_>) {
    let of = |kind| catalogue.cards.iter().filter(move |card| card.kind == kind);
    let least = |leader: Faction| {
        // Any splinter will do for a dragon summoner.
        let led = of(CardKind::Monster)
            .filter(|monster| leader == Faction::Dragon || leads(leader, None, monster.faction));
        led.map(|monster| u32::from(monster.mana)).min()
    };
    let teams = of(CardKind::Summoner)
        .filter_map(|leader| Some(u32::from(leader.mana) + least(leader.faction)?));
    let Some(cheapest) = teams.min() else {
        let message = "the catalogue has no summoner with a monster to lead";
        return checker.fault(&Spot::top().key("cards"), message, "add one");
    };
    warn_of_weighed(&file.mana_caps, spot, checker);
    for (at, &cap) in file.mana_caps.iter().enumerate() {
        if u32::from(cap) < cheapest {
            let message = format!("nobody can field a monster with {cap} mana");
            checker.fault(
                &spot.index(at),
                message,
                format!("the cheapest team costs {cheapest} mana"),
            );
        }
    }
}

/// Warns of mana caps that are listed more than once: each time counts, so that they are drawn more often.
fn warn_of_weighed(caps: &[u8], spot: &Spot, checker: &mut Checker<'_>) {
    let mut times = [0_usize; 256];
    caps.iter().for_each(|&cap| times[usize::from(cap)] += 1);
    let times = |cap: u8| times[usize::from(cap)];
    let told = |times: usize| match times {
        2 => "twice".to_owned(),
        times => format!("{times} times"),
    };
    let alike = caps.iter().all(|&cap| times(cap) == times(caps[0]));
    let mut seen = [0_usize; 256];
    for (at, &cap) in caps.iter().enumerate() {
        seen[usize::from(cap)] += 1;
        if seen[usize::from(cap)] != 2 {
            continue;
        }
        let listed = told(times(cap));
        if alike {
            let message = format!("every mana cap is listed {listed}, which changes nothing");
            return checker.warn(&spot.index(at), message, "name each once");
        }
        let (often, all) = (times(cap), caps.len());
        let message = format!(
            "the mana cap {cap} is listed {listed}, and so drawn for {often} of {all} battles"
        );
        let remedy = "name it once, unless it is to be drawn more often than others";
        checker.warn(&spot.index(at), message, remedy);
    }
}

/// Checks the teams and pools of a scenario.
struct TeamChecker<'a, 'c, 't> {
    file: &'a File,
    catalogue: &'a Catalogue,
    conditions: &'a [(Rulesets, BigRational)],
    checker: &'c mut Checker<'t>,
    /// For each team that rulesets do not allow: where that is reported, and the cards that each ruleset forbids.
    forbidden: Vec<(Spot, BTreeMap<Ruleset, Vec<String>>)>,
}

impl TeamChecker<'_, '_, '_> {
    /// The card with a name; reports a fault where there is none. Where a kind is wanted, only cards of it are
    /// suggested.
    fn card(&mut self, name: &str, kind: Option<CardKind>, spot: &Spot) -> Option<u16> {
        let card = self.catalogue.find(name);
        // The faults of a card of the scenario's own are reported where it is defined.
        let is_said =
            !self.checker.is_clean() && self.file.new_cards.iter().any(|own| own.is_called(name));
        if card.is_none() && !is_said {
            let what = match kind {
                None => "card",
                Some(CardKind::Summoner) => "summoner",
                Some(CardKind::Monster) => "monster",
            };
            let names = self.catalogue.names(kind);
            self.checker.unknown_name(spot, what, name, names, CARDS_LISTED);
        }
        card
    }
}
