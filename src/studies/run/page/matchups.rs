//! Who wins: the verdict, and the match-ups behind it.

use super::contenders;
use crate::game::Side;
use crate::report::figures::{bar, rate, whole};
use crate::report::page::{Align, Page, Tone};
use crate::statistics::{Estimate, proportion};
use crate::table::LEVEL;
use crate::tally::{Count, Layout, Tally};

/// With more match-ups than this only the most uneven ones are shown.
pub(super) const FEW: usize = 6;
/// How many of many are shown.
const SHOWN: usize = 10;

pub(super) fn section(page: &mut Page, layout: &Layout, tally: &Tally, all: &Count) {
    let counts: Vec<Count> =
        (0..layout.matchups.len()).map(|matchup| tally.matchups[matchup].clone()).collect();
    page.gap();
    let standing = Standing::of(all);
    let tone = if standing.is_significant() { Tone::Found } else { Tone::NotFound };
    if let [only] = &layout.matchups[..] {
        let name = |side: Side| format!("{side} ({})", only.contenders[side.index()]);
        let verdict = standing.verdict(name, layout.sides);
        let (first, rest) = verdict.split_at(1);
        page.toned(tone, &format!("{}{rest}", first.to_uppercase()));
    } else {
        let verdict = standing.verdict(|side| format!("side {side}"), layout.sides);
        page.toned(tone, &format!("Over the {} match-ups {verdict}", counts.len()));
        uneven(page, &counts);
    }
    page.gap();
    if counts.len() <= FEW {
        every_side(page, layout, &counts);
    } else {
        extremes(page, layout, &counts);
    }
    contenders::section(page, layout, &counts);
}

/// Who leads, and by how much.
struct Standing {
    leader: Side,
    second: Side,
    leads: Estimate,
    follows: Estimate,
    /// The leader's share of the battles that it or the second won.
    between: Estimate,
}

impl Standing {
    fn of(count: &Count) -> Self {
        let mut order: Vec<usize> = (0..count.wins.len()).collect();
        order.sort_by_key(|&side| (std::cmp::Reverse(count.wins[side]), side));
        let (leader, second) = (order[0], order[1]);
        let [most, more] = [count.wins[leader], count.wins[second]];
        Self {
            leader: Side(leader as u8),
            second: Side(second as u8),
            leads: proportion(most, count.battles, LEVEL),
            follows: proportion(more, count.battles, LEVEL),
            between: proportion(most, most + more, LEVEL),
        }
    }

    /// Whether the leader is significantly ahead of the second.
    fn is_significant(&self) -> bool {
        self.between.excludes(0.5)
    }

    /// What can be said, given how to call a side and how many there are.
    fn verdict(&self, name: impl Fn(Side) -> String, sides: usize) -> String {
        let (leader, second) = (name(self.leader), name(self.second));
        if self.between.value.is_nan() {
            return "no side has won a battle.".to_owned();
        }
        let mut share = rate(&self.between);
        if sides > 2 {
            share.push_str(&format!(" of the battles that it or {second} wins"));
        } else if self.between != self.leads {
            share.push_str(" of the decided battles");
        }
        if self.is_significant() {
            format!("{leader} is favoured: it wins {share}.")
        } else {
            format!("no significant difference at this many battles: {leader} wins {share}.")
        }
    }
}

fn uneven(page: &mut Page, counts: &[Count]) {
    let significant = counts.iter().filter(|count| Standing::of(count).is_significant()).count();
    let by_chance = ((1.0 - LEVEL.confidence()) * counts.len() as f64).round() as u64;
    let chance = if by_chance == 0 {
        String::new()
    } else {
        format!("; with even odds everywhere chance alone would give about {}", whole(by_chance))
    };
    page.line(&format!(
        "A side is significantly favoured in {significant} of {} match-ups{chance}.",
        counts.len()
    ));
}

fn every_side(page: &mut Page, layout: &Layout, counts: &[Count]) {
    let single = counts.len() == 1;
    let mut rows = Vec::new();
    for (matchup, count) in layout.matchups.iter().zip(counts) {
        for (side, contender) in matchup.contenders.iter().enumerate() {
            let who = match (single, side) {
                (true, _) => contender.clone(),
                (false, 0) => matchup.label(),
                (false, _) => String::new(),
            };
            let wins = proportion(count.wins[side], count.battles, LEVEL);
            rows.push(vec![who, Side(side as u8).to_string(), rate(&wins), bar(wins.value, 16)]);
        }
    }
    let who = if single { "Contender" } else { "Match-up" };
    page.table(
        &[(who, Align::Left), ("side", Align::Left), ("wins", Align::Right), ("", Align::Left)],
        rows,
    );
}

fn extremes(page: &mut Page, layout: &Layout, counts: &[Count]) {
    let mut standings: Vec<(usize, Standing)> =
        counts.iter().map(Standing::of).enumerate().collect();
    standings.sort_by(|(_, a), (_, b)| gap(b).total_cmp(&gap(a)));
    let row = |(matchup, standing): &(usize, Standing)| {
        let matchup = &layout.matchups[*matchup];
        let contender = &matchup.contenders[standing.leader.index()];
        let favoured = if standing.is_significant() {
            format!("{} ({contender})", standing.leader)
        } else {
            "not significant".to_owned()
        };
        vec![matchup.label(), favoured, rate(&standing.leads)]
    };
    let shown = standings.iter().take(SHOWN).map(row).collect();
    page.table(
        &[("Most uneven", Align::Left), ("favoured", Align::Left), ("wins", Align::Right)],
        shown,
    );
    if let Some(rest) = counts.len().checked_sub(SHOWN).filter(|&rest| rest > 0) {
        page.line(&format!(
            "{} more are nearer to even. The table `outcomes` holds all {}.",
            whole(rest as u64),
            whole(counts.len() as u64)
        ));
    }
}

/// How far the leader is ahead, for sorting; less than nothing when there was no battle.
fn gap(standing: &Standing) -> f64 {
    let gap = standing.leads.value - standing.follows.value;
    if gap.is_nan() { -1.0 } else { gap }
}
