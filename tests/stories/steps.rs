//! A battle step by step: it is the same battle, with a board of the game's own kind at every step.

use std::collections::BTreeMap;

use evens::Scenario;
use evens::chance::{Chance, Odds, Roll as _, Seeded};
use evens::engine::{Battle, Dice, Look, Place};
use evens::game::{Outcome, Side, Stratum, play};
use evens::games::splinterlands::Splinterlands;
use evens::games::splinterlands::rolls::Roll;
use evens::scenario::{Document, load};
use evens::story::{Board, Fate, Line, SideBoard, Stepped, Trace, Unit};
use evens::tally::{Assignment, Record};

/// One scenario of each sort that each game has: fixed and drawn teams, whole games and positions, single combats and
/// maps, two and more characters.
const SCENARIOS: [&str; 10] = [
    "splinterlands/drawn-teams",
    "splinterlands/earthquake-weaken",
    "splinterlands/official-ties",
    "solforge/factions",
    "solforge/drawn-decks",
    "solforge/zimus-and-fell-walker",
    "sanctum/mixed-groups",
    "sanctum/surrounded",
    "eldertale/duel",
    "eldertale/three-way",
];

/// How many battles of each scenario are looked at.
const BATTLES: u64 = 6;

/// A battle step by step, its plain story, and the record that is counted of it.
fn looked_at(scenario: &Scenario, index: u64) -> (Stepped, Vec<Line>, Record) {
    let engine = scenario.engine();
    let assignment = Assignment::new(engine.layout());
    let place = Place::Assigned(&assignment);
    let battle = Battle { seed: scenario.common.seed, index, dice: Dice::Seeded, place };
    let mut record = Record::new(engine.layout());
    engine.play(battle, Look { events: true, fighters: true }, &mut record);
    let told = engine.tell(battle);
    let stepped = engine.step(battle);
    assert_eq!(
        (told.stratum, told.outcome, told.rounds),
        (stepped.stratum, stepped.outcome, stepped.rounds)
    );
    (stepped, told.lines, record)
}

fn for_each_battle(test: impl Fn(&Scenario, Stepped, Vec<Line>, Record)) {
    for name in SCENARIOS {
        let scenario = Scenario::read(name).unwrap();
        for index in 0..BATTLES {
            let (stepped, lines, record) = looked_at(&scenario, index);
            test(&scenario, stepped, lines, record);
        }
    }
}

fn units(side: &SideBoard) -> impl Iterator<Item = &Unit> {
    side.zones.iter().flat_map(|zone| zone.spaces.iter().flatten())
}

fn last(stepped: &Stepped) -> &Board {
    &stepped.steps.last().unwrap().board
}

#[test]
fn steps_tell_the_same_story_as_the_battle_that_is_counted() {
    for_each_battle(|_, stepped, lines, record| {
        assert_eq!((stepped.outcome, stepped.rounds), (record.outcome, record.rounds));
        let (end, steps) = stepped.steps.split_last().unwrap();
        assert!(end.lines.is_empty(), "the last step is the end");
        assert!(steps.iter().all(|step| !step.lines.is_empty()));
        let told: Vec<Line> = steps.iter().flat_map(|step| step.lines.clone()).collect();
        assert_eq!(told, lines);
    });
}

/// The units that are still alive on the last board are those that the tables count as survivors, by name.
#[test]
fn the_last_board_has_the_survivors_that_are_counted() {
    for_each_battle(|scenario, stepped, _, record| {
        let engine = scenario.engine();
        // In SolForge a fighter is a card that was played, wherever it is at the end.
        if engine.game() == "solforge" {
            return;
        }
        let mut counted: BTreeMap<(String, &str), i32> = BTreeMap::new();
        for fighter in record.fighters.iter().filter(|fighter| fighter.survived) {
            let unit = &engine.layout().units[usize::from(fighter.unit)];
            // Summoners, cards, classes and effects are counted too, but none of them stands on the board.
            if ["monster", "recruit", "character"].contains(&unit.kind) {
                *counted.entry((fighter.side.to_string(), &unit.name)).or_default() += 1;
            }
        }
        let mut there = BTreeMap::new();
        for side in &last(&stepped).sides {
            let alive = |unit: &&Unit| !unit.numbers.is_empty() && unit.fate != Fate::Dead;
            for unit in units(side).filter(alive) {
                *there.entry((side.id.clone(), unit.name.as_str())).or_default() += 1;
                // A character that has gone All In fights on beyond 0 HP.
                let all_in = unit.tags.iter().any(|tag| tag.text == "Memory down");
                assert!(
                    unit.numbers[0].value > 0 || all_in,
                    "{} is there without health",
                    unit.name
                );
            }
        }
        assert_eq!(counted, there, "{}", scenario.name);
        if let Outcome::Win(side) = stepped.outcome {
            let winner = &last(&stepped).sides[side.index()];
            assert!(units(winner).any(|unit| unit.fate == Fate::There), "the winner stands");
        }
    });
}

#[test]
fn the_last_board_has_the_life_that_the_tables_have() {
    for_each_battle(|scenario, stepped, _, record| {
        let layout = scenario.engine().layout();
        for (name, &value) in layout.metrics.iter().zip(&record.metrics) {
            let Some(side) = ["life_a", "life_b"].iter().position(|life| life == name) else {
                continue;
            };
            let life = &last(&stepped).sides[side].numbers[0];
            assert_eq!((life.name, life.value), ("life", value));
        }
    });
}

/// No event has the name of a line that `trace --json` prints before and after the story, so the two can be told apart.
#[test]
fn no_event_is_called_as_what_frames_the_story() {
    for_each_battle(|scenario, _, lines, _| {
        for line in lines {
            let event = line.facts["event"].as_str().unwrap();
            assert!(!["battle", "end"].contains(&event), "{}: {}", scenario.name, line.facts);
        }
    });
}

/// Facts name actors and targets by ids that are on the board, at that step or at the one before it.
#[test]
fn whom_a_step_names_is_on_the_board() {
    for_each_battle(|scenario, stepped, _, _| {
        let mut before: Option<&Board> = None;
        for step in &stepped.steps {
            let boards = [before, Some(&step.board)];
            let sides = || boards.into_iter().flatten().flat_map(|board| &board.sides);
            for line in &step.lines {
                let mut named = vec![&line.facts["actor"], &line.facts["target"]];
                named.extend(line.facts["targets"].as_array().into_iter().flatten());
                for id in named.into_iter().filter_map(|id| id.as_str()) {
                    let known =
                        sides().any(|side| side.id == id || units(side).any(|unit| unit.id == id));
                    // A death may be told some steps after the unit was destroyed, when another unit may have taken its
                    // space.
                    let gone =
                        line.facts["attack"].is_null() && scenario.engine().game() == "solforge";
                    assert!(known || gone, "{}: `{id}` in {}", scenario.name, line.facts);
                }
            }
            before = Some(&step.board);
        }
    });
}

/// Dice that record every face as it falls.
struct Noted(Seeded, Vec<(&'static str, u64)>);

impl Chance<Roll> for Noted {
    fn draw(&mut self, roll: Roll, odds: Odds<'_>) -> u32 {
        let face = self.0.draw(roll, odds);
        self.1.push((roll.name(), u64::from(face)));
        face
    }

    fn number_below(&mut self, roll: Roll, bound: u64) -> Option<u64> {
        let number = self.0.number_below(roll, bound)?;
        self.1.push((roll.name(), number));
        Some(number)
    }
}

#[test]
fn every_die_is_told_once_and_in_order() {
    const HOME: Stratum = Stratum { matchup: 0, condition: 0 };
    let scenario = Scenario::read("splinterlands/drawn-teams").unwrap();
    let document = Document::read("splinterlands/drawn-teams").unwrap();
    let setup = load::<Splinterlands>(&document).unwrap().setup;
    for index in 0..BATTLES {
        let mut noted = Noted(Seeded::of_battle(7, index), Vec::new());
        play::<Splinterlands, _, _>(&setup, HOME, &mut noted, &mut Trace::default());
        let battle = Battle { seed: 7, index, dice: Dice::Seeded, place: Place::Stratum(HOME) };
        let stepped = scenario.engine().step(battle);
        let dice = stepped.steps.iter().flat_map(|step| &step.dice);
        let told: Vec<(&str, u64)> = dice.clone().map(|die| (die.name, die.face)).collect();
        assert_eq!(told, noted.1);
        assert!(told.len() > 5 && told.iter().filter(|die| die.0 == "Team").count() == 2);
        for die in dice {
            let sum: f64 = die.faces.iter().sum();
            assert!(die.faces.is_empty() || (sum - 1.0).abs() < 1e-9);
            assert!(die.faces.is_empty() || die.faces[die.face as usize] > 0.0, "{die:?}");
        }
    }
}

#[test]
fn odds_are_told_as_people_say_them() {
    use evens::story::Die;
    let told = |odds, face| {
        let Die { came, odds, faces, .. } = Die::of("Hit", odds, face);
        (came, odds, faces.len())
    };
    let of = |came: &str, odds: &str, faces| (came.to_owned(), odds.to_owned(), faces);
    assert_eq!(told(Odds::Percent(85), 1), of("yes", "85%", 2));
    assert_eq!(told(Odds::Percent(85), 0), of("no", "15%", 2));
    assert_eq!(told(Odds::Even(6), 2), of("3 of 6", "1 in 6", 6));
    assert_eq!(told(Odds::Weighted(&[2, 4, 6]), 1), of("2 of 3", "1 in 3", 3));
    assert_eq!(told(Odds::Cumulative(&[2, 7]), 1), of("2 of 2", "5 in 7", 2));
    let (often, seldom) = ([400_001, 599_999], [9_501, 990_499]);
    assert_eq!(told(Odds::Weighted(&often), 0), of("1 of 2", "40.0%", 2));
    assert_eq!(told(Odds::Weighted(&seldom), 0), of("1 of 2", "about 1 in 105", 2));
    let Die { came, odds, face, faces, .. } = Die::of_number("Team", 4, 88_231);
    assert_eq!(
        (came.as_str(), odds.as_str(), face, faces.len()),
        ("5 of 88231", "1 in 88231", 4, 0)
    );
    // With this many faces the odds are not drawn as a picture any more.
    assert_eq!(told(Odds::Even(351), 350), of("351 of 351", "1 in 351", 0));
}

/// A change that has no line of its own is on the board of the line that causes it.
#[test]
fn an_aura_ends_with_the_death_of_its_bearer() {
    let scenario = Scenario::read("splinterlands/drawn-teams").unwrap();
    let mut seen = 0;
    for index in 0..60 {
        let (stepped, ..) = looked_at(&scenario, index);
        for pair in stepped.steps.windows(2) {
            let [before, after] = [&pair[0].board, &pair[1].board];
            let told = |event: &str| pair[1].lines.iter().any(|line| line.facts["event"] == event);
            for side in [Side::A, Side::B].map(Side::index) {
                if before.sides[side].tags != after.sides[side].tags {
                    let is_of_a_death = told("death") || told("aura_end") || told("resurrect");
                    assert!(is_of_a_death, "{:?}", pair[1].lines);
                    seen += 1;
                }
            }
        }
    }
    assert!(seen > 3, "{seen} auras ended");
}
