use std::ops::Range;

use proptest::prelude::*;

use super::format::{Unreadable, of_bytes, to_bytes};
use super::*;

fn header() -> Header {
    let asked = Asked {
        command: "run".to_owned(),
        scenario: "splinterlands/mirror".to_owned(),
        fingerprint: "0123".to_owned(),
        seed: 7,
        battles: 1_000,
        settings: vec![("--measure".to_owned(), "score".to_owned())],
        besides: Vec::new(),
    };
    let stage = |name: &str, bytes| StageNote {
        name: name.to_owned(),
        allocation: String::new(),
        planned: 1_000,
        done: Ranges::of(0..400).with(&Ranges::of(600..1_000)),
        bytes,
        look: None,
    };
    Header {
        program: "evens".to_owned(),
        version: "0.1.0".to_owned(),
        asked,
        sample: "4567".to_owned(),
        stages: vec![stage("pilot", 3), stage("rest", 5)],
        plays: Vec::new(),
        rows: vec![Segment { from: 0, to: 400, bytes: 99, sha256: "89ab".to_owned() }],
    }
}

#[test]
fn a_partial_result_reads_back_and_nothing_else_does() {
    let bytes = to_bytes(&header(), [&b"abc"[..], b"defgh"]);
    let (read, tallies) = of_bytes(&bytes).unwrap();
    assert_eq!(read, header());
    assert_eq!(tallies, [b"abc".to_vec(), b"defgh".to_vec()]);
    for end in 0..bytes.len() {
        assert!(of_bytes(&bytes[..end]).is_err(), "the first {end} bytes");
    }
    for at in 0..bytes.len() {
        for bit in 0..8 {
            let mut flipped = bytes.clone();
            flipped[at] ^= 1 << bit;
            assert!(of_bytes(&flipped).is_err(), "bit {bit} of byte {at}");
        }
    }
    assert!(of_bytes(&[&bytes[..], b"x"].concat()).is_err());
}

#[test]
fn later_formats_are_told_from_damage() {
    let text =
        String::from_utf8_lossy(&to_bytes(&header(), [])).replacen("format 4", "format 12", 1);
    assert_eq!(of_bytes(text.as_bytes()), Err(Unreadable::OtherFormat(12)));
    let old =
        String::from_utf8_lossy(&to_bytes(&header(), [])).replacen("format 4", "format two", 1);
    assert!(matches!(of_bytes(old.as_bytes()), Err(Unreadable::Damaged(_))));
}

/// What format 4 is, byte for byte: a change of this test is a new format.
#[test]
fn format_4_is_written_as_it_always_was() {
    let bytes = to_bytes(&header(), [&b"abc"[..], b"defgh"]);
    let text = String::from_utf8_lossy(&bytes[..bytes.len() - 32]).into_owned();
    insta::assert_snapshot!(text);
}

fn shard(text: &str) -> Shard {
    text.parse().unwrap()
}

#[test]
fn shards_are_named_by_two_numbers_or_by_their_battles() {
    assert_eq!(shard("2/8").to_string(), "2/8");
    assert_eq!(shard("2/8").folder(), "shard-2-of-8");
    let range = shard("1000..2000");
    assert_eq!(
        (range.to_string(), range.folder()),
        ("1000..2000".into(), "battles-1000-to-1999".into())
    );
    assert_eq!((range.battles(1_500), range.battles(9_000)), (1_000..1_500, 1_000..2_000));
    assert!(
        shard("0..7").begins_the_job() && !range.begins_the_job() && !shard("1/2").begins_the_job()
    );
    for wrong in ["", "3", "1/0", "-1/3", "a/b", "1/2/3", "..5", "5..", "1..2..3"] {
        assert_eq!(wrong.parse::<Shard>(), Err(NoShard::Unknown), "{wrong}");
    }
    for wrong in ["5..5", "6..5"] {
        assert_eq!(wrong.parse::<Shard>(), Err(NoShard::Empty), "{wrong}");
    }
    for wrong in ["0/3", "4/3"] {
        let of = std::num::NonZeroU64::new(3).unwrap();
        assert_eq!(wrong.parse::<Shard>(), Err(NoShard::NoPart { of }), "{wrong}");
    }
}

fn set(numbers: &Ranges) -> Vec<u64> {
    numbers.iter().flatten().collect()
}

fn of(ranges: &[Range<u64>]) -> Ranges {
    ranges.iter().fold(Ranges::default(), |all, range| all.with(&Ranges::of(range.clone())))
}

proptest! {
    #[test]
    fn every_battle_is_in_one_shard(all in 0..u64::MAX, parts in 1..200u64) {
        let mut end = 0;
        for number in 1..=parts {
            let range = shard(&format!("{number}/{parts}")).battles(all);
            prop_assert_eq!(range.start, end);
            let size = range.end - range.start;
            prop_assert!(size == all / parts || size == all / parts + 1);
            end = range.end;
        }
        prop_assert_eq!(end, all);
    }

    #[test]
    fn ranges_are_sets_of_numbers(
        one in prop::collection::vec(0..30u64, 0..8), other in prop::collection::vec(0..30u64, 0..8),
    ) {
        let pairs = |ends: &[u64]| {
            let ranges = ends.chunks_exact(2).map(|pair| pair[0].min(pair[1])..pair[0].max(pair[1]));
            ranges.collect::<Vec<_>>()
        };
        let (one, other) = (of(&pairs(&one)), of(&pairs(&other)));
        let both = one.with(&other);
        prop_assert!(both.is_sound());
        let mut expected = [set(&one), set(&other)].concat();
        expected.sort_unstable();
        expected.dedup();
        prop_assert_eq!(both.len(), expected.len() as u64);
        prop_assert_eq!(set(&both), expected);
        let missing = set(&one.missing(3..25));
        let expected: Vec<u64> = (3..25).filter(|number| !set(&one).contains(number)).collect();
        prop_assert_eq!(missing, expected);
        let overlap = one.overlap(&other).map(|range| range.start);
        prop_assert_eq!(overlap, set(&one).into_iter().find(|number| set(&other).contains(number)));
    }
}
