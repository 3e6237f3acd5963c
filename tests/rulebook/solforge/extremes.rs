//! SF-X: what a scenario may ask for at its extremes, and results in which dice have no part.

use evens::chance::Every;
use evens::game::{Outcome, Stratum, Unwatched, play};
use evens::games::solforge::SolForge;
use evens::scenario::{Document, Folder, load};

use super::arena::{A, B, arena, odds, part};

/// A spell without a choice that has this effect.
fn spell(name: &str, does: &str) -> String {
    format!(
        "[[cards]]\nname = \"{name}\"\nfaction = \"nekrium\"\n[[cards.abilities]]\nwhen = \"cast\"\ndo = [{does}]\n"
    )
}

#[test]
fn sf_x_numbers_stop_at_the_largest_there_is() {
    let most = i16::MAX;
    let huge = format!("attack = {most}, health = {most}");
    // Statics, until-end-of-turn effects, Turnabout and the other player's life on top of huge numbers.
    let result = arena()
        .a_with(2, "Spring Dryad", &huge)
        .a(3, "Alloyin General@3")
        .cast("Lightning Brand@3", &["A2"])
        .cast("Turnabout@2", &[])
        .life(A, most)
        .battle()
        .always(|end| (end.size(A, 2), end.life(B)));
    // The General's 18 attack, which was its health, hits as well.
    assert_eq!(result, (Some((most, most)), 120 - most - 18));
    let weak = format!("attack = {}", i16::MIN);
    let result = arena()
        .a_with(2, "Wildfire Maiden", &weak)
        .a(3, "Abraxas, Avatar of Kadras")
        .cast("Contagion Surge", &["A2"])
        .activate(3, &["A2"])
        .battle()
        .end_turn()
        .always(|end| end.size(A, 2).is_some());
    assert!(result);
    let oros = arena().a(1, "Oros, Deepwood's Chosen@4").a(2, "Shardplate Behemoth").life(A, most);
    let oros = oros.cast("Enrage@3", &["A1"]).always(|end| end.size(A, 1));
    assert_eq!(oros, Some((most, most)));
}

#[test]
fn sf_x_no_number_of_cards_to_draw_is_too_large() {
    let hand = arena()
        .cards(&spell("Insight", "{ draw = { who = \"you\", amount = 256 } }"))
        .deck(A, &["Enrage"; 7])
        .cast("Insight", &[])
        .always(|end| end.hand(A));
    // The seven of the deck, and Insight itself, levelled but within nobody's rank: it stays where it is.
    assert_eq!(hand, 7);
}

#[test]
fn sf_x_a_spell_can_level_another_card_of_the_hand_and_not_itself() {
    let lesson = "[[cards]]\nname = \"Lesson\"\nfaction = \"alloyin\"\n[[cards.abilities]]\nwhen = \"cast\"\n\
                  choose = { what = \"card_in_hand\" }\ndo = [\"level_chosen\"]\n";
    // Indices into the hand count the cards that are left once the spell has been played.
    let levelled = |hand: &[&str], place: &str| {
        arena()
            .loose()
            .cards(lesson)
            .hand(A, hand)
            .step(&format!("{{ play = {{ card = \"Lesson\", targets = [\"{place}\"] }} }}"))
            .always(|end| {
                let level = |event: &evens::games::solforge::event::Event| match *event {
                    evens::games::solforge::event::Event::Levels(_, form, _) => Some(form),
                    _ => None,
                };
                let levelled = end.events.iter().find_map(level).map(|form| end.label(form));
                (levelled, end.hand(A))
            })
    };
    assert_eq!(levelled(&["Lesson", "Enrage", "Burnout"], "1"), (Some("Enrage".to_owned()), 1));
    assert_eq!(levelled(&["Lesson", "Enrage", "Burnout"], "2"), (Some("Burnout".to_owned()), 1));
    assert_eq!(levelled(&["Lesson"], "1"), (None, 1), "nothing to choose: it is not played");
    // A chosen card may be gone by the time it is levelled.
    let twice = lesson.replace("[\"level_chosen\"]", "[\"level_chosen\", \"level_chosen\"]");
    let hand = arena()
        .cards(&twice)
        .hand(A, &["Lesson", "Enrage"])
        .step("{ play = { card = \"Lesson\", targets = [\"1\"] } }")
        .always(|end| end.hand(A));
    assert_eq!(hand, 0);
}

#[test]
fn sf_x_a_spell_can_choose_a_free_space() {
    let call = "[[cards]]\nname = \"Call\"\nfaction = \"uterra\"\n[[cards.abilities]]\nwhen = \"cast\"\n\
                choose = { what = \"free_space\" }\ndo = [{ spawn = { card = \"Sapling\", to = \"chosen\" } }]\n";
    let lanes = |space: &str| {
        let field = arena().loose().cards(call).a(2, "Fell Walker").cast("Call", &[space]);
        field.always(|end| end.lanes(A, "Sapling"))
    };
    assert_eq!(lanes("A4"), [4]);
    assert_eq!(lanes("A2"), [0; 0], "somebody is there");
}

#[test]
fn sf_x_what_never_comes_to_rest_is_undecided() {
    // Five copies are put on the field and destroyed, again and again, within one batch.
    let churn = "{ destroy = { who = { each = { side = \"friend\" } } } }, \
                 { spawn = { card = \"Zombie\", to = \"random\" } }";
    let churn = vec![churn; 30].join(", ");
    let result = arena().cards(&spell("Churn", &churn)).cast("Churn", &[]).samples(20);
    assert!(result.iter().all(|end| end.outcome == Outcome::Undecided));
    // A creature that comes back whenever it dies, and dies whenever it comes back.
    let loops = "[[cards]]\nname = \"Moth\"\nfaction = \"nekrium\"\nattack = [1]\nhealth = [1]\n\
                 [[cards.abilities]]\nwhen = \"vengeance\"\ndo = [{ spawn = { copy = \"itself\", to = \"here\" } }]\n\
                 [[cards.abilities]]\nwhen = \"arrives\"\ndo = [{ destroy = {} }]\n";
    let result = arena().cards(loops).play("Moth", 1).battle().always(|end| end.outcome);
    assert_eq!(result, Outcome::Undecided);
}

/// A game between two decks of ten copies of a card that costs no play and draws two more each time.
fn endless_turns(policy: &str) -> Outcome {
    let card = "[[cards]]\nname = \"CARD\"\nfaction = \"alloyin\"\nlevels = 1\nfree = [1]\n\
                [[cards.abilities]]\nwhen = \"cast\"\ndo = [{ draw = { who = \"you\", amount = 2 } }, \
                { life = { who = \"you\", amount = 1 } }]\n";
    let names: Vec<String> = (0..10).map(|at| format!("Spring {at}")).collect();
    let cards: String = names.iter().map(|name| card.replace("CARD", name)).collect();
    let deck: String = names.iter().map(|name| format!("\"{name}\" = 3\n")).collect();
    let deck = |name: &str| {
        format!("[[decks]]\nname = \"{name}\"\npolicy = {policy}\n[decks.cards]\n{deck}")
    };
    let text = format!(
        "game = \"solforge\"\nbattles = 1\n{cards}{}{}[sides]\na = [\"A\"]\nb = [\"B\"]\n",
        deck("A"),
        deck("B")
    );
    let setup = load::<SolForge>(&Document::new("case.toml", text, Folder::Disk("".into())));
    let setup = setup.map(|loaded| loaded.setup).unwrap_or_else(|faults| panic!("{faults:?}"));
    let stratum = Stratum { matchup: 0, condition: 0 };
    let mut dice = evens::chance::Seeded::from_seed(1);
    play::<SolForge, _, _>(&setup, stratum, &mut dice, &mut Unwatched).outcome
}

#[test]
fn sf_x_a_turn_that_never_ends_is_undecided() {
    let script = "{ scripted = { cards = [\"Spring 0\", \"Spring 1\", \"Spring 2\", \"Spring 3\", \"Spring 4\", \
                  \"Spring 5\", \"Spring 6\", \"Spring 7\", \"Spring 8\", \"Spring 9\"] } }";
    assert_eq!(endless_turns(script), Outcome::Undecided);
}

#[test]
fn sf_x_copies_leave_nothing_to_luck() {
    let faces = |field: super::arena::Arena| field.endings().len();
    assert_eq!(faces(arena().deck(A, &["Enrage"; 9]).end_turn()), 1, "any five of nine alike");
    let ghox = arena().a(1, "Shardplate Mutant").hand(A, &["Enrage"; 5]);
    assert_eq!(faces(ghox.start_turn()), 1, "any three of five alike");
    let pact = arena()
        .dead(&["Fell Walker"; 6])
        .a(1, "Fell Walker")
        .a(2, "Fell Walker")
        .a(3, "Fell Walker")
        .a(4, "Fell Walker")
        .cast("Varna's Pact", &[]);
    assert_eq!(faces(pact), 1, "one of six alike, into the only space");
}

#[test]
fn sf_x_positions_that_differ_in_nothing_but_the_order_of_a_pile_are_one() {
    // Two of four cards are discarded, in either order: six pairs.
    let hand = ["Enrage", "Burnout", "Turnabout", "Dissolve"];
    let setup = arena().hand(A, &hand).a(1, "Shardplate Mutant").start_turn().setup();
    let mut states = std::collections::HashSet::new();
    let mut every = Every::new();
    loop {
        let stratum = Stratum { matchup: 0, condition: 0 };
        let ended = play::<SolForge, _, _>(&setup, stratum, &mut every, &mut Unwatched);
        let mut state = ended.state;
        state.players[0].hand.sort_unstable();
        states.insert(state);
        if !every.advance() {
            break;
        }
    }
    assert_eq!(states.len(), 6);
}

#[test]
fn sf_x_shares_by_luck_are_the_same_with_copies() {
    // Two of three cards in the deck are alike: the other one is drawn first one time in three.
    let first = arena()
        .deck(A, &["Enrage", "Burnout", "Enrage"])
        .a(1, "Ghox, Metamind Paragon")
        .start_turn()
        .odds(|end| end.label(end.state.player(A).hand[0]));
    let expected = [("Burnout".to_owned(), part(1, 3)), ("Enrage".to_owned(), part(2, 3))];
    assert_eq!(first, odds(expected));
}
