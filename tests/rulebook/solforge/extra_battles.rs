//! When a player may battle again (SF-50 to SF-55).

use super::arena::{Arena, B, arena};

/// How many battles can be fought if the player presses the button again and again. The positions are loose, because
/// examples of the rulebook have three cards played in a turn, and battles that may not be fought are left out.
fn battles(field: Arena) -> usize {
    field.loose().battle().battle().battle().always(|end| end.battles())
}

#[test]
fn sf_50_only_a_few_things_look_for_extra_battles() {
    let veteran = || arena().plain("Veteran", 1, 9).a(1, "Veteran");
    // Nothing looks for creatures that can battle again: one battle.
    assert_eq!(battles(veteran()), 1);
    // Playing Staff of Vaerus looks.
    assert_eq!(battles(veteran().battle().cast("Staff of Vaerus", &["A1"])), 2);
    // Playing Call the Lightning looks at level 3 only.
    assert_eq!(battles(veteran().battle().cast("Call the Lightning@3", &[])), 2);
    assert_eq!(battles(veteran().battle().cast("Call the Lightning", &[])), 1);
    // Any spell looks with Kas on the field: Kas battles once more.
    assert_eq!(battles(arena().a(1, "Kas, Arcweaver").battle().cast("Enrage", &["A1"])), 2);
    assert_eq!(battles(veteran().battle().cast("Enrage", &["A1"])), 1);
    // Pressing the button looks with such a creature on the field.
    assert_eq!(battles(arena().a(1, "Zyx, Storm Herald")), 2);
    assert_eq!(battles(arena().a(1, "Saberfang")), 2);
    assert_eq!(battles(veteran().cast("Staff of Vaerus", &["A1"])), 2);
    // Playing such a creature looks: a Saberfang that missed the battle has its additional one.
    assert_eq!(battles(veteran().battle().play("Saberfang", 2)), 2);
    // A level 3 Staff gives every friendly creature one more.
    assert_eq!(battles(veteran().a(5, "Staff of Vaerus@3")), 2);
}

#[test]
fn sf_50_a_battle_is_looked_for_as_it_begins_and_not_for_what_it_sets_off() {
    let fury = "[[cards]]\nname = \"Fury\"\nfaction = \"tempys\"\nattack = [1]\nhealth = [9]\n\
                [[cards.abilities]]\nwhen = { hits_player = {} }\n\
                do = [{ gain = { battles = 1, until = \"end_of_turn\" } }]\n";
    assert_eq!(battles(arena().cards(fury).a(1, "Fury")), 1);
    // A later effect that looks finds it: the one battle that it has gained.
    let later = arena().cards(fury).a(1, "Fury").battle().cast("Staff of Vaerus", &["A1"]);
    assert!(battles(later) > 1);
}

#[test]
fn sf_51_none_is_granted_if_nobody_can_battle_at_that_moment() {
    // Zyx enters on the defensive after the battle, and nothing looks again.
    let field =
        arena().plain("Veteran", 1, 9).a(1, "Veteran").battle().play("Zyx, Storm Herald", 2);
    assert_eq!(battles(field.clone()), 1);
    assert_eq!(battles(field.clone().cast("Lightning Brand", &["A2"])), 1);
    // A later effect that looks finds both of them, for one battle together.
    assert_eq!(battles(field.cast("Lightning Brand", &["A2"]).cast("Staff of Vaerus", &["A1"])), 2);
}

#[test]
fn sf_52_staff_and_then_brand_is_no_extra_battle() {
    let field = arena()
        .plain("Veteran", 1, 9)
        .play("Veteran", 1)
        .battle()
        .cast("Staff of Vaerus", &["A1"])
        .cast("Lightning Brand", &["A1"]);
    assert_eq!(battles(field), 1);
}

#[test]
fn sf_53_brand_and_then_staff_is() {
    let field = arena()
        .plain("Veteran", 1, 9)
        .play("Veteran", 1)
        .battle()
        .cast("Lightning Brand", &["A1"])
        .cast("Staff of Vaerus", &["A1"]);
    assert!(battles(field) > 1);
}

#[test]
fn sf_54_a_creature_played_before_the_battle_makes_up_for_it_too() {
    let field = arena()
        .plain("Veteran", 1, 9)
        .play("Veteran", 1)
        .battle()
        .cast("Lightning Brand", &["A1"])
        .cast("Staff of Vaerus", &["A1"]);
    let result =
        field.loose().battle().battle().battle().always(|end| (end.battles(), end.life(B)));
    assert_eq!(result, (3, 120 - 2 * 2), "two more, with 1 + 1 attack each");
}

#[test]
fn sf_55_a_creature_played_after_the_battle_does_not() {
    let field = arena()
        .plain("Veteran", 1, 9)
        .battle()
        .play("Veteran", 1)
        .cast("Lightning Brand", &["A1"])
        .cast("Staff of Vaerus", &["A1"]);
    assert_eq!(battles(field), 2);
}
