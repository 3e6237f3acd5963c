//! SA-47 to SA-55: choosing victims wisely.

use evens::games::sanctum::effect::{Class, Effect, Harm, Trigger, Verb, Weapon};
use evens::games::sanctum::event::Choice;
use evens::games::sanctum::open_rules::{KillEstimate, OpenRules};
use evens::games::sanctum::rolls::Roll;
use evens::games::sanctum::state::Place;

use super::arena::*;

/// The victim that a shooter with 3 missile damage (2 in round 1) chooses without a die.
fn chosen<const N: usize>(enemies: [Piece; N]) -> Place {
    chosen_by(shooter(3), enemies)
}

fn chosen_by<const N: usize>(chooser: Piece, enemies: [Piece; N]) -> Place {
    let fought = arena([chooser], enemies).rounds(1, []);
    let choices = fought.choices(1);
    assert_eq!(choices[0].1, Choice::Wisely);
    choices[0].2
}

#[test]
fn sa_47_first_one_that_is_not_quasi_immune_to_the_damage_type() {
    assert_eq!(chosen([dummy().under("Pixie Dust").armor(5).hp(1), dummy()]), B2);
}

#[test]
fn sa_47_one_that_is_truly_immune_is_avoided_like_a_quasi_immune_one() {
    let immune =
        |when, weapon| dummy().armor(1).with(Effect { weapon, ..effect(when, Verb::TakeNothing) });
    for when in [Trigger::IsHit, Trigger::AfterArmor] {
        assert_eq!(chosen([immune(when, None), dummy()]), B2, "{when}");
        assert_eq!(chosen([immune(when, Some(Weapon::Missile)), dummy()]), B2, "{when}");
        // Immunity does not count if it is against the other weapon, if the damage is magical, or if it is limited.
        assert_eq!(chosen([immune(when, Some(Weapon::Hand)), dummy()]), B1, "{when}");
        let magical = shooter(3).harm(Harm::Magical);
        assert_eq!(chosen_by(magical, [immune(when, None), dummy()]), B1, "{when}");
        let chancy = Effect { at_most: 1, ..effect(when, Verb::TakeNothing) };
        assert_eq!(chosen([dummy().armor(1).with(chancy), dummy()]), B1, "{when}");
    }
}

#[test]
fn sa_48_then_one_that_can_be_killed_this_round_as_far_as_one_can_tell() {
    assert_eq!(chosen([dummy().armor(9), dummy().hp(2)]), B2);
    // With the armor that is left.
    assert_eq!(chosen([dummy().armor(3).hp(1), dummy().armor(1).hp(1)]), B2);
    // With all of the shooter's attacks.
    let twice = shooter(3).attacks(2);
    let fought = arena([twice], [dummy().armor(9).hp(50), dummy().hp(4)]);
    let fought = fought.rounds(1, [(Roll::ExtraAttack, 1)]);
    assert_eq!(fought.choices(1)[0].2, B2);
    // With its comrades: A1 must attack the monster; both together can kill it, A2 alone could not.
    let only = Class::Monster.into();
    let seeker = shooter(3).with(Effect { only, ..effect(Trigger::MustAttack, Verb::SeekOut) });
    let fought = arena([seeker, shooter(3)], [dummy().monster().hp(8), dummy().armor(1)]);
    let fought = fought.rounds(2, []);
    assert_eq!(fought.choices(1), [(A1, Choice::Must, B1), (A2, Choice::Wisely, B2)]);
    assert_eq!(fought.choices(2), [(A1, Choice::Must, B1), (A2, Choice::Wisely, B1)]);
    assert_eq!(fought.deaths(), [(B1, Some(A2))]);
    // The estimate may be wrong: a miss is not foreseen.
    let fought = arena([shooter(3)], [dummy().hp(3).level(3), dummy().armor(1)]).rounds(2, []);
    assert_eq!((fought.attacks(), fought.hits_of(A1)), (vec![(A1, B2), (A1, B1)], vec![1]));
    assert!(fought.lives(B1));
}

#[test]
fn sa_48_whether_shooters_count_together_is_a_switch() {
    let order = |kill_estimate, hit_points, rounds: u8| {
        let open = OpenRules { kill_estimate, ..OpenRules::default() };
        let enemies = [dummy().hp(hit_points), dummy().armor(5).hp(50)];
        let shooters = [shooter(3), shooter(3)];
        let fought = arena(shooters, enemies).reading(open).rounds(rounds.into(), []);
        fought.choices(rounds).into_iter().map(|(who, _, victim)| (who, victim)).collect::<Vec<_>>()
    };
    let (chosen, together) = (KillEstimate::Chosen, KillEstimate::ShootersTogether);
    // Neither can kill the first enemy alone, so each takes the armored one; together they can. In round 1 each sees
    // what the one before it has done; from round 2 on, all choose before any attack.
    assert_eq!(order(chosen, 4, 1), [(A1, B2), (A2, B2)]);
    assert_eq!(order(together, 4, 1), [(A1, B1), (A2, B1)]);
    assert_eq!(order(together, 5, 1), [(A1, B2), (A2, B2)]);
    assert_eq!(order(chosen, 6, 2), [(A1, B2), (A2, B2)]);
    assert_eq!(order(together, 6, 2), [(A1, B1), (A2, B1)]);
    assert_eq!(order(together, 7, 2), [(A1, B2), (A2, B2)]);
}

#[test]
fn sa_49_then_the_highest_maximum_armor_whatever_is_left_of_it() {
    assert_eq!(chosen([dummy().armor(2), dummy().armor(3)]), B2);
    // A1 wears the armor of B2 down; A2 still prefers it to an intact armor of 2.
    let fought = arena([shooter(4), shooter(2)], [dummy().armor(2), dummy().armor(3)]);
    assert_eq!(fought.rounds(1, []).attacks(), [(A1, B2), (A2, B2)]);
    assert_eq!(fought.rounds(1, []).at(B2).armor, 0);
}

#[test]
fn sa_50_then_the_lowest_current_hit_points() {
    assert_eq!(chosen([dummy().hp(8), dummy().hp(7), dummy().hp(9)]), B2);
}

#[test]
fn sa_51_then_the_highest_damage_of_a_single_attack() {
    assert_eq!(chosen([basher(2).attacks(2), basher(3)]), B2);
    assert_eq!(chosen([basher(2), basher(1).missile(3)]), B2);
}

#[test]
fn sa_52_then_luck_with_equal_chances() {
    for k in 2..=4 {
        let enemies = vec![dummy(); k];
        let odds = arena([shooter(3)], enemies).odds(1, |fought| fought.choices(1)[0].2);
        assert_eq!(odds.len(), k);
        assert!(odds.values().all(|odds| *odds == fraction(1, k as i64)));
    }
    // A die decides only among enemies that no tiebreaker tells apart.
    let fought = arena([shooter(3)], [dummy(), dummy().armor(1), dummy().armor(1)]);
    assert_eq!(fought.rounds(1, [(Roll::TargetTie, 1)]).attacks(), [(A1, B3)]);
}

#[test]
fn sa_53_three_spells_repel_non_magical_missiles_until_nobody_else_is_left() {
    for spell in ["Fae Gift", "Karillian Venom", "Pixie Dust"] {
        assert_eq!(chosen([dummy().under(spell).armor(1), dummy()]), B2, "{spell}");
        // With nobody else left, it is attacked, and the damage is real.
        let fought = arena([shooter(3)], [dummy().under(spell)]).rounds(1, []);
        assert_eq!(fought.hp(B1), 5, "{spell}");
    }
}

#[test]
fn sa_54_hand_attackers_and_magical_weapons_do_not_heed_them() {
    let dusted = || dummy().under("Pixie Dust").armor(1);
    let magical = shooter(3).harm(Harm::Magical);
    assert_eq!(chosen_by(magical, [dusted(), dummy()]), B1);
    let fought = arena([basher(3)], [dusted(), dummy()]).rounds(2, []);
    assert_eq!(fought.attacks(), [(A1, B1)]);
    // Damage that ignores armor does not count as magical.
    assert_eq!(chosen_by(shooter(3).harm(Harm::IgnoresArmor), [dusted(), dummy()]), B2);
}

#[test]
fn sa_55_avoiding_comes_before_killing() {
    assert_eq!(chosen([dummy().under("Pixie Dust").hp(1), dummy().hp(50)]), B2);
}

#[test]
fn sa_x_the_estimate_knows_what_an_attacker_deals_to_whom() {
    // +4 against recruits: the recruit can be killed, the monster cannot.
    let hunter = shooter(2).with(Effect {
        amount: 4,
        only: Class::Recruit.into(),
        ..effect(Trigger::Attacks, Verb::DealMore)
    });
    assert_eq!(chosen_by(hunter, [dummy().monster().armor(9).hp(5), dummy().hp(5)]), B2);
    // Damage that ignores armor counts in full.
    let piercing = shooter(3).harm(Harm::IgnoresArmor);
    assert_eq!(chosen_by(piercing, [dummy().armor(9).hp(3), dummy().armor(1).hp(2)]), B2);
    assert_eq!(chosen_by(shooter(3), [dummy().armor(9).hp(2), dummy().hp(2)]), B2);
}
