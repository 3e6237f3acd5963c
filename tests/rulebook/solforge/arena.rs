//! Positions set up in a line or two, and played through every outcome of every die.

use std::collections::BTreeMap;
use std::fmt::Debug;

use evens::chance::{Every, Seeded};
use evens::game::{Outcome, Side, Stratum, Watch, play};
use evens::games::solforge::SolForge;
use evens::games::solforge::event::{Event, Ref};
use evens::games::solforge::rules::statics;
use evens::games::solforge::setup::Setup;
use evens::games::solforge::state::{Form, State};
use evens::scenario::{Document, Folder, load};
use num_rational::BigRational;
use num_traits::Zero;

pub const A: Side = Side::A;
pub const B: Side = Side::B;

/// A position that is being set up. Lanes are counted from 1.
#[derive(Clone, Default)]
pub struct Arena {
    active: Option<&'static str>,
    loose: bool,
    players: [Player; 2],
    cards: String,
    dead: Vec<String>,
    steps: Vec<String>,
}

#[derive(Clone, Default)]
struct Player {
    keys: Vec<String>,
    creatures: Vec<String>,
    hand: Vec<String>,
    deck: Vec<String>,
    answers: Vec<String>,
}

/// An empty field, side A active in its first main phase, 120 life each.
pub fn arena() -> Arena {
    Arena::default()
}

fn quoted(texts: &[String]) -> String {
    texts.iter().map(|text| format!("\"{text}\"")).collect::<Vec<_>>().join(", ")
}

impl Arena {
    /// Sets whose turn it is: `a`, `b` or `random`.
    pub fn active(mut self, active: &'static str) -> Self {
        self.active = Some(active);
        self
    }
    fn creature(mut self, side: Side, lane: u8, card: &str, more: &str) -> Self {
        let comma = if more.is_empty() { "" } else { ", " };
        let text = format!("{{ card = \"{card}\", lane = {lane}{comma}{more} }}");
        self.players[side.index()].creatures.push(text);
        self
    }
    /// Puts a creature of side A on the field, on the offensive.
    pub fn a(self, lane: u8, card: &str) -> Self {
        self.creature(A, lane, card, "")
    }
    /// Puts a creature of side B on the field, on the offensive.
    pub fn b(self, lane: u8, card: &str) -> Self {
        self.creature(B, lane, card, "")
    }
    /// Puts a creature of side A on the field that differs from its card.
    pub fn a_with(self, lane: u8, card: &str, more: &str) -> Self {
        self.creature(A, lane, card, more)
    }
    /// Puts a creature of side B on the field that differs from its card.
    pub fn b_with(self, lane: u8, card: &str, more: &str) -> Self {
        self.creature(B, lane, card, more)
    }
    /// Sets another key of a player as a scenario does: `life = 9`.
    pub fn player(mut self, side: Side, key: &str) -> Self {
        self.players[side.index()].keys.push(key.to_owned());
        self
    }
    pub fn life(self, side: Side, life: i16) -> Self {
        self.player(side, &format!("life = {life}"))
    }
    pub fn hand(mut self, side: Side, cards: &[&str]) -> Self {
        self.players[side.index()].hand.extend(cards.iter().map(|&card| card.to_owned()));
        self
    }
    pub fn deck(mut self, side: Side, cards: &[&str]) -> Self {
        self.players[side.index()].deck.extend(cards.iter().map(|&card| card.to_owned()));
        self
    }
    /// Sets the choices of a side when a card asks, most wanted first.
    pub fn answer(mut self, side: Side, card: &str, prefer: &[&str]) -> Self {
        let prefer: Vec<String> = prefer.iter().map(|&text| text.to_owned()).collect();
        let text = format!("{{ card = \"{card}\", prefer = [{}] }}", quoted(&prefer));
        self.players[side.index()].answers.push(text);
        self
    }
    pub fn dead(mut self, cards: &[&str]) -> Self {
        self.dead.extend(cards.iter().map(|&card| card.to_owned()));
        self
    }
    /// Adds cards made up for the case, in the vocabulary of card files.
    pub fn cards(mut self, cards: &str) -> Self {
        self.cards.push_str(cards);
        self
    }
    /// Adds a creature without abilities.
    pub fn plain(self, name: &str, attack: i16, health: i16) -> Self {
        self.cards(&format!(
            "[[cards]]\nname = \"{name}\"\nfaction = \"alloyin\"\nattack = [{attack}]\nhealth = [{health}]\n"
        ))
    }
    /// Lets steps break the rules of a turn, so that a case can ask for what no turn has.
    pub fn loose(mut self) -> Self {
        self.loose = true;
        self
    }
    /// Adds a step as a scenario states it.
    pub fn step(mut self, step: &str) -> Self {
        self.steps.push(step.to_owned());
        self
    }
    /// Puts a creature into the hand and plays it.
    pub fn play(self, card: &str, lane: u8) -> Self {
        self.in_hand(card).step(&format!("{{ play = {{ card = \"{card}\", lane = {lane} }} }}"))
    }
    /// Puts a spell into the hand and plays it.
    pub fn cast(self, card: &str, targets: &[&str]) -> Self {
        let targets: Vec<String> = targets.iter().map(|&text| text.to_owned()).collect();
        self.in_hand(card).step(&format!(
            "{{ play = {{ card = \"{card}\", targets = [{}] }} }}",
            quoted(&targets)
        ))
    }
    fn in_hand(mut self, card: &str) -> Self {
        let side = usize::from(self.active == Some("b"));
        let hand = &mut self.players[side].hand;
        let wanted =
            1 + self.steps.iter().filter(|step| step.contains(&format!("\"{card}\""))).count();
        if hand.iter().filter(|held| *held == card).count() < wanted {
            hand.push(card.to_owned());
        }
        self
    }
    pub fn activate(self, lane: u8, targets: &[&str]) -> Self {
        let targets: Vec<String> = targets.iter().map(|&text| text.to_owned()).collect();
        self.step(&format!(
            "{{ activate = {{ lane = {lane}, targets = [{}] }} }}",
            quoted(&targets)
        ))
    }
    pub fn walk(self, from: u8, to: u8) -> Self {
        self.step(&format!("{{ move = {{ from = {from}, to = {to} }} }}"))
    }
    pub fn battle(self) -> Self {
        self.step("\"battle\"")
    }
    pub fn start_turn(self) -> Self {
        self.step("\"start_turn\"")
    }
    pub fn end_turn(self) -> Self {
        self.step("\"end_turn\"")
    }

    /// The scenario as a designer would write it.
    pub fn text(&self) -> String {
        let player = |player: &Player| {
            format!(
                "{}\ncreatures = [{}]\nhand = [{}]\ndeck = [{}]\nanswers = [{}]\n",
                player.keys.join("\n"),
                player.creatures.join(", "),
                quoted(&player.hand),
                quoted(&player.deck),
                player.answers.join(", "),
            )
        };
        format!(
            "game = \"solforge\"\nbattles = 1\n[position]\nstrict = {}\nactive = \"{}\"\ndead = [{}]\nsteps = [{}]\n\
             [position.a]\n{}[position.b]\n{}{}",
            !self.loose,
            self.active.unwrap_or("a"),
            quoted(&self.dead),
            self.steps.join(", "),
            player(&self.players[0]),
            player(&self.players[1]),
            self.cards,
        )
    }

    pub fn setup(&self) -> Setup {
        let document = Document::new("case.toml", self.text(), Folder::Disk("".into()));
        match load::<SolForge>(&document) {
            Ok(loaded) => loaded.setup,
            Err(faults) => panic!("{:?}\n{}", miette::Report::new(faults), self.text()),
        }
    }

    /// Every way in which the position can end, with its probability and what happened on the way.
    pub fn endings(&self) -> Vec<Ending> {
        let setup = std::rc::Rc::new(self.setup());
        let evens::games::solforge::setup::Play::Position(position) = setup.play() else {
            panic!("an arena is a position");
        };
        let mut endings = Vec::new();
        let starts = position.starts.len();
        for condition in 0..starts as u32 {
            let mut every = Every::new();
            loop {
                let mut witness = Witness::default();
                let stratum = Stratum { matchup: 0, condition };
                let ended = play::<SolForge, _, _>(&setup, stratum, &mut every, &mut witness);
                endings.push(Ending {
                    probability: every.probability() / BigRational::from_integer(starts.into()),
                    state: ended.state,
                    outcome: ended.outcome,
                    events: witness.events,
                    setup: setup.clone(),
                });
                assert!(endings.len() < 50_000, "too many outcomes to walk");
                if !every.advance() {
                    break;
                }
            }
        }
        endings
    }

    /// Some of the ways in which it can end, drawn from seeds: for cases with too many to walk.
    pub fn samples(&self, count: u64) -> Vec<Ending> {
        let setup = std::rc::Rc::new(self.setup());
        let sample = |seed| {
            let (mut dice, mut witness) = (Seeded::from_seed(seed), Witness::default());
            let stratum = Stratum { matchup: 0, condition: 0 };
            let ended = play::<SolForge, _, _>(&setup, stratum, &mut dice, &mut witness);
            Ending {
                probability: part(1, count as u32),
                state: ended.state,
                outcome: ended.outcome,
                events: witness.events,
                setup: setup.clone(),
            }
        };
        (0..count).map(sample).collect()
    }

    /// The exact odds of what `key` reads off an ending.
    pub fn odds<K: Ord>(&self, key: impl Fn(&Ending) -> K) -> BTreeMap<K, BigRational> {
        let mut odds = BTreeMap::new();
        for ending in self.endings() {
            let sum = odds.entry(key(&ending)).or_insert_with(BigRational::zero);
            *sum += &ending.probability;
        }
        odds
    }

    /// What `key` reads off every ending, which must be the same whatever the dice show.
    pub fn always<K: Ord + Debug>(&self, key: impl Fn(&Ending) -> K) -> K {
        let mut odds: Vec<K> = self.odds(key).into_keys().collect();
        assert!(odds.len() == 1, "not always the same: {odds:?}");
        odds.remove(0)
    }
}

/// Remembers everything that happens.
#[derive(Default)]
struct Witness {
    events: Vec<Event>,
}

impl Watch<SolForge> for Witness {
    fn see(&mut self, _: &Setup, _: &State, event: Event) {
        self.events.push(event);
    }
}

/// One way in which a position can end.
pub struct Ending {
    pub probability: BigRational,
    pub state: State,
    pub outcome: Outcome,
    pub events: Vec<Event>,
    setup: std::rc::Rc<Setup>,
}

impl Ending {
    /// Attack and health of the creature in a lane (counted from 1); None if the space is empty.
    pub fn size(&self, side: Side, lane: u8) -> Option<(i16, i16)> {
        let cards = &self.setup.cards();
        self.state.at(side, lane - 1).is_somebody().then(|| {
            (
                statics::attack(cards, &self.state, side, lane - 1),
                statics::health(cards, &self.state, side, lane - 1),
            )
        })
    }
    /// The creature in a lane, with its level where that is not 1.
    pub fn name(&self, side: Side, lane: u8) -> Option<String> {
        let creature = self.state.at(side, lane - 1);
        creature.is_somebody().then(|| self.setup.cards().label(creature.form))
    }
    /// The lanes in which a card of this name stands.
    pub fn lanes(&self, side: Side, name: &str) -> Vec<u8> {
        (1..=5).filter(|&lane| self.name(side, lane).as_deref() == Some(name)).collect()
    }
    pub fn life(&self, side: Side) -> i16 {
        self.state.player(side).life
    }
    pub fn hand(&self, side: Side) -> usize {
        self.state.player(side).hand.len()
    }
    /// The creatures that died, first to last.
    pub fn deaths(&self) -> Vec<String> {
        let died = |event: &Event| match *event {
            Event::Dies(who) => Some(self.called(who)),
            _ => None,
        };
        self.events.iter().filter_map(died).collect()
    }
    /// The creatures whose abilities resolved, first to last.
    pub fn resolved(&self) -> Vec<String> {
        let resolved = |event: &Event| match *event {
            Event::Resolves { by, .. } => Some(self.called(by)),
            _ => None,
        };
        self.events.iter().filter_map(resolved).collect()
    }
    /// A card, with its level where that is not 1.
    pub fn label(&self, form: Form) -> String {
        self.setup.cards().label(form)
    }
    /// How many battles were fought.
    pub fn battles(&self) -> usize {
        self.events.iter().filter(|event| matches!(event, Event::Battle { .. })).count()
    }
    /// `A2 Spring Dryad`: where and what a creature was.
    pub fn called(&self, who: Ref) -> String {
        format!("{}{} {}", who.side(), who.lane + 1, self.setup.cards().label(who.form))
    }
    /// The index of the first event that is wanted.
    pub fn position_of(&self, wanted: impl Fn(&Event) -> bool) -> usize {
        self.events.iter().position(wanted).expect("it happens")
    }
}

/// A fraction.
pub fn part(numerator: u32, denominator: u32) -> BigRational {
    BigRational::new(numerator.into(), denominator.into())
}

/// Odds as a map.
pub fn odds<K: Ord, const N: usize>(of: [(K, BigRational); N]) -> BTreeMap<K, BigRational> {
    of.into_iter().collect()
}
