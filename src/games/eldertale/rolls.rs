//! The dice of an Elder Tale session.

use strum::IntoStaticStr;

/// A die.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, IntoStaticStr)]
#[strum(serialize_all = "title_case")]
pub enum Roll {
    /// Which cards are dealt from one deck: one face for each set of the size that is dealt (ET-20).
    Deal,
    /// Which deck deals a card more or less, for Draw Up or Draw Down (Random).
    RandomDeck,
    /// Which cards a `random` player plays: one face for each set that its energy pays for (ET-05).
    Play,
    /// The target that a `random` player names.
    Target,
    /// The target, of those named, on which a hit of a card with random targets falls.
    HitTarget,
    /// Whether a drop in HP beyond 0 disables the character (ET-36).
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
