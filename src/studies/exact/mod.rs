//! What are the exact odds? The page, the JSON, the tables and the HTML report of a [walk](crate::walk) of all
//! outcomes.

mod expected;
mod fraction;
mod json;
mod page;
mod report;
mod score;
mod tables;

pub use expected::{Expected, expected};
pub use page::{Exactly, exact as page};
pub use report::report;
pub use tables::{ExactTable, exact as table, exact_orders as orders_table};
