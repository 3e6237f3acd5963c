//! How a SolForge scenario is written down, and what can be wrong with it.

mod catalogue;
mod games;
mod position;
mod trial;

use std::collections::BTreeMap;

use schemars::JsonSchema;
use serde::Deserialize;

use super::SolForge;
use super::cards::vocabulary::{CardForm, Faction};
use super::setup::{Cards, Play, Reshuffle, Setup};
use super::state::Form as CardAtLevel;
use crate::scenario::{Checker, Common, Form, Shelf, Spot, suggestion};

pub use catalogue::{BUNDLED, bundled};

/// The game's part of a scenario: either a position or decks that play whole games.
#[derive(Clone, Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct File {
    /// The file of cards, seen from the scenario's folder. Left out: the bundled one.
    #[serde(default)]
    catalogue: Option<String>,
    /// Cards of this scenario alone; one with the name of a card in the file takes its place.
    #[serde(default)]
    cards: Vec<CardForm>,
    /// Cards that are other than in the catalogue, by name: `[changes."Spring Dryad"]` with whatever is to stand in place of the
    /// card's own; a string with a sign is more (`"+1"`) or less (`"-1"`).
    #[serde(default, rename = "changes")]
    _changes: BTreeMap<String, BTreeMap<String, serde_json::Value>>,
    /// A position and the steps from there.
    #[serde(default)]
    position: Option<PositionForm>,
    /// Decks that play whole games.
    #[serde(default)]
    decks: Vec<DeckForm>,
    /// Sets of cards from which a deck is drawn for each game.
    #[serde(default)]
    pools: Vec<PoolForm>,
    /// Which decks and pools meet.
    #[serde(default)]
    sides: Option<SidesForm>,
    /// The numbers of whole games.
    #[serde(default)]
    rules: RulesForm,
}

/// A position and the steps from there.
#[derive(Clone, Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
struct PositionForm {
    /// Whose turn it is, in the first main phase; `random` draws it for each battle.
    #[serde(default)]
    active: ActiveForm,
    /// Side A.
    #[serde(default)]
    a: PlayerForm,
    /// Side B.
    #[serde(default)]
    b: PlayerForm,
    /// Creatures that died before, for cards that revive; one entry for each death, with `@level` where that
    /// is not 1.
    #[serde(default)]
    dead: Vec<String>,
    /// What happens, first to last; always to the active player.
    #[schemars(length(min = 1, max = 1000))]
    steps: Vec<StepForm>,
    /// Whether steps keep to what a player may do: two cards a turn, legal targets, Mobility, phases in their order.
    /// Left out: true. A step that breaks a rule is then a fault, or, where dice decide that, left out and told. With
    /// false, such a step is taken all the same, on those of its targets that can be chosen; what cannot be done at all,
    /// and an ability of a creature on the defensive, is left out and told.
    #[serde(default = "yes")]
    strict: bool,
    /// What is read off at the end.
    #[serde(default)]
    results: Vec<ResultForm>,
}

/// Whose turn it is.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
enum ActiveForm {
    /// Side A's.
    #[default]
    A,
    /// Side B's.
    B,
    /// Either's, equally likely.
    Random,
}

/// A player in a position.
#[derive(Clone, Debug, Default, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
struct PlayerForm {
    /// Life. Left out: 120.
    #[serde(default)]
    #[schemars(range(min = 1))]
    life: Option<i16>,
    /// The player's own Armor.
    #[serde(default)]
    #[schemars(range(min = 0))]
    armor: i16,
    /// Turns begun so far, the active player's running turn among them; the rank rises at the end of every fourth. Stories
    /// number turns from both players' together: where neither says any, the first that starts is turn 1.
    #[serde(default)]
    #[schemars(range(min = 0, max = 200))]
    turns: u8,
    /// Cards played this turn.
    #[serde(default)]
    #[schemars(range(min = 0, max = 30))]
    played: u8,
    /// The creatures on this side.
    #[serde(default)]
    creatures: Vec<CreatureForm>,
    /// The cards in hand, with `@level` where that is not 1.
    #[serde(default)]
    hand: Vec<String>,
    /// The cards to draw from.
    #[serde(default)]
    deck: Vec<String>,
    /// The discard pile.
    #[serde(default)]
    discard: Vec<String>,
    /// What this player chooses when a card asks. A card that is not here gets anything, all equally likely.
    #[serde(default)]
    answers: Vec<AnswerForm>,
}

/// A creature on the field.
#[derive(Clone, Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
struct CreatureForm {
    /// Which card, with `@level` where that is not 1.
    card: String,
    /// Its lane, 1 to 5 from left to right.
    #[schemars(range(min = 1, max = 5))]
    lane: u8,
    /// Its attack, where that is not the card's.
    #[serde(default)]
    attack: Option<i16>,
    /// Its maximum health, where that is not the card's.
    #[serde(default)]
    health: Option<i16>,
    /// Damage on it.
    #[serde(default)]
    #[schemars(range(min = 0))]
    damage: i16,
    /// Poison on it.
    #[serde(default)]
    #[schemars(range(min = 0))]
    poison: i16,
    /// Whether it is on the defensive: new since its owner's last turn.
    #[serde(default)]
    defensive: bool,
}

/// What a player chooses when a card asks.
#[derive(Clone, Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
struct AnswerForm {
    /// Which card asks. For an ability that was granted that is the creature which has it, not the card that granted it.
    card: String,
    /// What to choose, most wanted first: a space such as `A2`, a player `A` or `B`, a card of the hand by its
    /// place `1`, `2`, ..., or `nothing`. The first that is possible is chosen.
    #[schemars(length(min = 1))]
    prefer: Vec<String>,
}

/// Something that the active player does, or a phase that passes.
#[derive(Clone, Debug, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
enum StepForm {
    /// Plays a card from the hand.
    Play(PlayForm),
    /// Discards a card to level it. One with `overload`, and a token, leaves the game.
    Level(String),
    /// Uses the activated ability of a creature.
    Activate(ActivateForm),
    /// Moves a creature to a free lane.
    Move(MoveForm),
    /// Fights a battle, if one may be fought.
    Battle,
    /// Start of turn.
    StartTurn,
    /// Everything from the discarding of the hand to the wearing off of effects; then the other side is active.
    EndTurn,
}

/// A card that is played.
#[derive(Clone, Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
struct PlayForm {
    /// Which card, with `@level` where that is not 1.
    card: String,
    /// A creature's lane.
    #[serde(default)]
    #[schemars(range(min = 1, max = 5))]
    lane: Option<u8>,
    /// What a spell chooses: spaces such as `B3`, or a player `A` or `B`.
    #[serde(default)]
    targets: Vec<String>,
}

/// An activated ability that is used.
#[derive(Clone, Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
struct ActivateForm {
    /// The creature's lane.
    #[schemars(range(min = 1, max = 5))]
    lane: u8,
    /// What it chooses.
    #[serde(default)]
    targets: Vec<String>,
}

/// A creature that moves.
#[derive(Clone, Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
struct MoveForm {
    /// From this lane.
    #[schemars(range(min = 1, max = 5))]
    from: u8,
    /// To this one.
    #[schemars(range(min = 1, max = 5))]
    to: u8,
}

/// Something that is read off a position when its steps are over.
#[derive(Clone, Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
struct ResultForm {
    /// What it is called in tables.
    name: String,
    /// What is read.
    read: ReadingForm,
}

/// What is read off a position.
#[derive(Clone, Debug, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
enum ReadingForm {
    /// The attack of the creature in a space such as `A2`; 0 of nobody.
    Attack(String),
    /// Its health.
    Health(String),
    /// The life of side `A` or `B`.
    Life(String),
    /// How many cards side `A` or `B` has in hand.
    Hand(String),
    /// How many creatures are like this. Asked of one creature, the mean of 0 and 1 is its probability.
    Count(LikenessForm),
}

/// Creatures to count: everything that is said must be true.
#[derive(Clone, Debug, Default, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
struct LikenessForm {
    /// On side `A` or `B`, or in a space such as `A2`.
    #[serde(default)]
    at: Option<String>,
    /// Of this card, at any level.
    #[serde(default)]
    card: Option<String>,
    /// With exactly this attack.
    #[serde(default)]
    attack: Option<i16>,
    /// With exactly this health.
    #[serde(default)]
    health: Option<i16>,
}

/// A deck.
#[derive(Clone, Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
struct DeckForm {
    /// Its name.
    name: String,
    /// How many of each card: 30 in all, up to 3 of a card, from up to 2 factions.
    cards: BTreeMap<String, i64>,
    /// How it is played. Left out: random.
    policy: Option<PolicyForm>,
}

/// A set of cards from which a legal deck is drawn for each game: 30 cards, up to 3 of each.
#[derive(Clone, Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
struct PoolForm {
    /// Its name.
    name: String,
    /// The factions that decks are of. Left out: all.
    #[serde(default)]
    #[schemars(length(min = 1))]
    factions: Vec<Faction>,
    /// How many factions a deck has. Left out: two.
    #[serde(default)]
    factions_in_deck: FactionsForm,
    /// Only these cards. Left out: all but tokens.
    #[serde(default)]
    #[schemars(length(min = 1))]
    cards: Vec<String>,
    /// Not these cards.
    #[serde(default)]
    exclude: Vec<String>,
    /// How its decks are played. Left out: random.
    policy: Option<PolicyForm>,
}

/// How many factions a drawn deck has.
#[derive(Clone, Copy, Debug, Default, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
enum FactionsForm {
    /// One, all equally likely.
    One,
    /// Two, all pairs equally likely.
    #[default]
    Two,
    /// One or two, all factions and pairs equally likely.
    OneOrTwo,
}

/// How a deck is played.
#[derive(Clone, Debug, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
enum PolicyForm {
    /// Anything that is legal, all equally likely.
    Random,
    /// What leaves the player best off after this turn's battle.
    Greedy,
    /// What leaves the player best off after the next turn of the other player, in which that one is taken to play like
    /// `greedy`, with a typical hand and every die in the middle; beats `greedy` four times in five, and takes thirty times as long.
    Thoughtful,
    /// By a list of cards and a list of lanes.
    Scripted(ScriptForm),
}

/// What a scripted player plays.
#[derive(Clone, Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
struct ScriptForm {
    /// Cards, most wanted first. Others are levelled.
    #[schemars(length(min = 1))]
    cards: Vec<String>,
    /// All five lanes, most wanted first. Left out: 3, 2, 4, 1, 5.
    #[serde(default)]
    #[schemars(length(min = 1), inner(range(min = 1, max = 5)))]
    lanes: Vec<u8>,
}

/// Which decks meet. The deck on side A plays first.
#[derive(Clone, Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
struct SidesForm {
    /// The decks on side A. Everybody on side A meets everybody on side B, and nobody itself unless no other match-up is left.
    #[schemars(length(min = 1))]
    a: Vec<String>,
    /// The decks on side B.
    #[schemars(length(min = 1))]
    b: Vec<String>,
    /// Whether every match-up is also played with seats exchanged. Left out: true.
    #[serde(default = "yes")]
    swap: bool,
}

fn yes() -> bool {
    true
}

/// The numbers of whole games.
#[derive(Clone, Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, default)]
struct RulesForm {
    /// Starting life. Left out: 120.
    #[schemars(range(min = 1, max = 10000))]
    life: i16,
    /// Cards in a new hand. Left out: 5.
    #[schemars(range(min = 1, max = 30))]
    hand: u8,
    /// Cards that may be played in a turn. Left out: 2.
    #[schemars(range(min = 1, max = 30))]
    plays: u8,
    /// Cards that the first player may play in the first turn. Left out: 1.
    #[schemars(range(min = 0, max = 30))]
    first_plays: u8,
    /// A player's rank rises after every so many turns. Left out: 4.
    #[schemars(range(min = 1, max = 100))]
    rank_every: u8,
    /// When the discard pile of a player whose rank has risen goes back into the deck. Left out: `after_drawing`.
    reshuffle: Reshuffle,
    /// A game still open after this many turns, both players' together, is undecided. Left out: 200.
    #[schemars(range(min = 1, max = 400))]
    last_turn: u16,
}

impl Default for RulesForm {
    fn default() -> Self {
        let rules = super::setup::Rules::default();
        Self {
            life: rules.life,
            hand: rules.hand,
            plays: rules.plays,
            first_plays: rules.first_plays,
            rank_every: rules.rank_every,
            reshuffle: rules.reshuffle,
            last_turn: rules.last_turn,
        }
    }
}

const CARDS_LISTED: &str = "`evens list cards solforge` names them all";

impl Form for SolForge {
    type File = File;

    const CHANGEABLE: &'static [Shelf] = &[Shelf {
        list: "cards",
        noun: "card",
        name: "name",
        bundled: BUNDLED,
        file: Some("catalogue"),
        listing: "evens list cards solforge",
        tunable: &["attack", "health", "armor", "mobility", "regenerate", "poison", "amount"],
        made: None,
    }];

    fn can_come_up(setup: &Setup, name: &str) -> bool {
        let place = setup.cards.cards.iter().position(|card| card.name == name);
        place.is_some_and(|card| setup.activity.has(card))
    }

    fn check(file: File, _: &Common, checker: &mut Checker<'_>) -> Option<Setup> {
        let no_games = file.decks.is_empty() && file.pools.is_empty();
        let Some(cards) = catalogue::cards(&file, checker) else {
            if !no_games {
                let _ = games::matchups(&file, checker);
            }
            return None;
        };
        let top = Spot::top();
        let play = match (&file.position, no_games) {
            (Some(position), true) => {
                if file.sides.is_some() {
                    let remedy = "take it out, or play whole games with `[[decks]]`";
                    checker.key_fault(&top.key("sides"), "a position has no decks to meet", remedy);
                }
                position::check(position, &cards, &top.key("position"), checker)
                    .map(|position| Play::Position(Box::new(position)))
            }
            (None, false) => games::check(&file, &cards, checker).map(Play::Games),
            (Some(_), false) => {
                let remedy = "take out one of the two";
                let key = if file.decks.is_empty() { "pools" } else { "decks" };
                let message = format!("both a position and {key}");
                checker.key_fault(&top.key(key), message, remedy);
                None
            }
            (None, true) => {
                let remedy = "give a `[position]`, or `[[decks]]` or `[[pools]]`, and `[sides]`";
                checker.fault(&top, "neither a position nor decks: nothing to play", remedy);
                None
            }
        };
        let setup = checker.is_clean().then_some(Setup::unchecked(cards, play?))?;
        if let (Some(form), Play::Position(position)) = (&file.position, &setup.play)
            && position.strict
        {
            trial::check(form, &setup, position, &top.key("position"), checker);
        }
        checker.is_clean().then_some(setup)
    }
}

/// Reads a card at a level, as scenarios write it: `Zimus, the Undying@3`. None, with a fault, if there is no such card
/// or level.
fn card_at(
    text: &str,
    cards: &Cards,
    spot: &Spot,
    checker: &mut Checker<'_>,
) -> Option<CardAtLevel> {
    let (name, level) = match text.rsplit_once('@') {
        None => (text, 1),
        Some((name, level)) => match level.parse() {
            Ok(level) => (name, level),
            Err(_) => {
                let remedy = "write a whole number after `@`, such as `Fell Walker@2`";
                checker.fault(spot, format!("`{level}` is no level"), remedy);
                return None;
            }
        },
    };
    let Some(card) = cards.find(name) else {
        let known = cards.cards.iter().map(|card| card.name.as_str());
        let remedy = suggestion(name, known, CARDS_LISTED);
        checker.fault(spot, format!("unknown card `{name}`"), remedy);
        return None;
    };
    let form = card.at_level(level);
    if form.is_none() {
        let message = format!("`{name}` has no level {level}");
        checker.fault(spot, message, format!("it has levels 1 to {}", card.levels()));
    }
    form
}

/// Index of a card among the setup's cards, at whatever level it is written.
fn card_place(name: &str, cards: &Cards, spot: &Spot, checker: &mut Checker<'_>) -> Option<u16> {
    let form = card_at(name, cards, spot, checker)?;
    Some(cards.form(form).card)
}
