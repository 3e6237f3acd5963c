//! Setups: everything that stays the same from session to session.

use std::sync::Arc;

use arrayvec::ArrayVec;
use enumset::EnumSet;
use strum::EnumCount;

use super::cards::{Card, CardType, Class, Targets, Trigger};
use super::combinations::{Cards, chosen, places, ways};
use super::effect::Kind;
use super::open_rules::OpenRules;
use super::rules::DEALT;
use super::state::{Character, SEATS, Seats, State};
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
    /// The card in each place, as an index into the setup's cards.
    cards: [u16; DECKS],
    /// The number of cards of each type.
    sizes: [u8; CardType::COUNT],
    /// The places that hold a card.
    all: Cards,
    /// The places whose card costs 1, and those whose card costs 2.
    costing: [Cards; 2],
    /// The places whose card is used up when played.
    single_use: Cards,
    /// By type: the number of possible sets of [`DEALT`] cards; 0 where all cards are dealt and no die is thrown.
    hands: [u32; CardType::COUNT],
}

impl Deck {
    /// A deck of these cards, which are indices into `catalogue`.
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

    /// The card in a place, as an index into the setup's cards.
    #[inline]
    #[must_use]
    pub fn card(&self, place: usize) -> u16 {
        self.cards[place]
    }

    /// The places that hold cards of this type.
    #[inline]
    #[must_use]
    pub fn of(&self, kind: CardType) -> Cards {
        self.all & region(kind)
    }

    /// The number of cards of this type that are left when those in `used_up` are gone.
    #[inline]
    #[must_use]
    pub fn left(&self, kind: CardType, used_up: Cards) -> usize {
        let gone = if used_up == 0 { 0 } else { (used_up & region(kind)).count_ones() };
        usize::from(self.sizes[kind as usize]) - gone as usize
    }

    /// The places of the cards of this type with these numbers, counted from 0 among those not used up.
    #[inline]
    #[must_use]
    pub fn chosen(&self, numbers: Cards, kind: CardType, used_up: Cards) -> Cards {
        if used_up == 0 {
            numbers << (DECK * kind as usize)
        } else {
            chosen(numbers, self.of(kind) & !used_up)
        }
    }

    /// The number of possible sets of [`DEALT`] cards of this type while none is used up; 0 where all are dealt.
    #[inline]
    pub(super) fn hands(&self, kind: CardType) -> u32 {
        self.hands[kind as usize]
    }

    /// All cards as pairs of the place and the index into the setup's cards.
    pub fn iter(&self) -> impl Iterator<Item = (usize, u16)> + '_ {
        places(self.all).map(|place| (place, self.cards[place]))
    }
}

/// All places reserved for cards of this type.
fn region(kind: CardType) -> Cards {
    ((1 << DECK) - 1) << (DECK * kind as usize)
}

/// How a character's plays are decided.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Policy {
    /// Every legal play is equally likely.
    Random,
    /// Plays whatever is worth most for its energy, with the incoming queue in view.
    Greedy,
    /// Plays a script, a list of lines for each turn; after the last turn it starts again.
    Scripted(Vec<Vec<Line>>),
}

/// One card that a script plays.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Line {
    /// Index of the card in the setup's cards.
    pub card: u16,
    /// The targets, as indices into the setup's sheets. Empty: the next character in joining order.
    pub named: Vec<u16>,
}

/// A Memory that a character can put down (ET-34).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Wager {
    /// Its level, from 1.
    pub level: u8,
    /// The Memory is put down at the first own turn that begins with at most this many HP.
    pub at: i16,
    /// What a drop in HP beyond 0 does: the weight of holding on, and the weight of being disabled.
    pub odds: [u64; 2],
}

/// A character as it enters a session.
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
    /// How its plays are decided.
    pub policy: Policy,
    /// Its Memory, if it brings one.
    pub wager: Option<Wager>,
}

impl Sheet {
    /// Its classes for display: `Hunter/Bard`, or `no class`.
    #[must_use]
    pub fn class_label(&self) -> String {
        let names: Vec<&str> = self.classes.iter().map(|&class| class.into()).collect();
        if names.is_empty() { "no class".to_owned() } else { names.join("/") }
    }
}

/// Everything that stays the same from session to session. Every value of this type can be played.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Setup {
    /// The cards that are in at least one deck.
    pub(super) cards: Vec<Card>,
    /// The characters that can take part.
    pub(super) sheets: Vec<Sheet>,
    /// The characters of each match-up in joining order, as indices into `sheets`.
    matchups: Vec<ArrayVec<u16, SEATS>>,
    /// The number of characters in a session, 2 to 6.
    pub(super) sides: usize,
    /// A session still open after this round is undecided.
    pub(super) last_round: u16,
    /// The seat with the first turn: the character that joined first, unless another seat is forced to begin.
    first: Side,
    /// How the scenario reads open rules.
    pub(super) open: OpenRules,
    /// The kinds of effects that at least one card applies.
    pub(super) applied: EnumSet<Kind>,
    /// All cards that exist, in a deck or not.
    pub(super) catalogue: Arc<[Card]>,
    /// A brief for each of `cards`.
    briefs: Vec<Brief>,
}

/// The kinds of effects that at least one of these cards applies.
fn applied(cards: &[Card]) -> EnumSet<Kind> {
    let effects = cards.iter().flat_map(|card| &card.effects);
    effects.map(|applies| applies.effect.kind).collect()
}

/// The facts about a card that a session needs at every turn, in a few bytes: most cards are played without a look
/// at their effects.
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
    /// How often damage or defense is computed, 0 for none.
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
    /// Sessions of the characters in `sheets`, whose decks hold `cards`. Each match-up lists its characters in
    /// joining order, as indices into `sheets`; after `last_round` a session is undecided.
    ///
    /// # Panics
    /// When there is no match-up, or not all have the same 2 to 6 seats; when a seat, a deck or a script refers to
    /// a character or card that does not exist; when a character has no hit points or `last_round` is 0. Scenarios
    /// are checked for all this before.
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

    /// This setup with the card at an index replaced; the decks that held the old card hold the new one.
    #[must_use]
    pub(super) fn with_card(mut self, at: u16, card: Card) -> Self {
        self.briefs[usize::from(at)] = Brief::of(&card);
        self.cards[usize::from(at)] = card;
        self.applied = applied(&self.cards);
        self
    }

    /// This setup with the open rules read in this way.
    #[must_use]
    pub fn with_open_rules(self, open: OpenRules) -> Self {
        Self { open, ..self }
    }

    /// This setup with all cards that a deck could hold, those in decks among them. They are in the order in which
    /// decks hold them.
    #[must_use]
    pub(super) fn with_catalogue(self, cards: impl Into<Arc<[Card]>>) -> Self {
        Self { catalogue: cards.into(), ..self }
    }

    /// A setup under the rules of this one, for other characters and cards.
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

    /// This setup with the first turn given to this seat; the others follow in joining order, going round.
    #[must_use]
    pub fn with_first_turn(self, first: Side) -> Self {
        Self { first, ..self }
    }

    /// The order that a study can force: whose turn is the first.
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

    /// The cards that are in at least one deck.
    #[must_use]
    pub fn cards(&self) -> &[Card] {
        &self.cards
    }

    /// The characters that can take part.
    #[must_use]
    pub fn sheets(&self) -> &[Sheet] {
        &self.sheets
    }

    /// The characters of each match-up in joining order, as indices into [`sheets`](Self::sheets).
    #[must_use]
    pub fn matchups(&self) -> &[ArrayVec<u16, SEATS>] {
        &self.matchups
    }

    /// The number of characters in a session, 2 to 6.
    #[must_use]
    pub fn sides(&self) -> usize {
        self.sides
    }

    /// The last round: a session still open after it is undecided.
    #[must_use]
    pub fn last_round(&self) -> u16 {
        self.last_round
    }

    /// How the scenario reads open rules.
    #[must_use]
    pub fn open_rules(&self) -> OpenRules {
        self.open
    }

    /// The state of a session before the first cards are dealt.
    #[inline(always)]
    pub(super) fn session(&self, stratum: Stratum) -> State {
        let seated = &self.matchups[stratum.matchup as usize];
        // Each where it stays: an array of empty characters would be copied as a whole.
        let characters = std::array::from_fn(|seat| match seated.get(seat) {
            Some(&sheet) => Character {
                sheet,
                hp: self.sheets[usize::from(sheet)].hp,
                energy: super::rules::FIRST_ENERGY,
                ..Character::default()
            },
            None => Character::default(),
        });
        let standing = Seats::first(self.sides);
        State { round: 1, active: self.first, standing, characters }
    }

    /// The sheet of the character in a seat.
    #[inline]
    #[must_use]
    pub fn sheet(&self, state: &State, seat: Side) -> &Sheet {
        &self.sheets[usize::from(state.at(seat).sheet)]
    }

    /// The card at an index.
    #[inline]
    #[must_use]
    pub fn card(&self, at: u16) -> &Card {
        &self.cards[usize::from(at)]
    }

    /// The brief of the card at an index.
    #[inline]
    pub(super) fn brief(&self, card: u16) -> Brief {
        self.briefs[usize::from(card)]
    }

    /// The policy that decides for each character.
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
