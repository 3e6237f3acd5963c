//! The groups that a contender could bring to single combats, for studies that look for better ones.
//!
//! A line-up has as many minions as the contender's own group, first to last, and no more levels in total: minions
//! have no price, so size and levels make groups comparable. A group of recruits only is replaced by recruits,
//! special ones included; any other group by any minions. Besides the catalogue's minions there are those that the
//! scenario's groups list at other levels or with spells of their own. The spells on the contender's group are
//! also on every group that replaces it.

use super::catalogue::Spell;
use super::legal::{fault_of_size, faults_of_minion};
use super::nation::House;
use super::profile::Profile;
use super::setup::{Company, Setup};
use super::state::GROUP;
use crate::chance::Seeded;
use crate::lineups::{Brought, Choice, Fields, LineUp, NoLineUps, Space, Stock};
use crate::numerals::counted;

/// The minions and groups that line-ups can be made of.
#[derive(Clone, Debug, Default)]
pub(super) struct Bench {
    /// Every minion of the catalogue, and every entry of the scenario's groups that differs from these, under the
    /// text with which a group lists it.
    pub minions: Vec<(String, Profile)>,
    /// The groups of the scenario.
    pub groups: Vec<Listed>,
}

/// A group of the scenario and the entries it lists.
#[derive(Clone, Debug)]
pub(super) struct Listed {
    /// The group as it enters combats.
    pub company: Company,
    /// Its minions, as indices into the bench's minions.
    pub minions: Vec<u16>,
    /// The spells on all of its minions that they can be on.
    pub spells: Vec<Spell>,
}

impl Bench {
    /// Index of the minion with this entry, which is added if it is new.
    pub(super) fn place(&mut self, listed: String, profile: Profile) -> u16 {
        let known = self.minions.iter().position(|(name, _)| *name == listed);
        known.unwrap_or_else(|| {
            self.minions.push((listed, profile));
            self.minions.len() - 1
        }) as u16
    }
}

/// The groups that a contender could bring.
#[derive(Debug)]
pub(super) struct Groups<'s> {
    setup: &'s Setup,
    bench: &'s Bench,
    listed: &'s Listed,
    stock: Stock,
    /// The total levels of the contender's own group.
    levels: u32,
}

impl<'s> Groups<'s> {
    /// The groups that the contender of this name could bring.
    pub(super) fn of(setup: &'s Setup, contender: &str) -> Result<Self, NoLineUps> {
        let Some(bench) = setup.bench.as_deref().filter(|_| setup.board().is_none()) else {
            let message = "the groups of a map are placed on it, and nobody brings one: name a scenario with `[sides]`";
            return Err(NoLineUps::Scenario(message.to_owned()));
        };
        let find = |listed: &&Listed| listed.company.name == contender;
        let Some(listed) = bench.groups.iter().find(find) else {
            let names = bench.groups.iter().map(|listed| listed.company.name.as_str());
            return Err(NoLineUps::unknown(contender, names.collect::<Vec<_>>()));
        };
        let own = |minion: &u16| &bench.minions[usize::from(*minion)].1;
        let all_recruits = listed.minions.iter().all(|minion| own(minion).recruit);
        let levels = listed.minions.iter().map(|minion| u32::from(own(minion).level)).sum();
        let choice = |(name, profile): &(String, Profile)| Choice {
            name: name.clone(),
            kind: if profile.recruit { "recruit" } else { "monster" },
            group: profile.house.map_or("none", House::into).to_owned(),
            cost: Some(profile.level.into()),
            most: GROUP,
        };
        let size = listed.minions.len();
        let stock = Stock {
            noun: "group",
            cost_noun: Some("levels"),
            choices: bench.minions.iter().map(choice).collect(),
            allowed: Vec::new(),
            is_ordered: true,
            sizes: size..=size,
        };
        let mut groups = Self { setup, bench, listed, stock, levels };
        let fits = |at: usize| {
            let (_, profile) = &bench.minions[at];
            let enchanted = groups.enchanted(profile);
            (profile.recruit || !all_recruits) && faults_of_minion(&enchanted).next().is_none()
        };
        groups.stock.allowed = (0..bench.minions.len()).map(fits).collect();
        groups.check().map_err(NoLineUps::Scenario)?;
        Ok(groups)
    }

    /// A minion with the spells of the contender's group on it.
    fn enchanted(&self, profile: &Profile) -> Profile {
        let mut minion = profile.clone();
        for spell in &self.listed.spells {
            if spell.can_be_on(&minion) {
                spell.cast_on(&mut minion);
            }
        }
        minion
    }

    fn size(&self) -> usize {
        self.listed.minions.len()
    }

    fn level(&self, choice: u16) -> u32 {
        self.bench.minions[usize::from(choice)].1.level.into()
    }

    /// Checks that there is at least one legal group.
    fn check(&self) -> Result<(), String> {
        let least = self.all_allowed().into_iter().map(|choice| self.level(choice)).min();
        match least {
            Some(least) if least * self.size() as u32 <= self.levels => Ok(()),
            Some(_) | None => Err(format!(
                "no {} of these minions are of {} levels or fewer in all: allow more minions",
                self.size(),
                self.levels
            )),
        }
    }

    /// The number of ways to fill `places` places with at most `left` levels in total, as `ways[places][left]`.
    /// None where a number does not fit.
    fn ways(&self) -> Option<Vec<Vec<u128>>> {
        let levels = self.levels as usize;
        let choices = self.all_allowed();
        let mut ways = vec![vec![1_u128; levels + 1]];
        for places in 1..=self.size() {
            let of = |left: usize| {
                choices.iter().try_fold(0_u128, |sum, &choice| {
                    match left.checked_sub(self.level(choice) as usize) {
                        Some(rest) => sum.checked_add(ways[places - 1][rest]),
                        None => Some(sum),
                    }
                })
            };
            let next = (0..=levels).map(of).collect::<Option<Vec<u128>>>()?;
            ways.push(next);
        }
        Some(ways)
    }
}

impl Space for Groups<'_> {
    fn stock(&self) -> &Stock {
        &self.stock
    }

    fn own(&self) -> Option<LineUp> {
        let own = LineUp::new(self.listed.minions.clone());
        self.legal(&own).is_ok().then_some(own)
    }

    /// Applies the checks that a scenario's groups must pass; the size must be that of the contender's own group,
    /// and the levels no more than its.
    fn legal(&self, line_up: &LineUp) -> Result<(), String> {
        let size = line_up.choices().len();
        if let Some(fault) = fault_of_size(size) {
            return Err(fault.to_string());
        }
        if size != self.size() {
            return Err(format!(
                "{}, where `{}` has {}",
                counted(size as u64, "minion"),
                self.listed.company.name,
                self.size()
            ));
        }
        if let Some(&not) = line_up.choices().iter().find(|&&choice| !self.allows(choice)) {
            let name = &self.choices()[usize::from(not)].name;
            return Err(format!("`{name}` is not among the minions to choose from"));
        }
        let levels: u32 = line_up.choices().iter().map(|&choice| self.level(choice)).sum();
        if levels > self.levels {
            let own = &self.listed.company.name;
            return Err(format!("{levels} levels in all, where `{own}` has {}", self.levels));
        }
        Ok(())
    }

    /// Draws a group; every legal group is equally likely.
    fn draw(&self, random: &mut Seeded) -> LineUp {
        let ways = self.ways().expect("at most eight minions of a few hundred");
        let choices = self.all_allowed();
        let mut left = self.levels as usize;
        let mut drawn = Vec::new();
        for places in (0..self.size()).rev() {
            let all = ways[places + 1][left];
            let mut at = match u64::try_from(all) {
                Ok(all) => random.below_wide(all).into(),
                // Beyond 64 bits the probabilities are inexact in their last digits.
                Err(_) => (random.unit() * all as f64) as u128,
            };
            let found = choices.iter().find(|&&choice| {
                let rest = left.checked_sub(self.level(choice) as usize);
                let share = rest.map_or(0, |rest| ways[places][rest]);
                let is_it = at < share;
                at = if is_it { at } else { at - share };
                is_it
            });
            let choice = *found.expect("one of the ways");
            left -= self.level(choice) as usize;
            drawn.push(choice);
        }
        LineUp::new(drawn)
    }

    fn count(&self) -> Option<u128> {
        Some(self.ways()?[self.size()][self.levels as usize])
    }

    fn all(&self) -> Vec<LineUp> {
        let choices = self.all_allowed();
        let least = choices.iter().map(|&choice| self.level(choice)).min().unwrap_or(0);
        // Only beginnings that the lowest levels can complete: each leads to a group, so that there are not many more of
        // them than groups.
        let mut found: Vec<(Vec<u16>, u32)> = vec![(Vec::new(), self.levels)];
        for places in (0..self.size() as u32).rev() {
            let longer = found.iter().flat_map(|(so_far, left)| {
                choices.iter().filter_map(move |&choice| {
                    let left = left.checked_sub(self.level(choice))?;
                    let longer = || ([so_far.as_slice(), &[choice]].concat(), left);
                    (least * places <= left).then(longer)
                })
            });
            found = longer.collect();
        }
        found.into_iter().map(|(line_up, _)| LineUp::new(line_up)).collect()
    }
}

impl Fields<Setup> for Groups<'_> {
    fn only(&self, allowed: &[bool]) -> Result<Box<dyn Fields<Setup> + '_>, String> {
        let groups = Self {
            setup: self.setup,
            bench: self.bench,
            listed: self.listed,
            stock: self.stock.only(allowed),
            levels: self.levels,
        };
        groups.check()?;
        Ok(Box::new(groups))
    }

    fn setup(&self, brought: &[Brought<'_>], matchups: &[Vec<u16>]) -> Setup {
        let space: &dyn Space = self;
        let company = |of: &Brought<'_>| match of {
            Brought::LineUp(line_up) => {
                assert!(self.legal(line_up).is_ok(), "a legal line-up");
                let minion =
                    |&choice: &u16| self.enchanted(&self.bench.minions[usize::from(choice)].1);
                Company {
                    name: space.told(line_up),
                    minions: line_up.choices().iter().map(minion).collect(),
                    effects: self.listed.company.effects.clone(),
                }
            }
            Brought::Contender(name) => {
                let known = self.bench.groups.iter().find(|known| known.company.name == *name);
                known.expect("a contender of the scenario").company.clone()
            }
        };
        let matchups: Vec<[usize; 2]> =
            matchups.iter().map(|pair| [pair[0].into(), pair[1].into()]).collect();
        self.setup.with_companies(brought.iter().map(company).collect(), &matchups)
    }
}
