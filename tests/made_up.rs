//! Sound scenarios of every game, made up at random: `robustness` plays them in every way that the program has, and
//! `reference` compares them with the independent implementations.

use evens::table::Values;
use proptest::prelude::*;
use proptest::sample::{select, subsequence};

/// For every row of a list: the name in its first column, and its text in another column.
fn listed(game: &str, list: &str, column: &str) -> Vec<(String, String)> {
    let table = evens::engine::rules(game).unwrap().shelf(list).unwrap();
    let texts = |name: &str| {
        let column = table.columns.iter().find(|column| column.name == name).unwrap();
        match &column.values {
            Values::Text(texts) => texts.clone(),
            other => panic!("{other:?}"),
        }
    };
    texts(&table.columns[0].name).into_iter().zip(texts(column)).collect()
}

fn names(game: &str, list: &str) -> Vec<String> {
    let table = evens::engine::rules(game).unwrap().shelf(list).unwrap();
    match &table.columns[0].values {
        Values::Text(texts) => texts.clone(),
        other => panic!("{other:?}"),
    }
}

fn quoted(names: &[String]) -> String {
    names.iter().map(|name| format!("{name:?}")).collect::<Vec<_>>().join(", ")
}

/// Two pools of random factions and policies, with random mana caps, a league and rulesets of the later edition.
pub fn splinterlands() -> impl Strategy<Value = String> {
    let rulesets = names("splinterlands", "rulesets");
    let drawn = prop_oneof![
        subsequence(rulesets.clone(), 1..12)
            .prop_map(|only| format!("only = [{}]\ntwo = 0\n", quoted(&only))),
        select(rulesets).prop_map(|one| format!("fixed = [{one:?}]\n")),
        Just(String::new()),
    ];
    let pool = (
        select(&["uniform", "weighted", "fill"][..]),
        select(&["roles", "random"][..]),
        subsequence(vec!["Fire", "Water", "Earth", "Life", "Death", "Dragon"], 1..=6),
    );
    let pools = (pool.clone(), pool).prop_map(|pools| {
        let told = |(policy, positions, factions): (&str, &str, Vec<&str>), name: &str| {
            let factions: Vec<String> = factions.into_iter().map(str::to_owned).collect();
            format!(
                "[[pools]]\nname = \"{name}\"\npolicy = \"{policy}\"\npositions = \"{positions}\"\nfactions = [{}]\n",
                quoted(&factions)
            )
        };
        format!("{}{}", told(pools.0, "one"), told(pools.1, "other"))
    });
    let leagues = select(&["novice", "bronze", "silver", "gold", "diamond"][..]);
    // With less mana some factions cannot field a team under some rulesets.
    (prop::collection::vec(24..99_u8, 1..4), leagues, drawn, pools).prop_map(
        |(caps, league, rulesets, pools)| {
            let mut caps = caps;
            caps.sort_unstable();
            caps.dedup();
            format!(
                "game = \"splinterlands\"\nedition = \"2022\"\nbattles = 64\nmana_caps = {caps:?}\nleague = \"{league}\"\n[rulesets]\n\
                 {rulesets}{pools}[sides]\na = [\"one\", \"other\"]\nb = [\"one\"]\n"
            )
        },
    )
}

/// Two decks of thirty cards of one faction each, by one of two policies.
pub fn solforge() -> impl Strategy<Value = String> {
    let cards = listed("solforge", "cards", "faction");
    let factions = ["Alloyin", "Nekrium", "Tempys", "Uterra"];
    let deck = select(factions.to_vec()).prop_flat_map(move |faction| {
        let of: Vec<String> =
            cards.iter().filter(|(_, of)| of == faction).map(|(name, _)| name.clone()).collect();
        (subsequence(of, 10), select(&["random", "greedy"][..]))
    });
    (deck.clone(), deck).prop_map(|decks| {
        let told = |(cards, policy): (Vec<String>, &str), name: &str| {
            let cards: String = cards.iter().map(|card| format!("{card:?} = 3\n")).collect();
            format!("[[decks]]\nname = \"{name}\"\npolicy = \"{policy}\"\n[decks.cards]\n{cards}")
        };
        format!(
            "game = \"solforge\"\nbattles = 16\n[sides]\na = [\"one\"]\nb = [\"other\"]\n{}{}",
            told(decks.0, "one"),
            told(decks.1, "other")
        )
    })
}

/// Two groups of minions of the catalogue at levels 1 to 3, one of them on both sides.
pub fn sanctum() -> impl Strategy<Value = String> {
    let minions = names("sanctum", "minions");
    let minion = (select(minions), 1..=3_u8, 1..=2_usize);
    let group = prop::collection::vec(minion, 1..=4).prop_map(|minions| {
        minions
            .into_iter()
            .map(|(name, level, number)| format!("{number} {name}@{level}"))
            .collect::<Vec<_>>()
    });
    (group.clone(), group).prop_map(|(one, other)| {
        format!(
            "game = \"sanctum\"\nbattles = 64\n[[groups]]\nname = \"one\"\nminions = [{}]\n[[groups]]\nname = \"other\"\n\
             minions = [{}]\n[sides]\na = [\"one\"]\nb = [\"other\", \"one\"]\n",
            quoted(&one),
            quoted(&other)
        )
    })
}

/// Two to four characters of one or two classes, some with Memory to wager.
pub fn eldertale() -> impl Strategy<Value = String> {
    let classes = names("eldertale", "classes");
    let character = (
        subsequence(classes, 1..=2),
        1..120_u16,
        select(&["random", "greedy"][..]),
        prop::option::of((1..6_u8, 1..40_u16)),
    );
    prop::collection::vec(character, 2..=4).prop_map(|characters| {
        let (mut text, mut sides) = (String::new(), String::from("[sides]\n"));
        for (at, (classes, hp, policy, memory)) in characters.iter().enumerate() {
            let memory = memory.map_or_else(String::new, |(level, at)| {
                format!("memory = {level}\nall_in_at = {}\n", at.min(*hp))
            });
            text += &format!(
                "[[characters]]\nname = \"{at}\"\nclasses = [{}]\nhp = {hp}\npolicy = \"{policy}\"\n{memory}",
                quoted(classes)
            );
            sides += &format!("{} = [\"{at}\"]\n", char::from(b'a' + at as u8));
        }
        format!("game = \"eldertale\"\nbattles = 64\n{text}{sides}")
    })
}
