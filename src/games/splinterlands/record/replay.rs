//! Fights recorded battles again.

use std::ops::ControlFlow;

use rustc_hash::FxHashSet;

use super::chance::{Dice, OfficialChance, Recorded};
use super::compare::{Comparison, Divergence, Here, Progress};
use super::{Both, CardFile, Course, Record, Unknown, side_by_side};
use crate::game::{Stratum, play_dyn, round_dyn, start_dyn};
use crate::games::splinterlands::Splinterlands;
use crate::games::splinterlands::setup::{Setup, TurnTies};
use crate::games::splinterlands::state::State;
use crate::story::{Overheard, Stepped, Stepping, Thrown};

const STRATUM: Stratum = Stratum { matchup: 0, condition: 0 };

/// The most rounds that are fought, all attempts together, before a battle is left undecided.
pub const PATIENCE: u32 = 20_000;

/// The result of fighting a recorded battle again.
#[derive(Clone, Debug, PartialEq)]
pub enum Verdict {
    /// Every action was as recorded, and the same side won.
    Reproduced,
    /// However the dice that the record does not tell fall, the battle is not as recorded; this is where the attempt
    /// that came farthest differs.
    Differs(Divergence),
    /// None of the attempts was as recorded, and there are too many to make them all.
    Undecided(Divergence),
}

/// A recorded battle that can be fought again.
#[derive(Clone, Debug)]
pub struct Refight {
    /// What was recorded of it.
    pub record: Record,
    setup: Setup,
    course: Course,
    /// The seed, if it is to be fought from that alone.
    seed: Option<String>,
}

impl Refight {
    /// The battle of a record with the cards of its time. It is fought by its recorded actions, or `from_seed` alone.
    ///
    /// # Errors
    /// Everything in it that is not known, or was not kept.
    pub fn of(record: Record, cards: &CardFile, from_seed: bool) -> Result<Self, Vec<Unknown>> {
        let lacks = |what: &str, remedy: &str| {
            let (what, remedy) = (what.to_owned(), remedy.to_owned());
            vec![Unknown { place: record.place(), what, remedy }]
        };
        let course = record.course.clone().ok_or_else(|| {
            lacks(
                "how it was fought was not kept",
                "only records with `rounds` can be fought again",
            )
        })?;
        if from_seed && course.seed.is_none() {
            return Err(lacks("it has no seed", "leave out `--from-seed` to go by its actions"));
        }
        let seed = course.seed.clone().filter(|_| from_seed);
        let setup = record.setup(cards)?;
        Ok(Self { record, setup, course, seed })
    }

    /// Fights the battle again. `patience` is how many rounds may be fought, all attempts together, where it is not
    /// fought from its seed.
    #[must_use]
    pub fn fight(&self, patience: u32) -> Verdict {
        let Self { record, setup, course, seed } = self;
        match seed {
            Some(seed) => refight_from_seed(setup, record, course, seed),
            None => refight(setup, record, course, patience),
        }
    }

    /// Fights the battle again as [`fight`](Self::fight) does, and gives it step by step. There are no steps where no
    /// attempt was as recorded; a battle that is fought from its seed has its steps either way.
    #[must_use]
    pub fn step(&self, patience: u32) -> (Verdict, Option<Stepped>) {
        let Self { record, setup, course, seed } = self;
        let Some(seed) = seed else {
            let progress = Progress::along(course);
            let mut search = Search { setup, record, course, progress: &progress, furthest: None };
            let mut stretches = Vec::new();
            let verdict = search.run(patience, &mut stretches);
            let reproduced = verdict == Verdict::Reproduced;
            let stepped = reproduced.then(|| search.step(&mut stretches)).flatten();
            return (verdict, stepped);
        };
        let verdict = refight_from_seed(setup, record, course, seed);
        let setup = setup.clone().with_turn_ties(TurnTies::Official);
        let thrown = Thrown::default();
        let mut official = OfficialChance::of_seed(seed);
        let mut chance = Overheard { dice: &mut official, thrown: &thrown };
        let mut stepping = Stepping::new(&thrown);
        let ended = play_dyn::<Splinterlands>(&setup, STRATUM, &mut chance, &mut stepping);
        let steps = stepping.end::<Splinterlands>(&setup, &ended.state);
        let (outcome, rounds) = (ended.outcome, ended.rounds);
        (verdict, Some(Stepped { stratum: STRATUM, steps, outcome, rounds }))
    }

    /// The seed of the official random number generator, where it was recorded.
    #[must_use]
    pub fn seed(&self) -> Option<&str> {
        self.course.seed.as_deref()
    }

    /// How many rounds were recorded.
    #[must_use]
    pub fn rounds(&self) -> usize {
        self.course.rounds.len()
    }

    /// How many actions were recorded in them.
    #[must_use]
    pub fn actions(&self) -> usize {
        self.course.rounds.iter().map(Vec::len).sum()
    }

    /// Both stories, ours and the recorded one, around the place where they differ (see [`side_by_side`]).
    #[must_use]
    pub fn stories(&self, cards: &CardFile, parting: &Divergence) -> Vec<Both> {
        side_by_side(cards, &self.record, &self.course, parting)
    }
}

/// Fights a battle again with the dice that its record tells, and tries out what it does not tell: who of several that
/// are tied loses a turn, who is stunned. The setup must be the record's own.
#[must_use]
pub fn refight(setup: &Setup, record: &Record, course: &Course, patience: u32) -> Verdict {
    let progress = Progress::along(course);
    let mut search = Search { setup, record, course, progress: &progress, furthest: None };
    search.run(patience, &mut Vec::new())
}

/// Fights a battle again from its seed alone, with the official order of ties and the official generator; the record is
/// only compared with the result.
#[must_use]
pub fn refight_from_seed(setup: &Setup, record: &Record, course: &Course, seed: &str) -> Verdict {
    let setup = setup.clone().with_turn_ties(TurnTies::Official);
    let progress = Progress::along(course);
    let mut comparison = Comparison { record, before: &course.before, progress: &progress };
    let mut chance = OfficialChance::of_seed(seed);
    let ended = play_dyn::<Splinterlands>(&setup, STRATUM, &mut chance, &mut comparison);
    if !progress.parted.get() {
        progress.end(ended.rounds, ended.outcome, record);
    }
    match progress.divergence.take() {
        None => Verdict::Reproduced,
        Some(divergence) => Verdict::Differs(divergence),
    }
}

/// One round that is being fought, or the start before the first round.
struct Stretch {
    /// The battle's state before it; None before round 1.
    from: Option<State>,
    /// How many recorded actions come before it.
    next: usize,
    dice: Dice,
}

/// Searches for dice with which the battle is as recorded, round by round. A round that cannot be fought as recorded is
/// fought with other dice, and when none are left the round before it is.
struct Search<'a> {
    setup: &'a Setup,
    record: &'a Record,
    course: &'a Course,
    progress: &'a Progress<'a>,
    furthest: Option<Divergence>,
}

impl Search<'_> {
    /// Searches until the battle is reproduced, no dice are left, or `patience` rounds are fought. Leaves in
    /// `stretches` the stretches of the last attempt.
    fn run(&mut self, patience: u32, stretches: &mut Vec<Stretch>) -> Verdict {
        stretches.push(Stretch { from: None, next: 0, dice: Dice::default() });
        // States from which the battle cannot go on as recorded, whatever went before.
        let mut hopeless: FxHashSet<State> = FxHashSet::default();
        for _ in 0..patience {
            let Some(stretch) = stretches.last_mut() else { break };
            match self.fight(stretch) {
                Some(ControlFlow::Break(())) => return Verdict::Reproduced,
                Some(ControlFlow::Continue(state)) if !hopeless.contains(&state) => {
                    let next = self.progress.next.get();
                    stretches.push(Stretch { from: Some(state), next, dice: Dice::default() });
                    continue;
                }
                _ => {}
            }
            while let Some(stretch) = stretches.last_mut()
                && !stretch.dice.advance()
            {
                hopeless.extend(stretches.pop().and_then(|stretch| stretch.from));
            }
        }
        match (self.furthest.take(), stretches.last()) {
            (Some(divergence), None) => Verdict::Differs(divergence),
            (Some(divergence), Some(_)) => Verdict::Undecided(divergence),
            (None, last) => Verdict::Undecided(Divergence {
                at: last.map_or(0, |stretch| stretch.next),
                round: last
                    .and_then(|stretch| Some(u32::from(stretch.from.as_ref()?.round)))
                    .unwrap_or(0),
                here: Here::GivesUp,
                why: "as recorded so far".to_owned(),
            }),
        }
    }

    /// Fights a battle that was as recorded once more, with the dice that made it so, and tells it step by step.
    fn step(&self, stretches: &mut [Stretch]) -> Option<Stepped> {
        let thrown = Thrown::default();
        let mut stepping = Stepping::new(&thrown);
        let mut state: Option<State> = None;
        let mut rounds = 0;
        for stretch in stretches {
            self.progress.back_to(stretch.next);
            stretch.dice.rewind();
            let mut recorded =
                Recorded { progress: self.progress, dice: &mut stretch.dice, unit: 0 };
            let mut chance = Overheard { dice: &mut recorded, thrown: &thrown };
            let Some(state) = &mut state else {
                state = Some(start_dyn::<Splinterlands>(
                    self.setup,
                    STRATUM,
                    &mut chance,
                    &mut stepping,
                ));
                continue;
            };
            rounds += 1;
            let flow = round_dyn::<Splinterlands>(self.setup, state, &mut chance, &mut stepping);
            if let ControlFlow::Break(outcome) = flow {
                let steps = stepping.end::<Splinterlands>(self.setup, state);
                return Some(Stepped { stratum: STRATUM, steps, outcome, rounds });
            }
        }
        None
    }

    /// Fights one stretch with its present dice. Breaks when the battle is over as recorded, continues with the state
    /// after the round; None when it differs.
    fn fight(&mut self, stretch: &mut Stretch) -> Option<ControlFlow<(), State>> {
        let progress = self.progress;
        progress.back_to(stretch.next);
        stretch.dice.rewind();
        let mut chance = Recorded { progress, dice: &mut stretch.dice, unit: 0 };
        let mut comparison =
            Comparison { record: self.record, before: &self.course.before, progress };
        let Some(from) = &stretch.from else {
            let state =
                start_dyn::<Splinterlands>(self.setup, STRATUM, &mut chance, &mut comparison);
            return self.settled().then_some(ControlFlow::Continue(state));
        };
        let mut state = *from;
        let flow = round_dyn::<Splinterlands>(self.setup, &mut state, &mut chance, &mut comparison);
        let round = u32::from(state.round);
        if !progress.parted.get() {
            match flow {
                ControlFlow::Continue(()) => progress.end_round(round),
                ControlFlow::Break(outcome) => progress.end(round, outcome, self.record),
            }
        }
        self.settled().then_some(match flow {
            ControlFlow::Continue(()) => ControlFlow::Continue(state),
            ControlFlow::Break(_) => ControlFlow::Break(()),
        })
    }

    /// Whether the stretch is as recorded. If not, keeps where it differs, unless an earlier attempt came as far.
    fn settled(&mut self) -> bool {
        let Some(divergence) = self.progress.divergence.take() else { return true };
        if self.furthest.as_ref().is_none_or(|furthest| divergence.at > furthest.at) {
            self.furthest = Some(divergence);
        }
        false
    }
}
