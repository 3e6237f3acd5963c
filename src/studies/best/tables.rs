//! The tables of `evens best`.

use super::metagame::Metagame;
use super::results::Best;
use crate::lineups::{LineUp, Space};
use crate::sorting::Sorting;
use crate::statistics::Estimate;
use crate::table::{Column, Table};

/// A table that `evens best` fills.
#[derive(Clone, Copy, Debug, PartialEq, Eq, strum::Display, strum::EnumIter)]
#[cfg_attr(feature = "cli", derive(clap::ValueEnum))]
#[cfg_attr(feature = "cli", value(rename_all = "snake_case"))]
#[strum(serialize_all = "snake_case")]
pub enum BestTable {
    /// The strongest line-ups, with their scores in fresh battles
    BestLineUps,
    /// What these are made of
    BestChoices,
    /// The line-ups of the metagame, with their shares; with `--metagame`
    Metagame,
    /// Every line-up of the metagame against every other; with `--metagame`
    MetagameMatchups,
    /// How much of the mix has each choice; with `--metagame`
    MetagameChoices,
    /// The metagame under each ruleset; with `--metagame`, where rulesets are drawn
    MetagameRulesets,
}

impl BestTable {
    /// Whether the table is about the metagame.
    #[must_use]
    pub fn is_of_metagame(self) -> bool {
        match self {
            Self::BestLineUps | Self::BestChoices => false,
            Self::Metagame
            | Self::MetagameMatchups
            | Self::MetagameChoices
            | Self::MetagameRulesets => true,
        }
    }
}

/// Fills one of the tables. Those of the metagame have no rows where there is none.
#[must_use]
pub fn table(
    name: BestTable,
    space: &dyn Space,
    best: &Best,
    metagame: Option<&Metagame>,
) -> Table {
    let columns = match name {
        BestTable::BestLineUps => line_ups(space, best),
        BestTable::BestChoices => choices(space, best),
        BestTable::Metagame => members(space, metagame),
        BestTable::MetagameMatchups => matchups(metagame),
        BestTable::MetagameChoices => in_mix(space, metagame),
        BestTable::MetagameRulesets => under(metagame),
    };
    Table { name: name.to_string(), columns }
}

/// The column of line-ups, each as a list of names.
fn listed<'l>(space: &dyn Space, line_ups: impl IntoIterator<Item = &'l LineUp>) -> Column {
    Column::text_lists(
        "line_up",
        "what it is made of, in order where that decides anything, each as often as it is in it; `--given` reads it",
        "; ",
        line_ups.into_iter().map(|line_up| {
            let choices = line_up.choices().iter();
            choices.map(|&choice| &space.choices()[usize::from(choice)].name)
        }),
    )
}

fn line_ups(space: &dyn Space, best: &Best) -> Vec<Column> {
    let teams = &best.teams;
    let mut columns = vec![
        Column::count(
            "rank",
            "its place by its fresh battles, from 1",
            (1..=teams.len() as u64).collect(),
        ),
        listed(space, teams.iter().map(|team| &team.line_up)),
        Column::text(
            "given",
            "`given` if it was there before the search",
            teams.iter().map(|team| if team.is_given { "given" } else { "" }.to_owned()).collect(),
        ),
        Column::count(
            "battles",
            "its fresh battles, which the search did not see; the same for all",
            teams.iter().map(|team| team.results.battles()).collect(),
        ),
    ];
    let estimates = |of: &dyn Fn(usize) -> Estimate| (0..teams.len()).map(of).collect::<Vec<_>>();
    columns.extend(Column::estimates(
        "score",
        "wins and an equal share of what nobody won, per fresh battle, 0 to 1; the intervals of all rows hold together",
        &estimates(&|at| teams[at].score),
    ));
    columns.extend(Column::estimates(
        "behind",
        "how much higher the score of the first is, in the same battles, -1 to 1; intervals between any two rows hold together",
        &estimates(&|at| teams[at].behind),
    ));
    columns
}

/// Columns that describe choices.
fn of_choices(space: &dyn Space, all: &[u16]) -> Vec<Column> {
    let choice = |at: &u16| &space.choices()[usize::from(*at)];
    vec![
        Column::text(
            "choice",
            "what it is",
            all.iter().map(|at| choice(at).name.clone()).collect(),
        ),
        Column::text("kind", "its kind", all.iter().map(|at| choice(at).kind.to_owned()).collect()),
        Column::text(
            "group",
            "what it belongs to",
            all.iter().map(|at| choice(at).group.clone()).collect(),
        ),
        Column::number(
            "cost",
            "what it takes of what line-ups have a limit of, such as mana; empty where there is no limit",
            all.iter().map(|at| choice(at).cost.map_or(f64::NAN, f64::from)).collect(),
        ),
    ]
}

fn choices(space: &dyn Space, best: &Best) -> Vec<Column> {
    let count = |choice: u16| best.teams.iter().filter(|team| team.line_up.has(choice)).count();
    let mut all: Vec<(u16, usize)> = (0..space.choices().len() as u16)
        .map(|choice| (choice, count(choice)))
        .filter(|(_, count)| *count > 0)
        .collect();
    all.put_in_order_by_key(|&(choice, count)| (std::cmp::Reverse(count), choice));
    let which: Vec<u16> = all.iter().map(|&(choice, _)| choice).collect();
    let mut columns = of_choices(space, &which);
    columns.push(Column::count(
        "line_ups",
        "how many of the line-ups that are shown have it",
        all.iter().map(|&(_, count)| count as u64).collect(),
    ));
    columns.push(Column::number(
        "copies",
        "how many of it these have on average",
        all.iter()
            .map(|&(choice, count)| {
                let copies = best.teams.iter().map(|team| team.line_up.copies(choice));
                copies.sum::<usize>() as f64 / count as f64
            })
            .collect(),
    ));
    columns
}

fn members(space: &dyn Space, metagame: Option<&Metagame>) -> Vec<Column> {
    let members = metagame.map_or(&[][..], |metagame| &metagame.members);
    let worst = |at: usize| {
        let others = (0..members.len()).filter(|&other| other != at);
        others.min_by(|&a, &b| members[at].scores[a].value.total_cmp(&members[at].scores[b].value))
    };
    let each = |of: &dyn Fn(usize) -> f64| (0..members.len()).map(of).collect::<Vec<_>>();
    let mut columns = vec![
        Column::count(
            "number",
            "its number, from 1: those with the largest share first",
            (1..=members.len() as u64).collect(),
        ),
        listed(space, members.iter().map(|of| &of.line_up)),
    ];
    columns.extend(Column::estimates(
        "share",
        "its share of the equilibrium mix, 0 to 1; the interval says how far the payoffs that are known leave it open (bootstrap)",
        &members.iter().map(|of| of.share).collect::<Vec<_>>(),
    ));
    columns.push(Column::number(
        "most_even_share",
        "its share of the most even mix that gives away no more than epsilon, 0 to 1",
        each(&|at| members[at].even_share),
    ));
    columns.push(Column::number(
        "against_mix",
        "its score against the mix, from the battles between the line-ups, 0 to 1",
        each(&|at| members[at].against_mix),
    ));
    columns.push(Column::count(
        "loses_most_to",
        "the number of the line-up that it scores least against; 0 where there is no other",
        (0..members.len()).map(|at| worst(at).map_or(0, |other| other as u64 + 1)).collect(),
    ));
    let scores = (0..members.len())
        .map(|at| worst(at).map_or(Estimate::UNKNOWN, |other| members[at].scores[other]));
    columns.extend(Column::estimates(
        "worst_score",
        "its score against that one, 0 to 1; the intervals of all pairs hold together",
        &scores.collect::<Vec<_>>(),
    ));
    columns
}

fn matchups(metagame: Option<&Metagame>) -> Vec<Column> {
    let members = metagame.map_or(&[][..], |metagame| &metagame.members);
    let count = members.len();
    let pairs: Vec<(usize, usize)> = (0..count * count)
        .map(|at| (at / count, at % count))
        .filter(|(one, other)| one != other)
        .collect();
    let number = |of: &dyn Fn(&(usize, usize)) -> usize| {
        pairs.iter().map(|pair| of(pair) as u64 + 1).collect::<Vec<_>>()
    };
    let mut columns = vec![
        Column::count(
            "number",
            "which line-up, by its number in `metagame`",
            number(&|pair| pair.0),
        ),
        Column::count("against", "against which", number(&|pair| pair.1)),
    ];
    let scores: Vec<Estimate> =
        pairs.iter().map(|&(one, other)| members[one].scores[other]).collect();
    columns.extend(Column::estimates(
        "score",
        "its score, half of the battles from either side, 0 to 1; the intervals of all pairs hold together",
        &scores,
    ));
    columns
}

fn in_mix(space: &dyn Space, metagame: Option<&Metagame>) -> Vec<Column> {
    let share = |choice: u16| {
        let members = metagame.map_or(&[][..], |metagame| &metagame.members);
        let has = members.iter().filter(|of| of.line_up.has(choice));
        has.map(|of| of.share.value).sum::<f64>()
    };
    let all = (0..space.choices().len() as u16).filter(|&choice| space.allows(choice));
    let mut all: Vec<(u16, f64)> = match metagame {
        None => Vec::new(),
        Some(_) => all.map(|choice| (choice, share(choice))).collect(),
    };
    all.put_in_order_by(|a, b| b.1.total_cmp(&a.1).then(a.0.cmp(&b.0)));
    let which: Vec<u16> = all.iter().map(|&(choice, _)| choice).collect();
    let mut columns = of_choices(space, &which);
    columns.push(Column::number(
        "share",
        "how much of the equilibrium mix has it, 0 to 1; 0: no line-up of the mix",
        all.into_iter().map(|(_, share)| share).collect(),
    ));
    columns
}

fn under(metagame: Option<&Metagame>) -> Vec<Column> {
    let rows: Vec<(&super::metagame::Under, usize)> = metagame.map_or_else(Vec::new, |metagame| {
        let members = 0..metagame.members.len();
        metagame.under.iter().flat_map(|of| members.clone().map(move |at| (of, at))).collect()
    });
    let mut columns = vec![
        Column::text(
            "ruleset",
            "the ruleset, alone or with another",
            rows.iter().map(|(of, _)| of.factor.clone()).collect(),
        ),
        Column::count(
            "number",
            "which line-up, by its number in `metagame`",
            rows.iter().map(|(_, at)| *at as u64 + 1).collect(),
        ),
        Column::number(
            "share",
            "its share of the ruleset's own equilibrium between these line-ups, 0 to 1; without interval",
            rows.iter().map(|(of, at)| of.shares[*at]).collect(),
        ),
    ];
    let scores: Vec<Estimate> = rows.iter().map(|(of, at)| of.scores[*at]).collect();
    columns.extend(Column::estimates(
        "against_mix",
        "its score there against the mix of all battles, 0 to 1; the intervals of all rows hold together",
        &scores,
    ));
    columns
}
