//! The section on one card, summoner or minion that was asked for: how it fared, under which conditions, and beside
//! whom.

use super::super::tables::{UnitPair, UnitRow, differs, fought};
use super::unit_pairs;
use super::units::note_opponents;
use super::verdict::{Verdict, at_the_start};
use crate::report::figures::{brief_points, brief_rate, counted, more, p_value, rate, whole};
use crate::report::page::{Align, Page, Tone, Toned};
use crate::sorting::Sorting;
use crate::statistics::{Estimate, clustered};
use crate::studies::run::Analysis;
use crate::tally::{Breakdown, Clustered, OutcomeMeasure, Stratified};

/// How many partners are shown.
const SHOWN: usize = 8;
/// Factors and pairs with fewer appearances than this are left out.
const ENOUGH: u64 = 100;

/// Everything that is known of a unit, contender by contender.
pub(super) fn section(page: &mut Page, analysis: &Analysis<'_>, unit: usize) {
    let Analysis { layout, .. } = *analysis;
    let name = &layout.units[unit].name;
    let rows: Vec<&UnitRow<'_>> = analysis.units().iter().filter(|row| row.unit == unit).collect();
    if rows.is_empty() {
        page.heading(name);
        return page.line("It took part in no battle.");
    }
    let Analysis { tally, level, .. } = *analysis;
    let verdict = Verdict::of(layout, tally, &tally.matchups, level);
    for row in rows {
        of_one(page, analysis, row, &verdict);
    }
}

fn of_one(page: &mut Page, analysis: &Analysis<'_>, row: &UnitRow<'_>, verdict: &Verdict<'_>) {
    let Analysis { layout, tally, .. } = *analysis;
    let unit = &layout.units[row.unit];
    let contenders = layout.contenders().names;
    let whose = match contenders.len() {
        1 => String::new(),
        _ => format!(" of {}", contenders[row.contender]),
    };
    page.heading(&format!("{}{whose}", unit.name));
    let even = OutcomeMeasure::even(layout.sides);
    let measure = tally.measure();
    let is_always = !differs(row.count.played, fought(layout, tally)[row.contender]);
    let judged = match Tone::of(&row.score, even) {
        _ if is_always => ", which is its contender's: it is in every team",
        _ if measure != OutcomeMeasure::Score => "",
        Tone::Favoured => ", visibly more than even",
        Tone::Against => ", visibly less than even",
        Tone::Bold | Tone::NotVisible | Tone::Quiet => ", not visibly other than even",
    };
    page.line(&format!(
        "{} ({}), in battle {}: its side has a {} of {}{judged}.",
        unit.kind,
        unit.group,
        counted(row.count.played, "time"),
        measure.figure(),
        rate(&row.score)
    ));
    // What goes with a unit may be no more than what goes with whoever has it.
    let name = contenders[row.contender];
    let standing = verdict.standings.iter().find(|of| of.name == name && !is_always);
    if let Some(standing) = standing {
        page.line(&format!(
            "{} {} {}{} against others, with it and without.",
            at_the_start(name),
            measure.verb(),
            rate(&standing.score),
            measure.of_what()
        ));
    }
    if let Some([first, last]) = row.ranks {
        let kin = |other: &&UnitRow<'_>| {
            other.contender == row.contender
                && layout.units[other.unit].kind == unit.kind
                && other.ranks.is_some()
        };
        let all = analysis.units().iter().filter(kin).count();
        let place = if first == last {
            format!("place {first}")
        } else {
            format!("place {first} to {last}")
        };
        page.line(&format!(
            "Among the {} it stands at {place} (95%, for it alone); drawn towards their mean it has {:.1}%.",
            counted(all as u64, unit.kind),
            100.0 * row.shrunken.value
        ));
    }
    factors(page, analysis, row);
    note_opponents(page, analysis);
    partners(page, analysis, row);
}

/// How the unit fared with each factor, the most extreme first.
fn factors(page: &mut Page, analysis: &Analysis<'_>, row: &UnitRow<'_>) {
    let Analysis { layout, tally, level, .. } = *analysis;
    if layout.factors.is_empty() || tally.breakdown() != Breakdown::Factor {
        return;
    }
    let known: Vec<_> = (0..layout.factors.len())
        .map(|factor| (factor, tally.fared_in(layout, factor, row.contender, row.unit)))
        .map(|(factor, fared)| (factor, Clustered::sum_of(&fared).times, fared))
        .filter(|(_, times, _)| *times >= ENOUGH)
        .collect();
    // Factors are singled out from all of these, so the interval that tells one from even allows for all.
    let of_all = level.shared_by(known.len() as u64);
    let scored = |(factor, times, fared): (usize, u64, Vec<Stratified>)| {
        let score = |level| clustered(&fared, layout.sides, level);
        (factor, times, score(level), score(of_all))
    };
    let mut known: Vec<(usize, u64, Estimate, Estimate)> = known.into_iter().map(scored).collect();
    if known.is_empty() {
        return;
    }
    known.put_in_order_by(|a, b| b.2.value.total_cmp(&a.2.value));
    let ends = known.len() > 2 * SHOWN;
    let hidden = known.len().saturating_sub(2 * SHOWN);
    if ends {
        known.drain(SHOWN..known.len() - SHOWN);
    }
    let noun = layout.factor_noun;
    page.gap();
    let rows = known.iter().map(|(factor, times, score, _)| {
        vec![layout.factors[*factor].clone(), whole(*times), brief_rate(score, layout.sides)]
    });
    let even = OutcomeMeasure::even(layout.sides);
    let tones: Vec<Toned> = match tally.measure() {
        OutcomeMeasure::Score => {
            known.iter().map(|(.., score)| Some((2, Tone::of(score, even)))).collect()
        }
        OutcomeMeasure::Wins | OutcomeMeasure::Decided => Vec::new(),
    };
    let columns =
        [(noun, Align::Left), ("played", Align::Right), (tally.measure().noun(), Align::Right)];
    page.toned_table(&columns, rows.collect(), &tones);
    if hidden > 0 {
        page.line(&format!("{} in between.", more(hidden as u64)));
    }
    let also = match layout.neutral {
        Some(_) => format!(" A {noun} also decides who can be brought at all."),
        None => String::new(),
    };
    page.line(&format!(
        "After ± or by - and +: 95% confidence intervals, one by one; colours allow for their number.{also}"
    ));
}

/// The partners with which the unit does better or worse than the two predict separately.
fn partners(page: &mut Page, analysis: &Analysis<'_>, row: &UnitRow<'_>) {
    let Analysis { layout, tally, .. } = *analysis;
    let has = |pair: &&UnitPair| {
        pair.contender == row.contender
            && pair.units.contains(&row.unit)
            && !pair.p_adjusted.is_nan()
    };
    let mut pairs: Vec<&UnitPair> = analysis.unit_pairs().iter().filter(has).collect();
    if pairs.is_empty() {
        return;
    }
    pairs.put_in_order_by(|a, b| b.lift.lift.value.abs().total_cmp(&a.lift.lift.value.abs()));
    // The largest of many lifts are large partly by chance.
    let shown = pairs.len().min(SHOWN);
    let told = unit_pairs::among_those_of_unit(analysis, shown, pairs.len());
    let cells = |pair: &&UnitPair| {
        let other = pair.units[usize::from(pair.units[0] == row.unit)];
        vec![
            layout.units[other].name.clone(),
            whole(pair.count.played),
            brief_rate(&pair.score, layout.sides),
            brief_points(&told(pair)),
            p_value(pair.p_adjusted),
        ]
    };
    let tone = |pair: &&UnitPair| {
        Some((3, Tone::of_change(pair.lift.lift.value, unit_pairs::significant(pair))))
    };
    page.gap();
    let columns = [
        ("together with", Align::Left),
        ("played", Align::Right),
        (tally.measure().noun(), Align::Right),
        ("lift", Align::Right),
        ("p", Align::Right),
    ];
    let tones: Vec<Toned> = pairs.iter().take(SHOWN).map(tone).collect();
    page.toned_table(&columns, pairs.iter().take(SHOWN).map(cells).collect(), &tones);
    let largest = match shown < pairs.len() {
        true => ", its interval also for the choice of the largest",
        false => "",
    };
    page.line(&format!(
        "lift: what teams with both have less what one expects if the odds ratios of the two multiplied. Its interval and p \
         allow for all pairs of the run{largest}."
    ));
}
