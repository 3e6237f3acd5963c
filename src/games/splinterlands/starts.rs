//! The starting states of battles between fixed teams, kept so that each is computed only once. Nothing here is a rule,
//! and no battle depends on what is kept.

use std::sync::OnceLock;
use std::sync::atomic::{AtomicUsize, Ordering};

use super::rules::squad::{AT_START, Squad};
use super::ruleset::Rulesets;
use super::setup::{LineUp, Setup};
use super::state::State;
use crate::game::Stratum;

/// The most starting states that are kept at once, by all setups together (a sweep can have ten thousand of them): 10
/// MiB, which is what processor caches hold.
const MOST_FIELDS: usize = 1 << 14;

/// The most starting states that a setup has room for; a setup with more keeps none.
const MOST_PLACES: usize = 1 << 16;

/// The most assembled teams that a setup keeps: up to 240 KiB, and 400 bytes or so for each contender.
const MOST_SQUADS: usize = 512;

/// How many starting states are kept now.
static KEPT: AtomicUsize = AtomicUsize::new(0);

/// The assembled teams of a setup, and the starting states of battles between two of them.
#[derive(Debug)]
pub(super) struct Starts {
    /// The assembled teams by contender, up to the first contender that has no fixed team.
    squads: Box<[Squad]>,
    /// The states before the first round's dice, by match-up and then by the part of a condition that they depend on.
    /// The names of their rulesets and their mana caps are those of the first battle, which keeps the state.
    fields: Box<[OnceLock<Box<State>>]>,
    /// How many different starting states a match-up has.
    unlike: usize,
    /// By condition: which of its match-up's starting states is its own.
    field_under: Box<[u16]>,
}

impl Starts {
    /// The starts of a setup, with no starting state kept yet.
    pub(super) fn of(setup: &Setup) -> Self {
        Self::with_room(setup, MOST_PLACES)
    }

    /// The starts of a setup, with room for its starting states only if there are at most `most` of them.
    fn with_room(setup: &Setup, most: usize) -> Self {
        let team = |contender| setup.team(contender).map(|(team, _)| team);
        let teams: Vec<&LineUp> = (0..setup.contenders.len()).map_while(team).collect();
        let squads = teams.iter().take(MOST_SQUADS).map(|team| Squad::of(&setup.catalogue, team));
        let squads: Box<[Squad]> = squads.collect();
        let mut unlike: Vec<Rulesets> = Vec::new();
        let mut field_under = Vec::with_capacity(setup.conditions.len());
        for (rulesets, _) in &*setup.conditions {
            let rulesets = *rulesets & AT_START;
            let known = unlike.iter().position(|known| *known == rulesets);
            field_under.push(known.unwrap_or(unlike.len()) as u16);
            if known.is_none() {
                unlike.push(rulesets);
            }
            if squads.len() < setup.contenders.len() || setup.matchups.len() * unlike.len() > most {
                let (fields, field_under) = Default::default();
                return Self { squads, fields, unlike: 0, field_under };
            }
        }
        let fields = (0..setup.matchups.len() * unlike.len()).map(|_| OnceLock::new()).collect();
        Self { squads, fields, unlike: unlike.len(), field_under: field_under.into() }
    }

    /// The assembled team of a contender; None where its teams are drawn or none are kept.
    #[inline]
    pub(super) fn squad(&self, contender: usize) -> Option<&Squad> {
        self.squads.get(contender)
    }

    /// The starting state of a stratum's battles, except for the names of its rulesets and its mana cap, if one is
    /// kept.
    #[inline]
    pub(super) fn field(&self, stratum: Stratum) -> Option<&State> {
        self.place(stratum)?.get().map(|field| &**field)
    }

    /// Keeps the starting state of a battle between two fixed teams, if there is room for it.
    #[inline(never)]
    pub(super) fn keep(&self, stratum: Stratum, field: &State) {
        let Some(place) = self.place(stratum) else { return };
        if KEPT.load(Ordering::Relaxed) >= MOST_FIELDS {
            return;
        }
        let mut field = Box::new(*field);
        field.sort_order();
        if place.set(field).is_ok() {
            KEPT.fetch_add(1, Ordering::Relaxed);
        }
    }

    #[inline]
    fn place(&self, stratum: Stratum) -> Option<&OnceLock<Box<State>>> {
        let under = usize::from(*self.field_under.get(stratum.condition as usize)?);
        self.fields.get(stratum.matchup as usize * self.unlike + under)
    }
}

impl Drop for Starts {
    fn drop(&mut self) {
        let kept = self.fields.iter().filter(|field| field.get().is_some()).count();
        KEPT.fetch_sub(kept, Ordering::Relaxed);
    }
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use super::*;
    use crate::chance::Scripted;
    use crate::games::splinterlands::Splinterlands;
    use crate::games::splinterlands::rolls::Roll;
    use crate::scenario::{Document, Folder, load};

    /// Every battle of fixed teams begins as if nothing were kept, both the first battle of a stratum and the second.
    #[test]
    fn a_kept_start_is_what_the_teams_rulesets_and_cap_of_the_battle_give() {
        const TEAMS: &str = r#"
            game = "splinterlands"
            battles = 1
            rulesets = { two = 0 }
            illegal_teams = "lose"
            [[teams]]
            name = "Fire"
            summoner = "Malric Inferno"
            monsters = ["Living Lava", "Giant Roc", "Spark Pixies"]
            [[teams]]
            name = "Water"
            summoner = "Alric Stormbringer"
            monsters = ["Spineback Turtle", "Ice Pixie"]
        "#;
        let several_matchups =
            "mana_caps = [99]\nsides = { a = [\"Fire\", \"Water\"], b = [\"Water\"] }";
        let several_caps = "mana_caps = [40, 99]\nsides = { a = [\"Fire\"], b = [\"Water\"] }";
        let scenarios = [
            (several_matchups, "0", MOST_PLACES),
            (several_caps, "1", MOST_PLACES),
            (several_matchups, "1", 64),
        ];
        for (rest, two, most) in scenarios {
            let text = TEAMS.replace("battles = 1\n", &format!("battles = 1\n{rest}\n"));
            let text = text.replace("two = 0", &format!("two = {two}"));
            let document = Document::new("starts.toml", text, Folder::Disk("".into()));
            let setup = load::<Splinterlands>(&document).unwrap().setup;
            let starts = Arc::new(Starts::with_room(&setup, most));
            setup.starts.set(Arc::clone(&starts)).unwrap();
            let are_kept = most == MOST_PLACES;
            assert_eq!(starts.fields.is_empty(), !are_kept);
            assert!(starts.fields.len() < setup.matchups.len() * setup.conditions.len());
            let kept = || starts.fields.iter().filter(|field| field.get().is_some()).count();
            for _ in 0..2 {
                for (matchup, contenders) in setup.matchups.iter().enumerate() {
                    let teams = contenders.map(|at| setup.team(at.into()).unwrap().0);
                    for (condition, &(rulesets, _)) in setup.conditions.iter().enumerate() {
                        for (cap, &mana_cap) in setup.mana_caps.iter().enumerate() {
                            let drawn =
                                (setup.mana_caps.len() > 1).then_some((Roll::ManaCap, cap as u32));
                            let [matchup, condition] = [matchup, condition].map(|at| at as u32);
                            let stratum = Stratum { matchup, condition };
                            let kept = setup.kept(stratum);
                            let mut started = *kept.unwrap_or(&State::NOBODY);
                            let dice = &mut Scripted::new(drawn);
                            setup.field(&mut started, kept.is_some(), stratum, dice);
                            started.sort_order();
                            let plain = State::new(&setup.catalogue, rulesets, mana_cap, teams);
                            let (verdict, forfeits) = (started.verdict, started.forfeits);
                            assert_eq!(started, State { verdict, forfeits, ..plain });
                        }
                    }
                }
                assert_eq!(kept(), starts.fields.len());
            }
            // Another mana cap needs other starting states.
            let fresh = setup.with_mana_cap(77);
            let stratum = Stratum { matchup: 0, condition: 0 };
            let kept = fresh.kept(stratum);
            let mut state = *kept.unwrap_or(&State::NOBODY);
            fresh.field(&mut state, kept.is_some(), stratum, &mut Scripted::nothing());
            assert_eq!(state.mana_cap, 77);
        }
    }

    /// Teams that are drawn never meet twice.
    #[test]
    fn nothing_is_kept_of_teams_that_are_drawn() {
        let document = Document::read("splinterlands/drawn-teams").unwrap();
        let starts = Starts::of(&load::<Splinterlands>(&document).unwrap().setup);
        assert!(starts.fields.is_empty() && starts.squads.is_empty());
    }

    /// A sweep of ten thousand variants has ten thousand setups.
    #[test]
    fn what_is_kept_stays_in_its_bounds() {
        assert!(MOST_FIELDS * size_of::<State>() <= 10 << 20);
        assert!(MOST_SQUADS * size_of::<Squad>() <= 240 << 10);
        assert!(MOST_PLACES * size_of::<OnceLock<Box<State>>>() <= 1 << 20);
    }
}
