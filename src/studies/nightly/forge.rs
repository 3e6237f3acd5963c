//! The comparison of runs with their baselines, for the forge that ran it: JUnit's XML, and annotations.

use std::io;

use quick_xml::Writer;
use quick_xml::events::BytesText;

use super::page::{Compared, advice, level, moved, p_text, verdict, what};
use super::{Change, Comparison};
use crate::report::figures::whole;

/// How many changes are annotated: GitHub shows no more than ten of a step, and the last one tells of the others.
const ANNOTATED: usize = 9;

/// One suite for each scenario, one case for each comparison, which fails where it counts.
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
    let all = comparison.changes.len().to_string();
    let failures = comparison.counting().len().to_string();
    writer
        .create_element("testsuites")
        .with_attributes([("name", "evens"), ("tests", &all), ("failures", &failures)])
        .write_inner_content(|writer| {
            for (at, pair) in comparison.pairs.iter().enumerate() {
                let changes = || comparison.changes.iter().filter(move |change| change.pair == at);
                let scenario = clean(&pair.new.scenario);
                let tests = changes().count().to_string();
                let failures = changes().filter(|change| change.counts).count().to_string();
                writer
                    .create_element("testsuite")
                    .with_attributes([
                        ("name", scenario.as_str()),
                        ("tests", &tests),
                        ("failures", &failures),
                    ])
                    .write_inner_content(|writer| {
                        changes().try_for_each(|of| case(writer, comparison, &scenario, of))
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
    change: &Change,
) -> io::Result<()> {
    let what = clean(&what(change, comparison.limits));
    let case = writer
        .create_element("testcase")
        .with_attributes([("classname", scenario), ("name", what.as_str())]);
    if !change.counts {
        case.write_empty()?;
        return Ok(());
    }
    case.write_inner_content(|writer| {
        writer
            .create_element("failure")
            .with_attributes([("type", "balance"), ("message", moved(change).as_str())])
            .write_text_content(BytesText::new(&told(change)))?;
        Ok(())
    })?;
    Ok(())
}

/// What changed from what to what.
fn told(change: &Change) -> String {
    format!(
        "baseline {}, now {}: {} (p {}, adjusted for all comparisons)",
        level(change, &change.baseline),
        level(change, &change.new),
        moved(change),
        p_text(change.adjusted)
    )
}

/// Text without what XML has no way to say.
fn clean(text: &str) -> String {
    text.chars().filter(|letter| !letter.is_control() || matches!(letter, '\t' | '\n')).collect()
}

/// Annotations as GitHub's runners read them off a job's output: one for each change that counts, or a notice that there is
/// none.
#[must_use]
pub fn github(compared: &Compared<'_>) -> String {
    let comparison = compared.comparison;
    let counting = comparison.counting();
    let line = |kind: &str, title: &str, message: &str| {
        format!("::{kind} title={}::{}\n", property(title), data(message))
    };
    if counting.is_empty() {
        return line("notice", "Balance", &verdict(comparison));
    }
    let annotated = counting.iter().take(ANNOTATED).map(|change| {
        let scenario = &comparison.pairs[change.pair].new.scenario;
        let message = format!("{}: {}", what(change, comparison.limits), told(change));
        line("error", &format!("Balance of {scenario}"), &message)
    });
    let mut text: String = annotated.collect();
    let more = counting.len().saturating_sub(ANNOTATED) as u64;
    let advice = advice(compared).unwrap_or_default();
    if more > 0 {
        let message = format!("{} more count. {advice}", whole(more));
        text += &line("error", "Balance", message.trim_end());
    }
    text
}

/// A message in the form that GitHub reads.
fn data(text: &str) -> String {
    text.replace('%', "%25").replace('\r', "%0D").replace('\n', "%0A")
}

/// A property in the form that GitHub reads.
fn property(text: &str) -> String {
    data(text).replace(':', "%3A").replace(',', "%2C")
}
