//! How far a run is, on standard error.

use std::fmt::Write;
use std::time::{Duration, Instant};

use indicatif::{ProgressBar, ProgressDrawTarget, ProgressState, ProgressStyle};

use super::terminal::{Terminal, say};
use crate::batch::Standing;
use crate::statistics::{Level, proportion};
use crate::tally::Layout;
use crate::visible::visible_line;

/// How often a line is printed where there is no terminal to draw a bar on.
const LINE_EVERY: Duration = Duration::from_secs(5);

/// Shows progress, or does not.
pub(super) enum Progress {
    /// A bar that is drawn over.
    Bar(ProgressBar),
    /// A line now and then.
    Lines {
        /// When the run began.
        began: Instant,
        /// How many were played before.
        first: u64,
        /// When the last line was printed.
        last: Instant,
        /// How many battles there are, or of whatever else is counted.
        total: u64,
        /// What is counted, in the plural.
        noun: &'static str,
    },
    /// Nothing.
    Quiet,
}

impl Progress {
    /// Progress towards `total` battles.
    pub(super) fn new(terminal: &Terminal, quiet: bool, total: u64) -> Self {
        Self::counting(terminal, quiet, total, "battles")
    }

    /// Progress towards `total` of something else, with its name in the plural.
    pub(super) fn counting(
        terminal: &Terminal,
        quiet: bool,
        total: u64,
        noun: &'static str,
    ) -> Self {
        if quiet {
            return Self::Quiet;
        }
        if !terminal.live {
            let began = Instant::now();
            return Self::Lines { began, first: 0, last: began, total, noun };
        }
        let template = if terminal.colour_messages {
            "{bar:24.cyan} {percent:>3}%  {rate}  {eta} left  {msg}"
        } else {
            "{bar:24} {percent:>3}%  {rate}  {eta} left  {msg}"
        };
        let style = ProgressStyle::with_template(template).expect("the template is well formed");
        let bar = ProgressBar::with_draw_target(Some(total), ProgressDrawTarget::stderr());
        let rate = |state: &ProgressState, text: &mut dyn Write| {
            // A line that cannot be formatted is not worth failing a run for.
            let _ = write!(text, "{:.0}/s", state.per_sec());
        };
        bar.set_style(style.with_key("rate", rate).progress_chars("━╸ "));
        Self::Bar(bar)
    }

    /// Says that so many were played before: they tell nothing about how fast it goes.
    pub(super) fn going_on_from(mut self, played: u64) -> Self {
        match &mut self {
            Self::Bar(bar) => {
                bar.set_position(played);
                bar.reset_eta();
            }
            Self::Lines { first, .. } => *first = played,
            Self::Quiet => {}
        }
        self
    }

    /// Shows where the run stands.
    pub(super) fn show(&mut self, standing: &Standing, layout: &Layout) {
        self.step(standing.played, || estimate(standing, layout));
    }

    /// Shows that so many battles are played, and what there is to say of them.
    pub(super) fn step(&mut self, played: u64, message: impl Fn() -> String) {
        match self {
            Self::Bar(bar) => {
                bar.set_message(visible_line(&message()).into_owned());
                bar.set_position(played);
            }
            Self::Lines { began, first, last, total, noun } if last.elapsed() >= LINE_EVERY => {
                *last = Instant::now();
                let rate = played.saturating_sub(*first) as f64 / began.elapsed().as_secs_f64();
                let left = total.saturating_sub(played) as f64 / rate;
                let message = Some(message()).filter(|message| !message.is_empty());
                let message = message.map_or(String::new(), |message| format!(", {message}"));
                say(&format!(
                    "{played} of {total} {noun}, {rate:.0}/s, {left:.0} s left{message}\n"
                ));
            }
            Self::Lines { .. } | Self::Quiet => {}
        }
    }

    /// Clears the bar away.
    pub(super) fn finish(&self) {
        if let Self::Bar(bar) = self {
            bar.finish_and_clear();
        }
    }
}

/// The win rate of side A in the first match-up so far.
fn estimate(standing: &Standing, layout: &Layout) -> String {
    let count = &standing.first_matchup;
    let rate = proportion(count.wins[0], count.battles, Level::P95);
    let name = &layout.matchups[0].contenders[0];
    let name: String = name.chars().take(20).collect();
    let half = (rate.high - rate.low) / 2.0;
    format!("{name} {:.2}% ± {:.2}", 100.0 * rate.value, 100.0 * half)
}
