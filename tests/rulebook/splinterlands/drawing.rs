//! SP-01 to SP-14: how rulesets are drawn.

use evens::games::splinterlands::draw::{DrawRules, Redraw, appearance, draws, exactly};
use evens::games::splinterlands::edition::Edition;
use evens::games::splinterlands::ruleset::{Kind, Ruleset, Rulesets};
use num_rational::BigRational;
use num_traits::{One, ToPrimitive, Zero};
use strum::IntoEnumIterator;

use super::arena::fraction;

fn guide(redraw: Redraw) -> Vec<(Rulesets, BigRational)> {
    draws(&DrawRules { redraw, ..DrawRules::default() }).unwrap()
}

fn only_one() -> DrawRules {
    DrawRules { two: BigRational::zero(), ..DrawRules::default() }
}

fn only_two(redraw: Redraw) -> DrawRules {
    DrawRules { two: BigRational::one(), redraw, ..DrawRules::default() }
}

#[test]
fn sp_01_one_ruleset_in_a_quarter_of_battles_and_two_in_the_rest() {
    for redraw in [Redraw::Second, Redraw::Pair] {
        let draws = guide(redraw);
        let of = |number| -> BigRational {
            draws.iter().filter(|(r, _)| r.len() == number).map(|(_, odds)| odds).sum()
        };
        assert_eq!((of(1), of(2)), (fraction(1, 4), fraction(3, 4)));
    }
}

#[test]
fn sp_02_standard_is_one_of_the_rulesets() {
    assert_eq!(Ruleset::Standard.kind(), Kind::Primary);
    assert!(guide(Redraw::Second).iter().all(|(rulesets, _)| !rulesets.is_empty()));
}

fn of_the_guide() -> impl Iterator<Item = Ruleset> {
    Ruleset::iter().filter(|ruleset| ruleset.edition() == Edition::Guide)
}

#[test]
fn sp_03_ten_primary_six_any_and_eleven_secondary() {
    let of = |kind| -> Vec<String> {
        of_the_guide().filter(|r| r.kind() == kind).map(|r| r.to_string()).collect()
    };
    let primary = [
        "Aim True",
        "Armored Up",
        "Back to Basics",
        "Fog of War",
        "Silenced Summoners",
        "Standard",
        "Super Sneak",
        "Target Practice",
        "Unprotected",
        "Weak Magic",
    ];
    let any =
        ["Close Range", "Earthquake", "Equalizer", "Healed Out", "Heavy Hitters", "Reverse Speed"];
    let secondary = [
        "Broken Arrows",
        "Even Stevens",
        "Keep Your Distance",
        "Little League",
        "Lost Legendaries",
        "Lost Magic",
        "Melee Mayhem",
        "Odd Ones Out",
        "Rise of the Commons",
        "Taking Sides",
        "Up Close & Personal",
    ];
    assert_eq!(of(Kind::Primary), primary);
    assert_eq!(of(Kind::Any), any);
    assert_eq!(of(Kind::Secondary), secondary);
    assert_eq!(of_the_guide().count(), 27);
}

#[test]
fn sp_04_a_single_ruleset_is_any_of_the_27() {
    let draws = draws(&only_one()).unwrap();
    assert_eq!(draws.len(), 27);
    assert!(draws.iter().all(|(_, odds)| *odds == fraction(1, 27)));
}

#[test]
fn sp_05_of_two_the_first_is_among_16_and_the_second_among_17() {
    let kinds = |kinds: [Kind; 2]| of_the_guide().filter(|r| kinds.contains(&r.kind())).count();
    assert_eq!(kinds([Kind::Primary, Kind::Any]), 16);
    assert_eq!(kinds([Kind::Secondary, Kind::Any]), 17);
    // Standard goes with all 17: first with 1/16, then each with 1/17.
    let draws = draws(&only_two(Redraw::Second)).unwrap();
    let pair = Ruleset::Standard | Ruleset::LostMagic;
    assert_eq!(draws.iter().find(|(r, _)| *r == pair).unwrap().1, fraction(1, 16 * 17));
}

fn kinds_in_pairs() -> Vec<[Kind; 2]> {
    let pairs = draws(&only_two(Redraw::Pair)).unwrap();
    pairs
        .iter()
        .map(|(pair, _)| {
            let mut kinds = pair.iter().map(Ruleset::kind);
            [kinds.next().unwrap(), kinds.next().unwrap()]
        })
        .collect()
}

#[test]
fn sp_06_two_primary_rulesets_never_meet() {
    assert!(!kinds_in_pairs().contains(&[Kind::Primary, Kind::Primary]));
    let both = Ruleset::ArmoredUp | Ruleset::Unprotected;
    assert!(guide(Redraw::Second).iter().all(|(rulesets, _)| *rulesets != both));
}

#[test]
fn sp_07_two_secondary_rulesets_never_meet() {
    assert!(!kinds_in_pairs().contains(&[Kind::Secondary, Kind::Secondary]));
}

#[test]
fn sp_08_an_any_ruleset_goes_with_every_kind() {
    let kinds = kinds_in_pairs();
    assert!(kinds.contains(&[Kind::Primary, Kind::Any]));
    assert!(kinds.contains(&[Kind::Any, Kind::Secondary]));
    assert!(kinds.contains(&[Kind::Any, Kind::Any]));
}

#[test]
fn sp_09_weight_2_appears_twice_as_often() {
    let mut rules = only_one();
    rules.weights[Ruleset::Earthquake as usize] = exactly(2.0);
    let draws = draws(&rules).unwrap();
    let of = |ruleset: Ruleset| &draws.iter().find(|(r, _)| *r == ruleset).unwrap().1;
    assert_eq!(*of(Ruleset::Earthquake), fraction(2, 28));
    assert_eq!(*of(Ruleset::Standard), fraction(1, 28));
}

#[test]
fn sp_10_mutually_exclusive_pairs_never_meet() {
    let pairs = [
        ("Back to Basics", "Healed Out"),
        ("Back to Basics", "Heavy Hitters"),
        ("Super Sneak", "Melee Mayhem"),
        ("Super Sneak", "Keep Your Distance"),
        ("Target Practice", "Up Close & Personal"),
        ("Weak Magic", "Up Close & Personal"),
        ("Weak Magic", "Lost Magic"),
        ("Close Range", "Broken Arrows"),
        ("Close Range", "Up Close & Personal"),
    ];
    let pairs = pairs.map(|(one, other)| -> [Ruleset; 2] {
        [one, other].map(|name| name.parse().expect("a ruleset"))
    });
    for redraw in [Redraw::Second, Redraw::Pair] {
        for [one, other] in pairs {
            assert!(guide(redraw).iter().all(|(rulesets, _)| *rulesets != one | other));
        }
    }
    for one in of_the_guide() {
        for other in of_the_guide().filter(|&other| other != one) {
            let excluded = pairs.contains(&[one, other]) || pairs.contains(&[other, one]);
            assert_eq!(one.goes_with(other), !excluded, "{one} and {other}");
        }
    }
}

#[test]
fn sp_11_242_combinations_from_257_ordered_pairs() {
    let combinations = draws(&only_two(Redraw::Pair)).unwrap();
    assert_eq!(combinations.len(), 242);
    // Under `pair` every ordered pair has 1/257; two Any rulesets come in two orders.
    let share = |(_, odds): &(Rulesets, BigRational)| (odds * fraction(257, 1)).to_integer();
    let ordered: num_bigint::BigInt = combinations.iter().map(share).sum();
    assert_eq!(ordered, 257.into());
    assert!(combinations.iter().all(|(pair, _)| pair.len() == 2), "never with itself");
}

/// (ruleset, R in pair, R per game, S in pair, S per game) in percent: R redraws the pair, S the second.
const TABLE: [(&str, f64, f64, f64, f64); 27] = [
    ("Aim True", 6.615, 5.887, 6.250, 5.613),
    ("Armored Up", 6.615, 5.887, 6.250, 5.613),
    ("Back to Basics", 5.837, 5.303, 6.250, 5.613),
    ("Fog of War", 6.615, 5.887, 6.250, 5.613),
    ("Silenced Summoners", 6.615, 5.887, 6.250, 5.613),
    ("Standard", 6.615, 5.887, 6.250, 5.613),
    ("Super Sneak", 5.837, 5.303, 6.250, 5.613),
    ("Target Practice", 6.226, 5.595, 6.250, 5.613),
    ("Unprotected", 6.615, 5.887, 6.250, 5.613),
    ("Weak Magic", 5.837, 5.303, 6.250, 5.613),
    ("Close Range", 11.284, 9.389, 12.050, 9.963),
    ("Earthquake", 12.062, 9.973, 12.105, 10.005),
    ("Equalizer", 12.062, 9.973, 12.105, 10.005),
    ("Healed Out", 11.673, 9.681, 11.689, 9.693),
    ("Heavy Hitters", 11.673, 9.681, 11.689, 9.693),
    ("Reverse Speed", 12.062, 9.973, 12.105, 10.005),
    ("Broken Arrows", 5.837, 5.303, 5.800, 5.276),
    ("Even Stevens", 6.226, 5.595, 6.246, 5.610),
    ("Keep Your Distance", 5.837, 5.303, 5.829, 5.298),
    ("Little League", 6.226, 5.595, 6.246, 5.610),
    ("Lost Legendaries", 6.226, 5.595, 6.246, 5.610),
    ("Lost Magic", 5.837, 5.303, 5.829, 5.298),
    ("Melee Mayhem", 5.837, 5.303, 5.829, 5.298),
    ("Odd Ones Out", 6.226, 5.595, 6.246, 5.610),
    ("Rise of the Commons", 6.226, 5.595, 6.246, 5.610),
    ("Taking Sides", 6.226, 5.595, 6.246, 5.610),
    ("Up Close & Personal", 5.058, 4.720, 4.992, 4.670),
];

#[test]
fn sp_12_how_likely_a_battle_has_each_ruleset_under_both_redraw_models() {
    let percents = |rules: &DrawRules| -> Vec<(String, f64)> {
        let draws = draws(rules).unwrap();
        let percent = |odds: BigRational| (odds.to_f64().unwrap() * 1e5).round() / 1e3;
        appearance(&draws).into_iter().map(|(r, odds)| (r.to_string(), percent(odds))).collect()
    };
    let per_game = |redraw| percents(&DrawRules { redraw, ..DrawRules::default() });
    let columns = [
        percents(&only_two(Redraw::Pair)),
        per_game(Redraw::Pair),
        percents(&only_two(Redraw::Second)),
        per_game(Redraw::Second),
    ];
    for (at, (name, r_pair, r_game, s_pair, s_game)) in TABLE.into_iter().enumerate() {
        let found = columns.each_ref().map(|column| &column[at]);
        assert!(found.iter().all(|(found, _)| found == name));
        assert_eq!(found.map(|(_, percent)| *percent), [r_pair, r_game, s_pair, s_game], "{name}");
    }
}

#[test]
fn sp_13_rulesets_ignore_tournament_limits() {
    // Draws know nothing of cards: Lost Legendaries and Taking Sides come up whatever a pool holds.
    let draws = guide(Redraw::Second);
    for ruleset in [Ruleset::LostLegendaries, Ruleset::TakingSides] {
        assert!(draws.iter().any(|(rulesets, _)| rulesets.contains(ruleset)));
    }
}

#[test]
fn sp_14_rulesets_that_were_once_heavier_have_weight_1_again() {
    let weights = DrawRules::default().weights;
    for ruleset in [Ruleset::SilencedSummoners, Ruleset::HealedOut, Ruleset::BrokenArrows] {
        assert_eq!(weights[ruleset as usize], BigRational::one());
    }
}

#[test]
fn sp_x_decimal_weights_are_read_exactly() {
    assert_eq!(exactly(0.1), fraction(1, 10));
    assert_eq!(exactly(2.5), fraction(5, 2));
    assert_eq!(exactly(3.0), fraction(3, 1));
}
