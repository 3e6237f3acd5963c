//! What a game's tests look like: rulebook cases with scripted dice, exact odds against a closed form, laws, and
//! faults.

use evens::chance::Scripted;
use evens::engine::{Battle, Dice, Look, Place};
use evens::game::{Side, Stratum, Unwatched, play};
use evens::report::battle::{Shown, page};
use evens::scenario::load;
use evens::story::{Step, Stepped};
use evens::tally::Record;
use evens::walk::Budget;
use num_rational::BigRational;
use num_traits::{One, Pow};

use super::game::{LAST_ROUND, Roll, Toy};
use super::*;

const HOME: Stratum = Stratum { matchup: 0, condition: 0 };

fn duel(fighters: [(u8, u8); 2]) -> String {
    let fighter = |(name, (lives, skill)): (&str, (u8, u8))| {
        format!("[[fighters]]\nname = \"{name}\"\nlives = {lives}\nskill = {skill}\n")
    };
    let [a, b] = fighters;
    format!("game = \"toy\"\nbattles = 1\n{}{}", fighter(("A", a)), fighter(("B", b)))
}

/// Fights a battle with these dice, every one of which must be thrown. Returns the outcome and the number of rounds.
fn scripted(fighters: [(u8, u8); 2], dice: &[(Roll, u32)]) -> (Outcome, u32) {
    let document = Document::new("duel.toml", duel(fighters), Folder::Disk("".into()));
    let setup = load::<Toy>(&document).unwrap().setup;
    let mut dice = Scripted::new(dice.iter().copied());
    let ended = play::<Toy, _, _>(&setup, HOME, &mut dice, &mut Unwatched);
    dice.finish();
    (ended.outcome, ended.rounds)
}

#[test]
fn t_2_the_first_one_strikes_first_in_every_round() {
    let dice = [(Roll::First, 1), (Roll::Hit, 0), (Roll::Hit, 0), (Roll::Hit, 0), (Roll::Hit, 1)];
    let dice = [&dice[..], &[(Roll::Heavy, 0)]].concat();
    assert_eq!(scripted([(1, 50), (1, 50)], &dice), (Outcome::Win(Side::A), 2));
}

#[test]
fn t_4_a_six_costs_two_lives() {
    let hit = |face| [(Roll::First, 0), (Roll::Heavy, face)];
    // A fighter that never misses throws no die to hit, nor does one that never hits.
    assert_eq!(scripted([(1, 100), (2, 0)], &hit(5)), (Outcome::Win(Side::A), 1));
    let five = [&hit(4)[..], &[(Roll::Heavy, 4)]].concat();
    assert_eq!(scripted([(1, 100), (2, 0)], &five), (Outcome::Win(Side::A), 2));
}

#[test]
fn t_6_after_the_last_round_nothing_is_decided() {
    let rounds = u32::from(LAST_ROUND);
    assert_eq!(scripted([(1, 0), (1, 0)], &[(Roll::First, 0)]), (Outcome::Undecided, rounds));
}

/// With one life each, the first hit decides. With skills p and q, the one that goes first, with p, wins with
/// probability p (1 + r + r^2 + ...), a term for each round, where r = (1 - p)(1 - q) is the probability of a round
/// without a hit.
#[test]
fn exact_odds_are_those_of_the_closed_form() {
    let percent = |skill: u8| BigRational::new(skill.into(), 100.into());
    let one = BigRational::one;
    for [p, q] in [[45, 60], [1, 99], [100, 50]] {
        let scenario = read(&duel([(1, p), (1, q)])).unwrap();
        let odds = scenario.engine().walk(0, Budget::UNLIMITED, &mut |_| true);
        let (p, q) = (percent(p), percent(q));
        let r = (one() - &p) * (one() - &q);
        let open = Pow::pow(&r, u32::from(LAST_ROUND));
        let rounds = (one() - &open) / (one() - &r);
        let half = BigRational::new(1.into(), 2.into());
        let a_first = &p * &rounds;
        let b_first = (one() - &q) * &p * &rounds;
        assert_eq!(odds.of(Outcome::Win(Side::A)), (a_first + b_first) * half);
        assert_eq!(odds.of(Outcome::Undecided), open);
        assert_eq!(odds.open(), one() - one());
    }
}

#[test]
fn a_run_is_as_likely_as_its_exact_odds_say() {
    let scenario = read(&DUEL.replace("100_000", "20_000")).unwrap();
    let layout = scenario.engine().layout();
    let run = scenario.run();
    assert_eq!(run.tally().battles(), 20_000);
    for matchup in 0..layout.matchups.len() {
        let odds = scenario.engine().walk(matchup, Budget::UNLIMITED, &mut |_| true);
        let count = run.tally().count(layout, |of, _| of == matchup);
        let expected = to_f64(&odds.of(Outcome::Win(Side::A)));
        let sampled = count.wins[0] as f64 / count.battles as f64;
        let error = (expected * (1.0 - expected) / count.battles as f64).sqrt();
        assert!((sampled - expected).abs() < 4.0 * error, "{sampled} against {expected}");
    }
}

#[test]
fn a_battle_is_the_same_whoever_watches() {
    let scenario = read(DUEL).unwrap();
    let engine = scenario.engine();
    let mut record = Record::new(engine.layout());
    for index in 0..100 {
        let battle = Battle { seed: 7, index, dice: Dice::Seeded, place: Place::Stratum(HOME) };
        let told = engine.tell(battle);
        for look in [Look::default(), Look { events: true, fighters: true }] {
            engine.play(battle, look, &mut record);
            assert_eq!((record.outcome, record.rounds), (told.outcome, told.rounds));
        }
        // One side's lost lives are those that the other side took.
        let [a, b] = [&record.fighters[0], &record.fighters[1]];
        assert_eq!((a.dealt, a.taken), (b.taken, b.dealt));
        assert_ne!(a.survived, b.survived);
    }
}

#[test]
fn every_fault_has_its_place_and_a_remedy() {
    let twins = duel([(1, 50), (1, 50)]).replace("\"B\"", "\"A\"");
    let faults = read(&twins).unwrap_err().faults;
    let told: Vec<&str> = faults.iter().map(|fault| fault.message.as_str()).collect();
    assert_eq!(told, ["there are two fighters called `A`"]);
    let (source, span) = faults[0].place.as_ref().unwrap();
    assert_eq!(&source.inner()[span.clone()], "\"A\"");
    assert!(span.start > twins.find("skill").unwrap(), "the second of them is marked");

    let never = read(&duel([(0, 101), (1, 50)])).unwrap_err().faults;
    assert_eq!(never.len(), 2, "{never:?}");
}

/// What a game gains by having a board: every step of a battle, and a page that goes through them.
#[test]
fn a_fight_can_be_stepped_through() {
    let scenario = read(DUEL).unwrap();
    let engine = scenario.engine();
    let battle = Battle { seed: 7, index: 0, dice: Dice::Seeded, place: Place::Stratum(HOME) };
    let Stepped { steps, outcome, rounds, .. } = engine.step(battle);
    let told = engine.tell(battle).lines;
    assert_eq!(
        steps.iter().flat_map(|step| &step.lines).collect::<Vec<_>>(),
        told.iter().collect::<Vec<_>>()
    );
    let lives = |step: &Step| {
        let lives = |side: usize| {
            step.board.sides[side].zones[0].spaces[0].clone().unwrap().numbers[0].value
        };
        [lives(0), lives(1)]
    };
    for pair in steps.windows(2) {
        let lost: i64 = lives(&pair[0]).iter().sum::<i64>() - lives(&pair[1]).iter().sum::<i64>();
        let told = pair[1].lines.first().map_or(0, |line| line.facts["lost"].as_i64().unwrap_or(0));
        assert!(lost == told || lives(&pair[1]).contains(&0), "lives fall by what the step tells");
        // A strike that hit threw two dice unless it could not miss; one that missed threw one.
        assert!(pair[1].dice.len() <= 2);
    }
    assert_eq!(lives(steps.last().unwrap()).iter().filter(|&&left| left == 0).count(), 1);
    let contenders = &engine.layout().matchups[0].contenders;
    let html = page(&Shown {
        game: "toy",
        from: "duel.toml",
        question: None,
        contenders,
        facts: &[],
        command: "cargo run --example toy_game",
        outcome,
        rounds,
        round_noun: engine.layout().round_noun,
        steps: &steps,
    });
    assert!(html.contains(&contenders.join(" vs ")));
}
