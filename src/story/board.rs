//! The board at one moment of a battle, in a shape that is the same for every game.
//!
//! A side has zones, a zone has units, a unit has numbers and tags. Whoever shows a battle knows this shape and no
//! game: a game says what is where, and what shows a battle compares one board with the next to find what changed.

use schemars::JsonSchema;
use serde::Serialize;

/// Everything that can be seen at one moment.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash, Serialize, JsonSchema)]
pub struct Board {
    /// What counts for the whole battle: the round, the mana cap.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub numbers: Vec<Number>,
    /// What holds for the whole battle: its rulesets.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub tags: Vec<Tag>,
    /// The id of the side whose turn it is, in games in which sides take turns.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub turn: Option<String>,
    /// The sides, A first.
    pub sides: Vec<SideBoard>,
}

/// One side of the board.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash, Serialize, JsonSchema)]
pub struct SideBoard {
    /// Its letter.
    pub id: String,
    /// What the side itself has: life, rank.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub numbers: Vec<Number>,
    /// What holds for all of the side.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub tags: Vec<Tag>,
    /// What it has where.
    pub zones: Vec<Zone>,
    /// Whether it takes part no more.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub out: bool,
}

/// Part of a side: a line-up, lanes, a hand.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize, JsonSchema)]
pub struct Zone {
    /// What it is called.
    pub name: String,
    /// How it is laid out.
    pub kind: ZoneKind,
    /// Who or what is in it, in order; `null` is an empty space.
    pub spaces: Vec<Option<Unit>>,
}

/// How a zone is laid out.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum ZoneKind {
    /// Units side by side.
    Row,
    /// Numbered spaces, each across from the one with the same number of the other side.
    Lanes,
    /// Cards of which little more than the name is shown.
    Cards,
}

/// Somebody or something on the board.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash, Serialize, JsonSchema)]
pub struct Unit {
    /// What events call it, in `actor` and `target`; empty for what no event names.
    #[serde(skip_serializing_if = "String::is_empty")]
    pub id: String,
    /// A number that stays its own where it moves and the id does not: for the whole battle or, in SolForge, until the
    /// field is at rest, where every space has its number.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub number: Option<u32>,
    /// Its name.
    pub name: String,
    /// More of what it is, in a few words: its level.
    #[serde(skip_serializing_if = "String::is_empty")]
    pub note: String,
    /// Its numbers, what keeps it alive first.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub numbers: Vec<Number>,
    /// What it can do and what has befallen it.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub tags: Vec<Tag>,
    /// What has become of it.
    #[serde(skip_serializing_if = "Fate::is_there")]
    pub fate: Fate,
}

/// What has become of a unit.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, Serialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum Fate {
    /// It is there.
    #[default]
    There,
    /// It has left alive.
    Away,
    /// It is dead.
    Dead,
}

impl Fate {
    fn is_there(&self) -> bool {
        *self == Self::There
    }
}

/// A number with its name.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize, JsonSchema)]
pub struct Number {
    /// What it is.
    pub name: &'static str,
    /// How much it is now.
    pub value: i64,
    /// The most that it can be at the moment, where there is such a bound: it is shown as a bar then.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub of: Option<i64>,
    /// How much it would be if nothing had changed it, where that is known and another.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub usual: Option<i64>,
}

impl Number {
    /// A number.
    #[must_use]
    pub fn new(name: &'static str, value: impl Into<i64>) -> Self {
        Self { name, value: value.into(), of: None, usual: None }
    }

    /// This number with an upper bound.
    #[must_use]
    pub fn of(self, most: impl Into<i64>) -> Self {
        Self { of: Some(most.into()), ..self }
    }

    /// This number with its usual value, which is kept only where it differs.
    #[must_use]
    pub fn usually(self, usual: impl Into<i64>) -> Self {
        let usual = usual.into();
        Self { usual: (usual != self.value).then_some(usual), ..self }
    }
}

/// Something in a word or two that somebody has or that holds.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize, JsonSchema)]
pub struct Tag {
    /// The words.
    pub text: String,
    /// What sort of thing it is.
    pub kind: TagKind,
    /// What it means, in one sentence, where the game says so.
    #[serde(skip)]
    pub meaning: Option<&'static str>,
}

/// What sort of thing a tag is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum TagKind {
    /// What it is or can do, of its own.
    Ability,
    /// Helps it, for a while.
    Good,
    /// Hinders it, for a while.
    Bad,
    /// Neither: where it stands, whom it attacks.
    Note,
}

impl Tag {
    /// A tag.
    #[must_use]
    pub fn new(kind: TagKind, text: impl Into<String>) -> Self {
        Self { text: text.into(), kind, meaning: None }
    }

    /// This tag with an explanation.
    #[must_use]
    pub fn meaning(self, meaning: &'static str) -> Self {
        Self { meaning: Some(meaning), ..self }
    }
}
