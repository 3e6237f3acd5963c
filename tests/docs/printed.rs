//! Checks that the guides show what the program prints.
//!
//! - A block of `text` shows what the block of `sh` before it printed. Prose may stand between the two, and so may
//!   another block of `text` that shows another part; a heading may not. A block of text that shows no output begins
//!   with `text notest`.
//! - The printed text is the standard output of all commands of the block, and the standard error of those that failed.
//! - A line `[...]` or `...` stands for any number of lines, `[..]` for anything within a line. What depends on the
//!   machine or the day (times, speeds, versions) is left out in this way.
//! - All battles of these commands are played, which takes minutes, so the test only runs when it is asked for.
//!
//! `UPDATE_GUIDES=1` writes what is printed now into the guides, except for what is left out, and names the blocks that
//! changed: check the prose around them, which may have the same figures, and entries of several lines, which may be
//! cut where `[...]` begins. `GUIDE=exact.md` looks at one guide only.
//!
//! The elisions are those of the crate `snapbox`, but the comparison is not: that crate gives up at the first elision
//! that ends otherwise than expected and then takes in all the rest, which is no way to renew a page of which a guide
//! shows the first lines; and it brings a second version of `similar`.

use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::fs;
use std::io::{self, Write as _};
use std::ops::Range;
use std::path::Path;

use super::{Block, Folder, blocks, commands, guides, is_run_elsewhere, quick};

/// Stands beside the language of a block that nothing runs or prints.
pub const NO_TEST: &str = "notest";

/// A block of text, and the block of commands whose output it shows.
struct Shown<'a> {
    commands: &'a Block,
    text: &'a Block,
}

/// The blocks of text with their commands, or alone where no commands precede them in the same section.
fn shown(blocks: &[Block]) -> impl Iterator<Item = Result<Shown<'_>, &Block>> {
    let mut last: Option<&Block> = None;
    blocks.iter().filter_map(move |block| match block.language.as_str() {
        "sh" => {
            last = Some(block);
            None
        }
        "text" if block.name.as_deref() != Some(NO_TEST) => {
            let commands = last.filter(|commands| commands.section == block.section);
            Some(commands.map(|commands| Shown { commands, text: block }).ok_or(block))
        }
        _ => None,
    })
}

/// Whether a command prints the same on every machine: not if it stops by the clock, after as many battles as the
/// machine is fast.
fn is_the_same_everywhere(command: &str) -> bool {
    let until = command.split("--until ").nth(1);
    !until.is_some_and(|rule| rule.starts_with(|letter: char| letter.is_ascii_digit()))
}

/// What the commands of a block print: standard output, and standard error of those that fail.
fn printed(folder: &Folder, block: &Block) -> String {
    let mut printed = String::new();
    for command in commands(&block.text) {
        let output = folder.run(&command);
        printed.push_str(&String::from_utf8_lossy(&output.stdout));
        if !output.status.success() {
            printed.push_str(&String::from_utf8_lossy(&output.stderr));
        }
    }
    printed
}

/// A block that shows something other than what is printed.
struct Stale {
    /// The range of its lines in the guide, counted from 0.
    lines: Range<usize>,
    renewed: String,
    told: String,
}

/// Plays the commands whose output a guide shows and the commands they depend on, and returns the blocks that differ.
fn stale(guide: &Path) -> Vec<Stale> {
    let name = guide.file_name().unwrap().to_string_lossy();
    let blocks = blocks(&fs::read_to_string(guide).unwrap());
    let mut shows: BTreeMap<usize, Vec<&Block>> = BTreeMap::new();
    for shown in shown(&blocks).flatten() {
        let all = commands(&shown.commands.text);
        if all.iter().all(|of| !is_run_elsewhere(of) && is_the_same_everywhere(of)) {
            shows.entry(shown.commands.line).or_default().push(shown.text);
        }
    }
    let Some(last) = shows.keys().next_back() else { return Vec::new() };
    let folder = Folder::new(&name);
    // Several sections may show parts of the output of the same commands.
    let mut known: BTreeMap<&str, String> = BTreeMap::new();
    let mut stale = Vec::new();
    for block in blocks.iter().take_while(|block| block.line <= *last) {
        match (block.language.as_str(), &block.name, shows.get(&block.line)) {
            ("toml", Some(file), _) => folder.write(file, &block.text),
            ("sh", _, None) => {
                let all = commands(&block.text);
                // These run only for the files that they may leave to later commands.
                for command in all.iter().filter(|command| !is_run_elsewhere(command)) {
                    folder.run(&quick(command));
                }
            }
            ("sh", _, Some(texts)) => {
                let printed = known.entry(&block.text).or_insert_with(|| printed(&folder, block));
                for text in texts {
                    let Some(change) = Change::between(&text.text, printed) else { continue };
                    let lines = text.line - 1..text.line - 1 + text.text.lines().count();
                    let told = format!(
                        "{name}, line {}: other than what is printed by\n{}\n{}",
                        text.line,
                        block.text.trim_end(),
                        change.diff()
                    );
                    stale.push(Stale { lines, renewed: change.renewed(), told });
                }
            }
            _ => {}
        }
    }
    stale
}

/// Replaces stale blocks of a guide by what is printed now.
fn renew(guide: &Path, stale: &[Stale]) {
    let text = fs::read_to_string(guide).unwrap();
    let lines: Vec<&str> = text.lines().collect();
    let mut renewed = String::new();
    let mut from = 0;
    for block in stale {
        for line in &lines[from..block.lines.start] {
            renewed.push_str(line);
            renewed.push('\n');
        }
        renewed.push_str(&block.renewed);
        from = block.lines.end;
    }
    for line in &lines[from..] {
        renewed.push_str(line);
        renewed.push('\n');
    }
    fs::write(guide, renewed).unwrap();
}

/// The cost of each step that turns the expected text into the printed one. Elisions take in anything for nothing.
struct Costs<Replace> {
    /// The cost of putting a printed item in the place of an expected one; 0 where both are the same.
    replace: Replace,
    remove: u32,
    add: u32,
}

#[derive(Clone, Copy, Debug, PartialEq)]
enum Step {
    Keep(usize),
    Replace(usize, usize),
    Remove(usize),
    Add(usize),
    /// An elision, by its index among the expected items.
    Elide(usize),
}

/// The cheapest steps that turn the expected items into the printed ones, whose number is given, and their cost (edit
/// distance, with elisions).
fn align<E>(
    expected: &[E],
    is_elision: impl Fn(&E) -> bool,
    printed: usize,
    costs: Costs<impl Fn(usize, usize) -> u32>,
) -> (u32, Vec<Step>) {
    let width = printed + 1;
    // The cost of the rest, from each pair of places on.
    let mut rest = vec![0u32; (expected.len() + 1) * width];
    let at = |of: usize, to: usize| of * width + to;
    for to in (0..printed).rev() {
        rest[at(expected.len(), to)] = rest[at(expected.len(), to + 1)] + costs.add;
    }
    let mut replaced = vec![0u32; expected.len() * width];
    for of in (0..expected.len()).rev() {
        let elides = is_elision(&expected[of]);
        for to in (0..width).rev() {
            let ends = rest[at(of + 1, to)];
            rest[at(of, to)] = match (elides, to < printed) {
                (true, true) => ends.min(rest[at(of, to + 1)]),
                (true, false) => ends,
                (false, true) => {
                    replaced[at(of, to)] = (costs.replace)(of, to);
                    (replaced[at(of, to)] + rest[at(of + 1, to + 1)])
                        .min(rest[at(of, to + 1)] + costs.add)
                        .min(ends + costs.remove)
                }
                (false, false) => ends + costs.remove,
            };
        }
    }
    let mut steps = Vec::new();
    let (mut of, mut to) = (0, 0);
    while of < expected.len() || to < printed {
        let left = rest[at(of, to)];
        if of < expected.len() && is_elision(&expected[of]) {
            if left == rest[at(of + 1, to)] {
                steps.push(Step::Elide(of));
                of += 1;
            } else {
                to += 1;
            }
        } else if of < expected.len()
            && to < printed
            && left == replaced[at(of, to)] + rest[at(of + 1, to + 1)]
        {
            steps.push(match replaced[at(of, to)] {
                0 => Step::Keep(of),
                _ => Step::Replace(of, to),
            });
            of += 1;
            to += 1;
        } else if to < printed && left == rest[at(of, to + 1)] + costs.add {
            steps.push(Step::Add(to));
            to += 1;
        } else {
            steps.push(Step::Remove(of));
            of += 1;
        }
    }
    (rest[0], steps)
}

/// A line of a guide: its letters, with `None` where something is left out.
struct Pattern(Vec<Option<char>>);

impl Pattern {
    const ELISION: &str = "[..]";

    fn new(line: &str) -> Self {
        let mut letters = Vec::new();
        for (at, part) in line.split(Self::ELISION).enumerate() {
            letters.extend((at > 0).then_some(None));
            letters.extend(part.chars().map(Some));
        }
        Self(letters)
    }

    /// The cost of turning this line into a printed one, and the steps. A digit is nearer to another digit than to a
    /// letter.
    fn align(&self, printed: &[char]) -> (u32, Vec<Step>) {
        let replace = |of: usize, to: usize| match self.0[of] {
            Some(letter) if letter == printed[to] => 0,
            Some(letter) if letter.is_ascii_digit() && printed[to].is_ascii_digit() => 1,
            _ => 3,
        };
        // An elision should take in what was left out before and not the letters beside it, so removing and adding are
        // dear.
        align(&self.0, Option::is_none, printed.len(), Costs { replace, remove: 3, add: 2 })
    }

    /// How far a printed line is from this one: from 0 (the same) to below [`LINE`].
    fn distance(&self, printed: &[char]) -> u32 {
        let (cost, _) = self.align(printed);
        let most = 3 * self.0.len() + 2 * printed.len();
        if cost == 0 { 0 } else { 1 + (cost * (LINE - 2)) / most.max(1) as u32 }
    }

    /// The printed line, with this line's elisions put back in.
    fn renewed(&self, printed: &[char]) -> String {
        let (_, steps) = self.align(printed);
        let mut line = String::new();
        for step in steps {
            match step {
                Step::Keep(of) => line.extend(self.0[of]),
                Step::Replace(_, to) | Step::Add(to) => line.push(printed[to]),
                Step::Elide(_) => line.push_str(Self::ELISION),
                Step::Remove(_) => {}
            }
        }
        line
    }
}

/// The cost of adding a line. Replacing one costs less and removing one costs more, lest lines vanish in the elision
/// beside them.
const LINE: u32 = 1000;

/// How a block differs from what is printed.
struct Change<'a> {
    expected: Vec<&'a str>,
    printed: Vec<&'a str>,
    steps: Vec<Step>,
}

impl<'a> Change<'a> {
    /// Returns None if the block shows what is printed.
    fn between(expected: &'a str, printed: &'a str) -> Option<Self> {
        let lines = |text: &'a str| text.trim_end().lines().map(str::trim_end).collect();
        let (expected, printed): (Vec<&str>, Vec<&str>) = (lines(expected), lines(printed));
        let patterns: Vec<Pattern> = expected.iter().map(|line| Pattern::new(line)).collect();
        let letters: Vec<Vec<char>> = printed.iter().map(|line| line.chars().collect()).collect();
        let replace = |of: usize, to: usize| match expected[of] == printed[to] {
            true => 0,
            false => patterns[of].distance(&letters[to]),
        };
        let costs = Costs { replace, remove: LINE + LINE / 5, add: LINE };
        let is_elision = |line: &&str| ["[...]", "..."].contains(&line.trim());
        let (cost, steps) = align(&expected, is_elision, printed.len(), costs);
        (cost > 0).then_some(Self { expected, printed, steps })
    }

    /// The text that the block should have.
    fn renewed(&self) -> String {
        let mut block = String::new();
        for step in &self.steps {
            match *step {
                Step::Keep(of) | Step::Elide(of) => block.push_str(self.expected[of]),
                Step::Replace(of, to) => {
                    let letters: Vec<char> = self.printed[to].chars().collect();
                    block.push_str(&Pattern::new(self.expected[of]).renewed(&letters));
                }
                Step::Add(to) => block.push_str(self.printed[to]),
                Step::Remove(_) => continue,
            }
            block.push('\n');
        }
        block
    }

    /// What the guide has (`-`) and what is printed (`+`), with up to two unchanged lines around it.
    fn diff(&self) -> String {
        const AROUND: usize = 2;
        let stays = |step: &Step| matches!(step, Step::Keep(_) | Step::Elide(_));
        let mut diff = String::new();
        let mut is_cut = false;
        let mut at = 0;
        while at < self.steps.len() {
            if let Step::Keep(of) | Step::Elide(of) = self.steps[at] {
                let near = at.saturating_sub(AROUND)..(at + AROUND + 1).min(self.steps.len());
                let is_near = !self.steps[near].iter().all(stays);
                if is_near {
                    writeln!(diff, "  {}", self.expected[of]).unwrap();
                } else if !is_cut {
                    writeln!(diff, "@@").unwrap();
                }
                is_cut = !is_near;
                at += 1;
                continue;
            }
            let length = self.steps[at..].iter().take_while(|step| !stays(step)).count();
            let changed = &self.steps[at..at + length];
            for step in changed {
                if let Step::Replace(of, _) | Step::Remove(of) = *step {
                    writeln!(diff, "- {}", self.expected[of]).unwrap();
                }
            }
            for step in changed {
                if let Step::Replace(_, to) | Step::Add(to) = *step {
                    writeln!(diff, "+ {}", self.printed[to]).unwrap();
                }
            }
            at += length;
        }
        diff
    }
}

#[test]
#[ignore = "plays millions of battles for minutes"]
fn guides_show_what_is_printed() {
    let is_renewed = std::env::var_os("UPDATE_GUIDES").is_some_and(|value| value != "0");
    let only = std::env::var("GUIDE").ok();
    let mut told = Vec::new();
    for guide in guides() {
        if only.as_ref().is_some_and(|only| !guide.ends_with(only)) {
            continue;
        }
        let stale = stale(&guide);
        if is_renewed && !stale.is_empty() {
            renew(&guide, &stale);
        }
        told.extend(stale.into_iter().map(|block| block.told));
    }
    let told = told.join("\n");
    if is_renewed {
        // Straight to standard error, because the test runner hides what a passing test prints.
        io::stderr().write_all(told.as_bytes()).unwrap();
    } else {
        assert!(told.is_empty(), "\n{told}\nUPDATE_GUIDES=1 writes what is printed now");
    }
}

/// A block of text without commands would be compared with nothing, and nobody would notice.
#[test]
fn every_block_of_text_has_its_commands_or_says_that_it_has_none() {
    for guide in guides() {
        for shown in shown(&blocks(&fs::read_to_string(&guide).unwrap())) {
            if let Err(text) = shown {
                panic!(
                    "{}, line {}: no block of `sh` before it in its section; show the command, or write `text {NO_TEST}`",
                    guide.display(),
                    text.line
                );
            }
        }
    }
}

#[test]
fn what_is_left_out_may_be_anything() {
    let printed = "a question\nseed 1\n\nfirst 10%\nsecond 20%\n\nIt took 3 s.\n";
    let same = [
        printed,
        "[...]",
        "a question\n[...]\nIt took 3 s.\n",
        "...\nfirst 10%\n[...]",
        "[...]\n\nIt took [..].",
        "a question\nseed 1\n[...]\n\nfirst 10%\nsecond 20%\n\n[..] took [..] s.",
    ];
    for expected in same {
        assert!(Change::between(expected, printed).is_none(), "{expected}");
    }
    let other =
        ["a question", "first 10%\n[...]", "[...]\nseed 2\n[...]", "[...]\nIt took [..] m."];
    for expected in other {
        assert!(Change::between(expected, printed).is_some(), "{expected}");
    }
}

#[test]
fn only_what_is_other_is_renewed() {
    let renewed = |expected, printed| Change::between(expected, printed).unwrap().renewed();
    // The first lines of a list stay the first lines, however its order has changed.
    assert_eq!(
        renewed(
            "what it is\n[...]\n  unit\n  Ogre    12.5% ±0.3\n  Goblin   9.0% ±0.3\n[...]\nin [..] s, as told.",
            "what it is\n\n  unit\n  Goblin  13.0% ±0.2\n  Dragon  11.0% ±0.2\n  Ogre     9.0% ±0.2\nin 7 s, as said."
        ),
        "what it is\n[...]\n  unit\n  Goblin  13.0% ±0.2\n  Dragon  11.0% ±0.2\n[...]\nin [..] s, as said.\n"
    );
    // An elision within a line stays an elision.
    assert_eq!(
        renewed(
            "takes 19,606 battles, [..] here ([..] a second)",
            "takes 7,000 battles, 2 s here (69,660 a second)"
        ),
        "takes 7,000 battles, [..] here ([..] a second)\n"
    );
    assert_eq!(renewed("a\nb\nc", "a\nc"), "a\nc\n");
    assert_eq!(renewed("a\n[...]\nc", "a\nb\nd"), "a\n[...]\nd\n");
}

#[test]
fn a_difference_names_what_is_other() {
    let expected = "1\n2\n3\n4\nold\n5\n6\n7\n[...]\n";
    let printed = "1\n2\n3\n4\nnew\nmore\n5\n6\n7\n8\n";
    let change = Change::between(expected, printed).unwrap();
    assert_eq!(change.diff(), "@@\n  3\n  4\n- old\n+ new\n+ more\n  5\n  6\n@@\n");
}
