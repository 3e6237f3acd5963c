//! Order inside a batch (SF-14 to SF-24).

use evens::games::solforge::event::Event;

use super::arena::{A, B, arena, odds, part};

#[test]
fn sf_14_active_untargeted_then_non_active_untargeted_then_active_targeted() {
    // A spell of side A triggers all three kinds of ability; each card's name says where it belongs.
    let cards = "[[cards]]\nname = \"Third\"\nfaction = \"tempys\"\nattack = [1]\nhealth = [9]\n\
                 [[cards.abilities]]\nwhen = { plays = { kind = \"spell\" } }\nchoose = {}\n\
                 do = [{ gain = { who = \"chosen\", attack = 1 } }]\n\
                 [[cards]]\nname = \"Second\"\nfaction = \"tempys\"\nattack = [1]\nhealth = [9]\n\
                 [[cards.abilities]]\nwhen = { plays = { player = \"opponent\" } }\n\
                 do = [{ gain = { attack = 1 } }]\n\
                 [[cards]]\nname = \"First\"\nfaction = \"tempys\"\nattack = [1]\nhealth = [9]\n\
                 [[cards.abilities]]\nwhen = { plays = {} }\ndo = [{ gain = { attack = 1 } }]\n";
    let order = arena()
        .cards(cards)
        .a(1, "Third")
        .a(2, "First")
        .b(3, "Second")
        .answer(A, "Third", &["A1"])
        .cast("Lightning Spark", &["B"])
        .always(|end| end.resolved());
    assert_eq!(order, ["A2 First", "B3 Second", "A1 Third"]);
}

#[test]
fn sf_15_the_arbiter_discards_before_technosmith_levels_but_after_untargeted_abilities() {
    let cards = "[[cards]]\nname = \"Ally\"\nfaction = \"tempys\"\nattack = [1]\nhealth = [9]\n\
                 [[cards.abilities]]\nwhen = { plays = {} }\nif = [{ allied = \"tempys\" }]\n\
                 do = [{ gain = { attack = 1 } }]\n";
    let result = arena()
        .cards(cards)
        .a(1, "Ally")
        .b(1, "Anvillon Arbiter")
        .player(A, "played = 1")
        .hand(A, &["Technosmith", "Lightning Spark", "Fell Walker"])
        .play("Technosmith", 3)
        .always(|end| {
            // Whether Technosmith levelled a card, and whether the Ally still saw a Tempys card in hand.
            let levels = end.events.iter().filter(|event| matches!(event, Event::Levels(..)));
            (end.resolved(), levels.count(), end.hand(A), end.size(A, 1))
        });
    let order = ["A1 Ally", "B1 Anvillon Arbiter", "A3 Technosmith"].map(str::to_owned).to_vec();
    assert_eq!(result, (order, 0, 0, Some((2, 9))), "nothing is left to level");
}

fn spirit_and_walker(active: &'static str) -> super::arena::Arena {
    arena().active(active).a(3, "Vengeful Spirit").b(3, "Fell Walker").battle()
}

#[test]
fn sf_16_an_active_vengeful_spirit_hits_nothing_and_the_zombie_stays() {
    let zombie = spirit_and_walker("a").always(|end| (end.name(B, 3), end.size(B, 3)));
    assert_eq!(zombie, (Some("Zombie".to_owned()), Some((3, 3))));
}

#[test]
fn sf_17_an_active_fell_walkers_zombie_dies_of_the_spirit() {
    let spaces = spirit_and_walker("b").always(|end| (end.name(A, 3), end.name(B, 3)));
    assert_eq!(spaces, (None, None));
}

#[test]
fn sf_18_with_the_seat_drawn_the_zombie_survives_half_the_time() {
    let survives = spirit_and_walker("random").odds(|end| end.name(B, 3).is_some());
    assert_eq!(survives, odds([(true, part(1, 2)), (false, part(1, 2))]));
}

#[test]
fn sf_19_spring_dryad_and_patriarch() {
    let sizes = arena()
        .a(2, "Spring Dryad")
        .play("Weirwood Patriarch", 3)
        .odds(|end| (end.size(A, 2).unwrap(), end.size(A, 3).unwrap()));
    assert_eq!(
        sizes,
        odds([(((4, 4), (5, 7)), part(1, 2)), (((6, 6), (5, 7)), part(1, 2))]),
        "never 5/5"
    );
}

#[test]
fn sf_20_lifeshaper_savant_can_buff_the_second_hounds_half_the_time() {
    // The player would rather buff the copy in lane 5 than the one that was played into lane 4.
    let buffed = arena()
        .a(1, "Lifeshaper Savant@2")
        .answer(A, "Ether Hounds", &["A5"])
        .answer(A, "Lifeshaper Savant", &["A5", "A4"])
        .play("Ether Hounds", 4)
        .odds(|end| (end.size(A, 4).unwrap(), end.size(A, 5).unwrap()));
    assert_eq!(buffed, odds([(((3, 3), (6, 6)), part(1, 2)), (((6, 6), (3, 3)), part(1, 2))]));
    // And may decline.
    let declined = arena()
        .a(1, "Lifeshaper Savant@2")
        .answer(A, "Ether Hounds", &["A5"])
        .answer(A, "Lifeshaper Savant", &["nothing"])
        .play("Ether Hounds", 4)
        .always(|end| (end.size(A, 4), end.size(A, 5)));
    assert_eq!(declined, (Some((3, 3)), Some((3, 3))));
}

#[test]
fn sf_21_a_predator_that_battles_a_vengeful_spirit_is_always_4_1() {
    for active in ["a", "b"] {
        let size = arena()
            .active(active)
            .a(2, "Grimgaunt Predator")
            .b(2, "Vengeful Spirit")
            .battle()
            .always(|end| end.size(A, 2));
        assert_eq!(size, Some((4, 1)), "side {active} is active");
    }
}

#[test]
fn sf_22_the_order_does_not_depend_on_lanes_and_is_drawn_afresh() {
    for (dryad, patriarch) in [(1, 2), (2, 1), (1, 5), (5, 1)] {
        let sizes = arena()
            .a(dryad, "Spring Dryad")
            .play("Weirwood Patriarch", patriarch)
            .odds(|end| end.size(A, dryad).unwrap());
        assert_eq!(sizes, odds([((4, 4), part(1, 2)), ((6, 6), part(1, 2))]));
    }
    // Two Patriarchs one after the other, on Dryads that are small enough each time: four equally likely outcomes, so
    // the second draw does not depend on the first.
    let small = "attack = 0, health = 1";
    let pairs = arena()
        .a_with(1, "Spring Dryad", small)
        .play("Weirwood Patriarch", 2)
        .play("Weirwood Patriarch", 3)
        .odds(|end| {
            let order = end.resolved();
            (order[0].clone(), order[2].clone())
        });
    assert_eq!(pairs.len(), 4);
    assert!(pairs.values().all(|share| *share == part(1, 4)), "{pairs:?}");
}

#[test]
fn sf_23_two_dryads_on_one_side_of_a_patriarch() {
    let sizes = arena()
        .a(1, "Spring Dryad")
        .a(2, "Spring Dryad")
        .play("Weirwood Patriarch", 3)
        .odds(|end| (end.size(A, 1).unwrap(), end.size(A, 2).unwrap()));
    let (small, large) = ((4, 4), (6, 6));
    assert_eq!(
        sizes,
        odds([
            ((small, small), part(1, 3)),
            ((large, large), part(1, 3)),
            ((small, large), part(1, 6)),
            ((large, small), part(1, 6)),
        ])
    );
    // However many Dryads there are, the number that end at 6/6 is uniform.
    for dryads in 1..=4 {
        let mut field = arena();
        for lane in 1..=dryads {
            field = field.a(lane, "Spring Dryad");
        }
        let large = field
            .play("Weirwood Patriarch", 5)
            .odds(|end| (1..=dryads).filter(|&lane| end.size(A, lane) == Some(large)).count());
        let share = part(1, u32::from(dryads) + 1);
        assert_eq!(large, (0..=usize::from(dryads)).map(|n| (n, share.clone())).collect());
    }
}

#[test]
fn sf_24_dryads_on_both_sides_of_a_patriarch() {
    let sizes = arena()
        .a(2, "Spring Dryad")
        .a(4, "Spring Dryad")
        .play("Weirwood Patriarch", 3)
        .odds(|end| (end.size(A, 2).unwrap(), end.size(A, 4).unwrap()));
    assert_eq!(sizes[&((4, 4), (4, 4))], part(1, 3));
    assert_eq!(sizes[&((6, 6), (6, 6))], part(1, 3));
    assert_eq!(sizes[&((4, 4), (6, 6))], part(1, 6));
}

#[test]
fn sf_x_flameshaper_savant_does_not_aim_at_its_own_player() {
    // A level 2 Savant may deal 4 when a level 1 Tempys card is played: to the other side, or not at all.
    let lives = arena()
        .a(1, "Flameshaper Savant@2")
        .cast("Call the Lightning", &[])
        .odds(|end| (end.life(A), end.life(B)));
    assert_eq!(lives, odds([((120, 116), part(1, 2)), ((120, 120), part(1, 2))]));
}
