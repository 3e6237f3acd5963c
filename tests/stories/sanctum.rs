//! How a Sanctum combat is told.

use evens::chance::{Scripted, Seeded};
use evens::game::{Stratum, Watch, play};
use evens::games::sanctum::event::Event;
use evens::games::sanctum::setup::Setup;
use evens::games::sanctum::state::State;
use evens::games::sanctum::{Sanctum, activity};
use evens::scenario::{Document, Folder, load};
use evens::story::{Trace, Weight};

fn story(text: &str, seed: u64) -> (String, Vec<serde_json::Value>) {
    let text = format!("game = \"sanctum\"\nbattles = 1\n{text}");
    let document = Document::new("story.toml", text, Folder::Disk("".into()));
    let setup = load::<Sanctum>(&document).unwrap().setup;
    let mut trace = Trace::default();
    let stratum = Stratum { matchup: 0, condition: 0 };
    play::<Sanctum, _, _>(&setup, stratum, &mut Seeded::from_seed(seed), &mut trace);
    let told = trace.lines.iter().map(|line| {
        let indent = match line.weight {
            Weight::Heading => "",
            Weight::Action => "  ",
            Weight::Consequence => "    ",
            Weight::Detail => "      ",
        };
        format!("{indent}{}\n", line.text)
    });
    (told.collect(), trace.lines.into_iter().map(|line| line.facts).collect())
}

#[test]
fn a_combat_with_effects() {
    let (told, facts) = story(
        "[[groups]]\nname = \"Knights\"\n\
         minions = [\"2 Human swordsman + Berserker Blade\", \"Elf archer@2 + Bow of Quickening\"]\n\
         [[groups]]\nname = \"Beasts\"\n\
         minions = [\"Cockatrice + Deflection\", \"Imp archer\", \"Combustioneer\"]\nspells = [\"Soul Jar\"]\n\
         [sides]\na = [\"Knights\"]\nb = [\"Beasts\"]\nprecedence = \"a\"\n",
        3,
    );
    insta::assert_snapshot!(told);
    assert!(facts.iter().all(|fact| fact["event"].is_string()));
}

#[test]
fn a_phase_as_the_red_player_sees_it() {
    let (told, _) = story(
        "[[groups]]\nname = \"Dragon\"\nminions = [\"Brimstone Dragon\"]\n\
         [[groups]]\nname = \"Recruits\"\nminions = [\"2 Elf archer\"]\n\
         [map]\ninitiative = \"red\"\nseen_by = \"red\"\ngroups = [\n\
         { group = \"Dragon\", player = \"red\", at = [5, 6] },\n\
         { group = \"Recruits\", name = \"Upper\", player = \"blue\", at = [5, 5] },\n\
         { group = \"Recruits\", name = \"Lower\", player = \"neutral\", at = [5, 7] }]\n",
        1,
    );
    insta::assert_snapshot!(told);
}

/// The story of two who strike early at a victim that is not hurt, with its facts.
fn strikes_at(victim: &str) -> (String, Vec<serde_json::Value>) {
    story(
        &format!(
            r#"minions = [
    {{ name = "Wraith", attacks = 0, armor = 1, hit_points = 5, effects = [{{ when = "after_armor", does = "take_nothing" }}] }},
    {{ name = "Mirage", attacks = 0, hit_points = 5, effects = [{{ when = "is_hit", does = "take_nothing" }}] }},
    {{ name = "Quick", hand = 2, hit_points = 7, effects = [{{ when = "always", does = "strike_early" }}] }},
]
[[groups]]
name = "Strikers"
minions = ["2 Quick"]
[[groups]]
name = "Victim"
minions = ["{victim}"]
[sides]
a = ["Strikers"]
b = ["Victim"]
precedence = "a"
"#
        ),
        1,
    )
}

#[test]
fn damage_that_is_annulled_is_not_told_as_dealt() {
    let (wraith, facts) = strikes_at("Wraith");
    for line in [
        "Round 1 (missiles, and those who strike early)",
        "      Wraith of B1: what is left of the hit of A1 Quick is annulled",
        "      The strike at B1 Wraith is for 2, armor soaks 1, and 1 annulled",
        "      The strike at B1 Wraith is for 2: it is annulled",
    ] {
        assert!(wraith.lines().any(|told| told == line), "{line}\n{wraith}");
    }
    let annulled = facts.iter().filter_map(|facts| facts["annulled"].as_i64());
    assert_eq!(annulled.max(), Some(2));
    let (mirage, _) = strikes_at("Mirage");
    for line in [
        "      Mirage of B1: the hit of A1 Quick is annulled",
        "      The strike does nothing to B1 Mirage",
    ] {
        assert!(mirage.lines().any(|told| told == line), "{line}\n{mirage}");
    }
    assert!(!wraith.contains("deals") && !mirage.contains("deals"), "{wraith}{mirage}");
}

#[test]
fn groups_of_one_name_are_told_apart() {
    let (told, _) = story(
        "[[groups]]\nname = \"Swords\"\nminions = [\"Elf swordsman\"]\n\
         [sides]\na = [\"Swords\"]\nb = [\"Swords\"]\nprecedence = \"b\"\n",
        1,
    );
    let begins = "Combat: Swords of side B against Swords of side A, Swords of side B first";
    assert!(told.lines().any(|line| line == begins), "{told}");
    let ends = "The combat is over; left: Swords of side B 1, Swords of side A 0";
    assert!(told.lines().any(|line| line == ends), "{told}");
}

/// Counts how often each effect did something.
#[derive(Default)]
struct Counted(Vec<u64>);

impl Watch<Sanctum> for Counted {
    fn see(&mut self, setup: &Setup, state: &State, event: Event) {
        activity::note(setup, state, event, &mut self.0);
    }
}

/// How often each effect did something, by its label, in a combat without a die where side A has precedence.
fn counted(a: &str, b: &str) -> Vec<(String, u64)> {
    let text = format!(
        r#"game = "sanctum"
battles = 1
minions = [
    {{ name = "Sniper", missile = 2, hit_points = 500 }},
    {{ name = "Early", hand = 1, hit_points = 50, effects = [{{ when = "always", does = "strike_early" }}] }},
    {{ name = "Bait", hit_points = 50, attacks = 0, effects = [{{ when = "must_attack", does = "taunt" }}] }},
    {{ name = "Hunter", hand = 2, hit_points = 500, effects = [
        {{ when = "attacks", does = "deal_more", amount = 1, only = ["monster"] }},
        {{ when = "attacks", does = "deal_nothing", only = ["archer"] }},
        {{ when = "hits", does = "gain", stat = "hand", amount = -1, on = "foe", rounds = [3, 4] }},
        {{ when = "kills", does = "heal", amount = 1 }},
        {{ when = "round_start", does = "damage", amount = 1, on = "enemies", rounds = [2, 2] }},
    ] }},
]
[[groups]]
name = "A"
minions = [{a}]
[[groups]]
name = "B"
minions = [{b}]
[sides]
a = ["A"]
b = ["B"]
precedence = "a"
"#
    );
    let document = Document::new("counted.toml", text, Folder::Disk("".into()));
    let setup = load::<Sanctum>(&document).unwrap().setup;
    let labels = activity::labels(&setup);
    let mut counted = Counted(vec![0; labels.len()]);
    let stratum = Stratum { matchup: 0, condition: 0 };
    play::<Sanctum, _, _>(&setup, stratum, &mut Scripted::nothing(), &mut counted);
    labels.into_iter().zip(counted.0).collect()
}

fn told(counted: &[(String, u64)]) -> Vec<(&str, u64)> {
    counted.iter().map(|(label, count)| (label.as_str(), *count)).collect()
}

#[test]
fn effects_that_are_no_more_than_numbers_count_for_each_hit() {
    let human = counted("\"Human swordsman\"", "\"Boggart\"");
    let expected = [("Human swordsman: deal_more +1 at attacks (hand, round 2)", 1)];
    assert_eq!(told(&human), expected);
    assert_eq!(counted("\"Elf swordsman\"", "\"Boggart\""), [], "an ability for archers only");
}

#[test]
fn traits_count_where_they_decide_something() {
    // Two elves shoot in round 1; the sniper avoids the dusted one until the other is dead, in round 4.
    let avoided = counted("\"Sniper\"", "\"Elf archer + Pixie Dust\", \"Elf archer\"");
    let expected = [
        ("Elf archer: deal_more +1 at attacks (missile, round 1)", 2),
        ("Pixie Dust: repel at always", 4),
    ];
    assert_eq!(told(&avoided), expected);
    let early = counted("\"Sniper\"", "\"Early\"");
    assert_eq!(told(&early), [("Early: strike_early at always", 1)], "against who shoots at it");
    let vain = counted("\"Boggart\"", "\"Early\"");
    assert_eq!(told(&vain), [("Early: strike_early at always", 0)], "never between bashers");
    let bait = counted("\"Sniper\"", "\"Bait\", \"Early\"");
    let expected = [("Bait: taunt at must_attack", 10), ("Early: strike_early at always", 0)];
    assert_eq!(told(&bait), expected);
}

#[test]
fn effects_that_never_happen_count_nothing() {
    let against = |victim: &str| counted("\"Hunter\"", victim);
    let counts =
        |counted: &[(String, u64)]| counted.iter().map(|(_, count)| *count).collect::<Vec<_>>();
    let monster = against("\"Sniper\"");
    let expected = [
        ("Hunter: deal_more +1 at attacks (only monster)", 9),
        ("Hunter: deal_nothing at attacks (only archer)", 0),
        ("Hunter: gain hand -1 at hits (foe, rounds 3 to 4)", 0),
        ("Hunter: heal +1 at kills", 0),
        ("Hunter: damage +1 at round_start (enemies, round 2)", 1),
    ];
    assert_eq!(told(&monster), expected);
    let archer = against("\"Dwarf archer\"");
    assert_eq!(counts(&archer), [0, 9, 0, 0, 1], "who deals nothing deals nothing more");
}

/// A map on which a group of red ones has two blue groups at its sides, and another has one of these.
const NEIGHBOURS: &str = r#"
[[groups]]
name = "Killers"
minions = ["Killer"]
[[groups]]
name = "Blue ones"
minions = ["Blue one"]
[map]
initiative = "red"
seen_by = "blue"
groups = [
  { group = "Blue ones", name = "Mid", player = "blue", at = [5, 5] },
  { group = "Blue ones", name = "Far", player = "blue", at = [6, 6] },
  { group = "Killers", name = "R1", player = "red", at = [5, 4] },
  { group = "Killers", name = "R2", player = "red", at = [5, 6] },
]
"#;

/// Combats of a map are numbered as they are scheduled, so one that is not fought is told with the reason.
#[test]
fn a_combat_that_falls_away_is_told_with_the_reason() {
    for (effects, how) in [
        ("", "fallen"),
        (r#"{ when = "combat_start", does = "withdraw" }"#, "withdrawn"),
        (r#"{ when = "combat_start", does = "leave" }"#, "left"),
    ] {
        let minions = format!(
            r#"[[minions]]
name = "Killer"
hand = 9
hit_points = 9
[[minions]]
name = "Blue one"
hand = 0
hit_points = 2
effects = [{effects}]
"#
        );
        let (told, facts) = story(&format!("{minions}{NEIGHBOURS}"), 1);
        let combats: Vec<&str> = told.lines().filter(|line| line.starts_with("Combat ")).collect();
        let falls_away = format!("Combat 2 falls away: R2 does not fight Mid, since Mid has {how}");
        assert_eq!(
            combats,
            [
                "Combat 1: R1 fights Mid to its southwest",
                falls_away.as_str(),
                "Combat 3: R2 fights Far to its southeast",
            ]
        );
        let fact = facts.iter().find(|fact| fact["event"] == "falls_away").expect("it is told");
        assert_eq!(fact["number"], 2);
        assert_eq!((&fact["high"], &fact["low"]), (&"R2".into(), &"Mid".into()));
        assert_eq!(fact["gone"], serde_json::json!([{ "group": "Mid", "how": how }]));
    }
}

/// Where several combats are fought, a change until the end of the combat and one for good are different changes.
#[test]
fn it_is_told_how_long_a_change_lasts() {
    let hero = r#"[[minions]]
name = "Killer"
hand = 2
hit_points = 30
effects = [
  { when = "kills", does = "gain", stat = "hand", amount = 1, lasts = "forever" },
  { when = "kills", does = "gain", stat = "hand", amount = 2 },
  { when = "kills", does = "gain", stat = "hit_points", amount = 1 },
  { when = "hits", does = "gain", stat = "hand", amount = 3, lasts = "round" },
  { when = "hits", does = "gain", stat = "armor", amount = 1, lasts = "round" },
  { when = "kills", does = "heal", amount = 1 },
]
[[minions]]
name = "Blue one"
hand = 0
hit_points = 2
"#;
    let lasting = |facts: &[serde_json::Value]| -> Vec<serde_json::Value> {
        let gains = facts.iter().filter(|fact| fact["event"] == "effect");
        gains.map(|fact| fact["lasts"].clone()).take(5).collect()
    };
    let (told, facts) = story(&format!("{hero}{NEIGHBOURS}"), 1);
    for line in [
        "Killer of R1#1: R1#1 Killer gets +1 hand for good",
        "Killer of R1#1: R1#1 Killer gets +2 hand for this combat",
        "Killer of R1#1: R1#1 Killer gets +1 hit point for good",
        "Killer of R1#1: R1#1 Killer gets +3 hand for this round",
        "Killer of R1#1: R1#1 Killer gets +1 armor for the next round",
    ] {
        assert_eq!(told.lines().filter(|told| told.trim() == line).count(), 1, "{line}\n{told}");
    }
    assert_eq!(lasting(&facts), ["round", "next_round", "forever", "combat", "forever"]);
    // In a single combat the end of the combat is the end of everything.
    let duel = "[[groups]]\nname = \"Killers\"\nminions = [\"Killer\"]\n\
                [[groups]]\nname = \"Blue ones\"\nminions = [\"Blue one\"]\n\
                [sides]\na = [\"Killers\"]\nb = [\"Blue ones\"]\nprecedence = \"a\"\n";
    let (told, facts) = story(&format!("{hero}{duel}"), 1);
    assert!(told.contains("A1 Killer gets +1 hand\n"), "{told}");
    assert!(told.contains("A1 Killer gets +2 hand\n"), "{told}");
    assert_eq!(lasting(&facts), ["round", "next_round", "forever", "combat", "forever"]);
}

/// An effect that finds everything as it would leave it has done nothing (decision 20).
#[test]
fn what_is_so_already_is_neither_told_nor_counted() {
    let text = r#"game = "sanctum"
battles = 1
[[minions]]
name = "Stunner"
hand = 1
attacks = 2
hit_points = 30
effects = [
  { when = "hits", does = "stop_attacking", on = "foe" },
  { when = "hits", does = "deal_nothing", on = "foe" },
]
[[minions]]
name = "Foe"
hand = 1
hit_points = 30
[[groups]]
name = "G"
minions = ["Stunner"]
[[groups]]
name = "F"
minions = ["Foe"]
[sides]
a = ["G"]
b = ["F"]
precedence = "a"
"#;
    let document = Document::new("story.toml", text.to_owned(), Folder::Disk("".into()));
    let setup = load::<Sanctum>(&document).unwrap_or_else(|faults| panic!("{faults:?}")).setup;
    let stratum = Stratum { matchup: 0, condition: 0 };
    let mut trace = Trace::default();
    play::<Sanctum, _, _>(&setup, stratum, &mut Seeded::from_seed(1), &mut trace);
    let told = |what: &str| trace.lines.iter().filter(|line| line.text.ends_with(what)).count();
    assert_eq!(told("B1 Foe no longer attacks"), 1);
    assert_eq!(told("B1 Foe deals no damage"), 1);
    let mut counted = Counted(vec![0; activity::labels(&setup).len()]);
    play::<Sanctum, _, _>(&setup, stratum, &mut Seeded::from_seed(1), &mut counted);
    assert_eq!(counted.0, [1, 1]);
}
