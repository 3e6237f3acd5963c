//! The match-ups behind the verdict.

use super::super::tables::mean_length;
use super::contenders;
use super::measured::differ;
use super::verdict::Verdict;
use crate::game::Side;
use crate::report::CHOSEN;
use crate::report::figures::{amount, are, bar, rate, whole};
use crate::report::page::{Align, Page, Tone, Toned};
use crate::sorting::Sorting;
use crate::statistics::{Estimate, Level, score};
use crate::tally::{Count, Layout, Matchup, OutcomeMeasure};

/// With more match-ups than this only the most uneven ones are shown.
pub(super) const FEW: usize = 6;
/// How many of many are shown.
const SHOWN: usize = 10;
/// With no more than this all are.
const ALL: usize = 2 * SHOWN;

pub(super) fn section(
    page: &mut Page,
    layout: &Layout,
    counts: &[Count],
    verdict: &Verdict<'_>,
    measure: OutcomeMeasure,
    level: Level,
) {
    page.heading("Match-ups");
    if counts.len() <= FEW {
        every_side(page, layout, counts, measure, level);
    } else {
        extremes(page, layout, counts, measure, level);
    }
    contenders::section(page, verdict, measure.noun());
}

/// A few match-ups in a table: what a scenario of two or three asks is often how they differ.
pub(super) fn in_short(
    page: &mut Page,
    layout: &Layout,
    counts: &[Count],
    measure: OutcomeMeasure,
    level: Level,
) {
    if !(2..=FEW).contains(&counts.len()) {
        return;
    }
    page.gap();
    if layout.sides > 2 {
        return every_side(page, layout, counts, measure, level);
    }
    // The score of one side is the rest of the other's.
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

/// Who leads a match-up, and by how much.
pub(super) struct Standing {
    pub leader: Side,
    /// Its score, with an interval that allows for the most uneven of all match-ups being shown where these are many.
    leads: Estimate,
    /// Whether the leader is above even by an interval that holds for all match-ups at once.
    pub is_visible: bool,
}

/// Who leads each match-up.
pub(super) fn standings(counts: &[Count], measure: OutcomeMeasure, level: Level) -> Vec<Standing> {
    let sides = counts.first().map_or(2, |count| count.wins.len());
    let strict = level.shared_by((counts.len() * sides) as u64);
    // Who leads is a choice among the sides, too.
    let level = level.of_chosen(shown(counts.len()), counts.len() * sides);
    counts.iter().map(|count| Standing::of(count, measure, level, strict)).collect()
}

/// How many of so many match-ups are shown.
fn shown(matchups: usize) -> usize {
    if matchups > ALL { SHOWN } else { matchups }
}

/// In how many of them somebody is visibly favoured.
pub(super) fn how_many_visible(standings: &[Standing]) -> String {
    let visible = standings.iter().filter(|of| of.is_visible).count();
    format!(
        "Somebody is visibly favoured in {} of {}",
        whole(visible as u64),
        whole(standings.len() as u64)
    )
}

/// What that is adjusted for.
pub(super) const ADJUSTED: &str =
    "(Bonferroni: if all were even, one in 20 such runs would show any)";

impl Standing {
    fn of(count: &Count, measure: OutcomeMeasure, level: Level, strict: Level) -> Self {
        let of = |side: usize| score(count.results(Side(side as u8)), measure, level);
        let sides = count.wins.len();
        let leader = (0..sides)
            .max_by(|&a, &b| of(a).value.total_cmp(&of(b).value).then(b.cmp(&a)))
            .unwrap_or(0);
        let even = OutcomeMeasure::even(sides);
        let results = count.results(Side(leader as u8));
        let among_all = score(results, measure.judged_by(), strict);
        Self { leader: Side(leader as u8), leads: of(leader), is_visible: among_all.low > even }
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

fn extremes(
    page: &mut Page,
    layout: &Layout,
    counts: &[Count],
    measure: OutcomeMeasure,
    level: Level,
) {
    let standings = standings(counts, measure, level);
    page.line(&format!("{} {ADJUSTED}.", how_many_visible(&standings)));
    let mut standings: Vec<(usize, Standing)> = standings.into_iter().enumerate().collect();
    standings.put_in_order_by(|(_, a), (_, b)| b.leads.value.total_cmp(&a.leads.value));
    let row = |(matchup, standing): &(usize, Standing)| {
        let matchup = &layout.matchups[*matchup];
        let contender = &matchup.contenders[standing.leader.index()];
        let favoured = if standing.is_visible {
            format!("{} ({contender})", standing.leader)
        } else {
            "nobody visibly".to_owned()
        };
        vec![matchup.label(), favoured, rate(&standing.leads)]
    };
    let shown = shown(counts.len());
    let rows: Vec<Vec<String>> = standings.iter().take(shown).map(row).collect();
    page.table(
        &[("Most uneven", Align::Left), ("favoured", Align::Left), (measure.noun(), Align::Right)],
        rows,
    );
    if counts.len() > shown {
        page.line(&format!(
            "The other {} {} not more uneven. The table `outcomes` holds all {}.",
            whole((counts.len() - shown) as u64),
            are((counts.len() - shown) as u64),
            whole(counts.len() as u64)
        ));
        page.line(CHOSEN);
    }
}
