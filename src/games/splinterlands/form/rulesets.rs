//! Which rulesets battles have.

use num_rational::BigRational;
use num_traits::{One, ToPrimitive, Zero};
use strum::IntoEnumIterator;

use super::{DrawForm, RULESETS_LISTED, is_weight, say_edition};
use crate::games::splinterlands::draw::{DrawRules, Impossible, Redraw, draws, exactly};
use crate::games::splinterlands::edition::Edition;
use crate::games::splinterlands::ruleset::{Kind, Ruleset, Rulesets};
use crate::games::splinterlands::weights::Weights;
use crate::scenario::{Checker, Spot};
use crate::statistics::WEIGHTS;

/// The conditions that battles can have, and how they are drawn.
pub(super) struct Drawn {
    /// The conditions that can come up, each with its probability.
    pub conditions: Vec<(Rulesets, BigRational)>,
    /// The draw itself; None where the rulesets are fixed.
    pub draw: Option<Weights>,
}

/// The conditions that can come up, each with its probability, and the draw itself, unless the rulesets are fixed.
pub(super) fn conditions(
    form: &DrawForm,
    edition: Edition,
    spot: &Spot,
    checker: &mut Checker<'_>,
) -> Option<Drawn> {
    let mut known = |names: &[String], list: &str| known(names, edition, &spot.key(list), checker);
    let fixed = known(&form.fixed, "fixed");
    let only = known(&form.only, "only");
    let excluded = known(&form.exclude, "exclude");
    for (list, key) in [(&only, "only"), (&excluded, "exclude")] {
        let listed = list.iter().flatten().map(Ruleset::to_string);
        checker.warn_of_repeats(&spot.key(key), listed);
    }
    let weights = weights(form, edition, &spot.key("weights"), checker);
    let (fixed, only, excluded, weights) = (fixed?, only?, excluded?, weights?);
    if !fixed.is_empty() {
        let conditions = fixed_condition(form, &fixed, spot, checker);
        return Some(Drawn { conditions, draw: None });
    }
    let mut rules = DrawRules { redraw: form.redraw, weights, ..DrawRules::of(edition) };
    if let Some(percent) = form.two {
        rules.two = exactly(percent) / BigRational::from_integer(100.into());
    }
    for ruleset in Ruleset::iter() {
        let wanted = only.is_empty() || only.contains(&ruleset);
        if !wanted || excluded.contains(&ruleset) {
            rules.weights[ruleset as usize] = BigRational::zero();
        }
    }
    match draws(&rules) {
        Ok(conditions) => {
            let drawable = of_edition(edition).map(|ruleset| &rules.weights[ruleset as usize]);
            let weights: Vec<f64> = drawable.map(number).collect();
            let rulesets: Vec<Rulesets> =
                conditions.iter().map(|(rulesets, _)| *rulesets).collect();
            let draw = Weights::new(number(&rules.two), rules.redraw, &weights, &rulesets);
            Some(Drawn { conditions, draw: Some(draw) })
        }
        Err(Impossible::NoRuleset) => {
            let message = "no ruleset can be drawn: all weights are zero";
            checker.fault(spot, message, "give at least one ruleset a positive weight");
            None
        }
        Err(Impossible::NoPair) => {
            let message = "no two of the rulesets that can be drawn go together";
            checker.fault(spot, message, "set `two = 0`, or let more rulesets be drawn");
            None
        }
    }
}

fn number(exact: &BigRational) -> f64 {
    exact.to_f64().unwrap_or(f64::NAN)
}

fn weights(
    form: &DrawForm,
    edition: Edition,
    spot: &Spot,
    checker: &mut Checker<'_>,
) -> Option<Vec<BigRational>> {
    let mut weights = DrawRules::of(edition).weights;
    let mut clean = true;
    for (name, &weight) in &form.weights {
        let spot = spot.key(name);
        match name.parse::<Ruleset>() {
            Err(_) => {
                let names = of_edition(edition).map(Into::into);
                checker.unknown_key(&spot, "ruleset", name, names, RULESETS_LISTED);
                clean = false;
            }
            Ok(ruleset) if ruleset.edition() > edition => {
                too_late(ruleset, &spot, checker);
                clean = false;
            }
            Ok(_) if weight < 0.0 => {
                let message = format!("the weight of `{name}` is negative");
                let remedy = "0 is never drawn, 1 is usual, 2 is drawn twice as often";
                checker.fault(&spot, message, remedy);
                clean = false;
            }
            Ok(_) if !is_weight(name, weight, WEIGHTS, &spot, checker) => clean = false,
            Ok(ruleset) => weights[ruleset as usize] = exactly(weight),
        }
    }
    clean.then_some(weights)
}

/// Warns where the game would not draw the fixed rulesets together (guide, Type; SP-05, SP-06).
fn warn_if_never_drawn(fixed: &[Ruleset], spot: &Spot, checker: &mut Checker<'_>) {
    const REMEDY: &str =
        "battles are played with them nevertheless; take one out to have what the game has";
    for (kind, word) in [(Kind::Primary, "primary"), (Kind::Secondary, "secondary")] {
        let alike: Vec<&Ruleset> = fixed.iter().filter(|of| of.kind() == kind).collect();
        if let [first, second, ..] = alike[..] {
            let message =
                format!("the game never draws `{first}` with `{second}`: both are {word}");
            checker.warn(spot, message, REMEDY);
            return;
        }
    }
    if fixed.len() > 2 {
        let message = format!("the game never draws {} rulesets together", fixed.len());
        checker.warn(spot, message, REMEDY);
    }
}

/// Exactly the given rulesets. Any that the guide forbids together are a fault of the scenario.
fn fixed_condition(
    form: &DrawForm,
    fixed: &[Ruleset],
    spot: &Spot,
    checker: &mut Checker<'_>,
) -> Vec<(Rulesets, BigRational)> {
    let draws = form.two.is_some()
        || !form.weights.is_empty()
        || !form.only.is_empty()
        || !form.exclude.is_empty()
        || form.redraw != Redraw::default();
    if draws {
        let message = "`fixed` rulesets leave nothing to draw";
        checker.fault(
            &spot.key("fixed"),
            message,
            "take out `two`, `redraw`, `weights`, `only` and `exclude`, or `fixed`",
        );
    }
    for (at, ruleset) in fixed.iter().enumerate() {
        let Some(other) = fixed[..at].iter().find(|other| !other.goes_with(*ruleset)) else {
            continue;
        };
        let message = if other == ruleset {
            format!("`{ruleset}` stands here twice")
        } else {
            format!("`{ruleset}` and `{other}` exclude each other")
        };
        checker.fault(&spot.key("fixed").index(at), message, RULESETS_LISTED);
    }
    warn_if_never_drawn(fixed, &spot.key("fixed"), checker);
    vec![(fixed.iter().copied().collect(), BigRational::one())]
}

fn known(
    names: &[String],
    edition: Edition,
    spot: &Spot,
    checker: &mut Checker<'_>,
) -> Option<Vec<Ruleset>> {
    let mut find = |(at, name): (usize, &String)| match name.parse::<Ruleset>() {
        Err(_) => {
            let known = of_edition(edition).map(Into::into);
            checker.unknown_name(&spot.index(at), "ruleset", name, known, RULESETS_LISTED);
            None
        }
        Ok(ruleset) if ruleset.edition() > edition => {
            too_late(ruleset, &spot.index(at), checker);
            None
        }
        Ok(ruleset) => Some(ruleset),
    };
    let found: Vec<Option<Ruleset>> = names.iter().enumerate().map(&mut find).collect();
    found.into_iter().collect()
}

fn of_edition(edition: Edition) -> impl Iterator<Item = Ruleset> {
    Ruleset::iter().filter(move |ruleset| ruleset.edition() <= edition)
}

/// Reports a ruleset that the scenario's edition does not have yet.
fn too_late(ruleset: Ruleset, spot: &Spot, checker: &mut Checker<'_>) {
    let message = format!("`{ruleset}` is of the edition of {}", ruleset.edition());
    checker.fault(spot, message, say_edition(ruleset.edition()));
}
