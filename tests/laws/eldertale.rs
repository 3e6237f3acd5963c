//! Laws that hold for every Elder Tale session and every run of them.

use evens::chance::Seeded;
use evens::game::{Outcome, Side, Stratum, Unwatched, Watch, play};
use evens::games::eldertale::effect::Kind;
use evens::games::eldertale::event::Event;
use evens::games::eldertale::open_rules::{Discards, EnergyBeyond3, OpenRules};
use evens::games::eldertale::setup::Setup;
use evens::games::eldertale::state::{Memory, State};
use evens::games::eldertale::{ElderTale, activity};
use evens::scenario::{Document, Folder, load};
use evens::tally::{Fighter, Measure, Record, Recorder, Unit};
use proptest::prelude::*;

use super::exact as laws;

const CLASSES: [&str; 12] = [
    "Acolyte",
    "Bard",
    "Blademaster",
    "Crusader",
    "Druid",
    "Enchanter",
    "Godhand",
    "Heavy Blade",
    "Hunter",
    "Sorcerer",
    "Summoner",
    "Twin Blade",
];

fn scenario(text: &str) -> Setup {
    let text = format!("game = \"eldertale\"\nbattles = 10\n{text}");
    load::<ElderTale>(&Document::new("law.toml", text, Folder::Disk("".into()))).unwrap().setup
}

/// Checks what must be true of every state, after every event.
#[derive(Default)]
struct Invariants {
    turns: [u32; 6],
    /// How often each card and effect did something.
    activity: Vec<u64>,
}

impl Watch<ElderTale> for Invariants {
    fn see(&mut self, setup: &Setup, state: &State, event: Event) {
        self.activity.resize(activity::labels(setup).len(), 0);
        activity::note(setup, state, event, &mut self.activity);
        for seat in state.standing {
            let (character, sheet) = (state.at(seat), setup.sheet(state, seat));
            assert!(
                character.hp <= sheet.hp && character.energy <= setup.open_rules().most_energy()
            );
            assert_eq!(character.hand & !sheet.deck.all(), 0);
            assert_eq!(character.hand & character.used_up, 0, "{event:?}");
            assert_eq!(character.used_up & !sheet.deck.single_use(), 0);
            for effect in character.effects.iter() {
                assert!(effect.intensity > 0, "{event:?}");
                assert!(character.effects.has(effect.kind));
                assert!(character.effects.intensity(effect.kind) >= effect.intensity);
            }
            for attack in &character.queue {
                assert!(attack.by != seat && usize::from(attack.by.0) < setup.sides());
            }
        }
        match event {
            Event::Turn(who) => {
                assert!(state.standing.has(who));
                self.turns[who.index()] += 1;
                for seat in state.standing {
                    let character = state.at(seat);
                    assert!(character.hp > 0 || character.memory == Memory::AllIn);
                }
            }
            Event::Plays { who, play } => {
                for target in play.named.iter() {
                    assert!(target != who && state.standing.has(target), "{event:?}");
                }
            }
            Event::Hit { power, raised, met, .. } => {
                assert!(
                    raised <= power && met.is_none_or(|met| met.power() <= met.guard + met.lifted)
                );
            }
            Event::Loses { amount, .. } => assert!(amount > 0),
            _ => {}
        }
    }
}

/// A session of two to six characters of any classes, Memories and policies.
fn any_session() -> impl Strategy<Value = Setup> {
    let class = prop::sample::select(CLASSES.to_vec());
    let classes = prop::collection::vec(class, 0..=2);
    let policy = prop::sample::select(vec!["random", "greedy"]);
    let memory = prop_oneof![Just(None), (1..9u8).prop_map(Some)];
    let character = (classes, policy, memory, 1..90i16);
    let sessions = prop::collection::vec(character, 2..=6).prop_map(|characters| {
        let mut text = String::new();
        let mut sides = "[sides]\n".to_owned();
        for (at, (classes, policy, memory, hp)) in characters.into_iter().enumerate() {
            text += &format!(
                "[[characters]]\nname = \"{at}\"\nclasses = {classes:?}\npolicy = \"{policy}\"\nhp = {hp}\n"
            );
            if let Some(level) = memory {
                text += &format!("memory = {level}\nall_in_at = 40\n");
            }
            sides += &format!("{} = [\"{at}\"]\n", ["a", "b", "c", "d", "e", "f"][at]);
        }
        scenario(&(text + &sides))
    });
    (sessions, any_open_rules()).prop_map(|(setup, open)| setup.with_open_rules(open))
}

/// Open rules in any of their readings.
fn any_open_rules() -> impl Strategy<Value = OpenRules> {
    let discards = prop::sample::select(vec![Discards::Reshuffled, Discards::Pile]);
    let energy = [EnergyBeyond3::Never, EnergyBeyond3::FirstTurn, EnergyBeyond3::Always];
    (discards, prop::sample::select(energy.to_vec()))
        .prop_map(|(discards, energy_beyond_3)| OpenRules { discards, energy_beyond_3 })
}

/// A card of any type with any effects that it may carry.
fn any_card(at: usize) -> impl Strategy<Value = String> {
    let names = vec![
        "Gain Defense",
        "Start Guard",
        "Guard Up",
        "Guard Down",
        "Power",
        "Thorns",
        "Doom",
        "Heal",
        "Heal Over Time",
        "Poison",
        "Draw Up",
        "Draw Down",
    ];
    let duration = || prop_oneof![Just(None), (1..4u8).prop_map(Some), Just(Some(99u8))];
    let effect = (
        prop::sample::select(names),
        prop::sample::select(vec!["self", "target"]),
        prop::sample::select(vec!["on play", "on activation"]),
        prop_oneof![1..9u8, Just(99u8)],
        (duration(), duration(), prop::sample::select(vec!["Utility", "Attack", "Random"])),
    )
        .prop_map(|(name, to, trigger, intensity, (hits, rounds, deck))| {
            let number = |key: &str, number: Option<u8>| {
                number.map_or(String::new(), |number| format!("{key} = {number}, "))
            };
            let deck = if name.starts_with("Draw") { format!("deck = {deck:?}, ") } else { String::new() };
            format!(
                "{{ name = {name:?}, to = {to:?}, trigger = {trigger:?}, {deck}{}{}intensity = {intensity} }}",
                number("hitduration", hits),
                number("roundduration", rounds),
            )
        });
    let kind = prop_oneof![
        Just("type = \"Utility\"\ntargets = \"one\"".to_owned()),
        Just("type = \"Utility\"".to_owned()),
        (1..99u8, 1..=9u8)
            .prop_map(|(n, hits)| format!("type = \"Defense\"\ndefense = {n}\nhits = {hits}")),
        (1..99u8, 1..=9u8, prop::sample::select(vec!["one", "area", "random"])).prop_map(
            |(n, hits, targets)| {
                format!("type = \"Attack\"\ndamage = {n}\nhits = {hits}\ntargets = {targets:?}")
            }
        ),
    ];
    (kind, prop::collection::vec(effect, 1..=4), 1..=2u8, any::<bool>()).prop_map(
        move |(kind, effects, cost, single)| {
            format!(
                "[[cards]]\ntitle = \"Card {at}\"\n{kind}\ncost = {cost}\nsingleuse = {single}\neffects = [{}]\n",
                effects.join(", ")
            )
        },
    )
}

/// Sessions of this many characters, each with this many different cards (of any kind, as far as a scenario allows
/// them) and hit points in this range.
fn any_cards(
    cards: std::ops::RangeInclusive<usize>,
    hp: std::ops::Range<i16>,
    characters: std::ops::RangeInclusive<usize>,
) -> impl Strategy<Value = Setup> {
    let card = (0..12usize).prop_flat_map(any_card);
    let usable = card.prop_filter("a scenario takes it", |card| {
        let title = card.split('"').nth(1).unwrap();
        let both = ["X", "Y"]
            .map(|name| format!("[[characters]]\nname = \"{name}\"\ndeck = [\"{title}\"]\n"));
        let text = format!(
            "game = \"eldertale\"\nbattles = 1\n{card}{}[sides]\na = [\"X\"]\nb = [\"Y\"]\n",
            both.concat()
        );
        load::<ElderTale>(&Document::new("law.toml", text, Folder::Disk("".into()))).is_ok()
    });
    let policy = prop::sample::select(vec!["random", "greedy"]);
    let character = (prop::collection::vec(usable, cards), policy, hp, any::<bool>());
    let sessions = prop::collection::vec(character, characters).prop_map(|characters| {
        let (mut cards, mut seats) = (String::new(), String::new());
        let mut sides = "[sides]\n".to_owned();
        let mut number = 0;
        for (at, (own, policy, hp, memory)) in characters.into_iter().enumerate() {
            let mut deck = Vec::new();
            for card in own {
                let title = card.split('"').nth(1).unwrap().to_owned();
                cards += &card.replacen(&title, &format!("Card {number} of all"), 1);
                deck.push(format!("Card {number} of all*2"));
                number += 1;
            }
            let memory = if memory { "memory = 3\n" } else { "" };
            seats += &format!(
                "[[characters]]\nname = \"{at}\"\ndeck = {deck:?}\npolicy = \"{policy}\"\nhp = {hp}\n{memory}"
            );
            sides += &format!("{} = [\"{at}\"]\n", ["a", "b", "c", "d"][at]);
        }
        scenario(&(cards + &seats + &sides))
    });
    (sessions, any_open_rules()).prop_map(|(setup, open)| setup.with_open_rules(open))
}

const STRATUM: Stratum = Stratum { matchup: 0, condition: 0 };

proptest! {
    #![proptest_config(ProptestConfig::with_cases(40))]

    #[test]
    fn any_cards_play_to_an_end(setup in any_cards(3..=8, 1..400, 2..=4), seed: u64) {
        let mut dice = Seeded::from_seed(seed);
        play::<ElderTale, _, _>(&setup, STRATUM, &mut dice, &mut Invariants::default());
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(300))]

    #[test]
    fn every_session_keeps_its_invariants_and_ends(setup in any_session(), seed: u64) {
        let mut watch = Invariants::default();
        let mut dice = Seeded::from_seed(seed);
        let ended = play::<ElderTale, _, _>(&setup, STRATUM, &mut dice, &mut watch);
        prop_assert_eq!(watch.turns.iter().sum::<u32>(), ended.rounds);
        prop_assert!(ended.rounds <= u32::from(setup.last_round()) * setup.sides() as u32);
        let standing = ended.state.standing;
        match ended.outcome {
            Outcome::Win(side) => prop_assert!(standing.len() == 1 && standing.has(side)),
            Outcome::Draw => prop_assert!(standing.is_empty()),
            Outcome::Undecided => prop_assert_eq!(ended.state.round, setup.last_round()),
        }
        // A character has 3 energy a turn, but 2 in a first turn before which nobody attacked it; more where attacks
        // give more.
        for seat in (0..setup.sides() as u8).map(Side) {
            let character = ended.state.at(seat);
            let spent = u32::from(character.energy_used + character.energy_left);
            let turns = watch.turns[seat.index()];
            let most = match setup.open_rules().energy_beyond_3 {
                EnergyBeyond3::Never => 3 * turns,
                EnergyBeyond3::FirstTurn => 3 * turns + 3,
                EnergyBeyond3::Always => 6 * turns,
            };
            let is_usual = spent + 1 >= 3 * turns && spent <= most;
            prop_assert!(is_usual, "{}: {} in {} turns", seat, spent, turns);
        }
    }

    /// Every hit point is accounted for: a side lost what others, Poison and Thorns took; it has what it began with,
    /// less its losses, plus what healed it.
    #[test]
    fn hit_points_add_up(setup in any_session(), seed: u64) {
        let layout = ElderTale::layout(&setup);
        let mut record = Record::new(&layout);
        record.clear(STRATUM);
        let mut dice = Seeded::from_seed(seed);
        let mut recorder = Recorder::<ElderTale>::new(&mut record);
        let ended = play::<ElderTale, _, _>(&setup, STRATUM, &mut dice, &mut recorder);
        ElderTale::metrics(&setup, &ended.state, &mut record.metrics);
        ElderTale::fighters(&setup, &ended.state, &mut record);
        let sum = |side: Side, wanted: &dyn Fn(&Unit) -> bool| -> i64 {
            let of_side = record.fighters.iter().filter(|fighter| fighter.side == side);
            let dealt = of_side.filter(|fighter| wanted(&layout.units[usize::from(fighter.unit)]));
            dealt.map(|fighter| i64::from(fighter.dealt)).sum()
        };
        let is_card = |unit: &Unit| ["utility", "defense", "attack"].contains(&unit.kind);
        let is = |name: &'static str| move |unit: &Unit| unit.kind == "borne effect" && unit.name == name;
        let (mut dealt_by_all, mut taken_by_all) = (0, 0);
        for side in (0..setup.sides() as u8).map(Side) {
            let own = |fighter: &&Fighter| {
                fighter.side == side && layout.units[usize::from(fighter.unit)].kind == "character"
            };
            let own = record.fighters.iter().find(own).expect("each side has a character");
            let (dealt, taken) = (i64::from(own.dealt), i64::from(own.taken));
            prop_assert_eq!(dealt, sum(side, &is_card) + sum(side, &is("Thorns")));
            let healed = sum(side, &is("Heal")) + sum(side, &is("Heal Over Time"));
            let sheet = &setup.sheets()[usize::from(ended.state.at(side).sheet)];
            let hp = i64::from(ended.state.at(side).hp);
            prop_assert_eq!(i64::from(sheet.hp) - taken + healed, hp);
            dealt_by_all += dealt + sum(side, &is("Poison"));
            taken_by_all += taken;
        }
        prop_assert_eq!(dealt_by_all, taken_by_all);
    }

    #[test]
    fn a_session_is_the_same_watched_or_not(setup in any_session(), seed: u64) {
        let unwatched = play::<ElderTale, _, _>(
            &setup, STRATUM, &mut Seeded::from_seed(seed), &mut Unwatched,
        );
        let watched = play::<ElderTale, _, _>(
            &setup, STRATUM, &mut Seeded::from_seed(seed), &mut Invariants::default(),
        );
        prop_assert_eq!(unwatched.state, watched.state);
        prop_assert_eq!(unwatched.outcome, watched.outcome);
    }
}

/// Two or three characters with a card or two, few hit points and at most three rounds.
fn any_small() -> impl Strategy<Value = Setup> {
    any_cards(1..=2, 1..25, 2..=3).prop_map(|setup| {
        let (cards, sheets) = (setup.cards().to_vec(), setup.sheets().to_vec());
        Setup::new(cards, sheets, setup.matchups().to_vec(), 3).with_open_rules(setup.open_rules())
    })
}

#[test]
fn merging_states_changes_no_odds() {
    laws::merging_changes_nothing::<ElderTale>(any_small(), 40, 15);
}

#[test]
fn packing_a_state_loses_nothing() {
    laws::packing_loses_nothing::<ElderTale>(any_small(), 32);
}

#[test]
fn bounds_of_exact_odds_hold() {
    laws::bounds_hold::<ElderTale>(any_small(), 30);
}

#[test]
fn sampled_results_lie_around_the_exact_ones() {
    laws::sampled_results_lie_around_the_exact_ones::<ElderTale>(any_small(), 60);
}

#[test]
fn every_effect_and_every_class_is_met_in_the_bundled_duels() {
    let scenario = evens::Scenario::read("eldertale/classes").unwrap();
    let layout = scenario.engine().layout();
    let (finished, _) = super::played(scenario.engine(), 20_000, 2);
    let appeared = |kind: &str| {
        let played = |at: usize| finished.tally.unit_of_all(layout, at).played;
        let units = layout.units.iter().enumerate();
        units.filter(|(at, unit)| unit.kind == kind && played(*at) > 0).count()
    };
    assert_eq!(appeared("class"), 12);
    assert_eq!(appeared("character"), 12);
    let cards = appeared("attack") + appeared("defense") + appeared("utility");
    assert_eq!(cards, evens::games::eldertale::catalogue::example().len());
    use strum::IntoEnumIterator as _;
    let unmet: Vec<&str> = layout
        .units
        .iter()
        .enumerate()
        .filter(|(at, unit)| {
            unit.kind == "borne effect" && finished.tally.unit_of_all(layout, *at).played == 0
        })
        .map(|(_, unit)| unit.name.as_str())
        .collect();
    let applied = evens::games::eldertale::catalogue::example();
    let applied = |kind: Kind| {
        applied.iter().any(|card| card.effects.iter().any(|applies| applies.effect.kind == kind))
    };
    let unused: Vec<&str> = Kind::iter().filter(|&kind| !applied(kind)).map(Kind::name).collect();
    assert_eq!(unmet, unused);
}
