//! How battles are told: as a story that people read, and step by step with the board.

mod eldertale;
mod sanctum;
mod solforge;
mod splinterlands;
mod steps;
