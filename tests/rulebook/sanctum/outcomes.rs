//! SA-75 to SA-83: worked outcomes, without spells.

use evens::game::{Outcome, Side};

use super::arena::*;

#[test]
fn sa_75_armor_soaks_anew_each_round() {
    let fought = arena([basher(2).attacks(2)], [dummy().armor(3)]);
    assert_eq!([2, 3].map(|rounds| fought.rounds(rounds, []).hp(B1)), [6, 5]);
}

#[test]
fn sa_76_damage_up_to_the_armor_does_nothing_in_ten_rounds() {
    for hand in [0, 1, 2] {
        let fought = arena([basher(hand)], [dummy().armor(2)]).combat();
        assert_eq!((fought.hp(B1), fought.outcome), (7, Some(Outcome::Undecided)));
    }
}

#[test]
fn sa_77_a_duel_of_equal_level_is_a_matter_of_hits_needed() {
    // (hand, armor, hit points): every pair of these, with either one in precedence.
    let kinds = [(2, 1, 7), (3, 0, 7), (3, 2, 9), (1, 0, 7), (5, 3, 12), (2, 0, 20), (4, 1, 10)];
    let needed = |by: (i8, i8, i16), on: (i8, i8, i16)| {
        let net = i16::from((by.0 - on.1).max(0));
        if net == 0 { i16::MAX } else { (on.2 + net - 1) / net }
    };
    let piece = |kind: (i8, i8, i16)| basher(kind.0).armor(kind.1).hp(kind.2);
    for high in kinds {
        for low in kinds {
            let fought = arena([piece(high)], [piece(low)]).combat();
            let (mine, theirs) = (needed(high, low), needed(low, high));
            let (outcome, last) = match (mine <= theirs, mine.min(theirs)) {
                (_, hits) if hits > 9 => (Outcome::Undecided, 10),
                (true, hits) => (Outcome::Win(Side::A), hits + 1),
                (false, hits) => (Outcome::Win(Side::B), hits + 1),
            };
            assert_eq!(fought.outcome, Some(outcome), "{high:?} against {low:?}");
            assert_eq!(i16::from(fought.round()), last, "{high:?} against {low:?}");
        }
    }
}

#[test]
fn sa_78_two_quick_killers_with_precedence_lose_nobody() {
    let two = || [basher(3).hp(3), basher(3).hp(3)];
    let odds = arena(two(), two())
        .odds(10, |fought| (fought.outcome, fought.round(), fought.lives(A1) && fought.lives(A2)));
    let expected = (Some(Outcome::Win(Side::A)), 2, true);
    assert_eq!(odds.into_iter().collect::<Vec<_>>(), [(expected, fraction(1, 1))]);
}

#[test]
fn sa_79_one_against_two_is_a_matter_of_precedence() {
    let one = || [basher(3).hp(6)];
    let two = || [basher(3).hp(3), basher(3).hp(3)];
    let first =
        arena(one(), two()).odds(10, |fought| (fought.outcome, fought.round(), fought.hp(A1)));
    let expected = (Some(Outcome::Win(Side::A)), 3, 3);
    assert_eq!(first.into_iter().collect::<Vec<_>>(), [(expected, fraction(1, 1))]);
    let second = arena(two(), one())
        .odds(10, |fought| (fought.outcome, fought.round(), fought.hits_of(B1).len()));
    let expected = (Some(Outcome::Win(Side::A)), 2, 0);
    assert_eq!(second.into_iter().collect::<Vec<_>>(), [(expected, fraction(1, 1))]);
}

/// The winner of a duel of two swordsmen, the last round, and the winner's remaining hit points.
fn duel(high: &str, low: &str) -> (Side, u8, i16) {
    let swordsman = |nation: &str| [card(&format!("{nation} swordsman"))];
    let fought = arena(swordsman(high), swordsman(low)).combat();
    let Some(Outcome::Win(side)) = fought.outcome else { panic!("somebody wins") };
    (side, fought.round(), fought.hp(if side == Side::A { A1 } else { B1 }))
}

#[test]
fn sa_80_baseline_swordsmen_precedence_wins_in_round_8_with_1_left() {
    assert_eq!(duel("Dwarf", "Shadow"), (Side::A, 8, 1));
    assert_eq!(duel("Shadow", "Dwarf"), (Side::A, 8, 1));
}

#[test]
fn sa_81_a_human_beats_a_dwarf_either_way_in_round_7() {
    assert_eq!(duel("Human", "Dwarf"), (Side::A, 7, 2));
    assert_eq!(duel("Dwarf", "Human"), (Side::B, 7, 1));
}

#[test]
fn sa_82_a_cyclops_beats_a_dwarf_and_a_human_either_way_in_round_8() {
    assert_eq!(duel("Cyclops", "Dwarf"), (Side::A, 8, 3));
    assert_eq!(duel("Dwarf", "Cyclops"), (Side::B, 8, 2));
    assert_eq!(duel("Cyclops", "Human"), (Side::A, 8, 2));
    assert_eq!(duel("Human", "Cyclops"), (Side::B, 8, 1));
}

#[test]
fn sa_83_level_2_beats_level_1_in_round_8_whatever_the_precedence() {
    let (low, high) = (|| [card("Dwarf swordsman")], || [card("Dwarf swordsman").level(2)]);
    let first = arena(high(), low()).combat();
    assert!(first.won_by(Side::A) && first.round() == 8);
    let second = arena(low(), high()).combat();
    assert!(second.won_by(Side::B) && second.round() == 8);
    // Five hits in ten rounds are too few for seven hit points.
    let alone = arena(low(), [dummy().armor(1).level(2)]).combat();
    assert_eq!((alone.hits_of(A1).len(), alone.hp(B1)), (5, 2));
}
