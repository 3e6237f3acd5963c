//! The comparison of runs with their baselines, for the code forge that ran it: JUnit's XML, and GitHub annotations.

use std::io;

use quick_xml::Writer;
use quick_xml::events::BytesText;

use super::page::{Compared, advice, counts, headline, level, moved, p_text, verdict, what};
use super::{Alarm, Change, Comparison, Coverage};
use crate::report::figures::{counted, whole};
use crate::visible::visible;

/// How many alarms are annotated: GitHub shows at most ten annotations of a step, and the last one counts the
/// remaining alarms.
const ANNOTATED: usize = 9;

/// The comparison as JUnit XML: one suite for each scenario, one case for each comparison, which fails where it is an
/// alarm. Changes that go with an alarm are skipped cases that name it; a card that changed only where no battle has it is a
/// skipped case, too.
///
/// # Panics
/// Never: memory takes all.
#[must_use]
pub fn junit(compared: &Compared<'_>) -> String {
    let mut writer = Writer::new_with_indent(Vec::new(), b' ', 2);
    written(&mut writer, compared).expect("memory takes all");
    let text = String::from_utf8(writer.into_inner()).expect("it is made of text");
    format!("<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n{text}\n")
}

fn written(writer: &mut Writer<Vec<u8>>, compared: &Compared<'_>) -> io::Result<()> {
    let comparison = compared.comparison;
    // Where there is a coverage, it is of the only pair.
    let unplayed = comparison.coverage.as_ref().map_or_else(Vec::new, Coverage::unplayed);
    let all = (comparison.changes.len() + unplayed.len()).to_string();
    let failures = comparison.alarms.len().to_string();
    let with = |alarm: &Alarm| alarm.with.len();
    let skipped = comparison.alarms.iter().map(with).sum::<usize>() + unplayed.len();
    let skipped = skipped.to_string();
    writer
        .create_element("testsuites")
        .with_attributes([
            ("name", "evens"),
            ("tests", &all),
            ("failures", &failures),
            ("skipped", &skipped),
        ])
        .write_inner_content(|writer| {
            for (at, pair) in comparison.pairs.iter().enumerate() {
                let changes = || {
                    let all = comparison.changes.iter().enumerate();
                    all.filter(move |(_, change)| change.pair == at)
                };
                let alarms = || comparison.alarms.iter().filter(move |alarm| alarm.pair == at);
                let scenario = clean(&pair.new.scenario);
                let tests = (changes().count() + unplayed.len()).to_string();
                let failures = alarms().count().to_string();
                let skipped = (alarms().map(with).sum::<usize>() + unplayed.len()).to_string();
                writer
                    .create_element("testsuite")
                    .with_attributes([
                        ("name", scenario.as_str()),
                        ("tests", &tests),
                        ("failures", &failures),
                        ("skipped", &skipped),
                    ])
                    .write_inner_content(|writer| {
                        changes()
                            .try_for_each(|(at, _)| case(writer, comparison, &scenario, at))?;
                        unplayed.iter().try_for_each(|card| not_played(writer, &scenario, card))
                    })?;
            }
            Ok(())
        })?;
    Ok(())
}

fn case(
    writer: &mut Writer<Vec<u8>>,
    comparison: &Comparison,
    scenario: &str,
    at: usize,
) -> io::Result<()> {
    let change = &comparison.changes[at];
    let what = clean(&what(change, comparison.limits));
    let case = writer
        .create_element("testcase")
        .with_attributes([("classname", scenario), ("name", what.as_str())]);
    let of_it = |alarm: &&Alarm| alarm.shown == at || alarm.with.contains(&at);
    let Some(alarm) = comparison.alarms.iter().find(of_it) else {
        case.write_empty()?;
        return Ok(());
    };
    case.write_inner_content(|writer| {
        if alarm.shown == at {
            let mut text = told(change);
            for &with in &alarm.with {
                let change = &comparison.changes[with];
                let what = clean(&crate::studies::nightly::page::what(change, comparison.limits));
                text += &format!("\n+ {what}: {}", moved(change));
            }
            writer
                .create_element("failure")
                .with_attributes([("type", "balance"), ("message", moved(change).as_str())])
                .write_text_content(BytesText::new(&text))?;
        } else {
            let message =
                clean(&format!("{}, goes with {}", moved(change), headline(comparison, alarm)));
            writer
                .create_element("skipped")
                .with_attributes([("message", message.as_str())])
                .write_empty()?;
        }
        Ok(())
    })?;
    Ok(())
}

/// The case of a card that changed only where no battle has it.
fn not_played(writer: &mut Writer<Vec<u8>>, scenario: &str, card: &str) -> io::Result<()> {
    let card = clean(card);
    writer
        .create_element("testcase")
        .with_attributes([("classname", scenario), ("name", card.as_str())])
        .write_inner_content(|writer| {
            let message = "not played at a level that changed";
            writer
                .create_element("skipped")
                .with_attributes([("message", message)])
                .write_empty()?;
            Ok(())
        })?;
    Ok(())
}

/// The values before and after, the change and its p-value.
fn told(change: &Change) -> String {
    format!(
        "baseline {}, now {}: {} (p {}, adjusted for all comparisons)",
        level(change, &change.baseline),
        level(change, &change.new),
        moved(change),
        p_text(change.adjusted)
    )
}

/// The text without characters that XML cannot represent.
fn clean(text: &str) -> String {
    text.chars().filter(|letter| !letter.is_control() || matches!(letter, '\t' | '\n')).collect()
}

/// The comparison as annotations that GitHub's runners read from a job's output: one for each alarm, or a notice that
/// there is none; a warning where a changed card was not played.
#[must_use]
pub fn github(compared: &Compared<'_>) -> String {
    let comparison = compared.comparison;
    let line = |kind: &str, title: &str, message: &str| {
        format!("::{kind} title={}::{}\n", property(title), data(message))
    };
    if comparison.alarms.is_empty() {
        let kind = if comparison.is_all_clear() { "notice" } else { "warning" };
        return line(kind, "Balance", &verdict(comparison));
    }
    let annotated = comparison.alarms.iter().take(ANNOTATED).map(|alarm| {
        let scenario = &comparison.pairs[alarm.pair].new.scenario;
        let change = &comparison.changes[alarm.shown];
        let with = match alarm.with.len() as u64 {
            0 => String::new(),
            1 => "; 1 other change goes with it".to_owned(),
            others => format!("; {} go with it", counted(others, "other change")),
        };
        let message = format!("{}: {}{with}", headline(comparison, alarm), told(change));
        line("error", &format!("Balance of {scenario}"), &message)
    });
    let mut text: String = annotated.collect();
    let more = comparison.alarms.len().saturating_sub(ANNOTATED) as u64;
    let advice = advice(compared).unwrap_or_default();
    if more > 0 {
        let message = format!("{} more {}. {advice}", whole(more), counts(more));
        text += &line("error", "Balance", message.trim_end());
    }
    text
}

/// A message in the form that GitHub reads.
fn data(text: &str) -> String {
    visible(text).replace('%', "%25").replace('\r', "%0D").replace('\n', "%0A")
}

/// A property in the form that GitHub reads.
fn property(text: &str) -> String {
    data(text).replace(':', "%3A").replace(',', "%2C")
}
