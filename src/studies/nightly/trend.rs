//! How balance and speed have moved over the nights of a history.

use std::cmp::Reverse;
use std::collections::BTreeSet;

use crate::report::figures::{counted, whole};
use crate::report::html::{
    Axis, Draft, Drawn, FORMAT, Figure, Mark, Notes, Said, Seen, Series, Unit, detail, room,
};
use crate::report::page::{Align, Page, Style, Tone};
use crate::sorting::Sorting;
use crate::table::{Column, Provenance, Table, Values};

/// The name of the table.
pub const TREND: &str = "trend";
/// How many nights of a scenario a page shows: the last ones.
const NIGHTS: usize = 15;
/// How many figures of a scenario are shown: those that counted first.
const FIGURES: usize = 6;

/// One night of one scenario.
#[derive(Clone, Debug, PartialEq)]
pub struct Played {
    /// Where its figures come from.
    pub run: Provenance,
    /// What the night is called.
    pub name: String,
    /// When it was.
    pub time: String,
    /// How many battles.
    pub battles: u64,
    /// How many of them a second; NaN where nobody knows.
    pub speed: f64,
    /// What was compared.
    pub figures: Vec<Compared>,
}

/// One figure of a night.
#[derive(Clone, Debug, PartialEq)]
pub struct Compared {
    /// What it is.
    pub what: String,
    /// Whether it is a probability rather than a mean.
    pub is_rate: bool,
    /// What it was, with the ends of its 95% confidence interval.
    pub value: [f64; 3],
    /// What it was in the baseline of that night.
    pub baseline: f64,
    /// Whether it had changed since the baseline so that it counts.
    pub counts: bool,
}

impl Played {
    /// A night as a history keeps it; none where the table is not one.
    #[must_use]
    pub fn of(run: &Provenance, table: &Table) -> Option<Self> {
        let column = |name: &str| table.columns.iter().find(|column| column.name == name);
        let texts = |name: &str| match &column(name)?.values {
            Values::Text(texts) => Some(texts.clone()),
            Values::Coded(coded) => {
                Some((0..table.rows()).map(|row| coded.text(row).to_owned()).collect())
            }
            _ => None,
        };
        let numbers = |name: &str| match &column(name)?.values {
            Values::Number(numbers) => Some(numbers),
            _ => None,
        };
        let Values::Flag(counts) = &column("counts")?.values else { return None };
        let Values::Count(battles) = &column("battles")?.values else { return None };
        let (what, unit) = (texts("what")?, texts("unit")?);
        let [value, low, high] = ["value", "value_low", "value_high"].map(numbers);
        let (value, low, high) = (value?, low?, high?);
        let baseline = numbers("baseline")?;
        let figure = |row: usize| Compared {
            what: what[row].clone(),
            is_rate: unit[row] == "rate",
            value: [value[row], low[row], high[row]],
            baseline: baseline[row],
            counts: counts[row],
        };
        Some(Self {
            run: run.clone(),
            name: texts("night")?.first()?.clone(),
            time: texts("time")?.first()?.clone(),
            battles: *battles.first()?,
            speed: *numbers("battles_per_second")?.first()?,
            figures: (0..table.rows()).map(figure).collect(),
        })
    }
}

/// The nights of all scenarios.
#[derive(Clone, Debug, PartialEq)]
pub struct Trend {
    /// By scenario and then time.
    nights: Vec<Played>,
    /// Scenarios of which nothing was compared in any night.
    without: BTreeSet<String>,
}

impl Trend {
    /// Puts nights in their order. `nothing_compared`: the scenarios of nights in which nothing of them was compared.
    #[must_use]
    pub fn new(
        mut nights: Vec<Played>,
        nothing_compared: impl IntoIterator<Item = String>,
    ) -> Self {
        nights.put_in_order_by(|a, b| {
            let key = |of: &Played| (of.run.scenario.clone(), of.time.clone(), of.run.id.clone());
            key(a).cmp(&key(b))
        });
        let mut without: BTreeSet<String> = nothing_compared.into_iter().collect();
        without.retain(|scenario| nights.iter().all(|night| night.run.scenario != *scenario));
        Self { nights, without }
    }

    /// The nights of each scenario, first to last.
    fn by_scenario(&self) -> impl Iterator<Item = &[Played]> {
        self.nights.chunk_by(|a, b| a.run.scenario == b.run.scenario)
    }

    /// Every figure of every night.
    #[must_use]
    pub fn table(&self) -> Table {
        let all =
            || self.nights.iter().flat_map(|night| night.figures.iter().map(move |of| (night, of)));
        let text = |of: fn(&Played, &Compared) -> String| -> Vec<String> {
            all().map(|(night, figure)| of(night, figure)).collect()
        };
        let number = |of: fn(&Played, &Compared) -> f64| -> Vec<f64> {
            all().map(|(night, figure)| of(night, figure)).collect()
        };
        let columns = vec![
            Column::text("scenario", "the scenario", text(|night, _| night.run.scenario.clone())),
            Column::text("night", "what the night is called", text(|night, _| night.name.clone())),
            Column::text("time", "when it was (UTC)", text(|night, _| night.time.clone())),
            Column::text("what", "what was compared", text(|_, of| of.what.clone())),
            Column::text(
                "unit",
                "rate: a probability, 0 to 1; mean: of a metric, in its own unit",
                text(|_, of| if of.is_rate { "rate" } else { "mean" }.to_owned()),
            ),
            Column::number("value", "what it was that night", number(|_, of| of.value[0])),
            Column::number(
                "value_low",
                "lower end of its 95% interval",
                number(|_, of| of.value[1]),
            ),
            Column::number(
                "value_high",
                "upper end of its 95% interval",
                number(|_, of| of.value[2]),
            ),
            Column::number(
                "baseline",
                "what it was in the baseline of that night",
                number(|_, of| of.baseline),
            ),
            Column::flag(
                "counts",
                "whether the change since the baseline counted",
                all().map(|(_, of)| of.counts).collect(),
            ),
            Column::count(
                "battles",
                "battles of the scenario, but for those that were played again with the same dice",
                all().map(|(night, _)| night.battles).collect(),
            ),
            Column::number(
                "battles_per_second",
                "how fast they were on the machine of that night",
                number(|night, _| night.speed),
            ),
        ];
        Table { name: TREND.to_owned(), columns }
    }

    /// What has happened, in one sentence.
    fn verdict(&self) -> String {
        if self.nights.is_empty() {
            return "In no night was anything compared.".to_owned();
        }
        // A night plays every scenario that it is given.
        let number = |among: &dyn Fn(&Played) -> bool| {
            let nights = self.nights.iter().filter(|night| among(night));
            nights.map(|night| (&night.time, &night.name)).collect::<BTreeSet<_>>().len() as u64
        };
        let counting = number(&|night| night.counts() > 0);
        let last = self.by_scenario().filter_map(<[Played]>::last);
        let now = last.filter(|night| night.counts() > 0).count() as u64;
        let nights = counted(number(&|_| true), "night");
        let scenarios = counted(self.by_scenario().count() as u64, "scenario");
        let of = format!("{nights} of {scenarios}");
        match (counting, now) {
            (0, _) => format!("{of}, and nothing counted in any."),
            (some, 0) => {
                format!("{of}. Something counted in {}, and nothing does in the last.", whole(some))
            }
            (some, now) => format!(
                "{of}. Something counted in {}, and does in the last night of {}.",
                whole(some),
                counted(now, "scenario")
            ),
        }
    }

    fn nothing_compared(&self) -> String {
        let all: Vec<&str> = self.without.iter().map(String::as_str).collect();
        format!("Nothing was compared of {}.", all.join(", "))
    }

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
                    whole(night.counts() as u64),
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
            page.gap();
            let rows = told_of(nights).map(|what| {
                let times = occurrences(nights, &what).filter(|(_, of)| of.counts).count();
                // A night leaves out what is too rare to be compared.
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
        page.toned(Tone::Quiet, SPEED);
        page.into_text()
    }

    /// The HTML report.
    #[must_use]
    pub fn report(&self, command: String) -> Draft {
        let table = self.table();
        let mut firsts = Vec::new();
        let mut rows = 0;
        for night in &self.nights {
            firsts.push(rows);
            rows += night.figures.len();
        }
        let counting = self.nights.iter().any(|night| night.counts() > 0);
        let mut notes = Notes {
            of_several_runs: true,
            format: FORMAT,
            study: "trend".to_owned(),
            question: Some("How have balance and speed moved?".to_owned()),
            answer: vec![Said::found(counting, self.verdict()), Said::plain(SPEED)],
            intervals: "Intervals are 95% confidence intervals, each of its night alone."
                .to_owned(),
            command,
            ..Notes::default()
        };
        if !self.without.is_empty() {
            notes.answer.push(Said::plain(self.nothing_compared()));
        }
        let (mut rates, mut means, mut speeds) = (Vec::new(), Vec::new(), Vec::new());
        let mut begin = 0;
        for nights in self.by_scenario() {
            let firsts = &firsts[begin..begin + nights.len()];
            begin += nights.len();
            let scenario = &nights[0].run.scenario;
            for (night, &row) in nights.iter().zip(firsts) {
                if !night.speed.is_nan() {
                    let (label, group) = (night.name.clone(), scenario.clone());
                    speeds.push(Mark { row, label, group, ..Mark::default() });
                }
            }
            for what in told_of(nights) {
                for (night, &first) in nights.iter().zip(firsts) {
                    let Some(at) = night.figures.iter().position(|of| of.what == what) else {
                        continue;
                    };
                    let figure = &night.figures[at];
                    let mark = Mark {
                        row: first + at,
                        label: night.name.clone(),
                        group: format!("{scenario}: {what}"),
                        seen: Seen::of(figure.counts, figure.value[0] - figure.baseline),
                        ..Mark::default()
                    };
                    if figure.is_rate { rates.push(mark) } else { means.push(mark) }
                }
            }
        }
        let mut add =
            |id: &str, name: &str, title: &str, about: &str, column: &str, unit, marks| {
                let mut figure = Figure {
                    id: id.to_owned(),
                    name: name.to_owned(),
                    title: title.to_owned(),
                    about: about.to_owned(),
                    table: TREND.to_owned(),
                    series: vec![Series { column: column.to_owned(), name: name.to_owned() }],
                    axis: Axis { label: name.to_owned(), unit, even: None, logarithmic: false },
                    group_noun: "figure".to_owned(),
                    details: vec![detail("battles", "battles", Unit::Count)],
                    ..Figure::default()
                };
                room(&mut figure, marks);
                if !figure.marks.is_empty() {
                    notes.figures.push(figure);
                }
            };
        add("rates", "Rates", "Rates, night by night", JUDGED, "value", Unit::Percent, rates);
        add("means", "Means", "Means, night by night", JUDGED, "value", Unit::Number, means);
        add(
            "speed",
            "Battles per second",
            "Battles per second, night by night",
            SPEED,
            "battles_per_second",
            Unit::Count,
            speeds,
        );
        Draft { notes, tables: vec![Drawn::whole(table)] }
    }
}

/// What is to be said of figures that are compared.
const JUDGED: &str = "One night below the other, the last at the bottom, each with its 95% confidence interval. Blue where it counted as \
                      more than in the baseline of that night, orange as less; hollow where it did not count.";
/// What is to be said of speeds.
const SPEED: &str = "Battles per second depend on the machine and on what else it did that night: they are told, not judged.";

impl Played {
    fn counts(&self) -> usize {
        self.figures.iter().filter(|figure| figure.counts).count()
    }

    /// The day of its time.
    fn day(&self) -> &str {
        self.time.split('T').next().unwrap_or_default()
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

/// The figures of a scenario that are shown.
fn told_of(nights: &[Played]) -> impl Iterator<Item = String> {
    figures(nights).into_iter().take(FIGURES)
}

/// The figures of a scenario: those that counted most often, then as they come.
fn figures(nights: &[Played]) -> Vec<String> {
    let mut times: Vec<(String, usize)> = Vec::new();
    for figure in nights.iter().flat_map(|night| &night.figures) {
        match times.iter_mut().find(|(what, _)| *what == figure.what) {
            Some((_, times)) => *times += usize::from(figure.counts),
            None => times.push((figure.what.clone(), usize::from(figure.counts))),
        }
    }
    times.put_in_order_by_key(|(_, times)| Reverse(*times));
    times.into_iter().map(|(what, _)| what).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn figures_that_are_not_shown_are_counted() {
        let figure = |at: usize| Compared {
            what: format!("figure {at}"),
            is_rate: true,
            value: [0.5, 0.4, 0.6],
            baseline: 0.5,
            counts: at == 8,
        };
        let night = Played {
            run: Provenance::new("sanctum", "my.toml", "", 1, 100),
            name: "first".to_owned(),
            time: "2026-01-01T00:00:00Z".to_owned(),
            battles: 100,
            speed: f64::NAN,
            figures: (0..9).map(figure).collect(),
        };
        let page = Trend::new(vec![night], []).page(Style::default());
        assert!(page.contains("The table `trend` (`--json`) has 3 more."), "{page}");
        assert!(page.contains("figure 8") && !page.contains("figure 5"), "{page}");
    }

    #[test]
    fn scenarios_of_which_nothing_was_compared_are_named() {
        let nothing = || ["b.toml", "a.toml", "b.toml"].map(str::to_owned);
        let page = Trend::new(vec![], nothing()).page(Style::default());
        assert!(page.starts_with("In no night was anything compared.\n"), "{page}");
        assert!(page.contains("Nothing was compared of a.toml, b.toml."), "{page}");
    }
}
