//! ET-34 to ET-38: All In.

use evens::chance::Seeded;
use evens::game::{Outcome, Stratum, Unwatched, play};
use evens::games::eldertale::ElderTale;
use evens::games::eldertale::effect::Kind;
use evens::games::eldertale::event::Event;
use evens::games::eldertale::rolls::Roll;
use evens::games::eldertale::state::Memory;
use num_rational::BigRational;

use super::arena::*;

const HOLDS: (Roll, u32) = (Roll::Disable, 0);
const DISABLED: (Roll, u32) = (Roll::Disable, 1);

/// A character that hits for `damage` each turn.
fn hitter(damage: u8) -> Fighter {
    fighter().plays([attack(damage)])
}

#[test]
fn et_34_a_memory_must_be_put_down_before_hp_reach_0() {
    // B puts its Memory down in its own turn, at 10 HP or less: 20, 8, then below 0.
    let waiting = |at| fighter().hp(20).memory(at, 1, 2).rests(1);
    let in_time = arena([hitter(12), waiting(10)]).turns(4);
    assert!(in_time.has(|event| *event == Event::PutsMemoryDown(B)));
    assert_eq!((in_time.hp(B), in_time.stands(B)), (-4, true));
    // At none of its own turns is B's HP low enough before the blow that takes the rest.
    let too_late = arena([hitter(12), waiting(7)]).turns(4);
    assert_eq!(too_late.at(B).memory, Memory::Kept);
    assert_eq!(too_late.outcome, Some(Outcome::Win(A)));
}

#[test]
fn et_35_with_it_the_character_fights_on_beyond_0() {
    let fighting = fighter().hp(5).memory(99, 1, 4).plays([attack(7)]);
    let session = arena([hitter(6), fighting]);
    // The first blow goes beyond 0 without a die; the next two are drops beyond 0.
    let fought = session.turns_with(6, [HOLDS, HOLDS]);
    assert_eq!(fought.hp(B), 5 - 3 * 6);
    assert_eq!(fought.queued().iter().filter(|(on, _)| *on == A).count(), 3, "it attacks on");
    assert_eq!(fought.hp(A), 60 - 2 * 7);
    assert_eq!(fought.at(B).drops, 2);
    assert_eq!(fought.at(B).memory, Memory::AllIn);
}

#[test]
fn et_36_each_further_drop_may_disable_and_erase_the_memory() {
    let session = arena([hitter(6), fighter().hp(5).memory(99, 1, 4).rests(1)]);
    let fought = session.turns_with(6, [HOLDS, DISABLED]);
    assert_eq!(fought.outcome, Some(Outcome::Win(A)));
    assert_eq!(fought.at(B).memory, Memory::Erased);
    // A blow that the defense blocks is no drop; each hit that comes through is one.
    let guarding = fighter().hp(5).memory(99, 1, 4).rests(1).plays([defense(6)]);
    let guarded = arena([hitter(6), guarding.rests(9)]).turns(4);
    assert_eq!((guarded.at(B).drops, guarded.stands(B)), (0, true));
    let many =
        arena([fighter().plays([attack(6).hits(4)]), fighter().hp(5).memory(99, 1, 4).rests(1)]);
    let fought = many.turns_with(2, [HOLDS, HOLDS, DISABLED]);
    assert_eq!(fought.at(B).drops, 3, "the first of four hits is the fall itself");
}

/// Healing makes nobody immortal: "each drop in HP has a chance", wherever it begins.
#[test]
fn et_36_a_drop_after_healing_is_a_further_one_too() {
    let healing = || utility().applies(effect(Kind::Heal, 5));
    let mender = || fighter().hp(5).memory(99, 1, 4).plays([healing()]);
    // Nothing to heal yet, then -1; healed to 4, then -2; healed to 3, then -3.
    let fought = arena([hitter(6), mender()]).turns_with(6, [HOLDS, DISABLED]);
    assert_eq!((fought.hp(B), fought.heals(B)), (-3, vec![0, 5, 5]));
    assert_eq!((fought.at(B).drops, fought.at(B).memory), (2, Memory::Erased));
    assert_eq!(fought.outcome, Some(Outcome::Win(A)));
    // A drop that leaves it above 0 HP takes nobody out, Memory or not.
    let scratched = fighter().plays([attack(6)]).plays([attack(1)]).rests(1);
    let fought = arena([scratched, mender()]).turns_with(4, []);
    assert_eq!((fought.at(B).drops, fought.at(B).memory), (0, Memory::AllIn));
}

#[test]
fn et_36_the_chance_to_be_up_after_k_drops_is_1_minus_q_to_the_k() {
    for (disables, of) in [(1u64, 2u64), (1, 3), (2, 7)] {
        let session = arena([hitter(1), fighter().hp(1).memory(99, disables, of).rests(1)]);
        // One drop a round from round 2 on; after round 9 the session is undecided.
        let odds = session.last_round(9).odds(|ended| (ended.outcome, ended.state.at(B).drops));
        let q = fraction(disables as i64, of as i64);
        let mut up = fraction(1, 1);
        for drop in 1..=8u16 {
            assert_eq!(odds[&(Outcome::Win(A), drop)], &up * &q, "out at drop {drop}");
            up = &up * (fraction(1, 1) - &q);
        }
        assert_eq!(odds[&(Outcome::Undecided, 8)], up, "still up after 8 drops");
        assert_eq!(odds.values().sum::<BigRational>(), fraction(1, 1));
    }
}

#[test]
fn et_36_the_expected_number_of_drops_is_1_in_q() {
    for level in [1u64, 2, 4] {
        let session = arena([hitter(1), fighter().hp(1).memory(99, 1, level + 1).rests(1)]);
        let setup = session.last_round(1_000).setup();
        const SESSIONS: u64 = 20_000;
        let stratum = Stratum { matchup: 0, condition: 0 };
        let drops: u64 = (0..SESSIONS)
            .map(|index| {
                let mut dice = Seeded::of_battle(level, index);
                let ended = play::<ElderTale, _, _>(&setup, stratum, &mut dice, &mut Unwatched);
                assert_eq!(ended.outcome, Outcome::Win(A));
                u64::from(ended.state.at(B).drops)
            })
            .sum();
        // The standard deviation of a geometric count is sqrt(1 - q) / q; the mean must be within four standard errors.
        let (mean, expected) = (drops as f64 / SESSIONS as f64, (level + 1) as f64);
        let deviation = (expected * (expected - 1.0)).sqrt() / (SESSIONS as f64).sqrt();
        assert!((mean - expected).abs() < 4.0 * deviation, "level {level}: {mean}");
    }
}

#[test]
fn et_37_a_higher_memory_holds_longer() {
    use evens::scenario::{Document, Folder, load};
    let setup = |all_in: &str| {
        let character = |level: u8| {
            format!("[[characters]]\nname = \"M{level}\"\ndeck = [\"Strike\"]\nmemory = {level}\n")
        };
        let text = format!(
            "game = \"eldertale\"\nbattles = 1\n{all_in}\n{}[sides]\na = [\"M1\"]\nb = [\"M2\", \"M3\"]\n",
            [1, 2, 3].map(character).concat()
        );
        load::<ElderTale>(&Document::new("case.toml", text, Folder::Disk("".into())))
    };
    let chances = |all_in: &str| -> Vec<BigRational> {
        let sheets = setup(all_in).unwrap().setup.sheets().to_vec();
        let chance = |odds: [u64; 2]| fraction(odds[1] as i64, (odds[0] + odds[1]) as i64);
        sheets.iter().map(|sheet| chance(sheet.wager.unwrap().odds)).collect()
    };
    assert_eq!(chances(""), [fraction(1, 2), fraction(1, 3), fraction(1, 4)]);
    let said = chances("[all_in]\ndisable = [60, 12.5, 12.5]");
    assert_eq!(said, [fraction(3, 5), fraction(1, 8), fraction(1, 8)]);
    let faults = setup("[all_in]\ndisable = [10, 20, 15]").unwrap_err();
    assert!(faults.faults[0].message.contains("level 2 fails sooner than one of level 1"));
}

#[test]
fn et_38_without_a_memory_down_0_hp_is_out_at_once() {
    let fought = arena([hitter(5), fighter().hp(5)]).turns(2);
    assert_eq!((fought.outcome, fought.at(B).drops), (Some(Outcome::Win(A)), 0));
    // A Memory that is not put down helps nobody.
    let kept = arena([hitter(5), fighter().hp(5).memory(4, 1, 9)]).turns(2);
    assert_eq!(kept.outcome, Some(Outcome::Win(A)));
}
