//! Checks positions and their steps.

use super::{
    ActiveForm, LikenessForm, PlayerForm, PositionForm, ReadingForm, StepForm, card_at, card_place,
};
use crate::game::Side;
use crate::games::solforge::ability::{Ability, AbilityId, Effect, Hook, Pick};
use crate::games::solforge::cards::vocabulary::Kind;
use crate::games::solforge::policy::{Answer, Policy};
use crate::games::solforge::rules::statics;
use crate::games::solforge::setup::{Cards, Likeness, Position, Reading, Rules, Step};
use crate::games::solforge::start;
use crate::games::solforge::state::{CARDS, Creature, DEATHS, Form, Player, State};
use crate::numerals::counted;
use crate::scenario::{Checker, Spot};

pub(super) fn check(
    form: &PositionForm,
    cards: &Cards,
    spot: &Spot,
    checker: &mut Checker<'_>,
) -> Option<Position> {
    let sides = [(&form.a, "a"), (&form.b, "b")];
    let players = sides.map(|(form, key)| player(form, cards, &spot.key(key), checker));
    let mut state = start::field(players, Side::A);
    for (side, (form, key)) in [Side::A, Side::B].into_iter().zip(sides) {
        creatures(form, side, cards, &mut state, &spot.key(key).key("creatures"), checker);
    }
    start::number(cards, &mut state);
    for (side, (form, key)) in [Side::A, Side::B].into_iter().zip(sides) {
        dead_on_arrival(form, side, cards, &state, &spot.key(key).key("creatures"), checker);
    }
    let spot_dead = spot.key("dead");
    for (at, text) in form.dead.iter().enumerate() {
        let Some(form) = card_at(text, cards, &spot_dead.index(at), checker) else { continue };
        if cards.form(form).kind == Kind::Spell {
            let remedy = "only creatures die";
            checker.fault(&spot_dead.index(at), format!("`{text}` is a spell"), remedy);
        }
        if !state.dead.try_push(form) {
            let message = format!("more than {DEATHS} deaths");
            checker.fault(&spot_dead, message, "leave some out");
            break;
        }
    }
    let steps = form.steps.iter().enumerate();
    let steps: Vec<Option<Step>> =
        steps.map(|(at, form)| step(form, cards, &spot.key("steps").index(at), checker)).collect();
    playable(form, cards, &spot.key("steps"), checker);
    if form.strict {
        phases(form, &spot.key("steps"), checker);
    }
    let policies =
        sides.map(|(form, key)| answers(form, cards, &spot.key(key).key("answers"), checker));
    let names = form.results.iter().enumerate();
    let names = names.map(|(at, of)| (of.name.as_str(), spot.key("results").index(at).key("name")));
    checker.check_names("result", names);
    let results: Vec<Option<(String, Reading)>> = form
        .results
        .iter()
        .enumerate()
        .map(|(at, of)| {
            let spot = spot.key("results").index(at);
            Some((of.name.clone(), reading(&of.read, cards, &spot.key("read"), checker)?))
        })
        .collect();
    let [a, b] = policies;
    let in_turn = !matches!(form.steps.first(), Some(StepForm::StartTurn));
    let start = |active: Side| begun(&state, active, in_turn);
    let starts = match form.active {
        ActiveForm::A => vec![start(Side::A)],
        ActiveForm::B => vec![start(Side::B)],
        ActiveForm::Random => vec![start(Side::A), start(Side::B)],
    };
    let steps = steps.into_iter().collect::<Option<_>>()?;
    let results = results.into_iter().collect::<Option<_>>()?;
    Some(Position { starts, steps, policies: [a?, b?], strict: form.strict, results })
}

/// The position with this side active. A rank rises at the end of every fourth turn, and the active player's turn
/// is not over (SF-30, decision 18); where it has not even started, all turns begun so far are.
fn begun(state: &State, active: Side, in_turn: bool) -> State {
    let rules = Rules::default();
    let mut state = State { active, ..*state };
    for side in [Side::A, Side::B] {
        let player = state.player_mut(side);
        let open = u16::from(in_turn && side == active);
        let over = player.turns.saturating_sub(open) / u16::from(rules.rank_every);
        player.rank = 1 + over as u8;
    }
    state
}

fn player(form: &PlayerForm, cards: &Cards, spot: &Spot, checker: &mut Checker<'_>) -> Player {
    let rules = Rules::default();
    let mut player = start::player(0, form.life.unwrap_or(rules.life));
    player.armor = form.armor;
    player.turns = u16::from(form.turns);
    player.played = form.played;
    player.plays = rules.plays.saturating_sub(form.played);
    let piles = [(&form.hand, "hand"), (&form.deck, "deck"), (&form.discard, "discard")];
    let mut count = 0;
    for (texts, key) in piles {
        for (at, text) in texts.iter().enumerate() {
            let spot = spot.key(key).index(at);
            let Some(form) = card_at(text, cards, &spot, checker) else { continue };
            count += 1;
            let pile = match key {
                "hand" => &mut player.hand,
                "deck" => &mut player.deck,
                _ => &mut player.discard,
            };
            // Too many are reported below.
            let _ = pile.try_push(form);
        }
    }
    if count > CARDS {
        let message = format!("{count} cards in hand, deck and discard pile");
        checker.fault(spot, message, format!("a player has at most {CARDS}"));
    }
    player
}

fn creatures(
    form: &PlayerForm,
    side: Side,
    cards: &Cards,
    state: &mut State,
    spot: &Spot,
    checker: &mut Checker<'_>,
) {
    for (at, of) in form.creatures.iter().enumerate() {
        let spot = spot.index(at);
        let Some(card) = card_at(&of.card, cards, &spot.key("card"), checker) else { continue };
        if cards.form(card).kind == Kind::Spell {
            let remedy = "put it into the hand";
            checker.fault(&spot.key("card"), format!("`{}` is a spell", of.card), remedy);
            continue;
        }
        let lane = of.lane - 1;
        if state.at(side, lane).is_somebody() {
            let message = format!("two creatures in lane {} of side {side}", of.lane);
            checker.fault(&spot.key("lane"), message, "give each a lane of its own");
            continue;
        }
        let data = cards.form(card);
        *state.at_mut(side, lane) = Creature {
            id: 1,
            form: card,
            attack: of.attack.unwrap_or(data.attack),
            health: of.health.unwrap_or(data.health),
            damage: of.damage,
            armor: data.armor,
            poison: of.poison,
            regenerate: data.regenerate,
            mobility: data.mobility,
            battles: data.battles,
            keywords: data.keywords,
            defensive: of.defensive,
            ..Creature::NOBODY
        };
        state.seen[side.index()].insert(card);
    }
}

/// Reports creatures that a first death check would bury.
fn dead_on_arrival(
    form: &PlayerForm,
    side: Side,
    cards: &Cards,
    state: &State,
    spot: &Spot,
    checker: &mut Checker<'_>,
) {
    for (at, of) in form.creatures.iter().enumerate() {
        let lane = of.lane - 1;
        let health = statics::health(cards, state, side, lane);
        if state.at(side, lane).is_somebody() && health <= 0 {
            let message = format!("`{}` starts with {health} health", of.card);
            checker.fault(&spot.index(at), message, "give it more health or less damage");
        }
    }
}

fn step(form: &StepForm, cards: &Cards, spot: &Spot, checker: &mut Checker<'_>) -> Option<Step> {
    match form {
        StepForm::Play(of) => {
            let spot = spot.key("play");
            let form = card_at(&of.card, cards, &spot.key("card"), checker)?;
            let data = cards.form(form);
            let picks = picks(&of.targets, &spot.key("targets"), checker)?;
            let lane = match (data.kind, of.lane) {
                (Kind::Creature, Some(lane)) => lane - 1,
                (Kind::Creature, None) => {
                    let remedy = "give the creature's lane, 1 to 5";
                    checker.fault(&spot, "`lane` is missing", remedy);
                    return None;
                }
                (Kind::Spell, None) => 0,
                (Kind::Spell, Some(_)) => {
                    let remedy = "take it out; `targets` says what the spell acts on";
                    checker.fault(&spot.key("lane"), "a spell has no lane", remedy);
                    return None;
                }
            };
            let cast = choosing(cards, form, Hook::Cast);
            targets_fit(cast, picks.len(), &of.card, &spot, checker)?;
            Some(Step::Play { form, lane, picks })
        }
        StepForm::Level(card) => {
            Some(Step::Level(card_at(card, cards, &spot.key("level"), checker)?))
        }
        StepForm::Activate(of) => {
            let picks = picks(&of.targets, &spot.key("activate").key("targets"), checker)?;
            Some(Step::Activate { lane: of.lane - 1, picks })
        }
        StepForm::Move(of) => Some(Step::Move { from: of.from - 1, to: of.to - 1 }),
        StepForm::Battle => Some(Step::Battle),
        StepForm::StartTurn => Some(Step::StartTurn),
        StepForm::EndTurn => Some(Step::EndTurn),
    }
}

fn choosing(cards: &Cards, form: Form, hook: Hook) -> Option<&Ability> {
    let data = cards.form(form);
    let mut abilities = data.abilities.clone().map(|id| cards.ability(AbilityId(id)));
    abilities.find(|ability| ability.trigger.hook() == hook)
}

/// Checks the number of a spell's targets: a spell that chooses needs some, one that does not takes none. Where it has
/// two choices, none need be given.
fn targets_fit(
    ability: Option<&Ability>,
    targets: usize,
    card: &str,
    spot: &Spot,
    checker: &mut Checker<'_>,
) -> Option<()> {
    let choice = ability.and_then(|ability| ability.choice.as_ref());
    let also = ability.and_then(|ability| ability.also.as_ref());
    let most: usize = choice.into_iter().chain(also).map(|choice| usize::from(choice.count)).sum();
    if targets > most {
        let message =
            format!("{} for `{card}`, which chooses {most}", counted(targets as u64, "target"));
        let remedy = if most == 0 {
            "take them out; what triggers choose stands under `answers`"
        } else {
            "take some out"
        };
        checker.fault(&spot.key("targets"), message, remedy);
        return None;
    }
    if targets == 0 && also.is_none() && choice.is_some_and(|choice| !choice.may) {
        let message = format!("`{card}` needs a target");
        checker.fault(spot, message, "say which: `targets = [\"B2\"]`");
        return None;
    }
    Some(())
}

/// Reports steps outside a turn: before one has started, or a start within one.
fn phases(form: &PositionForm, spot: &Spot, checker: &mut Checker<'_>) {
    let mut in_turn = !matches!(form.steps.first(), Some(StepForm::StartTurn));
    for (at, step) in form.steps.iter().enumerate() {
        let fault = match step {
            StepForm::StartTurn if in_turn => {
                Some(("the turn has started already", "put `end_turn` before it"))
            }
            StepForm::StartTurn => None,
            _ if in_turn => None,
            _ => Some(("nobody's turn has started", "put `start_turn` before it")),
        };
        in_turn = !matches!(step, StepForm::EndTurn);
        if let Some((message, remedy)) = fault {
            let remedy = format!(
                "{remedy}; with `strict = false` it is taken out of its order, if it can be"
            );
            checker.fault(&spot.index(at), message, remedy);
        }
    }
}

/// Reports steps that play or level a card that no player has.
fn playable(form: &PositionForm, cards: &Cards, spot: &Spot, checker: &mut Checker<'_>) {
    // A card that is played or levelled comes back at its next level.
    let name = |card: &str| card.rsplit_once('@').map_or(card, |(name, _)| name).to_owned();
    // A creature on the field may come back to its player's hand.
    let returns = |effect: &Effect| matches!(effect, Effect::ReturnToHand(_));
    let any_returns = cards.abilities.iter().any(|ability| ability.effects.iter().any(returns));
    let owned = |card: &str| {
        [&form.a, &form.b].iter().any(|player| {
            [&player.hand, &player.deck, &player.discard]
                .iter()
                .any(|pile| pile.iter().any(|other| name(other) == name(card)))
                || any_returns && player.creatures.iter().any(|of| name(&of.card) == name(card))
        })
    };
    for (at, step) in form.steps.iter().enumerate() {
        let (card, key) = match step {
            StepForm::Play(of) => (&of.card, "play"),
            StepForm::Level(card) => (card, "level"),
            _ => continue,
        };
        if !owned(card) {
            let message = format!("nobody has `{card}` to play");
            let remedy = "put it into the `hand` of the active side";
            checker.fault(&spot.index(at).key(key), message, remedy);
        }
    }
}

fn answers(
    form: &PlayerForm,
    cards: &Cards,
    spot: &Spot,
    checker: &mut Checker<'_>,
) -> Option<Policy> {
    let mut answers = Vec::new();
    for (at, of) in form.answers.iter().enumerate() {
        let spot = spot.index(at);
        let card = card_place(&of.card, cards, &spot.key("card"), checker);
        let prefer = picks(&of.prefer, &spot.key("prefer"), checker);
        if let (Some(card), Some(prefer)) = (card, prefer) {
            answers.push(Answer { card, prefer });
        }
    }
    Some(Policy::Answers(answers)).filter(|_| checker.is_clean())
}

fn picks(texts: &[String], spot: &Spot, checker: &mut Checker<'_>) -> Option<Vec<Pick>> {
    let mut picks = Vec::new();
    for (at, text) in texts.iter().enumerate() {
        match pick(text) {
            Some(pick) => picks.push(pick),
            None => {
                let remedy = "write a space such as `A2`, a player `A` or `B`, a place in the hand \
                              such as `1`, or `nothing`";
                checker.fault(&spot.index(at), format!("`{text}` is no target"), remedy);
            }
        }
    }
    (picks.len() == texts.len()).then_some(picks)
}

fn pick(text: &str) -> Option<Pick> {
    if text == "nothing" {
        return Some(Pick::Nothing);
    }
    if let Some(side) = side(text) {
        return Some(Pick::Player(side));
    }
    if let Some((side, lane)) = space(text) {
        return Some(Pick::Creature(side, lane));
    }
    let place: u8 = text.parse().ok()?;
    Some(Pick::Card(place.checked_sub(1)?))
}

fn side(text: &str) -> Option<Side> {
    match text {
        "A" | "a" => Some(Side::A),
        "B" | "b" => Some(Side::B),
        _ => None,
    }
}

fn space(text: &str) -> Option<(Side, u8)> {
    let (letter, lane) = text.split_at_checked(1)?;
    let lane: u8 = lane.parse().ok()?;
    let side = side(letter)?;
    (1..=5).contains(&lane).then(|| (side, lane - 1))
}

fn reading(
    form: &ReadingForm,
    cards: &Cards,
    spot: &Spot,
    checker: &mut Checker<'_>,
) -> Option<Reading> {
    let mut at_space = |text: &str, key: &str| {
        let found = space(text);
        if found.is_none() {
            let message = format!("`{text}` is no space");
            checker.fault(&spot.key(key), message, "write side and lane, such as `A2`");
        }
        found
    };
    match form {
        ReadingForm::Attack(text) => {
            at_space(text, "attack").map(|(side, lane)| Reading::Attack(side, lane))
        }
        ReadingForm::Health(text) => {
            at_space(text, "health").map(|(side, lane)| Reading::Health(side, lane))
        }
        ReadingForm::Life(text) => of_side(text, &spot.key("life"), checker).map(Reading::Life),
        ReadingForm::Hand(text) => of_side(text, &spot.key("hand"), checker).map(Reading::Hand),
        ReadingForm::Count(of) => likeness(of, cards, &spot.key("count"), checker),
    }
}

fn of_side(text: &str, spot: &Spot, checker: &mut Checker<'_>) -> Option<Side> {
    let found = side(text);
    if found.is_none() {
        checker.fault(spot, format!("`{text}` is no side"), "write `A` or `B`");
    }
    found
}

fn likeness(
    form: &LikenessForm,
    cards: &Cards,
    spot: &Spot,
    checker: &mut Checker<'_>,
) -> Option<Reading> {
    let mut likeness = Likeness { attack: form.attack, health: form.health, ..Likeness::default() };
    if let Some(at) = &form.at {
        if let Some((side, lane)) = space(at) {
            (likeness.side, likeness.lane) = (Some(side), Some(lane));
        } else {
            likeness.side = Some(of_side(at, &spot.key("at"), checker)?);
        }
    }
    if let Some(card) = &form.card {
        likeness.card = Some(card_place(card, cards, &spot.key("card"), checker)?);
    }
    Some(Reading::Count(likeness))
}
