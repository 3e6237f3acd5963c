//! Laws of effects: threads change nothing, sums are those of the battles, and effects agree with separate runs.

use evens::batch::{Detail, Forgetful, run_strata};
use evens::engine::{Battle, Dice, Look, Place, Scenario};
use evens::game::{Outcome, Stratum};
use evens::scenario::{Document, Folder};
use evens::statistics::{Joint, Level, benjamini_hochberg, holm};
use evens::studies::effects::{Design, Effect, Played, play, results};
use evens::tally::Record;

const SEED: u64 = 21;

/// Two contenders with drawn teams under a few rulesets and their pairs, in both orders of sides.
fn few() -> Scenario {
    let text = "game = \"splinterlands\"\nbattles = 1\nmana_caps = [20, 30]\n\
                [rulesets]\nonly = [\"Standard\", \"Armored Up\", \"Super Sneak\", \"Close Range\", \
                \"Reverse Speed\", \"Little League\", \"Lost Magic\"]\n\
                [[pools]]\nname = \"Fire\"\nsummoners = [\"Malric Inferno\"]\n\
                [[pools]]\nname = \"Water\"\nsummoners = [\"Alric Stormbringer\"]\n\
                [sides]\na = [\"Fire\"]\nb = [\"Water\", \"Fire\"]\n";
    let document = Document::new("few.toml", text.to_owned(), Folder::Disk("".into()));
    Scenario::of(&document).unwrap()
}

fn played(few: &Scenario, design: &Design<'_>, threads: usize) -> Played {
    play(few.engine(), design, SEED, threads, &mut |_| true)
}

/// Plays one battle and returns its record, as the study counts it.
fn battle(few: &Scenario, stratum: Stratum, index: u64) -> Record {
    let mut record = Record::new(few.engine().layout());
    let place = Place::Stratum(stratum);
    let look = Look { events: false, fighters: true };
    few.engine().play(Battle { seed: SEED, index, dice: Dice::Keyed, place }, look, &mut record);
    record
}

/// The rulesets that are seen to change anything are told of all match-ups together, so that one family is adjusted. Only
/// where there is a single side to tell of is its list a short one.
#[test]
fn p_values_are_adjusted_for_all_match_ups_that_are_told() {
    let several = few();
    let text = "game = \"splinterlands\"\nbattles = 1\nmana_caps = [20, 30]\n\
                [rulesets]\ntwo = 0\nonly = [\"Standard\", \"Armored Up\", \"Super Sneak\", \"Close Range\"]\n\
                [[pools]]\nname = \"Fire\"\nsummoners = [\"Malric Inferno\"]\n\
                [sides]\na = [\"Fire\"]\nb = [\"Fire\"]\n";
    let document = Document::new("one.toml", text.to_owned(), Folder::Disk("".into()));
    let single = Scenario::of(&document).unwrap();
    for (scenario, is_single) in [(&several, false), (&single, true)] {
        let design = Design::new(scenario.engine().layout(), 2_000, true).unwrap();
        assert_eq!(design.is_about_one_side(), is_single);
        let rows = results(&design, &played(scenario, &design, 2), Level::P95);
        let told: Vec<&Effect> = rows
            .iter()
            .filter(|row| row.subject < design.sides() && design.is_told(row.subject))
            .collect();
        let matchups = told.iter().map(|row| row.subject / 2).max().unwrap() + 1;
        assert_eq!(matchups, if is_single { 1 } else { 2 });
        for row in &rows {
            let (p, adjusted) = (row.effect.p_value, row.p_adjusted);
            assert!(p.is_nan() || p <= adjusted * (1.0 + 1e-12));
            assert_eq!(row.interaction.is_some(), design.cases[row.case].factors.len() == 2);
            let enough = row.played.iter().all(|&played| played >= 100);
            assert_eq!(p.is_nan(), !enough, "{row:?}");
        }
        for size in [1, 2] {
            let of_size: Vec<&&Effect> =
                told.iter().filter(|row| design.cases[row.case].factors.len() == size).collect();
            let p: Vec<f64> = of_size.iter().map(|row| row.effect.p_value).collect();
            let adjusted = if is_single && size == 1 { holm(&p) } else { benjamini_hochberg(&p) };
            for (row, expected) in of_size.iter().zip(adjusted) {
                assert!((row.p_adjusted - expected).abs() < 1e-9, "{} {expected}", row.p_adjusted);
            }
        }
    }
}

/// No unit is twice in one team where teams are drawn, nor in a given team of such a scenario. The sums rely on it: a
/// unit that is in a battle at most twice needs only a few bits in each.
#[test]
fn nobody_is_twice_in_a_team_where_teams_are_drawn() {
    let given = "game = \"splinterlands\"\nbattles = 1\nmana_caps = [30]\nillegal_teams = \"lose\"\n\
                 [rulesets]\ntwo = 0\nonly = [\"Standard\", \"Armored Up\"]\n\
                 [[teams]]\nname = \"Given\"\nsummoner = \"Malric Inferno\"\n\
                 monsters = [\"Pit Ogre\", \"Fire Beetle\", \"Serpentine Soldier\"]\n\
                 [[pools]]\nname = \"Drawn\"\nsummoners = [\"Malric Inferno\"]\n\
                 [sides]\na = [\"Given\"]\nb = [\"Drawn\", \"Given\"]\n";
    let given = Document::new("given.toml", given.to_owned(), Folder::Disk("".into()));
    let mut scenarios = vec![Scenario::of(&given).unwrap()];
    let bundled = ["splinterlands/drawn-teams", "splinterlands/archetypes", "solforge/drawn-decks"];
    scenarios.extend(bundled.map(|name| Scenario::read(name).unwrap()));
    for scenario in &scenarios {
        let layout = scenario.engine().layout();
        assert!(layout.units_are_drawn, "{}", scenario.name);
        let (matchups, conditions) = (layout.matchups.len() as u64, layout.conditions.len() as u64);
        let mut seen = 0;
        for index in 0..600 {
            let matchup = (index % matchups) as u32;
            let condition = (index % conditions) as u32;
            let record = battle(scenario, Stratum { matchup, condition }, index);
            let mut team: Vec<_> = record.fighters.iter().map(|of| (of.side, of.unit)).collect();
            let fighters = team.len();
            team.sort_unstable();
            team.dedup();
            assert_eq!(team.len(), fighters, "{}, battle {index}", scenario.name);
            seen += fighters;
        }
        assert!(seen > 1_000, "{}: {seen}", scenario.name);
    }
}

#[test]
fn effects_are_the_same_on_1_2_3_and_16_threads() {
    let few = few();
    let layout = few.engine().layout();
    let design = Design::new(layout, 300, true).unwrap();
    let one = played(&few, &design, 1);
    assert_eq!(one.battles, 300);
    for threads in [2, 3, 16] {
        assert!(one.tally == played(&few, &design, threads).tally, "{threads} threads");
    }
}

/// Every sum of products equals the sum over the battles, played again one by one.
#[test]
fn sums_are_those_of_the_battles() {
    let few = few();
    let layout = few.engine().layout();
    let design = Design::new(layout, 40, true).unwrap();
    let Played { tally, .. } = played(&few, &design, 2);
    // Appearances and points (2 a win) by battle, case and subject.
    let fared: Vec<Vec<Vec<[u64; 2]>>> = (0..40)
        .map(|index| {
            let matchup = (index % 2) as u32;
            let of_case = |case: &evens::studies::effects::Case| {
                let stratum = Stratum { matchup, condition: case.condition };
                let record = battle(&few, stratum, index);
                let mut fared = vec![[0; 2]; design.subjects()];
                let sides = (0..2).map(|side| (matchup as usize * 2 + side, side));
                let units = record
                    .fighters
                    .iter()
                    .map(|unit| (design.sides() + usize::from(unit.unit), unit.side.index()));
                for (subject, side) in sides.chain(units) {
                    fared[subject][0] += 1;
                    fared[subject][1] += match record.outcome {
                        Outcome::Win(by) => 2 * u64::from(by.index() == side),
                        Outcome::Draw | Outcome::Undecided => 1,
                    };
                }
                fared
            };
            design.cases.iter().map(of_case).collect()
        })
        .collect();
    let product = |one: (usize, usize), other: (usize, usize), subject: usize| {
        fared.iter().map(|at| at[one.0][subject][one.1] * at[other.0][subject][other.1]).sum()
    };
    let (mut seen, mut twice) = (0, 0);
    for (pair, &parts) in design.pairs.iter().enumerate() {
        let cases = [0, parts.first, parts.second, parts.both];
        for subject in 0..design.subjects() {
            let sum = |case: usize, what: usize| -> u64 {
                fared.iter().map(|battle| battle[case][subject][what]).sum()
            };
            let matrix = |first: usize, second: usize| {
                cases.map(|i| cases.map(|j| product((i, first), (j, second), subject)))
            };
            let expected = Joint {
                played: cases.map(|case| sum(case, 0)),
                points: cases.map(|case| sum(case, 1)),
                most: 2,
                played_played: matrix(0, 0),
                points_played: matrix(1, 0),
                points_points: matrix(1, 1),
            };
            assert_eq!(tally.interaction(pair, parts, subject), expected);
            let effect = tally.effect(parts.both, subject);
            assert_eq!(effect.points_played[0][1], expected.points_played[0][3]);
            seen += u64::from(expected.points_points[3][3] > 0);
            twice += u64::from(expected.played_played[0][0] > expected.played[0]);
        }
    }
    assert!(seen > 300 && twice > 30, "{seen} {twice}: the test has something to compare");
}

/// Battles of another seed, with every condition played on its own, tell the same effects, within their standard
/// errors.
#[test]
fn effects_are_those_of_separate_runs() {
    let few = few();
    let layout = few.engine().layout();
    let design = Design::new(layout, 6_000, false).unwrap();
    let rows = results(&design, &played(&few, &design, 2), Level::P95);
    let battles = vec![3_000; layout.strata()];
    let apart =
        run_strata(few.engine(), &battles, 77, 2, Detail::default(), &mut Forgetful, &mut |_| true)
            .unwrap();
    let rate = |subject: usize, case: usize| {
        let condition = design.cases[case].condition as usize;
        let count = &apart.strata[subject / 2 * layout.conditions.len() + condition];
        let shared = (count.draws + count.undecided) as f64;
        (count.wins[subject % 2] as f64 + shared / 2.0) / count.battles as f64
    };
    let error = |row: &Effect| {
        let difference = rate(row.subject, row.case) - rate(row.subject, 0);
        let own = (row.effect.difference.high - row.effect.difference.low) / 2.0 / 1.96;
        // The error of the difference of two proportions, of 3,000 battles each, comes on top.
        (difference - row.effect.difference.value)
            / libm::hypot(own, (2.0 * 0.25 / 3_000.0_f64).sqrt())
    };
    let largest = rows.iter().map(|row| error(row).abs()).fold(0.0, f64::max);
    assert!(largest < 4.2, "{largest} standard errors, of {} effects", rows.len());
    // At least one effect is found beyond doubt.
    assert!(rows.iter().any(|row| row.p_adjusted < 1e-6));
    let fair = |row: &&Effect| design.label(row.case) == "Armored Up";
    let ratio = rows.iter().find(fair).unwrap().effect.variance_ratio;
    assert!(ratio > 1.3, "common random numbers save battles: {ratio}");
}

/// The neutral ruleset changes nothing beside another one, so a condition of both need not be played again.
#[test]
fn standard_changes_nothing_beside_another_ruleset() {
    let few = few();
    let layout = few.engine().layout();
    let place = |label: &str| {
        layout.conditions.iter().position(|condition| condition.label == label).unwrap() as u32
    };
    for other in ["Close Range", "Reverse Speed", "Little League", "Lost Magic"] {
        for index in 0..200 {
            let [alone, beside] = [other.to_owned(), format!("Standard + {other}")].map(|label| {
                let stratum = Stratum { matchup: 0, condition: place(&label) };
                battle(&few, stratum, index)
            });
            assert_eq!((alone.outcome, alone.fighters), (beside.outcome, beside.fighters));
        }
    }
}

/// A study that is ended early has played exactly its first battles, and is less sure.
#[test]
fn effects_that_are_ended_early_are_those_of_the_first_battles() {
    let few = few();
    let layout = few.engine().layout();
    let design = Design::new(layout, 100_000, false).unwrap();
    let early = play(few.engine(), &design, SEED, 2, &mut |_| false);
    assert!(early.battles > 0 && early.battles < 100_000);
    let first = Design { battles: early.battles, ..design.clone() };
    assert!(early.tally == played(&few, &first, 1).tally);
}
