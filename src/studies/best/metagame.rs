//! The metagame: an equilibrium mix of line-ups, extended until no line-up that is found gains anything against it.
//!
//! The double oracle (H. B. McMahan, G. J. Gordon and A. Blum: "Planning in the presence of cost functions controlled
//! by an adversary", 2003; PSRO: M. Lanctot et al.: "A unified game-theoretic approach to multiagent reinforcement
//! learning", 2017): compute a mixed equilibrium of the line-ups so far, search for the best response to it, add that
//! one, and repeat.

use super::archive::Archive;
use super::arena::{Arena, Ended, Points, Sharing};
use super::bounds::bounds;
use super::model::Seen;
use super::payoffs::{Pair, Table, field};
use super::search::{Found, Hunt, LEAST_EACH, MOST_ALL, search, varied};
use crate::chance::{Seeded, Stream};
use crate::lineups::{LineUp, Space};
use crate::parallel::{self, Pool};
use crate::sorting::Sorting;
use crate::statistics::{Estimate, Level, most_even_equilibrium, near_equilibrium, score};
use crate::table::LEVEL;
use crate::tally::{Layout, OutcomeMeasure};

/// One battle in this many is for a first search; each search that goes on where no response was found takes twice as
/// many.
const SEARCHES: u64 = 120;
/// How often a search is doubled; the last and longest must find no response.
const DOUBLINGS: u32 = 3;
/// One search in this many starts anew, and so do all that are longer than the first.
const ANEW: u64 = 8;
/// One battle in this many is for the bounds on the scores of all line-ups that were examined.
const BOUNDS: u64 = 8;
/// Each line-up that a search found has one fresh battle for this many battles of the search, within limits.
const CONFIRMING: u64 = 96;
const LEAST_CONFIRMING: u64 = 64;
const MOST_CONFIRMING: u64 = 16_384;
/// Battles of a pair at first; and battles, times epsilon squared, of a line-up that is nearly even with the mix
/// against the whole of it: its score is then known to half an epsilon or so.
const FIRST_OF_PAIR: u64 = 16;
const OF_MIX: f64 = 0.6;
/// The number of line-ups at the start.
const FIRST: usize = 3;
/// How many responses a search returns (one for this many battles, within limits), how many of them may join, and how
/// many of these may be alike.
const LEAST_RESPONSES: u64 = 4;
const MOST_RESPONSES: u64 = 12;
const BATTLES_OF_RESPONSE: u64 = 2_048;
const JOINING: usize = 8;
const OF_A_KIND: usize = 4;
/// How many line-ups are remembered: one for this many battles, within limits.
const BATTLES_OF_KNOWN: u64 = 2_500;
const LEAST_KNOWN: u64 = 64;
const MOST_KNOWN: u64 = 3_000;
/// A line-up with at least this many battles in a search counts as raced.
const LEAST_RACED: u32 = 8;
/// How many line-ups are reported, if the mix has no more; one in this many of the last battles is for the scores
/// between them.
const TOLD: usize = 64;
const TELLING: u64 = 4;
/// The number of bootstrap replicates of the mix.
const REDRAWS: usize = 100;

/// The parameters of a metagame.
#[derive(Clone, Copy, Debug)]
pub struct Wish<'w> {
    /// Line-ups to start with, the best first.
    pub starts: &'w [LineUp],
    /// Other line-ups to consider.
    pub reserve: &'w [LineUp],
    /// Choices that every line-up must contain.
    pub kept: &'w [u16],
    /// How many battles to play in all.
    pub battles: u64,
    /// The gain that a response must exceed to join, as a score above even.
    pub epsilon: f64,
}

/// A line-up of the metagame.
#[derive(Clone, Debug)]
pub struct Member {
    /// The line-up.
    pub line_up: LineUp,
    /// The line-up as text.
    pub told: String,
    /// Its share of the equilibrium mix, with a bootstrap interval.
    pub share: Estimate,
    /// Its share of the most even mix that gives away at most epsilon.
    pub even_share: f64,
    /// Its score against each of the members, even against itself; intervals of all pairs hold simultaneously.
    pub scores: Vec<Estimate>,
    /// Its score against the mix, from the battles of the pairs.
    pub against_mix: f64,
}

/// The metagame under one factor (in Splinterlands a ruleset).
#[derive(Clone, Debug)]
pub struct Under {
    /// The factor's name.
    pub factor: String,
    /// Each member's share of the equilibrium under this factor.
    pub shares: Vec<f64>,
    /// Each member's score under this factor against the overall mix; intervals of all members under all factors hold
    /// simultaneously.
    pub scores: Vec<Estimate>,
}

/// The result of a metagame.
#[derive(Clone, Debug)]
pub struct Metagame {
    /// The line-ups, those with the largest share first.
    pub members: Vec<Member>,
    /// The gain that a response must exceed to join, as a score above even.
    pub epsilon: f64,
    /// The number of searches.
    pub searches: usize,
    /// Whether the last searches found no line-up that gains more than epsilon.
    pub closed: bool,
    /// The largest gain among the line-ups that joined last, against the mix before them, as a score above even; NaN
    /// where none joined.
    pub last_gain: f64,
    /// The number of line-ups whose scores are bounded: the best of all searches, and all that the last ones raced.
    pub raced: usize,
    /// None of these line-ups scores more than this against the mix, at 95% confidence for all of them together.
    pub bound: f64,
    /// The line-up with that bound.
    pub bounded: String,
    /// Its score in the battles of the bounds.
    pub bounded_score: Estimate,
    /// The choices that are in no line-up of the mix.
    pub unused: Vec<String>,
    /// The number of choices that line-ups can contain.
    pub choices: usize,
    /// The metagame under each factor that can come up; empty where there is only one condition, or where factors are about
    /// sides: a line-up plays on either side, so that they tell nothing of it.
    pub under: Vec<Under>,
    /// The noun for a factor.
    pub factor_noun: &'static str,
    /// The fewest battles of any pair of members of the mix.
    pub each_pair: u64,
}

impl Under {
    /// The member that most clearly scores more than even against the mix, by its place, with its score; None where no
    /// member significantly does.
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

    /// Half the sum of the absolute differences between the shares of the two mixes: 0 for equal mixes, 1 for two
    /// without a common member.
    #[must_use]
    pub fn distance_of_mixes(&self) -> f64 {
        let difference = |of: &Member| (of.share.value - of.even_share).abs();
        self.members.iter().map(difference).sum::<f64>() / 2.0
    }
}

/// The state of a metagame.
struct Course<'c, 'a, 'w> {
    arena: &'c mut Arena<'a>,
    layout: &'c Layout,
    wish: Wish<'w>,
    table: Table,
    archive: Archive,
    /// Line-ups that the searches since the last change of the mix have raced.
    raced: Vec<LineUp>,
    /// Battles that the arena had played before the metagame.
    before: u64,
    searches: u64,
    /// The largest gain among the line-ups that joined last; NaN before one did.
    last_gain: f64,
}

/// Plays a metagame.
///
/// # Errors
/// When the study is ended early.
pub fn metagame(arena: &mut Arena<'_>, layout: &Layout, wish: Wish<'_>) -> Result<Metagame, Ended> {
    let course = Course {
        before: arena.played,
        arena,
        layout,
        wish,
        table: Table::default(),
        archive: Archive::default(),
        raced: Vec::new(),
        searches: 0,
        last_gain: f64::NAN,
    };
    course.run()
}

impl Course<'_, '_, '_> {
    fn run(mut self) -> Result<Metagame, Ended> {
        let most_known = self.wish.battles / BATTLES_OF_KNOWN;
        let most_known = most_known.clamp(LEAST_KNOWN, MOST_KNOWN) as usize;
        for start in self.wish.starts.iter().take(FIRST) {
            if !self.table.line_ups.contains(start) {
                self.table.add(self.arena, self.layout, start.clone(), FIRST_OF_PAIR)?;
            }
        }
        for line_up in self.wish.starts.iter().chain(self.wish.reserve).take(most_known) {
            self.archive.row(line_up);
        }
        let first_search = first_search(self.arena.line_ups, self.wish.battles);
        let (mut doublings, mut is_last, mut is_closed) = (0, false, false);
        while !is_closed {
            let battles = first_search << doublings;
            let Some(spare) = self.left().checked_sub(battles) else { break };
            let rate = self.rate() * f64::from(1_u32 << doublings);
            let near = 2.0 * self.wish.epsilon;
            let mut mix = self.table.refine(self.arena, self.layout, (near, rate), spare / 8)?;
            if is_last {
                mix = self.settled(&mix, battles)?;
            }
            let is_anew = doublings > 0 || self.searches % ANEW == ANEW - 1;
            let (joining, all) = self.responses(&mix, battles, is_anew)?;
            if joining.is_empty() {
                // No response was found: the next search is longer, against a mix that is known better. The last one is
                // against the very mix that is told.
                is_closed = is_last;
                if !all {
                    doublings = (doublings + 1).min(DOUBLINGS);
                }
                is_last = all || doublings == DOUBLINGS;
                continue;
            }
            is_last = false;
            self.raced.clear();
            doublings = doublings.saturating_sub(1);
            for line_up in joining {
                self.archive.row(&line_up);
                self.table.add(self.arena, self.layout, line_up, FIRST_OF_PAIR)?;
            }
            self.table.prune();
            self.archive.trim(most_known);
        }
        self.told(is_closed)
    }

    /// Battles that are left, without those reserved for the bounds.
    fn left(&self) -> u64 {
        let played = self.arena.played - self.before;
        self.wish.battles.saturating_sub(played + self.wish.battles / BOUNDS)
    }

    /// Battles against the whole mix of a line-up that is nearly even with it: the standard error of its score is then
    /// about two thirds of an epsilon, less with draws.
    fn rate(&self) -> f64 {
        OF_MIX / (self.wish.epsilon * self.wish.epsilon)
    }

    /// Line-ups that a search finds and that gain more than epsilon against the mix in fresh battles, and whether it
    /// played all line-ups there are. A search that starts anew begins with the mix and drawn line-ups instead of what
    /// is known, which may lack a kind of line-up altogether.
    fn responses(
        &mut self,
        mix: &[f64],
        battles: u64,
        is_anew: bool,
    ) -> Result<(Vec<LineUp>, bool), Ended> {
        let support = self.table.support(mix);
        self.archive.fill(self.arena, &support)?;
        let known = self.archive.expected(&support);
        let starts: Vec<LineUp> = match is_anew {
            true => support.iter().map(|(line_up, _)| line_up.clone()).collect(),
            false => Vec::new(),
        };
        let drawn = field(&support);
        let hunt = Hunt {
            field: &drawn.clone().spread(),
            given: &[],
            starts: &starts,
            wanted: (battles / BATTLES_OF_RESPONSE).clamp(LEAST_RESPONSES, MOST_RESPONSES) as usize,
            battles,
            known: if is_anew { Vec::new() } else { known },
            varied: true,
            reserve: 0,
            distinct: false,
            number: self.searches + 1,
        };
        let found = search(self.arena, &hunt, self.wish.kept)?;
        self.searches += 1;
        self.archive.learn(&support, &found.seen);
        self.raced.extend(were_raced(&found).cloned());
        let fresh: Vec<&LineUp> =
            found.ranked.iter().filter(|of| !self.table.line_ups.contains(of)).collect();
        let confirming = (battles / CONFIRMING).clamp(LEAST_CONFIRMING, MOST_CONFIRMING);
        let stream = Stream::Confirmation;
        let points = self.arena.play(&drawn, &fresh, confirming, stream, Sharing::Same)?;
        let gain = |points: &Points| {
            let sum: u64 = points.iter().map(|&of| u64::from(of)).sum();
            sum as f64 / (2 * points.len()) as f64 - 0.5
        };
        let mut gains: Vec<(f64, &LineUp)> = points.iter().map(gain).zip(fresh).collect();
        gains.retain(|(gain, _)| *gain > self.wish.epsilon);
        gains.put_in_order_by(|a, b| b.0.total_cmp(&a.0).then_with(|| a.1.cmp(b.1)));
        self.last_gain = gains.first().map_or(self.last_gain, |(gain, _)| *gain);
        let in_order = gains.iter().map(|(_, line_up)| *line_up);
        Ok((varied(in_order, JOINING, OF_A_KIND), found.all))
    }

    /// Keeps the line-ups that are told, plays what their scores lack, and returns their equilibrium. So many battles
    /// are left over.
    fn settled(&mut self, mix: &[f64], left_over: u64) -> Result<Vec<f64>, Ended> {
        self.raced.extend(self.table.line_ups.iter().cloned());
        self.table.leave(mix, TOLD);
        let battles = self.left().saturating_sub(left_over) / TELLING;
        self.table.level(self.arena, self.layout, battles)?;
        Ok(self.table.mix())
    }

    /// Computes the result.
    fn told(mut self, is_closed: bool) -> Result<Metagame, Ended> {
        // Where it is closed, the last search was against this mix.
        if !is_closed {
            let close = (2.0 * self.wish.epsilon, 4.0 * self.rate());
            let left = self.left();
            let mix = self.table.refine(self.arena, self.layout, close, left)?;
            self.settled(&mix, 0)?;
        }
        let Self { arena, layout, wish, table, archive, mut raced, .. } = self;
        raced.extend(archive.line_ups().chain(&table.line_ups).cloned());
        raced.sort_unstable();
        raced.dedup();
        let mix = table.mix();
        let drawn = field(&table.support(&mix));
        let enough = 0.5 + wish.epsilon / 2.0;
        // Battles that the searches did not use are for the bounds, too.
        let left = wish.battles.saturating_sub(arena.played - self.before);
        let bounds = bounds(arena, &drawn, &raced, enough, left)?;
        let space: &dyn Space = arena.line_ups;
        let (members, order) = members(&arena.pool, space, &table, &mix, wish.epsilon);
        let in_mix =
            |choice: u16| members.iter().any(|of| of.share.value > 0.0 && of.line_up.has(choice));
        let (used, unused): (Vec<u16>, Vec<u16>) =
            space.all_allowed().into_iter().partition(|&choice| in_mix(choice));
        let name = |&choice: &u16| space.choices()[usize::from(choice)].name.clone();
        Ok(Metagame {
            epsilon: wish.epsilon,
            searches: self.searches as usize,
            // Fresh battles may show a gain that the searches underestimated.
            closed: is_closed && bounds.score.low <= 0.5 + wish.epsilon,
            last_gain: self.last_gain,
            raced: bounds.line_ups,
            bound: bounds.bound,
            bounded: space.told(&bounds.line_up),
            bounded_score: bounds.score,
            unused: unused.iter().map(name).collect(),
            choices: used.len() + unused.len(),
            under: under(layout, &table, &mix, &order),
            factor_noun: layout.factor_noun,
            each_pair: table.least_in_mix(&mix),
            members,
        })
    }
}

/// The number of battles of the first and shortest search: enough to play all line-ups where these are few.
fn first_search(space: &dyn Space, battles: u64) -> u64 {
    let few = space.count().filter(|&count| count <= MOST_ALL);
    let all = few.map_or(0, |count| LEAST_EACH as u64 * count as u64);
    let usual = (battles / SEARCHES).max(1);
    if all <= battles / 20 { usual.max(all) } else { usual }
}

/// The line-ups that a search has raced.
fn were_raced(found: &Found) -> impl Iterator<Item = &LineUp> {
    let battles = |of: &Seen| of.against.iter().map(|&(_, battles)| battles).sum::<u32>();
    let often = move |of: &&Seen| battles(of) >= LEAST_RACED || found.all;
    found.seen.iter().filter(often).map(|of| &of.line_up)
}

/// The members, those with the largest shares first, and their indices in the table.
fn members(
    pool: &Pool,
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
    order.put_in_order_by(|&a, &b| mix[b].total_cmp(&mix[a]).then(a.cmp(&b)));
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

/// Parametric bootstrap replicates of the mix: equilibria of payoffs with normal noise of their standard errors.
fn redrawn(pool: &Pool, table: &Table, leads: &[Vec<f64>]) -> Vec<Vec<f64>> {
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
        near_equilibrium(count, |i, j| moved[i][j])
    };
    pool.install(|| parallel::map(REDRAWS, redraw))
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
        _ if layout.neutral.is_none() => Vec::new(),
        _ => (0..layout.factors.len()).filter(|&factor| comes_up(factor)).collect(),
    };
    let level = LEVEL.shared_by((factors.len() * count).max(1) as u64);
    let of_factor = |&factor: &usize| {
        let of = |i: usize, j: usize| table.pair(i, j).under.get(factor).copied().unwrap_or((0, 0));
        let lead = |i: usize, j: usize| match of(i, j) {
            (_, 0) => 0.0,
            (points, battles) => points as f64 / battles as f64 - 1.0,
        };
        let shares = near_equilibrium(count, lead);
        // The score against the mix: the weighted mean over its members, each with its own battles.
        let against_mix = |&i: &usize| {
            // Hoeffding's bounds, which hold for any number of battles: there are few of each pair under each factor.
            let (mut value, mut squares, mut unknown) = (0.0, 0.0, 0.0);
            for (j, &share) in mix.iter().enumerate().filter(|(_, share)| **share > 0.0) {
                if i == j {
                    value += share * 0.5;
                    continue;
                }
                value += share * of_mean(of(i, j));
                match of(i, j).1 {
                    0 => unknown += share / 2.0,
                    battles => squares += share * share / battles as f64,
                }
            }
            let error_rate = 1.0 - level.confidence();
            let half = (libm::log(2.0 / error_rate) / 2.0 * squares).sqrt() + unknown;
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
