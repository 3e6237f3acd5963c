//! Who wins a scenario, and what is associated with winning? Plays the scenario's battles and counts.

mod activity;
mod analysis;
mod own;
mod page;
mod tables;

use crate::batch::{self, Detail, Finished, KeepRows, Plan, Standing, StoppingRule};
use crate::batch::{Forgetful, Keeper};
use crate::engine::Scenario;
use crate::report::Style;
use crate::report::html::{Draft, Live, Said};
use crate::scenario::TableName;
use crate::statistics::Level;
use crate::studies::live;
use crate::table::{LEVEL, OutputError, Provenance, Stopping, Table};
use crate::tally::{Breakdown, Layout, OutcomeMeasure, Tally};

pub use activity::Activity;
pub use analysis::Analysis;
pub use own::Own;
use page::evidence_in_sentences;
pub use page::{ReportExtras, Section, Sections, Summary, evidence, report, summary};
pub use tables::{BattleRows, BattleTexts, build};

/// A finished run of a scenario: its counts, and where they come from.
#[derive(Debug)]
pub struct Run<'s> {
    scenario: &'s Scenario,
    stop: Option<StoppingRule>,
    finished: Finished,
    provenance: Provenance,
    activity: Option<Activity>,
    /// The names of the tables to build.
    pub tables: Vec<TableName>,
}

impl Scenario {
    /// Plays the scenario as it says, on all cores, and fills the tables it asks for (`battles` aside, which only grows
    /// while battles are played: see [`Run::play`]).
    ///
    /// ```
    /// let scenario = evens::Scenario::read("solforge/dryad-and-patriarch")?;
    /// let run = scenario.run();
    /// println!("{}", run.tables()[0].rows());
    /// # Ok::<(), evens::Faults>(())
    /// ```
    #[must_use]
    pub fn run(&self) -> Run<'_> {
        let layout = self.engine().layout();
        let tables = fillable(&self.common.watch.tables, layout);
        let plan = Plan {
            seed: self.common.seed,
            battles: self.common.battles(),
            threads: 0,
            detail: detail(&tables, layout, OutcomeMeasure::default()),
        };
        let run = Run::play(self, plan, None, None, &mut |_| true);
        let mut run = run.expect("only rows can fail");
        run.watch_activity(plan.threads);
        run
    }
}

/// A callback that takes rows of the table `battles`.
pub type Keep<'k> = &'k mut (dyn FnMut(&Table) -> Result<(), OutputError> + Send);

impl<'s> Run<'s> {
    /// Plays a plan. `keep` is given the rows of the table `battles` in order; `go_on` is called between waves of
    /// battles and ends the run by returning false.
    ///
    /// # Errors
    /// The first error of `keep`.
    pub fn play(
        scenario: &'s Scenario,
        plan: Plan,
        stop: Option<StoppingRule>,
        keep: Option<Keep<'_>>,
        go_on: &mut dyn FnMut(&Standing<'_>) -> bool,
    ) -> Result<Self, OutputError> {
        Self::play_kept(scenario, plan, stop, keep, &mut Forgetful, go_on)
    }

    /// Plays a scenario as [`play`](Self::play) does, but goes on from earlier counts if the keeper has any. `keep`
    /// is then given only the rows of the remaining battles.
    ///
    /// # Errors
    /// The first error of `keep`.
    pub fn play_kept(
        scenario: &'s Scenario,
        plan: Plan,
        stop: Option<StoppingRule>,
        keep: Option<Keep<'_>>,
        keeper: &mut dyn Keeper<Tally>,
        go_on: &mut dyn FnMut(&Standing<'_>) -> bool,
    ) -> Result<Self, OutputError> {
        let engine = scenario.engine();
        let texts = BattleTexts::new(engine.layout());
        let begin = || Box::new(BattleRows::new(&texts)) as Box<dyn batch::Rows>;
        let rows = keep.map(|keep| KeepRows { begin: &begin, keep });
        let finished = batch::run_kept(engine, plan, stop, rows, keeper, go_on)?;
        let asked = plan.battles.get();
        let mut provenance =
            Provenance::new(engine.game(), &scenario.name, &scenario.fingerprint, plan.seed, asked);
        provenance.choices = engine.layout().choices();
        provenance.battles_played = finished.played;
        provenance.partial = finished.played < asked && !finished.enough;
        provenance.stopping = stop.map(|stop| Stopping {
            rule: stop.to_string(),
            intervals: stop.inference().to_string(),
        });
        let tables = fillable(&scenario.common.watch.tables, engine.layout());
        Ok(Self { scenario, stop, finished, provenance, activity: None, tables })
    }

    /// Records the number of played battles as the number asked for. This is for a run that ended because its time
    /// was over: its results do not depend on when that was, so it equals a run of that many battles.
    pub fn was_asked_for_so_many(&mut self) {
        self.was_ended_before_its_time();
        self.provenance.partial = false;
    }

    /// Records that somebody ended the run before the time that it was given, which asked for no number of battles.
    pub fn was_ended_before_its_time(&mut self) {
        self.provenance.battles_asked = self.finished.played;
    }

    /// How many battles were played.
    #[must_use]
    pub fn played(&self) -> u64 {
        self.finished.played
    }

    /// Whether the stopping rule ended the run because there was enough evidence.
    #[must_use]
    pub fn is_enough(&self) -> bool {
        self.finished.enough
    }

    /// Watches some of the battles for what never has an effect, so that the page and the table `activity` can report
    /// it.
    pub fn watch_activity(&mut self, threads: usize) {
        let Provenance { seed, battles_played, .. } = self.provenance;
        self.activity = Some(Activity::of(self.scenario.engine(), seed, battles_played, threads));
    }

    /// How often each ability, effect, card and condition had an effect; None unless it was
    /// [watched](Self::watch_activity).
    #[must_use]
    pub fn activity(&self) -> Option<&Activity> {
        self.activity.as_ref()
    }

    /// The counts of all battles played.
    #[must_use]
    pub fn tally(&self) -> &Tally {
        &self.finished.tally
    }

    /// Where the results come from, and whether the run is complete.
    #[must_use]
    pub fn provenance(&self) -> &Provenance {
        &self.provenance
    }

    /// The level of the intervals on the page and in the tables. After a stopping rule that looks at who wins, it is
    /// the level of intervals that hold at any time.
    #[must_use]
    pub fn level(&self) -> Level {
        let matchups = self.scenario.engine().layout().matchups.len();
        self.stop.map_or(LEVEL, |stop| stop.level(self.finished.played, matchups))
    }

    /// The tables made from counts, all at once.
    #[must_use]
    pub fn tables(&self) -> Vec<Table> {
        self.tables_of(&self.analysis()).collect()
    }

    /// The page for the terminal: the answer, and the wanted sections.
    #[must_use]
    pub fn page(&self, sections: &Sections, style: Style) -> String {
        self.page_of(&self.analysis(), sections, style)
    }

    /// The conclusions from the counts, for callers that want both the page and the tables without making every
    /// comparison twice.
    #[must_use]
    pub fn analysis(&self) -> Analysis<'_> {
        let tally = &self.finished.tally;
        let tested = match self.stop {
            // A test looks at scores, whatever measure the page reports.
            Some(stop @ StoppingRule::Test(_)) if tally.measure() == OutcomeMeasure::Score => {
                stop.known(&tally.matchups).into_iter().next()
            }
            // Of a single match-up it is side A's score that the rule looked at.
            Some(stop @ StoppingRule::Interval(_))
                if tally.measure() == OutcomeMeasure::Score
                    && tally.matchups.len() == 1
                    && self.scenario.engine().layout().sides == 2 =>
            {
                stop.known(&tally.matchups).into_iter().next()
            }
            Some(_) | None => None,
        };
        let mut analysis = Analysis::new(self.scenario.engine().layout(), tally, self.level());
        analysis.tested = tested.map(|(_, _, score)| score);
        analysis.tables.clone_from(&self.tables);
        analysis
    }

    /// [`tables`](Self::tables), each built when it is asked for.
    pub fn tables_of(&self, analysis: &Analysis<'_>) -> impl Iterator<Item = Table> {
        self.tables.iter().filter_map(|&name| match name {
            TableName::Activity => self.activity.as_ref().map(Activity::table),
            _ => build(name, analysis),
        })
    }

    /// The data with which the HTML report recomputes results for other weights; None where there are no weights, or
    /// too many strata.
    #[must_use]
    pub fn live(&self) -> Option<Live> {
        let engine = self.scenario.engine();
        live::of_run(engine.layout(), engine.draw_model(), &self.finished.tally, self.level())
    }

    /// The texts and figures of the HTML report.
    #[must_use]
    pub fn report_of(&self, analysis: &Analysis<'_>, extras: ReportExtras) -> Draft {
        let own = Own::of(self.scenario, analysis);
        let mut draft = report(self.summary_of(analysis, own.as_ref()), extras);
        let evidence =
            self.stop.into_iter().flat_map(|stop| evidence_in_sentences(stop, &self.finished));
        draft.notes.answer.extend(evidence.map(Said::plain));
        draft
    }

    fn summary_of<'a, 't>(
        &'a self,
        analysis: &'a Analysis<'t>,
        own: Option<&'a Own>,
    ) -> Summary<'a, 't> {
        Summary {
            provenance: &self.provenance,
            question: self.scenario.common.question.as_deref(),
            analysis,
            activity: self.activity.as_ref(),
            own,
        }
    }

    /// The [`page`](Self::page) made from an existing analysis.
    #[must_use]
    pub fn page_of(&self, analysis: &Analysis<'_>, sections: &Sections, style: Style) -> String {
        // What to ask next is told where nothing else is asked for.
        let own = sections.is_empty().then(|| Own::of(self.scenario, analysis)).flatten();
        let mut text = summary(self.summary_of(analysis, own.as_ref()), sections, style);
        if let Some(stop) = self.stop {
            text += &evidence(stop, &self.finished, analysis.layout, style);
        }
        text
    }
}

/// The tables of `asked` that can be filled, each once: tables of factors need factors, tables of pairs need drawn
/// units.
#[must_use]
pub fn fillable(asked: &[TableName], layout: &Layout) -> Vec<TableName> {
    let mut tables: Vec<TableName> = Vec::new();
    for &table in asked {
        let by_factor = matches!(
            table,
            TableName::Factors | TableName::UnitsByFactor | TableName::UnitPairsByFactor
        );
        let of_pairs = matches!(table, TableName::UnitPairs | TableName::UnitPairsByFactor);
        let cannot_be_filled =
            by_factor && layout.factors.is_empty() || of_pairs && !layout.units_are_drawn;
        if !cannot_be_filled && !tables.contains(&table) {
            tables.push(table);
        }
    }
    tables
}

/// How closely battles must be watched to fill these tables.
#[must_use]
pub fn detail(tables: &[TableName], layout: &Layout, measure: OutcomeMeasure) -> Detail {
    let asked = |table| tables.contains(&table);
    let by_factor = |asked: bool| if asked { Breakdown::Factor } else { Breakdown::Whole };
    let pairs_by_factor = asked(TableName::UnitPairsByFactor);
    // The summary reports pairs wherever it reports drawn units.
    let pairs = pairs_by_factor
        || asked(TableName::UnitPairs)
        || asked(TableName::Units) && layout.units_are_drawn;
    Detail {
        events: asked(TableName::Orders)
            || asked(TableName::OrderEffects)
            || asked(TableName::Units),
        fighters: asked(TableName::Units) || asked(TableName::UnitsByFactor),
        breakdown: by_factor(asked(TableName::UnitsByFactor) || pairs_by_factor),
        pairs: pairs.then(|| by_factor(pairs_by_factor)),
        measure,
    }
}
