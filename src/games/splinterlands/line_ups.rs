//! The teams that a contender could bring (step 2), for the search for better ones.
//!
//! A line-up is a summoner and then its monsters, front first; every card has the highest level that the league allows,
//! except for cards of the contender's own team that have a lower one there. The cards are those of the contender's
//! pool, or of the whole catalogue. Where a team that may not be brought is a fault of the scenario, a line-up must be
//! legal under every condition and mana cap; where it loses the battle, under some of them.

use arrayvec::ArrayVec;
use rustc_hash::{FxHashMap, FxHashSet};

use super::cards::{Card, CardKind, Faction};
use super::legal::{
    SELECTION, SPLINTERS, faults_in_battle, faults_of_team, forbids_monster, forbids_summoner,
    leads, monster_cap,
};
use super::pool::{Policy, Pool, Positions, Recipe};
use super::ruleset::Rulesets;
use super::setup::{Brings, CardAt, Contender, LineUp as Team, Setup};
use super::state::TEAM;
use crate::chance::Seeded;
use crate::lineups::{Brought, Choice, Fields, LineUp, NoLineUps, Space, Stock};

/// How many teams are drawn in search of a legal one, before it is assumed that there is none.
const ATTEMPTS: u32 = 10_000;

/// The teams that a contender could bring.
#[derive(Debug)]
pub(super) struct Teams<'s> {
    setup: &'s Setup,
    /// The cards of the catalogue, in its order.
    stock: Stock,
    /// Which cards can be chosen, and how teams of them are drawn.
    recipe: Recipe,
    pool: Pool,
    /// The (condition, mana cap) pairs of the pool, as indices, under which it can field a team.
    places: Vec<(usize, usize)>,
    /// Rulesets that forbid cards, each set with a mana cap. A line-up must be legal under at least one of these
    /// frames; where it must be legal everywhere, there is one frame, with all rulesets and the lowest cap.
    frames: Vec<(Rulesets, u8)>,
    own: Option<Team>,
    /// The levels of the contender's own cards that are lower than they could be.
    levels: FxHashMap<u16, u8>,
}

impl<'s> Teams<'s> {
    /// The teams that a contender of the setup could bring.
    pub(super) fn of(setup: &'s Setup, contender: &str) -> Result<Self, NoLineUps> {
        let names = || setup.contenders.iter().map(|contender| contender.name.as_str());
        let Some(found) = setup.contenders.iter().find(|known| known.name == contender) else {
            return Err(NoLineUps::unknown(contender, names().collect::<Vec<_>>()));
        };
        let (recipe, own) = match &found.brings {
            Brings::Drawn(pool) => (pool.recipe().clone(), None),
            Brings::Fixed { team, .. } => {
                let recipe = Recipe {
                    weights: vec![1.0; setup.catalogue.cards.len()],
                    policy: Policy::Fill,
                    fill_within: 1,
                    positions: Positions::Roles,
                    league: setup.league,
                };
                (recipe, Some(team.clone()))
            }
        };
        Self::new(setup, recipe, own).map_err(NoLineUps::Scenario)
    }

    fn new(setup: &'s Setup, recipe: Recipe, own: Option<Team>) -> Result<Self, String> {
        let all = || setup.conditions.iter().map(|(rulesets, _)| *rulesets & SELECTION);
        let (caps, frames) = if setup.illegal_teams_lose {
            let most = setup.mana_caps.iter().copied().max().unwrap_or(0);
            let mut frames: Vec<(Rulesets, u8)> = all().map(|rulesets| (rulesets, most)).collect();
            frames.sort_unstable_by_key(|(rulesets, _)| rulesets.as_u64());
            frames.dedup();
            (setup.mana_caps.clone(), frames)
        } else {
            let forbidding = all().fold(Rulesets::empty(), |all, rulesets| all | rulesets);
            let cap = setup.mana_caps.iter().copied().min().unwrap_or(0);
            (vec![cap], vec![(forbidding, cap)])
        };
        let conditions: Vec<Rulesets> = frames.iter().map(|&(rulesets, _)| rulesets).collect();
        let (pool, empty) = Pool::with_gaps(&setup.catalogue, &recipe, &conditions, &caps);
        let empty: FxHashSet<(usize, usize)> = empty.into_iter().collect();
        let pairs = (0..conditions.len()).flat_map(|at| (0..caps.len()).map(move |cap| (at, cap)));
        let places: Vec<(usize, usize)> = pairs.filter(|pair| !empty.contains(pair)).collect();
        if places.is_empty() {
            let has = |kind: CardKind| {
                let mut cards = setup.catalogue.iter().zip(&recipe.weights);
                cards.any(|(card, weight)| card.kind == kind && *weight > 0.0)
            };
            return Err(match (has(CardKind::Summoner), has(CardKind::Monster)) {
                (false, _) => "a team needs a summoner, and none is among these cards".to_owned(),
                (true, false) => "a team needs a monster, and none is among these cards".to_owned(),
                (true, true) => nothing_is_legal(setup, &frames),
            });
        }
        let mut levels = FxHashMap::default();
        if let Some(team) = &own {
            let leader = setup.catalogue.card(team.summoner);
            let highest = setup.league.summoner_cap(leader.rarity);
            let said = std::iter::once((team.summoner, highest));
            let said = said.chain(team.monsters.iter().map(|&monster| {
                let rarity = setup.catalogue.card(monster).rarity;
                (monster, monster_cap(leader, team.summoner.level, rarity))
            }));
            levels.extend(
                said.filter(|(at, highest)| at.level < *highest).map(|(at, _)| (at.card, at.level)),
            );
        }
        let choices = setup.catalogue.iter().map(|card| Choice {
            name: card.name.clone(),
            kind: kind_of(card),
            group: card.faction.to_string(),
            cost: Some(card.mana.into()),
            most: 1,
        });
        let stock = Stock {
            noun: "team",
            cost_noun: Some("mana"),
            choices: choices.collect(),
            allowed: recipe.weights.iter().map(|weight| *weight > 0.0).collect(),
            is_ordered: true,
            sizes: 2..=TEAM + 1,
        };
        let teams = Self { setup, stock, recipe, pool, places, frames, own, levels };
        match teams.drawn(&mut Seeded::from_seed(0)) {
            Some(_) => Ok(teams),
            None => Err(nothing_is_legal(setup, &teams.frames)),
        }
    }

    /// A legal team at random: one that the pool draws under any of its conditions and mana caps. Cards of the contender's
    /// own team may have lower levels than the pool's, and be forbidden at these alone. None where no legal one comes up.
    fn drawn(&self, random: &mut Seeded) -> Option<LineUp> {
        (0..ATTEMPTS).find_map(|_| {
            let (condition, cap) = self.places[random.below(self.places.len() as u32) as usize];
            let drawn = Self::line_up(&self.pool.draw(condition, cap, random));
            self.legal(&drawn).is_ok().then_some(drawn)
        })
    }

    fn card(&self, choice: u16) -> &Card {
        &self.setup.catalogue.cards[usize::from(choice)]
    }

    fn level(&self, card: u16, highest: u8) -> u8 {
        self.levels.get(&card).map_or(highest, |&level| level.min(highest))
    }

    /// The team of a line-up: the summoner at its level, and the monsters at the levels that it allows (SP-39, SP-86).
    fn team(&self, line_up: &LineUp) -> Result<Team, String> {
        let (&first, rest) = line_up.choices().split_first().ok_or("nobody is in the team")?;
        let leader = self.card(first);
        if leader.kind != CardKind::Summoner {
            return Err(format!("`{}` is not a summoner, and the first of a team is", leader.name));
        }
        if !(1..=TEAM).contains(&rest.len()) {
            return Err(format!("a team has 1 to {TEAM} monsters, not {}", rest.len()));
        }
        let level = self.level(first, self.setup.league.summoner_cap(leader.rarity));
        let at_level = |&monster: &u16| {
            let card = self.card(monster);
            let highest = monster_cap(leader, level, card.rarity).min(card.levels.len() as u8);
            CardAt { card: monster, level: self.level(monster, highest) }
        };
        let monsters: ArrayVec<CardAt, TEAM> = rest.iter().map(at_level).collect();
        Ok(Team { summoner: CardAt { card: first, level }, monsters })
    }

    fn line_up(team: &Team) -> LineUp {
        let all = std::iter::once(&team.summoner).chain(&team.monsters);
        LineUp::new(all.map(|at| at.card).collect::<Vec<u16>>())
    }

    /// Every summoner that is allowed under a frame, with the monsters that it can lead; a dragon summoner once for
    /// each splinter.
    fn followings(&self, (rulesets, cap): (Rulesets, u8)) -> Vec<Following> {
        let mut found = Vec::new();
        let leaders = self.all_allowed().into_iter().filter(|&choice| {
            let card = self.card(choice);
            let can_lead = card.kind == CardKind::Summoner && card.mana <= cap;
            can_lead && forbids_summoner(rulesets, card).is_none()
        });
        for leader in leaders {
            let card = self.card(leader);
            let splinters: &[Option<Faction>] = match card.faction {
                Faction::Dragon => &SPLINTERS.map(Some),
                _ => &[None],
            };
            for &splinter in splinters {
                let follows = |&choice: &u16| {
                    let monster = self.card(choice);
                    let is_led = monster.kind == CardKind::Monster
                        && leads(card.faction, splinter, monster.faction);
                    is_led && {
                        let line_up = LineUp::new([leader, choice]);
                        let team = self.team(&line_up).expect("a summoner and a monster");
                        let level = self.setup.catalogue.level(team.monsters[0]);
                        forbids_monster(rulesets, monster, level).is_none()
                    }
                };
                let monsters = self.all_allowed().into_iter().filter(follows).collect();
                found.push(Following { leader, splinter, monsters, budget: cap - card.mana });
            }
        }
        found
    }
}

/// A summoner and the monsters that it can lead.
struct Following {
    leader: u16,
    /// The splinter that a dragon summoner leads besides.
    splinter: Option<Faction>,
    monsters: Vec<u16>,
    /// What its monsters may cost together, in mana.
    budget: u8,
}

impl Following {
    /// How many sets of at most six of its monsters are within the budget, by size. Only the monsters that `counts`
    /// accepts are considered.
    fn sets(&self, teams: &Teams<'_>, counts: impl Fn(&Card) -> bool) -> [u128; TEAM + 1] {
        let budget = usize::from(self.budget);
        let mut ways = vec![[0_u128; TEAM + 1]; budget + 1];
        ways[0][0] = 1;
        for card in self.monsters.iter().map(|&at| teams.card(at)).filter(|card| counts(card)) {
            let mana = usize::from(card.mana);
            for total in (mana..=budget).rev() {
                for size in (1..=TEAM).rev() {
                    ways[total][size] += ways[total - mana][size - 1];
                }
            }
        }
        let mut sums = [0; TEAM + 1];
        for of_total in ways {
            sums.iter_mut().zip(of_total).for_each(|(sum, ways)| *sum += ways);
        }
        sums
    }
}

fn kind_of(card: &Card) -> &'static str {
    match card.kind {
        CardKind::Summoner => "summoner",
        CardKind::Monster => "monster",
    }
}

fn nothing_is_legal(setup: &Setup, frames: &[(Rulesets, u8)]) -> String {
    let (rulesets, cap) = frames.first().copied().unwrap_or((Rulesets::empty(), 0));
    let named = super::setup::label_of(rulesets);
    let under = if named.is_empty() { String::new() } else { format!(" under {named}, and") };
    let lose = match setup.illegal_teams_lose {
        true => "",
        false => "let teams that may not be brought lose (`--set illegal_teams=lose`), ",
    };
    format!(
        "no team of these cards is legal{under} with {cap} mana: fix the rulesets (`--set 'rulesets={{fixed=[\"Standard\"]}}'`), \
         {lose}or allow more cards"
    )
}

impl Space for Teams<'_> {
    fn stock(&self) -> &Stock {
        &self.stock
    }

    fn own(&self) -> Option<LineUp> {
        let own = Self::line_up(self.own.as_ref()?);
        self.legal(&own).is_ok().then_some(own)
    }

    /// Checks a line-up as a scenario's teams are checked (SP-39, SP-86, SP-92).
    fn legal(&self, line_up: &LineUp) -> Result<(), String> {
        let team = self.team(line_up)?;
        let catalogue = &self.setup.catalogue;
        if let Some((_, fault)) = faults_of_team(catalogue, &team, self.setup.league).first() {
            return Err(fault.to_string());
        }
        if let Some(&not) = line_up.choices().iter().find(|&&choice| !self.allows(choice)) {
            return Err(format!("`{}` is not among the cards to choose from", self.card(not).name));
        }
        let mut why = None;
        for &(rulesets, cap) in &self.frames {
            let faults = faults_in_battle(catalogue, &team, rulesets, cap);
            match faults.first() {
                None => return Ok(()),
                Some(fault) => why = why.or_else(|| Some(fault.to_string())),
            }
        }
        Err(why.unwrap_or_else(|| nothing_is_legal(self.setup, &self.frames)))
    }

    fn draw(&self, random: &mut Seeded) -> LineUp {
        self.drawn(random).expect("one was drawn when the space was made")
    }

    /// The number of legal line-ups. None where a line-up need only be legal under some conditions, because the union
    /// over the conditions is not counted, and where the number is too large.
    fn count(&self) -> Option<u128> {
        let &[frame] = &self.frames[..] else { return None };
        let mut count = 0_u128;
        for following in self.followings(frame) {
            let all = following.sets(self, |_| true);
            let others = match following.splinter {
                None => [0; TEAM + 1],
                // Sets without a monster of the splinter are the same for every splinter: they are counted once, with
                // the first.
                Some(splinter) if splinter != SPLINTERS[0] => {
                    following.sets(self, |card| card.faction != splinter)
                }
                Some(_) => [0; TEAM + 1],
            };
            let mut orders = 1;
            for size in 1..=TEAM {
                orders *= size as u128;
                count = count.checked_add((all[size] - others[size]) * orders)?;
            }
        }
        Some(count)
    }

    fn all(&self) -> Vec<LineUp> {
        fn extend(
            teams: &Teams<'_>,
            monsters: &[u16],
            so_far: &mut Vec<u16>,
            left: u8,
            keep: &mut dyn FnMut(&[u16]),
        ) {
            for &choice in monsters {
                let mana = teams.card(choice).mana;
                if so_far.len() <= TEAM && mana <= left && !so_far.contains(&choice) {
                    so_far.push(choice);
                    keep(so_far);
                    extend(teams, monsters, so_far, left - mana, keep);
                    so_far.pop();
                }
            }
        }
        let mut found = Vec::new();
        for &frame in &self.frames {
            for following in self.followings(frame) {
                let mut keep = |choices: &[u16]| found.push(LineUp::new(choices));
                let mut so_far = vec![following.leader];
                extend(self, &following.monsters, &mut so_far, following.budget, &mut keep);
            }
        }
        found.sort_unstable();
        found.dedup();
        found
    }
}

impl Fields<Setup> for Teams<'_> {
    fn only(&self, allowed: &[bool]) -> Result<Box<dyn Fields<Setup> + '_>, String> {
        let mut recipe = self.recipe.clone();
        for (weight, allowed) in recipe.weights.iter_mut().zip(allowed) {
            *weight = if *allowed { *weight } else { 0.0 };
        }
        Ok(Box::new(Self::new(self.setup, recipe, self.own.clone())?))
    }

    fn setup(&self, brought: &[Brought<'_>], matchups: &[Vec<u16>]) -> Setup {
        let space: &dyn Space = self;
        let contender = |of: &Brought<'_>| match of {
            Brought::LineUp(line_up) => {
                let team = self.team(line_up).expect("a legal line-up");
                let legal = self.setup.legality(&team);
                Contender { name: space.told(line_up), brings: Brings::Fixed { team, legal } }
            }
            Brought::Contender(name) => {
                let known = self.setup.contenders.iter().find(|known| known.name == *name);
                known.expect("a contender of the scenario").clone()
            }
        };
        let matchups = matchups.iter().map(|pair| [pair[0], pair[1]]).collect();
        self.setup.with_contenders(brought.iter().map(contender).collect(), matchups)
    }
}
