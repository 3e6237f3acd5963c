//! Groups the changes of a scenario that count into alarms: one change leads, and the changes that go with it stand
//! under it.
//!
//! A change of one card moves the scores of its team-mates, of its opponents and of match-ups. The battles without
//! the card show whether these only go with it: a figure that does not move there stands under the card, and one that
//! still moves there is another alarm. So nothing is put under a change that it has been seen to be independent of,
//! and nothing is called a cause: which card was changed, the files say ([`FileChange`](super::FileChange)).
//!
//! The leader is chosen by the battles that differ from before (as far as battles were played again): it takes part
//! in them more than others do. Cards that are changed according to the files are among the candidates. A card that
//! takes part in all remaining battles cannot be told from whatever else moves there, so it leads unless another
//! changed card is visibly linked to the differences, or the files changed in something that is no card. Where no battle was played again, contenders and match-ups are
//! told apart by their counts, and units are not: each unit is its own alarm.

use super::comparison::{Both, results};
use super::{Baseline, Change, Comparison, Limits, MatchupCount, Quantity, Who};
use crate::sorting::Sorting;
use crate::statistics::{Sample, pooled_z, same_score};
use crate::tally::Results;

/// A group of changes that go with one another.
#[derive(Clone, Debug, PartialEq)]
pub struct Alarm {
    /// The pair of baseline and new counts, as an index into `Comparison::pairs`.
    pub pair: usize,
    /// What the other changes go with.
    pub leader: Leader,
    /// The change that represents the alarm, as an index into the comparison's changes: the leader's own, if it has
    /// one that counts.
    pub shown: usize,
    /// The other changes that count, as indices: scores first, and among these the largest for its tolerance.
    pub with: Vec<usize>,
    /// Whether no battle without the leader was left to show whether the other changes go with it.
    pub is_everywhere: bool,
}

/// What the other changes of an alarm go with.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Leader {
    /// Cards that are changed according to the files and take part in the same battles: one, or several that cannot
    /// be told apart.
    Cards(Vec<String>),
    /// The subject of a changed figure.
    Figure(Who),
}

/// The alarms of one pair of baseline and new counts.
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
    let only_cards = files.iter().all(|change| change.card.is_some());
    let mut unexplained = counting;
    let mut found = Vec::new();
    while !unexplained.is_empty() {
        let leader = left.leader(&unexplained, changes, (&cards, only_cards));
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
        // A card does not lead if none of the changes goes with it.
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
    // Cards that the files changed come first, even where another figure moves more.
    found.put_in_order_by(|a, b| precedence(&a.leader).min(1).cmp(&precedence(&b.leader).min(1)));
    found
}

/// From this many standard errors on, a link to the battles that differ is not chance.
const SEEN: f64 = 4.0;

/// The battles in which no leader so far took part.
enum Left<'a> {
    /// Battles that were played again, one by one; `with` marks those that are left.
    Battles { both: Both<'a>, with: Vec<bool> },
    /// Whole match-ups, where no battle was played again; `with` marks those that are left.
    Matchups { baseline: &'a Baseline, new: &'a Baseline, with: Vec<bool> },
}

impl Left<'_> {
    /// Chooses the leader of the changes that are not explained yet. `only_cards` says whether nothing but cards was changed.
    fn leader(
        &self,
        unexplained: &[usize],
        changes: &[Change],
        (cards, only_cards): (&[&String], bool),
    ) -> Leader {
        match self {
            Left::Battles { both, with } => {
                let figures = unexplained.iter().map(|&at| Leader::Figure(changes[at].who.clone()));
                let cards = alike(both, with, cards).into_iter().map(Leader::Cards);
                let cards = cards.filter(|of| only_cards || !is_everywhere(both, with, of));
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

    /// Whether a figure visibly moves in the battles that are left.
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
                // For a figure that is not known by battle: whether any of its battles differs at all.
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

/// A contender's results in some match-ups, without those against itself; None where it has none.
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

/// The rank of a figure within an alarm: first who wins, then how often nobody does, then everything else.
fn interest(quantity: &Quantity) -> u8 {
    match quantity {
        Quantity::Score(_) | Quantity::ContenderScore | Quantity::UnitScore => 0,
        Quantity::Draws | Quantity::Undecided => 1,
        Quantity::Mean(_) | Quantity::Length | Quantity::Order => 2,
    }
}

/// The rank of a candidate among equals: changed cards before figures, and of these the narrower one first.
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

/// Groups changed cards that take part in the same battles among those that are left.
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

/// Whether the leader takes part in all battles that are left.
fn is_everywhere(both: &Both<'_>, left: &[bool], leader: &Leader) -> bool {
    let mut all = left.iter().zip(takes_part(both, leader)).filter(|(left, _)| **left).peekable();
    all.peek().is_some() && all.all(|(_, takes_part)| takes_part)
}

/// By how many standard errors the battles with a leader differ from before more often than those without, among the
/// battles that are left. 0 where all of these have the leader or none does.
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
