//! How far a run is, on standard error.

use std::fmt::Write;
use std::mem;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{Duration, Instant};

use indicatif::{ProgressBar, ProgressDrawTarget, ProgressState, ProgressStyle};
use serde_json::json;

use super::terminal::{ProgressChoice, Terminal, say_json, say_lines};
use crate::batch::Standing;
use crate::game::Side;
use crate::report::whole;
use crate::sorting::Sorting;
use crate::statistics::{Estimate, Level, ScorePart, score, stratified};
use crate::tally::{Layout, Matchup, OutcomeMeasure};
use crate::visible::{visible, visible_line};

/// How often a line is printed where there is no terminal to draw a bar on.
const LINE_EVERY: Duration = Duration::from_secs(5);
/// How often a JSON object is printed for another program.
const OBJECT_EVERY: Duration = Duration::from_millis(200);

/// How much of a command's work was done before it, as its plays find that. Clones count together.
#[derive(Clone, Debug, Default)]
pub(super) struct DoneBefore(Arc<AtomicU64>);

impl DoneBefore {
    /// Adds so much.
    pub(super) fn add(&self, done: u64) {
        self.0.fetch_add(done, Ordering::Relaxed);
    }

    fn so_far(&self) -> u64 {
        self.0.load(Ordering::Relaxed)
    }
}

/// Progress on standard error.
pub(super) struct Progress {
    shown: Shown,
    done_before: DoneBefore,
    /// How much of other work had been done before when this began.
    others: u64,
    /// What of it was known as done before when the last step was shown.
    known: u64,
}

/// How progress is shown.
enum Shown {
    /// A bar that is drawn over.
    Bar(ProgressBar),
    /// A line now and then.
    Lines {
        /// When the run began.
        began: Instant,
        /// When the last line was printed.
        last: Instant,
        /// How many battles, or whatever else is counted, there are in all.
        total: u64,
        /// Whether the work may end long before `total`, so that nobody knows how long it takes.
        is_bound: bool,
        /// What is counted, in the plural.
        noun: &'static str,
        /// How a line is written.
        written: Written,
    },
    /// Nothing.
    Quiet,
}

/// How a line of progress is written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Written {
    /// For people.
    Plainly,
    /// As a JSON object.
    InJson,
}

impl Written {
    fn every(self) -> Duration {
        match self {
            Self::Plainly => LINE_EVERY,
            Self::InJson => OBJECT_EVERY,
        }
    }
}

impl Progress {
    /// Progress towards `total` battles.
    pub(super) fn new(terminal: &Terminal, quiet: bool, total: u64) -> Self {
        Self::counting(terminal, quiet, total, "battles")
    }

    /// Progress of work that takes at most `total` battles, or whatever else is counted, and may end long before: it shows
    /// the time that has passed, and not the time that is left.
    pub(super) fn at_most(
        terminal: &Terminal,
        quiet: bool,
        total: u64,
        noun: &'static str,
    ) -> Self {
        Self::towards(terminal, quiet, total, noun, true)
    }

    /// Progress towards `total` of something else, with its name in the plural.
    pub(super) fn counting(
        terminal: &Terminal,
        quiet: bool,
        total: u64,
        noun: &'static str,
    ) -> Self {
        Self::towards(terminal, quiet, total, noun, false)
    }

    fn towards(
        terminal: &Terminal,
        quiet: bool,
        total: u64,
        noun: &'static str,
        is_bound: bool,
    ) -> Self {
        let written = match terminal.progress {
            ProgressChoice::None => return Self::of(Shown::Quiet),
            _ if quiet => return Self::of(Shown::Quiet),
            ProgressChoice::Auto | ProgressChoice::Bar if terminal.live => None,
            ProgressChoice::Auto | ProgressChoice::Bar | ProgressChoice::Plain => {
                Some(Written::Plainly)
            }
            ProgressChoice::Json => Some(Written::InJson),
        };
        if let Some(written) = written {
            let began = Instant::now();
            return Self::of(Shown::Lines { began, last: began, total, is_bound, noun, written });
        }
        let template = match (is_bound, terminal.colour_messages) {
            (false, true) => "{bar:24.30} {percent:>3}%  {rate}  {eta} left  {msg}",
            (false, false) => "{bar:24} {percent:>3}%  {rate}  {eta} left  {msg}",
            (true, _) => "{human_pos} of at most {human_len}  {rate}  {elapsed} so far  {msg}",
        };
        let style = ProgressStyle::with_template(template).expect("the template is well formed");
        let bar = ProgressBar::with_draw_target(Some(total), ProgressDrawTarget::stderr());
        let rate = |state: &ProgressState, text: &mut dyn Write| {
            // A line that cannot be formatted is not worth failing a run for.
            let _ = write!(text, "{}/s", whole(state.per_sec().round() as u64));
        };
        bar.set_style(style.with_key("rate", rate).progress_chars("━╸ "));
        Self::of(Shown::Bar(bar))
    }

    fn of(shown: Shown) -> Self {
        Self { shown, done_before: DoneBefore::default(), others: 0, known: 0 }
    }

    /// Leaves what plays that begin from now on find done out of the speed.
    pub(super) fn besides(self, done_before: DoneBefore) -> Self {
        let others = done_before.so_far();
        Self { done_before, others, ..self }
    }

    /// Shows how side A fares so far in the first match-up of different contenders.
    pub(super) fn show(
        &mut self,
        standing: &Standing<'_>,
        layout: &Layout,
        measure: OutcomeMeasure,
    ) {
        self.step(standing.played, || estimate(standing, layout, measure));
    }

    /// Shows how all contenders fare so far.
    pub(super) fn show_all(
        &mut self,
        standing: &Standing<'_>,
        layout: &Layout,
        measure: OutcomeMeasure,
    ) {
        self.step(standing.played, || standings(standing, layout, measure));
    }

    /// How much of this work earlier commands had done, as far as its plays have found that.
    fn known_by_now(&self) -> u64 {
        self.done_before.so_far() - self.others
    }

    /// Shows how many battles are played, and a message about them.
    pub(super) fn step(&mut self, played: u64, message: impl Fn() -> String) {
        let known = self.known_by_now();
        let is_more = known > mem::replace(&mut self.known, known);
        match &mut self.shown {
            Shown::Bar(bar) => {
                bar.set_message(visible(&message()).into_owned());
                bar.set_position(played);
                if is_more {
                    bar.reset_eta();
                }
            }
            Shown::Lines { began, last, total, is_bound, noun, written }
                if last.elapsed() >= written.every() =>
            {
                *last = Instant::now();
                let seconds = began.elapsed().as_secs_f64();
                let rate = played.saturating_sub(known) as f64 / seconds;
                let bounded = is_bound.then_some(seconds);
                match written {
                    Written::Plainly => {
                        say_lines(&line((played, *total), noun, rate, bounded, &message()))
                    }
                    Written::InJson => {
                        say_json(&object(played, *total, noun, rate, *is_bound, &message()))
                    }
                }
            }
            Shown::Lines { .. } | Shown::Quiet => {}
        }
    }

    /// Clears the bar away.
    pub(super) fn finish(&self) {
        if let Shown::Bar(bar) = &self.shown {
            bar.finish_and_clear();
        }
    }
}

/// A line of progress. `bounded` is the number of seconds so far where the total is only a bound: then what is left is not
/// known.
fn line(
    (played, total): (u64, u64),
    noun: &str,
    rate: f64,
    bounded: Option<f64>,
    message: &str,
) -> String {
    let (bound, time) = match bounded {
        Some(seconds) => ("at most ", format!("{seconds:.0} s so far")),
        None => ("", format!("{:.0} s left", total.saturating_sub(played) as f64 / rate)),
    };
    let comma = if message.is_empty() || message.starts_with('\n') { "" } else { ", " };
    let (played, total, rate) = (whole(played), whole(total), whole(rate.round() as u64));
    format!("{played} of {bound}{total} {noun}, {rate}/s, {time}{comma}{message}\n")
}

/// Progress as a JSON object in a line, for a program.
fn object(played: u64, total: u64, noun: &str, rate: f64, is_bound: bool, message: &str) -> String {
    let progress = json!({
        "done": played, "total": total, "at_most": is_bound, "noun": noun, "per_second": rate, "message": message.trim_start_matches('\n'),
    });
    format!("{}\n", json!({ "progress": progress }))
}

/// The most contenders whose standings are shown.
const MOST: usize = 12;

/// How side A fares so far in the first match-up of different contenders, or in the first one where none differ.
fn estimate(standing: &Standing<'_>, layout: &Layout, measure: OutcomeMeasure) -> String {
    let short = |name: &str| visible_line(&name.chars().take(20).collect::<String>()).into_owned();
    let differ = |of: &Matchup| of.contenders.iter().any(|name| *name != of.contenders[0]);
    let at = layout.matchups.iter().position(differ).unwrap_or(0);
    let has = score(standing.matchup(at).results(Side::A), measure, Level::P95);
    let [first, others @ ..] = &layout.matchups[at].contenders[..] else { return String::new() };
    let against = match (others, layout.matchups.len()) {
        ([other], 2..) => format!(" vs {}", short(other)),
        _ => String::new(),
    };
    let first = short(first);
    format!("{first}{against} {:.2}% ± {:.2}", 100.0 * has.value, 50.0 * (has.high - has.low))
}

/// How every contender fares so far, best first, over all its battles with others.
fn standings(standing: &Standing<'_>, layout: &Layout, measure: OutcomeMeasure) -> String {
    let contenders = layout.contenders();
    let mut parts: Vec<Vec<ScorePart>> = vec![Vec::new(); contenders.names.len()];
    for matchup in 0..layout.matchups.len() {
        let count = standing.matchup(matchup);
        let at = &contenders.at[matchup * layout.sides..][..layout.sides];
        if count.battles == 0 || at.iter().all(|of| *of == at[0]) {
            continue;
        }
        for (side, &of) in at.iter().enumerate() {
            let results = count.results(Side(side as u8));
            parts[usize::from(of)].push(ScorePart::of_results(1.0, results, measure));
        }
    }
    let all = contenders.names.iter().zip(&parts).filter(|(_, parts)| !parts.is_empty());
    let mut scores: Vec<(&str, Estimate)> =
        all.map(|(name, parts)| (*name, stratified(parts.iter().copied(), Level::P95))).collect();
    if scores.is_empty() {
        return estimate(standing, layout, measure);
    }
    scores.put_in_order_by(|(_, a), (_, b)| b.value.total_cmp(&a.value));
    let mut text = String::new();
    for (name, has) in scores.iter().take(MOST) {
        let name: String = visible_line(name).chars().take(40).collect();
        let half = 50.0 * (has.high - has.low);
        // A line that cannot be formatted is not worth failing a run for.
        let _ = write!(text, "\n  {:6.2}% ± {half:.2}  {name}", 100.0 * has.value);
    }
    if let more @ 1.. = scores.len().saturating_sub(MOST) {
        let _ = write!(text, "\n  and {more} more");
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tally::fixture;

    /// Two plays that follow each other share a count of what was played before them.
    #[test]
    fn what_was_done_before_is_that_of_the_plays_that_begin_after_their_progress() {
        let all = DoneBefore::default();
        let first = Progress::of(Shown::Quiet).besides(all.clone());
        all.add(700);
        let second = Progress::of(Shown::Quiet).besides(all.clone());
        all.add(20);
        all.add(1);
        assert_eq!((first.known_by_now(), second.known_by_now()), (721, 21));
    }

    #[test]
    fn a_line_of_progress() {
        let told = line((250_000, 1_000_000), "battles", 50_000.0, None, "A 51.00% ± 0.20");
        assert_eq!(told, "250,000 of 1,000,000 battles, 50,000/s, 15 s left, A 51.00% ± 0.20\n");
        assert_eq!(line((1, 3), "replicates", 2.0, None, ""), "1 of 3 replicates, 2/s, 1 s left\n");
    }

    /// A search may end long before the most battles that it can need.
    #[test]
    fn what_is_left_is_not_told_where_the_total_is_only_a_bound() {
        let told = line((5_000, 1_000_000), "battles", 500.0, Some(10.2), "closer");
        assert_eq!(told, "5,000 of at most 1,000,000 battles, 500/s, 10 s so far, closer\n");
    }

    #[test]
    fn a_program_is_told_in_one_line_whatever_is_told() {
        let told =
            object(1, 4, "battles", 2.0, false, "\n  51.00% ± 0.20  \"A\"\n  49.00% ± 0.20  B");
        assert_eq!(told.matches('\n').count(), 1, "{told}");
        let told: serde_json::Value = serde_json::from_str(&told).unwrap();
        assert_eq!(told["progress"]["done"], 1);
        assert_eq!(told["progress"]["message"], "  51.00% ± 0.20  \"A\"\n  49.00% ± 0.20  B");
    }

    #[test]
    fn a_line_names_the_first_match_up_of_different_contenders() {
        let layout = fixture::round_robin(3);
        let tally = fixture::tally(&layout, 9_000);
        let matchup = |at: usize| tally.matchups[at].clone();
        let told = estimate(&Standing::new(9_000, &matchup), &layout, OutcomeMeasure::Score);
        let differ =
            layout.matchups.iter().find(|of| of.contenders[0] != of.contenders[1]).unwrap();
        assert!(told.starts_with(&differ.label()), "{told}");
    }

    #[test]
    fn standings_begin_with_the_best_and_leave_out_battles_of_one_with_itself() {
        let layout = fixture::round_robin(3);
        let tally = fixture::tally(&layout, 9_000);
        let matchup = |at: usize| tally.matchups[at].clone();
        let told = standings(&Standing::new(9_000, &matchup), &layout, OutcomeMeasure::Score);
        let names: Vec<&str> = layout.contenders().names;
        let lines: Vec<&str> = told.trim_start_matches('\n').lines().collect();
        assert_eq!(lines.len(), names.len(), "{told}");
        let scores: Vec<f64> = lines
            .iter()
            .map(|line| line.trim().split('%').next().unwrap().parse().unwrap())
            .collect();
        assert!(scores.windows(2).all(|pair| pair[0] >= pair[1]), "{told}");
        let mean = scores.iter().sum::<f64>() / scores.len() as f64;
        assert!((mean - 50.0).abs() < 0.02, "everybody's mean is even: {told}");
    }
}
