//! What goes with what: of the changes of a scenario that count, the one that the others go with leads, and they stand under
//! it.
//!
//! A change of one card moves the scores of its team-mates, of its opponents and of match-ups. That they only go with it is
//! shown by the battles without the card: what does not move there stands under it. What still moves there is another alarm. So
//! nothing is put under a change that it has been seen to be independent of, and nothing is called a cause: which card was
//! changed, the files say ([`FileChange`](super::FileChange)).
//!
//! Which one leads is decided by the battles that are otherwise than before (as far as they were played again): it is whoever
//! takes part in them more than others do. Cards that the files say are changed are among those who can lead. One that takes
//! part in all battles that are left cannot be told from what else moves there, so it leads as soon as no other changed card is
//! seen to. Where no battle was played again, contenders and match-ups are told apart by their counts, and units are not: each
//! is an alarm.

use super::comparison::{Both, results};
use super::{Baseline, Change, Comparison, Limits, MatchupCount, Quantity, Who};
use crate::sorting::Sorting;
use crate::statistics::{Sample, pooled_z, same_score};
use crate::tally::Results;

/// Changes that go with one another.
#[derive(Clone, Debug, PartialEq)]
pub struct Alarm {
    /// Which pair it belongs to.
    pub pair: usize,
    /// What the others go with.
    pub leader: Leader,
    /// The change that is shown for it, as an index into the comparison's: the leader's own, if it has one that counts.
    pub shown: usize,
    /// The other changes that count: scores first, and of these the largest for its tolerance.
    pub with: Vec<usize>,
    /// Whether no battle without the leader was left that could have shown whether the others go with it.
    pub is_everywhere: bool,
}

/// What other changes go with.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Leader {
    /// Cards that the files say are changed, and that take part in the same battles: one, or several that cannot be told apart.
    Cards(Vec<String>),
    /// Whoever's figure changed.
    Figure(Who),
}

/// The alarms of one pair of a comparison.
pub(super) fn alarms(
    pair: usize,
    baseline: &Baseline,
    new: &Baseline,
    comparison: &Comparison,
) -> Vec<Alarm> {
    let of_pair = |at: &usize| {
        let change = &comparison.changes[*at];
        change.pair == pair && change.counts
    };
    let counting: Vec<usize> = (0..comparison.changes.len()).filter(of_pair).collect();
    if counting.is_empty() {
        return Vec::new();
    }
    let changes = &comparison.changes;
    let mut left = match Both::of(baseline, new) {
        Some(both) => Left::Battles { with: vec![true; both.battles()], both },
        None => Left::Matchups { baseline, new, with: vec![true; baseline.matchups.len()] },
    };
    let files = &comparison.pairs[pair].files;
    let mut cards: Vec<&String> = files.iter().filter_map(|change| change.card.as_ref()).collect();
    cards.dedup();
    let mut unexplained = counting;
    let mut found = Vec::new();
    while !unexplained.is_empty() {
        let leader = left.leader(&unexplained, changes, &cards);
        let before = left.kept();
        left.leave_out(&leader);
        let is_everywhere = left.is_empty();
        let is_own = |at: usize| match &leader {
            Leader::Cards(names) => {
                matches!(&changes[at].who, Who::Unit(unit) if names.contains(&unit.name))
            }
            Leader::Figure(who) => changes[at].who == *who,
        };
        let goes_with =
            |at: usize| is_own(at) || !left.still_moves(&changes[at], comparison.limits);
        let (mut with, others): (Vec<usize>, Vec<usize>) =
            unexplained.into_iter().partition(|&at| goes_with(at));
        unexplained = others;
        // A card whose battles say nothing of what counts leads nothing.
        if with.is_empty() {
            left.restore(before);
            if let Leader::Cards(names) = &leader {
                cards.retain(|card| !names.contains(card));
            }
            continue;
        }
        with.put_in_order_by(|&a, &b| {
            let rank = |at: usize| (!is_own(at), interest(&changes[at].quantity));
            rank(a).cmp(&rank(b)).then(changes[b].size().total_cmp(&changes[a].size()))
        });
        let shown = with.remove(0);
        found.push(Alarm { pair, leader, shown, with, is_everywhere });
    }
    // What was changed comes first, whatever else moves more.
    found.put_in_order_by(|a, b| precedence(&a.leader).min(1).cmp(&precedence(&b.leader).min(1)));
    found
}

/// So many standard errors nobody's part in battles that are otherwise is chance.
const SEEN: f64 = 4.0;

/// The battles that no leader took part in.
enum Left<'a> {
    /// Those that were played again, one by one.
    Battles { both: Both<'a>, with: Vec<bool> },
    /// Match-ups as a whole, where none were.
    Matchups { baseline: &'a Baseline, new: &'a Baseline, with: Vec<bool> },
}

impl Left<'_> {
    /// What leads the changes that are not explained yet.
    fn leader(&self, unexplained: &[usize], changes: &[Change], cards: &[&String]) -> Leader {
        match self {
            Left::Battles { both, with } => {
                let figures = unexplained.iter().map(|&at| Leader::Figure(changes[at].who.clone()));
                let cards = alike(both, with, cards).into_iter().map(Leader::Cards);
                let mut candidates: Vec<Leader> = Vec::new();
                for candidate in cards.chain(figures) {
                    if !candidates.contains(&candidate) {
                        candidates.push(candidate);
                    }
                }
                let link = |candidate: &Leader| link(both, with, candidate);
                let is_card = |of: &&Leader| matches!(of, Leader::Cards(_));
                let everywhere =
                    candidates.iter().filter(is_card).find(|of| is_everywhere(both, with, of));
                if let Some(everywhere) = everywhere {
                    let seen = |of: &&Leader| link(of) > SEEN;
                    let narrower = candidates.iter().filter(is_card).filter(seen);
                    let best = narrower.max_by(|a, b| link(a).total_cmp(&link(b)));
                    return best.unwrap_or(everywhere).clone();
                }
                let best = candidates.iter().map(|of| (link(of), of)).max_by(|(a, x), (b, y)| {
                    a.total_cmp(b).then(precedence(y).cmp(&precedence(x)))
                });
                best.expect("something is not explained").1.clone()
            }
            Left::Matchups { .. } => {
                let strength =
                    |change: &Change| change.difference.value.abs() / change.unpaired_error;
                let first = unexplained.iter().min_by(|&&a, &&b| {
                    let rank = |at: usize| match changes[at].who {
                        Who::Contender(_) => 0,
                        Who::Matchup(_) => 1,
                        Who::Unit(_) => 2,
                        Who::All => 3,
                    };
                    let stronger = strength(&changes[b]).total_cmp(&strength(&changes[a]));
                    rank(a).cmp(&rank(b)).then(stronger)
                });
                Leader::Figure(changes[*first.expect("something is not explained")].who.clone())
            }
        }
    }

    fn is_empty(&self) -> bool {
        match self {
            Left::Battles { with, .. } | Left::Matchups { with, .. } => !with.contains(&true),
        }
    }

    fn kept(&self) -> Vec<bool> {
        match self {
            Left::Battles { with, .. } | Left::Matchups { with, .. } => with.clone(),
        }
    }

    fn restore(&mut self, before: Vec<bool>) {
        match self {
            Left::Battles { with, .. } | Left::Matchups { with, .. } => *with = before,
        }
    }

    fn leave_out(&mut self, leader: &Leader) {
        match self {
            Left::Battles { both, with } => {
                let leads = takes_part(both, leader);
                with.iter_mut().zip(leads).for_each(|(with, leads)| *with &= !leads);
            }
            Left::Matchups { baseline, with, .. } => match leader {
                Leader::Figure(Who::Matchup(at)) => with[*at] = false,
                Leader::Figure(Who::Contender(name)) => {
                    for (with, matchup) in with.iter_mut().zip(&baseline.matchups) {
                        *with &= !matchup.contenders.contains(name);
                    }
                }
                Leader::Figure(Who::Unit(_) | Who::All) | Leader::Cards(_) => {}
            },
        }
    }

    /// Whether a figure is seen to move in the battles that are left.
    fn still_moves(&self, change: &Change, limits: Limits) -> bool {
        match self {
            Left::Battles { both, with } => {
                let sums = both.sums(&change.who, &change.quantity, limits.measure, Some(with));
                let is_known_by_battle =
                    both.sums(&change.who, &change.quantity, limits.measure, None).times > 0;
                if is_known_by_battle {
                    let most = both.most(&change.quantity);
                    return sums.times > 0
                        && sums.levels_if_alike(most).p_value() <= limits.alarm_rate;
                }
                // Of what is not known battle by battle: whether anything is otherwise at all.
                let of_it = |battle: usize| match &change.who {
                    Who::Matchup(at) => both.matchup(battle) == *at,
                    Who::Contender(_) | Who::Unit(_) | Who::All => true,
                };
                (0..with.len()).any(|at| with[at] && of_it(at) && both.is_otherwise(at))
            }
            Left::Matchups { baseline, new, with } => match &change.who {
                Who::Matchup(at) => with[*at],
                Who::Contender(name) => {
                    let [old, new] = [baseline, new].map(|of| {
                        let all = baseline.matchups.iter().zip(with).filter(|(_, with)| **with);
                        let counts = all.filter_map(|(matchup, _)| {
                            of.matchups.iter().find(|other| other.contenders == matchup.contenders)
                        });
                        results_of(counts, name)
                    });
                    same_score(new, old, limits.measure) <= limits.alarm_rate
                }
                Who::Unit(_) | Who::All => true,
            },
        }
    }
}

/// The results of a contender in some match-ups with others.
fn results_of<'c>(counts: impl Iterator<Item = &'c MatchupCount>, name: &str) -> Results {
    let mut sum: Option<Results> = None;
    for count in counts {
        let fighting = &count.contenders;
        if fighting.windows(2).all(|pair| pair[0] == pair[1]) {
            continue;
        }
        for side in (0..fighting.len()).filter(|&side| fighting[side] == name) {
            let of = results(count, side);
            sum = Some(sum.map_or(of, |sum| sum.with(of)));
        }
    }
    sum.unwrap_or(Results::none(2))
}

/// What of an alarm is told first: who wins, then how often nobody does, then what else.
fn interest(quantity: &Quantity) -> u8 {
    match quantity {
        Quantity::Score(_) | Quantity::ContenderScore | Quantity::UnitScore => 0,
        Quantity::Draws | Quantity::Undecided => 1,
        Quantity::Mean(_) | Quantity::Length | Quantity::Order => 2,
    }
}

/// Cards that were changed lead before figures, and of these the narrower one.
fn precedence(leader: &Leader) -> u8 {
    match leader {
        Leader::Cards(_) => 0,
        Leader::Figure(Who::Unit(_)) => 1,
        Leader::Figure(Who::Contender(_)) => 2,
        Leader::Figure(Who::Matchup(_)) => 3,
        Leader::Figure(Who::All) => 4,
    }
}

fn takes_part(both: &Both<'_>, leader: &Leader) -> Vec<bool> {
    match leader {
        Leader::Cards(names) => both.with_card(&names[0]),
        Leader::Figure(who) => both.with(who),
    }
}

/// Changed cards, those together that take part in the same of the battles that are left.
fn alike(both: &Both<'_>, left: &[bool], cards: &[&String]) -> Vec<Vec<String>> {
    let mut groups: Vec<(Vec<bool>, Vec<String>)> = Vec::new();
    for card in cards {
        let mut takes_part = both.with_card(card);
        takes_part.iter_mut().zip(left).for_each(|(takes_part, left)| *takes_part &= left);
        match groups.iter_mut().find(|(other, _)| *other == takes_part) {
            Some((_, group)) => group.push((*card).clone()),
            None => groups.push((takes_part, vec![(*card).clone()])),
        }
    }
    groups.into_iter().map(|(_, group)| group).collect()
}

/// Whether somebody takes part in all battles that are left.
fn is_everywhere(both: &Both<'_>, left: &[bool], leader: &Leader) -> bool {
    let mut all = left.iter().zip(takes_part(both, leader)).filter(|(left, _)| **left).peekable();
    all.peek().is_some() && all.all(|(_, takes_part)| takes_part)
}

/// By how many standard errors battles with somebody are otherwise more often than battles without, among those that are left. 0
/// where all of them are with or all without.
fn link(both: &Both<'_>, left: &[bool], leader: &Leader) -> f64 {
    let [mut without, mut with] = [[0_u64; 2]; 2];
    for (battle, takes_part) in takes_part(both, leader).into_iter().enumerate() {
        if left[battle] {
            let of = if takes_part { &mut with } else { &mut without };
            of[0] += u64::from(both.is_otherwise(battle));
            of[1] += 1;
        }
    }
    let [with, without] = [with, without].map(|[otherwise, all]| Sample::of_trials(otherwise, all));
    let z = pooled_z(with, without);
    if z.is_nan() { 0.0 } else { z }
}
