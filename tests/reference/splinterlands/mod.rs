//! Splinterlands: compares the engine with [`book`].

mod book;
mod setups;

use std::ops::ControlFlow;

use evens::chance::Chance;
use evens::game::{Game, Outcome, Side, Stratum, Watch};
use evens::games::splinterlands::Splinterlands;
use evens::games::splinterlands::ability::Ability;
use evens::games::splinterlands::event::Event;
use evens::games::splinterlands::rolls::Roll;
use evens::games::splinterlands::ruleset::Ruleset;
use evens::games::splinterlands::setup::Setup;
use evens::games::splinterlands::state::{FIELD, Places, State, Status, TEAM};
use evens::scenario::{Document, Folder, load};
use proptest::prelude::*;
use proptest::sample::Index;

use crate::reference::recorded::{Recorded, Thrown};
use book::{Attack, Book, End};
use setups::Duel;

/// The facts of a battle on which both implementations must agree.
#[derive(Debug, PartialEq, Eq)]
struct Summary {
    /// The living monsters, by side and place.
    living: Vec<Seen>,
    /// By side: whether its summoner's Resurrect is used up.
    summoner_resurrected: [bool; 2],
    shaken_first: Option<usize>,
    outcome: Option<Outcome>,
}

/// A living monster.
#[derive(Debug, PartialEq, Eq)]
struct Seen {
    side: usize,
    place: usize,
    attacks: [i32; 3],
    armor: [i32; 2],
    health: [i32; 2],
    speed: i32,
    abilities: Vec<Ability>,
    blinded: bool,
    stunned: bool,
    poisoned: bool,
    afflicted: bool,
    snared: bool,
    halved: bool,
    shield_used: bool,
    stands_last: bool,
    resurrect_used: bool,
}

fn engines_view(state: &State, outcome: Option<Outcome>) -> Summary {
    let see = |place: evens::games::splinterlands::state::Place| {
        let monster = state.at(place);
        let now = monster.now;
        // The dead stay in the list of blinders. Bits 12 and 13 are the summoners.
        let present = Places(state.alive.0 | 0b11 << FIELD);
        let blinders = state.blinders[place.side().index()].and(present).without(monster.cleansed);
        Seen {
            side: place.side().index(),
            place: place.index() % TEAM,
            attacks: [now.magic, now.ranged, now.melee].map(i32::from),
            armor: [now.armor, monster.max_armor].map(i32::from),
            health: [now.health, monster.max_health].map(i32::from),
            speed: now.speed.into(),
            abilities: monster.abilities.iter().collect(),
            blinded: !blinders.is_empty(),
            stunned: state.stunned.has(place),
            poisoned: state.poisoned.has(place),
            afflicted: monster.is(Status::Afflicted),
            snared: monster.is(Status::Snared),
            halved: monster.is(Status::Halved),
            shield_used: monster.is(Status::Unshielded),
            stands_last: monster.is(Status::LastStanding),
            resurrect_used: state.resurrected >> place.0 & 1 == 1,
        }
    };
    Summary {
        living: state.alive.map(see).collect(),
        summoner_resurrected: [12, 13].map(|bit| state.resurrected >> bit & 1 == 1),
        shaken_first: state.rules(Ruleset::Earthquake).then(|| state.shaken_first.index()),
        outcome,
    }
}

fn books_view(book: &Book, end: Option<End>) -> Summary {
    let see = |unit: usize| {
        let one = &book.units[unit];
        let mut abilities = one.abilities.clone();
        abilities.sort();
        abilities.dedup();
        Seen {
            side: one.team,
            place: one.place,
            attacks: [Attack::Magic, Attack::Ranged, Attack::Melee]
                .map(|kind| book.attack(unit, kind)),
            armor: [one.armor, book.max_armor(unit)],
            health: [one.health, book.max_health(unit)],
            speed: book.speed(unit),
            abilities,
            blinded: book.is_blinded(unit),
            stunned: one.stunned_by.is_some(),
            poisoned: one.poisoned,
            afflicted: one.afflicted,
            snared: one.snared,
            halved: one.halved,
            shield_used: one.shield_used,
            stands_last: one.stands_last,
            resurrect_used: one.resurrect_used,
        }
    };
    Summary {
        living: book.all_living().into_iter().map(see).collect(),
        summoner_resurrected: [0, 1].map(|team| book.summoners[team].resurrect_used),
        shaken_first: book.rules(Ruleset::Earthquake).then_some(book.shaken_first),
        outcome: end.map(|end| match end {
            End::Won(team) => Outcome::Win(Side(team as u8)),
            End::Drawn => Outcome::Draw,
        }),
    }
}

/// The events of a round, printed when the two implementations differ.
#[derive(Default)]
struct Told(Vec<Event>);

impl Watch<Splinterlands> for Told {
    fn see(&mut self, _: &Setup, _: &State, event: Event) {
        self.0.push(event);
    }
}

/// Keeps the dice of the battle itself; the dice that draw teams and mana cap belong to the scenario.
fn of_the_battle(thrown: Vec<Thrown>) -> Vec<Thrown> {
    let of_teams = [Roll::ManaCap, Roll::Summoner, Roll::Splinter, Roll::TeamCard, Roll::TeamOrder];
    let is_of_teams = |die: &Thrown| of_teams.iter().any(|&roll| roll as u8 == die.roll);
    thrown.into_iter().filter(|die| !is_of_teams(die)).collect()
}

/// Fails with a description if the two implementations differ.
fn difference(
    engine: (&Summary, &[Thrown]),
    book: (&Summary, &[Thrown]),
    round: u32,
    told: &Told,
) -> Result<(), TestCaseError> {
    if engine == book {
        return Ok(());
    }
    let mut lines = vec![format!("round {round}")];
    for event in &told.0 {
        lines.push(format!("  {event:?}"));
    }
    for (one, other) in engine.0.living.iter().zip(&book.0.living) {
        if one != other {
            lines.push(format!("engine: {one:?}\nbook:   {other:?}"));
        }
    }
    let standing = |summary: &Summary| -> Vec<(usize, usize)> {
        summary.living.iter().map(|seen| (seen.side, seen.place)).collect()
    };
    lines.push(format!("engine: {:?} {:?}", engine.0.outcome, standing(engine.0)));
    lines.push(format!("book:   {:?} {:?}", book.0.outcome, standing(book.0)));
    lines.push(format!("engine: {:?}", engine.0.summoner_resurrected));
    lines.push(format!("book:   {:?}", book.0.summoner_resurrected));
    lines.push(format!("engine: {:#?}", engine.1).replace("\n", " "));
    lines.push(format!("book:   {:#?}", book.1).replace("\n", " "));
    Err(TestCaseError::fail(lines.join("\n")))
}

/// Plays a duel in both implementations, in step.
fn both_play(duel: &Duel, seed: u64) -> Result<(), TestCaseError> {
    let stratum = Stratum { matchup: 0, condition: 0 };
    play_on_both(&duel.for_the_engine(), stratum, |_| duel.for_the_book(Recorded::new(seed)), seed)
}

/// Plays a battle in both implementations, in step. The book starts from what the engine has put on the field.
fn play_on_both(
    setup: &Setup,
    stratum: Stratum,
    book: impl FnOnce(&State) -> Book,
    seed: u64,
) -> Result<(), TestCaseError> {
    // The engine keys ties by a number of its own, so they count as being about no unit.
    let mut dice = Recorded::new(seed).with_nobodys(Roll::TurnTie);
    let mut told = Told::default();
    let mut state = Splinterlands::start(setup, stratum, &mut dice, &mut told);
    let mut book = book(&state);
    let mut end = None;
    let mut outcome = None;
    for round in 0.. {
        if round > 0 {
            told.0.clear();
            Chance::<Roll>::round(&mut dice, round);
            let flow = Splinterlands::round(setup, &mut state, &mut dice, &mut told);
            outcome = match flow {
                ControlFlow::Break(outcome) => Some(outcome),
                ControlFlow::Continue(()) => None,
            };
            end = book.play_round();
        }
        let engine = engines_view(&state, outcome);
        let other = books_view(&book, end);
        difference(
            (&engine, &of_the_battle(dice.take())),
            (&other, &book.dice.take()),
            round,
            &told,
        )?;
        if outcome.is_some() {
            break;
        }
    }
    Ok(())
}

proptest! {
    #![proptest_config(crate::reference::tries(24))]

    #[test]
    fn made_up_scenarios(
        text in crate::made_up::splinterlands(),
        battles in prop::collection::vec((any::<Index>(), any::<Index>(), any::<u64>()), 16),
    ) {
        let document = Document::new("made up.toml", text, Folder::Disk("nowhere".into()));
        let setup = load::<Splinterlands>(&document).expect("a sound scenario").setup;
        for (matchup, condition, seed) in battles {
            let stratum = Stratum {
                matchup: matchup.index(setup.matchups().len()) as u32,
                condition: condition.index(setup.conditions().len()) as u32,
            };
            play_of(&setup, stratum, seed)?;
        }
    }
}

/// Plays a battle of a scenario in both implementations, in step.
fn play_of(setup: &Setup, stratum: Stratum, seed: u64) -> Result<(), TestCaseError> {
    let (rulesets, _) = setup.conditions()[stratum.condition as usize];
    let book = |state: &State| setups::as_fielded(setup, rulesets, state, Recorded::new(seed));
    play_on_both(setup, stratum, book, seed)
}

/// A trampler kills a monster, and its Blast kills the one behind, whose aura ends while the first, still dying,
/// strikes back: the first then has its speed without that aura (decision 10).
#[test]
fn who_strikes_back_while_dying_has_no_aura_of_the_dead() {
    let text = "game = \"splinterlands\"\nedition = \"2022\"\nbattles = 64\nmana_caps = [37]\nleague = \"diamond\"\n\
        [rulesets]\ntwo = 0\nonly = [\"Back to Basics\", \"Silenced Summoners\", \"Little League\", \"Lost Legendaries\", \
        \"Melee Mayhem\", \"Up Close & Personal\"]\n\
        [[pools]]\nname = \"one\"\nfactions = [\"Fire\"]\npolicy = \"uniform\"\npositions = \"roles\"\n\
        [[pools]]\nname = \"other\"\nfactions = [\"Fire\"]\npolicy = \"uniform\"\npositions = \"roles\"\n\
        [sides]\na = [\"one\", \"other\"]\nb = [\"one\"]\n";
    let document = Document::new("dying.toml", text.to_owned(), Folder::Disk("nowhere".into()));
    let setup = load::<Splinterlands>(&document).expect("a sound scenario").setup;
    let conditions = 0..setup.conditions().len() as u32;
    for stratum in conditions.map(|condition| Stratum { matchup: 0, condition }) {
        play_of(&setup, stratum, 13_986_465_054_651_873_969).unwrap();
    }
}

proptest! {
    #![proptest_config(crate::reference::tries(2000))]

    #[test]
    fn cards_of_the_catalogue_do_the_same_in_both(duel in setups::of_the_catalogue(), seed: u64) {
        both_play(&duel, seed)?;
    }

    #[test]
    fn invented_cards_do_the_same_in_both(duel in setups::invented(), seed: u64) {
        both_play(&duel, seed)?;
    }
}
