//! Random duels, in the forms that the engine and the book need.

use evens::games::splinterlands::ability::Ability;
use evens::games::splinterlands::bundled;
use evens::games::splinterlands::cards::{
    Card, CardKind, Catalogue, Faction, Level, Rarity, Stats,
};
use evens::games::splinterlands::draw::{DrawRules, draws};
use evens::games::splinterlands::edition::Edition;
use evens::games::splinterlands::ruleset::{Ruleset, Rulesets};
use evens::games::splinterlands::setup::{CardAt, LineUp, Setup};
use evens::games::splinterlands::state::{Monster, State, TEAM};
use proptest::collection::vec;
use proptest::prelude::*;
use proptest::sample::{select, subsequence};
use strum::IntoEnumIterator;

use super::book::{Book, End, Printed};
use crate::reference::recorded::Recorded;

/// A card at its level.
#[derive(Clone, PartialEq, Eq)]
struct Fighter {
    stats: Stats,
    rarity: Rarity,
    mana: u8,
    level: u8,
    abilities: Vec<Ability>,
}

#[derive(Clone, Debug, PartialEq, Eq)]
struct Team {
    summoner: Fighter,
    monsters: Vec<Fighter>,
}

/// Two teams and the rulesets of their battle.
#[derive(Clone, Debug)]
pub struct Duel {
    rulesets: Vec<Ruleset>,
    teams: [Team; 2],
    /// Whether each team may be brought; one that may not loses at once.
    legal: [bool; 2],
    identical_teams_draw: bool,
    plays_rounds_out: bool,
}

impl std::fmt::Debug for Fighter {
    /// Prints a fighter on one line, so that a failing duel can be read.
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let Self { stats, rarity, mana, level, abilities } = self;
        let Stats { melee, ranged, magic, armor, health, speed } = stats;
        write!(f, "{melee}/{ranged}/{magic} armor {armor} health {health} speed {speed}, ")?;
        write!(f, "{rarity:?}, {mana} mana, level {level}, {abilities:?}")
    }
}

impl Fighter {
    fn of(card: &Card, level: u8) -> Self {
        let Level { stats, abilities } = card.levels[usize::from(level - 1)];
        Self {
            stats,
            rarity: card.rarity,
            mana: card.mana,
            level,
            abilities: abilities.iter().collect(),
        }
    }

    /// The fighter's card in the catalogue, added if it is not there yet. Levels that are not asked for are copies of
    /// the one that is.
    fn listed(&self, kind: CardKind, catalogue: &mut Catalogue) -> CardAt {
        let abilities = self.abilities.iter().copied().collect();
        let name = format!("{self:?}");
        if let Some(card) = catalogue.find(&name) {
            return CardAt { card, level: self.level };
        }
        let card = catalogue.cards.len() as u16;
        let listed = Card {
            id: card,
            name,
            faction: Faction::Neutral,
            kind,
            rarity: self.rarity,
            mana: self.mana,
            levels: vec![
                Level { stats: self.stats, abilities };
                usize::from(self.rarity.max_level())
            ],
        };
        catalogue.cards.push(listed.into());
        CardAt { card, level: self.level }
    }

    fn printed(&self) -> Printed {
        Printed::new(self.stats, self.rarity as i32, self.level.into(), self.abilities.clone())
    }
}

impl Duel {
    pub fn for_the_engine(&self) -> Setup {
        let mut catalogue = Catalogue::default();
        let teams = [0, 1].map(|team| {
            let Team { summoner, monsters } = &self.teams[team];
            LineUp {
                summoner: summoner.listed(CardKind::Summoner, &mut catalogue),
                monsters: monsters
                    .iter()
                    .map(|monster| monster.listed(CardKind::Monster, &mut catalogue))
                    .collect(),
            }
        });
        let rulesets = self.rulesets.iter().copied().collect();
        Setup::of_teams(catalogue, rulesets, teams)
            .with_identical_teams_drawing(self.identical_teams_draw)
            .with_rounds_played_out(self.plays_rounds_out)
            .with_legal_teams(self.legal)
    }

    fn verdict(&self) -> Option<End> {
        match self.legal {
            [true, true] if self.identical_teams_draw && self.teams[0] == self.teams[1] => {
                Some(End::Drawn)
            }
            [true, true] => None,
            [true, false] => Some(End::Won(0)),
            [false, true] => Some(End::Won(1)),
            [false, false] => Some(End::Drawn),
        }
    }

    pub fn for_the_book(&self, dice: Recorded) -> Book {
        Book::open(
            self.rulesets.clone(),
            [0, 1].map(|team| self.teams[team].summoner.printed()),
            [0, 1].map(|team| self.teams[team].monsters.iter().map(Fighter::printed).collect()),
            self.verdict(),
            self.plays_rounds_out,
            dice,
        )
    }
}

/// The teams that a scenario has drawn, in the form that the book needs.
pub fn as_fielded(setup: &Setup, rulesets: Rulesets, state: &State, dice: Recorded) -> Book {
    let fighter =
        |at: CardAt| Fighter::of(&setup.catalogue().cards[usize::from(at.card)], at.level);
    let team = |side: usize| Team {
        summoner: fighter(state.leaders[side].card),
        monsters: state.field[side * TEAM..(side + 1) * TEAM]
            .iter()
            .filter(|monster| **monster != Monster::NOBODY)
            .map(|monster| fighter(monster.card))
            .collect(),
    };
    let duel = Duel {
        rulesets: rulesets.iter().collect(),
        teams: [team(0), team(1)],
        legal: [true; 2],
        identical_teams_draw: false,
        plays_rounds_out: false,
    };
    duel.for_the_book(dice)
}

/// Rulesets of a duel: every ruleset of the later edition (which has all of the guide's) alone, and every pair that the
/// rules allow, equally often.
fn rulesets() -> impl Strategy<Value = Vec<Ruleset>> {
    let draws = draws(&DrawRules::of(Edition::Later)).unwrap();
    let all: Vec<Rulesets> = draws.into_iter().map(|(rulesets, _)| rulesets).collect();
    select(all).prop_map(|rulesets| rulesets.iter().collect())
}

/// Any card of this kind at any of its levels.
fn bundled_card(kind: CardKind) -> impl Strategy<Value = Fighter> {
    let at_levels = |card: &'static Card| {
        (1..=card.levels.len() as u8).map(move |level| Fighter::of(card, level))
    };
    let cards = bundled().iter().filter(move |card| card.kind == kind);
    select(cards.flat_map(at_levels).collect::<Vec<_>>())
}

/// Two teams under any rulesets; sometimes one team against itself, or a team that may not be brought.
fn duel(
    one: impl Strategy<Value = Team>,
    other: impl Strategy<Value = Team>,
) -> impl Strategy<Value = Duel> {
    let legal = || prop::bool::weighted(0.98);
    let rare = || prop::bool::weighted(0.05);
    let switches = [any::<bool>(), any::<bool>()];
    (rulesets(), one, other, rare(), [legal(), legal()], switches).prop_map(
        |(rulesets, one, other, mirrored, legal, [identical_teams_draw, plays_rounds_out])| {
            let other = if mirrored { one.clone() } else { other };
            // The same team on both sides is legal on both or on neither.
            let legal = if one == other { [legal[0]; 2] } else { legal };
            Duel { rulesets, teams: [one, other], legal, identical_teams_draw, plays_rounds_out }
        },
    )
}

pub fn of_the_catalogue() -> impl Strategy<Value = Duel> {
    let team = || {
        let monsters = vec(bundled_card(CardKind::Monster), 1..=6);
        (bundled_card(CardKind::Summoner), monsters)
            .prop_map(|(summoner, monsters)| Team { summoner, monsters })
    };
    duel(team(), team())
}

fn rarity() -> impl Strategy<Value = Rarity> {
    select(Rarity::iter().collect::<Vec<_>>())
}

/// A number as cards have it, sometimes as large as a scenario allows.
fn number(low: i8, high: i8) -> impl Strategy<Value = i8> {
    prop_oneof![40 => low..=high, 1 => low..=99i8]
}

/// An attack; about half of the time none, so that all kinds of attackers come up.
fn attack() -> impl Strategy<Value = i8> {
    prop_oneof![Just(0), number(1, 9)]
}

/// Groups of abilities that interact.
const THEMES: [&[Ability]; 9] = [
    &[Ability::Stun, Ability::KnockOut, Ability::Oppress],
    &[Ability::Trample, Ability::Thorns, Ability::Retaliate],
    &[Ability::Blast, Ability::Resurrect, Ability::Redemption, Ability::LifeLeech],
    &[Ability::Halving, Ability::Enrage, Ability::LastStand, Ability::Scavenger],
    &[Ability::Flying, Ability::Snare, Ability::Dodge, Ability::Cleanse],
    &[Ability::Camouflage, Ability::Taunt, Ability::Scattershot, Ability::Sneak, Ability::Snipe],
    &[Ability::Dispel, Ability::Inspire, Ability::Strengthen, Ability::Protect, Ability::Swiftness],
    &[Ability::Forcefield, Ability::Oppress, Ability::CloseRange, Ability::TrueStrike],
    &[],
];

/// The abilities that come up in one duel, Oppress and those of the later edition included: a theme and some others.
/// They are few at a time, so that those that interact meet often (A. Groce and others: "Swarm testing", 2012).
fn invented_abilities() -> impl Strategy<Value = Vec<Ability>> {
    let others = subsequence(Ability::iter().collect::<Vec<_>>(), 1..=10);
    (select(THEMES.to_vec()), others).prop_map(|(theme, mut abilities)| {
        abilities.extend(theme);
        abilities.sort();
        abilities.dedup();
        abilities
    })
}

/// At most `most` of the abilities.
fn some_of(abilities: Vec<Ability>, most: usize) -> impl Strategy<Value = Vec<Ability>> {
    let most = most.min(abilities.len());
    subsequence(abilities, 0..=most)
}

/// A monster of no card file: any numbers with any of these abilities.
fn invented_monster(abilities: Vec<Ability>) -> impl Strategy<Value = Fighter> {
    let numbers = (attack(), attack(), attack(), number(0, 6), number(1, 15), number(1, 7));
    (numbers, rarity(), 1..=4u8, 0..=12u8, some_of(abilities, 8)).prop_map(
        |((melee, ranged, magic, armor, health, speed), rarity, level, mana, abilities)| Fighter {
            stats: Stats { melee, ranged, magic, armor, health, speed },
            rarity,
            mana,
            level,
            abilities,
        },
    )
}

/// A summoner with any numbers and some of these abilities.
fn invented_summoner(abilities: Vec<Ability>) -> impl Strategy<Value = Fighter> {
    let number = || prop_oneof![3 => Just(0), 1 => -3..=3i8];
    let numbers = (number(), number(), number(), number(), number(), number());
    (numbers, rarity(), some_of(abilities, 3)).prop_map(
        |((melee, ranged, magic, armor, health, speed), rarity, abilities)| Fighter {
            stats: Stats { melee, ranged, magic, armor, health, speed },
            rarity,
            mana: 4,
            level: 1,
            abilities,
        },
    )
}

pub fn invented() -> impl Strategy<Value = Duel> {
    let team = |abilities: &[Ability]| {
        let monsters = vec(invented_monster(abilities.to_vec()), 1..=6);
        (invented_summoner(abilities.to_vec()), monsters)
            .prop_map(|(summoner, monsters)| Team { summoner, monsters })
    };
    invented_abilities().prop_flat_map(move |abilities| duel(team(&abilities), team(&abilities)))
}
