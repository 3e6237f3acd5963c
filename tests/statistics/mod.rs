//! How often intervals hold the truth.

mod best;
mod coverage;
mod nightly;
mod null;
mod patch;
mod reweighting;
mod stopping;
mod units;
mod worth;
