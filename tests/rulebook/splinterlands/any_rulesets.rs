//! SP-67 to SP-86 without the leagues: the Any rulesets.

use evens::game::{Outcome, Side};
use evens::games::splinterlands::ability::Ability;
use evens::games::splinterlands::event::{Attack, Cause, Event};
use evens::games::splinterlands::rolls::Roll;
use evens::games::splinterlands::ruleset::Ruleset;

use super::arena::*;

fn dummy() -> Piece {
    monster().speed(1)
}

const A_FIRST: (Roll, u32) = (Roll::EarthquakeSide, 0);
const B_FIRST: (Roll, u32) = (Roll::EarthquakeSide, 1);

// Close Range

#[test]
fn sp_67_ranged_cannot_be_used_in_front() {
    assert_eq!(arena([ranged(2)], [monster()]).target(A1, Attack::Ranged), None);
    for name in ["The Vigilator", "War Chaang"] {
        let arena = arena([card(name, 1)], [dummy().health(30)]);
        let attacks = arena.round().attacks();
        assert!(attacks.iter().all(|&attack| attack == (A1, Cause::Melee, B1)), "{name}");
        assert!(!attacks.is_empty(), "{name}");
    }
}

#[test]
fn sp_68_close_range_lets_the_front_use_ranged_attacks() {
    let close = arena([ranged(2)], [dummy()]).under(Ruleset::CloseRange);
    assert_eq!(close.round().health(B1), 8);
    for name in ["The Vigilator", "War Chaang"] {
        let arena = arena([card(name, 1)], [dummy().health(30)]).under(Ruleset::CloseRange);
        // The Vigilator strikes twice, each time with both attacks.
        for attacks in arena.round().attacks().chunks(2) {
            assert_eq!(attacks, [(A1, Cause::Ranged, B1), (A1, Cause::Melee, B1)], "{name}");
        }
    }
}

// Earthquake

#[test]
fn sp_69_earthquake_deals_2_melee_damage_to_whoever_does_not_fly_each_round() {
    let arena = arena([monster().with(Ability::Flying)], [dummy()]).under(Ruleset::Earthquake);
    let fought = arena.rounds(4, [A_FIRST]);
    assert_eq!((fought.health(A1), fought.health(B1)), (10, 10 - 3 * 2));
}

#[test]
fn sp_70_shield_halves_the_earthquake_and_void_does_not() {
    let targets = [monster().with(Ability::Shield), monster().speed(2).with(Ability::Void)];
    let fought = arena(targets, [dummy()]).under(Ruleset::Earthquake).rounds(2, [A_FIRST]);
    assert_eq!((fought.health(A1), fought.health(A2)), (9, 8));
}

#[test]
fn sp_71_one_armor_absorbs_the_whole_earthquake() {
    let arena = arena([monster().armor(1)], [dummy()]).under(Ruleset::Earthquake);
    let fought = arena.rounds(2, [A_FIRST]);
    assert_eq!((fought.armor(A1), fought.health(A1)), (0, 10));
}

#[test]
fn sp_72_snare_grounds_and_cleanse_gives_the_wings_back() {
    let snarer = melee(1).with(Ability::Snare);
    let flyer = || dummy().with(Ability::Flying).health(20);
    let grounded = arena([snarer.clone()], [flyer()]).under(Ruleset::Earthquake);
    let fought = grounded.rounds(2, [A_FIRST]);
    assert!(!fought.at(B1).flies());
    assert_eq!(fought.because_of(Cause::Earthquake), [(A1, 2), (B1, 2)]);
    // The cleanser acts after the snarer of each round, so the flyer flies whenever the earth quakes.
    let cleanser = monster().speed(2).with(Ability::Cleanse).with(Ability::Flying);
    let freed =
        arena([snarer], [flyer(), cleanser]).under(Ruleset::Earthquake).rounds(2, [A_FIRST]);
    assert!(freed.has(|event| matches!(event, Event::Cleanses { on: B1, .. })));
    assert_eq!(freed.because_of(Cause::Earthquake), [(A1, 2)]);
}

#[test]
fn sp_73_with_back_to_basics_everybody_is_shaken_but_a_summoners_wings_still_work() {
    let rules = Ruleset::Earthquake | Ruleset::BackToBasics;
    let flying = arena([monster().with(Ability::Flying)], [dummy()]).under(rules);
    let fought = flying.clone().rounds(2, [A_FIRST]);
    assert_eq!((fought.health(A1), fought.health(B1)), (8, 8));
    let lifted = flying.led_by(summoner().with(Ability::Flying)).rounds(2, [A_FIRST]);
    assert_eq!((lifted.health(A1), lifted.health(B1)), (10, 8));
}

#[test]
fn sp_74_a_team_is_shaken_from_the_front_and_each_death_resolved_first() {
    // The first to die carries Strengthen: the second loses 1 maximum health before it is shaken.
    let strengthener = monster().health(1).with(Ability::Strengthen);
    let second = monster().speed(2).health(2);
    let quake = |team: [Piece; 2]| {
        arena(team, [dummy().with(Ability::Flying)]).under(Ruleset::Earthquake).rounds(2, [A_FIRST])
    };
    let fought = quake([strengthener.clone(), second.clone()]);
    assert_eq!(fought.deaths(), [A1, A2]);
    let other_way = quake([second.speed(3), strengthener.speed(2)]);
    assert_eq!(other_way.deaths(), [A2]);
    assert_eq!(other_way.health(A1), 1, "shaken with 3 health, before the bonus ended");
    // Protect: the carrier behind still protects when the front is shaken.
    let protector = monster().health(1).with(Ability::Protect);
    let fought = quake([protector, monster().speed(2)]);
    assert_eq!(fought.because_of(Cause::Earthquake), [(A1, 0), (A2, 0)]);
    // Resurrect: the front comes back within the same quake and is not shaken again.
    let fought = quake([monster().health(2), monster().speed(2).with(Ability::Resurrect)]);
    assert_eq!((fought.health(A1), fought.lives(A1)), (1, true));
}

#[test]
fn sp_75_one_whole_team_is_shaken_before_the_other() {
    let team = || [monster(), monster().speed(2)];
    let shaken = |die| {
        let fought = arena(team(), [dummy(), dummy().speed(4)]).under(Ruleset::Earthquake);
        let fought = fought.rounds(3, [die]);
        fought.because_of(Cause::Earthquake).into_iter().map(|(on, _)| on).collect::<Vec<_>>()
    };
    assert_eq!(shaken(A_FIRST), [A1, A2, B1, B2, A1, A2, B1, B2], "drawn once for the battle");
    assert_eq!(shaken(B_FIRST), [B1, B2, A1, A2, B1, B2, A1, A2]);
}

#[test]
fn sp_76_two_weakeners_under_earthquake_win_half_the_battles_each_and_never_draw() {
    let weakener = || monster().health(3).with(Ability::Weaken);
    let arena = arena([weakener()], [weakener()]).under(Ruleset::Earthquake);
    assert_eq!((arena.rounds(1, [A_FIRST, (Roll::TurnTie, 0)])).health(A1), 2);
    let fought = arena.rounds(2, [A_FIRST, (Roll::TurnTie, 0)]);
    assert!(fought.won_by(Side::B));
    assert_eq!(fought.health(B1), 1);
    let odds = arena.odds();
    assert_eq!(odds.len(), 2);
    assert_eq!(odds[&Outcome::Win(Side::A)], fraction(1, 2));
    assert_eq!(odds[&Outcome::Win(Side::B)], fraction(1, 2));
}

// Equalizer

#[test]
fn sp_77_equalizer_starts_everybody_with_the_highest_base_health_of_all() {
    let begun = arena([monster().health(3), monster()], [card("Peaceful Giant", 10), monster()])
        .under(Ruleset::Equalizer)
        .begins();
    assert_eq!([A1, A2, B1, B2].map(|place| begun.health(place)), [17; 4]);
}

#[test]
fn sp_78_buffs_and_debuffs_apply_after_the_equalizer() {
    let mine = [card("Wood Nymph", 8), card("Swamp Thing", 1)];
    let strengthens = arena(mine.clone(), [monster()]).begins();
    assert!(strengthens.at(A1).has(Ability::Strengthen) && strengthens.at(A2).has(Ability::Weaken));
    let arena = arena(mine, [card("Peaceful Giant", 10), monster()]).under(Ruleset::Equalizer);
    let begun = arena.led_by(card("Prince Rennyn", 1)).begins();
    assert_eq!([A1, A2].map(|place| begun.health(place)), [19; 2]);
    assert_eq!([B1, B2].map(|place| begun.health(place)), [16; 2]);
}

// Healed Out

#[test]
fn sp_79_healed_out_removes_healing_from_monsters_and_summoners() {
    let healer = monster().with(Ability::Heal).with(Ability::TankHeal).with(Ability::Triage);
    let arena = arena([healer], [monster()]).under(Ruleset::HealedOut);
    assert!(arena.begins().at(A1).abilities.is_empty());
    let led = arena.led_by(card("Chanseus the Great", 1)).begins();
    assert!(!led.state.leaders[0].abilities.contains(Ability::Triage));
    assert!(led.state.leaders[0].abilities.contains(Ability::Repair));
}

#[test]
fn sp_80_under_healed_out_repair_still_works() {
    let repairer = monster().speed(2).with(Ability::Repair);
    let fought = arena([dummy().armor(2), repairer], [melee(2)]).under(Ruleset::HealedOut).round();
    assert_eq!(fought.armor(A1), 2);
}

#[test]
fn sp_81_under_healed_out_life_leech_still_works() {
    let leech = melee(4).with(Ability::LifeLeech);
    let fought = arena([leech], [dummy()]).under(Ruleset::HealedOut).round();
    assert_eq!((fought.health(A1), fought.at(A1).max_health), (12, 12));
}

#[test]
fn sp_82_under_healed_out_affliction_changes_nothing() {
    let attacker = |ability: Option<Ability>| match ability {
        Some(ability) => melee(2).with(ability),
        None => melee(2),
    };
    let healer = || dummy().with(Ability::Heal);
    let end = |ability, dice: &[(Roll, u32)]| {
        let arena = arena([attacker(ability)], [healer()]).under(Ruleset::HealedOut);
        arena.rounds(3, dice.iter().copied()).health(B1)
    };
    assert_eq!(end(Some(Ability::Affliction), &[(Roll::Affliction, YES)]), end(None, &[]));
}

// Heavy Hitters

#[test]
fn sp_83_heavy_hitters_gives_everybody_knock_out_and_nobody_twice() {
    let stunner = || ranged(1).with(Ability::Stun).speed(5);
    let struck = |attacker: Piece, rules: Ruleset| {
        let arena = arena([attacker, stunner()], [dummy().health(20)]).under(rules);
        arena.rounds(1, [(Roll::Stun, YES)]).health(B1)
    };
    assert_eq!(struck(melee(3), Ruleset::Standard), 20 - 1 - 3);
    assert_eq!(struck(melee(3), Ruleset::HeavyHitters), 20 - 1 - 6);
    assert_eq!(struck(melee(3).with(Ability::KnockOut), Ruleset::Standard), 20 - 1 - 6);
    assert_eq!(struck(melee(3).with(Ability::KnockOut), Ruleset::HeavyHitters), 20 - 1 - 6);
}

#[test]
fn sp_84_knock_out_and_oppress_multiply() {
    let stunner = || ranged(1).with(Ability::Stun).speed(5);
    let struck = |attacker: Piece, target: Piece, stuns: u32| {
        let arena = arena([attacker, stunner()], [target.speed(1).health(30)]);
        arena.under(Ruleset::HeavyHitters).rounds(1, [(Roll::Stun, stuns)]).health(B1)
    };
    let oppressor = || melee(3).with(Ability::Oppress);
    assert_eq!(struck(oppressor(), monster(), YES), 30 - 1 - 12);
    assert_eq!(struck(oppressor(), monster(), NO), 30 - 1 - 6);
    assert_eq!(struck(oppressor(), magic(1), YES), 30 - 1 - 6);
}

#[test]
fn sp_85_without_stun_heavy_hitters_has_no_effect() {
    let arena = arena([melee(2).speed(4), ranged(2)], [melee(3).speed(2), magic(1).speed(1)]);
    let (with, without) = (arena.clone().under(Ruleset::HeavyHitters).odds(), arena.odds());
    assert_eq!(with, without);
}
