//! The metagame: line-ups against each other, until no other that is found gains anything.
//!
//! The double oracle (H. B. McMahan, G. J. Gordon and A. Blum: "Planning in the presence of cost functions controlled by an
//! adversary", 2003; PSRO: M. Lanctot et al.: "A unified game-theoretic approach to multiagent reinforcement learning", 2017):
//! a mixed equilibrium of the line-ups so far, the best response to it that a search finds, and again with that one among them.

use rayon::prelude::*;

use super::archive::Archive;
use super::arena::{Arena, Ended, Sharing};
use super::bounds::bounds;
use super::model::Seen;
use super::payoffs::{Pair, Table, field};
use super::search::{Found, Hunt, MOST_ALL, search, varied};
use crate::chance::{Seeded, Stream};
use crate::lineups::{LineUp, Space};
use crate::statistics::{Estimate, Level, equilibrium, most_even_equilibrium, score};
use crate::table::LEVEL;
use crate::tally::{Layout, OutcomeMeasure};

pub(super) fn knob(name: &str, default: f64) -> f64 {
    std::env::var(format!("PROBE_{name}")).ok().map_or(default, |text| text.parse().unwrap())
}

/// Of the battles: one in so many is for a first search; those that go on where nobody was found take twice as many each.
const SEARCHES: u64 = 160;
/// So often a search is doubled; the last and longest must find nobody.
const DOUBLINGS: u32 = 3;
/// One in so many for what bounds the gains of all that were raced.
const BOUNDS: u64 = 8;
/// Battles of a pair at first.
const FIRST_OF_PAIR: u64 = 32;
/// The line-ups that begin.
const FIRST: usize = 3;
/// How many responses a search gives, and how many of them join.
const RESPONSES: usize = 12;
const JOINING: usize = 8;
/// Bootstrap replicates of the mix.
const REDRAWS: usize = 100;
/// What is asked.
#[derive(Clone, Copy, Debug)]
pub struct Wish<'w> {
    /// Line-ups to begin with, the best first.
    pub starts: &'w [LineUp],
    /// Others to look at.
    pub reserve: &'w [LineUp],
    /// What every line-up must have.
    pub kept: &'w [u16],
    /// How many battles to play in all.
    pub battles: u64,
    /// What a response must gain to join, as a score above even.
    pub epsilon: f64,
}

/// A line-up of the metagame.
#[derive(Clone, Debug)]
pub struct Member {
    /// What it is.
    pub line_up: LineUp,
    /// As it is written.
    pub told: String,
    /// Its share of the equilibrium mix, with a bootstrap interval.
    pub share: Estimate,
    /// Its share of the most even mix that gives away at most epsilon.
    pub even_share: f64,
    /// Its score against each of the members, itself even; intervals of all pairs hold together.
    pub scores: Vec<Estimate>,
    /// Its score against the mix, from the battles of the pairs.
    pub against_mix: f64,
}

/// How the metagame is under one factor (in Splinterlands a ruleset).
#[derive(Clone, Debug)]
pub struct Under {
    /// Which.
    pub factor: String,
    /// Each member's share of the factor's own equilibrium.
    pub shares: Vec<f64>,
    /// Each member's score against the mix of all battles there; intervals of all members under all factors hold together.
    pub scores: Vec<Estimate>,
}

/// What came of a metagame.
#[derive(Clone, Debug)]
pub struct Metagame {
    /// The line-ups, those with the largest share first.
    pub members: Vec<Member>,
    /// What a response must gain to join.
    pub epsilon: f64,
    /// How many searches there were.
    pub searches: usize,
    /// Whether the last searches found nobody who gains more than epsilon.
    pub closed: bool,
    /// What the last that joined gained against the mix before it, as a score above even; unknown where nobody joined.
    pub last_gain: f64,
    /// How many line-ups the last searches raced, whose gains are bounded.
    pub raced: usize,
    /// No line-up of these scores more against the mix, at 95% for all of them together.
    pub bound: f64,
    /// The line-up with that bound.
    pub bounded: String,
    /// Its score in the battles of the bounds.
    pub bounded_score: Estimate,
    /// What can be in line-ups and is in none of the mix.
    pub unused: Vec<String>,
    /// How many choices line-ups can have.
    pub choices: usize,
    /// By factor, where several can come up.
    pub under: Vec<Under>,
    /// Battles of each pair of members of the mix, at least.
    pub each_pair: u64,
}

impl Under {
    /// The member that most visibly scores more than even against the mix, if one does.
    #[must_use]
    pub fn exploiter(&self) -> Option<(usize, Estimate)> {
        let all = self.scores.iter().copied().enumerate();
        all.filter(|(_, score)| score.low > 0.5).max_by(|a, b| a.1.low.total_cmp(&b.1.low))
    }
}

impl Metagame {
    /// The members with a share of the mix.
    pub fn support(&self) -> impl Iterator<Item = &Member> {
        self.members.iter().filter(|member| member.share.value > 0.0)
    }

    /// Half the sum of what the shares of the two mixes differ by: 0 for the same, 1 for two without a member in common.
    #[must_use]
    pub fn distance_of_mixes(&self) -> f64 {
        let difference = |of: &Member| (of.share.value - of.even_share).abs();
        self.members.iter().map(difference).sum::<f64>() / 2.0
    }
}

/// Plays a metagame.
///
/// # Errors
/// When the study is ended before.
pub fn metagame(arena: &mut Arena<'_>, layout: &Layout, wish: Wish<'_>) -> Result<Metagame, Ended> {
    let clock = std::time::Instant::now();
    let began = arena.played;
    let for_bounds = wish.battles / BOUNDS;
    let first_search = first_search(arena.line_ups, wish.battles);
    let most_known = (wish.battles as f64 / knob("PER_ROW", 2500.0)).clamp(64.0, knob("ROWS", 3000.0)) as usize;
    let of_pair = (wish.battles / 100 / 190).clamp(16, knob("PAIR", FIRST_OF_PAIR as f64) as u64);
    let (mut table, mut archive) = (Table::default(), Archive::default());
    for start in wish.starts.iter().take(FIRST.max(1)) {
        if !table.line_ups.contains(start) {
            table.add(arena, layout, start.clone(), of_pair)?;
        }
    }
    for line_up in wish.starts.iter().chain(wish.reserve).take(most_known) {
        archive.row(line_up);
    }
    let (mut searches, mut doublings, mut closed) = (0, 0, false);
    let longest = knob("DOUBLINGS", f64::from(DOUBLINGS)) as u32;
    let mut raced: Vec<LineUp> = Vec::new();
    let (mut has_changed, mut last_gain) = (false, f64::NAN);
    let mut times = [0.0_f64; 6];
    while !closed {
        let battles = first_search << doublings;
        let left = wish.battles.saturating_sub(arena.played - began);
        if left < battles + for_bounds {
            break;
        }
        let t0 = clock.elapsed().as_secs_f64();
        let p0 = arena.played;
        let rate = knob("RATE", 0.6) / (wish.epsilon * wish.epsilon) * f64::from(1 << doublings);
        let at_most = (left - battles - for_bounds) / 8;
        let mix = table.refine(arena, layout, (2.0 * wish.epsilon, rate), at_most)?;
        let support = table.support(&mix);
        let t1 = clock.elapsed().as_secs_f64();
        let p1 = arena.played;
        archive.fill(arena, &support)?;
        let known = archive.expected(&support);
        let t2 = clock.elapsed().as_secs_f64();
        let p2 = arena.played;
        let best_known = known.iter().map(Seen::mean).fold(0.0, f64::max);
        let drawn = field(&support);
        let spread = drawn.clone().spread();
        let hunt = Hunt {
            field: &spread,
            given: &[],
            starts: &[],
            wanted: knob("RESPONSES", RESPONSES as f64) as usize,
            battles,
            exploring: knob("EXPLORING", 8.0) as u64,
            known,
            varied: true,
            reserve: 0,
            distinct: false,
            number: searches as u64 + 1,
        };
        let found = search(arena, &hunt, wish.kept)?;
        searches += 1;
        let t3 = clock.elapsed().as_secs_f64();
        let p3 = arena.played;
        archive.learn(&support, &found.seen);
        if has_changed {
            raced.clear();
        }
        raced.extend(were_raced(&found).cloned());
        let fresh: Vec<&LineUp> =
            found.ranked.iter().filter(|of| !table.line_ups.contains(of)).collect();
        let confirming = (battles / knob("CONFIRM", 96.0) as u64).clamp(256, 16_384);
        let points = arena.play(&drawn, &fresh, confirming, Stream::Confirmation, Sharing::Same)?;
        let mut gains: Vec<(f64, &LineUp)> = fresh
            .iter()
            .zip(&points)
            .map(|(&line_up, points)| {
                let sum: u64 = points.iter().map(|&of| u64::from(of)).sum();
                (sum as f64 / (2 * points.len()) as f64 - 0.5, line_up)
            })
            .collect();
        gains.sort_by(|a, b| b.0.total_cmp(&a.0).then_with(|| a.1.cmp(b.1)));
        let best_fresh = gains.first().map_or(f64::NAN, |(gain, _)| *gain);
        gains.retain(|(gain, _)| *gain > wish.epsilon);
        last_gain = gains.first().map_or(last_gain, |(gain, _)| *gain);
        let joining = varied(
            gains.iter().map(|(_, line_up)| *line_up),
            knob("JOINING", JOINING as f64) as usize,
            knob("OF_A_KIND", 4.0) as usize,
        );
        has_changed = !joining.is_empty();
        let t4 = clock.elapsed().as_secs_f64();
        let p4 = arena.played;
        eprintln!(
            "PROBE search {searches} d {doublings} total {:>8} members {} support {} archive {} known {:.3} fresh {:+.3} over {} joining {} | refine {} fill {} search {} confirm {} of {:?}",
            arena.played - began, table.line_ups.len(), support.len(), archive.len(), best_known, best_fresh, gains.len(), joining.len(),
            p1 - p0, p2 - p1, p3 - p2, p4 - p3, confirming
        );
        if !has_changed {
            // Nobody was found: the next look is longer, at a mix that is more certain.
            closed = doublings == longest || found.all;
            doublings = (doublings + 1).min(longest);
        } else {
            doublings = doublings.saturating_sub(knob("BACK", 1.0) as u32);
        }
        for line_up in joining {
            archive.row(&line_up);
            table.add(arena, layout, line_up, of_pair)?;
        }
        table.prune();
        archive.trim(most_known);
        let t5 = clock.elapsed().as_secs_f64();
        for (at, of) in [t1 - t0, t2 - t1, t3 - t2, t4 - t3, t5 - t4].into_iter().enumerate() {
            times[at] += of;
        }
    }
    let t0 = clock.elapsed().as_secs_f64();
    let mix = match closed {
        // The mix that the last search looked at.
        true => table.mix(),
        false => {
            let left = wish.battles.saturating_sub(arena.played - began);
            let rate = 4.0 * knob("RATE", 0.6) / (wish.epsilon * wish.epsilon);
            table.refine(arena, layout, (2.0 * wish.epsilon, rate), left.saturating_sub(for_bounds))?
        }
    };
    let drawn = field(&table.support(&mix));
    let mut looked_at: Vec<LineUp> = raced;
    looked_at.extend(archive.line_ups().cloned());
    looked_at.extend(table.line_ups.iter().cloned());
    looked_at.sort_unstable();
    looked_at.dedup();
    let bounds = bounds(arena, &drawn, &looked_at, 0.5 + wish.epsilon / 2.0, for_bounds)?;
    let t1 = clock.elapsed().as_secs_f64();
    let space: &dyn Space = arena.line_ups;
    let (members, order) = members(&arena.pool, space, &table, &mix, wish.epsilon);
    eprintln!("PROBE times refine {:.1} fill {:.1} search {:.1} confirm {:.1} join {:.1} bounds {:.1} members {:.1}", times[0], times[1], times[2], times[3], times[4], t1 - t0, clock.elapsed().as_secs_f64() - t1);
    let in_mix =
        |choice: u16| members.iter().any(|of| of.share.value > 0.0 && of.line_up.has(choice));
    let all = (0..space.choices().len() as u16).filter(|&choice| space.allows(choice));
    let (used, unused): (Vec<u16>, Vec<u16>) = all.partition(|&choice| in_mix(choice));
    let name = |&choice: &u16| space.choices()[usize::from(choice)].name.clone();
    Ok(Metagame {
        epsilon: wish.epsilon,
        searches,
        closed,
        last_gain,
        raced: bounds.line_ups,
        bound: bounds.bound,
        bounded: space.told(&bounds.line_up),
        bounded_score: bounds.score,
        unused: unused.iter().map(name).collect(),
        choices: used.len() + unused.len(),
        under: under(layout, &table, &mix, &order),
        each_pair: table.least_in_mix(&mix),
        members,
    })
}

/// How many battles the first and shortest search has: enough to play all line-ups where these are few.
fn first_search(space: &dyn Space, battles: u64) -> u64 {
    let few = space.count().filter(|&count| count <= MOST_ALL);
    let all = few.map_or(0, |count| 16 * count as u64);
    let usual = (battles / knob("SEARCHES", SEARCHES as f64) as u64).max(1);
    if all <= battles / 20 { usual.max(all) } else { usual }
}

/// Whom a search has raced.
fn were_raced(found: &Found) -> impl Iterator<Item = &LineUp> {
    let battles = |of: &Seen| of.against.iter().map(|&(_, battles)| battles).sum::<u32>();
    let often = move |of: &&Seen| battles(of) >= 8 || found.all;
    found.seen.iter().filter(often).map(|of| &of.line_up)
}

/// The members with the largest shares first, and their places in the table.
fn members(
    pool: &rayon::ThreadPool,
    space: &dyn Space,
    table: &Table,
    mix: &[f64],
    epsilon: f64,
) -> (Vec<Member>, Vec<usize>) {
    let count = table.line_ups.len();
    let leads = table.leads();
    let even = most_even_equilibrium(count, 2.0 * epsilon, |i, j| leads[i][j]);
    let redrawn = redrawn(pool, table, &leads);
    let share = |at: usize| {
        let mut of: Vec<f64> = redrawn.iter().map(|shares| shares[at]).collect();
        of.sort_by(f64::total_cmp);
        let cut = REDRAWS / 40;
        let value = mix[at];
        Estimate { value, low: of[cut].min(value), high: of[REDRAWS - 1 - cut].max(value) }
    };
    let pairs = (count * count.saturating_sub(1) / 2).max(1) as u64;
    let level = LEVEL.shared_by(pairs);
    let against = |i: usize, j: usize| match i == j {
        true => Estimate { value: 0.5, low: 0.5, high: 0.5 },
        false => estimate(&table.pair(i, j), level),
    };
    let mut order: Vec<usize> = (0..count).collect();
    order.sort_by(|&a, &b| mix[b].total_cmp(&mix[a]).then(a.cmp(&b)));
    let member = |&at: &usize| Member {
        line_up: table.line_ups[at].clone(),
        told: space.told(&table.line_ups[at]),
        share: share(at),
        even_share: even[at],
        scores: order.iter().map(|&other| against(at, other)).collect(),
        against_mix: 0.5
            + mix.iter().zip(&leads[at]).map(|(share, lead)| share * lead).sum::<f64>() / 2.0,
    };
    let members = order.iter().map(member).collect();
    (members, order)
}

fn estimate(pair: &Pair, level: Level) -> Estimate {
    let results =
        crate::tally::Results { won: pair.won, shared: pair.shared, lost: pair.lost, sides: 2 };
    score(results, OutcomeMeasure::Score, level)
}

/// The mix once more for payoffs as far off as chance makes them.
fn redrawn(pool: &rayon::ThreadPool, table: &Table, leads: &[Vec<f64>]) -> Vec<Vec<f64>> {
    let count = leads.len();
    let deviations: Vec<Vec<f64>> =
        (0..count).map(|i| (0..i).map(|j| 2.0 * table.pairs[i][j].deviation()).collect()).collect();
    let redraw = |number: usize| {
        let mut random = Seeded::of_battle(1, number as u64);
        let mut moved = leads.to_vec();
        for i in 0..count {
            for j in 0..i {
                moved[i][j] = leads[i][j] + deviations[i][j] * random.normal();
                moved[j][i] = -moved[i][j];
            }
        }
        equilibrium(count, |i, j| moved[i][j])
    };
    pool.install(|| (0..REDRAWS).into_par_iter().map(redraw).collect())
}

/// The metagame under each factor that can come up.
fn under(layout: &Layout, table: &Table, mix: &[f64], order: &[usize]) -> Vec<Under> {
    let count = table.line_ups.len();
    let comes_up = |factor: usize| {
        let has = |of: &crate::tally::Condition| of.factors.contains(&(factor as u16));
        layout.conditions.iter().any(|of| of.probability > 0.0 && has(of))
    };
    let factors: Vec<usize> = match layout.conditions.len() {
        1 => Vec::new(),
        _ => (0..layout.factors.len()).filter(|&factor| comes_up(factor)).collect(),
    };
    let level = LEVEL.shared_by((factors.len() * count).max(1) as u64);
    let of_factor = |&factor: &usize| {
        let of = |i: usize, j: usize| table.pair(i, j).under.get(factor).copied().unwrap_or((0, 0));
        let lead = |i: usize, j: usize| match of(i, j) {
            (_, 0) => 0.0,
            (points, battles) => points as f64 / battles as f64 - 1.0,
        };
        let shares = equilibrium(count, lead);
        // Against the mix: the mean over its members, each with its own battles.
        let against_mix = |&i: &usize| {
            let (mut value, mut variance) = (0.0, 0.0);
            for (j, &share) in mix.iter().enumerate().filter(|(_, share)| **share > 0.0) {
                if i == j {
                    value += share * 0.5;
                    continue;
                }
                let (points, battles) = of(i, j);
                let (points, battles) = (points as f64 / 2.0 + 2.0, battles as f64 + 4.0);
                let mean = points / battles;
                value += share * of_mean(of(i, j));
                variance += share * share * mean * (1.0 - mean) / battles;
            }
            let half = level.z() * variance.sqrt();
            Estimate { value, low: (value - half).max(0.0), high: (value + half).min(1.0) }
        };
        let scores: Vec<Estimate> = order.iter().map(against_mix).collect();
        Under {
            factor: layout.factors[factor].clone(),
            shares: order.iter().map(|&at| shares[at]).collect(),
            scores,
        }
    };
    factors.iter().map(of_factor).collect()
}

fn of_mean((points, battles): (u64, u64)) -> f64 {
    if battles == 0 { 0.5 } else { points as f64 / (2 * battles) as f64 }
}
