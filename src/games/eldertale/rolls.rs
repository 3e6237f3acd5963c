//! The names of all dice in an Elder Tale session.

use strum::IntoStaticStr;

/// A die.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, IntoStaticStr)]
#[strum(serialize_all = "title_case")]
pub enum Roll {
    /// Which cards are dealt from one deck: one face for each set of that many (ET-20).
    Deal,
    /// From which deck a card of Draw Up or Draw Down (Random) comes or stays away.
    RandomDeck,
    /// Which cards a `random` player plays: one face for each set that its energy pays for (ET-05).
    Play,
    /// Whom a `random` player names.
    Target,
    /// On whom of those named a hit of a Random-hit card falls.
    HitTarget,
    /// Whether a drop in HP beyond 0 disables (ET-36).
    Disable,
}

impl crate::chance::Roll for Roll {
    fn name(self) -> &'static str {
        self.into()
    }

    fn number(self) -> u8 {
        self as u8
    }
}
