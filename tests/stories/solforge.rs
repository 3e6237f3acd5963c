//! How SolForge games are told.

use evens::chance::Seeded;
use evens::game::{Stratum, play};
use evens::games::solforge::SolForge;
use evens::games::solforge::setup::Play;
use evens::scenario::{Document, Folder, load};
use evens::story::{Line, Story, Trace, Weight};

/// The first `lines` lines of a battle's story, indented by their weight.
fn story(scenario: &str, seed: u64, lines: usize) -> String {
    let loaded = load::<SolForge>(&Document::read(scenario).unwrap()).unwrap();
    let stratum = Stratum { matchup: 0, condition: 0 };
    let mut trace = Trace::default();
    play::<SolForge, _, _>(&loaded.setup, stratum, &mut Seeded::from_seed(seed), &mut trace);
    let told = trace.lines.iter().take(lines).map(|line| {
        assert!(line.facts["event"].is_string(), "{}", line.text);
        let indent = match line.weight {
            Weight::Heading => 0,
            Weight::Action => 2,
            Weight::Consequence => 4,
            Weight::Detail => 6,
        };
        format!("{:indent$}{}\n", "", line.text)
    });
    told.collect()
}

#[test]
fn a_batch_in_its_drawn_order() {
    insta::assert_snapshot!(story("solforge/dryad-and-patriarch", 1, 100));
}

#[test]
fn a_battle_with_its_batches() {
    insta::assert_snapshot!(story("solforge/zimus-and-fell-walker", 2, 100));
}

#[test]
fn the_first_turns_of_a_whole_game() {
    insta::assert_snapshot!(story("solforge/factions", 3, 70));
}

/// The lines of the story of a position.
fn position(text: &str) -> Vec<String> {
    lines(text, 1).into_iter().map(|line| line.text).collect()
}

/// The lines of the story of a position, with the facts of each.
fn lines(text: &str, seed: u64) -> Vec<Line> {
    let text = format!("game = \"solforge\"\nbattles = 1\n{text}");
    let document = Document::new("story.toml", text, Folder::Disk("".into()));
    let setup = load::<SolForge>(&document).unwrap_or_else(|faults| panic!("{faults:?}")).setup;
    let stratum = Stratum { matchup: 0, condition: 0 };
    let mut trace = Trace::default();
    play::<SolForge, _, _>(&setup, stratum, &mut Seeded::from_seed(seed), &mut trace);
    trace.lines
}

#[test]
fn a_spells_damage_is_told_as_the_spells() {
    let told = position(
        "[position]\nsteps = [{ play = { card = \"Lightning Spark\", targets = [\"B1\"] } }, \
         { play = { card = \"Burnout\", targets = [\"B\"] } }]\n\
         [position.a]\nhand = [\"Lightning Spark\", \"Burnout\"]\n\
         [position.b]\ncreatures = [{ card = \"Ghox, Metamind Paragon\", lane = 1, health = 9 }]\n",
    );
    assert_eq!(told[3], "Lightning Spark deals 6 to B1 Ghox, Metamind Paragon: 4/3");
    assert_eq!(told[5], "Burnout deals 8 to side B: 112 life");
    let poison = position(
        "[position]\nsteps = [\"start_turn\"]\n\
         [position.a]\ncreatures = [{ card = \"Fell Walker\", lane = 1, poison = 1 }]\n",
    );
    assert_eq!(poison[3], "Poison deals 1 to A1 Fell Walker: 3/2");
}

#[test]
fn what_is_gained_besides_attack_and_health_is_told() {
    let told = position(
        "[position]\nsteps = [{ play = { card = \"Lightning Brand\", targets = [\"A1\"] } }, \
         { play = { card = \"Fervent Assault\", targets = [\"A1\"] } }, \"end_turn\"]\n\
         [position.a]\nhand = [\"Lightning Brand\", \"Fervent Assault\"]\n\
         creatures = [{ card = \"Brightsteel Gargoyle\", lane = 1 }, \
         { card = \"Venomous Netherscale\", lane = 2 }]\n\
         [position.b]\ncreatures = [{ card = \"Fell Walker\", lane = 1, poison = 2 }]\n",
    );
    for line in [
        "A1 Brightsteel Gargoyle gets +1/+0, Aggressive until the end of the turn: 6/5",
        "A1 Brightsteel Gargoyle gets Mobility +1: 6/5",
        "A1 Brightsteel Gargoyle gets another ability",
        "A1 Brightsteel Gargoyle gets Armor +2, Defender until the end of the next turn: 6/5",
        "B1 Fell Walker gets Poison +2: 3/3",
    ] {
        assert!(told.iter().any(|told| told == line), "{line}\n{}", told.join("\n"));
    }
}

#[test]
fn a_step_that_is_left_out_is_told() {
    let told = position(
        "[position]\nstrict = false\nsteps = [\"battle\", \"battle\"]\n\
         [position.a]\ncreatures = [{ card = \"Fell Walker\", lane = 1 }]\n",
    );
    assert_eq!(
        told.last().unwrap(),
        "Step 2 is left out: no battle may be fought any more this turn"
    );
}

/// A spell or an activated ability that changes nothing says so, as any other ability does.
#[test]
fn what_is_played_and_changes_nothing_says_so() {
    let told = position(
        "[position]\nsteps = [{ play = { card = \"Balm\" } }, { activate = { lane = 1 } }, \
         { play = { card = \"Balm\" } }]\n\
         [position.a]\nhand = [\"Balm\", \"Balm\"]\ncreatures = [{ card = \"Medic\", lane = 1 }]\n\
         [position.b]\ncreatures = [{ card = \"Fell Walker\", lane = 1, damage = 1 }]\n\
         [[cards]]\nname = \"Balm\"\nfaction = \"uterra\"\n[[cards.abilities]]\nwhen = \"cast\"\n\
         do = [{ heal = { who = { each = { side = \"enemy\" } }, amount = 3 } }]\n\
         [[cards]]\nname = \"Medic\"\nfaction = \"uterra\"\nattack = [1]\nhealth = [3]\n\
         [[cards.abilities]]\nwhen = \"activate\"\ndo = [{ heal = { amount = 2 } }]\n",
    );
    let said = [
        "Side A plays Balm",
        "B1 Fell Walker is healed by 1: 3/3",
        "A1 Medic is activated",
        "It changes nothing",
        "Side A plays Balm",
        "It changes nothing",
    ];
    assert_eq!(told[told.len() - said.len()..], said);
}

/// A battle that would never end is left undecided, and the story says why.
#[test]
fn what_never_comes_to_rest_says_so() {
    let told = position(
        "[position]\nsteps = [{ play = { card = \"Moth\", lane = 1 } }, \"battle\"]\n\
         [position.a]\nhand = [\"Moth\"]\n\
         [[cards]]\nname = \"Moth\"\nfaction = \"nekrium\"\nattack = [1]\nhealth = [1]\n\
         [[cards.abilities]]\nwhen = \"vengeance\"\ndo = [{ spawn = { copy = \"itself\", to = \"here\" } }]\n\
         [[cards.abilities]]\nwhen = \"arrives\"\ndo = [{ destroy = {} }]\n",
    );
    let last = told.last().unwrap();
    assert!(last.starts_with("It would never end, and is left undecided: "), "{last}");
    assert_eq!(told.iter().filter(|line| line.starts_with("It would never end")).count(), 1);
}

/// The first line of the stories of ten battles that reads so.
fn find(scenario: &str, text: &str) -> Line {
    let mut told = (0..10).flat_map(|seed| lines(scenario, seed));
    told.find(|line| line.text == text).unwrap_or_else(|| panic!("never told: {text}"))
}

#[test]
fn a_space_that_is_taken_is_named() {
    // In some orders the Doomrider moves to where the Fell Walker died before its Zombie comes.
    let told = find(
        "[position]\nsteps = [\"battle\"]\n\
         [position.a]\ncreatures = [{ card = \"Grimgaunt Doomrider\", lane = 1 }, \
         { card = \"Fell Walker\", lane = 2 }]\n\
         [position.b]\ncreatures = [{ card = \"Shardplate Mutant\", lane = 2 }]\n",
        "Grimgaunt Doomrider is in A2: no Zombie comes",
    );
    assert_eq!(
        (&told.facts["space"], &told.facts["there"]),
        (&"A2".into(), &"Grimgaunt Doomrider".into())
    );
}

#[test]
fn a_creature_that_has_moved_acts_from_where_it_is() {
    let told = position(
        "[position]\nsteps = [\"battle\"]\n\
         [position.a]\ncreatures = [{ card = \"Technosmith\", lane = 1 }, \
         { card = \"Technosmith\", lane = 2 }, { card = \"Grimgaunt Doomrider\", lane = 5 }]\n\
         [position.b]\ncreatures = [{ card = \"Shardplate Mutant\", lane = 1 }, \
         { card = \"Shardplate Mutant\", lane = 2 }]\n",
    );
    let of = |what: &str| told.iter().filter(|line| line.contains(what)).collect::<Vec<_>>();
    let moves = of("Grimgaunt Doomrider moves from A5 to ");
    let [moves] = moves[..] else { panic!("{}", told.join("\n")) };
    let space = moves.split(' ').next_back().unwrap();
    let then = format!("{space} Grimgaunt Doomrider resolves");
    let told = of("Grimgaunt Doomrider resolves");
    let (who, deaths): (Vec<&str>, Vec<&str>) =
        told.iter().filter_map(|line| line.split_once(": ")).unzip();
    assert_eq!(who, ["A5 Grimgaunt Doomrider resolves", &then]);
    let (one, other) = ("A1 Technosmith died", "A2 Technosmith died");
    assert!(deaths == [one, other] || deaths == [other, one], "{deaths:?}");
}

#[test]
fn what_turnabout_takes_is_told_once() {
    let told = position(
        "[position]\nsteps = [{ play = { card = \"Turnabout\", targets = [\"B1\"] } }]\n\
         [position.a]\nhand = [\"Turnabout\"]\n\
         [position.b]\ncreatures = [{ card = \"Crypt Conjurer\", lane = 1 }]\n",
    );
    let expected =
        ["B1 Crypt Conjurer gets +5/+0: 8/8", "Turnabout deals 5 to B1 Crypt Conjurer: 8/3"];
    assert_eq!(told[3..], expected);
}

#[test]
fn a_creature_that_dies_elsewhere_than_in_its_space_says_so() {
    let scenario = "[position]\nsteps = [{ play = { card = \"Suruzal, Emissary of Varna\", lane = 3 } }]\n\
         [position.a]\nhand = [\"Suruzal, Emissary of Varna\"]\n\
         creatures = [{ card = \"Grimgaunt Devourer\", lane = 1 }, \
         { card = \"Grimgaunt Predator\", lane = 2 }]\n\
         answers = [{ card = \"Suruzal, Emissary of Varna\", prefer = [\"A2\"] }]\n";
    // The fresh copy may take the very space of the one that is destroyed.
    let dies = "A2 Grimgaunt Predator, destroyed before its space was taken, dies";
    assert_eq!(find(scenario, dies).facts["displaced"], true);
    find(scenario, "A2 Grimgaunt Predator dies");
    // Deaths set off the second batch, whatever was in the first.
    find(scenario, "Batch when creatures die of effects: 1 ability");
}

#[test]
fn what_deaths_alone_set_off_follows_no_other_batch() {
    let told = position(
        "[position]\nsteps = [{ play = { card = \"Lightning Spark\", targets = [\"B1\"] } }]\n\
         [position.a]\nhand = [\"Lightning Spark\"]\n\
         [position.b]\ncreatures = [{ card = \"Fell Walker\", lane = 1 }]\n",
    );
    let batches: Vec<&String> = told.iter().filter(|line| line.starts_with("Batch")).collect();
    assert_eq!(batches, ["Batch when creatures die of effects: 1 ability"]);
}

#[test]
fn cards_that_may_be_played_besides_are_counted_in_words() {
    let told = |amount: i8| {
        position(&format!(
            "[position]\nsteps = [{{ play = {{ card = \"Rush\" }} }}]\n[position.a]\nhand = [\"Rush\"]\n\
             [[cards]]\nname = \"Rush\"\nfaction = \"nekrium\"\nfree = [1]\n[[cards.abilities]]\nwhen = \"cast\"\n\
             do = [{{ plays = {{ who = \"you\", amount = {amount} }} }}]\n"
        ))
    };
    assert_eq!(told(1).last().unwrap(), "Side A may play 1 more card this turn");
    assert_eq!(told(-2).last().unwrap(), "Side A may play 2 fewer cards this turn");
    // No more can be taken than there is.
    assert_eq!(told(-5).last().unwrap(), "Side A may play 2 fewer cards this turn");
}

/// What creatures have besides attack and health is told at the beginning and when they enter.
#[test]
fn what_creatures_come_with_is_told() {
    const TROLL: &str = "[[cards]]\nname = \"Troll\"\nfaction = \"uterra\"\nattack = [4]\nhealth = [7]\n\
         armor = 2\nregenerate = 3\nmobility = 1\nkeywords = [\"aggressive\", \"breakthrough\"]\n";
    let told = position(&format!(
        "[position]\nsteps = [{{ play = {{ card = \"Troll\", lane = 3 }} }}]\n[position.a]\nhand = [\"Troll\"]\n\
         creatures = [{{ card = \"Fell Walker\", lane = 1, poison = 2 }}, \
         {{ card = \"Fell Walker\", lane = 2, defensive = true }}, {{ card = \"Storm Bringer\", lane = 5 }}]\n{TROLL}"
    ));
    let begins =
        "A1 Fell Walker 3/3 (Poison 2), A2 Fell Walker 3/3 (on the defensive), A5 Storm Bringer ";
    assert!(told[0].contains(begins), "{}", told[0]);
    let enters =
        "A3 Troll enters: 4/7 (Armor 2, Regenerate 3, Mobility 1, Aggressive, Breakthrough)";
    assert!(told.iter().any(|line| line == enters), "{}", told.join("\n"));
}

/// What creatures lend to others is told where it makes a difference, with who lends it.
#[test]
fn who_lends_a_number_is_told_where_it_counts() {
    let told = position(
        "[position]\nsteps = [{ play = { card = \"Herald\", lane = 2 } }, \"battle\", \"battle\", \"end_turn\", \
         \"start_turn\"]\n[position.a]\nhand = [\"Herald\"]\n\
         creatures = [{ card = \"Fell Walker\", lane = 1, health = 9 }]\n\
         [position.b]\ncreatures = [{ card = \"Whelp\", lane = 1 }]\n\
         [[cards]]\nname = \"Whelp\"\nfaction = \"alloyin\"\nattack = [2]\nhealth = [99]\n\
         [[cards]]\nname = \"Herald\"\nfaction = \"alloyin\"\nattack = [1]\nhealth = [9]\n\
         statics = [{ who = \"others\", regenerate = 2, battles = 1, armor = 1 }]\n",
    );
    for line in [
        "With A2 Herald: A1 Fell Walker 3/9, Armor 1, Regenerate 2, extra battles 1",
        "B1 Whelp deals 1 to A1 Fell Walker (1 more prevented, with A2 Herald): 3/8",
        "An additional battle of A1 Fell Walker (with A2 Herald)",
        "A1 Fell Walker regenerates 2 (with A2 Herald): 3/8",
    ] {
        assert!(told.iter().any(|told| told == line), "{line}\n{}", told.join("\n"));
    }
}

/// Whoever lives on its player's life is told with it, and what set an ability off is told with the ability.
#[test]
fn what_a_players_life_gives_is_told_where_the_life_changes() {
    let told = position(
        "[position]\nsteps = [\"battle\"]\n\
         [position.a]\nlife = 50\ncreatures = [{ card = \"Oros, Deepwood's Chosen@4\", lane = 1 }]\n\
         [position.b]\ncreatures = [{ card = \"Fell Walker\", lane = 2 }]\n",
    );
    for line in [
        "B2 Fell Walker deals 3 to side A: 47 life; A1 Oros, Deepwood's Chosen 4 47/47",
        "A1 Oros, Deepwood's Chosen 4 resolves: it damaged the other player",
        "Side A gains 50: 97 life; A1 Oros, Deepwood's Chosen 4 97/97",
    ] {
        assert!(told.iter().any(|told| told == line), "{line}\n{}", told.join("\n"));
    }
}

/// Of several that wait for deaths each says whose death it is about, and what changes nothing says so.
#[test]
fn whose_death_sets_an_ability_off_is_told() {
    let predators = |side: &str| {
        format!(
            "[position.{side}]\ncreatures = [{{ card = \"Grimgaunt Predator\", lane = 1 }}, \
             {{ card = \"Grimgaunt Predator\", lane = 2 }}, {{ card = \"Fell Walker\", lane = 3 }}]\n"
        )
    };
    let told = position(&format!(
        "[position]\nsteps = [\"battle\"]\n{}{}",
        predators("a"),
        predators("b")
    ));
    let vengeance = "A3 Fell Walker (gone) resolves: Vengeance";
    assert!(told.iter().any(|line| line == vengeance), "{}", told.join("\n"));
    for lane in [1, 2] {
        let set_off =
            format!("A{lane} Grimgaunt Predator (gone) resolves: B{lane} Grimgaunt Predator died");
        let at = told.iter().position(|line| *line == set_off);
        let at = at.unwrap_or_else(|| panic!("{set_off}\n{}", told.join("\n")));
        assert_eq!(told[at + 1], "It changes nothing");
    }
}

/// A creature loses what it had: neither keywords that it never had nor abilities of one that has none.
#[test]
fn what_is_lost_is_what_was_there() {
    let told = position(
        "[position]\nsteps = [{ play = { card = \"Hush\", targets = [\"B1\"] } }, \
         { play = { card = \"Hush\", targets = [\"B2\"] } }]\n\
         [position.a]\nhand = [\"Hush\", \"Hush\"]\n\
         [position.b]\ncreatures = [{ card = \"Plain\", lane = 1 }, { card = \"Eager\", lane = 2 }]\n\
         [[cards]]\nname = \"Hush\"\nfaction = \"alloyin\"\n\
         [[cards.abilities]]\nwhen = \"cast\"\nchoose = { from = { side = \"enemy\" } }\n\
         do = [{ lose = { who = \"chosen\", keywords = [\"aggressive\", \"breakthrough\"], abilities = true } }]\n\
         [[cards]]\nname = \"Plain\"\nfaction = \"alloyin\"\nattack = [1]\nhealth = [3]\n\
         [[cards]]\nname = \"Eager\"\nfaction = \"alloyin\"\nattack = [1]\nhealth = [3]\n\
         keywords = [\"aggressive\"]\n",
    );
    let lost: Vec<&String> = told.iter().filter(|line| line.contains(" loses ")).collect();
    assert_eq!(lost, ["B2 Eager loses Aggressive"], "{told:#?}");
}

/// A card with Overload leaves the game when it is levelled, like a token; others come back.
#[test]
fn a_card_that_is_levelled_away_says_so() {
    let told = position(
        "[position]\nsteps = [{ level = \"Burnout\" }, { level = \"Enrage\" }]\n\
         [position.a]\nhand = [\"Burnout\", \"Enrage\"]\n",
    );
    let last = ["Side A levels Burnout, which leaves the game", "Side A levels Enrage"];
    assert_eq!(told[told.len() - 2..], last);
}

/// Turns are counted from those that the position says were begun.
#[test]
fn the_turns_of_a_position_go_on_from_those_before_it() {
    let told = |turns: u8| {
        let told = position(&format!(
            "[position]\nactive = \"b\"\nsteps = [\"end_turn\", \"start_turn\"]\n\
             [position.a]\nturns = {turns}\n[position.b]\nturns = {turns}\n"
        ));
        told.into_iter().find(|line| line.starts_with("Turn ")).unwrap()
    };
    assert_eq!(told(4), "Turn 9: side A, 120 life, rank 2");
    assert_eq!(told(0), "Turn 1: side A, 120 life, rank 1");
}

/// Whoever is on the offensive fights in every turn's battle, but for a Defender.
#[test]
fn the_board_says_when_a_creature_fights() {
    let text = "game = \"solforge\"\nbattles = 1\n[position]\nsteps = [\"battle\"]\n\
                [position.a]\ncreatures = [{ card = \"Fell Walker\", lane = 1 }, \
                { card = \"Wall\", lane = 2 }]\n\
                [[cards]]\nname = \"Wall\"\nfaction = \"alloyin\"\nattack = [0]\nhealth = [9]\n\
                keywords = [\"defender\"]\n";
    let document = Document::new("story.toml", text.to_owned(), Folder::Disk("".into()));
    let setup = load::<SolForge>(&document).unwrap_or_else(|faults| panic!("{faults:?}")).setup;
    let Play::Position(position) = setup.play() else { panic!("a position") };
    let board = SolForge::board(&setup, &position.starts[0]);
    let lanes = &board.sides[0].zones[0].spaces;
    let meaning = |lane: usize| lanes[lane].as_ref().unwrap().tags[0].meaning;
    let fights =
        "On the offensive: it fights in the battle of every turn, its player's and the other's";
    assert_eq!(meaning(0), Some(fights));
    assert_eq!(meaning(1), Some("On the offensive, but with Defender it starts no battle"));
}
