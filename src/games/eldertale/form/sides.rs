//! The sides of a scenario, and the match-ups that follow from them.

use arrayvec::ArrayVec;

use super::{File, SidesForm};
use crate::games::eldertale::state::SEATS;
use crate::scenario::{Checker, Spot};

/// The characters of each match-up in joining order, as indices into the file's characters. None if and only if
/// there are faults.
pub(super) fn matchups(
    file: &File,
    checker: &mut Checker<'_>,
) -> Option<Vec<ArrayVec<u16, SEATS>>> {
    let spot = Spot::top().key("sides");
    let sides = &file.sides;
    let seats = sides.seats();
    let count = seats.iter().take_while(|(_, names)| !names.is_empty()).count();
    let mut clean = true;
    if let Some((key, _)) = seats[count..].iter().find(|(_, names)| !names.is_empty()) {
        let message = format!("side `{key}` has characters and side `{}` has none", seats[count].0);
        checker.key_fault(&spot.key(*key), message, "sides follow each other from `a`");
        clean = false;
    }
    let before = checker.faults();
    let own: Vec<&str> = file.characters.iter().map(|known| known.name.as_str()).collect();
    let listed: Vec<Vec<u16>> = seats[..count]
        .iter()
        .map(|(key, names)| {
            let found = checker.places_on_side(&spot.key(*key), "character", names, &own);
            found.into_iter().map(|character| character as u16).collect()
        })
        .collect();
    clean &= checker.faults() == before;
    warn_of_idle(file, &listed, checker);
    let lengths: Vec<usize> = listed.iter().map(Vec::len).collect();
    clean &= !checker.has_too_many_matchups(&spot, &lengths, sides.swap);
    clean.then(|| every_matchup(&listed, sides.swap))
}

impl SidesForm {
    /// The characters listed for each side, with the side's key.
    fn seats(&self) -> [(&'static str, &[String]); SEATS] {
        let Self { a, b, c, d, e, f, swap: _ } = self;
        [("a", a), ("b", b), ("c", c), ("d", d), ("e", e), ("f", f)]
            .map(|(key, names): (_, &Vec<String>)| (key, names.as_slice()))
    }

    /// Whether these two characters are opponents in some match-up; a character can be its own opponent.
    pub(super) fn meet(&self, one: &str, other: &str) -> bool {
        let listed = |name: &str| self.seats().map(|(_, names)| names.iter().any(|of| of == name));
        let (one, other) = (listed(one), listed(other));
        (0..SEATS).any(|at| one[at] && (0..SEATS).any(|of| of != at && other[of]))
    }
}

/// The index of the character with this name in the file's characters.
pub(super) fn find(file: &File, name: &str, spot: &Spot, checker: &mut Checker<'_>) -> Option<u16> {
    let known: Vec<&str> = file.characters.iter().map(|known| known.name.as_str()).collect();
    checker.place_of(spot, "character", name, &known).map(|at| at as u16)
}

fn warn_of_idle(file: &File, listed: &[Vec<u16>], checker: &mut Checker<'_>) {
    for (at, character) in file.characters.iter().enumerate() {
        if !listed.iter().flatten().any(|&other| usize::from(other) == at) {
            let spot = Spot::top().key("characters").index(at).key("name");
            let message = format!("`{}` fights nobody", character.name);
            checker.warn(&spot, message, "put it on a side, or take it out");
        }
    }
}

/// Every combination of one character from each side, without repetitions; with `swap` in every rotation of the
/// seats.
fn every_matchup(listed: &[Vec<u16>], swap: bool) -> Vec<ArrayVec<u16, SEATS>> {
    let mut partial: Vec<ArrayVec<u16, SEATS>> = vec![ArrayVec::new()];
    for side in listed {
        let longer = partial.iter().flat_map(|matchup| {
            side.iter().map(|&character| {
                let mut longer = matchup.clone();
                longer.push(character);
                longer
            })
        });
        partial = longer.collect();
    }
    let mut matchups: Vec<ArrayVec<u16, SEATS>> = Vec::new();
    for mut matchup in partial {
        for _ in 0..if swap { matchup.len() } else { 1 } {
            if !matchups.contains(&matchup) {
                matchups.push(matchup.clone());
            }
            matchup.rotate_left(1);
        }
    }
    matchups
}
