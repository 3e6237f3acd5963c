//! Line-ups: what a contender can bring to a battle, as a space that can be searched.
//!
//! A line-up is a list of [`Choice`]s: a team of cards, a deck, a group of minions. A game says what it may be made of,
//! which lists are legal (with the checks that its scenarios go through), and what a battle between given ones is;
//! studies decide what is done with them.

use std::fmt::Write as _;
use std::ops::RangeInclusive;

use rustc_hash::FxHashSet;

use crate::chance::Seeded;
use crate::scenario::suggestion;

/// One thing that a line-up can be made of.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Choice {
    /// Its name, as scenarios write it. No other choice has it.
    pub name: String,
    /// Its kind as the game says it: `summoner`, `monster`, `creature`, `spell`, `recruit`, `Attack`, ...
    pub kind: &'static str,
    /// What it belongs to: a faction, a nation, a class.
    pub group: String,
    /// How much it counts towards a limit on line-ups (in Splinterlands mana, in Sanctum levels), where there is one.
    pub cost: Option<u32>,
    /// The most copies of it in a line-up.
    pub most: usize,
}

/// A line-up: indices into the list of choices. Where the order decides nothing they are ascending.
#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct LineUp(Box<[u16]>);

impl LineUp {
    /// A line-up of these choices in this order.
    #[must_use]
    pub fn new(choices: impl Into<Box<[u16]>>) -> Self {
        Self(choices.into())
    }

    /// Its choices.
    #[must_use]
    pub fn choices(&self) -> &[u16] {
        &self.0
    }

    /// Whether it has this choice.
    #[must_use]
    pub fn has(&self, choice: u16) -> bool {
        self.0.contains(&choice)
    }

    /// How often it has this choice.
    #[must_use]
    pub fn copies(&self, choice: u16) -> usize {
        self.0.iter().filter(|&&of| of == choice).count()
    }

    /// Whether the two have more than half of the larger one in common.
    #[must_use]
    pub fn is_like(&self, other: &Self) -> bool {
        let both = |(choice, copies): (u16, usize)| copies.min(other.copies(choice));
        2 * self.counted().map(both).sum::<usize>() > self.0.len().max(other.0.len())
    }

    /// Its different choices with their numbers of copies, in the order in which they first stand in it.
    pub fn counted(&self) -> impl Iterator<Item = (u16, usize)> + '_ {
        let first = |at: usize| !self.0[..at].contains(&self.0[at]);
        (0..self.0.len())
            .filter(move |&at| first(at))
            .map(|at| (self.0[at], self.copies(self.0[at])))
    }
}

/// What takes a seat in battles between line-ups.
#[derive(Clone, Copy, Debug)]
pub enum Brought<'a> {
    /// This line-up, brought by somebody who is otherwise like the contender of the space.
    LineUp(&'a LineUp),
    /// This contender of the scenario, with whatever it brings.
    Contender(&'a str),
}

/// Why there are no line-ups of a contender.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum NoLineUps {
    /// The game has no line-ups.
    #[error("{0} has no line-ups to choose")]
    Game(&'static str),
    /// There is no contender of this name.
    #[error("nobody is called `{name}`: {remedy}")]
    Unknown {
        /// The name.
        name: String,
        /// What to do about it.
        remedy: String,
    },
    /// The scenario plays something that no contender brings a line-up to, or no line-up is legal; in words.
    #[error("{0}")]
    Scenario(String),
}

impl NoLineUps {
    /// The error for a name that is none of the known ones.
    #[must_use]
    pub fn unknown<'k>(name: &str, known: impl IntoIterator<Item = &'k str> + Clone) -> Self {
        let all: Vec<&str> = known.clone().into_iter().collect();
        let remedy = suggestion(name, known, &format!("there are {}", all.join(", ")));
        Self::Unknown { name: name.to_owned(), remedy }
    }
}

/// What line-ups are made of, and how they are written.
#[derive(Clone, Debug)]
pub struct Stock {
    /// What a line-up is called, in the singular: `team`, `deck`, `group`.
    pub noun: &'static str,
    /// What the cost of choices is called, where they have any: `mana`.
    pub cost_noun: Option<&'static str>,
    /// What line-ups can be made of.
    pub choices: Vec<Choice>,
    /// By choice: whether line-ups of this space may have it. Pools and smaller spaces leave some out.
    pub allowed: Vec<bool>,
    /// Whether the order of choices decides anything.
    pub is_ordered: bool,
    /// How many choices a line-up may have.
    pub sizes: RangeInclusive<usize>,
}

impl Stock {
    /// This stock with only those choices allowed that are allowed in both.
    #[must_use]
    pub fn only(&self, allowed: &[bool]) -> Self {
        let both = self.allowed.iter().zip(allowed).map(|(mine, theirs)| *mine && *theirs);
        Self { allowed: both.collect(), ..self.clone() }
    }
}

/// The line-ups that one contender of a scenario may bring.
pub trait Space: Send + Sync {
    /// The stock that they are made of.
    fn stock(&self) -> &Stock;

    /// What the contender brings in the scenario, where that is always the same and in this space.
    fn own(&self) -> Option<LineUp>;

    /// Whether a line-up may be brought.
    ///
    /// # Errors
    /// Why not.
    fn legal(&self, line_up: &LineUp) -> Result<(), String>;

    /// A legal line-up at random: drawn as the contender draws them, where it draws any.
    fn draw(&self, random: &mut Seeded) -> LineUp;

    /// How many legal line-ups there are, where that can be told.
    fn count(&self) -> Option<u128>;

    /// All legal line-ups, in a fixed order. To be called only where [`count`](Self::count) says that they are few.
    fn all(&self) -> Vec<LineUp>;

    /// What a line-up is called, in the singular.
    fn noun(&self) -> &'static str {
        self.stock().noun
    }

    /// What the cost of choices is called, where they have any.
    fn cost_noun(&self) -> Option<&'static str> {
        self.stock().cost_noun
    }

    /// What line-ups can be made of.
    fn choices(&self) -> &[Choice] {
        &self.stock().choices
    }

    /// Whether line-ups of this space may have this choice.
    fn allows(&self, choice: u16) -> bool {
        self.stock().allowed[usize::from(choice)]
    }

    /// The choices that line-ups of this space may have.
    fn all_allowed(&self) -> Vec<u16> {
        (0..self.choices().len() as u16).filter(|&choice| self.allows(choice)).collect()
    }

    /// Whether the order of choices decides anything.
    fn is_ordered(&self) -> bool {
        self.stock().is_ordered
    }

    /// How many choices a line-up may have.
    fn sizes(&self) -> RangeInclusive<usize> {
        self.stock().sizes.clone()
    }
}

/// A space as a game gives it to its engine: it makes setups of the game instead of engines.
pub trait Fields<S>: Space {
    /// As [`LineUps::only`](crate::engine::LineUps::only).
    ///
    /// # Errors
    /// When no line-up is left, in words.
    fn only(&self, allowed: &[bool]) -> Result<Box<dyn Fields<S> + '_>, String>;

    /// As [`LineUps::engine`](crate::engine::LineUps::engine).
    ///
    /// # Panics
    /// When a line-up is not legal, or nobody has the name of a contender.
    fn setup(&self, brought: &[Brought<'_>], matchups: &[Vec<u16>]) -> S;
}

/// How many choices are listed where a name is unknown.
const NAMED: usize = 8;

impl dyn Space + '_ {
    /// A line-up of these choices, sorted where the order decides nothing.
    #[must_use]
    pub fn in_order(&self, mut choices: Vec<u16>) -> LineUp {
        if !self.is_ordered() {
            choices.sort_unstable();
        }
        LineUp::new(choices)
    }

    /// A line-up as text: names with `; ` between them, several copies as `3 NAME`. `read` takes it back.
    #[must_use]
    pub fn told(&self, line_up: &LineUp) -> String {
        let mut text = String::new();
        for run in line_up.choices().chunk_by(|one, next| one == next) {
            let separator = if text.is_empty() { "" } else { "; " };
            let name = &self.choices()[usize::from(run[0])].name;
            let _ = match run.len() {
                1 => write!(text, "{separator}{name}"),
                several => write!(text, "{separator}{several} {name}"),
            };
        }
        text
    }

    /// Index of the choice with this name.
    ///
    /// # Errors
    /// When there is none; the text suggests the likeliest one.
    pub fn choice(&self, name: &str) -> Result<u16, String> {
        let found = self.choices().iter().position(|choice| choice.name == name);
        found.map(|at| at as u16).ok_or_else(|| {
            let known = || self.choices().iter().map(|choice| choice.name.as_str());
            let some: Vec<&str> = known().take(NAMED).collect();
            let listing = match self.choices().len() {
                ..=NAMED => format!("there are {}", some.join(", ")),
                many => format!("there are {many}, such as {}", some.join(", ")),
            };
            let remedy = suggestion(name, known(), &listing);
            format!("no {} has a choice `{name}`: {remedy}", self.noun())
        })
    }

    /// Reads a line-up from the names of its choices.
    ///
    /// # Errors
    /// When a name is unknown, or the line-up is not legal here.
    pub fn read(&self, text: &str) -> Result<LineUp, String> {
        self.read_parts(text.split(';'))
    }

    /// Reads a line-up from a list of its choices, whose names may have semicolons.
    ///
    /// # Errors
    /// As `read`.
    pub fn read_parts<'t>(&self, parts: impl Iterator<Item = &'t str>) -> Result<LineUp, String> {
        let mut choices = Vec::new();
        for part in parts.map(str::trim).filter(|part| !part.is_empty()) {
            // As `told` writes it, or as decks of some games are written.
            let several = [part.split_once(' '), part.rsplit_once('*').map(|(of, by)| (by, of))];
            let counted = several.into_iter().flatten().find_map(|(count, name)| {
                let count = count.trim().parse().ok();
                let count = count.filter(|count| (1..=*self.sizes().end()).contains(count));
                Some((count?, name.trim()))
            });
            let (count, name) = match counted {
                Some(counted) if self.choice(part).is_err() => counted,
                Some(_) | None => (1, part),
            };
            choices.extend(std::iter::repeat_n(self.choice(name)?, count));
        }
        let line_up = self.in_order(choices);
        self.legal(&line_up)?;
        Ok(line_up)
    }

    /// All legal line-ups that are one local change away, each once and in a fixed order: one choice replaced, added or
    /// left out, two places exchanged where the order decides anything, and where it does not all copies of a choice
    /// replaced by as many of one that was not in it. The relation is mutual: a line-up is a neighbour of its
    /// neighbours.
    #[must_use]
    pub fn neighbours(&self, line_up: &LineUp) -> Vec<LineUp> {
        let own = line_up.choices();
        let sizes = self.sizes();
        let allowed = self.all_allowed();
        let mut known: FxHashSet<LineUp> = FxHashSet::default();
        known.insert(line_up.clone());
        let mut found = Vec::new();
        let mut add = |choices: Vec<u16>| {
            let next = self.in_order(choices);
            if !known.contains(&next) && self.legal(&next).is_ok() {
                known.insert(next.clone());
                found.push(next);
            }
        };
        let with = |at: usize, choice: u16| {
            let mut choices = own.to_vec();
            choices[at] = choice;
            choices
        };
        for at in 0..own.len() {
            // Of equal choices without an order, one stands for all.
            if !self.is_ordered() && at > 0 && own[at] == own[at - 1] {
                continue;
            }
            for &choice in allowed.iter().filter(|&&choice| choice != own[at]) {
                add(with(at, choice));
                if !self.is_ordered() && !line_up.has(choice) && line_up.copies(own[at]) > 1 {
                    let replaced = |&of: &u16| if of == own[at] { choice } else { of };
                    add(own.iter().map(replaced).collect());
                }
            }
            if sizes.contains(&(own.len() - 1)) {
                let mut choices = own.to_vec();
                choices.remove(at);
                add(choices);
            }
            if self.is_ordered() {
                for other in at + 1..own.len() {
                    let mut choices = own.to_vec();
                    choices.swap(at, other);
                    add(choices);
                }
            }
        }
        if sizes.contains(&(own.len() + 1)) {
            for &choice in &allowed {
                let places = if self.is_ordered() { 0..=own.len() } else { 0..=0 };
                for at in places {
                    let mut choices = own.to_vec();
                    choices.insert(at, choice);
                    add(choices);
                }
            }
        }
        found
    }
}

/// The number of multisets of so many things, each at most `most` times; by size, up to `largest`. None where it
/// exceeds 128 bits.
pub(crate) fn multisets(things: usize, most: usize, largest: usize) -> Option<Vec<u128>> {
    let mut ways = vec![0_u128; largest + 1];
    ways[0] = 1;
    for _ in 0..things {
        let mut next = vec![0_u128; largest + 1];
        for (size, next) in next.iter_mut().enumerate() {
            for copies in 0..=most.min(size) {
                *next = next.checked_add(ways[size - copies])?;
            }
        }
        ways = next;
    }
    Some(ways)
}

/// Every multiset of these choices, each at most `most` times, of a size within `sizes` that is `legal`, in a fixed
/// order.
pub(crate) fn every_multiset(
    choices: &[u16],
    most: usize,
    sizes: &RangeInclusive<usize>,
    legal: &dyn Fn(&LineUp) -> bool,
) -> Vec<LineUp> {
    fn extend(
        choices: &[u16],
        most: usize,
        sizes: &RangeInclusive<usize>,
        so_far: &mut Vec<u16>,
        keep: &mut dyn FnMut(&[u16]),
    ) {
        let missing = sizes.start().saturating_sub(so_far.len());
        if choices.len().saturating_mul(most) < missing {
            return;
        }
        let Some((&first, rest)) = choices.split_first() else {
            keep(so_far);
            return;
        };
        let before = so_far.len();
        for copies in 0..=most.min(sizes.end() - before) {
            so_far.extend(std::iter::repeat_n(first, copies));
            extend(rest, most, sizes, so_far, keep);
            so_far.truncate(before);
        }
    }
    let mut found = Vec::new();
    let mut keep = |choices: &[u16]| {
        let line_up = LineUp::new(choices);
        if sizes.contains(&choices.len()) && legal(&line_up) {
            found.push(line_up);
        }
    };
    extend(choices, most, sizes, &mut Vec::new(), &mut keep);
    found
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn multisets_are_counted_as_they_are_enumerated() {
        for (things, most) in [(3, 2), (4, 1), (2, 5), (1, 0)] {
            let counted = multisets(things, most, 6).unwrap();
            let choices: Vec<u16> = (0..things as u16).collect();
            for (size, &ways) in counted.iter().enumerate() {
                let all = every_multiset(&choices, most, &(size..=size), &|_| true);
                assert_eq!(all.len() as u128, ways, "{things} {most} {size}");
                let distinct: FxHashSet<&LineUp> = all.iter().collect();
                assert_eq!(distinct.len(), all.len());
            }
        }
        assert_eq!(multisets(60, 20, 20).map(|ways| ways[20] > 0), Some(true));
    }

    #[test]
    fn choices_are_counted_in_their_first_order() {
        let line_up = LineUp::new([4, 2, 4, 9]);
        assert_eq!(line_up.counted().collect::<Vec<_>>(), [(4, 2), (2, 1), (9, 1)]);
        assert!(line_up.has(9) && !line_up.has(3));
        assert!(line_up.is_like(&LineUp::new([4, 4, 9])) && line_up.is_like(&line_up));
        // Half is not more than half, and a second copy is not the first.
        assert!(!line_up.is_like(&LineUp::new([4, 2])));
        assert!(!LineUp::new([4, 4]).is_like(&line_up));
    }
}
