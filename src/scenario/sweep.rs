//! Sweeps: the axes that are varied, and how they are combined.

use std::ops::Range;

use schemars::JsonSchema;
use serde::Deserialize;
use toml::de::DeValue;

use super::changes::{RELATIVE, amount};
use super::path::{Unsteppable, is_from_files, steps_of};
use super::{Checker, Spot};
use crate::numerals::counted;
use crate::shell;

/// The most variants of one sweep.
const MOST_VARIANTS: usize = 10_000;
/// The most values of a range.
const MOST_STEPS: u32 = 1_000;

/// What `evens sweep` varies. Other commands ignore it.
#[derive(Clone, Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Sweep {
    /// How several axes are combined.
    #[serde(default)]
    pub mode: Mode,
    /// What is varied. The first variant has the first value of every axis; all others are compared with it.
    #[schemars(length(min = 1))]
    pub axes: Vec<AxisForm>,
}

/// How several axes are combined.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum Mode {
    /// Every value of one axis with every value of the others.
    #[default]
    Grid,
    /// The first values together, then the second ones, and so on.
    Zip,
}

/// One thing that is varied, over listed `values` or in equal `steps` from one number to another.
#[derive(Clone, Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct AxisForm {
    /// The path of what is varied: keys joined by dots, entries of a list by their index from 0 or by their name,
    /// such as `rulesets.weights.Earthquake` or `characters.0.hp`. A key with a dot in it stands in quotes.
    pub path: String,
    /// What stands there instead.
    #[schemars(with = "Option<Vec<serde_json::Value>>", length(min = 1))]
    pub values: Option<Vec<toml::Value>>,
    /// The first number.
    pub from: Option<f64>,
    /// The last number.
    pub to: Option<f64>,
    /// How many numbers, the first and the last among them.
    #[schemars(range(min = 2, max = MOST_STEPS))]
    pub steps: Option<u32>,
}

/// One axis of a sweep.
#[derive(Clone, Debug)]
pub(super) struct Axis {
    /// The path as it is written.
    pub path: String,
    /// The keys of the path.
    pub steps: Vec<String>,
    /// Where the path is written, for faults.
    pub span: Range<usize>,
    /// The values that are set at the path, one after the other.
    pub values: Vec<Setting>,
    /// Where the keys of a range are written; None for an axis of listed values.
    pub range: Option<RangeKeys>,
}

/// The byte ranges of a range's keys, for faults.
#[derive(Clone, Debug)]
pub(super) struct RangeKeys {
    pub from: Range<usize>,
    pub to: Range<usize>,
    pub steps: Range<usize>,
}

/// A value as TOML, and where it is written, for faults.
#[derive(Clone, Debug)]
pub(super) struct Setting {
    pub text: String,
    pub span: Range<usize>,
}

impl Setting {
    /// The value for display: text without its quotes.
    pub fn label(&self) -> String {
        match DeValue::parse(&self.text) {
            Ok(value) if value.get_ref().is_str() => {
                value.get_ref().as_str().unwrap_or_default().to_owned()
            }
            _ => self.text.clone(),
        }
    }

    /// Whether the value is to be added to what there is: `"+1"`.
    pub fn is_amount(&self) -> bool {
        DeValue::parse(&self.text).is_ok_and(|value| amount(value.get_ref()).is_some())
    }
}

/// Reads the axes of a scenario's `[sweep]`, and reports every fault that shows without building a variant.
pub(super) fn axes(form: &Sweep, checker: &mut Checker<'_>) -> Vec<Axis> {
    let spot = Spot::top().key("sweep").key("axes");
    let each = form.axes.iter().enumerate();
    each.filter_map(|(at, axis)| read(axis, &spot.index(at), checker)).collect()
}

fn read(form: &AxisForm, spot: &Spot, checker: &mut Checker<'_>) -> Option<Axis> {
    let span = checker.span(&spot.key("path"));
    let steps = match steps_of(&form.path) {
        Ok(steps) => steps,
        Err(Unsteppable { message, remedy }) => {
            checker.fault(&spot.key("path"), message, remedy);
            return None;
        }
    };
    let mut range_keys = None;
    let values = match (&form.values, form.from, form.to, form.steps) {
        (Some(values), None, None, None) => (0..values.len())
            .filter_map(|at| listed(&steps, &spot.key("values").index(at), checker))
            .collect(),
        (None, Some(from), Some(to), Some(steps)) => {
            if from == to {
                let message = "`to` is what `from` is";
                checker.fault(&spot.key("to"), message, "a range leads from one number to another");
            }
            let [from_span, to_span, steps_span] =
                ["from", "to", "steps"].map(|key| checker.span(&spot.key(key)));
            let last = steps as usize - 1;
            let span = |at: usize| match at {
                0 => &from_span,
                at if at == last => &to_span,
                _ => &steps_span,
            };
            let numbers = range(from, to, steps).enumerate();
            let values = numbers.map(|(at, text)| Setting { text, span: span(at).clone() });
            let values = values.collect();
            range_keys = Some(RangeKeys { from: from_span, to: to_span, steps: steps_span });
            values
        }
        (values, from, to, count) => {
            let message = "an axis has either `values`, or `from`, `to` and `steps`";
            let remedy = "such as `values = [0, 1, 2]`, or `from = 0`, `to = 2`, `steps = 3`";
            let range =
                [("from", from.is_some()), ("to", to.is_some()), ("steps", count.is_some())];
            let said = range.iter().find(|(_, is_said)| *is_said && values.is_some());
            match said {
                Some((key, _)) => checker.key_fault(&spot.key(*key), message, remedy),
                None => checker.fault(spot, message, remedy),
            }
            return None;
        }
    };
    Some(Axis { path: form.path.clone(), steps, span, values, range: range_keys })
}

/// Reads one of an axis's listed values. A number with a plus sign but without quotes is a fault; in changes it is
/// reported where the change is made.
fn listed(steps: &[String], spot: &Spot, checker: &mut Checker<'_>) -> Option<Setting> {
    let span = checker.span(spot);
    let text = checker.source().inner()[span.clone()].to_owned();
    match text.strip_prefix('+') {
        Some(number) if !RELATIVE.contains(&steps[0].as_str()) => {
            let message = format!("`{text}` is the number {number}, and no more than there is");
            checker.fault(spot, message, format!("write `{number}`"));
            None
        }
        _ => Some(Setting { text, span }),
    }
}

/// Numbers in equal steps, as TOML; whole ones without a decimal point.
fn range(from: f64, to: f64, steps: u32) -> impl Iterator<Item = String> {
    (0..steps).map(move |step| {
        let exact = from + (to - from) * f64::from(step) / f64::from(steps - 1);
        // Rounded to thirteen significant digits, which are enough for every number that anybody means: 0.1 + 0.2 is 0.3 again.
        let number: f64 = format!("{exact:.12e}").parse().expect("a number that was just written");
        number.to_string()
    })
}

/// Reads axes from the command line, each in a line written `path=value,value,...`. Spans in this text are counted from
/// `offset`.
pub(super) fn axes_of_arguments(
    lines: &str,
    offset: usize,
    checker: &mut Checker<'_>,
) -> Vec<Axis> {
    let mut axes = Vec::new();
    let mut start = offset;
    for setting in lines.split('\n') {
        let whole = start..start + setting.len();
        start = whole.end + 1;
        let parts = split_outside_quotes(setting, '=');
        let [path, ..] = parts[..] else { continue };
        if parts.len() < 2 {
            let remedy = "write it as `--set path=value,value`";
            let message = match setting.trim() {
                "" => "an empty `--set` sets nothing".to_owned(),
                _ => format!("`{setting}` sets nothing"),
            };
            checker.fault_at(whole, message, remedy);
            continue;
        }
        let values_at = path.len() + 1;
        let span = whole.start..whole.start + path.len();
        let steps = match steps_of(path) {
            Ok(steps) => steps,
            Err(Unsteppable { message, remedy }) => {
                checker.fault_at(span, message, remedy);
                continue;
            }
        };
        let mut at = whole.start + values_at;
        let mut values = Vec::new();
        let texts = split_outside_quotes(&setting[values_at..], ',');
        // In a list with `+4`, `-4` means 4 less, not the negative number.
        let are_changes = texts.iter().any(|text| text.trim().starts_with('+'));
        for text in texts {
            let span = at..at + text.len();
            at += text.len() + 1;
            if text.trim().is_empty() {
                let remedy = "write it as `--set path=value,value`";
                checker.fault_at(span, format!("`{setting}` has an empty value"), remedy);
            } else if let Some(range) = range_of(text.trim()) {
                let message = format!("`{}` is a range, and here values are listed", text.trim());
                checker.fault_at(span, message, listing(range));
            } else {
                values.push(Setting { text: as_toml(text.trim(), are_changes), span });
            }
        }
        axes.push(Axis { path: path.trim().to_owned(), steps, span, values, range: None });
    }
    axes
}

/// The ends of what looks like a range, `3..7` or `3..=7`; None for anything else. A text in quotes is a text.
fn range_of(text: &str) -> Option<[f64; 2]> {
    let (from, to) = text.split_once("..")?;
    let number = |end: &str| end.trim().parse().ok().filter(|number: &f64| number.is_finite());
    Some([number(from)?, number(to.strip_prefix('=').unwrap_or(to))?])
}

/// How the values of a range are listed.
fn listing([from, to]: [f64; 2]) -> String {
    /// More whole numbers than this are not listed.
    const SHORT: f64 = 20.0;
    let is_short = from.fract() == 0.0 && to.fract() == 0.0 && from < to && to - from < SHORT;
    match is_short {
        true => {
            let count = (to - from) as u32 + 1;
            let values: Vec<String> = range(from, to, count).collect();
            format!("write each of them: `={}`", values.join(","))
        }
        false => "write each of them, with commas between: `--set path=value,value`; `[[sweep.axes]]` in the \
                  scenario takes `from`, `to` and `steps`"
            .to_owned(),
    }
}

/// The setting that the byte `at` of the command line's settings belongs to, as a flag that makes each of its values a list
/// with `least` entries. None where its path does not end with `key`, so that something within a value is meant.
pub(super) fn with_lists(settings: &str, at: usize, key: &str, least: usize) -> Option<String> {
    let begins = settings.get(..at)?.rfind('\n').map_or(0, |before| before + 1);
    let setting = settings[begins..].lines().next()?;
    let path = *split_outside_quotes(setting, '=').first()?;
    if steps_of(path).ok()?.last().is_none_or(|last| last != key) {
        return None;
    }
    let values = split_outside_quotes(setting.get(path.len() + 1..)?, ',');
    let values = values.into_iter().map(str::trim).map(|value| match value.starts_with('[') {
        true => value.to_owned(),
        false => format!("[{}]", vec![as_toml(value, false); least].join(", ")),
    });
    let values: Vec<String> = values.collect();
    Some(shell::flag("--set", &format!("{}={}", path.trim(), values.join(","))))
}

/// The same axis with differences instead of negative numbers, and how it is then written: `-1` is 1 less among values
/// such as `+0`. None for other values, and where no number is changed.
pub(super) fn as_differences(axis: &Axis, is_of_arguments: bool) -> Option<(Axis, String)> {
    let is_negative =
        |value: &Setting| value.text.trim().parse::<i64>().is_ok_and(|number| number < 0);
    let list = axis.steps[0].as_str();
    let can_be_added_to = RELATIVE.contains(&list) || is_from_files(list);
    if !can_be_added_to || !axis.values.iter().all(is_negative) {
        return None;
    }
    let texts: Vec<&str> = axis.values.iter().map(|value| value.text.trim()).collect();
    let written = match is_of_arguments {
        true => shell::flag("--set", &format!("{}=+0,{}", axis.path, texts.join(","))),
        false => format!("values = [\"{}\"]", texts.join("\", \"")),
    };
    let mut differences = axis.clone();
    for value in &mut differences.values {
        value.text = as_toml(value.text.trim(), true);
    }
    Some((differences, written))
}

/// A value from the command line as TOML: words need no quotes there, and neither does `+1`, or `-1` among changes.
fn as_toml(text: &str, is_change: bool) -> String {
    let is_signed = text.starts_with('+') || is_change && text.starts_with('-');
    if DeValue::parse(text).is_ok() && !is_signed {
        text.to_owned()
    } else {
        toml::Value::String(text.to_owned()).to_string()
    }
}

/// The parts of a text between separators that stand neither in quotes nor in brackets.
fn split_outside_quotes(text: &str, separator: char) -> Vec<&str> {
    let mut parts = Vec::new();
    let (mut start, mut depth, mut quote) = (0, 0_i32, None);
    for (at, letter) in text.char_indices() {
        match (quote, letter) {
            (Some(open), _) if letter == open => quote = None,
            (Some(_), _) => {}
            (None, '"' | '\'') => quote = Some(letter),
            (None, '[' | '{') => depth += 1,
            (None, ']' | '}') => depth -= 1,
            (None, _) if letter == separator && depth == 0 => {
                parts.push(&text[start..at]);
                start = at + letter.len_utf8();
            }
            _ => {}
        }
    }
    parts.push(&text[start..]);
    parts
}

/// By variant: the index of its value on each axis. Empty, with a fault, where the axes cannot be combined.
pub(super) fn combinations(
    axes: &[Axis],
    mode: Mode,
    checker: &mut Checker<'_>,
) -> Vec<Vec<usize>> {
    let lengths: Vec<usize> = axes.iter().map(|axis| axis.values.len()).collect();
    if mode == Mode::Zip {
        if let Some(axis) = axes.iter().find(|axis| axis.values.len() != lengths[0]) {
            let message = format!(
                "`{}` has {}, and `{}` has {}",
                axis.path,
                counted(axis.values.len() as u64, "value"),
                axes[0].path,
                lengths[0]
            );
            let remedy = "with mode `zip` every axis has the same number of values";
            checker.fault_at(axis.span.clone(), message, remedy);
            return Vec::new();
        }
        return (0..lengths[0]).map(|at| vec![at; axes.len()]).collect();
    }
    let variants = lengths.iter().try_fold(1_usize, |product, &next| product.checked_mul(next));
    if variants.is_none_or(|variants| variants > MOST_VARIANTS) {
        let message = format!("this grid has more than {MOST_VARIANTS} variants");
        checker.fault_at(axes[0].span.clone(), message, "take out values, or sweep fewer axes");
        return Vec::new();
    }
    let mut combinations = vec![Vec::new()];
    for &length in &lengths {
        combinations = combinations
            .into_iter()
            .flat_map(|before: Vec<usize>| {
                (0..length).map(move |at| before.iter().copied().chain([at]).collect())
            })
            .collect();
    }
    combinations
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ranges_end_where_they_say_and_are_round() {
        let texts = |from, to, steps| range(from, to, steps).collect::<Vec<_>>();
        assert_eq!(texts(0.0, 4.0, 5), ["0", "1", "2", "3", "4"]);
        assert_eq!(texts(0.0, 0.3, 4), ["0", "0.1", "0.2", "0.3"]);
        assert_eq!(texts(3.0, -1.0, 3), ["3", "1", "-1"]);
    }

    #[test]
    fn words_on_the_command_line_need_no_quotes() {
        assert_eq!(as_toml("4", false), "4");
        assert_eq!(as_toml("-1", false), "-1");
        assert_eq!(as_toml("-1", true), "\"-1\"");
        assert_eq!(as_toml("4", true), "4");
        assert_eq!(as_toml("\"-1\"", false), "\"-1\"");
        assert_eq!(as_toml("+1", false), "\"+1\"");
        assert_eq!(as_toml("silver", false), "\"silver\"");
        assert_eq!(as_toml("Pit Ogre", false), "\"Pit Ogre\"");
        assert_eq!(as_toml("[\"a\", 1]", false), "[\"a\", 1]");
        assert_eq!(split_outside_quotes("a,\"b,c\",[d,e],f", ','), ["a", "\"b,c\"", "[d,e]", "f"]);
    }
}
