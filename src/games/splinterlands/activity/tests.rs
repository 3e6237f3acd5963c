//! What works is counted, under every name that there is, and what cannot work is not.

use std::collections::BTreeMap;

use strum::IntoEnumIterator;

use super::*;
use crate::chance::Seeded;
use crate::game::{Stratum, Watch, play};
use crate::games::splinterlands::Splinterlands;
use crate::games::splinterlands::cards::{Card, CardKind, Catalogue, Faction, Level, Rarity};
use crate::games::splinterlands::setup::LineUp;

/// Counts as a run does.
struct Counting(Vec<u64>);

impl Watch<Splinterlands> for Counting {
    fn see(&mut self, setup: &Setup, state: &State, event: Event) {
        note(setup, state, event, &mut self.0);
    }
}

fn card(name: &str, kind: CardKind, stats: Stats, abilities: Abilities) -> Card {
    Card {
        id: 0,
        name: name.to_owned(),
        faction: Faction::Neutral,
        kind,
        rarity: Rarity::Common,
        mana: 3,
        levels: vec![Level { stats, abilities }; 10],
    }
}

fn at(card: usize) -> CardAt {
    CardAt { card: card as u16, level: 1 }
}

/// The counts of battles of this setup, by name.
fn counted(setup: &Setup, battles: u64) -> BTreeMap<String, u64> {
    let labels = labels(setup);
    let mut counting = Counting(vec![0; labels.len()]);
    for battle in 0..battles {
        let stratum = Stratum { matchup: 0, condition: 0 };
        let mut chance = Seeded::of_battle(1, battle);
        play::<Splinterlands, _, _>(setup, stratum, &mut chance, &mut counting);
    }
    labels.into_iter().zip(counting.0).collect()
}

/// A duel of a summoner and monsters each; card 0 is the summoner of both sides, which does nothing.
fn duel(rulesets: impl Into<Rulesets>, teams: [&[(&str, Stats, Abilities)]; 2]) -> Setup {
    let none = Stats::default();
    let mut cards = vec![card("Summoner", CardKind::Summoner, none, Abilities::empty())];
    let teams = teams.map(|team| {
        let first = cards.len();
        for &(name, stats, abilities) in team {
            cards.push(card(name, CardKind::Monster, stats, abilities));
        }
        LineUp { summoner: at(0), monsters: (first..cards.len()).map(at).collect() }
    });
    Setup::of_teams(cards.into_iter().collect(), rulesets.into(), teams)
}

const FIGHTER: Stats = Stats { melee: 2, ranged: 0, magic: 0, armor: 0, health: 5, speed: 3 };

#[test]
fn what_fired_is_counted_and_what_cannot_is_0() {
    let thorny = Ability::Thorns | Ability::Void;
    let slow = Stats { melee: 0, speed: 1, ..FIGHTER };
    let setup = duel(
        Ruleset::HeavyHitters,
        [&[("Fighter", FIGHTER, Ability::Trample.into())], &[("Bush", slow, thorny)]],
    );
    let counts = counted(&setup, 10);
    let expected = [
        ("Heavy Hitters", 0),
        ("Summoner", 20),
        ("Fighter", 10),
        ("Fighter: Trample", 0),
        ("Bush", 10),
        ("Bush: Thorns", 30),
        ("Bush: Void", 0),
    ];
    let expected: BTreeMap<String, u64> =
        expected.map(|(name, count)| (name.to_owned(), count)).into();
    assert_eq!(counts, expected, "three blows a battle, and nobody is ever stunned");
}

#[test]
fn what_a_ruleset_gives_counts_for_the_ruleset_where_nobody_else_has_it() {
    let target = Stats { health: 40, speed: 1, ..FIGHTER };
    let ogre = Stats { speed: 5, ..FIGHTER };
    let of = |abilities: Abilities| {
        let team = [("Ogre", ogre, Ability::Stun.into()), ("Mate", FIGHTER, abilities)];
        let enemy = [("Rock", target, Abilities::empty())];
        counted(&duel(Ruleset::HeavyHitters, [&team, &enemy]), 50)
    };
    let given = of(Ability::Reach.into());
    assert!(given["Heavy Hitters"] > 0 && given["Ogre: Stun"] > 0 && given["Mate: Reach"] > 0);
    let own = of(Ability::Reach | Ability::KnockOut);
    assert!(own["Heavy Hitters"] == 0 && own["Mate: Knock Out"] > 0);
}

#[test]
fn rulesets_that_only_limit_cards_have_no_name_here() {
    let both = Ruleset::Earthquake | Ruleset::LostMagic;
    let flyer = Ability::Flying.into();
    let setup = duel(both, [&[("Bird", FIGHTER, flyer)], &[("Bat", FIGHTER, flyer)]]);
    let counts = counted(&setup, 5);
    assert_eq!(counts.get("Lost Magic"), None);
    assert_eq!(counts["Earthquake"], 0, "both fly");
    assert!(counts["Bird: Flying"] > 0, "which saves them from it");
}

/// Whoever adds an ability or a ruleset is led here: among invented cards with all abilities, each one works sometimes.
#[test]
fn every_ability_and_every_ruleset_that_battles_show_is_noticed() {
    let mut chance = Seeded::from_seed(7);
    let all: Vec<Ability> = Ability::iter().collect();
    let mut number = |below: i8| chance.below(below as u32) as i8;
    let mut cards = Vec::new();
    for at in 0..120 {
        let mut abilities: Abilities = (0..3).map(|_| all[number(54) as usize]).collect();
        abilities |= all[at % all.len()];
        let attack = |has: i8, power: i8| if has == 0 { power } else { 0 };
        let stats = Stats {
            melee: attack(number(2), 1 + number(8)),
            ranged: attack(number(3), 1 + number(8)),
            magic: attack(number(3), 1 + number(8)),
            armor: number(4),
            health: 1 + number(9),
            speed: 1 + number(5),
        };
        cards.push(card(&format!("Monster {at}"), CardKind::Monster, stats, abilities));
    }
    let kinds = [Ability::Affliction, Ability::Blind, Ability::Resurrect, Ability::Void];
    for (at, ability) in kinds.into_iter().enumerate() {
        let stats = Stats { melee: 1, armor: -1, ..Stats::default() };
        cards.push(card(&format!("Summoner {at}"), CardKind::Summoner, stats, ability.into()));
    }
    let catalogue: Catalogue = cards.into_iter().collect();
    let mut sums: BTreeMap<String, u64> = BTreeMap::new();
    for ruleset in Ruleset::iter() {
        for _ in 0..60 {
            let teams = [(); 2].map(|()| LineUp {
                summoner: at(120 + number(4) as usize),
                monsters: (0..6).map(|_| at(number(120) as usize)).collect(),
            });
            let setup = Setup::of_teams(catalogue.clone(), ruleset.into(), teams);
            for (name, count) in counted(&setup, 2) {
                let what = name.split(": ").last().unwrap_or(&name).to_owned();
                *sums.entry(what).or_default() += count;
            }
        }
    }
    for ability in Ability::iter() {
        assert!(sums[ability.into()] > 0, "{ability}");
    }
    for ruleset in Ruleset::iter() {
        let works = ruleset.facts().works;
        let shows = works != ruleset::Works::Selection && works != ruleset::Works::Nowhere;
        assert_eq!(sums.get(ruleset.into()).is_some_and(|&count| count > 0), shows, "{ruleset}");
    }
    for summoner in ["Summoner 0: Affliction", "Summoner 1: Blind"] {
        let name = summoner.split(": ").last().expect("an ability");
        assert!(sums[name] > 0, "{summoner}");
    }
}
