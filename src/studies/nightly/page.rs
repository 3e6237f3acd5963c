//! The comparison of runs with their baselines, for the terminal; and the texts that it shares with the other
//! formats.

mod headline;

pub(super) use headline::headlines;

use crate::report::figures::{amount, counted, named, points, rate, shift, whole};
use crate::report::page::{Align, Page, Style, Tone, Toned};
use crate::report::{Treatment, forfeited};
use crate::shell::argument;
use crate::statistics::Estimate;
use crate::studies::nightly::{
    Alarm, Change, Comparison, Coverage, FileChange, Leader, Limits, Pair, Quantity, Who,
};
use crate::visible::unbroken;

/// How many alarms are shown in all; more where each scenario's share would be less than [`FEWEST`].
const SHOWN: usize = 12;
/// The fewest alarms that are shown of each scenario that has so many, the largest first.
const FEWEST: usize = 3;
/// How many of the changes that go with an alarm are shown.
const WITH: usize = 3;
/// How many changes of a scenario's files are reported.
const FILE_CHANGES: usize = 8;
/// How many names are listed of items that only the baseline or only the new counts have.
pub(super) const NAMED: usize = 3;
/// The level at which unadjusted p-values are counted.
const UNADJUSTED: f64 = 0.05;

/// A comparison, and what is reported with it.
#[derive(Clone, Copy, Debug)]
pub struct Compared<'a> {
    /// What was compared.
    pub comparison: &'a Comparison,
    /// Battles per second of each pair; empty where nothing was played. Reported, never judged.
    pub speeds: &'a [f64],
    /// The command that writes baselines again, up to the names of their scenarios; empty where there are no
    /// baselines to write.
    pub write_again: &'a str,
}

/// The comparison as a page: first the verdict, then every change that counts, then what was compared.
#[must_use]
pub fn comparison(compared: &Compared<'_>, style: Style) -> String {
    let Compared { comparison, speeds, .. } = *compared;
    let counting = comparison.counting();
    let mut page = Page::new(style);
    let tone = if comparison.is_all_clear() { Tone::Favoured } else { Tone::Against };
    for headline in headlines(comparison) {
        page.toned(tone, &headline);
        page.gap();
    }
    // The headlines have said that something counts.
    page.toned(tone, &regression(comparison).unwrap_or_else(|| verdict(comparison)));
    head(comparison).iter().for_each(|line| page.line(line));
    for note in notes(compared) {
        page.gap();
        page.toned(Tone::Against, &note);
    }
    for (at, pair) in comparison.pairs.iter().enumerate() {
        changes(&mut page, comparison, at, pair);
    }
    page.heading("What was compared");
    pairs(&mut page, comparison, speeds);
    again(comparison).iter().for_each(|line| page.line(line));
    conditions(comparison).iter().for_each(|line| page.line(line));
    page.gap();
    page.line(&rule(comparison));
    page.line(&by_chance(comparison));
    if let Some((visible, command)) = visible(comparison) {
        page.line(&visible);
        // On a line of its own, so that it can be pasted.
        command.iter().for_each(|command| page.command(command));
    }
    if let Some(advice) = advice(compared) {
        page.gap();
        page.line(&advice);
    }
    if !counting.is_empty() {
        page.gap();
        page.toned(Tone::Quiet, INTERVALS);
    }
    if let Some(goes_with) = goes_with(comparison) {
        page.toned(Tone::Quiet, &goes_with);
    }
    page.into_text()
}

/// What the parentheses after an estimate mean.
pub(super) const INTERVALS: &str = "In parentheses: 95% confidence intervals, not adjusted. The p-values are adjusted for all comparisons.";

/// A sentence on the changes that stand under another one, and on those that stand there only because nothing could
/// show otherwise. None where none do.
pub(super) fn goes_with(comparison: &Comparison) -> Option<String> {
    let mut leading = comparison.alarms.iter().filter(|alarm| !alarm.with.is_empty()).peekable();
    leading.peek()?;
    let mut everywhere: Vec<&str> = leading
        .filter(|alarm| alarm.is_everywhere)
        .filter_map(|alarm| match &alarm.leader {
            Leader::Cards(names) => names.first().map(String::as_str),
            Leader::Figure(_) => None,
        })
        .collect();
    everywhere.dedup();
    let mut text = "Below a change, with a +, stand those that go with it: battles without it do not show them.".to_owned();
    if !everywhere.is_empty() {
        text += &format!(
            " Every battle has {}, so nobody can tell whether anything else is behind what stands there.",
            everywhere.join(" and ")
        );
    }
    Some(text)
}

fn changes(page: &mut Page, comparison: &Comparison, at: usize, pair: &Pair) {
    let alarms: Vec<&Alarm> = comparison.alarms.iter().filter(|alarm| alarm.pair == at).collect();
    if alarms.is_empty() {
        return;
    }
    let concerned = (0..comparison.pairs.len())
        .filter(|&at| comparison.alarms.iter().any(|alarm| alarm.pair == at))
        .count();
    let most = (SHOWN / concerned).max(FEWEST);
    let (mut rows, mut tones): (Vec<Vec<String>>, Vec<Toned>) = Default::default();
    for alarm in alarms.iter().take(most) {
        let mut add = |what: String, change: &Change| {
            let [was, is] = [&change.baseline, &change.new].map(|value| level(change, value));
            rows.push(vec![what, format!("{was}\n{is}"), moved(change), p_text(change.adjusted)]);
            // Fewer draws, or a rising mean, favour nobody.
            tones.push(match change.quantity {
                Quantity::Score(_) | Quantity::ContenderScore | Quantity::UnitScore => {
                    Some((2, Tone::of_change(change.difference.value, change.counts)))
                }
                Quantity::Draws
                | Quantity::Undecided
                | Quantity::Mean(_)
                | Quantity::Length
                | Quantity::Order => None,
            });
        };
        add(headline(comparison, alarm), &comparison.changes[alarm.shown]);
        for &with in alarm.with.iter().take(WITH) {
            let change = &comparison.changes[with];
            add(format!("+ {}", what(change, comparison.limits)), change);
        }
        if let Some(more) = more(alarm, WITH) {
            rows.push(vec![format!("+ {more}"), String::new(), String::new(), String::new()]);
            tones.push(None);
        }
    }
    page.heading(&format!("Changes that count: {}", pair.new.scenario));
    page.toned_table(
        &[
            ("what", Align::Left),
            ("baseline, now", Align::Right),
            ("change", Align::Right),
            ("p", Align::Right),
        ],
        rows,
        &tones,
    );
    let hidden = &alarms[alarms.len().min(most)..];
    if hidden.is_empty() && alarms.iter().any(|alarm| more(alarm, WITH).is_some()) {
        page.line("Rows with + go with the one above; `-o FOLDER` and `--json` have every figure.");
    }
    if !hidden.is_empty() {
        let figures: usize = hidden.iter().map(|alarm| 1 + alarm.with.len()).sum();
        let alarms = counted(hidden.len() as u64, "smaller alarm");
        let verb = if hidden.len() == 1 { "is" } else { "are" };
        page.line(&format!(
            "{alarms} ({}) {verb} not shown: `-o FOLDER` and `--json` have every figure.",
            counted(figures as u64, "figure")
        ));
    }
}

/// What the two values of a figure are where battles were played in both.
const TOGETHER: &str = "Both values of a figure are estimated from all battles of the baseline and of now together, because some were \
                        played in both; each by its own battles alone is less certain, and may differ.";

/// Summarises the changes where more than one counts: how many of each kind, which is the largest, and where it
/// cannot be told which of them go together.
pub(super) fn head(comparison: &Comparison) -> Vec<String> {
    let counting = comparison.counting();
    let [first, _, ..] = counting[..] else { return Vec::new() };
    let largest =
        counting.iter().fold(
            first,
            |largest, change| {
                if change.size() > largest.size() { change } else { largest }
            },
        );
    let kinds = KINDS.iter().filter_map(|&(one, many)| {
        let of_kind = comparison.changes.iter().filter(|change| kind(&change.quantity) == one);
        let (all, counts) = of_kind
            .fold((0, 0), |(all, counts), change| (all + 1, counts + u64::from(change.counts)));
        let name = if all == 1 { one } else { many };
        let name = name.replace("score", comparison.limits.measure.figure());
        (counts > 0).then(|| format!("{} of {} {name}", whole(counts), whole(all)))
    });
    let within = match comparison.pairs.len() {
        1 => String::new(),
        _ => format!(" in {}", comparison.pairs[largest.pair].new.scenario),
    };
    let mut lines = vec![format!(
        "What counts: {}. The largest for its tolerance is {}{within}, {}.",
        kinds.collect::<Vec<_>>().join(", "),
        what(largest, comparison.limits),
        moved(largest)
    )];
    for (at, pair) in comparison.pairs.iter().enumerate() {
        let of_units = comparison.alarms.iter().filter(|alarm| {
            alarm.pair == at && comparison.changes[alarm.shown].quantity == Quantity::UnitScore
        });
        let why = match &pair.again {
            None => "no battles were played again with the same dice",
            Some(again) if !again.same_teams => {
                "not the same teams were drawn in the battles that were played again"
            }
            Some(_) => continue,
        };
        let of_units = of_units.count();
        if of_units > 0 && pair.has_several_contenders {
            lines.push(format!(
                "{}: a unit's score is over all contenders that bring it, and changes as well where another one brings it more \
                 often.",
                pair.new.scenario
            ));
        }
        if of_units > 1 {
            lines.push(format!(
                "{}: {why}, so nobody can tell which units changed only beside others: one cause may be behind several alarms.",
                pair.new.scenario
            ));
        }
    }
    lines
}

/// The kinds of figures, each in the singular and the plural.
const KINDS: [(&str, &str); 8] = [
    ("score of a side", "scores of sides"),
    ("score of a contender", "scores of contenders"),
    ("score of a unit", "scores of units"),
    ("share of draws", "shares of draws"),
    ("share of undecided battles", "shares of undecided battles"),
    ("mean of a metric", "means of metrics"),
    ("mean length", "mean lengths"),
    ("share of an order", "shares of orders"),
];

/// The singular of a figure's kind, one of [`KINDS`].
fn kind(quantity: &Quantity) -> &'static str {
    match quantity {
        Quantity::Score(_) => "score of a side",
        Quantity::ContenderScore => "score of a contender",
        Quantity::UnitScore => "score of a unit",
        Quantity::Draws => "share of draws",
        Quantity::Undecided => "share of undecided battles",
        Quantity::Mean(_) => "mean of a metric",
        Quantity::Length => "mean length",
        Quantity::Order => "share of an order",
    }
}

/// The verb for this many changes that count.
pub(super) fn counts(changes: u64) -> &'static str {
    if changes == 1 { "counts" } else { "count" }
}

/// How many more changes go with an alarm than are shown; None where none do.
pub(super) fn more(alarm: &Alarm, shown: usize) -> Option<String> {
    let hidden = alarm.with.len().saturating_sub(shown) as u64;
    (hidden > 0).then(|| format!("{} more", whole(hidden)))
}

/// The headline of an alarm.
pub(super) fn headline(comparison: &Comparison, alarm: &Alarm) -> String {
    let change = &comparison.changes[alarm.shown];
    let what = what(change, comparison.limits);
    match &alarm.leader {
        Leader::Cards(names) => match &change.who {
            Who::Unit(unit) if *names == [unit.name.clone()] => what,
            Who::Unit(_) | Who::Matchup(_) | Who::Contender(_) | Who::All => {
                format!("{} (changed): {what}", names.join(" and "))
            }
        },
        Leader::Figure(_) => what,
    }
}

/// Sentences on the battles that were played again with the same dice.
pub(super) fn again(comparison: &Comparison) -> Vec<String> {
    let mut told = Vec::new();
    let mut alike = (0, 0);
    for pair in &comparison.pairs {
        if pair.unmatched {
            told.push(format!(
                "{}: the battles that its baseline keeps one by one are of other match-ups or have other dice, so none is \
                 compared with itself.",
                pair.new.scenario
            ));
        }
        let Some(again) = &pair.again else { continue };
        if again.otherwise == 0 {
            alike = (alike.0 + 1, alike.1 + again.battles);
            continue;
        }
        let name = &pair.new.scenario;
        let (battles, end) = match again.battles {
            1 => ("the only battle".to_owned(), "ends"),
            several => (format!("the {} battles", whole(several)), "end"),
        };
        let share = 100.0 * again.ended_otherwise as f64 / again.battles as f64;
        let mut line = match again.ended_otherwise {
            1 if again.battles == 1 => {
                format!("{name}: {battles} played again with the same dice ends otherwise.")
            }
            0 => format!(
                "{name}: {battles} played again with the same dice {end} as before, and {} {} in length or metrics.",
                whole(again.otherwise),
                if again.otherwise == 1 { "differs" } else { "differ" }
            ),
            some => format!(
                "{name}: {} of {battles} played again with the same dice ({share:.1}%) {} otherwise.",
                whole(some),
                if some == 1 { "ends" } else { "end" }
            ),
        };
        if !again.same_teams {
            line += " Not the same teams were drawn, so cards are compared by fresh battles alone.";
        }
        told.push(line);
    }
    if alike.0 > 0 {
        let all = alike.0 == comparison.pairs.len();
        let which = match all {
            true => String::new(),
            false => format!(" of {}", counted(alike.0 as u64, "scenario")),
        };
        let (battles, [were, end, last, have]) = match alike.1 {
            1 => ("The only battle".to_owned(), ["was", "ends", "lasts", "has"]),
            several => (format!("All {} battles", whole(several)), ["were", "end", "last", "have"]),
        };
        told.insert(
            0,
            format!(
                "{battles}{which} that {were} played again with the same dice {end} as before, {last} as long and {have} the \
                 same metrics."
            ),
        );
    }
    told
}

fn pairs(page: &mut Page, comparison: &Comparison, speeds: &[f64]) {
    let rows = comparison.pairs.iter().enumerate().map(|(at, pair)| {
        let counting = comparison.changes.iter().filter(|c| c.pair == at && c.counts).count();
        let mut row = vec![
            // A line break in a cell would break the line on the page.
            unbroken(&pair.new.scenario).into_owned(),
            whole(pair.new.battles_played),
            whole(pair.compared as u64),
            whole(counting as u64),
        ];
        row.extend(speeds.get(at).map(|speed| whole(speed.round() as u64)));
        row
    });
    let mut columns = vec![
        ("scenario", Align::Left),
        ("battles", Align::Right),
        ("compared", Align::Right),
        ("count", Align::Right),
    ];
    columns.extend((!speeds.is_empty()).then_some(("battles/s", Align::Right)));
    page.table(&columns, rows.collect());
    if !speeds.is_empty()
        && let Some(seed) = common_seed(comparison)
    {
        page.line(&format!(
            "Everything was played with seed {seed}; `--seed {seed}` plays it again."
        ));
    }
}

/// The seed that all new runs have in common; None where they have different ones.
fn common_seed(comparison: &Comparison) -> Option<u64> {
    let mut seeds = comparison.pairs.iter().map(|pair| pair.new.seed);
    let first = seeds.next()?;
    seeds.all(|seed| seed == first).then_some(first)
}

/// The verdict: whether any change counts.
pub(super) fn verdict(comparison: &Comparison) -> String {
    let all = comparison.changes.len() as u64;
    let counting = comparison.counting().len();
    let all_of = counted(all, "comparison");
    let unplayed = comparison.coverage.as_ref().and_then(Coverage::unplayed_in_words);
    if let Some(unplayed) = unplayed.filter(|_| counting == 0) {
        let rest = match all {
            0 => "nothing was compared".to_owned(),
            1 => "the only comparison of what was played does not count".to_owned(),
            _ => format!("none of {all_of} of what was played counts"),
        };
        return format!("No verdict: {unplayed}; {rest}.");
    }
    if let Some(regression) = regression(comparison) {
        return format!("Balance {}: {regression}", noun(comparison));
    }
    let none = format!("No balance {} is visible", noun(comparison));
    match all {
        0 => format!("{none}, but nothing was compared: nothing varies, or too little was played."),
        1 => format!("{none}: the only comparison does not count."),
        _ => format!("{none}: none of {all_of} counts."),
    }
}

/// What a change of balance is called: a card file is changed on purpose.
pub(super) fn noun(comparison: &Comparison) -> &'static str {
    if comparison.coverage.is_some() { "change" } else { "regression" }
}

/// How many comparisons count, and how many of them go with others; None where none does.
fn regression(comparison: &Comparison) -> Option<String> {
    let counting = comparison.counting().len() as u64;
    let all_of = counted(comparison.changes.len() as u64, "comparison");
    let (verb, some) = (counts(counting), whole(counting));
    Some(match comparison.alarms.len() as u64 {
        0 => return None,
        alarms if alarms == counting => format!("{some} of {all_of} {verb}."),
        1 => format!("{some} of {all_of} {verb}, and all go with one of them."),
        alarms => format!(
            "{some} of {all_of} {verb}, {} of them alongside the other {}.",
            whole(counting - alarms),
            whole(alarms)
        ),
    })
}

/// Warnings about taking the verdict as it is, the most important first.
pub(super) fn notes(compared: &Compared<'_>) -> Vec<String> {
    let pairs = &compared.comparison.pairs;
    let coverage = compared.comparison.coverage.iter();
    let mut notes: Vec<String> = coverage.flat_map(Coverage::notes).collect();
    if compared.comparison.changes.iter().any(|change| change.paired > 0) {
        notes.push(TOGETHER.to_owned());
    }
    for pair in pairs.iter().filter(|pair| pair.scenario_changed()) {
        let (owner, name) = (&pair.baseline.scenario, &pair.new.scenario);
        let write_again = format!("`{} {}`", compared.write_again, argument(name));
        notes.push(match owner == name {
            true => format!(
                "The scenario changed: {name}, or a file that it reads, is not what its baseline was written for, so \
                 changes may be due to that. If they are meant, write the baseline again: {write_again}."
            ),
            false => format!(
                "The baseline is that of {owner}, and {name} is not what it was written for, so changes may be due to that. \
                 Where {name} has taken its place, remove the baseline and write it again: {write_again}. Where it is another \
                 scenario, rename one of the two, or give it another folder with `--baseline`."
            ),
        });
        let told: Vec<String> =
            pair.files.iter().take(FILE_CHANGES).map(FileChange::told).collect();
        if !told.is_empty() {
            let hidden = pair.files.len().saturating_sub(FILE_CHANGES) as u64;
            let more = if hidden > 0 { format!("; {} more", whole(hidden)) } else { String::new() };
            notes.push(format!("Changed in its files: {}{more}.", told.join("; ")));
        } else if pair.baseline_knows_files {
            notes.push("Nothing that takes part was changed in its files.".to_owned());
        }
    }
    for pair in pairs {
        let name = &pair.new.scenario;
        let [old, new] = match pair.is_of_files {
            true => ["the first file", "the second file"],
            false => ["the baseline", "the new run"],
        };
        for (only, list) in [(old, &pair.gone), (new, &pair.added)] {
            if !list.is_empty() {
                notes.push(format!("{name}: {} in {only} alone.", named(list, NAMED)));
            }
        }
        let [before, now] = &pair.only_drawn;
        let [of_old, of_new] = match pair.is_of_files {
            true => [
                ("battles with the first file", "nothing brings them to those with the second"),
                ("battles with the second file", "nothing brought them to those with the first"),
            ],
            false => [
                ("the baseline", "nothing brings them to the new run any more"),
                ("the new run", "nothing brought them to the baseline"),
            ],
        };
        for ((only, why), list) in [(of_old, before), (of_new, now)] {
            if !list.is_empty() {
                notes.push(format!(
                    "{name}: {} took part in {only} alone, by chance or because {why}.",
                    named(list, NAMED)
                ));
            }
        }
    }
    for pair in pairs.iter().filter(|pair| pair.same_dice()) {
        notes.push(format!(
            "{}: played with the seed of its baseline, {}. With the same random numbers the two are not independent; take another seed.",
            pair.new.scenario, pair.new.seed
        ));
    }
    notes
}

/// The rule by which a change counts.
pub(super) fn rule(comparison: &Comparison) -> String {
    let percent = |share: f64| ((share * 1e6).round() / 1e4).to_string();
    let limits = comparison.limits;
    format!(
        "A change counts if it is significant after Holm's adjustment for all comparisons together (family-wise error \
         rate {}%) and larger than {} percentage points; for a metric, larger than {}% of its \
         standard deviation.",
        percent(limits.alarm_rate),
        percent(limits.tolerance),
        percent(2.0 * limits.tolerance)
    )
}

/// How many of so many p-values chance alone puts below [`UNADJUSTED`] on average, at most. A bound is rounded up.
fn expected_by_chance(comparisons: usize) -> String {
    /// More than what rounding adds to a whole number.
    const ROUNDING: f64 = 1e-9;
    let expected = UNADJUSTED * comparisons as f64 - ROUNDING;
    match expected < 1.0 - 2.0 * ROUNDING {
        true => "fewer than one".to_owned(),
        false => format!("at most {}", whole(expected.ceil() as u64)),
    }
}

/// What chance alone would have shown, and how many figures were too rare to be compared.
pub(super) fn by_chance(comparison: &Comparison) -> String {
    let by_chance = expected_by_chance(comparison.changes.len());
    let below = comparison.below(UNADJUSTED) as u64;
    let mut text = format!(
        "Before the adjustment {} p-value{} below {}%; if nothing had changed, chance alone would give {by_chance} on average.",
        whole(below),
        if below == 1 { " is" } else { "s are" },
        100.0 * UNADJUSTED
    );
    let tolerated = comparison.tolerated() as u64;
    if tolerated > 0 {
        let verb = if tolerated == 1 { "is" } else { "are" };
        let changes = counted(tolerated, "change");
        text.push_str(&format!(" {changes} {verb} significant but within the tolerance."));
    }
    let too_few: usize = comparison.pairs.iter().map(|pair| pair.too_few).sum();
    if too_few > 0 {
        text.push_str(&format!(" Too rare to be compared: {}.", whole(too_few as u64)));
    }
    text
}

/// Under which conditions two card files were played, and for each scenario how choices are made in the battles behind
/// the figures, and how many of the new battles are forfeits.
pub(super) fn conditions(comparison: &Comparison) -> Vec<String> {
    let mut told: Vec<String> = comparison.coverage.iter().map(Coverage::in_words).collect();
    for pair in &comparison.pairs {
        if let Some(choices) = &pair.new.choices {
            told.push(format!("{}: {}", pair.new.scenario, choices));
        }
        let forfeits = forfeited(&pair.forfeits, Treatment::Scored, None);
        told.extend(forfeits.map(|forfeits| format!("{}: {forfeits}", pair.new.scenario)));
    }
    told
}

/// The smallest change that fresh battles could have shown, and the command, if there is one, that says with how many battles
/// a smaller one can be shown.
pub(super) fn visible(comparison: &Comparison) -> Option<(String, Option<String>)> {
    let of = |at: usize| {
        let of_matchups = comparison.visible(at, |of| matches!(of, Quantity::Score(_)))?;
        let of_units = comparison.visible(at, |of| matches!(of, Quantity::UnitScore));
        let units = of_units.map_or_else(String::new, |range| {
            format!(" (of a unit's: {})", points_from(range, ""))
        });
        let range = points_from(of_matchups, " points");
        let comma = if of_matchups[1].is_finite() { "" } else { "," };
        let name = &*comparison.pairs[at].new.scenario;
        Some((format!("{range}{comma} in {name}{units}"), name))
    };
    let (list, names): (Vec<String>, Vec<&str>) =
        (0..comparison.pairs.len()).filter_map(of).unzip();
    let first = names.first()?;
    let again = match comparison.changes.iter().any(|change| change.paired > 0) {
        true => {
            " Battles that were played again show smaller ones where few of them end otherwise."
        }
        false => "",
    };
    // Two card files are no scenario that could be planned.
    let command = comparison.coverage.is_none();
    let more = if command { " More fresh ones show smaller changes, too:" } else { "" };
    Some((
        format!(
            "The smallest change of a match-up's {} that fresh battles show by themselves in at least 80% of cases: {}.{again}{more}",
            comparison.limits.measure.figure(),
            list.join(", "),
        ),
        command.then(|| format!("evens plan {} --comparison change", argument(first))),
    ))
}

/// The smallest and the largest of some changes in points; those that no change is large enough for are infinite.
fn points_from([smallest, largest]: [f64; 2], unit: &str) -> String {
    let [least, most] = [smallest, largest].map(|share| format!("{:.2}", 100.0 * share));
    match (smallest.is_finite(), largest.is_finite()) {
        (true, true) if least == most => format!("{least}{unit}"),
        (true, true) => format!("{least} to {most}{unit}"),
        (true, false) => format!("from {least}{unit} to none, however large"),
        (false, _) => "none, however large".to_owned(),
    }
}

/// A sentence with the command that it ends with, if there is one, where both are one paragraph.
pub(super) fn with_command(text: String, command: Option<String>) -> String {
    match command {
        Some(command) => format!("{text} `{command}`."),
        None => text,
    }
}

/// What to do about changes that count, unless a note already says it.
pub(super) fn advice(compared: &Compared<'_>) -> Option<String> {
    let Compared { comparison, write_again, .. } = compared;
    let concerned = |at: usize| comparison.changes.iter().any(|c| c.pair == at && c.counts);
    let names: Vec<String> = (0..comparison.pairs.len())
        .filter(|&at| concerned(at) && !comparison.pairs[at].scenario_changed())
        .map(|at| argument(&comparison.pairs[at].new.scenario))
        .collect();
    (!names.is_empty() && !write_again.is_empty()).then(|| {
        format!(
            "If the changes are meant, write the baselines again: `{write_again} {}`.",
            names.join(" ")
        )
    })
}

/// A change's subject and figure, in a few words.
pub(super) fn what(change: &Change, limits: Limits) -> String {
    let (subject, figure) = (&change.subject, limits.measure.figure());
    match &change.quantity {
        Quantity::Score(side) => format!("{subject}: {figure} of {side}"),
        Quantity::Draws => format!("{subject}: drawn"),
        Quantity::Undecided => format!("{subject}: undecided"),
        Quantity::ContenderScore => format!("{subject}: {figure}, over all its match-ups"),
        Quantity::UnitScore => format!("{subject}: {figure} of its side"),
        Quantity::Mean(metric) => format!("{subject}: {metric}, mean"),
        Quantity::Length => format!("{subject}: length, mean"),
        Quantity::Order => format!("{subject}: share of the battles"),
    }
}

/// One of the two values of a change, in the format of its figure.
pub(super) fn level(change: &Change, value: &Estimate) -> String {
    if change.quantity.is_rate() { rate(value) } else { amount(value) }
}

/// The difference of a change, in the format of its figure.
pub(super) fn moved(change: &Change) -> String {
    let difference = &change.difference;
    if change.quantity.is_rate() { points(difference) } else { shift(difference) }
}

/// A p-value as text.
pub(super) fn p_text(p_value: f64) -> String {
    if p_value < 0.0001 { "<0.0001".to_owned() } else { format!("{p_value:.4}") }
}

#[cfg(test)]
mod tests;
