//! SF-X: words of the vocabulary that the rulebook's cards do not need, each with a card of `more.toml` that uses it.

use evens::games::solforge::event::Event;
use evens::games::solforge::keyword::Keyword;

use super::arena::{A, Arena, B, arena, odds, part};

const MORE: &str = include_str!("../../../scenarios/solforge/cards/more.toml");

/// A creature whose armor stops small damage, and that grows whenever it is damaged.
const PLATED: &str = r#"
[[cards]]
name = "Plated Saur"
faction = "uterra"
attack = [1]
health = [9]
armor = [9]
[[cards.abilities]]
when = "is_damaged"
do = [{ gain = { attack = 5 } }]
"#;

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
    // Damage that armor prevents is not dealt, and the dead do not react.
    let shielded = field().cards(PLATED).a(1, "Plated Saur").cast("Lightning Spark", &["A1"]);
    assert_eq!(shielded.always(|end| end.size(A, 1)), Some((1, 9)), "all prevented");
    let armor = field().plain("Guard", 0, 9).a(1, "Necromoeba").cast("Lightning Spark", &["A1"]);
    assert_eq!(armor.always(|end| end.lanes(A, "Oozeling").len()), 1);
    let dead = field().a_with(1, "Necromoeba", "damage = 3").cast("Lightning Spark", &["A1"]);
    assert_eq!(dead.always(|end| end.lanes(A, "Oozeling").len()), 1, "dead only after its batch");
}

/// "Effects triggered by battle damage still resolve even if the creature dies": those of the damaged creature as well
/// as those of the one that deals the damage.
#[test]
fn sf_49_what_battle_damage_sets_off_resolves_even_if_the_damaged_die() {
    let fight =
        field().plain("Foe", 5, 9).a_with(1, "Necromoeba", "damage = 6").b_with(1, "Foe", "");
    let found = fight
        .battle()
        .always(|end| (end.lanes(A, "Necromoeba").len(), end.lanes(A, "Oozeling").len()));
    assert_eq!(found, (0, 1));
}

#[test]
fn sf_x_statics_can_lend_health() {
    let pilot = |lane: u8| field().a(lane, "Nexus Pilot").battle();
    assert_eq!(pilot(3).always(|end| end.size(A, 3)), Some((6, 8)));
    assert_eq!(pilot(2).always(|end| end.size(A, 2)), Some((3, 4)));
    // It dies as it leaves the centre, because it has more damage than health of its own.
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
    let lost = |event: &Event| matches!(event, Event::Loses { keywords, .. } if keywords.contains(Keyword::Defender));
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

#[test]
fn sf_x_a_card_can_have_two_independent_choices() {
    for (level, less) in [("", 4), ("@2", 6), ("@3", 10)] {
        let field = field().plain("Wall", 12, 12).b(1, "Wall").b(2, "Wall");
        let card = format!("Discordant Strike{level}");
        let two = field.clone().cast(&card, &["B1", "B2"]);
        let sizes = two.always(|end| (end.size(B, 1), end.size(B, 2)));
        assert_eq!(sizes, (Some((12 - less, 12)), Some((12, 12 - less))), "{card}");
        // Both choices may be the same creature.
        let same = field.cast(&card, &["B2", "B2"]);
        assert_eq!(same.always(|end| end.size(B, 2)), Some((12 - less, 12 - less)));
    }
    // The player chooses the targets that were not named.
    let open = field().plain("Wall", 12, 12).b(1, "Wall").b(2, "Wall");
    let open = open.cast("Discordant Strike", &["B1"]).odds(|end| end.size(B, 2));
    assert_eq!(open, odds([(Some((12, 8)), part(1, 2)), (Some((12, 12)), part(1, 2))]));
}

#[test]
fn sf_x_of_two_choices_each_stands_for_itself() {
    let siphon = "[[cards]]\nname = \"Siphon\"\nfaction = \"nekrium\"\n[[cards.abilities]]\nwhen = \"cast\"\n\
                  choose = { from = { side = \"enemy\" } }\n\
                  also_choose = { from = { side = \"friend\" } }\n\
                  do = [{ gain = { who = \"chosen\", attack = -3 } }, \
                  { gain = { who = \"also_chosen\", attack = 3 } }]\n";
    let alone = field().cards(siphon).plain("Wall", 3, 9).a(1, "Wall").cast("Siphon", &[]);
    assert_eq!(alone.always(|end| end.size(A, 1)), Some((6, 9)), "no enemy to choose");
    let enemy = field().cards(siphon).plain("Wall", 3, 9).b(1, "Wall").cast("Siphon", &["B1"]);
    assert_eq!(enemy.always(|end| end.size(B, 1)), Some((0, 9)), "no friend to choose");
}

#[test]
fn sf_x_a_creature_can_be_replaced() {
    let replaced = |card: &str, whom: &str| {
        let field =
            field().b(1, whom).a(1, "Suruzal, Emissary of Varna").b(3, "Weirwood Patriarch");
        let field = field.cast(card, &["B1"]);
        field.always(|end| (end.name(B, 1), end.size(B, 1), end.deaths().len(), end.size(B, 3)))
    };
    let patriarch = field().b(3, "Weirwood Patriarch").battle().always(|end| end.size(B, 3));
    for (card, whom) in [
        ("Dendrify", "Fell Walker@2"),
        ("Dendrify@2", "Fell Walker@3"),
        ("Dendrify@3", "Fell Walker@3"),
    ] {
        let (name, size, deaths, other) = replaced(card, whom);
        assert_eq!(name.as_deref(), Some("Dendrified Treefolk"), "{card}");
        assert_eq!((size, deaths), (Some((7, 7)), 0), "it does not die, and nothing is avenged");
        assert!(other >= patriarch);
    }
    // The creature that enters is new: it is on the defensive.
    let field = field().b(1, "Fell Walker").cast("Dendrify", &["B1"]);
    assert!(field.always(|end| end.state.at(B, 0).defensive));
}

#[test]
fn sf_x_abilities_can_be_lost() {
    // Removes Vengeance, statics, and abilities that were granted.
    for (level, whom) in [("", "Fell Walker"), ("@2", "Fell Walker@2"), ("@3", "Fell Walker@3")] {
        let card = format!("Word of Emptiness{level}");
        let field = field().b_with(1, whom, "health = 1").cast(&card, &["B1"]);
        let field = field.cast("Lightning Spark", &["B1"]);
        let left = field.always(|end| (end.deaths().len(), end.name(B, 1)));
        assert_eq!(left, (1, None), "{card}: no Zombie");
    }
    let general = field().b(1, "Alloyin General").plain("Wall", 3, 9).b(2, "Wall");
    let general = general.cast("Word of Emptiness", &["B1"]);
    assert_eq!(general.always(|end| end.size(B, 2)), Some((3, 9)));
    let granted = field().active("b").b(1, "Charnel Titan").cast("Dryad's Boon", &["B1"]);
    let granted = granted.cards(
        "[[cards]]\nname = \"Hush\"\nfaction = \"uterra\"\n[[cards.abilities]]\nwhen = \"cast\"\n\
         choose = {}\ndo = [{ lose = { who = \"chosen\", abilities = true } }]\n",
    );
    let granted = granted.cast("Hush", &["B1"]);
    assert!(granted.always(|end| end.state.at(B, 0).granted().is_empty()));
}

#[test]
fn sf_x_a_creature_without_abilities_cannot_be_activated() {
    let hush = "[[cards]]\nname = \"Hush\"\nfaction = \"uterra\"\n[[cards.abilities]]\nwhen = \"cast\"\n\
                choose = {}\ndo = [{ lose = { who = \"chosen\", abilities = true } }]\n\
                [[cards]]\nname = \"Drummer\"\nfaction = \"uterra\"\nattack = [1]\nhealth = [5]\n\
                [[cards.abilities]]\nwhen = \"activate\"\ndo = [{ gain = { attack = 1 } }]\n";
    let drum = |field: Arena| {
        let field = field.loose().activate(1, &[]);
        field.always(|end| end.size(A, 1))
    };
    let field = || field().cards(hush).a(1, "Drummer");
    assert_eq!(drum(field()), Some((2, 5)));
    assert_eq!(drum(field().cast("Hush", &["A1"])), Some((1, 5)));
}

#[test]
fn sf_x_a_creature_can_return_to_hand() {
    for (card, whom) in [("Ebb of Varna", ""), ("Ebb of Varna@2", "@2"), ("Ebb of Varna@3", "@3")] {
        let whom = format!("Fell Walker{whom}");
        let field = field().b_with(1, &whom, "damage = 1").cast(card, &["B1"]);
        let result = field.always(|end| {
            let hand: Vec<String> =
                end.state.player(B).hand.iter().map(|&form| end.label(form)).collect();
            (end.name(B, 1), end.deaths().len(), hand)
        });
        assert_eq!(result, (None, 0, vec![whom.replace('@', " ")]), "{card}");
    }
    let token = field().b(1, "Zombie").cast("Ebb of Varna", &["B1"]);
    assert_eq!(token.always(|end| (end.name(B, 1), end.hand(B))), (None, 0), "a token is gone");
}

#[test]
fn sf_x_something_can_happen_at_the_end_of_the_turn() {
    for card in ["Marked for Dusk", "Marked for Dusk@2", "Marked for Dusk@3"] {
        let level = card.strip_prefix("Marked for Dusk").unwrap();
        let whom = format!("Spring Dryad{level}");
        let marked = field().b(1, &whom).b(2, &whom).cast(card, &["B2"]);
        assert_eq!(marked.clone().always(|end| end.deaths().len()), 0, "not yet");
        let over = marked.end_turn().always(|end| (end.name(B, 1).is_some(), end.deaths()));
        assert_eq!(over, (true, vec![format!("B2 {}", whom.replace('@', " "))]));
    }
    // The chosen creature is remembered wherever it goes, and forgotten when it is gone: another creature that has come
    // into its space is not meant.
    let gone = field().b(2, "Spring Dryad").cast("Marked for Dusk", &["B2"]);
    let gone = gone.cast("Dendrify", &["B2"]).end_turn();
    assert_eq!(gone.always(|end| end.deaths().len()), 0);
    let moved = field().b(2, "Spring Dryad").cast("Marked for Dusk", &["B2"]);
    let moved = moved.play("Totembound Berserker", 4).answer(A, "Totembound Berserker", &["B2"]);
    assert_eq!(moved.end_turn().always(|end| end.deaths()), ["B4 Spring Dryad"]);
}

#[test]
fn sf_x_something_can_happen_once_at_the_end_of_this_turn_and_the_next() {
    for (card, most) in
        [("Draconic Echoes", 10), ("Draconic Echoes@2", 20), ("Draconic Echoes@3", 20)]
    {
        let turn = |field: Arena| field.end_turn().start_turn();
        let lost = |field: Arena| {
            let lives = field.odds(|end| 120 - end.life(B));
            (*lives.keys().next().unwrap(), *lives.keys().last().unwrap())
        };
        let first = turn(field().cast(card, &[]));
        assert_eq!(lost(first.clone()), (1, most), "{card}");
        let theirs = turn(first);
        assert_eq!(lost(theirs.clone()), (1, most), "not at the end of the other's turn");
        let second = turn(theirs);
        assert_eq!(lost(second.clone()), (2, 2 * most));
        assert_eq!(lost(turn(turn(second))), (2, 2 * most), "and no more");
    }
}

#[test]
fn sf_x_something_can_happen_at_the_start_of_the_next_turn() {
    for (card, armor) in
        [("Patient Tinkerer", 1), ("Patient Tinkerer@2", 2), ("Patient Tinkerer@3", 4)]
    {
        let field = field().deck(A, &["Enrage"; 9]).play(card, 1).end_turn().start_turn();
        let state = |field: &Arena| field.always(|end| (end.state.at(A, 0).armor, end.hand(A)));
        assert_eq!(state(&field), (0, 5), "{card}: on the other's turn");
        let field = field.end_turn().start_turn();
        assert_eq!(state(&field), (armor, 6), "{card}");
        let field = field.end_turn().start_turn().end_turn().start_turn();
        assert_eq!(field.always(|end| end.state.at(A, 0).armor), armor, "once");
    }
    // The creature that put an effect off need not live to see it.
    let dead = field().deck(A, &["Enrage"; 9]).play("Patient Tinkerer", 1);
    let dead = dead.cast("Lightning Spark", &["A1"]).end_turn().start_turn().end_turn();
    assert_eq!(dead.start_turn().always(|end| end.hand(A)), 6);
}

#[test]
fn sf_44_lent_health_goes_with_whoever_lends_it() {
    for (level, lent) in [("", 2), ("@2", 4), ("@3", 7)] {
        let bearer = format!("Standard Bearer{level}");
        let field = field().plain("Wall", 0, 9).a(1, &bearer).a_with(2, "Wall", "damage = 9");
        assert_eq!(field.clone().battle().always(|end| end.size(A, 2)), Some((0, lent)));
        let gone = field.cast("Ebb of Varna@3", &["A1"]).always(|end| end.deaths());
        assert_eq!(gone, ["A2 Wall"]);
    }
    let killed = field().plain("Wall", 0, 9).a_with(1, "Standard Bearer", "damage = 3");
    let killed = killed.a_with(2, "Wall", "damage = 9").cast("Lightning Spark", &["A1"]);
    assert_eq!(killed.always(|end| end.deaths()), ["A1 Standard Bearer", "A2 Wall"]);
    // The Wall has been through a death check while the bearer was still lending health: in a position that has just
    // been laid out, the first check looks at all creatures, whatever changed before.
    let replaced = field().plain("Wall", 0, 5).a(1, "Standard Bearer").a(2, "Wall");
    let replaced = replaced.cast("Lightning Spark", &["A2"]).play("Wall", 1);
    assert_eq!(replaced.always(|end| end.deaths()), ["A2 Wall"]);
}

#[test]
fn sf_40_health_that_is_lent_from_the_right_comes_after_attack_that_is_health() {
    let behemoth = |lane: u8| {
        let field = field().a(2, "Shardplate Behemoth").a(lane, "Standard Bearer");
        field.battle().always(|end| end.size(A, 2).map(|(attack, health)| health - attack))
    };
    assert_eq!((behemoth(1), behemoth(3)), (Some(0), Some(2)));
}

/// A card of level 1 only, with one ability.
fn made_up(name: &str, rest: &str) -> String {
    format!("[[cards]]\nname = {name:?}\nfaction = \"nekrium\"\n{rest}\n")
}

/// Everything that one effect does happens at the same time (decision 3).
#[test]
fn sf_x_what_an_effect_on_several_reads_is_what_it_was_before_any_of_them_changed() {
    let friends = "{ each = { side = \"friend\", other = false } }";
    let herald = made_up(
        "Herald",
        &format!(
            "attack = [2]\nhealth = [5]\n[[cards.abilities]]\nwhen = \"forge\"\n\
             do = [{{ gain = {{ who = {friends}, attack = {{ of = \"attack\" }} }} }}]"
        ),
    );
    let bomb = made_up(
        "Bomb",
        "attack = [0]\nhealth = [6]\n[[cards.abilities]]\nwhen = \"forge\"\n\
         do = [{ damage = { who = { each = { other = false } }, amount = { of = \"health\" } } }]",
    );
    for lane in [1, 5] {
        let field = || field().plain("Wall", 1, 9).cards(&herald).cards(&bomb).a(3, "Wall");
        let heard = field().play("Herald", lane);
        let sizes = heard.always(|end| (end.size(A, lane), end.size(A, 3)));
        assert_eq!(sizes, (Some((4, 5)), Some((3, 9))), "lane {lane}");
        let hit = field().b(3, "Wall").play("Bomb", lane);
        let sizes = hit.always(|end| (end.size(A, lane), end.size(A, 3), end.size(B, 3)));
        assert_eq!(sizes, (None, Some((1, 3)), Some((1, 3))), "lane {lane}");
    }
}

/// Each of several chosen creatures gets the ability's effect (decision 32).
#[test]
fn sf_x_each_of_several_that_are_chosen_counts() {
    let cast = |name: &str, choose: &str, does: &str| {
        let rest = format!(
            "levels = 1\n[[cards.abilities]]\nwhen = \"cast\"\nchoose = {choose}\ndo = [{does}]"
        );
        made_up(name, &rest)
    };
    let two = "{ from = { side = \"friend\" }, count = 2 }";
    let sow = cast(
        "Sow",
        "{ what = \"free_space\", count = 2 }",
        "{ spawn = { card = \"Oozeling\", to = \"chosen\" } }",
    );
    let sown = field().cards(&sow).cast("Sow", &["A2", "A5"]);
    assert_eq!(sown.always(|end| end.lanes(A, "Oozeling")), [2, 5]);

    let twin = cast("Twin", two, "{ spawn = { copy = \"chosen\", to = \"random\" } }");
    let twins = field().cards(&twin).plain("Wall", 1, 9).plain("Gate", 2, 8);
    let twins = twins.a(1, "Wall").a(2, "Gate").cast("Twin", &["A1", "A2"]);
    let copies = twins.always(|end| (end.lanes(A, "Wall").len(), end.lanes(A, "Gate").len()));
    assert_eq!(copies, (2, 2));

    // An effect that is put off happens for each chosen creature if it mentions the chosen one, otherwise only once.
    let doom = |does: &str| {
        let doom =
            cast("Doom", two, &format!("{{ later = {{ at = \"end_of_turn\", do = [{does}] }} }}"));
        let field = field().cards(&doom).plain("Wall", 1, 9).a(1, "Wall").a(2, "Wall").a(3, "Wall");
        let end = field.cast("Doom", &["A1", "A2"]).end_turn();
        end.always(|end| (end.lanes(A, "Wall"), end.state.player(B).life))
    };
    assert_eq!(doom("{ destroy = { who = \"subject\" } }"), (vec![3], 120));
    assert_eq!(doom("{ life = { who = \"opponent\", amount = -7 } }"), (vec![1, 2, 3], 113));
}

#[test]
fn sf_x_who_is_moved_beside_another_stays_on_its_own_side() {
    let herd = made_up(
        "Herder",
        "attack = [1]\nhealth = [5]\n[[cards.abilities]]\nwhen = \"forge\"\n\
         choose = { from = { side = \"enemy\" } }\ndo = [{ move = { who = \"chosen\", to = \"adjacent\" } }]",
    );
    let field = || field().cards(&herd).plain("Wall", 1, 9).b(5, "Wall");
    // Creatures beside the Herder, on side A, are not in the way of one that moves on side B.
    let moved = field().a(1, "Wall").a(3, "Wall").b(1, "Wall").play("Herder", 2);
    let moved = moved.answer(A, "Herder", &["B5"]);
    assert_eq!(moved.always(|end| end.lanes(B, "Wall")), [1, 3], "of its own side lane 3 is free");
    let full = field().b(1, "Wall").b(3, "Wall").play("Herder", 2).answer(A, "Herder", &["B5"]);
    assert_eq!(full.always(|end| end.lanes(B, "Wall")), [1, 3, 5]);
}
