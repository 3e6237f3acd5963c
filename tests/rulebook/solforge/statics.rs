//! Statics and changes of attack and health (SF-40 to SF-45).

use super::arena::{A, Arena, B, arena};

#[test]
fn sf_40_a_behemoth_left_of_a_general_has_its_health_and_2_more() {
    let field = arena().a(2, "Shardplate Behemoth").a(3, "Alloyin General").cast("Burnout", &["B"]);
    assert_eq!(field.always(|end| end.size(A, 2)), Some((12, 10)));
}

#[test]
fn sf_41_a_behemoth_right_of_a_general_has_its_health() {
    let field = arena().a(2, "Alloyin General").a(3, "Shardplate Behemoth").cast("Burnout", &["B"]);
    assert_eq!(field.always(|end| end.size(A, 3)), Some((10, 10)));
}

#[test]
fn sf_42_effects_read_current_numbers_however_they_came_about() {
    // Cull the Weak destroys a creature of up to 4 attack. A fifth point is too much, wherever it comes from.
    let culled = |more: &dyn Fn(Arena) -> Arena| {
        let field = more(arena().loose().plain("Four", 4, 9).b(2, "Four"));
        field.cast("Cull the Weak", &["B2"]).always(|end| end.name(B, 2).is_none())
    };
    assert!(culled(&|field| field));
    assert!(!culled(&|field| field.cast("Heavy Artillery", &["B2"])), "permanent");
    assert!(!culled(&|field| field.b(3, "Alloyin General")), "static");
    assert!(!culled(&|field| field.cast("Lightning Brand", &["B2"])), "temporary");
    let maiden = arena()
        .plain("Twenty", 0, 20)
        .a(1, "Wildfire Maiden")
        .a(2, "Alloyin General")
        .b(5, "Twenty")
        .cast("Heavy Artillery", &["A1"])
        .activate(1, &[])
        .always(|end| end.size(B, 5));
    assert_eq!(maiden, Some((0, 20 - (4 + 2 + 5))));
    let temporary = arena()
        .plain("Twenty", 0, 20)
        .a(1, "Wildfire Maiden")
        .a(2, "Abraxas, Avatar of Kadras")
        .b(5, "Twenty")
        .activate(2, &["A1"])
        .activate(1, &[])
        .always(|end| end.size(B, 5));
    assert_eq!(temporary, Some((0, 12)));
}

#[test]
fn sf_43_what_ends_takes_its_inverse_even_if_the_boost_is_gone() {
    let maiden = arena()
        .plain("Twenty", 0, 20)
        .a(1, "Wildfire Maiden")
        .a(2, "Abraxas, Avatar of Kadras")
        .b(5, "Twenty")
        .activate(2, &["A1"])
        .activate(1, &[]);
    assert_eq!(
        maiden.always(|end| (end.size(A, 1), end.size(B, 5))),
        (Some((0, 5)), Some((0, 12)))
    );
    assert_eq!(maiden.end_turn().always(|end| end.size(A, 1)), Some((-4, 5)));
}

/// She deals as much as she loses: with an attack below 0, both are nothing.
#[test]
fn sf_43_a_maiden_below_no_attack_loses_none() {
    let maiden = arena()
        .plain("Twenty", 0, 20)
        .a(1, "Wildfire Maiden")
        .a(2, "Abraxas, Avatar of Kadras")
        .b(5, "Twenty")
        .activate(2, &["A1"])
        .activate(1, &[])
        .end_turn()
        .start_turn()
        .end_turn()
        .start_turn();
    let again = maiden.clone().activate(1, &[]);
    for end in [maiden, again] {
        assert_eq!(
            end.always(|end| (end.size(A, 1), end.size(B, 5))),
            (Some((-4, 5)), Some((0, 12)))
        );
    }
}

#[test]
fn sf_44_leaving_the_centre_takes_the_inverse_too() {
    // In the centre Nexus Aeronaut gives 2 attack, which the Maiden loses with the rest.
    let maiden = arena()
        .plain("Twenty", 0, 20)
        .a(1, "Wildfire Maiden")
        .a(3, "Nexus Aeronaut")
        .b(5, "Twenty")
        .activate(1, &[]);
    assert_eq!(
        maiden.always(|end| (end.size(A, 1), end.size(B, 5))),
        (Some((0, 5)), Some((0, 14)))
    );
    assert_eq!(maiden.walk(3, 4).always(|end| end.size(A, 1)), Some((-2, 5)));
}

#[test]
fn sf_45_health_that_turnabout_takes_is_damage() {
    let swapped = arena().plain("Lean", 3, 7).a(1, "Lean").cast("Turnabout", &["A1"]);
    assert_eq!(
        swapped.always(|end| (end.size(A, 1), end.state.at(A, 0).damage)),
        (Some((7, 3)), 4)
    );
    let healed = swapped.clone().cast("Verdant Grace", &["A1"]);
    assert_eq!(healed.always(|end| end.size(A, 1)), Some((7, 7)));
    let patriarch = swapped.a(2, "Mossbeard Patriarch");
    assert_eq!(
        patriarch.clone().activate(2, &["A1"]).always(|end| end.size(A, 1)),
        Some((7, 7)),
        "a heal, up to the health it had"
    );
    let twice = patriarch.activate(2, &["A1"]).end_turn().start_turn().end_turn().start_turn();
    assert_eq!(twice.activate(2, &["A1"]).always(|end| end.size(A, 1)), Some((7, 7)));
    // Abilities that listen for damage count it as damage, and no armor prevents it.
    let saur = r#"
[[cards]]
name = "Saur"
faction = "uterra"
attack = [3]
health = [7]
armor = [9]
[[cards.abilities]]
when = "is_damaged"
do = [{ gain = { attack = { of = "dealt" } } }]
"#;
    let listens = arena().cards(saur).a(1, "Saur").cast("Turnabout", &["A1"]);
    assert_eq!(listens.always(|end| end.size(A, 1)), Some((7 + 4, 3)));
    // Damage that a creature already has stays, and so does its maximum health unless the swap raises it.
    let hurt = |attack: i16| {
        let field = arena().plain("Hurt", attack, 7).a_with(1, "Hurt", "damage = 2");
        let swapped = field.cast("Turnabout", &["A1"]);
        let healed = swapped.clone().cast("Verdant Grace", &["A1"]);
        let damage = swapped.always(|end| (end.size(A, 1), end.state.at(A, 0).damage));
        (damage, healed.always(|end| end.size(A, 1)))
    };
    assert_eq!(hurt(3), ((Some((5, 3)), 4), Some((5, 7))));
    assert_eq!(hurt(8), ((Some((5, 8)), 2), Some((5, 10))));
    // Where the swap raises health, nothing counts as damage.
    let raised = arena().plain("Strong", 7, 3).a(1, "Strong").cast("Turnabout", &["A1"]);
    assert_eq!(raised.always(|end| (end.size(A, 1), end.state.at(A, 0).damage)), (Some((3, 7)), 0));
}
