//! `evens best`: the strongest line-ups, and what holds against them.

use std::num::{NonZeroU64, NonZeroUsize};
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use clap::Args;
use strum::IntoEnumIterator;

use super::exit::ended_early;
use super::interruption::{interrupted, setting_up};
use super::job::{self, Job, named};
use super::reading;
use super::report::{Again, ReportFile};
use super::terminal::{Terminal, say};
use super::until::time;
use super::{Exit, Failure, flags};
use crate::chance::{Seeded, Stream};
use crate::engine::{Engine, LineUps, Scenario, variants_of};
use crate::lineups::{LineUp, NoLineUps, Space};
use crate::report::figures;
use crate::scenario::{Fault, Faults, Variants, read_text, suggestion};
use crate::studies::best::{
    self as study, Answer, Arena, BestTable, Ended, Field, Fixture, Other, Question, Sharing, Wish,
};
use crate::tally::Layout;

const EXAMPLES: &str = "\
Examples:
  evens best solforge/factions --for Uterra --battles 20000
  evens best splinterlands/drawn-teams --set 'mana_caps=[30]' \\
    --set 'rulesets.fixed=[\"Standard\"]'
  evens best my.toml --keep \"Malric Inferno\" --top 20 --until 1m
  evens best my.toml --candidates owned.txt --given team.txt
  evens best my.toml --metagame --epsilon 2pp -o results";

#[derive(Args, Debug)]
#[command(after_help = EXAMPLES)]
pub(super) struct Arguments {
    /// A scenario file, or the name of a bundled scenario, in which contenders bring teams, decks or groups
    scenario: PathBuf,

    #[command(flatten)]
    wanted: Wishes,

    /// Something of the scenario that is other than in its file, such as `mana_caps=[30]`. May be given several times
    #[arg(long = "set", value_name = "PATH=VALUE", help_heading = "What to play")]
    set: Vec<String>,
    /// About how many battles to play in all, instead of the scenario's number. Each line-up that is compared takes a few, so
    /// that a small number is exceeded: the page says by how much
    #[arg(long, value_parser = flags::count, value_name = "N", help_heading = "What to play")]
    battles: Option<NonZeroU64>,
    /// Play as many battles as take about this long, such as `30s`, going by a short trial; how many these were is said at the end
    #[arg(
        long,
        value_name = "TIME",
        value_parser = time,
        conflicts_with = "battles",
        help_heading = "What to play"
    )]
    until: Option<Duration>,
    #[command(flatten)]
    play: flags::Play,

    #[command(flatten)]
    pub(super) output: flags::Output,
    #[command(flatten)]
    pub(super) report: ReportFile,
    /// Write only this table instead of all; may be given several times
    #[arg(long = "table", value_name = "TABLE", help_heading = "What to write")]
    tables: Vec<BestTable>,

    #[command(flatten)]
    pub(super) quiet: flags::Quiet,
}

/// What to look for.
#[derive(Args, Debug)]
#[command(next_help_heading = "What to look for")]
struct Wishes {
    /// Whose line-ups: who has the seats, rules and player of the scenario's contender [default: the first of side A]
    #[arg(long = "for", value_name = "CONTENDER")]
    whose: Option<String>,
    /// Whom they are measured against. May be given several times [default: all whom the contender meets]
    #[arg(long, value_name = "CONTENDER")]
    against: Vec<String>,
    /// Something that every line-up has; twice for two copies. May be given several times
    #[arg(long, value_name = "NAME")]
    keep: Vec<String>,
    /// What line-ups may be made of: a name, or a file with a name a line. May be given several times [default: whatever the
    /// contender may bring]
    #[arg(long, value_name = "NAME|FILE")]
    candidates: Vec<String>,
    /// A file of line-ups, one a line with `; ` between names or as a JSON list of them, that the answer is never worse than
    #[arg(long, value_name = "FILE")]
    given: Option<PathBuf>,
    /// How many line-ups to show
    #[arg(long, value_name = "N", default_value = "10", value_parser = top)]
    top: NonZeroUsize,
    /// Look for what holds against these: add what beats them, until nobody who is found gains more than epsilon
    #[arg(long)]
    metagame: bool,
    /// With `--metagame`: what a line-up must gain against the mix to be added
    #[arg(long, value_name = "POINTS", default_value = "1pp", value_parser = points, requires = "metagame")]
    epsilon: f64,
}

fn top(text: &str) -> Result<NonZeroUsize, String> {
    let count = flags::size(text)?;
    (count.get() <= MOST_SHOWN).then_some(count).ok_or_else(|| format!("at most {MOST_SHOWN}"))
}

fn points(text: &str) -> Result<f64, String> {
    flags::points(text)
        .filter(|&share| 0.0 < share && share < 0.5)
        .ok_or_else(|| "write percentage points above 0 and below 50, such as `1pp`".to_owned())
}

/// The most line-ups that are shown: nobody reads more.
const MOST_SHOWN: usize = 200;
/// Battles of the trial that measures how fast battles are, and the number of line-ups that play them.
const TRIAL: u64 = 64;
const TRIAL_LINE_UPS: usize = 16;
/// The most battles that can be asked for: the outcome of each is kept, in a byte.
const MOST_BATTLES: u64 = 10_000_000_000;
/// One in so many battles of a metagame is spent first on finding what does well against the field.
const FIRST_SEARCH: u64 = 8;
/// How many others of it a metagame looks at.
const RESERVE: usize = 1_000;

pub(super) fn run(arguments: &Arguments, terminal: &Terminal) -> Result<Exit, Failure> {
    let scenario = read(arguments, terminal)?;
    let (common, engine) = (&scenario.common, scenario.engine());
    let layout = engine.layout();
    let wanted = &arguments.wanted;
    if wanted.metagame && layout.sides != 2 {
        let complaint = format!(
            "--metagame: battles of this scenario have {} sides, and a metagame has two",
            layout.sides
        );
        return Err(Failure::Usage(complaint));
    }
    let whose = wanted.whose.as_deref().unwrap_or(&layout.matchups[0].contenders[0]);
    let whole = engine.line_ups(whose).map_err(|why| no_line_ups(&scenario, why))?;
    let stock = whole.stock();
    let may_choose = |name: &String| {
        let mut allowed = stock.choices.iter().zip(&stock.allowed).filter(|(_, allowed)| **allowed);
        allowed.any(|(choice, _)| choice.name.split(" + ").any(|part| part == name))
    };
    let idle = scenario.idle.iter().filter(|(names, _)| !names.iter().any(may_choose));
    reading::warn(&idle.map(|(_, warning)| warning.clone()).collect::<Vec<_>>(), terminal);
    let part = candidates(&wanted.candidates, &*whole)?;
    let line_ups: &dyn LineUps = part.as_deref().unwrap_or(&*whole);
    let space: &dyn Space = line_ups;
    let kept = kept(&wanted.keep, space)?;
    let (field, against) = field(layout, whose, &wanted.against)?;
    let given = given(wanted.given.as_deref(), line_ups, &kept)?;

    let tables = tables(arguments, layout)?;
    let quiet = &arguments.quiet;
    let output = &common.output;
    let names = named(&tables);
    let job = Job::open(terminal, &arguments.output, output, &names, quiet.quiet)?
        .in_json(quiet.json, "best")?
        .reporting(&arguments.report)?;
    job.outlet.accepts(&scenario.name)?;

    let seed = arguments.play.seed.unwrap_or(common.seed);
    let threads = arguments.play.threads.threads;
    let battles = match arguments.until {
        None => arguments.battles.unwrap_or(common.battles()).get(),
        Some(time) => {
            let trial =
                Trial { line_ups, field: &field, kept: &kept, sides: layout.sides, threads };
            trial.battles_in(time).min(MOST_BATTLES)
        }
    };
    if battles > MOST_BATTLES {
        return Err(Failure::Usage(format!(
            "{} battles are too many: what came of each is kept, and `--battles` can be {} at most",
            figures::whole(battles),
            figures::whole(MOST_BATTLES)
        )));
    }
    let for_best = if wanted.metagame { (battles / FIRST_SEARCH).max(1) } else { battles };
    let question = Question {
        contender: whose.to_owned(),
        field,
        given,
        kept,
        top: wanted.top.get(),
        battles: for_best,
        reserve: if wanted.metagame { RESERVE } else { 0 },
    };
    let mut progress = job.progress(battles);
    let mut go_on = |played: u64, best: &str| {
        progress.step(played.min(battles), || best.to_owned());
        !interrupted()
    };
    let mut arena = Arena::new(line_ups, layout.sides, seed, threads, &mut go_on);
    let found = find(&mut arena, layout, &question, wanted, battles);
    let (played, forfeits) = (arena.played, arena.forfeits.clone());
    drop(arena);
    progress.finish();
    let (best, metagame) = match found {
        Ok(found) => found,
        Err(Ended) => {
            return Ok(ended_early("no fresh battles confirm anything yet"));
        }
    };
    if arguments.until.is_some() && !quiet.quiet {
        // How long a trial takes differs from run to run, and a search for another number of battles is another one.
        say(&format!(
            "searched with --battles {battles} --seed {seed}: these find the same again\n"
        ));
    }
    let mut provenance = job::provenance(&scenario, seed, battles, played);
    let lacks_metagame = wanted.metagame && metagame.is_none();
    provenance.partial = lacks_metagame;
    let again = command(arguments, "", seed, battles);
    let provenance = provenance.identified("best", [again.as_str()]);
    let answer = Answer {
        space,
        contender: whose,
        against: &against,
        kept: &wanted.keep,
        best: &best,
        metagame: metagame.as_ref(),
        ended_early: lacks_metagame,
        forfeits: &forfeits,
        tables: &tables,
    };
    let is_known = |table: &&BestTable| metagame.is_some() || !table.is_of_metagame();
    let asked = common.question.as_deref();
    job.finish(
        &provenance,
        |style| study::page(&answer, &provenance, asked, style),
        tables
            .iter()
            .filter(is_known)
            .map(|&name| study::table(name, space, &best, metagame.as_ref())),
        Some(&mut || {
            let command = command(arguments, &scenario.name, seed, battles);
            study::report(&answer, &provenance, asked, command)
        }),
    )
}

type Found = (study::Best, Option<study::Metagame>);

/// Finds the best line-ups and, if one is wanted, the metagame that begins with them; None for a metagame that was
/// interrupted.
fn find(
    arena: &mut Arena<'_>,
    layout: &Layout,
    question: &Question,
    wanted: &Wishes,
    battles: u64,
) -> Result<Found, Ended> {
    let best = study::best(arena, question)?;
    if !wanted.metagame {
        return Ok((best, None));
    }
    let starts: Vec<LineUp> = best.teams.iter().map(|team| team.line_up.clone()).collect();
    let wish = Wish {
        starts: &starts,
        reserve: &best.reserve,
        kept: &question.kept,
        battles: battles.saturating_sub(arena.played).max(1),
        epsilon: wanted.epsilon,
    };
    let metagame = study::metagame(arena, layout, wish).ok();
    Ok((best, metagame))
}

/// Reads the scenario, with the changes of `--set`.
fn read(arguments: &Arguments, terminal: &Terminal) -> Result<Scenario, Failure> {
    let _setting_up = setting_up();
    if arguments.set.is_empty() {
        let scenario = reading::scenario(&arguments.scenario)?;
        // What no battle of the scenario can have may be chosen here; that is told when it is known.
        reading::warn(&scenario.warnings, terminal);
        return Ok(scenario);
    }
    let document = reading::document(&arguments.scenario)?.with_axes(&arguments.set);
    let mut engines: Vec<Box<dyn Engine>> = Vec::new();
    let Variants { scenario, fingerprint, variants, .. } =
        variants_of(&document, false, &mut |engine| engines.push(engine))
            .map_err(Failure::Input)?;
    let mut engines = engines.into_iter();
    let (Some(engine), None) = (engines.next(), engines.next()) else {
        let complaint = format!(
            "--set: {} variants of the scenario, and one is searched: give each path one value, `evens sweep` takes several",
            variants.len()
        );
        return Err(Failure::Usage(complaint));
    };
    reading::warn(&scenario.warnings, terminal);
    Ok(Scenario { setup: engine, fingerprint, ..scenario })
}

fn no_line_ups(scenario: &Scenario, why: NoLineUps) -> Failure {
    match why {
        NoLineUps::Unknown { .. } => Failure::Usage(format!("--for: {why}")),
        NoLineUps::Game(_) | NoLineUps::Scenario(_) => {
            let remedy = "`evens best --help` says what can be searched";
            Faults::one(scenario.name.clone(), Fault::new(why.to_string(), remedy)).into()
        }
    }
}

/// The line-ups that are made only of what `--candidates` allows; None without that flag.
fn candidates<'l>(
    wanted: &[String],
    whole: &'l (dyn LineUps + 'l),
) -> Result<Option<Box<dyn LineUps + 'l>>, Failure> {
    if wanted.is_empty() {
        return Ok(None);
    }
    let space: &dyn Space = whole;
    let mut allowed = vec![false; space.choices().len()];
    for text in wanted {
        let choice = space.choice(text);
        if let Ok(choice) = choice {
            allowed[usize::from(choice)] = true;
            continue;
        }
        // Text that is not a name is the path of a file, if there is one.
        if !Path::new(text).exists() {
            let why = choice.unwrap_err();
            return Err(Failure::Usage(format!(
                "--candidates {text}: {why}; there is no such file either"
            )));
        }
        let listed = lines(Path::new(text))?;
        if listed.is_empty() {
            let fault = Fault::new("it names nobody", "write a name on each line");
            return Err(Faults::one(text.clone(), fault).into());
        }
        for (line, name) in listed {
            let choice = space.choice(&name).map_err(|why| at_line(Path::new(text), line, &why))?;
            allowed[usize::from(choice)] = true;
        }
    }
    let part = whole.only(&allowed);
    part.map(Some).map_err(|why| Failure::Usage(format!("--candidates: {why}")))
}

/// The lines of a file that are neither empty nor a comment, with their numbers.
fn lines(path: &Path) -> Result<Vec<(usize, String)>, Failure> {
    let text = read_text(path).map_err(|error| {
        let fault = Fault::new(format!("cannot be read: {error}"), "name a text file that can be");
        Faults::one(path.display().to_string(), fault)
    })?;
    let lines = text.lines().enumerate().map(|(at, line)| (at + 1, line.trim().to_owned()));
    Ok(lines.filter(|(_, line)| !line.is_empty() && !line.starts_with('#')).collect())
}

fn at_line(path: &Path, line: usize, why: &str) -> Failure {
    let fault = Fault::new(format!("line {line}: {why}"), "change the line, or take it out");
    Faults::one(path.display().to_string(), fault).into()
}

fn kept(names: &[String], space: &dyn Space) -> Result<Vec<u16>, Failure> {
    let kept = names.iter().map(|name| {
        let usage = |why: String| Failure::Usage(format!("--keep {name}: {why}"));
        let choice = space.choice(name).map_err(usage)?;
        match space.allows(choice) {
            true => Ok(choice),
            false => Err(usage("it is not among what line-ups may be made of".to_owned())),
        }
    });
    let kept = kept.collect::<Result<Vec<u16>, Failure>>()?;
    let mut random = Seeded::from_seed(1);
    if !kept.is_empty() && study::draw_keeping(space, &kept, &mut random).is_none() {
        let complaint = format!("--keep: no legal {} was found that has all of this", space.noun());
        return Err(Failure::Usage(complaint));
    }
    Ok(kept)
}

/// The line-ups that are given: the contender's own, if it has what is kept, and those of a file.
fn given(
    file: Option<&Path>,
    line_ups: &dyn LineUps,
    kept: &[u16],
) -> Result<Vec<LineUp>, Failure> {
    let space: &dyn Space = line_ups;
    let mut given: Vec<LineUp> = space.own().into_iter().collect();
    given.retain(|own| study::keeps(own, kept));
    let Some(file) = file else { return Ok(given) };
    for (line, text) in lines(file)? {
        let read = line_up(space, &text).map_err(|why| at_line(file, line, &why))?;
        if !study::keeps(&read, kept) {
            return Err(at_line(file, line, "it lacks what `--keep` asks of every line-up"));
        }
        if !given.contains(&read) {
            given.push(read);
        }
    }
    Ok(given)
}

/// Reads a line-up in its usual form, or as a JSON list of names, as in a cell of a CSV table or a row of JSON.
fn line_up(space: &dyn Space, text: &str) -> Result<LineUp, String> {
    if !text.starts_with('[') {
        return space.read(text);
    }
    match serde_json::from_str::<Vec<String>>(text) {
        Ok(names) => space.read_parts(names.iter().map(String::as_str)),
        Err(error) => Err(format!("not a list of names in JSON: {error}")),
    }
}

/// The field that line-ups are measured against, and its description: wherever the contender sits in the scenario, each
/// time with the others of that match-up, or with those that `--against` names.
fn field(layout: &Layout, whose: &str, against: &[String]) -> Result<(Field, String), Failure> {
    let known = layout.contenders().names;
    for name in against {
        if !known.contains(&name.as_str()) {
            let listing = format!("there are {}", known.join(", "));
            let remedy = suggestion(name, known.iter().copied(), &listing);
            return Err(Failure::Usage(format!("--against {name}: nobody is called so: {remedy}")));
        }
    }
    if !against.is_empty() && layout.sides != 2 {
        let complaint = format!("--against: battles of this scenario have {} sides", layout.sides);
        return Err(Failure::Usage(complaint));
    }
    let mut fixtures: Vec<Fixture> = Vec::new();
    for matchup in &layout.matchups {
        for seat in (0..layout.sides).filter(|&seat| matchup.contenders[seat] == whose) {
            let mut others = matchup.contenders.clone();
            others.remove(seat);
            let several: Vec<Vec<String>> = match against {
                [] => vec![others],
                named => named.iter().map(|name| vec![name.clone()]).collect(),
            };
            for others in several {
                let others = others.into_iter().map(Other::Contender).collect();
                let fixture = Fixture { seat, others };
                if !fixtures.contains(&fixture) {
                    fixtures.push(fixture);
                }
            }
        }
    }
    if fixtures.is_empty() {
        return Err(Failure::Usage(format!("--for {whose}: it meets nobody in this scenario")));
    }
    let told = told(&fixtures, layout.sides);
    Ok((Field::even(fixtures), told))
}

fn told(fixtures: &[Fixture], sides: usize) -> String {
    /// The most opponents that are named; more are only counted.
    const NAMED: usize = 4;
    let mut seats: Vec<usize> = fixtures.iter().map(|fixture| fixture.seat).collect();
    seats.sort_unstable();
    seats.dedup();
    let mut names: Vec<&str> = Vec::new();
    for other in fixtures.iter().flat_map(|fixture| &fixture.others) {
        if let Other::Contender(name) = other
            && !names.contains(&name.as_str())
        {
            names.push(name);
        }
    }
    let whom = match names.len() {
        ..=NAMED => names.join(", "),
        many => format!("{many} contenders"),
    };
    let seat = |seat: usize| crate::game::Side(seat as u8).letter();
    let from = match &seats[..] {
        all if all.len() == sides => "from every side".to_owned(),
        some => {
            let letters: Vec<String> = some.iter().map(|&at| seat(at).to_string()).collect();
            format!("as side {}", letters.join(" and "))
        }
    };
    format!("{from} against {whom}")
}

fn tables(arguments: &Arguments, layout: &Layout) -> Result<Vec<BestTable>, Failure> {
    let metagame = arguments.wanted.metagame;
    let can_be = |table: &BestTable| match table {
        BestTable::MetagameRulesets => metagame && layout.conditions.len() > 1,
        other => metagame || !other.is_of_metagame(),
    };
    if let Some(not) = arguments.tables.iter().find(|table| !can_be(table)) {
        let remedy = match metagame {
            true => "nothing is drawn before battles here",
            false => "say --metagame",
        };
        return Err(Failure::Usage(format!("--table {not}: {remedy}")));
    }
    let all = BestTable::iter().filter(can_be);
    let wanted = &arguments.tables;
    Ok(all.filter(|table| wanted.is_empty() || wanted.contains(table)).collect())
}

/// A few battles that measure how fast battles are.
struct Trial<'t> {
    line_ups: &'t dyn LineUps,
    field: &'t Field,
    kept: &'t [u16],
    sides: usize,
    threads: usize,
}

impl Trial<'_> {
    /// About how many battles can be played in this time, rounded down to two digits.
    fn battles_in(&self, time: Duration) -> u64 {
        let space: &dyn Space = self.line_ups;
        let mut random = Seeded::from_seed(1);
        let drawn: Vec<LineUp> = (0..TRIAL_LINE_UPS)
            .filter_map(|_| study::draw_keeping(space, self.kept, &mut random))
            .collect();
        let refs: Vec<&LineUp> = drawn.iter().collect();
        let mut go_on = |_: u64, _: &str| !interrupted();
        let mut arena = Arena::new(self.line_ups, self.sides, 1, self.threads, &mut go_on);
        let began = Instant::now();
        // Repeated until a measurable time has passed; the last round counts, for by then everything is warm.
        let mut speed = 0.0;
        while began.elapsed() < Duration::from_millis(300) {
            let (before, started) = (arena.played, Instant::now());
            if arena.play(self.field, &refs, TRIAL, Stream::Battles, Sharing::Same).is_err() {
                return 1;
            }
            speed = (arena.played - before) as f64 / started.elapsed().as_secs_f64().max(1e-9);
        }
        let battles = (speed * time.as_secs_f64()).max(1.0);
        let digits = libm::pow(10_f64, libm::log10(battles).floor() - 1.0).max(1.0);
        ((battles / digits).floor() * digits) as u64
    }
}

/// The command that makes the same results again.
fn command(arguments: &Arguments, scenario: &str, seed: u64, battles: u64) -> String {
    let wanted = &arguments.wanted;
    let mut again = Again::new("best", scenario).flag("--seed", seed).flag("--battles", battles);
    for (flag, values) in [
        ("--set", &arguments.set),
        ("--against", &wanted.against),
        ("--keep", &wanted.keep),
        ("--candidates", &wanted.candidates),
    ] {
        again = values.iter().fold(again, |again, value| again.flag(flag, value));
    }
    again = wanted.whose.iter().fold(again, |again, whose| again.flag("--for", whose));
    again = wanted.given.iter().fold(again, |again, file| again.flag("--given", file.display()));
    again = again.flag("--top", wanted.top);
    if wanted.metagame {
        let epsilon = (wanted.epsilon * 1e6).round() / 1e4;
        again = again.alone("--metagame").flag("--epsilon", format!("{epsilon}pp"));
    }
    again.text()
}
