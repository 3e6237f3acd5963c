//! Battles (SF-46 to SF-49, SF-56 to SF-65).

use evens::game::Outcome;
use evens::games::solforge::event::{Event, Source};

use super::arena::{A, Arena, B, arena, odds, part};

#[test]
fn sf_46_the_offensive_strike_and_the_attacked_strike_back() {
    let field = |a: &str, b: &str| {
        let flag = |of: &str| if of == "defends" { "defensive = true" } else { "" };
        arena()
            .plain("Three", 3, 9)
            .plain("Four", 4, 9)
            .a_with(1, "Three", flag(a))
            .b_with(1, "Four", flag(b))
            .battle()
            .always(|end| (end.size(A, 1).unwrap().1, end.size(B, 1).unwrap().1))
    };
    assert_eq!(field("attacks", "attacks"), (5, 6));
    assert_eq!(field("attacks", "defends"), (5, 6));
    assert_eq!(field("defends", "attacks"), (5, 6));
    assert_eq!(field("defends", "defends"), (9, 9), "nobody starts");
    // An attacker with nobody opposite hits the player. This holds for creatures of both sides, except for one on the
    // defensive.
    let life = arena()
        .plain("Three", 3, 9)
        .a(1, "Three")
        .b(2, "Three")
        .b_with(3, "Three", "defensive = true")
        .battle()
        .always(|end| (end.life(A), end.life(B)));
    assert_eq!(life, (117, 117));
}

#[test]
fn sf_47_player_armor_prevents_the_leftmost_damage_first() {
    let field = arena()
        .plain("Three", 3, 9)
        .plain("Four", 4, 9)
        .a(1, "Three")
        .a(2, "Four")
        .b_with(5, "Barrier Soldier", "defensive = true")
        .battle();
    let hits = field.always(|end| {
        let lost = |event: &Event| match *event {
            Event::Damage { lost, prevented, .. } => Some((lost, prevented)),
            _ => None,
        };
        (end.events.iter().filter_map(lost).collect::<Vec<_>>(), end.life(B))
    });
    assert_eq!(hits, (vec![(0, 3), (2, 2)], 118));
}

#[test]
fn sf_48_armor_takes_from_oros_only_if_he_is_leftmost() {
    let field = |oros: u8, other: u8| {
        arena()
            .plain("Five", 5, 9)
            .a(oros, "Oros, Deepwood's Chosen")
            .a(other, "Five")
            .b_with(5, "Barrier Soldier", "defensive = true")
            .life(A, 50)
            .battle()
            .always(|end| end.life(A))
    };
    assert_eq!(field(1, 2), 51, "6 damage less 5 armor");
    assert_eq!(field(2, 1), 56);
}

#[test]
fn sf_49_damage_check_damage_batch_check_death_batch() {
    // The Martyr dies in its own battle, and the ability that its damage to the player triggered still resolves.
    let dying = "[[cards]]\nname = \"Martyr\"\nfaction = \"tempys\"\nattack = [8]\nhealth = [1]\n\
                 keywords = [\"breakthrough\"]\n[[cards.abilities]]\nwhen = { hits_player = {} }\n\
                 do = [{ damage = { who = \"opponent\", amount = 10 } }]\n";
    let order = arena()
        .cards(dying)
        .a(1, "Martyr")
        .b(1, "Fell Walker")
        .a(5, "Grimgaunt Devourer")
        .battle()
        .always(|end| {
            let mark = |event: &Event| match *event {
                Event::Dies(_) => Some("death"),
                Event::Batch { source: Source::Damage, .. } => Some("damage batch"),
                Event::Batch { source: Source::Deaths, .. } => Some("death batch"),
                _ => None,
            };
            (end.events.iter().filter_map(mark).collect::<Vec<_>>(), end.life(B))
        });
    // 8 attack into 3 health lets 5 through, the Devourer deals 5 as well, and the dead Martyr's ability 10.
    assert_eq!(order, (vec!["death", "death", "damage batch", "death batch"], 120 - 5 - 5 - 10));
}

#[test]
fn sf_56_oros_cannot_save_from_the_first_hit() {
    let result = arena()
        .active("b")
        .plain("Six", 6, 9)
        .a(1, "Oros, Deepwood's Chosen")
        .b(2, "Six")
        .life(A, 6)
        .battle()
        .always(|end| (end.life(A), end.outcome));
    assert_eq!(result, (0, Outcome::Win(B)));
}

#[test]
fn sf_57_oros_saves_from_the_brawlers_second_hit() {
    for active in ["a", "b"] {
        let result = arena()
            .active(active)
            .a(1, "Oros, Deepwood's Chosen")
            .b(2, "Cinderfist Brawler")
            .life(A, 9)
            .battle()
            .always(|end| (end.life(A), end.outcome));
        assert_eq!(result, (1, Outcome::Undecided), "9 - 7, then -7 and +6 in either order");
    }
}

#[test]
fn sf_58_the_brawlers_second_hit_comes_before_the_siren_heals() {
    let result = arena()
        .active("b")
        .plain("Killer", 99, 99)
        .a(1, "Glowhive Siren")
        .b(1, "Killer")
        .b(2, "Cinderfist Brawler")
        .life(A, 9)
        .battle()
        .always(|end| (end.life(A), end.outcome));
    assert_eq!(result, (-5, Outcome::Win(B)));
}

#[test]
fn sf_59_damage_of_the_damage_batch_kills_before_deaths_give_buffs() {
    // The Devourer has 3 health and somebody dies in the battle: its +1/+1 comes too late.
    for (card, answer) in [("Riftlasher", Some("B5")), ("Flameblade Champion", None)] {
        let mut field = arena()
            .a(1, card)
            .plain("Killer", 99, 99)
            .a(2, "Killer")
            .b_with(2, "Death Seeker", "defensive = true")
            .b_with(5, "Grimgaunt Devourer", "defensive = true");
        if let Some(target) = answer {
            field = field.answer(A, card, &[target]);
        }
        assert_eq!(field.battle().always(|end| end.name(B, 5)), None, "{card}");
    }
}

/// A field on which side A's Cercee 4 hits the player of side B, whose Oros hits back.
fn cercee_and_oros(active: &'static str) -> Arena {
    arena()
        .active(active)
        .a(1, "Cercee, Hand of Varna@4")
        .b(2, "Oros, Deepwood's Chosen")
        .life(B, 30)
        .battle()
}

#[test]
fn sf_60_an_active_cercee_leaves_oros_player_with_what_oros_gains() {
    let result = cercee_and_oros("a").always(|end| (end.life(B), end.outcome));
    assert_eq!(result, (6, Outcome::Undecided));
}

#[test]
fn sf_61_a_non_active_cercee_kills() {
    let result = cercee_and_oros("b").always(|end| (end.life(B), end.outcome));
    assert_eq!(result, (0, Outcome::Win(A)));
}

#[test]
fn sf_62_the_siren_cannot_save_from_cercee() {
    let result = arena()
        .a(1, "Cercee, Hand of Varna@4")
        .plain("Killer", 99, 99)
        .a(3, "Killer")
        .b(3, "Glowhive Siren")
        .life(B, 30)
        .battle()
        .always(|end| (end.life(B), end.outcome));
    assert_eq!(result, (0, Outcome::Win(A)));
}

#[test]
fn sf_63_with_the_seat_drawn_oros_player_survives_half_the_time() {
    let survives = cercee_and_oros("random").odds(|end| end.outcome == Outcome::Undecided);
    assert_eq!(survives, odds([(true, part(1, 2)), (false, part(1, 2))]));
}

const ABOMINATION: &str = "[[cards]]\nname = \"Stitched\"\nfaction = \"nekrium\"\ntribes = [\"Abomination\"]\n\
                           attack = [1]\nhealth = [2]\n";

#[test]
fn sf_64_frankenbaum_and_yuru_see_everybody_who_dies_with_them() {
    for dying in 1..=4u8 {
        let mut field = arena()
            .cards(ABOMINATION)
            .plain("Killer", 99, 99)
            .a(1, "Dr. Frankenbaum")
            .b(1, "Killer");
        for lane in 2..=1 + dying {
            field = field.a(lane, "Stitched").b(lane, "Killer");
        }
        let lost = field.battle().always(|end| 120 - end.life(B));
        assert_eq!(lost, 2 * i16::from(dying), "he is no Abomination himself");
    }
    // Yuru dies with both neighbours, one of them a Spirit.
    let spirits = arena()
        .plain("Killer", 99, 99)
        .plain("Victim", 1, 1)
        .a(2, "Victim")
        .a(3, "Yuru, the Necrosage")
        .a(4, "Vengeful Spirit")
        .b(2, "Killer")
        .b(3, "Killer")
        .b(4, "Killer")
        .battle()
        .always(|end| end.lanes(A, "Risen Spirit"));
    assert_eq!(spirits, [2]);
}

#[test]
fn sf_64_a_creature_that_lives_on_its_players_life_dies_with_it() {
    // Oros 4 has 5 health left of his player's 10 life, and loses them when the last lane is counted.
    let spirits = arena()
        .plain("Killer", 99, 99)
        .plain("Five", 5, 9)
        .a(2, "Yuru, the Necrosage")
        .a_with(3, "Oros, Deepwood's Chosen@4", "damage = 5")
        .life(A, 10)
        .b(2, "Killer")
        .b(5, "Five")
        .battle()
        .always(|end| (end.deaths().len(), end.lanes(A, "Risen Spirit")));
    assert_eq!(spirits, (2, vec![3]));
}

#[test]
fn sf_65_they_see_only_those_who_die_before_or_with_them() {
    // A Spark kills the first, then an Invoker's 1 damage the second.
    let field = |first: &str, second: &str| {
        let more = |card: &str, left: i16| match card {
            "Dr. Frankenbaum" => format!("damage = {}", 5 - left),
            _ => format!("damage = {}", 2 - left),
        };
        arena()
            .cards(ABOMINATION)
            .a(1, "Flamebreak Invoker")
            .b_with(1, second, &more(second, 1))
            .b_with(2, first, &more(first, 2))
            .cast("Lightning Spark", &["B2"])
            .always(|end| (end.deaths().len(), 120 - end.life(A)))
    };
    assert_eq!(field("Dr. Frankenbaum", "Stitched"), (2, 0));
    assert_eq!(field("Stitched", "Dr. Frankenbaum"), (2, 2));
}
