//! The text page of a tuning.

use super::results::{CONFIDENCE, Leads, Premise, Verdict};
use super::{Contender, How, Objective, Tuning, shares};
use crate::report::figures::{brief_points, capital, counted, fixed, joined, named, p_value};
use crate::report::page::{Align, Page, Style, Tone, Toned};
use crate::report::{ALARM, Treatment, share_of_battles, treated};
use crate::sorting::Sorting;
use crate::statistics::{Equivalence, Estimate, as_sure};
use crate::tally::{Forfeits, Layout, OutcomeMeasure};

/// The noun for those who should be even, where they are sides.
pub(super) const CONTENDER: &str = "contender";
/// The most contenders that have a line each.
const MOST_CONTENDERS: usize = 12;

/// Writes the page of a tuning: whether everybody is even now, by fresh battles; how uneven it was; the weights that
/// achieve it; and what other limits would give.
#[must_use]
pub fn tuning(tuning: &Tuning<'_>, style: Style) -> String {
    let mut page = Page::new(style);
    if let Some(question) = tuning.question {
        page.toned(Tone::Bold, question);
    }
    page.line(tuning.heading);
    if let Some(choices) = tuning.played.layout.choices() {
        page.line(&choices);
    }
    page.gap();
    verdict(&mut page, tuning);
    forfeits(tuning).iter().for_each(|line| page.line(line));
    leads(&mut page, tuning);
    weights(&mut page, tuning);
    trade_off(&mut page, tuning);
    for_the_scenario(&mut page, tuning);
    page.into_text()
}

/// How many battles are forfeits under the scenario's weights and under the new ones, if any are.
pub(super) fn forfeits(tuning: &Tuning<'_>) -> Option<String> {
    let forfeits = Forfeits::of(&tuning.played.tally.matchups);
    if forfeits.unfought == 0 {
        return None;
    }
    let [before, after] = [&tuning.odds_before(), &tuning.tuned.probabilities]
        .map(|odds| share_of_battles(tuning.unfought(odds)));
    let after = after.to_lowercase();
    Some(format!(
        "{before} of the battles are forfeits with the scenario's weights and {after} with the new ones, because a team may not \
         be brought. {}",
        treated(&forfeits, Treatment::Scored)
    ))
}

/// A lead in points without its sign: two decimals where it is small.
pub(super) fn size(of: f64) -> String {
    let points = 100.0 * of;
    if points < 1.0 { format!("{points:.2}") } else { format!("{points:.1}") }
}

/// A bound of a lead in points without its sign, with as many digits as are needed to see on which side of the margin
/// it is.
pub(super) fn bound(of: f64, within: f64) -> String {
    let digits = if 100.0 * of < 1.0 { 2 } else { 1 };
    let told = |digits: usize| format!("{:.digits$}", 100.0 * of);
    let is_told = |text: &String| {
        let rounded = text.parse::<f64>().unwrap_or(f64::NAN);
        rounded.partial_cmp(&(100.0 * within)) == of.partial_cmp(&within)
    };
    (digits..5).map(told).find(is_told).unwrap_or_else(|| told(5))
}

/// Whose a lead is: one of these, and that the others are off by as much.
pub(super) fn whose(names: &[&str]) -> String {
    /// How many are named.
    const NAMED: usize = 3;
    match names {
        [one] => (*one).to_owned(),
        [one, other] => format!("{one}; {other} is off by as much"),
        [one, others @ ..] if others.len() <= NAMED => {
            format!("{one}; {} are off by as much", joined(others))
        }
        [one, others @ ..] => format!("{one}; {} are off by as much", named(others, NAMED)),
        [] => String::new(),
    }
}

/// The margin in percentage points, with the digits that it was given with.
pub(super) fn margin(within: f64) -> String {
    let text = format!("{:.4}", 100.0 * within);
    let text = text.trim_end_matches('0').trim_end_matches('.').to_owned();
    let unit = if text == "1" { "percentage point" } else { "percentage points" };
    format!("±{text} {unit}")
}

/// States the confidence of a verdict's bounds. They are one-sided, so that the intervals of the tables reach farther.
pub(super) fn confidence(leads: usize) -> String {
    match leads {
        1 => "95% confidence, one-sided".to_owned(),
        leads => format!("95% confidence, one-sided, all {leads} leads at once"),
    }
}

pub(super) fn verdict(page: &mut Page, tuning: &Tuning<'_>) {
    let margin = margin(tuning.within);
    let state = if tuning.has_targets() { "on target" } else { "even" };
    let Some(confirmed) = tuning.confirmed else {
        page.toned(
            Tone::Against,
            "Ended early, before fresh battles could confirm anything. The leads below are predictions from the battles that \
             the weights were fitted to, and too small.",
        );
        return;
    };
    let Some(found) = tuning.verdict() else {
        page.toned(
            Tone::Against,
            &format!(
                "Not shown {state} within {margin}: in {} some draws or {}s never came up, so that their leads are not \
                 known. More of them (`--confirm`) tell.",
                counted(confirmed.battles, "fresh battle"),
                tuning.contender_noun
            ),
        );
        return;
    };
    let Verdict { result, leads, largest, battles_needed, premise, .. } = found;
    let count = tuning.played.contenders.len();
    let all = confidence(count);
    let more = match fits_better_than_it_holds(tuning) && are_told_apart(tuning) {
        true => {
            " Weights that are fitted to more battles (`--battles`) can be expected to do better."
        }
        false => "",
    };
    let (tone, text) = match result {
        Equivalence::Shown => (
            Tone::Favoured,
            format!(
                "{} within {margin} ({all}): in fresh battles the largest lead is {} points; the true one is at most {}.",
                capital(state),
                size(largest.value),
                bound(largest.high, tuning.within)
            ),
        ),
        Equivalence::Open => {
            let remedy = match (battles_needed, premise) {
                (Some(battles), Premise::NoLeads) => format!(
                    "What is seen is no larger than chance explains; if all are exactly {state}, about {} (`--confirm {battles}`) would \
                     show it in four of five tunings.",
                    counted(battles, "fresh battle")
                ),
                (Some(battles), Premise::AsTheySeem) => format!(
                    "To show it needs about {} (`--confirm {battles}`), if the leads are what they seem.",
                    counted(battles, "fresh battle")
                ),
                (None, Premise::NoLeads) => String::new(),
                (None, Premise::AsTheySeem) => format!(
                    "If the leads are what they seem, no number of fresh battles shows it: the largest is visibly more than 0, \
                     and seems to be as large as that.{more}"
                ),
            };
            let text = format!(
                "Not shown {state} within {margin}: the largest lead may be as large as {} points ({all}). {remedy}",
                bound(largest.high, tuning.within)
            );
            (Tone::Against, text.trim_end().to_owned())
        }
        Equivalence::Refuted => {
            let name = |at: usize| tuning.played.contenders[at].name.as_str();
            let tied: Vec<&str> =
                as_sure(leads.all(), largest.surest).into_iter().map(name).collect();
            let always = tuning.leads_always(largest.surest).filter(|least| *least > tuning.within);
            let more = always.map_or_else(
                || more.to_owned(),
                |least| {
                    format!(
                        " No weights can change that: in the battles that the weights were fitted to, the lead of {} is at least {} \
                         points under every single draw.",
                        name(largest.surest),
                        size(least)
                    )
                },
            );
            let text = format!(
                "Not {state} within {margin} ({all}): the largest lead is at least {} points, that of {}.{more}",
                bound(largest.low, tuning.within),
                whose(&tied)
            );
            (Tone::Against, text)
        }
    };
    page.toned(tone, &text);
    let before = tuning.deviations(&tuning.played.standings(), &tuning.odds_before());
    if let Some(before) = before {
        let mut text = format!(
            "With the scenario's weights it was {} points in the battles that the new ones were fitted to, now it is {} in fresh ones",
            known_size(&before.of_largest(CONFIDENCE)),
            known_size(&leads.of_largest(CONFIDENCE))
        );
        if count > 2 {
            text.push_str(&format!(
                "; the typical lead (root mean square) was {} and is {}. The largest of {count} is too large on average: by \
                 chance alone one of {} points is to be expected where all are {state}",
                known_size(&before.of_typical(CONFIDENCE)),
                known_size(&leads.of_typical(CONFIDENCE)),
                size(largest.by_chance)
            ));
        }
        page.line(&format!("{text}. In parentheses: 95% confidence intervals."));
    }
}

/// The size of a lead in points with its interval, all three with the same number of decimals.
pub(super) fn known_size(of: &Estimate) -> String {
    let digits = if of.high < 0.01 || of.value < 0.01 { 2 } else { 1 };
    let [value, low, high] = [of.value, of.low, of.high].map(|of| fixed(100.0 * of, digits));
    format!("{value} ({low} to {high})")
}

/// The sentence for a tuning whose weights may fit nothing but chance; None where leads visibly differ between
/// conditions.
pub(super) fn matters_nothing(tuning: &Tuning<'_>) -> Option<String> {
    let alike = tuning.same_under_every_draw();
    (alike >= ALARM).then(|| {
        format!(
            "Nothing shows that weights matter here: leads differ from draw to draw by no more than chance makes them (p = {}), \
             in the battles that the weights were fitted to.",
            p_value(alike)
        )
    })
}

/// Whether leads visibly differ between conditions: otherwise weights fit nothing but chance.
fn are_told_apart(tuning: &Tuning<'_>) -> bool {
    tuning.same_under_every_draw() < ALARM
}

/// Whether all leads are well within the margin in the battles that the weights were fitted to: then leads that remain
/// in fresh ones come from how few battles the weights were fitted to.
fn fits_better_than_it_holds(tuning: &Tuning<'_>) -> bool {
    let fitted = tuning.deviations(&tuning.played.standings(), &tuning.tuned.probabilities);
    fitted.is_some_and(|leads| leads.largest(CONFIDENCE).value < tuning.within / 2.0)
}

/// What leads hold besides who is how strong: sentences after a space, or nothing.
pub(super) fn besides_strength(noun: &str, layout: &Layout, measure: OutcomeMeasure) -> String {
    let mut told = String::new();
    if noun == CONTENDER && !layout.has_balanced_seats() {
        told += " Not everybody takes every seat equally often: a lead holds the advantage of a seat, too.";
    }
    if noun == CONTENDER && !layout.has_balanced_opponents() {
        told += " Contenders meet different opponents: a lead holds how strong these are, too.";
    }
    if measure == OutcomeMeasure::Wins {
        told += " A battle that nobody wins counts against all: with such battles not all can be even, not even equals. \
                 `--measure score` shares them.";
    }
    told
}

fn leads(page: &mut Page, tuning: &Tuning<'_>) {
    let mut leads: Vec<(&Contender, Leads)> =
        tuning.played.contenders.iter().zip(tuning.leads()).collect();
    let (noun, targets) = (tuning.contender_noun, tuning.has_targets());
    let even = OutcomeMeasure::even(tuning.played.layout.sides);
    let measured = tuning.played.measure.in_full();
    let above = match targets {
        true => "its target".to_owned(),
        false => format!("even, {}%", (1000.0 * even).round() / 10.0),
    };
    page.line(&format!(
        "A lead is a {noun}'s {measured} less {above}, in points. Predicted: from the battles that the weights were fitted \
         to. Confirmed: from fresh ones. After ± or by - and +: 95% confidence intervals of each lead alone.{}",
        besides_strength(noun, tuning.played.layout, tuning.played.measure)
    ));
    page.gap();
    if leads.len() > MOST_CONTENDERS {
        page.line(&format!(
            "The {MOST_CONTENDERS} of {} that were furthest off (`--json` has all):",
            leads.len()
        ));
        let size = |leads: &Leads| leads.before.value.abs();
        leads.put_in_order_by(|(_, a), (_, b)| {
            size(b).partial_cmp(&size(a)).unwrap_or_else(|| size(a).is_nan().cmp(&size(b).is_nan()))
        });
        leads.truncate(MOST_CONTENDERS);
    }
    let row = |(contender, leads): &(&Contender, Leads)| {
        let mut row = vec![contender.name.clone()];
        row.extend(targets.then(|| format!("{:.1}%", 100.0 * contender.target)));
        row.extend([bare(&leads.before), bare(&leads.predicted)]);
        row.extend(leads.confirmed.as_ref().map(bare));
        row
    };
    let mut columns = vec![(noun, Align::Left)];
    columns.extend(targets.then_some(("target", Align::Right)));
    columns.extend([("lead before", Align::Right), ("predicted", Align::Right)]);
    columns.extend(tuning.confirmed.map(|_| ("confirmed", Align::Right)));
    let at = columns.len() - 1;
    let tone = |(_, leads): &(&Contender, Leads)| {
        Some((at, Tone::of(leads.confirmed.as_ref().unwrap_or(&leads.predicted), 0.0)))
    };
    let tones: Vec<Toned> = leads.iter().map(tone).collect();
    page.toned_table(&columns, leads.iter().map(row).collect(), &tones);
}

/// A lead in points without the unit: `+5.6 ±0.2`.
fn bare(lead: &Estimate) -> String {
    if lead.value.is_nan() { "not known".to_owned() } else { brief_points(lead).replace(" pp", "") }
}

fn weights(page: &mut Page, tuning: &Tuning<'_>) {
    let model = tuning.played.model;
    let before = shares(model, &tuning.odds_before());
    let after = shares(model, &tuning.tuned.probabilities);
    let noun = tuning.played.layout.factor_noun;
    page.heading(&format!("Weights of each {noun}"));
    let mut order: Vec<usize> = (0..before.len()).filter(|&at| model.weights()[at] > 0.0).collect();
    let weight = |at: usize| tuning.tuned.weights[at];
    order.put_in_order_by(|&a, &b| weight(b).total_cmp(&weight(a)).then(a.cmp(&b)));
    let limited = order.iter().any(|&at| !tuning.limit(at, after[at]).is_empty());
    let rows = order.iter().map(|&at| {
        let spread = tuning.tuned.spread.as_ref().map(|spread| spread[at]);
        let mut row = vec![
            model.names()[at].clone(),
            format!("{}", model.weights()[at]),
            match spread {
                Some((low, high)) => format!("{:.3} ({low:.2} to {high:.2})", weight(at)),
                None => format!("{:.3}", weight(at)),
            },
            format!("{:.1}% to {:.1}%", 100.0 * before[at], 100.0 * after[at]),
        ];
        row.extend(limited.then(|| tuning.limit(at, after[at])));
        row
    });
    let mut columns = vec![
        (noun, Align::Left),
        ("was", Align::Right),
        ("weight", Align::Right),
        ("share", Align::Right),
    ];
    columns.extend(limited.then_some(("limit", Align::Left)));
    page.table(&columns, rows.collect());
    let mut notes = String::new();
    if tuning.tuned.spread.is_some() {
        notes.push_str(
            "In parentheses: 95% bootstrap intervals. A wide one says that many weights do nearly as well. ",
        );
    }
    let outside: Vec<&str> = order
        .iter()
        .filter(|&&at| {
            let (low, high) = tuning.limits.bounds[at];
            !(low..=high).contains(&model.weights()[at])
        })
        .map(|&at| model.names()[at].as_str())
        .collect();
    if !outside.is_empty() {
        notes.push_str(&format!(
            "The scenario's own weights of {} are outside the bounds, which moved them.",
            outside.join(", ")
        ));
    }
    page.line(notes.trim_end());
    if let Some(nothing) = matters_nothing(tuning) {
        page.line(&nothing);
    }
    let least = order.iter().map(|&at| after[at]).fold(f64::INFINITY, f64::min);
    if least < tuning.limits.rarest {
        page.line(&format!(
            "No weights within the limits were found that give every {noun} {:.1}% of the battles: the rarest has {:.1}%.",
            100.0 * tuning.limits.rarest,
            100.0 * least
        ));
    }
}

fn trade_off(page: &mut Page, tuning: &Tuning<'_>) {
    page.heading("Evenness against closeness");
    let points = |of: f64| format!("{:.2}", 100.0 * of);
    let priced = tuning.aim.price > 0.0;
    let rows = tuning.trade_off.iter().map(|row| {
        let how = how(row.how);
        vec![
            format!("{how}{}", if row.chosen { " (chosen)" } else { "" }),
            points(row.largest),
            points(row.typical),
            format!("{:.1}%", 100.0 * row.moved),
            format!("×{:.2}", row.factor),
        ]
    });
    let first = if priced { "doubling a weight costs" } else { "weights at most" };
    page.table(
        &[
            (first, Align::Left),
            ("largest lead", Align::Right),
            ("typical lead", Align::Right),
            ("draws changed", Align::Right),
            ("most moved", Align::Right),
        ],
        rows.collect(),
    );
    let objective = match tuning.aim.objective {
        Objective::Squares => "the sum of the squared leads",
        Objective::Largest => "the largest lead",
    };
    // Leads are known best, or nearly so, under the weights that were chosen.
    let widest = tuning.leads().into_iter().map(|of| of.predicted.high - of.predicted.value);
    let widest = widest.filter(|half| half.is_finite()).fold(0.0, f64::max);
    let known = format!("such battles tell a single lead to ±{} at the widest", size(widest));
    page.line(&format!(
        "What makes {objective} smallest within each limit, predicted from the battles that the weights were fitted to, in \
         points: too small as far as weights fit chance, for {known}. As they are, nothing is fitted: the typical lead is without \
         its noise, and chance makes the largest too large. Draws changed: the share of battles that are drawn otherwise than now. Most moved: the factor by which the \
         weight changes that changes most.",
    ));
}

/// The limit or the price on moving, in words.
pub(super) fn how(how: How) -> String {
    match how {
        How::AtMost(1.0) => "as they are".to_owned(),
        How::AtMost(factor) => format!("×{factor} or ÷{factor}"),
        How::Bounds => "within the bounds".to_owned(),
        How::Price(0.0) => "nothing".to_owned(),
        How::Price(price) => format!("{:.2} pp", 100.0 * price),
    }
}

fn for_the_scenario(page: &mut Page, tuning: &Tuning<'_>) {
    let model = tuning.played.model;
    page.heading("For the scenario");
    if tuning.tuned.weights == model.weights() {
        return page.line("Nothing to change: no weight has moved.");
    }
    for line in tuning.lines.lines() {
        page.verbatim(line);
    }
    page.gap();
    page.line(
        "These lines are all of `[rulesets.weights]`, in the place of what the scenario has there. `--write-scenario FILE` writes \
         the scenario with them.",
    );
}
