//! Elder Tale: compares the engine with [`book`].

mod book;
mod setups;

use std::ops::ControlFlow;

use evens::chance::Chance;
use evens::game::{Game, Outcome, Side, Stratum, Watch};
use evens::games::eldertale::ElderTale;
use evens::games::eldertale::combinations::places;
use evens::games::eldertale::effect::Effect;
use evens::games::eldertale::event::Event;
use evens::games::eldertale::open_rules::Discards;
use evens::games::eldertale::rolls::Roll;
use evens::games::eldertale::setup::Setup;
use evens::games::eldertale::state::{Memory as EnginesMemory, State};
use evens::scenario::{Document, Folder, load};
use proptest::prelude::*;

use crate::reference::recorded::{Recorded, Thrown};
use book::{Book, End, Memory, Played, Waiting};

/// The facts of a session on which both implementations must agree.
#[derive(Debug, PartialEq, Eq)]
struct Summary {
    round: u32,
    /// The character whose turn it is; None when the session is over.
    active: Option<usize>,
    characters: Vec<Seen>,
    outcome: Option<Outcome>,
}

#[derive(Debug, PartialEq, Eq)]
struct Seen {
    out: bool,
    hp: i32,
    energy: u32,
    hand: Vec<u8>,
    used_up: Vec<u8>,
    /// The cards that are still in the draw piles, where discards lie on a pile.
    to_be_dealt: Vec<u8>,
    queue: Vec<Waiting>,
    effects: Vec<Effect>,
    memory: Memory,
    drops: u32,
    energy_used: u32,
    energy_left: u32,
}

fn engines_view(setup: &Setup, state: &State, outcome: Option<Outcome>) -> Summary {
    let see = |who: usize| {
        let character = &state.characters[who];
        let cards = |set| places(set).map(|place| place as u8).collect();
        Seen {
            out: !state.standing.has(Side(who as u8)),
            hp: character.hp.into(),
            energy: character.energy.into(),
            hand: cards(character.hand),
            used_up: cards(character.used_up),
            to_be_dealt: match setup.open_rules().discards {
                Discards::Reshuffled => Vec::new(),
                Discards::Pile => {
                    let deck = &setup.sheet(state, Side(who as u8)).deck;
                    cards(deck.all() & !character.used_up & !character.dealt)
                }
            },
            queue: character
                .queue
                .iter()
                .map(|attack| Waiting {
                    by: attack.by.index(),
                    place: attack.place,
                    hits: attack.hits.into(),
                    leads: attack.leads,
                })
                .collect(),
            effects: character.effects.iter().copied().collect(),
            memory: match character.memory {
                EnginesMemory::Kept => Memory::Kept,
                EnginesMemory::Down => Memory::Down,
                EnginesMemory::AllIn => Memory::AllIn,
                EnginesMemory::Erased => Memory::Erased,
            },
            drops: character.drops.into(),
            energy_used: character.energy_used.into(),
            energy_left: character.energy_left.into(),
        }
    };
    Summary {
        round: state.round.into(),
        active: outcome.is_none().then(|| state.active.index()),
        characters: (0..setup.sides()).map(see).collect(),
        outcome,
    }
}

fn books_view(book: &Book, end: Option<End>) -> Summary {
    let see = |player: &book::Player| Seen {
        out: player.out,
        hp: player.hp,
        energy: player.energy,
        hand: player.hand.clone(),
        used_up: player.used_up.clone(),
        to_be_dealt: match book.open_rules.discards {
            Discards::Reshuffled => Vec::new(),
            Discards::Pile => player.draw_piles.concat(),
        },
        queue: player.queue.clone(),
        effects: player.effects.clone(),
        memory: player.memory,
        drops: player.drops,
        energy_used: player.energy_used,
        energy_left: player.energy_left,
    };
    Summary {
        round: book.round,
        active: end.is_none().then_some(book.active),
        characters: book.players.iter().map(see).collect(),
        outcome: end.map(|end| match end {
            End::Won(who) => Outcome::Win(Side(who as u8)),
            End::Drawn => Outcome::Draw,
            End::Undecided => Outcome::Undecided,
        }),
    }
}

/// The events of a turn. The plays are taken from it for the book; the rest is printed when the two implementations
/// differ.
#[derive(Default)]
struct Told(Vec<Event>);

impl Watch<ElderTale> for Told {
    fn see(&mut self, _: &Setup, _: &State, event: Event) {
        self.0.push(event);
    }
}

impl Told {
    fn plays(&self) -> Vec<Played> {
        let played = |event: &Event| match event {
            Event::Plays { play, .. } => Some(Played {
                place: play.place,
                named: play.named.iter().map(Side::index).collect(),
            }),
            _ => None,
        };
        self.0.iter().filter_map(played).collect()
    }
}

/// Keeps the dice of the rules; those of the policies are not compared.
fn of_rules(thrown: Vec<Thrown>) -> Vec<Thrown> {
    let of_policies = [Roll::Play as u8, Roll::Target as u8];
    thrown.into_iter().filter(|die| !of_policies.contains(&die.roll)).collect()
}

/// Fails with a description if the two implementations differ.
fn difference(
    engine: (&Summary, &[Thrown]),
    book: (&Summary, &[Thrown]),
    turn: u32,
    told: &Told,
) -> Result<(), TestCaseError> {
    if engine == book {
        return Ok(());
    }
    let mut lines = vec![format!("turn {turn}")];
    for event in &told.0 {
        lines.push(format!("  {event:?}"));
    }
    for (who, (one, other)) in engine.0.characters.iter().zip(&book.0.characters).enumerate() {
        if one != other {
            lines.push(format!("seat {who}\nengine: {one:?}\nbook:   {other:?}"));
        }
    }
    for (name, (summary, dice)) in [("engine", engine), ("book  ", book)] {
        let Summary { round, active, outcome, .. } = summary;
        lines.push(format!("{name}: round {round}, active {active:?}, {outcome:?}, {dice:?}"));
    }
    Err(TestCaseError::fail(lines.join("\n")))
}

/// Plays a session in both implementations, in step.
fn both_play(setup: &Setup, seed: u64) -> Result<(), TestCaseError> {
    let mut dice = Recorded::new(seed);
    let mut told = Told::default();
    let stratum = Stratum { matchup: 0, condition: 0 };
    let mut state = ElderTale::start(setup, stratum, &mut dice, &mut told);
    let mut book = {
        let (players, last) = (setups::players(setup), setup.last_round().into());
        Book::open(players, last, Recorded::new(seed), setup.open_rules())
    };
    let mut end = None;
    let mut outcome = None;
    for turn in 0.. {
        if turn > 0 {
            told.0.clear();
            Chance::<Roll>::round(&mut dice, turn);
            let flow = ElderTale::round(setup, &mut state, &mut dice, &mut told);
            outcome = match flow {
                ControlFlow::Break(outcome) => Some(outcome),
                ControlFlow::Continue(()) => None,
            };
            Chance::<Roll>::round(&mut book.dice, turn);
            end = book.turn(&told.plays());
        }
        let engine = engines_view(setup, &state, outcome);
        let other = books_view(&book, end);
        let (engines_dice, books_dice) = (of_rules(dice.take()), of_rules(book.dice.take()));
        difference((&engine, &engines_dice), (&other, &books_dice), turn, &told)?;
        if outcome.is_some() {
            break;
        }
    }
    Ok(())
}

/// Sessions in which nobody goes out and effects pile up until there is no room for more.
fn piles_of_effects() -> impl Strategy<Value = String> {
    let effect = (0..4usize, 1..=3u8, 0..=3u8, 7..=13u8).prop_map(|(kind, more, hits, rounds)| {
        let kind = ["Power", "Guard Down", "Thorns", "Poison"][kind];
        // Poison ticks, so that only a strong one stays for long.
        let (intensity, hits) = if kind == "Poison" { (more + 9, 0) } else { (more, hits) };
        let mut effect = format!("{{ name = \"{kind}\", intensity = {intensity}");
        if hits > 0 {
            effect += &format!(", hitduration = {hits}");
        }
        if rounds <= 12 || hits == 0 && kind != "Poison" {
            effect += &format!(", roundduration = {rounds}");
        }
        effect + " }"
    });
    let cards = proptest::collection::vec((effect.clone(), effect.clone(), effect), 6);
    cards.prop_map(|cards| {
        let mut text = "game = \"eldertale\"\nbattles = 1\nlast_round = 20\n".to_owned();
        for (at, (one, other, third)) in cards.into_iter().enumerate() {
            text += &format!(
                "[[cards]]\ntitle = \"Card {at}\"\ntype = \"Utility\"\ncost = 1\ntargets = \"one\"\n\
                 effects = [{one}, {other}, {third}]\n"
            );
        }
        text += "[[cards]]\ntitle = \"Poke\"\ntype = \"Attack\"\ncost = 1\ndamage = 1\n";
        for name in ["One", "Other"] {
            text += &format!(
                "[[characters]]\nname = \"{name}\"\nhp = 9000\npolicy = \"random\"\n\
                 deck = [\"Card 0\", \"Card 1\", \"Card 2\", \"Card 3\", \"Card 4\", \"Card 5\", \"Poke\"]\n"
            );
        }
        text + "[sides]\na = [\"One\"]\nb = [\"Other\"]\n"
    })
}

proptest! {
    #![proptest_config(crate::reference::tries(2000))]

    #[test]
    fn piles_of_effects_go_the_same_in_both(text in piles_of_effects(), seed: u64) {
        let document = Document::new("piles.toml", text, Folder::Disk("nowhere".into()));
        let setup = load::<ElderTale>(&document)
            .unwrap_or_else(|faults| panic!("{faults:?}"))
            .setup;
        both_play(&setup, seed)?;
    }

    #[test]
    fn sessions_go_the_same_in_both(session in setups::sessions(), seed: u64) {
        both_play(&session.0, seed)?;
    }
    #[test]
    fn made_up_scenarios(text in crate::made_up::eldertale(), seed: u64) {
        let document = Document::new("made up.toml", text, Folder::Disk("nowhere".into()));
        both_play(&load::<ElderTale>(&document).expect("a sound scenario").setup, seed)?;
    }
}
