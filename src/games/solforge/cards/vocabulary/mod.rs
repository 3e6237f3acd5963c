//! The words in which cards are written down: what a card file may say, and nothing of how it is played.
//!
//! Numbers may differ by level: `[1, 2, 3]` is 1 at level 1, 2 at level 2, 3 at level 3, and a single number
//! holds at every level.

mod amounts;
mod effects;
mod filters;

pub use amounts::*;
pub use effects::*;
pub use filters::*;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::games::solforge::keyword::Keyword;

/// A file of cards.
#[derive(Clone, Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct CardFile {
    /// The cards.
    #[schemars(length(min = 1))]
    pub cards: Vec<CardForm>,
}

/// What a card belongs to.
#[derive(
    Clone,
    Copy,
    Debug,
    PartialEq,
    Eq,
    Hash,
    Deserialize,
    Serialize,
    JsonSchema,
    strum::Display,
    strum::EnumIter,
)]
#[serde(rename_all = "lowercase")]
pub enum Faction {
    /// Alloyin.
    Alloyin,
    /// Nekrium.
    Nekrium,
    /// Tempys.
    Tempys,
    /// Uterra.
    Uterra,
}

/// A card at all of its levels.
#[derive(Clone, Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct CardForm {
    /// Its name.
    pub name: String,
    /// Its faction.
    pub faction: Faction,
    /// What the creature is (`Spirit`, `Abomination`), where some ability asks for it.
    #[serde(default)]
    pub tribes: Vec<String>,
    /// A creature's attack by level; a spell has none. The list says how many levels the card has.
    #[serde(default)]
    pub attack: Vec<i16>,
    /// A creature's health by level.
    #[serde(default)]
    pub health: Vec<i16>,
    /// The levels at which a card with attack and health is a spell all the same.
    #[serde(default)]
    pub spell_at: Vec<u8>,
    /// How many levels a spell has. Left out: 3.
    #[serde(default)]
    #[schemars(range(min = 1, max = 4))]
    pub levels: Option<u8>,
    /// What it can do at every level.
    #[serde(default)]
    pub keywords: Vec<Keyword>,
    /// What it can do at some levels only.
    #[serde(default)]
    pub keywords_at: Vec<KeywordAt>,
    /// The first so much damage of each turn is prevented.
    #[serde(default)]
    pub armor: Option<ByLevel>,
    /// How many lanes it may move once a turn.
    #[serde(default)]
    pub mobility: Option<ByLevel>,
    /// How much it heals at the start of each turn.
    #[serde(default)]
    pub regenerate: Option<ByLevel>,
    /// How many more times it battles in each of its owner's turns.
    #[serde(default)]
    pub battles: Option<ByLevel>,
    /// The levels at which playing it costs no play.
    #[serde(default)]
    pub free: Vec<u8>,
    /// Whether it is removed from the game rather than discarded and levelled: when it is played, and when it is levelled
    /// without being played.
    #[serde(default)]
    pub overload: bool,
    /// Whether it can be in no deck, only put on the field by other cards.
    #[serde(default)]
    pub token: bool,
    /// What happens when. A spell's own effect has `when = "cast"`.
    #[serde(default)]
    pub abilities: Vec<AbilityForm>,
    /// What holds for as long as the creature is on the field.
    #[serde(default)]
    pub statics: Vec<StaticForm>,
}

/// A keyword that some levels of a card have.
#[derive(Clone, Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct KeywordAt {
    /// Which.
    pub keyword: Keyword,
    /// The levels that have it.
    #[schemars(length(min = 1))]
    pub levels: Vec<u8>,
}

/// Something that happens when something else does, or when its player wants it to.
#[derive(Clone, Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct AbilityForm {
    /// What sets it off.
    pub when: When,
    /// The levels of the card that have it. Left out: all.
    #[serde(default)]
    pub levels: Vec<u8>,
    /// What must be true when it resolves; otherwise nothing happens.
    #[serde(default, rename = "if")]
    pub conditions: Vec<Condition>,
    /// What its player chooses when it resolves (a spell's and an activated ability's when it is played). An
    /// ability with a choice is targeted, and resolves after those without.
    #[serde(default)]
    pub choose: Option<ChooseForm>,
    /// What its player chooses besides, independently: where nothing can be chosen the one way, the other still counts. The
    /// targets of a step are those of `choose` first.
    #[serde(default)]
    pub also_choose: Option<ChooseForm>,
    /// What it does, in this order.
    #[serde(rename = "do")]
    #[schemars(length(min = 1))]
    pub effects: Vec<EffectForm>,
}

/// What sets an ability off.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum When {
    /// The spell is played.
    Cast,
    /// It has been played from the hand. A spell's `subject` is then the creature it was played on.
    Forge,
    /// The creature enters the field, in whatever way.
    Arrives,
    /// The creature is destroyed.
    Vengeance,
    /// The creature moves to another lane.
    Flank,
    /// Its player's rank rises.
    RankRises,
    /// Its player wants it, once a turn, while it is on the offensive. At level 2 and 3 of some cards more
    /// often: `activate_twice`.
    Activate,
    /// Its player wants it, up to twice a turn, while it is on the offensive.
    ActivateTwice,
    /// A creature enters the field.
    Enters(EntersForm),
    /// A creature is destroyed.
    Destroyed(FilterForm),
    /// A creature moves to another lane.
    Moves(FilterForm),
    /// A player plays a card.
    Plays(PlaysForm),
    /// The creature deals battle damage to a player.
    HitsPlayer(OnTurn),
    /// The creature deals battle damage to a creature.
    HitsCreature(FilterForm),
    /// The creature is dealt damage, in battle or not. The damage is `dealt`.
    IsDamaged,
    /// A turn starts.
    TurnStarts(OnTurn),
    /// A turn ends.
    TurnEnds(OnTurn),
}

/// A creature that enters the field.
#[derive(Clone, Debug, Default, PartialEq, Eq, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct EntersForm {
    /// Which creatures count.
    #[serde(default)]
    pub creature: FilterForm,
    /// Only from the hand (true), or only by other ways (false). Left out: both.
    #[serde(default)]
    pub forged: Option<bool>,
}

/// A card that is played.
#[derive(Clone, Debug, Default, PartialEq, Eq, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct PlaysForm {
    /// Who plays it.
    #[serde(default)]
    pub player: Relation,
    /// Only spells, or only creatures. Left out: both.
    #[serde(default)]
    pub kind: Option<Kind>,
    /// Only cards of this faction.
    #[serde(default)]
    pub faction: Option<Faction>,
    /// Only cards up to this level.
    #[serde(default)]
    pub level_at_most: Option<ByLevel>,
    /// Only that player's so-manieth card of the turn.
    #[serde(default)]
    #[schemars(range(min = 1, max = 30))]
    pub nth: Option<u8>,
}

/// Whether a card is a creature or a spell.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Deserialize, JsonSchema, strum::Display)]
#[serde(rename_all = "lowercase")]
#[strum(serialize_all = "lowercase")]
pub enum Kind {
    /// It stands in a lane.
    Creature,
    /// It happens and is gone.
    Spell,
}

/// You or the other player.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum Relation {
    /// The player who has the ability.
    #[default]
    You,
    /// The other player.
    Opponent,
}

/// On whose turn.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct OnTurn {
    /// Whose turn it must be. Left out: either's.
    #[serde(default)]
    pub turn: TurnOf,
}

/// Whose turn.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum TurnOf {
    /// Either player's.
    #[default]
    Each,
    /// That of the player who has the ability.
    Yours,
    /// The other player's.
    Theirs,
}

/// Something that must be true.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Condition {
    /// The creature is in the centre lane.
    InCenter,
    /// The creature is not in the centre lane.
    NotInCenter,
    /// The space of the creature that set the ability off is free.
    SpaceFree,
    /// Its player has a card of this faction in hand ("Allied").
    Allied(Faction),
    /// There is such a creature.
    Exists(FilterForm),
}

/// What a player chooses.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct ChooseForm {
    /// What is chosen.
    #[serde(default)]
    pub what: Choosable,
    /// Which creatures can be chosen.
    #[serde(default)]
    pub from: FilterForm,
    /// How many at most, by level; fewer where there are fewer. Left out: 1.
    #[serde(default)]
    pub count: Option<ByLevel>,
    /// Whether the player may choose nothing; then nothing happens.
    #[serde(default)]
    pub may: bool,
}

/// What can be chosen.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Choosable {
    /// A creature.
    #[default]
    Creature,
    /// A creature or a player; with `side` in `from`, only a player of that side.
    CreatureOrPlayer,
    /// One of the chooser's own free spaces.
    FreeSpace,
    /// A card in the chooser's hand.
    CardInHand,
}

/// What holds for as long as a creature is on the field. Statics act from the leftmost lane to the rightmost
/// (SF-40).
#[derive(Clone, Debug, PartialEq, Eq, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct StaticForm {
    /// For whom it holds.
    #[serde(default)]
    pub who: StaticWho,
    /// The levels of the card that have it. Left out: all.
    #[serde(default)]
    pub levels: Vec<u8>,
    /// Only in the centre lane (true), or only elsewhere (false).
    #[serde(default)]
    pub in_center: Option<bool>,
    /// Attack that is added.
    #[serde(default)]
    pub attack: Option<ByLevel>,
    /// Health that is added.
    #[serde(default)]
    pub health: Option<ByLevel>,
    /// How much more it heals at the start of each turn.
    #[serde(default)]
    pub regenerate: Option<ByLevel>,
    /// Armor that is added; the player's with `who = "you"`.
    #[serde(default)]
    pub armor: Option<ByLevel>,
    /// Battles more in each of its player's turns.
    #[serde(default)]
    pub battles: Option<ByLevel>,
    /// Its attack becomes its health.
    #[serde(default)]
    pub attack_is_health: bool,
    /// Its player's life is added to its attack and its health.
    #[serde(default)]
    pub plus_life: bool,
}

/// For whom a static holds.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum StaticWho {
    /// The creature itself.
    #[default]
    Itself,
    /// The friendly creatures next to it.
    Adjacent,
    /// All other friendly creatures.
    Others,
    /// All friendly creatures, itself included.
    Friends,
    /// Its player.
    You,
}
