//! The HTML report of the strongest line-ups.

use super::page::{Answer, legend, looked_at, no_mix, verdict, verdict_of_mix};
use super::tables::{BestTable, table};
use crate::report::html::{
    Axis, Draft, Drawn, FORMAT, Figure, Mark, Notes, Said, Seen, Step, Unit, counts, detail, one,
    room, title,
};
use crate::report::page::paragraphs;
use crate::shell::command_on;
use crate::table::Provenance;

/// Drafts the HTML report of a search.
#[must_use]
pub fn best(
    answer: &Answer<'_>,
    provenance: &Provenance,
    question: Option<&str>,
    command: String,
) -> Draft {
    let Answer { space, best, metagame, .. } = answer;
    let mut said = paragraphs(|page| verdict(page, answer)).into_iter();
    let headline = said.next().unwrap_or_default();
    let even = |sides: u32| 1.0 / f64::from(sides);
    let found = best.teams.first().is_some_and(|team| team.score.low > even(team.results.sides));
    let mut notes = Notes {
        format: FORMAT,
        study: "best".to_owned(),
        question: question.map(str::to_owned),
        answer: vec![Said::found(found, headline.clone())],
        intervals: paragraphs(|page| legend(page, answer)).join(" "),
        command,
        ..Notes::default()
    };
    notes.answer.extend(said.map(Said::plain));
    notes.answer.extend(looked_at(answer, provenance).into_iter().map(Said::plain));
    if let Some(metagame) = metagame {
        let (closed, text) = verdict_of_mix(metagame, space.noun());
        notes.answer.push(Said::found(closed, text));
    }
    if answer.ended_early {
        notes.answer.push(Said::plain(no_mix(answer)));
    }
    if metagame.is_none() {
        notes.next.push(Step {
            text: "What holds against these".to_owned(),
            command: format!("{} --metagame", command_on("best", &provenance.scenario)),
        });
    }
    let mut details = counts(&[("battles", "fresh battles")]);
    details.push(detail("behind", "behind the first", Unit::Points));
    let mut figure = Figure {
        id: "line-ups".to_owned(),
        judged: true,
        name: "Strongest line-ups".to_owned(),
        title: title(&headline),
        about: "Each line-up by its score in fresh battles, with intervals that hold together. In colour: visibly more or less \
                than even."
            .to_owned(),
        table: BestTable::BestLineUps.to_string(),
        series: one("score", "score"),
        axis: Axis {
            label: "score".to_owned(),
            even: best.teams.first().map(|team| even(team.results.sides)),
            ..Axis::default()
        },
        details,
        ..Figure::default()
    };
    let mark = |(row, team): (usize, &super::results::Team)| {
        let half = even(team.results.sides);
        let is_visible = team.score.low > half || team.score.high < half;
        Mark {
            row,
            label: team.told.clone(),
            seen: Seen::of(is_visible, team.score.value - half),
            ..Mark::default()
        }
    };
    room(&mut figure, best.teams.iter().enumerate().map(mark).collect());
    notes.figures.push(figure);
    let mut tables = vec![Drawn::whole(table(BestTable::BestLineUps, *space, best, *metagame))];
    if let Some(metagame) = metagame {
        let mut figure = Figure {
            id: "mix".to_owned(),
            name: "The mix".to_owned(),
            title: match metagame.closed {
                true => "The mix that nothing that was found beats".to_owned(),
                false => "The mix of what was found, which is not closed".to_owned(),
            },
            about: "The share of each line-up in the mixed equilibrium. Intervals say how far the battles between them leave it \
                    open (bootstrap)."
                .to_owned(),
            table: BestTable::Metagame.to_string(),
            series: one("share", "share"),
            axis: Axis { label: "share of the mix".to_owned(), ..Axis::default() },
            details: vec![detail("most_even_share", "in the most even mix", Unit::Percent)],
            ..Figure::default()
        };
        let mark = |(row, member): (usize, &super::metagame::Member)| Mark {
            row,
            label: member.told.clone(),
            ..Mark::default()
        };
        room(&mut figure, metagame.members.iter().enumerate().map(mark).collect());
        notes.figures.push(figure);
        tables.push(Drawn::whole(table(BestTable::Metagame, *space, best, Some(metagame))));
    }
    Draft { notes, tables }
}
