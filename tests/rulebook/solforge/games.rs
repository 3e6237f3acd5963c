//! SF-X: what a player may do in a turn of a whole game.

use std::collections::BTreeMap;

use evens::chance::Seeded;
use evens::game::{Side, Stratum, Watch, play};
use evens::games::solforge::SolForge;
use evens::games::solforge::event::Event;
use evens::games::solforge::setup::Setup;
use evens::games::solforge::state::State;
use evens::scenario::{Document, Folder, load};

/// What happened in one turn.
#[derive(Clone, Debug, Default)]
struct Turn {
    /// Cards played or levelled that cost a play.
    paid: usize,
    /// Cards played for free.
    free: usize,
    /// How often each creature, known by its space, was activated, and how often it moved.
    activated: BTreeMap<u16, usize>,
    moved: BTreeMap<u16, usize>,
    /// The longest move, in lanes.
    farthest: u8,
}

/// Collects the turns of whole games.
#[derive(Default)]
struct Turns {
    turns: Vec<Turn>,
}

impl Watch<SolForge> for Turns {
    fn see(&mut self, setup: &Setup, state: &State, event: Event) {
        if let Event::Turn(_) = event {
            self.turns.push(Turn::default());
        }
        let Some(turn) = self.turns.last_mut() else { return };
        match event {
            Event::Plays(_, form) if setup.cards().form(form).free => turn.free += 1,
            Event::Plays(..) | Event::Levels(..) => turn.paid += 1,
            Event::Activates(who, _) => {
                assert!(state.at(who.side(), who.lane).is_offensive(), "never on the defensive");
                *turn.activated.entry(key(who.side(), who.lane)).or_default() += 1;
            }
            Event::Moves(who, from, _) => {
                assert!(state.at(who.side(), who.lane).is_offensive(), "never on the defensive");
                assert_eq!(who.side(), state.active);
                // The count goes with the creature from its old space to its new one.
                let was = turn.moved.remove(&key(who.side(), from)).unwrap_or(0);
                turn.moved.insert(key(who.side(), who.lane), was + 1);
                turn.farthest = turn.farthest.max(who.lane.abs_diff(from));
            }
            _ => {}
        }
    }
}

fn key(side: Side, lane: u8) -> u16 {
    u16::from(side.0) * 5 + u16::from(lane)
}

/// A game in which both decks are ten cards of these rules, three copies each.
fn setup(card: &str, rules: &str) -> Setup {
    let names: Vec<String> = (0..10).map(|at| format!("Card {at}")).collect();
    let cards: String = names
        .iter()
        .map(|name| format!("[[cards]]\nname = \"{name}\"\nfaction = \"tempys\"\n{card}\n"))
        .collect();
    let deck: String = names.iter().map(|name| format!("\"{name}\" = 3\n")).collect();
    let text = format!(
        "game = \"solforge\"\nbattles = 1\n{cards}[[decks]]\nname = \"X\"\n[decks.cards]\n{deck}\
         [sides]\na = [\"X\"]\nb = [\"X\"]\n{rules}"
    );
    let loaded = load::<SolForge>(&Document::new("case.toml", text, Folder::Disk("".into())));
    loaded.unwrap_or_else(|faults| panic!("{:?}", miette::Report::new(faults))).setup
}

/// All turns of ten such games.
fn turns(card: &str, rules: &str) -> Vec<Turn> {
    let setup = setup(card, rules);
    let mut watch = Turns::default();
    for seed in 0..10 {
        let stratum = Stratum { matchup: 0, condition: 0 };
        play::<SolForge, _, _>(&setup, stratum, &mut Seeded::from_seed(seed), &mut watch);
    }
    watch.turns
}

const RULES: &str = "[rules]\nlast_turn = 20\nlife = 10000\n";

#[test]
fn sf_x_two_cards_a_turn_and_one_in_the_first() {
    for (rules, first, later) in [("", 1, 2), ("first_plays = 3\nplays = 4\n", 3, 4)] {
        let turns = turns("attack = [1]\nhealth = [9]", &format!("{RULES}{rules}"));
        for (at, turn) in turns.iter().enumerate() {
            assert_eq!(turn.paid, if at % 20 == 0 { first } else { later }, "turn {at}");
        }
    }
}

#[test]
fn sf_x_a_free_card_costs_no_play() {
    let spell = "levels = 1\nfree = [1]\n[[cards.abilities]]\nwhen = \"cast\"\n\
                 do = [{ life = { who = \"you\", amount = 1 } }]";
    let turns = turns(spell, RULES);
    assert!(turns.iter().all(|turn| turn.paid + turn.free <= 5 && turn.paid <= 2));
    assert!(turns.iter().any(|turn| turn.free > 2), "more than two in a turn");
}

#[test]
fn sf_x_mobility_is_one_move_a_turn_on_the_offensive() {
    let turns = turns("attack = [0]\nhealth = [9]\nmobility = 2", RULES);
    let moves = |turn: &Turn| turn.moved.values().copied().max().unwrap_or(0);
    assert_eq!(turns.iter().map(moves).max(), Some(1));
    assert_eq!(turns.iter().map(|turn| turn.farthest).max(), Some(2));
    let moving = turns.iter().skip(4).filter(|turn| !turn.moved.is_empty()).count();
    assert!(moving * 4 > turns.len(), "turn after turn");
}

/// The levels of the cards in side A's hand at the start of its turn after the first rise in rank.
struct Hands(Vec<u8>);

impl Watch<SolForge> for Hands {
    fn see(&mut self, setup: &Setup, state: &State, event: Event) {
        if let Event::Turn(Side(0)) = event
            && state.player(Side::A).turns == 5
        {
            let hand = &state.player(Side::A).hand;
            self.0.extend(hand.iter().map(|&form| setup.cards().form(form).level));
        }
    }
}

#[test]
fn sf_30_a_scenario_can_draw_after_the_discard_pile_has_come_back() {
    let levels = |rules: &str| {
        let setup = setup("attack = [1, 1, 1]\nhealth = [9, 9, 9]", &format!("{RULES}{rules}"));
        let mut hands = Hands(Vec::new());
        for seed in 0..10 {
            let stratum = Stratum { matchup: 0, condition: 0 };
            play::<SolForge, _, _>(&setup, stratum, &mut Seeded::from_seed(seed), &mut hands);
        }
        hands.0.iter().copied().max()
    };
    // Ten cards of level 1 are left in the deck after twenty were drawn.
    assert_eq!(levels(""), Some(1));
    assert_eq!(levels("reshuffle = \"before_drawing\"\n"), Some(2));
}

#[test]
fn sf_x_an_ability_can_be_used_as_often_as_it_says_in_a_game_too() {
    for (when, times) in [("activate", 1), ("activate_twice", 2)] {
        let card = format!(
            "attack = [0]\nhealth = [9]\n[[cards.abilities]]\nwhen = \"{when}\"\ndo = [{{ gain = {{ attack = 1 }} }}]"
        );
        let turns = turns(&card, RULES);
        let most = turns.iter().flat_map(|turn| turn.activated.values().copied()).max();
        assert_eq!(most, Some(times));
    }
}
