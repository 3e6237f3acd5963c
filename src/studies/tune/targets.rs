//! Target scores of contenders: how they are read and assigned.

use std::ops::Range;

use toml::de::{DeTable, DeValue};

use super::Contender;
use crate::scenario::{Fault, Faults, Source, suggestion};
use crate::tally::OutcomeMeasure;

/// The remedy that is told with a target that cannot be read.
pub(super) const REMEDY: &str = "write a score from \"0%\" to \"100%\"";

/// The target score of a contender, as the user writes it.
#[derive(Clone, Debug, PartialEq)]
pub struct Target {
    /// The contender's name, or a match-up's such as `Fire vs Water`.
    pub name: String,
    /// The score, 0 to 1.
    pub score: f64,
    /// The byte range of its name in the file; empty where it comes from the command line.
    pub span: Range<usize>,
}

/// Why a target cannot be assigned.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TargetFault {
    /// Index of the target.
    pub which: usize,
    /// What is wrong.
    pub message: String,
    /// What to do about it.
    pub remedy: String,
}

/// Parses `55%` as a score from 0 to 1.
fn score(text: &str) -> Option<f64> {
    let percent: f64 = text.trim().strip_suffix('%')?.trim().parse().ok()?;
    (0.0..=100.0).contains(&percent).then_some(percent / 100.0)
}

impl std::str::FromStr for Target {
    type Err = String;

    /// Parses a target as written on the command line: `Fire=55%`.
    fn from_str(text: &str) -> Result<Self, String> {
        let (name, percent) = text
            .rsplit_once('=')
            .ok_or("write whose score and then the score, such as `Fire=55%`")?;
        match score(percent) {
            Some(score) => Ok(Self { name: name.trim().to_owned(), score, span: 0..0 }),
            None => {
                Err(format!("`{percent}` is no score: write one from 0% to 100%, such as `55%`"))
            }
        }
    }
}

/// Targets from a file: `"Fire" = "55%"` is a score against everybody, and `[Fire]` with `Water = "60%"` below it one
/// against Water.
///
/// # Errors
/// Every fault of the file, with its place.
pub fn read_targets(source: &Source) -> Result<Vec<Target>, Faults> {
    let of_whole = |fault: Fault| Faults::one(source.name(), fault);
    let table = DeTable::parse(source.inner()).map_err(|error| {
        let span = error.span().unwrap_or(0..0);
        of_whole(Fault::at(source, span, "this is not TOML", error.message()))
    })?;
    let (mut targets, mut faults) = (Vec::new(), Vec::new());
    let mut read = |name: String, key: Range<usize>, value: &DeValue<'_>, span: Range<usize>| {
        let score = if let DeValue::String(text) = value { score(text) } else { None };
        match score {
            Some(score) => targets.push(Target { name, score, span: key }),
            None => faults.push(Fault::at(source, span, format!("no target for {name}"), REMEDY)),
        }
    };
    for (key, value) in table.get_ref() {
        if let DeValue::Table(row) = value.get_ref() {
            for (other, value) in row {
                let name = format!("{} vs {}", key.get_ref(), other.get_ref());
                read(name, other.span(), value.get_ref(), value.span());
            }
        } else {
            read(key.get_ref().to_string(), key.span(), value.get_ref(), value.span());
        }
    }
    if targets.is_empty() && faults.is_empty() {
        faults.push(Fault::new(
            "the file names no target",
            "write lines such as `\"Fire\" = \"55%\"`",
        ));
    }
    if faults.is_empty() { Ok(targets) } else { Err(Faults::new(source.name(), faults)) }
}

/// Sets the contenders' targets. Where `shares` says how often each takes part, those without a target share what the
/// others leave, because scores are even on average; without shares their targets stay even.
///
/// # Errors
/// The first target that names nobody, or somebody who has a target already; or, given `shares`, targets that do not
/// average to even or leave the others a score outside 0 to 1.
pub fn assign(
    contenders: &mut [Contender],
    targets: &[Target],
    shares: Option<&[f64]>,
    sides: usize,
) -> Result<(), TargetFault> {
    let mut named = vec![false; contenders.len()];
    for (which, target) in targets.iter().enumerate() {
        let fault = |message: String, remedy: String| TargetFault { which, message, remedy };
        let swapped =
            target.name.split_once(" vs ").map(|(one, other)| format!("{other} vs {one}"));
        let is_it = |contender: &Contender| contender.name == target.name;
        let is_swapped = |contender: &Contender| Some(&contender.name) == swapped.as_ref();
        let (at, score) = match contenders.iter().position(is_it) {
            Some(at) => (at, target.score),
            None => match contenders.iter().position(is_swapped) {
                Some(at) => (at, 1.0 - target.score),
                None => {
                    let known = || contenders.iter().map(|contender| contender.name.as_str());
                    let all: Vec<&str> = known().take(12).collect();
                    let rest = if contenders.len() > all.len() { ", ..." } else { "" };
                    let listing = format!("one of {}{rest}", all.join(", "));
                    let remedy = if swapped.is_some() && !known().any(|name| name.contains(" vs "))
                    {
                        "match-ups have targets with `--even matchups`".to_owned()
                    } else {
                        suggestion(&target.name, known(), &listing)
                    };
                    return Err(fault(format!("nobody here is called {}", target.name), remedy));
                }
            },
        };
        if std::mem::replace(&mut named[at], true) {
            let message = format!("{} has a target already", contenders[at].name);
            return Err(fault(message, "leave one of them".to_owned()));
        }
        contenders[at].target = score;
    }
    let Some(shares) = shares.filter(|_| !targets.is_empty()) else { return Ok(()) };
    let even = OutcomeMeasure::even(sides);
    let of = |wanted: bool| {
        let all = contenders.iter().zip(shares).zip(&named);
        all.filter(move |(_, named)| **named == wanted).map(|(one, _)| one)
    };
    let taken: f64 = of(true).map(|(one, share)| share * (one.target - even)).sum();
    let (with, without): (f64, f64) =
        (of(true).map(|(_, share)| share).sum(), of(false).map(|(_, share)| share).sum());
    let last = targets.len() - 1;
    if named.iter().all(|&named| named) {
        if taken.abs() > 1e-6 * with {
            let message = format!(
                "the targets of all are {:.2}% on average, and scores always {:.2}%",
                100.0 * (even + taken / with),
                100.0 * even
            );
            let remedy = "leave one of them out: it gets what the others leave".to_owned();
            return Err(TargetFault { which: last, message, remedy });
        }
        return Ok(());
    }
    let left = even - taken / without;
    if !(0.0..=1.0).contains(&left) {
        let message = format!("the targets leave the others a score of {:.1}%", 100.0 * left);
        let remedy = "scores are even on average: let the targets be nearer to that".to_owned();
        return Err(TargetFault { which: last, message, remedy });
    }
    for (contender, _) in contenders.iter_mut().zip(named).filter(|(_, named)| !named) {
        contender.target = left;
    }
    Ok(())
}
