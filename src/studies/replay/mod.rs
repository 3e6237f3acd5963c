//! Do the rules reproduce recorded battles? The page with the result of fighting them again.

mod page;

pub use page::{Refought, RefoughtVerdict, replay as page};
