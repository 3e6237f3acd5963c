//! The names of all dice in a SolForge game.

use strum::IntoStaticStr;

/// A die of a SolForge game.
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
    /// Which creatures an effect on random ones acts on.
    RandomTarget,
    /// Which creature with the lowest attack is taken, among equals.
    LowestAttack,
    /// An amount drawn between two bounds.
    RandomAmount,
    /// Which card is drawn from the deck.
    Draw,
    /// Which card is discarded at random.
    Discard,
    /// Which action a random player takes next.
    Action,
    /// What is chosen by a player who chooses at random.
    Choice,
    /// Which factions a drawn deck has.
    DeckFactions,
    /// Which card comes into a drawn deck next.
    DeckCard,
    /// Which side is active in a position that leaves it open.
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
