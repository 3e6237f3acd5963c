//! Sets of battles: ranges of their numbers, and shards of a job.

use std::fmt;
use std::num::NonZeroU64;
use std::ops::Range;
use std::str::FromStr;

use serde::{Deserialize, Serialize};

use crate::numerals::read;
use crate::sorting::Sorting;

/// A set of battles as ranges of their numbers, in order and apart from each other.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(transparent)]
pub struct Ranges(Vec<Range<u64>>);

impl Ranges {
    /// A set of one range; empty where the range is.
    #[must_use]
    pub fn of(range: Range<u64>) -> Self {
        if range.is_empty() { Self::default() } else { Self(vec![range]) }
    }

    /// The ranges, in order.
    pub fn iter(&self) -> impl Iterator<Item = Range<u64>> + '_ {
        self.0.iter().cloned()
    }

    /// How many battles there are in all ranges.
    #[must_use]
    pub fn len(&self) -> u64 {
        self.0.iter().map(|range| range.end - range.start).sum()
    }

    /// Whether there is no battle.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// The end of the last range; 0 where there is none.
    #[must_use]
    pub fn end(&self) -> u64 {
        self.0.last().map_or(0, |range| range.end)
    }

    /// Whether the ranges are as this type keeps them: what is read from a file may be anything.
    #[must_use]
    pub fn is_sound(&self) -> bool {
        let apart = self.0.windows(2).all(|pair| pair[0].end < pair[1].start);
        apart && self.0.iter().all(|range| range.start < range.end)
    }

    /// The first range of battles that both sets have.
    #[must_use]
    pub fn overlap(&self, other: &Self) -> Option<Range<u64>> {
        let both = self.iter().flat_map(|one| {
            other.iter().map(move |of| one.start.max(of.start)..one.end.min(of.end))
        });
        both.filter(|range| !range.is_empty()).min_by_key(|range| range.start)
    }

    /// The union of both sets.
    #[must_use]
    pub fn with(&self, other: &Self) -> Self {
        let mut all: Vec<Range<u64>> = self.iter().chain(other.iter()).collect();
        all.put_in_order_by_key(|range| range.start);
        let mut joined: Vec<Range<u64>> = Vec::new();
        for range in all {
            match joined.last_mut() {
                Some(last) if range.start <= last.end => last.end = last.end.max(range.end),
                _ => joined.push(range),
            }
        }
        Self(joined)
    }

    /// The battles of this set that are not in the other.
    #[must_use]
    pub fn without(&self, other: &Self) -> Self {
        Self(self.iter().flat_map(|range| other.missing(range).0).collect())
    }

    /// The battles of `within` that are not among these.
    #[must_use]
    pub fn missing(&self, within: Range<u64>) -> Self {
        let mut missing = Vec::new();
        let mut at = within.start;
        for range in self.iter().filter(|range| range.end > within.start) {
            if range.start >= within.end {
                break;
            }
            if at < range.start {
                missing.push(at..range.start);
            }
            at = at.max(range.end);
        }
        if at < within.end {
            missing.push(at..within.end);
        }
        Self(missing)
    }
}

/// A part of a job that is played by itself.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Shard {
    /// One of several equal parts.
    Part {
        /// Which, from 1 on.
        number: NonZeroU64,
        /// How many there are.
        of: NonZeroU64,
    },
    /// These battles, as far as the job has them.
    Battles {
        /// The first.
        from: u64,
        /// The one after the last.
        to: u64,
    },
}

/// Why a text names no shard.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum NoShard {
    /// It has another form than a shard.
    #[error(
        "write `2/8` for the second of eight parts, of which the first is `1/8`; or `1000..2000` for battles 1000 to 1999"
    )]
    Unknown,
    /// It has no battle.
    #[error(
        "that has no battle: write the first one, and then the one after the last, such as `1000..2000` for battles 1000 to 1999"
    )]
    Empty,
    /// There is no part of that number.
    #[error("there is no such part: the first of {of} is `1/{of}` and the last `{of}/{of}`")]
    NoPart {
        /// How many there are.
        of: NonZeroU64,
    },
}

impl FromStr for Shard {
    type Err = NoShard;

    fn from_str(text: &str) -> Result<Self, NoShard> {
        if let Some((from, to)) = text.split_once("..") {
            let (from, to) = read(from).zip(read(to)).ok_or(NoShard::Unknown)?;
            return if from < to { Ok(Self::Battles { from, to }) } else { Err(NoShard::Empty) };
        }
        let (number, of) = text.split_once('/').ok_or(NoShard::Unknown)?;
        let (number, of) = read(number).zip(read(of)).ok_or(NoShard::Unknown)?;
        let of = NonZeroU64::new(of).ok_or(NoShard::Unknown)?;
        match NonZeroU64::new(number).filter(|number| *number <= of) {
            Some(number) => Ok(Self::Part { number, of }),
            None => Err(NoShard::NoPart { of }),
        }
    }
}

/// As it is written on the command line.
impl fmt::Display for Shard {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Part { number, of } => write!(f, "{number}/{of}"),
            Self::Battles { from, to } => write!(f, "{from}..{to}"),
        }
    }
}

impl Shard {
    /// The range of battles that belong to it, in a job of so many. All equal parts together have every battle once,
    /// and none has more than one battle more than another.
    #[must_use]
    pub fn battles(self, all: u64) -> Range<u64> {
        match self {
            Self::Part { number, of } => {
                let bound = |number: u64| {
                    (u128::from(all) * u128::from(number) / u128::from(of.get())) as u64
                };
                bound(number.get() - 1)..bound(number.get())
            }
            Self::Battles { from, to } => from.min(all)..to.min(all),
        }
    }

    /// Whether the battles it names all come after the last of a job of so many. An equal part of few battles may be
    /// empty, and is still needed to add all parts up.
    #[must_use]
    pub fn is_beyond(self, all: u64) -> bool {
        matches!(self, Self::Battles { from, .. } if from >= all.max(1))
    }

    /// Whether it is given as battles from the first one on, so that it knows at any time everything that came before.
    #[must_use]
    pub fn begins_the_job(self) -> bool {
        matches!(self, Self::Battles { from: 0, .. })
    }

    /// The name of the folder that it is kept in, below the named one.
    #[must_use]
    pub fn folder(self) -> String {
        match self {
            Self::Part { number, of } => format!("shard-{number}-of-{of}"),
            Self::Battles { from, to } => format!("battles-{from}-to-{}", to - 1),
        }
    }
}
