//! Second opinions: every game's rules once more, slow and plain, written from the rule texts without a look at the
//! engine, and both played side by side on the same dice.

mod sanctum;
mod solforge;
mod tape;
