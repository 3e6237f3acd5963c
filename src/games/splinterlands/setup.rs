//! The setup of a scenario: everything that stays the same from battle to battle.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::{Arc, OnceLock};

use arrayvec::ArrayVec;
use num_rational::BigRational;
use num_traits::ToPrimitive;
use rustc_hash::FxHashMap;
use schemars::JsonSchema;
use serde::Deserialize;

use super::activity::Slots;
use super::cards::{CardKind, Catalogue, Rarity};
use super::draw::appearance;
use super::forced::Forced;
use super::legal::{League, SELECTION, faults_in_battle};
use super::pool::{Pool, share};
use super::rolls::Roll;
use super::rules::squad::Squad;
use super::ruleset::Rulesets;
use super::starts::Starts;
use super::state::{State, TEAM};
use super::weights::Weights;
use crate::chance::Chance;
use crate::game::{Outcome, Side, Stratum};
use crate::numerals::{counted, plain};
use crate::tally::{Condition, Decider, Matchup};

/// A card at a level.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct CardAt {
    /// Its place in the catalogue.
    pub card: u16,
    /// Its level, from 1.
    pub level: u8,
}

/// A team in line-up order.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct LineUp {
    /// Who leads.
    pub summoner: CardAt,
    /// Who fights, front first; a scenario's team has at least one, a recorded one may have none.
    pub monsters: ArrayVec<CardAt, TEAM>,
}

/// A contender: somebody who brings teams to battles.
#[derive(Clone, Debug)]
pub(super) struct Contender {
    /// Its name.
    pub name: String,
    /// Where its teams come from.
    pub brings: Brings,
}

/// Where a contender's teams come from.
#[derive(Clone, Debug)]
pub(super) enum Brings {
    /// Always the same team.
    Fixed {
        /// The team.
        team: LineUp,
        /// Whether it may be brought, by condition and then mana cap. A team that may not be brought loses at once.
        legal: Vec<bool>,
    },
    /// A team drawn for each battle.
    Drawn(Box<Pool>),
}

impl Brings {
    /// The team of a side for a battle under `condition` and mana cap number `cap`.
    fn squad<C: Chance<Roll>>(
        &self,
        catalogue: &Catalogue,
        side: Side,
        (condition, cap): (usize, usize),
        chance: &mut C,
    ) -> Squad {
        match self {
            Brings::Drawn(pool) => {
                Squad::of(catalogue, &pool.draw_for(side, condition, cap, chance))
            }
            Brings::Fixed { team, .. } => Squad::of(catalogue, team),
        }
    }
}

/// Everything that stays the same from battle to battle. It has passed every check of [`Form`](crate::scenario::Form), or
/// is made of whole teams, so that no battle of it can fail.
#[derive(Clone, Debug)]
pub struct Setup {
    /// The cards.
    pub(super) catalogue: Catalogue,
    /// The rulesets of each condition of the layout, with their exact probability.
    pub(super) conditions: Arc<[(Rulesets, BigRational)]>,
    /// The draw behind the conditions; None where the rulesets are fixed.
    pub(super) draw: Option<Arc<Weights>>,
    /// The mana caps, one of which is drawn for each battle.
    pub(super) mana_caps: Vec<u8>,
    /// The contenders that take part.
    pub(super) contenders: Vec<Contender>,
    /// The contenders of each match-up, side A first, as indices into `contenders`.
    pub(super) matchups: Vec<[u16; 2]>,
    /// The league, which caps the levels of cards that can be brought.
    pub(super) league: League,
    /// Whether a team that may not be brought loses that battle, so that one need not suit all conditions (decision 7).
    pub(super) illegal_teams_lose: bool,
    /// Whether identical teams draw without a fight (decision 3).
    pub(super) identical_teams_draw: bool,
    /// How ties in the turn order are broken (decision 2).
    pub(super) turn_ties: TurnTies,
    /// Whether the round in which the last enemy falls is played on, as the official program does (decision 18).
    pub(super) plays_rounds_out: bool,
    /// The order that is forced upon every battle; None where none is.
    pub(super) forced: Option<Forced>,
    /// Where the activity of its rulesets, cards and abilities is counted; computed when it is first asked for.
    pub(super) slots: OnceLock<Slots>,
    /// The starting states of battles between fixed teams; computed when the first such battle is played.
    pub(super) starts: OnceLock<Arc<Starts>>,
}

/// How monsters are put in order that nothing else tells apart.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Deserialize, JsonSchema)]
#[cfg_attr(feature = "cli", derive(clap::ValueEnum))]
#[serde(rename_all = "lowercase")]
pub enum TurnTies {
    /// Every order is equally likely (SP-88).
    #[default]
    Even,
    /// As the official program does it, which favours the first team.
    Official,
}

impl Setup {
    /// A setup with one match-up of two given teams under given rulesets, whatever the rules of legality say, with a
    /// mana cap of 99.
    ///
    /// # Panics
    /// When a team has a card or level that the catalogue does not have.
    #[must_use]
    pub fn of_teams(catalogue: Catalogue, rulesets: Rulesets, teams: [LineUp; 2]) -> Self {
        let setup = Self {
            catalogue,
            conditions: Arc::new([(rulesets, num_traits::One::one())]),
            draw: None,
            mana_caps: vec![99],
            contenders: Vec::new(),
            matchups: Vec::new(),
            league: League::default(),
            illegal_teams_lose: false,
            identical_teams_draw: false,
            turn_ties: TurnTies::Even,
            plays_rounds_out: false,
            forced: None,
            slots: OnceLock::new(),
            starts: OnceLock::new(),
        };
        setup.with_duels([teams])
    }

    /// This setup with match-ups of the given teams in place of its own, whatever the rules of legality say.
    ///
    /// # Panics
    /// As [`of_teams`](Self::of_teams).
    #[must_use]
    pub fn with_duels(mut self, duels: impl IntoIterator<Item = [LineUp; 2]>) -> Self {
        let legal = vec![true; self.conditions.len() * self.mana_caps.len()];
        self.contenders.clear();
        self.matchups.clear();
        self.slots = OnceLock::new();
        self.starts = OnceLock::new();
        for duel in duels {
            let first = self.contenders.len() as u16;
            for (team, name) in duel.into_iter().zip(["A", "B"]) {
                let cards = team.monsters.iter().chain([&team.summoner]);
                let known = |at: &CardAt| {
                    let card = self.catalogue.cards.get(usize::from(at.card));
                    card.is_some_and(|card| (1..=card.levels.len()).contains(&at.level.into()))
                };
                assert!(cards.copied().all(|at| known(&at)), "cards of the catalogue");
                let brings = Brings::Fixed { team, legal: legal.clone() };
                self.contenders.push(Contender { name: name.to_owned(), brings });
            }
            self.matchups.push([first, first + 1]);
        }
        self
    }

    /// Whether a team can be brought, by condition and then mana cap.
    pub(super) fn legality(&self, team: &LineUp) -> Vec<bool> {
        let mut known: FxHashMap<(Rulesets, u8), bool> = FxHashMap::default();
        let mut legal = Vec::with_capacity(self.conditions.len() * self.mana_caps.len());
        for (rulesets, _) in &*self.conditions {
            for &cap in &self.mana_caps {
                // Only these rulesets forbid anything: most conditions leave the same cards.
                let asks = (*rulesets & SELECTION, cap);
                let is_legal = known.entry(asks).or_insert_with(|| {
                    faults_in_battle(&self.catalogue, team, asks.0, cap).is_empty()
                });
                legal.push(*is_legal);
            }
        }
        legal
    }

    /// This setup with these contenders and match-ups in place of its own.
    #[must_use]
    pub(super) fn with_contenders(
        &self,
        contenders: Vec<Contender>,
        matchups: Vec<[u16; 2]>,
    ) -> Self {
        let mut setup = self.clone();
        setup.contenders = contenders;
        setup.matchups = matchups;
        setup.slots = OnceLock::new();
        setup.starts = OnceLock::new();
        setup
    }

    /// This setup under one mana cap. Whether fixed teams may be brought is not worked out anew for it.
    #[must_use]
    pub(super) fn with_mana_cap(mut self, mana_cap: u8) -> Self {
        self.mana_caps = vec![mana_cap];
        self.starts = OnceLock::new();
        self
    }

    /// This setup where identical teams draw without a fight, or fight (decision 3).
    #[must_use]
    pub fn with_identical_teams_drawing(mut self, draw: bool) -> Self {
        self.identical_teams_draw = draw;
        self
    }

    /// This setup with another way to break ties in the turn order (decision 2).
    #[must_use]
    pub fn with_turn_ties(mut self, turn_ties: TurnTies) -> Self {
        self.turn_ties = turn_ties;
        self
    }

    /// This setup where the round in which the last enemy falls is played on, or is not (decision 18).
    #[must_use]
    pub fn with_rounds_played_out(mut self, play_out: bool) -> Self {
        self.plays_rounds_out = play_out;
        self
    }

    /// This setup with an order forced upon every battle.
    #[must_use]
    pub fn with_forced(mut self, forced: Forced) -> Self {
        self.forced = Some(forced);
        self
    }

    /// This setup where the fixed teams of each side may be brought or not, whatever the rules say; a team that may not
    /// be brought loses at once (decision 7). Drawn teams are always legal.
    #[must_use]
    pub fn with_legal_teams(mut self, are_legal: [bool; 2]) -> Self {
        for matchup in &self.matchups {
            for (&contender, is_legal) in matchup.iter().zip(are_legal) {
                match &mut self.contenders[usize::from(contender)].brings {
                    Brings::Fixed { legal, .. } => legal.fill(is_legal),
                    Brings::Drawn(_) => {}
                }
            }
        }
        self
    }

    /// The cards.
    #[must_use]
    pub fn catalogue(&self) -> &Catalogue {
        &self.catalogue
    }

    /// The rulesets of each condition of the layout, with their exact probability.
    #[must_use]
    pub fn conditions(&self) -> &[(Rulesets, BigRational)] {
        &self.conditions
    }

    /// The mana caps, one of which is drawn for each battle.
    #[must_use]
    pub fn mana_caps(&self) -> &[u8] {
        &self.mana_caps
    }

    /// The match-ups, side A first, as indices of contenders.
    #[must_use]
    pub fn matchups(&self) -> &[[u16; 2]] {
        &self.matchups
    }

    /// The pool that a contender's teams are drawn from; None where its team is fixed.
    #[must_use]
    pub fn pool(&self, contender: usize) -> Option<&Pool> {
        match &self.contenders[contender].brings {
            Brings::Drawn(pool) => Some(pool),
            Brings::Fixed { .. } => None,
        }
    }

    /// A contender's fixed team, and whether it may be brought, by condition and then mana cap; None where its teams
    /// are drawn.
    #[must_use]
    pub fn team(&self, contender: usize) -> Option<(&LineUp, &[bool])> {
        match &self.contenders[contender].brings {
            Brings::Fixed { team, legal } => Some((team, legal)),
            Brings::Drawn(_) => None,
        }
    }

    /// The conditions of its battles, each with a name: the league, the levels of monsters by rarity, the mana caps and
    /// the rulesets.
    #[must_use]
    pub fn conditions_in_words(&self) -> Vec<(&'static str, String)> {
        let mut levels: BTreeMap<Rarity, BTreeSet<u8>> = BTreeMap::new();
        for at in self.cards_that_can_be_brought() {
            let card = self.catalogue.card(at);
            if card.kind == CardKind::Monster {
                levels.entry(card.rarity).or_default().insert(at.level);
            }
        }
        let listed =
            |levels: &BTreeSet<u8>| levels.iter().map(u8::to_string).collect::<Vec<_>>().join("/");
        let levels: Vec<String> = levels
            .iter()
            .map(|(rarity, levels)| {
                format!("{} {}", rarity.to_string().to_lowercase(), listed(levels))
            })
            .collect();
        let caps: Vec<String> = self.mana_caps.iter().map(u8::to_string).collect();
        let league = self.league.to_string();
        vec![
            ("league", league),
            ("levels of monsters", levels.join(", ")),
            (if caps.len() == 1 { "mana cap" } else { "mana caps" }, caps.join(", ")),
            ("rulesets", self.rulesets_in_words()),
        ]
    }

    /// Which rulesets its battles have, in words.
    fn rulesets_in_words(&self) -> String {
        if self.draw.is_none()
            && let [(rulesets, _)] = &*self.conditions
        {
            return format!("always {}", label_of(*rulesets));
        }
        let drawn = appearance(&self.conditions);
        let drawn = drawn.iter().filter(|(_, odds)| *odds.numer() != 0.into()).count();
        let two = self.conditions.iter().filter(|(rulesets, _)| rulesets.len() > 1);
        let two: BigRational = two.map(|(_, odds)| odds).sum();
        let two = 100.0 * two.to_f64().unwrap_or(f64::NAN);
        format!(
            "drawn from {}, two of them in {}% of the battles",
            counted(drawn as u64, "ruleset"),
            plain((two * 10.0).round() / 10.0)
        )
    }

    /// The levels at which a contender can bring a card, by its place in the catalogue; in order.
    #[must_use]
    pub fn levels_by_card(&self) -> BTreeMap<u16, BTreeSet<u8>> {
        let mut levels: BTreeMap<u16, BTreeSet<u8>> = BTreeMap::new();
        for at in self.cards_that_can_be_brought() {
            levels.entry(at.card).or_default().insert(at.level);
        }
        levels
    }

    /// Every card that a contender can bring, at each level at which it can be brought; some more than once.
    pub(super) fn cards_that_can_be_brought(&self) -> Vec<CardAt> {
        let mut cards = Vec::new();
        for contender in &self.contenders {
            match &contender.brings {
                Brings::Fixed { team, .. } => {
                    cards.push(team.summoner);
                    cards.extend(&team.monsters);
                }
                Brings::Drawn(pool) => cards.extend(pool.cards()),
            }
        }
        cards
    }

    /// Whether a contender's teams are drawn.
    pub(super) fn is_drawn(&self, contender: &str) -> bool {
        let of = self.contenders.iter().find(|known| known.name == contender);
        of.is_some_and(|of| matches!(of.brings, Brings::Drawn(_)))
    }

    /// The cards that a contender brings, or that are drawn for it under some condition and mana cap, each once and in
    /// the order of the catalogue.
    pub(super) fn cards_of(&self, contender: &str) -> Vec<u16> {
        let of = self.contenders.iter().find(|known| known.name == contender);
        let mut cards: Vec<u16> = match of.map(|of| &of.brings) {
            None => Vec::new(),
            Some(Brings::Fixed { team, .. }) => {
                std::iter::once(&team.summoner).chain(&team.monsters).map(|at| at.card).collect()
            }
            Some(Brings::Drawn(pool)) => pool.drawn().collect(),
        };
        cards.sort_unstable();
        cards.dedup();
        cards
    }

    /// Where the activity of its rulesets, cards and abilities is counted.
    #[inline]
    pub(super) fn slots(&self) -> &Slots {
        self.slots.get_or_init(|| Slots::of(self))
    }

    /// The starting state of a stratum's battles, except for the names of its rulesets and its mana cap; None if a team
    /// is drawn or no state is kept.
    #[inline]
    pub(super) fn kept(&self, stratum: Stratum) -> Option<&State> {
        self.starts().field(stratum)
    }

    #[inline]
    fn starts(&self) -> &Starts {
        self.starts.get_or_init(|| Arc::new(Starts::of(self)))
    }

    /// Makes `state` the state before the first round's dice, by drawing the mana cap and the teams. It is given as one
    /// that is [kept](Self::kept) or as one with nobody on the field.
    #[inline(never)]
    pub(super) fn field<C: Chance<Roll>>(
        &self,
        state: &mut State,
        is_kept: bool,
        stratum: Stratum,
        chance: &mut C,
    ) {
        let condition = stratum.condition as usize;
        let rulesets = self.conditions[condition].0;
        let caps = self.mana_caps.len();
        let cap = chance.pick(Roll::ManaCap, caps);
        let places = self.matchups[stratum.matchup as usize].map(usize::from);
        let contenders = places.map(|contender| &self.contenders[contender].brings);
        let legal = contenders.map(|brings| match brings {
            Brings::Drawn(_) => true,
            Brings::Fixed { legal, .. } => legal[condition * caps + cap],
        });
        state.rulesets = rulesets;
        state.mana_cap = self.mana_caps[cap];
        if !is_kept {
            let starts = self.starts();
            let [a, b] = places.map(|contender| starts.squad(contender));
            if let (Some(a), Some(b)) = (a, b) {
                state.meet([a, b]);
                starts.keep(stratum, state);
            } else {
                chance.about(1);
                let a = contenders[0].squad(&self.catalogue, Side::A, (condition, cap), chance);
                chance.about(2);
                let b = contenders[1].squad(&self.catalogue, Side::B, (condition, cap), chance);
                state.meet([&a, &b]);
            }
        }
        state.verdict = match legal {
            [true, true] => None,
            [false, false] => Some(Outcome::Draw),
            [a, _] => Some(Outcome::Win(if a { Side::A } else { Side::B })),
        };
        state.forfeits = u8::from(!legal[0]) | u8::from(!legal[1]) << 1;
    }

    /// Shares with another setup the memory of what both have alike, so that a variant takes little of it.
    pub(super) fn share(&mut self, other: &Self) {
        for (card, same) in self.catalogue.cards.iter_mut().zip(&other.catalogue.cards) {
            share(card, same);
        }
        share(&mut self.conditions, &other.conditions);
        if let (Some(draw), Some(same)) = (&mut self.draw, &other.draw) {
            share(draw, same);
        }
        for (contender, same) in self.contenders.iter_mut().zip(&other.contenders) {
            if let (Brings::Drawn(pool), Brings::Drawn(same)) =
                (&mut contender.brings, &same.brings)
            {
                pool.share(same);
            }
        }
    }

    /// Whether this setup plays every condition of another setup exactly as that one does.
    pub(super) fn plays_alike(&self, other: &Self) -> bool {
        // What differs most often is looked at first.
        if self.catalogue != other.catalogue || self.mana_caps != other.mana_caps {
            return false;
        }
        let place = |(rulesets, _): &(Rulesets, BigRational)| {
            self.conditions.iter().position(|(mine, _)| mine == rulesets)
        };
        let Some(places) = other.conditions.iter().map(place).collect::<Option<Vec<usize>>>()
        else {
            return false;
        };
        let caps = self.mana_caps.len();
        let alike = |(mine, theirs): (&Contender, &Contender)| {
            mine.name == theirs.name
                && match (&mine.brings, &theirs.brings) {
                    (Brings::Drawn(mine), Brings::Drawn(theirs)) => {
                        mine.draws_alike(theirs, &places)
                    }
                    (
                        Brings::Fixed { team, legal },
                        Brings::Fixed { team: their_team, legal: their_legal },
                    ) => {
                        let legal = places.iter().flat_map(|at| &legal[at * caps..(at + 1) * caps]);
                        team == their_team && legal.eq(their_legal)
                    }
                    (Brings::Drawn(_), Brings::Fixed { .. })
                    | (Brings::Fixed { .. }, Brings::Drawn(_)) => false,
                }
        };
        self.identical_teams_draw == other.identical_teams_draw
            && self.turn_ties == other.turn_ties
            && self.forced == other.forced
            && self.matchups == other.matchups
            && self.contenders.len() == other.contenders.len()
            && self.contenders.iter().zip(&other.contenders).all(alike)
    }

    /// How each contender with drawn teams chooses and lines them up; contenders with a fixed team choose nothing.
    pub(super) fn deciders(&self) -> Vec<Decider> {
        let decider = |contender: &Contender| match &contender.brings {
            Brings::Drawn(pool) => {
                Some(Decider { contender: contender.name.clone(), policy: pool.in_words() })
            }
            Brings::Fixed { .. } => None,
        };
        self.contenders.iter().filter_map(decider).collect()
    }

    pub(super) fn matchup_labels(&self) -> Vec<Matchup> {
        let name = |contender: u16| self.contenders[usize::from(contender)].name.clone();
        let label = |matchup: &[u16; 2]| Matchup { contenders: matchup.map(name).to_vec() };
        self.matchups.iter().map(label).collect()
    }

    pub(super) fn condition_labels(&self) -> Vec<Condition> {
        let label = |(rulesets, probability): &(Rulesets, BigRational)| Condition {
            label: label_of(*rulesets),
            factors: rulesets.iter().map(|ruleset| ruleset as u16).collect(),
            probability: probability.to_f64().unwrap_or(f64::NAN),
        };
        self.conditions.iter().map(label).collect()
    }
}

/// Rulesets as people read them: `Earthquake + Close Range`.
#[must_use]
pub fn label_of(rulesets: Rulesets) -> String {
    let names: Vec<&str> = rulesets.iter().map(Into::into).collect();
    names.join(" + ")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::games::splinterlands::Splinterlands;
    use crate::games::splinterlands::cards::Card;
    use crate::scenario::{Document, load_tree, variants};

    /// The setups of a bundled scenario's variants.
    fn loaded(scenario: &str, axis: &str) -> Vec<Setup> {
        let document = Document::read(scenario).expect("bundled").with_axes(&[axis.to_owned()]);
        let mut setups: Vec<Setup> = Vec::new();
        let mut keep = |mut setup: Setup| {
            if let Some(first) = setups.first() {
                setup.share(first);
            }
            setups.push(setup);
        };
        let loaded = variants(
            &document,
            false,
            &|one, tree| load_tree::<Splinterlands>(one, tree),
            &mut keep,
        );
        assert!(loaded.is_ok());
        setups
    }

    /// A variant that changes one card takes the memory of a few cards and decks, not of another catalogue.
    #[test]
    fn variants_share_all_but_what_they_vary() {
        let setups = loaded("splinterlands/drawn-teams", "changes.Pit Ogre.health=+0,+1");
        let [one, other] = [&setups[0], &setups[1]];
        let shared = |kept: &Arc<Card>, of: &Arc<Card>| Arc::ptr_eq(kept, of);
        let cards = one.catalogue.cards.iter().zip(&other.catalogue.cards);
        assert_eq!(cards.filter(|(kept, of)| !shared(kept, of)).count(), 1);
        assert!(Arc::ptr_eq(&one.conditions, &other.conditions));
        assert!(Arc::ptr_eq(one.draw.as_ref().unwrap(), other.draw.as_ref().unwrap()));
        let [kept, all] = one.pool(0).unwrap().shared_with(other.pool(0).unwrap());
        assert!(kept > 0 && kept < all, "{kept} of {all} decks without the ogre");
    }
}
