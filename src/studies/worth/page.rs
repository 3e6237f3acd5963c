//! The page of a study of worth: which cards to change first and what drives them, and what cards are worth.

use super::design::{Design, Target};
use super::fixed::Absorbs;
use super::results::{ENOUGH, Impact, Of, Replacement, Results, UnitWorth};
use super::standing::{given, leading, standing};
use super::tables::WorthTable;
use crate::report::figures::{
    brief_points, brief_rate, counted, more, named, p_value, plain_points, points, rate, signed,
    whole,
};
use crate::report::page::{Align, Page, Style, Tone, Toned};
use crate::report::{ALARM, INTERVALS, Treatment, forfeited, header, in_table};
use crate::sorting::Sorting;
use crate::statistics::Estimate;
use crate::table::{LEVEL, Provenance};

/// How many units of the impact list are shown.
pub(super) const FIRST: usize = 8;
/// How many units are shown from each end of the list of worths.
const SHOWN: usize = 5;
/// How many drivers of each sort are reported for one unit.
const DRIVERS: usize = 2;

/// The page for the terminal.
#[must_use]
pub fn page(
    design: &Design<'_>,
    targets: &[Target],
    results: &Results,
    provenance: &Provenance,
    question: Option<&str>,
    style: Style,
) -> String {
    let mut page = Page::new(style);
    header(&mut page, provenance, question);
    asked(design, targets, results).iter().for_each(|line| page.line(line));
    how(design, results).iter().for_each(|line| page.line(line));
    let mut printed = Printed { page: &mut page, design, results };
    printed.first();
    printed.drivers(targets);
    printed.worths();
    printed.replaced(targets);
    legend(&mut page, design, results);
    page.into_text()
}

/// Sentences on the battles that were played, and on how well the model predicts.
pub(super) fn how(design: &Design<'_>, results: &Results) -> Vec<String> {
    let layout = &design.layout;
    let mut lines = Vec::new();
    let who = match layout.units_are_drawn {
        true if design.draws_line_ups() => match layout.sides {
            2 => {
                "Every battle is between two line-ups drawn at random, such as a contender of the scenario could bring"
            }
            _ => {
                "Every side of a battle has a line-up drawn at random, such as a contender of the scenario could bring"
            }
        },
        true => "Line-ups are the scenario's own, drawn anew for each battle where it says so",
        false => {
            "Line-ups are the scenario's own, so that worths are of these line-ups and no others"
        }
    };
    let halves = counted(design.battles, "battle");
    let fresh = match results.fresh {
        as_many if as_many == design.battles => "as many fresh ones".to_owned(),
        fewer => counted(fewer, "fresh one"),
    };
    lines.push(format!("{who}; a linear model is fitted to {halves} and tested on {fresh}."));
    let explained = &results.explained;
    lines.push(match explained.value.is_nan() {
        true if results.all_alike && design.varies() => {
            format!("{}, so that no worth can be told.", all_alike(design, results))
        }
        true if layout.units_are_drawn => {
            "What sides brought varied too little in these battles to tell how well it predicts."
                .to_owned()
        }
        true if design.varies() => {
            format!("{}, so that no worth can be told.", all_alike(design, results))
        }
        true => "What sides bring never varies, so that no worth can be told.".to_owned(),
        false if explained.low <= 0.0 => format!(
            "It is not seen to predict scores better than their mean{} does: of their variance in battles that it has not seen \
             it explains {} (below 0%: it predicts worse). More battles (`--battles`) may tell more.",
            taken_out(design).map_or_else(String::new, |of| format!(" by {of}")),
            rate(explained)
        ),
        false => format!(
            "It explains {} of the score's variance in battles that it has not seen{}.",
            rate(explained),
            taken_out(design)
                .map_or_else(String::new, |of| format!(", beyond what the {of} does to whole sides"))
        ),
    });
    if too_few_end_otherwise(design, results) {
        lines.push(format!(
            "No worth is told: {} of these ended otherwise than most between the same contenders in the same seats, and fewer than \
             {ENOUGH} tell too little. More battles (`--battles`) tell more.",
            match results.otherwise {
                0 => "hardly any".to_owned(),
                some => format!("about {}", whole(some)),
            }
        ));
    }
    lines.extend(forfeited(&results.forfeits, Treatment::LeftOut, None));
    lines
}

/// Sentences on each unit that was asked for: what it is worth, or why that is not known or not tested, and why nothing is played
/// in its place.
pub(super) fn asked(design: &Design<'_>, targets: &[Target], results: &Results) -> Vec<String> {
    let name = |unit: usize| design.layout.units[unit].name.as_str();
    let worth = |unit: usize| {
        let found = results.worths.iter().find(|row| row.unit == unit);
        let untested =
            |why: &str| format!("{}: what it is worth is not tested, because {why}.", name(unit));
        if found.is_some() && too_few_end_otherwise(design, results) {
            return untested("too few battles ended otherwise than most");
        }
        let Some(row) = found.filter(|row| !row.for_cost.value.is_nan()) else {
            return format!("{}: what it is worth is not known from these battles.", name(unit));
        };
        if !row.is_told_apart {
            return match design.varies() && !results.all_alike {
                true => format!(
                    "{}: what it is worth is not known, since in these line-ups nothing tells it apart from what comes with it or \
                     from who brings it.",
                    name(unit)
                ),
                false => {
                    format!("{}: what it is worth is not known from these battles.", name(unit))
                }
            };
        }
        if row.played < ENOUGH {
            return untested(&format!("it came up fewer than {ENOUGH} times"));
        }
        let worth = if has_prices(results) { &row.for_cost } else { &row.worth };
        let places = match row.places {
            [first, last] if first == last => format!("place {first}"),
            [first, last] => format!("place {first} to {last}"),
        };
        format!(
            "{} is worth {}{} than {} ({places} of {}), by what all line-ups scored.",
            name(unit),
            by(worth),
            if row.comes_in_copies() { ", each copy of it," } else { "" },
            compared_with(design, results, "its"),
            row.of
        )
    };
    let told = |&unit: &usize| {
        let target = targets.iter().find(|target| usize::from(target.unit) == unit);
        let kind = design.layout.units[unit].kind;
        let unplayed = match target.map(|target| target.stand_ins) {
            Some(1..) => "",
            Some(0) => &format!(" No other {kind} can stand in for it."),
            None => &format!(
                " Nothing is played in its place: no other {kind} can stand in for it, and it has no ability to lose."
            ),
        };
        worth(unit) + unplayed
    };
    results.asked.iter().map(told).collect()
}

/// The nouns of what is drawn for whole battles (factors, brackets), as far as it varies; None where nothing does.
fn drawn(design: &Design<'_>) -> Option<String> {
    let layout = &design.layout;
    let mut drawn: Vec<&str> = Vec::new();
    drawn.extend((layout.conditions.len() > 1).then_some(layout.factor_noun));
    drawn.extend((layout.brackets.len() > 1).then_some(layout.bracket_noun));
    (!drawn.is_empty()).then(|| drawn.join(" or "))
}

/// The same nouns, only where the effects on whole sides are taken out.
fn taken_out(design: &Design<'_>) -> Option<String> {
    drawn(design).filter(|_| design.fixed.takes_conditions_out())
}

/// Whether battles do end in several ways, but too rarely for anything to be tested.
fn too_few_end_otherwise(design: &Design<'_>, results: &Results) -> bool {
    results.otherwise < ENOUGH && design.varies() && !results.all_alike
}

fn all_alike(design: &Design<'_>, results: &Results) -> String {
    match taken_out(design).filter(|_| !results.all_alike) {
        Some(of) => format!("But for what the {of} does to whole sides all battles scored alike"),
        None => "All battles scored alike".to_owned(),
    }
}

/// A page that is being written.
pub(super) struct Printed<'p, 'd> {
    pub(super) page: &'p mut Page,
    pub(super) design: &'d Design<'d>,
    pub(super) results: &'d Results,
}

/// Units that came up often enough but are not tested, because no battles separate their effect from that of what
/// comes with them.
pub(super) fn inseparable(results: &Results) -> Vec<&UnitWorth> {
    let is_it = |row: &&UnitWorth| came_up(row) && !row.is_told_apart;
    results.worths.iter().filter(is_it).collect()
}

/// Whether a unit of the model came up often enough to be tested.
fn came_up(row: &UnitWorth) -> bool {
    row.played >= ENOUGH && !row.for_cost.value.is_nan()
}

/// Sentences that nothing tells these units apart from others or from who brings them, and on those of them that battles can be
/// played again without.
fn not_told_apart(names: &[&str], replaceable: &[&str]) -> String {
    /// With more names than this, the others are only counted.
    const NAMED: usize = 5;
    let (are, them) = if names.len() == 1 { ("is", "it") } else { ("are", "them") };
    let advice = match replaceable {
        [] => String::new(),
        _ => format!(
            " What is played in place of {} in the same battles does (`--unit NAME`).",
            if replaceable == names { them.to_owned() } else { named(replaceable, NAMED) }
        ),
    };
    format!(
        "Not tested {are} {}: in these line-ups nothing tells {them} apart from what comes with {them} or from who brings \
         {them}.{advice}",
        named(names, NAMED)
    )
}

/// Whether there is more than one price, so that worth and worth for its cost differ.
pub(super) fn has_prices(results: &Results) -> bool {
    let mut costs = results.worths.iter().filter_map(|row| row.cost);
    let first = costs.next();
    costs.any(|cost| Some(cost) != first)
}

/// What units are compared with, in words; `whose` is `its` or `their`.
pub(super) fn compared_with(design: &Design<'_>, results: &Results, whose: &str) -> String {
    match has_prices(results) {
        true => format!("an average unit of {whose} kind at {whose} {}", design.cost_noun()),
        false => format!("an average unit of {whose} kind"),
    }
}

/// The size of a difference in words, as more or less.
pub(super) fn by(of: &Estimate) -> String {
    match of.value >= 0.0 {
        true => format!("{} more", plain_points(of)),
        false => {
            let size = Estimate { value: -of.value, low: -of.high, high: -of.low };
            format!("{} less", plain_points(&size))
        }
    }
}

/// The share of the sides that bring a unit, and where any brings several copies, how many each of these brings on
/// average.
fn brought(brought: f64, copies: f64) -> String {
    let share = format!("{:.1}%", 100.0 * brought);
    if copies > brought { format!("{share}, {:.2} each", copies / brought) } else { share }
}

/// Whether a side brings several copies of some unit of the results.
fn has_copies(results: &Results) -> bool {
    results.worths.iter().any(UnitWorth::comes_in_copies)
}

fn places(row: &UnitWorth) -> String {
    match row.places {
        _ if row.for_cost.value.is_nan() || !row.is_told_apart => String::new(),
        [first, last] if first == last => format!("{first} of {}", row.of),
        [first, last] => format!("{first} to {last} of {}", row.of),
    }
}

impl Printed<'_, '_> {
    pub(super) fn name(&self, unit: usize) -> &str {
        &self.design.layout.units[unit].name
    }

    fn kind(&self, unit: usize) -> &str {
        self.design.layout.units[unit].kind
    }

    fn is_any_known(&self) -> bool {
        self.results.worths.iter().any(came_up)
    }

    /// The section on which units to change first.
    fn first(&mut self) {
        let leading = leading(self.design, self.results);
        self.page.heading("Nerf first");
        if leading.is_empty() {
            let is_listed = |row: &&UnitWorth| !self.design.is_given(row.unit);
            let listed = || self.results.worths.iter().filter(is_listed);
            let tested = listed().filter(|row| !row.p_value.is_nan()).count();
            let inseparable = inseparable(self.results).len();
            let compared = compared_with(self.design, self.results, "its");
            let is_often = self.results.worths.iter().any(|row| row.played >= ENOUGH);
            self.page.line(&match (tested, inseparable) {
                (0, _) if !self.design.given.is_empty() && listed().any(came_up) => {
                    "No unit that is drawn can be tested.".to_owned()
                }
                (1.., _) if !self.design.given.is_empty() => format!(
                    "Of {} visibly worth more than {compared} at this many battles.",
                    match tested {
                        1 => "the units that are drawn only one is tested, and it is not".to_owned(),
                        several => format!("{} units that are drawn and tested none is", whole(several as u64)),
                    }
                ),
                (0, 0) if is_often && too_few_end_otherwise(self.design, self.results) => {
                    "No unit is tested: too few battles ended otherwise than most.".to_owned()
                }
                (0, 0) if is_often && (self.results.all_alike || self.is_any_known()) => {
                    format!(
                        "{}, so that no unit can be tested.",
                        all_alike(self.design, self.results)
                    )
                }
                (0, 0) if !self.design.varies() => {
                    "No unit is tested: what sides bring never varies.".to_owned()
                }
                (0, 0) => {
                    let remedy = "more battles (`--battles`) may tell";
                    format!("No unit came up often enough to be tested: {remedy}.")
                }
                (0, _) => "No unit can be tested.".to_owned(),
                (1, 0) => {
                    format!("The only unit is not visibly worth more than {compared} at this many battles.")
                }
                (several, 0) => format!(
                    "None of {} units is visibly worth more than {compared} at this many battles.",
                    whole(several as u64)
                ),
                (1, _) => format!(
                    "The only unit that can be tested is not visibly worth more than {compared} at this many battles."
                ),
                (several, _) => format!(
                    "None of the {} units that can be tested is visibly worth more than {compared} at this many battles.",
                    whole(several as u64)
                ),
            });
            return self.untested();
        }
        let shown = &leading[..leading.len().min(FIRST)];
        let row = |row: &&Impact| {
            vec![
                self.name(row.unit).to_owned(),
                self.kind(row.unit).to_owned(),
                brought(row.brought, row.share),
                points(&row.worth),
                format!("{} pp", signed(100.0 * row.impact.value, 2)),
            ]
        };
        let rows = shown.iter().map(row).collect();
        let tones: Vec<Toned> = shown.iter().map(|_| Some((3, Tone::Favoured))).collect();
        self.page.toned_table(
            &[
                ("unit", Align::Left),
                ("kind", Align::Left),
                ("brought", Align::Right),
                ("worth", Align::Right),
                ("impact", Align::Right),
            ],
            rows,
            &tones,
        );
        let (all, whose) = match leading.len() {
            1 => ("1 unit is".to_owned(), "its"),
            several => (format!("{} units are", whole(several as u64)), "their"),
        };
        self.page.line(&format!(
            "{all} visibly worth more than {} (adjusted p below 0.05). worth: how much more{}. impact: that times how many of it a \
             side brings on average, which is how much of all scores hangs on it; {} its interval.",
            compared_with(self.design, self.results, whose),
            if has_copies(self.results) { ", each copy" } else { "" },
            in_table(self.results.tables.contains(&WorthTable::Impact), WorthTable::Impact, "has"),
        ));
        self.untested();
    }

    /// Sentences on what is not in the list: units that are always brought, and how many were not tested, and why.
    fn untested(&mut self) {
        given(self.design, self.results).iter().for_each(|line| self.page.line(line));
        let inseparable = inseparable(self.results);
        if !inseparable.is_empty() {
            let name = |row: &&UnitWorth| self.name(row.unit);
            let names: Vec<&str> = inseparable.iter().map(name).collect();
            let is_asked = |row: &&UnitWorth| self.results.asked.contains(&row.unit);
            let replaceable = inseparable.iter().copied().filter(|row| row.can_be_replaced);
            let replaceable: Vec<&str> =
                replaceable.filter(|row| !is_asked(row)).map(|row| name(&row)).collect();
            self.page.line(&not_told_apart(&names, &replaceable));
        }
        let known = |row: &&UnitWorth| !row.for_cost.value.is_nan();
        let rare = self.results.worths.iter().filter(known).filter(|row| row.played < ENOUGH);
        match rare.count() as u64 {
            0 => {}
            1 => self
                .page
                .line(&format!("1 unit came up fewer than {ENOUGH} times and is not tested.")),
            rare => self.page.line(&format!(
                "{} units came up fewer than {ENOUGH} times and are not tested.",
                whole(rare)
            )),
        }
    }

    /// The section on what drives the worth of the units that are studied more closely.
    fn drivers(&mut self, targets: &[Target]) {
        let told: Vec<(String, Vec<String>)> = targets
            .iter()
            .map(|target| {
                let unit = usize::from(target.unit);
                let name = match standing(self.design, self.results, unit) {
                    standing if standing.is_empty() => self.name(unit).to_owned(),
                    standing => format!("{} ({standing})", self.name(unit)),
                };
                (name, drivers(self.design, self.results, unit))
            })
            .filter(|(_, told)| !told.is_empty())
            .collect();
        if told.is_empty() {
            return;
        }
        self.page.heading("A closer look");
        for (name, told) in told {
            self.page.line(&format!("{name}:"));
            told.iter().for_each(|line| self.page.item(line));
        }
        self.page.line(CHOSEN_OF_EACH);
    }

    /// The section on the best and the worst units of each kind.
    fn worths(&mut self) {
        let mut kinds: Vec<&str> = Vec::new();
        for row in &self.results.worths {
            let kind = self.design.layout.units[row.unit].kind;
            if !kinds.contains(&kind) && !row.for_cost.value.is_nan() {
                kinds.push(kind);
            }
        }
        for kind in kinds {
            let mut rows: Vec<&UnitWorth> = self
                .results
                .worths
                .iter()
                .filter(|row| self.kind(row.unit) == kind && !row.for_cost.value.is_nan())
                .collect();
            rows.put_in_order_by(|a, b| b.for_cost.value.total_cmp(&a.for_cost.value));
            let spread = self.results.spreads.iter().find(|(name, _)| name == kind);
            self.page.heading(&format!("Worth of each {kind}"));
            if rows.len() > 2 * SHOWN {
                self.list(&rows[..SHOWN]);
                self.page.line(&format!("{} in between.", more((rows.len() - 2 * SHOWN) as u64)));
                self.list(&rows[rows.len() - SHOWN..]);
            } else {
                self.list(&rows);
            }
            let told = rows.iter().filter(|row| row.is_told_apart).count();
            if let Some((_, spread)) = spread.filter(|_| told > 3) {
                self.page.line(&format!(
                    "Worths of this kind have a standard deviation of {:.1} pp: the smaller it is, the more each is drawn to their \
                     mean.",
                    100.0 * spread
                ));
            }
        }
    }

    fn has_prices(&self) -> bool {
        has_prices(self.results)
    }

    fn list(&mut self, rows: &[&UnitWorth]) {
        let has_cost = rows.iter().any(|row| row.cost.is_some());
        let has_prices = self.has_prices();
        let noun = self.design.cost_noun();
        let for_cost = format!("for its {noun}");
        let row = |row: &&UnitWorth| {
            let mut cells = vec![self.name(row.unit).to_owned()];
            if has_cost {
                cells.push(row.cost.map_or_else(String::new, |cost| cost.to_string()));
            }
            cells.extend([
                brought(row.brought, row.share),
                brief_rate(&row.raw, self.design.layout.sides),
                match (row.is_told_apart, has_prices) {
                    (false, _) => "not known".to_owned(),
                    (true, true) => brief_points(&row.for_cost),
                    (true, false) => brief_points(&row.worth),
                },
            ]);
            cells.push(places(row));
            cells
        };
        let mut columns = vec![("unit", Align::Left)];
        if has_cost {
            columns.push((noun, Align::Right));
        }
        columns.extend([
            ("brought", Align::Right),
            ("score", Align::Right),
            (if has_prices { &for_cost } else { "worth" }, Align::Right),
        ]);
        columns.push(("place", Align::Right));
        let at = columns.len() - 2;
        let tone = |row: &&UnitWorth| {
            Some((at, Tone::of_change(row.for_cost.value, row.p_adjusted < ALARM)))
        };
        let tones: Vec<Toned> = rows.iter().map(tone).collect();
        self.page.toned_table(&columns, rows.iter().map(row).collect(), &tones);
    }
}

/// Said below drivers: a pair that drives two units is listed for each of them.
const CHOSEN_OF_EACH: &str = "Intervals allow for the choice of the largest of each.";

/// Sentences on what changes a unit's worth, and on what its abilities do: only what is visible, the largest first.
pub(super) fn drivers(design: &Design<'_>, results: &Results, unit: usize) -> Vec<String> {
    let seen = |is_of: &dyn Fn(&Impact) -> bool| {
        let tested = || results.impacts.iter().filter(|row| !row.p_adjusted.is_nan() && is_of(row));
        let mut rows: Vec<&Impact> = tested().filter(|row| row.p_adjusted < ALARM).collect();
        let size = |row: &Impact| row.difference.value.abs();
        rows.put_in_order_by(|a, b| size(b).total_cmp(&size(a)));
        rows.truncate(DRIVERS);
        // The largest of many differences are large partly by chance.
        let chosen = LEVEL.of_chosen(rows.len(), tested().count());
        let told = |of: &Estimate| of.at_level(LEVEL, chosen);
        let rows = rows.into_iter().map(|row| (row, told(&row.worth), told(&row.difference)));
        rows.collect::<Vec<_>>()
    };
    let mut told = Vec::new();
    let layout = &design.layout;
    let found = results.worths.iter().find(|row| row.unit == unit);
    let is_told_apart = found.is_some_and(|row| row.is_told_apart);
    for (row, worth, difference) in
        seen(&|row| row.unit == unit && matches!(row.of, Of::Factor(_) | Of::Bracket(_)))
    {
        let (preposition, noun) = match row.of {
            Of::Bracket(_) => ("at", format!("{} ", layout.bracket_noun)),
            Of::All | Of::Factor(_) | Of::Partner(_) => ("under", String::new()),
        };
        let worth = match is_told_apart {
            true => format!("{}, which is ", points(&worth.within(-1.0, 1.0))),
            false => String::new(),
        };
        told.push(format!(
            "{preposition} {noun}{} it is worth {worth}{} than in all other battles (p {})",
            row.of.name(design),
            by(&difference),
            p_value(row.p_adjusted),
        ));
    }
    let other = |row: &Impact| match row.of {
        Of::Partner(partner) if row.unit == unit => Some(partner),
        Of::Partner(partner) if partner == unit => Some(row.unit),
        Of::Partner(_) | Of::All | Of::Factor(_) | Of::Bracket(_) => None,
    };
    for (row, _, difference) in seen(&|row| other(row).is_some()) {
        let partner = other(row).unwrap_or_default();
        told.push(format!(
            "sides with it and {} score {} than the worths of all that they bring add up to (p {})",
            layout.units[partner].name,
            by(&difference),
            p_value(row.p_adjusted),
        ));
    }
    let mut abilities: Vec<&Replacement> = results
        .replacements
        .iter()
        .filter(|row| row.unit == unit && row.is_without() && row.p_adjusted < ALARM)
        .collect();
    let size = |row: &Replacement| row.worth.difference.value.abs();
    abilities.put_in_order_by(|a, b| size(b).total_cmp(&size(a)));
    abilities.truncate(DRIVERS);
    told.extend(abilities.iter().map(|row| {
        let Estimate { value, low, high } = row.worth.difference;
        format!(
            "without {} its side scores {} in the same battles (p {})",
            row.name(),
            by(&Estimate { value: -value, low: -high, high: -low }),
            p_value(row.p_adjusted),
        )
    }));
    told
}

pub(super) fn legend(page: &mut Page, design: &Design<'_>, results: &Results) {
    page.gap();
    let drawn = match (drawn(design).unwrap_or_default(), design.fixed.absorbs) {
        (nothing, _) if nothing.is_empty() => String::new(),
        (drawn, Absorbs::Places) => format!(
            " The {drawn} is the same for both sides, and both bring such as one contender could, so that no unit gains by where it is \
             brought."
        ),
        (drawn, Absorbs::Cells | Absorbs::Conditions | Absorbs::Factors) => {
            // Fixed line-ups consist of their cards, so nothing but the seat is left beside these.
            let whole = if design.layout.units_are_drawn { "side as a whole" } else { "seat" };
            format!(" What the {drawn} does to a {whole} is taken out.")
        }
        (drawn, Absorbs::TooFew(needed)) => format!(
            " What the {drawn} does to a side as a whole is in the worths of those that it alone brings: {}.",
            match needed {
                Some(battles) =>
                    format!("to take that out takes {} or more", counted(2 * battles, "battle")),
                None => "there are too many match-ups to take that out".to_owned(),
            }
        ),
    };
    let tables = match results.tables == WorthTable::ALL {
        true => "The tables `worth`, `impact` and `replacements` hold everything.",
        false => {
            "Without `--table` the tables `worth`, `impact` and `replacements` hold everything."
        }
    };
    let for_cost = match has_prices(results) {
        true => format!(
            " for its {0}: the same against an average unit of its kind at the same {0}, by a straight line.",
            design.cost_noun()
        ),
        false => design.engine.played_for().map_or_else(String::new, |noun| {
            format!(
                " What it takes to play a unit is not taken into account: it is compared with all of its kind, whatever their {noun} cost."
            )
        }),
    };
    let (of_copies, brought) = match has_copies(results) {
        true => (
            " Of a unit that a side brings several times it is the worth of each copy; what is played in the same battles \
             changes all copies of a side at once, and is worth what they are worth together.",
            "the share of the sides that bring a unit, and where any side brings several, how many each of these sides \
             brings on average",
        ),
        false => ("", "the share of the sides that bring a unit"),
    };
    let replaced = match results.replacements.is_empty() {
        true => "",
        false => {
            " Where a unit was replaced, or an ability left out: score is that of its side then, worth of it how much more the \
             side scored as it was, and ratio how many times as many battles of independent runs tell as much."
        }
    };
    page.line(&format!(
        "worth: how much more a side with a unit scores than one with an average unit of its kind, all else that both sides \
         bring being equal, as the model has it; drawn towards that average the more, the less is known, with an interval that contains the one without that where it \
         stands out.{of_copies}{for_cost}{drawn} brought: {brought}. \
         score: of all sides that bring it, whatever else they bring. Which units are brought is drawn or chosen, not assigned \
         one by one: only what is told of the same battles is caused by the change. place: where it may stand among its kind, \
         with 95% for all of the kind at once and not only for each by itself.{replaced} p is adjusted for every unit of a list \
         (Benjamini-Hochberg), of what one unit was replaced by (Holm). {tables}"
    ));
    page.toned(Tone::Quiet, INTERVALS);
}
