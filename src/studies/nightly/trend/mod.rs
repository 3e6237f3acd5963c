//! How balance and speed have moved over the nights of a history.

mod page;
mod report;

use std::cmp::Reverse;
use std::collections::BTreeSet;

use super::history::{BASELINE, VALUE};
use crate::report::figures::{counted, whole};
use crate::sorting::Sorting;
use crate::table::{Column, Provenance, Table, Values};

/// The name of the table of all nights.
pub const TREND: &str = "trend";
/// How many figures of a scenario are shown: those that counted most often come first.
const FIGURES: usize = 6;

/// One night of one scenario.
#[derive(Clone, Debug, PartialEq)]
pub struct Played {
    /// Where the figures come from.
    pub run: Provenance,
    /// The name of the night.
    pub name: String,
    /// The time of the night.
    pub time: String,
    /// The number of battles.
    pub battles: u64,
    /// Battles per second; NaN where this is unknown.
    pub speed: f64,
    /// The figures that were compared; none where nothing could be.
    pub figures: Vec<Compared>,
}

/// One figure of one night.
#[derive(Clone, Debug, PartialEq)]
pub struct Compared {
    /// The name of the figure.
    pub what: String,
    /// Whether it is a probability rather than a mean.
    pub is_rate: bool,
    /// Its value, with the ends of its 95% confidence interval.
    pub value: [f64; 3],
    /// Its value in the baseline of that night.
    pub baseline: f64,
    /// Whether its change since the baseline counts.
    pub counts: bool,
    /// Whether battles that were played again are in it.
    pub is_paired: bool,
}

impl Played {
    /// A night as a history keeps it; None where the table is not a history.
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
        // Histories that were written before there was this column do not tell.
        let paired = match column("paired").map(|column| &column.values) {
            Some(Values::Count(paired)) => Some(paired),
            _ => None,
        };
        let figure = |row: usize| Compared {
            what: what[row].clone(),
            is_rate: unit[row] == "rate",
            value: [value[row], low[row], high[row]],
            baseline: baseline[row],
            counts: counts[row],
            is_paired: paired.map_or(unit[row] == "rate", |paired| paired[row] > 0),
        };
        Some(Self {
            run: run.clone(),
            name: texts("night")?.first()?.clone(),
            time: texts("time")?.first()?.clone(),
            battles: *battles.first()?,
            speed: *numbers("battles_per_second")?.first()?,
            figures: (0..table.rows()).filter(|&row| !what[row].is_empty()).map(figure).collect(),
        })
    }
}

/// The nights of all scenarios.
#[derive(Clone, Debug, PartialEq)]
pub struct Trend {
    /// Sorted by scenario and then time.
    nights: Vec<Played>,
    /// Scenarios of which nothing was compared in any night.
    without: BTreeSet<String>,
}

impl Trend {
    /// Sorts the nights. `nothing_compared` names the scenarios of nights of which nothing else is known, because nothing could
    /// be compared in them: earlier versions kept no more.
    #[must_use]
    pub fn new(
        mut nights: Vec<Played>,
        nothing_compared: impl IntoIterator<Item = String>,
    ) -> Self {
        nights.put_in_order_by(|a, b| {
            let key = |of: &Played| (of.run.scenario.clone(), of.time.clone(), of.run.id.clone());
            key(a).cmp(&key(b))
        });
        let named = nights.iter().map(|night| night.run.scenario.clone());
        let mut without: BTreeSet<String> = nothing_compared.into_iter().chain(named).collect();
        let compared = || nights.iter().filter(|night| !night.figures.is_empty());
        without.retain(|scenario| compared().all(|night| night.run.scenario != *scenario));
        Self { nights, without }
    }

    /// The nights of each scenario, first to last.
    fn by_scenario(&self) -> impl Iterator<Item = &[Played]> {
        self.nights.chunk_by(|a, b| a.run.scenario == b.run.scenario)
    }

    /// The table of every figure of every night.
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
            Column::number("value", VALUE, number(|_, of| of.value[0])),
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
            Column::number("baseline", BASELINE, number(|_, of| of.baseline)),
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
        if self.nights.iter().all(|night| night.figures.is_empty()) {
            return "In no night was anything compared.".to_owned();
        }
        // One night plays all scenarios that it is given, so nights are counted once.
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

    /// What values of figures with battles that were played again mean for nights side by side; None where there are none.
    fn shared_baselines(&self) -> Option<String> {
        let compared = || self.nights.iter().flat_map(|night| &night.figures);
        let which = match (compared().any(|of| of.is_paired), compared().all(|of| of.is_paired)) {
            (false, _) => return None,
            (true, true) => "Values are",
            (true, false) => {
                "Where battles were played again, which metrics and lengths leave out, values are"
            }
        };
        Some(format!(
            "{which} estimated from a night's battles and its baseline's together, so that those of nights with one baseline are \
             not independent."
        ))
    }

    fn nothing_compared(&self) -> String {
        let all: Vec<&str> = self.without.iter().map(String::as_str).collect();
        format!("Nothing was compared of {}.", all.join(", "))
    }
}

/// The remark beside all speeds.
const SPEED: &str = "Battles per second depend on the machine and on what else it did that night: they are told, not judged.";

impl Played {
    fn counts(&self) -> usize {
        self.figures.iter().filter(|figure| figure.counts).count()
    }

    /// How many of its figures count, as text.
    fn counts_told(&self) -> String {
        if self.figures.is_empty() { "–".to_owned() } else { whole(self.counts() as u64) }
    }

    /// The day of the night, without the time.
    fn day(&self) -> &str {
        self.time.split('T').next().unwrap_or_default()
    }
}

/// The figures of a scenario that are shown.
fn told_of(nights: &[Played]) -> impl Iterator<Item = String> {
    figures(nights).into_iter().take(FIGURES)
}

/// All figures of a scenario: those that counted most often first, otherwise in the order in which they come.
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
    use crate::report::Style;

    #[test]
    fn figures_that_are_not_shown_are_counted() {
        let figure = |at: usize| Compared {
            what: format!("figure {at}"),
            is_rate: true,
            value: [0.5, 0.4, 0.6],
            baseline: 0.5,
            counts: at == 8,
            is_paired: at.is_multiple_of(2),
        };
        let night = Played {
            run: Provenance::new("sanctum", "my.toml", "", 1, 100),
            name: "first".to_owned(),
            time: "2026-01-01T00:00:00Z".to_owned(),
            battles: 100,
            speed: f64::NAN,
            figures: (0..9).map(figure).collect(),
        };
        let page = Trend::new(vec![night.clone()], []).page(Style::default());
        assert!(page.contains("The table `trend` (`--json`) has 3 more."), "{page}");
        assert!(page.contains("figure 8") && !page.contains("figure 5"), "{page}");
        assert!(page.contains("Where battles were played again"), "{page}");
        let unpaired = |night: &Played| {
            let figures = night.figures.iter().cloned();
            let figures = figures.map(|figure| Compared { is_paired: false, ..figure }).collect();
            Played { figures, ..night.clone() }
        };
        let page = Trend::new(vec![unpaired(&night)], []).page(Style::default());
        assert!(!page.contains("not independent"), "{page}");
    }

    #[test]
    fn scenarios_of_which_nothing_was_compared_are_named() {
        let nothing = || ["b.toml", "a.toml", "b.toml"].map(str::to_owned);
        let page = Trend::new(vec![], nothing()).page(Style::default());
        assert!(page.starts_with("In no night was anything compared.\n"), "{page}");
        assert!(page.contains("Nothing was compared of a.toml, b.toml."), "{page}");
    }
}
