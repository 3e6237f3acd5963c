//! What an Elder Tale scenario can say, and what can be wrong with it.

use evens::games::eldertale::ElderTale;
use evens::games::eldertale::cards::{Bearer, CardType, Class, Targets, Trigger};
use evens::games::eldertale::catalogue::example;
use evens::games::eldertale::effect::Kind;
use evens::games::eldertale::open_rules::{Discards, EnergyBeyond3, OpenRules};
use evens::games::eldertale::setup::{Policy, Setup};
use evens::scenario::Faults;

use super::Loaded;
use strum::IntoEnumIterator;

use super::rendered;

fn read(text: &str) -> Result<Loaded<ElderTale>, Faults> {
    super::read::<ElderTale>(text)
}

fn faults(text: &str) -> Vec<String> {
    super::faults::<ElderTale>(text)
}

fn setup(text: &str) -> Setup {
    super::setup::<ElderTale>(text)
}

fn warnings(text: &str) -> Vec<String> {
    super::warnings::<ElderTale>(text)
}

/// A scenario in which a character called Crow, with these keys, fights itself.
fn crow(before: &str, keys: &str) -> String {
    format!(
        "{before}\n[[characters]]\nname = \"Crow\"\n{keys}\n[sides]\na = [\"Crow\"]\nb = [\"Crow\"]\n"
    )
}

/// A scenario with one card of its own, called Card, in the deck of Crow.
fn card(keys: &str) -> String {
    let own = format!("[[cards]]\ntitle = \"Card\"\n{keys}");
    crow(&own, "deck = [\"Card\", \"Strike\"]")
}

// Cards

#[test]
fn a_card_says_what_the_record_of_the_game_says() {
    let text = card(
        r#"description = "Reaches far"
type = "Attack"
rarity = "Epic"
cost = 2
damage = 4
hits = 3
targets = "area"
singleuse = true
effects = [
    { name = "Guard Down", trigger = "on play", intensity = 2, hitduration = 2, roundduration = 3 },
    { name = "Draw Up", deck = "Random", to = "self", roundduration = 1 },
]"#,
    );
    let setup = setup(&text);
    let card = setup.cards().iter().find(|card| card.title == "Card").unwrap();
    assert_eq!((card.kind, card.cost, card.damage, card.hits), (CardType::Attack, 2, 4, 3));
    assert_eq!((card.targets, card.single_use), (Targets::Area, true));
    let [lowered, drawn] = card.effects.as_slice() else { panic!("two effects") };
    assert_eq!((lowered.trigger, lowered.bearer), (Trigger::Play, Bearer::Target));
    let effect = lowered.effect;
    assert_eq!((effect.kind, effect.intensity), (Kind::GuardDown, 2));
    assert_eq!((effect.hits, effect.rounds), (2, 3));
    assert_eq!((drawn.trigger, drawn.bearer), (Trigger::Activation, Bearer::Player));
    assert_eq!((drawn.effect.kind, drawn.effect.intensity), (Kind::DrawUpRandom, 1));
}

#[test]
fn numbers_belong_to_a_type() {
    assert_eq!(
        faults(&card("type = \"Attack\"\ncost = 1\ndamage = 1\ndefense = 2")),
        ["2: Attack cards have no `defense`"]
    );
    assert_eq!(
        faults(&card("type = \"Utility\"\ncost = 3\ndamage = 2")),
        ["3: must lie between 1 and 2"]
    );
    assert_eq!(
        faults(&card("type = \"Utility\"\ncost = 1\ndamage = 2")),
        ["2: Utility cards have no `damage`"]
    );
    assert_eq!(
        faults(&card("type = \"Defense\"\ncost = 1\nhits = 2")),
        ["2: hits without damage or defense"]
    );
    assert_eq!(faults(&card("type = \"Defense\"\ncost = 1")), ["\"Card\": `Card` does nothing"]);
    assert_eq!(
        faults(&card("type = \"Attack\"\ncost = 1\ndamage = 100\nhits = 10")),
        ["100: must lie between 0 and 99", "10: must lie between 1 and 9"]
    );
}

#[test]
fn targets_belong_to_a_type() {
    let played_at = |kind: &str, numbers: &str, targets: &str| {
        let effects = "effects = [{ name = \"Doom\", roundduration = 1, to = \"self\" }]";
        faults(&card(&format!(
            "type = \"{kind}\"\ncost = 1\n{numbers}\ntargets = \"{targets}\"\n{effects}"
        )))
    };
    assert_eq!(
        played_at("Attack", "damage = 1", "self"),
        ["\"self\": Attack cards cannot be played at `self`"]
    );
    assert_eq!(
        played_at("Defense", "defense = 1", "one"),
        ["\"one\": Defense cards cannot be played at `one`"]
    );
    assert_eq!(
        played_at("Utility", "", "area"),
        ["\"area\": Utility cards cannot be played at `area`"]
    );
    assert_eq!(
        played_at("Attack", "", "random"),
        ["\"random\": a card without hits cannot be played at `random`"]
    );
}

#[test]
fn an_effect_that_cannot_work_is_a_fault() {
    let with = |effect: &str| {
        faults(&card(&format!("type = \"Utility\"\ncost = 1\neffects = [{{ {effect} }}]")))
    };
    let says = |effect: &str, fault: &str| assert_eq!(with(effect), [fault], "{effect}");
    says("name = \"Poison\", hitduration = 2", "2: Poison affects no hits");
    says("name = \"Heal\", roundduration = 2", "2: Heal acts at once and does not last");
    says("name = \"Guard Up\"", "\"Guard Up\": Guard Up would never end");
    says("name = \"Doom\"", "\"Doom\": Doom would never end");
    says(
        "name = \"Draw Up\", roundduration = 1",
        "{ name = \"Draw Up\", roundduration = 1 }: which cards are drawn is not said",
    );
    says(
        "name = \"Poison\", deck = \"Attack\"",
        "\"Attack\": only Draw Up and Draw Down are about a deck",
    );
    says(
        "name = \"Poison\", to = \"target\"",
        "\"target\": the card is played at nobody who could bear this",
    );
    says("name = \"Posion\"", "\"Posion\": `Posion` is not possible here");
    says("name = \"Poison\", intensity = 0", "0: must lie between 1 and 99");
    let on_another = "type = \"Utility\"\ncost = 1\ntargets = \"one\"\n\
                      effects = [{ name = \"Gain Defense\", to = \"target\" }]";
    assert_eq!(
        faults(&card(on_another)),
        ["\"target\": defense that is gained at once stands for the own turn only"]
    );
    let by_attack = "type = \"Attack\"\ncost = 1\ndamage = 3\n\
                     effects = [{ name = \"Gain Defense\", to = \"self\", trigger = \"on activation\" }]";
    let found = faults(&card(by_attack));
    assert!(found[0].contains("an attack runs in another's turn"), "{found:?}");
    let on_play = by_attack.replace("on activation", "on play");
    assert_eq!(warnings(&card(&on_play)), [""; 0]);
    let many = ["{ name = \"Heal\" }"; 5].join(", ");
    let found = faults(&card(&format!("type = \"Utility\"\ncost = 1\neffects = [{many}]")));
    assert!(found[0].ends_with("5 effects on a card"), "{found:?}");
}

#[test]
fn an_effect_that_ends_before_it_acts_is_warned_of() {
    let laid = |keys: &str| {
        let effect = format!("effects = [{{ name = \"Guard Down\", {keys} }}]");
        warnings(&card(&format!("type = \"Attack\"\ncost = 1\ndamage = 3\n{effect}")))
    };
    let void = "Guard Down for one round ends before it can act";
    assert_eq!(laid("trigger = \"on play\", roundduration = 1"), [void]);
    assert_eq!(laid("trigger = \"on play\", roundduration = 2"), [""; 0]);
    assert_eq!(laid("roundduration = 1"), [""; 0], "on activation it acts on the rest of the turn");
    // The same holds for effects that a player lays on itself on play, or on another with a Utility card.
    let utility = |keys: &str| {
        let effect = format!("effects = [{{ roundduration = 1, {keys} }}]");
        warnings(&card(&format!("type = \"Utility\"\ncost = 1\ntargets = \"one\"\n{effect}"))).len()
    };
    let guard_up = |keys: &str| utility(&format!("name = \"Guard Up\", {keys}"));
    assert_eq!(guard_up("to = \"self\", trigger = \"on play\""), 1);
    assert_eq!(guard_up("to = \"self\""), 0);
    assert_eq!(guard_up("to = \"target\""), 1);
    let draw_up = |keys: &str| utility(&format!("name = \"Draw Up\", deck = \"Attack\", {keys}"));
    assert_eq!((draw_up("to = \"self\""), draw_up("to = \"target\"")), (0, 1));
    // Effects that act first, and Power for attacks that are on their way, come in time.
    for name in ["Doom", "Start Guard", "Power"] {
        assert_eq!(utility(&format!("name = \"{name}\", to = \"target\"")), 0, "{name}");
    }
}

#[test]
fn an_own_card_takes_the_place_of_one_of_the_catalogue() {
    let stronger = "[[cards]]\ntitle = \"Strike\"\ntype = \"Attack\"\ncost = 1\ndamage = 50";
    let setup = setup(&crow(stronger, "deck = [\"Strike\"]"));
    assert_eq!((setup.cards().len(), setup.cards()[0].damage), (1, 50));
    let twice = format!("{stronger}\n{stronger}");
    let found = faults(&crow(&twice, "deck = [\"Strike\"]"));
    assert_eq!(found, ["\"Strike\": `Strike` is the name of two cards"]);
}

#[test]
fn a_catalogue_of_ones_own_is_read_with_all_its_faults() {
    let folder = tempfile::tempdir().unwrap();
    let write = |name: &str, text: &str| std::fs::write(folder.path().join(name), text).unwrap();
    write("good.toml", "[[cards]]\ntitle = \"Poke\"\ntype = \"Attack\"\ncost = 1\ndamage = 1\n");
    write(
        "bad.toml",
        "[[cards]]\ntitle = \"Poke\"\ntype = \"Atack\"\ncost = 1\n[[cards]]\ntitle = \"Jab\"\ncst = 1\n",
    );
    write("void.toml", "[[cards]]\ntitle = \"Poke\"\ntype = \"Attack\"\ncost = 1\n");
    let with = |catalogue: &str| {
        let text = crow(&format!("catalogue = \"{catalogue}\""), "deck = [\"Poke\"]");
        super::read_in::<ElderTale>(&text, folder.path().into())
    };
    assert_eq!(with("good.toml").unwrap().setup.cards()[0].title, "Poke");
    let said = |catalogue: &str| -> Vec<String> {
        let Faults { faults, .. } = with(catalogue).unwrap_err();
        faults.iter().map(ToString::to_string).collect()
    };
    let bad = said("bad.toml");
    assert_eq!(bad.len(), 4, "{bad:?}");
    for fault in [
        "`Atack` is not possible here",
        "unknown key `cst`",
        "`type` is missing",
        "`cost` is missing",
    ] {
        assert!(bad.iter().any(|told| told == fault), "{fault}: {bad:?}");
    }
    assert_eq!(said("void.toml"), ["`Poke` does nothing"]);
    assert!(said("none.toml")[0].starts_with("cannot read "));
}

// Characters

#[test]
fn a_character_without_a_deck_has_every_card_of_its_classes() {
    let cards = |classes: &str| {
        let setup = setup(&crow("", &format!("classes = {classes}")));
        setup.sheets()[0].deck.iter().count()
    };
    let own = |class: Class| {
        example().iter().filter(|card| card.requires.iter().any(|&(of, _)| of == class)).count()
    };
    let any = example().iter().filter(|card| card.requires.is_empty()).count();
    assert_eq!(cards("[]"), any);
    assert_eq!(cards("[\"Hunter\"]"), any + own(Class::Hunter));
    assert_eq!(
        cards("[\"Hunter\", \"Heavy Blade\"]"),
        any + own(Class::Hunter) + own(Class::HeavyBlade)
    );
    assert_eq!(cards("[\"Hunter\", \"Hunter\"]"), any + own(Class::Hunter));
}

#[test]
fn everything_that_is_wrong_with_a_deck_is_told_at_its_card() {
    let deck = |deck: &str| faults(&crow("", &format!("classes = [\"Bard\"]\ndeck = [{deck}]")));
    assert_eq!(
        deck("\"Strike\", \"Strkie\", \"Cleave\", \"Block*0\", \"Strike*2\", \"Brace*x\""),
        [
            "\"Strkie\": unknown card `Strkie`",
            "\"Cleave\": `Crow` cannot bring `Cleave`",
            "\"Block*0\": `Block*0` is no number of copies",
            "\"Strike*2\": `Strike` stands in the deck twice",
            "\"Brace*x\": `Brace*x` is no number of copies",
        ]
    );
    let found = deck("\"Strike*20\", \"Heavy Swing\"");
    assert_eq!(found, ["[\"Strike*20\", \"Heavy Swing\"]: 21 Attack cards in the deck of `Crow`"]);
    let harmless = warnings(&crow("", "deck = [\"Block\"]"));
    assert_eq!(harmless, ["`Crow` has no Attack card, and none that poisons"]);
    let brew = |to: &str| {
        let card = format!(
            "[[cards]]\ntitle = \"Brew\"\ntype = \"Utility\"\ncost = 1\n\
             targets = \"one\"\n\
             effects = [{{ name = \"Poison\", intensity = 3, to = \"{to}\" }}]"
        );
        warnings(&crow(&card, "deck = [\"Brew\"]")).len()
    };
    assert_eq!((brew("target"), brew("self")), (0, 1), "poison takes others out, too");
}

#[test]
fn what_a_class_requirement_counts() {
    let master = "[[cards]]\ntitle = \"Mastery\"\ntype = \"Attack\"\ncost = 1\ndamage = 9\n\
                  conceptrequirement = [{ name = \"Bard\", count = 2 }]";
    let bring =
        |classes: &str| read(&crow(master, &format!("classes = {classes}\ndeck = [\"Mastery\"]")));
    assert!(bring("[\"Bard\", \"Bard\"]").is_ok());
    assert!(bring("[\"Bard\", \"Druid\"]").is_err());
    let three = faults(&crow("", "classes = [\"Bard\", \"Druid\", \"Hunter\"]"));
    assert_eq!(three, ["\"Hunter\": 3 classes"]);
    let unknown = faults(&crow("", "classes = [\"Brad\"]"));
    assert_eq!(unknown, ["\"Brad\": `Brad` is not possible here"]);
}

#[test]
fn scripts_are_checked_line_by_line() {
    let script = |script: &str| {
        crow(
            "",
            &format!(
                "classes = [\"Godhand\"]\npolicy = \"scripted\"\n\
                 deck = [\"Strike*2\", \"Heavy Swing\", \"Flurry\", \"Block\"]\nscript = {script}"
            ),
        )
    };
    let good = setup(&script(r#"[["Strike=Crow", "Flurry=Crow, Crow"], []]"#));
    let Policy::Scripted(turns) = &good.sheets()[0].policy else { panic!("a script") };
    assert_eq!(turns.iter().map(Vec::len).collect::<Vec<_>>(), [2, 0]);
    assert_eq!(turns[0][1].named, [0, 0]);
    assert_eq!(
        faults(&script(
            r#"[["Srike"], ["Strike=Wren", "Block=Crow"], ["Strike=Crow, Crow"], ["Heavy Swing", "Strike", "Block"]]"#
        )),
        [
            "\"Srike\": unknown card `Srike`",
            "\"Strike=Wren\": unknown character `Wren`",
            "\"Block=Crow\": `Block` names 1 target",
            "\"Strike=Crow, Crow\": `Strike` names 2 targets",
            "[\"Heavy Swing\", \"Strike\", \"Block\"]: this turn costs 4 energy",
        ]
    );
    let none = faults(&crow("", "policy = \"scripted\""));
    assert!(none[0].ends_with("`Crow` is scripted and has no script"), "{none:?}");
    let idle = warnings(&crow("", "script = [[\"Strike\"]]"));
    assert_eq!(idle, ["`script` has no effect"]);
}

#[test]
fn names_that_could_not_be_written_down_are_faults() {
    for name in ["", " ", " Crow", "Crow ", "Crow, Wren", "Crow=Wren"] {
        let text = format!(
            "[[characters]]\nname = \"{name}\"\n[sides]\na = [\"{name}\"]\nb = [\"{name}\"]\n"
        );
        assert_eq!(faults(&text), [format!("\"{name}\": `{name}` cannot be a name")]);
        let own =
            format!("[[cards]]\ntitle = \"{name}\"\ntype = \"Attack\"\ncost = 1\ndamage = 1\n");
        assert_eq!(faults(&crow(&own, "")), [format!("\"{name}\": `{name}` cannot be a name")]);
    }
}

#[test]
fn an_empty_deck_is_one_that_is_left_out_and_a_warning_says_so() {
    let (empty, left_out) = (crow("", "deck = []"), crow("", ""));
    assert_eq!(warnings(&empty), ["the empty deck of `Crow` counts as left out"]);
    assert!(warnings(&left_out).is_empty());
    let cards = |text: &str| setup(text).sheets()[0].deck.iter().count();
    assert_eq!(cards(&empty), cards(&left_out));
}

#[test]
fn scripts_that_cannot_go_as_written_are_warnings() {
    let duel = |script: &str, sides: &str| {
        format!(
            "[[characters]]\nname = \"Crow\"\npolicy = \"scripted\"\ndeck = [\"Strike\", \"Block*2\"]\n\
             script = {script}\n[[characters]]\nname = \"Wren\"\n[[characters]]\nname = \"Owl\"\n\
             [sides]\n{sides}\n"
        )
    };
    let apart = "a = [\"Crow\", \"Owl\"]\nb = [\"Wren\"]";
    let told = |script: &str| warnings(&duel(script, apart));
    assert_eq!(told("[[\"Strike=Crow\"]]"), ["`Crow` cannot aim at itself"]);
    assert_eq!(told("[[\"Strike=Owl\"]]"), ["`Crow` never meets `Owl`"]);
    assert!(told("[[\"Strike=Wren\"], [\"Strike\"]]").is_empty());
    // A character that meets itself aims at the other copy.
    let mirrored = "a = [\"Crow\", \"Owl\"]\nb = [\"Crow\", \"Wren\"]";
    assert!(warnings(&duel("[[\"Strike=Crow\"]]", mirrored)).is_empty());

    assert_eq!(told("[[\"Strike\", \"Strike\"]]"), ["the deck holds one copy of `Strike`"]);
    let thrice = "[[\"Block\", \"Block\", \"Block\"]]";
    assert_eq!(told(thrice), ["the deck holds 2 copies of `Block`"]);
    assert!(told("[[\"Block\", \"Block\", \"Strike\"]]").is_empty());
}

#[test]
fn no_turn_of_a_script_is_too_long_to_be_added_up() {
    let turn = vec!["\"Strike\""; 300].join(", ");
    let text =
        crow("", &format!("policy = \"scripted\"\ndeck = [\"Strike\"]\nscript = [[{turn}]]"));
    assert!(faults(&text)[0].ends_with("this turn costs 300 energy"));
}

#[test]
fn memories_and_their_chances() {
    let all_in = |disable: &str, memory: &str| {
        faults(&crow(&format!("[all_in]\ndisable = {disable}"), memory))
    };
    assert_eq!(
        all_in("[50, 60]", "memory = 1"),
        ["60: a Memory of level 2 fails sooner than one of level 1"]
    );
    assert_eq!(all_in("[50]", "memory = 2"), ["2: there is no chance for a Memory of level 2"]);
    assert_eq!(all_in("[0, 101]", "")[0], "0: must lie between 0.01 and 100");
    assert_eq!(warnings(&crow("", "all_in_at = 5")), ["`all_in_at` has no effect"]);
    let exact = setup(&crow("[all_in]\ndisable = [33.3]", "memory = 1"));
    assert_eq!(exact.sheets()[0].wager.unwrap().odds, [66_700_000, 33_300_000]);
}

#[test]
fn open_rules_are_switches_of_the_scenario() {
    let rules = |rules: &str| setup(&crow(rules, "")).open_rules();
    assert_eq!(rules(""), OpenRules::default());
    let other = "[rules]\ndiscards = \"pile\"\nenergy_beyond_3 = \"first_turn\"\n";
    let expected =
        OpenRules { discards: Discards::Pile, energy_beyond_3: EnergyBeyond3::FirstTurn };
    assert_eq!(rules(other), expected);
    // The open rules decide how much energy a script can spend.
    let dear = "policy = \"scripted\"\ndeck = [\"Strike*5\"]\n\
                script = [[\"Strike\", \"Strike\", \"Strike\", \"Strike\"]]";
    assert!(faults(&crow("", dear))[0].ends_with("this turn costs 4 energy"));
    assert!(read(&crow("[rules]\nenergy_beyond_3 = \"always\"\n", dear)).is_ok());
}

// Sides

/// Four characters called K, L, M and N.
fn four(sides: &str) -> String {
    let character = |name: &str| format!("[[characters]]\nname = \"{name}\"\n");
    format!("{}[sides]\n{sides}\n", ["K", "L", "M", "N"].map(character).concat())
}

#[test]
fn everybody_on_a_side_meets_everybody_on_the_others() {
    let matchups = |sides: &str| -> Vec<Vec<u16>> {
        setup(&four(sides)).matchups().iter().map(|matchup| matchup.to_vec()).collect()
    };
    assert_eq!(matchups("a = [\"K\"]\nb = [\"L\", \"M\"]"), [[0, 1], [0, 2]]);
    assert_eq!(matchups("a = [\"K\"]\nb = [\"L\"]\nswap = true"), [[0, 1], [1, 0]]);
    let three = "a = [\"K\"]\nb = [\"L\"]\nc = [\"M\"]\nswap = true";
    assert_eq!(matchups(three), [[0, 1, 2], [1, 2, 0], [2, 0, 1]]);
    let all = "[\"K\", \"L\", \"M\", \"N\"]";
    assert_eq!(matchups(&format!("a = {all}\nb = {all}\nswap = true")).len(), 16);
    let six = format!("a = {all}\nb = {all}\nc = {all}\nd = {all}\ne = [\"K\"]\nf = [\"L\"]");
    let setup = setup(&four(&six));
    assert_eq!((setup.sides(), setup.matchups().len()), (6, 256));
}

#[test]
fn sides_that_cannot_be_seated_are_faults() {
    assert_eq!(
        faults(&four("a = [\"K\"]\nb = [\"L\"]\nd = [\"M\"]")),
        ["d: side `d` has characters and side `c` has none"]
    );
    assert_eq!(faults(&four("a = [\"K\"]\nb = [\"O\"]")), ["\"O\": unknown character `O`"]);
    assert_eq!(faults(&four("a = [\"K\"]\nb = []"))[0], "[]: needs at least 1 entry");
    let names: Vec<String> = (0..6).map(|number| format!("C{number}")).collect();
    let character = |name: &String| format!("[[characters]]\nname = \"{name}\"\n");
    let side = |side: &str| format!("{side} = {names:?}\n");
    let six = ["a", "b", "c", "d", "e", "f"].map(side).concat();
    let many = format!("{}[sides]\n{six}", names.iter().map(character).collect::<String>());
    assert!(faults(&many)[0].ends_with("46,656 match-ups"), "{:?}", faults(&many));
    assert_eq!(warnings(&four("a = [\"K\"]\nb = [\"L\", \"M\"]")), ["`N` fights nobody"]);
}

#[test]
fn a_scenario_with_many_faults() {
    let text = r#"last_round = 50

[all_in]
disable = [25, 40]

[[cards]]
title = "Gust"
type = "Utility"
cost = 1
damage = 3
effects = [{ name = "Poison", to = "target" }]

[[characters]]
name = "Crow"
classes = ["Bard"]
deck = ["Stirke", "Blade Dance", "Block*2"]

[[characters]]
name = "Crow"
policy = "scripted"
memory = 3
script = [["Strike=Wren"]]

[sides]
a = ["Crow"]
b = ["Corw"]
"#;
    insta::assert_snapshot!(rendered(&read(text).unwrap_err()));
}

#[test]
fn the_example_set_covers_every_kind_of_card_of_every_class() {
    for class in Class::iter() {
        for kind in CardType::iter() {
            let of_both = example()
                .iter()
                .any(|card| card.kind == kind && card.requires.iter().any(|&(of, _)| of == class));
            assert!(of_both, "{class} has no {kind} card");
        }
    }
    for targets in [Targets::Player, Targets::One, Targets::Area, Targets::Random] {
        assert!(example().iter().any(|card| card.targets == targets), "{targets}");
    }
    for trigger in [Trigger::Activation, Trigger::Play] {
        let applies = |card: &evens::games::eldertale::cards::Card| {
            card.effects.iter().any(|applies| applies.trigger == trigger)
        };
        assert!(example().iter().any(applies), "{trigger}");
    }
    assert!(example().iter().any(|card| card.single_use));
    for kind in Kind::iter() {
        let applied = example()
            .iter()
            .any(|card| card.effects.iter().any(|applies| applies.effect.kind == kind));
        assert!(applied, "no card applies {}", kind.name());
    }
}

#[test]
fn a_title_is_not_changed_and_a_character_is_on_a_side_once() {
    let renamed = crow("[changes.Strike]\ntitle = \"Foo\"", "");
    assert_eq!(faults(&renamed), ["\"Foo\": a change does not rename the card `Strike`"]);
    let twice = crow("", "").replace("b = [\"Crow\"]", "b = [\"Crow\", \"Crow\"]");
    assert_eq!(warnings(&twice), ["`Crow` is on this side already"]);
    let broken = crow("", "").replace("\"Crow\"", "\"Cr\\now\"");
    assert_eq!(faults(&broken), ["\"Cr\\now\": `Cr\\now` cannot be a name"]);
}

/// The list of effects also says how a card writes each of them: its heading alone is not enough.
#[test]
fn the_list_of_effects_says_how_they_are_written() {
    use evens::games::Playable;
    let table = ElderTale::shelf("effects").expect("a list");
    let told = format!("{table:?}");
    let wanted = r#"Deals more Attack cards: name = \"Draw Up\", deck = \"Attack\""#;
    assert!(told.contains(wanted), "{told}");
    let effect = "type = \"Utility\"\ncost = 1\neffects = [{ name = \"Draw Up\", deck = \"Attack\", roundduration = 1 }]";
    setup(&card(effect));
}
