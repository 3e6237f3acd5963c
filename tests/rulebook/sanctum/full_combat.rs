//! SA-15 to SA-24: the shape of a combat, C1 to C4.

use evens::chance::Scripted;
use evens::game::{self, Outcome, Side, Unwatched};
use evens::games::sanctum::Sanctum;
use evens::games::sanctum::effect::{Stat, Target, Trigger, Verb};
use evens::games::sanctum::event::Event;
use evens::walk as exact;

use super::arena::*;

#[test]
fn sa_15_at_most_ten_rounds_and_both_groups_may_be_alive() {
    let fought = arena([basher(1).armor(1)], [basher(1).armor(9)]).combat();
    assert_eq!((fought.round(), fought.outcome), (10, Some(Outcome::Undecided)));
}

#[test]
fn sa_16_ends_when_either_group_or_both_have_no_minions() {
    let won = arena([basher(7)], [basher(1)]).combat();
    assert!(won.won_by(Side::A) && won.round() == 2);
    // The victim's death takes its killer with it.
    let spiteful = basher(1).hp(1).with(damage(Trigger::Killed, 9, Target::Foe));
    let both = arena([basher(1)], [spiteful]).combat();
    assert_eq!((both.round(), both.outcome), (2, Some(Outcome::Draw)));
}

#[test]
fn sa_17_ends_when_the_groups_are_no_longer_hostile() {
    let peaceful = basher(1).with(effect(Trigger::Hits, Verb::StopHostility));
    let fought = arena([peaceful], [basher(1)]).combat();
    assert_eq!((fought.round(), fought.outcome), (2, Some(Outcome::Undecided)));
    assert_eq!(fought.attacks(), [(A1, B1), (B1, A1)], "the round itself goes on");
}

#[test]
fn sa_18_start_of_combat_effects_in_precedence_order_then_a_check_for_the_end() {
    let burning = |on| basher(1).with(damage(Trigger::CombatStart, 1, on));
    let fought = arena([burning(Target::Enemies)], [burning(Target::Enemies)]).begins();
    let start = Trigger::CombatStart;
    assert_eq!(fought.effects(), [(start, Some(A1)), (start, Some(B1))]);
    // A minion that is burnt to death first burns nobody.
    let burning = || basher(1).hp(1).with(damage(Trigger::CombatStart, 1, Target::Enemies));
    let fought = arena([burning()], [burning()]).combat();
    assert!(fought.won_by(Side::A) && fought.round() == 0);
    let ended = arena([basher(9)], [basher(1)])
        .on_group_b(effect(Trigger::CombatStart, Verb::EndCombat))
        .combat();
    assert_eq!((ended.round(), ended.outcome), (0, Some(Outcome::Undecided)));
}

#[test]
fn sa_18_a_combat_that_is_over_before_its_first_round_lasts_no_round() {
    let burning = |on| damage(Trigger::CombatStart, 1, on);
    let one = || basher(1).hp(1);
    let peace = effect(Trigger::CombatStart, Verb::StopHostility);
    let cases = [
        (arena([one()], [one()]).on_group_b(peace), Outcome::Undecided),
        (arena([one()], [one()]).on_group_b(burning(Target::Enemies)), Outcome::Win(Side::B)),
        (arena([one()], [one()]).on_group_a(burning(Target::Everybody)), Outcome::Draw),
    ];
    for (combat, outcome) in cases {
        let setup = combat.setup();
        let mut no_dice = Scripted::nothing();
        let ended = game::play::<Sanctum, _, _>(&setup, STRATUM, &mut no_dice, &mut Unwatched);
        assert_eq!((ended.outcome, ended.rounds), (outcome, 0), "sampled");
        let odds = exact::distribution::<Sanctum, _>(&setup, STRATUM, 10, |ended| {
            (ended.outcome, ended.rounds)
        });
        assert_eq!(odds.unwrap().into_keys().collect::<Vec<_>>(), [(outcome, 0)], "exact");
    }
}

#[test]
fn sa_19_round_1_has_only_missile_attacks() {
    let fought = arena([basher(3), shooter(3)], [dummy()]).rounds(1, []);
    assert_eq!(fought.attacks(), [(A2, B1)]);
}

#[test]
fn sa_20_with_both_kinds_of_attack_only_missiles_fly_in_round_1() {
    let fought = arena([basher(5).missile(2)], [dummy()]).rounds(1, []);
    assert_eq!(fought.hp(B1), 6);
}

#[test]
fn sa_21_missiles_deal_1_less_in_round_1_but_not_below_0() {
    assert_eq!(arena([shooter(2)], [dummy()]).rounds(1, []).hp(B1), 6);
    let weak = arena([shooter(1)], [dummy()]).rounds(1, []);
    assert_eq!((weak.hp(B1), weak.hits_of(A1)), (7, vec![1]), "still a hit");
    assert_eq!(arena([shooter(0)], [dummy()]).rounds(1, []).blows()[0].1.power, 0);
    // From round 2 on, the full damage.
    assert_eq!(arena([shooter(2)], [dummy()]).rounds(2, []).hp(B1), 4);
}

#[test]
fn sa_22_bashers_skip_round_1() {
    let fought = arena([basher(3), basher(3)], [basher(3), basher(3)]).rounds(1, []);
    assert_eq!(fought.blows(), []);
}

#[test]
fn sa_23_rounds_2_to_10_follow_the_round_pipeline() {
    let fought = arena([basher(1)], [dummy().hp(99)]).combat();
    assert_eq!(fought.hits_of(A1), [2, 3, 4, 5, 6, 7, 8, 9, 10]);
}

#[test]
fn sa_24_end_of_combat_effects_then_after_combat_effects_each_in_precedence_order() {
    let both = || {
        let end = gain(Trigger::CombatEnd, Stat::Armor, 1, Target::Bearer);
        let after = gain(Trigger::AfterCombat, Stat::Armor, 1, Target::Bearer);
        dummy().with(after).with(end)
    };
    let fought = arena([both()], [both()]).combat();
    let (end, after) = (Trigger::CombatEnd, Trigger::AfterCombat);
    let expected = [(end, Some(A1)), (end, Some(B1)), (after, Some(A1)), (after, Some(B1))];
    assert_eq!(fought.effects(), expected);
    assert_eq!(fought.events.last().unwrap().1, Event::CombatOver);
}
