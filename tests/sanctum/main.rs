//! Sanctum besides its rulebook: the laws of its combats, and what its scenarios can say.

mod forms;
mod laws;
