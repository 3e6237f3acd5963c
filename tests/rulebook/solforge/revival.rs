//! Revival (SF-73 to SF-83).

use std::collections::BTreeMap;

use evens::games::solforge::event::{Entry, Event};
use num_rational::BigRational;

use super::arena::{A, Arena, Ending, arena, odds, part};

const DEAD: [&str; 4] =
    ["Zimus, the Undying@3", "Zimus, the Undying@3", "Zimus, the Undying@3", "Fell Walker@2"];

fn counted(end: &Ending, name: &str) -> usize {
    end.lanes(A, name).len()
}

#[test]
fn sf_73_every_death_is_one_chance_to_come_back() {
    let revived = arena()
        .dead(&DEAD)
        .play("Lyria, Muse of Varna@2", 3)
        .odds(|end| (counted(end, "Zimus, the Undying 3"), counted(end, "Fell Walker 2")));
    assert_eq!(revived, odds([((1, 0), part(3, 4)), ((0, 1), part(1, 4))]));
    // Deaths in the position itself count as well: even Zimus 3, each time.
    let own = arena()
        .plain("Killer", 99, 99)
        .dead(&["Fell Walker@2"])
        .a(1, "Zimus, the Undying@3")
        .b_with(1, "Killer", "defensive = true")
        .battle()
        .always(|end| end.state.dead.len());
    assert_eq!(own, 2);
}

fn four_dryads() -> Arena {
    arena().dead(&["Spring Dryad"]).play("Lyria, Muse of Varna@3", 3)
}

#[test]
fn sf_74_lyria_3_fills_four_spaces_one_after_another() {
    let sizes = |end: &Ending| [1, 2, 4, 5].map(|lane| end.size(A, lane).unwrap());
    let placements = four_dryads().odds(sizes);
    assert_eq!(placements.len(), 24);
    assert!(placements.values().all(|share| *share == part(1, 24)));
    for lane in 0..4 {
        let mut of_lane: BTreeMap<(i16, i16), BigRational> = BTreeMap::new();
        for (sizes, share) in &placements {
            *of_lane.entry(sizes[lane]).or_default() += share;
        }
        let quarter = part(1, 4);
        let all = [3, 4, 5, 6].map(|size| ((size, size), quarter.clone()));
        assert_eq!(of_lane, odds(all));
    }
}

/// "Up to 4 creatures", even if her own space is free by then.
#[test]
fn sf_74_lyria_3_brings_back_four_at_most() {
    let cards = "[[cards]]\nname = \"Egg\"\nfaction = \"nekrium\"\nattack = [1]\nhealth = [1]\n\
                 [[cards.abilities]]\nwhen = \"vengeance\"\n\
                 do = [{ spawn = { card = \"Lyria, Muse of Varna\", level = 3, to = \"here\" } }]\n\
                 [[cards]]\nname = \"Warden\"\nfaction = \"nekrium\"\nattack = [1]\nhealth = [9]\n\
                 [[cards.abilities]]\n\
                 when = { enters = { creature = { side = \"enemy\", tribe = \"Human\" } } }\n\
                 do = [{ destroy = { who = \"subject\" } }]\n";
    let revived = |end: &Ending| {
        let is_revived = |event: &&Event| matches!(event, Event::Enters(_, Entry::Revived));
        end.events.iter().filter(is_revived).count()
    };
    let field = arena().cards(cards).active("b").dead(&["Fell Walker"]).a(1, "Egg").b(1, "Warden");
    assert_eq!(field.cast("Cull the Weak", &["A1"]).always(revived), 4);
}

#[test]
fn sf_75_lyria_3_draws_with_replacement() {
    let revived = arena()
        .dead(&DEAD)
        .play("Lyria, Muse of Varna@3", 3)
        .odds(|end| counted(end, "Zimus, the Undying 3"));
    // Binomial(4, 3/4).
    let shares = [1, 12, 54, 108, 81];
    assert_eq!(
        revived,
        shares.into_iter().enumerate().map(|(n, share)| (n, part(share, 256))).collect()
    );
    assert_eq!(revived[&4], part(81, 256));
}

#[test]
fn sf_76_what_pact_brings_back_enters_together() {
    let sizes = arena().dead(&["Spring Dryad"]).cast("Varna's Pact@3", &[]).always(|end| {
        let sizes: Vec<(i16, i16)> = (1..=5).filter_map(|lane| end.size(A, lane)).collect();
        sizes
    });
    assert_eq!(sizes, [(5, 5); 3]);
}

fn all_sizes(end: &Ending) -> Vec<(i16, i16)> {
    (1..=5).filter_map(|lane| end.size(A, lane)).collect()
}

#[test]
fn sf_77_deathweavers_that_enter_together_buff_each_other_and_themselves() {
    let pact = |card: &str| arena().dead(&["Tarsus Deathweaver"]).cast(card, &[]);
    assert_eq!(pact("Varna's Pact@2").always(all_sizes), [(9, 9); 2]);
    // Nine abilities have too many orders to walk; none of them makes a difference.
    for end in pact("Varna's Pact@3").samples(200) {
        assert_eq!(all_sizes(&end), [(11, 11); 3]);
    }
}

#[test]
fn sf_78_they_buff_everything_else_that_enters_with_them() {
    let mut seen = 0;
    let pact = arena().dead(&["Tarsus Deathweaver", "Fell Walker"]).cast("Varna's Pact@3", &[]);
    for end in pact.samples(400) {
        if let [walker] = end.lanes(A, "Fell Walker")[..] {
            assert_eq!(end.size(A, walker), Some((7, 7)), "two Deathweavers entered with it");
            seen += 1;
        }
    }
    // Three in eight triples drawn from the two cards have two Deathweavers and one Fell Walker: 150 expected, checked
    // within 4 sigma.
    assert!((110..=190).contains(&seen), "{seen}");
}

/// A field on which Suruzal is played beside a Victim, which she destroys, and a Doomrider.
fn suruzal() -> Arena {
    arena()
        .cards("[[cards]]\nname = \"Victim\"\nfaction = \"nekrium\"\nattack = [2]\nhealth = [2]\n")
        .a(1, "Grimgaunt Doomrider")
        .a_with(2, "Victim", "damage = 1")
        .answer(A, "Suruzal, Emissary of Varna", &["A2"])
        .play("Suruzal, Emissary of Varna", 3)
}

#[test]
fn sf_79_suruzal_destroys_and_puts_a_fresh_copy_in_the_same_batch() {
    let result = suruzal().always(|end| {
        let entered = end.position_of(|event| matches!(event, Event::Enters(_, Entry::Spawned)));
        let died = end.position_of(|event| matches!(event, Event::Dies(_)));
        let over = end.position_of(|event| matches!(event, Event::BatchOver(_)));
        let copy = end.lanes(A, "Victim");
        (entered < over, over < died, copy.len(), end.size(A, copy[0]))
    });
    assert_eq!(result, (true, true, 1, Some((2, 2))), "fresh: without the damage");
}

#[test]
fn sf_80_doomrider_moves_unless_the_copy_lands_in_the_old_space() {
    let moved = suruzal().odds(|end| end.name(A, 1).as_deref() != Some("Grimgaunt Doomrider"));
    // Suruzal, the Doomrider and the target leave E = 3 spaces, one of them the target's own.
    let landed = suruzal().odds(|end| {
        let entered = |event: &Event| match *event {
            Event::Enters(who, Entry::Spawned) => Some(who.lane + 1),
            _ => None,
        };
        end.events.iter().find_map(entered).unwrap()
    });
    assert_eq!(landed, odds([(2, part(1, 3)), (4, part(1, 3)), (5, part(1, 3))]));
    assert_eq!(moved[&true], part(2, 3));
    assert_eq!(moved[&false], part(1, 3));
}

#[test]
fn sf_81_charnel_titan_looks_at_the_opponents_creatures_only() {
    let alone = arena().a(1, "Fell Walker").play("Charnel Titan", 2);
    assert_eq!(
        alone.always(|end| end.size(A, 2)),
        Some((3, 5)),
        "neither itself nor a friend counts"
    );
    let opposed = arena().b(5, "Fell Walker").play("Charnel Titan", 2);
    assert_eq!(opposed.always(|end| end.size(A, 2)), Some((6, 8)));
    let large = arena().b(5, "Grimgaunt Devourer").play("Charnel Titan", 2);
    assert_eq!(large.always(|end| end.size(A, 2)), Some((3, 5)));
}

/// "It triggers only when it enters the field": wherever it comes from.
#[test]
fn sf_81_charnel_titan_looks_also_where_it_is_brought_back() {
    let revived =
        |enemy: &str| {
            arena().dead(&["Charnel Titan"]).b(5, enemy).play("Lyria, Muse of Varna@2", 3).always(
                |end| end.lanes(A, "Charnel Titan").into_iter().find_map(|at| end.size(A, at)),
            )
        };
    assert_eq!(revived("Fell Walker"), Some((6, 8)));
    assert_eq!(revived("Grimgaunt Devourer"), Some((3, 5)));
}

#[test]
fn sf_82_a_deathweaver_that_is_put_on_the_field_buffs_itself() {
    let revived = arena()
        .dead(&["Tarsus Deathweaver"])
        .cast("Varna's Pact", &[])
        .always(|end| (1..=5).find_map(|lane| end.size(A, lane)));
    assert_eq!(revived, Some((7, 7)));
    let played = arena().play("Tarsus Deathweaver", 1).always(|end| end.size(A, 1));
    assert_eq!(played, Some((5, 5)));
}

#[test]
fn sf_83_a_card_is_of_level_1_unless_it_says_otherwise() {
    let sizes = arena()
        .a(1, "Grimgaunt Predator")
        .a(2, "Grimgaunt Predator@2")
        .play("Fell Walker", 3)
        .always(|end| (end.size(A, 1), end.size(A, 2), end.size(A, 3), end.name(A, 3)));
    let expected = (Some((5, 5)), Some((9, 9)), Some((3, 3)), Some("Fell Walker".to_owned()));
    assert_eq!(sizes, expected);
}
