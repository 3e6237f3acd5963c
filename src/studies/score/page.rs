//! The page of `evens score`: how good the forecasts were.

use crate::report::figures::{counted, halves, p_value, rate, signed};
use crate::report::page::{Align, Page, Style, Tone};
use crate::report::{INTERVALS, header};
use crate::statistics::{Bin, Estimate, Score};
use crate::studies::score::{Known, Scored};
use crate::table::Provenance;

/// The largest number of rulesets, and of battles held impossible, that is shown.
const SHOWN: usize = 10;
/// Forecasts are called compatible with what happened if the p-value is at least this.
const COMPATIBLE: f64 = 0.05;
/// The part of the log loss that comes from few runs is mentioned when it exceeds this share of the expected log loss.
const TELLING: f64 = 0.02;
/// The width of the calibration curve in characters.
const CURVE: usize = 31;

/// The page that `evens score` prints: accuracy, Brier score and log loss, the calibration, and the rulesets whose
/// forecasts fit least.
#[must_use]
pub fn score(
    known: &[Known],
    scored: &Scored,
    provenance: &Provenance,
    runs: u64,
    style: Style,
) -> String {
    let mut page = Page::new(style);
    header(&mut page, provenance, None);
    if known.is_empty() {
        page.line("No line-up was simulated to its end, so that there is nothing to score.");
        return page.into_text();
    }
    page.line(&format!(
        "{} {} simulated {}.",
        counted(known.len() as u64, "line-up"),
        if known.len() == 1 { "was" } else { "were each" },
        counted(runs, "time")
    ));
    page.gap();
    if let Some(decided) = &scored.decided {
        verdict(&mut page, decided);
        scores(&mut page, decided, runs);
    }
    impossible(&mut page, known, scored);
    draws(&mut page, scored);
    calibration(&mut page, scored);
    groups(&mut page, scored);
    page.gap();
    page.line(INTERVALS);
    page.into_text()
}

fn verdict(page: &mut Page, decided: &Score) {
    let z = decided.log_loss_z;
    if z.is_nan() {
        page.line(
            "In no line-up did both teams win simulations, so that nothing tells how far the forecasts can be trusted.",
        );
    } else if decided.log_loss_p >= COMPATIBLE {
        page.toned(Tone::Favoured, "The forecasts are compatible with what happened.");
    } else if z > 0.0 {
        page.toned(Tone::Against, "The forecasts are overconfident.");
    } else {
        page.toned(Tone::Against, "The forecasts are underconfident.");
    }
}

fn scores(page: &mut Page, decided: &Score, runs: u64) {
    page.gap();
    let z = |z: f64| if z.is_nan() { String::new() } else { signed(z, 2) };
    let rows = vec![
        vec![
            "accuracy".to_owned(),
            rate(&decided.accuracy),
            format!("{:.1}%", 100.0 * decided.expected_accuracy),
            String::new(),
        ],
        vec![
            "Brier score".to_owned(),
            loss(&decided.brier),
            format!("{:.4}", decided.expected_brier),
            z(decided.brier_z),
        ],
        vec![
            "log loss".to_owned(),
            loss(&decided.log_loss),
            format!("{:.4}", decided.expected_log_loss),
            z(decided.log_loss_z),
        ],
    ];
    page.table(
        &[
            ("score", Align::Left),
            ("observed", Align::Right),
            ("if the odds are true", Align::Right),
            ("z", Align::Right),
        ],
        rows,
    );
    page.line(&format!(
        "Of {} that somebody won. z: how many standard errors the score is above its expectation if reality had the odds of \
         the simulations.",
        counted(decided.forecasts, "battle")
    ));
    let is_told = decided.log_loss_excess > TELLING * decided.expected_log_loss;
    // Without the excess the score would be 0 or less, and no score is better than 0.
    let is_whole = decided.brier_excess >= decided.brier.value
        || decided.log_loss_excess >= decided.log_loss.value;
    if is_told && is_whole {
        page.line(&format!(
            "Forecasts from {} are off by chance by as much as the scores themselves: `--runs` with more tells more.",
            counted(runs, "run")
        ));
    } else if is_told {
        page.line(&format!(
            "Forecasts from {} are off by chance: without that the Brier score would be about {:.4} lower and the log loss \
             {:.4}. The expectations and z allow for it; `--runs` with more lowers it.",
            counted(runs, "run"),
            decided.brier_excess,
            decided.log_loss_excess
        ));
    }
}

fn impossible(page: &mut Page, known: &[Known], scored: &Scored) {
    let all = &scored.held_impossible;
    if all.is_empty() {
        page.line("Nothing happened that the forecasts ruled out.");
        return;
    }
    let named: Vec<&str> = all.iter().take(SHOWN).map(|&at| known[at].place.as_str()).collect();
    let more = if all.len() > SHOWN { ", ..." } else { "" };
    page.toned(
        Tone::Against,
        &format!(
            "{} ended in a way that never came up, not even in a hundred times as many simulations: {}{more}.",
            counted(all.len() as u64, "battle"),
            named.join("; ")
        ),
    );
}

fn draws(page: &mut Page, scored: &Scored) {
    let z = scored.draws_z;
    let z = if z.is_nan() { String::new() } else { format!(" (z {})", signed(z, 2)) };
    page.line(&format!(
        "{} drawn, {:.1} expected{z}.",
        counted(scored.draws, "battle"),
        scored.expected_draws
    ));
}

/// A score that is not a percentage: `0.0301 (0.0216 to 0.0386)`.
fn loss(Estimate { value, low, high }: &Estimate) -> String {
    if low.is_nan() {
        return format!("{value:.4}");
    }
    format!("{value:.4} ({low:.4} to {high:.4})")
}

/// A score that is not a percentage, where there is little room: `0.096 ±0.024`, or `0.096 -0.045 +0.116` where its
/// interval is lopsided.
fn brief_loss(&Estimate { value, low, high }: &Estimate) -> String {
    if high.is_nan() {
        format!("{value:.3}")
    } else {
        format!("{value:.3} {}", halves([value, low, high], &[0.0], 3))
    }
}

fn calibration(page: &mut Page, scored: &Scored) {
    let filled: Vec<&Bin> = scored.calibration.iter().filter(|bin| bin.forecasts > 0).collect();
    if filled.is_empty() {
        return;
    }
    page.heading("Calibration: forecast for team 1, and how often it won");
    let rows = filled.into_iter().map(|bin| {
        vec![
            format!("{:.0}% to {:.0}%", 100.0 * bin.from, 100.0 * bin.to),
            bin.forecasts.to_string(),
            format!("{:.1}%", 100.0 * bin.mean),
            format!("{:.1}%", 100.0 * bin.happened.value),
            curve(bin),
        ]
    });
    page.table(
        &[
            ("forecast", Align::Left),
            ("battles", Align::Right),
            ("mean", Align::Right),
            ("won", Align::Right),
            ("0%                         100%", Align::Left),
        ],
        rows.collect(),
    );
    page.line("The curve: `|` mean forecast, `●` how often it won, `─` its confidence interval.");
}

/// One bin's line of the calibration curve.
fn curve(bin: &Bin) -> String {
    let at = |share: f64| (share * (CURVE - 1) as f64).round() as usize;
    let mut cells = ['·'; CURVE];
    cells[at(bin.happened.low)..=at(bin.happened.high)].fill('─');
    cells[at(bin.mean)] = '|';
    cells[at(bin.happened.value)] = '●';
    cells.iter().collect()
}

fn groups(page: &mut Page, scored: &Scored) {
    if scored.groups.is_empty() {
        return;
    }
    page.heading("Rulesets whose forecasts fit least");
    let rows = scored.groups.iter().take(SHOWN).map(|group| {
        let Score { forecasts, accuracy, log_loss, expected_log_loss, log_loss_z, .. } =
            &group.score;
        vec![
            group.factor.clone(),
            forecasts.to_string(),
            format!("{:.1}%", 100.0 * accuracy.value),
            brief_loss(log_loss),
            format!("{expected_log_loss:.3}"),
            if log_loss_z.is_nan() { String::new() } else { signed(*log_loss_z, 2) },
            p_value(group.p_adjusted),
        ]
    });
    page.table(
        &[
            ("ruleset", Align::Left),
            ("battles", Align::Right),
            ("right", Align::Right),
            ("log loss", Align::Right),
            ("if true", Align::Right),
            ("z", Align::Right),
            ("p", Align::Right),
        ],
        rows.collect(),
    );
    page.line("p is exact where z is not normal, as with few battles, and adjusted for all rulesets (Benjamini-Hochberg).");
}
