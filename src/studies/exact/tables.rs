//! The tables `exact` and `exact_orders`: odds from walking all outcomes.

use num_rational::BigRational;
use num_traits::{One, ToPrimitive, Zero};

use super::score::score;
use crate::game::{Outcome, Side};
use crate::table::{Column, Table, side_suffix, snake_case};
use crate::tally::{Layout, OutcomeMeasure};
use crate::walk::{Odds, OrderOdds};

/// A table of exact odds.
#[derive(Clone, Copy, Debug, PartialEq, Eq, strum::Display)]
#[cfg_attr(feature = "cli", derive(clap::ValueEnum), clap(rename_all = "snake_case"))]
#[strum(serialize_all = "snake_case")]
pub enum ExactTable {
    /// Outcomes, lengths and results.
    Exact,
    /// Orders.
    ExactOrders,
}

/// A row of the table `exact`.
struct Row {
    matchup: String,
    /// Index of a condition of the layout; None for all conditions together.
    condition: Option<usize>,
    about: &'static str,
    item: String,
    value: f64,
    odds: BigRational,
    /// How much the odds may still rise, because it is undecided.
    open: BigRational,
}

/// The table `exact`: outcomes, the score of each side, the share of battles that are fought, and lengths and lasting
/// metrics of these. One row per match-up and value; `odds` are by match-up, in the layout's order. `can_be_undecided` says
/// whether the rules stop battles with nothing decided.
#[must_use]
pub fn exact(
    layout: &Layout,
    odds: &[Odds],
    measure: OutcomeMeasure,
    can_be_undecided: bool,
) -> Table {
    let mut rows = Vec::new();
    for (matchup, of) in layout.matchups.iter().zip(odds) {
        let mut add = |condition: Option<usize>, about, item: &str, value: f64, odds, open| {
            let (matchup, item) = (matchup.label(), item.to_owned());
            rows.push(Row { matchup, condition, about, item, value, odds, open });
        };
        let open = of.open();
        for outcome in outcomes(layout.sides) {
            let (text, open) = (outcome_text(outcome), may_still(outcome, &open, can_be_undecided));
            add(None, "outcome", &text, f64::NAN, of.of(outcome), open);
        }
        let mut scores = |condition: Option<usize>,
                          ends: &dyn Fn(Outcome) -> BigRational,
                          open: &BigRational| {
            for side in (0..layout.sides as u8).map(Side) {
                if let Some([low, high]) = score(ends, open, measure, side, layout.sides) {
                    let rest = high - &low;
                    add(condition, measure.noun(), &side.to_string(), f64::NAN, low, rest);
                }
            }
        };
        scores(None, &|outcome| of.of(outcome), &open);
        for under in &of.conditions {
            scores(Some(under.condition), &|outcome| under.of(outcome), &under.open());
        }
        for under in &of.conditions {
            for outcome in outcomes(layout.sides) {
                let text = outcome_text(outcome);
                add(
                    Some(under.condition),
                    "outcome",
                    &text,
                    f64::NAN,
                    under.of(outcome),
                    may_still(outcome, &under.open(), can_be_undecided),
                );
            }
        }
        let open = of.open_fought();
        add(None, "fought", "", f64::NAN, of.fought() - &open, open);
        for (&rounds, odds) in &of.lengths {
            let open = of.open_length(rounds);
            add(None, "length", layout.round_noun, rounds.into(), odds.clone(), open);
        }
        let open = of.open_result();
        for (name, values) in layout.metrics.iter().zip(&of.metrics) {
            for (&value, odds) in values {
                add(None, "result", name, value as f64, odds.clone(), open.clone());
            }
        }
    }
    let text = |of: &dyn Fn(&Row) -> String| rows.iter().map(of).collect::<Vec<_>>();
    let number = |of: &dyn Fn(&Row) -> f64| rows.iter().map(of).collect::<Vec<_>>();
    let mut columns = vec![
        Column::text("matchup", "who meets whom, side A first", text(&|row| row.matchup.clone())),
        Column::text(
            "condition",
            "what is drawn before; empty for all that can be, each as likely as it is",
            text(&|row| {
                row.condition.map_or_else(String::new, |at| layout.conditions[at].label.clone())
            }),
        ),
        Column::text(
            "about",
            "outcome, score (or what else is measured), fought, length or result; the last two are of battles that are fought, which \
             nobody forfeits",
            text(&|row| row.about.to_owned()),
        ),
        Column::text(
            "item",
            "which outcome; whose score; what lengths are counted in; which result; empty for fought",
            text(&|row| row.item.clone()),
        ),
        Column::number("value", "how long; what the result is", number(&|row| row.value)),
        Column::number(
            "odds",
            "how likely a battle is so, 0 to 1, or the score; of lengths and results how likely where it is fought; at least, where \
             not all is decided",
            number(&|row| float(&row.odds)),
        ),
        Column::number(
            "odds_at_most",
            "the same, at most: with all that is not decided",
            number(&|row| float(&(&row.odds + &row.open))),
        ),
        Column::text(
            "exactly",
            "the odds as a fraction; at least, where not all is decided",
            text(&|row| row.odds.to_string()),
        ),
    ];
    if !layout.factors.is_empty() {
        let noun = layout.factor_noun;
        let factors = rows.iter().map(|row| {
            let of = row.condition.map_or(&[][..], |at| &layout.conditions[at].factors);
            of.iter().map(|&factor| &layout.factors[usize::from(factor)])
        });
        let list = Column::text_lists(
            format!("{noun}s"),
            format!("the {noun}s of the condition, as a list; none for all that can be"),
            " + ",
            factors,
        );
        columns.insert(2, list);
    }
    Table { name: ExactTable::Exact.to_string(), columns }
}

/// The table `exact_orders`: one row per match-up, moment and order. Match-ups that are not fully decided have no rows.
#[must_use]
pub fn exact_orders(layout: &Layout, odds: &[Odds]) -> Table {
    let mut rows: Vec<(String, u16, &[u16], &OrderOdds)> = Vec::new();
    for (matchup, of) in layout.matchups.iter().zip(odds) {
        let decided = of.open().is_zero();
        let orders = of.orders.iter().filter(|_| decided);
        rows.extend(
            orders
                .map(|((moment, items), odds)| (matchup.label(), *moment, items.as_slice(), odds)),
        );
    }
    let moment = |&(_, moment, ..): &(String, u16, &[u16], &OrderOdds)| {
        layout.moments[usize::from(moment)].name.clone()
    };
    let number = |of: &dyn Fn(&OrderOdds) -> f64| rows.iter().map(|row| of(row.3)).collect();
    let mut columns = vec![
        Column::text(
            "matchup",
            "who meets whom, side A first",
            rows.iter().map(|row| row.0.clone()).collect(),
        ),
        Column::text("moment", "when the order is observed", rows.iter().map(moment).collect()),
        Column::text_lists(
            "order",
            "what happens, first to last",
            " > ",
            rows.iter().map(|row| layout.order_names(row.2)),
        ),
        Column::number(
            "odds",
            "how likely it comes up at least once in a battle that is fought, which nobody forfeits, 0 to 1",
            number(&|odds| float(&odds.once)),
        ),
        Column::text(
            "exactly",
            "the same as a fraction",
            rows.iter().map(|row| row.3.once.to_string()).collect(),
        ),
        Column::number(
            "times",
            "how often it comes up in such a battle, on average",
            number(&|odds| float(&odds.times)),
        ),
    ];
    for side in 0..layout.sides {
        let suffix = side_suffix(side);
        columns.push(Column::number(
            format!("win_odds_{suffix}"),
            format!("how likely side {} wins then, 0 to 1", suffix.to_ascii_uppercase()),
            number(&|odds| float(&(&odds.wins[side] / &odds.once))),
        ));
    }
    let lasting = odds.first().map_or(0, |odds| odds.metrics.len());
    for (metric, name) in layout.metrics.iter().enumerate().take(lasting) {
        columns.push(Column::number(
            format!("{}_mean", snake_case(name)),
            format!("mean then of: {name}"),
            number(&|odds| float(&(&odds.metrics[metric] / &odds.once))),
        ));
    }
    Table { name: ExactTable::ExactOrders.to_string(), columns }
}

/// Every way a battle can end, in the order in which it is reported.
pub(crate) fn outcomes(sides: usize) -> impl Iterator<Item = Outcome> {
    let wins = (0..sides as u8).map(|side| Outcome::Win(Side(side)));
    wins.chain([Outcome::Draw, Outcome::Undecided])
}

/// How much of what is `open` may still end with this outcome: all of it, or nothing where the rules decide every battle.
pub(super) fn may_still(
    outcome: Outcome,
    open: &BigRational,
    can_be_undecided: bool,
) -> BigRational {
    match outcome {
        Outcome::Undecided if !can_be_undecided => BigRational::zero(),
        Outcome::Win(_) | Outcome::Draw | Outcome::Undecided => open.clone(),
    }
}

/// An outcome in a word or two.
pub(crate) fn outcome_text(outcome: Outcome) -> String {
    match outcome {
        Outcome::Win(side) => format!("{side} wins"),
        Outcome::Draw => "draw".to_owned(),
        Outcome::Undecided => "undecided".to_owned(),
    }
}

fn float(odds: &BigRational) -> f64 {
    if odds.is_one() { 1.0 } else { odds.to_f64().unwrap_or(f64::NAN) }
}
