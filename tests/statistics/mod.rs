//! How often intervals hold the truth.

mod coverage;
mod reweighting;
mod stopping;
