//! The variants of a scenario that a sweep compares.

use std::collections::HashSet;
use std::ops::Range;
use std::sync::Arc;

use miette::NamedSource;
use serde::Deserialize as _;
use sha2::{Digest, Sha256};
use toml::Spanned;
use toml::de::{DeTable, DeValue};

use super::fault::{Fault, Faults};
use super::path::{at_place, reroute, set, steps_of};
use super::sweep::{Axis, Mode, as_differences, axes, axes_of_arguments, combinations};
use super::syntax::tree;
use super::{Checker, Document, Loaded};
use crate::digest::hexadecimal;

/// After this many faulty variants the rest is not checked.
const MOST_FAULTY: usize = 10;

/// A scenario and the variants that a sweep makes of it.
pub struct Variants<S> {
    /// The scenario itself.
    pub scenario: Loaded<S>,
    /// The paths of the axes.
    pub axes: Vec<String>,
    /// The variants, at least one.
    pub variants: Vec<Variant>,
    /// A fingerprint of the scenario, of its axes, and of every file that is named.
    pub fingerprint: String,
    /// What each variant sets in the scenario.
    pub settings: Settings,
}

/// What the variants of a scenario set in it.
pub struct Settings {
    axes: Vec<Axis>,
    /// By variant: the index of its value on each axis.
    chosen: Vec<Vec<usize>>,
}

impl Settings {
    /// A variant of the document, as a scenario of its own; None where it cannot be written as one.
    #[must_use]
    pub fn scenario(&self, document: &Document, variant: usize) -> Option<toml::Table> {
        let tree = tree(&document.source).ok()?;
        let tree = with_settings(document, tree, &self.axes, self.chosen.get(variant)?).ok()?;
        toml::Table::deserialize(toml::de::Deserializer::from(tree)).ok()
    }
}

/// One variant of a scenario.
pub struct Variant {
    /// Its value on each axis, for display.
    pub values: Vec<String>,
    /// The scenario's name and these values, for messages.
    pub name: String,
}

impl Document {
    /// The document with axes from the command line, each written `path=value,value,...`.
    #[must_use]
    pub fn with_axes(mut self, settings: &[String]) -> Self {
        if !settings.is_empty() {
            let text = settings.join("\n");
            self.arguments = Some(Arc::new(NamedSource::new("the command line", text)));
        }
        self
    }
}

/// A function that reads and checks a tree of a document, and returns its setup.
pub type Load<'l, S> =
    &'l dyn for<'t> Fn(&'t Document, Spanned<DeTable<'t>>) -> Result<Loaded<S>, Faults>;

/// Loads every variant of a scenario, and gives each one's setup to `keep` before the next is loaded. Axes from the
/// command line come after the scenario's, and replace those with the same path. `zip` combines axes in step, whatever
/// the scenario says.
///
/// # Errors
/// The faults of the scenario; otherwise of its axes; otherwise of its variants, each fault under the first variant
/// that has it.
pub fn variants<S>(
    document: &Document,
    zip: bool,
    load: Load<'_, S>,
    keep: &mut dyn FnMut(S),
) -> Result<Variants<S>, Vec<Faults>> {
    let tree = tree(&document.source).map_err(|faults| vec![faults])?;
    let scenario = load(document, tree.clone()).map_err(|faults| vec![faults])?;
    let name = scenario.name.clone();
    let mut checker = Checker::new(document, tree.clone());
    let mut varied = Vec::new();
    if let Some(form) = &scenario.common.sweep {
        varied.extend(axes(form, &mut checker));
        varied.iter_mut().for_each(|axis| reroute(tree.get_ref(), axis));
    }
    if let Some(arguments) = &document.arguments {
        let offset = document.source.inner().len();
        let mut set: Vec<Vec<String>> = Vec::new();
        for mut axis in axes_of_arguments(arguments.inner(), offset, &mut checker) {
            // A path leads elsewhere where its values are added to what there is.
            let written = axis.steps.clone();
            reroute(tree.get_ref(), &mut axis);
            if set.contains(&axis.steps) || set.contains(&written) {
                let message = format!("`{}` is set twice", axis.path);
                let remedy = "name all its values in one `--set`, with commas between them";
                checker.fault_at(axis.span.clone(), message, remedy);
                continue;
            }
            let is_same = |other: &Axis| {
                other.steps == axis.steps
                    || steps_of(&other.path).is_ok_and(|steps| steps == written)
            };
            varied.retain(|other| !is_same(other));
            set.extend([axis.steps.clone(), written]);
            varied.push(axis);
        }
    }
    let mode = match &scenario.common.sweep {
        _ if zip => Mode::Zip,
        Some(sweep) => sweep.mode,
        None => Mode::Grid,
    };
    if varied.is_empty() && checker.is_clean() {
        let remedy = "add a `[sweep]` with axes, or name one with `--set path=value,value`";
        let fault = Fault::new("the scenario says nothing to sweep", remedy);
        return Err(vec![Faults::one(name, fault)]);
    }
    let chosen =
        if checker.is_clean() { combinations(&varied, mode, &mut checker) } else { Vec::new() };
    if !checker.is_clean() {
        return Err(vec![Faults::new(name, checker.take_faults())]);
    }

    let mut hash = Sha256::new();
    let mut variants = Vec::with_capacity(chosen.len());
    let mut faulty = Faulty::default();
    for chosen in &chosen {
        let variant_name = format!("{name} with {}", told(&varied, chosen));
        match variant(document, tree.clone(), &varied, chosen, load) {
            Ok(loaded) => {
                hash.update(&loaded.fingerprint);
                let values = varied.iter().zip(chosen);
                let values = values.map(|(axis, &at)| axis.values[at].label()).collect();
                variants.push(Variant { values, name: variant_name });
                keep(loaded.setup);
            }
            Err(mut faults) => {
                advise(&mut faults, document, &tree, (&varied, chosen), load);
                faulty.add(faults, variant_name);
            }
        }
        if faulty.variants.len() == MOST_FAULTY {
            break;
        }
    }
    if !faulty.variants.is_empty() {
        faulty.blame_ends(&varied);
        return Err(faulty.variants);
    }
    let axes = varied.iter().map(|axis| axis.path.clone()).collect();
    let settings = Settings { axes: varied, chosen };
    Ok(Variants { scenario, axes, variants, fingerprint: hexadecimal(hash), settings })
}

/// The settings of a variant as text: `rulesets.two = 50, mana_caps.0 = 20`.
fn told(axes: &[Axis], chosen: &[usize]) -> String {
    let settings = axes.iter().zip(chosen);
    let settings: Vec<String> =
        settings.map(|(axis, &at)| format!("{} = {}", axis.path, axis.values[at].text)).collect();
    settings.join(", ")
}

fn variant<'t, S>(
    document: &'t Document,
    tree: Spanned<DeTable<'t>>,
    axes: &'t [Axis],
    chosen: &[usize],
    load: Load<'_, S>,
) -> Result<Loaded<S>, Faults> {
    load(document, with_settings(document, tree, axes, chosen)?)
}

/// The tree of a document with these values on its axes.
fn with_settings<'t>(
    document: &'t Document,
    mut tree: Spanned<DeTable<'t>>,
    axes: &'t [Axis],
    chosen: &[usize],
) -> Result<Spanned<DeTable<'t>>, Faults> {
    for (axis, &at) in axes.iter().zip(chosen) {
        let setting = &axis.values[at];
        let value = DeValue::parse(&setting.text).expect("it was parsed before").into_inner();
        let value = at_place(value, &setting.span);
        if let Err(unset) = set(tree.get_mut(), axis, &axis.steps, value) {
            let fault = document.fault(axis.span.clone(), unset.message, unset.remedy);
            return Err(Faults::one(document.source.name(), fault));
        }
    }
    Ok(tree)
}

/// Says how differences are written where negative numbers are at fault and the same differences would do: `-1` alone is
/// the number -1, and hardly ever meant.
fn advise<S>(
    faults: &mut Faults,
    document: &Document,
    tree: &Spanned<DeTable<'_>>,
    (axes, chosen): (&[Axis], &[usize]),
    load: Load<'_, S>,
) {
    let end = document.source.inner().len();
    for (at, &value) in chosen.iter().enumerate() {
        let is_of_arguments = axes[at].span.start >= end;
        let mut place = axes[at].values[value].span.clone();
        if is_of_arguments {
            place = place.start - end..place.end - end;
        }
        let Some(fault) =
            faults.faults.iter_mut().find(|fault| span(fault).as_ref() == Some(&place))
        else {
            continue;
        };
        let Some((mut differences, written)) = as_differences(&axes[at], is_of_arguments) else {
            continue;
        };
        reroute(tree.get_ref(), &mut differences);
        let mut others = axes.to_vec();
        others[at] = differences;
        if variant(document, tree.clone(), &others, chosen, load).is_ok() {
            let number = axes[at].values[value].text.trim().trim_start_matches('-');
            let than = format!("for {number} less than there is write `{written}`");
            fault.remedy = [fault.remedy.as_str(), &than].join("; ");
        }
    }
}

/// Faulty variants; each fault is listed once.
#[derive(Default)]
struct Faulty {
    variants: Vec<Faults>,
    known: HashSet<(String, Option<Range<usize>>)>,
}

impl Faulty {
    fn add(&mut self, faults: Faults, name: String) {
        let is_new = |fault: &Fault| self.known.insert((kind(fault), span(fault)));
        let faults: Vec<Fault> = faults.faults.into_iter().filter(is_new).collect();
        if !faults.is_empty() {
            self.variants.push(Faults::new(name, faults));
        }
    }

    /// Removes faults of values between the ends of a range that one of the ends has too: they are the fault of that
    /// end, not of the number of steps.
    fn blame_ends(&mut self, axes: &[Axis]) {
        for keys in axes.iter().filter_map(|axis| axis.range.as_ref()) {
            let is_of_end = |fault: &&Fault| {
                span(fault).is_some_and(|span| span == keys.from || span == keys.to)
            };
            let all = self.variants.iter().flat_map(|variant| &variant.faults);
            let of_ends: HashSet<String> = all.filter(is_of_end).map(kind).collect();
            for variant in &mut self.variants {
                variant.faults.retain(|fault| {
                    span(fault).as_ref() != Some(&keys.steps) || !of_ends.contains(&kind(fault))
                });
            }
        }
        self.variants.retain(|variant| !variant.faults.is_empty());
    }
}

fn span(fault: &Fault) -> Option<Range<usize>> {
    fault.place.as_ref().map(|(_, span)| span.clone())
}

/// The message of a fault without digits: faults of a range's values stand at one place and differ only in their
/// numbers.
fn kind(fault: &Fault) -> String {
    fault.message.replace(|letter: char| letter.is_ascii_digit(), "")
}
