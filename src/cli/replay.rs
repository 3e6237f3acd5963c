//! `evens replay`: replays recorded battles of the official game.

use std::fmt::Write as _;
use std::path::{Path, PathBuf};

use clap::Args;
use serde_json::json;

use super::page::PageFile;
use super::printed::{Replayed, print_more};
use super::terminal::{Terminal, print, say};
use super::{Exit, Failure, flags, records};
use crate::games::splinterlands::record::{
    CardFile, Collected, Divergence, PATIENCE, Refight, Tolerance, Verdict, collect, winner,
};
use crate::parallel;
use crate::report::battle::{Fact, Shown, page};
use crate::report::figures::counted;
use crate::scenario::Source;
use crate::shell::{argument, flag};
use crate::story::Stepped;
use crate::studies::replay::{self as study, Refought, RefoughtVerdict};

const EXAMPLES: &str = "\
Examples:
  evens replay battle.json                     with the cards of May 2020
  evens replay logs.jsonl --cards cards.json   with the card file of that time
  evens replay logs.jsonl --cards cards.json --from-seed
  evens replay logs.jsonl --cards cards.json --battle 3 --html battle.html

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
    #[arg(long, help_heading = "What to play")]
    strict: bool,

    /// Draw the random numbers from each battle's seed as the official game does, and use its recorded actions only to
    /// compare with
    #[arg(long, help_heading = "How to play")]
    from_seed: bool,
    /// The most rounds to play in all attempts at a battle, before it is left undecided
    #[arg(long, value_name = "N", value_parser = flags::number::<u32>, default_value_t = PATIENCE, help_heading = "How to play",
          conflicts_with = "from_seed")]
    patience: u32,

    /// Write a page that steps through a battle, with the board and the dice of each step; `-` for standard output
    #[arg(long, value_name = "FILE", help_heading = "What to write")]
    html: Option<PathBuf>,
    /// With --html: which battle, counted from 1 through all files; no other is fought
    #[arg(long, value_name = "K", value_parser = flags::number::<usize>, help_heading = "What to write", requires = "html")]
    battle: Option<usize>,
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
    if let Some(html) = &arguments.html {
        return show(arguments, html, battles, &files, &cards, terminal);
    }
    let refought = parallel::map_all(battles, |collected| {
        let name = format!("{}, {}", files[collected.file].name(), collected.place);
        let verdict = match collected.battle {
            Ok(battle) => fought(&battle, &cards, arguments.patience),
            Err(passed_over) => RefoughtVerdict::LeftOut(passed_over.why().to_owned()),
        };
        Refought { name, verdict }
    });
    tell(&refought, arguments, terminal)?;
    let is_other = |battle: &Refought| matches!(battle.verdict, RefoughtVerdict::Differs { .. });
    Ok(if refought.iter().any(is_other) { Exit::NotReproduced } else { Exit::Success })
}

fn tell(refought: &[Refought], arguments: &Arguments, terminal: &Terminal) -> Result<(), Failure> {
    if arguments.json {
        let battles: Vec<Replayed> = refought.iter().map(replayed).collect();
        return print_more("replay", None, &[("battles", json!(battles))]);
    }
    print(&study::page(refought, terminal.style()))
}

/// Fights one battle and writes the page that steps through it.
fn show(
    arguments: &Arguments,
    html: &Path,
    battles: Vec<Collected<Refight>>,
    files: &[Source],
    cards: &CardFile,
    terminal: &Terminal,
) -> Result<Exit, Failure> {
    let file = PageFile::open(html)?;
    let count = battles.len();
    let which = match (arguments.battle, count) {
        (Some(which), _) => which,
        (None, 1) => 1,
        (None, _) => {
            return Err(Failure::Usage(format!(
                "{count} battles: say which with --battle 1 to {count}"
            )));
        }
    };
    let chosen = which.checked_sub(1).and_then(|at| battles.into_iter().nth(at));
    let Collected { file: of, place, battle, .. } = chosen.ok_or_else(|| {
        Failure::Usage(format!("there is no battle {which}; they are counted from 1 to {count}"))
    })?;
    let name = format!("{}, {place}", files[of].name());
    let battle = battle.map_err(|passed_over| {
        Failure::Usage(format!("{name} was left out: {}", passed_over.why()))
    })?;
    let (verdict, stepped) = battle.step(arguments.patience);
    let refought = Refought { name: name.clone(), verdict: told(&verdict, &battle, cards) };
    let exit = match verdict {
        Verdict::Reproduced => Exit::Success,
        Verdict::Differs(_) | Verdict::Undecided(_) => Exit::NotReproduced,
    };
    if !file.is_stdout() {
        tell(&[refought], arguments, terminal)?;
    }
    let Some(Stepped { steps, outcome, rounds, .. }) = stepped else {
        say("no page was written: no attempt at the battle was as recorded\n");
        return Ok(exit);
    };
    let mut facts = vec![Fact::new("Rulesets", battle.record.ruleset.replace('|', " + "))];
    let compared = if exit == Exit::Success { "every action as recorded" } else { "differs" };
    facts.push(Fact::new("Record", format!("{place}, {compared}")));
    if let Some(seed) = battle.seed() {
        facts.push(Fact::new("Seed", seed));
    }
    let mut command = "evens replay".to_owned();
    for log in &arguments.logs {
        let _ = write!(command, " {}", argument(&log.display().to_string()));
    }
    if let Some(cards) = &arguments.cards {
        let _ = write!(command, " {}", flag("--cards", &cards.display().to_string()));
    }
    // Whatever is skipped counts as a battle, so that the number is the same.
    command.push_str(if arguments.known_only { " --known-only" } else { "" });
    command.push_str(if arguments.from_seed { " --from-seed" } else { "" });
    if arguments.patience != PATIENCE {
        let _ = write!(command, " --patience {}", arguments.patience);
    }
    let _ = write!(command, " --battle {which} --html battle.html");
    let shown = Shown {
        game: "splinterlands",
        from: &name,
        question: None,
        contenders: &["Team 1".to_owned(), "Team 2".to_owned()],
        facts: &facts,
        command: &command,
        outcome,
        rounds,
        round_noun: "round",
        steps: &steps,
    };
    file.write(&page(&shown), &counted(steps.len() as u64, "step"))?;
    Ok(exit)
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
    told(&battle.fight(patience), battle, cards)
}

fn told(verdict: &Verdict, battle: &Refight, cards: &CardFile) -> RefoughtVerdict {
    let differs = |parting: &Divergence, undecided| RefoughtVerdict::Differs {
        why: parting.told(),
        undecided,
        stories: battle
            .stories(cards, parting)
            .into_iter()
            .map(|both| [both.round.to_string(), both.recorded, both.here])
            .collect(),
    };
    match verdict {
        Verdict::Reproduced => RefoughtVerdict::Reproduced {
            actions: battle.actions(),
            rounds: battle.rounds(),
            winner: winner(battle.record.winner).to_owned(),
        },
        Verdict::Differs(parting) => differs(parting, false),
        Verdict::Undecided(parting) => differs(parting, true),
    }
}
