//! The page of `evens score`: how good the forecasts were.

use crate::report::figures::{counted, p_value, plain_points, rate, signed, whole};
use crate::report::page::{Align, Page, Style, Tone};
use crate::report::{INTERVALS, header};
use crate::statistics::{Bin, Estimate, Score, proportion};
use crate::studies::score::{Aspect, Known, Scored, Test};
use crate::table::{LEVEL, Provenance};

/// The largest number of rulesets, and of battles held impossible, that is shown.
const SHOWN: usize = 10;
/// Forecasts are called compatible with what happened if the adjusted p-values of all tests are at least this.
const COMPATIBLE: f64 = 0.05;
/// The part of the log loss that comes from few runs is mentioned when it exceeds this share of the expected log loss.
const TELLING: f64 = 0.02;
/// The width of the calibration curve in characters.
const CURVE: usize = 23;

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
    if scored.repeated > 0 {
        page.toned(Tone::Against, &repeated(scored.repeated));
    }
    page.gap();
    verdict(&mut page, scored);
    scores(&mut page, scored, runs);
    impossible(&mut page, known, scored);
    calibration(&mut page, scored);
    groups(&mut page, scored);
    page.gap();
    page.line(INTERVALS);
    page.into_text()
}

/// A sentence on battles that are there more than once.
fn repeated(battles: u64) -> String {
    let (are, them) = if battles == 1 { ("is", "it") } else { ("are", "them") };
    format!(
        "{} {are} the same as another one before {them}, by id or seed, and counted as if independent: intervals are too narrow, and \
         p-values too small.",
        counted(battles, "line-up")
    )
}

/// The headline: which of the four tests say that the forecasts do not fit what happened, or that none does.
fn verdict(page: &mut Page, scored: &Scored) {
    let failed: Vec<&Test> = scored.fit.tests().iter().filter(|test| has_failed(test)).collect();
    let is_biased = failed.iter().any(|test| test.aspect == Aspect::FirstWins);
    let mut reasons: Vec<String> = failed.iter().map(|test| reason(test, is_biased)).collect();
    if let Some(last) = reasons.pop() {
        let all =
            if reasons.is_empty() { last } else { format!("{}, and {last}", reasons.join(", ")) };
        page.toned(Tone::Against, &format!("The forecasts {all}."));
    } else if scored.decided.is_none() {
        page.line("Nobody won any of the battles, so that nothing tells how well the forecasts say who wins.");
    } else if scored.fit.test(Aspect::FirstWins).p.is_nan() {
        page.line(
            "In no battle that somebody won did both teams win simulations, so that nothing tells how far the forecasts can \
             be trusted.",
        );
    } else {
        page.toned(Tone::Favoured, "The forecasts are compatible with what happened.");
        not_ruled_out(page, scored.fit.test(Aspect::FirstWins));
    }
    if is_biased {
        page.line(
            "Team 1 is the team that each record calls so: records that were made with the winner in that place would look \
             the same.",
        );
    }
}

/// How far forecasts that are compatible with what happened may favour a team all the same: of few battles everything is
/// compatible.
fn not_ruled_out(page: &mut Page, first_wins: &Test) {
    let Estimate { low, high, .. } = first_wins.difference;
    let most = low.abs().max(high.abs());
    if most.is_finite() {
        page.line(&format!(
            "That they favour a team by up to {:.1} points is not ruled out by {}.",
            100.0 * most,
            counted(first_wins.battles, "battle")
        ));
    }
}

fn has_failed(test: &Test) -> bool {
    test.p_adjusted < COMPATIBLE
}

/// What is wrong with the forecasts, by a test that says so: `expect fewer draws than came (30 instead of 12.0)`.
fn reason(test: &Test, is_biased: bool) -> String {
    let Test { observed, expected, .. } = *test;
    match test.aspect {
        // A bias alone can cause a log loss that is too high or too low.
        Aspect::LogLoss if is_biased => format!(
            "have a {} log loss than true ones would ({observed:.4} instead of {expected:.4})",
            if test.z > 0.0 { "higher" } else { "lower" }
        ),
        Aspect::LogLoss if test.z > 0.0 => "are overconfident".to_owned(),
        Aspect::LogLoss => "are underconfident".to_owned(),
        Aspect::FirstWins => {
            let Estimate { value, low, high } = test.difference;
            let team = if value > 0.0 { 2 } else { 1 };
            let [low, high] = if value > 0.0 { [low, high] } else { [-high, -low] };
            let points = plain_points(&Estimate { value: value.abs(), low, high });
            format!("favour team {team} by {points}")
        }
        Aspect::Draws if test.z > 0.0 => {
            format!("expect fewer draws than came ({observed} instead of {expected:.1})")
        }
        Aspect::Draws => {
            format!("expect draws that did not come ({observed} instead of {expected:.1})")
        }
        Aspect::RuledOut => format!("rule out how {} ended", counted(observed as u64, "battle")),
    }
}

fn scores(page: &mut Page, scored: &Scored, runs: u64) {
    page.gap();
    let decided = scored.decided.as_ref();
    let mut rows = Vec::new();
    if let Some(decided) = decided {
        rows.push(vec![
            "accuracy".to_owned(),
            rate(&decided.accuracy),
            format!("{:.1}%", 100.0 * decided.expected_accuracy),
            String::new(),
            String::new(),
        ]);
        rows.push(vec![
            "Brier score".to_owned(),
            loss(&decided.brier),
            format!("{:.4}", decided.expected_brier),
            z_score(decided.brier_z),
            String::new(),
        ]);
    }
    let tests = scored.fit.tests().iter().filter(|test| test.battles > 0);
    rows.extend(tests.map(|test| {
        let Test { aspect, observed, expected, battles, .. } = *test;
        let observed = match (aspect, decided) {
            (Aspect::LogLoss, Some(decided)) => loss(&decided.log_loss),
            (Aspect::FirstWins, _) => rate(&proportion(observed as u64, battles, LEVEL)),
            _ => figure(test)[0].clone(),
        };
        let expected = match aspect {
            Aspect::LogLoss => format!("{expected:.4}"),
            Aspect::FirstWins => format!("{:.1}%", 100.0 * expected / battles as f64),
            Aspect::Draws | Aspect::RuledOut => figure(test)[1].clone(),
        };
        vec![aspect.to_string(), observed, expected, z_score(test.z), p_value(test.p_adjusted)]
    }));
    page.table(
        &[
            ("figure", Align::Left),
            ("observed", Align::Right),
            ("if true", Align::Right),
            ("z", Align::Right),
            ("p", Align::Right),
        ],
        rows,
    );
    let of = match decided {
        Some(decided) if decided.forecasts < scored.battles => format!(
            "Of {} that somebody won; what was drawn or ruled out is of all. ",
            counted(decided.forecasts, "battle")
        ),
        _ => String::new(),
    };
    let first_wins = scored.fit.test(Aspect::FirstWins);
    let lacking = decided.map_or(0, |decided| decided.forecasts - first_wins.battles);
    let lacking = match lacking {
        0 => String::new(),
        _ => format!(
            "Team 1's wins leave out {} that nobody won in simulations. ",
            counted(lacking, "battle")
        ),
    };
    page.line(&format!(
        "{of}{lacking}If true: on average, if reality had the odds of the simulations. z: how many standard errors the \
         observed figure is above that. p: from its own distribution, adjusted for the four tests (Holm); below 0.05 the \
         headline says so."
    ));
    if let Some(decided) = decided {
        few_runs(page, decided, runs);
    }
}

/// How much worse scores are because forecasts are from few runs, where that matters.
fn few_runs(page: &mut Page, decided: &Score, runs: u64) {
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
    const NEVER: &str =
        "ended in a way that never came up, not even in a hundred times as many simulations";
    let all = &scored.held_impossible;
    if all.is_empty() {
        page.line(&format!("Ruled out: no battle {NEVER}."));
        return;
    }
    let named: Vec<&str> = all.iter().take(SHOWN).map(|&at| known[at].place.as_str()).collect();
    let more = if all.len() > SHOWN { ", ..." } else { "" };
    let listed =
        format!("{} {NEVER}: {}{more}.", counted(all.len() as u64, "battle"), named.join("; "));
    let test = scored.fit.test(Aspect::RuledOut);
    if has_failed(test) {
        page.toned(Tone::Against, &listed);
    } else {
        page.line(&format!("{listed} With so few runs that can happen to true forecasts."));
    }
}

/// The observed and the expected figure of a test, in the brief form.
fn figure(test: &Test) -> [String; 2] {
    let Test { aspect, observed, expected, battles, .. } = *test;
    let count = || format!("{observed} of {}", whole(battles));
    match aspect {
        Aspect::LogLoss => [format!("{observed:.3}"), format!("{expected:.3}")],
        Aspect::FirstWins | Aspect::Draws => [count(), format!("{expected:.1}")],
        Aspect::RuledOut if expected < 0.01 => [count(), "<0.01".to_owned()],
        Aspect::RuledOut => [count(), format!("≤{expected:.2}")],
    }
}

fn z_score(z: f64) -> String {
    if z.is_nan() { String::new() } else { signed(z, 2) }
}

/// A score that is not a percentage: `0.0301 (0.0216 to 0.0386)`.
fn loss(Estimate { value, low, high }: &Estimate) -> String {
    if low.is_nan() {
        return format!("{value:.4}");
    }
    format!("{value:.4} ({low:.4} to {high:.4})")
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
            if_true(bin),
            curve(bin),
        ]
    });
    page.table(
        &[
            ("forecast", Align::Left),
            ("battles", Align::Right),
            ("mean", Align::Right),
            ("won", Align::Right),
            ("if true", Align::Right),
            ("0%                 100%", Align::Left),
        ],
        rows.collect(),
    );
    page.line(
        "if true: how often it would win if reality had the odds of the simulations; forecasts from few of them are drawn towards what is usual. \
         The curve: `|` if true, `●` how often it won, `─` its confidence interval.",
    );
}

fn if_true(bin: &Bin) -> String {
    if bin.expected.is_nan() { String::new() } else { format!("{:.1}%", 100.0 * bin.expected) }
}

/// One bin's line of the calibration curve.
fn curve(bin: &Bin) -> String {
    let at = |share: f64| (share * (CURVE - 1) as f64).round() as usize;
    let mut cells = ['·'; CURVE];
    cells[at(bin.happened.low)..=at(bin.happened.high)].fill('─');
    if !bin.expected.is_nan() {
        cells[at(bin.expected)] = '|';
    }
    cells[at(bin.happened.value)] = '●';
    cells.iter().collect()
}

fn groups(page: &mut Page, scored: &Scored) {
    if scored.groups.is_empty() {
        return;
    }
    page.heading("Rulesets whose forecasts fit least");
    let rows = scored.groups.iter().take(SHOWN).map(|group| {
        let worst = group.fit.worst();
        let [observed, expected] = figure(worst);
        vec![
            group.factor.clone(),
            group.battles.to_string(),
            worst.aspect.to_string(),
            observed,
            expected,
            z_score(worst.z),
            p_value(group.p_adjusted),
        ]
    });
    page.table(
        &[
            ("ruleset", Align::Left),
            ("battles", Align::Right),
            ("fits least", Align::Left),
            ("observed", Align::Right),
            ("if true", Align::Right),
            ("z", Align::Right),
            ("p", Align::Right),
        ],
        rows.collect(),
    );
    page.line(
        "Fits least: of the log loss, how often team 1 won, draws and what was ruled out. p is adjusted for these four \
         (Holm), and for all rulesets (Benjamini-Hochberg).",
    );
}
