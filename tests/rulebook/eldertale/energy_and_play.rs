//! ET-01 to ET-09: energy, playing cards, targets, whose turn it is.

use std::collections::BTreeMap;

use evens::chance::Every;
use evens::game::{Outcome, Side};
use evens::games::eldertale::cards::Targets;
use evens::games::eldertale::effect::Kind;
use evens::games::eldertale::event::Event;
use evens::games::eldertale::open_rules::{EnergyBeyond3, OpenRules};
use evens::games::eldertale::policy;
use evens::games::eldertale::rolls::Roll;
use evens::games::eldertale::state::Plays;
use num_rational::BigRational;
use num_traits::{One, Zero};

use super::arena::*;

#[test]
fn et_01_the_first_player_starts_with_2_energy() {
    let fought = arena([fighter(), fighter()]).turns(1);
    assert_eq!(fought.energies, [(A, 2)]);
}

#[test]
fn et_02_being_targeted_by_an_attack_gives_1_more() {
    let quiet = arena([fighter().plays([defense(1)]), fighter()]).turns(2);
    assert_eq!(quiet.energies, [(A, 2), (B, 2)]);
    let attacked = arena([fighter().plays([attack(1)]), fighter()]).turns(2);
    assert_eq!(attacked.energies, [(A, 2), (B, 3)]);
    // Only attacks give energy, and only to their targets.
    let hindered = arena([
        fighter().plays([hindrance().applies(effect(Kind::GuardDown, 1).for_rounds(2))]),
        fighter(),
    ]);
    assert_eq!(hindered.turns(2).energies, [(A, 2), (B, 2)]);
    let elsewhere = arena([fighter().plays([attack(1).at([C])]), fighter(), fighter()]).turns(3);
    assert_eq!(elsewhere.energies, [(A, 2), (B, 2), (C, 3)]);
}

#[test]
fn et_03_from_round_2_on_everybody_has_3() {
    let fought = arena([fighter(), fighter()]).turns(6);
    assert_eq!(fought.energies, [(A, 2), (B, 2), (A, 3), (B, 3), (A, 3), (B, 3)]);
}

#[test]
fn et_04_energy_is_never_above_3() {
    // Two attacks by one character, and one by each of two others.
    let twice = arena([fighter().plays([attack(1), attack(1)]), fighter()]).turns(4);
    assert_eq!(twice.energies, [(A, 2), (B, 3), (A, 3), (B, 3)]);
    let by_two = || fighter().plays([attack(1).at([C])]);
    let fought = arena([by_two(), by_two(), fighter()]).turns(6);
    assert_eq!(fought.energies[2], (C, 3));
    assert_eq!(fought.energies[5], (C, 3));
}

#[test]
fn et_04_whether_attacks_give_more_than_3_energy_is_a_switch() {
    // Three attacks on D before its first turn; one by D on A, which has had its own.
    let aims = |at| fighter().plays([attack(1).at([at])]);
    let energies = |energy_beyond_3| {
        let open = OpenRules { energy_beyond_3, ..OpenRules::default() };
        arena([aims(D), aims(D), aims(D), aims(A)]).reading(open).turns(5).energies
    };
    let of_d_and_a = |energies: Vec<(Side, u8)>| (energies[3], energies[4]);
    assert_eq!(of_d_and_a(energies(EnergyBeyond3::Never)), ((D, 3), (A, 3)));
    assert_eq!(of_d_and_a(energies(EnergyBeyond3::FirstTurn)), ((D, 5), (A, 3)));
    assert_eq!(of_d_and_a(energies(EnergyBeyond3::Always)), ((D, 5), (A, 4)));
    // Five attackers with two attacks each: 6 is the maximum.
    let twice = || fighter().plays([attack(1).at([F]), attack(1).at([F])]);
    let open = OpenRules { energy_beyond_3: EnergyBeyond3::FirstTurn, ..OpenRules::default() };
    let player =
        fighter().holds([defense(1), defense(2)]).plays([attack(1).at([A]), attack(2).at([A])]);
    let fought =
        arena([twice(), twice(), twice(), twice(), twice(), player]).reading(open).turns(6);
    assert_eq!(fought.energies[5], (F, 6));
    assert_eq!(fought.at(F).energy_left, 4);
}

/// Every set of cards that a `random` player can play with this energy from a hand of cards of these costs,
/// with its exact probability.
fn every_play(costs: &[u8], energy: u8) -> BTreeMap<Vec<u8>, BigRational> {
    // Two of each type, so that no die is thrown for the hand.
    let card = |at: usize, cost: u8| match at % 3 {
        0 => attack(1 + at as u8).cost(cost),
        1 => defense(1 + at as u8).cost(cost),
        _ => utility().called(&format!("Utility {at}")).applies(effect(Kind::Heal, 1)).cost(cost),
    };
    let hand: Vec<Piece> = costs.iter().enumerate().map(|(at, &cost)| card(at, cost)).collect();
    let fought = arena([fighter().holds(hand).random(), fighter()]).begins([]);
    let (setup, mut state) = (fought.setup(), fought.state.clone());
    state.at_mut(A).energy = energy;
    let mut every = Every::new();
    let mut plays = BTreeMap::new();
    loop {
        let mut played = Plays::new();
        policy::random(setup, &state, A, &mut every, &mut played);
        let mut places: Vec<u8> = played.iter().map(|play| play.place).collect();
        let cost: u8 = played.iter().map(|play| setup.card(play.card).cost).sum();
        assert!(cost <= energy, "{places:?}");
        assert!(places.is_sorted(), "Utility before Defense before Attack");
        places.dedup();
        assert_eq!(places.len(), played.len(), "a card is played once");
        *plays.entry(places).or_insert_with(BigRational::zero) += every.probability();
        if !every.advance() {
            break;
        }
    }
    plays
}

#[test]
fn et_05_the_cost_of_a_turn_is_at_most_the_energy() {
    // The number of sets that can be played from cards of these costs.
    let shapes = |costs: &[u8], energy: u8| {
        let plays = every_play(costs, energy);
        let equal = plays.values().next().unwrap().clone();
        assert!(plays.values().all(|odds| *odds == equal), "each legal play is equally likely");
        assert!(plays.values().sum::<BigRational>().is_one());
        plays.len()
    };
    // Four cards cost 1 and two cost 2. At 3 energy: up to three 1s, or a 2 and at most one 1; never 2+2.
    let mixed = [1, 1, 2, 1, 1, 2];
    assert_eq!(shapes(&mixed, 3), (1 + 4 + 6 + 4) + 2 * (1 + 4));
    // At 2 energy: up to two 1s, or one 2.
    assert_eq!(shapes(&mixed, 2), 1 + 4 + 6 + 2);
    assert_eq!(shapes(&mixed, 1), 1 + 4);
    // Only expensive cards: at most one, or none.
    assert_eq!(shapes(&[2, 2, 2], 3), 1 + 3);
    assert_eq!(shapes(&[1, 1, 1], 3), 1 + 3 + 3 + 1);
    assert_eq!(shapes(&[], 3), 1);
    // Where attacks give more energy: up to two 2s at 4, three at 6.
    assert_eq!(shapes(&mixed, 4), (1 + 4 + 6 + 4 + 1) + 2 * (1 + 4 + 6) + 1);
    assert_eq!(shapes(&mixed, 6), 16 + 2 * 16 + (1 + 4 + 6));
    assert_eq!(shapes(&[2, 2, 2, 2, 1], 6), 2 * (1 + 4 + 6) + 4);
}

#[test]
fn et_05_a_script_plays_only_what_it_can_pay_for() {
    let dear = || attack(1).called("Dear").cost(2);
    let player = fighter().plays([dear(), defense(1)]).plays([dear(), defense(1)]);
    let fought = arena([player, fighter()]).turns(3);
    assert_eq!(fought.played(A), ["Dear", "Dear", "Defense 1"], "2 energy, then 3");
    let twice = fighter().plays([dear(), dear()]);
    assert_eq!(arena([twice, fighter()]).turns(3).played(A), ["Dear", "Dear"]);
}

#[test]
fn et_06_types_may_be_mixed_in_one_turn() {
    let healing = || utility().applies(effect(Kind::Heal, 1));
    let all_three = [attack(1), defense(1), healing()];
    let player = fighter().rests(1).plays(all_three);
    let fought = arena([player, fighter()]).turns(3);
    assert_eq!(fought.played(A), ["Attack 1", "Defense 1", "Utility"]);
    let random = every_play(&[1, 1, 1], 3);
    assert!(random.keys().any(|cards| cards.len() == 3));
}

#[test]
fn et_07_one_target_several_or_the_same_one_several_times() {
    let volley = |named: &[Side]| {
        let mut card = attack(2).hits(3).spread(Targets::Area);
        card = match *named {
            [x] => card.at([x]),
            [x, y] => card.at([x, y]),
            [x, y, z] => card.at([x, y, z]),
            _ => panic!("one to three"),
        };
        arena([fighter().plays([card]), fighter(), fighter(), fighter()]).turns(1).queued()
    };
    assert_eq!(volley(&[C]), [(C, 3)]);
    assert_eq!(volley(&[B, C, D]), [(B, 1), (C, 1), (D, 1)]);
    assert_eq!(volley(&[C, C, B]), [(B, 1), (C, 2)]);
    assert_eq!(volley(&[D, B]), [(B, 1), (D, 2)], "the hits go round among those named");
}

#[test]
fn et_07_hits_of_a_random_hit_card_fall_among_those_named() {
    let card = attack(2).hits(3).spread(Targets::Random).at([B, C]);
    let session = arena([fighter().plays([card]), fighter(), fighter()]);
    let fall =
        |faces: [u32; 3]| session.turns_with(1, faces.map(|face| (Roll::HitTarget, face))).queued();
    assert_eq!(fall([0, 0, 0]), [(B, 3), (C, 0)]);
    assert_eq!(fall([1, 0, 1]), [(B, 1), (C, 2)]);
    // If only one character is named, no die is thrown.
    let card = attack(2).hits(3).spread(Targets::Random).at([C]);
    let fought = arena([fighter().plays([card]), fighter(), fighter()]).turns(1);
    assert_eq!(fought.queued(), [(C, 3)]);
    // The same holds if one character is named three times.
    let card = attack(2).hits(3).spread(Targets::Random).at([C, C, C]);
    let fought = arena([fighter().plays([card]), fighter(), fighter()]).turns(1);
    assert_eq!(fought.queued(), [(C, 3)]);
}

#[test]
fn et_08_the_queue_is_seen_before_choosing() {
    let cautious = || fighter().holds([defense(6), attack(5)]).greedy();
    let threatened = arena([fighter().plays([attack(6)]).rests(9), cautious()]).turns(2);
    assert_eq!(threatened.played(B)[0], "Defense 6", "worth 6, the attack 5");
    let weakly = arena([fighter().plays([attack(3)]).rests(9), cautious()]).turns(2);
    assert_eq!(weakly.played(B)[0], "Attack 5", "the defense is worth 3");
    let unthreatened = arena([fighter(), cautious()]).turns(2);
    assert_eq!(unthreatened.played(B), ["Attack 5"], "defense without a queue is worth nothing");
}

#[test]
fn et_09_play_passes_on_until_everybody_has_played() {
    let seats = |fought: &Fought| fought.energies.iter().map(|turn| turn.0).collect::<Vec<_>>();
    let fought = arena([fighter(), fighter(), fighter()]).turns(7);
    assert_eq!(seats(&fought), [A, B, C, A, B, C, A]);
    assert_eq!(fought.state.round, 3);
    // A character that is out has no more turns.
    let striker = fighter().plays([attack(9).at([B])]).rests(9);
    let fought = arena([striker, fighter().hp(5), fighter()]).turns(6);
    assert_eq!(seats(&fought), [A, B, C, A, C, A]);
    // When only one is left of a duel, the session is over.
    let ended = arena([fighter().plays([attack(9)]), fighter().hp(5)]).turns(9);
    assert_eq!(ended.outcome, Some(Outcome::Win(A)));
    assert!(ended.has(|event| *event == Event::Out(B)));
}
