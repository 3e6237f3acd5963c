//! Laws of Splinterlands battles.

use evens::Scenario;
use evens::chance::{Every, Seeded};
use evens::game::{Outcome, Side, Stratum, Unwatched, Watch, play};
use evens::games::splinterlands::ability::Ability;
use evens::games::splinterlands::event::Event;
use evens::games::splinterlands::legal::{League, faults_in_battle, faults_of_team};
use evens::games::splinterlands::ruleset::{Ruleset, Rulesets};
use evens::games::splinterlands::setup::{CardAt, LineUp, Setup};
use evens::games::splinterlands::state::{Places, State};
use evens::games::splinterlands::{Splinterlands, bundled};
use evens::scenario::{Document, Folder, Loaded, load};
use evens::walk as exact;
use num_rational::BigRational;
use num_traits::{One, Zero};
use proptest::prelude::*;

use super::{bundled_scenario, exact as laws, played};

fn scenario(text: &str) -> Loaded<Setup> {
    let head = "game = \"splinterlands\"\nbattles = 10\n";
    let document = Document::new("law.toml", format!("{head}{text}"), Folder::Disk("".into()));
    load::<Splinterlands>(&document).unwrap()
}

/// Checks what must be true of every state, after every event.
struct Invariants;

impl Watch<Splinterlands> for Invariants {
    fn see(&mut self, _: &Setup, state: &State, event: Event) {
        for place in state.alive {
            let monster = state.at(place);
            let now = &monster.now;
            assert!(state.fielded.has(place));
            assert!(now.health <= monster.max_health, "{event:?}");
            assert!((0..=monster.max_armor).contains(&now.armor), "{event:?}");
            assert!(monster.max_health >= 1 && now.speed >= 0);
            assert_eq!(now.melee > 0, monster.base.melee > 0);
            assert_eq!(now.ranged > 0, monster.base.ranged > 0);
            assert_eq!(now.magic > 0, monster.base.magic > 0);
        }
        assert!(state.waiting.without(state.alive).is_empty());
        assert!(state.stunned.without(state.alive).is_empty());
        assert!(state.poisoned.without(state.alive).is_empty());
        match event {
            Event::Turn { who, .. } => {
                for place in state.alive {
                    assert!(state.at(place).now.health > 0, "nobody lives on at no health");
                }
                assert!(state.alive.has(who));
            }
            Event::Blow(blow) => assert!(blow.to_armor >= 0 && blow.to_health >= 0),
            _ => {}
        }
    }
}

fn any_team() -> impl Strategy<Value = LineUp> {
    let summoners: Vec<u16> = of_kind(evens::games::splinterlands::cards::CardKind::Summoner);
    let monsters: Vec<u16> = of_kind(evens::games::splinterlands::cards::CardKind::Monster);
    let monster = (prop::sample::select(monsters), 1..=10u8);
    let monsters = prop::collection::vec(monster, 1..=6);
    (prop::sample::select(summoners), monsters).prop_map(|(summoner, monsters)| LineUp {
        summoner: CardAt { card: summoner, level: 1 },
        monsters: monsters
            .into_iter()
            .map(|(card, level)| {
                let levels = bundled().cards[usize::from(card)].levels.len() as u8;
                CardAt { card, level: level.min(levels) }
            })
            .collect(),
    })
}

fn of_kind(kind: evens::games::splinterlands::cards::CardKind) -> Vec<u16> {
    let cards = bundled().cards.iter().enumerate();
    cards.filter(|(_, card)| card.kind == kind).map(|(at, _)| at as u16).collect()
}

fn any_rulesets() -> impl Strategy<Value = Rulesets> {
    let pairs: Vec<Rulesets> = evens::games::splinterlands::draw::draws(&Default::default())
        .unwrap()
        .into_iter()
        .map(|(rulesets, _)| rulesets)
        .collect();
    prop::sample::select(pairs)
}

const STRATUM: Stratum = Stratum { matchup: 0, condition: 0 };

proptest! {
    #![proptest_config(ProptestConfig::with_cases(400))]

    #[test]
    fn every_battle_keeps_its_invariants_and_ends(
        a in any_team(), b in any_team(), rulesets in any_rulesets(), seed: u64,
    ) {
        let setup = Setup::of_teams(bundled().clone(), rulesets, [a, b]);
        let mut chance = Seeded::from_seed(seed);
        let ended = play::<Splinterlands, _, _>(&setup, STRATUM, &mut chance, &mut Invariants);
        prop_assert!(ended.rounds <= 50);
        let left = [Side::A, Side::B].map(|side| !ended.state.team(side).is_empty());
        match ended.outcome {
            Outcome::Win(side) => prop_assert_eq!(left, [side == Side::A, side == Side::B]),
            Outcome::Draw => prop_assert!(left == [false, false] || ended.rounds == 50),
            Outcome::Undecided => prop_assert!(false, "every battle is decided or drawn"),
        }
    }

    #[test]
    fn a_battle_is_the_same_watched_or_not(
        a in any_team(), b in any_team(), rulesets in any_rulesets(), seed: u64,
    ) {
        let setup = Setup::of_teams(bundled().clone(), rulesets, [a, b]);
        let unwatched = play::<Splinterlands, _, _>(
            &setup, STRATUM, &mut Seeded::from_seed(seed), &mut Unwatched,
        );
        let watched = play::<Splinterlands, _, _>(
            &setup, STRATUM, &mut Seeded::from_seed(seed), &mut Invariants,
        );
        prop_assert_eq!(unwatched.state, watched.state);
        prop_assert_eq!(unwatched.outcome, watched.outcome);
    }

    /// Except for poison and fatigue, which strike side A first, nothing in a battle depends on which side is which.
    #[test]
    fn exchanging_the_sides_exchanges_the_odds_of_small_battles(a in any_team(), b in any_team()) {
        let rulesets = Rulesets::from(Ruleset::Standard);
        let odds = |one: &LineUp, other: &LineUp| {
            let setup = Setup::of_teams(bundled().clone(), rulesets, [cut(one, 1), cut(other, 1)]);
            exact::distribution::<Splinterlands, _>(&setup, STRATUM, 20_000, |ended| {
                let poison = ended.state.field.iter().any(|m| m.has(Ability::Poison));
                let fair = ended.rounds <= 20 && !poison;
                (fair, ended.outcome)
            })
        };
        let (Ok(straight), Ok(exchanged)) = (odds(&a, &b), odds(&b, &a)) else {
            return Err(TestCaseError::reject("too many states"));
        };
        for (one, other) in [(Side::A, Side::B), (Side::B, Side::A)] {
            let (one, other) = ((true, Outcome::Win(one)), (true, Outcome::Win(other)));
            prop_assert_eq!(straight.get(&one), exchanged.get(&other));
        }
        let draw = (true, Outcome::Draw);
        prop_assert_eq!(straight.get(&draw), exchanged.get(&draw));
    }
}

/// The first monsters of a team.
fn cut(team: &LineUp, monsters: usize) -> LineUp {
    let monsters = team.monsters.iter().take(monsters).copied().collect();
    LineUp { monsters, ..team.clone() }
}

/// Two monsters against two under any rulesets.
fn any_small() -> impl Strategy<Value = Setup> {
    (any_team(), any_team(), any_rulesets()).prop_map(|(a, b, rulesets)| {
        Setup::of_teams(bundled().clone(), rulesets, [cut(&a, 2), cut(&b, 2)])
    })
}

#[test]
fn merging_states_changes_no_odds() {
    laws::merging_changes_nothing::<Splinterlands>(any_small(), 40, 15);
}

#[test]
fn packing_a_state_loses_nothing() {
    laws::packing_loses_nothing::<Splinterlands>(any_small(), 32);
}

#[test]
fn bounds_of_exact_odds_hold() {
    laws::bounds_hold::<Splinterlands>(any_small(), 30);
}

#[test]
fn sampled_results_lie_around_the_exact_ones() {
    laws::sampled_results_lie_around_the_exact_ones::<Splinterlands>(any_small(), 60);
}

// Drawn teams

/// Every team that a small pool can draw, with its exact probability.
fn every_team(policy: &str, extra: &str) -> Vec<(Vec<String>, BigRational)> {
    let loaded = scenario(&format!(
        "mana_caps = [20]\nleague = \"novice\"\n[rulesets]\nfixed = [\"Standard\"]\n\
         [[pools]]\nname = \"P\"\npolicy = \"{policy}\"\nsummoners = [\"Malric Inferno\"]\n\
         monsters = [\"Goblin Shaman\", \"Kobold Miner\", \"Fire Beetle\", \"Pit Ogre\", \"Giant Roc\", \
         \"Cerberus\", \"Fire Demon\", \"Serpentine Soldier\"]\n{extra}\n[sides]\na = [\"P\"]\nb = [\"P\"]\n"
    ));
    let pool = loaded.setup.pool(0).expect("a pool");
    let mut every = Every::new();
    let mut teams: std::collections::BTreeMap<Vec<String>, BigRational> = Default::default();
    loop {
        let team = pool.draw(0, 0, &mut every);
        let mut names: Vec<String> = team
            .monsters
            .iter()
            .map(|&card| loaded.setup.catalogue().card(card).name.clone())
            .collect();
        names.sort();
        *teams.entry(names).or_insert_with(BigRational::zero) += every.probability();
        if !every.advance() {
            break;
        }
    }
    assert!(teams.values().sum::<BigRational>().is_one());
    teams.into_iter().collect()
}

fn cost(team: &[String]) -> u32 {
    let mana = |name: &String| bundled().cards[usize::from(bundled().find(name).unwrap())].mana;
    team.iter().map(|name| u32::from(mana(name))).sum()
}

#[test]
fn a_uniform_pool_draws_every_legal_set_of_the_largest_size_equally_often() {
    let teams = every_team("uniform", "");
    let size = teams[0].0.len();
    assert!(
        teams
            .iter()
            .all(|(team, odds)| { team.len() == size && cost(team) <= 17 && *odds == teams[0].1 })
    );
    // Counted another way: all sets of the largest size that fits within 20 - 3 mana.
    let mana = [3, 2, 3, 6, 5, 4, 4, 5];
    let within = |size: u32| {
        (0u32..1 << mana.len())
            .filter(|set| set.count_ones() == size)
            .filter(|set| {
                (0..8).filter(|at| set >> at & 1 == 1).map(|at| mana[at]).sum::<u32>() <= 17
            })
            .count()
    };
    assert_eq!((within(size as u32), within(size as u32 + 1)), (teams.len(), 0));
}

#[test]
fn a_weighted_pool_draws_sets_in_proportion_to_the_product_of_weights() {
    let teams = every_team("weighted", "weights = { \"Cerberus\" = 3 }");
    let plain = every_team("uniform", "");
    assert_eq!(teams.len(), plain.len());
    let with = teams.iter().find(|(team, _)| team.contains(&"Cerberus".to_owned())).unwrap();
    let without = teams.iter().find(|(team, _)| !team.contains(&"Cerberus".to_owned())).unwrap();
    assert_eq!(&with.1 / &without.1, BigRational::from_integer(3.into()));
}

#[test]
fn a_filling_pool_draws_only_sets_that_cost_the_most() {
    let most = every_team("uniform", "").iter().map(|(team, _)| cost(team)).max().unwrap();
    let filled = every_team("fill", "");
    assert!(filled.iter().all(|(team, odds)| cost(team) == most && *odds == filled[0].1));
    let within_one = every_team("fill", "fill_within = 1");
    assert!(within_one.iter().all(|(team, _)| cost(team) + 1 >= most));
    assert!(within_one.iter().any(|(team, _)| cost(team) + 1 == most));
}

#[test]
fn drawn_teams_are_always_legal() {
    let loaded = bundled_scenario::<Splinterlands>("splinterlands/drawn-teams");
    let setup = &loaded.setup;
    let pool = setup.pool(0).expect("a pool");
    let mut chance = Seeded::from_seed(5);
    let mut factions = std::collections::BTreeSet::new();
    for draw in 0..20_000 {
        let condition = draw % setup.conditions().len();
        let cap = draw % setup.mana_caps().len();
        let team = pool.draw(condition, cap, &mut chance);
        assert!(!team.monsters.is_empty());
        let rulesets = setup.conditions()[condition].0;
        let wrong = faults_of_team(setup.catalogue(), &team, League::Silver);
        assert_eq!(wrong, [], "{team:?}");
        let wrong = faults_in_battle(setup.catalogue(), &team, rulesets, setup.mana_caps()[cap]);
        assert_eq!(wrong, [], "{team:?}");
        factions.insert(setup.catalogue().card(team.summoner).faction);
    }
    assert_eq!(factions.len(), 6, "every faction leads");
    assert_eq!(Places::of(Side::B).len(), 6);
}

#[test]
fn strata_are_drawn_as_often_as_their_exact_odds_say() {
    let scenario = Scenario::read("splinterlands/archetypes").unwrap();
    let layout = scenario.engine().layout();
    let (finished, _) = played(scenario.engine(), 54_000, 2);
    let mut chi_square = 0.0;
    for (at, condition) in layout.conditions.iter().enumerate() {
        let count = finished.tally.count(layout, |_, condition| condition == at).battles as f64;
        let expected = 54_000.0 * condition.probability;
        chi_square += (count - expected).powi(2) / expected;
    }
    assert!(chi_square < 60.0, "chi-square {chi_square} with 26 degrees of freedom");
    let matchups = layout.matchups.len();
    for matchup in 0..matchups {
        let count = finished.tally.count(layout, |m, _| m == matchup);
        assert_eq!(count.battles, 54_000 / matchups as u64);
    }
}
