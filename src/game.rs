//! What every game must be able to do, and how a battle is played.
//!
//! A battle is [`Game::start`] and then, unless it is over already, [`Game::round`] until it breaks. Sampling, exact
//! odds, tracing and replaying are callers of these two functions; none of them knows a rule.

use std::hash::Hash;
use std::ops::ControlFlow;

use crate::chance::{Chance, Roll};

/// A seat in a battle, counted from 0. In a two-sided game side 0 is `A` and side 1 is `B`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Side(pub u8);

impl Side {
    /// The first seat.
    pub const A: Side = Side(0);
    /// The second seat.
    pub const B: Side = Side(1);

    /// The other seat of a two-sided game.
    #[inline]
    #[must_use]
    pub fn other(self) -> Side {
        Side(1 - self.0)
    }

    /// The seat as an index into per-side arrays.
    #[inline]
    #[must_use]
    pub fn index(self) -> usize {
        usize::from(self.0)
    }

    /// The seat's letter: `A`, `B`, `C`, ...
    #[must_use]
    pub fn letter(self) -> char {
        char::from(b'A' + self.0)
    }
}

impl std::fmt::Display for Side {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{}", self.letter())
    }
}

/// How a battle ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Outcome {
    /// One side won.
    Win(Side),
    /// The rules call it a draw.
    Draw,
    /// The rules stopped the battle with nothing decided (a round limit with both sides standing).
    Undecided,
}

/// The match-up and condition that a battle is fought under.
///
/// Both are indices into the [`Layout`](crate::tally::Layout) of the setup. Conditions are what the scenario draws for
/// every battle (in Splinterlands the rulesets).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Stratum {
    /// Index into the layout's match-ups.
    pub matchup: u32,
    /// Index into the layout's conditions.
    pub condition: u32,
}

/// A rule system.
pub trait Game: Sized + Send + Sync + 'static {
    /// The game's name in scenarios and on the command line.
    const NAME: &'static str;

    /// Everything that stays the same from battle to battle; shared by all threads. A value of this
    /// type has passed every check, so playing it cannot fail.
    type Setup: Send + Sync;
    /// One battle in progress: flat, of fixed size, comparable, so that equal states can be merged.
    type State: Clone + Eq + Hash + Send + Sync;
    /// The names of the game's dice.
    type Roll: Roll;
    /// The events that a [`Watch`] is told of.
    type Event: Copy;

    /// The die that draws a battle's condition before it starts; none in a game that draws none.
    const CONDITION: Option<Self::Roll> = None;

    /// Whether the rules stop battles with nothing decided ([`Outcome::Undecided`]).
    const CAN_BE_UNDECIDED: bool = true;

    /// Sets up a battle: draws what the scenario leaves open and does everything before round 1.
    fn start<C: Chance<Self::Roll>, W: Watch<Self>>(
        setup: &Self::Setup,
        stratum: Stratum,
        chance: &mut C,
        watch: &mut W,
    ) -> Self::State;

    /// The outcome of a battle that is over before its first round; asked once, after [`start`](Self::start). Such a
    /// battle lasts 0 rounds. None where the battle goes on.
    fn over_at_start(_setup: &Self::Setup, _state: &Self::State) -> Option<Outcome> {
        None
    }

    /// The sides that forfeit a battle before it begins, as bits: side A is the lowest.
    fn forfeits(_state: &Self::State) -> u8 {
        0
    }

    /// Plays one round (a turn where the game has turns). Breaks with the outcome when the battle is
    /// over. Every game ends by itself: the rules hold a limit.
    fn round<C: Chance<Self::Roll>, W: Watch<Self>>(
        setup: &Self::Setup,
        state: &mut Self::State,
        chance: &mut C,
        watch: &mut W,
    ) -> ControlFlow<Outcome>;

    /// Makes states equal that differ only in what can no longer matter: to the rules, to what is told of them, or to
    /// what is measured at the end. Exact odds call this between rounds, so that equal states are walked on from only
    /// once; playing a battle never does.
    fn settle(_setup: &Self::Setup, _state: &mut Self::State) {}

    /// [Settles](Self::settle) a state that one round has led to from a settled one. The result is the same, but it may
    /// be quicker where a game knows what the round has left settled.
    fn settle_after(setup: &Self::Setup, state: &mut Self::State, _before: &Self::State) {
        Self::settle(setup, state);
    }

    /// A compact form of a [settled](Self::settle) state between two rounds, of which exact odds keep hundreds of
    /// thousands. It is equal for two states of a stratum just where they are. The state itself in a box will do.
    type Packed: Eq + Hash + Send + Sync;

    /// Packs a settled state.
    fn pack(state: &Self::State) -> Self::Packed;

    /// [Packs](Self::pack) a settled state that one round has led to from another one, which is given with its packed
    /// form. The result is the same, but it may be quicker where a game takes over what the round cannot have changed.
    fn pack_after(state: &Self::State, _before: (&Self::State, &Self::Packed)) -> Self::Packed {
        Self::pack(state)
    }

    /// Unpacks a state of this stratum.
    fn unpack(stratum: Stratum, packed: &Self::Packed) -> Self::State;

    /// [Unpacks](Self::unpack) a state in place of another one of this stratum. The result is the same, but it may be
    /// quicker where a game reuses the memory.
    fn unpack_into(stratum: Stratum, packed: &Self::Packed, state: &mut Self::State) {
        *state = Self::unpack(stratum, packed);
    }
}

/// An observer of a battle. Rules report events to a watch and never ask it anything, so a battle is the same whoever
/// watches.
pub trait Watch<G: Game> {
    /// Is told of `event` after it has been applied to `state`.
    fn see(&mut self, setup: &G::Setup, state: &G::State, event: G::Event);
}

/// The watch that sees nothing: calls to it compile to nothing.
#[derive(Clone, Copy, Debug, Default)]
pub struct Unwatched;

impl<G: Game> Watch<G> for Unwatched {
    #[inline(always)]
    fn see(&mut self, _: &G::Setup, _: &G::State, _: G::Event) {}
}

/// A battle that is over.
#[derive(Clone, Debug)]
pub struct Ended<S> {
    /// The state in which it ended.
    pub state: S,
    /// How it ended.
    pub outcome: Outcome,
    /// How many rounds were played; 0 where it was over before the first.
    pub rounds: u32,
}

/// Plays one battle to its end.
pub fn play<G: Game, C: Chance<G::Roll>, W: Watch<G>>(
    setup: &G::Setup,
    stratum: Stratum,
    chance: &mut C,
    watch: &mut W,
) -> Ended<G::State> {
    let mut state = G::start(setup, stratum, chance, watch);
    let (outcome, rounds) = play_on(setup, &mut state, chance, watch);
    Ended { state, outcome, rounds }
}

/// Plays a battle that has been [started](Game::start) to its end, in place. Returns how it ended, and after how many
/// rounds.
pub fn play_on<G: Game, C: Chance<G::Roll>, W: Watch<G>>(
    setup: &G::Setup,
    state: &mut G::State,
    chance: &mut C,
    watch: &mut W,
) -> (Outcome, u32) {
    if let Some(outcome) = G::over_at_start(setup, state) {
        return (outcome, 0);
    }
    let mut rounds = 1;
    loop {
        chance.round(rounds);
        match G::round(setup, state, chance, watch) {
            ControlFlow::Break(outcome) => return (outcome, rounds),
            ControlFlow::Continue(()) => rounds += 1,
        }
    }
}

impl<G: Game, W: Watch<G> + ?Sized> Watch<G> for &mut W {
    #[inline]
    fn see(&mut self, setup: &G::Setup, state: &G::State, event: G::Event) {
        (**self).see(setup, state, event);
    }
}

/// [`Game::start`] with dice and a watch that are chosen at run time. Every pair of types makes the compiler build the
/// rules once more, so whatever is rare (traces, scripts, recorded battles, the start of exact odds) shares this one
/// copy.
pub fn start_dyn<G: Game>(
    setup: &G::Setup,
    stratum: Stratum,
    mut chance: &mut dyn Chance<G::Roll>,
    mut watch: &mut dyn Watch<G>,
) -> G::State {
    G::start(setup, stratum, &mut chance, &mut watch)
}

/// [`Game::round`] with dice and a watch that are chosen at run time.
pub fn round_dyn<G: Game>(
    setup: &G::Setup,
    state: &mut G::State,
    mut chance: &mut dyn Chance<G::Roll>,
    mut watch: &mut dyn Watch<G>,
) -> ControlFlow<Outcome> {
    G::round(setup, state, &mut chance, &mut watch)
}

/// [`play`] with dice and a watch that are chosen at run time.
pub fn play_dyn<G: Game>(
    setup: &G::Setup,
    stratum: Stratum,
    chance: &mut dyn Chance<G::Roll>,
    watch: &mut dyn Watch<G>,
) -> Ended<G::State> {
    let mut state = start_dyn::<G>(setup, stratum, chance, watch);
    let (outcome, rounds) = play_on_dyn::<G>(setup, &mut state, chance, watch);
    Ended { state, outcome, rounds }
}

/// [`play_on`] with dice and a watch that are chosen at run time.
pub fn play_on_dyn<G: Game>(
    setup: &G::Setup,
    state: &mut G::State,
    mut chance: &mut dyn Chance<G::Roll>,
    mut watch: &mut dyn Watch<G>,
) -> (Outcome, u32) {
    play_on::<G, _, _>(setup, state, &mut chance, &mut watch)
}
