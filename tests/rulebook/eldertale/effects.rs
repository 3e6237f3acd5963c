//! ET-23 to ET-33 and ET-E1 to ET-E4: effects.

use evens::games::eldertale::cards::{Bearer, Trigger};
use evens::games::eldertale::catalogue::example;
use evens::games::eldertale::effect::Kind;
use evens::games::eldertale::event::{Cause, Event};

use super::arena::*;

fn guard_down(intensity: u8) -> evens::games::eldertale::effect::Effect {
    effect(Kind::GuardDown, intensity)
}

#[test]
fn et_23_piercing_strike_lowers_guard_power_by_1_for_2_hits_or_2_rounds() {
    let strike = example().iter().find(|card| card.title == "Piercing Strike").unwrap();
    let [applies] = strike.effects.as_slice() else { panic!("one effect") };
    assert_eq!((applies.trigger, applies.bearer), (Trigger::Activation, Bearer::Target));
    assert_eq!(applies.effect, guard_down(1).for_hits(2).for_rounds(2));
    let piercing = attack(5).applies(applies.effect);
    let fought = arena([fighter().plays([piercing]), fighter().plays([defense(3)])]).turns(2);
    assert_eq!(fought.blows(B), [5 - (3 - 1)]);
    let plain = arena([fighter().plays([attack(5)]), fighter().plays([defense(3)])]).turns(2);
    assert_eq!(plain.blows(B), [5 - 3]);
}

#[test]
fn et_24_on_activation_starts_at_the_cards_place_in_the_order() {
    let lasting = |kind| effect(kind, 1).for_rounds(3);
    let player = fighter().rests(1).plays([
        attack(1).applies_to_self(lasting(Kind::Power)),
        defense(1).applies(lasting(Kind::GuardUp)),
        utility().applies(lasting(Kind::Thorns)),
    ]);
    let fought = arena([player, fighter()]).turns(4);
    let started: Vec<Kind> = fought
        .events
        .iter()
        .filter_map(|event| match event {
            Event::Starts { effect, .. } => Some(effect.kind),
            _ => None,
        })
        .collect();
    assert_eq!(started, [Kind::Thorns, Kind::GuardUp, Kind::Power]);
    // Effects of an attack start when it lands, at the target's incoming step, even those on its own player.
    let lands = fought.events.iter().position(|event| matches!(event, Event::Lands { .. }));
    let power = fought.events.iter().position(
        |event| matches!(event, Event::Starts { who: A, effect } if effect.kind == Kind::Power),
    );
    assert_eq!(power, lands.map(|at| at + 1));
}

#[test]
fn et_25_on_play_starts_at_once() {
    let lowered = guard_down(2).for_hits(2).for_rounds(3);
    let on_play = arena([fighter().plays([attack(5).applies_on_play(lowered)]), fighter()]);
    let on_activation = arena([fighter().plays([attack(5).applies(lowered)]), fighter()]);
    // The attack is in the queue. An effect on play is there already, one on activation not yet.
    assert_eq!(on_play.turns(1).intensity(B, Kind::GuardDown), 2);
    assert_eq!(on_activation.turns(1).intensity(B, Kind::GuardDown), 0);
    assert_eq!(on_activation.turns(2).intensity(B, Kind::GuardDown), 2);
    // The second of two attacks lowers guards: the first, which lands before it, meets a lowered guard only if the
    // effect comes on play.
    let two = |second: Piece| {
        let attacker = fighter().plays([attack(4), second]).rests(9);
        arena([attacker, fighter().plays([defense(3)])]).turns(2).blows(B)
    };
    assert_eq!(two(attack(5).applies_on_play(lowered)), [4 - (3 - 2), 5]);
    assert_eq!(two(attack(5).applies(lowered)), [4 - 3, 5]);
}

#[test]
fn et_26_a_hit_duration_counts_the_hits_it_affects() {
    let hinderer =
        fighter().plays([attack(9).hits(3), hindrance().applies(guard_down(2).for_hits(2))]);
    let session = arena([hinderer.rests(9), fighter().plays([defense(5).hits(3)])]);
    let fought = session.turns(2);
    assert_eq!(fought.blows(B), [9 - 3, 9 - 3, 9 - 5], "the first two hits only");
    assert!(fought.has(|event| matches!(event, Event::Ends { who: B, kind: Kind::GuardDown, .. })));
    assert_eq!(fought.intensity(B, Kind::GuardDown), 0);
    // Hits that no defense meets do not count towards the duration of an effect on defense hits.
    let open = arena([
        fighter()
            .plays([attack(9).hits(3), hindrance().applies(guard_down(2).for_hits(2))])
            .rests(9),
        fighter(),
    ]);
    assert_eq!(open.turns(2).intensity(B, Kind::GuardDown), 2);
    // Power counts hits of attacks.
    let raised = utility().applies(effect(Kind::Power, 3).for_hits(2));
    let powerful = fighter().plays([raised, attack(4).hits(3)]).rests(9);
    assert_eq!(arena([powerful, fighter()]).turns(2).blows(B), [7, 7, 4]);
}

#[test]
fn et_27_a_round_duration_counts_dones() {
    let shield = utility().applies(effect(Kind::GuardUp, 2).for_rounds(3));
    let session = arena([fighter().plays([shield]).rests(9), fighter()]);
    let after_own_turn = |turn: u32| session.turns(2 * turn - 1).intensity(A, Kind::GuardUp);
    assert_eq!([1, 2, 3, 4].map(after_own_turn), [2, 2, 2, 0], "three dones after it began");
}

#[test]
fn et_28_with_both_durations_the_first_reached_ends_it() {
    // On B from its first done on, for 2 hits or 2 rounds.
    let lowered = || hindrance().applies_on_play(guard_down(1).for_hits(2).for_rounds(3));
    let attacked = |first: Vec<Piece>, then: Vec<Piece>| {
        arena([fighter().plays(first).plays(then).rests(9), fighter().plays([defense(4).hits(3)])])
    };
    // The round duration begins at 3, because B's first done takes one off before its defense.
    let one_a_round = attacked(vec![lowered(), attack(5)], vec![attack(5)]);
    assert_eq!(one_a_round.turns(2).intensity(B, Kind::GuardDown), 1);
    let second = one_a_round.turns(4);
    assert_eq!(second.intensity(B, Kind::GuardDown), 0, "ended by its second hit in round 2");
    assert_eq!(second.blows(B), [2, 2]);
    let unhit = attacked(vec![lowered()], vec![]);
    let left = |turn: u32| unhit.turns(2 * turn).intensity(B, Kind::GuardDown);
    assert_eq!([1, 2, 3].map(left), [1, 1, 0], "without hits it ends by rounds");
    let at_once = attacked(vec![lowered(), attack(5).hits(2)], vec![]);
    assert_eq!(at_once.turns(2).intensity(B, Kind::GuardDown), 0, "two hits end it in round 1");
    // From an attack that lands (on activation): no hits count, and two further dones end it.
    let landed = attack(1).applies(guard_down(1).for_hits(2).for_rounds(2));
    let session = arena([fighter().plays([landed]).rests(9), fighter()]);
    let left = |turn: u32| session.turns(2 * turn).intensity(B, Kind::GuardDown);
    assert_eq!([1, 2, 3].map(left), [1, 1, 0]);
}

#[test]
fn et_29_of_several_instances_only_the_highest_intensity_acts() {
    let weak = || hindrance().called("Weak").applies(guard_down(1).for_rounds(9));
    let strong = || hindrance().called("Strong").applies(guard_down(3).for_rounds(9));
    for order in [[weak(), strong()], [strong(), weak()]] {
        let attacker = fighter().plays(order).plays([attack(9)]).rests(9);
        let fought = arena([attacker, fighter().plays([defense(5)])]).turns(4);
        assert_eq!(fought.blows(B), [9 - (5 - 3)], "-3, not -4");
    }
    // Different effects do add up.
    let shield = utility().applies(effect(Kind::GuardUp, 2).for_rounds(9));
    let attacker = fighter().plays([strong()]).plays([attack(9)]).rests(9);
    let fought = arena([attacker, fighter().plays([defense(5), shield])]).turns(4);
    assert_eq!(fought.blows(B), [9 - (5 + 2 - 3)]);
}

#[test]
fn et_30_when_the_higher_one_ends_the_lower_one_acts_again() {
    let weak = hindrance().called("Weak").applies(guard_down(1).for_rounds(9));
    let strong = hindrance().called("Strong").applies(guard_down(3).for_hits(1));
    let attacker = fighter().plays([weak, strong]).plays([attack(9).hits(2)]).rests(9);
    let fought = arena([attacker, fighter().plays([defense(5).hits(2)])]).turns(4);
    assert_eq!(fought.blows(B), [9 - (5 - 3), 9 - (5 - 1)]);
    assert_eq!(fought.intensity(B, Kind::GuardDown), 1);
}

#[test]
fn et_31_effects_act_before_round_durations_fall() {
    let venom = hindrance().applies(effect(Kind::Poison, 4).for_rounds(1));
    let fought = arena([fighter().plays([venom]).rests(9), fighter()]).turns(6);
    assert_eq!(fought.losses(B, Cause::Poison), [4], "one round: it still acts once");
}

#[test]
fn et_32_a_round_duration_of_r_lets_an_effect_act_at_r_dones_of_its_bearer() {
    for rounds in 1..=4u8 {
        let venom = hindrance().applies(effect(Kind::Poison, 9).for_rounds(rounds));
        let session = arena([fighter().plays([venom]).rests(99), fighter(), fighter()]);
        let fought = session.turns(30);
        assert_eq!(fought.losses(B, Cause::Poison).len(), usize::from(rounds));
        let guarding = utility().applies(effect(Kind::StartGuard, 2).for_rounds(rounds));
        let fought = arena([fighter().plays([guarding]).rests(99), fighter()]).turns(30);
        let guards = fought.events.iter().filter(|e| matches!(e, Event::Guards { who: A, .. }));
        assert_eq!(guards.count(), usize::from(rounds));
    }
}

#[test]
fn et_33_effects_with_a_hit_duration_wait_for_hits() {
    let waiting = hindrance().applies(effect(Kind::Poison, 4).for_hits(2));
    let fought = arena([fighter().plays([waiting]).rests(9), fighter()]).turns(6);
    assert_eq!(fought.losses(B, Cause::Poison), [0; 0]);
    // Thorns for 2 hits: nothing happens in two rounds without attacks, then two hits count.
    let thorns = utility().applies(effect(Kind::Thorns, 3).for_hits(2));
    let bearer = fighter().plays([thorns]).rests(9);
    let attacker = fighter().rests(2).plays([attack(1).hits(3)]).rests(9);
    let fought = arena([bearer, attacker]).turns(7);
    assert_eq!(fought.losses(B, Cause::Thorns(A)), [3, 3]);
    assert_eq!(fought.blows(A).len(), 3);
}

#[test]
fn et_e1_a_2x8_attack_deals_16_and_18_with_1_power() {
    let plain = arena([fighter().plays([attack(8).hits(2)]), fighter()]).turns(2);
    assert_eq!(60 - plain.hp(B), 16);
    let power = utility().applies(effect(Kind::Power, 1).for_rounds(1));
    let raised = arena([fighter().plays([power, attack(8).hits(2)]), fighter()]).turns(2);
    assert_eq!(60 - raised.hp(B), 18);
}

#[test]
fn et_e2_poison_ignores_defense_and_ticks_n_down_to_1() {
    for n in 1..=6u16 {
        let venom = hindrance().applies(effect(Kind::Poison, n as u8));
        let defender = fighter().plays([defense(9).hits(3)]);
        let fought = arena([fighter().plays([venom]).rests(99), defender]).turns(20);
        let ticks: Vec<u16> = (1..=n).rev().collect();
        assert_eq!(fought.losses(B, Cause::Poison), ticks);
        assert_eq!(60 - fought.hp(B), (n * (n + 1) / 2) as i16);
    }
}

#[test]
fn et_e3_heal_over_time_ticks_alike_up_to_the_maximum() {
    let recovering = |missing: u8| {
        let healer =
            fighter().rests(1).plays([utility().applies(effect(Kind::HealOverTime, 3))]).rests(9);
        arena([fighter().plays([attack(missing)]).rests(9), healer]).turns(12)
    };
    let wounded = recovering(30);
    assert_eq!((wounded.heals(B), wounded.hp(B)), (vec![3, 2, 1], 36));
    let scratched = recovering(4);
    assert_eq!((scratched.heals(B), scratched.hp(B)), (vec![3, 1, 0], 60));
}

#[test]
fn et_e4_doom_blocks_healing() {
    let doom = attack(20).applies(effect(Kind::Doom, 1).for_rounds(2));
    let healer = fighter().rests(1).plays([
        utility().called("Balm").applies(effect(Kind::Heal, 5)),
        utility().called("Salve").applies(effect(Kind::HealOverTime, 3)),
    ]);
    let fought = arena([fighter().plays([doom]).rests(9), healer.rests(9)]).turns(8);
    // Doom still blocks the first tick: effects act before it falls at B's third done.
    assert_eq!(fought.heals(B), [0, 0, 2]);
    assert!(fought.has(|event| matches!(event, Event::Heals { doomed: true, .. })));
}
