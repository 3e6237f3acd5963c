//! The text page of the strongest line-ups and the metagame.

use super::metagame::Metagame;
use super::results::Best;
use super::tables::BestTable;
use crate::lineups::Space;
use crate::report::figures::{
    brief_plain_points, brief_rate, capital, counted, points, rate, whole,
};
use crate::report::page::{Align, Page, Style, Tone, Toned};
use crate::report::{Treatment, forfeited_by, header, in_table};
use crate::sorting::Sorting;
use crate::statistics::Estimate;
use crate::table::Provenance;
use crate::tally::Forfeits;

/// The most choices, members, rulesets and unused choices that are named.
const CHOICES: usize = 10;
const MEMBERS: usize = 20;
const RULESETS: usize = 5;
const UNUSED: usize = 12;
/// Where the distance between the equilibrium and the most even mix is larger than this, the page says that many mixes
/// hold.
const APART: f64 = 0.2;
/// A member without a share of the mix is shown only if the upper end of its share, or its share of the most even mix,
/// reaches this.
const LITTLE: f64 = 0.005;

/// Everything that the page and the report show.
pub struct Answer<'a> {
    /// The space of line-ups that was searched.
    pub space: &'a dyn Space,
    /// The contender whose line-ups they are.
    pub contender: &'a str,
    /// The opponents, and the seats, in words.
    pub against: &'a str,
    /// The names of the choices that every line-up must contain.
    pub kept: &'a [String],
    /// The result of the search.
    pub best: &'a Best,
    /// The metagame; None where it was not asked for or ended early.
    pub metagame: Option<&'a Metagame>,
    /// Whether the metagame was asked for and ended early.
    pub ended_early: bool,
    /// The forfeited battles: by line-ups that were tried (first), and by their opponents (second).
    pub forfeits: &'a Forfeits,
    /// The tables that are written where any are: the page refers to them.
    pub tables: &'a [BestTable],
}

impl Answer<'_> {
    fn in_table(&self, table: BestTable, has: &str) -> String {
        capital(&in_table(self.tables.contains(&table), table, has))
    }
}

/// Writes the page of a finished search.
#[must_use]
pub fn best(
    answer: &Answer<'_>,
    provenance: &Provenance,
    question: Option<&str>,
    style: Style,
) -> String {
    let mut page = Page::new(style);
    header(&mut page, provenance, question);
    looked_at(answer, provenance).iter().for_each(|line| page.line(line));
    page.gap();
    verdict(&mut page, answer);
    page.gap();
    teams(&mut page, answer);
    made_of(&mut page, answer);
    legend(&mut page, answer);
    if let Some(metagame) = answer.metagame {
        page.heading(&format!("The metagame: {}s against each other", answer.space.noun()));
        mix(&mut page, answer, metagame);
    }
    if answer.ended_early {
        page.gap();
        page.toned(Tone::Against, &no_mix(answer));
    }
    page.into_text()
}

/// Lines on what was searched.
pub(super) fn looked_at(answer: &Answer<'_>, provenance: &Provenance) -> Vec<String> {
    let Answer { space, contender, against, kept, best, .. } = answer;
    let noun = space.noun();
    let with = match kept {
        [] => String::new(),
        kept => format!(" with {}", kept.join(" and ")),
    };
    let how_many = match (best.all, best.count) {
        (true, _) => format!("all {}", counted(best.seen as u64, noun)),
        (false, Some(count)) => {
            format!("{} of {} legal ones", counted(best.seen as u64, noun), about(count))
        }
        (false, None) => counted(best.seen as u64, noun),
    };
    let searched = format!(
        "{}s for {contender}{with}, {against}: {how_many} played in {}.",
        capital(noun),
        counted(best.searching, "battle")
    );
    let whose = |party: usize| match party {
        0 => format!("{noun}s that were tried"),
        _ => "those they met".to_owned(),
    };
    let forfeits = forfeited_by(answer.forfeits, Treatment::Scored, None, whose);
    let exceeded = (provenance.battles_played > provenance.battles_asked).then(|| {
        format!(
            "In all {} were played for the {} that were meant, because each {noun} that is compared takes a few.",
            counted(provenance.battles_played, "battle"),
            whole(provenance.battles_asked)
        )
    });
    std::iter::once(searched).chain(exceeded).chain(forfeits).collect()
}

/// A large number as people say it: `9,999,999`, `about 52 million`, `about 1.3 × 10^21`.
fn about(count: u128) -> String {
    /// Large units, with their names.
    const NAMES: [(u128, &str); 3] =
        [(1_000_000_000_000, "trillion"), (1_000_000_000, "billion"), (1_000_000, "million")];
    // Two digits are precise enough.
    let scale = 10_u128.pow(count.max(1).ilog10().saturating_sub(1));
    let rounded = (count + scale / 2) / scale * scale;
    if count < 10_000_000 {
        return whole(count as u64);
    }
    match NAMES.iter().find(|(from, _)| rounded >= *from) {
        Some((from, name)) if rounded < 1_000_000_000_000_000 => {
            format!("about {} {name}", rounded as f64 / *from as f64)
        }
        _ => {
            let digits = rounded.ilog10();
            let first = rounded / 10_u128.pow(digits - 1);
            format!("about {}.{} × 10^{digits}", first / 10, first % 10)
        }
    }
}

/// Writes what the fresh battles show.
pub(super) fn verdict(page: &mut Page, answer: &Answer<'_>) {
    let (best, noun) = (answer.best, answer.space.noun());
    let Some(first) = best.teams.first() else {
        return page.toned(Tone::Against, &format!("No {noun} was found."));
    };
    let tone = Tone::of(&first.score, even(first.results.sides));
    page.toned(
        tone,
        &format!(
            "The strongest {noun} for {} scores {} {}: {}",
            answer.contender,
            rate(&first.score),
            answer.against,
            first.told
        ),
    );
    let others = best.teams.len() - 1;
    let as_good = best.teams[1..].iter().filter(|team| team.behind.low <= 0.0).count();
    match (others, as_good) {
        (0, _) => {}
        (_, 0) => page.line(&format!(
            "It is visibly better than {}.",
            if others == 1 {
                "the other one".to_owned()
            } else {
                format!("each of the other {others}")
            }
        )),
        (_, as_good) => page.line(&format!(
            "It cannot be told from {as_good} of the other {others}: more battles may tell some apart."
        )),
    }
    match best.best_given() {
        None => {}
        Some(_) if first.is_given => {
            page.line(&format!("It was given: the search found no better {noun}."));
        }
        Some(given) if given.behind.low > 0.0 => page.line(&format!(
            "The best that was given scores {}; the strongest is {} ahead.",
            rate(&given.score),
            points(&given.behind)
        )),
        Some(given) => page.line(&format!(
            "The best that was given scores {}: these battles do not tell it from the strongest.",
            rate(&given.score)
        )),
    }
}

fn even(sides: u32) -> f64 {
    1.0 / f64::from(sides)
}

fn teams(page: &mut Page, answer: &Answer<'_>) {
    let columns = [
        ("", Align::Right),
        (answer.space.noun(), Align::Left),
        ("score", Align::Right),
        ("behind (pp)", Align::Right),
    ];
    let mut tones: Vec<Toned> = Vec::new();
    let rows = answer.best.teams.iter().enumerate().map(|(at, team)| {
        tones.push(Some((2, Tone::of(&team.score, even(team.results.sides)))));
        let told = if team.is_given { format!("{} (given)", team.told) } else { team.told.clone() };
        vec![
            format!("{}", at + 1),
            told,
            brief_rate(&team.score, team.results.sides as usize),
            behind(&team.behind),
        ]
    });
    let rows: Vec<Vec<String>> = rows.collect();
    page.toned_table(&columns, rows, &tones);
}

fn behind(estimate: &Estimate) -> String {
    if estimate.value.is_nan() {
        return String::new();
    }
    brief_plain_points(estimate).replace(" pp", "")
}

/// Writes which choices most of the line-ups have in common.
fn made_of(page: &mut Page, answer: &Answer<'_>) {
    let teams = &answer.best.teams;
    let count = |choice: u16| teams.iter().filter(|team| team.line_up.has(choice)).count();
    let mut all: Vec<(usize, u16)> =
        (0..answer.space.choices().len() as u16).map(|choice| (count(choice), choice)).collect();
    all.put_in_order_by_key(|&(count, choice)| (std::cmp::Reverse(count), choice));
    let named: Vec<String> = all
        .iter()
        .take(CHOICES)
        .filter(|(count, _)| 2 * count > teams.len())
        .map(|&(count, choice)| {
            format!("{} ({count})", answer.space.choices()[usize::from(choice)].name)
        })
        .collect();
    if teams.len() > 2 && !named.is_empty() {
        page.gap();
        page.line(&format!("In most of these {}: {}.", teams.len(), named.join(", ")));
    }
}

/// Writes how the figures are to be read.
pub(super) fn legend(page: &mut Page, answer: &Answer<'_>) {
    let (best, noun) = (answer.best, answer.space.noun());
    page.gap();
    page.line(&format!(
        "Scores are from {} of each {noun} that the search did not see, the same for all: a score that was high by chance in \
         the search does not count. behind is the first one's lead in these battles. The intervals, after ± or by - and +, hold together, column by \
         column: in 95 of 100 such tables all scores are covered, and in 95 of 100 all leads, whichever {noun} is the first.",
        counted(best.confirming, "fresh battle")
    ));
    if !best.all {
        page.line(&format!("A search need not find the best {noun} of all."));
    }
}

/// The sentence for a metagame that was ended early.
pub(super) fn no_mix(answer: &Answer<'_>) -> String {
    format!(
        "The metagame was ended early: nothing is known of what holds against these {}s.",
        answer.space.noun()
    )
}

/// The verdict on the metagame: whether it is closed, and a sentence.
pub(super) fn verdict_of_mix(metagame: &Metagame, noun: &str) -> (bool, String) {
    let epsilon = 100.0 * metagame.epsilon;
    let searches = match metagame.searches {
        1 => "1 search".to_owned(),
        several => format!("{} searches", whole(several as u64)),
    };
    let is_beaten = metagame.bounded_score.low > 0.5 + metagame.epsilon;
    let found = match (metagame.closed, is_beaten) {
        (true, _) => format!(
            "Closed: after {searches} no other {noun} was found that gains {epsilon:.1} pp against this mix."
        ),
        (false, true) => format!(
            "Not closed: fresh battles show a {noun} that gains over {epsilon:.1} pp against this mix (after {searches}): it scores \
             {}. More battles, or a larger `--epsilon`, close it.",
            rate(&metagame.bounded_score)
        ),
        (false, false) => {
            let last = match metagame.last_gain.is_nan() {
                true => String::new(),
                false => format!(
                    "; the last to join was {:.1} pp ahead in the battles that it was chosen by, which may be chance",
                    100.0 * metagame.last_gain
                ),
            };
            format!(
                "Not closed: the battles ended before a search found no {noun} that came out over {epsilon:.1} pp ahead of the mix \
                 (after {searches}{last}). More battles, or a larger `--epsilon`, close it."
            )
        }
    };
    let bound = format!(
        "Of {} that the searches kept, none scores more than {:.1}% against it (at 95%, for all of them together).",
        counted(metagame.raced as u64, noun),
        100.0 * metagame.bound
    );
    (metagame.closed, format!("{found} {bound}"))
}

fn mix(page: &mut Page, answer: &Answer<'_>, metagame: &Metagame) {
    let noun = answer.space.noun();
    let (closed, verdict) = verdict_of_mix(metagame, noun);
    page.toned(if closed { Tone::Favoured } else { Tone::Against }, &verdict);
    page.gap();
    let members = &metagame.members;
    let shown = members.iter().enumerate().filter(|(at, of)| {
        *at < MEMBERS
            && (of.share.value > 0.0 || of.share.high >= LITTLE || of.even_share >= LITTLE)
    });
    let worst = |at: usize| {
        let others = (0..members.len()).filter(|&other| other != at);
        let least = others
            .min_by(|&a, &b| members[at].scores[a].value.total_cmp(&members[at].scores[b].value));
        least.map_or_else(String::new, |other| {
            format!("{}: {}", other + 1, brief_rate(&members[at].scores[other], 2))
        })
    };
    let rows = shown.map(|(at, of)| {
        let Estimate { value, low, high } = of.share;
        vec![
            format!("{}", at + 1),
            of.told.clone(),
            format!("{:.0}% ({:.0} to {:.0})", 100.0 * value, 100.0 * low, 100.0 * high),
            format!("{:.0}%", 100.0 * of.even_share),
            worst(at),
        ]
    });
    let rows: Vec<Vec<String>> = rows.collect();
    let left = members.len() - rows.len();
    page.table(
        &[
            ("", Align::Right),
            (noun, Align::Left),
            ("share", Align::Right),
            ("most even", Align::Right),
            ("scores least against", Align::Right),
        ],
        rows,
    );
    if left > 0 {
        let table = answer.in_table(BestTable::Metagame, "has");
        page.line(&format!("{table} {} more.", whole(left as u64)));
    }
    page.gap();
    if metagame.distance_of_mixes() > APART {
        page.line(&format!(
            "Mixes that hold as well are many: the most even one that gives away at most {:.1} pp (most even) is another one. What is \
             said of single shares says little.",
            100.0 * metagame.epsilon
        ));
    } else {
        page.line(&format!(
            "most even: the most even mix that gives away at most {:.1} pp. It is much the same one.",
            100.0 * metagame.epsilon
        ));
    }
    let unused = &metagame.unused;
    if unused.is_empty() {
        page.line("Everything that can be chosen is in some line-up of the mix.");
    } else {
        let named: Vec<&str> = unused.iter().take(UNUSED).map(String::as_str).collect();
        let more = if unused.len() > UNUSED { ", ..." } else { "" };
        page.line(&format!(
            "In no {noun} of the mix: {} of {} to choose from ({}{more}).",
            whole(unused.len() as u64),
            whole(metagame.choices as u64),
            named.join(", ")
        ));
    }
    under(page, answer, metagame, noun);
    page.gap();
    page.line(&format!(
        "Shares are those of the mixed equilibrium of the scores between these {noun}s, {}half of the battles from either side; \
         their intervals say roughly how far these leave them open (bootstrap). The intervals of scores hold together, against this very mix, \
         which comes from the same battles.",
        match metagame.each_pair {
            0 => String::new(),
            least => format!("with {} or more of each two in the mix, ", counted(least, "battle")),
        }
    ));
}

/// Writes the rulesets under which a line-up beats the overall mix.
fn under(page: &mut Page, answer: &Answer<'_>, metagame: &Metagame, noun: &str) {
    if metagame.under.is_empty() {
        return;
    }
    let mut found: Vec<(&str, usize, Estimate)> = metagame
        .under
        .iter()
        .filter_map(|of| of.exploiter().map(|(at, score)| (of.factor.as_str(), at, score)))
        .collect();
    found.put_in_order_by(|a, b| b.2.low.total_cmp(&a.2.low));
    let all = counted(metagame.under.len() as u64, metagame.factor_noun);
    match (&metagame.under[..], found.len()) {
        ([only], 0) => {
            return page.line(&format!("Under {} no {noun} visibly beats the mix.", only.factor));
        }
        (_, 0) => {
            return page.line(&format!("Under none of {all} does a {noun} visibly beat the mix."));
        }
        (_, some) => {
            page.line(&format!("Under {some} of {all} one of them visibly beats the mix:"))
        }
    }
    for (factor, at, score) in found.iter().take(RULESETS) {
        page.item(&format!("{factor}: {noun} {} scores {}.", at + 1, rate(score)));
    }
    if found.len() > RULESETS {
        let table = answer.in_table(BestTable::MetagameRulesets, "has");
        page.line(&format!("{table} all of them."));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn large_numbers_are_said_in_words_and_rounded() {
        let said =
            [9_999_999, 10_000_000, 52_449_999, 995_000_000, 5_040_000_000, 123_456_789_012_345];
        let words = said.map(about);
        let expected = [
            "9,999,999",
            "about 10 million",
            "about 52 million",
            "about 1 billion",
            "about 5 billion",
            "about 120 trillion",
        ];
        assert_eq!(words, expected);
        assert_eq!(about(1_349_000_000_000_000_000_000), "about 1.3 × 10^21");
        assert_eq!(about(9_960_000_000_000_000), "about 1.0 × 10^16");
    }
}
