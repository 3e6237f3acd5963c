//! Sanctum besides its rulebook: the laws of its combats, what its scenarios can say, and how it is told.

mod forms;
mod laws;
mod story;
