//! Who is better: contenders over all seats and match-ups first, then the seats themselves.

use crate::game::Side;
use crate::report::figures::{points, rate, whole};
use crate::statistics::{Estimate, Level, ScorePart, stratified};
use crate::tally::{Count, Layout, OutcomeMeasure, Tally};

/// What a contender has over all of its seats and match-ups with others.
pub(super) struct Standing<'l> {
    pub name: &'l str,
    pub score: Estimate,
    /// The same with an interval that is wide enough to compare as many contenders as there are (Bonferroni).
    pub among_all: Estimate,
}

/// Whatever a run says of who is better.
pub(super) struct Verdict<'l> {
    measure: OutcomeMeasure,
    sides: usize,
    /// The contenders that meet others, best first. Each match-up counts alike.
    pub standings: Vec<Standing<'l>>,
    /// How much each side has more than even, where every contender takes every seat equally often.
    pub seats: Option<Vec<Estimate>>,
    matchups: usize,
    draws: Estimate,
}

impl<'l> Verdict<'l> {
    pub(super) fn of(layout: &'l Layout, tally: &Tally, counts: &[Count], level: Level) -> Self {
        let contenders = layout.contenders();
        let measure = tally.measure();
        let mut parts: Vec<Vec<ScorePart>> = vec![Vec::new(); contenders.names.len()];
        let mut seats: Vec<Vec<ScorePart>> = vec![Vec::new(); layout.sides];
        for (matchup, count) in counts.iter().enumerate() {
            let at = &contenders.at[matchup * layout.sides..][..layout.sides];
            let alone = at.iter().all(|of| *of == at[0]);
            for (side, &of) in at.iter().enumerate() {
                let part = ScorePart::of_results(1.0, count.results(Side(side as u8)), measure);
                seats[side].push(part);
                if !alone {
                    parts[usize::from(of)].push(part);
                }
            }
        }
        let several = parts.iter().filter(|parts| !parts.is_empty()).count().max(1);
        let strict = level.shared_by(several as u64);
        let mut standings: Vec<Standing<'_>> = contenders
            .names
            .iter()
            .zip(&parts)
            .filter(|(_, parts)| !parts.is_empty())
            .map(|(name, parts)| Standing {
                name,
                score: stratified(parts.iter().copied(), level),
                among_all: stratified(parts.iter().copied(), strict),
            })
            .collect();
        standings.sort_by(|a, b| b.score.value.total_cmp(&a.score.value).then(a.name.cmp(b.name)));
        let even = OutcomeMeasure::even(layout.sides);
        let beyond = |of: Estimate| Estimate {
            value: of.value - even,
            low: of.low - even,
            high: of.high - even,
        };
        let seats = is_balanced(layout, &contenders.at)
            .then(|| seats.into_iter().map(|parts| beyond(stratified(parts, level))).collect());
        let all = tally.count(layout, |_, _| true);
        let draws = crate::statistics::proportion(all.draws + all.undecided, all.battles, level);
        Self { measure, sides: layout.sides, standings, seats, matchups: counts.len(), draws }
    }

    fn even(&self) -> f64 {
        OutcomeMeasure::even(self.sides)
    }

    /// Who is favoured, best first, by intervals that hold for all contenders at once.
    pub(super) fn favoured(&self) -> impl Iterator<Item = &Standing<'l>> {
        let even = self.even();
        self.standings.iter().filter(move |of| of.among_all.low > even)
    }

    /// Whether anything speaks against even odds.
    pub(super) fn is_visible(&self) -> bool {
        let even = self.even();
        self.standings.iter().any(|of| of.among_all.excludes(even))
            || self.seats.iter().flatten().any(|seat| seat.excludes(0.0))
    }

    /// The headline, and whatever belongs right under it.
    pub(super) fn lines(&self) -> Vec<String> {
        let even = format!("even is {:.1}%", 100.0 * self.even());
        let even = even.replace(".0%", "%");
        let over = match self.matchups {
            1 => String::new(),
            count => format!(" over {} match-ups", whole(count as u64)),
        };
        let (verb, of_what) = (self.measure.verb(), self.measure.of_what());
        let scores = |of: &Standing<'_>| format!("{} {verb} {}{of_what}", of.name, rate(&of.score));
        let mut lines = Vec::new();
        if let Some(best) = self.favoured().next() {
            let rest = match self.favoured().count() - 1 {
                0 => String::new(),
                1 => "; so is one other".to_owned(),
                more => format!("; so are {} others", whole(more as u64)),
            };
            lines.push(format!(
                "{} is favoured: it {verb} {}{of_what}{over}; {even}{rest}.",
                best.name,
                rate(&best.score)
            ));
        } else if let Some(best) = self.standings.first() {
            lines.push(format!("Nobody is visibly favoured{over}: {}; {even}.", scores(best)));
        } else {
            lines.push("Both sides bring the same, so neither is the better one.".to_owned());
        }
        match &self.seats {
            Some(seats) => {
                let side = if self.sides == 2 { 0 } else { argmax(seats) };
                let seat = Side(side as u8);
                let verdict = if seats[side].excludes(0.0) {
                    format!("The seat matters: side {seat} has {}", points(&seats[side]))
                } else {
                    format!("No seat is visibly better: side {seat} has {}", points(&seats[side]))
                };
                lines.push(format!("{verdict} against even, whoever plays it."));
            }
            None if self.matchups == 1 => lines.push(
                "Seats are not swapped, so a side's advantage is part of its contender's."
                    .to_owned(),
            ),
            None => lines.push(
                "Not everybody takes every seat equally often, so seats cannot be judged apart."
                    .to_owned(),
            ),
        }
        if self.measure == OutcomeMeasure::Score && self.draws.value > 0.0 {
            let halves = if self.sides == 2 { "half a win each" } else { "an equal share each" };
            lines.push(format!(
                "{} of the battles are won by nobody and count {halves}.",
                rate(&self.draws)
            ));
        }
        lines
    }
}

fn argmax(of: &[Estimate]) -> usize {
    (0..of.len()).max_by(|&a, &b| of[a].value.total_cmp(&of[b].value)).unwrap_or(0)
}

/// Whether every contender takes every seat equally often.
fn is_balanced(layout: &Layout, at: &[u16]) -> bool {
    let contenders = at.iter().copied().max().map_or(0, |most| usize::from(most) + 1);
    let mut times = vec![0u32; contenders * layout.sides];
    for (place, &of) in at.iter().enumerate() {
        times[usize::from(of) * layout.sides + place % layout.sides] += 1;
    }
    times.chunks(layout.sides).all(|seats| seats.iter().all(|seat| *seat == seats[0]))
}
