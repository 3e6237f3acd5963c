//! Confirmation of patches in fresh battles, and their side effects.

use super::play::{Fared, Plan, play};
use super::task::{CONFIDENCE, Interrupted, Task};
use super::{Goal, Subject};
use crate::engine::{Dice, Engine};
use crate::report::ALARM;
use crate::statistics::{
    Deviation, Equivalence, Estimate, Largest, Level, benjamini_hochberg, equilibrium, two_sided,
};
use crate::tally::{Forfeits, Layout, OutcomeMeasure};

/// With more scores under single rulesets than this, they are not examined for side effects.
const MOST_UNDER: usize = 4_000;

/// A patch's leads in fresh battles, and the verdict on them.
#[derive(Clone, Debug)]
pub struct Confirmed {
    /// Each goal's lead: its score minus its target.
    pub leads: Vec<Deviation>,
    /// The largest lead with its bounds; None where a lead is unknown.
    pub largest: Option<Largest>,
    /// The root mean square of the leads, less the part that is noise.
    pub typical: f64,
    /// Whether all are within the margin.
    pub result: Equivalence,
    /// How many of the battles were forfeited.
    pub forfeits: Forfeits,
    /// How many were fought and nobody won.
    pub unwon: u64,
    /// What the patch does to the lead that is largest without it.
    pub nearer: Option<Nearer>,
}

impl Confirmed {
    /// The share of the battles that were fought and nobody won, 0 to 1.
    pub(super) fn unwon_share(&self) -> f64 {
        self.unwon as f64 / self.forfeits.battles as f64
    }
}

/// By how much a patch brings the score that is farthest from its target without it nearer to that.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Nearer {
    /// The goal, as an index.
    pub goal: usize,
    /// By how much its lead is smaller, from battles that are paired; negative where it is larger. The interval allows for
    /// the goal being the farthest of several.
    pub by: Estimate,
}

impl Nearer {
    /// None without a patch, where a lead is not known, and where the lead is on the other side of its target: that it is
    /// another one then is plain.
    fn of(task: Task<'_>, without: &Fared, with: &Fared) -> Option<Self> {
        let [was, is] = [without, with].map(|fared| task.leads(fared));
        let goal = task.deviations(&was)?.largest(CONFIDENCE).at;
        let (before, after) = (was[goal].value, is[goal].value);
        let shift = with.shift(without, goal);
        if before * after <= 0.0 || shift.error.is_nan() {
            return None;
        }
        let value = -before.signum() * shift.value;
        let half = Level::P95.shared_by(task.free as u64).z() * shift.error;
        Some(Self { goal, by: Estimate { value, low: value - half, high: value + half } })
    }

    /// Whether the battles do not show that the patch brings it nearer.
    pub(super) fn is_open(&self) -> bool {
        self.by.low <= 0.0
    }
}

/// Plays each patch in fresh battles, the ones that a run of the scenario with that patch plays.
///
/// # Errors
/// When `go_on` has said no.
///
/// # Panics
/// When a patch cannot be built, which the search has built.
pub fn confirm(
    task: Task<'_>,
    patches: &[&[(usize, i64)]],
    plan: Plan,
    go_on: &mut dyn FnMut(u64) -> bool,
) -> Result<Vec<Confirmed>, Interrupted> {
    let mut found: Vec<Confirmed> = Vec::with_capacity(patches.len());
    let mut without: Option<Fared> = None;
    for patch in patches {
        let engine = (task.build)(patch).expect("it was built before");
        let before = found.len() as u64 * plan.battles;
        let mut go_on = |battles: u64| go_on(before + battles);
        let plan = Plan { dice: Dice::Seeded, ..plan };
        let mut keeper = task.keepers.keeper("the fresh battles", &[patch]);
        let fared = play(&[&*engine], task.goals, plan, &mut *keeper, &mut go_on);
        let fared = fared.ok_or(Interrupted)?;
        let leads = task.leads(&fared[0]);
        let known = task.deviations(&leads);
        found.push(Confirmed {
            largest: known.as_ref().map(|leads| leads.largest(CONFIDENCE)),
            typical: known.as_ref().map_or(f64::NAN, |leads| leads.typical()),
            result: known.map_or(Equivalence::Open, |leads| leads.within(task.within, CONFIDENCE)),
            leads,
            forfeits: fared[0].forfeits.clone(),
            unwon: fared[0].unwon,
            nearer: without.as_ref().and_then(|without| Nearer::of(task, without, &fared[0])),
        });
        if patch.is_empty() {
            without = fared.into_iter().next();
        }
    }
    Ok(found)
}

/// A score other than the leads, before and after the patch.
#[derive(Clone, Debug, PartialEq)]
pub struct SideEffect {
    /// The kind of its subject: `match-up`, a kind of unit, `under a ruleset`, or `equilibrium`.
    pub kind: String,
    /// The name of its subject.
    pub name: String,
    /// The score without the patch, 0 to 1; in an equilibrium the share.
    pub before: f64,
    /// The score with the patch, 0 to 1; in an equilibrium the share.
    pub after: f64,
    /// The score with the patch minus that without it, from the same battles. Shares of an equilibrium have no
    /// interval.
    pub difference: Estimate,
    /// What it is compared with, and the difference of that.
    pub own: Option<(String, f64)>,
    /// The difference less that of what it is compared with, from the same battles; the difference itself where it is
    /// compared with nothing.
    pub beyond: Estimate,
    /// The p-value of nothing beyond.
    pub p_value: f64,
    /// The p-value of nothing beyond, adjusted for all of them (Benjamini and Hochberg).
    pub p_adjusted: f64,
    /// Whether it is reported: it moves by more than the threshold, also beyond what it is compared with, where that is
    /// significant, and is not wanted.
    pub told: bool,
    /// Whether it is a goal's score under a single ruleset that comes nearer to its target.
    pub is_wanted: bool,
}

impl SideEffect {
    /// By how much it moves beyond what it is compared with, in words: `-15.7 pp where Anybody has -5.4`.
    pub(super) fn beside_its_own(&self) -> String {
        let moved = 100.0 * self.difference.value;
        match &self.own {
            Some((name, own)) => format!("{moved:+.1} pp where {name} has {:+.1}", 100.0 * own),
            None => format!("{moved:+.1} pp"),
        }
    }
}

/// Measures which scores a patch moves besides its goals, in battles that the search did not see; the scenario itself
/// and the variant with the patch play the same ones.
///
/// # Errors
/// When `go_on` has said no.
pub fn side_effects(
    task: Task<'_>,
    [before, after]: [&dyn Engine; 2],
    patch: &[(usize, i64)],
    plan: Plan,
    tell: f64,
    go_on: &mut dyn FnMut(u64) -> bool,
) -> Result<Vec<SideEffect>, Interrupted> {
    let layout = before.layout();
    let (looked, goals) = looked_at(layout, task.goals);
    let plan = Plan { dice: Dice::Keyed, ..plan };
    let mut keeper = task.keepers.keeper("what else moves", &[&[], patch]);
    let fared = play(&[before, after], &goals, plan, &mut *keeper, go_on).ok_or(Interrupted)?;
    let [was, is] = &fared[..] else { return Err(Interrupted) };
    let mut found: Vec<SideEffect> = Vec::new();
    for (at, ((kind, own), goal)) in looked.into_iter().zip(&goals).enumerate() {
        let Deviation { value, error } = is.shift(was, at);
        if error.is_nan() {
            continue;
        }
        let own = own.shares([was, is], at, &goals);
        let beyond = is.beyond(was, at, &own.1);
        if beyond.error.is_nan() {
            continue;
        }
        let around = |value: f64, error: f64| {
            let half = Level::P95.z() * error;
            Estimate { value, low: value - half, high: value + half }
        };
        let away = |fared: &Fared| (fared.score(at).value - goal.target).abs();
        let is_nearer = away(is) < away(was);
        found.push(SideEffect {
            kind,
            name: goal.name.clone(),
            before: was.score(at).value,
            after: is.score(at).value,
            difference: around(value, error),
            own: (!own.1.is_empty()).then_some((own.0, value - beyond.value)),
            beyond: around(beyond.value, beyond.error),
            p_value: two_sided(beyond.value / beyond.error),
            p_adjusted: f64::NAN,
            told: false,
            is_wanted: goal.under.is_some() && is_nearer,
        });
    }
    let p_values: Vec<f64> = found.iter().map(|of| of.p_value).collect();
    for (of, adjusted) in found.iter_mut().zip(benjamini_hochberg(&p_values)) {
        of.p_adjusted = adjusted;
        let moves = of.beyond.value.abs().min(of.difference.value.abs()) > tell;
        of.told = adjusted < ALARM && moves && !of.is_wanted;
    }
    found.extend(in_equilibrium(layout, &goals, [was, is], tell));
    Ok(found)
}

/// What a score's shift is compared with, so that it is not told again what its side does.
#[derive(Clone, Copy)]
enum Own {
    /// Nothing.
    Nothing,
    /// The goal at this index.
    Goal(usize),
    /// The contenders for whom its units fought, whose goals begin at this index.
    Contenders(usize),
}

impl Own {
    /// Its name, and the goals that it is made of with their weights; no goals where it is nothing.
    fn shares(
        self,
        [was, is]: [&Fared; 2],
        goal: usize,
        goals: &[Goal],
    ) -> (String, Vec<(usize, f64)>) {
        match self {
            Self::Nothing => (String::new(), Vec::new()),
            Self::Goal(at) => (goals[at].name.clone(), vec![(at, 1.0)]),
            Self::Contenders(first) => {
                let shares = is.fought_for(was, goal).unwrap_or_default();
                let shares = shares.into_iter().enumerate().filter(|(_, share)| *share > 0.0);
                let own: Vec<(usize, f64)> =
                    shares.map(|(contender, share)| (first + contender, share)).collect();
                let name = match own[..] {
                    [(only, _)] => goals[only].name.clone(),
                    _ => "its sides".to_owned(),
                };
                (name, own)
            }
        }
    }
}

/// The scores that are examined for side effects, with their kinds and what they are compared with: every match-up, every
/// unit that is not a goal itself, and every goal under each ruleset. The goals after those are only compared with.
fn looked_at(layout: &Layout, aimed: &[Goal]) -> (Vec<(String, Own)>, Vec<Goal>) {
    let even = OutcomeMeasure::even(layout.sides);
    let is_aimed = |who: &Subject| aimed.iter().any(|goal| goal.who == *who);
    let (mut kinds, mut goals): (Vec<(String, Own)>, Vec<Goal>) = Default::default();
    let mut add = |kind: &str, name: String, who: Subject, under: Option<String>, target: f64| {
        kinds.push((kind.to_owned(), Own::Nothing));
        goals.push(Goal { name, who, under, target, own: Vec::new() });
    };
    for (at, matchup) in layout.matchups.iter().enumerate() {
        add("match-up", matchup.label(), Subject::Sides(vec![(at, 0)]), None, even);
    }
    for unit in &layout.units {
        let who = Subject::Units(vec![(unit.kind, unit.name.clone())]);
        if !is_aimed(&who) {
            add(unit.kind, unit.name.clone(), who, None, even);
        }
    }
    if layout.factors.len() > 1 && layout.factors.len() * aimed.len() <= MOST_UNDER {
        for goal in aimed {
            for factor in &layout.factors {
                let name = format!("{} under {factor}", goal.name);
                let kind = format!("under a {}", layout.factor_noun);
                add(&kind, name, goal.who.clone(), Some(factor.clone()), goal.target);
            }
        }
    }
    // Now that it is known how many there are, those that they are compared with come behind them.
    let contenders = layout.contenders();
    let all = goals.len();
    let [in_all, with_others] = [all, all + contenders.names.len()];
    let aimed_at = with_others + contenders.names.len();
    for (at, (kind, own)) in kinds.iter_mut().enumerate() {
        *own = match &goals[at] {
            Goal { under: Some(_), who, .. } => {
                let whole = aimed.iter().position(|goal| goal.who == *who);
                whole.map_or(Own::Nothing, |whole| Own::Goal(aimed_at + whole))
            }
            Goal { who: Subject::Units(_), .. } => Own::Contenders(in_all),
            Goal { who: Subject::Sides(_), .. } if kind == "match-up" => {
                let sides = &contenders.at[at * layout.sides..(at + 1) * layout.sides];
                let is_mirror = sides.iter().all(|side| *side == sides[0]);
                if is_mirror {
                    Own::Nothing
                } else {
                    Own::Goal(with_others + usize::from(sides[0]))
                }
            }
            Goal { .. } => Own::Nothing,
        };
    }
    let mut of = |contender: usize, name: &str, with_itself: bool| {
        let places = (0..contenders.at.len()).filter(|&side| {
            let matchup = side / layout.sides;
            let sides = &contenders.at[matchup * layout.sides..(matchup + 1) * layout.sides];
            let is_mirror = sides.iter().all(|of| *of == sides[0]);
            usize::from(contenders.at[side]) == contender && (with_itself || !is_mirror)
        });
        let places = places.map(|side| (side / layout.sides, side % layout.sides)).collect();
        let who = Subject::Sides(places);
        let own = Vec::new();
        goals.push(Goal { name: name.to_owned(), who, under: None, target: even, own });
    };
    for with_itself in [true, false] {
        for (contender, name) in contenders.names.iter().enumerate() {
            of(contender, name, with_itself);
        }
    }
    goals.extend(aimed.iter().cloned());
    (kinds, goals)
}

/// The contenders' shares of a round robin's equilibrium before and after the patch; empty unless the game has two
/// sides and every two contenders, of three or more, meet.
fn in_equilibrium(
    layout: &Layout,
    goals: &[Goal],
    fared: [&Fared; 2],
    tell: f64,
) -> Vec<SideEffect> {
    let contenders = layout.contenders();
    let count = contenders.names.len();
    if layout.sides != 2 || count < 3 {
        return Vec::new();
    }
    let shares = fared.map(|fared| {
        let mut pairs = vec![(0.0, 0.0, 0.0); count * count];
        for (at, goal) in goals.iter().enumerate().take(layout.matchups.len()) {
            let Subject::Sides(places) = &goal.who else { continue };
            let (one, other) = (contenders.at[2 * places[0].0], contenders.at[2 * places[0].0 + 1]);
            let (one, other) = (usize::from(one), usize::from(other));
            let Deviation { value, error } = fared.score(at);
            if one != other {
                let lead = value - 0.5;
                for (at, lead) in [(one * count + other, lead), (other * count + one, -lead)] {
                    let (sum, variance, times) = &mut pairs[at];
                    (*sum, *variance, *times) =
                        (*sum + lead, *variance + error * error, *times + 1.0);
                }
            }
        }
        let all_meet = (0..count * count).all(|at| at / count == at % count || pairs[at].2 > 0.0);
        // A lead that chance explains counts as none: between equals any mix is an equilibrium, and then the even one
        // is reported.
        let rarest = (1.0 - CONFIDENCE) / (count * (count - 1) / 2) as f64;
        let lead = |one: usize, other: usize| {
            let (sum, variance, times) = pairs[one * count + other];
            if one == other || two_sided(sum / variance.sqrt()) > rarest {
                0.0
            } else {
                sum / times
            }
        };
        all_meet.then(|| equilibrium(count, lead))
    });
    let [Some(before), Some(after)] = shares else { return Vec::new() };
    let share = |at: usize| {
        let value = after[at] - before[at];
        SideEffect {
            kind: "equilibrium".to_owned(),
            name: contenders.names[at].to_owned(),
            before: before[at],
            after: after[at],
            difference: Estimate { value, low: f64::NAN, high: f64::NAN },
            own: None,
            beyond: Estimate { value, low: f64::NAN, high: f64::NAN },
            p_value: f64::NAN,
            p_adjusted: f64::NAN,
            told: value.abs() > tell,
            is_wanted: false,
        }
    };
    (0..count).map(share).collect()
}
