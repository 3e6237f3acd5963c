//! Figures about contenders, match-ups, seats and lengths.

use super::super::matchups::{ADJUSTED, how_many_visible, standings};
use super::super::summary::how_long;
use super::super::verdict::Verdict;
use super::super::{field as field_section, matchups};
use super::{measured, what_is_measured};
use crate::game::Side;
use crate::report::figures::{are, counted, rate, whole};
use crate::report::html::{
    Across, Axis, Draft, Drawn, Figure, Kind, Mark, Seen, Trace, Unit, counts, detail, one, room,
};
use crate::scenario::TableName;
use crate::sorting::Sorting;
use crate::statistics::{Estimate, proportion, score};
use crate::studies::run::{Analysis, build, tables};
use crate::table::{Column, Table};
use crate::tally::{Count, Layout, OutcomeMeasure};

/// With fewer match-ups than this a matrix does not help.
const MATRIX: usize = 4;
/// With more contenders than this a matrix cannot be read.
const WIDEST: usize = 60;

fn even(measure: OutcomeMeasure, layout: &Layout) -> Option<f64> {
    // For wins as a share of all battles, the even value depends on how many battles are drawn.
    (measure != OutcomeMeasure::Wins).then(|| OutcomeMeasure::even(layout.sides))
}

/// The figure of the match-ups: who wins against whom.
pub(super) fn matchups(
    draft: &mut Draft,
    analysis: &Analysis<'_>,
    verdict: &Verdict<'_>,
    trace: &Trace<'_>,
) {
    let Analysis { layout, tally, level, .. } = *analysis;
    let measure = tally.measure();
    let Some(table) = build(TableName::Outcomes, analysis) else { return };
    let standings = standings(&tally.matchups, measure, level);
    let contenders = layout.contenders();
    let is_matrix = layout.sides == 2
        && layout.matchups.len() >= MATRIX
        && (3..=WIDEST).contains(&contenders.names.len());
    let axis = Axis {
        label: match layout.sides {
            2 => format!("side A's {}", measure.figure()),
            _ => measure.figure().to_owned(),
        },
        unit: Unit::Percent,
        even: even(measure, layout),
        logarithmic: false,
    };
    let single = layout.matchups.len() == 1;
    let title = if single {
        let matchup = &layout.matchups[0].contenders;
        let of_a = score(tally.matchups[0].results(Side::A), measure, level);
        let (verb, of_what) = (measure.verb(), measure.of_what());
        match layout.sides {
            2 if matchup[0] == matchup[1] => {
                format!("Both sides bring the same: side A {verb} {}{of_what}", rate(&of_a))
            }
            2 => {
                let (one, other) = (&matchup[0], &matchup[1]);
                format!("{one} {verb} {}{of_what} against {other}", rate(&of_a))
            }
            _ => format!("{} {verb} {}{of_what} as side A", matchup[0], rate(&of_a)),
        }
    } else {
        format!("{} match-ups", how_many_visible(&standings))
    };
    let mut about = what_is_measured(measure);
    about += match is_matrix {
        true => {
            " Each cell is the contender of its row on side A against that of its column on side B."
        }
        false => " Dots are estimates, lines their 95% confidence intervals.",
    };
    about += &format!(
        " Blue is above even and orange below, where that is visible by intervals that hold for all at once {ADJUSTED}; what \
         is grey or hatched is not visible."
    );
    let mut details = counts(&[
        ("battles", "battles"),
        ("wins", "won"),
        ("losses", "lost"),
        ("draws", "drawn"),
        ("undecided", "undecided"),
    ]);
    details.push(detail("length_mean", &format!("{}s", layout.round_noun), Unit::Number));
    let mut marks = Vec::new();
    let shown = if layout.sides == 2 { 1 } else { layout.sides };
    let of_all = level.shared_by((layout.matchups.len() * shown) as u64);
    for (at, matchup) in layout.matchups.iter().enumerate() {
        for side in 0..shown {
            let standing = &standings[at];
            let above = if standing.leader.index() == side { 1.0 } else { -1.0 };
            let seen = match layout.sides {
                2 => Seen::of(standing.is_visible, above),
                sides => {
                    let results = tally.matchups[at].results(Side(side as u8));
                    let of = score(results, measure.judged_by(), of_all);
                    let even = OutcomeMeasure::even(sides);
                    Seen::of(of.excludes(even), of.value - even)
                }
            };
            let contender = &matchup.contenders[side];
            let label = match (is_matrix, layout.sides) {
                (true, _) => contender.clone(),
                (false, 2) => matchup.label(),
                (false, _) if single => format!("{contender} ({})", Side(side as u8)),
                // What is cut off is the same for all sides.
                (false, _) => {
                    format!("{contender} ({}) in {}", Side(side as u8), matchup.label())
                }
            };
            marks.push(Mark {
                row: at * layout.sides + side,
                label,
                column: if is_matrix { matchup.contenders[1].clone() } else { String::new() },
                seen,
                trace: trace.battle(at),
                ..Mark::default()
            });
        }
    }
    let mut figure = Figure {
        id: "matchups".to_owned(),
        judged: true,
        name: "Match-ups".to_owned(),
        kind: if is_matrix { Kind::Heat } else { Kind::Intervals },
        title,
        about,
        table: table.name.clone(),
        series: measured(measure),
        axis,
        details,
        ..Figure::default()
    };
    if is_matrix {
        // The strongest contenders come first, so that uneven match-ups lie in the corners.
        let place = |name: &str| verdict.standings.iter().position(|of| of.name == name);
        marks.put_in_order_by_key(|mark| (place(&mark.label), place(&mark.column)));
        figure.marks = marks;
    } else {
        room(&mut figure, marks);
    }
    draft.notes.figures.push(figure);
    draft.tables.push(Drawn::whole(table));
}

/// The figure of each contender's result over all its match-ups, in tiers.
pub(super) fn contenders(draft: &mut Draft, analysis: &Analysis<'_>, verdict: &Verdict<'_>) {
    let Analysis { layout, tally, .. } = *analysis;
    let standings = &verdict.standings;
    if standings.len() < 3 {
        return;
    }
    let measure = tally.measure();
    let together: Vec<Estimate> = standings.iter().map(|of| of.beyond).collect();
    let tiers = tiers(&together.iter().map(|of| [-of.high, -of.low]).collect::<Vec<_>>());
    let mut columns = vec![
        Column::text("contender", "who", standings.iter().map(|of| of.name.to_owned()).collect()),
        Column::count(
            "matchups",
            "match-ups with others, each counting alike",
            standings.iter().map(|of| of.matchups as u64).collect(),
        ),
    ];
    let scores: Vec<Estimate> = standings.iter().map(|of| of.score).collect();
    columns.extend(Column::estimates(
        measure.column(),
        &format!("{}, 0 to 1, over all of these and all seats", measure.meaning()),
        &scores,
    ));
    columns.extend(Column::estimates(
        "beyond_even",
        "what it has more than even, with an interval that holds for all contenders at once (Bonferroni)",
        &together,
    ));
    columns.push(Column::count(
        "tier",
        "the first, the next, ...: those that these intervals tell apart",
        tiers.iter().map(|&tier| tier as u64).collect(),
    ));
    let table = Table { name: "contenders".to_owned(), columns };
    let marks = standings.iter().zip(tiers).enumerate().map(|(row, (of, tier))| Mark {
        row,
        label: of.name.to_owned(),
        seen: Seen::of(of.beyond.excludes(0.0), of.beyond.value),
        tier,
        ..Mark::default()
    });
    let [above, below] = [Seen::Favoured, Seen::Against].map(|seen| {
        let is_seen = |of: &&super::super::verdict::ContenderStanding<'_>| {
            Seen::of(of.beyond.excludes(0.0), of.beyond.value) == seen
        };
        standings.iter().filter(is_seen).count() as u64
    });
    let mut figure = Figure {
        id: "contenders".to_owned(),
        judged: true,
        name: "Contenders".to_owned(),
        title: format!(
            "Of {} {} {} visibly above even and {} below",
            counted(standings.len() as u64, "contender"),
            whole(above),
            are(above),
            whole(below)
        ),
        about: format!(
            "Each over all its match-ups and seats, with its 95% confidence interval. {} Colours and tiers go by intervals \
             that hold for all contenders at once (Bonferroni): a tier ends only where they tell everybody above from \
             everybody below.",
            what_is_measured(measure)
        ),
        table: table.name.clone(),
        series: measured(measure),
        axis: Axis {
            label: measure.figure().to_owned(),
            even: even(measure, layout),
            ..Axis::default()
        },
        details: counts(&[("matchups", "match-ups"), ("tier", "tier")]),
        ..Figure::default()
    };
    room(&mut figure, marks.collect());
    draft.notes.figures.push(figure);
    draft.tables.push(Drawn::part(table));
}

/// The tier, from 1, of each of several intervals that are given best first. A tier ends only where every interval
/// above is clear of every interval below. Each interval is given by its two ends, the better one first.
pub(super) fn tiers(intervals: &[[f64; 2]]) -> Vec<usize> {
    let mut below: Vec<f64> = vec![f64::INFINITY; intervals.len() + 1];
    for (at, [first, _]) in intervals.iter().enumerate().rev() {
        below[at] = below[at + 1].min(*first);
    }
    let (mut tier, mut farthest) = (1, f64::NEG_INFINITY);
    let mut tiers = Vec::with_capacity(intervals.len());
    for (at, [_, last]) in intervals.iter().enumerate() {
        if at > 0 && farthest < below[at] {
            tier += 1;
        }
        farthest = farthest.max(*last);
        tiers.push(tier);
    }
    tiers
}

/// The figure of each seat's advantage.
pub(super) fn seats(draft: &mut Draft, analysis: &Analysis<'_>, verdict: &Verdict<'_>) {
    let Some(seats) = &verdict.seats else { return };
    let layout = analysis.layout;
    let names = (0..seats.len()).map(|side| Side(side as u8).to_string());
    let mut columns = vec![Column::text("side", "the seat", names.clone().collect())];
    let battles: u64 = analysis.tally.matchups.iter().map(|count| count.battles).sum();
    columns.push(Column::count("battles", "battles in all", vec![battles; seats.len()]));
    columns.extend(Column::estimates(
        "advantage",
        "what the side has more than even, on average over the match-ups; intervals hold for all seats at once",
        seats,
    ));
    let table = Table { name: "seats".to_owned(), columns };
    let marks = names.zip(seats).enumerate().map(|(row, (side, seat))| Mark {
        row,
        label: format!("Side {side}"),
        seen: Seen::of(seat.excludes(0.0), seat.value),
        ..Mark::default()
    });
    draft.notes.figures.push(Figure {
        id: "seats".to_owned(),
        judged: true,
        name: "Seats".to_owned(),
        title: verdict.of_seats(seats).trim_end_matches('.').to_owned(),
        about: match layout.sides {
            2 => "Every contender takes either seat equally often. What side A has more than even, side B has less.",
            _ => "Every contender takes every seat equally often. Intervals hold for all seats at once (Bonferroni).",
        }
        .to_owned(),
        table: table.name.clone(),
        series: one("advantage", "advantage"),
        axis: Axis {
            label: "more than even".to_owned(),
            unit: Unit::Points,
            even: Some(0.0),
            logarithmic: false,
        },
        details: counts(&[("battles", "battles")]),
        marks: marks.collect(),
        ..Figure::default()
    });
    draft.tables.push(Drawn::part(table));
}

/// The figure of how long battles last.
pub(super) fn lengths(draft: &mut Draft, analysis: &Analysis<'_>, all: &Count, trace: &Trace<'_>) {
    let Analysis { layout, level, .. } = *analysis;
    let noun = layout.round_noun;
    let first = all.lengths.iter().position(|&times| times > 0);
    let last = all.lengths.iter().rposition(|&times| times > 0);
    let (Some(first), Some(last)) = (first, last) else { return };
    if first == last {
        return;
    }
    let range = first..=last;
    let shares: Vec<Estimate> =
        all.lengths[range.clone()].iter().map(|&n| proportion(n, all.fought(), level)).collect();
    let mut columns = vec![
        Column::count(
            format!("{noun}s"),
            format!("how many {noun}s a battle lasts"),
            range.clone().map(|rounds| rounds as u64).collect(),
        ),
        Column::count("battles", "battles that long", all.lengths[range.clone()].to_vec()),
    ];
    columns.extend(Column::estimates("share", "share of the battles that were fought", &shares));
    let table = Table { name: "lengths".to_owned(), columns };
    let marks = range.enumerate().map(|(row, rounds)| Mark {
        row,
        label: rounds.to_string(),
        ..Mark::default()
    });
    let mut figure = Figure {
        id: "lengths".to_owned(),
        name: "Lengths".to_owned(),
        kind: Kind::Columns,
        title: how_long(layout, all, level).trim_end_matches('.').to_owned(),
        about: format!(
            "The share of the battles that last so many {noun}s, with 95% confidence intervals. The longest: `{}`.",
            trace.pick("longest", &[])
        ),
        table: table.name.clone(),
        series: one("share", "share"),
        axis: Axis { label: "share of battles".to_owned(), ..Axis::default() },
        across: Some(Across {
            column: format!("{noun}s"),
            axis: Axis { label: format!("{noun}s"), unit: Unit::Count, ..Axis::default() },
        }),
        details: counts(&[("battles", "battles")]),
        ..Figure::default()
    };
    room(&mut figure, marks.collect());
    draft.notes.figures.push(figure);
    draft.tables.push(Drawn::part(table));
}

/// The figure of the mixed equilibrium.
pub(super) fn field(draft: &mut Draft, analysis: &Analysis<'_>) {
    let Analysis { layout, tally, level, .. } = *analysis;
    // As on the page: a longer list says less.
    if layout.contenders().names.len() > matchups::FEW * 4 {
        return;
    }
    let Some(field) = tables::field(layout, tally, level) else { return };
    let mut columns = vec![Column::text("contender", "who", field.names.clone())];
    columns.extend(Column::estimates(
        "equilibrium_share",
        "the contender's share where nobody gains by changing, 0 to 1",
        &field.shares,
    ));
    columns.extend(Column::estimates(
        "lead_in_even_field",
        &format!(
            "{}, over all others, each as often, -1 to 1",
            tables::lead_in_words(tally.measure())
        ),
        &field.in_even_field,
    ));
    let table = Table { name: "field_shares".to_owned(), columns };
    let mut order: Vec<usize> = (0..field.names.len()).collect();
    order.put_in_order_by(|&a, &b| field.shares[b].value.total_cmp(&field.shares[a].value));
    let marks = order.into_iter().map(|row| Mark {
        row,
        label: field.names[row].clone(),
        ..Mark::default()
    });
    let marks = marks.collect();
    draft.notes.figures.push(Figure {
        id: "field".to_owned(),
        name: "Equilibrium".to_owned(),
        title: field_section::best(&field, level).trim_end_matches('.').to_owned(),
        about: format!(
            "Shares in the mixed equilibrium, in which nobody gains by changing, with 95% bootstrap intervals. A lead is {}.",
            tables::lead_in_words(tally.measure())
        ),
        table: table.name.clone(),
        series: one("equilibrium_share", "share at equilibrium"),
        axis: Axis { label: "share at equilibrium".to_owned(), ..Axis::default() },
        details: vec![detail("lead_in_even_field", "lead in an even field", Unit::Points)],
        marks,
        ..Figure::default()
    });
    draft.tables.push(Drawn::part(table));
}

#[cfg(test)]
mod tests {
    use super::tiers;

    #[test]
    fn a_tier_ends_only_where_no_interval_reaches_across() {
        assert_eq!(tiers(&[[1.0, 2.0], [3.0, 4.0], [3.5, 5.0]]), [1, 2, 2]);
        // The wide interval at the top reaches over all others.
        assert_eq!(tiers(&[[1.0, 9.0], [3.0, 4.0], [5.0, 6.0]]), [1, 1, 1]);
        // So does a wide one further down.
        assert_eq!(tiers(&[[1.0, 2.0], [3.0, 4.0], [1.5, 9.0]]), [1, 1, 1]);
        assert_eq!(tiers(&[]), [0; 0]);
    }
}
