//! Checks that every acceptance case is a test, and that some rule says which cases hold it in place.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};

const GAMES: [(&str, &str); 4] =
    [("SP", "splinterlands"), ("SF", "solforge"), ("SA", "sanctum"), ("ET", "eldertale")];

/// The numbers of all cases, by the letters with which their ids begin.
fn cases() -> BTreeMap<&'static str, BTreeSet<u32>> {
    let mut cases: BTreeMap<&str, BTreeSet<u32>> = BTreeMap::new();
    for line in include_str!("cases.txt").lines().filter(|line| line.contains('-')) {
        if let Some((letters, number)) = line.split_once('-')
            && let Ok(number) = number.parse()
        {
            cases.entry(letters).or_default().insert(number);
        }
    }
    cases
}

/// All Rust files below a folder.
fn sources(folder: &Path) -> Vec<PathBuf> {
    let mut files = Vec::new();
    for entry in fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() {
            files.extend(sources(&path));
        } else if path.extension().is_some_and(|ending| ending == "rs") {
            files.push(path);
        }
    }
    files
}

fn text_below(folder: &str) -> String {
    let files = sources(&Path::new(env!("CARGO_MANIFEST_DIR")).join(folder));
    files.iter().map(|file| fs::read_to_string(file).unwrap()).collect()
}

/// The numbers that a text cites after these letters, ranges included: `SP-15`, `SP-15 to SP-19`, `SP-15 to 19`,
/// `SP-15, 17`.
fn cited(text: &str, letters: &str) -> BTreeSet<u32> {
    let mark = format!("{letters}-");
    let mut cited = BTreeSet::new();
    let mut rest = text;
    while let Some(at) = rest.find(&mark) {
        rest = &rest[at + mark.len()..];
        let Some(mut last) = number(&mut rest) else { continue };
        cited.insert(last);
        loop {
            // A citation may be broken over two comment lines.
            let plain = rest.trim_start_matches([' ', '\n', '/', '!']);
            let (is_range, mut after) = match (plain.strip_prefix("to"), plain.strip_prefix(',')) {
                (Some(after), _) => (true, after),
                (None, Some(after)) => (false, after),
                (None, None) => break,
            };
            after = after.trim_start_matches([' ', '\n', '/', '!']);
            after = after.strip_prefix(&mark).unwrap_or(after);
            let Some(next) = number(&mut after) else { break };
            if is_range {
                cited.extend(last..=next);
            }
            cited.insert(next);
            last = next;
            rest = after;
        }
    }
    cited
}

/// Takes a number off the front of a text.
fn number(text: &mut &str) -> Option<u32> {
    let end = text.find(|letter: char| !letter.is_ascii_digit()).unwrap_or(text.len());
    let number = text[..end].parse().ok()?;
    *text = &text[end..];
    Some(number)
}

#[test]
fn citations_are_read_with_their_ranges() {
    let read = |text| cited(text, "SP").into_iter().collect::<Vec<_>>();
    assert_eq!(read("(SP-03, SP-10)"), [3, 10]);
    assert_eq!(read("(SP-15 to SP-18, SP-91) and SF-99"), [15, 16, 17, 18, 91]);
    assert_eq!(read("(SP-1 to\n    /// SP-3)"), [1, 2, 3]);
    assert_eq!(read("SP-X, SP-L"), [0; 0]);
}

#[test]
fn every_case_is_a_test_with_its_id_in_the_name() {
    let cases = cases();
    assert_eq!(cases.values().map(BTreeSet::len).sum::<usize>(), 309);
    for (letters, game) in GAMES {
        let text = text_below(&format!("tests/rulebook/{game}"));
        let missing: Vec<u32> = cases[letters]
            .iter()
            .copied()
            .filter(|number| {
                let name = format!("fn {}_{number:02}_", letters.to_lowercase());
                !text.contains(&name)
            })
            .collect();
        assert!(missing.is_empty(), "{letters} cases without a test: {missing:?}");
    }
}

#[test]
fn every_case_is_cited_by_a_rule_and_every_citation_is_a_case() {
    let cases = cases();
    for (letters, game) in GAMES {
        let cited = cited(&text_below(&format!("src/games/{game}")), letters);
        let missing: Vec<_> = cases[letters].difference(&cited).collect();
        assert!(missing.is_empty(), "{letters} cases that no rule cites: {missing:?}");
        let unknown: Vec<_> = cited.difference(&cases[letters]).collect();
        assert!(unknown.is_empty(), "{letters} citations of no case: {unknown:?}");
    }
}

/// The contents of the Rust files to which a line of a game's page links.
fn linked(line: &str, folder: &Path) -> String {
    let targets = line.split("](").skip(1).filter_map(|link| link.split(')').next());
    let files = targets.map(|target| folder.join(target.split('#').next().unwrap()));
    let files = files.flat_map(|file| if file.is_dir() { sources(&file) } else { vec![file] });
    let rules = files.filter(|file| file.extension().is_some_and(|ending| ending == "rs"));
    rules.map(|file| fs::read_to_string(file).unwrap()).collect()
}

#[test]
fn a_row_of_a_games_page_leads_to_the_files_that_cite_its_cases() {
    let mut astray = Vec::new();
    for (letters, game) in GAMES {
        let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("src/games").join(game);
        let page = fs::read_to_string(folder.join("README.md")).unwrap();
        let mut found = BTreeSet::new();
        for row in page.lines().filter(|line| line.starts_with('|')) {
            let there = cited(&linked(row, &folder), letters);
            let row_cites = cited(row, letters);
            let missing: Vec<u32> = row_cites.difference(&there).copied().collect();
            if !missing.is_empty() {
                astray.push(format!("{letters} {missing:?}: {row}"));
            }
            found.extend(row_cites);
        }
        let everywhere = cited(&page, letters);
        let lost: Vec<u32> = cases()[letters].difference(&everywhere).copied().collect();
        if !lost.is_empty() {
            astray.push(format!("{letters} {lost:?}: on no line of the page"));
        }
        assert!(found.len() > 20, "{game}: {found:?}");
    }
    assert!(astray.is_empty(), "{}", astray.join("\n"));
}
