//! What abilities do, and to whom.

use schemars::JsonSchema;
use serde::Deserialize;

use super::{AbilityForm, AmountForm, ByLevel, ChooseForm, Condition, Faction, FilterForm};
use crate::games::solforge::keyword::Keyword;

/// Whom an effect acts on.
#[derive(Clone, Debug, Default, PartialEq, Eq, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Who {
    /// The creature that has the ability.
    #[default]
    Itself,
    /// The creature that set the ability off.
    Subject,
    /// The creature across from the one that has the ability.
    Opposite,
    /// The creature across from where the creature that set the ability off stood.
    OppositeSubject,
    /// What was chosen.
    Chosen,
    /// What was chosen besides, by `also_choose`.
    AlsoChosen,
    /// The player who has the ability.
    You,
    /// The other player.
    Opponent,
    /// All such creatures at once.
    Each(FilterForm),
    /// One of such creatures, all equally likely.
    Random(FilterForm),
    /// Two of such creatures, all pairs equally likely.
    RandomTwo(FilterForm),
    /// The one with the lowest attack of such creatures, drawn among equals.
    LowestAttack(FilterForm),
}

/// For how long.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Until {
    /// As long as the creature is on the field.
    #[default]
    Forever,
    /// Until the end of this turn.
    EndOfTurn,
    /// Until the end of the turn after this one, whoever's it is.
    EndOfNextTurn,
}

/// Something that an ability does.
#[derive(Clone, Debug, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum EffectForm {
    /// Changes creatures; negative numbers take away.
    Gain(Box<GainForm>),
    /// Swaps attack and health; lost health is damage (decision 4).
    Swap(WhoForm),
    /// Deals damage to creatures or players.
    Damage(AmountOn),
    /// Takes damage off creatures.
    Heal(AmountOn),
    /// Adds to players' life; negative takes away.
    Life(AmountOn),
    /// Destroys creatures.
    Destroy(WhoForm),
    /// Puts a creature on its player's side of the field, where there is room.
    Spawn(SpawnForm),
    /// Puts copies of dead creatures on the field.
    Revive(ReviveForm),
    /// Moves creatures to free spaces of their side.
    Move(MoveForm),
    /// Takes keywords or abilities from creatures, printed or gained, for as long as they are on the field.
    Lose(LoseForm),
    /// Puts a fresh creature into the space of each creature, which leaves without dying.
    Replace(ReplaceForm),
    /// Returns creatures to their players' hands; they leave without dying. Tokens are gone.
    ReturnToHand(WhoForm),
    /// Does something later, once.
    Later(LaterForm),
    /// A player may play so many more cards this turn, or so many fewer.
    Plays(AmountOn),
    /// Gives creatures another ability.
    Grant(Box<GrantForm>),
    /// A player draws cards.
    Draw(AmountOn),
    /// A player discards cards at random until so many are left.
    DiscardDownTo(AmountOn),
    /// Discards the chosen cards and levels them.
    LevelChosen,
    /// Looks whether creatures can battle again.
    LookForBattles,
}

/// Whom.
#[derive(Clone, Debug, Default, PartialEq, Eq, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct WhoForm {
    /// Whom it acts on. Left out: the creature that has the ability.
    #[serde(default)]
    pub who: Who,
}

/// Whom and how much.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct AmountOn {
    /// Whom it acts on. Left out: the creature that has the ability.
    #[serde(default)]
    pub who: Who,
    /// How much.
    pub amount: AmountForm,
}

/// What creatures gain.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct GainForm {
    /// Who gains. Left out: the creature that has the ability.
    #[serde(default)]
    pub who: Who,
    /// Attack.
    #[serde(default)]
    pub attack: Option<AmountForm>,
    /// Health, and maximum health with it.
    #[serde(default)]
    pub health: Option<AmountForm>,
    /// Armor.
    #[serde(default)]
    pub armor: Option<AmountForm>,
    /// Poison.
    #[serde(default)]
    pub poison: Option<AmountForm>,
    /// Regenerate.
    #[serde(default)]
    pub regenerate: Option<AmountForm>,
    /// Mobility.
    #[serde(default)]
    pub mobility: Option<AmountForm>,
    /// Battles more in each turn.
    #[serde(default)]
    pub battles: Option<AmountForm>,
    /// Keywords.
    #[serde(default)]
    pub keywords: Vec<Keyword>,
    /// For how long. What ends is taken off again, whether or not it is still there.
    #[serde(default)]
    pub until: Until,
}

/// A creature that is put on the field.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct SpawnForm {
    /// Which card. Left out: see `copy`.
    #[serde(default)]
    pub card: Option<String>,
    /// At which level. Left out: at the level of the card that has the ability, or the highest below.
    #[serde(default)]
    pub level: Option<ByLevel>,
    /// A fresh copy of the creature that has the ability, or of each that is chosen.
    #[serde(default)]
    pub copy: Option<CopyOf>,
    /// Where.
    pub to: Space,
}

/// What a fresh copy is made of.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum CopyOf {
    /// The creature that has the ability.
    Itself,
    /// The chosen creature; one of each where several are.
    Chosen,
}

/// A lane: for who is put on the field one of its player's side, for who moves one of its own. Where several are chosen, one is put
/// on the field for each.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Space {
    /// Where the creature that has the ability stands or stood; nothing happens if it is taken.
    Here,
    /// Where the creature that set the ability off stands or stood; nothing happens if it is taken.
    Subject,
    /// A free space drawn at random; nothing happens if there is none.
    Random,
    /// A free space next to the creature that has the ability, drawn at random; nothing happens if there is none.
    Adjacent,
    /// The chosen space, or where the chosen creature stands or stood.
    Chosen,
}

/// Copies of dead creatures. Every death counts, so what died twice comes twice as often (SF-73).
#[derive(Clone, Debug, PartialEq, Eq, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct ReviveForm {
    /// How many, each drawn anew (SF-75); never more than there is room for.
    pub count: ByLevel,
    /// Only those up to this level.
    #[serde(default)]
    pub level_at_most: Option<ByLevel>,
    /// Only those of this faction.
    #[serde(default)]
    pub faction: Option<Faction>,
    /// Only those of this tribe.
    #[serde(default)]
    pub tribe: Option<String>,
    /// Whether all enter together (SF-76) rather than one after another (SF-74).
    #[serde(default)]
    pub together: bool,
}

/// A move to a free space of the same side.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct MoveForm {
    /// Who moves. Left out: the creature that has the ability.
    #[serde(default)]
    pub who: Who,
    /// Where to; nothing happens if it is taken.
    pub to: Space,
    /// Whether it moves even when it is destroyed already, but not yet gone.
    #[serde(default)]
    pub even_if_destroyed: bool,
}

/// Keywords or abilities that are taken from creatures.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct LoseForm {
    /// Who loses them. Left out: the creature that has the ability.
    #[serde(default)]
    pub who: Who,
    /// Which keywords.
    #[serde(default)]
    pub keywords: Vec<Keyword>,
    /// Whether it loses all abilities, too: those that are printed on it, those that it was given so far, and what holds
    /// while it is on the field. Its numbers stay as they are.
    #[serde(default)]
    pub abilities: bool,
}

/// A fresh creature in the place of another.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct ReplaceForm {
    /// Who is replaced. Left out: the creature that has the ability.
    #[serde(default)]
    pub who: Who,
    /// By which card.
    pub card: String,
    /// At which level. Left out: at the level of the card that has the ability, or the highest below.
    #[serde(default)]
    pub level: Option<ByLevel>,
}

/// Something that happens later, once, whatever has become of the creature or spell that said so. `itself` is the creature
/// that has the ability, and `subject` the creature that was chosen (without a choice, the one that set it off), both
/// only if they are still on the field then. Where several were chosen, what speaks of `subject` happens once for each.
#[derive(Clone, Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct LaterForm {
    /// When.
    pub at: Later,
    /// What must be true then; otherwise nothing happens.
    #[serde(default, rename = "if")]
    pub conditions: Vec<Condition>,
    /// What is chosen then.
    #[serde(default)]
    pub choose: Option<ChooseForm>,
    /// What it does, in this order.
    #[serde(rename = "do")]
    #[schemars(length(min = 1))]
    pub effects: Vec<EffectForm>,
}

/// A moment to come.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Later {
    /// The next end of a turn, whoever's it is.
    #[default]
    EndOfTurn,
    /// The start of the next turn of the player who has the ability.
    StartOfNextTurn,
    /// The end of the next turn of the player who has the ability; not that of a turn that has begun. (With `until` it is
    /// the end of the turn after this one, whoever's it is.)
    EndOfNextTurn,
}

/// Another ability for creatures.
#[derive(Clone, Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct GrantForm {
    /// Who gets it. Left out: the creature that has the ability.
    #[serde(default)]
    pub who: Who,
    /// The ability.
    pub ability: AbilityForm,
    /// For how long.
    #[serde(default)]
    pub until: Until,
}
