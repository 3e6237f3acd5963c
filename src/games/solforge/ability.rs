//! Abilities as a battle reads them: every name looked up, every number settled for one level of one card.

use arrayvec::ArrayVec;
use enumset::{EnumSet, EnumSetType};

use super::cards::vocabulary::{
    Choosable, CopyOf, Faction, Kind, Later, Place, Quantity, Relation, SideForm, Space, StaticWho,
    TurnOf, Until, Whose,
};
use super::event::Ref;
use super::keyword::Keyword;
use super::state::{Form, LANES, PILE, Spaces};
use crate::game::Side;

/// An ability, as its place in the setup's list.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct AbilityId(pub u16);

/// The kinds of things that can set an ability off; a creature is only asked about those it listens to.
#[derive(EnumSetType, Debug, Hash, strum::EnumCount, strum::IntoStaticStr)]
#[strum(serialize_all = "snake_case")]
pub enum Hook {
    /// The spell itself is played.
    Cast,
    /// Played from the hand.
    Forge,
    /// Destroyed.
    Vengeance,
    /// At its player's wish.
    Activate,
    /// Some creature enters.
    Enters,
    /// Some creature is destroyed.
    Destroyed,
    /// Some creature moves.
    Moves,
    /// Some card is played.
    Plays,
    /// It dealt battle damage to a player.
    HitsPlayer,
    /// It dealt battle damage to a creature.
    HitsCreature,
    /// It was dealt damage.
    IsDamaged,
    /// A turn starts.
    TurnStarts,
    /// A turn ends.
    TurnEnds,
    /// Its player's rank rises.
    RankRises,
    /// A moment has come for which it was put off.
    Later,
}

impl Hook {
    /// How many there are.
    pub const COUNT: usize = <Self as strum::EnumCount>::COUNT;

    /// Its name, as cards say it.
    #[must_use]
    pub fn name(self) -> &'static str {
        self.into()
    }
}

/// What sets an ability off.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Trigger {
    /// The spell itself is played.
    Cast,
    /// Played from the hand.
    Forge,
    /// It enters the field itself.
    Arrives,
    /// Destroyed.
    Vengeance,
    /// At its player's wish, so many times a turn.
    Activate(u8),
    /// A creature enters, from the hand or not.
    Enters(Filter, Option<bool>),
    /// A creature is destroyed.
    Destroyed(Filter),
    /// It moves itself.
    Flank,
    /// A creature moves.
    Moves(Filter),
    /// A card is played.
    Plays(PlayedCard),
    /// It dealt battle damage to a player.
    HitsPlayer(TurnOf),
    /// It dealt battle damage to a creature.
    HitsCreature(Filter),
    /// It was dealt damage.
    IsDamaged,
    /// A turn starts.
    TurnStarts(TurnOf),
    /// A turn ends.
    TurnEnds(TurnOf),
    /// Its player's rank rises.
    RankRises,
    /// The moment has come for which it was put off.
    Later(Later),
}

impl Trigger {
    /// Its kind.
    #[must_use]
    pub fn hook(self) -> Hook {
        match self {
            Trigger::Cast => Hook::Cast,
            Trigger::Forge => Hook::Forge,
            Trigger::Vengeance => Hook::Vengeance,
            Trigger::Activate(_) => Hook::Activate,
            Trigger::Arrives | Trigger::Enters(..) => Hook::Enters,
            Trigger::Destroyed(_) => Hook::Destroyed,
            Trigger::Flank | Trigger::Moves(_) => Hook::Moves,
            Trigger::Plays(_) => Hook::Plays,
            Trigger::HitsPlayer(_) => Hook::HitsPlayer,
            Trigger::HitsCreature(_) => Hook::HitsCreature,
            Trigger::IsDamaged => Hook::IsDamaged,
            Trigger::TurnStarts(_) => Hook::TurnStarts,
            Trigger::TurnEnds(_) => Hook::TurnEnds,
            Trigger::RankRises => Hook::RankRises,
            Trigger::Later(_) => Hook::Later,
        }
    }
}

/// Which cards count when a card is played.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct PlayedCard {
    /// Who plays it.
    pub player: Relation,
    /// Only of this kind.
    pub kind: Option<Kind>,
    /// Only of this faction.
    pub faction: Option<Faction>,
    /// Only up to this level.
    pub level_at_most: u8,
    /// Only that player's so-manieth card of the turn; 0 is any.
    pub nth: u8,
}

/// A set of tribes, one bit for each.
pub type Tribes = u64;
/// The most tribes.
pub const TRIBES: usize = Tribes::BITS as usize;
/// The most activated abilities of a creature.
pub const ACTIVATED: usize = 2;

/// Which creatures.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Filter {
    /// Whose.
    pub side: SideForm,
    /// Whether the creature that has the ability is left out.
    pub other: bool,
    /// Whether what was chosen is left out.
    pub not_chosen: bool,
    /// Where.
    pub place: Place,
    /// With this much attack or less.
    pub attack_at_most: i16,
    /// With this much attack or more.
    pub attack_at_least: i16,
    /// In one of these lanes; bit `l` is lane `l` from the left, and no bit is any lane.
    pub lanes: u8,
    /// Up to this level.
    pub level_at_most: u8,
    /// Of this faction.
    pub faction: Option<Faction>,
    /// Not of this faction.
    pub not_faction: Option<Faction>,
    /// Of one of these tribes; 0 is any.
    pub tribes: Tribes,
    /// Of none of these tribes.
    pub not_tribes: Tribes,
    /// With this keyword.
    pub keyword: Option<Keyword>,
    /// Poisoned.
    pub poisoned: bool,
}

impl Filter {
    /// Whether it asks for nothing but where a creature is, so that [`spaces`](Self::spaces) says it all.
    #[must_use]
    pub fn is_of_spaces(&self) -> bool {
        !self.not_chosen
            && self.level_at_most == u8::MAX
            && (self.faction, self.not_faction) == (None, None)
            && (self.tribes, self.not_tribes) == (0, 0)
            && !self.asks_of_attack()
            && self.keyword.is_none()
            && !self.poisoned
    }

    /// Whether it asks for a creature's attack.
    #[inline]
    #[must_use]
    pub fn asks_of_attack(&self) -> bool {
        self.attack_at_most < i16::MAX || self.attack_at_least > i16::MIN
    }

    /// The spaces that it means, seen from the creature that has the ability.
    #[inline]
    #[must_use]
    pub fn spaces(&self, source: Ref) -> Spaces {
        let side = match self.side {
            SideForm::Any => Spaces::ALL,
            SideForm::Friend => Spaces::ALL.of(source.side()),
            SideForm::Enemy => Spaces::ALL.of(source.side().other()),
        };
        let place = match self.place {
            Place::Anywhere => Spaces::ALL,
            Place::Adjacent => Spaces::beside(source.side(), source.lane),
            Place::Opposite => Spaces::one(source.side().other(), source.lane),
        };
        let lanes = if self.lanes == 0 { Spaces::ALL } else { Spaces::in_lanes(self.lanes) };
        side.and(place).and(lanes)
    }
}

/// A number that an effect uses.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Amount {
    /// Known beforehand.
    Fixed(i16),
    /// Read off the game, times something.
    Read(Quantity, Whose, i16),
    /// Drawn between two numbers, both included.
    Random(i16, i16),
}

/// Whom an effect acts on.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Who {
    /// The creature that has the ability.
    Itself,
    /// The creature that set it off.
    Subject,
    /// The creature across from it.
    Opposite,
    /// The creature across from where the creature that set it off stood.
    OppositeSubject,
    /// What was chosen.
    Chosen,
    /// What was chosen besides.
    AlsoChosen,
    /// The player who has the ability.
    You,
    /// The other player.
    Opponent,
    /// All such creatures.
    Each(Filter),
    /// So many of such creatures, drawn.
    Random(Filter, u8),
    /// The one with the lowest attack, drawn among equals.
    LowestAttack(Filter),
}

/// What creatures gain.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Gain {
    /// Attack.
    pub attack: Amount,
    /// Health.
    pub health: Amount,
    /// Armor.
    pub armor: Amount,
    /// Poison.
    pub poison: Amount,
    /// Regenerate.
    pub regenerate: Amount,
    /// Mobility.
    pub mobility: Amount,
    /// Battles more in each turn.
    pub battles: Amount,
    /// Keywords.
    pub keywords: EnumSet<Keyword>,
    /// For how long.
    pub until: Until,
}

/// What is put on the field.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Spawned {
    /// This card at this level.
    Form(Form),
    /// A fresh copy.
    Copy(CopyOf),
}

/// Which of the dead are put on the field.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Revival {
    /// How many.
    pub count: u8,
    /// Whether they enter together, or one after another.
    pub together: bool,
    /// Only those up to this level.
    pub level_at_most: u8,
    /// Only those of this faction.
    pub faction: Option<Faction>,
    /// Only those of one of these tribes; 0 is any.
    pub tribes: Tribes,
}

/// Something that an ability does.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Effect {
    /// Changes creatures.
    Gain(Who, Gain),
    /// Swaps attack and health.
    Swap(Who),
    /// Damage.
    Damage(Who, Amount),
    /// Takes damage off.
    Heal(Who, Amount),
    /// Adds to players' life.
    Life(Who, Amount),
    /// Destroys.
    Destroy(Who),
    /// Puts a creature on the field.
    Spawn(Spawned, Space),
    /// Puts copies of dead creatures on the field.
    Revive(Revival),
    /// Moves creatures, if it says so also when they are destroyed.
    Move(Who, Space, bool),
    /// Takes keywords away, and all abilities if it says so.
    Lose(Who, EnumSet<Keyword>, bool),
    /// Puts a fresh creature into the space of each.
    Replace(Who, Form),
    /// Returns creatures to their players' hands.
    ReturnToHand(Who),
    /// Puts another ability off, which resolves once. Where it speaks of a creature that is remembered, it remembers the one that was
    /// chosen, once for each, or the one that set it off.
    Later(AbilityId, bool),
    /// Allows more plays this turn.
    Plays(Who, Amount),
    /// Gives another ability.
    Grant(Who, AbilityId, Until),
    /// Draws cards.
    Draw(Who, Amount),
    /// Discards down to so many.
    DiscardDownTo(Who, Amount),
    /// Discards the chosen card and levels it.
    LevelChosen,
    /// Looks whether creatures can battle again.
    LookForBattles,
}

/// Something that must be true when an ability resolves.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Demand {
    /// The creature is in the centre lane (or is not).
    Center(bool),
    /// The space of the creature that set it off is free.
    SpaceFree,
    /// A card of this faction is in hand.
    Allied(Faction),
    /// There is such a creature.
    Exists(Filter),
}

/// What is chosen.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Choice {
    /// What.
    pub what: Choosable,
    /// Among which creatures.
    pub from: Filter,
    /// How many at most.
    pub count: u8,
    /// Whether nothing may be chosen.
    pub may: bool,
}

/// An ability of one level of one card.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Ability {
    /// The card that it is printed on.
    pub form: Form,
    /// What sets it off.
    pub trigger: Trigger,
    /// What must be true.
    pub demands: Box<[Demand]>,
    /// What is chosen; an ability with a choice is targeted.
    pub choice: Option<Choice>,
    /// What is chosen besides.
    pub also: Option<Choice>,
    /// What it does.
    pub effects: Box<[Effect]>,
}

/// A number that statics change.
#[derive(EnumSetType, Debug, Hash, strum::EnumCount)]
pub enum Number {
    /// A creature's attack.
    Attack,
    /// A creature's health.
    Health,
    /// A creature's armor.
    Armor,
    /// A creature's battles in a turn.
    Battles,
    /// How much a creature heals at the start of each turn.
    Regenerate,
    /// A player's armor.
    PlayerArmor,
}

impl Number {
    /// How many there are.
    pub const COUNT: usize = <Self as strum::EnumCount>::COUNT;
}

/// What holds while a creature of some form is on the field.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Static {
    /// For whom.
    pub who: StaticWho,
    /// Only in the centre lane (true), or only elsewhere (false).
    pub in_center: Option<bool>,
    /// Attack added.
    pub attack: i16,
    /// Health added.
    pub health: i16,
    /// Armor added.
    pub armor: i16,
    /// Regenerate added.
    pub regenerate: i16,
    /// Battles added.
    pub battles: i16,
    /// Attack becomes health.
    pub attack_is_health: bool,
    /// The player's life is added to attack and health.
    pub plus_life: bool,
}

impl Static {
    /// The numbers that it changes.
    #[must_use]
    pub fn touches(&self) -> EnumSet<Number> {
        if self.who == StaticWho::You {
            return if self.armor == 0 { EnumSet::empty() } else { Number::PlayerArmor.into() };
        }
        let of = |number: Number| match number {
            Number::Attack => self.attack != 0 || self.attack_is_health || self.plus_life,
            Number::Health => self.health != 0 || self.plus_life,
            Number::Armor => self.armor != 0,
            Number::Battles => self.battles != 0,
            Number::Regenerate => self.regenerate != 0,
            Number::PlayerArmor => false,
        };
        EnumSet::all().iter().filter(|&number| of(number)).collect()
    }
}

/// A thing that can be chosen.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Pick {
    /// Nothing.
    Nothing,
    /// The creature in a space.
    Creature(Side, u8),
    /// A player.
    Player(Side),
    /// A space on the chooser's side.
    Space(Side, u8),
    /// A card in the chooser's hand.
    Card(u8),
}

/// The most things that can be chosen: ten creatures and two players, or the cards of a hand.
pub const PICKS: usize = if PILE > 12 { PILE } else { 12 };
/// Things that are chosen, in the order in which they were.
pub type Picks = ArrayVec<Pick, PICKS>;

/// Things that can be chosen, in one order: creatures by side and lane, the other player, the chooser, free spaces of the
/// chooser's side from left to right, cards by their place in the hand. A set of bits, because most of the time they are
/// counted and one of them is looked up.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Options {
    bits: u64,
    by: Side,
}

impl Options {
    /// Nothing can be chosen.
    pub const NONE: Self = Self { bits: 0, by: Side::A };
    /// After the spaces of both sides, which have the creatures.
    const PLAYERS: u32 = u16::BITS;
    const SPACES: u32 = Self::PLAYERS + 2;
    const CARDS: u32 = Self::SPACES + LANES as u32;

    /// Creatures, for a player to choose among.
    #[inline]
    #[must_use]
    pub fn creatures(among: Spaces, by: Side) -> Self {
        Self { bits: u64::from(among.bits()), by }
    }

    /// The first cards of the chooser's hand, so many.
    #[inline]
    #[must_use]
    pub fn cards(count: usize, by: Side) -> Self {
        const { assert!(Self::CARDS as usize + PILE <= u64::BITS as usize, "a bit for each card") };
        Self { bits: ((1 << count) - 1) << Self::CARDS, by }
    }

    /// Free spaces of the chooser's side.
    #[inline]
    #[must_use]
    pub fn spaces(free: Spaces, by: Side) -> Self {
        Self { bits: u64::from(free.lanes_of(by)) << Self::SPACES, by }
    }

    /// The bit of something that can be chosen; none of what never can by this player.
    #[inline]
    fn bit(self, pick: Pick) -> u64 {
        match pick {
            Pick::Nothing => 0,
            Pick::Creature(side, lane) => Self::creatures(Spaces::one(side, lane), self.by).bits,
            Pick::Player(side) => 1 << (Self::PLAYERS + u32::from(side == self.by)),
            Pick::Space(side, _) if side != self.by => 0,
            Pick::Space(_, lane) => 1 << (Self::SPACES + u32::from(lane)),
            Pick::Card(at) => 1 << (Self::CARDS + u32::from(at)),
        }
    }

    /// What the lowest bit stands for.
    #[inline]
    fn pick(self) -> Pick {
        let bit = self.bits.trailing_zeros();
        if bit < Self::PLAYERS {
            let (side, lane) = Spaces::at_bit(bit as u8);
            Pick::Creature(side, lane)
        } else if bit == Self::PLAYERS {
            Pick::Player(self.by.other())
        } else if bit < Self::SPACES {
            Pick::Player(self.by)
        } else if bit < Self::CARDS {
            Pick::Space(self.by, (bit - Self::SPACES) as u8)
        } else {
            Pick::Card((bit - Self::CARDS) as u8)
        }
    }

    /// Adds something that can be chosen.
    #[inline]
    pub fn add(&mut self, pick: Pick) {
        self.bits |= self.bit(pick);
    }

    /// Takes something out.
    #[inline]
    pub fn remove(&mut self, pick: Pick) {
        self.bits &= !self.bit(pick);
    }

    /// Whether nothing can be chosen.
    #[inline]
    #[must_use]
    pub fn is_empty(self) -> bool {
        self.bits == 0
    }
}

impl Iterator for Options {
    type Item = Pick;

    #[inline]
    fn next(&mut self) -> Option<Pick> {
        if self.bits == 0 {
            return None;
        }
        let first = self.pick();
        self.bits &= self.bits - 1;
        Some(first)
    }

    /// Passes over bits without asking what they stand for.
    #[inline]
    fn nth(&mut self, number: usize) -> Option<Pick> {
        for _ in 0..number {
            self.bits &= self.bits.wrapping_sub(1);
        }
        self.next()
    }

    #[inline]
    fn size_hint(&self) -> (usize, Option<usize>) {
        let count = self.bits.count_ones() as usize;
        (count, Some(count))
    }
}

impl ExactSizeIterator for Options {}
