//! Playing a card, batches, death (SF-01 to SF-13).

use evens::game::Outcome;
use evens::games::solforge::event::Event;

use super::arena::{A, B, arena};

#[test]
fn sf_01_a_card_resolves_before_any_ability_it_triggers() {
    let ending = arena()
        .a(1, "Flamebreak Invoker")
        .b_with(1, "Spring Dryad", "health = 10")
        .cast("Lightning Spark", &["B1"]);
    for ending in ending.endings() {
        let spark = ending.position_of(|event| matches!(event, Event::Damage { lost: 6, .. }));
        let batch = ending.position_of(|event| matches!(event, Event::Batch { .. }));
        assert!(spark < batch);
    }
}

#[test]
fn sf_02_a_roar_never_buffs_the_token_that_it_makes() {
    let roar = arena().a(2, "Wildwood Sower").cast("Ferocious Roar", &[]).answer(
        A,
        "Wildwood Sower",
        &["A4"],
    );
    let result = roar.always(|end| (end.size(A, 2), end.name(A, 4), end.size(A, 4)));
    assert_eq!(result, (Some((5, 8)), Some("Sapling".to_owned()), Some((1, 1))));
}

#[test]
fn sf_03_abilities_of_entering_have_no_priority_over_others_of_the_same_entry() {
    let first = arena()
        .a(2, "Spring Dryad")
        .play("Weirwood Patriarch", 3)
        .odds(|end| end.resolved().remove(0));
    assert_eq!(first.len(), 2, "either may come first: {first:?}");
}

#[test]
fn sf_04_death_is_checked_only_at_the_end_of_a_batch() {
    // Two Invokers deal 1 each: after the first the Seeker is at 0, and still there for the second.
    let hits = arena()
        .a(1, "Flamebreak Invoker")
        .a(2, "Flamebreak Invoker")
        .b(5, "Death Seeker")
        .b_with(1, "Spring Dryad", "health = 20")
        .cast("Lightning Spark", &["B1"])
        .always(|end| {
            let on_seeker = |event: &&Event| {
                matches!(event, Event::Damage { on: evens::games::solforge::event::Target::Creature(on), .. }
                    if on.lane == 4)
            };
            end.events.iter().filter(on_seeker).count()
        });
    assert_eq!(hits, 2);
}

#[test]
fn sf_05_the_player_with_less_life_loses() {
    let fight = |a: i16, b: i16| {
        // Side A's attacker brings side B's life to `b`, and side B's attacker brings side A's life to `a`.
        arena()
            .plain("Ten", 10, 50)
            .a(1, "Ten")
            .b(2, "Ten")
            .life(A, a + 10)
            .life(B, b + 10)
            .battle()
            .always(|end| (end.life(A), end.life(B), end.outcome))
    };
    assert_eq!(fight(-3, -1), (-3, -1, Outcome::Win(B)));
    assert_eq!(fight(-2, 5), (-2, 5, Outcome::Win(B)));
    assert_eq!(fight(5, -2), (5, -2, Outcome::Win(A)));
}

#[test]
fn sf_06_equal_life_of_0_or_less_is_sudden_death() {
    let tie = arena().plain("Ten", 10, 50).a(1, "Ten").b(2, "Ten").life(A, 8).life(B, 8).battle();
    let result = tie.always(|end| (end.life(A), end.life(B), end.outcome, end.state.sudden_death));
    assert_eq!(result, (-2, -2, Outcome::Undecided, true));
    // A turn that ends with equal life does not decide the game either.
    let result = tie.end_turn().always(|end| (end.outcome, end.state.sudden_death));
    assert_eq!(result, (Outcome::Undecided, true));
}

#[test]
fn sf_07_sudden_death_stays_on_above_0() {
    let gain = "[[cards]]\nname = \"Relief\"\nfaction = \"uterra\"\n[[cards.abilities]]\nwhen = \"cast\"\n\
                do = [{ life = { who = \"you\", amount = 7 } }, { life = { who = \"opponent\", amount = 5 } }]\n";
    let decided = arena()
        .cards(gain)
        .plain("Ten", 10, 50)
        .a(1, "Ten")
        .b(2, "Ten")
        .life(A, 8)
        .life(B, 8)
        .battle()
        .cast("Relief", &[]);
    let before = decided.always(|end| (end.life(A), end.life(B), end.outcome));
    assert_eq!(before, (5, 3, Outcome::Undecided), "only the end of the turn decides");
    let after = decided.end_turn().always(|end| (end.life(A), end.life(B), end.outcome));
    assert_eq!(after, (5, 3, Outcome::Win(A)));
}

#[test]
fn sf_08_what_a_destroying_spell_kills_shares_the_batch_of_the_spell() {
    for (spell, faction) in
        [("Cull the Weak", "nekrium"), ("Dissolve", "uterra"), ("Glacial Crush", "tempys")]
    {
        let listener = format!(
            "[[cards]]\nname = \"Listener\"\nfaction = \"{faction}\"\nattack = [1]\nhealth = [9]\n\
             [[cards.abilities]]\nwhen = {{ plays = {{ kind = \"spell\" }} }}\ndo = [{{ gain = {{ attack = 1 }} }}]\n\
             [[cards]]\nname = \"Victim\"\nfaction = \"nekrium\"\nattack = [1]\nhealth = [9]\n\
             keywords = [\"defender\"]\n"
        );
        let sizes = arena()
            .cards(&listener)
            .a(1, "Listener")
            .b(2, "Grimgaunt Devourer")
            .b_with(4, "Victim", "poison = 1")
            .cast(spell, &["B4"])
            .always(|end| {
                let size = |event: &Event| match *event {
                    Event::Batch { size, .. } => Some(size),
                    _ => None,
                };
                (end.events.iter().filter_map(size).collect::<Vec<_>>(), end.size(B, 2))
            });
        assert_eq!(sizes, (vec![2], Some((6, 4))), "{spell}");
    }
}

#[test]
fn sf_09_what_other_spells_kill_dies_at_the_end_of_their_batch() {
    for spell in ["Lightning Spark", "Dreadbolt"] {
        let order = arena()
            .a(1, "Crypt Conjurer")
            .a(5, "Flamebreak Invoker")
            .b(2, "Grimgaunt Devourer")
            .b_with(4, "Spring Dryad", "damage = 1")
            .cast(spell, &["B4"])
            .always(|end| {
                let dies = end.position_of(|event| matches!(event, Event::Dies(_)));
                let batches: Vec<usize> = (0..end.events.len())
                    .filter(|&at| matches!(end.events[at], Event::Batch { .. }))
                    .collect();
                (batches.len(), batches[0] < dies, dies < batches[1])
            });
        assert_eq!(order, (2, true, true), "{spell}");
    }
}

#[test]
fn sf_10_a_destroying_and_a_damaging_spell_compared() {
    let field = || {
        arena()
            .cards(
                "[[cards]]\nname = \"Guard\"\nfaction = \"nekrium\"\nattack = [1]\nhealth = [6]\n\
                 keywords = [\"defender\"]\n",
            )
            .a(1, "Flamebreak Invoker")
            .b_with(2, "Grimgaunt Devourer", "damage = 2")
            .b(4, "Guard")
    };
    let crush =
        field().cast("Glacial Crush", &["B4"]).always(|end| (end.size(B, 2), end.name(B, 4)));
    assert_eq!(crush, (Some((6, 1)), None), "1 damage and +1/+1 in one batch: alive");
    let spark =
        field().cast("Lightning Spark", &["B4"]).always(|end| (end.size(B, 2), end.name(B, 4)));
    assert_eq!(spark, (None, None), "at 0 at the end of the first batch: dead");
}

#[test]
fn sf_11_the_dead_leave_in_the_order_of_killing() {
    // The Spark's victim stands to the right of the Invoker's, and still dies first.
    let deaths = arena()
        .a(1, "Flamebreak Invoker")
        .b(1, "Death Seeker")
        .b_with(5, "Spring Dryad", "health = 6")
        .cast("Lightning Spark", &["B5"])
        .always(|end| end.deaths());
    assert_eq!(deaths[..2], ["B5 Spring Dryad", "B1 Death Seeker"]);
}

fn two_invokers() -> super::arena::Arena {
    arena()
        .plain("Five", 1, 5)
        .plain("Two", 1, 2)
        .plain("One", 1, 1)
        .a(1, "Flamebreak Invoker")
        .a(2, "Flamebreak Invoker")
        .b(1, "Two")
        .b(3, "One")
        .b(4, "Five")
        .cast("Lightning Spark", &["B4"])
}

#[test]
fn sf_12_two_invokers_and_a_spark_kill_5_then_1_then_2() {
    let deaths = two_invokers().always(|end| end.deaths());
    assert_eq!(deaths, ["B4 Five", "B3 One", "B1 Two"]);
}

#[test]
fn sf_13_no_on_death_ability_saves_them() {
    let saver = "[[cards]]\nname = \"Saver\"\nfaction = \"uterra\"\nattack = [1]\nhealth = [5]\n\
                 [[cards.abilities]]\nwhen = \"vengeance\"\n\
                 do = [{ gain = { who = { each = { side = \"friend\" } }, health = 9 } }]\n";
    let deaths = two_invokers().cards(saver).b(5, "Saver");
    // The Saver has 3 health left, dies of nothing here; and if it is the Spark's victim, the others die first.
    assert_eq!(deaths.always(|end| end.deaths().len()), 3);
    let saved = arena()
        .cards(saver)
        .plain("One", 1, 1)
        .a(1, "Flamebreak Invoker")
        .b(3, "One")
        .b(4, "Saver")
        .cast("Lightning Spark", &["B4"])
        .always(|end| end.deaths());
    assert_eq!(saved, ["B4 Saver", "B3 One"]);
}
