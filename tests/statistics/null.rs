//! Whether claims come at their nominal rate where there is nothing to find.
//!
//! There is nothing to find in two kinds of battles:
//!
//! - Bundled scenarios whose sides are exchangeable, as they are. No seat is better, no ruleset favours a seat, an
//!   order that names no side says nothing, and two runs differ by chance alone. Which card wins is not tested there:
//!   cards differ.
//! - Any bundled scenario whose battles are played as they are, with their teams, rulesets and orders, and then won by
//!   the toss of a coin. Nothing can go with winning, so every claim of any kind is false.
//!
//! `cargo test --release --test suite statistics::null -- --ignored --nocapture` plays 500 seeds of each and prints the
//! rates, which docs/statistics.md records.

use std::any::Any;
use std::collections::BTreeMap;

use evens::engine::{Battle, Engine, Look, Scenario, Told};
use evens::game::{Outcome, Side};
use evens::report::Style;
use evens::scenario::TableName;
use evens::statistics::{DrawModel, Level, ShareCounts, clustered_share};
use evens::story::Stepped;
use evens::studies::effects::order::Battles;
use evens::studies::effects::{self, order};
use evens::studies::nightly::{Baseline, Comparison, Limits, Quantity};
use evens::studies::run::{self, Run, Sections};
use evens::table::{Table, Values};
use evens::tally::{Layout, OutcomeMeasure, Record};
use evens::walk::{Budget, Horizon, Odds, Outlook};
use num_rational::BigRational;
use statrs::distribution::{Beta, Binomial, ContinuousCDF, DiscreteCDF};

/// An engine whose battles are decided by a coin: a tenth are drawn, and the others won by any side with equal odds.
struct Coin {
    of: Box<dyn Engine>,
    salt: u64,
}

impl Coin {
    fn toss(&self, battle: Battle<'_>, record: &Record) -> Outcome {
        let what = [battle.seed, battle.index, u64::from(record.stratum.condition), self.salt];
        let toss = what.into_iter().fold(0x9E37_79B9_7F4A_7C15_u64, |mixed, part| {
            let mut mixed = (mixed ^ part).wrapping_mul(0xBF58_476D_1CE4_E5B9);
            mixed ^= mixed >> 31;
            mixed = mixed.wrapping_mul(0x94D0_49BB_1331_11EB);
            mixed ^ mixed >> 29
        });
        match toss % 10 {
            0 => Outcome::Draw,
            _ => Outcome::Win(Side((toss / 10 % self.of.layout().sides as u64) as u8)),
        }
    }
}

impl Engine for Coin {
    fn game(&self) -> &'static str {
        self.of.game()
    }

    fn layout(&self) -> &Layout {
        self.of.layout()
    }

    fn play(&self, battle: Battle<'_>, look: Look, record: &mut Record) {
        self.of.play(battle, look, record);
        record.outcome = self.toss(battle, record);
        record.forfeits = 0;
    }

    fn tell(&self, battle: Battle<'_>) -> Told {
        self.of.tell(battle)
    }

    fn step(&self, battle: Battle<'_>) -> Stepped {
        self.of.step(battle)
    }

    fn activities(&self) -> Vec<String> {
        self.of.activities()
    }

    fn count_activity(&self, battle: Battle<'_>, counts: &mut [u64]) {
        self.of.count_activity(battle, counts);
    }

    fn walk(&self, matchup: usize, budget: Budget, go_on: &mut dyn FnMut(u64) -> bool) -> Odds {
        self.of.walk(matchup, budget, go_on)
    }

    fn outlook(&self, matchup: usize, horizon: Horizon) -> Vec<Outlook> {
        self.of.outlook(matchup, horizon)
    }

    fn drawn(&self) -> Vec<BigRational> {
        self.of.drawn()
    }

    fn odds(&self) -> Option<Table> {
        self.of.odds()
    }

    fn draw_model(&self) -> Option<&dyn DrawModel> {
        self.of.draw_model()
    }

    fn plays_alike(&self, _: &dyn Engine) -> bool {
        false
    }

    fn forcing(&self, order: usize, first: Side) -> Option<Box<dyn Engine>> {
        let of = self.of.forcing(order, first)?;
        Some(Box::new(Coin { of, salt: self.salt + 1 + u64::from(first.0) }))
    }

    fn share(&mut self, _: &dyn Engine) {}

    fn as_any(&self) -> &dyn Any {
        self
    }
}

/// How often a kind of claim was made, in how many runs.
#[derive(Default)]
struct Claims {
    /// Runs that could have made a claim of this kind.
    runs: u64,
    /// Runs that made one.
    claimed: u64,
    /// Single tests, with a hit for a p-value below 5% or an interval that misses the truth; with the sums over runs
    /// that a clustered share needs.
    single: ShareCounts,
}

#[derive(Default)]
struct Rates(BTreeMap<&'static str, Claims>);

impl Rates {
    /// Counts a run, and whether it made a claim of this kind.
    fn run(&mut self, kind: &'static str, claimed: bool) {
        let claims = self.0.entry(kind).or_default();
        claims.runs += 1;
        claims.claimed += u64::from(claimed);
    }

    /// Counts the single tests of one run; those that could not be made are not among them.
    fn single(&mut self, kind: &'static str, tests: impl IntoIterator<Item = bool>) {
        let (mut of, mut all) = (0, 0);
        for is_hit in tests {
            of += u64::from(is_hit);
            all += 1;
        }
        let single = &mut self.0.entry(kind).or_default().single;
        single.times += of;
        single.all += all;
        single.times_squared += of * of;
        single.times_by_all += of * all;
        single.all_squared += all * all;
    }

    /// Prints the rates, and returns those that are beyond doubt above their level.
    fn judged(&self, title: &str) -> Vec<String> {
        let mut wrong = Vec::new();
        println!("{title}");
        for (kind, claims) in &self.0 {
            let Claims { runs, claimed, single } = claims;
            let mut line = format!("  {kind:34}");
            if *runs > 0 {
                let [low, high] = exact(*claimed, *runs);
                line += &format!(
                    " {claimed:4} of {runs} ({:4.1}% to {:4.1}%)",
                    100.0 * low,
                    100.0 * high
                );
                if *claimed > most_of(*runs) {
                    wrong.push(format!("{title}, {kind}: {claimed} of {runs} runs"));
                }
            }
            if single.all > 0 {
                let of = clustered_share(*single, Level::P95);
                line += &format!(
                    "  single: {:.2}% ({:.2} to {:.2}) of {}",
                    100.0 * of.value,
                    100.0 * of.low,
                    100.0 * of.high,
                    single.all
                );
                if clustered_share(*single, Level::new(0.9999).unwrap()).low > 0.055 {
                    wrong.push(format!("{title}, {kind}: {of:?} of single tests"));
                }
            }
            if *runs > 0 || single.all > 0 {
                println!("{line}");
            }
        }
        wrong
    }
}

/// The exact interval of a share (C. J. Clopper and E. S. Pearson, 1934).
fn exact(times: u64, of: u64) -> [f64; 2] {
    let beta = |a: u64, b: u64, p| Beta::new(a as f64, b as f64).unwrap().inverse_cdf(p);
    let low = if times == 0 { 0.0 } else { beta(times, of - times + 1, 0.025) };
    let high = if times == of { 1.0 } else { beta(times + 1, of - times, 0.975) };
    [low, high]
}

/// The number of claiming runs that is exceeded but once in 10,000 times, if each run makes a claim with a probability
/// of 1 in 20.
fn most_of(runs: u64) -> u64 {
    Binomial::new(0.05, runs).unwrap().inverse_cdf(0.9999)
}

fn numbers<'t>(table: &'t Table, name: &str) -> &'t [f64] {
    let column = table.columns.iter().find(|column| column.name == name);
    match column.map(|column| &column.values) {
        Some(Values::Number(numbers)) => numbers,
        _ => panic!("{} has no numbers {name}", table.name),
    }
}

fn words(table: &Table, name: &str) -> Vec<String> {
    match &table.columns.iter().find(|column| column.name == name).unwrap().values {
        texts @ (Values::Text(_) | Values::Coded(_)) => {
            (0..texts.len()).map(|row| texts.shown(row).into_owned()).collect()
        }
        _ => panic!("{} has no words {name}", table.name),
    }
}

/// Whether each interval misses the truth; rows without an interval are left out.
fn misses<'t>(table: &'t Table, name: &str, truth: f64) -> impl Iterator<Item = bool> + 't {
    let [low, high] = ["low", "high"].map(|end| numbers(table, &format!("{name}_{end}")));
    low.iter()
        .zip(high)
        .filter(|(low, _)| !low.is_nan())
        .map(move |(low, high)| *low > truth || *high < truth)
}

fn is_small(p: &f64) -> bool {
    *p < 0.05
}

/// Plays one run, counts what its page and tables claim, and returns it as a baseline.
fn of_run(
    scenario: &Scenario,
    seed: u64,
    battles: u64,
    is_coin: bool,
    rates: &mut Rates,
) -> Baseline {
    use TableName::{Factors, OrderEffects, Outcomes, UnitPairs, Units};
    let layout = scenario.engine().layout();
    let asked = [Outcomes, Factors, OrderEffects, Units, UnitPairs];
    let tables = run::fillable(&asked, layout);
    let detail = run::detail(&tables, layout, OutcomeMeasure::Score);
    let plan =
        evens::batch::Plan { seed, battles: battles.try_into().unwrap(), threads: 1, detail };
    let mut run = Run::play(scenario, plan, None, None, &mut |_| true).unwrap();
    run.tables = tables;
    let page = run.page(&Sections::default(), Style { width: 10_000, ..Style::default() });
    let says = |words: &str| page.contains(words);
    let even = OutcomeMeasure::even(layout.sides);
    let sides_are_alike =
        layout.matchups.iter().all(|of| of.contenders.windows(2).all(|two| two[0] == two[1]));
    if is_coin || sides_are_alike {
        if !sides_are_alike {
            rates.run("headline: a contender", says(" is favoured"));
        }
        rates.run("headline: a seat", says("The seat matters"));
    }
    if is_coin {
        rates.run("what matters: a drawn order", says("A drawn order matters"));
        if !layout.factors.is_empty() {
            rates.run("what matters: a ruleset", says("- With "));
        }
        if layout.units_are_drawn {
            rates.run("what matters: a unit", says("goes with winning more than any"));
            rates.run("what matters: a pair", says(" in one team "));
        }
    }
    for table in run.tables() {
        match &*table.name {
            "outcomes" => {
                // The score of the last side follows from the others.
                let last = Side(layout.sides as u8 - 1).to_string();
                let all = misses(&table, "score", even).zip(words(&table, "side"));
                rates.single(
                    "intervals of scores",
                    all.filter(|(_, side)| **side != last).map(|of| of.0),
                );
            }
            "rulesets" => {
                // The rows of side B mirror those of side A.
                let is_a: Vec<bool> =
                    words(&table, "side").iter().map(|side| side == "A").collect();
                let found =
                    |name| numbers(&table, name).iter().zip(&is_a).filter(|(_, is_a)| **is_a);
                if sides_are_alike && layout.matchups.len() == 1 && layout.conditions.len() > 1 {
                    rates.run("rulesets, any", found("p_adjusted").any(|(p, _)| is_small(p)));
                    let all: Vec<bool> = misses(&table, "effect", 0.0).collect();
                    if all.len() == is_a.len() {
                        let of_a = all.iter().zip(&is_a).filter(|(_, is_a)| **is_a);
                        rates.single("intervals of rulesets", of_a.map(|(miss, _)| *miss));
                    }
                }
            }
            "order_effects" => {
                let (moments, origins) = (words(&table, "moment"), words(&table, "origin"));
                let [chi, p] = ["chi_square", "p_adjusted"].map(|name| numbers(&table, name));
                let degrees =
                    match &table.columns.iter().find(|of| of.name == "degrees").unwrap().values {
                        Values::Count(degrees) => degrees,
                        _ => panic!("degrees are counts"),
                    };
                // Where outcomes are the scenario's own, only orders that name no side are sure to say nothing.
                let is_null = |at: &usize| is_coin || moments[*at] == "after a hit";
                for (kind, origin) in [("drawn orders", "drawn"), ("observed orders", "observed")] {
                    let of: Vec<usize> =
                        (0..p.len()).filter(|at| origins[*at] == origin).filter(is_null).collect();
                    let single = |at: &usize| {
                        let law =
                            statrs::distribution::ChiSquared::new(degrees[*at] as f64).unwrap();
                        law.sf(chi[*at]) < 0.05
                    };
                    rates.single(kind, of.iter().map(single));
                    if is_coin && !of.is_empty() {
                        rates.run(kind, of.iter().any(|&at| is_small(&p[at])));
                    }
                }
                if is_coin {
                    rates.single("gaps of orders", misses(&table, "gap", 0.0));
                }
            }
            "units" if is_coin => {
                let played =
                    match &table.columns.iter().find(|of| of.name == "played").unwrap().values {
                        Values::Count(played) => played.clone(),
                        _ => panic!("counts"),
                    };
                let often = |at: &usize| played[*at] >= 100;
                let all: Vec<bool> = misses(&table, "score", even).collect();
                rates.single("intervals of units", (0..all.len()).filter(often).map(|at| all[at]));
                rates.single("shrunken scores of units", misses(&table, "shrunken", even));
            }
            "unit_pairs" if is_coin => {
                let p = numbers(&table, "p_adjusted");
                rates.run("pairs of units, any", p.iter().any(is_small));
                rates.single("intervals of lifts", misses(&table, "lift", 0.0));
            }
            _ => {}
        }
    }
    Baseline::new(run.provenance().clone(), layout, run.tally())
}

/// Counts what a comparison of two runs, a study of effects and the experiments that force an order claim.
fn of_pairs(
    scenario: &Scenario,
    seed: u64,
    battles: u64,
    is_coin: bool,
    pair: (Baseline, Baseline),
    rates: &mut Rates,
) {
    let limits = Limits { tolerance: 0.0, alarm_rate: 0.05, ..Limits::default() };
    let compared = Comparison::new(&[pair], limits);
    rates.run("changes, any", compared.changes.iter().any(|change| change.counts));
    let of = |is_mean: bool| {
        compared
            .changes
            .iter()
            .filter(move |change| matches!(change.quantity, Quantity::Mean(_)) == is_mean)
            .map(|change| is_small(&change.p_value))
    };
    rates.single("changes of scores", of(false));
    rates.single("changes of metrics", of(true));
    let (engine, layout) = (scenario.engine(), scenario.engine().layout());
    if !is_coin {
        return;
    }
    if let Ok(design) = effects::Design::new(layout, battles / 4, layout.units_are_drawn) {
        let played = effects::play(engine, &design, seed, 1, &mut |_| true);
        let rows = effects::results(&design, &played, Level::P95);
        let is_told = |row: &&effects::Effect| {
            row.subject < design.sides()
                && design.is_told(row.subject)
                && design.cases[row.case].factors.len() == 1
        };
        let told: Vec<_> = rows.iter().filter(is_told).collect();
        rates.run("effects of rulesets, any", told.iter().any(|row| is_small(&row.p_adjusted)));
        rates.single("effects of rulesets", told.iter().map(|row| is_small(&row.effect.p_value)));
        let of_units =
            rows.iter().filter(|row| row.subject >= design.sides() && !row.effect.p_value.is_nan());
        let p: Vec<[f64; 2]> = of_units.map(|row| [row.effect.p_value, row.p_adjusted]).collect();
        if !p.is_empty() {
            rates.single("effects on units", p.iter().map(|p| is_small(&p[0])));
        }
    }
    of_forced(scenario, seed, battles / 2, rates);
}

/// Counts what the experiments that force an order claim.
fn of_forced(scenario: &Scenario, seed: u64, battles: u64, rates: &mut Rates) {
    let (engine, layout) = (scenario.engine(), scenario.engine().layout());
    for forcible in &layout.forcible {
        let design =
            order::Design::new(engine, &forcible.slug(), battles, OutcomeMeasure::Score).unwrap();
        let rows =
            order::results(&design, &order::play(&design, seed, 1, &mut |_| true), Level::P95);
        let known: Vec<_> =
            rows.iter().filter(|row| row.side == 0 && !row.effect.p_value.is_nan()).collect();
        if !known.is_empty() {
            let list = |of: Battles| match of {
                Battles::All => "forced orders: all battles",
                Battles::OfMatchup(_) => "forced orders: a match-up",
                Battles::WithFactor(_) => "forced orders: a ruleset",
            };
            let mut claims: BTreeMap<&str, bool> = BTreeMap::new();
            for row in &known {
                *claims.entry(list(row.of)).or_default() |= is_small(&row.p_adjusted);
            }
            claims.into_iter().for_each(|(list, any)| rates.run(list, any));
            rates.single("forced orders", known.iter().map(|row| is_small(&row.effect.p_value)));
            let seen = known.iter().filter(|row| !row.association.value.is_nan());
            rates.single(
                "what goes with forced orders",
                seen.map(|row| row.association.excludes(0.0)),
            );
        }
    }
}

/// A bundled scenario, with its own outcomes or with those of a coin.
fn scenario(name: &str, is_coin: bool) -> Scenario {
    let mut scenario = Scenario::read(name).unwrap();
    if is_coin {
        let of = scenario.setup;
        scenario.setup = Box::new(Coin { of, salt: 0 });
    }
    scenario
}

fn rates(name: &str, seeds: u64, battles: u64, is_coin: bool) -> Vec<String> {
    let scenario = scenario(name, is_coin);
    let how = if is_coin { "won by a coin" } else { "as it is" };
    let title = format!("{name}, {how}, {seeds} seeds of {battles} battles");
    of_seeds(&title, seeds, |seed, rates| {
        let one = of_run(&scenario, seed, battles, is_coin, rates);
        let other = of_run(&scenario, 1_000_000 + seed, battles, is_coin, &mut Rates::default());
        of_pairs(&scenario, seed, battles, is_coin, (one, other), rates);
    })
}

/// Counts what many seeds claim, on all threads, and returns the kinds of claims that are made too often.
fn of_seeds(title: &str, seeds: u64, of_seed: impl Fn(u64, &mut Rates) + Sync) -> Vec<String> {
    let threads = std::thread::available_parallelism().map_or(1, usize::from) as u64;
    let mut rates = Rates::default();
    let of_thread = |thread: u64| {
        let mut rates = Rates::default();
        for seed in (1..=seeds).filter(|seed| seed % threads == thread) {
            of_seed(seed, &mut rates);
        }
        rates
    };
    std::thread::scope(|scope| {
        let all: Vec<_> =
            (0..threads).map(|thread| scope.spawn(move || of_thread(thread))).collect();
        for thread in all {
            for (kind, of) in thread.join().unwrap().0 {
                let sum = rates.0.entry(kind).or_default();
                sum.runs += of.runs;
                sum.claimed += of.claimed;
                sum.single.times += of.single.times;
                sum.single.all += of.single.all;
                sum.single.times_squared += of.single.times_squared;
                sum.single.times_by_all += of.single.times_by_all;
                sum.single.all_squared += of.single.all_squared;
            }
        }
    });
    rates.judged(title)
}

/// Bundled scenarios whose sides are exchangeable.
const EXCHANGEABLE: [&str; 3] =
    ["splinterlands/drawn-teams", "splinterlands/mirror", "splinterlands/earthquake-weaken"];
/// Scenarios of every game: duels and three sides, drawn and fixed teams, one match-up and many.
const TOSSED: [&str; 9] = [
    "splinterlands/drawn-teams",
    "splinterlands/mirror",
    "splinterlands/archetypes",
    "sanctum/precedence",
    "sanctum/mixed-groups",
    "solforge/dryad-and-patriarch",
    "solforge/drawn-decks",
    "eldertale/duel",
    "eldertale/three-way",
];

#[test]
#[ignore = "minutes in release: every week, and after a change of what it counts"]
fn claims_come_at_their_nominal_rate_500_seeds() {
    let mut wrong = Vec::new();
    for name in EXCHANGEABLE {
        wrong.extend(rates(name, 500, 1_000, false));
    }
    for name in TOSSED {
        let battles = if name.starts_with("solforge/drawn") { 300 } else { 1_000 };
        wrong.extend(rates(name, 500, battles, true));
    }
    assert!(wrong.is_empty(), "{wrong:#?}");
}

/// Tables of forced orders by ruleset need longer runs: under a ruleset with fewer than 100 battles nothing is tested.
#[test]
#[ignore = "minutes in release: every week, and after a change of what it counts"]
fn forced_orders_by_ruleset_500_seeds() {
    let mut wrong = Vec::new();
    for name in ["splinterlands/mirror", "splinterlands/archetypes", "splinterlands/drawn-teams"] {
        let scenario = scenario(name, true);
        let title = format!("{name}, won by a coin, 500 seeds of 3000 battles");
        wrong.extend(of_seeds(&title, 500, |seed, rates| {
            of_forced(&scenario, seed, 3_000, rates);
        }));
    }
    assert!(wrong.is_empty(), "{wrong:#?}");
}

/// The same tests with fewer seeds, battles and scenarios: enough to see a claim that is made far too often.
#[test]
fn claims_come_at_their_nominal_rate() {
    let mut wrong = Vec::new();
    for (name, is_coin) in [
        ("splinterlands/mirror", false),
        ("splinterlands/earthquake-weaken", false),
        ("splinterlands/archetypes", true),
        ("sanctum/precedence", true),
        ("eldertale/three-way", true),
    ] {
        wrong.extend(rates(name, 40, 200, is_coin));
    }
    assert!(wrong.is_empty(), "{wrong:#?}");
}
