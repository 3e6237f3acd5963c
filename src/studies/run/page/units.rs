//! The section on the best and the worst cards, summoners or minions of each contender.

use super::super::tables::{ENOUGH, UnitRow, differs, fought};
use crate::report::figures::{brief_rate, capital, counted, more, whole};
use crate::report::page::{Align, Page, Tone, Toned};
use crate::scenario::TableName;
use crate::sorting::Sorting;
use crate::studies::run::Analysis;
use crate::tally::{Layout, OutcomeMeasure, Pairs, Tally};

/// How many units are shown from each end of the ranking.
const SHOWN: usize = 6;
/// With more contenders than this the page only refers to the table.
const MOST: usize = 4;

/// Names the sides whose mean score a unit's score is.
pub(super) fn sides_with_it(layout: &Layout) -> &'static str {
    if layout.units_are_brought { "teams with it" } else { "sides that played it" }
}

/// Names what else may be behind a unit's figures: units are not assigned at random.
pub(super) fn goes_with(layout: &Layout) -> String {
    let mut with = vec!["its team-mates".to_owned(), "opponents".to_owned()];
    with.extend(
        (layout.conditions.len() > 1)
            .then(|| format!("the {} that it takes part under", layout.factor_noun)),
    );
    with.extend((layout.brackets.len() > 1).then(|| format!("the {}", layout.bracket_noun)));
    let played = match layout.units_are_brought {
        true => "",
        false => {
            " What comes up only in play is counted where it did, which goes with how a battle goes."
        }
    };
    let (last, others) = with.split_last().expect("two at least");
    format!("A unit's figures go with {} and {last}, too.{played}", others.join(", "))
}

/// Lists the best and the worst units of every contender whose units differ from battle to battle.
pub(super) fn section(page: &mut Page, analysis: &Analysis<'_>) {
    let Analysis { layout, tally, .. } = *analysis;
    let rows = told(analysis);
    let contenders = layout.contenders().names;
    let mut of_each: Vec<&[&UnitRow<'_>]> =
        rows.chunk_by(|one, other| one.contender == other.contender).collect();
    of_each.retain(|rows| rows.iter().any(|row| row.ranks.is_some()));
    if of_each.is_empty() {
        return;
    }
    if of_each.len() > MOST {
        page.heading("Units");
        return page.line(&format!(
            "{} contenders bring units that differ from battle to battle; {} them.",
            whole(of_each.len() as u64),
            analysis.in_table(TableName::Units, "has")
        ));
    }
    for rows in of_each {
        let who = contenders[rows[0].contender];
        let whose = if contenders.len() > 1 { format!(" of {who}") } else { String::new() };
        of_one(page, layout, tally, rows, &whose);
    }
    page.line(&format!(
        "After ± or by - and +: 95% confidence intervals. shrunken: drawn towards the mean of its kind, because the best of many is partly \
         chance; place: where it may truly stand in its kind, with 95% for each by itself and not for all at once. {} {} \
         all.",
        goes_with(layout),
        capital(&analysis.in_table(TableName::Units, "holds"))
    ));
    note_opponents(page, analysis);
}

/// Whether some contender meets several others, and forfeits have left its units with some of them more often than
/// with others.
fn opponents_differ(analysis: &Analysis<'_>) -> bool {
    let Analysis { layout, tally, .. } = *analysis;
    let contenders = layout.contenders();
    let has_several = |contender: u16| {
        let matchups = contenders.at.chunks(layout.sides);
        let mut met = matchups.filter(|sides| sides.contains(&contender)).map(|sides| {
            let mut others = sides.to_vec();
            others.sort_unstable();
            others
        });
        let first = met.next();
        met.any(|others| first.as_ref() != Some(&others))
    };
    let is_forfeited = tally.matchups.iter().any(|count| count.fought() < count.battles);
    is_forfeited && (0..contenders.names.len() as u16).any(has_several)
}

/// Warns that a unit's figures may come from its opponents, where forfeits have made these differ.
pub(super) fn note_opponents(page: &mut Page, analysis: &Analysis<'_>) {
    if opponents_differ(analysis) {
        page.line(
            "Forfeits have left units with some opponents more often than with others, so that a unit's figures may be whom \
             it met.",
        );
    }
}

/// Whether units' opponents differ and pairs were counted for all match-ups together, so that nothing can tell the
/// effect of the opponents apart.
pub(super) fn opponents_are_mixed(analysis: &Analysis<'_>) -> bool {
    let pairs = analysis.tally.pairs.as_ref();
    opponents_differ(analysis) && !pairs.is_some_and(Pairs::are_apart)
}

/// Whether pairs were counted for all conditions together though a contender with drawn teams meets another, so that
/// nothing can tell the effect of the conditions under which units are brought apart.
pub(super) fn conditions_are_mixed(analysis: &Analysis<'_>) -> bool {
    let Analysis { layout, tally, .. } = *analysis;
    let mut matchups = layout.matchups.iter();
    layout.conditions.len() > 1
        && !tally.pairs.as_ref().is_some_and(Pairs::conditions_are_apart)
        && matchups.any(|of| of.contenders.windows(2).any(|two| two[0] != two[1]))
}

/// The units that are reported: those that are not in every battle of their contender, because the others only repeat
/// the contender's score.
pub(super) fn told<'a, 't>(analysis: &'a Analysis<'t>) -> Vec<&'a UnitRow<'t>> {
    let fought = fought(analysis.layout, analysis.tally);
    let differs = |row: &&UnitRow<'_>| differs(row.count.played, fought[row.contender]);
    analysis.units().iter().filter(differs).collect()
}

/// Whether any of them took part often enough to be ranked.
pub(super) fn are_ranked(analysis: &Analysis<'_>) -> bool {
    told(analysis).iter().any(|row| row.ranks.is_some())
}

fn of_one(page: &mut Page, layout: &Layout, tally: &Tally, rows: &[&UnitRow<'_>], whose: &str) {
    let mut ranked: Vec<&UnitRow<'_>> =
        rows.iter().copied().filter(|row| row.ranks.is_some()).collect();
    ranked.put_in_order_by(|a, b| b.shrunken.value.total_cmp(&a.shrunken.value));
    if ranked.len() > 2 * SHOWN {
        page.heading(&format!("Best units{whose}"));
        list(page, layout, tally, &ranked[..SHOWN]);
        page.heading(&format!("Worst units{whose}"));
        list(page, layout, tally, &ranked[ranked.len() - SHOWN..]);
        let between = ranked.len() - 2 * SHOWN;
        page.line(&format!("{} in between.", more(between as u64)));
    } else {
        page.heading(&format!("Units{whose}"));
        list(page, layout, tally, &ranked);
    }
    let rare = (rows.len() - ranked.len()) as u64;
    if rare > 0 {
        page.line(&format!(
            "{} took part fewer than {ENOUGH} times, too few to rank.",
            counted(rare, "unit")
        ));
    }
}

fn list(page: &mut Page, layout: &Layout, tally: &Tally, ranked: &[&UnitRow<'_>]) {
    let row = |row: &&UnitRow<'_>| {
        let unit = &layout.units[row.unit];
        let [first, last] = row.ranks.unwrap_or_default();
        let place = if first == last { whole(first as u64) } else { format!("{first} to {last}") };
        vec![
            unit.name.clone(),
            unit.kind.to_owned(),
            whole(row.count.played),
            brief_rate(&row.score, layout.sides),
            format!("{:.1}%", 100.0 * row.shrunken.value),
            place,
        ]
    };
    let even = OutcomeMeasure::even(layout.sides);
    let tone = |row: &&UnitRow<'_>| Some((3, Tone::of(&row.score, even)));
    let tones: Vec<Toned> = match tally.measure() {
        OutcomeMeasure::Score => ranked.iter().map(tone).collect(),
        OutcomeMeasure::Wins | OutcomeMeasure::Decided => Vec::new(),
    };
    page.toned_table(
        &[
            ("unit", Align::Left),
            ("kind", Align::Left),
            ("played", Align::Right),
            (tally.measure().noun(), Align::Right),
            ("shrunken", Align::Right),
            ("place", Align::Right),
        ],
        ranked.iter().map(row).collect(),
        &tones,
    );
}
