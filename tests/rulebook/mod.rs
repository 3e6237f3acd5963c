//! The rulebook cases of every game: one case, one test, its id first in the name.

mod cases;
mod citations;
mod eldertale;
mod sanctum;
mod solforge;
mod splinterlands;
