//! Checks that what works is counted, under every name that there is, and that what cannot work is not.

use std::collections::BTreeMap;

use strum::IntoEnumIterator;

use super::*;
use crate::chance::Seeded;
use crate::game::{Stratum, Watch, play};
use crate::games::splinterlands::Splinterlands;
use crate::games::splinterlands::cards::{Card, CardKind, Catalogue, Faction, Level, Rarity};
use crate::games::splinterlands::rules::stats::AURAS;
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

/// A duel of two teams of a summoner and monsters each; card 0 is the summoner of both sides, which does nothing.
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

/// A new ability or ruleset that is not counted fails here: among invented cards with all abilities, each one works
/// sometimes.
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

/// Recounts a battle's activity for monsters' abilities, from what happens and from what would happen without each
/// ability.
struct Recounting {
    before: Option<State>,
    /// Whose turn it is, with which attacks it has struck, and whether it has struck with one of them again.
    turn: Option<(Place, Vec<Attack>, bool)>,
    /// The kind and the strength of the attack that has just begun.
    attack: (Attack, i8),
    found: BTreeMap<(Place, Ability), u64>,
}

impl Recounting {
    fn add(&mut self, who: Place, ability: Ability) {
        *self.found.entry((who, ability)).or_default() += 1;
    }

    fn without(state: &State, who: Place, ability: Ability) -> State {
        let mut state = *state;
        state.at_mut(who).abilities -= ability;
        match ability {
            Ability::Taunt => state.taunters.remove(who),
            Ability::Camouflage => state.hidden.remove(who),
            _ => {}
        }
        state
    }

    /// Counts the abilities that make an attack go to its target.
    fn aims(&mut self, state: &State, by: Place, on: Place, kind: Attack) {
        let behind = state.team(by.side()).first() != Some(by);
        if behind && kind != Attack::Melee && state.at(by).has(Ability::Scattershot) {
            if state.target(by, kind) != Some(on) {
                self.add(by, Ability::Scattershot);
            }
            return;
        }
        assert_eq!(state.target(by, kind), Some(on));
        let aiming = Ability::Sneak | Ability::Snipe | Ability::Opportunity | Ability::Reach;
        let aiming = aiming | Ability::CloseRange | Ability::Taunt | Ability::Camouflage;
        for place in state.alive {
            for ability in state.at(place).abilities & aiming {
                if Self::without(state, place, ability).target(by, kind) != Some(on) {
                    self.add(place, ability);
                }
            }
        }
    }

    fn may_miss(&mut self, state: &State, by: Place, on: Place, kind: Attack) {
        let points = |state: &State| match state.chance_to_hit(by, on, kind) {
            100 => 0,
            _ => state.miss_points(by, on).sum(),
        };
        let now = points(state);
        for ability in [Ability::Dodge, Ability::Flying] {
            if state.at(on).has(ability) && points(&Self::without(state, on, ability)) < now {
                self.add(on, ability);
            }
        }
        for ability in [Ability::TrueStrike, Ability::Snare, Ability::Flying] {
            if state.at(by).has(ability) && points(&Self::without(state, by, ability)) > now {
                self.add(by, ability);
            }
        }
        let mut seeing = *state;
        seeing.blinders = [Places(0); 2];
        if points(&seeing) < now {
            let cleansed = state.at(by).cleansed;
            for blinder in state.team(by.side().other()).without(cleansed) {
                if state.at(blinder).has(Ability::Blind) {
                    self.add(blinder, Ability::Blind);
                }
            }
        }
    }

    fn blow(&mut self, before: &State, blow: Blow) {
        let Blow { cause, by, on, hit, power, to_health, .. } = blow;
        let target = before.at(on);
        let protected = target.has(Ability::DivineShield) && !target.is(Status::Unshielded);
        if !hit || protected || matches!(cause, Cause::Poison | Cause::Fatigue) {
            return;
        }
        let (kind, strength) = self.attack;
        let magic = match cause {
            Cause::Blast => kind == Attack::Magic,
            _ => matches!(cause, Cause::Magic | Cause::MagicReflect),
        };
        let softener = if magic { Ability::Void } else { Ability::Shield };
        if target.has(softener) {
            self.add(on, softener);
        }
        let strength = match cause {
            Cause::Melee | Cause::Ranged | Cause::Magic => strength,
            Cause::Retaliate | Cause::Trample => strength,
            Cause::Blast => (strength + 1) / 2,
            _ => return,
        };
        let by = by.expect("an attacker");
        if strength >= 5 && target.has(Ability::Forcefield) {
            assert_eq!(power, 1);
            self.add(on, Ability::Forcefield);
        } else {
            if before.at(by).has(Ability::KnockOut) && before.stunned.has(on) {
                self.add(by, Ability::KnockOut);
            }
            if before.at(by).has(Ability::Oppress) && !target.attacks() {
                self.add(by, Ability::Oppress);
            }
        }
        if !magic && target.now.armor > 0 && to_health > 0 {
            self.add(by, Ability::Piercing);
        }
    }
}

impl Watch<Splinterlands> for Recounting {
    fn see(&mut self, _: &Setup, state: &State, event: Event) {
        let before = self.before.replace(*state).unwrap_or(*state);
        for place in state.fielded {
            let rages = |state: &State| {
                let monster = state.at(place);
                let lives = state.alive.has(place) && monster.now.health > 0;
                lives && monster.has(Ability::Enrage) && monster.is_wounded()
            };
            if rages(state) && !rages(&before) {
                self.add(place, Ability::Enrage);
            }
        }
        match event {
            Event::Begins => {
                for place in state.fielded {
                    if state.at(place).is(Status::LastStanding) {
                        self.add(place, Ability::LastStand);
                    }
                }
            }
            Event::Turn { who, .. } => self.turn = Some((who, Vec::new(), false)),
            Event::Attacks { by, on, kind, cause } => {
                let Stats { melee, ranged, magic, .. } = state.at(by).now;
                let strength = match kind {
                    Attack::Magic => magic,
                    Attack::Ranged => ranged,
                    Attack::Melee => melee,
                };
                self.attack = (kind, strength);
                if kind != Attack::Magic {
                    self.may_miss(state, by, on, kind);
                }
                if cause != kind.into() {
                    return;
                }
                self.aims(state, by, on, kind);
                let (who, struck, again) = self.turn.as_mut().expect("a turn");
                assert_eq!(*who, by);
                if struck.contains(&kind) && !std::mem::replace(again, true) {
                    self.add(by, Ability::DoubleStrike);
                }
                self.turn.as_mut().expect("a turn").1.push(kind);
            }
            Event::Blow(blow) => {
                let of_its_own = match blow.cause {
                    Cause::Blast => Some(Ability::Blast),
                    Cause::Thorns => Some(Ability::Thorns),
                    Cause::MagicReflect => Some(Ability::MagicReflect),
                    Cause::ReturnFire => Some(Ability::ReturnFire),
                    Cause::Retaliate => Some(Ability::Retaliate),
                    Cause::Trample => Some(Ability::Trample),
                    Cause::Redemption => Some(Ability::Redemption),
                    _ => None,
                };
                if let Some(ability) = of_its_own {
                    self.add(blow.by.expect("an author"), ability);
                }
                self.blow(&before, blow);
            }
            Event::Inflicts { by, ability, .. } => self.add(by, ability),
            Event::Mends { by: Some(by), ability, .. } => self.add(by, ability),
            Event::Cleanses { by: Some(by), .. } => self.add(by, Ability::Cleanse),
            Event::Returns { by: Some(by), .. } => self.add(by, Ability::Resurrect),
            Event::Gains { who, ability, .. } => self.add(who, ability),
            Event::Shielded(who) => self.add(who, Ability::DivineShield),
            Event::StandsAlone(who) => self.add(who, Ability::LastStand),
            Event::Unshaken(who) => self.add(who, Ability::Flying),
            _ => {}
        }
    }
}

/// Fights battles of invented monsters, none of which have two abilities where one hides what the other does.
#[test]
fn what_is_counted_for_an_ability_is_what_it_did() {
    let choosing = Ability::Sneak | Ability::Snipe | Ability::Opportunity;
    let sure = Ability::TrueStrike | Ability::Snare;
    let reaching = Ability::Reach | Ability::Sneak | Ability::Opportunity;
    let all: Vec<Ability> = Ability::iter().collect();
    let mut chance = Seeded::from_seed(11);
    let mut number = |below: usize| chance.below(below as u32) as usize;
    let mut sums: BTreeMap<Ability, u64> = BTreeMap::new();
    for battle in 0..4000 {
        let sizes = [(); 2].map(|()| 1 + number(6));
        let teams: [Vec<(String, Stats, Abilities)>; 2] = [0, 1].map(|side| {
            let monster = |at: usize| {
                let mut abilities = Abilities::empty();
                for _ in 0..2 + number(3) {
                    let more = abilities | all[number(all.len())];
                    let alone = |among: Abilities| (more & among).len() < 2;
                    if alone(choosing) && alone(sure) && alone(reaching) {
                        abilities = more;
                    }
                }
                let mut power = |odds: usize| {
                    if number(odds) == 0 { 1 + number(10) as i8 } else { 0 }
                };
                let (melee, mut ranged, mut magic) = (power(2), power(3), power(3));
                if abilities.contains(Ability::DoubleStrike) {
                    // A monster that strikes twice has only one kind of attack, which it then uses twice.
                    ranged *= i8::from(melee == 0);
                    magic *= i8::from(melee + ranged == 0);
                }
                let armor = number(4) as i8;
                let health = 1 + number(12) as i8;
                let speed = 1 + number(4) as i8;
                let stats = Stats { melee, ranged, magic, armor, health, speed };
                (format!("Monster {side}{at}"), stats, abilities)
            };
            (0..sizes[side]).map(monster).collect()
        });
        let borrowed = teams.each_ref().map(|team| {
            team.iter().map(|(name, stats, has)| (&name[..], *stats, *has)).collect::<Vec<_>>()
        });
        let ruleset = if battle % 2 == 0 { Ruleset::Standard } else { Ruleset::Earthquake };
        let setup = duel(ruleset, [&borrowed[0][..], &borrowed[1][..]]);
        let counts = counted(&setup, 1);
        let mut recounting = Recounting {
            before: None,
            turn: None,
            attack: (Attack::Melee, 0),
            found: BTreeMap::new(),
        };
        let mut dice = Seeded::of_battle(1, 0);
        let stratum = Stratum { matchup: 0, condition: 0 };
        play::<Splinterlands, _, _>(&setup, stratum, &mut dice, &mut recounting);
        for (side, team) in teams.iter().enumerate() {
            for (at, (name, stats, abilities)) in team.iter().enumerate() {
                let place = Place((side * 6 + at) as u8);
                for ability in *abilities - AURAS {
                    let found = recounting.found.get(&(place, ability)).copied().unwrap_or(0);
                    let label = format!("{name}: {ability}");
                    let has = format!("{stats:?} {abilities:?} in battle {battle}");
                    assert_eq!(counts[&label], found, "{label}, {has}");
                    *sums.entry(ability).or_default() += found;
                }
            }
        }
    }
    for ability in Abilities::all() - AURAS {
        assert!(sums[&ability] > 10, "{ability}: {:?}", sums.get(&ability));
    }
}
