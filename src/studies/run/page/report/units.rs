//! Figures about cards, summoners or minions.

use std::fmt::Write as _;

use super::super::{highlights, idle, unit_pairs, units};
use super::sides::tiers;
use super::{measured, what_is_measured};
use crate::game::Side;
use crate::report::figures::{counted, plural, rate, whole};
use crate::report::html::{
    Across, Axis, Draft, Drawn, Figure, Kind, Mark, Seen, Trace, Unit, counts, detail, one, room,
};
use crate::scenario::TableName;
use crate::sorting::Sorting;
use crate::studies::run::tables::{ENOUGH, UnitRow, table_of_pairs};
use crate::studies::run::{Activity, Analysis, build};
use crate::tally::OutcomeMeasure;

/// How many pairs are shown.
const MOST_PAIRS: usize = 60;
/// How many pairs are shown where none is significant.
const FEW_PAIRS: usize = 12;

/// The ranked units by family: the units of one kind of one contender, under the family's title.
fn families<'a, 't>(analysis: &'a Analysis<'t>) -> Vec<(String, Vec<&'a UnitRow<'t>>)> {
    let mut families: Vec<(String, Vec<&UnitRow<'_>>)> = Vec::new();
    for row in units::told(analysis).into_iter().filter(|row| row.ranks.is_some()) {
        let name = family(analysis, row);
        match families.iter_mut().find(|(known, _)| *known == name) {
            Some((_, rows)) => rows.push(row),
            None => families.push((name, vec![row])),
        }
    }
    for (_, rows) in &mut families {
        rows.put_in_order_by(|a, b| b.shrunken.value.total_cmp(&a.shrunken.value));
    }
    families.put_in_order_by_key(|(_, rows)| std::cmp::Reverse(rows.len()));
    families
}

/// The title of a unit's family.
fn family(analysis: &Analysis<'_>, row: &UnitRow<'_>) -> String {
    let layout = analysis.layout;
    let (kind, contenders) = (layout.units[row.unit].kind, layout.contenders().names);
    match contenders.len() {
        1 => plural(kind),
        _ => format!("{} of {}", plural(kind), contenders[row.contender]),
    }
}

/// A command for a typical battle in which a contender has a unit; empty where it would be too rare to be found, or some
/// other contender may have it in the battle.
pub(super) fn trace_of(
    analysis: &Analysis<'_>,
    trace: &Trace<'_>,
    (contender, unit): (usize, usize),
    times: u64,
) -> String {
    let Analysis { layout, tally, .. } = *analysis;
    let name = &layout.units[unit].name;
    let contenders = layout.contenders();
    let has_it = |of: usize| tally.unit(layout, of, unit).played > 0;
    let others = || (0..contenders.names.len()).filter(|&of| of != contender);
    if !others().any(has_it) {
        return trace.with(name, times, tally.battles(), None);
    }
    // Another has it, too: the side tells them apart where it is always the contender's own.
    let is_on = |side: usize| {
        contenders.at.chunks(layout.sides).all(|at| usize::from(at[side]) == contender)
    };
    let side = (0..layout.sides).find(|&side| is_on(side));
    side.map_or_else(String::new, |side| {
        trace.with(name, times, tally.battles(), Some(Side(side as u8)))
    })
}

/// The index of a row in the table `units`.
fn row_of(analysis: &Analysis<'_>, row: &UnitRow<'_>) -> usize {
    let first = analysis.units().as_ptr() as usize;
    (std::ptr::from_ref(row) as usize - first) / size_of::<UnitRow<'_>>()
}

/// The figure of all units in tiers.
pub(super) fn all(draft: &mut Draft, analysis: &Analysis<'_>, trace: &Trace<'_>) {
    let Analysis { layout, tally, .. } = *analysis;
    let families = families(analysis);
    if families.is_empty() {
        return;
    }
    let Some(table) = build(TableName::Units, analysis) else { return };
    let measure = tally.measure();
    let mut marks = Vec::new();
    for (name, rows) in &families {
        let ranks: Vec<[f64; 2]> = rows
            .iter()
            .map(|row| row.ranks_of_all.unwrap_or_default().map(|rank| rank as f64))
            .collect();
        for (row, tier) in rows.iter().zip(tiers(&ranks)) {
            let unit = &layout.units[row.unit];
            marks.push(Mark {
                row: row_of(analysis, row),
                label: unit.name.clone(),
                group: name.clone(),
                tier,
                trace: trace_of(analysis, trace, (row.contender, row.unit), row.count.played),
                ..Mark::default()
            });
        }
    }
    let first = highlights::first_unit(analysis);
    let group = first.as_ref().map_or_else(String::new, |(row, ..)| family(analysis, row));
    let title = first.map(|(.., sentence)| sentence).unwrap_or_else(|| {
        let kind = layout.units[families[0].1[0].unit].kind;
        match layout.units_are_brought {
            true => format!("No {kind} stands before all others of its kind beyond doubt."),
            // Playing a card also follows from how the battle goes.
            false => format!("How {} fare, by kind", units::sides_with_it(layout)),
        }
    });
    let mut details =
        counts(&[("played", "took part"), ("won", "won"), ("shared", "won by nobody")]);
    details.push(detail(measure.column(), measure.figure(), Unit::Percent));
    details.push(detail("rank_low", "first place it may have", Unit::Count));
    details.push(detail("rank_high", "last place it may have", Unit::Count));
    details.push(detail("survival", "there at the end", Unit::Percent));
    let mut about = format!(
        "{} Drawn towards the mean of all of its kind (hierarchical Bayes), because the best of many is partly chance, with 95% \
         intervals. The places that it may truly have are a 95% interval for each unit by itself; a tier ends only where no place of \
         one above reaches below it, by intervals that allow for as many lists as there are. {}",
        what_is_measured(measure),
        units::goes_with(layout)
    );
    let rare = units::told(analysis).iter().filter(|row| row.ranks.is_none()).count() as u64;
    if rare > 0 {
        let _ = write!(
            about,
            " {} took part fewer than {ENOUGH} times, too few to rank.",
            counted(rare, "unit")
        );
    }
    let mut figure = Figure {
        id: "units".to_owned(),
        name: "Units".to_owned(),
        title: title.trim_end_matches('.').to_owned(),
        about,
        table: table.name.clone(),
        series: one("shrunken", &format!("shrunken {}", measure.noun())),
        axis: Axis {
            label: format!("{} of {}, shrunken", measure.figure(), units::sides_with_it(layout)),
            even: (measure != OutcomeMeasure::Wins).then(|| OutcomeMeasure::even(layout.sides)),
            ..Axis::default()
        },
        group_noun: "kind".to_owned(),
        group,
        details,
        ..Figure::default()
    };
    room(&mut figure, marks);
    draft.notes.figures.push(figure);
    draft.tables.push(Drawn::whole(table));
}

/// The figure of each unit's score against how often it is played.
pub(super) fn by_frequency(draft: &mut Draft, analysis: &Analysis<'_>, trace: &Trace<'_>) {
    let Analysis { layout, tally, .. } = *analysis;
    let families = families(analysis);
    // The list that is shown first, which the title is about.
    let Some((family, ranked)) = families.first() else { return };
    let Some(most) = ranked.iter().max_by_key(|row| (row.count.played, row.unit)) else { return };
    let measure = tally.measure();
    let unit = &layout.units[most.unit];
    let marks: Vec<Mark> = families
        .iter()
        .flat_map(|(name, rows)| {
            rows.iter().map(move |row| Mark {
                row: row_of(analysis, row),
                label: layout.units[row.unit].name.clone(),
                group: name.clone(),
                trace: trace_of(analysis, trace, (row.contender, row.unit), row.count.played),
                ..Mark::default()
            })
        })
        .collect();
    let mut details = counts(&[("won", "won"), ("shared", "won by nobody")]);
    details.push(detail("rank_low", "first place it may have", Unit::Count));
    details.push(detail("rank_high", "last place it may have", Unit::Count));
    let mut figure = Figure {
        id: "frequency".to_owned(),
        name: "Score and frequency".to_owned(),
        kind: Kind::Scatter,
        title: format!(
            "Of the {family} that are ranked, {} took part most often, {}; {} {} {}{}",
            unit.name,
            counted(most.count.played, "time"),
            units::sides_with_it(layout),
            match measure {
                OutcomeMeasure::Score => "score",
                OutcomeMeasure::Wins | OutcomeMeasure::Decided => "win",
            },
            rate(&most.score),
            measure.of_what()
        ),
        about: format!(
            "{} Lines are 95% confidence intervals, each its own; not adjusted for how many there are.",
            what_is_measured(measure)
        ),
        table: TableName::Units.to_string(),
        series: measured(measure),
        axis: Axis {
            label: format!("{} of {}", measure.figure(), units::sides_with_it(layout)),
            even: (measure != OutcomeMeasure::Wins).then(|| OutcomeMeasure::even(layout.sides)),
            ..Axis::default()
        },
        across: Some(Across {
            column: "played".to_owned(),
            axis: Axis {
                label: "how often it took part".to_owned(),
                unit: Unit::Count,
                even: None,
                logarithmic: true,
            },
        }),
        group_noun: "kind".to_owned(),
        details,
        ..Figure::default()
    };
    room(&mut figure, marks);
    draft.notes.figures.push(figure);
}

/// The figure of units that do better or worse together.
pub(super) fn pairs(draft: &mut Draft, analysis: &Analysis<'_>) {
    let Analysis { layout, tally, .. } = *analysis;
    let pairs = analysis.unit_pairs();
    let tested: Vec<usize> =
        (0..pairs.len()).filter(|&at| !pairs[at].p_adjusted.is_nan()).collect();
    if tested.is_empty() {
        return;
    }
    let size = |at: usize| pairs[at].lift.lift.value.abs();
    let found = |at: usize| unit_pairs::significant(&pairs[at]);
    let significant = tested.iter().filter(|&&at| found(at)).count();
    let mut rows = tested.clone();
    rows.put_in_order_by(|&a, &b| found(b).cmp(&found(a)).then(size(b).total_cmp(&size(a))));
    rows.truncate(if significant == 0 { FEW_PAIRS } else { significant.min(MOST_PAIRS) });
    rows.put_in_order_by(|&a, &b| pairs[b].lift.lift.value.total_cmp(&pairs[a].lift.lift.value));
    let contenders = layout.contenders().names;
    let marks: Vec<Mark> = rows
        .iter()
        .enumerate()
        .map(|(row, &at)| {
            let pair = &pairs[at];
            let [one, other] = pair.units.map(|unit| layout.units[unit].name.as_str());
            let whose = match contenders.len() {
                1 => String::new(),
                _ => format!(" ({})", contenders[pair.contender]),
            };
            Mark {
                row,
                label: format!("{one} + {other}{whose}"),
                seen: Seen::of(found(at), pair.lift.lift.value),
                ..Mark::default()
            }
        })
        .collect();
    let all = counted(tested.len() as u64, "pair");
    // Where a lift may come from the opponents or the conditions, no pair is named.
    let title = highlights::pair(analysis).map(|(_, sentence)| sentence).unwrap_or_else(|| {
        let which = match significant {
            0 => "None".to_owned(),
            several => whole(several as u64),
        };
        let is = if significant < 2 { "is" } else { "are" };
        format!("{which} of {all} that were in at least 100 teams {is} significant.")
    });
    let measure = tally.measure();
    let mut details = counts(&[("played", "teams with both")]);
    details.push(detail(measure.column(), measure.figure(), Unit::Percent));
    details.push(detail("expected", "expected", Unit::Percent));
    details.push(detail("p_adjusted", "adjusted p", Unit::P));
    let table = table_of_pairs(analysis, &rows.iter().map(|&row| pairs[row]).collect::<Vec<_>>());
    draft.notes.figures.push(Figure {
        id: "pairs".to_owned(),
        judged: true,
        name: "Pairs of units".to_owned(),
        title: title.trim_end_matches('.').to_owned(),
        about: format!(
            "Lift: what teams with both have less what one expects if the odds ratios of the two multiplied, with 95% \
             confidence intervals. In colour: significant, {} of {all} in at least 100 teams, adjusted for all of them \
             (Benjamini-Hochberg).",
            whole(significant as u64)
        ),
        table: table.name.clone(),
        series: one("lift", "lift"),
        axis: Axis {
            label: format!("{} beyond what the two lead one to expect", measure.figure()),
            unit: Unit::Points,
            even: Some(0.0),
            logarithmic: false,
        },
        details,
        marks,
        rest: match significant.saturating_sub(MOST_PAIRS) {
            0 => String::new(),
            more => format!(
                "{} more are significant, all smaller: `--table unit_pairs` writes all.",
                whole(more as u64)
            ),
        },
        ..Figure::default()
    });
    draft.tables.push(Drawn::part(table));
}

/// The table of what never had an effect.
pub(super) fn idle(draft: &mut Draft, activity: &Activity) {
    let Some(title) = idle::in_short(activity) else { return };
    let table = activity.table();
    let rows: Vec<usize> =
        (0..activity.times.len()).filter(|&row| activity.times[row].1 == 0).collect();
    draft.notes.figures.push(Figure {
        id: "idle".to_owned(),
        name: "Without effect".to_owned(),
        kind: Kind::Table,
        title,
        about: format!(
            "Abilities, effects and cards without effect in the first {}, of {} that were watched; what is rare may still come \
             up.",
            counted(activity.battles, "battle"),
            whole(activity.times.len() as u64)
        ),
        table: table.name.clone(),
        ..Figure::default()
    });
    draft.tables.push(Drawn::part(table.of_rows(&rows)));
}
