//! The battles of several files that a command can use, the others that it passes over, or everything that is wrong.

use super::{Record, Unknown, faults, read};
use crate::scenario::{Fault, Faults, Source};
use crate::sorting::Sorting;

/// What becomes of battles that cannot be used.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Tolerance {
    /// Battles with something that is not known are passed over; otherwise they are faults.
    pub known_only: bool,
    /// Surrendered and other incomplete battles are faults; otherwise they are passed over.
    pub strict: bool,
}

/// A battle of a file, and whether it can be used.
#[derive(Clone, Debug, PartialEq)]
pub struct Collected<T> {
    /// The index of its file.
    pub file: usize,
    /// Its number in that file, from 1.
    pub number: usize,
    /// Where it is in the file, as people find it again: `line 12, battle sl_1`.
    pub place: String,
    /// What the command has prepared from it, or why it is passed over.
    pub battle: Result<T, PassedOver>,
}

/// Why a battle is passed over.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum PassedOver {
    /// Nobody fought: one side surrendered, or a team was never sent.
    Incomplete(String),
    /// Something in it is not known.
    Unknown(String),
}

impl PassedOver {
    /// The reason: `surrendered, no teams`, `unknown ruleset ...`.
    #[must_use]
    pub fn why(&self) -> &str {
        match self {
            PassedOver::Incomplete(why) | PassedOver::Unknown(why) => why,
        }
    }
}

/// Reads recorded battles, in the order of the files, and prepares each of them for the command with `prepare`.
///
/// # Errors
/// By file: everything that is no record, and every battle that `tolerance` does not pass over.
pub fn collect<T>(
    files: &[Source],
    tolerance: Tolerance,
    prepare: impl Fn(Record) -> Result<T, Vec<Unknown>>,
) -> Result<Vec<Collected<T>>, Vec<Faults>> {
    let (mut collected, mut faulty) = (Vec::new(), Vec::new());
    for (file, source) in files.iter().enumerate() {
        let records = match read(source) {
            Ok(records) => records,
            Err(faults) => {
                faulty.push(faults);
                continue;
            }
        };
        let (mut of_file, mut lacking, mut in_file) = (Vec::new(), Vec::new(), Vec::new());
        for record in records.battles {
            let (number, place) = (record.number, record.place());
            let battle = prepare(record).map_err(|unknown| {
                let what: Vec<&str> = unknown.iter().map(|lack| lack.what.as_str()).collect();
                let passed_over = PassedOver::Unknown(what.join("; "));
                lacking.extend(unknown);
                passed_over
            });
            of_file.push(Collected { file, number, place, battle });
        }
        if !tolerance.known_only {
            let hint = "`--known-only` skips such battles";
            in_file.extend(faults(&lacking).into_iter().map(|fault| with_hint(fault, hint)));
        }
        for incomplete in records.incomplete {
            let (number, place) = (incomplete.number, incomplete.place());
            let why = incomplete.why;
            if tolerance.strict {
                let message = format!("{place}: {why}");
                in_file.push(Fault::new(message, "leave out `--strict` to skip such battles"));
            }
            let battle = Err(PassedOver::Incomplete(why));
            of_file.push(Collected { file, number, place, battle });
        }
        of_file.put_in_order_by_key(|battle: &Collected<T>| battle.number);
        collected.extend(of_file);
        if !in_file.is_empty() {
            faulty.push(Faults::new(source.name(), in_file));
        }
    }
    if faulty.is_empty() { Ok(collected) } else { Err(faulty) }
}

fn with_hint(mut fault: Fault, hint: &str) -> Fault {
    fault.remedy = format!("{}; {hint}", fault.remedy);
    fault
}
