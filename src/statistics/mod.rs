//! Statistical inference from counts: intervals, tests, adjustments, stratified and paired estimates, stopping rules.
//!
//! Everything here is computed from whole numbers, after the last merge. Methods name their sources; coverage and
//! error rates are tested in `tests/statistics`.

mod absorbed;
mod adjust;
mod association;
mod betting;
mod bootstrap;
mod chernoff;
mod clusters;
mod contrast;
pub(crate) mod distributions;
mod equilibrium;
mod equivalence;
mod forecasts;
mod intervals;
mod leads;
mod levels;
mod lift;
mod log_odds;
mod occurrences;
mod paired;
mod power;
mod reweight;
mod ridge;
mod score;
mod sequential;
mod shrinkage;
mod strata;
mod two_samples;

pub use absorbed::Absorbed;
pub use adjust::{benjamini_hochberg, holm, two_sided};
pub use association::{Association, association, difference_within};
pub use betting::score_sequence;
pub use bootstrap::redrawn;
pub use chernoff::upper_bound;
pub use clusters::{ClusteredMean, ShareCounts, clustered, clustered_mean, clustered_share};
pub use contrast::{Joint, JointPart, contrast};
pub use equilibrium::{equilibrium, exploitability, most_even_equilibrium, near_equilibrium};
pub use equivalence::{Deviation, Deviations, Equivalence, Largest, as_large, as_sure};
pub use forecasts::{Bin, Forecast, Known, Score, calibration};
pub use intervals::{Estimate, Level, difference, mean, mean_of_counts, proportion, quantile};
pub use leads::{Seat, mean_of_leads, sum_of_leads};
pub use levels::{Levels, PairedSums};
pub use lift::{Lift, Teams, added_odds, lift, lift_among};
pub use occurrences::Occurrences;
pub use paired::{Comparison, Pair, ScorePair, paired, reweighted};
pub use power::{Design, Power, largest_change};
pub use reweight::{DrawModel, Expectation, Frame, Reweighting, WEIGHTS};
pub use ridge::{Baseline, Contrast, Errors, Ridge, Sums};
pub use score::{
    Scores, same_score, score, score_difference, score_sample, score_variances_if_alike,
};
pub use sequential::{SequentialTest, Verdict, confidence_sequence};
pub use shrinkage::{Shrunk, shrunk, shrunk_among};
pub use strata::{Part, ScorePart, neyman, share_out, stratified};
pub use two_samples::{Sample, mean_difference, pooled_z};
