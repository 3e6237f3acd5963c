//! Which parts of a page are wanted.

use strum::{Display, EnumIter, EnumString, IntoEnumIterator};

/// A part of the page of a run, besides the answer that it begins with.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Display, EnumIter, EnumString)]
#[cfg_attr(feature = "cli", derive(clap::ValueEnum))]
#[strum(serialize_all = "snake_case")]
pub enum Section {
    /// Each match-up, and contenders over all of theirs.
    Matchups,
    /// How long battles last, and what is measured in them.
    Measured,
    /// The mixed equilibrium of contenders that all meet each other.
    Field,
    /// Battles with each ruleset (or whatever else is drawn) against those without it.
    Rulesets,
    /// The best and the worst cards, summoners or minions.
    Units,
    /// Which of them do better or worse together than each alone.
    Pairs,
    /// In which order things happened, and what goes with it.
    Orders,
    /// What never had an effect.
    Activity,
}

/// The parts of a page that are wanted.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Sections {
    wanted: Vec<Section>,
    /// The units that get a section of their own, as indices into the layout's units.
    units: Vec<usize>,
}

impl Sections {
    /// No section: the answer alone.
    #[must_use]
    pub fn none() -> Self {
        Self::default()
    }

    /// Every section.
    #[must_use]
    pub fn all() -> Self {
        Self { wanted: Section::iter().collect(), units: Vec::new() }
    }

    /// Only these sections.
    #[must_use]
    pub fn only(wanted: &[Section]) -> Self {
        Self { wanted: wanted.to_vec(), units: Vec::new() }
    }

    /// Adds a section on each of these units (indices into the layout's units) with everything that is known of it.
    #[must_use]
    pub fn and_units(self, units: Vec<usize>) -> Self {
        Self { units, ..self }
    }

    /// The units that get a section of their own.
    #[must_use]
    pub fn units(&self) -> &[usize] {
        &self.units
    }

    /// Whether this part is wanted.
    #[must_use]
    pub fn has(&self, section: Section) -> bool {
        self.wanted.contains(&section)
    }

    /// Whether neither a part nor a unit's section is wanted.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.wanted.is_empty() && self.units.is_empty()
    }
}
