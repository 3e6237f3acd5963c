//! Laws of forced orders: nothing but the order is forced, exact odds show the same effect, and where there is no
//! effect none is found.

use evens::engine::{Battle, Dice, Engine, Look, Place, Scenario};
use evens::forcible::Otherwise;
use evens::game::{Outcome, Side};
use evens::scenario::{Document, Folder};
use evens::statistics::Level;
use evens::studies::effects::order::{Battles, CausalEffect, Design, play, results};
use evens::tally::{Assignment, OutcomeMeasure, Record};
use evens::walk::{Budget, Odds};
use num_traits::ToPrimitive;

fn scenario(text: &str) -> Scenario {
    Scenario::of(&Document::new("my.toml", text.to_owned(), Folder::Disk("".into()))).unwrap()
}

/// One team against another, with no dice but those for ties.
fn duel(a: &str, b: &str, rest: &str) -> String {
    let rulesets =
        if rest.contains("[rulesets]") { "" } else { "[rulesets]\nfixed = [\"Standard\"]\n" };
    format!(
        "game = \"splinterlands\"\nbattles = 1000\n{rest}\n{rulesets}\
         [[teams]]\nname = \"One\"\nsummoner = \"Malric Inferno\"\nmonsters = [{a}]\n\
         [[teams]]\nname = \"Other\"\nsummoner = \"Malric Inferno\"\nmonsters = [{b}]\n\
         [sides]\na = [\"One\"]\nb = [\"Other\"]\n"
    )
}

/// Three recruits of the same kinds on both sides; which side has precedence is drawn.
const RECRUITS: &str = "game = \"sanctum\"\nbattles = 1000\n\
     [sides]\na = [\"One\"]\nb = [\"Other\"]\nprecedence = \"either\"\n\
     [[groups]]\nname = \"One\"\nminions = [\"2 Human swordsman\", \"Human archer\"]\n\
     [[groups]]\nname = \"Other\"\nminions = [\"2 Human swordsman\", \"Human archer\"]\n";

fn experiment(scenario: &Scenario, order: &str, seed: u64, battles: u64) -> Vec<CausalEffect> {
    let design = Design::new(scenario.engine(), order, battles, OutcomeMeasure::Score).unwrap();
    results(&design, &play(&design, seed, 2, &mut |_| true), Level::P95)
}

fn record(engine: &dyn Engine, seed: u64, index: u64, dice: Dice) -> Record {
    let assignment = Assignment::new(engine.layout());
    let mut record = Record::new(engine.layout());
    let look = Look { events: true, fighters: true };
    engine.play(
        Battle { seed, index, dice, place: Place::Assigned(&assignment) },
        look,
        &mut record,
    );
    record
}

/// The side that was first in a battle, read off where the layout says; None if the order did not come up.
fn first_of(engine: &dyn Engine, order: usize, record: &Record) -> Option<Side> {
    match &engine.layout().forcible[order].otherwise {
        Otherwise::AsObserved(moment) => {
            let order = record.orders().find(|order| order.moment() == *moment)?;
            Some(Side(order.items()[0] as u8))
        }
        Otherwise::AsDrawn(sides) => Some(sides[record.stratum.condition as usize]),
        Otherwise::Always(side) => Some(*side),
    }
}

const BUNDLED: [&str; 12] = [
    "splinterlands/drawn-teams",
    "splinterlands/mirror",
    "splinterlands/official-ties",
    "splinterlands/earthquake-weaken",
    "solforge/factions",
    "solforge/cercee-and-oros",
    "solforge/drawn-decks",
    "sanctum/nations",
    "sanctum/precedence",
    "sanctum/surrounded",
    "eldertale/duel",
    "eldertale/three-way",
];

/// A battle in which the forced side is first anyway stays exactly the same; where the order does not come up, nothing
/// is forced; and a forced order is the order that comes up.
#[test]
fn nothing_but_the_order_is_forced() {
    let (mut same, mut other) = (0, 0);
    for name in BUNDLED {
        let scenario = Scenario::read(name).unwrap();
        let engine = scenario.engine();
        assert!(!engine.layout().forcible.is_empty(), "{name}");
        for (order, forcible) in engine.layout().forcible.iter().enumerate() {
            for side in (0..forcible.sides).map(|side| Side(side as u8)) {
                let forced = engine.forcing(order, side).expect("it can be forced");
                for (index, dice) in (0..40).flat_map(|at| [(at, Dice::Keyed), (at, Dice::Seeded)])
                {
                    let plain = record(engine, 7, index, dice);
                    let with = record(&*forced, 7, index, dice);
                    let first = first_of(engine, order, &plain);
                    if first.is_none_or(|first| first == side) {
                        assert_eq!(plain.outcome, with.outcome, "{name} {index}");
                        assert_eq!(plain.fighters, with.fighters, "{name} {index}");
                        assert!(plain.orders().eq(with.orders()), "{name} {index}");
                        same += 1;
                    } else {
                        if matches!(forcible.otherwise, Otherwise::AsObserved(_)) {
                            assert_eq!(
                                first_of(engine, order, &with),
                                Some(side),
                                "{name} {index}"
                            );
                        }
                        other += 1;
                    }
                }
            }
            assert!(engine.forcing(order, Side(forcible.sides as u8)).is_none());
        }
        assert!(engine.forcing(engine.layout().forcible.len(), Side::A).is_none());
    }
    assert!(same > 1_000 && other > 500, "{same} {other}");
}

/// The sums do not depend on the number of threads.
#[test]
fn experiments_are_the_same_on_1_2_and_16_threads() {
    let scenario = Scenario::read("splinterlands/drawn-teams").unwrap();
    let design = Design::new(scenario.engine(), "first-turn", 400, OutcomeMeasure::Score).unwrap();
    let one = play(&design, 3, 1, &mut |_| true);
    for threads in [2, 16] {
        assert!(one.tally == play(&design, 3, threads, &mut |_| true).tally);
    }
}

/// The exact odds when the order is forced.
fn exact(scenario: &Scenario, order: usize, side: Side) -> Odds {
    let budget = Budget { states: 200_000, ways: 2_000_000, rounds: u32::MAX };
    let forced = scenario.engine().forcing(order, side).unwrap();
    let odds = forced.walk(0, budget, &mut |_| true);
    assert!(odds.stop.is_none(), "small enough to be walked");
    odds
}

fn score(odds: &Odds, sides: f64) -> f64 {
    let of = |outcome| odds.of(outcome).to_f64().unwrap();
    of(Outcome::Win(Side::A)) + (of(Outcome::Draw) + of(Outcome::Undecided)) / sides
}

/// In each game the effect from sampled battles agrees with that from exact odds.
#[test]
fn exact_odds_tell_the_same_effect() {
    let ogres = duel("\"Pit Ogre\"", "\"Pit Ogre\"", "");
    let uneven = duel("\"Pit Ogre\"", "\"Serpentine Soldier\"", "");
    let scenarios = [
        ("first-turn", scenario(&ogres)),
        ("tie-for-the-first-turn", scenario(&ogres)),
        ("first-turn", scenario(&uneven)),
        ("earthquake", Scenario::read("splinterlands/earthquake-weaken").unwrap()),
        ("active-side", Scenario::read("solforge/cercee-and-oros").unwrap()),
        ("first-turn", Scenario::read("eldertale/all-in").unwrap()),
        ("precedence", scenario(RECRUITS)),
    ];
    let mut found = 0;
    for (order, scenario) in &scenarios {
        let layout = scenario.engine().layout();
        let place = layout.forcible.iter().position(|forcible| forcible.slug() == *order).unwrap();
        let sides = layout.sides as f64;
        let [first, other] =
            [Side::A, Side::B].map(|side| score(&exact(scenario, place, side), sides));
        let rows = experiment(scenario, order, 11, 4_000);
        let effect = &rows[0].effect.difference;
        let half = (effect.high - effect.low) / 2.0;
        let error = (effect.value - (first - other)).abs();
        assert!(
            error <= 2.0 * half + 1e-9,
            "{} {order}: {effect:?} is not {first} - {other}",
            scenario.name
        );
        found += u32::from((first - other).abs() > 0.01);
    }
    assert!(found >= 2, "{found}: something has an effect");
}

/// The effect within a factor agrees with a scenario of that factor alone, and the battles of the factors add up to
/// all.
#[test]
fn an_effect_may_hang_on_a_ruleset() {
    let pair = "[rulesets]\nonly = [\"Standard\", \"Reverse Speed\"]\ntwo = 0\n";
    let both = scenario(&duel("\"Pit Ogre\"", "\"Serpentine Soldier\"", pair));
    let rows = experiment(&both, "first-turn", 9, 4_000);
    let layout = both.engine().layout();
    let names = |row: &CausalEffect| match row.of {
        Battles::All => "all".to_owned(),
        Battles::OfMatchup(at) => panic!("one match-up: {at}"),
        Battles::WithFactor(at) => layout.factors[at].clone(),
    };
    let of_side_a: Vec<&CausalEffect> = rows.iter().filter(|row| row.side == 0).collect();
    assert_eq!(
        of_side_a.iter().copied().map(names).collect::<Vec<_>>(),
        ["all", "Standard", "Reverse Speed"]
    );
    assert_eq!(of_side_a[0].battles, of_side_a[1].battles + of_side_a[2].battles);
    for row in &of_side_a[1..] {
        let alone = format!("[rulesets]\nfixed = [\"{}\"]\n", names(row));
        let alone = scenario(&duel("\"Pit Ogre\"", "\"Serpentine Soldier\"", &alone));
        let alone = experiment(&alone, "first-turn", 10, 4_000);
        let [one, other] = [row.effect.difference, alone[0].effect.difference];
        assert!(
            one.low <= other.high && other.low <= one.high,
            "{}: {one:?} {other:?}",
            names(row)
        );
    }
}

/// Where dice choose the order, the association seen in unforced battles agrees with the effect of forcing it.
#[test]
fn of_a_drawn_order_the_association_is_the_effect() {
    let quake = Scenario::read("splinterlands/earthquake-weaken").unwrap();
    let rows = experiment(&quake, "earthquake", 5, 2_000);
    assert_eq!(rows[0].effect.difference.value, -1.0);
    assert_eq!(rows[0].association.value, -1.0);
    let ties = scenario(&duel("\"Pit Ogre\"", "\"Pit Ogre\"", ""));
    let rows = experiment(&ties, "tie-for-the-first-turn", 5, 4_000);
    let [effect, seen] = [rows[0].effect.difference, rows[0].association];
    assert!(effect.low > 0.1, "{effect:?}");
    assert!(
        effect.low - 0.05 < seen.value && seen.value < effect.high + 0.05,
        "{effect:?} {seen:?}"
    );
}

/// The faster team has the first turn in every battle, and would win without it as well.
#[test]
fn the_better_side_is_not_better_for_being_first() {
    let text = duel("\"Pit Ogre\", \"Serpentine Soldier\"", "\"Fire Beetle\"", "mana_caps = [99]");
    let rows = experiment(&scenario(&text), "first-turn", 3, 1_000);
    let row = &rows[0];
    assert!(row.scores[0].value > 0.9, "it wins: {row:?}");
    assert!(row.effect.difference.value.abs() < 0.02, "{row:?}");
}

/// Over 200 seeds: where the same team stands on both sides and the first turn changes nothing, no seed finds an
/// effect, although battles end in many ways; where the first turn decides many battles, every seed finds one.
#[test]
fn an_effect_is_found_where_there_is_one() {
    let nothing = Scenario::read("splinterlands/mirror").unwrap();
    let with = scenario(&duel("\"Pit Ogre\"", "\"Pit Ogre\"", ""));
    let significant = |scenario: &Scenario| {
        let found =
            |&seed: &u64| experiment(scenario, "first-turn", seed, 300)[0].effect.p_value < 0.05;
        (0..200).filter(found).count()
    };
    let (none, all) = (significant(&nothing), significant(&with));
    assert_eq!((none, all), (0, 200));
}
