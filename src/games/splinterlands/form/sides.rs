//! Who fights whom.

use std::collections::{HashMap, HashSet};

use super::File;
use crate::scenario::{Checker, Spot};

/// The contenders of each match-up, as places in the list of all teams and then all pools.
pub(super) fn matchups(file: &File, checker: &mut Checker<'_>) -> Vec<[u16; 2]> {
    let known = names(file, checker);
    // The first of a name counts; a second one is a fault.
    let mut places = HashMap::new();
    for (at, (name, _)) in known.iter().enumerate() {
        places.entry(*name).or_insert(at);
    }
    let spot = Spot::top().key("sides");
    let mut find = |names: &[String], side: &str| -> Vec<u16> {
        let mut found = Vec::new();
        for (at, name) in names.iter().enumerate() {
            match places.get(name.as_str()) {
                Some(&contender) if found.contains(&(contender as u16)) => {
                    let spot = spot.key(side).index(at);
                    let message = format!("`{name}` is on this side already");
                    checker.warn(&spot, message, "name it once: it plays no more for it");
                }
                Some(&contender) => found.push(contender as u16),
                None => {
                    let all: Vec<&str> = known.iter().map(|&(name, _)| name).collect();
                    let spot = spot.key(side).index(at);
                    match all.as_slice() {
                        [] => {
                            let listing = "name one under `[[teams]]` or `[[pools]]`";
                            checker.unknown_name(&spot, "team or pool", name, [], listing);
                        }
                        all => checker.unknown_own_name(&spot, "team or pool", name, all),
                    }
                }
            }
        }
        found
    };
    let (a, b) = (find(&file.sides.a, "a"), find(&file.sides.b, "b"));
    let fighting: HashSet<u16> = a.iter().chain(&b).copied().collect();
    for (at, (name, spot)) in known.iter().enumerate() {
        if !fighting.contains(&(at as u16)) {
            let message = format!("`{name}` fights nobody");
            checker.warn(&spot.key("name"), message, "put it on a side, or take it out");
        }
    }
    if checker.has_too_many_matchups(&spot, &[a.len(), b.len()], file.sides.swap) {
        return Vec::new();
    }
    let mut matchups: Vec<[u16; 2]> = Vec::new();
    let mut known = HashSet::new();
    let mut add = |matchup| {
        if known.insert(matchup) {
            matchups.push(matchup);
        }
    };
    for &a in &a {
        for &b in &b {
            add([a, b]);
            if file.sides.swap {
                add([b, a]);
            }
        }
    }
    matchups
}

/// The names of all teams and then all pools, with their places in the file.
fn names<'f>(file: &'f File, checker: &mut Checker<'_>) -> Vec<(&'f str, Spot)> {
    let teams = file.teams.iter().map(|team| team.name.as_str()).enumerate();
    let pools = file.pools.iter().map(|pool| pool.name.as_str()).enumerate();
    let spot = |list: &str, at| Spot::top().key(list).index(at);
    let all: Vec<(&str, Spot)> = teams
        .map(|(at, name)| (name, spot("teams", at)))
        .chain(pools.map(|(at, name)| (name, spot("pools", at))))
        .collect();
    let mut known = HashSet::new();
    for (name, spot) in &all {
        if !known.insert(*name) {
            let message = format!("`{name}` is the name of two contenders");
            checker.fault(&spot.key("name"), message, "give each its own name");
        }
    }
    all
}
