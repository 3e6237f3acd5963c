//! SF-X: words that the rulebook's cards do not need, each with a card of `more.toml` that uses it.

use evens::games::solforge::event::Event;
use evens::games::solforge::keyword::Keyword;

use super::arena::{A, Arena, B, arena, odds, part};

const MORE: &str = include_str!("../../../scenarios/solforge/cards/more.toml");

/// A field on which the cards of `more.toml` can be played.
fn field() -> Arena {
    arena().cards(MORE)
}

#[test]
fn sf_x_a_filter_can_ask_for_lanes() {
    let brute = |lane: u8| {
        let field = field().a(2, "Abyssal Brute").play("Fell Walker", lane);
        field.always(|end| (end.size(A, lane), end.state.at(A, lane - 1).regenerate))
    };
    assert_eq!([brute(1), brute(5)], [(Some((4, 4)), 1); 2]);
    assert_eq!([brute(3), brute(4)], [(Some((3, 3)), 0); 2]);
}

#[test]
fn sf_x_a_creature_can_react_to_being_damaged() {
    let hurt = |spell: &str| {
        let field = field().a(1, "Thundersaur").cast(spell, &["A1"]);
        field.always(|end| end.size(A, 1))
    };
    assert_eq!(hurt("Lightning Spark"), Some((6, 6)), "not in battle");
    assert_eq!(hurt("Enrage"), Some((3, 15)), "no damage");
    let fight = field().a(1, "Thundersaur").b_with(1, "Fell Walker", "attack = 5").battle();
    assert_eq!(fight.always(|end| end.size(A, 1)), Some((5, 7)), "in battle");
    // What armor prevents is not dealt, and the dead do not react.
    let armor = field().plain("Guard", 0, 9).a(1, "Necromoeba").cast("Lightning Spark", &["A1"]);
    assert_eq!(armor.always(|end| end.lanes(A, "Oozeling").len()), 1);
    let dead = field().a_with(1, "Necromoeba", "damage = 3").cast("Lightning Spark", &["A1"]);
    assert_eq!(dead.always(|end| end.lanes(A, "Oozeling").len()), 1, "dead only after its batch");
}

#[test]
fn sf_x_statics_can_lend_health() {
    let pilot = |lane: u8| field().a(lane, "Nexus Pilot").battle();
    assert_eq!(pilot(3).always(|end| end.size(A, 3)), Some((6, 8)));
    assert_eq!(pilot(2).always(|end| end.size(A, 2)), Some((3, 4)));
    // It dies as it leaves the centre with more damage than its own health.
    let hurt = field().a_with(3, "Nexus Pilot", "damage = 5").cast("Fervent Assault", &["A3"]);
    assert_eq!(hurt.clone().always(|end| end.size(A, 3)), Some((6, 3)));
    let gone = hurt.walk(3, 2).always(|end| (end.deaths(), end.size(A, 2)));
    assert_eq!(gone, (vec!["A2 Nexus Pilot".to_owned()], None));
}

#[test]
fn sf_x_statics_can_lend_regenerate() {
    let healed = |lane: u8| {
        let field = field().a(2, "Grove Warden").a_with(lane, "Charnel Titan", "damage = 3");
        field.start_turn().always(|end| end.size(A, lane).unwrap().1)
    };
    assert_eq!((healed(3), healed(4)), (3, 2));
}

#[test]
fn sf_x_a_card_can_have_a_keyword_at_some_levels_only() {
    let attacks = |card: &str| {
        let field = field().play(card, 1);
        field.always(|end| end.state.at(A, 0).attacks())
    };
    assert!(!attacks("Agamemnon@2") && attacks("Agamemnon@3"));
    // It battles again as long as it hits a creature.
    let battles = field().plain("Wall", 0, 9).b(1, "Wall").a(1, "Agamemnon");
    let battles = battles.battle().battle().battle().always(|end| end.deaths().len());
    assert_eq!(battles, 1, "4 and 4 and 4 against 9");
}

#[test]
fn sf_x_a_spell_can_allow_another_play() {
    let three = field().b(1, "Charnel Titan").cast("Necroflay", &["B1"]);
    let three = three.play("Fell Walker", 1).play("Spring Dryad", 2);
    assert_eq!(three.always(|end| end.lanes(A, "Spring Dryad").len()), 1, "in a strict position");
}

#[test]
fn sf_x_another_creature_can_be_moved() {
    let field = |answer: &str| {
        let field = field().b(4, "Charnel Titan").b(5, "Fell Walker@2");
        let field = field.play("Totembound Berserker", 2);
        field.answer(A, "Totembound Berserker", &[answer])
    };
    let moved = field("B4").always(|end| (end.lanes(B, "Charnel Titan"), end.name(A, 2)));
    assert_eq!(moved, (vec![2], Some("Totembound Berserker".to_owned())));
    assert_eq!(field("nothing").always(|end| end.lanes(B, "Charnel Titan")), [4]);
}

#[test]
fn sf_x_a_creature_can_be_put_beside_another() {
    let field = field().a(2, "Fell Walker").play("Splitting Slime", 3);
    assert_eq!(field.always(|end| end.lanes(A, "Oozeling")), [4], "lane 2 is taken");
    let either = arena().cards(MORE).play("Splitting Slime", 3);
    let lanes = either.odds(|end| end.lanes(A, "Oozeling"));
    assert_eq!(lanes, odds([(vec![2], part(1, 2)), (vec![4], part(1, 2))]));
    let full = arena().cards(MORE).a(2, "Fell Walker").play("Splitting Slime", 1);
    assert!(full.always(|end| end.lanes(A, "Oozeling")).is_empty(), "no lane beside it is free");
}

#[test]
fn sf_x_keywords_can_be_lost() {
    let field = field().b(1, "Yuru, the Necrosage").cast("Humbling Light", &["B1"]);
    let lost =
        |event: &Event| matches!(event, Event::Loses(_, of) if of.contains(Keyword::Defender));
    let result = field.always(|end| (end.state.at(B, 0).attacks(), end.events.iter().any(lost)));
    assert_eq!(result, (true, true));
}

#[test]
fn sf_x_a_filter_can_ask_for_attack_and_a_number_for_the_hand() {
    let sniped = |attack: i16| {
        let field = field().b_with(2, "Charnel Titan", &format!("attack = {attack}"));
        let field = field.hand(A, &["Enrage", "Enrage"]).play("Archive Sniper", 1);
        field.odds(|end| end.size(B, 2).unwrap().1)
    };
    assert_eq!(sniped(4), odds([(5, part(1, 1))]), "not enough attack to be chosen");
    assert_eq!(
        sniped(5),
        odds([(3, part(1, 2)), (5, part(1, 2))]),
        "two cards in hand, or left alone"
    );
}

#[test]
fn sf_x_only_some_of_the_dead_can_come_back() {
    let revived = |card: &str| {
        let field = field().dead(&["Fell Walker", "Necromoeba@2", "Oozeling", "Splitting Slime"]);
        field.cast(card, &[]).odds(|end| (1..=5).find_map(|lane| end.name(A, lane)).unwrap())
    };
    let all = revived("Call of the Mire");
    let expected = [("Oozeling", part(1, 2)), ("Splitting Slime", part(1, 2))];
    assert_eq!(all, odds(expected.map(|(name, share)| (name.to_owned(), share))));
    assert_eq!(revived("Call of the Mire@2").len(), 3);
}
