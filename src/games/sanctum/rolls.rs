//! The dice of a Sanctum combat, in the order in which a combat can throw them.

use strum::IntoStaticStr;

/// A die.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, IntoStaticStr)]
#[strum(serialize_all = "title_case")]
pub enum Roll {
    /// Whether an effect with a chance happens.
    Effect,
    /// Which idle basher of the larger side the next one of the smaller side pairs up with (R2).
    Pairing,
    /// Which of several enemies that no tiebreaker tells apart becomes the victim (Choose Victims Wisely, 6).
    TargetTie,
    /// Which of several enemies an idle minion attacks because it must (R2, R3, R4).
    Compulsion,
    /// The victim of each attack after a minion's first (R3, R4).
    ExtraAttack,
    /// The battle's condition, such as who has precedence, which is drawn before the battle: its first die.
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
