//! Laws of SolForge games.

use enumset::EnumSet;
use evens::Scenario;
use evens::chance::Seeded;
use evens::game::{Outcome, Side, Stratum, Watch, play};
use evens::games::solforge::SolForge;
use evens::games::solforge::ability::{Choice, Filter, Hook, Number, Options, Pick};
use evens::games::solforge::cards::vocabulary::{Kind, Place, SideForm};
use evens::games::solforge::event::{Event, Ref};
use evens::games::solforge::form::bundled;
use evens::games::solforge::policy::Policy;
use evens::games::solforge::rules::statics;
use evens::games::solforge::setup::{Brings, Deck, Games, Play, Rules, Setup};
use evens::games::solforge::state::{CARDS, Fading, Form, PILE, Spaces, State};
use evens::scenario::{Document, Folder, load};
use evens::tally::Measure;
use evens::walk as exact;
use num_rational::BigRational;
use num_traits::ToPrimitive;
use proptest::prelude::*;

use super::{bundled_scenario, exact as laws, played};

/// Checks what must be true of every state, after every event.
#[derive(Default)]
struct Invariants {
    turns: u32,
}

impl Watch<SolForge> for Invariants {
    fn see(&mut self, setup: &Setup, state: &State, event: Event) {
        let mut ids = Vec::new();
        for side in [Side::A, Side::B] {
            for lane in 0..5 {
                let creature = state.at(side, lane);
                assert_eq!(state.occupied.has(side, lane), creature.is_somebody(), "{event:?}");
                assert_eq!(
                    state.is_free(side, lane),
                    !creature.is_somebody() || creature.destroyed
                );
                sets_say_who_is_there(setup, state, side, lane, event);
                if creature.is_somebody() {
                    ids.push(creature.id);
                    assert_eq!(setup.cards().form(creature.form).kind, Kind::Creature);
                    assert!(creature.damage >= 0 && creature.armor_used >= 0);
                }
            }
            let player = state.player(side);
            assert!(player.hand.len() + player.deck.len() + player.discard.len() <= CARDS);
        }
        let creatures = ids.len();
        ids.sort_unstable();
        ids.dedup();
        assert_eq!(ids.len(), creatures, "no two creatures are the same: {event:?}");
        if let Event::Turn(_) = event {
            self.turns += 1;
            for (side, lane) in state.occupied {
                let creature = state.at(side, lane);
                assert!(!creature.destroyed);
                let number = 1 + 5 * u16::from(side.0) + u16::from(lane);
                assert_eq!((creature.id, creature.killed), (number, 0), "the field is at rest");
                assert!(statics::health(setup.cards(), state, side, lane) > 0, "nobody lives on");
            }
            let alive = state.players.iter().all(|player| player.life > 0);
            assert!(alive || state.sudden_death);
        }
    }
}

/// The sets that keep facts about spaces agree with the creature that stands there.
fn sets_say_who_is_there(setup: &Setup, state: &State, side: Side, lane: u8, event: Event) {
    let creature = state.at(side, lane);
    let data = setup.cards().form(creature.form);
    let stands = creature.is_somebody() && !creature.destroyed;
    let is_able = stands && !creature.blank;
    let is_in = |spaces: Spaces| spaces.has(side, lane);
    assert_eq!(is_in(state.standing), stands, "standing: {event:?}");
    assert_eq!(is_in(state.mobile), stands && creature.mobility > 0, "mobile: {event:?}");
    assert_eq!(is_in(state.granted), stands && !creature.granted().is_empty(), "{event:?}");
    let fades = creature.fading.iter().any(|fading| *fading != Fading::default())
        || creature.granted().iter().any(|grant| grant.turns > 0);
    assert_eq!(is_in(state.fading), creature.is_somebody() && fades, "fading: {event:?}");
    for hook in EnumSet::<Hook>::all() {
        let listens = is_able && data.hooks.contains(hook);
        assert_eq!(is_in(state.listening[hook as usize]), listens, "{hook:?}: {event:?}");
    }
    for number in EnumSet::<Number>::all() {
        let touches = is_able && data.touches.contains(number);
        assert_eq!(is_in(state.statics[number as usize]), touches, "{number:?}: {event:?}");
    }
}

/// All spaces, side A first.
fn spaces() -> impl Iterator<Item = (Side, u8)> + Clone {
    [Side::A, Side::B].into_iter().flat_map(|side| (0..5).map(move |lane| (side, lane)))
}

proptest! {
    /// A set of options behaves like a list without duplicates.
    #[test]
    fn options_are_a_list(
        by in 0..2u8,
        creatures in prop::collection::vec(any::<bool>(), 10),
        players in prop::sample::subsequence(vec![Side::A, Side::B], 0..=2),
        free in prop::collection::vec(any::<bool>(), 5),
        cards in 0..=PILE,
        taken in prop::collection::vec(0..70usize, 0..4),
    ) {
        let by = Side(by);
        let mut among = Spaces::default();
        let mut list: Vec<Pick> = Vec::new();
        for ((side, lane), is_in) in spaces().zip(creatures) {
            among.set(side, lane, is_in);
            list.extend(is_in.then_some(Pick::Creature(side, lane)));
        }
        let mut options = Options::creatures(among, by);
        for side in [by.other(), by] {
            if players.contains(&side) {
                options.add(Pick::Player(side));
                list.push(Pick::Player(side));
            }
        }
        let mut empty = Spaces::default();
        for lane in (0..5).filter(|&lane| free[usize::from(lane)]) {
            empty.set(by, lane, true);
            list.push(Pick::Space(by, lane));
        }
        Options::spaces(empty, by).for_each(|space| options.add(space));
        Options::cards(cards, by).for_each(|card| options.add(card));
        list.extend((0..cards as u8).map(Pick::Card));
        for at in taken {
            if at < list.len() {
                options.remove(list.remove(at));
            }
        }
        options.remove(Pick::Nothing);
        options.remove(Pick::Space(by.other(), 0));
        prop_assert_eq!(options.len(), list.len());
        prop_assert_eq!(options.is_empty(), list.is_empty());
        for at in 0..=list.len() {
            prop_assert_eq!({ options }.nth(at), list.get(at).copied());
        }
        prop_assert_eq!(options.collect::<Vec<_>>(), list);
    }
}

/// The spaces that a filter means are those that its words name, checked one by one.
#[test]
fn spaces_of_filters_are_those_that_their_words_name() {
    let cards = bundled();
    let of_choice = |choice: &Option<Choice>| choice.as_ref().map(|choice| choice.from);
    let choices = cards.abilities.iter().flat_map(|of| [&of.choice, &of.also]);
    let any = choices.filter_map(of_choice).next().expect("some card chooses");
    let mut tried = 0;
    for side in [SideForm::Any, SideForm::Friend, SideForm::Enemy] {
        for place in [Place::Anywhere, Place::Adjacent, Place::Opposite] {
            for lanes in 0..1 << 5 {
                let filter = Filter { side, place, lanes, ..any };
                for (of, at) in spaces() {
                    let source = Ref { id: 1, form: Form(0), side: of.0, lane: at };
                    for (other, lane) in spaces() {
                        let is_side = match side {
                            SideForm::Any => true,
                            SideForm::Friend => other == of,
                            SideForm::Enemy => other != of,
                        };
                        let is_place = match place {
                            Place::Anywhere => true,
                            Place::Adjacent => other == of && lane.abs_diff(at) == 1,
                            Place::Opposite => other != of && lane == at,
                        };
                        let is_lane = lanes == 0 || lanes >> lane & 1 == 1;
                        let meant = is_side && is_place && is_lane;
                        assert_eq!(filter.spaces(source).has(other, lane), meant, "{filter:?}");
                        tried += 1;
                    }
                }
            }
        }
    }
    assert_eq!(tried, 9 * 32 * 10 * 10);
}

/// Decks of any ten cards, three copies of each, whatever their factions.
fn any_deck() -> impl Strategy<Value = Vec<Form>> {
    let cards = bundled().cards.iter().filter(|card| !card.token);
    let firsts: Vec<Form> = cards.filter_map(|card| card.at_level(1)).collect();
    prop::sample::subsequence(firsts, 10)
        .prop_map(|cards| cards.into_iter().flat_map(|card| [card; 3]).collect())
}

fn games(decks: [(Vec<Form>, Policy); 2]) -> Setup {
    let decks = decks.map(|(cards, policy)| Deck {
        name: String::new(),
        brings: Brings::Fixed(cards),
        policy,
    });
    let games = Games { decks: decks.to_vec(), matchups: vec![[0, 1]], rules: Rules::default() };
    Setup::unchecked(bundled().clone(), Play::Games(games))
}

const ONLY: Stratum = Stratum { matchup: 0, condition: 0 };

/// A number that a scenario may state, sometimes an absurd one.
fn any_number() -> impl Strategy<Value = i16> {
    prop_oneof![8 => -20..60i16, 1 => prop::sample::select(vec![i16::MIN, -9999, 9999, i16::MAX])]
}

fn any_card(kinds: &'static [Kind]) -> impl Strategy<Value = String> {
    let all = bundled();
    let forms = all.forms.iter().enumerate().filter(|(_, form)| kinds.contains(&form.kind));
    let label = |(at, form): (usize, &evens::games::solforge::setup::FormData)| {
        format!("{}@{}", all.card(Form(at as u16)).name, form.level)
    };
    prop::sample::select(forms.map(label).collect::<Vec<_>>())
}

/// Creatures of a side, with any numbers and states.
fn any_creatures() -> impl Strategy<Value = String> {
    let numbers = (any_number(), any_number(), prop_oneof![4 => Just(0i16), 1 => 0..9i16]);
    let more = (prop_oneof![6 => Just(0i16), 1 => any_number()], any::<bool>(), 0..3u8);
    let creature = (any_card(&[Kind::Creature]), numbers, more);
    prop::collection::vec(creature, 5).prop_map(|creatures| {
        let creatures = creatures.into_iter().enumerate().filter_map(|(lane, creature)| {
            let (card, (attack, health, damage), (poison, defensive, there)) = creature;
            let health = health.saturating_abs().max(1).saturating_add(damage);
            let poison = poison.saturating_abs();
            (there > 0).then(|| {
                let lane = lane + 1;
                format!(
                    "{{ card = {card:?}, lane = {lane}, attack = {attack}, health = {health}, \
                     damage = {damage}, poison = {poison}, defensive = {defensive} }}"
                )
            })
        });
        creatures.collect::<Vec<_>>().join(", ")
    })
}

/// A step that the active player tries, whether or not it is possible.
fn any_step(hand: Vec<String>) -> impl Strategy<Value = String> {
    let lane = 1..=5u8;
    let space = (prop::sample::select(vec!["A", "B"]), lane.clone());
    let play = (prop::sample::select(hand.clone()), lane.clone(), space.clone());
    prop_oneof![
        4 => play.prop_map(|(card, lane, (side, at))| {
            let (name, level) = card.rsplit_once('@').unwrap();
            let all = bundled();
            let form = all.find(name).unwrap().at_level(level.parse().unwrap()).unwrap();
            let data = all.form(form);
            let mut abilities = data.abilities.clone().map(|id| &all.abilities[usize::from(id)]);
            let more = match (data.kind, abilities.any(|ability| ability.choice.is_some())) {
                (Kind::Creature, _) => format!(", lane = {lane}"),
                (Kind::Spell, true) => format!(", targets = [\"{side}{at}\"]"),
                (Kind::Spell, false) => String::new(),
            };
            format!("{{ play = {{ card = {card:?}{more} }} }}")
        }),
        1 => prop::sample::select(hand).prop_map(|card| format!("{{ level = {card:?} }}")),
        2 => lane.clone().prop_map(|lane| format!("{{ activate = {{ lane = {lane} }} }}")),
        1 => (lane.clone(), lane).prop_map(|(from, to)| {
            format!("{{ move = {{ from = {from}, to = {to} }} }}")
        }),
        3 => Just("\"battle\"".to_owned()),
        2 => Just("\"end_turn\", \"start_turn\"".to_owned()),
    ]
}

/// A position with this many cards in hands and decks, in which this many steps are tried; results are counted.
fn any_position(
    cards: std::ops::RangeInclusive<usize>,
    steps: std::ops::RangeInclusive<usize>,
) -> impl Strategy<Value = Setup> {
    any_written_position(cards, steps).prop_map(|written| written.read(false))
}

/// A position as a scenario states it.
#[derive(Clone, Debug)]
struct Written {
    steps: Vec<String>,
    dead: Vec<String>,
    hands: [Vec<String>; 2],
    creatures: [String; 2],
    lives: [i16; 2],
}

fn any_written_position(
    cards: std::ops::RangeInclusive<usize>,
    steps: std::ops::RangeInclusive<usize>,
) -> impl Strategy<Value = Written> {
    let hand =
        move || prop::collection::vec(any_card(&[Kind::Creature, Kind::Spell]), cards.clone());
    let piles = (hand(), hand(), prop::collection::vec(any_card(&[Kind::Creature]), 0..5));
    (piles, any_creatures(), any_creatures(), any_number(), any_number())
        .prop_flat_map(move |((a, b, dead), of_a, of_b, life_a, life_b)| {
            let hands = [a.clone(), b.clone()].concat();
            let steps = prop::collection::vec(any_step(hands), steps.clone());
            (steps, Just((a, b, dead)), Just([of_a, of_b]), Just([life_a, life_b]))
        })
        .prop_map(|(steps, (a, b, dead), creatures, lives)| {
            let lives = lives.map(|life| life.saturating_abs().max(1));
            Written { steps, dead, hands: [a, b], creatures, lives }
        })
}

impl Written {
    /// The position; with `exchanged`, the two sides change places.
    fn read(&self, exchanged: bool) -> Setup {
        let Self { steps, dead, hands, creatures, lives } = self;
        let letters = if exchanged { ["b", "a"] } else { ["a", "b"] };
        let player = |at: usize| {
            let (side, hand, creatures, life) =
                (letters[at], &hands[at], &creatures[at], lives[at]);
            format!(
                "[position.{side}]\nlife = {life}\nturns = 3\nhand = {hand:?}\ndeck = {hand:?}\n\
                 creatures = [{creatures}]\n"
            )
        };
        let [own, other] = letters.map(str::to_uppercase);
        let mut steps = steps.join(", ");
        if exchanged {
            for lane in 1..=5 {
                let [a, b, between] = ["A", "B", "?"].map(|side| format!("\"{side}{lane}\""));
                steps = steps.replace(&a, &between).replace(&b, &a).replace(&between, &b);
            }
        }
        let text = format!(
            "game = \"solforge\"\nbattles = 1\n[position]\nstrict = false\nactive = \"{}\"\ndead = {dead:?}\n\
             steps = [{steps}]\n\
             results = [{{ name = \"life of the other\", read = {{ life = \"{other}\" }} }}, \
             {{ name = \"cards in hand\", read = {{ hand = \"{own}\" }} }}, \
             {{ name = \"health in the first lane\", read = {{ health = \"{own}1\" }} }}]\n{}{}",
            letters[0],
            player(0),
            player(1),
        );
        let loaded =
            load::<SolForge>(&Document::new("law.toml", text.clone(), Folder::Disk("".into())));
        loaded
            .map(|loaded| loaded.setup)
            .unwrap_or_else(|faults| panic!("{:?}\n{text}", miette::Report::new(faults)))
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 400, ..ProptestConfig::default() })]

    /// Positions of any cards with any numbers play to an end, whatever is tried in them.
    #[test]
    fn any_position_plays_to_an_end(setup in any_position(1..=12, 1..=14), seed: u64) {
        let mut watch = Invariants::default();
        play::<SolForge, _, _>(&setup, ONLY, &mut Seeded::from_seed(seed), &mut watch);
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 96, ..ProptestConfig::default() })]

    #[test]
    fn any_decks_play_to_an_end(a in any_deck(), b in any_deck(), seed: u64, greedy in 0..3u8) {
        // A greedy player is slow to watch in a debug build; one in three games has one.
        let policy = if greedy == 0 { Policy::Greedy } else { Policy::Random };
        let setup = games([(a, policy), (b, Policy::Random)]);
        let mut watch = Invariants::default();
        let ended =
            play::<SolForge, _, _>(&setup, ONLY, &mut Seeded::from_seed(seed), &mut watch);
        prop_assert_eq!(ended.rounds, watch.turns);
        let loser = match ended.outcome {
            Outcome::Win(winner) => winner.other(),
            _ => return Ok(()),
        };
        let lives = [loser, loser.other()].map(|side| ended.state.player(side).life);
        prop_assert!(lives[0] < lives[1], "the one with less life loses: {:?}", lives);
    }
}

/// Positions with few cards and few steps.
fn any_small() -> impl Strategy<Value = Setup> {
    any_position(1..=3, 1..=4)
}

#[test]
fn merging_states_changes_no_odds() {
    laws::merging_changes_nothing::<SolForge>(any_small(), 50, 20);
}

#[test]
fn packing_a_state_loses_nothing() {
    laws::packing_loses_nothing::<SolForge>(any_small(), 32);
}

#[test]
fn bounds_of_exact_odds_hold() {
    laws::bounds_hold::<SolForge>(any_small(), 30);
}

#[test]
fn sampled_results_lie_around_the_exact_ones() {
    laws::sampled_results_lie_around_the_exact_ones::<SolForge>(any_small(), 60);
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 200, ..ProptestConfig::default() })]

    /// Nothing but whose turn it is tells the players apart.
    #[test]
    fn exchanging_the_sides_exchanges_the_odds(
        written in any_written_position(1..=3, 1..=4),
    ) {
        let odds = |exchanged| laws::small_odds::<SolForge>(&written.read(exchanged));
        let (Some(straight), Some(exchanged)) = (odds(false), odds(true)) else {
            return Err(TestCaseError::reject("too many states"));
        };
        for (side, seat) in [(Side::A, Side::B), (Side::B, Side::A)] {
            let (win, won) = (Outcome::Win(side), Outcome::Win(seat));
            prop_assert_eq!(straight.of(win), exchanged.of(won));
        }
        prop_assert_eq!(straight.of(Outcome::Undecided), exchanged.of(Outcome::Undecided));
        prop_assert_eq!(straight.lengths, exchanged.lengths);
        prop_assert_eq!(straight.metrics, exchanged.metrics);
    }
}

#[test]
fn a_greedy_player_beats_a_random_one() {
    let deck = |of: &str| {
        let cards = bundled().cards.iter().filter(|card| !card.token);
        let mut deck: Vec<Form> = Vec::new();
        for card in cards.filter(|card| card.faction.to_string() == of).take(10) {
            deck.extend([card.at_level(1).unwrap(); 3]);
        }
        deck
    };
    let mut wins = [0, 0];
    for seed in 0..40 {
        let (greedy, random) = ((deck("Uterra"), Policy::Greedy), (deck("Uterra"), Policy::Random));
        let seat = (seed % 2) as u8;
        let setup = games(if seat == 0 { [greedy, random] } else { [random, greedy] });
        let mut dice = Seeded::from_seed(seed);
        let ended = play::<SolForge, _, _>(&setup, ONLY, &mut dice, &mut Invariants::default());
        if let Outcome::Win(winner) = ended.outcome {
            wins[usize::from(winner != Side(seat))] += 1;
        }
    }
    assert!(wins[0] >= 36, "{wins:?}");
}

#[test]
fn bundled_questions_have_their_exact_answers() {
    for (scenario, result, expected) in [
        ("solforge/dryad-and-patriarch", 2, (1, 2)),
        ("solforge/zimus-and-fell-walker", 0, (1, 10)),
        ("solforge/suruzal-and-doomrider", 0, (2, 3)),
    ] {
        let loaded = bundled_scenario::<SolForge>(scenario);
        let setup = &loaded.setup;
        let read = |state: &State| {
            let mut metrics = vec![0; 8];
            SolForge::metrics(setup, state, &mut metrics);
            metrics[result]
        };
        let exactly =
            exact::distribution::<SolForge, i64>(setup, ONLY, 10_000, |ended| read(&ended.state))
                .unwrap();
        let probability = BigRational::new(expected.0.into(), expected.1.into());
        assert_eq!(exactly[&1], probability, "{scenario}");
        let battles = 20_000;
        let (sampled, _) = played(Scenario::read(scenario).unwrap().engine(), battles, 2);
        let p = probability.to_f64().unwrap();
        let mean = p * battles as f64;
        let sigma = (mean * (1.0 - p)).sqrt();
        let seen = sampled.tally.matchups[0].sums[result] as f64;
        assert!((seen - mean).abs() < 4.0 * sigma, "{scenario}: {seen} of {mean}");
    }
}

#[test]
fn whether_oros_saves_his_player_is_exactly_the_seat() {
    let loaded = bundled_scenario::<SolForge>("solforge/cercee-and-oros");
    for (condition, outcome) in [(0, Outcome::Undecided), (1, Outcome::Win(Side::A))] {
        let stratum = Stratum { matchup: 0, condition };
        let odds = exact::outcomes::<SolForge>(&loaded.setup, stratum, 1000).unwrap();
        assert_eq!(odds.into_keys().collect::<Vec<_>>(), [outcome]);
    }
}

/// Checks the decks with which games begin, and collects their factions.
struct Decks {
    games: usize,
    kinds: std::collections::BTreeSet<Vec<String>>,
}

impl Watch<SolForge> for Decks {
    fn see(&mut self, setup: &Setup, state: &State, event: Event) {
        if event != Event::Begins {
            return;
        }
        for player in &state.players {
            let cards = setup.cards();
            let mut deck: Vec<Form> = player.hand.iter().chain(&player.deck).copied().collect();
            assert_eq!(deck.len(), CARDS);
            deck.sort_unstable();
            let most = deck.chunk_by(|one, other| one == other).map(<[Form]>::len).max();
            assert!(most <= Some(3), "three copies");
            let tokens = deck.iter().filter(|&&form| cards.card(form).token).count();
            assert_eq!(tokens, 0);
            let mut factions: Vec<String> =
                deck.iter().map(|&form| cards.form(form).faction.to_string()).collect();
            factions.sort_unstable();
            factions.dedup();
            assert!(factions.len() <= 2);
            self.kinds.insert(factions);
        }
        self.games += 1;
    }
}

#[test]
fn drawn_decks_are_legal_and_of_all_kinds() {
    let text = "game = \"solforge\"\nbattles = 1\n[[pools]]\nname = \"X\"\n\
                factions_in_deck = \"one_or_two\"\n[sides]\na = [\"X\"]\nb = [\"X\"]\n\
                [rules]\nlast_turn = 1\n";
    let document = Document::new("law.toml", text.to_owned(), Folder::Disk("".into()));
    let setup = load::<SolForge>(&document).unwrap_or_else(|faults| panic!("{faults:?}")).setup;
    let mut decks = Decks { games: 0, kinds: Default::default() };
    for seed in 0..200 {
        play::<SolForge, _, _>(&setup, ONLY, &mut Seeded::from_seed(seed), &mut decks);
    }
    assert_eq!((decks.games, decks.kinds.len()), (200, 4 + 6));
    // Every card of the decks is counted, whether or not it came into play.
    let scenario = Scenario::of(&document).unwrap();
    let (finished, _) = played(scenario.engine(), 50, 1);
    let counted: u64 = finished.tally.units.iter().map(|unit| unit.played).sum();
    assert!(counted >= 50 * 2 * 10, "{counted}");
}

/// The damage that a unit deals and takes in a position, on whichever side it is.
fn damage(text: &str, name: &str) -> (u64, u64) {
    let text = format!("game = \"solforge\"\nbattles = 1\n[position]\n{text}");
    let scenario = Scenario::of(&Document::new("law.toml", text, Folder::Disk("".into()))).unwrap();
    let (finished, _) = played(scenario.engine(), 10, 1);
    let units = &scenario.engine().layout().units;
    let at = units.iter().position(|unit| unit.name == name).unwrap();
    let of_contenders = finished.tally.units.chunks(units.len()).map(|units| &units[at]);
    of_contenders
        .fold((0, 0), |(dealt, taken), unit| (dealt + unit.dealt / 10, taken + unit.taken / 10))
}

/// A creature takes no more damage than it has health left, whatever was dealt and whatever killed it before; what
/// goes through by Breakthrough is dealt once, to the player.
#[test]
fn damage_counts_up_to_the_health_that_was_there() {
    let fight = "steps = [\"battle\"]\n\
                 [position.a]\ncreatures = [{ card = \"Crusher\", lane = 1 }]\n\
                 [position.b]\nlife = 3\ncreatures = [{ card = \"Mite\", lane = 1 }]\n\
                 [[cards]]\nname = \"Crusher\"\nfaction = \"uterra\"\nattack = [6]\nhealth = [9]\n\
                 keywords = [\"breakthrough\"]\n\
                 [[cards]]\nname = \"Mite\"\nfaction = \"nekrium\"\nattack = [1]\nhealth = [1]\n";
    assert_eq!(damage(fight, "Crusher"), (6, 1), "1 to the creature, 5 to the player");
    assert_eq!(damage(fight, "Mite"), (1, 1));
    let stopped = fight.replace("keywords = [\"breakthrough\"]", "");
    assert_eq!(damage(&stopped, "Crusher"), (1, 1));
    // Health that others lend is there to be taken; a second blow to what is dead already takes nothing.
    let lent = "steps = [{ play = { card = \"Hail\" } }]\n\
                [position.a]\nhand = [\"Hail\"]\n\
                [position.b]\ncreatures = [{ card = \"Mite\", lane = 1 }, { card = \"Elder\", lane = 2 }]\n\
                [[cards]]\nname = \"Hail\"\nfaction = \"tempys\"\n[[cards.abilities]]\nwhen = \"cast\"\n\
                do = [{ damage = { who = { each = { side = \"enemy\" } }, amount = 4 } }, \
                { damage = { who = { each = { side = \"enemy\" } }, amount = 4 } }]\n\
                [[cards]]\nname = \"Mite\"\nfaction = \"nekrium\"\nattack = [1]\nhealth = [1]\n\
                [[cards]]\nname = \"Elder\"\nfaction = \"uterra\"\nattack = [1]\nhealth = [20]\n\
                statics = [{ who = \"others\", health = 5 }]\n";
    assert_eq!(damage(lent, "Mite"), (0, 6));
    assert_eq!(damage(lent, "Hail"), (14, 0));
    let poisoned = "steps = [\"start_turn\"]\n\
                  [position.a]\ncreatures = [{ card = \"Fell Walker\", lane = 1, poison = 9 }]\n";
    assert_eq!(damage(poisoned, "Fell Walker"), (0, 3));
}

#[test]
fn a_spells_damage_counts_for_it() {
    let text = "game = \"solforge\"\nbattles = 1\n[position]\n\
                steps = [{ play = { card = \"Lightning Spark\", targets = [\"B\"] } }]\n\
                [position.a]\nhand = [\"Lightning Spark\"]\n";
    let document = Document::new("law.toml", text.to_owned(), Folder::Disk("".into()));
    let scenario = Scenario::of(&document).unwrap();
    let (finished, _) = played(scenario.engine(), 10, 1);
    let spark = scenario
        .engine()
        .layout()
        .units
        .iter()
        .position(|unit| unit.name == "Lightning Spark")
        .unwrap();
    assert_eq!(finished.tally.units[spark].dealt, 60);
}
