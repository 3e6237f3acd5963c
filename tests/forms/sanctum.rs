//! What a Sanctum scenario can say, and what can be wrong with it.

use evens::game::{Game, Outcome, Stratum, Unwatched, play};
use evens::games::sanctum::Sanctum;
use evens::games::sanctum::open_rules::{KillEstimate, OpenRules};
use evens::games::sanctum::state::Stats;
use evens::scenario::Faults;

use super::Loaded;
use evens::tally::Measure;

use super::rendered;

fn read(text: &str) -> Result<Loaded<Sanctum>, Faults> {
    super::read::<Sanctum>(text)
}

fn faults(text: &str) -> Vec<String> {
    super::faults::<Sanctum>(text)
}

fn good(text: &str) -> Loaded<Sanctum> {
    read(text).unwrap_or_else(|faults| panic!("{}", rendered(&faults)))
}

fn wrong(text: &str) -> String {
    let Err(faults) = read(text) else { panic!("this scenario is at fault") };
    rendered(&faults)
}

/// One group called T that fights itself, with side A in precedence.
fn group(before: &str, keys: &str) -> String {
    format!(
        "{before}\n[[groups]]\nname = \"T\"\n{keys}\n\
         [sides]\na = [\"T\"]\nb = [\"T\"]\nprecedence = \"a\"\n"
    )
}

/// The minions of the group in a scenario, as name, hand, missile, armor, hit points, level and attacks.
fn minions(text: &str) -> Vec<(String, i8, i8, i8, i16, u8, u8)> {
    let setup = good(text).setup;
    let stratum = Stratum { matchup: 0, condition: 0 };
    let mut dice = evens::chance::Seeded::from_seed(1);
    let state = Sanctum::start(&setup, stratum, &mut dice, &mut Unwatched);
    let group = &state.groups[0];
    let here = group.minions.iter().enumerate().filter(|(nth, _)| group.present >> nth & 1 == 1);
    here.map(|(_, kept)| {
        let minion = kept.minion();
        let stats = minion.for_good;
        let name = setup.unit_of(&minion).name.clone();
        let Stats { hand, missile, armor, level, attacks, .. } = stats;
        (name, hand, missile, armor, minion.hit_points, level, attacks)
    })
    .collect()
}

#[test]
fn a_group_is_written_with_counts_levels_and_spells() {
    let text = group(
        "",
        "minions = [\"2 Human swordsman\", \"Elf archer@3\", \"Firewyrm + BloodLust + Barkskin\"]\n\
         spells = [\"Druid\"]",
    );
    let swordsman = || ("Human swordsman".to_owned(), 2, 0, 1, 7, 1, 1);
    let expected = [
        swordsman(),
        swordsman(),
        ("Elf archer".to_owned(), 0, 3, 0, 7, 3, 1),
        ("Firewyrm + BloodLust + Barkskin".to_owned(), 2, 0, 1, 12, 1, 3),
    ];
    assert_eq!(minions(&text), expected);
}

#[test]
fn recruits_have_the_scenarios_numbers_and_their_nations_abilities() {
    let text = group(
        "[recruits]\nswordsman = { hand = 3, armor = 2, hit_points = 8, level = 2 }\n\
         archer = { missile = 4, hand = 1 }",
        "minions = [\"Cyclops swordsman\", \"Elf archer\"]",
    );
    let expected = [
        ("Cyclops swordsman".to_owned(), 3, 0, 2, 10, 2, 1),
        ("Elf archer".to_owned(), 1, 4, 0, 7, 1, 1),
    ];
    assert_eq!(minions(&text), expected);
}

#[test]
fn a_scenarios_own_entries_take_the_place_of_bundled_ones() {
    let own = "[[minions]]\nname = \"Boggart\"\nhand = 1\nhit_points = 2\n\
               [[spells]]\nname = \"Barkskin\"\ngives = { armor = 5 }\n";
    let text = group(own, "minions = [\"Boggart + Barkskin\"]");
    assert_eq!(minions(&text), [("Boggart + Barkskin".to_owned(), 1, 0, 5, 2, 1, 1)]);
}

#[test]
fn recruits_of_one_nation_can_be_changed_by_name() {
    let text = group(
        "[recruits]\nswordsman = { hand = 3, armor = 2, hit_points = 8 }\n\
         [changes.\"Dwarf swordsman\"]\nhit_points = \"+4\"\nhand = 1\n",
        "minions = [\"Dwarf swordsman\", \"Djinn swordsman\", \"Dwarf archer\"]",
    );
    let expected = [
        ("Dwarf swordsman".to_owned(), 1, 0, 2, 12, 1, 1),
        ("Djinn swordsman".to_owned(), 3, 0, 2, 8, 1, 1),
        ("Dwarf archer".to_owned(), 0, 2, 0, 7, 1, 1),
    ];
    assert_eq!(minions(&text), expected);
    let misspelt =
        wrong(&text.replace("changes.\"Dwarf swordsman\"", "changes.\"Dwarf swordman\""));
    assert!(misspelt.contains("did you mean `Dwarf swordsman`"), "{misspelt}");
    // A fault of the recruits themselves is told once, and in its own place.
    let spoilt = wrong(&text.replace("hand = 3", "hand = \"three\""));
    assert!(spoilt.contains("expected a whole number, found a string"), "{spoilt}");
    assert!(!spoilt.contains("unknown minion"), "{spoilt}");
}

#[test]
fn precedence_is_fixed_or_drawn() {
    let labels = |precedence: &str| {
        let text = group("", "minions = [\"Elf archer\"]");
        let text = text.replace("precedence = \"a\"", precedence);
        let layout = Sanctum::layout(&good(&text).setup);
        let labels = layout.conditions.iter().map(|c| (c.label.clone(), c.probability));
        (labels.collect::<Vec<_>>(), layout.factors)
    };
    let a = ("A has precedence".to_owned(), 1.0);
    let b = ("B has precedence".to_owned(), 1.0);
    assert_eq!(labels("precedence = \"a\""), (vec![a.clone()], vec![]));
    assert_eq!(labels("precedence = \"b\""), (vec![b.clone()], vec![]));
    let drawn = (vec![(a.0.clone(), 0.5), (b.0, 0.5)], vec![a.0]);
    assert_eq!(labels(""), drawn.clone());
    assert_eq!(labels("precedence = \"either\""), drawn);
}

#[test]
fn precedence_decides_a_mirror_match() {
    for (precedence, winner) in [("a", 0), ("b", 1)] {
        let text = group("", "minions = [\"Dwarf swordsman\"]")
            .replace("precedence = \"a\"", &format!("precedence = \"{precedence}\""));
        let setup = good(&text).setup;
        let stratum = Stratum { matchup: 0, condition: 0 };
        let mut dice = evens::chance::Scripted::nothing();
        let ended = play::<Sanctum, _, _>(&setup, stratum, &mut dice, &mut Unwatched);
        assert_eq!(ended.outcome, Outcome::Win(evens::game::Side(winner)));
    }
}

#[test]
fn a_spell_on_a_group_as_a_whole_works_once() {
    let own = "[[spells]]\nname = \"Sun\"\non_group = true\n\
               effects = [{ when = \"combat_start\", does = \"damage\", amount = 3, on = \"enemies\" }]\n";
    for (spells, hit_points, goes_on) in [("Armistice", 7, false), ("Sun", 5, true)] {
        let text =
            group(own, &format!("minions = [\"3 Dwarf swordsman\"]\nspells = [\"{spells}\"]"));
        let setup = good(&text).setup;
        let stratum = Stratum { matchup: 0, condition: 0 };
        let mut dice = evens::chance::Seeded::from_seed(1);
        let state = Sanctum::start(&setup, stratum, &mut dice, &mut Unwatched);
        let minion = &state.groups[0].minions[0];
        let left = if goes_on { state.field[0].hit_points } else { minion.hit_points };
        // Armor soaks 1 of the 3; under the armistice no combat begins.
        assert_eq!((left, state.in_combat), (hit_points, goes_on), "{spells}");
    }
}

/// A map with these groups, each of them one Elf archer.
fn map(keys: &str, groups: &str) -> String {
    format!(
        "[[groups]]\nname = \"One\"\nminions = [\"Elf archer\"]\n\
         [map]\n{keys}\ngroups = [{groups}]\n"
    )
}

#[test]
fn the_red_players_map_is_the_blue_players_upside_down() {
    let fights = |seen_by: &str, groups: &str| {
        let setup =
            good(&map(&format!("initiative = \"blue\"\nseen_by = \"{seen_by}\""), groups)).setup;
        let fights = setup.schedule(Stratum { matchup: 0, condition: 0 }).to_vec();
        let told = fights.into_iter().map(|fight| {
            let viewer = setup.board().unwrap().seen_by;
            (fight.low, fight.from.unwrap().seen_by(viewer).to_string())
        });
        told.collect::<Vec<_>>()
    };
    // The same coordinates mean opposite squares of the board for the two players.
    let groups = "{ group = \"One\", player = \"blue\", at = [5, 6] },\n\
                  { group = \"One\", name = \"above\", player = \"red\", at = [5, 5] },\n\
                  { group = \"One\", name = \"below\", player = \"red\", at = [5, 7] }";
    let ordered = |pairs: [(u8, &str); 2]| pairs.map(|(low, from)| (low, from.to_owned())).to_vec();
    assert_eq!(fights("blue", groups), ordered([(1, "northeast"), (2, "southwest")]));
    assert_eq!(fights("red", groups), ordered([(2, "southwest"), (1, "northeast")]));
}

#[test]
fn a_map_has_a_third_side_only_for_neutral_groups() {
    let blue_and = |player: &str| {
        let groups = format!(
            "{{ group = \"One\", player = \"blue\", at = [5, 6] }},\n\
             {{ group = \"One\", name = \"Two\", player = \"{player}\", at = [5, 7] }}"
        );
        let layout = Sanctum::layout(&good(&map("", &groups)).setup);
        (layout.sides, layout.matchups[0].contenders.join(", "), layout.metrics.len())
    };
    assert_eq!(blue_and("red"), (2, "Blue, Red".to_owned(), 4));
    assert_eq!(blue_and("neutral"), (3, "Blue, Red, Neutral".to_owned(), 6));
}

#[test]
fn what_probably_is_not_meant_is_a_warning() {
    let warnings =
        |text: &str| good(text).warnings.iter().map(ToString::to_string).collect::<Vec<_>>();
    let idle =
        group("[[groups]]\nname = \"Idle\"\nminions = [\"Elf archer\"]", "minions = [\"Boggart\"]");
    assert_eq!(warnings(&idle), ["`Idle` fights nobody"]);
    let nobody = group("", "minions = [\"Boggart\"]\nspells = [\"Cadre\"]");
    assert_eq!(warnings(&nobody), ["`Cadre` can be on nobody in this group"]);
    let apart = "{ group = \"One\", player = \"blue\", at = [5, 6] },\n\
                 { group = \"One\", name = \"Two\", player = \"red\", at = [6, 7] }";
    let expected = ["no two hostile groups are orthogonally adjacent: nobody fights"];
    assert_eq!(warnings(&map("", apart)), expected);
}

#[test]
fn names_that_a_group_could_not_list_are_faults() {
    let named = |name: &str| {
        let own = format!("[[minions]]\nname = \"{name}\"\nhand = 1\nhit_points = 1\n");
        faults(&group(&own, "minions = [\"Boggart\"]"))
    };
    for name in ["3 Musketeers", "1 Ring", "A + B", "X@Y", "", " ", " Ghoul", "Ghoul "] {
        assert_eq!(named(name), [format!("\"{name}\": `{name}` cannot be a name")]);
    }
    for name in ["Musketeers 3", "Three Musketeers", "7", "4th Rider", "A-B"] {
        let own = format!("[[minions]]\nname = \"{name}\"\nhand = 1\nhit_points = 1\n");
        let text = group(&own, &format!("minions = [\"2 {name}@2 + Barkskin\"]"));
        assert_eq!(minions(&text)[1].0, format!("{name} + Barkskin"));
    }
    let spell = |name: &str| {
        let own = format!("[[spells]]\nname = \"{name}\"\ngives = {{ hand = 1 }}\n");
        group(&own, "minions = [\"Boggart\"]")
    };
    for name in ["A + B", "", "Glow "] {
        assert_eq!(faults(&spell(name)), [format!("\"{name}\": `{name}` cannot be a name")]);
    }
    assert!(read(&spell("2 X@Y")).is_ok());
    let nameless = group("", "minions = [\"Boggart\"]").replace("\"T\"", "\"\"");
    assert_eq!(faults(&nameless), ["\"\": `` cannot be a name"]);
}

#[test]
fn what_can_never_matter_is_a_warning() {
    let warnings =
        |text: &str| good(text).warnings.iter().map(ToString::to_string).collect::<Vec<_>>();
    let own = |keys: &str| {
        let own = format!("[[minions]]\nname = \"Own\"\nhit_points = 1\n{keys}\n");
        warnings(&group(&own, "minions = [\"Own\"]"))
    };
    assert_eq!(own(""), ["`Own` has no weapon and never attacks"]);
    assert!(own("attacks = 0").is_empty() && own("missile = 0").is_empty());
    let unarmed = group("[recruits]\nswordsman = { armor = 1 }", "minions = [\"Boggart\"]");
    assert_eq!(warnings(&unarmed), ["a swordsman without a weapon never attacks"]);

    let effect = |text: &str| own(&format!("attacks = 0\neffects = [{text}]"));
    let waits = "{ when = \"hits\", does = \"kill\", on = \"foe\", if_marks = 2 }";
    assert_eq!(effect(waits), ["`Own` waits for marks (`if_marks`), and nobody marks"]);
    let marks = "{ when = \"hits\", does = \"mark\", on = \"foe\" }";
    assert!(effect(&format!("{waits}, {marks}")).is_empty());

    for (does, more) in
        [("gain", "stat = \"hand\", amount = 1"), ("stop_attacking", "lasts = \"combat\"")]
    {
        let at =
            |when: &str| effect(&format!("{{ when = \"{when}\", does = \"{does}\", {more} }}"));
        for when in ["combat_end", "after_combat"] {
            assert_eq!(at(when), [format!("`{does}` at `{when}` is over with the combat")]);
        }
        assert!(at("round_start").is_empty());
    }
    let healed = "{ when = \"combat_end\", does = \"gain\", stat = \"hit_points\", amount = 1 }";
    let kept = "{ when = \"combat_end\", does = \"gain\", stat = \"hand\", amount = 1, lasts = \"forever\" }";
    assert!(effect(&format!("{healed}, {kept}")).is_empty());

    let ages = |players: [&str; 2], created: [u32; 2]| {
        let placed = |at: usize| {
            format!(
                "{{ group = \"One\", name = \"G{at}\", player = \"{}\", at = [5, {at}], created = {} }}",
                players[at], created[at]
            )
        };
        let blue = "{ group = \"One\", name = \"Own\", player = \"blue\", at = [5, 2] }";
        warnings(&map("", &[placed(0), placed(1), blue.to_owned()].join(", ")))
    };
    assert_eq!(ages(["neutral", "neutral"], [7, 7]), ["`G1` was created when `G0` was"]);
    assert!(ages(["neutral", "neutral"], [7, 8]).is_empty());
    assert!(ages(["red", "neutral"], [7, 7]).is_empty());
}

#[test]
fn open_rules_are_switches_of_the_scenario() {
    let rules = |rules: &str| good(&group(rules, "minions = [\"Boggart\"]")).setup.open_rules();
    assert_eq!(rules(""), OpenRules::default());
    let other = "[rules]\nkill_estimate = \"shooters_together\"\ncancelled_kills = true\n";
    let kill_estimate = KillEstimate::ShootersTogether;
    assert_eq!(rules(other), OpenRules { kill_estimate, cancelled_kills: true });
}

#[test]
fn single_combats_or_a_map_but_not_both_and_not_neither() {
    let both = group(
        "[map]\ngroups = [{ group = \"T\", player = \"blue\", at = [1, 1] }]",
        "minions = [\"Boggart\"]",
    );
    assert_eq!(faults(&both), ["map: both `[sides]` and `[map]`"]);
    let neither = "[[groups]]\nname = \"T\"\nminions = [\"Boggart\"]\n";
    assert_eq!(faults(neither), ["groups: neither `[sides]` nor `[map]`: nobody fights"]);
}

#[test]
fn groups_are_not_larger_than_eight_and_a_map_holds_sixteen() {
    let nine = group("", "minions = [\"8 Elf archer\", \"Boggart\"]");
    assert_eq!(faults(&nine), ["[\"8 Elf archer\", \"Boggart\"]: 9 minions in a group"]);
    let endless = group("", "minions = [\"99999999999999999999 Elf archer\"]");
    assert!(faults(&endless)[0].contains("unknown minion"));
    let many: Vec<String> = (0..17)
        .map(|at| {
            format!(
                "{{ group = \"One\", name = \"G{at}\", player = \"red\", at = [{}, {}] }}",
                at % 12,
                at / 12
            )
        })
        .collect();
    assert!(faults(&map("", &many.join(", ")))[0].ends_with("17 groups on a map"));
}

#[test]
fn every_effect_is_checked() {
    let effect = |text: &str| {
        let own =
            format!("[[minions]]\nname = \"Own\"\nhit_points = 1\neffects = [{{ {text} }}]\n");
        faults(&group(&own, "minions = [\"Own\"]"))
            .iter()
            .map(|fault| fault.split_once("}: ").unwrap().1.to_owned())
            .collect::<Vec<_>>()
    };
    for (text, expected) in [
        ("when = \"hits\", does = \"deal_back\"", "`deal_back` cannot happen at `hits`"),
        ("when = \"dying\", does = \"survive\"", "`survive` needs an `amount`"),
        ("when = \"hits\", does = \"kill\", amount = 1", "`kill` has no `amount`"),
        ("when = \"hits\", does = \"gain\", amount = 1", "`gain` needs a `stat`"),
        ("when = \"hits\", does = \"heal\", amount = 1, stat = \"hand\"", "`heal` has no `stat`"),
        ("when = \"hits\", does = \"heal\", amount = -1", "`heal` with an `amount` below 1"),
        (
            "when = \"dies\", does = \"withdraw\", on = \"group\"",
            "`withdraw` is on nobody in particular",
        ),
        ("when = \"dies\", does = \"kill\", on = \"foe\"", "nobody stands opposite at `dies`"),
        ("when = \"hits\", does = \"kill\", harm = \"magical\"", "`kill` has no `harm`"),
        ("when = \"hits\", does = \"kill\", per_armor = true", "`kill` cannot be `per_armor`"),
        ("when = \"hits\", does = \"kill\", lasts = \"round\"", "`kill` lasts no time at `hits`"),
        (
            "when = \"hits\", does = \"gain\", stat = \"hit_points\", amount = 1, lasts = \"combat\"",
            "a change of hit points does not end",
        ),
        (
            "when = \"hits\", does = \"withdraw\", only = [\"archer\"]",
            "`withdraw` singles out nobody",
        ),
        ("when = \"dies\", does = \"kill\", weapon = \"hand\"", "no weapon is used at `dies`"),
        ("when = \"always\", does = \"repel\", percent = 5", "a trait holds always"),
        (
            "when = \"hits\", does = \"kill\", rounds = [5, 3]",
            "`rounds` are not a first and a last one",
        ),
    ] {
        assert_eq!(effect(text), [expected], "{text}");
    }
}

#[test]
fn a_scenario_with_many_faults() {
    let text = "
[[minions]]
name = \"Ghoul\"
hand = 3
hit_points = 9
effects = [
    { when = \"hits\", does = \"deal_back\" },
    { when = \"combat_start\", does = \"gain\", on = \"foe\" },
]

[[minions]]
name = \"Ghoul\"
hit_points = 1

[[spells]]
name = \"Peace\"
on_group = true
on = [\"archer\"]
effects = [{ when = \"hits\", does = \"heal\", amount = 2, at_most = 1 }]

[[groups]]
name = \"One\"
minions = [\"3 Elf archr\", \"Ghoul@7\", \"7 Dwarf swordsman + Cadre\", \"0 Elf archer\"]
spells = [\"Sole Jar\"]

[[groups]]
name = \"Two\"
minions = [\"2 Combustioneer + Plague\"]

[sides]
a = [\"One\"]
b = [\"Too\"]
";
    insta::assert_snapshot!(wrong(text));
}

#[test]
fn a_map_with_many_faults() {
    let groups = "{ group = \"One\", player = \"blue\", at = [4, 6] },\n\
                  { group = \"One\", player = \"red\", at = [4, 6] },\n\
                  { group = \"Won\", player = \"red\", name = \"X\", at = [4, 7, 1] },\n";
    insta::assert_snapshot!(wrong(&map("", groups)));
}

#[test]
fn every_list_has_rows_that_say_something() {
    use evens::games::Playable;
    for shelf in Sanctum::SHELVES {
        let table = Sanctum::shelf(shelf).expect("every shelf has a table");
        assert!(table.rows() > 10, "{shelf}");
    }
    assert!(Sanctum::shelf("dragons").is_none());
}

#[test]
fn overkill_and_survivors_are_known_of_battles_that_nobody_watched() {
    let text = group("", "minions = [\"Boggart\"]");
    let text = text.replace("b = [\"T\"]", "b = [\"U\"]")
        + "[[groups]]\nname = \"U\"\nminions = [\"2 Combustioneer\"]\n";
    let setup = good(&text).setup;
    let stratum = Stratum { matchup: 0, condition: 0 };
    let mut dice = evens::chance::Seeded::from_seed(1);
    let ended = play::<Sanctum, _, _>(&setup, stratum, &mut dice, &mut Unwatched);
    let mut metrics = vec![0; Sanctum::layout(&setup).metrics.len()];
    Sanctum::metrics(&setup, &ended.state, &mut metrics);
    // Two blows of 3 on 2 hit points each.
    assert_eq!(metrics, [1, 0, 2, 0]);
}

#[test]
fn no_number_of_spells_is_too_large_for_a_minion() {
    let with = |gives: &str, times: usize| {
        let spells = vec!["\"Vigor\""; times].join(", ");
        format!(
            "[[spells]]\nname = \"Vigor\"\n{gives}\n\
             [[groups]]\nname = \"X\"\nminions = [\"Dwarf swordsman\"]\nspells = [{spells}]\n\
             [sides]\na = [\"X\"]\nb = [\"X\"]\n"
        )
    };
    assert!(read(&with("gives = { hit_points = 100, level = 5 }", 400)).is_ok());
    assert!(read(&with("gives = { hand = 50 }", 2)).is_ok());
    // Nothing is cut off in silence.
    let more = "effects = [{ when = \"attacks\", does = \"deal_more\", amount = 100 }]";
    for gives in ["gives = { hand = 50 }", "gives = { armor = 50 }", more] {
        let faults = read(&with(gives, 3)).unwrap_err();
        let told = rendered(&faults);
        assert!(told.contains("has damage or armor outside -128 to 127"), "{told}");
    }
}

#[test]
fn names_stand_in_one_line_and_minions_are_not_renamed() {
    let boggart = "minions = [\"Boggart\"]";
    let broken = group("", boggart).replace("\"T\"", "\"T\\nU\"");
    assert_eq!(faults(&broken), ["\"T\\nU\": `T\\nU` cannot be a name"]);
    let renamed = group("[changes.Boggart]\nname = \"Foo\"\nhand = 2", boggart);
    assert_eq!(faults(&renamed), ["\"Foo\": a change does not rename the minion `Boggart`"]);
    let twice = group("", boggart).replace("b = [\"T\"]", "b = [\"T\", \"T\"]");
    let warnings: Vec<String> = good(&twice).warnings.iter().map(ToString::to_string).collect();
    assert_eq!(warnings, ["`T` is on this side already"]);
}

#[test]
fn rounds_are_two_numbers() {
    let minion = |rounds: &str| {
        let effects = format!("[{{ when = \"hits\", does = \"kill\", rounds = {rounds} }}]");
        group(
            &format!("[[minions]]\nname = \"Foo\"\nhand = 1\nhit_points = 1\neffects = {effects}"),
            "minions = [\"Foo\"]",
        )
    };
    good(&minion("[3, 3]"));
    let found = read(&minion("3")).expect_err("a fault").faults;
    assert!(found[0].remedy.starts_with("write `rounds = [3, 3]`"), "{}", found[0].remedy);
    assert_eq!(faults(&minion("[3]")), ["[3]: needs at least 2 entries"]);
    assert_eq!(faults(&minion("[3, 4, 5]")), ["[3, 4, 5]: has at most 2 entries"]);
}

/// The rulebook says of these three that minions have them, without saying which minions.
#[test]
fn spells_that_repel_missiles_are_on_any_minion() {
    for spell in ["Fae Gift", "Karillian Venom", "Pixie Dust"] {
        good(&format!(
            "[[groups]]\nname = \"G\"\nminions = [\"2 Elf archer\"]\n\
             [[groups]]\nname = \"H\"\nminions = [\"Brimstone Dragon + {spell}\"]\n[sides]\na = [\"G\"]\nb = [\"H\"]\n"
        ));
    }
}
