//! The names of all dice in a SolForge game.

use strum::IntoStaticStr;

/// A die.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, IntoStaticStr)]
#[strum(serialize_all = "title_case")]
pub enum Roll {
    /// Which trigger of a group resolves next (SF-19).
    BatchOrder,
    /// Which free space a random spawn takes (SF-25).
    SpawnSpace,
    /// Which free space a random move takes.
    MoveSpace,
    /// Which dead creature is revived (SF-73).
    Revived,
    /// Who is hit by something that hits at random.
    RandomTarget,
    /// Who has the lowest attack, among equals.
    LowestAttack,
    /// A number between two others.
    RandomAmount,
    /// Which card is drawn from the deck.
    Draw,
    /// Which card is discarded at random.
    Discard,
    /// What a player without a plan does next.
    Action,
    /// What a player without a plan chooses.
    Choice,
    /// Which factions a drawn deck has.
    DeckFactions,
    /// Which card comes into a drawn deck next.
    DeckCard,
    /// Who is active in a position that leaves it open.
    ActiveSide,
}

impl crate::chance::Roll for Roll {
    fn name(self) -> &'static str {
        self.into()
    }

    fn number(self) -> u8 {
        self as u8
    }
}
