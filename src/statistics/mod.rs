//! Statistical inference from counts: intervals, tests, adjustments, stratified and paired estimates, stopping rules.
//!
//! Everything here is computed from whole numbers, after the last merge. Methods name their sources; coverage and
//! error rates are tested in `tests/statistics`.

mod adjust;
mod association;
mod bootstrap;
mod contrast;
mod equilibrium;
mod equivalence;
mod forecasts;
mod intervals;
mod lift;
mod paired;
mod reweight;
mod score;
mod sequential;
mod strata;
mod two_samples;

pub use adjust::{benjamini_hochberg, holm, two_sided};
pub use association::{Association, association};
pub use bootstrap::redrawn;
pub use contrast::{Joint, contrast};
pub use equilibrium::{equilibrium, exploitability};
pub use equivalence::{Deviation, Deviations, Equivalence, Largest};
pub use forecasts::{Bin, Forecast, Known, Score, calibration};
pub use intervals::{Estimate, Level, difference, mean, mean_of_leads, proportion, quantile};
pub use lift::{Lift, lift};
pub use paired::{Comparison, Pair, paired, reweighted};
pub use reweight::{DrawModel, Expectation, Reweighting};
pub use score::{score, score_difference, score_sample};
pub use sequential::{SequentialTest, Verdict, confidence_sequence};
pub use strata::{Part, neyman, share_out, stratified};
pub use two_samples::{Sample, mean_difference, pooled_z};
