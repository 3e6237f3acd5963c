//! How battles are told, as people read them.

mod eldertale;
mod sanctum;
mod solforge;
