//! How many battles does a question take, and what can a given number of battles detect?
//!
//! A short pilot run tells how much battles vary (draws lower it), how often rulesets and units come up, and how fast
//! battles are played; the rest is arithmetic ([`Power`]).

mod json;
mod page;

pub use page::plan as page;

use crate::game::Side;
use crate::sorting::Sorting;
use crate::statistics::{
    Design, Estimate, Power, clustered, clustered_mean, largest_change, score,
};
use crate::table::{LEVEL, Provenance};
use crate::tally::{Clustered, Count, Forfeits, Layout, Matchup, OutcomeMeasure, Results, Tally};

/// The most that a comparison can show, however few battles are played.
struct Most {
    effect: f64,
    /// The half-width of the interval with everything that is possible.
    margin: f64,
}

/// What shall be compared.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, strum::Display)]
#[cfg_attr(feature = "cli", derive(clap::ValueEnum))]
#[strum(serialize_all = "snake_case")]
pub enum PlanComparison {
    /// The score of each side of each match-up with an even one
    #[default]
    Score,
    /// The score of each contender, over all its match-ups, with an even one
    Contenders,
    /// In each match-up the score in battles that have a ruleset with the score in battles that do not
    Rulesets,
    /// The score of the side of each contender's units with an even one; where teams are drawn
    Units,
    /// Two runs of so many battles each, such as before and after a change (`evens nightly`), match-up by match-up;
    /// adjusted for their number
    Change,
}

/// The goal of a plan.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Goal {
    /// Detect a difference of this size, as a probability.
    Detect(f64),
    /// Get intervals that reach this far to either side.
    Margin(f64),
    /// Find out what this many battles can detect.
    Battles(u64),
}

/// One comparison of a plan, with what the pilot says about it.
#[derive(Clone, Debug, PartialEq)]
pub struct Planned {
    /// What is compared, in words.
    pub subject: String,
    /// The share of the run's battles that count for it, 0 to 1.
    pub share: f64,
    /// Its score in the pilot.
    pub pilot: Estimate,
    /// How many battles of the pilot count for it; where two kinds of battles are compared, those of the rarer kind.
    pub seen: u64,
    /// The battles that count for it, if they all ended alike; else None.
    pub alike: Option<Alike>,
    /// The design of its estimate: how its precision grows with the battles of the run.
    pub design: Design,
}

/// Battles of a pilot that all ended alike, and so do not show how much they vary.
#[derive(Clone, Debug, PartialEq)]
pub struct Alike {
    /// What these battles are about, in words.
    pub subject: String,
    /// How many there are.
    pub battles: u64,
    /// The largest share of battles that may end otherwise (95% confidence), 0 to 1.
    pub otherwise: f64,
}

impl Alike {
    /// The same of appearances in so many battles: several in one battle say no more than one where all end alike.
    fn of_appearances(
        subject: impl FnOnce() -> String,
        results: Results,
        battles: u64,
        measure: OutcomeMeasure,
    ) -> Option<Self> {
        Design::otherwise(results, measure)?;
        Self::of(subject, results.measured(measure).of_battles(battles), measure)
    }

    fn of(
        subject: impl FnOnce() -> String,
        results: Results,
        measure: OutcomeMeasure,
    ) -> Option<Self> {
        let otherwise = Design::otherwise(results, measure)?;
        let battles = results.measured(measure).battles();
        Some(Self { subject: subject(), battles, otherwise })
    }
}

/// A plan: how many battles a goal takes, or what a number of battles achieves.
#[derive(Clone, Debug)]
pub struct Plan {
    /// Where the pilot comes from.
    pub pilot: Provenance,
    /// What is compared.
    pub comparison: PlanComparison,
    /// The measure that is compared: scores, wins or decided wins.
    pub measure: OutcomeMeasure,
    /// The goal.
    pub goal: Goal,
    /// The level and the power of each single comparison.
    pub power: Power,
    /// The level and the power that were asked for, 0 to 1.
    pub asked: [f64; 2],
    /// How many comparisons the level is adjusted for; 1 without adjustment.
    pub adjusted_for: u64,
    /// How many sides fight in a battle.
    pub sides: usize,
    /// The comparisons, in the scenario's order.
    pub planned: Vec<Planned>,
    /// Whether the effects of factors can be estimated from paired battles.
    pub has_effects: bool,
    /// How many comparisons did not come up in the pilot, though they can.
    pub unseen: usize,
    /// How many match-ups are left out, because all of their battles under some ruleset are forfeits.
    pub forfeited: usize,
    /// How many of the pilot's battles were forfeited.
    pub forfeits: Forfeits,
    /// How many battles the scenario itself asks for.
    pub own_battles: u64,
    /// Battles per second in the pilot.
    pub speed: f64,
}

/// A pilot run: what was played, and what may be.
#[derive(Clone, Copy)]
pub struct Pilot<'p> {
    /// The names behind its counts.
    pub layout: &'p Layout,
    /// Its counts.
    pub tally: &'p Tally,
    /// The units that a contender may bring ([`Engine::may_bring`](crate::engine::Engine::may_bring)).
    pub may_bring: &'p dyn Fn(&str) -> Vec<u16>,
}

/// Why there is nothing to plan.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum NothingToCompare {
    /// There is no draw of rulesets.
    #[error("every battle has the same rulesets, so there is nothing to compare one with")]
    NoFactors,
    /// Rulesets draw forfeits in every match-up.
    #[error(
        "in every match-up all battles under some ruleset are forfeits, so that nothing can be told from battles with and \
         without one"
    )]
    Forfeited,
    /// The teams are fixed.
    #[error("teams are always the same here, so units fare as their sides do")]
    FixedUnits,
    /// No contender meets another one.
    #[error(
        "every match-up is of one contender with itself, whose score over all seats is even by itself"
    )]
    OneContender,
}

impl Plan {
    /// A plan from a pilot's counts.
    ///
    /// # Errors
    /// When the scenario has nothing to compare in this way.
    pub fn new(
        played: Pilot<'_>,
        pilot: Provenance,
        comparison: PlanComparison,
        goal: Goal,
        power: Power,
        asked: [f64; 2],
    ) -> Result<Self, NothingToCompare> {
        let Pilot { layout, tally, .. } = played;
        let measure = tally.measure();
        let (planned, unseen, forfeited) = comparisons(played, comparison)?;
        let adjusted_for = match comparison {
            PlanComparison::Change => planned.len().max(1) as u64,
            PlanComparison::Score
            | PlanComparison::Contenders
            | PlanComparison::Rulesets
            | PlanComparison::Units => 1,
        };
        let power = power.adjusted_for(adjusted_for);
        Ok(Self {
            pilot,
            comparison,
            measure,
            goal,
            power,
            asked,
            adjusted_for,
            sides: layout.sides,
            planned,
            has_effects: layout.has_effects(),
            unseen,
            forfeited,
            forfeits: Forfeits::of(&tally.matchups),
            own_battles: 0,
            speed: f64::NAN,
        })
    }

    /// How many battles the run needs for one comparison; None where no number is enough. If two runs are compared,
    /// this is the number of each.
    #[must_use]
    pub fn battles(&self, of: &Planned) -> Option<u64> {
        match self.goal {
            Goal::Detect(effect) => self.power.battles_for_effect(&of.design, effect),
            Goal::Margin(margin) => self.power.battles_for_margin(&of.design, margin),
            Goal::Battles(battles) => Some(battles),
        }
    }

    /// How many battles the run needs for all comparisons. None where there are no comparisons or no number is enough
    /// for one of them.
    #[must_use]
    pub fn battles_for_all(&self) -> Option<u64> {
        self.planned
            .iter()
            .map(|of| self.battles(of))
            .collect::<Option<Vec<_>>>()?
            .into_iter()
            .max()
    }

    /// The smallest difference that this many battles detect in one comparison; infinite where no possible difference
    /// is large enough.
    #[must_use]
    pub fn found(&self, of: &Planned, battles: u64) -> f64 {
        let found = self.power.effect(&of.design, battles as f64);
        if found < self.most(of).effect { found } else { f64::INFINITY }
    }

    /// The half-width of the interval that this many battles give in one comparison, at most that of the interval with
    /// everything that is possible.
    #[must_use]
    pub fn margin(&self, of: &Planned, battles: u64) -> f64 {
        self.power.margin(&of.design, battles as f64).min(self.most(of).margin)
    }

    /// The most that a comparison can show.
    fn most(&self, of: &Planned) -> Most {
        match self.comparison {
            // The difference from even of a side that wins everything.
            PlanComparison::Score | PlanComparison::Contenders | PlanComparison::Units => {
                Most { effect: 1.0 - (self.sides as f64).recip(), margin: 0.5 }
            }
            PlanComparison::Change => Most { effect: largest_change(of.pilot.value), margin: 1.0 },
            PlanComparison::Rulesets => Most { effect: 1.0, margin: 1.0 },
        }
    }

    /// How long this many battles take on this machine, in seconds; for a comparison of two runs, both of them.
    #[must_use]
    pub fn seconds(&self, battles: u64) -> f64 {
        let runs = if self.comparison == PlanComparison::Change { 2.0 } else { 1.0 };
        runs * battles as f64 / self.speed
    }

    /// The comparisons, hardest first: by the battles that an effect takes, by the deviation where an interval is asked
    /// for, and by the smallest effect that is found where the number of battles is given.
    #[must_use]
    pub fn hardest_first(&self) -> Vec<&Planned> {
        let takes = |of: &Planned| match self.goal {
            Goal::Margin(_) => of.design.deviation(),
            Goal::Detect(effect) => self
                .power
                .battles_for_effect(&of.design, effect)
                .map_or(f64::INFINITY, |of| of as f64),
            Goal::Battles(battles) => self.found(of, battles),
        };
        let mut order: Vec<(f64, &Planned)> =
            self.planned.iter().map(|of| (takes(of), of)).collect();
        order.put_in_order_by(|a, b| b.0.total_cmp(&a.0));
        order.into_iter().map(|(_, of)| of).collect()
    }
}

/// The possible comparisons that came up in the pilot, how many others did not, and how many match-ups are left out.
fn comparisons(
    pilot: Pilot<'_>,
    comparison: PlanComparison,
) -> Result<(Vec<Planned>, usize, usize), NothingToCompare> {
    let Pilot { layout, tally, .. } = pilot;
    let mut forfeited = 0;
    let list: Vec<Option<Planned>> = match comparison {
        PlanComparison::Score | PlanComparison::Change => sides(layout, tally)
            .map(|(subject, results)| {
                of_side(tally, subject, results, comparison == PlanComparison::Change)
            })
            .collect(),
        PlanComparison::Contenders => {
            let all = contenders(layout, tally);
            if all.is_empty() {
                return Err(NothingToCompare::OneContender);
            }
            all.into_iter().map(|(name, parts)| of_contender(pilot, name, &parts)).collect()
        }
        PlanComparison::Rulesets => {
            let all = rulesets(layout, tally);
            if all.is_empty() {
                return Err(NothingToCompare::NoFactors);
            }
            let matchups = 0..layout.matchups.len();
            let is_forfeited: Vec<bool> =
                matchups.map(|at| !tally.never_fought(layout, at).is_empty()).collect();
            forfeited = is_forfeited.iter().filter(|&&is| is).count();
            let list = all.into_iter().filter(|(matchup, _)| !is_forfeited[*matchup]);
            let list: Vec<Option<Planned>> = list.map(|(_, planned)| planned).collect();
            if list.is_empty() {
                return Err(NothingToCompare::Forfeited);
            }
            list
        }
        PlanComparison::Units => {
            if !layout.units_are_drawn {
                return Err(NothingToCompare::FixedUnits);
            }
            units(pilot)
        }
    };
    let all = list.len();
    let planned: Vec<Planned> = list.into_iter().flatten().collect();
    let unseen = all - planned.len();
    Ok((planned, unseen, forfeited))
}

/// The score of a side, compared with an even one or, twice, with that of another run. None without battles that the
/// measure counts.
fn of_side(tally: &Tally, subject: String, results: Results, twice: bool) -> Option<Planned> {
    let measure = tally.measure();
    let battles = results.measured(measure).battles();
    let share = battles as f64 / tally.battles() as f64;
    (battles > 0).then(|| Planned {
        alike: Alike::of(|| subject.clone(), results, measure),
        subject,
        share,
        pilot: score(results, measure, LEVEL),
        seen: battles,
        design: match twice {
            true => Design::difference([(results, share); 2], measure),
            false => Design::from_even(results, measure, |by| {
                // By another measure other battles count.
                let counted = results.measured(by).battles();
                Design::one(results, by).among(counted as f64 / tally.battles() as f64)
            }),
        },
    })
}

/// The score of a contender over all its seats. Each seat of each match-up is a stratum of its own, as in the standings
/// of a run; a battle in which it has several seats counts once.
fn of_contender(pilot: Pilot<'_>, name: String, parts: &[(usize, Results)]) -> Option<Planned> {
    let Pilot { layout, tally, .. } = pilot;
    let (all, measure) = (tally.battles() as f64, tally.measure());
    let sum = Results::none(layout.sides as u32);
    let results = parts.iter().fold(sum, |sum, (_, of)| sum.with(*of));
    let counted = |of: Results, by: OutcomeMeasure| of.measured(by).battles();
    let is_first = |at: usize| at == 0 || parts[at - 1].0 != parts[at].0;
    let of_matchup = |at: usize| if is_first(at) { counted(parts[at].1, measure) } else { 0 };
    let battles: u64 = (0..parts.len()).map(of_matchup).sum();
    let estimated = |by: OutcomeMeasure| {
        let design = Design::one(results, by).among(counted(results, by) as f64 / all);
        let strata: Option<Vec<Design>> = parts
            .iter()
            .map(|&(_, of)| {
                let share = counted(of, by) as f64 / all;
                (share > 0.0).then(|| Design::one(of, by).among(share))
            })
            .collect();
        strata.map_or(design, |strata| design.over(&strata))
    };
    // A run does not know it either, as long as nothing is known of one of its match-ups.
    let is_known = parts.iter().all(|&(_, of)| counted(of, measure) > 0);
    (battles > 0 && is_known).then(|| Planned {
        alike: Alike::of_appearances(|| name.clone(), results, battles, measure),
        subject: name,
        share: battles as f64 / all,
        pilot: score(results, measure, LEVEL),
        seen: battles,
        design: Design::from_even(results, measure, estimated),
    })
}

/// The score of the side of each unit of each contender, as in the table `units`: several appearances in one battle are
/// not independent. None for a unit that may be brought but did not come up.
fn units(pilot: Pilot<'_>) -> Vec<Option<Planned>> {
    let Pilot { layout, may_bring, .. } = pilot;
    let names = layout.contenders().names;
    let mut list = Vec::new();
    for (contender, name) in names.iter().enumerate() {
        let may_come = may_bring(name);
        for (unit, of) in layout.units.iter().enumerate() {
            let subject = match names.len() {
                1 => of.name.clone(),
                _ => format!("{}, {name}", of.name),
            };
            let planned = of_unit(pilot, subject, contender, unit);
            if planned.is_some() || may_come.contains(&(unit as u16)) {
                list.push(planned);
            }
        }
    }
    list
}

fn of_unit(pilot: Pilot<'_>, subject: String, contender: usize, unit: usize) -> Option<Planned> {
    let Pilot { layout, tally, .. } = pilot;
    let (all, measure) = (tally.battles() as f64, tally.measure());
    let strata = tally.fared(layout, contender, unit);
    let mean = clustered_mean(&strata, layout.sides)?;
    let battles = Clustered::sum_of(&strata).battles();
    let count = tally.unit(layout, contender, unit);
    let (won, shared) = (count.won, count.shared);
    let lost = count.played - won - shared;
    let appearances = Results { won, shared, lost, sides: layout.sides as u32 };
    let share = battles as f64 / all;
    let alike = Alike::of_appearances(|| subject.clone(), appearances, battles, measure);
    let plain = Design::one(appearances, measure).among(share);
    let estimated = |by: OutcomeMeasure| match alike {
        // They do not show how much clusters vary either.
        Some(_) => Design::one(appearances.measured(measure).of_battles(battles), by).among(share),
        None => Design::one(appearances, by).among(share).clustered(&plain, &mean, all),
    };
    let design = Design::from_even(appearances, measure, estimated);
    let pilot = clustered(&strata, layout.sides, LEVEL);
    Some(Planned { alike, subject, share, pilot, seen: battles, design })
}

fn of_matchup(tally: &Tally, matchup: usize) -> Count {
    tally.matchups[matchup].clone()
}

/// The results of side A of every match-up in a duel, where side B's mirror them; of every side where there are more
/// than two.
fn sides(layout: &Layout, tally: &Tally) -> impl Iterator<Item = (String, Results)> {
    let told = if layout.sides == 2 { 1 } else { layout.sides };
    layout.matchups.iter().enumerate().flat_map(move |(at, matchup)| {
        let count = of_matchup(tally, at);
        (0..told as u8).map(move |side| {
            let side = Side(side);
            let who = if told == 1 { String::new() } else { format!(", side {side}") };
            (format!("{}{who}", matchup.label()), count.results(side))
        })
    })
}

/// The results of every contender in each of its seats in match-ups with others, with the number of the match-up.
fn contenders(layout: &Layout, tally: &Tally) -> Vec<(String, Vec<(usize, Results)>)> {
    let mut sums: Vec<(String, Vec<(usize, Results)>)> = Vec::new();
    let against_others = |matchup: &Matchup| matchup.contenders.windows(2).any(|of| of[0] != of[1]);
    for (at, matchup) in layout.matchups.iter().enumerate().filter(|(_, of)| against_others(of)) {
        let count = of_matchup(tally, at);
        for (side, name) in matchup.contenders.iter().enumerate() {
            let results = count.results(Side(side as u8));
            match sums.iter_mut().find(|(known, _)| known == name) {
                Some((_, own)) => own.push((at, results)),
                None => sums.push((name.clone(), vec![(at, results)])),
            }
        }
    }
    sums
}

/// With the index of each match-up the comparison of its battles with each ruleset and without it; the odds of a ruleset are known
/// exactly. None for one that did not come up both ways.
fn rulesets(layout: &Layout, tally: &Tally) -> Vec<(usize, Option<Planned>)> {
    let measure = tally.measure();
    let mut list = Vec::new();
    for (at, matchup) in layout.matchups.iter().enumerate() {
        for (factor, name) in layout.factors.iter().enumerate() {
            let has = |condition: usize| {
                layout.conditions[condition].factors.iter().any(|&of| usize::from(of) == factor)
            };
            let odds: f64 = (0..layout.conditions.len())
                .filter(|&condition| has(condition))
                .map(|condition| layout.conditions[condition].probability)
                .sum();
            if odds <= 0.0 || odds >= 1.0 {
                continue; // It never or always comes up: there is nothing to compare.
            }
            let with = tally.count(layout, |of, condition| of == at && has(condition));
            let without = tally.count(layout, |of, condition| of == at && !has(condition));
            let [with, without] = [with, without].map(|count| count.results(Side::A));
            let part = 1.0 / layout.matchups.len() as f64;
            let subject = match layout.matchups.len() {
                1 => name.clone(),
                _ => format!("{name}, {}", matchup.label()),
            };
            let without_ruleset = |subject: &str| format!("what is without {subject}");
            let measured = |of: Results| of.measured(measure).battles();
            let seen = measured(with) > 0 && measured(without) > 0;
            // The odds are known; the share of battles that the measure counts comes from the pilot.
            let looked_at = |of: Results| measured(of) as f64 / of.battles() as f64;
            let planned = seen.then(|| {
                let share = odds * part * looked_at(with);
                let other = (1.0 - odds) * part * looked_at(without);
                // Keep the less certain of the two.
                let alike = [
                    Alike::of(|| subject.clone(), with, measure),
                    Alike::of(|| without_ruleset(&subject), without, measure),
                ];
                let less_sure =
                    |one: &Alike, other: &Alike| one.otherwise.total_cmp(&other.otherwise);
                Planned {
                    alike: alike.into_iter().flatten().max_by(less_sure),
                    subject,
                    share,
                    pilot: score(with, measure, LEVEL),
                    seen: measured(with).min(measured(without)),
                    design: Design::difference([(with, share), (without, other)], measure),
                }
            });
            list.push((at, planned));
        }
    }
    list
}

#[cfg(test)]
mod tests;
