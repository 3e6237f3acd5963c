//! Who fights whom.

use std::collections::HashSet;

use super::File;
use crate::scenario::{Checker, Spot};

/// The contenders of each match-up, as places in the list of all teams and then all pools.
pub(super) fn matchups(file: &File, checker: &mut Checker<'_>) -> Vec<[u16; 2]> {
    let known = names(file);
    checker.check_names("contender", known.iter().map(|(name, spot)| (*name, spot.key("name"))));
    let own: Vec<&str> = known.iter().map(|&(name, _)| name).collect();
    let spot = Spot::top().key("sides");
    let mut find = |names: &[String], side: &str| -> Vec<u16> {
        let found = checker.places_on_side(&spot.key(side), "team or pool", names, &own);
        found.into_iter().map(|contender| contender as u16).collect()
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
fn names(file: &File) -> Vec<(&str, Spot)> {
    let teams = file.teams.iter().map(|team| team.name.as_str()).enumerate();
    let pools = file.pools.iter().map(|pool| pool.name.as_str()).enumerate();
    let spot = |list: &str, at| Spot::top().key(list).index(at);
    teams
        .map(|(at, name)| (name, spot("teams", at)))
        .chain(pools.map(|(at, name)| (name, spot("pools", at))))
        .collect()
}
