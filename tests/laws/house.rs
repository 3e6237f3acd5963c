//! What CONTRIBUTING says of the modules: dependencies point one way, and no game knows another or a study.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::Path;

/// By module: the modules whose names its sources import or write out, tests left out.
type Imports = BTreeMap<String, BTreeSet<String>>;

/// The lines of a source file that are compiled into the program.
fn compiled(text: &str) -> impl Iterator<Item = &str> {
    let is_code = |line: &&str| !line.trim_start().starts_with("//");
    text.split("#[cfg(test)]\nmod tests {").next().unwrap().lines().filter(is_code)
}

/// The names that follow `path` in these lines: `crate::` gives `tally` for `crate::tally::Layout`.
fn named_after<'t>(text: &'t str, path: &'t str) -> impl Iterator<Item = &'t str> {
    let is_name = |letter: char| letter.is_ascii_alphanumeric() || letter == '_';
    assert!(!text.contains("crate::{"), "one module after `crate::`, so that it is seen here");
    let after = compiled(text).flat_map(move |line| line.split(path).skip(1));
    after.map(move |rest| rest.split(|letter| !is_name(letter)).next().unwrap())
}

/// How many levels the longest way through `super` climbs in these lines.
fn climbed(text: &str) -> usize {
    let climbs = |line: &str| (0..9).rev().find(|&levels| line.contains(&"super::".repeat(levels)));
    compiled(text).filter_map(climbs).max().unwrap_or(0)
}

/// The sources of a module: its file, or all files of its folder but those of tests.
fn sources(path: &Path) -> Vec<String> {
    if path.is_dir() {
        let mut entries: Vec<_> =
            fs::read_dir(path).unwrap().map(|at| at.unwrap().path()).collect();
        entries.sort();
        let is_tests = |at: &Path| at.file_stem().is_some_and(|stem| stem == "tests");
        return entries.iter().filter(|at| !is_tests(at)).flat_map(|at| sources(at)).collect();
    }
    let is_source = path.extension().is_some_and(|extension| extension == "rs");
    if is_source { vec![fs::read_to_string(path).unwrap()] } else { Vec::new() }
}

/// What the modules in a folder import from each other by `path`.
fn imports(folder: &str, path: &str) -> Imports {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join(folder);
    let entries = fs::read_dir(folder).unwrap().map(|at| at.unwrap().path());
    let name = |at: &Path| at.file_stem().unwrap().to_str().unwrap().to_owned();
    let mut modules: BTreeMap<String, Vec<String>> = BTreeMap::new();
    for at in entries.filter(|at| !["lib", "main", "mod"].contains(&name(at).as_str())) {
        // A module may have a file and a folder.
        modules.entry(name(&at)).or_default().extend(sources(&at));
    }
    let of = |name: &String, texts: &Vec<String>| {
        let others = texts.iter().flat_map(|text| named_after(text, path)).map(str::to_owned);
        others.filter(|other| other != name && modules.contains_key(other)).collect()
    };
    modules.iter().map(|(name, texts)| (name.clone(), of(name, texts))).collect()
}

/// The modules that are left when those that import none of the others are taken away again and again: members of
/// circles, and what imports these.
fn circling(mut imports: Imports) -> Imports {
    loop {
        let free: BTreeSet<String> = imports
            .iter()
            .filter(|(_, others)| others.is_empty())
            .map(|(name, _)| name.clone())
            .collect();
        if free.is_empty() {
            return imports;
        }
        imports.retain(|name, _| !free.contains(name));
        imports.values_mut().for_each(|others| others.retain(|other| !free.contains(other)));
    }
}

#[test]
fn dependencies_point_one_way() {
    let all = imports("src", "crate::");
    assert!(all["engine"].contains("games") && all["games"].contains("chance"), "{all:?}");
    assert_eq!(circling(all), Imports::new(), "these modules import each other in a circle");
    let studies = imports("src/studies", "crate::studies::");
    assert!(!studies.is_empty());
    assert_eq!(circling(studies), Imports::new(), "these studies import each other in a circle");
}

#[test]
fn no_game_knows_another_or_a_study_and_no_study_knows_a_game() {
    let games = imports("src/games", "crate::games::");
    assert_eq!(games.len(), 4);
    assert!(games.values().all(BTreeSet::is_empty), "{games:?}");
    let all = imports("src", "crate::");
    assert!(!all["games"].contains("studies"));
    let of_studies = sources(&Path::new(env!("CARGO_MANIFEST_DIR")).join("src/studies"));
    let named = |text: &String| {
        let names: Vec<String> = named_after(text, "crate::games::").map(str::to_owned).collect();
        names.into_iter().filter(|name| games.contains_key(name)).collect::<Vec<String>>()
    };
    assert_eq!(of_studies.iter().flat_map(named).collect::<Vec<String>>(), Vec::<String>::new());
}

/// Only ways from the crate are looked at above, so none may lead out of a module through `super`.
#[test]
fn what_is_in_another_module_is_named_from_the_crate() {
    let src = Path::new(env!("CARGO_MANIFEST_DIR")).join("src");
    let studies = src.join("studies");
    let mut folders = vec![(src, 0)];
    let mut seen = 0;
    while let Some((folder, depth)) = folders.pop() {
        for path in fs::read_dir(&folder).unwrap().map(|at| at.unwrap().path()) {
            if path.is_dir() {
                folders.push((path, depth + 1));
                continue;
            }
            let is_folder_itself = path.file_name().is_some_and(|name| name == "mod.rs");
            let depth = depth + usize::from(!is_folder_itself);
            let within = if path.starts_with(&studies) { 2 } else { 1 };
            let most = depth.saturating_sub(within);
            let climbed = sources(&path).iter().map(|text| climbed(text)).max().unwrap_or(0);
            assert!(climbed <= most, "{} climbs {climbed} of {most}", path.display());
            seen += climbed;
        }
    }
    assert!(seen > 100, "{seen}");
    assert_eq!(climbed("use super::super::one;\nuse super::two;"), 2);
}

#[test]
fn circles_are_found() {
    let import = |of: &str, others: &[&str]| {
        (of.to_owned(), others.iter().map(|&other| other.to_owned()).collect())
    };
    let sound: Imports = [import("a", &["b", "c"]), import("b", &["c"]), import("c", &[])].into();
    assert_eq!(circling(sound), Imports::new());
    let circle = [import("a", &["b"]), import("b", &["c"]), import("c", &["b"]), import("d", &[])];
    assert_eq!(circling(circle.into()).keys().collect::<Vec<_>>(), ["a", "b", "c"]);
}
