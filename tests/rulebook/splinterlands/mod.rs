//! Splinterlands: SP cases from the guide in its order, SP-X cases for what the guide leaves out.

mod arena;

mod any_rulesets;
mod combat;
mod drawing;
mod hitting;
mod legality;
mod primary_rulesets;
mod secondary_rulesets;
mod turn_order;
