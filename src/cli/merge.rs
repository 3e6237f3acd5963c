//! `evens merge`: adds up shards, and ends as the command in one go would have ended.

use std::ffi::OsString;
use std::fs;
use std::path::{Path, PathBuf};

use clap::{Args, Parser};

use super::exit::misunderstood;
use super::keeping::{Merged, apart, gathered, of_one_play, same_job, told};
use super::report::ReportFile;
use super::terminal::{Terminal, say};
use super::{Command, Exit, Failure, flags};
use crate::partial::{Found, Header, PartialError, Ranges, Shard};
use crate::remote::is_remote;
use crate::report::figures::{are, counted, whole};
use crate::scenario::{Fault, Faults, bundled};
use crate::studies::run::Section;
use crate::table::Folder;

const EXAMPLES: &str = "\
Examples:
  evens run my.toml --shard 1/2 -o shards        on one machine
  evens run my.toml --shard 2/2 -o shards        on another
  evens merge shards -o results
  evens merge a b --into ab                      add some up and go on later
  evens merge shards --allow-missing -o results";

/// The flag of stopping rules.
const UNTIL: &str = "--until";
/// The flag of card files.
const CARDS: &str = "--cards";
/// The flag that names a unit to say more about.
const UNIT: &str = "--unit";

#[derive(Args, Debug)]
#[command(after_help = EXAMPLES)]
pub(super) struct Arguments {
    /// Folders of partial results, or folders of such folders
    #[arg(required = true, value_name = "FOLDER")]
    folders: Vec<PathBuf>,
    /// The scenario, where it is not where it was when the shards were played; for `score` the files of results, each with
    /// this flag
    #[arg(long, value_name = "SCENARIO", help_heading = "What to add up")]
    scenario: Vec<PathBuf>,
    /// The card file of `score`, where it is not where it was
    #[arg(long, value_name = "FILE", help_heading = "What to add up")]
    cards: Option<PathBuf>,
    /// Finish although battles are missing; the results are marked partial
    #[arg(long, help_heading = "What to add up")]
    allow_missing: bool,

    /// Write one partial result that holds all of these to this folder, and no tables
    #[arg(long, value_name = "FOLDER", conflicts_with_all = ["output", "format", "json"], help_heading = "What to write")]
    into: Option<PathBuf>,
    #[command(flatten)]
    output: flags::Output,
    #[command(flatten)]
    report: ReportFile,

    /// Print every section and not the answer alone (`run`)
    #[arg(long, help_heading = "What to print")]
    full: bool,
    /// Print this section after the answer; may be given several times (`run`)
    #[arg(
        long,
        value_enum,
        value_name = "SECTION",
        conflicts_with = "full",
        help_heading = "What to print"
    )]
    only: Vec<Section>,
    #[command(flatten)]
    quiet: flags::Quiet,
}

pub(super) fn run(arguments: &Arguments, terminal: &Terminal) -> Result<Exit, Failure> {
    let parts = gathered(&arguments.folders, arguments.allow_missing)?;
    let header = parts[0].header.clone();
    let like = |part: &Found| same_job(part, &header, false).map_err(unlike);
    parts.iter().try_for_each(like)?;
    let planned = of_one_play(&parts).map_err(of_parts)?;
    let done = apart(&parts)?;
    if header.asked.settings.iter().any(|(name, _)| name == UNTIL) {
        in_order(&parts, &done, arguments.into.is_some())?;
    } else if arguments.into.is_none() {
        complete(&parts, &done, planned, arguments.allow_missing)?;
    }
    if let Some(into) = &arguments.into {
        // Beside its parts a sum would be taken for all there is, and later parts for none of it.
        let is_same = |part: &Found| {
            part.path == *into
                || matches!((fs::canonicalize(&part.path), fs::canonicalize(into)), (Ok(one), Ok(other)) if one.starts_with(&other))
        };
        // It need not be there yet, and a folder in an object store is in none of this machine.
        let around =
            into.ancestors().skip(1).find_map(|folder| match folder.as_os_str().is_empty() {
                true => fs::canonicalize(".").ok(),
                false => fs::canonicalize(folder).ok(),
            });
        let is_around = |folder: &PathBuf| {
            let folder = fs::canonicalize(folder).ok();
            folder.zip(around.as_ref()).is_some_and(|(folder, around)| around.starts_with(folder))
        };
        if parts.iter().any(is_same) || !is_remote(into) && arguments.folders.iter().any(is_around)
        {
            let remedy =
                "--into names a folder that is added up, or one around it or in it: choose another";
            return Err(Failure::Usage(remedy.to_owned()));
        }
        Folder::settle(into)?;
        if let Some(there) = Found::read(into)? {
            like(&there)?;
            lacks_nothing_of(&there, &done)?;
        }
    }
    let allow_missing = arguments.allow_missing;
    let first = parts[0].path.clone();
    let merged = Some(Merged { parts, into: arguments.into.clone(), allow_missing });
    let output = arguments.output.clone();
    let ended = match command(&first, &header, &arguments.scenario, arguments.cards.as_deref())? {
        Command::Run(mut run) => {
            (run.keep.merged, run.output, run.quiet) = (merged, output, arguments.quiet);
            (run.full, run.only) = (arguments.full, arguments.only.clone());
            run.report = arguments.report.clone();
            super::run::run(&run, terminal)
        }
        Command::Sweep(mut sweep) => {
            (sweep.keep.merged, sweep.output, sweep.quiet) = (merged, output, arguments.quiet);
            sweep.report = arguments.report.clone();
            super::sweep::run(&sweep, terminal)
        }
        Command::Effects(mut effects) => {
            (effects.keep.merged, effects.output, effects.quiet) =
                (merged, output, arguments.quiet);
            effects.report = arguments.report.clone();
            super::effects::run(&effects, terminal)
        }
        Command::Score(mut score) => {
            (score.keep.merged, score.output, score.quiet) = (merged, output, arguments.quiet);
            super::score::run(&score, terminal)
        }
        Command::Tune(mut tune) => {
            (tune.keep.merged, tune.output, tune.quiet) = (merged, output, arguments.quiet);
            tune.report = arguments.report.clone();
            super::tune::run(&tune, terminal)
        }
        _ => Err(no_parts(&header.asked.command)),
    };
    ended.map_err(|failure| match failure {
        // Parts from elsewhere may name any file of this machine, so its text is not quoted.
        Failure::Input(faulty) if arguments.scenario.is_empty() => {
            Failure::Input(faulty.into_iter().map(Faults::unquoted).collect())
        }
        other => of_parts(other),
    })
}

/// Checks that a sum has all battles of the one that it is to replace.
fn lacks_nothing_of(there: &Found, done: &Ranges) -> Result<(), Failure> {
    let of_there = there.header.stages.last().map(|stage| stage.done.clone()).unwrap_or_default();
    let only_there = of_there.without(done);
    if only_there.is_empty() {
        return Ok(());
    }
    let into = there.path.display();
    Err(Failure::Usage(format!(
        "{into} has {} that none of these folders has, and the sum would replace it: add it up with them, into another \
         folder",
        counted(only_there.len(), "battle"),
    )))
}

/// Rewords an error about a part of another job: a merge has begun nothing that could be started over.
fn unlike(error: PartialError) -> PartialError {
    match error {
        PartialError::Foreign { .. } | PartialError::Rules { .. } => {
            PartialError::Unlike(error.to_string())
        }
        other => other,
    }
}

/// Rewords a failure about partial results as [`unlike`] does, and leaves others as they are.
fn of_parts(failure: Failure) -> Failure {
    match failure {
        Failure::Partial(error) => unlike(error).into(),
        other => other,
    }
}

fn no_parts(command: &str) -> Failure {
    Failure::Usage(format!(
        "what `evens {command}` keeps is no part of a whole: only those of run, sweep, effects, tune and score add up"
    ))
}

/// Checks that no battle is missing, or says which ones are.
fn complete(
    parts: &[Found],
    done: &Ranges,
    planned: u64,
    allow_missing: bool,
) -> Result<(), PartialError> {
    let missing = done.missing(0..planned);
    if missing.is_empty() {
        return Ok(());
    }
    let header = &parts[0].header;
    let of_play = match (header.stages.last(), header.plays.len()) {
        (Some(stage), 2..) => format!(" of {}", stage.name),
        _ => String::new(),
    };
    let what = format!(
        "{} of {}{of_play} {} missing: {}",
        whole(missing.len()),
        counted(planned, "battle"),
        are(missing.len()),
        told(&missing)
    );
    // What comes after a play depends on all of its battles.
    if allow_missing && of_play.is_empty() {
        say(&format!("{what}\n"));
        return Ok(());
    }
    // Parts of a later play say which earlier ones they follow.
    let from = if header.stages.len() > 1 { ", with the same `--from` as the others" } else { "" };
    let shards = shards_of(parts, &missing, planned);
    let or = if of_play.is_empty() {
        ", or let the results be partial with --allow-missing"
    } else {
        ""
    };
    let remedy = match &shards[..] {
        [] => format!("play them{or}"),
        shards => format!(
            "play {}{from}{or}",
            shards.iter().map(|shard| format!("`--shard {shard}`")).collect::<Vec<_>>().join(", ")
        ),
    };
    Err(PartialError::Missing { what, remedy })
}

/// Checks that parts of a run with a stopping rule follow each other up to the next look at most, so that the evidence is
/// looked at wherever one command would have looked.
fn in_order(parts: &[Found], done: &Ranges, is_partial: bool) -> Result<(), PartialError> {
    let wrong = |what: String, remedy: String| Err(PartialError::OutOfOrder { what, remedy });
    let starts = |part: &&Found| part.header.stages[0].done.missing(0..1).is_empty();
    let Some(first) = parts.iter().find(starts) else {
        // Later battles may be added up beforehand.
        return match is_partial {
            true => Ok(()),
            false => wrong(
                "the first battles are missing, and --until looks at all from the first on"
                    .to_owned(),
                "play `--shard 0..100000`, say".to_owned(),
            ),
        };
    };
    let Some(look) = &first.header.stages[0].look else {
        return wrong(
            format!("{} does not say how its stopping rule stands", first.path.display()),
            "go on with the command that wrote it, or begin with `--shard 0..100000`, say"
                .to_owned(),
        );
    };
    let so_far = first.header.stages[0].done.end();
    if look.enough && parts.len() > 1 {
        return wrong(
            format!("there was evidence enough after {}", counted(so_far, "battle")),
            format!("add up {} alone: what was played later does not count", first.path.display()),
        );
    }
    let missing = done.missing(0..done.end());
    if let Some(gap) = missing.iter().next() {
        return wrong(
            format!("battles {} are missing between others", told(&missing)),
            format!("play `--shard {}..{}`", gap.start, gap.end),
        );
    }
    match look.next.first() {
        Some(&next) if done.end() > next => wrong(
            format!(
                "the evidence has to be looked at after {}, and these are {}",
                counted(next, "battle"),
                whole(done.end())
            ),
            format!("first add up those up to battle {} with --into", whole(next - 1)),
        ),
        _ => Ok(()),
    }
}

/// The shards that have the missing battles and no others: of as many equal ones as the name of a folder tells, where these
/// fit, or else by the numbers of battles. None where that were too many to list.
fn shards_of(parts: &[Found], missing: &Ranges, planned: u64) -> Vec<String> {
    const MOST: u64 = 64;
    let of = |part: &Found| {
        let name = part.path.file_name()?.to_str()?.strip_prefix("shard-")?;
        name.split_once("-of-")?.1.parse::<u64>().ok()
    };
    let of = parts.iter().find_map(of).filter(|&of| of <= MOST).unwrap_or(0);
    let battles = |shard: &Shard| Ranges::of(shard.battles(planned));
    let equal = (1..=of).filter_map(|number| format!("{number}/{of}").parse::<Shard>().ok());
    let fits =
        |shard: &Shard| !battles(shard).is_empty() && battles(shard).without(missing).is_empty();
    let equal: Vec<Shard> = equal.filter(fits).collect();
    let in_them = equal.iter().fold(Ranges::default(), |all, shard| all.with(&battles(shard)));
    let shards = match missing.without(&in_them).is_empty() {
        true => equal,
        false => {
            missing.iter().map(|gap| Shard::Battles { from: gap.start, to: gap.end }).collect()
        }
    };
    let are_few = shards.len() as u64 <= MOST;
    shards.iter().filter(|_| are_few).map(Shard::to_string).collect()
}

/// Checks that the files that the parts were played from are where they were.
fn still_there<'p>(files: impl Iterator<Item = &'p Path>) -> Result<(), Failure> {
    let is_bundled = |file: &Path| file.to_str().is_some_and(|name| bundled::find(name).is_some());
    let gone = |file: &&Path| !file.exists() && !is_bundled(file);
    let fault = |file: &Path| {
        let remedy = "say where it is now: `--scenario FILE`, once for each file";
        Faults::one(
            file.display().to_string(),
            Fault::new("it is not where it was when the parts were played", remedy),
        )
    };
    let faulty: Vec<Faults> = files.filter(gone).map(fault).collect();
    if faulty.is_empty() { Ok(()) } else { Err(Failure::Input(faulty)) }
}

/// Rebuilds the command that the parts belong to, from the header of the one at `path`.
fn command(
    path: &Path,
    header: &Header,
    scenario: &[PathBuf],
    cards: Option<&Path>,
) -> Result<Command, Failure> {
    let asked = &header.asked;
    let mut words: Vec<OsString> = vec!["evens".into(), (&asked.command).into()];
    let has_rule = asked.settings.iter().any(|(name, _)| name == UNTIL);
    let battles = match asked.command.as_str() {
        "score" => "--runs",
        _ if has_rule => "--max-battles",
        _ => "--battles",
    };
    let numbers = [("--seed", asked.seed), (battles, asked.battles)];
    words.extend(numbers.iter().map(|(name, value)| format!("{name}={value}").into()));
    let flags = || asked.besides.iter().filter(|(name, _)| !name.is_empty());
    let moved = |name: &str| name == CARDS && cards.is_some();
    // The settings say only that units are asked for; `besides` says which ones.
    let decides = asked.settings.iter().filter(|(name, value)| name != UNIT || !value.is_empty());
    for (name, value) in decides.chain(flags().filter(|(name, _)| !moved(name))) {
        words.push(if value.is_empty() { name.into() } else { format!("{name}={value}").into() });
    }
    if let Some(cards) = cards {
        if asked.command != "score" {
            return Err(Failure::Usage("--cards is for what `evens score` has kept".to_owned()));
        }
        words.extend([CARDS.into(), cards.into()]);
    }
    words.push("--".into());
    let files: Vec<OsString> = asked
        .besides
        .iter()
        .filter(|(name, _)| name.is_empty())
        .map(|(_, path)| path.into())
        .collect();
    if scenario.is_empty() {
        let of_all = files.iter().map(Path::new);
        let read = of_all.chain(files.is_empty().then_some(Path::new(&asked.scenario)));
        still_there(read)?;
    }
    match (scenario, &files[..]) {
        ([], []) => words.push((&asked.scenario).into()),
        ([], files) => words.extend_from_slice(files),
        (moved, _) => words.extend(moved.iter().map(Into::into)),
    }
    let unread = |error: clap::Error| {
        let fault = misunderstood(&error.render().to_string());
        let why = format!("its command cannot be read: {}", fault.message);
        PartialError::Damaged { path: path.to_owned(), why }
    };
    Ok(super::Arguments::try_parse_from(words).map_err(unread)?.command)
}
