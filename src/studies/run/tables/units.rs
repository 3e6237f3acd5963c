//! The tables `units` and `units_by_ruleset`: how each card, summoner or minion fared, by contender.

use crate::game::{Outcome, Side};
use crate::scenario::TableName;
use crate::statistics::{ClusteredMean, Estimate, Level, clustered, clustered_mean, shrunk_among};
use crate::studies::run::Analysis;
use crate::table::{Column, Table};
use crate::tally::{Clustered, Count, Layout, Stratified, Tally, Unit, UnitCount};

/// One unit of one contender, with its results.
#[derive(Debug)]
pub(crate) struct UnitRow<'t> {
    /// Index into the layout's contenders.
    pub(crate) contender: usize,
    /// Index into the layout's units.
    pub(crate) unit: usize,
    /// How often the unit was in battle, and what it did there.
    pub(crate) count: &'t UnitCount,
    /// The unit's results by the measure, for each match-up of the contender.
    fared: Vec<Stratified>,
    /// The unit's score; the interval treats battles as independent, but not the appearances in one battle.
    pub(crate) score: Estimate,
    /// The score shrunk towards the mean of all units of its kind that the contender brings; unknown where the unit
    /// took part fewer than 100 times.
    pub(crate) shrunken: Estimate,
    /// The first and last rank that the unit may truly have among these, from 1; None where it took part fewer than
    /// 100 times.
    pub(crate) ranks: Option<[usize; 2]>,
    /// The first and last rank that the unit may truly have among these, from 1, at a level that holds for the units
    /// of all contenders at once; None where it took part fewer than 100 times.
    pub(crate) ranks_of_all: Option<[usize; 2]>,
}

/// Units with fewer appearances than this are not ranked.
pub(crate) const ENOUGH: u64 = 100;

/// Every unit that a contender brought at least once, by contender and in the layout's order.
pub(crate) fn units<'t>(layout: &Layout, tally: &'t Tally, level: Level) -> Vec<UnitRow<'t>> {
    let contenders = layout.contenders().names.len();
    let mut rows: Vec<UnitRow<'t>> = (0..contenders * layout.units.len())
        .map(|at| (at, &tally.units[at]))
        .filter(|(_, count)| count.played > 0)
        .map(|(at, count)| {
            let (contender, unit) = (at / layout.units.len(), at % layout.units.len());
            let fared = tally.fared(layout, contender, unit);
            let score = clustered(&fared, layout.sides, level);
            let shrunken = Estimate::UNKNOWN;
            UnitRow {
                contender,
                unit,
                count,
                fared,
                score,
                shrunken,
                ranks: None,
                ranks_of_all: None,
            }
        })
        .collect();
    rank(layout, tally, &mut rows, level);
    rows
}

/// Shrinks and ranks the units of each contender and kind.
fn rank(layout: &Layout, tally: &Tally, rows: &mut [UnitRow<'_>], level: Level) {
    let family = |row: &UnitRow<'_>| (row.contender, layout.units[row.unit].kind);
    let mut families: Vec<(usize, &str)> = rows.iter().map(family).collect();
    families.sort_unstable();
    families.dedup();
    let contenders = families.chunk_by(|one, next| one.0 == next.0).count() as u64;
    for of in families {
        let all = rows.iter().filter(|row| family(row) == of);
        let common = common_variance(all, of.0, layout, tally);
        let mut members: Vec<(&mut UnitRow<'_>, ClusteredMean)> = rows
            .iter_mut()
            .filter(|row| family(row) == of && Clustered::sum_of(&row.fared).times >= ENOUGH)
            .filter_map(|row| clustered_mean(&row.fared, layout.sides).map(|mean| (row, mean)))
            .collect();
        let scores: Vec<ClusteredMean> = members.iter().map(|(_, mean)| *mean).collect();
        let shrunk = shrunk_among(&scores, common, level, contenders);
        for ((row, _), shrunk) in members.iter_mut().zip(shrunk) {
            row.shrunken = shrunk.estimate;
            row.ranks = Some(shrunk.ranks);
            row.ranks_of_all = Some(shrunk.ranks_of_all);
        }
    }
}

/// The variance of the error that the scores of units of one kind share because their contender had good dice: their
/// mean covariance. Where each team brings equally many of them, their errors, weighted by appearances, sum up to the
/// error of the contender's score; the part of its variance that the units' own variances do not explain is
/// covariances. This is all of it for a fixed team, and none for summoners, of which a team has one. Negative where a
/// contender meets itself: what one of its cards wins another loses.
fn common_variance<'r, 't: 'r>(
    units: impl Iterator<Item = &'r UnitRow<'t>>,
    contender: usize,
    layout: &Layout,
    tally: &Tally,
) -> f64 {
    let strata = contender_fared(layout, tally, contender);
    let Some(whole) = clustered_mean(&strata, layout.sides) else { return 0.0 };
    let (mut times, mut squares, mut own) = (0.0, 0.0, 0.0);
    for unit in units {
        let Some(mean) = clustered_mean(&unit.fared, layout.sides) else { continue };
        let appearances = Clustered::sum_of(&unit.fared).times as f64;
        times += appearances;
        squares += appearances * appearances;
        own += appearances * appearances * mean.variance;
    }
    let between = times * times - squares;
    if between <= 0.0 {
        return 0.0;
    }
    ((times * times * whole.variance - own) / between).min(whole.variance)
}

/// A contender's results by match-up, as if it were a unit that is in each of its teams once.
fn contender_fared(layout: &Layout, tally: &Tally, contender: usize) -> Vec<Stratified> {
    let (sides, measure) = (layout.sides, tally.measure());
    let at = layout.contenders().at;
    let of_matchup = |(matchup, count): (usize, &Count)| {
        let own: Vec<Side> = (0..sides)
            .filter(|side| usize::from(at[matchup * sides + side]) == contender)
            .map(|side| Side(side as u8))
            .collect();
        let first = *own.first()?;
        let mut fared = Clustered::default();
        let mut add = |battles: u64, outcome: Outcome| {
            let points = own.iter().filter_map(|&side| measure.points(outcome, side, sides));
            let (times, points) =
                points.fold((0, 0), |(times, sum), of| (times + 1, sum + u64::from(of)));
            fared.times += battles * times;
            fared.points += battles * points;
            fared.times_squared += battles * times * times;
            fared.times_by_points += battles * times * points;
            fared.points_squared += battles * points * points;
        };
        let of_first = count.results_fought(first);
        let won: u64 = own.iter().map(|&side| count.results_fought(side).won).sum();
        add(won, Outcome::Win(first));
        add(of_first.shared, Outcome::Draw);
        let other = (0..sides).map(|side| Side(side as u8)).find(|side| !own.contains(side));
        if let Some(other) = other {
            add(of_first.won + of_first.lost - won, Outcome::Win(other));
        }
        Some(Stratified { battles: count.battles, fared })
    };
    tally.matchups.iter().enumerate().filter_map(of_matchup).collect()
}

/// The number of battles that each contender's teams fought.
pub(crate) fn fought(layout: &Layout, tally: &Tally) -> Vec<u64> {
    let contenders = layout.contenders();
    let mut battles = vec![0; contenders.names.len()];
    for (at, &of) in contenders.at.iter().enumerate() {
        battles[usize::from(of)] += tally.matchups[at / layout.sides].fought();
    }
    battles
}

/// Whether a unit that took part this often is not in all battles of its contender the same number of times:
/// otherwise its score only repeats the contender's.
pub(crate) fn differs(played: u64, fought: u64) -> bool {
    played > 0 && !played.is_multiple_of(fought.max(1))
}

/// The table `units`: one row per contender and unit that it brought.
pub(super) fn table(analysis: &Analysis<'_>) -> Table {
    let Analysis { layout, tally, .. } = *analysis;
    let rows = analysis.units();
    let contenders = layout.contenders().names;
    let measure = tally.measure();
    let unit = |of: fn(&Unit) -> String| {
        rows.iter().map(|row| of(&layout.units[row.unit])).collect::<Vec<_>>()
    };
    let count =
        |of: fn(&UnitCount) -> u64| rows.iter().map(|row| of(row.count)).collect::<Vec<_>>();
    let per_play = |of: fn(&UnitCount) -> u64| -> Vec<f64> {
        rows.iter().map(|row| of(row.count) as f64 / row.count.played as f64).collect()
    };
    let rank = |end: usize| -> Vec<f64> {
        let of = |row: &UnitRow<'_>| row.ranks.map_or(f64::NAN, |ranks| ranks[end] as f64);
        rows.iter().map(of).collect()
    };
    let mut columns = vec![
        Column::text(
            "contender",
            "who brought it, or bears it",
            rows.iter().map(|row| contenders[row.contender].to_owned()).collect(),
        ),
        Column::text("unit", "its name", unit(|unit| unit.name.clone())),
        Column::text("kind", "what kind of unit it is", unit(|unit| unit.kind.to_owned())),
        Column::text("group", "what it belongs to", unit(|unit| unit.group.clone())),
        Column::count(
            "played",
            "how often it took part; more than once a battle where it came in copies or on both sides",
            count(|unit| unit.played),
        ),
        Column::count("won", "how often its side won", count(|unit| unit.won)),
        Column::count("shared", "how often nobody won", count(|unit| unit.shared)),
    ];
    let scores: Vec<Estimate> = rows.iter().map(|row| row.score).collect();
    columns.extend(Column::estimates(
        measure.column(),
        &format!(
            "its side: {}, 0 to 1; appearances in one battle are not taken for independent",
            measure.meaning()
        ),
        &scores,
    ));
    let shrunken: Vec<Estimate> = rows.iter().map(|row| row.shrunken).collect();
    columns.extend(Column::estimates(
        "shrunken",
        "the same drawn towards the mean of the contender's units of this kind, 0 to 1 (hierarchical Bayes); empty below 100 \
         appearances",
        &shrunken,
    ));
    for (end, name) in ["rank_low", "rank_high"].into_iter().enumerate() {
        let which = if end == 0 { "first" } else { "last" };
        columns.push(Column::number(
            name,
            format!(
                "the {which} place among these that it may truly have (95% interval for it alone)"
            ),
            rank(end),
        ));
    }
    columns.push(Column::number(
        "survival",
        "share of its appearances in which it was there at the end, 0 to 1",
        per_play(|unit| unit.survived),
    ));
    columns.push(Column::number(
        "damage_dealt",
        "mean hit points it took from others per appearance",
        per_play(|unit| unit.dealt),
    ));
    columns.push(Column::number(
        "damage_taken",
        "mean hit points it lost per appearance: to others, and where the game has that to rules and effects that nobody is credited with",
        per_play(|unit| unit.taken),
    ));
    Table { name: TableName::Units.to_string(), columns }
}

/// The table `units_by_ruleset`: one row per factor, contender and unit that met; None when the layout has no
/// factors.
pub(super) fn by_factor_table(layout: &Layout, tally: &Tally, level: Level) -> Option<Table> {
    if layout.factors.is_empty() {
        return None;
    }
    let (noun, measure) = (layout.factor_noun, tally.measure());
    let contenders = layout.contenders().names;
    let mut rows: Vec<(usize, usize, usize, Vec<Stratified>, u64)> = Vec::new();
    for factor in 0..layout.factors.len() {
        for contender in 0..contenders.len() {
            for unit in 0..layout.units.len() {
                let count = tally.appearances_of(layout, factor, contender, unit);
                if count.played > 0 {
                    let fared = tally.fared_in(layout, factor, contender, unit);
                    rows.push((factor, contender, unit, fared, count.played));
                }
            }
        }
    }
    let scores: Vec<Estimate> =
        rows.iter().map(|(.., fared, _)| clustered(fared, layout.sides, level)).collect();
    let mut columns = vec![
        Column::text(
            noun,
            format!("the {noun}"),
            rows.iter().map(|row| layout.factors[row.0].clone()).collect(),
        ),
        Column::text(
            "contender",
            "who brought it, or bears it",
            rows.iter().map(|row| contenders[row.1].to_owned()).collect(),
        ),
        Column::text(
            "unit",
            "its name",
            rows.iter().map(|row| layout.units[row.2].name.clone()).collect(),
        ),
        Column::count(
            "played",
            format!("how often it took part under the {noun}"),
            rows.iter().map(|row| row.4).collect(),
        ),
    ];
    columns.extend(Column::estimates(
        measure.column(),
        &format!("its side then: {}, 0 to 1", measure.meaning()),
        &scores,
    ));
    Some(Table { name: TableName::UnitsByFactor.to_string(), columns })
}
