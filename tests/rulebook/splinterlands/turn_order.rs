//! SP-87 to SP-91: who acts first, and Reverse Speed.

use evens::game::{Outcome, Side};
use evens::games::splinterlands::ability::Ability;
use evens::games::splinterlands::cards::Rarity;
use evens::games::splinterlands::event::Attack;
use evens::games::splinterlands::rolls::Roll;
use evens::games::splinterlands::ruleset::Ruleset;

use super::arena::*;

#[test]
fn sp_87_speed_then_attack_type_then_rarity_then_level() {
    let by_speed = arena([monster().speed(2), monster().speed(3)], [monster().speed(4)]);
    assert_eq!(by_speed.round().turns(), [B1, A2, A1]);

    let by_attack = arena([melee(1), ranged(1)], [magic(1)]);
    assert_eq!(by_attack.round().turns(), [B1, A2, A1]);

    let melee_and_no_attack_are_one_class = arena([melee(1)], [monster()]);
    let fought = melee_and_no_attack_are_one_class.rounds(1, [(Roll::TurnTie, 1)]);
    assert_eq!(fought.turns(), [B1, A1]);

    let rarities = [Rarity::Common, Rarity::Rare, Rarity::Epic, Rarity::Legendary];
    let team: Vec<Piece> = rarities.map(|rarity| ranged(1).rarity(rarity)).to_vec();
    let fought = arena(team, [monster().speed(1)]).round();
    assert_eq!(fought.turns(), [A4, A3, A2, A1, B1]);

    let by_level = arena([melee(1).level(2), melee(1).level(5)], [melee(1).level(9)]);
    assert_eq!(by_level.round().turns(), [B1, A2, A1]);
}

#[test]
fn sp_88_complete_ties_are_random_and_every_order_equally_likely() {
    // Three equals on one side; the ranged attacks of two of them show which comes second.
    let tied = arena([monster(), ranged(1), ranged(1)], [monster().health(40).speed(1)]);
    for (first, second, order) in [(0, 0, [A2, A3]), (1, 0, [A3, A2])] {
        let _ = second;
        let fought = tied.rounds(1, [(Roll::TurnTie, first)]);
        assert_eq!(fought.attacks().iter().map(|a| a.0).collect::<Vec<_>>(), order);
    }
    // Two monsters that kill each other with the first blow: each side wins half of the battles.
    let duel = arena([melee(9).health(1)], [melee(9).health(1)]);
    let odds = duel.odds();
    assert_eq!(odds[&Outcome::Win(Side::A)], fraction(1, 2));
    assert_eq!(odds[&Outcome::Win(Side::B)], fraction(1, 2));
    // With k tied on each side (here 3), each of the six acts first with probability 1/6.
    let three = || [magic(1), magic(1), magic(1)];
    let six = arena(three(), three());
    for first in 0..6 {
        let fought = six.rounds(1, [first, 0, 0, 0, 0].map(|face| (Roll::TurnTie, face)));
        assert_eq!(fought.turns()[0].0, [0, 1, 2, 6, 7, 8][first as usize]);
    }
}

#[test]
fn sp_89_reverse_speed_turns_all_four_around() {
    let reverse = |arena: Arena| arena.under(Ruleset::ReverseSpeed).round().turns();
    let by_speed = arena([monster().speed(2), monster().speed(3)], [monster().speed(4)]);
    assert_eq!(reverse(by_speed), [A1, A2, B1]);
    assert_eq!(reverse(arena([melee(1), ranged(1)], [magic(1)])), [A1, A2, B1]);
    let rarities = [Rarity::Legendary, Rarity::Epic, Rarity::Rare, Rarity::Common];
    let team: Vec<Piece> = rarities.map(|rarity| magic(1).rarity(rarity)).to_vec();
    assert_eq!(reverse(arena(team, [monster()])), [B1, A4, A3, A2, A1]);
    assert_eq!(
        reverse(arena([melee(1).level(2), melee(1).level(5)], [melee(1).level(1)])),
        [B1, A1, A2]
    );
    let tie = arena([melee(1)], [monster()]).under(Ruleset::ReverseSpeed);
    assert_eq!(tie.rounds(1, [(Roll::TurnTie, 1)]).turns(), [B1, A1]);
}

#[test]
fn sp_90_two_attack_monsters_act_in_the_window_of_their_better_attack() {
    // As fast as the Red Dragon: a ranged monster; it acts between magic and melee.
    let dragon = || card("Red Dragon", 4);
    let speed = arena([dragon()], [monster()]).begins().at(A1).now.speed;
    let level = |piece: Piece| piece.rarity(Rarity::Legendary).level(4).speed(speed);
    let team = [level(melee(1)), level(ranged(1)), dragon()];
    assert_eq!(arena(team, [monster().speed(1)]).round().turns()[..3], [A3, A2, A1]);

    for name in ["The Vigilator", "War Chaang"] {
        let both = card(name, 1);
        let seen = arena([both.clone()], [monster()]).begins();
        let (stats, rarity) = (seen.at(A1).now, seen.at(A1).rarity);
        assert!(stats.ranged > 0 && stats.melee > 0, "{name}");
        let rarity =
            [Rarity::Common, Rarity::Rare, Rarity::Epic, Rarity::Legendary][rarity as usize - 1];
        let level = |piece: Piece| piece.rarity(rarity).level(1).speed(stats.speed);
        let team = [level(melee(1)), both, level(magic(1))];
        let turns = arena(team, [monster().speed(1)]).round().turns();
        assert_eq!(turns[..3], [A3, A2, A1], "{name}");
    }
}

#[test]
fn sp_91_under_reverse_speed_the_faster_attacker_misses() {
    let faster = arena([melee(1).speed(3)], [monster().speed(1).with(Ability::Dodge)]);
    let faster = faster.under(Ruleset::ReverseSpeed);
    assert_eq!(faster.percent(A1, B1, Attack::Melee), 100 - 45);
    let slower = arena([melee(1).speed(1)], [monster().speed(5)]).under(Ruleset::ReverseSpeed);
    assert_eq!(slower.percent(A1, B1, Attack::Melee), 100);
    let target = monster().with(Ability::Flying).with(Ability::Blind);
    let others = arena([melee(1)], [target]).under(Ruleset::ReverseSpeed);
    assert_eq!(others.percent(A1, B1, Attack::Melee), 60);
}
