//! SF-X: a position keeps to the rules of a turn, and says which steps it leaves out.

use evens::games::solforge::SolForge;
use evens::games::solforge::event::{Event, Refusal};
use evens::scenario::{Document, Folder, load};

use super::arena::{A, Arena, B, arena, odds, part};

/// The faults of a position, and its warnings.
fn said(field: &Arena) -> (Vec<String>, Vec<String>) {
    let document = Document::new("case.toml", field.text(), Folder::Disk("".into()));
    match load::<SolForge>(&document) {
        Ok(loaded) => (vec![], loaded.warnings.iter().map(|of| of.message.clone()).collect()),
        Err(faults) => (faults.faults.iter().map(|of| of.message.clone()).collect(), vec![]),
    }
}

fn fault(field: Arena) -> String {
    let (faults, _) = said(&field);
    assert_eq!(faults.len(), 1, "{faults:?}");
    assert!(said(&field.loose()).0.is_empty(), "a loose position takes it");
    faults[0].clone()
}

/// The remedy of a position's only fault.
fn remedy(field: &Arena) -> String {
    let document = Document::new("case.toml", field.text(), Folder::Disk("".into()));
    let faults = load::<SolForge>(&document).err().map(|faults| faults.faults).unwrap_or_default();
    assert_eq!(faults.len(), 1, "{faults:?}");
    faults[0].remedy.clone()
}

fn refused(events: &[Event]) -> Vec<(u16, Refusal)> {
    let refusal = |event: &Event| match *event {
        Event::Refused { step, why } => Some((step, why)),
        _ => None,
    };
    events.iter().filter_map(refusal).collect()
}

#[test]
fn sf_x_a_third_card_in_a_turn_is_a_fault() {
    let three = || arena().play("Fell Walker", 1).play("Spring Dryad", 2).play("Ether Hounds", 3);
    assert!(fault(three()).ends_with("no card may be played any more this turn"));
    let level = || arena().play("Fell Walker", 1).play("Fell Walker", 2).hand(A, &["Enrage"]);
    assert!(fault(level().step("{ level = \"Enrage\" }")).ends_with("any more this turn"));
    let one = arena().player(A, "played = 1").play("Fell Walker", 1).play("Fell Walker", 2);
    assert!(fault(one).ends_with("any more this turn"), "one was played before");
    // A free card costs no play, and a new turn brings two.
    let free = arena().a(1, "Fell Walker").cast("Contagion Surge@2", &["A1"]);
    let free = free.play("Fell Walker", 2).play("Fell Walker", 3);
    assert_eq!(said(&free), (vec![], vec![]));
    let later = arena().play("Fell Walker", 1).end_turn().start_turn().end_turn().start_turn();
    let later = later.hand(B, &["Enrage"]).deck(A, &["Fell Walker"; 5]);
    let later = later.step("{ play = { card = \"Fell Walker\", lane = 2 } }");
    let later = later.step("{ play = { card = \"Fell Walker\", lane = 3 } }");
    assert_eq!(said(&later), (vec![], vec![]));
    // The loose position plays all three.
    assert_eq!(three().loose().always(|end| end.lanes(A, "Ether Hounds").len()), 2);
}

#[test]
fn sf_x_an_illegal_target_is_a_fault() {
    let crush = || arena().b(1, "Fell Walker").b(2, "Brightsteel Gargoyle");
    let told = "this step can never be taken: a target cannot be chosen";
    assert_eq!(fault(crush().cast("Glacial Crush", &["B1"])), told, "no Defender");
    assert_eq!(fault(crush().cast("Enrage", &["B4"])), told, "nobody");
    // It is not enough that one of the two targets can be chosen.
    let dissolve = || arena().b_with(1, "Spring Dryad", "poison = 1").b(2, "Fell Walker");
    assert_eq!(fault(dissolve().cast("Dissolve@3", &["B1", "B2"])), told);
    let loose = dissolve().loose().cast("Dissolve@3", &["B1", "B2"]);
    assert_eq!(loose.always(|end| (end.name(B, 1), end.size(B, 2))), (None, Some((3, 3))));
}

#[test]
fn sf_x_creatures_act_as_they_may() {
    let walk = |card: &str, more: &str, to: u8| arena().a_with(1, card, more).walk(1, to);
    assert!(fault(walk("Fell Walker", "", 2)).ends_with("does not reach that far this turn"));
    assert!(fault(walk("Zyx, Storm Herald", "", 3)).ends_with("does not reach that far this turn"));
    assert!(fault(walk("Zyx, Storm Herald", "defensive = true", 2)).ends_with("on the defensive"));
    assert!(fault(walk("Zyx, Storm Herald", "", 2).walk(2, 3)).ends_with("far this turn"));
    assert!(fault(walk("Zyx, Storm Herald", "", 2).a(2, "Fell Walker")).ends_with("that space"));
    assert_eq!(said(&walk("Zyx, Storm Herald", "", 2)).0, [""; 0]);
    let use_it = |more: &str| arena().a_with(1, "Wildfire Maiden", more).activate(1, &[]);
    assert!(fault(use_it("defensive = true")).ends_with("on the defensive"));
    assert!(fault(use_it("").activate(1, &[])).ends_with("ability left this turn"));
    assert!(fault(arena().activate(3, &[])).ends_with("nobody of the active side is in that lane"));
    assert!(
        fault(arena().battle().battle()).ends_with("no battle may be fought any more this turn")
    );
}

/// What the remedy says of `strict = false` is what a loose position does.
#[test]
fn sf_x_a_remedy_says_what_a_loose_position_does() {
    let runner = "[[cards]]\nname = \"Runner\"\nfaction = \"tempys\"\nattack = [1]\nhealth = [9]\n\
                  [[cards.abilities]]\nwhen = \"activate\"\ndo = [{ gain = { attack = 1 } }]\n";
    let runners = |more: &str| arena().a_with(1, "Runner", more).cards(runner);
    let three = arena().play("Fell Walker", 1).play("Fell Walker", 2).play("Fell Walker", 3);
    let dissolve = arena().b_with(1, "Spring Dryad", "poison = 1").b(2, "Fell Walker");
    let storm = arena().a_with(1, "Zyx, Storm Herald", "defensive = true");
    let cases = [
        (three, "is taken all the same"),
        (arena().a(1, "Fell Walker").walk(1, 2), "is taken all the same"),
        (storm.walk(1, 2), "is taken all the same"),
        (dissolve.cast("Dissolve@3", &["B1", "B2"]), "is taken on those targets"),
        (arena().cast("Enrage", &["B4"]), "left out where none can"),
        (runners("defensive = true").activate(1, &[]), "is left out, too"),
        (runners("").activate(1, &[]).activate(1, &[]), "is left out, too"),
        (arena().activate(3, &[]), "is left out, too"),
        (arena().battle().battle(), "is left out, too"),
        // Where two things are wrong, what cannot be done at all is said.
        (arena().a(1, "Fell Walker").a(2, "Fell Walker").walk(1, 2), "is left out, too"),
        (arena().player(A, "played = 2").cast("Enrage", &["B4"]), "left out where none can"),
    ];
    for (field, says) in cases {
        let told = remedy(&field);
        assert!(told.contains(says), "{told}");
        let left_out = field.loose().always(|end| refused(&end.events).len());
        let takes = says.starts_with("is taken");
        assert_eq!(left_out, usize::from(!takes), "{told}");
    }
}

#[test]
fn sf_x_phases_come_in_their_order() {
    assert_eq!(fault(arena().battle().start_turn()), "the turn has started already");
    assert_eq!(fault(arena().end_turn().battle()), "nobody's turn has started");
    assert_eq!(said(&arena().start_turn().battle().end_turn().start_turn()).0, [""; 0]);
}

#[test]
fn sf_x_what_dice_decide_is_left_out_and_told() {
    // One of two cards is drawn; the other one cannot be played then.
    let field = arena()
        .a(1, "Ghox, Metamind Paragon")
        .deck(A, &["Enrage", "Burnout"])
        .start_turn()
        .step("{ play = { card = \"Enrage\", targets = [\"A1\"] } }");
    assert_eq!(said(&field), (vec![], vec![]));
    let left_out = field.odds(|end| refused(&end.events).len());
    assert_eq!(left_out, odds([(0, part(1, 2)), (1, part(1, 2))]));
    for end in field.endings() {
        let expected = [(2, Refusal::NotInHand)];
        assert!(refused(&end.events).is_empty() || refused(&end.events) == expected);
    }
}

#[test]
fn sf_x_answers_for_a_card_that_never_asks_are_a_fault() {
    let walker = arena().a(1, "Fell Walker").battle().answer(A, "Fell Walker", &["A1"]);
    assert_eq!(fault(walker), "`Fell Walker` never asks this side");
    let other = arena().play("Suruzal, Emissary of Varna", 1).a(2, "Fell Walker");
    let other = other.answer(B, "Suruzal, Emissary of Varna", &["A2"]);
    assert_eq!(fault(other), "`Suruzal, Emissary of Varna` never asks this side");
    // Whoever was granted an ability asks, not the card that granted it.
    let lent = "[[cards]]\nname = \"Lender\"\nfaction = \"uterra\"\nattack = [1]\nhealth = [1]\n\
                [[cards.abilities]]\nwhen = \"forge\"\n\
                do = [{ grant = { who = { each = { side = \"friend\" } }, ability = { when = { turn_ends = {} }, \
                choose = { from = { side = \"friend\" } }, \
                do = [{ gain = { who = \"chosen\", attack = 1 } }] } } }]\n";
    let granted = |asks: &str| {
        let field = arena().a(2, "Fell Walker").play("Lender", 1).end_turn().cards(lent);
        field.answer(A, asks, &["A2"])
    };
    assert!(remedy(&granted("Lender")).contains("the creature which has it"));
    assert_eq!(said(&granted("Fell Walker")).0, [""; 0]);
    // A card that asks, but for which no answer can be chosen, is no fault; the story tells it.
    let astray = arena().play("Suruzal, Emissary of Varna", 1).a(2, "Fell Walker");
    let astray = astray.answer(A, "Suruzal, Emissary of Varna", &["A4"]);
    assert_eq!(said(&astray), (vec![], vec![]));
    let drawn = |event: &Event| matches!(event, Event::Asked { possible: false, .. });
    assert!(astray.always(|end| end.events.iter().any(drawn)));
}

#[test]
fn sf_x_what_is_never_possible_among_too_many_ways_is_worth_a_warning() {
    // Six copies of an ability have 720 orders; after them nobody has a card to play.
    let mut field = arena().hand(A, &["Enrage"]).a(1, "Shardplate Mutant").start_turn();
    for lane in 2..=5 {
        field = field.a(lane, "Storm Bringer");
    }
    for lane in 1..=5 {
        field = field.b(lane, "Storm Bringer");
    }
    let field = field.cast("Enrage", &["B5"]).walk(1, 2);
    let (faults, warnings) = said(&field);
    assert!(faults.is_empty(), "{faults:?}");
    assert!(warnings[0].ends_with("(in none of the plays that were tried)"), "{warnings:?}");
}

/// The fault of a card with this text.
fn futile(kind: &str, ability: &str) -> String {
    let body = if kind == "creature" { "attack = [1]\nhealth = [1]" } else { "levels = 1" };
    let card = format!("[[cards]]\nname = \"Odd\"\nfaction = \"tempys\"\n{body}\n{ability}\n");
    let (faults, _) = said(&arena().battle().cards(&card));
    faults.join("; ")
}

#[test]
fn sf_x_effects_that_can_never_do_anything_are_faults() {
    let of = |kind: &str, when: &str, more: &str| {
        futile(kind, &format!("[[cards.abilities]]\nwhen = {when}\n{more}"))
    };
    let forge = |does: &str| of("creature", "\"forge\"", &format!("do = [{does}]"));
    assert!(forge("{ draw = { amount = 2 } }").contains("acts on creatures"));
    assert!(forge("{ life = { who = { each = {} }, amount = 2 } }").contains("acts on creatures"));
    assert!(forge("{ gain = { who = \"you\", armor = 2 } }").contains("acts on a player"));
    assert!(forge("{ heal = { who = \"you\", amount = 2 } }").contains("acts on a player"));
    assert!(forge("{ damage = { who = \"opponent\", amount = -3 } }").contains("0 or less"));
    assert!(forge("{ gain = { attack = 0 } }").contains("nothing is gained"));
    assert!(forge("{ damage = { amount = { of = \"dealt\" } } }").contains("no damage sets this"));
    assert!(
        forge("{ grant = { ability = { when = \"forge\", do = [\"look_for_battles\"] } } }")
            .contains("on the field already")
    );
    assert!(
        forge("{ destroy = { who = { each = { side = \"friend\", place = \"opposite\" } } } }")
            .contains("opposite creatures are enemies")
    );
    let vengeance = of("creature", "\"vengeance\"", "do = [{ gain = { attack = 1 } }]");
    assert!(vengeance.contains("left the field"), "{vengeance}");
    let dead = of("creature", "{ destroyed = {} }", "do = [{ destroy = { who = \"subject\" } }]");
    assert!(dead.contains("left the field"), "{dead}");
    let none = of("creature", "{ turn_starts = {} }", "do = [{ destroy = { who = \"subject\" } }]");
    assert!(none.contains("no creature sets this off"), "{none}");
    let spell = |does: &str| of("spell", "\"cast\"", &format!("do = [{does}]"));
    assert!(spell("{ gain = { attack = 1 } }").contains("a spell is no creature"));
    assert!(spell("{ spawn = { card = \"Zombie\", to = \"here\" } }").contains("in no lane"));
    assert!(spell("{ move = { to = \"random\" } }").contains("a spell is no creature"));
    for (number, key) in [("armor = -3", "armor"), ("regenerate = -1", "regenerate")] {
        assert!(futile("creature", number).ends_with(&format!("is no {key}")), "{key}");
    }
    let statics = futile("creature", "statics = [{ who = \"you\", attack = 2 }]");
    assert!(statics.contains("a player has nothing of this"), "{statics}");
}
