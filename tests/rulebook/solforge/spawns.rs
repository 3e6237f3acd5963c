//! Fixed and random spawns (SF-25 to SF-29).

use std::collections::BTreeMap;

use super::arena::{A, Arena, arena, part};

/// A field on which Zimus 3 in lane 1 and Fell Walker in lane 2 die in the same combat. After the deaths, `free` spaces
/// are free.
fn zimus_and_walker(free: u8) -> Arena {
    let mut field = arena()
        .plain("Wall", 0, 99)
        .plain("Killer", 99, 99)
        .a(1, "Zimus, the Undying@3")
        .a(2, "Fell Walker")
        .b(1, "Killer")
        .b(2, "Killer");
    // The two spaces of the dead are free after the deaths.
    for lane in free + 1..=5 {
        field = field.a(lane, "Wall");
    }
    field.battle()
}

#[test]
fn sf_25_zimus_takes_the_walkers_space_first_1_in_2_e_times() {
    for (free, denominator) in [(5, 10), (4, 8), (3, 6), (2, 4)] {
        let zombies = zimus_and_walker(free).odds(|end| end.lanes(A, "Zombie").len());
        assert_eq!(zombies[&0], part(1, denominator), "{free} free spaces");
        assert_eq!(zombies[&1], part(denominator - 1, denominator));
        let zimus = zimus_and_walker(free).always(|end| end.lanes(A, "Zimus, the Undying 3").len());
        assert_eq!(zimus, 1);
    }
}

#[test]
fn sf_26_where_zimus_appears() {
    for free in 2..=5u8 {
        let e = u32::from(free);
        let lanes = zimus_and_walker(free).odds(|end| end.lanes(A, "Zimus, the Undying 3")[0]);
        let mut expected = BTreeMap::new();
        for lane in 1..=free {
            // First (1/2): any of E. Second (1/2): any of the other E - 1.
            let second = if lane == 2 { part(0, 1) } else { part(1, 2 * (e - 1)) };
            expected.insert(lane, part(1, 2 * e) + second);
        }
        assert_eq!(lanes, expected);
        assert_eq!(lanes[&2], part(1, 2 * e));
    }
}

#[test]
fn sf_27_random_spawns_take_free_lanes_until_there_are_none() {
    // Three die whose copies appear at random, side A's two other lanes are taken: three free, three spawn.
    let field = |walls: &[u8]| {
        let mut field = arena().plain("Wall", 0, 99).plain("Killer", 99, 99);
        for lane in 1..=3 {
            field = field.a(lane, "Zimus, the Undying@3").b(lane, "Killer");
        }
        for &lane in walls {
            field = field.a(lane, "Wall");
        }
        field.battle()
    };
    assert_eq!(field(&[4, 5]).always(|end| end.lanes(A, "Zimus, the Undying 3").len()), 3);
    // Spirits of Death Seekers beside them leave two lanes for three: two appear.
    let two = "[[cards]]\nname = \"Swarm\"\nfaction = \"nekrium\"\nattack = [1]\nhealth = [1]\n\
               [[cards.abilities]]\nwhen = \"vengeance\"\ndo = [\
               { spawn = { card = \"Zombie\", to = \"random\" } }, { spawn = { card = \"Zombie\", to = \"random\" } },\
               { spawn = { card = \"Zombie\", to = \"random\" } }]\n";
    let appear = arena()
        .cards(two)
        .plain("Wall", 0, 99)
        .plain("Killer", 99, 99)
        .a(1, "Swarm")
        .a(2, "Wall")
        .a(3, "Wall")
        .a(4, "Wall")
        .b(1, "Killer")
        .battle()
        .always(|end| end.lanes(A, "Zombie").len());
    assert_eq!(appear, 2, "three spawns, two free lanes");
}

#[test]
fn sf_28_spawns_into_their_own_spaces_never_conflict() {
    let zombies = arena()
        .plain("Killer", 99, 99)
        .a(2, "Fell Walker")
        .a(4, "Fell Walker")
        .b(2, "Killer")
        .b(4, "Killer")
        .battle()
        .always(|end| end.lanes(A, "Zombie"));
    assert_eq!(zombies, [2, 4]);
}

#[test]
fn sf_29_a_shambler_that_moves_in_leaves_no_room_for_the_zombie() {
    let result = arena()
        .a(2, "Xithian Shambler")
        .a(3, "Fell Walker")
        .activate(2, &["A3"])
        .always(|end| (end.name(A, 2), end.name(A, 3), end.size(A, 3), end.lanes(A, "Zombie")));
    assert_eq!(result, (None, Some("Xithian Shambler".to_owned()), Some((6, 7)), vec![]));
}
