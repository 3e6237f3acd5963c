//! What the tables of a run say.

use super::{Analysis, BattleRows, BattleTexts, build, one_order_prevails, order_effects};
use crate::batch::Rows as _;
use crate::game::{Outcome, Side};
use crate::scenario::TableName;
use crate::table::tests::{text, written};
use crate::table::{Format, LEVEL, Table, Values, snake_case};
use crate::tally::fixture::{duel, record, round_robin, tally, three_sides};
use crate::tally::{Breakdown, Layout, Tally};

fn number(table: &Table, name: &str, row: usize) -> f64 {
    let column = table.columns.iter().find(|column| column.name == name).expect("the column");
    match &column.values {
        Values::Count(values) => values[row] as f64,
        Values::Number(values) => values[row],
        other => panic!("no number but {}", other.kind()),
    }
}

#[test]
fn every_table_of_a_duel() {
    let layout = duel();
    let tally = tally(&layout, 1000);
    for name in [
        TableName::Outcomes,
        TableName::Factors,
        TableName::Orders,
        TableName::OrderEffects,
        TableName::Units,
        TableName::UnitsByFactor,
    ] {
        let table = build(name, &Analysis::new(&layout, &tally, LEVEL)).expect("made from counts");
        assert_eq!(table.name, name.to_string());
        insta::assert_snapshot!(format!("duel_{name}"), text(Format::Csv, &[table]));
    }
    assert_eq!(build(TableName::Battles, &Analysis::new(&layout, &tally, LEVEL)), None);
}

#[test]
fn three_sides_have_a_row_and_columns_each() {
    let layout = three_sides();
    let tally = tally(&layout, 1000);
    let outcomes = build(TableName::Outcomes, &Analysis::new(&layout, &tally, LEVEL))
        .expect("made from counts");
    let orders =
        build(TableName::Orders, &Analysis::new(&layout, &tally, LEVEL)).expect("made from counts");
    insta::assert_snapshot!("three_sides_outcomes", text(Format::Csv, &[outcomes]));
    insta::assert_snapshot!("three_sides_orders", text(Format::Csv, &[orders]));
}

#[test]
fn without_factors_there_are_no_ruleset_tables() {
    let layout = round_robin(2);
    let tally = tally(&layout, 40);
    assert_eq!(build(TableName::Factors, &Analysis::new(&layout, &tally, LEVEL)), None);
    assert_eq!(build(TableName::UnitsByFactor, &Analysis::new(&layout, &tally, LEVEL)), None);
    let orders =
        build(TableName::Orders, &Analysis::new(&layout, &tally, LEVEL)).expect("made from counts");
    assert_eq!(orders.rows(), 0);
}

#[test]
fn without_battles_nothing_is_known() {
    let layout = duel();
    let tally = tally(&layout, 0);
    let outcomes = build(TableName::Outcomes, &Analysis::new(&layout, &tally, LEVEL))
        .expect("made from counts");
    assert_eq!(number(&outcomes, "battles", 0), 0.0);
    for name in ["win_rate", "win_rate_low", "length_mean", "length_p50", "damage_in_round_1_mean"]
    {
        assert!(number(&outcomes, name, 0).is_nan(), "{name}");
    }
    let rulesets = build(TableName::Factors, &Analysis::new(&layout, &tally, LEVEL))
        .expect("made from counts");
    assert!(number(&rulesets, "effect", 0).is_nan());
    assert_eq!(number(&rulesets, "expected_share", 2), 0.5);
}

/// Every row of every table has as many values as the first column, and every column its own name.
#[test]
fn tables_are_rectangles_with_distinct_documented_columns() {
    for layout in [duel(), three_sides(), round_robin(3)] {
        let tally = tally(&layout, 200);
        let texts = BattleTexts::new(&layout);
        let mut battles = BattleRows::new(&texts);
        (0..20).for_each(|index| battles.push(index, index, &record(&layout, index)));
        let names = [
            TableName::Outcomes,
            TableName::Factors,
            TableName::Orders,
            TableName::Units,
            TableName::UnitsByFactor,
        ];
        let tables =
            names.iter().filter_map(|&name| build(name, &Analysis::new(&layout, &tally, LEVEL)));
        for table in tables.chain([battles.take()]) {
            let mut names: Vec<&str> = table.columns.iter().map(|c| c.name.as_ref()).collect();
            names.sort_unstable();
            names.dedup();
            assert_eq!(names.len(), table.columns.len(), "{}", table.name);
            for column in &table.columns {
                assert_eq!(column.values.len(), table.rows(), "{}.{}", table.name, column.name);
                assert_eq!(column.name, snake_case(&column.name), "{}", table.name);
                assert!(!column.meaning.is_empty(), "{}.{}", table.name, column.name);
            }
        }
    }
}

#[test]
fn of_one_frequent_order_nothing_is_compared() {
    let layout = duel();
    let compared = |rare: u64| {
        let mut tally = Tally::new(&layout, Breakdown::Factor);
        for index in 0..1000 {
            let mut record = record(&layout, index);
            let (stratum, outcome, rounds) = (record.stratum, record.outcome, record.rounds);
            record.clear(stratum);
            (record.outcome, record.rounds) = (outcome, rounds);
            let second = u16::from(index < rare);
            record.order(0, [second, 1 - second]);
            tally.add(&layout, &record);
        }
        let effects = order_effects(&layout, &tally, LEVEL);
        for effect in &effects {
            let [best, worst] = effect.extremes();
            assert_ne!(best.items, worst.items);
        }
        (effects.len(), one_order_prevails(&layout, &tally))
    };
    let found = [0, 1, 40, 50].map(compared);
    assert_eq!(found, [(0, false), (0, true), (0, true), (1, false)], "a twentieth is enough");
}

/// Counted by hand from the records instead of the tally.
#[test]
fn an_effect_is_the_difference_of_scores() {
    let layout = duel();
    let rulesets = build(TableName::Factors, &Analysis::new(&layout, &tally(&layout, 1000), LEVEL))
        .expect("made from counts");
    let earthquake_a = 2;
    let mut counts = [[0.0; 2]; 2];
    for index in 0..1000 {
        let record = record(&layout, index);
        let with = usize::from(record.stratum.condition > 0);
        counts[with][0] += 1.0;
        counts[with][1] += match record.outcome {
            Outcome::Win(side) => f64::from(u8::from(side == Side::A)),
            Outcome::Draw | Outcome::Undecided => 0.5,
        };
    }
    let [without, with] = counts.map(|[battles, score]| score / battles);
    assert_eq!(number(&rulesets, "battles", earthquake_a), counts[1][0]);
    assert!((number(&rulesets, "effect", earthquake_a) - (with - without)).abs() < 1e-12);
    assert!((number(&rulesets, "score", earthquake_a) - with).abs() < 1e-12);
}

fn battle_chunks(layout: &Layout, battles: u64, chunk: usize) -> Vec<Table> {
    let texts = BattleTexts::new(layout);
    let mut rows = BattleRows::new(&texts);
    let mut chunks = Vec::new();
    for index in 0..battles {
        rows.push(index, crate::chance::battle_seed(9, index), &record(layout, index));
        if rows.len() == chunk {
            chunks.push(rows.take());
        }
    }
    chunks.push(rows.take());
    assert!(rows.is_empty());
    chunks
}

#[test]
fn battles_are_rows() {
    insta::assert_snapshot!("duel_battles", text(Format::Csv, &battle_chunks(&duel(), 8, 3)));
    let no_factors = round_robin(2);
    insta::assert_snapshot!(
        "round_robin_battles",
        text(Format::Csv, &battle_chunks(&no_factors, 3, 3))
    );
}

#[test]
fn the_bytes_do_not_depend_on_the_chunks() {
    let layout = duel();
    let formats: &[Format] = &[
        Format::Csv,
        Format::Json,
        Format::Markdown,
        #[cfg(feature = "parquet")]
        Format::Parquet,
    ];
    for &format in formats {
        let few = written(format, &battle_chunks(&layout, 50, 50));
        let many = written(format, &battle_chunks(&layout, 50, 7));
        assert!(few == many, "{format}");
    }
}

/// A card that was only played is not a member of a team.
#[test]
fn what_is_not_there_itself_stays_out_of_teams_and_survivors() {
    let layout = three_sides();
    let mut plain = record(&layout, 4);
    let texts = BattleTexts::new(&layout);
    let mut rows = BattleRows::new(&texts);
    rows.push(0, 1, &plain);
    let played = plain.fighters[0];
    plain.fighters.push(crate::tally::Fighter { level: 0, survived: true, ..played });
    rows.push(0, 1, &plain);
    let table = rows.take();
    for column in &table.columns {
        let mut rest = column.values.clone();
        let first = rest.take_first(1);
        assert_eq!(first, rest, "{}", column.name);
    }
}
