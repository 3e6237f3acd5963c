//! Which cards and abilities of a scenario ever do anything: whoever designs cards wants to know which never did.
//!
//! Everything that could be played, enter or fire is listed once ([`labels`]); watching a game counts what does
//! ([`note`]).

use std::collections::HashMap;

use super::ability::{AbilityId, Effect, Spawned, Trigger};
use super::event::{Entry, Event};
use super::setup::{Brings, Cards, Play, Setup};
use super::state::{Form, State};
use crate::game::Side;
use crate::games::Acts;

/// The index of the count of each card and ability; None for what cannot come up in the scenario.
#[derive(Clone, Debug, Default)]
pub(super) struct Activity {
    /// By card.
    cards: Vec<Option<u32>>,
    /// By card: whether it is on the field when a game begins.
    stands: Vec<bool>,
    /// By ability.
    abilities: Vec<Option<u32>>,
    labels: Vec<String>,
}

impl Activity {
    /// Finds what can come up: the cards that players hold, whatever they level to, and whatever these put on the field
    /// or grant. Of creatures that stand on the field from the start only the abilities count: nobody plays them.
    pub(super) fn new(cards: &Cards, play: &Play) -> Self {
        let mut found = Found {
            cards,
            forms: vec![false; cards.forms.len()],
            stands: vec![false; cards.cards.len()],
            abilities: vec![None; cards.abilities.len()],
        };
        match play {
            Play::Position(position) => {
                for state in &position.starts {
                    for (side, lane) in state.occupied {
                        found.stands(state.at(side, lane).form);
                    }
                    for side in [Side::A, Side::B] {
                        let player = state.player(side);
                        for pile in [&player.hand, &player.deck, &player.discard] {
                            pile.iter().for_each(|&form| found.form(form));
                        }
                    }
                    state.dead.iter().for_each(|&form| found.form(form));
                }
            }
            Play::Games(games) => {
                for deck in &games.decks {
                    match &deck.brings {
                        Brings::Fixed(deck) => deck.iter().for_each(|&form| found.form(form)),
                        Brings::Drawn(pool) => pool.forms().for_each(|form| found.form(form)),
                    }
                }
            }
        }
        let Found { forms, stands, abilities, .. } = found;
        let mut activity = Self {
            cards: vec![None; cards.cards.len()],
            stands,
            abilities: vec![None; cards.abilities.len()],
            labels: Vec::new(),
        };
        for (at, card) in cards.cards.iter().enumerate() {
            if card.forms.clone().any(|form| forms[usize::from(form)]) {
                activity.cards[at] = Some(activity.labels.len() as u32);
                activity.labels.push(card.name.clone());
            }
        }
        let mut alike: HashMap<String, u32> = HashMap::new();
        for (at, by) in abilities.into_iter().enumerate() {
            let Some(Bearer { form, granted }) = by else { continue };
            activity.abilities[at] = Some(activity.labels.len() as u32);
            let how = if granted { "grants" } else { "has" };
            let when = cards.abilities[at].trigger.word();
            let label = format!("{} {how}: {when}", cards.label(form));
            let nth = alike.entry(label.clone()).or_default();
            *nth += 1;
            activity.labels.push(if *nth == 1 { label } else { format!("{label} ({nth})") });
        }
        activity
    }

    /// Whether a card can come up in a game.
    pub(super) fn has(&self, card: usize) -> bool {
        self.cards[card].is_some() || self.stands[card]
    }
}

/// The card that has or grants an ability.
#[derive(Clone, Copy)]
struct Bearer {
    form: Form,
    granted: bool,
}

/// What was found so far that can come up.
struct Found<'a> {
    cards: &'a Cards,
    /// By form, whether it can be played or put on the field.
    forms: Vec<bool>,
    /// By card, whether it is on the field.
    stands: Vec<bool>,
    abilities: Vec<Option<Bearer>>,
}

impl Found<'_> {
    fn form(&mut self, form: Form) {
        if std::mem::replace(&mut self.forms[usize::from(form.0)], true) {
            return;
        }
        self.stands(form);
        if let Some(next) = self.cards.form(form).levels_to {
            self.form(next);
        }
    }

    /// Adds the abilities of a creature that is on the field when a game begins.
    fn stands(&mut self, form: Form) {
        self.stands[usize::from(self.cards.form(form).card)] = true;
        for id in self.cards.form(form).abilities.clone().map(AbilityId) {
            self.ability(id, Bearer { form, granted: false });
        }
    }

    fn ability(&mut self, id: AbilityId, bearer: Bearer) {
        let slot = &mut self.abilities[usize::from(id.0)];
        if slot.is_some() {
            return;
        }
        *slot = Some(bearer);
        let cards = self.cards;
        for &effect in &cards.ability(id).effects {
            match effect {
                Effect::Spawn(Spawned::Form(form), _) => self.form(form),
                Effect::Replace(_, form) => self.form(form),
                Effect::Grant(_, id, _) => self.ability(id, Bearer { granted: true, ..bearer }),
                Effect::Later(id, _) => self.ability(id, bearer),
                Effect::Gain(..)
                | Effect::Swap(_)
                | Effect::Damage(..)
                | Effect::Heal(..)
                | Effect::Life(..)
                | Effect::Destroy(_)
                | Effect::Spawn(Spawned::Copy(_), _)
                | Effect::Revive(_)
                | Effect::Move(..)
                | Effect::Lose(..)
                | Effect::ReturnToHand(_)
                | Effect::Plays(..)
                | Effect::Draw(..)
                | Effect::DiscardDownTo(..)
                | Effect::LevelChosen
                | Effect::LookForBattles => {}
            }
        }
    }
}

/// Everything in a scenario that could come up, in the order of the counts: each card that could be played or enter the
/// field, and each ability that could fire, with who has or grants it and when it fires.
#[must_use]
pub fn labels(setup: &Setup) -> Vec<String> {
    setup.activity.labels.clone()
}

/// Counts what an event shows: a card that is played or put on the field, and an ability that fires, whose conditions
/// hold, and which changes something. `acts` has as many numbers as there are [`labels`].
///
/// # Panics
/// When `acts` has fewer.
#[inline]
pub fn note(setup: &Setup, _: &State, event: Event, acts: &mut Acts<'_>) {
    let Setup { cards, activity, .. } = setup;
    let count_card = |form: Form, acts: &mut Acts<'_>| {
        if let Some(slot) = activity.cards[usize::from(cards.form(form).card)] {
            acts.times[slot as usize] += 1;
        }
    };
    let begins = |AbilityId(id)| activity.abilities[usize::from(id)].map(|slot| slot as usize);
    if event.is_change() {
        acts.count_once();
    }
    match event {
        Event::Plays(_, form) => {
            count_card(form, acts);
            let mut own = cards.form(form).abilities.clone().map(AbilityId);
            let cast = own.find(|&id| cards.ability(id).trigger == Trigger::Cast);
            acts.acting = cast.and_then(begins);
        }
        // A forged creature was counted when it was played.
        Event::Enters(who, Entry::Spawned | Entry::Revived) => count_card(who.form, acts),
        Event::Activates(_, id) | Event::Resolves { ability: id, .. } => acts.acting = begins(id),
        Event::Fizzles(..) => acts.acting = None,
        Event::Resolved(_, id) => {
            if cards.ability(id).looks_for_battles() {
                acts.count_once();
            }
            acts.acting = None;
        }
        Event::Enters(_, Entry::Forged)
        | Event::Begins
        | Event::Turn(_)
        | Event::Battle { .. }
        | Event::Levels(..)
        | Event::Replaced(..)
        | Event::NoRoom { .. }
        | Event::NoRoomBeside(..)
        | Event::Stays(_)
        | Event::NoRevival(..)
        | Event::Batch { .. }
        | Event::BatchOver(_)
        | Event::Damage { .. }
        | Event::Changes { .. }
        | Event::Loses { .. }
        | Event::Returns(..)
        | Event::PutsOff(..)
        | Event::MayPlay(..)
        | Event::Granted(..)
        | Event::Heals { .. }
        | Event::Life(..)
        | Event::Statics(..)
        | Event::StaticsChange(..)
        | Event::Destroyed(_)
        | Event::Dies(_)
        | Event::Moves(..)
        | Event::EndsTurn(_)
        | Event::Draws(..)
        | Event::Discards(..)
        | Event::Reshuffles(..)
        | Event::Rank(..)
        | Event::SuddenDeath
        | Event::Fades
        | Event::Faded { .. }
        | Event::GivesUp(_)
        | Event::Refused { .. }
        | Event::Asked { .. } => {}
    }
}

#[cfg(test)]
mod tests {
    use super::{Acts, labels, note};
    use crate::chance::Seeded;
    use crate::game::{Stratum, Watch, play};
    use crate::games::solforge::SolForge;
    use crate::games::solforge::event::Event;
    use crate::games::solforge::setup::Setup;
    use crate::games::solforge::state::State;
    use crate::scenario::{Document, Folder, load};

    struct Counts<'c>(Acts<'c>);

    impl Watch<SolForge> for Counts<'_> {
        fn see(&mut self, setup: &Setup, state: &State, event: Event) {
            note(setup, state, event, &mut self.0);
        }
    }

    /// What came up in one play of a position, and how often.
    fn counted(text: &str) -> Vec<(String, u64)> {
        let text = format!("game = \"solforge\"\nbattles = 1\n{text}");
        let document = Document::new("case.toml", text, Folder::Disk("".into()));
        let setup = load::<SolForge>(&document).unwrap_or_else(|faults| panic!("{faults:?}")).setup;
        let labels = labels(&setup);
        let mut times = vec![0; labels.len()];
        let stratum = Stratum { matchup: 0, condition: 0 };
        let mut counts = Counts(Acts::added_to(&mut times));
        play::<SolForge, _, _>(&setup, stratum, &mut Seeded::from_seed(1), &mut counts);
        labels.into_iter().zip(times).collect()
    }

    #[test]
    fn everything_that_could_come_up_is_listed_and_what_does_is_counted() {
        let found = counted(
            "[position]\nsteps = [{ play = { card = \"Lightning Spark\", targets = [\"A1\"] } }]\n\
             [position.a]\nhand = [\"Lightning Spark\"]\n\
             creatures = [{ card = \"Fell Walker@3\", lane = 1, damage = 5 }, \
             { card = \"Charnel Titan@3\", lane = 2 }]\n",
        );
        let expected = [
            ("Zombie", 1),
            ("Lightning Spark", 1),
            ("Charnel Titan 3 has: arrives", 0),
            ("Fell Walker 3 has: vengeance", 1),
            ("Lightning Spark has: cast", 1),
            ("Lightning Spark 2 has: cast", 0),
            ("Lightning Spark 3 has: cast", 0),
        ];
        let expected: Vec<(String, u64)> =
            expected.into_iter().map(|(label, count)| (label.to_owned(), count)).collect();
        assert_eq!(found, expected);
    }

    /// Nobody plays it, and it levels by being played.
    #[test]
    fn of_what_stands_on_the_field_only_its_abilities_are_listed() {
        let found = counted(
            "[position]\nsteps = [\"battle\"]\n\
             [position.a]\ncreatures = [{ card = \"Fell Walker\", lane = 1 }]\n",
        );
        let listed: Vec<&str> = found.iter().map(|(label, _)| label.as_str()).collect();
        assert_eq!(listed, ["Zombie", "Fell Walker has: vengeance"]);
    }

    #[test]
    fn an_ability_whose_condition_fails_does_not_count() {
        let titan = |enemy: &str| {
            let found = counted(&format!(
                "[position]\nsteps = [{{ play = {{ card = \"Charnel Titan\", lane = 1 }} }}]\n\
                 [position.a]\nhand = [\"Charnel Titan\"]\n\
                 [position.b]\ncreatures = [{{ card = \"{enemy}\", lane = 1 }}]\n"
            ));
            found.into_iter().find(|(label, _)| label == "Charnel Titan has: arrives").unwrap().1
        };
        assert_eq!((titan("Fell Walker"), titan("Fell Walker@3")), (1, 0));
    }

    #[test]
    fn a_spell_or_an_activated_ability_whose_condition_fails_does_not_count() {
        let cards = "[[cards]]\nname = \"Chant\"\nfaction = \"uterra\"\n\
             [[cards.abilities]]\nwhen = \"cast\"\nif = [{ exists = { side = \"enemy\" } }]\n\
             do = [{ damage = { who = { each = { side = \"enemy\" } }, amount = 1 } }]\n\
             [[cards]]\nname = \"Drummer\"\nfaction = \"uterra\"\nattack = [1]\nhealth = [9]\n\
             [[cards.abilities]]\nwhen = \"activate\"\nif = [{ exists = { side = \"enemy\" } }]\n\
             do = [{ gain = { attack = 1 } }]\n";
        let worked = |enemy: &str| {
            let found = counted(&format!(
                "{cards}[position]\nsteps = [{{ activate = {{ lane = 1 }} }}, \
                 {{ play = {{ card = \"Chant\" }} }}]\n\
                 [position.a]\nhand = [\"Chant\"]\n\
                 creatures = [{{ card = \"Drummer\", lane = 1 }}]\n\
                 [position.b]\n{enemy}"
            ));
            let count = |name: &str| found.iter().find(|(label, _)| label == name).unwrap().1;
            [count("Chant"), count("Chant has: cast"), count("Drummer has: activate")]
        };
        assert_eq!(worked("creatures = [{ card = \"Drummer\", lane = 1 }]\n"), [1, 1, 1]);
        assert_eq!(worked("life = 9\n"), [1, 0, 0]);
    }

    #[test]
    fn what_is_granted_is_listed_with_who_grants_it() {
        let found = counted(
            "[position]\nsteps = [{ play = { card = \"Dryad's Boon\", targets = [\"A1\"] } }, \
             { play = { card = \"Spring Dryad\", lane = 2 } }]\n\
             [position.a]\nhand = [\"Dryad's Boon\", \"Spring Dryad\"]\n\
             creatures = [{ card = \"Fell Walker\", lane = 1 }]\n",
        );
        let boon = found.iter().find(|(label, _)| label == "Dryad's Boon grants: enters");
        assert_eq!(boon.map(|&(_, count)| count), Some(1));
    }

    /// How often each of a position's abilities acted, by its label.
    fn times(found: &[(String, u64)], label: &str) -> u64 {
        let of = found.iter().find(|(name, _)| name == label);
        of.unwrap_or_else(|| panic!("{label} is not listed: {found:?}")).1
    }

    #[test]
    fn an_ability_that_changes_nothing_does_not_count() {
        // No friend is small enough for the Patriarch, and nobody stands opposite whoever moves.
        let found = counted(
            "[position]\nsteps = [{ play = { card = \"Weirwood Patriarch\", lane = 1 } }, \
             { move = { from = 4, to = 3 } }]\n\
             [position.a]\nhand = [\"Weirwood Patriarch\"]\n\
             creatures = [{ card = \"Runner\", lane = 4 }, { card = \"Grimgaunt Predator\", lane = 5 }]\n\
             [[cards]]\nname = \"Runner\"\nfaction = \"tempys\"\nattack = [5]\nhealth = [6]\n\
             mobility = 1\n[[cards.abilities]]\nwhen = \"flank\"\n\
             do = [{ damage = { who = \"opposite\", amount = 2 } }]\n",
        );
        assert_eq!(times(&found, "Weirwood Patriarch"), 1, "it was played");
        assert_eq!(times(&found, "Weirwood Patriarch has: forge"), 0);
        assert_eq!(times(&found, "Runner has: flank"), 0);
    }

    /// Nobody can tell from an event that battles were looked for, and what finds no room says why.
    #[test]
    fn what_counts_as_a_change_is_what_the_story_tells_as_one() {
        let found = counted(
            "[position]\nsteps = [{ play = { card = \"Horn\" } }, { play = { card = \"Crowd\" } }]\n\
             [position.a]\nhand = [\"Horn\", \"Crowd\"]\n\
             creatures = [{ card = \"Fell Walker\", lane = 1 }, { card = \"Fell Walker\", lane = 2 }, \
             { card = \"Fell Walker\", lane = 3 }, { card = \"Fell Walker\", lane = 4 }, \
             { card = \"Fell Walker\", lane = 5 }]\n\
             [[cards]]\nname = \"Horn\"\nfaction = \"tempys\"\n[[cards.abilities]]\nwhen = \"cast\"\n\
             do = [\"look_for_battles\"]\n\
             [[cards]]\nname = \"Crowd\"\nfaction = \"nekrium\"\n[[cards.abilities]]\nwhen = \"cast\"\n\
             do = [{ spawn = { card = \"Zombie\", to = \"random\" } }, \
             { heal = { who = { each = {} }, amount = 3 } }]\n",
        );
        assert_eq!(times(&found, "Horn has: cast"), 1);
        assert_eq!(times(&found, "Crowd has: cast"), 0);
    }

    /// The words are those of the card file, and a number tells abilities of one card apart that have the same word.
    #[test]
    fn abilities_of_one_word_are_numbered() {
        let gains = |when: &str| {
            format!(
                "[[cards.abilities]]\nwhen = \"{when}\"\ndo = [{{ gain = {{ attack = 1 }} }}]\n"
            )
        };
        let abilities: String =
            ["forge", "forge", "arrives", "flank", "activate_twice"].map(gains).concat();
        let found = counted(&format!(
            "[position]\nsteps = [{{ play = {{ card = \"Twin\", lane = 1 }} }}]\n\
             [position.a]\nhand = [\"Twin\"]\n\
             [[cards]]\nname = \"Twin\"\nfaction = \"uterra\"\nattack = [1]\nhealth = [1]\n{abilities}"
        ));
        let listed: Vec<(&str, u64)> =
            found.iter().map(|(label, times)| (label.as_str(), *times)).collect();
        let expected = [
            ("Twin", 1),
            ("Twin has: forge", 1),
            ("Twin has: forge (2)", 1),
            ("Twin has: arrives", 1),
            ("Twin has: flank", 0),
            ("Twin has: activate_twice", 0),
        ];
        assert_eq!(listed, expected);
    }
}
