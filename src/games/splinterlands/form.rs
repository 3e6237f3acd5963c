//! How a Splinterlands scenario is written down, and what can be wrong with it.

use std::collections::{BTreeMap, HashMap};

use arrayvec::ArrayVec;
use num_rational::BigRational;
use num_traits::{One, Zero};
use schemars::JsonSchema;
use serde::Deserialize;
use strum::IntoEnumIterator;

use super::Splinterlands;
use super::cards::{CardKind, Catalogue, Faction};
use super::draw::{DrawRules, Impossible, Redraw, draws, exactly};
use super::legal::{Illegal, League, faults_in_battle, faults_of_team, monster_cap};
use super::pool::{Policy, Pool, Positions, Recipe};
use super::ruleset::{Ruleset, Rulesets};
use super::setup::{Brings, CardAt, Contender, LineUp, Setup, label_of};
use super::state::TEAM;
use crate::scenario::{Checker, Common, Form, Spot};

/// The game's part of a scenario.
#[derive(Clone, Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct File {
    /// The card catalogue, a CSV file seen from the scenario's folder. Left out: the cards of May 2020.
    #[serde(default)]
    cards: Option<String>,
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
    /// What happens when a fixed team breaks a ruleset or the mana cap.
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

/// What happens when a fixed team breaks a ruleset or the mana cap.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
enum IllegalTeams {
    /// The scenario has a fault.
    #[default]
    Error,
    /// It loses that battle at once.
    Lose,
}

/// Which rulesets battles have.
#[derive(Clone, Debug, Default, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
struct DrawForm {
    /// Every battle has exactly these, and nothing is drawn.
    #[serde(default)]
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
    factions: Vec<String>,
    /// Only these summoners. Left out: all.
    #[serde(default)]
    summoners: Vec<String>,
    /// Only these monsters. Left out: all.
    #[serde(default)]
    monsters: Vec<String>,
    /// Cards that are never drawn.
    #[serde(default)]
    exclude: Vec<String>,
    /// Weights by card, for `weighted` and `fill`; summoners' count under every policy. Left out: 1.
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

const CARDS_LISTED: &str = "`evens list cards` names them all";
const RULESETS_LISTED: &str = "`evens list rulesets` names them all";

impl Form for Splinterlands {
    type File = File;

    fn check(file: File, _: &Common, checker: &mut Checker<'_>) -> Option<Setup> {
        let top = Spot::top();
        // What is wrong in one part must not hide what is wrong in the others: they are checked
        // without it.
        let own = catalogue(&file, &top.key("cards"), checker);
        let conditions = conditions(&file.rulesets, &top.key("rulesets"), checker);
        let cards_are_known = own.is_some();
        let catalogue = own.unwrap_or_default();
        let known_conditions = conditions.as_deref().unwrap_or_default();
        let mut desk =
            Desk { file: &file, catalogue: &catalogue, conditions: known_conditions, checker };
        if !cards_are_known {
            desk.matchups(&top.key("sides"));
            return None;
        }
        let teams = desk.teams(&top.key("teams"));
        let pools = desk.pools(&top.key("pools"));
        let contenders: Vec<Option<Contender>> = teams.into_iter().chain(pools).collect();
        let matchups = desk.matchups(&top.key("sides"));
        if !checker.is_clean() {
            return None;
        }
        Some(Setup {
            conditions: conditions?,
            mana_caps: file.mana_caps,
            contenders: contenders.into_iter().collect::<Option<_>>()?,
            matchups,
            identical_teams_draw: file.identical_teams == IdenticalTeams::Draw,
            catalogue,
        })
    }
}

fn catalogue(file: &File, spot: &Spot, checker: &mut Checker<'_>) -> Option<Catalogue> {
    let Some(path) = &file.cards else { return Some(super::bundled().clone()) };
    let source = checker.read(spot, path)?;
    match Catalogue::from_csv(&source) {
        Ok(catalogue) => Some(catalogue),
        Err(faults) => {
            checker.extend(faults);
            None
        }
    }
}

fn conditions(
    form: &DrawForm,
    spot: &Spot,
    checker: &mut Checker<'_>,
) -> Option<Vec<(Rulesets, BigRational)>> {
    let fixed = known_rulesets(&form.fixed, &spot.key("fixed"), checker);
    let excluded = known_rulesets(&form.exclude, &spot.key("exclude"), checker);
    let mut rules = DrawRules { redraw: form.redraw, ..DrawRules::default() };
    if let Some(percent) = form.two {
        rules.two = exactly(percent) / BigRational::from_integer(100.into());
    }
    for (name, &weight) in &form.weights {
        let spot = spot.key("weights").key(name);
        match find_ruleset(name) {
            None => {
                let known = Ruleset::iter().map(Into::into);
                checker.unknown_key(&spot, "ruleset", name, known, RULESETS_LISTED);
            }
            Some(_) if weight < 0.0 => checker.fault(
                &spot,
                format!("the weight of `{name}` is negative"),
                "0 is never drawn, 1 is usual, 2 is drawn twice as often",
            ),
            Some(ruleset) => rules.weights[ruleset as usize] = exactly(weight),
        }
    }
    for ruleset in excluded.iter().flatten() {
        rules.weights[*ruleset as usize] = BigRational::zero();
    }
    let (fixed, _) = (fixed?, excluded?);
    if !fixed.is_empty() {
        return fixed_condition(form, &fixed, spot, checker);
    }
    match draws(&rules) {
        Ok(draws) => Some(draws),
        Err(Impossible::NoRuleset) => {
            let message = "no ruleset can be drawn: all weights are zero";
            checker.fault(spot, message, "give at least one ruleset a positive weight");
            None
        }
        Err(Impossible::NoPair) => {
            let message = "no two of the rulesets that can be drawn go together";
            checker.fault(spot, message, "set `two = 0`, or let more rulesets be drawn");
            None
        }
    }
}

/// Exactly the given rulesets. Any that the guide forbids together are a fault of the scenario.
fn fixed_condition(
    form: &DrawForm,
    fixed: &[Ruleset],
    spot: &Spot,
    checker: &mut Checker<'_>,
) -> Option<Vec<(Rulesets, BigRational)>> {
    if form.two.is_some() || !form.weights.is_empty() || !form.exclude.is_empty() {
        let message = "`fixed` rulesets leave nothing to draw";
        checker.fault(&spot.key("fixed"), message, "take out `two`, `weights` and `exclude`");
    }
    for (at, ruleset) in fixed.iter().enumerate() {
        if let Some(other) = fixed[..at].iter().find(|other| !other.goes_with(*ruleset)) {
            let message = format!("`{ruleset}` and `{other}` exclude each other");
            checker.fault(&spot.key("fixed").index(at), message, RULESETS_LISTED);
        }
    }
    Some(vec![(fixed.iter().copied().collect(), BigRational::one())])
}

fn find_ruleset(name: &str) -> Option<Ruleset> {
    name.parse().ok()
}

fn known_rulesets(
    names: &[String],
    spot: &Spot,
    checker: &mut Checker<'_>,
) -> Option<Vec<Ruleset>> {
    let found: Vec<Option<Ruleset>> = names
        .iter()
        .enumerate()
        .map(|(at, name)| {
            let ruleset = find_ruleset(name);
            if ruleset.is_none() {
                let known = Ruleset::iter().map(Into::into);
                checker.unknown_name(&spot.index(at), "ruleset", name, known, RULESETS_LISTED);
            }
            ruleset
        })
        .collect();
    found.into_iter().collect()
}

/// What checking teams and pools needs at hand.
struct Desk<'a, 'c, 't> {
    file: &'a File,
    catalogue: &'a Catalogue,
    conditions: &'a [(Rulesets, BigRational)],
    checker: &'c mut Checker<'t>,
}

impl Desk<'_, '_, '_> {
    fn teams(&mut self, spot: &Spot) -> Vec<Option<Contender>> {
        let file = self.file;
        file.teams.iter().enumerate().map(|(at, team)| self.team(team, &spot.index(at))).collect()
    }

    fn team(&mut self, form: &TeamForm, spot: &Spot) -> Option<Contender> {
        let summoner = self.card(&form.summoner, CardKind::Summoner, &spot.key("summoner"));
        let monsters: Vec<_> = form
            .monsters
            .iter()
            .enumerate()
            .map(|(at, name)| self.card(name, CardKind::Monster, &spot.key("monsters").index(at)))
            .collect();
        if form.monsters.len() > TEAM {
            let message = format!("{} monsters", form.monsters.len());
            self.checker.fault(
                &spot.key("monsters"),
                message,
                format!("a team has at most {TEAM}"),
            );
            return None;
        }
        let (card, level) = summoner?;
        let leader = &self.catalogue.cards[usize::from(card)];
        let level = level.unwrap_or_else(|| self.file.league.summoner_cap(leader.rarity));
        let monsters = monsters
            .into_iter()
            .map(|monster| {
                let (card, named) = monster?;
                let known = &self.catalogue.cards[usize::from(card)];
                let best = monster_cap(leader, level, known.rarity).min(known.levels.len() as u8);
                Some(CardAt { card, level: named.unwrap_or(best) })
            })
            .collect::<Option<ArrayVec<_, TEAM>>>()?;
        let team = LineUp { summoner: CardAt { card, level }, monsters };
        let faults = faults_of_team(self.catalogue, &team, self.file.league);
        for (at, illegal) in &faults {
            let spot = match at {
                0 => spot.key("summoner"),
                monster => spot.key("monsters").index(monster - 1),
            };
            self.checker.fault(&spot, illegal.to_string(), remedy_for(illegal));
        }
        if !faults.is_empty() {
            return None;
        }
        let legal = self.legal(&team, spot);
        Some(Contender { name: form.name.clone(), brings: Brings::Fixed { team, legal } })
    }

    /// Under which conditions and mana caps a team can be brought. Reports what forbids it, unless the
    /// scenario lets illegal teams lose.
    fn legal(&mut self, team: &LineUp, spot: &Spot) -> Vec<bool> {
        let mut legal = Vec::new();
        let mut reported: Vec<Illegal> = Vec::new();
        for (rulesets, _) in self.conditions {
            for &cap in &self.file.mana_caps {
                let faults = faults_in_battle(self.catalogue, team, *rulesets, cap);
                legal.push(faults.is_empty());
                if self.file.illegal_teams == IllegalTeams::Lose {
                    continue;
                }
                for fault in faults {
                    if !reported.contains(&fault) {
                        self.checker.fault(spot, fault.to_string(), remedy_for(&fault));
                        reported.push(fault);
                    }
                }
            }
        }
        legal
    }

    /// The card that `name` or `name@level` means, and the level if it is said.
    fn card(&mut self, written: &str, kind: CardKind, spot: &Spot) -> Option<(u16, Option<u8>)> {
        let (name, level) = match written.rsplit_once('@') {
            Some((name, level)) => (name.trim(), Some(level.trim())),
            None => (written, None),
        };
        let Some(card) = self.catalogue.find(name) else {
            let what = if kind == CardKind::Summoner { "summoner" } else { "monster" };
            let names = self.catalogue.names(kind);
            self.checker.unknown_name(spot, what, name, names, CARDS_LISTED);
            return None;
        };
        let levels = self.catalogue.cards[usize::from(card)].levels.len() as u8;
        let level = match level {
            None => None,
            Some(text) => match text.parse::<u8>() {
                Ok(level) if (1..=levels).contains(&level) => Some(level),
                _ => {
                    let message = format!("`{name}` has no level `{text}`");
                    self.checker.fault(spot, message, format!("its levels go from 1 to {levels}"));
                    return None;
                }
            },
        };
        Some((card, level))
    }

    fn pools(&mut self, spot: &Spot) -> Vec<Option<Contender>> {
        let file = self.file;
        file.pools.iter().enumerate().map(|(at, pool)| self.pool(pool, &spot.index(at))).collect()
    }

    fn pool(&mut self, form: &PoolForm, spot: &Spot) -> Option<Contender> {
        let weights = self.pool_weights(form, spot)?;
        let recipe = Recipe {
            weights,
            policy: form.policy,
            fill_within: form.fill_within,
            positions: form.positions,
            league: self.file.league,
        };
        let rulesets: Vec<Rulesets> =
            self.conditions.iter().map(|&(rulesets, _)| rulesets).collect();
        match Pool::new(self.catalogue, &recipe, &rulesets, &self.file.mana_caps) {
            Ok(pool) => {
                Some(Contender { name: form.name.clone(), brings: Brings::Drawn(Box::new(pool)) })
            }
            Err(empty) => {
                let (condition, cap) = empty[0];
                let others = match empty.len() - 1 {
                    0 => String::new(),
                    others => format!(" (and in {others} other cases)"),
                };
                let message = format!(
                    "the pool `{}` has no legal team under {} with {} mana{others}",
                    form.name,
                    label_of(rulesets[condition]),
                    self.file.mana_caps[cap]
                );
                let remedy = "give it more cards, raise the mana caps, or exclude those rulesets";
                self.checker.fault(spot, message, remedy);
                None
            }
        }
    }

    /// The weight of each card of the catalogue in this pool.
    fn pool_weights(&mut self, form: &PoolForm, spot: &Spot) -> Option<Vec<f64>> {
        let factions: Vec<Option<Faction>> = form
            .factions
            .iter()
            .enumerate()
            .map(|(at, name)| {
                let faction = name.parse::<Faction>().ok();
                if faction.is_none() {
                    let known = Faction::iter().map(Into::into);
                    let spot = spot.key("factions").index(at);
                    self.checker.unknown_name(&spot, "faction", name, known, "");
                }
                faction
            })
            .collect();
        let summoners =
            self.names(&form.summoners, Some(CardKind::Summoner), &spot.key("summoners"));
        let monsters = self.names(&form.monsters, Some(CardKind::Monster), &spot.key("monsters"));
        let excluded = self.names(&form.exclude, None, &spot.key("exclude"));
        let weights = self.named_weights(form, spot);
        let (factions, summoners, monsters, excluded, weights) = (
            factions.into_iter().collect::<Option<Vec<_>>>()?,
            summoners?,
            monsters?,
            excluded?,
            weights?,
        );
        let wanted = |at: usize| {
            let card = &self.catalogue.cards[at];
            let at = at as u16;
            let named = match card.kind {
                CardKind::Summoner => {
                    (summoners.is_empty() || summoners.contains(&at))
                        && (factions.is_empty() || factions.contains(&card.faction))
                }
                CardKind::Monster => monsters.is_empty() || monsters.contains(&at),
            };
            named && !excluded.contains(&at)
        };
        let weigh = |at: usize| {
            let counts = form.policy != Policy::Uniform
                || self.catalogue.cards[at].kind == CardKind::Summoner;
            let weight = weights.get(&(at as u16)).copied().unwrap_or(1.0);
            match (wanted(at), counts) {
                (false, _) => 0.0,
                (true, true) => weight,
                (true, false) => 1.0,
            }
        };
        Some((0..self.catalogue.cards.len()).map(weigh).collect())
    }

    fn named_weights(&mut self, form: &PoolForm, spot: &Spot) -> Option<HashMap<u16, f64>> {
        let spot = spot.key("weights");
        let mut weights = HashMap::new();
        let mut clean = true;
        for (name, &weight) in &form.weights {
            let spot = spot.key(name);
            match self.catalogue.find(name) {
                None => {
                    let known = self.catalogue.cards.iter().map(|card| card.name.as_str());
                    self.checker.unknown_key(&spot, "card", name, known, CARDS_LISTED);
                    clean = false;
                }
                Some(_) if weight < 0.0 => {
                    let message = format!("the weight of `{name}` is negative");
                    self.checker.fault(&spot, message, "0 is never drawn, 1 is usual");
                    clean = false;
                }
                Some(card) => {
                    let monster = self.catalogue.cards[usize::from(card)].kind == CardKind::Monster;
                    if monster && form.policy == Policy::Uniform {
                        let message = format!("the weight of `{name}` has no effect");
                        let remedy = "`policy = \"uniform\"` gives all monsters the same weight; \
                                      say `policy = \"weighted\"`";
                        self.checker.warn(&spot, message, remedy);
                    }
                    weights.insert(card, weight);
                }
            }
        }
        clean.then_some(weights)
    }

    fn names(&mut self, names: &[String], kind: Option<CardKind>, spot: &Spot) -> Option<Vec<u16>> {
        let found: Vec<Option<u16>> = names
            .iter()
            .enumerate()
            .map(|(at, name)| {
                let card = self.catalogue.find(name).filter(|&card| {
                    kind.is_none_or(|kind| self.catalogue.cards[usize::from(card)].kind == kind)
                });
                if card.is_none() {
                    let what = kind.map_or("card", |kind| match kind {
                        CardKind::Summoner => "summoner",
                        CardKind::Monster => "monster",
                    });
                    let cards = self.catalogue.cards.iter();
                    let known = cards
                        .filter(|card| kind.is_none_or(|kind| card.kind == kind))
                        .map(|card| card.name.as_str());
                    self.checker.unknown_name(&spot.index(at), what, name, known, CARDS_LISTED);
                }
                card
            })
            .collect();
        found.into_iter().collect()
    }

    fn matchups(&mut self, spot: &Spot) -> Vec<[u16; 2]> {
        let file = self.file;
        let named = |list: &'static str| Spot::top().key(list);
        let teams =
            file.teams.iter().enumerate().map(|(at, team)| (&team.name, named("teams").index(at)));
        let pools =
            file.pools.iter().enumerate().map(|(at, pool)| (&pool.name, named("pools").index(at)));
        let mut known: Vec<&str> = Vec::new();
        for (name, spot) in teams.chain(pools) {
            if known.contains(&name.as_str()) {
                let message = format!("`{name}` is the name of two contenders");
                self.checker.fault(&spot.key("name"), message, "give each its own name");
            }
            known.push(name);
        }
        let mut find = |names: &[String], side: &str| -> Vec<u16> {
            let mut found = Vec::new();
            for (at, name) in names.iter().enumerate() {
                match known.iter().position(|other| other == name) {
                    Some(contender) => found.push(contender as u16),
                    None => {
                        let listing = format!("this scenario has: {}", known.join(", "));
                        let spot = spot.key(side).index(at);
                        let names = known.iter().copied();
                        self.checker.unknown_name(&spot, "team or pool", name, names, &listing);
                    }
                }
            }
            found
        };
        let (a, b) = (find(&file.sides.a, "a"), find(&file.sides.b, "b"));
        let mut matchups: Vec<[u16; 2]> = Vec::new();
        for &a in &a {
            for &b in &b {
                let seats =
                    if file.sides.swap && a != b { vec![[a, b], [b, a]] } else { vec![[a, b]] };
                for matchup in seats {
                    if !matchups.contains(&matchup) {
                        matchups.push(matchup);
                    }
                }
            }
        }
        matchups
    }
}

fn remedy_for(illegal: &Illegal) -> &'static str {
    match illegal {
        Illegal::NotASummoner(_) | Illegal::NotAMonster(_) => CARDS_LISTED,
        Illegal::Twice(_) => "a team has each card at most once",
        Illegal::Faction { .. } => {
            "a summoner leads its own faction and neutrals; a dragon summoner also dragons and one other \
             faction"
        }
        Illegal::Level { .. } => {
            "the league caps the summoner, and the summoner's level caps the monsters"
        }
        Illegal::Ruleset { .. } => {
            "exclude the ruleset, change the team, or say `illegal_teams = \"lose\"`"
        }
        Illegal::Mana { .. } => {
            "raise the mana cap, change the team, or say `illegal_teams = \"lose\"`"
        }
    }
}
