//! The comparison as people see it, in the terminal and on the page of a CI job.

use super::*;
use crate::studies::nightly::markdown as comparison_markdown;
use crate::studies::nightly::{Baseline, Limits};
use crate::table::Provenance;
use crate::tally::fixture::{duel, round_robin, tally};
use crate::tally::{Layout, Tally};

fn counts(scenario: &str, layout: &Layout, tally: &Tally, seed: u64) -> Baseline {
    let game = scenario.split('/').next().unwrap_or_default();
    let mut run = Provenance::new(game, scenario, "0123abcd", seed, tally.battles());
    run.battles_played = tally.battles();
    Baseline::new(run, layout, tally)
}

/// Two pairs: a duel with drawn teams, in which one side became stronger, and a round robin that did not change.
fn pairs(stronger: u64) -> Vec<(Baseline, Baseline)> {
    let layout = Layout { units_are_drawn: true, ..duel() };
    let played = tally(&layout, 40_000);
    let old = counts("splinterlands/drawn-teams", &layout, &played, 3);
    let mut new = counts("splinterlands/drawn-teams", &layout, &played, 20_778);
    new.matchups[0].wins[0] += stronger;
    new.matchups[0].wins[1] -= stronger;
    new.matchups[0].sums[0] += i128::from(stronger);
    for unit in &mut new.units[..3] {
        unit.won += stronger;
    }
    let decks = round_robin(4);
    let old_decks = counts("solforge/suruzal-and-doomrider", &decks, &tally(&decks, 16_000), 1);
    let mut new_decks = old_decks.clone();
    new_decks.run.seed = 20_778;
    vec![(old, new), (old_decks, new_decks)]
}

const SPEEDS: [f64; 2] = [385_112.4, 51_355.0];

fn printed(pairs: &[(Baseline, Baseline)], speeds: &[f64], width: usize) -> [String; 2] {
    let comparison = &Comparison::new(pairs, Limits::default());
    let compared = Compared { comparison, speeds, write_again: "evens nightly --write" };
    let style = Style { width, colour: false };
    [super::comparison(&compared, style), comparison_markdown(&compared)]
}

#[test]
fn nothing_changed() {
    let [terminal, markdown] = printed(&pairs(0), &SPEEDS, 80);
    insta::assert_snapshot!(terminal);
    insta::assert_snapshot!("nothing_changed_markdown", markdown);
}

#[test]
fn a_side_became_stronger() {
    let [terminal, markdown] = printed(&pairs(1_200), &SPEEDS, 80);
    insta::assert_snapshot!(terminal);
    insta::assert_snapshot!("a_side_became_stronger_markdown", markdown);
}

/// The report says that the scenario has changed, that a match-up is gone, and that the dice are the same.
#[test]
fn what_stands_in_the_way_of_the_verdict() {
    let mut pairs = pairs(1_200);
    pairs[0].1.run.fingerprint = "4567".to_owned();
    pairs[0].1.run.seed = 3;
    let gone = pairs[1].1.matchups.split_off(11);
    pairs[1].1.run.battles_played -= gone.iter().map(|count| count.battles).sum::<u64>();
    let [terminal, markdown] = printed(&pairs, &[], 80);
    insta::assert_snapshot!(terminal);
    assert!(markdown.contains("> **Note:** The scenario changed: splinterlands/drawn-teams"));
    assert!(!terminal.contains("battles/s") && !markdown.contains("battles/s"));
}

/// Of five scenarios with four alarms each, three are shown of each: the largest first, wherever it was found.
#[test]
fn the_largest_alarms_come_first_and_the_rest_are_counted() {
    let mut many: Vec<_> = (0..5).map(|_| pairs(1_200).remove(0)).collect();
    many[0].1.units[2].won += 400;
    let name = many[0].1.units[2].name.clone();
    let [terminal, _] = printed(&many, &[], 80);
    let flat = terminal.replace('\n', " ");
    assert!(flat.contains(&format!("The largest for its tolerance is {name}: ")), "{terminal}");
    let (_, of_first) = terminal.split_once("Changes that count").unwrap();
    let first = of_first.lines().nth(3).unwrap();
    assert!(first.trim_start().starts_with(&name), "{first}");
    let rest =
        "1 smaller alarm (1 figure) is not shown: `-o FOLDER` and `--json` have every figure.";
    assert_eq!(flat.matches(rest).count(), 5, "{terminal}");
}

#[test]
fn where_nothing_can_be_compared_it_says_so() {
    let layout = round_robin(1);
    let few = |seed| counts("solforge/decks", &layout, &tally(&layout, 4), seed);
    let [terminal, _] = printed(&[(few(1), few(2))], &SPEEDS[..1], 80);
    assert!(
        terminal.starts_with("No balance regression is visible, but nothing was compared"),
        "{terminal}"
    );
}

/// Characters in names do not act as Markdown.
#[test]
fn a_bar_in_a_name_stays_in_its_cell() {
    let mut pairs = pairs(1_200);
    let (old, new) = &mut pairs[0];
    for of in [old, new] {
        of.matchups[0].contenders[0] = "Fire | Ice".to_owned();
    }
    let [_, markdown] = printed(&pairs, &SPEEDS, 80);
    assert!(markdown.contains("Fire \\| Ice vs Water: score of A"), "{markdown}");
}

#[test]
fn no_line_is_wider_than_the_page() {
    for width in [60, 80, 120] {
        let [terminal, _] = printed(&pairs(1_200), &SPEEDS, width);
        for line in terminal.lines() {
            assert!(line.chars().count() <= width, "{width}: {line:?}");
        }
    }
}

#[test]
fn forges_are_told_in_their_own_form() {
    let told = |stronger| {
        let comparison = &Comparison::new(&pairs(stronger), Limits::default());
        let compared = Compared { comparison, speeds: &[], write_again: "evens nightly --write" };
        [crate::studies::nightly::junit(&compared), crate::studies::nightly::github(&compared)]
    };
    let [junit, github] = told(1_200);
    insta::assert_snapshot!("a_side_became_stronger_junit", junit);
    insta::assert_snapshot!("a_side_became_stronger_github", github);
    let [junit, github] = told(0);
    assert!(!junit.contains("<failure"), "{junit}");
    assert!(github.starts_with("::notice title=Balance::No balance regression"), "{github}");
}

/// Names are the user's: none of them may end its element or its annotation.
#[test]
fn names_end_neither_elements_nor_annotations() {
    let awkward = "a\"<b>&::error::%0A\u{1}\nc, d";
    let mut pairs = pairs(1_200);
    let (old, new) = &mut pairs[0];
    for of in [old, new] {
        of.run.scenario = awkward.to_owned();
    }
    let comparison = &Comparison::new(&pairs, Limits::default());
    let compared = Compared { comparison, speeds: &[], write_again: "evens nightly --write" };
    let junit = crate::studies::nightly::junit(&compared);
    let mut reader = quick_xml::Reader::from_str(&junit);
    let (mut cases, mut names) = (0, Vec::new());
    loop {
        match reader.read_event().expect("well-formed") {
            quick_xml::events::Event::Eof => break,
            quick_xml::events::Event::Start(of) | quick_xml::events::Event::Empty(of) => {
                let name = of
                    .try_get_attribute("name")
                    .expect("attributes")
                    .map(|name| name.unescape_value().expect("well-formed").into_owned());
                cases += usize::from(of.name().as_ref() == b"testcase");
                names.extend(name.filter(|_| of.name().as_ref() == b"testsuite"));
            }
            _ => {}
        }
    }
    assert_eq!(cases, comparison.changes.len());
    assert_eq!(names[0], "a\"<b>&::error::%0A\nc, d");
    let github = crate::studies::nightly::github(&compared);
    assert!(github.lines().all(|line| line.starts_with("::error title=Balance")), "{github}");
    assert!(github.contains("a\"<b>&%3A%3Aerror%3A%3A%250A\\u{1}%0Ac%2C d::"), "{github}");
}

/// What is said to be at most so many is rounded up, and a whole number stays what it is.
#[test]
fn what_chance_gives_at_most_is_rounded_up() {
    for (comparisons, told) in [
        (0, "fewer than one"),
        (19, "fewer than one"),
        (20, "at most 1"),
        (21, "at most 2"),
        (140, "at most 7"),
        (228, "at most 12"),
        (240, "at most 12"),
        (20_001, "at most 1,001"),
    ] {
        assert_eq!(expected_by_chance(comparisons), told, "{comparisons}");
    }
}
