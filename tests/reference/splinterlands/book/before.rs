//! Before round 1: what rulesets do to cards, and what summoners give.

use evens::chance::Chance;
use evens::games::splinterlands::ability::Ability;
use evens::games::splinterlands::rolls::Roll;
use evens::games::splinterlands::ruleset::Ruleset;

use super::{Book, End, Printed, Summoner, Unit};
use crate::reference::recorded::Recorded;

/// Abilities with which a summoner acts itself or on the enemy, and which it does not give to its monsters (README,
/// decision 23; guide, Back to Basics).
const KEPT_BY_SUMMONERS: [Ability; 17] = [
    Ability::Affliction,
    Ability::Blind,
    Ability::Cleanse,
    Ability::Demoralize,
    Ability::Headwinds,
    Ability::Inspire,
    Ability::Protect,
    Ability::Repair,
    Ability::Resurrect,
    Ability::Rust,
    Ability::Silence,
    Ability::Slow,
    Ability::Strengthen,
    Ability::Swiftness,
    Ability::TankHeal,
    Ability::Triage,
    Ability::Weaken,
];

/// The abilities that Healed Out removes, from summoners too (guide).
const HEALING: [Ability; 3] = [Ability::Heal, Ability::TankHeal, Ability::Triage];

impl Book {
    /// Sets up the teams as they stand before round 1. If teams are illegal or identical, there may be a verdict
    /// already (README).
    pub fn open(
        rulesets: Vec<Ruleset>,
        summoners: [Printed; 2],
        teams: [Vec<Printed>; 2],
        verdict: Option<End>,
        plays_rounds_out: bool,
        dice: Recorded,
    ) -> Self {
        let highest = teams.iter().flatten().map(|card| card.health).max().unwrap();
        let mut book = Book {
            rulesets,
            units: Vec::new(),
            summoners: Vec::new(),
            round: 0,
            shaken_first: 0,
            plays_rounds_out,
            verdict,
            dice,
        };
        for card in summoners {
            let card = book.summoner_under_rulesets(card);
            book.summoners.push(Summoner { card, resurrect_used: false });
        }
        for (team, cards) in teams.into_iter().enumerate() {
            for (place, card) in cards.into_iter().enumerate() {
                let unit = book.fielded(team, place, card, highest);
                book.units.push(unit);
            }
        }
        for unit in book.all_living() {
            book.units[unit].health = book.max_health(unit);
            book.units[unit].armor = book.max_armor(unit);
        }
        book.let_the_lonely_stand();
        book.draw_whom_the_earth_shakes_first();
        book
    }

    fn summoner_under_rulesets(&self, mut card: Printed) -> Printed {
        if self.rules(Ruleset::HealedOut) {
            card.abilities.retain(|ability| !HEALING.contains(ability));
        }
        if self.rules(Ruleset::SilencedSummoners) {
            card.abilities.clear();
        }
        card
    }

    fn fielded(&self, team: usize, place: usize, mut card: Printed, highest: i32) -> Unit {
        let melee = card.melee > 0;
        let ranged_or_magic = card.ranged > 0 || card.magic > 0;
        let mut abilities = card.abilities.clone();
        if self.rules(Ruleset::BackToBasics) {
            abilities.clear();
        }
        if self.rules(Ruleset::FogOfWar) {
            abilities.retain(|ability| ![Ability::Sneak, Ability::Snipe].contains(ability));
        }
        if self.rules(Ruleset::SuperSneak) && melee {
            abilities.push(Ability::Sneak);
        }
        if self.rules(Ruleset::TargetPractice) && ranged_or_magic {
            abilities.push(Ability::Snipe);
        }
        if self.rules(Ruleset::HeavyHitters) {
            abilities.push(Ability::KnockOut);
        }
        // README, the later edition: these rulesets give everybody an ability.
        if self.rules(Ruleset::EqualOpportunity) {
            abilities.push(Ability::Opportunity);
        }
        if self.rules(Ruleset::ExplosiveWeaponry) {
            abilities.push(Ability::Blast);
        }
        if self.rules(Ruleset::HolyProtection) {
            abilities.push(Ability::DivineShield);
        }
        if self.rules(Ruleset::SpreadingFury) {
            abilities.push(Ability::Enrage);
        }
        for given in &self.summoners[team].card.abilities {
            if !KEPT_BY_SUMMONERS.contains(given) {
                abilities.push(*given);
            }
        }
        if self.rules(Ruleset::HealedOut) {
            abilities.retain(|ability| !HEALING.contains(ability));
        }
        if self.rules(Ruleset::ArmoredUp) {
            card.armor += 2;
        }
        if self.rules(Ruleset::Unprotected) {
            card.armor = 0;
        }
        // Everybody gets the highest base health of both sides (guide).
        if self.rules(Ruleset::Equalizer) {
            card.health = highest;
        }
        Unit {
            team,
            place,
            card,
            abilities,
            alive: true,
            health: 0,
            armor: 0,
            gained: 0,
            // README, the later edition: everybody starts poisoned.
            poisoned: self.rules(Ruleset::NoxiousFumes),
            stunned_by: None,
            afflicted: false,
            snared: false,
            halved: false,
            shield_used: false,
            stands_last: false,
            cleansed_of: Vec::new(),
            dispelled_of: Vec::new(),
            acted: false,
            resurrect_used: false,
        }
    }

    /// Draws which side an Earthquake strikes first, once for the whole battle (guide, Earthquake).
    fn draw_whom_the_earth_shakes_first(&mut self) {
        if self.rules(Ruleset::Earthquake) && self.verdict.is_none() {
            Chance::<Roll>::about(&mut self.dice, 0);
            self.shaken_first = self.dice.pick(Roll::EarthquakeSide, 2);
        }
    }
}
