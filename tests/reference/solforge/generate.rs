//! Random positions, as scenarios.

use evens::games::solforge::cards::vocabulary::Kind;
use evens::games::solforge::form::bundled;
use evens::games::solforge::state::Form;
use proptest::prelude::*;
use proptest::sample::select;

/// Cards whose rules meet in ways that are rare among all cards: they come more often.
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

/// Every form of a kind, as scenarios name it.
fn forms(kind: Kind) -> Vec<String> {
    let cards = bundled();
    let forms = cards.forms.iter().filter(|form| form.kind == kind);
    let often = |card: u16| {
        let name = cards.cards[usize::from(card)].name.as_str();
        if TALKATIVE.contains(&name) { 5 } else { 1 }
    };
    forms
        .flat_map(|form| std::iter::repeat_n(form, often(form.card)))
        .map(|form| format!("{}@{}", cards.cards[usize::from(form.card)].name, form.level))
        .collect()
}

fn needs_targets(name: &str) -> bool {
    let cards = bundled();
    let (card, level) = name.rsplit_once('@').expect("a level");
    let card = cards.find(card).expect("a card");
    let form = card.at_level(level.parse().expect("a number")).expect("a level of it");
    let data = cards.form(Form(form.0));
    data.kind == Kind::Spell
        && data.abilities.clone().any(|id| cards.abilities[usize::from(id)].choice.is_some())
}

fn space() -> impl Strategy<Value = String> {
    (select(vec!["A", "B"]), 1..=5u8).prop_map(|(side, lane)| format!("{side}{lane}"))
}

fn target() -> impl Strategy<Value = String> {
    prop_oneof![9 => space(), 1 => select(vec!["A".to_owned(), "B".to_owned()])]
}

fn creature(lane: usize) -> impl Strategy<Value = Option<String>> {
    let numbers = (prop::option::of(0..12i16), prop::option::of(1..12i16), 0..6i16);
    let more = (prop_oneof![3 => Just(0i16), 1 => 1..6i16], prop::bool::weighted(0.25));
    let of = (select(forms(Kind::Creature)), numbers, more).prop_map(
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

/// What is done: cards are played from wherever dice has put them, or it is left out.
fn step(hands: Vec<String>) -> impl Strategy<Value = String> {
    let lane = 1..=5u8;
    let play = (select(hands.clone()), lane.clone(), prop::collection::vec(target(), 1..=2));
    let play = play.prop_map(|(card, lane, mut targets)| {
        let creature = forms(Kind::Creature).contains(&card);
        if creature {
            return format!("{{ play = {{ card = {card:?}, lane = {lane} }} }}");
        }
        targets.truncate(if needs_targets(&card) { 1 } else { 0 });
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

fn player() -> impl Strategy<Value = (String, Vec<String>)> {
    let lanes: Vec<_> = (0..5).map(creature).collect();
    let cards = || select([forms(Kind::Creature), forms(Kind::Spell), forms(Kind::Spell)].concat());
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

/// A position and what is done in it.
pub fn position() -> impl Strategy<Value = String> {
    (player(), player(), select(vec!["a", "b"]))
        .prop_flat_map(|((a, of_a), (b, of_b), active)| {
            let hands = [of_a, of_b].concat();
            let steps = prop::collection::vec(step(hands), 1..=6);
            let dead = prop::collection::vec(select(forms(Kind::Creature)), 0..=4);
            (Just((a, b, active)), steps, dead)
        })
        .prop_map(|((a, b, active), steps, dead)| {
            format!(
                "game = \"solforge\"\nbattles = 1\n[position]\nactive = {active:?}\ndead = {dead:?}\n\
                 steps = [{}]\n[position.a]\n{a}[position.b]\n{b}",
                steps.join(", ")
            )
        })
}
