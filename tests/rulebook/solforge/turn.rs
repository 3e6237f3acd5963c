//! The phases of a turn (SF-30 to SF-39).

use evens::games::solforge::event::{Event, Source};

use super::arena::{A, Arena, B, arena, odds, part};

#[test]
fn sf_30_phases_come_in_the_order_of_the_rulebook() {
    let phases = arena()
        .player(A, "turns = 3")
        .a(1, "Ghox, Metamind Paragon")
        .a(2, "Ashurian Mystic")
        .a(3, "Grimgaunt Devourer")
        .a(4, "Runegrove Guardian")
        .a(5, "Brightsteel Gargoyle")
        .b_with(4, "Fell Walker", "defensive = true")
        .deck(A, &["Enrage", "Enrage", "Enrage", "Enrage", "Enrage", "Enrage"])
        .start_turn()
        .cast("Dryad's Boon", &["A4"])
        .battle()
        .cast("Lightning Brand", &["A1"])
        .end_turn();
    for end in phases.samples(50) {
        let phase = |event: &Event| match *event {
            Event::Turn(_) => Some("turn"),
            Event::Batch { source: Source::TurnStart, .. } => Some("start of turn batch"),
            Event::Plays(..) => Some("card"),
            Event::Battle { .. } => Some("battle"),
            Event::Batch { source: Source::Damage, .. } => Some("damage batch"),
            Event::Batch { source: Source::Deaths, .. } => Some("death batch"),
            Event::Rank(..) => Some("rank"),
            Event::Draws(_, 5, _) => Some("draw 5"),
            Event::Batch { source: Source::TurnEnd, .. } => Some("end of turn and rank batch"),
            Event::Fades => Some("wearing off"),
            _ => None,
        };
        let story: Vec<&str> = end.events.iter().filter_map(phase).collect();
        assert_eq!(
            story,
            [
                "turn",
                "start of turn batch",
                "card",
                "battle",
                "damage batch",
                "death batch",
                "card",
                "rank",
                "draw 5",
                "end of turn and rank batch",
                "wearing off",
            ]
        );
    }
}

#[test]
fn sf_30_a_rank_rises_at_the_end_of_the_fourth_turn() {
    // Level 3 cards are above the rank of 2 that the fourth turn brings: three cards come back, not five.
    let pile = ["Enrage", "Enrage@2", "Enrage@2", "Enrage@3", "Enrage@3"];
    let ranks = |turns: u8, field: Arena| {
        let discard = format!("discard = {pile:?}");
        let field = field.player(A, &format!("turns = {turns}")).player(A, &discard);
        field.always(|end| (end.state.player(A).rank, end.hand(A)))
    };
    let end = || arena().end_turn();
    assert_eq!(ranks(3, end()), (1, 1));
    assert_eq!(ranks(4, end()), (2, 3), "the fourth turn is running");
    assert_eq!(ranks(5, end()), (2, 3));
    assert_eq!(ranks(8, end()), (3, 5));
    assert_eq!(ranks(0, end()), (1, 1));
    // If the turn has not started yet, all of these turns are over.
    let next = || arena().start_turn().end_turn();
    assert_eq!(ranks(3, next()), (2, 3), "the fourth turn starts and ends");
    assert_eq!(ranks(4, next()), (2, 3));
    // All turns of the other player are over.
    let other = arena().active("b").end_turn();
    assert_eq!(ranks(4, other).0, 2);
}

#[test]
fn sf_30_five_cards_are_drawn_before_the_discard_pile_comes_back() {
    let field = arena()
        .player(A, "turns = 4")
        .player(A, "discard = [\"Enrage\", \"Enrage\"]")
        .hand(A, &["Enrage"])
        .deck(A, &["Burnout"; 6])
        .end_turn();
    let cards = field.always(|end| {
        let names = |pile: &[_]| pile.iter().map(|&form| end.label(form)).collect::<Vec<_>>();
        let player = end.state.player(A);
        (names(&player.hand), names(&player.deck), player.discard.len())
    });
    let mut deck = vec!["Enrage".to_owned(); 3];
    deck.push("Burnout".to_owned());
    let mut found = cards.1.clone();
    found.sort_unstable();
    deck.sort_unstable();
    assert_eq!((cards.0, found, cards.2), (vec!["Burnout".to_owned(); 5], deck, 0));
}

#[test]
fn sf_31_ghox_and_mutant_leave_2_or_3_cards() {
    let hand = ["Enrage"; 5];
    let cards = arena()
        .a(1, "Ghox, Metamind Paragon")
        .a(2, "Shardplate Mutant")
        .hand(A, &hand)
        .deck(A, &["Enrage"])
        .start_turn()
        .odds(|end| end.hand(A));
    assert_eq!(cards, odds([(2, part(1, 2)), (3, part(1, 2))]));
}

#[test]
fn sf_32_avalanche_never_kills_a_guardian_that_gains_the_same_rank() {
    for health in 1..=3 {
        let size = arena()
            .player(A, "turns = 4")
            .a(1, "Avalanche Invoker")
            .a_with(2, "Runegrove Guardian", &format!("damage = {}", 4 - health))
            .end_turn()
            .always(|end| end.size(A, 2));
        assert_eq!(size, Some((8, health + 1)), "4 health gained, 3 damage");
    }
}

#[test]
fn sf_33_a_gargoyle_takes_1_or_3_from_avalanche() {
    let health = arena()
        .player(A, "turns = 4")
        .a(1, "Avalanche Invoker")
        .a(2, "Brightsteel Gargoyle")
        .end_turn()
        .odds(|end| end.size(A, 2).unwrap().1);
    assert_eq!(health, odds([(4, part(1, 2)), (2, part(1, 2))]));
}

#[test]
fn sf_34_what_lasts_until_the_end_of_the_turn_outlasts_the_rank_batch() {
    // 5 health under -2 until the end of the turn, and 3 damage as the rank rises: it dies before the effect wears off.
    let spell = "[[cards]]\nname = \"Weaken\"\nfaction = \"nekrium\"\n[[cards.abilities]]\nwhen = \"cast\"\n\
                 choose = {}\ndo = [{ gain = { who = \"chosen\", health = -2, until = \"end_of_turn\" } }]\n";
    let field = |invoker: bool| {
        let field = arena().cards(spell).plain("Five", 1, 5).player(A, "turns = 4").b(2, "Five");
        let field = if invoker { field.a(1, "Avalanche Invoker") } else { field };
        field.cast("Weaken", &["B2"]).end_turn()
    };
    assert_eq!(field(true).always(|end| end.size(B, 2)), None);
    assert_eq!(field(false).always(|end| end.size(B, 2)), Some((1, 5)), "it does wear off");
}

fn poisoned(poison: i16) -> Arena {
    let troll = "[[cards]]\nname = \"Troll\"\nfaction = \"uterra\"\nattack = [1]\nhealth = [5]\nregenerate = 2\n";
    arena().cards(troll).a_with(1, "Troll", &format!("damage = 4, poison = {poison}")).start_turn()
}

#[test]
fn sf_35_poison_comes_before_regenerate_with_no_death_between() {
    assert_eq!(poisoned(2).always(|end| end.size(A, 1)), Some((1, 1)));
    assert_eq!(poisoned(3).always(|end| end.size(A, 1)), None);
}

/// "A set of triggered abilities that were all triggered by the same event": being damaged is another event than the
/// start of the turn, so abilities that Poison's damage triggers come after the deaths of its batch.
#[test]
fn sf_35_what_poison_sets_off_is_the_next_batch() {
    let stubborn = "[[cards]]\nname = \"Stubborn\"\nfaction = \"uterra\"\nattack = [1]\nhealth = [2]\n\
                    [[cards.abilities]]\nwhen = \"is_damaged\"\ndo = [{ gain = { health = 2 } }]\n";
    let poisoned = |poison: u8| {
        let field = arena().cards(stubborn).a_with(1, "Stubborn", &format!("poison = {poison}"));
        field.start_turn().always(|end| end.size(A, 1))
    };
    assert_eq!(poisoned(1), Some((1, 3)));
    assert_eq!(poisoned(2), None, "dead before it could grow");
}

/// Whether Storm Bringer moved, whether it died, and the damage dealt to side B's creatures.
fn storm(field: Arena) -> (bool, bool, i16) {
    field.always(|end| {
        let moved = end
            .events
            .iter()
            .any(|event| matches!(event, Event::Moves(who, 0, _) if who.lane != 0));
        let died = end.deaths().iter().any(|name| name.ends_with("Storm Bringer"));
        let damage: i16 =
            (1..=5).filter_map(|lane| end.size(B, lane)).map(|(_, health)| 20 - health).sum();
        (moved, died, damage)
    })
}

fn opposed(field: Arena) -> Arena {
    let mut field = field.plain("Twenty", 0, 20);
    for lane in 1..=5 {
        field = field.b(lane, "Twenty");
    }
    field
}

#[test]
fn sf_36_storm_bringer_moves_even_if_poison_kills_it() {
    let field = opposed(arena()).a_with(1, "Storm Bringer", "poison = 9").start_turn();
    assert_eq!(storm(field), (true, true, 0));
}

#[test]
fn sf_37_storm_bringer_moves_even_if_woebringer_destroys_it() {
    // In either order of the two abilities.
    let field = opposed(arena())
        .cards(
            "[[cards]]\nname = \"Reaper\"\nfaction = \"nekrium\"\nattack = [9]\nhealth = [9]\n\
                [[cards.abilities]]\nwhen = { turn_starts = {} }\n\
                do = [{ destroy = { who = { lowest_attack = { side = \"friend\" } } } }]\n",
        )
        .a(1, "Storm Bringer")
        .a(5, "Reaper")
        .start_turn();
    assert_eq!(storm(field), (true, true, 0));
    // With Woebringer itself: it destroys the lowest attack of all, which is Storm Bringer's.
    let deaths = arena().a(1, "Storm Bringer").a(5, "Woebringer").start_turn().always(|end| {
        let moved = end.events.iter().any(|event| matches!(event, Event::Moves(..)));
        (moved, end.deaths().len())
    });
    assert_eq!(deaths, (true, 1));
}

#[test]
fn sf_37_it_moves_even_if_its_space_is_taken() {
    // No other lane is free: only a living Storm Bringer can take the space of the destroyed one, which then moves to
    // where that one stood. Of the three abilities, the Reaper's must come first and the living one's second.
    let field = opposed(arena())
        .cards(
            "[[cards]]\nname = \"Reaper\"\nfaction = \"nekrium\"\nattack = [9]\nhealth = [9]\n\
                [[cards.abilities]]\nwhen = { turn_starts = {} }\n\
                do = [{ destroy = { who = { lowest_attack = { side = \"friend\" } } } }]\n",
        )
        .plain("Nine", 9, 9)
        .a(1, "Storm Bringer")
        .a(2, "Storm Bringer")
        .a(3, "Nine")
        .a(4, "Nine")
        .a(5, "Reaper")
        .start_turn();
    let moves = field.odds(|end| {
        assert_eq!(end.deaths().len(), 1);
        end.events.iter().filter(|event| matches!(event, Event::Moves(..))).count()
    });
    assert_eq!(moves, odds([(0, part(1, 2)), (1, part(1, 3)), (2, part(1, 6))]));
}

#[test]
fn sf_69_nobody_reacts_to_the_move_of_a_dead_storm_bringer() {
    let field = |more: &str| {
        opposed(arena()).a_with(1, "Storm Bringer", more).a(5, "Frostfang Maiden").start_turn()
    };
    assert_eq!(storm(field("")), (true, false, 2 + 3));
    assert_eq!(storm(field("poison = 9")), (true, true, 0));
}

#[test]
fn sf_38_the_moves_damage_is_dealt_only_if_storm_bringer_survives() {
    let field = opposed(arena()).a(1, "Storm Bringer").start_turn();
    assert_eq!(storm(field), (true, false, 2));
    let dying = opposed(arena()).a_with(1, "Storm Bringer", "poison = 6").start_turn();
    assert_eq!(storm(dying), (true, true, 0));
}

#[test]
fn sf_39_without_a_free_lane_it_does_not_move() {
    let mut field = opposed(arena()).a(1, "Storm Bringer");
    for lane in 2..=5 {
        field = field.a(lane, "Twenty");
    }
    assert_eq!(storm(field.start_turn()), (false, false, 0));
}

#[test]
fn sf_x_an_ability_is_activated_so_many_times_a_turn_and_never_on_the_defensive() {
    let nurse = "[[cards]]\nname = \"Nurse\"\nfaction = \"uterra\"\nattack = [1]\nhealth = [8]\n\
                 [[cards.abilities]]\nwhen = \"activate\"\nchoose = {}\n\
                 do = [{ gain = { who = \"chosen\", health = 4 } }]\n";
    let patient = |more: &str| {
        arena().loose().cards(nurse).plain("Ten", 1, 10).a(2, "Ten").a_with(1, "Nurse", more)
    };
    let health = |field: Arena| field.always(|end| end.size(A, 2).unwrap().1);
    let twice = patient("").activate(1, &["A2"]).activate(1, &["A2"]);
    assert_eq!(health(twice.clone()), 14);
    let next_turn = twice.end_turn().start_turn().end_turn().start_turn();
    assert_eq!(health(next_turn.activate(1, &["A2"])), 18);
    assert_eq!(health(patient("defensive = true").activate(1, &["A2"])), 10);
    // Xithian Shambler 3 eats twice.
    let meal = |times: usize| {
        let mut field =
            arena().plain("Meal", 1, 1).a(1, "Xithian Shambler@3").a(2, "Meal").a(3, "Meal");
        for lane in 1..=times as u8 {
            let next = format!("A{}", lane + 1);
            field = field.activate(lane, &[&next]);
        }
        field.always(|end| end.lanes(A, "Xithian Shambler 3"))
    };
    assert_eq!((meal(1), meal(2)), (vec![2], vec![3]));
}
