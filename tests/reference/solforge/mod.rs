//! SolForge, implemented a second time: positions and whole games, batch by batch, as the rulebook describes them.

mod battle;
mod choose;
mod game;
mod generate;
mod greedy;
mod invent;
mod places;
mod resolve;
mod steps;
mod table;
mod turn;
mod whole;

use std::ops::ControlFlow;
use std::panic::{AssertUnwindSafe, catch_unwind};

use evens::game::{Game as _, Outcome, Side, Stratum, Watch};
use evens::games::solforge::SolForge;
use evens::games::solforge::ability::Pick;
use evens::games::solforge::event::{Event, Ref};
use evens::games::solforge::policy::Policy;
use evens::games::solforge::rolls::Roll;
use evens::games::solforge::setup::{Play, Setup, Step};
use evens::games::solforge::state::{self, Fading, Form, State};
use evens::scenario::{Document, Folder, load};
use proptest::prelude::*;

use crate::reference::tape::{Recorder, Tape};
use game::{Dice, Game};
use table::{Creature, Numbers, Player, PutOff, Table, spaces};

fn numbers(of: &Fading) -> Numbers {
    Numbers {
        attack: of.attack.into(),
        health: of.health.into(),
        armor: of.armor.into(),
        mobility: of.mobility.into(),
        battles: of.battles.into(),
        keywords: of.keywords,
    }
}

/// Converts a creature of the engine; None for an empty space.
fn creature(of: &state::Creature) -> Option<Creature> {
    of.is_somebody().then(|| Creature {
        id: of.id,
        form: of.form,
        own: Numbers {
            attack: of.attack.into(),
            health: of.health.into(),
            armor: of.armor.into(),
            mobility: of.mobility.into(),
            battles: of.battles.into(),
            keywords: of.keywords,
        },
        damage: of.damage.into(),
        armor_used: of.armor_used.into(),
        poison: of.poison.into(),
        regenerate: of.regenerate.into(),
        destroyed: of.destroyed,
        defensive: of.defensive,
        battled: of.battled.into(),
        activated: of.activated.into(),
        moved: of.moved,
        blank: of.blank,
        ends: [numbers(&of.fading[0]), numbers(&of.fading[1])],
        granted: of.granted().iter().map(|grant| (grant.ability, grant.turns)).collect(),
        killed: (of.killed > 0).then_some(of.killed.into()),
    })
}

fn player(of: &state::Player) -> Player {
    Player {
        life: of.life.into(),
        armor: of.armor.into(),
        armor_used: of.armor_used.into(),
        rank: of.rank.into(),
        turns: of.turns.into(),
        plays: of.plays.into(),
        played: of.played.into(),
        hand: of.hand.to_vec(),
        deck: of.deck.to_vec(),
        discard: of.discard.to_vec(),
    }
}

fn put_off(of: &state::PutOff) -> PutOff {
    let number = |of: Ref| (of.id != 0).then_some(of.id);
    PutOff {
        ability: of.ability,
        at: of.at,
        owner: of.source.side.into(),
        source: number(of.source),
        subject: number(of.subject),
    }
}

/// Converts the engine's state, as a starting point and for comparison.
fn table(state: &State) -> Table {
    let lane = |side: Side, lane: usize| creature(state.at(side, lane as u8));
    Table {
        field: [Side::A, Side::B].map(|side| std::array::from_fn(|at| lane(side, at))),
        players: [player(state.player(Side::A)), player(state.player(Side::B))],
        active: state.active.index(),
        battles_open: state.battles_open.into(),
        fought: state.fought,
        sudden_death: state.sudden_death,
        verdict: state.verdict,
        dead: state.dead.to_vec(),
        put_off: state.put_off.iter().map(put_off).collect(),
        next_id: state.next_id,
        displaced: Vec::new(),
    }
}

fn sorted(pile: &[Form]) -> Vec<Form> {
    let mut pile = pile.to_vec();
    pile.sort_unstable();
    pile
}

/// Fails at the first difference.
fn compare(setup: &Setup, engine: &Table, second: &Table) {
    assert_eq!(engine.verdict, second.verdict, "verdict: engine, reference");
    if engine.verdict.is_some() {
        // The rest of the state means nothing once a game is decided.
        return;
    }
    for space in spaces() {
        let (one, other) = (engine.at(space), second.at(space));
        let label = one.or(other).map(|creature| setup.cards().label(creature.form));
        assert_eq!(one, other, "{space:?} {label:?}: engine, reference");
    }
    for (one, other) in engine.players.iter().zip(&second.players) {
        let tidy = |player: &Player| Player {
            hand: sorted(&player.hand),
            deck: sorted(&player.deck),
            discard: sorted(&player.discard),
            ..player.clone()
        };
        assert_eq!(tidy(one), tidy(other), "a player: engine, reference");
    }
    assert_eq!(engine.active, second.active, "active: engine, reference");
    assert_eq!(engine.battles_open, second.battles_open, "battles: engine, reference");
    assert_eq!(engine.fought, second.fought, "fought: engine, reference");
    assert_eq!(engine.sudden_death, second.sudden_death, "sudden death: engine, reference");
    assert_eq!(engine.put_off, second.put_off, "put off: engine, reference");
    assert_eq!(sorted(&engine.dead), sorted(&second.dead), "dead: engine, reference");
}

/// Keeps the events that it is told.
#[derive(Default)]
struct Told(Vec<Event>);

impl Watch<SolForge> for Told {
    fn see(&mut self, _: &Setup, _: &State, event: Event) {
        self.0.push(event);
    }
}

/// The most orders that are tried for copies of an ability that the engine's events do not tell apart.
const GUESSES: usize = 2000;

/// All that the reference needs for a step or a turn: the table before it, the dice, the engine's events, and the
/// engine's state after it.
struct Round<'a> {
    setup: &'a Setup,
    strict: bool,
    greedy: [bool; 2],
    answers: [Vec<(u16, Vec<Pick>)>; 2],
    before: &'a Table,
    tape: &'a Tape<Roll>,
    told: &'a [Event],
    after: &'a State,
}

impl Round<'_> {
    /// Plays the round and compares. Where the engine does not say which of several copies of an ability resolved, one
    /// of the possible orders must agree. Returns the table after the round, or None if there are too many orders to
    /// try.
    fn play(&self, play: impl Fn(&mut Game<'_>)) -> Option<Table> {
        let mut guesses: Vec<usize> = Vec::new();
        for _ in 0..=GUESSES {
            let mut game = Game {
                cards: self.setup.cards(),
                strict: self.strict,
                of_battle: false,
                table: self.before.clone(),
                waiting: Vec::new(),
                stamp: 0,
                dice: Dice::Thrown(self.tape.clone()),
                head: false,
                greedy: self.greedy,
                told: self.told.to_vec(),
                guesses: guesses.clone(),
                among: Vec::new(),
                answers: self.answers.clone(),
            };
            let compared = |game: &mut Game<'_>| {
                play(game);
                if game.table.verdict.is_none() {
                    game.dice.finish();
                    let resolves = |event: &&Event| matches!(event, Event::Resolves { .. });
                    let left: Vec<&Event> = game.told.iter().filter(resolves).collect();
                    assert!(left.is_empty(), "resolved by the engine alone: {left:?}");
                }
                compare(self.setup, &table(self.after), &game.table);
            };
            let failed = catch_unwind(AssertUnwindSafe(|| compared(&mut game))).err();
            let Some(failure) = failed else { return Some(game.table) };
            // The next combination of guesses, varying the last one first.
            guesses.resize(game.among.len(), 0);
            while let Some(last) = guesses.pop() {
                if last + 1 < game.among[guesses.len()] {
                    guesses.push(last + 1);
                    break;
                }
            }
            if guesses.is_empty() {
                std::panic::resume_unwind(failure);
            }
        }
        None
    }
}

/// The table at the beginning of a game: empty, then with hands drawn from decks that are given, or drawn as well.
fn begun(setup: &Setup, state: &State, tape: &Tape<Roll>, decks: Option<&[Vec<Form>; 2]>) -> Table {
    let mut empty = table(state);
    for player in &mut empty.players {
        (player.hand, player.deck, player.discard) = (vec![], vec![], vec![]);
    }
    let round = Round {
        setup,
        strict: true,
        greedy: [false; 2],
        answers: [vec![], vec![]],
        before: &empty,
        tape,
        told: &[],
        after: state,
    };
    let begin = |game: &mut Game<'_>| match decks {
        Some(decks) => game.begin_with(decks),
        None => game.begin(),
    };
    round.play(begin).expect("nothing resolves")
}

/// The players of a whole game: whether each decides greedily, and their decks unless these are drawn.
struct Players {
    greedy: [bool; 2],
    decks: Option<[Vec<Form>; 2]>,
}

/// Plays a whole game in both implementations, as far as the order of copies can be reconstructed. Returns how many
/// turns were compared.
fn agree_on_a_game(text: &str, players: impl Fn(&Setup) -> Players, seed: u64) -> u32 {
    let document = Document::new("case.toml", text.to_owned(), Folder::Disk("".into()));
    let setup = match load::<SolForge>(&document) {
        Ok(loaded) => loaded.setup,
        Err(faults) => panic!("{:?}\n{text}", miette::Report::new(faults)),
    };
    let mut chance = Recorder::new(seed);
    let mut told = Told::default();
    let stratum = Stratum { matchup: 0, condition: 0 };
    let mut state = SolForge::start(&setup, stratum, &mut chance, &mut told);
    let Players { greedy, decks } = players(&setup);
    let mut ours = begun(&setup, &state, &chance.take(), decks.as_ref());
    for turn in 0.. {
        told.0.clear();
        // The order of cards in piles and hands means nothing; it is taken from the engine so that dice mean the same
        // cards.
        for (own, of) in ours.players.iter_mut().zip(&state.players) {
            (own.hand, own.deck) = (of.hand.to_vec(), of.deck.to_vec());
            own.discard = of.discard.to_vec();
        }
        ours.dead = state.dead.to_vec();
        let flow = SolForge::round(&setup, &mut state, &mut chance, &mut told);
        let round = Round {
            setup: &setup,
            strict: true,
            greedy,
            answers: [vec![], vec![]],
            before: &ours,
            tape: &chance.take(),
            told: &told.0,
            after: &state,
        };
        let Some(after) = round.play(|game| game.turn(turn == 0)) else { return turn };
        ours = after;
        if let ControlFlow::Break(outcome) = flow {
            assert_eq!(outcome, ours.verdict.unwrap_or(Outcome::Undecided), "outcome");
            return turn + 1;
        }
    }
    0
}

/// Plays a position in both implementations. Returns whether it was compared to the end: where very many copies of one
/// ability wait together, their order cannot be reconstructed.
fn agree(text: &str, seed: u64) -> bool {
    // Steps that can never be taken are faults in a strict position; a loose one leaves them out.
    let read = |strict: bool| {
        let text = text.replace("[position]\n", &format!("[position]\nstrict = {strict}\n"));
        let document = Document::new("case.toml", text, Folder::Disk("".into()));
        load::<SolForge>(&document).map(|loaded| loaded.setup)
    };
    let setup = match read(true).or_else(|_| read(false)) {
        Ok(setup) => setup,
        Err(faults) => panic!("{:?}\n{text}", miette::Report::new(faults)),
    };
    let Play::Position(position) = setup.play() else { panic!("no position") };
    let mut chance = Recorder::new(seed);
    let mut told = Told::default();
    let stratum = Stratum { matchup: 0, condition: 0 };
    let mut state = SolForge::start(&setup, stratum, &mut chance, &mut told);
    let mut ours = table(&state);
    let in_turn = position.steps[0] != Step::StartTurn;
    for (side, player) in ours.players.iter().enumerate() {
        // A rank rises after every fourth turn of a player; the active player's current turn does not count yet.
        let over = player.turns - i32::from(in_turn && side == ours.active && player.turns > 0);
        assert_eq!(player.rank, 1 + over / 4, "rank to begin with");
    }
    loop {
        told.0.clear();
        let flow = SolForge::round(&setup, &mut state, &mut chance, &mut told);
        let tape = chance.take();
        let round = Round {
            setup: &setup,
            strict: position.strict,
            greedy: [false; 2],
            answers: [0, 1].map(|side: usize| match &position.policies[side] {
                Policy::Answers(answers) => {
                    answers.iter().map(|answer| (answer.card, answer.prefer.clone())).collect()
                }
                _ => Vec::new(),
            }),
            before: &ours,
            tape: &tape,
            told: &told.0,
            after: &state,
        };
        let step = &position.steps[usize::from(state.step) - 1];
        let Some(after) = round.play(|game| game.step(step)) else { return false };
        ours = after;
        // Only the hand has an order, which is taken from the engine.
        for side in 0..2 {
            ours.players[side].hand = state.players[side].hand.to_vec();
        }
        if let ControlFlow::Break(outcome) = flow {
            assert_eq!(outcome, ours.verdict.unwrap_or(Outcome::Undecided), "outcome");
            return true;
        }
    }
}

proptest! {
    #![proptest_config(crate::reference::tries(800))]

    #[test]
    fn positions(text in generate::position(generate::Collection::bundled()), seed: u64) {
        prop_assume!(agree(&text, seed));
    }
}

proptest! {
    #![proptest_config(crate::reference::tries(200))]

    #[test]
    fn positions_of_later_cards(text in generate::position(later_cards()), seed: u64) {
        prop_assume!(agree(&text, seed));
    }
}

proptest! {
    #![proptest_config(crate::reference::tries(40))]

    #[test]
    fn positions_of_invented_cards(
        text in invent::cards().prop_flat_map(generate::position),
        seed: u64,
    ) {
        prop_assume!(agree(&text, seed));
    }
}

fn later_cards() -> generate::Collection {
    let more = include_str!("../../../scenarios/solforge/cards/more.toml");
    generate::Collection::with(more.to_owned()).expect("the file makes sense")
}

proptest! {
    #![proptest_config(crate::reference::tries(40))]

    #[test]
    fn whole_games(life in 10..60i16, seed: u64) {
        prop_assert!(agree_on_a_game(&whole_game(life, "random"), |_| both(false), seed) > 1);
    }
}

proptest! {
    #![proptest_config(crate::reference::tries(40))]

    #[test]
    fn whole_games_of_greedy_players(life in 10..120i16, seed: u64) {
        prop_assert!(agree_on_a_game(&whole_game(life, "greedy"), |_| both(true), seed) > 1);
    }
}

proptest! {
    #![proptest_config(crate::reference::tries(30))]

    #[test]
    fn made_up_scenarios(text in crate::made_up::solforge(), seed: u64) {
        prop_assert!(agree_on_a_game(&text, |setup| with_decks(setup, &text), seed) > 1);
    }
}

/// Players of drawn decks, both greedy or both random.
fn both(greedy: bool) -> Players {
    Players { greedy: [greedy; 2], decks: None }
}

/// The players of a scenario that gives each of them a deck, side A's first.
fn with_decks(setup: &Setup, text: &str) -> Players {
    let read: toml::Table = text.parse().expect("it was loaded");
    let decks = read["decks"].as_array().expect("decks");
    let deck = |at: usize| {
        let cards = decks[at]["cards"].as_table().expect("cards");
        let copies = |(name, times): (&String, &toml::Value)| {
            let card = setup.cards().find(name).expect("it was loaded");
            vec![Form(card.forms.start); times.as_integer().expect("a number") as usize]
        };
        cards.iter().flat_map(copies).collect()
    };
    let greedy = |at: usize| decks[at]["policy"].as_str() == Some("greedy");
    Players { greedy: [0, 1].map(greedy), decks: Some([0, 1].map(deck)) }
}

fn whole_game(life: i16, policy: &str) -> String {
    format!(
        "game = \"solforge\"\nbattles = 1\n[[pools]]\nname = \"X\"\npolicy = \"{policy}\"\n[sides]\n\
         a = [\"X\"]\nb = [\"X\"]\n[rules]\nlife = {life}\nlast_turn = 40\n"
    )
}

/// Technosmith levels one of two copies in hand: a later die must mean the same card whichever of them it was.
#[test]
fn a_game_with_copies_in_hand() {
    agree_on_a_game(&whole_game(10, "random"), |_| both(false), 15851728553556632502);
}

/// A greedy player thinks through a batch with Death Seeker's vengeance and Grimgaunt Doomrider.
#[test]
fn a_thought_of_deaths_in_one_batch() {
    agree_on_a_game(&whole_game(31, "greedy"), |_| both(true), 14468393575720202997);
}

/// A greedy player considers casting a spell after the battle, in which another creature moves into the space of its
/// target.
#[test]
fn a_thought_of_a_spell_put_off() {
    agree_on_a_game(&whole_game(29, "greedy"), |_| both(true), 11387217621477462624);
}

/// A greedy player considers casting a spell after the battle, in which its target moves away.
#[test]
fn a_thought_of_a_spell_put_off_on_nobody() {
    agree_on_a_game(&whole_game(28, "greedy"), |_| both(true), 12037521199935708029);
}

/// A scenario of two decks, with three of each card, for players with these policies.
fn of_decks(policies: [&str; 2], cards: [[&str; 10]; 2]) -> String {
    let deck = |name: &str, at: usize| {
        let cards: String = cards[at].iter().map(|card| format!("{card:?} = 3\n")).collect();
        let policy = policies[at];
        format!("[[decks]]\nname = {name:?}\npolicy = {policy:?}\n[decks.cards]\n{cards}")
    };
    let sides = "game = \"solforge\"\nbattles = 16\n[sides]\na = [\"one\"]\nb = [\"other\"]\n";
    format!("{sides}{}{}", deck("one", 0), deck("other", 1))
}

/// A deck of one faction.
const ALLOYIN: [&str; 10] = [
    "Alloyin General",
    "Anvillon Arbiter",
    "Barrier Soldier",
    "Battle Techtician",
    "Brightsteel Gargoyle",
    "Ghox, Metamind Paragon",
    "Heavy Artillery",
    "Nexus Aeronaut",
    "Oratek Explosives",
    "Technosmith",
];

/// A game in which Wildfire Maiden, whose attack has fallen below 0, loses none of it.
#[test]
fn a_game_in_which_an_attack_below_0_is_taken_away() {
    let other = [
        "Abraxas, Avatar of Kadras",
        "Avalanche Invoker",
        "Call the Lightning",
        "Fervent Assault",
        "Glacial Crush",
        "Lightning Spark",
        "Saberfang",
        "Storm Bringer",
        "Wildfire Maiden",
        "Zyx, Storm Herald",
    ];
    let text = of_decks(["random", "random"], [ALLOYIN, other]);
    agree_on_a_game(&text, |setup| with_decks(setup, &text), 2502902988381313094);
}

/// A greedy player plans to level two cards. A second look would have found a copy of the first, which counts as the
/// same choice.
#[test]
fn a_game_in_which_two_levellings_are_planned_together() {
    let other = [
        "Dissolve",
        "Glowhive Siren",
        "Lifeshaper Savant",
        "Mossbeard Patriarch",
        "Runegrove Guardian",
        "Shardplate Behemoth",
        "Spring Dryad",
        "Venomous Netherscale",
        "Weirwood Patriarch",
        "Wildwood Sower",
    ];
    let text = of_decks(["greedy", "random"], [ALLOYIN, other]);
    agree_on_a_game(&text, |setup| with_decks(setup, &text), 9710052430170316985);
}

/// A greedy player thinks through playing Weirwood Patriarch to the right of Spring Dryad, which puts abilities of both
/// into one batch.
#[test]
fn a_thought_of_a_creature_whose_own_ability_waits_first() {
    let one = [
        "Ether Hounds",
        "Ferocious Roar",
        "Glowhive Siren",
        "Oros, Deepwood's Chosen",
        "Runegrove Guardian",
        "Shardplate Behemoth",
        "Shardplate Mutant",
        "Spring Dryad",
        "Venomous Netherscale",
        "Weirwood Patriarch",
    ];
    let other = [
        "Dryad's Boon",
        "Enrage",
        "Ferocious Roar",
        "Runegrove Guardian",
        "Shardplate Behemoth",
        "Shardplate Mutant",
        "Spring Dryad",
        "Venomous Netherscale",
        "Weirwood Patriarch",
        "Wildwood Sower",
    ];
    let text = of_decks(["greedy", "greedy"], [one, other]);
    agree_on_a_game(&text, |setup| with_decks(setup, &text), 4478274937414244659);
}
