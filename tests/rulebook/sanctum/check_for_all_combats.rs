//! SA-01 to SA-14: who fights whom, and when. Squares are (column, row) as the blue player sees the board.

use evens::chance::{Scripted, Seeded};
use evens::games::sanctum::rules::check_for_all_combats::{Board, Direction, Placed, Square};
use evens::games::sanctum::setup::{Company, First, Setup};
use evens::games::sanctum::state::Player::{self, Blue, Neutral, Red};

use super::arena::*;

/// Group g stands in the middle of the FAQ's map; its neighbours are named as on that map.
const G: (i8, i8) = (5, 6);
const NE: (i8, i8) = (5, 5);
const SW: (i8, i8) = (5, 7);
const SE: (i8, i8) = (6, 6);
const NW: (i8, i8) = (4, 6);

/// A board on which groups stand in the order of their owners' lists, the oldest first.
fn board(groups: &[(Player, (i8, i8))]) -> Board {
    let placed = groups.iter().enumerate().map(|(at, &(player, (column, row)))| Placed {
        player,
        square: Square { column, row },
        created: at as u32,
    });
    Board { groups: placed.collect(), neutrals_at_peace: false, seen_by: Blue }
}

/// The combats as pairs of groups, the one with precedence first.
fn fights(board: &Board, initiative: Player) -> Vec<(u8, u8)> {
    board.check_for_all_combats(initiative).iter().map(|fight| (fight.high, fight.low)).collect()
}

/// Where the opponents of the groups with precedence stand, in order, in the directions as a player sees them.
fn directions(board: &Board, initiative: Player, seen_by: Player) -> Vec<String> {
    let fights = board.check_for_all_combats(initiative);
    fights.iter().map(|fight| fight.from.unwrap().seen_by(seen_by).to_string()).collect()
}

/// A phase in which group `at` has the pieces `groups[at]`.
fn phase(board: &Board, groups: &[Vec<Piece>], initiative: Player) -> Setup {
    let company = |(at, pieces): (usize, &Vec<Piece>)| Company {
        name: format!("Group {at}"),
        minions: pieces.iter().map(|piece| piece.0.clone()).collect(),
        effects: Vec::new(),
    };
    let companies = groups.iter().enumerate().map(company).collect();
    Setup::of_map(companies, Vec::new(), board.clone(), First::Always(initiative))
}

#[test]
fn sa_01_precedence_goes_to_the_initiative_player_then_neutral_then_the_other() {
    let board = board(&[(Blue, G), (Red, NE), (Neutral, SW)]);
    for (initiative, order) in [(Blue, [0, 2, 1]), (Red, [1, 2, 0])] {
        for high in 0..3 {
            for low in high + 1..3 {
                assert!(board.has_precedence(order[high], order[low], initiative));
                assert!(!board.has_precedence(order[low], order[high], initiative));
            }
        }
    }
}

#[test]
fn sa_02_of_one_players_groups_the_one_created_earlier_has_precedence() {
    let mut board = board(&[(Neutral, G), (Neutral, NE)]);
    assert!(board.has_precedence(0, 1, Blue));
    // The second group in its owner's list, but older than the first.
    board.groups[0].created = 9;
    assert!(board.has_precedence(1, 0, Blue) && !board.has_precedence(0, 1, Blue));
    assert_eq!(fights(&board, Red), [(1, 0)]);
}

#[test]
fn sa_03_players_are_gone_through_initiative_non_initiative_neutral() {
    // Three pairs far apart, in each of which a group of another player has precedence.
    let board = board(&[
        (Neutral, (0, 0)),
        (Blue, (0, 1)),
        (Neutral, (4, 0)),
        (Neutral, (4, 1)),
        (Red, (8, 0)),
        (Neutral, (8, 1)),
    ]);
    // Red has the initiative, so its combat comes first. Blue picks none, since neutral has precedence over it.
    assert_eq!(fights(&board, Red), [(4, 5), (0, 1), (2, 3)]);
    assert_eq!(fights(&board, Blue), [(1, 0), (2, 3), (5, 4)]);
}

#[test]
fn sa_04_groups_first_to_last_and_for_each_its_orthogonal_neighbours() {
    // Blue's list: first (8, 3), then (2, 3), which have two red neighbours each.
    let board = board(&[
        (Red, (2, 2)),
        (Blue, (8, 3)),
        (Red, (8, 4)),
        (Red, (8, 2)),
        (Blue, (2, 3)),
        (Red, (3, 3)),
    ]);
    assert_eq!(fights(&board, Blue), [(1, 3), (1, 2), (4, 0), (4, 5)]);
    // When red has the initiative, red's list is gone through instead.
    assert_eq!(fights(&board, Red), [(0, 4), (2, 1), (3, 1), (5, 4)]);
}

#[test]
fn sa_05_a_pair_fights_once_a_turn_and_the_lower_group_skips_it() {
    let board = board(&[(Blue, G), (Red, NE)]);
    let idle = || vec![dummy()];
    let setup = phase(&board, &[idle(), idle()], Blue);
    let fought = play(&setup, 100, &mut Scripted::nothing());
    assert_eq!(fought.fights, [[0, 1]]);
    assert!(fought.outcome.is_some(), "both survive, and the phase is over all the same");
}

fn surrounded(g: Player, others: Player) -> Board {
    board(&[(g, G), (others, SW), (others, NW), (others, SE), (others, NE)])
}

#[test]
fn sa_06_a_surrounded_group_can_fight_four_combats_if_it_survives() {
    let weak = || vec![basher(1).hp(1)];
    let four = |g: Vec<Piece>| {
        let setup = phase(&surrounded(Blue, Red), &[g, weak(), weak(), weak(), weak()], Blue);
        play(&setup, 100, &mut Seeded::from_seed(1))
    };
    let strong = four(vec![basher(3)]);
    assert_eq!(strong.fights, [[0, 4], [0, 1], [0, 3], [0, 2]]);
    assert!(strong.won_by(evens::game::Side::A));
    // A group that falls in the second combat fights no third one.
    let board = surrounded(Blue, Red);
    let setup = phase(
        &board,
        &[vec![basher(3).hp(3)], vec![basher(3).hp(99)], weak(), weak(), weak()],
        Blue,
    );
    let fallen = play(&setup, 100, &mut Seeded::from_seed(1));
    assert_eq!(fallen.fights, [[0, 4], [0, 1]]);
    assert!(fallen.won_by(evens::game::Side::B));
}

#[test]
fn sa_07_every_orthogonally_adjacent_hostile_pair_fights_once_and_diagonals_never() {
    let diagonal = board(&[(Blue, (3, 3)), (Red, (4, 4)), (Red, (2, 2)), (Neutral, (4, 2))]);
    assert_eq!(fights(&diagonal, Blue), []);
    assert_eq!(fights(&board(&[(Blue, (3, 3)), (Blue, (3, 4))]), Blue), [], "friends");
    // A full board of 16 groups: every adjacent pair of different owners, counted in another way.
    let players = [Blue, Red, Neutral];
    let groups: Vec<(Player, (i8, i8))> = (0..16)
        .map(|at| (players[(at % 4 + at / 4) % 3], ((at % 4) as i8, (at / 4) as i8)))
        .collect();
    let board = board(&groups);
    for initiative in [Blue, Red] {
        let mut pairs: Vec<(u8, u8)> = fights(&board, initiative)
            .into_iter()
            .map(|(high, low)| (high.min(low), high.max(low)))
            .collect();
        pairs.sort_unstable();
        let mut expected = Vec::new();
        for one in 0..16_u8 {
            for (other, is_neighbour) in [(one + 1, one % 4 < 3), (one + 4, one < 12)] {
                let hostile = |other: u8| {
                    let (a, b) = (groups[usize::from(one)].0, groups[usize::from(other)].0);
                    a != b || a == Neutral
                };
                if is_neighbour && hostile(other) {
                    expected.push((one, other));
                }
            }
        }
        expected.sort_unstable();
        assert_eq!(pairs, expected);
    }
}

#[test]
fn sa_08_all_of_reds_combats_come_first_and_blue_picks_none() {
    let board = board(&[
        (Blue, (3, 3)),
        (Red, (3, 4)),
        (Neutral, (4, 4)),
        (Neutral, (8, 8)),
        (Blue, (8, 9)),
    ]);
    assert_eq!(fights(&board, Red), [(1, 0), (1, 2), (3, 4)]);
}

#[test]
fn sa_09_a_group_with_initiative_fights_ne_sw_se_nw_as_blue_sees_it() {
    let seen = directions(&surrounded(Blue, Red), Blue, Blue);
    assert_eq!(seen, ["northeast", "southwest", "southeast", "northwest"]);
    // "Regardless of its color."
    assert_eq!(directions(&surrounded(Red, Blue), Red, Blue), seen);
    assert_eq!(fights(&surrounded(Blue, Red), Blue), [(0, 4), (0, 1), (0, 3), (0, 2)]);
}

#[test]
fn sa_10_the_red_player_sees_the_same_order_as_sw_ne_nw_se() {
    let seen = directions(&surrounded(Red, Blue), Red, Red);
    assert_eq!(seen, ["southwest", "northeast", "northwest", "southeast"]);
    // On a board turned upside down, what was below is above.
    let square = Square { column: 5, row: 7 };
    let other = |square: Square| square.upside_down();
    assert_eq!(other(square), Square { column: 6, row: 4 });
    for direction in Direction::ALL {
        let back = other(other(square).neighbour(direction));
        assert_eq!(back, square.neighbour(direction.seen_by(Red)));
    }
}

#[test]
fn sa_11_a_blue_group_is_fought_in_the_order_of_reds_list_when_red_has_initiative() {
    assert_eq!(fights(&surrounded(Blue, Red), Red), [(1, 0), (2, 0), (3, 0), (4, 0)]);
    let elsewhere = board(&[(Blue, G), (Red, SE), (Red, NE), (Red, NW), (Red, SW)]);
    assert_eq!(fights(&elsewhere, Red), [(1, 0), (2, 0), (3, 0), (4, 0)]);
}

#[test]
fn sa_12_all_neutral_neighbours_fight_in_the_order_of_the_neutral_list() {
    assert_eq!(fights(&surrounded(Blue, Neutral), Red), [(1, 0), (2, 0), (3, 0), (4, 0)]);
}

#[test]
fn sa_13_red_neighbours_in_reds_order_then_neutral_ones_in_theirs() {
    let board = board(&[(Blue, G), (Neutral, NE), (Red, SE), (Neutral, NW), (Red, SW)]);
    assert_eq!(fights(&board, Red), [(2, 0), (4, 0), (1, 0), (3, 0)]);
}

#[test]
fn sa_14_among_neutral_groups_the_oldest_picks_and_the_others_follow_their_list() {
    let mut all_neutral = surrounded(Neutral, Neutral);
    // If g is the oldest group, the order is that of the map.
    let seen = directions(&all_neutral, Blue, Blue);
    assert_eq!(seen, ["northeast", "southwest", "southeast", "northwest"]);
    // If g is the youngest, the order is that of the list.
    all_neutral.groups[0].created = 99;
    assert_eq!(fights(&all_neutral, Blue), [(1, 0), (2, 0), (3, 0), (4, 0)]);
    // If g is in between, it picks its younger neighbours when its turn in the list comes.
    for (group, created) in [5, 1, 2, 8, 9].into_iter().enumerate() {
        all_neutral.groups[group].created = created;
    }
    assert_eq!(fights(&all_neutral, Blue), [(0, 4), (0, 3), (1, 0), (2, 0)]);
    all_neutral.neutrals_at_peace = true;
    assert_eq!(fights(&all_neutral, Blue), []);
}

#[test]
fn sa_x_survivors_go_on_as_they_are_and_a_withdrawn_group_fights_no_more() {
    use evens::games::sanctum::effect::{Trigger, Verb};
    let board = board(&[(Blue, G), (Red, NE), (Red, SW)]);
    let foe = || vec![basher(2).hp(3)];
    let setup = phase(&board, &[vec![basher(3).hp(9)], foe(), foe()], Red);
    let fought = play(&setup, 100, &mut Scripted::nothing());
    // Each foe strikes once before it dies; the second combat begins with the 7 that the first left.
    assert_eq!(fought.state.groups[0].minions[0].hit_points, 5);
    assert!(fought.won_by(evens::game::Side::A));

    let coward = basher(3).hp(9).with(effect(Trigger::CombatEnd, Verb::Withdraw));
    let setup = phase(&board, &[vec![coward], foe(), foe()], Red);
    let fought = play(&setup, 100, &mut Scripted::nothing());
    assert_eq!(fought.fights, [[1, 0]]);
    assert!(fought.won_by(evens::game::Side::B), "who withdraws has lost the square (decision 26)");
}
