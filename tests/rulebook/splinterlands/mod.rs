//! Splinterlands: SP cases from the guide in its order, SP-X cases for what the guide leaves out, SP-L cases
//! for the later edition.

mod arena;

mod any_rulesets;
mod combat;
mod drawing;
mod hitting;
mod later_edition;
mod legality;
mod official_order;
mod primary_rulesets;
mod records;
mod secondary_rulesets;
mod turn_order;
