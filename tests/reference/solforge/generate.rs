//! Random positions, as scenarios.

use evens::games::solforge::SolForge;
use evens::games::solforge::ability::{Ability, AbilityId, Trigger};
use evens::games::solforge::cards::vocabulary::Kind;
use evens::games::solforge::form::bundled;
use evens::games::solforge::setup::{Cards, FormData};
use evens::scenario::{Document, Folder, load};
use proptest::prelude::*;
use proptest::sample::select;

/// Cards whose rules interact in ways that are rare among all cards; they are drawn more often.
const TALKATIVE: [&str; 14] = [
    "Storm Bringer",
    "Frostfang Maiden",
    "Woebringer",
    "Spring Dryad",
    "Tarsus Deathweaver",
    "Lyria, Muse of Varna",
    "Varna's Pact",
    "Grimgaunt Devourer",
    "Grimgaunt Doomrider",
    "Flamebreak Invoker",
    "Fell Walker",
    "Cull the Weak",
    "Glacial Crush",
    "Verdant Grace",
];

/// The cards that positions are made of: those of the bundled file, and additional ones that are drawn more often.
#[derive(Clone, Debug)]
pub struct Collection {
    cards: Cards,
    more: String,
}

impl Collection {
    /// The bundled cards alone.
    pub fn bundled() -> Self {
        Self { cards: bundled().clone(), more: String::new() }
    }

    /// The bundled cards and these; None if these are not valid.
    pub fn with(more: String) -> Option<Self> {
        let text =
            format!("game = \"solforge\"\nbattles = 1\n[position]\nsteps = [\"battle\"]\n{more}");
        let document = Document::new("case.toml", text, Folder::Disk("".into()));
        let cards = load::<SolForge>(&document).ok()?.setup.cards().clone();
        Some(Self { cards, more })
    }

    /// Every form of a kind, as scenarios name it.
    fn forms(&self, kind: Kind) -> Vec<String> {
        let cards = &self.cards;
        let old = bundled().forms.len();
        let more = cards.forms.len() - old;
        let forms = cards.forms.iter().filter(|form| form.kind == kind);
        let often = |form: &FormData| {
            let name = cards.cards[usize::from(form.card)].name.as_str();
            match bundled().find(name) {
                Some(_) if TALKATIVE.contains(&name) => 5,
                Some(_) => 1,
                None => old / more,
            }
        };
        forms
            .flat_map(|form| std::iter::repeat_n(form, often(form)))
            .map(|form| format!("{}@{}", cards.cards[usize::from(form.card)].name, form.level))
            .collect()
    }

    /// The ability that is a spell's own effect.
    fn cast(&self, name: &str) -> Option<&Ability> {
        let (card, level) = name.rsplit_once('@').expect("a level");
        let card = self.cards.find(card).expect("a card");
        let form = card.at_level(level.parse().expect("a number")).expect("a level of it");
        let mut abilities =
            self.cards.form(form).abilities.clone().map(|id| self.cards.ability(AbilityId(id)));
        abilities.find(|ability| ability.trigger == Trigger::Cast)
    }

    /// The number of targets that a spell has at least.
    fn targets(&self, name: &str) -> usize {
        let Some(cast) = self.cast(name) else { return 0 };
        usize::from(cast.choice.is_some()) + usize::from(cast.also.is_some())
    }
}

fn space() -> impl Strategy<Value = String> {
    (select(vec!["A", "B"]), 1..=5u8).prop_map(|(side, lane)| format!("{side}{lane}"))
}

fn target() -> impl Strategy<Value = String> {
    prop_oneof![9 => space(), 1 => select(vec!["A".to_owned(), "B".to_owned()])]
}

fn creature(of: &Collection, lane: usize) -> impl Strategy<Value = Option<String>> + use<> {
    let numbers = (prop::option::of(0..12i16), prop::option::of(1..12i16), 0..6i16);
    let more = (prop_oneof![3 => Just(0i16), 1 => 1..6i16], prop::bool::weighted(0.25));
    let of = (select(of.forms(Kind::Creature)), numbers, more).prop_map(
        move |(card, (attack, health, damage), (poison, defensive))| {
            let lane = lane + 1;
            let mut text = format!("{{ card = {card:?}, lane = {lane}");
            if let Some(attack) = attack {
                text += &format!(", attack = {attack}");
            }
            if let Some(health) = health {
                text += &format!(", health = {}, damage = {damage}", health + damage);
            }
            text + &format!(", poison = {poison}, defensive = {defensive} }}")
        },
    );
    prop::option::weighted(0.7, of)
}

/// A step with a card of either hand; what is not possible when it comes up is left out.
fn step(of: &Collection, hands: Vec<String>) -> impl Strategy<Value = String> + use<> {
    let lane = 1..=5u8;
    let (creatures, of) = (of.forms(Kind::Creature), of.clone());
    let play = (select(hands.clone()), lane.clone(), prop::collection::vec(target(), 1..=2));
    let play = play.prop_map(move |(card, lane, mut targets)| {
        if creatures.contains(&card) {
            return format!("{{ play = {{ card = {card:?}, lane = {lane} }} }}");
        }
        targets.truncate(of.targets(&card));
        format!("{{ play = {{ card = {card:?}, targets = {targets:?} }} }}")
    });
    let activate = (lane.clone(), target()).prop_map(|(lane, target)| {
        format!("{{ activate = {{ lane = {lane}, targets = [{target:?}] }} }}")
    });
    let walk = (lane.clone(), lane)
        .prop_map(|(from, to)| format!("{{ move = {{ from = {from}, to = {to} }} }}"));
    let level = select(hands).prop_map(|card| format!("{{ level = {card:?} }}"));
    prop_oneof![
        8 => play,
        4 => activate,
        2 => walk,
        1 => level,
        5 => Just("\"battle\"".to_owned()),
        2 => Just("\"end_turn\", \"start_turn\"".to_owned()),
        1 => Just("\"start_turn\"".to_owned()),
    ]
}

fn answers() -> impl Strategy<Value = String> {
    let asks = [
        "Technosmith",
        "Suruzal, Emissary of Varna",
        "Flameshaper Savant",
        "Lifeshaper Savant",
        "Riftlasher",
        "Ether Hounds",
        "Wildwood Sower",
        "Oratek Explosives",
    ];
    let wish =
        prop_oneof![5 => target(), 1 => Just("nothing".to_owned()), 1 => Just("1".to_owned())];
    let answer = (select(asks.to_vec()), prop::collection::vec(wish, 1..=4))
        .prop_map(|(card, prefer)| format!("{{ card = {card:?}, prefer = {prefer:?} }}"));
    prop::collection::vec(answer, 0..=4).prop_map(|answers| answers.join(", "))
}

fn player(of: &Collection) -> impl Strategy<Value = (String, Vec<String>)> + use<> {
    let lanes: Vec<_> = (0..5).map(|lane| creature(of, lane)).collect();
    let (creatures, spells) = (of.forms(Kind::Creature), of.forms(Kind::Spell));
    let all = [creatures, spells.clone(), spells].concat();
    let cards = || select(all.clone());
    let pile = |most| prop::collection::vec(cards(), 0..=most);
    let life = prop_oneof![1 => 1..20i16, 1 => Just(120i16)];
    let armor = prop_oneof![4 => Just(0i16), 1 => 1..6i16];
    (lanes, (prop::collection::vec(cards(), 1..=5), pile(4), pile(4)), (life, armor), (0..9u8, 0..2u8), answers())
        .prop_map(|(creatures, (hand, deck, discard), (life, armor), (turns, played), answers)| {
            let creatures: Vec<String> = creatures.into_iter().flatten().collect();
            let text = format!(
                "life = {life}\narmor = {armor}\nturns = {turns}\nplayed = {played}\ncreatures = [{}]\n\
                 hand = {hand:?}\ndeck = {deck:?}\ndiscard = {discard:?}\nanswers = [{answers}]\n",
                creatures.join(", ")
            );
            (text, hand)
        })
}

/// A position of these cards, with its steps.
pub fn position(of: Collection) -> impl Strategy<Value = String> {
    let (players, more) = (of.clone(), of.more.clone());
    (player(&players), player(&players), select(vec!["a", "b"]))
        .prop_flat_map(move |((a, of_a), (b, of_b), active)| {
            let hands = [of_a, of_b].concat();
            let steps = prop::collection::vec(step(&of, hands), 1..=6);
            let dead = prop::collection::vec(select(of.forms(Kind::Creature)), 0..=4);
            (Just((a, b, active)), steps, dead)
        })
        .prop_map(move |((a, b, active), steps, dead)| {
            format!(
                "game = \"solforge\"\nbattles = 1\n[position]\nactive = {active:?}\ndead = {dead:?}\n\
                 steps = [{}]\n[position.a]\n{a}[position.b]\n{b}{more}",
                steps.join(", ")
            )
        })
}
