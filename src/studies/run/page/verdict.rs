//! The verdict on who is better: first contenders over all seats and match-ups, then the seats themselves.

use super::seating::Pairings;
use crate::game::Side;
use crate::report::figures::{capital, points, rate, whole};
use crate::report::page::Tone;
use crate::sorting::Sorting;
use crate::statistics::{Estimate, Level, ScorePart, stratified};
use crate::tally::{Count, Layout, OutcomeMeasure, Tally};

/// With fewer battles than this, no contender and no seat is said to be better.
const FEWEST: u64 = 10;

/// A contender's score over all of its seats and its match-ups with others.
pub(super) struct ContenderStanding<'l> {
    pub name: &'l str,
    pub score: Estimate,
    /// The same with an interval for whoever is chosen among all contenders (Bonferroni).
    adjusted: Estimate,
    /// How many match-ups the score is taken over.
    pub matchups: usize,
    /// How far the score is above even, with an interval wide enough to compare as many contenders as there are
    /// (Bonferroni).
    pub beyond: Estimate,
}

impl ContenderStanding<'_> {
    /// The tone of the contender's lead over even, by an interval that holds for all contenders at once.
    pub(super) fn tone(&self) -> Tone {
        Tone::of(&self.beyond, 0.0)
    }
}

/// A contender's name as a sentence begins with it: one without a name of its own is called `side A`.
pub(super) fn at_the_start(name: &str) -> String {
    if name.starts_with("side ") { capital(name) } else { name.to_owned() }
}

/// Where more than so many have the same score as the first two that are favoured, they are counted.
const NAMED: usize = 4;

/// Whether in these battles one side's lead is exactly the other's deficit, as it also is in wins where nobody shares.
pub(super) fn are_mirrored(counts: &[Count], measure: OutcomeMeasure) -> bool {
    let sides = counts.first().map_or(2, |count| count.wins.len());
    let nobody_shares = || counts.iter().all(|count| count.results(Side::A).shared == 0);
    measure.is_mirrored(sides) || sides == 2 && nobody_shares()
}

/// How many independent comparisons with even there are: where only two meet, one may gain what the other loses.
fn comparisons(contenders: usize, mirrored: bool) -> u64 {
    match contenders {
        2 if mirrored => 1,
        several => several.max(1) as u64,
    }
}

/// Everything that a run concludes about who is better.
pub(super) struct Verdict<'l> {
    measure: OutcomeMeasure,
    sides: usize,
    /// The contenders that meet others, best first. Every match-up has the same weight.
    pub standings: Vec<ContenderStanding<'l>>,
    /// How far each side's score is above even, where every contender takes every seat equally often. The intervals
    /// allow for all seats whose score does not follow from the others' (Bonferroni).
    pub seats: Option<Vec<Estimate>>,
    /// In which pairings of contenders a seat is visibly better, of a duel.
    pairings: Pairings,
    /// Whether every two contenders meet equally often.
    meet_alike: bool,
    matchups: usize,
    /// Whether there is a match-up of which no battle was played.
    has_unplayed: bool,
    draws: Estimate,
    /// Whether one side's lead is the other's deficit.
    are_mirrored: bool,
}

impl<'l> Verdict<'l> {
    pub(super) fn of(layout: &'l Layout, tally: &Tally, counts: &[Count], level: Level) -> Self {
        let contenders = layout.contenders();
        let measure = tally.measure();
        // For each contender the scores that are shown, and those that it is judged by.
        let mut parts: Vec<[Vec<ScorePart>; 2]> = vec![Default::default(); contenders.names.len()];
        let mut seats: Vec<Vec<ScorePart>> = vec![Vec::new(); layout.sides];
        let mut met = vec![0; contenders.names.len()];
        for (matchup, count) in counts.iter().enumerate() {
            let at = &contenders.at[matchup * layout.sides..][..layout.sides];
            let alone = at.iter().all(|of| *of == at[0]);
            for (side, &of) in at.iter().enumerate() {
                met[usize::from(of)] += usize::from(!alone && !at[..side].contains(&of));
                let results = count.results(Side(side as u8));
                let [shown, judged] = [measure, measure.judged_by()]
                    .map(|measure| ScorePart::of_results(1.0, results, measure));
                seats[side].push(judged);
                if !alone {
                    parts[usize::from(of)][0].push(shown);
                    parts[usize::from(of)][1].push(judged);
                }
            }
        }
        let several = parts.iter().filter(|[shown, _]| !shown.is_empty()).count();
        let [strict, strict_of_judged] = [measure, measure.judged_by()]
            .map(|measure| level.shared_by(comparisons(several, are_mirrored(counts, measure))));
        let even = OutcomeMeasure::even(layout.sides);
        let beyond = |of: Estimate| Estimate {
            value: of.value - even,
            low: of.low - even,
            high: of.high - even,
        };
        let judge = |parts: &[ScorePart], level: Level| -> Estimate {
            let battles: u64 = parts.iter().map(|part| part.sample.count).sum();
            let of = stratified(parts.iter().copied(), level);
            // In a handful of battles that happen to end alike, the interval would exclude even in more than one run
            // of ten.
            let few = Estimate { low: 0.0, high: 1.0, ..of };
            beyond(if battles < FEWEST && !of.value.is_nan() { few } else { of })
        };
        let mut standings: Vec<ContenderStanding<'_>> = contenders
            .names
            .iter()
            .zip(&parts)
            .zip(met)
            .filter(|((_, [shown, _]), _)| !shown.is_empty())
            .map(|((name, [shown, judged]), matchups)| ContenderStanding {
                name,
                matchups,
                score: stratified(shown.iter().copied(), level),
                adjusted: stratified(shown.iter().copied(), strict),
                beyond: judge(judged, strict_of_judged),
            })
            .collect();
        standings.put_in_order_by(|a, b| {
            b.score.value.total_cmp(&a.score.value).then(a.name.cmp(b.name))
        });
        let of_seats = if layout.sides == 2 { level } else { level.shared_by(layout.sides as u64) };
        let pairings = Pairings::of(layout, &contenders.at, level, |matchups, level| {
            let parts: Vec<ScorePart> = matchups.iter().map(|&at| seats[0][at]).collect();
            judge(&parts, level)
        });
        let seats = layout
            .has_balanced_seats()
            .then(|| seats.iter().map(|parts| judge(parts, of_seats)).collect());
        let all = tally.count(layout, |_, _| true);
        let draws = crate::statistics::proportion(all.draws + all.undecided, all.battles, level);
        Self {
            measure,
            sides: layout.sides,
            standings,
            seats,
            pairings,
            meet_alike: layout.has_balanced_opponents(),
            matchups: counts.len(),
            has_unplayed: counts.iter().any(|count| count.battles == 0),
            draws,
            are_mirrored: are_mirrored(counts, measure),
        }
    }

    /// Judges the seats of a duel, and its two contenders if there is one match-up, by the interval of side A's score that
    /// a stopping rule looked at, where one did: by another one, a page could contradict itself.
    pub(super) fn tested(mut self, layout: &Layout, score: Option<Estimate>) -> Self {
        let Some(score) = score else { return self };
        let even = OutcomeMeasure::even(2);
        let Estimate { value, low, high } = score;
        let ahead = Estimate { value: value - even, low: low - even, high: high - even };
        let behind = Estimate { value: -ahead.value, low: -ahead.high, high: -ahead.low };
        if let Some([a, b]) = self.seats.as_deref_mut() {
            (*a, *b) = (ahead, behind);
        }
        if self.matchups == 1 && self.sides == 2 {
            let first = &layout.matchups[0].contenders[0];
            for of in &mut self.standings {
                of.beyond = if of.name == first { ahead } else { behind };
                let Estimate { value, low, high } = of.beyond;
                of.score = Estimate { value: value + even, low: low + even, high: high + even };
                of.adjusted = of.score;
            }
        }
        self
    }

    /// The value that a contender would have if nothing favoured anybody. As a share of all battles, it is lowered by
    /// those that are drawn.
    fn even(&self, of: Option<&ContenderStanding<'l>>) -> String {
        let scored = OutcomeMeasure::even(self.sides);
        let lowered = of.map(|of| of.score.value - of.beyond.value);
        let (even, why) = match (self.measure, lowered) {
            // Where the contender's own battles are all won by somebody, wins are scores.
            (OutcomeMeasure::Wins, Some(even)) if scored - even > 1e-9 => (
                even,
                " of its battles, because nobody wins the others, and who is ahead goes by the score",
            ),
            _ => (scored, ""),
        };
        format!("even is {:.1}%{why}", 100.0 * even).replace(".0%", "%")
    }

    /// The contenders that are favoured, best first, by intervals that hold for all contenders at once.
    pub(super) fn favoured(&self) -> impl Iterator<Item = &ContenderStanding<'l>> {
        self.standings.iter().filter(|of| of.beyond.low > 0.0)
    }

    /// A sentence on whether one seat is better than another.
    pub(super) fn of_seats(&self, seats: &[Estimate]) -> String {
        let side = if self.sides == 2 { 0 } else { farthest(seats) };
        let which = match self.sides {
            2 => String::new(),
            sides => format!(", the farthest of {sides} from even,"),
        };
        if seats[side].value.is_nan() {
            return self.nothing_counts("whether a seat is better");
        }
        let verdict = match seats[side].excludes(0.0) {
            true => "The seat matters",
            false => "No seat is visibly better",
        };
        let (of_whom, in_pairings) = match self.matchups {
            1 => ("whoever plays it", String::new()),
            _ => ("on average over the match-ups", self.pairings.against(&seats[0])),
        };
        format!(
            "{verdict}: side {}{which} has {} against even, {of_whom}.{in_pairings}",
            Side(side as u8),
            points(&seats[side])
        )
    }

    /// What cannot be told where a match-up has no battle that counts.
    fn nothing_counts(&self, what: &str) -> String {
        match self.measure == OutcomeMeasure::Decided && !self.has_unplayed {
            true => format!(
                "Nobody has won a battle of some match-ups, so decided battles do not tell {what}."
            ),
            false => format!("Too few battles were played of some match-ups to tell {what}."),
        }
    }

    /// Whether anything is visibly away from even odds.
    pub(super) fn is_visible(&self) -> bool {
        self.standings.iter().any(|of| of.beyond.excludes(0.0))
            || self.seats.iter().flatten().any(|seat| seat.excludes(0.0))
    }

    /// The headline, and the lines that belong right under it.
    pub(super) fn lines(&self) -> Vec<String> {
        let over = |of: &ContenderStanding<'_>| match of.matchups {
            1 => String::new(),
            count => format!(" over its {} match-ups", whole(count as u64)),
        };
        let (verb, of_what) = (self.measure.verb(), self.measure.of_what());
        let mut lines = Vec::new();
        if let Some(best) = self.favoured().next() {
            // Where everything is decided several may have the same score.
            let alike: Vec<&str> = self
                .favoured()
                .take_while(|of| of.score.value >= best.score.value)
                .map(|of| of.name)
                .collect();
            let (who, it) = match &alike[..] {
                [first, second, others @ ..] if others.len() > NAMED => (
                    format!("{first}, {second} and {} others are", whole(others.len() as u64)),
                    "each",
                ),
                [others @ .., last] if !others.is_empty() => {
                    (format!("{} and {last} are", others.join(", ")), "each")
                }
                _ => (format!("{} is", at_the_start(best.name)), "it"),
            };
            let others: Vec<&str> = self.favoured().skip(alike.len()).map(|of| of.name).collect();
            let rest = match others[..] {
                [] => String::new(),
                [one] => format!("; {one} is favoured, too"),
                [one, other] => format!("; {one} and {other} are favoured, too"),
                _ => format!("; {} others are favoured, too", whole(others.len() as u64)),
            };
            // Of two, the other one is known.
            let lowest = match self.standings.last() {
                Some(last) if self.standings.len() > 2 && last.beyond.high < 0.0 => {
                    format!("; {} is lowest with {}", last.name, rate(&last.adjusted))
                }
                _ => String::new(),
            };
            let adjusted = match comparisons(self.standings.len(), self.are_mirrored) {
                1 => String::new(),
                several => format!(" (adjusted for {several} contenders)"),
            };
            lines.push(format!(
                "{who} favoured: {it} {verb} {}{of_what}{}{adjusted}; {}{rest}{lowest}.",
                rate(&best.adjusted),
                over(best),
                self.even(Some(best))
            ));
        } else if let Some(best) = self.standings.iter().find(|of| !of.score.value.is_nan()) {
            let even = self.even(Some(best));
            let ContenderStanding { name, score, adjusted, beyond, .. } = best;
            let as_judged = match self.measure == self.measure.judged_by() {
                true => Estimate {
                    low: score.value - (beyond.value - beyond.low),
                    high: score.value + (beyond.high - beyond.value),
                    ..*score
                },
                false => *adjusted,
            };
            let several = self.standings.len();
            let adjusted = match comparisons(several, self.are_mirrored) {
                1 => String::new(),
                _ => format!("; the interval is adjusted for {several} contenders"),
            };
            lines.push(format!(
                "Nobody is visibly favoured: {name} {verb} {}{of_what}{}; {even}{adjusted}.",
                rate(&as_judged),
                over(best)
            ));
        } else if !self.standings.is_empty() {
            lines.push(self.nothing_counts("who is favoured"));
        } else if self.sides == 2 {
            lines.push("Both sides bring the same, so neither is the better one.".to_owned());
        } else {
            lines.push("All sides bring the same, so none is the better one.".to_owned());
        }
        match &self.seats {
            Some(seats) => lines.push(self.of_seats(seats)),
            None if self.matchups == 1 => lines.push(
                "Seats are not swapped, so a side's advantage is part of its contender's."
                    .to_owned(),
            ),
            None => lines.push(
                "Not everybody takes every seat equally often, so a seat's advantage is part of its contenders' scores."
                    .to_owned(),
            ),
        }
        if !self.meet_alike {
            lines.push(
                "Contenders meet different opponents, so how strong these are is part of their scores."
                    .to_owned(),
            );
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

fn farthest(of: &[Estimate]) -> usize {
    let distance = |at: usize| of[at].value.abs();
    (0..of.len()).max_by(|&a, &b| distance(a).total_cmp(&distance(b))).unwrap_or(0)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::chance::Seeded;
    use crate::table::LEVEL;
    use crate::tally::Breakdown;
    use crate::tally::fixture::{duel, three_sides};

    fn only_matchup(layout: Layout) -> Layout {
        Layout { matchups: layout.matchups[..1].to_vec(), ..layout }
    }

    /// A tally of 600 battles in which each side is as likely to win as another, and a third of which nobody wins.
    fn null(layout: &Layout, measure: OutcomeMeasure, seed: u64) -> Tally {
        let mut tally = Tally::new(layout, Breakdown::Whole).with_measure(measure);
        let mut random = Seeded::from_seed(seed);
        let count = &mut tally.matchups[0];
        for _ in 0..600 {
            count.battles += 1;
            match random.below(3 * layout.sides as u32) as usize / 2 {
                side if side < layout.sides => count.wins[side] += 1,
                _ => count.draws += 1,
            }
        }
        tally.strata[0] = tally.matchups[0].clone();
        tally
    }

    /// Over 1,000 seeds; six standard deviations on either side of one in 20 is 0.9% to 9.1%.
    #[test]
    fn nobody_is_favoured_where_nothing_favours_anybody() {
        let layout = only_matchup(duel());
        for measure in [OutcomeMeasure::Score, OutcomeMeasure::Wins, OutcomeMeasure::Decided] {
            let said = (0..1_000).filter(|&seed| {
                let tally = null(&layout, measure, seed);
                Verdict::of(&layout, &tally, &tally.matchups, LEVEL).is_visible()
            });
            let said = said.count();
            assert!((9..=91).contains(&said), "{measure:?}: {said}");
        }
    }

    /// The farthest of three seats from even is visible in one of 20 runs, and not in one of 20 for each seat.
    #[test]
    fn seats_are_judged_together() {
        let names = vec!["All".to_owned(); 3];
        let layout = only_matchup(three_sides());
        let matchups = vec![crate::tally::Matchup { contenders: names }];
        let layout = Layout { matchups, ..layout };
        let said = (0..2_000).filter(|&seed| {
            let tally = null(&layout, OutcomeMeasure::Score, seed);
            let verdict = Verdict::of(&layout, &tally, &tally.matchups, LEVEL);
            assert!(verdict.lines()[0].starts_with("All sides bring the same"));
            verdict.is_visible()
        });
        // Uncorrected it is 12%.
        let said = said.count();
        assert!((60..=140).contains(&said), "{said}");
    }

    #[test]
    fn wins_are_compared_with_what_is_even_among_the_decided() {
        let layout = only_matchup(duel());
        let mut tally = Tally::new(&layout, Breakdown::Whole).with_measure(OutcomeMeasure::Wins);
        let count = &mut tally.matchups[0];
        (count.battles, count.wins, count.draws) = (10_000, vec![4_000, 3_000], 3_000);
        tally.strata[0] = count.clone();
        let verdict = Verdict::of(&layout, &tally, &tally.matchups, LEVEL);
        let headline = &verdict.lines()[0];
        // Its own interval, of 1.1 points where the score's has 0.8, allows for the choice of the better one.
        let expected = "is favoured: it wins 40.0% (38.9 to 41.1) of the battles (adjusted for 2 contenders); even is 35%";
        assert!(headline.contains(expected), "{headline}");
    }
}
