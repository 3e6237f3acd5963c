//! Compares a battle of ours with a record, action by action.

use std::cell::{Cell, RefCell};

use super::act::{RESURRECT, action, shape};
use super::{Action, Course, MonsterState, Record, Unit};
use crate::game::{Outcome, Watch};
use crate::games::splinterlands::Splinterlands;
use crate::games::splinterlands::cards::Stats;
use crate::games::splinterlands::event::Event;
use crate::games::splinterlands::setup::Setup;
use crate::games::splinterlands::state::{FIELD, Place, Places, State, TEAM};

/// Where a battle first differs from its record.
#[derive(Clone, Debug, PartialEq)]
pub struct Divergence {
    /// How many recorded actions come before it, all of which agree.
    pub at: usize,
    /// The round of our battle; 0 before the first.
    pub round: u32,
    /// What happens in our battle.
    pub here: Here,
    /// What is different.
    pub why: String,
}

impl Divergence {
    /// The difference with its place: `round 3, after 17 actions: the target`.
    #[must_use]
    pub fn told(&self) -> String {
        let Self { at, round, why, .. } = self;
        match round {
            0 => why.clone(),
            _ => format!(
                "round {round}, after {at} action{}: {why}",
                if *at == 1 { "" } else { "s" }
            ),
        }
    }
}

/// What happens in our battle where it differs.
#[derive(Clone, Debug, PartialEq)]
pub enum Here {
    /// Another action, or the same one with another result.
    Acts(Action),
    /// The round ends.
    RoundEnds,
    /// The battle is over.
    Ends(Outcome),
    /// The monsters' numbers differ, before round 1 or after a dead monster's auras ended.
    Stands,
    /// As recorded so far, but no more attempts were allowed.
    GivesUp,
}

/// How far a battle has come along its record; shared by its watch and its dice.
pub(super) struct Progress<'a> {
    /// All recorded actions that are compared with ours, each with its round.
    pub actions: Vec<(u32, &'a Action)>,
    /// The index of the next recorded action.
    pub next: Cell<usize>,
    /// The monsters that are tied for the next turn.
    pub tied: Cell<Places>,
    /// Where the battle first differs from its record.
    pub divergence: RefCell<Option<Divergence>>,
    /// Whether the battle has differed from its record.
    pub parted: Cell<bool>,
}

impl<'a> Progress<'a> {
    pub(super) fn along(course: &'a Course) -> Self {
        let rounds = course.rounds.iter().enumerate();
        let actions =
            rounds.flat_map(|(at, actions)| actions.iter().map(move |a| (at as u32 + 1, a)));
        Self {
            actions: actions.collect(),
            next: Cell::new(0),
            tied: Cell::new(Places::default()),
            divergence: RefCell::new(None),
            parted: Cell::new(false),
        }
    }

    /// The next recorded action.
    pub(super) fn upcoming(&self) -> Option<&'a Action> {
        self.actions.get(self.next.get()).map(|&(_, action)| action)
    }

    /// Whether the next recorded action is of this kind.
    fn tells(&self, kind: &str) -> bool {
        self.upcoming().is_some_and(|next| next.kind == kind)
    }

    /// Goes back to where `next` recorded actions had been compared.
    pub(super) fn back_to(&self, next: usize) {
        self.next.set(next);
        self.parted.set(false);
    }

    pub(super) fn part(&self, round: u32, here: Here, why: impl Into<String>) {
        let divergence = Divergence { at: self.next.get(), round, here, why: why.into() };
        self.divergence.replace(Some(divergence));
        self.parted.set(true);
    }

    /// A round is over: no recorded action of it may be left.
    pub(super) fn end_round(&self, round: u32) {
        if let Some(&(recorded, _)) = self.actions.get(self.next.get())
            && recorded <= round
        {
            self.part(round, Here::RoundEnds, "the record goes on");
        }
    }

    /// The battle is over: no recorded action may be left, and the winner must be the same.
    pub(super) fn end(&self, round: u32, outcome: Outcome, record: &Record) {
        if self.next.get() < self.actions.len() {
            self.part(round, Here::Ends(outcome), "the record goes on");
        } else if outcome != record.winner {
            self.part(round, Here::Ends(outcome), "the winner");
        }
    }
}

/// Compares everything that happens with the record.
pub(super) struct Comparison<'a> {
    pub record: &'a Record,
    pub before: &'a [Action],
    pub progress: &'a Progress<'a>,
}

impl Watch<Splinterlands> for Comparison<'_> {
    fn see(&mut self, _: &Setup, state: &State, event: Event) {
        if self.progress.parted.get() {
            return;
        }
        match event {
            Event::Begins => self.begins(state),
            Event::Tied(tied) => self.progress.tied.set(tied),
            Event::AurasEnd(who) => self.auras_end(state, who),
            event => match action(state, event) {
                Some(ours) if ours.kind == RESURRECT && !self.progress.tells(RESURRECT) => {}
                Some(ours) => self.acts(state, ours),
                None => {}
            },
        }
    }
}

impl Comparison<'_> {
    fn acts(&self, state: &State, ours: Action) {
        let (progress, round) = (self.progress, u32::from(state.round));
        let why = match progress.actions.get(progress.next.get()) {
            None => Some("the record is over".to_owned()),
            Some(&(recorded, _)) if recorded != round => {
                Some(format!("recorded in round {recorded}"))
            }
            Some(&(_, recorded)) => difference(&ours, recorded),
        };
        match why {
            None => progress.next.set(progress.next.get() + 1),
            Some(why) => progress.part(round, Here::Acts(ours), why),
        }
    }

    /// Compares the teams before round 1: the cards' own numbers, and everything that was added before the first
    /// action.
    fn begins(&self, state: &State) {
        for place in state.fielded {
            let (side, at) = (place.side().index(), place.index() % TEAM);
            let card = &self.record.teams[side].monsters[at];
            let base = state.at(place).base;
            if let Some(recorded) = card.stats.filter(|&recorded| recorded != base) {
                let why = format!(
                    "{} has {} before anybody's abilities, {} recorded",
                    Unit::Monster(place),
                    row(base),
                    row(recorded)
                );
                return self.progress.part(0, Here::Stands, why);
            }
        }
        let why = group_difference(state, &self.before.iter().collect::<Vec<_>>());
        if let Some(why) = why {
            self.progress.part(0, Here::Stands, why);
        }
    }

    /// Compares what a death takes off the other monsters. The official game records it for each ability, ours once.
    fn auras_end(&self, state: &State, dead: Place) {
        let progress = self.progress;
        let mut ended = Vec::new();
        while let Some(recorded) = progress.upcoming()
            && recorded.kind == "remove_buff"
            && recorded.initiator == Some(Unit::Monster(dead))
        {
            ended.push(recorded);
            progress.next.set(progress.next.get() + 1);
        }
        if let Some(why) = group_difference(state, &ended) {
            progress.next.set(progress.next.get() - 1);
            progress.part(u32::from(state.round), Here::Stands, why);
        }
    }
}

/// The first difference between a monster and its state after the last recorded change that affected it; None where
/// there is no difference.
fn group_difference(state: &State, changes: &[&Action]) -> Option<String> {
    let mut last: [Option<&MonsterState>; FIELD] = [None; FIELD];
    for change in changes {
        let of_group = change.group_state.iter().flatten();
        let of_group = of_group.map(|group| (Some(group.monster), Some(&group.state)));
        for (unit, state) in
            [(concerned(change), change.state.as_ref())].into_iter().chain(of_group)
        {
            if let (Some(Unit::Monster(place)), Some(state)) = (unit, state) {
                last[place.index()] = Some(state);
            }
        }
    }
    state.fielded.into_iter().find_map(|place| {
        let why = state_difference(&shape(state.at(place)), last[place.index()]?)?;
        Some(format!("{}: {why}", Unit::Monster(place)))
    })
}

/// The unit that an action changes: its target, or its initiator where it has none.
fn concerned(action: &Action) -> Option<Unit> {
    action.target.or(action.initiator)
}

fn row(stats: Stats) -> String {
    let Stats { melee, ranged, magic, armor, health, speed } = stats;
    format!(
        "melee {melee}, ranged {ranged}, magic {magic}, armor {armor}, health {health}, speed {speed}"
    )
}

/// What is different between two actions. What the record does not say is not compared.
fn difference(ours: &Action, recorded: &Action) -> Option<String> {
    if ours.kind != recorded.kind {
        return Some("another action".to_owned());
    }
    if ours.target != concerned(recorded) {
        return Some("the target".to_owned());
    }
    let said = |ours: Option<Unit>, recorded: Option<Unit>| ours.is_some() && recorded.is_some();
    if said(ours.initiator, recorded.initiator) && ours.initiator != recorded.initiator {
        return Some("who does it".to_owned());
    }
    if let (Some(here), Some(there)) = (ours.hit_chance, recorded.hit_chance)
        && (here - there).abs() > 1e-6
    {
        return Some(format!("the chance to hit: {here:.2} here, {there:.2} recorded"));
    }
    if let (Some(here), Some(there)) = (&ours.result, &recorded.result)
        && here != there
    {
        return Some(format!("a {here} here, a {there} recorded"));
    }
    if let (Some(here), Some(there)) = (ours.damage, recorded.damage)
        && here != there
    {
        return Some(format!("the damage: {here} here, {there} recorded"));
    }
    match (&ours.state, &recorded.state) {
        (Some(ours), Some(recorded)) => state_difference(ours, recorded),
        _ => None,
    }
}

fn state_difference(ours: &MonsterState, recorded: &MonsterState) -> Option<String> {
    const NAMES: [&str; 6] = ["melee", "ranged", "magic", "armor", "health", "speed"];
    let mut all: Vec<(&str, i8, i8)> = Vec::new();
    for (at, name) in NAMES.into_iter().enumerate() {
        all.push((name, ours.stats[at], recorded.stats[at]));
    }
    all.push(("maximum health", ours.base_health, recorded.base_health));
    let different = all.into_iter().filter(|(_, here, there)| here != there);
    let told: Vec<String> = different
        .map(|(name, here, there)| format!("{name} {here} here, {there} recorded"))
        .collect();
    if !told.is_empty() {
        return Some(told.join("; "));
    }
    (ours.alive != recorded.alive).then(|| format!("alive: {} here", ours.alive))
}
