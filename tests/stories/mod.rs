//! How battles are told, as people read them, and step by step with the board.

mod eldertale;
mod sanctum;
mod solforge;
mod splinterlands;
mod steps;
