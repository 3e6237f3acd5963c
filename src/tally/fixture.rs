//! Layouts and made-up battles for tests. No game is played: records are drawn from a seed.

use crate::chance::{Roll, Seeded};
use crate::game::{Outcome, Side};
use crate::tally::{
    Assignment, Breakdown, Condition, Fact, Fighter, Layout, Matchup, Moment, Origin, Record,
    Tally, Unit,
};

fn unit(name: &str, kind: &'static str, group: &str) -> Unit {
    Unit { name: name.to_owned(), kind, group: group.to_owned() }
}

fn condition(label: &str, factors: &[u16], probability: f64) -> Condition {
    Condition { label: label.to_owned(), factors: factors.to_vec(), probability }
}

fn matchup(contenders: &[&str]) -> Matchup {
    Matchup { contenders: contenders.iter().map(|name| (*name).to_owned()).collect() }
}

/// The die that draws conditions.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Die {
    Condition,
}

impl Roll for Die {
    fn name(self) -> &'static str {
        "condition"
    }

    fn number(self) -> u8 {
        self as u8
    }
}

/// A layout with two sides, one match-up, rulesets, summoners, orders and a metric.
pub(crate) fn duel() -> Layout {
    Layout {
        matchups: vec![matchup(&["Fire", "Water"])],
        conditions: vec![
            condition("Standard", &[0], 0.5),
            condition("Earthquake", &[1], 0.3),
            condition("Earthquake, Healed Out", &[1, 2], 0.2),
        ],
        factors: ["Standard", "Earthquake", "Healed Out"].map(str::to_owned).to_vec(),
        factor_noun: "ruleset",
        neutral: Some(0),
        brackets: Vec::new(),
        bracket_noun: "",
        units: vec![
            unit("Malric Inferno", "summoner", "Fire"),
            unit("Pit Ogre", "monster", "Fire"),
            unit("Serpentine Spy", "monster", "Fire"),
            unit("Alric Stormbringer", "summoner", "Water"),
            unit("Spineback Turtle", "monster", "Water"),
            unit("Sabre Shark", "monster", "Water"),
        ],
        units_are_brought: true,
        units_are_drawn: false,
        forcible: Vec::new(),
        moments: vec![Moment {
            name: "melee hit".to_owned(),
            meaning: "What answered a melee hit, first to last.".to_owned(),
            origin: Origin::Drawn,
            compares_like_with_like: false,
        }],
        order_items: ["Thorns", "Retaliate", "Shatter"].map(str::to_owned).to_vec(),
        metrics: vec!["Damage in round 1".to_owned()],
        are_counts: vec![false],
        facts: vec![Fact { name: "mana_cap", meaning: "what teams may cost, in mana" }],
        longest: 12,
        round_noun: "round",
        sides: 2,
        deciders: Vec::new(),
    }
}

/// A layout of every contender of `count` against every one, itself included, without draws and orders.
pub(crate) fn round_robin(count: usize) -> Layout {
    let names: Vec<String> = (1..=count).map(|number| format!("Deck {number:02}")).collect();
    let pairs = names
        .iter()
        .flat_map(|a| names.iter().map(|b| Matchup { contenders: vec![a.clone(), b.clone()] }));
    Layout {
        matchups: pairs.collect(),
        conditions: vec![condition("", &[], 1.0)],
        units: (1..=40).map(|n| unit(&format!("Card {n:02}"), "creature", "Neutral")).collect(),
        factors: Vec::new(),
        moments: Vec::new(),
        forcible: Vec::new(),
        metrics: Vec::new(),
        are_counts: Vec::new(),
        facts: Vec::new(),
        round_noun: "turn",
        ..duel()
    }
}

/// A layout of three sides and two match-ups.
pub(crate) fn three_sides() -> Layout {
    Layout {
        matchups: vec![
            matchup(&["Humans", "Elves", "Orcs"]),
            matchup(&["Elves", "Elves", "Humans"]),
        ],
        sides: 3,
        deciders: Vec::new(),
        ..duel()
    }
}

/// A made-up battle: the later a side, the less often it wins, the more so under the last condition.
pub(crate) fn record(layout: &Layout, index: u64) -> Record {
    let mut dice = Seeded::of_battle(9, index);
    let mut record = Record::new(layout);
    record.clear(Assignment::new(layout).stratum(index, Some(Die::Condition), &mut dice));
    let skew = 8 * record.stratum.condition + record.stratum.matchup % 5;
    record.outcome = match dice.below(100) {
        0 => Outcome::Draw,
        1 => Outcome::Undecided,
        face => Outcome::Win(Side(if face < 20 + skew {
            0
        } else {
            dice.below(layout.sides as u32) as u8
        })),
    };
    record.rounds = 1 + dice.below(6) + dice.below(layout.longest - 6);
    let per_side = layout.units.len() / layout.sides;
    for side in 0..layout.sides {
        let first = side * per_side;
        for place in 0..per_side.min(3) {
            // Line-ups of large collections vary from battle to battle.
            let shift = if per_side > 3 { dice.below(per_side as u32 - 2) as usize } else { 0 };
            record.fighters.push(Fighter {
                unit: (first + place + shift) as u16,
                level: 1 + dice.below(4) as u8,
                side: Side(side as u8),
                survived: dice.below(3) == 0,
                dealt: dice.below(9),
                taken: dice.below(9),
            });
        }
    }
    record.facts.fill(20 + index % 3);
    for metric in &mut record.metrics {
        *metric = i64::from(dice.below(12)) - 2;
    }
    if !layout.moments.is_empty() {
        let wins_first = record.outcome == Outcome::Win(Side::A);
        for _ in 0..dice.below(3) {
            let first = u16::from(dice.below(5) < if wins_first { 3 } else { 2 });
            record
                .order(0, [first, 1 - first].into_iter().chain((dice.below(5) == 0).then_some(2)));
        }
    }
    record
}

/// The tally of the first `battles` made-up battles.
pub(crate) fn tally(layout: &Layout, battles: u64) -> Tally {
    let mut tally = Tally::new(layout, Breakdown::Factor);
    for index in 0..battles {
        tally.add(layout, &record(layout, index));
    }
    tally
}
