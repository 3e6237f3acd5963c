//! The setup: everything that stays the same from game to game.

use std::ops::Range;

use enumset::EnumSet;
use schemars::JsonSchema;
use serde::Deserialize;

use super::ability::{Ability, AbilityId, Hook, Number, Pick, Static, Tribes};
use super::activity::Activity;
use super::cards::vocabulary::{Faction, Kind};
use super::keyword::Keyword;
use super::policy::Policy;
use super::pool::Pool;
use super::state::{Form, State};
use crate::forcible::{Forcible, Otherwise};
use crate::game::{Side, Stratum};
use crate::tally::{Condition, Decider, Matchup};

/// A card.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Card {
    /// Its name.
    pub name: String,
    /// Its faction.
    pub faction: Faction,
    /// What it is at level 1, as which it comes into a deck: creature or spell. At higher levels a card can be another
    /// kind (`spell_at`).
    pub kind: Kind,
    /// Whether it is a token, which can be in no deck.
    pub token: bool,
    /// Its forms, as a range of the setup's list, level 1 first.
    pub forms: Range<u16>,
}

impl Card {
    /// The card's form at a level; None if it has no such level.
    #[must_use]
    pub fn at_level(&self, level: u8) -> Option<Form> {
        let form = self.forms.start + u16::from(level.checked_sub(1)?);
        self.forms.contains(&form).then_some(Form(form))
    }

    /// How many levels it has.
    #[must_use]
    pub fn levels(&self) -> u8 {
        self.forms.len() as u8
    }
}

/// The data of a card at a level.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FormData {
    /// Index of its card.
    pub card: u16,
    /// Its level.
    pub level: u8,
    /// Creature or spell.
    pub kind: Kind,
    /// Its faction.
    pub faction: Faction,
    /// Its tribes.
    pub tribes: Tribes,
    /// Attack.
    pub attack: i16,
    /// Health.
    pub health: i16,
    /// Armor.
    pub armor: i16,
    /// Mobility.
    pub mobility: i16,
    /// Regenerate.
    pub regenerate: i16,
    /// Extra battles in a turn.
    pub battles: i16,
    /// Keywords.
    pub keywords: EnumSet<Keyword>,
    /// Whether playing it costs no play.
    pub free: bool,
    /// The form that goes into the discard pile when it is played or levelled: the next level, or the same at the
    /// highest. None with Overload, and for tokens.
    pub levels_to: Option<Form>,
    /// The hooks that its abilities listen to.
    pub hooks: EnumSet<Hook>,
    /// Its abilities, as a range of the setup's list.
    pub abilities: Range<u16>,
    /// The numbers that its statics change.
    pub touches: EnumSet<Number>,
    /// Its statics, as a range of the setup's list.
    pub statics: Range<u16>,
}

/// All cards of a setup.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Cards {
    /// The cards.
    pub cards: Vec<Card>,
    /// The cards at each level, one card after the other.
    pub forms: Vec<FormData>,
    /// All their abilities, including those that they grant or put off.
    pub abilities: Vec<Ability>,
    /// All their statics: what holds while they are on the field.
    pub statics: Vec<Static>,
    /// The names of tribes; bit `i` is tribe `i`.
    pub tribes: Vec<String>,
    /// Whether some card lends health to others, which may die when it goes.
    pub lends_health: bool,
    /// Whether some card revives the dead, so that deaths must be remembered.
    pub revives: bool,
}

impl Cards {
    /// A form's data.
    #[inline]
    #[must_use]
    pub fn form(&self, form: Form) -> &FormData {
        &self.forms[usize::from(form.0)]
    }

    /// What a card is at each of its levels, the first one first.
    pub fn kinds(&self, card: &Card) -> impl Iterator<Item = Kind> + '_ {
        card.forms.clone().map(|form| self.form(Form(form)).kind)
    }

    /// A form's card.
    #[inline]
    #[must_use]
    pub fn card(&self, form: Form) -> &Card {
        &self.cards[usize::from(self.form(form).card)]
    }

    /// The ability with an id.
    #[inline]
    #[must_use]
    pub fn ability(&self, id: AbilityId) -> &Ability {
        &self.abilities[usize::from(id.0)]
    }

    /// A form as people read it: the card's name, with its level where that is not 1 (SF-83).
    #[must_use]
    pub fn label(&self, form: Form) -> String {
        let name = &self.card(form).name;
        match self.form(form).level {
            1 => name.clone(),
            level => format!("{name} {level}"),
        }
    }

    /// The card with a name; None if there is none.
    #[must_use]
    pub fn find(&self, name: &str) -> Option<&Card> {
        self.cards.iter().find(|card| card.name == name)
    }
}

/// Everything that stays the same from game to game. A setup that was read from a scenario has passed every check.
#[derive(Clone, Debug)]
pub struct Setup {
    pub(super) cards: Cards,
    pub(super) play: Play,
    pub(super) activity: Activity,
}

/// What a battle plays: a position or a whole game.
#[derive(Clone, Debug)]
pub enum Play {
    /// A position and the steps from there.
    Position(Box<Position>),
    /// Whole games between decks.
    Games(Games),
}

/// A position to start from, and the steps to play from there.
#[derive(Clone, Debug)]
pub struct Position {
    /// The starting state, once for each side that may be active.
    pub starts: Vec<State>,
    /// The steps, first to last.
    pub steps: Vec<Step>,
    /// How each player chooses.
    pub policies: [Policy; 2],
    /// Whether steps keep to what a player may do in a turn.
    pub strict: bool,
    /// The results: what is read off at the end, by name.
    pub results: Vec<(String, Reading)>,
}

/// Something that the active player does in a position, or a phase that passes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Step {
    /// Plays a card from the hand, into a lane if it is a creature.
    Play {
        /// The card, at its level.
        form: Form,
        /// The lane, for a creature.
        lane: u8,
        /// The targets that a spell chooses.
        picks: Vec<Pick>,
    },
    /// Discards a card to level it; one that levels to nothing leaves the game.
    Level(Form),
    /// Uses the ability of the creature in a lane.
    Activate {
        /// The creature's lane.
        lane: u8,
        /// The targets that the ability chooses.
        picks: Vec<Pick>,
    },
    /// Moves a creature: by Mobility in a strict position, otherwise into any free lane.
    Move {
        /// From this lane.
        from: u8,
        /// To this one.
        to: u8,
    },
    /// Fights a battle, if one may be fought.
    Battle,
    /// Start of turn.
    StartTurn,
    /// Discarding, drawing, end of turn and rank-up effects, and the wearing off of effects. The other
    /// player becomes active.
    EndTurn,
}

/// A number read off a position when it is over.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Reading {
    /// The attack of the creature in a space; 0 if there is none.
    Attack(Side, u8),
    /// The health of the creature in a space; 0 if there is none.
    Health(Side, u8),
    /// A player's life.
    Life(Side),
    /// The cards in a player's hand.
    Hand(Side),
    /// The number of creatures that fit this likeness.
    Count(Likeness),
}

/// Which creatures are counted: those for which everything given here is true.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Likeness {
    /// On this side; on either if None.
    pub side: Option<Side>,
    /// In this lane.
    pub lane: Option<u8>,
    /// Of this card, at any level.
    pub card: Option<u16>,
    /// With exactly this attack.
    pub attack: Option<i16>,
    /// With exactly this health.
    pub health: Option<i16>,
}

/// Whole games between decks.
#[derive(Clone, Debug)]
pub struct Games {
    /// The decks, and the pools that decks are drawn from.
    pub decks: Vec<Deck>,
    /// The match-ups, each as the indices of two decks: the first is on side A and plays first.
    pub matchups: Vec<[u16; 2]>,
    /// How the game is played.
    pub rules: Rules,
}

impl Games {
    /// Whether some decks are drawn from pools, so that the results say something about single cards.
    #[must_use]
    pub fn draws_decks(&self) -> bool {
        self.decks.iter().any(|deck| matches!(deck.brings, Brings::Drawn(_)))
    }
}

/// A contender: a deck or pool, and how it is played.
#[derive(Clone, Debug)]
pub struct Deck {
    /// Its name.
    pub name: String,
    /// The cards that it brings to a game.
    pub brings: Brings,
    /// How it is played.
    pub policy: Policy,
}

/// What cards a contender brings to a game.
#[derive(Clone, Debug)]
pub enum Brings {
    /// Always the same deck.
    Fixed(Vec<Form>),
    /// A deck drawn from a pool for each game.
    Drawn(Pool),
}

/// When the discard pile goes back into the deck of a player whose rank has risen (decision 17).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Reshuffle {
    /// Once the new hand is drawn, in the order of the rulebook's phases (phase 5).
    #[default]
    AfterDrawing,
    /// Before the new hand is drawn, in the order of the rulebook's edition of November 2015.
    BeforeDrawing,
}

/// The rules of whole games that a scenario may change.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Rules {
    /// Starting life.
    pub life: i16,
    /// Cards in a new hand.
    pub hand: u8,
    /// Cards that may be played in a turn.
    pub plays: u8,
    /// Cards that the first player may play in the first turn.
    pub first_plays: u8,
    /// A player's rank rises after every so many turns.
    pub rank_every: u8,
    /// When the discard pile of a player whose rank has risen goes back into the deck.
    pub reshuffle: Reshuffle,
    /// A game still open after this many turns is undecided.
    pub last_turn: u16,
    /// Who plays first: side A, unless a scenario is played with that order forced.
    pub first: Side,
}

impl Default for Rules {
    fn default() -> Self {
        Self {
            life: 120,
            hand: 5,
            plays: 2,
            first_plays: 1,
            rank_every: 4,
            reshuffle: Reshuffle::default(),
            last_turn: 200,
            first: Side::A,
        }
    }
}

impl Setup {
    /// A setup that nobody has checked: decks may be illegal, but cards must be of one [`Cards`].
    #[doc(hidden)]
    #[must_use]
    pub fn unchecked(cards: Cards, play: Play) -> Self {
        let activity = Activity::new(&cards, &play);
        Self { cards, play, activity }
    }

    /// The cards.
    #[inline]
    #[must_use]
    pub fn cards(&self) -> &Cards {
        &self.cards
    }

    /// What a battle plays.
    #[inline]
    #[must_use]
    pub fn play(&self) -> &Play {
        &self.play
    }

    /// Whether a contender's decks are drawn from a pool.
    pub(super) fn is_drawn(&self, contender: &str) -> bool {
        let Play::Games(games) = &self.play else { return false };
        let of = games.decks.iter().find(|deck| deck.name == contender);
        of.is_some_and(|of| matches!(of.brings, Brings::Drawn(_)))
    }

    /// The cards of a contender's deck, or those that decks of its pool are drawn from, each once and in their order; none
    /// for a position.
    pub(super) fn cards_of(&self, contender: &str) -> Vec<u16> {
        let Play::Games(games) = &self.play else { return Vec::new() };
        let of = games.decks.iter().find(|deck| deck.name == contender);
        let card = |form: Form| self.cards.form(form).card;
        let mut cards: Vec<u16> = match of.map(|deck| &deck.brings) {
            None => Vec::new(),
            Some(Brings::Fixed(deck)) => deck.iter().copied().map(card).collect(),
            Some(Brings::Drawn(pool)) => pool.forms().map(card).collect(),
        };
        cards.sort_unstable();
        cards.dedup();
        cards
    }

    /// The rules of the game; a position has the usual ones.
    #[inline]
    #[must_use]
    pub fn rules(&self) -> Rules {
        match &self.play {
            // A position is never the first turn of a game.
            Play::Position(_) => {
                let rules = Rules::default();
                Rules { first_plays: rules.plays, ..rules }
            }
            Play::Games(games) => games.rules,
        }
    }

    /// The policy by which a side's player decides.
    #[inline]
    #[must_use]
    pub fn policy(&self, state: &State, side: Side) -> &Policy {
        match &self.play {
            Play::Position(position) => &position.policies[side.index()],
            Play::Games(games) => &games.decks[usize::from(state.player(side).contender)].policy,
        }
    }

    /// The order that can be forced: who plays first in a game, or who is active in a position that leaves it open.
    /// None for any other position, since its steps are written for its active player.
    pub(super) fn forcible(&self) -> Option<Forcible> {
        match &self.play {
            Play::Games(_) => Some(Forcible {
                name: "first turn",
                meaning: "the side that takes the first turn of the game, in which it may play fewer cards",
                sides: 2,
                otherwise: Otherwise::Always(Side::A),
            }),
            Play::Position(position) => (position.starts.len() > 1).then(|| Forcible {
                name: "active side",
                meaning: "the side whose turn it is when the position begins",
                sides: 2,
                otherwise: Otherwise::AsDrawn(
                    position.starts.iter().map(|start| start.active).collect(),
                ),
            }),
        }
    }

    /// This setup with that order forced: the given side has the first turn of a game, or is active in a position.
    pub(super) fn forcing(&self, first: Side) -> Self {
        let mut forced = self.clone();
        match &mut forced.play {
            Play::Games(games) => games.rules.first = first,
            Play::Position(position) => {
                let of = position.starts.iter().find(|start| start.active == first).copied();
                if let Some(start) = of {
                    position.starts.fill(start);
                }
            }
        }
        forced
    }

    /// A setup of games between other decks, with the cards and rules of this one.
    #[must_use]
    pub(super) fn with_decks(&self, decks: Vec<Deck>, matchups: Vec<[u16; 2]>) -> Self {
        let rules = self.rules();
        Self::unchecked(self.cards.clone(), Play::Games(Games { decks, matchups, rules }))
    }

    /// How each contender's choices are made. In a position steps are written down, and only answers are choices.
    pub(super) fn deciders(&self) -> Vec<Decider> {
        let decider = |contender: &str, policy: &Policy| {
            let policy = match policy {
                Policy::Random => "random players",
                Policy::Greedy => "greedy players",
                Policy::Thoughtful => "thoughtful players",
                Policy::Scripted(_) => "scripted players",
                Policy::Answers(answers) if answers.is_empty() => return None,
                Policy::Answers(_) => "the answers that the scenario gives, others at random",
            };
            Some(Decider { contender: contender.to_owned(), policy: policy.to_owned() })
        };
        match &self.play {
            Play::Position(position) => ["side A", "side B"]
                .into_iter()
                .zip(&position.policies)
                .filter_map(|(side, policy)| decider(side, policy))
                .collect(),
            Play::Games(games) => {
                games.decks.iter().filter_map(|deck| decider(&deck.name, &deck.policy)).collect()
            }
        }
    }

    pub(super) fn matchup_labels(&self) -> Vec<Matchup> {
        match &self.play {
            Play::Position(_) => {
                vec![Matchup { contenders: vec!["side A".to_owned(), "side B".to_owned()] }]
            }
            Play::Games(games) => {
                let name = |&deck: &u16| games.decks[usize::from(deck)].name.clone();
                let label =
                    |pair: &[u16; 2]| Matchup { contenders: pair.iter().map(name).collect() };
                games.matchups.iter().map(label).collect()
            }
        }
    }

    /// The conditions: which side is active, where a position leaves that to dice; otherwise a single one without a
    /// label.
    pub(super) fn condition_labels(&self) -> Vec<Condition> {
        let starts = match &self.play {
            Play::Position(position) if position.starts.len() > 1 => &position.starts[..],
            _ => {
                return vec![Condition { label: String::new(), factors: vec![], probability: 1.0 }];
            }
        };
        let label = |(at, start): (usize, &State)| Condition {
            label: active_label(start.active),
            factors: vec![at as u16],
            probability: 1.0 / starts.len() as f64,
        };
        starts.iter().enumerate().map(label).collect()
    }

    /// The contenders of a stratum's match-up, on side A and side B.
    pub(super) fn contenders(&self, stratum: Stratum) -> [u16; 2] {
        match &self.play {
            Play::Position(_) => [0, 1],
            Play::Games(games) => games.matchups[stratum.matchup as usize],
        }
    }
}

/// How tables name the condition of a position in which a side is active.
pub(super) fn active_label(side: Side) -> String {
    format!("{side} is active")
}
