//! Are recorded battles reproduced? What came of fighting them again, on a page.

mod page;

pub use page::{Refought, RefoughtVerdict, replay as page};
