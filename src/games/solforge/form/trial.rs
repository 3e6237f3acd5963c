//! Steps that can never be taken and answers that nobody asks for, found by playing a position before it is run.

use super::PositionForm;
use crate::chance::{Chance, Every, Seeded};
use crate::game::{Stratum, Watch, round_dyn, start_dyn};
use crate::games::solforge::SolForge;
use crate::games::solforge::event::{Event, Refusal};
use crate::games::solforge::policy::Policy;
use crate::games::solforge::rolls::Roll;
use crate::games::solforge::setup::{Position, Setup};
use crate::games::solforge::state::State;
use crate::games::solforge::step::Loosely;
use crate::scenario::{Checker, Spot};

/// How many ways in which the dice can fall are walked through before plays are sampled instead.
const WALKED: usize = 256;
/// Number of sampled plays.
const SAMPLED: u64 = 64;

/// What came up in the plays so far.
struct Trial {
    /// By step: whether it was taken, and why it was left out last.
    taken: Vec<bool>,
    refused: Vec<Option<Refusal>>,
    /// By side, the cards whose answers were asked for.
    asked: [Vec<u16>; 2],
}

impl Watch<SolForge> for Trial {
    fn see(&mut self, setup: &Setup, _: &State, event: Event) {
        match event {
            Event::Refused { step, why } => self.refused[usize::from(step) - 1] = Some(why),
            Event::Asked { by, .. } => {
                let card = setup.cards.form(by.form).card;
                let asked = &mut self.asked[by.side().index()];
                if !asked.contains(&card) {
                    asked.push(card);
                }
            }
            _ => {}
        }
    }
}

impl Trial {
    fn play(&mut self, setup: &Setup, condition: u32, chance: &mut dyn Chance<Roll>) {
        let stratum = Stratum { matchup: 0, condition };
        let mut state = start_dyn::<SolForge>(setup, stratum, chance, self);
        loop {
            let at = usize::from(state.step);
            let before = self.refused[at].take();
            let flow = round_dyn::<SolForge>(setup, &mut state, chance, self);
            self.taken[at] |= self.refused[at].is_none();
            self.refused[at] = self.refused[at].or(before);
            if flow.is_break() {
                return;
            }
        }
    }

    fn is_asked(&self, side: usize, card: u16) -> bool {
        self.asked[side].contains(&card)
    }

    /// Whether nothing is left to be found out.
    fn is_settled(&self, answers: &[Vec<u16>; 2]) -> bool {
        let all_asked = |side: usize| answers[side].iter().all(|&card| self.is_asked(side, card));
        self.taken.iter().all(|&taken| taken) && all_asked(0) && all_asked(1)
    }
}

/// Plays the position in every way in which the dice can fall, or in some where there are too many. A step or answer
/// that never comes up is a fault if every way was played, and worth a warning if only some were.
pub(super) fn check(
    form: &PositionForm,
    setup: &Setup,
    position: &Position,
    spot: &Spot,
    checker: &mut Checker<'_>,
) {
    let steps = position.steps.len();
    let mut trial =
        Trial { taken: vec![false; steps], refused: vec![None; steps], asked: [vec![], vec![]] };
    let answers = [0, 1].map(|side: usize| match &position.policies[side] {
        Policy::Answers(answers) => answers.iter().map(|answer| answer.card).collect(),
        _ => Vec::new(),
    });
    let starts = position.starts.len() as u32;
    let mut walked_all = true;
    for condition in 0..starts {
        let mut every = Every::new();
        for way in 1.. {
            trial.play(setup, condition, &mut every);
            if trial.is_settled(&answers) {
                return;
            }
            if !every.advance() {
                break;
            }
            if way == WALKED {
                walked_all = false;
                break;
            }
        }
    }
    if !walked_all {
        for seed in 0..SAMPLED {
            let condition = seed as u32 % starts;
            trial.play(setup, condition, &mut Seeded::from_seed(seed));
        }
    }
    let mut found = |spot: &Spot, message: String, remedy: String| {
        if walked_all {
            checker.fault(spot, message, remedy);
        } else {
            let message = format!("{message} (in none of the plays that were tried)");
            checker.warn(spot, message, remedy);
        }
    };
    for (at, why) in trial.refused.iter().enumerate() {
        if let (Some(why), false) = (why, trial.taken[at]) {
            let loosely = match why.loosely(&position.steps[at]) {
                Loosely::Taken => "is taken all the same",
                Loosely::TakenInPart => {
                    "is taken on those targets that can be chosen, and left out where none can, which the trace tells"
                }
                Loosely::LeftOut => "is left out, too, and the trace tells it",
            };
            let why: &str = why.into();
            let message = format!("this step can never be taken: {why}");
            let remedy = format!("mend it; with `strict = false` it {loosely}");
            found(&spot.key("steps").index(at), message, remedy);
        }
    }
    for (side, (player, key)) in [(&form.a, "a"), (&form.b, "b")].into_iter().enumerate() {
        for (at, (answer, &card)) in player.answers.iter().zip(&answers[side]).enumerate() {
            if !trial.is_asked(side, card) {
                let message = format!("`{}` never asks this side", answer.card);
                let remedy = "take it out, or name the card that asks: of an ability that was granted that is the creature \
                              which has it, of one that was put off the card that put it off; the targets of a spell that is \
                              played and of an ability that is activated stand in the step";
                let spot = spot.key(key).key("answers").index(at).key("card");
                found(&spot, message, remedy.to_owned());
            }
        }
    }
}
