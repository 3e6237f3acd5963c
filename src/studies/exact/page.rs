//! The page of exact odds.

use num_rational::BigRational;
use num_traits::{One, Zero};

use super::fraction::{OF_PERCENT, Round, decimal, exactly, percent, percent_within};
use super::score::score;
use super::tables::{ExactTable, may_still, outcome_text, outcomes as every_outcome};
use crate::game::{Outcome, Side};
use crate::report::figures::{capital, counted, whole};
use crate::report::in_table;
use crate::report::page::{Align, Page, Style, Tone};
use crate::shell::command_on;
use crate::sorting::Sorting;
use crate::tally::{Layout, OutcomeMeasure};
use crate::walk::{Budget, Odds, OrderOdds, Stop};

/// With more match-ups than this, only their outcomes are shown.
const FEW: usize = 6;
/// The largest number of lengths, conditions, or values of a result that is shown.
const VALUES: usize = 12;
/// The largest number of orders of a moment that is shown.
const ORDERS: usize = 8;

/// Exact odds, with everything that their page, JSON and report need.
#[derive(Clone, Copy, Debug)]
pub struct Exactly<'e> {
    /// The rule system.
    pub game: &'e str,
    /// The scenario's name.
    pub scenario: &'e str,
    /// The scenario's question.
    pub question: Option<&'e str>,
    /// The names behind the numbers.
    pub layout: &'e Layout,
    /// The odds by match-up.
    pub odds: &'e [Odds],
    /// Whether the rules stop battles with nothing decided.
    pub can_be_undecided: bool,
    /// How far the walk was allowed to go.
    pub budget: Budget,
    /// The measure of each side's score.
    pub measure: OutcomeMeasure,
    /// The tables that are written where any are: the page refers to them.
    pub tables: &'e [ExactTable],
}

impl Exactly<'_> {
    fn in_table(&self, table: ExactTable, has: &str) -> String {
        in_table(self.tables.contains(&table), table, has)
    }

    /// Whether every walk is complete, so that all odds are exact.
    #[must_use]
    pub fn is_complete(&self) -> bool {
        self.odds.iter().all(|odds| odds.stop.is_none())
    }

    pub(super) fn ways(&self) -> u64 {
        self.odds.iter().map(|odds| odds.ways).sum()
    }

    pub(super) fn states(&self) -> usize {
        self.odds.iter().map(|odds| odds.states).max().unwrap_or(0)
    }
}

/// Writes the page of exact odds.
#[must_use]
pub fn exact(exactly: &Exactly<'_>, style: Style) -> String {
    let mut page = Page::new(style);
    if let Some(question) = exactly.question {
        page.toned(Tone::Bold, question);
    }
    page.line(&format!(
        "{}: {}, exact odds from {} and at most {} at once",
        exactly.game,
        exactly.scenario,
        counted(exactly.ways(), "way"),
        counted(exactly.states() as u64, "state"),
    ));
    if let Some(choices) = exactly.layout.choices() {
        page.line(&choices);
    }
    if !exactly.is_complete() {
        bounds(&mut page, exactly);
    }
    if exactly.odds.len() > FEW {
        every_matchup(&mut page, exactly);
    } else {
        for (at, odds) in exactly.odds.iter().enumerate() {
            matchup(&mut page, exactly, at, odds);
        }
    }
    page.into_text()
}

/// Writes why there are bounds instead of exact odds, and how to narrow them.
pub(super) fn bounds(page: &mut Page, exactly: &Exactly<'_>) {
    let layout = exactly.layout;
    let stopped = exactly.odds.iter().enumerate().filter(|(_, odds)| odds.stop.is_some());
    let stopped: Vec<(usize, &Odds)> = stopped.collect();
    let &(at, odds) = stopped.first().expect("something is open");
    let (round, stop) = odds.stop.expect("it was stopped");
    let of = match exactly.odds.len() {
        1 => String::new(),
        _ => format!(" of {}", layout.matchups[at].label()),
    };
    let Budget { states, ways, .. } = exactly.budget;
    let noun = layout.round_noun;
    let (why, remedy) = match stop {
        Stop::States => (
            format!("there are more than {} different states", whole(states as u64)),
            "raise --states",
        ),
        Stop::Ways => {
            (format!("there are more ways than its share of {}", whole(ways)), "raise --ways")
        }
        Stop::Rounds => (format!("no more {noun}s were asked for"), "raise --rounds"),
        Stop::Interrupted => ("it was interrupted".to_owned(), "let it walk on"),
    };
    page.gap();
    let hundred = BigRational::from_integer(100.into());
    let decided = decimal(&((BigRational::one() - odds.open()) * hundred), 4, Round::Down);
    page.toned(
        Tone::Against,
        &format!(
            "Not everything is decided: the walk{of} ended in {noun} {round}: {why}. {decided}% of its battles had ended \
             by then."
        ),
    );
    if stopped.len() > 1 {
        let others = counted(stopped.len() as u64 - 1, "other match-up");
        page.line(&format!("It ended early in {others}, too."));
    }
    page.line(&format!(
        "The odds are bounds: at least what was decided by then, at most that and all the rest. For tighter bounds \
         {remedy}, or sample with `{}`.",
        command_on("run", exactly.scenario)
    ));
}

fn matchup(page: &mut Page, exact: &Exactly<'_>, at: usize, odds: &Odds) {
    let layout = exact.layout;
    let contenders = &layout.matchups[at].contenders;
    let open = odds.open();
    page.heading(&layout.matchups[at].label());
    let label = |outcome: Outcome| match outcome {
        Outcome::Win(side) => format!("{side} ({}) wins", contenders[side.index()]),
        _ => outcome_text(outcome),
    };
    let rows = shown_outcomes(exact, std::slice::from_ref(odds)).into_iter();
    let rows = rows.map(|outcome| row(vec![label(outcome)], &odds.of(outcome), &open));
    let rows = rows.chain(scores(exact, odds)).collect();
    if open.is_zero() && !is_decided(odds) {
        page.line("Nobody wins here.");
    }
    page.table(&columns(&["outcome"], &open), rows);
    conditions(page, exact, odds);
    if let Some(forfeits) = forfeits(odds, "the outcomes above; what follows is") {
        page.gap();
        page.line(&forfeits);
    }
    lengths(page, exact, odds, &open);
    results(page, exact, odds);
    if open.is_zero() {
        orders(page, exact, odds);
    }
}

/// The rows with the score of each side; none where the measure counts no battle.
fn scores(exact: &Exactly<'_>, odds: &Odds) -> Vec<Vec<String>> {
    let (sides, open) = (exact.layout.sides, odds.open());
    // Half each is no answer where nobody can win.
    if open.is_zero() && !is_decided(odds) {
        return Vec::new();
    }
    let of_side = |side: u8| {
        let [low, high] =
            score(&|outcome| odds.of(outcome), &open, exact.measure, Side(side), sides)?;
        Some(row(
            vec![format!("{}'s {}", Side(side), exact.measure.figure())],
            &low,
            &(high - &low),
        ))
    };
    (0..sides as u8).filter_map(of_side).collect()
}

/// Writes how battles end under each condition, where there are several.
fn conditions(page: &mut Page, exact: &Exactly<'_>, odds: &Odds) {
    if odds.conditions.is_empty() {
        return;
    }
    page.gap();
    let layout = exact.layout;
    let shown = shown_outcomes(exact, std::slice::from_ref(odds));
    let names: Vec<String> = shown.iter().map(|&outcome| outcome_text(outcome)).collect();
    let first = [(layout.factor_noun, Align::Left), ("drawn", Align::Right)];
    let rows = odds.conditions.iter().take(VALUES).map(|under| Row {
        first: vec![layout.conditions[under.condition].label.clone(), exactly(&under.drawn)],
        odds: shown.iter().map(|&of| Some([under.of(of), under.open()])).collect(),
    });
    by_outcome(page, &first, &names, &rows.collect::<Vec<_>>());
    rest(page, exact, odds.conditions.len().saturating_sub(VALUES), "condition", ExactTable::Exact);
}

/// A row of a table with a column for each outcome: its first cells, then for each outcome the odds and what may still be
/// added; None where nothing is known.
struct Row {
    first: Vec<String>,
    odds: Vec<Option<[BigRational; 2]>>,
}

/// Writes a table with a column for each outcome. Where its figures do not fit in a line, bounds that are a whole point apart
/// get by with two decimal places; where they do not fit even so, every outcome has a row of its own. Of many rows figures
/// are rather cut into two lines, as long as their words stay whole.
fn by_outcome(page: &mut Page, first: &[(&str, Align)], outcomes: &[String], rows: &[Row]) {
    let mut columns = first.to_vec();
    columns.extend(outcomes.iter().map(|name| (name.as_str(), Align::Right)));
    let figure = |of: &Option<[BigRational; 2]>, places: u32| match of {
        Some([odds, open]) => percent_within(odds, open, places),
        None => String::new(),
    };
    let cells = |places: u32| -> Vec<Vec<String>> {
        let of_row = |row: &Row| {
            let figures = row.odds.iter().map(|of| figure(of, places));
            row.first.iter().cloned().chain(figures).collect()
        };
        rows.iter().map(of_row).collect()
    };
    let point = BigRational::new(1.into(), 100.into());
    let is_narrow = |[_, open]: &[BigRational; 2]| !open.is_zero() && *open < point;
    let few = if rows.iter().flat_map(|row| row.odds.iter().flatten()).any(is_narrow) {
        OF_PERCENT
    } else {
        2
    };
    for places in [OF_PERCENT, few] {
        let cells = cells(places);
        if page.has_room_for(&columns, &cells) {
            return page.table(&columns, cells);
        }
    }
    let cells = cells(OF_PERCENT);
    if rows.len() > FEW && page.keeps_words_of(&columns, &cells) {
        return page.table(&columns, cells);
    }
    let mut columns = first.to_vec();
    columns.extend([("outcome", Align::Left), ("odds", Align::Right)]);
    let mut cells = Vec::new();
    for row in rows {
        let known = outcomes.iter().zip(&row.odds).filter(|(_, of)| of.is_some());
        for (at, (name, of)) in known.enumerate() {
            let mut line = if at == 0 { row.first.clone() } else { Vec::new() };
            line.resize(first.len(), String::new());
            line.extend([name.clone(), figure(of, OF_PERCENT)]);
            cells.push(line);
        }
    }
    page.table(&columns, cells);
}

/// The outcomes that are shown: a win of each side, and other outcomes that are possible in some match-up. Where a walk is
/// not complete, open battles may end in any way that the rules know, whether it was reached or not.
fn shown_outcomes(exact: &Exactly<'_>, odds: &[Odds]) -> Vec<Outcome> {
    let may_still_come = |outcome: Outcome, of: &Odds| match outcome {
        Outcome::Win(_) => true,
        Outcome::Draw | Outcome::Undecided => {
            !may_still(outcome, &of.open(), exact.can_be_undecided).is_zero()
        }
    };
    let is_shown = |&outcome: &Outcome| {
        odds.iter().any(|of| may_still_come(outcome, of) || !of.of(outcome).is_zero())
    };
    every_outcome(exact.layout.sides).filter(is_shown).collect()
}

/// Whether any side wins in any battle walked so far.
pub(super) fn is_decided(odds: &Odds) -> bool {
    odds.outcomes.keys().any(|outcome| matches!(outcome, Outcome::Win(_)))
}

/// The columns of a table of odds, after the `first` ones; without exact odds where some battles are open.
fn columns<'n>(first: &[&'n str], open: &BigRational) -> Vec<(&'n str, Align)> {
    let mut columns: Vec<_> = first.iter().map(|&name| (name, Align::Left)).collect();
    columns.push(("odds", Align::Right));
    columns.extend(open.is_zero().then_some(("exactly", Align::Right)));
    columns
}

fn row(first: Vec<String>, odds: &BigRational, open: &BigRational) -> Vec<String> {
    let mut row = first;
    row.push(percent(odds, open));
    row.extend(open.is_zero().then(|| exactly(odds)));
    row
}

/// How many battles are forfeited, and which figures leave them out, as `counted` says after `They count among`; None
/// where none are.
pub(super) fn forfeits(odds: &Odds, counted: &str) -> Option<String> {
    if odds.forfeited.is_zero() {
        return None;
    }
    let open = odds.open_fought();
    if odds.forfeited.is_one() {
        return Some("Every battle is forfeited before it begins, so that none is fought.".into());
    }
    let exactly = if open.is_zero() {
        format!(", exactly {},", exactly(&odds.forfeited))
    } else {
        String::new()
    };
    Some(format!(
        "{}{exactly} of the battles are forfeited before they begin. They count among {counted} of the battles that are fought.",
        percent(&odds.forfeited, &open),
    ))
}

/// The words that follow `a battle` in a figure that leaves forfeited battles out; empty if there are none.
pub(super) fn which(odds: &Odds) -> &'static str {
    if odds.forfeited.is_zero() { "" } else { " that is fought" }
}

fn lengths(page: &mut Page, exact: &Exactly<'_>, odds: &Odds, open: &BigRational) {
    let layout = exact.layout;
    if odds.forfeited.is_one() {
        return;
    }
    let (noun, which) = (layout.round_noun, which(odds));
    page.gap();
    if let (true, [rounds]) = (open.is_zero(), &odds.lengths.keys().collect::<Vec<_>>()[..]) {
        let rounds = counted(u64::from(**rounds), noun);
        return page.line(&format!("Every battle{which} lasts {rounds}."));
    }
    if open.is_zero() {
        let mean = decimal(&odds.mean_length(), 4, Round::Nearest);
        page.line(&format!("A battle{which} lasts {mean} {noun}s on average."));
    }
    if odds.lengths.is_empty() {
        return page.line(&format!("No battle{which} has ended yet."));
    }
    let title = format!("{noun}s");
    let rows = odds.lengths.iter().take(VALUES).map(|(&rounds, of)| {
        let mut cells = row(vec![rounds.to_string()], of, &odds.open_length(rounds));
        cells.truncate(if open.is_zero() { cells.len() } else { 2 });
        cells
    });
    let others =
        any_other(vec!["any other".to_owned()], odds.lengths.values(), &odds.open_result());
    page.table(&columns(&[&title], open), rows.chain(others).collect());
    rest(page, exact, odds.lengths.len().saturating_sub(VALUES), "length", ExactTable::Exact);
    if odds.lengths.contains_key(&0) {
        page.line(&format!("Battles of 0 {noun}s are over before they begin."));
    }
}

/// The row for all values that are not listed, where battles are open and nobody knows beforehand which values there are:
/// what has come up of those beyond the list, and all that is open.
fn any_other<'o>(
    first: Vec<String>,
    all: impl Iterator<Item = &'o BigRational>,
    open: &BigRational,
) -> Option<Vec<String>> {
    (!open.is_zero()).then(|| row(first, &all.skip(VALUES).sum(), open))
}

fn results(page: &mut Page, exact: &Exactly<'_>, odds: &Odds) {
    let layout = exact.layout;
    let open = &odds.open_result();
    let mut rows = Vec::new();
    let mut hidden = 0;
    for (name, values) in layout.metrics.iter().zip(&odds.metrics) {
        for (at, (value, of)) in values.iter().take(VALUES).enumerate() {
            let name = if at == 0 { name.clone() } else { String::new() };
            rows.push(row(vec![name, value.to_string()], of, open));
        }
        if !values.is_empty() {
            let first = vec![String::new(), "any other value".to_owned()];
            rows.extend(any_other(first, values.values(), open));
        }
        hidden += values.len().saturating_sub(VALUES);
    }
    if !rows.is_empty() {
        page.gap();
        page.table(&columns(&["result", "value"], open), rows);
        rest(page, exact, hidden, "value", ExactTable::Exact);
    }
}

fn orders(page: &mut Page, exact: &Exactly<'_>, odds: &Odds) {
    let layout = exact.layout;
    let decided = is_decided(odds);
    for (at, moment) in layout.moments.iter().enumerate() {
        let mut all: Vec<(&[u16], &OrderOdds)> = odds
            .orders
            .iter()
            .filter(|((of, _), _)| usize::from(*of) == at)
            .map(|((_, items), odds)| (items.as_slice(), odds))
            .collect();
        if all.is_empty() {
            continue;
        }
        all.put_in_order_by(|a, b| b.1.once.cmp(&a.1.once).then(a.0.cmp(b.0)));
        page.heading(&format!("Order: {}", moment.name));
        page.line(&moment.meaning);
        let mut columns =
            vec![("order", Align::Left), ("comes up", Align::Right), ("exactly", Align::Right)];
        if decided {
            let wins = if layout.sides == 2 { "A wins then" } else { "wins most then" };
            columns.push((wins, Align::Right));
        }
        let cells = |(items, of): &(&[u16], &OrderOdds)| {
            let nothing = BigRational::zero();
            let mut cells = row(vec![layout.order_label(items)], &of.once, &nothing);
            if decided {
                cells.push(winner(of));
            }
            cells
        };
        page.table(&columns, all.iter().take(ORDERS).map(cells).collect());
        rest(page, exact, all.len().saturating_sub(ORDERS), "order", ExactTable::ExactOrders);
    }
}

/// The odds that side A wins with this order in a duel; with more sides, the likeliest winner and its odds.
fn winner(order: &OrderOdds) -> String {
    let nothing = BigRational::zero();
    let of = |side: usize| percent(&(&order.wins[side] / &order.once), &nothing);
    if order.wins.len() == 2 {
        return of(0);
    }
    let sides = 0..order.wins.len();
    let most = sides.max_by(|&a, &b| order.wins[a].cmp(&order.wins[b]).then(b.cmp(&a)));
    most.map_or_else(String::new, |side| format!("{} {}", Side(side as u8), of(side)))
}

/// Writes which table has the rest, if anything is hidden.
fn rest(page: &mut Page, exact: &Exactly<'_>, hidden: usize, noun: &str, table: ExactTable) {
    if hidden > 0 {
        let more = counted(hidden as u64, &format!("more {noun}"));
        page.line(&format!("{} {more}.", capital(&exact.in_table(table, "has"))));
    }
}

/// Writes the outcomes of many match-ups, a row for each.
fn every_matchup(page: &mut Page, exact: &Exactly<'_>) {
    page.gap();
    let layout = exact.layout;
    let shown = shown_outcomes(exact, exact.odds);
    let mut names: Vec<String> = shown.iter().map(|&outcome| outcome_text(outcome)).collect();
    names.extend((layout.sides == 2).then(|| format!("A's {}", exact.measure.figure())));
    let rows = layout.matchups.iter().zip(exact.odds).map(|(matchup, odds)| {
        let open = odds.open();
        let of = |&outcome: &Outcome| Some([odds.of(outcome), open.clone()]);
        let mut row = Row { first: vec![matchup.label()], odds: shown.iter().map(of).collect() };
        if layout.sides == 2 {
            let of = score(&|outcome| odds.of(outcome), &open, exact.measure, Side::A, 2);
            row.odds.push(of.map(|[low, high]| {
                let open = high - &low;
                [low, open]
            }));
        }
        row
    });
    by_outcome(page, &[("match-up", Align::Left)], &names, &rows.collect::<Vec<_>>());
    let [all, orders] = [ExactTable::Exact, ExactTable::ExactOrders];
    page.line(&match [all, orders].map(|table| exact.tables.contains(&table)) {
        [true, true] => {
            "Lengths, results and orders are in the tables `exact` and `exact_orders`.".to_owned()
        }
        _ => format!(
            "{} lengths and results, and {} orders.",
            capital(&exact.in_table(all, "has")),
            exact.in_table(orders, "has")
        ),
    });
}
