//! Which abilities something sets off. Every creature that listens is asked at once; its ability then waits for the
//! next batch.

use crate::chance::Chance;
use crate::game::{Side, Watch};
use crate::games::solforge::SolForge;
use crate::games::solforge::ability::{AbilityId, Filter, Hook, PlayedCard, Trigger};
use crate::games::solforge::cards::vocabulary::{Relation, TurnOf};
use crate::games::solforge::event::{Endless, Ref};
use crate::games::solforge::rolls::Roll;
use crate::games::solforge::rules::{Battle, Because, Chosen, Waiting, statics};
use crate::games::solforge::setup::FormData;
use crate::games::solforge::state::{Creature, Form, Spaces};

/// Something that happened and that abilities listen to.
#[derive(Clone, Copy, Debug)]
pub(super) struct News {
    pub hook: Hook,
    /// The creature it happened to, where it happened to one.
    pub subject: Ref,
    /// The card that was played, by which side, and as which card of its turn, from 1; None if none was.
    pub played: Option<(Form, Side, u8)>,
    /// The damage that was dealt.
    pub amount: i16,
    /// Whether a creature that entered was played from the hand.
    pub forged: bool,
}

impl News {
    pub(super) fn of(hook: Hook, subject: Ref) -> Self {
        Self { hook, subject, played: None, amount: 0, forged: false }
    }
}

impl<C: Chance<Roll>, W: Watch<SolForge>> Battle<'_, C, W> {
    /// Asks every creature on the field that is not destroyed whether its abilities listen to this, and lets those that
    /// do wait ("Batching"; SF-08, SF-69; decisions 14 and 19).
    #[inline(always)]
    pub(super) fn announce(&mut self, news: News) {
        let listeners = self.listeners(news.hook);
        if !listeners.is_empty() {
            self.announce_to(listeners, news);
        }
    }

    #[inline(never)]
    fn announce_to(&mut self, listeners: Spaces, news: News) {
        for (side, lane) in listeners {
            self.ask_listener(side, lane, news, Because::Alive);
        }
    }

    /// Asks only the creature in one space.
    #[inline(always)]
    pub(super) fn ask_at(&mut self, side: Side, lane: u8, news: News, because: Because) {
        if self.listeners(news.hook).has(side, lane) {
            self.ask_listener(side, lane, news, because);
        }
    }

    #[inline(never)]
    fn ask_listener(&mut self, side: Side, lane: u8, news: News, because: Because) {
        let creature = self.state.at(side, lane);
        if creature.grants == 0 {
            // Mostly so, and then the creature need not be copied.
            let (source, blank) = (Ref::new(creature, side, lane), creature.blank);
            return self.ask_printed(source, blank, news, because);
        }
        let creature = *creature;
        self.ask(&creature, side, lane, news, because);
    }

    /// The spaces of the creatures that may have an ability with this hook; destroyed ones are left out.
    #[inline]
    pub(super) fn listeners(&self, hook: Hook) -> Spaces {
        self.state.listening[hook as usize].or(self.state.granted)
    }

    /// Asks a creature about all its abilities; it may be about to leave the field ("Batching"; SF-65; decisions 7 and
    /// 19).
    #[inline]
    pub(super) fn ask(
        &mut self,
        creature: &Creature,
        side: Side,
        lane: u8,
        news: News,
        because: Because,
    ) {
        let source = Ref::new(creature, side, lane);
        self.ask_printed(source, creature.blank, news, because);
        for grant in creature.granted() {
            self.wait_if_meant(grant.ability, source, news, because);
        }
    }

    /// Asks about the abilities that are printed on a creature, unless it has lost them.
    #[inline]
    fn ask_printed(&mut self, source: Ref, blank: bool, news: News, because: Because) {
        let data = self.cards().form(source.form);
        if data.hooks.contains(news.hook) && !blank {
            for id in data.abilities.clone() {
                self.wait_if_meant(AbilityId(id), source, news, because);
            }
        }
    }

    #[inline]
    fn wait_if_meant(&mut self, ability: AbilityId, source: Ref, news: News, because: Because) {
        if self.is_meant(&self.cards().ability(ability).trigger, source, news) {
            let News { subject, amount, .. } = news;
            self.wait(Waiting { ability, source, subject, amount, because });
        }
    }

    /// Lets an ability wait for the next batch.
    pub(super) fn wait(&mut self, waiting: Waiting) {
        if self.waiting.try_push(waiting).is_err() {
            self.give_up(Endless::Waiting);
        }
    }

    /// Whether a trigger listens to this news. A creature may listen to its own entry (SF-77, SF-78, SF-82) ("Tarsus
    /// Deathweaver", decision 8).
    fn is_meant(&self, trigger: &Trigger, source: Ref, news: News) -> bool {
        if trigger.hook() != news.hook {
            return false;
        }
        let itself = news.subject.id == source.id;
        match *trigger {
            Trigger::Cast | Trigger::Activate(_) | Trigger::Later(_) => false,
            Trigger::Forge
            | Trigger::Arrives
            | Trigger::Vengeance
            | Trigger::Flank
            | Trigger::IsDamaged => itself,
            Trigger::Enters(ref filter, forged) => {
                forged.is_none_or(|forged| forged == news.forged)
                    && self.fits(filter, source, &[], news.subject)
            }
            Trigger::Destroyed(ref filter)
            | Trigger::Moves(ref filter)
            | Trigger::HitsCreature(ref filter) => self.fits(filter, source, &[], news.subject),
            Trigger::Plays(ref of) => self.is_played(of, source, news),
            Trigger::HitsPlayer(turn) | Trigger::TurnStarts(turn) | Trigger::TurnEnds(turn) => {
                match turn {
                    TurnOf::Each => true,
                    TurnOf::Yours => source.side() == self.state.active,
                    TurnOf::Theirs => source.side() != self.state.active,
                }
            }
            Trigger::RankRises => source.side() == self.state.active,
        }
    }

    /// Whether a card was played, and is one that the trigger counts ("Batching"; SF-15; decision 14).
    fn is_played(&self, of: &PlayedCard, source: Ref, news: News) -> bool {
        let Some((form, by, nth)) = news.played else { return false };
        let wanted = match of.player {
            Relation::You => source.side(),
            Relation::Opponent => source.side().other(),
        };
        let data: &FormData = self.cards().form(form);
        // A creature does not react to being played itself: for that there is Forge.
        by == wanted
            && news.subject.id != source.id
            && of.kind.is_none_or(|kind| kind == data.kind)
            && of.faction.is_none_or(|faction| faction == data.faction)
            && data.level <= of.level_at_most
            && (of.nth == 0 || of.nth == nth)
    }

    /// Whether a filter selects a creature that is on the field or about to leave it (SF-19, SF-64, SF-81; decision 7).
    pub(super) fn fits(
        &self,
        filter: &Filter,
        source: Ref,
        chosen: &[Chosen],
        candidate: Ref,
    ) -> bool {
        filter.spaces(source).has(candidate.side(), candidate.lane)
            && !(filter.other && candidate.id == source.id)
            && self.is_such(filter, chosen, candidate)
    }

    /// Whether a filter selects a creature, wherever that is.
    pub(super) fn is_such(&self, filter: &Filter, chosen: &[Chosen], candidate: Ref) -> bool {
        let data = self.cards().form(candidate.form);
        if data.level > filter.level_at_most
            || filter.faction.is_some_and(|faction| faction != data.faction)
            || filter.not_faction == Some(data.faction)
            || filter.tribes != 0 && filter.tribes & data.tribes == 0
            || filter.not_tribes & data.tribes != 0
            || filter.not_chosen && chosen.iter().any(|chosen| chosen.who.id == candidate.id)
        {
            return false;
        }
        let of_attack = filter.asks_of_attack();
        let of_creature = of_attack || filter.keyword.is_some() || filter.poisoned;
        !of_creature
            || self.locate(candidate).is_some_and(|(side, lane)| {
                let creature = self.state.at(side, lane);
                let range = filter.attack_at_least..=filter.attack_at_most;
                (!of_attack
                    || range.contains(&statics::attack(self.cards(), self.state, side, lane)))
                    && filter.keyword.is_none_or(|keyword| creature.has(keyword))
                    && (!filter.poisoned || creature.poison > 0)
            })
    }
}
