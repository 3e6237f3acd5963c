//! What players choose.

use evens::games::solforge::ability::{Choice, Pick};
use evens::games::solforge::cards::vocabulary::{Choosable, SideForm};
use evens::games::solforge::rolls::Roll;

use super::game::{Game, Mark, Waiting};
use super::table::{Space, side};

/// Something chosen, as it was then.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Chosen {
    Creature(Mark),
    Player(usize),
    Free(Space),
    Card(usize),
}

impl Game<'_> {
    /// What can be chosen.
    pub fn options(&self, choice: &Choice, from: Mark) -> Vec<Chosen> {
        let creatures = self.those(&choice.from, from, &[]);
        let creatures = creatures.into_iter().map(|space| Chosen::Creature(self.mark(space)));
        let own = from.space.0;
        match choice.what {
            Choosable::Creature => creatures.collect(),
            Choosable::CreatureOrPlayer => {
                // "May not aim at its own player": players are options as creatures of their side are.
                let meant = |&of: &usize| match choice.from.side {
                    SideForm::Any => true,
                    SideForm::Friend => of == own,
                    SideForm::Enemy => of != own,
                };
                let players = [1 - own, own].into_iter().filter(meant).map(Chosen::Player);
                creatures.chain(players).collect()
            }
            Choosable::FreeSpace => {
                let lanes = self.table.free_lanes(own).into_iter();
                lanes.map(|lane| Chosen::Free((own, lane))).collect()
            }
            Choosable::CardInHand => {
                (0..self.table.players[own].hand.len()).map(Chosen::Card).collect()
            }
        }
    }

    /// The player of the ability chooses: the first possible of the answers, anything without one.
    /// Up to so many: with one chosen, the others may be left (Decisions).
    pub fn choose(&mut self, choice: &Choice, of: &Waiting, chosen: Vec<Chosen>) -> Vec<Chosen> {
        let mut options = self.options(choice, of.source);
        options.retain(|option| !chosen.contains(option));
        let mut chosen = chosen;
        let card = self.cards.form(of.source.form).card;
        while chosen.len() < usize::from(choice.count) && !options.is_empty() {
            let may_stop = choice.may || !chosen.is_empty();
            let answers = &self.answers[of.source.space.0];
            let wanted = answers.iter().filter(|(of, _)| *of == card).flat_map(|(_, all)| all);
            let found = wanted.copied().find_map(|pick| match pick {
                Pick::Nothing => may_stop.then_some(None),
                pick => options.iter().position(|&option| is_same(option, pick)).map(Some),
            });
            let at = match found {
                Some(at) => at,
                None => {
                    let at = self.dice.pick(Roll::Choice, options.len() + usize::from(may_stop));
                    (at < options.len()).then_some(at)
                }
            };
            let Some(at) = at else { break };
            chosen.push(options.remove(at));
        }
        chosen
    }
}

/// Whether an answer means an option; a space may be a creature's or a free one.
pub fn is_same(option: Chosen, wanted: Pick) -> bool {
    match (option, wanted) {
        (Chosen::Creature(mark), Pick::Creature(of, lane)) => {
            (side(mark.space.0), mark.space.1) == (of, usize::from(lane))
        }
        (Chosen::Free(space), Pick::Creature(of, lane) | Pick::Space(of, lane)) => {
            (side(space.0), space.1) == (of, usize::from(lane))
        }
        (Chosen::Player(own), Pick::Player(of)) => side(own) == of,
        (Chosen::Card(at), Pick::Card(of)) => at == usize::from(of),
        _ => false,
    }
}
