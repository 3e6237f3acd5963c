//! One HTML page with everything in it: the answer, the figures, the tables behind them, and weights that can be
//! changed in the page.
//!
//! A study drafts the content of its report ([`Draft`]): its sentences and figures are the same as on its page for
//! the terminal, from the same analysis. The numbers are in its tables. [`page`] puts both into one file without
//! anything loaded from elsewhere; SVG is drawn in the page by the scripts beside this file. Text from scenarios and
//! folders is never taken for HTML: it is escaped here, and set as text by the scripts.

mod data;
mod notes;
mod page;
mod parts;

pub use notes::{
    Across, Axis, Colours, Detail, Draft, Drawn, FORMAT, Figure, Kept, Kind, Live, LiveAim,
    LiveArm, LiveContender, Mark, Notes, Preset, Said, ScenarioText, Seen, Series, Step, Tone,
    Unit, Whose,
};
pub use page::{Report, page};

#[cfg(feature = "cli")]
pub(crate) use parts::LOOKED_AT;
pub(crate) use parts::{MOST_MARKS, Trace, counts, detail, one, room, title};
