//! The metagame: line-ups against each other, until no other that is found gains anything.
//!
//! The double oracle (H. B. McMahan, G. J. Gordon and A. Blum: "Planning in the presence of cost functions controlled by an
//! adversary", 2003; PSRO: M. Lanctot et al.: "A unified game-theoretic approach to multiagent reinforcement learning", 2017):
//! a mixed equilibrium of the line-ups so far, the best response to it that a search finds, and again with that one among them.

use rayon::prelude::*;

use super::arena::{Arena, Ended, Field, Fixture, Other, Sharing, results};
use super::search::{Hunt, same, search};
use crate::chance::{Seeded, Stream};
use crate::lineups::{LineUp, Space};
use crate::statistics::{Estimate, Level, equilibrium, most_even_equilibrium, score, upper_bound};
use crate::table::LEVEL;
use crate::tally::{Layout, OutcomeMeasure};

/// Of the battles: one in so many is for a first search; those that go on where nobody was found take twice as many each.
const SEARCHES: u64 = 160;
/// So often a search is doubled; the last and longest must find nobody.
const DOUBLINGS: u32 = 3;
/// One in so many for what bounds the gains of all that were raced.
const BOUNDS: u64 = 8;
/// Battles of a pair at first, and at most; those between members of the mix grow as searches do.
const FIRST_OF_PAIR: u64 = 500;
const MOST_OF_PAIR: u64 = 16_000;
/// The line-ups that begin.
const FIRST: usize = 3;
/// How many responses a search gives, and how many of them join.
const RESPONSES: usize = 8;
const JOINING: usize = 4;
/// Members, and responses of earlier searches, that a search begins with.
const BEGINNING: usize = 12;
/// When there are more line-ups than this, those that are farthest behind the mix are left out until so many are left.
const MOST: usize = 64;
const LEFT: usize = 48;
/// Bootstrap replicates of the mix.
const REDRAWS: usize = 100;
/// Battles that whoever is farthest behind has for its bound.
const LEAST_BOUND: u64 = 64;

/// What is asked.
#[derive(Clone, Copy, Debug)]
pub struct Wish<'w> {
    /// Line-ups to begin with.
    pub starts: &'w [LineUp],
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

/// How battles between two ended, for the one that is named first.
#[derive(Clone, Debug, Default)]
struct Pair {
    won: u64,
    shared: u64,
    lost: u64,
    /// By factor: twice the score in points, and battles.
    under: Vec<(u64, u64)>,
}

impl Pair {
    fn battles(&self) -> u64 {
        self.won + self.shared + self.lost
    }

    fn score(&self) -> f64 {
        match self.battles() {
            0 => 0.5,
            battles => (2 * self.won + self.shared) as f64 / (2 * battles) as f64,
        }
    }

    fn turned(&self) -> Self {
        let turn = |&(points, battles): &(u64, u64)| (2 * battles - points, battles);
        Self {
            won: self.lost,
            shared: self.shared,
            lost: self.won,
            under: self.under.iter().map(turn).collect(),
        }
    }

    fn deviation(&self) -> f64 {
        let n = self.battles() as f64;
        if n == 0.0 {
            return 0.0;
        }
        // Agresti and Coull's two battles of either kind: nobody is certain to win after a few.
        let (n, won) = (n + 4.0, self.won as f64 + self.shared as f64 / 2.0 + 2.0);
        let squares = self.won as f64 + self.shared as f64 / 4.0 + 2.0;
        ((squares / n - (won / n).powi(2)) / n).max(0.0).sqrt()
    }
}

/// The line-ups so far and their battles.
struct Table {
    line_ups: Vec<LineUp>,
    /// By row and column, the lower half.
    pairs: Vec<Vec<Pair>>,
}

impl Table {
    fn pair(&self, one: usize, other: usize) -> Pair {
        match one.cmp(&other) {
            std::cmp::Ordering::Less => self.pairs[other][one].turned(),
            std::cmp::Ordering::Equal => Pair::default(),
            std::cmp::Ordering::Greater => self.pairs[one][other].clone(),
        }
    }

    /// How far each leads over each, -1 to 1.
    fn leads(&self) -> Vec<Vec<f64>> {
        let count = self.line_ups.len();
        let lead =
            |i: usize, j: usize| if i == j { 0.0 } else { 2.0 * self.pair(i, j).score() - 1.0 };
        (0..count).map(|i| (0..count).map(|j| lead(i, j)).collect()).collect()
    }

    fn mix(&self) -> Vec<f64> {
        let leads = self.leads();
        equilibrium(self.line_ups.len(), |i, j| leads[i][j])
    }

    /// Plays so many battles more of one with some of those before it, half of them on either side.
    fn play(
        &mut self,
        arena: &mut Arena<'_>,
        layout: &Layout,
        row: usize,
        with: &[usize],
        battles: u64,
    ) -> Result<(), Ended> {
        if with.is_empty() {
            return Ok(());
        }
        let fixtures = with.iter().flat_map(|&other| {
            [0, 1].map(|seat| Fixture {
                seat,
                others: vec![Other::LineUp(self.line_ups[other].clone())],
            })
        });
        let field = Field::even(fixtures.collect());
        let count = field.fixtures().len() as u64;
        let stream = Stream::Metagame;
        let first = arena.next(stream);
        let all = battles.div_ceil(2) * count;
        let candidate = self.line_ups[row].clone();
        let played = arena.play(&field, &[&candidate], all, stream, Sharing::Same)?;
        let conditions = match layout.conditions.len() {
            1 => Vec::new(),
            _ => arena.conditions(layout, &field, stream, first..first + all),
        };
        for (at, &points) in played[0].iter().enumerate() {
            let fixture = ((first + at as u64) % count) as usize;
            let pair = &mut self.pairs[row][with[fixture / 2]];
            match points {
                0 => pair.lost += 1,
                1 => pair.shared += 1,
                _ => pair.won += 1,
            }
            if let Some(&condition) = conditions.get(at) {
                pair.under.resize(layout.factors.len(), (0, 0));
                for &factor in &layout.conditions[condition as usize].factors {
                    let under = &mut pair.under[usize::from(factor)];
                    under.0 += u64::from(points);
                    under.1 += 1;
                }
            }
        }
        Ok(())
    }

    fn add(
        &mut self,
        arena: &mut Arena<'_>,
        layout: &Layout,
        line_up: LineUp,
        battles: u64,
    ) -> Result<(), Ended> {
        let row = self.line_ups.len();
        self.line_ups.push(line_up);
        self.pairs.push(vec![Pair::default(); row]);
        let all: Vec<usize> = (0..row).collect();
        self.play(arena, layout, row, &all, battles)
    }

    /// Plays on until every pair of members of the mix has so many battles, as far as so many in all suffice.
    fn play_in_mix(
        &mut self,
        arena: &mut Arena<'_>,
        layout: &Layout,
        wanted: u64,
        at_most: u64,
    ) -> Result<(), Ended> {
        let began = arena.played;
        let mix = self.mix();
        let members: Vec<usize> = (0..mix.len()).filter(|&at| mix[at] > 0.0).collect();
        for (at, &row) in members.iter().enumerate() {
            for &other in &members[..at] {
                let has = self.pairs[row][other].battles();
                if has < wanted && arena.played - began < at_most {
                    self.play(arena, layout, row, &[other], wanted - has)?;
                }
            }
        }
        Ok(())
    }

    /// The fewest battles that two members of the mix have with each other; 0 where there is one.
    fn least_in_mix(&self, mix: &[f64]) -> u64 {
        let members: Vec<usize> = (0..mix.len()).filter(|&at| mix[at] > 0.0).collect();
        let rows = members.iter().enumerate();
        let pairs = rows.flat_map(|(at, &row)| members[..at].iter().map(move |&of| (row, of)));
        pairs.map(|(row, other)| self.pairs[row][other].battles()).min().unwrap_or(0)
    }

    /// Leaves out those that are farthest behind the mix, where they are many: what beats it is found again.
    fn prune(&mut self) {
        if self.line_ups.len() <= MOST {
            return;
        }
        let (mix, leads) = (self.mix(), self.leads());
        let lead = |at: usize| -> f64 {
            mix.iter().zip(&leads[at]).map(|(share, lead)| share * lead).sum()
        };
        let mut order: Vec<usize> = (0..mix.len()).collect();
        order.sort_by(|&a, &b| {
            let by_share = (mix[b] > 0.0).cmp(&(mix[a] > 0.0));
            by_share.then_with(|| lead(b).total_cmp(&lead(a))).then(a.cmp(&b))
        });
        let in_mix = mix.iter().filter(|share| **share > 0.0).count();
        let mut kept = order[..LEFT.max(in_mix)].to_vec();
        kept.sort_unstable();
        let pairs = kept
            .iter()
            .enumerate()
            .map(|(at, &row)| kept[..at].iter().map(|&other| self.pair(row, other)).collect());
        self.pairs = pairs.collect();
        self.line_ups = kept.iter().map(|&at| self.line_ups[at].clone()).collect();
    }

    /// Whom a search begins with: those who do best against the mix, and the last that others found.
    fn beginnings(&self, mix: &[f64], tried: &[LineUp]) -> Vec<LineUp> {
        let leads = self.leads();
        let lead = |at: usize| mix.iter().zip(&leads[at]).map(|(share, lead)| share * lead).sum();
        let mut order: Vec<(f64, usize)> = (0..mix.len()).map(|at| (lead(at), at)).collect();
        order.sort_by(|a, b| b.0.total_cmp(&a.0).then(a.1.cmp(&b.1)));
        let members = order.iter().take(BEGINNING).map(|&(_, at)| self.line_ups[at].clone());
        members.chain(tried.iter().rev().take(BEGINNING).cloned()).collect()
    }

    /// The field that the mix is.
    fn field(&self, mix: &[f64]) -> Field {
        let support = mix.iter().enumerate().filter(|(_, share)| **share > 0.0);
        let fixtures = support.flat_map(|(at, &share)| {
            [0, 1].map(|seat| {
                let others = vec![Other::LineUp(self.line_ups[at].clone())];
                (Fixture { seat, others }, share)
            })
        });
        Field::weighted(fixtures.collect())
    }
}

/// Plays a metagame.
///
/// # Errors
/// When the study is ended before.
pub fn metagame(arena: &mut Arena<'_>, layout: &Layout, wish: Wish<'_>) -> Result<Metagame, Ended> {
    let began = arena.played;
    let first_search = (wish.battles / SEARCHES).max(1);
    let for_bounds = wish.battles / BOUNDS;
    // What 20 line-ups take with each other is a hundredth of all.
    let of_pair = (wish.battles / 100 / 190).clamp(16, FIRST_OF_PAIR);
    let mut table = Table { line_ups: Vec::new(), pairs: Vec::new() };
    for start in wish.starts.iter().take(FIRST.max(1)) {
        if !table.line_ups.contains(start) {
            table.add(arena, layout, start.clone(), of_pair)?;
        }
    }
    let (mut searches, mut doublings, mut closed) = (0, 0, false);
    let mut raced: Vec<(LineUp, f64)> = Vec::new();
    let mut tried: Vec<LineUp> = wish.starts.to_vec();
    let (mut has_changed, mut last_gain) = (false, f64::NAN);
    while !closed {
        let battles = first_search << doublings;
        let left = wish.battles.saturating_sub(arena.played - began);
        if left < battles + for_bounds {
            break;
        }
        let wanted = (of_pair << (2 * doublings)).min(MOST_OF_PAIR);
        table.play_in_mix(arena, layout, wanted, left.saturating_sub(battles + for_bounds) / 2)?;
        let mix = table.mix();
        let field = table.field(&mix);
        let starts = table.beginnings(&mix, &tried);
        let hunt = Hunt {
            field: &field,
            given: &[],
            starts: &starts,
            wanted: RESPONSES,
            battles,
            distinct: false,
            number: searches as u64 + 1,
        };
        let found = search(arena, &hunt, wish.kept)?;
        searches += 1;
        if has_changed {
            raced.clear();
        }
        let often = |of: &&super::model::Seen| of.battles >= 8.0 || found.all;
        raced.extend(found.seen.iter().filter(often).map(|of| (of.line_up.clone(), of.mean())));
        let fresh: Vec<&LineUp> =
            found.ranked.iter().filter(|of| !table.line_ups.contains(of)).collect();
        tried.extend(fresh.iter().map(|&of| of.clone()));
        let confirming = (battles / 16).clamp(64, 16_384);
        let points = arena.play(&field, &fresh, confirming, Stream::Confirmation, Sharing::Same)?;
        let mut gains: Vec<(f64, LineUp)> = fresh
            .iter()
            .zip(&points)
            .map(|(&line_up, points)| {
                let sum: u64 = points.iter().map(|&of| u64::from(of)).sum();
                (sum as f64 / (2 * points.len()) as f64 - 0.5, line_up.clone())
            })
            .filter(|(gain, _)| *gain > wish.epsilon)
            .collect();
        gains.sort_by(|a, b| b.0.total_cmp(&a.0).then_with(|| a.1.cmp(&b.1)));
        last_gain = gains.first().map_or(last_gain, |(gain, _)| *gain);
        let mut joining: Vec<LineUp> = Vec::new();
        for (_, line_up) in gains {
            if joining.len() < JOINING && !joining.iter().any(|other| same(other, &line_up)) {
                joining.push(line_up);
            }
        }
        has_changed = !joining.is_empty();
        if !has_changed {
            // Nobody was found: the next look is longer, at a mix that is more certain.
            closed = doublings == DOUBLINGS || found.all;
            doublings = (doublings + 1).min(DOUBLINGS);
        }
        for line_up in joining {
            table.add(arena, layout, line_up, of_pair)?;
        }
        table.prune();
    }
    let mix = table.mix();
    let bounds = bounds(arena, &table, &mix, raced, for_bounds)?;
    let space: &dyn Space = arena.line_ups;
    let (members, order) = members(&arena.pool, space, &table, &mix, wish.epsilon);
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
        raced: bounds.raced,
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

/// What bounds the gain of every line-up that was raced.
struct Bounds {
    raced: usize,
    bound: f64,
    line_up: LineUp,
    score: Estimate,
}

/// Plays fresh battles against the mix with all that were raced, most with those who may gain, and bounds what each of them
/// scores. How many battles each has was decided before the first of them, so that the bounds hold for what they are played
/// with.
fn bounds(
    arena: &mut Arena<'_>,
    table: &Table,
    mix: &[f64],
    mut raced: Vec<(LineUp, f64)>,
    battles: u64,
) -> Result<Bounds, Ended> {
    raced.extend(table.line_ups.iter().map(|line_up| (line_up.clone(), 0.5)));
    // Of those seen more than once, the higher score counts.
    raced.sort_by(|a, b| a.0.cmp(&b.0).then_with(|| b.1.total_cmp(&a.1)));
    raced.dedup_by(|next, kept| next.0 == kept.0);
    let alpha = (1.0 - LEVEL.confidence()) / raced.len().max(1) as f64;
    // Enough to tell it from even, if it scores what it did.
    let wish = |mean: f64| {
        let gap = (0.51 - mean).max(0.005);
        -alpha.ln() / (2.0 * gap * gap)
    };
    let share = |most: f64| raced.iter().map(|(_, mean)| wish(*mean).min(most)).sum::<f64>();
    let (mut low, mut high) = (LEAST_BOUND as f64, 65_536.0);
    for _ in 0..40 {
        let middle = f64::midpoint(low, high);
        if share(middle) > battles as f64 { high = middle } else { low = middle }
    }
    let number = |mean: f64| (wish(mean).min(low) as u64).max(LEAST_BOUND);
    let each: Vec<u64> = raced.iter().map(|(_, mean)| number(*mean)).collect();
    let line_ups: Vec<&LineUp> = raced.iter().map(|(line_up, _)| line_up).collect();
    let field = table.field(mix);
    let sharing = Sharing::Same;
    let points = arena.play_each(&field, &line_ups, &each, Stream::Bounds, sharing)?;
    let bounds = points.iter().map(|points| {
        let sum: u64 = points.iter().map(|&of| u64::from(of)).sum();
        let mean = sum as f64 / (2 * points.len()) as f64;
        upper_bound(mean, points.len() as u64, alpha)
    });
    let highest = bounds.enumerate().max_by(|a, b| a.1.total_cmp(&b.1).then(b.0.cmp(&a.0)));
    let (at, bound) = highest.unwrap_or((0, 1.0));
    let together = LEVEL.shared_by(raced.len() as u64);
    Ok(Bounds {
        raced: raced.len(),
        bound,
        line_up: line_ups[at].clone(),
        score: score(results(&points[at], 2), OutcomeMeasure::Score, together),
    })
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
