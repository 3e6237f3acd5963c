//! The names of all dice in a Sanctum combat, in the order in which a combat can throw them.

use strum::IntoStaticStr;

/// A die.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, IntoStaticStr)]
#[strum(serialize_all = "title_case")]
pub enum Roll {
    /// Whether an effect with a chance happens.
    Effect,
    /// Which idle basher of the larger side the next one of the smaller side pairs up with (R2).
    Pairing,
    /// Which of several victims that no tiebreaker tells apart (Choose Victims Wisely, 6).
    TargetTie,
    /// Which of several enemies an idle minion attacks because it must (R2, R3, R4).
    Compulsion,
    /// Whom each attack after a minion's first goes to (R3, R4).
    ExtraAttack,
    /// What the scenario leaves to chance before the battle, such as who has precedence: its first die.
    Condition,
}

impl crate::chance::Roll for Roll {
    fn name(self) -> &'static str {
        self.into()
    }

    fn number(self) -> u8 {
        self as u8
    }
}
