//! What being the first is worth, on a page.

use super::results::is_told;
use super::{CausalEffect, Design, Played};
use crate::forcible::Otherwise;
use crate::game::Side;
use crate::report::figures::{brief_points, brief_rate, counted, p_value, points, rate, whole};
use crate::report::page::{Align, Page, Style, Tone};
use crate::report::{ALARM, header};
use crate::table::Provenance;

/// With more rows than this only the largest effects are shown.
const SHOWN: usize = 12;

/// What being the first is worth, beside what goes with it.
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
    let several = design.layout().matchups.len() > 1;
    let (whole_rows, each): (Vec<&CausalEffect>, Vec<&CausalEffect>) =
        told.into_iter().partition(|row| !several || row.matchup.is_none());
    headline(&mut page, design, &whole_rows, &each);
    if let [row] = whole_rows[..] {
        in_words(&mut page, design, row);
    }
    if let Otherwise::Always(first) = design.forcible.otherwise {
        page.line(&format!("Where nobody forces it side {first} is always the first."));
    }
    if several || whole_rows.len() > 1 {
        list(&mut page, design, if several { &each } else { &whole_rows });
    }
    page.gap();
    page.line(&format!(
        "Each of {} was played as it came and again with {} forced, on common random numbers; the order came up in {} of them, \
         which all figures are about. The table `order_experiment` holds everything.",
        counted(played.battles, "battle"),
        if design.sides() == 2 { "the other side" } else { "each other side" },
        whole(came_up),
    ));
    page.toned(
        Tone::Quiet,
        "In parentheses or after ±: 95% confidence intervals; about one in 20 misses the true value.",
    );
    page.into_text()
}

/// Whether being the first changes who wins: over all match-ups, or in some.
pub(super) fn headline(
    page: &mut Page,
    design: &Design<'_>,
    whole_rows: &[&CausalEffect],
    each: &[&CausalEffect],
) {
    let is_found = |row: &&&CausalEffect| row.p_adjusted < ALARM;
    let worth = |row: &&CausalEffect| {
        let worth = points(&row.effect.difference);
        match whole_rows.len() == 1 && !is_told(design, 1) {
            true => format!("{worth} to a side"),
            false => format!("{worth} to side {}", Side(row.side as u8)),
        }
    };
    let worth = whole_rows.iter().map(worth).collect::<Vec<_>>().join(", ");
    let found = each.iter().filter(is_found).count() as u64;
    if whole_rows.iter().any(|row| is_found(&row)) {
        page.toned(Tone::Found, &format!("Being the first changes who wins: it is worth {worth}."));
    } else if found > 0 {
        page.toned(
            Tone::Found,
            &format!(
                "Being the first changes who wins in {} of {}, one way here and the other way there: over all it is worth \
                 {worth}.",
                whole(found),
                counted(each.len() as u64, "comparison"),
            ),
        );
    } else {
        page.toned(
            Tone::NotFound,
            &format!("Being the first makes no visible difference: it is worth {worth}."),
        );
    }
}

/// The scores behind it, and what goes with it.
pub(super) fn in_words(page: &mut Page, design: &Design<'_>, row: &CausalEffect) {
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
            design.measure.noun(),
            points(&row.association),
            compared(design, row)
        )),
    }
}

/// What the association says beside the effect.
fn compared(design: &Design<'_>, row: &CausalEffect) -> &'static str {
    let (effect, seen) = (&row.effect.difference, &row.association);
    let apart = effect.high < seen.low || seen.high < effect.low;
    match (design.is_drawn(), apart) {
        (true, _) => {
            "Chance alone decides it there, so both estimate the same effect, this one more closely."
        }
        (false, true) => {
            "That goes with it and is not its doing: whatever makes a side the first makes it win more or less, too."
        }
        (false, false) => {
            "What goes with it differs from what it does by no more than chance would."
        }
    }
}

/// Match-up by match-up.
fn list(page: &mut Page, design: &Design<'_>, rows: &[&CausalEffect]) {
    page.heading(if design.layout().matchups.len() > 1 { "By match-up" } else { "By side" });
    let mut rows = rows.to_vec();
    let all = rows.len();
    let tested = rows.iter().filter(|row| !row.p_adjusted.is_nan()).count();
    let found = rows.iter().filter(|row| row.p_adjusted < ALARM).count();
    if all > SHOWN {
        let size = |row: &CausalEffect| row.effect.difference.value.abs();
        rows.sort_by(|a, b| size(b).total_cmp(&size(a)));
        rows.truncate(SHOWN);
    }
    let is_one_sided = !is_told(design, 1);
    let name = |row: &CausalEffect| {
        let matchup = &design.layout().matchups[row.matchup.unwrap_or(0)];
        let (label, side) = (matchup.label(), Side(row.side as u8));
        match (is_one_sided, design.layout().matchups.len()) {
            (true, _) => label,
            (false, 1) => format!("{side} ({})", matchup.contenders[side.index()]),
            (false, _) => format!("{label}, side {side}"),
        }
    };
    let seen = |row: &CausalEffect| match row.association.value.is_nan() {
        true => String::new(),
        false => brief_points(&row.association),
    };
    let is_seen = rows.iter().any(|row| !row.association.value.is_nan());
    let cells = rows.iter().map(|row| {
        let mut cells = vec![
            name(row),
            brief_rate(&row.scores[1]),
            brief_rate(&row.scores[2]),
            brief_points(&row.effect.difference),
            p_value(row.p_adjusted),
        ];
        cells.extend(is_seen.then(|| seen(row)));
        cells
    });
    let who = if is_one_sided { "A first" } else { "first" };
    let who_not = if is_one_sided { "B first" } else { "not first" };
    let mut columns = vec![
        (if design.layout().matchups.len() > 1 { "match-up" } else { "side" }, Align::Left),
        (who, Align::Right),
        (who_not, Align::Right),
        ("effect", Align::Right),
        ("p", Align::Right),
    ];
    columns.extend(is_seen.then_some(("goes with it", Align::Right)));
    page.table(&columns, cells.collect());
    let hidden = match all - rows.len() {
        0 => String::new(),
        hidden => format!(" The {} smallest are not shown.", whole(hidden as u64)),
    };
    page.line(&format!(
        "{} of {} are significant (family-wise error rate at most 5%, Holm).{hidden} {} of {}; effect: the first less the \
         second, from the same battles{}.",
        whole(found as u64),
        whole(tested as u64),
        capital(design.measure.noun()),
        if is_one_sided { "side A" } else { "the side named" },
        match is_seen {
            true => "; goes with it: what a side has more where it is the first by itself, whatever brings both about",
            false => "",
        },
    ));
}

pub(super) fn capital(word: &str) -> String {
    let mut letters = word.chars();
    letters.next().map_or_else(String::new, |first| first.to_uppercase().chain(letters).collect())
}
