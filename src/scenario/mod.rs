//! Reads and checks scenarios: from a file on disk to a setup that cannot be illegal.
//!
//! A scenario is TOML. Reading it has three stages, and each stage reports every fault it finds before the
//! next one starts: the text must be TOML; its shape must fit the game's schema ([`shape`]); its meaning
//! must fit the rules ([`Form::check`]). Every fault carries the file, the marked text and a remedy.

pub mod bundled;
mod changes;
mod checker;
mod common;
mod deserialize;
mod fault;
mod form;
mod numbers;
mod path;
pub mod shape;
mod suggest;
mod sweep;
mod syntax;
mod text;
mod unread;
mod variants;
mod weights;
mod window;

pub use bundled::Folder;
pub use changes::Shelf;
pub use checker::{Checker, MOST_MATCHUPS, Spot, can_be_a_name};
pub(crate) use checker::{IN_ONE_LINE, NAME_ONCE, repeats};
pub use common::{Common, Output, TableName, Watched};
pub(crate) use deserialize::{read_toml, read_value};
pub use fault::{Fault, Faults, Source};
pub use form::{Document, Form, Loaded, game_of, load, load_tree, numbers, part, schema};
pub use numbers::{Edit, Number, changes_text};
pub(crate) use shape::quoted;
pub use suggest::suggestion;
pub use sweep::{AxisForm, Mode, Sweep};
pub(crate) use syntax::tree;
use text::with_line_ends_of;
pub use text::{LARGEST_FILE, read_text, stays_below};
#[cfg(feature = "cli")]
pub(crate) use unread::ambiguous;
pub use variants::{Load, Settings, Variant, Variants, variants};
