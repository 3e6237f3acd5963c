//! The table `outcomes`: win rates by match-up and side.

use crate::game::Side;
use crate::scenario::TableName;
use crate::statistics::{Estimate, Level, mean, mean_of_counts, proportion, quantile, score};
use crate::table::{Column, Table, snake_case};
use crate::tally::{Count, Layout, OutcomeMeasure, Tally};

/// The table `outcomes`: one row per match-up and side.
pub(super) fn table(layout: &Layout, tally: &Tally, level: Level) -> Table {
    let counts: Vec<Count> =
        (0..layout.matchups.len()).map(|matchup| tally.matchups[matchup].clone()).collect();
    let rows: Vec<Row<'_>> = counts
        .iter()
        .enumerate()
        .flat_map(|(matchup, count)| {
            (0..layout.sides).map(move |side| Row { layout, matchup, side, count })
        })
        .collect();
    let text = |of: fn(&Row<'_>) -> String| rows.iter().map(of).collect::<Vec<_>>();
    let count = |of: fn(&Row<'_>) -> u64| rows.iter().map(of).collect::<Vec<_>>();
    let mut columns = vec![
        Column::text("matchup", "who meets whom, side A first", text(|row| row.matchup())),
        Column::text("side", "the side this row is about", text(|row| row.side())),
        Column::text("contender", "who plays this side", text(|row| row.contender())),
        Column::text_lists(
            "opponents",
            "who plays the other sides, in their order",
            ", ",
            rows.iter().map(Row::opponents),
        ),
        Column::count("battles", "battles of this match-up", count(|row| row.count.battles)),
        Column::count("wins", "battles this side won", count(|row| row.count.wins[row.side])),
        Column::count("losses", "battles another side won", count(|row| row.losses())),
        Column::count("draws", "battles the rules call a draw", count(|row| row.count.draws)),
        Column::count(
            "undecided",
            "battles the rules stopped with nothing decided",
            count(|row| row.count.undecided),
        ),
        Column::count(
            "forfeits",
            "battles that this side forfeited before they began: losses, or draws where the other side forfeited, too; in no \
             length or other mean",
            count(|row| row.count.forfeits[row.side]),
        ),
        Column::count(
            "fought",
            "battles that nobody forfeited, which the following means are of",
            count(|row| row.count.fought()),
        ),
    ];
    let estimates = |of: &dyn Fn(&Count, usize) -> Estimate| -> Vec<Estimate> {
        rows.iter().map(|row| of(row.count, row.side)).collect()
    };
    let side = |side: usize| Side(side as u8);
    for of in [OutcomeMeasure::Score, OutcomeMeasure::Wins, OutcomeMeasure::Decided] {
        columns.extend(Column::estimates(
            of.column(),
            &format!("this side: {}, 0 to 1", of.meaning()),
            &estimates(&|count, at| score(count.results(side(at)), of, level)),
        ));
    }
    let share = |part: fn(&Count) -> u64| {
        estimates(&|count, _| proportion(part(count), count.battles, level))
    };
    columns.extend(Column::estimates(
        "draw_rate",
        "draws per battle, 0 to 1",
        &share(|count| count.draws),
    ));
    columns.extend(Column::estimates(
        "undecided_rate",
        "undecided battles per battle, 0 to 1",
        &share(|count| count.undecided),
    ));
    columns.extend(Column::estimates(
        "length_mean",
        &format!("mean length of a battle in {}s", layout.round_noun),
        &estimates(&|count, _| length(count, level)),
    ));
    for (name, share) in [("length_p10", 0.1), ("length_p50", 0.5), ("length_p90", 0.9)] {
        let meaning = format!(
            "{}% of the battles last at most this many {}s",
            100.0 * share,
            layout.round_noun
        );
        let at = |row: &Row<'_>| quantile(&row.count.lengths, share).map_or(f64::NAN, |v| v as f64);
        columns.push(Column::number(name, meaning, rows.iter().map(at).collect()));
    }
    for (metric, name) in layout.metrics.iter().enumerate() {
        columns.extend(Column::estimates(
            &format!("{}_mean", snake_case(name)),
            &format!("mean per battle of: {name}"),
            &estimates(&|count, _| metric_mean(layout, count, metric, level)),
        ));
    }
    Table { name: TableName::Outcomes.to_string(), columns }
}

/// The mean of a metric in the counted battles that were fought.
pub(crate) fn metric_mean(layout: &Layout, count: &Count, metric: usize, level: Level) -> Estimate {
    let is_count = layout.are_counts.get(metric).copied().unwrap_or(false);
    let of = if is_count { mean_of_counts } else { mean };
    of(count.fought(), count.sums[metric], count.squares[metric], level)
}

/// The mean length of the counted battles.
pub(crate) fn length(count: &Count, level: Level) -> Estimate {
    let (mut sum, mut squares) = (0, 0);
    for (rounds, &times) in (0i128..).zip(&count.lengths) {
        sum += rounds * i128::from(times);
        squares += rounds * rounds * i128::from(times);
    }
    mean_of_counts(count.fought(), sum, squares, level)
}

struct Row<'a> {
    layout: &'a Layout,
    matchup: usize,
    side: usize,
    count: &'a Count,
}

impl Row<'_> {
    fn matchup(&self) -> String {
        self.layout.matchups[self.matchup].label()
    }

    fn side(&self) -> String {
        Side(self.side as u8).to_string()
    }

    fn contender(&self) -> String {
        self.layout.matchups[self.matchup].contenders[self.side].clone()
    }

    fn opponents(&self) -> impl Iterator<Item = &str> {
        let all = self.layout.matchups[self.matchup].contenders.iter().enumerate();
        all.filter(|(side, _)| *side != self.side).map(|(_, name)| name.as_str())
    }

    fn losses(&self) -> u64 {
        self.count.wins.iter().sum::<u64>() - self.count.wins[self.side]
    }
}
