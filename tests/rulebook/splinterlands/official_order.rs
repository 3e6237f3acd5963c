//! SP-X cases for the official program's order of ties, and for playing out the last round.

use evens::chance::Seeded;
use evens::game::{Game, Outcome, Side};
use evens::games::splinterlands::Splinterlands;
use evens::games::splinterlands::ability::Ability;
use evens::games::splinterlands::event::{Cause, Event};
use evens::games::splinterlands::rolls::Roll;
use evens::games::splinterlands::ruleset::Ruleset;
use evens::games::splinterlands::state::Place;

use super::arena::*;

const BEFORE: (Roll, u32) = (Roll::TurnTie, YES);
const BEHIND: (Roll, u32) = (Roll::TurnTie, NO);

fn dummy() -> Piece {
    monster().speed(1)
}

#[test]
fn sp_x_two_tied_are_even_in_the_official_order_too() {
    let duel = arena([melee(9).health(1)], [melee(9).health(1)]).official_ties();
    let odds = duel.odds();
    assert_eq!(odds[&Outcome::Win(Side::A)], fraction(1, 2));
    assert_eq!(odds[&Outcome::Win(Side::B)], fraction(1, 2));
}

#[test]
fn sp_x_a_run_is_kept_and_the_rest_inserted_by_halving() {
    // A2 comes behind A1 and B1 before A2, so the run is A1, A2. B1 is compared with A2 and then with A1. A1 acts; then
    // A2 and B1 are compared again, and B1 once more on its insertion.
    let arena = arena([dummy(), dummy()], [dummy()]).official_ties();
    let dice = [BEHIND, BEFORE, BEFORE, BEHIND, BEHIND];
    assert_eq!(arena.rounds(1, dice).turns(), [A1, B1, A2]);
}

#[test]
fn sp_x_a_strictly_descending_run_is_turned_around() {
    let arena = arena([dummy(), dummy()], [dummy()]).official_ties();
    assert_eq!(arena.rounds(1, [BEFORE, BEFORE, BEHIND]).turns(), [B1, A2, A1]);
}

#[test]
fn sp_x_the_dead_are_compared_until_they_come_to_the_head() {
    // B2 dies before its turn and stays behind B1 in the queue: the two are compared after both actions of side A.
    let killer = || magic(9).speed(5).with(Ability::Sneak);
    let arena = arena([dummy().speed(4), killer()], [dummy(), dummy().health(9)]);
    let fought = arena.official_ties().rounds(1, [BEHIND, BEHIND, BEHIND]);
    assert_eq!((fought.deaths(), fought.turns()), (vec![B2], vec![A2, A1, B1]));
}

#[test]
fn sp_x_between_the_blows_of_double_strike_the_others_are_sorted() {
    let striker = melee(1).speed(5).with(Ability::DoubleStrike);
    let arena = arena([striker], [dummy(), dummy()]).official_ties();
    // They are compared at the start of the round, between the blows, and after them; then B2 is alone.
    let fought = arena.rounds(1, [BEHIND, BEFORE, BEHIND]);
    assert_eq!(fought.turns(), [A1, B2, B1]);
    assert_eq!(fought.because_of(Cause::Melee).len(), 2);
}

/// With all twelve tied the first team acts first in 58.5% of rounds, its front monster in 17.0% and the third of the
/// other team in 5.4% (200,000 draws of the official sort).
#[test]
fn sp_x_the_official_order_favours_the_first_team() {
    const ROUNDS: u64 = 40_000;
    let twelve = vec![monster(); 6];
    let setup = arena(twelve.clone(), twelve).official_ties().setup();
    let mut first = [0_u32; 12];
    for battle in 0..ROUNDS {
        let (mut chance, mut seen) = (Seeded::of_battle(1, battle), Seen::default());
        let mut state = Splinterlands::start(&setup, STRATUM, &mut chance, &mut seen);
        let _ = Splinterlands::round(&setup, &mut state, &mut chance, &mut seen);
        let turn = |event: &Event| match event {
            Event::Turn { who, .. } => Some(*who),
            _ => None,
        };
        let who: Place = seen.events.iter().find_map(turn).unwrap();
        first[who.index()] += 1;
    }
    let percent = |count: u32| 100.0 * f64::from(count) / ROUNDS as f64;
    let team: u32 = first[..6].iter().sum();
    // Four standard errors, or more.
    assert!((percent(team) - 58.5).abs() < 1.0, "{}", percent(team));
    assert!((percent(first[0]) - 17.0).abs() < 0.8, "{}", percent(first[0]));
    assert!((percent(first[8]) - 5.4).abs() < 0.5, "{}", percent(first[8]));
}

/// Support after the last enemy's death: by whom, for whom, with which ability (None is Cleanse), and how much.
fn support_after_the_end(fought: &Fought) -> Vec<(Option<Place>, Place, Option<Ability>, i8)> {
    let last_death = fought.events.iter().rposition(|event| matches!(event, Event::Dies(_)));
    let support = |event: &Event| match *event {
        Event::Mends { by, on, ability, amount } => Some((by, on, Some(ability), amount)),
        Event::Cleanses { by, on, .. } => Some((by, on, None, 0)),
        _ => None,
    };
    fought.events[last_death.unwrap()..].iter().filter_map(support).collect()
}

/// So in 10 recorded battles for healing and Repair, and in none otherwise. For Cleanse it is our decision.
#[test]
fn sp_x_the_last_round_goes_on_with_all_support() {
    let supporter = [Ability::TankHeal, Ability::Repair, Ability::Triage]
        .into_iter()
        .fold(monster().speed(2), Piece::with);
    let winners = [
        monster().health(30).armor(4),
        magic(18).speed(5),
        supporter,
        monster().speed(1).with(Ability::Cleanse),
    ];
    let loser = magic(5).melee(3).speed(9).health(18).with(Ability::Blast).with(Ability::Poison);
    let fought = arena(winners, [loser]).played_out().rounds(1, [(Roll::Poison, YES)]);
    assert!(fought.won_by(Side::A));
    let expected = [
        (Some(A3), A1, Some(Ability::TankHeal), 5),
        (Some(A3), A1, Some(Ability::Repair), 2),
        (Some(A3), A2, Some(Ability::Triage), 3),
        (Some(A4), A1, None, 0),
    ];
    assert_eq!(support_after_the_end(&fought), expected);
    assert_eq!(fought.turns().len(), 5, "everybody had a turn");
}

#[test]
fn sp_x_the_last_round_stops_after_the_support_of_the_first_that_can_attack() {
    let medic = || monster().with(Ability::TankHeal);
    let winners =
        [monster().health(30).speed(4), magic(18).speed(5), medic().magic(1), medic().speed(2)];
    let fought = arena(winners, [magic(20).speed(9).health(18)]).played_out().round();
    assert_eq!(
        support_after_the_end(&fought),
        [(Some(A3), A1, Some(Ability::TankHeal), 10)],
        "what it does before its attack it still does; who comes later does nothing"
    );
    assert_eq!(fought.turns(), [B1, A2, A1, A3]);
}

/// Our decision: recorded battles show no such case.
#[test]
fn sp_x_who_cannot_attack_from_where_it_stands_does_not_stop_the_last_round() {
    let medic = || monster().with(Ability::TankHeal);
    let winners = [
        ranged(1).health(60).speed(4).with(Ability::Heal),
        magic(18).speed(5),
        medic().melee(1),
        medic().speed(2),
    ];
    let fought = arena(winners.clone(), [magic(50).speed(9).health(18)]).played_out().round();
    let expected = [
        (Some(A1), A1, Some(Ability::Heal), 20),
        (Some(A3), A1, Some(Ability::TankHeal), 20),
        (Some(A4), A1, Some(Ability::TankHeal), 10),
    ];
    assert_eq!(support_after_the_end(&fought), expected);
    let close = arena(winners, [magic(50).speed(9).health(18)]).under(Ruleset::CloseRange);
    let fought = close.played_out().round();
    assert_eq!(support_after_the_end(&fought), expected[..1], "where it can shoot it stops");
}

/// The official order looks at the dead as well: one that gave its team speed loses its own bonus.
#[test]
fn sp_x_the_dead_lose_what_they_gave_themselves() {
    let killer = [monster().speed(8), magic(1).speed(9).with(Ability::Sneak)];
    let fought = arena(killer, [dummy(), dummy().health(1).with(Ability::Swiftness)]).round();
    assert_eq!(fought.deaths(), [B2]);
    assert_eq!((fought.at(B1).now.speed, fought.at(B2).now.speed), (1, 1));
}
