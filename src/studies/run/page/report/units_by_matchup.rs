//! The figure of how cards, summoners and minions are associated with the score in each match-up.

use super::super::units;
use super::what_is_measured;
use crate::game::Side;
use crate::report::ALARM;
use crate::report::figures::{points, whole};
use crate::report::html::{
    Axis, Draft, Drawn, Figure, Kind, MOST_MARKS, Mark, Seen, Trace, Unit, counts, detail, one,
};
use crate::sorting::Sorting;
use crate::studies::run::Analysis;
use crate::studies::run::tables::{MatchupUnit, matchup_table};
use crate::tally::OutcomeMeasure;

/// How many units of one contender are shown, and the fewest that are shown where there are many contenders.
const MOST_UNITS: usize = 20;
const FEWEST_UNITS: usize = 3;

/// Adds a matrix for each contender that meets several others: its units by opponents. Where there are many units,
/// those with the largest effect against any opponent are shown.
pub(super) fn figure(draft: &mut Draft, analysis: &Analysis<'_>, trace: &Trace<'_>) {
    let Analysis { layout, tally, .. } = *analysis;
    let rows = analysis.units_by_matchup();
    if rows.is_empty() {
        return;
    }
    let contenders = layout.contenders().names;
    let measure = tally.measure();
    let is_found = |row: &MatchupUnit| row.p_adjusted < ALARM;
    let of_each: Vec<&[MatchupUnit]> =
        rows.chunk_by(|one, other| one.contender == other.contender).collect();
    let widest = of_each.iter().map(|rows| opponents(rows).len()).max().unwrap_or(1);
    let room = (MOST_MARKS / (of_each.len() * widest)).clamp(FEWEST_UNITS, MOST_UNITS);
    let mut marks = Vec::new();
    let mut left_out = 0;
    let mut first = 0;
    for of_one in of_each {
        let mut units: Vec<(usize, bool, f64)> = Vec::new();
        for row in of_one {
            let size = row.effect.value.abs();
            match units.iter_mut().find(|(unit, ..)| *unit == row.unit) {
                Some((_, found, most)) => {
                    (*found, *most) = (*found || is_found(row), most.max(size));
                }
                None => units.push((row.unit, is_found(row), size)),
            }
        }
        units.put_in_order_by(|a, b| b.1.cmp(&a.1).then(b.2.total_cmp(&a.2)));
        left_out += units.len().saturating_sub(room);
        units.truncate(room);
        for (unit, ..) in units {
            let of_unit = of_one.iter().enumerate().filter(|(_, row)| row.unit == unit);
            marks.extend(of_unit.map(|(at, row)| Mark {
                row: first + at,
                label: layout.units[unit].name.clone(),
                column: row.against.clone(),
                group: contenders[row.contender].to_owned(),
                seen: Seen::of(is_found(row), row.effect.value),
                trace: trace_of(analysis, trace, row),
                ..Mark::default()
            }));
        }
        first += of_one.len();
    }
    let found = rows.iter().filter(|row| is_found(row)).count() as u64;
    let all = whole(rows.len() as u64);
    let size = |row: &&MatchupUnit| row.effect.value.abs();
    let largest =
        rows.iter().filter(|row| is_found(row)).max_by(|a, b| size(a).total_cmp(&size(b)));
    // The contender that the title is about comes first.
    marks.put_in_order_by_key(|mark| {
        largest.is_some_and(|row| mark.group != contenders[row.contender])
    });
    let cut = marks.len().saturating_sub(MOST_MARKS);
    marks.truncate(MOST_MARKS);
    let title = match largest {
        Some(row) => format!(
            "{} goes with {} for {} against {} (the largest of {} that are visible)",
            layout.units[row.unit].name,
            points(&row.effect),
            contenders[row.contender],
            row.against,
            whole(found)
        ),
        None => {
            format!("None of {all} units goes visibly with winning or losing in a single match-up")
        }
    };
    let mut details = counts(&[("played", "took part")]);
    details.push(detail(measure.column(), &format!("{} with it", measure.noun()), Unit::Percent));
    details.push(detail("p_adjusted", "adjusted p", Unit::P));
    let table = matchup_table(analysis);
    let hidden = (left_out + cut) as u64;
    draft.notes.figures.push(Figure {
        id: "units-by-matchup".to_owned(),
        judged: true,
        name: "Units by match-up".to_owned(),
        kind: Kind::Heat,
        title,
        about: format!(
            "What teams with a unit of the chosen contender {} more against the opponent of the column than all of the \
             contender's teams against it, seats taken apart, in percentage points. {} Hatched: not significant; {} of {all} are, \
             adjusted for all of them (Benjamini-Hochberg). {}",
            match measure {
                OutcomeMeasure::Score => "score",
                OutcomeMeasure::Wins | OutcomeMeasure::Decided => "win",
            },
            what_is_measured(measure),
            whole(found),
            units::goes_with(layout)
        ),
        table: table.name.clone(),
        series: one("effect", "effect"),
        axis: Axis {
            label: format!("{} beyond the contender's", measure.figure()),
            unit: Unit::Points,
            even: Some(0.0),
            logarithmic: false,
        },
        group_noun: "contender".to_owned(),
        details,
        marks,
        rest: match hidden {
            0 => String::new(),
            1 => "The table has 1 more unit, with a smaller effect.".to_owned(),
            more => format!("The table has {} more units, with smaller effects.", whole(more)),
        },
        ..Figure::default()
    });
    draft.tables.push(Drawn::part(table));
}

/// A command for a typical battle of a cell, of the match-up in which the unit took part most often; empty where that is
/// too rare to be found.
fn trace_of(analysis: &Analysis<'_>, trace: &Trace<'_>, row: &MatchupUnit) -> String {
    let Analysis { layout, tally, .. } = *analysis;
    let (at, times) = row.mostly;
    let matchup = &layout.matchups[at];
    let (all, unit) = (layout.contenders(), &layout.units[row.unit].name);
    let own = all.names[row.contender];
    let has_it = |name: &String| {
        let of = all.names.iter().position(|known| known == name);
        of.is_some_and(|of| tally.unit(layout, of, row.unit).played > 0)
    };
    // Where another in the battle may have it, too, the side tells them apart.
    let is_shared = matchup.contenders.iter().any(|name| name != own && has_it(name));
    let side = matchup.contenders.iter().position(|name| name == own);
    let side = side.filter(|_| is_shared).map(|side| Side(side as u8));
    trace.with_in(unit, (times, tally.battles()), side, Some(&matchup.label()))
}

fn opponents(rows: &[MatchupUnit]) -> Vec<&str> {
    let mut names: Vec<&str> = rows.iter().map(|row| row.against.as_str()).collect();
    names.sort_unstable();
    names.dedup();
    names
}
