//! Checks decks, pools and match-ups.

use strum::IntoEnumIterator;

use super::{
    CARDS_LISTED, DeckForm, FactionsForm, File, PolicyForm, PoolForm, ScriptForm, card_place,
};
use crate::games::solforge::cards::vocabulary::Faction;
use crate::games::solforge::legal::{
    FACTIONS, Illegal, fault_of_factions, fault_of_size, faults_of_copies,
};
use crate::games::solforge::policy::{Policy, Script};
use crate::games::solforge::pool::{COPIES, Factions, Pool};
use crate::games::solforge::setup::{Brings, Cards, Deck, Games, Rules};
use crate::games::solforge::state::{CARDS, Form, LANES};
use crate::scenario::{Checker, Spot};

fn remedy_for(illegal: &Illegal) -> String {
    match illegal {
        Illegal::Token(_) => "only other cards put it on the field; take it out".to_owned(),
        Illegal::Copies { .. } => format!("a deck has 1 to {COPIES} copies of a card"),
        Illegal::Factions(_) => format!("a deck has at most {FACTIONS} factions"),
        Illegal::Size(_) => format!("a deck has exactly {CARDS}"),
    }
}

pub(super) fn check(file: &File, cards: &Cards, checker: &mut Checker<'_>) -> Option<Games> {
    let top = Spot::top();
    let mut decks: Vec<Option<Deck>> = Vec::new();
    for (at, form) in file.decks.iter().enumerate() {
        decks.push(deck(form, cards, &top.key("decks").index(at), checker));
    }
    for (at, form) in file.pools.iter().enumerate() {
        decks.push(pool(form, cards, &top.key("pools").index(at), checker));
    }
    warn_of_forgotten_policies(file, checker);
    let matchups = matchups(file, checker)?;
    let rules = &file.rules;
    let rules = Rules {
        life: rules.life,
        hand: rules.hand,
        plays: rules.plays,
        first_plays: rules.first_plays,
        rank_every: rules.rank_every,
        reshuffle: rules.reshuffle,
        last_turn: rules.last_turn,
        ..Rules::default()
    };
    let decks = decks.into_iter().collect::<Option<Vec<Deck>>>()?;
    Some(Games { decks, matchups, rules })
}

fn deck(form: &DeckForm, cards: &Cards, spot: &Spot, checker: &mut Checker<'_>) -> Option<Deck> {
    let spot_cards = spot.key("cards");
    let mut pile: Vec<Form> = Vec::new();
    // Copies of unknown cards: these are reported once, and not again as a deck that is too small.
    let mut of_unknown = 0;
    let mut known: Vec<u16> = Vec::new();
    for (name, &written) in &form.cards {
        let spot = spot_cards.key(name.as_str());
        // More than a deck holds is at fault whatever the number is.
        let copies = written.clamp(0, CARDS as i64) as usize;
        let Some(at) = cards.cards.iter().position(|card| card.name == *name) else {
            let known = cards.cards.iter().filter(|card| !card.token);
            let known = known.map(|card| card.name.as_str());
            checker.unknown_key(&spot, "card", name, known, CARDS_LISTED);
            of_unknown += copies;
            continue;
        };
        for illegal in faults_of_copies(cards, at as u16, written) {
            let (message, remedy) = (illegal.to_string(), remedy_for(&illegal));
            match illegal {
                Illegal::Token(_) => checker.key_fault(&spot, message, remedy),
                Illegal::Copies { .. } | Illegal::Factions(_) | Illegal::Size(_) => {
                    checker.fault(&spot, message, remedy);
                }
            }
        }
        known.push(at as u16);
        let card = &cards.cards[at];
        pile.extend(card.at_level(1).into_iter().cycle().take(copies));
    }
    let factions = fault_of_factions(cards, known);
    let size = fault_of_size(pile.len() + of_unknown);
    let is_a_deck = size.is_none();
    for illegal in factions.into_iter().chain(size) {
        checker.fault(&spot_cards, illegal.to_string(), remedy_for(&illegal));
    }
    if !is_a_deck {
        return None;
    }
    if of_unknown > 0 {
        return None;
    }
    let policy = policy(form.policy.as_ref(), cards, &spot.key("policy"), checker)?;
    Some(Deck { name: form.name.clone(), brings: Brings::Fixed(pile), policy })
}

fn pool(form: &PoolForm, cards: &Cards, spot: &Spot, checker: &mut Checker<'_>) -> Option<Deck> {
    let named = |names: &[String], key: &str, checker: &mut Checker<'_>| {
        let mut found = Vec::new();
        for (at, name) in names.iter().enumerate() {
            let spot = spot.key(key).index(at);
            let Some(card) = card_place(name, cards, &spot, checker) else { continue };
            if cards.cards[usize::from(card)].token {
                let remedy = "only other cards put it on the field; take it out";
                checker.fault(&spot, format!("`{name}` can be in no deck"), remedy);
            }
            found.push(card);
        }
        let listed = found.iter().map(|&card| cards.cards[usize::from(card)].name.clone());
        checker.warn_of_repeats(&spot.key(key), listed);
        found
    };
    checker.warn_of_repeats(&spot.key("factions"), form.factions.iter().map(Faction::to_string));
    let only = named(&form.cards, "cards", checker);
    let exclude = named(&form.exclude, "exclude", checker);
    let policy = policy(form.policy.as_ref(), cards, &spot.key("policy"), checker);
    let mut by_faction: Vec<(Faction, Vec<Form>)> = Faction::iter()
        .filter(|faction| form.factions.is_empty() || form.factions.contains(faction))
        .map(|faction| (faction, Vec::new()))
        .collect();
    for (at, card) in (0..).zip(&cards.cards) {
        let wanted = (only.is_empty() || only.contains(&at)) && !exclude.contains(&at);
        let group = by_faction.iter_mut().find(|(faction, _)| *faction == card.faction);
        if let (true, false, Some((_, group))) = (wanted, card.token, group) {
            group.extend(card.at_level(1));
        }
    }
    by_faction.retain(|(_, group)| !group.is_empty());
    let factions = match form.factions_in_deck {
        FactionsForm::One => Factions::One,
        FactionsForm::Two => Factions::Two,
        FactionsForm::OneOrTwo => Factions::OneOrTwo,
    };
    match Pool::new(by_faction, factions) {
        Ok(pool) => {
            Some(Deck { name: form.name.clone(), brings: Brings::Drawn(pool), policy: policy? })
        }
        Err((names, count)) => {
            let names: Vec<String> = names.iter().map(Faction::to_string).collect();
            let each = format!("a deck has {CARDS} cards, up to {COPIES} of each");
            let (message, remedy) = match names.as_slice() {
                [] => (
                    format!("no deck can be drawn from `{}`", form.name),
                    format!("{each}: give at least {}", CARDS.div_ceil(COPIES)),
                ),
                names if count == 0 => (
                    format!("no deck of two factions can be drawn of {} alone", names.join(", ")),
                    "give cards of another faction, too, or say `factions_in_deck = \"one\"`"
                        .to_owned(),
                ),
                names => (
                    format!("{count} cards are no deck of {}", names.join(" and ")),
                    format!(
                        "{each}: give at least {} of {}, or leave cards of a faction out with `factions`",
                        CARDS.div_ceil(COPIES),
                        if names.len() == 1 { "it" } else { "the two together" }
                    ),
                ),
            };
            checker.fault(&spot.key("name"), message, remedy);
            None
        }
    }
}

/// Warns of those that play at random because nothing is said, where something is said of others: who plays well then
/// decides more than the decks do.
fn warn_of_forgotten_policies(file: &File, checker: &mut Checker<'_>) {
    let policies = file.decks.iter().map(|deck| &deck.policy);
    let policies: Vec<_> = policies.chain(file.pools.iter().map(|pool| &pool.policy)).collect();
    if !policies
        .iter()
        .any(|policy| matches!(policy, Some(of) if !matches!(of, PolicyForm::Random)))
    {
        return;
    }
    for ((name, spot), policy) in contenders(file).into_iter().zip(policies) {
        if policy.is_none() {
            let message = format!("`{name}` has no `policy` and plays at random; others do not");
            checker.warn(
                &spot,
                message,
                "say how it is played, for instance `policy = \"random\"`",
            );
        }
    }
}

fn policy(
    form: Option<&PolicyForm>,
    cards: &Cards,
    spot: &Spot,
    checker: &mut Checker<'_>,
) -> Option<Policy> {
    match form.unwrap_or(&PolicyForm::Random) {
        PolicyForm::Random => Some(Policy::Random),
        PolicyForm::Greedy => Some(Policy::Greedy),
        PolicyForm::Thoughtful => Some(Policy::Thoughtful),
        PolicyForm::Scripted(form) => {
            script(form, cards, &spot.key("scripted"), checker).map(Policy::Scripted)
        }
    }
}

fn script(
    form: &ScriptForm,
    cards: &Cards,
    spot: &Spot,
    checker: &mut Checker<'_>,
) -> Option<Script> {
    let wanted: Vec<Option<u16>> = form
        .cards
        .iter()
        .enumerate()
        .map(|(at, name)| card_place(name, cards, &spot.key("cards").index(at), checker))
        .collect();
    checker.warn_of_repeats(&spot.key("cards"), form.cards.iter().cloned());
    let mut lanes: Vec<u8> = form.lanes.iter().map(|lane| lane.saturating_sub(1)).collect();
    if lanes.is_empty() {
        lanes = vec![2, 1, 3, 0, 4];
    }
    let mut sorted = lanes.clone();
    sorted.sort_unstable();
    let Some(lanes) = <[u8; LANES]>::try_from(lanes).ok().filter(|_| sorted == [0, 1, 2, 3, 4])
    else {
        let remedy = "name each of the lanes 1 to 5 once";
        checker.fault(&spot.key("lanes"), "not all five lanes", remedy);
        return None;
    };
    Some(Script { cards: wanted.into_iter().collect::<Option<_>>()?, lanes })
}

/// The names of the decks and then the pools, and where these stand.
fn contenders(file: &File) -> Vec<(&str, Spot)> {
    let spot = |key: &str, at: usize| Spot::top().key(key).index(at).key("name");
    let decks = file.decks.iter().enumerate();
    let pools = file.pools.iter().enumerate();
    decks
        .map(|(at, deck)| (deck.name.as_str(), spot("decks", at)))
        .chain(pools.map(|(at, pool)| (pool.name.as_str(), spot("pools", at))))
        .collect()
}

/// The match-ups. Nothing in them depends on cards, so they are checked even where those are at fault.
pub(super) fn matchups(file: &File, checker: &mut Checker<'_>) -> Option<Vec<[u16; 2]>> {
    let contenders = contenders(file);
    checker.check_names("deck", contenders.iter().cloned());
    let Some(sides) = &file.sides else {
        let remedy = "say which decks meet: `[sides]` with `a` and `b`";
        checker.fault(&Spot::top(), "`sides` is missing", remedy);
        return None;
    };
    let known: Vec<&str> = contenders.iter().map(|&(name, _)| name).collect();
    let mut find = |names: &[String], key: &str| -> Vec<u16> {
        let spot = Spot::top().key("sides").key(key);
        let places = checker.places_on_side(&spot, "deck", names, &known);
        places.into_iter().map(|deck| deck as u16).collect()
    };
    let (a, b) = (find(&sides.a, "a"), find(&sides.b, "b"));
    for (at, (name, spot)) in contenders.iter().enumerate() {
        if !a.iter().chain(&b).any(|&other| usize::from(other) == at) {
            let message = format!("`{name}` meets nobody");
            checker.warn(spot, message, "put it on a side, or take it out");
        }
    }
    let spot = Spot::top().key("sides");
    if checker.has_too_many_matchups(&spot, &[a.len(), b.len()], sides.swap) {
        return None;
    }
    let mut matchups: Vec<[u16; 2]> = Vec::new();
    let only = a.len() == 1 && a == b;
    for &a in &a {
        for &b in &b {
            let both = [Some([a, b]), sides.swap.then_some([b, a])];
            for pair in both.into_iter().flatten() {
                if (a != b || only) && !matchups.contains(&pair) {
                    matchups.push(pair);
                }
            }
        }
    }
    if matchups.is_empty() && checker.is_clean() {
        let remedy = "name different decks, or the same single one on both";
        checker.fault(&Spot::top().key("sides"), "nobody meets anybody", remedy);
    }
    Some(matchups)
}
