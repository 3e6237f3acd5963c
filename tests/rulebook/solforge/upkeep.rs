//! SF-X: rules from turn to turn that the rulebook takes for granted.

use evens::game::Outcome;
use evens::games::solforge::event::Event;

use super::arena::{A, Arena, B, arena, odds, part};

/// Lets the next turns of side B and then side A begin, without a battle.
fn next_own_turn(field: Arena) -> Arena {
    field.end_turn().start_turn().end_turn().start_turn()
}

#[test]
fn sf_x_in_an_additional_battle_only_those_fight_who_have_one_left() {
    let lives = arena()
        .plain("Three", 3, 9)
        .a(1, "Zyx, Storm Herald")
        .a(2, "Three")
        .b(5, "Three")
        .battle()
        .battle()
        .always(|end| (end.battles(), end.life(A), end.life(B)));
    assert_eq!(lives, (2, 120 - 3, 120 - 3 - 2 * 4));
}

#[test]
fn sf_x_armor_is_whole_again_each_turn() {
    let field = arena()
        .plain("Three", 3, 9)
        .plain("One", 1, 9)
        .a(1, "Three")
        .a(2, "One")
        .b_with(5, "Barrier Soldier", "defensive = true")
        .b_with(2, "Anvillon Arbiter", "defensive = true")
        .battle();
    let both = |end: &super::arena::Ending| (end.life(B), end.size(B, 2));
    assert_eq!(field.always(both), (120, Some((3, 6))));
    // In the other player's turn, and in the next turn of one's own.
    let other = field.end_turn().start_turn().battle();
    assert_eq!(other.always(both), (120, Some((3, 6))));
    assert_eq!(other.end_turn().start_turn().battle().always(both), (120, Some((3, 6))));
}

#[test]
fn sf_x_a_creature_is_on_the_defensive_until_its_owners_next_turn() {
    let field = arena().plain("Three", 3, 9).play("Three", 1).battle();
    assert_eq!(field.always(|end| end.life(B)), 120);
    let others_turn = field.clone().end_turn().start_turn().battle();
    assert_eq!(others_turn.always(|end| end.life(B)), 120);
    assert_eq!(next_own_turn(field).battle().always(|end| end.life(B)), 117);
}

#[test]
fn sf_x_everybody_battles_once_a_turn_and_again_in_the_next() {
    let field = arena().loose().plain("Three", 3, 9).a(1, "Three").battle().battle();
    assert_eq!(field.always(|end| end.life(B)), 117);
    assert_eq!(next_own_turn(field).battle().always(|end| end.life(B)), 114);
}

#[test]
fn sf_x_what_lasts_until_the_end_of_the_next_turn_outlasts_one() {
    let armor = |field: &Arena| field.always(|end| end.state.at(A, 1).armor);
    let attacks = |field: &Arena| field.always(|end| end.state.at(A, 1).attacks());
    let gargoyle = arena().a(2, "Brightsteel Gargoyle").end_turn();
    assert_eq!((armor(&gargoyle), attacks(&gargoyle)), (2, false), "Armor 2 and Defender");
    let next = gargoyle.start_turn().end_turn();
    assert_eq!((armor(&next), attacks(&next)), (0, true));
}

#[test]
fn sf_x_a_creature_does_not_react_to_its_own_being_played() {
    let ally = "[[cards]]\nname = \"Ally\"\nfaction = \"tempys\"\nattack = [1]\nhealth = [9]\n\
                [[cards.abilities]]\nwhen = { plays = {} }\ndo = [{ gain = { attack = 1 } }]\n";
    let alone = arena().cards(ally).play("Ally", 1);
    assert_eq!(alone.always(|end| end.size(A, 1)), Some((1, 9)));
    assert_eq!(alone.play("Fell Walker", 2).always(|end| end.size(A, 1)), Some((2, 9)));
}

#[test]
fn sf_x_what_is_for_ones_own_turn_waits_for_it() {
    let ghox = arena().a(1, "Ghox, Metamind Paragon").deck(A, &["Enrage"; 9]).end_turn();
    assert_eq!(ghox.clone().start_turn().always(|end| end.hand(A)), 5);
    assert_eq!(ghox.start_turn().end_turn().start_turn().always(|end| end.hand(A)), 6);
    let lash = |active: &'static str| {
        arena()
            .loose()
            .active(active)
            .plain("Wall", 0, 9)
            .a(1, "Riftlasher")
            .b_with(3, "Wall", "defensive = true")
            .answer(A, "Riftlasher", &["B3"])
            .battle()
            .always(|end| end.size(B, 3))
    };
    assert_eq!((lash("a"), lash("b")), (Some((0, 6)), Some((0, 9))));
}

#[test]
fn sf_x_breakthrough_is_for_the_offensive() {
    let lives = |more: &str| {
        arena()
            .plain("Frail", 1, 2)
            .a_with(1, "Oros, Deepwood's Chosen", more)
            .b(1, "Frail")
            .battle()
            .always(|end| (end.life(B), end.name(B, 1)))
    };
    assert_eq!(lives(""), (120 - 4, None));
    assert_eq!(lives("defensive = true"), (120, None));
}

#[test]
fn sf_07_in_sudden_death_only_the_end_of_a_turn_decides() {
    let tie = arena().plain("Ten", 10, 50).a(1, "Ten").b(2, "Ten").life(A, 8).life(B, 8).battle();
    let behind = tie.cast("Burnout", &["B"]);
    let verdict = |field: &Arena| field.always(|end| (end.life(A), end.life(B), end.outcome));
    assert_eq!(verdict(&behind), (-2, -10, Outcome::Undecided));
    assert_eq!(verdict(&behind.clone().end_turn()), (-2, -10, Outcome::Win(A)));
    let even = behind.cast("Burnout", &["A"]);
    assert_eq!(verdict(&even.end_turn()), (-10, -10, Outcome::Undecided));
}

#[test]
fn sf_x_who_is_replaced_does_not_die() {
    let result = arena()
        .plain("Heir", 1, 1)
        .a(1, "Grimgaunt Devourer")
        .a(2, "Fell Walker")
        .play("Heir", 2)
        .always(|end| (end.name(A, 2), end.size(A, 1), end.deaths().len()));
    assert_eq!(result, (Some("Heir".to_owned()), Some((5, 3)), 0));
}

#[test]
fn sf_x_what_an_ability_destroys_shares_its_batch() {
    // Shambler's move sets off the Maiden, the meal's death the Devourer.
    let batches = arena()
        .plain("Meal", 1, 1)
        .a(1, "Frostfang Maiden")
        .a(2, "Xithian Shambler")
        .a(3, "Meal")
        .a(5, "Grimgaunt Devourer")
        .activate(2, &["A3"])
        .always(|end| {
            let size = |event: &Event| match *event {
                Event::Batch { size, .. } => Some(size),
                _ => None,
            };
            end.events.iter().filter_map(size).collect::<Vec<_>>()
        });
    assert_eq!(batches, [2]);
}

#[test]
fn sf_11_who_was_saved_is_killed_when_it_is_killed_again() {
    let harm = |tribe: &str, verb: &str| {
        let who = format!("{{ each = {{ tribe = \"{tribe}\" }} }}");
        if verb == "heal" {
            return format!("{{ heal = {{ who = {who}, amount = 9 }} }}");
        }
        format!("{{ damage = {{ who = {who}, amount = 2 }} }}")
    };
    let spell = |order: &[(&str, &str)]| {
        let effects: Vec<String> = order.iter().map(|(tribe, verb)| harm(tribe, verb)).collect();
        let frail = |name: &str| {
            format!(
                "[[cards]]\nname = \"{name}\"\nfaction = \"uterra\"\ntribes = [\"{name}\"]\nattack = [1]\nhealth = [2]\n"
            )
        };
        let cards = format!(
            "{}{}[[cards]]\nname = \"Storm\"\nfaction = \"tempys\"\n[[cards.abilities]]\nwhen = \"cast\"\n\
             do = [{}]\n",
            frail("Elm"),
            frail("Oak"),
            effects.join(", ")
        );
        arena().cards(&cards).b(1, "Elm").b(2, "Oak").cast("Storm", &[]).always(|end| end.deaths())
    };
    let (hurt, heal) = ("hurt", "heal");
    assert_eq!(spell(&[("Elm", hurt), ("Oak", hurt)]), ["B1 Elm", "B2 Oak"]);
    let saved = spell(&[("Elm", hurt), ("Elm", heal), ("Oak", hurt), ("Elm", hurt)]);
    assert_eq!(saved, ["B2 Oak", "B1 Elm"]);
}

#[test]
fn sf_x_who_has_moved_sees_from_where_it_is() {
    let scout = "[[cards]]\nname = \"Scout\"\nfaction = \"tempys\"\nattack = [1]\nhealth = [9]\n\
                 [[cards.abilities]]\nwhen = { turn_starts = {} }\ndo = [{ move = { to = \"random\" } }]\n\
                 [[cards.abilities]]\nwhen = { turn_starts = {} }\n\
                 do = [{ damage = { who = { each = { place = \"opposite\" } }, amount = 1 } }]\n";
    let hit = arena()
        .cards(scout)
        .plain("Wall", 0, 9)
        .a(1, "Scout")
        .a(3, "Wall")
        .a(4, "Wall")
        .a(5, "Wall")
        .b(1, "Wall")
        .b(2, "Wall")
        .start_turn()
        .odds(|end| (end.size(B, 1).unwrap().1, end.size(B, 2).unwrap().1));
    assert_eq!(hit, odds([((8, 9), part(1, 2)), ((9, 8), part(1, 2))]));
}
