//! The targets of effects, the options of choices, and the values of amounts.

use arrayvec::ArrayVec;

use crate::chance::Chance;
use crate::game::{Side, Watch};
use crate::games::solforge::SolForge;
use crate::games::solforge::ability::{
    Ability, Amount, Choice, Demand, Filter, Options, Pick, Who,
};
use crate::games::solforge::cards::vocabulary::{Choosable, Quantity, SideForm, Whose};
use crate::games::solforge::event::Ref;
use crate::games::solforge::rolls::Roll;
use crate::games::solforge::rules::{Battle, Chosen, ManyChosen, Waiting, first_chosen, statics};
use crate::games::solforge::state::{CENTER, LANES, Spaces};

/// Maximum number of targets of an effect: all creatures and both players.
pub(super) const TARGETS: usize = 2 * LANES + 2;

/// The creatures and players that an effect acts on.
pub(super) type Targets = ArrayVec<Pick, TARGETS>;

impl<C: Chance<Roll>, W: Watch<SolForge>> Battle<'_, C, W> {
    /// The targets of an effect: no creature that is gone or destroyed ("Batching", "Grimgaunt Doomrider"; SF-16,
    /// SF-17, SF-37, SF-72; decision 16).
    pub(super) fn targets(&mut self, who: &Who, cause: &Waiting, chosen: &[Chosen]) -> Targets {
        let mut targets = Targets::new();
        let there =
            |place: Option<(Side, u8)>| place.map(|(side, lane)| Pick::Creature(side, lane));
        match *who {
            Who::Itself => targets.extend(there(self.alive(cause.source))),
            Who::Subject => targets.extend(there(self.alive(cause.subject))),
            Who::Opposite => targets.extend(there(self.opposite(cause.source))),
            Who::OppositeSubject => targets.extend(there(self.opposite(cause.subject))),
            Who::Chosen | Who::AlsoChosen => {
                let also = *who == Who::AlsoChosen;
                let chosen = chosen.iter().filter(|chosen| chosen.also == also);
                targets.extend(chosen.filter_map(|chosen| match chosen.pick {
                    Pick::Creature(..) => there(self.alive(chosen.who)),
                    Pick::Player(side) => Some(Pick::Player(side)),
                    Pick::Nothing | Pick::Space(..) | Pick::Card(_) => None,
                }));
            }
            Who::You => targets.push(Pick::Player(cause.source.side())),
            Who::Opponent => targets.push(Pick::Player(cause.source.side().other())),
            Who::Each(ref filter) => {
                targets.extend(creatures(self.all(filter, cause.source, chosen)))
            }
            Who::Random(ref filter, count) => {
                let mut among: Targets =
                    creatures(self.all(filter, cause.source, chosen)).collect();
                while among.len() > usize::from(count) {
                    // The wanted number is drawn to the front, and the rest thrown out.
                    let keep = usize::from(count);
                    for at in 0..keep {
                        let pick = at + self.chance.pick(Roll::RandomTarget, among.len() - at);
                        among.swap(at, pick);
                    }
                    among.truncate(keep);
                }
                return among;
            }
            Who::LowestAttack(ref filter) => {
                let among = self.all(filter, cause.source, chosen);
                let attack = |(side, lane)| statics::attack(self.cards(), self.state, side, lane);
                if let Some(lowest) = among.map(attack).min() {
                    let lowest = among.filter(|&space| attack(space) == lowest);
                    let among: Targets = creatures(lowest).collect();
                    targets.push(among[self.chance.pick(Roll::LowestAttack, among.len())]);
                }
            }
        }
        targets
    }

    /// The creature across from where a creature stands or stood ("Batching", "Grimgaunt Doomrider"; SF-16, SF-17,
    /// SF-66, SF-72).
    fn opposite(&self, of: Ref) -> Option<(Side, u8)> {
        if of.id == 0 {
            return None;
        }
        let lane = self.locate(of).map_or(of.lane, |(_, lane)| lane);
        let side = of.side().other();
        (!self.state.is_free(side, lane)).then_some((side, lane))
    }

    /// The spaces of all creatures on the field that a filter selects, as seen from a creature (SF-19, SF-81).
    fn all(&self, filter: &Filter, source: Ref, chosen: &[Chosen]) -> Spaces {
        let (mut source, mut itself) = (source, Spaces::default());
        if let Some((side, lane)) = self.locate(source) {
            // A creature that has moved sees from where it is now.
            (source, itself) = (self.reference(side, lane), Spaces::one(side, lane));
        }
        let mut among = self.state.standing.and(filter.spaces(source));
        if filter.other {
            among = among.without(itself);
        }
        if !filter.is_of_spaces() {
            for (side, lane) in among {
                let fits = self.is_such(filter, chosen, self.reference(side, lane));
                among.set(side, lane, fits);
            }
        }
        among
    }

    /// The options of a choice.
    pub(in crate::games::solforge) fn options(&self, choice: &Choice, source: Ref) -> Options {
        self.options_but(choice, source, &[], false)
    }

    /// The options of the second of two choices, once the first has chosen these.
    pub(in crate::games::solforge) fn also_options(
        &self,
        also: &Choice,
        source: Ref,
        picks: &[Pick],
    ) -> Options {
        let side = source.side();
        let chosen: ManyChosen = picks.iter().map(|&of| self.remember(of, side, false)).collect();
        self.options_but(also, source, &chosen, true)
    }

    /// The options of a choice besides what was chosen so far. One choice chooses nothing twice; two choices may choose
    /// the same thing (SF-15, SF-20; decisions 22 and 23).
    fn options_but(&self, choice: &Choice, source: Ref, chosen: &[Chosen], also: bool) -> Options {
        let side = source.side();
        let mut options = match choice.what {
            Choosable::Creature => Options::creatures(self.all(&choice.from, source, chosen), side),
            Choosable::CreatureOrPlayer => {
                let mut options = Options::creatures(self.all(&choice.from, source, chosen), side);
                // A player is an option as a creature of that side would be (decision 22).
                if choice.from.side != SideForm::Friend {
                    options.add(Pick::Player(side.other()));
                }
                if choice.from.side != SideForm::Enemy {
                    options.add(Pick::Player(side));
                }
                options
            }
            Choosable::FreeSpace => Options::spaces(self.state.free(side), side),
            Choosable::CardInHand => Options::cards(self.state.player(side).hand.len(), side),
        };
        for chosen in chosen.iter().filter(|chosen| chosen.also == also) {
            options.remove(chosen.pick);
        }
        options
    }

    /// Lets the ability's player choose what is not chosen yet. Returns false when something should be chosen and
    /// nothing can be or is: then the ability does nothing. Of two choices each stands for itself (decision 30)
    /// ("Batching"; SF-20; decisions 6 and 23).
    #[inline(always)]
    pub(super) fn choose(
        &mut self,
        ability: &Ability,
        cause: &Waiting,
        chosen: &mut ManyChosen,
    ) -> bool {
        // Most abilities have nothing to choose.
        (ability.choice.is_none() && ability.also.is_none())
            || self.choose_each(ability, cause, chosen)
    }

    #[inline(never)]
    fn choose_each(&mut self, ability: &Ability, cause: &Waiting, chosen: &mut ManyChosen) -> bool {
        let choices = [(false, &ability.choice), (true, &ability.also)];
        for (also, choice) in choices {
            let Some(choice) = choice else { continue };
            let count =
                |chosen: &ManyChosen| chosen.iter().filter(|chosen| chosen.also == also).count();
            while count(chosen) < usize::from(choice.count) {
                let options = self.options_but(choice, cause.source, chosen, also);
                if options.is_empty() {
                    break;
                }
                let may_stop = choice.may || count(chosen) > 0;
                let pick = self.decide(cause, options, may_stop, also);
                if pick == Pick::Nothing {
                    break;
                }
                chosen.push(self.remember(pick, cause.source.side(), also));
            }
        }
        ability.choice.is_none() || !chosen.is_empty()
    }

    /// Something that a player picked, with the creature or card as it is now.
    pub(super) fn remember(&self, pick: Pick, by: Side, also: bool) -> Chosen {
        let who = match pick {
            Pick::Creature(side, lane) => self.reference(side, lane),
            Pick::Card(at) => {
                Ref { form: self.state.player(by).hand[usize::from(at)], ..Ref::default() }
            }
            _ => Ref::default(),
        };
        Chosen { pick, who, also }
    }

    /// Whether what an ability demands is true: for example, that the space of the dead creature is free (SF-66, SF-67,
    /// SF-72), or that there is a certain creature (SF-81) ("Grimgaunt Doomrider"; comments, 1).
    pub(super) fn is_met(&self, demand: Demand, cause: &Waiting) -> bool {
        match demand {
            Demand::Center(wanted) => {
                let lane = self.locate(cause.source).map_or(cause.source.lane, |(_, lane)| lane);
                (lane == CENTER) == wanted
            }
            Demand::SpaceFree => self.state.is_free(cause.subject.side(), cause.subject.lane),
            Demand::Allied(faction) => {
                let hand = &self.state.player(cause.source.side()).hand;
                hand.iter().any(|&form| self.cards().form(form).faction == faction)
            }
            Demand::Exists(filter) => !self.all(&filter, cause.source, &[]).is_empty(),
        }
    }

    /// The value of an amount, for an effect on `target` ("Stat-Altering and Stat-Dependent Effects", "Cercee, Hand of
    /// Varna 4"; SF-42, SF-43, SF-60, SF-61; decision 9).
    #[inline(always)]
    pub(super) fn amount(
        &mut self,
        amount: Amount,
        cause: &Waiting,
        chosen: &[Chosen],
        target: Pick,
    ) -> i16 {
        match amount {
            Amount::Fixed(number) => number,
            Amount::Random(low, high) => {
                self.chance.between(Roll::RandomAmount, low.into(), high.into()) as i16
            }
            Amount::Read(quantity, whose, times) => {
                let read = self.read(quantity, whose, cause, chosen, target);
                // A quantity below 0 takes nothing away.
                let read = if times < 0 { read.max(0) } else { read };
                read.saturating_mul(times)
            }
        }
    }

    /// Reads a quantity off the game.
    #[inline(never)]
    fn read(
        &self,
        quantity: Quantity,
        whose: Whose,
        cause: &Waiting,
        chosen: &[Chosen],
        target: Pick,
    ) -> i16 {
        let owner = cause.source.side();
        let creature = match whose {
            Whose::Itself | Whose::You | Whose::Opponent => self.locate(cause.source),
            Whose::Chosen => first_chosen(chosen).next().and_then(|chosen| self.locate(chosen.who)),
            Whose::Target => match target {
                Pick::Creature(side, lane) => Some((side, lane)),
                _ => None,
            },
        };
        let of_creature =
            |read: &dyn Fn(Side, u8) -> i16| creature.map_or(0, |(side, lane)| read(side, lane));
        match quantity {
            Quantity::Attack => {
                of_creature(&|side, lane| statics::attack(self.cards(), self.state, side, lane))
            }
            Quantity::Health => {
                of_creature(&|side, lane| statics::health(self.cards(), self.state, side, lane))
            }
            Quantity::Poison => of_creature(&|side, lane| self.state.at(side, lane).poison),
            Quantity::Life => self.state.player(whose_player(whose, target, owner)).life,
            Quantity::Hand => {
                self.state.player(whose_player(whose, target, owner)).hand.len() as i16
            }
            Quantity::Dealt => cause.amount,
            Quantity::Random => 0,
        }
    }
}

/// The creatures in these spaces.
fn creatures(spaces: impl Iterator<Item = (Side, u8)>) -> impl Iterator<Item = Pick> {
    spaces.map(|(side, lane)| Pick::Creature(side, lane))
}

/// The player whose life or hand is read.
fn whose_player(whose: Whose, target: Pick, owner: Side) -> Side {
    match (whose, target) {
        (Whose::Opponent, _) => owner.other(),
        (Whose::Target, Pick::Player(side) | Pick::Creature(side, _)) => side,
        _ => owner,
    }
}
