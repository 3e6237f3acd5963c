//! The rulebook cases of every game: each case is one test, whose name begins with the case's id.

mod cases;
mod citations;
mod eldertale;
mod sanctum;
mod solforge;
mod splinterlands;
