//! The section on the match-ups behind the verdict.

use super::super::tables::mean_length;
use super::contenders;
use super::measured::differ;
use super::verdict::{Verdict, are_mirrored};
use crate::game::Side;
use crate::report::figures::{amount, are, bar, capital, counted, rate, whole};
use crate::report::page::{Align, Page, Tone, Toned};
use crate::scenario::TableName;
use crate::sorting::Sorting;
use crate::statistics::{Estimate, Level, score};
use crate::studies::run::Analysis;
use crate::tally::{Count, Layout, Matchup, OutcomeMeasure};

/// With more match-ups than this only the most uneven ones are shown.
pub(super) const FEW: usize = 6;
/// How many match-ups are shown of a long list.
const SHOWN: usize = 10;
/// Up to this many match-ups, all are shown.
const ALL: usize = 2 * SHOWN;

pub(super) fn section(page: &mut Page, analysis: &Analysis<'_>, verdict: &Verdict<'_>) {
    let Analysis { layout, tally, level, .. } = *analysis;
    let (counts, measure) = (&tally.matchups[..], tally.measure());
    page.heading("Match-ups");
    if counts.len() <= FEW {
        every_side(page, layout, counts, measure, level);
    } else {
        extremes(page, analysis);
    }
    contenders::section(page, verdict, measure.noun());
}

/// Shows a few match-ups in a table: a scenario of two or three often asks how they differ.
pub(super) fn in_short(
    page: &mut Page,
    layout: &Layout,
    counts: &[Count],
    measure: OutcomeMeasure,
    level: Level,
) {
    if counts.len() > FEW {
        // More than that are listed nowhere on the first page.
        let is_unknown = |count: &&Count| count.results(Side::A).measured(measure).battles() == 0;
        nothing_known(page, counts.iter().filter(is_unknown).count());
    }
    if !(2..=FEW).contains(&counts.len()) {
        return;
    }
    page.gap();
    if layout.sides > 2 {
        return every_side(page, layout, counts, measure, level);
    }
    // Only side A's score is shown: the other side's is the rest.
    let headings = [format!("A's {}", measure.noun()), format!("length in {}s", layout.round_noun)];
    let mut columns = vec![("Match-up", Align::Left), (&*headings[0], Align::Right)];
    let lengths: Vec<Estimate> = counts.iter().map(|count| mean_length(count, level)).collect();
    let with_lengths = differ(&lengths);
    if with_lengths {
        columns.push((&headings[1], Align::Right));
    }
    let row = |((matchup, count), length): ((&Matchup, &Count), &Estimate)| {
        let score = score(count.results(Side(0)), measure, level);
        let length = with_lengths.then(|| amount(length));
        [matchup.label(), rate(&score)].into_iter().chain(length).collect()
    };
    let rows = layout.matchups.iter().zip(counts).zip(&lengths).map(row).collect();
    page.table(&columns, rows);
}

/// Says of how many match-ups nothing is known, if that is so of any.
fn nothing_known(page: &mut Page, matchups: usize) {
    if matchups > 0 {
        page.line(&format!(
            "Of {} nothing is known: no battle of {} counts.",
            counted(matchups as u64, "match-up"),
            if matchups == 1 { "it" } else { "them" }
        ));
    }
}

/// Which side leads a match-up, and by how much.
pub(super) struct MatchupStanding {
    pub leader: Side,
    /// The leader's figure. Its interval holds for all match-ups at once.
    leads: Estimate,
    /// Whether the leader's score is above even by an interval that holds for all match-ups at once.
    pub is_visible: bool,
}

/// The leader of each match-up, by intervals that hold for all match-ups at once.
pub(super) fn standings(
    counts: &[Count],
    measure: OutcomeMeasure,
    level: Level,
) -> Vec<MatchupStanding> {
    let sides = counts.first().map_or(2, |count| count.wins.len());
    // The leader is chosen among the sides, so intervals allow for each of them; in a duel the interval of one side
    // is the rest of the other's.
    let strict = |measure: OutcomeMeasure| {
        let of_each = if are_mirrored(counts, measure) { 1 } else { sides };
        level.shared_by((counts.len() * of_each) as u64)
    };
    let levels = [measure, measure.judged_by()].map(|measure| (measure, strict(measure)));
    counts.iter().map(|count| MatchupStanding::of(count, levels)).collect()
}

/// How many of this many match-ups are shown.
fn shown(matchups: usize) -> usize {
    if matchups > ALL { SHOWN } else { matchups }
}

/// A sentence on the number of match-ups in which somebody is visibly favoured.
pub(super) fn how_many_visible(standings: &[MatchupStanding]) -> String {
    let visible = standings.iter().filter(|of| of.is_visible).count();
    format!(
        "Somebody is visibly favoured in {} of {}",
        if visible == 0 { "none".to_owned() } else { whole(visible as u64) },
        whole(standings.len() as u64)
    )
}

/// The adjustment behind this number.
pub(super) const ADJUSTED: &str =
    "(Bonferroni: if all were even, one in 20 such runs would show any)";

impl MatchupStanding {
    /// Of one match-up; `levels` has the measure that is shown and the one that leaders are judged by.
    fn of(count: &Count, levels: [(OutcomeMeasure, Level); 2]) -> Self {
        let of = |side: usize, (measure, level): (OutcomeMeasure, Level)| {
            score(count.results(Side(side as u8)), measure, level)
        };
        let sides = count.wins.len();
        let share = |side: usize| of(side, levels[0]).value;
        let leader =
            (0..sides).max_by(|&a, &b| share(a).total_cmp(&share(b)).then(b.cmp(&a))).unwrap_or(0);
        let [leads, judged] = levels.map(|level| of(leader, level));
        let is_visible = judged.low > OutcomeMeasure::even(sides);
        Self { leader: Side(leader as u8), leads, is_visible }
    }
}

fn every_side(
    page: &mut Page,
    layout: &Layout,
    counts: &[Count],
    measure: OutcomeMeasure,
    level: Level,
) {
    let single = counts.len() == 1;
    let (mut rows, mut tones): (Vec<Vec<String>>, Vec<Toned>) = Default::default();
    let even = OutcomeMeasure::even(layout.sides);
    for (matchup, count) in layout.matchups.iter().zip(counts) {
        for (side, contender) in matchup.contenders.iter().enumerate() {
            let who = match (single, side) {
                (true, _) => contender.clone(),
                (false, 0) => matchup.label(),
                (false, _) => String::new(),
            };
            let side = Side(side as u8);
            let has = score(count.results(side), measure, level);
            rows.push(vec![who, side.to_string(), rate(&has), bar(has.value, 16)]);
            let judged = score(count.results(side), measure.judged_by(), level);
            tones.push(Some((2, Tone::of(&judged, even))));
        }
    }
    let who = if single { "Contender" } else { "Match-up" };
    let noun = measure.noun();
    page.toned_table(
        &[(who, Align::Left), ("side", Align::Left), (noun, Align::Right), ("", Align::Left)],
        rows,
        &tones,
    );
}

fn extremes(page: &mut Page, analysis: &Analysis<'_>) {
    let Analysis { layout, tally, level, .. } = *analysis;
    let (counts, measure) = (&tally.matchups[..], tally.measure());
    let standings = standings(counts, measure, level);
    page.line(&format!("{} {ADJUSTED}.", how_many_visible(&standings)));
    let (mut standings, unknown): (Vec<(usize, MatchupStanding)>, Vec<_>) =
        standings.into_iter().enumerate().partition(|(_, of)| !of.leads.value.is_nan());
    standings.put_in_order_by(|(_, a), (_, b)| b.leads.value.total_cmp(&a.leads.value));
    let row = |(matchup, standing): &(usize, MatchupStanding)| {
        let matchup = &layout.matchups[*matchup];
        let contender = &matchup.contenders[standing.leader.index()];
        let favoured = if standing.is_visible {
            format!("{} ({contender})", standing.leader)
        } else {
            format!("nobody visibly ({} of {})", measure.noun(), standing.leader)
        };
        vec![matchup.label(), favoured, rate(&standing.leads)]
    };
    let all = standings.len();
    let shown = shown(counts.len()).min(all);
    let rows: Vec<Vec<String>> = standings.iter().take(shown).map(row).collect();
    page.table(
        &[("Most uneven", Align::Left), ("favoured", Align::Left), (measure.noun(), Align::Right)],
        rows,
    );
    nothing_known(page, unknown.len());
    if all > shown {
        page.line(&format!(
            "The other {} {} not more uneven. {} all {}.",
            whole((all - shown) as u64),
            are((all - shown) as u64),
            capital(&analysis.in_table(TableName::Outcomes, "holds")),
            whole(counts.len() as u64)
        ));
    }
    page.line(&format!(
        "Intervals hold for all {} match-ups at once (Bonferroni); who is favoured goes by {}.",
        whole(counts.len() as u64),
        match measure == measure.judged_by() {
            true => "them",
            false => "the score, because wins alone do not tell who is ahead of even",
        },
    ));
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::chance::Seeded;
    use crate::table::LEVEL;

    /// Counts of even match-ups with this many sides and 60 battles each, a fifth of them drawn.
    fn even_ones(matchups: usize, sides: usize, seed: u64) -> Vec<Count> {
        let mut random = Seeded::from_seed(seed);
        let count = |_| {
            let mut count = Count::of_sides(sides);
            for _ in 0..60 {
                count.battles += 1;
                match random.below(5) {
                    0 => count.draws += 1,
                    _ => count.wins[random.below(sides as u32) as usize] += 1,
                }
            }
            count
        };
        (0..matchups).map(count).collect()
    }

    /// Whoever is not visibly favoured has an interval that includes even; whoever is has one above it. One in 20
    /// lists of even match-ups shows any as favoured: of 1,000 lists 9 to 91 do, six standard deviations to either
    /// side of 50.
    #[test]
    fn a_verdict_and_the_interval_beside_it_say_the_same() {
        for sides in [2, 3] {
            let even = OutcomeMeasure::even(sides);
            let shows_any = |seed: &u64| {
                let standings =
                    standings(&even_ones(12, sides, *seed), OutcomeMeasure::Score, LEVEL);
                for of in &standings {
                    assert_eq!(of.is_visible, of.leads.low > even, "{sides} sides");
                    assert!(
                        of.is_visible || !of.leads.excludes(even),
                        "{sides} sides: {:?}",
                        of.leads
                    );
                }
                standings.iter().any(|of| of.is_visible)
            };
            let said = (0..1_000).filter(shows_any).count();
            assert!((9..=91).contains(&said), "{sides} sides: {said}");
        }
    }
}
