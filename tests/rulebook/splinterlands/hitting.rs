//! SP-15 to SP-22: the chance to hit, normally and under Aim True.

use evens::games::splinterlands::ability::Ability;
use evens::games::splinterlands::event::Attack;
use evens::games::splinterlands::rolls::Roll;
use evens::games::splinterlands::ruleset::Ruleset;

use super::arena::*;

#[test]
fn sp_15_each_point_of_speed_misses_10_percent() {
    for (kind, attacker) in [(Attack::Melee, melee(1)), (Attack::Ranged, ranged(1))] {
        for difference in 0..=10 {
            let arena = arena([attacker.clone().speed(1)], [monster().speed(1 + difference)]);
            assert_eq!(arena.percent(A1, B1, kind), 100 - 10 * difference as u8);
        }
    }
    let three_slower = arena([melee(1).speed(1)], [monster().speed(4)]);
    assert_eq!(three_slower.percent(A1, B1, Attack::Melee), 70);
    let missed = three_slower.rounds(1, [(Roll::Hit, NO)]);
    assert_eq!(missed.health(B1), 10);
    assert_eq!(three_slower.rounds(1, [(Roll::Hit, YES)]).health(B1), 9);
}

#[test]
fn sp_16_dodge_flying_and_blindness_add_to_speed() {
    let hit = |target: Piece, blind: bool| {
        let blinder = if blind { monster().with(Ability::Blind) } else { monster() };
        arena([melee(1)], [target, blinder]).percent(A1, B1, Attack::Melee)
    };
    assert_eq!(hit(monster().with(Ability::Dodge), false), 75);
    assert_eq!(hit(monster().with(Ability::Flying), false), 75);
    assert_eq!(hit(monster(), true), 85);
    let all = monster().speed(5).with(Ability::Dodge).with(Ability::Flying);
    assert_eq!(hit(all, true), 100 - 85);
}

#[test]
fn sp_17_blindness_does_not_stack() {
    let blind = || monster().with(Ability::Blind);
    let arena = arena([ranged(1), ranged(1)], [blind(), blind(), blind()]);
    assert_eq!(arena.percent(A2, B1, Attack::Ranged), 85);
}

#[test]
fn sp_18_a_flying_attacker_ignores_flying() {
    let arena = arena([melee(1).with(Ability::Flying)], [monster().with(Ability::Flying)]);
    assert_eq!(arena.percent(A1, B1, Attack::Melee), 100);
}

#[test]
fn sp_19_the_chance_to_miss_can_reach_100_percent() {
    let target = monster().speed(5).with(Ability::Dodge).with(Ability::Flying).with(Ability::Blind);
    let arena = arena([melee(1).speed(1)], [target]);
    assert_eq!(arena.percent(A1, B1, Attack::Melee), 0);
    assert_eq!(arena.round().health(B1), 10);
}

#[test]
fn sp_20_magic_always_hits() {
    let target = monster().speed(9).with(Ability::Dodge).with(Ability::Flying).with(Ability::Blind);
    let arena = arena([magic(3).speed(1)], [target]);
    assert_eq!(arena.percent(A1, B1, Attack::Magic), 100);
    assert_eq!(arena.round().health(B1), 7);
}

#[test]
fn sp_21_no_penalty_at_equal_speed_or_faster() {
    for speed in [3, 4, 9] {
        let arena = arena([melee(1).speed(speed)], [monster().speed(3)]);
        assert_eq!(arena.percent(A1, B1, Attack::Melee), 100);
    }
}

#[test]
fn sp_22_aim_true_hits_whatever_speed_dodge_flying_and_blindness_say() {
    let target =
        || monster().speed(9).with(Ability::Dodge).with(Ability::Flying).with(Ability::Blind);
    for (kind, attacker) in [(Attack::Melee, melee(1)), (Attack::Ranged, ranged(1))] {
        let arena = arena([attacker], [target()]).under(Ruleset::AimTrue);
        assert_eq!(arena.percent(A1, B1, kind), 100);
    }
    let struck = arena([melee(2)], [target()]).under(Ruleset::AimTrue).round();
    assert_eq!(struck.health(B1), 8);
}
