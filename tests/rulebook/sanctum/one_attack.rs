//! SA-56 to SA-74: one attack, A1 to A8, and what is within it.

use evens::games::sanctum::effect::{Effect, Harm, Stat, Target, Trigger, Verb, Weapon};
use evens::games::sanctum::event::{DamageResult, Event};
use evens::games::sanctum::open_rules::OpenRules;
use evens::games::sanctum::state::Place;

use super::arena::*;

fn results(fought: &Fought) -> Vec<DamageResult> {
    fought.blows().iter().map(|(_, blow)| blow.result).collect()
}

fn qualified(fought: &Fought) -> Vec<Place> {
    let who = |(_, event): &(u8, Event)| match event {
        Event::Qualifies(who) => Some(*who),
        _ => None,
    };
    fought.events.iter().filter_map(who).collect()
}

#[test]
fn sa_56_an_attempt_costs_an_attack_hit_or_miss() {
    let fought = arena([shooter(1).attacks(3)], [dummy().level(4)]).rounds(1, []);
    assert_eq!((fought.attacks().len(), fought.hits_of(A1).len()), (3, 1));
    assert_eq!(fought.at(A1).attacks, 0);
}

#[test]
fn sa_57_a_hit_unless_the_victims_level_is_greater_than_level_and_misses() {
    for (level, victim, hits) in [(1, 1, true), (2, 1, true), (1, 2, false), (0, 1, false)] {
        let fought = arena([shooter(1).level(level).attacks(2)], [dummy().level(victim)]);
        let second = fought.rounds(1, []).hits_of(A1).len() == 2;
        assert_eq!(second, hits, "level {level} against {victim}");
    }
}

#[test]
fn sa_58_a_miss_adds_one_and_a_hit_starts_again() {
    let arena = arena([shooter(1)], [dummy().level(3)]);
    let misses = [1, 2, 3, 4].map(|rounds| arena.rounds(rounds, []).at(A1).misses);
    assert_eq!(misses, [0, 1, 2, 0]);
}

#[test]
fn sa_59_misses_count_over_any_victims() {
    use evens::games::sanctum::rolls::Roll;
    // Three attacks in round 1: a sure hit, a miss on B2, then B1 is hit because of the miss on B2.
    let enemies = [dummy().level(2).armor(1), dummy().level(2)];
    let fought = arena([shooter(1).attacks(3)], enemies)
        .rounds(1, [(Roll::ExtraAttack, 1), (Roll::ExtraAttack, 0)]);
    assert_eq!(fought.attacks(), [(A1, B1), (A1, B2), (A1, B1)]);
    assert_eq!(fought.blows().iter().map(|(_, blow)| blow.on).collect::<Vec<_>>(), [B1, B1]);
}

#[test]
fn sa_60_a_level_gap_of_d_lets_every_d_plus_first_attack_hit() {
    let hits = |attacker: Piece, gap: u8| {
        arena([attacker], [dummy().hp(99).level(1 + gap)]).combat().hits_of(A1)
    };
    assert_eq!(hits(basher(1), 1), [2, 4, 6, 8, 10]);
    assert_eq!(hits(basher(1), 2), [2, 5, 8]);
    assert_eq!(hits(basher(1), 3), [2, 6, 10]);
    assert_eq!(hits(basher(1), 4), [2, 7]);
    assert_eq!(hits(shooter(1), 1), [1, 3, 5, 7, 9]);
    assert_eq!(hits(shooter(1), 2), [1, 4, 7, 10]);
}

#[test]
fn sa_61_damage_is_never_negative_and_does_not_deal_makes_it_0() {
    let weakened = basher(2).with(gain(Trigger::RoundStart, Stat::Hand, -5, Target::Bearer));
    assert_eq!(arena([weakened], [dummy()]).rounds(2, []).blows()[0].1.power, 0);
    let harmless = |when| {
        let verb = Effect { on: Target::Bearer, ..effect(when, Verb::DealNothing) };
        arena([basher(2).with(verb)], [dummy()]).rounds(2, []).blows()[0].1.power
    };
    for when in [Trigger::Attacks, Trigger::CombatStart, Trigger::RoundStart] {
        assert_eq!(harmless(when), 0, "{when}");
    }
    // Not even damage that would be added counts.
    let more = Effect { amount: 3, ..effect(Trigger::Attacks, Verb::DealMore) };
    let muted = basher(2).with(more).with(effect(Trigger::RoundStart, Verb::DealNothing));
    assert_eq!(arena([muted], [dummy()]).rounds(2, []).blows()[0].1.power, 0);
}

#[test]
fn sa_61_a_chance_adds_to_the_sum_before_it_rounds_up_and_nothing_to_nothing() {
    use evens::games::sanctum::rolls::Roll;
    let chance = Effect { amount: 5, percent: 50, ..effect(Trigger::Attacks, Verb::DealMore) };
    let power = |piece: Piece, dice: &[(Roll, u32)]| {
        let fought = arena([piece.with(chance)], [dummy().hp(50)]);
        fought.rounds(2, dice.iter().copied()).blows()[0].1.power
    };
    let weakened = basher(2).with(gain(Trigger::CombatStart, Stat::Hand, -5, Target::Bearer));
    assert_eq!(power(weakened.clone(), &[(Roll::Effect, 1)]), 2, "2 - 5 + 5");
    assert_eq!(power(weakened, &[(Roll::Effect, 0)]), 0);
    // A minion that deals nothing throws no die for additional damage.
    assert_eq!(power(basher(2).with(effect(Trigger::CombatStart, Verb::DealNothing)), &[]), 0);
    assert_eq!(power(basher(2).with(effect(Trigger::Attacks, Verb::DealNothing)), &[]), 0);
    // Nor is a die thrown for additional damage once a die has taken all of it.
    let spoilt = Effect { percent: 50, ..effect(Trigger::Attacks, Verb::DealNothing) };
    assert_eq!(power(basher(2).with(spoilt), &[(Roll::Effect, 1)]), 0);
}

#[test]
fn sa_62_damage_includes_nation_abilities_round_modifiers_and_spells() {
    let power = |piece: Piece, round: u32| {
        let fought = arena([piece], [dummy().hp(99)]).rounds(round, []);
        fought.blows().last().unwrap().1.power
    };
    for (nation, in_2) in [("Human", 3), ("Imp", 3), ("Keeper", 3), ("Dwarf", 2), ("Elf", 2)] {
        let swordsman = card(&format!("{nation} swordsman"));
        assert_eq!((power(swordsman.clone(), 2), power(swordsman, 3)), (in_2, 2), "{nation}");
    }
    for (nation, in_1) in [("Elf", 2), ("Satyr", 2), ("Human", 1), ("Dwarf", 1)] {
        let archer = card(&format!("{nation} archer"));
        assert_eq!((power(archer.clone(), 1), power(archer, 2)), (in_1, 2), "{nation}");
    }
    assert_eq!(power(card("Elf archer").under("Druid"), 1), 3);
    for nation in ["Cyclops", "Gargoyle", "Misfit"] {
        assert_eq!(card(&format!("{nation} swordsman")).0.hit_points, 9, "{nation}");
    }
    assert_eq!(card("Djinn swordsman").0.hit_points, 7);
}

#[test]
fn sa_63_damage_is_taken_even_if_it_is_0_and_the_result_is_one_of_three() {
    let harmed = dummy().with(gain(Trigger::IsHit, Stat::Armor, 1, Target::Bearer));
    let fought = arena([shooter(1)], [harmed]).rounds(1, []);
    assert_eq!(fought.effects(), [(Trigger::IsHit, Some(B1))], "the pipeline runs");
    assert_eq!(results(&fought), [DamageResult::Bounced]);
    assert_eq!(
        results(&arena([basher(3)], [dummy().armor(2)]).rounds(2, [])),
        [DamageResult::Damaged]
    );
    assert_eq!(results(&arena([basher(3)], [dummy().hp(3)]).rounds(2, [])), [DamageResult::Killed]);
    assert_eq!(
        results(&arena([basher(3)], [dummy().armor(3)]).rounds(2, [])),
        [DamageResult::Bounced]
    );
}

/// Deals the attacker this much when it is hit.
fn thorny(amount: i8) -> Effect {
    damage(Trigger::IsHit, amount, Target::Foe)
}

#[test]
fn sa_64_a_burial_in_a3_skips_to_a6() {
    let giver = basher(1).hp(2).with(gain(Trigger::Hits, Stat::Hand, -1, Target::Foe));
    let fought = arena([giver], [dummy().with(thorny(2))]).rounds(2, []);
    assert_eq!(fought.deaths(), [(A1, Some(B1))]);
    assert_eq!(fought.effects(), [(Trigger::IsHit, Some(B1))]);
    // The same holds if the victim is buried within A3.
    let fragile = dummy().with(effect(Trigger::IsHit, Verb::Kill));
    let giver = basher(1).with(gain(Trigger::Hits, Stat::Hand, 1, Target::Bearer));
    let fought = arena([giver, basher(1)], [fragile, dummy()]).rounds(
        2,
        [
            (evens::games::sanctum::rolls::Roll::TargetTie, 0),
            (evens::games::sanctum::rolls::Roll::TargetTie, 1),
        ],
    );
    assert_eq!(fought.deaths(), [(B1, Some(B1))]);
    assert!(!fought.effects().contains(&(Trigger::Hits, Some(A1))));
}

#[test]
fn sa_65_hits_effects_apply_on_a_bounced_hit_too() {
    let giver = || basher(1).with(gain(Trigger::Hits, Stat::Armor, -1, Target::Foe));
    let fought = arena([giver()], [dummy().armor(3)]).rounds(2, []);
    assert_eq!(results(&fought), [DamageResult::Bounced]);
    assert_eq!(fought.at(B1).in_combat.armor, 2);
    // A burial in A4 skips A5.
    let fatal = basher(1)
        .with(Effect { on: Target::Foe, ..effect(Trigger::Hits, Verb::Kill) })
        .with(gain(Trigger::Damages, Stat::Hand, 1, Target::Bearer));
    let fought = arena([fatal], [dummy()]).combat();
    assert_eq!(fought.effects(), [(Trigger::Hits, Some(A1))]);
}

#[test]
fn sa_66_damages_effects_only_when_damaged_or_killed() {
    let drinker = || basher(2).with(gain(Trigger::Damages, Stat::Hand, 1, Target::Bearer));
    assert_eq!(arena([drinker()], [dummy().armor(2)]).rounds(2, []).effects(), []);
    for victim in [dummy(), dummy().hp(2)] {
        let fought = arena([drinker()], [victim]).rounds(2, []);
        assert_eq!(fought.effects(), [(Trigger::Damages, Some(A1))]);
    }
}

#[test]
fn sa_67_a_victim_that_is_already_buried_stops_the_attack() {
    // Killed by the effect in A4 or A5, though it is dying of the attack: no second death, no kill effects, no
    // experience (decision 20).
    for when in [Trigger::Hits, Trigger::Damages] {
        let fatal = basher(1)
            .with(Effect { on: Target::Foe, ..effect(when, Verb::Kill) })
            .with(gain(Trigger::Kills, Stat::Hand, 1, Target::Bearer));
        let fought = arena([fatal], [dummy().hp(1)]).combat();
        assert_eq!(fought.deaths(), [(B1, Some(A1))]);
        assert_eq!(qualified(&fought), []);
        assert_eq!(fought.effects(), [(when, Some(A1))]);
    }
}

#[test]
fn sa_68_bounced_or_damaged_ends_the_attack() {
    let hungry = || basher(2).with(gain(Trigger::Kills, Stat::Hand, 1, Target::Bearer));
    for victim in [dummy().armor(2), dummy()] {
        let fought = arena([hungry()], [victim]).rounds(2, []);
        assert_eq!((fought.deaths(), fought.effects()), (vec![], vec![]));
    }
}

#[test]
fn sa_69_a_dying_cancel_applied_in_a3_ends_the_attack() {
    let saved = dummy().with(Effect { amount: 4, ..effect(Trigger::Lethal, Verb::Survive) });
    let hungry = basher(9).with(gain(Trigger::Kills, Stat::Hand, 1, Target::Bearer));
    let fought = arena([hungry], [saved]).rounds(2, []);
    assert_eq!(results(&fought), [DamageResult::Killed]);
    assert_eq!((fought.hp(B1), fought.deaths()), (4, vec![]));
    assert_eq!(fought.effects(), [(Trigger::Lethal, Some(B1))]);
    assert_eq!(qualified(&fought), []);
}

/// Damage of a "hits" effect on top of a deadly blow is not dealt: the victim gets no second chance to be saved, and it
/// is the attack that kills.
#[test]
fn sa_69_a_victim_that_is_dying_takes_no_more_damage() {
    let saved = || Effect { percent: 50, ..effect(Trigger::Lethal, Verb::Vanish) };
    let biter = || basher(3).with(damage(Trigger::Hits, 1, Target::Foe));
    let won = |attacker: Piece| {
        arena([attacker.hp(99)], [dummy().hp(3).with(saved())]).odds(1, |end| end.lives(B1))
    };
    assert_eq!(won(biter()), won(basher(3)));
    let hungry = biter().with(gain(Trigger::Kills, Stat::Hand, 1, Target::Bearer));
    let fought = arena([hungry], [dummy().hp(3)]).combat();
    assert_eq!(fought.deaths(), [(B1, Some(A1))]);
    assert_eq!(qualified(&fought), [A1]);
    assert_eq!(fought.effects(), [(Trigger::Kills, Some(A1))]);
}

#[test]
fn sa_70_otherwise_minion_death_cancels_or_buries_with_the_attacker_to_blame() {
    let fought = arena([basher(9)], [dummy()]).combat();
    assert_eq!(fought.deaths(), [(B1, Some(A1))]);
    let dying = Effect { amount: 2, at_most: 1, ..effect(Trigger::Dying, Verb::Survive) };
    let fought = arena([basher(9)], [dummy().with(dying)]).rounds(2, []);
    assert_eq!((fought.hp(B1), fought.deaths()), (2, vec![]));
    // A death is cancelled once per combat: the next time the minion is buried.
    let fought = arena([basher(9)], [dummy().with(dying)]).combat();
    assert_eq!((fought.round(), fought.deaths()), (3, vec![(B1, Some(A1))]));
}

#[test]
fn sa_71_a_dead_attacker_has_no_kill_effects() {
    let spiteful = dummy().hp(1).with(damage(Trigger::Killed, 9, Target::Foe));
    let hungry = basher(1).with(gain(Trigger::Kills, Stat::Hand, 1, Target::Bearer));
    let fought = arena([hungry], [spiteful]).combat();
    assert_eq!(fought.deaths(), [(B1, Some(A1)), (A1, Some(B1))]);
    assert!(!fought.effects().contains(&(Trigger::Kills, Some(A1))));
    assert_eq!(qualified(&fought), []);
}

#[test]
fn sa_72_kill_effects_and_one_experience_level_for_a_recruit_without_one() {
    let hungry = || basher(9).with(gain(Trigger::Kills, Stat::Hand, 1, Target::Bearer));
    let two = || [dummy().armor(1), dummy()];
    let fought = arena([hungry()], two()).combat();
    assert_eq!((fought.at(A1).stats.hand, qualified(&fought)), (11, vec![A1]));
    assert!(fought.state.groups[0].minions[0].qualified);
    assert_eq!(fought.at(A1).stats.level, 1, "awarded at the start of the next turn, not now");
    assert_eq!(qualified(&arena([hungry().experienced()], two()).combat()), []);
    assert_eq!(qualified(&arena([hungry().monster()], two()).combat()), []);
}

#[test]
fn sa_72_whether_a_dying_cancelled_in_minion_death_is_a_kill_is_a_switch() {
    let hungry = || basher(9).with(gain(Trigger::Kills, Stat::Hand, 1, Target::Bearer));
    let kills = |when, cancelled_kills| {
        let stands = Effect { amount: 2, at_most: 1, ..effect(when, Verb::Survive) };
        let open = OpenRules { cancelled_kills, ..OpenRules::default() };
        let fought = arena([hungry()], [dummy().with(stands)]).reading(open).rounds(2, []);
        assert_eq!((fought.hp(B1), fought.deaths()), (2, vec![]));
        (fought.at(A1).stats.hand, qualified(&fought))
    };
    assert_eq!(kills(Trigger::Dying, false), (9, vec![]));
    assert_eq!(kills(Trigger::Dying, true), (10, vec![A1]));
    // A death that was cancelled earlier, within Takes Damage, halts in A7 (SA-69).
    assert_eq!(kills(Trigger::Lethal, true), (9, vec![]));
}

#[test]
fn sa_73_an_attacker_that_dies_in_a3_never_applies_its_hits_effect() {
    let giver = basher(1).hp(1).with(gain(Trigger::Hits, Stat::Hand, -1, Target::Foe));
    let defender = basher(1).under("Deflection");
    let fought = arena([giver], [defender]).combat();
    assert_eq!(fought.deaths(), [(A1, Some(B1))]);
    assert_eq!((fought.hp(B1), fought.at(B1).stats.hand), (6, 1));
    assert_eq!(fought.effects(), [(Trigger::AfterArmor, Some(B1))]);
    assert_eq!(qualified(&fought), []);
}

#[test]
fn sa_74_the_victim_can_still_be_killed_both_may_die_in_one_attack() {
    let fought = arena([basher(7)], [dummy().under("Deflection")]).combat();
    assert_eq!(fought.deaths(), [(A1, Some(B1)), (B1, Some(A1))]);
    assert_eq!(fought.outcome, Some(evens::game::Outcome::Draw));
    assert_eq!(qualified(&fought), []);
}

#[test]
fn sa_x_armor_soaks_plain_damage_only() {
    for (harm, lost) in [(Harm::Plain, 1), (Harm::IgnoresArmor, 3), (Harm::Magical, 3)] {
        let fought = arena([basher(3).harm(harm)], [dummy().armor(2)]).rounds(2, []);
        assert_eq!(fought.hp(B1), 7 - lost, "{harm}");
    }
}

#[test]
fn sa_x_damage_beyond_the_hit_points_is_told_apart() {
    let fought = arena([basher(9)], [dummy().armor(1)]).combat();
    let blow = fought.blows()[0].1;
    assert_eq!((blow.to_armor, blow.to_hit_points, blow.overkill), (1, 7, 1));
}

#[test]
fn sa_x_immunity_does_not_stop_magical_damage() {
    for when in [Trigger::IsHit, Trigger::AfterArmor] {
        for (harm, lost) in [(Harm::Plain, 0), (Harm::IgnoresArmor, 0), (Harm::Magical, 3)] {
            let immune = dummy().with(effect(when, Verb::TakeNothing));
            let fought = arena([basher(3).harm(harm)], [immune]).rounds(2, []);
            assert_eq!(fought.hp(B1), 7 - lost, "{harm}, {when}");
        }
    }
}

#[test]
fn sa_x_of_both_attacks_the_one_that_deals_more_is_used() {
    let by_hand = |piece: Piece, round: u32| {
        let fought = arena([piece], [dummy().hp(99)]).rounds(round, []);
        fought.blows().last().unwrap().1.power
    };
    // Additions from nations and spells count, and so does an effect by which a hand deals nothing.
    let fierce = Effect {
        amount: 3,
        rounds: (3, 3),
        weapon: Some(Weapon::Hand),
        ..effect(Trigger::Attacks, Verb::DealMore)
    };
    let hybrid = || basher(2).missile(3).with(fierce);
    assert_eq!([2, 3, 4].map(|round| by_hand(hybrid(), round)), [3, 5, 3]);
    let muted =
        Effect { weapon: Some(Weapon::Hand), ..effect(Trigger::CombatStart, Verb::DealNothing) };
    assert_eq!(by_hand(basher(5).missile(3).with(muted), 2), 3);
    assert_eq!(by_hand(basher(5).missile(3), 2), 5);
}

#[test]
fn sa_x_only_an_enemy_kills() {
    // A minion that a comrade's effect buries dies, but does not count as killed.
    let blast = damage(Trigger::CombatStart, 9, Target::Comrades);
    let spiteful = || dummy().with(damage(Trigger::Killed, 3, Target::Everybody));
    let fought = arena([dummy().with(blast), spiteful()], [dummy()]).begins();
    assert_eq!(fought.deaths(), [(A2, Some(A1))]);
    assert_eq!((fought.hp(A1), fought.hp(B1)), (7, 7));
    let blast = damage(Trigger::CombatStart, 9, Target::Enemies);
    let fought = arena([dummy().with(blast)], [spiteful(), dummy().hp(20)]).begins();
    assert_eq!((fought.hp(A1), fought.hp(B2)), (4, 8));
}
