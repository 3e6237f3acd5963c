//! Grimgaunt Doomrider (SF-66 to SF-72).

use evens::games::solforge::event::Event;

use super::arena::{A, Arena, B, arena, odds, part};

fn field() -> Arena {
    arena().plain("Victim", 1, 1).plain("Ten", 0, 10).b_with(4, "Ten", "defensive = true")
}

#[test]
fn sf_66_a_living_doomrider_debuffs_moves_and_is_buffed() {
    let result = field()
        .a(1, "Grimgaunt Doomrider")
        .a(4, "Victim")
        .cast("Lightning Spark", &["A4"])
        .always(|end| (end.name(A, 1), end.size(A, 4), end.size(B, 4)));
    assert_eq!(result, (None, Some((5, 7)), Some((-1, 9))));
}

#[test]
fn sf_67_a_space_that_is_taken_leaves_everything_as_it_is() {
    // The dead Walker's Zombie takes the space in the same batch; dice decide which comes first.
    let result = field()
        .a(1, "Grimgaunt Doomrider")
        .a(4, "Fell Walker")
        .cast("Lightning Spark", &["A4"])
        .odds(|end| (end.name(A, 4).unwrap(), end.size(A, 1), end.size(B, 4).unwrap()));
    assert_eq!(
        result,
        odds([
            (("Zombie".to_owned(), Some((4, 6)), (0, 10)), part(1, 2)),
            (("Grimgaunt Doomrider".to_owned(), None, (-1, 9)), part(1, 2)),
        ])
    );
}

#[test]
fn sf_68_a_dead_doomrider_only_debuffs() {
    let result = field()
        .active("b")
        .b(1, "Flamebreak Invoker")
        .a_with(1, "Grimgaunt Doomrider", "damage = 5")
        .a(4, "Victim")
        .cast("Burnout", &["A4"])
        .always(|end| (end.deaths(), end.name(A, 4), end.size(B, 4)));
    let deaths = ["A4 Victim", "A1 Grimgaunt Doomrider"].map(str::to_owned).to_vec();
    assert_eq!(result, (deaths, None, Some((-1, 9))));
}

#[test]
fn sf_68_nobody_reacts_to_its_own_death() {
    // The Doomrider's own death triggers Vengeance; "the creature it's triggering off of" is another one.
    let own = arena()
        .plain("Ten", 0, 10)
        .b_with(1, "Ten", "defensive = true")
        .a(1, "Grimgaunt Doomrider")
        .cast("Lightning Spark", &["A1"])
        .always(|end| (end.deaths().len(), end.size(B, 1)));
    assert_eq!(own, (1, Some((0, 10))));
    let frankenbaum = arena()
        .a(1, "Dr. Frankenbaum")
        .cast("Lightning Spark", &["A1"])
        .always(|end| (end.deaths().len(), end.life(B)));
    assert_eq!(frankenbaum, (1, 120));
    // Each of two that die together sees the other die.
    let two = arena()
        .active("b")
        .b_with(1, "Flamebreak Invoker", "defensive = true")
        .b_with(2, "Woebringer", "defensive = true")
        .a_with(1, "Grimgaunt Doomrider", "damage = 5")
        .a_with(2, "Grimgaunt Doomrider", "damage = 5")
        .cast("Lightning Spark", &["A"])
        .always(|end| (end.deaths().len(), end.size(B, 1), end.size(B, 2)));
    assert_eq!(two, (2, Some((3, 5)), Some((6, 4))));
}

#[test]
fn sf_69_only_a_living_doomrider_sets_off_moves() {
    let hits = |damage: i16| {
        field()
            .active("b")
            .b(1, "Flamebreak Invoker")
            .a_with(1, "Grimgaunt Doomrider", &format!("damage = {damage}"))
            .a(2, "Frostfang Maiden")
            .a(4, "Victim")
            .cast("Burnout", &["A4"])
            .always(|end| {
                let moved = end.events.iter().any(|event| matches!(event, Event::Moves(..)));
                (moved, end.size(B, 4))
            })
    };
    assert_eq!(hits(0), (true, Some((-1, 10 - 1 - 3))), "alive: it moves, and the Maiden deals 3");
    assert_eq!(hits(5), (false, Some((-1, 9))), "dead: only the debuff");
}

#[test]
fn sf_70_of_several_living_doomriders_one_moves() {
    for riders in 1..=3u8 {
        let mut field = field().a(4, "Victim");
        for lane in 1..=riders {
            field = field.a(lane, "Grimgaunt Doomrider");
        }
        let field = field.cast("Lightning Spark", &["A4"]);
        let moved = field.odds(|end| (1..=riders).find(|&lane| end.name(A, lane).is_none()));
        let share = part(1, u32::from(riders));
        assert_eq!(moved, (1..=riders).map(|lane| (Some(lane), share.clone())).collect());
        assert_eq!(
            field.always(|end| (end.size(A, 4), end.size(B, 4))),
            (Some((5, 7)), Some((-1, 9)))
        );
    }
}

#[test]
fn sf_71_the_active_players_doomrider_comes_first() {
    // Both sides lose a creature in the same combat, lane against lane.
    for (active, first) in [("a", "A"), ("b", "B")] {
        let order = arena()
            .active(active)
            .plain("Victim", 1, 1)
            .a(1, "Grimgaunt Doomrider")
            .a(4, "Victim")
            .b_with(2, "Grimgaunt Doomrider", "defensive = true")
            .b(4, "Victim")
            .battle()
            .always(|end| end.resolved());
        assert_eq!(order.len(), 2);
        assert!(order[0].starts_with(first), "{order:?}");
    }
}

#[test]
fn sf_72_burnout_and_an_invoker_against_two_doomriders() {
    let result = field()
        .active("b")
        .b(1, "Flamebreak Invoker")
        .a_with(1, "Grimgaunt Doomrider", "damage = 5")
        .a_with(2, "Grimgaunt Doomrider", "damage = 5")
        .a(4, "Victim")
        .cast("Burnout", &["A4"])
        .always(|end| (end.deaths().len(), end.name(A, 4), end.size(B, 4)));
    assert_eq!(result, (3, None, Some((-2, 8))));
}
