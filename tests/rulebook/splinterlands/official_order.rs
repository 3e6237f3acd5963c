//! SP-X cases of the official program's order of ties, and of the last round played out.

use evens::chance::Seeded;
use evens::game::{Game, Outcome, Side};
use evens::games::splinterlands::Splinterlands;
use evens::games::splinterlands::ability::Ability;
use evens::games::splinterlands::event::{Cause, Event};
use evens::games::splinterlands::rolls::Roll;
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
    // A2 behind A1, B1 before A2: the run is A1, A2. B1 is held against A2 and then A1. A1 acts; A2 and B1 are compared
    // again, and B1 once more on its insertion.
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
    // Once at the start of the round, once between the blows, once after them; then B2 is alone.
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
        let (mut luck, mut seen) = (Seeded::of_battle(1, battle), Seen::default());
        let mut state = Splinterlands::start(&setup, STRATUM, &mut luck, &mut seen);
        let _ = Splinterlands::round(&setup, &mut state, &mut luck, &mut seen);
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

/// Recorded battles show it: the winner's monsters that have yet to act use Heal, and nothing else.
#[test]
fn sp_x_the_last_round_is_played_out_and_heal_still_works() {
    let winners = [
        monster().with(Ability::Heal),
        magic(9).speed(5),
        monster().speed(2).with(Ability::TankHeal),
    ];
    let arena = arena(winners, [magic(5).speed(9).health(18)]).played_out();
    let fought = arena.rounds(2, []);
    assert!(fought.won_by(Side::A));
    let heals = fought.events.iter().filter_map(|event| match event {
        Event::Mends { by, on, ability, amount } => Some((*by, *on, *ability, *amount)),
        _ => None,
    });
    let healed = (Some(A1), A1, Ability::Heal, 3);
    let tank_healed = (Some(A3), A1, Ability::TankHeal, 2);
    assert_eq!(heals.collect::<Vec<_>>(), [healed, tank_healed, healed]);
    assert_eq!(fought.health(A1), 8);
    assert_eq!(fought.turns().len(), 8, "the dead one has no turn");
}

/// The official order looks at the dead, too: one that gave its team speed loses its own.
#[test]
fn sp_x_the_dead_lose_what_they_gave_themselves() {
    let killer = [monster().speed(8), magic(1).speed(9).with(Ability::Sneak)];
    let fought = arena(killer, [dummy(), dummy().health(1).with(Ability::Swiftness)]).round();
    assert_eq!(fought.deaths(), [B2]);
    assert_eq!((fought.at(B1).now.speed, fought.at(B2).now.speed), (1, 1));
}
