//! Recast units, which turn into something else once everything is drawn: battles without the unit stay as they were,
//! and some battles with it change.

use evens::Scenario;
use evens::engine::{Battle, Dice, Engine, Look, Place};
use evens::game::{Outcome, Side};
use evens::recast::Recast;
use evens::tally::{Assignment, Record};

const BATTLES: u64 = 60;

/// How a battle ended (outcome and rounds), and which units were brought to it.
fn played(engine: &dyn Engine, index: u64) -> ((Outcome, u32), Vec<u16>) {
    let layout = engine.layout();
    let (assignment, mut record) = (Assignment::new(layout), Record::new(layout));
    let place = Place::Assigned(&assignment);
    let look = Look { events: false, fighters: true };
    engine.play(Battle { seed: 5, index, dice: Dice::Keyed, place }, look, &mut record);
    let sides = (0..layout.sides).map(|side| Side(side as u8));
    let fixed = sides.filter_map(|side| engine.brings(record.stratum.matchup as usize, side));
    let mut brought: Vec<u16> = fixed.flatten().map(|(unit, _)| unit).collect();
    if brought.is_empty() {
        brought.extend(record.fighters.iter().map(|fighter| fighter.unit));
    }
    ((record.outcome, record.rounds), brought)
}

/// Returns whether some battle ends otherwise with this unit recast. Battles without the unit must not.
fn changes(engine: &dyn Engine, unit: u16, recast: Recast) -> bool {
    let changed = engine.recast(unit, recast).expect("it can be that");
    let mut is_other = false;
    for index in 0..BATTLES {
        let (was, brought) = played(engine, index);
        let (is, _) = played(&*changed, index);
        let name = &engine.layout().units[usize::from(unit)].name;
        assert!(brought.contains(&unit) || was == is, "{name} {recast:?}: battle {index}");
        is_other |= was != is;
    }
    is_other
}

#[test]
fn only_battles_with_a_unit_change_with_it() {
    for (scenario, units) in [
        ("splinterlands/drawn-teams", &["Goblin Shaman", "Undead Priest", "Yodin Zaku"][..]),
        ("solforge/factions", &["Nexus Aeronaut", "Shardplate Behemoth", "Cull the Weak"]),
        ("sanctum/nations", &["Imp swordsman", "Satyr swordsman"]),
        ("eldertale/classes", &["Piercing Strike", "Mark the Prey", "Bark Skin"]),
    ] {
        let scenario = Scenario::read(scenario).unwrap();
        let engine = scenario.engine();
        let (mut stand_ins, mut abilities, mut others) = (0, 0, 0);
        for name in units {
            let found = engine.layout().units.iter().position(|unit| unit.name == *name);
            let unit = found.unwrap_or_else(|| panic!("{}: {name}", scenario.name)) as u16;
            for other in engine.stand_ins(unit).into_iter().take(3) {
                assert_ne!(other, unit);
                others += u32::from(changes(engine, unit, Recast::As(other)));
                stand_ins += 1;
            }
            for at in 0..engine.abilities(unit).len() {
                others += u32::from(changes(engine, unit, Recast::Without(at)));
                abilities += 1;
            }
            let beyond = engine.abilities(unit).len();
            assert!(engine.recast(unit, Recast::Without(beyond)).is_none());
        }
        let name = &scenario.name;
        assert!(
            stand_ins > 0 && abilities > 0,
            "{name}: {stand_ins} stand-ins, {abilities} abilities"
        );
        assert!(others > 0, "{name}: nothing ever changed");
    }
}

/// A stand-in costs the same as the card, is of the same kind, and can be led by whoever leads the card.
#[test]
fn stand_ins_of_a_splinterlands_card_are_such_as_its_side_may_bring() {
    let scenario = Scenario::read("splinterlands/drawn-teams").unwrap();
    let engine = scenario.engine();
    let units = &engine.layout().units;
    let mut some = 0;
    for at in 0..units.len() as u16 {
        let own = &units[usize::from(at)];
        for other in engine.stand_ins(at) {
            let by = &units[usize::from(other)];
            assert_eq!(by.kind, own.kind);
            assert_eq!(engine.cost(other), engine.cost(at));
            let is_neutral = by.kind == "monster" && by.group == "Neutral";
            assert!(by.group == own.group || is_neutral, "{} for {}", by.name, own.name);
            some += 1;
        }
    }
    assert!(some > 1_000, "{some}");
}
