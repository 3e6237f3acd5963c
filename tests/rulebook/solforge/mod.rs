//! The worked examples of the Advanced Rulebook, in its order.

mod arena;

mod batches;
mod combat;
mod doomrider;
mod extra_battles;
mod extremes;
mod games;
mod resolution;
mod revival;
mod spawns;
mod statics;
mod strict;
mod turn;
mod upkeep;
mod verbs;
