//! SA-25 to SA-46: one combat round, R1 to R4.

use evens::game::Side;
use evens::games::sanctum::effect::{Effect, Lasts, Stat, Target, Trigger, Verb};
use evens::games::sanctum::event::{Choice, Event};
use evens::games::sanctum::rolls::Roll;
use evens::games::sanctum::state::{INFINITE, Place};

use super::arena::*;

#[test]
fn sa_25_each_round_resets_current_armor_and_remaining_attacks() {
    let fought = arena([basher(1).attacks(2)], [dummy().armor(3)]).rounds(3, []);
    let soaked: Vec<i16> = fought.blows().iter().map(|(_, blow)| blow.to_armor).collect();
    assert_eq!(soaked, [1, 1, 1, 1]);
    assert_eq!((fought.at(B1).armor, fought.at(A1).attacks), (1, 0));
    // Armor gained in combat counts from the next reset on.
    let hardening = dummy().with(gain(Trigger::IsHit, Stat::Armor, 1, Target::Bearer));
    let fought = arena([basher(2)], [hardening]).rounds(3, []);
    let lost: Vec<i16> = fought.blows().iter().map(|(_, blow)| blow.to_hit_points).collect();
    assert_eq!(lost, [2, 1]);
}

#[test]
fn sa_26_does_not_attack_makes_a_non_combatant_from_the_next_reset_on() {
    let pacifier =
        basher(1).with(Effect { on: Target::Foe, ..effect(Trigger::Hits, Verb::StopAttacking) });
    let fought = arena([pacifier], [basher(1).hp(9)]).rounds(4, []);
    assert_eq!(fought.hits_of(B1), [2], "its attacks of this round are still its own");
    assert_eq!(fought.hits_of(A1), [2, 3, 4]);
    // A non-combatant pairs up with nobody.
    assert!(!fought.state.is_idle(B1));
    let left_over = arena([basher(1)], [dummy()]).rounds(2, []);
    assert_eq!(left_over.choices(2), [(A1, Choice::Wisely, B1)]);
}

/// A change that lasts a round, made when its bearer hits in round 2.
fn for_a_round(does: Verb, stat: Stat, amount: i8, on: Target) -> Effect {
    let lasts = Lasts::Round;
    Effect { stat, amount, on, lasts, rounds: (2, 2), ..effect(Trigger::Hits, does) }
}

#[test]
fn sa_26_what_is_received_in_a_round_for_a_round_counts_in_the_next_one() {
    // "Even those that were received in the immediately preceding combat round."
    let pacifier = basher(1).with(for_a_round(Verb::StopAttacking, Stat::Hand, 0, Target::Foe));
    let fought = arena([pacifier], [basher(1).hp(9)]).rounds(5, []);
    assert_eq!(fought.hits_of(B1), [2, 4, 5], "it still attacks in round 2, and again in round 4");
    let quickened = basher(1).with(for_a_round(Verb::Gain, Stat::Attacks, 1, Target::Bearer));
    let fought = arena([quickened], [dummy().hp(50)]).rounds(4, []);
    assert_eq!(fought.hits_of(A1), [2, 3, 3, 4]);
    let hardened = basher(1).with(for_a_round(Verb::Gain, Stat::Armor, 1, Target::Bearer));
    let fought = arena([hardened], [basher(2).hp(50)]).rounds(4, []);
    let onto_a: Vec<i16> =
        fought.blows().iter().filter(|(_, b)| b.on == A1).map(|(_, b)| b.to_armor).collect();
    assert_eq!(onto_a, [0, 1, 0]);
    // Changes that need no reset count at once, and until the next reset.
    let fiercer = basher(1).attacks(2).with(for_a_round(Verb::Gain, Stat::Hand, 3, Target::Bearer));
    let fought = arena([fiercer], [dummy().hp(50)]).rounds(3, []);
    let power: Vec<i16> = fought.blows().iter().map(|(_, blow)| blow.power).collect();
    assert_eq!(power, [1, 4, 1, 1]);
}

#[test]
fn sa_26_what_is_received_at_the_start_of_a_round_counts_in_that_round() {
    let at_start = |does, stat, amount| Effect {
        when: Trigger::RoundStart,
        ..for_a_round(does, stat, amount, Target::Bearer)
    };
    let resting = basher(1).with(at_start(Verb::StopAttacking, Stat::Hand, 0));
    assert_eq!(arena([resting], [dummy().hp(50)]).rounds(4, []).hits_of(A1), [3, 4]);
    let quickened = basher(1).with(at_start(Verb::Gain, Stat::Attacks, 1));
    assert_eq!(arena([quickened], [dummy().hp(50)]).rounds(3, []).hits_of(A1), [2, 2, 3]);
    // But current armor follows at the next reset only.
    let hardened = basher(1).with(at_start(Verb::Gain, Stat::Armor, 1));
    let fought = arena([basher(2).hp(50)], [hardened]).rounds(4, []);
    let soaked: Vec<i16> =
        fought.blows().iter().filter(|(_, b)| b.on == B1).map(|(_, b)| b.to_armor).collect();
    assert_eq!(soaked, [0, 1, 0]);
}

#[test]
fn sa_26_what_is_received_before_round_1_for_a_round_counts_in_it() {
    let at_start = |stat| Effect {
        lasts: Lasts::Round,
        ..gain(Trigger::CombatStart, stat, 2, Target::Bearer)
    };
    let keen = shooter(2).with(at_start(Stat::Missile));
    let fought = arena([keen], [dummy().hp(50)]).rounds(2, []);
    let power: Vec<i16> = fought.blows().iter().map(|(_, blow)| blow.power).collect();
    assert_eq!(power, [2 - 1 + 2, 2]);
    let hardened = dummy().hp(50).with(at_start(Stat::Armor));
    let fought = arena([shooter(4)], [hardened]).rounds(2, []);
    let soaked: Vec<i16> = fought.blows().iter().map(|(_, blow)| blow.to_armor).collect();
    assert_eq!(soaked, [2, 0]);
}

#[test]
fn sa_26_any_does_not_attack_outweighs_attacks_gained_after_it() {
    let eager = basher(1).with(effect(Trigger::CombatStart, Verb::StopAttacking));
    let eager = eager.with(gain(Trigger::RoundStart, Stat::Attacks, 1, Target::Bearer));
    assert!(arena([eager], [dummy()]).combat().attacks().is_empty());
}

#[test]
fn sa_27_start_of_round_effects_happen_each_round_in_precedence_order() {
    let growing = || dummy().with(gain(Trigger::RoundStart, Stat::Armor, 1, Target::Bearer));
    let fought = arena([growing()], [growing()]).rounds(2, []);
    let start = Trigger::RoundStart;
    let once = [(start, Some(A1)), (start, Some(B1))];
    assert_eq!(fought.effects(), [once, once].concat());
    // In a given round only.
    let third = Effect { rounds: (3, 3), ..damage(Trigger::RoundStart, 2, Target::Enemies) };
    let fought = arena([dummy().with(third)], [dummy()]).combat();
    assert_eq!((fought.hp(B1), fought.blows()[0].0), (5, 3));
}

#[test]
fn sa_28_the_round_halts_when_a_group_died_left_or_is_no_longer_hostile() {
    let at_start = |verb| {
        let starter =
            basher(1).with(Effect { rounds: (2, 2), ..effect(Trigger::RoundStart, verb) });
        arena([basher(9)], [starter]).combat()
    };
    for verb in [Verb::Leave, Verb::Withdraw, Verb::StopHostility] {
        let fought = at_start(verb);
        assert_eq!((fought.round(), fought.attacks().len()), (2, 0), "{verb}");
    }
    let deadly = damage(Trigger::RoundStart, 9, Target::Enemies);
    let fought = arena([basher(1).with(deadly)], [shooter(1)]).combat();
    assert!(fought.won_by(Side::A) && fought.round() == 1 && fought.attacks().is_empty());
}

#[test]
fn sa_29_shooters_choose_anew_each_round_and_bashers_keep_a_living_victim() {
    let fought = arena([basher(1), shooter(1)], [dummy(), dummy().armor(1)]).rounds(2, []);
    assert_eq!(fought.choices(2), [(A1, Choice::Wisely, B2), (A2, Choice::Wisely, B2)]);
    let later = arena([basher(1), shooter(1)], [dummy(), dummy().armor(1)]).rounds(3, []);
    assert_eq!(later.choices(3), [(A2, Choice::Wisely, B2)]);
}

#[test]
fn sa_30_misses_are_infinite_from_round_1_on_until_the_first_hit() {
    let fought = arena([shooter(2), basher(2)], [dummy().level(5)]).rounds(1, []);
    assert_eq!(fought.hits_of(A1), [1]);
    assert_eq!((fought.at(A1).misses, fought.at(A2).misses), (0, INFINITE));
}

#[test]
fn sa_31_a_bashers_guaranteed_hit_is_its_first_attack_in_round_2() {
    let fought = arena([basher(2)], [dummy().level(5)]).rounds(3, []);
    assert_eq!(fought.hits_of(A1), [2]);
}

#[test]
fn sa_32_in_round_1_shooters_stay_idle_until_their_own_attack() {
    // The second shooter sees what the first one has done: another victim is nearer to death.
    let fought = arena([shooter(3), shooter(2)], [dummy().hp(4), dummy().hp(5)]).rounds(1, []);
    let told: Vec<&Event> = fought.events.iter().map(|(_, event)| event).collect();
    let chosen = told.iter().position(|e| matches!(e, Event::Chooses { who: A2, .. })).unwrap();
    let hit = told.iter().position(|e| matches!(e, Event::Blow(b) if b.by == Some(A1))).unwrap();
    assert!(hit < chosen);
    assert_eq!(fought.attacks(), [(A1, B1), (A2, B1)]);
}

#[test]
fn sa_33_idle_bashers_pair_up_and_every_matching_is_equally_likely() {
    let tough = || basher(1).hp(50);
    for a in 1..=3_usize {
        for b in a..=4 {
            let two_sides = arena(vec![tough(); a], vec![tough(); b]);
            let matchings = two_sides.odds(2, |fought| {
                (0..a).map(|nth| fought.victim(Place(nth as u8)).unwrap()).collect::<Vec<_>>()
            });
            let ways: i64 = (b - a + 1..=b).product::<usize>() as i64;
            assert_eq!(matchings.len() as i64, ways, "{a} against {b}: b! / (b - a)!");
            assert!(matchings.values().all(|odds| *odds == fraction(1, ways)));
            let left_over =
                two_sides.odds(2, |fought| fought.has(|event| *event == Event::LeftOver(B1)));
            let expected = fraction((b - a) as i64, b as i64);
            assert_eq!(left_over.get(&true).cloned().unwrap_or_default(), expected);
        }
    }
    // The same holds when the side with precedence is the larger one; and the two of each pair are each other's
    // victims.
    let mirrored = arena([tough(), tough(), tough()], [tough(), tough()]).odds(2, |fought| {
        [B1, B2].map(|who| fought.victim(fought.victim(who).unwrap()) == Some(who))
    });
    assert_eq!(mirrored.into_iter().collect::<Vec<_>>(), [([true; 2], fraction(1, 1))]);
}

#[test]
fn sa_34_pairs_last_until_one_dies() {
    let fought =
        arena([basher(2), basher(1)], [basher(1).hp(4), basher(1)]).rounds(4, [(Roll::Pairing, 0)]);
    assert_eq!(fought.choices(3), []);
    // A1 has killed B1 and is the only idle basher now.
    assert_eq!(fought.deaths(), [(B1, Some(A1))]);
    assert_eq!(fought.choices(4), [(A1, Choice::Wisely, B2)]);
    assert_eq!((fought.victim(A2), fought.victim(B2)), (Some(B2), Some(A2)));
}

fn seeking() -> Effect {
    Effect {
        only: evens::games::sanctum::effect::Class::Monster.into(),
        ..effect(Trigger::MustAttack, Verb::SeekOut)
    }
}

#[test]
fn sa_35_who_is_idle_after_pairing_must_attack_then_chooses_wisely() {
    // A1 pairs up; A2 is left over and must attack the monster; A3 chooses the highest armor.
    let enemies = [basher(1), dummy().monster(), dummy().armor(1)];
    let fought = arena([basher(1), basher(1).with(seeking()), shooter(1)], enemies);
    let fought = fought.rounds(2, [(Roll::Pairing, 0)]);
    let expected = [(A1, Choice::PairsUp, B1), (A2, Choice::Must, B2), (A3, Choice::Wisely, B3)];
    // The one basher of side B draws among the two of side A, so it is named first.
    let told = fought.choices(2);
    assert_eq!(told[0], (B1, Choice::PairsUp, A1));
    assert_eq!(told[1..], expected[1..]);
    // A taunt works from the other side, and on idle enemies only.
    let taunting = dummy().with(effect(Trigger::MustAttack, Verb::Taunt));
    let fought = arena([shooter(1)], [dummy().armor(5), taunting]).rounds(2, []);
    assert_eq!(fought.attacks(), [(A1, B2), (A1, B2)]);
}

#[test]
fn sa_36_a_shooters_victim_may_die_before_its_turn_and_it_chooses_again() {
    // Neither shooter alone can foresee a kill; both choose B2 for its armor, and A2 kills it.
    let first = shooter(3).with(damage(Trigger::Hits, 9, Target::Foe));
    let fought =
        arena([basher(0).attacks(0), first, shooter(1)], [dummy().hp(50), dummy().hp(20).armor(1)]);
    let fought = fought.rounds(2, []);
    assert_eq!(fought.deaths(), [(B2, Some(A2))]);
    let choices = fought.choices(2);
    assert_eq!(choices[..2], [(A2, Choice::Wisely, B2), (A3, Choice::Wisely, B2)]);
    assert_eq!(choices[2..], [(A3, Choice::Wisely, B1)]);
}

#[test]
fn sa_37_the_victim_relation_need_not_be_mutual() {
    let fought = arena([basher(1), basher(1)], [basher(1).hp(50)]).rounds(2, [(Roll::Pairing, 0)]);
    assert_eq!((fought.victim(A2), fought.victim(B1)), (Some(B1), Some(A1)));
}

#[test]
fn sa_38_idle_is_no_victim_and_at_least_one_attack_per_round() {
    let fought = arena([basher(1), basher(1).attacks(0)], [dummy()]).begins();
    assert!(fought.state.is_idle(A1) && !fought.state.is_idle(A2) && !fought.state.is_idle(B1));
    let fought = arena([basher(1), basher(1).attacks(0)], [dummy()]).rounds(2, []);
    assert!(!fought.state.is_idle(A1), "it has a victim");
}

#[test]
fn sa_39_the_whole_precedence_side_attacks_first_to_last_before_the_other() {
    let fought = arena([shooter(1), shooter(1)], [shooter(1), shooter(1)]);
    let attackers: Vec<_> = fought
        .rounds(
            1,
            [
                (Roll::TargetTie, 0),
                (Roll::TargetTie, 1),
                (Roll::TargetTie, 0),
                (Roll::TargetTie, 1),
            ],
        )
        .attacks()
        .into_iter()
        .map(|(by, _)| by)
        .collect();
    assert_eq!(attackers, [A1, A2, B1, B2]);
}

#[test]
fn sa_40_a_minion_idle_at_its_turn_first_checks_what_it_must_attack() {
    // In round 1 the shooter is idle until its turn; it would choose B1 for its armor.
    let fought = arena([shooter(2).with(seeking())], [dummy().armor(1), dummy().monster()]);
    assert_eq!(fought.rounds(1, []).choices(1), [(A1, Choice::Must, B2)]);
}

#[test]
fn sa_41_a_shooter_idle_at_its_turn_chooses_wisely() {
    let fought = arena([shooter(2)], [dummy(), dummy().armor(1)]).rounds(1, []);
    assert_eq!(fought.choices(1), [(A1, Choice::Wisely, B2)]);
}

#[test]
fn sa_42_a_basher_without_victim_takes_the_first_enemy_whose_victim_it_is() {
    // Its own victim is killed by a comrade before its turn; of those that attack it, B3 is not the first.
    let killer = shooter(9);
    let fought =
        arena([killer, basher(1).hp(50)], [basher(1).hp(8).armor(1), taunted(), taunted()]);
    let fought = fought.rounds(2, [(Roll::Pairing, 0)]);
    let retaliation: Vec<_> =
        fought.choices(2).into_iter().filter(|choice| choice.1 == Choice::Retaliates).collect();
    assert_eq!(retaliation, [(A2, Choice::Retaliates, B2)]);
}

/// A basher that must attack bashers of the other side first.
fn taunted() -> Piece {
    let only = evens::games::sanctum::effect::Class::Swordsman.into();
    basher(1).hp(50).with(Effect { only, ..effect(Trigger::MustAttack, Verb::SeekOut) })
}

#[test]
fn sa_43_a_basher_whom_nobody_attacks_forfeits_its_attacks() {
    let fought = arena([shooter(9), basher(1)], [basher(1).hp(8).armor(1), dummy().hp(50)]);
    let fought = fought.rounds(2, []);
    assert_eq!(fought.deaths(), [(B1, Some(A1))]);
    assert!(fought.has(|event| *event == Event::Forfeits(A2)));
    assert_eq!((fought.at(A2).attacks, fought.hits_of(A2)), (0, vec![]));
}

#[test]
fn sa_44_one_attack_on_the_victim_and_each_further_one_on_anybody() {
    let fought = arena([shooter(1).attacks(3)], [dummy(), dummy().armor(1)])
        .rounds(1, [(Roll::ExtraAttack, 0), (Roll::ExtraAttack, 1)]);
    assert_eq!(fought.attacks(), [(A1, B2), (A1, B1), (A1, B2)]);
    assert_eq!(fought.victim(A1), Some(B2), "the last one stays its victim");
}

#[test]
fn sa_45_further_attacks_are_spread_evenly() {
    // k further attacks on n enemies: Binomial(k, 1/n) on each of them.
    for n in 2..=4_i64 {
        for k in 1..=3_u8 {
            let mut enemies = vec![dummy().hp(50); n as usize];
            enemies[0].0.armor = 1; // whom the first attack chooses
            let odds = arena([shooter(2).attacks(1 + k)], enemies).odds(1, |fought| {
                fought.attacks()[1..].iter().filter(|(_, on)| *on == B2).count() as u32
            });
            let all = n.pow(u32::from(k));
            let ways = |hits: u32| match (k, hits) {
                (_, 0) => (n - 1).pow(u32::from(k)),
                (3, 1) => 3 * (n - 1).pow(2),
                (3, 2) => 3 * (n - 1),
                (2, 1) => 2 * (n - 1),
                _ => 1,
            };
            let expected = (0..=u32::from(k)).map(|hits| (hits, fraction(ways(hits), all)));
            assert_eq!(odds, expected.collect(), "{k} further attacks on {n} enemies");
        }
    }
}

#[test]
fn sa_46_who_is_killed_in_r3_does_not_attack_in_r4() {
    let fought = arena([basher(9)], [basher(9)]).combat();
    assert_eq!(fought.attacks(), [(A1, B1)]);
}

#[test]
fn sa_x_hand_attacks_in_round_1_need_a_spell_and_somebody_who_attacks_first() {
    let early = || basher(2).with(effect(Trigger::Always, Verb::StrikeEarly));
    // Nobody pairs up in round 1: an idle basher only retaliates.
    let fought = arena([shooter(2)], [early()]).rounds(1, []);
    assert_eq!(fought.attacks(), [(A1, B1), (B1, A1)]);
    let fought = arena([early()], [shooter(2)]).rounds(1, []);
    assert_eq!(fought.attacks(), [(B1, A1)], "who has precedence is attacked too late");
}

#[test]
fn sa_x_a_change_for_one_round_is_gone_at_the_next_reset() {
    let boost = gain(Trigger::RoundStart, Stat::Hand, 2, Target::Bearer);
    let boost = Effect { rounds: (2, 2), lasts: Lasts::Round, ..boost };
    let fought = arena([basher(1).with(boost)], [dummy().hp(50)]).rounds(3, []);
    let power: Vec<i16> = fought.blows().iter().map(|(_, blow)| blow.power).collect();
    assert_eq!(power, [3, 1]);
}

#[test]
fn sa_x_attacks_that_change_at_the_start_of_a_round_change_in_it() {
    let third = |effect: Effect| Effect { rounds: (3, 3), lasts: Lasts::Round, ..effect };
    let quick = third(gain(Trigger::RoundStart, Stat::Attacks, 2, Target::Bearer));
    let fought = arena([basher(1).with(quick)], [dummy().hp(50)]).rounds(4, []);
    assert_eq!(fought.hits_of(A1), [2, 3, 3, 3, 4]);
    let held = third(effect(Trigger::RoundStart, Verb::StopAttacking));
    let fought = arena([basher(1).with(held)], [dummy().hp(50)]).rounds(4, []);
    assert_eq!(fought.hits_of(A1), [2, 4]);
    // Changes made during a round count from the next reset on.
    let frenzy = Effect { at_most: 1, ..gain(Trigger::Hits, Stat::Attacks, 1, Target::Bearer) };
    let fought = arena([basher(1).with(frenzy)], [dummy().hp(50)]).rounds(3, []);
    assert_eq!(fought.hits_of(A1), [2, 3, 3]);
}
