//! What stays the same from session to session.

use std::sync::Arc;

use arrayvec::ArrayVec;
use enumset::EnumSet;
use strum::EnumCount;

use super::cards::{Card, CardType, Class, Targets, Trigger};
use super::combinations::{Cards, chosen, places, ways};
use super::effect::Kind;
use super::open_rules::OpenRules;
use super::rules::DEALT;
use super::state::{SEATS, Seats, State};
use crate::forcible::{Forcible, Otherwise};
use crate::game::{Side, Stratum};
use crate::tally::{Decider, Matchup};

/// The most cards of one type in a deck, copies counted.
pub const DECK: usize = 20;
/// The most cards of all types.
pub const DECKS: usize = DECK * CardType::COUNT;

/// Three decks in one: places 0 to 19 hold Utility cards, 20 to 39 Defense, 40 to 59 Attack. So cards in the
/// order of their places are in the order of operations (ET-10).
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Deck {
    /// The card in each place, by its place in the setup.
    cards: [u16; DECKS],
    /// How many cards of each type.
    sizes: [u8; CardType::COUNT],
    /// The places that hold a card.
    all: Cards,
    /// The places whose card costs 1, and those whose card costs 2.
    costing: [Cards; 2],
    /// The places whose card is used up when played.
    single_use: Cards,
    /// By type: how many sets of [`DEALT`] cards there are; 0 where no die is thrown, since all are dealt.
    hands: [u32; CardType::COUNT],
}

impl Deck {
    /// The decks of these cards.
    ///
    /// # Panics
    /// When there are more than [`DECK`] of a type.
    #[must_use]
    pub fn new(catalogue: &[Card], cards: impl IntoIterator<Item = u16>) -> Self {
        let mut deck = Self {
            cards: [0; DECKS],
            sizes: [0; 3],
            all: 0,
            costing: [0; 2],
            single_use: 0,
            hands: [0; 3],
        };
        for at in cards {
            let card = &catalogue[usize::from(at)];
            let region = region(card.kind);
            let place = (region & !deck.all).trailing_zeros() as usize;
            assert!(region >> place & 1 == 1, "more than {DECK} {} cards", card.kind);
            deck.cards[place] = at;
            deck.all |= 1 << place;
            deck.sizes[card.kind as usize] += 1;
            deck.costing[usize::from(card.cost) - 1] |= 1 << place;
            deck.single_use |= u64::from(card.single_use) << place;
        }
        deck.hands = deck
            .sizes
            .map(usize::from)
            .map(|size| if size > DEALT { ways(size, DEALT) } else { 0 });
        deck
    }

    /// The places that hold a card.
    #[inline]
    #[must_use]
    pub fn all(&self) -> Cards {
        self.all
    }

    /// The places whose card costs 1, and those whose card costs 2.
    #[inline]
    pub(super) fn costing(&self) -> [Cards; 2] {
        self.costing
    }

    /// The places whose card is used up when played.
    #[inline]
    #[must_use]
    pub fn single_use(&self) -> Cards {
        self.single_use
    }

    /// The card in a place, by its place in the setup.
    #[inline]
    #[must_use]
    pub fn card(&self, place: usize) -> u16 {
        self.cards[place]
    }

    /// The places of one type.
    #[inline]
    #[must_use]
    pub fn of(&self, kind: CardType) -> Cards {
        self.all & region(kind)
    }

    /// How many cards of one type are left when these are used up.
    #[inline]
    #[must_use]
    pub fn left(&self, kind: CardType, used_up: Cards) -> usize {
        let gone = if used_up == 0 { 0 } else { (used_up & region(kind)).count_ones() };
        usize::from(self.sizes[kind as usize]) - gone as usize
    }

    /// The cards of one type with these numbers, counted from 0 among those that are not used up.
    #[inline]
    #[must_use]
    pub fn chosen(&self, numbers: Cards, kind: CardType, used_up: Cards) -> Cards {
        if used_up == 0 {
            numbers << (DECK * kind as usize)
        } else {
            chosen(numbers, self.of(kind) & !used_up)
        }
    }

    /// How many sets of [`DEALT`] cards of one type there are while none is used up; 0 where all are dealt.
    #[inline]
    pub(super) fn hands(&self, kind: CardType) -> u32 {
        self.hands[kind as usize]
    }

    /// All cards with their places.
    pub fn iter(&self) -> impl Iterator<Item = (usize, u16)> + '_ {
        places(self.all).map(|place| (place, self.cards[place]))
    }
}

/// The places of a type.
fn region(kind: CardType) -> Cards {
    ((1 << DECK) - 1) << (DECK * kind as usize)
}

/// Who decides what to play.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Policy {
    /// Every legal play is equally likely.
    Random,
    /// What is worth most for its energy, the queue in view.
    Greedy,
    /// Written down turn by turn; after the last turn it starts again.
    Scripted(Vec<Vec<Line>>),
}

/// One card of a script.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Line {
    /// The card, by its place in the setup.
    pub card: u16,
    /// The characters named, by their place in the setup. Nobody: whoever is next.
    pub named: Vec<u16>,
}

/// A Memory that a character can put down (ET-34).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Wager {
    /// Its level, from 1.
    pub level: u8,
    /// It is put down at the first own turn that begins with at most this many HP.
    pub at: i16,
    /// How a drop in HP beyond 0 goes: the weight of holding on, and of being disabled.
    pub odds: [u64; 2],
}

/// A character before any session.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Sheet {
    /// Its name.
    pub name: String,
    /// Its primary and secondary class.
    pub classes: ArrayVec<Class, 2>,
    /// Its hit points.
    pub hp: i16,
    /// Its cards.
    pub deck: Deck,
    /// Who decides for it.
    pub policy: Policy,
    /// Its Memory, if it brings one.
    pub wager: Option<Wager>,
}

impl Sheet {
    /// Its classes as people read them: `Hunter/Bard`.
    #[must_use]
    pub fn class_label(&self) -> String {
        let names: Vec<&str> = self.classes.iter().map(|&class| class.into()).collect();
        if names.is_empty() { "no class".to_owned() } else { names.join("/") }
    }
}

/// Everything that stays the same from session to session. One that exists can be played.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Setup {
    /// The cards in somebody's deck.
    pub(super) cards: Vec<Card>,
    /// Who can take part.
    pub(super) sheets: Vec<Sheet>,
    /// The characters of each match-up in joining order, by their place in `sheets`.
    matchups: Vec<ArrayVec<u16, SEATS>>,
    /// How many characters are in a session, 2 to 6.
    pub(super) sides: usize,
    /// A session still open after this round is undecided.
    pub(super) last_round: u16,
    /// Whose turn is the first: the character's that joined first, unless another seat is forced to begin.
    first: Side,
    /// How open rules are read.
    pub(super) open: OpenRules,
    /// The kinds of effects that some card applies.
    pub(super) applied: EnumSet<Kind>,
    /// All cards that there are, in somebody's deck or not.
    pub(super) catalogue: Arc<[Card]>,
    /// By card: what a session asks of it.
    briefs: Vec<Brief>,
}

/// The kinds of effects that some card applies.
fn applied(cards: &[Card]) -> EnumSet<Kind> {
    let effects = cards.iter().flat_map(|card| &card.effects);
    effects.map(|applies| applies.effect.kind).collect()
}

/// What a session asks of a card at every turn, in a few bytes: most cards are done without a look at their effects.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Brief {
    /// Its type.
    pub kind: CardType,
    /// The energy it costs.
    pub cost: u8,
    /// The damage of each hit of an attack.
    pub damage: u8,
    /// The guard of each hit of a defense.
    pub defense: u8,
    /// How often damage or defense is computed.
    pub hits: u8,
    /// How many targets it may name (ET-07).
    pub names: u8,
    /// Whether it has effects that start on activation, and on play.
    starts: [bool; 2],
}

impl Brief {
    fn of(card: &Card) -> Self {
        let starts = |at| card.effects.iter().any(|applies| applies.trigger == at);
        Self {
            kind: card.kind,
            cost: card.cost,
            damage: card.damage,
            defense: card.defense,
            hits: card.hits,
            names: match card.targets {
                Targets::Player => 0,
                Targets::One => 1,
                Targets::Area | Targets::Random => card.hits,
            },
            starts: [Trigger::Activation, Trigger::Play].map(starts),
        }
    }

    /// Whether it has effects with this trigger.
    #[inline]
    pub fn starts(&self, trigger: Trigger) -> bool {
        self.starts[trigger as usize]
    }
}

impl Setup {
    /// Sessions of these characters, who hold these cards. A match-up is its characters in joining order, by their
    /// place in `sheets`; `last_round` is the round after which a session is undecided.
    ///
    /// # Panics
    /// When there is no match-up, or not all have the same 2 to 6 seats; when a seat, a deck or a script names what is
    /// not there; when a character has no hit points or `last_round` is 0. Scenarios are checked before.
    #[must_use]
    pub fn new(
        cards: Vec<Card>,
        sheets: Vec<Sheet>,
        matchups: Vec<ArrayVec<u16, SEATS>>,
        last_round: u16,
    ) -> Self {
        let sides = matchups.first().map_or(0, ArrayVec::len);
        assert!((2..=SEATS).contains(&sides), "a session has 2 to {SEATS} seats");
        assert!(last_round > 0, "a session has a first round");
        let is_sheet = |&sheet: &u16| usize::from(sheet) < sheets.len();
        for matchup in &matchups {
            assert!(matchup.len() == sides, "all match-ups have {sides} seats");
            assert!(matchup.iter().all(is_sheet), "a seat is some character's");
        }
        for sheet in &sheets {
            assert!(sheet.hp > 0, "{} has hit points", sheet.name);
            let is_card = |card: u16| usize::from(card) < cards.len();
            assert!(sheet.deck.iter().all(|(_, card)| is_card(card)), "a deck holds cards");
            if let Policy::Scripted(turns) = &sheet.policy {
                let lines = || turns.iter().flatten();
                assert!(lines().all(|line| is_card(line.card)), "a script plays cards");
                assert!(lines().all(|line| line.named.iter().all(is_sheet)), "at characters");
            }
        }
        let (applied, briefs) = (applied(&cards), cards.iter().map(Brief::of).collect());
        let open = OpenRules::default();
        let catalogue = cards.as_slice().into();
        Self {
            cards,
            sheets,
            matchups,
            sides,
            last_round,
            first: Side::A,
            open,
            applied,
            briefs,
            catalogue,
        }
    }

    /// This setup with another card in a place, which decks hold as they held the one before.
    #[must_use]
    pub(super) fn with_card(mut self, at: u16, card: Card) -> Self {
        self.briefs[usize::from(at)] = Brief::of(&card);
        self.cards[usize::from(at)] = card;
        self.applied = applied(&self.cards);
        self
    }

    /// This setup with open rules read in another way.
    #[must_use]
    pub fn with_open_rules(self, open: OpenRules) -> Self {
        Self { open, ..self }
    }

    /// This setup with more cards that decks could hold, in the order of decks that hold them; those of the decks are among them.
    #[must_use]
    pub(super) fn with_catalogue(self, cards: impl Into<Arc<[Card]>>) -> Self {
        Self { catalogue: cards.into(), ..self }
    }

    /// The rules of this setup for these characters, who hold these cards.
    #[must_use]
    pub(super) fn with_sheets(
        &self,
        cards: Vec<Card>,
        sheets: Vec<Sheet>,
        matchups: Vec<ArrayVec<u16, SEATS>>,
    ) -> Self {
        Self::new(cards, sheets, matchups, self.last_round)
            .with_open_rules(self.open)
            .with_first_turn(self.first)
            .with_catalogue(Arc::clone(&self.catalogue))
    }

    /// This setup where this seat has the first turn, and the others follow in joining order, going round.
    #[must_use]
    pub fn with_first_turn(self, first: Side) -> Self {
        Self { first, ..self }
    }

    /// The order that can be forced.
    pub(super) fn forcible(&self) -> Forcible {
        Forcible {
            name: "first turn",
            meaning: "the side that takes the first turn of the session; the others follow in joining order, going round",
            sides: self.sides,
            otherwise: Otherwise::Always(Side::A),
        }
    }

    /// When a seat's turn comes in a round: the lower, the earlier.
    #[inline]
    pub(super) fn turn_order(&self, seat: Side) -> u8 {
        if seat < self.first { seat.0 + SEATS as u8 } else { seat.0 }
    }

    /// The cards in somebody's deck.
    #[must_use]
    pub fn cards(&self) -> &[Card] {
        &self.cards
    }

    /// Who can take part.
    #[must_use]
    pub fn sheets(&self) -> &[Sheet] {
        &self.sheets
    }

    /// The characters of each match-up in joining order, by their place in [`sheets`](Self::sheets).
    #[must_use]
    pub fn matchups(&self) -> &[ArrayVec<u16, SEATS>] {
        &self.matchups
    }

    /// How many characters are in a session, 2 to 6.
    #[must_use]
    pub fn sides(&self) -> usize {
        self.sides
    }

    /// A session still open after this round is undecided.
    #[must_use]
    pub fn last_round(&self) -> u16 {
        self.last_round
    }

    /// How open rules are read.
    #[must_use]
    pub fn open_rules(&self) -> OpenRules {
        self.open
    }

    /// The session before the first cards are dealt.
    #[inline(always)]
    pub(super) fn session(&self, stratum: Stratum) -> State {
        let mut state = State {
            round: 1,
            active: self.first,
            standing: Seats::first(self.sides),
            characters: Default::default(),
        };
        let seated = self.matchups[stratum.matchup as usize].iter();
        for (character, &sheet) in state.characters.iter_mut().zip(seated) {
            character.sheet = sheet;
            character.hp = self.sheets[usize::from(sheet)].hp;
            character.energy = super::rules::FIRST_ENERGY;
        }
        state
    }

    /// The sheet of the character in a seat.
    #[inline]
    #[must_use]
    pub fn sheet(&self, state: &State, seat: Side) -> &Sheet {
        &self.sheets[usize::from(state.at(seat).sheet)]
    }

    /// A card.
    #[inline]
    #[must_use]
    pub fn card(&self, at: u16) -> &Card {
        &self.cards[usize::from(at)]
    }

    /// A card in a few bytes.
    #[inline]
    pub(super) fn brief(&self, card: u16) -> Brief {
        self.briefs[usize::from(card)]
    }

    /// How each character's player decides.
    pub(super) fn deciders(&self) -> Vec<Decider> {
        let decider = |sheet: &Sheet| {
            let policy = match sheet.policy {
                Policy::Random => "random players",
                Policy::Greedy => "greedy players",
                Policy::Scripted(_) => "scripted players",
            };
            Decider { contender: sheet.name.clone(), policy: policy.to_owned() }
        };
        self.sheets.iter().map(decider).collect()
    }

    pub(super) fn matchup_labels(&self) -> Vec<Matchup> {
        let name = |&sheet: &u16| self.sheets[usize::from(sheet)].name.clone();
        let label = |seated: &ArrayVec<u16, SEATS>| Matchup {
            contenders: seated.iter().map(name).collect(),
        };
        self.matchups.iter().map(label).collect()
    }
}
