//! Invented cards, made of any words that fit together.

use proptest::prelude::*;
use proptest::sample::{Select, select};

use super::generate::Collection;

fn any(of: &[&'static str]) -> Select<&'static str> {
    select(of.to_vec())
}

/// A filter for creatures.
fn filter() -> impl Strategy<Value = String> {
    let side = any(&["", "side = \"friend\", ", "side = \"enemy\", "]);
    let more = any(&[
        "",
        "other = false",
        "level_at_most = 1",
        "attack_at_most = 5",
        "attack_at_least = 4",
        "lanes = [1, 3, 5]",
        "faction = \"uterra\"",
        "not_faction = \"uterra\"",
        "poisoned = true",
        "keyword = \"defender\"",
    ]);
    (side, more).prop_map(|(side, more)| {
        format!("{{ {side}{more} }}").replace(",  }", " }").replace(", }", " }")
    })
}

/// The creatures on which an effect acts.
fn creatures(extra: Vec<&'static str>) -> impl Strategy<Value = String> {
    let places = any(&["adjacent", "opposite"]);
    prop_oneof![
        4 => select(extra).prop_map(|who| format!("{who:?}")),
        2 => filter().prop_map(|of| format!("{{ each = {of} }}")),
        1 => filter().prop_map(|of| format!("{{ random = {of} }}")),
        1 => filter().prop_map(|of| format!("{{ random_two = {of} }}")),
        1 => filter().prop_map(|of| format!("{{ lowest_attack = {of} }}")),
        1 => places.prop_map(|place| format!("{{ each = {{ place = {place:?} }} }}")),
    ]
}

fn until() -> impl Strategy<Value = &'static str> {
    any(&["forever", "end_of_turn", "end_of_next_turn"])
}

/// A number read off a creature, which the effect itself may change.
fn read() -> impl Strategy<Value = String> {
    let of = any(&["attack", "health"]);
    let whose = any(&["itself", "target", "chosen"]);
    (of, whose).prop_map(|(of, whose)| format!("{{ of = {of:?}, whose = {whose:?} }}"))
}

/// Effects that cannot set off an endless chain, whatever triggers them.
fn quiet(who: Vec<&'static str>) -> impl Strategy<Value = String> {
    let who = || creatures(who.clone());
    let keyword = any(&["defender", "aggressive", "breakthrough"]);
    let player = any(&["you", "opponent"]);
    prop_oneof![
        3 => (who(), -3..5i16, -3..5i16, until()).prop_map(|(who, attack, health, until)| {
            let attack = if attack == 0 { 1 } else { attack };
            format!("{{ gain = {{ who = {who}, attack = {attack}, health = {health}, until = {until:?} }} }}")
        }),
        1 => (who(), 1..4i16, 1..4i16).prop_map(|(who, armor, poison)| {
            format!("{{ gain = {{ who = {who}, armor = {armor}, poison = {poison} }} }}")
        }),
        1 => (who(), keyword.clone(), until()).prop_map(|(who, keyword, until)| {
            format!("{{ gain = {{ who = {who}, keywords = [{keyword:?}], until = {until:?} }} }}")
        }),
        1 => (who(), 1..6i16).prop_map(|(who, amount)| {
            format!("{{ heal = {{ who = {who}, amount = {amount} }} }}")
        }),
        1 => (who(), read()).prop_map(|(who, read)| {
            format!("{{ gain = {{ who = {who}, attack = {read}, health = {read} }} }}")
        }),
        1 => (who(), read()).prop_map(|(who, read)| {
            format!("{{ heal = {{ who = {who}, amount = {read} }} }}")
        }),
        1 => who().prop_map(|who| format!("{{ swap = {{ who = {who} }} }}")),
        1 => (who(), keyword, prop::bool::ANY).prop_map(|(who, keyword, abilities)| {
            format!("{{ lose = {{ who = {who}, keywords = [{keyword:?}], abilities = {abilities} }} }}")
        }),
        1 => (player.clone(), 1..3i16).prop_map(|(who, amount)| {
            format!("{{ draw = {{ who = {who:?}, amount = {amount} }} }}")
        }),
        1 => (player.clone(), 0..4i16).prop_map(|(who, amount)| {
            format!("{{ discard_down_to = {{ who = {who:?}, amount = {amount} }} }}")
        }),
        1 => (player, -3..4i16).prop_map(|(who, amount)| {
            let amount = if amount == 0 { 4 } else { amount };
            format!("{{ life = {{ who = {who:?}, amount = {amount} }} }}")
        }),
        1 => (who(), until()).prop_map(|(who, until)| {
            let ability = "{ when = \"flank\", do = [{ gain = { attack = 2 } }] }";
            format!("{{ grant = {{ who = {who}, ability = {ability}, until = {until:?} }} }}")
        }),
    ]
}

/// Effects that may trigger other abilities; used only where they are not triggered by such effects themselves.
fn loud(who: Vec<&'static str>, spaces: &[&'static str]) -> impl Strategy<Value = String> + use<> {
    let who = || creatures(who.clone());
    let token = any(&["Zombie", "Seedling"]);
    let space = any(spaces);
    prop_oneof![
        1 => (who(), read()).prop_map(|(who, read)| {
            format!("{{ damage = {{ who = {who}, amount = {read} }} }}")
        }),
        2 => (who(), 1..8i16).prop_map(|(who, amount)| {
            format!("{{ damage = {{ who = {who}, amount = {amount} }} }}")
        }),
        1 => who().prop_map(|who| format!("{{ destroy = {{ who = {who} }} }}")),
        2 => (who(), token.clone()).prop_map(|(who, card)| {
            format!("{{ replace = {{ who = {who}, card = {card:?} }} }}")
        }),
        2 => who().prop_map(|who| format!("{{ return_to_hand = {{ who = {who} }} }}")),
        1 => (token, space.clone()).prop_map(|(card, to)| {
            format!("{{ spawn = {{ card = {card:?}, to = {to:?} }} }}")
        }),
        1 => space.clone().prop_map(|to| {
            format!("{{ spawn = {{ copy = \"chosen\", to = {to:?} }} }}")
        }),
        1 => (who(), space).prop_map(|(who, to)| {
            format!("{{ move = {{ who = {who}, to = {to:?} }} }}")
        }),
    ]
}

/// An effect that happens later.
fn later(who: Vec<&'static str>) -> impl Strategy<Value = String> {
    let at = any(&["end_of_turn", "start_of_next_turn", "end_of_next_turn"]);
    // The position beside a creature that has left the field by then is not compared.
    (at, prop_oneof![quiet(who.clone()), loud(who, &["random"])])
        .prop_map(|(at, what)| format!("{{ later = {{ at = {at:?}, do = [{what}] }} }}"))
}

/// A choice, and the words that refer to it.
fn choices() -> impl Strategy<Value = (String, Vec<&'static str>)> {
    let may = any(&["", ", may = true", ", count = 2"]);
    prop_oneof![
        2 => Just((String::new(), vec![])),
        2 => (filter(), may).prop_map(|(from, may)| {
            (format!("choose = {{ from = {from}{may} }}\n"), vec!["chosen"])
        }),
        2 => (filter(), filter()).prop_map(|(from, other)| {
            let choose = format!("choose = {{ from = {from} }}\nalso_choose = {{ from = {other} }}\n");
            (choose, vec!["chosen", "also_chosen"])
        }),
    ]
}

/// An ability triggered by one of `when`; its effects can refer to `words` (`itself`, `subject`) and to what is chosen.
fn ability(
    when: Vec<&'static str>,
    words: Vec<&'static str>,
    is_loud: bool,
) -> impl Strategy<Value = String> {
    (select(when), choices()).prop_flat_map(move |(when, (choose, chosen))| {
        let mut who = [words.clone(), chosen.clone()].concat();
        // In what happens later, `subject` is the chosen creature, where one is chosen.
        let later_who: Vec<&'static str> = words
            .iter()
            .copied()
            .filter(|&word| word != "subject")
            .chain((!chosen.is_empty()).then_some("subject"))
            .collect();
        if who.is_empty() {
            // A card with this is left out again, because `itself` means nobody here.
            who = vec!["itself"];
        }
        let one = || {
            let what = if is_loud {
                prop_oneof![
                    quiet(who.clone()),
                    loud(who.clone(), &["random", "adjacent", "chosen"])
                ]
                .boxed()
            } else {
                quiet(who.clone()).boxed()
            };
            if later_who.is_empty() {
                what
            } else {
                prop_oneof![3 => what, 1 => later(later_who.clone())].boxed()
            }
        };
        prop::collection::vec(one(), 1..=2).prop_map(move |what| {
            format!("[[cards.abilities]]\nwhen = {when}\n{choose}do = [{}]\n", what.join(", "))
        })
    })
}

fn card(at: usize) -> impl Strategy<Value = String> {
    let acting = ability(
        vec![
            "\"forge\"",
            "\"flank\"",
            "\"activate\"",
            "{ turn_starts = { turn = \"yours\" } }",
            "{ turn_ends = {} }",
            "{ hits_player = {} }",
            "{ hits_creature = {} }",
        ],
        vec!["itself", "opposite"],
        true,
    );
    let dying = ability(vec!["\"vengeance\""], vec!["opposite"], true);
    let reacting = ability(
        vec![
            "\"arrives\"",
            "\"is_damaged\"",
            "{ enters = {} }",
            "{ moves = {} }",
            "{ plays = {} }",
        ],
        vec!["itself", "opposite"],
        false,
    );
    let mourning = ability(vec!["{ destroyed = {} }"], vec!["itself", "opposite"], false);
    let statics = any(&[
        "",
        "statics = [{ who = \"others\", health = 3 }]\n",
        "statics = [{ who = \"adjacent\", attack = 2, armor = 1 }]\n",
        "statics = [{ who = \"friends\", in_center = true, health = 2, regenerate = 1 }]\n",
    ]);
    let creature = (
        statics,
        0..8i16,
        1..9i16,
        prop_oneof![3 => acting, 1 => dying, 2 => reacting, 1 => mourning],
    )
        .prop_map(|(statics, attack, health, ability)| {
            format!("attack = [{attack}]\nhealth = [{health}]\n{statics}{ability}")
        });
    let spell = ability(vec!["\"cast\""], vec![], true)
        .prop_map(|ability| format!("levels = 1\n{ability}"));
    prop_oneof![2 => creature, 1 => spell].prop_map(move |rest| {
        format!("[[cards]]\nname = \"Invented {at}\"\nfaction = \"nekrium\"\n{rest}")
    })
}

/// The bundled cards and a few that are invented.
pub fn cards() -> impl Strategy<Value = Collection> {
    let cards: Vec<_> = (0..5).map(card).collect();
    cards.prop_filter_map("cards that mean something", |cards| {
        // Cards that can never do anything are left out.
        let sound: Vec<String> =
            cards.into_iter().filter(|card| Collection::with(card.clone()).is_some()).collect();
        Collection::with(sound.concat()).filter(|_| !sound.is_empty())
    })
}
