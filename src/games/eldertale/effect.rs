//! Effects: lasting or instant changes that cards apply to characters.

use arrayvec::ArrayVec;
use enumset::{EnumSet, EnumSetType, enum_set};
use strum::{EnumCount, EnumIter, EnumMessage, IntoStaticStr};

/// What an effect does. The order is the order in which effects act at "done".
#[derive(
    EnumSetType, Debug, Hash, PartialOrd, Ord, EnumIter, EnumCount, EnumMessage, IntoStaticStr,
)]
pub enum Kind {
    /// Raises the defense as a one-hit defense card would: at once, or at each "done" of its duration.
    #[strum(serialize = "Gain Defense")]
    GainDefense,
    /// Sets the guard to its intensity, one hit, at each "done" of its duration.
    #[strum(serialize = "Start Guard")]
    StartGuard,
    /// Raises the guard power of each defense hit it affects.
    #[strum(serialize = "Guard Up")]
    GuardUp,
    /// Lowers the guard power of each defense hit it affects.
    #[strum(serialize = "Guard Down")]
    GuardDown,
    /// Raises the damage of each attack hit it affects.
    #[strum(serialize = "Power")]
    Power,
    /// Costs whoever hits its bearer hit points, past all defense.
    #[strum(serialize = "Thorns")]
    Thorns,
    /// Keeps its bearer from being healed.
    #[strum(serialize = "Doom")]
    Doom,
    /// Gives hit points at once, up to the maximum.
    #[strum(serialize = "Heal")]
    Heal,
    /// Gives its intensity in hit points at each "done", one less each time, up to the maximum.
    #[strum(serialize = "Heal Over Time")]
    HealOverTime,
    /// Costs its intensity in hit points at each "done", one less each time, past all defense.
    #[strum(serialize = "Poison")]
    Poison,
    /// Deals more Utility cards.
    #[strum(serialize = "Draw Up (Utility)")]
    DrawUpUtility,
    /// Deals more Defense cards.
    #[strum(serialize = "Draw Up (Defense)")]
    DrawUpDefense,
    /// Deals more Attack cards.
    #[strum(serialize = "Draw Up (Attack)")]
    DrawUpAttack,
    /// Deals more cards, each from a deck drawn at random.
    #[strum(serialize = "Draw Up (Random)")]
    DrawUpRandom,
    /// Deals fewer Utility cards.
    #[strum(serialize = "Draw Down (Utility)")]
    DrawDownUtility,
    /// Deals fewer Defense cards.
    #[strum(serialize = "Draw Down (Defense)")]
    DrawDownDefense,
    /// Deals fewer Attack cards.
    #[strum(serialize = "Draw Down (Attack)")]
    DrawDownAttack,
    /// Deals fewer cards, each from a deck drawn at random.
    #[strum(serialize = "Draw Down (Random)")]
    DrawDownRandom,
}

impl Kind {
    /// A sentence that says what it does.
    #[must_use]
    pub fn meaning(self) -> &'static str {
        self.get_documentation().unwrap_or_default().trim_end_matches('.')
    }

    /// Its name.
    #[must_use]
    pub fn name(self) -> &'static str {
        self.into()
    }

    /// Whether it is good for its bearer.
    #[must_use]
    pub const fn helps_its_bearer(self) -> bool {
        match self {
            Kind::GainDefense
            | Kind::StartGuard
            | Kind::GuardUp
            | Kind::Power
            | Kind::Thorns
            | Kind::Heal
            | Kind::HealOverTime
            | Kind::DrawUpUtility
            | Kind::DrawUpDefense
            | Kind::DrawUpAttack
            | Kind::DrawUpRandom => true,
            Kind::GuardDown
            | Kind::Doom
            | Kind::Poison
            | Kind::DrawDownUtility
            | Kind::DrawDownDefense
            | Kind::DrawDownAttack
            | Kind::DrawDownRandom => false,
        }
    }

    /// The time at which effects of this kind act.
    #[inline]
    #[must_use]
    pub const fn acts(self) -> Acts {
        match self {
            Kind::GainDefense => Acts::AtOnceOrAtDone,
            Kind::StartGuard => Acts::AtDone,
            Kind::GuardUp => Acts::OnHits,
            Kind::GuardDown => Acts::OnHits,
            Kind::Power => Acts::OnHits,
            Kind::Thorns => Acts::OnHits,
            Kind::Doom => Acts::OnHealing,
            Kind::Heal => Acts::AtOnce,
            Kind::HealOverTime => Acts::AtDoneTicking,
            Kind::Poison => Acts::AtDoneTicking,
            Kind::DrawUpUtility => Acts::AtDeal,
            Kind::DrawUpDefense => Acts::AtDeal,
            Kind::DrawUpAttack => Acts::AtDeal,
            Kind::DrawUpRandom => Acts::AtDeal,
            Kind::DrawDownUtility => Acts::AtDeal,
            Kind::DrawDownDefense => Acts::AtDeal,
            Kind::DrawDownAttack => Acts::AtDeal,
            Kind::DrawDownRandom => Acts::AtDeal,
        }
    }

    /// Whether its intensity falls by one at each "done" (tick effects; ET-E2, ET-E3).
    #[inline]
    #[must_use]
    pub const fn ticks(self) -> bool {
        match self.acts() {
            Acts::AtDoneTicking => true,
            Acts::AtOnce
            | Acts::AtOnceOrAtDone
            | Acts::AtDone
            | Acts::OnHits
            | Acts::OnHealing
            | Acts::AtDeal => false,
        }
    }

    /// Whether it affects hits, and so can have a hit duration (ET-26).
    #[must_use]
    pub const fn affects_hits(self) -> bool {
        match self.acts() {
            Acts::OnHits => true,
            Acts::AtOnce
            | Acts::AtOnceOrAtDone
            | Acts::AtDone
            | Acts::AtDoneTicking
            | Acts::OnHealing
            | Acts::AtDeal => false,
        }
    }
}

/// When an effect acts.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Acts {
    /// When it starts; nothing of it remains.
    AtOnce,
    /// When it starts, or, with a round duration, at each "done" of that duration.
    AtOnceOrAtDone,
    /// At each "done".
    AtDone,
    /// At each "done", with an intensity that falls by one each time.
    AtDoneTicking,
    /// When a hit of its bearer's, or on its bearer, lands.
    OnHits,
    /// Whenever its bearer is to be healed.
    OnHealing,
    /// When its bearer is dealt a hand.
    AtDeal,
}

impl Acts {
    /// The kinds of effects that act at this time.
    #[inline]
    #[must_use]
    pub const fn kinds(self) -> EnumSet<Kind> {
        match self {
            Acts::AtOnce => enum_set!(Kind::Heal),
            Acts::AtOnceOrAtDone => enum_set!(Kind::GainDefense),
            Acts::AtDone => enum_set!(Kind::StartGuard),
            Acts::AtDoneTicking => enum_set!(Kind::HealOverTime | Kind::Poison),
            Acts::OnHits => {
                enum_set!(Kind::GuardUp | Kind::GuardDown | Kind::Power | Kind::Thorns)
            }
            Acts::OnHealing => enum_set!(Kind::Doom),
            Acts::AtDeal => enum_set!(
                Kind::DrawUpUtility
                    | Kind::DrawUpDefense
                    | Kind::DrawUpAttack
                    | Kind::DrawUpRandom
                    | Kind::DrawDownUtility
                    | Kind::DrawDownDefense
                    | Kind::DrawDownAttack
                    | Kind::DrawDownRandom
            ),
        }
    }
}

/// The kinds that act when "done" is pressed (ET-31).
pub const AT_DONE: EnumSet<Kind> =
    enum_set!(Kind::GainDefense | Kind::StartGuard | Kind::HealOverTime | Kind::Poison);

/// One instance of an effect.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Effect {
    /// Its kind, which says what it does.
    pub kind: Kind,
    /// Its strength, from 1.
    pub intensity: u8,
    /// The number of hits it still affects; 0 where it has no hit duration.
    pub hits: u8,
    /// The number of times its bearer still presses "done" until it ends; 0 where it has no round duration.
    pub rounds: u8,
}

impl Effect {
    /// Whether it ends when its bearer's round durations fall next.
    #[must_use]
    pub fn is_in_its_last_round(&self) -> bool {
        self.rounds == 1 || self.kind.ticks() && self.intensity <= 1
    }

    /// Whether it acts when it starts and nothing of it remains.
    #[inline]
    #[must_use]
    pub fn is_instant(&self) -> bool {
        match self.kind.acts() {
            Acts::AtOnce => true,
            Acts::AtOnceOrAtDone => self.rounds == 0,
            Acts::AtDone | Acts::AtDoneTicking | Acts::OnHits | Acts::OnHealing | Acts::AtDeal => {
                false
            }
        }
    }
}

/// The maximum number of effects on a character at once. More than there are kinds, so that in a full list at
/// least one effect does not act.
pub const MOST: usize = 24;
const _: () = assert!(MOST > Kind::COUNT);

/// What the loss of an instance changes, least first.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Loss {
    /// Nothing: another of its kind acts at least as strongly for at least as long, whatever hits there are.
    Nothing,
    /// Hits after those that another of its kind, which it equals or is below in everything, affects.
    LaterHits,
    /// Nothing as long as a stronger or older instance of its kind acts.
    Later,
    /// It acts now.
    Now,
}

/// What the loss of one instance of a list changes.
fn loss(all: &[Effect], at: usize) -> Loss {
    let one = all[at];
    // Without a duration an instance never ends by it, so that 0 is the longest of all.
    let length = |duration: u8| duration.wrapping_sub(1);
    let others = || {
        let others = all.iter().enumerate().filter(move |&(other, _)| other != at);
        others.filter(|(_, other)| other.kind == one.kind && other.intensity >= one.intensity)
    };
    let dominates = |other: &Effect| {
        length(other.hits) >= length(one.hits) && length(other.rounds) >= length(one.rounds)
    };
    let acts_before = |(of, other): (usize, &Effect)| of < at || other.intensity > one.intensity;
    if others().any(|(_, other)| dominates(other) && other.hits == 0) {
        Loss::Nothing
    } else if others().any(|(_, other)| dominates(other)) {
        Loss::LaterHits
    } else if others().any(acts_before) {
        Loss::Later
    } else {
        Loss::Now
    }
}

/// The effects on a character, oldest first.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub struct Effects {
    list: ArrayVec<Effect, MOST>,
    /// The kinds in the list, so that most queries need not search it.
    kinds: EnumSet<Kind>,
}

impl Effects {
    /// All of them, oldest first.
    pub fn iter(&self) -> impl Iterator<Item = &Effect> {
        self.list.iter()
    }

    /// Whether there is one of this kind.
    #[inline]
    #[must_use]
    pub fn has(&self, kind: Kind) -> bool {
        self.kinds.contains(kind)
    }

    /// The kinds of the effects in the list.
    #[inline]
    #[must_use]
    pub fn kinds(&self) -> EnumSet<Kind> {
        self.kinds
    }

    /// The instance of this kind that acts: the one with the highest intensity, the oldest of equals. When it
    /// ends, the next highest acts (Effects; ET-29, ET-30).
    #[inline]
    #[must_use]
    pub fn acting(&self, kind: Kind) -> Option<&Effect> {
        self.at(kind).map(|at| &self.list[at])
    }

    /// The intensity of the instance that acts; 0 without this kind of effect.
    #[inline]
    #[must_use]
    pub fn intensity(&self, kind: Kind) -> u8 {
        self.acting(kind).map_or(0, |effect| effect.intensity)
    }

    #[inline]
    fn at(&self, kind: Kind) -> Option<usize> {
        if !self.has(kind) {
            return None;
        }
        // Intensity and then age as one number, of which the largest wins, so that nothing branches on the effects
        // there are.
        let mut acting = 0;
        for (at, effect) in self.list.iter().enumerate() {
            let rank = usize::from(effect.intensity) << 8 | (MOST - at);
            acting = acting.max(if effect.kind == kind { rank } else { 0 });
        }
        Some(MOST - (acting & 0xFF))
    }

    /// Adds an instance. Where there is no room, one instance is lost, be it the new one; returns which (decision 12).
    #[inline]
    pub fn add(&mut self, effect: Effect) -> Option<Effect> {
        let lost = if self.list.is_full() { Some(self.make_room_for(effect)) } else { None };
        if lost != Some(effect) {
            self.list.push(effect);
            self.kinds.insert(effect.kind);
        }
        lost
    }

    /// Removes the instance whose loss matters least, unless that is the new one, and returns it.
    #[cold]
    #[inline(never)]
    fn make_room_for(&mut self, effect: Effect) -> Effect {
        let all: ArrayVec<Effect, { MOST + 1 }> =
            self.list.iter().copied().chain([effect]).collect();
        let cost = |&at: &usize| {
            let Effect { kind, intensity, .. } = all[at];
            // Copies of the new instance cannot be told apart, so it is the first of equally weak ones to be lost.
            (loss(&all, at), intensity, at != MOST, kind)
        };
        let least = (0..=MOST).min_by_key(cost).expect("a full list");
        if least < MOST {
            self.list.remove(least);
        }
        all[least]
    }

    /// Counts one affected hit on the hit duration of the acting instance. Returns that instance as it was before,
    /// and whether it has ended (Effects; ET-26, ET-28).
    #[inline]
    pub fn affect_hit(&mut self, kind: Kind) -> Option<(Effect, bool)> {
        if self.has(kind) { self.count_hit(kind) } else { None }
    }

    fn count_hit(&mut self, kind: Kind) -> Option<(Effect, bool)> {
        let at = self.at(kind)?;
        let before = self.list[at];
        let ends = before.hits == 1;
        if ends {
            self.list.remove(at);
            if !self.list.iter().any(|effect| effect.kind == kind) {
                self.kinds.remove(kind);
            }
        } else if before.hits > 0 {
            self.list[at].hits -= 1;
        }
        Some((before, ends))
    }

    /// "Done" was pressed: all round durations fall, tick effects lose intensity, and effects that have run out
    /// end (Order of Operations; ET-27, ET-28, ET-32).
    pub fn fall(&mut self) {
        if self.list.is_empty() {
            return;
        }
        // Effects that stay move up as their durations fall. Nothing branches on which effects end, since that is
        // as good as random.
        let (mut stay, mut kinds) = (0, EnumSet::empty());
        let list = &mut self.list[..];
        for at in 0..list.len() {
            let mut effect = list[at];
            let last_round = effect.rounds == 1;
            effect.rounds = effect.rounds.saturating_sub(1);
            effect.intensity -= u8::from(effect.kind.ticks());
            // An effect without intensity ends.
            effect.intensity = if last_round { 0 } else { effect.intensity };
            let stays = effect.intensity > 0;
            list[stay] = effect;
            stay += usize::from(stays);
            kinds |= if stays { EnumSet::only(effect.kind) } else { EnumSet::empty() };
        }
        self.list.truncate(stay);
        self.kinds = kinds;
    }

    /// Sorts the effects into a canonical order without changing how they act: only effects of equal kind and
    /// intensity keep their order, because the oldest of them acts.
    pub(super) fn settle(&mut self) {
        self.list.sort_by_key(|effect| (effect.kind, std::cmp::Reverse(effect.intensity)));
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;
    use strum::IntoEnumIterator;

    use super::*;

    /// One thing that can happen to the effects on a character.
    #[derive(Clone, Debug)]
    enum Happens {
        Starts(Effect),
        Hit(Kind),
        Done,
    }

    fn kind() -> impl Strategy<Value = Kind> {
        let kinds = [Kind::Power, Kind::GuardUp, Kind::Poison, Kind::DrawDownRandom];
        prop::sample::select(kinds.to_vec())
    }

    fn happens() -> impl Strategy<Value = Happens> {
        let effect = (kind(), 1u8..4, 0u8..3, 0u8..4);
        let effect = effect.prop_map(|(kind, intensity, hits, rounds)| {
            Happens::Starts(Effect { kind, intensity, hits, rounds })
        });
        prop_oneof![3 => effect, 2 => kind().prop_map(Happens::Hit), 1 => Just(Happens::Done)]
    }

    /// The place of the instance that acts, computed as plainly as possible.
    fn acting(list: &[Effect], kind: Kind) -> Option<usize> {
        let intensity = |effect: &&Effect| effect.intensity;
        let of_kind = list.iter().filter(|effect| effect.kind == kind);
        let strongest = of_kind.max_by_key(intensity)?.intensity;
        list.iter().position(|effect| effect.kind == kind && effect.intensity == strongest)
    }

    proptest! {
        #[test]
        fn effects_are_a_list(happens in prop::collection::vec(happens(), 0..60)) {
            let (mut effects, mut list) = (Effects::default(), Vec::<Effect>::new());
            for happens in happens {
                match happens {
                    Happens::Starts(effect) => {
                        let lost = effects.add(effect);
                        list.push(effect);
                        prop_assert_eq!(lost.is_some(), list.len() > MOST);
                        // Of copies the oldest acts, and so the youngest is lost where it is a copy of the new one.
                        if let Some(lost) = lost {
                            let is_new = lost == effect;
                            let at = list.iter().position(|&of| of == lost).expect("one of these");
                            list.remove(if is_new { MOST } else { at });
                        }
                    }
                    Happens::Hit(kind) => {
                        let expected = acting(&list, kind).map(|at| {
                            let before = list[at];
                            list[at].hits = before.hits.saturating_sub(1);
                            if before.hits == 1 {
                                list.remove(at);
                            }
                            (before, before.hits == 1)
                        });
                        prop_assert_eq!(effects.affect_hit(kind), expected);
                    }
                    Happens::Done => {
                        effects.fall();
                        for effect in &mut list {
                            effect.intensity -= u8::from(effect.kind.ticks());
                        }
                        list.retain(|effect| effect.rounds != 1 && effect.intensity > 0);
                        for effect in &mut list {
                            effect.rounds = effect.rounds.saturating_sub(1);
                        }
                    }
                }
                prop_assert!(effects.iter().eq(&list));
                for kind in Kind::iter() {
                    prop_assert_eq!(effects.has(kind), acting(&list, kind).is_some());
                    let of_list = acting(&list, kind).map(|at| &list[at]);
                    prop_assert_eq!(effects.acting(kind), of_list);
                }
            }
        }
    }

    #[test]
    fn every_kind_is_among_those_that_act_when_it_does() {
        for kind in Kind::iter() {
            for other in Kind::iter() {
                assert_eq!(kind.acts().kinds().contains(other), kind.acts() == other.acts());
            }
            let at_done = match kind.acts() {
                Acts::AtOnceOrAtDone | Acts::AtDone | Acts::AtDoneTicking => true,
                Acts::AtOnce | Acts::OnHits | Acts::OnHealing | Acts::AtDeal => false,
            };
            assert_eq!(AT_DONE.contains(kind), at_done, "{kind:?}");
        }
    }
}
