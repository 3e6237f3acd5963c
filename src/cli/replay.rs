//! `evens replay`: replays recorded battles of the official game.

use std::path::PathBuf;

use clap::Args;
use rayon::prelude::*;

use super::terminal::{Terminal, print};
use super::{Exit, Failure, records};
use crate::games::splinterlands::record::{
    CardFile, Course, Divergence, PATIENCE, Record, Unknown, Verdict, read, refight,
    refight_from_seed, side_by_side, winner,
};
use crate::games::splinterlands::setup::Setup;
use crate::scenario::Faults;
use crate::studies::replay::{self as study, Refought, RefoughtVerdict};

const EXAMPLES: &str = "\
Examples:
  evens replay battle.json                         with the bundled cards of May 2020
  evens replay logs.jsonl --cards cards.json       with the card file of the battles' time
  evens replay logs.jsonl --cards cards.json --from-seed

Exit code 6 says that a battle was not reproduced.";

#[derive(Args, Debug)]
#[command(after_help = EXAMPLES)]
pub(super) struct Arguments {
    /// Records in the format of the official `battle/result`: one object, a list, or one object per line
    #[arg(required = true, value_name = "LOG")]
    logs: Vec<PathBuf>,

    /// The cards: an official card file, or a catalogue [default: the bundled cards of May 2020]
    #[arg(long, value_name = "FILE", help_heading = "What to play")]
    cards: Option<PathBuf>,
    /// Skip battles with unknown cards, abilities or rulesets, or whose actions were not kept
    #[arg(long, help_heading = "What to play")]
    known_only: bool,

    /// Draw the random numbers from each battle's seed as the official game does, and use its recorded actions only to
    /// compare with
    #[arg(long, help_heading = "How to play")]
    from_seed: bool,
    /// The most rounds to play in all attempts at a battle, before it is left undecided
    #[arg(long, value_name = "N", default_value_t = PATIENCE, help_heading = "How to play",
          conflicts_with = "from_seed")]
    patience: u32,
}

pub(super) fn run(arguments: &Arguments, terminal: &Terminal) -> Result<Exit, Failure> {
    let cards = arguments.cards.as_deref().map(records::source).transpose()?;
    let cards = records::cards(cards.as_ref())?;
    let (mut battles, mut faulty) = (Vec::new(), Vec::new());
    for file in records::sources(&arguments.logs)? {
        let read = match read(&file) {
            Ok(records) => records,
            Err(faults) => {
                faulty.push(faults);
                continue;
            }
        };
        let mut unknown = Vec::new();
        for record in read {
            let known = Battle::of(&record, &cards, arguments);
            if !arguments.known_only {
                unknown.extend(known.as_ref().err().into_iter().flatten().cloned());
            }
            battles.push((format!("{}, {}", file.name(), record.place()), record, known));
        }
        if !unknown.is_empty() {
            faulty.push(Faults::new(file.name(), records::faults(&unknown)));
        }
    }
    if !faulty.is_empty() {
        return Err(Failure::Input(faulty));
    }
    let refought: Vec<Refought> = battles
        .into_par_iter()
        .map(|(name, record, known)| {
            let verdict = match known {
                Ok(battle) => battle.fight(&record, &cards, arguments.patience),
                Err(unknown) => {
                    let what: Vec<String> = unknown.into_iter().map(|lack| lack.what).collect();
                    RefoughtVerdict::LeftOut(what.join("; "))
                }
            };
            Refought { name, verdict }
        })
        .collect();
    print(&study::page(&refought, terminal.style()))?;
    let is_other = |battle: &Refought| matches!(battle.verdict, RefoughtVerdict::Differs { .. });
    Ok(if refought.iter().any(is_other) { Exit::NotReproduced } else { Exit::Success })
}

/// A battle that can be fought again.
struct Battle {
    setup: Setup,
    course: Course,
    /// The seed, if it is to be fought from that alone.
    seed: Option<String>,
}

impl Battle {
    fn of(record: &Record, cards: &CardFile, arguments: &Arguments) -> Result<Self, Vec<Unknown>> {
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
        let seed = match (arguments.from_seed, &course.seed) {
            (true, None) => {
                return Err(lacks(
                    "it has no seed",
                    "leave out `--from-seed` to go by its actions",
                ));
            }
            (from_seed, seed) => seed.clone().filter(|_| from_seed),
        };
        Ok(Self { setup: record.setup(cards)?, course, seed })
    }

    fn fight(&self, record: &Record, cards: &CardFile, patience: u32) -> RefoughtVerdict {
        let Self { setup, course, seed } = self;
        let verdict = match seed {
            Some(seed) => refight_from_seed(setup, record, course, seed),
            None => refight(setup, record, course, patience),
        };
        let differs = |parting: &Divergence, undecided| RefoughtVerdict::Differs {
            why: parting.told(),
            undecided,
            stories: side_by_side(cards, record, course, parting)
                .into_iter()
                .map(|both| [both.round.to_string(), both.recorded, both.here])
                .collect(),
        };
        match &verdict {
            Verdict::Reproduced => RefoughtVerdict::Reproduced {
                actions: course.rounds.iter().map(Vec::len).sum(),
                rounds: course.rounds.len(),
                winner: winner(record.winner).to_owned(),
            },
            Verdict::Differs(parting) => differs(parting, false),
            Verdict::Undecided(parting) => differs(parting, true),
        }
    }
}
