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

/// An ability, as an index into the setup's list.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct AbilityId(pub u16);

/// The kinds of happenings that can set an ability off; a creature is only asked about those it listens to.
#[derive(EnumSetType, Debug, Hash, strum::EnumCount, strum::IntoStaticStr)]
#[strum(serialize_all = "snake_case")]
pub enum Hook {
    /// The spell itself is played.
    Cast,
    /// It has been played from the hand.
    Forge,
    /// It is destroyed.
    Vengeance,
    /// Its player activates it.
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
    /// The moment has come until which it was put off.
    Later,
}

impl Hook {
    /// Number of variants.
    pub const COUNT: usize = <Self as strum::EnumCount>::COUNT;

    /// Its name, as card files write it.
    #[must_use]
    pub fn name(self) -> &'static str {
        self.into()
    }
}

/// What sets an ability off.
#[derive(Clone, Copy, Debug, PartialEq, Eq, strum::IntoStaticStr)]
#[strum(serialize_all = "snake_case")]
pub enum Trigger {
    /// The spell itself is played.
    Cast,
    /// It has been played from the hand.
    Forge,
    /// The creature itself enters the field.
    Arrives,
    /// It is destroyed.
    Vengeance,
    /// Its player activates it, up to so many times a turn.
    Activate(u8),
    /// A creature enters: only from the hand (true), only in other ways (false), or in any way (None).
    Enters(Filter, Option<bool>),
    /// A creature is destroyed.
    Destroyed(Filter),
    /// The creature itself moves.
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
    /// The moment has come until which it was put off.
    Later(Later),
}

impl Trigger {
    /// The word after `when` in card files, or `later` of what is put off.
    #[must_use]
    pub fn word(self) -> &'static str {
        match self {
            Trigger::Activate(times) if times > 1 => "activate_twice",
            trigger => trigger.into(),
        }
    }

    /// The hook that it belongs to.
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
    /// Only that player's card of this number in the turn, from 1; 0 is any.
    pub nth: u8,
}

/// A set of tribes, one bit for each.
pub type Tribes = u64;
/// Maximum number of tribes.
pub const TRIBES: usize = Tribes::BITS as usize;
/// Maximum number of activated abilities of a creature.
pub const ACTIVATED: usize = 2;

/// Selects creatures: those for which everything given here is true.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Filter {
    /// On this side.
    pub side: SideForm,
    /// Whether the creature that has the ability is left out.
    pub other: bool,
    /// Whether what was chosen is left out.
    pub not_chosen: bool,
    /// In this place, seen from the creature that has the ability.
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
    /// Only Poisoned ones.
    pub poisoned: bool,
}

impl Filter {
    /// Whether the filter asks for nothing but where a creature is, so that [`spaces`](Self::spaces) decides
    /// everything.
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

    /// The spaces that the filter allows, seen from the creature that has the ability.
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
    /// A fixed number.
    Fixed(i16),
    /// A quantity read off the game when the effect happens, times a factor.
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
    /// What the second of two choices chose.
    AlsoChosen,
    /// The player who has the ability.
    You,
    /// The other player.
    Opponent,
    /// All creatures that the filter selects.
    Each(Filter),
    /// So many of the creatures that the filter selects, drawn at random.
    Random(Filter, u8),
    /// Of the creatures that the filter selects, the one with the lowest attack, drawn among equals.
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
    /// Extra battles in each turn.
    pub battles: Amount,
    /// Keywords.
    pub keywords: EnumSet<Keyword>,
    /// How long it lasts.
    pub until: Until,
}

/// The creature that is put on the field.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Spawned {
    /// This card at this level.
    Form(Form),
    /// A fresh copy of a creature.
    Copy(CopyOf),
}

/// Which dead creatures are revived, and how.
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
    /// Deals damage.
    Damage(Who, Amount),
    /// Heals damage.
    Heal(Who, Amount),
    /// Adds to players' life.
    Life(Who, Amount),
    /// Destroys creatures.
    Destroy(Who),
    /// Puts a creature on the field.
    Spawn(Spawned, Space),
    /// Puts copies of dead creatures on the field.
    Revive(Revival),
    /// Moves creatures. If true, a creature moves itself even when it is destroyed already.
    Move(Who, Space, bool),
    /// Takes keywords away and, if true, all abilities.
    Lose(Who, EnumSet<Keyword>, bool),
    /// Replaces each creature by a fresh one in its space.
    Replace(Who, Form),
    /// Returns creatures to their players' hands.
    ReturnToHand(Who),
    /// Puts another ability off, which then resolves once. If true, that ability refers to a creature that it
    /// remembers: the one that was chosen (it is put off once for each), or without a choice the one that set this
    /// ability off.
    Later(AbilityId, bool),
    /// Allows more plays this turn.
    Plays(Who, Amount),
    /// Grants creatures another ability.
    Grant(Who, AbilityId, Until),
    /// Draws cards.
    Draw(Who, Amount),
    /// Makes players discard cards until so many are left.
    DiscardDownTo(Who, Amount),
    /// Discards the chosen card and levels it.
    LevelChosen,
    /// Checks whether creatures can battle again.
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
    /// There is a creature that the filter selects.
    Exists(Filter),
}

/// What a player chooses for an ability.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Choice {
    /// The kind of thing that is chosen.
    pub what: Choosable,
    /// Which creatures can be chosen.
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
    /// What must be true when it resolves.
    pub demands: Box<[Demand]>,
    /// What is chosen; an ability with a choice is targeted.
    pub choice: Option<Choice>,
    /// A second choice, independent of the first.
    pub also: Option<Choice>,
    /// What it does.
    pub effects: Box<[Effect]>,
}

impl Ability {
    /// Whether it looks if creatures can battle again, which is an effect that no event tells.
    #[must_use]
    pub fn looks_for_battles(&self) -> bool {
        self.effects.contains(&Effect::LookForBattles)
    }
}

/// A number that statics can change.
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
    /// Number of variants.
    pub const COUNT: usize = <Self as strum::EnumCount>::COUNT;
}

/// A static: what holds while a creature of some form is on the field.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Static {
    /// For whom it holds.
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
    /// The card at a place of the chooser's hand.
    Card(u8),
}

/// Maximum number of options of a choice: ten creatures and two players, or the cards of a hand.
pub const PICKS: usize = if PILE > 12 { PILE } else { 12 };
/// Things that were chosen, in the order of choosing.
pub type Picks = ArrayVec<Pick, PICKS>;

/// The options of a choice, in a fixed order: creatures by side and lane, the other player, the chooser, free spaces of
/// the chooser's side from left to right, cards by their place in the hand. It is a set of bits, because most of the
/// time the options are counted and one of them is looked up.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Options {
    bits: u64,
    by: Side,
}

impl Options {
    /// No options.
    pub const NONE: Self = Self { bits: 0, by: Side::A };
    /// The first bit of the players, after the bits of the spaces of both sides, which stand for creatures.
    const PLAYERS: u32 = u16::BITS;
    const SPACES: u32 = Self::PLAYERS + 2;
    const CARDS: u32 = Self::SPACES + LANES as u32;

    /// The creatures in these spaces, as options of a player.
    #[inline]
    #[must_use]
    pub fn creatures(among: Spaces, by: Side) -> Self {
        Self { bits: u64::from(among.bits()), by }
    }

    /// The first `count` cards of the chooser's hand.
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

    /// The bit of an option; 0 for what this player can never choose.
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

    /// The option of the lowest bit.
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

    /// Adds an option.
    #[inline]
    pub fn add(&mut self, pick: Pick) {
        self.bits |= self.bit(pick);
    }

    /// Removes an option.
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

    /// Skips bits without looking up what they stand for.
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
