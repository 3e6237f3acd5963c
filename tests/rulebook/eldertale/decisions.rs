//! ET-X: our decisions on what neither the guide nor the wiki says.

use evens::game::{Outcome, Side};
use evens::games::eldertale::cards::Targets;
use evens::games::eldertale::effect::{Effect, Effects, Kind, MOST};
use evens::games::eldertale::event::{Cause, Event};
use evens::games::eldertale::rolls::Roll;

use super::arena::*;

#[test]
fn et_x_attack_hits_meet_defense_hits_one_against_one() {
    let session = |damage, hits, guard, stands| {
        let attacker = fighter().plays([attack(damage).hits(hits)]).rests(9);
        arena([attacker, fighter().plays([defense(guard).hits(stands)])]).turns(2).blows(B)
    };
    assert_eq!(session(5, 3, 4, 2), [1, 1, 5], "what meets no defense hit lands whole");
    assert_eq!(session(5, 1, 4, 3), [1], "what meets no attack hit is lost");
    assert_eq!(session(3, 2, 9, 2), [0, 0], "never below 0, and no surplus carries over");
}

#[test]
fn et_x_guard_power_is_never_below_0() {
    let lowered = hindrance().applies(effect(Kind::GuardDown, 9).for_rounds(2));
    let attacker = fighter().plays([attack(5), lowered]).rests(9);
    assert_eq!(arena([attacker, fighter().plays([defense(3)])]).turns(2).blows(B), [5]);
}

#[test]
fn et_x_defense_hits_stand_in_order_effects_first() {
    let gained = utility().applies(effect(Kind::GainDefense, 2));
    let guarded = fighter().plays([defense(7), gained]);
    let fought = arena([fighter().plays([attack(9).hits(3)]).rests(9), guarded]).turns(2);
    assert_eq!(fought.blows(B), [9 - 2, 9 - 7, 9], "Utility runs before Defense");
    let both =
        [effect(Kind::StartGuard, 3).for_rounds(2), effect(Kind::GainDefense, 1).for_rounds(2)];
    let set_up = both.into_iter().fold(utility(), |card, effect| card.applies(effect));
    let guarded = fighter().plays([set_up]).rests(9);
    let attacker = fighter().plays([attack(9).hits(3)]).rests(9);
    // A sets its defense up in round 1; B's attack lands at A's second done, when both effects act.
    let fought = arena([guarded, attacker]).turns(3);
    assert_eq!(fought.blows(A), [9 - 1, 9 - 3, 9]);
}

#[test]
fn et_x_thorns_answer_each_hit_whatever_the_defense_keeps_off() {
    let thorny = fighter()
        .plays([utility().applies(effect(Kind::Thorns, 4).for_rounds(9)), defense(9).hits(2)]);
    let attacker = fighter().rests(1).plays([attack(5).hits(2)]).rests(9);
    let fought = arena([thorny, attacker]).turns(5);
    assert_eq!(fought.blows(A), [0, 0]);
    assert_eq!(fought.losses(B, Cause::Thorns(A)), [4, 4]);
    assert_eq!(fought.hp(B), 52);
}

#[test]
fn et_x_a_hit_that_kills_is_answered_too_and_both_may_go_out() {
    let thorny = fighter().hp(5).plays([utility().applies(effect(Kind::Thorns, 4).for_rounds(9))]);
    let attacker = |hp| fighter().hp(hp).plays([attack(5)]).rests(9);
    assert_eq!(arena([thorny.clone(), attacker(4)]).turns(3).outcome, Some(Outcome::Draw));
    assert_eq!(arena([thorny, attacker(5)]).turns(3).outcome, Some(Outcome::Win(B)));
}

#[test]
fn et_x_thorns_are_not_used_up_by_hits_of_who_is_out() {
    // B's first hit takes B out, the second affects nobody, and so C's hit is the second that is answered.
    let thorny = fighter().plays([utility().applies(effect(Kind::Thorns, 4).for_hits(2))]).rests(9);
    let attacker = fighter().hp(4).plays([attack(5).hits(2).at([A])]).rests(9);
    let other = fighter().plays([attack(5).at([A])]).rests(9);
    let fought = arena([thorny, attacker, other]).turns(4);
    assert!(!fought.stands(B));
    assert_eq!(fought.losses(B, Cause::Thorns(A)), [4]);
    assert_eq!(fought.losses(C, Cause::Thorns(A)), [4]);
}

#[test]
fn et_x_the_turn_goes_on_without_an_attacker_that_thorns_took_out() {
    let thorny = fighter()
        .plays([utility().applies(effect(Kind::Thorns, 4).for_rounds(9)), attack(7).at([C])]);
    let attacker = fighter().hp(4).plays([attack(5).at([A])]).rests(9);
    let fought = arena([thorny, attacker, fighter()]).turns(4);
    assert!(!fought.stands(B) && fought.outcome.is_none());
    assert_eq!(fought.queued(), [(C, 1), (A, 1), (C, 1)], "A's own attack goes out");
}

#[test]
fn et_x_power_counts_where_the_hit_lands() {
    // Power for one round, from A's turn: it is there when the attack lands at B's done, and gone after A's next.
    let power = utility().applies(effect(Kind::Power, 3).for_rounds(1));
    let player = fighter().plays([power, attack(4)]).plays([attack(4)]).rests(9);
    let fought = arena([player, fighter()]).turns(4);
    assert_eq!(fought.blows(B), [7, 4]);
}

#[test]
fn et_x_effects_of_an_attack_come_before_its_hits_once_for_each_target() {
    let lowered = effect(Kind::GuardDown, 2).for_rounds(3);
    let raised = effect(Kind::Power, 1).for_hits(9);
    let volley =
        attack(5).hits(4).spread(Targets::Area).at([B, C]).applies(lowered).applies_to_self(raised);
    let guard = || fighter().plays([defense(3)]);
    let fought = arena([fighter().plays([volley]).rests(9), guard(), guard()]).turns(3);
    assert_eq!(fought.blows(B), [6 - 1, 6]);
    assert_eq!(fought.blows(C), [6 - 1, 6]);
    let instances = fought.at(A).effects.iter().count();
    assert_eq!(instances, 1, "what it does to its own player comes with the first target");
}

/// An attack's effects on its own player are not aimed at its first target, and not lost with that target.
#[test]
fn et_x_what_an_attack_does_to_its_own_player_comes_with_the_next_target() {
    let raised = || effect(Kind::Power, 3).for_rounds(5);
    let volley = |targets: [Side; 2]| {
        attack(5).hits(2).spread(Targets::Area).at(targets).applies_to_self(raised())
    };
    let poison = hindrance().at([B]).applies_on_play(effect(Kind::Poison, 99));
    // B is out before anything lands on it.
    let player = fighter().hp(60).plays([poison, volley([B, C])]);
    let fought = arena([player, fighter(), fighter().hp(60)]).turns(3);
    assert!(!fought.stands(B));
    assert_eq!(fought.blows(C), [8]);
    assert_eq!(fought.at(A).effects.iter().count(), 1);
    // Thorns take A out while the same card waits to land on C.
    let thorny = utility().applies(effect(Kind::Thorns, 9).for_rounds(9));
    let bold = fighter().hp(9).plays([attack(1).at([C])]);
    let player = fighter().hp(60).plays([volley([A, C])]);
    let fought = arena([bold, player, fighter().hp(60).plays([thorny])]).turns(3);
    assert!(!fought.stands(A));
    assert_eq!(fought.blows(C), [1, 8]);
}

/// An attack's effects on its own player start when it activates, which is where it is reached first: the joining order
/// goes round from the attacker (decision 6).
#[test]
fn et_x_what_an_attack_does_to_its_own_player_comes_with_the_target_reached_first() {
    let raised = effect(Kind::Power, 3).for_rounds(5);
    let volley = attack(5).hits(2).spread(Targets::Area).at([A, C]).applies_to_self(raised);
    let player = || fighter().plays([volley.clone()]).rests(9);
    let started = |event: &Event| matches!(event, Event::Starts { who: B, .. });
    // B's attack lands on C first, and on A a round later.
    let fought = arena([fighter(), player(), fighter()]).turns(4);
    assert_eq!((fought.blows(C), fought.blows(A)), (vec![8], vec![8]));
    assert_eq!(fought.count(started), 1);
    // A goes out before the attack lands on it: it has started at C all the same.
    let venom = hindrance().at([A]).applies(effect(Kind::Poison, 9));
    let poisons = fighter().plays([venom]).rests(9);
    let fought = arena([fighter().hp(9), player(), poisons]).turns(4);
    assert!(!fought.stands(A));
    assert_eq!((fought.blows(C), fought.count(started)), (vec![8], 1));
    // C goes out before the attack lands on it: it starts at A.
    let venom = hindrance().at([C]).applies(effect(Kind::Poison, 9));
    let poisons = fighter().plays([venom]).rests(9);
    let fought = arena([poisons, player(), fighter().hp(9)]).turns(4);
    assert!(!fought.stands(C));
    assert_eq!((fought.blows(A), fought.count(started)), (vec![8], 1));
}

/// Of several copies of a card that one player has sent, each starts its effects on that player once (decision 6).
#[test]
fn et_x_copies_of_an_attack_start_once_each() {
    let raised = || effect(Kind::Power, 3).for_hits(1);
    let volley = || attack(5).hits(2).spread(Targets::Area).applies_to_self(raised());
    let started = |event: &Event| matches!(event, Event::Starts { who: A, .. });
    // The attack at B alone is lost with B. The other one starts at C, and not again at D.
    let player = fighter().plays([volley().at([B]), volley().at([C, D])]).rests(9);
    let drinks = fighter().plays([utility().applies_on_play(effect(Kind::Poison, 99))]);
    let fought = arena([player, drinks, fighter(), fighter()]).turns(4);
    assert!(!fought.stands(B));
    assert_eq!((fought.blows(C), fought.blows(D)), (vec![8], vec![5]));
    assert_eq!(fought.count(started), 1);
    // B goes out to the first of two, and the second starts at C, where the first has a guard of 8 to meet.
    let player = fighter().plays([volley().at([B, C]), volley().at([B, C])]).rests(9);
    let guarded = fighter().plays([defense(8)]);
    let session = arena([player, fighter().hp(5), guarded]).last_round(1);
    let fought = session.turns(3);
    assert_eq!((fought.blows(C), fought.count(started)), (vec![0, 8], 2));
    let odds = session.odds(|ended| ended.state.at(C).hp);
    assert_eq!(odds.into_iter().collect::<Vec<_>>(), [(60 - 8, fraction(1, 1))]);
}

#[test]
fn et_x_a_single_use_card_is_gone_once_it_is_played() {
    let potion = || utility().called("Potion").applies(effect(Kind::Heal, 5)).single_use();
    let player = fighter().plays([potion()]).plays([]).plays([potion()]);
    let fought = arena([player, fighter()]).turns(5);
    assert_eq!(fought.played(A), ["Potion"]);
    assert_eq!(fought.hand(A), [0, 0, 0]);
    // Of two copies, each is used up when it is played.
    let two = fighter().holds([potion(), potion()]).plays([potion()]);
    let fought = arena([two, fighter()]).turns(7);
    assert_eq!(fought.played(A), ["Potion", "Potion"]);
}

#[test]
fn et_x_targets_of_a_random_player_are_drawn_among_all_others() {
    let volley = attack(1).hits(2).spread(Targets::Area);
    let session = arena([fighter().holds([volley]).random(), fighter(), fighter()]);
    // Face 0 plays nothing, face 1 the card. The faces for targets stand for the others in joining order.
    let aimed = |faces: [u32; 2]| {
        let targets = faces.map(|face| (Roll::Target, face));
        session.turns_with(1, [(Roll::Play, 1)].into_iter().chain(targets)).queued()
    };
    assert_eq!(aimed([0, 0]), [(B, 2)]);
    assert_eq!(aimed([0, 1]), [(B, 1), (C, 1)]);
    assert_eq!(session.turns_with(1, [(Roll::Play, 0)]).queued(), []);
}

#[test]
fn et_x_a_greedy_player_aims_at_the_weakest_and_does_not_stack() {
    let greedy = || fighter().holds([attack(5)]).greedy();
    let fought = arena([greedy(), fighter(), fighter().hp(30)]).turns(1);
    assert_eq!(fought.queued(), [(C, 1)]);
    let tied = arena([fighter(), greedy(), fighter()]).turns(2);
    assert_eq!(tied.queued(), [(C, 1)], "of equals the next in joining order");
    let blessing = utility().applies(effect(Kind::Power, 3).for_rounds(5));
    let fought = arena([fighter().holds([blessing]).greedy(), fighter()]).turns(5);
    assert_eq!(fought.played(A).len(), 1, "a second instance would not act");
}

#[test]
fn et_x_a_greedy_player_neither_harms_itself_nor_helps_its_target() {
    let played = |card: Piece| arena([fighter().holds([card]).greedy(), fighter()]).turns(1);
    let poison = || effect(Kind::Poison, 3).for_rounds(3);
    let power = || effect(Kind::Power, 3).for_rounds(3);
    assert_eq!(played(hindrance().applies(poison())).played(A).len(), 1);
    assert_eq!(played(hindrance().applies_to_self(poison())).played(A).len(), 0);
    assert_eq!(played(hindrance().applies_to_self(power())).played(A).len(), 1);
    assert_eq!(played(hindrance().applies(power())).played(A).len(), 0);
    // The cost of an attack's effects on oneself is subtracted from its worth: an attack of 5 with Poison 3 on oneself
    // (3 and 2 and 1) is not worth it.
    assert_eq!(played(attack(5).applies_to_self(poison())).played(A).len(), 0);
    assert_eq!(played(attack(7).applies_to_self(poison())).played(A).len(), 1);
}

#[test]
fn et_x_a_greedy_player_lays_a_stronger_effect_over_a_weaker_one() {
    let power =
        |intensity, rounds| utility().applies(effect(Kind::Power, intensity).for_rounds(rounds));
    // The weaker one lasts longer, so it is worth more and comes first; the stronger one then acts in its place.
    let cards = [power(2, 5).called("Weak"), power(3, 2).called("Strong")];
    let both = arena([fighter().holds(cards).greedy(), fighter()]).turns(1);
    assert_eq!(both.played(A), ["Weak", "Strong"]);
    // An effect does not lower the worth of one of the same kind on somebody else.
    let doom = || effect(Kind::Poison, 2).for_rounds(2);
    let back = attack(9).applies_to_self(doom()).called("Backlash");
    let forth = hindrance().applies(doom()).called("Venom");
    let cards = arena([fighter().holds([back, forth]).greedy(), fighter()]).turns(1);
    assert_eq!(cards.played(A).len(), 2);
}

#[test]
fn et_x_the_last_one_standing_wins() {
    let slayer = fighter().plays([attack(9).at([C])]).plays([attack(9).at([B])]).rests(9);
    let session = arena([slayer, fighter().hp(9), fighter().hp(9)]);
    assert_eq!(session.turns(4).outcome, None);
    assert_eq!(session.turns(5).outcome, Some(Outcome::Win(A)));
}

#[test]
fn et_x_after_the_last_round_it_is_undecided() {
    let session = arena([fighter(), fighter()]).last_round(3);
    assert_eq!(session.turns(5).outcome, None);
    assert_eq!(session.turns(6).outcome, Some(Outcome::Undecided));
}

#[test]
fn et_x_where_there_is_no_room_the_weakest_that_does_not_act_is_lost() {
    let poison = |n| effect(Kind::Poison, n);
    let mut effects = Effects::default();
    effects.add(effect(Kind::Doom, 1).for_rounds(1));
    for n in 1..MOST as u8 {
        effects.add(poison(n + 10));
    }
    assert_eq!(effects.iter().count(), MOST);
    effects.add(poison(5));
    assert_eq!(effects.iter().filter(|e| e.intensity == 5).count(), 0, "weaker than all idle ones");
    effects.add(poison(12));
    assert_eq!(effects.iter().filter(|e| e.intensity == 11).count(), 0);
    assert_eq!(effects.iter().filter(|e| e.intensity == 12).count(), 2);
    effects.add(effect(Kind::Thorns, 1).for_rounds(1));
    assert_eq!(effects.intensity(Kind::Thorns), 1, "one that acts finds room");
    assert_eq!(effects.intensity(Kind::Doom), 1);
    assert_eq!(effects.iter().count(), MOST);
}

/// Effects of which there is one less than a character can bear, the last of them `last`.
fn full_but_for_one(last: Effect) -> Effects {
    let mut effects = Effects::default();
    for _ in 1..MOST - 1 {
        effects.add(effect(Kind::Power, 2).for_hits(1));
    }
    effects.add(last);
    effects
}

#[test]
fn et_x_where_there_is_no_room_an_effect_that_another_outlasts_is_lost_first() {
    let down = |intensity| effect(Kind::GuardDown, intensity);
    let power = effect(Kind::Power, 2).for_hits(1);
    let after = |first: Effect, second: Effect, new: Effect| {
        let mut effects = full_but_for_one(first);
        assert_eq!(effects.add(second), None, "there is room for {MOST}");
        let lost = effects.add(new).expect("there is no room for more");
        let kept = effects.iter().filter(|of| of.kind != Kind::Power).count();
        (lost, effects.intensity(Kind::GuardDown), kept)
    };
    let long = |of: Effect| of.for_rounds(4);
    let short = |of: Effect| of.for_rounds(2);
    // One that changes nothing, even where a weaker one would: the new one lasts longer and is no weaker.
    assert_eq!(after(power, short(down(3)), long(down(3))), (short(down(3)), 3, 1));
    assert_eq!(after(power, long(down(3)), short(down(3))), (short(down(3)), 3, 1));
    assert_eq!(after(power, long(down(3)), long(down(3))), (long(down(3)), 3, 1));
    // A weaker one that lasts longer still changes something, and so the last of many hits is lost.
    assert_eq!(after(power, short(down(3)), long(down(1))), (power, 3, 2));
    // One with a hit duration uses up its hits first: what it outlasts is worth more hits.
    let hits = |of: Effect, hits| of.for_hits(hits);
    assert_eq!(after(power, hits(down(3), 2), hits(down(1), 2)), (hits(down(1), 2), 3, 1));
    assert_eq!(after(power, hits(down(3), 2), hits(down(2), 3)), (power, 3, 2));
}

#[test]
fn et_x_an_effect_for_which_there_is_no_room_does_not_start() {
    let rage = || utility().applies(effect(Kind::Power, 3).for_hits(1));
    let turns = (MOST / 2 + 1) as u32;
    let mut angry = fighter();
    for _ in 0..turns {
        angry = angry.plays([rage(), rage()]);
    }
    let session = arena([angry, fighter().rests(turns as usize)]).turns(2 * turns - 1);
    let started = session.count(|event| matches!(event, Event::Starts { .. }));
    let lost = session.count(|event| matches!(event, Event::Lost { who: A, .. }));
    assert_eq!((started, lost), (MOST, 2));
    assert_eq!(session.at(A).effects.iter().count(), MOST);
}
