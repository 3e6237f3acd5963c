//! Laws of the line-ups of every game: drawn ones are legal, neighbours are legal and mutual, spaces that are counted
//! can be enumerated, and given line-ups fight as they would in a scenario.

use evens::chance::Seeded;
use evens::engine::{Battle, Dice, LineUps, Look, Place};
use evens::lineups::{Brought, LineUp, NoLineUps, Space};
use evens::scenario::Folder;
use evens::tally::{Assignment, Record};
use evens::{Document, Engine, Scenario};

fn scenario(text: &str) -> Scenario {
    let document = Document::new("line-ups.toml", text.to_owned(), Folder::Disk("".into()));
    Scenario::of(&document).unwrap_or_else(|faults| panic!("{faults:?}"))
}

const TEAMS: &str = r#"
    game = "splinterlands"
    battles = 1
    league = "silver"
    mana_caps = [22]
    rulesets = { fixed = ["Standard"] }
    sides = { a = ["All"], b = ["All"] }
    pools = [{ name = "All", policy = "fill", fill_within = 1 }]
"#;

const FIXED_TEAM: &str = r#"
    game = "splinterlands"
    battles = 1
    league = "gold"
    mana_caps = [20, 30]
    rulesets = { two = 0 }
    illegal_teams = "lose"
    sides = { a = ["Fire"], b = ["Fire"] }
    [[teams]]
    name = "Fire"
    summoner = "Malric Inferno@2"
    monsters = ["Living Lava", "Giant Roc@1", "Spark Pixies"]
"#;

/// Teams that few rulesets allow: all others lose.
const FORBIDDEN: &str = r#"
    game = "splinterlands"
    battles = 1
    mana_caps = [30]
    rulesets = { fixed = ["Little League"] }
    illegal_teams = "lose"
    sides = { a = ["All"], b = ["All"] }
    pools = [{ name = "All", policy = "fill" }]
"#;

const GROUPS: &str = r#"
    game = "sanctum"
    battles = 1
    sides = { a = ["Mixed"], b = ["Mixed", "Bows"] }
    [[groups]]
    name = "Mixed"
    minions = ["2 Elf swordsman", "Elf archer@2 + BloodLust", "Boggart"]
    spells = ["BloodLust"]
    [[groups]]
    name = "Bows"
    minions = ["3 Elf archer"]
"#;

/// A scenario of each game, with one of its contenders.
fn spaces() -> Vec<(Scenario, &'static str)> {
    let bundled = |name: &str| Scenario::read(name).expect("bundled");
    vec![
        (scenario(TEAMS), "All"),
        (scenario(FIXED_TEAM), "Fire"),
        (scenario(FORBIDDEN), "All"),
        (bundled("solforge/drawn-decks"), "Two factions"),
        (bundled("solforge/factions"), "Uterra"),
        (scenario(GROUPS), "Mixed"),
        (bundled("sanctum/nations"), "Imps"),
        (bundled("eldertale/classes"), "Hunter"),
    ]
}

fn upcast<'l>(line_ups: &'l (dyn LineUps + 'l)) -> &'l (dyn Space + 'l) {
    line_ups
}

#[test]
fn drawn_line_ups_are_legal_and_can_be_read_back() {
    for (scenario, contender) in spaces() {
        let line_ups = scenario.engine().line_ups(contender).unwrap();
        let space = upcast(&*line_ups);
        let mut random = Seeded::from_seed(1);
        let mut drawn: Vec<LineUp> = (0..100).map(|_| space.draw(&mut random)).collect();
        drawn.extend(space.own());
        for line_up in &drawn {
            space.legal(line_up).unwrap_or_else(|why| panic!("{contender}: {why}"));
            assert!(space.sizes().contains(&line_up.choices().len()));
            assert!(line_up.choices().iter().all(|&choice| space.allows(choice)));
            assert_eq!(space.read(&space.told(line_up)).as_ref(), Ok(line_up));
        }
        drawn.sort_unstable();
        drawn.dedup();
        assert!(drawn.len() > 90, "{contender}: {} of 100 differ", drawn.len());
        let own = !scenario.engine().layout().units_are_drawn;
        assert_eq!(space.own().is_some(), own, "{contender}");
    }
}

#[test]
fn neighbours_are_legal_and_neighbours_of_each_other() {
    for (scenario, contender) in spaces() {
        let line_ups = scenario.engine().line_ups(contender).unwrap();
        let space = upcast(&*line_ups);
        let mut random = Seeded::from_seed(2);
        for _ in 0..2 {
            let line_up = space.draw(&mut random);
            let near = space.neighbours(&line_up);
            assert!(near.len() >= 20, "{contender}: {} neighbours", near.len());
            let mut distinct = near.clone();
            distinct.sort_unstable();
            distinct.dedup();
            assert_eq!(distinct.len(), near.len(), "{contender}");
            assert!(!near.contains(&line_up));
            for other in near.iter().step_by(near.len() / 12) {
                assert_eq!(space.legal(other), Ok(()), "{contender}: {}", space.told(other));
                let back = space.neighbours(other).contains(&line_up);
                assert!(back, "{} is not next to {}", space.told(&line_up), space.told(other));
            }
        }
    }
}

/// Marks these choices of a space, and no others.
fn only(space: &dyn Space, names: &[&str]) -> Vec<bool> {
    let choices: Vec<u16> = names.iter().map(|name| space.choice(name).unwrap()).collect();
    (0..space.choices().len() as u16).map(|choice| choices.contains(&choice)).collect()
}

/// In small parts of the spaces, all line-ups are counted, listed once and legal, and every draw is one of them.
#[test]
fn what_is_counted_is_what_is_listed() {
    let small: [&[&str]; 8] = [
        // Two summoners, one of them of dragons, and monsters of two splinters, neutral ones and a dragon.
        &[
            "Malric Inferno",
            "Delwyn Dragonscale",
            "Giant Roc",
            "Spark Pixies",
            "Ice Pixie",
            "Kobold Miner",
        ],
        &["Malric Inferno", "Living Lava", "Giant Roc", "Spark Pixies", "Kobold Miner"],
        &["Malric Inferno", "Fire Beetle", "Goblin Sorcerer", "Spark Pixies", "Kobold Miner"],
        &[
            "Enrage",
            "Ether Hounds",
            "Ferocious Roar",
            "Lifeshaper Savant",
            "Runegrove Guardian",
            "Spring Dryad",
            "Storm Bringer",
            "Riftlasher",
            "Cinderfist Brawler",
            "Lightning Spark",
        ],
        &[
            "Enrage",
            "Ether Hounds",
            "Ferocious Roar",
            "Lifeshaper Savant",
            "Runegrove Guardian",
            "Spring Dryad",
            "Shardplate Behemoth",
            "Weirwood Patriarch",
            "Wildwood Sower",
            "Oros, Deepwood's Chosen",
            "Storm Bringer",
        ],
        &["Elf swordsman", "Elf archer", "Boggart", "Cockatrice"],
        &["Imp swordsman", "Imp archer", "Elf archer"],
        &["Strike", "Block"],
    ];
    for ((scenario, contender), names) in spaces().into_iter().zip(small) {
        let line_ups = scenario.engine().line_ups(contender).unwrap();
        let part = line_ups.only(&only(upcast(&*line_ups), names)).unwrap();
        let space = upcast(&*part);
        let all = space.all();
        assert!(!all.is_empty(), "{contender}");
        if let Some(count) = space.count() {
            assert_eq!(all.len() as u128, count, "{contender}");
        } else {
            // Here rulesets are drawn, and a line-up need be legal under one of them only.
            assert_eq!(contender, "Fire");
        }
        let mut distinct = all.clone();
        distinct.sort_unstable();
        distinct.dedup();
        assert_eq!(distinct.len(), all.len(), "{contender}");
        assert!(all.iter().all(|line_up| space.legal(line_up).is_ok()), "{contender}");
        // A legal neighbour of a listed line-up is listed as well.
        for line_up in all.iter().step_by(all.len().div_ceil(10)) {
            let near = space.neighbours(line_up);
            assert!(near.iter().all(|other| distinct.binary_search(other).is_ok()), "{contender}");
        }
        let mut random = Seeded::from_seed(3);
        for _ in 0..50 {
            let drawn = space.draw(&mut random);
            assert!(distinct.binary_search(&drawn).is_ok(), "{contender}: {}", space.told(&drawn));
        }
    }
}

/// Where few line-ups are legal, listing them does not go through all that are not: these lists took minutes, and more
/// memory than there is.
#[test]
fn what_is_counted_as_few_is_listed_at_once() {
    let decks = Scenario::read("solforge/drawn-decks").expect("bundled");
    let line_ups = decks.engine().line_ups("Two factions").unwrap();
    let space = upcast(&*line_ups);
    let of = |faction: &str, many: usize| {
        let names = space.choices().iter().filter(|of| of.group == faction).map(|of| &*of.name);
        names.take(many).collect::<Vec<_>>()
    };
    let names = [of("Alloyin", 8), of("Nekrium", 4), of("Tempys", 4), of("Uterra", 4)].concat();
    assert_eq!(names.len(), 20);
    let part = line_ups.only(&only(space, &names)).unwrap();
    assert_eq!(Some(upcast(&*part).all().len() as u128), upcast(&*part).count());

    let minions: String = (0..10)
        .map(|at| {
            let level = if at < 2 { 1 } else { 4 };
            format!(
                "[[minions]]\nname = \"Kind {at}\"\nhand = 2\nhit_points = {}\nlevel = {level}\n",
                5 + at
            )
        })
        .collect();
    let groups = scenario(&format!(
        "game = \"sanctum\"\nbattles = 1\nsides = {{ a = [\"A\"], b = [\"A\"] }}\n{minions}\
         [[groups]]\nname = \"A\"\nminions = [\"8 Kind 0\"]\n"
    ));
    let line_ups = groups.engine().line_ups("A").unwrap();
    let names: Vec<String> = (0..10).map(|at| format!("Kind {at}")).collect();
    let names: Vec<&str> = names.iter().map(String::as_str).collect();
    let part = line_ups.only(&only(upcast(&*line_ups), &names)).unwrap();
    assert_eq!(upcast(&*part).count(), Some(256));
    assert_eq!(upcast(&*part).all().len(), 256);
}

#[test]
fn what_cannot_be_says_why() {
    let of = |scenario: &Scenario, contender: &str| {
        scenario.engine().line_ups(contender).map(drop).unwrap_err().to_string()
    };
    let teams = scenario(TEAMS);
    assert_eq!(of(&teams, "Al"), "nobody is called `Al`: did you mean `All`? There are All");
    let position = Scenario::read("solforge/dryad-and-patriarch").unwrap();
    assert!(of(&position, "side A").starts_with("a position is played as it is set up"));
    let map = Scenario::read("sanctum/surrounded").unwrap();
    assert!(matches!(map.engine().line_ups("blue"), Err(NoLineUps::Scenario(_))));
    // Taken together, all rulesets forbid both even and odd costs.
    let drawn = Scenario::read("splinterlands/drawn-teams").unwrap();
    assert!(
        of(&drawn, "Whole set").starts_with("no team of these cards is legal under Broken Arrows")
    );
    let line_ups = teams.engine().line_ups("All").unwrap();
    let space = upcast(&*line_ups);
    let why = |text: &str| space.read(text).unwrap_err();
    assert_eq!(
        why("Giant Roc; Spark Pixies"),
        "`Giant Roc` is not a summoner, and the first of a team is"
    );
    assert_eq!(
        why("Malric Inferno; Ice Pixie"),
        "`Ice Pixie` (Water) cannot be led by `Malric Inferno`"
    );
    assert!(why("Malric Inferno; Giant Rok").contains("did you mean `Giant Roc`?"));
    assert_eq!(why("Malric Inferno; 2 Giant Roc"), "`Giant Roc` is in the team twice");
    let part = line_ups.only(&only(space, &["Malric Inferno", "Giant Roc"])).unwrap();
    let outside = upcast(&*part).read("Malric Inferno; Spark Pixies").unwrap_err();
    assert_eq!(outside, "`Spark Pixies` is not among the cards to choose from");
    assert!(line_ups.only(&only(space, &["Giant Roc"])).is_err());
}

/// Results of 60 battles as text, with units by name.
fn fought(engine: &dyn Engine, dice: Dice) -> Vec<String> {
    let layout = engine.layout();
    let assignment = Assignment::new(layout);
    let mut record = Record::new(layout);
    let told = (0..60).map(|index| {
        let place = Place::Assigned(&assignment);
        engine.play(
            Battle { seed: 5, index, dice, place },
            Look { events: false, fighters: true },
            &mut record,
        );
        let units: Vec<String> = record
            .fighters
            .iter()
            .map(|of| {
                let name = &layout.units[usize::from(of.unit)].name;
                format!("{name}@{} {:?} {}", of.level, of.side, of.survived)
            })
            .collect();
        let Record { outcome, rounds, forfeits, metrics, .. } = &record;
        format!("{outcome:?} {rounds} {forfeits} {metrics:?} {units:?}")
    });
    told.collect()
}

fn same(here: &[String], there: &[String]) {
    assert_eq!(here.len(), there.len());
    for (at, (here, there)) in here.iter().zip(there).enumerate() {
        assert_eq!(here, there, "battle {at}");
    }
}

/// Battles between two drawn line-ups of a contender are those of a scenario that has both written down.
fn same_as_written(
    text: &str,
    contender: &str,
    write: &dyn Fn(&dyn Space, [&LineUp; 2]) -> String,
) {
    let scenario = scenario(text);
    let line_ups = scenario.engine().line_ups(contender).unwrap();
    let space = upcast(&*line_ups);
    let mut random = Seeded::from_seed(7);
    for _ in 0..3 {
        let [one, other] = [space.draw(&mut random), space.draw(&mut random)];
        let engine =
            line_ups.engine(&[Brought::LineUp(&one), Brought::LineUp(&other)], &[vec![0, 1]]);
        let written = self::scenario(&write(space, [&one, &other]));
        for dice in [Dice::Seeded, Dice::Keyed] {
            same(&fought(&*engine, dice), &fought(written.engine(), dice));
        }
        // A contender of the scenario fights as it does there.
        let own = [Brought::Contender(contender), Brought::Contender(contender)];
        let mut again = line_ups.engine(&own, &[vec![0, 1]]);
        again.share(scenario.engine());
        assert_eq!(again.layout().matchups[0].contenders, [contender, contender]);
        if scenario.engine().layout().matchups.len() == 1 {
            same(&fought(&*again, Dice::Seeded), &fought(scenario.engine(), Dice::Seeded));
        }
    }
}

fn names<'s>(space: &'s dyn Space, line_up: &'s LineUp) -> impl Iterator<Item = &'s str> {
    line_up.choices().iter().map(|&choice| space.choices()[usize::from(choice)].name.as_str())
}

fn quoted<'n>(names: impl Iterator<Item = &'n str>) -> String {
    names.map(|name| format!("\"{name}\"")).collect::<Vec<_>>().join(", ")
}

#[test]
fn given_teams_fight_as_written() {
    let write = |space: &dyn Space, both: [&LineUp; 2]| {
        let team = |name: &str, line_up: &LineUp| {
            let mut names = names(space, line_up);
            let summoner = names.next().unwrap();
            format!(
                "[[teams]]\nname = \"{name}\"\nsummoner = \"{summoner}\"\nmonsters = [{}]\n",
                quoted(names)
            )
        };
        format!(
            "game = \"splinterlands\"\nbattles = 1\nleague = \"silver\"\nmana_caps = [22]\n\
             rulesets = {{ fixed = [\"Standard\"] }}\nsides = {{ a = [\"1\"], b = [\"2\"] }}\n{}{}",
            team("1", both[0]),
            team("2", both[1])
        )
    };
    same_as_written(TEAMS, "All", &write);
}

/// Under drawn rulesets a given team that one of them forbids forfeits, just as a team of the scenario does.
#[test]
fn a_given_team_that_is_forbidden_forfeits() {
    let scenario = scenario(FIXED_TEAM);
    let line_ups = scenario.engine().line_ups("Fire").unwrap();
    let own = upcast(&*line_ups).own().unwrap();
    let engine = line_ups.engine(&[Brought::LineUp(&own), Brought::LineUp(&own)], &[vec![0, 1]]);
    let fought_here = fought(&*engine, Dice::Keyed);
    same(&fought_here, &fought(scenario.engine(), Dice::Keyed));
    assert!(
        fought_here.iter().any(|of| of.starts_with("Draw 0 3")),
        "both forfeit: {fought_here:?}"
    );
    // The levels that the team states are those of the line-up.
    assert!(fought_here.iter().any(|of| of.contains("Giant Roc@1")));
}

#[test]
fn given_decks_play_as_written() {
    let text = "game = \"solforge\"\nbattles = 1\npools = [{ name = \"All\", policy = \"greedy\" }]\n\
                sides = { a = [\"All\"], b = [\"All\"] }";
    let write = |space: &dyn Space, both: [&LineUp; 2]| {
        let deck = |name: &str, line_up: &LineUp| {
            let counted = line_up.counted().map(|(choice, copies)| {
                format!("\"{}\" = {copies}\n", space.choices()[usize::from(choice)].name)
            });
            let cards: String = counted.collect();
            format!("[[decks]]\nname = \"{name}\"\npolicy = \"greedy\"\n[decks.cards]\n{cards}")
        };
        format!(
            "game = \"solforge\"\nbattles = 1\nsides = {{ a = [\"1\"], b = [\"2\"], swap = false }}\n{}{}",
            deck("1", both[0]),
            deck("2", both[1])
        )
    };
    same_as_written(text, "All", &write);
}

#[test]
fn given_groups_fight_as_written() {
    let write = |space: &dyn Space, both: [&LineUp; 2]| {
        let group = |name: &str, line_up: &LineUp| {
            format!(
                "[[groups]]\nname = \"{name}\"\nminions = [{}]\nspells = [\"BloodLust\"]\n",
                quoted(names(space, line_up))
            )
        };
        format!(
            "game = \"sanctum\"\nbattles = 1\nsides = {{ a = [\"1\"], b = [\"2\"] }}\n{}{}",
            group("1", both[0]),
            group("2", both[1])
        )
    };
    same_as_written(GROUPS, "Mixed", &write);
}

#[test]
fn given_decks_of_characters_play_as_written() {
    let own = "game = \"eldertale\"\nbattles = 1\nsides = { a = [\"Hunter\"], b = [\"Hunter\"] }\n\
               [[characters]]\nname = \"Hunter\"\nclasses = [\"Hunter\", \"Bard\"]\nhp = 40\npolicy = \"greedy\"\n";
    let write = |space: &dyn Space, both: [&LineUp; 2]| {
        let character = |name: &str, line_up: &LineUp| {
            let counted = line_up.counted().map(|(choice, copies)| {
                format!("\"{}*{copies}\"", space.choices()[usize::from(choice)].name)
            });
            let deck = counted.collect::<Vec<_>>().join(", ");
            format!(
                "[[characters]]\nname = \"{name}\"\nclasses = [\"Hunter\", \"Bard\"]\nhp = 40\npolicy = \"greedy\"\n\
                 deck = [{deck}]\n"
            )
        };
        // Characters count as units, by their names.
        let [one, other] = both.map(|line_up| space.told(line_up));
        format!(
            "game = \"eldertale\"\nbattles = 1\nsides = {{ a = [\"{one}\"], b = [\"{other}\"] }}\n{}{}",
            character(&one, both[0]),
            character(&other, both[1])
        )
    };
    same_as_written(own, "Hunter", &write);
}
