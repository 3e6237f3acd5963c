//! No input may end the program otherwise than with a fault, or break what holds for every battle.
//!
//! The targets that `fuzz` hands to libFuzzer run here on every input that once found a fault, on the bundled files and
//! on broken copies of them; `valid` makes up scenarios that must be accepted and played.

#[path = "../../fuzz/src/lib.rs"]
mod targets;
mod valid;

use std::fs;
use std::path::{Path, PathBuf};

use proptest::prelude::*;
use proptest::sample::Index;

/// The files below a folder, in the same order everywhere.
fn files(folder: &Path) -> Vec<PathBuf> {
    let mut found = Vec::new();
    let Ok(entries) = fs::read_dir(folder) else { return found };
    for entry in entries {
        let path = entry.unwrap().path();
        if path.is_dir() {
            found.extend(files(&path));
        } else {
            found.push(path);
        }
    }
    found.sort();
    found
}

fn here(path: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join(path)
}

/// Sound inputs of a target. Files that are no scenarios come smallest first.
fn seeds(target: &str) -> Vec<Vec<u8>> {
    let folder = match target {
        "cards" => "scenarios/splinterlands/cards",
        "baselines" => "reports/baseline",
        "official" | "records" | "targets" | "partials" => "fuzz/seeds",
        game => return of_game(game),
    };
    let mut all: Vec<Vec<u8>> = files(&here(folder))
        .into_iter()
        .filter(|path| folder != "fuzz/seeds" || path.to_string_lossy().contains(target))
        .map(|path| fs::read(path).unwrap())
        .collect();
    if target == "cards" {
        let eldertale = files(&here("scenarios/eldertale/cards"));
        all.extend(eldertale.into_iter().map(|path| fs::read(path).unwrap()));
    }
    all.sort_by_key(Vec::len);
    all
}

fn of_game(game: &str) -> Vec<Vec<u8>> {
    let scenarios = files(&here(&format!("scenarios/{game}")));
    let scenarios = scenarios.into_iter().filter(|path| path.parent().unwrap().ends_with(game));
    scenarios.map(|path| fs::read(path).unwrap()).collect()
}

#[test]
fn what_once_found_a_fault_finds_none_any_more() {
    let mut found = 0;
    for (target, run) in targets::TARGETS {
        for path in files(&here(&format!("fuzz/regressions/{target}"))) {
            println!("{}", path.display());
            run(&fs::read(path).unwrap());
            found += 1;
        }
    }
    assert!(found > 0, "nothing is in fuzz/regressions");
}

#[test]
fn every_target_takes_sound_files() {
    for (target, run) in targets::TARGETS {
        let seeds = seeds(target);
        assert!(!seeds.is_empty(), "{target} has no sound input");
        // Whole games between thoughtful players take long without optimisation, so a few seeds have to do.
        seeds.iter().take(6).for_each(|seed| run(seed));
    }
}

/// One way of damaging an input.
#[derive(Clone, Debug)]
enum Damage {
    Cut(Index, u8),
    Double(Index, u8),
    Byte(Index, u8),
    Insert(Index, &'static str),
    Number(Index, &'static str),
}

fn damage() -> impl Strategy<Value = Damage> {
    let tokens = [
        "[",
        "]",
        "{",
        "}",
        "\"",
        "=",
        ",",
        "\n",
        "[[",
        "]]",
        "#",
        "'''",
        "\u{1b}[2J",
        "\u{202e}",
        "é",
        "null",
        "[sweep]\n",
        "[[sweep.axes]]\n",
        "..",
        "*",
        "@",
        "-",
        "+",
    ];
    let numbers = [
        "0",
        "-1",
        "1",
        "255",
        "256",
        "65536",
        "4294967296",
        "9223372036854775807",
        "9223372036854775808",
        "1e308",
        "1e-308",
        "nan",
        "inf",
        "0.5",
        "-0.0",
        "0x10",
        "0o17",
        "0b11",
        "true",
        "\"1\"",
    ];
    let at = any::<Index>;
    prop_oneof![
        (at(), 1..40_u8).prop_map(|(at, length)| Damage::Cut(at, length)),
        (at(), 1..80_u8).prop_map(|(at, length)| Damage::Double(at, length)),
        (at(), any::<u8>()).prop_map(|(at, byte)| Damage::Byte(at, byte)),
        (at(), prop::sample::select(tokens.to_vec()))
            .prop_map(|(at, token)| Damage::Insert(at, token)),
        (at(), prop::sample::select(numbers.to_vec()))
            .prop_map(|(at, number)| Damage::Number(at, number)),
    ]
}

impl Damage {
    fn to(&self, text: &mut Vec<u8>) {
        if text.is_empty() {
            return;
        }
        let part = |at: &Index, length: u8, text: &[u8]| {
            let start = at.index(text.len());
            start..text.len().min(start + usize::from(length))
        };
        match self {
            Damage::Cut(at, length) => drop(text.drain(part(at, *length, text))),
            Damage::Double(at, length) => {
                let part = part(at, *length, text);
                let copy = text[part.clone()].to_vec();
                text.splice(part.end..part.end, copy);
            }
            Damage::Byte(at, byte) => {
                let at = at.index(text.len());
                text[at] = *byte;
            }
            Damage::Insert(at, token) => {
                let at = at.index(text.len());
                text.splice(at..at, token.bytes());
            }
            Damage::Number(at, number) => {
                // The next number after a random place.
                let from = at.index(text.len());
                let Some(start) = text[from..].iter().position(u8::is_ascii_digit) else { return };
                let start = from + start;
                let end = text[start..].iter().position(|byte| !byte.is_ascii_digit());
                let end = end.map_or(text.len(), |length| start + length);
                text.splice(start..end, number.bytes());
            }
        }
    }
}

/// Runs a target on broken copies of sound inputs: 24 each time; `PROPTEST_CASES=100000` looks longer.
fn broken(target: &str) {
    let (_, run) = targets::TARGETS.into_iter().find(|(name, _)| *name == target).unwrap();
    let seeds = seeds(target);
    let cases = std::env::var("PROPTEST_CASES").ok().and_then(|cases| cases.parse().ok());
    let config = ProptestConfig {
        cases: cases.unwrap_or(24),
        failure_persistence: None,
        ..Default::default()
    };
    let inputs = (any::<Index>(), prop::collection::vec(damage(), 1..6));
    proptest!(config, |((seed, damages) in inputs)| {
        // The first lines of a large list of cards test as much as all of it.
        let mut text = seeds[seed.index(seeds.len())].clone();
        text.truncate(20_000);
        damages.iter().for_each(|damage| damage.to(&mut text));
        run(&text);
    });
}

macro_rules! broken_inputs {
    ($($target:ident),+) => {
        $(#[test]
        fn $target() {
            broken(stringify!($target));
        })+
    };
}

mod broken_inputs_end_with_a_fault_or_are_played {
    use super::broken;
    broken_inputs!(
        splinterlands,
        solforge,
        sanctum,
        eldertale,
        cards,
        official,
        records,
        baselines,
        targets,
        partials
    );
}
