//! The summary as people see it.

use super::summary::patching;
use super::{Sections, Summary, summary};
use crate::report::{Style, plain};
use crate::scenario::TableName;
use crate::studies::run::{Analysis, build};
use crate::table::{LEVEL, Provenance};
use crate::tally::fixture::{duel, record, round_robin, tally, three_sides};
use crate::tally::{Breakdown, Condition, Layout, Tally};

const QUESTION: &str = "Does Earthquake decide whether Fire or Water wins?";

fn provenance(game: &str, battles: u64) -> Provenance {
    let mut provenance = Provenance::new(game, "thorns", "0123abcd", 7, battles);
    provenance.battles_played = battles;
    provenance
}

/// The page with every section.
fn page(
    provenance: &Provenance,
    question: Option<&str>,
    layout: &Layout,
    tally: &Tally,
    style: Style,
) -> String {
    let analysis = &Analysis::new(layout, tally, LEVEL);
    let of = Summary { provenance, question, analysis, activity: None, own: None };
    summary(of, &Sections::all(), style)
}

fn printed(layout: &Layout, battles: u64, style: Style) -> String {
    let provenance = provenance("splinterlands", battles);
    page(&provenance, Some(QUESTION), layout, &tally(layout, battles), style)
}

fn at_80(layout: &Layout, battles: u64) -> String {
    printed(layout, battles, Style::default())
}

#[test]
fn a_duel() {
    insta::assert_snapshot!(at_80(&duel(), 20_000));
}

#[test]
fn the_answer_alone() {
    let layout = duel();
    let (provenance, tally) = (provenance("splinterlands", 20_000), tally(&layout, 20_000));
    let of = Summary {
        provenance: &provenance,
        question: Some(QUESTION),
        analysis: &Analysis::new(&layout, &tally, LEVEL),
        activity: None,
        own: None,
    };
    let text = summary(of, &Sections::none(), Style::default());
    assert!(text.lines().count() <= 24, "one screen");
    insta::assert_snapshot!(text);
}

/// A search takes minutes where a run takes seconds: it plays fewer battles for each variant than the run has in all, and the page
/// says how many times as long it takes.
#[test]
fn a_suggested_search_says_how_long_it_takes() {
    for (battles, each, told) in [
        (500, 5_000, "it takes at most about 6,000 times as long as this run"),
        (20_000, 5_000, "it takes at most about 150 times as long as this run"),
        (240_000, 6_000, "it takes at most about 15 times as long as this run"),
        (333_333, 8_300, "it takes at most about 15 times as long as this run"),
        (1_000_000, 25_000, "it takes at most about 15 times as long as this run"),
        (30_000_000, 50_000, "it takes at most about as long as this run"),
        (1_000_000_000, 50_000, "it takes less time than this run"),
    ] {
        let (command, how_long) = patching(&provenance("solforge", battles));
        assert_eq!(command, format!("evens tune thorns --stats --battles {each}"));
        assert_eq!(how_long, told);
    }
}

#[test]
fn a_duel_that_shows_nothing_yet() {
    insta::assert_snapshot!(at_80(&duel(), 60));
}

#[test]
fn a_few_matchups_without_factors_or_orders() {
    insta::assert_snapshot!(at_80(&round_robin(2), 2000));
}

/// Battles of the second match-up are longer and more harmful: each is told apart.
#[test]
fn what_differs_between_a_few_matchups_is_told_for_each() {
    let layout = Layout { factors: Vec::new(), conditions: one_condition(), ..three_sides() };
    let mut tally = Tally::new(&layout, Breakdown::Whole);
    for index in 0..2_000 {
        let mut record = record(&layout, index);
        let second = record.stratum.matchup == 1;
        record.rounds = if second { 9 } else { 4 + index as u32 % 3 };
        record.metrics[0] += 5 * i64::from(second);
        tally.add(&layout, &record);
    }
    let provenance = provenance("splinterlands", 2_000);
    let text = page(&provenance, None, &layout, &tally, Style::default());
    let measured = text.split("\n\n").find(|part| part.contains("Measured"));
    insta::assert_snapshot!(measured.expect("a table"));
}

fn one_condition() -> Vec<Condition> {
    vec![Condition { label: String::new(), factors: Vec::new(), probability: 1.0 }]
}

#[test]
fn many_matchups() {
    insta::assert_snapshot!(at_80(&round_robin(12), 43_200));
}

#[test]
fn three_sides_on_the_field() {
    insta::assert_snapshot!(at_80(&three_sides(), 20_000));
}

#[test]
fn wider_where_there_is_room() {
    insta::assert_snapshot!(printed(&duel(), 20_000, Style { width: 120, colour: false }));
}

#[test]
fn a_run_that_ended_early() {
    let provenance =
        Provenance { battles_asked: 1_000_000, partial: true, ..provenance("splinterlands", 1) };
    let layout = duel();
    let text = page(&provenance, None, &layout, &tally(&layout, 1), Style::default());
    insta::assert_snapshot!(text);
}

#[test]
fn without_a_battle_it_says_so() {
    let layout = duel();
    let empty = Tally::new(&layout, Breakdown::Whole);
    let provenance = provenance("splinterlands", 0);
    let text = page(&provenance, None, &layout, &empty, Style::default());
    assert!(text.ends_with("No battle was played.\n"), "{text}");
}

/// Colour changes nothing but colour.
#[test]
fn colour_is_only_added() {
    let plain = at_80(&duel(), 2000);
    let coloured = printed(&duel(), 2000, Style { colour: true, ..Style::default() });
    assert!(!plain.contains('\u{1b}') && coloured.contains('\u{1b}'));
    let mut stripped = String::new();
    for (at, part) in coloured.split('\u{1b}').enumerate() {
        stripped.push_str(if at == 0 { part } else { part.split_once('m').expect("a code").1 });
    }
    assert_eq!(stripped, plain);
}

#[test]
fn no_line_is_wider_than_the_page() {
    for layout in [duel(), three_sides(), round_robin(2), round_robin(12)] {
        for battles in [1, 10, 5000] {
            for width in [60, 80, 100] {
                let text = printed(&layout, battles, Style { width, colour: false });
                for line in text.lines() {
                    assert!(line.chars().count() <= width, "{width}: {line:?}");
                }
            }
        }
    }
}

#[test]
fn any_table_prints() {
    let layout = duel();
    let units = build(TableName::Units, &Analysis::new(&layout, &tally(&layout, 200), LEVEL))
        .expect("a table");
    insta::assert_snapshot!(plain(&units, 120));
}
