//! Elder Tale: ET cases in the order of the guide, ET-E cases from the game's wiki, ET-X cases for what neither
//! says.

mod arena;

mod all_in;
mod decisions;
mod effects;
mod energy_and_play;
mod order_of_operations;
