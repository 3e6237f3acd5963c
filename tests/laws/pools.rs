//! Drawn teams: always legal, and drawn exactly as often as the policy says, held against a count of all sets.

use std::collections::{BTreeMap, BTreeSet};
use std::num::NonZeroU64;
use std::ops::RangeInclusive;

use evens::Scenario;
use evens::batch::{Detail, Plan, run_whole};
use evens::chance::{Chance, Every, Odds, Seeded};
use evens::games::splinterlands::bundled;
use evens::games::splinterlands::cards::{Card, CardKind, Faction};
use evens::games::splinterlands::legal::{League, SPLINTERS, faults_in_battle, faults_of_team};
use evens::games::splinterlands::pool::{Policy, Pool, Positions, Recipe};
use evens::games::splinterlands::rolls::Roll;
use evens::games::splinterlands::ruleset::{Ruleset, Rulesets};
use evens::games::splinterlands::setup::LineUp;
use evens::scenario::{Document, Folder};
use num_rational::BigRational;
use num_traits::{One, ToPrimitive, Zero};
use proptest::prelude::*;
use proptest::sample::{select, subsequence};
use strum::IntoEnumIterator;

/// Indices into the catalogue of the cards that are wanted.
fn cards(wanted: impl Fn(&Card) -> bool) -> Vec<usize> {
    let cards = bundled().cards.iter().enumerate();
    cards.filter(|(_, card)| wanted(card)).map(|(at, _)| at).collect()
}

fn is_monster_of(factions: &[Faction]) -> impl Fn(&Card) -> bool {
    move |card| card.kind == CardKind::Monster && factions.contains(&card.faction)
}

fn weights(cards: impl IntoIterator<Item = (usize, f64)>) -> Vec<f64> {
    let mut weights = vec![0.0; bundled().cards.len()];
    for (card, weight) in cards {
        weights[card] = weight;
    }
    weights
}

/// Every team of the pool with its exact probability, regardless of the order of monsters.
fn every_team(pool: &Pool) -> BTreeMap<BTreeSet<usize>, BigRational> {
    let mut teams = BTreeMap::new();
    let mut every = Every::new();
    loop {
        let team = pool.draw(0, 0, &mut every);
        let cards = team.monsters.iter().map(|monster| usize::from(monster.card)).collect();
        *teams.entry(cards).or_insert_with(BigRational::zero) += every.probability();
        if !every.advance() {
            return teams;
        }
    }
}

/// The same probabilities, worked out by trying every set of the monsters that one summoner can lead: beside dragons and
/// neutral monsters they are of one splinter at most.
fn every_set(recipe: &Recipe, budget: u32) -> BTreeMap<BTreeSet<usize>, f64> {
    let cards = &bundled().cards;
    let monsters: Vec<usize> = (0..cards.len())
        .filter(|&at| cards[at].kind == CardKind::Monster && recipe.weights[at] > 0.0)
        .collect();
    let cost = |set: &BTreeSet<usize>| set.iter().map(|&at| u32::from(cards[at].mana)).sum::<u32>();
    let mut sets: Vec<BTreeSet<usize>> = (1u32..1 << monsters.len())
        .map(|set| {
            (0..monsters.len()).filter(|at| set >> at & 1 == 1).map(|at| monsters[at]).collect()
        })
        .filter(|set: &BTreeSet<usize>| set.len() <= 6 && cost(set) <= budget)
        .filter(|set| {
            let factions = set.iter().map(|&at| cards[at].faction);
            let splinters: BTreeSet<String> = factions
                .filter(|faction| SPLINTERS.contains(faction))
                .map(|faction| faction.to_string())
                .collect();
            splinters.len() <= 1
        })
        .collect();
    let largest = sets.iter().map(BTreeSet::len).max().unwrap_or(0);
    sets.retain(|set| set.len() == largest);
    if recipe.policy == Policy::Fill {
        let highest = sets.iter().map(cost).max().unwrap_or(0);
        sets.retain(|set| cost(set) + u32::from(recipe.fill_within) >= highest);
    }
    let product = |set: &BTreeSet<usize>| set.iter().map(|&at| recipe.weights[at]).product::<f64>();
    let all: f64 = sets.iter().map(product).sum();
    sets.into_iter().map(|set| (set.clone(), product(&set) / all)).collect()
}

fn rulesets() -> impl Strategy<Value = Rulesets> {
    let all: Vec<Ruleset> = Ruleset::iter().collect();
    subsequence(all, 0..=2).prop_map(|rulesets| rulesets.into_iter().collect())
}

fn recipe(weights: Vec<f64>) -> impl Strategy<Value = Recipe> {
    let policies = select(vec![Policy::Weighted, Policy::Fill]);
    let positions = select(vec![Positions::Roles, Positions::Random]);
    let leagues = select(vec![League::Novice, League::Bronze, League::Silver, League::Gold]);
    (policies, 0u8..3, positions, leagues).prop_map(
        move |(policy, fill_within, positions, league)| Recipe {
            weights: weights.clone(),
            policy,
            fill_within,
            positions,
            league,
        },
    )
}

/// A recipe with Malric and up to nine monsters that he can lead, whose weights are numbers of this range divided by
/// `by`.
fn small_recipe(weights_from: RangeInclusive<u32>, by: f64) -> impl Strategy<Value = Recipe> {
    recipe_of("Malric Inferno", &[Faction::Fire, Faction::Neutral], weights_from, by)
}

/// The same with a dragon summoner, who also costs three mana, and monsters of several splinters, of which she leads one
/// at a time.
fn dragon_recipe(weights_from: RangeInclusive<u32>, by: f64) -> impl Strategy<Value = Recipe> {
    let factions =
        [Faction::Dragon, Faction::Neutral, Faction::Fire, Faction::Water, Faction::Death];
    recipe_of("Selenia Sky", &factions, weights_from, by)
}

fn recipe_of(
    summoner: &str,
    factions: &[Faction],
    weights_from: RangeInclusive<u32>,
    by: f64,
) -> impl Strategy<Value = Recipe> + use<> {
    let leader = usize::from(bundled().find(summoner).unwrap());
    let monsters = cards(is_monster_of(factions));
    let weight = weights_from.prop_map(move |weight| f64::from(weight) / by);
    let pool = (subsequence(monsters, 1..=9), prop::collection::vec(weight, 9));
    pool.prop_flat_map(move |(monsters, given)| {
        let all = monsters.into_iter().zip(given).chain([(leader, 1.0)]);
        // With random positions, every team would be walked in up to six factorial orders.
        recipe(weights(all)).prop_map(|recipe| Recipe { positions: Positions::Roles, ..recipe })
    })
}

fn lawful(
    team: &LineUp,
    recipe: &Recipe,
    rulesets: Rulesets,
    cap: u8,
) -> Result<(), TestCaseError> {
    prop_assert_eq!(faults_of_team(bundled(), team, recipe.league), []);
    prop_assert_eq!(faults_in_battle(bundled(), team, rulesets, cap), []);
    prop_assert!(!team.monsters.is_empty());
    let weights = team.monsters.iter().map(|monster| recipe.weights[usize::from(monster.card)]);
    prop_assert!(weights.fold(recipe.weights[usize::from(team.summoner.card)], f64::min) > 0.0);
    Ok(())
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(60))]

    #[test]
    fn sets_are_drawn_in_proportion_to_the_product_of_whole_weights_exactly(
        recipe in prop_oneof![small_recipe(1..=30, 1.0), dragon_recipe(1..=30, 1.0)],
        cap in 3u8..40,
    ) {
        let Ok(pool) = Pool::new(bundled(), &recipe, &[Rulesets::empty()], &[cap]) else {
            prop_assert!(every_set(&recipe, u32::from(cap) - 3).is_empty());
            return Ok(());
        };
        let drawn = every_team(&pool);
        let counted = every_set(&recipe, u32::from(cap) - 3);
        prop_assert!(drawn.keys().eq(counted.keys()));
        prop_assert!(drawn.values().sum::<BigRational>().is_one());
        // The products are whole numbers, so a ratio of two probabilities is exactly a ratio of them.
        let product = |set: &BTreeSet<usize>| -> BigRational {
            let weights = set.iter().map(|&at| BigRational::from_float(recipe.weights[at]).unwrap());
            weights.product()
        };
        let (first, odds) = drawn.iter().next().unwrap();
        for (set, other) in &drawn {
            prop_assert_eq!(other * product(first), odds * product(set));
        }
    }

    #[test]
    fn decimal_weights_are_drawn_to_more_digits_than_any_run_can_see(
        recipe in prop_oneof![small_recipe(1..=30, 7.0), dragon_recipe(1..=30, 7.0)],
        cap in 3u8..40,
    ) {
        let Ok(pool) = Pool::new(bundled(), &recipe, &[Rulesets::empty()], &[cap]) else {
            return Ok(());
        };
        let counted = every_set(&recipe, u32::from(cap) - 3);
        for (set, odds) in every_team(&pool) {
            prop_assert!((odds.to_f64().unwrap() / counted[&set] - 1.0).abs() < 1e-9);
        }
    }

    #[test]
    fn teams_of_any_pool_under_any_rulesets_are_legal(
        recipe in (prop::collection::vec(select(vec![0.0, 0.0, 0.001, 0.3, 1.0, 1000.0]), bundled().cards.len()))
            .prop_flat_map(recipe),
        rulesets in prop::collection::vec(rulesets(), 1..4),
        caps in prop::collection::vec(3u8..=99, 1..3),
        seed: u64,
    ) {
        let Ok(pool) = Pool::new(bundled(), &recipe, &rulesets, &caps) else { return Ok(()) };
        let mut dice = Seeded::from_seed(seed);
        for (condition, &rulesets) in rulesets.iter().enumerate() {
            for (at, &cap) in caps.iter().enumerate() {
                for _ in 0..20 {
                    lawful(&pool.draw(condition, at, &mut dice), &recipe, rulesets, cap)?;
                }
            }
        }
    }
}

/// A source of chance that answers every request for a number with this one, and throws no dice.
struct Numbered {
    number: u64,
    /// The exclusive upper bound of the number when it was last asked for.
    bound: u64,
}

impl Chance<Roll> for Numbered {
    fn draw(&mut self, roll: Roll, odds: Odds<'_>) -> u32 {
        panic!("{roll:?} {odds:?}: one number is all there is to draw")
    }

    fn number_below(&mut self, _: Roll, bound: u64) -> Option<u64> {
        self.bound = bound;
        Some(self.number)
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(60))]

    /// Numbers stand for sets as if all sets were listed, each as often as the product of its weights.
    #[test]
    fn every_set_has_as_many_numbers_as_its_weight(recipe in small_recipe(1..=3, 1.0), cap in 3u8..40) {
        let Ok(pool) = Pool::new(bundled(), &recipe, &[Rulesets::empty()], &[cap]) else {
            return Ok(());
        };
        let mut numbers = BTreeMap::<BTreeSet<usize>, u64>::new();
        let mut dice = Numbered { number: 0, bound: 1 };
        while dice.number < dice.bound {
            let team = pool.draw(0, 0, &mut dice);
            let cards: BTreeSet<usize> =
                team.monsters.iter().map(|monster| usize::from(monster.card)).collect();
            prop_assert_eq!(cards.len(), team.monsters.len());
            *numbers.entry(cards).or_default() += 1;
            dice.number += 1;
        }
        let product = |set: &BTreeSet<usize>| -> f64 {
            set.iter().map(|&at| recipe.weights[at]).product()
        };
        prop_assert!(numbers.keys().eq(every_set(&recipe, u32::from(cap) - 3).keys()));
        for (set, count) in numbers {
            prop_assert_eq!(count as f64, product(&set));
        }
    }
}

/// Daria leads the same cards as a summoner of their faction would: with one dragon more, teams are as large and as dear,
/// and a splinter of which the pool has no card is not led.
#[test]
fn a_dragon_summoner_leads_the_largest_and_dearest_sets_there_are() {
    let names = [
        ("Daria Dragonscale", Faction::Dragon),
        ("Red Dragon", Faction::Dragon),
        ("Goblin Shaman", Faction::Fire),
        ("Kobold Miner", Faction::Fire),
        ("Fire Beetle", Faction::Fire),
        ("Spineback Turtle", Faction::Water),
    ];
    let all = names.map(|(name, faction)| {
        let at = usize::from(bundled().find(name).expect(name));
        assert_eq!(bundled().cards[at].faction, faction, "{name}");
        (at, 1.0)
    });
    let recipe = Recipe {
        weights: weights(all),
        policy: Policy::Fill,
        fill_within: 0,
        positions: Positions::Roles,
        league: League::Silver,
    };
    let pool = Pool::new(bundled(), &recipe, &[Rulesets::empty()], &[99]).unwrap();
    let teams = every_team(&pool);
    let expected: BTreeSet<usize> = all[1..5].iter().map(|&(at, _)| at).collect();
    assert_eq!(teams.into_keys().collect::<Vec<_>>(), [expected]);
}

/// Over many battles every card that a contender may bring comes up, and no other one does: dear cards are in no set that
/// a low cap has room for, and cheap ones in none that fill it.
#[test]
fn what_a_contender_may_bring_is_what_comes_up() {
    for (caps, policy, rulesets) in [
        ("[13]", "fill", "fixed = [\"Standard\"]"),
        ("[8, 10]", "uniform", "only = [\"Standard\", \"Little League\", \"Keep Your Distance\"]"),
    ] {
        let text = format!(
            "game = \"splinterlands\"\nbattles = 1\nmana_caps = {caps}\nleague = \"silver\"\n[rulesets]\n{rulesets}\n\
             [[pools]]\nname = \"Fire\"\nsummoners = [\"Malric Inferno\", \"Pyre\"]\npolicy = \"{policy}\"\n[[teams]]\n\
             name = \"Shaman\"\nsummoner = \"Malric Inferno\"\nmonsters = [\"Goblin Shaman\"]\n\
             [sides]\na = [\"Fire\"]\nb = [\"Shaman\"]\n"
        );
        let document = Document::new("pool.toml", text, Folder::Disk("".into()));
        let scenario =
            Scenario::of(&document).unwrap_or_else(|faults| panic!("{}", super::told(&[faults])));
        let engine = scenario.engine();
        let detail = Detail { fighters: true, ..Detail::default() };
        let battles = NonZeroU64::new(20_000).expect("it is not 0");
        let tally =
            run_whole(engine, Plan { seed: 5, battles, threads: 2, detail }, &mut |_| true).tally;
        let layout = engine.layout();
        for (contender, name) in layout.contenders().names.into_iter().enumerate() {
            let came = |unit: &usize| tally.unit(layout, contender, *unit).played > 0;
            let came: Vec<u16> =
                (0..layout.units.len()).filter(came).map(|unit| unit as u16).collect();
            assert_eq!(engine.may_bring(name), came, "{name} under {caps} by {policy}");
        }
    }
}

#[test]
fn a_pool_says_under_which_condition_and_cap_nobody_can_be_fielded() {
    let malric = usize::from(bundled().find("Malric Inferno").unwrap());
    let beetle = usize::from(bundled().find("Fire Beetle").unwrap());
    let recipe = Recipe {
        weights: weights([(malric, 1.0), (beetle, 1.0)]),
        policy: Policy::Uniform,
        fill_within: 0,
        positions: Positions::Roles,
        league: League::Champion,
    };
    let conditions = [Ruleset::Standard.into(), Ruleset::BrokenArrows.into()];
    let empty = Pool::new(bundled(), &recipe, &conditions, &[6, 5]).unwrap_err();
    assert_eq!(empty, [(0, 1), (1, 0), (1, 1)]);
}

#[test]
fn roles_put_a_sturdy_fighter_in_front_then_reach_then_the_frail() {
    let names =
        ["Malric Inferno", "Giant Roc", "Pit Ogre", "Kobold Miner", "Fire Beetle", "Cerberus"];
    let all = names.map(|name| (usize::from(bundled().find(name).expect(name)), 1.0));
    let recipe = Recipe {
        weights: weights(all),
        policy: Policy::Uniform,
        fill_within: 0,
        positions: Positions::Roles,
        league: League::Silver,
    };
    let pool = Pool::new(bundled(), &recipe, &[Rulesets::empty()], &[99]).unwrap();
    let team = pool.draw(0, 0, &mut Every::new());
    let names: Vec<&str> =
        team.monsters.iter().map(|&monster| bundled().card(monster).name.as_str()).collect();
    // Kobold Miner sneaks and Fire Beetle shoots; the last is the sturdiest, for Sneak looks for it.
    assert_eq!(names, ["Pit Ogre", "Giant Roc", "Kobold Miner", "Fire Beetle", "Cerberus"]);
}
