//! The HTML report of a sweep: its sentences and figures.

use super::common::{Common, Compared};
use super::page::{FEW, Swept, crossing, how, names, rows_of, verdict};
use super::results::is_told;
use super::{Design, Played, Row, Setups, table};
use crate::game::Side;
use crate::report::ALARM;
use crate::report::figures::{capital, points, rate, whole};
use crate::report::html::{
    Axis, Draft, Drawn, FORMAT, Figure, Live, LiveAim, LiveArm, LiveContender, Mark, Notes, Preset,
    Said, ScenarioText, Seen, Step, Unit, Whose, counts, detail, one, room, title,
};
use crate::report::page::paragraphs;
use crate::shell::command_on;
use crate::statistics::{Frame, Level};
use crate::studies::evenness::{FACTOR, Objective, Who, contenders};
use crate::studies::live;
use crate::table::{LEVEL, Provenance};
use crate::tally::OutcomeMeasure;

/// The largest number of variants offered as presets of live weights: a longer list is of no use to anyone.
const MOST_PRESETS: usize = 200;

/// The most bytes that scenarios of variants may take in a page, beside that of the report.
const MOST_TEXT: usize = 100_000;

/// Drafts the HTML report of a sweep.
#[must_use]
pub fn report(
    swept: &Swept<'_>,
    provenance: &Provenance,
    question: Option<&str>,
    command: String,
    scenario: Option<ScenarioText>,
    live: Option<Live>,
) -> Draft {
    let sides = swept.members[0].matchups[0].contenders.len();
    let told = |row: &&Row| is_told(row.side, sides, swept.measure);
    let compared = Compared::of(swept);
    let significant = compared.significant;
    let mut said = paragraphs(|page| verdict(page, swept, sides)).into_iter();
    let headline = said.next().unwrap_or_default();
    let intervals = said.next_back().unwrap_or_default();
    let mut notes = Notes {
        format: FORMAT,
        study: "sweep".to_owned(),
        question: question.map(str::to_owned),
        answer: std::iter::once(Said::found(significant > 0, headline))
            .chain(crossings(swept, sides).into_iter().map(Said::plain))
            .chain(how(swept, provenance).into_iter().map(Said::plain))
            .collect(),
        intervals: said.chain(std::iter::once(intervals)).collect::<Vec<_>>().join(" "),
        command,
        scenario,
        live,
        ..Notes::default()
    };
    let told: Vec<usize> = (0..swept.rows.len()).filter(|&at| told(&&swept.rows[at])).collect();
    let size = |row: &Row| row.comparison.map_or(0.0, |found| found.difference.value.abs());
    let largest = told
        .iter()
        .map(|&at| &swept.rows[at])
        .filter(|row| row.adjusted < ALARM)
        .max_by(|a, b| size(a).total_cmp(&size(b)));
    let sentence = largest.and_then(|row| {
        let row = row.at_level(LEVEL.of_chosen(1, compared.made));
        let found = row.comparison?;
        let of_all = match significant {
            1 => "the only significant change".to_owned(),
            several => format!(
                "the largest of {} significant changes; intervals allow for the choice",
                whole(several as u64)
            ),
        };
        let matchup = &swept.members[row.variant].matchups[row.matchup];
        let against = match (swept.members[row.variant].matchups.len(), sides) {
            (1, _) => String::new(),
            (_, 2) => format!(" against {}", matchup.contenders[1 - row.side]),
            _ => format!(" as side {} in {}", Side(row.side as u8), matchup.label()),
        };
        Some(format!(
            "With {} {} {} {}{against}, which is {} compared with the first variant ({of_all}).",
            label(swept, row.variant),
            matchup.contenders[row.side],
            swept.measure.verb(),
            rate(&row.score),
            points(&found.difference),
        ))
    });
    notes.matters.extend(sentence.clone());
    notes.next.push(Step {
        text:
            "How many battles smaller changes take in runs of their own (the same dice take fewer)"
                .to_owned(),
        command: format!(
            "{} --comparison change --detect 1pp",
            command_on("plan", &provenance.scenario)
        ),
    });
    let marks = |only_compared: bool| -> Vec<Mark> {
        told.iter()
            .filter(|&&at| !only_compared || swept.rows[at].comparison.is_some())
            .map(|&at| {
                let row = &swept.rows[at];
                let difference = row.comparison.map_or(0.0, |found| found.difference.value);
                Mark {
                    row: at,
                    label: label(swept, row.variant),
                    group: place(swept, row),
                    seen: match row.comparison {
                        Some(_) => Seen::of(row.adjusted < ALARM, difference),
                        None => Seen::First,
                    },
                    ..Mark::default()
                }
            })
            .collect()
    };
    let measure = swept.measure;
    let even = (measure == OutcomeMeasure::Score)
        .then(|| OutcomeMeasure::even(swept.members[0].matchups[0].contenders.len()));
    // In a duel only the score of side A is told, in whichever match-up.
    let whose = match (&swept.members[0].matchups[..], is_told(1, sides, measure)) {
        ([only], false) => format!("{} of {} as side A", measure.figure(), only.contenders[0]),
        (_, false) => format!("side A's {}", measure.figure()),
        (_, true) => format!("the side's {}", measure.figure()),
    };
    let the = if whose.starts_with(measure.figure()) { "the " } else { "" };
    let group = largest.map(|row| place(swept, row)).unwrap_or_default();
    let none = || compared.none_is_significant().to_owned();
    let mut details = counts(&[("battles", "battles")]);
    details.push(detail("difference", "change", Unit::Points));
    details.push(detail("p_adjusted", "adjusted p", Unit::P));
    details.push(detail("variance_ratio", "variance reduction", Unit::Number));
    let mut figure = Figure {
        id: "variants".to_owned(),
        judged: true,
        name: "Variants".to_owned(),
        title: sentence.as_deref().map_or_else(none, title),
        about: format!(
            "Each variant by {}, with 95% confidence intervals. {}: {}. In blue or orange: significantly different from the first variant, \
             adjusted for all comparisons (Holm).",
            names(swept.axes).join(", "),
            capital(measure.figure()),
            measure.meaning(),
        ),
        table: "sweep".to_owned(),
        series: one(measure.column(), measure.noun()),
        axis: Axis { label: whose.clone(), even, ..Axis::default() },
        group_noun: "match-up".to_owned(),
        group: group.clone(),
        details: details.clone(),
        ..Figure::default()
    };
    room(&mut figure, marks(false));
    notes.figures.push(figure);
    let mut figure = Figure {
        id: "changes".to_owned(),
        judged: true,
        name: "Changes".to_owned(),
        title: title(&notes.answer[0].text),
        about: format!(
            "What each variant has more than the first one, from {}, with 95% confidence intervals. In colour: significant, \
             adjusted for all comparisons (Holm).",
            Common::of(swept.members).battles(swept.arms)
        ),
        table: "sweep".to_owned(),
        series: one("difference", "change"),
        axis: Axis {
            label: format!("change of {the}{whose}"),
            unit: Unit::Points,
            even: Some(0.0),
            logarithmic: false,
        },
        group_noun: "match-up".to_owned(),
        group,
        details: {
            details[1] = detail(measure.column(), measure.noun(), Unit::Percent);
            details
        },
        ..Figure::default()
    };
    room(&mut figure, marks(true));
    if !figure.marks.is_empty() {
        notes.figures.push(figure);
    }
    let table = table(swept.axes, swept.values, swept.members, swept.rows, measure);
    Draft { notes, tables: vec![Drawn::whole(table)] }
}

/// The sentences on where the axis makes a side even, by match-up and side where there are several; none where the page
/// shows only the largest changes.
fn crossings(swept: &Swept<'_>, sides: usize) -> Vec<String> {
    let matchups = swept.members[0].matchups.len();
    if matchups > FEW {
        return Vec::new();
    }
    let told = || (0..sides).filter(|&side| is_told(side, sides, swept.measure));
    let is_alone = matchups == 1 && told().count() == 1;
    let of = (0..matchups).flat_map(|matchup| told().map(move |side| (matchup, side)));
    of.filter_map(|(matchup, side)| {
        let rows = rows_of(swept, matchup, side);
        let text = crossing(swept, &rows)?;
        Some(if is_alone { text } else { format!("{}: {text}", place(swept, rows[0])) })
    })
    .collect()
}

fn label(swept: &Swept<'_>, variant: usize) -> String {
    let named = names(swept.axes).into_iter().zip(&swept.values[variant]);
    named.map(|(name, value)| format!("{name} {value}")).collect::<Vec<_>>().join(", ")
}

fn place(swept: &Swept<'_>, row: &Row) -> String {
    let matchup = &swept.members[0].matchups[row.matchup];
    match is_told(1, matchup.contenders.len(), swept.measure) {
        false => matchup.label(),
        true => format!("{}, side {}", matchup.label(), Side(row.side as u8)),
    }
}

/// The data for changing weights in the page. None where it would be too much, or where one frame does not describe how
/// all variants are drawn.
#[must_use]
pub fn live(
    setups: &Setups,
    design: &Design<'_>,
    played: &Played,
    values: &[Vec<String>],
    axes: &[String],
    level: Level,
    texts: &Texts<'_>,
) -> Option<Live> {
    let first = &design.arms[0];
    let (model, layout) = (first.engine.draw_model()?, first.engine.layout());
    let mut frame = live::frame(model, layout)?;
    if live::is_too_large(design.arms.len() * layout.strata(), design.sides) {
        return None;
    }
    let alike = |frame: &Frame, other: &Frame| {
        (&frame.names, frame.pair, &frame.seconds) == (&other.names, other.pair, &other.seconds)
    };
    // The index in the design of each condition of the first arm; None where no variant needs it.
    let mut places = vec![None; frame.conditions.len()];
    for (condition, own) in first.conditions.iter().enumerate() {
        if let Some(own) = own {
            places[*own as usize] = Some(condition);
        }
    }
    let mut arms = Vec::new();
    for (number, arm) in design.arms.iter().enumerate() {
        let own = live::frame(arm.engine.draw_model()?, arm.engine.layout())?;
        if !alike(&frame, &own) {
            return None;
        }
        arms.push(of_arm(design, played, number, &places));
    }
    let mut scenarios = Vec::new();
    let variants = setups.variants.iter().take(MOST_PRESETS);
    let presets = variants.enumerate().map(|(variant, one)| {
        let (weights, two) = one.drawn.clone()?;
        let named = axes.len().min(values[variant].len());
        let name = names(axes)
            .into_iter()
            .zip(&values[variant])
            .take(named)
            .map(|(name, value)| format!("{name} {value}"))
            .collect::<Vec<_>>()
            .join(", ");
        let scenario = texts.whose(variant, &mut scenarios);
        Some(Preset { name, arm: design.members[variant].arm, weights, two, scenario })
    });
    let presets: Vec<Preset> = presets.collect::<Option<_>>()?;
    frame.weights.clone_from(&presets[0].weights);
    frame.two = presets[0].two;
    let ranges = frame.weights.iter().map(|&weight| [weight / FACTOR, weight * FACTOR]).collect();
    let contenders = contenders(layout).into_iter().map(|of| {
        let places = match of.who {
            Who::Sides(places) => {
                places.into_iter().map(|(matchup, side)| [matchup, side]).collect()
            }
            Who::Unit(_) => Vec::new(),
        };
        LiveContender { name: of.name, target: of.target, places, cells: Vec::new() }
    });
    Some(Live {
        noun: layout.factor_noun.to_owned(),
        measure: design.measure.noun().to_owned(),
        sides: design.sides,
        z: level.z(),
        confidence: level.confidence(),
        unwon: live::unwon(design.measure).to_owned(),
        arms,
        presets,
        scenarios,
        contenders: contenders.collect(),
        aim: LiveAim {
            objective: Objective::Squares.name().to_owned(),
            ranges,
            rarest: 0.0,
            price: 0.0,
        },
        frame,
    })
}

/// The scenarios behind the variants of a sweep.
pub struct Texts<'t> {
    /// That of the report.
    pub own: Option<&'t ScenarioText>,
    /// That of a variant, by its number; None where it cannot be put together with other weights.
    pub of_variant: &'t dyn Fn(usize) -> Option<ScenarioText>,
}

impl Texts<'_> {
    /// Whose scenario a variant's weights belong to: the report's where nothing else is other, one of `others`, which it
    /// joins where there is room for it, or none.
    fn whose(&self, variant: usize, others: &mut Vec<ScenarioText>) -> Whose {
        let text = match (self.own, (self.of_variant)(variant)) {
            (None, None) => return Whose::Own,
            (Some(_), None) => return Whose::LeftOut,
            (_, Some(text)) => text,
        };
        let is_like =
            |other: &ScenarioText| (&other.head, &other.drawn) == (&text.head, &text.drawn);
        if self.own.is_some_and(is_like) {
            return Whose::Own;
        }
        if let Some(at) = others.iter().position(is_like) {
            return Whose::Other(at);
        }
        let size = |text: &ScenarioText| text.head.len() + text.drawn.len();
        if others.iter().map(size).sum::<usize>() + size(&text) > MOST_TEXT {
            return Whose::LeftOut;
        }
        others.push(text);
        Whose::Other(others.len() - 1)
    }
}

fn of_arm(
    design: &Design<'_>,
    played: &Played,
    number: usize,
    places: &[Option<usize>],
) -> LiveArm {
    let arm = &design.arms[number];
    let owner = design.members.iter().find(|member| member.arm == number);
    let matchups = owner.map_or(&[][..], |member| &member.matchups);
    let mut of = LiveArm {
        matchups: matchups.iter().map(|matchup| matchup.contenders.clone()).collect(),
        battles: Vec::new(),
        wins: Vec::new(),
    };
    let sides = design.sides as u64;
    for matchup in 0..design.matchups {
        for place in places {
            let played_here = place.filter(|&condition| arm.conditions[condition].is_some());
            let stratum = played_here.map(|condition| matchup * design.conditions() + condition);
            of.battles.push(stratum.map_or(0, |stratum| played.tally.battles(stratum)));
            for side in 0..design.sides {
                // A win counts as many points as there are sides, a shared battle 1, so wins follow from points and
                // squares.
                of.wins.push(stratum.map_or(0, |stratum| {
                    let fared = played.tally.fared(number, stratum, side);
                    (fared.squares - fared.points) / (sides * sides - sides)
                }));
            }
        }
    }
    of
}
