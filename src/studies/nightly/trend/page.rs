//! The page of the trend for the terminal.

use super::{Compared, FIGURES, Played, SPEED, TREND, Trend, figures, told_of};
use crate::report::figures::{counted, whole};
use crate::report::page::{Align, Page, Style, Tone};

/// How many nights of a scenario are shown: the last ones.
const NIGHTS: usize = 15;

impl Trend {
    /// The page for the terminal.
    #[must_use]
    pub fn page(&self, style: Style) -> String {
        let mut page = Page::new(style);
        page.toned(Tone::Favoured, &self.verdict());
        for nights in self.by_scenario() {
            let shown = &nights[nights.len().saturating_sub(NIGHTS)..];
            page.heading(&shown[0].run.scenario);
            let rows = shown.iter().map(|night| {
                vec![
                    night.name.clone(),
                    night.day().to_owned(),
                    whole(night.battles),
                    if night.speed.is_nan() { "–".to_owned() } else { whole(night.speed as u64) },
                    night.counts_told(),
                ]
            });
            let columns = [
                ("night", Align::Left),
                ("day", Align::Left),
                ("battles", Align::Right),
                ("battles/s", Align::Right),
                ("count", Align::Right),
            ];
            page.table(&columns, rows.collect());
            let earlier = (nights.len() - shown.len()) as u64;
            if earlier > 0 {
                page.line(&format!("{} came before.", counted(earlier, "night")));
            }
            if nights.iter().any(|night| night.figures.is_empty()) {
                page.line(
                    "–: nothing could be compared: nothing varied, or too little was played.",
                );
            }
            if nights.iter().all(|night| night.figures.is_empty()) {
                continue;
            }
            page.gap();
            let rows = told_of(nights).map(|what| {
                let times = occurrences(nights, &what).filter(|(_, of)| of.counts).count();
                // A night leaves out figures that are too rare to be compared.
                let told = |night: Option<&Played>| {
                    let found = night.and_then(|of| of.figures.iter().find(|of| of.what == what));
                    found.map_or_else(|| "not compared".to_owned(), Compared::told)
                };
                let [first, last] = [nights.first(), nights.last()].map(told);
                vec![what, first, last, whole(times as u64)]
            });
            let columns = [
                ("figure", Align::Left),
                ("first night", Align::Right),
                ("last night", Align::Right),
                ("counted", Align::Right),
            ];
            page.table(&columns, rows.collect());
            let more = figures(nights).len().saturating_sub(FIGURES) as u64;
            if more > 0 {
                page.line(&format!(
                    "The table `{TREND}` (`--json`) has {} more. First come those that counted most often.",
                    whole(more)
                ));
            }
        }
        page.gap();
        if !self.without.is_empty() {
            page.line(&self.nothing_compared());
        }
        if let Some(shared) = self.shared_baselines() {
            page.toned(Tone::Quiet, &shared);
        }
        page.toned(Tone::Quiet, SPEED);
        page.into_text()
    }
}

impl Compared {
    fn told(&self) -> String {
        let [value, low, high] = self.value;
        match self.is_rate {
            true => format!("{:.1}% ({:.1} to {:.1})", 100.0 * value, 100.0 * low, 100.0 * high),
            false => format!("{value:.2} ({low:.2} to {high:.2})"),
        }
    }
}

/// A figure in the nights that have it, first to last.
fn occurrences<'n>(
    nights: &'n [Played],
    what: &str,
) -> impl Iterator<Item = (&'n Played, &'n Compared)> {
    nights.iter().filter_map(move |night| {
        let figure = night.figures.iter().find(|figure| figure.what == what)?;
        Some((night, figure))
    })
}
