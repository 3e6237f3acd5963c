//! SP-X: attacks that come of attacks, Retaliate and Trample (README, step 10; decisions 19 to 21).

use evens::games::splinterlands::ability::Ability;
use evens::games::splinterlands::event::Cause;
use evens::games::splinterlands::rolls::Roll;
use evens::games::splinterlands::ruleset::Ruleset;

use super::arena::*;

fn dummy() -> Piece {
    monster().speed(1)
}

#[test]
fn sp_x_retaliate_is_an_attack_with_all_that_comes_of_one() {
    let thorny = melee(1).speed(4).with(Ability::Thorns);
    let retaliator = melee(2).speed(1).with(Ability::Retaliate).with(Ability::Stun);
    let dice = [(Roll::Retaliate, YES), (Roll::Hit, YES), (Roll::Stun, NO), (Roll::Hit, NO)];
    let fought = arena([thorny], [retaliator]).rounds(1, dice);
    assert_eq!(fought.because_of(Cause::Thorns), [(B1, 2)]);
}

#[test]
fn sp_x_retaliate_strikes_back_half_the_time_and_can_miss() {
    let retaliator = || melee(2).speed(1).with(Ability::Retaliate);
    let arena = arena([melee(1).speed(4)], [retaliator()]);
    let fought = arena.rounds(1, [(Roll::Retaliate, YES), (Roll::Hit, YES), (Roll::Hit, NO)]);
    assert_eq!(fought.because_of(Cause::Retaliate), [(A1, 2)]);
    let missed = arena.rounds(1, [(Roll::Retaliate, YES), (Roll::Hit, NO), (Roll::Hit, NO)]);
    assert_eq!(missed.health(A1), 10);
    let quiet = arena.rounds(1, [(Roll::Retaliate, NO), (Roll::Hit, NO)]);
    assert_eq!(quiet.because_of(Cause::Retaliate), []);
}

/// The publisher's help page on Retaliate: two units that have it can go on as long as it comes to it.
#[test]
fn sp_x_retaliate_can_be_retaliated_as_long_as_the_dice_allow() {
    let retaliator = |speed| melee(2).speed(speed).with(Ability::Retaliate);
    let arena = arena([retaliator(4)], [retaliator(1)]).under(Ruleset::AimTrue);
    let dice = [YES, YES, YES, NO, NO].map(|answers| (Roll::Retaliate, answers));
    let fought = arena.rounds(1, dice);
    assert_eq!(fought.because_of(Cause::Retaliate), [(A1, 2), (B1, 2), (A1, 2)]);
}

#[test]
fn sp_x_nobody_retaliates_against_the_dying() {
    let first = melee(9).speed(4).with(Ability::Retaliate);
    let dying = melee(2).speed(1).health(1).with(Ability::Retaliate);
    let arena = arena([first], [dying]).under(Ruleset::AimTrue);
    let fought = arena.rounds(1, [(Roll::Retaliate, YES)]);
    assert_eq!(fought.because_of(Cause::Retaliate), [(A1, 2)]);
    assert_eq!(fought.deaths(), [B1]);
}

/// Of two that retaliate until both have fallen, the one that was struck last dies first.
#[test]
fn sp_x_whom_a_retaliate_kills_may_retaliate_before_it_dies() {
    let first = melee(1).speed(4).health(1).with(Ability::Retaliate);
    let second = melee(1).speed(1).health(2).with(Ability::Retaliate);
    let arena = arena([first], [second]).under(Ruleset::AimTrue);
    let fought = arena.rounds(1, [(Roll::Retaliate, YES); 2]);
    assert_eq!(fought.because_of(Cause::Retaliate), [(A1, 1), (B1, 1)]);
    assert_eq!(fought.deaths(), [B1, A1]);
}

/// Decision 20: where neither can hurt the other, the dice alone would never end it for certain.
#[test]
fn sp_x_retaliates_end_after_sixteen_in_a_row() {
    let shielded = |speed| melee(1).speed(speed).with(Ability::Retaliate).with(Ability::Shield);
    let arena = arena([shielded(4)], [shielded(1)]).under(Ruleset::AimTrue);
    let fought = arena.rounds(1, [(Roll::Retaliate, YES); 32]);
    assert_eq!(fought.because_of(Cause::Retaliate).len(), 32, "sixteen in the turn of each");
}

#[test]
fn sp_x_the_stunned_do_not_retaliate_not_even_the_blow_that_stunned_them() {
    let stunner = melee(1).speed(4).with(Ability::Stun).with(Ability::DoubleStrike);
    let retaliator = melee(2).speed(1).with(Ability::Retaliate);
    let fought = arena([stunner], [retaliator]).rounds(1, [(Roll::Stun, YES)]);
    assert_eq!(fought.because_of(Cause::Melee), [(B1, 1), (B1, 1)]);
    assert_eq!(fought.because_of(Cause::Retaliate), []);
}

#[test]
fn sp_x_trample_goes_on_to_whoever_stood_behind_the_dead_once() {
    let trampler = melee(3).speed(5).with(Ability::Trample);
    let enemies = [dummy().health(1), dummy().health(1), dummy().health(1)];
    let fought = arena([trampler], enemies).round();
    assert_eq!(fought.because_of(Cause::Melee), [(B1, 1)]);
    assert_eq!(fought.because_of(Cause::Trample), [(B2, 1)]);
    assert!(fought.lives(B3));
}

/// The publisher's help page on Trample: with Double Strike, too.
#[test]
fn sp_x_trample_comes_once_in_a_turn_with_double_strike_too() {
    let trampler = melee(3).speed(5).with(Ability::Trample).with(Ability::DoubleStrike);
    let enemies = [dummy().health(1), dummy().health(1), dummy().health(1), dummy().health(1)];
    let fought = arena([trampler], enemies).round();
    assert_eq!(fought.because_of(Cause::Melee), [(B1, 1), (B3, 1)]);
    assert_eq!(fought.because_of(Cause::Trample), [(B2, 1)]);
    assert!(fought.lives(B4));
}

#[test]
fn sp_x_an_attacker_killed_by_thorns_does_not_trample() {
    let trampler = melee(3).health(2).with(Ability::Trample);
    let fought =
        arena([trampler, monster().speed(2)], [dummy().health(1).with(Ability::Thorns), dummy()]);
    let fought = fought.round();
    assert_eq!(fought.deaths(), [A1, B1]);
    assert_eq!(fought.because_of(Cause::Trample), []);
}

/// The attacker's hit killed the target, so it tramples whatever takes the target off while it strikes back.
#[test]
fn sp_x_an_attacker_whose_thorns_end_the_dying_still_tramples() {
    let trampler = melee(3).speed(5).with(Ability::Trample).with(Ability::Thorns);
    let retaliator = melee(1).health(1).with(Ability::Retaliate);
    let arena = arena([trampler], [retaliator, dummy()]);
    let fought = arena.rounds(1, [(Roll::Retaliate, YES), (Roll::Hit, YES)]);
    assert_eq!(fought.because_of(Cause::Thorns).len(), 1);
    assert_eq!(fought.because_of(Cause::Trample), [(B2, 3)]);
}

#[test]
fn sp_x_an_attacker_tramples_on_when_the_dying_return_while_they_strike_back() {
    let trampler = melee(3).speed(5).with(Ability::Trample).with(Ability::Thorns);
    let retaliator = melee(1).health(1).with(Ability::Retaliate);
    let arena = arena([trampler], [retaliator, dummy().with(Ability::Resurrect)]);
    let fought = arena.rounds(1, [(Roll::Retaliate, YES), (Roll::Hit, YES)]);
    assert_eq!((fought.deaths(), fought.lives(B1)), (vec![B1], true));
    assert_eq!(fought.because_of(Cause::Trample), [(B2, 3)]);
}

#[test]
fn sp_x_thorns_that_kill_who_survived_the_hit_do_not_trample() {
    let trampler = melee(1).speed(5).with(Ability::Trample).with(Ability::Thorns);
    let retaliator = melee(1).health(2).with(Ability::Retaliate);
    let arena = arena([trampler], [retaliator, dummy()]);
    let fought = arena.rounds(1, [(Roll::Retaliate, YES), (Roll::Hit, YES)]);
    assert_eq!(fought.deaths(), [B1]);
    assert_eq!(fought.because_of(Cause::Trample), []);
}
