//! How a Sanctum combat is told.

use evens::chance::Seeded;
use evens::game::{Stratum, play};
use evens::games::sanctum::Sanctum;
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
         minions = [\"Cockatrice + Deflection\", \"Imp archer + Soul Jar\", \"Combustioneer\"]\n\
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
