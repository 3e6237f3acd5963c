//! The part of the page of worth on how the same battles ended with something else in the place of a unit.

use super::design::Target;
use super::page::{Printed, by};
use super::results::{FEWEST, Replacement, UnitWorth};
use super::standing::standing;
use super::tables::WorthTable;
use crate::recast::Recast;
use crate::report::figures::{brief_points, brief_rate, counted, more, p_value, points, whole};
use crate::report::page::{Align, Tone, Toned};
use crate::report::{ALARM, see_table};
use crate::sorting::Sorting;
use crate::statistics::Estimate;

/// The table that has every replacement.
const TABLE: WorthTable = WorthTable::Replacements;
/// How many replacements of a unit are shown.
const REPLACED: usize = 8;

impl Printed<'_, '_> {
    /// The section on how the same battles ended with something else in the place of a unit.
    pub(super) fn replaced(&mut self, targets: &[Target]) {
        for target in targets {
            let unit = usize::from(target.unit);
            let rows: Vec<&Replacement> =
                self.results.replacements.iter().filter(|row| row.unit == unit).collect();
            self.page.heading(&format!("{} in the same battles", self.name(unit)));
            let standing = standing(self.design, self.results, unit);
            if !standing.is_empty() {
                self.page.line(&format!("Looked at because it comes next: {standing}."));
            }
            if rows.is_empty() {
                self.page.line(
                    "Nowhere does one side alone bring it where anything else may be in its place.",
                );
                continue;
            }
            if let Some(mean) = rows.iter().find(|row| row.by.is_none()) {
                let played =
                    target.variants.iter().filter(|of| matches!(of.recast, Recast::As(_))).count();
                let is_drawn = target.stand_ins > played;
                let which = match is_drawn {
                    true => format!(
                        " ({} drawn from {})",
                        whole(played as u64),
                        whole(target.stand_ins as u64)
                    ),
                    false if played == 1 => String::new(),
                    false => format!(" ({} of them)", whole(played as u64)),
                };
                let other_draws = match is_drawn {
                    true => {
                        " The interval is for those that were drawn: with others in its place the figure may be another."
                    }
                    false => "",
                };
                let Estimate { value, low, high } = mean.worth.difference;
                let of_others = Estimate { value: -value, low: -high, high: -low };
                let found = self.results.worths.iter().find(|row| row.unit == unit);
                let in_its_place = match found.is_some_and(UnitWorth::comes_in_copies) {
                    true => "in the place of all its copies",
                    false => "in its place",
                };
                self.page.line(&format!(
                    "With {} of its {} {in_its_place}{which} its side scores {} on average, in {} with the same line-ups \
                     otherwise, the same conditions and the same dice.{other_draws}",
                    if played == 1 { "the only other" } else { "others" },
                    self.design.alike(target.unit),
                    by(&of_others),
                    counted(mean.battles, "battle"),
                ));
            }
            for (heading, is_of) in [
                ("in its place", Replacement::is_stand_in as fn(&Replacement) -> bool),
                ("without", Replacement::is_without),
            ] {
                let mut of: Vec<&Replacement> =
                    rows.iter().copied().filter(|row| is_of(row)).collect();
                of.put_in_order_by(|a, b| {
                    b.worth.difference.value.total_cmp(&a.worth.difference.value)
                });
                if !of.is_empty() {
                    self.changes(heading, &of);
                }
            }
        }
    }

    fn changes(&mut self, heading: &str, rows: &[&Replacement]) {
        let all = rows.len();
        let rows: Vec<&Replacement> =
            rows.iter().copied().filter(|row| row.battles >= FEWEST).collect();
        if !rows.is_empty() {
            self.ends_of(heading, &rows);
        }
        let rare = (all - rows.len()) as u64;
        if rare > 0 {
            self.page.line(&format!(
                "Left out here: {} of fewer than {FEWEST} battles {}.",
                counted(rare, "row"),
                see_table(self.results.tables.contains(&TABLE), TABLE)
            ));
        }
    }

    fn ends_of(&mut self, heading: &str, rows: &[&Replacement]) {
        // Only both ends of the list where there is no room for all of it.
        let ends = REPLACED / 2;
        let shown: Vec<&Replacement> = match rows.len() <= REPLACED {
            true => rows.to_vec(),
            false => rows[..ends].iter().chain(&rows[rows.len() - ends..]).copied().collect(),
        };
        let row = |row: &&Replacement| {
            vec![
                row.name().to_owned(),
                whole(row.battles),
                brief_rate(&row.other, self.design.layout.sides),
                told(&row.worth.difference),
                p_value(row.p_adjusted),
                format!("{:.1}", row.worth.variance_ratio),
            ]
        };
        let tone = |row: &&Replacement| {
            let is_seen = row.p_adjusted < ALARM;
            Some((3, Tone::of_change(row.worth.difference.value, is_seen)))
        };
        let tones: Vec<Toned> = shown.iter().map(tone).collect();
        self.page.toned_table(
            &[
                (heading, Align::Left),
                ("battles", Align::Right),
                ("score", Align::Right),
                ("worth of it", Align::Right),
                ("p", Align::Right),
                ("ratio", Align::Right),
            ],
            shown.iter().map(row).collect(),
            &tones,
        );
        if rows.len() > shown.len() {
            let hidden = (rows.len() - shown.len()) as u64;
            self.page.line(&format!("{} in between.", more(hidden)));
        }
    }
}

impl Replacement {
    pub(super) fn is_stand_in(&self) -> bool {
        matches!(self.by, Some((Recast::As(_), _)))
    }

    pub(super) fn is_without(&self) -> bool {
        matches!(self.by, Some((Recast::Without(_), _)))
    }
}

/// A difference of scores: with both ends of its interval where one reaches as far as scores can differ, and `not
/// known` where nothing is.
fn told(estimate: &Estimate) -> String {
    match estimate {
        of if of.value.is_nan() => "not known".to_owned(),
        of if of.low <= -1.0 || of.high >= 1.0 => points(of),
        of => brief_points(of),
    }
}
