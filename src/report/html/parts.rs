//! Building blocks for the reports of several studies.

use super::notes::{Detail, Figure, Mark, Series, Unit};
use crate::game::Side;
use crate::report::figures::whole;
use crate::shell::{command_on, flag};

/// The most marks that a figure holds.
pub(crate) const MOST_MARKS: usize = 1_200;

/// How many battles `evens trace --pick` looks at in search of the first one with a unit.
pub(crate) const LOOKED_AT: u64 = 100_000;
/// What comes up so often, on average, in the battles that are looked at is all but sure to be found in them.
const FOUND: u64 = 20;

/// Makes commands that trace a battle of a scenario.
pub(crate) struct Trace<'p> {
    pub scenario: &'p str,
    pub seed: u64,
}

impl Trace<'_> {
    fn command(&self, which: &str) -> String {
        let begun = command_on("trace", self.scenario);
        format!("{begun} --seed {} {which} --html battle.html", self.seed)
    }

    /// The command for the battle of this number.
    pub(crate) fn battle(&self, number: usize) -> String {
        self.command(&format!("--battle {number}"))
    }

    /// The command for a typical battle with a unit that took part so many times in so many battles; empty where it is too
    /// rare to be found. With a side, that one has it.
    pub(crate) fn with(&self, unit: &str, times: u64, battles: u64, side: Option<Side>) -> String {
        self.with_in(unit, (times, battles), side, None)
    }

    /// The same for a battle of a match-up, in which the unit took part so many times in so many battles of all match-ups.
    pub(crate) fn with_in(
        &self,
        unit: &str,
        (times, battles): (u64, u64),
        side: Option<Side>,
        matchup: Option<&str>,
    ) -> String {
        if !is_found(times, battles) {
            return String::new();
        }
        let side = side.map(|side| side.to_string());
        let more = [("--side", side.as_deref()), ("--matchup", matchup)];
        let more = more.into_iter().filter_map(|(flag, value)| Some((flag, value?)));
        let flags: Vec<(&str, &str)> = [("--with", unit)].into_iter().chain(more).collect();
        self.pick("typical", &flags)
    }

    /// The command for a typical battle with a factor, in a match-up where there are several, which so many of so many
    /// battles were; empty where that is too rare to be found.
    pub(crate) fn under(
        &self,
        factor: &str,
        matchup: Option<&str>,
        (times, battles): (u64, u64),
    ) -> String {
        if !is_found(times, battles) {
            return String::new();
        }
        let more = matchup.map(|matchup| ("--matchup", matchup));
        let flags: Vec<(&str, &str)> = [("--ruleset", factor)].into_iter().chain(more).collect();
        self.pick("typical", &flags)
    }

    /// The command for a battle of this kind.
    pub(crate) fn pick(&self, kind: &str, more: &[(&str, &str)]) -> String {
        let more: String =
            more.iter().map(|(name, value)| format!(" {}", flag(name, value))).collect();
        self.command(&format!("--pick {kind}{more}"))
    }
}

/// Whether what comes up so often in so many battles is all but sure to be found.
fn is_found(times: u64, battles: u64) -> bool {
    u128::from(times) * u128::from(LOOKED_AT) >= u128::from(FOUND) * u128::from(battles)
}

/// A single series for a figure.
pub(crate) fn one(column: &str, name: &str) -> Vec<Series> {
    vec![Series { column: column.to_owned(), name: name.to_owned() }]
}

/// A column that is shown when a mark is pointed at.
pub(crate) fn detail(column: &str, label: &str, unit: Unit) -> Detail {
    Detail { column: column.to_owned(), label: label.to_owned(), unit }
}

/// Columns of counts with their labels.
pub(crate) fn counts(of: &[(&str, &str)]) -> Vec<Detail> {
    of.iter().map(|(column, label)| detail(column, label, Unit::Count)).collect()
}

/// Gives the figure as many marks as there is room for, and a remark on the others.
pub(crate) fn room(figure: &mut Figure, mut marks: Vec<Mark>) {
    let more = marks.len().saturating_sub(MOST_MARKS);
    marks.truncate(MOST_MARKS);
    figure.marks = marks;
    if more > 0 {
        figure.rest = format!("The table `{}` has {} more.", figure.table, whole(more as u64));
    }
}

/// A sentence as a title: without its full stop.
pub(crate) fn title(sentence: &str) -> String {
    sentence.trim_end_matches('.').to_owned()
}
