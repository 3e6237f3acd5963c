//! ET-10 to ET-22: what "done" sets off, the new hand, and going out.

use evens::game::Outcome;
use evens::games::eldertale::cards::CardType;
use evens::games::eldertale::combinations::places;
use evens::games::eldertale::effect::Kind;
use evens::games::eldertale::event::{Cause, Event};
use evens::games::eldertale::open_rules::{Discards, OpenRules};
use evens::games::eldertale::rolls::Roll;

use super::arena::*;

fn healing(amount: u8) -> Piece {
    utility().applies(effect(Kind::Heal, amount))
}

#[test]
fn et_10_the_own_queue_runs_utility_defense_attack() {
    let backwards = [attack(1), defense(1), healing(1)];
    let player = fighter().rests(1).plays(backwards);
    let fought = arena([player, fighter()]).turns(3);
    assert_eq!(fought.played(A), ["Attack 1", "Defense 1", "Utility"], "in this order");
    let ran = fought.last_done();
    let expected = [
        "done",
        "durations fall",
        "card",
        "effect starts",
        "heal",
        "card",
        "guard",
        "queued",
        "end of turn",
        "hand dealt",
    ];
    assert_eq!(ran, expected);
}

#[test]
fn et_11_the_full_order_of_operations() {
    let poisoned = hindrance().applies(effect(Kind::Poison, 2));
    let attacker = fighter().plays([attack(5), poisoned]).rests(9);
    let defender = fighter().plays([attack(1), defense(2), healing(3)]);
    let fought = arena([attacker, defender]).turns(2);
    let expected = [
        "done",
        "poison",
        "durations fall",
        "card",
        "effect starts",
        "heal",
        "card",
        "guard",
        "lands",
        "blow",
        "queued",
        "end of turn",
        "hand dealt",
    ];
    assert_eq!(fought.last_done(), expected);
    assert_eq!(fought.hp(B), 60 - 2 + 2 - 3, "poison 2, healed to the maximum, 5 against 2");
}

#[test]
fn et_12_an_attack_lands_at_the_targets_next_done() {
    let session = arena([fighter().plays([attack(7)]).rests(9), fighter().plays([defense(3)])]);
    let queued = session.turns(1);
    assert_eq!((queued.hp(B), queued.at(B).queue.len()), (60, 1));
    let landed = session.turns(2);
    assert_eq!((landed.hp(B), landed.at(B).queue.len()), (56, 0));
}

#[test]
fn et_13_a_queued_attack_can_be_answered_in_the_turn_it_lands() {
    let attacker = || fighter().plays([attack(7)]).rests(9);
    let open = arena([attacker(), fighter()]).turns(2);
    let answered = arena([attacker(), fighter().plays([defense(7)])]).turns(2);
    assert_eq!((open.hp(B), answered.hp(B)), (53, 60));
    // A defense of the previous turn is gone.
    let late = arena([fighter().plays([defense(7)]).rests(9), fighter().plays([attack(7)])]);
    assert_eq!(late.turns(3).hp(A), 53);
}

#[test]
fn et_14_two_players_one_attack_each_turn() {
    let session = arena([fighter().plays([attack(3)]), fighter().plays([attack(5)])]);
    let hp_after = |turns| {
        let fought = session.turns(turns);
        (fought.hp(A), fought.hp(B))
    };
    assert_eq!(hp_after(1), (60, 60));
    assert_eq!(hp_after(2), (60, 57), "player 1's first attack lands in player 2's turn 1");
    assert_eq!(hp_after(3), (55, 57), "player 2's first in player 1's turn 2");
    assert_eq!(hp_after(4), (55, 54));
}

#[test]
fn et_15_a_heal_counts_before_the_incoming_attacks() {
    let attacker = || fighter().plays([attack(6)]);
    let without = arena([attacker(), fighter().hp(10)]).turns(4);
    assert_eq!(without.outcome, Some(Outcome::Win(A)));
    let healer = fighter().hp(10).rests(1).plays([healing(5)]);
    let fought = arena([attacker(), healer]).turns(4);
    assert_eq!(fought.hp(B), 10 - 6 + 5 - 6);
    assert!(fought.stands(B));
}

#[test]
fn et_16_who_goes_out_at_the_incoming_step_sends_nothing() {
    let session = arena([fighter().plays([attack(9)]), fighter().hp(9).plays([attack(60)])]);
    let fought = session.turns(2);
    assert_eq!(fought.outcome, Some(Outcome::Win(A)));
    assert_eq!(fought.queued(), [(B, 1)], "B's own attack went nowhere");
    assert_eq!(*fought.last_done().last().unwrap(), "out");
    // Attacks of earlier turns still land, even if their sender is out.
    let first = fighter().hp(1).plays([attack(4).at([C])]).rests(9);
    let second = fighter().plays([attack(9).at([A])]).rests(9);
    let fought = arena([first, second, fighter().rests(9)]).turns(3);
    assert_eq!(fought.hp(C), 56);
}

#[test]
fn et_17_after_done_energy_is_reset_and_the_hand_dealt_anew() {
    let player = fighter().plays([attack(1), attack(1), defense(1)]);
    let session = arena([player, fighter()]);
    let before = session.begins([]);
    let after = session.turns(1);
    assert_eq!(before.hand(A), [0, 1, 2]);
    assert_eq!(after.at(A).energy, 3);
    assert_eq!(after.hand(A), [0, 1, 2], "played cards can be dealt again");
    // Unplayed cards are discarded: nothing carries over into a hand of 2 from a deck of 3.
    let holder = fighter().holds([attack(1), attack(2), attack(3)]).plays([]);
    let fought = arena([holder, fighter()]).turns_with(1, [(Roll::Deal, 0), (Roll::Deal, 2)]);
    assert_eq!(fought.hand(A), [0, 0, 2]);
}

#[test]
fn et_17_whether_discards_are_shuffled_back_at_once_is_a_switch() {
    // Attacks have places 40, 41, 42, ...; a face of the die stands for a set of them, or of those that are left.
    let hands = |cards: u8, faces: &[u32], turns: u32| {
        let open = OpenRules { discards: Discards::Pile, ..OpenRules::default() };
        let player = fighter().holds((1..=cards).map(attack)).rests(1);
        let session = arena([player, fighter()]).reading(open);
        let dice = faces.iter().map(|&face| (Roll::Deal, face));
        places(session.turns_with(turns, dice).at(A).hand).collect::<Vec<_>>()
    };
    // Four cards: the second hand is what is left, without a die; the third is drawn from all.
    assert_eq!(hands(4, &[1], 0), [40, 42]);
    assert_eq!(hands(4, &[1], 1), [41, 43]);
    assert_eq!(hands(4, &[1, 5], 3), [42, 43]);
    assert_eq!(hands(4, &[1, 5], 5), [40, 41]);
    // Three cards: the one that is left, and one of the two that were discarded.
    assert_eq!(hands(3, &[0], 0), [40, 41]);
    assert_eq!(hands(3, &[0, 0], 1), [40, 42]);
    assert_eq!(hands(3, &[0, 1], 1), [41, 42]);
    // The new draw pile holds the cards that were not dealt.
    assert_eq!(hands(3, &[0, 1, 1], 3), [40, 42]);
    // Two cards: both of them each time, without a die.
    assert_eq!(hands(2, &[], 5), [40, 41]);
}

/// Four cards of each type.
fn full_decks() -> Vec<Piece> {
    let utilities = (1..5).map(|n| healing(n).called(&format!("Utility {n}")));
    utilities.chain((1..5).map(defense)).chain((1..5).map(attack)).collect()
}

#[test]
fn et_18_two_from_each_deck_with_draw_up_and_draw_down() {
    let deal = (Roll::Deal, 0);
    let quiet = arena([fighter(), fighter().holds(full_decks()).plays([])]);
    assert_eq!(quiet.turns_with(2, [deal; 6]).hand(B), [2, 2, 2], "6 cards");
    let draws = |kind, n, dice: usize| {
        let laid = hindrance().applies(effect(kind, n).for_rounds(2));
        let hinderer = fighter().plays([laid]).rests(9);
        let session = arena([hinderer, fighter().holds(full_decks()).plays([])]);
        session.turns_with(2, std::iter::repeat_n(deal, 3 + dice)).hand(B)
    };
    // No die is thrown for a deck from which no card is dealt.
    let draws = |kind, n| draws(kind, n, if kind == Kind::DrawDownAttack { 2 } else { 3 });
    assert_eq!(draws(Kind::DrawUpUtility, 1), [3, 2, 2], "7 cards");
    assert_eq!(draws(Kind::DrawDownAttack, 2), [2, 2, 0], "4 cards");
    assert_eq!(draws(Kind::DrawDownAttack, 9), [2, 2, 0], "never fewer than none");
    assert_eq!(draws(Kind::DrawUpDefense, 1), [2, 3, 2]);
    assert_eq!(draws(Kind::DrawDownUtility, 1), [1, 2, 2]);
}

#[test]
fn et_18_nothing_more_to_draw_throws_no_die() {
    let two_of_each = [healing(1), healing(2), defense(1), defense(2), attack(1), attack(2)];
    let laid = hindrance().applies(effect(Kind::DrawUpRandom, 9).for_rounds(2));
    let hinderer = fighter().plays([laid]).rests(9);
    let session = arena([hinderer, fighter().holds(two_of_each).plays([])]);
    assert_eq!(session.turns_with(2, []).hand(B), [2, 2, 2]);
}

#[test]
fn et_18_draws_at_random_change_a_deck_drawn_for_each_card() {
    let hinderer =
        |kind, n| fighter().plays([hindrance().applies(effect(kind, n).for_rounds(2))]).rests(9);
    let (deal, deck) = ((Roll::Deal, 0), |face| (Roll::RandomDeck, face));
    let dealt = |kind, n, decks: &[u32], deals: usize| {
        let dice = [deal; 3].into_iter().chain(decks.iter().map(|&face| deck(face)));
        let dice: Vec<_> = dice.chain(std::iter::repeat_n(deal, deals)).collect();
        let player = fighter().holds(full_decks()).plays([]);
        arena([hinderer(kind, n), player]).turns_with(2, dice).hand(B)
    };
    assert_eq!(dealt(Kind::DrawUpRandom, 2, &[0, 2], 3), [3, 2, 3]);
    assert_eq!(dealt(Kind::DrawDownRandom, 2, &[1, 1], 2), [2, 0, 2]);
    // Defense is down to no cards after two; of the two decks left, the second is Attack.
    assert_eq!(dealt(Kind::DrawDownRandom, 3, &[1, 1, 1], 2), [2, 0, 1]);
}

/// Draw Down (Random) takes from a deck that would still deal some, and a deck without cards deals none (decision 10).
#[test]
fn et_18_draw_down_at_random_leaves_empty_decks_alone() {
    let hands = |n, cards: &[Piece]| {
        let lowered =
            hindrance().single_use().applies(effect(Kind::DrawDownRandom, n).for_rounds(2));
        let player = fighter().holds(cards.iter().cloned()).plays([]);
        let session = arena([fighter().plays([lowered]), player]).last_round(1);
        let setup = session.setup();
        session.odds(|ended| {
            let deck = &setup.sheet(&ended.state, B).deck;
            [CardType::Utility, CardType::Defense, CardType::Attack]
                .map(|kind| (ended.state.at(B).hand & deck.of(kind)).count_ones())
        })
    };
    let two_attacks = [attack(1), attack(2)];
    assert_eq!(hands(2, &two_attacks)[&[0, 0, 0]], fraction(1, 1));
    assert_eq!(hands(1, &two_attacks)[&[0, 0, 1]], fraction(1, 1));
    // Two decks deal cards, and it is one of these that deals fewer.
    let of_two_decks = [attack(1), attack(2), attack(3), attack(4), defense(1), defense(2)];
    let odds = hands(1, &of_two_decks);
    assert_eq!(odds[&[0, 1, 2]], fraction(1, 2));
    assert_eq!(odds[&[0, 2, 1]], fraction(1, 2));
}

#[test]
fn et_19_the_hand_is_dealt_at_the_end_of_the_own_turn() {
    // A Draw Up of one round on oneself counts at one's next deal and at no other.
    let aero = utility().called("Aero").applies(effect(Kind::DrawUpAttack, 1).for_rounds(1));
    let player = fighter().holds([attack(1), attack(2), attack(3)]).plays([aero]).rests(9);
    let session = arena([player, fighter().holds([attack(1), attack(2), attack(3)])]);
    let deal = |face| (Roll::Deal, face);
    let after_own = session.turns_with(1, [deal(0), deal(0)]);
    assert_eq!(after_own.hand(A), [1, 0, 3], "all three, without a die");
    assert_eq!(after_own.hand(B), [0, 0, 2], "dealt before");
    let next = session.turns_with(3, [deal(0), deal(0), deal(0), deal(1)]);
    assert_eq!(next.hand(A), [1, 0, 2]);
}

#[test]
fn et_20_a_card_is_dealt_with_probability_2_in_n() {
    for n in 2..=9u8 {
        let cards = (1..=n).map(attack);
        let session = arena([fighter().holds(cards).plays([]), fighter()]).last_round(1);
        // The first deck place of attacks is the one card that is looked for.
        let first_attack = 1 << 40;
        let odds = session.odds(|ended| ended.state.at(A).hand & first_attack != 0);
        let expected = fraction(2, i64::from(n.max(2)));
        assert_eq!(odds[&true], expected, "{n} cards");
        let sizes = session.odds(|ended| ended.state.at(A).hand.count_ones());
        assert_eq!(sizes.into_iter().collect::<Vec<_>>(), [(2, fraction(1, 1))]);
    }
}

#[test]
fn et_21_at_0_hp_a_character_is_out() {
    let hit_for = |damage| arena([fighter().plays([attack(damage)]), fighter().hp(8)]).turns(2);
    let (left, even, over) = (hit_for(7), hit_for(8), hit_for(9));
    assert_eq!((left.hp(B), left.stands(B), left.outcome), (1, true, None));
    for fought in [even, over] {
        assert!(!fought.stands(B));
        assert_eq!(fought.outcome, Some(Outcome::Win(A)));
    }
    // Poison takes a character out as well, before its own cards act.
    let venom = hindrance().applies(effect(Kind::Poison, 8));
    let fought = arena([fighter().plays([venom]), fighter().hp(8).plays([healing(5)])]).turns(2);
    assert_eq!(fought.outcome, Some(Outcome::Win(A)));
    assert_eq!(fought.losses(B, Cause::Poison), [8]);
    assert!(!fought.has(|event| matches!(event, Event::Activates { who: B, .. })));
}

#[test]
fn et_22_all_in_is_the_exception() {
    let with_memory = fighter().hp(8).memory(99, 1, 2).rests(1);
    // The Memory is put down in the first turn; the blow of that turn goes beyond 0.
    let fought = arena([fighter().plays([attack(9)]).rests(9), with_memory]).turns(2);
    assert_eq!((fought.hp(B), fought.stands(B), fought.outcome), (-1, true, None));
    assert!(fought.has(|event| *event == Event::GoesAllIn(B)));
}
