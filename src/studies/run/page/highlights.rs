//! The highlights: what matters most, in a few sentences.

use super::super::tables::{Change, OrderEffect, UnitRow};
use super::{changes, order_effects as orders, unit_pairs, units};
use crate::report::figures::{counted, plain_points, plural, points, rate, whole};
use crate::report::{Treatment, forfeited};
use crate::sorting::Sorting;
use crate::statistics::{Estimate, Level, proportion};
use crate::studies::run::Analysis;
use crate::tally::{Count, Forfeits, Origin, OutcomeMeasure};

/// How many highlights are reported.
const MOST: usize = 3;
/// Forfeits, and battles that nobody wins, are reported from this share on.
const MANY: f64 = 0.02;
/// Kinds of units that are not reported by themselves: a summoner goes with the team that it leads, and an effect
/// that a unit bears may have been put on it by others.
const UNTOLD: [&str; 2] = ["summoner", "borne effect"];

/// The sentences, those on the largest differences first. Each is about a different subject.
pub(super) fn highlights(analysis: &Analysis<'_>, all: &Count) -> Vec<String> {
    let mut found: Vec<(f64, String)> = Vec::new();
    found.extend(forfeits(all, analysis.level));
    found.extend(factor(analysis));
    found.extend(order(analysis));
    found.extend(unit(analysis));
    found.extend(pair(analysis));
    found.put_in_order_by(|(a, _), (b, _)| b.total_cmp(a));
    found.truncate(MOST);
    found.into_iter().map(|(_, sentence)| sentence).collect()
}

fn forfeits(all: &Count, level: Level) -> Option<(f64, String)> {
    let share = proportion(all.unfought, all.battles, level);
    if share.value < MANY {
        return None;
    }
    let sentence = forfeited(&Forfeits::of([all]), Treatment::Scored, Some(level))?;
    Some((1.0 + share.value, sentence))
}

pub(super) fn factor(analysis: &Analysis<'_>) -> Option<(f64, String)> {
    let Analysis { layout, tally, level, .. } = *analysis;
    let known = changes::told(analysis);
    // The largest of many is partly chance.
    let level = level.of_chosen(1, known.len());
    let found: Vec<&Change> =
        known.iter().copied().filter(|change| changes::significant(change)).collect();
    let at = found.iter().position(|change| change.effect(level).excludes(0.0))?;
    let change = found[at];
    let effect = change.effect(level);
    let contenders = &layout.matchups[change.matchup].contenders;
    let who = &contenders[change.side.index()];
    let against = match layout.sides {
        2 => format!(" against {}", contenders[1 - change.side.index()]),
        _ => format!(" as side {}", change.side),
    };
    let [with, without] = match layout.neutral {
        Some(_) => ["With", "battles without it"],
        None => ["Where", "battles where it is otherwise"],
    };
    let sentence = format!(
        "{with} {}, {who}{against} {} {}, which is {} against {without} ({}).",
        layout.factors[change.factor],
        tally.measure().verb(),
        rate(&change.score(level)),
        points(&effect),
        match (found.len(), at) {
            (1, _) => "the only one that differs".to_owned(),
            (several, 0) =>
                format!("the largest of {several} that differ; intervals allow for the choice"),
            (several, _) => format!("one of {several} that differ; intervals allow for the choice"),
        },
    );
    Some((effect.value.abs(), sentence))
}

pub(super) fn order(analysis: &Analysis<'_>) -> Option<(f64, String)> {
    let layout = analysis.layout;
    if layout.sides > 2 {
        return None;
    }
    let drawn: Vec<&OrderEffect> =
        analysis.order_effects().iter().filter(|effect| effect.origin == Origin::Drawn).collect();
    let found = orders::significant(&drawn);
    let chosen = analysis.level.of_chosen(1, drawn.len());
    let told =
        |effect: &OrderEffect| effect.gap().at_level(analysis.level, chosen).within(-1.0, 1.0);
    let gap = |effect: &OrderEffect| told(effect).least_size();
    // An interval that allows for the choice, or for a stopping rule, may show less than the p-value does.
    let visible = found.iter().filter(|effect| gap(effect) > 0.0);
    let largest = visible.max_by(|a, b| gap(a).total_cmp(&gap(b)))?;
    let sentence = format!(
        "A drawn order matters: side A gains {} by {}.",
        points(&told(largest)),
        orders::rather(layout, largest)
    );
    Some((largest.gap().value.abs(), sentence))
}

/// The best unit, reported only where it leads its kind: where no other may truly rank above it, or where chance can
/// account for no rank below the first quarter.
pub(super) fn unit(analysis: &Analysis<'_>) -> Option<(f64, String)> {
    first_unit(analysis).map(|(_, lead, sentence)| (lead, sentence))
}

/// The unit that stands out most among those of its kind, its lead over their mean, and a sentence on it.
pub(super) fn first_unit<'a, 't>(
    analysis: &'a Analysis<'t>,
) -> Option<(&'a UnitRow<'t>, f64, String)> {
    let Analysis { layout, tally, .. } = *analysis;
    // Where units are played during a battle, playing one also follows from how the battle goes, so it matters less.
    if !layout.units_are_brought {
        return None;
    }
    let rows = units::told(analysis);
    let alike = |row: &UnitRow<'_>| -> Vec<f64> {
        let family = |of: &UnitRow<'_>| (of.contender, layout.units[of.unit].kind);
        let ranked = rows.iter().filter(|of| of.ranks.is_some() && family(of) == family(row));
        ranked.map(|of| of.shrunken.value).collect()
    };
    let leads = |row: &&UnitRow<'_>| {
        let family = alike(row);
        let mean = family.iter().sum::<f64>() / family.len() as f64;
        (family.len(), row.shrunken.value - mean)
    };
    let (row, [_, last], (several, lead)) = rows
        .iter()
        .copied()
        .filter(|row| !UNTOLD.contains(&layout.units[row.unit].kind))
        .filter_map(|row| Some((row, row.ranks_of_all?)))
        .filter(|(_, ranks)| ranks[0] == 1)
        .map(|(row, ranks)| (row, ranks, leads(&row)))
        .filter(|(_, ranks, (several, _))| leads_its_kind(*ranks, *several))
        .max_by(|(.., (_, a)), (.., (_, b))| a.total_cmp(b))?;
    let contenders = layout.contenders().names;
    let whose = match contenders.len() {
        1 => String::new(),
        _ => format!(" of {}", contenders[row.contender]),
    };
    let kind = layout.units[row.unit].kind;
    let most = match last {
        1 => format!("goes with winning more than any other {kind}{whose}"),
        _ => format!("is one of the {}{whose} that go with winning most", plural(kind)),
    };
    let place = match last {
        1 => format!("the first of {several}"),
        last => format!("place 1 to {last} of {several}"),
    };
    // The list of the contender's own units has an interval for each of them, but this unit is picked from all lists.
    let adjusted = match contenders.len() {
        _ if row.ranks == row.ranks_of_all => String::new(),
        2 => ", adjusted for both contenders".to_owned(),
        all => format!(", adjusted for all {} contenders", whole(all as u64)),
    };
    // The shrunken score, which the list is ranked by: the raw score of the first of many is partly chance.
    let sentence = format!(
        "{} {most}: teams with it {} {} once drawn towards the mean of its kind ({place}{adjusted}){}.",
        layout.units[row.unit].name,
        match tally.measure() {
            OutcomeMeasure::Score => "score",
            OutcomeMeasure::Wins | OutcomeMeasure::Decided => "win",
        },
        rate(&row.shrunken),
        match (layout.conditions.len() > 1, layout.brackets.len() > 1) {
            (false, false) => String::new(),
            (true, false) => format!(", whatever {} they had", layout.factor_noun),
            (false, true) => format!(", whatever {} they had", layout.bracket_noun),
            (true, true) =>
                format!(", whatever {} and {} they had", layout.factor_noun, layout.bracket_noun),
        }
    );
    Some((row, lead, sentence))
}

/// Whether a unit whose true rank may be anything from `first` to `last` among several is worth naming.
fn leads_its_kind([first, last]: [usize; 2], several: usize) -> bool {
    several > 1 && first == 1 && (last == 1 || 4 * last <= several)
}

pub(super) fn pair(analysis: &Analysis<'_>) -> Option<(f64, String)> {
    let Analysis { layout, tally, .. } = *analysis;
    // In these cases a lift may come from the opponents that the pair met, or the conditions under which it did.
    if units::opponents_are_mixed(analysis)
        || units::conditions_are_mixed(analysis)
        || unit_pairs::mixed(analysis).is_some()
    {
        return None;
    }
    let largest = unit_pairs::surest(analysis).into_iter().next()?;
    let [one, other] = largest.units.map(|unit| layout.units[unit].name.as_str());
    let lift = unit_pairs::among(analysis, 1)(largest);
    if lift.least_size() <= 0.0 {
        return None;
    }
    let (size, than) = match lift.value < 0.0 {
        true => (Estimate { value: -lift.value, low: -lift.high, high: -lift.low }, "less"),
        false => (lift, "more"),
    };
    let sentence = format!(
        "{one} with {other} in one team {} {} {than} than the odds of the two lead one to expect (the surest of {}; its \
         interval allows for the choice).",
        tally.measure().verb(),
        plain_points(&size),
        counted(unit_pairs::tested(analysis.unit_pairs()) as u64, "pair")
    );
    // A finding about two cards at once is worth less than one about a single card.
    Some((0.5 * largest.lift.lift.value.abs(), sentence))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::chance::Seeded;
    use crate::statistics::{ClusteredMean, shrunk};
    use crate::table::LEVEL;

    /// Over 200 sets of equally good units: in sets of two, one in 20 names a best unit, in larger sets hardly any.
    #[test]
    fn the_best_of_equals_is_not_named() {
        for (several, most) in [(2, 22), (3, 22), (5, 12), (12, 8), (30, 8)] {
            let named = (0..200).filter(|&set| {
                let mut random = Seeded::of_battle(50 + several as u64, set);
                let of_one = |random: &mut Seeded| {
                    let value = 0.5 + 0.01 * random.normal();
                    let (variance, least) = (1e-4, 0.0);
                    ClusteredMean { value, variance, shown: variance, least, effective: 2_500.0 }
                };
                let scores: Vec<ClusteredMean> =
                    (0..several).map(|_| of_one(&mut random)).collect();
                shrunk(&scores, 0.0, LEVEL).iter().any(|one| leads_its_kind(one.ranks, several))
            });
            let named = named.count();
            assert!(named <= most, "{named} of 200 with {several} units");
        }
    }
}
