//! The page of a sweep: every variant, compared with the first.

use crate::game::Side;
use crate::report::figures::{
    are, brief_points, brief_rate, counted, fixed, named, p_value, points, rate, signed, whole,
};
use crate::report::page::{Align, Page, Style, Tone, Toned};
use crate::report::{
    ALARM, CHOSEN, INTERVALS, Treatment, forfeited, header, share_of_battles, treated,
};
use crate::sorting::Sorting;
use crate::statistics::{Comparison, Estimate, Level};
use crate::studies::sweep::common::{Compared, played};
use crate::studies::sweep::design::LEAST;
use crate::studies::sweep::results::is_told;
use crate::studies::sweep::{Member, Row};
use crate::table::{LEVEL, Provenance};
use crate::tally::{Forfeits, OutcomeMeasure};

/// With more match-ups than this only the largest changes are shown.
pub(super) const FEW: usize = 4;
/// The largest number of variants of a match-up that is shown.
const SHOWN: usize = 24;
/// The longest text of a score with both ends of its interval that fits a terminal of 80 columns.
const ROOM: usize = 21;
/// The largest number of changes that is shown where there are many match-ups.
const LARGEST: usize = 12;

/// A sweep that was played, with everything that its page needs.
#[derive(Debug)]
pub struct Swept<'s> {
    /// The paths in the scenario that are varied.
    pub axes: &'s [String],
    /// Each variant's values at these paths.
    pub values: &'s [Vec<String>],
    /// The variants, as members of the design.
    pub members: &'s [Member],
    /// How many arms (distinct sets of battles) were played.
    pub arms: usize,
    /// The results: one row for every variant, match-up and side.
    pub rows: &'s [Row],
    /// The measure that is compared.
    pub measure: OutcomeMeasure,
    /// How many battles were asked for.
    pub asked: u64,
    /// How many battles are planned, and for how many strata.
    pub planned: (u64, u64),
    /// How many battles were forfeited, over all variants.
    pub forfeits: &'s Forfeits,
}

/// The page that a sweep prints at its end: every variant with its win rate and its difference to the first.
#[must_use]
pub fn sweep(
    swept: &Swept<'_>,
    provenance: &Provenance,
    question: Option<&str>,
    style: Style,
) -> String {
    let mut page = Page::new(style);
    header(&mut page, provenance, question);
    how(swept, provenance).iter().for_each(|line| page.line(line));
    let matchups = swept.members[0].matchups.len();
    let sides = swept.members[0].matchups[0].contenders.len();
    if matchups <= FEW {
        for matchup in 0..matchups {
            for side in (0..sides).filter(|&side| is_told(side, sides, swept.measure)) {
                section(&mut page, swept, matchup, side);
            }
        }
    } else {
        largest(&mut page, swept, sides);
    }
    verdict(&mut page, swept, sides);
    page.into_text()
}

/// The sentences on how the variants were played.
pub(super) fn how(swept: &Swept<'_>, provenance: &Provenance) -> Vec<String> {
    let (planned, strata) = swept.planned;
    let raised = match planned {
        planned if planned == LEAST * strata && planned > swept.asked => format!(
            " These are {planned} and not {}, since it takes {LEAST}{each} to tell how much battles vary.",
            whole(swept.asked),
            planned = whole(planned),
            each = match strata {
                1 => String::new(),
                several => format!(" of each of {} strata (match-up and draw)", whole(several)),
            }
        ),
        _ => String::new(),
    };
    let forfeits = forfeits(swept);
    let played = played(swept, provenance.battles_played);
    std::iter::once(played + &raised).chain(forfeits).chain(with_itself(swept)).collect()
}

/// A sentence on the share of battles that are forfeits, if any are: scores of variants can differ for no other reason.
fn forfeits(swept: &Swept<'_>) -> Option<String> {
    let of_all = forfeited(swept.forfeits, Treatment::Scored, None)?;
    let of_variant = |variant: usize| {
        let rows = swept.rows.iter().filter(|row| row.variant == variant && row.side == 0);
        let shares: Vec<f64> =
            rows.map(|row| row.forfeits).filter(|share| !share.is_nan()).collect();
        (!shares.is_empty()).then(|| shares.iter().sum::<f64>() / shares.len() as f64)
    };
    let shares: Vec<f64> = (0..swept.members.len()).filter_map(of_variant).collect();
    let least = share_of_battles(shares.iter().copied().fold(1.0, f64::min)).to_lowercase();
    let most = share_of_battles(shares.iter().copied().fold(0.0, f64::max)).to_lowercase();
    if least == most && of_all.to_lowercase().starts_with(&least) {
        return Some(of_all);
    }
    let told = match least == most {
        true => format!(
            "Of the battles of each variant, {most} are forfeits, because a team may not be brought."
        ),
        false => format!(
            "From {least} to {most} of a variant's battles are forfeits, because a team may not be brought: the table `sweep` \
             has the share of each."
        ),
    };
    Some(format!("{told} {}", treated(swept.forfeits, Treatment::Scored)))
}

/// What the score of a contender that meets itself in every variant cannot tell.
fn with_itself(swept: &Swept<'_>) -> Option<String> {
    let every_name = |matchup: usize| {
        let matchups = swept.members.iter().map(move |member| &member.matchups[matchup]);
        matchups.flat_map(|matchup| &matchup.contenders)
    };
    let is_alone = |matchup: &usize| {
        let mut names = every_name(*matchup);
        let first = names.next();
        names.all(|name| Some(name) == first)
    };
    let matchups = 0..swept.members[0].matchups.len();
    let alone: Vec<usize> = matchups.clone().filter(is_alone).collect();
    let label = |at: &usize| swept.members[0].matchups[*at].label();
    let labels = || named(&alone.iter().map(label).collect::<Vec<_>>(), 3);
    let of = match (alone.len(), matchups.len()) {
        (0, _) => return None,
        (1, 1) => format!("{} meets itself, so this score tells", every_name(alone[0]).next()?),
        (some, all) if some == all => {
            "Everybody meets only itself, so these scores tell".to_owned()
        }
        (1, _) => format!("The score of {} tells", labels()),
        _ => format!("The scores of {} tell", labels()),
    };
    // What else a scenario can vary is given to sides, or to the whole battle.
    let are_cards = swept.axes.iter().all(|axis| {
        let list = axis.split('.').next().unwrap_or_default().trim();
        CARDS.contains(&list)
    });
    let ending = match are_cards {
        true => {
            ": what a variant gives a card, every side gets. To ask what a card gains, let only one side bring it."
        }
        false => ".",
    };
    Some(format!("{of} of the seats alone{ending}"))
}

fn section(page: &mut Page, swept: &Swept<'_>, matchup: usize, side: usize) {
    let contenders = &swept.members[0].matchups[matchup];
    // An axis may vary the contenders, who then have no common name.
    let name = |side: usize| {
        let name = &contenders.contenders[side];
        let mut members = swept.members.iter();
        members.all(|of| of.matchups[matchup].contenders[side] == *name).then_some(name.as_str())
    };
    let letter = Side(side as u8);
    let who = name(side)
        .map_or_else(|| format!("Side {letter}"), |who| format!("{who} as side {letter}"));
    page.heading(&match contenders.contenders.len() {
        2 => format!("{who} against {}", name(1 - side).unwrap_or("its opponent")),
        _ if (0..contenders.contenders.len()).all(|side| name(side).is_some()) => {
            format!("{who} of {}", contenders.label())
        }
        _ => who,
    });
    let rows = rows_of(swept, matchup, side);
    // Long numbers, or several columns before them, leave no room for both ends of the intervals.
    let is_wide = |row: &&Row| rate(&row.score).len() > ROOM;
    let brief = swept.axes.len() > 1 || rows.iter().any(is_wide);
    let cells = rows.iter().take(SHOWN).map(|row| {
        let mut cells = swept.values[row.variant].clone();
        cells.extend(figures(row, brief, contenders.contenders.len()));
        cells
    });
    let tones: Vec<Toned> = rows.iter().take(SHOWN).map(|row| tone(row, swept, 0)).collect();
    table(page, swept, &[], cells.collect(), &tones);
    if rows.len() > SHOWN {
        let hidden = counted((rows.len() - SHOWN) as u64, "more variant");
        page.line(&format!("The table `sweep` has {hidden}."));
    }
    if let Some(crossing) = crossing(swept, &rows) {
        page.line(&crossing);
    }
}

/// The rows of a side in a match-up, in the order of variants.
pub(super) fn rows_of<'s>(swept: &Swept<'s>, matchup: usize, side: usize) -> Vec<&'s Row> {
    swept.rows.iter().filter(|row| (row.matchup, row.side) == (matchup, side)).collect()
}

/// The number that the label of a value is, in whatever base it is written.
fn number_of(label: &str) -> Option<f64> {
    let digits = label.replace('_', "");
    let whole = [("0x", 16), ("0o", 8), ("0b", 2)].into_iter().find_map(|(begins, base)| {
        i64::from_str_radix(digits.strip_prefix(begins)?, base).ok().map(|number| number as f64)
    });
    whole.or_else(|| digits.parse().ok())
}

/// A sentence on where a single numeric axis makes the side even, which is often the purpose of a sweep; None where
/// there is no such axis.
pub(super) fn crossing(swept: &Swept<'_>, rows: &[&Row]) -> Option<String> {
    if swept.axes.len() != 1 || swept.measure != OutcomeMeasure::Score {
        return None;
    }
    let even = OutcomeMeasure::even(swept.members[0].matchups[0].contenders.len());
    let labels: Vec<&str> = rows
        .iter()
        .map(|row| swept.values[row.variant].first().map(String::as_str))
        .collect::<Option<_>>()?;
    // `+2` is no place on an axis that also has 3 itself.
    let are_changes = labels.iter().any(|label| label.starts_with('+'));
    if are_changes && labels.iter().any(|label| !label.starts_with(['+', '-'])) {
        return None;
    }
    let known = |row: &&Row| {
        let label = swept.values[row.variant].first()?;
        let number = number_of(label)?;
        (!row.score.value.is_nan()).then_some((number, label.as_str(), row.score))
    };
    let mut points: Vec<(f64, &str, Estimate)> = rows.iter().map(known).collect::<Option<_>>()?;
    points.put_in_order_by(|a, b| a.0.total_cmp(&b.0));
    let rate = |score: &Estimate| format!("{:.1}%", 100.0 * score.value);
    let percent = format!("{:.1}%", 100.0 * even).replace(".0%", "%");
    // Among many values some differ from even by chance alone.
    let several = points.len() as u64;
    let strict = LEVEL.shared_by(several);
    let is_visible = |score: &Estimate| score.at_level(LEVEL, strict).excludes(even);
    let alike: Vec<&str> = points
        .iter()
        .filter(|(.., score)| !is_visible(score))
        .map(|(_, label, _)| *label)
        .collect();
    let is_nowhere = alike.is_empty();
    let alike = match alike.as_slice() {
        [] => String::new(),
        labels => format!(
            " Not visibly other than even, adjusted for {}: {}.",
            counted(several, "value"),
            labels.join(", ")
        ),
    };
    // The true scores may cross even elsewhere than the estimates do: only values visibly above or below even count.
    let visible: Vec<usize> = (0..points.len()).filter(|&at| is_visible(&points[at].2)).collect();
    let above = |at: usize| points[at].2.value > even;
    let mut passes = visible.windows(2).filter(|pair| above(pair[0]) != above(pair[1]));
    let Some(&[low, high]) = passes.next() else {
        if points.len() < 3 {
            return None;
        }
        let (_, label, score) = points
            .iter()
            .min_by(|a, b| (a.2.value - even).abs().total_cmp(&(b.2.value - even).abs()))?;
        let nearest = format!("nearest is {label} with {}.{alike}", rate(score));
        return Some(match is_nowhere {
            true => format!("Nowhere here is even ({percent}) passed; {nearest}"),
            false => format!("Whether even ({percent}) is passed cannot be told; {nearest}"),
        });
    };
    let again = match passes.count() {
        0 => "",
        _ => " It is passed again after that.",
    };
    let crosses = |&at: &usize| above(at) != above(at + 1);
    let from = (low..high).find(crosses)?;
    let [(start, start_label, first), (end, end_label, last)] = [points[from], points[from + 1]];
    let share = (even - first.value) / (last.value - first.value);
    let has_sign = start_label.starts_with(['+', '-']) || end_label.starts_with('+');
    let place = |at: f64| if has_sign { signed(at, 1) } else { fixed(at, 1) };
    // Several values in a row may have exactly the even score: the line runs along it from one to the other.
    let is_even = |&at: &usize| points[at].2.value == even;
    let along = (low..high).filter(is_even).collect::<Vec<_>>();
    let at = match along[..] {
        [first, .., last] => {
            format!("{} to {}", place(points[first].0), place(points[last].0))
        }
        _ => place(start + share * (end - start)),
    };
    let [(_, low_label, low_score), (_, high_label, high_score)] = [&points[low], &points[high]];
    Some(format!(
        "Even ({percent}) lies between {low_label} with {} and {high_label} with {}: by these estimates at about {at}, if the \
         score runs in a straight line from each value to the next.{again}{alike}",
        rate(low_score),
        rate(high_score)
    ))
}

/// Writes the table of the largest changes over all match-ups.
fn largest(page: &mut Page, swept: &Swept<'_>, sides: usize) {
    let change = |row: &Row| row.comparison.map_or(0.0, |found| found.difference.value.abs());
    let told = |row: &&Row| is_told(row.side, sides, swept.measure);
    let compared = Compared::of(swept);
    let mut rows: Vec<&Row> =
        swept.rows.iter().filter(told).filter(|row| row.adjusted < ALARM).collect();
    rows.put_in_order_by(|a, b| change(b).total_cmp(&change(a)));
    page.heading("The largest changes");
    if rows.is_empty() {
        return page.line(&format!("{}.", compared.none_is_significant()));
    }
    // The largest of many changes are partly chance, so their intervals are widened.
    let shown = rows.len().min(LARGEST);
    let chosen = LEVEL.of_chosen(shown, compared.made);
    let cells = rows.iter().take(LARGEST).map(|row| {
        let matchup = &swept.members[row.variant].matchups[row.matchup];
        let who = match is_told(1, sides, swept.measure) {
            false => matchup.label(),
            true => format!("{}, side {}", matchup.label(), Side(row.side as u8)),
        };
        let mut cells = vec![who];
        cells.extend(swept.values[row.variant].clone());
        cells.extend(figures(&row.at_level(chosen), true, matchup.contenders.len()));
        cells
    });
    let where_ = if is_told(1, sides, swept.measure) { "where" } else { "A's" };
    let tones: Vec<Toned> = rows.iter().take(LARGEST).map(|row| tone(row, swept, 1)).collect();
    table(page, swept, &[where_], cells.collect(), &tones);
    if rows.len() > LARGEST {
        let hidden = (rows.len() - LARGEST) as u64;
        page.line(&format!(
            "{} {} significant; the table `sweep` holds all.",
            counted(hidden, "more change"),
            are(hidden)
        ));
    }
    if shown < compared.made {
        page.line(CHOSEN);
    }
}

impl Row {
    /// This row with intervals of another level, cut off at the largest and smallest possible score or difference.
    pub(super) fn at_level(&self, level: Level) -> Self {
        let comparison = self.comparison.map(|found| Comparison {
            difference: found.difference.at_level(LEVEL, level).within(-1.0, 1.0),
            ..found
        });
        Self { score: self.score.at_level(LEVEL, level).within(0.0, 1.0), comparison, ..*self }
    }
}

/// The column and the colour of a row's change; the column follows `first` columns, the axes and the score.
fn tone(row: &Row, swept: &Swept<'_>, first: usize) -> Toned {
    let change = row.comparison?.difference.value;
    Some((first + swept.axes.len() + 1, Tone::of_change(change, row.adjusted < ALARM)))
}

fn table(
    page: &mut Page,
    swept: &Swept<'_>,
    first: &[&str],
    rows: Vec<Vec<String>>,
    tones: &[Toned],
) {
    let names = names(swept.axes);
    let mut columns: Vec<(&str, Align)> = first.iter().map(|&name| (name, Align::Left)).collect();
    columns.extend(names.iter().map(|name| (name.as_str(), Align::Left)));
    columns.extend([swept.measure.noun(), "change", "p", "ratio"].map(|name| (name, Align::Right)));
    page.toned_table(&columns, rows, tones);
}

/// The tables of a scenario in which everything has a name, or a place, of its own.
const OF_NAMED: [&str; 9] = [
    "cards",
    "changes",
    "characters",
    "decks",
    "groups",
    "minions",
    "monsters",
    "new_cards",
    "spells",
];

/// Those of them whose entries are cards, minions or spells, and are brought by any side.
const CARDS: [&str; 6] = ["cards", "changes", "minions", "monsters", "new_cards", "spells"];

/// The ends of the paths that say whose number it is, and tell them apart: `Pit Ogre health`, `effects 0 amount` of an
/// Ember Hound with its name, and `two` for a key of which there is one.
pub(super) fn names(axes: &[String]) -> Vec<String> {
    let all: Vec<Vec<&str>> = axes
        .iter()
        .map(|path| path.split('.').map(|step| step.trim_matches(['"', '\''])).collect())
        .collect();
    let end = |path: &Vec<&str>, steps: usize| {
        let whose = if OF_NAMED.contains(&path[0]) { path.len() - 1 } else { 1 };
        let steps = steps.max(whose).min(path.len());
        // A place in a list is none without the list.
        let is_place = |step: &str| step.parse::<usize>().is_ok();
        let first = path.len() - steps;
        let from = if first > 0 && is_place(path[first]) { first - 1 } else { first };
        path[from..].join(" ")
    };
    let longest = all.iter().map(Vec::len).max().unwrap_or(1);
    let least = if axes.len() == 1 { 2 } else { 1 };
    let ends = |steps| all.iter().map(|path| end(path, steps)).collect::<Vec<_>>();
    let differ = |names: &Vec<String>| (1..names.len()).all(|at| !names[..at].contains(&names[at]));
    (least..longest).map(ends).find(differ).unwrap_or_else(|| ends(longest))
}

/// A sentence on variants all of whose scores are exactly those of the first; None without any.
fn unchanged(swept: &Swept<'_>) -> Option<String> {
    let is_unchanged = |rows: &[Row]| {
        rows.iter().all(|row| row.comparison.is_some_and(|of| of.difference.value == 0.0))
    };
    let rows = swept.rows.chunk_by(|one, other| one.variant == other.variant);
    let same: Vec<usize> =
        rows.filter(|rows| is_unchanged(rows)).map(|rows| rows[0].variant).collect();
    let (&first, rest) = same.split_first()?;
    let which = match rest {
        [] => names(swept.axes)
            .iter()
            .zip(&swept.values[first])
            .map(|(name, value)| format!("{name} {value}"))
            .collect::<Vec<_>>()
            .join(", "),
        _ => format!("{} variants", whole(same.len() as u64)),
    };
    let has = if rest.is_empty() { "has" } else { "have" };
    Some(format!(
        "{which} {has} exactly the scores of the first variant in these battles. What nobody has, or no rule asks for, \
         changes nothing; other changes can still show in longer runs."
    ))
}

/// Win rate among so many sides, change, adjusted p-value and variance ratio. `brief` leaves room for other columns.
fn figures(row: &Row, brief: bool, sides: usize) -> [String; 4] {
    let wins = if brief { brief_rate(&row.score, sides) } else { rate(&row.score) };
    let Some(Comparison { difference, variance_ratio, .. }) = &row.comparison else {
        return [wins, String::new(), String::new(), String::new()];
    };
    let change = match brief {
        _ if difference.value.is_nan() => "not known".to_owned(),
        true => brief_points(difference),
        false => points(difference),
    };
    let ratio = match variance_ratio {
        ratio if ratio.is_nan() => String::new(),
        ratio if *ratio < 99.95 => format!("{ratio:.1}"),
        ratio => whole(ratio.round() as u64),
    };
    [wins, change, p_value(row.adjusted), ratio]
}

/// Writes how many comparisons are significant, and what significant means.
fn significances(page: &mut Page, compared: Compared, all_sides: bool) {
    let tone = if compared.significant > 0 { Tone::Favoured } else { Tone::NotVisible };
    page.toned(tone, &compared.sentence(all_sides));
    if compared.made == 0 {
        return;
    }
    let these = if compared.unknown == 0 { "all of these" } else { "those that can be made" };
    page.line(&format!(
        "p is adjusted for {these}{} (Holm): where nothing changes, at most one sweep in 20 shows a p below 0.05. ratio is the \
         variance reduction: how many times as many battles independent runs would need to be as precise.",
        if compared.unknown == 0 { " comparisons" } else { "" }
    ));
}

pub(super) fn verdict(page: &mut Page, swept: &Swept<'_>, sides: usize) {
    let compared = Compared::of(swept);
    page.gap();
    if compared.all() == 0 {
        page.toned(Tone::NotVisible, "There is no other variant to compare it with.");
    } else {
        significances(page, compared, is_told(1, sides, swept.measure));
    }
    if let Some(sentence) = unchanged(swept) {
        page.line(&sentence);
    }
    page.toned(Tone::Quiet, INTERVALS);
}

#[cfg(test)]
mod tests {
    use super::names;

    #[test]
    fn axes_are_called_by_what_tells_them_apart() {
        let of =
            |paths: &[&str]| names(&paths.iter().map(|&path| path.to_owned()).collect::<Vec<_>>());
        assert_eq!(of(&["changes.\"Pit Ogre\".health"]), ["Pit Ogre health"]);
        assert_eq!(of(&["rulesets.two", "rulesets.weights.Lost Magic"]), ["two", "Lost Magic"]);
        assert_eq!(
            of(&["characters.0.hp", "characters.1.hp"]),
            ["characters 0 hp", "characters 1 hp"]
        );
        assert_eq!(
            of(&["cards.\"Heavy Swing\".damage", "characters.Guard.hp"]),
            ["Heavy Swing damage", "Guard hp"]
        );
        assert_eq!(of(&["cards.\"Thorn Warden\".attack.0"]), ["Thorn Warden attack 0"]);
        assert_eq!(
            of(&["minions.\"Ember Hound\".effects.0.amount", "rulesets.two"]),
            ["Ember Hound effects 0 amount", "two"]
        );
        assert_eq!(of(&["teams.0.monsters"]), ["teams 0 monsters"]);
        assert_eq!(of(&["two"]), ["two"]);
    }
}
