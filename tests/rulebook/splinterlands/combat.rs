//! SP-X: rules that the guide leaves out, from recorded battles and the publisher's texts. Sections are those of the
//! game's README: the abilities in the order in which an attack comes to them, then rounds and the end.

use enumset::EnumSet;
use evens::game::{Outcome, Side};
use evens::games::splinterlands::ability::Ability;
use evens::games::splinterlands::event::{Attack, Cause, Event};
use evens::games::splinterlands::rolls::Roll;
use evens::games::splinterlands::ruleset::Ruleset;
use evens::games::splinterlands::state::Status;

use super::arena::*;

fn dummy() -> Piece {
    monster().speed(1)
}

// Auras

#[test]
fn sp_x_auras_change_attacks_speed_health_and_armor() {
    let buffs = [Ability::Inspire, Ability::Swiftness, Ability::Strengthen, Ability::Protect];
    let buffer = buffs.into_iter().fold(monster(), Piece::with);
    let friend = arena([melee(2), buffer], [monster()]).begins();
    let now = friend.at(A1).now;
    assert_eq!((now.melee, now.speed, now.health, now.armor), (3, 4, 11, 2));

    let debuffs = [
        Ability::Demoralize,
        Ability::Headwinds,
        Ability::Silence,
        Ability::Slow,
        Ability::Weaken,
        Ability::Rust,
    ];
    let debuffer = debuffs.into_iter().fold(monster(), Piece::with);
    let victim = monster().melee(2).ranged(2).magic(2).armor(3);
    let now = arena([victim], [debuffer]).begins().at(A1).now;
    assert_eq!((now.melee, now.ranged, now.magic), (1, 1, 1));
    assert_eq!((now.speed, now.health, now.armor), (2, 9, 1));
}

#[test]
fn sp_x_auras_stack_and_stop_at_1_and_armor_at_0() {
    let debuffer = || monster().with(Ability::Demoralize).with(Ability::Slow).with(Ability::Rust);
    let victim = melee(2).speed(3).armor(1);
    let now = arena([victim], [debuffer(), debuffer(), debuffer()]).begins().at(A1).now;
    assert_eq!((now.melee, now.speed, now.armor), (1, 1, 0));
    let harmless = arena([monster()], [debuffer()]).begins().at(A1).now;
    assert_eq!(harmless.melee, 0, "no attack stays none");
}

#[test]
fn sp_x_bonuses_and_penalties_cancel_before_anything_is_cut_off() {
    // A recorded battle: 1 armor, -2 from the enemy's summoner, +1 from one's own, is 0 armor.
    let arena = arena([monster().armor(1)], [monster()]);
    let begun = arena.led_by(card("Drake of Arnak", 1)).enemy_led_by(card("Wizard of Eastwood", 1));
    assert_eq!(begun.begins().armor(A1), 0);
}

#[test]
fn sp_x_the_end_of_rust_gives_back_the_armor_that_it_took() {
    let ruster = || dummy().with(Ability::Rust);
    let armored = |armor: i8| [melee(2).speed(4).armor(armor), monster()];
    let rusty = arena(armored(3), [ruster().health(20), dummy()]).begins();
    assert_eq!((rusty.armor(A1), rusty.at(A1).max_armor), (1, 1));
    let killed = arena(armored(3), [ruster().health(1), dummy().health(20)]).round();
    assert_eq!((killed.armor(A1), killed.at(A1).max_armor), (3, 3));
    let one = arena(armored(1), [ruster().health(1), dummy().health(20)]).round();
    assert_eq!((one.armor(A1), one.at(A1).max_armor), (1, 1), "no more than there was");
    let cleanser = melee(2).speed(4).armor(3).with(Ability::Cleanse);
    let cleansed = arena([cleanser], [ruster().health(20)]).round();
    assert_eq!((cleansed.armor(A1), cleansed.at(A1).max_armor), (3, 3));
}

#[test]
fn sp_x_the_end_of_an_aura_gives_back_what_weaken_took_and_cuts_what_is_above() {
    let weakener = dummy().health(1).with(Ability::Weaken).with(Ability::Slow);
    let fought = arena([melee(2), monster()], [weakener, dummy().health(20)])
        .rounds(1, [(Roll::TurnTie, 0)]);
    assert_eq!(fought.deaths(), [B1]);
    assert_eq!((fought.health(A1), fought.at(A1).max_health, fought.at(A1).now.speed), (10, 10, 3));

    let supporter = dummy().health(1).with(Ability::Strengthen).with(Ability::Protect);
    let fought = arena([magic(2).speed(4), ranged(1)], [supporter, dummy()]).round();
    assert_eq!((fought.armor(B2), fought.at(B2).max_health), (0, 10));
}

// Shield, Void, Divine Shield

#[test]
fn sp_x_shield_and_void_halve_rounding_up_and_turn_1_into_0() {
    for (power, lost) in [(1, 0), (2, 1), (3, 2), (4, 2), (5, 3), (6, 3)] {
        let shielded = arena([melee(power)], [dummy().with(Ability::Shield)]).round();
        assert_eq!(shielded.health(B1), 10 - lost, "Shield against {power}");
        let void = arena([magic(power)], [dummy().with(Ability::Void)]).round();
        assert_eq!(void.health(B1), 10 - lost, "Void against {power}");
    }
    assert_eq!(arena([magic(3)], [dummy().with(Ability::Shield)]).round().health(B1), 7);
    assert_eq!(arena([melee(3)], [dummy().with(Ability::Void)]).round().health(B1), 7);
}

#[test]
fn sp_x_divine_shield_takes_the_first_blow_whatever_it_is() {
    let divine = || dummy().with(Ability::DivineShield);
    let fought = arena([melee(4)], [divine()]).rounds(2, []);
    assert_eq!(fought.because_of(Cause::Melee), [(B1, 0), (B1, 4)]);
    let shaken = arena([monster()], [divine()]).under(Ruleset::Earthquake);
    let shaken = shaken.rounds(3, [(Roll::EarthquakeSide, 0)]);
    assert_eq!(shaken.health(B1), 8, "only the second quake");
    let thorny = arena([melee(4)], [divine().with(Ability::Thorns)]).round();
    assert_eq!(thorny.health(A1), 8, "reactions come all the same");
}

// Statuses that a hit causes

#[test]
fn sp_x_stun_skips_turns_until_just_before_the_stunners_next() {
    let stunner = || melee(1).speed(5).with(Ability::Stun).health(40);
    let victim = || melee(1).speed(2).health(40);
    let fought = arena([stunner()], [victim()])
        .rounds(2, [(Roll::Stun, YES), (Roll::Stun, NO), (Roll::Hit, NO)]);
    let acted: Vec<_> = fought.attacks().into_iter().map(|attack| attack.0).collect();
    assert_eq!(acted, [A1, A1, B1], "loses one turn, then is released by the stunner's own");
    let slow = arena([stunner().speed(1)], [victim()])
        .rounds(2, [(Roll::Hit, YES), (Roll::Stun, YES), (Roll::Hit, NO)]);
    assert!(slow.has(|event| matches!(event, Event::SkipsTurn(B1))));
}

#[test]
fn sp_x_a_stun_outlives_its_stunner_by_one_lost_turn() {
    let stunner = ranged(1).speed(5).with(Ability::Stun).health(1);
    let killer = magic(5).speed(4).with(Ability::Sneak);
    let arena = arena([monster().speed(2), stunner], [melee(1).speed(3).health(20), killer]);
    let fought = arena.rounds(2, [(Roll::Stun, YES)]);
    assert_eq!(fought.deaths(), [A2]);
    let skipped =
        fought.events.iter().filter(|event| matches!(event, Event::SkipsTurn(B1))).count();
    assert_eq!(skipped, 1);
    assert!(fought.attacks().contains(&(B1, Cause::Melee, A1)), "acts in round 2");
}

#[test]
fn sp_x_poison_takes_2_health_between_rounds_past_armor_and_once_only() {
    let poisoner = ranged(1).speed(5).with(Ability::Poison);
    let target = dummy().armor(9);
    let fought = arena([monster(), poisoner], [target]).rounds(3, [(Roll::Poison, YES)]);
    assert_eq!(fought.because_of(Cause::Poison), [(B1, 2), (B1, 2)]);
    let spared = arena([monster(), ranged(1).with(Ability::Poison)], [dummy()]);
    let spared = spared.rounds(2, [(Roll::Poison, NO), (Roll::Poison, NO)]);
    assert_eq!(spared.because_of(Cause::Poison), []);
}

#[test]
fn sp_x_affliction_stops_heal_tank_heal_and_triage() {
    for healing in [Ability::Heal, Ability::TankHeal] {
        let target = dummy().health(20).with(healing);
        let arena = arena([monster(), magic(4).with(Ability::Affliction)], [target]);
        let afflicted = arena.rounds(1, [(Roll::Affliction, YES)]);
        assert_eq!(afflicted.health(B1), 16, "{healing}");
        assert_eq!(arena.rounds(1, [(Roll::Affliction, NO)]).health(B1), 20, "{healing}");
    }
    let sneak = magic(4).with(Ability::Affliction).with(Ability::Sneak);
    let arena = arena([monster(), sneak], [dummy().with(Ability::Triage), dummy().speed(2)]);
    assert_eq!(arena.rounds(1, [(Roll::Affliction, YES)]).health(B2), 6);
    assert_eq!(arena.rounds(1, [(Roll::Affliction, NO)]).health(B2), 9);
}

#[test]
fn sp_x_snare_never_misses_wings_and_takes_them() {
    let snarer = melee(1).with(Ability::Snare);
    let arena = arena([snarer], [dummy().with(Ability::Flying)]);
    assert_eq!(arena.percent(A1, B1, Attack::Melee), 100);
    assert!(!arena.round().at(B1).flies());
}

#[test]
fn sp_x_snare_never_misses_wings_however_fast_and_dodging_while_they_fly() {
    let snarer = melee(1).speed(1).with(Ability::Snare);
    let flyer = dummy().speed(6).with(Ability::Flying).with(Ability::Dodge);
    let arena = arena([snarer], [flyer.clone(), flyer.speed(7)]);
    assert_eq!(arena.percent(A1, B1, Attack::Melee), 100);
    let grounded = arena.round();
    assert_eq!(grounded.state.chance_to_hit(A1, B1, Attack::Melee), 100 - 50 - 25);
    assert_eq!(grounded.state.chance_to_hit(A1, B2, Attack::Melee), 100);
}

#[test]
fn sp_x_halving_halves_attacks_once_rounding_down_but_not_below_1() {
    let halver = || melee(1).speed(5).with(Ability::Halving);
    let fought = arena([halver()], [monster().melee(5).magic(1).speed(1)]);
    let fought = fought.rounds(2, [(Roll::Hit, NO), (Roll::Hit, NO)]);
    let now = fought.at(B1).now;
    assert_eq!((now.melee, now.magic), (2, 1));
}

#[test]
fn sp_x_shatter_destroys_armor_after_the_hit() {
    let fought = arena([melee(1).with(Ability::Shatter)], [dummy().armor(5)]).round();
    assert_eq!((fought.armor(B1), fought.health(B1)), (0, 10));
    let bare = arena([melee(1).with(Ability::Shatter)], [dummy()]).round();
    assert!(!bare.has(|event| matches!(event, Event::Inflicts { .. })), "there was none");
}

// Blast and reactions

#[test]
fn sp_x_blast_hits_both_neighbours_with_half_the_attack_and_never_misses() {
    let blaster = || ranged(3).with(Ability::Blast).with(Ability::Snipe);
    let enemies = [dummy().armor(1), magic(1).speed(1), dummy().speed(2).with(Ability::Shield)];
    let fought = arena([monster(), blaster()], enemies).round();
    assert_eq!(fought.because_of(Cause::Blast), [(B1, 0), (B3, 1)]);
    assert_eq!(fought.health(B2), 7);
}

#[test]
fn sp_x_a_blasted_death_comes_right_after_its_blast_and_the_targets_last() {
    let blaster = ranged(4).with(Ability::Blast);
    let fought = arena([monster(), blaster], [dummy().health(4), dummy().health(2)]).round();
    assert_eq!(fought.deaths(), [B2, B1]);
    assert!(fought.won_by(Side::A));
}

#[test]
fn sp_x_the_snare_of_a_blast_is_for_the_living() {
    let blaster = || ranged(6).with(Ability::Blast).with(Ability::Snare).with(Ability::Snipe);
    let flyer = |health| dummy().health(health).with(Ability::Flying);
    let enemies = [flyer(2), magic(1).speed(1).health(20), flyer(9)];
    let fought = arena([monster(), blaster()], enemies);
    let fought = fought.enemy_led_by(summoner().with(Ability::Resurrect));
    let fought = fought.round();
    assert_eq!(fought.deaths(), [B1]);
    assert!(fought.at(B1).flies(), "brought back as it was");
    assert!(!fought.at(B3).flies());
}

#[test]
fn sp_x_life_leech_gains_half_the_health_taken_rounded_up() {
    let leech = |power| melee(power).with(Ability::LifeLeech);
    for (power, gained) in [(1, 1), (3, 2), (4, 2)] {
        let fought = arena([leech(power)], [dummy()]).round();
        let at = fought.at(A1);
        assert_eq!((at.now.health, at.max_health), (10 + gained, 10 + gained));
    }
    assert_eq!(arena([leech(3)], [dummy().armor(3)]).round().health(A1), 10, "armor is no health");
}

/// The publisher's help page on Weaken: whoever it has taken health from that was not there pays that first.
#[test]
fn sp_x_weaken_takes_from_the_health_that_life_leech_and_scavenger_gain() {
    let leech = melee(2).speed(9).health(1).with(Ability::LifeLeech);
    let weakeners = |many: i8| {
        (0..many).map(|at| dummy().speed(2 + at).with(Ability::Weaken)).collect::<Vec<_>>()
    };
    for (many, health) in [(0, 2), (1, 1), (2, 1)] {
        let fought = arena([leech.clone()], [vec![dummy()], weakeners(many)].concat()).round();
        assert_eq!((fought.health(A1), fought.at(A1).max_health), (health, health), "{many}");
        let has_gained = fought.has(|event| matches!(event, Event::Gains { .. }));
        assert_eq!(has_gained, many == 0, "what changes nothing is not told");
    }
    let scavenger = dummy().health(1).with(Ability::Scavenger);
    let killer = melee(9).speed(9).with(Ability::DoubleStrike);
    let weakener = dummy().speed(3).with(Ability::Weaken);
    let enemies = [dummy().health(2), dummy().health(2).speed(2), weakener];
    let fought = arena([killer, scavenger.speed(4)], enemies).round();
    assert_eq!(fought.deaths(), [B1, B2]);
    assert_eq!(fought.health(A2), 2, "the first of two pays");
}

#[test]
fn sp_x_thorns_2_return_fire_and_magic_reflect_half_even_from_the_dying() {
    let reactive = [Ability::Thorns, Ability::ReturnFire, Ability::MagicReflect]
        .into_iter()
        .fold(dummy(), Piece::with);
    let lost = |attacker: Piece, target: &Piece| {
        let arena = arena([attacker.health(20)], [target.clone()]).under(Ruleset::CloseRange);
        20 - arena.round().health(A1)
    };
    assert_eq!(lost(melee(5), &reactive), 2);
    assert_eq!(lost(ranged(5), &reactive), 3);
    assert_eq!(lost(magic(3), &reactive), 2);
    let dying = reactive.health(1);
    assert_eq!(lost(melee(5), &dying), 2);
    assert_eq!(lost(ranged(5), &dying), 3);
    assert_eq!(lost(magic(3), &dying), 2);
    assert_eq!(lost(melee(5).with(Ability::Shield), &dying), 1);
    assert_eq!(lost(magic(4).with(Ability::Void), &dying), 1);
}

#[test]
fn sp_x_reflect_answers_a_blast_too() {
    let blaster = magic(3).with(Ability::Blast);
    let arena = arena([blaster], [dummy(), dummy().with(Ability::MagicReflect)]);
    let fought = arena.rounds(1, [(Roll::TurnTie, 0)]);
    assert_eq!(fought.because_of(Cause::MagicReflect), [(A1, 1)], "half of the blast's 2");
}

/// So in 2 of 2 recorded battles for Magic Reflect. For Return Fire, which never killed both, it is our decision.
#[test]
fn sp_x_of_two_deaths_by_reflection_the_targets_comes_first() {
    let reflecting = |ability| dummy().health(5).with(ability);
    let traded = arena([magic(9).health(2)], [reflecting(Ability::MagicReflect)]).round();
    assert_eq!((traded.deaths(), traded.outcome), (vec![B1, A1], Some(Outcome::Draw)));
    let shot = arena([ranged(9).health(2)], [reflecting(Ability::ReturnFire)]);
    assert_eq!(shot.under(Ruleset::CloseRange).round().deaths(), [B1, A1]);
    let blaster = magic(9).health(2).with(Ability::Blast);
    let blasted = [dummy().health(20), reflecting(Ability::MagicReflect).health(3)];
    assert_eq!(arena([blaster], blasted).round().deaths(), [B2, A1]);
}

/// So in 31 of 31 recorded battles.
#[test]
fn sp_x_of_two_deaths_by_thorns_the_attackers_comes_first() {
    let traded = arena([melee(9).health(2)], [dummy().health(5).with(Ability::Thorns)]).round();
    assert_eq!((traded.deaths(), traded.outcome), (vec![A1, B1], Some(Outcome::Draw)));
}

/// The attacker is still there, dying, when the target's death is handled.
#[test]
fn sp_x_the_target_of_a_deadly_reflection_may_return_and_profit_from_the_attackers_death() {
    let target = dummy().health(5).with(Ability::MagicReflect).with(Ability::Scavenger);
    let attackers = [magic(9).health(2), monster()];
    let resurrecting = summoner().with(Ability::Resurrect);
    let fought = arena(attackers, [target]).enemy_led_by(resurrecting).round();
    assert_eq!(fought.deaths(), [B1, A1]);
    assert_eq!(fought.health(B1), 2, "1 on its return, 1 for the attacker's death");
}

#[test]
fn sp_x_redemption_of_the_target_buries_the_attacker_that_its_reflection_killed() {
    let target = dummy().health(5).with(Ability::MagicReflect).with(Ability::Redemption);
    let team = [dummy().health(1).armor(1), magic(9).health(2).with(Ability::Scavenger), dummy()];
    let fought = arena(team, [target, dummy().speed(2)]).rounds(1, [(Roll::TurnTie, 0)]);
    assert_eq!(fought.deaths(), [B1, A2]);
    assert_eq!(fought.because_of(Cause::Redemption), [(A1, 0), (A2, 0), (A3, 1)]);
    let gains = |event: &Event| matches!(event, Event::Gains { who: A2, .. });
    assert!(!fought.has(gains), "the dying gain nothing");
}

#[test]
fn sp_x_the_dying_make_no_last_stand() {
    let target = dummy().health(5).with(Ability::MagicReflect).with(Ability::Redemption);
    let team = [dummy().health(1), magic(9).health(2).with(Ability::LastStand)];
    let fought = arena(team, [target, dummy().speed(2)]).round();
    assert_eq!(fought.deaths(), [B1, A1, A2]);
    assert!(!fought.has(|event| matches!(event, Event::StandsAlone(_))));
}

#[test]
fn sp_x_numbers_end_at_127() {
    let oppressor = || magic(99).with(Ability::Oppress);
    assert_eq!(arena([oppressor()], [dummy().health(99)]).round().blows()[0].power, 127);
    let reflecting = dummy().with(Ability::MagicReflect).with(Ability::Void).health(99);
    let lone = oppressor().health(99).with(Ability::LastStand);
    let fought = arena([lone], [reflecting]).round();
    assert_eq!(fought.because_of(Cause::Magic), [(B1, 64)], "half of 127, rounded up");
    assert_eq!(fought.because_of(Cause::MagicReflect), [(A1, 64)]);
}

#[test]
fn sp_x_double_strike_is_two_full_attacks() {
    let striker = melee(2).with(Ability::DoubleStrike);
    let fought = arena([striker], [dummy().health(2), dummy()]).round();
    assert_eq!(fought.attacks(), [(A1, Cause::Melee, B1), (A1, Cause::Melee, B2)]);
}

#[test]
fn sp_x_opportunity_looks_for_the_least_health_with_the_front_and_the_foremost_of_equals() {
    let looks = |healths: [i8; 3]| {
        let opportunist = melee(1).with(Ability::Opportunity);
        let enemies = healths.map(|health| monster().health(health));
        arena([monster(), opportunist], enemies).target(A2, Attack::Melee)
    };
    assert_eq!(looks([3, 5, 4]), Some(B1));
    assert_eq!(looks([5, 3, 3]), Some(B2));
}

#[test]
fn sp_x_reach_works_from_the_second_position_only() {
    let reach = || melee(1).with(Ability::Reach);
    let arena = arena([monster(), reach(), reach(), melee(1)], [monster()]);
    assert_eq!(arena.target(A2, Attack::Melee), Some(B1));
    assert_eq!(arena.target(A3, Attack::Melee), None);
    assert_eq!(arena.target(A4, Attack::Melee), None);
}

// Support

#[test]
fn sp_x_heal_gives_a_third_of_the_maximum_but_at_least_2() {
    for (health, given) in [(3, 2), (9, 3), (11, 3), (12, 4)] {
        let healer = dummy().health(health).with(Ability::Heal);
        let hit = (health - 1).min(5);
        let fought = arena([melee(hit)], [healer]).round();
        assert_eq!(fought.health(B1), health - hit + given.min(hit), "of {health}");
    }
}

#[test]
fn sp_x_tank_heal_heals_the_front_and_triage_the_most_wounded_behind() {
    let sneak = |power| ranged(power).speed(5).with(Ability::Sneak);
    let team = [melee(6).speed(5), sneak(4)];
    let medic = dummy().health(20).with(Ability::TankHeal).with(Ability::Triage);
    let enemies = [dummy().speed(2).health(20), medic, dummy().speed(3)];
    let fought = arena(team, enemies).round();
    assert_eq!((fought.health(B1), fought.health(B3)), (20, 9), "6 of 6 and 3 of 4 given back");
}

#[test]
fn sp_x_triage_is_lost_on_the_most_wounded_if_that_cannot_be_healed() {
    let poisonous = magic(4).speed(5).with(Ability::Affliction).with(Ability::Sneak);
    let team = [monster(), poisonous, magic(2).speed(4).with(Ability::Snipe)];
    let enemies = [dummy().speed(2), dummy().with(Ability::Triage), dummy().speed(2)];
    let arena = arena(team, enemies);
    let fought = arena.rounds(1, [(Roll::Affliction, YES), (Roll::TurnTie, 0)]);
    assert_eq!((fought.health(B2), fought.health(B3)), (8, 6));
    let fought = arena.rounds(1, [(Roll::Affliction, NO), (Roll::TurnTie, 0)]);
    assert_eq!((fought.health(B2), fought.health(B3)), (8, 9));
}

#[test]
fn sp_x_repair_gives_2_armor_to_whoever_lacks_most() {
    let smith = dummy().with(Ability::Repair);
    let enemies = [dummy().armor(5).speed(2), smith.armor(3)];
    let sneak = ranged(2).speed(4).with(Ability::Sneak);
    let fought = arena([melee(4).speed(5), sneak], enemies).round();
    assert_eq!((fought.armor(B1), fought.armor(B2)), (3, 1));
}

#[test]
fn sp_x_cleanse_takes_off_statuses_and_enemy_auras_but_not_the_summoners() {
    let debuffer = monster().speed(5).with(Ability::Slow).with(Ability::Blind);
    let poisoner = ranged(1).speed(5).with(Ability::Poison);
    let enemies = [melee(2).speed(4), dummy().speed(2).with(Ability::Cleanse)];
    let arena = arena([debuffer, poisoner], enemies).enemy_led_by(summoner());
    let arena = arena.led_by(summoner().melee(-1));
    let fought = arena.rounds(1, [(Roll::Poison, YES), (Roll::Hit, NO)]);
    let front = fought.at(B1);
    assert_eq!((front.now.speed, front.now.melee), (4, 1));
    assert!(fought.state.poisoned.is_empty());
    assert_eq!(fought.state.chance_to_hit(B1, A1, Attack::Melee), 90, "no longer blind");
    let clean = super::arena::arena([dummy()], [monster().with(Ability::Cleanse)]).round();
    assert!(!clean.has(|event| matches!(event, Event::Cleanses { .. })), "nothing to take off");
}

// Enrage, Last Stand

#[test]
fn sp_x_enrage_lasts_as_long_as_the_wound() {
    let fighter = || melee(3).speed(3).with(Ability::Enrage);
    let wounded = arena([melee(1).speed(4)], [fighter()]).round();
    assert_eq!((wounded.at(B1).now.melee, wounded.at(B1).now.speed), (5, 5));
    let healed = arena([melee(1).speed(5)], [fighter().with(Ability::Heal)]);
    let healed = healed.rounds(1, [(Roll::Hit, NO)]);
    assert_eq!((healed.at(B1).now.melee, healed.at(B1).now.speed), (3, 3));
}

#[test]
fn sp_x_last_stand_raises_everything_by_half_and_keeps_the_wounds() {
    let last = dummy().melee(2).magic(1).speed(2).armor(3).health(8).with(Ability::LastStand);
    let sneak = magic(3).speed(5).with(Ability::Sneak);
    let arena = arena([melee(9).speed(4), sneak], [dummy().health(1), last]);
    let fought = arena.rounds(1, [(Roll::Hit, NO)]);
    let at = fought.at(B2);
    assert_eq!((at.now.melee, at.now.magic, at.now.speed), (3, 2, 3));
    assert_eq!((at.now.health, at.max_health, at.now.armor), (12 - 3, 12, 5));
    let alone = super::arena::arena([monster().with(Ability::LastStand)], [dummy()]).begins();
    assert_eq!(alone.health(A1), 15, "alone from the start");
}

#[test]
fn sp_x_after_a_last_stand_what_is_gained_is_half_as_much_again_and_told_so() {
    let last = melee(5).health(8).with(Ability::LifeLeech).with(Ability::LastStand);
    let fought = arena([last], [dummy().health(30)]).round();
    let at = fought.at(A1);
    assert_eq!((at.now.melee, at.now.health, at.max_health), (8, 18, 18), "of (8 + 4) x 1.5");
    assert!(fought.has(|event| matches!(event, Event::Gains { who: A1, amount: 6, .. })));
}

// Death

#[test]
fn sp_x_scavengers_of_both_teams_gain_1_health_at_every_death() {
    let scavenger = || dummy().with(Ability::Scavenger);
    let arena = arena([melee(9).speed(4), scavenger()], [dummy().health(1), scavenger().speed(2)]);
    let fought = arena.round();
    for place in [A2, B2] {
        assert_eq!((fought.health(place), fought.at(place).max_health), (11, 11));
    }
}

#[test]
fn sp_x_redemption_deals_1_to_every_enemy() {
    let redeemer = dummy().health(1).with(Ability::Redemption);
    let team = [melee(9).speed(4), dummy().armor(1), dummy().health(1).speed(2)];
    let fought = arena(team, [redeemer, dummy().speed(3)]).round();
    assert_eq!((fought.health(A1), fought.armor(A2), fought.lives(A3)), (9, 0, false));
}

#[test]
fn sp_x_resurrect_brings_back_the_first_death_with_1_health_and_full_armor() {
    let carrier = dummy().with(Ability::Resurrect);
    let front = dummy().armor(2).health(3).speed(2);
    let arena = arena([magic(9).speed(4)], [front, carrier]);
    let fought = arena.rounds(1, []);
    assert_eq!((fought.health(B1), fought.armor(B1)), (1, 2));
    let again = arena.rounds(2, []);
    assert!(!again.lives(B1), "once for each carrier");
}

#[test]
fn sp_x_the_dying_bring_nobody_back() {
    let blaster = magic(9).with(Ability::Blast);
    let carrier = dummy().speed(2).with(Ability::Resurrect);
    let fought = arena([blaster], [carrier.health(9), dummy().health(1)]).round();
    assert_eq!(fought.deaths(), [B2, B1]);
    assert!(!fought.lives(B2));
}

#[test]
fn sp_x_one_brought_back_keeps_all_but_poison_and_stun() {
    let snarer = melee(6).speed(4).with(Ability::Snare).with(Ability::Halving);
    let poisoner = ranged(4).speed(5).with(Ability::Stun).with(Ability::Poison);
    // In front it cannot shoot.
    let flyer = ranged(2).health(12).speed(2).with(Ability::Flying).with(Ability::Dodge);
    let arena = arena([snarer, poisoner], [flyer, dummy().with(Ability::Resurrect)]);
    let first = [(Roll::Hit, YES), (Roll::Poison, YES), (Roll::Stun, YES)];
    // Poison kills it before the second round's attacks, which miss.
    let fought = arena.rounds(2, first.into_iter().chain([(Roll::Hit, NO), (Roll::Hit, NO)]));
    assert!(fought.has(|event| matches!(event, Event::Returns { who: B1, .. })));
    let monster = fought.at(B1);
    assert_eq!(monster.now.health, 1);
    assert_eq!(monster.statuses, Status::Snared | Status::Halved);
    assert!(!fought.state.poisoned.has(B1) && !fought.state.stunned.has(B1));
}

/// The attacker's Weaken ends while its target is dying, and gives the dying no health back.
#[test]
fn sp_x_one_brought_back_has_1_health_though_a_weakener_died_meanwhile() {
    let weakener = melee(9).health(2).with(Ability::Weaken);
    let target = dummy().health(5).with(Ability::Thorns);
    let fought = arena([weakener, monster().speed(2)], [target])
        .enemy_led_by(summoner().with(Ability::Resurrect))
        .round();
    assert_eq!(fought.deaths(), [A1, B1]);
    assert_eq!((fought.health(B1), fought.at(B1).max_health), (1, 5));
}

/// For a monster that is killed and brought back before its turn, and for one in its turn.
#[test]
fn sp_x_who_returns_goes_on_with_its_own_turn_and_gets_no_other() {
    let leader = || summoner().with(Ability::Resurrect);
    let thorny = || dummy().health(30).with(Ability::Thorns);
    let striker = melee(3).health(2).with(Ability::DoubleStrike);
    let fought = arena([striker, dummy()], [thorny()]).led_by(leader());
    let fought = fought.rounds(1, [(Roll::TurnTie, 0)]);
    assert_eq!(fought.deaths(), [A1, A1]);
    assert_eq!(fought.health(B1), 30 - 2 * 3);
    let trampler = melee(9).health(2).with(Ability::Trample);
    let fought = arena([trampler], [thorny().health(5), dummy().speed(2)]).led_by(leader()).round();
    assert_eq!(fought.because_of(Cause::Trample), [(B2, 9)]);
    let killed = arena([melee(9)], [melee(1).health(5).speed(2), dummy()]);
    let killed = killed.enemy_led_by(leader()).round();
    assert_eq!((killed.deaths(), killed.turns()), (vec![B1], vec![A1, B2]));
}

#[test]
fn sp_x_a_death_under_resurrect_does_not_end_the_auras() {
    let front = dummy().health(3).speed(2).with(Ability::Strengthen);
    let fought = arena([magic(9).speed(4)], [front, dummy().with(Ability::Resurrect)]).round();
    assert_eq!(fought.health(B2), 11);
}

// Rounds and the end

#[test]
fn sp_x_fatigue_from_round_21_takes_1_then_2_past_armor() {
    let arena = arena([monster().armor(5).health(20)], [dummy().health(20)]);
    let fought = arena.rounds(23, []);
    assert_eq!(
        fought.because_of(Cause::Fatigue),
        [(A1, 1), (B1, 1), (A1, 2), (B1, 2), (A1, 3), (B1, 3)]
    );
    assert_eq!(fought.armor(A1), 5);
}

#[test]
fn sp_x_both_sides_falling_together_is_a_draw() {
    let tired = arena([monster()], [dummy()]).battle();
    assert_eq!(tired.outcome, Some(Outcome::Draw));
    let traded = arena([melee(9).health(2)], [dummy().health(1).with(Ability::Thorns)]).round();
    assert_eq!(traded.outcome, Some(Outcome::Draw));
    assert_eq!(traded.deaths(), [A1, B1]);
}

#[test]
fn sp_x_a_battle_still_open_after_round_50_is_a_draw() {
    // Fatigue takes 465 health by then, which only Life Leech and Scavenger could outgrow; here nobody's
    // health can reach 0 because the state is set by hand.
    use evens::chance::Scripted;
    use evens::game::{Game, Unwatched};
    use evens::games::splinterlands::Splinterlands;
    use evens::games::splinterlands::setup::{LineUp, Setup};
    let catalogue = evens::games::splinterlands::bundled().clone();
    let at = |name: &str| evens::games::splinterlands::setup::CardAt {
        card: catalogue.find(name).unwrap(),
        level: 1,
    };
    let team = LineUp {
        summoner: at("Malric Inferno"),
        monsters: [at("Peaceful Giant")].into_iter().collect(),
    };
    let rulesets = EnumSet::from(Ruleset::Standard);
    let other = LineUp { monsters: [at("Furious Chicken")].into_iter().collect(), ..team.clone() };
    let setup = Setup::of_teams(catalogue.clone(), rulesets, [team, other]);
    let stratum = evens::game::Stratum { matchup: 0, condition: 0 };
    let mut chance = Scripted::nothing();
    let mut state = Splinterlands::start(&setup, stratum, &mut chance, &mut Unwatched);
    state.round = 49;
    for place in state.alive {
        state.at_mut(place).max_health = 100;
        state.at_mut(place).now.health = 100;
    }
    let step = Splinterlands::round(&setup, &mut state, &mut chance, &mut Unwatched);
    assert_eq!(step, std::ops::ControlFlow::Break(Outcome::Draw));
    assert_eq!(state.alive.len(), 2, "nobody has died");
}

#[test]
fn sp_x_identical_teams_draw_without_a_fight_when_told_so() {
    let team = || [melee(2), magic(1)];
    let arena = arena(team(), team()).identical_teams_draw();
    let fought = arena.round();
    assert_eq!(fought.outcome, Some(Outcome::Draw));
    assert_eq!(fought.turns(), []);
    let levels = super::arena::arena([melee(2)], [melee(2).level(2)]).identical_teams_draw();
    assert!(!levels.round().turns().is_empty(), "other levels are other teams");
}
