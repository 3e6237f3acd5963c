//! Sanctum, implemented a second time: the combat pipelines of version 2.20, step by step as the page has them.

mod attack;
mod choosing;
mod combat;
mod effects;
mod generate;
mod map;
mod minion;

use std::ops::ControlFlow;

use evens::game::{Game, Outcome, Side, Stratum, Unwatched};
use evens::games::sanctum::Sanctum;
use evens::games::sanctum::open_rules::OpenRules;
use evens::games::sanctum::rules::check_for_all_combats::Board;
use evens::games::sanctum::setup::{Company, First, Setup};
use evens::games::sanctum::state::{
    self, GROUP, INFINITE, Place, Player, Precedence, State, Stats,
};
use evens::scenario::{Document, Folder, load};
use proptest::prelude::*;

use crate::reference::tape::Recorder;
use combat::{Group, Phase};
use minion::{Minion, Numbers, Standing};

/// The facts of a phase on which both implementations must agree after every round.
#[derive(Debug, PartialEq)]
struct Summary {
    /// For each group: its minions, first to last, and whether it has withdrawn.
    groups: Vec<(Vec<One>, bool)>,
    combat: Option<([usize; 2], i32, bool, bool)>,
}

/// One minion of a summary.
#[derive(Debug, PartialEq)]
struct One {
    standing: Standing,
    hit_points: (i32, i32),
    now: Numbers,
    in_combat: Numbers,
    for_good: Numbers,
    armor: i32,
    remaining: i32,
    misses: Option<i32>,
    victim: Option<usize>,
    marks: i32,
    qualified: bool,
}

/// Converts the engine's numbers.
fn numbers(stats: &Stats) -> Numbers {
    Numbers {
        level: stats.level.into(),
        armor: stats.armor.into(),
        hand: stats.hand.into(),
        missile: stats.missile.into(),
        attacks: stats.attacks.into(),
        stopped: stats.stopped,
        hand_deals_nothing: stats.mute & 1 == 1,
        missile_deals_nothing: stats.mute & 2 == 2,
    }
}

fn one(minion: &state::Minion, standing: Standing, victim: Option<usize>) -> One {
    One {
        standing,
        // The hit points of the dead have no meaning.
        hit_points: if standing == Standing::Buried {
            (0, 0)
        } else {
            (minion.hit_points.into(), minion.max_hit_points.into())
        },
        now: numbers(&minion.stats),
        in_combat: numbers(&minion.in_combat),
        for_good: numbers(&minion.for_good),
        armor: minion.armor.into(),
        remaining: minion.attacks.into(),
        misses: (minion.misses != INFINITE).then_some(minion.misses.into()),
        victim,
        marks: minion.marks.into(),
        qualified: minion.qualified,
    }
}

fn of_engine(state: &State, sizes: &[usize]) -> Summary {
    let group = |(at, &size): (usize, &usize)| {
        let rank = state.fighting.iter().position(|&group| usize::from(group) == at);
        let fights = rank.filter(|_| state.in_combat);
        let minion = |nth: usize| {
            let place = fights.map(|rank| Place::of(Precedence::BOTH[rank], nth));
            let group = &state.groups[at];
            let present = match place {
                Some(place) => state.present.has(place),
                None => group.present >> nth & 1 == 1,
            };
            // Gone alive in this combat, or in an earlier one.
            let away =
                group.away >> nth & 1 == 1 || place.is_some_and(|place| state.away.has(place));
            let standing = match (present, away) {
                (true, _) => Standing::There,
                (false, true) => Standing::Away,
                (false, false) => Standing::Buried,
            };
            let victim = place.and_then(|place| state.victim(place)).map(Place::nth);
            let minion = match place {
                Some(place) => *state.at(place),
                None => state.groups[at].minions[nth].minion(),
            };
            one(&minion, standing, victim)
        };
        let withdrawn = fights.map_or(state.groups[at].withdrawn, |rank| state.withdrawn[rank]);
        ((0..size).map(minion).collect(), withdrawn)
    };
    Summary {
        groups: sizes.iter().enumerate().map(group).collect(),
        combat: state.in_combat.then(|| {
            (state.fighting.map(usize::from), state.round.into(), state.hostile, state.ended)
        }),
    }
}

fn of_reference(phase: &Phase) -> Summary {
    let minion = |minion: &Minion| One {
        standing: minion.standing,
        hit_points: if minion.standing == Standing::Buried {
            (0, 0)
        } else {
            (minion.hit_points, minion.max_hit_points)
        },
        now: minion.now.clone(),
        in_combat: minion.in_combat.clone(),
        for_good: minion.for_good.clone(),
        armor: minion.armor,
        remaining: minion.remaining,
        misses: minion.misses,
        victim: minion.victim,
        marks: minion.marks,
        qualified: minion.qualified,
    };
    let group = |group: &Group| (group.minions.iter().map(minion).collect(), group.withdrawn);
    let combat = phase.combat.as_ref();
    Summary {
        groups: phase.groups.iter().map(group).collect(),
        combat: combat.map(|combat| (combat.groups, combat.round, combat.hostile, combat.ended)),
    }
}

/// Fails at the first difference.
fn compare(engine: &Summary, second: &Summary) {
    assert_eq!(engine.combat, second.combat, "the combat: engine, reference");
    let groups = engine.groups.iter().zip(&second.groups).enumerate();
    for (at, ((engines, withdrawn), (ours, also))) in groups {
        for (nth, (one, other)) in engines.iter().zip(ours).enumerate() {
            let round = engine.combat;
            assert_eq!(one, other, "{round:?}, minion {nth} of group {at}: engine, reference");
        }
        assert_eq!(withdrawn, also, "withdrawn");
    }
}

/// Plays a phase in both implementations, in step, and compares them at the start and after every round.
fn agree(setup: &Setup, groups: Vec<Group>, fights: Vec<[usize; 2]>, stratum: Stratum, seed: u64) {
    let sizes: Vec<usize> = groups.iter().map(|group| group.minions.len()).collect();
    assert!(sizes.iter().all(|&size| size <= GROUP));
    let mut dice = Recorder::new(seed);
    let mut state = Sanctum::start(setup, stratum, &mut dice, &mut Unwatched);
    let mut phase = Phase::start(groups, fights, setup.open_rules(), dice.take());
    phase.dice.finish();
    compare(&of_engine(&state, &sizes), &of_reference(&phase));
    loop {
        let flow = Sanctum::round(setup, &mut state, &mut dice, &mut Unwatched);
        phase.dice = dice.take();
        let outcome = phase.round();
        phase.dice.finish();
        compare(&of_engine(&state, &sizes), &of_reference(&phase));
        let engines: Option<Outcome> = match flow {
            ControlFlow::Break(outcome) => Some(outcome),
            ControlFlow::Continue(()) => None,
        };
        assert_eq!(engines, outcome, "engine, reference");
        if outcome.is_some() {
            return;
        }
    }
}

fn group(company: &Company, player: Player) -> Group {
    Group {
        side: match player {
            Player::Blue => Side(0),
            Player::Red => Side(1),
            Player::Neutral => Side(2),
        },
        minions: company.minions.iter().map(Minion::new).collect(),
        spells: company.effects.clone(),
        dispelled: Vec::new(),
        withdrawn: false,
    }
}

fn duel_agrees(companies: [Company; 2], first: Player, open: OpenRules, seed: u64) {
    let groups = vec![group(&companies[0], Player::Blue), group(&companies[1], Player::Red)];
    let names = generate::names();
    let setup = Setup::of_duels(companies.to_vec(), names, &[[0, 1]], First::Always(first));
    let setup = setup.with_open_rules(open);
    let fight = if first == Player::Blue { [0, 1] } else { [1, 0] };
    agree(&setup, groups, vec![fight], Stratum { matchup: 0, condition: 0 }, seed);
}

fn phase_agrees(companies: Vec<Company>, board: Board, open: OpenRules, seed: u64) {
    let players = board.groups.iter().map(|placed| placed.player);
    let groups: Vec<Group> = companies.iter().zip(players).map(|(c, p)| group(c, p)).collect();
    let fights = [Player::Blue, Player::Red].map(|first| map::all_combats(&board, first));
    let setup = Setup::of_map(companies, generate::names(), board, First::Either);
    let setup = setup.with_open_rules(open);
    for (condition, fights) in (0..).zip(fights) {
        let stratum = Stratum { matchup: 0, condition };
        let engines = setup.schedule(stratum).iter();
        let engines: Vec<[usize; 2]> =
            engines.map(|fight| [fight.high, fight.low].map(usize::from)).collect();
        assert_eq!(engines, fights, "who fights whom: engine, reference");
        agree(&setup, groups.clone(), fights, stratum, seed);
    }
}

/// Reads the minions of a line such as `2 Zealot@3`.
fn minions(line: &str) -> Vec<Minion> {
    let (number, rest) = line.split_once(' ').expect("a number and a name");
    let (name, level) = rest.split_once('@').expect("a name and a level");
    let mut minion = generate::minion(name);
    minion.level = level.parse().expect("a level");
    vec![Minion::new(&minion); number.parse().expect("a number")]
}

/// Plays one match-up of a scenario in both implementations, with either side in precedence. The match-ups are side A's
/// group against each of side B's.
fn scenario_agrees(text: &str, matchup: u32, seed: u64) {
    let document = Document::new("made up.toml", text.to_owned(), Folder::Disk("nowhere".into()));
    let setup = load::<Sanctum>(&document).expect("a sound scenario").setup;
    let read: toml::Table = text.parse().expect("it was loaded");
    let group = |name: &toml::Value, side: u8| {
        let groups = read["groups"].as_array().expect("groups");
        let group = groups.iter().find(|group| group["name"] == *name).expect("a group");
        let lines = group["minions"].as_array().expect("minions");
        let lines = lines.iter().map(|line| line.as_str().expect("a line"));
        let minions = lines.flat_map(minions).collect();
        let (spells, dispelled) = (Vec::new(), Vec::new());
        Group { side: Side(side), minions, spells, dispelled, withdrawn: false }
    };
    let groups =
        vec![group(&read["sides"]["a"][0], 0), group(&read["sides"]["b"][matchup as usize], 1)];
    for condition in 0..2 {
        let fight = if condition == 0 { [0, 1] } else { [1, 0] };
        agree(&setup, groups.clone(), vec![fight], Stratum { matchup, condition }, seed);
    }
}

proptest! {
    #![proptest_config(crate::reference::tries(2000))]

    #[test]
    fn duels_of_plain_minions(
        a in generate::company(generate::plain_minion(), 8),
        b in generate::company(generate::plain_minion(), 8),
        first in generate::first(),
        open in generate::open_rules(),
        seed: u64,
    ) {
        duel_agrees([a, b], first, open, seed);
    }

    #[test]
    fn duels_of_the_catalogue(
        a in generate::company(generate::catalogue_minion(), 8),
        b in generate::company(generate::catalogue_minion(), 8),
        first in generate::first(),
        open in generate::open_rules(),
        seed: u64,
    ) {
        duel_agrees([a, b], first, open, seed);
    }

    #[test]
    fn duels_with_any_effects(
        a in generate::company(generate::enchanted_minion(), 4),
        b in generate::company(generate::enchanted_minion(), 4),
        first in generate::first(),
        open in generate::open_rules(),
        seed: u64,
    ) {
        duel_agrees([a, b], first, open, seed);
    }

    #[test]
    fn phases_on_a_map(
        (companies, board) in generate::map(),
        open in generate::open_rules(),
        seed: u64,
    ) {
        phase_agrees(companies, board, open, seed);
    }
    #[test]
    fn made_up_scenarios(text in crate::made_up::sanctum(), matchup in 0..2u32, seed: u64) {
        scenario_agrees(&text, matchup, seed);
    }
}
