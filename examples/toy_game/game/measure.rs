//! What is counted in a fight of the toy game.

use evens::game::Side;
use evens::tally::{Condition, Fighter, Layout, Matchup, Measure, Moment, Origin, Record, Unit};

use super::{Event, LAST_ROUND, Setup, State, Toy};

const SIDES: [Side; 2] = [Side::A, Side::B];

impl Measure for Toy {
    fn layout(setup: &Setup) -> Layout {
        let name = |fighter: usize| setup.fighters[fighter].name.clone();
        let unit =
            |fighter: usize| Unit { name: name(fighter), kind: "fighter", group: String::new() };
        Layout {
            matchups: setup
                .matchups
                .iter()
                .map(|pair| Matchup { contenders: pair.map(name).to_vec() })
                .collect(),
            conditions: vec![Condition {
                label: String::new(),
                factors: Vec::new(),
                probability: 1.0,
            }],
            factor_noun: "condition",
            units: (0..setup.fighters.len()).map(unit).collect(),
            forcible: Vec::new(),
            moments: vec![Moment {
                name: "first strike".to_owned(),
                meaning: "the side that strikes first".to_owned(),
                origin: Origin::Observed,
                compares_like_with_like: false,
            }],
            order_items: SIDES.map(|side| side.to_string()).to_vec(),
            metrics: SIDES.map(|side| format!("lives of {side}")).to_vec(),
            are_counts: vec![true; SIDES.len()],
            facts: Vec::new(),
            longest: u32::from(LAST_ROUND),
            round_noun: "round",
            sides: SIDES.len(),
            ..Layout::default()
        }
    }

    fn note(_: &Setup, _: &State, event: Event, record: &mut Record) {
        match event {
            Event::First(side) => {
                record.dealt.resize(SIDES.len(), 0);
                record.order(0, [u16::from(side.0)]);
            }
            Event::Round(_) => {}
            Event::Strike(by, lost) => record.dealt[by.index()] += u32::from(lost),
        }
    }

    fn metrics(_: &Setup, state: &State, metrics: &mut [i64]) {
        for (metric, lives) in metrics.iter_mut().zip(state.lives) {
            *metric = i64::from(lives);
        }
    }

    fn fighters(_: &Setup, state: &State, record: &mut Record) {
        // Damage is noted from events only, so nobody has dealt any in an unwatched battle.
        let dealt = |side: Side| record.dealt.get(side.index()).copied().unwrap_or(0);
        let fighters = SIDES.map(|side| Fighter {
            unit: state.fighters[side.index()] as u16,
            level: 1,
            side,
            survived: state.lives[side.index()] > 0,
            dealt: dealt(side),
            taken: dealt(side.other()),
        });
        record.fighters.extend(fighters);
    }
}
