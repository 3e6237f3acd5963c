//! Sanctum: SA cases from the combat pipeline page in its order, SA-X cases for effects, monsters and spells.

mod arena;

mod check_for_all_combats;
mod choosing;
mod combat_round;
mod effects;
mod full_combat;
mod one_attack;
mod outcomes;
