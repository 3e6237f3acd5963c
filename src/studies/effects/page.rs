//! The text page of effects.

use crate::game::Side;
use crate::report::figures::{
    brief_points, brief_rate, counted, named, p_value, part, points, rate, whole,
};
use crate::report::page::{Align, Page, Style, Tone, Toned};
use crate::report::{ALARM, CHOSEN, INTERVALS, Treatment, forfeited, header, in_table};
use crate::sorting::Sorting;
use crate::statistics::{Comparison, Estimate, Level, clustered};
use crate::studies::effects::results::left_out;
use crate::studies::effects::{Design, Effect, EffectsTable, Interaction, Played};
use crate::table::{LEVEL, Provenance};

/// With more match-ups than this only the largest effects of all are shown.
pub(super) const FEW: usize = 4;
/// How many effects of single factors are shown, and how many in every other list.
const SHOWN: usize = 12;
const SHOWN_OF_MANY: usize = 8;

/// Writes the page of effects: the largest of single factors, of pairs, of pairs beyond the sum of both factors, and
/// those on drawn units. It refers to `tables`, those that are written where any are.
#[must_use]
pub fn effects(
    design: &Design<'_>,
    played: &Played,
    effects: &[Effect],
    (provenance, tables): (&Provenance, &[EffectsTable]),
    question: Option<&str>,
    style: Style,
) -> String {
    let mut page = Page::new(style);
    header(&mut page, provenance, question);
    how(design, played).iter().for_each(|line| page.line(line));
    let mut report = Report { page: &mut page, design };
    let (sides, units): (Vec<&Effect>, Vec<&Effect>) =
        effects.iter().partition(|row| row.subject < design.sides());
    let sides: Vec<&Effect> = sides.into_iter().filter(|row| design.is_told(row.subject)).collect();
    if design.layout.matchups.len() <= FEW {
        let subjects: Vec<&[&Effect]> =
            sides.chunk_by(|one, other| one.subject == other.subject).collect();
        for (rows, lists) in subjects.iter().zip(Lists::of(design, &subjects, SHOWN)) {
            report.one_side(played, rows[0].subject, &lists);
        }
    } else {
        for lists in Lists::of(design, &[&sides], SHOWN_OF_MANY) {
            report.lists(&lists, &Words { who: Some("where"), of: "" });
        }
    }
    // Cards that are left out are not untested for want of battles.
    if design.units && (!units.is_empty() || left_out(design, played).is_empty()) {
        for lists in Lists::of(design, &[&units], SHOWN_OF_MANY) {
            report.lists(&lists, &Words { who: Some("unit"), of: " for a unit" });
        }
    }
    legend(&mut page, design, tables);
    page.into_text()
}

/// Lines on how the battles were played.
pub(super) fn how(design: &Design<'_>, played: &Played) -> Vec<String> {
    let noun = design.layout.factor_noun;
    let of_size =
        |size: usize| design.cases.iter().filter(|case| case.factors.len() == size).count() as u64;
    let mut others = counted(of_size(1), noun);
    if of_size(2) > 0 {
        others += &format!(" and {}", counted(of_size(2), "pair"));
    }
    let cases = format!(
        "{} under {}, each played again under {others} with common random numbers.",
        counted(played.battles, "battle"),
        design.label(0)
    );
    let forfeits = forfeited(played.tally.forfeits(), Treatment::Scored, None);
    let left_out: Vec<&str> =
        left_out(design, played).into_iter().map(|case| design.label(case)).collect();
    let left_out = (!left_out.is_empty()).then(|| {
        format!(
            "Effects on cards leave out those of match-ups in which battles are forfeited under {}: against other opponents a \
             card has another score.",
            named(&left_out, SHOWN)
        )
    });
    let several = design.units && design.layout.contenders().names.len() > 1;
    let over_all = several.then(|| {
        format!(
            "A unit's score is over all contenders that bring it: a {noun} under which another one brings it more often changes it \
             as well."
        )
    });
    std::iter::once(cases).chain(forfeits).chain(over_all).chain(left_out).collect()
}

/// Words for the subjects of a list.
struct Words {
    /// The heading of the column that names a row's subject; None where there is only one.
    who: Option<&'static str>,
    /// The words that headings add to name the subject.
    of: &'static str,
}

/// The effects of a list.
struct Found<'e> {
    /// How many there are.
    all: usize,
    /// Those under which every battle is a forfeit.
    forfeited: Vec<&'e Effect>,
    /// How many others were tested.
    tested: usize,
    /// Those of them that are significant, with the change that the list is about and its adjusted p, the largest first.
    significant: Vec<(&'e Effect, Comparison, f64)>,
    /// How many of these are shown.
    shown: usize,
    /// The level of their intervals: the largest of many estimates are partly chance, and intervals allow for the
    /// selection.
    chosen: Level,
}

impl<'e> Found<'e> {
    /// Of each of these lists, in each of which at most so many are shown. All of them are one family.
    fn of(
        lists: &[Vec<&'e Effect>],
        of: impl Fn(&Effect) -> Option<(Comparison, f64)>,
        shown: usize,
    ) -> Vec<Self> {
        let mut found: Vec<Self> =
            lists.iter().map(|rows| Self::of_one(rows, &of, shown)).collect();
        let sum = |part: fn(&Self) -> usize| found.iter().map(part).sum();
        let chosen = LEVEL.of_chosen(sum(|one| one.shown), sum(|one| one.tested));
        found.iter_mut().for_each(|one| one.chosen = chosen);
        found
    }

    fn of_one(
        rows: &[&'e Effect],
        of: &impl Fn(&Effect) -> Option<(Comparison, f64)>,
        shown: usize,
    ) -> Self {
        let (forfeited, fought): (Vec<&Effect>, Vec<&Effect>) =
            rows.iter().partition(|row| row.is_never_fought);
        let tested: Vec<(&Effect, Comparison, f64)> = fought
            .into_iter()
            .filter_map(|row| of(row).map(|(found, adjusted)| (row, found, adjusted)))
            .filter(|(.., adjusted)| !adjusted.is_nan())
            .collect();
        let (all, among) = (rows.len(), tested.len());
        let mut significant = tested;
        significant.retain(|(.., adjusted)| *adjusted < ALARM);
        let size = |found: &Comparison| found.difference.value.abs();
        significant.put_in_order_by(|(_, a, _), (_, b, _)| size(b).total_cmp(&size(a)));
        let shown = shown.min(significant.len());
        Self { all, forfeited, tested: among, significant, shown, chosen: LEVEL }
    }

    /// The score under a case, with its interval.
    fn score(&self, row: &Effect) -> Estimate {
        self.told(&row.scores[1], 0.0)
    }

    /// A change, with its interval.
    fn change(&self, change: &Comparison) -> Estimate {
        self.told(&change.difference, -1.0)
    }

    fn told(&self, estimate: &Estimate, least: f64) -> Estimate {
        estimate.at_level(LEVEL, self.chosen).within(least, 1.0)
    }
}

/// The change itself, rather than what is beyond the sum of both factors.
fn plain(row: &Effect) -> Option<(Comparison, f64)> {
    Some((row.effect, row.p_adjusted))
}

/// The effects of single factors, of pairs, and of pairs beyond the sum of both factors.
struct Lists<'e> {
    alone: Found<'e>,
    together: Found<'e>,
    beyond: Found<'e>,
}

/// The level of the intervals in the lists of what single factors do to sides, of these rows that are told, and how many
/// rows the lists show.
pub(super) fn level_of_sides(design: &Design<'_>, rows: &[&Effect]) -> (Level, usize) {
    if design.layout.matchups.len() > FEW {
        return level_of_units(design, rows);
    }
    let subjects: Vec<&[&Effect]> =
        rows.chunk_by(|one, other| one.subject == other.subject).collect();
    level_of(&Lists::of(design, &subjects, SHOWN))
}

/// The same of what they do to units.
pub(super) fn level_of_units(design: &Design<'_>, rows: &[&Effect]) -> (Level, usize) {
    level_of(&Lists::of(design, &[rows], SHOWN_OF_MANY))
}

fn level_of(lists: &[Lists<'_>]) -> (Level, usize) {
    let shown = lists.iter().map(|lists| lists.alone.shown).sum();
    (lists.first().map_or(LEVEL, |lists| lists.alone.chosen), shown)
}

impl<'e> Lists<'e> {
    /// Of each of these groups of rows.
    fn of(design: &Design<'_>, groups: &[&[&'e Effect]], shown: usize) -> Vec<Self> {
        let of_size = |is_alone: bool| -> Vec<Vec<&'e Effect>> {
            let is_it = |row: &&Effect| (design.cases[row.case].factors.len() == 1) == is_alone;
            groups.iter().map(|rows| rows.iter().copied().filter(is_it).collect()).collect()
        };
        let (alone, together) = (of_size(true), of_size(false));
        let beyond = |row: &Effect| {
            row.interaction.as_ref().map(|&Interaction { beyond, p_adjusted }| (beyond, p_adjusted))
        };
        Found::of(&alone, plain, shown)
            .into_iter()
            .zip(Found::of(&together, plain, SHOWN_OF_MANY))
            .zip(Found::of(&together, beyond, SHOWN_OF_MANY))
            .map(|((alone, together), beyond)| Self { alone, together, beyond })
            .collect()
    }
}

struct Report<'r, 'd> {
    page: &'r mut Page,
    design: &'r Design<'d>,
}

impl Report<'_, '_> {
    /// The answer in a sentence: how many factors change the score of this one side, and which change is the largest. None
    /// where no change was tested.
    fn answer(&self, found: &Found<'_>) -> Option<String> {
        let noun = self.design.layout.factor_noun;
        let (tested, many) = (found.tested as u64, found.significant.len() as u64);
        // Factors under which there are only forfeits, or too few battles, are not among those that are counted.
        let are_all = found.tested == found.all;
        let Some((largest, ..)) = found.significant.first() else {
            let which = if are_all { "" } else { " that was tested" };
            return (tested > 0).then(|| format!("No {noun}{which} is seen to change that."));
        };
        // An interval that allows for the selection can hold 0 although the change is significant.
        let clear = found.significant.iter().find(|row| found.change(&row.1).excludes(0.0));
        let figures = |(row, change, _): &(&Effect, Comparison, f64)| {
            format!("{} to {}", points(&found.change(change)), rate(&found.score(row)))
        };
        let which = if are_all { "" } else { " that were tested" };
        let all = format!("{}{which}", counted(tested, noun));
        if many == 1 {
            let name = self.design.label(largest.case);
            let which = match tested {
                1 => format!("{name} is seen to change that"),
                _ => format!("Of {all} one is seen to change that, {name}"),
            };
            let figures = clear.map(|row| format!(": {}", figures(row))).unwrap_or_default();
            return Some(format!("{which}{figures}."));
        }
        let begin = match many == tested {
            true => format!("All {all}"),
            false => format!("Of {all} {}", whole(many)),
        };
        let change = clear.map(|row| {
            let is_largest = std::ptr::eq(row.0, *largest);
            let which = if is_largest { "the largest change" } else { "one such change" };
            format!("; {which} is that of {}: {}", self.design.label(row.0.case), figures(row))
        });
        Some(format!("{begin} are seen to change that{}.", change.unwrap_or_default()))
    }

    /// Writes the section of one side of one match-up.
    fn one_side(&mut self, played: &Played, subject: usize, lists: &Lists<'_>) {
        let sides = self.design.layout.sides;
        let matchup = &self.design.layout.matchups[subject / sides];
        let contender = &matchup.contenders[subject % sides];
        let side = Side((subject % sides) as u8);
        self.page.heading(&match sides {
            2 => format!(
                "{contender} as side {side} against {}",
                matchup.contenders[1 - subject % sides]
            ),
            _ => format!("{contender} as side {side} of {}", matchup.label()),
        });
        let neutral = rate(&clustered(&played.tally.fared(0, subject), sides, LEVEL));
        let (verb, of_what) = (self.design.measure.verb(), self.design.measure.of_what());
        let alone = format!("Under {} it {verb} {neutral}{of_what}.", self.design.label(0));
        let answer = self.answer(&lists.alone);
        self.page.line(&[alone].into_iter().chain(answer).collect::<Vec<_>>().join(" "));
        self.lists(lists, &Words { who: None, of: "" });
    }

    /// Writes the lists of the largest effects of single factors, of pairs, and of pairs beyond the sum of both
    /// factors.
    fn lists(&mut self, lists: &Lists<'_>, words: &Words) {
        let noun = self.design.layout.factor_noun;
        let heading = format!("What a {noun} changes{}", words.of);
        self.list(&heading, &lists.alone, words, false);
        if lists.together.all > 0 {
            let heading = format!("What a pair of {noun}s changes{}", words.of);
            self.list(&heading, &lists.together, words, false);
            let heading = format!("What a pair changes{} beyond the sum of both", words.of);
            self.list(&heading, &lists.beyond, words, true);
        }
    }

    fn list(&mut self, heading: &str, found: &Found<'_>, words: &Words, beyond: bool) {
        let Found { tested, significant, shown, .. } = found;
        let (tested, shown) = (*tested, *shown);
        self.page.heading(heading);
        let left_out = never_fought(self.design, &found.forfeited, words.who.is_some());
        if let Some(sentence) = left_out.filter(|_| !beyond || tested == 0) {
            self.page.line(&sentence);
            if tested == 0 {
                if found.all > found.forfeited.len() {
                    self.page.line(
                        "None of the others was tested, for want of battles: `--battles` asks for more.",
                    );
                }
                return;
            }
        }
        if significant.is_empty() {
            return self.page.line(&match tested as u64 {
                0 => "None was tested, for want of battles: `--battles` asks for more.".to_owned(),
                1 => "The only one is not significant at this many battles.".to_owned(),
                all => format!("None of {} is significant at this many battles.", whole(all)),
            });
        }
        let cells = significant.iter().take(shown).map(|(row, beyond_sum, adjusted)| {
            let score = found.score(row);
            let [change, told] = [&row.effect, beyond_sum].map(|of| found.change(of));
            let mut cells: Vec<String> = words.who.map(|_| self.name(row)).into_iter().collect();
            cells.push(self.design.label(row.case).to_owned());
            cells.push(match (beyond, words.who) {
                (true, _) => brief_points(&change),
                (false, None) => rate(&score),
                (false, Some(_)) => brief_rate(&score, self.design.layout.sides),
            });
            cells.push(match words.who {
                None if !beyond => points(&told),
                _ => brief_points(&told),
            });
            cells.push(p_value(*adjusted));
            cells
        });
        let factors = self.design.cases[significant[0].0.case].factors.len();
        let noun =
            format!("{}{}", self.design.layout.factor_noun, if factors > 1 { "s" } else { "" });
        let mut columns: Vec<(&str, Align)> =
            words.who.map(|who| (who, Align::Left)).into_iter().collect();
        columns.push((&noun, Align::Left));
        let noun = self.design.measure.noun();
        let figures = if beyond { ["change", "beyond", "p"] } else { [noun, "change", "p"] };
        columns.extend(figures.map(|figure| (figure, Align::Right)));
        let at = columns.len() - 2;
        let tones: Vec<Toned> = significant
            .iter()
            .take(shown)
            .map(|(_, change, _)| Some((at, Tone::of_change(change.difference.value, true))))
            .collect();
        self.page.toned_table(&columns, cells.collect(), &tones);
        self.page.line(&format!(
            "{} significant{}.",
            part(significant.len() as u64, tested as u64, ""),
            match significant.len().saturating_sub(shown) {
                0 => String::new(),
                hidden => format!(", {} of them not shown", whole(hidden as u64)),
            }
        ));
        if found.chosen != LEVEL {
            self.page.line(CHOSEN);
        }
    }

    /// The name of a row's subject.
    fn name(&self, row: &Effect) -> String {
        let layout = self.design.layout;
        if let Some(unit) = row.subject.checked_sub(self.design.sides()) {
            return layout.units[unit].name.clone();
        }
        let matchup = layout.matchups[row.subject / layout.sides].label();
        let side = Side((row.subject % layout.sides) as u8);
        match self.design.measure.is_mirrored(layout.sides) {
            true => matchup,
            false => format!("{matchup}, side {side}"),
        }
    }
}

/// A sentence on effects that are not listed because all battles under the condition are forfeits; None without any.
/// The size of such effects says nothing about how cards fight. `several` says that the rows are of more than one side.
pub(super) fn never_fought(design: &Design<'_>, rows: &[&Effect], several: bool) -> Option<String> {
    let first = rows.first()?;
    let are_pairs = design.cases[first.case].factors.len() > 1;
    let what = match (several, are_pairs) {
        (false, false) => {
            let names: Vec<&str> = rows.iter().map(|row| design.label(row.case)).collect();
            named(&names, SHOWN)
        }
        (false, true) => counted(rows.len() as u64, "pair"),
        (true, _) => counted(rows.len() as u64, "change"),
    };
    let battles = if several { "all battles of the match-up" } else { "all battles" };
    Some(format!("Not listed, because {battles} then are forfeits: {what}."))
}

pub(super) fn legend(page: &mut Page, design: &Design<'_>, tables: &[EffectsTable]) {
    let (noun, neutral) = (design.layout.factor_noun, design.label(0));
    let (measure, meaning) = (design.measure.noun(), design.measure.meaning());
    page.gap();
    let [sides, units] = [EffectsTable::RulesetEffects, EffectsTable::UnitEffects];
    let tables = match (design.units, tables.contains(&sides)) {
        (true, true) => {
            "the tables `ruleset_effects` and `unit_effects` hold everything".to_owned()
        }
        (false, is_written) => format!("{} everything", in_table(is_written, sides, "holds")),
        (true, false) => format!(
            "{} everything of units, {} that of sides",
            in_table(tables.contains(&units), units, "holds"),
            in_table(false, sides, "holds")
        ),
    };
    let rates = if design.is_about_one_side() {
        format!(
            "p is adjusted for every effect of its list: for the {noun}s of one side the family-wise error rate is at most \
             5% (Holm), in longer lists the false discovery rate (Benjamini-Hochberg)."
        )
    } else {
        let units = if design.units { ", or of all units" } else { "" };
        format!(
            "p is adjusted for every effect of its kind, of all match-ups and sides{units}: the false discovery rate is \
             at most 5% (Benjamini-Hochberg)."
        )
    };
    page.line(&format!(
        "{measure} is {meaning}; change is that less the same of the same battles under {neutral}; {tables}. {rates}"
    ));
    page.toned(Tone::Quiet, INTERVALS);
}
