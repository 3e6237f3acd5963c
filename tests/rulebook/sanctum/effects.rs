//! SA-X: effects as data, through the monsters and spells of the catalogue.

use evens::game::{Outcome, Side};
use evens::games::sanctum::effect::{Effect, Harm, Stat, Target, Trigger, Verb, Weapon};
use evens::games::sanctum::event::{Choice, Event};
use evens::games::sanctum::rolls::Roll;

use super::arena::*;

#[test]
fn sa_x_brimstone_dragon_burns_everybody_at_the_start() {
    let fought =
        arena([card("Brimstone Dragon")], [dummy(), dummy().armor(2), dummy().hp(5)]).begins();
    assert_eq!((fought.hp(B1), fought.hp(B2), fought.lives(B3)), (2, 4, false));
    assert_eq!(fought.deaths(), [(B3, Some(A1))]);
}

#[test]
fn sa_x_firewyrm_attacks_twice() {
    let fought = arena([card("Firewyrm")], [dummy()]).rounds(2, []);
    assert_eq!(fought.hp(B1), 3);
}

#[test]
fn sa_x_arboriads_deal_4_more_to_minions_of_death() {
    let lost = |victim: Piece| {
        let hit_points = victim.0.hit_points;
        hit_points - arena([card("Arboriad")], [victim.attacks(0)]).rounds(2, []).hp(B1)
    };
    assert_eq!((lost(card("Keeper archer").hp(50)), lost(card("Elf archer").hp(50))), (7, 3));
}

#[test]
fn sa_x_brown_striders_weaken_whom_they_hit_and_leave_in_round_3() {
    let fought = arena([card("Brown Strider")], [basher(2)]).combat();
    assert_eq!((fought.round(), fought.at(B1).stats.hand), (3, 1));
    assert_eq!(fought.hp(A1), 2, "weakened before it struck back");
    assert!(fought.state.groups[0].away == 1 && fought.state.groups[0].present == 0);
    assert!(fought.won_by(Side::B), "it holds the field");
}

#[test]
fn sa_x_combustioneers_take_their_killer_with_them_if_somebody_is_to_blame() {
    let fought = arena([basher(2).hp(2)], [card("Combustioneer")]).rounds(2, []);
    assert_eq!(fought.deaths(), [(B1, Some(A1)), (A1, Some(B1))]);
    let burnt = arena([dummy()], [card("Combustioneer")])
        .on_group_a(damage(Trigger::CombatStart, 2, Target::Enemies))
        .begins();
    assert_eq!((burnt.deaths(), burnt.hp(A1)), (vec![(B1, None)], 7), "it dies, nobody killed it");
}

#[test]
fn sa_x_the_third_gaze_of_a_cockatrice_kills() {
    let victim = basher(3).missile(3).hp(50);
    let fought = arena([card("Cockatrice").hp(99)], [victim]);
    let after_two = fought.rounds(3, []);
    let stats = after_two.at(B1).in_combat;
    assert_eq!((stats.hand, stats.missile, stats.armor, after_two.at(B1).marks), (1, 1, 2, 2));
    assert_eq!(after_two.at(B1).for_good, stats, "for good");
    let third = fought.rounds(4, []);
    assert_eq!(third.deaths(), [(B1, Some(A1))]);
}

#[test]
fn sa_x_bard_and_diomesia_work_on_swordsmen() {
    let group = || [card("Bard"), card("Dwarf swordsman"), card("Dwarf archer")];
    let bard = arena(group(), [dummy()]).rounds(1, []);
    assert_eq!([A1, A2, A3].map(|who| bard.at(who).stats.hand), [0, 3, 0]);
    let swordsmen = || card("Dwarf swordsman").armor(0);
    let fought =
        arena([card("Diomesia").attacks(0), swordsmen()], [swordsmen(), card("Dwarf archer")]);
    let fought = fought.rounds(2, []);
    let dealt: i16 =
        fought.blows().iter().filter(|(round, _)| *round == 2).map(|(_, b)| b.power).sum();
    assert_eq!(dealt, 2, "only the archer's missile");
    // The effect ends with Diomesia.
    let killer = shooter(9).attacks(1);
    let fought = arena([killer, swordsmen()], [card("Diomesia").attacks(0), dummy().hp(50)]);
    let fought = fought.rounds(3, []);
    assert_eq!(fought.blows().last().unwrap().1.power, 2);
}

#[test]
fn sa_x_brother_wolf_takes_the_hits_and_the_group_withdraws_when_it_dies() {
    let group = || [basher(3).armor(6), card("Brother Wolf").armor(5)];
    let fought = arena([shooter(4)], group()).rounds(2, []);
    assert_eq!((fought.hp(B1), fought.hp(B2)), (7, 10 - 3 - 4), "past the wolf's armor");
    assert!(fought.hits_of(B1).is_empty(), "the others no longer attack");
    let fought = arena([shooter(4)], group()).combat();
    assert_eq!(fought.deaths(), [(B2, Some(A1))]);
    // The other one lives, and has lost the square (decision 26).
    assert!(fought.state.groups[1].withdrawn && fought.lives(B1));
    assert_eq!(fought.outcome, Some(Outcome::Win(Side::A)));
}

#[test]
fn sa_x_a_bard_makes_other_swordsmen_stronger_in_the_rounds_that_it_lives_to_see() {
    let group = || [card("Bard"), card("Dwarf swordsman")];
    let power_in_round_2 = |enemy: Piece| {
        let fought = arena(group(), [enemy]).rounds(2, []);
        let blows = fought.blows();
        let own = blows.iter().filter(|(round, blow)| *round == 2 && blow.by == Some(A2));
        own.map(|(_, blow)| blow.power).collect::<Vec<_>>()
    };
    assert_eq!(power_in_round_2(dummy().hp(50)), [3]);
    assert_eq!(power_in_round_2(shooter(20).hp(50)), [2], "the Bard falls in round 1");
}

#[test]
fn sa_x_berserker_blade_grows_with_each_hit_until_the_combat_is_over() {
    let fought =
        arena([card("Dwarf swordsman").under("Berserker Blade")], [dummy().hp(99)]).combat();
    let power: Vec<i16> = fought.blows().iter().map(|(_, blow)| blow.power).collect();
    assert_eq!(power, [2, 3, 4, 5, 6, 7, 8, 9, 10]);
    assert_eq!(fought.state.groups[0].minions[0].stats.hand, 2, "and then it is as it was");
}

#[test]
fn sa_x_berserkers_grow_with_up_to_three_dead_comrades() {
    let berserk = basher(1).under("Berserkers");
    let group = [berserk, dummy().hp(1), dummy().hp(1), dummy().hp(1), dummy().hp(1)];
    let burnt =
        arena(group, [dummy()]).on_group_b(damage(Trigger::CombatStart, 1, Target::Enemies));
    let fought = burnt.begins();
    assert_eq!((fought.deaths().len(), fought.at(A1).stats.hand), (4, 4));
}

#[test]
fn sa_x_spells_change_numbers_before_the_combat() {
    let sworn = card("Dwarf swordsman").under("BloodLust").under("Barkskin").under("Plague");
    let begun =
        arena([sworn], [card("Elf archer").under("Obeisance").under("Armor to Meat")]).begins();
    let (one, other) = (begun.at(A1), begun.at(B1));
    assert_eq!((one.stats.attacks, one.stats.armor), (2, 2));
    // Plague lowers the maximum, and then deals damage.
    assert_eq!((one.hit_points, one.max_hit_points), (3, 5));
    assert_eq!(
        (other.stats.level, other.stats.max_armor()),
        (0, 0),
        "armor is never less than none"
    );
}

#[test]
fn sa_x_cadre_aims_at_swordsmen() {
    let power = |victim: Piece| {
        arena([card("Dwarf archer").under("Cadre")], [victim.attacks(0)]).rounds(2, []).blows()[1]
            .1
            .power
    };
    assert_eq!((power(card("Dwarf swordsman")), power(card("Dwarf archer"))), (3, 2));
}

#[test]
fn sa_x_dragon_slayer_kills_a_monster_it_damages() {
    let slayer = || card("Elf archer").under("Dragon Slayer");
    let fought = arena([slayer()], [card("Blue Auk")]).rounds(1, []);
    assert_eq!(fought.deaths(), [(B1, Some(A1))]);
    assert_eq!(
        arena([slayer()], [card("Blue Auk").armor(2)]).rounds(1, []).deaths(),
        [],
        "bounced"
    );
    assert_eq!(arena([slayer()], [dummy()]).rounds(1, []).deaths(), [], "no monster");
}

#[test]
fn sa_x_treacherous_armor_adds_twice_the_total_armor_before_armor() {
    let fought =
        arena([basher(2)], [dummy().hp(20).armor(3).under("Treacherous Armor")]).rounds(2, []);
    let blow = fought.blows()[0].1;
    assert_eq!((blow.power, blow.to_armor, blow.to_hit_points), (2 + 6, 3, 5));
}

#[test]
fn sa_x_soul_jar_keeps_the_dying_for_later() {
    let jar = of_group("Soul Jar");
    let fought = arena([basher(9)], [dummy(), dummy().hp(50)]).on_group_b(jar).rounds(2, []);
    assert_eq!((fought.deaths(), fought.hp(B1), fought.lives(B1)), (vec![], 7, false));
    assert!(fought.state.away.has(B1));
    // A group whose only minions left have vanished has lost the combat.
    let fought = arena([basher(9)], [dummy()]).on_group_b(jar).combat();
    assert!(fought.won_by(Side::A) && fought.state.groups[1].away == 1);
}

/// The one effect of a bundled spell on a group as a whole.
fn of_group(spell: &str) -> Effect {
    let spell = catalogue().spell(spell).expect("it is bundled");
    assert!(spell.on_group);
    let [effect] = spell.effects[..] else { panic!("{:?}", spell.effects) };
    effect
}

/// "Soul Jar is dispelled" by the first recruit that it keeps, and monsters are no recruits.
#[test]
fn sa_x_soul_jar_keeps_one_recruit_and_is_dispelled() {
    let jar = of_group("Soul Jar");
    // No two are equally strong, so that nobody has to be drawn.
    let recruits = [dummy().hp(1), dummy().hp(2), dummy().hp(3)];
    let fought = arena([basher(9)], recruits).on_group_b(jar).combat();
    assert!(fought.won_by(Side::A));
    assert_eq!(fought.deaths().len(), 2);
    assert_eq!(
        (fought.state.groups[1].away.count_ones(), fought.state.groups[1].dispelled),
        (1, 1)
    );
    let monster = card("Firewyrm").attacks(0);
    let fought = arena([basher(99)], [monster]).on_group_b(jar).combat();
    assert_eq!((fought.deaths().len(), fought.state.groups[1].away), (1, 0));
}

#[test]
fn sa_x_deflection_is_dealt_back_past_armor_but_not_dealt_back_again() {
    let fought =
        arena([basher(3).armor(9).under("Deflection")], [dummy().armor(1).under("Deflection")]);
    let fought = fought.rounds(2, []);
    assert_eq!((fought.hp(A1), fought.hp(B1)), (5, 5));
}

#[test]
fn sa_x_armistice_keeps_the_peace() {
    let peace = effect(Trigger::CombatStart, Verb::StopHostility);
    let fought = arena([basher(9)], [basher(9)]).on_group_b(peace).combat();
    assert_eq!((fought.round(), fought.outcome), (0, Some(Outcome::Undecided)));
    assert!(fought.has(|event| matches!(event, Event::CombatOver)));
}

/// "No group enters combat": not even what happens at the start of combat does, whosever the spell is.
#[test]
fn sa_x_under_armistice_nobody_enters_combat() {
    let fire = || arena([card("Brimstone Dragon")], [dummy().hp(2)]);
    assert!(fire().combat().won_by(Side::A));
    let armistice = of_group("Armistice");
    for fought in [fire().on_group_a(armistice).combat(), fire().on_group_b(armistice).combat()] {
        assert_eq!((fought.round(), fought.outcome), (0, Some(Outcome::Undecided)));
        assert!(!fought.has(|event| matches!(event, Event::Combat | Event::Blow(_))));
        assert_eq!(fought.state.groups[1].minions[0].hit_points, 2);
    }
}

#[test]
fn sa_x_a_chance_is_a_die_of_its_own_and_only_where_it_matters() {
    let chancy = Effect { percent: 25, ..damage(Trigger::Hits, 2, Target::Foe) };
    let odds = arena([basher(1).with(chancy)], [dummy()]).odds(2, |fought| fought.hp(B1));
    let expected = [(4, fraction(1, 4)), (6, fraction(3, 4))];
    assert_eq!(odds.into_iter().collect::<Vec<_>>(), expected);
    // With nobody left to be damaged, no die is thrown.
    arena([basher(7).with(Effect { on: Target::Comrades, ..chancy })], [dummy()]).rounds(2, []);
    let crit = Effect { percent: 50, amount: 2, ..effect(Trigger::Attacks, Verb::DealMore) };
    let fought = arena([basher(1).with(crit)], [dummy()]).rounds(2, [(Roll::Effect, 1)]);
    assert_eq!(fought.hp(B1), 4);
}

#[test]
fn sa_x_healing_and_hit_points_keep_to_the_maximum() {
    let healing = Effect { amount: 3, ..effect(Trigger::RoundStart, Verb::Heal) };
    let fought = arena([basher(2)], [dummy().with(healing)]).rounds(3, []);
    assert_eq!(fought.hp(B1), 5);
    let growing = gain(Trigger::CombatStart, Stat::HitPoints, 2, Target::Bearer);
    let begun = arena([dummy().with(growing)], [dummy()]).begins();
    assert_eq!((begun.hp(A1), begun.at(A1).max_hit_points), (9, 9));
    let shrinking = gain(Trigger::CombatStart, Stat::HitPoints, -2, Target::Enemies);
    let begun = arena([dummy().with(shrinking)], [dummy()]).begins();
    assert_eq!((begun.hp(B1), begun.at(B1).max_hit_points), (5, 5));
}

#[test]
fn sa_x_two_effects_that_kill_each_other_come_to_an_end() {
    let vengeful = || dummy().hp(1).with(damage(Trigger::Dies, 1, Target::Everybody));
    let fought = arena([basher(1), vengeful()], [vengeful(), vengeful()]);
    let fought = fought.rounds(2, [(Roll::TargetTie, 0)]);
    assert_eq!(fought.deaths().len(), 3);
    assert!(fought.won_by(Side::A), "the basher has more than the others can take");
}

#[test]
fn sa_x_compulsion_can_be_for_marked_minions_only() {
    let mark = Effect { on: Target::Foe, ..effect(Trigger::Hits, Verb::Mark) };
    let hunt = Effect { if_marks: 1, ..effect(Trigger::MustAttack, Verb::SeekOut) };
    // Armor draws the first arrow; the mark it leaves draws the next, against a bait with more armor.
    let hunter = shooter(3).with(mark).with(hunt);
    let bait = dummy().hp(50).armor(2).with(Effect {
        rounds: (2, 2),
        ..gain(Trigger::RoundStart, Stat::Armor, 9, Target::Bearer)
    });
    let fought = arena([hunter], [dummy().hp(50).armor(3), bait]).rounds(2, []);
    assert_eq!(fought.attacks(), [(A1, B1), (A1, B1)]);
    assert_eq!(fought.choices(1)[0].1, Choice::Wisely);
    assert_eq!(fought.choices(2)[0].1, Choice::Must);
}

#[test]
fn sa_x_an_attack_keeps_its_weapon_whatever_its_hit_does() {
    // The hit in round 2 makes the hand the stronger weapon, but it still counts as a missile hit.
    let swings = Effect { rounds: (2, 2), ..gain(Trigger::Hits, Stat::Hand, 5, Target::Bearer) };
    let venom = Effect { weapon: Some(Weapon::Missile), ..damage(Trigger::Hits, 2, Target::Foe) };
    let both = basher(3).missile(4).with(swings).with(venom);
    let fought = arena([both], [dummy().hp(50)]).rounds(2, []);
    assert_eq!(fought.hp(B1), 50 - (4 - 1 + 2) - (4 + 2));
}

#[test]
fn sa_x_the_first_dying_cancel_is_the_last() {
    let stands = Effect { amount: 3, ..effect(Trigger::Dying, Verb::Survive) };
    let twice = dummy().with(stands).with(effect(Trigger::Dying, Verb::Vanish));
    let fought = arena([basher(9)], [twice]).rounds(2, []);
    assert_eq!((fought.lives(B1), fought.hp(B1)), (true, 3), "it stands, and does not vanish too");
}

#[test]
fn sa_x_what_can_stop_nothing_is_not_used_up() {
    let once = Effect { at_most: 1, ..effect(Trigger::IsHit, Verb::TakeNothing) };
    let attackers = [basher(3).harm(Harm::Magical), basher(4)];
    let fought = arena(attackers, [dummy().hp(50).with(once)]).rounds(2, []);
    assert_eq!(fought.hp(B1), 50 - 3, "magical damage comes through, and what is plain is stopped");
}

#[test]
fn sa_x_what_makes_no_hit_lighter_or_worse_is_not_used_up() {
    let lighter = Effect { amount: -3, at_most: 1, ..effect(Trigger::IsHit, Verb::TakeMore) };
    let told = |attackers: [Piece; 2], effect: Effect| {
        let fought = arena(attackers, [dummy().hp(50).with(effect)]).rounds(2, []);
        (fought.hp(B1), fought.effects().len())
    };
    // A hit of 0 cannot become lighter.
    assert_eq!(told([basher(0), basher(4)], lighter), (50 - 1, 1));
    // Nothing is added for armor that is not there.
    let by_armor = Effect { amount: 2, per_armor: true, ..lighter };
    assert_eq!(told([basher(2), basher(4)], by_armor), (50 - 6, 0));
}

#[test]
fn sa_x_what_changes_nothing_is_not_used_up() {
    let once = |effect: Effect| Effect { at_most: 1, ..effect };
    // The minion is unhurt at the start of rounds 1 and 2, and wounded at the start of round 3.
    let heals =
        once(Effect { amount: 5, on: Target::Bearer, ..effect(Trigger::RoundStart, Verb::Heal) });
    let fought = arena([basher(4)], [dummy().hp(50).with(heals)]).rounds(3, []);
    assert_eq!(fought.hp(B1), 50 - 4 + 4 - 4);
    // A level cannot rise above 5.
    let learns = |level| {
        let learns = once(gain(Trigger::RoundStart, Stat::Level, 1, Target::Bearer));
        let fought = arena([basher(0).level(level).with(learns)], [dummy()]).rounds(1, []);
        fought.effects().len()
    };
    assert_eq!((learns(3), learns(5)), (1, 0));
    // Nobody guards against a hit of 0.
    let guards = once(effect(Trigger::ComradeIsHit, Verb::Guard));
    let group = [dummy().hp(50), dummy().hp(50).with(guards)];
    let fought = arena([basher(0)], group).rounds(2, [(Roll::TargetTie, 0)]);
    assert_eq!(fought.effects(), []);
    // A hit of 0 to which the victim would react is guarded against.
    let answered = Effect { amount: 4, ..effect(Trigger::IsHit, Verb::TakeMore) };
    let group = [dummy().hp(50).with(answered), dummy().hp(50).with(guards)];
    let fought = arena([basher(0)], group).rounds(2, [(Roll::TargetTie, 0)]);
    assert_eq!((fought.hp(B1), fought.hp(B2)), (50, 50));
    // An attack that deals nothing cannot deal less, unless something is added to it.
    let less = once(Effect { amount: -2, ..effect(Trigger::Attacks, Verb::DealMore) });
    let more = once(Effect { amount: 3, ..effect(Trigger::Attacks, Verb::DealMore) });
    let silent = once(effect(Trigger::Attacks, Verb::DealNothing));
    let told = |piece: Piece| {
        let fought = arena([piece], [dummy().hp(50)]).rounds(2, []);
        (50 - fought.hp(B1), fought.effects().len())
    };
    assert_eq!(told(basher(0).with(less)), (0, 0));
    assert_eq!(told(basher(0).with(silent)), (0, 0));
    assert_eq!(told(basher(0).with(less).with(more)), (1, 2));
    assert_eq!(told(basher(3).with(less)), (1, 1));
    // A combat ends once.
    let peace = once(effect(Trigger::RoundStart, Verb::EndCombat));
    let both = arena([basher(1).with(peace)], [dummy().with(peace)]).rounds(1, []);
    assert_eq!(both.effects().len(), 1);
}

/// A7 is about whether the victim dies: "the victim is no longer dying" only because of a dying-cancel, not because of
/// any other effect.
#[test]
fn sa_69_a_dying_victim_is_not_saved_by_being_healed_or_taken_away() {
    let saves = |effect: Effect| {
        let fought = arena([basher(9).with(effect)], [dummy().hp(5)]).rounds(2, []);
        (fought.lives(B1), fought.effects().len())
    };
    let on_foe = |does: Verb| Effect {
        amount: 3,
        on: Target::Foe,
        at_most: 1,
        ..effect(Trigger::Hits, does)
    };
    assert_eq!(saves(on_foe(Verb::Heal)), (false, 0));
    assert_eq!(saves(on_foe(Verb::Leave)), (false, 0));
    assert_eq!(saves(on_foe(Verb::Damage)), (false, 0), "and has nothing to lose any more");
    assert_eq!(saves(gain(Trigger::Hits, Stat::HitPoints, 3, Target::Foe)), (false, 0));
}

#[test]
fn sa_x_who_has_no_such_weapon_gains_nothing_of_it() {
    let gains = |stat: Stat| gain(Trigger::RoundStart, stat, 2, Target::Bearer);
    let told = |piece: Piece, stat: Stat| {
        let fought = arena([piece.with(gains(stat))], [dummy()]).rounds(2, []);
        let stats = fought.at(A1).stats;
        (stats.hand, stats.missile, stats.attacks, fought.effects().len())
    };
    assert_eq!(told(basher(1), Stat::Hand), (5, 0, 1, 2));
    assert_eq!(told(basher(1), Stat::Missile), (1, 0, 1, 0));
    assert_eq!(told(shooter(1), Stat::Hand), (0, 1, 1, 0));
    assert_eq!(told(basher(1), Stat::Attacks), (1, 0, 5, 2));
    // Nobody is left who could gain, so no die is thrown.
    let chancy = Effect { percent: 50, ..gains(Stat::Missile) };
    arena([basher(1).with(chancy)], [dummy()]).rounds(2, []);
    let unarmed = |stat| {
        let fought = arena([dummy().with(gains(stat))], [dummy()]).rounds(2, []);
        (fought.at(A1).stats.attacks, fought.hp(B1), fought.effects().len())
    };
    assert_eq!([Stat::Hand, Stat::Attacks].map(unarmed), [(0, 7, 0); 2]);
}

#[test]
fn sa_x_deflection_deals_back_no_more_than_its_bearer_has_left() {
    let fought = arena([basher(9).hp(20)], [dummy().hp(3).under("Deflection")]).combat();
    assert_eq!((fought.hp(A1), fought.lives(B1)), (17, false));
}

#[test]
fn sa_x_what_is_told_of_a_gain_is_what_was_gained() {
    let amounts = |piece: Piece, effect: Effect| {
        let fought = arena([basher(1)], [piece.with(effect)]).rounds(2, []);
        let told = fought.events.iter().filter_map(|(_, event)| match event {
            Event::Effect(happened) => Some(happened.amount),
            _ => None,
        });
        told.collect::<Vec<_>>()
    };
    let heals = Effect { amount: 3, ..effect(Trigger::RoundStart, Verb::Heal) };
    assert!(amounts(dummy(), heals).is_empty(), "nothing to heal before the blow of round 2");
    let hurts = gain(Trigger::RoundStart, Stat::HitPoints, -4, Target::Bearer);
    assert_eq!(amounts(dummy(), hurts), [-4, -2], "7, 3, and the last one stays");
    let learns = gain(Trigger::RoundStart, Stat::Level, 3, Target::Bearer);
    assert_eq!(amounts(dummy().level(1), learns), [3, 1], "no higher than 5");
}
