//! How often intervals hold the truth.

mod best;
mod coverage;
mod null;
mod reweighting;
mod stopping;
mod units;
