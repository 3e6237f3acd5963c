//! What the stories of the four games say, from scenario files of a few lines.

use assert_cmd::Command;

use super::{Desk, code, flat, stderr, stdout};

/// The story of a scenario's battle, every line unwrapped and with its indent.
fn story(scenario: &str, battle: u64) -> Vec<String> {
    let desk = Desk::new();
    desk.write("story.toml", scenario);
    let mut command = Command::new(crate::program());
    command.current_dir(desk.path()).env("COLUMNS", "400").env_remove("EVENS_THREADS");
    let output =
        command.args(["trace", "story.toml", "--battle", &battle.to_string()]).output().unwrap();
    assert_eq!(code(&output), 0, "{}", stderr(&output));
    stdout(&output).lines().map(str::to_owned).collect()
}

/// Every line of a story fits into the terminal.
#[test]
fn a_story_is_wrapped_from_its_first_line_on() {
    for width in [60, 80] {
        let mut command = Command::new(crate::program());
        command.env("COLUMNS", width.to_string()).env_remove("EVENS_THREADS");
        let trace = ["trace", "splinterlands/archetypes", "--pick", "typical"];
        let output = command.args(trace).output().unwrap();
        assert_eq!(code(&output), 0, "{}", stderr(&output));
        let story = stdout(&output);
        let too_long = story.lines().find(|line| line.chars().count() > width);
        assert_eq!(too_long, None);
        assert!(flat(&story).contains("of master seed 2)"), "{story}");
    }
}

/// The story of a SolForge position.
fn position(text: &str) -> Vec<String> {
    story(&format!("game = \"solforge\"\nbattles = 1\n{text}"), 0)
}

/// Asserts that these lines follow each other in a story, with their indents.
#[track_caller]
fn assert_told(told: &[String], lines: &[&str]) {
    let is_there = told.windows(lines.len()).any(|window| window == lines);
    assert!(is_there, "{}\nnot in\n{}", lines.join("\n"), told.join("\n"));
}

#[track_caller]
fn assert_not_told(told: &[String], text: &str) {
    assert!(!told.iter().any(|line| line.contains(text)), "{text}\nin\n{}", told.join("\n"));
}

/// A creature that puts an Oozeling on the field when it hits a player.
const SPAWNER: &str = "[[cards]]\nname = \"Spawner\"\nfaction = \"uterra\"\nattack = [1]\nhealth = [5]\n\
     [[cards.abilities]]\nwhen = { hits_player = {} }\n\
     do = [{ spawn = { card = \"Oozeling\", to = \"random\" } }]\n\
     [[cards]]\nname = \"Oozeling\"\nfaction = \"nekrium\"\ntoken = true\nattack = [1]\nhealth = [1]\n";

#[test]
fn a_batch_of_a_battle_says_what_set_it_off() {
    // Nobody dies.
    let told = position(&format!(
        "[position]\nsteps = [\"battle\"]\n[position.a]\n\
         creatures = [{{ card = \"Spawner\", lane = 1 }}, \
         {{ card = \"Spring Dryad\", lane = 2, defensive = true }}]\n{SPAWNER}"
    ));
    assert_told(
        &told,
        &[
            "  Batch when creatures enter: 1 ability",
            "    A2 Spring Dryad resolves: A4 Oozeling has entered",
            "      A2 Spring Dryad gets +1/+1: 4/4",
        ],
    );
    assert_not_told(&told, "die");
    // Somebody dies, and somebody enters.
    let told = position(&format!(
        "[position]\nsteps = [\"battle\"]\n[position.a]\n\
         creatures = [{{ card = \"Spawner\", lane = 1 }}, \
         {{ card = \"Spring Dryad\", lane = 2, defensive = true }}, \
         {{ card = \"Fell Walker\", lane = 3 }}]\n\
         [position.b]\ncreatures = [{{ card = \"Shardplate Mutant\", lane = 3 }}]\n{SPAWNER}"
    ));
    assert_told(
        &told,
        &["  Batch when several things happen to creatures: 2 abilities, in a drawn order"],
    );
    assert_not_told(&told, "Batch when creatures die");
}

#[test]
fn a_batch_says_whether_a_card_an_ability_or_a_move_set_it_off() {
    let told = position(
        "[position]\nsteps = [{ move = { from = 1, to = 2 } }, { activate = { lane = 3 } }, \
         { play = { card = \"Fell Walker\", lane = 5 } }]\n\
         [position.a]\nhand = [\"Fell Walker\"]\n\
         creatures = [{ card = \"Grimgaunt Predator\", lane = 1 }, \
         { card = \"Xithian Shambler\", lane = 3 }, { card = \"Frostfang Maiden\", lane = 4 }]\n\
         [position.b]\ncreatures = [{ card = \"Spring Dryad\", lane = 2, health = 9 }, \
         { card = \"Grimgaunt Devourer\", lane = 4 }]\n",
    );
    // The move is the player's own, and not part of what came before it.
    assert_told(
        &told,
        &[
            "  Side A moves Grimgaunt Predator from A1 to A2",
            "  Batch when creatures move: 1 ability",
            "    A4 Frostfang Maiden resolves: A2 Grimgaunt Predator has moved",
            "      A4 Frostfang Maiden deals 3 to B2 Spring Dryad: 3/6",
        ],
    );
    assert!(told.iter().any(|line| line.starts_with("  Batch when an ability is activated: ")));
    let fielded = position(
        "[position]\nsteps = [{ play = { card = \"Fell Walker\", lane = 5 } }]\n\
         [position.a]\nhand = [\"Fell Walker\"]\ncreatures = [{ card = \"Spring Dryad\", lane = 2 }]\n",
    );
    assert_told(&fielded, &["  Batch when a card is played: 1 ability"]);
}

/// The tables call a batch by what set it off, too.
#[test]
fn the_tables_say_what_set_a_batch_off() {
    let desk = Desk::new();
    // Both Maidens react to the Storm Bringer's move.
    desk.write(
        "moves.toml",
        "game = \"solforge\"\nbattles = 400\n[position]\nsteps = [\"start_turn\"]\n\
         results = [{ name = \"health\", read = { health = \"B1\" } }]\n[position.a]\n\
         creatures = [{ card = \"Storm Bringer\", lane = 1 }, { card = \"Frostfang Maiden\", lane = 3 }]\n\
         [position.b]\ncreatures = [{ card = \"Shardplate Mutant\", lane = 2 }, \
         { card = \"Shardplate Mutant\", lane = 4 }, { card = \"Shardplate Mutant\", lane = 5 }]\n",
    );
    let page = desk.page(&["run", "moves.toml", "--full"]);
    assert!(page.contains("when creatures move"), "{page}");
    assert!(!page.contains("another batch"), "{page}");
}

#[test]
fn a_card_for_which_there_is_no_room_does_not_return_to_hand() {
    let whelps = |lanes: std::ops::RangeInclusive<u8>| {
        let plays = lanes.map(|lane| format!("{{ play = {{ card = \"Whelp\", lane = {lane} }} }}"));
        plays.collect::<Vec<_>>().join(", ")
    };
    let tide = "{ play = { card = \"Tide\" } }";
    // Thirty cards, and five more by each of the first two Tides.
    let told = position(&format!(
        "[position]\nstrict = false\nsteps = [{tide}, {}, {tide}, {}, {tide}]\n\
         [position.a]\nhand = [\"Tide\", \"Tide\", \"Tide\", \"Whelp\"]\ndeck = [{}]\n\
         creatures = [{}]\n\
         [[cards]]\nname = \"Tide\"\nfaction = \"uterra\"\nlevels = 2\n\
         [[cards.abilities]]\nwhen = \"cast\"\n\
         do = [{{ return_to_hand = {{ who = {{ each = {{ side = \"friend\" }} }} }} }}]\n\
         [[cards]]\nname = \"Whelp\"\nfaction = \"uterra\"\nattack = [1, 2]\nhealth = [1, 2]\n",
        whelps(1..=5),
        whelps(1..=1),
        ["\"Enrage\""; 26].join(", "),
        (1..=5)
            .map(|lane| format!("{{ card = \"Whelp\", lane = {lane} }}"))
            .collect::<Vec<_>>()
            .join(", "),
    ));
    assert_eq!(told.iter().filter(|line| line.ends_with(" returns to hand")).count(), 10);
    assert_told(
        &told,
        &[
            "  Side A plays Tide",
            "      A1 Whelp leaves the field and is gone: side A has 40 cards, the most",
        ],
    );
}

#[test]
fn what_an_ability_does_stands_below_it() {
    let told = position(&format!(
        "[position]\nsteps = [\"battle\"]\n[position.a]\n\
         creatures = [{{ card = \"Spawner\", lane = 3 }}]\n{SPAWNER}"
    ));
    let spawned =
        told.iter().position(|line| line.contains("Oozeling is put on the field")).unwrap();
    assert_eq!(told[spawned - 1], "    A3 Spawner resolves: it damaged the other player");
    assert!(told[spawned].starts_with("      A"), "{}", told[spawned]);
    // Its player may level a card or not.
    let levels: Vec<String> = (0..20)
        .flat_map(|battle| {
            let text = "game = \"solforge\"\nbattles = 1\n\
                 [position]\nsteps = [{ play = { card = \"Technosmith\", lane = 1 } }]\n\
                 [position.a]\nhand = [\"Technosmith\", \"Enrage\"]\n";
            story(text, battle)
        })
        .filter(|line| line.contains("Side A levels"))
        .collect();
    assert!(!levels.is_empty());
    assert!(levels.iter().all(|line| line == "      Side A levels Enrage"), "{levels:?}");
}

#[test]
fn the_end_of_a_turn_is_told_by_itself_and_whole() {
    let told = position(
        "[position]\nsteps = [\"battle\", \"end_turn\"]\n\
         [position.a]\nturns = 4\nhand = [\"Enrage\", \"Cull the Weak\"]\n\
         deck = [\"Burnout\", \"Burnout\", \"Burnout\", \"Burnout\", \"Burnout\"]\n\
         discard = [\"Enrage@2\", \"Enrage@3\"]\n\
         creatures = [{ card = \"Fell Walker\", lane = 1 }]\n",
    );
    assert_told(
        &told,
        &[
            "Side A (active): 120 life; A1 Fell Walker 3/3; in hand Enrage, Cull the Weak",
            "",
            "Side B: 120 life",
            "  Battle",
            "      A1 Fell Walker deals 3 to side B: 117 life",
            "  Side A ends its turn",
            "    Side A discards 2 cards, 0 in hand: Enrage; Cull the Weak",
            "    Side A rises to rank 2",
            "    Side A draws 5 cards, 5 in hand: Burnout; Burnout; Burnout; Burnout; Burnout",
            // The third level stays: it is above the rank.
            "    3 cards go from side A's discard pile back into its deck",
        ],
    );
}

#[test]
fn only_what_ends_with_the_turn_is_said_to_end() {
    let told = position(
        "[position]\nsteps = [{ play = { card = \"Lightning Brand\", targets = [\"A1\"] } }, \"end_turn\", \
         \"start_turn\", \"end_turn\"]\n\
         [position.a]\nhand = [\"Lightning Brand\"]\n\
         creatures = [{ card = \"Brightsteel Gargoyle\", lane = 1 }]\n",
    );
    let ends = "  What lasts until the end of the turn ends";
    assert_told(&told, &[ends, "    A1 Brightsteel Gargoyle no longer has +1/+0, Aggressive: 5/5"]);
    assert_told(
        &told,
        &[ends, "    A1 Brightsteel Gargoyle no longer has Armor +2, Defender: 5/5"],
    );
    // With the Gargoyle's own ability alone nothing ends in the turn in which it is set off.
    let told = position(
        "[position]\nsteps = [\"end_turn\"]\n\
         [position.a]\ncreatures = [{ card = \"Brightsteel Gargoyle\", lane = 1 }]\n",
    );
    assert_told(
        &told,
        &[
            "      A1 Brightsteel Gargoyle gets Armor +2, Defender until the end of the next turn: 5/5",
        ],
    );
    assert!(!told.contains(&ends.to_owned()), "{}", told.join("\n"));
}

#[test]
fn regeneration_is_not_healing_by_somebody() {
    let told = position(
        "[position]\nsteps = [\"start_turn\"]\n[position.a]\n\
         creatures = [{ card = \"Troll\", lane = 1, damage = 2 }]\n\
         [[cards]]\nname = \"Troll\"\nfaction = \"uterra\"\nattack = [4]\nhealth = [7]\nregenerate = 3\n",
    );
    assert_told(&told, &["  A1 Troll regenerates 2: 4/7"]);
}

#[test]
fn an_ability_that_does_nothing_says_why() {
    let told = position(
        "[position]\nsteps = [{ play = { card = \"Charnel Titan\", lane = 1 } }, \
         { play = { card = \"Ether Hounds\", lane = 2 } }]\n\
         [position.a]\nhand = [\"Charnel Titan\", \"Ether Hounds\"]\n\
         creatures = [{ card = \"Enforcer\", lane = 3 }, { card = \"Enforcer\", lane = 4 }, \
         { card = \"Enforcer\", lane = 5 }]\n\
         [[cards]]\nname = \"Enforcer\"\nfaction = \"alloyin\"\nattack = [1]\nhealth = [1]\n",
    );
    assert_told(
        &told,
        &[
            "    A1 Charnel Titan resolves: it has entered",
            "      Its condition does not hold: nothing happens",
        ],
    );
    assert_told(
        &told,
        &["    A2 Ether Hounds resolves: Forge", "      Nothing can be chosen: nothing happens"],
    );
}

#[test]
fn whom_an_aura_like_ability_changes_is_told() {
    let told = position(
        "[position]\nsteps = [{ play = { card = \"Alloyin General\", lane = 2 } }, \
         { play = { card = \"Cull the Weak\", targets = [\"A2\"] } }]\n\
         [position.a]\nhand = [\"Alloyin General\", \"Cull the Weak\"]\n\
         creatures = [{ card = \"Fell Walker\", lane = 1 }, { card = \"Fell Walker\", lane = 4 }]\n",
    );
    assert_told(
        &told,
        &[
            "    A2 Alloyin General enters: 2/8",
            "      With A2 Alloyin General: A1 Fell Walker 5/3",
        ],
    );
    assert_told(
        &told,
        &[
            "      A2 Alloyin General is destroyed",
            "      Without A2 Alloyin General: A1 Fell Walker 3/3",
            "    A2 Alloyin General dies",
        ],
    );
    // Who moves next to the General gains what it lends, and the Techtician lends only in the centre.
    let told = position(
        "[position]\nsteps = [{ move = { from = 5, to = 4 } }]\n[position.a]\n\
         creatures = [{ card = \"Alloyin General\", lane = 3 }, { card = \"Grimgaunt Predator\", lane = 5 }]\n",
    );
    assert_told(
        &told,
        &[
            "  Side A moves Grimgaunt Predator from A5 to A4",
            "      With A4 Grimgaunt Predator in its new space: A4 Grimgaunt Predator 7/5",
        ],
    );
}

/// Who replaces another that lent the same takes its place in one line, and who stands there anew has lost nothing.
#[test]
fn what_a_replaced_creature_lent_is_not_told_as_lost() {
    let told = position(
        "[position]\nsteps = [{ play = { card = \"Alloyin General@2\", lane = 3 } }]\n\
         [position.a]\nhand = [\"Alloyin General@2\"]\n\
         creatures = [{ card = \"Alloyin General\", lane = 3 }, { card = \"Spring Dryad\", lane = 2 }]\n",
    );
    let line = "      With A3 Alloyin General 2 in place of Alloyin General: A2 Spring Dryad 7/3";
    assert!(told.iter().any(|of| of == line), "{}", told.join("\n"));
    assert_not_told(&told, "Without");
    let told = position(
        "[position]\nsteps = [{ play = { card = \"Spring Dryad\", lane = 2 } }]\n\
         [position.a]\nhand = [\"Spring Dryad\"]\n\
         creatures = [{ card = \"Shardplate Behemoth\", lane = 2 }]\n",
    );
    assert_not_told(&told, "Without");
    let told = position(
        "[position]\nsteps = [{ play = { card = \"Word of Emptiness\", targets = [\"B1\"] } }]\n\
         [position.a]\nhand = [\"Word of Emptiness\"]\n\
         [position.b]\ncreatures = [{ card = \"Shardplate Behemoth\", lane = 1 }]\n\
         [[cards]]\nname = \"Word of Emptiness\"\nfaction = \"alloyin\"\n\
         [[cards.abilities]]\nwhen = \"cast\"\nchoose = { from = { side = \"enemy\" } }\n\
         do = [{ lose = { who = \"chosen\", abilities = true } }]\n",
    );
    assert!(
        told.iter().any(|of| of.contains("Without the abilities of B1 Shardplate Behemoth: ")),
        "{}",
        told.join("\n")
    );
}

/// One that has lost its abilities changes nobody by moving.
#[test]
fn nobody_is_changed_by_one_without_abilities() {
    let moves = |spell: &str| {
        position(&format!(
            "[position]\nsteps = [{spell}{{ move = {{ from = 1, to = 2 }} }}]\n[position.a]\nhand = [\"Hush\"]\n\
             creatures = [{{ card = \"Herald\", lane = 1 }}, {{ card = \"Fell Walker\", lane = 3 }}]\n\
             [[cards]]\nname = \"Herald\"\nfaction = \"alloyin\"\nattack = [1]\nhealth = [9]\nmobility = 1\n\
             statics = [{{ who = \"adjacent\", attack = 2 }}]\n\
             [[cards]]\nname = \"Hush\"\nfaction = \"alloyin\"\n[[cards.abilities]]\nwhen = \"cast\"\nchoose = {{}}\n\
             do = [{{ lose = {{ who = \"chosen\", abilities = true }} }}]\n"
        ))
    };
    assert_told(
        &moves(""),
        &[
            "  Side A moves Herald from A1 to A2",
            "      With A2 Herald in its new space: A3 Fell Walker 5/3",
        ],
    );
    let told = moves("{ play = { card = \"Hush\", targets = [\"A1\"] } }, ");
    assert_told(&told, &["  Side A moves Herald from A1 to A2"]);
    assert_not_told(&told, "in its new space");
}

#[test]
fn who_cannot_move_enter_or_return_says_so() {
    let full = |card: &str| {
        let others: Vec<String> =
            (2..=5).map(|lane| format!("{{ card = \"Fell Walker\", lane = {lane} }}")).collect();
        format!("creatures = [{{ card = \"{card}\", lane = 1 }}, {}]\n", others.join(", "))
    };
    let told = position(&format!(
        "[position]\nsteps = [\"start_turn\"]\n[position.a]\n{}",
        full("Storm Bringer")
    ));
    assert_told(
        &told,
        &[
            "    A1 Storm Bringer resolves",
            "      A1 Storm Bringer stays where it is: it has no free space to move to",
        ],
    );
    let pact = "[position]\nsteps = [{ play = { card = \"Varna's Pact\" } }]\n";
    let told = position(&format!("{pact}[position.a]\nhand = [\"Varna's Pact\"]\n"));
    assert_told(
        &told,
        &["  Side A plays Varna's Pact", "      No creature that died can be revived"],
    );
    let told = position(&format!(
        "{pact}dead = [\"Fell Walker\"]\n[position.a]\nhand = [\"Varna's Pact\"]\n{}",
        full("Fell Walker")
    ));
    assert_told(
        &told,
        &[
            "  Side A plays Varna's Pact",
            "      Side A has no free space: no other creature is revived",
        ],
    );
}

#[test]
fn armor_that_prevents_everything_says_so() {
    let told = position(
        "[position]\nsteps = [\"battle\"]\n\
         [position.a]\ncreatures = [{ card = \"Fell Walker\", lane = 1 }]\n\
         [position.b]\ncreatures = [{ card = \"Wall\", lane = 1 }]\n\
         [[cards]]\nname = \"Wall\"\nfaction = \"alloyin\"\narmor = 4\nattack = [0]\nhealth = [9]\n",
    );
    assert_told(&told, &["      A1 Fell Walker deals 0 to B1 Wall (all 3 prevented): 0/9"]);
}

/// An amount that is read may be 0; nothing has happened then.
#[test]
fn a_change_by_nothing_is_no_line() {
    let told = position(
        "[position]\nsteps = [{ play = { card = \"Mirror\", targets = [\"A1\"] } }]\n[position.a]\nhand = [\"Mirror\"]\n\
         creatures = [{ card = \"Wall\", lane = 1 }]\n\
         [[cards]]\nname = \"Wall\"\nfaction = \"alloyin\"\nattack = [0]\nhealth = [9]\n\
         [[cards]]\nname = \"Mirror\"\nfaction = \"alloyin\"\n[[cards.abilities]]\nwhen = \"cast\"\nchoose = {}\n\
         do = [{ gain = { who = \"chosen\", attack = { of = \"attack\", whose = \"target\" } } }, \
         { life = { who = \"you\", amount = { of = \"hand\", whose = \"you\" } } }]\n",
    );
    let end = "The end: undecided after 1 step";
    assert_told(&told, &["  Side A plays Mirror", "      It changes nothing", "", end]);
}

/// A Sanctum combat of two groups.
fn combat(a: &str, b: &str, cards: &str, battle: u64) -> Vec<String> {
    let text = format!(
        "game = \"sanctum\"\nbattles = 10\n[sides]\na = [\"A\"]\nb = [\"B\"]\n\
         [[groups]]\nname = \"A\"\nminions = [{a}]\n[[groups]]\nname = \"B\"\nminions = [{b}]\n{cards}"
    );
    story(&text, battle)
}

#[test]
fn who_must_attack_is_told_with_what_compels_it() {
    let taunter = "[[minions]]\nname = \"Taunter\"\nhand = 1\nhit_points = 9\n\
         effects = [{ when = \"must_attack\", does = \"taunt\", only = [\"archer\"] }]\n";
    let told = combat("\"Taunter\", \"Boggart\"", "\"Satyr archer\"", taunter, 0);
    assert_told(
        &told,
        &["  Taunter of A1 compels B1 Satyr archer", "    B1 Satyr archer must attack A1 Taunter"],
    );
}

#[test]
fn what_an_attack_deals_more_comes_before_it_and_not_below_another_attack() {
    let lucky = "[[minions]]\nname = \"Lucky\"\nhand = 1\nhit_points = 90\n\
         effects = [{ when = \"attacks\", does = \"deal_more\", amount = 2, percent = 99 }]\n";
    let told = combat("\"Lucky\"", "\"Boggart\"", lucky, 0);
    assert_told(
        &told,
        &[
            "  Lucky of A1: +2 damage to B1 Boggart",
            "  A1 Lucky hits B1 Boggart for 3: -3, 12 of 15 hit points left",
        ],
    );
}

/// The list of minions has numbers of attacks, and what an attack deals beside them is said where it is dealt: the
/// penalty of missiles in round 1, abilities of nations, and what a minion does to some.
#[test]
fn damage_other_than_the_list_of_minions_has_is_told_with_the_reason() {
    let archers = combat("\"Elf archer\"", "\"Shadow archer\"", "", 0);
    let listed = "    B1 Shadow archer: missile 2, armor 0, 7 hit points, level 1";
    assert!(archers.iter().any(|line| line == listed), "{}", archers.join("\n"));
    let has = |told: &[String], text: &str| {
        assert!(told.iter().any(|line| line.starts_with(text)), "{text}\n{}", told.join("\n"));
    };
    has(&archers, "  B1 Shadow archer hits A1 Elf archer for 1 (missile 2, -1 in round 1): -1, ");
    let elf = "(missile 2, -1 in round 1, +1 as Elf archer)";
    has(&archers, &format!("  A1 Elf archer hits B1 Shadow archer for 2 {elf}: -2, "));
    // From round 2 on the numbers of the list hold.
    has(&archers, "  B1 Shadow archer hits A1 Elf archer for 2: -2, ");
    has(&archers, "  A1 Elf archer hits B1 Shadow archer for 2: -2, ");
    let human = combat("\"Human swordsman\"", "\"Boggart\"", "", 0);
    has(&human, "  A1 Human swordsman hits B1 Boggart for 3 (hand 2, +1 as Human swordsman): -3, ");
    let struck = combat("\"Human swordsman\"", "\"Boggart + Deflection\"", "", 0);
    has(&struck, "  A1 Human swordsman strikes at B1 Boggart + Deflection (hand 2, +1 as Human");
    let hunter = "[[minions]]\nname = \"Hunter\"\nhand = 1\nhit_points = 90\n\
         effects = [{ when = \"attacks\", does = \"deal_more\", amount = 2, only = [\"monster\"] }, \
         { when = \"attacks\", does = \"deal_more\", amount = 4, percent = 99 }, \
         { when = \"attacks\", does = \"deal_nothing\", only = [\"archer\"] }]\n";
    let monster = combat("\"Hunter\"", "\"Boggart\"", hunter, 0);
    has(
        &monster,
        "  A1 Hunter hits B1 Boggart for 7 (hand 1, +2 as Hunter, and as told above): -7, ",
    );
    let archer = combat("\"Hunter\"", "\"Shadow archer\"", hunter, 0);
    has(
        &archer,
        "  A1 Hunter hits B1 Shadow archer for 0 (hand 1, but none as Hunter): it bounces",
    );
    let feeble = "[[minions]]\nname = \"Feeble\"\nmissile = 0\nhit_points = 90\n";
    let feeble = combat("\"Feeble\"", "\"Boggart\"", feeble, 0);
    let never =
        "  A1 Feeble hits B1 Boggart for 0 (missile 0, -1 in round 1, never below 0): it bounces";
    has(&feeble, never);
}

#[test]
fn effects_tell_their_numbers() {
    let told = combat("\"Boggart\"", "\"Satyr swordsman + Treacherous Armor\"", "", 0);
    assert!(
        told.contains(
            &"      Treacherous Armor of B1: +2 damage by the hit of A1 Boggart".to_owned()
        ),
        "{}",
        told.join("\n")
    );
    let healer = "[[minions]]\nname = \"Healer\"\nhand = 1\nhit_points = 9\n\
         effects = [{ when = \"round_start\", does = \"heal\", amount = 1 }, \
         { when = \"combat_start\", does = \"gain\", stat = \"attacks\", amount = 1, lasts = \"round\" }, \
         { when = \"hits\", does = \"mark\", on = \"foe\" }, \
         { when = \"lethal\", does = \"survive\", amount = 2, at_most = 1 }, \
         { when = \"combat_start\", does = \"deal_nothing\", weapon = \"hand\", on = \"enemies\", lasts = \"round\" }]\n";
    let told = combat("\"Healer\"", "\"Boggart\"", healer, 0);
    for line in [
        "  Healer of A1: A1 Healer gets +1 attack a round for the next round",
        "  Healer of A1: A1 Healer regains 1 hit point",
        "  Healer of A1: B1 Boggart deals no damage by hand for the next round",
        "      Healer of A1: B1 Boggart is marked, 1 mark now",
        "      Healer of A1: does not die, 2 hit points left",
    ] {
        assert!(told.iter().any(|told| told == line), "{line}\nnot in\n{}", told.join("\n"));
    }
}

/// The board after "leaves" is one without who has left.
#[test]
fn who_leaves_is_gone_from_the_board_at_once() {
    let desk = Desk::new();
    desk.write(
        "leaves.toml",
        "game = \"sanctum\"\nbattles = 1\n[sides]\na = [\"A\"]\nb = [\"B\"]\n\
         [[groups]]\nname = \"A\"\nminions = [\"2 Brown Strider\", \"Blue Auk\"]\n\
         [[groups]]\nname = \"B\"\nminions = [\"3 Pacified Cow\"]\n",
    );
    let lines = desk.page(&["trace", "leaves.toml", "--battle", "0", "--json", "--boards"]);
    let lines: Vec<serde_json::Value> =
        lines.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    let leaves = lines.iter().find(|line| line["does"] == "leave").expect("it leaves in round 3");
    let sides = leaves["board"]["sides"].as_array().expect("the board changes");
    let strider = &sides[0]["zones"][0]["spaces"][0];
    assert_eq!((&strider["id"], &strider["fate"]), (&"A1".into(), &"away".into()), "{strider}");
}

/// The board of a round is the one after its reset.
#[test]
fn armor_is_whole_on_the_board_that_a_round_begins_with() {
    let desk = Desk::new();
    desk.write(
        "rounds.toml",
        "game = \"sanctum\"\nbattles = 1\n[sides]\na = [\"A\"]\nb = [\"B\"]\nprecedence = \"a\"\n\
         [[groups]]\nname = \"A\"\nminions = [\"Elf archer\"]\n\
         [[groups]]\nname = \"B\"\nminions = [\"Dwarf swordsman\"]\n",
    );
    let lines = desk.page(&["trace", "rounds.toml", "--battle", "0", "--json", "--boards"]);
    let lines: Vec<serde_json::Value> =
        lines.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    let begins = lines.iter().find(|line| line["event"] == "round" && line["number"] == 2).unwrap();
    let sides = begins["board"]["sides"].as_array().expect("the board changes");
    let numbers = sides[1]["zones"][0]["spaces"][0]["numbers"].as_array().unwrap();
    let armor = numbers.iter().find(|number| number["name"] == "armor").unwrap();
    assert_eq!((&armor["value"], &armor["of"]), (&1.into(), &1.into()), "{armor}");
}

/// Cards for Elder Tale sessions without a die.
const CARDS: &str = "[[cards]]\ntitle = \"Poke\"\ntype = \"Attack\"\ncost = 1\ndamage = 5\n\
     [[cards]]\ntitle = \"Ward\"\ntype = \"Defense\"\ncost = 1\ndefense = 4\n\
     [[cards]]\ntitle = \"Crack\"\ntype = \"Utility\"\ncost = 1\ntargets = \"one\"\n\
     effects = [{ name = \"Guard Down\", intensity = 2, hitduration = 1, roundduration = 3 }]\n\
     [[cards]]\ntitle = \"Boost\"\ntype = \"Utility\"\ncost = 1\n\
     effects = [{ name = \"Power\", intensity = 2, hitduration = 3, roundduration = 2 }]\n\
     [[cards]]\ntitle = \"Balm\"\ntype = \"Utility\"\ncost = 1\neffects = [{ name = \"Heal\", intensity = 4 }]\n\
     [[cards]]\ntitle = \"Spikes\"\ntype = \"Defense\"\ncost = 1\ndefense = 4\n\
     effects = [{ name = \"Thorns\", intensity = 9, hitduration = 1 }]\n";

/// A session of characters, each with its hit points, its deck and what it plays in its turns.
fn session(characters: &[(&str, u8, &str, &str)]) -> Vec<String> {
    let mut text = format!("game = \"eldertale\"\nbattles = 1\n{CARDS}");
    for (name, hp, deck, script) in characters {
        text += &format!(
            "[[characters]]\nname = \"{name}\"\nclasses = [\"Bard\"]\nhp = {hp}\npolicy = \"scripted\"\n\
             deck = [{deck}]\nscript = [{script}]\n"
        );
    }
    text += "[sides]\n";
    for (side, (name, ..)) in ["a", "b", "c"].into_iter().zip(characters) {
        text += &format!("{side} = [\"{name}\"]\n");
    }
    story(&text, 0)
}

#[test]
fn an_effect_ends_after_the_hit_that_it_ends_with() {
    let told = session(&[
        ("Crow", 30, "\"Crack\", \"Poke\"", "[\"Crack=Wren\", \"Poke=Wren\"]"),
        ("Wren", 30, "\"Ward\"", "[\"Ward\"]"),
    ]);
    assert_told(
        &told,
        &[
            "    Incoming: Poke (1x5) of A Crow",
            "      A hit of 5 on B Wren meets a guard of 2",
            "      Guard Down 2 on B Wren ends with this hit",
            "      B Wren loses 3 HP: 27 left",
        ],
    );
}

#[test]
fn an_effect_that_runs_out_is_told() {
    let told = session(&[
        ("Crow", 30, "\"Boost\", \"Balm\"", "[\"Boost\", \"Balm\"], []"),
        ("Wren", 30, "\"Ward\"", "[]"),
    ]);
    assert_told(&told, &["      Heal: A Crow lacks no HP: 30 still"]);
    assert_told(&told, &["  A Crow is done", "    Power 2 on A Crow runs out"]);
    // Every other turn it is played again, and the last one is still there at the end.
    let ends = told.iter().filter(|line| line.ends_with("runs out")).count();
    let plays = told.iter().filter(|line| line.starts_with("  A Crow plays Boost (")).count();
    assert_eq!(ends, plays - 1);
}

#[test]
fn an_attack_on_somebody_who_went_out_meanwhile_is_told_to_be_lost() {
    let told = session(&[
        ("Crow", 30, "\"Spikes\", \"Poke\"", "[], [\"Spikes\", \"Poke=Finch\"]"),
        ("Wren", 30, "\"Ward\"", "[]"),
        ("Finch", 5, "\"Poke\"", "[\"Poke=Crow\"]"),
    ]);
    assert_told(
        &told,
        &[
            "      C Finch loses 9 HP to the Thorns of A Crow: -4 now",
            "      C Finch is out",
            "      Thorns 9 on A Crow ends with this hit",
            "    Outgoing: Poke (1x5) is lost: C Finch is out",
        ],
    );
}

/// Nothing stands below an earthquake that is not of the earthquake, and a summoner acts by itself.
#[test]
fn what_starts_a_round_is_told_by_itself() {
    let told = story(
        "game = \"splinterlands\"\nbattles = 1\nmana_caps = [99]\nleague = \"diamond\"\n\
         [rulesets]\nonly = [\"Earthquake\"]\ntwo = 0\n\
         [[teams]]\nname = \"One\"\nsummoner = \"Chanseus the Great\"\nmonsters = [\"Shieldbearer\"]\n\
         [[teams]]\nname = \"Other\"\nsummoner = \"Tyrus Paladium\"\n\
         monsters = [\"Shieldbearer\", \"Silvershield Assassin\"]\n\
         [sides]\na = [\"One\"]\nb = [\"Other\"]\n",
        0,
    );
    let of = |what: &str| told.iter().filter(|line| line.trim_start().starts_with(what)).count();
    let alone =
        |what: &str| told.iter().filter(|line| line.starts_with(&format!("  {what}"))).count();
    assert!(of("Poison: A1") > 0 && of("Repair: Chanseus") > 0, "{}", told.join("\n"));
    assert_eq!(alone("Poison: A1"), of("Poison: A1"), "{}", told.join("\n"));
    assert_eq!(alone("Repair: Chanseus"), of("Repair: Chanseus"), "{}", told.join("\n"));
}

/// Where teams are given, more battles find no card that nobody brings.
#[test]
fn a_card_that_nobody_can_bring_is_not_looked_for_in_more_battles() {
    let desk = Desk::new();
    let trace = ["trace", "mirror", "--pick", "draw", "--with", "Pit Ogre", "--among", "200"];
    let output = desk.evens(&trace);
    assert_eq!(code(&output), 2);
    let told = flat(&stderr(&output));
    assert!(told.contains("nobody in this scenario can have `Pit Ogre`"), "{told}");
    assert!(!told.contains("--among"), "{told}");
}
