//! `evens replay`: fights recorded battles of the official game again.

use rayon::prelude::*;

use super::args::Replay;
use super::terminal::{Terminal, print};
use super::{Exit, Failure, records};
use crate::games::splinterlands::record::{
    CardFile, Divergence, Refight, Tolerance, Verdict, collect, winner,
};
use crate::studies::replay::{self as study, Refought, RefoughtVerdict};

pub(super) fn run(arguments: &Replay, terminal: &Terminal) -> Result<Exit, Failure> {
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
    print(&study::page(&refought, terminal.style()))?;
    let is_other = |battle: &Refought| matches!(battle.verdict, RefoughtVerdict::Differs { .. });
    Ok(if refought.iter().any(is_other) { Exit::NotReproduced } else { Exit::Success })
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
