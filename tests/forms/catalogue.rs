//! Card catalogues: the bundled one, faults of a file, and what is read from official card files.

use std::collections::BTreeSet;
use std::path::Path;
use std::sync::Arc;

use evens::games::splinterlands::ability::Ability;
use evens::games::splinterlands::bundled;
use evens::games::splinterlands::cards::{Card, CardKind, Catalogue, Faction, Rarity, Stats};
use evens::games::splinterlands::edition::Edition;
use evens::games::splinterlands::import::{Imported, import};
use evens::scenario::{Fault, Faults, Source};
use miette::NamedSource;

fn source(text: impl Into<String>) -> Source {
    Arc::new(NamedSource::new("cards.csv", text.into()))
}

const HEADER: &str =
    "name,id,faction,type,rarity,mana,level,melee,ranged,magic,armor,health,speed,abilities\n";

/// The rows of a card of four levels.
fn legend(name: &str) -> String {
    let row = |level| format!("{name},1,Fire,Monster,Legendary,5,{level},1,0,0,0,4,3,Sneak\n");
    (1..=4).map(row).collect()
}

/// The faults of these rows: for each its line, the marked text, the message and the remedy.
fn faults(rows: &str) -> Vec<String> {
    let text = format!("{HEADER}{rows}");
    let told = |fault: Fault| {
        let (_, span) = fault.place.expect("a fault of a file has a place");
        let line =
            text[..span.start].lines().count() + usize::from(text[..span.start].ends_with('\n'));
        format!("{line} `{}`: {} ({})", &text[span], fault.message, fault.remedy)
    };
    let faults = Catalogue::from_csv(&source(&*text)).expect_err("these rows are at fault");
    faults.into_iter().map(told).collect()
}

// The bundled catalogue

#[test]
fn the_bundled_catalogue_is_written_as_it_is_read() {
    let text = include_str!("../../scenarios/splinterlands/cards/2020-05.csv");
    assert!(bundled().to_csv() == text, "the file is not as the program writes it");
    assert_eq!(Catalogue::from_csv(&source(text)).unwrap(), *bundled());
}

#[test]
fn the_bundled_catalogue_has_every_card_level_and_faction() {
    let cards = &bundled().cards;
    let of = |kind| cards.iter().filter(move |card| card.kind == kind);
    assert_eq!((of(CardKind::Monster).count(), of(CardKind::Summoner).count()), (208, 31));
    for card in cards {
        assert_eq!(card.levels.len(), usize::from(card.rarity.max_level()), "{}", card.name);
    }
    let factions: BTreeSet<Faction> = of(CardKind::Monster).map(|card| card.faction).collect();
    assert_eq!(factions.len(), 7);
}

/// Cards that the guide names, released after the file of May 2020 was written.
const NAMED_BY_THE_GUIDE: [&str; 2] = ["Chanseus the Great", "Bila the Radiant"];

#[test]
fn cards_that_the_guide_names_are_in_the_catalogue_although_they_are_newer() {
    let chanseus = card(bundled(), NAMED_BY_THE_GUIDE[0]);
    assert_eq!((chanseus.faction, chanseus.rarity), (Faction::Life, Rarity::Legendary));
    assert_eq!((chanseus.kind, chanseus.mana), (CardKind::Summoner, 7));
    let able = Ability::Repair | Ability::Triage | Ability::Resurrect;
    assert!(chanseus.levels.iter().all(|l| l.abilities == able && l.stats == Stats::default()));
    let bila = card(bundled(), NAMED_BY_THE_GUIDE[1]);
    let stuns = |level: usize| bila.levels[level - 1].abilities.contains(Ability::Stun);
    assert!(!stuns(2) && stuns(3), "the guide says level 3");
}

fn card<'a>(catalogue: &'a Catalogue, name: &str) -> &'a Card {
    &catalogue.cards[usize::from(catalogue.find(name).expect("the card is there"))]
}

// What is wrong with a file

/// Faults name their lines whichever line endings a spreadsheet has written.
#[test]
fn a_fault_is_told_in_its_line_however_lines_end() {
    let rows = "Elf,3,Life,Monster,Common,3,1,1,0,0,0,4,3,\n\
                Imp,1,Fyre,Monster,Legendary,5,1,1,0,0,0,4,3,\n\
                Oaf,2,Earth,Monster,Legendary,five,1,1,0,0,0,4,3,\n";
    let told = faults(rows);
    assert!(told.len() >= 2, "{told:?}");
    assert_eq!(faults(&rows.replace('\n', "\r\n")), told);
}

#[test]
fn every_fault_of_a_catalogue_is_told_at_once_at_its_field() {
    let rows = "Imp,1,Fyre,Monster,Legendary,5,1,1,0,0,0,4,3,\n\
                Oaf,2,Earth,Monster,Legendary,five,1,1,0,0,0,4,-3,\n\
                Elf,3,Life,Monster,Legendary,5,1,1,0,0,0,4,3,Sneek; Dodge; Fllying\n\
                Cat,4,Death,Monster,Legendary,5,1,1,0,0,0,0,3,\n\
                Dog,5,Death,Summoner,Legendary,5,,1,0,0,0,-10,3,\n\
                Cow,6,Death,Monster,Legendary,5,1,1,0,0,0,4,3\n";
    insta::assert_snapshot!(faults(rows).join("\n"), @r"
    2 `Fyre`: unknown faction `Fyre` (did you mean `Fire`? One of: Fire, Water, Earth, Life, Death, Dragon, Neutral)
    3 `five`: `five` is not a possible mana (a whole number from 0 to 99)
    3 `-3`: `-3` is not a possible speed (a whole number from 0 to 99)
    4 `Sneek; Dodge; Fllying`: unknown ability `Sneek` (did you mean `Sneak`? `evens list abilities` names them all)
    4 `Sneek; Dodge; Fllying`: unknown ability `Fllying` (did you mean `Flying`? `evens list abilities` names them all)
    5 `0`: `Cat` has no health (a monster has at least 1)
    6 `-10`: `-10` is not a possible health (a whole number from -9 to 9)
    7 `Cow,6,Death,Monster,Legendary,5,1,1,0,0,0,4,3`: 13 fields instead of 14 (the columns are: name,id,faction,type,rarity,mana,level,melee,ranged,magic,armor,health,speed,abilities)
    ");
}

#[test]
fn levels_follow_each_other_and_none_is_missing() {
    let rows = |levels: &[u8]| -> String {
        let row = |level| format!("Imp,1,Fire,Monster,Legendary,5,{level},1,0,0,0,4,3,\n");
        levels.iter().map(row).collect()
    };
    assert_eq!(
        faults(&rows(&[1, 2, 3])),
        ["4 `Imp`: `Imp` ends with level 3 (legendary cards have 4 levels)"]
    );
    assert_eq!(
        faults(&rows(&[1, 3, 4])),
        ["3 `3`: this is not level 2 of `Imp` (levels follow each other from 1 to 4)"]
    );
    assert_eq!(
        faults(&rows(&[2, 3, 4])),
        ["2 `2`: `Imp` begins with level 2 (levels follow each other from 1)"]
    );
    assert_eq!(
        faults(&rows(&[1, 2, 3, 4, 5])),
        ["6 `5`: `Imp` has all its levels already (levels follow each other from 1 to 4)"]
    );
    let short_and_more = format!("{}{}", rows(&[1, 2]), legend("Oaf"));
    assert_eq!(faults(&short_and_more).len(), 1, "the next card is not to blame");
}

#[test]
fn a_row_at_fault_is_not_blamed_for_the_rest_of_its_card() {
    let rows = legend("Imp").replacen("Monster,Legendary,5,2", "Monster,Legendary,5x,2", 1);
    assert_eq!(
        faults(&rows),
        ["3 `5x`: `5x` is not a possible mana (a whole number from 0 to 99)"]
    );
}

#[test]
fn a_name_belongs_to_one_card() {
    let again = format!("{}{}{}", legend("Imp"), legend("Oaf"), legend("Imp"));
    let twice =
        "`Imp` stands here a second time (the rows of a card stand together, one for each level)";
    assert_eq!(faults(&again), [format!("10 `Imp`: {twice}")]);
    let summoners = "Imp,1,Fire,Summoner,Rare,3,,1,0,0,0,0,0,\n".repeat(2);
    assert_eq!(faults(&summoners), [format!("3 `Imp`: {twice}")]);
    let changed =
        legend("Imp").replacen("Fire,Monster,Legendary,5,3", "Water,Monster,Legendary,5,3", 1);
    assert_eq!(
        faults(&changed),
        [
            "4 `Imp`: `Imp` is another card than in the row above (only numbers and abilities differ from level to level)"
        ]
    );
}

#[test]
fn a_file_that_is_no_catalogue_says_so() {
    let wrong = |text: &str| Catalogue::from_csv(&source(text)).unwrap_err()[0].to_string();
    assert_eq!(wrong(""), "no cards");
    assert_eq!(wrong(HEADER), "no cards");
    assert_eq!(wrong("name,mana\nImp,3\n"), "these are not the columns of a card catalogue");
}

// Official card files

/// Reads an official card file; None, with a message, when it is not there.
fn official(name: &str) -> Option<Imported> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../shared/data/splinterlands");
    match std::fs::read_to_string(folder.join(name)) {
        Ok(text) => Some(import(&source(text), Edition::Guide).expect("an official card file")),
        Err(_) => {
            eprintln!("SKIPPED: no {name} in ../shared/data/splinterlands");
            None
        }
    }
}

#[test]
fn the_cards_of_may_2020_are_all_bundled_as_they_are_imported() {
    let Some(imported) = official("cards_2020-05.json") else { return };
    assert_eq!(imported.left_out, []);
    let mut bundled = bundled().clone();
    bundled.cards.retain(|card| !NAMED_BY_THE_GUIDE.contains(&&*card.name));
    assert_eq!(imported.catalogue.cards.len(), bundled.cards.len());
    for (imported, bundled) in imported.catalogue.cards.iter().zip(&bundled.cards) {
        assert_eq!(imported, bundled);
    }
}

#[test]
fn newer_cards_that_the_guide_names_are_as_they_are_imported() {
    let Some(imported) = official("cards_2022-04.json") else { return };
    for name in NAMED_BY_THE_GUIDE {
        assert_eq!(card(bundled(), name), card(&imported.catalogue, name));
    }
}

#[test]
fn cards_of_2022_with_newer_abilities_are_left_out_and_all_others_are_read() {
    let Some(imported) = official("cards_2022-04.json") else { return };
    assert_eq!((imported.catalogue.cards.len(), imported.left_out.len()), (335, 115));
    for (name, reason) in &imported.left_out {
        let is_later =
            reason.starts_with("unknown ability ") || reason.contains("is of the edition of 2022");
        assert!(is_later, "{name}: {reason}");
    }
    let read_again = Catalogue::from_csv(&source(imported.catalogue.to_csv())).unwrap();
    assert_eq!(read_again, imported.catalogue);
}

const OFFICIAL: &str = r#"[
    {"id": 1, "name": "Imp", "color": "Red", "type": "Monster", "rarity": 4, "stats": {
        "mana": [3, 3, 3, 3], "attack": [1, 1, 2, 2], "ranged": 0, "magic": [0, 0, 0, 0],
        "armor": [0, 0, 0, 1], "health": [2, 3, 3, 4], "speed": [2, 2, 2, 3],
        "abilities": [["Sneak"], [], ["Dodge", "Flying"], []]}},
    {"id": 2, "name": "Boss", "color": "Gold", "type": "Summoner", "rarity": 3, "stats": {
        "mana": 5, "attack": 0, "ranged": -1, "magic": 0, "armor": 0, "health": 1, "speed": 0,
        "abilities": ["Void"]}}
]"#;

fn imported(text: &str) -> Imported {
    import(&source(text), Edition::Guide).unwrap()
}

#[test]
fn an_official_monster_gains_abilities_by_level_and_a_summoner_has_them_at_once() {
    let Imported { catalogue, left_out } = imported(OFFICIAL);
    assert_eq!(left_out, []);
    let imp = card(&catalogue, "Imp");
    assert_eq!((imp.faction, imp.rarity, imp.mana), (Faction::Fire, Rarity::Legendary, 3));
    let sneaky = Ability::Sneak.into();
    let all = Ability::Sneak | Ability::Dodge | Ability::Flying;
    let able: Vec<_> = imp.levels.iter().map(|level| level.abilities).collect();
    assert_eq!(able, [sneaky, sneaky, all, all]);
    let last = Stats { melee: 2, ranged: 0, magic: 0, armor: 1, health: 4, speed: 3 };
    assert_eq!(imp.levels[3].stats, last);
    let boss = card(&catalogue, "Boss");
    assert_eq!((boss.faction, boss.levels.len()), (Faction::Dragon, 6));
    let given = Stats { ranged: -1, health: 1, ..Stats::default() };
    assert!(boss.levels.iter().all(|l| l.stats == given && l.abilities == Ability::Void));
}

#[test]
fn a_card_that_is_not_understood_is_left_out_with_the_reason_and_the_others_stay() {
    let reason = |from: &str, to: &str| {
        assert!(OFFICIAL.contains(from));
        let Imported { catalogue, left_out } = imported(&OFFICIAL.replacen(from, to, 1));
        assert_eq!((catalogue.cards.len(), left_out.len()), (1, 1), "{to}");
        left_out[0].1.clone()
    };
    assert_eq!(reason("Dodge", "Bloodlust"), "unknown ability Bloodlust");
    assert_eq!(reason("Void", "True Strike"), "True Strike is of the edition of 2022");
    assert_eq!(reason("Red", "Purple"), "unknown color Purple");
    assert_eq!(reason("Monster", "Spell"), "unknown type Spell");
    assert_eq!(reason("\"rarity\": 4", "\"rarity\": 5"), "unknown rarity 5");
    assert_eq!(reason("[3, 3, 3, 3]", "[3, 3, 3, 4]"), "its mana cost changes with its level");
    assert_eq!(reason("[2, 3, 3, 4]", "[2, 3, 3]"), "no `health` for level 4");
    assert_eq!(reason("[2, 3, 3, 4]", "[2, 3, 0, 4]"), "it has no health at level 3");
    assert_eq!(reason("[2, 2, 2, 3]", "[2, 2, 2, 3.5]"), "`speed` is 3.5 at level 4, not 0 to 99");
    assert_eq!(reason("[\"Sneak\"], []", "\"Sneak\", []"), "its abilities are not listed as usual");
    assert_eq!(reason("\"name\": \"Imp\",", ""), "it has no `name`");
    assert_eq!(reason("Boss", "Imp"), "there is another card of this name");
    assert_eq!(reason("Boss", "  Imp "), "there is another card of this name");
    assert_eq!(reason("Boss", " "), "its name is empty");
}

#[test]
fn a_card_file_that_is_not_json_is_a_fault_at_its_place() {
    let text = OFFICIAL.replacen("\"color\": \"Gold\",", "\"color\": ,", 1);
    let Faults { faults, .. } = import(&source(&*text), Edition::Guide).unwrap_err();
    let (_, span) = faults[0].place.clone().unwrap();
    assert_eq!(faults.len(), 1);
    assert!(text[..span.start].ends_with("\"color\": "), "{}", &text[..span.start]);
}
