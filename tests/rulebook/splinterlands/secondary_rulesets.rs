//! SP-100 and SP-101: Melee Mayhem, the one Secondary ruleset that rules the battle.

use evens::games::splinterlands::ability::Ability;
use evens::games::splinterlands::event::Attack;
use evens::games::splinterlands::ruleset::Ruleset;

use super::arena::*;

#[test]
fn sp_100_under_melee_mayhem_taunt_draws_the_back_line() {
    let enemies = [monster(), monster().with(Ability::Taunt)];
    let arena = arena([melee(1), melee(1), melee(1)], enemies).under(Ruleset::MeleeMayhem);
    assert_eq!(arena.target(A1, Attack::Melee), Some(B1));
    assert_eq!(arena.target(A2, Attack::Melee), Some(B2));
    assert_eq!(arena.target(A3, Attack::Melee), Some(B2));
}

#[test]
fn sp_101_sneak_and_opportunity_are_used_instead_of_melee_mayhem() {
    let team =
        [monster(), melee(1).with(Ability::Sneak), melee(1).with(Ability::Opportunity), melee(1)];
    let enemies = [monster(), monster().health(2), monster()];
    let arena = arena(team, enemies).under(Ruleset::MeleeMayhem);
    assert_eq!(arena.target(A2, Attack::Melee), Some(B3));
    assert_eq!(arena.target(A3, Attack::Melee), Some(B2));
    assert_eq!(arena.target(A4, Attack::Melee), Some(B1));
}
