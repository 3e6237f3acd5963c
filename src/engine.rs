//! The interface to the games: one loaded scenario of any game behind an object-safe trait, and the list of games.
//!
//! Rules are generic over dice and watches, so that a battle costs nothing that is not asked for. From here outwards
//! nothing is generic over games any more: a command, a study or a table is compiled once.

use std::any::Any;
use std::marker::PhantomData;
use std::path::Path;
use std::sync::Arc;

use num_rational::BigRational;
use serde_json::Value;
use toml::Spanned;
use toml::de::DeTable;

use crate::chance::{Chance, Keyed, Roll as _, Seeded};
use crate::game::{
    Game, Outcome, Side, Stratum, Unwatched, Watch, play_dyn, play_on, play_on_dyn, start_dyn,
};
use crate::games::eldertale::ElderTale;
use crate::games::sanctum::Sanctum;
use crate::games::solforge::SolForge;
use crate::games::splinterlands::Splinterlands;
use crate::games::{Acts, Playable};
use crate::lineups::{Brought, Fields, LineUp, NoLineUps, Space, Stock};
use crate::recast::Recast;
use crate::scenario::{
    Document, Fault, Faults, Loaded, Number, Variants, game_of, load_tree, numbers, schema,
    suggestion, tree, variants,
};
use crate::statistics::DrawModel;
use crate::story::{Line, Overheard, Stepped, Stepping, Thrown, Trace};
use crate::table::Table;
use crate::tally::{Assignment, Layout, Record, Recorder};
use crate::walk::{self, Budget, Horizon, Odds, Outlook};

/// All games, in the order of the documentation. The one place where a game is listed.
pub static GAMES: &[&dyn Rules] = &[
    &Rulebook::<Splinterlands>::NEW,
    &Rulebook::<SolForge>::NEW,
    &Rulebook::<Sanctum>::NEW,
    &Rulebook::<ElderTale>::NEW,
];

/// A rule system, before any scenario.
pub trait Rules: Sync {
    /// Its name in scenarios and on the command line.
    fn name(&self) -> &'static str;

    /// The game in one line.
    fn summary(&self) -> &'static str;

    /// The scenario to begin with, commented: it runs as it is.
    fn template(&self) -> &'static str;

    /// The names of the tables that list what it has (`cards`, `abilities`, `rulesets`, ...).
    fn shelves(&self) -> &'static [&'static str];

    /// One of [`shelves`](Self::shelves) as a table; none for any other name.
    fn shelf(&self, name: &str) -> Option<Table>;

    /// The JSON Schema of its scenarios.
    fn schema(&self) -> Value;

    /// The whole numbers of cards that the `[changes]` of a document reach, as they are in it.
    ///
    /// # Errors
    /// Every fault of the first stage that finds any.
    fn numbers(&self, document: &Document) -> Result<Vec<Number>, Faults>;

    /// Checks the tree of a document, which may be a variant of its text.
    ///
    /// # Errors
    /// Every fault of the first stage that finds any.
    fn check<'t>(
        &self,
        document: &'t Document,
        tree: Spanned<DeTable<'t>>,
    ) -> Result<Scenario, Faults>;
}

/// The rules called `name`; none when there is no such game.
#[must_use]
pub fn rules(name: &str) -> Option<&'static dyn Rules> {
    GAMES.iter().copied().find(|rules| rules.name() == name)
}

/// The names of all games.
pub fn names() -> impl Iterator<Item = &'static str> {
    GAMES.iter().map(|rules| rules.name())
}

/// What to do about an unknown name of a game: the likeliest name, or all of them.
#[must_use]
pub fn suggested_game(name: &str) -> String {
    let known: Vec<&str> = names().collect();
    suggestion(name, known.iter().copied(), &format!("known games: {}", known.join(", ")))
}

/// The rules of game `G` as an object, also of a game that is not in [`GAMES`].
#[derive(Clone, Copy, Debug)]
pub struct Rulebook<G>(PhantomData<fn() -> G>);

impl<G> Rulebook<G> {
    /// The only value.
    pub const NEW: Self = Self(PhantomData);
}

impl<G: Playable> Rulebook<G> {
    /// Checks a document of this game. [`Scenario::of`] finds the game by itself, but only among [`GAMES`].
    ///
    /// # Errors
    /// Every fault of the first stage that finds any; another game's name is one.
    pub fn read(self, document: &Document) -> Result<Scenario, Faults> {
        self.check(document, tree(&document.source)?)
    }
}

impl<G: Playable> Rules for Rulebook<G> {
    fn name(&self) -> &'static str {
        G::NAME
    }

    fn summary(&self) -> &'static str {
        G::SUMMARY
    }

    fn template(&self) -> &'static str {
        G::TEMPLATE
    }

    fn shelves(&self) -> &'static [&'static str] {
        G::SHELVES
    }

    fn shelf(&self, name: &str) -> Option<Table> {
        G::shelf(name)
    }

    fn schema(&self) -> Value {
        schema::<G>()
    }

    fn numbers(&self, document: &Document) -> Result<Vec<Number>, Faults> {
        numbers::<G>(document)
    }

    fn check<'t>(
        &self,
        document: &'t Document,
        tree: Spanned<DeTable<'t>>,
    ) -> Result<Scenario, Faults> {
        let Loaded { name, common, setup, fingerprint, files, warnings, idle, own } =
            load_tree::<G>(document, tree)?;
        Ok(Loaded { name, common, setup: of::<G>(setup), fingerprint, files, warnings, idle, own })
    }
}

/// A scenario of any game that passed every check.
///
/// ```
/// use evens::Scenario;
///
/// let scenario = Scenario::read("splinterlands/mirror")?;
/// assert_eq!(scenario.engine().layout().sides, 2);
/// # Ok::<(), evens::Faults>(())
/// ```
pub type Scenario = Loaded<Box<dyn Engine>>;

impl Scenario {
    /// Reads and checks the scenario at a path, or a bundled one by its name.
    ///
    /// # Errors
    /// Every fault of the first stage that finds any.
    pub fn read(path: impl AsRef<Path>) -> Result<Self, Faults> {
        Self::of(&Document::read(path)?)
    }

    /// Checks a document.
    ///
    /// # Errors
    /// Every fault of the first stage that finds any.
    pub fn of(document: &Document) -> Result<Self, Faults> {
        rules_of(document)?.check(document, tree(&document.source)?)
    }

    /// The engine that plays it.
    #[must_use]
    pub fn engine(&self) -> &dyn Engine {
        &*self.setup
    }
}

/// The rules of the game that a document names.
///
/// # Errors
/// When it is not TOML, names no game, or one that there is not.
pub fn rules_of(document: &Document) -> Result<&'static dyn Rules, Faults> {
    let (game, span) = game_of(&document.source)?;
    rules(&game).ok_or_else(|| {
        let message = format!("unknown game `{game}`");
        let fault = Fault::at(&document.source, span, message, suggested_game(&game));
        Faults::one(document.source.name(), fault)
    })
}

/// Checks every variant that a document and the command line ask for, and hands each to `keep`; see [`variants`].
///
/// # Errors
/// As [`variants`] has them.
pub fn variants_of(
    document: &Document,
    zip: bool,
    keep: &mut dyn FnMut(Box<dyn Engine>),
) -> Result<Variants<Box<dyn Engine>>, Vec<Faults>> {
    let rules = rules_of(document).map_err(|faults| vec![faults])?;
    variants(document, zip, &|document, tree| rules.check(document, tree), keep)
}

/// One battle to be played: its number, its dice and its stratum.
#[derive(Clone, Copy, Debug)]
pub struct Battle<'a> {
    /// The seed of the stream that the battle is numbered in.
    pub seed: u64,
    /// Its number in the stream.
    pub index: u64,
    /// Where its dice come from.
    pub dice: Dice,
    /// How its match-up and condition are decided.
    pub place: Place<'a>,
}

/// Where a battle's dice come from.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Dice {
    /// A generator, seeded for each battle: for sampling.
    Seeded,
    /// A hash of each die's address: for variants that are compared battle by battle (common random numbers).
    Keyed,
}

/// How a battle's stratum is decided.
#[derive(Clone, Copy, Debug)]
pub enum Place<'a> {
    /// The batch assigns it by the battle's number and dice.
    Assigned(&'a Assignment),
    /// It is given.
    Stratum(Stratum),
}

/// How closely to look at a battle; what is not asked for costs nothing.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Look {
    /// Follow every event: orders, damage.
    pub events: bool,
    /// Note who took part and survived.
    pub fighters: bool,
}

/// A battle told as a story.
#[derive(Clone, Debug)]
pub struct Told {
    /// The match-up and condition of the battle.
    pub stratum: Stratum,
    /// The story, line by line.
    pub lines: Vec<Line>,
    /// How it ended.
    pub outcome: Outcome,
    /// How many rounds were played.
    pub rounds: u32,
}

/// A scenario's rules, cards and sides, ready to be played.
pub trait Engine: Send + Sync {
    /// The name of its game.
    fn game(&self) -> &'static str;

    /// The names behind everything that a tally can count.
    fn layout(&self) -> &Layout;

    /// Plays one battle and notes in `record` how it ended, its length, forfeits and metrics, and whatever else `look`
    /// asks for. The same battle gives the same record, whoever asks.
    fn play(&self, battle: Battle<'_>, look: Look, record: &mut Record);

    /// Plays one battle and tells it.
    fn tell(&self, battle: Battle<'_>) -> Told;

    /// Plays one battle and tells it step by step, with the dice and the board of each step.
    fn step(&self, battle: Battle<'_>) -> Stepped;

    /// The names of everything that could have an effect in a battle: abilities, effects, cards, conditions.
    fn activities(&self) -> Vec<String>;

    /// Plays a battle and adds to `counts`, one number for each of [`activities`](Self::activities), how often each had
    /// an effect.
    fn count_activity(&self, battle: Battle<'_>, counts: &mut [u64]);

    /// The exact odds of a match-up (an index into the layout's) by walking all outcomes. `go_on` is told now and then
    /// how many ways were walked, and ends the walk by returning false.
    fn walk(&self, matchup: usize, budget: Budget, go_on: &mut dyn FnMut(u64) -> bool) -> Odds;

    /// What a walk of a match-up can be expected to take, by stratum that can be drawn.
    fn outlook(&self, matchup: usize, horizon: Horizon) -> Vec<Outlook>;

    /// Whether the rules stop battles with nothing decided.
    fn can_be_undecided(&self) -> bool {
        true
    }

    /// The exact probabilities of the layout's conditions.
    fn drawn(&self) -> Vec<BigRational>;

    /// The exact probabilities of everything that is drawn before a battle, as a table; none where nothing is drawn.
    fn odds(&self) -> Option<Table>;

    /// How the odds of the conditions follow from weights, where the game draws conditions by weight.
    fn draw_model(&self) -> Option<&dyn DrawModel>;

    /// Whether every condition of `other` plays out just alike here, so that battles of this engine answer for both.
    fn plays_alike(&self, other: &dyn Engine) -> bool;

    /// This scenario with one of the layout's [`forcible`](Layout::forcible) orders (an index) forced, so that this
    /// side is the first; none where there is no such order, or the side cannot be its first.
    fn forcing(&self, order: usize, first: Side) -> Option<Box<dyn Engine>>;

    /// What a side of a match-up always brings, where that is not what takes part in every battle of it: units with
    /// their number of copies. None where the fighters of a battle show it.
    fn brings(&self, _matchup: usize, _side: Side) -> Option<Vec<(u16, u32)>> {
        None
    }

    /// Whether the fighters of a battle are the units that were brought to it, so that they show what drawn sides
    /// bring.
    fn fighters_are_brought(&self) -> bool {
        true
    }

    /// The units that a contender may bring to a battle, each once: those that are drawn for it under some condition, or
    /// that it always brings. None in games where nothing is drawn for anybody.
    fn may_bring(&self, _contender: &str) -> Vec<u16> {
        Vec::new()
    }

    /// The units that a contender brings to every battle, each once, because its line-up is given and not drawn. None in
    /// games where nothing is drawn for anybody.
    fn always_brings(&self, _contender: &str) -> Vec<u16> {
        Vec::new()
    }

    /// What playing a unit is paid with where bringing it costs nothing; none where playing costs nothing either.
    fn played_for(&self) -> Option<&'static str> {
        None
    }

    /// The cost of bringing a unit, in the game's own coin (mana); none where the game has none.
    fn cost(&self, _unit: u16) -> Option<u32> {
        None
    }

    /// The units that could be brought in place of one, wherever it is brought: others of the same kind and cost.
    fn stand_ins(&self, _unit: u16) -> Vec<u16> {
        Vec::new()
    }

    /// Whether a unit may stand in for another in a battle under this condition; `is_there` says whether its side
    /// brings it already.
    fn may_stand_in(&self, _condition: u32, _unit: u16, _is_there: bool) -> bool {
        true
    }

    /// The abilities of a unit, as far as they can matter here.
    fn abilities(&self, _unit: u16) -> Vec<String> {
        Vec::new()
    }

    /// This scenario with a unit that acts as something else once everything is drawn; none where that cannot be.
    fn recast(&self, _unit: u16, _recast: Recast) -> Option<Box<dyn Engine>> {
        None
    }

    /// The line-ups that a contender may bring, under the rules of the scenario.
    ///
    /// # Errors
    /// When there is no such contender, or what it brings cannot be varied.
    fn line_ups(&self, _contender: &str) -> Result<Box<dyn LineUps + '_>, NoLineUps> {
        Err(NoLineUps::Game(self.game()))
    }

    /// Takes over from another engine whatever is equal in both, and drops its own copy, so that thousands of variants
    /// of one scenario fit into memory. Nothing that can be seen changes.
    fn share(&mut self, other: &dyn Engine);

    /// For the downcasts of [`plays_alike`](Self::plays_alike) and [`share`](Self::share).
    fn as_any(&self) -> &dyn Any;
}

/// The line-ups of a contender, and battles between them: what [`Engine::line_ups`] gives.
pub trait LineUps: Space {
    /// The line-ups of this space that have no choice but those allowed here, which is given by choice.
    ///
    /// # Errors
    /// When no line-up is left, in words.
    fn only(&self, allowed: &[bool]) -> Result<Box<dyn LineUps + '_>, String>;

    /// An engine for battles between those in `brought`. A match-up lists indices into `brought`, by side. Everything
    /// else (conditions, seats, policies) is as in the scenario. A line-up is named by its text.
    ///
    /// # Panics
    /// When a line-up is not legal, or nobody has the name of a contender.
    fn engine(&self, brought: &[Brought<'_>], matchups: &[Vec<u16>]) -> Box<dyn Engine>;
}

impl std::fmt::Debug for dyn Engine + '_ {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Engine").field("game", &self.game()).finish_non_exhaustive()
    }
}

/// Makes an engine for a setup that was made without a scenario.
#[must_use]
pub fn of<G: Playable>(setup: G::Setup) -> Box<dyn Engine> {
    let layout = G::layout(&setup);
    Box::new(Checked::<G> { setup, layout: Arc::new(layout) })
}

/// A setup of game `G` with its layout.
struct Checked<G: Playable> {
    setup: G::Setup,
    layout: Arc<Layout>,
}

impl<G: Playable> Engine for Checked<G> {
    fn game(&self) -> &'static str {
        G::NAME
    }

    fn layout(&self) -> &Layout {
        &self.layout
    }

    fn play(&self, battle: Battle<'_>, look: Look, record: &mut Record) {
        let setup = &self.setup;
        let note = |record: &mut Record, state: &G::State, (outcome, rounds): (Outcome, u32)| {
            record.outcome = outcome;
            record.rounds = rounds;
            record.forfeits = G::forfeits(state);
            G::metrics(setup, state, &mut record.metrics);
            if look.fighters {
                G::fighters(setup, state, record);
            }
        };
        // Each branch has a state of its own: a state that is begun in one place and ended in another would be copied.
        match battle.dice {
            Dice::Seeded => {
                let mut dice = Seeded::of_battle(battle.seed, battle.index);
                let stratum = stratum::<G>(battle, &mut dice);
                record.clear(stratum);
                if look.events {
                    let mut watch = Recorder::<G>::new(record);
                    let mut state = G::start(setup, stratum, &mut dice, &mut watch);
                    let end = play_on::<G, _, _>(setup, &mut state, &mut dice, &mut watch);
                    note(record, &state, end);
                } else {
                    let mut state = G::start(setup, stratum, &mut dice, &mut Unwatched);
                    let end = play_on::<G, _, _>(setup, &mut state, &mut dice, &mut Unwatched);
                    note(record, &state, end);
                }
            }
            Dice::Keyed => {
                let mut dice = Keyed::of_battle(battle.seed, battle.index);
                let stratum = stratum::<G>(battle, &mut dice);
                record.clear(stratum);
                if look.events {
                    let mut watch = Recorder::<G>::new(record);
                    let mut state = start_dyn::<G>(setup, stratum, &mut dice, &mut watch);
                    let end = play_on_dyn::<G>(setup, &mut state, &mut dice, &mut watch);
                    note(record, &state, end);
                } else {
                    let mut state = G::start(setup, stratum, &mut dice, &mut Unwatched);
                    let end = play_on::<G, _, _>(setup, &mut state, &mut dice, &mut Unwatched);
                    note(record, &state, end);
                }
            }
        }
    }

    fn tell(&self, battle: Battle<'_>) -> Told {
        let mut trace = Trace::default();
        let mut dice = dice::<G>(battle);
        let stratum = stratum::<G>(battle, &mut &mut *dice);
        let ended = play_dyn::<G>(&self.setup, stratum, &mut *dice, &mut trace);
        Told { stratum, lines: trace.lines, outcome: ended.outcome, rounds: ended.rounds }
    }

    fn step(&self, battle: Battle<'_>) -> Stepped {
        let thrown = Thrown::default();
        let mut dice = dice::<G>(battle);
        let mut dice = Overheard { dice: &mut *dice, thrown: &thrown };
        let stratum = stratum::<G>(battle, &mut dice);
        let mut stepping = Stepping::new(&thrown);
        let ended = play_dyn::<G>(&self.setup, stratum, &mut dice, &mut stepping);
        let mut steps = stepping.end::<G>(&self.setup, &ended.state);
        // The first die draws the condition, whose label says more than the number of the face.
        if let (Some(roll), Place::Assigned(_)) = (G::CONDITION, battle.place)
            && let Some(die) = steps.first_mut().and_then(|step| step.dice.first_mut())
            && die.name == roll.name()
        {
            die.came = self.layout.conditions[stratum.condition as usize].label.clone();
        }
        Stepped { stratum, steps, outcome: ended.outcome, rounds: ended.rounds }
    }

    fn activities(&self) -> Vec<String> {
        G::activities(&self.setup)
    }

    fn count_activity(&self, battle: Battle<'_>, counts: &mut [u64]) {
        let mut dice = dice::<G>(battle);
        let stratum = stratum::<G>(battle, &mut &mut *dice);
        play_dyn::<G>(&self.setup, stratum, &mut *dice, &mut Activity(Acts::added_to(counts)));
    }

    fn outlook(&self, matchup: usize, horizon: Horizon) -> Vec<Outlook> {
        walk::outlook::<G>(&self.setup, matchup, &self.drawn(), horizon)
    }

    fn walk(&self, matchup: usize, budget: Budget, go_on: &mut dyn FnMut(u64) -> bool) -> Odds {
        walk::matchup::<G>(&self.setup, &self.layout, matchup, &self.drawn(), budget, go_on)
    }

    fn can_be_undecided(&self) -> bool {
        G::CAN_BE_UNDECIDED
    }

    fn drawn(&self) -> Vec<BigRational> {
        G::drawn(&self.setup)
    }

    fn odds(&self) -> Option<Table> {
        G::odds(&self.setup)
    }

    fn draw_model(&self) -> Option<&dyn DrawModel> {
        G::draw_model(&self.setup)
    }

    fn plays_alike(&self, other: &dyn Engine) -> bool {
        let other = other.as_any().downcast_ref::<Self>();
        other.is_some_and(|other| G::plays_alike(&self.setup, &other.setup))
    }

    fn forcing(&self, order: usize, first: Side) -> Option<Box<dyn Engine>> {
        G::forcing(&self.setup, order, first).map(of::<G>)
    }

    fn brings(&self, matchup: usize, side: Side) -> Option<Vec<(u16, u32)>> {
        G::brings(&self.setup, matchup, side)
    }

    fn fighters_are_brought(&self) -> bool {
        G::FIGHTERS_ARE_BROUGHT
    }

    fn may_bring(&self, contender: &str) -> Vec<u16> {
        G::may_bring(&self.setup, contender)
    }

    fn always_brings(&self, contender: &str) -> Vec<u16> {
        G::always_brings(&self.setup, contender)
    }

    fn played_for(&self) -> Option<&'static str> {
        G::PLAYED_FOR
    }

    fn cost(&self, unit: u16) -> Option<u32> {
        G::cost(&self.setup, unit)
    }

    fn stand_ins(&self, unit: u16) -> Vec<u16> {
        G::stand_ins(&self.setup, unit)
    }

    fn may_stand_in(&self, condition: u32, unit: u16, is_there: bool) -> bool {
        (G::REPEATS || !is_there) && G::is_allowed(&self.setup, condition, unit)
    }

    fn abilities(&self, unit: u16) -> Vec<String> {
        G::abilities(&self.setup, unit)
    }

    fn recast(&self, unit: u16, recast: Recast) -> Option<Box<dyn Engine>> {
        G::recast(&self.setup, unit, recast).map(of::<G>)
    }

    fn line_ups(&self, contender: &str) -> Result<Box<dyn LineUps + '_>, NoLineUps> {
        Ok(Box::new(Fielded::<G> { space: G::line_ups(&self.setup, contender)? }))
    }

    fn share(&mut self, other: &dyn Engine) {
        let Some(other) = other.as_any().downcast_ref::<Self>() else { return };
        G::share(&mut self.setup, &other.setup);
        if self.layout == other.layout {
            self.layout = Arc::clone(&other.layout);
        }
    }

    fn as_any(&self) -> &dyn Any {
        self
    }
}

/// The line-ups of a contender of game `G`, with engines for battles between them.
struct Fielded<'s, G: Playable> {
    space: Box<dyn Fields<G::Setup> + 's>,
}

impl<G: Playable> Space for Fielded<'_, G> {
    fn stock(&self) -> &Stock {
        self.space.stock()
    }

    fn own(&self) -> Option<LineUp> {
        self.space.own()
    }

    fn legal(&self, line_up: &LineUp) -> Result<(), String> {
        self.space.legal(line_up)
    }

    fn draw(&self, random: &mut Seeded) -> LineUp {
        self.space.draw(random)
    }

    fn count(&self) -> Option<u128> {
        self.space.count()
    }

    fn all(&self) -> Vec<LineUp> {
        self.space.all()
    }
}

impl<G: Playable> LineUps for Fielded<'_, G> {
    fn only(&self, allowed: &[bool]) -> Result<Box<dyn LineUps + '_>, String> {
        Ok(Box::new(Fielded::<G> { space: self.space.only(allowed)? }))
    }

    fn engine(&self, brought: &[Brought<'_>], matchups: &[Vec<u16>]) -> Box<dyn Engine> {
        of::<G>(self.space.setup(brought, matchups))
    }
}

fn stratum<G: Game>(battle: Battle<'_>, chance: &mut impl Chance<G::Roll>) -> Stratum {
    match battle.place {
        Place::Stratum(stratum) => stratum,
        Place::Assigned(assignment) => assignment.stratum(battle.index, G::CONDITION, chance),
    }
}

/// The dice of a battle behind a trait object, for uses where speed does not matter.
fn dice<G: Game>(battle: Battle<'_>) -> Box<dyn Chance<G::Roll>> {
    match battle.dice {
        Dice::Seeded => Box::new(Seeded::of_battle(battle.seed, battle.index)),
        Dice::Keyed => Box::new(Keyed::of_battle(battle.seed, battle.index)),
    }
}

/// A watch that counts activities that had an effect.
struct Activity<'c>(Acts<'c>);

impl<G: Playable> Watch<G> for Activity<'_> {
    fn see(&mut self, setup: &G::Setup, state: &G::State, event: G::Event) {
        G::note_activity(setup, state, event, &mut self.0);
    }
}
