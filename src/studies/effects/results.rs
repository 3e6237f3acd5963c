//! Effects and interactions, estimated from the counts.

use super::{Design, Played};
use crate::statistics::{
    Comparison, Estimate, Level, benjamini_hochberg, clustered, contrast, holm,
};

/// With fewer appearances under a condition nothing is tested: the normal approximation is too poor.
const ENOUGH: u64 = 100;

/// The effect of a condition on the score of a subject.
#[derive(Clone, Debug, PartialEq)]
pub struct Effect {
    /// Index into the design's cases; never the neutral one.
    pub case: usize,
    /// Index of the subject: sides of match-ups first (`match-up * sides + side`), then units.
    pub subject: usize,
    /// Whether it is a side all of whose battles under this condition are forfeits: its score then only says who may
    /// bring what.
    pub is_never_fought: bool,
    /// The subject's appearances under the neutral condition and under this one.
    pub played: [u64; 2],
    /// Its score under the neutral condition and under this one.
    pub scores: [Estimate; 2],
    /// The second score minus the first, -1 to 1. No p-value where it took part fewer than 100 times under either
    /// condition.
    pub effect: Comparison,
    /// The p-value, adjusted for its family.
    pub p_adjusted: f64,
    /// The interaction; None unless the condition is a pair whose two factors were also played alone.
    pub interaction: Option<Interaction>,
}

/// An interaction: what a pair does beyond the sum of the effects of its parts.
#[derive(Clone, Debug, PartialEq)]
pub struct Interaction {
    /// The effect of both factors minus the effects of each, -2 to 2. No p-value where the subject took part fewer than
    /// 100 times under any of the four conditions.
    pub beyond: Comparison,
    /// The p-value, adjusted for its family.
    pub p_adjusted: f64,
}

/// The effect of every condition on every subject that took part under both: sides of match-ups first, each with its
/// conditions in the order of the design, then units. Units are left out under conditions whose forfeits leave them with
/// other opponents.
///
/// P-values are adjusted by family: the single factors of all sides, their pairs, the interactions of these, and the same
/// three kinds over all units. What is seen in any match-up is one statement about all of them. The single factors of the
/// only side are a short list, for which the family-wise error rate is controlled ([`holm`]); the others are long lists,
/// for which the false discovery rate is controlled ([`benjamini_hochberg`]). Where one side loses what the other gains,
/// both have the p-values of one family, which it has twice: that leaves the rate of false discoveries as it is.
#[must_use]
pub fn results(design: &Design<'_>, played: &Played, level: Level) -> Vec<Effect> {
    let mut effects = Vec::new();
    let mut pair_of = vec![None; design.cases.len()];
    for (pair, parts) in design.pairs.iter().enumerate() {
        pair_of[parts.both] = Some(pair);
    }
    let mut family = |subjects: std::ops::Range<usize>, of_singles: Adjust| {
        let mut rows: Vec<Effect> = subjects
            .flat_map(|subject| of_subject(design, played, subject, &pair_of, level))
            .collect();
        let is_single = |row: &Effect| design.cases[row.case].factors.len() == 1;
        adjust(&mut rows, of_singles, |row| {
            is_single(row).then_some((row.effect.p_value, &mut row.p_adjusted))
        });
        adjust(&mut rows, benjamini_hochberg, |row| {
            (!is_single(row)).then_some((row.effect.p_value, &mut row.p_adjusted))
        });
        adjust(&mut rows, benjamini_hochberg, |row| {
            row.interaction.as_mut().map(|of| (of.beyond.p_value, &mut of.p_adjusted))
        });
        effects.append(&mut rows);
    };
    if design.is_about_one_side() {
        for side in 0..design.sides() {
            family(side..side + 1, holm);
        }
    } else {
        family(0..design.sides(), benjamini_hochberg);
    }
    family(design.sides()..design.subjects(), benjamini_hochberg);
    effects
}

type Adjust = fn(&[f64]) -> Vec<f64>;

/// Adjusts the p-values that `pick` selects, as one family.
fn adjust(
    rows: &mut [Effect],
    method: Adjust,
    pick: impl Fn(&mut Effect) -> Option<(f64, &mut f64)>,
) {
    let (p_values, places): (Vec<f64>, Vec<&mut f64>) = rows.iter_mut().filter_map(pick).unzip();
    for (place, adjusted) in places.into_iter().zip(method(&p_values)) {
        *place = adjusted;
    }
}

fn of_subject(
    design: &Design<'_>,
    Played { tally, .. }: &Played,
    subject: usize,
    pair_of: &[Option<usize>],
    level: Level,
) -> Vec<Effect> {
    let is_unit = subject >= design.sides();
    let interaction = |case: usize| {
        let pair = pair_of[case]?;
        let of = design.pairs[pair];
        if is_unit && tally.opponents_differ(&[0, of.first, of.second, of.both], subject) {
            return None;
        }
        let joint = tally.interaction(pair, of, subject);
        let parts = tally.parts([0, of.first, of.second, of.both], subject);
        let beyond = contrast(&joint, &parts, [1.0, -1.0, -1.0, 1.0], level);
        let beyond = tested(beyond, &joint.played);
        Some(Interaction { beyond, p_adjusted: f64::NAN })
    };
    let sides = design.layout.sides;
    let score = |case: usize| clustered(&tally.fared(case, subject), sides, level);
    let neutral = score(0);
    let effect = |case: usize| {
        let joint = tally.effect(case, subject);
        if joint.played.contains(&0) || is_unit && tally.opponents_differ(&[0, case], subject) {
            return None;
        }
        let parts = tally.parts([0, case], subject);
        Some(Effect {
            case,
            subject,
            is_never_fought: !is_unit && tally.is_never_fought(case, subject),
            played: joint.played,
            scores: [neutral, score(case)],
            effect: tested(contrast(&joint, &parts, [-1.0, 1.0], level), &joint.played),
            p_adjusted: f64::NAN,
            interaction: interaction(case),
        })
    };
    (1..design.cases.len()).filter_map(effect).collect()
}

/// The conditions of single factors under which units are left out, because battles that are forfeited leave them with other
/// opponents: what changed for them could be that.
#[must_use]
pub(super) fn left_out(design: &Design<'_>, Played { tally, .. }: &Played) -> Vec<usize> {
    let units = || (design.sides()..design.subjects()).filter(|_| design.units);
    let is_single = |case: &usize| design.cases[*case].factors.len() == 1;
    let took_part = |case: usize, unit: usize| !tally.effect(case, unit).played.contains(&0);
    (1..design.cases.len())
        .filter(is_single)
        .filter(|&case| {
            units().any(|unit| took_part(case, unit) && tally.opponents_differ(&[0, case], unit))
        })
        .collect()
}

pub(super) fn tested(found: Comparison, played: &[u64]) -> Comparison {
    let enough = played.iter().all(|&played| played >= ENOUGH);
    Comparison { p_value: if enough { found.p_value } else { f64::NAN }, ..found }
}
