//! Sets of cards from which a team is drawn for each battle.

use std::collections::HashMap;
use std::ops::RangeInclusive;

use strum::IntoEnumIterator;

use super::{CARDS_LISTED, PoolForm, TeamChecker, is_weight};
use crate::games::splinterlands::cards::{CardKind, Faction};
use crate::games::splinterlands::pool::{Policy, Pool, Recipe};
use crate::games::splinterlands::ruleset::Rulesets;
use crate::games::splinterlands::setup::{Brings, Contender, label_of};
use crate::scenario::Spot;

/// The range of a card's weight, besides 0, within which the product of six weights, and of what else is in a pool,
/// keeps its digits.
const WEIGHTS: RangeInclusive<f64> = 0.001..=1000.0;

/// How many of the conditions without a legal team a fault names.
const NAMED: usize = 3;

impl TeamChecker<'_, '_, '_> {
    pub(super) fn pools(&mut self, spot: &Spot) -> Vec<Option<Contender>> {
        let file = self.file;
        file.pools.iter().enumerate().map(|(at, pool)| self.pool(pool, &spot.index(at))).collect()
    }

    fn pool(&mut self, form: &PoolForm, spot: &Spot) -> Option<Contender> {
        if form.fill_within > 0 && form.policy != Policy::Fill {
            let message = "`fill_within` has no effect";
            self.checker.warn(
                &spot.key("fill_within"),
                message,
                "it goes with `policy = \"fill\"`",
            );
        }
        let weights = self.weights(form, spot)?;
        for (kind, what) in [(CardKind::Summoner, "summoner"), (CardKind::Monster, "monster")] {
            let mut cards = self.catalogue.cards.iter().zip(&weights);
            if !cards.any(|(card, &weight)| card.kind == kind && weight > 0.0) {
                let message = format!("no {what} can be drawn from the pool `{}`", form.name);
                let remedy = "give it cards of which at least one has a weight and is not excluded";
                self.checker.fault(&spot.key("name"), message, remedy);
                return None;
            }
        }
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
                let message =
                    format!("the pool `{}` has no legal team {}", form.name, self.cases(&empty));
                let remedy = "give it more cards, raise the mana caps, or exclude those rulesets";
                self.checker.fault(&spot.key("name"), message, remedy);
                None
            }
        }
    }

    /// Conditions and mana caps without a legal team, as people read them. A draw with one ruleset more than another
    /// that is named already says nothing new.
    fn cases(&self, empty: &[(usize, usize)]) -> String {
        let rulesets = |condition: usize| self.conditions[condition].0;
        let new = |&&(condition, cap): &&(usize, usize)| {
            !empty.iter().any(|&(other, other_cap)| {
                other != condition
                    && other_cap == cap
                    && rulesets(other).is_subset(rulesets(condition))
            })
        };
        let cases: Vec<String> = empty
            .iter()
            .filter(new)
            .map(|&(condition, cap)| {
                let rulesets = label_of(rulesets(condition));
                format!("under {rulesets} with {} mana", self.file.mana_caps[cap])
            })
            .collect();
        let named = cases[..cases.len().min(NAMED)].join(", ");
        match cases.len().saturating_sub(NAMED) {
            0 => named,
            1 => format!("{named}, and in 1 other case"),
            others => format!("{named}, and in {others} other cases"),
        }
    }

    /// The weight of each card of the catalogue in this pool.
    fn weights(&mut self, form: &PoolForm, spot: &Spot) -> Option<Vec<f64>> {
        let factions = self.factions(&form.factions, &spot.key("factions"));
        let summoner = Some(CardKind::Summoner);
        let summoners = self.names(&form.summoners, summoner, &spot.key("summoners"));
        let monsters = self.names(&form.monsters, Some(CardKind::Monster), &spot.key("monsters"));
        let excluded = self.names(&form.exclude, None, &spot.key("exclude"));
        let weights = self.named_weights(form, &spot.key("weights"));
        let (factions, summoners, monsters) = (factions?, summoners?, monsters?);
        let (excluded, weights) = (excluded?, weights?);
        let all_or = |list: &[u16], card: u16| list.is_empty() || list.contains(&card);
        let weigh = |(card, known): (u16, &crate::games::splinterlands::cards::Card)| {
            let wanted = !excluded.contains(&card)
                && match known.kind {
                    CardKind::Monster => all_or(&monsters, card),
                    CardKind::Summoner => {
                        let faction = factions.is_empty() || factions.contains(&known.faction);
                        faction && all_or(&summoners, card)
                    }
                };
            let equal = form.policy == Policy::Uniform && known.kind == CardKind::Monster;
            match (wanted, equal) {
                (false, _) => 0.0,
                (true, true) => 1.0,
                (true, false) => weights.get(&card).copied().unwrap_or(1.0),
            }
        };
        Some((0..).zip(self.catalogue.iter()).map(weigh).collect())
    }

    fn named_weights(&mut self, form: &PoolForm, spot: &Spot) -> Option<HashMap<u16, f64>> {
        let mut weights = HashMap::new();
        let mut clean = true;
        for (name, &weight) in &form.weights {
            let spot = spot.key(name);
            let Some(card) = self.catalogue.find(name) else {
                let known = self.catalogue.names(None);
                self.checker.unknown_key(&spot, "card", name, known, CARDS_LISTED);
                clean = false;
                continue;
            };
            if !is_weight(name, weight, WEIGHTS, &spot, self.checker) {
                clean = false;
                continue;
            }
            let monster = self.catalogue.cards[usize::from(card)].kind == CardKind::Monster;
            if monster && form.policy == Policy::Uniform {
                let message = format!("the weight of `{name}` has no effect");
                let remedy = "`policy = \"uniform\"` gives all monsters the same weight; say \
                              `policy = \"weighted\"`";
                self.checker.warn(&spot, message, remedy);
            }
            weights.insert(card, weight);
        }
        clean.then_some(weights)
    }

    fn factions(&mut self, names: &[String], spot: &Spot) -> Option<Vec<Faction>> {
        let found: Vec<Option<Faction>> = names
            .iter()
            .enumerate()
            .map(|(at, name)| {
                let faction = name.parse().ok();
                if faction.is_none() {
                    let known: Vec<&str> = Faction::iter().map(Into::into).collect();
                    let listing = format!("One of: {}", known.join(", "));
                    self.checker.unknown_name(&spot.index(at), "faction", name, known, &listing);
                }
                faction
            })
            .collect();
        let found: Option<Vec<Faction>> = found.into_iter().collect();
        self.checker.warn_of_repeats(spot, found.iter().flatten().map(Faction::to_string));
        found
    }

    fn names(&mut self, names: &[String], kind: Option<CardKind>, spot: &Spot) -> Option<Vec<u16>> {
        let found: Vec<Option<u16>> = names
            .iter()
            .enumerate()
            .map(|(at, name)| {
                let spot = spot.index(at);
                let card = self.card(name, kind, &spot)?;
                let found = self.catalogue.cards[usize::from(card)].kind;
                if kind.is_some_and(|kind| kind != found) {
                    let message = format!("`{name}` is a {}", found.to_string().to_lowercase());
                    self.checker.fault(&spot, message, CARDS_LISTED);
                    return None;
                }
                Some(card)
            })
            .collect();
        let found: Option<Vec<u16>> = found.into_iter().collect();
        let name = |&card: &u16| self.catalogue.cards[usize::from(card)].name.clone();
        self.checker.warn_of_repeats(spot, found.iter().flatten().map(name));
        found
    }
}
