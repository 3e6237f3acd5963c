//! Laws of Sanctum that hold for every combat and every run.

use evens::chance::Seeded;
use evens::game::{Outcome, Side, Stratum, Unwatched, Watch, play};
use evens::games::sanctum::Sanctum;
use evens::games::sanctum::activity;
use evens::games::sanctum::catalogue::Catalogue;
use evens::games::sanctum::effect::{
    Effect, Harm, Lasts, Stat, Target, Trigger, Verb, Weapon, fits,
};
use evens::games::sanctum::event::{DamageResult, Event};
use evens::games::sanctum::open_rules::{KillEstimate, OpenRules};
use evens::games::sanctum::rules::check_for_all_combats::{Board, Placed, Square};
use evens::games::sanctum::setup::{Company, First, Profile, Setup};
use evens::games::sanctum::state::{GROUP, Place, Places, Player, Precedence, State};
use evens::walk as exact;
use proptest::prelude::*;
use strum::IntoEnumIterator as _;

use super::exact as laws;

const STRATUM: Stratum = Stratum { matchup: 0, condition: 0 };

/// Checks what must be true of every state, after every event.
#[derive(Default)]
struct Invariants {
    round: u8,
    /// How often each effect did something.
    activity: Vec<u64>,
}

impl Watch<Sanctum> for Invariants {
    fn see(&mut self, setup: &Setup, state: &State, event: Event) {
        self.activity.resize(activity::labels(setup).len(), 0);
        activity::note(setup, state, event, &mut self.activity);
        assert!(state.present.and(state.away).is_empty(), "{event:?}");
        for who in state.present {
            let minion = state.at(who);
            assert!(minion.hit_points <= minion.max_hit_points, "{event:?}");
            assert!(minion.armor >= 0 && minion.stats.level <= 5, "{event:?}");
            if let Some(victim) = state.victim(who) {
                assert_ne!(victim.precedence(), who.precedence(), "{event:?}");
            }
        }
        match event {
            Event::Combat => self.round = 0,
            Event::Round(number) => {
                assert_eq!(number, self.round + 1, "rounds follow each other");
                assert!(number <= 10);
                self.round = number;
                for who in state.present {
                    assert!(state.at(who).hit_points > 0, "nobody lives on at no hit points");
                }
                let everywhere = Places::of(Precedence::High).or(Places::of(Precedence::Low));
                for who in everywhere.without(state.present) {
                    let gone = state.at(who);
                    let left = (gone.armor, gone.attacks, gone.misses, gone.victim);
                    assert_eq!(left, (0, 0, 0, Place::NONE), "nothing is kept of who is gone");
                    assert_eq!(gone.stats, gone.for_good);
                }
            }
            Event::Blow(blow) => {
                assert!(blow.to_armor >= 0 && blow.to_hit_points >= 0 && blow.overkill >= 0);
                assert_eq!(blow.to_armor + blow.to_hit_points + blow.overkill, blow.power);
                assert_eq!(
                    blow.result == DamageResult::Bounced,
                    blow.to_hit_points + blow.overkill == 0
                );
            }
            Event::Chooses { who, victim, .. } => {
                assert!(state.present.has(who) && state.present.has(victim));
            }
            Event::Forfeits(who) => {
                assert!(!state.shooters.has(who), "a shooter with enemies always has a victim");
            }
            Event::CombatOver => {
                let left = Precedence::BOTH.map(|precedence| !state.group(precedence).is_empty());
                let halted = !state.hostile || state.ended || state.withdrawn != [false; 2];
                assert!(left != [true; 2] || halted || state.round == 10);
            }
            _ => {}
        }
    }
}

/// Any minion of the catalogue under any spells that are allowed on it.
fn any_minion() -> impl Strategy<Value = Profile> {
    let catalogue = Catalogue::new(&Default::default());
    let minions = catalogue.minions.clone();
    let spells = prop::collection::vec(prop::sample::select(catalogue.spells), 0..=2);
    (prop::sample::select(minions), spells, 0..=5u8).prop_map(|(mut minion, spells, level)| {
        minion.level = level;
        for spell in spells {
            if !spell.on_group && spell.can_be_on(&minion) {
                spell.cast_on(&mut minion);
            }
        }
        // A scenario in which spells leave a minion no hit points is at fault.
        minion.hit_points = minion.hit_points.max(1 + minion.wounds);
        minion
    })
}

/// Any effect that a scenario can state, sometimes with numbers at their extremes.
fn any_effect() -> impl Strategy<Value = Effect> {
    let pairs: Vec<(Trigger, Verb)> = Trigger::iter()
        .flat_map(|when| Verb::iter().map(move |does| (when, does)))
        .filter(|&(when, does)| fits(when, does))
        .collect();
    let stats =
        vec![Stat::Hand, Stat::Missile, Stat::Armor, Stat::Attacks, Stat::Level, Stat::HitPoints];
    let targets = vec![
        Target::Bearer,
        Target::Foe,
        Target::Comrades,
        Target::Group,
        Target::Enemies,
        Target::Everybody,
    ];
    let amount = prop_oneof![4 => 1..5i8, 1 => prop::sample::select(vec![-100, -3, 0, 100])];
    let lasts = prop::sample::select(vec![Lasts::Round, Lasts::Combat, Lasts::Forever]);
    let harm = prop::sample::select(vec![Harm::Plain, Harm::IgnoresArmor, Harm::Magical]);
    let weapon = prop::sample::select(vec![None, Some(Weapon::Hand), Some(Weapon::Missile)]);
    let percent = prop_oneof![2 => Just(100u8), 1 => 1..100u8];
    (
        (prop::sample::select(pairs), amount, prop::sample::select(stats), percent),
        (prop::sample::select(targets), lasts, harm, weapon),
        (0..3u8, 0..3u8, 1..=10u8, any::<bool>()),
    )
        .prop_map(|((pair, amount, stat, percent), (on, lasts, harm, weapon), more)| {
            let (when, does) = pair;
            let (at_most, if_marks, first, per_armor) = more;
            let amount = if does.needs_positive() { amount.max(1) } else { amount };
            Effect {
                amount,
                stat,
                percent,
                on: if when.has_foe() { on } else { Target::Enemies },
                lasts,
                harm,
                weapon,
                at_most,
                if_marks,
                rounds: (first, u8::MAX),
                per_armor,
                ..Effect::new(when, does)
            }
        })
}

/// Minions with any effects at all.
fn any_enchanted(name: &'static str, most: usize) -> impl Strategy<Value = Company> {
    let effects = prop::collection::vec(any_effect(), 0..=6);
    let minion = (any_minion(), effects).prop_map(|(mut minion, effects)| {
        let counted = minion.effects.iter().filter(|effect| effect.at_most > 0).count();
        assert!(counted <= 2, "room for six more");
        minion.effects.extend(effects);
        minion
    });
    prop::collection::vec(minion, 1..=most).prop_map(move |minions| Company {
        name: name.to_owned(),
        minions,
        effects: Vec::new(),
    })
}

fn any_company(name: &'static str, most: usize) -> impl Strategy<Value = Company> {
    prop::collection::vec(any_minion(), 1..=most).prop_map(move |minions| Company {
        name: name.to_owned(),
        minions,
        effects: Vec::new(),
    })
}

fn duel(a: Company, b: Company) -> Setup {
    let names = Catalogue::new(&Default::default()).names;
    Setup::of_duels(vec![a, b], names, &[[0, 1]], First::Always(Player::Blue))
}

/// A phase with this many groups of three players, close together.
fn any_phase(
    groups: std::ops::RangeInclusive<usize>,
    company: impl Strategy<Value = Company>,
) -> impl Strategy<Value = Setup> {
    let players = prop::sample::select(vec![Player::Blue, Player::Red, Player::Neutral]);
    let group = (players, company);
    (prop::collection::vec(group, groups), any::<bool>()).prop_map(|(groups, blue)| {
        let mut placed = Vec::new();
        let mut companies = Vec::new();
        for (at, (player, company)) in groups.into_iter().enumerate() {
            let square = Square { column: (at % 3) as i8, row: (at / 3) as i8 };
            placed.push(Placed { player, square, created: at as u32 });
            companies.push(company);
        }
        let board = Board { groups: placed, neutrals_at_peace: false, seen_by: Player::Blue };
        let first = First::Always(if blue { Player::Blue } else { Player::Red });
        Setup::of_map(companies, Catalogue::new(&Default::default()).names, board, first)
    })
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(300))]

    #[test]
    fn every_combat_keeps_its_invariants_and_ends(
        a in any_company("A", GROUP), b in any_company("B", GROUP), seed: u64,
    ) {
        let setup = duel(a, b);
        let mut dice = Seeded::from_seed(seed);
        let watched =
            play::<Sanctum, _, _>(&setup, STRATUM, &mut dice, &mut Invariants::default());
        prop_assert!(watched.rounds <= 10);
        let left = [0, 1].map(|group: usize| watched.state.groups[group].stands());
        let expected = match left {
            [true, true] => Outcome::Undecided,
            [false, false] => Outcome::Draw,
            [a, _] => Outcome::Win(if a { Side::A } else { Side::B }),
        };
        prop_assert_eq!(watched.outcome, expected);
        let mut dice = Seeded::from_seed(seed);
        let unwatched = play::<Sanctum, _, _>(&setup, STRATUM, &mut dice, &mut Unwatched);
        prop_assert_eq!(watched.state, unwatched.state);
    }

    #[test]
    fn any_effects_come_to_an_end(
        a in any_enchanted("A", 5), b in any_enchanted("B", 5), seed: u64,
    ) {
        let mut dice = Seeded::from_seed(seed);
        let ended = play::<Sanctum, _, _>(&duel(a, b), STRATUM, &mut dice, &mut Unwatched);
        prop_assert!(ended.rounds <= 10);
    }

    #[test]
    fn every_phase_keeps_its_invariants_and_fights_no_pair_twice(
        setup in any_phase(5..=9, any_company("G", 3)), seed: u64,
    ) {
        let mut dice = Seeded::from_seed(seed);
        let ended = play::<Sanctum, _, _>(&setup, STRATUM, &mut dice, &mut Invariants::default());
        let schedule = setup.schedule(STRATUM);
        prop_assert_eq!(usize::from(ended.state.combats), schedule.len());
        let mut pairs: Vec<(u8, u8)> = schedule
            .iter()
            .map(|fight| (fight.high.min(fight.low), fight.high.max(fight.low)))
            .collect();
        pairs.sort_unstable();
        pairs.dedup();
        prop_assert_eq!(pairs.len(), schedule.len());
    }

    /// Nothing but precedence tells the two groups apart: whichever side has it, each group has the same odds.
    #[test]
    fn the_odds_belong_to_precedence_and_not_to_the_side(
        a in any_company("A", 2), b in any_company("B", 2),
    ) {
        let names = Catalogue::new(&Default::default()).names;
        let companies = vec![a, b];
        let straight = Setup::of_duels(
            companies.clone(), names.clone(), &[[0, 1]], First::Always(Player::Blue),
        );
        let exchanged =
            Setup::of_duels(companies, names, &[[1, 0]], First::Always(Player::Red));
        let (Ok(one), Ok(other)) = (
            exact::outcomes::<Sanctum>(&straight, STRATUM, 5_000),
            exact::outcomes::<Sanctum>(&exchanged, STRATUM, 5_000),
        ) else {
            return Err(TestCaseError::reject("too many states"));
        };
        for (side, seat) in [(Side::A, Side::B), (Side::B, Side::A)] {
            prop_assert_eq!(one.get(&Outcome::Win(side)), other.get(&Outcome::Win(seat)));
        }
        prop_assert_eq!(one.get(&Outcome::Draw), other.get(&Outcome::Draw));
    }
}

/// A duel of a few minions, some of them with any effects at all, or a phase of a few small groups.
fn any_small() -> impl Strategy<Value = Setup> {
    let enchanted = |name| any_enchanted(name, 2);
    let setups = prop_oneof![
        2 => (any_company("A", 3), any_company("B", 3)).prop_map(|(a, b)| duel(a, b)),
        2 => (enchanted("A"), enchanted("B")).prop_map(|(a, b)| duel(a, b)),
        1 => any_phase(2..=3, any_company("G", 1)),
    ];
    let estimates = vec![KillEstimate::Chosen, KillEstimate::ShootersTogether];
    (setups, prop::sample::select(estimates), any::<bool>()).prop_map(
        |(setup, kill_estimate, cancelled_kills)| {
            setup.with_open_rules(OpenRules { kill_estimate, cancelled_kills })
        },
    )
}

#[test]
fn merging_states_changes_no_odds() {
    laws::merging_changes_nothing::<Sanctum>(any_small(), 80, 30);
}

#[test]
fn packing_a_state_loses_nothing() {
    let phase = any_phase(2..=4, any_enchanted("G", 3));
    laws::packing_loses_nothing::<Sanctum>(prop_oneof![any_small(), phase], 512);
}

#[test]
fn bounds_of_exact_odds_hold() {
    laws::bounds_hold::<Sanctum>(any_small(), 40);
}

#[test]
fn sampled_results_lie_around_the_exact_ones() {
    laws::sampled_results_lie_around_the_exact_ones::<Sanctum>(any_small(), 80);
}

#[test]
fn a_set_of_places_is_a_set() {
    let all = Places::of(Precedence::High).or(Places::of(Precedence::Low));
    assert_eq!((all.len(), all.nth(15).0, all.count()), (16, 15, 16));
}
