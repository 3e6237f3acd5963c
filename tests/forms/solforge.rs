//! What a SolForge scenario can say, and what can be wrong with it.

use evens::games::solforge::SolForge;
use evens::games::solforge::form::bundled;
use evens::games::solforge::setup::Play;
use evens::games::solforge::state::Form;

use super::{faults, read, rendered, setup, warnings};

const STEP: &str = "[position]\nsteps = [\"battle\"]\n";

fn deck(name: &str, cards: &str) -> String {
    format!("[[decks]]\nname = \"{name}\"\ncards = {{ {cards} }}\n")
}

const ALLOYIN: &str = "\"Alloyin General\" = 3, \"Anvillon Arbiter\" = 3, \"Barrier Soldier\" = 3, \
    \"Battle Techtician\" = 3, \"Brightsteel Gargoyle\" = 3, \"Ghox, Metamind Paragon\" = 3, \
    \"Heavy Artillery\" = 3, \"Nexus Aeronaut\" = 3, \"Oratek Explosives\" = 3, \"Technosmith\" = 3";

#[test]
fn every_card_that_the_rulebook_names_is_in_the_bundled_file() {
    let named = [
        "Fell Walker",
        "Vengeful Spirit",
        "Wildwood Sower",
        "Crypt Conjurer",
        "Flameshaper Savant",
        "Lifeshaper Savant",
        "Ashurian Mystic",
        "Ether Hounds",
        "Ferocious Roar",
        "Cull the Weak",
        "Glacial Crush",
        "Dissolve",
        "Grimgaunt Devourer",
        "Death Seeker",
        "Dreadbolt",
        "Lightning Spark",
        "Flamebreak Invoker",
        "Anvillon Arbiter",
        "Technosmith",
        "Spring Dryad",
        "Weirwood Patriarch",
        "Grimgaunt Predator",
        "Zimus, the Undying",
        "Xithian Shambler",
        "Ghox, Metamind Paragon",
        "Shardplate Mutant",
        "Brightsteel Gargoyle",
        "Venomous Netherscale",
        "Avalanche Invoker",
        "Runegrove Guardian",
        "Storm Bringer",
        "Woebringer",
        "Alloyin General",
        "Battle Techtician",
        "Oros, Deepwood's Chosen",
        "Shardplate Behemoth",
        "Heavy Artillery",
        "Enrage",
        "Abraxas, Avatar of Kadras",
        "Call the Lightning",
        "Turnabout",
        "Wildfire Maiden",
        "Nexus Aeronaut",
        "Mossbeard Patriarch",
        "Verdant Grace",
        "Barrier Soldier",
        "Oratek Explosives",
        "Riftlasher",
        "Cinderfist Brawler",
        "Dr. Frankenbaum",
        "Staff of Vaerus",
        "Kas, Arcweaver",
        "Zyx, Storm Herald",
        "Saberfang",
        "Lightning Brand",
        "Glowhive Siren",
        "Flameblade Champion",
        "Cercee, Hand of Varna",
        "Yuru, the Necrosage",
        "Grimgaunt Doomrider",
        "Fervent Assault",
        "Frostfang Maiden",
        "Burnout",
        "Lyria, Muse of Varna",
        "Varna's Pact",
        "Tarsus Deathweaver",
        "Suruzal, Emissary of Varna",
        "Charnel Titan",
        "Dryad's Boon",
        "Contagion Surge",
    ];
    for name in named {
        assert!(bundled().find(name).is_some(), "{name}");
    }
    let levels = |name: &str| bundled().find(name).unwrap().levels();
    assert_eq!(levels("Cercee, Hand of Varna"), 4);
    assert_eq!(levels("Oros, Deepwood's Chosen"), 4);
    assert_eq!(levels("Burnout"), 1);
}

#[test]
fn a_card_levels_up_to_its_highest() {
    let walker = bundled().find("Fell Walker").unwrap();
    let next = |form: Form| bundled().form(form).levels_to;
    assert_eq!(next(walker.at_level(1).unwrap()), walker.at_level(2));
    assert_eq!(next(walker.at_level(3).unwrap()), walker.at_level(3));
    assert_eq!(next(bundled().find("Burnout").unwrap().at_level(1).unwrap()), None, "Overload");
}

#[test]
fn a_scenarios_own_card_takes_the_place_of_the_files() {
    let own =
        "[[cards]]\nname = \"Spring Dryad\"\nfaction = \"uterra\"\nattack = [4]\nhealth = [4]\n";
    let setup = setup::<SolForge>(&format!("{STEP}{own}"));
    let dryad = setup.cards().find("Spring Dryad").unwrap();
    assert_eq!(dryad.levels(), 1);
    assert_eq!(setup.cards().form(dryad.at_level(1).unwrap()).attack, 4);
    assert!(setup.cards().find("Fell Walker").is_some(), "all others stay");
}

#[test]
fn decks_meet_with_seats_exchanged_unless_told_otherwise() {
    let matchups = |sides: &str| {
        let text = format!("{}{}{sides}", deck("X", ALLOYIN), deck("Y", ALLOYIN));
        let setup = setup::<SolForge>(&text);
        let Play::Games(games) = setup.play() else { panic!("games") };
        games.matchups.clone()
    };
    assert_eq!(matchups("[sides]\na = [\"X\"]\nb = [\"Y\"]\n"), [[0, 1], [1, 0]]);
    assert_eq!(matchups("[sides]\na = [\"X\"]\nb = [\"Y\"]\nswap = false\n"), [[0, 1]]);
    assert_eq!(matchups("[sides]\na = [\"X\", \"Y\"]\nb = [\"X\", \"Y\"]\n"), [[0, 1], [1, 0]]);
    let alone = format!("{}[sides]\na = [\"X\"]\nb = [\"X\"]\n", deck("X", ALLOYIN));
    let setup = setup::<SolForge>(&alone);
    assert!(matches!(setup.play(), Play::Games(games) if games.matchups == [[0, 0]]));
}

#[test]
fn a_deck_has_30_cards_3_copies_2_factions_and_no_tokens() {
    let sides = "[sides]\na = [\"X\"]\nb = [\"X\"]\n";
    let of = |cards: &str| faults::<SolForge>(&format!("{}{sides}", deck("X", cards)));
    assert_eq!(of("\"Technosmith\" = 3").len(), 1);
    let found = of("\"Technosmith\" = 4, \"Zombie\" = 1, \"Spring Dryad\" = 1, \"Enrag\" = 1");
    let told = found.join("\n");
    for wanted in [
        "4 copies of `Technosmith`",
        "`Zombie` can be in no deck",
        "unknown card `Enrag`",
        "cards of Alloyin, Uterra, Nekrium",
        "the deck has 7 cards",
    ] {
        assert!(told.contains(wanted) || wanted.starts_with("cards of"), "{wanted}\n{told}");
    }
    assert!(told.contains("the deck has cards of"), "{told}");
}

#[test]
fn copies_of_an_unknown_card_are_not_missing_from_the_deck() {
    let sides = "[sides]\na = [\"T\"]\nb = [\"T\"]\n";
    let text = |cards: &str| deck("T", cards) + sides;
    let misspelt = ALLOYIN.replace("Technosmith", "Tecnosmith");
    assert_eq!(faults::<SolForge>(&text(&misspelt)), ["\"Tecnosmith\": unknown card `Tecnosmith`"]);
    let short = misspelt.replace("\"Alloyin General\" = 3", "\"Alloyin General\" = 2");
    assert_eq!(faults::<SolForge>(&text(&short)).len(), 2, "{short}");
}

#[test]
fn a_card_can_be_anything_but_nonsense() {
    let text = format!(
        "{STEP}{}",
        r#"
[[cards]]
name = "Muddle"
faction = "uterra"
attack = [1, 2]
health = [1, 2, 3]
free = [5]

[[cards.abilities]]
when = "cast"
do = [
    { gain = { who = "chosen", attack = [1, 2] } },
    { spawn = { card = "Fel Walker", to = "here" } },
    { spawn = { to = "random" } },
    { gain = { poison = 1, until = "end_of_turn" } },
    { damage = { who = { each = { tribe = "Abominatoin" } }, amount = { of = "random", low = 3 } } },
]

[[cards]]
name = "Muddle"
faction = "tempys"
[[cards.abilities]]
when = "vengeance"
do = ["look_for_battles"]
"#
    );
    insta::assert_snapshot!(rendered(&read::<SolForge>(&text).unwrap_err()));
}

#[test]
fn what_a_battle_cannot_hold_is_said() {
    let card = |numbers: &str, more: &str| {
        format!("{STEP}[[cards]]\nname = \"Odd\"\nfaction = \"tempys\"\n{numbers}\n{more}")
    };
    let body = "attack = [1]\nhealth = [1]";
    let when = |when: &str, does: &str| format!("[[cards.abilities]]\nwhen = \"{when}\"\n{does}\n");
    let of_levels = card("attack = [1, 2, 3, 4, 5]\nhealth = [1, 2, 3, 4, 5]", "");
    assert_eq!(faults::<SolForge>(&of_levels), ["[1, 2, 3, 4, 5]: 5 levels"]);
    let use_it = when("activate", "do = [{ gain = { attack = 1 } }]");
    let busy = faults::<SolForge>(&card(body, &use_it.repeat(3)));
    assert_eq!(busy.len(), 1);
    assert!(busy[0].ends_with("3 activated abilities"), "{busy:?}");
    let tribes: Vec<String> = (0..65).map(|at| format!("Tribe {at}")).collect();
    let many = faults::<SolForge>(&card(&format!("{body}\ntribes = {tribes:?}"), ""));
    assert!(many[0].contains("tribes are more than 64"), "{many:?}");
    // Lists hold at most 10,000 entries, but three cards of three levels come to more than 65,535 together.
    let spells = (0..3).map(|at| {
        let ability = "{ when = \"cast\", choose = {}, do = [{ gain = { who = \"chosen\", attack = 1 } }] }, ".repeat(10_000);
        format!("[[cards]]\nname = \"Odd {at}\"\nfaction = \"tempys\"\nlevels = 3\nabilities = [{ability}]\n")
    });
    let many = faults::<SolForge>(&format!("{STEP}{}", spells.collect::<String>()));
    assert!(
        many.last().unwrap().contains("of cards and levels are more than 65535"),
        "{}",
        many.len()
    );
    // Only creatures stand on the field.
    let spawn = |does: &str| faults::<SolForge>(&card("", &when("cast", does)));
    let of_card = spawn("do = [{ spawn = { card = \"Enrage\", to = \"random\" } }]");
    assert_eq!(of_card, ["\"Enrage\": `Enrage` is a spell"]);
    let of_itself = spawn("do = [{ spawn = { copy = \"itself\", to = \"random\" } }]");
    assert_eq!(of_itself, ["\"itself\": a spell puts itself on the field"]);
    let of_space = spawn(
        "choose = { what = \"free_space\" }\ndo = [{ spawn = { copy = \"chosen\", to = \"random\" } }]",
    );
    assert!(of_space[0].ends_with("what is chosen is no creature to copy"), "{of_space:?}");
    // Effects that need a single chosen creature are at fault where several are chosen.
    let two = |does: &str| spawn(&format!("choose = {{ count = 2 }}\ndo = [{does}]"));
    let of_two =
        two("{ gain = { who = \"chosen\", attack = { of = \"attack\", whose = \"chosen\" } } }");
    assert!(of_two[0].ends_with("the number is that of one"), "{of_two:?}");
    let of_moves = two("{ move = { who = \"chosen\", to = \"chosen\" } }");
    assert!(of_moves[0].ends_with("a creature moves to one"), "{of_moves:?}");
    let of_nobody = spawn(
        "do = [{ damage = { who = \"opponent\", amount = { of = \"health\", whose = \"chosen\" } } }]",
    );
    assert!(of_nobody[0].ends_with("nothing is chosen whose number it could be"), "{of_nobody:?}");
}

#[test]
fn a_card_that_is_levelled_can_be_played_at_its_next_level() {
    let text = "[position]\nsteps = [{ level = \"Enrage\" }, \"end_turn\", \"start_turn\", \
                \"end_turn\", \"start_turn\", { play = { card = \"Enrage@2\", targets = [\"A1\"] } }]\n\
                [position.a]\nturns = 4\nhand = [\"Enrage\"]\n\
                creatures = [{ card = \"Fell Walker\", lane = 1 }]\n";
    assert!(read::<SolForge>(text).is_ok());
    let nobody = "[position]\nsteps = [{ level = \"Enrage\" }]\n";
    assert!(faults::<SolForge>(nobody)[0].ends_with("nobody has `Enrage` to play"));
}

/// A creature on the field is nobody's to play, unless something can return it to hand first.
#[test]
fn a_creature_that_comes_back_to_hand_can_be_played_again() {
    let text = |steps: &str, cards: &str| {
        format!(
            "[position]\nsteps = [{steps}{{ play = {{ card = \"Fell Walker\", lane = 2 }} }}]\n\
             [position.a]\nhand = [{cards}]\ncreatures = [{{ card = \"Fell Walker\", lane = 1 }}]\n"
        )
    };
    let ebb = "[[cards]]\nname = \"Ebb\"\nfaction = \"uterra\"\n[[cards.abilities]]\nwhen = \"cast\"\nchoose = {}\n\
               do = [{ return_to_hand = { who = \"chosen\" } }]\n";
    let played = text("{ play = { card = \"Ebb\", targets = [\"A1\"] } }, ", "\"Ebb\"");
    assert!(read::<SolForge>(&format!("{played}{ebb}")).is_ok());
    // Where it does not return, the step can never be taken.
    let first = faults::<SolForge>(&format!("{}{ebb}", text("", "\"Ebb\"")));
    assert!(first[0].contains("this step can never be taken"), "{first:?}");
    let nobody = faults::<SolForge>(&text("", "\"Enrage\""));
    assert!(nobody[0].ends_with("nobody has `Fell Walker` to play"), "{nobody:?}");
}

#[test]
fn a_verb_that_does_not_exist_is_named() {
    let text = format!(
        "{STEP}{}",
        r#"
[[cards]]
name = "Bomb"
faction = "tempys"
attack = [1]
health = [1]
[[cards.abilities]]
when = "explodes"
do = [
    { detonate = { who = "opponent", amount = 3 } },
    { damage = { who = "opponent", amount = "many" } },
    { damage = { whom = "opponent", amount = 3 } },
]
"#
    );
    insta::assert_snapshot!(rendered(&read::<SolForge>(&text).unwrap_err()));
}

#[test]
fn a_position_is_checked_as_a_whole() {
    let text = r#"
[position]
dead = ["Enrage"]
steps = [
    { play = { card = "Spring Dryad" } },
    { play = { card = "Enrage", lane = 2 } },
    { play = { card = "Enrage" } },
    { play = { card = "Ferocious Roar", targets = ["A1"] } },
    { play = { card = "Lightning Spark", targets = ["C9"] } },
    { level = "Fell Walker@7" },
]
results = [
    { name = "size", read = { attack = "middle" } },
    { name = "life", read = { life = "X" } },
]

[position.a]
hand = ["Spring Dryad", "Enrage", "Ferocious Roar", "Lightning Spark"]
creatures = [
    { card = "Fell Walker", lane = 1 },
    { card = "Spring Dryd", lane = 2 },
    { card = "Fell Walker", lane = 1 },
    { card = "Fell Walker", lane = 4, damage = 3 },
    { card = "Enrage", lane = 5 },
]
answers = [{ card = "Fell Walker", prefer = ["everything"] }]
"#;
    insta::assert_snapshot!(rendered(&read::<SolForge>(text).unwrap_err()));
}

#[test]
fn something_must_be_played_and_only_one_thing() {
    assert_eq!(faults::<SolForge>("").len(), 1);
    let both = format!("{STEP}{}", deck("X", ALLOYIN));
    assert_eq!(faults::<SolForge>(&both), ["decks: both a position and decks"]);
    let without_sides = faults::<SolForge>(&deck("X", ALLOYIN));
    assert!(without_sides[0].ends_with("`sides` is missing"), "{without_sides:?}");
    let strangers = format!("{}[sides]\na = [\"X\"]\nb = [\"Z\"]\n", deck("X", ALLOYIN));
    assert_eq!(faults::<SolForge>(&strangers), ["\"Z\": unknown deck `Z`"]);
}

#[test]
fn a_deck_that_meets_nobody_is_worth_a_warning() {
    let text =
        format!("{}{}[sides]\na = [\"X\"]\nb = [\"X\"]\n", deck("X", ALLOYIN), deck("Y", ALLOYIN));
    assert_eq!(warnings::<SolForge>(&text), ["`Y` meets nobody"]);
}

#[test]
fn decks_can_be_drawn_from_pools() {
    let text = "[[pools]]\nname = \"Two\"\n[[pools]]\nname = \"One\"\nfactions = [\"tempys\"]\n\
                factions_in_deck = \"one\"\nexclude = [\"Burnout\"]\npolicy = \"thoughtful\"\n\
                [sides]\na = [\"Two\"]\nb = [\"One\"]\n";
    let setup = setup::<SolForge>(text);
    let Play::Games(games) = setup.play() else { panic!("games") };
    assert_eq!(games.matchups, [[0, 1], [1, 0]]);
    let faults_of = |pool: &str| {
        faults::<SolForge>(&format!(
            "[[pools]]\nname = \"X\"\n{pool}\n[sides]\na = [\"X\"]\nb = [\"X\"]\n"
        ))
    };
    let few = faults_of("cards = [\"Fell Walker\", \"Enrage\"]");
    assert!(few[0].ends_with("6 cards are no deck of Nekrium and Uterra"), "{few:?}");
    let one = faults_of("factions = [\"tempys\"]");
    assert!(one[0].ends_with("no deck of two factions can be drawn of Tempys alone"), "{one:?}");
    let token = faults_of("exclude = [\"Zombie\", \"Enrag\"]");
    assert!(token[0].ends_with("`Zombie` can be in no deck"), "{token:?}");
    assert!(token[1].ends_with("unknown card `Enrag`"), "{token:?}");
}

/// A change at fault is left out, and other faults are told with it.
#[test]
fn a_fault_of_a_change_hides_no_other() {
    let text = "catalogue = \"missing.toml\"\n[changes.\"Fell Walker\"]\nattack = \"+1x\"\n\
                [[pools]]\nname = \"P\"\n[sides]\na = [\"P\"]\nb = [\"Q\"]\n";
    let found = faults::<SolForge>(text).join("\n");
    for wanted in ["cannot read missing.toml", "`+1x` is no change", "unknown deck `Q`"] {
        assert!(found.contains(wanted), "{wanted}\n{found}");
    }
    // When the card file cannot be read, nobody knows which cards there are, so none is called unknown.
    assert!(!found.contains("unknown card"), "{found}");
    let unknown = "[changes.\"Fel Walker\"]\nattack = 1\n[position]\nsteps = [\"battl\"]\n";
    let found = faults::<SolForge>(unknown);
    assert_eq!(found.len(), 2, "{found:?}");
    assert!(found[0].ends_with("unknown card `Fel Walker`"), "{found:?}");
    assert!(found[1].ends_with("`battl` is not possible here"), "{found:?}");
}

#[test]
fn a_change_does_not_rename() {
    let renamed = format!("{STEP}[changes.\"Fell Walker\"]\nname = \"Foo\"\n");
    let wanted = "\"Foo\": a change does not rename the card `Fell Walker`";
    assert_eq!(faults::<SolForge>(&renamed), [wanted]);
    setup::<SolForge>(&renamed.replace("Foo", "Fell Walker"));
}

#[test]
fn a_list_by_level_is_changed_as_a_list() {
    let change = format!("{STEP}[changes.\"Fell Walker\"]\nhealth = 1\n");
    let Err(found) = read::<SolForge>(&change) else { panic!("one number for three levels") };
    let [fault] = &found.faults[..] else { panic!("{}", rendered(&found)) };
    assert_eq!(fault.message, "`health` is a list here: [3, 5, 9]");
    assert!(fault.remedy.contains("`health = [1, 1, 1]`"), "{}", fault.remedy);
    setup::<SolForge>(&change.replace("= 1", "= [1, 1, 1]"));
    setup::<SolForge>(&change.replace("= 1", "= \"+1\""));
}

#[test]
fn names_are_not_empty_stand_in_a_line_and_differ() {
    let result = |name: &str| format!("{{ name = \"{name}\", read = {{ life = \"A\" }} }},\n");
    let results = |names: [&str; 2]| {
        format!("{STEP}results = [\n{}{}]\n", result(names[0]), result(names[1]))
    };
    setup::<SolForge>(&results(["life", "more"]));
    let of = |names| read::<SolForge>(&results(names)).expect_err("a fault").faults;
    let twice = of(["life", "life"]);
    assert_eq!(twice[0].message, "`life` is the name of two results");
    assert_eq!(twice[0].remedy, "give each its own name: line 6 has it, too");
    assert_eq!(of(["", "life"])[0].message, "`` cannot be a name");
    assert_eq!(of(["life", "a\\nb"])[0].message, "`a\\nb` cannot be a name");
    let pools = "[[pools]]\nname = \"\"\n[[pools]]\nname = \"X\"\n[[pools]]\nname = \"X\"\n\
                 [sides]\na = [\"\"]\nb = [\"X\"]\n";
    let told = ["\"\": `` cannot be a name", "\"X\": `X` is the name of two decks"];
    assert_eq!(faults::<SolForge>(pools), told);
}

#[test]
fn a_deck_that_is_listed_twice_on_a_side_is_worth_a_warning() {
    let text = format!("{}[sides]\na = [\"X\"]\nb = [\"X\", \"X\"]\n", deck("X", ALLOYIN));
    assert_eq!(warnings::<SolForge>(&text), ["`X` is on this side already"]);
}

#[test]
fn numbers_of_cards_are_what_a_card_can_have() {
    let card = |numbers: &str, more: &str| {
        faults::<SolForge>(&format!(
            "{STEP}[[cards]]\nname = \"Odd\"\nfaction = \"tempys\"\n{numbers}\n{more}"
        ))
    };
    assert_eq!(
        card("attack = [1, -1]\nhealth = [0, -2]", ""),
        [
            "-1: `Odd` has -1 attack at level 2",
            "0: `Odd` has 0 health at level 1",
            "-2: `Odd` has -2 health at level 2",
        ]
    );
    let zero = "attack = [0]\nhealth = [0]";
    let own = |more: &str| {
        let text = format!("{STEP}[[cards]]\nname = \"Odd\"\nfaction = \"tempys\"\n{zero}\n{more}");
        setup::<SolForge>(&text);
    };
    own("statics = [{ plus_life = true }]");
    own("spell_at = [1]");
    let body = "attack = [1]\nhealth = [1]";
    let does = |when: &str, does: &str| {
        card(body, &format!("[[cards.abilities]]\nwhen = {when}\ndo = [{does}]\n"))
    };
    let spawn = |level: i8| {
        format!("{{ spawn = {{ card = \"Fell Walker\", level = {level}, to = \"here\" }} }}")
    };
    assert_eq!(does("\"vengeance\"", &spawn(7)), ["7: there is no level 7"]);
    assert_eq!(does("\"vengeance\"", &spawn(0)), ["0: there is no level 0"]);
    let hand = "{ discard_down_to = { who = \"you\", amount = -1 } }";
    let held = does("\"vengeance\"", hand);
    assert!(held[0].ends_with("nobody holds fewer than 0 cards"), "{held:?}");
    let gain = "{ gain = { attack = 1 } }";
    let played = does("{ plays = { level_at_most = -1 } }", gain);
    assert!(played[0].ends_with("no card has level 0 or less"), "{played:?}");
    assert_eq!(does("{ plays = { nth = 0 } }", gain), ["0: must lie between 1 and 30"]);
    for (key, number, bounds) in
        [("life", -5, "1 and 32767"), ("armor", -1, "0 and 32767"), ("played", 31, "0 and 30")]
    {
        let text = format!("{STEP}[position.a]\n{key} = {number}\n");
        let wanted = format!("{number}: must lie between {bounds}");
        assert_eq!(faults::<SolForge>(&text), [wanted], "{key}");
    }
}

/// Remedies say what can be done about a fault.
#[test]
fn remedies_say_what_is_possible() {
    let remedies = |text: &str| {
        let found = read::<SolForge>(text).expect_err("a fault").faults;
        found.iter().map(|of| format!("{}: {}", of.message, of.remedy)).collect::<Vec<_>>()
    };
    let card = format!(
        "{STEP}[[cards]]\nname = \"Odd\"\nattack = [1]\nhealth = [1]\n[[cards.abilities]]\n\
         when = {{ forge = {{}} }}\ndo = [{{ damage = {{}} }}, {{ spawn = {{ card = \"Odd\" }} }}]\n"
    );
    let told = remedies(&card).join("\n");
    for wanted in [
        "`faction` is missing: What a card belongs to. One of: alloyin, nekrium, tempys, uterra",
        "`forge` takes no table: write `when = \"forge\"`",
        "`amount` is missing: A number that an effect uses. Write it as `amount = 1`",
        "One of: here, subject, random, adjacent, chosen",
    ] {
        assert!(told.contains(wanted), "{wanted}\n{told}");
    }
    let sides = "[sides]\na = [\"X\"]\nb = [\"X\"]\n";
    let pool = |keys: &str| remedies(&format!("[[pools]]\nname = \"X\"\n{keys}\n{sides}")).join("");
    let few = pool("cards = [\"Fell Walker\", \"Enrage\"]");
    assert!(few.contains("give at least 10 of the two together"), "{few}");
    let one = pool("factions = [\"tempys\"]");
    assert!(one.contains("give cards of another faction, too"), "{one}");
    let copies = |number: i64| {
        let cards = ALLOYIN.replacen("= 3", &format!("= {number}"), 1);
        let told = remedies(&format!("{}{sides}", deck("X", &cards)));
        told.into_iter().find(|told| told.contains(" copies ")).expect("a fault of copies")
    };
    for number in [-1, 0, 4, 300] {
        let wanted =
            format!("{number} copies of `Alloyin General`: a deck has 1 to 3 copies of a card");
        assert_eq!(copies(number), wanted);
    }
    let single = remedies(&format!("{}{sides}", deck("X", "\"Technosmith\" = 1")));
    assert!(single[0].starts_with("the deck has 1 card: "), "{single:?}");
}
