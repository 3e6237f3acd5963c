//! What stays the same from battle to battle.

use arrayvec::ArrayVec;

use super::cards::Catalogue;
use super::ruleset::Rulesets;

/// A card at a level.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct CardAt {
    /// Its place in the catalogue.
    pub card: u16,
    /// Its level, from 1.
    pub level: u8,
}

/// A team in line-up order.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct LineUp {
    /// Who leads.
    pub summoner: CardAt,
    /// Who fights, front first; at least one.
    pub monsters: ArrayVec<CardAt, 6>,
}

/// Everything that stays the same from battle to battle.
#[derive(Clone, Debug)]
pub struct Setup {
    /// The cards.
    pub catalogue: Catalogue,
    /// The rulesets of each condition of the layout.
    pub conditions: Vec<Rulesets>,
    /// The contenders of each match-up, as indices into `contenders`.
    pub matchups: Vec<[u16; 2]>,
    /// Whether identical teams draw without a fight (decision 3).
    pub identical_teams_draw: bool,
    pub teams: Vec<LineUp>,
}
impl Setup {
    pub fn matchup_labels(&self) -> Vec<crate::tally::Matchup> { vec![] }
    pub fn condition_labels(&self) -> Vec<crate::tally::Condition> { vec![] }

    pub fn field<C: crate::chance::Chance<super::rolls::Roll>>(&self, stratum: crate::game::Stratum, _chance: &mut C) -> super::state::State {
        let [a, b] = self.matchups[stratum.matchup as usize];
        super::state::State::new(&self.catalogue, self.conditions[stratum.condition as usize], 30, [&self.teams[a as usize], &self.teams[b as usize]])
    }
}
