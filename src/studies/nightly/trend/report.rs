//! The trend in an HTML report.

use super::{SPEED, TREND, Trend, told_of};
use crate::report::html::{
    Axis, Colours, Draft, Drawn, FORMAT, Figure, Mark, Notes, Said, Seen, Series, Unit, detail,
    room,
};

/// The explanation beside all compared figures.
const JUDGED: &str = "One night below the other, the last at the bottom, each with its 95% confidence interval. Blue where it counted as \
                      more than in the baseline of that night, orange as less; hollow where it did not count.";

impl Trend {
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
            answer: [Said::found(counting, self.verdict())]
                .into_iter()
                .chain(self.shared_baselines().map(Said::plain))
                .chain([Said::plain(SPEED)])
                .collect(),
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
                if !night.speed.is_nan() && !night.figures.is_empty() {
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
                // The speed of a machine is not judged.
                let is_judged = id != "speed";
                let mut figure = Figure {
                    id: id.to_owned(),
                    judged: is_judged,
                    name: name.to_owned(),
                    title: title.to_owned(),
                    about: about.to_owned(),
                    table: TREND.to_owned(),
                    series: vec![Series { column: column.to_owned(), name: name.to_owned() }],
                    axis: Axis { label: name.to_owned(), unit, even: None, logarithmic: false },
                    group_noun: "figure".to_owned(),
                    colours: is_judged
                        .then(|| Colours::of_changes("in the baseline of that night")),
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
