//! SP-L cases: the abilities and rulesets of the later edition.

use evens::game::Side;
use evens::games::splinterlands::ability::Ability;
use evens::games::splinterlands::draw::{DrawRules, appearance, draws};
use evens::games::splinterlands::edition::Edition;
use evens::games::splinterlands::event::{Attack, Cause};
use evens::games::splinterlands::rolls::Roll;
use evens::games::splinterlands::ruleset::{Kind, Ruleset};
use evens::games::splinterlands::state::Place;
use strum::IntoEnumIterator;

use super::arena::*;

fn dummy() -> Piece {
    monster().speed(1)
}

#[test]
fn sp_l_camouflage_is_not_chosen_unless_it_stands_in_front() {
    let hidden = || magic(1).health(1).with(Ability::Camouflage);
    let chooser = |ability| [monster(), melee(1).with(ability)];
    let enemies = || [dummy(), ranged(1).health(2), hidden()];
    assert_eq!(arena(chooser(Ability::Sneak), enemies()).target(A2, Attack::Melee), Some(B2));
    assert_eq!(arena(chooser(Ability::Opportunity), enemies()).target(A2, Attack::Melee), Some(B2));
    let sniper = [monster(), magic(1).with(Ability::Snipe)];
    let behind = [dummy(), hidden(), magic(1)];
    assert_eq!(arena(sniper.clone(), behind).target(A2, Attack::Magic), Some(B3));
    let nobody_else = [dummy(), hidden()];
    assert_eq!(arena(sniper.clone(), nobody_else.clone()).target(A2, Attack::Magic), Some(B1));
    assert_eq!(arena(chooser(Ability::Sneak), nobody_else).target(A2, Attack::Melee), Some(B1));
    let in_front = [hidden(), dummy().health(20)];
    assert_eq!(arena(sniper, in_front.clone()).target(A2, Attack::Magic), Some(B2), "no attack");
    assert_eq!(arena(chooser(Ability::Opportunity), in_front).target(A2, Attack::Melee), Some(B1));
}

#[test]
fn sp_l_camouflage_hides_taunt_but_not_from_blast() {
    let taunter = dummy().with(Ability::Taunt).with(Ability::Camouflage);
    let blaster = ranged(4).with(Ability::Blast);
    let arena = arena([monster().speed(1), blaster.speed(5)], [dummy(), taunter]);
    assert_eq!(arena.target(A2, Attack::Ranged), Some(B1));
    let fought = arena.rounds(1, [(Roll::TurnTie, 0), (Roll::TurnTie, 0)]);
    assert_eq!(fought.because_of(Cause::Blast), [(B2, 2)]);
}

#[test]
fn sp_l_close_range_lets_a_monster_shoot_from_the_front() {
    let shooter = ranged(2).with(Ability::CloseRange);
    assert_eq!(arena([shooter], [dummy()]).target(A1, Attack::Ranged), Some(B1));
    assert_eq!(arena([ranged(2)], [dummy()]).target(A1, Attack::Ranged), None);
}

#[test]
fn sp_l_dispel_takes_off_what_friends_gave_but_not_what_the_summoner_gave() {
    let dispeller = || melee(1).speed(5).with(Ability::Dispel);
    let inspired = || [melee(2), monster().speed(2).with(Ability::Inspire)];
    let leader = summoner().melee(1);
    let fought = arena([dispeller()], inspired()).enemy_led_by(leader).under(Ruleset::AimTrue);
    let fought = fought.round();
    assert_eq!(fought.at(B1).now.melee, 3, "2 of its own, 1 of the summoner's");
    let strengthened = [dummy(), dummy().with(Ability::Strengthen)];
    let fought = arena([dispeller()], strengthened).rounds(1, [(Roll::TurnTie, 0)]);
    assert_eq!(
        (fought.health(B1), fought.at(B1).max_health),
        (10, 10),
        "11, 1 damage, no more than 10"
    );
    assert_eq!(fought.at(B2).max_health, 11, "only whom it hits");
}

#[test]
fn sp_l_what_was_dispelled_does_not_end_twice() {
    // The inspirer dies after its inspiration was taken off.
    let dispeller = || ranged(2).speed(5).with(Ability::Dispel).with(Ability::CloseRange);
    let inspirer = monster().speed(1).health(1).with(Ability::Inspire);
    let fought = arena([dispeller(), magic(3).speed(4).with(Ability::Sneak)], [melee(4), inspirer]);
    let fought = fought.under(Ruleset::AimTrue).round();
    assert_eq!(fought.deaths(), [B2]);
    assert_eq!(fought.at(B1).now.melee, 4);
}

#[test]
fn sp_l_forcefield_lets_1_of_a_strong_attack_through() {
    let lost = |attacker: Piece| {
        let target = dummy().health(20).with(Ability::Forcefield);
        20 - arena([attacker.speed(2)], [target]).round().health(B1)
    };
    assert_eq!([lost(melee(4)), lost(melee(5)), lost(magic(9))], [4, 1, 1]);
    assert_eq!(
        lost(melee(3).with(Ability::Oppress)),
        6,
        "what counts is the attack before doubling"
    );
    assert_eq!(lost(melee(5).with(Ability::Oppress)), 1);
}

#[test]
fn sp_l_forcefield_looks_at_the_half_that_blast_brings() {
    let neighbour = || dummy().health(20).with(Ability::Forcefield);
    let blasted = |power| {
        let enemies = [dummy().health(30), neighbour()];
        let fought = arena([magic(power).speed(3).with(Ability::Blast)], enemies);
        20 - fought.rounds(1, [(Roll::TurnTie, 0)]).health(B2)
    };
    assert_eq!([blasted(8), blasted(9)], [4, 1]);
}

#[test]
fn sp_l_scattershot_hits_anybody_even_past_taunt() {
    let shooter = ranged(2).speed(5).with(Ability::Scattershot);
    let enemies = [dummy().speed(1), dummy().speed(2).with(Ability::Taunt), dummy().speed(3)];
    let arena = arena([monster().speed(4), shooter], enemies);
    for (face, hit) in [(0, B1), (1, B2), (2, B3)] {
        let fought = arena.rounds(1, [(Roll::Scattershot, face)]);
        assert_eq!(fought.attacks(), [(A2, Cause::Ranged, hit)]);
    }
}

#[test]
fn sp_l_scattershot_from_the_front_hits_the_front() {
    let mage = magic(2).speed(5).with(Ability::Scattershot);
    let fought = arena([mage], [dummy().speed(1), dummy().speed(2)]).round();
    assert_eq!(fought.attacks(), [(A1, Cause::Magic, B1)]);
    let mixed = melee(2).speed(5).with(Ability::Scattershot);
    let fought = arena([mixed], [dummy().speed(1), dummy().speed(2)]).round();
    assert_eq!(fought.attacks(), [(A1, Cause::Melee, B1)], "melee is not scattered");
}

#[test]
fn sp_l_true_strike_cannot_miss() {
    let target = monster().speed(9).with(Ability::Flying).with(Ability::Dodge);
    let arena = arena([melee(2).with(Ability::TrueStrike)], [target]);
    assert_eq!(arena.percent(A1, B1, Attack::Melee), 100);
    assert_eq!(arena.round().health(B1), 8);
}

#[test]
fn sp_l_noxious_fumes_poison_everybody_from_the_start() {
    let fumes = arena([monster()], [monster().speed(4)]).under(Ruleset::NoxiousFumes);
    let fought = fumes.rounds(2, []);
    assert_eq!(fought.because_of(Cause::Poison), [(A1, 2), (B1, 2)]);
    let cleansed = arena([monster().with(Ability::Cleanse)], [monster().speed(4)]);
    let fought = cleansed.under(Ruleset::NoxiousFumes).rounds(2, []);
    assert_eq!(fought.because_of(Cause::Poison), [(B1, 2)], "it can be cleansed");
}

#[test]
fn sp_l_four_rulesets_give_everybody_an_ability() {
    let given = [
        (Ruleset::EqualOpportunity, Ability::Opportunity),
        (Ruleset::ExplosiveWeaponry, Ability::Blast),
        (Ruleset::HolyProtection, Ability::DivineShield),
        (Ruleset::SpreadingFury, Ability::Enrage),
    ];
    for (ruleset, ability) in given {
        let fought = arena([monster()], [magic(1)]).under(ruleset).begins();
        assert!(fought.at(A1).has(ability) && fought.at(B1).has(ability), "{ruleset}");
    }
}

#[test]
fn sp_l_what_a_ruleset_gives_works() {
    let wounded = melee(3).speed(3);
    let fury = arena([wounded], [magic(1).speed(9)]).under(Ruleset::SpreadingFury);
    let fury = fury.rounds(1, [(Roll::Hit, NO)]);
    assert_eq!((fury.at(A1).now.melee, fury.at(A1).now.speed), (5, 5));
    let opportunity = arena([monster(), melee(1)], [dummy(), dummy().health(3)]);
    assert_eq!(opportunity.under(Ruleset::EqualOpportunity).target(A2, Attack::Melee), Some(B2));
    let holy = arena([melee(4).speed(2)], [dummy()]).under(Ruleset::HolyProtection).round();
    assert_eq!(holy.health(B1), 10);
    let explosive = arena([melee(4).speed(2)], [dummy(), monster().speed(9)]);
    let fought = explosive.under(Ruleset::ExplosiveWeaponry).round();
    assert_eq!(fought.because_of(Cause::Blast), [(B2, 2)]);
}

#[test]
fn sp_l_stampede_tramples_on_as_long_as_it_kills() {
    let trampler = || melee(3).speed(5).with(Ability::Trample);
    let weak = || dummy().health(1);
    let team = || [weak(), weak(), weak(), dummy()];
    let fought = arena([trampler()], team()).under(Ruleset::Stampede).round();
    assert_eq!(fought.because_of(Cause::Trample), [(B2, 1), (B3, 1), (Place(9), 3)]);
    let one_kill = [weak(), dummy(), weak()];
    let fought = arena([trampler()], one_kill).under(Ruleset::Stampede);
    let fought = fought.rounds(1, [(Roll::TurnTie, 0)]);
    assert_eq!(fought.because_of(Cause::Trample), [(B2, 3)], "the second does not die");
    let all = arena([trampler()], [weak(), weak(), weak()]).under(Ruleset::Stampede).round();
    assert!(all.won_by(Side::A));
}

#[test]
fn sp_l_the_later_edition_draws_33_rulesets_and_the_guides_27() {
    let later: Vec<Ruleset> = Ruleset::iter().filter(|r| r.edition() == Edition::Later).collect();
    assert_eq!(later.len(), 6);
    let kinds = |kind| later.iter().filter(|ruleset| ruleset.kind() == kind).count();
    assert_eq!([Kind::Primary, Kind::Any, Kind::Secondary].map(kinds), [1, 5, 0]);
    assert!(!Ruleset::Stampede.goes_with(Ruleset::KeepYourDistance));
    let drawn = |edition| {
        let draws = draws(&DrawRules::of(edition)).unwrap();
        appearance(&draws).iter().filter(|(_, odds)| *odds.numer() != 0.into()).count()
    };
    assert_eq!(drawn(Edition::Guide), 27);
    assert_eq!(drawn(Edition::Later), 33);
}
