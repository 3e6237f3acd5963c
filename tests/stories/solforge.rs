//! How SolForge games are told.

use evens::chance::Seeded;
use evens::game::{Stratum, play};
use evens::games::solforge::SolForge;
use evens::scenario::{Document, Folder, load};
use evens::story::{Trace, Weight};

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
    let text = format!("game = \"solforge\"\nbattles = 1\n{text}");
    let document = Document::new("story.toml", text, Folder::Disk("".into()));
    let setup = load::<SolForge>(&document).unwrap_or_else(|faults| panic!("{faults:?}")).setup;
    let stratum = Stratum { matchup: 0, condition: 0 };
    let mut trace = Trace::default();
    play::<SolForge, _, _>(&setup, stratum, &mut Seeded::from_seed(1), &mut trace);
    trace.lines.into_iter().map(|line| line.text).collect()
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
