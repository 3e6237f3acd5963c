//! Baselines as files: JSON with one match-up or unit per line, so that a changed baseline reads well as a diff.

use std::io;
use std::path::Path;
use std::sync::Arc;

use miette::NamedSource;
use serde::{Deserialize, Serialize};

use super::{Baseline, MatchupCount, OrderCount, PairedBattles, Settings, UnitCount};
use crate::inputs::how_to_read;
use crate::report::figures::whole;
use crate::scenario::{Fault, Faults, Source, read_text};
use crate::table::Provenance;

/// The version of the format that this program writes. It also reads the previous version, which had no lengths, no
/// paired battles and no settings: what a file lacks is not compared.
pub const FORMAT: u32 = 3;
/// The oldest version of the format that this program reads.
const OLDEST: u32 = 2;

/// Counts have to be below this, so that two can be added.
const LARGEST: i128 = 1 << 60;

/// The content of a baseline's file.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
#[serde(expecting = "a baseline, in braces")]
struct File {
    #[serde(rename = "evens_baseline")]
    _format: u32,
    run: Provenance,
    metrics: Vec<String>,
    matchups: Vec<MatchupCount>,
    units: Vec<UnitCount>,
    paired: Option<Packed>,
    settings: Option<Settings>,
}

/// The battles kept one by one, packed.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
#[serde(expecting = "battles one by one, in braces")]
struct Packed {
    seed: u64,
    battles: u64,
    teams: Option<String>,
    digest: String,
    results: Vec<String>,
    orders: Vec<OrderCount>,
}

/// The key that every version of the format has.
#[derive(Deserialize)]
#[serde(expecting = "a baseline, in braces")]
struct Head {
    evens_baseline: Option<u32>,
}

/// The name of the file that holds a scenario's baseline: `splinterlands-mirror.json`.
#[must_use]
pub fn file_name(game: &str, scenario: &str) -> String {
    let stem = Path::new(scenario).file_stem().unwrap_or_default().to_string_lossy();
    format!("{game}-{stem}.json")
}

impl Baseline {
    /// The text of the baseline's file. The same counts are always the same bytes.
    ///
    /// # Panics
    /// Never: names and whole numbers can always be written.
    #[must_use]
    pub fn to_json(&self) -> String {
        fn json(value: &impl Serialize) -> String {
            serde_json::to_string(value).expect("names and whole numbers can be written")
        }
        fn lines<T: Serialize>(rows: &[T]) -> String {
            let rows: Vec<String> = rows.iter().map(|row| format!("\n    {}", json(row))).collect();
            if rows.is_empty() { "[]".to_owned() } else { format!("[{}\n  ]", rows.join(",")) }
        }
        let mut text = format!(
            "{{\n  \"evens_baseline\": {FORMAT},\n  \"run\": {},\n  \"metrics\": {},\n  \"matchups\": {},\n  \
             \"units\": {}",
            json(&self.run),
            json(&self.metrics),
            lines(&self.matchups),
            lines(&self.units)
        );
        if let Some(settings) = &self.settings {
            let [cards, scenario] = [
                lines(&settings.cards.iter().collect::<Vec<_>>()),
                lines(&settings.scenario.iter().collect::<Vec<_>>()),
            ];
            text += &format!(
                ",\n  \"settings\": {{\n  \"cards\": {cards},\n  \"scenario\": {scenario}}}"
            );
        }
        if let Some(paired) = &self.paired {
            let battles = paired.results.len();
            let results = paired.packed(self.matchups.len(), self.sides() as usize);
            let teams = paired
                .teams
                .as_ref()
                .map_or_else(String::new, |of| format!(" \"teams\": {},", json(of)));
            text += &format!(
                ",\n  \"paired\": {{\"seed\": {}, \"battles\": {battles},{teams} \"digest\": {},\n  \
                 \"results\": {},\n  \"orders\": {}}}",
                paired.seed,
                json(&paired.digest()),
                lines(&results),
                lines(&paired.clone().kept().orders)
            );
        }
        text + "\n}\n"
    }

    /// Reads a baseline's file. `remedy` says where baselines come from, for one that is missing or spoilt.
    ///
    /// # Errors
    /// One fault that says why it cannot be read, or every count that cannot be true.
    pub fn read(path: &Path, remedy: &str) -> Result<Self, Faults> {
        let name = path.display().to_string();
        match read_text(path) {
            Ok(text) => Self::parse(&name, text, remedy),
            Err(error) => {
                let remedy = match error.kind() {
                    io::ErrorKind::FileTooLarge | io::ErrorKind::PermissionDenied => {
                        how_to_read(&error)
                    }
                    io::ErrorKind::IsADirectory => {
                        "move the folder away: a baseline's file belongs there"
                    }
                    _ => remedy,
                };
                let fault = Fault::new(format!("cannot read {name}: {error}"), remedy);
                Err(Faults::one(name, fault))
            }
        }
    }

    /// Reads the text of a baseline's file called `name`.
    ///
    /// # Errors
    /// As [`read`](Self::read).
    pub fn parse(name: &str, text: String, remedy: &str) -> Result<Self, Faults> {
        let source: Source = Arc::new(NamedSource::new(name, text).with_language("JSON"));
        let remedy = format!("restore it, or move it away and {remedy}");
        let broken = |error: &serde_json::Error| {
            let message = error.to_string();
            let message = message.split(" at line ").next().unwrap_or(&message);
            let at = offset(source.inner(), error.line(), error.column());
            let message = format!("this is no baseline: {message}");
            Faults::one(name, Fault::at(&source, at..at, message, remedy.clone()))
        };
        let head: Head = serde_json::from_str(source.inner()).map_err(|error| broken(&error))?;
        if !head.evens_baseline.is_some_and(|version| (OLDEST..=FORMAT).contains(&version)) {
            let found = match head.evens_baseline {
                Some(version) => format!("a baseline of format {version}"),
                None => "no baseline: it has no `evens_baseline`".to_owned(),
            };
            let fault = format!("this is {found}; this program reads formats {OLDEST} to {FORMAT}");
            return Err(Faults::one(name, Fault::new(fault, remedy)));
        }
        let file: File = serde_json::from_str(source.inner()).map_err(|error| broken(&error))?;
        let File { run, metrics, matchups, units, paired, settings, .. } = file;
        let mut baseline =
            Self { run, metrics, matchups, units, paired: None, settings, just_played: None };
        let mut untrue = baseline.untrue();
        if let Some(packed) = paired.filter(|_| untrue.is_empty()) {
            baseline.paired = packed.unpacked(baseline.matchups.len(), baseline.sides() as usize);
            if baseline.paired.is_none() {
                let message = "its battles one by one (`paired`) are not those that were written";
                untrue.push(message.to_owned());
            }
        }
        if untrue.is_empty() {
            return Ok(baseline);
        }
        let faults = untrue.into_iter().map(|message| Fault::new(message, remedy.clone()));
        Err(Faults::new(name, faults.collect()))
    }

    /// A message for every count that cannot be true.
    fn untrue(&self) -> Vec<String> {
        let mut untrue = Vec::new();
        let played: u128 = self.matchups.iter().map(|count| u128::from(count.battles)).sum();
        if played != u128::from(self.run.battles_played) {
            untrue.push(format!(
                "{} battles are said to be played, and the match-ups have {played}",
                self.run.battles_played
            ));
        }
        if self.run.partial {
            untrue.push("its run was ended early".to_owned());
        }
        for count in &self.matchups {
            let label = count.contenders.join(" vs ");
            if count.contenders.len() < 2 || count.wins.len() != count.contenders.len() {
                let (sides, wins) = (count.contenders.len(), count.wins.len());
                untrue.push(format!("{label}: {wins} sides have wins, and {sides} fight"));
            }
            let ends = [count.draws, count.undecided];
            let ended: u128 = count.wins.iter().chain(&ends).map(|&times| u128::from(times)).sum();
            if i128::from(count.battles) >= LARGEST {
                untrue.push(format!("{label}: nobody plays {} battles", count.battles));
            }
            if count.unfought > count.battles {
                untrue.push(format!("{label}: more battles are forfeited than there are"));
                continue;
            }
            if ended != u128::from(count.battles) {
                let ended = u64::try_from(ended).map_or_else(|_| ended.to_string(), whole);
                let battles = whole(count.battles);
                untrue.push(format!("{label}: {ended} of {battles} battles have an end"));
            }
            let long: u128 = count.lengths.iter().map(|&battles| u128::from(battles)).sum();
            if !count.lengths.is_empty() && long != u128::from(count.battles - count.unfought) {
                untrue.push(format!("{label}: {long} battles have a length"));
            }
            if [count.sums.len(), count.squares.len()] != [self.metrics.len(); 2] {
                untrue.push(format!("{label}: there is not one sum for each metric"));
            }
            for ((metric, &sum), &squares) in
                self.metrics.iter().zip(&count.sums).zip(&count.squares)
            {
                // A sum of whole numbers is at most the sum of their squares; the root mean square is at least the
                // mean.
                let least = (sum as f64).powi(2) / (count.battles - count.unfought).max(1) as f64;
                let possible = (0..LARGEST).contains(&squares)
                    && squares.unsigned_abs() >= sum.unsigned_abs()
                    && squares as f64 >= least * (1.0 - 1e-9);
                if !possible {
                    untrue.push(format!("{label}: no battles have these sums of {metric}"));
                }
            }
        }
        for unit in self.units.iter().filter(|unit| {
            u128::from(unit.won) + u128::from(unit.shared) > u128::from(unit.played)
                || i128::from(unit.played) >= LARGEST
        }) {
            untrue.push(format!(
                "{} won {} and shared {} of {} battles",
                unit.name, unit.won, unit.shared, unit.played
            ));
        }
        untrue
    }
}

impl Packed {
    /// The unpacked battles; None where they do not match their digest, or cannot be what was written.
    fn unpacked(self, matchups: usize, sides: usize) -> Option<PairedBattles> {
        let Packed { seed, battles, teams, digest, results, orders } = self;
        let is_possible =
            results.len() == matchups && orders.iter().all(|of| of.battles <= battles);
        let results = PairedBattles::unpacked(&results, battles, sides).filter(|_| is_possible)?;
        let battles = PairedBattles { seed, results, teams, orders, took_part: None };
        (battles.digest() == digest).then_some(battles)
    }
}

/// The byte offset of a line and column, both counted from 1, or the nearest one in the text.
fn offset(text: &str, line: usize, column: usize) -> usize {
    let before: usize = text.split_inclusive('\n').take(line.saturating_sub(1)).map(str::len).sum();
    text.floor_char_boundary(before + column.saturating_sub(1))
}
