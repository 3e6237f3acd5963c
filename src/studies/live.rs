//! What an HTML report needs to recompute scores under other weights: the strata of the battles played, how odds follow
//! from weights, and the aim and limits that `evens tune` would use.

use crate::report::html::{Live, LiveAim, LiveArm, LiveContender, Preset, Whose};
use crate::statistics::{DrawModel, Frame, Level};
use crate::studies::evenness::{Aim, Contender, Limits, Who, contenders};
use crate::tally::{Clustered, Layout, OutcomeMeasure, Tally};

/// The largest amount of numbers that an HTML page may hold.
const MOST: usize = 120_000;

/// The live data of a run: scores of sides and contenders. None where nothing is drawn by weight, where no two
/// different contenders meet, or where there are too many strata for a page.
#[must_use]
pub fn of_run(
    layout: &Layout,
    model: Option<&dyn DrawModel>,
    tally: &Tally,
    level: Level,
) -> Option<Live> {
    let model = model?;
    let frame = frame(model, layout)?;
    let contenders = contenders(layout);
    if contenders.is_empty() || is_too_large(layout.strata(), layout.sides) {
        return None;
    }
    let measure = tally.measure();
    Some(Live {
        noun: layout.factor_noun.to_owned(),
        measure: measure.noun().to_owned(),
        sides: layout.sides,
        z: level.z(),
        confidence: level.confidence(),
        unwon: unwon(measure).to_owned(),
        arms: vec![arm(layout, tally, measure)],
        presets: presets(&frame),
        scenarios: Vec::new(),
        contenders: live_contenders(&contenders, layout, tally),
        aim: live_aim(model, &Limits::usual(model), Aim::default()),
        frame,
    })
}

/// Whether this many strata are too many for a page.
pub(crate) fn is_too_large(strata: usize, sides: usize) -> bool {
    strata * (1 + sides) > MOST
}

/// How odds follow from weights; None where the model has no such description, its conditions are not the layout's, or
/// there is only one condition.
pub(crate) fn frame(model: &dyn DrawModel, layout: &Layout) -> Option<Frame> {
    let frame = model.frame()?;
    (frame.conditions.len() == layout.conditions.len() && frame.conditions.len() > 1)
        .then_some(frame)
}

/// How a measure counts a battle that nobody wins, in a word.
pub(crate) fn unwon(measure: OutcomeMeasure) -> &'static str {
    match measure {
        OutcomeMeasure::Score => "shared",
        OutcomeMeasure::Wins => "lost",
        OutcomeMeasure::Decided => "left out",
    }
}

/// The battles of a tally by stratum.
pub(crate) fn arm(layout: &Layout, tally: &Tally, measure: OutcomeMeasure) -> LiveArm {
    let mut arm = LiveArm {
        matchups: layout.matchups.iter().map(|matchup| matchup.contenders.clone()).collect(),
        battles: Vec::with_capacity(layout.strata()),
        wins: Vec::with_capacity(layout.strata() * layout.sides),
    };
    for count in tally.strata.iter() {
        arm.battles.push(match measure {
            OutcomeMeasure::Score | OutcomeMeasure::Wins => count.battles,
            OutcomeMeasure::Decided => count.wins.iter().sum(),
        });
        arm.wins.extend_from_slice(&count.wins);
    }
    arm
}

/// The presets for the weights: those of the scenario, and equal weights where that differs.
fn presets(frame: &Frame) -> Vec<Preset> {
    let own = Preset {
        name: "as the scenario has them".to_owned(),
        arm: 0,
        weights: frame.weights.clone(),
        two: frame.two,
        scenario: Whose::Own,
    };
    let alike: Vec<f64> =
        frame.weights.iter().map(|&weight| if weight > 0.0 { 1.0 } else { 0.0 }).collect();
    let mut presets = vec![own];
    if alike != frame.weights {
        presets.push(Preset { name: "all alike".to_owned(), weights: alike, ..presets[0].clone() });
    }
    presets
}

/// The contenders that should be even, in the form in which the page stores them.
pub(crate) fn live_contenders(
    contenders: &[Contender],
    layout: &Layout,
    tally: &Tally,
) -> Vec<LiveContender> {
    let conditions = layout.conditions.len();
    let cells = |unit: usize| -> Vec<Vec<[u64; 6]>> {
        let mut cells = vec![Vec::with_capacity(conditions); layout.matchups.len()];
        for condition in 0..conditions {
            for (cells, at) in cells.iter_mut().zip(tally.fared_under(layout, condition, unit)) {
                let Clustered { times, points, times_squared, times_by_points, points_squared } =
                    at.fared;
                cells.push([
                    at.battles,
                    times,
                    points,
                    times_squared,
                    times_by_points,
                    points_squared,
                ]);
            }
        }
        cells
    };
    contenders
        .iter()
        .map(|of| {
            let (places, cells) = match &of.who {
                Who::Sides(places) => {
                    (places.iter().map(|&(matchup, side)| [matchup, side]).collect(), Vec::new())
                }
                Who::Unit(unit) => (Vec::new(), cells(*unit)),
            };
            LiveContender { name: of.name.clone(), target: of.target, places, cells }
        })
        .collect()
}

/// The objective and the limits of the search in the page.
pub(crate) fn live_aim(model: &dyn DrawModel, limits: &Limits, aim: Aim) -> LiveAim {
    LiveAim {
        objective: aim.objective.name().to_owned(),
        ranges: (0..model.names().len())
            .map(|at| {
                let (low, high) = limits.range(model, at);
                [low, high]
            })
            .collect(),
        rarest: limits.aim(),
        price: aim.price,
    }
}
