//! Choices of players.

use evens::games::solforge::ability::{Ability, Choice, Pick};
use evens::games::solforge::cards::vocabulary::{Choosable, SideForm};
use evens::games::solforge::rolls::Roll;

use super::game::{Game, Mark, Waiting};
use super::table::{Space, side};

/// Something that was chosen, as it was at that time.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Chosen {
    Creature(Mark),
    Player(usize),
    Free(Space),
    Card(usize),
    /// A creature or player chosen by the second of two choices.
    Also(Space, Option<Mark>),
}

impl Chosen {
    /// The same creature or player, as chosen by the second of two choices.
    pub fn also(self) -> Self {
        match self {
            Chosen::Creature(mark) => Chosen::Also(mark.space, Some(mark)),
            Chosen::Player(side) => Chosen::Also((side, 0), None),
            Chosen::Free(_) | Chosen::Card(_) | Chosen::Also(..) => self,
        }
    }

    pub fn creature(self) -> Option<Mark> {
        match self {
            Chosen::Creature(mark) | Chosen::Also(_, Some(mark)) => Some(mark),
            Chosen::Player(_) | Chosen::Free(_) | Chosen::Card(_) | Chosen::Also(_, None) => None,
        }
    }
}

impl Game<'_> {
    /// The options of a choice.
    pub fn options(&self, choice: &Choice, from: Mark, chosen: &[Chosen]) -> Vec<Chosen> {
        let creatures = self.those(&choice.from, from, chosen);
        let creatures = creatures.into_iter().map(|space| Chosen::Creature(self.mark(space)));
        let own = from.space.0;
        match choice.what {
            Choosable::Creature => creatures.collect(),
            Choosable::CreatureOrPlayer => {
                // "May not aim at its own player": players count as options of their own side, as creatures do.
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

    /// Makes all choices of an ability. Returns None when it has choices and nothing was chosen. Choices that were
    /// already made are in `named`, those of the second choice last.
    pub fn choose_all(
        &mut self,
        ability: &Ability,
        of: &Waiting,
        named: Vec<Chosen>,
    ) -> Option<Vec<Chosen>> {
        let Some(choice) = &ability.choice else { return Some(Vec::new()) };
        let (second, first): (Vec<Chosen>, Vec<Chosen>) =
            named.into_iter().partition(|of| matches!(of, Chosen::Also(..)));
        let mut chosen = self.choose(choice, of, first, false);
        match &ability.also {
            Some(also) => {
                chosen.extend(second);
                chosen = self.choose(also, of, chosen, true);
            }
            None => assert!(second.is_empty(), "nothing else is chosen"),
        }
        (!chosen.is_empty()).then_some(chosen)
    }

    /// Lets the ability's player choose: the first answer that is possible, or at random without one. Where up to a
    /// number can be chosen, the player may stop after one (Decisions).
    fn choose(
        &mut self,
        choice: &Choice,
        of: &Waiting,
        mut chosen: Vec<Chosen>,
        also: bool,
    ) -> Vec<Chosen> {
        let by_this = |chosen: &[Chosen]| {
            chosen.iter().filter(|of| matches!(of, Chosen::Also(..)) == also).count()
        };
        let card = self.cards.form(of.source.form).card;
        while by_this(&chosen) < usize::from(choice.count) {
            let mut options = self.options(choice, of.source, &chosen);
            options.retain(|&option| !chosen.contains(&if also { option.also() } else { option }));
            if options.is_empty() {
                break;
            }
            let may_stop = choice.may || by_this(&chosen) > 0;
            if self.greedy[of.source.space.0] {
                let at = self.greedy_choice(choice, of, &options, may_stop, also);
                let Some(at) = at else { break };
                let option = options.remove(at);
                chosen.push(if also { option.also() } else { option });
                continue;
            }
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
            let option = options.remove(at);
            chosen.push(if also { option.also() } else { option });
        }
        chosen
    }
}

/// Whether an answer means this option; a space may be a creature's or a free one.
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
