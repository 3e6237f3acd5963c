//! The text page of a forced order.

use super::results::is_told;
use super::{Battles, CausalEffect, Design, Played};
use crate::forcible::Otherwise;
use crate::game::Side;
use crate::report::figures::{
    brief_points, brief_rate, capital, counted, p_value, part, points, rate, whole,
};
use crate::report::page::{Align, Page, Style, Tone, Toned};
use crate::report::{ALARM, CHOSEN, INTERVALS, Treatment, forfeited, header};
use crate::sorting::Sorting;
use crate::statistics::Estimate;
use crate::table::{LEVEL, Provenance};
use crate::tally::OutcomeMeasure;

/// With more rows than this only the largest effects are shown.
const SHOWN: usize = 12;

/// Writes the page of a forced order: the effect of being first, beside the association.
#[must_use]
pub fn page(
    design: &Design<'_>,
    played: &Played,
    effects: &[CausalEffect],
    provenance: &Provenance,
    question: Option<&str>,
    style: Style,
) -> String {
    let mut page = Page::new(style);
    header(&mut page, provenance, question);
    let name = design.forcible.name;
    page.line(&format!("Forced: {name}, {}.", design.forcible.meaning));
    page.gap();
    let told: Vec<&CausalEffect> = effects.iter().filter(|row| is_told(design, row.side)).collect();
    let came_up = effects.first().map_or(0, |row| row.battles);
    if came_up == 0 {
        page.line(&format!(
            "It never came up in {}, so there is nothing to force.",
            counted(played.battles, "battle")
        ));
        return page.into_text();
    }
    let Lists { whole_rows, by_matchup, by_factor } = Lists::of(&told);
    let noun = design.layout().factor_noun;
    headline(&mut page, design, &whole_rows, &[("match-up", &by_matchup), (noun, &by_factor)]);
    if let [row] = whole_rows[..] {
        in_words(&mut page, design, row);
    }
    if let Otherwise::Always(first) = design.forcible.otherwise {
        page.line(&format!("Where nobody forces it side {first} is always the first."));
    }
    if by_matchup.is_empty() && whole_rows.len() > 1 {
        list(&mut page, design, "side", &whole_rows);
    }
    list(&mut page, design, "match-up", &by_matchup);
    list(&mut page, design, noun, &by_factor);
    page.gap();
    page.line(&format!(
        "{} was played as it came and again with {} forced, on common random numbers; the order came up in {}, which all \
         figures are about. The table `order_experiment` holds everything.",
        match played.battles {
            1 => "The one battle".to_owned(),
            battles => format!("Each of {}", counted(battles, "battle")),
        },
        if design.sides() == 2 { "the other side" } else { "each other side" },
        match played.battles {
            1 => "it".to_owned(),
            _ => format!("{} of them", whole(came_up)),
        },
    ));
    if let Some(forfeits) = forfeited(played.tally.forfeits(), Treatment::LeftOut, None) {
        page.line(&forfeits);
    }
    page.toned(Tone::Quiet, INTERVALS);
    page.into_text()
}

/// Effects, split by the battles that they are about.
pub(super) struct Lists<'e> {
    pub whole_rows: Vec<&'e CausalEffect>,
    pub by_matchup: Vec<&'e CausalEffect>,
    pub by_factor: Vec<&'e CausalEffect>,
}

impl<'e> Lists<'e> {
    pub(super) fn of(told: &[&'e CausalEffect]) -> Self {
        let of = |is_wanted: fn(Battles) -> bool| {
            told.iter().copied().filter(|row| is_wanted(row.of)).collect()
        };
        Self {
            whole_rows: of(|of| of == Battles::All),
            by_matchup: of(|of| matches!(of, Battles::OfMatchup(_))),
            by_factor: of(|of| matches!(of, Battles::WithFactor(_))),
        }
    }
}

/// The label of a row: its match-up, factor or side, with the side where there is more than one hypothesis.
pub(super) fn label(design: &Design<'_>, row: &CausalEffect) -> String {
    let (layout, side) = (design.layout(), Side(row.side as u8));
    let of_side = |label: &str| match is_told(design, 1) {
        false => label.to_owned(),
        true => format!("{label}, side {side}"),
    };
    match (row.of, &layout.matchups[..]) {
        (Battles::OfMatchup(at), matchups) => of_side(&matchups[at].label()),
        (Battles::WithFactor(at), _) => of_side(&layout.factors[at]),
        (Battles::All, [only]) if is_told(design, 1) => {
            format!("{side} ({})", only.contenders[side.index()])
        }
        (Battles::All, [only]) => only.label(),
        (Battles::All, _) => side.to_string(),
    }
}

/// States whether being first changes who wins: over all battles, or in some of them, by noun.
pub(super) fn headline(
    page: &mut Page,
    design: &Design<'_>,
    whole_rows: &[&CausalEffect],
    parts: &[(&str, &[&CausalEffect])],
) {
    let is_found = |row: &&&CausalEffect| row.p_adjusted < ALARM;
    let known = || whole_rows.iter().filter(|row| !row.effect.difference.value.is_nan());
    // As p is, so that no interval says what the sentence does not.
    let several = known().count() as u64;
    let level = LEVEL.shared_by(several);
    let allowing = match several {
        1 => String::new(),
        _ => format!(" (intervals adjusted for {several} sides)"),
    };
    let worth = |row: &&CausalEffect| {
        let worth = points(&row.effect.difference.at_level(LEVEL, level).within(-1.0, 1.0));
        match whole_rows.len() == 1 && !is_told(design, 1) {
            true => format!("{worth} to a side, compared with not being the first"),
            false => format!("{worth} to side {}", Side(row.side as u8)),
        }
    };
    if whole_rows.iter().all(|row| row.effect.difference.value.is_nan()) {
        let few = match design.measure {
            OutcomeMeasure::Decided => {
                "Too few battles were decided to say what being the first is worth; more (`--battles`) may tell."
            }
            OutcomeMeasure::Score | OutcomeMeasure::Wins => {
                "Too few battles to say what being the first is worth: play more with `--battles`."
            }
        };
        return page.toned(Tone::NotVisible, few);
    }
    let worth = known().map(worth).collect::<Vec<_>>().join(", ") + &allowing;
    let found = parts.iter().find(|(_, rows)| rows.iter().any(|row| is_found(&row)));
    if whole_rows.iter().any(|row| is_found(&row)) {
        page.toned(
            Tone::Favoured,
            &format!("Being the first changes who wins: it is worth {worth}."),
        );
    } else if let Some((noun, rows)) = found {
        let found = rows.iter().filter(is_found).count() as u64;
        let comparisons = match design.sides() == 2 && !is_told(design, 1) {
            true => counted(rows.len() as u64, noun),
            false => format!("{} by {noun}", counted(rows.len() as u64, "comparison")),
        };
        page.toned(
            Tone::Favoured,
            &format!(
                "Being the first changes who wins in {} of {comparisons}; over all battles no difference is visible: it is worth \
                 {worth}.",
                whole(found),
            ),
        );
    } else if whole_rows.iter().all(|row| row.p_adjusted.is_nan()) {
        page.toned(
            Tone::NotVisible,
            &format!(
                "Too few battles to test whether being the first makes a difference: it is worth {worth}. Play more with `--battles`."
            ),
        );
    } else {
        page.toned(
            Tone::NotVisible,
            &format!("Being the first makes no visible difference: it is worth {worth}."),
        );
    }
}

/// States the scores behind an effect, and the association.
pub(super) fn in_words(page: &mut Page, design: &Design<'_>, row: &CausalEffect) {
    if row.effect.difference.value.is_nan() {
        return;
    }
    let (verb, of_what) = (design.measure.verb(), design.measure.of_what());
    let [as_it_comes, first, not_first] = &row.scores;
    let side = Side(row.side as u8);
    page.line(&format!(
        "Side {side} {verb} {}{of_what} when it is the first and {} when it is not, {} as the battles come.",
        rate(first),
        rate(not_first),
        rate(as_it_comes)
    ));
    let share = rate(&row.share);
    match &design.forcible.otherwise {
        Otherwise::Always(_) => {}
        Otherwise::AsObserved(_) | Otherwise::AsDrawn(_) if row.association.value.is_nan() => page
            .line(&format!(
                "Where nobody forces it side {side} is the first in {share} of the battles: there is nothing to compare \
                 within a match-up."
            )),
        Otherwise::AsObserved(_) | Otherwise::AsDrawn(_) => page.line(&format!(
            "Where nobody forces it side {side} is the first in {share} of the battles, and its {} there is {} against the \
             other battles. {}",
            design.measure.figure(),
            points(&row.association),
            compared(design, row)
        )),
    }
}

/// A clause that compares the association with the effect.
fn compared(design: &Design<'_>, row: &CausalEffect) -> &'static str {
    let (effect, seen) = (&row.effect.difference, &row.association);
    let apart = effect.high < seen.low || seen.high < effect.low;
    match (design.is_drawn(), apart) {
        (true, _) => "Chance alone decides it there, so both estimate the same effect.",
        (false, true) => {
            "That goes with it and is not its doing: whatever makes a side the first makes it win more or less, too."
        }
        (false, false) => {
            "What goes with it differs from what it does by no more than chance would."
        }
    }
}

/// Writes a table of effects by match-up, side or factor.
fn list(page: &mut Page, design: &Design<'_>, noun: &str, rows: &[&CausalEffect]) {
    if rows.is_empty() {
        return;
    }
    page.heading(&format!("By {noun}"));
    let mut rows = rows.to_vec();
    let few = rows.iter().filter(|row| row.p_adjusted.is_nan()).count() as u64;
    // A handful of battles give intervals wider than the range of possible values.
    rows.retain(|row| !row.p_adjusted.is_nan());
    let tested = rows.len();
    if rows.is_empty() {
        return page.line("None was tested, for want of battles: `--battles` asks for more.");
    }
    let found = rows.iter().filter(|row| row.p_adjusted < ALARM).count();
    if tested > SHOWN {
        let size = |row: &CausalEffect| row.effect.difference.value.abs();
        rows.put_in_order_by(|a, b| size(b).total_cmp(&size(a)));
        rows.truncate(SHOWN);
    }
    let is_one_sided = !is_told(design, 1);
    // The largest of many estimates are partly chance: their intervals allow for the selection.
    let chosen = LEVEL.of_chosen(rows.len(), tested);
    let told = |of: &Estimate, least: f64| of.at_level(LEVEL, chosen).within(least, 1.0);
    let seen = |row: &CausalEffect| match row.association.value.is_nan() {
        true => String::new(),
        false => brief_points(&told(&row.association, -1.0)),
    };
    let is_seen = rows.iter().any(|row| !row.association.value.is_nan());
    // Where the list is of parts of the battles, both scores are left to the table: the lines would not hold them.
    let has_scores = !rows.iter().any(|row| matches!(row.of, Battles::WithFactor(_)));
    let cells = rows.iter().map(|row| {
        let mut cells = vec![label(design, row)];
        if has_scores {
            cells.extend(
                [1, 2].map(|at| brief_rate(&told(&row.scores[at], 0.0), design.layout().sides)),
            );
        }
        let effect = told(&row.effect.difference, -1.0);
        cells.extend([brief_points(&effect), p_value(row.p_adjusted)]);
        cells.extend(is_seen.then(|| seen(row)));
        cells
    });
    let mut columns = vec![(noun, Align::Left)];
    if has_scores {
        let who = if is_one_sided { ["A first", "B first"] } else { ["first", "not first"] };
        columns.extend(who.map(|name| (name, Align::Right)));
    }
    columns.extend([("effect", Align::Right), ("p", Align::Right)]);
    columns.extend(is_seen.then_some(("goes with it", Align::Right)));
    let at = if has_scores { 3 } else { 1 };
    let tone = |row: &&CausalEffect| {
        Some((at, Tone::of_change(row.effect.difference.value, row.p_adjusted < ALARM)))
    };
    let tones: Vec<Toned> = rows.iter().map(tone).collect();
    page.toned_table(&columns, cells.collect(), &tones);
    let hidden = match tested - rows.len() {
        0 => String::new(),
        1 => " The smallest is not shown.".to_owned(),
        hidden => format!(" The {} smallest are not shown.", whole(hidden as u64)),
    };
    let hidden = if hidden.is_empty() { hidden } else { format!("{hidden} {CHOSEN}") };
    let verdict = format!(
        "{} significant (family-wise error rate at most 5%, Holm).",
        part(found as u64, tested as u64, "")
    );
    page.line(&format!(
        "{verdict}{hidden}{} {}{}.",
        match few {
            0 => String::new(),
            few => format!(" {} came up in too few battles to be tested.", whole(few)),
        },
        match has_scores {
            true => format!(
                "{} of {}; effect: the first less the second, from the same battles",
                capital(design.measure.figure()),
                if is_one_sided { "side A" } else { "the side named" },
            ),
            false => format!(
                "Effect: the {} when it is the first less that when it is not, from the same battles",
                design.measure.figure()
            ),
        },
        match is_seen {
            true => "; goes with it: what a side has more where it is the first by itself, whatever brings both about",
            false => "",
        },
    ));
}
