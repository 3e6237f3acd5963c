//! What is written down and changes nothing is worth a warning: what a list of a set has twice, and cards that no battle can
//! have.

use evens::games::eldertale::ElderTale;
use evens::games::sanctum::Sanctum;
use evens::games::solforge::SolForge;
use evens::games::splinterlands::Splinterlands;
use evens::scenario::Form;

use super::warnings;

/// A pool that fights itself.
fn pool(before: &str, keys: &str) -> String {
    format!("{before}\n[[pools]]\nname = \"P\"\n{keys}\n[sides]\na = [\"P\"]\nb = [\"P\"]\n")
}

fn say<G: Form>(text: &str, told: &[&str]) {
    assert_eq!(warnings::<G>(text), told, "{text}");
}

#[test]
fn what_a_set_has_twice_changes_nothing() {
    for (before, keys, again, twice) in [
        ("[rulesets]\nonly = [\"Standard\"AGAIN]\ntwo = 0", "", ", \"Standard\"", "Standard"),
        ("[rulesets]\nexclude = [\"Earthquake\"AGAIN]", "", ", \"Earthquake\"", "Earthquake"),
        ("", "factions = [\"Fire\", \"Life\"AGAIN]", ", \"Fire\"", "Fire"),
        ("", "summoners = [\"Malric Inferno\"AGAIN]", ", \"Malric Inferno\"", "Malric Inferno"),
        ("", "exclude = [\"Pit Ogre\", \"Medusa\"AGAIN]", ", \"Pit Ogre\"", "Pit Ogre"),
        ("[changes]\nMedusa = { abilities = [\"Sneak\"AGAIN] }", "", ", \"Sneak@3\"", "Sneak"),
        ("[changes]\nMedusa = { abilities = [\"+Sneak\"AGAIN] }", "", ", \"+Sneak\"", "Sneak"),
        ("[watch]\ntables = [\"units\", \"outcomes\"AGAIN]", "", ", \"units\"", "units"),
    ] {
        let text = |again: &str| pool(before, keys).replace("AGAIN", again);
        say::<Splinterlands>(&text(again), &[&format!("`{twice}` stands in this list already")]);
        say::<Splinterlands>(&text(""), &[]);
    }
    let twice = "stands in this list already";
    let decks = pool(
        "",
        "factions = [\"alloyin\", \"uterra\", \"alloyin\"]\nexclude = [\"Nexus Aeronaut\", \"Nexus Aeronaut\"]",
    );
    let told = warnings::<SolForge>(&decks);
    assert!(told.len() == 2 && told.iter().all(|of| of.ends_with(twice)), "{told:?}");
    let spell = "[[spells]]\nname = \"Gust\"\non = [\"nature\", \"nature\"]\ngives = { hand = 1 }\n\
         [[groups]]\nname = \"G\"\nminions = [\"Brother Wolf\"]\nspells = [\"Gust\"]\n\
         [sides]\na = [\"G\"]\nb = [\"G\"]\n";
    let told = warnings::<Sanctum>(spell);
    assert!(told.iter().any(|of| of == "`nature` stands in this list already"), "{told:?}");
}

/// A mana cap is drawn once for each time that it is listed.
#[test]
fn mana_caps_that_are_listed_twice_are_drawn_more_often() {
    let text = |caps: &str| pool(&format!("mana_caps = [{caps}]"), "");
    say::<Splinterlands>(&text("20, 30"), &[]);
    let often = "the mana cap 30 is listed twice, and so drawn for 2 of 3 battles";
    say::<Splinterlands>(&text("30, 20, 30"), &[often]);
    let often = "the mana cap 20 is listed 3 times, and so drawn for 3 of 4 battles";
    say::<Splinterlands>(&text("20, 20, 20, 30"), &[often]);
    let alike = "every mana cap is listed twice, which changes nothing";
    say::<Splinterlands>(&text("30, 30"), &[alike]);
    say::<Splinterlands>(&text("30, 20, 20, 30"), &[alike]);
}

#[test]
fn changes_of_what_no_battle_can_have_change_nothing() {
    let team = "[rulesets]\nfixed = [\"Standard\"]\n[[teams]]\nname = \"T\"\nsummoner = \"Malric Inferno\"\nmonsters = [\"Living Lava\"]\n\
         [sides]\na = [\"T\"]\nb = [\"T\"]\n";
    let changed = "no battle can have `Pit Ogre`: what is changed of it changes nothing";
    let ogre =
        "[changes]\n\"Pit Ogre\" = { health = \"+1\" }\n\"Living Lava\" = { health = \"+1\" }\n";
    say::<Splinterlands>(&format!("{ogre}{team}"), &[changed]);
    say::<Splinterlands>(&pool(ogre, ""), &[]);
    let pool_without = pool(ogre, "exclude = [\"Pit Ogre\"]");
    say::<Splinterlands>(&pool_without, &[changed]);
    let many = "[changes]\n\"Pit Ogre\" = { mana = 1 }\nMedusa = { mana = 1 }\n\"Cyclops\" = { mana = 1 }\n\
         \"Giant Roc\" = { mana = 1 }\n";
    let told = warnings::<Splinterlands>(&format!("{many}{team}"));
    assert!(told[0].ends_with("and 1 more: what is changed of them changes nothing"), "{told:?}");
    let own = "new_cards = [{ name = \"Ash Imp\", like = \"Pit Ogre\" }]\n";
    let nobody = "no battle can have the scenario's own `Ash Imp`";
    say::<Splinterlands>(&format!("{own}{team}"), &[nobody]);
    say::<Splinterlands>(&pool(own, ""), &[]);
}

/// What stands on the field, what is in a hand, and what these put on the field comes up.
#[test]
fn what_cards_make_comes_up_in_a_battle() {
    let position = |changed: &str| {
        format!(
            "[changes]\n\"{changed}\" = {{ attack = \"+1\" }}\n[position]\nsteps = [\"battle\"]\n\
             [position.a]\ncreatures = [{{ card = \"Fell Walker\", lane = 1 }}]\nhand = [\"Spring Dryad\"]\n"
        )
    };
    for comes_up in ["Fell Walker", "Zombie", "Spring Dryad"] {
        say::<SolForge>(&position(comes_up), &[]);
    }
    let changed = "no battle can have `Alloyin General`: what is changed of it changes nothing";
    say::<SolForge>(&position("Alloyin General"), &[changed]);

    let group = |changed: &str, minions: &str, spells: &str| {
        format!(
            "{changed}\n[[groups]]\nname = \"G\"\nminions = [{minions}]\nspells = [{spells}]\n\
             [sides]\na = [\"G\"]\nb = [\"G\"]\n"
        )
    };
    let wolf = "[changes.\"Brother Wolf\"]\nhit_points = \"+1\"";
    say::<Sanctum>(&group(wolf, "\"2 Brother Wolf\"", ""), &[]);
    let changed = "no battle can have `Brother Wolf`: what is changed of it changes nothing";
    say::<Sanctum>(&group(wolf, "\"Boggart\"", ""), &[changed]);
    let dust = "[changes.\"Pixie Dust\"]\nsource = \"a house rule\"";
    say::<Sanctum>(&group(dust, "\"Satyr swordsman + Pixie Dust\"", ""), &[]);
    say::<Sanctum>(&group(dust, "\"Satyr swordsman\"", "\"Pixie Dust\""), &[]);
    assert_eq!(warnings::<Sanctum>(&group(dust, "\"Satyr swordsman\"", "")).len(), 1);

    let duel = |deck: &str| {
        format!(
            "[changes.Strike]\ndamage = \"+1\"\n[[characters]]\nname = \"A\"\ndeck = [{deck}]\n\
             [[characters]]\nname = \"B\"\ndeck = [{deck}]\n[sides]\na = [\"A\"]\nb = [\"B\"]\n"
        )
    };
    say::<ElderTale>(&duel("\"Strike\", \"Block\""), &[]);
    let changed = "no battle can have `Strike`: what is changed of it changes nothing";
    say::<ElderTale>(&duel("\"Quick Jabs\""), &[changed]);
}

/// Which of the two a new card takes is said where a scenario changes the card that it is like.
#[test]
fn a_card_is_like_another_one_without_its_change() {
    let text = |change: &str| {
        let own = "new_cards = [{ name = \"Ash Ogre\", like = \"Pit Ogre\" }]";
        pool(&format!("{own}\n[changes]\n{change}"), "")
    };
    let told = "`Ash Ogre` is like `Pit Ogre` without what `[changes]` changes of it";
    say::<Splinterlands>(&text("\"Pit Ogre\" = { mana = \"+1\" }"), &[told]);
    say::<Splinterlands>(&text("\"Living Lava\" = { mana = \"+1\" }"), &[]);
    let setup = super::setup::<Splinterlands>(&text("\"Pit Ogre\" = { mana = \"+1\" }"));
    let mana = |name: &str| setup.catalogue().iter().find(|card| card.name == name).unwrap().mana;
    assert_eq!(mana("Ash Ogre") + 1, mana("Pit Ogre"));
}
