//! `evens replay`: replays recorded battles of the official game.

use std::path::PathBuf;

use clap::Args;
use rayon::prelude::*;
use serde_json::json;

use super::printed::{Replayed, print_more};
use super::terminal::{Terminal, print};
use super::{Exit, Failure, records};
use crate::games::splinterlands::record::{
    CardFile, Divergence, PATIENCE, Refight, Tolerance, Verdict, collect, winner,
};
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
    /// Treat surrendered battles, and others without both teams, as faults instead of skipping them
    #[arg(long, help_heading = "What to fight")]
    strict: bool,

    /// Draw the random numbers from each battle's seed as the official game does, and use its recorded actions only to
    /// compare with
    #[arg(long, help_heading = "How to play")]
    from_seed: bool,
    /// The most rounds to play in all attempts at a battle, before it is left undecided
    #[arg(long, value_name = "N", default_value_t = PATIENCE, help_heading = "How to play",
          conflicts_with = "from_seed")]
    patience: u32,

    /// Print one JSON object instead of a page
    #[arg(long, help_heading = "What to print")]
    json: bool,
}

pub(super) fn run(arguments: &Arguments, terminal: &Terminal) -> Result<Exit, Failure> {
    let cards = arguments.cards.as_deref().map(records::source).transpose()?;
    let cards = records::cards(cards.as_ref())?;
    let files = records::sources(&arguments.logs)?;
    let tolerance = Tolerance { known_only: arguments.known_only, strict: arguments.strict };
    let prepare = |record| Refight::of(record, &cards, arguments.from_seed);
    let battles = collect(&files, tolerance, prepare).map_err(Failure::Input)?;
    let refought: Vec<Refought> = battles
        .into_par_iter()
        .map(|collected| {
            let name = format!("{}, {}", files[collected.file].name(), collected.place);
            let verdict = match collected.battle {
                Ok(battle) => fought(&battle, &cards, arguments.patience),
                Err(passed_over) => RefoughtVerdict::LeftOut(passed_over.why().to_owned()),
            };
            Refought { name, verdict }
        })
        .collect();
    if arguments.json {
        let battles: Vec<Replayed> = refought.iter().map(replayed).collect();
        print_more("replay", &[("battles", json!(battles))])?;
    } else {
        print(&study::page(&refought, terminal.style()))?;
    }
    let is_other = |battle: &Refought| matches!(battle.verdict, RefoughtVerdict::Differs { .. });
    Ok(if refought.iter().any(is_other) { Exit::NotReproduced } else { Exit::Success })
}

fn replayed(battle: &Refought) -> Replayed {
    let blank = Replayed {
        battle: battle.name.clone(),
        verdict: "reproduced",
        why: None,
        actions: None,
        rounds: None,
        winner: None,
    };
    match &battle.verdict {
        RefoughtVerdict::Reproduced { actions, rounds, winner } => Replayed {
            actions: Some(*actions),
            rounds: Some(*rounds),
            winner: Some(winner.clone()),
            ..blank
        },
        RefoughtVerdict::Differs { why, undecided, .. } => {
            let verdict = if *undecided { "undecided" } else { "differs" };
            Replayed { verdict, why: Some(why.clone()), ..blank }
        }
        RefoughtVerdict::LeftOut(why) => {
            Replayed { verdict: "left out", why: Some(why.clone()), ..blank }
        }
    }
}

fn fought(battle: &Refight, cards: &CardFile, patience: u32) -> RefoughtVerdict {
    let differs = |parting: &Divergence, undecided| RefoughtVerdict::Differs {
        why: parting.told(),
        undecided,
        stories: battle
            .stories(cards, parting)
            .into_iter()
            .map(|both| [both.round.to_string(), both.recorded, both.here])
            .collect(),
    };
    match &battle.fight(patience) {
        Verdict::Reproduced => RefoughtVerdict::Reproduced {
            actions: battle.actions(),
            rounds: battle.rounds(),
            winner: winner(battle.record.winner).to_owned(),
        },
        Verdict::Differs(parting) => differs(parting, false),
        Verdict::Undecided(parting) => differs(parting, true),
    }
}
