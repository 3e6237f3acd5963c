//! SP-23 to SP-66: the Primary rulesets.

use evens::games::splinterlands::ability::Ability;
use evens::games::splinterlands::event::{Attack, Cause, Event};
use evens::games::splinterlands::rolls::Roll;
use evens::games::splinterlands::ruleset::Ruleset;

use super::arena::*;

/// A monster that acts after everybody else and does nothing.
fn dummy() -> Piece {
    monster().speed(1)
}

// Armored Up

#[test]
fn sp_23_armored_up_gives_everybody_2_armor() {
    let begun =
        arena([monster(), monster().armor(3)], [monster()]).under(Ruleset::ArmoredUp).begins();
    assert_eq!([A1, A2, B1].map(|place| begun.armor(place)), [2, 5, 2]);
}

#[test]
fn sp_24_protect_and_rust_change_that_armor() {
    let protect = arena([monster().with(Ability::Protect)], [monster()]).under(Ruleset::ArmoredUp);
    assert_eq!(protect.begins().armor(A1), 4);
    let rust = arena([monster()], [monster().with(Ability::Rust)]).under(Ruleset::ArmoredUp);
    assert_eq!(rust.begins().armor(A1), 0);
}

#[test]
fn sp_25_armor_from_armored_up_can_be_repaired() {
    let healer = monster().speed(2).with(Ability::Repair);
    let fought = arena([monster(), healer], [melee(2)]).under(Ruleset::ArmoredUp);
    let fought = fought.rounds(1, [(Roll::TurnTie, 1)]);
    assert!(fought.has(|event| matches!(
        event,
        Event::Mends { ability: Ability::Repair, on: A1, amount: 2, .. }
    )));
    assert_eq!(fought.armor(A1), 2);
}

// Back to Basics

#[test]
fn sp_26_back_to_basics_removes_all_own_abilities() {
    let able = monster().with(Ability::Void).with(Ability::Flying).with(Ability::Inspire);
    let begun = arena([able, melee(2)], [monster()]).under(Ruleset::BackToBasics).begins();
    assert!(begun.at(A1).abilities.is_empty());
    assert_eq!(begun.at(A2).now.melee, 2);
}

#[test]
fn sp_27_what_a_summoner_grants_survives_back_to_basics() {
    let arena = arena([monster()], [magic(4)]).under(Ruleset::BackToBasics);
    let arena = arena.led_by(card("Mimosa Nightshade", 1));
    assert!(arena.begins().at(A1).has(Ability::Void));
    assert_eq!(arena.round().health(A1), 8);
}

#[test]
fn sp_28_mimosas_affliction_applies_and_finds_nothing_to_stop() {
    let wounded = arena([melee(3)], [dummy().with(Ability::Heal)]).under(Ruleset::BackToBasics);
    let with = wounded.clone().led_by(card("Mimosa Nightshade", 1)).rounds(2, []);
    assert!(with.state.leaders[1].cursed);
    assert_eq!(with.health(B1), wounded.rounds(2, []).health(B1));
}

#[test]
fn sp_29_there_with_earthquake_mimosas_affliction_stops_triage() {
    let rules = Ruleset::BackToBasics | Ruleset::Earthquake;
    let arena = arena([monster(), monster()], [monster(), monster()]).under(rules);
    let healed = arena.clone().enemy_led_by(card("Chanseus the Great", 1));
    let dice = || [(Roll::EarthquakeSide, 0)].into_iter().chain(ties(2, 4));
    let fought = healed.rounds(2, dice());
    assert_eq!(fought.health(B2), 10, "shaken for 2 and healed for a third");
    let stopped = healed.led_by(card("Mimosa Nightshade", 1)).rounds(2, dice());
    assert_eq!(stopped.health(B2), 8);
}

/// The dice of `rounds` rounds in which `tied` monsters are all equal: the first one is always drawn.
fn ties(rounds: usize, tied: u32) -> impl Iterator<Item = (Roll, u32)> {
    (0..rounds).flat_map(move |_| (1..tied).map(|_| (Roll::TurnTie, 0)))
}

#[test]
fn sp_30_a_summoner_that_gives_heal_works_and_affliction_counters_it() {
    let healer = || summoner().with(Ability::Heal);
    let arena = arena([melee(3)], [dummy()]).under(Ruleset::BackToBasics).enemy_led_by(healer());
    assert_eq!(arena.round().health(B1), 10);
    let countered = arena.led_by(card("Mimosa Nightshade", 1));
    assert_eq!(countered.round().health(B1), 7);
}

#[test]
fn sp_31_yodins_blast_and_chanseus_repair_triage_and_resurrect_work() {
    let basics = |arena: Arena| arena.under(Ruleset::BackToBasics);
    let blast = basics(arena([melee(4)], [dummy(), dummy()])).led_by(card("Yodin Zaku", 1));
    let fought = blast.rounds(1, [(Roll::TurnTie, 0)]);
    assert_eq!((fought.health(B1), fought.health(B2)), (6, 8));

    let chanseus = || card("Chanseus the Great", 1);
    let armored = basics(arena([melee(1)], [dummy().armor(3)])).enemy_led_by(chanseus());
    assert_eq!(armored.rounds(2, []).armor(B1), 2, "3 - 1, repaired to 3, - 1");
    let blasted = blast.enemy_led_by(chanseus()).rounds(2, ties(2, 2));
    assert!(blasted.has(|event| matches!(
        event,
        Event::Mends { ability: Ability::Triage, on: B2, by: None, amount: 2 }
    )));
    let killed = basics(arena([melee(3)], [dummy().health(3).armor(0)])).enemy_led_by(chanseus());
    let fought = killed.round();
    assert!(fought.has(|event| matches!(event, Event::Returns { who: B1, by: None })));
    assert_eq!(fought.health(B1), 1);
}

#[test]
fn sp_32_without_blast_or_earthquake_nothing_reaches_the_back_line() {
    let sneak = melee(3).with(Ability::Sneak);
    let back = arena([sneak.clone(), sneak], [dummy(), dummy()]).under(Ruleset::BackToBasics);
    let fought = back.rounds(1, [(Roll::TurnTie, 0), (Roll::TurnTie, 0)]);
    assert_eq!(fought.health(B2), 10);
    assert_eq!(fought.attacks(), [(A1, Cause::Melee, B1)]);
}

// Fog of War

#[test]
fn sp_33_fog_of_war_removes_sneak_and_snipe() {
    let able = ranged(1).with(Ability::Sneak).with(Ability::Snipe);
    let arena = arena([monster(), able], [monster(), ranged(1)]).under(Ruleset::FogOfWar);
    assert!(arena.begins().at(A2).abilities.is_empty());
    assert_eq!(arena.target(A2, Attack::Ranged), Some(B1));
}

#[test]
fn sp_34_opportunity_and_reach_still_work_in_the_fog() {
    let team = [monster(), melee(1).with(Ability::Reach), melee(1).with(Ability::Opportunity)];
    let fog = arena(team, [monster(), monster().health(2)]).under(Ruleset::FogOfWar);
    assert_eq!(fog.target(A2, Attack::Melee), Some(B1));
    assert_eq!(fog.target(A3, Attack::Melee), Some(B2));
}

#[test]
fn sp_35_in_the_fog_melee_mayhem_lets_the_back_line_attack_the_tank() {
    let team = [monster(), monster(), melee(1), melee(1).with(Ability::Sneak)];
    let mayhem =
        arena(team, [monster(), monster()]).under(Ruleset::FogOfWar | Ruleset::MeleeMayhem);
    assert_eq!(mayhem.target(A3, Attack::Melee), Some(B1));
    assert_eq!(mayhem.target(A4, Attack::Melee), Some(B1));
}

#[test]
fn sp_36_in_the_fog_taunt_draws_the_back_line_but_not_tank_and_reach() {
    let team = [melee(1), melee(1).with(Ability::Reach), ranged(1), magic(1)];
    let enemies = [monster(), monster().with(Ability::Taunt)];
    let fog = arena(team, enemies).under(Ruleset::FogOfWar);
    assert_eq!(fog.target(A1, Attack::Melee), Some(B1));
    assert_eq!(fog.target(A2, Attack::Melee), Some(B1));
    assert_eq!(fog.target(A3, Attack::Ranged), Some(B2));
    assert_eq!(fog.target(A4, Attack::Magic), Some(B2));
}

// Silenced Summoners

#[test]
fn sp_37_silenced_summoners_removes_stat_and_ability_grants() {
    let arena = arena([melee(2)], [melee(2)]).under(Ruleset::SilencedSummoners);
    let silenced = arena.led_by(summoner().melee(1).armor(2).with(Ability::Flying));
    let silenced = silenced.enemy_led_by(summoner().melee(-1));
    let begun = silenced.begins();
    assert_eq!((begun.at(A1).now.melee, begun.armor(A1)), (2, 0));
    assert!(!begun.at(A1).flies());
}

#[test]
fn sp_38_silenced_are_mimosa_yodin_and_chanseus_too() {
    let silenced = |leader: &str| {
        let arena = arena([melee(4), monster()], [dummy(), dummy()]);
        arena.under(Ruleset::SilencedSummoners).led_by(card(leader, 1))
    };
    let mimosa = silenced("Mimosa Nightshade").begins();
    assert!(!mimosa.at(A1).has(Ability::Void) && !mimosa.state.leaders[1].cursed);
    let yodin = silenced("Yodin Zaku").begins();
    assert!(!yodin.at(A1).has(Ability::Blast));
    let chanseus = silenced("Chanseus the Great").begins();
    assert!(chanseus.state.leaders[0].abilities.is_empty());
}

// Standard

#[test]
fn sp_40_standard_changes_nothing() {
    let able = melee(2).armor(1).speed(4).with(Ability::Sneak).with(Ability::Heal);
    let begun = arena([able.clone()], [monster()]).begins();
    let (monster, now) = (begun.at(A1), begun.at(A1).now);
    assert_eq!((now.melee, now.armor, now.health, now.speed), (2, 1, 10, 4));
    assert_eq!(monster.abilities, Ability::Sneak | Ability::Heal);
}

// Super Sneak

#[test]
fn sp_41_super_sneak_gives_melee_monsters_sneak() {
    let team = [melee(1), melee(1), ranged(1)];
    let arena = arena(team, [monster(), monster(), monster()]).under(Ruleset::SuperSneak);
    assert_eq!(arena.target(A1, Attack::Melee), Some(B1), "from the front: the tank");
    assert_eq!(arena.target(A2, Attack::Melee), Some(B3), "from the back: the last");
    assert_eq!(arena.target(A3, Attack::Ranged), Some(B1), "not melee: as ever");
}

#[test]
fn sp_42_super_sneak_meets_taunt() {
    let enemies = [monster(), monster().with(Ability::Taunt), monster()];
    let arena = arena([melee(1), melee(1)], enemies).under(Ruleset::SuperSneak);
    assert_eq!(arena.target(A1, Attack::Melee), Some(B1));
    assert_eq!(arena.target(A2, Attack::Melee), Some(B2));
}

#[test]
fn sp_43_sneak_goes_before_reach_snipe_and_opportunity() {
    for other in [Ability::Reach, Ability::Snipe, Ability::Opportunity] {
        let sneaker = melee(1).with(Ability::Sneak).with(other);
        let arena = arena([monster(), sneaker], [monster(), ranged(1).health(1), monster()]);
        assert_eq!(arena.target(A2, Attack::Melee), Some(B3), "{other}");
    }
}

#[test]
fn sp_44_an_all_melee_team_under_super_sneak() {
    let enemies = [monster(), monster(), monster()];
    let team = [4, 3, 2].map(|speed| melee(1).speed(speed));
    let arena = arena(team, enemies.map(|enemy| enemy.speed(1))).under(Ruleset::SuperSneak);
    let attacks = arena.rounds(1, [(Roll::TurnTie, 0), (Roll::TurnTie, 0)]).attacks();
    assert_eq!(attacks.iter().map(|attack| attack.2).collect::<Vec<_>>(), [B1, B3, B3]);
}

#[test]
fn sp_45_red_dragon_under_super_sneak() {
    let enemies = || [monster().health(30).speed(1), monster().health(30).speed(1)];
    let attacks = |team: Vec<Piece>| {
        arena(team, enemies()).under(Ruleset::SuperSneak).rounds(1, [(Roll::TurnTie, 0)]).attacks()
    };
    let dragon = || card("Red Dragon", 1);
    assert_eq!(attacks(vec![dragon()]), [(A1, Cause::Magic, B1), (A1, Cause::Melee, B1)]);
    let back = attacks(vec![monster(), dragon()]);
    assert_eq!(back, [(A2, Cause::Magic, B2), (A2, Cause::Melee, B2)]);
}

#[test]
fn sp_46_vigilator_and_war_chaang_under_super_sneak() {
    let enemies = || [monster().health(30).speed(1), monster().health(30).speed(1)];
    for name in ["The Vigilator", "War Chaang"] {
        let both = || card(name, 1);
        let attacks = |team: Vec<Piece>, close: bool| {
            let mut rules =
                evens::games::splinterlands::ruleset::Rulesets::from(Ruleset::SuperSneak);
            if close {
                rules |= Ruleset::CloseRange;
            }
            arena(team, enemies()).under(rules).rounds(1, [(Roll::TurnTie, 0)]).attacks()
        };
        // The Vigilator strikes twice.
        for once in attacks(vec![both()], false) {
            assert_eq!(once, (A1, Cause::Melee, B1), "{name}");
        }
        for twice in attacks(vec![both()], true).chunks(2) {
            assert_eq!(twice, [(A1, Cause::Ranged, B1), (A1, Cause::Melee, B1)], "{name}");
        }
        for twice in attacks(vec![monster().speed(9), both()], false).chunks(2) {
            assert_eq!(twice, [(A2, Cause::Ranged, B2), (A2, Cause::Melee, B2)], "{name}");
        }
    }
}

// Target Practice

#[test]
fn sp_47_target_practice_gives_ranged_and_magic_monsters_snipe() {
    let both = melee(1).ranged(1);
    for eligible in [ranged(1), magic(1), monster(), both] {
        let enemies = [monster(), melee(1), eligible, ranged(1)];
        let arena = arena([monster(), ranged(1), magic(1)], enemies).under(Ruleset::TargetPractice);
        assert_eq!(arena.target(A2, Attack::Ranged), Some(B3));
        assert_eq!(arena.target(A3, Attack::Magic), Some(B3));
    }
    let melee_stays = arena([monster(), melee(1)], [monster(), ranged(1)]);
    let melee_stays = melee_stays.under(Ruleset::TargetPractice | Ruleset::MeleeMayhem);
    assert_eq!(melee_stays.target(A2, Attack::Melee), Some(B1));
}

#[test]
fn sp_48_a_sniper_in_front_attacks_the_tank() {
    let arena = arena([magic(1)], [monster(), ranged(1)]).under(Ruleset::TargetPractice);
    assert_eq!(arena.target(A1, Attack::Magic), Some(B1));
}

#[test]
fn sp_49_a_sniper_prefers_the_second_position_to_a_ranged_tank() {
    let arena = arena([monster(), ranged(1)], [magic(3), ranged(1)]).under(Ruleset::TargetPractice);
    assert_eq!(arena.target(A2, Attack::Ranged), Some(B2));
}

#[test]
fn sp_50_without_an_eligible_enemy_snipers_attack_the_tank() {
    let arena = arena([monster(), ranged(1), magic(1)], [monster(), melee(1), melee(1)]);
    let arena = arena.under(Ruleset::TargetPractice);
    assert_eq!(arena.target(A2, Attack::Ranged), Some(B1));
    assert_eq!(arena.target(A3, Attack::Magic), Some(B1));
}

#[test]
fn sp_51_taunt_draws_snipers_and_sneakers() {
    let enemies = [monster(), ranged(1), melee(1).with(Ability::Taunt), monster()];
    let team = [monster(), ranged(1), melee(1).with(Ability::Sneak)];
    let arena = arena(team, enemies).under(Ruleset::TargetPractice);
    assert_eq!(arena.target(A2, Attack::Ranged), Some(B3));
    assert_eq!(arena.target(A3, Attack::Melee), Some(B3));
}

#[test]
fn sp_52_sneak_goes_before_snipe() {
    for name in ["Dragonling Bowman", "Pyromaniac"] {
        let arena = arena([monster(), card(name, 1)], [monster(), ranged(1), melee(1)]);
        let arena = arena.under(Ruleset::TargetPractice);
        let begun = arena.begins();
        assert!(begun.at(A2).has(Ability::Sneak) && begun.at(A2).has(Ability::Snipe), "{name}");
        assert_eq!(arena.target(A2, Attack::Ranged), Some(B3), "{name}");
    }
}

#[test]
fn sp_53_our_decision_snipe_goes_before_opportunity() {
    let both = ranged(1).with(Ability::Snipe).with(Ability::Opportunity);
    let arena = arena([monster(), both], [monster(), ranged(1), melee(1).health(1)]);
    assert_eq!(arena.target(A2, Attack::Ranged), Some(B2));
}

#[test]
fn sp_54_target_practice_leaves_the_front_as_it_is() {
    let enemies = || [monster(), ranged(1)];
    let dragon = arena([card("Red Dragon", 1)], enemies()).under(Ruleset::TargetPractice);
    assert_eq!(dragon.target(A1, Attack::Magic), Some(B1));
    assert_eq!(dragon.target(A1, Attack::Melee), Some(B1));
    let chaang = arena([card("War Chaang", 1)], enemies()).under(Ruleset::TargetPractice);
    assert_eq!(chaang.target(A1, Attack::Ranged), None);
    assert_eq!(chaang.target(A1, Attack::Melee), Some(B1));
}

#[test]
fn sp_55_in_the_back_two_attack_monsters_snipe_and_keep_their_melee() {
    for (name, kind) in [("Red Dragon", Attack::Magic), ("War Chaang", Attack::Ranged)] {
        let arena = arena([monster(), card(name, 1)], [monster(), melee(1), ranged(1)]);
        let arena = arena.under(Ruleset::TargetPractice);
        assert_eq!(arena.target(A2, kind), Some(B3), "{name}");
        assert_eq!(arena.target(A2, Attack::Melee), None, "{name}");
    }
}

#[test]
fn sp_55_what_snipes_does_not_do_so_with_the_melee_attack_that_reaches() {
    let both = ranged(1).melee(1).with(Ability::Reach).with(Ability::Snipe);
    let enemies = [monster(), monster(), magic(1).with(Ability::Taunt)];
    let reaching = arena([monster(), both], enemies);
    assert_eq!(reaching.target(A2, Attack::Ranged), Some(B3));
    assert_eq!(reaching.target(A2, Attack::Melee), Some(B1));
    assert_eq!(reaching.under(Ruleset::MeleeMayhem).target(A2, Attack::Melee), Some(B3));
}

#[test]
fn sp_56_with_melee_mayhem_their_melee_goes_to_the_snipe_target_too() {
    for (name, kind) in [
        ("Red Dragon", Cause::Magic),
        ("War Chaang", Cause::Ranged),
        ("The Vigilator", Cause::Ranged),
    ] {
        let enemies = [monster().speed(1), melee(1).speed(9), magic(1).health(30).speed(1)];
        let arena = arena([monster().speed(2), card(name, 1)], enemies);
        let arena = arena.under(Ruleset::TargetPractice | Ruleset::MeleeMayhem);
        let attacks: Vec<_> =
            arena.round().attacks().into_iter().filter(|attack| attack.0 == A2).collect();
        for twice in attacks.chunks(2) {
            assert_eq!(twice, [(A2, kind, B3), (A2, Cause::Melee, B3)], "{name}");
        }
        assert!(!attacks.is_empty(), "{name}");
    }
}

// Unprotected

#[test]
fn sp_57_under_unprotected_summoners_give_no_armor() {
    for name in ["Tyrus Paladium", "The Peakrider", "Drake of Arnak"] {
        let arena = arena([monster()], [monster()]).led_by(card(name, 1));
        assert!(arena.begins().armor(A1) > 0, "{name}");
        assert_eq!(arena.under(Ruleset::Unprotected).begins().armor(A1), 0, "{name}");
    }
}

#[test]
fn sp_58_under_unprotected_nobody_has_armor() {
    let begun =
        arena([monster().armor(5)], [monster().armor(1)]).under(Ruleset::Unprotected).begins();
    assert_eq!((begun.armor(A1), begun.armor(B1)), (0, 0));
}

#[test]
fn sp_59_under_unprotected_protect_gives_nothing() {
    let arena = arena([monster().with(Ability::Protect)], [monster()]).under(Ruleset::Unprotected);
    assert_eq!(arena.begins().armor(A1), 0);
}

#[test]
fn sp_60_under_unprotected_whatever_is_about_armor_does_nothing() {
    let bare = |attacker: Piece, helper: Piece, leader: Piece| {
        let arena = arena([attacker, helper], [dummy().armor(4)]);
        arena.under(Ruleset::Unprotected).led_by(leader).round()
    };
    let plain = bare(melee(3).speed(5), monster(), summoner());
    for ability in [Ability::Piercing, Ability::Shatter, Ability::Rust] {
        let fought = bare(melee(3).speed(5).with(ability), monster(), summoner());
        assert_eq!((fought.health(B1), fought.armor(B1)), (plain.health(B1), 0), "{ability}");
    }
    let repaired = bare(melee(3).speed(5), monster().with(Ability::Repair), summoner());
    assert!(!repaired.has(|event| matches!(event, Event::Mends { .. })));
    let eastwood = bare(melee(3).speed(5), monster(), card("Wizard of Eastwood", 1));
    assert_eq!(eastwood.health(B1), plain.health(B1));
}

// Weak Magic

#[test]
fn sp_61_armor_takes_the_blow_and_excess_is_lost_unless_it_pierces() {
    for attacker in [melee(5), ranged(5)] {
        let struck = |attacker: Piece| {
            let arena = arena([attacker], [dummy().armor(2).health(6)]);
            arena.under(Ruleset::CloseRange).round()
        };
        let plain = struck(attacker.clone());
        assert_eq!((plain.armor(B1), plain.health(B1)), (0, 6));
        let pierced = struck(attacker.with(Ability::Piercing));
        assert_eq!((pierced.armor(B1), pierced.health(B1)), (0, 3));
    }
}

#[test]
fn sp_62_magic_bypasses_armor() {
    let fought = arena([magic(4)], [dummy().armor(3)]).round();
    assert_eq!((fought.armor(B1), fought.health(B1)), (3, 6));
}

#[test]
fn sp_63_weak_magic_hits_armor_first_and_excess_is_lost() {
    let fought = arena([magic(4)], [dummy().armor(1).health(5)]).under(Ruleset::WeakMagic).round();
    assert_eq!((fought.armor(B1), fought.health(B1)), (0, 5));
    let bare = arena([magic(4)], [dummy().health(5)]).under(Ruleset::WeakMagic).round();
    assert_eq!(bare.health(B1), 1);
}

#[test]
fn sp_64_shield_does_not_reduce_weak_magic() {
    let target = dummy().armor(5).with(Ability::Shield);
    let fought = arena([magic(4)], [target]).under(Ruleset::WeakMagic).round();
    assert_eq!(fought.armor(B1), 1);
}

#[test]
fn sp_65_void_reduces_first_and_the_rest_hits_armor() {
    let target = dummy().armor(5).with(Ability::Void);
    let fought = arena([magic(4)], [target]).under(Ruleset::WeakMagic).round();
    assert_eq!((fought.armor(B1), fought.health(B1)), (3, 10));
}

#[test]
fn sp_66_no_magic_card_has_piercing() {
    for card in &evens::games::splinterlands::bundled().cards {
        for level in &card.levels {
            let magic_only =
                level.stats.magic > 0 && level.stats.melee == 0 && level.stats.ranged == 0;
            assert!(!magic_only || !level.abilities.contains(Ability::Piercing), "{}", card.name);
        }
    }
}
